//! Legal moves as sets of targets, one walk for listing and counting.
//!
//! Pins and checks become masks before anything moves (see <https://www.chessprogramming.org/Checks_and_Pinned_Pieces_(Bitboards)>),
//! pawns move as a set, and the walk is compiled once per colour, so that pawn directions are constants. Pieces with
//! several ways to move (queen, amazon, ...) are met once in each loop: the ways never share a target.

use super::Orthodox;
use crate::core::{Bitboard, Color, Kind, Kinds, Move, Square, StepList, attacks};
use crate::rules::placement::en_passant_victim;
use crate::rules::{Board, CastlingRights, CastlingSide};

/// Receives the moves of a walk as sets.
trait Sink {
    /// A piece's moves that are not promotions.
    fn piece(&mut self, from: Square, targets: Bitboard);

    /// The castling moves of Chess960: the king's to the squares of its rooks.
    fn castlings(&mut self, king: Square, rooks: Bitboard) {
        self.piece(king, rooks);
    }

    /// The moves of a set of pawns that do not reach the last rank.
    fn pawns<const WHITE: bool>(&mut self, moves: PawnMoves);

    /// The moves of a set of pawns to the last rank; `kinds` is what they may become.
    fn promotions<const WHITE: bool>(&mut self, moves: PawnMoves, kinds: Kinds);
}

/// The targets of a set of pawns, by direction. No square is in two of `single`, `double` and the captures.
#[derive(Clone, Copy)]
struct PawnMoves {
    single: Bitboard,
    double: Bitboard,
    /// Captures towards file h.
    east: Bitboard,
    /// Captures towards file a.
    west: Bitboard,
}

struct Counter(u32);

impl Sink for Counter {
    #[inline(always)]
    fn piece(&mut self, _: Square, targets: Bitboard) {
        self.0 += targets.len();
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, moves: PawnMoves) {
        self.0 += (moves.single | moves.double | moves.east).len() + moves.west.len();
    }

    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, moves: PawnMoves, kinds: Kinds) {
        self.0 += ((moves.single | moves.east).len() + moves.west.len()) * kinds.len();
    }
}

struct Lister<'a, S>(&'a mut StepList<S>);

impl<S: From<Move>> Lister<'_, S> {
    /// The pawn moves of one direction; `ahead` is to minus from, seen from White.
    #[inline(always)]
    fn shifted<const WHITE: bool>(targets: Bitboard, ahead: u8) -> impl Iterator<Item = Move> {
        targets.map(move |to| {
            let index = to.index() as u8;
            let from = if WHITE {
                index.wrapping_sub(ahead)
            } else {
                index.wrapping_add(ahead)
            };
            Move::new(Square::from_index(from), to)
        })
    }

    /// The captures of one direction mirror with the colour: towards h is 9 ahead for White and 7 for Black.
    const fn ahead(white: bool, east: bool) -> u8 {
        if white == east { 9 } else { 7 }
    }
}

impl<S: From<Move>> Sink for Lister<'_, S> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        for to in targets {
            self.0.push(Move::new(from, to).into());
        }
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, moves: PawnMoves) {
        let (east, west) = (Self::ahead(WHITE, true), Self::ahead(WHITE, false));
        for (targets, ahead) in [
            (moves.single, 8),
            (moves.double, 16),
            (moves.east, east),
            (moves.west, west),
        ] {
            for step in Self::shifted::<WHITE>(targets, ahead) {
                self.0.push(step.into());
            }
        }
    }

    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, moves: PawnMoves, kinds: Kinds) {
        let (east, west) = (Self::ahead(WHITE, true), Self::ahead(WHITE, false));
        for (targets, ahead) in [(moves.single, 8), (moves.east, east), (moves.west, west)] {
            for step in Self::shifted::<WHITE>(targets, ahead) {
                for kind in kinds {
                    self.0
                        .push(Move::promoting(step.from(), step.to(), kind).into());
                }
            }
        }
    }
}

/// Lists the quiet moves that remain after each set has been narrowed.
struct Narrowed<'a, S, F> {
    occupied: Bitboard,
    pawns: Bitboard,
    narrow: F,
    steps: &'a mut StepList<S>,
}

