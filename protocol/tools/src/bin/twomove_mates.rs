//! Mates of two-move chess from self-play.
//!
//! `cargo run --release -p fauve-tools --bin twomove_mates -- make 1 > tests/data/twomove-mates.epd` creates the file, with
//! one position a game: `dm N` is a shortest mate in N turns, `dm 0` a middlegame without a mate in two. Mates of up to
//! three turns are verified by brute force: every reply is mated, and no turn of any kind mates sooner. `-- check
//! tests/data/twomove-mates.epd` verifies them again, and `-- time tests/data/twomove-mates.epd` measures how long the
//! engine takes to find them.

use fauve_engine::core::Color;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::rules::twomove::{Options, TwoMove};
use fauve_engine::rules::{Game, Notation, Outcome, Rules, for_each_turn, legal_steps};
use fauve_engine::search::mate::{Effort, find_mate};
use fauve_engine::search::solve::solve;
use fauve_engine::search::{Control, Limits, Searcher, Settings, Table, process_time};
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::Duration;

/// Numbers of positions to find: middlegames without a mate, mates in one to three turns together, and mates in four.
const WANTED: [usize; 3] = [100, 500, 50];
/// Number of kinds: no mate, and mates in one to four turns.
const KINDS: usize = 5;
const NODES: u64 = 1_500;
const EFFORT: Effort = Effort {
    turns: 4,
    quiet: 0,
    positions: 20_000,
};

fn ends(position: &TwoMove) -> Vec<TwoMove> {
    let mut seen = HashSet::new();
    let mut ends = Vec::new();
    for_each_turn(position, &mut |_, after| {
        if seen.insert(after.key()) {
            ends.push(*after);
        }
    });
    ends
}

/// Whether one of all turns mates.
fn mates_at_once(position: &TwoMove) -> bool {
    let mut mates = false;
    for_each_turn(position, &mut |_, after| {
        mates = mates || after.in_check() && !after.has_turn() && after.lost_without_turn();
    });
    mates
}

/// Whether the attacker mates within this number of turns; tries all turns, those that give check first.
fn mates_within(position: &TwoMove, turns: u32) -> bool {
    if turns == 1 {
        return mates_at_once(position);
    }
    let mut ends = ends(position);
    ends.sort_by_cached_key(|after| !after.in_check());
    ends.iter().any(|after| is_mated_within(after, turns - 1))
}

/// Whether all turns of the defender allow a mate within this number of turns.
fn is_mated_within(position: &TwoMove, turns: u32) -> bool {
    if !position.has_turn() {
        return position.lost_without_turn();
    }
    turns > 0
        && ends(position)
            .iter()
            .all(|after| mates_within(after, turns))
}

/// Whether the attacker mates by checks alone; proves that there is a mate.
fn mates_by_checks(position: &TwoMove, turns: u32) -> bool {
    let is_mated = |after: &TwoMove| {
        if !after.has_turn() {
            return after.lost_without_turn();
        }
        turns > 1
            && ends(after)
                .iter()
                .all(|answered| mates_by_checks(answered, turns - 1))
    };
    ends(position)
        .iter()
        .filter(|after| after.in_check())
        .any(is_mated)
}

/// The length of the shortest mate by checks, if there is one of at most this number of turns.
fn by_checks(position: &TwoMove, turns: u32) -> Option<u32> {
    let effort = Effort {
        turns: turns.min(EFFORT.turns),
        ..EFFORT
    };
    find_mate(position, effort, &[], &Control::default()).map(|mate| mate.turns)
}

/// Verifies a mate by brute force: that it is one, and that there is none in fewer turns (for four, none in three by
/// checks).
fn is_shortest(position: &TwoMove, turns: u32) -> bool {
    if turns < 4 {
        assert!(
            mates_by_checks(position, turns),
            "no mate: {}",
            position.fen()
        );
        return turns == 1 || !mates_within(position, turns - 1);
    }
    let mate = find_mate(position, EFFORT, &[], &Control::default());
    let is_of_length = mate.as_ref().is_some_and(|mate| mate.turns == turns);
    let first = mate.into_iter().flat_map(|mate| mate.line).next();
    let end = first
        .into_iter()
        .flatten()
        .fold(*position, |mut end, step| {
            end.play(step);
            end
        });
    assert!(is_lost(&end, turns - 1), "no mate: {}", position.fen());
    is_of_length
}

fn is_lost(end: &TwoMove, turns: u32) -> bool {
    if !end.has_turn() {
        return end.lost_without_turn();
    }
    turns > 0
        && ends(end)
            .iter()
            .all(|answered| mates_by_checks(answered, turns))
}

/// Plays a self-play game from a random opening, with occasional random steps before the 24th step; returns the positions
/// between turns, and the winner.
fn self_play(seed: u64, number: u64, table: &Table) -> (Vec<TwoMove>, Option<Color>) {
    let mut game = Game::new(TwoMove::start(&Options::default()), Options::default());
    let mut positions = Vec::new();
    for ply in 0..120 {
        if let Some(outcome) = game.outcome() {
            return match outcome {
                Outcome::Win(winner, _) => (positions, Some(winner)),
                Outcome::Draw(_) => (positions, None),
            };
        }
        if ply > 3 && !game.position().is_mid_turn() {
            positions.push(*game.position());
        }
        let chance = splitmix(seed, number << 10 | ply);
        if ply < 4 || ply < 24 && chance.is_multiple_of(8) {
            let steps = legal_steps(game.position());
            game.play(steps[(chance >> 8) as usize % steps.len()]);
            continue;
        }
        let limits = Limits {
            nodes: Some(NODES),
            ..Limits::default()
        };
        let (settings, control) = (Settings::default(), Control::default());
        let answer = Searcher::new(table, &settings, &control).run(&game, &limits, &mut |_| {});
        let turn = answer.best.into_iter().flatten();
        turn.for_each(|step| game.play(step));
    }
    (positions, None)
}

