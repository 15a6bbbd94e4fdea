//! Games from PGN.

use crate::record::game::{GameResult, Termination};
use crate::record::replay::{ReplayError, Transcript};
use fauve_engine::rules::{Game, Notation, Roll};

/// The result of a game that is not finished.
const UNFINISHED: &str = "*";

/// A game read from PGN.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PgnGame {
    /// The tags, in order.
    pub tags: Vec<(String, String)>,
    /// The turns, each with its roll.
    pub turns: Vec<(Option<String>, String)>,
    /// The result behind the moves, as written.
    pub result: String,
}

impl PgnGame {
    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags
            .iter()
            .find(|(tag, _)| tag.eq_ignore_ascii_case(name))
            .map(|(_, value)| value.as_str())
    }

    /// Plays the game again: turns, rolls and the end.
    ///
    /// # Errors
    /// The first thing that is not right.
    pub fn replay<G: Notation>(&self, options: &G::Options) -> Result<Game<G>, ReplayError> {
        let result = match self.result.as_str() {
            UNFINISHED => None,
            text => Some(
                GameResult::parse(text).ok_or_else(|| ReplayError::NoResult(text.to_owned()))?,
            ),
        };
        if self.tag("Result").is_some_and(|tag| tag != self.result) {
            return Err(ReplayError::TwoResults);
        }
        let start = self.start::<G>(options);
        let transcript = Transcript {
            result,
            ..self.transcript(&start)
        };
        transcript.replay::<G>(options).map(|(game, _)| game)
    }

    /// The position string of the first position.
    pub fn start<G: Notation>(&self, options: &G::Options) -> String {
        self.tag("FEN")
            .map_or_else(|| G::start(options).fen(), str::to_owned)
    }

    /// The game as a transcript that begins at `start`, without its result.
    pub fn transcript<'a>(&'a self, start: &'a str) -> Transcript<'a> {
        let termination = self.tag("Termination").unwrap_or("normal");
        Transcript {
            start,
            dice_seed: self.tag("DiceSeed"),
            turns: self
                .turns
                .iter()
                .map(|(roll, turn)| (roll.as_deref(), turn.as_str()))
                .collect(),
            result: None,
            // A normal end may be a resignation; whether the rules ended the game is seen at its end.
            by_rules: None,
            forfeited: Termination::FORFEITS
                .iter()
                .any(|forfeit| forfeit.pgn() == termination),
        }
    }
}

/// Reads the games of a PGN text. Variations and glyphs are passed over. What cannot be read stays in as a turn that
/// no game allows.
pub fn parse(text: &str) -> Vec<PgnGame> {
    let mut games = Vec::new();
    let mut game = PgnGame::default();
    let mut rest = text;
    let mut depth = 0u32;
    while let Some(letter) = rest.chars().next() {
        match letter {
            letter if letter.is_whitespace() || letter == ')' || letter == '\u{feff}' => {
                depth = depth.saturating_sub(u32::from(letter == ')'));
                rest = &rest[letter.len_utf8()..];
            }
            '(' => {
                depth += 1;
                rest = &rest[1..];
            }
            '[' if depth == 0 && !game.turns.is_empty() && game.result.is_empty() => {
                // Tags behind moves without a result: the next game begins.
                games.push(std::mem::take(&mut game));
            }
            '[' => {
                let (tag, after) = read_tag(rest);
                game.tags.extend(tag);
                rest = after;
            }
            '{' => {
                let (comment, after) = rest[1..].split_once('}').unwrap_or((&rest[1..], ""));
                if depth == 0
                    && let Some((roll, _)) = game.turns.last_mut()
                    && roll.is_none()
                {
                    let word = comment.split_whitespace().next().unwrap_or_default();
                    *roll = Roll::parse(word).map(|roll| roll.to_string());
                }
                rest = after;
            }
            ';' | '%' => rest = rest.split_once('\n').map_or("", |(_, after)| after),
            _ => {
                let end = rest
                    .find(|letter: char| letter.is_whitespace() || "{}()[];".contains(letter))
                    .filter(|&end| end > 0)
                    .unwrap_or(if "}]".contains(letter) { 1 } else { rest.len() });
                let word = &rest[..end];
                rest = &rest[end..];
                if depth == 0 && read_word(&mut game, word) {
                    games.push(std::mem::take(&mut game));
                }
            }
        }
    }
    if !game.tags.is_empty() || !game.turns.is_empty() {
        games.push(game);
    }
    games
}

