use super::{Action, DiceChess, Options, Step, fen};
use crate::core::{Bitboard, Kind};
use crate::rules::placement::board_diagram;
use crate::rules::{Chance, Diagram, FenError, Notation, Parsed, San, legal_steps};

impl DiceChess {
    /// What a pawn becomes by choice; a pawn that takes the king has none.
    fn promotion(&self, step: Step) -> Option<Kind> {
        step.action.promotion().filter(|_| !self.takes_king(step))
    }
}

impl Notation for DiceChess {
    const RULES: &'static str = include_str!("rules.md");
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -";

    fn from_fen(fen: &str, options: &Options) -> Result<Parsed<Self>, FenError> {
        fen::parse(fen, *options)
    }

    fn fen(&self) -> String {
        fen::write(self)
    }

    fn step_token(&self, step: Step) -> String {
        if step.is_pass() {
            return "0000".to_owned();
        }
        let mut token = format!("{}{}", step.from, step.to);
        let promotion = self.promotion(step);
        token.extend(promotion.map(|kind| kind.letter().to_ascii_lowercase()));
        token
    }

    /// A pawn that takes the king on the last rank may be said to become a queen.
    fn accepts(&self, step: Step, token: &str) -> bool {
        let own = self.step_token(step);
        own == token
            || step.action == Action::ToQueen
                && token.strip_suffix('q').is_some_and(|short| short == own)
    }

    fn step_san(&self, step: Step) -> String {
        if step.is_pass() {
            return "--".to_owned();
        }
        if let Some(side) = step.action.castling() {
            return side.san().to_owned();
        }
        let kind = step.action.mover().unwrap_or(Kind::Pawn);
        let rivals = if kind == Kind::Pawn {
            Bitboard::EMPTY
        } else {
            let is_rival = |other: &Step| {
                other.action == step.action && other.to == step.to && other.from != step.from
            };
            let legal = legal_steps(self).into_iter();
            legal.filter(is_rival).map(|other| other.from).collect()
        };
        let san = San {
            kind,
            from: step.from,
            to: step.to,
            rivals,
            is_capture: self.board.color(!self.side).has(step.to)
                || step.action == Action::EnPassant,
            promotion: self.promotion(step),
        };
        let mut san = san.to_string();
        if self.takes_king(step) {
            san.push('#');
        }
        san
    }

    fn diagram(&self) -> Diagram {
        board_diagram(&self.board, Bitboard::EMPTY)
    }

    fn board_notes(&self) -> String {
        let mut text = "\n\nDice: ".to_owned();
        if self.awaits_roll() {
            text.push_str("not rolled yet");
        } else {
            text.push_str(&self.pool.to_string());
        }
        if self.must_capture {
            text.push_str(" (the king must be taken)");
        }
        text
    }

    fn dice_text(&self) -> String {
        fen::dice(self)
    }

    fn is_pass(step: Step) -> bool {
        step.is_pass()
    }

    fn game_ply(&self) -> u64 {
        u64::from(self.turn_number.max(1) - 1) * 2 + self.side.index() as u64
    }
}