impl<S: From<Move>, F: Fn(Square, Bitboard) -> Bitboard> Sink for Narrowed<'_, S, F> {
    #[inline(always)]
    fn piece(&mut self, from: Square, targets: Bitboard) {
        // Pawns reach these squares by en passant only.
        if !self.pawns.has(from) {
            let targets = (self.narrow)(from, targets - self.occupied);
            Lister(self.steps).piece(from, targets);
        }
    }

    fn castlings(&mut self, king: Square, rooks: Bitboard) {
        Lister(self.steps).piece(king, (self.narrow)(king, rooks));
    }

    #[inline(always)]
    fn pawns<const WHITE: bool>(&mut self, moves: PawnMoves) {
        for (targets, ahead) in [(moves.single, 8), (moves.double, 16)] {
            for step in Lister::<S>::shifted::<WHITE>(targets, ahead) {
                if (self.narrow)(step.from(), Bitboard::of(step.to())).any() {
                    self.steps.push(step.into());
                }
            }
        }
    }

    #[inline(always)]
    fn promotions<const WHITE: bool>(&mut self, _: PawnMoves, _: Kinds) {}
}

impl<const N: usize> Orthodox<N> {
    /// Appends the legal moves. Pawns promote to `promotions` only; if that is empty, they do not move to the last rank.
    #[inline(always)]
    pub fn generate<S: From<Move>>(&self, promotions: Kinds, steps: &mut StepList<S>) {
        self.walk_side::<false>(promotions, &mut Lister(steps));
    }

    /// Appends the legal captures (also en passant) and promotions.
    #[inline(always)]
    pub fn generate_noisy<S: From<Move>>(&self, promotions: Kinds, steps: &mut StepList<S>) {
        self.walk_side::<true>(promotions, &mut Lister(steps));
    }

    /// Appends the legal moves that neither capture nor promote. `narrow` receives the origin and the targets of each piece and
    /// returns the targets to keep.
    #[inline(always)]
    pub fn generate_quiet<S: From<Move>>(
        &self,
        narrow: impl Fn(Square, Bitboard) -> Bitboard,
        steps: &mut StepList<S>,
    ) {
        let mut sink = Narrowed {
            occupied: self.board.occupied(),
            pawns: self.board.kind(Kind::Pawn),
            narrow,
            steps,
        };
        self.walk_side::<false>(Kinds::EMPTY, &mut sink);
    }

    /// The number of legal moves, without listing them.
    #[inline(always)]
    pub fn count(&self, promotions: Kinds) -> u32 {
        let mut counter = Counter(0);
        self.walk_side::<false>(promotions, &mut counter);
        counter.0
    }

    #[inline(always)]
    fn walk_side<const NOISY: bool>(&self, promotions: Kinds, sink: &mut impl Sink) {
        match self.side {
            Color::White => self.walk::<true, NOISY>(promotions, sink),
            Color::Black => self.walk::<false, NOISY>(promotions, sink),
        }
    }

    #[inline(always)]
    fn walk<const WHITE: bool, const NOISY: bool>(&self, promotions: Kinds, sink: &mut impl Sink) {
        let us = color::<WHITE>();
        let board = &self.board;
        let (own, enemy) = (board.color(us), board.color(!us));
        let occupied = own | enemy;
        let king = board.king(us);

        let mut checkers = self.leaper_checkers(us, king);
        let mut pinned = Bitboard::EMPTY;
        let snipers = enemy
            & (attacks::bishop_rays(king) & board.diagonal_sliders()
                | attacks::rook_rays(king) & board.orthogonal_sliders());
        for sniper in snipers {
            let blockers = attacks::between(king, sniper) & occupied;
            if blockers.is_empty() {
                checkers |= Bitboard::of(sniper);
            } else if !blockers.many() {
                pinned |= blockers & own;
            }
        }

        let targets = if NOISY { enemy } else { !own };
        let safe = self.safe_king_targets(us, king, targets);
        sink.piece(king, safe);
        let mut mask = targets;
        // Targets of pawns; noisy pawn moves need not capture.
        let mut reach = Bitboard::ALL;
        if checkers.is_empty() {
            if !NOISY {
                if N == Kind::CHESS.len() && self.castling == CastlingRights::CHESS960 {
                    sink.castlings(king, self.castling_rooks(us, king));
                } else {
                    self.castle(us, king, safe, sink);
                }
            }
            if pinned.any() {
                self.pinned::<WHITE, NOISY>(promotions, king, pinned, targets, sink);
            }
        } else {
            if checkers.many() {
                return;
            }
            reach = attacks::between(king, checkers.first()) | checkers;
            mask &= reach;
        }

        let free = own - pinned;
        for from in free & board.knight_leapers() {
            sink.piece(from, attacks::knight(from) & mask);
        }
        for from in free & board.diagonal_sliders() {
            sink.piece(from, attacks::bishop(from, occupied) & mask);
        }
        for from in free & board.orthogonal_sliders() {
            sink.piece(from, attacks::rook(from, occupied) & mask);
        }
        for from in free & board.kind(Kind::Veteran) {
            sink.piece(from, attacks::king(from) & mask);
        }
        let pawns = free & board.kind(Kind::Pawn);
        self.pawns::<WHITE, NOISY>(promotions, pawns, reach, sink);
        if let Some(target) = self.en_passant {
            self.take_en_passant(us, king, target, sink);
        }
    }

