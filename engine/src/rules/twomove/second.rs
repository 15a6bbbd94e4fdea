//! The legal second halves of a turn, most of them as sets, without making them.
//!
//! Whether our king is capturable after a second half depends on few squares. First the position before it is looked
//! at ([`Danger`]): if the king is capturable there, only moves that touch what the threats need can help, and these are
//! made and tested one by one. If not, a man's move can only harm by *leaving* its square (it opened a line, or the way
//! of a pawn) or by standing where a pawn takes it to advantage. The first is asked once for each man that stands on a
//! line or in the way, the second is a mask; all other quiet moves are legal together. Moves of the king, captures,
//! castling and en passant are tested one by one.

use super::TwoMove;
use super::movegen::castlings;
use super::reach::{
    advances, ahead, destinations, knights, last_rank, promotions_before, sixth_rank,
};
use crate::core::{Bitboard, Color, Kind, Kinds, Move, Square, attacks};
use crate::rules::{Board, Wing};
use arrayvec::ArrayVec;

/// Receives the legal second halves.
pub(super) trait Sink {
    /// A man's moves.
    fn man(&mut self, from: Square, targets: Bitboard);

    /// Advances of pawns, `back` squares (by index) from each target.
    fn pawns(&mut self, targets: Bitboard, back: u8);

    /// Advances of pawns to the last rank, each four moves.
    fn promotions(&mut self, targets: Bitboard, back: u8);

    /// One move.
    fn step(&mut self, step: Move);
}

/// What the attackers have, seen against one king.
#[derive(Clone, Copy)]
struct View {
    own: Bitboard,
    prey: Bitboard,
    pawns: Bitboard,
    knights: Bitboard,
    diagonal: Bitboard,
    orthogonal: Bitboard,
    leader: Square,
    king: Square,
}

/// Why a king is capturable: a move can only help if it goes to one of the squares of `to`, or leaves one of `from`.
#[derive(Clone, Copy)]
struct Danger {
    to: Bitboard,
    from: Bitboard,
    found: bool,
}

impl Danger {
    /// One more threat: every one has to be met.
    #[inline(always)]
    fn add(&mut self, to: Bitboard, from: Bitboard) {
        self.to &= to;
        self.from |= from;
        self.found = true;
    }
}

