//! Values that change from the middlegame to the endgame (<https://www.chessprogramming.org/Tapered_Eval>).

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A middlegame and an endgame value in centipawns, side by side in one word.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Taper(i32);

impl Taper {
    /// The two values, each within ±16,000 in every sum.
    pub const fn new(middle: i32, end: i32) -> Self {
        Self((end << 16) + middle)
    }

    /// The sum; `const` twin of `+`.
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }

    /// The middlegame value.
    pub const fn middle(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame value.
    pub const fn end(self) -> i32 {
        (self.0.wrapping_add(0x8000) >> 16) as i16 as i32
    }

    /// The value when `phase` of `full` material is on the board.
    pub const fn at(self, phase: i32, full: i32) -> i32 {
        (self.middle() * phase + self.end() * (full - phase)) / full
    }
}

impl Add for Taper {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Taper {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Neg for Taper {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}

impl Mul<i32> for Taper {
    type Output = Self;
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * factor)
    }
}

impl AddAssign for Taper {
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Taper {
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tapers_keep_both_halves() {
        let sum = Taper::new(-30, 20) + Taper::new(10, -50) * 3 - Taper::new(5, 5);
        assert_eq!((sum.middle(), sum.end()), (-5, -135));
        assert_eq!((-sum).end(), 135);
        assert_eq!(Taper::new(100, 0).at(6, 24), 25);
    }
}
