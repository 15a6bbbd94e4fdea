//! What is said about the parameters.

use crate::tuning::state::State;
use std::fmt::Write;

impl State {
    /// One line: how the games went, and where the parameters are.
    pub fn brief(&self) -> String {
        let [wins, draws, losses] = self.games;
        let mut line = format!("+{wins} ={draws} -{losses} ");
        for (parameter, value) in self.settings.schedule.parameters.iter().zip(&self.values) {
            let _ = write!(line, " {} {value:.2}", parameter.name);
        }
        line
    }

    /// The values before and after, and the words with which `fauve match` plays them.
    pub fn report(&self) -> String {
        let parameters = &self.settings.schedule.parameters;
        let longest = parameters
            .iter()
            .map(|parameter| parameter.name.len())
            .max();
        let width = longest.unwrap_or_default().max("parameter".len());
        let mut text = format!(
            "After {} of {} pairs\n{:width$} {:>8} {:>10} {:>8} {:>8} {:>8}  range\n",
            self.pairs,
            self.settings.schedule.pairs,
            "parameter",
            "before",
            "after",
            "rounded",
            "moved",
            "step"
        );
        for (parameter, value) in parameters.iter().zip(&self.values) {
            let _ = writeln!(
                text,
                "{:width$} {:>8} {value:>10.3} {:>8} {:>+8.2} {:>8}  {} to {}",
                parameter.name,
                parameter.start,
                value.round(),
                (value - parameter.start) / parameter.step,
                parameter.step,
                parameter.min,
                parameter.max
            );
        }
        text.push_str("moved: in steps; to play the values: proto=internal");
        for (parameter, value) in parameters.iter().zip(&self.values) {
            let _ = write!(text, " param.{}={}", parameter.name, value.round());
        }
        text.push('\n');
        text
    }
}
