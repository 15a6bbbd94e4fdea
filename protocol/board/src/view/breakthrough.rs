use super::{Piece, Show, Step};
use fauve_engine::core::{Color, Move};
use fauve_engine::rules::{Rules, breakthrough::Breakthrough};

impl Show for Breakthrough {
    fn pieces(&self) -> Vec<Piece> {
        let of = |color, letter| {
            self.pieces(color).map(move |square| Piece {
                square: square.to_string(),
                letter,
                promoted: false,
            })
        };
        of(Color::White, 'P').chain(of(Color::Black, 'p')).collect()
    }

    fn step(&self, step: Move) -> Step {
        Step {
            captures: self.pieces(!self.side_to_move()).has(step.to()),
            ..Step::between(&step.from(), &step.to())
        }
    }
}
