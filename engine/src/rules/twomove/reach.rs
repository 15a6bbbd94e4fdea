//! *Capturable*: whether a side, given a double move now, can take the other king.

use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::placement::en_passant_victim;
use crate::rules::{Board, CastlingRights, CastlingSide};

/// The rank on which a side captures en passant.
#[inline(always)]
pub(super) const fn sixth_rank(by: Color) -> Bitboard {
    match by {
        Color::White => Bitboard::rank(5),
        Color::Black => Bitboard::rank(2),
    }
}

/// The rank on which a side's pawns promote.
#[inline(always)]
pub(super) const fn last_rank(by: Color) -> Bitboard {
    match by {
        Color::White => Bitboard::RANK_8,
        Color::Black => Bitboard::RANK_1,
    }
}

/// The rank from which a side's pawns promote.
#[inline(always)]
pub(super) const fn promotions_before(by: Color) -> Bitboard {
    match by {
        Color::White => Bitboard::rank(6),
        Color::Black => Bitboard::rank(1),
    }
}

/// The squares one step ahead of a side's pawns.
#[inline(always)]
pub(super) fn ahead(by: Color, pawns: Bitboard) -> Bitboard {
    match by {
        Color::White => pawns.north(),
        Color::Black => pawns.south(),
    }
}

/// The squares to which pawns advance by one or two steps.
#[inline(always)]
pub(crate) fn advances(by: Color, pawns: Bitboard, occupied: Bitboard) -> Bitboard {
    let third = match by {
        Color::White => Bitboard::rank(2),
        Color::Black => Bitboard::rank(5),
    };
    let one = ahead(by, pawns) - occupied;
    one | ahead(by, one & third) - occupied
}

/// Returns the targets of a piece, without castling and en passant.
#[inline(always)]
pub(super) fn destinations(board: &Board<6>, by: Color, kind: Kind, from: Square) -> Bitboard {
    let occupied = board.occupied();
    match kind {
        Kind::Pawn => {
            advances(by, Bitboard::of(from), occupied) | attacks::pawn(by, from) & board.color(!by)
        }
        _ => Board::<6>::piece_attacks(kind, from, occupied) - board.color(by),
    }
}

/// Whether the pieces of `by` could take the other king with the first or the second of two moves made now; `targets` are
/// the squares on which `by` may capture en passant. The safety of `by`'s own king does not matter.
pub(crate) fn capturable(
    board: &Board<6>,
    by: Color,
    rights: CastlingRights,
    targets: Bitboard,
) -> bool {
    let (own, enemy, occupied) = (board.color(by), board.color(!by), board.occupied());
    let king = board.king(!by);
    let pieces = |kind| own & board.kind(kind);
    let pawns = pieces(Kind::Pawn);
    let diagonal = own & board.diagonal_sliders();
    let orthogonal = own & board.orthogonal_sliders();
    // Squares from which each kind of piece attacks the king.
    let from_diagonal = attacks::bishop(king, occupied);
    let from_orthogonal = attacks::rook(king, occupied);
    let from_knight = attacks::knight(king);
    let from_king = attacks::king(king);
    let from_pawn = attacks::pawn(!by, king);

    // The first move takes it.
    let direct = from_diagonal & diagonal
        | from_orthogonal & orthogonal
        | from_knight & pieces(Kind::Knight)
        | from_king & pieces(Kind::King)
        | from_pawn & pawns;
    if direct.any() {
        return true;
    }

    // The piece that moves first takes it. No slider's own square lies on its new line of attack, because it would
    // attack along that line already.
    let free = !own;
    let pawn_moves = advances(by, pawns, occupied) | attacks::pawns(by, pawns) & enemy;
    let leaps = attacks::knights(pieces(Kind::Knight)) & from_knight & free
        | attacks::king(board.king(by)) & from_king & free
        | pawn_moves & from_pawn;
    if leaps.any() {
        return true;
    }
    for slider in diagonal {
        let reach = attacks::bishop(slider, occupied) & free;
        let seen = if board.kind(Kind::Queen).has(slider) {
            from_diagonal | from_orthogonal
        } else {
            from_diagonal
        };
        if (reach & seen).any() {
            return true;
        }
    }
    for slider in orthogonal {
        let reach = attacks::rook(slider, occupied) & free;
        let seen = if board.kind(Kind::Queen).has(slider) {
            from_diagonal | from_orthogonal
        } else {
            from_orthogonal
        };
        if (reach & seen).any() {
            return true;
        }
    }
    if (pawn_moves & last_rank(by)).any() && promotes_to_attack(board, by, king) {
        return true;
    }

    // The first move opens a line.
    if opens_line(
        board,
        by,
        king,
        diagonal,
        orthogonal,
        from_diagonal,
        from_orthogonal,
    ) {
        return true;
    }
    if targets.any() && captures_en_passant_to_attack(board, by, king, targets) {
        return true;
    }
    rights.index() != 0 && castles_to_attack(board, by, king, rights)
}

