//! Attack sets of every piece on the 8x8 board.
//!
//! Leapers are tables of 64 sets. Sliders are looked up by magic multiplication (Kannan, "Magic Move-Bitboard
//! Generation", 2007), or by PEXT where the build targets BMI2 (`-C target-cpu=native` or `-C target-feature=+bmi2`);
//! both share one table layout, filled at compile time by hyperbola quintessence
//! (<https://www.chessprogramming.org/Hyperbola_Quintessence>).
//!
//! ```
//! use fauve_engine::core::{Bitboard, Square, attacks};
//!
//! // Every square from which a piece could give check to a king on e1 along lines, and by leaping.
//! let king = Square::new(4, 0);
//! assert_eq!(attacks::queen(king, Bitboard::EMPTY).len(), 21);
//! assert_eq!(attacks::knight(king).len(), 4);
//! ```

mod lines;
mod magic;
mod sets;

use super::{Bitboard, Color, Square};
use lines::{BETWEEN, LINE, RAYS};
use magic::{BISHOP_ENTRIES, ROOK_ENTRIES, SLIDES};
pub use sets::{kings, knights, slides};

const fn leaper(steps: &[(i8, i8)]) -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut square = 0;
    while square < 64 {
        let mut i = 0;
        while i < steps.len() {
            let file = (square % 8) as i8 + steps[i].0;
            let rank = (square / 8) as i8 + steps[i].1;
            if file >= 0 && file < 8 && rank >= 0 && rank < 8 {
                table[square].0 |= 1 << (rank * 8 + file);
            }
            i += 1;
        }
        square += 1;
    }
    table
}

static KNIGHT: [Bitboard; 64] = leaper(&[
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);
static KING: [Bitboard; 64] = leaper(&[
    (1, 0),
    (1, 1),
    (0, 1),
    (-1, 1),
    (-1, 0),
    (-1, -1),
    (0, -1),
    (1, -1),
]);
static PAWN: [[Bitboard; 64]; 2] = [leaper(&[(-1, 1), (1, 1)]), leaper(&[(-1, -1), (1, -1)])];

/// The squares a knight's move away.
///
/// ```
/// use fauve_engine::core::{Square, attacks};
/// let names: Vec<String> = attacks::knight(Square::new(0, 0)).map(|s| s.to_string()).collect();
/// assert_eq!(names, ["c2", "b3"]);
/// ```
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a king's step away.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares that a pawn of this colour attacks from here.
///
/// ```
/// use fauve_engine::core::{Color, Square, attacks};
///
/// // A pawn attacks a square exactly if a pawn of the other colour there would attack it.
/// let [e4, d5]: [Square; 2] = ["e4".parse()?, "d5".parse()?];
/// assert!(attacks::pawn(Color::White, e4).has(d5));
/// assert!(attacks::pawn(Color::Black, d5).has(e4));
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

/// All squares attacked by a set of pawns.
///
/// ```
/// use fauve_engine::core::{Bitboard, Color, attacks};
/// assert_eq!(attacks::pawns(Color::Black, Bitboard::rank(6)), Bitboard::rank(5));
/// ```
#[inline(always)]
pub fn pawns(color: Color, pawns: Bitboard) -> Bitboard {
    let forward = match color {
        Color::White => pawns.north(),
        Color::Black => pawns.south(),
    };
    forward.east() | forward.west()
}

/// The diagonal sliding attacks from a square, up to and with the first occupied square of each ray.
#[inline(always)]
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDES[BISHOP_ENTRIES[square.index()].slot(occupied.0)]
}

/// The orthogonal sliding attacks from a square, up to and with the first occupied square of each ray.
///
/// ```
/// use fauve_engine::core::{Bitboard, Square, attacks};
///
/// let [a1, a4, c1]: [Square; 3] = ["a1".parse()?, "a4".parse()?, "c1".parse()?];
/// let blockers = Bitboard::of(a4) | Bitboard::of(c1);
/// let reach = attacks::rook(a1, blockers);
/// assert_eq!(format!("{reach:?}"), "{b1, c1, a2, a3, a4}");
/// // The set includes the blockers; without pieces of its side it is the set of the rook's moves.
/// assert_eq!((reach - Bitboard::of(c1)).len(), 4);
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline(always)]
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    SLIDES[ROOK_ENTRIES[square.index()].slot(occupied.0)]
}

