use super::assess::Assessed;
use crate::terminal::{PrintError, Printer};
use fauve_game::assess::{BLUNDER, MISTAKE};

/// The sums of one player.
#[derive(Default)]
pub(super) struct Sums {
    turns: u32,
    loss_cp: i64,
    error: f64,
    worst: f64,
    mistakes: u32,
    blunders: u32,
}

impl Sums {
    /// Counts a turn.
    pub(super) fn add(&mut self, assessed: &Assessed) {
        self.turns += 1;
        self.loss_cp += i64::from(assessed.loss_cp.unwrap_or(0));
        self.error += assessed.error;
        self.worst = self.worst.max(assessed.error);
        self.blunders += u32::from(assessed.error >= BLUNDER);
        self.mistakes += u32::from((MISTAKE..BLUNDER).contains(&assessed.error));
    }
}

/// Prints the sums of White and Black side by side.
pub(super) fn print_sums(out: &mut Printer, sums: &[Sums; 2]) -> Result<(), PrintError> {
    writeln!(out, "{:<28} {:>10} {:>10}", "", "White", "Black")?;
    let mut row = |name: &str, text: &dyn Fn(&Sums) -> String| {
        let [white, black] = [text(&sums[0]), text(&sums[1])];
        writeln!(out, "{name:<28} {white:>10} {black:>10}")
    };
    row("turns", &|sum| sum.turns.to_string())?;
    row("error per turn, points", &|sum| {
        format!("{:.4}", sum.error / f64::from(sum.turns.max(1)))
    })?;
    row("loss per turn, pawns", &|sum| {
        let pawns = sum.loss_cp as f64 / 100.0;
        format!("{:.2}", pawns / f64::from(sum.turns.max(1)))
    })?;
    row("error in all, points", &|sum| format!("{:.3}", sum.error))?;
    row("worst turn, points", &|sum| format!("{:.3}", sum.worst))?;
    row("mistakes / blunders", &|sum| {
        format!("{} / {}", sum.mistakes, sum.blunders)
    })
}
