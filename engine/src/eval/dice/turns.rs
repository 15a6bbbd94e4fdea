//! Scores of the positions after turns, computed from the changes that the steps make.
//!
//! The pieces are seen by the side that will roll after the turn and by the side that makes it. The first king does not move
//! during the turn, so that its view is the same all through a turn; the second view is mirrored when its king crosses
//! the middle.

use crate::core::{Color, Kind, Square};
use crate::eval::network::features::{Features, Pieces, View, bucket};
use crate::eval::network::kernels::Block;
use crate::eval::network::{HasNetwork, MAX_BLOCKS, Network};
use crate::rules::Rules;
use crate::rules::dice::{Action, DiceChess, Step};
use crate::rules::placement::en_passant_victim;
use arrayvec::ArrayVec;

/// More squares than a turn changes.
const MOST: usize = 12;
/// The pieces that come or go.
type Several = ArrayVec<(Color, Kind, Square), MOST>;

/// The pieces that a turn or a step removes from the board and adds to it.
#[derive(Default)]
struct Change {
    off: Several,
    on: Several,
}

impl Change {
    /// Returns the changes of a step that does not capture a king.
    #[inline(always)]
    fn of_step(position: &DiceChess, step: Step) -> Self {
        let mut change = Self::default();
        let Some(mover) = step.action.mover() else {
            return change;
        };
        let us = position.side_to_move();
        let board = position.board();
        change.off.push((us, mover, step.from));
        change
            .on
            .push((us, step.action.promotion().unwrap_or(mover), step.to));
        if board.color(!us).has(step.to) {
            if let Some(kind) = board.kind_at(step.to) {
                change.off.push((!us, kind, step.to));
            }
        } else if step.action == Action::EnPassant {
            let victim = en_passant_victim(step.to);
            change.off.push((!us, Kind::Pawn, victim));
        } else if let Some(castling_side) = step.action.castling() {
            change
                .off
                .push((us, Kind::Rook, castling_side.rook_home(us)));
            change
                .on
                .push((us, Kind::Rook, castling_side.rook_target(us)));
        }
        change
    }

    /// What differs between two boards; `None` if it is more than a turn can change.
    #[inline(always)]
    fn between(before: &Pieces, after: &Pieces) -> Option<Self> {
        let mut change = Self::default();
        let changed = before.changed(after);
        if changed.len() as usize > MOST {
            return None;
        }
        for square in changed {
            change.off.extend(with_square(before, square));
            change.on.extend(with_square(after, square));
        }
        Some(change)
    }
}

#[inline(always)]
fn inputs(pieces: &Several, view: View) -> ArrayVec<u16, MOST> {
    pieces
        .iter()
        .map(|&(color, kind, square)| view.piece::<DiceChess>(color, kind, square) as u16)
        .collect()
}

fn with_square(pieces: &Pieces, square: Square) -> Option<(Color, Kind, Square)> {
    pieces
        .piece_at(square)
        .map(|(color, kind)| (color, kind, square))
}

/// The hidden neurons of positions within a turn, by number.
#[derive(Debug)]
pub(crate) struct Sums {
    blocks: Vec<Block>,
    known: Vec<bool>,
    /// Accumulators of a position that is not stored.
    passing: [[Block; MAX_BLOCKS]; 2],
}

impl Default for Sums {
    fn default() -> Self {
        Self {
            blocks: Vec::new(),
            known: Vec::new(),
            passing: [[Block::ZERO; MAX_BLOCKS]; 2],
        }
    }
}

impl Sums {
    /// Forgets all positions.
    pub(crate) fn clear(&mut self) {
        self.known.clear();
    }

    /// Whether a position is stored.
    #[inline(always)]
    pub(crate) fn knows(&self, number: usize) -> bool {
        self.known.get(number) == Some(&true)
    }

    /// Reserves the entry of a position, which counts as stored from now on.
    #[inline(always)]
    fn learn(&mut self, number: usize, size: usize) {
        if self.known.len() <= number {
            self.known.resize(number + 1, false);
            let room = (number + 1) * size;
            if self.blocks.len() < room {
                self.blocks.resize(room.next_power_of_two(), Block::ZERO);
            }
        }
        self.known[number] = true;
    }
}

/// The side that will roll, then the side that makes the turn.
fn sides(position: &DiceChess) -> [Color; 2] {
    [!position.side_to_move(), position.side_to_move()]
}

impl Network<DiceChess> {
    /// The accumulator of a position in a view, from nothing.
    fn see(&self, to: &mut [Block], position: &DiceChess, view: View) {
        let mut inputs = ArrayVec::<u16, { DiceChess::MAX_ACTIVE }>::new();
        view.for_each(position, |input| inputs.push(input as u16));
        self.change(to, self.biases(), &inputs, &[]);
    }

    /// Learns a position within a turn by itself.
    pub(crate) fn learn(&self, sums: &mut Sums, number: usize, position: &DiceChess) {
        let size = 2 * self.blocks();
        sums.learn(number, size);
        let to = &mut sums.blocks[number * size..][..size];
        for (to, side) in to.chunks_mut(self.blocks()).zip(sides(position)) {
            self.see(to, position, View::of(position, side));
        }
    }

    /// Learns a position by the step that leads to it from another one that is known.
    pub(crate) fn learn_after(
        &self,
        sums: &mut Sums,
        number: usize,
        (before, known): (&DiceChess, usize),
        step: Step,
    ) {
        let size = 2 * self.blocks();
        sums.learn(number, size);
        self.step(sums, known, before, step);
        let to = &mut sums.blocks[number * size..][..size];
        for (to, from) in to.chunks_mut(self.blocks()).zip(&sums.passing) {
            to.copy_from_slice(&from[..self.blocks()]);
        }
    }

