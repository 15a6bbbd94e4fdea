//! `DiceChess`: vectors and properties.

use crate::properties::{keys_differ, keys_equal, random_games};
use fauve_engine::rules::dice::{DiceChess, Options, Walker};
use fauve_engine::rules::{
    Chance, DiceSeed, Field, Notation, Problem, Roll, Rules, for_each_turn, parse_turn, perft,
    turn_san, turn_token,
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
    DiceChess::from_fen(fen, &Options::default())
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
        kings += u64::from(after.winner().is_some());
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
    let start = DiceChess::start(&Options::default());
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
            found |= u64::from(after.winner().is_some()) << n;
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
        let mut position = DiceChess::start(&Options::default());
        for _ in 0..60 {
            if position.winner().is_some() {
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
    for position in played_positions(20, 1).iter().step_by(4) {
        assert_eq!(
            position.king_capturing_rolls(position.side_to_move()),
            king_capture_by_turns(position),
            "{}",
            position.fen()
        );
    }
}

#[test]
fn the_walk_finds_the_results_of_all_turns() {
    let mut positions: Vec<_> = vectors()
        .positions
        .iter()
        .map(|vector| read(&vector.fen))
        .collect();
    positions.extend(
        vectors()
            .single_rolls
            .iter()
            .map(|single| read(&single.fen)),
    );
    positions.extend(played_positions(12, 2).iter().step_by(10));
    let mut walker = Walker::new();
    let mut found = Vec::new();
    for position in &positions {
        walker.start(position);
        for (n, &(roll, _)) in DiceChess::rolls().iter().enumerate() {
            let mut rolled = *position;
            rolled.set_roll(roll);
            let mut expected = BTreeMap::new();
            for_each_turn(&rolled, &mut |_, after| {
                expected.insert(after.key(), *after);
            });
            walker.results_of_roll(n, &mut found);
            let context = format!("{} {roll}", position.fen());
            assert_eq!(found.len(), expected.len(), "{context}");
            for (i, result) in found.iter().enumerate() {
                let after = walker.position(result);
                assert_eq!(expected.get(&after.key()), Some(&after), "{context}");
                if i % 64 == 0 {
                    let mut played = rolled;
                    for step in walker.turn(&rolled, result) {
                        played.play(step);
                    }
                    assert_eq!(played, after, "{context}");
                }
            }
        }
    }
}

#[test]
fn properties_of_random_games() {
    let starts = [
        "startpos",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 -",
        "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1 -",
        "4k3/8/8/8/PpPp4/8/8/4K3 b - a3c3 0 1 -",
    ];
    random_games::<DiceChess>(&Options::default(), &starts, 6, 9);
    let anyhow = Options {
        castle_through_check: true,
        ..Options::default()
    };
    random_games::<DiceChess>(&anyhow, &starts[..2], 3, 9);
}

#[test]
fn keys_tell_what_the_rules_look_at() {
    keys_differ::<DiceChess>(
        &Options::default(),
        &[
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q a3c3 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 w Q - 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b - a3c3 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q a3 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q c3 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q - 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q - 0 1 p",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q - 0 1 k",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q - 0 1 pp",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q - 0 1 ppk",
        ],
    );
    // A step that wastes a die leaves the duty to take the king.
    keys_differ::<DiceChess>(
        &Options::default(),
        &[
            "3k4/8/8/8/8/8/8/K2Q4 w - - 0 1 PQ",
            "3k4/8/8/8/8/8/8/K2Q4 w - - 0 1 PQ!",
        ],
    );
    // An own double step of this turn.
    keys_differ::<DiceChess>(
        &Options::default(),
        &[
            "4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1 PN",
            "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1 PN",
        ],
    );
    keys_equal::<DiceChess>(
        &Options::default(),
        &[
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q a3c3 0 1 -",
            "4k3/8/8/8/PpPp4/8/8/R3K3 b Q a3c3 7 30 -",
        ],
    );
}

#[test]
fn fields_are_read_where_they_stand() {
    let same = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 NRK";
    for spelling in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 krn",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq NKR",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w seed:ff KQkq - NKR 0",
    ] {
        assert_eq!(read(spelling).fen(), same);
    }
    let parse = |fen: &str| DiceChess::from_fen(fen, &Options::default()).unwrap();
    let seeded = parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 - seed:DEADbeef");
    assert_eq!(seeded.seed, Some(DiceSeed(0xdead_beef)));
    assert!(seeded.warnings.is_empty());
    assert_eq!(
        read("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w").fen(),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1 -"
    );
    // What cannot be is dropped, with a word.
    for (fen, kept) in [
        ("4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "w - - 0 1 -"),
        ("4k3/8/8/8/4p3/8/8/4K3 w - e6 0 1", "w - - 0 1 -"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1", "w - - 0 1 -"),
        ("4k3/8/8/8/4P3/8/8/4K3 w - e3 0 1 PNB", "w - - 0 1 PNB"),
        ("8/8/8/8/4P3/8/8/4K3 b - - 0 1 PNB", "b - - 0 1 -"),
    ] {
        let parsed = parse(fen);
        assert!(!parsed.warnings.is_empty(), "{fen}");
        assert!(parsed.position.fen().ends_with(kept), "{fen}");
    }
    // The pawn's start square may be occupied again.
    assert!(
        parse("4k3/8/8/8/4P3/8/4R3/4K3 b - e3 0 1")
            .warnings
            .is_empty()
    );
    // A finished game has no turn.
    let over = read("8/8/8/8/8/8/8/K7 b - - 0 1");
    assert!(over.winner().is_some() && !over.awaits_roll());
    assert_eq!(over.count_turns(), 0);
}

#[test]
fn impossible_positions_are_refused() {
    let fault = |fen: &str| {
        let error = DiceChess::from_fen(fen, &Options::default()).unwrap_err();
        (error.field, error.problem)
    };
    for (fen, field) in [
        ("", Field::Board),
        ("8/8/8/8/8/8/8/8 w - - 0 1", Field::Board),
        ("kk6/8/8/8/8/8/8/K7 w - - 0 1", Field::Board),
        ("k7/8/8/8/8/8/8/K6P w - - 0 1", Field::Board),
        ("pppppppp/pppppppp/8/8/8/8/8/K6k w - - 0 1", Field::Board),
        ("k7/8/8/8/8/8/8/K7", Field::Side),
        ("k7/8/8/8/8/8/8/K7 white", Field::Side),
        ("k7/8/8/8/8/8/8/K7 w - e9", Field::EnPassant),
        ("k7/8/8/8/8/8/8/K7 w - - x 1", Field::Clock),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 PNBR", Field::Dice),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 PN BR", Field::Dice),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 PN!", Field::Dice),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 - seed:xyz", Field::Seed),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 - seed:", Field::Seed),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 seed:1 seed:2", Field::Seed),
        ("k7/8/8/8/8/8/8/K7 w - - 0 1 - what", Field::Position),
    ] {
        assert_eq!(fault(fen).0, field, "{fen}");
    }
    assert_eq!(
        fault("k7/8/8/8/8/8/8/K7 w - - 0 1 PNBR").1,
        Problem::Contradiction("more than three dice")
    );
}

