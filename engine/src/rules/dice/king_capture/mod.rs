//! The probability to take the king with the next roll, without generating turns.
//!
//! A roll takes the king exactly if it contains a multiset of dice that pays for some line ending in the capture. One
//! die: an attack on the king. Two dice: one piece goes to a square from which it attacks the king, or gets out of the
//! way of a slider; both are intersections of target sets. Three dice (`three_dice.rs`): one piece goes three steps, or leaves
//! a line in two, or makes room for two more steps of the others. Rolls that contain a shorter line are decided by it and not
//! examined again, and the caller may state how many throws are enough: most positions are decided by one die.

mod three_dice;

#[cfg(test)]
mod tests;

use super::pool::weight_of;
use super::{DiceChess, Pool};
use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::{Board, CastlingSide, Rules};

const LAST_RANKS: Bitboard = Bitboard(Bitboard::RANK_1.0 | Bitboard::RANK_8.0);
/// What a pawn can become.
const PROMOTED: [Kind; 4] = [Kind::Knight, Kind::Bishop, Kind::Rook, Kind::Queen];

/// The attacker's pieces and the pieces that block them.
#[derive(Clone, Copy)]
struct Attack {
    /// The attacker's pieces by kind.
    pieces: [Bitboard; 6],
    own: Bitboard,
    enemies: Bitboard,
    /// The squares on which the attacker may take en passant.
    targets: Bitboard,
    by: Color,
    king: Square,
}

/// The rolls found so far, one bit each.
struct RollSet {
    rolls: u64,
}

impl RollSet {
    #[inline(always)]
    fn wants(&self, pool: Pool) -> bool {
        pool.rolls_with() & !self.rolls != 0
    }

    #[inline(always)]
    fn add(&mut self, pool: Pool) {
        self.rolls |= pool.rolls_with();
    }

    #[inline(always)]
    fn reaches(&self, throws: u32) -> bool {
        weight_of(self.rolls) >= throws
    }
}

impl Attack {
    #[inline(always)]
    fn occupied(&self) -> Bitboard {
        self.own | self.enemies
    }

    #[inline(always)]
    fn of(&self, kind: Kind) -> Bitboard {
        self.pieces[kind.index().min(5)]
    }

    /// The squares that the attacker's pawns enter by a single and by a double step.
    #[inline(always)]
    fn pushes(&self, pawns: Bitboard) -> Bitboard {
        let free = !self.occupied();
        match self.by {
            Color::White => {
                let one = pawns.north() & free;
                one | (one & Bitboard::rank(2)).north() & free
            }
            Color::Black => {
                let one = pawns.south() & free;
                one | (one & Bitboard::rank(5)).south() & free
            }
        }
    }

    /// Where a piece can go in one step.
    #[inline(always)]
    fn reach(&self, kind: Kind, from: Square) -> Bitboard {
        if kind == Kind::Pawn {
            self.pushes(Bitboard::of(from))
                | attacks::pawn(self.by, from) & (self.enemies | self.targets)
        } else {
            Board::<6>::piece_attacks(kind, from, self.occupied()) - self.own
        }
    }

    /// The attacker after one step, as far as attacks are concerned.
    #[inline(always)]
    fn after(&self, kind: Kind, from: Square, to: Square, becomes: Kind) -> Self {
        let mut next = *self;
        let (from, to_set) = (Bitboard::of(from), Bitboard::of(to));
        let beside = Bitboard::of(Square::from_index(to.index() as u8 ^ 8));
        next.pieces[kind.index().min(5)] ^= from;
        next.pieces[becomes.index().min(5)] ^= to_set;
        next.own ^= from | to_set;
        if kind == Kind::Pawn
            && self.targets.has(to)
            && (attacks::pawn(self.by, from.first()) & to_set).any()
        {
            next.enemies ^= beside;
        }
        next.enemies = next.enemies - to_set;
        next.targets = next.targets - (to_set | beside);
        next
    }

