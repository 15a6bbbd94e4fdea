//! Makes the puzzles of the board from games that weakened engines play against each other.
//!
//! `cargo run --release -p fauve-tools --bin puzzles -- superchess 160 1` plays games with the seeds 1, 2, 3, ... and prints 160 puzzles,
//! at most one of a game; the same arguments print the same ones. `superchess 30 1000001 mates` prints mates alone, which are rare among
//! the others. `protocol/board/src/page/puzzles` has both for chess and Superchess, `160 1` for two-move chess and `DiceChess`, and `80 1`
//! with `80 500001` for Cubes 4D, sorted by level: `sort -s -t';' -k2,2n`.
//! Each line is a puzzle: `KIND;LEVEL;POSITION;TURNS`.
//!
//! - KIND N above 0 is a mate in N: one turn alone forces it (other orders of its steps aside), which is proven by trying every turn,
//!   and there is no shorter mate. KIND 0 is a turn that is far better than every other one, by a search of 100,000 nodes; in
//!   `DiceChess` by a rollout of both turns, too.
//! - LEVEL is the lowest level of play that finds the turn in two of three tries; one above the highest level if none does.
//! - TURNS is the solution: the turn, the reply that resists longest (or the expected one) and so on.

use fauve_engine::core::zobrist::splitmix;
use fauve_engine::rules::dice::DiceChess;
use fauve_engine::rules::{
    Chance, DiceSeed, Game, Rules, Turn, for_each_turn, position_after, turn_token,
};
use fauve_engine::search::solve::solve;
use fauve_engine::search::{
    Bound, Control, Engine, Estimate, Info, Limits, Report, Rollout, Score, Searcher, Settings,
    Table,
};
use fauve_engine::strength_scales::StrengthScale;
use fauve_engine::{Variant, with_game};
use fauve_tools::openings::random_opening;
use std::collections::HashSet;
use std::io::Write;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Nodes of the first look at a position, and of the verification.
const LOOK: u64 = 3_000;
const VERIFY: u64 = 100_000;
/// Expected points by which the turn must be better than every other one, and the most that the second best may keep.
const MARGIN: f64 = 0.25;
/// The same margin in Cubes 4D, where single turns decide less.
const CUBES_MARGIN: f64 = 0.18;
const SECOND: f64 = 0.6;
/// The same margin in `DiceChess`, where the dice decide much.
const DICE_MARGIN: f64 = 0.12;
/// Longest proof of a mate; a position that takes longer is left out.
const PROOF: Duration = Duration::from_secs(20);
/// Share of the puzzles, in per cent, that the first level may solve, and that may be mates in one.
const EASY: usize = 15;
/// The same share in Cubes 4D, where most good turns are captures that everybody sees.
const CUBES_EASY: usize = 50;
const TRIES: u64 = 3;

struct Puzzle {
    mate: u32,
    level: u32,
    text: String,
}

/// The two best turns with their values.
fn two_best<G: Engine>(game: &Game<G>, nodes: u64) -> Option<[Info<G>; 2]> {
    let table = Table::new(16).expect("16 megabytes");
    let settings = Settings {
        multi_pv: 2,
        ..Settings::default()
    };
    let limits = Limits {
        nodes: Some(nodes),
        ..Limits::default()
    };
    let mut lines: [Option<Info<G>>; 2] = [None, None];
    Searcher::new(&table, &settings, &Control::default()).run(game, &limits, &mut |report| {
        if let Report::Pv(info) = report
            && info.bound == Bound::Exact
            && let Some(line) = lines.get_mut(info.multipv - 1)
        {
            *line = Some(info);
        }
    });
    let [Some(first), Some(second)] = lines else {
        return None;
    };
    (first.depth == second.depth && first.depth > 0).then_some([first, second])
}

/// Whether a short search finds a mate.
fn sees_mate<G: Engine>(game: &Game<G>) -> bool {
    let limits = Limits {
        nodes: Some(LOOK / 4),
        ..Limits::default()
    };
    let table = Table::new(1).expect("a megabyte");
    let answer = Searcher::new(&table, &Settings::default(), &Control::default()).run(
        game,
        &limits,
        &mut |_| {},
    );
    matches!(answer.score, Score::Mate(1..))
}

/// Expected points of a line, 0 to 1.
fn points<G: Rules>(info: &Info<G>) -> f64 {
    let [win, draw, _] = info.wdl.map(f64::from);
    info.win_chance.unwrap_or((win + draw / 2.0) / 1000.0)
}

/// Whether the first turn is far better than the second.
fn is_only_turn<G: Chance>(variant: Variant, [first, second]: &[Info<G>; 2]) -> bool {
    let margin = match variant {
        Variant::DiceChess => DICE_MARGIN,
        Variant::Cubes4d => CUBES_MARGIN,
        _ => MARGIN,
    };
    let is_mate = matches!(first.score, Score::Mate(1..));
    !is_mate
        && points(first) - points(second) >= margin
        && (G::HAS_CHANCE || points(second) <= SECOND && points(first) >= 0.45)
}

