//! Tests of searches aborted inside an iteration: their reports are compared with the finished iterations of a longer
//! search, and their mates with an exhaustive mate search.

use super::mate::{Effort, find_mate};
use super::{
    Answer, Bound, Control, Engine, Info, Limits, Report, Score, Searcher, Settings, StrengthLimit,
    Table,
};
use crate::core::zobrist::splitmix;
use crate::rules::chess::Chess;
use crate::rules::cubes::Cubes4d as Cubes;
use crate::rules::dice::{DiceChess, Options as DiceOptions};
use crate::rules::superchess::Superchess;
use crate::rules::twomove::TwoMove;
use crate::rules::{
    Chance, Game, Notation, Rules, Turn, for_each_turn, legal_steps, position_after, turn_token,
};

/// Maximum number of positions to verify a mate.
const PROOF: u64 = 200_000;
/// Maximum number of positions to verify a mate where turns have two steps and a position has a thousand of them.
const PROOF_STEPS: u64 = 300;

fn game<G: Notation>(fen: &str) -> Option<Game<G>> {
    let options = G::Options::default();
    let position = G::from_fen(fen, &options).ok()?.position;
    Some(Game::new(position, options)).filter(|game| game.outcome().is_none())
}

fn start<G: Notation>() -> Game<G> {
    let options = G::Options::default();
    Game::new(G::start(&options), options)
}

fn limited<G: Rules>(nodes: u64) -> Limits<G> {
    Limits {
        nodes: Some(nodes),
        ..Limits::default()
    }
}

fn lines_of(multi_pv: usize) -> Settings {
    Settings {
        multi_pv,
        ..Settings::default()
    }
}

/// Runs a search with a table of its own; returns its answer and its lines.
fn run<G: Engine>(
    game: &Game<G>,
    limits: &Limits<G>,
    settings: &Settings,
) -> (Answer<G>, Vec<Info<G>>) {
    let table = Table::new(4).unwrap();
    let mut infos = Vec::new();
    let answer =
        Searcher::new(&table, settings, &Control::default()).run(game, limits, &mut |report| {
            if let Report::Pv(info) = report {
                infos.push(info);
            }
        });
    (answer, infos)
}

/// Orders scores for the side to move.
fn rank(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(turns) if turns > 0 => 100_000 - turns,
        Score::Mate(turns) => -100_000 - turns,
    }
}

/// The last report of each line, best first.
fn last_lines<G: Rules>(infos: &[Info<G>]) -> &[Info<G>] {
    let first = infos.iter().rposition(|info| info.multipv == 1);
    &infos[first.expect("a line")..]
}

/// Totals over many searches.
#[derive(Default, Debug)]
struct Tally {
    searches: usize,
    mates: usize,
    undecided: usize,
    false_mates: usize,
    out_of_order: usize,
    without_reply: usize,
    /// Exact values that the iteration of their depth does not have.
    unfounded: usize,
}

impl Tally {
    /// Compares a search that ended after a number of nodes with the finished iterations of a longer one.
    fn look<G: Engine + Notation>(
        &mut self,
        game: &Game<G>,
        nodes: u64,
        settings: &Settings,
        whole: &[Info<G>],
    ) {
        let (answer, infos) = run(game, &limited(nodes), settings);
        let root = game.position();
        let lines = last_lines(&infos);
        let context = || format!("{} nodes {nodes}, {} lines", root.fen(), settings.multi_pv);
        self.searches += 1;
        let best = &lines[0];
        assert_eq!(answer.best.as_ref(), best.pv.first(), "{}", context());
        assert_eq!(answer.ponder.as_ref(), best.pv.get(1), "{}", context());
        assert_eq!(
            (answer.score, answer.bound),
            (best.score, best.bound),
            "{}",
            context()
        );
        let ranks: Vec<_> = lines.iter().map(|line| rank(line.score)).collect();
        if !ranks.iter().rev().is_sorted() {
            self.out_of_order += 1;
            println!("out of order: {ranks:?}: {}", context());
        }
        let mut results: Vec<_> = lines
            .iter()
            .map(|line| position_after(root, &line.pv[0]).key())
            .collect();
        results.sort_unstable();
        results.dedup();
        assert_eq!(
            results.len(),
            lines.len(),
            "a turn has one line: {}",
            context()
        );
        for line in lines {
            self.look_at_line(game, line, whole, &context);
        }
        let ends = |turn: &[G::Step]| {
            let mut after = game.clone();
            for &step in turn {
                after.play(step);
            }
            after.outcome().is_some() || after.position().awaits_roll()
        };
        if best.depth > 1 && best.pv.len() == 1 && !ends(&best.pv[0]) {
            self.without_reply += 1;
            println!("no reply: {}: {best:?}", context());
        }
    }

