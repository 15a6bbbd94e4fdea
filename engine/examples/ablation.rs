//! What each part of the search is worth: the full search plays itself without one part, at fixed nodes, in pairs with
//! colours changed from random balanced openings. `cargo run --release -p fauve-engine --example ablation -- GAME PAIRS
//! NODES [PART]`, GAME being `chess` or `twomove`; all parts without PART.

mod openings;

use fauve_engine::core::Color;
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::twomove::TwoMove;
use fauve_engine::rules::{Game, Notation, Outcome};
use fauve_engine::search::alpha_beta::search_with;
use fauve_engine::search::policy::{Full, Policy};
use fauve_engine::search::{Control, Limits, Score, Searchable, Settings, Table};
use openings::begun_by_chance;

macro_rules! without {
    ($($name:ident $part:ident)*) => {$(
        struct $name;
        impl Policy for $name {
            const $part: bool = false;
        }
    )*};
}
without! {
    NoQuiescence QUIESCENCE
    NoCheckExtension CHECK_EXTENSION
    NoNullMove NULL_MOVE
    NoReverseFutility REVERSE_FUTILITY
    NoLateReduction LATE_REDUCTION
    NoLatePruning LATE_PRUNING
    NoFutility FUTILITY
    NoExchange EXCHANGE
    NoExchangePruning EXCHANGE_PRUNING
    NoInternalReduction INTERNAL_REDUCTION
}

/// Turns after which a game counts as drawn.
const LONGEST: usize = 300;
/// A game is won when the value, as both sides see it, was beyond this for some turns.
const DECIDED: i32 = 900;
const DECIDED_FOR: usize = 6;

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(cp) => cp,
        Score::Mate(turns) => 30_000 * if turns > 0 { 1 } else { -1 },
    }
}

/// One turn of a player: its value for the side to move; the game goes on.
fn play<G: Searchable, P: Policy>(game: &mut Game<G>, nodes: u64, table: &Table) -> i32 {
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let (settings, control) = (Settings::default(), Control::default());
    let answer = search_with::<G, P>(game, &limits, &settings, table, &control, &mut |_| {});
    for step in answer.best.into_iter().flatten() {
        game.play(step);
    }
    centipawns(answer.score)
}

/// A game; the points of the full search in halves.
fn duel<G: Searchable, P: Policy>(opening: &Game<G>, full: Color, nodes: u64) -> usize {
    let mut game = opening.clone();
    let tables = [4, 4].map(|size| Table::new(size).expect("a small table"));
    let mut run = [0; 2];
    for _ in 0..LONGEST {
        let winner = match game.outcome() {
            Some(Outcome::Win(winner, _)) => Some(winner),
            Some(Outcome::Draw(_)) => return 1,
            None => Color::ALL
                .into_iter()
                .find(|c| run[c.index()] >= DECIDED_FOR),
        };
        if let Some(winner) = winner {
            return if winner == full { 2 } else { 0 };
        }
        let side = game.position().side_to_move();
        let value = if side == full {
            play::<G, Full>(&mut game, nodes, &tables[0])
        } else {
            play::<G, P>(&mut game, nodes, &tables[1])
        };
        for color in Color::ALL {
            let value = if color == side { value } else { -value };
            run[color.index()] = if value > DECIDED {
                run[color.index()] + 1
            } else {
                0
            };
        }
    }
    1
}

/// The position after some random steps, if it is balanced.
fn opening<G: Searchable + Notation>(seed: u64) -> Option<Game<G>> {
    let options = G::Options::default();
    let game = begun_by_chance(G::start(&options), options, 8, seed)?;
    let table = Table::new(1).ok()?;
    let value = play::<G, Full>(&mut game.clone(), 2000, &table);
    (value.abs() < 100).then_some(game)
}

fn measure<G: Searchable + Notation, P: Policy>(name: &str, pairs: usize, nodes: u64, only: &str) {
    if !only.is_empty() && only != name {
        return;
    }
    let mut results = [0u32; 3];
    for game in (0..).filter_map(opening::<G>).take(pairs) {
        for color in Color::ALL {
            results[duel::<G, P>(&game, color, nodes)] += 1;
        }
    }
    let [lost, drawn, won] = results.map(f64::from);
    let games = lost + drawn + won;
    let mean = (won + drawn / 2.0) / games;
    let variance = (won + drawn / 4.0) / games - mean * mean;
    let elo = |p: f64| -400.0 * (1.0 / p.clamp(0.001, 0.999) - 1.0).log10();
    let error = 1.96 * (variance / games).sqrt();
    println!(
        "{name}: +{won} ={drawn} -{lost}, {:.0} Elo ({:.0} to {:.0})",
        elo(mean),
        elo(mean - error),
        elo(mean + error)
    );
}

fn all<G: Searchable + Notation>(pairs: usize, nodes: u64, only: &str) {
    measure::<G, NoLateReduction>("late-reduction", pairs, nodes, only);
    measure::<G, NoNullMove>("null-move", pairs, nodes, only);
    measure::<G, NoReverseFutility>("reverse-futility", pairs, nodes, only);
    measure::<G, NoExchange>("exchange", pairs, nodes, only);
    measure::<G, NoExchangePruning>("exchange-pruning", pairs, nodes, only);
    measure::<G, NoLatePruning>("late-pruning", pairs, nodes, only);
    measure::<G, NoFutility>("futility", pairs, nodes, only);
    measure::<G, NoCheckExtension>("check-extension", pairs, nodes, only);
    measure::<G, NoInternalReduction>("internal-reduction", pairs, nodes, only);
    measure::<G, NoQuiescence>("quiescence", pairs, nodes, only);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize| arguments.get(i).map_or("", String::as_str);
    let pairs = word(1).parse().unwrap_or(50);
    let nodes = word(2).parse().unwrap_or(2000);
    match word(0) {
        "chess" => all::<Chess>(pairs, nodes, word(3)),
        "twomove" => all::<TwoMove>(pairs, nodes, word(3)),
        _ => eprintln!("usage: ablation chess|twomove PAIRS NODES [PART]"),
    }
}