/// The turns that force mate within a number of turns, one for each position that they lead to; `None` where that took too long.
fn keys<G: Engine>(position: &G, turns: u32) -> Option<Vec<Turn<G::Step>>> {
    let (control, done) = (Control::default(), AtomicBool::new(false));
    let solution = std::thread::scope(|scope| {
        scope.spawn(|| {
            let begin = Instant::now();
            while !done.load(Ordering::Relaxed) && begin.elapsed() < PROOF {
                std::thread::sleep(Duration::from_millis(2));
            }
            control.stop();
        });
        let solution = solve(position, turns, &control);
        done.store(true, Ordering::Relaxed);
        solution
    });
    if solution.stopped {
        return None;
    }
    let mut seen = HashSet::new();
    let keys = solution.keys.into_iter();
    Some(
        keys.filter(|turn| seen.insert(position_after(position, turn).key()))
            .collect(),
    )
}

/// The solution of a mate in this number of turns that only one turn begins, or `None`.
fn mate<G: Engine>(position: &G, turns: u32) -> Option<Vec<Turn<G::Step>>> {
    let all = keys(position, turns)?;
    let [key] = &all[..] else { return None };
    if turns > 1 && !keys(position, turns - 1)?.is_empty() {
        return None;
    }
    let mut line = vec![key.clone()];
    if turns > 1 {
        let end = position_after(position, key);
        let mut replies: Vec<(Turn<G::Step>, G)> = Vec::new();
        for_each_turn(&end, &mut |turn, next| {
            replies.push((Turn::from_slice(turn), *next));
        });
        // Among the replies that resist to the end, one after which again only one turn mates.
        let rest = replies
            .iter()
            .find_map(|(reply, next)| Some((reply, mate(next, turns - 1)?)));
        let (reply, rest) = rest?;
        line.push(reply.clone());
        line.extend(rest);
    }
    Some(line)
}

/// The lowest level that finds the turn.
fn level<G: Engine>(variant: Variant, game: &Game<G>, key: &[G::Step]) -> u32 {
    let scale = StrengthScale::of(variant);
    let wanted = position_after(game.position(), key).key();
    let finds = |level: &u32| {
        let Some(elo) = scale.elo_of_level(*level) else {
            return false;
        };
        let right = (1..=TRIES).filter(|&seed| {
            let turn = limited(variant, game, elo, seed);
            turn.is_some_and(|turn| position_after(game.position(), &turn).key() == wanted)
        });
        right.count() >= 2
    };
    (1..=scale.levels())
        .find(finds)
        .unwrap_or(scale.levels() + 1)
}

/// The turn that a player of this Elo makes.
fn limited<G: Engine>(
    variant: Variant,
    game: &Game<G>,
    elo: u32,
    seed: u64,
) -> Option<Turn<G::Step>> {
    let limit = StrengthScale::of(variant).strength_limit(elo, seed);
    let settings = Settings {
        strength_limit: Some(limit),
        ..Settings::default()
    };
    let limits = Limits {
        nodes: Some(limit.nodes.min(5_000)),
        ..Limits::default()
    };
    let table = Table::new(1).expect("a megabyte");
    Searcher::new(&table, &settings, &Control::default())
        .run(game, &limits, &mut |_| {})
        .best
}

/// The puzzle of a position, if it is one. `holds` has the last word on a turn that is far better than the second.
fn puzzle<G: Engine>(
    variant: Variant,
    game: &Game<G>,
    mates_only: bool,
    holds: impl Fn(&G, [&Turn<G::Step>; 2]) -> bool,
) -> Option<Puzzle> {
    let position = game.position();
    // A puzzle has no past.
    let bare = Game::new(*position, *game.options());
    if mates_only && !sees_mate(&bare) {
        return None;
    }
    let lines = two_best(&bare, LOOK)?;
    let longest = match variant {
        Variant::Chess | Variant::Superchess => 3,
        // A proof of a mate in two tries a hundred turns against a hundred replies, and again.
        Variant::Cubes4d => 1,
        _ => 2,
    };
    let (mate, line) = match lines[0].score {
        Score::Mate(turns) if turns > 0 && turns <= longest && !G::HAS_CHANCE => {
            (turns as u32, mate(position, turns as u32)?)
        }
        _ if !mates_only && is_only_turn(variant, &lines) => {
            let deep = two_best(&bare, VERIFY)?;
            let [first, second] = [&deep[0], &deep[1]].map(|line| line.pv.first());
            let (first, second) = (first?, second?);
            let same = position_after(position, first).key()
                == position_after(position, lines[0].pv.first()?).key();
            if !same || !is_only_turn(variant, &deep) || !holds(position, [first, second]) {
                return None;
            }
            let length = if G::HAS_CHANCE { 1 } else { 3 };
            (0, deep[0].pv.iter().take(length).cloned().collect())
        }
        _ => return None,
    };
    let level = level(variant, &bare, line.first()?);
    let mut place = *position;
    let mut tokens = Vec::new();
    for turn in line {
        tokens.push(turn_token(&place, &turn));
        place = position_after(&place, &turn);
    }
    let text = format!("{mate};{level};{};{}", position.fen(), tokens.join(" "));
    Some(Puzzle { mate, level, text })
}