/// Takes a word of the moves; `true` if it was the result.
fn read_word(game: &mut PgnGame, word: &str) -> bool {
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | UNFINISHED) {
        word.clone_into(&mut game.result);
        return true;
    }
    // `12.e4`, `12...`, `$3`
    let bare = match word.split_once('.') {
        Some((number, rest)) if number.bytes().all(|byte| byte.is_ascii_digit()) => {
            rest.trim_start_matches('.')
        }
        _ => word,
    };
    if !bare.is_empty()
        && !bare.starts_with('$')
        && !bare.chars().all(|letter| "!?".contains(letter))
    {
        game.turns.push((None, bare.to_owned()));
    }
    false
}

/// Reads `[Name "value"]`. A tag ends with its line, whatever is missing, so that one fault does not swallow the file.
fn read_tag(text: &str) -> (Option<(String, String)>, &str) {
    let (line, below) = text[1..].split_at(text[1..].find('\n').unwrap_or(text.len() - 1));
    let Some((name, after)) = line.split_once('"') else {
        let rest = line.find(']').map_or(below, |end| &text[end + 2..]);
        return (None, rest);
    };
    let tag = |value: String| Some((name.trim().to_owned(), value));
    let mut value = String::new();
    let mut letters = after.char_indices();
    while let Some((i, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '"' => {
                let begin = text.len() - below.len() - after.len() + i + 1;
                let rest = text[begin..].trim_start_matches([' ', '\t']);
                return (tag(value), rest.strip_prefix(']').unwrap_or(rest));
            }
            _ => value.push(letter),
        }
    }
    let value = value.trim_end().trim_end_matches(']').to_owned();
    (tag(value), below)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_tags_turns_rolls_and_passes_over_the_rest() {
        let games = parse(
            "[Event \"a \\\"b\\\" \\\\\"]\n[Variant \"dicechess\"]\n\n1. e4,Nf3 {PPN +0.10/3 0.1s} 1... 0000 {KKQ} \
             2.d4 $1 (2. d5 {no} d6) Nc6 {just words} ; e5\n1-0\n\n[Event \"c\"]\n\n1. e4 *\n[Event \"d\"]",
        );
        assert_eq!(games.len(), 3);
        assert_eq!(games[0].tag("event"), Some("a \"b\" \\"));
        let turns: Vec<(Option<&str>, &str)> = games[0]
            .turns
            .iter()
            .map(|(roll, turn)| (roll.as_deref(), turn.as_str()))
            .collect();
        assert_eq!(
            turns,
            [
                (Some("PPN"), "e4,Nf3"),
                (Some("QKK"), "0000"),
                (None, "d4"),
                (None, "Nc6")
            ]
        );
        assert_eq!(games[0].result, "1-0");
        assert_eq!(games[1].result, "*");
    }

    #[test]
    fn a_tag_that_is_not_closed_ends_with_its_line() {
        for broken in [
            "[Event \"a]",
            "[Event \"a",
            "[Event",
            "[Event]",
            "[Event \"a\\",
            "[",
        ] {
            let text =
                format!("{broken}\r\n[White \"w\"]\n\n1. e4 e5 *\n[Event \"b\"]\n\n1. d4 *\n");
            let games = parse(&text);
            assert_eq!(games.len(), 2, "{broken}");
            assert_eq!(games[0].tag("White"), Some("w"), "{broken}");
            assert_eq!(games[0].turns.len(), 2, "{broken}");
        }
        let games = parse("[A \"1\"][B \"2\"] 1. e4 *");
        assert_eq!(games[0].tags.len(), 2);
        assert_eq!(games[0].turns.len(), 1);
    }

    #[test]
    fn row_05_an_unfinished_game_is_no_fault_but_a_finished_one_called_so_is() {
        use fauve_engine::rules::NoOptions;
        use fauve_engine::rules::chess::Chess;
        let replay = |text: &str| parse(text)[0].replay::<Chess>(&NoOptions);
        assert!(replay("1. e4 e5 *").is_ok());
        assert!(matches!(
            replay("1. e4 e4 *"),
            Err(ReplayError::Turn { number: 2, .. })
        ));
        let mated = replay("1. f3 e5 2. g4 Qh4# *");
        assert!(matches!(
            mated,
            Err(ReplayError::OtherEnd { recorded: None, .. })
        ));
        assert!(replay("1. f3 e5 2. g4 Qh4# 0-1").is_ok());
        // Who is to move and has refused to go on has lost.
        let refused = "[Termination \"unterminated\"]\n1. e4 e5 1-0";
        assert!(matches!(
            replay(refused),
            Err(ReplayError::OtherForfeit { .. })
        ));
    }

    #[test]
    fn survives_any_text() {
        for text in [
            "[",
            "[\"",
            "{",
            "}",
            "]",
            "(",
            ")",
            "[a \"\\",
            ";",
            "1.",
            "...",
            "\u{feff}é{é}é",
            "((((",
            "[x]",
        ] {
            let _ = parse(text);
        }
    }
}
