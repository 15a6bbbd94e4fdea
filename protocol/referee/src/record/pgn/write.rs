//! Games as PGN.

use crate::record::game::{GameRecord, TurnRecord};
use crate::record::header::Header;
use crate::record::lines::Record;
use crate::record::replay::{Played, ReplayError, Transcript};
use crate::record::save::save;
use crate::wrap::wrap;
use fauve_engine::core::Color;
use fauve_engine::rules::{Game, Notation, turn_san, turn_token};
use std::fmt::Write;
use std::io;
use std::path::{Path, PathBuf};

/// The width that lines of moves are broken at.
const WIDTH: usize = 80;

/// Why no PGN was written.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// A game of the record cannot be replayed.
    #[error("game {number}: {error}")]
    Game {
        /// Its number.
        number: u64,
        /// Why not.
        error: ReplayError,
    },
    /// What the system says.
    #[error("{}: {error}", path.display())]
    System {
        /// The file.
        path: PathBuf,
        /// The error.
        error: io::Error,
    },
}

/// Writes the games of a record as PGN.
///
/// # Errors
/// What the system says, or a game of the record that cannot be replayed.
pub fn save_games<G: Notation>(
    path: &Path,
    record: &Record,
    options: &G::Options,
) -> Result<(), PgnError> {
    let mut text = String::new();
    for game in &record.games {
        text.push_str(&game_text::<G>(&record.header, game, options)?);
    }
    save(path, text.as_bytes()).map_err(|error| PgnError::System {
        path: path.to_owned(),
        error,
    })
}

/// A game as PGN, with an empty line behind it.
///
/// # Errors
/// A game that cannot be replayed.
pub fn game_text<G: Notation>(
    header: &Header,
    game: &GameRecord,
    options: &G::Options,
) -> Result<String, PgnError> {
    let transcript = Transcript::of(game);
    let (end, played) = transcript
        .replay::<G>(options)
        .map_err(|error| PgnError::Game {
            number: game.game,
            error,
        })?;
    let tags = game_tags::<G>(header, game, options);
    Ok(text_of(&tags, &moves(game, &end, &played)))
}

/// A game of these tags and words (turns, numbers, comments, the result) as PGN, with an empty line behind it.
pub fn text_of(tags: &[(String, String)], words: &[String]) -> String {
    let mut text = String::new();
    for (name, value) in tags {
        let value: String = value
            .chars()
            .map(|letter| if letter.is_control() { ' ' } else { letter })
            .collect();
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        let _ = writeln!(text, "[{name} \"{value}\"]");
    }
    text.push('\n');
    // Comments are broken at their blanks.
    let words = words.iter().flat_map(|word| word.split(' '));
    text.push_str(&wrap(words, WIDTH, |word| word.chars().count()));
    text.push_str("\n\n");
    text
}

/// The tags of a game of a record.
pub fn game_tags<G: Notation>(
    header: &Header,
    game: &GameRecord,
    options: &G::Options,
) -> Vec<(String, String)> {
    let mut tags = Vec::new();
    let mut tag = |name: &str, value: &str| tags.push((name.to_owned(), value.to_owned()));
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
    let start = G::start(options);
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
    tags
}

/// The words of the moves, with their comments and the result.
fn moves<G: Notation>(game: &GameRecord, end: &Game<G>, played: &[Played<G>]) -> Vec<String> {
    let mut words = Vec::new();
    let mut announce = true;
    for (turn, played) in game.turns.iter().zip(played) {
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
    words
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
