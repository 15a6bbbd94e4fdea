//! The searches against brute force, and what every search promises: limits, reports, principal variations.

use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::eval::Evaluate;
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes::{Cubes4d as Cubes, PATTERN_DRAW};
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{
    Chance, DrawReason, Game, Notation, Outcome, Rules, Turn, legal_steps, parse_turn, turn_token,
};
use fauve_engine::search::mate::{Effort, find_mate};
use fauve_engine::search::policy::{Exact, Full, Policy};
use fauve_engine::search::value::{EVAL_LIMIT, ILLEGAL, INFINITE, MATE, score};
use fauve_engine::search::{
    Answer, Bound, Clock, Control, Engine, Info, Limits, Report, Score, Searchable, Searcher,
    Settings, Table,
};
use fauve_engine::strength_scales::StrengthScale;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

/// A game with the given position and the default options.
pub fn game<G: Notation>(fen: &str) -> Game<G> {
    let options = G::Options::default();
    let parsed = G::from_fen(fen, &options).unwrap_or_else(|error| panic!("{fen}: {error}"));
    Game::new(parsed.position, options)
}

pub fn start<G: Notation>() -> Game<G> {
    let options = G::Options::default();
    Game::new(G::start(&options), options)
}

pub fn depth<G: Rules>(depth: u32) -> Limits<G> {
    Limits {
        depth: Some(depth),
        ..Limits::default()
    }
}

pub fn nodes<G: Rules>(nodes: u64) -> Limits<G> {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

/// Searches with a fresh small table and collects the principal variations that were reported.
fn run<G: Searchable + Engine>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
) -> (Answer<G>, Vec<Info<G>>) {
    let table = Table::new(4).unwrap();
    let control = Control::default();
    let mut infos = Vec::new();
    let answer = Searcher::new(&table, settings, &control).run(game, limits, &mut |report| {
        if let Report::Pv(info) = report {
            infos.push(info);
        }
    });
    (answer, infos)
}

/// The value to full depth by the definition alone: no window, no table, no order.
fn minimax<G: Searchable>(game: &mut Game<G>, depth: u32, ply: usize) -> i32 {
    let position = *game.position();
    let mated = ply as i32 - MATE;
    if !position.is_mid_turn() {
        if ply > 0 {
            let options = *game.options();
            if position.is_dead(&options) {
                return 0;
            }
            if position.count_draw().is_some() || position.clock_draw(&options).is_some() {
                let lost = !position.has_turn() && position.lost_without_turn();
                return if lost { mated } else { 0 };
            }
            let drawn = [DrawReason::Repetition, PATTERN_DRAW];
            if position.reversible_turns(&options) >= 4
                && drawn.map(Outcome::Draw).map(Some).contains(&game.outcome())
            {
                return 0;
            }
        }
        if depth == 0 {
            return position.evaluate().clamp(-EVAL_LIMIT, EVAL_LIMIT);
        }
    }
    let mut best = -INFINITE;
    for step in legal_steps(&position) {
        game.play(step);
        let next = *game.position();
        let (depth, ply) = if next.is_mid_turn() {
            (depth, ply)
        } else {
            (depth - 1, ply + 1)
        };
        let value = minimax(game, depth, ply);
        let value = if next.side_to_move() == position.side_to_move() {
            value
        } else {
            -value
        };
        game.undo();
        best = best.max(value);
    }
    if best > -INFINITE {
        best
    } else if position.is_mid_turn() {
        ILLEGAL
    } else if position.lost_without_turn() {
        mated
    } else {
        0
    }
}

/// A game of up to `steps` random steps (of dice or not) that stops where it is over.
pub fn random_game<G: Notation>(start: &Game<G>, seed: u64, steps: u64) -> Game<G> {
    let mut game = start.clone();
    for n in 0..steps {
        let legal = legal_steps(game.position());
        let Some(&step) = legal.get(splitmix(seed, n) as usize % legal.len().max(1)) else {
            break;
        };
        game.play(step);
        if game.outcome().is_some() {
            game.undo();
            break;
        }
    }
    game
}

fn plain_value<G: Searchable>(game: &Game<G>, depth_limit: u32, table: &Table) -> Score {
    let control = Control::default();
    let settings = Settings::default();
    let limits = depth(depth_limit);
    Searcher::new(table, &settings, &control)
        .run_with::<G, Exact>(game, &limits, &mut |_| {})
        .score
}

/// Compares the plain search with brute force on positions of random games, each with a cleared and a warm table.
fn agrees_with_minimax<G: Searchable + Engine>(start: &Game<G>, plan: &[(u32, u64, u64)]) {
    let table = Table::new(2).unwrap();
    for &(depth, positions, longest) in plan {
        for seed in 0..positions {
            let seed = seed * 7919 + u64::from(depth);
            let mut game = random_game(start, seed, splitmix(seed, 99) % longest);
            let expected = score(minimax(&mut game, depth, 0));
            table.clear();
            let fen = game.position().fen();
            assert_eq!(plain_value(&game, depth, &table), expected, "{fen} {depth}");
            assert_eq!(
                plain_value(&game, depth, &table),
                expected,
                "{fen} depth {depth}, warm table"
            );
        }
    }
}

