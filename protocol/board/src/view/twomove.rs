use super::{Arrow, Check, Extras, Piece, Show, Step, flat};
use fauve_engine::core::{Bitboard, Kind, Move};
use fauve_engine::rules::{Rules, twomove::TwoMove};

/// The most lines of two moves that are shown: more are no help.
const MOST_LINES: usize = 12;

impl Show for TwoMove {
    fn pieces(&self) -> Vec<Piece> {
        flat::pieces(self.board(), Bitboard::EMPTY)
    }

    fn step(&self, step: Move) -> Step {
        flat::step(self.board(), self.side_to_move(), step)
    }

    fn check(&self) -> Option<Check> {
        let us = self.side_to_move();
        let lines = lines(self);
        (!lines.is_empty()).then(|| Check {
            king: self.board().king(us).to_string(),
            lines,
        })
    }

    fn extras(&self) -> Extras {
        Extras {
            moves_left: Some(self.moves_left()),
            ..Extras::default()
        }
    }

    fn dangers(&self) -> Option<(Vec<String>, Vec<Vec<Arrow>>)> {
        let us = self.side_to_move();
        let king = self.board().king(us);
        // As far as he can walk in a turn.
        let squares = self
            .king_dangers(us)
            .filter(|square| square.distance(king) <= 2);
        Some((
            squares.map(|square| square.to_string()).collect(),
            lines(self),
        ))
    }
}

/// The double moves that would take the king of the side to move; each square that takes it is shown with its shortest
/// ways only, and promotions once.
fn lines(position: &TwoMove) -> Vec<Vec<Arrow>> {
    let mut lines: Vec<Vec<Arrow>> = Vec::new();
    for (first, second) in position.king_captures(!position.side_to_move()) {
        if first.promotion().is_some_and(|kind| kind != Kind::Queen) {
            continue;
        }
        let line: Vec<Arrow> = std::iter::once(first)
            .chain(second)
            .map(flat::arrow)
            .collect();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.truncate(MOST_LINES);
    lines
}
