//! What the page is shown of a position: the board, the steps that are allowed now, and what a game has besides. Each game
//! describes itself ([`Show`]); no rule is written here.

#[cfg(feature = "breakthrough")]
mod breakthrough;
mod chess;
mod cubes;
mod dice;
pub(crate) mod flat;
mod superchess;
mod twomove;

use fauve_engine::core::Color;
use fauve_engine::rules::{Notation, legal_steps, printable};
use fauve_engine::search::Engine;
use fauve_game::explain::Explain;
use fauve_game::played::Played;
use serde::{Deserialize, Serialize};

/// A piece on the board: its square and its letter, capital for White.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Piece {
    pub(crate) square: String,
    pub(crate) letter: char,
    /// A pawn once, that returns to no pool.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) promoted: bool,
}

/// The ground of Cubes 4D.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Relief {
    /// The file (0 is a) and rank (0 is 1) of the lower left cell that is shown.
    pub(crate) origin: [u8; 2],
    /// The cubes on each cell, a string of digits per rank, the lowest rank first.
    pub(crate) heights: Vec<String>,
    /// Cells without cubes on which a piece can stand.
    pub(crate) trenches: Vec<String>,
    /// Where the cube lies that was moved last, and may not be moved now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) last_cube: Option<String>,
}

/// What a step does, as far as the page draws it differently.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum StepKind {
    /// A piece goes or takes.
    Move,
    /// Two pieces move at once.
    Castle,
    /// A superpiece enters the array.
    Place,
    /// A cube is moved.
    Cube,
    /// A word: the side of the lateral Pawns.
    Choose,
    /// Nothing can be done.
    Pass,
}

/// A step that is allowed now.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Step {
    pub(crate) token: String,
    pub(crate) san: String,
    pub(crate) kind: StepKind,
    /// Where it starts; absent where nothing on the board does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) from: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) to: Option<String>,
    /// The piece that enters the board, or that a pawn becomes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) piece: Option<char>,
    /// The squares that change their superpieces (Superchess).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) swap: Option<[String; 2]>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) captures: bool,
}

impl Step {
    /// A step between two squares.
    pub(crate) fn between(from: &impl ToString, to: &impl ToString) -> Self {
        Self {
            token: String::new(),
            san: String::new(),
            kind: StepKind::Move,
            from: Some(from.to_string()),
            to: Some(to.to_string()),
            piece: None,
            swap: None,
            captures: false,
        }
    }

    /// A step that starts nowhere on the board.
    pub(crate) fn bare(kind: StepKind) -> Self {
        Self {
            kind,
            from: None,
            to: None,
            ..Self::between(&"", &"")
        }
    }
}

/// An arrow on the board.
pub(crate) type Arrow = [String; 2];

/// The king of the side to move is in danger.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Check {
    pub(crate) king: String,
    /// Who gives check: each a line of one or two moves.
    pub(crate) lines: Vec<Vec<Arrow>>,
}

/// The dice of a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Dice {
    /// The roll, `PNB`; empty before it.
    pub(crate) rolled: String,
    /// The dice that are left.
    pub(crate) left: String,
    /// Only lines that take the king are left.
    pub(crate) must_capture: bool,
    /// In how many of 216 throws the side to move would lose its king to the next roll, if it left the board as it is.
    pub(crate) danger: u32,
    /// Why fewer dice than were rolled can be used, or why steps are missing that the pieces could make.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) limit: Option<String>,
}

/// Pieces beside the board, by the side that has them: what its pawns can become, or what it has captured.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Pool {
    pub(crate) white: String,
    pub(crate) black: String,
}

/// What games show beside the board.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub(crate) struct Extras {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) relief: Option<Relief>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) dice: Option<Dice>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) pool: Option<Pool>,
    /// What each side has captured in the game so far, where that cannot be seen from the board.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) captured: Option<Pool>,
    /// The superpieces that are not placed yet, during the prologue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) tray: Option<String>,
    /// What the side to move is about to do, where that is not plainly a move.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) task: Option<String>,
    /// Moves left in the turn (two-move chess).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) moves_left: Option<u8>,
}

