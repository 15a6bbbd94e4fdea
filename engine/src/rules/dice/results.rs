//! All distinct results of rolls, from one walk.
//!
//! The positions that a multiset of dice leads to are built from those of the multisets with one die less, whatever
//! the order of the dice; so the rolls share what their parts have in common, and each multiset's positions are kept
//! once. A roll whose dice cannot all be used falls back on the sets of its parts.

use super::position::{piece_key, targets_key};
use super::{Action, DiceChess, Line, Pool, Step};
use crate::core::{Bitboard, Kind, Square};
use crate::rules::{CastlingSide, Rules, Turn, legal_steps};
use std::ops::Range;

/// The pools of fewer than three dice.
const PARTS: usize = 28;

/// A position inside the turn, reached with some of the dice.
#[derive(Clone, Copy, Debug)]
struct Node {
    position: DiceChess,
    /// The node before it and the step from there.
    parent: u32,
    step: Step,
}

/// A distinct result of a roll: the node before the turn's last step, and that step (a pass: the turn ended in the node
/// itself).
#[derive(Clone, Copy, Debug)]
pub struct Found {
    parent: u32,
    step: Step,
    key: u64,
}

impl Found {
    /// The number of the node before the last step: results of equal number share it.
    #[inline(always)]
    pub(crate) const fn node(&self) -> usize {
        self.parent as usize
    }

    /// A key of the pieces after the turn: the same for every way to the same result.
    #[inline(always)]
    pub(crate) const fn key(&self) -> u64 {
        self.key
    }

    const fn in_node(node: usize, key: u64) -> Self {
        Self {
            parent: node as u32,
            step: Step::new(Square::from_index(0), Square::from_index(0), Action::Pass),
            key,
        }
    }
}

/// A set of keys with open addressing that is emptied in the time it took to fill it.
#[derive(Debug, Default)]
struct Seen {
    slots: Vec<u64>,
    filled: Vec<u32>,
    mask: usize,
}

impl Seen {
    const LEAST: usize = 4096;

    fn clear(&mut self) {
        if self.slots.is_empty() {
            self.slots.resize(Self::LEAST, 0);
        }
        for &slot in &self.filled {
            self.slots[slot as usize] = 0;
        }
        self.filled.clear();
        self.mask = Self::LEAST - 1;
    }

    /// Adds a key and returns whether it is new. The key 0 counts as 1.
    #[inline(always)]
    fn insert(&mut self, key: u64) -> bool {
        let key = key.max(1);
        let mut slot = key as usize & self.mask;
        loop {
            let found = self.slots[slot];
            if found == key {
                return false;
            }
            if found == 0 {
                break;
            }
            slot = (slot + 1) & self.mask;
        }
        self.slots[slot] = key;
        self.filled.push(slot as u32);
        if self.filled.len() * 2 > self.mask {
            self.grow();
        }
        true
    }

    #[cold]
    fn grow(&mut self) {
        let keys: Vec<u64> = self
            .filled
            .iter()
            .map(|&slot| std::mem::take(&mut self.slots[slot as usize]))
            .collect();
        self.filled.clear();
        self.mask = self.mask * 4 + 3;
        if self.slots.len() <= self.mask {
            self.slots.resize(self.mask + 1, 0);
        }
        for key in keys {
            let mut slot = key as usize & self.mask;
            while self.slots[slot] != 0 {
                slot = (slot + 1) & self.mask;
            }
            self.slots[slot] = key;
            self.filled.push(slot as u32);
        }
    }
}

/// Computes the distinct results of the rolls of one position after another, and keeps its memory in between.
///
/// ```
/// use fauve_engine::rules::dice::{DiceChess, Walker};
/// use fauve_engine::rules::Notation;
/// use fauve_engine::rules::dice::Options;
/// let mut walker = Walker::new();
/// walker.start(&DiceChess::start(&Options::default()));
/// let mut found = Vec::new();
/// let mut sum = 0;
/// for roll in 0..56 {
///     walker.results_of_roll(roll, &mut found);
///     sum += found.len();
/// }
/// assert!(sum >= 3247);
/// ```
#[derive(Debug, Default)]
pub struct Walker {
    nodes: Vec<Node>,
    /// The nodes of each pool of fewer than three dice, once computed.
    sets: [Option<(u32, u32)>; PARTS],
    lines: Lines,
    fresh: Vec<Found>,
}

/// Receives the results of an expansion.
#[derive(Debug, Default)]
struct Lines {
    seen: Seen,
    /// Lines that captured the king, with the dice they used.
    kings: Vec<(Pool, Found)>,
}

impl Walker {
    /// A walker without a position; see [`Walker::start`].
    pub fn new() -> Self {
        Self::default()
    }

    /// Begins with a position; its own dice do not matter.
    pub fn start(&mut self, root: &DiceChess) {
        self.nodes.clear();
        self.lines.kings.clear();
        self.sets = [None; PARTS];
        self.nodes.push(Node {
            position: *root,
            parent: 0,
            step: Step::default(),
        });
        self.sets[0] = Some((0, 1));
    }

