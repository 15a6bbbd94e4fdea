//! `fauve endgames`: makes the file that the option `DiceTables` reads, or the tables of two-move chess that are part of the program.

use crate::terminal::Printer;
use crate::wire;
use crate::wire::endgames::DiceTablesError;
use crate::wire::file::FileError;
use anyhow::{Context, Result, ensure};
use fauve_engine::Variant;
use fauve_engine::eval::endgames::{Endgames, EndgamesError};
use fauve_engine::eval::twomove::endgames as twomove;
use fauve_referee::record::save::{can_save, save};
use std::io::ErrorKind;
use std::path::PathBuf;

/// What may follow `fauve endgames`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve endgames dice.tables\n  \
    fauve analyse --variant dicechess --tables dice.tables 8/8/8/3k4/8/8/1P6/K7 w - - 0 1\n\n\
    The probability to win of every position of DiceChess with at most three pieces, by value iteration. \
    Takes some seconds of all processors and half a gigabyte of memory. With --pieces 4 also of two pieces: of one side each a \
    quarter of an hour of two processors and seven gigabytes, then both of one side, which takes longer and up to fifteen \
    gigabytes. What was interrupted goes on with the same command, and what is done can be used.\n\n\
    With --variant twomove: king and piece against king, and king and piece against king and piece, the distance to \
    mate, as it is part of the program. Takes a minute of a processor and two hundred megabytes of memory.")]
pub struct Arguments {
    /// Where the tables are written; an existing file is replaced, but one with endgames of four pieces is gone on with or kept
    file: PathBuf,

    /// DiceChess: the most pieces of a position, 3 or 4 [default: 3]
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    pieces: Option<u8>,
}

impl Arguments {
    /// Makes the tables and writes them.
    ///
    /// # Errors
    /// When the file cannot be written, or standard output takes no more.
    pub fn run(&self, variant: Variant) -> Result<()> {
        let name = self.file.display();
        ensure!(!self.file.is_dir(), "{name} is a directory");
        ensure!(
            variant != Variant::TwoMove || self.pieces.is_none(),
            "--pieces is for the tables of DiceChess"
        );
        // Before minutes are spent: whether there is a place for them.
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
            "{name} has endgames of DiceChess with four pieces: --pieces 4 goes on with them"
        );
        match variant {
            Variant::TwoMove => self.save(&Self::twomove(&mut say), &mut say)?,
            _ if most_pieces > 3 => self.dice(begun, most_pieces, &mut say)?,
            _ => self.dice(Endgames::empty(), most_pieces, &mut say)?,
        }
        Ok(printed?)
    }

    /// Adds to these tables of DiceChess what is missing, and says what was solved. Those of four pieces are an hour's work: the file
    /// gets each class of them when it is done.
    fn dice(
        &self,
        mut tables: Endgames,
        most_pieces: u32,
        say: &mut impl FnMut(String),
    ) -> Result<()> {
        if tables.classes() > 0 {
            say(format!("{} classes are there", tables.classes()));
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

    /// The tables of DiceChess that the file has already; of a file that is something else none.
    ///
    /// # Errors
    /// When there is a file that cannot be read, or a damaged one: it may be an hour's work.
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
                format!("{name} may have endgames already; without it they are made anew")
            }),
        }
    }

    /// Writes the file, and says so.
    fn save(&self, bytes: &[u8], say: &mut impl FnMut(String)) -> Result<()> {
        let name = self.file.display();
        save(&self.file, bytes).with_context(|| format!("{name} cannot be written"))?;
        say(format!("{name}: {} bytes", bytes.len()));
        Ok(())
    }

    /// The tables of two-move chess; says what was solved.
    fn twomove(say: &mut impl FnMut(String)) -> Vec<u8> {
        twomove::make(&mut |class| {
            let [white, black] = class.pieces;
            for (side, counts) in ["White", "Black"].into_iter().zip(class.counts) {
                say(format!(
                    "K{white}k{}, {side} to move: {} legal places, {} won, {} lost, turns to the longest mate: {}",
                    black.to_ascii_lowercase(),
                    counts.legal,
                    counts.won,
                    counts.lost,
                    counts.longest.div_ceil(2)
                ));
            }
        })
    }
}
