//! What the processor and the system are told about the table's memory: hints without an effect on any value.
//!
//! A table is far larger than the caches, and nearly every probe misses them: without these hints a third of a search's
//! time is spent waiting for memory.

/// Asks the processor to fetch the cache line of a value that will be read soon.
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

/// Asks the system to keep a large vector in large pages, so that an address is found by one look-up and not by four. It has to be
/// asked before the memory is first written to. A system that cannot is no worse off.
pub fn prefer_large_pages<T>(room: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        use rustix::mm::{Advice, madvise};
        const PAGE: usize = 4096;
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