    /// The distinct results of the n-th roll of [`Chance::rolls`](crate::rules::Chance::rolls) (0..56), put in place of what `found` held.
    pub fn results_of_roll(&mut self, n: usize, found: &mut Vec<Found>) {
        self.results(Pool::nth_roll(n), found);
    }

    /// The distinct results of a turn with these dice, put in place of what `found` held.
    pub fn results(&mut self, pool: Pool, found: &mut Vec<Found>) {
        found.clear();
        self.parts(pool);
        self.expand(pool, true, found);
        if pool.is_empty() {
            let root = &self.nodes[0].position;
            found.push(Found::in_node(0, root.base_key(true)));
            return;
        }
        let lines = &mut self.lines;
        let mut used = pool.len();
        while found.is_empty()
            && used > 0
            && !lines
                .kings
                .iter()
                .any(|&(dice, _)| dice.len() == used && pool.contains(dice))
        {
            // No line uses this number of dice: the turn ends in the nodes that used one die less.
            used -= 1;
            for part in (0..PARTS).map(Pool::from_index) {
                if part.len() != used || !pool.contains(part) {
                    continue;
                }
                for i in range(self.sets[part.index()]) {
                    let node = &self.nodes[i].position;
                    let key = node.pieces_key ^ targets_key(node.enemy_targets());
                    if lines.seen.insert(key) {
                        found.push(Found::in_node(i, key));
                    }
                }
            }
        }
        for &(dice, line) in &lines.kings {
            if pool.contains(dice) && lines.seen.insert(line.key) {
                found.push(line);
            }
        }
    }

    /// The position after a result's turn: the other side awaits its roll.
    #[inline]
    pub fn position(&self, found: &Found) -> DiceChess {
        let mut position = self.nodes[found.parent as usize].position;
        if !found.step.is_pass() || found.parent == 0 {
            position.walk(found.step, found.parent == 0);
        }
        position.end_turn();
        position
    }

    /// The position before the last step of a result's turn, and that step; a pass if the turn ended before.
    #[inline(always)]
    pub(crate) fn last_step(&self, found: &Found) -> (&DiceChess, Step) {
        (&self.nodes[found.parent as usize].position, found.step)
    }

    /// A position within the turn, with the number of the one before it and the step from there; number 0 is the root, before
    /// which there is none.
    #[inline(always)]
    pub(crate) fn node(&self, number: usize) -> (&DiceChess, usize, Step) {
        let node = &self.nodes[number];
        (&node.position, node.parent as usize, node.step)
    }

    /// The steps of a result's turn, as `root`, the position that the walk began with, generates them with its dice.
    pub fn turn(&self, root: &DiceChess, found: &Found) -> Turn<Step> {
        let mut raw = self.steps(found);
        if raw.is_empty() {
            raw.push(Step::default());
        }
        let mut position = *root;
        for step in &mut raw {
            let legal = legal_steps(&position);
            let same = |other: &&Step| {
                (other.from, other.to, other.action) == (step.from, step.to, step.action)
            };
            *step = *legal
                .iter()
                .find(same)
                .expect("a line to a result is legal");
            position.play(*step);
        }
        raw
    }

    /// The steps of a result's turn, for trying them elsewhere, if they use all the dice.
    pub(crate) fn line(&self, found: &Found, pool: Pool) -> Option<Line> {
        let line = Line::new(&self.steps(found));
        (line.dice() == Some(pool) && !pool.is_empty()).then_some(line)
    }

    /// The steps of a result's turn as the walk found them; none for a pass.
    #[inline]
    fn steps(&self, found: &Found) -> Turn<Step> {
        let mut steps = Turn::new();
        if !found.step.is_pass() {
            steps.push(found.step);
        }
        let mut at = found.parent as usize;
        while at != 0 {
            steps.push(self.nodes[at].step);
            at = self.nodes[at].parent as usize;
        }
        steps.reverse();
        steps
    }

    /// Computes the sets from which a pool's results are built, where they are missing.
    fn parts(&mut self, pool: Pool) {
        for kind in Kind::CHESS {
            if let Some(part) = pool.without(kind) {
                self.build(part);
            }
        }
    }

    /// Computes the nodes of a part unless it is already done.
    fn build(&mut self, pool: Pool) {
        if self.sets[pool.index()].is_some() {
            return;
        }
        self.parts(pool);
        let mut fresh = std::mem::take(&mut self.fresh);
        fresh.clear();
        self.expand(pool, false, &mut fresh);
        let from = self.nodes.len();
        for line in &fresh {
            let mut position = self.nodes[line.parent as usize].position;
            position.walk(line.step, line.parent == 0);
            self.nodes.push(Node {
                position,
                parent: line.parent,
                step: line.step,
            });
        }
        self.fresh = fresh;
        self.sets[pool.index()] = Some((from as u32, self.nodes.len() as u32));
    }

