//! One game as it is played: steps and turns by token, everything that happened, and searches of it, behind one face for
//! all games.

mod annotate;
mod game;
#[cfg(test)]
mod tests;

use crate::games::NewGameError;
use crate::view::{Arrow, End, Step, View};
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, FenError, StepError};
use fauve_engine::search::{self, Control, Table};
use fauve_engine::{Variant, with_game};
use fauve_game::clock::Clock;
use fauve_game::end as game_end;
use fauve_game::names::NameError;
use fauve_game::pgn::PgnGame;
use fauve_game::replay::ReplayError;
use fauve_game::study::StudyError;
use fauve_game::tree::Path;
use game::Play;
pub(crate) use game::turn_view;
use serde::{Deserialize, Serialize};

/// A turn that was played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct TurnDone {
    /// The number as people count: White's and Black's turn have the same.
    pub(crate) number: u64,
    /// `w` or `b`.
    pub(crate) side: char,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) roll: Option<String>,
    pub(crate) token: String,
    pub(crate) san: String,
    /// The steps, as they are drawn.
    pub(crate) steps: Vec<Step>,
    #[serde(flatten)]
    pub(crate) beside: Beside,
}

/// What stands beside a turn.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Beside {
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) nags: Vec<u16>,
    /// The words of its comments.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) comment: String,
    /// The words of the comments behind its variations.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) after: String,
    /// The evaluation behind it, from White's point of view, as `[%eval]` has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) eval: Option<String>,
    /// Coloured arrows and circles, as `[%cal]` and `[%csl]` have them: `Gd2d4`, `Re4`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) shapes: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) variations: Vec<Variation>,
    /// Whether the turn could not be read: nothing is known from here on.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) unread: bool,
}

/// A line of turns that were not played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Variation {
    /// The words before its first turn.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(crate) lead: String,
    pub(crate) turns: Vec<TurnDone>,
}

/// A position of a game: a place in its tree of turns, and what was made of the turn that begins there.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Place {
    pub(crate) path: Path,
    /// The roll of the turn; that of the game where it is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) roll: Option<String>,
    /// The steps of the turn so far.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) steps: Vec<String>,
}

/// What a person puts beside a turn; what is missing stays as it is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(crate) struct Annotation {
    pub(crate) comment: Option<String>,
    pub(crate) nags: Option<Vec<u16>>,
    pub(crate) shapes: Option<Vec<String>>,
}

/// A line that a search found.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub(crate) struct Line {
    pub(crate) depth: u32,
    pub(crate) seldepth: u32,
    /// Which of the lines, from 1.
    pub(crate) number: usize,
    /// As people read it, from White's point of view: `+0.35`, `#3`, `-#2`; a bound as `≥+0.35`.
    pub(crate) score: String,
    /// White's expected points, 0 to 1.
    pub(crate) white: f64,
    pub(crate) nodes: u64,
    pub(crate) ms: u64,
    pub(crate) turns: Vec<TurnDone>,
    /// Whether its turn is the answer if the search ends now.
    #[serde(skip)]
    pub(crate) is_answer: bool,
}

/// How far a search goes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Think {
    /// As a level of play, on a clock where there is one.
    Level(u32, Option<search::Clock>),
    /// At full strength, this many nodes.
    Nodes(u64),
    /// Until it is stopped, with this many lines and threads.
    Endless { lines: usize, threads: usize },
}

/// What a piece is worth where it stands: the difference that it makes to the static evaluation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct PieceValue {
    pub(crate) square: String,
    /// Centipawns from White's point of view.
    pub(crate) cp: i32,
}

/// The static evaluation of a position.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct StaticEval {
    /// Centipawns from White's point of view.
    pub(crate) cp: i32,
    pub(crate) pieces: Vec<PieceValue>,
}

/// A game outside the program.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct KeptGame {
    /// Its turns with everything beside them, and its own tags.
    pgn: String,
    /// The seed of the dice that are not rolled yet, and of the engine's errors below full strength.
    seed: String,
    /// Whether the game came from a file.
    is_opened: bool,
    /// The end otherwise than by the rules.
    ended: Option<game_end::End>,
}