#[test]
fn chess_equals_minimax() {
    agrees_with_minimax::<Chess>(&start(), &[(1, 120, 160), (2, 120, 160), (3, 30, 160)]);
    // Endgames reach depth, draws and mates.
    for fen in [
        "8/8/8/8/8/2k5/7r/K7 w - - 0 1",
        "8/P7/8/8/8/1k6/6p1/K7 w - - 0 1",
        "4k3/8/8/8/8/8/4P3/4K2R w K - 94 80",
    ] {
        agrees_with_minimax::<Chess>(&game(fen), &[(3, 30, 20), (4, 15, 20)]);
    }
}

/// A Superchess array with all four superpieces, and an endgame in which promotion depends on the pool.
const SUPERCHESS: [&str; 2] = [
    "rnveksar/pppppppp/8/8/8/8/PPPPPPPP/RNVEKSAR[QBBNqbbn] w KQkq - 0 1",
    "4k3/PP6/8/8/2n5/8/5ppp/4K3[Nn] w - - 0 1",
];

#[test]
fn superchess_equals_minimax() {
    agrees_with_minimax::<Superchess>(&game(SUPERCHESS[0]), &[(1, 150, 120), (2, 120, 120)]);
    agrees_with_minimax::<Superchess>(&game(SUPERCHESS[1]), &[(3, 40, 20)]);
}

#[test]
fn two_move_chess_equals_minimax() {
    agrees_with_minimax::<TwoMove>(&start(), &[(1, 300, 120)]);
    for fen in [
        "8/8/8/6k1/8/8/2p5/K6N w - - 0 1",
        "4k3/7p/8/8/8/8/P7/4K3 w - - 97 80",
    ] {
        agrees_with_minimax::<TwoMove>(&game(fen), &[(1, 20, 10), (2, 20, 10)]);
    }
}

/// The Cubes 4D arrangement with the lateral pawns on the right.
const CUBES: &str =
    "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1";

#[test]
fn cubes_equals_minimax() {
    agrees_with_minimax::<Cubes>(&start(), &[(1, 20, 80)]);
    agrees_with_minimax::<Cubes>(&game(CUBES), &[(1, 80, 120), (2, 80, 120)]);
    // An open middlegame, and a lone King near his draw.
    let open = "e10:21n1k1112b/0p1p11g120/2r20120N1/0P101P011/21N11K1G12B w - GQgq - - 1";
    agrees_with_minimax::<Cubes>(&game(open), &[(1, 30, 20), (2, 30, 20)]);
    let lone = "e10:2111k112/0111110/2110112/0111110/2R1Q11K112 w - - - b8 1";
    agrees_with_minimax::<Cubes>(&game(lone), &[(3, 10, 3)]);
}

/// The fewest own turns in which the side to move mates, up to `turns`, by trying everything.
fn shortest_mate<G: Rules>(position: &G, turns: u32) -> Option<u32> {
    (1..=turns).find(|&n| mates_within(position, n))
}

fn mates_within<G: Rules>(position: &G, turns: u32) -> bool {
    turns > 0
        && legal_steps(position).into_iter().any(|step| {
            let mut next = *position;
            next.play(step);
            if next.is_mid_turn() {
                mates_within(&next, turns)
            } else {
                is_mated_within(&next, turns - 1)
            }
        })
}

fn is_mated_within<G: Rules>(position: &G, turns: u32) -> bool {
    let steps = legal_steps(position);
    if steps.is_empty() {
        return position.is_mid_turn() || position.lost_without_turn();
    }
    turns > 0
        && steps.into_iter().all(|step| {
            let mut next = *position;
            next.play(step);
            if next.is_mid_turn() {
                is_mated_within(&next, turns)
            } else {
                mates_within(&next, turns)
            }
        })
}

#[test]
fn chess_mates_are_true_and_found() {
    check_chess_mates(0..300, 4);
}

#[test]
#[ignore = "1,500 positions: cargo test -- --ignored long_"]
fn long_chess_mates_are_true_and_found() {
    check_chess_mates(0..1500, 20);
}

