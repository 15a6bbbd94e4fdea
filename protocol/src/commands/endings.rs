//! `fauve endings`: makes the file that the option `DiceTables` reads, or the tables of two-move chess that are part of the program.

use crate::terminal::Printer;
use crate::wire;
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
    Takes some seconds of all processors and half a gigabyte of memory. With --men 4 also of two pieces, of one side or of both: \
    an hour of two processors and ten gigabytes; what was interrupted goes on with the same command.\n\n\
    With --variant twomove: king and man against king, and king and piece against king and piece, the distance to \
    mate, as it is part of the program. Takes half a minute of a processor and a hundred megabytes of memory.")]
pub struct Arguments {
    /// Where the tables are written; an existing file is replaced.
    file: PathBuf,

    /// DiceChess: the most men of a position, 3 or 4 [default: 3]
    #[arg(long, value_parser = clap::value_parser!(u8).range(3..=4))]
    men: Option<u8>,
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
            variant != Variant::TwoMove || self.men.is_none(),
            "--men is for the tables of DiceChess"
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
        let bytes = match variant {
            Variant::TwoMove => Self::twomove(&mut say),
            _ => self.dice(&mut say)?,
        };
        self.save(&bytes)?;
        printed?;
        writeln!(out, "{name}: {} bytes", bytes.len())?;
        Ok(())
    }

    /// The tables of DiceChess; says what was solved. Those of four men are an hour's work: the file has what is done after each
    /// class, and one that was begun is gone on with.
    fn dice(&self, say: &mut impl FnMut(String)) -> Result<Vec<u8>> {
        let most_men = u32::from(self.men.unwrap_or(3));
        let mut tables = Endings::empty();
        if let Some(begun) = self.begun() {
            ensure!(
                most_men >= begun.most_men(),
                "{} has endings of four men already: --men 4 goes on with them",
                self.file.display()
            );
            if most_men > 3 {
                say(format!("going on after {} classes", begun.classes()));
                tables = begun;
            }
        }
        while let Some(next) = tables.with_next(most_men, &mut |class| {
            let rank = class
                .rank
                .map_or_else(String::new, |rank| format!(", rank {rank}"));
            say(format!(
                "{}{rank}: {} positions, {} turns, last change {:.1e}",
                class.men, class.positions, class.turns, class.change
            ));
        }) {
            tables = next;
            if tables.most_men() > 3 {
                self.save(&tables.to_bytes())?;
            }
        }
        Ok(tables.to_bytes())
    }

    /// The tables that the file has already, if it has any.
    fn begun(&self) -> Option<Endings> {
        wire::endings::read(self.file.to_str()?).ok()
    }

    /// Writes the file.
    fn save(&self, bytes: &[u8]) -> Result<()> {
        save(&self.file, bytes)
            .with_context(|| format!("{} cannot be written", self.file.display()))
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
