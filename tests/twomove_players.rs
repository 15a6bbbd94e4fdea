//! Two-move chess against players that anybody would write first.
//!
//! `cargo test --release --test integration -- --ignored --nocapture twomove_players` plays the long matches, 50 ms of processor
//! time a turn: 200 games each from 100 openings with both colours.

use crate::search::{game, nodes, random_game, start};
use crate::twomove_search::mates_within;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::core::{Color, Kind};
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{Game, Notation, Outcome, Rules, Turn, for_each_turn};
use fauve_engine::search::mate::{Effort, find_mate};
use fauve_engine::search::{Control, Limits, Score, Searcher, Settings, Table};
use std::collections::HashSet;
use std::time::Duration;

/// The longest game, in turns; then it is drawn.
const LONGEST: usize = 400;
const LOST: i32 = -1_000_000;
/// How a mate in one turn is looked for.
const AT_ONCE: Effort = Effort {
    turns: 1,
    quiet: 0,
    positions: 1,
};

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Player {
    /// Any step.
    Random,
    /// The best material after the opponent's best capture.
    Greedy,
    /// Alpha-beta over two whole turns with material and mobility.
    Plain,
}

fn material(position: &TwoMove, side: Color) -> i32 {
    let board = position.board();
    let values = [
        (Kind::Pawn, 1),
        (Kind::Knight, 3),
        (Kind::Bishop, 3),
        (Kind::Rook, 5),
        (Kind::Queen, 9),
    ];
    let pieces = |kind, color| board.pieces(color, kind).len() as i32;
    let balance = |(kind, value)| value * (pieces(kind, side) - pieces(kind, !side));
    100 * values.into_iter().map(balance).sum::<i32>()
}

fn mobility(position: &TwoMove, side: Color) -> i32 {
    let board = position.board();
    (board.attack_map(side, board.occupied()) - board.color(side)).len() as i32
}

/// The turns of a position with the positions after them, each once, those that capture most first.
fn turns(position: &TwoMove) -> Vec<(Turn<fauve_engine::core::Move>, TwoMove)> {
    let mut seen = HashSet::new();
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, after| {
        if seen.insert(after.key()) {
            turns.push((Turn::from_slice(turn), *after));
        }
    });
    let side = position.side_to_move();
    turns.sort_by_key(|(_, after)| -material(after, side));
    turns
}

impl Player {
    fn worth(self, position: &TwoMove, side: Color) -> i32 {
        let value = material(position, side);
        match self {
            Self::Plain => value + mobility(position, side) - mobility(position, !side),
            _ => value,
        }
    }

    /// What a position is worth to the side that has just moved, after the best answer; at most `alpha` if it is no more than that.
    fn after_answer(self, position: &TwoMove, alpha: i32) -> i32 {
        let side = !position.side_to_move();
        let answers = turns(position);
        if answers.is_empty() {
            return if position.lost_without_turn() {
                -LOST
            } else {
                0
            };
        }
        let before = material(position, side);
        // Whoever looks at captures alone may leave all as it is.
        let mut value = if self == Self::Greedy {
            before
        } else {
            i32::MAX
        };
        for (_, after) in answers {
            if self == Self::Greedy && material(&after, side) == before {
                continue;
            }
            value = value.min(self.worth(&after, side));
            if value <= alpha {
                break;
            }
        }
        value
    }

    fn choose(self, position: &TwoMove, seed: u64) -> Turn<fauve_engine::core::Move> {
        let turns = turns(position);
        let chance = splitmix(seed, position.key());
        if self == Self::Random {
            return turns[chance as usize % turns.len()].0.clone();
        }
        let (mut alpha, mut best) = (i32::MIN, 0);
        for (n, (_, after)) in turns.iter().enumerate() {
            let value = self.after_answer(after, alpha);
            if value > alpha {
                (alpha, best) = (value, n);
            }
        }
        turns[best].0.clone()
    }
}