    /// Whether a move is quickly found to be legal, whatever its bits are. Returns `false` for castling, captures en passant and
    /// promotions, too.
    pub fn is_plainly_legal(&self, step: Move) -> bool {
        let (us, from, to) = (self.side, step.from(), step.to());
        let board = &self.board;
        let (own, enemy, occupied) = (board.color(us), board.color(!us), board.occupied());
        // Anything but 0 above the two squares is a promotion, or no move at all.
        if !own.has(from) || own.has(to) || step.bits() >> 12 != 0 {
            return false;
        }
        let kind = board.kind_of_piece(from);
        let targets = if kind == Kind::Pawn {
            let last = Bitboard::rank(if us == Color::White { 7 } else { 0 });
            let third = Bitboard::rank(if us == Color::White { 2 } else { 5 });
            let ahead = |set: Bitboard| {
                let set = if us == Color::White {
                    set.north()
                } else {
                    set.south()
                };
                set - occupied
            };
            let single = ahead(Bitboard::of(from));
            (single | ahead(single & third) | attacks::pawn(us, from) & enemy) - last
        } else {
            Board::<N>::piece_attacks(kind, from, occupied)
        };
        if !targets.has(to) {
            return false;
        }
        let king = if kind == Kind::King {
            to
        } else {
            board.king(us)
        };
        let after = occupied - Bitboard::of(from) | Bitboard::of(to);
        (board.attackers(!us, king, after) - Bitboard::of(to)).is_empty()
    }

    /// Returns the enemy pieces that give check by leaping: pawns, and pieces that move like a knight.
    #[inline(always)]
    fn leaper_checkers(&self, us: Color, king: Square) -> Bitboard {
        let board = &self.board;
        let set = attacks::pawn(us, king) & board.kind(Kind::Pawn)
            | attacks::knight(king) & board.knight_leapers()
            | attacks::king(king) & board.kind(Kind::Veteran);
        set & board.color(!us)
    }

    /// The king's steps within `targets` to squares that the enemy does not attack once the king has left its square.
    #[inline(always)]
    fn safe_king_targets(&self, us: Color, king: Square, targets: Bitboard) -> Bitboard {
        let board = &self.board;
        let enemy = board.color(!us);
        let candidates = attacks::king(king)
            & targets
            & !attacks::pawns(!us, enemy & board.kind(Kind::Pawn))
            & !attacks::king(board.king(!us));
        let mut safe = candidates;
        for to in candidates {
            if self.hits(us, to, king) {
                safe ^= Bitboard::of(to);
            }
        }
        safe
    }

    /// Whether an enemy piece other than a pawn or the king attacks a square when our king does not block.
    #[inline(always)]
    fn hits(&self, us: Color, square: Square, king: Square) -> bool {
        let board = &self.board;
        let occupied = board.occupied() - Bitboard::of(king);
        let set = attacks::bishop(square, occupied) & board.diagonal_sliders()
            | attacks::rook(square, occupied) & board.orthogonal_sliders()
            | attacks::knight(square) & board.knight_leapers()
            | attacks::king(square) & board.kind(Kind::Veteran);
        (set & board.color(!us)).any()
    }

    /// Castling of a king that is not in check; `safe` has its ordinary steps, so that the square that it crosses has
    /// been looked at.
    #[inline(always)]
    fn castle(&self, us: Color, king: Square, safe: Bitboard, sink: &mut impl Sink) {
        for castling_side in CastlingSide::ALL {
            if self.castling.has(us, castling_side)
                && (self.board.occupied() & castling_side.path(us)).is_empty()
                && safe.has(castling_side.rook_target(us))
            {
                let to = castling_side.king_target(us);
                let board = &self.board;
                let leapers = board.kind(Kind::Pawn) & attacks::pawn(us, to)
                    | board.kind(Kind::King) & attacks::king(to);
                if (leapers & board.color(!us)).is_empty() && !self.hits(us, to, king) {
                    sink.piece(king, Bitboard::of(to));
                }
            }
        }
    }

