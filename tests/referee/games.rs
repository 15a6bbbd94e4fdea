//! Tournaments of random players, in this process.

use super::{Scratch, timeless};
use fauve_engine::Variant;
use fauve_engine::rules::Notation;
use fauve_engine::rules::{Chance, Roll, chess, cubes, dice, superchess, twomove};
use fauve_engine::search::{Engine, Table};
use fauve_game::luck;
use fauve_referee::matches::tournament::{Run, run};
use fauve_referee::plan::openings::Openings;
use fauve_referee::plan::schedule::Pairings;
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::record::merge::Merged;
use fauve_referee::record::replay::Verifier;
use fauve_referee::record::{FORMAT, GameRecord, Header, Record, Termination};
use fauve_referee::report::sequence::Sequence;
use fauve_referee::report::tally::Tally;

fn header(variant: Variant, rounds: u64, players: &[&str]) -> Header {
    Header {
        format: FORMAT,
        event: "test".to_owned(),
        variant: variant.name().to_owned(),
        rules: Vec::new(),
        referee: None,
        engines: players
            .iter()
            .map(|name| {
                EngineSpec::complete(&["proto=random", &format!("name={name}")], &[]).unwrap()
            })
            .collect(),
        pairings: Pairings::RoundRobin,
        no_swap: false,
        reverse: false,
        scale: None,
        rounds,
        seed: 7,
        openings: Openings::Start,
        margin: 20,
        stall: 10_000,
        resign: None,
        draw: None,
        max_turns: None,
        sprt: None,
        luck: false,
        doubling: false,
        shard: None,
        pairs: None,
    }
}

fn play<G: Engine>(header: &Header, variant: Variant, concurrency: usize) -> Record {
    let (record, tally) = recorded::<G>(header, variant, concurrency);
    assert_eq!(tally.games() as usize, record.games.len());
    record
}

/// What is printed about the games of a record.
fn report(header: &Header, games: &[GameRecord]) -> String {
    Tally::of(header, games).report(header, &Sequence::new(header))
}

/// Plays a tournament; its record with the games in order, and what was counted.
fn recorded<G: Engine>(header: &Header, variant: Variant, concurrency: usize) -> (Record, Tally) {
    let file = Scratch::new("inside.jsonl");
    let settings = Run {
        concurrency,
        quiet: true,
        interval: 20,
        record: Some(file.0.clone()),
        ..Run::default()
    };
    let outcome = run::<G>(header, variant, &G::Options::default(), &settings).unwrap();
    assert!(outcome.error.is_none());
    let mut record = Record::read(&file.0).unwrap();
    record.games.sort_by_key(|game| game.game);
    (record, outcome.tally)
}

/// Random players: the same seed gives the same games, whatever the number of workers; another seed others; every
/// game ends by the rules and replays; shards merge to the record and the report of one run.
fn a_seed_is_a_tournament<G: Engine>(variant: Variant, rounds: u64, openings: Openings) {
    let whole = Header {
        openings,
        ..header(variant, rounds, &["a", "b", "c"])
    };
    let one = play::<G>(&whole, variant, 1);
    assert_eq!(one.games.len() as u64, 6 * rounds);
    let options = G::Options::default();
    let mut verifier = Verifier::<G>::new(&one.header, &options);
    for game in &one.games {
        assert_eq!(game.termination, Termination::Rules, "{game:?}");
        verifier.verify(game).unwrap();
    }
    let again = play::<G>(&whole, variant, 3);
    assert_eq!(timeless(&one), timeless(&again));
    let files: Vec<Scratch> = (1..=2)
        .map(|number| {
            let share = Header {
                shard: Some((number, 2)),
                ..whole.clone()
            };
            Scratch::file("share.jsonl", play::<G>(&share, variant, 1).text())
        })
        .collect();
    let paths: Vec<_> = files.iter().map(|file| &file.0).collect();
    let merged = Merged::of(&paths, false).unwrap();
    assert_eq!(merged.missing(), None);
    let games = merged.games().map(Result::unwrap).collect();
    let merged = Record {
        header: merged.header().clone(),
        games,
    };
    assert_eq!(timeless(&one), timeless(&merged));
    assert_eq!(report(&whole, &one.games), report(&whole, &merged.games));
    let other = play::<G>(&Header { seed: 8, ..whole }, variant, 1);
    assert_ne!(timeless(&one), timeless(&other));
}

#[test]
fn chess_tournament_of_random_players() {
    a_seed_is_a_tournament::<chess::Chess>(
        Variant::Chess,
        2,
        Openings::Random {
            turns: 4,
            balance: None,
        },
    );
}

