//! Games as PGN. Chess, Superchess, two-move chess and DiceChess are written in SAN, the moves of a turn joined by
//! commas; the notation of Cubes 4D has parentheses, which mean variations in PGN, so its turns are tokens. The roll
//! of a turn stands first in the comment behind it: `b2b4,c1a3 {PNB +0.34/12 0.120s}`.

use crate::record::replay::Transcript;
use crate::record::{GameRecord, GameResult, Header, TurnRecord};
use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Notation, Roll, turn_san, turn_token};
use std::fmt::Write;

/// The width that lines of moves are broken at.
const WIDTH: usize = 80;

/// A game as PGN, with an empty line behind it.
///
/// # Errors
/// A game that cannot be replayed.
pub fn game_text<G: Notation>(
    header: &Header,
    game: &GameRecord,
    switches: &G::Options,
) -> Result<String, String> {
    let transcript = Transcript::of(game);
    let (end, played) = transcript
        .replay::<G>(switches)
        .map_err(|error| format!("game {}: {error}", game.game))?;
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value: String = value
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    };
    tag("Event", &header.event);
    tag("Site", "?");
    tag(
        "Date",
        if game.date.is_empty() {
            "????.??.??"
        } else {
            &game.date
        },
    );
    tag("Round", &game.game.div_ceil(2).to_string());
    tag("White", &game.white);
    tag("Black", &game.black);
    tag("Result", game.result.text());
    if header.variant != "chess" {
        tag("Variant", &header.variant);
    }
    for (name, value) in &header.rules {
        tag(&tag_name(name), value);
    }
    let start = G::start(switches);
    if game.start != start.fen() {
        tag("SetUp", "1");
        tag("FEN", &game.start);
    }
    if let Some(seed) = &game.dice_seed {
        tag("DiceSeed", seed);
    }
    tag("GameNumber", &game.game.to_string());
    tag("PlyCount", &game.turns.len().to_string());
    let limit = |name: &str| {
        header
            .engines
            .iter()
            .find(|engine| engine.name == name)
            .map_or_else(|| "?".to_owned(), |engine| engine.limit.to_string())
    };
    let (white, black) = (limit(&game.white), limit(&game.black));
    if white == black {
        tag("TimeControl", &white);
    } else {
        tag("WhiteTimeControl", &white);
        tag("BlackTimeControl", &black);
    }
    tag("Termination", game.termination.pgn());
    tag("EndReason", &game.reason);
    text.push('\n');

    let mut words = Vec::new();
    let mut announce = true;
    for (turn, played) in game.turns.iter().zip(&played) {
        let number = played.before.turn_index() / 2 + 1;
        match played.before.side_to_move() {
            Color::White => words.push(format!("{number}.")),
            Color::Black if announce => words.push(format!("{number}...")),
            Color::Black => {}
        }
        let san = turn_san(&played.before, &played.turn);
        words.push(if san.contains(['(', ' ', '{']) {
            turn_token(&played.before, &played.turn)
        } else {
            san
        });
        let comment = comment(turn);
        announce = !comment.is_empty();
        if announce {
            words.push(format!("{{{comment}}}"));
        }
    }
    if end.outcome().is_none() {
        words.push(format!("{{{}}}", game.reason.replace(['{', '}'], "|")));
    }
    words.push(game.result.text().to_owned());
    push_wrapped(&mut text, &words);
    text.push('\n');
    Ok(text)
}

/// `Promotion Pool` as `PromotionPool`: tag names are one word.
fn tag_name(option: &str) -> String {
    option.chars().filter(char::is_ascii_alphanumeric).collect()
}

fn comment(turn: &TurnRecord) -> String {
    let mut parts = Vec::new();
    parts.extend(turn.roll.clone());
    let value = match (turn.mate, turn.cp) {
        (Some(mate), _) => Some(format!(
            "{}M{}",
            if mate > 0 { '+' } else { '-' },
            mate.unsigned_abs()
        )),
        (None, Some(cp)) => Some(format!("{:+.2}", f64::from(cp) / 100.0)),
        (None, None) => None,
    };
    if let Some(value) = value {
        parts.push(match turn.depth {
            Some(depth) => format!("{value}/{depth}"),
            None => value,
        });
    }
    if let (Some(ms), true) = (turn.ms, turn.depth.is_some() || turn.ms != Some(0)) {
        parts.push(format!("{:.3}s", ms as f64 / 1000.0));
    }
    parts.join(" ")
}

/// Appends words with blanks and line breaks between them. Comments are broken at their blanks.
fn push_wrapped(text: &mut String, words: &[String]) {
    let mut width = 0;
    for word in words.iter().flat_map(|word| word.split(' ')) {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > WIDTH {
            text.push('\n');
            width = 0;
        } else if width > 0 {
            text.push(' ');
            width += 1;
        }
        text.push_str(word);
        width += length;
    }
    text.push('\n');
}

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
    /// A sentence about the first thing that is not right.
    pub fn replay<G: Notation>(&self, switches: &G::Options) -> Result<Game<G>, String> {
        let result = GameResult::parse(&self.result).ok_or_else(|| {
            format!(
                "the result '{}' is not that of a finished game",
                self.result
            )
        })?;
        if self.tag("Result").is_some_and(|tag| tag != self.result) {
            return Err("the Result tag and the result behind the moves differ".to_owned());
        }
        let start = self
            .tag("FEN")
            .map_or_else(|| G::start(switches).fen(), str::to_owned);
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
        match transcript.replay::<G>(switches) {
            Ok((game, _)) => Ok(game),
            Err(error) => Transcript {
                by_rules: true,
                ..transcript
            }
            .replay::<G>(switches)
            .map(|(game, _)| game)
            .map_err(|second| {
                if second.contains("they do not") {
                    error
                } else {
                    second
                }
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

    #[test]
    fn wraps_between_words() {
        let mut text = String::new();
        push_wrapped(&mut text, &vec!["abcdefghi".to_owned(); 20]);
        assert!(text.lines().all(|line| line.len() <= WIDTH));
        assert_eq!(text.split_whitespace().count(), 20);
    }
}
