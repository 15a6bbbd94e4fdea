//! Neighbourhoods and rays of single cells, computed at compile time.

use super::mask::{Cell, DIRECTIONS, Mask};

/// A set for every cell number (those of the margin are empty).
type Table = [Mask; 256];

const fn in_arena(x: i16, y: i16) -> bool {
    x >= 0 && x < 15 && y >= 0 && y < 15
}

/// The cells at the given differences of file and rank.
const fn leaper<const N: usize>(vectors: [(i16, i16); N]) -> Table {
    let mut table = [Mask::EMPTY; 256];
    let mut i = 0;
    while i < 240 {
        let (x, y) = (i & 15, i >> 4);
        let mut v = 0;
        while v < N && in_arena(x, y) {
            let (tx, ty) = (x + vectors[v].0, y + vectors[v].1);
            if in_arena(tx, ty) {
                let cell = Cell::new(tx as u8, ty as u8);
                table[i as usize] = table[i as usize].with(cell);
            }
            v += 1;
        }
        i += 1;
    }
    table
}

/// The orthogonal neighbours.
pub static CROSS: Table = leaper([(1, 0), (-1, 0), (0, 1), (0, -1)]);
/// The diagonal neighbours.
pub static DIAGONAL: Table = leaper([(1, 1), (-1, -1), (-1, 1), (1, -1)]);
/// The cells two files or two ranks away: a Knight's goals one level up or down.
pub static STRAIGHT_2: Table = leaper([(2, 0), (-2, 0), (0, 2), (0, -2)]);
/// The Knight's moves of chess: its goals on its own level.
pub static KNIGHT: Table = leaper([
    (1, 2),
    (2, 1),
    (2, -1),
    (1, -2),
    (-1, -2),
    (-2, -1),
    (-2, 1),
    (-1, 2),
]);

/// The cells up to three steps away, and the cell.
pub static SQUARE_3: Table = {
    let mut vectors = [(0, 0); 49];
    let mut i = 0;
    while i < 49 {
        vectors[i as usize] = (i % 7 - 3, i / 7 - 3);
        i += 1;
    }
    leaper(vectors)
};

/// For each of [`DIRECTIONS`] the cells ahead, up to the arena's edge.
static RAYS: [Table; 8] = {
    let mut rays = [[Mask::EMPTY; 256]; 8];
    let mut d = 0;
    while d < 8 {
        let mut i = 0;
        while i < 240 {
            if i & 15 != 15 {
                let mut at = i + DIRECTIONS[d];
                // The margin's file is left on both sides, its rank and negative numbers above and below.
                while at >= 0 && at < 240 && at & 15 != 15 {
                    rays[d][i as usize] = rays[d][i as usize].with(Cell(at as u8));
                    at += DIRECTIONS[d];
                }
            }
            i += 1;
        }
        d += 1;
    }
    rays
};

/// The lines through a cell, without it: rank and file.
pub static CROSS_LINES: Table = lines(0);
/// The lines through a cell, without it: both diagonals.
pub static DIAGONAL_LINES: Table = lines(4);

const fn lines(first: usize) -> Table {
    let mut table = [Mask::EMPTY; 256];
    let mut i = 0;
    while i < 240 {
        let mut words = [0; 4];
        let mut word = 0;
        while word < 4 {
            words[word] = RAYS[first][i].words()[word]
                | RAYS[first + 1][i].words()[word]
                | RAYS[first + 2][i].words()[word]
                | RAYS[first + 3][i].words()[word];
            word += 1;
        }
        table[i] = Mask::new(words);
        i += 1;
    }
    table
}

/// The cells strictly between two different cells of one line.
#[inline(always)]
pub fn between(a: Cell, b: Cell) -> Mask {
    // Which of the directions leads from the smaller number to the greater.
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    let direction = if low.rank() == high.rank() {
        0
    } else if low.file() == high.file() {
        2
    } else if low.file() < high.file() {
        4
    } else {
        6
    };
    RAYS[direction][low.index()] & RAYS[direction + 1][high.index()]
}

/// For the eight cells round one (bit 0 south-west, then west to east and south to north without the middle): whether
/// they are one group by sides and corners, not counting the middle.
static RING_CONNECTED: [bool; 256] = {
    let mut table = [false; 256];
    // Bits in the order of a walk round the ring, starting at a corner.
    let walk = [0, 1, 2, 4, 7, 6, 5, 3];
    let mut ring = 0;
    while ring < 256 {
        let mut groups = 0;
        let mut i = 0;
        while i < 8 {
            let here = ring >> walk[i] & 1 == 1;
            let next = ring >> walk[(i + 1) % 8] & 1 == 1;
            let after = ring >> walk[(i + 2) % 8] & 1 == 1;
            // A group ends where the next cell is missing, unless two sides touch over a missing corner: odd
            // places of the walk are sides.
            if here && !next && !(i % 2 == 1 && after) {
                groups += 1;
            }
            i += 1;
        }
        table[ring] = groups == 1 || groups == 0 && ring != 0;
        ring += 1;
    }
    table
};

/// Whether the members of a set round a cell are one group even without that cell. Never true without members.
#[inline(always)]
pub fn ring_is_connected(set: &Mask, cell: Cell) -> bool {
    // Three rows of sixteen, the middle one that of the cell, and the margin makes the rows' ends safe.
    let row = |rank: i16| -> u32 {
        if rank < 0 {
            return 0;
        }
        let row = (set.words()[(rank >> 2) as usize & 3] >> ((rank & 3) * 16)) as u32 & 0xffff;
        (row << 1) >> cell.file() & 7
    };
    let rank = cell.rank() as i16;
    let (south, middle, north) = (row(rank - 1), row(rank), row(rank + 1));
    RING_CONNECTED[(south | (middle & 1) << 3 | (middle >> 2) << 4 | north << 5) as usize]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_is_symmetric_and_straight() {
        for a in Mask::ARENA {
            let lines = CROSS_LINES[a.index()] | DIAGONAL_LINES[a.index()];
            assert!(!lines.has(a));
            for b in lines {
                let dx = b.file() as i16 - a.file() as i16;
                let dy = b.rank() as i16 - a.rank() as i16;
                let steps = dx.abs().max(dy.abs());
                let mut expected = Mask::EMPTY;
                for k in 1..steps {
                    expected.insert(Cell::new(
                        (a.file() as i16 + dx / steps * k) as u8,
                        (a.rank() as i16 + dy / steps * k) as u8,
                    ));
                }
                assert_eq!(between(a, b), expected, "{a} {b}");
                assert_eq!(between(b, a), expected);
            }
        }
    }

    #[test]
    fn rings_agree_with_flood_fill() {
        for cell in [
            Cell::new(0, 0),
            Cell::new(7, 7),
            Cell::new(14, 14),
            Cell::new(0, 8),
        ] {
            let ring = (Mask::of(cell).grown() & Mask::ARENA).without(Mask::of(cell));
            let cells: Vec<Cell> = ring.into_iter().collect();
            for choice in 1_u32..1 << cells.len() {
                let mut set = Mask::EMPTY;
                for (i, &member) in cells.iter().enumerate() {
                    if choice >> i & 1 == 1 {
                        set.insert(member);
                    }
                }
                assert_eq!(ring_is_connected(&set, cell), set.is_connected(), "{set:?}");
                assert_eq!(
                    ring_is_connected(&(set | Mask::of(cell)), cell),
                    set.is_connected()
                );
            }
            assert!(!ring_is_connected(&Mask::EMPTY, cell));
        }
    }
}
