//! `fauve endgames`: computes the file that the option `DiceTables` reads.

use super::Misuse;
use crate::terminal::Printer;
use crate::wire;
use crate::wire::endgames::DiceTablesError;
use crate::wire::file::FileError;
use anyhow::{Context, Result, ensure};
use fauve_engine::Variant;
use fauve_engine::eval::dice::endgames::{Endgames, EndgamesError};
use fauve_referee::record::save::{can_save, save};
use std::io::ErrorKind;
use std::path::PathBuf;

/// Arguments of `fauve endgames`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve endgames dice.tables\n  \
    fauve analyse --variant dicechess --tables dice.tables 8/8/8/3k4/8/8/1P6/K7 w - - 0 1\n\n\
    DiceChess: the winning probability of every position with at most three pieces, kings included, by value iteration. \
    Takes some seconds on all processors and half a gigabyte of memory. --pieces 4 adds a second piece beside the kings: \
    first king and piece against king and piece (a quarter of an hour on two processors, 7 GB), then king and two pieces \
    against king (longer, up to 15 GB). The same command resumes an interrupted run; what is finished can be used. \
    The endgame tables of two-move chess are part of the program.")]
pub struct Arguments {
    /// Output file. An existing file is replaced, but one with four-piece endgames is resumed or kept
    file: PathBuf,

    /// DiceChess: largest number of pieces, kings included, 3 or 4 [default: 3]
    #[arg(long, alias = "men", value_parser = clap::value_parser!(u8).range(3..=4))]
    pieces: Option<u8>,
}

impl Arguments {
    /// Computes the tables and writes them.
    ///
    /// # Errors
    /// When another variant is chosen, the file or standard output cannot be written, or the file has tables that this run would
    /// lose.
    pub fn run(&self, chosen: Option<Variant>) -> Result<()> {
        let name = self.file.display();
        ensure!(
            chosen.is_none_or(|variant| variant == Variant::DiceChess),
            Misuse(
                "only DiceChess reads endgame tables from a file (those of two-move chess are part of the program)"
                    .to_owned()
            )
        );
        ensure!(!self.file.is_dir(), "{name} is a directory");
        // Fail before minutes of computation, not after them.
        can_save(&self.file).with_context(|| format!("{name} cannot be written"))?;
        let mut out = Printer::default();
        let mut printed = Ok(());
        let mut say = |line: String| {
            if printed.is_ok() {
                printed = writeln!(out, "{line}").and_then(|()| out.flush());
            }
        };
        let begun = self.begun()?;
        let most_pieces = u32::from(self.pieces.unwrap_or(3));
        ensure!(
            most_pieces >= begun.most_pieces(),
            "{name} has DiceChess endgames of four pieces; --pieces 4 resumes them"
        );
        let begun = if most_pieces > 3 {
            begun
        } else {
            Endgames::empty()
        };
        self.dice(begun, most_pieces, &mut say)?;
        Ok(printed?)
    }

    /// Adds the missing DiceChess classes to `tables`, printing a line for each. Four-piece classes take up to an hour in all, so
    /// the file is written after each of them.
    fn dice(
        &self,
        mut tables: Endgames,
        most_pieces: u32,
        say: &mut impl FnMut(String),
    ) -> Result<()> {
        if tables.classes() > 0 {
            say(format!("{} classes already solved", tables.classes()));
        }
        while let Some(next) = tables.with_next(most_pieces, &mut |class| {
            let rank = class
                .rank
                .map_or_else(String::new, |rank| format!(", rank {rank}"));
            say(format!(
                "{}{rank}: {} positions, {} turns, last change {:.1e}",
                class.pieces, class.positions, class.turns, class.change
            ));
        }) {
            tables = next;
            if tables.most_pieces() > 3 {
                self.save(&tables.to_bytes(), say)?;
            }
        }
        if most_pieces == 3 {
            self.save(&tables.to_bytes(), say)?;
        }
        Ok(())
    }

    /// The DiceChess tables already in the file; empty if the file holds something else or does not exist.
    ///
    /// # Errors
    /// When a file is unreadable or damaged: it may hold an hour of work, and is not overwritten.
    fn begun(&self) -> Result<Endgames> {
        match wire::endgames::read(&self.file) {
            Ok(tables) => Ok(tables),
            Err(
                DiceTablesError::Tables(EndgamesError::NotTables)
                | DiceTablesError::File(FileError::NotRegular),
            ) => Ok(Endgames::empty()),
            Err(DiceTablesError::File(FileError::Io(error)))
                if error.kind() == ErrorKind::NotFound =>
            {
                Ok(Endgames::empty())
            }
            Err(error) => Err(error).with_context(|| {
                let name = self.file.display();
                format!("{name} may hold endgames already; remove it to compute them from scratch")
            }),
        }
    }

    /// Writes the file and prints its size.
    fn save(&self, bytes: &[u8], say: &mut impl FnMut(String)) -> Result<()> {
        let name = self.file.display();
        save(&self.file, bytes).with_context(|| format!("{name} cannot be written"))?;
        say(format!("{name}: {} bytes", bytes.len()));
        Ok(())
    }
}
