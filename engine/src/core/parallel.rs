use rayon::ThreadPoolBuilder;
use rayon::prelude::*;

/// What `map` makes of each item, in the order of the items: on all processors, or on this thread alone where the
/// system gives no others. Each thread works with a state of its own, which `init` makes.
pub(crate) fn map_in_parallel<T: Sync, S, R: Send>(
    items: &[T],
    init: impl Fn() -> S + Send + Sync,
    map: impl Fn(&mut S, &T) -> R + Send + Sync,
) -> Vec<R> {
    // The pool that rayon starts by itself panics where threads are scarce.
    if let Ok(pool) = ThreadPoolBuilder::new().build() {
        return pool.install(|| items.par_iter().map_init(init, map).collect());
    }
    let mut state = init();
    items.iter().map(|item| map(&mut state, item)).collect()
}
