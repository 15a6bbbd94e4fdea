//! An error rate in words, as GNU Backgammon has them.

/// GNU Backgammon's bounds for its error rate, in points of equity (-1 to 1) per unforced move, and its words.
const WORDS: [(f64, &str); 7] = [
    (0.002, "supernatural"),
    (0.005, "world class"),
    (0.008, "expert"),
    (0.012, "advanced"),
    (0.018, "intermediate"),
    (0.026, "casual player"),
    (0.035, "beginner"),
];

/// The word for an error rate in expected points (0 to 1: half of equity) per unforced turn.
pub(super) fn rating(error_rate: f64) -> &'static str {
    WORDS
        .iter()
        .find(|&&(bound, _)| 2.0 * error_rate < bound)
        .map_or("awful", |&(_, word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_get_worse_with_the_error() {
        assert_eq!(rating(0.0), "supernatural");
        assert_eq!(rating(0.0009), "supernatural");
        assert_eq!(rating(0.001), "world class");
        assert_eq!(rating(0.0174), "beginner");
        assert_eq!(rating(0.2), "awful");
    }
}
