use crate::wire::report::{Best, OutputFormat, PvLine};
use fauve_engine::search::{Bound, Score};

/// The output syntax of UCI.
pub struct UciFormat;

impl OutputFormat for UciFormat {
    fn pv(&self, line: &PvLine) -> String {
        let score = match line.score {
            Score::Cp(value) => format!("cp {value}"),
            Score::Mate(turns) => format!("mate {turns}"),
        };
        let bound = match line.bound {
            Bound::Exact => "",
            Bound::Lower => " lowerbound",
            Bound::Upper => " upperbound",
        };
        let wdl = match line.wdl {
            Some([win, draw, loss]) => format!(" wdl {win} {draw} {loss}"),
            None => String::new(),
        };
        if line.nodes == 0 && line.pv.is_empty() {
            return format!("info depth 0 score {score}{wdl}");
        }
        let mut text = format!(
            "info depth {} seldepth {} multipv {} score {score}{bound}{wdl} nodes {} nps {} hashfull {} time {}",
            line.depth,
            line.seldepth,
            line.multipv,
            line.nodes,
            line.nps(),
            line.hashfull,
            line.time.as_millis(),
        );
        if !line.pv.is_empty() {
            text.push_str(" pv ");
            text.push_str(&line.pv.join(" "));
        }
        text
    }

    fn current(&self, depth: u32, token: &str, number: usize) -> Option<String> {
        Some(format!(
            "info depth {depth} currmove {token} currmovenumber {number}"
        ))
    }

    fn message(&self, text: &str) -> String {
        format!("info string {text}")
    }

    fn best(&self, best: &Best) -> String {
        match (&best.turn, &best.ponder) {
            (None, _) => "bestmove (none)".to_owned(),
            (Some(turn), None) => format!("bestmove {turn}"),
            (Some(turn), Some(ponder)) => format!("bestmove {turn} ponder {ponder}"),
        }
    }
}
