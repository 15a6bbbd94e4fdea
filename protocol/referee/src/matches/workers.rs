//! Threads that play or search at the same time.

use std::thread;

/// The stack of a worker, in whose place players of this process search: as much as the main thread has.
const STACK: usize = 8 << 20;

/// Does the work of this number of workers at the same time, each with its number from 0, and returns when all have ended. This thread
/// is number 0; where the system gives no more threads, there are as many workers as there are threads for.
pub(crate) fn work_on_all(workers: usize, work: impl Fn(usize) + Sync) {
    thread::scope(|scope| {
        let work = &work;
        for number in 1..workers {
            let thread = thread::Builder::new().stack_size(STACK);
            if thread.spawn_scoped(scope, move || work(number)).is_err() {
                break;
            }
        }
        work(0);
    });
}
