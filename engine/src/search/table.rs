//! The transposition table.

/// A shared transposition table (placeholder layout; see the search).
#[derive(Debug)]
pub struct Table {
    megabytes: usize,
}

impl Table {
    /// A table of about so many megabytes.
    ///
    /// # Errors
    /// When the memory is not to be had.
    pub fn new(megabytes: usize) -> Result<Self, std::collections::TryReserveError> {
        Ok(Self { megabytes })
    }

    /// Its size.
    pub const fn megabytes(&self) -> usize {
        self.megabytes
    }

    /// Forgets everything.
    pub fn clear(&self) {}
}
