//! A position before a roll, with the result of its game.

use crate::record::castling_text;
use fauve_engine::core::{Bitboard, Color, Kind, Square};
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::placement::board_fen;
use fauve_engine::rules::{Board, Notation, Rules};

/// Size of a position in a file, in bytes.
pub const BYTES: usize = 26;

/// A position that awaits its roll, with the result of its game for the side that rolls.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Record {
    occupied: u64,
    /// The pieces in the order of their squares, a nibble each: kind, plus 8 for Black.
    pieces: [u8; 16],
    black_rolls: bool,
    castling: u8,
    /// 0 lost, 1 drawn, 2 won.
    pub result: u8,
}

impl Record {
    /// Creates a record of a position with at most 32 pieces.
    pub fn new(position: &DiceChess, result: u8) -> Self {
        let board = position.board();
        let mut pieces = [0; 16];
        for (n, square) in board.occupied().into_iter().enumerate().take(32) {
            let black = u8::from(board.color(Color::Black).has(square)) << 3;
            let nibble = board.kind_of_piece(square).index() as u8 | black;
            pieces[n / 2] |= nibble << (n % 2 * 4);
        }
        Self {
            occupied: board.occupied().0,
            pieces,
            black_rolls: position.side_to_move() == Color::Black,
            castling: position.castling().index() as u8,
            result,
        }
    }

    /// Packs the record for a file.
    pub fn to_bytes(self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24] = u8::from(self.black_rolls) | self.castling << 1;
        bytes[25] = self.result;
        bytes
    }

    /// Unpacks a record; `None` if the bytes are invalid.
    pub fn from_bytes(bytes: [u8; BYTES]) -> Option<Self> {
        let mut occupied = [0; 8];
        occupied.copy_from_slice(&bytes[..8]);
        let mut pieces = [0; 16];
        pieces.copy_from_slice(&bytes[8..24]);
        let record = Self {
            occupied: u64::from_le_bytes(occupied),
            pieces,
            black_rolls: bytes[24] & 1 != 0,
            castling: bytes[24] >> 1,
            result: bytes[25],
        };
        let kinds = pieces.iter().all(|byte| byte & 7 < 6 && byte >> 4 & 7 < 6);
        let sound = kinds
            && record.castling < 16
            && record.result < 3
            && (2..=32).contains(&record.occupied.count_ones());
        sound.then_some(record)
    }

    /// The result for the side that rolls: 0, ½ or 1.
    pub fn points(&self) -> f32 {
        f32::from(self.result) / 2.0
    }

    /// The side that rolls.
    pub const fn side(&self) -> Color {
        if self.black_rolls {
            Color::Black
        } else {
            Color::White
        }
    }

    /// The pieces with their squares, a1 first.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Color, Kind, Square)> + Clone {
        Bitboard(self.occupied)
            .into_iter()
            .enumerate()
            .map(|(n, square)| {
                let nibble = usize::from(self.pieces[n / 2] >> (n % 2 * 4) & 15);
                (Color::ALL[nibble >> 3], Kind::CHESS[nibble & 7], square)
            })
    }

    /// The position, without en passant rights and counters.
    pub fn position(&self) -> Option<DiceChess> {
        let mut board = Board::<6>::default();
        for (color, kind, square) in self.pieces() {
            board.toggle(color, kind, square);
        }
        let board = board_fen(&board, Bitboard::EMPTY);
        let side = if self.black_rolls { 'b' } else { 'w' };
        let rights = castling_text(self.castling);
        let fen = format!("{board} {side} {rights} - 0 1");
        DiceChess::from_fen(&fen, &Options::default())
            .ok()
            .map(|parsed| parsed.position)
    }
}
