//! Two ways to do the same work, timed in turns in one run, so that a busy machine slows both.

use std::time::{Duration, Instant};

/// The times of both sides, run by run.
#[derive(Default)]
pub struct Paired {
    runs: Vec<(Duration, Duration)>,
}

impl Paired {
    /// Times `ours` and `baseline` once each and gives our time, for criterion.
    pub fn run<T: PartialEq + std::fmt::Debug>(
        &mut self,
        ours: impl FnOnce() -> T,
        baseline: impl FnOnce() -> T,
    ) -> Duration {
        let start = Instant::now();
        let result = ours();
        let our_time = start.elapsed();
        let start = Instant::now();
        let expected = baseline();
        let baseline_time = start.elapsed();
        assert_eq!(result, expected, "both sides count the same");
        self.runs.push((our_time, baseline_time));
        our_time
    }

    /// Prints millions per second of both (best run of `work` units each) and the median of the ratios of the runs;
    /// above 1 we are faster.
    pub fn report(&self, what: &str, work: u64, baseline: &str) {
        self.report_rates(what, work, baseline, work);
    }

    /// [`Paired::report`] for sides that do different work: the ratio is that of the rates.
    pub fn report_rates(&self, what: &str, work: u64, baseline: &str, baseline_work: u64) {
        let rate = |work: u64, time: Option<Duration>| {
            work as f64 / time.unwrap_or(Duration::MAX).as_secs_f64() / 1e6
        };
        let mut ratios: Vec<f64> = self
            .runs
            .iter()
            .map(|&(ours, theirs)| rate(work, Some(ours)) / rate(baseline_work, Some(theirs)))
            .collect();
        ratios.sort_by(f64::total_cmp);
        println!(
            "{what}: {} M/s, {baseline} {} M/s, median ratio {:.2}",
            three_figures(rate(work, self.runs.iter().map(|run| run.0).min())),
            three_figures(rate(baseline_work, self.runs.iter().map(|run| run.1).min())),
            ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN),
        );
    }
}

/// A rate with three figures or all digits before the point.
fn three_figures(rate: f64) -> String {
    let decimals = (2.0 - rate.max(1e-9).log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{rate:.decimals$}")
}