impl View {
    #[inline(always)]
    fn new(board: &Board<6>, by: Color) -> Self {
        let own = board.color(by);
        Self {
            own,
            prey: board.color(!by),
            pawns: own & board.kind(Kind::Pawn),
            knights: own & board.kind(Kind::Knight),
            diagonal: own & board.diagonal_sliders(),
            orthogonal: own & board.orthogonal_sliders(),
            leader: board.king(by),
            king: board.king(!by),
        }
    }

    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.own | self.prey
    }

    /// Without one of the men that defend the king.
    #[inline(always)]
    fn without(mut self, man: Square) -> Self {
        self.prey ^= Bitboard::of(man);
        self
    }

    /// The squares from which sliders attack the king: by diagonals, by ranks and files.
    #[inline(always)]
    fn lines(&self) -> [Bitboard; 2] {
        let occupied = self.occupied();
        [
            attacks::bishop(self.king, occupied),
            attacks::rook(self.king, occupied),
        ]
    }

    /// The attackers' men that stand alone between a slider of theirs and the king, each with that slider.
    #[inline(always)]
    fn screens(&self, lines: [Bitboard; 2]) -> (Bitboard, Bitboard) {
        let occupied = self.occupied();
        let mut snipers = Bitboard::EMPTY;
        if (lines[0] & self.own).any() && self.diagonal.any() {
            snipers |= attacks::bishop(self.king, occupied ^ lines[0] & self.own) & self.diagonal;
        }
        if (lines[1] & self.own).any() && self.orthogonal.any() {
            snipers |= attacks::rook(self.king, occupied ^ lines[1] & self.own) & self.orthogonal;
        }
        let mut screens = Bitboard::EMPTY;
        for sniper in snipers {
            screens |= attacks::between(sniper, self.king) & occupied;
        }
        (snipers, screens)
    }

    /// The squares that a slider attacks, and those from which it would attack the king.
    #[inline(always)]
    fn slider(&self, slider: Square, occupied: Bitboard, lines: [Bitboard; 2]) -> [Bitboard; 2] {
        let mut reach = Bitboard::EMPTY;
        let mut seen = Bitboard::EMPTY;
        if self.diagonal.has(slider) {
            reach = attacks::bishop(slider, occupied);
            seen = lines[0];
        }
        if self.orthogonal.has(slider) {
            reach |= attacks::rook(slider, occupied);
            seen |= lines[1];
        }
        [reach, seen]
    }

    /// The threats of the attackers, castling and en passant left out. Of threats by the first move and threats by the
    /// second only the former, if there are any.
    #[inline(never)]
    fn danger(&self, board: &Board<6>, by: Color) -> Danger {
        let mut danger = Danger {
            to: Bitboard::ALL,
            from: Bitboard::EMPTY,
            found: false,
        };
        let (occupied, king, free) = (self.occupied(), self.king, !self.own);
        let lines = self.lines();
        let from_knight = attacks::knight(king);
        let from_pawn = attacks::pawn(!by, king);

        let direct = lines[0] & self.diagonal
            | lines[1] & self.orthogonal
            | from_knight & self.knights
            | from_pawn & self.pawns;
        for attacker in direct {
            danger.add(
                Bitboard::of(attacker) | attacks::between(attacker, king),
                Bitboard::EMPTY,
            );
        }
        let kings = attacks::king(king) & attacks::king(self.leader) & free;
        if kings.any() || attacks::king(king).has(self.leader) {
            danger.add(Bitboard::EMPTY, Bitboard::EMPTY);
        }
        if danger.found {
            return danger;
        }

        for stop in knights(self.knights) & from_knight & free {
            for knight in attacks::knight(stop) & self.knights {
                danger.add(Bitboard::of(knight), Bitboard::EMPTY);
            }
        }
        for slider in self.diagonal | self.orthogonal {
            let [reach, seen] = self.slider(slider, occupied, lines);
            for stop in reach & seen & free {
                danger.add(
                    Bitboard::of(slider)
                        | attacks::between(slider, stop)
                        | attacks::between(stop, king),
                    Bitboard::EMPTY,
                );
            }
        }
        for stop in advances(by, self.pawns, occupied) & from_pawn {
            let stop = Bitboard::of(stop);
            let behind = ahead(!by, stop);
            danger.add(stop | behind | ahead(!by, behind), Bitboard::EMPTY);
        }
        for stop in attacks::pawns(by, self.pawns) & self.prey & from_pawn {
            for pawn in attacks::pawn(!by, stop) & self.pawns {
                danger.add(Bitboard::of(pawn), Bitboard::of(stop));
            }
        }
        for from in self.pawns & promotions_before(by) {
            let pawn = Bitboard::of(from);
            let stops = ahead(by, pawn) - occupied | attacks::pawn(by, from) & self.prey;
            for stop in stops {
                if (attacks::queen(stop, occupied ^ pawn) | attacks::knight(stop)).has(king) {
                    danger.add(
                        pawn | Bitboard::of(stop) | attacks::between(stop, king),
                        Bitboard::of(stop) & self.prey,
                    );
                }
            }
        }
        let (snipers, _) = self.screens(lines);
        for sniper in snipers {
            let line = attacks::between(sniper, king);
            let screen = (line & occupied).first();
            let kind = board.kind_at(screen).unwrap_or(Kind::King);
            let leaves = match kind {
                Kind::Pawn => {
                    advances(by, Bitboard::of(screen), occupied)
                        | attacks::pawn(by, screen) & self.prey
                }
                _ => Board::<6>::piece_attacks(kind, screen, occupied) & free,
            } - line;
            if leaves.any() {
                danger.add(Bitboard::of(sniper) | line | leaves, leaves & self.prey);
            }
        }
        danger
    }
}

