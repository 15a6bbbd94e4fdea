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
//! // Every square from which a man could give check to a king on e1 along lines, and by leaping.
//! let king = Square::new(4, 0);
//! assert_eq!(attacks::queen(king, Bitboard::EMPTY).len(), 21);
//! assert_eq!(attacks::knight(king).len(), 4);
//! ```

use super::{Bitboard, Color, Square};

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
/// // The blockers belong to the set: without the own men it is where the rook can go.
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
/// // What stands behind a man: take him off the board and look again.
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
/// // A pinned man may go along the line through him and his king.
/// let [king, pinned, b5]: [Square; 3] = ["e1".parse()?, "d2".parse()?, "a5".parse()?];
/// assert!(attacks::line(king, pinned).has(b5));
/// assert!(attacks::line(king, "d3".parse()?).is_empty());
/// # Ok::<(), fauve_engine::core::UnknownSquare>(())
/// ```
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

struct Entry {
    mask: u64,
    #[cfg_attr(
        target_feature = "bmi2",
        expect(dead_code, reason = "PEXT needs no multiplier")
    )]
    magic: u64,
    #[cfg_attr(
        target_feature = "bmi2",
        expect(dead_code, reason = "PEXT needs no shift")
    )]
    shift: u32,
    offset: u32,
}

impl Entry {
    #[cfg(not(target_feature = "bmi2"))]
    #[inline(always)]
    const fn slot(&self, occupied: u64) -> usize {
        self.offset as usize
            + ((occupied & self.mask).wrapping_mul(self.magic) >> self.shift) as usize
    }

    #[cfg(target_feature = "bmi2")]
    #[inline(always)]
    fn slot(&self, occupied: u64) -> usize {
        // SAFETY: the instruction needs BMI2, and this function only exists in builds that require BMI2.
        self.offset as usize
            + unsafe { core::arch::x86_64::_pext_u64(occupied, self.mask) } as usize
    }

    /// `slot` for the n-th subset of the mask in carry-rippler order, which is PEXT's order.
    const fn fill_slot(&self, subset: u64, nth: usize) -> usize {
        #[cfg(not(target_feature = "bmi2"))]
        {
            let _ = nth;
            self.slot(subset)
        }
        #[cfg(target_feature = "bmi2")]
        {
            let _ = subset;
            self.offset as usize + nth
        }
    }
}

/// One line through a square by hyperbola quintessence; `line` without the square itself.
const fn slide_line(square: usize, occupied: u64, line: u64) -> u64 {
    let slider = 1u64 << square;
    let blockers = occupied & line;
    let up = blockers.wrapping_sub(slider << 1);
    let down = blockers
        .reverse_bits()
        .wrapping_sub(slider.reverse_bits() << 1)
        .reverse_bits();
    (up ^ down) & line
}

const fn ray_lines(square: usize) -> [u64; 4] {
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    let mut lines = [0u64; 4];
    let mut other = 0;
    while other < 64 {
        let (df, dr) = (other % 8 - file, other / 8 - rank);
        if other != square as i32 {
            let bit = 1u64 << other;
            if df == 0 {
                lines[0] |= bit;
            } else if dr == 0 {
                lines[1] |= bit;
            } else if df == dr {
                lines[2] |= bit;
            } else if df == -dr {
                lines[3] |= bit;
            }
        }
        other += 1;
    }
    lines
}

const LINES: [[u64; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray_lines(square);
        square += 1;
    }
    table
};

const fn slider_attacks(square: usize, occupied: u64, first_line: usize) -> u64 {
    slide_line(square, occupied, LINES[square][first_line])
        | slide_line(square, occupied, LINES[square][first_line + 1])
}

/// The blockers that matter: the lines without the board's edge, unless the slider stands on that edge.
const fn relevant(square: usize, first_line: usize) -> u64 {
    let (file, rank) = (square as u8 % 8, square as u8 / 8);
    let ranks = (Bitboard::RANK_1.0 | Bitboard::RANK_8.0) & !Bitboard::rank(rank).0;
    let files = (Bitboard::FILE_A.0 | Bitboard::FILE_H.0) & !Bitboard::file(file).0;
    (LINES[square][first_line] | LINES[square][first_line + 1]) & !(ranks | files)
}

const fn entries(magics: &[u64; 64], first_line: usize, mut offset: u32) -> [Entry; 64] {
    let mut table = [const {
        Entry {
            mask: 0,
            magic: 0,
            shift: 0,
            offset: 0,
        }
    }; 64];
    let mut square = 0;
    while square < 64 {
        let mask = relevant(square, first_line);
        table[square] = Entry {
            mask,
            magic: magics[square],
            shift: 64 - mask.count_ones(),
            offset,
        };
        offset += 1 << mask.count_ones();
        square += 1;
    }
    table
}

const ROOK_SLOTS: usize = 102_400;
const BISHOP_SLOTS: usize = 5_248;
static ROOK_ENTRIES: [Entry; 64] = entries(&ROOK_MAGICS, 0, 0);
static BISHOP_ENTRIES: [Entry; 64] = entries(&BISHOP_MAGICS, 2, ROOK_SLOTS as u32);

