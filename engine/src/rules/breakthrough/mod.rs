//! Breakthrough, the worked example of a game that was added to the others.
//!
#![doc = include_str!("rules.md")]

use super::placement::{self, read_counter, read_turn_number};
use super::{Board, Chance, Diagram, Draws, FenError, Field, NoOptions, Notation, Parsed, Problem};
use super::{Rules, Setup, WinReason};
use crate::core::{Bitboard, Color, Kind, Move, Square, StepList, attacks, zobrist};

static PIECES: [[u64; 64]; 2] = [zobrist::keys(0xb4ea_0001), zobrist::keys(0xb4ea_0002)];
const BLACK_TO_MOVE: u64 = zobrist::splitmix(0xb4ea_0003, 0);

/// A position of Breakthrough. The pieces are pawns on their board.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Breakthrough {
    board: Board<6>,
    side: Color,
    number: u32,
    key: u64,
}

impl Breakthrough {
    fn new(board: Board<6>, side: Color, number: u32) -> Self {
        let mut position = Self {
            board,
            side,
            number,
            key: 0,
        };
        position.key = super::RecomputeKey::recomputed_key(&position);
        position
    }

    /// The pieces of a side.
    pub const fn pieces(&self, color: Color) -> Bitboard {
        self.board.color(color)
    }

    fn toggle(&mut self, color: Color, square: Square) {
        self.board.toggle(color, Kind::Pawn, square);
        self.key ^= PIECES[color.index()][square.index()];
    }

    fn has_won(&self, color: Color) -> bool {
        let last = [Bitboard::RANK_8, Bitboard::RANK_1][color.index()];
        (self.pieces(color) & last).any() || self.pieces(!color).is_empty()
    }
}

impl Rules for Breakthrough {
    type Step = Move;
    type Options = NoOptions;

    fn side_to_move(&self) -> Color {
        self.side
    }

    fn key(&self) -> u64 {
        self.key
    }

    fn generate(&self, steps: &mut StepList<Move>) {
        let own = self.pieces(self.side);
        for from in own {
            let ahead = match self.side {
                _ if self.winner().is_some() => return,
                Color::White => Bitboard::of(from).north(),
                Color::Black => Bitboard::of(from).south(),
            };
            let targets = attacks::pawn(self.side, from) - own | ahead - self.board.occupied();
            steps.extend(targets.map(|to| Move::new(from, to)));
        }
    }

    fn play(&mut self, step: Move) {
        if self.pieces(!self.side).has(step.to()) {
            self.toggle(!self.side, step.to());
        }
        self.toggle(self.side, step.from());
        self.toggle(self.side, step.to());
        self.number = self.number.saturating_add(self.side as u32);
        self.side = !self.side;
        self.key ^= BLACK_TO_MOVE;
    }

    fn winner(&self) -> Option<Color> {
        Color::ALL.into_iter().find(|&color| self.has_won(color))
    }

    fn win_reason(&self) -> WinReason {
        WinReason::of(match Color::ALL.map(|color| self.pieces(color).any()) {
            [true, true] => "wins by reaching the last rank",
            _ => "wins by taking every piece",
        })
    }
}

impl Draws for Breakthrough {}
impl Chance for Breakthrough {}
impl super::RecomputeKey for Breakthrough {
    fn recomputed_key(&self) -> u64 {
        let pieces = |c: Color| self.pieces(c).map(move |at| PIECES[c.index()][at.index()]);
        let keys = pieces(Color::White).chain(pieces(Color::Black));
        keys.fold(BLACK_TO_MOVE * self.side as u64, |key, piece| key ^ piece)
    }
}

impl Setup for Breakthrough {
    fn flipped(&self) -> Option<Self> {
        Some(Self::new(self.board.flipped(), !self.side, self.number))
    }
}

impl Notation for Breakthrough {
    const RULES: &'static str = include_str!("rules.md");
    const START: &'static str = "pppppppp/pppppppp/8/8/8/8/PPPPPPPP/PPPPPPPP w - - 0 1";

    /// FEN, in which castling, en passant and clock are always `- - 0`.
    fn from_fen(fen: &str, _: &NoOptions) -> Result<Parsed<Self>, FenError> {
        let words = placement::words(fen)?;
        let word = |n: usize| words.get(n).copied();
        let mut warnings = Vec::new();
        let (board, _) = placement::read_board(word(0))?;
        let side = placement::read_side(word(1))?;
        read_counter(word(4), Field::Clock, 0, 0, &mut warnings)?;
        let position = Self::new(board, side, read_turn_number(word(5), &mut warnings)?);
        let [white, black] = Color::ALL.map(|color| board.color(color).len());
        let unused = [2, 3].map(|n| word(n).filter(|&word| word != "-"));
        let problem = if let Some(extra) = unused[0].or(unused[1]).or(word(6)) {
            placement::unknown_word(extra)
        } else if white.max(black) > 16 || board.occupied() != board.kind(Kind::Pawn) {
            Problem::Contradiction("a side has at most 16 pieces, all of them P or p")
        } else if Color::ALL.iter().all(|&color| position.has_won(color)) {
            Problem::Contradiction("both sides have won")
        } else {
            return Ok(Parsed::with_warnings(position, warnings));
        };
        Err(FenError::new(Field::Position, problem))
    }

    fn fen(&self) -> String {
        let pieces = placement::board_fen(&self.board, Bitboard::EMPTY);
        format!("{pieces} {} - - 0 {}", self.side.letter(), self.number)
    }

    fn step_token(&self, step: Move) -> String {
        step.to_string()
    }
    fn diagram(&self) -> Diagram {
        placement::board_diagram(&self.board, Bitboard::EMPTY)
    }

    fn game_ply(&self) -> u64 {
        (u64::from(self.number) - 1) * 2 + self.side as u64
    }
}
