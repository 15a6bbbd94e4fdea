//! Finds errors of static exchange evaluation: compares its verdict on one contested step of each position of self-played
//! games with a search. `cargo run --release -p fauve-tools --bin exchange_verdicts -- GAME POSITIONS [NODES] [SEED]`,
//! where GAME is `chess` or `superchess`; 2,000 nodes per search by default. Prints the error rate of each kind of verdict,
//! then the largest errors.

use fauve_engine::core::zobrist::splitmix;
use fauve_engine::core::{Color, Kind, Move, Square};
use fauve_engine::eval::orthodox;
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::orthodox::Orthodox;
use fauve_engine::rules::superchess::{Step, Superchess};
use fauve_engine::rules::{Game, legal_steps, turn_san};
use fauve_engine::search::{Control, Engine, Limits, Score, Searchable, Searcher, Settings, Table};
use fauve_tools::openings::random_opening;
use rayon::prelude::*;

/// Nodes per turn of the games that the positions come from.
const NODES_OF_GAMES: u64 = 400;
/// Error threshold, in centipawns. A step with a sound exchange is misjudged if it is worse than the best step by this, and
/// worse than a null move by half of it; a step with a losing exchange is misjudged if it is worse than the best step by a
/// tenth of this at most.
const WRONG_BY: i32 = 200;
/// Positions with an advantage above this, in centipawns, are left out.
const BALANCED: i32 = 800;

/// Possible causes of an error. A verdict can be of several kinds.
const KINDS: [&str; 9] = [
    "all",
    "captures",
    "quiet steps",
    "gives check",
    "promotes",
    "a pawn recaptures on the last rank",
    "loses another piece meanwhile",
    "leaves a piece that it guarded",
    "is answered by a capture with check",
];

/// A game whose positions have an orthodox board of `N` kinds.
trait Contested<const N: usize>: Engine + Searchable {
    fn orthodox_part(&self) -> Option<&Orthodox<N>>;
    fn as_move(step: Self::Step) -> Option<Move>;
}

impl Contested<6> for Chess {
    fn orthodox_part(&self) -> Option<&Orthodox<6>> {
        Some(self.orthodox())
    }

    fn as_move(step: Move) -> Option<Move> {
        Some(step)
    }
}

impl Contested<10> for Superchess {
    fn orthodox_part(&self) -> Option<&Orthodox<10>> {
        self.prologue().is_none().then(|| self.orthodox())
    }

    fn as_move(step: Step) -> Option<Move> {
        step.as_move()
    }
}

/// A verdict, and the search's result.
struct Verdict {
    text: String,
    kinds: [bool; KINDS.len()],
    /// Whether the verdict is that the exchange loses nothing.
    is_sound: bool,
    /// Difference from the best step, in centipawns.
    loss: i32,
    /// Whether the search contradicts the verdict.
    is_wrong: bool,
}

fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(turns) => 10_000 * if turns > 0 { 1 } else { -1 },
    }
}

/// Value of a position for the side to move, in centipawns.
fn value<G: Engine>(position: G, nodes: u64, table: &Table) -> i32 {
    let game = Game::new(position, G::Options::default());
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let settings = Settings::default();
    let search =
        Searcher::new(table, &settings, &Control::default()).run(&game, &limits, &mut |_| {});
    centipawns(search.score)
}

/// Whether a side has a capture that wins at least two pawns, other than on `besides`.
fn wins_elsewhere<const N: usize, G: Contested<N>>(position: &G, besides: Square) -> bool {
    legal_steps(position).into_iter().any(|step| {
        let to = G::as_move(step).map(Move::to);
        position.is_noisy(step) && to != Some(besides) && position.wins_exchange(step, WRONG_BY)
    })
}

fn kinds_of<const N: usize, G: Contested<N>>(position: &G, step: G::Step) -> [bool; KINDS.len()] {
    let mut next = *position;
    next.play(step);
    let step_to = G::as_move(step).map(Move::to);
    let Some((step_to, part)) = step_to.zip(position.orthodox_part()) else {
        return [false; KINDS.len()];
    };
    let us = position.side_to_move();
    let last = if us == Color::White { 0 } else { 7 };
    let board = part.board();
    let takers = board.attackers(!us, step_to, board.occupied());
    let before = position
        .null_move()
        .is_some_and(|passed| wins_elsewhere::<N, G>(&passed, step_to));
    let after = wins_elsewhere::<N, G>(&next, step_to);
    let answered = legal_steps(&next).into_iter().any(|answer| {
        let mut then = next;
        then.play(answer);
        G::as_move(answer).map(Move::to) == Some(step_to) && then.in_check()
    });
    let noisy = position.is_noisy(step);
    [
        true,
        noisy,
        !noisy,
        next.in_check(),
        G::as_move(step).is_some_and(|step| step.promotion().is_some()),
        step_to.rank() == last && (takers & board.kind(Kind::Pawn)).any(),
        before && after,
        !before && after,
        answered,
    ]
}

