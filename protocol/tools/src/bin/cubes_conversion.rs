//! Measures whether the engine converts won positions of Cubes 4D: it plays positions with one side 5 pawns ahead to the
//! end against itself.
//!
//! - `cargo run --release -p fauve-tools --bin cubes_conversion -- make 500 1` prints such positions, at most one of a
//!   game, from self-play (500 nodes a turn, 8 random turns first, both reliefs alternately). `tests/data/cubes4d-won.txt`
//!   is its output of 22 November 2026, from an engine that could not yet convert them. It counts the pieces; `make 500 1
//!   said` uses the scores of both players' searches instead, because an advantage is more than material. Each game takes
//!   the next seed, so that a second set begins with the seed that is printed last: sets of neighbouring seeds have the same
//!   positions.
//! - `... -- won FILE NODES [COUNT [FIRST [trace]]]` plays them. Positions that the first search also scores as 5 pawns
//!   ahead are counted separately. The share of wins also rises when the engine defends worse; to find whether a change
//!   plays better, run matches from such positions (`fauve match --openings FILE`). With `xN` in place of `trace` the
//!   leading side has N times the nodes, which shows how many of the positions can be won at all.
//! - `... -- games COUNT NODES [SEED]` plays whole games and prints how they end.
//! - `... -- speed FILE NODES [COUNT]` searches the positions and prints nodes per second of processor time.

use fauve_engine::core::Color;
use fauve_engine::core::zobrist::splitmix;
use fauve_engine::rules::cubes::{Cubes4d, Options, PieceKind};
use fauve_engine::rules::{Game, Notation, Outcome, Rules};
use fauve_engine::search::{
    Control, Limits, Report, Score, Searcher, Settings, Table, thread_time,
};
use fauve_tools::openings::random_opening;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

/// Lead, in pawns, of a won position.
const AHEAD: i32 = 5;
/// Number of consecutive plies for which the lead must last.
const HELD: usize = 6;
/// Nodes per turn of the games from which positions are taken.
const NODES: u64 = 500;
/// Random turns at the start of these games.
const RANDOM_TURNS: u64 = 8;

/// White's material less Black's, in pawns.
fn material(position: &Cubes4d) -> i32 {
    let white = position.pieces_of(Color::White);
    let black = position.pieces_of(Color::Black);
    PieceKind::ALL
        .iter()
        .map(|&piece| {
            let pieces = position.pieces_of_kind(piece);
            piece.worth() * ((pieces & white).len() as i32 - (pieces & black).len() as i32)
        })
        .sum()
}

/// One side's pieces by letters, the strongest first.
fn pieces(position: &Cubes4d, color: Color) -> String {
    let own = position.pieces_of(color);
    let of_kind = |&piece: &PieceKind| {
        let count = (position.pieces_of_kind(piece) & own).len() as usize;
        piece.letter().to_string().repeat(count)
    };
    [
        PieceKind::Queen,
        PieceKind::Knight,
        PieceKind::Rook,
        PieceKind::GrandPawn,
        PieceKind::Bishop,
        PieceKind::Pawn,
    ]
    .iter()
    .map(of_kind)
    .collect()
}

/// Tables of the two players.
struct Players([Table; 2]);

impl Players {
    fn new() -> Self {
        Self([(); 2].map(|()| Table::new(8).expect("a small table")))
    }

    /// Plays one turn; returns its score.
    fn play(&self, game: &mut Game<Cubes4d>, nodes: u64) -> Score {
        let side = game.position().side_to_move();
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let (settings, control) = (Settings::default(), Control::default());
        let table = &self.0[side.index()];
        let answer = Searcher::new(table, &settings, &control).run(game, &limits, &mut |_| {});
        for step in answer.best.into_iter().flatten() {
            game.play(step);
        }
        answer.score
    }
}

/// A game after some random turns; `None` if it is over by then.
fn opening(seed: u64) -> Option<Game<Cubes4d>> {
    let options = Options::default();
    let plain = Options {
        prologue: false,
        ..options
    };
    let left = Cubes4d::named_start("startpos-left", &options).filter(|_| seed.is_multiple_of(2));
    let start = left.unwrap_or_else(|| Cubes4d::start(&plain));
    random_opening(start, options, RANDOM_TURNS, seed)
}

/// The side that is [`AHEAD`] by material.
fn ahead_by_pieces(position: &Cubes4d) -> Option<Color> {
    let ahead = material(position);
    (ahead.abs() >= AHEAD).then_some(if ahead > 0 {
        Color::White
    } else {
        Color::Black
    })
}

/// A score in centipawns; a mate exceeds any advantage.
const fn centipawns(score: Score) -> i32 {
    match score {
        Score::Cp(value) => value,
        Score::Mate(turns) if turns > 0 => i32::MAX,
        Score::Mate(_) => -i32::MAX,
    }
}