    fn look_at_line<G: Engine + Notation>(
        &mut self,
        game: &Game<G>,
        line: &Info<G>,
        whole: &[Info<G>],
        context: &dyn Fn() -> String,
    ) {
        let (root, turn) = (game.position(), &line.pv[0]);
        let result = position_after(root, turn).key();
        if let Score::Mate(turns) = line.score {
            self.mates += 1;
            match is_true(game, turn, turns, line) {
                Some(true) => {}
                Some(false) => {
                    self.false_mates += 1;
                    println!(
                        "false mate {turns} by {}: {}",
                        turn_token(root, turn),
                        context()
                    );
                }
                None => self.undecided += 1,
            }
        } else if line.bound == Bound::Exact && line.depth > 0 {
            let is_same = |other: &Info<G>| {
                other.depth == line.depth
                    && other.score == line.score
                    && position_after(root, &other.pv[0]).key() == result
            };
            if !whole.iter().any(is_same) {
                self.unfounded += 1;
                println!("unfounded: {line:?}: {}", context());
            }
        }
    }
}

/// Whether a mate reported for a turn is true; `None` if that takes too long to decide.
fn is_true<G: Engine>(
    game: &Game<G>,
    turn: &Turn<G::Step>,
    turns: i32,
    line: &Info<G>,
) -> Option<bool> {
    let (root, after) = (game.position(), position_after(game.position(), turn));
    let count = turns.unsigned_abs();
    let mover = root.side_to_move();
    if turns > 0 {
        // All replies lead to mate in one turn less.
        let wins = |after: &G| after.winner() == Some(mover);
        if count == 1 {
            return Some(wins(&after) || !after.has_turn() && after.lost_without_turn());
        }
        let mut all = Some(true);
        for_each_turn(&after, &mut |_, next| {
            if all == Some(true) {
                all = mates(next, count - 1, game);
            }
        });
        return all;
    }
    if turns == 0 {
        return Some(false);
    }
    if line.multipv > 1 || line.bound == Bound::Upper {
        return mates(&after, count, game);
    }
    // The side to move is mated: every turn must lose.
    let mut all = Some(true);
    for_each_turn(root, &mut |_, next| {
        if all == Some(true) {
            all = mates(next, count, game);
        }
    });
    all
}

/// Whether the side to move mates in this number of turns, by exhaustive search where that is small, otherwise by a search
/// to the full depth.
fn mates<G: Engine>(position: &G, turns: u32, game: &Game<G>) -> Option<bool> {
    if !position.has_turn() {
        return Some(false);
    }
    for quiet in [0, turns] {
        let effort = Effort {
            turns,
            quiet,
            positions: if G::MAX_STEPS == 1 {
                PROOF
            } else {
                PROOF_STEPS
            },
        };
        if find_mate(position, effort, &[], &Control::default()).is_some() {
            return Some(true);
        }
    }
    if G::MAX_STEPS == 1 && turns <= 2 {
        return Some(false);
    }
    // A search of the full depth, and a little more to make up for pruning.
    let limits = Limits {
        depth: Some(2 * turns + 3),
        nodes: Some(3_000_000),
        ..Limits::default()
    };
    let (answer, infos) = run(
        &Game::new(*position, *game.options()),
        &limits,
        &Settings::default(),
    );
    match answer.score {
        Score::Mate(found) if found > 0 && found as u32 <= turns => Some(true),
        _ if last_lines(&infos)[0].depth > 2 * turns => Some(false),
        _ => None,
    }
}

