//! The part of a position that the network's inputs depend on.

use crate::core::Color;
use crate::rules::cubes::{Cell, Cubes4d, Mask, Reserve};

/// The part of a position that the network's inputs depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Relief {
    /// The binary digits of the heights.
    pub heights: [Mask; 2],
    /// The binary digits of the codes of the pieces.
    pub pieces: [Mask; 3],
    /// White's pieces.
    pub white: Mask,
    /// How many pieces are outside the game, by colour and [`Reserve`].
    pub pool: [[u8; 2]; 2],
    /// By colour, the moves that a lone King has resisted.
    pub lone: [Option<u8>; 2],
}

impl Relief {
    /// Reads it from a position.
    #[inline(always)]
    pub fn of(position: &Cubes4d) -> Self {
        let count = |color| {
            [Reserve::GrandPawn, Reserve::Queen].map(|reserve| position.pool(color, reserve))
        };
        Self {
            heights: position.height_digits(),
            pieces: position.piece_digits(),
            white: position.pieces_of(Color::White),
            pool: Color::ALL.map(count),
            lone: position.lone_counts(),
        }
    }

    /// The cells with pieces.
    #[inline(always)]
    pub fn occupied(&self) -> Mask {
        self.pieces[0] | self.pieces[1] | self.pieces[2]
    }

    /// The height of a column.
    #[inline(always)]
    pub const fn height(&self, cell: Cell) -> u8 {
        self.heights[0].has(cell) as u8 | (self.heights[1].has(cell) as u8) << 1
    }

    /// The side and the code of the piece on an occupied cell.
    #[inline(always)]
    pub const fn piece(&self, cell: Cell) -> (Color, usize) {
        let code = self.pieces[0].has(cell) as usize
            | (self.pieces[1].has(cell) as usize) << 1
            | (self.pieces[2].has(cell) as usize) << 2;
        (Color::ALL[!self.white.has(cell) as usize], code)
    }

    /// Whether the network evaluates the position: only if neither King is alone.
    #[inline(always)]
    pub fn asks_network(&self) -> bool {
        self.lone == [None; 2]
    }
}