    /// Adds the rolls that take the king with one die more than `spent`.
    #[inline(always)]
    fn one_die(&self, spent: Pool, found: &mut RollSet) -> [Bitboard; 6] {
        let occupied = self.occupied();
        let diagonal = attacks::bishop(self.king, occupied);
        let straight = attacks::rook(self.king, occupied);
        let from = [
            attacks::pawn(!self.by, self.king),
            attacks::knight(self.king),
            diagonal,
            straight,
            diagonal | straight,
            attacks::king(self.king),
        ];
        for kind in Kind::CHESS {
            if (from[kind.index()] & self.of(kind)).any()
                && let Some(pool) = spent.with(kind)
            {
                found.add(pool);
            }
        }
        from
    }

    /// Adds the rolls that take the king with one or two dice more than `spent`, which is at most one die.
    #[inline]
    fn two_dice(&self, spent: Pool, found: &mut RollSet) {
        let from = self.one_die(spent, found);
        self.second_die(&from, spent, found);
    }

    /// Adds the rolls that take the king with two dice more than `spent`; `from` is what [`Attack::one_die`] has given.
    #[inline]
    fn second_die(&self, from: &[Bitboard; 6], spent: Pool, found: &mut RollSet) {
        // Once a piece attacks the king directly, its die alone decides; so whatever a piece's own departure opens for
        // itself needs no look: the same line was open to it before.
        for kind in Kind::CHESS {
            let Some(pool) = spent.with(kind).and_then(|pool| pool.with(kind)) else {
                continue;
            };
            if found.wants(pool) && self.steps_to(kind, from[kind.index()]) {
                found.add(pool);
            }
        }
        self.promotions(spent, found);
        self.discoveries(spent, found);
        if self.targets.any() {
            self.en_passant(spent, found);
        }
    }

    /// Whether a piece of this kind can go to one of these squares in one step (and stay what it is there).
    #[inline(always)]
    fn steps_to(&self, kind: Kind, squares: Bitboard) -> bool {
        let pieces = self.of(kind);
        if kind == Kind::Pawn {
            let forward = self.pushes(pieces) & squares;
            let taking = attacks::pawns(self.by, pieces) & (self.enemies | self.targets) & squares;
            return (forward | taking).any();
        }
        let free = squares - self.own;
        for piece in pieces {
            if (Board::<6>::piece_attacks(kind, piece, self.occupied()) & free).any() {
                return true;
            }
        }
        false
    }

    /// A pawn becomes a piece that attacks the king.
    #[inline(always)]
    fn promotions(&self, spent: Pool, found: &mut RollSet) {
        let rank = match self.by {
            Color::White => Bitboard::rank(6),
            Color::Black => Bitboard::rank(1),
        };
        let Some(with_pawn) = spent.with(Kind::Pawn) else {
            return;
        };
        for from in self.of(Kind::Pawn) & rank {
            let occupied = self.occupied() - Bitboard::of(from);
            for to in self.reach(Kind::Pawn, from) {
                for kind in PROMOTED {
                    if let Some(pool) = with_pawn.with(kind)
                        && found.wants(pool)
                        && Board::<6>::piece_attacks(kind, to, occupied).has(self.king)
                    {
                        found.add(pool);
                    }
                }
            }
        }
    }

    /// A piece leaves the line between a slider and the king.
    #[inline(always)]
    fn discoveries(&self, spent: Pool, found: &mut RollSet) {
        let occupied = self.occupied();
        for slider in self.aligned() {
            let gap = attacks::between(slider, self.king);
            let blockers = gap & occupied;
            if blockers.many() || (blockers & self.own).is_empty() {
                continue;
            }
            let blocker = blockers.first();
            let leaver = self.kind_on(blocker);
            if let Some(pool) = spent
                .with(self.kind_on(slider))
                .and_then(|pool| pool.with(leaver))
                && found.wants(pool)
                && (self.reach(leaver, blocker) - gap).any()
            {
                found.add(pool);
            }
        }
    }

    /// An en passant capture also opens lines through the captured pawn.
    #[cold]
    fn en_passant(&self, spent: Pool, found: &mut RollSet) {
        let Some(with_pawn) = spent.with(Kind::Pawn) else {
            return;
        };
        for to in self.targets {
            for from in attacks::pawn(!self.by, to) & self.of(Kind::Pawn) {
                self.after(Kind::Pawn, from, to, Kind::Pawn)
                    .one_die(with_pawn, found);
            }
        }
    }
}