/// The attackers' long lines in a position in which the king is safe.
struct Lines {
    view: View,
    from_king: [Bitboard; 2],
    /// Each slider and the squares that it attacks.
    sliders: ArrayVec<(Square, Bitboard), 16>,
    /// Where something that attacks along diagonals, or along ranks and files, stands after one move.
    entered: [Bitboard; 2],
    /// All squares that sliders attack.
    swept: Bitboard,
    /// Squares that keep pawns from advancing.
    stops: Bitboard,
    screens: Bitboard,
}

impl Lines {
    #[inline(always)]
    fn new(view: View, by: Color) -> Self {
        let occupied = view.occupied();
        let from_king = view.lines();
        let mut sliders = ArrayVec::new();
        let mut entered = [Bitboard::EMPTY; 2];
        let mut swept = Bitboard::EMPTY;
        for slider in view.diagonal | view.orthogonal {
            let [reach, _] = view.slider(slider, occupied, from_king);
            sliders.push((slider, reach));
            swept |= reach;
            if view.diagonal.has(slider) {
                entered[0] |= reach;
            }
            if view.orthogonal.has(slider) {
                entered[1] |= reach;
            }
        }
        let one = ahead(by, view.pawns);
        let promoting = (one | one.east() | one.west()) & last_rank(by);
        entered[0] |= promoting;
        entered[1] |= promoting;
        let (_, screens) = view.screens(from_king);
        Self {
            view,
            from_king,
            sliders,
            entered,
            swept,
            stops: one | ahead(by, one & third_rank(by)),
            screens,
        }
    }

    /// Our men whose leaving needs a closer look.
    #[inline(always)]
    fn delicate(&self) -> Bitboard {
        (self.from_king[0] | self.from_king[1] | self.swept | self.stops) & self.view.prey
    }

    /// Whether a man's leaving may open something to the attackers. `false` is certain.
    #[inline(always)]
    fn may_open(&self, man: Square, by: Color) -> bool {
        if self.screens.any() {
            return true;
        }
        let view = &self.view;
        let occupied = view.occupied() ^ Bitboard::of(man);
        let mut from_king = self.from_king;
        for line in 0..2 {
            if !self.from_king[line].has(man) {
                continue;
            }
            from_king[line] = if line == 0 {
                attacks::bishop(view.king, occupied)
            } else {
                attacks::rook(view.king, occupied)
            };
            let more = from_king[line] - self.from_king[line];
            if (more & (self.entered[line] | view.own)).any() {
                return true;
            }
        }
        if self.swept.has(man) {
            for &(slider, reach) in &self.sliders {
                if reach.has(man) {
                    let [reach, seen] = view.slider(slider, occupied, from_king);
                    if (reach & seen).any() {
                        return true;
                    }
                }
            }
        }
        if self.stops.has(man) {
            let man = Bitboard::of(man);
            let opened = man | ahead(by, man);
            return (opened & (attacks::pawn(!by, view.king) | last_rank(by))).any();
        }
        false
    }
}