/// The search of full strength finds the shortest mates of random positions, and never claims one that is not there; more than
/// `enough` of them have a mate in one.
fn check_chess_mates(seeds: std::ops::Range<u64>, enough: usize) {
    let mut found = 0;
    for seed in seeds {
        let game = random_game::<Chess>(&start(), seed, 30 + seed % 90);
        let position = game.position();
        let (answer, infos) = run(&game, &nodes(3000), &Settings::default());
        if let Score::Mate(turns @ 1..=2) = answer.score {
            let truth = shortest_mate(position, 2);
            assert!(
                truth.is_some_and(|truth| truth as i32 <= turns),
                "{} mate {turns}: {truth:?}",
                position.fen()
            );
            let pv = &infos.last().unwrap().pv;
            assert_eq!(pv.len() as i32, 2 * turns - 1, "{}", position.fen());
        }
        if shortest_mate(position, 1).is_some() {
            assert_eq!(answer.score, Score::Mate(1), "{}", position.fen());
            found += 1;
        }
    }
    assert!(found > enough, "{found} positions with a mate in one");
}

/// With quiet turns allowed the search for mates finds one wherever there is one, and nowhere else.
fn check_proofs<G: Chance + Notation>(start: &Game<G>, seeds: std::ops::Range<u64>, enough: usize) {
    let effort = Effort {
        turns: 2,
        quiet: 1,
        positions: u64::MAX,
    };
    let (mut quiet, mut found) = (0, 0);
    for seed in seeds {
        let game = random_game(start, seed, seed % 9);
        let position = game.position();
        let mate = find_mate(position, effort, &[], &Control::default());
        let truth = shortest_mate(position, 2);
        assert_eq!(mate.is_some(), truth.is_some(), "{}", position.fen());
        let Some(mate) = mate else { continue };
        assert!(truth.is_some_and(|truth| truth <= mate.turns));
        found += 1;
        let checks = find_mate(
            position,
            Effort { quiet: 0, ..effort },
            &[],
            &Control::default(),
        );
        assert!(checks.is_none_or(|checks| Some(checks.turns) == truth));
        let mut after = *position;
        mate.line[0].iter().for_each(|&step| after.play(step));
        quiet += usize::from(!after.in_check());
        assert!(is_mated_within(&after, 1), "{}", position.fen());
    }
    assert!(
        found > enough && quiet > 0,
        "{found}, {quiet} of them begin quietly"
    );
}

#[test]
fn mates_with_quiet_turns_are_found_exactly_where_they_are() {
    let chess = "k7/7p/2K5/8/8/8/7P/2Q4R w - - 0 1";
    check_proofs::<Chess>(&game(chess), 0..400, 40);
    let superchess = "k7/7p/2K5/8/8/8/7P/2V4E[NNnn] w - - 0 1";
    check_proofs::<Superchess>(&game(superchess), 0..400, 40);
}

