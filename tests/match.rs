//! The referee: what it plays follows from the settings alone, is recorded whole, and can be checked and counted.

use fauve_engine::Variant;
use fauve_engine::rules::{Switches, chess};
use fauve_engine::search::Engine;
use fauve_protocol::arena::openings::Openings;
use fauve_protocol::arena::record::{FORMAT, GameRecord, Header, Record, Termination};
use fauve_protocol::arena::replay;
use fauve_protocol::arena::schedule::Pairings;
use fauve_protocol::arena::spec::EngineSpec;
use fauve_protocol::arena::tally::Tally;
use fauve_protocol::arena::tournament::{Run, run};

fn header(variant: Variant, rounds: u64, players: &[&str]) -> Header {
    Header {
        format: FORMAT,
        event: "test".to_owned(),
        variant: variant.name().to_owned(),
        rules: Vec::new(),
        engines: players
            .iter()
            .map(|name| {
                EngineSpec::complete(&["proto=random", &format!("name={name}")], &[]).unwrap()
            })
            .collect(),
        pairings: Pairings::RoundRobin,
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
        shard: None,
    }
}

fn play<G: Engine>(header: &Header, variant: Variant, concurrency: usize) -> Record {
    let settings = Run {
        concurrency,
        quiet: true,
        ..Run::default()
    };
    run::<G>(header, variant, &Switches::default(), &settings).unwrap()
}

fn timeless(record: &Record) -> Vec<GameRecord> {
    record
        .games
        .iter()
        .cloned()
        .map(GameRecord::timeless)
        .collect()
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
    for game in &one.games {
        assert_eq!(game.termination, Termination::Rules, "{game:?}");
        replay::verify::<G>(&whole, game, &Switches::default()).unwrap();
    }
    let again = play::<G>(&whole, variant, 3);
    assert_eq!(timeless(&one), timeless(&again));
    let shards = (1..=4)
        .map(|number| {
            let share = Header {
                shard: Some((number, 4)),
                ..whole.clone()
            };
            play::<G>(&share, variant, 1)
        })
        .collect();
    let merged = Record::merge(shards).unwrap();
    assert_eq!(timeless(&one), timeless(&merged));
    assert_eq!(
        Tally::of(&whole, &one.games).report(&whole),
        Tally::of(&whole, &merged.games).report(&whole)
    );
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
