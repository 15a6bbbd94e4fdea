//! `fauve play`: a person against the engine in the terminal.

use crate::terminal::{expectation, paint_board, score_text, wants_color};
use crate::variants::with_game;
use anyhow::{Context, Result};
use fauve_engine::Variant;
use fauve_engine::core::Color;
use fauve_engine::rules::{DiceSeed, Event, Game, for_each_turn, turn_san, turn_token};
use fauve_engine::search::{Answer, Control, Engine, Limits, Report, Settings, Table};
use fauve_referee::record::replay;
use std::hash::{BuildHasher, RandomState};
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Duration;

/// What may follow `fauve play`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve play\n  \
    fauve play --variant superchess --side black --level 4\n  \
    fauve play --variant dicechess --seed 2a\n\n\
    Type a turn (`e2e4`, `Nf3`, `e2e4,g1f3`), or: hint, undo, moves [PREFIX], board, fen, level N, side, new, quit.")]
pub struct Arguments {
    /// The person's side: white, black, or both for two people at one keyboard.
    #[arg(long, default_value = "white")]
    side: Side,
    /// The engine's strength, 1 to 10: each level thinks four times as long as the one below.
    #[arg(long, default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=10))]
    level: u32,
    /// Seed of the dice, hexadecimal; random by default.
    #[arg(long, value_parser = |text: &str| text.parse::<DiceSeed>())]
    seed: Option<DiceSeed>,
    /// The position, `startpos` by default.
    #[arg(trailing_var_arg = true)]
    fen: Vec<String>,
}

/// Who sits at the keyboard.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Side {
    White,
    Black,
    Both,
}

impl Side {
    fn has(self, color: Color) -> bool {
        self == Self::Both || (self == Self::White) == (color == Color::White)
    }
}

/// Positions that level 1 looks at; each level takes four times as many.
const LEVEL_NODES: u64 = 64;
/// No level thinks longer.
const LONGEST_THOUGHT: Duration = Duration::from_secs(20);

struct Play<'a, G: Engine> {
    game: Game<G>,
    start: G,
    side: Side,
    level: u32,
    seed: DiceSeed,
    table: &'a Table,
}

/// What a line from the keyboard leads to.
enum Reply {
    /// Ask again.
    Again,
    /// The position has changed.
    Moved,
    /// The person has had enough.
    Quit,
}

impl Arguments {
    /// Plays until the game is over and the person leaves.
    ///
    /// # Errors
    /// When the position cannot be read, or the keyboard is gone.
    pub fn run(&self, variant: Variant) -> Result<()> {
        with_game!(variant, G => self.play::<G>())
    }

    fn play<G: Engine>(&self) -> Result<()> {
        let switches = G::Options::default();
        let start: G = super::position(&self.fen, &switches)?;
        let table = Table::new(64).context("no memory for the transposition table")?;
        let mut play = Play {
            game: Game::new(start, switches),
            start,
            side: self.side,
            level: self.level,
            seed: self
                .seed
                .unwrap_or_else(|| DiceSeed(RandomState::new().hash_one("dice"))),
            table: &table,
        };
        if G::HAS_CHANCE {
            println!("dice seed {}", play.seed);
        }
        play.run()
    }
}

