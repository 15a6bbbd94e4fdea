//! Training of Cubes 4D: records, and the starts of its games.
//!
//! A record has the 49 bytes of the other games ([`crate::record`]), with score, side and result at the same places. Bytes
//! 0 to 43 are a stream of bits, low ones first:
//! - the smallest rectangle that holds all cubes and pieces: first file and rank, last file and rank (4 bits each);
//! - the cell of the cube just moved (8 bits; 255: none);
//! - the number of moves that a bare King has resisted, and one (4 bits for each side; 0: the side has other pieces);
//! - the pieces outside the game (2 bits each: White's Grand Pawns and Queens, then Black's);
//! - the heights of the rectangle's cells, rank by rank (`0`, `10`, `110`, `111`);
//! - for each cell that can hold a piece, whether it does;
//! - the pieces in the order of their cells (3 bits of the code, 1 for Black).
//!
//! Byte 46 counts the quiet plies, byte 47 holds castling rights (`RBrb`).

use crate::game::{PoolRule, Trainable, play_random_turn};
use crate::random::Random;
use crate::record::{GameResult, Packed, Record, Verdict};
use crate::views::{Inputs, Views};
use fauve_engine::core::Color;
use fauve_engine::eval::cubes::inputs::{
    CELLS, CubesPerspective, LEVEL_AT, LINE, PIECES, RELIEF_AT, Relief, STANDINGS,
};
use fauve_engine::eval::network::{HasNetwork, IncrementalFeatures};
use fauve_engine::rules::cubes::{
    Cell, Cubes4d, LONE_KING_LIMIT, Mask, Options, PieceKind, trenches_of,
};
use fauve_engine::rules::{Game, Notation, Rules};
use std::fmt::Write;

/// Length of the stream, in bits.
const STREAM: usize = 44 * 8;
const QUIET_AT: usize = 46;
const CASTLING_AT: usize = 47;
/// Castling letters in the order of their bits.
const CASTLING: [char; 4] = ['R', 'B', 'r', 'b'];
/// Maximum number of pieces in a record.
const MOST_PIECES: usize = 32;
/// Largest number of quiet plies at which a position is recorded; beyond it the counter decides, and what remains of an advantage
/// follows from the count alone.
const LATE: u16 = 80;
/// Number of quiet plies at which a game is adjudicated as a draw.
const STALE: u16 = 120;

/// Number of distances from the King that have shared inputs.
const RINGS: usize = LINE / 2 + 1;
/// First shared input of each kind.
const STANDING_AT: usize = Cubes4d::INPUTS;
const RING_AT: usize = STANDING_AT + PIECES * STANDINGS;
const CELL_AT: usize = RING_AT + PIECES * STANDINGS * RINGS;
const LEVEL_RING_AT: usize = CELL_AT + PIECES * CELLS;

/// The contents of a position's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Described {
    relief: Relief,
    kings: [Cell; 2],
    last_cube: Option<Cell>,
}

/// Writes bits into a record.
struct Writer<'a> {
    bytes: &'a mut Packed,
    at: usize,
}

impl Writer<'_> {
    /// Appends `bits` bits of `value`; `None` if the stream is full.
    fn put(&mut self, value: u32, bits: usize) -> Option<()> {
        for bit in 0..bits {
            if self.at >= STREAM {
                return None;
            }
            self.bytes[self.at / 8] |= ((value >> bit & 1) as u8) << (self.at % 8);
            self.at += 1;
        }
        Some(())
    }
}

/// Reads bits of a record; beyond the end they are 0.
struct Reader<'a> {
    bytes: &'a Packed,
    at: usize,
}

impl Reader<'_> {
    /// Reads up to 16 bits.
    #[inline]
    fn take(&mut self, bits: usize) -> u32 {
        let byte = |i: usize| {
            let byte = if i < STREAM / 8 { self.bytes[i] } else { 0 };
            u32::from(byte)
        };
        let first = self.at / 8;
        let word = byte(first) | byte(first + 1) << 8 | byte(first + 2) << 16;
        let value = word >> (self.at % 8) & ((1 << bits) - 1);
        self.at += bits;
        value
    }
}

