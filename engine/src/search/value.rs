//! The scale of search values: centipawns, and mates by their distance in turns from the root.

use super::report::Score;

/// Above every value.
pub const INFINITE: i32 = 32_001;
/// Mate on the board; a mate `n` turns (of both sides) from the root is worth `MATE - n`.
pub const MATE: i32 = 32_000;
/// Value of a mid-turn position without a legal step: the step before it was not legal.
pub const ILLEGAL: i32 = -32_002;
/// Greatest distance from the root that a search can reach, in turns.
pub const MAX_PLY: usize = 128;
/// Smallest value that means mate.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32 - 8;
/// Evaluations are clamped to this distance from zero.
pub const EVAL_LIMIT: i32 = 20_000;

/// Whether the value is a mate for either side.
#[inline(always)]
pub const fn is_mate(value: i32) -> bool {
    value >= MATE_BOUND || value <= -MATE_BOUND
}

/// Converts a value for the table, where mates count from the position, which is `ply` turns from the root.
#[inline(always)]
pub const fn to_table(value: i32, ply: usize) -> i16 {
    (if value >= MATE_BOUND {
        value + ply as i32
    } else if value <= -MATE_BOUND {
        value - ply as i32
    } else {
        value
    }) as i16
}

/// The inverse of [`to_table`].
#[inline(always)]
pub const fn from_table(value: i16, ply: usize) -> i32 {
    let value = value as i32;
    if value >= MATE_BOUND {
        value - ply as i32
    } else if value <= -MATE_BOUND {
        value + ply as i32
    } else {
        value
    }
}

/// Converts a value for display: mates in own turns. Mid-turn, the rest of the turn counts as the first.
pub const fn score(value: i32) -> Score {
    if value >= MATE_BOUND {
        Score::Mate((MATE - value + 1) / 2)
    } else if value <= -MATE_BOUND {
        Score::Mate(-i32::midpoint(MATE, value))
    } else {
        // A mate too far away to be counted as one.
        let bounded = if value > EVAL_LIMIT {
            EVAL_LIMIT
        } else if value < -EVAL_LIMIT {
            -EVAL_LIMIT
        } else {
            value
        };
        Score::Cp(bounded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_counted_in_own_turns() {
        assert_eq!(score(MATE - 1), Score::Mate(1));
        assert_eq!(score(MATE - 3), Score::Mate(2));
        assert_eq!(score(-MATE), Score::Mate(0));
        assert_eq!(score(-MATE + 2), Score::Mate(-1));
        assert_eq!(score(-MATE + 4), Score::Mate(-2));
        assert_eq!(score(-37), Score::Cp(-37));
    }

    #[test]
    fn the_table_counts_mates_from_the_position() {
        for value in [MATE - 7, 12, 0, -300, 8 - MATE] {
            assert_eq!(from_table(to_table(value, 5), 5), value);
        }
        assert_eq!(from_table(to_table(MATE - 7, 5), 2), MATE - 4);
    }
}