#[expect(
    long_running_const_eval,
    reason = "107,648 short look-ups, about a second, once per build"
)]
static SLIDES: [Bitboard; ROOK_SLOTS + BISHOP_SLOTS] = {
    let mut slides = [Bitboard::EMPTY; ROOK_SLOTS + BISHOP_SLOTS];
    let tables = [
        entries(&ROOK_MAGICS, 0, 0),
        entries(&BISHOP_MAGICS, 2, ROOK_SLOTS as u32),
    ];
    let mut which = 0;
    while which < 2 {
        let mut square = 0;
        while square < 64 {
            let entry = &tables[which][square];
            let (mut subset, mut nth) = (0u64, 0);
            loop {
                slides[entry.fill_slot(subset, nth)] =
                    Bitboard(slider_attacks(square, subset, which * 2));
                subset = subset.wrapping_sub(entry.mask) & entry.mask;
                nth += 1;
                if subset == 0 {
                    break;
                }
            }
            square += 1;
        }
        which += 1;
    }
    slides
};

/// Orthogonal and diagonal lines of each square.
static RAYS: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let lines = LINES[square];
        table[square] = [Bitboard(lines[0] | lines[1]), Bitboard(lines[2] | lines[3])];
        square += 1;
    }
    table
};

static BETWEEN: [[Bitboard; 64]; 64] = pairs(true);
static LINE: [[Bitboard; 64]; 64] = pairs(false);

const fn pairs(only_between: bool) -> [[Bitboard; 64]; 64] {
    let mut table = [[Bitboard::EMPTY; 64]; 64];
    let mut a = 0;
    while a < 64 {
        let mut b = 0;
        while b < 64 {
            let mut i = 0;
            while i < 4 {
                if LINES[a][i] >> b & 1 != 0 {
                    table[a][b] = Bitboard(if only_between {
                        slide_line(a, 1 << b, LINES[a][i]) & slide_line(b, 1 << a, LINES[b][i])
                    } else {
                        LINES[a][i] | 1 << a
                    });
                }
                i += 1;
            }
            b += 1;
        }
        a += 1;
    }
    table
}

/// Found by random search with sparse candidates.
const ROOK_MAGICS: [u64; 64] = [
    0x0080002010804000,
    0x2040100040002000,
    0x1700104009002000,
    0x0100040820100100,
    0x0280040008008002,
    0x1b00080400e20100,
    0x5500020001000084,
    0x82000b2282040043,
    0x0084800084400031,
    0x5026400142201001,
    0x0040801000200080,
    0x0a00801000800803,
    0x8080808004000800,
    0x1000808004000200,
    0x4221000402006100,
    0x88c10001000448a6,
    0x0280808000400021,
    0x02a0004010004021,
    0x0240808010002000,
    0x10900a0010420021,
    0x4408110008000500,
    0x0016008100800400,
    0x8800040042081041,
    0x11015a0018489104,
    0x004080e280014001,
    0x0040400080200084,
    0x4080200080100080,
    0x0800100080800800,
    0x2004008080080004,
    0x101c020080800400,
    0x80000104002822b0,
    0x008004020000a041,
    0x2009c00690800028,
    0x815002600240004a,
    0x0601200182801002,
    0x01b0018290800800,
    0x1400040080800800,
    0x4000800400800200,
    0x0001800100800200,
    0x0100005082000421,
    0x0084400824808000,
    0x2020004030004005,
    0x0020200010008080,
    0x1010000800808010,
    0x0080080004008080,
    0x1002000204008080,
    0x0000020110040088,
    0x0804008100420004,
    0x2840018003402480,
    0x0000401000200840,
    0x0a31102000450500,
    0x4000100028018180,
    0x1100080004110100,
    0x0e14008004020080,
    0x2019000402000100,
    0x4200150864246200,
    0x09250010408ae202,
    0x0000400010850821,
    0x0151400b00112001,
    0x12a3002004099001,
    0x0082002008849002,
    0x400100081a040003,
    0x088008100605009c,
    0x0090090080440822,
];

/// Found by random search with sparse candidates.
const BISHOP_MAGICS: [u64; 64] = [
    0x010204080081020a,
    0x8008880100420433,
    0x0208148412800000,
    0x4408084110000068,
    0x08020211020d0020,
    0x0008280848812041,
    0x0200410820110400,
    0x0005050841044000,
    0x0010602034210050,
    0x0020080218044300,
    0x7940443404014404,
    0x1008080481080003,
    0x6040040422052388,
    0x10900d0420060200,
    0x0000012402024000,
    0x450020484208200c,
    0x0010300420c20410,
    0x0120800801290220,
    0x13208011020c0040,
    0x8040800802024000,
    0x214100c490400050,
    0x0022000020942000,
    0x0002000400828800,
    0x8042820244042100,
    0x0008401008420802,
    0x0410901004140090,
    0x8a08010008020021,
    0x2014080000220040,
    0x0281001005004020,
    0x2002060000880904,
    0x0010840c00821840,
    0x4018882000822804,
    0x0010042100100200,
    0x0004092481285043,
    0x4000209040080800,
    0x0016008020020201,
    0x80c0010040020802,
    0x0004008080880800,
    0x21010c040100a202,
    0x6801010b301a0200,
    0x11020202a0014000,
    0x0022082202082820,
    0xc08300c110000240,
    0x4008122214000806,
    0x0b09400882020120,
    0x4002204143000180,
    0x0129080104100040,
    0x800c080203208042,
    0x01088401a0508000,
    0x80009184882040c2,
    0x9001094208240005,
    0x0290802084040040,
    0xc0204068e1050480,
    0xa121052810090000,
    0x0591052808084000,
    0x0008100440802080,
    0x0c40120292084060,
    0x0000002082501000,
    0x000806120300c800,
    0x0202284400aa0804,
    0x0000a10008102407,
    0x2002484008016100,
    0x0422041034480c80,
    0x1022104a281100a0,
];

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
