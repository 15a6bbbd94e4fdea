//! A reference player of DiceChess, in the UCI that `fauve match` uses: `cargo build --release -p fauve-tools --bin
//! dice_expectimax`, then `--engine cmd=target/release/dice_expectimax cputime=50`.
//!
//! It looks two turns deep, as published players of the game do (expectimax,
//! <https://www.chessprogramming.org/Expectimax>): a turn, and for each of the 56 rolls the best answer to it. Of its turns the 24
//! that look best at once are examined, as far as the time allows, in that order. The evaluation is made by hand: material, own
//! pieces near the enemy king, own pawns that advance on it, and attacked squares around it. `movetime` is counted in the
//! processor time of its thread; without it there is no limit.

use fauve_engine::core::{Bitboard, Color, Kind};
use fauve_engine::rules::dice::{DiceChess, Walker};
use fauve_engine::rules::{Chance, Rules, for_each_turn, turn_token};
use fauve_engine::search::thread_time;
use fauve_tools::reference::serve_dice;
use std::process::ExitCode;
use std::time::Duration;

/// Turns that are examined.
const CANDIDATES: usize = 24;
/// Values of the kinds in pawns, and what a step nearer to the enemy king is worth.
const VALUES: [(Kind, f64, f64); 5] = [
    (Kind::Pawn, 1.0, 0.0),
    (Kind::Knight, 3.0, 0.06),
    (Kind::Bishop, 3.0, 0.04),
    (Kind::Rook, 5.0, 0.06),
    (Kind::Queen, 9.0, 0.10),
];
/// Value of a captured king, in pawns.
const KING: f64 = 30.0;
/// Value of a rank that a pawn has advanced on a file beside or of the enemy king, in pawns.
const STORM: f64 = 0.08;
/// Value of an attacked square beside the enemy king, in pawns.
const RING: f64 = 0.15;
/// Part of `movetime` after which no further turn is examined.
const USED: f64 = 0.9;

/// What a side has against the enemy king, and its material, in pawns.
fn strength(position: &DiceChess, side: Color) -> f64 {
    let board = position.board();
    let king = board.king(!side);
    let mut sum = 0.0;
    for (kind, value, nearness) in VALUES {
        for square in board.pieces(side, kind) {
            sum += value + nearness * f64::from(7 - square.distance(king));
        }
    }
    for square in board.pieces(side, Kind::Pawn) {
        if square.file().abs_diff(king.file()) <= 1 {
            let advanced = match side {
                Color::White => square.rank() - 1,
                Color::Black => 6 - square.rank(),
            };
            sum += STORM * f64::from(advanced);
        }
    }
    let ring = Bitboard(!0)
        .into_iter()
        .filter(|square| square.distance(king) == 1);
    let attacked = board.attack_map(side, board.occupied());
    sum + RING * ring.filter(|&square| attacked.has(square)).count() as f64
}

/// Value of a position for a side, in pawns.
fn worth(position: &DiceChess, side: Color) -> f64 {
    match position.winner() {
        Some(winner) if winner == side => KING,
        Some(_) => -KING,
        None => strength(position, side) - strength(position, !side),
    }
}

/// Mean value of a position that awaits a roll of the other side, for `side`: of each roll the answer that is worst for it.
fn mean_after_answers(position: &DiceChess, side: Color, walker: &mut Walker) -> f64 {
    if position.winner().is_some() {
        return worth(position, side);
    }
    walker.start(position);
    let mut found = Vec::new();
    let mut sum = 0.0;
    for (n, (_, weight)) in DiceChess::rolls().iter().enumerate() {
        walker.results_of_roll(n, &mut found);
        let values = found.iter().map(|one| worth(&walker.position(one), side));
        sum += f64::from(*weight) * values.fold(f64::INFINITY, f64::min);
    }
    sum / 216.0
}

/// The token of the turn to play.
fn choose(position: &DiceChess, go: &str) -> String {
    let begun = thread_time();
    let time = limit(go);
    let side = position.side_to_move();
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, after| {
        turns.push((
            worth(after, side),
            after.key(),
            turn_token(position, turn),
            *after,
        ));
    });
    // The key breaks ties always in the same way.
    turns.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
    turns.dedup_by_key(|turn| turn.1);
    let mut walker = Walker::new();
    let mut best = (f64::NEG_INFINITY, "(none)".to_owned());
    for (n, (_, _, token, after)) in turns.into_iter().take(CANDIDATES).enumerate() {
        if n > 0 && time.is_some_and(|time| thread_time().saturating_sub(begun) > time) {
            break;
        }
        let value = mean_after_answers(&after, side, &mut walker);
        if value > best.0 {
            best = (value, token);
        }
    }
    best.1
}

/// The time in which a search may begin to examine turns; `None` without `movetime`.
fn limit(go: &str) -> Option<Duration> {
    let mut words = go.split_whitespace().skip_while(|&word| word != "movetime");
    let time: u64 = words.nth(1)?.parse().ok()?;
    Some(Duration::from_millis(time).mul_f64(USED))
}

fn main() -> ExitCode {
    let option = "option name CPU Clock type check default true\n";
    serve_dice("dice_expectimax", option, choose);
    ExitCode::SUCCESS
}
