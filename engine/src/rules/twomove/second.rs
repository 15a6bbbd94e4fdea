//! The legal second halves of a turn, most of them as sets, without making them.
//!
//! Whether our king is capturable after a second half depends on few squares. First the position before it is looked
//! at ([`Danger`]): if the king is capturable there, only moves that touch what the threats need can help, and these are
//! made and tested one by one. If not, a man's move can only harm by *leaving* its square (it opened a line, or the way
//! of a pawn) or by standing where a pawn takes it to advantage. The first is asked once for each man that stands on a
//! line or in the way, the second is a mask; all other quiet moves are legal together, and so are captures where nothing
//! that takes back attacks the king. What remains is tested one by one.

use super::TwoMove;
use super::movegen::castling_targets;
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

/// The square from which a pawn comes that a [`Sink`] is handed with its way back.
pub(super) fn origin(to: Square, back: u8) -> Square {
    Square::from_index((to.index() as u8).wrapping_add(back))
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

    /// The sliders that see a king on `king` but for one man of their own.
    #[inline(always)]
    fn snipers(&self, king: Square, lines: [Bitboard; 2], occupied: Bitboard) -> Bitboard {
        let mut snipers = Bitboard::EMPTY;
        if (lines[0] & self.own).any() && self.diagonal.any() {
            snipers |= attacks::bishop(king, occupied ^ lines[0] & self.own) & self.diagonal;
        }
        if (lines[1] & self.own).any() && self.orthogonal.any() {
            snipers |= attacks::rook(king, occupied ^ lines[1] & self.own) & self.orthogonal;
        }
        snipers
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
        for sniper in self.snipers(king, lines, occupied) {
            let line = attacks::between(sniper, king);
            let screen = (line & occupied).first();
            let kind = board.kind_of_man(screen);
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

/// Where the attackers get with one move.
struct Reach {
    view: View,
    occupied: Bitboard,
    /// From where sliders attack the king.
    from_king: [Bitboard; 2],
    /// Each slider and the squares that it attacks.
    sliders: ArrayVec<(Square, Bitboard), 16>,
    /// Where a man that attacks along diagonals, or along ranks and files, can go.
    entered: [Bitboard; 2],
    /// Where knights can go.
    leapt: Bitboard,
    /// Where the king can go.
    stepped: Bitboard,
    /// Where pawns can go, promotions included.
    advanced: Bitboard,
    /// All squares that pawns attack.
    pawn_attacks: Bitboard,
    /// All squares that sliders attack.
    swept: Bitboard,
    /// Squares on which a man keeps pawns from advancing.
    stops: Bitboard,
    /// Last-rank squares that pawns may come to, with and without our men on them.
    promoting: Bitboard,
    /// The attackers' men that stand alone between a slider of theirs and the king.
    screens: Bitboard,
}

impl Reach {
    #[inline(always)]
    fn new(view: View, by: Color) -> Self {
        let occupied = view.occupied();
        let free = !view.own;
        let mut sliders = ArrayVec::new();
        let mut entered = [Bitboard::EMPTY; 2];
        let mut swept = Bitboard::EMPTY;
        for slider in view.diagonal | view.orthogonal {
            let mut reach = Bitboard::EMPTY;
            let (diagonal, orthogonal) = (view.diagonal.has(slider), view.orthogonal.has(slider));
            if diagonal {
                reach = attacks::bishop(slider, occupied);
            }
            if orthogonal {
                reach |= attacks::rook(slider, occupied);
                entered[1] |= reach & free;
            }
            if diagonal {
                entered[0] |= reach & free;
            }
            swept |= reach;
            sliders.push((slider, reach));
        }
        let one = ahead(by, view.pawns);
        let pawn_attacks = one.east() | one.west();
        let stops = one | ahead(by, one & third_rank(by));
        let from_king = view.lines();
        let mut screens = Bitboard::EMPTY;
        for sniper in view.snipers(view.king, from_king, occupied) {
            screens |= attacks::between(sniper, view.king) & occupied;
        }
        Self {
            view,
            occupied,
            from_king,
            sliders,
            entered,
            leapt: knights(view.knights) & free,
            stepped: attacks::king(view.leader) & free,
            advanced: advances(by, view.pawns, occupied) | pawn_attacks & view.prey,
            pawn_attacks,
            swept,
            stops,
            promoting: (one | pawn_attacks) & last_rank(by),
            screens,
        }
    }

    /// Whether a king on a square that `lines` see would be taken by a man that needs no other man's help: at once, or
    /// from where it goes first; `advanced` is where pawns can go.
    #[inline(always)]
    fn strikes(&self, king: Square, lines: [Bitboard; 2], advanced: Bitboard, by: Color) -> bool {
        let view = &self.view;
        let hit = lines[0] & (view.diagonal | self.entered[0])
            | lines[1] & (view.orthogonal | self.entered[1])
            | attacks::knight(king) & (view.knights | self.leapt)
            | attacks::king(king) & (Bitboard::of(view.leader) | self.stepped)
            | attacks::pawn(!by, king) & (view.pawns | advanced);
        hit.any()
    }

    /// Whether the king on its square can be in danger. `false` is certain.
    #[inline(always)]
    fn may_take(&self, by: Color) -> bool {
        self.screens.any()
            || self.promoting.any()
            || self.strikes(self.view.king, self.from_king, self.advanced, by)
    }

    /// Whether the king is safe after its move to a free square, castling and en passant left out; `None` when this needs a closer
    /// look.
    #[inline(always)]
    fn is_king_safe_on(&self, to: Square, by: Color) -> Option<bool> {
        let view = &self.view;
        let home = Bitboard::of(view.king);
        let occupied = self.occupied ^ home;
        let lines = [attacks::bishop(to, occupied), attacks::rook(to, occupied)];
        // What a pawn could take on the king's old square is no longer there.
        if self.strikes(to, lines, self.advanced - home, by) {
            return Some(false);
        }
        let opened = (self.swept | self.stops) & home;
        let clear = opened.is_empty()
            && self.promoting.is_empty()
            && view.snipers(to, lines, occupied).is_empty();
        clear.then_some(true)
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
        if self.from_king[0].has(man) {
            from_king[0] = attacks::bishop(view.king, occupied);
        }
        if self.from_king[1].has(man) {
            from_king[1] = attacks::rook(view.king, occupied);
        }
        let more = [0, 1].map(|line| from_king[line] - self.from_king[line]);
        let stands = self.promoting | view.own;
        if (more[0] & (self.entered[0] | stands) | more[1] & (self.entered[1] | stands)).any() {
            return true;
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
    let reach = Reach::new(View::new(board, them), them);
    let (view, occupied) = (&reach.view, reach.occupied);
    let king = view.king;
    let passed = (position.targets & sixth_rank(them)).any();

    king_moves(position, us, &reach, passed, sink);
    for target in position.targets & sixth_rank(us) {
        for from in attacks::pawn(them, target) & view.prey & board.kind(Kind::Pawn) {
            test(position, us, from, Bitboard::of(target), Kind::Pawn, sink);
        }
    }

    let mut candidates = None;
    if reach.may_take(them) {
        let danger = view.danger(board, them);
        if danger.found {
            candidates = Some((danger.to, danger.from));
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
            for man in view.prey & board.kind(kind) {
                let targets = destinations(board, us, kind, man);
                let targets = if from.has(man) { targets } else { targets & to };
                test(position, us, man, targets, kind, sink);
            }
        }
        return;
    }

    // Where a man of ours would be taken by a pawn that then attacks the king, or opens a line.
    let from_pawn = attacks::pawn(us, king);
    let taken = reach.pawn_attacks & (from_pawn | last_rank(them))
        | attacks::pawns(them, reach.screens & view.pawns);
    // Where a man of theirs that takes back attacks the king, or opens a line.
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

    let pawns = view.prey & board.kind(Kind::Pawn);
    let mut calm = pawns - delicate;
    for from in pawns & delicate {
        if reach.may_open(from, them) {
            let targets = destinations(board, us, Kind::Pawn, from);
            let danger = view.without(from).danger(board, them);
            let targets = if danger.found {
                targets & danger.to
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
        sink.man(from, targets - doubtful);
        test(position, us, from, targets & doubtful, Kind::Pawn, sink);
    }

    let reversal = position.reversal;
    for kind in [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen] {
        for from in view.prey & board.kind(kind) {
            let mut targets = Board::<6>::piece_attacks(kind, from, occupied) - view.prey;
            if from == reversal.from() && reversal != Move::default() {
                targets = targets - Bitboard::of(reversal.to());
            }
            let mut doubtful = taken | taken_back;
            if delicate.has(from) && reach.may_open(from, them) {
                let danger = view.without(from).danger(board, them);
                if danger.found {
                    test(position, us, from, targets & danger.to, kind, sink);
                    continue;
                }
                doubtful |= reach.pawn_attacks | view.own;
            }
            sink.man(from, targets - doubtful);
            test(position, us, from, targets & doubtful, kind, sink);
        }
    }
}

/// The king's steps and castling.
#[inline(always)]
fn king_moves(position: &TwoMove, us: Color, reach: &Reach, passed: bool, sink: &mut impl Sink) {
    let view = &reach.view;
    let (king, reversal) = (view.king, position.reversal);
    let mut targets = attacks::king(king) - view.prey;
    if king == reversal.from() && reversal != Move::default() {
        targets = targets - Bitboard::of(reversal.to());
    }
    for to in targets - view.own {
        match reach.is_king_safe_on(to, us.other()) {
            Some(true) if !passed && !may_castle_to_attack(position, us.other(), to) => {
                sink.man(king, Bitboard::of(to));
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
    for wing in Wing::ALL {
        let rook = wing.rook_target(by);
        if position.rights.has(by, wing)
            && (attacks::king(wing.king_target(by)) | attacks::rook_rays(rook)).has(king)
        {
            let blockers = attacks::between(rook, king)
                & position.board.occupied() - Bitboard::of(wing.king_home(by));
            may |= !blockers.many();
        }
    }
    may
}
