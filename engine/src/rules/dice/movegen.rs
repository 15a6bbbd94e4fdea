use super::position::passed_rank;
use super::{Action, DiceChess, Fate, Pool, Step};
use crate::core::{Bitboard, Color, Kind, Square, StepList, attacks};
use crate::rules::{Board, CastlingSide, Chance, Rules};

/// Outcomes of the lines of play from a position with some dice: the number of lines by number of dice used.
#[derive(Default)]
struct Tally {
    /// Lines that end because no die can be used any more, by dice used.
    quiet: [u64; 4],
    /// Lines that end by taking the king, by dice used.
    king: [u64; 4],
}

impl DiceChess {
    /// The squares that a piece other than a pawn can go to (castling aside), the enemy king's included.
    #[inline(always)]
    pub(super) fn reach(&self, kind: Kind, from: Square) -> Bitboard {
        Board::<6>::piece_attacks(kind, from, self.board.occupied()) - self.board.color(self.side)
    }

    /// The squares entered by single and double steps of `pawns`, pawns of the side to move.
    #[inline(always)]
    fn pushes(&self, pawns: Bitboard) -> (Bitboard, Bitboard) {
        let free = !self.board.occupied();
        match self.side {
            Color::White => {
                let one = pawns.north() & free;
                (one, (one & Bitboard::rank(2)).north() & free)
            }
            Color::Black => {
                let one = pawns.south() & free;
                (one, (one & Bitboard::rank(5)).south() & free)
            }
        }
    }

    /// The targets that the side to move may take now.
    #[inline(always)]
    pub(super) fn enemy_targets(&self) -> Bitboard {
        self.targets & passed_rank(!self.side)
    }

    /// Whether a side may castle, dice and turn aside.
    pub(super) fn can_castle(&self, us: Color, castling_side: CastlingSide) -> bool {
        if !self.castling.has(us, castling_side) {
            return false;
        }
        let (king_from, king_to) = (castling_side.king_home(us), castling_side.king_target(us));
        let (rook_from, rook_to) = (castling_side.rook_home(us), castling_side.rook_target(us));
        let occupied = self.board.occupied();
        if (castling_side.path(us) & occupied).any() {
            return false;
        }
        if self.castle_through_check {
            return true;
        }
        let without_king = occupied - Bitboard::of(king_from);
        let arrived = without_king - Bitboard::of(rook_from) | Bitboard::of(rook_to);
        let attacked = |square, occupied| self.board.attackers(!us, square, occupied).any();
        !attacked(king_from, without_king)
            && !attacked(rook_to, without_king)
            && !attacked(king_to, arrived)
    }

    /// Every pseudo-legal step that a die of this kind pays for; castling is none of them.
    #[inline]
    pub(super) fn for_each_step(&self, kind: Kind, visit: &mut impl FnMut(Step)) {
        let own = self.board.color(self.side);
        let pieces = own & self.board.kind(kind);
        if kind != Kind::Pawn {
            let action = Action::of_kind(kind);
            for from in pieces {
                for to in self.reach(kind, from) {
                    visit(Step::new(from, to, action));
                }
            }
            return;
        }
        let enemies = self.board.color(!self.side);
        let king = enemies & self.board.kind(Kind::King);
        let last = Bitboard::RANK_1 | Bitboard::RANK_8;
        let back = |to: Square, ranks: u8| {
            Square::from_index(match self.side {
                Color::White => (to.index() as u8).wrapping_sub(8 * ranks),
                Color::Black => to.index() as u8 + 8 * ranks,
            })
        };
        let (one, two) = self.pushes(pieces);
        for to in one - last {
            visit(Step::new(back(to, 1), to, Action::Pawn));
        }
        for to in two {
            visit(Step::new(back(to, 2), to, Action::DoublePush));
        }
        for to in one & last {
            for action in Action::PROMOTIONS {
                visit(Step::new(back(to, 1), to, action));
            }
        }
        let targets = self.enemy_targets();
        for from in pieces {
            let attacked = attacks::pawn(self.side, from);
            for to in attacked & enemies - last {
                visit(Step::new(from, to, Action::Pawn));
            }
            for to in attacked & targets {
                visit(Step::new(from, to, Action::EnPassant));
            }
            for to in attacked & enemies & last {
                let choices = if king.has(to) { 1 } else { 4 };
                for &action in &Action::PROMOTIONS[..choices] {
                    visit(Step::new(from, to, action));
                }
            }
        }
    }

