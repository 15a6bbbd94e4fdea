//! Games from PGN.

use crate::record::game::GameResult;
use crate::record::replay::{ReplayError, Transcript};
use fauve_engine::rules::{Game, Notation, Roll};

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
        let result = GameResult::parse(&self.result)
            .ok_or_else(|| ReplayError::NoResult(self.result.clone()))?;
        if self.tag("Result").is_some_and(|tag| tag != self.result) {
            return Err(ReplayError::TwoResults);
        }
        let start = self
            .tag("FEN")
            .map_or_else(|| G::start(options).fen(), str::to_owned);
        let termination = self.tag("Termination").unwrap_or("normal");
        let transcript = Transcript {
            start: &start,
            dice_seed: self.tag("DiceSeed"),
            turns: self
                .turns
                .iter()
                .map(|(roll, turn)| (roll.as_deref(), turn.as_str()))
                .collect(),
            result,
            by_rules: false,
            forfeited: matches!(
                termination,
                "time forfeit" | "rules infraction" | "emergency" | "abandoned"
            ),
        };
        // A normal end may be a resignation; whether the rules ended the game is seen at its end.
        match transcript.replay::<G>(options) {
            Ok((game, _)) => Ok(game),
            Err(error) => Transcript {
                by_rules: true,
                ..transcript
            }
            .replay::<G>(options)
            .map(|(game, _)| game)
            .map_err(|second| match second {
                ReplayError::NotOver => error,
                second => second,
            }),
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
    if matches!(word, "1-0" | "0-1" | "1/2-1/2" | "*") {
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

/// Reads `[Name "value"]`.
fn read_tag(text: &str) -> (Option<(String, String)>, &str) {
    let Some((name, after)) = text[1..].split_once('"') else {
        return (None, "");
    };
    let mut value = String::new();
    let mut letters = after.char_indices();
    while let Some((i, letter)) = letters.next() {
        match letter {
            '\\' => value.extend(letters.next().map(|(_, letter)| letter)),
            '"' => {
                let rest = after[i + 1..].trim_start();
                let rest = rest.strip_prefix(']').unwrap_or(rest);
                return (Some((name.trim().to_owned(), value)), rest);
            }
            _ => value.push(letter),
        }
    }
    (None, "")
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
