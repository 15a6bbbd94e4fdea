use super::{Man, Show, Step};
use fauve_engine::core::{Color, Move};
use fauve_engine::rules::{Rules, breakthrough::Breakthrough};

impl Show for Breakthrough {
    fn men(&self) -> Vec<Man> {
        let of = |color, letter| {
            self.men(color).map(move |square| Man {
                square: square.to_string(),
                letter,
                promoted: false,
            })
        };
        of(Color::White, 'P').chain(of(Color::Black, 'p')).collect()
    }

    fn step(&self, step: Move) -> Step {
        Step {
            captures: self.men(!self.side_to_move()).has(step.to()),
            ..Step::between(&step.from(), &step.to())
        }
    }
}