/// The cells of a rectangle, rank by rank.
fn cells([x0, x1, y0, y1]: [u8; 4]) -> impl Iterator<Item = Cell> {
    (y0..=y1).flat_map(move |y| (x0..=x1).map(move |x| Cell::new(x, y)))
}

impl Described {
    fn of(position: &Cubes4d) -> Self {
        Self {
            relief: Relief::of(position),
            kings: Color::ALL.map(|color| position.king(color)),
            last_cube: position.last_cube(),
        }
    }

    fn write(&self, record: &mut Packed) -> Option<()> {
        let relief = &self.relief;
        let [low, high] = relief.heights;
        let pieces = relief.occupied();
        if pieces.len() as usize > MOST_PIECES {
            return None;
        }
        let bounds = (low | high | pieces).bounds()?;
        let mut to = Writer {
            bytes: record,
            at: 0,
        };
        for bound in bounds {
            to.put(bound.into(), 4)?;
        }
        to.put(self.last_cube.map_or(255, |cell| cell.index() as u32), 8)?;
        for lone in relief.lone {
            to.put(lone.map_or(0, |count| u32::from(count) + 1), 4)?;
        }
        for count in relief.pool.as_flattened() {
            to.put(u32::from(*count).min(3), 2)?;
        }
        for cell in cells(bounds) {
            let (code, bits) = [(0, 1), (1, 2), (3, 3), (7, 3)][usize::from(relief.height(cell))];
            to.put(code, bits)?;
        }
        for place in low | high | trenches_of(low | high) {
            to.put(pieces.has(place).into(), 1)?;
        }
        for cell in pieces {
            let (color, code) = relief.piece(cell);
            to.put(code as u32 | (color as u32) << 3, 4)?;
        }
        Some(())
    }

    /// Reads a record; `None` for what no position has: a stream that is too long, no rectangle, or not one King each.
    fn read(record: &Packed) -> Option<Self> {
        let mut from = Reader {
            bytes: record,
            at: 0,
        };
        let bounds: [u8; 4] = std::array::from_fn(|_| from.take(4) as u8);
        let [x0, x1, y0, y1] = bounds;
        if x0 > x1 || y0 > y1 || x1 > 14 || y1 > 14 {
            return None;
        }
        let mut relief = Relief::default();
        let last = from.take(8) as u8;
        for lone in &mut relief.lone {
            *lone = (from.take(4) as u8).checked_sub(1);
        }
        for count in relief.pool.as_flattened_mut() {
            *count = from.take(2) as u8;
        }
        for cell in cells(bounds) {
            let mut height = 0;
            while height < 3 && from.take(1) == 1 {
                height += 1;
            }
            for (digit, set) in relief.heights.iter_mut().enumerate() {
                if height >> digit & 1 == 1 {
                    set.insert(cell);
                }
            }
        }
        let [low, high] = relief.heights;
        let base = low | high;
        let mut pieces = Mask::EMPTY;
        for place in base | trenches_of(base) {
            if from.take(1) == 1 {
                pieces.insert(place);
            }
        }
        if pieces.len() as usize > MOST_PIECES
            || relief.lone.iter().flatten().any(|&n| n > LONE_KING_LIMIT)
        {
            return None;
        }
        let mut kings = [None; 2];
        for cell in pieces {
            let (code, black) = (from.take(3), from.take(1));
            let piece = PieceKind::from_code(code as usize)?;
            for (digit, set) in relief.pieces.iter_mut().enumerate() {
                if code >> digit & 1 == 1 {
                    set.insert(cell);
                }
            }
            if black == 0 {
                relief.white.insert(cell);
            }
            if piece == PieceKind::King && kings[black as usize].replace(cell).is_some() {
                return None;
            }
        }
        let last_cube = cells([0, 14, 0, 14]).find(|cell| cell.index() == usize::from(last));
        (from.at <= STREAM && (last == 255 || last_cube.is_some())).then_some(Self {
            relief,
            kings: [kings[0]?, kings[1]?],
            last_cube,
        })
    }