/// The rank that pawns cross with a double step.
#[inline(always)]
const fn third_rank(by: Color) -> Bitboard {
    sixth_rank(by.other())
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
    let view = View::new(board, them);
    let occupied = view.occupied();
    let one_by_one = |from: Square, targets: Bitboard, kind: Kind, sink: &mut _| {
        test(position, us, from, targets, kind, sink);
    };

    // What is tested one by one in any case.
    let king = view.king;
    one_by_one(
        king,
        destinations(board, us, Kind::King, king),
        Kind::King,
        sink,
    );
    for target in position.targets & sixth_rank(us) {
        for from in attacks::pawn(them, target) & view.prey & board.kind(Kind::Pawn) {
            one_by_one(from, Bitboard::of(target), Kind::Pawn, sink);
        }
    }
    for castling in castlings(position) {
        one_by_one(king, Bitboard::of(castling.to()), Kind::King, sink);
    }

    let danger = view.danger(board, them);
    let unsure = !danger.found
        && ((position.targets & sixth_rank(them)).any()
            || may_castle_to_attack(position, them, king));
    if danger.found || unsure {
        for kind in [
            Kind::Pawn,
            Kind::Knight,
            Kind::Bishop,
            Kind::Rook,
            Kind::Queen,
        ] {
            for from in view.prey & board.kind(kind) {
                let mut targets = destinations(board, us, kind, from);
                if danger.found && !danger.from.has(from) {
                    targets &= danger.to;
                }
                one_by_one(from, targets, kind, sink);
            }
        }
        return;
    }

    let lines = Lines::new(view, them);
    let pawn_attacks = attacks::pawns(them, view.pawns);
    // Where a man of ours would be taken by a pawn that then attacks the king, or opens a line.
    let taken = pawn_attacks & (attacks::pawn(us, king) | last_rank(them))
        | attacks::pawns(them, lines.screens & view.pawns);
    let delicate = lines.delicate();
    let reversal = position.reversal;

    let pawns = view.prey & board.kind(Kind::Pawn);
    let mut calm = pawns - delicate;
    for from in pawns & delicate {
        if !lines.may_open(from, them) {
            calm |= Bitboard::of(from);
            continue;
        }
        let targets = destinations(board, us, Kind::Pawn, from);
        let danger = view.without(from).danger(board, them);
        let targets = if danger.found {
            targets & danger.to
        } else {
            targets
        };
        one_by_one(from, targets, Kind::Pawn, sink);
    }
    let single = ahead(us, calm) - occupied;
    let double = ahead(us, single & third_rank(us)) - occupied;
    let (one, two) = match us {
        Color::White => (8u8.wrapping_neg(), 16u8.wrapping_neg()),
        Color::Black => (8, 16),
    };
    sink.pawns(single - taken - last_rank(us), one);
    if (single & last_rank(us)).any() {
        sink.promotions(single & last_rank(us) - taken, one);
    }
    // A double step past a pawn gives it a capture.
    let passing = taken | ahead(us, pawn_attacks & third_rank(us));
    sink.pawns(double - passing, two);
    let origin = |to: Square, back: u8| Square::from_index((to.index() as u8).wrapping_add(back));
    for to in single & taken {
        one_by_one(origin(to, one), Bitboard::of(to), Kind::Pawn, sink);
    }
    for to in double & passing {
        one_by_one(origin(to, two), Bitboard::of(to), Kind::Pawn, sink);
    }
    for from in calm & attacks::pawns(them, view.own) {
        one_by_one(from, attacks::pawn(us, from) & view.own, Kind::Pawn, sink);
    }

    for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        for from in view.prey & board.kind(kind) {
            let mut targets = Board::<6>::piece_attacks(kind, from, occupied) - view.prey;
            if from == reversal.from() && reversal != Move::default() {
                targets = targets - Bitboard::of(reversal.to());
            }
            let mut doubtful = taken | view.own;
            if delicate.has(from) && lines.may_open(from, them) {
                let danger = view.without(from).danger(board, them);
                if danger.found {
                    one_by_one(from, targets & danger.to, kind, sink);
                    continue;
                }
                doubtful |= pawn_attacks;
            }
            sink.man(from, targets - doubtful);
            one_by_one(from, targets & doubtful, kind, sink);
        }
    }
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
    for to in targets {
        let step = Move::new(from, to);
        if kind == Kind::Pawn && last_rank(us).has(to) {
            for promotion in Kinds::CHESS_PROMOTIONS {
                let step = Move::promoting(from, to, promotion);
                if position.is_safe_after(step) {
                    sink.step(step);
                }
            }
        } else if step != position.reversal && position.is_safe_after(step) {
            sink.step(step);
        }
    }
}

/// Whether castling of the attackers might attack the king after some move of ours. `false` is certain.
#[inline(always)]
fn may_castle_to_attack(position: &TwoMove, by: Color, king: Square) -> bool {
    Wing::ALL.into_iter().any(|wing| {
        position.rights.has(by, wing)
            && (attacks::king(wing.king_target(by)).has(king)
                || attacks::rook_rays(wing.rook_target(by)).has(king)
                    && !(attacks::between(wing.rook_target(by), king)
                        & position.board.occupied() - Bitboard::of(wing.king_home(by)))
                    .many())
    })
}