/// The verdict on a random contested step of a position.
fn verdict<const N: usize, G: Contested<N>>(
    position: &G,
    random: u64,
    nodes: u64,
    table: &Table,
) -> Option<Verdict> {
    let danger = orthodox::threats(position.orthodox_part()?);
    let contested = |step: &G::Step| G::as_move(*step).is_some_and(|step| danger.has(step.to()));
    let steps: Vec<_> = legal_steps(position)
        .into_iter()
        .filter(contested)
        .collect();
    let step = *steps.get(random as usize % steps.len().max(1))?;
    table.clear();
    let best = value(*position, nodes, table);
    if best.abs() > BALANCED {
        return None;
    }
    let mut next = *position;
    next.play(step);
    let reached = -value(next, nodes, table);
    let is_sound = position.wins_exchange(step, 0);
    let loss = best - reached;
    let is_wrong = if is_sound {
        loss >= WRONG_BY
            && position
                .null_move()
                .is_some_and(|passed| reached <= -value(passed, nodes, table) - WRONG_BY / 2)
    } else {
        loss <= WRONG_BY / 10
    };
    Some(Verdict {
        text: format!("{}: {}", position.fen(), turn_san(position, &[step])),
        kinds: kinds_of::<N, G>(position, step),
        is_sound,
        loss,
        is_wrong,
    })
}

/// The verdicts on the positions of one game.
fn verdicts<const N: usize, G: Contested<N>>(seed: u64, nodes: u64) -> Vec<Verdict> {
    let options = G::Options::default();
    let Some(mut game) = random_opening(G::start(&options), options, 10, seed) else {
        return Vec::new();
    };
    let [own, other] = [2, 1].map(|size| Table::new(size).expect("a small table"));
    let limits = Limits {
        nodes: Some(NODES_OF_GAMES),
        ..Limits::default()
    };
    let mut found = Vec::new();
    for turn in 0..200 {
        if game.outcome().is_some() {
            break;
        }
        let random = splitmix(seed, 1000 + turn);
        found.extend(verdict::<N, G>(game.position(), random, nodes, &other));
        let (settings, control) = (Settings::default(), Control::default());
        let answer = Searcher::new(&own, &settings, &control).run(&game, &limits, &mut |_| {});
        if centipawns(answer.score).abs() > 2 * BALANCED {
            break;
        }
        for step in answer.best.into_iter().flatten() {
            game.play(step);
        }
    }
    found
}

fn report(mut found: Vec<Verdict>) {
    println!(
        "{:<38}{:>10}{:>8}{:>10}{:>8}",
        "", "sound", "wrong", "losing", "wrong"
    );
    for (kind, name) in KINDS.iter().enumerate() {
        let count = |sound: bool, wrong: bool| {
            let of = |verdict: &&Verdict| {
                verdict.kinds[kind] && verdict.is_sound == sound && (verdict.is_wrong || !wrong)
            };
            found.iter().filter(of).count()
        };
        let share = |sound| 100.0 * count(sound, true) as f64 / count(sound, false).max(1) as f64;
        println!(
            "{name:<38}{:>10}{:>7.1}%{:>10}{:>7.1}%",
            count(true, false),
            share(true),
            count(false, false),
            share(false)
        );
    }
    found.retain(|verdict| verdict.is_wrong);
    found.sort_by_key(|verdict| -verdict.loss.abs());
    for sound in [true, false] {
        println!(
            "\n{}",
            if sound {
                "judged sound"
            } else {
                "judged losing"
            }
        );
        for verdict in found
            .iter()
            .filter(|verdict| verdict.is_sound == sound)
            .take(25)
        {
            println!("{:>6}  {}", -verdict.loss, verdict.text);
        }
    }
}

fn run<const N: usize, G: Contested<N> + Send>(positions: usize, nodes: u64, seed: u64) {
    let mut found = Vec::new();
    let mut next = seed << 32;
    while found.len() < positions {
        let games: Vec<_> = (next..next + 64)
            .into_par_iter()
            .map(|number| verdicts::<N, G>(number, nodes))
            .collect();
        found.extend(games.into_iter().flatten());
        next += 64;
    }
    found.truncate(positions);
    report(found);
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize| arguments.get(i).and_then(|word| word.parse().ok());
    let positions = number(1).unwrap_or(10_000) as usize;
    let (nodes, seed) = (number(2).unwrap_or(2000), number(3).unwrap_or(1));
    match arguments.first().map(String::as_str) {
        Some("chess") => run::<6, Chess>(positions, nodes, seed),
        Some("superchess") => run::<10, Superchess>(positions, nodes, seed),
        _ => eprintln!("usage: exchange_verdicts chess|superchess POSITIONS [NODES] [SEED]"),
    }
}
