use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// Applies `map` to each item and returns the results in the order of the items. Runs on all processors, or on this thread
/// alone where no thread can be started. Each thread has its own state, made by `init`.
pub(crate) fn map_in_parallel<T: Sync, S, R: Send>(
    items: &[T],
    init: impl Fn() -> S + Send + Sync,
    map: impl Fn(&mut S, &T) -> R + Send + Sync,
) -> Vec<R> {
    // rayon's default pool panics where threads are scarce.
    if let Ok(pool) = ThreadPoolBuilder::new().build() {
        return pool.install(|| items.par_iter().map_init(init, map).collect());
    }
    let mut state = init();
    items.iter().map(|item| map(&mut state, item)).collect()
}
