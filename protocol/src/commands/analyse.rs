//! `fauve analyse`: a position, or a game turn by turn.

use crate::terminal::{expectation, from_white, paint_board, score_text, wants_color};
use crate::variants::with_game;
use crate::wire::report::PvLine;
use anyhow::{Context, Result, anyhow, bail};
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Game, Turn, turn_san, turn_token};
use fauve_engine::search::{Answer, Control, Engine, Info, Limits, Report, Score, Settings, Table};
use fauve_referee::record::Record;
use fauve_referee::record::{pgn, replay};
use serde::Serialize;
use std::fs;
use std::io::{IsTerminal, Write, stdout};
use std::path::Path;
use std::time::Duration;

/// What may follow `fauve analyse`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve analyse --time 5\n  \
    fauve analyse --depth 12 --multipv 3 r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1\n  \
    fauve analyse --variant dicechess --time 1 rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 PNB\n  \
    fauve analyse --variant superchess --nodes 20000 games.pgn\n\n\
    A game file is PGN, the JSON Lines of `fauve match`, or turn tokens alone.")]
pub struct Arguments {
    /// Think so many seconds about each position.
    #[arg(long, value_parser = seconds, conflicts_with_all = ["depth", "nodes"])]
    time: Option<Duration>,
    /// Search so many turns deep.
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Visit so many positions.
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Show so many principal variations.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: u32,
    /// Search threads.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    threads: u32,
    /// Megabytes of the transposition table.
    #[arg(long, default_value_t = 64, value_parser = clap::value_parser!(u32).range(1..=65536))]
    hash: u32,
    /// JSON Lines instead of text.
    #[arg(long)]
    json: bool,
    /// Which game of the file, from 1.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    game: u32,
    /// A FEN (`startpos` by default) or the name of a game file.
    #[arg(trailing_var_arg = true, value_name = "FEN | FILE")]
    words: Vec<String>,
}

/// Reads `2`, `2.5`, `2s` or `300ms`.
fn seconds(text: &str) -> Result<Duration> {
    let (number, unit) = match text.strip_suffix("ms") {
        Some(number) => (number, 0.001),
        None => (text.strip_suffix('s').unwrap_or(text), 1.0),
    };
    let seconds = number
        .trim()
        .parse::<f64>()
        .context("a number of seconds, such as 2, 0.5s or 300ms")?
        * unit;
    Duration::try_from_secs_f64(seconds).context("a number of seconds from 0 up")
}

/// A principal variation, for `--json`.
#[derive(Serialize)]
struct Line<'a> {
    depth: u32,
    seldepth: u32,
    multipv: usize,
    #[serde(flatten)]
    value: Value,
    nodes: u64,
    ms: u128,
    pv: &'a [String],
}

/// A score for the side to move, for `--json`.
#[derive(Serialize)]
struct Value {
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    /// Win, draw and loss, per mille.
    wdl: [u16; 3],
}

impl Value {
    const fn new(score: Score, wdl: [u16; 3]) -> Self {
        match score {
            Score::Cp(cp) => Self {
                cp: Some(cp),
                mate: None,
                wdl,
            },
            Score::Mate(turns) => Self {
                cp: None,
                mate: Some(turns),
                wdl,
            },
        }
    }
}

/// What one turn of a game was worth, for the record and for `--json`.
#[derive(Serialize)]
struct Assessed {
    turn: usize,
    side: char,
    fen: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    roll: Option<String>,
    played: String,
    san: String,
    best: String,
    /// White's expected points after the best turn, 0 to 1.
    white: f64,
    #[serde(flatten)]
    value: Value,
    /// What the turn lost against the best, in centipawns; absent next to a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    loss_cp: Option<i32>,
    /// What the turn lost against the best, in expected points.
    error: f64,
    /// What the roll gave to the side that threw it, in expected points.
    #[serde(skip_serializing_if = "Option::is_none")]
    luck: Option<f64>,
}

/// The sums of one player.
#[derive(Default)]
struct Sums {
    turns: u32,
    loss_cp: i64,
    error: f64,
    worst: f64,
    luck: f64,
    mistakes: u32,
    blunders: u32,
}

/// Expected points from which a loss is called a mistake, and a blunder.
const MISTAKE: f64 = 0.08;
const BLUNDER: f64 = 0.20;

