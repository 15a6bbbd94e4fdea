//! Players that speak UCI or UGI.

use super::process::Process;
use super::spec::{EngineSpec, Protocol};
use super::{Driver, Failure, GREETING, STOPPING, Task, Thought};
use fauve_engine::Variant;
use std::fmt::Write;
use std::time::Instant;

/// A program that speaks UCI or UGI.
#[derive(Debug)]
pub struct Uci {
    process: Process,
    ugi: bool,
}

impl Uci {
    /// Starts the program, sets the game, the rule switches that it knows, and its options.
    ///
    /// # Errors
    /// When it does not start, does not greet, or does not know the game.
    pub fn start(
        spec: &EngineSpec,
        variant: Variant,
        rules: &[(String, String)],
    ) -> Result<Self, Failure> {
        let ugi = spec.protocol == Protocol::Ugi;
        let mut engine = Self {
            process: Process::start(spec)?,
            ugi,
        };
        let (hello, done) = if ugi {
            ("ugi", "ugiok")
        } else {
            ("uci", "uciok")
        };
        engine.process.send(hello);
        let mut options = Vec::new();
        engine.process.wait_for(GREETING, |line| {
            options.extend(OptionLine::parse(line));
            (line.trim() == done).then_some(())
        })?;
        engine.set_variant(spec, variant, &options)?;
        for (name, value) in rules {
            if options
                .iter()
                .any(|option| option.name.eq_ignore_ascii_case(name))
            {
                engine.set_option(name, value);
            }
        }
        for (name, value) in &spec.options {
            if !options
                .iter()
                .any(|option| option.name.eq_ignore_ascii_case(name))
            {
                return Err(Failure::Refused(format!("it has no option '{name}'")));
            }
            engine.set_option(name, value);
        }
        engine.wait_ready()?;
        Ok(engine)
    }

    fn set_variant(
        &self,
        spec: &EngineSpec,
        variant: Variant,
        options: &[OptionLine],
    ) -> Result<(), Failure> {
        let choices = options
            .iter()
            .find(|option| option.name.eq_ignore_ascii_case("UCI_Variant"))
            .map(|option| option.choices.as_slice());
        let wanted = match (&spec.variant, choices) {
            (Some(name), _) => Some(name.as_str()),
            (None, Some(choices)) => choices
                .iter()
                .map(String::as_str)
                .find(|choice| Variant::from_name(choice) == Some(variant)),
            (None, None) => None,
        };
        match wanted {
            Some(name) => self.set_option("UCI_Variant", name),
            // A program without the option plays one game; which one its user knows.
            None if choices.is_none() => {}
            None => {
                return Err(Failure::Refused(format!(
                    "its UCI_Variant has no {variant}; give the engine variant=NAME if it has another name for it"
                )));
            }
        }
        Ok(())
    }

    fn set_option(&self, name: &str, value: &str) {
        self.process.send(&if value.is_empty() {
            format!("setoption name {name}")
        } else {
            format!("setoption name {name} value {value}")
        });
    }

    fn wait_ready(&mut self) -> Result<(), Failure> {
        self.process.send("isready");
        self.process
            .wait_for(GREETING, |line| (line.trim() == "readyok").then_some(()))
    }

    fn position_line(task: &Task<'_>) -> String {
        if task.has_dice {
            return format!("position fen {}", task.fen);
        }
        let mut line = if task.start == "startpos" {
            "position startpos".to_owned()
        } else {
            format!("position fen {}", task.start)
        };
        if !task.tokens.is_empty() {
            line.push_str(" moves");
            for token in task.tokens {
                line.push(' ');
                line.push_str(token);
            }
        }
        line
    }

    fn go_line(&self, task: &Task<'_>) -> String {
        let mut line = "go".to_owned();
        if task.limit.clock.is_some() {
            let words = if self.ugi {
                ["p1time", "p2time", "p1inc", "p2inc"]
            } else {
                ["wtime", "btime", "winc", "binc"]
            };
            let times = task.left.iter().chain(&task.increments);
            for (word, time) in words.into_iter().zip(times) {
                push(&mut line, word, time.as_millis());
            }
        }
        if let Some(time) = task.limit.movetime {
            push(&mut line, "movetime", time);
        }
        if let Some(nodes) = task.limit.nodes {
            push(&mut line, "nodes", nodes);
        }
        if let Some(depth) = task.limit.depth {
            push(&mut line, "depth", depth);
        }
        line
    }

