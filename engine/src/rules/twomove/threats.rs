//! Threats of a double move against one king: the squares that attackers reach with one move, and the threats that follow.

use super::reach::{advances, ahead, last_rank, promotions_before, sixth_rank};
use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::Board;
use arrayvec::ArrayVec;

/// The attackers' pieces, from the point of view of the attacked king.
#[derive(Clone, Copy)]
pub(super) struct View {
    /// All of the attackers' pieces.
    pub own: Bitboard,
    /// The other side's pieces.
    pub defenders: Bitboard,
    pub pawns: Bitboard,
    pub knights: Bitboard,
    /// Bishops and queens.
    pub diagonal: Bitboard,
    /// Rooks and queens.
    pub orthogonal: Bitboard,
    /// The attackers' king.
    pub own_king: Square,
    /// The king that is attacked.
    pub king: Square,
}

/// The threats that make a king capturable: only a move to a square of `to`, or from a square of `from`, can meet all of them.
#[derive(Clone, Copy)]
pub(super) struct Threats {
    pub to: Bitboard,
    pub from: Bitboard,
    pub found: bool,
}

impl Threats {
    /// Adds a threat; every threat has to be met.
    #[inline(always)]
    pub fn add(&mut self, to: Bitboard, from: Bitboard) {
        self.to &= to;
        self.from |= from;
        self.found = true;
    }
}

