//! A position of a data file in 49 bytes.

use fauve_engine::core::{Bitboard, Color, Kind, Square};
use fauve_engine::eval::network::features::Pieces;
use fauve_engine::rules::placement::board_fen;
use std::fmt::Write;

/// Result of a position's game, for the side to move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameResult {
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    /// Won.
    Win,
    /// A later random turn decided the game, so that the result does not apply to this position.
    Open,
}

impl GameResult {
    const ALL: [Self; 4] = [Self::Loss, Self::Draw, Self::Win, Self::Open];

    /// Points of the side to move; `None` for an open result.
    pub const fn points(self) -> Option<f32> {
        match self {
            Self::Loss => Some(0.0),
            Self::Draw => Some(0.5),
            Self::Win => Some(1.0),
            Self::Open => None,
        }
    }
}

/// A position of a game on the 8x8 board, with the search's score and the game's result.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    /// All pieces.
    pub occupied: Bitboard,
    /// Black's pieces.
    pub black: Bitboard,
    /// Kinds of the pieces in the order of their squares, a nibble each, the low one first.
    pub kinds: [u8; 16],
    /// Superchess: promoted pieces that cannot return to the pool.
    pub promoted: Bitboard,
    /// Superchess: promotion pool of each side, two bits for each kind in the order of the pool: 00 none, 01 one piece, 11
    /// two.
    pub reserve: [u16; 2],
    /// Score of the search, in centipawns for the side to move.
    pub score: i16,
    /// The side to move.
    pub side: Color,
    /// Result of the game.
    pub result: GameResult,
    /// Castling rights, `KQkq` from bit 0.
    pub castling: u8,
    /// File of the e.p. target.
    pub en_passant: Option<u8>,
    /// Half-moves without capture or pawn move, at most 127.
    pub clock: u8,
    /// Superchess: the promotion pool is physical.
    pub physical: bool,
}

/// A record as stored in files and in memory.
pub type Packed = [u8; Record::BYTES];

/// Offset of the score and the flags in the records of all games.
const SCORE_AT: usize = 44;
const FLAGS_AT: usize = 48;

/// Score, side and result of a position: the part that the records of all games have in common.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Verdict {
    /// Score of the search, in centipawns for the side to move.
    pub score: i16,
    /// The side to move.
    pub side: Color,
    /// Result of the game.
    pub result: GameResult,
}

impl Verdict {
    /// Reads the verdict of a record.
    #[inline]
    pub fn of(packed: &Packed) -> Self {
        let flags = packed[FLAGS_AT];
        Self {
            score: i16::from_le_bytes([packed[SCORE_AT], packed[SCORE_AT + 1]]),
            side: Color::ALL[usize::from(flags & 1)],
            result: GameResult::ALL[usize::from(flags >> 1 & 3)],
        }
    }

    /// Writes it into a record.
    pub fn write(self, packed: &mut Packed) {
        packed[SCORE_AT..SCORE_AT + 2].copy_from_slice(&self.score.to_le_bytes());
        packed[FLAGS_AT] = packed[FLAGS_AT] & !7 | self.side as u8 | (self.result as u8) << 1;
    }
}

impl Record {
    /// Size of a packed record, in bytes.
    pub const BYTES: usize = 49;

    /// The bytes, little endian: occupied 8, black 8, kinds 16, promoted 8, reserve 2 + 2, score 2, state 2 (castling in bits
    /// 0 to 3, e.p. file + 1 or 0 in 4 to 7, clock in 8 to 14, physical pool in 15), flags 1 (Black to move in bit 0,
    /// result in 1 and 2: 0 loss, 1 draw, 2 win, 3 open).
    pub fn pack(&self) -> Packed {
        let mut bytes = [0; Self::BYTES];
        let state = u16::from(self.castling & 15)
            | self.en_passant.map_or(0, |file| u16::from(file & 7) + 1) << 4
            | u16::from(self.clock.min(127)) << 8
            | u16::from(self.physical) << 15;
        bytes[0..8].copy_from_slice(&self.occupied.0.to_le_bytes());
        bytes[8..16].copy_from_slice(&self.black.0.to_le_bytes());
        bytes[16..32].copy_from_slice(&self.kinds);
        bytes[32..40].copy_from_slice(&self.promoted.0.to_le_bytes());
        bytes[40..42].copy_from_slice(&self.reserve[0].to_le_bytes());
        bytes[42..44].copy_from_slice(&self.reserve[1].to_le_bytes());
        bytes[46..48].copy_from_slice(&state.to_le_bytes());
        let &Self {
            score,
            side,
            result,
            ..
        } = self;
        Verdict {
            score,
            side,
            result,
        }
        .write(&mut bytes);
        bytes
    }

