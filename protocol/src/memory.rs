//! How the program's memory goes back to the system.

/// From now on large blocks, such as the tables of searches, go back to the system as soon as they are not needed.
///
/// The C library of GNU/Linux returns a large block at first. Once it has, it takes the next ones of that size from the heaps of
/// its threads, and keeps those: a program that searches on many threads, one after the other, would hold a table for each heap.
pub fn return_large_blocks() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    {
        /// The size of a block that is large, in bytes.
        const LARGE: i32 = 1 << 20;
        // SAFETY: it sets a number, under a lock of the C library. What it answers is whether it knows that setting; without it the
        // program needs more memory and nothing else changes.
        let _ = unsafe { libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE) };
    }
}