/// Why something was not done with a game.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum PlayError {
    /// The position string.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A rule switch.
    #[error(transparent)]
    Rule(#[from] NameError),
    /// A step or a turn.
    #[error(transparent)]
    Step(#[from] StepError),
    /// A recorded game.
    #[error(transparent)]
    Replay(#[from] ReplayError),
    /// A place in the tree of turns, or a change of the tree.
    #[error(transparent)]
    Study(#[from] StudyError),
    /// A roll that cannot be read.
    #[error("three dice are rolled, such as PNB")]
    Roll,
    /// A coloured arrow or circle.
    #[error("an arrow or circle is a colour and one or two squares, such as Gd2d4")]
    Shape,
}

/// Why a player has made no turn.
#[derive(Clone, PartialEq, Eq, Debug)]
#[cfg_attr(
    not(feature = "server"),
    allow(dead_code, reason = "what plays there always makes a turn")
)]
pub(crate) enum NoTurn {
    /// It gives the game up.
    Resigns,
    /// A sentence about what has gone wrong.
    Trouble(String),
}

/// A game of any kind.
pub(crate) trait AnyGame: Send {
    /// Which game it is.
    fn variant(&self) -> Variant;
    /// Whether the game came from a file, whose tags stay as they are.
    fn is_opened(&self) -> bool;
    /// The first position.
    fn start_fen(&self) -> String;
    /// The seed of the dice.
    fn seed(&self) -> Option<DiceSeed>;
    /// The seed of dice that are not rolled yet in a game with dice that has no seed itself.
    #[cfg(feature = "server")]
    fn next_dice(&self) -> Option<DiceSeed>;
    /// The turns that are complete.
    fn turns(&self) -> &[TurnDone];
    /// The steps of the turn that is being made.
    fn partial_turn(&self) -> &[Step];
    /// The position now, with what may be played.
    fn view(&self) -> View;
    /// The game as it would be if it had come to a place: only the rules can have ended it. Its `turns` are not filled in.
    fn at(&self, place: &Place) -> Result<Box<dyn AnyGame>, PlayError>;
    /// The positions along a line of turns that begins here.
    fn line_views(&self, line: &[String]) -> Result<Vec<View>, PlayError>;
    /// What stands before the first turn.
    fn lead(&self) -> Beside;
    /// Adds the turn that was put together at a place, and a line of turns behind it, as a variation where the game itself does not
    /// go that way. The answer is the place behind them.
    fn vary(&mut self, place: &Place, line: &[String]) -> Result<Path, PlayError>;
    /// Exchanges the variation of a place with the rest of the line that it leaves.
    fn promote(&mut self, path: &Path) -> Result<Path, PlayError>;
    /// Takes away the turn that leads to a place, and what follows it.
    fn delete(&mut self, path: &Path) -> Result<Path, PlayError>;
    /// Annotates the turn that leads to a place.
    fn annotate(&mut self, path: &Path, what: &Annotation) -> Result<(), PlayError>;
    /// Writes beside a turn of the game what an assessment has found: the evaluation, and a mark unless an annotator has given one.
    /// A mark that is not written is taken out of what was found.
    fn note_assessed(&mut self, assessed: &mut crate::review::Assessed);
    /// Takes the marks away that an assessment has written.
    fn remove_marks(&mut self, assessed: &[crate::review::Assessed]);
    /// Shows the turns anew after something was written beside them.
    fn show_turns(&mut self);
    /// Whether the rules have ended the game.
    fn is_decided(&self) -> bool;
    /// The side to move.
    fn side(&self) -> Color;
    /// The end of the game, by the rules or otherwise.
    fn end(&self) -> Option<End>;
    /// Ends the game otherwise than by the rules, or lets it go on after that.
    fn set_ended(&mut self, ended: Option<game_end::End>);
    /// The end that comes when the time of a side has run out now.
    fn time_forfeit(&self, late: Color) -> game_end::End;
    /// The clocks.
    fn clock(&self) -> Option<&Clock>;
    /// The clocks, to be stopped and started.
    fn clock_mut(&mut self) -> &mut Option<Clock>;
    /// The side that has just completed its turn presses its clock.
    fn press_clock(&mut self, done: Color);
    /// The rule switches that differ from the default, by name.
    fn rules(&self) -> Vec<(String, String)>;
    /// The roll of the current turn, where it is not part of the first position.
    fn roll(&self) -> Option<String>;
    /// Gives the current turn this roll in the place of its own.
    fn set_roll(&mut self, roll: &str) -> Result<(), PlayError>;
    /// Makes a step; `true` if the turn is complete with it.
    fn step(&mut self, token: &str) -> Result<bool, PlayError>;
    /// Begins the turn again that was being made when the game was put away; a game that had ended in its middle is over still.
    fn begin_turn(&mut self, steps: &[String]) -> Result<(), PlayError>;
    /// Plays a turn in any spelling, with its roll before it if it has one, `PNB:b2b4`.
    fn turn(&mut self, text: &str) -> Result<(), PlayError>;
    /// Takes back the last step of a turn that is not complete.
    fn undo_step(&mut self) -> bool;
    /// Takes back the unfinished turn and the last turn.
    fn undo_turn(&mut self) -> bool;
    /// Searches the position; the answer is the rest of the turn as steps.
    fn search(
        &self,
        think: Think,
        table: &Table,
        control: &Control,
        report: &mut dyn FnMut(Line),
    ) -> (Vec<String>, f64);
    /// The turn that a program makes here, as steps.
    #[cfg(feature = "server")]
    fn ask(
        &self,
        program: &mut crate::opponent::Program,
        control: &Control,
    ) -> Result<Vec<String>, NoTurn>;
    /// Why a try is not legal.
    fn explain(&self, from: &str, to: &str) -> String;
    /// What the king of the side to move would have to fear, and where.
    fn dangers(&self) -> Option<(Vec<String>, Vec<Vec<Arrow>>)>;
    /// The static evaluation, by pieces.
    fn static_eval(&self) -> StaticEval;
    /// The game as PGN; a game that came from a file has the names that the file gives, others these. `more` are tags behind its own;
    /// one without a value is left out, also where the game came with it.
    fn pgn(&self, names: [String; 2], more: &[(&str, Option<String>)]) -> String;
    /// Whether the engine as this side accepts a draw.
    fn accepts_draw(&self, side: Color, table: &Table, control: &Control) -> bool;
    /// The turns of the game assessed by searches of this many nodes.
    fn review(
        &self,
        nodes: u64,
        control: &Control,
        report: &mut dyn FnMut(crate::review::Assessed),
    );
    /// What an assessment had found about the turns, from the text that was kept of it.
    fn restored_assessment(&self, kept: &str) -> Vec<crate::review::Assessed>;
    /// A whole turn weighed against the best one here by searches of this many nodes; nothing where there is no memory for them.
    fn weigh(
        &self,
        turn: &str,
        nodes: u64,
        control: &Control,
    ) -> Result<Option<crate::review::Tried>, PlayError>;
    /// The steps of a turn, or of its beginning, that a person has typed in any spelling, as tokens.
    ///
    /// # Errors
    /// A sentence: why it is refused.
    fn read(&self, text: &str) -> Result<Vec<String>, String>;
    /// The complete turns of the game, to be kept outside the program.
    fn keep(&self) -> KeptGame;
    /// A copy for a search.
    fn copy(&self) -> Box<dyn AnyGame>;
}

/// A game that begins with a position string (the start position where there is none), by these rule switches, and, where it
/// has dice, with a seed.
pub(crate) fn begin(
    variant: Variant,
    fen: Option<&str>,
    rules: &[(String, String)],
    seed: DiceSeed,
) -> Result<(Box<dyn AnyGame>, Vec<String>), PlayError> {
    with_game!(variant, G => {
        let (play, warnings) = Play::<G>::begin(variant, fen, rules, seed)?;
        Ok((Box::new(play), warnings))
    })
}

/// A game from PGN with everything that its file says, as far as its turns are legal; `seed` rolls the dice of turns that are
/// added. With `is_own` it was begun on a board: players and time control are those that it has now, not those of the PGN. Beside it
/// what there is to say: why it was read no further.
pub(crate) fn open(
    variant: Variant,
    pgn: &PgnGame,
    is_own: bool,
    seed: DiceSeed,
) -> Result<(Box<dyn AnyGame>, Vec<String>), PlayError> {
    with_game!(variant, G => {
        let (mut play, warnings) = Play::<G>::open(variant, pgn, seed)?;
        if is_own {
            play.make_own();
        }
        Ok((Box::new(play), warnings))
    })
}

/// A game that was kept, up to its last complete turn.
pub(crate) fn restore(variant: Variant, kept: &KeptGame) -> Result<Box<dyn AnyGame>, NewGameError> {
    with_game!(variant, G => Ok(Box::new(Play::<G>::restore(variant, kept)?)))
}
