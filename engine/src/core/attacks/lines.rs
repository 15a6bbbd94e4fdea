//! The four lines through each square, and what lies on them.

use crate::core::Bitboard;

/// One line through a square by hyperbola quintessence; `line` without the square itself.
pub(super) const fn slide_line(square: usize, occupied: u64, line: u64) -> u64 {
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

pub(super) const LINES: [[u64; 4]; 64] = {
    let mut table = [[0; 4]; 64];
    let mut square = 0;
    while square < 64 {
        table[square] = ray_lines(square);
        square += 1;
    }
    table
};

/// Orthogonal and diagonal lines of each square.
pub(super) static RAYS: [[Bitboard; 2]; 64] = {
    let mut table = [[Bitboard::EMPTY; 2]; 64];
    let mut square = 0;
    while square < 64 {
        let lines = LINES[square];
        table[square] = [Bitboard(lines[0] | lines[1]), Bitboard(lines[2] | lines[3])];
        square += 1;
    }
    table
};

pub(super) static BETWEEN: [[Bitboard; 64]; 64] = pairs(true);
pub(super) static LINE: [[Bitboard; 64]; 64] = pairs(false);

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