    /// The distinct positions that use exactly these dice, by their last step. If the turn ends with it, what the next
    /// turn forgets does not make a difference.
    fn expand(&mut self, pool: Pool, ends: bool, found: &mut Vec<Found>) {
        self.lines.seen.clear();
        for kind in Kind::CHESS {
            let Some(part) = pool.without(kind) else {
                continue;
            };
            for i in range(self.sets[part.index()]) {
                let node = &self.nodes[i].position;
                if kind == Kind::Pawn {
                    self.lines.pawn_steps(node, i, pool, ends, found);
                } else {
                    self.lines.piece_steps(node, i, kind, pool, ends, found);
                }
            }
        }
        if let Some(part) = pool.without_castling() {
            for i in range(self.sets[part.index()]) {
                let node = &self.nodes[i].position;
                for castling_side in CastlingSide::ALL {
                    if node.can_castle(node.side, castling_side) {
                        let step = node.castling_step(castling_side);
                        self.lines.add_made(node, i, step, pool, ends, found);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn range(set: Option<(u32, u32)>) -> Range<usize> {
    set.map_or(0..0, |(from, to)| from as usize..to as usize)
}

impl Lines {
    /// The steps of one kind of piece from a node.
    #[inline]
    fn piece_steps(
        &mut self,
        node: &DiceChess,
        at: usize,
        kind: Kind,
        pool: Pool,
        ends: bool,
        found: &mut Vec<Found>,
    ) {
        let (us, them) = (node.side, !node.side);
        let enemies = node.board.color(them);
        let king = node.board.pieces(them, Kind::King);
        let special = node.special_squares();
        let base = node.base_key(ends);
        let action = Action::of_kind(kind);
        for from in node.board.pieces(us, kind) {
            let reach = node.reach(kind, from);
            let slow = if special.has(from) {
                reach
            } else {
                reach & (special | king)
            };
            for to in slow {
                self.add_made(node, at, Step::new(from, to, action), pool, ends, found);
            }
            let lifted = base ^ piece_key(us, kind, from);
            for to in reach - slow {
                let mut key = lifted ^ piece_key(us, kind, to);
                if enemies.has(to) {
                    key ^= node.enemy_key(to);
                }
                if self.seen.insert(key) {
                    found.push(Found {
                        parent: at as u32,
                        step: Step::new(from, to, action),
                        key,
                    });
                }
            }
        }
    }

    /// The pawn steps from a node.
    #[inline]
    fn pawn_steps(
        &mut self,
        node: &DiceChess,
        at: usize,
        pool: Pool,
        ends: bool,
        found: &mut Vec<Found>,
    ) {
        let us = node.side;
        let enemies = node.board.color(!us);
        let slow = node.special_squares() | node.board.pieces(!us, Kind::King);
        let base = node.base_key(ends);
        node.for_each_step(Kind::Pawn, &mut |step| {
            if step.action != Action::Pawn || slow.has(step.from) || slow.has(step.to) {
                self.add_made(node, at, step, pool, ends, found);
                return;
            }
            let mut key =
                base ^ piece_key(us, Kind::Pawn, step.from) ^ piece_key(us, Kind::Pawn, step.to);
            if enemies.has(step.to) {
                key ^= node.enemy_key(step.to);
            }
            if self.seen.insert(key) {
                found.push(Found {
                    parent: at as u32,
                    step,
                    key,
                });
            }
        });
    }

    /// Adds what a step leads to by making it.
    fn add_made(
        &mut self,
        node: &DiceChess,
        at: usize,
        step: Step,
        pool: Pool,
        ends: bool,
        found: &mut Vec<Found>,
    ) {
        let takes_king = node.takes_king(step);
        let mut next = *node;
        next.apply(step);
        let line = Found {
            parent: at as u32,
            step,
            key: next.base_key(ends || takes_king),
        };
        if takes_king {
            self.kings.push((pool, line));
        } else if self.seen.insert(line.key) {
            found.push(line);
        }
    }
}

impl DiceChess {
    /// Makes a step inside a walk: the pieces, and the counter of quiet turns as if the turn ended now.
    #[inline(always)]
    pub(super) fn walk(&mut self, step: Step, first: bool) {
        if self.is_progress(step) {
            self.clock = 0;
        } else if first && !self.is_mid_turn() {
            self.clock = self.clock.saturating_add(1);
        }
        self.apply(step);
    }

    /// The key of pieces, rights and targets; without the targets that the end of the turn wipes out, if it ends.
    #[inline(always)]
    fn base_key(&self, ends: bool) -> u64 {
        if ends {
            self.pieces_key ^ targets_key(self.enemy_targets())
        } else {
            self.pieces_key
        }
    }

    /// The squares whose entering or leaving changes more than the pieces on them: castling rights or targets.
    #[inline(always)]
    fn special_squares(&self) -> Bitboard {
        let homes = match self.castling.index() {
            0 => Bitboard::EMPTY,
            _ => Bitboard(0x9100_0000_0000_0091),
        };
        // A passed square and its pawn's square differ in the lowest bit of the rank.
        let pawns =
            (self.targets & Bitboard::rank(2)).north() | (self.targets & Bitboard::rank(5)).south();
        homes | self.targets | pawns
    }

    /// The key of the enemy piece on a square.
    #[inline(always)]
    fn enemy_key(&self, square: Square) -> u64 {
        self.board
            .kind_at(square)
            .map_or(0, |kind| piece_key(!self.side, kind, square))
    }
}
