//! Reference players of Cubes 4D, in the UCI that `fauve match` uses: `cargo build --release -p fauve-tools --bin
//! cubes_reference`, then `--engine cmd=target/release/cubes_reference args=random`, `args=greedy` or `args=plain`.
//!
//! `random` plays any legal move. `greedy` mates if it can, and otherwise plays the move with the most material after the
//! opponent's best capture. `plain` is alpha-beta two plies deep followed by captures, with material alone. Ties are broken
//! at random, always the same way in the same position.
//!
//! `cubes_reference openings 100 1` prints openings for such matches: five random turns, even by a short search, from the
//! two start reliefs and from three other arrangements in turn. `tests/data/cubes4d-arrangements.txt` is its output of 24
//! November 2026.

use fauve_engine::core::StepList;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::eval::Tactics;
use fauve_engine::rules::cubes::{Cubes4d, LONE_KING_LIMIT, Options, PieceKind, Step};
use fauve_engine::rules::{Notation, Rules, legal_steps, parse_turn};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use fauve_tools::openings::random_opening;
use fauve_tools::reference::serve;
use std::process::ExitCode;

const MATE: i32 = 100_000;

/// Starting arrangements of the openings: the lateral Pawns on the right and on the left; a plain of 6 x 6; a middle two
/// cubes high; a plain with walls on both sides and a ditch in the middle.
const ARRANGEMENTS: [&str; 5] = [
    "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
    "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
    "e11:1r1n1q1k1n1b/11p1p1p1p1/111111/111111/11P1P1P1P1/1R1N1Q1K1N1B w - Gg - - 1",
    "f11:1r1n1q1k1b/1n1p1p1p1g/12221/12221/1N1P1P1P1G/1R1N1Q1K1B w - Gg - - 1",
    "e10:1r1n1q1k1g1n1b/21p1p1p1p12/0110110/21P1P1P1P12/1R1N1Q1K1G1N1B w - Gg - - 1",
];
/// Random turns of an opening.
const RANDOM_TURNS: u64 = 5;
/// Nodes of the search that tests whether an opening is even, and the greatest score it may find, in centipawns.
const EVEN: (u64, i32) = (2_000, 100);

/// Material from the point of view of the side to move.
fn material(position: &Cubes4d) -> i32 {
    let us = position.side_to_move();
    let (own, other) = (position.pieces_of(us), position.pieces_of(!us));
    PieceKind::ALL
        .iter()
        .map(|&piece| {
            let pieces = position.pieces_of_kind(piece);
            100 * piece.worth() * ((pieces & own).len() as i32 - (pieces & other).len() as i32)
        })
        .sum()
}

fn after(position: &Cubes4d, step: Step) -> Cubes4d {
    let mut next = *position;
    next.play(step);
    next
}

/// Quiescence search of captures, with stand pat.
fn captures(position: &Cubes4d, mut alpha: i32, beta: i32, depth: u32) -> i32 {
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
fn search(position: &Cubes4d, depth: u32, mut alpha: i32, beta: i32, quiet: u32) -> i32 {
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
fn choose(position: &Cubes4d, player: Player) -> Option<String> {
    let chance = |next: &Cubes4d| splitmix(position.key(), next.key());
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

/// A position some random turns after an arrangement; `None` if the game is over or the position is not even.
fn opening(arrangement: &str, seed: u64) -> Option<Cubes4d> {
    let options = Options::default();
    let start = Cubes4d::from_fen(arrangement, &options).expect("the arrangements are well formed");
    let game = random_opening(start.position, options, RANDOM_TURNS, seed)?;
    let limits = Limits {
        nodes: Some(EVEN.0),
        ..Limits::default()
    };
    let table = Table::new(8).expect("a small table");
    let (settings, control) = (Settings::default(), Control::default());
    let answer = Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
    let even = matches!(answer.score, Score::Cp(cp) if cp.abs() <= EVEN.1);
    even.then(|| *game.position())
}

fn print_openings(count: u64, seed: u64) {
    for (n, arrangement) in (0..count).zip(ARRANGEMENTS.into_iter().cycle()) {
        let found = (0..).find_map(|again| opening(arrangement, splitmix(seed + n, again)));
        println!("{}", found.expect("some opening is even").fen());
    }
}

#[derive(Clone, Copy)]
enum Player {
    Random,
    Greedy,
    Plain,
}

/// Parses the position of a UCI line.
fn read(text: &str) -> Result<Cubes4d, String> {
    let (start, moves) = text.split_once(" moves ").unwrap_or((text, ""));
    let options = Options::default();
    let mut position = match start.strip_prefix("fen ") {
        Some(fen) => {
            Cubes4d::from_fen(fen, &options)
                .map_err(|error| error.to_string())?
                .position
        }
        None if start == "startpos" => Cubes4d::start(&options),
        None => Cubes4d::named_start(start, &options).ok_or("no such position")?,
    };
    for token in moves.split_whitespace() {
        let turn = parse_turn(&position, token).map_err(|error| error.to_string())?;
        turn.into_iter().for_each(|step| position.play(step));
    }
    Ok(position)
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let player = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["openings", count, seed]
            if count.parse::<u64>().is_ok() && seed.parse::<u64>().is_ok() =>
        {
            let [count, seed] = [count, seed].map(|word| word.parse().unwrap_or(0));
            print_openings(count, seed);
            return ExitCode::SUCCESS;
        }
        ["random"] => Player::Random,
        ["greedy"] => Player::Greedy,
        ["plain"] => Player::Plain,
        _ => {
            eprintln!("usage: cubes_reference random|greedy|plain, or openings COUNT SEED");
            return ExitCode::FAILURE;
        }
    };
    serve(
        "cubes_reference",
        "cubes4d",
        "",
        Cubes4d::start(&Options::default()),
        read,
        |position, _| choose(position, player).unwrap_or_else(|| "(none)".to_owned()),
    );
    ExitCode::SUCCESS
}