impl Arguments {
    /// Analyses a position or a game file.
    ///
    /// # Errors
    /// When the position, the file or a turn in it cannot be read.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.analyse::<G>())
    }

    fn settings(&self) -> Settings {
        Settings {
            threads: self.threads as usize,
            multi_pv: self.multipv as usize,
            move_overhead: Duration::ZERO,
            elo: None,
        }
    }

    fn limits<G: Engine>(&self) -> Limits<G> {
        let default =
            (self.depth.is_none() && self.nodes.is_none()).then_some(Duration::from_secs(3));
        Limits {
            depth: self.depth,
            nodes: self.nodes,
            movetime: self.time.or(default),
            ..Limits::default()
        }
    }

    fn analyse<G: Engine>(&self) -> Result<()> {
        let table =
            Table::new(self.hash as usize).context("no memory for the transposition table")?;
        if let [word] = &self.words[..]
            && Path::new(word).is_file()
        {
            return self.game_file::<G>(Path::new(word), &table);
        }
        let switches = G::Options::default();
        let position: G =
            super::position(&self.words, &switches).map_err(|error| match &self.words[..] {
                [word] if word.contains('.') => anyhow!("there is no file '{word}'"),
                _ => error,
            })?;
        self.position(&Game::new(position, switches), &table)
    }

    fn position<G: Engine>(&self, game: &Game<G>, table: &Table) -> Result<()> {
        let root = *game.position();
        let in_place = stdout().is_terminal() && !self.json;
        if !self.json {
            let board = root.board_text();
            println!(
                "{}",
                if wants_color() {
                    paint_board(&board)
                } else {
                    board
                }
            );
            println!("{}\n", root.fen());
        }
        let mut screen = Screen {
            in_place,
            lines: Vec::new(),
            drawn: 0,
        };
        let mut failed = None;
        let answer = G::search(
            game,
            &self.limits(),
            &self.settings(),
            table,
            &Control::default(),
            &mut |report| {
                let result = match report {
                    Report::Pv(info) => self.say_line(&root, &info, &mut screen),
                    Report::Message(text) if !self.json => screen.message(&text),
                    Report::Message(_) | Report::Current { .. } => Ok(()),
                };
                failed = failed.take().or(result.err());
            },
        );
        match failed {
            Some(error) if error.kind() == std::io::ErrorKind::BrokenPipe => return Ok(()),
            Some(error) => return Err(error.into()),
            None => {}
        }
        if !self.json {
            match &answer.best {
                Some(turn) => println!(
                    "\nbest {}  ({})",
                    turn_token(&root, turn),
                    turn_san(&root, turn)
                ),
                None => println!(
                    "\n{}",
                    game.outcome()
                        .map_or("no turn to give".to_owned(), |end| end.to_string())
                ),
            }
        }
        Ok(())
    }

    fn say_line<G: Engine>(
        &self,
        root: &G,
        info: &Info<G>,
        screen: &mut Screen,
    ) -> std::io::Result<()> {
        let line = PvLine::new(root, info, true);
        if self.json {
            let json = Line {
                depth: line.depth,
                seldepth: line.seldepth,
                multipv: line.multipv,
                value: Value::new(line.score, info.wdl),
                nodes: line.nodes,
                ms: line.time.as_millis(),
                pv: &line.pv,
            };
            return writeln!(stdout(), "{}", serde_json::to_string(&json)?);
        }
        let text = format!(
            "{:>3}/{:<3} {:>7}  {:>5.1} %  {:>9} nodes {:>7.2} s  {}",
            line.depth,
            line.seldepth,
            score_text(line.score),
            expectation(info.wdl) * 100.0,
            line.nodes,
            line.time.as_secs_f64(),
            line.pv.join(" ")
        );
        screen.line(line.multipv, text)
    }

    fn game_file<G: Engine>(&self, path: &Path, table: &Table) -> Result<()> {
        let source = Source::read(path, self.game as usize)
            .with_context(|| format!("{} has no game number {}", path.display(), self.game))?;
        let switches = G::Options::default();
        let mut game: Game<G> = match &source.start {
            Some(fen) => Game::new(G::from_fen(fen, &switches)?.position, switches),
            None => Game::new(G::start(&switches), switches),
        };
        let seed = source
            .seed
            .or_else(|| G::from_fen(source.start.as_deref()?, &switches).ok()?.seed);
        let mut sums = [Sums::default(), Sums::default()];
        for (number, (roll, token)) in source.turns.iter().enumerate() {
            let mut luck = None;
            if game.position().awaits_roll() {
                let before = self.search(&game, table, Vec::new());
                replay::set_roll(&mut game, roll.as_deref(), seed)
                    .map_err(|why| anyhow!("turn {}: {why}", number + 1))?;
                luck = Some(before);
            }
            let turn = replay::read(game.position(), token).with_context(|| {
                format!(
                    "turn {}: '{token}' is not legal in {}",
                    number + 1,
                    game.position().fen()
                )
            })?;
            let assessed = self.assess(
                &game,
                table,
                number + 1,
                roll.as_deref(),
                &turn,
                luck.as_ref(),
            );
            let sum = &mut sums[game.position().side_to_move().index()];
            sum.add(&assessed);
            self.say_turn(&assessed)?;
            turn.iter().for_each(|&step| game.play(step));
        }
        if !self.json {
            println!();
            if let Some(end) = game.outcome() {
                println!("{end}");
            }
            print_sums(&sums, G::HAS_CHANCE);
        }
        Ok(())
    }

    fn search<G: Engine>(
        &self,
        game: &Game<G>,
        table: &Table,
        only: Vec<Turn<G::Step>>,
    ) -> (Answer<G>, [u16; 3]) {
        let limits = Limits {
            searchmoves: only,
            ..self.limits()
        };
        let settings = Settings {
            multi_pv: 1,
            ..self.settings()
        };
        let mut wdl = [0, 1000, 0];
        let answer = G::search(
            game,
            &limits,
            &settings,
            table,
            &Control::default(),
            &mut |report| {
                if let Report::Pv(info) = report {
                    wdl = info.wdl;
                }
            },
        );
        (answer, wdl)
    }

    fn assess<G: Engine>(
        &self,
        game: &Game<G>,
        table: &Table,
        number: usize,
        roll: Option<&str>,
        turn: &Turn<G::Step>,
        before_roll: Option<&(Answer<G>, [u16; 3])>,
    ) -> Assessed {
        let position = game.position();
        let mover = position.side_to_move();
        let (best, wdl) = self.search(game, table, Vec::new());
        let best_turn = best.best.clone().unwrap_or_else(|| turn.clone());
        let mut loss_cp = Some(0);
        let mut error = 0.0;
        if best_turn != *turn {
            let (played, played_wdl) = self.search(game, table, vec![turn.clone()]);
            // A search of one turn can see more than the search of all: then nothing was lost.
            error = (expectation(wdl) - expectation(played_wdl)).max(0.0);
            loss_cp = match (best.score, played.score) {
                (Score::Cp(best), Score::Cp(played)) => Some((best - played).max(0)),
                (Score::Mate(best), Score::Mate(played)) if (best > 0) == (played > 0) => Some(0),
                _ => None,
            };
        }
        let points = expectation(wdl);
        Assessed {
            turn: number,
            side: mover.letter(),
            fen: position.fen(),
            roll: roll.map(str::to_owned),
            played: turn_token(position, turn),
            san: turn_san(position, turn),
            best: turn_token(position, &best_turn),
            white: if mover == Color::White {
                points
            } else {
                1.0 - points
            },
            value: Value::new(
                from_white(best.score, mover),
                if mover == Color::White {
                    wdl
                } else {
                    [wdl[2], wdl[1], wdl[0]]
                },
            ),
            loss_cp,
            error,
            luck: before_roll.map(|(_, before)| points - expectation(*before)),
        }
    }

    fn say_turn(&self, assessed: &Assessed) -> Result<()> {
        if self.json {
            println!("{}", serde_json::to_string(assessed)?);
            return Ok(());
        }
        let number = assessed.turn.div_ceil(2);
        let dots = if assessed.side == 'w' { "." } else { "..." };
        let score = score_text(
            assessed
                .value
                .mate
                .map_or(Score::Cp(assessed.value.cp.unwrap_or(0)), Score::Mate),
        );
        let mark = match assessed.error {
            error if error >= BLUNDER => "??",
            error if error >= MISTAKE => "?",
            _ => "",
        };
        let mut text = format!("{number}{dots} ");
        if let Some(roll) = &assessed.roll {
            text += &format!("[{roll}] ");
        }
        text += &format!("{}{mark}", assessed.san);
        let mut line = format!("{text:<32} {score:>7}  {:>5.1} %", assessed.white * 100.0);
        if let Some(luck) = assessed.luck {
            line += &format!("  luck {luck:+.3}");
        }
        if assessed.played != assessed.best {
            line += &match assessed.loss_cp {
                Some(cp) => format!(
                    "  lost {:.2} ({:.3} points), best {}",
                    f64::from(cp) / 100.0,
                    assessed.error,
                    assessed.best
                ),
                None => format!(
                    "  lost {:.3} points, best {}",
                    assessed.error, assessed.best
                ),
            };
        }
        println!("{line}");
        Ok(())
    }
}

