//! Attacks of many pieces at once, in no more instructions than those of a few: Kogge-Stone fills
//! (<https://www.chessprogramming.org/Kogge-Stone_Algorithm>), four directions side by side, which compilers turn into
//! vector instructions.

use crate::core::Bitboard;

/// What is added to the index of a square by a step north, east, north-east or north-west; the other four directions take it away.
const SHIFTS: [u32; 4] = [8, 1, 9, 7];
const NOT_A: u64 = !Bitboard::FILE_A.0;
const NOT_H: u64 = !Bitboard::FILE_H.0;
/// Where a step of each direction can arrive without having crossed the edge.
const UP: [u64; 4] = [!0, NOT_A, NOT_A, NOT_H];
const DOWN: [u64; 4] = [!0, NOT_H, NOT_H, NOT_A];

/// The squares that sets of orthogonal and diagonal sliders attack together, up to and with the first occupied square of each ray.
///
/// ```
/// use fauve_engine::core::{Bitboard, Square, attacks};
///
/// let [a1, c3, f1]: [Square; 3] = ["a1".parse()?, "c3".parse()?, "f1".parse()?];
/// let (rooks, bishops) = (Bitboard::of(a1), Bitboard::of(c3) | Bitboard::of(f1));
/// let occupied = rooks | bishops;
/// let each = attacks::rook(a1, occupied) | attacks::bishop(c3, occupied) | attacks::bishop(f1, occupied);
/// assert_eq!(attacks::slides(rooks, bishops, occupied), each);
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline]
pub fn slides(orthogonal: Bitboard, diagonal: Bitboard, occupied: Bitboard) -> Bitboard {
    let sliders = [orthogonal.0, orthogonal.0, diagonal.0, diagonal.0];
    let (mut up, mut down) = (sliders, sliders);
    let mut free_up = UP.map(|mask| mask & !occupied.0);
    let mut free_down = DOWN.map(|mask| mask & !occupied.0);
    for doubled in 0..3 {
        for lane in 0..4 {
            let shift = SHIFTS[lane] << doubled;
            up[lane] |= free_up[lane] & (up[lane] << shift);
            free_up[lane] &= free_up[lane] << shift;
            down[lane] |= free_down[lane] & (down[lane] >> shift);
            free_down[lane] &= free_down[lane] >> shift;
        }
    }
    let mut set = 0;
    for lane in 0..4 {
        set |= up[lane] << SHIFTS[lane] & UP[lane] | down[lane] >> SHIFTS[lane] & DOWN[lane];
    }
    Bitboard(set)
}

/// The squares a knight's move away from any square of a set.
///
/// ```
/// use fauve_engine::core::{Bitboard, attacks};
/// let corners = (Bitboard::FILE_A | Bitboard::FILE_H) & (Bitboard::RANK_1 | Bitboard::RANK_8);
/// assert_eq!(attacks::knights(corners).len(), 8);
/// ```
#[inline(always)]
pub const fn knights(set: Bitboard) -> Bitboard {
    let (east, west) = (set.east(), set.west());
    let near = Bitboard(east.0 | west.0);
    let far = Bitboard(east.east().0 | west.west().0);
    Bitboard(near.north().north().0 | near.south().south().0 | far.north().0 | far.south().0)
}

/// The squares a king's step away from any square of a set.
#[inline(always)]
pub const fn kings(set: Bitboard) -> Bitboard {
    let sides = set.east().0 | set.west().0;
    let row = Bitboard(set.0 | sides);
    Bitboard(sides | row.north().0 | row.south().0)
}

#[cfg(test)]
mod tests {
    use super::super::{bishop, king, knight, rook};
    use super::*;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::{Rng, SeedableRng};

    #[test]
    fn a_set_attacks_what_its_pieces_attack() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        let mut sparse = || Bitboard(random.next_u64() & random.next_u64() & random.next_u64());
        for _ in 0..20_000 {
            let (rooks, bishops, others) = (sparse(), sparse(), sparse());
            let occupied = rooks | bishops | others;
            let all = |set: Bitboard, attacks: &dyn Fn(crate::core::Square) -> Bitboard| {
                set.fold(Bitboard::EMPTY, |sum, square| sum | attacks(square))
            };
            let each =
                all(rooks, &|at| rook(at, occupied)) | all(bishops, &|at| bishop(at, occupied));
            assert_eq!(slides(rooks, bishops, occupied), each);
            assert_eq!(knights(others), all(others, &knight));
            assert_eq!(kings(others), all(others, &king));
        }
    }
}