/// Problems with the number of turns to mate.
const MATES: [(&str, u32); 8] = [
    (
        "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4",
        1,
    ),
    ("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
    ("8/8/8/8/8/1k6/3q4/K7 b - - 0 1", 1),
    ("6k1/5ppp/8/8/8/8/r4PPP/1R4K1 w - - 0 1", 1),
    ("7k/8/5K2/8/8/8/8/6R1 w - - 0 1", 2),
    ("8/8/8/8/8/3k4/r7/3K4 b - - 0 1", 3),
    ("k7/8/2K5/8/8/8/8/1Q6 w - - 0 1", 1),
    ("8/8/8/3k4/8/3K4/8/6Q1 w - - 0 1", 9),
];

#[test]
fn chess_mate_problems() {
    for (fen, turns) in MATES {
        let game = game::<Chess>(fen);
        if turns <= 2 {
            assert_eq!(shortest_mate(game.position(), turns), Some(turns), "{fen}");
        }
        let limits = Limits {
            mate: Some(turns),
            depth: Some(40),
            ..Limits::default()
        };
        let (answer, infos) = run(&game, &limits, &Settings::default());
        let Score::Mate(found) = answer.score else {
            panic!("{fen}: {:?}", answer.score);
        };
        assert!((1..=turns as i32).contains(&found), "{fen}: mate {found}");
        let last = infos.last().unwrap();
        let end = check_line(&game, &last.pv);
        assert!(
            matches!(end.outcome(), Some(Outcome::Win(..))),
            "{fen}: the line must end in mate"
        );
        assert_eq!(last.pv.len(), 2 * found as usize - 1);
    }
}

/// Plays a line and panics where it is not legal.
fn check_line<G: Notation>(game: &Game<G>, pv: &[Turn<G::Step>]) -> Game<G> {
    let mut game = game.clone();
    for (i, turn) in pv.iter().enumerate() {
        assert!(i == 0 || game.outcome().is_none(), "beyond the end: {pv:?}");
        for &step in turn {
            assert!(legal_steps(game.position()).contains(&step), "{pv:?}");
            game.play(step);
        }
        assert!(!game.position().is_mid_turn(), "whole turns only: {pv:?}");
    }
    game
}

/// What every search promises, whatever its limits.
fn check_search<G: Searchable + Engine>(game: &Game<G>, limits: &Limits<G>, settings: &Settings) {
    let (answer, infos) = run(game, limits, settings);
    let fen = game.position().fen();
    assert!(!infos.is_empty(), "{fen}: at least one line");
    // Each line has its own depth; the last ones may be those of an iteration that was broken off, and older ones.
    let last = infos.iter().rposition(|info| info.multipv == 1);
    let (whole, last) = infos.split_at(last.expect("a first line"));
    let depths: Vec<_> = whole.iter().map(|info| info.depth).collect();
    assert!(depths.is_sorted(), "{fen}: depths {depths:?}");
    let depths: Vec<_> = last.iter().map(|info| info.depth).collect();
    assert!(
        depths.iter().all(|depth| depth.abs_diff(depths[0]) <= 1),
        "{fen}: {depths:?}"
    );
    for info in &infos {
        assert!(!info.pv.is_empty(), "{fen}: {info:?}");
        check_line(game, &info.pv);
        assert_eq!(info.wdl.iter().sum::<u16>(), 1000);
    }
    let last = &last[0];
    assert_eq!(answer.bound, last.bound, "{fen}");
    assert_eq!(answer.best.as_ref(), last.pv.first(), "{fen}");
    assert_eq!(answer.ponder.as_ref(), last.pv.get(1), "{fen}");
    assert_eq!(answer.score, last.score, "{fen}");
    if let Some(limit) = limits.nodes {
        assert!(answer.nodes <= limit, "{fen}: {} nodes", answer.nodes);
    }
}

/// Searches of all kinds from positions of random games.
fn keeps_its_promises<G: Searchable + Engine>(start: &Game<G>, games: u64, deep: u32) {
    for seed in 0..games {
        let game = random_game(start, seed, splitmix(seed, 5) % 80);
        if game.outcome().is_some() {
            continue;
        }
        for limit in [1, 2, 30, 700, 4000] {
            let settings = Settings {
                multi_pv: 1 + (seed % 4) as usize,
                ..Settings::default()
            };
            check_search(&game, &nodes(limit), &settings);
        }
        let settings = Settings {
            strength_limit: Some(
                StrengthScale::of(Variant::Superchess)
                    .strength_limit(100 * (seed % 23) as u32, seed),
            ),
            ..Settings::default()
        };
        check_search(&game, &depth(deep), &settings);
        let settings = Settings {
            threads: 2,
            ..Settings::default()
        };
        check_search(&game, &depth(deep), &settings);
    }
}

#[test]
fn superchess_searches_keep_their_promises() {
    keeps_its_promises::<Superchess>(&start(), 20, 3);
    keeps_its_promises::<Superchess>(&game(SUPERCHESS[0]), 20, 3);
    node_limits_are_exact::<Superchess>(&game(SUPERCHESS[0]), 4);
    multi_pv::<Superchess, Full>(&game(SUPERCHESS[0]), 4, 4);
    multi_pv::<Superchess, Exact>(&game(SUPERCHESS[0]), 4, 2);
    searchmoves::<Superchess>(&start(), &["A@f1"]);
}

#[test]
fn cubes_searches_keep_their_promises() {
    keeps_its_promises::<Cubes>(&start(), 20, 2);
    node_limits_are_exact::<Cubes>(&game(CUBES), 3);
    multi_pv::<Cubes, Full>(&game(CUBES), 4, 3);
    multi_pv::<Cubes, Exact>(&game(CUBES), 4, 2);
    searchmoves::<Cubes>(&game(CUBES), &["g7g8", "h7h8"]);
}

#[test]
fn two_move_searches_keep_their_promises() {
    keeps_its_promises::<TwoMove>(&start(), 30, 1);
    node_limits_are_exact::<TwoMove>(&start(), 1);
    let game = game("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3");
    multi_pv::<TwoMove, Full>(&game, 4, 1);
    multi_pv::<TwoMove, Exact>(&game, 4, 1);
    searchmoves::<TwoMove>(&game, &["f3g1", "a2a3,b2b3"]);
}

#[test]
fn chess_searches_keep_their_promises() {
    keeps_its_promises::<Chess>(&start(), 60, 3);
    keeps_its_promises::<Chess>(&game("8/8/8/8/8/2k5/7r/K7 b - - 0 1"), 20, 3);
}

/// A node limit is met to the node, and the same search gives the same answer.
fn node_limits_are_exact<G: Searchable + Engine>(game: &Game<G>, deep: u32) {
    for limit in [1, 2, 3, 17, 100, 1000, 9_999, 30_001] {
        let (first, _) = run(game, &nodes(limit), &Settings::default());
        let (second, _) = run(game, &nodes(limit), &Settings::default());
        assert_eq!(first.nodes, limit);
        assert_eq!(first.best, second.best);
        assert_eq!(first.score, second.score);
    }
    let (first, _) = run(game, &depth(deep), &Settings::default());
    let (second, _) = run(game, &depth(deep), &Settings::default());
    assert_eq!(first.nodes, second.nodes);
}

#[test]
fn chess_node_limits_are_exact() {
    node_limits_are_exact::<Chess>(&start(), 4);
    node_limits_are_exact::<Chess>(
        &game("r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"),
        4,
    );
}

/// Several lines: different turns, best first, the first as good as a single line to the same depth.
fn multi_pv<G: Searchable + Notation, P: Policy>(game: &Game<G>, count: usize, to_depth: u32) {
    let settings = Settings {
        multi_pv: count,
        ..Settings::default()
    };
    let table = Table::new(4).unwrap();
    let control = Control::default();
    let mut infos = Vec::new();
    let limits = depth(to_depth);
    Searcher::new(&table, &settings, &control).run_with::<G, P>(game, &limits, &mut |report| {
        if let Report::Pv(info) = report {
            infos.push(info);
        }
    });
    let last = &infos[infos.len() - count..];
    assert!(last.iter().all(|info| info.depth == to_depth));
    assert!(last.iter().zip(1..).all(|(info, n)| info.multipv == n));
    let value = |info: &Info<G>| match info.score {
        Score::Cp(cp) => cp,
        Score::Mate(n) => n.signum() * (30_000 - n.abs()),
    };
    assert!(last.is_sorted_by(|a, b| value(a) >= value(b)));
    for (i, info) in last.iter().enumerate() {
        assert!(last[..i].iter().all(|other| other.pv[0] != info.pv[0]));
    }
    table.clear();
    let one = Settings::default();
    let single = Searcher::new(&table, &one, &control).run_with::<G, P>(game, &limits, &mut |_| {});
    if P::EXACT {
        assert_eq!(single.score, last[0].score);
    }
}

#[test]
fn chess_multi_pv() {
    multi_pv::<Chess, Exact>(&start(), 5, 3);
    multi_pv::<Chess, Full>(&start(), 20, 6);
    multi_pv::<Chess, Full>(&game(MATES[1].0), 3, 6);
}

#[test]
fn more_lines_than_turns() {
    let game = game::<Chess>("8/8/8/8/8/2k5/7r/K7 w - - 0 1");
    let settings = Settings {
        multi_pv: 10,
        ..Settings::default()
    };
    let (_, infos) = run(&game, &depth(4), &settings);
    assert_eq!(infos.iter().map(|info| info.multipv).max(), Some(1));
}

/// `searchmoves` with a turn (or its first steps): the answer begins with it.
fn searchmoves<G: Searchable + Engine>(game: &Game<G>, prefixes: &[&str]) {
    let parse = |token: &&str| parse_turn(game.position(), token).unwrap();
    let limits = Limits {
        searchmoves: prefixes.iter().map(parse).collect(),
        depth: Some(1 + 2 / G::MAX_STEPS as u32),
        ..Limits::default()
    };
    for limits in [
        limits.clone(),
        Limits {
            nodes: Some(1),
            ..limits
        },
    ] {
        let (answer, infos) = run(game, &limits, &Settings::default());
        let best = turn_token(game.position(), &answer.best.unwrap());
        assert!(
            prefixes.iter().any(|prefix| best.starts_with(prefix)),
            "{best} is none of {prefixes:?}"
        );
        assert!(!infos.is_empty());
    }
}

#[test]
fn chess_searchmoves() {
    searchmoves::<Chess>(&start(), &["a2a3"]);
    searchmoves::<Chess>(&start(), &["h2h4", "g1h3"]);
    // The mate is forbidden.
    let game = game::<Chess>(MATES[0].0);
    searchmoves::<Chess>(&game, &["a2a3", "b1c3"]);
}

/// Positions without a turn to give: one report, depth 0, no turn.
fn is_over<G: Searchable + Engine>(fen: &str, expected: Score) {
    let (answer, infos) = run(&game::<G>(fen), &depth(5), &Settings::default());
    assert_eq!(infos.len(), 1, "{fen}");
    assert_eq!((infos[0].depth, infos[0].score), (0, expected), "{fen}");
    assert!(infos[0].pv.is_empty());
    assert_eq!((answer.best, answer.ponder), (None, None), "{fen}");
}

#[test]
fn chess_positions_that_are_over() {
    is_over::<Chess>("7k/5KQ1/8/8/8/8/8/8 b - - 0 1", Score::Mate(0));
    is_over::<Chess>("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", Score::Cp(0));
}

/// The program that runs the game may not know that the position is dead, and expects a turn.
#[test]
fn dead_roots_get_a_turn() {
    fn check<G: Searchable + Engine>(fen: &str) {
        let game = game::<G>(fen);
        let dead = Some(Outcome::Draw(DrawReason::DeadPosition));
        assert_eq!(game.outcome(), dead, "{fen}");
        for limits in [depth(3), nodes(1), nodes(1000)] {
            check_search(&game, &limits, &Settings::default());
            let (answer, infos) = run(&game, &limits, &Settings::default());
            assert!(answer.best.is_some(), "{fen}");
            assert_eq!(answer.score, Score::Cp(0), "{fen}");
            assert!(infos.iter().all(|info| info.score == Score::Cp(0)), "{fen}");
        }
    }
    check::<Chess>("7k/5K2/8/8/8/8/8/8 b - - 0 1");
    check::<Chess>("4k3/8/8/8/8/8/4B3/4K3 w - - 0 1");
    check::<Superchess>("4k3/8/8/8/8/8/4N3/4K3 w - - 0 1");
    check::<TwoMove>("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2");
}

/// A counter that has run out, and a threefold repetition, still get a turn.
#[test]
fn drawn_roots_get_a_turn() {
    check_search(
        &game::<Chess>("4k3/8/8/8/8/8/4P3/4K2R w K - 100 80"),
        &depth(3),
        &Settings::default(),
    );
    let mut repeated = start::<Chess>();
    for token in ["g1f3", "g8f6", "f3g1", "f6g8"].repeat(2) {
        let turn = parse_turn(repeated.position(), token).unwrap();
        repeated.play(turn[0]);
    }
    assert!(repeated.outcome().is_some());
    check_search(&repeated, &depth(3), &Settings::default());
}

#[test]
fn a_repetition_saves_a_lost_game() {
    // White is a rook down, about to be mated, and has a perpetual check.
    let game = game::<Chess>("7k/5p1p/8/6Q1/8/8/1qr5/7K w - - 0 1");
    let (answer, _) = run(&game, &depth(10), &Settings::default());
    assert_eq!(answer.score, Score::Cp(0));
    assert_eq!(turn_token(game.position(), &answer.best.unwrap()), "g5d8");
}

/// A search that other threads steer.
struct Steered {
    answered: Duration,
    released: Duration,
    answer: Answer<Chess>,
    reports: usize,
}

fn steer(
    game: &Game<Chess>,
    limits: &Limits<Chess>,
    settings: &Settings,
    after: Duration,
    act: impl FnOnce(&Control) + Send,
) -> Steered {
    let (table, control) = (Table::new(4).unwrap(), Control::default());
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let steering = scope.spawn(|| {
            std::thread::sleep(after);
            let released = begin.elapsed();
            act(&control);
            released
        });
        let mut reports = 0;
        let answer = Searcher::new(&table, settings, &control).run(game, limits, &mut |_| {
            reports += 1;
        });
        let answered = begin.elapsed();
        Steered {
            answered,
            released: steering.join().unwrap(),
            answer,
            reports,
        }
    })
}

