//! What the arrays of Superchess are worth.

use std::sync::LazyLock;

/// A line for each array: its first rank and its value for White in centipawns. `fauve-training prologue` makes it.
const TABLE: &str = include_str!("../../../nets/superchess-arrays.csv");

static VALUES: LazyLock<Vec<i32>> = LazyLock::new(|| {
    let value = |line: &str| line.split_once(',')?.1.parse().ok();
    TABLE.lines().skip(1).filter_map(value).collect()
});

/// Returns the value of the n-th array (0..432) in centipawns for White, which moves first.
pub fn value(n: usize) -> Option<i32> {
    VALUES.get(n).copied()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Notation;
    use crate::rules::superchess::{Options, Superchess};

    #[test]
    fn every_array_has_its_line() {
        let lines: Vec<&str> = TABLE.lines().skip(1).collect();
        assert_eq!((lines.len(), VALUES.len()), (432, 432));
        for (array, line) in (0..).zip(lines) {
            let options = Options {
                prologue: false,
                array,
                ..Options::default()
            };
            let start = Superchess::start(&options);
            let rank = &start.fen()[35..43];
            assert!(line.starts_with(rank), "{line} {rank}");
            assert_eq!(start.array(), Some(usize::from(array)));
            assert!(value(usize::from(array)).unwrap().abs() < 500);
        }
    }
}
