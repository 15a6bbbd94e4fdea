//! The games of a record as PGN.

use crate::record::game::{Bound, GameRecord, Termination, TurnRecord};
use crate::record::header::Header;
use crate::record::lines::Record;
use crate::record::replay::transcript;
use crate::record::save::save;
use fauve_engine::rules::Notation;
use fauve_game::names::tag_name;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::replay::{ReplayError, of_pgn};
use fauve_game::tags::Tags;
use fauve_game::tree::Node;
use std::io;
use std::path::{Path, PathBuf};

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
    let replay = || {
        let played = of_pgn::<G>(&pgn_game::<G>(header, game, options), options)?;
        transcript(game).end.check(&played)?;
        Ok(pgn::text(&played))
    };
    replay().map_err(|error| PgnError::Game {
        number: game.game,
        error,
    })
}

/// A game of a record as it would be read from PGN: with its tags, and beside its turns what the players saw and used.
pub fn pgn_game<G: Notation>(header: &Header, game: &GameRecord, options: &G::Options) -> PgnGame {
    let mut pgn = PgnGame {
        tags: game_tags::<G>(header, game, options),
        result: game.result.text().to_owned(),
        ..PgnGame::default()
    };
    for turn in &game.turns {
        let mut node = Node::new(turn.token.clone());
        node.comments.extend(comment(turn));
        pgn.line.turns.push(node);
    }
    if game.termination != Termination::Rules {
        pgn.line.comments_at_end().push(game.reason.clone());
    }
    pgn
}

/// The tags of a game of a record.
pub fn game_tags<G: Notation>(header: &Header, game: &GameRecord, options: &G::Options) -> Tags {
    let mut tags = Tags::default();
    let mut tag = |name: &str, value: &str| tags.add(name, value);
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

/// The roll, and what the player saw and used, `PNB +0.34/12 0.120s`.
fn comment(turn: &TurnRecord) -> Option<String> {
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
    let value = value.map(|value| match turn.bound {
        None => value,
        Some(Bound::Lower) => format!(">={value}"),
        Some(Bound::Upper) => format!("<={value}"),
    });
    if let Some(value) = value {
        parts.push(match turn.depth {
            Some(depth) => format!("{value}/{depth}"),
            None => value,
        });
    }
    if let (Some(ms), true) = (turn.ms, turn.depth.is_some() || turn.ms != Some(0)) {
        parts.push(format!("{:.3}s", ms as f64 / 1000.0));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}
