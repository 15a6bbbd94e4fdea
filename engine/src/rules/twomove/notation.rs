//! Tokens and SAN.

use super::{Options, TwoMove, fen};
use crate::core::{Bitboard, Kind, Move};
use crate::rules::placement::board_diagram;
use crate::rules::{CastlingSide, Diagram, FenError, Notation, Parsed, Rules, San, legal_steps};

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
        let (from, to) = (step.from(), step.to());
        let Some(kind) = self.board.kind_at(from) else {
            return step.to_string();
        };
        if kind == Kind::King && from.file() == 4 && from.file().abs_diff(to.file()) == 2 {
            return CastlingSide::towards(to.file()).san().to_owned();
        }
        let legal = legal_steps(self);
        let rivals = legal.iter().filter(|other| {
            other.to() == to
                && other.from() != from
                && self.board.kind_at(other.from()) == Some(kind)
        });
        let san = San {
            kind,
            from,
            to,
            rivals: rivals.map(|other| other.from()).collect(),
            is_capture: self.board.occupied().has(to)
                || kind == Kind::Pawn && from.file() != to.file(),
            promotion: step.promotion(),
        };
        san.to_string()
    }
}
