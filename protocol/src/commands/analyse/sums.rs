use super::assess::Assessed;
use crate::terminal::{PrintError, Printer};
use fauve_game::report::SideReport;

/// The sums of one player.
#[derive(Default)]
pub(super) struct Sums {
    report: SideReport,
    loss_cp: i64,
}

impl Sums {
    /// Counts a turn.
    pub(super) fn add(&mut self, assessed: &Assessed) {
        assessed.count_in(&mut self.report);
        self.loss_cp += i64::from(assessed.loss_cp.unwrap_or(0));
    }
}

/// The rows that all games have: what they are called, and what they say of a side.
pub(super) type Row = (&'static str, fn(&SideReport) -> String);

/// How good the turns were.
pub(super) const QUALITY_ROWS: [Row; 5] = [
    ("accuracy", SideReport::accuracy_text),
    ("best turns", |side| side.best.to_string()),
    ("inaccuracies", |side| side.inaccuracies.to_string()),
    ("mistakes", |side| side.mistakes.to_string()),
    ("blunders", |side| side.blunders.to_string()),
];

/// What was lost.
pub(super) const ERROR_ROWS: [Row; 2] = [
    ("total error, points", |side| format!("{:.3}", side.error)),
    ("worst turn, points", |side| format!("{:.3}", side.worst)),
];

/// Prints the sums of White and Black side by side.
pub(super) fn print_sums(out: &mut Printer, sums: &[Sums; 2]) -> Result<(), PrintError> {
    let per_turn = |sum: &Sums, of: f64| of / f64::from(sum.report.turns.max(1));
    writeln!(out, "{:<28} {:>10} {:>10}", "", "White", "Black")?;
    let mut row = |name: &str, text: &dyn Fn(&Sums) -> String| {
        let [white, black] = [text(&sums[0]), text(&sums[1])];
        writeln!(out, "{name:<28} {white:>10} {black:>10}")
    };
    row("turns", &|sum| sum.report.turns.to_string())?;
    for (name, text) in QUALITY_ROWS {
        row(name, &|sum| text(&sum.report))?;
    }
    row("error per turn, points", &|sum| {
        format!("{:.4}", per_turn(sum, sum.report.error))
    })?;
    row("loss per turn, pawns", &|sum| {
        format!("{:.2}", per_turn(sum, sum.loss_cp as f64 / 100.0))
    })?;
    for (name, text) in ERROR_ROWS {
        row(name, &|sum| text(&sum.report))?;
    }
    Ok(())
}