    /// The score, for the side that will roll, of what a step from a known position leads to.
    #[inline]
    pub(crate) fn score_after(
        &self,
        sums: &mut Sums,
        known: usize,
        before: &DiceChess,
        step: Step,
    ) -> i32 {
        let change = self.step(sums, known, before, step);
        let pieces = before.board().occupied().len() as usize + change.on.len() - change.off.len();
        self.score(sums, pieces)
    }

    /// The score, for the side that rolls there, of a position that a turn from a known position leads to.
    #[inline]
    pub(crate) fn score_of(
        &self,
        sums: &mut Sums,
        known: usize,
        (before, after): (&DiceChess, &DiceChess),
    ) -> i32 {
        let Some(change) = Change::between(&before.pieces(), &after.pieces()) else {
            return self.evaluate(after);
        };
        self.follow(sums, known, before, &change, |view, side| {
            let other = View::of(after, side);
            (other != view).then_some((other, *after))
        });
        self.score(sums, after.board().occupied().len() as usize)
    }

    fn score(&self, sums: &Sums, pieces: usize) -> i32 {
        let [own, other] = &sums.passing;
        self.output(
            &own[..self.blocks()],
            &other[..self.blocks()],
            bucket(pieces),
        )
    }

    /// Computes into `passing` the accumulators after a step, and returns the changed pieces.
    #[inline(always)]
    fn step(&self, sums: &mut Sums, known: usize, before: &DiceChess, step: Step) -> Change {
        let change = Change::of_step(before, step);
        let crosses = step.action.mover() == Some(Kind::King)
            && (step.from.file() >= 4) != (step.to.file() >= 4);
        self.follow(sums, known, before, &change, |_, side| {
            (crosses && side == before.side_to_move()).then(|| {
                let mut after = *before;
                after.apply(step);
                (View::of(&after, side), after)
            })
        });
        change
    }

    /// Computes into `passing` the accumulators after a change. Where the change gives a side another view, `anew` returns that view and the
    /// position after the change, from which the accumulator is computed without the former one.
    #[inline(always)]
    fn follow(
        &self,
        sums: &mut Sums,
        known: usize,
        before: &DiceChess,
        change: &Change,
        anew: impl Fn(View, Color) -> Option<(View, DiceChess)>,
    ) {
        let blocks = self.blocks();
        let from = &sums.blocks[known * 2 * blocks..][..2 * blocks];
        let views = sums.passing.iter_mut().zip(from.chunks_exact(blocks));
        for ((to, from), side) in views.zip(sides(before)) {
            let to = &mut to[..blocks];
            let view = View::of(before, side);
            if let Some((view, after)) = anew(view, side) {
                self.see(to, &after, view);
            } else {
                let [on, off] = [&change.on, &change.off].map(|pieces| inputs(pieces, view));
                self.change(to, from, &on, &off);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::test_support::random_parameters;
    use crate::rules::dice::{Options, Walker};
    use crate::rules::{Notation, for_each_turn};

    const POSITIONS: [&str; 5] = [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 0 1",
        "8/PPP4k/8/8/8/8/4Kppp/8 b - - 0 1",
        "3k4/8/8/8/PpPp4/8/3K4/8 b - a3c3 0 1",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    ];

    /// Castling, promotions, captures en passant and kings that cross the middle included.
    #[test]
    fn scores_by_changes_are_those_from_nothing() {
        for hidden in [32, 64, 256] {
            let network = Network::new(&random_parameters::<DiceChess>(hidden, 3));
            let (mut sums, mut compared, mut crossed) = (Sums::default(), 0, 0);
            for fen in POSITIONS {
                let start = DiceChess::from_fen(fen, &Options::default())
                    .unwrap()
                    .position;
                let (mut walker, mut found) = (Walker::new(), Vec::new());
                for roll in 0..56 {
                    walker.start(&start);
                    walker.results_of_roll(roll, &mut found);
                    sums.clear();
                    network.learn(&mut sums, 0, &start);
                    for one in found.iter().step_by(7) {
                        let after = walker.position(one);
                        if after.winner().is_some() {
                            continue;
                        }
                        let expected = network.evaluate(&after);
                        assert_eq!(
                            network.score_of(&mut sums, 0, (&start, &after)),
                            expected,
                            "{fen}"
                        );
                        let mut line = Vec::new();
                        let mut at = one.node();
                        while at != 0 {
                            line.push(at);
                            at = walker.node(at).1;
                        }
                        for &number in line.iter().rev() {
                            let (_, before, step) = walker.node(number);
                            let known = (walker.node(before).0, before);
                            network.learn_after(&mut sums, number, known, step);
                        }
                        let (node, step) = walker.last_step(one);
                        assert_eq!(
                            network.score_after(&mut sums, one.node(), node, step),
                            expected,
                            "{fen}"
                        );
                        compared += 1;
                        let king = |position: &DiceChess| position.king(start.side_to_move());
                        crossed +=
                            usize::from((king(&after).file() < 4) != (king(&start).file() < 4));
                    }
                }
            }
            assert!(compared > 500 && crossed > 20, "{compared} {crossed}");
        }
    }

    /// A turn of castling, or of three captures, fits the room for changes.
    #[test]
    fn no_turn_changes_more_than_there_is_room_for() {
        for fen in POSITIONS
            .iter()
            .flat_map(|fen| ["PPP", "RKN", "NNB", "QQP", "RKP"].map(|dice| format!("{fen} {dice}")))
        {
            let start = DiceChess::from_fen(&fen, &Options::default())
                .unwrap()
                .position;
            for_each_turn(&start, &mut |_, after| {
                assert!(
                    Change::between(&start.pieces(), &after.pieces()).is_some(),
                    "{fen}"
                );
            });
        }
    }
}
