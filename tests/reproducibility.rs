//! Searches on one thread that are limited by nodes repeat, node by node.

use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes::Cubes4d as Cubes;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{DiceSeed, Game, Roll, turn_token};
use fauve_engine::search::{Control, Engine, Limits, Report, Searcher, Settings, Table};

/// Rolls with which the game of DiceChess is a long one.
const DICE: DiceSeed = DiceSeed(11);

/// All that a search says but times: a line for each report, then the answer.
fn transcript<G: Engine>(
    game: &Game<G>,
    nodes: u64,
    table: &Table,
) -> (Vec<String>, Option<Vec<G::Step>>) {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut lines = Vec::new();
    let answer = Searcher::new(table, &Settings::default(), &Control::default()).run(
        game,
        &limits,
        &mut |report| {
            if let Report::Pv(info) = report {
                lines.push(format!(
                    "{} {} {} {:?} {:?} {:?} {} {:?}",
                    info.depth,
                    info.seldepth,
                    info.multipv,
                    info.score,
                    info.bound,
                    info.win_chance,
                    info.nodes,
                    info.pv
                ));
            }
        },
    );
    assert!(answer.nodes <= nodes, "{} of {nodes} nodes", answer.nodes);
    let said = (lines.len(), answer.nodes, answer.score);
    lines.push(format!("{:?} {:?} {said:?}", answer.best, answer.ponder));
    (lines, answer.best.map(|turn| turn.to_vec()))
}

/// Twenty limits from 50 nodes to `most`, evenly by ratio.
fn twenty_limits(most: u64) -> impl Iterator<Item = u64> {
    let ratio = (most as f64 / 50.0).powf(1.0 / 19.0);
    (0..20).map(move |n| (50.0 * ratio.powi(n)).round() as u64)
}

/// A game of twenty turns, each searched with another limit, the table kept: what all of the searches say. If it ends before,
/// another begins.
fn game_transcript<G: Engine>(most: u64) -> Vec<String> {
    let options = G::Options::default();
    let mut game = Game::new(G::start(&options), options);
    let table = Table::new(2).unwrap();
    let mut lines = Vec::new();
    for nodes in twenty_limits(most) {
        if game.outcome().is_some() {
            game = Game::new(G::start(&options), options);
        }
        if game.position().awaits_roll() {
            let roll: Roll = DICE.roll(game.position().game_ply());
            game.set_roll(roll);
        }
        let (said, best) = transcript(&game, nodes, &table);
        lines.extend(said);
        let best = best.expect("a turn where the game goes on");
        lines.push(turn_token(game.position(), &best));
        for step in best {
            game.play(step);
        }
    }
    lines
}

fn repeats<G: Engine>(most: u64) {
    let once = game_transcript::<G>(most);
    assert!(once.len() > 60, "{} lines", once.len());
    for (number, (one, other)) in once.iter().zip(game_transcript::<G>(most)).enumerate() {
        assert_eq!(*one, other, "line {number}");
    }
    // A smaller limit only ends the same search earlier.
    let options = G::Options::default();
    let mut game = Game::new(G::start(&options), options);
    if game.position().awaits_roll() {
        game.set_roll(DICE.roll(0));
    }
    let (long, _) = transcript(&game, most, &Table::new(2).unwrap());
    for nodes in twenty_limits(most) {
        let (short, _) = transcript(&game, nodes, &Table::new(2).unwrap());
        let whole = short.len().saturating_sub(3);
        assert_eq!(short[..whole], long[..whole], "{nodes} nodes");
    }
}

#[test]
fn chess_searches_repeat() {
    repeats::<Chess>(40_000);
}

#[test]
fn superchess_searches_repeat() {
    repeats::<Superchess>(40_000);
}

#[test]
fn two_move_searches_repeat() {
    repeats::<TwoMove>(40_000);
}

#[test]
fn dice_searches_repeat() {
    repeats::<DiceChess>(40_000);
}

#[test]
fn cubes_searches_repeat() {
    repeats::<Cubes>(20_000);
}
