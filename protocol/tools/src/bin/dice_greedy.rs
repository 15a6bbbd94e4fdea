//! Reference players of DiceChess, in the UCI that `fauve match` uses: `cargo build --release -p fauve-tools --bin
//! dice_greedy`, then `--engine cmd=target/release/dice_greedy args=material` or `args=safety`.
//!
//! Both capture the king if they can. Otherwise `material` plays the turn after which it has the most material (pawns 1,
//! knights and bishops 3, rooks 5, queens 9; ties are broken at random, always the same way in the same position), and
//! `safety` also counts the probability of losing the king to the next roll, as 25 pawns.

use fauve_engine::core::{Color, Kind};
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{Rules, for_each_turn, turn_token};
use fauve_tools::reference::serve_dice;
use std::process::ExitCode;

const VALUES: [(Kind, f64); 5] = [
    (Kind::Pawn, 1.0),
    (Kind::Knight, 3.0),
    (Kind::Bishop, 3.0),
    (Kind::Rook, 5.0),
    (Kind::Queen, 9.0),
];
/// Value of the king in pawns, for `safety`.
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

/// Value of a position for the side that made the last turn, in pawns.
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
        // The key breaks ties at random.
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
    serve_dice("dice_greedy", "", |position, _| choose(position, safe));
    ExitCode::SUCCESS
}