/// A random position of both kings and a few other pieces; `rest` is the FEN after the side to move.
fn sparse<G: Notation>(letters: &str, rest: &str, seed: u64) -> Option<Game<G>> {
    let mut number = 0;
    let mut below = |end: usize| {
        number += 1;
        (splitmix(seed, number) % end as u64) as usize
    };
    let letters = letters.as_bytes();
    let mut board = [b'1'; 64];
    for n in 0..5 + below(5) {
        let piece = match n {
            0 => b'K',
            1 => b'k',
            _ => letters[below(letters.len())],
        };
        board[below(64)] = piece;
    }
    let ranks: Vec<_> = board
        .chunks(8)
        .map(|rank| String::from_utf8_lossy(rank))
        .collect();
    let side = ["w", "b"][below(2)];
    game(&format!("{} {side} {rest}", ranks.join("/")))
}

/// A position from a game of random turns.
fn played<G: Notation>(start: &Game<G>, seed: u64, steps: u64) -> Option<Game<G>> {
    let mut game = start.clone();
    for n in 0..steps {
        let legal = legal_steps(game.position());
        game.play(*legal.get(splitmix(seed, n) as usize % legal.len().max(1))?);
    }
    while game.position().is_mid_turn() {
        game.play(*legal_steps(game.position()).first()?);
    }
    let position = *game.position();
    Some(Game::new(position, *game.options())).filter(|game| game.outcome().is_none())
}

/// Runs this number of searches of random positions, aborted at random nodes, with one line and with four.
fn storm<G: Engine + Notation>(
    position: impl Fn(u64) -> Option<Game<G>>,
    searches: usize,
    most: u64,
) -> Tally {
    let mut tally = Tally::default();
    let mut seed = 0;
    while tally.searches < searches {
        seed += 1;
        let Some(game) = position(seed) else { continue };
        let settings = lines_of(if seed % 3 == 0 { 4 } else { 1 });
        let (_, whole) = run(&game, &limited(most), &settings);
        for n in 0..4 {
            // As many short searches as long ones.
            let scale = most >> (splitmix(seed, 100 + n) % 10);
            let nodes = 1 + splitmix(seed, 200 + n) % scale.max(2);
            tally.look(&game, nodes.min(most), &settings, &whole);
        }
    }
    println!("{tally:?}");
    assert_eq!(tally.false_mates, 0, "{tally:?}");
    assert_eq!(tally.out_of_order, 0, "{tally:?}");
    assert_eq!(tally.unfounded, 0, "{tally:?}");
    assert_eq!(tally.without_reply, 0, "{tally:?}");
    tally
}

const CHESS: &str = "QRRBNPPqrrbnpp";

fn chess(seed: u64) -> Option<Game<Chess>> {
    match seed % 4 {
        0 => played(&start::<Chess>(), seed, seed % 90),
        _ => sparse(CHESS, "- - 0 1", seed),
    }
}

fn superchess(seed: u64) -> Option<Game<Superchess>> {
    sparse("QRBNPSVAEqrbnpsvae", "- - 0 1", seed)
}

fn twomove(seed: u64) -> Option<Game<TwoMove>> {
    match seed % 4 {
        0 => played(&start::<TwoMove>(), seed, seed % 30),
        _ => sparse(CHESS, "- - 0 1 2", seed),
    }
}

fn cubes(seed: u64) -> Option<Game<Cubes>> {
    let starts = [
        "d10:1111Q1112N/0110221k0p/0201P1011/001G02030P/02021K012B w - Gggq - - 33",
        "d11:001000010/110020020/002N3102n01/01n0010K102/0032P02k010/02110002r0 w - GGQggq - - 73",
        "d11:0000100000/021k022B01n10/0111121011/00011N00000/111021K1000/02G10010210/0001000000 w - GQggq - - 66",
    ];
    played(&game(starts[seed as usize % 3])?, seed, seed % 30)
}

fn dice(seed: u64) -> Option<Game<DiceChess>> {
    let options = DiceOptions::default();
    let mut position = DiceChess::start(&options);
    for n in 0..seed % 20 {
        position.set_roll(roll(seed, n));
        let mut results = Vec::new();
        for_each_turn(&position, &mut |_, after| results.push(*after));
        position = *results.get(splitmix(seed, 50 + n) as usize % results.len().max(1))?;
        if position.winner().is_some() {
            return None;
        }
    }
    position.set_roll(roll(seed, 99));
    Some(Game::new(position, options)).filter(|game| game.outcome().is_none())
}

