//! Scores, lines and counts in words.

use fauve_engine::rules::{Notation, Turn, turn_san};
use std::io::{IsTerminal, stdout};

/// Whether standard output is a terminal that has colours and wants them (<https://no-color.org>).
pub fn wants_color() -> bool {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let is_plain = std::env::var_os("TERM").is_some_and(|name| name == "dumb");
    stdout().is_terminal() && !is_unwanted && !is_plain
}

/// A line of turns in the notation that people read.
pub fn line_san<G: Notation>(root: &G, turns: &[Turn<G::Step>]) -> String {
    let mut position = *root;
    let mut text = String::new();
    for turn in turns {
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&turn_san(&position, turn));
        turn.iter().for_each(|&step| position.play(step));
    }
    text
}

/// Rules as a person reads them: the marks round their diagrams are for Markdown alone.
pub fn rules_lines(rules: &str) -> impl Iterator<Item = &str> {
    rules.lines().filter(|line| !line.starts_with("```"))
}

/// A number of nodes in few letters: `9999`, `10k`, `12M`.
pub fn count(number: u64) -> String {
    match number {
        0..10_000 => number.to_string(),
        10_000..10_000_000 => format!("{}k", number / 1000),
        _ => format!("{}M", number / 1_000_000),
    }
}

/// A figure with its sign and this many digits; nothing is `+0.00`, never `-0.00`.
pub fn signed(value: f64, digits: usize) -> String {
    let text = format!("{value:+.digits$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| matches!(byte, b'0' | b'.')) => format!("+{rest}"),
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_short_and_nothing_is_minus_nothing() {
        assert_eq!(
            [count(9999), count(10_000), count(12_345_678)],
            ["9999", "10k", "12M"]
        );
        assert_eq!(signed(-0.0001, 3), "+0.000");
        assert_eq!(signed(-0.25, 3), "-0.250");
    }
}