/// A count of the throws with which a side captures the king, carried only as far as needed.
pub(crate) struct KingHunt<'a> {
    position: &'a DiceChess,
    attack: Attack,
    /// The squares from which each kind attacks the king.
    from: [Bitboard; 6],
    found: RollSet,
}

impl<'a> KingHunt<'a> {
    /// Begins with the rolls of which one die is enough; `None` if there is no king to take.
    #[inline]
    pub(crate) fn new(position: &'a DiceChess, by: Color) -> Option<Self> {
        let board = &position.board;
        let king = board.pieces(!by, Kind::King).try_first()?;
        let own = board.color(by);
        let mut attack = Attack {
            pieces: Kind::CHESS.map(|kind| own & board.kind(kind)),
            own,
            enemies: board.color(!by),
            targets: if by == position.side {
                position.enemy_targets()
            } else {
                Bitboard::EMPTY
            },
            by,
            king,
        };
        if attack.targets.any() && !attack.may_take_en_passant() {
            attack.targets = Bitboard::EMPTY;
        }
        let mut found = RollSet { rolls: 0 };
        let from = attack.one_die(Pool::EMPTY, &mut found);
        Some(Self {
            position,
            attack,
            from,
            found,
        })
    }

    /// Returns the number of throws found so far.
    #[inline(always)]
    pub(crate) fn throws(&self) -> u32 {
        weight_of(self.found.rolls)
    }

    /// Continues with more and more dice until the count is complete or has reached the given number.
    #[inline]
    pub(crate) fn count_up_to(&mut self, enough: u32) {
        if self.found.reaches(enough) {
            return;
        }
        let found = &mut self.found;
        self.attack.second_die(&self.from, Pool::EMPTY, found);
        if found.reaches(enough) {
            return;
        }
        self.attack.third_die(&self.from, found, enough);
        if !found.reaches(enough) {
            self.castling();
        }
    }

    /// Adds the rolls by which the king is taken after castling.
    #[inline]
    fn castling(&mut self) {
        if self.position.castling.index() == 0 {
            return;
        }
        let by = self.attack.by;
        for castling_side in CastlingSide::ALL {
            let spent = Pool::EMPTY
                .with(Kind::Rook)
                .and_then(|pool| pool.with(Kind::King));
            if let Some(spent) = spent
                && self.found.wants(spent)
                && self.position.can_castle(by, castling_side)
            {
                let (king_from, king_to) =
                    (castling_side.king_home(by), castling_side.king_target(by));
                let (rook_from, rook_to) =
                    (castling_side.rook_home(by), castling_side.rook_target(by));
                self.attack
                    .after(Kind::King, king_from, king_to, Kind::King)
                    .after(Kind::Rook, rook_from, rook_to, Kind::Rook)
                    .one_die(spent, &mut self.found);
            }
        }
    }
}

impl DiceChess {
    /// The rolls with which `by` could take the king if it were to roll now, bit i for the i-th of
    /// [`Chance::rolls`](crate::rules::Chance::rolls). Rights en passant count for the side to move only.
    pub fn king_capturing_rolls(&self, by: Color) -> u64 {
        let Some(mut hunt) = KingHunt::new(self, by) else {
            return 0;
        };
        hunt.count_up_to(u32::MAX);
        hunt.found.rolls
    }

    /// How many of the 216 throws would let the side to move take the king if it rolled now.
    ///
    /// ```
    /// use fauve_engine::rules::{Notation, dice::DiceChess};
    ///
    /// // The queen needs two moves to the king: two of three dice must show its face, in 16 of 216 throws.
    /// let position = DiceChess::from_fen("4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", &Default::default())?.position;
    /// assert_eq!(position.king_capture(), 16);
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    pub fn king_capture(&self) -> u32 {
        weight_of(self.king_capturing_rolls(self.side_to_move()))
    }
}
