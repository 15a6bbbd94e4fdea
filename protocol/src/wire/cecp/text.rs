use crate::variants::{Sessions, with_session};
use fauve_engine::core::Color;
use fauve_engine::rules::{CastlingSide, DrawReason, Outcome, parse_turn, turn_san, turn_token};
use fauve_game::read;

/// Whether a turn is castling that is written with letters or zeros.
pub(super) fn is_castling(text: &str) -> bool {
    let letters = text.to_ascii_uppercase().replace('0', "O");
    CastlingSide::of_san(&letters).is_some_and(|side| side.san() == letters)
}

/// The token of a turn that may be castling written with letters or zeros.
pub(super) fn token_of(sessions: &Sessions, text: &str) -> String {
    let castling = || {
        let letters = text.to_ascii_uppercase().replace('0', "O");
        with_session!(sessions, s => {
            let position = s.game().position();
            read::turn(position, &letters).map(|turn| turn_token(position, &turn))
        })
    };
    let token = is_castling(text).then(castling).flatten();
    token.unwrap_or_else(|| text.to_owned())
}

/// A token as XBoard reads it in Chess960: castling is written with letters, since king and rook may exchange squares or stay on them.
pub(super) fn letters_of(sessions: &Sessions, token: &str) -> String {
    let san = with_session!(sessions, s => {
        let position = s.game().position();
        parse_turn(position, token).ok().map(|turn| turn_san(position, &turn))
    });
    let side = san.as_deref().and_then(CastlingSide::of_san);
    let letters = side.map(CastlingSide::san);
    letters.unwrap_or(token).to_owned()
}

/// `1-0 {White mates}`.
pub(super) fn result_line(outcome: Outcome) -> String {
    let score = match outcome {
        Outcome::Win(Color::White, _) => "1-0",
        Outcome::Win(Color::Black, _) => "0-1",
        Outcome::Draw(_) => "1/2-1/2",
    };
    let reason = match outcome {
        Outcome::Win(color, reason) => format!("{} {}", color.name(), reason.brief),
        Outcome::Draw(DrawReason::Repetition) => "Draw by repetition".to_owned(),
        Outcome::Draw(DrawReason::Clock) => "Draw by fifty moves rule".to_owned(),
        Outcome::Draw(DrawReason::Stalemate) => "Stalemate".to_owned(),
        Outcome::Draw(DrawReason::DeadPosition) => "Draw by insufficient material".to_owned(),
        Outcome::Draw(_) => outcome.to_string(),
    };
    format!("{score} {{{reason}}}")
}
