//! A minimal UCI loop for reference players, sufficient for `fauve match`.

use fauve_engine::rules::Notation;
use fauve_engine::rules::dice::{DiceChess, Options};
use std::io::{BufRead, Write, stdin, stdout};

/// Plays until the input ends. `options` are further lines of the answer to `uci`, each with its end; `read` parses the text after `position`;
/// `choose` returns the token of the turn to play in a position, given the text after `go`.
pub fn serve<P>(
    name: &str,
    variant: &str,
    options: &str,
    mut position: P,
    read: impl Fn(&str) -> Result<P, String>,
    choose: impl Fn(&P, &str) -> String,
) {
    for line in stdin().lock().lines() {
        let Ok(line) = line else { break };
        let answer = match line.split_once(' ').unwrap_or((&line, "")) {
            ("uci", _) => {
                format!(
                    "id name {name}\noption name UCI_Variant type combo default {variant} var {variant}\n{options}uciok"
                )
            }
            ("isready", _) => "readyok".to_owned(),
            ("position", text) => match read(text) {
                Ok(read) => {
                    position = read;
                    continue;
                }
                Err(error) => format!("info string Error: {error}"),
            },
            ("go", limits) => format!("bestmove {}", choose(&position, limits)),
            ("quit", _) => break,
            _ => continue,
        };
        if writeln!(stdout(), "{answer}").is_err() {
            break;
        }
    }
}

/// [`serve`] for DiceChess.
pub fn serve_dice(name: &str, options: &str, choose: impl Fn(&DiceChess, &str) -> String) {
    let read = |text: &str| {
        let fen = text.trim_start_matches("fen ");
        DiceChess::from_fen(fen, &Options::default())
            .map(|parsed| parsed.position)
            .map_err(|error| error.to_string())
    };
    let start = DiceChess::start(&Options::default());
    serve(name, "dicechess", options, start, read, choose);
}