#[test]
fn a_pawn_takes_the_king_on_the_last_rank_in_one_way() {
    let position = rolled("k7/1P6/8/8/8/8/8/K7 w - - 0 1", "PNN");
    let turns = tokens(&position);
    assert!(turns.contains(&"b7a8".to_owned()));
    assert!(!turns.iter().any(|turn| turn.starts_with("b7a8q")));
    for token in ["b7a8", "b7a8q"] {
        let turn = parse_turn(&position, token).unwrap();
        assert_eq!(turn_token(&position, &turn), "b7a8");
        assert_eq!(turn_san(&position, &turn), "bxa8#");
    }
    assert!(parse_turn(&position, "b7a8n").is_err());
    // Only a new knight lets the other dice be used.
    assert!(
        turns
            .iter()
            .all(|turn| turn == "b7a8" || turn.starts_with("b7b8n,"))
    );
}

#[test]
fn castling_spends_two_dice() {
    let fen = "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(tokens(&rolled(fen, "NRK")).contains(&"e1g1".to_owned()));
    assert!(tokens(&rolled(fen, "RRK")).contains(&"e1c1,d1d8".to_owned()));
    assert!(!tokens(&rolled(fen, "NBK")).contains(&"e1g1".to_owned()));
    let attacked = "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1";
    assert!(!tokens(&rolled(attacked, "NRK")).contains(&"e1g1".to_owned()));
    let anyhow = Options {
        castle_through_check: true,
        ..Options::default()
    };
    let mut free = DiceChess::from_fen(attacked, &anyhow).unwrap().position;
    free.set_roll(Roll::parse("NRK").unwrap());
    assert!(tokens(&free).contains(&"e1g1".to_owned()));
    assert_ne!(free.key(), rolled(attacked, "NRK").key());
}