fn roll(seed: u64, number: u64) -> crate::rules::Roll {
    let rolls = DiceChess::rolls();
    rolls[splitmix(seed, 1000 + number) as usize % rolls.len()].0
}

#[test]
fn chess_reports_true_values_when_aborted() {
    storm(chess, 120, 4000);
}

#[test]
fn superchess_reports_true_values_when_aborted() {
    storm(superchess, 80, 4000);
}

#[test]
fn twomove_reports_true_values_when_aborted() {
    storm(twomove, 60, 6000);
}

#[test]
fn cubes_reports_true_values_when_aborted() {
    storm(cubes, 40, 4000);
}

#[test]
fn dice_reports_true_values_when_aborted() {
    storm(dice, 40, 6000);
}

#[test]
#[ignore = "5,000 searches take minutes"]
fn long_chess_aborted_reports_true_values() {
    storm(chess, 5000, 20_000);
}

#[test]
#[ignore = "5,000 searches take minutes"]
fn long_superchess_aborted_reports_true_values() {
    storm(superchess, 5000, 20_000);
}

#[test]
#[ignore = "5,000 searches take minutes"]
fn long_twomove_aborted_reports_true_values() {
    storm(twomove, 5000, 20_000);
}

#[test]
#[ignore = "5,000 searches take minutes"]
fn long_cubes_aborted_reports_true_values() {
    storm(cubes, 5000, 20_000);
}

#[test]
#[ignore = "5,000 searches take minutes"]
fn long_dice_aborted_reports_true_values() {
    storm(dice, 5000, 20_000);
}

fn check<G: Engine + Notation>(
    fen: &str,
    nodes: u64,
    multi_pv: usize,
) -> (Answer<G>, Vec<Info<G>>) {
    let game = game::<G>(fen).expect("a position");
    let settings = lines_of(multi_pv);
    let (_, whole) = run(&game, &limited(3 * nodes), &settings);
    let mut tally = Tally::default();
    tally.look(&game, nodes, &settings, &whole);
    let Tally {
        false_mates,
        out_of_order,
        unfounded,
        without_reply,
        ..
    } = tally;
    assert_eq!(
        [false_mates, out_of_order, unfounded, without_reply],
        [0; 4],
        "{fen}"
    );
    run(&game, &limited(nodes), &settings)
}

#[test]
fn a_loss_of_the_first_turn_alone_is_not_believed() {
    const LONE: &str = "8/8/3k4/1Ps3v1/2P5/8/8/R3K2R w - - 0 1";
    for nodes in [836, 900, 1000, 1100, 1500] {
        let (answer, _) = check::<Superchess>(LONE, nodes, 1);
        assert!(
            matches!(answer.score, Score::Cp(_)),
            "{nodes}: {:?}",
            answer.score
        );
    }
}

/// The first of two turns loses in the aborted iteration; the other lost in the iteration before.
#[test]
fn a_turn_has_one_line_where_all_lose() {
    const TWO_TURNS: &str = "4K3/1k1v4/8/7v/3P4/5R2/8/3a4[NNBBRQESVnnbbrrqes] w - - 0 1";
    for nodes in (215..400).step_by(12) {
        let (_, infos) = check::<Superchess>(TWO_TURNS, nodes, 4);
        assert_eq!(last_lines(&infos).len(), 2, "{nodes}");
    }
}

#[test]
fn a_turn_that_is_seen_to_lose_at_once_is_not_played() {
    const MATED: &str = "8/3P2K1/8/5P2/NP1pPP2/5k2/2PB1bP1/3R4 b - - 0 1 2";
    for nodes in [30, 100, 200, 300, 400, 1000] {
        let (answer, infos) = check::<TwoMove>(MATED, nodes, 1);
        let game = game::<TwoMove>(MATED).unwrap();
        let turn = turn_token(game.position(), &answer.best.expect("a turn"));
        let is_reported = infos.iter().any(|info| info.score == Score::Mate(-1));
        assert!(!is_reported, "{nodes} nodes: {turn}");
        // The first turn searched allows mate in one, and the iteration has got far enough to see it.
        assert!(nodes < 300 || turn != "f3g2,g2f3", "{nodes} nodes");
    }
}

