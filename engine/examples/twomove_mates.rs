//! Mates of two-move chess from games of the engine against itself.
//!
//! `cargo run --release -p fauve-engine --example twomove_mates -- make 1 > tests/data/twomove-mates.epd` makes the file anew, one position a game: `dm N` is a
//! shortest mate in N turns, `dm 0` a middlegame without a mate in two; up to three turns all of it is checked by
//! brute force: every answer is mated, and no turn of any kind mates sooner. `-- time tests/data/twomove-mates.epd` says how long they take.

use fauve_engine::core::zobrist::splitmix;
use fauve_engine::rules::twomove::{Options, TwoMove};
use fauve_engine::rules::{Game, Notation, Rules, for_each_turn, has_turn, legal_steps};
use fauve_engine::search::mate::{Effort, find_mate};
use fauve_engine::search::solve::solve;
use fauve_engine::search::{Control, Limits, Score, Search, Settings, Table};
use std::collections::HashSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// How many positions of each kind are wanted, by the turns to the mate.
const WANTED: [usize; 5] = [100, 250, 170, 80, 50];
const NODES: u64 = 1_500;
const EFFORT: Effort = Effort {
    turns: 4,
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

/// Every turn of the attacker, those that give check first.
fn mates_within(position: &TwoMove, turns: u32) -> bool {
    let mut ends = ends(position);
    ends.sort_by_cached_key(|after| !after.in_check());
    ends.iter().any(|after| is_mated_within(after, turns - 1))
}

/// Every turn of the defender.
fn is_mated_within(position: &TwoMove, turns: u32) -> bool {
    if !has_turn(position) {
        return position.lost_without_turn();
    }
    turns > 0
        && ends(position)
            .iter()
            .all(|after| mates_within(after, turns))
}

/// As [`mates_within`], with checks alone: that there is a mate.
fn mates_by_checks(position: &TwoMove, turns: u32) -> bool {
    let is_mated = |after: &TwoMove| {
        if !has_turn(after) {
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

/// The shortest mate that is found, checked: that it is one, and that there is none in fewer turns (beyond three, none by checks).
fn shortest_mate(position: &TwoMove) -> Option<u32> {
    let mate = find_mate(position, EFFORT, &[], &Control::default())?;
    let turns = mate.turns;
    let longer_effort = Effort {
        turns: turns - 1,
        positions: 100_000,
    };
    let shorter = match turns {
        1 => false,
        2 | 3 => mates_within(position, turns - 1),
        _ => find_mate(position, longer_effort, &[], &Control::default()).is_some(),
    };
    let end = mate.line[0].iter().fold(*position, |mut end, &step| {
        end.play(step);
        end
    });
    assert!(
        turns > 3 || is_lost(&end, turns - 1),
        "no mate: {}",
        position.fen()
    );
    (!shorter).then_some(turns)
}

fn is_lost(end: &TwoMove, turns: u32) -> bool {
    if !has_turn(end) {
        return end.lost_without_turn();
    }
    turns > 0
        && ends(end)
            .iter()
            .all(|answered| mates_by_checks(answered, turns))
}

fn make(seed: u64) {
    let mut found = [0; 5];
    let mut seen = HashSet::new();
    let table = Table::new(4).expect("a small table");
    for number in 0.. {
        let mut game = Game::new(TwoMove::start(&Options::default()), Options::default());
        // Positions of one game resemble each other: one of each is taken.
        let mut is_taken = false;
        for ply in 0..120 {
            if game.outcome().is_some() {
                break;
            }
            let limits = Limits {
                nodes: Some(NODES),
                ..Limits::default()
            };
            let (settings, control) = (Settings::default(), Control::default());
            let answer = Search::search(&game, &limits, &settings, &table, &control, &mut |_| {});
            let position = *game.position();
            let whole = ply > 3 && !position.is_mid_turn();
            if whole && !is_taken && seen.insert(position.key()) {
                is_taken = look(&position, answer.score, ply, &mut found);
            }
            let chance = splitmix(seed, number << 10 | ply);
            if ply < 4 || chance.is_multiple_of(8) {
                let steps = legal_steps(&position);
                game.play(steps[(chance >> 8) as usize % steps.len()]);
            } else {
                answer
                    .best
                    .into_iter()
                    .flatten()
                    .for_each(|step| game.play(step));
            }
        }
        eprintln!("game {number}: {found:?}");
        if found == WANTED {
            return;
        }
    }
}

/// Prints a position if it is of a kind that is wanted, by what the search says and brute force confirms; tells whether.
fn look(position: &TwoMove, score: Score, ply: u64, found: &mut [usize; 5]) -> bool {
    let kind = match score {
        Score::Mate(turns @ 1..=4) => turns as usize,
        Score::Cp(_) if ply.is_multiple_of(4) && (8..40).contains(&ply) => 0,
        _ => return false,
    };
    if found[kind] >= WANTED[kind] {
        return false;
    }
    let good = match kind {
        0 => !mates_within(position, 2),
        _ => shortest_mate(position) == Some(kind as u32),
    };
    if good {
        println!("{} dm {kind};", position.fen());
        found[kind] += 1;
    }
    good
}

fn time(file: &str) -> Result<(), String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("{file}: {error}"))?;
    let mut times: [Vec<Duration>; 5] = Default::default();
    for line in text.lines() {
        let (fen, mate) = line.split_once(" dm ").ok_or("no dm in a line")?;
        let turns: usize = mate
            .trim_end_matches(';')
            .parse()
            .map_err(|_| "no number")?;
        let parsed = TwoMove::from_fen(fen, &Options::default());
        let position = parsed.map_err(|error| format!("{fen}: {error}"))?.position;
        let begin = Instant::now();
        let effort = Effort {
            turns: 4,
            positions: 100_000,
        };
        let good = if turns == 0 {
            solve(&position, 2, &Control::default()).keys.is_empty()
        } else {
            let mate = find_mate(&position, effort, &[], &Control::default());
            mate.is_some_and(|mate| mate.turns as usize == turns)
        };
        times
            .get_mut(turns)
            .ok_or("too long")?
            .push(begin.elapsed());
        if !good {
            return Err(format!("not found: {line}"));
        }
    }
    for (turns, times) in times
        .iter_mut()
        .enumerate()
        .filter(|(_, times)| !times.is_empty())
    {
        times.sort();
        let name = match turns {
            0 => "no mate in 2, proven".to_owned(),
            _ => format!("mate in {turns}"),
        };
        let (median, most) = (times[times.len() / 2], times[times.len() - 1]);
        println!(
            "{name}: {} positions, median {median:.1?}, longest {most:.1?}",
            times.len()
        );
    }
    Ok(())
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["make", seed] if seed.parse::<u64>().is_ok() => make(seed.parse().unwrap_or(0)),
        ["time", file] => {
            if let Err(error) = time(file) {
                eprintln!("{error}");
                return ExitCode::FAILURE;
            }
        }
        _ => {
            eprintln!("usage: twomove_mates make SEED | time FILE");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
