use super::{Check, Piece, Show, Step, flat};
use fauve_engine::core::{Bitboard, Move};
use fauve_engine::rules::{Rules, chess::Chess};

impl Show for Chess {
    fn pieces(&self) -> Vec<Piece> {
        flat::pieces(self.board(), Bitboard::EMPTY)
    }

    fn step(&self, step: Move) -> Step {
        flat::step(self.board(), self.side_to_move(), step)
    }

    fn check(&self) -> Option<Check> {
        flat::check(self.board(), self.side_to_move())
    }
}