impl<G: Engine> Play<'_, G> {
    fn run(&mut self) -> Result<()> {
        self.show();
        loop {
            if let Some(end) = self.game.outcome() {
                println!("{end}");
                match self.ask("undo, new or quit")? {
                    Reply::Quit => return Ok(()),
                    Reply::Again | Reply::Moved => continue,
                }
            }
            if self.game.position().awaits_roll() {
                self.roll();
            }
            let mover = self.game.position().side_to_move();
            if let Some(pass) = self.only_pass() {
                println!("{} has to pass", mover.name());
                self.game.play(pass);
                continue;
            }
            if self.side.has(mover) {
                if matches!(self.ask(&format!("{} to move", mover.name()))?, Reply::Quit) {
                    return Ok(());
                }
            } else {
                self.answer();
            }
        }
    }

    fn show(&self) {
        let board = self.game.position().board_text();
        println!(
            "\n{}\n",
            if wants_color() {
                paint_board(&board)
            } else {
                board
            }
        );
    }

    fn roll(&mut self) {
        let roll = self.seed.roll(self.game.position().turn_index());
        let side = self.game.position().side_to_move();
        self.game.set_roll(roll);
        println!("{} rolls {roll}", side.name());
    }

    /// The pass, where it is all that the dice allow: nobody is asked then.
    fn only_pass(&self) -> Option<G::Step> {
        if !G::HAS_CHANCE || self.game.position().is_mid_turn() {
            return None;
        }
        let mut found = None;
        let mut turns = 0;
        for_each_turn(self.game.position(), &mut |turn, _| {
            turns += 1;
            found = turn.first().copied();
        });
        let pass = found.filter(|_| turns == 1)?;
        (self.game.position().step_token(pass) == "0000").then_some(pass)
    }

    fn think(&self, level: u32) -> (Answer<G>, [u16; 3]) {
        let limits = Limits {
            nodes: Some(LEVEL_NODES << (2 * level)),
            movetime: Some(LONGEST_THOUGHT),
            ..Limits::default()
        };
        let mut wdl = [0, 1000, 0];
        let settings = Settings::default();
        let answer = G::search(
            &self.game,
            &limits,
            &settings,
            self.table,
            &Control::default(),
            &mut |report| {
                if let Report::Pv(info) = report {
                    wdl = info.wdl;
                }
            },
        );
        (answer, wdl)
    }

    fn answer(&mut self) {
        let (answer, _) = self.think(self.level);
        let position = *self.game.position();
        let Some(turn) = answer.best else { return };
        println!(
            "{} plays {}  ({})",
            position.side_to_move().name(),
            turn_token(&position, &turn),
            turn_san(&position, &turn)
        );
        turn.iter().for_each(|&step| self.game.play(step));
        self.show();
    }

    fn ask(&mut self, prompt: &str) -> Result<Reply> {
        print!("{prompt}> ");
        stdout().flush()?;
        let mut bytes = Vec::new();
        if stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            println!();
            return Ok(Reply::Quit);
        }
        let line = String::from_utf8_lossy(&bytes);
        let mut words = line.split_whitespace();
        let Some(word) = words.next() else {
            return Ok(Reply::Again);
        };
        let rest = words.next();
        Ok(match word.to_ascii_lowercase().as_str() {
            "quit" | "exit" | "q" => Reply::Quit,
            "help" | "?" => {
                println!(
                    "a turn ({}), or hint, undo, moves [PREFIX], board, fen, level N, side, new, quit",
                    self.example()
                );
                Reply::Again
            }
            "board" | "d" => {
                self.show();
                Reply::Again
            }
            "fen" => {
                println!("{}", self.game.position().fen());
                Reply::Again
            }
            "hint" => self.hint(),
            "moves" | "legal" => self.list(rest.unwrap_or("")),
            "level" => self.set_level(rest),
            "side" => {
                self.side = match self.side {
                    Side::White => Side::Black,
                    Side::Black => Side::White,
                    Side::Both => Side::Both,
                };
                Reply::Moved
            }
            "undo" | "u" => self.undo(),
            "new" => {
                self.game = Game::new(self.start, *self.game.options());
                self.seed = DiceSeed(self.seed.0.wrapping_add(1));
                self.show();
                Reply::Moved
            }
            _ => self.turn(word),
        })
    }

    fn example(&self) -> String {
        let mut example = String::from("none here");
        for_each_turn(self.game.position(), &mut |turn, _| {
            if turn.len() + 1 > example.matches(',').count() {
                example = turn_token(self.game.position(), turn);
            }
        });
        example
    }

    fn hint(&self) -> Reply {
        let (answer, wdl) = self.think(self.level.max(5));
        let position = self.game.position();
        match answer.best {
            Some(turn) => println!(
                "{}  ({})  {}  {:.1} %",
                turn_token(position, &turn),
                turn_san(position, &turn),
                score_text(answer.score),
                expectation(wdl) * 100.0
            ),
            None => println!("there is no turn to give"),
        }
        Reply::Again
    }

    fn list(&self, prefix: &str) -> Reply {
        const MOST: usize = 200;
        let mut count = 0;
        let mut text = String::new();
        for_each_turn(self.game.position(), &mut |turn, _| {
            let token = turn_token(self.game.position(), turn);
            if token.starts_with(prefix) {
                count += 1;
                if count <= MOST {
                    text += &token;
                    text.push(' ');
                }
            }
        });
        println!(
            "{text}\n{count} turns{}",
            if count > MOST {
                "; `moves PREFIX` shows fewer"
            } else {
                ""
            }
        );
        Reply::Again
    }

    fn set_level(&mut self, word: Option<&str>) -> Reply {
        match word
            .and_then(|word| word.parse().ok())
            .filter(|level| (1..=10).contains(level))
        {
            Some(level) => self.level = level,
            None => println!("level is {}; `level N` takes 1 to 10", self.level),
        }
        Reply::Again
    }

    /// Takes back to where the person is to move again: the own last turn, with the engine's answer.
    fn undo(&mut self) -> Reply {
        if self.game.past().is_empty() {
            println!("there is nothing to take back");
            return Reply::Again;
        }
        while let Some(event) = self.game.undo() {
            let position = self.game.position();
            if matches!(event, Event::Step(_))
                && !position.is_mid_turn()
                && self.side.has(position.side_to_move())
            {
                break;
            }
        }
        self.show();
        Reply::Moved
    }

    fn turn(&mut self, word: &str) -> Reply {
        let Some(turn) = replay::read(self.game.position(), word) else {
            println!(
                "'{}' is not legal; `moves` lists what is",
                crate::wire::output::printable(word)
            );
            return Reply::Again;
        };
        turn.iter().for_each(|&step| self.game.play(step));
        self.show();
        if self.game.position().is_mid_turn() {
            println!("the turn goes on");
        }
        Reply::Moved
    }
}
