//! The legal second halves of a turn, most of them as sets, without making them.
//!
//! Whether our king is capturable after a second half depends on few squares. First the position before it is looked at
//! ([`Threats`](super::threats::Threats)): if the king is capturable there, only moves that touch what the threats need
//! can help, and these are made and tested one by one. If not, a piece's move can only harm by *leaving* its square (it
//! opened a line, or the way of a pawn) or by standing where a pawn takes it to advantage. The first is asked once for
//! each piece that stands on a line or in the way, the second is a mask; all other quiet moves are legal together, and so
//! are captures where nothing that takes back attacks the king. What remains is tested one by one.

use super::TwoMove;
use super::movegen::castling_targets;
use super::reach::{ahead, destinations, last_rank, sixth_rank};
use super::threats::{Reach, View, third_rank};
use crate::core::{Bitboard, Color, Kind, Kinds, Move, Square, attacks};
use crate::rules::{Board, CastlingSide};

/// Receives the legal second halves.
pub(super) trait Sink {
    /// A piece's moves.
    fn piece(&mut self, from: Square, targets: Bitboard);

    /// Advances of pawns, `back` squares (by index) from each target.
    fn pawns(&mut self, targets: Bitboard, back: u8);

    /// Advances of pawns to the last rank, each four moves.
    fn promotions(&mut self, targets: Bitboard, back: u8);

    /// One move.
    fn step(&mut self, step: Move);

    /// Whether no further move is wanted.
    #[inline(always)]
    fn is_satisfied(&self) -> bool {
        false
    }
}

/// The square from which a pawn comes that a [`Sink`] is handed with its way back.
pub(super) fn origin(to: Square, back: u8) -> Square {
    Square::from_index((to.index() as u8).wrapping_add(back))
}

/// Hands every legal second half of a position with one move left to `sink`.
#[inline]
pub(super) fn legal(position: &TwoMove, sink: &mut impl Sink) {
    debug_assert_eq!(position.moves_left, 1);
    match position.side {
        Color::White => walk(position, Color::White, sink),
        Color::Black => walk(position, Color::Black, sink),
    }
}

#[inline(always)]
fn walk(position: &TwoMove, us: Color, sink: &mut impl Sink) {
    let (board, them) = (&position.board, us.other());
    let reach = Reach::new(View::new(board, them), them);
    let (view, occupied) = (&reach.view, reach.occupied);
    let king = view.king;
    let passed = (position.targets & sixth_rank(them)).any();

    king_moves(position, us, &reach, passed, sink);
    if sink.is_satisfied() {
        return;
    }
    for target in position.targets & sixth_rank(us) {
        for from in attacks::pawn(them, target) & view.defenders & board.kind(Kind::Pawn) {
            test(position, us, from, Bitboard::of(target), Kind::Pawn, sink);
        }
    }

    let mut candidates = None;
    if reach.may_take(them) {
        let threats = view.threats(board, them);
        if threats.found {
            candidates = Some((threats.to, threats.from));
        }
    }
    if candidates.is_none() && (passed || may_castle_to_attack(position, them, king)) {
        candidates = Some((Bitboard::ALL, Bitboard::ALL));
    }
    if let Some((to, from)) = candidates {
        for kind in [
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
        ] {
            for piece in view.defenders & board.kind(kind) {
                let targets = destinations(board, us, kind, piece);
                let targets = if from.has(piece) {
                    targets
                } else {
                    targets & to
                };
                test(position, us, piece, targets, kind, sink);
                if sink.is_satisfied() {
                    return;
                }
            }
        }
        return;
    }

    // Where a piece of ours would be taken by a pawn that then attacks the king, or opens a line.
    let from_pawn = attacks::pawn(us, king);
    let taken = reach.pawn_attacks & (from_pawn | last_rank(them))
        | attacks::pawns(them, reach.screens & view.pawns);
    // Where a piece of theirs that takes back attacks the king, or opens a line.
    let taken_back = if reach.screens.any() {
        view.own
    } else {
        let near = reach.from_king[0]
            | reach.from_king[1]
            | attacks::knight(king)
            | attacks::king(king)
            | from_pawn
            | last_rank(them);
        view.own & near
    };
    let delicate = reach.delicate();

    let pawns = view.defenders & board.kind(Kind::Pawn);
    let mut calm = pawns - delicate;
    for from in pawns & delicate {
        if reach.may_open(from, them) {
            let targets = destinations(board, us, Kind::Pawn, from);
            let threats = view.without(from).threats(board, them);
            let targets = if threats.found {
                targets & threats.to
            } else {
                targets
            };
            test(position, us, from, targets, Kind::Pawn, sink);
        } else {
            calm |= Bitboard::of(from);
        }
    }
    let single = ahead(us, calm) - occupied;
    let double = ahead(us, single & third_rank(us)) - occupied;
    let (one, two) = match us {
        Color::White => (8u8.wrapping_neg(), 16u8.wrapping_neg()),
        Color::Black => (8, 16),
    };
    sink.pawns(single - taken - last_rank(us), one);
    if (single & last_rank(us)).any() {
        sink.promotions(single & last_rank(us), one);
    }
    // A double step past a pawn gives it a capture.
    let passing = taken | ahead(us, reach.pawn_attacks & third_rank(us));
    sink.pawns(double - passing, two);
    if sink.is_satisfied() {
        return;
    }
    for (targets, back) in [
        (single & taken - last_rank(us), one),
        (double & passing, two),
    ] {
        for to in targets {
            let from = origin(to, back);
            test(position, us, from, Bitboard::of(to), Kind::Pawn, sink);
        }
    }
    for from in calm & attacks::pawns(them, view.own) {
        let targets = attacks::pawn(us, from) & view.own;
        let doubtful = taken_back | last_rank(us);
        sink.piece(from, targets - doubtful);
        test(position, us, from, targets & doubtful, Kind::Pawn, sink);
    }

    let reversal = position.reversal;
    for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        for from in view.defenders & board.kind(kind) {
            let mut targets = Board::<6>::piece_attacks(kind, from, occupied) - view.defenders;
            if from == reversal.from() && reversal != Move::default() {
                targets = targets - Bitboard::of(reversal.to());
            }
            let mut doubtful = taken | taken_back;
            if delicate.has(from) && reach.may_open(from, them) {
                let threats = view.without(from).threats(board, them);
                if threats.found {
                    test(position, us, from, targets & threats.to, kind, sink);
                    continue;
                }
                doubtful |= reach.pawn_attacks | view.own;
            }
            sink.piece(from, targets - doubtful);
            if sink.is_satisfied() {
                return;
            }
            test(position, us, from, targets & doubtful, kind, sink);
        }
    }
}

