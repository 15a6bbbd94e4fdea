use super::*;
use crate::core::{Color, Kind, Square};
use crate::eval::dice::value_before_roll;
use crate::rules::dice::random::{Random, playable};
use crate::rules::dice::{Options, Pool, Step, Walker};
use crate::rules::{Notation, Turn, for_each_turn};
use crate::search::control::Control;
use crate::search::limits::Settings;
use crate::search::thread_time;
use ahash::AHashSet;
use std::time::Duration;

const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

fn read(fen: &str) -> DiceChess {
    DiceChess::from_fen(fen, &Options::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

/// The definition: every ordered turn of every roll, without bounds, tables or shared results.
fn mean_over_rolls(position: &DiceChess, depth: u32) -> i32 {
    if position.clock() >= 100 {
        return CERTAIN / 2;
    }
    if depth == 0 {
        return value_before_roll(position);
    }
    let mut sum = 0;
    for &(roll, weight) in DiceChess::rolls() {
        let mut rolled = *position;
        rolled.set_roll(roll);
        sum += i64::from(weight) * i64::from(best_turn(&rolled, depth));
    }
    (sum / 216) as i32
}

fn best_turn(position: &DiceChess, depth: u32) -> i32 {
    let mut best = -1;
    for_each_turn(position, &mut |_, after| {
        best = best.max(if after.winner().is_some() {
            CERTAIN
        } else {
            CERTAIN - mean_over_rolls(after, depth - 1)
        });
    });
    best
}

impl Random {
    /// Two kings and one or two more pieces, so that there are few turns.
    fn sparse(&mut self) -> DiceChess {
        loop {
            let extra = ["P", "p", "N", "b", "Pp", "nP", "Np", "pP"][self.below(8)];
            let board = self.board("Kk".chars().chain(extra.chars()));
            let side = ["w", "b"][self.below(2)];
            let clock = [0, 0, 96, 97, 98, 99][self.below(6)];
            if let Some(position) = playable(&format!("{board} {side} - - {clock} 60")) {
                return position;
            }
        }
    }

    /// Positions that await their roll, from random games.
    fn played(&mut self, turns: usize) -> DiceChess {
        let mut position = DiceChess::start(&Options::default());
        for _ in 0..turns {
            position.set_roll(self.roll());
            let mut after = Vec::new();
            for_each_turn(&position, &mut |_, next| after.push(*next));
            let next = after[self.below(after.len())];
            if next.winner().is_some() {
                return DiceChess::start(&Options::default());
            }
            position = next;
        }
        position
    }
}

/// A search with one thread, and its reports.
fn run(
    position: &DiceChess,
    limits: &Limits<DiceChess>,
    settings: &Settings,
    control: &Control,
) -> (Answer<DiceChess>, Vec<Info<DiceChess>>, Vec<String>) {
    let table = Table::new(1).unwrap();
    let game = Game::new(*position, Options::default());
    let (mut lines, mut messages) = (Vec::new(), Vec::new());
    let answer =
        Searcher::new(&table, settings, control).run(&game, limits, &mut |report| match report {
            Report::Pv(info) => lines.push(info),
            Report::Message(text) => messages.push(text),
            Report::Roll { .. } | Report::Current { .. } => {}
        });
    (answer, lines, messages)
}

fn to_depth(depth: u32) -> Limits<DiceChess> {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

fn is_legal(position: &DiceChess, turn: &[Step]) -> bool {
    let mut legal = false;
    for_each_turn(position, &mut |other, _| legal |= other == turn);
    legal
}

#[test]
fn searched_values_equal_the_definition() {
    let mut random = Random(11);
    let settings = Settings::default();
    let mut positions: Vec<(DiceChess, u32)> = (0..120).map(|_| (random.sparse(), 2)).collect();
    positions.extend((0..100).map(|i| (random.played(i % 40), 1)));
    for (mut position, depth) in positions {
        position.set_roll(random.roll());
        let (answer, ..) = run(&position, &to_depth(depth), &settings, &Control::default());
        let value = best_turn(&position, depth);
        let expected = if position.can_take_king() {
            Score::Mate(1)
        } else {
            Score::Cp(centipawns(value))
        };
        assert_eq!(answer.score, expected, "{}", position.fen());
        let chance = answer.win_chance.unwrap();
        assert!(
            (chance - probability(value)).abs() < 1e-6,
            "{}",
            position.fen()
        );
        // The turn has the value that the search reports.
        let mut after = position;
        for step in answer.best.unwrap() {
            after.play(step);
        }
        if after.winner().is_none() {
            let worth = CERTAIN - mean_over_rolls(&after, depth - 1);
            assert_eq!(worth, value, "{}", position.fen());
        }
    }
}

#[test]
fn chance_nodes_equal_the_definition_to_the_last_unit() {
    let table = Table::new(1).unwrap();
    let control = Control::default();
    let clock = SearchClock::new(&control, Instant::now(), 1, StopConditions::default());
    let mut worker = Worker::new(
        &table,
        &clock,
        0,
        None,
        true,
        None,
        DiceEvaluator::network(None),
    );
    let mut random = Random(12);
    for _ in 0..150 {
        let position = random.sparse();
        let expected = mean_over_rolls(&position, 1);
        let found = worker.chance(&position, 1, -1, CERTAIN + 1);
        assert_eq!(found, expected, "{}", position.fen());
        // Narrow windows give bounds on the correct side.
        table.clear();
        let (alpha, beta) = (expected - 1_000_000, expected - 500_000);
        assert!(worker.chance(&position, 1, alpha, beta) >= beta);
        table.clear();
        let (alpha, beta) = (expected + 500_000, expected + 1_000_000);
        assert!(worker.chance(&position, 1, alpha, beta) <= alpha);
    }
}

/// Number of leaves and value at depth two, for all results of all rolls and without bounds.
fn without_pruning(position: &DiceChess) -> (u64, i32) {
    let results = |position: &DiceChess, walker: &mut Walker, pool: Pool| {
        let mut found = Vec::new();
        walker.start(position);
        walker.results(pool, &mut found);
        found
    };
    let (mut first, mut second) = (Walker::new(), Walker::new());
    let (mut leaves, mut best) = (0, -1);
    for turn in results(position, &mut first, position.pool()) {
        let after = first.position(&turn);
        if after.winner().is_some() {
            return (0, CERTAIN);
        }
        let mut sum = 0;
        for &(roll, weight) in DiceChess::rolls() {
            let mut most = -1;
            for reply in results(&after, &mut second, Pool::of_roll(roll)) {
                leaves += 1;
                let end = second.position(&reply);
                most = most.max(match end.winner() {
                    Some(_) => CERTAIN,
                    None => CERTAIN - value_before_roll(&end),
                });
            }
            sum += i64::from(weight) * i64::from(most);
        }
        best = best.max(CERTAIN - (sum / 216) as i32);
    }
    (leaves, best)
}

#[cfg_attr(not(feature = "networks"), ignore = "needs the networks")]
#[test]
fn bounds_keep_the_value_of_middlegames_and_leave_a_tenth_of_the_leaves() {
    let mut random = Random(13);
    let settings = Settings::default();
    let (mut all, mut visited, mut compared) = (0, 0, 0);
    while compared < 8 {
        let mut position = random.played(8 + 2 * compared);
        position.set_roll(random.roll());
        if position.can_take_king() || position.count_turns() > 300 {
            continue;
        }
        let (leaves, value) = without_pruning(&position);
        if leaves == 0 {
            continue;
        }
        let (answer, ..) = run(&position, &to_depth(2), &settings, &Control::default());
        let chance = answer.win_chance.unwrap();
        assert!(
            (chance - probability(value)).abs() < 1e-6,
            "{}",
            position.fen()
        );
        all += leaves;
        visited += answer.nodes;
        compared += 1;
    }
    eprintln!(
        "{visited} nodes for {all} leaves: {:.4}",
        visited as f64 / all as f64
    );
    assert!(visited * 10 <= all, "{visited} of {all}");
}

#[test]
fn lines_that_are_tried_again_are_turns_of_the_position() {
    let mut random = Random(14);
    let mut walker = Walker::new();
    let (mut found, mut lines) = (Vec::new(), Vec::new());
    let mut possible = 0;
    for n in 0..120 {
        let position = random.played(n % 30);
        walker.start(&position);
        let mut results = Vec::new();
        for (roll, _) in DiceChess::rolls().iter().enumerate() {
            walker.results_of_roll(roll, &mut found);
            let places: AHashSet<u64> =
                found.iter().map(|one| walker.position(one).key()).collect();
            results.push(places);
        }
        // A line that was a turn elsewhere is either none here or leads to a result of a turn.
        for (roll, line) in &lines {
            if let Some(after) = position.after_line(line) {
                possible += 1;
                let known: &AHashSet<u64> = &results[*roll];
                assert!(known.contains(&after.key()), "{} {line:?}", position.fen());
            }
        }
        for (roll, _) in DiceChess::rolls().iter().enumerate() {
            walker.results_of_roll(roll, &mut found);
            if let Some(one) = found.get(random.below(found.len().max(1)))
                && let Some(line) = walker.line(one, Pool::of_roll(DiceChess::rolls()[roll].0))
                && walker.position(one).winner().is_none()
            {
                assert_eq!(position.after_line(&line), Some(walker.position(one)));
                lines.push((roll, line));
            }
        }
        let many = lines.len().saturating_sub(1000);
        lines.drain(..many);
    }
    assert!(possible > 1000, "{possible}");
}

#[test]
fn node_limits_are_exact_and_small_ones_give_a_turn() {
    let position = read(&format!("{KIWIPETE} NBQ"));
    for nodes in [1, 2, 17, 100, 2000] {
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let search = || {
            run(
                &position,
                &limits,
                &Settings::default(),
                &Control::default(),
            )
        };
        let (answer, lines, _) = search();
        assert_eq!(answer.nodes, nodes);
        assert!(is_legal(&position, answer.best.as_ref().unwrap()));
        assert_eq!(lines.last().unwrap().pv[0], answer.best.unwrap());
        assert_eq!(search().0.score, answer.score);
    }
}

#[test]
fn time_limits_and_stop_are_obeyed() {
    let position = read(&format!("{KIWIPETE} NBQ"));
    let limits = Limits {
        movetime: Some(Duration::from_millis(10)),
        ..Limits::default()
    };
    let start = Instant::now();
    let (answer, ..) = run(
        &position,
        &limits,
        &Settings::default(),
        &Control::default(),
    );
    assert!(start.elapsed() >= Duration::from_millis(9));
    // A generous limit: other tests use the processors too.
    assert!(start.elapsed() < Duration::from_secs(2));
    assert!(is_legal(&position, &answer.best.unwrap()));

    let control = Control::default();
    control.stop();
    let limits = Limits {
        infinite: true,
        ..Limits::default()
    };
    let (answer, lines, _) = run(&position, &limits, &Settings::default(), &control);
    assert!(answer.best.is_some() && !lines.is_empty());
}

#[test]
fn a_king_that_can_be_taken_is_taken() {
    let position = read("3kr3/8/4P3/8/8/8/8/K7 w - - 0 1 PPQ");
    let (answer, lines, _) = run(
        &position,
        &to_depth(3),
        &Settings::default(),
        &Control::default(),
    );
    assert_eq!(answer.score, Score::Mate(1));
    assert_eq!(lines.len(), 1);
    assert_eq!(lines[0].wdl, [1000, 0, 0]);
    let must = read("3k4/8/8/8/8/8/8/K2Q4 w - - 0 1 PQ!");
    let (answer, ..) = run(
        &must,
        &to_depth(1),
        &Settings::default(),
        &Control::default(),
    );
    assert_eq!(answer.score, Score::Mate(1));
}

#[test]
fn positions_without_a_turn() {
    let settings = Settings::default();
    let lost = read("8/8/8/8/8/8/8/K7 b - - 0 1");
    let (answer, lines, _) = run(&lost, &to_depth(4), &settings, &Control::default());
    assert_eq!((answer.best, answer.score), (None, Score::Mate(0)));
    assert_eq!((lines.len(), lines[0].depth), (1, 0));

    let awaiting = read(KIWIPETE);
    let (answer, lines, messages) = run(&awaiting, &to_depth(1), &settings, &Control::default());
    assert_eq!(messages, ["no dice given: expectation over all rolls"]);
    assert_eq!((answer.best, lines.len()), (None, 1));
    assert!(lines[0].pv.is_empty());
}

#[test]
fn before_a_roll_each_roll_is_told_and_their_mean_is_the_expectation() {
    let mut random = Random(15);
    for n in 0..6 {
        let (position, depth) = match n {
            0..4 => (random.sparse(), 2),
            _ => (random.played(12), 1),
        };
        let table = Table::new(1).unwrap();
        let game = Game::new(position, Options::default());
        let mut reported = Vec::new();
        let answer = Searcher::new(&table, &Settings::default(), &Control::default()).run(
            &game,
            &to_depth(depth),
            &mut |report| {
                if let Report::Roll {
                    roll,
                    weight,
                    win_chance,
                    turn,
                } = report
                {
                    reported.push((roll, weight, win_chance, turn));
                }
            },
        );
        assert_eq!(reported.len(), 56);
        let mean: f64 = reported.iter().map(|one| f64::from(one.1) * one.2).sum();
        assert!((mean / 216.0 - answer.win_chance.unwrap()).abs() < 1e-6);
        let exact = probability(mean_over_rolls(&position, depth));
        assert!((exact - answer.win_chance.unwrap()).abs() < 1e-6);
        for (roll, _, win_chance, turn) in reported.into_iter().step_by(7) {
            let mut rolled = position;
            rolled.set_roll(roll);
            assert!(is_legal(&rolled, &turn));
            let value = probability(best_turn(&rolled, depth));
            assert!(
                (win_chance - value).abs() < 1e-6,
                "{} {roll}",
                position.fen()
            );
        }
    }
}

#[test]
fn lines_searchmoves_and_threads() {
    let position = read(&format!("{KIWIPETE} PNK"));
    let several = Settings {
        multi_pv: 4,
        ..Settings::default()
    };
    let (_, lines, _) = run(&position, &to_depth(1), &several, &Control::default());
    assert_eq!(lines.len(), 4);
    let values: Vec<_> = lines.iter().map(|line| line.wdl[0]).collect();
    assert!(values.is_sorted_by(|a, b| a >= b));

    let mut turns = Vec::new();
    for_each_turn(&position, &mut |turn, _| turns.push(Turn::from_slice(turn)));
    let wanted = &turns[turns.len() / 2];
    let limits = Limits {
        searchmoves: vec![Turn::from_slice(&wanted[..1])],
        ..to_depth(1)
    };
    let (answer, ..) = run(&position, &limits, &several, &Control::default());
    assert_eq!(answer.best.unwrap()[0], wanted[0]);

    let sparse = read("7k/8/4p3/8/3N4/8/8/K7 w - - 0 1 NKK");
    let threads = Settings {
        threads: 3,
        ..Settings::default()
    };
    let alone = run(
        &sparse,
        &to_depth(2),
        &Settings::default(),
        &Control::default(),
    );
    let together = run(&sparse, &to_depth(2), &threads, &Control::default());
    assert_eq!(alone.0.score, together.0.score);
}

#[test]
fn the_expected_roll_is_weighted() {
    // Only a queen's die captures the king: 91 of 216 throws have one; the rest is a won game by material.
    let position = read("k7/8/8/8/8/8/8/QK6 w - - 0 1");
    assert_eq!(position.king_capture(), 91);
    let value = value_before_roll(&position);
    assert!(value > CERTAIN / 216 * 91);
    assert_eq!(
        position.board().pieces(Color::Black, Kind::King).first(),
        Square::new(0, 7)
    );
}

#[test]
#[ignore = "processor time, of a build with optimisation: cargo test --release -p fauve-engine every_roll_in_time -- --ignored --nocapture"]
fn kiwipete_two_turns_deep_answers_every_roll_in_time() {
    let (mut sum, mut longest) = (Duration::ZERO, Duration::ZERO);
    for &(roll, weight) in DiceChess::rolls() {
        let mut position = read(KIWIPETE);
        position.set_roll(roll);
        let begin = thread_time();
        run(
            &position,
            &to_depth(2),
            &Settings::default(),
            &Control::default(),
        );
        let taken = thread_time().saturating_sub(begin);
        sum += taken * weight;
        longest = longest.max(taken);
    }
    let mean = sum / 216;
    eprintln!("mean {mean:.3?}, longest {longest:.3?}");
    assert!(mean < Duration::from_millis(250) && longest < Duration::from_secs(1));
}
