//! Hints to the processor and the operating system about the table's memory. They affect no result.
//!
//! The table is far larger than the processor's caches, and nearly every probe misses them: without these hints a third of
//! the search time is spent waiting for memory.

/// Prefetches the cache line of a value that will be read soon.
#[inline(always)]
pub fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    // SAFETY: SSE, which has the instruction, belongs to every x86-64 processor; a prefetch reads nothing that a program could
    // see, and the address is that of a live value.
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(value).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Requests large pages for a large vector, so that translating an address takes one lookup and not four. Call it before
/// the memory is first written to; a system without large pages ignores it.
pub fn prefer_large_pages<T>(room: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        // The largest that there is: pages have 4 KB on x86-64 and 4, 16 or 64 KB on ARM.
        const PAGE: usize = 1 << 16;
        let room = room.spare_capacity_mut();
        let start = room.as_mut_ptr() as usize;
        let first = start.next_multiple_of(PAGE);
        let end = (start + size_of_val(room)) / PAGE * PAGE;
        if first < end {
            let pages = room.as_mut_ptr().wrapping_byte_add(first - start);
            // SAFETY: whole pages within the vector's own room; this advice changes neither what they hold nor what may be
            // done with them.
            let _ = unsafe { madvise(pages.cast(), end - first, Advice::LinuxHugepage) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = room;
}
