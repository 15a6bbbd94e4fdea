//! The search of two-move chess: turns that commute, mates.

use crate::search::{depth, random_game, start};
use fauve_engine::core::{Move, StepList};
use fauve_engine::eval::SleepSets;
use fauve_engine::rules::twomove::{Options, TwoMove};
use fauve_engine::rules::{Game, Notation, Rules, Turn, for_each_turn, parse_turn, turn_token};
use fauve_engine::search::mate::{Effort, Mate, find_mate};
use fauve_engine::search::policy::{Exact, Policy};
use fauve_engine::search::solve::solve;
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use std::collections::HashSet;

fn after(position: &TwoMove, step: Move) -> TwoMove {
    let mut next = *position;
    next.play(step);
    next
}

fn steps(position: &TwoMove) -> StepList<Move> {
    let mut steps = StepList::new();
    position.generate(&mut steps);
    steps
}

/// Checks every turn that is left out, and counts: the turns that are kept, all of them, and the positions that they reach.
fn check_commuting(position: &TwoMove) -> [usize; 3] {
    let mut counts = [0; 3];
    let mut reached = HashSet::new();
    let mut kept = HashSet::new();
    let mut earlier: Vec<Move> = Vec::new();
    for first in steps(position) {
        let half = after(position, first);
        if !half.is_mid_turn() {
            return [0; 3];
        }
        let all = steps(&half);
        let mut new = all.clone();
        if position.may_commute(first) {
            half.drop_commuting(first, &earlier, &mut new);
        }
        for second in &all {
            let end = after(&half, *second);
            reached.insert(end.key());
            if new.contains(second) {
                kept.insert(end.key());
                continue;
            }
            let other = after(position, *second);
            let turn = format!("{first},{second} in {}", position.fen());
            assert!(
                earlier.contains(second) && steps(&other).contains(&first),
                "{turn}"
            );
            assert_eq!(after(&other, first), end, "{turn}");
        }
        counts[0] += new.len();
        counts[1] += all.len();
        if position.may_commute(first) {
            earlier.push(first);
        }
    }
    assert_eq!(kept, reached, "{}", position.fen());
    counts[2] = reached.len();
    counts
}

/// Positions with castling, captures in passing, promotions, lines that are opened and ways that are given.
const VARIED: [&str; 6] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 5 2",
    "r3k2r/pppppppp/8/8/8/8/PPPPPPPP/R3K2R w KQkq - 0 5 2",
    "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1 2",
    "4k3/8/8/3pPp2/8/8/PPPPP1PP/R3K2R w KQ d6f6 0 9 2",
    "8/5pk1/3p4/1P5r/1R3p2/8/1K2P1P1/8 w - - 0 1 2",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2",
];

#[test]
fn turns_left_out_are_searched_in_the_other_order() {
    let mut sums = [0; 3];
    let mut add = |position: &TwoMove| {
        for (sum, count) in sums.iter_mut().zip(check_commuting(position)) {
            *sum += count;
        }
    };
    for fen in VARIED {
        let parsed = TwoMove::from_fen(fen, &Options::default()).expect(fen);
        add(&parsed.position);
        for_each_turn(&parsed.position, &mut |_, next| {
            if next.key() % 16 == 0 {
                add(next);
            }
        });
    }
    for seed in 0..400 {
        let game = random_game::<TwoMove>(&start(), seed, 3 + seed % 90);
        if !game.position().is_mid_turn() {
            add(game.position());
        }
    }
    let [kept, all, reached] = sums;
    // Nearly half of all turns, and nearly all that can be left out.
    assert!(all > 100_000, "{sums:?}");
    assert!(20 * kept < 13 * all, "{sums:?}");
    assert!(10 * (kept - reached) < 4 * (all - reached), "{sums:?}");
}

/// Three turns from the start: how many are searched without bounds.
#[test]
fn commuting_turns_from_the_start() {
    fn walk(position: &TwoMove, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut earlier = Vec::new();
        let mut count = 0;
        for first in steps(position) {
            let half = after(position, first);
            if !half.is_mid_turn() {
                count += walk(&half, depth - 1);
                continue;
            }
            let mut new = steps(&half);
            if position.may_commute(first) {
                half.drop_commuting(first, &earlier, &mut new);
                earlier.push(first);
            }
            for second in new {
                count += walk(&after(&half, second), depth - 1);
            }
        }
        count
    }
    assert_eq!(walk(&TwoMove::start(&Options::default()), 3), 1_380_447);
}

struct BothOrders;

impl Policy for BothOrders {
    const EXACT: bool = true;
    const SLEEP_SETS: bool = false;
}

/// The value of a search to a fixed depth, and the nodes that it took.
fn value<P: Policy>(game: &Game<TwoMove>, turns: u32, table: &Table) -> (Score, u64) {
    let (settings, control) = (Settings::default(), Control::default());
    let answer = Searcher::new(table, &settings, &control).run_with::<_, P>(
        game,
        &depth(turns),
        &mut |_| {},
    );
    (answer.score, answer.nodes)
}

