//! Locks that outlive a search that breaks down while it holds them.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Locks, also after a thread has panicked with the lock: what is behind it is whole between two statements.
pub(crate) fn locked<T: ?Sized>(what: &Mutex<T>) -> MutexGuard<'_, T> {
    what.lock().unwrap_or_else(PoisonError::into_inner)
}
