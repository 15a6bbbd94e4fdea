//! Players of Cubes 4D to measure against, in the UCI that `fauve match` speaks:
//! `cargo build --release -p fauve-engine --example cubes_reference`, then
//! `--engine cmd=target/release/examples/cubes_reference args=random`, `args=greedy` or `args=plain`.
//!
//! `random` plays any legal move. `greedy` mates if it can, else plays the move after which it has the most material when the
//! opponent's best capture is taken off. `plain` is alpha-beta two plies deep with captures after that, and material alone. Equals
//! are told apart by chance, the same in the same position.

mod reference;

use fauve_engine::core::StepList;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::eval::Tactics;
use fauve_engine::rules::cubes::{LONE_KING_LIMIT, Man, Options, Position, Step};
use fauve_engine::rules::{Notation, Rules, legal_steps, parse_turn};
use reference::serve;
use std::process::ExitCode;

const MATE: i32 = 100_000;

/// Material from the point of view of the side to move.
fn material(position: &Position) -> i32 {
    let us = position.side_to_move();
    let (own, other) = (position.men_of(us), position.men_of(!us));
    Man::ALL
        .iter()
        .map(|&man| {
            let men = position.men_of_kind(man);
            100 * man.worth() * ((men & own).len() as i32 - (men & other).len() as i32)
        })
        .sum()
}

fn after(position: &Position, step: Step) -> Position {
    let mut next = *position;
    next.play(step);
    next
}

/// Captures only, from a node that may stand as it is.
fn captures(position: &Position, mut alpha: i32, beta: i32, depth: u32) -> i32 {
    let stand = material(position);
    alpha = alpha.max(stand);
    if alpha >= beta || depth == 0 {
        return alpha;
    }
    let mut steps = StepList::new();
    position.generate_noisy(&mut steps);
    steps.sort_by_key(|&step| -position.gain(step));
    for step in steps {
        alpha = alpha.max(-captures(&after(position, step), -beta, -alpha, depth - 1));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// Alpha-beta with the end of the game and material.
fn search(position: &Position, depth: u32, mut alpha: i32, beta: i32, quiet: u32) -> i32 {
    if depth == 0 && !position.in_check() {
        return captures(position, alpha, beta, quiet);
    }
    let mut steps = legal_steps(position);
    if steps.is_empty() {
        return if position.in_check() {
            -MATE - depth as i32
        } else {
            0
        };
    }
    let us = position.side_to_move();
    if [us, !us]
        .map(|color| position.lone_count(color))
        .contains(&Some(LONE_KING_LIMIT))
    {
        return 0;
    }
    if depth == 0 {
        return captures(position, alpha, beta, quiet);
    }
    steps.sort_by_key(|&step| -position.gain(step));
    for step in steps {
        let next = after(position, step);
        alpha = alpha.max(-search(&next, depth - 1, -beta, -alpha, quiet));
        if alpha >= beta {
            break;
        }
    }
    alpha
}

/// The token of the move to play; `None` without a legal one.
fn choose(position: &Position, player: Player) -> Option<String> {
    let chance = |next: &Position| splitmix(position.key(), next.key());
    let best = legal_steps(position).into_iter().max_by_key(|&step| {
        let next = after(position, step);
        let value = match player {
            Player::Random => 0,
            Player::Greedy => -search(&next, 0, -2 * MATE, 2 * MATE, 1),
            Player::Plain => -search(&next, 1, -2 * MATE, 2 * MATE, 6),
        };
        (value, chance(&next))
    })?;
    Some(position.step_token(best))
}

#[derive(Clone, Copy)]
enum Player {
    Random,
    Greedy,
    Plain,
}

/// The position of a UCI line.
fn read(text: &str) -> Result<Position, String> {
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let options = Options::default();
    let mut position = match start.strip_prefix("fen ") {
        Some(fen) => {
            Position::from_fen(fen, &options)
                .map_err(|error| error.to_string())?
                .position
        }
        None if start == "startpos" => Position::start(&options),
        None => Position::named_start(start, &options).ok_or("no such position")?,
    };
    for token in moves.split_whitespace() {
        let turn = parse_turn(&position, token).map_err(|error| error.to_string())?;
        turn.into_iter().for_each(|step| position.play(step));
    }
    Ok(position)
}

fn main() -> ExitCode {
    let player = match std::env::args().nth(1).as_deref() {
        Some("random") => Player::Random,
        Some("greedy") => Player::Greedy,
        Some("plain") => Player::Plain,
        _ => {
            eprintln!("usage: cubes_reference random|greedy|plain");
            return ExitCode::FAILURE;
        }
    };
    serve(
        "cubes_reference",
        "cubes4d",
        Position::start(&Options::default()),
        read,
        |position| choose(position, player).unwrap_or_else(|| "(none)".to_owned()),
    );
    ExitCode::SUCCESS
}
