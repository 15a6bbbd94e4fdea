//! What a run says while it goes on: a line that is redrawn on a terminal, else plain lines.

use crate::plan::schedule::ScheduledGame;
use crate::record::{GameRecord, Header};
use crate::report::sequence::Sequence;
use crate::report::tally::Tally;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal, Write};

/// The progress of a run on standard output. Each method fails if that cannot be written.
#[derive(Debug)]
pub struct Progress {
    bar: Option<ProgressBar>,
    quiet: bool,
    interval: u64,
}

impl Progress {
    /// The number of all games, that of games played, and after how many it is said how the match stands.
    pub fn new(total: u64, done: usize, quiet: bool, interval: u64) -> Self {
        let is_terminal = io::stdout().is_terminal() && io::stderr().is_terminal();
        let bar = (!quiet && is_terminal).then(|| {
            let bar = ProgressBar::new(total);
            if let Ok(style) =
                ProgressStyle::with_template("{bar:24} {pos}/{len} games, {eta} left  {msg}")
            {
                bar.set_style(style);
            }
            bar.set_position(done as u64);
            bar.reset_eta();
            bar
        });
        Self {
            bar,
            quiet,
            interval: interval.max(1),
        }
    }

    /// Says a line.
    ///
    /// # Errors
    /// What the system says.
    pub fn say(&self, text: &str) -> io::Result<()> {
        match &self.bar {
            Some(bar) => {
                bar.println(text);
                Ok(())
            }
            None if self.quiet => Ok(()),
            None => writeln!(io::stdout(), "{text}"),
        }
    }

    /// Says something that matters, also where only the final report is wanted.
    ///
    /// # Errors
    /// The system's.
    pub fn warn(&self, text: &str) -> io::Result<()> {
        match &self.bar {
            Some(bar) => {
                bar.println(text);
                Ok(())
            }
            None => writeln!(io::stderr(), "{text}"),
        }
    }

    /// Says that a game begins.
    ///
    /// # Errors
    /// What the system says.
    pub fn say_started(&self, header: &Header, plan: ScheduledGame) -> io::Result<()> {
        if self.bar.is_some() {
            return Ok(());
        }
        self.say(&format!(
            "Started game {} ({} vs {})",
            plan.game, header.engines[plan.white].name, header.engines[plan.black].name
        ))
    }

    /// Says how a game has ended, and now and then how the match stands.
    ///
    /// # Errors
    /// What the system says.
    pub fn say_finished(
        &self,
        header: &Header,
        game: &GameRecord,
        tally: &Tally,
        sequence: &Sequence,
    ) -> io::Result<()> {
        let line = format!(
            "Finished game {} ({} vs {}): {} {{{}}}",
            game.game,
            game.white,
            game.black,
            game.result.text(),
            game.reason
        );
        if let Some(bar) = &self.bar {
            if game.termination.is_forfeit() {
                bar.println(line);
            }
            bar.set_message(tally.brief(sequence));
            bar.inc(1);
            return Ok(());
        }
        self.say(&line)?;
        if tally.games().is_multiple_of(self.interval) {
            self.say(tally.report(header, sequence).trim_end())?;
        }
        Ok(())
    }

    /// Says that this many games more are played, and how things stand.
    ///
    /// # Errors
    /// What the system says.
    #[cfg(feature = "tune")]
    pub fn say_advanced(&self, games: u64, text: &str) -> io::Result<()> {
        let Some(bar) = &self.bar else {
            return self.say(text);
        };
        bar.set_message(text.to_owned());
        bar.inc(games);
        Ok(())
    }

    /// Clears the progress line.
    pub fn finish(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