fn commuting_keeps_the_value(positions: u64, turns: u32) {
    let table = Table::new(16).expect("a small table");
    let (mut nodes, mut all) = (0, 0);
    for seed in 0..positions {
        let game = random_game::<TwoMove>(&start(), seed, 3 + seed % 90);
        table.clear();
        let (expected, more) = value::<BothOrders>(&game, turns, &table);
        table.clear();
        let (found, fewer) = value::<Exact>(&game, turns, &table);
        let fen = game.position().fen();
        assert_eq!(found, expected, "{fen}");
        // Once more, with what the table knows now.
        assert_eq!(value::<Exact>(&game, turns, &table).0, expected, "{fen}");
        nodes += fewer;
        all += more;
    }
    println!("{positions} positions, {turns} turns: {nodes} nodes, {all} with both orders");
    assert!(nodes < all, "{nodes} nodes, {all} with both orders");
}

#[test]
fn commuting_keeps_the_value_of_the_search() {
    commuting_keeps_the_value(150, 1);
    commuting_keeps_the_value(150, 2);
}

/// Whether the attacker, to move, mates within this many turns: the definition, every turn of both sides.
pub fn mates_within(position: &TwoMove, turns: u32) -> bool {
    let mut mates = false;
    for_each_turn(position, &mut |_, after| {
        mates = mates || is_mated_within(after, turns - 1);
    });
    mates
}

fn is_mated_within(position: &TwoMove, turns: u32) -> bool {
    if !position.has_turn() {
        return position.lost_without_turn();
    }
    // Whoever is not in check is not mated at once.
    if turns == 0 {
        return false;
    }
    let mut escapes = false;
    for_each_turn(position, &mut |_, after| {
        escapes = escapes || !mates_within(after, turns);
    });
    !escapes
}