    /// Returns the castling step of a side of the board. The caller checks whether castling is possible.
    pub(super) fn castling_step(&self, castling_side: CastlingSide) -> Step {
        let action = match castling_side {
            CastlingSide::King => Action::CastleShort,
            CastlingSide::Queen => Action::CastleLong,
        };
        Step::new(
            castling_side.king_home(self.side),
            castling_side.king_target(self.side),
            action,
        )
    }

    /// Every pseudo-legal step that the dice pay for, with the dice left after it.
    #[inline]
    fn for_each_paid(&self, pool: Pool, visit: &mut impl FnMut(Step, Pool)) {
        for kind in Kind::CHESS {
            if let Some(left) = pool.without(kind) {
                self.for_each_step(kind, &mut |step| visit(step, left));
            }
        }
        if let Some(left) = pool.without_castling() {
            for castling_side in CastlingSide::ALL {
                if self.can_castle(self.side, castling_side) {
                    visit(self.castling_step(castling_side), left);
                }
            }
        }
    }

    fn paid_steps(&self, pool: Pool) -> StepList<(Step, Pool)> {
        let mut steps = StepList::new();
        self.for_each_paid(pool, &mut |step, left| steps.push((step, left)));
        steps
    }

    /// How many steps the dice on the table pay for, whether or not as many dice as possible are used then.
    pub fn paid_steps_count(&self) -> usize {
        self.paid_steps(self.pool).len()
    }

    /// The most dice of those on the table that a turn from here can use.
    ///
    /// ```
    /// use fauve_engine::rules::{Notation, dice::DiceChess};
    ///
    /// // With knight, bishop and queen only a knight can leave the array, once.
    /// let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NBQ";
    /// let position = DiceChess::from_fen(fen, &Default::default())?.position;
    /// assert_eq!((position.most_usable_dice(), position.paid_steps_count()), (1, 4));
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    pub fn most_usable_dice(&self) -> usize {
        self.most_dice(self.pool)
    }

    /// Whether a die of this kind can be used (castling aside).
    fn can_use(&self, kind: Kind) -> bool {
        let pieces = self.board.pieces(self.side, kind);
        if kind != Kind::Pawn {
            for from in pieces {
                if self.reach(kind, from).any() {
                    return true;
                }
            }
            return false;
        }
        let enemies = self.board.color(!self.side) | self.enemy_targets();
        self.pushes(pieces).0.any() || (attacks::pawns(self.side, pieces) & enemies).any()
    }

    /// The most dice that a line from here can use, lines that take the king included.
    fn most_dice(&self, pool: Pool) -> usize {
        match pool.len() {
            0 => 0,
            1 => usize::from(
                Kind::CHESS
                    .into_iter()
                    .any(|kind| pool.without(kind).is_some() && self.can_use(kind)),
            ),
            size => {
                let mut most = 0;
                for (step, left) in self.paid_steps(pool) {
                    let rest = if self.takes_king(step) {
                        0
                    } else {
                        self.after(step).most_dice(left)
                    };
                    most = most.max(size - left.len() + rest);
                    if most == size {
                        break;
                    }
                }
                most
            }
        }
    }

    #[inline(always)]
    fn after(&self, step: Step) -> Self {
        let mut next = *self;
        next.apply(step);
        next
    }

    /// Whether some line from here captures the king with these dice.
    pub(super) fn has_king_line(&self, pool: Pool) -> bool {
        let enemy_king = self.board.pieces(!self.side, Kind::King);
        let Some(square) = enemy_king.try_first() else {
            return false;
        };
        let attackers = self
            .board
            .attackers(self.side, square, self.board.occupied());
        for from in attackers {
            let kind = self.board.kind_at(from);
            if kind.is_some_and(|kind| pool.without(kind).is_some()) {
                return true;
            }
        }
        pool.len() > 1
            && self
                .paid_steps(pool)
                .into_iter()
                .any(|(step, left)| !left.is_empty() && self.after(step).has_king_line(left))
    }

    /// Whether a turn with the remaining dice captures the king.
    pub fn can_take_king(&self) -> bool {
        self.has_king_line(self.pool)
    }

