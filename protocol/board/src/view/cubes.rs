use super::{Check, Extras, Piece, Pool, Relief, Show, Step, StepKind};
use fauve_engine::core::Color;
use fauve_engine::rules::Rules;
use fauve_engine::rules::cubes::{self, Action, Cell, Cubes4d, PieceKind, Reserve};
use fauve_game::explain::cubes::attackers;

/// The cells on a side of the arena.
const ARENA: u8 = 15;

impl Show for Cubes4d {
    fn pieces(&self) -> Vec<Piece> {
        let piece = |cell: Cell| {
            let (color, piece) = self.piece_at(cell)?;
            Some(Piece {
                square: cell.to_string(),
                letter: letter(color, piece),
                promoted: false,
            })
        };
        cells().filter_map(piece).collect()
    }

    fn step(&self, step: cubes::Step) -> Step {
        let us = self.side_to_move();
        let between = Step::between(&step.from, &step.to);
        match step.action {
            Action::Choose => Step {
                to: Some(step.to.to_string()),
                ..Step::bare(StepKind::Choose)
            },
            Action::Cube => Step {
                kind: StepKind::Cube,
                ..between
            },
            Action::Castle => Step {
                kind: StepKind::Castle,
                ..between
            },
            Action::Quiet => between,
            Action::Capture => Step {
                captures: true,
                ..between
            },
            Action::PromoteQueen | Action::PromoteGrandPawn => {
                let becomes = if step.action == Action::PromoteQueen {
                    PieceKind::Queen
                } else {
                    PieceKind::GrandPawn
                };
                Step {
                    captures: true,
                    piece: Some(letter(us, becomes)),
                    ..between
                }
            }
        }
    }

    fn check(&self) -> Option<Check> {
        if !self.in_check() {
            return None;
        }
        let us = self.side_to_move();
        let king = king(self, us)?;
        Some(Check {
            king: king.to_string(),
            lines: attackers(self)
                .into_iter()
                .map(|from| vec![[from.to_string(), king.to_string()]])
                .collect(),
        })
    }

    fn extras(&self) -> Extras {
        Extras {
            relief: Some(relief(self)),
            pool: Some(Pool {
                white: pool(self, Color::White),
                black: pool(self, Color::Black),
            }),
            task: self.is_prologue().then(|| {
                "Black chooses where the lateral Pawns of both sides stand: on the left or on the right"
                    .to_owned()
            }),
            ..Extras::default()
        }
    }
}

/// All cells of the arena, rank by rank.
pub(crate) fn cells() -> impl Iterator<Item = Cell> {
    (0..ARENA).flat_map(|rank| (0..ARENA).map(move |file| Cell::new(file, rank)))
}

/// The cell of a side's King.
pub(crate) fn king(position: &Cubes4d, side: Color) -> Option<Cell> {
    let kings = position.pieces_of(side) & position.pieces_of_kind(PieceKind::King);
    kings.any().then(|| kings.first())
}

fn letter(color: Color, piece: PieceKind) -> char {
    color.fen_char(piece.letter())
}

fn pool(position: &Cubes4d, color: Color) -> String {
    let of = |reserve, piece| {
        let count = usize::from(position.pool(color, reserve));
        std::iter::repeat_n(letter(color, piece), count)
    };
    of(Reserve::Queen, PieceKind::Queen)
        .chain(of(Reserve::GrandPawn, PieceKind::GrandPawn))
        .collect()
}

fn relief(position: &Cubes4d) -> Relief {
    let used: Vec<Cell> = cells()
        .filter(|&cell| position.height(cell) > 0 || position.piece_at(cell).is_some())
        .collect();
    let span = |coordinate: fn(&Cell) -> u8| {
        let low = used.iter().map(coordinate).min().unwrap_or(4);
        let high = used.iter().map(coordinate).max().unwrap_or(10);
        // One cell more on each side: cubes can go there.
        (low.saturating_sub(1), (high + 1).min(ARENA - 1))
    };
    let (left, right) = span(|cell| cell.file());
    let (bottom, top) = span(|cell| cell.rank());
    Relief {
        origin: [left, bottom],
        heights: (bottom..=top)
            .map(|rank| {
                (left..=right)
                    .map(|file| (b'0' + position.height(Cell::new(file, rank))) as char)
                    .collect()
            })
            .collect(),
        trenches: cells()
            .filter(|&cell| position.height(cell) == 0 && position.is_position(cell))
            .map(|cell| cell.to_string())
            .collect(),
        last_cube: position.last_cube().map(|cell| cell.to_string()),
    }
}
