//! What the games on 64 squares have in common.

use super::{Arrow, Check, Piece, Step, StepKind};
use fauve_engine::core::{Bitboard, Color, Kind, Move};
use fauve_engine::rules::Board;

/// The pieces of a board; `promoted` marks those that were pawns.
pub(crate) fn pieces<const N: usize>(board: &Board<N>, promoted: Bitboard) -> Vec<Piece> {
    let piece = |square| {
        let (color, kind) = board.piece_at(square)?;
        Some(Piece {
            square: square.to_string(),
            letter: letter(color, kind),
            promoted: promoted.has(square),
        })
    };
    board.occupied().filter_map(piece).collect()
}

/// The letter of a piece, capital for White.
pub(crate) fn letter(color: Color, kind: Kind) -> char {
    color.fen_char(kind.letter())
}

/// A move of the pieces of a board; the side to move is `us`.
pub(crate) fn step<const N: usize>(board: &Board<N>, us: Color, step: Move) -> Step {
    let (from, to) = (step.from(), step.to());
    let kind = board.kind_at(from);
    // In Chess960 the king goes to its own rook.
    let castles = kind == Some(Kind::King)
        && (from.file().abs_diff(to.file()) == 2 || board.color(us).has(to));
    let passing = kind == Some(Kind::Pawn) && from.file() != to.file();
    Step {
        kind: if castles {
            StepKind::Castle
        } else {
            StepKind::Move
        },
        piece: step.promotion().map(|kind| letter(us, kind)),
        captures: passing || board.color(!us).has(to),
        ..Step::between(&from, &to)
    }
}

/// The check that pieces of the other side give directly.
pub(crate) fn check<const N: usize>(board: &Board<N>, us: Color) -> Option<Check> {
    let king = board.pieces(us, Kind::King).try_first()?;
    let lines: Vec<Vec<Arrow>> = board
        .attackers(!us, king, board.occupied())
        .map(|from| vec![[from.to_string(), king.to_string()]])
        .collect();
    (!lines.is_empty()).then(|| Check {
        king: king.to_string(),
        lines,
    })
}

/// The arrow of a move.
pub(crate) fn arrow(step: Move) -> Arrow {
    [step.from().to_string(), step.to().to_string()]
}