impl View {
    #[inline(always)]
    pub fn new(board: &Board<6>, by: Color) -> Self {
        let own = board.color(by);
        Self {
            own,
            defenders: board.color(!by),
            pawns: own & board.kind(Kind::Pawn),
            knights: own & board.kind(Kind::Knight),
            diagonal: own & board.diagonal_sliders(),
            orthogonal: own & board.orthogonal_sliders(),
            own_king: board.king(by),
            king: board.king(!by),
        }
    }

    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.own | self.defenders
    }

    /// Without one of the pieces that defend the king.
    #[inline(always)]
    pub fn without(mut self, piece: Square) -> Self {
        self.defenders ^= Bitboard::of(piece);
        self
    }

    /// The squares from which sliders attack the king: by diagonals, by ranks and files.
    #[inline(always)]
    pub fn lines(&self) -> [Bitboard; 2] {
        let occupied = self.occupied();
        [
            attacks::bishop(self.king, occupied),
            attacks::rook(self.king, occupied),
        ]
    }

    /// Returns the sliders that would attack a king on `king` if a single piece of their own side were gone.
    #[inline(always)]
    pub fn snipers(&self, king: Square, lines: [Bitboard; 2], occupied: Bitboard) -> Bitboard {
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
    pub fn slider(
        &self,
        slider: Square,
        occupied: Bitboard,
        lines: [Bitboard; 2],
    ) -> [Bitboard; 2] {
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
    pub fn threats(&self, board: &Board<6>, by: Color) -> Threats {
        let mut threats = Threats {
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
            threats.add(
                Bitboard::of(attacker) | attacks::between(attacker, king),
                Bitboard::EMPTY,
            );
        }
        let kings = attacks::king(king) & attacks::king(self.own_king) & free;
        if kings.any() || attacks::king(king).has(self.own_king) {
            threats.add(Bitboard::EMPTY, Bitboard::EMPTY);
        }
        if threats.found {
            return threats;
        }

        for stop in attacks::knights(self.knights) & from_knight & free {
            for knight in attacks::knight(stop) & self.knights {
                threats.add(Bitboard::of(knight), Bitboard::EMPTY);
            }
        }
        for slider in self.diagonal | self.orthogonal {
            let [reach, seen] = self.slider(slider, occupied, lines);
            for stop in reach & seen & free {
                threats.add(
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
            threats.add(stop | behind | ahead(!by, behind), Bitboard::EMPTY);
        }
        for stop in attacks::pawns(by, self.pawns) & self.defenders & from_pawn {
            for pawn in attacks::pawn(!by, stop) & self.pawns {
                threats.add(Bitboard::of(pawn), Bitboard::of(stop));
            }
        }
        for from in self.pawns & promotions_before(by) {
            let pawn = Bitboard::of(from);
            let stops = ahead(by, pawn) - occupied | attacks::pawn(by, from) & self.defenders;
            for stop in stops {
                if (attacks::queen(stop, occupied ^ pawn) | attacks::knight(stop)).has(king) {
                    threats.add(
                        pawn | Bitboard::of(stop) | attacks::between(stop, king),
                        Bitboard::of(stop) & self.defenders,
                    );
                }
            }
        }
        for sniper in self.snipers(king, lines, occupied) {
            let line = attacks::between(sniper, king);
            let screen = (line & occupied).first();
            let kind = board.kind_of_piece(screen);
            let leaves = match kind {
                Kind::Pawn => {
                    advances(by, Bitboard::of(screen), occupied)
                        | attacks::pawn(by, screen) & self.defenders
                }
                _ => Board::<6>::piece_attacks(kind, screen, occupied) & free,
            } - line;
            if leaves.any() {
                threats.add(
                    Bitboard::of(sniper) | line | leaves,
                    leaves & self.defenders,
                );
            }
        }
        threats
    }
}

/// The squares that the attackers reach with one move.
pub(super) struct Reach {
    pub view: View,
    pub occupied: Bitboard,
    /// The squares from which sliders attack the king.
    pub from_king: [Bitboard; 2],
    /// Each slider and the squares that it attacks.
    pub sliders: ArrayVec<(Square, Bitboard), 16>,
    /// Squares that diagonal sliders, or orthogonal sliders, can reach.
    pub entered: [Bitboard; 2],
    /// Squares that knights can reach.
    pub leapt: Bitboard,
    /// Squares that the king can reach.
    pub stepped: Bitboard,
    /// Squares that pawns can reach, promotions included.
    pub advanced: Bitboard,
    /// All squares that pawns attack.
    pub pawn_attacks: Bitboard,
    /// All squares that sliders attack.
    pub swept: Bitboard,
    /// Squares on which a piece keeps pawns from advancing.
    pub stops: Bitboard,
    /// Last-rank squares that pawns may come to, with and without our pieces on them.
    pub promoting: Bitboard,
    /// The attackers' pieces that are the only piece between one of their sliders and the king.
    pub screens: Bitboard,
}

impl Reach {
    #[inline(always)]
    pub fn new(view: View, by: Color) -> Self {
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
            leapt: attacks::knights(view.knights) & free,
            stepped: attacks::king(view.own_king) & free,
            advanced: advances(by, view.pawns, occupied) | pawn_attacks & view.defenders,
            pawn_attacks,
            swept,
            stops,
            promoting: (one | pawn_attacks) & last_rank(by),
            screens,
        }
    }

    /// Whether a king on a square that `lines` see would be taken by a piece that needs no other piece's help: at once, or
    /// from where it goes first; `advanced` is where pawns can go.
    #[inline(always)]
    pub fn strikes(
        &self,
        king: Square,
        lines: [Bitboard; 2],
        advanced: Bitboard,
        by: Color,
    ) -> bool {
        let view = &self.view;
        let hit = lines[0] & (view.diagonal | self.entered[0])
            | lines[1] & (view.orthogonal | self.entered[1])
            | attacks::knight(king) & (view.knights | self.leapt)
            | attacks::king(king) & (Bitboard::of(view.own_king) | self.stepped)
            | attacks::pawn(!by, king) & (view.pawns | advanced);
        hit.any()
    }

    /// Whether the king on its square may be in danger; `false` is certain.
    #[inline(always)]
    pub fn may_take(&self, by: Color) -> bool {
        self.screens.any()
            || self.promoting.any()
            || self.strikes(self.view.king, self.from_king, self.advanced, by)
    }

    /// Whether the king is safe after its move to a free square, castling and en passant left out; `None` when this needs a closer
    /// look.
    #[inline(always)]
    pub fn is_king_safe_on(&self, to: Square, by: Color) -> Option<bool> {
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

    /// The defender's pieces whose departure needs a closer look.
    #[inline(always)]
    pub fn delicate(&self) -> Bitboard {
        (self.from_king[0] | self.from_king[1] | self.swept | self.stops) & self.view.defenders
    }

    /// Whether the departure of a piece may open a line or square to the attackers; `false` is certain.
    #[inline(always)]
    pub fn may_open(&self, piece: Square, by: Color) -> bool {
        if self.screens.any() {
            return true;
        }
        let view = &self.view;
        let occupied = view.occupied() ^ Bitboard::of(piece);
        let mut from_king = self.from_king;
        if self.from_king[0].has(piece) {
            from_king[0] = attacks::bishop(view.king, occupied);
        }
        if self.from_king[1].has(piece) {
            from_king[1] = attacks::rook(view.king, occupied);
        }
        let more = [0, 1].map(|line| from_king[line] - self.from_king[line]);
        let stands = self.promoting | view.own;
        if (more[0] & (self.entered[0] | stands) | more[1] & (self.entered[1] | stands)).any() {
            return true;
        }
        if self.swept.has(piece) {
            for &(slider, reach) in &self.sliders {
                if reach.has(piece) {
                    let [reach, seen] = view.slider(slider, occupied, from_king);
                    if (reach & seen).any() {
                        return true;
                    }
                }
            }
        }
        if self.stops.has(piece) {
            let piece = Bitboard::of(piece);
            let opened = piece | ahead(by, piece);
            return (opened & (attacks::pawn(!by, view.king) | last_rank(by))).any();
        }
        false
    }
}

/// The rank that pawns cross with a double step.
#[inline(always)]
pub(super) const fn third_rank(by: Color) -> Bitboard {
    sixth_rank(by.other())
}
