//! Mates and the draws of the rules: what is announced is forced whatever was played before, and by whatever counter draws.

use crate::search::game;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes::{Cubes4d as Cubes, Options as CubesOptions};
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::{Options, TwoMove};
use fauve_engine::rules::{
    Game, Notation, Outcome, Rules, Turn, for_each_turn, parse_turn, turn_token,
};
use fauve_engine::search::solve::solve;
use fauve_engine::search::{Answer, Control, Engine, Limits, Score, Searcher, Settings, Table};

fn turns<G: Notation>(position: &G) -> Vec<Turn<G::Step>> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, _| turns.push(Turn::from_slice(turn)));
    turns
}

fn play<G: Engine>(game: &mut Game<G>, turn: &[G::Step]) {
    for &step in turn {
        game.play(step);
    }
}

fn take_back<G: Engine>(game: &mut Game<G>, turn: &[G::Step]) {
    for _ in turn {
        game.undo();
    }
}

/// Whether the side to move wins within this many of its turns whatever is answered, by every rule that can draw.
fn forces<G: Engine>(game: &mut Game<G>, left: u32) -> bool {
    let us = game.position().side_to_move();
    turns(game.position()).iter().any(|turn| {
        play(game, turn);
        let wins = match game.outcome() {
            Some(outcome) => matches!(outcome, Outcome::Win(winner, _) if winner == us),
            None => left > 1 && is_mated(game, left - 1),
        };
        take_back(game, turn);
        wins
    })
}

/// Whether the side to move, which has turns and whose game is not over, is mated whatever it plays.
fn is_mated<G: Engine>(game: &mut Game<G>, left: u32) -> bool {
    turns(game.position()).iter().all(|turn| {
        play(game, turn);
        let mated = game.outcome().is_none() && forces(game, left);
        take_back(game, turn);
        mated
    })
}

/// What brings back the pieces or the cube of a turn.
fn taken_back(token: &str) -> String {
    let back = |step: &str| {
        if let Some((from, to)) = step.split_once('@') {
            return format!("{to}@{from}");
        }
        let half = step.len().div_ceil(2);
        let middle = (1..step.len())
            .find(|&at| step.as_bytes()[at].is_ascii_lowercase())
            .unwrap_or(half);
        let (from, to) = step.split_at(middle);
        format!("{to}{from}")
    };
    let steps: Vec<String> = token.split(',').rev().map(back).collect();
    steps.join(",")
}

/// A game that goes to and fro from a position: each side takes its last turn back when it can, more often than not.
fn to_and_fro<G: Engine>(start: &Game<G>, seed: u64, length: u64) -> Game<G> {
    let mut game = start.clone();
    let mut last = [String::new(), String::new()];
    for n in 0..length {
        let position = *game.position();
        let random = splitmix(seed, n) >> 16;
        let side = position.side_to_move().index();
        let back = (!random.is_multiple_of(4))
            .then(|| parse_turn(&position, &taken_back(&last[side])).ok())
            .flatten();
        let turn = back.unwrap_or_else(|| {
            let all = turns(&position);
            all[(random >> 8) as usize % all.len()].clone()
        });
        let token = turn_token(&position, &turn);
        play(&mut game, &turn);
        if game.outcome().is_some() {
            take_back(&mut game, &turn);
            break;
        }
        last[side] = token;
    }
    game
}

fn think<G: Engine>(game: &Game<G>, limits: &Limits<G>, table: &Table) -> Answer<G> {
    let (settings, control) = (Settings::default(), Control::default());
    Searcher::new(table, &settings, &control).run(game, limits, &mut |_| {})
}

