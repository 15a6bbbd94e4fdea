//! The clock that runs only while a thread has a processor.

use std::time::Duration;

/// The processor time that this thread has used since some moment that stays the same.
#[cfg(unix)]
pub fn thread_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

/// The same as the clock on the wall has it: an upper bound.
#[cfg(not(unix))]
pub fn thread_time() -> Duration {
    use std::sync::OnceLock;
    use std::time::Instant;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::hint::black_box;
    use std::thread;
    use std::time::Instant;

    #[test]
    fn it_stands_while_the_thread_sleeps_and_runs_while_it_works() {
        let before = thread_time();
        thread::sleep(Duration::from_millis(50));
        let slept = thread_time().saturating_sub(before);
        assert!(slept < Duration::from_millis(25), "{slept:?}");
        let (before, begin) = (thread_time(), Instant::now());
        let mut sum = 0u64;
        while thread_time().saturating_sub(before) < Duration::from_millis(20) {
            sum = black_box(sum + 1);
            assert!(begin.elapsed() < Duration::from_mins(1), "it stands");
        }
        assert!(begin.elapsed() >= Duration::from_millis(20));
    }
}
