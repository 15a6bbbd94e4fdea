//! Table of late move reductions.

use crate::search::parameters::Parameters;

/// Reductions in hundredths of a turn, by depth and by the number of steps searched before; they grow with the logarithm of
/// both.
pub struct Reductions([[i16; 64]; 64]);

impl Reductions {
    pub fn new(parameters: &Parameters) -> Self {
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
}