#[test]
fn a_passed_square_counts_until_it_is_entered_or_the_pawn_moves() {
    // The double step is announced during the turn and to the opponent.
    let mut position = rolled("4k3/8/8/8/8/3P4/4P3/4K3 w - - 0 1", "PPP");
    let play = |position: &mut DiceChess, token: &str| {
        let turn = parse_turn(position, token).unwrap_or_else(|error| panic!("{error}"));
        turn.into_iter().for_each(|step| position.play(step));
    };
    play(&mut position, "e2e4");
    assert!(position.fen().ends_with("w - e3 0 1 PP"));
    play(&mut position, "e4e5");
    assert!(position.fen().ends_with("w - - 0 1 P"));
    // Another pawn that comes to the same square cannot be taken.
    let mut position = rolled("4k3/8/8/3p4/8/3P4/4P3/4K3 w - - 0 1", "PPP");
    play(&mut position, "e2e4,e4d5,d3d4");
    assert!(
        position.fen().contains(" b - - 0 1 -"),
        "{}",
        position.fen()
    );
    let mut position = rolled("4k3/8/8/3p1p2/8/3P4/4P3/4K3 w - - 0 1", "PPP");
    play(&mut position, "e2e4,e4f5,d3d4");
    assert!(
        position.fen().contains(" b - - 0 1 -"),
        "{}",
        position.fen()
    );
}

#[test]
fn quiet_turns_are_counted_as_turns() {
    let mut position = rolled("4k3/8/8/8/8/8/P7/N3K3 w - - 41 9", "NNK");
    let turn = parse_turn(&position, "a1b3,b3a1,e1e2").unwrap();
    for (i, &step) in turn.iter().enumerate() {
        position.play(step);
        let dice = ["NK", "K", "-"][i];
        assert!(
            position.fen().ends_with(&format!(" - - 42 9 {dice}")),
            "{}",
            position.fen()
        );
    }
    position.set_roll(Roll::parse("PPP").unwrap());
    assert_eq!(tokens(&position), ["0000"]);
    let pass = parse_turn(&position, "0000").unwrap();
    position.play(pass[0]);
    assert!(
        position.fen().ends_with("w - - 43 10 -"),
        "{}",
        position.fen()
    );
    // A pool that cannot be played is a pass in the middle of a turn, too.
    assert_eq!(tokens(&read("4k3/8/8/8/8/8/8/4K3 w - - 3 9 N")), ["0000"]);
}

#[test]
fn seeded_rolls_are_uniform_and_fixed() {
    let mut counts = BTreeMap::new();
    let games = 400;
    for seed in 0..games {
        for n in 0..540 {
            *counts.entry(DiceSeed(seed).roll(n)).or_insert(0u32) += 1;
        }
    }
    assert_eq!(counts.len(), 56);
    let total = f64::from(games as u32 * 540);
    let chi_square: f64 = counts
        .iter()
        .map(|(roll, &count)| {
            let expected = total * f64::from(roll.weight()) / 216.0;
            (f64::from(count) - expected).powi(2) / expected
        })
        .sum();
    // 55 degrees of freedom: 99.9 % of fair dice stay below 93.2.
    assert!(chi_square < 93.2, "{chi_square}");
    let first: Vec<String> = (0..4).map(|n| DiceSeed(1).roll(n).to_string()).collect();
    // As an implementation in Python computes them from the description.
    assert_eq!(first, ["PRK", "NNB", "PQK", "NQK"]);
}