#[test]
fn two_move_tournament_of_random_players() {
    a_seed_is_a_tournament::<twomove::TwoMove>(Variant::TwoMove, 2, Openings::Start);
}

#[test]
fn cubes_tournament_of_random_players_from_both_lateral_sides() {
    a_seed_is_a_tournament::<cubes::Cubes4d>(
        Variant::Cubes4d,
        2,
        Openings::Named("laterals".to_owned()),
    );
}

#[test]
fn superchess_tournament_of_random_players_after_the_prologue() {
    a_seed_is_a_tournament::<superchess::Superchess>(
        Variant::Superchess,
        2,
        Openings::Named("prologue".to_owned()),
    );
}

#[test]
fn dice_tournament_of_random_players() {
    a_seed_is_a_tournament::<dice::DiceChess>(Variant::DiceChess, 2, Openings::Start);
}

/// Every round has another array until all 432 were there, and another prologue until all 12,096 were there.
#[test]
fn openings_of_superchess_are_all_different() {
    let count = |openings: Openings, rounds: u64| {
        let mut fens: Vec<String> = (0..rounds)
            .map(|round| {
                openings
                    .of_round::<superchess::Superchess>(5, round, &superchess::Options::default())
                    .unwrap()
                    .position
                    .fen()
            })
            .collect();
        fens.sort();
        fens.dedup();
        fens.len()
    };
    assert_eq!(count(Openings::Named("arrays".to_owned()), 432), 432);
    // The 12,096 prologues lead to 432 arrays; a few hundred of them reach most.
    assert!(count(Openings::Named("prologue".to_owned()), 432) > 200);
}

/// 1,000 games of DiceChess: the rolls of a pair are the same turn by turn, and those of the longer game of each pair
/// pass a chi-square test over the 56 rolls (the 99.9 % quantile for 55 degrees of freedom is 93.2).
#[test]
fn dice_are_fair_and_the_same_for_both_players_of_a_pair() {
    let header = header(Variant::DiceChess, 500, &["a", "b"]);
    let record = play::<dice::DiceChess>(&header, Variant::DiceChess, 2);
    assert_eq!(record.games.len(), 1000);
    let mut counts = std::collections::HashMap::new();
    let mut total = 0u32;
    for pair in record.games.chunks(2) {
        assert_eq!(pair[0].dice_seed, pair[1].dice_seed);
        let rolls = |game: &GameRecord| -> Vec<String> {
            game.turns
                .iter()
                .map(|turn| turn.roll.clone().unwrap())
                .collect()
        };
        let (mut long, mut short) = (rolls(&pair[0]), rolls(&pair[1]));
        if long.len() < short.len() {
            std::mem::swap(&mut long, &mut short);
        }
        assert_eq!(long[..short.len()], short[..]);
        for roll in long {
            *counts.entry(Roll::parse(&roll).unwrap()).or_insert(0u32) += 1;
            total += 1;
        }
    }
    let chi_square: f64 = dice::DiceChess::rolls()
        .iter()
        .map(|(roll, weight)| {
            let expected = f64::from(total) * f64::from(*weight) / 216.0;
            let seen = f64::from(counts.get(roll).copied().unwrap_or(0));
            (seen - expected).powi(2) / expected
        })
        .sum();
    println!("{total} rolls, chi-square {chi_square:.1}");
    assert!(total > 10_000);
    assert!(chi_square < 93.2, "{chi_square}");
}

/// The luck of the dice is 0 on average over the rolls, and in a match it explains part of the results.
#[test]
fn luck_is_reckoned_for_dice() {
    let header = Header {
        luck: true,
        max_turns: Some(16),
        ..header(Variant::DiceChess, 2, &["a", "b"])
    };
    let record = play::<dice::DiceChess>(&header, Variant::DiceChess, 2);
    for pair in record.games.chunks(2) {
        assert!(pair.iter().all(|game| game.luck.unwrap().abs() < 10.0));
        assert!(pair.iter().any(|game| game.luck.unwrap() != 0.0));
    }
    let table = Table::new(1).unwrap();
    let start = dice::DiceChess::start(&dice::Options::default());
    let mean: f64 = dice::DiceChess::rolls()
        .iter()
        .map(|&(roll, weight)| {
            luck::luck(&start, roll, &table).unwrap() * f64::from(weight) / 216.0
        })
        .sum();
    assert!(mean.abs() < 1e-9, "{mean}");
    assert!(report(&header, &record.games).contains("Luck-adjusted"));
}
