//! `DiceChess`: vectors and properties.

use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{
    Notation, Roll, Rules, Switches, for_each_turn, parse_turn, perft, turn_token,
};
use serde::Deserialize;
use std::collections::{BTreeMap, HashSet};

#[derive(Deserialize)]
struct Vectors {
    positions: Vec<Position>,
    single_rolls: Vec<Single>,
}

/// Ordered turns, distinct placements, turns that take the king.
type Counts = (u64, usize, u64);

#[derive(Deserialize)]
struct Position {
    fen: String,
    rolls: BTreeMap<String, Counts>,
    king_capture: u32,
}

#[derive(Deserialize)]
struct Single {
    name: String,
    fen: String,
    roll: String,
    turns: Counts,
}

fn vectors() -> Vectors {
    serde_json::from_str(include_str!("data/dicechess.json")).expect("the vectors are sound")
}

fn read(fen: &str) -> DiceChess {
    DiceChess::from_fen(fen, &Switches::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

fn rolled(fen: &str, roll: &str) -> DiceChess {
    let mut position = read(fen);
    position.set_roll(Roll::parse(roll).expect("a roll"));
    position
}

fn tokens(position: &DiceChess) -> Vec<String> {
    let mut list = Vec::new();
    for_each_turn(position, &mut |turn, _| {
        list.push(turn_token(position, turn));
    });
    list
}

fn placement(position: &DiceChess) -> String {
    position.fen().split(' ').next().unwrap().to_owned()
}

/// The three figures of the vectors, by making every turn.
fn counts(position: &DiceChess) -> Counts {
    let (mut turns, mut kings, mut places) = (0, 0, HashSet::new());
    for_each_turn(position, &mut |_, after| {
        turns += 1;
        kings += u64::from(after.decided().is_some());
        places.insert(placement(after));
    });
    (turns, places.len(), kings)
}

#[test]
fn every_roll_of_the_vectors() {
    for vector in vectors().positions {
        let mut sum = 0;
        for (roll, &expected) in &vector.rolls {
            let position = rolled(&vector.fen, roll);
            assert_eq!(counts(&position), expected, "{} {roll}", vector.fen);
            assert_eq!(position.count_turns(), expected.0, "{} {roll}", vector.fen);
            sum += expected.0;
        }
        assert_eq!(vector.rolls.len(), 56);
        assert_eq!(perft(&read(&vector.fen), 1), sum, "{}", vector.fen);
    }
}

#[test]
fn single_rolls_of_the_vectors() {
    for single in vectors().single_rolls {
        let position = rolled(&single.fen, &single.roll);
        assert_eq!(counts(&position), single.turns, "{}", single.name);
    }
}

#[test]
fn figures_of_the_rules() {
    let start = DiceChess::start(&Switches::default());
    assert_eq!(start.count_turns(), 11_245);
    let (mut placements, mut ordered, mut passes) = (0, 0, 0);
    for &(roll, weight) in DiceChess::rolls() {
        let mut position = start;
        position.set_roll(roll);
        let (turns, places, _) = counts(&position);
        placements += places;
        ordered += u64::from(weight) * turns;
        if tokens(&position) == ["0000"] {
            passes += weight;
        }
    }
    assert_eq!((placements, passes), (3_247, 64));
    assert_eq!((ordered * 1000 + 108) / 216, 138_231);

    let mut only_knights = start;
    only_knights.set_roll(Roll::parse("235").unwrap());
    let mut turns = tokens(&only_knights);
    turns.sort();
    assert_eq!(turns, ["b1a3", "b1c3", "g1f3", "g1h3"]);

    let mut pawn_bishop_king = start;
    pawn_bishop_king.set_roll(Roll::parse("136").unwrap());
    let turns = tokens(&pawn_bishop_king);
    assert_eq!(turns.len(), 30);
    assert!(!turns.iter().any(|turn| turn.starts_with("d2d3,c1d2")));
}

#[test]
fn en_passant_as_a_later_move() {
    for (fen, roll, turn) in [
        (
            "r2q2r1/ppp1nk1p/2B2p2/3p3b/1P1Pp2P/4P2N/PP3P2/RNB4K b - d3",
            "PQQ",
            "d8d6,d6c6,e4d3",
        ),
        (
            "1rNk2nr/1ppp1ppp/4q3/2b5/1n1Pp3/5N2/PPPQPPPP/1RBK1B1R b - d3",
            "PNR",
            "b8c8,e4d3,g8f6",
        ),
    ] {
        let position = rolled(fen, roll);
        let steps = parse_turn(&position, turn).expect(turn);
        assert_eq!(turn_token(&position, &steps), turn);
    }
}

#[test]
fn king_capture_of_the_vectors() {
    for vector in vectors().positions {
        assert_eq!(
            read(&vector.fen).king_capture(),
            vector.king_capture,
            "{}",
            vector.fen
        );
    }
}

/// Rolls in which some turn takes the king, by making every turn.
fn king_capture_by_turns(position: &DiceChess) -> u64 {
    let mut found = 0;
    for (n, &(roll, _)) in DiceChess::rolls().iter().enumerate() {
        let mut position = *position;
        position.set_roll(roll);
        for_each_turn(&position, &mut |_, after| {
            found |= u64::from(after.decided().is_some()) << n;
        });
    }
    found
}

/// A small generator of its own, so that the games of the tests never change.
struct Dice(u64);

impl Dice {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n
    }

    fn roll(&mut self) -> Roll {
        let mut face = || self.below(6) as u8 + 1;
        Roll::new([face(), face(), face()]).unwrap()
    }
}

/// Positions that await their roll, from random games.
fn played_positions(games: usize, seed: u64) -> Vec<DiceChess> {
    let mut dice = Dice(seed);
    let mut positions = Vec::new();
    for _ in 0..games {
        let mut position = DiceChess::start(&Switches::default());
        for _ in 0..60 {
            if position.decided().is_some() {
                break;
            }
            positions.push(position);
            position.set_roll(dice.roll());
            let mut turns = Vec::new();
            for_each_turn(&position, &mut |_, after| turns.push(*after));
            position = turns[dice.below(turns.len())];
        }
    }
    positions
}

#[test]
fn king_capture_equals_the_turns() {
    for position in played_positions(40, 1).iter().step_by(4) {
        assert_eq!(
            position.king_capturing_rolls(position.side_to_move()),
            king_capture_by_turns(position),
            "{}",
            position.fen()
        );
    }
}
