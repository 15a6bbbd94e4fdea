//! Lines of three dice that take the king, as far as no shorter line pays for the same roll.
//!
//! The first step is made by some piece. What the line needs it for is one of these:
//! the piece itself attacks the king after a second step; it leaves the line of a slider in two steps, or takes what stands
//! there and leaves; it makes room for two more steps of other pieces; it gets behind a piece that then leaves the line. Pawns near promotion are tried step by step, as is everything where a capture en passant may come in.

use super::{Attack, LAST_RANKS, PROMOTED, RollSet};
use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::Board;
use crate::rules::dice::Pool;

/// The pieces that go along lines.
const SLIDERS: [Kind; 3] = [Kind::Bishop, Kind::Rook, Kind::Queen];

impl Attack {
    /// Whether a pawn can take en passant with its first or second step.
    pub(super) fn may_take_en_passant(&self) -> bool {
        let beside = attacks::pawns(!self.by, self.targets);
        let before = self.back(beside) | attacks::pawns(!self.by, beside);
        ((beside | before) & self.of(Kind::Pawn)).any()
    }

    /// The squares one rank nearer to the attacker's own side.
    #[inline(always)]
    fn back(&self, squares: Bitboard) -> Bitboard {
        match self.by {
            Color::White => squares.south(),
            Color::Black => squares.north(),
        }
    }

    /// The attacker's pawns that can promote with one or two dice.
    #[inline(always)]
    fn near_promotion(&self) -> Bitboard {
        self.of(Kind::Pawn)
            & match self.by {
                Color::White => Bitboard::rank(5) | Bitboard::rank(6),
                Color::Black => Bitboard::rank(2) | Bitboard::rank(1),
            }
    }

    /// Adds the rolls that take the king with three dice, until `enough` throws are found. `from` holds the squares from
    /// which each kind attacks the king; what shorter lines pay for is already found.
    #[inline]
    pub(super) fn third_die(&self, from: &[Bitboard; 6], found: &mut RollSet, enough: u32) {
        if self.targets.any() {
            for kind in Kind::CHESS {
                for piece in self.of(kind) {
                    self.try_steps(kind, piece, found);
                }
            }
            return;
        }
        self.three_steps(from, found);
        self.leave_in_two(found);
        if found.reaches(enough) {
            return;
        }
        let promoting = self.near_promotion();
        let room = Room::of(self, from);
        for kind in Kind::CHESS {
            let Some(spent) = Pool::EMPTY.with(kind) else {
                continue;
            };
            for piece in self.of(kind) {
                if !found.wants(spent) {
                    break;
                }
                if promoting.has(piece) {
                    self.try_steps(kind, piece, found);
                } else {
                    if SLIDERS.contains(&kind) {
                        self.get_behind(kind, piece, found);
                    }
                    self.make_room(&room, kind, piece, found);
                }
            }
        }
    }

    /// Every first step of a piece, made.
    fn try_steps(&self, kind: Kind, piece: Square, found: &mut RollSet) {
        let Some(spent) = Pool::EMPTY.with(kind) else {
            return;
        };
        if !found.wants(spent) {
            return;
        }
        for to in self.reach(kind, piece) - Bitboard::of(self.king) {
            if kind == Kind::Pawn && LAST_RANKS.has(to) {
                for becomes in PROMOTED {
                    self.after(kind, piece, to, becomes).two_dice(spent, found);
                }
            } else {
                self.after(kind, piece, to, kind).two_dice(spent, found);
            }
        }
    }

    /// One piece moves two steps and then captures the king.
    #[inline]
    fn three_steps(&self, from: &[Bitboard; 6], found: &mut RollSet) {
        for kind in Kind::CHESS {
            let pool = Pool::EMPTY
                .with(kind)
                .and_then(|pool| pool.with(kind))
                .and_then(|pool| pool.with(kind));
            let Some(pool) = pool else { continue };
            if self.of(kind).is_empty() || !found.wants(pool) {
                continue;
            }
            let arrives = if kind == Kind::Pawn {
                let step =
                    |pawns| self.pushes(pawns) | attacks::pawns(self.by, pawns) & self.enemies;
                (step(step(self.of(kind))) & from[0]).any()
            } else {
                let mut between = Bitboard::EMPTY;
                for last in from[kind.index()] - self.own {
                    between |= Board::<6>::piece_attacks(kind, last, self.occupied());
                }
                self.steps_to(kind, between)
            };
            if arrives {
                found.add(pool);
            }
        }
    }

    /// The sliders that have the king on a line, whatever stands between.
    #[inline(always)]
    pub(super) fn aligned(&self) -> Bitboard {
        let queens = self.of(Kind::Queen);
        attacks::bishop(self.king, Bitboard::EMPTY) & (self.of(Kind::Bishop) | queens)
            | attacks::rook(self.king, Bitboard::EMPTY) & (self.of(Kind::Rook) | queens)
    }

    #[inline(always)]
    pub(super) fn kind_on(&self, square: Square) -> Kind {
        Kind::CHESS
            .into_iter()
            .find(|&kind| self.of(kind).has(square))
            .unwrap_or(Kind::Pawn)
    }

