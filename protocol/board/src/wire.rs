//! What goes over the wire beside positions: requests, and the state of a game. `wire.md` describes them.

use crate::clock::{Control, Left, Shown};
use crate::lessons::LessonState;
use crate::play::{Annotation, Beside, Place, TurnDone};
use crate::puzzles::{Chosen, PuzzleState};
use crate::view::{Arrow, End, Step, View};
use fauve_game::pgn::PgnGame;
use fauve_game::tree::Path;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Who makes the turns of a side.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub(crate) enum Player {
    /// A person at the page.
    #[default]
    Human,
    /// The engine, at a level from 1 to as many as the game has.
    Engine {
        /// The level.
        level: u32,
    },
    /// Another program.
    Program {
        /// What it is called.
        name: String,
    },
}

/// Two people.
pub(crate) const PEOPLE: [Player; 2] = [Player::Human, Player::Human];

/// A new game.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct NewGame {
    pub(crate) variant: String,
    /// A position string; the start position where it is missing.
    pub(crate) fen: Option<String>,
    /// The seed of the dice, hexadecimal.
    pub(crate) seed: Option<String>,
    /// The rule switches that differ from the default, each a name and a value.
    pub(crate) rules: Vec<(String, String)>,
    /// Turns to be played at once, as tokens, each with its roll where there are dice.
    pub(crate) turns: Vec<String>,
    pub(crate) white: Player,
    pub(crate) black: Player,
    /// What White and Black are called, where the game was played by others.
    pub(crate) names: Option<[String; 2]>,
    pub(crate) clock: Option<Control>,
    /// What is left on the clocks of a game that goes on; all of it where it is missing.
    pub(crate) left: Option<Left>,
    /// The steps of the turn that is being made behind the turns.
    pub(crate) partial_turn: Vec<String>,
    /// A lesson of the game by its number from 0; it brings its position.
    pub(crate) lesson: Option<usize>,
    /// A puzzle of the game; it brings its position.
    pub(crate) puzzle: Option<Chosen>,
    /// A game of the record that is followed, by its number there.
    pub(crate) record_game: Option<u64>,
    /// A game of a file that was opened; the file says everything else.
    pub(crate) file: Option<FileGame>,
    /// A game of a file, with everything that the file says; it takes the place of position, seed, rules and turns.
    #[serde(skip)]
    pub(crate) pgn: Option<Arc<PgnGame>>,
    /// Whether that PGN was written by a board for a game that was begun there, not opened from a file.
    #[serde(skip)]
    pub(crate) is_own: bool,
    /// What an earlier run of the program has found about the turns ([`crate::review::kept`]).
    #[serde(skip)]
    pub(crate) assessment: Option<String>,
}

/// A game of a file that was opened.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FileGame {
    /// The name of the file.
    pub(crate) id: String,
    /// The number of the game in it, from 0.
    pub(crate) index: usize,
    /// Whether a board wrote it for a game that was begun there: the players are those of the request, whatever the file calls them.
    #[serde(default)]
    pub(crate) own: bool,
}

