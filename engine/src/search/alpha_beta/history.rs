use crate::core::Color;
use crate::eval::Shape;
use std::marker::PhantomData;

/// The bound of every history value.
pub const HISTORY_LIMIT: i32 = 16_384;

/// How well quiet steps of each shape have done (Schaeffer, "The history heuristic", 1983), with gravity: a value
/// moves towards the bound by the share of the way that is left, so that it never leaves ±[`HISTORY_LIMIT`].
pub struct History<G> {
    values: Box<[i16]>,
    game: PhantomData<G>,
}

impl<G: Shape> History<G> {
    /// All values 0.
    pub fn new() -> Self {
        Self {
            values: vec![0; 2 * G::SHAPES].into_boxed_slice(),
            game: PhantomData,
        }
    }

    /// The value of a shape for a side.
    #[inline(always)]
    pub fn get(&self, side: Color, shape: usize) -> i32 {
        i32::from(self.values[side.index() * G::SHAPES + shape])
    }

    /// Rewards (or, negative, punishes) a shape.
    #[inline(always)]
    pub fn add(&mut self, side: Color, shape: usize, bonus: i32) {
        gravitate(&mut self.values[side.index() * G::SHAPES + shape], bonus);
    }
}

/// Moves a history value by a bonus within ±[`HISTORY_LIMIT`].
#[inline(always)]
pub fn gravitate(value: &mut i16, bonus: i32) {
    let old = i32::from(*value);
    *value = (old + bonus - old * bonus.abs() / HISTORY_LIMIT) as i16;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_stay_bounded() {
        let mut value = 0;
        for _ in 0..1000 {
            gravitate(&mut value, 1500);
            assert!(i32::from(value) <= HISTORY_LIMIT);
        }
        assert!(i32::from(value) > HISTORY_LIMIT * 9 / 10);
        (0..1000).for_each(|_| gravitate(&mut value, -1500));
        assert!(i32::from(value) < -HISTORY_LIMIT * 9 / 10);
    }
}