/// Whether a pawn could promote to a piece that attacks the king.
#[cold]
fn promotes_to_attack(board: &Board<6>, by: Color, king: Square) -> bool {
    let (pawns, occupied) = (board.pieces(by, Kind::Pawn), board.occupied());
    for from in pawns & promotions_before(by) {
        for to in destinations(board, by, Kind::Pawn, from) {
            // The pawn's own square is free by then.
            let left = occupied ^ Bitboard::of(from);
            if (attacks::queen(to, left) | attacks::knight(to)).has(king) {
                return true;
            }
        }
    }
    false
}

/// Whether a piece of `by` stands alone between a slider of `by` and the king and can leave that line.
#[inline(always)]
fn opens_line(
    board: &Board<6>,
    by: Color,
    king: Square,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    from_diagonal: Bitboard,
    from_orthogonal: Bitboard,
) -> bool {
    let (own, occupied) = (board.color(by), board.occupied());
    let diagonal_screens = from_diagonal & own;
    let orthogonal_screens = from_orthogonal & own;
    let mut snipers = Bitboard::EMPTY;
    if diagonal_screens.any() && diagonal.any() {
        snipers |= attacks::bishop(king, occupied ^ diagonal_screens) & diagonal;
    }
    if orthogonal_screens.any() && orthogonal.any() {
        snipers |= attacks::rook(king, occupied ^ orthogonal_screens) & orthogonal;
    }
    for sniper in snipers {
        let line = attacks::between(sniper, king);
        let screen = (line & occupied).first();
        if let Some(kind) = board.kind_at(screen)
            && (destinations(board, by, kind, screen) - line).any()
        {
            return true;
        }
    }
    false
}

/// Whether an en passant capture could attack the king.
#[cold]
fn captures_en_passant_to_attack(
    board: &Board<6>,
    by: Color,
    king: Square,
    targets: Bitboard,
) -> bool {
    let own = board.color(by);
    for target in targets {
        for from in attacks::pawn(!by, target) & own & board.kind(Kind::Pawn) {
            let occupied = board.occupied()
                ^ Bitboard::of(from)
                ^ Bitboard::of(en_passant_victim(target))
                ^ Bitboard::of(target);
            let attackers = attacks::bishop(king, occupied) & own & board.diagonal_sliders()
                | attacks::rook(king, occupied) & own & board.orthogonal_sliders()
                | attacks::pawn(!by, king) & Bitboard::of(target);
            if attackers.any() {
                return true;
            }
        }
    }
    false
}

/// Whether castling could attack the king: with the rook, or with a king that lands beside it.
#[inline(always)]
fn castles_to_attack(board: &Board<6>, by: Color, king: Square, rights: CastlingRights) -> bool {
    for castling_side in [CastlingSide::King, CastlingSide::Queen] {
        let (rook, landing) = (castling_side.rook_target(by), castling_side.king_target(by));
        if !rights.has(by, castling_side)
            || !(attacks::rook_rays(rook) | attacks::king(landing)).has(king)
            || (board.occupied() & castling_side.path(by)).any()
        {
            continue;
        }
        let occupied = board.occupied()
            ^ Bitboard::of(castling_side.king_home(by))
            ^ Bitboard::of(castling_side.rook_home(by))
            ^ Bitboard::of(rook)
            ^ Bitboard::of(landing);
        if (attacks::rook(rook, occupied) | attacks::king(landing)).has(king)
            && castling_unattacked(board, by, castling_side)
        {
            return true;
        }
    }
    false
}

/// Whether no enemy piece attacks the king's start, transit and landing squares.
pub(super) fn castling_unattacked(
    board: &Board<6>,
    by: Color,
    castling_side: CastlingSide,
) -> bool {
    let occupied = board.occupied() ^ Bitboard::of(castling_side.king_home(by));
    [
        castling_side.king_home(by),
        castling_side.rook_target(by),
        castling_side.king_target(by),
    ]
    .into_iter()
    .all(|square| board.attackers(!by, square, occupied).is_empty())
}
