//! Bounds of chance nodes, and their encoding in the table.

use crate::eval::dice::CERTAIN;
use crate::search::report::Bound;
use crate::search::table::Entry;

/// Lower and upper bound of a value, both inclusive.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bounds {
    pub low: i32,
    pub high: i32,
}

/// Bits dropped from inexact bounds, which are rounded outwards.
const COARSE: i32 = 5;
const HALF: u32 = 23;

impl Bounds {
    /// The widest bounds: no information.
    pub const NONE: Self = Self {
        low: 0,
        high: CERTAIN,
    };

    /// An exact value.
    pub const fn exact(value: i32) -> Self {
        Self {
            low: value,
            high: value,
        }
    }

    /// The node's value (or a bound outside the window), if these bounds decide it.
    #[inline]
    pub const fn settles(self, alpha: i32, beta: i32) -> Option<i32> {
        if self.low >= beta || self.low == self.high {
            Some(self.low)
        } else if self.high <= alpha {
            Some(self.high)
        } else {
            None
        }
    }

    /// Intersection with the bounds of another search of the same node.
    #[inline]
    pub fn and(self, other: Self) -> Self {
        Self {
            low: self.low.max(other.low),
            high: self.high.min(other.high),
        }
    }

    /// Packs the bounds into an entry: an exact value takes 28 bits, two bounds 23 bits each.
    pub const fn pack(self, depth: u32) -> Entry {
        let exact = self.low == self.high;
        let bits = if exact {
            self.low as u64
        } else {
            let high = (self.high + (1 << COARSE) - 1) >> COARSE;
            (self.low >> COARSE) as u64 | (high as u64) << HALF
        };
        Entry {
            value: bits as i16,
            eval: (bits >> 16) as i16,
            // Never 0, which in the table means that no step is known.
            tt_move: (bits >> 32) as u16 | 1 << 15,
            depth: depth as u8,
            bound: if exact { Bound::Exact } else { Bound::Lower },
        }
    }

    /// The bounds stored in an entry.
    pub const fn unpack(entry: Entry) -> Self {
        let bits = entry.value as u16 as u64
            | (entry.eval as u16 as u64) << 16
            | ((entry.tt_move & !(1 << 15)) as u64) << 32;
        if matches!(entry.bound, Bound::Exact) {
            return Self::exact(bits as u32 as i32);
        }
        let high = ((bits >> HALF) as i32) << COARSE;
        Self {
            low: ((bits & ((1 << HALF) - 1)) as i32) << COARSE,
            high: if high > CERTAIN { CERTAIN } else { high },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_keep_exact_values_and_never_narrow_bounds() {
        for value in [0, 1, 31, 32, CERTAIN / 3, CERTAIN - 1, CERTAIN] {
            let exact = Bounds::exact(value);
            assert_eq!(Bounds::unpack(exact.pack(3)), exact);
            for high in [value + 1, value + 33, CERTAIN - 1, CERTAIN] {
                if high > CERTAIN || high <= value {
                    continue;
                }
                let bounds = Bounds { low: value, high };
                let kept = Bounds::unpack(bounds.pack(3));
                assert!(kept.low <= value && value - kept.low < 32);
                assert!(kept.high >= high && kept.high - high < 32);
            }
        }
    }

    #[test]
    fn windows_are_settled_by_one_bound() {
        let bounds = Bounds { low: 10, high: 20 };
        assert_eq!(bounds.settles(-1, 10), Some(10));
        assert_eq!(bounds.settles(20, 30), Some(20));
        assert_eq!(bounds.settles(12, 18), None);
        assert_eq!(Bounds::exact(15).settles(12, 18), Some(15));
    }
}