/// Generous, because the machines that run tests are busy.
const SLACK: Duration = Duration::from_millis(150);

#[test]
fn stop_is_obeyed_at_once() {
    for threads in [1, 2] {
        let settings = Settings {
            threads,
            ..Settings::default()
        };
        let run = steer(
            &start(),
            &Limits::default(),
            &settings,
            Duration::from_millis(60),
            Control::stop,
        );
        assert!(run.answered >= run.released && run.answered < run.released + SLACK);
        assert!(run.answer.best.is_some());
    }
}

#[test]
fn a_search_that_is_stopped_before_it_begins_answers() {
    let control = Control::default();
    control.stop();
    let mut reports = 0;
    let table = Table::new(1).unwrap();
    let game = start::<Chess>();
    let limits = Limits::default();
    let settings = Settings::default();
    let answer = Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {
        reports += 1;
    });
    assert_eq!(reports, 1);
    assert!(answer.best.is_some());
}

#[test]
fn infinite_and_ponder_keep_the_answer_back() {
    let pause = Duration::from_millis(80);
    let settings = Settings::default();
    let mated = game::<Chess>("7k/5KQ1/8/8/8/8/8/8 b - - 0 1");
    let clock = Clock {
        left: Duration::from_millis(400),
        increment: Duration::ZERO,
        turns_to_go: None,
    };
    let infinite = Limits {
        infinite: true,
        depth: Some(2),
        ..Limits::default()
    };
    let ponder = Limits {
        ponder: true,
        depth: Some(2),
        clock: Some(clock),
        ..Limits::default()
    };
    for game in [start(), mated] {
        let run = steer(&game, &infinite, &settings, pause, Control::stop);
        assert!(run.answered >= run.released && run.reports >= 1);
        let run = steer(&game, &ponder, &settings, pause, Control::ponder_hit);
        assert!(run.answered >= run.released && run.answered < run.released + SLACK);
        let run = steer(&game, &ponder, &settings, pause, Control::stop);
        assert!(run.answered >= run.released && run.answered < run.released + SLACK);
    }
    // The clock begins with the hit.
    let ponder = Limits {
        depth: None,
        ..ponder
    };
    let run = steer(
        &start(),
        &ponder,
        &settings,
        Duration::from_millis(500),
        Control::ponder_hit,
    );
    assert!(run.answered >= run.released && run.answered < run.released + 400 * SLACK / 150);
}

