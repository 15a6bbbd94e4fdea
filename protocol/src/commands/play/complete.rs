use super::keyboard::COMMANDS;
use crate::terminal::Complete;
use fauve_engine::rules::{Notation, legal_steps};
use fauve_game::read;

/// Completion of a word: commands, and the legal steps after the steps already typed.
pub(super) fn complete<G: Notation>(position: G) -> Complete {
    Box::new(move |before, word| {
        let mut words: Vec<String> = Vec::new();
        if before.trim().is_empty() {
            let names = COMMANDS
                .iter()
                .flat_map(|(usage, _)| usage.split(", "))
                .filter_map(|usage| usage.split(' ').next());
            words.extend(names.map(str::to_owned));
        }
        let (done, mut after) = match word.rsplit_once(',') {
            Some((done, _)) => (format!("{done},"), position),
            None => (String::new(), position),
        };
        if let Some(turn) = done
            .strip_suffix(',')
            .and_then(|done| read::turn(&position, done))
        {
            turn.iter().for_each(|&step| after.play(step));
        }
        for step in legal_steps(&after) {
            words.push(done.clone() + &after.step_token(step));
            words.push(done.clone() + &after.step_san(step));
        }
        words.retain(|known| known.starts_with(word));
        words.sort();
        words.dedup();
        words
    })
}
