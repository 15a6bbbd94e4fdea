//! Table of late move reductions.

use crate::search::parameters::Parameters;
use std::sync::{Arc, Mutex, PoisonError};

/// Number of tables that are kept: one for each game, and more only while parameters are tuned.
const KEPT: usize = 16;

/// The tables that have been made, by base and divisor.
static MADE: Mutex<Vec<([i32; 2], Arc<Reductions>)>> = Mutex::new(Vec::new());

/// Reductions in hundredths of a turn, by depth and by the number of steps searched before; they grow with the logarithm of
/// both.
pub struct Reductions([[i16; 64]; 64]);

impl Reductions {
    /// The table of these parameters, which is made once: making it takes as long as some twenty nodes.
    pub fn of(parameters: &Parameters) -> Arc<Self> {
        let key = [parameters.reduction_base, parameters.reduction_divisor];
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, table)) = made.iter().find(|(other, _)| *other == key) {
            return Arc::clone(table);
        }
        if made.len() == KEPT {
            made.remove(0);
        }
        let table = Arc::new(Self::new(parameters));
        made.push((key, Arc::clone(&table)));
        table
    }

    fn new(parameters: &Parameters) -> Self {
        let logarithms: [f64; 64] = std::array::from_fn(|n| (n as f64).ln());
        let base = f64::from(parameters.reduction_base);
        let divisor = f64::from(parameters.reduction_divisor) / 100.0;
        let mut table = [[0; 64]; 64];
        for (depth, row) in table.iter_mut().enumerate().skip(1) {
            for (number, reduction) in row.iter_mut().enumerate().skip(1) {
                *reduction = (base + 100.0 * logarithms[depth] * logarithms[number] / divisor)
                    .floor() as i16;
            }
        }
        Self(table)
    }

    /// Base reduction in hundredths of a turn, before adjustments for the node and the step.
    #[inline(always)]
    pub fn get(&self, depth: i32, searched: usize) -> i32 {
        i32::from(self.0[(depth as usize).min(63)][searched.min(63)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_number() {
        let reductions = Reductions::new(&Parameters::DEFAULT);
        assert!(reductions.get(1, 1) < 100);
        for n in 1..63 {
            assert!(reductions.get(n, 20) <= reductions.get(n + 1, 20));
            assert!(reductions.get(20, n as usize) <= reductions.get(20, n as usize + 1));
        }
        assert_eq!(reductions.get(500, 500), reductions.get(63, 63));
        assert!(reductions.get(63, 63) < 6300);
    }

    #[test]
    fn tables_are_kept_by_their_parameters() {
        for base in 0..40 {
            let parameters = Parameters {
                reduction_base: base,
                ..Parameters::DEFAULT
            };
            for _ in 0..2 {
                assert!(Reductions::of(&parameters).0 == Reductions::new(&parameters).0);
            }
        }
        let table = || Reductions::of(&Parameters::DEFAULT);
        assert!(Arc::ptr_eq(&table(), &table()));
    }
}