/// Many more threads than processors: the clock must not wait for any one of them. Before it was watched from the start
/// this took seconds; other tests run beside this one, hence the slack.
#[test]
fn many_threads_keep_the_time() {
    fn check<G: Searchable + Engine>(game: &Game<G>) {
        let settings = Settings {
            threads: 128,
            ..Settings::default()
        };
        let wanted = Duration::from_millis(200);
        let limits = Limits {
            movetime: Some(wanted),
            ..Limits::default()
        };
        let begin = Instant::now();
        let (answer, _) = run(game, &limits, &settings);
        let used = begin.elapsed();
        assert!(answer.best.is_some());
        assert!(used >= wanted && used < wanted + 4 * SLACK, "{used:?}");
    }
    check::<Chess>(&start());
    check::<Cubes>(&start());
}

/// A panic of the thread that reports ends the search of the other threads, which else would keep the caller waiting.
#[test]
fn a_panic_ends_the_threads_of_a_search() {
    fn check<G: Engine>(game: &Game<G>) {
        let settings = Settings {
            threads: 3,
            ..Settings::default()
        };
        let limits = Limits {
            movetime: Some(Duration::from_mins(1)),
            ..Limits::default()
        };
        let table = Table::new(4).unwrap();
        let control = Control::default();
        let begin = Instant::now();
        let search = || {
            Searcher::new(&table, &settings, &control).run(game, &limits, &mut |report| {
                if let Report::Pv(info) = report {
                    assert!(info.depth < 3, "on purpose");
                }
            })
        };
        assert!(catch_unwind(AssertUnwindSafe(search)).is_err());
        assert!(begin.elapsed() < Duration::from_secs(30));
    }
    check(&start::<Chess>());
    check(&start::<TwoMove>());
    let rolled = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB";
    check(&game::<DiceChess>(rolled));
}