    /// A piece leaves the line between a slider and the king in two steps, the first of which may take what else is there.
    #[inline]
    fn leave_in_two(&self, found: &mut RollSet) {
        let occupied = self.occupied();
        for slider in self.aligned() {
            let gap = attacks::between(slider, self.king);
            let (own, enemies) = (gap & self.own, gap & self.enemies);
            if own.many() || enemies.many() || (gap & occupied).is_empty() {
                continue;
            }
            let Some(spent) = Pool::EMPTY.with(self.kind_on(slider)) else {
                continue;
            };
            for kind in Kind::CHESS {
                let pool = spent.with(kind).and_then(|pool| pool.with(kind));
                let Some(pool) = pool else { continue };
                if !found.wants(pool) {
                    continue;
                }
                // With an own piece in the gap only that piece can clear it.
                let pieces = if own.any() {
                    own & self.of(kind)
                } else {
                    self.of(kind)
                };
                let stops = if enemies.any() { enemies } else { gap };
                for piece in pieces {
                    if self.leaves_by(kind, piece, stops, gap) {
                        found.add(pool);
                        break;
                    }
                }
            }
        }
    }

    /// Whether a piece can go to one of these squares and from there out of the gap.
    fn leaves_by(&self, kind: Kind, piece: Square, stops: Bitboard, gap: Bitboard) -> bool {
        let mut stops = self.reach(kind, piece) & stops;
        if kind == Kind::Pawn {
            // Pawns that promote are tried step by step.
            stops = stops - LAST_RANKS;
        }
        for stop in stops {
            let next = self.after(kind, piece, stop, kind);
            if (next.reach(kind, stop) - gap).any() {
                return true;
            }
        }
        false
    }

    /// A slider gets behind an own piece, and that piece leaves the line. (If the piece can leave first, `make_room` finds the line
    /// too; but where it goes may be in the slider's way, or it may leave through the square that the slider came from.)
    fn get_behind(&self, kind: Kind, piece: Square, found: &mut RollSet) {
        let twice = Pool::EMPTY.with(kind).and_then(|pool| pool.with(kind));
        let Some(twice) = twice.filter(|&pool| found.wants(pool)) else {
            return;
        };
        let lines = Board::<6>::piece_attacks(kind, self.king, Bitboard::EMPTY);
        for to in self.reach(kind, piece) & lines - Bitboard::of(self.king) {
            let gap = attacks::between(to, self.king);
            let blockers = gap & self.occupied();
            if blockers.many() || (blockers & self.own).is_empty() || blockers.has(piece) {
                continue;
            }
            let blocker = blockers.first();
            let leaver = self.kind_on(blocker);
            if let Some(pool) = twice.with(leaver).filter(|&pool| found.wants(pool)) {
                let next = self.after(kind, piece, to, kind);
                if (next.reach(leaver, blocker) - gap).any() {
                    found.add(pool);
                }
            }
        }
    }

    /// A piece goes out of the way of two more steps of the others.
    #[inline]
    fn make_room(&self, room: &Room, kind: Kind, piece: Square, found: &mut RollSet) {
        let Some(spent) = Pool::EMPTY.with(kind).filter(|&spent| found.wants(spent)) else {
            return;
        };
        if !room.rays.has(piece) && !room.is_wanted(self, piece) {
            return;
        }
        // With the piece off the board the others can do at least what they can wherever it goes.
        let bit = Bitboard::of(piece);
        let mut lifted = *self;
        lifted.pieces[kind.index().min(5)] ^= bit;
        lifted.own ^= bit;
        let mut most = RollSet { rolls: found.rolls };
        lifted.two_dice(spent, &mut most);
        if most.rolls == found.rolls {
            return;
        }
        for to in self.reach(kind, piece) - Bitboard::of(self.king) {
            self.after(kind, piece, to, kind).two_dice(spent, found);
            if most.rolls & !found.rolls == 0 {
                return;
            }
        }
    }
}

/// Where room that a piece makes can be of use.
struct Room {
    /// Everything that the king sees along lines.
    rays: Bitboard,
    /// The squares that the attacker's sliders attack, its own pieces included.
    sliders: Bitboard,
    /// The squares from which the attacker's knights and king attack the enemy king.
    leaps: Bitboard,
    steps: Bitboard,
    /// Own pieces between an own slider and the enemy king, however many pieces stand there.
    blockers: Bitboard,
}

impl Room {
    #[inline]
    fn of(attack: &Attack, from: &[Bitboard; 6]) -> Self {
        let occupied = attack.occupied();
        let mut sliders = Bitboard::EMPTY;
        for kind in SLIDERS {
            for piece in attack.of(kind) {
                sliders |= Board::<6>::piece_attacks(kind, piece, occupied);
            }
        }
        let mut blockers = Bitboard::EMPTY;
        for slider in attack.aligned() {
            let within = attacks::between(slider, attack.king) & occupied;
            blockers |= within & attack.own;
        }
        Self {
            rays: from[Kind::Queen.index()],
            sliders,
            leaps: from[Kind::Knight.index()],
            steps: from[Kind::King.index()],
            blockers,
        }
    }

    /// Whether another own piece could use the square of this one.
    #[inline(always)]
    fn is_wanted(&self, attack: &Attack, piece: Square) -> bool {
        let knights = attacks::knight(piece) & attack.of(Kind::Knight);
        let king = attacks::king(piece) & attack.of(Kind::King);
        let square = Bitboard::of(piece);
        let behind = attack.back(square);
        let pawns = (behind | attack.back(behind)) & attack.of(Kind::Pawn);
        self.sliders.has(piece)
            || pawns.any()
            || (knights.any() && (self.leaps.has(piece) || (knights & self.blockers).any()))
            || (king.any() && (self.steps.has(piece) || (king & self.blockers).any()))
    }
}
