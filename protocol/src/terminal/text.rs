//! Scores, lines and counts in words.

use super::{can_redraw, width, wrap};
use fauve_engine::rules::{Notation, Turn, turn_san};

/// Whether standard output is a terminal that has colours and wants them (<https://no-color.org>).
pub fn wants_color() -> bool {
    let is_unwanted = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    can_redraw() && !is_unwanted
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

/// The columns that the texts of rules are written for.
const RULES_COLUMNS: usize = 80;

/// Rules as a person reads them, in lines of at most `columns` columns: the marks round their diagrams are for Markdown alone. In a
/// narrow terminal paragraphs and items of lists are broken anew between words; diagrams and tables stay as they are.
pub fn rules_lines(rules: &str, columns: usize) -> Vec<String> {
    let mut lines = Vec::new();
    let mut paragraph: Vec<&str> = Vec::new();
    let mut is_diagram = false;
    for line in rules.lines() {
        let is_mark = line.starts_with("```");
        let begins = is_diagram
            || is_mark
            || line.is_empty()
            || line.starts_with(['#', '|'])
            || item_indent(line) > 0
            || columns >= RULES_COLUMNS;
        if begins {
            reflow(&paragraph, columns, &mut lines);
            paragraph.clear();
        }
        if is_mark {
            is_diagram = !is_diagram;
        } else if is_diagram || line.is_empty() || line.starts_with('|') {
            lines.push(line.to_owned());
        } else {
            paragraph.push(line);
        }
    }
    reflow(&paragraph, columns, &mut lines);
    lines
}

/// The columns of the mark before an item of a list, `- ` or `12. `; 0 for another line.
fn item_indent(line: &str) -> usize {
    let digits = line.bytes().take_while(u8::is_ascii_digit).count();
    match &line[digits..] {
        rest if digits > 0 && rest.starts_with(". ") => digits + 2,
        rest if digits == 0 && (rest.starts_with("- ") || rest.starts_with("* ")) => 2,
        _ => 0,
    }
}

/// Breaks a paragraph, or an item with its mark before it, between words.
fn reflow(paragraph: &[&str], columns: usize, lines: &mut Vec<String>) {
    let [first, rest @ ..] = paragraph else {
        return;
    };
    if rest.is_empty() && width(first) <= columns {
        lines.push((*first).to_owned());
        return;
    }
    let indent = item_indent(first);
    let text = format!("{} {}", &first[indent..], rest.join(" "));
    let wrapped = wrap(&text, columns.saturating_sub(indent).max(1));
    for (place, line) in wrapped.lines().enumerate() {
        let before = if place == 0 {
            first[..indent].to_owned()
        } else {
            " ".repeat(indent)
        };
        lines.push(before + line);
    }
}

/// A number with its noun, `1 game`, `2 games`. `noun` takes an s for more than one.
pub fn number(count: impl Into<u64>, noun: &str) -> String {
    match count.into() {
        1 => format!("1 {noun}"),
        count => format!("{count} {noun}s"),
    }
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
    use fauve_engine::{Variant, with_game};

    #[test]
    fn rules_are_wrapped_between_words_and_keep_every_word() {
        for &variant in Variant::ALL {
            let rules = with_game!(variant, G => G::RULES);
            let plain = rules_lines(rules, 80);
            let shown: Vec<&str> = rules
                .lines()
                .filter(|line| !line.starts_with("```"))
                .collect();
            assert_eq!(plain, shown, "{variant}");
            let narrow = rules_lines(rules, 60);
            let words = |lines: &[String]| -> Vec<String> {
                let words = lines.iter().flat_map(|line| line.split_whitespace());
                words.map(str::to_owned).collect()
            };
            assert_eq!(words(&narrow), words(&plain), "{variant}");
            // What is wider is drawn.
            for line in narrow.iter().filter(|line| width(line) > 60) {
                assert!(plain.contains(line), "{line}");
            }
        }
        let text = "# Head\n\n- one two\n  three\n- four\n12. five six\n\n```text\n a  wide  diagram\n```\n";
        let lines = [
            "# Head",
            "",
            "- one",
            "  two",
            "  three",
            "- four",
            "12. five",
            "    six",
            "",
            " a  wide  diagram",
        ];
        assert_eq!(rules_lines(text, 8), lines);
    }

    #[test]
    fn counts_are_short_and_nothing_is_minus_nothing() {
        assert_eq!(
            [count(9999), count(10_000), count(12_345_678)],
            ["9999", "10k", "12M"]
        );
        assert_eq!(
            [number(1_u32, "game"), number(0_u32, "game")],
            ["1 game", "0 games"]
        );
        assert_eq!(signed(-0.0001, 3), "+0.000");
        assert_eq!(signed(-0.25, 3), "-0.250");
    }
}
