//! Two kings and their pieces by the symmetries of the board, for tables of endgames. A pawn's owner has it go up; the other king stands on
//! files a to d, and without pawns in the triangle a1, d1, d4. Squares are numbers 0..64.

/// Whether the other king is already in the canonical area of the symmetries.
pub const fn is_canonical(other: u8, pawn: bool) -> bool {
    let (file, rank) = (other % 8, other / 8);
    file < 4 && (pawn || rank <= file)
}

/// The squares of all pieces, the other king the last, brought there.
#[inline]
pub fn canonical<const N: usize>(mut squares: [u8; N], pawn: bool) -> [u8; N] {
    if squares[N - 1] % 8 > 3 {
        squares = squares.map(|square| square ^ 0x07);
    }
    if !pawn {
        if squares[N - 1] / 8 > 3 {
            squares = squares.map(|square| square ^ 0x38);
        }
        if squares[N - 1] / 8 > squares[N - 1] % 8 {
            // Files and ranks exchanged.
            squares = squares.map(|square| square % 8 * 8 + square / 8);
        }
    }
    squares
}

/// The number of the other king's square among those it can occupy: 0..32 with a pawn, 0..10 without.
pub const fn number(other: u8, pawn: bool) -> usize {
    let (file, rank) = ((other % 8) as usize, (other / 8) as usize);
    if pawn {
        rank * 4 + file
    } else {
        file * (file + 1) / 2 + rank
    }
}