/// What a page asks of its game.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Action {
    /// Makes a step.
    Step {
        /// Its token.
        token: String,
    },
    /// Takes the last step of an unfinished turn back.
    UndoStep {},
    /// Takes turns back until a person is to move.
    UndoTurn {},
    /// Sets the players.
    Players {
        /// White.
        white: Player,
        /// Black.
        black: Player,
    },
    /// The person to move gives up; with two people the side to move.
    Resign {},
    /// The engine makes the turn that it has found so far; a program that has made none is asked again.
    MoveNow {},
    /// A draw is offered: the engine decides, two people agree by it.
    Draw {},
    /// What the engine would play.
    Hint {
        /// Where; the game as it stands where it is missing, as in all that follows.
        #[serde(default)]
        place: Option<Place>,
    },
    /// The position at a place, with what may be played there.
    Look {
        /// Where.
        place: Place,
    },
    /// Adds the turn that was put together at a place, and turns behind it, as a variation.
    Vary {
        /// Where; its steps are a whole turn, or there are none.
        place: Place,
        /// The turns behind it, as tokens.
        #[serde(default)]
        line: Vec<String>,
    },
    /// Exchanges the variation of a place with the line that it leaves.
    Promote {
        /// Where.
        path: Path,
    },
    /// Takes away the turn that leads to a place, and what follows it.
    Delete {
        /// Where.
        path: Path,
    },
    /// Annotates the turn that leads to a place.
    Annotate {
        /// Where.
        path: Path,
        /// With what.
        #[serde(flatten)]
        what: Annotation,
    },
    /// Analysis on or off.
    Analyse {
        /// Whether it runs.
        on: bool,
        /// What is searched.
        #[serde(default)]
        place: Option<Place>,
        /// Lines, 1 to 8.
        #[serde(default = "one")]
        lines: usize,
        /// Threads, 1 to 64.
        #[serde(default = "one")]
        threads: usize,
        /// Megabytes of the transposition table, 1 to 1024.
        #[serde(default = "sixteen")]
        hash: usize,
    },
    /// Assesses every turn of the game with this many nodes each; 0 stops that.
    Review {
        /// Up to 10 million.
        nodes: u64,
    },
    /// What was found when the game was assessed last, as far as its turns are still the same.
    Report {},
    /// What a turn would lose against the best one.
    Weigh {
        /// Where; its steps are a whole turn.
        place: Place,
        /// For each of the two searches, 1 to a million.
        nodes: u64,
    },
    /// The steps of a turn that was typed.
    Read {
        /// In any spelling.
        text: String,
        /// Where.
        #[serde(default)]
        place: Option<Place>,
    },
    /// Why a try is not legal.
    Why {
        /// The square or the superpiece.
        from: String,
        /// The square.
        to: String,
        /// Where.
        #[serde(default)]
        place: Option<Place>,
    },
    /// Where the king would be in danger.
    Dangers {
        /// Where.
        #[serde(default)]
        place: Option<Place>,
    },
    /// The static evaluation.
    StaticEval {
        /// Where.
        #[serde(default)]
        place: Option<Place>,
    },
    /// The positions along a line.
    Line {
        /// Where it begins.
        #[serde(default)]
        place: Option<Place>,
        /// Its turns.
        line: Vec<String>,
    },
}

const fn one() -> usize {
    1
}

const fn sixteen() -> usize {
    16
}

/// What analysis was asked for.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Analysis {
    /// What is searched; the game as it stands where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) place: Option<Place>,
    pub(crate) lines: usize,
    pub(crate) threads: usize,
    pub(crate) hash: usize,
}

#[cfg(test)]
impl Analysis {
    /// Of the game as it stands, with as little as there can be.
    pub(crate) const fn smallest() -> Self {
        Self {
            place: None,
            lines: 1,
            threads: 1,
            hash: 1,
        }
    }
}

/// A game as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct State {
    pub(crate) id: String,
    /// Raised by every change.
    pub(crate) version: u64,
    pub(crate) variant: &'static str,
    pub(crate) start: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) seed: Option<String>,
    /// The rule switches that differ from the default.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) rules: Vec<(String, String)>,
    pub(crate) turns: Vec<TurnDone>,
    /// What stands before the first turn.
    pub(crate) lead: Beside,
    /// The steps of the turn that is being made.
    pub(crate) partial_turn: Vec<Step>,
    pub(crate) view: View,
    pub(crate) white: Player,
    pub(crate) black: Player,
    /// What White and Black are called, where the game was played by others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) names: Option<[String; 2]>,
    /// Whether the game came from a file.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) opened: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) clock: Option<Shown>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<End>,
    pub(crate) thinking: bool,
    /// Whether the game is being assessed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) reviewing: bool,
    /// Whether the program that is to move has made no turn, and has to be asked again.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) stalled: bool,
    /// Whether others play the game in the match that is followed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) live: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) analysis: Option<Analysis>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) lesson: Option<LessonState>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) puzzle: Option<PuzzleState>,
    /// Something to tell the person.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) notice: Option<String>,
}

/// A position that is looked at.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Looked {
    pub(crate) view: View,
    /// How the rules have ended the game here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) end: Option<End>,
    /// The steps of the turn so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) partial_turn: Vec<Step>,
}

/// The game after its tree was changed.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Changed {
    pub(crate) state: State,
    /// The place to be looked at now.
    pub(crate) path: Path,
}

/// What the engine would play.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Hint {
    pub(crate) steps: Vec<String>,
    pub(crate) san: String,
    pub(crate) score: String,
    pub(crate) white: f64,
    pub(crate) arrows: Vec<Arrow>,
}

/// Where the king would be in danger.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Dangers {
    pub(crate) squares: Vec<String>,
    pub(crate) lines: Vec<Vec<Arrow>>,
}