impl Sums {
    fn add(&mut self, assessed: &Assessed) {
        self.turns += 1;
        self.loss_cp += i64::from(assessed.loss_cp.unwrap_or(0));
        self.error += assessed.error;
        self.worst = self.worst.max(assessed.error);
        self.luck += assessed.luck.unwrap_or(0.0);
        self.blunders += u32::from(assessed.error >= BLUNDER);
        self.mistakes += u32::from((MISTAKE..BLUNDER).contains(&assessed.error));
    }
}

fn print_sums(sums: &[Sums; 2], dice: bool) {
    println!("{:<28} {:>10} {:>10}", "", "White", "Black");
    let row = |name: &str, text: &dyn Fn(&Sums) -> String| {
        println!("{name:<28} {:>10} {:>10}", text(&sums[0]), text(&sums[1]));
    };
    row("turns", &|sum| sum.turns.to_string());
    row("error per turn, points", &|sum| {
        format!("{:.4}", sum.error / f64::from(sum.turns.max(1)))
    });
    if !dice {
        row("loss per turn, pawns", &|sum| {
            format!(
                "{:.2}",
                sum.loss_cp as f64 / 100.0 / f64::from(sum.turns.max(1))
            )
        });
    }
    row("error in all, points", &|sum| format!("{:.3}", sum.error));
    row("worst turn, points", &|sum| format!("{:.3}", sum.worst));
    row("mistakes / blunders", &|sum| {
        format!("{} / {}", sum.mistakes, sum.blunders)
    });
    if dice {
        row("luck in all, points", &|sum| format!("{:+.3}", sum.luck));
    }
}

