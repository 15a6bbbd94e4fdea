use super::{Dice, Extras, Piece, Show, Step, StepKind, flat};
use fauve_engine::core::{Bitboard, Kind};
use fauve_engine::rules::dice::{self, Action, DiceChess};
use fauve_engine::rules::{Chance, Notation, Rules};
use fauve_game::explain::dice::limit;

impl Show for DiceChess {
    fn pieces(&self) -> Vec<Piece> {
        flat::pieces(self.board(), Bitboard::EMPTY)
    }

    fn step(&self, step: dice::Step) -> Step {
        if step.is_pass() {
            return Step::bare(StepKind::Pass);
        }
        let us = self.side_to_move();
        let takes_king = self.board().pieces(!us, Kind::King).has(step.to);
        Step {
            kind: match step.action.castling() {
                Some(_) => StepKind::Castle,
                None => StepKind::Move,
            },
            piece: step
                .action
                .promotion()
                .filter(|_| !takes_king)
                .map(|kind| flat::letter(us, kind)),
            captures: step.action == Action::EnPassant || self.board().color(!us).has(step.to),
            ..Step::between(&step.from, &step.to)
        }
    }

    fn extras(&self) -> Extras {
        let us = self.side_to_move();
        let left = match self.dice_text().as_str() {
            "-" => String::new(),
            text => text.trim_end_matches('!').to_ascii_uppercase(),
        };
        let danger = if self.winner().is_some() {
            0
        } else {
            let rolls = self.king_capturing_rolls(!us);
            Self::rolls()
                .iter()
                .enumerate()
                .filter(|(index, _)| rolls >> index & 1 == 1)
                .map(|(_, (_, weight))| weight)
                .sum()
        };
        Extras {
            dice: Some(Dice {
                rolled: self
                    .whole_roll()
                    .map_or_else(String::new, |roll| roll.to_string()),
                left,
                must_capture: self.must_capture(),
                danger,
                limit: limit(self),
            }),
            ..Extras::default()
        }
    }
}