fn nodes<G: Engine>(nodes: u64) -> Limits<G> {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn mate<G: Engine>(turns: u32) -> Limits<G> {
    Limits {
        mate: Some(turns),
        ..Limits::default()
    }
}

/// Searches after each turn of games to and fro, all with one table, and holds what they announce against all play. Says how many mates
/// were announced.
fn hold<G: Engine>(starts: &[Game<G>], seeds: u64, most: u32) -> u32 {
    let mut announced = 0;
    for (start, seed) in starts
        .iter()
        .zip(0..)
        .flat_map(|(start, n)| (0..seeds).map(move |seed| (start, n * 1_000 + seed)))
    {
        let table = Table::new(1).expect("a small table");
        let played = to_and_fro(start, seed, 14);
        let steps: Vec<_> = played.steps().collect();
        let mut game = start.clone();
        for step in std::iter::once(None).chain(steps.into_iter().map(Some)) {
            if let Some(step) = step {
                game.play(step);
            }
            if game.position().is_mid_turn() {
                continue;
            }
            for limits in [nodes(1_500), mate(most)] {
                let asked = limits.mate.is_some();
                if asked && splitmix(seed, game.past().len() as u64) >> 20 & 3 > 0 {
                    continue;
                }
                let answer = think(&game, &limits, &table);
                let told = || {
                    let best = answer.best.as_ref();
                    let best = best.map(|turn| turn_token(game.position(), turn));
                    let fen = start.position().fen();
                    format!("{fen}, seed {seed}, {best:?}, {:?}", answer.score)
                };
                if let Score::Mate(mates @ 1..) = answer.score
                    && mates as u32 <= most
                {
                    announced += 1;
                    assert!(forces(&mut game.clone(), mates as u32), "{}", told());
                    let best = answer.best.clone().expect("a turn");
                    let mut after = game.clone();
                    play(&mut after, &best);
                    let keeps = match after.outcome() {
                        Some(outcome) => matches!(outcome, Outcome::Win(..)),
                        None => is_mated(&mut after, mates as u32 - 1),
                    };
                    assert!(keeps, "{}", told());
                    let sooner = asked && mates > 1 && forces(&mut game.clone(), mates as u32 - 1);
                    assert!(!sooner, "a shorter mate: {}", told());
                } else if asked {
                    assert!(
                        !forces(&mut game.clone(), most),
                        "a mate is there: {}",
                        told()
                    );
                }
            }
        }
    }
    announced
}

fn games<G: Notation>(fens: &[&str]) -> Vec<Game<G>> {
    fens.iter().map(|fen| game(fen)).collect()
}

#[test]
fn mates_of_chess_are_kept_whatever_was_played_before() {
    let starts = games::<Chess>(&[
        "8/8/8/8/8/5k2/7q/5K2 b - - 0 1",
        "7k/8/5K2/8/8/8/8/6R1 w - - 0 1",
        "k7/8/1K6/8/8/8/8/7R w - - 92 60",
        "6k1/8/5K2/8/8/8/8/Q7 w - - 95 60",
        "8/8/8/8/1p6/1k6/7r/K7 b - - 90 60",
    ]);
    let announced = hold(&starts, 8, 2);
    assert!(announced > 100, "{announced}");
}

#[test]
fn mates_of_superchess_are_kept_whatever_was_played_before() {
    let starts = games::<Superchess>(&[
        "7k/8/5K2/8/8/8/8/6E1 w - - 0 1",
        "k7/8/1K6/8/8/8/8/7R w - - 92 60",
        "8/8/8/8/8/2k5/7a/K7 b - - 94 60",
    ]);
    let announced = hold(&starts, 8, 2);
    assert!(announced > 40, "{announced}");
}

#[test]
fn mates_of_two_move_chess_are_kept_whatever_was_played_before() {
    let fens = [
        "7N/8/8/8/8/8/8/k2K4 w - - 0 1 2",
        "8/8/8/8/3k4/8/8/K6n b - - 0 1 2",
        "7N/8/8/8/8/3K4/8/k7 w - - 94 60 2",
    ];
    let mut starts = games::<TwoMove>(&fens);
    for start in games::<TwoMove>(&fens) {
        let options = Options {
            repetition_draw: false,
            ..Options::default()
        };
        starts.push(Game::new(*start.position(), options));
    }
    let announced = hold(&starts, 12, 2);
    assert!(announced > 5, "{announced}");
}

#[test]
fn mates_of_cubes_4d_are_kept_whatever_was_played_before() {
    let starts = games::<Cubes>(&[
        "e10:0k21220/112q110/002120/002232/001221/00210K0 b - - - w2 9",
        "e10:0k21220/112q110/002120/002232/001221/00210K0 b - - - w6 9",
        "f12:03000/003K2r0p/0q2233r/3k3330p/00300/003n00 b - - - w5 9",
    ]);
    let announced = hold(&starts, 8, 3);
    assert!(announced > 20, "{announced}");
}

fn after<G: Engine>(fen: &str, moves: &str) -> Game<G> {
    let mut game = game::<G>(fen);
    for token in moves.split_whitespace() {
        let turn = parse_turn(game.position(), token).expect("a legal turn");
        play(&mut game, &turn);
    }
    game
}

/// The turn that mates soonest runs into a position for the third time; others win as well.
#[test]
fn tables_of_endgames_mind_positions_that_stood_twice() {
    let mut game = after::<TwoMove>(
        "8/8/4k3/8/1K6/8/5N2/8 w - - 0 1 2",
        "b4a5,f2d1 e6e5,e5f6 d1f2,a5b4 f6e5,e5e6 b4a5,f2d1 e6e5,e5f6",
    );
    let table = Table::new(4).expect("a small table");
    let us = game.position().side_to_move();
    // The other side does what draws, where it can, and else what the search finds.
    while game.outcome().is_none() {
        let draws = turns(game.position()).into_iter().find(|turn| {
            let mut drawn = game.clone();
            play(&mut drawn, turn);
            matches!(drawn.outcome(), Some(Outcome::Draw(_)))
        });
        let theirs = game.position().side_to_move() != us;
        let turn = match draws {
            Some(turn) if theirs => turn,
            _ => think(&game, &nodes(20_000), &table).best.expect("a turn"),
        };
        play(&mut game, &turn);
    }
    let outcome = game.outcome();
    assert!(
        matches!(outcome, Some(Outcome::Win(winner, _)) if winner == us),
        "{outcome:?}"
    );
}

/// Of the counter of quiet turns and repetition each counts without the other.
#[test]
fn quiet_turns_draw_where_repetition_does_not() {
    let start = game::<TwoMove>("8/8/1k6/2pP1N2/5N2/8/8/3K4 w - - 98 60 2");
    for repetition_draw in [true, false] {
        let options = Options {
            repetition_draw,
            ..Options::default()
        };
        let game = Game::new(*start.position(), options);
        let table = Table::new(1).expect("a small table");
        for limits in [nodes(20_000), mate(2)] {
            let answer = think(&game, &limits, &table);
            if let Score::Mate(mates @ 1..) = answer.score {
                let best = answer.best.expect("a turn");
                let mut after = game.clone();
                play(&mut after, &best);
                assert!(
                    mates > 2 || is_mated(&mut after, mates as u32 - 1),
                    "{best:?}"
                );
            }
        }
    }
}

#[test]
fn a_mate_by_quiet_turns_that_is_shorter_than_one_by_checks_is_announced() {
    let game = game::<Chess>("5N2/4P3/8/2P1KPPk/8/3N4/p7/6NN w - - 0 1");
    let table = Table::new(4).expect("a small table");
    assert_eq!(think(&game, &mate(4), &table).score, Score::Mate(3));
}

#[test]
fn a_search_for_a_mate_that_is_not_there_ends_with_the_turn_and_score_of_a_search() {
    let table = Table::new(4).expect("a small table");
    let start = game::<Chess>("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    let answer = think(&start, &mate(2), &table);
    assert!(answer.best.is_some() && matches!(answer.score, Score::Cp(_)));
    let cubes = Game::new(
        Cubes::start(&CubesOptions::default()),
        CubesOptions::default(),
    );
    assert!(matches!(
        think(&cubes, &mate(2), &table).score,
        Score::Cp(_)
    ));
    let dame = game::<Superchess>("4k3/8/8/8/8/8/8/R3K3[] w - - 0 1");
    assert!(matches!(think(&dame, &mate(3), &table).score, Score::Cp(_)));
    let two = game::<TwoMove>("8/8/4k3/8/1K6/8/5N2/8 w - - 0 1 2");
    assert!(think(&two, &mate(1), &table).best.is_some());
}

/// Among turns that are named, and beside other lines, the question has an answer as well.
#[test]
fn a_mate_is_looked_for_among_the_turns_that_are_allowed() {
    let game = game::<Chess>("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
    let table = Table::new(1).expect("a small table");
    let allowed = |token: &str| Limits {
        searchmoves: vec![parse_turn(game.position(), token).expect("a turn")],
        ..mate(1)
    };
    assert_eq!(think(&game, &allowed("a1a8"), &table).score, Score::Mate(1));
    assert!(matches!(
        think(&game, &allowed("a1a7"), &table).score,
        Score::Cp(_)
    ));
    let settings = Settings {
        multi_pv: 3,
        ..Settings::default()
    };
    let answer =
        Searcher::new(&table, &settings, &Control::default()).run(&game, &mate(2), &mut |_| {});
    assert_eq!(answer.score, Score::Mate(1));
}

/// The King has resisted nine moves and the next one draws, unless it mates.
#[test]
fn problems_know_the_resistance_of_a_lone_king() {
    let keys = |count: u8| {
        let fen = format!("f12:03000/003K2r0p/0q2233r/3k3330p/00300/003n00 b - - - w{count} 9");
        let position = *game::<Cubes>(&fen).position();
        solve(&position, 2, &Control::default()).keys.len()
    };
    assert_eq!(keys(9), 0);
    assert_eq!(keys(8), 1, "the mate goes before the draw");
}