/// Plays a game and returns its first puzzle, or `None` if that is not wanted. Games of Cubes 4D take long: they go on to the first
/// puzzle that is wanted.
fn from_game<G: Engine>(
    variant: Variant,
    seed: u64,
    mates_only: bool,
    holds: impl Fn(&G, [&Turn<G::Step>; 2]) -> bool,
    is_wanted: impl Fn(&Puzzle) -> bool,
) -> Option<Puzzle> {
    let random = |n: u64| splitmix(seed ^ 0x9a77_1e5d, n);
    let scale = StrengthScale::of(variant);
    let options = G::Options::default();
    let start = G::start(&options);
    let mut game = if G::HAS_CHANCE {
        Game::new(start, options)
    } else {
        random_opening(start, options, 6, seed)?
    };
    let (low, high) = (*scale.range().start(), *scale.range().end());
    // Weaker players are mated more often.
    let weakest = if mates_only { 5 } else { 40 };
    let elo = |side: u64| low + (high - low) * (weakest + (random(side) % 50) as u32) / 100;
    for turn in 0..160 {
        if game.position().awaits_roll() {
            game.set_roll(DiceSeed(seed).roll(turn));
        }
        if game.outcome().is_some() {
            return None;
        }
        if turn >= 4
            && let Some(puzzle) = puzzle(variant, &game, mates_only, &holds)
        {
            if is_wanted(&puzzle) {
                return Some(puzzle);
            }
            if variant != Variant::Cubes4d {
                return None;
            }
        }
        let player = elo(turn % 2);
        for step in limited(variant, &game, player, random(2_000 + turn))? {
            game.play(step);
        }
    }
    None
}

/// Whether a rollout confirms that the first turn is better than the second by more than its error.
fn rolled_out(position: &DiceChess, turns: [&Turn<<DiceChess as Rules>::Step>; 2]) -> bool {
    let ends = turns.map(|turn| position_after(position, turn));
    if ends.iter().any(|end| end.winner().is_some()) {
        return false;
    }
    let rollout = Rollout {
        games: 648,
        depth: 1,
        truncate: Some(8),
        error: 0.004,
        seed: 1,
        threads: 1,
        endgames: None,
        clock_draw: true,
    };
    let found: Vec<Estimate> = rollout
        .run(&ends, &Control::default(), &mut |_| {})
        .expect("memory for one player");
    let [first, second] = &found[..] else {
        return false;
    };
    // The values are those of the opponent, which rolls next.
    second.mean - first.mean - 3.0 * first.error.hypot(second.error) > DICE_MARGIN / 3.0
}

fn make<G: Engine>(
    variant: Variant,
    count: usize,
    seed: u64,
    mates_only: bool,
    holds: impl Fn(&G, [&Turn<G::Step>; 2]) -> bool,
) {
    // Puzzles that the first level solves, and mates in one.
    let (mut easy, mut short) = (0, 0);
    let share = if variant == Variant::Cubes4d {
        CUBES_EASY
    } else {
        EASY
    };
    let is_full = |number: usize| number * 100 >= share * count;
    let (mut found, mut games) = (0, seed);
    let out = std::io::stdout();
    while found < count {
        let is_wanted = |puzzle: &Puzzle| {
            !(puzzle.level == 1 && is_full(easy) || puzzle.mate == 1 && is_full(short))
        };
        let puzzle = from_game(variant, games, mates_only, &holds, is_wanted);
        games += 1;
        let Some(puzzle) = puzzle else { continue };
        easy += usize::from(puzzle.level == 1);
        short += usize::from(puzzle.mate == 1);
        found += 1;
        let mut out = out.lock();
        writeln!(out, "{}", puzzle.text)
            .and_then(|()| out.flush())
            .expect("standard output");
        eprintln!("{found} of {count} puzzles, {} games", games - seed);
    }
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let variant = words.first().and_then(|word| Variant::from_name(word));
    let numbers: Vec<u64> = words.iter().skip(1).flat_map(|word| word.parse()).collect();
    let mates = words.get(3).is_some_and(|word| word == "mates");
    let (Some(variant), [count, seed]) = (variant, &numbers[..]) else {
        eprintln!("usage: puzzles GAME COUNT SEED [mates]");
        return ExitCode::FAILURE;
    };
    let count = *count as usize;
    if variant == Variant::DiceChess {
        make::<DiceChess>(variant, count, *seed, mates, rolled_out);
    } else {
        with_game!(variant, G => make::<G>(variant, count, *seed, mates, |_, _| true));
    }
    ExitCode::SUCCESS
}