/// The end of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct End {
    /// `1-0`, `0-1` or `1/2-1/2`.
    pub(crate) result: &'static str,
    pub(crate) text: String,
}

impl End {
    /// The end of a game, if it has come, or if its file gives a result.
    pub(crate) fn of<G: Notation>(played: &Played<G>) -> Option<Self> {
        if let Some(end) = played.end() {
            return Some(Self {
                result: end.result.text(),
                text: played.end_text()?,
            });
        }
        // A game from a file whose turns do not show why it ended.
        let result = played.stated?;
        let reason = played.tags.known("EndReason").map(printable);
        let text = match (result.winner(), reason) {
            (Some(winner), Some(reason)) => format!("{} wins: {reason}", winner.name()),
            (Some(winner), None) => format!("{} wins", winner.name()),
            (None, reason) => reason.unwrap_or_else(|| "draw".to_owned()),
        };
        Some(Self {
            result: result.text(),
            text,
        })
    }
}

/// A position as the page draws it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct View {
    pub(crate) fen: String,
    /// `w` or `b`.
    pub(crate) side: char,
    pub(crate) mid_turn: bool,
    pub(crate) awaits_roll: bool,
    pub(crate) pieces: Vec<Piece>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) check: Option<Check>,
    #[serde(flatten)]
    pub(crate) extras: Extras,
    pub(crate) steps: Vec<Step>,
}

/// A game that describes itself to the page.
pub(crate) trait Show: Engine + Explain {
    /// The pieces on the board.
    fn pieces(&self) -> Vec<Piece>;

    /// A legal step, without its texts.
    fn step(&self, step: Self::Step) -> Step;

    /// The check in which the side to move is.
    fn check(&self) -> Option<Check> {
        None
    }

    /// What there is beside the board.
    fn extras(&self) -> Extras {
        Extras::default()
    }

    /// The squares on which the king of the side to move would be in danger, and what threatens it: shown on request.
    fn dangers(&self) -> Option<(Vec<String>, Vec<Vec<Arrow>>)> {
        None
    }
}

/// Everything that the page needs to draw a position; the steps are left out where nobody may make one.
pub(crate) fn view<G: Show>(position: &G, with_steps: bool) -> View {
    let steps = if with_steps && !position.awaits_roll() {
        let mut steps: Vec<Step> = legal_steps(position)
            .into_iter()
            .map(|step| step_view(position, step))
            .collect();
        steps.sort_by(|a, b| a.token.cmp(&b.token));
        steps
    } else {
        Vec::new()
    };
    View {
        fen: position.fen(),
        side: position.side_to_move().letter(),
        mid_turn: position.is_mid_turn(),
        awaits_roll: position.awaits_roll() && position.winner().is_none(),
        pieces: position.pieces(),
        check: position.check(),
        extras: position.extras(),
        steps,
    }
}

/// The piece that a step captures, capital for a white one.
pub(crate) fn captured<G: Show>(position: &G, step: G::Step) -> Option<char> {
    if !position.step(step).captures {
        return None;
    }
    let is_white = position.side_to_move() == Color::White;
    let mut after = *position;
    after.play(step);
    let left = after.pieces();
    let mut pieces = position.pieces().into_iter();
    // A pawn taken in passing does not stand where the step ends.
    let gone =
        pieces.find(|piece| piece.letter.is_uppercase() != is_white && !left.contains(piece));
    gone.map(|piece| piece.letter)
}

/// A legal step with its texts.
pub(crate) fn step_view<G: Show>(position: &G, step: G::Step) -> Step {
    Step {
        token: position.step_token(step),
        san: position.step_san(step),
        ..position.step(step)
    }
}