    /// The position string.
    fn text(&self, side: Color, castling: u8) -> Option<String> {
        let relief = &self.relief;
        let [low, high] = relief.heights;
        let [x0, x1, y0, y1] = (low | high | relief.occupied()).bounds()?;
        let mut text = Cell::new(x0, y1).to_string();
        for rank in (y0..=y1).rev() {
            text.push(if rank == y1 { ':' } else { '/' });
            for cell in cells([x0, x1, rank, rank]) {
                let _ = write!(text, "{}", relief.height(cell));
                if relief.occupied().has(cell) {
                    let (color, code) = relief.piece(cell);
                    text.push(color.fen_char(PieceKind::from_code(code)?.letter()));
                }
            }
        }
        let rights: String = (CASTLING.into_iter().enumerate())
            .filter(|(bit, _)| castling >> bit & 1 == 1)
            .map(|(_, letter)| letter)
            .collect();
        let mut pool = String::new();
        let mut lone = String::new();
        for color in Color::ALL {
            for (piece, &count) in [PieceKind::GrandPawn, PieceKind::Queen]
                .into_iter()
                .zip(&relief.pool[color.index()])
            {
                pool.extend((0..count).map(|_| color.fen_char(piece.letter())));
            }
            if let Some(count) = relief.lone[color.index()] {
                let _ = write!(lone, "{}{count}", color.letter());
            }
        }
        let last = self.last_cube.map(|cell| cell.to_string());
        let side = side.letter().to_string();
        let words = [side, rights, pool, last.unwrap_or_default(), lone];
        for word in words {
            let _ = write!(text, " {}", if word.is_empty() { "-" } else { &word });
        }
        text.push_str(" 1");
        Some(text)
    }
}

/// First rank of both sides in the standard array.
const FIRST_RANK: [char; 7] = ['r', 'n', 'q', 'k', 'g', 'n', 'b'];
/// Heights below the first rank.
const HEIGHTS: [char; 7] = ['2', '1', '1', '1', '1', '1', '2'];

/// A random array: the first-rank pieces in another order, the same for both sides, and lateral Pawns on either side. In
/// one array of three, some pieces are missing on either side.
fn shuffled(random: &mut Random) -> Option<Cubes4d> {
    let mut order = FIRST_RANK;
    random.shuffle(&mut order);
    let few = random.one_in(3);
    let left = random.one_in(2);
    let mut rank = |pieces: &[char], heights: &[char], white: bool| -> String {
        let mut text = String::new();
        for (&piece, &height) in pieces.iter().zip(heights) {
            text.push(height);
            if piece != '-' && (piece == 'k' || !few || !random.one_in(3)) {
                text.push(if white {
                    piece.to_ascii_uppercase()
                } else {
                    piece
                });
            }
        }
        text
    };
    let pawns = if left {
        ['p', '-', 'p', 'p', 'p', '-', '-']
    } else {
        ['-', '-', 'p', 'p', 'p', '-', 'p']
    };
    let floor = ['0', '1', '1', '1', '1', '1', '0'];
    let text = format!(
        "e10:{}/{}/2110112/{}/{} w - Gg - - 1",
        rank(&order, &HEIGHTS, false),
        rank(&pawns, &floor, false),
        rank(&pawns, &floor, true),
        rank(&order, &HEIGHTS, true),
    );
    Some(Cubes4d::from_fen(&text, &Options::default()).ok()?.position)
}

