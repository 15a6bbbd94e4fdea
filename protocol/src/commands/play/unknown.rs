//! What is said of a line that is neither a command nor a legal turn: why the turn is refused, or which command was meant.

use super::keyboard::COMMANDS;
use fauve_engine::rules::printable;
use fauve_game::explain::{self, Explain};
use fauve_game::read;

/// Words that people of other programs type, and the command that does it here.
const SYNONYMS: &[(&str, &str)] = &[
    ("back", "undo"),
    ("unmake", "undo"),
    ("revert", "undo"),
    ("restart", "new"),
    ("reset", "new"),
    ("surrender", "resign"),
    ("show", "board"),
    ("print", "board"),
    ("display", "board"),
    ("position", "fen"),
    ("suggest", "hint"),
    ("best", "hint"),
    ("analyse", "hint"),
    ("analyze", "hint"),
    ("score", "eval"),
    ("move", "play TURN"),
    ("switch", "side"),
    ("flip", "side"),
    ("strength", "level N"),
    ("open", "load FILE"),
    ("write", "save FILE"),
    ("pgn", "save FILE"),
    ("bye", "quit"),
    ("stop", "quit"),
];

/// Words that are turns in one game or another and may be none now.
const TURN_WORDS: [&str; 5] = ["pass", "skip", "left", "right", "0000"];

/// The sentence against a line that could not be read as a turn.
pub(super) fn refusal<G: Explain>(position: &G, text: &str) -> String {
    if read::castlings(position, text).is_some() || is_like_a_turn(text) {
        return explain::refusal(position, text);
    }
    let meant = meant(text).map_or_else(String::new, |name| format!("did you mean `{name}`? "));
    format!(
        "'{}' is not understood; {meant}`help` lists the commands, `legal` the turns",
        printable(text)
    )
}

/// Whether a text can be meant for a turn: it names a square, a drop or a castling.
fn is_like_a_turn(text: &str) -> bool {
    let word = text.split_whitespace().next().unwrap_or_default();
    let upper = word.to_ascii_uppercase();
    TURN_WORDS.contains(&word)
        || upper.starts_with("O-O")
        || upper.starts_with("OO")
        || word.contains(|sign: char| sign.is_ascii_digit() || "@(".contains(sign))
        || text.split_whitespace().any(is_square)
}

/// Whether a word is the name of a square, `f1`, as in `Amazon f1`.
fn is_square(word: &str) -> bool {
    let digits = word.trim_start_matches(|file: char| ('a'..='o').contains(&file));
    word.len() == digits.len() + 1
        && digits
            .parse()
            .is_ok_and(|rank: u8| (1..=15).contains(&rank))
}

/// The command that an unknown word was probably meant for: a synonym, or one that differs by a slip of the keys.
fn meant(text: &str) -> Option<&'static str> {
    let word = text.split_whitespace().next()?.to_lowercase();
    let synonyms = SYNONYMS.iter().copied();
    let commands = COMMANDS
        .iter()
        .flat_map(|(usage, _)| usage.split(", "))
        .filter_map(|usage| Some((usage.split(' ').next()?, usage)));
    let slips = if word.chars().count() < 5 { 1 } else { 2 };
    let distance = |name: &str| strsim::damerau_levenshtein(name, &word);
    synonyms
        .chain(commands)
        .map(|(name, command)| (distance(name), command))
        .filter(|&(distance, _)| distance <= slips)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, command)| command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slips_and_words_of_other_programs_lead_to_commands() {
        for (text, command) in [
            ("udno", Some("undo")),
            ("histroy", Some("history")),
            ("resgin", Some("resign")),
            ("surender", Some("resign")),
            ("sav game.pgn", Some("save FILE")),
            ("move e4", Some("play TURN")),
            ("xyzzy", None),
            ("", None),
        ] {
            assert_eq!(meant(text), command, "{text}");
        }
        assert!(
            ["Nf3", "e2-e4", "O-O", "E@h1", "(0,1)", "pass", "Amazon f1"]
                .iter()
                .all(|text| is_like_a_turn(text))
        );
        assert!(
            !["takeback", "help me", ""]
                .iter()
                .any(|text| is_like_a_turn(text))
        );
    }
}
