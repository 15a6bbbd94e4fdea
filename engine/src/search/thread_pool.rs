//! Search threads that stay alive between searches.

use rayon::ThreadPoolBuilder;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Stack size of a helper thread, in bytes. A node takes less than two kilobytes, so that the deepest line uses an eighth.
const STACK: usize = 4 << 20;

/// Threads that wait for work. The pool starts empty and creates threads on first use.
///
/// Two concurrent callers do not wait for each other: the second gets threads of its own.
#[derive(Debug, Default)]
pub struct ThreadPool(Mutex<Option<rayon::ThreadPool>>);

impl ThreadPool {
    /// Runs each job on a thread of its own and `main` on the calling thread; returns the result of `main` once all jobs
    /// have ended. Where the system refuses threads, only as many jobs run as there are threads.
    pub fn run<T>(
        &self,
        jobs: impl ExactSizeIterator<Item = impl FnOnce() + Send>,
        main: impl FnOnce() -> T,
    ) -> T {
        let wanted = jobs.len();
        if wanted == 0 {
            return main();
        }
        let waiting = self.waiting().take();
        let pool = match waiting {
            Some(pool) if pool.current_num_threads() >= wanted => Some(pool),
            fewer => pool_of(wanted).or(fewer),
        };
        let Some(pool) = pool else { return main() };
        let threads = pool.current_num_threads();
        let done = pool.in_place_scope(|scope| {
            for job in jobs.take(threads) {
                scope.spawn(|_| job());
            }
            main()
        });
        *self.waiting() = Some(pool);
        done
    }

    fn waiting(&self) -> MutexGuard<'_, Option<rayon::ThreadPool>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates a pool of `threads` threads; where the system refuses them, half as many, and so on. `None` if not even one can
/// be had.
fn pool_of(mut threads: usize) -> Option<rayon::ThreadPool> {
    while threads > 0 {
        let builder = ThreadPoolBuilder::new()
            .num_threads(threads)
            .stack_size(STACK)
            .thread_name(|n| format!("search {}", n + 1));
        if let Ok(pool) = builder.build() {
            return Some(pool);
        }
        threads /= 2;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::sync::Barrier;
    use std::thread::{self, ThreadId};

    /// Names of the threads that run `jobs` jobs at the same time, the calling thread included.
    fn meet(pool: &ThreadPool, jobs: usize) -> BTreeSet<String> {
        let all = Barrier::new(jobs + 1);
        let seen = Mutex::new(Vec::<ThreadId>::new());
        let meet = || {
            all.wait();
            seen.lock().unwrap().push(thread::current().id());
        };
        pool.run((0..jobs).map(|_| meet), meet);
        let seen = seen.into_inner().unwrap();
        seen.iter().map(|id| format!("{id:?}")).collect()
    }

    #[test]
    fn jobs_are_done_at_the_same_time_and_by_the_same_threads_again() {
        let pool = ThreadPool::default();
        assert_eq!(meet(&pool, 0).len(), 1);
        let first = meet(&pool, 3);
        assert_eq!(first.len(), 4);
        assert_eq!(meet(&pool, 3), first);
        // A single job uses one of the threads, and more jobs create more threads.
        assert!(meet(&pool, 1).is_subset(&first));
        assert_eq!(meet(&pool, 7).len(), 8);
    }

    #[test]
    fn two_at_the_same_time_do_not_wait_for_each_other() {
        let pool = &ThreadPool::default();
        meet(pool, 2);
        let both = &Barrier::new(4);
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(move || {
                    let meet = || {
                        both.wait();
                    };
                    pool.run((0..1).map(|_| meet), meet);
                });
            }
        });
        assert_eq!(meet(pool, 2).len(), 3);
    }
}
