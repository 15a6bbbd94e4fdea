//! Explanations shared by the games on 64 squares.

use fauve_engine::core::{Bitboard, Color, Kind, Square, attacks};
use fauve_engine::rules::orthodox::{Orthodox, RookRights};
use fauve_engine::rules::{Board, CastlingRights, CastlingSide};

/// The name of a kind of piece.
pub(super) const fn name(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawn",
        Kind::Knight => "knight",
        Kind::Bishop => "bishop",
        Kind::Rook => "rook",
        Kind::Queen => "queen",
        Kind::King => "king",
        Kind::Amazon => "Amazon",
        Kind::Empress => "Empress",
        Kind::Princess => "Princess",
        Kind::Veteran => "Veteran",
    }
}

/// How a kind of piece moves.
const fn habit(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => {
            "A pawn goes one square straight ahead, from its first square two, and captures one square diagonally ahead."
        }
        Kind::Knight => {
            "A knight leaps: two squares straight and one aside, whatever stands between."
        }
        Kind::Bishop => "A bishop goes diagonally, any distance.",
        Kind::Rook => "A rook goes along ranks and files, any distance.",
        Kind::Queen => "A queen goes along ranks, files and diagonals, any distance.",
        Kind::King => "A king goes one square in any direction.",
        Kind::Amazon => "An Amazon goes as a queen or leaps as a knight.",
        Kind::Empress => "An Empress goes as a rook or leaps as a knight.",
        Kind::Princess => "A Princess goes as a bishop or leaps as a knight.",
        Kind::Veteran => "A Veteran goes as a king or leaps as a knight; it is not royal.",
    }
}

/// An attempted move, checked against the piece movement that the games on 64 squares share.
pub(super) struct Try<'a, const N: usize> {
    pub(super) board: &'a Board<N>,
    pub(super) us: Color,
    /// The squares on which pawns may capture en passant.
    pub(super) targets: Bitboard,
    pub(super) castling: CastlingRights,
    /// Those of Chess960.
    pub(super) rooks: RookRights,
    /// Whether kings castle whatever attacks their way.
    pub(super) castles_through_check: bool,
    pub(super) from: Square,
    pub(super) to: Square,
}

impl<'a, const N: usize> Try<'a, N> {
    /// An attempted move in a game whose pieces move as in orthodox chess.
    pub(super) fn orthodox(position: &'a Orthodox<N>, from: Square, to: Square) -> Self {
        Self {
            board: position.board(),
            us: position.side_to_move(),
            targets: position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of),
            castling: position.castling(),
            rooks: position.rook_rights(),
            castles_through_check: false,
            from,
            to,
        }
    }
}