/// An iteration ends when one of the threads has finished it; the lines that are reported are those of whole iterations all the same.
#[test]
fn many_threads_finish_iterations_together() {
    fn check<G: Searchable + Engine>(game: &Game<G>, multi_pv: usize) {
        let settings = Settings {
            threads: 4,
            multi_pv,
            ..Settings::default()
        };
        let (answer, infos) = run(game, &depth(7), &settings);
        let firsts: Vec<_> = infos.iter().filter(|info| info.multipv == 1).collect();
        assert!(
            firsts.windows(2).all(|pair| pair[0].depth < pair[1].depth),
            "{:?}",
            infos.iter().map(|info| info.depth).collect::<Vec<_>>()
        );
        let last = firsts.last().expect("a report");
        assert_eq!((last.depth, last.bound), (7, Bound::Exact));
        assert_eq!(
            (answer.best.as_ref(), answer.score),
            (last.pv.first(), last.score)
        );
        let lines: Vec<_> = infos.iter().filter(|info| info.depth == 7).collect();
        assert_eq!(lines.len(), multi_pv);
        for (n, line) in lines.iter().enumerate() {
            assert_eq!(line.multipv, n + 1);
            assert!(lines[..n].iter().all(|other| other.pv[0] != line.pv[0]));
        }
    }
    for multi_pv in [1, 2] {
        check::<Chess>(&start(), multi_pv);
        check::<Cubes>(&start(), multi_pv);
    }
}

#[test]
fn times_are_kept() {
    let timed = |limits: Limits<Chess>| {
        let begin = Instant::now();
        let (answer, _) = run(&start(), &limits, &Settings::default());
        assert!(answer.best.is_some());
        begin.elapsed()
    };
    let wanted = Duration::from_millis(120);
    let movetime = timed(Limits {
        movetime: Some(wanted),
        ..Limits::default()
    });
    assert!(
        movetime >= wanted && movetime < wanted + SLACK,
        "{movetime:?}"
    );
    for (left, increment) in [(0, 0), (1, 0), (15, 0), (100, 10), (600, 0)] {
        let clock = Clock {
            left: Duration::from_millis(left),
            increment: Duration::from_millis(increment),
            turns_to_go: None,
        };
        let used = timed(Limits {
            clock: Some(clock),
            ..Limits::default()
        });
        assert!(used < clock.left + SLACK, "{used:?} of {left} ms");
    }
}