impl Trainable for Cubes4d {
    /// Half of the random turns move cubes.
    const RANDOM_TURNS: (usize, usize) = (4, 12);
    /// Material is often insufficient or the King too far away to convert an advantage: only mate is adjudicated as a win.
    const DECIDED: i32 = 25_000;
    /// Fitted to results: a side that is a Queen ahead wins a third of the games and seldom loses.
    const ODDS: f32 = 1000.0;

    const SHARED: usize = LEVEL_RING_AT + 3 * RINGS - Self::INPUTS;

    /// Pieces of one kind share inputs for the standing, for the standing and the distance from the King, and for the cell.
    /// Levels of the relief share an input for their distance.
    #[inline]
    fn each_shared(input: usize, mut visit: impl FnMut(usize)) {
        let (what, cell) = (input / CELLS, input % CELLS);
        let [across, ahead] = [cell % LINE, cell / LINE].map(|n| n.abs_diff(LINE / 2));
        let ring = across.max(ahead);
        if input < RELIEF_AT {
            visit(STANDING_AT + what);
            visit(RING_AT + what * RINGS + ring);
            visit(CELL_AT + what / STANDINGS * CELLS + cell);
        } else if input < LEVEL_AT {
            visit(LEVEL_RING_AT + (what - PIECES * STANDINGS) * RINGS + ring);
        }
    }

    /// The standard array with either choice of the lateral Pawns in one game of three, otherwise a random array.
    fn start_of_game(random: &mut Random, _: PoolRule) -> Game<Self> {
        let options = Options::default();
        if !random.one_in(3)
            && let Some(position) = shuffled(random)
        {
            return Game::new(position, options);
        }
        let mut game = Game::new(Self::start(&options), options);
        if game.position().is_prologue() {
            play_random_turn(&mut game, random);
        }
        Game::new(*game.position(), options)
    }

    fn is_in_play(&self) -> bool {
        !self.is_prologue() && self.quiet_plies() <= LATE
    }

    fn is_stale(&self) -> bool {
        self.quiet_plies() >= STALE
    }

    fn describe(game: &Game<Self>) -> Option<Packed> {
        let position = game.position();
        let mut record = [0; Record::BYTES];
        Described::of(position).write(&mut record)?;
        record[QUIET_AT] = position.quiet_plies().min(255) as u8;
        let rights = position.castling_rights();
        record[CASTLING_AT] = (rights.into_iter().flatten().enumerate())
            .map(|(bit, right)| u8::from(right) << bit)
            .sum();
        let verdict = Verdict {
            score: 0,
            side: position.side_to_move(),
            result: GameResult::Open,
        };
        verdict.write(&mut record);
        Some(record)
    }

    /// The network does not evaluate positions with a bare King.
    fn asks_network(record: &Packed) -> bool {
        Described::read(record).is_none_or(|described| described.relief.asks_network())
    }

    #[inline]
    fn views_of(record: &Packed) -> Views {
        const { assert!(Cubes4d::INPUTS + Cubes4d::SHARED <= 1 << 16) };
        let Some(Described { relief, kings, .. }) = Described::read(record) else {
            return Views::default();
        };
        let list = |eyes: CubesPerspective| {
            let mut inputs = Inputs::new();
            Self::each_input(&relief, eyes, |input| {
                inputs.push(input as u16);
                Self::each_shared(input, |shared| inputs.push(shared as u16));
            });
            inputs
        };
        let eyes = relief.eyes(kings);
        let us = Verdict::of(record).side;
        let [own, other] = [us, !us].map(|color| list(eyes[color.index()]));
        let by_hand = Self::of_record(record).map_or(0, |position| position.by_hand());
        Views {
            own,
            other,
            bucket: relief.bucket(),
            base: by_hand as f32 / Self::SCALE as f32,
        }
    }

    fn text_of(record: &Packed) -> Option<String> {
        Described::read(record)?.text(Verdict::of(record).side, record[CASTLING_AT])
    }
}