impl<const N: usize> Try<'_, N> {
    /// The piece on the origin square, if it belongs to the side to move.
    pub(super) fn piece(&self) -> Option<Kind> {
        let (color, kind) = self.board.piece_at(self.from)?;
        (color == self.us).then_some(kind)
    }

    /// Explains why the piece cannot make this move; `None` if it can, leaving check aside.
    pub(super) fn fault(&self) -> Option<String> {
        let Self {
            board,
            us,
            from,
            to,
            ..
        } = *self;
        let Some((color, kind)) = board.piece_at(from) else {
            return Some(format!("There is no piece on {from}."));
        };
        if color != us {
            let (theirs, ours) = (color.name(), us.name());
            return Some(format!(
                "The {} on {from} is {theirs}'s, and {ours} is to move.",
                name(kind)
            ));
        }
        if from == to {
            return Some(format!(
                "The {} on {from} has no legal move now.",
                name(kind)
            ));
        }
        if kind == Kind::King
            && self.rooks.any()
            && let Some(fault) = self.chess960_fault()
        {
            return Some(fault);
        }
        if kind == Kind::King
            && !self.rooks.any()
            && from == CastlingSide::King.king_home(us)
            && from.rank() == to.rank()
        {
            for castling_side in CastlingSide::ALL {
                if castling_side.king_target(us) == to {
                    return self.castling_fault(castling_side);
                }
            }
        }
        if let Some((owner, other)) = board.piece_at(to)
            && owner == us
        {
            return Some(format!("Your own {} is on {to}.", name(other)));
        }
        if kind == Kind::Pawn {
            return self.pawn_fault();
        }
        if !Board::<N>::piece_attacks(kind, from, Bitboard::EMPTY).has(to) {
            return Some(habit(kind).to_owned());
        }
        if !Board::<N>::piece_attacks(kind, from, board.occupied()).has(to) {
            return Some(format!(
                "The way from {from} to {to} is not free, and on a line no piece leaps over another."
            ));
        }
        None
    }

    fn pawn_fault(&self) -> Option<String> {
        let Self {
            board,
            us,
            from,
            to,
            targets,
            ..
        } = *self;
        let (own, other) = (from.seen_by(us), to.seen_by(us));
        let ahead = i16::from(other.rank()) - i16::from(own.rank());
        if own.file() != other.file() {
            if !attacks::pawn(us, from).has(to) {
                return Some(habit(Kind::Pawn).to_owned());
            }
            // In the middle of a turn there are targets of the mover's own pawns, too.
            let is_target = targets.has(to) && other.rank() == 5;
            return (!board.color(!us).has(to) && !is_target).then(|| {
                format!(
                    "A pawn goes diagonally only to capture: there is no piece on {to}, and none can be taken there en passant."
                )
            });
        }
        if ahead == 2 && own.rank() != 1 {
            return Some("A pawn goes two squares only from its first square.".to_owned());
        }
        if !(1..=2).contains(&ahead) {
            return Some(habit(Kind::Pawn).to_owned());
        }
        let between = Square::new(from.file(), u8::midpoint(from.rank(), to.rank()));
        let blocked = [to, between]
            .into_iter()
            .find(|&square| square != from && board.occupied().has(square));
        blocked
            .map(|square| format!("A pawn does not capture straight ahead: {square} is occupied."))
    }

    /// Why a king does not castle in Chess960; `None` if the move is meant for something else.
    fn chess960_fault(&self) -> Option<String> {
        let Self {
            board,
            us,
            from,
            to,
            ..
        } = *self;
        if !board.pieces(us, Kind::Rook).has(to) {
            let is_far = from.rank() == to.rank() && from.distance(to) > 1;
            return is_far.then(|| {
                "In Chess960 castling is the king's move to its rook, or O-O and O-O-O.".to_owned()
            });
        }
        let has_right =
            |&castling_side: &CastlingSide| self.rooks.rook(us, castling_side) == Some(to);
        let Some(castling_side) = CastlingSide::ALL.into_iter().find(has_right) else {
            return Some(format!(
                "Castling with the rook on {to} is not allowed: king or rook has moved, or it never had the right."
            ));
        };
        Some(format!(
            "No castling with the rook on {to}: all squares that king and rook cross or reach have to be free, and none \
             that the king crosses or reaches, here up to {}, attacked.",
            castling_side.king_target(us)
        ))
    }

    fn castling_fault(&self, castling_side: CastlingSide) -> Option<String> {
        let Self { board, us, .. } = *self;
        if !self.castling.has(us, castling_side) {
            return Some(
                "Castling on this side is no longer allowed: king or rook has moved, or the rook is not there."
                    .to_owned(),
            );
        }
        if (board.occupied() & castling_side.path(us)).any() {
            return Some(
                "The squares between king and rook have to be free for castling.".to_owned(),
            );
        }
        if self.castles_through_check {
            return None;
        }
        let home = castling_side.king_home(us);
        let target = castling_side.king_target(us);
        let passed = Square::new(u8::midpoint(home.file(), target.file()), home.rank());
        for (square, what) in [
            (home, "stands on an attacked square"),
            (passed, "would pass an attacked square"),
            (target, "would arrive on an attacked square"),
        ] {
            if board.attackers(!us, square, board.occupied()).any() {
                return Some(format!(
                    "No castling: the king {what}, {square} (attacked from {}).",
                    attackers(board, !us, square, board.occupied())
                ));
            }
        }
        None
    }

    /// Explains that the move leaves the king in check, by the rules of chess; `None` if it does not.
    pub(super) fn check_after(&self) -> Option<String> {
        let Self {
            board,
            us,
            from,
            to,
            targets,
            ..
        } = *self;
        let mut next = *board;
        let (_, kind) = board.piece_at(from)?;
        if let Some((owner, taken)) = board.piece_at(to) {
            next.toggle(owner, taken, to);
        } else if kind == Kind::Pawn && targets.has(to) && from.file() != to.file() {
            let victim = Square::new(to.file(), from.rank());
            if let Some((owner, taken)) = board.piece_at(victim) {
                next.toggle(owner, taken, victim);
            }
        }
        next.shift(us, kind, from, to);
        let king = next.pieces(us, Kind::King).try_first()?;
        let by = attackers(&next, !us, king, next.occupied());
        (!by.is_empty()).then(|| {
            if board.attackers(!us, board.king(us), board.occupied()).any() {
                format!("The king is in check, and this does not parry it: {by} would still attack {king}.")
            } else {
                format!("The king would be left in check, attacked from {by}.")
            }
        })
    }
}

/// Lists the squares that give check.
pub(super) fn why_check<const N: usize>(board: &Board<N>, us: Color) -> Option<String> {
    let by = attackers(board, !us, board.king(us), board.occupied());
    (!by.is_empty()).then(|| format!("from {by}"))
}

/// The squares from which a square is attacked, in words.
fn attackers<const N: usize>(
    board: &Board<N>,
    by: Color,
    square: Square,
    occupied: Bitboard,
) -> String {
    let squares: Vec<String> = board
        .attackers(by, square, occupied)
        .map(|from| from.to_string())
        .collect();
    squares.join(" and ")
}

/// Parses two squares and passes them to `explain`; a message if they are not on the board.
pub(super) fn between(
    from: &str,
    to: &str,
    explain: impl FnOnce(Square, Square) -> String,
) -> String {
    match (from.parse(), to.parse()) {
        (Ok(from), Ok(to)) => explain(from, to),
        _ => "The squares are a1 to h8.".to_owned(),
    }
}
