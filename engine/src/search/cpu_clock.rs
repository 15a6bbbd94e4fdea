//! Clocks that run only while a thread has a processor.

use std::time::Duration;

/// Processor time used by this thread since a fixed moment. Wall-clock time, an upper bound, where the system has no such
/// clock.
pub fn thread_time() -> Duration {
    #[cfg(unix)]
    return read(rustix::time::ClockId::ThreadCPUTime);
    #[cfg(not(unix))]
    wall()
}

/// Processor time used by all threads of this process since a fixed moment. Wall-clock time where the system has no such
/// clock.
pub fn process_time() -> Duration {
    #[cfg(unix)]
    return read(rustix::time::ClockId::ProcessCPUTime);
    #[cfg(not(unix))]
    wall()
}

#[cfg(unix)]
fn read(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        time.tv_sec.try_into().unwrap_or(0),
        time.tv_nsec.try_into().unwrap_or(0),
    )
}

#[cfg(not(unix))]
fn wall() -> Duration {
    use crate::search::Instant;
    use std::sync::OnceLock;
    static BEGIN: OnceLock<Instant> = OnceLock::new();
    BEGIN.get_or_init(Instant::now).elapsed()
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use crate::rules::chess::{self, Chess};
    use crate::rules::dice::{DiceChess, Options};
    use crate::rules::{Chance, Game, Notation, Roll};
    use crate::search::Instant;
    use crate::search::{Control, Engine, Limits, Report, Searcher, Settings, Table};
    use std::hint::black_box;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::thread;

    /// Largest drift within a test between the wall clock and the thread clock, which are different hardware.
    const DRIFT: Duration = Duration::from_millis(2);
    /// Processor time that a shared machine may charge a thread that did no work.
    const CHARGED: Duration = Duration::from_millis(40);

    #[test]
    fn it_stands_while_the_thread_sleeps_and_runs_while_it_works() {
        let before = thread_time();
        thread::sleep(Duration::from_millis(200));
        let slept = thread_time().saturating_sub(before);
        assert!(slept < CHARGED, "{slept:?}");
        // The wall clock is read first, so that the time between the two readings counts as wall time.
        let (begin, before) = (Instant::now(), thread_time());
        let mut sum = 0u64;
        while thread_time().saturating_sub(before) < Duration::from_millis(20) {
            sum = black_box(sum + 1);
            assert!(
                begin.elapsed() < Duration::from_mins(1),
                "the clock does not advance"
            );
        }
        assert!(begin.elapsed() + DRIFT >= Duration::from_millis(20));
    }

    /// Runs `what` while twice as many threads as there are processors keep all of them busy.
    fn on_a_busy_machine<T>(what: impl FnOnce() -> T) -> T {
        let processors = thread::available_parallelism().map_or(2, Into::into);
        let done = &AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..2 * processors {
                scope.spawn(|| while !done.load(Ordering::Relaxed) {});
            }
            let result = what();
            done.store(true, Ordering::Relaxed);
            result
        })
    }

    /// Processor time and wall-clock time of a search, whose reports give its processor time.
    fn timed<G: Engine>(game: &Game<G>, cputime: Duration, threads: usize) -> [Duration; 2] {
        let limits = Limits {
            cputime: Some(cputime),
            ..Limits::default()
        };
        let settings = Settings {
            threads,
            ..Settings::default()
        };
        let (table, control) = (Table::new(1).unwrap(), Control::default());
        let (begin, before) = (Instant::now(), thread_time());
        let mut reported = Duration::ZERO;
        let mut listen = |report| {
            if let Report::Pv(info) = report {
                reported = reported.max(info.time);
            }
        };
        let answer = Searcher::new(&table, &settings, &control).run(game, &limits, &mut listen);
        assert!(answer.best.is_some());
        let used = thread_time().saturating_sub(before);
        assert!(reported <= used, "{reported:?} of {used:?}");
        [used, begin.elapsed()]
    }

    /// The search gets its whole share while other threads compete for the processors, and little more than its share.
    #[test]
    fn a_search_gets_its_whole_share_on_a_busy_machine() {
        let mut dice = DiceChess::start(&Options::default());
        dice.set_roll(Roll::parse("136").unwrap());
        let dice = Game::new(dice, Options::default());
        let chess = Game::new(
            Chess::start(&chess::Options::default()),
            chess::Options::default(),
        );
        let wanted = Duration::from_millis(60);
        on_a_busy_machine(|| {
            for [used, wall] in [
                timed(&chess, wanted, 1),
                timed(&chess, wanted, 2),
                timed(&dice, wanted, 1),
            ] {
                assert!(used >= wanted, "{used:?}");
                assert!(used < wanted + CHARGED, "{used:?}");
                assert!(wall + DRIFT >= used, "{wall:?} for {used:?}");
            }
        });
    }
}
