use super::{Chess, Options};
use crate::core::{Bitboard, Move};
use crate::rules::orthodox::{Orthodox, RookRights, accepts_token, check_sign};
use crate::rules::placement::{board_diagram, board_fen, read_board, words};
use crate::rules::{Diagram, FenError, Notation, Parsed, Rules, legal_steps};

impl Notation for Chess {
    const RULES: &'static str = include_str!("rules.md");
    const START: &'static str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    fn from_fen(fen: &str, options: &Options) -> Result<Parsed<Self>, FenError> {
        let words = words(fen)?;
        let (board, _) = read_board(words.first().copied())?;
        let mut warnings = Vec::new();
        let castling = words.get(2).copied();
        let rights = RookRights::read(castling, &board, options.chess960, &mut warnings)?;
        let position = Orthodox::from_fields(board, &words[1..], Some(rights), &mut warnings)?;
        Ok(Parsed::with_warnings(Self(position), warnings))
    }

    fn fen(&self) -> String {
        format!(
            "{} {}",
            board_fen(self.board(), Bitboard::EMPTY),
            self.0.fields_fen()
        )
    }

    fn step_token(&self, step: Move) -> String {
        step.to_string()
    }

    fn accepts(&self, step: Move, token: &str) -> bool {
        accepts_token(step, token)
    }

    fn step_san(&self, step: Move) -> String {
        let mut after = *self;
        after.play(step);
        self.0.san(step, &legal_steps(self)) + check_sign(&after)
    }

    fn diagram(&self) -> Diagram {
        board_diagram(self.board(), Bitboard::EMPTY)
    }

    fn game_ply(&self) -> u64 {
        self.0.game_ply()
    }
}
