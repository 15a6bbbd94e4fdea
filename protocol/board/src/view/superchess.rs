use super::{Check, Extras, Piece, Pool, Show, Step, StepKind, flat};
use fauve_engine::core::{Bitboard, Color, Kind};
use fauve_engine::rules::Rules;
use fauve_engine::rules::superchess::{self, Action, Superchess};

impl Show for Superchess {
    fn pieces(&self) -> Vec<Piece> {
        flat::pieces(self.board(), self.promoted())
    }

    fn step(&self, step: superchess::Step) -> Step {
        match step.action() {
            Action::Move(step) => flat::step(self.board(), self.side_to_move(), step),
            Action::Place(placement) => Step {
                to: Some(placement.square.to_string()),
                piece: Some(flat::letter(self.side_to_move(), placement.kind)),
                swap: placement
                    .swap
                    .map(|squares| squares.map(|square| square.to_string())),
                ..Step::bare(StepKind::Place)
            },
        }
    }

    fn check(&self) -> Option<Check> {
        self.prologue()
            .is_none()
            .then(|| flat::check(self.board(), self.side_to_move()))?
    }

    fn extras(&self) -> Extras {
        let Some(turns) = self.prologue() else {
            return Extras {
                pool: Some(Pool {
                    white: pool(self, Color::White),
                    black: pool(self, Color::Black),
                }),
                ..Extras::default()
            };
        };
        let left = [Kind::Amazon, Kind::Empress, Kind::Princess, Kind::Veteran];
        Extras {
            tray: Some(
                left.into_iter()
                    .filter(|&kind| self.board().kind(kind) == Bitboard::EMPTY)
                    .map(Kind::letter)
                    .collect(),
            ),
            task: Some(
                match turns {
                    0 => "White puts a superpiece on f1, g1 or h1; Black gets the same one opposite",
                    1 => "Black puts one of the three left on a8, b8, c8 or d8; White gets the same one opposite",
                    2 => "White puts one of the two left on the king's side",
                    _ => "Black puts the last one on the queen's side, and may then exchange two superpieces",
                }
                .to_owned(),
            ),
            ..Extras::default()
        }
    }
}

/// The pieces that a side's pawns can become, strongest first.
fn pool(position: &Superchess, color: Color) -> String {
    let order = [
        Kind::Queen,
        Kind::Empress,
        Kind::Princess,
        Kind::Veteran,
        Kind::Rook,
        Kind::Bishop,
        Kind::Knight,
    ];
    order
        .into_iter()
        .flat_map(|kind| {
            let count = position.pool().count(color, kind) as usize;
            std::iter::repeat_n(flat::letter(color, kind), count)
        })
        .collect()
}