    /// The moves of pinned pieces: along the line through king and pinner. Not in check, where they have none.
    #[cold]
    #[inline(never)]
    fn pinned<const WHITE: bool, const NOISY: bool>(
        &self,
        promotions: Kinds,
        king: Square,
        pinned: Bitboard,
        targets: Bitboard,
        sink: &mut impl Sink,
    ) {
        let board = &self.board;
        let occupied = board.occupied();
        for from in pinned {
            let piece = Bitboard::of(from);
            let line = attacks::line(king, from);
            let mut moves = Bitboard::EMPTY;
            if (piece & board.kind(Kind::Pawn)).any() {
                self.pawns::<WHITE, NOISY>(promotions, piece, line, sink);
                continue;
            }
            if (piece & board.diagonal_sliders()).any() {
                moves |= attacks::bishop(from, occupied);
            }
            if (piece & board.orthogonal_sliders()).any() {
                moves |= attacks::rook(from, occupied);
            }
            if (piece & board.kind(Kind::Veteran)).any() {
                moves |= attacks::king(from);
            }
            sink.piece(from, moves & line & targets);
        }
    }

    /// The moves of a set of our pawns to squares of `reach`, en passant excepted.
    #[inline(always)]
    fn pawns<const WHITE: bool, const NOISY: bool>(
        &self,
        promotions: Kinds,
        pawns: Bitboard,
        reach: Bitboard,
        sink: &mut impl Sink,
    ) {
        let seventh = Bitboard::rank(if WHITE { 6 } else { 1 });
        let mut moves = self.pawn_moves::<WHITE>(pawns - seventh, reach);
        if NOISY {
            moves.single = Bitboard::EMPTY;
            moves.double = Bitboard::EMPTY;
        }
        sink.pawns::<WHITE>(moves);
        if (pawns & seventh).any() && !promotions.is_empty() {
            let moves = self.pawn_moves::<WHITE>(pawns & seventh, reach);
            sink.promotions::<WHITE>(moves, promotions);
        }
    }

    #[inline(always)]
    fn pawn_moves<const WHITE: bool>(&self, pawns: Bitboard, reach: Bitboard) -> PawnMoves {
        let us = color::<WHITE>();
        let enemy = self.board.color(!us);
        let free = !self.board.occupied();
        let forward = |set: Bitboard| if WHITE { set.north() } else { set.south() };
        let third = Bitboard::rank(if WHITE { 2 } else { 5 });
        let ahead = forward(pawns);
        let single = ahead & free;
        PawnMoves {
            single: single & reach,
            double: forward(single & third) & free & reach,
            east: ahead.east() & enemy & reach,
            west: ahead.west() & enemy & reach,
        }
    }

    /// Appends the legal en passant captures.
    #[cold]
    #[inline(never)]
    fn take_en_passant(&self, us: Color, king: Square, target: Square, sink: &mut impl Sink) {
        for from in self.en_passant_takers(us, king, target) {
            sink.piece(from, Bitboard::of(target));
        }
    }

    /// The pawns of `us` that may legally capture en passant on `target`. The king's safety is tried on the board after
    /// the capture, since two pawns leave their squares at once. Only the board is looked at, so that it also serves while
    /// a move is being made.
    #[cold]
    #[inline(never)]
    pub(super) fn en_passant_takers(&self, us: Color, king: Square, target: Square) -> Bitboard {
        let board = &self.board;
        let victim = Bitboard::of(en_passant_victim(target));
        let enemy = board.color(!us);
        let mut takers = Bitboard::EMPTY;
        if (self.leaper_checkers(us, king) - victim).any() {
            return takers;
        }
        for from in attacks::pawn(!us, target) & board.pieces(us, Kind::Pawn) {
            let occupied = board.occupied() - victim - Bitboard::of(from) | Bitboard::of(target);
            let sliders = attacks::bishop(king, occupied) & board.diagonal_sliders()
                | attacks::rook(king, occupied) & board.orthogonal_sliders();
            if (sliders & enemy).is_empty() {
                takers |= Bitboard::of(from);
            }
        }
        takers
    }
}

#[inline(always)]
const fn color<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}
