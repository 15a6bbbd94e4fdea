//! The games of a record as PGN.

use crate::record::game::{Bound, GameRecord, Termination, TurnRecord};
use crate::record::header::Header;
use crate::record::replay::transcript;
use crate::record::save::Saving;
use fauve_engine::rules::Notation;
use fauve_game::comment::clock_text;
use fauve_game::names::set_rule_tag;
use fauve_game::pgn::{self, PgnGame};
use fauve_game::replay::{ReplayError, of_pgn};
use fauve_game::tags::Tags;
use fauve_game::tree::Node;
use std::fs::File;
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

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

/// A PGN that grows with the games. What is not a regular file is written to as it is; a regular file is replaced by
/// [`PgnFile::settle`], and then grows.
#[derive(Debug)]
pub struct PgnFile {
    path: PathBuf,
    state: State,
}

#[derive(Debug)]
enum State {
    /// The games so far, beside what they are to replace.
    Saving(Saving),
    /// The file, and where the last whole game ends.
    Growing(File, u64),
}

impl PgnFile {
    /// Begins a PGN.
    ///
    /// # Errors
    /// The system's.
    pub fn begin(path: &Path) -> Result<Self, PgnError> {
        let saving = Saving::begin(path).map_err(|error| fail(path, error))?;
        Ok(Self {
            path: path.to_owned(),
            state: State::Saving(saving),
        })
    }

    /// Adds the text of a game; after an error the file ends with the last whole game.
    ///
    /// # Errors
    /// The system's.
    pub fn append(&mut self, text: &str) -> Result<(), PgnError> {
        let written = match &mut self.state {
            State::Saving(saving) => saving.write_all(text.as_bytes()),
            State::Growing(file, end) => {
                let written = file.write_all(text.as_bytes());
                if written.is_ok() {
                    *end += text.len() as u64;
                } else {
                    // A device or a pipe cannot take back what was written; the first error is the one to report.
                    let _ = file.set_len(*end);
                    let _ = file.seek(SeekFrom::Start(*end));
                }
                written
            }
        };
        written.map_err(|error| fail(&self.path, error))
    }

    /// Puts the file in its place, with the games that it has. Those that are added from now on are in it at once.
    ///
    /// # Errors
    /// The system's.
    pub fn settle(self) -> Result<Self, PgnError> {
        let Self { path, state } = self;
        let state = match state {
            State::Growing(..) => state,
            State::Saving(saving) => {
                let file = saving.finish().map_err(|error| fail(&path, error))?;
                let end = file.metadata().map_or(0, |metadata| metadata.len());
                State::Growing(file, end)
            }
        };
        Ok(Self { path, state })
    }
}

fn fail(path: &Path, error: io::Error) -> PgnError {
    PgnError::System {
        path: path.to_owned(),
        error,
    }
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
        set_rule_tag(&mut tags, name, value);
    }
    let mut tag = |name: &str, value: &str| tags.add(name, value);
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
            .map_or_else(
                || "?".to_owned(),
                // The times that the player had, as its clock shows them.
                |engine| match game.scale {
                    Some(factor) => engine.limit.scaled(factor).to_string(),
                    None => engine.limit.to_string(),
                },
            )
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

/// The roll, and what the player saw and used: value and depth, time, nodes, the deepest line, nodes per second (or `ponderhit` where
/// the turn was thought about on the opponent's time), and what the clock shows, `PNB +0.34/12 0.120s, n=12000, sd=19, nps=100000 [%clk 0:00:09.88]`.
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
    let mut figures = Vec::new();
    if let (Some(ms), true) = (turn.ms, turn.depth.is_some() || turn.ms != Some(0)) {
        figures.push(format!("{:.3}s", ms as f64 / 1000.0));
    }
    figures.extend(turn.nodes.map(|nodes| format!("n={nodes}")));
    figures.extend(turn.seldepth.map(|depth| format!("sd={depth}")));
    let is_expected = turn.ponder_hit == Some(true);
    if is_expected {
        // Its nodes were visited on the opponent's time, too: they make no rate with its own.
        figures.push("ponderhit".to_owned());
    }
    if let (Some(nodes), Some(ms @ 1..), false) = (turn.nodes, turn.ms, is_expected) {
        let rate = u128::from(nodes) * 1000 / u128::from(ms);
        figures.push(format!("nps={rate}"));
    }
    if !figures.is_empty() {
        parts.push(figures.join(", "));
    }
    if let Some(left) = turn.left {
        parts.push(format!(
            "[%clk {}]",
            clock_text(Duration::from_millis(left))
        ));
    }
    (!parts.is_empty()).then(|| parts.join(" "))
}
