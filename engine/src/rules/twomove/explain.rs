//! Threats of double moves, listed one by one, for messages that explain why a turn is not legal.

use super::TwoMove;
use crate::core::{Bitboard, Color, Kind, Move, Square};
use crate::rules::Rules;

impl TwoMove {
    /// The double moves of `by` that would take the other king if `by` had the next turn: the first move, and the second
    /// that takes it; no second where the first takes it. Rights en passant count for the side to move only.
    ///
    /// ```
    /// use fauve_engine::core::Color;
    /// use fauve_engine::rules::{Notation, twomove::TwoMove};
    ///
    /// // The rook reaches a8 or the e-file, if its own king is not in the way.
    /// let position = TwoMove::from_fen("4k3/8/8/8/8/8/8/R5K1 b - - 0 1", &Default::default())?.position;
    /// let lines = position.king_captures(Color::White);
    /// let tokens: Vec<String> = lines.iter().map(|(first, _)| first.to_string()).collect();
    /// assert_eq!(tokens, ["a1e1", "a1a8"]);
    /// assert_eq!(lines[1].1.map(|second| second.to_string()), Some("a8e8".to_owned()));
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    pub fn king_captures(&self, by: Color) -> Vec<(Move, Option<Move>)> {
        let mut attacker = *self;
        if by != self.side {
            attacker.targets = Bitboard::EMPTY;
        }
        attacker.side = by;
        attacker.moves_left = 2;
        attacker.opening = false;
        attacker.reversal = Move::default();
        let king = self.board.king(!by);
        let takers = |board: &crate::rules::Board<6>| {
            board
                .attackers(by, king, board.occupied())
                .map(|from| Move::new(from, king))
        };
        let mut lines: Vec<(Move, Option<Move>)> =
            takers(&self.board).map(|step| (step, None)).collect();
        if !lines.is_empty() {
            return lines;
        }
        let mut firsts = crate::core::StepList::new();
        attacker.pseudo_legal(&mut firsts);
        for first in firsts {
            let after = attacker.after(attacker.board.kind_of_piece(first.from()), first);
            lines.extend(takers(&after.board).map(|second| (first, Some(second))));
        }
        lines
    }

    /// The squares on which the king of `side` could be taken by a double move of the other side, were it to stand there
    /// with everything else as it is. Squares of own pieces are left out; a piece of the other side there would be taken.
    ///
    /// ```
    /// use fauve_engine::core::Color;
    /// use fauve_engine::rules::{Notation, twomove::TwoMove};
    ///
    /// // A king reaches the second rank and what is beside it with two moves.
    /// let position = TwoMove::from_fen("7k/8/8/8/8/8/8/K7 b - - 0 1", &Default::default())?.position;
    /// let squares = position.king_dangers(Color::Black);
    /// assert_eq!(squares.len(), 8);
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    pub fn king_dangers(&self, side: Color) -> Bitboard {
        let home = self.board.king(side);
        let mut dangers = Bitboard::EMPTY;
        for square in !self.board.color(side) | Bitboard::of(home) {
            if square == self.board.king(!side) {
                continue;
            }
            if self.with_king_on(side, home, square).capturable_by(!side) {
                dangers |= Bitboard::of(square);
            }
        }
        dangers
    }

    fn with_king_on(&self, side: Color, home: Square, square: Square) -> Self {
        let mut moved = *self;
        if square != home {
            if let Some((owner, kind)) = self.board.piece_at(square) {
                moved.board.toggle(owner, kind, square);
            }
            moved.board.toggle(side, Kind::King, home);
            moved.board.toggle(side, Kind::King, square);
        }
        if self.side_to_move() != side {
            return moved;
        }
        // What the side to move could take en passant is none of the other side's.
        moved.targets = Bitboard::EMPTY;
        moved
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::twomove::Options;
    use crate::rules::{Notation, legal_steps};

    #[test]
    fn lines_are_there_exactly_when_the_king_is_capturable() {
        let mut position = TwoMove::start(&Options::default());
        for number in 0..400usize {
            let steps = legal_steps(&position);
            if steps.is_empty() {
                position = TwoMove::start(&Options::default());
                continue;
            }
            for by in Color::ALL {
                let lines = position.king_captures(by);
                assert_eq!(
                    !lines.is_empty(),
                    position.capturable_by(by),
                    "{}",
                    position.fen()
                );
                if !position.is_mid_turn() {
                    let king = position.board.king(!by);
                    let alone = position.side == by && position.targets.any();
                    assert!(
                        alone || position.king_dangers(!by).has(king) == position.capturable_by(by),
                        "{}",
                        position.fen()
                    );
                }
            }
            position.play(steps[number * 7919 % steps.len()]);
        }
    }
}
