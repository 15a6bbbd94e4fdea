//! Records to test with.

use crate::plan::openings::Openings;
use crate::plan::schedule::Pairings;
use crate::player::spec::EngineSpec;
use crate::record::{FORMAT, GameRecord, GameResult, Header, Record, Termination, TurnRecord};

/// A tournament of two players with four games.
pub fn header() -> Header {
    Header {
        format: FORMAT,
        event: "test".to_owned(),
        variant: "chess".to_owned(),
        rules: Vec::new(),
        referee: None,
        engines: ["a", "b"].map(player).to_vec(),
        pairings: Pairings::RoundRobin,
        no_swap: false,
        reverse: false,
        scale: None,
        rounds: 2,
        seed: 1,
        openings: Openings::Start,
        margin: 20,
        stall: 1000,
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

fn player(name: &str) -> EngineSpec {
    EngineSpec::complete(&["proto=random", &format!("name={name}")], &[]).unwrap()
}

/// A game of it.
pub fn game(number: u64) -> GameRecord {
    let (white, black) = if number % 2 == 1 {
        ("a", "b")
    } else {
        ("b", "a")
    };
    GameRecord {
        game: number,
        white: white.to_owned(),
        black: black.to_owned(),
        start: String::new(),
        dice_seed: None,
        turns: vec![TurnRecord::default(); 3],
        result: GameResult::Draw,
        termination: Termination::Rules,
        reason: "é\n".to_owned(),
        luck: Some(0.1),
        stakes: None,
        doubles: Vec::new(),
        scale: None,
        date: String::new(),
    }
}

/// The record of some of its games.
pub fn record(numbers: &[u64]) -> Record {
    Record {
        header: header(),
        games: numbers.iter().copied().map(game).collect(),
    }
}
