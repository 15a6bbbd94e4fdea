use rayon::ThreadPoolBuilder;
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

/// Applies `map` to each item and returns the results in the order of the items. Runs on all processors, or on this thread
/// alone where no thread can be started. Each thread has its own state, made by `init`.
pub(crate) fn map_in_parallel<T: Sync, S: Send, R: Send>(
    items: &[T],
    init: impl Fn() -> S + Sync,
    map: impl Fn(&mut S, &T) -> R + Sync,
) -> Vec<R> {
    let states = Mutex::new(Vec::new());
    let results: Vec<Mutex<Option<R>>> = items.iter().map(|_| Mutex::new(None)).collect();
    each_in_parallel(items.len(), &|index| {
        let waiting = locked(&states).pop();
        let mut state = waiting.unwrap_or_else(&init);
        let result = map(&mut state, &items[index]);
        locked(&states).push(state);
        *locked(&results[index]) = Some(result);
    });
    let result = |cell: Mutex<Option<R>>| cell.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.into_iter().filter_map(result).collect()
}

/// Calls `work` with each index below `count`, on all processors. Not generic: rayon's code, which is large, is compiled once
/// and not for each type of item.
fn each_in_parallel(count: usize, work: &(dyn Fn(usize) + Sync)) {
    // rayon's default pool panics where threads are scarce.
    match ThreadPoolBuilder::new().build() {
        Ok(pool) => pool.install(|| (0..count).into_par_iter().for_each(work)),
        Err(_) => (0..count).for_each(work),
    }
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