/// The side that is [`AHEAD`] by the score of a search.
fn ahead_by_score(side_to_move: Color, score: Score) -> Option<Color> {
    let ahead = centipawns(score);
    (ahead.abs() >= 100 * AHEAD).then_some(if ahead > 0 {
        side_to_move
    } else {
        !side_to_move
    })
}

/// The first position of a game in which one side is ahead, by scores short of a mate if `by_score`, else by material, and
/// the other side has pieces left.
fn won_position(seed: u64, by_score: bool) -> Option<String> {
    let mut game = opening(seed)?;
    let players = Players::new();
    let (mut found, mut held, mut ahead) = (Vec::new(), 0, None);
    while game.outcome().is_none() {
        let position = *game.position();
        let score = players.play(&mut game, NODES);
        let now = match score {
            Score::Cp(_) if by_score => ahead_by_score(position.side_to_move(), score),
            Score::Mate(_) if by_score => None,
            _ => ahead_by_pieces(&position),
        };
        held = if now.is_some() && now == ahead {
            held + 1
        } else {
            0
        };
        ahead = now;
        let alone = position.lone_counts() != [None; 2];
        if held >= HELD && !alone && !position.in_check() {
            found.push(position.fen());
        }
    }
    let n = splitmix(seed, 99) as usize % found.len().max(1);
    found.get(n).cloned()
}

fn make(count: usize, seed: u64, by_score: bool) -> Result<(), String> {
    let mut out = io::stdout().lock();
    let mut next = seed;
    let found = (seed..).filter_map(|seed| Some((seed, won_position(seed, by_score)?)));
    for (seed, text) in found.take(count) {
        writeln!(out, "{text}")
            .map_err(|error| format!("the positions cannot be written: {error}"))?;
        next = seed + 1;
    }
    eprintln!("other positions: from seed {next} on");
    Ok(())
}

/// The leading side: by material, or else by a search.
fn leader(position: &Cubes4d) -> Color {
    ahead_by_pieces(position).unwrap_or_else(|| {
        let mut game = Game::new(*position, Options::default());
        let side = position.side_to_move();
        if centipawns(Players::new().play(&mut game, NODES)) < 0 {
            !side
        } else {
            side
        }
    })
}

/// Plays a game to its end, with these nodes per turn by colour; returns its outcome and the score of the first turn.
fn finish(game: &mut Game<Cubes4d>, nodes: [u64; 2]) -> (Outcome, Option<Score>) {
    let players = Players::new();
    let mut first = None;
    loop {
        if let Some(outcome) = game.outcome() {
            return (outcome, first);
        }
        let side = game.position().side_to_move();
        let score = players.play(game, nodes[side.index()]);
        first.get_or_insert(score);
    }
}

/// Number of games won, of a total.
#[derive(Clone, Copy, Default)]
struct Won {
    won: u32,
    games: u32,
}

impl Won {
    fn add(&mut self, won: bool) {
        self.won += u32::from(won);
        self.games += 1;
    }
}

impl fmt::Display for Won {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (won, games) = (self.won, self.games);
        let share = f64::from(won) / f64::from(games.max(1));
        let error = 1.96 * (share * (1.0 - share) / f64::from(games.max(1))).sqrt();
        let [share, error] = [share, error].map(|share| 100.0 * share);
        write!(f, "{won} of {games} won, {share:.1} % ± {error:.1}")
    }
}

/// Number of games by how they ended.
#[derive(Default)]
struct Ends(BTreeMap<String, u32>);

impl Ends {
    fn add(&mut self, how: String) {
        *self.0.entry(how).or_default() += 1;
    }

    fn print(&self) {
        for (how, count) in &self.0 {
            println!("  {how}: {count}");
        }
    }
}

fn read(path: &str, first: usize, count: usize) -> Result<Vec<Cubes4d>, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    text.lines()
        .skip(first)
        .take(count)
        .map(|line| {
            Cubes4d::from_fen(line, &Options::default())
                .map(|parsed| parsed.position)
                .map_err(|error| format!("{line}: {error}"))
        })
        .collect()
}

