//! Position strings: FEN with a seventh field, the moves left in the turn (`1`, `2`, or `1:f3g1`).

use super::TwoMove;
use super::reach::sixth_rank;
use crate::core::{Bitboard, Color, Kind, Move, Square};
use crate::rules::placement::{
    board_fen, check_kings, check_pieces, en_passant_fault, pawn_attacks, read_board,
    read_castling, read_clock, read_side, read_targets, read_turn_number, targets_fen,
    unknown_word, unreadable, words,
};
use crate::rules::{Board, FenError, Field, Parsed, Problem, RecomputeKey};

/// The orthodox array.
const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

/// Computes the fields that follow from the others.
fn finish(mut position: TwoMove) -> TwoMove {
    position.opening = position.moves_left == 1
        && position.side == Color::White
        && position.reversal == Move::default()
        && board_fen(&position.board, Bitboard::EMPTY) == ARRAY;
    position.key = position.recomputed_key();
    position
}

/// The same position with the colours exchanged and the board upside down.
pub(super) fn flipped(position: &TwoMove) -> TwoMove {
    let reversal = position.forbidden_reversal();
    finish(TwoMove {
        board: position.board.flipped(),
        targets: position.targets.flip_ranks(),
        reversal: reversal.map_or(Move::default(), |undoing| {
            Move::new(undoing.from().flip_rank(), undoing.to().flip_rank())
        }),
        side: !position.side,
        rights: position.rights.flipped(),
        ..*position
    })
}

pub(super) fn parse(fen: &str) -> Result<Parsed<TwoMove>, FenError> {
    let mut warnings = Vec::new();
    let mut words = words(fen)?;
    let reversal = words
        .iter()
        .position(|word| word.starts_with("1:"))
        .map(|place| words.remove(place));
    let word = |n: usize| words.get(n).copied();
    if let Some(extra) = word(7) {
        return Err(FenError::new(Field::Position, unknown_word(extra)));
    }
    let (board, _) = read_board::<6>(word(0))?;
    check_pieces(&board)?;
    check_kings(&board)?;
    let side = read_side(word(1))?;
    let rights = read_castling(word(2), &board, &mut warnings)?;
    let targets = read_targets(word(3), 8)?;
    let clock = read_clock(word(4), &mut warnings)?;
    let number = read_turn_number(word(5), &mut warnings)?;
    let moves_left = match (word(6), reversal) {
        (Some(_), Some(_)) => {
            return Err(FenError::new(
                Field::MovesLeft,
                Problem::Contradiction("the moves left are given twice"),
            ));
        }
        (None | Some("2"), None) => 2,
        (Some("1"), None) | (None, Some(_)) => 1,
        (Some(word), None) => return Err(unreadable(Field::MovesLeft, word)),
    };
    let reversal = match reversal {
        Some(word) => read_reversal(word, &board, side)?,
        None => Move::default(),
    };
    let targets = keep_targets(&board, side, moves_left, targets, &mut warnings);
    let position = finish(TwoMove {
        board,
        targets,
        key: 0,
        number,
        clock,
        reversal,
        side,
        rights,
        moves_left,
        opening: false,
    });
    if position.can_take_king() {
        return Err(FenError::new(Field::Position, Problem::KingCapturable));
    }
    Ok(Parsed::with_warnings(position, warnings))
}

/// Returns the targets that the last turn, or the first half of this one, can have left.
fn keep_targets(
    board: &Board<6>,
    side: Color,
    moves_left: u8,
    targets: Bitboard,
    warnings: &mut Vec<String>,
) -> Bitboard {
    // Between the halves the mover's own new target is there for the opponent.
    let own = if moves_left == 1 {
        targets & sixth_rank(!side)
    } else {
        Bitboard::EMPTY
    };
    let mut kept = Bitboard::EMPTY;
    for target in targets {
        let by = if own.has(target) { !side } else { side };
        // A turn leaves two at most; one half of a turn, one of each kind.
        let most = if moves_left == 1 { 1 } else { 2 };
        let fault = en_passant_fault(board, by, target)
            .or_else(|| (!pawn_attacks(board, by, target)).then_some("no pawn attacks it"))
            .or_else(|| {
                ((kept & sixth_rank(by)).len() >= most)
                    .then_some("a turn cannot leave that many en passant targets")
            });
        match fault {
            None => kept |= Bitboard::of(target),
            Some(why) => warnings.push(format!("en passant target {target} dropped: {why}")),
        }
    }
    kept
}

/// Reads `1:f3g1`: the piece that moved last and where it came from.
fn read_reversal(word: &str, board: &Board<6>, side: Color) -> Result<Move, FenError> {
    let squares = word.strip_prefix("1:").and_then(|text| {
        let from: Square = text.get(..2)?.parse().ok()?;
        let to: Square = text.get(2..)?.parse().ok()?;
        Some((from, to))
    });
    let Some((from, to)) = squares else {
        return Err(unreadable(Field::MovesLeft, word));
    };
    let possible = match board.piece_at(from) {
        Some((color, kind)) => {
            color == side
                && kind != Kind::Pawn
                && !board.occupied().has(to)
                && Board::<6>::piece_attacks(kind, from, board.occupied()).has(to)
        }
        None => false,
    };
    if possible {
        Ok(Move::new(from, to))
    } else {
        Err(FenError::new(
            Field::MovesLeft,
            Problem::Contradiction("no piece of the side to move can have made that first move"),
        ))
    }
}

pub(super) fn write(position: &TwoMove) -> String {
    let left = match position.forbidden_reversal() {
        Some(reversal) => format!("1:{reversal}"),
        None => position.moves_left.to_string(),
    };
    format!(
        "{} {} {} {} {} {} {left}",
        board_fen(&position.board, Bitboard::EMPTY),
        position.side.letter(),
        position.rights,
        targets_fen(position.targets),
        position.clock,
        position.number,
    )
}