fn read(fen: &str) -> TwoMove {
    TwoMove::from_fen(fen, &Options::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

fn after_turn(position: &TwoMove, turn: &[Move]) -> TwoMove {
    turn.iter()
        .fold(*position, |position, step| after(&position, *step))
}

/// Checks that a line is legal and ends with mate, and its keys by brute force as far as it reaches.
fn check_mate(position: &TwoMove, mate: &Mate<Move>) {
    assert_eq!(mate.line.len() as u32, 2 * mate.turns - 1);
    let mut now = *position;
    for turn in &mate.line {
        let text = turn_token(&now, turn);
        let legal = parse_turn(&now, &text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
        assert_eq!(legal, *turn);
        now = after_turn(&now, turn);
    }
    assert!(!now.has_turn() && now.lost_without_turn());
}

#[test]
fn mates_by_checks_are_true() {
    check_mates_by_checks(0..200, [3, 0]);
}

#[test]
#[ignore = "600 positions: cargo test -- --ignored long_"]
fn long_mates_by_checks_are_true() {
    check_mates_by_checks(0..600, [10, 3]);
}

/// Mates by checks on positions of random games, against brute force: what is found is true and shortest, and a mate in one is
/// always found. More than `enough` are mates in one and two.
fn check_mates_by_checks(seeds: std::ops::Range<u64>, enough: [usize; 2]) {
    let effort = Effort {
        turns: 2,
        quiet: 0,
        positions: 3_000,
    };
    let mut found = [0; 3];
    for seed in seeds {
        let game = random_game::<TwoMove>(&start(), seed, 9 + 2 * (seed % 45));
        let position = *game.position();
        if position.is_mid_turn() {
            continue;
        }
        let at_once = mates_within(&position, 1);
        let mate = find_mate(&position, effort, &[], &Control::default());
        let turns = mate.as_ref().map_or(0, |mate| mate.turns);
        assert_eq!(turns == 1, at_once, "{}", position.fen());
        if let Some(mate) = &mate {
            check_mate(&position, mate);
            if turns == 2 && found[2] < 8 {
                let end = after_turn(&position, &mate.line[0]);
                assert!(is_mated_within(&end, 1), "{}", position.fen());
            }
        }
        found[turns as usize] += 1;
    }
    assert!(found[1] > enough[0] && found[2] > enough[1], "{found:?}");
}

/// Mates from own games, each with the turns that the shortest takes, and with 0 middlegames without a mate in two: positions
/// that `twomove_mates make 1` has found.
fn own_games() -> impl Iterator<Item = (TwoMove, u32)> {
    include_str!("data/twomove-mates.epd").lines().map(|line| {
        let (fen, mate) = line.split_once(" dm ").expect(line);
        let turns = mate.trim_end_matches(';').parse().expect(line);
        (read(fen), turns)
    })
}

/// Mates of every n-th position: found as long as they are, with a line that ends so; brute force where it is quick.
fn check_mates_of_own_games(one_of: usize, longest: u32) {
    let effort = Effort {
        turns: 4,
        quiet: 0,
        positions: 100_000,
    };
    let mates = own_games().filter(|&(_, turns)| (1..=longest).contains(&turns));
    for (position, turns) in mates.step_by(one_of) {
        let fen = position.fen();
        let mate = find_mate(&position, effort, &[], &Control::default()).expect(&fen);
        assert_eq!(mate.turns, turns, "{fen}");
        check_mate(&position, &mate);
        if turns == 2 {
            assert!(!mates_within(&position, 1), "{fen}");
            assert!(
                is_mated_within(&after_turn(&position, &mate.line[0]), 1),
                "{fen}"
            );
        }
    }
}

#[test]
fn mates_of_own_games_are_found() {
    let mut counts = [0; 5];
    own_games().for_each(|(_, turns)| counts[turns as usize] += 1);
    let short: u32 = counts[1..4].iter().sum();
    assert!(
        counts[0] >= 100 && short >= 500 && counts[3] >= 100 && counts[4] >= 50,
        "{counts:?}"
    );
    check_mates_of_own_games(50, 3);
}

#[test]
#[ignore = "550 mates: cargo test -- --ignored long_"]
fn long_mates_of_own_games_are_found() {
    check_mates_of_own_games(1, 4);
}

/// The solver's word against brute force, which the file was made with.
fn check_middlegames_without_a_mate(one_of: usize) {
    for (position, _) in own_games().filter(|&(_, turns)| turns == 0).step_by(one_of) {
        let solution = solve(&position, 2, &Control::default());
        assert!(
            solution.keys.is_empty() && !solution.stopped,
            "{}",
            position.fen()
        );
        let mut turns = 0;
        for_each_turn(&position, &mut |_, _| turns += 1);
        assert_eq!(solution.tries.len(), turns, "{}", position.fen());
        // An answer that is said to stop a mate does.
        for (turn, answer) in solution.tries.iter().step_by(50) {
            let Some(answer) = answer else { continue };
            let end = after_turn(&after_turn(&position, turn), answer);
            assert!(!mates_within(&end, 1), "{}", position.fen());
        }
    }
}

#[test]
fn no_mate_in_two_is_proven() {
    check_middlegames_without_a_mate(20);
}

#[test]
#[ignore = "100 positions: cargo test -- --ignored long_"]
fn long_no_mate_in_two_is_proven() {
    check_middlegames_without_a_mate(1);
}

/// The problem solver against brute force: keys of mates in one, and that there is no mate in two where there is none.
#[test]
fn solutions_are_complete() {
    let mut none = 0;
    for seed in 0..40 {
        let game = random_game::<TwoMove>(&start(), 77 + seed, 25 + seed % 30);
        let position = *game.position();
        if position.is_mid_turn() {
            continue;
        }
        let solution = solve(&position, 1, &Control::default());
        let mut keys = Vec::new();
        for_each_turn(&position, &mut |turn, end| {
            if is_mated_within(end, 0) {
                keys.push(Turn::from_slice(turn));
            }
        });
        assert_eq!(solution.keys, keys, "{}", position.fen());
        if seed < 3 && keys.is_empty() {
            let mates = !solve(&position, 2, &Control::default()).keys.is_empty();
            assert_eq!(mates, mates_within(&position, 2), "{}", position.fen());
            none += u32::from(!mates);
        }
    }
    assert!(none > 0);
}

#[test]
fn the_shortest_mate_has_two_keys_and_two_orders_of_each() {
    let position = read("rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2");
    let solution = solve(&position, 1, &Control::default());
    let mut keys: Vec<_> = solution
        .keys
        .iter()
        .map(|key| turn_token(&position, key))
        .collect();
    keys.sort();
    assert_eq!(keys, ["d1h5,f1b5", "d1h5,f1c4", "f1b5,d1h5", "f1c4,d1h5"]);
}

/// `go mate` and ordinary searches say so, and their lines end with mate.
#[test]
fn searches_tell_mates_by_checks() {
    let mut tried = 0;
    for seed in 0..200 {
        let game = random_game::<TwoMove>(&start(), seed, 9 + 2 * (seed % 45));
        let effort = Effort {
            turns: 2,
            quiet: 0,
            positions: 100,
        };
        let Some(mate) = find_mate(game.position(), effort, &[], &Control::default()) else {
            continue;
        };
        if game.position().is_mid_turn() || mate.turns < 2 || tried == 4 {
            continue;
        }
        let limits = Limits {
            mate: Some(mate.turns),
            nodes: Some(200_000),
            ..Limits::default()
        };
        let table = Table::new(4).expect("a small table");
        let (settings, control) = (Settings::default(), Control::default());
        let answer = Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
        assert_eq!(
            answer.score,
            Score::Mate(mate.turns as i32),
            "{}",
            game.position().fen()
        );
        tried += 1;
    }
    assert!(tried > 1, "{tried}");
}