/// Table values do not depend on the counter of quiet turns: a chain of them once gave a mate of 129 turns at a count of
/// one hundred.
#[test]
fn no_mate_lies_behind_the_draw_by_the_counter() {
    let game = game::<Chess>("8/8/8/3k4/8/8/8/R3K3 w - - 0 1").unwrap();
    let table = Table::new(64).unwrap();
    let mut farthest = 0;
    let mut listen = |report| {
        if let Report::Pv(Info {
            score: Score::Mate(turns),
            ..
        }) = report
        {
            farthest = farthest.max(turns.abs());
        }
    };
    let settings = Settings::default();
    let answer = Searcher::new(&table, &settings, &Control::default()).run(
        &game,
        &limited(2_500_000),
        &mut listen,
    );
    assert!(farthest <= 50, "mate {farthest}");
    assert!(answer.best.is_some());
}

#[test]
fn a_value_outside_the_window_is_reported_as_a_bound_or_not_at_all() {
    let game = start::<TwoMove>();
    let nodes = [3, 4].map(|depth| {
        let depth = Some(depth);
        let limits = Limits {
            depth,
            ..Limits::default()
        };
        let (_, infos) = run(&game, &limits, &lines_of(1));
        infos.last().expect("a line").nodes
    });
    // From the beginning of the fourth iteration to just before its end.
    for hundredth in [1, 20, 40, 80, 90, 99] {
        let limit = nodes[0] + (nodes[1] - nodes[0]) * hundredth / 100;
        let (answer, infos) = run(&game, &limited(limit), &lines_of(1));
        let is_whole = infos.last().is_some_and(|info| info.depth <= 3);
        assert!(
            answer.bound != Bound::Exact || is_whole,
            "{limit}: {:?}",
            infos.last()
        );
    }
}

#[cfg_attr(not(feature = "networks"), ignore = "needs the networks")]
#[test]
fn the_best_known_of_several_lines_is_on_top_and_played() {
    const ENDGAME: &str = "8/5K2/2P5/3k4/8/7r/2B5/8 w - - 0 1";
    for nodes in (1000..6000).step_by(250) {
        let (_, infos) = check::<Chess>(ENDGAME, nodes, 4);
        assert_eq!(last_lines(&infos).len(), 4);
    }
    // The iteration of depth 5 has seen the best turn drop far, and is broken off before its first line is whole: the result of the
    // iteration before is kept.
    let (answer, infos) = check::<Chess>(ENDGAME, 1750, 4);
    let depths: Vec<_> = last_lines(&infos).iter().map(|line| line.depth).collect();
    assert_eq!(answer.score, last_lines(&infos)[0].score);
    assert!(depths.iter().all(|&depth| depth == 4), "{depths:?}");
}

/// A search that overlooks replies reports only the mate on the board.
#[test]
fn a_weakened_search_reports_no_false_mate() {
    let mut reported = 0;
    for seed in 1..700 {
        let Some(game) = sparse::<Chess>(CHESS, "- - 0 1", seed) else {
            continue;
        };
        let strength_limit = StrengthLimit {
            nodes: 2000,
            depth: 400,
            eval_noise: 100,
            blunder_rate: 200,
            caution: 800,
            seed,
        };
        let settings = Settings {
            strength_limit: Some(strength_limit),
            ..Settings::default()
        };
        let (answer, infos) = run(&game, &Limits::default(), &settings);
        for info in &infos {
            match info.score {
                Score::Mate(turns) => {
                    reported += 1;
                    assert_eq!(turns, 1, "{}", game.position().fen());
                    assert_eq!(is_true(&game, &info.pv[0], 1, info), Some(true));
                }
                Score::Cp(cp) => assert!(cp.abs() <= 1000, "{cp}"),
            }
        }
        assert_eq!(Some(answer.score), infos.last().map(|info| info.score));
    }
    println!("{reported} mates reported");
    assert!(reported > 5, "{reported} mates");
}
