use super::game::Play;
use super::side::Side;
use crate::terminal::{PrintError, score_text};
use anyhow::Result;
use fauve_engine::rules::{DiceSeed, Event, Game, for_each_turn, printable, turn_san, turn_token};
use fauve_engine::search::Engine;
use fauve_referee::record::replay;
use std::io::{BufRead, stdin};

/// What a line from the keyboard leads to.
pub(super) enum Reply {
    /// Ask again.
    Again,
    /// The position has changed.
    Moved,
    /// The person has had enough.
    Quit,
}

/// The course of the game, and the person's part in it.
impl<G: Engine> Play<'_, G> {
    /// Plays until the person has had enough.
    pub(super) fn run(&mut self) -> Result<()> {
        self.show()?;
        loop {
            if let Some(end) = self.game.outcome() {
                writeln!(self.out, "{end}")?;
                match self.ask("undo, new or quit")? {
                    Reply::Quit => return Ok(()),
                    Reply::Again | Reply::Moved => continue,
                }
            }
            if self.game.position().awaits_roll() {
                self.roll()?;
            }
            let mover = self.game.position().side_to_move();
            if let Some(pass) = self.only_pass() {
                writeln!(self.out, "{} has to pass", mover.name())?;
                self.game.play(pass);
                continue;
            }
            if self.side.has(mover) {
                if matches!(self.ask(&format!("{} to move", mover.name()))?, Reply::Quit) {
                    return Ok(());
                }
            } else {
                self.answer()?;
            }
        }
    }

    fn ask(&mut self, prompt: &str) -> Result<Reply> {
        write!(self.out, "{prompt}> ")?;
        self.out.flush()?;
        let mut bytes = Vec::new();
        if stdin().lock().read_until(b'\n', &mut bytes)? == 0 {
            writeln!(self.out)?;
            return Ok(Reply::Quit);
        }
        let line = String::from_utf8_lossy(&bytes);
        let mut words = line.split_whitespace();
        match words.next() {
            Some(word) => Ok(self.obey(word, words.next())?),
            None => Ok(Reply::Again),
        }
    }

    fn obey(&mut self, word: &str, rest: Option<&str>) -> Result<Reply, PrintError> {
        match word.to_ascii_lowercase().as_str() {
            "quit" | "exit" | "q" => return Ok(Reply::Quit),
            "help" | "?" => writeln!(
                self.out,
                "a turn ({}), or hint, undo, moves [PREFIX], board, fen, level N, side, new, quit",
                self.example()
            )?,
            "board" | "d" => self.show()?,
            "fen" => writeln!(self.out, "{}", self.game.position().fen())?,
            "hint" => self.hint()?,
            "moves" | "legal" => self.list(rest.unwrap_or(""))?,
            "level" => self.set_level(rest)?,
            "side" => {
                self.side = match self.side {
                    Side::White => Side::Black,
                    Side::Black => Side::White,
                    Side::Both => Side::Both,
                };
                return Ok(Reply::Moved);
            }
            "undo" | "u" => return self.undo(),
            "new" => {
                self.game = Game::new(self.start, *self.game.options());
                self.seed = DiceSeed(self.seed.0.wrapping_add(1));
                self.show()?;
                return Ok(Reply::Moved);
            }
            _ => return self.turn(word),
        }
        Ok(Reply::Again)
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

    fn hint(&mut self) -> Result<(), PrintError> {
        let (answer, points) = self.think(self.level.max(5));
        let position = self.game.position();
        match answer.best {
            Some(turn) => writeln!(
                self.out,
                "{}  ({})  {}  {:.1} %",
                turn_token(position, &turn),
                turn_san(position, &turn),
                score_text(answer.score),
                points * 100.0
            ),
            None => writeln!(self.out, "there is no turn to give"),
        }
    }

    fn list(&mut self, prefix: &str) -> Result<(), PrintError> {
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
        let more = if count > MOST {
            "; `moves PREFIX` shows fewer"
        } else {
            ""
        };
        writeln!(self.out, "{text}\n{count} turns{more}")
    }

    fn set_level(&mut self, word: Option<&str>) -> Result<(), PrintError> {
        match word
            .and_then(|word| word.parse().ok())
            .filter(|level| (1..=10).contains(level))
        {
            Some(level) => self.level = level,
            None => writeln!(self.out, "level is {}; `level N` takes 1 to 10", self.level)?,
        }
        Ok(())
    }

    /// Takes back to where the person is to move again: the own last turn, with the engine's answer.
    fn undo(&mut self) -> Result<Reply, PrintError> {
        if self.game.past().is_empty() {
            writeln!(self.out, "there is nothing to take back")?;
            return Ok(Reply::Again);
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
        self.show()?;
        Ok(Reply::Moved)
    }

    fn turn(&mut self, word: &str) -> Result<Reply, PrintError> {
        let Some(turn) = replay::read(self.game.position(), word) else {
            let word = printable(word);
            writeln!(self.out, "'{word}' is not legal; `moves` lists what is")?;
            return Ok(Reply::Again);
        };
        turn.iter().for_each(|&step| self.game.play(step));
        self.show()?;
        if self.game.position().is_mid_turn() {
            writeln!(self.out, "the turn goes on")?;
        }
        Ok(Reply::Moved)
    }
}
