use super::error::SessionError;
use super::state::Session;
use fauve_engine::core::Color;
use fauve_engine::eval::PieceValues;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::rules::{Outcome, for_each_turn, turn_token};
use fauve_engine::search::Engine;
use fauve_game::assess::static_value;

/// Information about the game.
impl<G: Engine> Session<G> {
    /// The board, FEN, key and state of the game, for `d`.
    pub fn describe(&self) -> String {
        let game = self.rolled();
        let position = game.position();
        let mut text = format!(
            "\n{}\n\nFen: {}\nKey: {:016X}\n",
            position.board_text().trim_end(),
            self.with_seed(position),
            position.key()
        );
        let side = position.side_to_move().name();
        let state = if let Some(outcome) = game.outcome() {
            format!("Game over: {outcome}")
        } else if position.awaits_roll() {
            format!("{side} to roll")
        } else {
            let check = if position.in_check() {
                ", in check"
            } else {
                ""
            };
            let mid = if position.is_mid_turn() {
                ", in the middle of the turn"
            } else {
                ""
            };
            format!("{side} to move{mid}{check}")
        };
        text.push_str(&state);
        text
    }

    /// The static evaluation, for `eval`; with a network (of `EvalFile`, or built in), also the value of each piece.
    pub fn evaluation(&self, network: Option<&SharedNetwork>) -> String {
        let position = self.played.position();
        let (white, piece_values) = static_value(position, network);
        let mut text = String::new();
        if let Some(piece_values) = piece_values {
            text.push_str("Piece values, in pawns, White's view:\n");
            text.push_str(&piece_value_board(&piece_values));
        }
        let pawns = f64::from(white) / 100.0;
        text.push_str(&format!(
            "Static evaluation: {pawns:+.2} pawns (White's view)"
        ));
        text
    }

    /// The tokens of the legal turns that begin with `prefix`, in generation order.
    ///
    /// # Errors
    /// When a roll is awaited.
    pub fn legal(&self, prefix: &str) -> Result<Vec<String>, SessionError> {
        let game = self.rolled();
        let position = game.position();
        if position.awaits_roll() && position.winner().is_none() {
            return Err(SessionError::NotRolled);
        }
        let mut tokens = Vec::new();
        for_each_turn(position, &mut |turn, _| {
            let token = turn_token(position, turn);
            if token.starts_with(prefix) {
                tokens.push(token);
            }
        });
        Ok(tokens)
    }

    /// The answer to `query`, without the word `response`.
    ///
    /// # Errors
    /// When `query` does not have this word, or the dice of `legal` are not rolled.
    pub fn query(&self, what: &str) -> Result<String, SessionError> {
        Ok(match what {
            "p1turn" => (self.played.position().side_to_move() == Color::White).to_string(),
            "gameover" => self.rolled().outcome().is_some().to_string(),
            "result" => match self.rolled().outcome() {
                None => "none",
                Some(Outcome::Draw(_)) => "draw",
                Some(Outcome::Win(Color::White, _)) => "p1win",
                Some(Outcome::Win(Color::Black, _)) => "p2win",
            }
            .to_owned(),
            "legal" => self.legal("")?.join(" "),
            "fen" => self.fen(),
            "roll" => self.rolled().position().dice_text(),
            _ => return Err(SessionError::UnknownQuery),
        })
    }
}

/// Formats piece values as a board, one line per rank, White below.
fn piece_value_board(piece_values: &PieceValues) -> String {
    let mut text = String::new();
    let (first_file, first_rank) = piece_values.corner;
    let last_rank = usize::from(first_rank) + piece_values.ranks.len();
    let margin = last_rank.to_string().len();
    for (rank, row) in piece_values.ranks.iter().enumerate().rev() {
        let rank = usize::from(first_rank) + rank + 1;
        text.push_str(&format!("{rank:>margin$}"));
        for value in row {
            match value {
                Some(value) => text.push_str(&format!("{:+7.2}", f64::from(*value) / 100.0)),
                None => text.push_str("      ."),
            }
        }
        text.push('\n');
    }
    text.push_str(&" ".repeat(margin));
    let files = piece_values.ranks.first().map_or(0, Vec::len);
    for file in ('a'..='z').skip(usize::from(first_file)).take(files) {
        text.push_str(&format!("{file:>7}"));
    }
    text.push('\n');
    text
}