fn won(positions: &[Cubes4d], nodes: u64, times: u64, trace: bool) {
    let (mut ends, mut plies) = (Ends::default(), 0);
    let (mut all, mut said) = (Won::default(), Won::default());
    for &position in positions {
        let mut game = Game::new(position, Options::default());
        let leader = leader(&position);
        let (outcome, score) = if trace {
            trace_game(&mut game, leader, nodes)
        } else {
            let leaders = nodes.saturating_mul(times);
            let nodes = match leader {
                Color::White => [leaders, nodes],
                Color::Black => [nodes, leaders],
            };
            finish(&mut game, nodes)
        };
        let won = matches!(outcome, Outcome::Win(winner, _) if winner == leader);
        all.add(won);
        if score.and_then(|score| ahead_by_score(position.side_to_move(), score)) == Some(leader) {
            said.add(won);
        }
        if won {
            plies += game.past().len();
        }
        ends.add(match outcome {
            Outcome::Win(..) if won => "won".to_owned(),
            Outcome::Win(..) => "lost".to_owned(),
            Outcome::Draw(reason) => format!("drawn by {reason}"),
        });
    }
    let average = plies as f64 / f64::from(all.won.max(1));
    println!("{all} at {nodes} nodes, {average:.0} plies on average");
    println!("where the first search agrees: {said}");
    ends.print();
}

/// Plays a game to its end like [`finish`], and prints a line for the end and for each capture that leaves a bare King:
/// ply, pieces, score before the turn, position.
fn trace_game(game: &mut Game<Cubes4d>, leader: Color, nodes: u64) -> (Outcome, Option<Score>) {
    let players = Players::new();
    let show = |game: &Game<Cubes4d>, what: &str| {
        let position = game.position();
        let [own, other] = [leader, !leader].map(|color| pieces(position, color));
        println!(
            "{what} ply {} {own} v {other} {}",
            game.past().len(),
            position.fen()
        );
    };
    show(game, "begins");
    let mut first = None;
    loop {
        if let Some(outcome) = game.outcome() {
            show(game, &format!("ends {outcome:?}"));
            return (outcome, first);
        }
        let before = game.clone();
        let alone = before.position().lone_count(!leader).is_some();
        let score = players.play(game, nodes);
        first.get_or_insert(score);
        if !alone && game.position().lone_count(!leader).is_some() {
            show(&before, &format!("takes the last piece, {score:?}"));
            show(game, "alone");
        }
    }
}

fn games(count: usize, nodes: u64, seed: u64) {
    let (mut ends, mut drawn) = (Ends::default(), 0);
    for mut game in (seed..).filter_map(opening).take(count) {
        let (outcome, _) = finish(&mut game, [nodes; 2]);
        let ahead = material(game.position());
        ends.add(match outcome {
            Outcome::Win(..) => "decided".to_owned(),
            Outcome::Draw(reason) => {
                drawn += 1;
                let by = if ahead.abs() >= AHEAD {
                    "one side 5 pawns ahead"
                } else {
                    "even"
                };
                format!("drawn by {reason}, {by}")
            }
        });
    }
    println!("{drawn} of {count} games drawn at {nodes} nodes");
    ends.print();
}

fn speed(positions: &[Cubes4d], nodes: u64) {
    let (mut sum, mut depths, mut time) = (0, 0, Duration::ZERO);
    for &position in positions {
        let game = Game::new(position, Options::default());
        let table = Table::new(8).expect("a small table");
        let limits = Limits {
            nodes: Some(nodes),
            ..Limits::default()
        };
        let begin = thread_time();
        let mut depth = 0;
        let (settings, control) = (Settings::default(), Control::default());
        let answer =
            Searcher::new(&table, &settings, &control).run(&game, &limits, &mut |report| {
                if let Report::Pv(info) = report {
                    depth = info.depth;
                }
            });
        time += thread_time().saturating_sub(begin);
        sum += answer.nodes;
        depths += depth;
    }
    println!(
        "{sum} nodes in {:.2} s of processor time: {:.0} a second; {:.2} turns deep on average",
        time.as_secs_f64(),
        sum as f64 / time.as_secs_f64(),
        f64::from(depths) / positions.len() as f64
    );
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let word = |i: usize| arguments.get(i).map_or("", String::as_str);
    let number = |i: usize, default: usize| word(i).parse().unwrap_or(default);
    let with_file = |run: &dyn Fn(&[Cubes4d], u64)| {
        let positions = read(word(1), number(4, 0), number(3, usize::MAX))?;
        run(&positions, number(2, 2000) as u64);
        Ok(())
    };
    let done = match word(0) {
        "make" => match word(3) {
            by @ ("" | "said") => make(number(1, 500), number(2, 1) as u64, by == "said"),
            other => Err(format!(
                "unknown word after the seed: {other} (said, or nothing)"
            )),
        },
        "won" => match word(5).strip_prefix('x').unwrap_or("1").parse() {
            Ok(times @ 1..) => with_file(&|positions, nodes| {
                won(positions, nodes, times, word(5) == "trace");
            }),
            _ => Err(format!(
                "{}: expected x and a number of at least 1",
                word(5)
            )),
        },
        "games" => {
            games(number(1, 20), number(2, 2000) as u64, number(3, 1) as u64);
            Ok(())
        }
        "speed" => with_file(&speed),
        _ => Err("usage: cubes_conversion make|won|games|speed ...".to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}