/// The king's steps and castling.
#[inline(always)]
fn king_moves(position: &TwoMove, us: Color, reach: &Reach, passed: bool, sink: &mut impl Sink) {
    let view = &reach.view;
    let (king, reversal) = (view.king, position.reversal);
    let mut targets = attacks::king(king) - view.defenders;
    if king == reversal.from() && reversal != Move::default() {
        targets = targets - Bitboard::of(reversal.to());
    }
    for to in targets - view.own {
        match reach.is_king_safe_on(to, us.other()) {
            Some(true) if !passed && !may_castle_to_attack(position, us.other(), to) => {
                sink.piece(king, Bitboard::of(to));
            }
            Some(false) => {}
            _ => test(position, us, king, Bitboard::of(to), Kind::King, sink),
        }
    }
    let rest = targets & view.own | castling_targets(position);
    test(position, us, king, rest, Kind::King, sink);
}

/// Tests each move by making it.
#[inline(always)]
fn test(
    position: &TwoMove,
    us: Color,
    from: Square,
    targets: Bitboard,
    kind: Kind,
    sink: &mut impl Sink,
) {
    if targets.any() {
        test_each(position, us, from, targets, kind, sink);
    }
}

#[inline(never)]
fn test_each(
    position: &TwoMove,
    us: Color,
    from: Square,
    targets: Bitboard,
    kind: Kind,
    sink: &mut impl Sink,
) {
    for to in targets {
        if sink.is_satisfied() {
            return;
        }
        let step = Move::new(from, to);
        if kind == Kind::Pawn && last_rank(us).has(to) {
            for promotion in Kinds::CHESS_PROMOTIONS {
                let step = Move::promoting(from, to, promotion);
                if position.is_safe_after(kind, step) {
                    sink.step(step);
                }
            }
        } else if step != position.reversal && position.is_safe_after(kind, step) {
            sink.step(step);
        }
    }
}

/// Whether castling of the attackers might attack the king after some move of ours. `false` is certain.
#[inline(always)]
fn may_castle_to_attack(position: &TwoMove, by: Color, king: Square) -> bool {
    let mut may = false;
    for castling_side in CastlingSide::ALL {
        let rook = castling_side.rook_target(by);
        if position.rights.has(by, castling_side)
            && (attacks::king(castling_side.king_target(by)) | attacks::rook_rays(rook)).has(king)
        {
            let blockers = attacks::between(rook, king)
                & position.board.occupied() - Bitboard::of(castling_side.king_home(by));
            may |= !blockers.many();
        }
    }
    may
}