    fn read_answer(
        &mut self,
        since: Instant,
        deadline: Instant,
        thought: &mut Thought,
    ) -> Result<(), Failure> {
        loop {
            let line = self.process.line_before(deadline)?;
            let mut words = line.text.split_whitespace();
            match words.next() {
                Some("info") => read_info(words, thought),
                Some("bestmove") => {
                    words
                        .next()
                        .unwrap_or_default()
                        .clone_into(&mut thought.token);
                    thought.elapsed = line.at.saturating_duration_since(since);
                    return Ok(());
                }
                _ => {}
            }
        }
    }
}

fn push(line: &mut String, word: &str, value: impl std::fmt::Display) {
    write!(line, " {word} {value}").expect("writing to a string does not fail");
}

impl Driver for Uci {
    fn new_game(&mut self) -> Result<(), Failure> {
        self.process
            .send(if self.ugi { "uginewgame" } else { "ucinewgame" });
        self.wait_ready()
    }

    fn think(&mut self, task: &Task<'_>) -> Result<Thought, Failure> {
        self.process.drain();
        self.process.send(&Self::position_line(task));
        let mut thought = Thought::default();
        let since = Instant::now();
        self.process.send(&self.go_line(task));
        match self.read_answer(since, since + task.patience, &mut thought) {
            // A program that only thinks too long can stay for the next game.
            Err(Failure::Stalled) => {
                self.process.send("stop");
                self.read_answer(since, Instant::now() + STOPPING, &mut thought)?;
            }
            other => other?,
        }
        Ok(thought)
    }
}

impl Drop for Uci {
    fn drop(&mut self) {
        self.process.finish("quit");
    }
}

/// Reads the words after `info`: depth, nodes and value of the first line. Bounds count too; an exact value follows
/// before `bestmove` where the engine has one.
fn read_info<'a>(mut words: impl Iterator<Item = &'a str>, thought: &mut Thought) {
    let mut update = thought.clone();
    while let Some(word) = words.next() {
        match word {
            "multipv" if words.next().is_some_and(|number| number != "1") => return,
            "depth" => {
                update.depth = words
                    .next()
                    .and_then(|text| text.parse().ok())
                    .or(update.depth);
            }
            "nodes" => {
                update.nodes = words
                    .next()
                    .and_then(|text| text.parse().ok())
                    .or(update.nodes);
            }
            "score" => {
                let kind = words.next();
                let value = words.next().and_then(|text| text.parse().ok());
                match kind {
                    Some("cp") => (update.cp, update.mate) = (value, None),
                    Some("mate") => (update.cp, update.mate) = (None, value),
                    _ => {}
                }
            }
            "pv" | "string" => break,
            _ => {}
        }
    }
    *thought = update;
}

/// `option name NAME type combo default X var A var B`.
#[derive(Clone, PartialEq, Eq, Debug)]
struct OptionLine {
    name: String,
    choices: Vec<String>,
}

impl OptionLine {
    fn parse(line: &str) -> Option<Self> {
        let rest = line.trim().strip_prefix("option name ")?;
        let (name, rest) = rest.split_once(" type ")?;
        Some(Self {
            name: name.trim().to_owned(),
            choices: rest
                .split(" var ")
                .skip(1)
                .map(|choice| choice.trim().to_owned())
                .collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_options_and_infos() {
        let option = OptionLine::parse(
            "option name UCI_Variant type combo default chess var chess var super var dicechess",
        )
        .unwrap();
        assert_eq!(option.name, "UCI_Variant");
        assert_eq!(option.choices, ["chess", "super", "dicechess"]);
        assert_eq!(OptionLine::parse("id name x"), None);

        let mut thought = Thought::default();
        let read = |line: &str, thought: &mut Thought| read_info(line.split_whitespace(), thought);
        read(
            "depth 7 seldepth 9 multipv 1 score cp -31 nodes 1234 nps 9 pv e2e4 score",
            &mut thought,
        );
        assert_eq!((thought.cp, thought.mate), (Some(-31), None));
        assert_eq!((thought.depth, thought.nodes), (Some(7), Some(1234)));
        read("depth 8 multipv 2 score cp 500", &mut thought);
        assert_eq!((thought.cp, thought.depth), (Some(-31), Some(7)));
        read("depth 9 score mate -2 lowerbound", &mut thought);
        assert_eq!(
            (thought.cp, thought.mate, thought.depth),
            (None, Some(-2), Some(9))
        );
        read("string score cp 4", &mut thought);
        assert_eq!(thought.mate, Some(-2));
        read("depth x nodes score", &mut thought);
    }
}
