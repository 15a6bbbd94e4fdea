//! Tokens and SAN.

use super::{Options, TwoMove, fen};
use crate::core::{Bitboard, Move};
use crate::rules::placement::board_diagram;
use crate::rules::san::move_san;
use crate::rules::{Diagram, FenError, Notation, Parsed, Rules, legal_steps};

impl Notation for TwoMove {
    const RULES: &'static str = include_str!("rules.md");
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1";

    fn from_fen(fen: &str, _: &Options) -> Result<Parsed<Self>, FenError> {
        fen::parse(fen)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn step_token(&self, step: Move) -> String {
        step.to_string()
    }

    fn step_san(&self, step: Move) -> String {
        let mut san = self.bare_san(step);
        let mut next = *self;
        next.play(step);
        if next.side != self.side && next.in_check() {
            san.push(if next.has_turn() || !next.lost_without_turn() {
                '+'
            } else {
                '#'
            });
        }
        san
    }

    fn diagram(&self) -> Diagram {
        board_diagram(&self.board, Bitboard::EMPTY)
    }

    fn game_ply(&self) -> u64 {
        (u64::from(self.number) - 1) * 2 + self.side.index() as u64
    }
}

impl TwoMove {
    /// SAN without the sign of check or mate. The origin is disambiguated among the steps that are legal now.
    fn bare_san(&self, step: Move) -> String {
        match self.board.kind_at(step.from()) {
            Some(_) => move_san(&self.board, step, || legal_steps(self)),
            None => step.to_string(),
        }
    }
}
