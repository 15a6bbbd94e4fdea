use fauve_engine::core::Color;
use fauve_engine::rules::{DrawReason, Outcome};

/// The king's file after castling that is written with letters or zeros.
pub(super) fn castling(token: &str) -> Option<char> {
    match token.to_ascii_uppercase().replace('0', "O").as_str() {
        "O-O" => Some('g'),
        "O-O-O" => Some('c'),
        _ => None,
    }
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
