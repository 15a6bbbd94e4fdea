//! Paired timing of two implementations, run alternately, so that a busy machine slows both.

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A group of slow benches: ten samples of `seconds` seconds each.
pub fn group<'a>(
    criterion: &'a mut Criterion,
    name: &str,
    seconds: u64,
) -> BenchmarkGroup<'a, WallTime> {
    let mut group = criterion.benchmark_group(name);
    group
        .sample_size(10)
        .measurement_time(Duration::from_secs(seconds));
    group
}

/// Benches `ours` with `baseline` beside it, run by run, and prints the rates of both and their ratio. Each side returns
/// the units of work that it did, always the same number.
///
/// Returns both numbers, for comparison where both sides count the same.
pub fn compare(
    group: &mut BenchmarkGroup<'_, WallTime>,
    name: &str,
    mut ours: impl FnMut() -> u64,
    (what, mut baseline): (&str, impl FnMut() -> u64),
) -> (u64, u64) {
    let mut paired = Paired::default();
    group.bench_function(name.replace('/', "|"), |bencher| {
        bencher.iter_custom(|iterations| {
            (0..iterations)
                .map(|_| paired.run(&mut ours, &mut baseline))
                .sum()
        });
    });
    paired.report(name, what);
    paired.work.unwrap_or_default()
}

/// The times of both sides, run by run, and their work per run.
#[derive(Default)]
struct Paired {
    runs: Vec<(Duration, Duration)>,
    work: Option<(u64, u64)>,
}

impl Paired {
    /// Times both sides once and returns our time, for criterion.
    fn run(&mut self, ours: impl FnOnce() -> u64, baseline: impl FnOnce() -> u64) -> Duration {
        let start = Instant::now();
        let our_work = black_box(ours());
        let our_time = start.elapsed();
        let start = Instant::now();
        let baseline_work = black_box(baseline());
        let baseline_time = start.elapsed();
        let work = *self.work.get_or_insert((our_work, baseline_work));
        assert_eq!(
            work,
            (our_work, baseline_work),
            "every run does the same work"
        );
        self.runs.push((our_time, baseline_time));
        our_time
    }

    /// Prints the rates of both in millions of units per second (best run) and the median ratio; above 1, ours is faster.
    fn report(&self, name: &str, what: &str) {
        // A filter on the command line may exclude this bench.
        let Some((our_work, baseline_work)) = self.work else {
            return;
        };
        let rate = |work: u64, time: Duration| work as f64 / time.as_secs_f64() / 1e6;
        let mut ratios: Vec<f64> = self
            .runs
            .iter()
            .map(|&(ours, theirs)| rate(our_work, ours) / rate(baseline_work, theirs))
            .collect();
        ratios.sort_by(f64::total_cmp);
        let best = |times: &mut dyn Iterator<Item = Duration>| times.min().unwrap_or_default();
        let ours = best(&mut self.runs.iter().map(|run| run.0));
        let theirs = best(&mut self.runs.iter().map(|run| run.1));
        println!(
            "{name}: {} M/s ({ours:.2?}), {what} {} M/s ({theirs:.2?}), median ratio {:.2}",
            three_figures(rate(our_work, ours)),
            three_figures(rate(baseline_work, theirs)),
            ratios[ratios.len() / 2],
        );
    }
}

/// Formats a rate with three significant figures, or with all digits before the point.
fn three_figures(rate: f64) -> String {
    let decimals = (2.0 - rate.max(1e-9).log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{rate:.decimals$}")
}
