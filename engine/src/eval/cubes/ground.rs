//! King and Queen against a lone King, placed anywhere on a relief on which nothing else moves: the queries that tables of
//! such endgames need.

use crate::core::Color;
use crate::rules::cubes::movement::{Sink, View, Way, pieces};
use crate::rules::cubes::{Cell, Cubes4d, Mask, Step};

/// A relief with the fixed pieces: those of the attackers, except the King and one Queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ground {
    heights: [Mask; 2],
    /// The fixed pieces as bit planes: plane k holds binary digit k of [`PieceKind::code`](crate::rules::cubes::PieceKind::code).
    pieces: [Mask; 3],
}

impl Ground {
    /// The ground of a position in which `attackers` hunt the other side's lone King with the Queen on `queen`.
    pub fn of(position: &Cubes4d, attackers: Color, queen: Cell) -> Self {
        let movers = movers(position, queen);
        debug_assert_eq!(position.pieces_of(!attackers).len(), 1);
        Self {
            heights: position.height_digits(),
            pieces: position.piece_digits().map(|digit| digit.without(movers)),
        }
    }

    /// The field on the ground of such a position.
    pub fn unfold(position: &Cubes4d, attackers: Color, queen: Cell) -> Field {
        let movers = movers(position, queen);
        let view = View::without(position, attackers, movers);
        Field { view }
    }
}

/// The pieces that move: both Kings and the Queen.
fn movers(position: &Cubes4d, queen: Cell) -> Mask {
    let [white, black] = Color::ALL.map(|color| Mask::of(position.king(color)));
    white | black | Mask::of(queen)
}

/// A [`Ground`] prepared for computing moves on it.
#[derive(Clone, Debug)]
pub struct Field {
    /// The attackers' view with the fixed pieces only: without both Kings and the Queen. Its king fields are never used.
    view: View,
}

/// Collects the cells to which pieces move, and those on which they capture.
#[derive(Default)]
struct Targets {
    quiet: Mask,
    capture: Mask,
}

impl Sink for Targets {
    fn quiet(&mut self, to: Mask, _: i16) {
        self.quiet |= to;
    }
    fn capture(&mut self, to: Mask, _: i16) {
        self.capture |= to;
    }
    fn pawn_capture(&mut self, to: Mask, _: i16) {
        self.capture |= to;
    }
    fn from(&mut self, _: Cell, quiet: Mask, capture: Mask) {
        self.quiet |= quiet;
        self.capture |= capture;
    }
    fn cube(&mut self, _: Mask, _: i16) {}
    fn one(&mut self, _: Step) {}
}

impl Field {
    /// The cells (columns and trenches) that the Kings and the Queen can occupy: those without a fixed piece.
    pub fn places(&self) -> Mask {
        let [trenches, one, two, three] = self.view.terrain.level;
        (trenches | one | two | three).without(self.view.occupied)
    }

    /// The fixed pieces.
    pub const fn standing(&self) -> Mask {
        self.view.occupied
    }

    /// The cells to which a King on a cell can step if they are empty.
    pub fn king_goes(&self, from: Cell) -> Mask {
        self.view.terrain.king_reach(from)
    }

    /// The cells on which a King on a cell can capture.
    pub fn king_takes(&self, from: Cell) -> Mask {
        let terrain = &self.view.terrain;
        self.king_goes(from) & terrain.taken_beside(terrain.level_of(from))
    }

    /// The Queen's quiet moves from `from`, when `others` and the fixed pieces block.
    pub fn queen_goes(&self, from: Cell, others: Mask) -> Mask {
        let mut view = self.view.clone();
        let queen = Mask::of(from);
        view.set_down(queen, true);
        view.occupied |= queen | others;
        let mut targets = Targets::default();
        pieces::<true>(&view, queen, &mut targets);
        targets.quiet
    }

    /// The cells that are denied to the lone King when the attackers' King and Queen stand on these cells: those that the attackers attack,
    /// and those of their pieces that they protect.
    pub fn attacked(&self, king: Cell, queen: Cell) -> Mask {
        let mut view = self.view.clone();
        let (king_set, queen_set) = (Mask::of(king), Mask::of(queen));
        view.set_down(queen_set, true);
        view.set_down(king_set, false);
        let attackers = view.occupied | king_set | queen_set;
        view.occupied = attackers;
        view.enemy = Mask::ARENA.without(attackers);
        let mut targets = Targets::default();
        pieces::<true>(&view, attackers, &mut targets);
        let mut attacked = targets.capture;
        for piece in attackers.without(king_set) {
            let others = attackers.without(Mask::of(piece));
            let level = view.terrain.level_of(piece);
            if view.is_attacked(piece, level, attackers, others) {
                attacked.insert(piece);
            }
        }
        attacked
    }
}

impl View {
    /// Adds a piece that moves and captures in all eight directions, one step or `far`: a Queen or a King.
    fn set_down(&mut self, piece: Mask, far: bool) {
        for way in Way::BOTH.map(|way| way as usize) {
            self.near[way] |= piece;
            self.near_capture[way] |= piece;
            if far {
                self.far[way] |= piece;
                self.far_capture[way] |= piece;
            }
        }
    }
}