/// A line of a search of a prologue: its turns as one text, and what it says they are worth in centipawns.
fn prologue_lines(game: &Game<Superchess>, settings: &Settings) -> Vec<(String, i32)> {
    let table = Table::new(1).unwrap();
    let mut lines = Vec::new();
    let answer = Searcher::new(&table, settings, &Control::default()).run(
        game,
        &Limits::default(),
        &mut |report| {
            if let Report::Pv(info) = report {
                let mut position = *game.position();
                let mut tokens = Vec::new();
                for turn in &info.pv {
                    tokens.push(turn_token(&position, turn));
                    turn.iter().for_each(|&step| position.play(step));
                }
                assert!(position.array().is_some(), "{tokens:?}");
                let Score::Cp(value) = info.score else {
                    panic!("{:?}", info.score)
                };
                let same = position.side_to_move() == game.position().side_to_move();
                let array = position.evaluate();
                assert_eq!(value, if same { array } else { -array }, "{tokens:?}");
                lines.push((tokens.join(" "), value));
            }
        },
    );
    let best = turn_token(game.position(), &answer.best.unwrap());
    assert!(lines[0].0.starts_with(&best), "{best} {lines:?}");
    assert_eq!(Score::Cp(lines[0].1), answer.score);
    lines
}

#[test]
fn the_prologue_is_played_by_the_static_values_of_its_arrays() {
    let settings = |multi_pv, seed| Settings {
        multi_pv,
        seed,
        ..Settings::default()
    };
    let mut game = start::<Superchess>();
    let all = prologue_lines(&game, &settings(100, 0));
    assert_eq!(all.len(), 12);
    assert!(all.is_sorted_by(|a, b| a.1 >= b.1), "{all:?}");
    // What a turn is worth is what its best reply leaves, down to the array.
    for turns_left in (1..4).rev() {
        let (line, score) = prologue_lines(&game, &settings(1, 0)).remove(0);
        let turn = parse_turn(game.position(), line.split(' ').next().unwrap()).unwrap();
        game.play(turn[0]);
        let (rest, reply) = prologue_lines(&game, &settings(1, 0)).remove(0);
        assert_eq!(rest.split(' ').count(), turns_left);
        assert_eq!(score, -reply, "{line}, {rest}");
    }
    // Seeds choose among the best only, and not always the same.
    let game = start::<Superchess>();
    let chosen: Vec<_> = (1..40)
        .map(|seed| prologue_lines(&game, &settings(1, seed)).remove(0))
        .collect();
    let near = |line: &(String, i32)| line.1 >= all[0].1 - 10;
    assert!(chosen.iter().all(near), "{chosen:?}");
    let good = all.iter().filter(|line| near(line)).count();
    assert!(good < 2 || chosen.iter().any(|line| *line != chosen[0]));
    // Several lines are sorted whatever the seed.
    for seed in 1..10 {
        assert_eq!(prologue_lines(&game, &settings(3, seed)), all[..3]);
    }
}

/// Forced mates in 2 to 5 from own games, found exhaustively by `fauve solve` and checked by Fairy-Stockfish. The slowest takes a third
/// of a second.
#[test]
fn mates_with_superpieces_are_found() {
    let lines = include_str!("data/superchess-mates.epd").lines();
    let found = |line: &str| {
        let (fen, operations) = line.split_once(" bm ").expect(line);
        let (keys, rest) = operations.split_once("; dm ").expect(line);
        let turns: u32 = rest.trim_end_matches(';').parse().expect(line);
        let game = game::<Superchess>(&format!("{fen} 0 1"));
        let limits = Limits {
            mate: Some(turns),
            ..nodes(200_000)
        };
        let (answer, _) = run(&game, &limits, &Settings::default());
        let best = answer.best.expect(line);
        let token = turn_token(game.position(), &best);
        answer.score == Score::Mate(turns as i32) && keys.split(' ').any(|key| key == token)
    };
    let (solved, failed): (Vec<_>, Vec<_>) = lines.partition(|line| found(line));
    assert_eq!(solved.len() + failed.len(), 110);
    assert!(failed.is_empty(), "{failed:#?}");
}

/// Games of the engine with itself from endgames in which one side has nothing but its King, with few nodes a turn: they end in mate.
#[test]
fn lone_kings_are_mated() {
    fn is_mated<G: Searchable + Engine + Notation>(fen: &str) -> bool {
        let mut game = game::<G>(fen);
        let (table, settings, control) = (
            Table::new(1).expect("a small table"),
            Settings::default(),
            Control::default(),
        );
        while game.outcome().is_none() {
            let answer =
                Searcher::new(&table, &settings, &control).run(&game, &nodes(3_000), &mut |_| {});
            for step in answer.best.expect("a turn") {
                game.play(step);
            }
        }
        matches!(game.outcome(), Some(Outcome::Win(Color::White, _)))
    }
    for pieces in ["Q6", "R6", "BB5", "NB5"] {
        let fen = format!("8/8/8/3k4/8/8/8/{pieces}K w - - 0 1");
        assert!(is_mated::<Chess>(&fen), "{fen}");
    }
    for piece in ["V", "S", "E", "A"] {
        let fen = format!("8/8/8/3k4/8/8/8/{piece}6K w - - 0 1");
        assert!(is_mated::<Superchess>(&fen), "{fen}");
    }
}