/// A game of the engine against a player: its points in halves.
fn play(opening: &Game<TwoMove>, engine: Color, player: Player, limits: &Limits<TwoMove>) -> u32 {
    let mut game = opening.clone();
    let table = Table::new(4).expect("a small table");
    for _ in 0..LONGEST {
        match game.outcome() {
            Some(Outcome::Win(winner, _)) => return 2 * u32::from(winner == engine),
            Some(Outcome::Draw(_)) => return 1,
            None => {}
        }
        let position = *game.position();
        let turn = if position.side_to_move() == engine {
            let control = Control::default();
            let settings = Settings::default();
            let answer = Searcher::new(&table, &settings, &control).run(&game, limits, &mut |_| {});
            answer.best.expect("the game is not over")
        } else {
            player.choose(&position, 1)
        };
        turn.into_iter().for_each(|step| game.play(step));
    }
    1
}

/// Random openings of four turns that a short search finds even, and in which nobody mates at once.
fn openings(count: usize) -> Vec<Game<TwoMove>> {
    let table = Table::new(4).expect("a small table");
    let (control, settings) = (Control::default(), Settings::default());
    let even = |game: &Game<TwoMove>| {
        table.clear();
        let limits = nodes(2000);
        let answer = Searcher::new(&table, &settings, &control).run(game, &limits, &mut |_| {});
        !game.position().is_mid_turn()
            && matches!(answer.score, Score::Cp(-200..=200))
            && find_mate(game.position(), AT_ONCE, &[], &control).is_none()
    };
    let random = |seed| random_game::<TwoMove>(&start(), seed, 7);
    (0..).map(random).filter(even).take(count).collect()
}

/// The share of the points, of 1, against a player; says which games were not won.
fn share(player: Player, pairs: usize, limits: &Limits<TwoMove>) -> f64 {
    let mut points = 0;
    for opening in openings(pairs) {
        for engine in Color::ALL {
            let halves = play(&opening, engine, player, limits);
            if halves < 2 {
                println!("{engine:?} {halves}/2 from {}", opening.position().fen());
            }
            points += halves;
        }
    }
    f64::from(points) / (4 * pairs) as f64
}

#[test]
fn a_short_search_beats_the_players_that_one_writes_first() {
    for (player, pairs, least) in [
        (Player::Random, 2, 1.0),
        (Player::Greedy, 2, 0.75),
        (Player::Plain, 1, 0.5),
    ] {
        let share = share(player, pairs, &nodes(3000));
        assert!(share >= least, "{share} against {player:?}");
    }
}

/// Both openings were lost at once in the matches: two quiet steps mate, which the search of the answers leaves out.
#[test]
fn no_turn_is_chosen_that_is_mated_at_once() {
    for fen in [
        "r1bqkbnr/pp2pp1p/n1p3p1/3p3P/8/1P6/P1PPPPP1/RNBQKBNR w KQkq - 0 3 2",
        "rnbqk1nr/pppp1ppp/8/8/Pb2p2P/2N5/1PPPPPP1/R1BQKBNR w KQkq - 0 3 2",
    ] {
        for limit in [10_000, 60_000] {
            let mut game = game::<TwoMove>(fen);
            let (control, table) = (Control::default(), Table::new(4).expect("a small table"));
            let (limits, settings) = (nodes(limit), Settings::default());
            let answer =
                Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |_| {});
            let turn = answer.best.expect("there are turns");
            turn.into_iter().for_each(|step| game.play(step));
            assert!(!mates_within(game.position(), 1), "{fen}");
        }
    }
}

#[test]
#[ignore = "three matches of an hour or so"]
fn matches_at_fifty_milliseconds_a_turn() {
    let pairs = std::env::var("PAIRS").map_or(100, |pairs| pairs.parse().expect("a number"));
    let limits = Limits {
        cputime: Some(Duration::from_millis(50)),
        ..Limits::default()
    };
    for (player, least) in [
        (Player::Random, 1.0),
        (Player::Greedy, 0.995),
        (Player::Plain, 0.95),
    ] {
        let share = share(player, pairs, &limits);
        println!("{player:?}: {share:.4} of {} games", 2 * pairs);
        assert!(share >= least, "{share} against {player:?}");
    }
}