    /// Reads a record from its bytes; any bytes give some record.
    #[inline]
    pub fn unpack(bytes: &Packed) -> Self {
        fn array<const N: usize>(bytes: &Packed, at: usize) -> [u8; N] {
            std::array::from_fn(|i| bytes[at + i])
        }
        let state = u16::from_le_bytes(array(bytes, 46));
        let Verdict {
            score,
            side,
            result,
        } = Verdict::of(bytes);
        Self {
            occupied: Bitboard(u64::from_le_bytes(array(bytes, 0))),
            black: Bitboard(u64::from_le_bytes(array(bytes, 8))),
            kinds: array(bytes, 16),
            promoted: Bitboard(u64::from_le_bytes(array(bytes, 32))),
            reserve: [40, 42].map(|at| u16::from_le_bytes(array(bytes, at))),
            score,
            side,
            result,
            castling: (state & 15) as u8,
            en_passant: (state >> 4 & 15).checked_sub(1).map(|file| file as u8 & 7),
            clock: (state >> 8 & 127) as u8,
            physical: state >> 15 != 0,
        }
    }

    /// The pieces with their squares, a1 first; at most 32.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Color, Kind, Square)> + Clone {
        self.occupied.take(32).enumerate().map(|(i, square)| {
            let kind = usize::from(self.kinds[i / 2] >> (i % 2 * 4) & 15);
            let color = Color::ALL[usize::from(self.black.has(square))];
            // A nibble above the last kind occurs only in forged files.
            (color, Kind::ALL[kind.min(Kind::ALL.len() - 1)], square)
        })
    }

    /// Packs the kinds of the pieces, given in the order of their squares.
    pub fn pack_kinds(kinds: impl Iterator<Item = Kind>) -> [u8; 16] {
        let mut packed = [0; 16];
        for (i, kind) in kinds.take(32).enumerate() {
            packed[i / 2] |= (kind.index() as u8) << (i % 2 * 4);
        }
        packed
    }

    /// The position string; `pool` are the kinds of the game's pool, empty for games without one. The turn number is not
    /// recorded and is 1.
    pub fn fen(&self, pool: &[Kind]) -> String {
        let mut board = Pieces::default();
        for (color, kind, square) in self.pieces() {
            board.toggle(color, kind, square);
        }
        let mut text = board_fen(&board, self.promoted);
        if !pool.is_empty() {
            text.push('[');
            for color in Color::ALL {
                for (k, &kind) in pool.iter().enumerate() {
                    for _ in 0..(self.reserve[color.index()] >> (2 * k) & 3).count_ones() {
                        text.push(color.fen_char(kind.letter()));
                    }
                }
            }
            text.push(']');
        }
        let castling = castling_text(self.castling);
        let rank = match self.side {
            Color::White => 5,
            Color::Black => 2,
        };
        let target = self.en_passant.map_or_else(
            || "-".to_owned(),
            |file| Square::new(file, rank).to_string(),
        );
        let (side, clock) = (self.side.letter(), self.clock);
        let _ = write!(text, " {side} {castling} {target} {clock} 1");
        text
    }
}

/// The castling rights of a position string; the bits from the lowest: White's on the king's side and on the queen's, then Black's.
pub fn castling_text(rights: u8) -> String {
    let letters = "KQkq".chars().enumerate();
    let text: String = letters
        .filter(|(bit, _)| rights >> bit & 1 != 0)
        .map(|(_, letter)| letter)
        .collect();
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}