fn make(seed: u64) {
    let mut found = [0; KINDS];
    let mut seen = HashSet::new();
    let table = Table::new(4).expect("a small table");
    for number in 0.. {
        table.clear();
        let (positions, winner) = self_play(seed, number, &table);
        // Positions of one game resemble each other: at most one mate and one middlegame of each.
        let middlegame = positions.get(8 + number as usize % 8);
        let middlegame = middlegame.filter(|one| missing(&found)[0] > 0 && seen.insert(one.key()));
        if let Some(position) = middlegame {
            take(position, 0, !mates_within(position, 2), &mut found);
        }
        let last = positions.iter().rev();
        let last = last.filter(|position| Some(position.side_to_move()) == winner);
        // From the last position backwards, as long as there is a mate by the end of the game.
        let mates: Vec<(TwoMove, u32)> = (1..)
            .zip(last)
            .map_while(|(turns, position)| Some((*position, by_checks(position, turns)?)))
            .collect();
        let wanted = |(_, turns): &&(TwoMove, u32)| missing(&found)[1 + *turns as usize / 4] > 0;
        let longest = mates.iter().filter(wanted).max_by_key(|(_, turns)| *turns);
        if let Some((position, turns)) = longest.filter(|(one, _)| seen.insert(one.key())) {
            take(position, *turns, is_shortest(position, *turns), &mut found);
        }
        eprintln!("game {number}: {found:?}");
        if missing(&found) == [0; 3] {
            return;
        }
    }
}

/// Number of positions still missing of each kind in [`WANTED`].
fn missing(found: &[usize; KINDS]) -> [usize; 3] {
    let counts = [found[0], found[1..4].iter().sum(), found[4]];
    std::array::from_fn(|kind| WANTED[kind].saturating_sub(counts[kind]))
}

/// Prints a position that fits its kind, and counts it.
fn take(position: &TwoMove, turns: u32, good: bool, found: &mut [usize; KINDS]) {
    if good {
        println!("{} dm {turns};", position.fen());
        found[turns as usize] += 1;
    }
}

/// Parses a line of the file: a position and the turns to the mate.
fn read(line: &str) -> Result<(TwoMove, u32), String> {
    let (fen, mate) = line.split_once(" dm ").ok_or("no dm in a line")?;
    let turns = mate.trim_end_matches(';').parse();
    let turns = turns.map_err(|error| format!("{line}: {error}"))?;
    if turns as usize >= KINDS {
        return Err(format!("too long: {line}"));
    }
    let parsed = TwoMove::from_fen(fen, &Options::default());
    let position = parsed.map_err(|error| format!("{fen}: {error}"))?.position;
    Ok((position, turns))
}

fn open(file: &str) -> Result<String, String> {
    std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))
}

/// Verifies a file by brute force.
fn check(file: &str) -> Result<(), String> {
    let mut found = [0; KINDS];
    for line in open(file)?.lines() {
        let (position, turns) = read(line)?;
        let good = match turns {
            0 => !mates_within(&position, 2),
            _ => is_shortest(&position, turns),
        };
        if !good {
            return Err(format!("there is a shorter mate: {line}"));
        }
        found[turns as usize] += 1;
    }
    println!("all correct, by turns to the mate: {found:?}");
    Ok(())
}

fn time(file: &str) -> Result<(), String> {
    let text = open(file)?;
    let mut times: [Vec<(Duration, &str)>; KINDS] = Default::default();
    for line in text.lines() {
        let (position, turns) = read(line)?;
        let begin = process_time();
        let effort = Effort {
            turns: 4,
            quiet: 0,
            positions: 100_000,
        };
        let good = if turns == 0 {
            solve(&position, 2, &Control::default()).keys.is_empty()
        } else {
            let mate = find_mate(&position, effort, &[], &Control::default());
            mate.is_some_and(|mate| mate.turns == turns)
        };
        let taken = process_time().saturating_sub(begin);
        times[turns as usize].push((taken, line));
        if !good {
            return Err(format!("not found: {line}"));
        }
    }
    let mates = times[1..4].concat();
    for (turns, times) in times.iter_mut().enumerate() {
        let name = match turns {
            0 => "no mate in 2, proven".to_owned(),
            _ => format!("mate in {turns}"),
        };
        say(&name, times);
    }
    say("mates in 1 to 3", &mut mates.clone());
    Ok(())
}

/// Prints statistics of the processor time per position, and the slowest position.
fn say(name: &str, times: &mut [(Duration, &str)]) {
    if times.is_empty() {
        return;
    }
    times.sort();
    let (median, _) = times[times.len() / 2];
    let (most, worst) = times[times.len() - 1];
    let sum: Duration = times.iter().map(|(time, _)| *time).sum();
    println!(
        "{name}: {} positions, processor time: median {median:.1?}, longest {most:.1?} ({worst}), together {sum:.1?}",
        times.len()
    );
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", seed] if seed.parse::<u64>().is_ok() => make(seed.parse().unwrap_or(0)),
        ["check" | "time", file] => {
            let done = if arguments[0] == "check" {
                check(file)
            } else {
                time(file)
            };
            if let Err(error) = done {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: twomove_mates make SEED | check FILE | time FILE");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