/// Bishop and rook attacks together.
///
/// ```
/// use fauve_engine::core::{Bitboard, Square, attacks};
///
/// // Attacks through a piece: remove it from the occupied set.
/// let [d1, d4]: [Square; 2] = ["d1".parse()?, "d4".parse()?];
/// let seen = attacks::queen(d1, Bitboard::of(d4));
/// let through = attacks::queen(d1, Bitboard::EMPTY) - seen;
/// assert_eq!(format!("{through:?}"), "{d5, d6, d7, d8}");
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline(always)]
pub fn queen(square: Square, occupied: Bitboard) -> Bitboard {
    bishop(square, occupied) | rook(square, occupied)
}

/// The diagonals through a square, edge to edge, without the square: [`bishop`] on an empty board.
#[inline(always)]
pub fn bishop_rays(square: Square) -> Bitboard {
    RAYS[square.index()][1]
}

/// The rank and file of a square, edge to edge, without the square: [`rook`] on an empty board.
#[inline(always)]
pub fn rook_rays(square: Square) -> Bitboard {
    RAYS[square.index()][0]
}

/// The squares strictly between two squares of one rank, file or diagonal; empty for others.
///
/// ```
/// use fauve_engine::core::{Square, attacks};
///
/// // Where a check from h5 to e8 can be parried by stepping between.
/// let [h5, e8, g6]: [Square; 3] = ["h5".parse()?, "e8".parse()?, "g6".parse()?];
/// assert_eq!(format!("{:?}", attacks::between(h5, e8)), "{g6, f7}");
/// assert!(attacks::between(g6, e8).len() == 1 && attacks::between(h5, g6).is_empty());
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares, edge to edge; empty when there is none.
///
/// ```
/// use fauve_engine::core::{Square, attacks};
///
/// // A pinned piece may move along the line through it and its king.
/// let [king, pinned, b5]: [Square; 3] = ["e1".parse()?, "d2".parse()?, "a5".parse()?];
/// assert!(attacks::line(king, pinned).has(b5));
/// assert!(attacks::line(king, "d3".parse()?).is_empty());
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Walks the rays square by square: the definition that the tables must match.
    fn walk(square: Square, occupied: Bitboard, rays: &[(i8, i8)]) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        for &(df, dr) in rays {
            let (mut file, mut rank) = (square.file() as i8 + df, square.rank() as i8 + dr);
            while (0..8).contains(&file) && (0..8).contains(&rank) {
                let next = Square::new(file as u8, rank as u8);
                set |= Bitboard::of(next);
                if occupied.has(next) {
                    break;
                }
                file += df;
                rank += dr;
            }
        }
        set
    }

    #[test]
    fn rays_are_slides_on_an_empty_board() {
        for square in Square::all() {
            assert_eq!(rook_rays(square), rook(square, Bitboard::EMPTY));
            assert_eq!(bishop_rays(square), bishop(square, Bitboard::EMPTY));
        }
    }

    #[test]
    fn sliders_match_a_walk_over_the_rays() {
        let mut state = 20261121u64;
        for _ in 0..2000 {
            state = state
                .wrapping_mul(6364136223846793005)
                .wrapping_add(1442695040888963407);
            let occupied = Bitboard(state & state.rotate_left(23));
            for square in Square::all() {
                assert_eq!(
                    rook(square, occupied),
                    walk(square, occupied, &[(1, 0), (-1, 0), (0, 1), (0, -1)])
                );
                assert_eq!(
                    bishop(square, occupied),
                    walk(square, occupied, &[(1, 1), (-1, 1), (1, -1), (-1, -1)])
                );
            }
        }
    }

    #[test]
    fn lines_and_gaps() {
        let (a1, d4, h8, b3) = (
            Square::new(0, 0),
            Square::new(3, 3),
            Square::new(7, 7),
            Square::new(1, 2),
        );
        assert_eq!(between(a1, d4).len(), 2);
        assert_eq!(line(a1, d4), line(d4, h8));
        assert_eq!(line(a1, d4).len(), 8);
        assert!(between(a1, b3).is_empty() && line(a1, b3).is_empty());
    }
}