/// Principal variations on the screen: on a terminal they are drawn over each other.
struct Screen {
    in_place: bool,
    lines: Vec<String>,
    drawn: usize,
}

impl Screen {
    fn line(&mut self, multipv: usize, text: String) -> std::io::Result<()> {
        let mut out = stdout().lock();
        if !self.in_place {
            return writeln!(out, "{text}");
        }
        if self.lines.len() < multipv {
            self.lines.resize(multipv, String::new());
        }
        self.lines[multipv - 1] = text;
        if self.drawn > 0 {
            write!(out, "\x1b[{}A", self.drawn)?;
        }
        let width = std::env::var("COLUMNS")
            .ok()
            .and_then(|columns| columns.parse().ok())
            .unwrap_or(120);
        for line in &self.lines {
            let cut: String = line.chars().take(width).collect();
            writeln!(out, "\x1b[2K{cut}")?;
        }
        self.drawn = self.lines.len();
        out.flush()
    }

    fn message(&mut self, text: &str) -> std::io::Result<()> {
        self.drawn = 0;
        writeln!(stdout(), "{text}")
    }
}

/// A game to be analysed, whatever its file's format.
struct Source {
    start: Option<String>,
    seed: Option<DiceSeed>,
    turns: Vec<(Option<String>, String)>,
}

impl Source {
    /// The game with this number, from 1, of a PGN, a match record or a list of tokens.
    fn read(path: &Path, number: usize) -> Result<Self> {
        let hex = |text: &str| text.parse().ok();
        let text = fs::read(path).with_context(|| path.display().to_string())?;
        let text = String::from_utf8_lossy(&text);
        if text.trim_start().starts_with("{\"") {
            let record = Record::read(path).map_err(|why| anyhow!(why))?;
            let game = record
                .games
                .into_iter()
                .nth(number - 1)
                .context("too few games")?;
            return Ok(Self {
                start: Some(game.start),
                seed: game.dice_seed.as_deref().and_then(hex),
                turns: game
                    .turns
                    .into_iter()
                    .map(|turn| (turn.roll, turn.token))
                    .collect(),
            });
        }
        let game = pgn::parse(&text)
            .into_iter()
            .nth(number - 1)
            .context("too few games")?;
        if game.turns.is_empty() {
            bail!("the game has no turns");
        }
        Ok(Self {
            start: game.tag("FEN").map(str::to_owned),
            seed: game.tag("DiceSeed").and_then(hex),
            turns: game.turns,
        })
    }
}
