//! `fauve endings`: makes the file that the option `DiceTables` reads, or the tables of two-move chess that are part of the program.

use crate::terminal::Printer;
use anyhow::{Context, Result, ensure};
use fauve_engine::Variant;
use fauve_engine::eval::endings::Endings;
use fauve_engine::eval::twomove::endings as twomove;
use fauve_referee::record::save::{can_save, save};
use std::path::PathBuf;

/// What may follow `fauve endings`.
#[derive(clap::Args, Debug)]
#[command(after_help = "Examples:\n  \
    fauve endings dice.tables\n  \
    fauve analyse --variant dicechess --tables dice.tables 8/8/8/3k4/8/8/1P6/K7 w - - 0 1\n\n\
    The probability to win of every position of DiceChess with at most three men, by value iteration. \
    Takes a minute or two of all processors and half a gigabyte of memory.\n\n\
    With --variant twomove: king and man against king, and king and piece against king and piece, the distance to \
    mate, as it is part of the program. Takes half a minute of a processor and a hundred megabytes of memory.")]
pub struct Arguments {
    /// Where the tables are written; an existing file is replaced.
    file: PathBuf,
}

impl Arguments {
    /// Makes the tables and writes them.
    ///
    /// # Errors
    /// When the file cannot be written, or standard output takes no more.
    pub fn run(&self, variant: Variant) -> Result<()> {
        let name = self.file.display();
        ensure!(!self.file.is_dir(), "{name} is a directory");
        // Before minutes are spent: whether there is a place for them.
        let unwritten = || format!("{name} cannot be written");
        can_save(&self.file).with_context(unwritten)?;
        let mut out = Printer::default();
        let mut printed = Ok(());
        let mut say = |line: String| {
            if printed.is_ok() {
                printed = writeln!(out, "{line}").and_then(|()| out.flush());
            }
        };
        let bytes = match variant {
            Variant::TwoMove => Self::twomove(&mut say),
            _ => Self::dice(&mut say).to_bytes(),
        };
        save(&self.file, &bytes).with_context(unwritten)?;
        printed?;
        writeln!(out, "{name}: {} bytes", bytes.len())?;
        Ok(())
    }

    /// The tables of DiceChess; says what was solved.
    fn dice(say: &mut impl FnMut(String)) -> Endings {
        Endings::solve(&mut |class| {
            let rank = class
                .rank
                .map_or_else(String::new, |rank| format!(", rank {rank}"));
            say(format!(
                "K{}k{rank}: {} positions, last change {:.1e}",
                class.man.to_string().trim(),
                class.positions,
                class.change
            ));
        })
    }

    /// The tables of two-move chess; says what was solved.
    fn twomove(say: &mut impl FnMut(String)) -> Vec<u8> {
        twomove::make(&mut |class| {
            let [white, black] = class.men;
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
