use super::{Action, DiceChess, Options, Step, fen};
use crate::core::{Bitboard, Kind, Square};
use crate::rules::placement::board_diagram;
use crate::rules::{CastlingSide, Chance, Diagram, FenError, Notation, Parsed, legal_steps};

impl DiceChess {
    /// The letter that a step's token ends in, if it promotes by choice.
    fn promotion_letter(&self, step: Step) -> Option<char> {
        let kind = step.action.promotion()?;
        (!self.takes_king(step)).then(|| kind.letter().to_ascii_lowercase())
    }

    /// What must be said about the origin of a piece so that no other piece of its kind fits.
    fn origin(&self, step: Step) -> String {
        let (file, rank) = (
            (b'a' + step.from.file()) as char,
            (b'1' + step.from.rank()) as char,
        );
        let others: Vec<Square> = legal_steps(self)
            .into_iter()
            .filter(|other| {
                other.action == step.action && other.to == step.to && other.from != step.from
            })
            .map(|other| other.from)
            .collect();
        if others.is_empty() {
            String::new()
        } else if others.iter().all(|from| from.file() != step.from.file()) {
            file.to_string()
        } else if others.iter().all(|from| from.rank() != step.from.rank()) {
            rank.to_string()
        } else {
            format!("{file}{rank}")
        }
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
        token.extend(self.promotion_letter(step));
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
        let mut san = match step.action {
            Action::Pass => return "--".to_owned(),
            Action::CastleShort | Action::CastleLong => {
                return match step.action.castling() {
                    Some(CastlingSide::Queen) => "O-O-O".to_owned(),
                    _ => "O-O".to_owned(),
                };
            }
            _ => String::new(),
        };
        let captures =
            self.board.color(!self.side).has(step.to) || step.action == Action::EnPassant;
        match step.action.mover() {
            Some(Kind::Pawn) if captures => san.push((b'a' + step.from.file()) as char),
            Some(Kind::Pawn) | None => {}
            Some(kind) => {
                san.push(kind.letter());
                san.push_str(&self.origin(step));
            }
        }
        if captures {
            san.push('x');
        }
        san.push_str(&step.to.to_string());
        if let Some(letter) = self.promotion_letter(step) {
            san.push('=');
            san.push(letter.to_ascii_uppercase());
        }
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