    pub(super) fn generate_legal(&self, steps: &mut StepList<Step>) {
        if self.pool.is_empty() || self.winner().is_some() {
            return;
        }
        let paid = self.paid_steps(self.pool);
        if self.must_capture {
            for (step, left) in paid {
                if self.takes_king(step) {
                    steps.push(step.with_fate(Fate::TurnEnds));
                } else if self.after(step).has_king_line(left) {
                    steps.push(step.with_fate(Fate::MustCapture));
                }
            }
            return;
        }
        if paid.is_empty() {
            steps.push(Step::default());
            return;
        }
        // The dice that the best line beginning with each step uses.
        let size = self.pool.len();
        let mut most = 0;
        let mut used = StepList::<(u8, u8)>::new();
        for &(step, left) in &paid {
            let rest = if self.takes_king(step) {
                0
            } else {
                self.after(step).most_dice(left)
            };
            let total = size - left.len() + rest;
            most = most.max(total);
            used.push((total as u8, rest as u8));
        }
        for (&(step, left), &(total, rest)) in paid.iter().zip(&used) {
            if self.takes_king(step) {
                steps.push(step.with_fate(Fate::TurnEnds));
            } else if usize::from(total) == most {
                let fate = if rest == 0 {
                    Fate::TurnEnds
                } else {
                    Fate::GoesOn
                };
                steps.push(step.with_fate(fate));
            } else if self.after(step).has_king_line(left) {
                steps.push(step.with_fate(Fate::MustCapture));
            }
        }
    }

    fn tally(&self, pool: Pool) -> Tally {
        let mut tally = Tally::default();
        let size = pool.len();
        if size == 1 {
            for kind in Kind::CHESS {
                if pool.without(kind).is_some() {
                    let (quiet, king) = self.count_steps(kind);
                    tally.king[1] = king;
                    tally.quiet[1] = quiet;
                    tally.quiet[0] = u64::from(quiet + king == 0);
                }
            }
            return tally;
        }
        let mut any = false;
        self.for_each_paid(pool, &mut |step, left| {
            any = true;
            let used = size - left.len();
            if self.takes_king(step) {
                tally.king[used] += 1;
            } else if left.is_empty() {
                tally.quiet[used] += 1;
            } else {
                let rest = self.after(step).tally(left);
                for (i, (quiet, king)) in rest.quiet.into_iter().zip(rest.king).enumerate() {
                    if quiet + king > 0 {
                        tally.quiet[used + i] += quiet;
                        tally.king[used + i] += king;
                    }
                }
            }
        });
        if !any {
            tally.quiet[0] = 1;
        }
        tally
    }

    /// The steps that a die of this kind pays for, counted: those that take the king apart.
    fn count_steps(&self, kind: Kind) -> (u64, u64) {
        let pieces = self.board.pieces(self.side, kind);
        let king = self.board.pieces(!self.side, Kind::King);
        let (mut quiet, mut takes) = (0, 0);
        if kind != Kind::Pawn {
            for from in pieces {
                let reach = self.reach(kind, from);
                takes += (reach & king).len();
                quiet += (reach - king).len();
            }
            return (u64::from(quiet), u64::from(takes));
        }
        let last = Bitboard::RANK_1 | Bitboard::RANK_8;
        let mut count = |to: Bitboard| {
            quiet += (to - king).len() + 3 * ((to - king) & last).len();
            takes += (to & king).len();
        };
        let (one, two) = self.pushes(pieces);
        count(one);
        count(two);
        let victims = self.board.color(!self.side) | self.enemy_targets();
        for from in pieces {
            count(attacks::pawn(self.side, from) & victims);
        }
        (u64::from(quiet), u64::from(takes))
    }

    fn count_with(&self, pool: Pool) -> u64 {
        let tally = self.tally(pool);
        let kings = tally.king.iter().sum();
        if self.must_capture {
            return kings;
        }
        let most = (0..4)
            .rev()
            .find(|&used| tally.quiet[used] + tally.king[used] > 0);
        kings + most.map_or(0, |used| tally.quiet[used])
    }

    pub(super) fn count_ordered_turns(&self) -> u64 {
        if self.winner().is_some() {
            0
        } else if self.awaits_roll() {
            (0..56).map(|n| self.count_with(Pool::nth_roll(n))).sum()
        } else {
            self.count_with(self.pool)
        }
    }
}
