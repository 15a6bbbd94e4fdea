//! Players of DiceChess to measure against, in the UCI that `fauve match` speaks:
//! `cargo build --release -p fauve-tools --bin dice_greedy`, then
//! `--engine cmd=target/release/dice_greedy args=material` or `args=safety`.
//!
//! Both take the king if they can. `material` else plays the turn after which it has the most material (pawns 1, knights and
//! bishops 3, rooks 5, queens 9; among equals one by chance, the same in the same position); `safety` weighs the chance to lose
//! the king with the next roll as 25 pawns, too.

use fauve_engine::core::{Color, Kind};
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::{Notation, Rules, for_each_turn, turn_token};
use fauve_tools::reference::serve;
use std::process::ExitCode;

const VALUES: [(Kind, f64); 5] = [
    (Kind::Pawn, 1.0),
    (Kind::Knight, 3.0),
    (Kind::Bishop, 3.0),
    (Kind::Rook, 5.0),
    (Kind::Queen, 9.0),
];
/// What the king counts for in pawns, for those who mind.
const KING: f64 = 25.0;

/// Material in pawns from a side's point of view.
fn material(position: &DiceChess, side: Color) -> f64 {
    VALUES
        .iter()
        .map(|&(kind, value)| {
            let board = position.board();
            let pieces = |color| f64::from(board.pieces(color, kind).len());
            value * (pieces(side) - pieces(!side))
        })
        .sum()
}

/// What a position after a turn is worth to the side that made it.
fn worth(after: &DiceChess, side: Color, safe: bool) -> f64 {
    if after.winner().is_some() {
        return f64::INFINITY;
    }
    let danger = if safe {
        f64::from(after.king_capture()) / 216.0
    } else {
        0.0
    };
    material(after, side) - KING * danger
}

/// The token of the turn to play.
fn choose(position: &DiceChess, safe: bool) -> String {
    let side = position.side_to_move();
    let mut best = (f64::NEG_INFINITY, 0);
    let mut token = "(none)".to_owned();
    for_each_turn(position, &mut |turn, after| {
        // Equals in the order of a key that means nothing.
        let rank = (worth(after, side, safe), after.key());
        if rank > best {
            best = rank;
            token = turn_token(position, turn);
        }
    });
    token
}

fn main() -> ExitCode {
    let safe = match std::env::args().nth(1).as_deref() {
        Some("material") => false,
        Some("safety") => true,
        _ => {
            eprintln!("usage: dice_greedy material|safety");
            return ExitCode::FAILURE;
        }
    };
    serve(
        "dice_greedy",
        "dicechess",
        DiceChess::start(&Options::default()),
        |text| {
            DiceChess::from_fen(text.trim_start_matches("fen "), &Options::default())
                .map(|parsed| parsed.position)
                .map_err(|error| error.to_string())
        },
        |position| choose(position, safe),
    );
    ExitCode::SUCCESS
}
