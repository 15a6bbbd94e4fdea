//! A problem as composers look at it: set play, keys, the threat, variations, duals, and whether it is sound.

use crate::terminal::{PrintError, Printer};
use fauve_engine::rules::{Turn, for_each_turn, position_after, turn_san, turn_token};
use fauve_engine::search::{Control, Engine};
use std::collections::HashMap;
use std::str::FromStr;

/// Number of turns that are named where more have the same answer.
const MOST: usize = 8;

/// What is asked for: mate in this many own turns, `#2`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Stipulation(pub(super) u32);

impl FromStr for Stipulation {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let turns = text.strip_prefix('#').and_then(|turns| turns.parse().ok());
        match turns {
            Some(turns @ 1..=32) => Ok(Self(turns)),
            _ => Err("a direct mate in 1 to 32 turns is written #1 to #32".to_owned()),
        }
    }
}

/// Turns that lead to one position: in two-move chess two moves in either order.
pub(super) struct Way<G: Engine> {
    turns: Vec<Turn<G::Step>>,
    /// The position that they lead to.
    pub(super) after: G,
}

impl<G: Engine> Way<G> {
    /// The turn as people read it.
    pub(super) fn name(&self, before: &G) -> String {
        let orders = if self.turns.len() > 1 {
            " (in any order)"
        } else {
            ""
        };
        turn_san(before, &self.turns[0]) + orders
    }

    fn token(&self, before: &G) -> String {
        turn_token(before, &self.turns[0])
    }
}

/// The turns by the positions that they lead to, in their order.
pub(super) fn ways<G: Engine>(
    before: &G,
    turns: impl IntoIterator<Item = Turn<G::Step>>,
) -> Vec<Way<G>> {
    let mut ways: Vec<Way<G>> = Vec::new();
    let mut places = HashMap::new();
    for turn in turns {
        let after = position_after(before, &turn);
        let place = *places.entry(after.key()).or_insert(ways.len());
        match ways.get_mut(place) {
            Some(way) => way.turns.push(turn),
            None => ways.push(Way {
                turns: vec![turn],
                after,
            }),
        }
    }
    ways
}

/// All legal turns.
pub(super) fn all<G: Engine>(position: &G) -> Vec<Way<G>> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, _| turns.push(Turn::from_slice(turn)));
    ways(position, turns)
}

/// The ways to force mate within this many turns.
pub(super) fn keys<G: Engine>(position: &G, left: u32) -> Vec<Way<G>> {
    ways(position, position.solve(left, &Control::default()).keys)
}

/// The output, and what it says in the end.
pub(super) struct Problem {
    pub(super) out: Printer,
    /// Whether tries are shown: other first turns that one answer alone refutes.
    pub(super) with_tries: bool,
}

impl Problem {
    /// Prints the whole of it; says whether there is a key.
    pub(super) fn show<G: Engine>(
        &mut self,
        position: &G,
        stipulation: Stipulation,
    ) -> Result<bool, PrintError> {
        let turns = stipulation.0;
        writeln!(self.out, "#{turns}")?;
        if turns > 1 {
            self.set_play(position, turns - 1)?;
        }
        let found = keys(position, turns);
        for key in &found {
            self.key(position, key, turns - 1)?;
        }
        if self.with_tries {
            self.tries(position, &found, turns - 1)?;
        }
        if (1..turns).any(|sooner| !keys(position, sooner).is_empty()) {
            writeln!(self.out, "there is a mate in fewer turns")?;
        }
        match found.len() {
            0 => writeln!(self.out, "no solution")?,
            1 => writeln!(self.out, "sound: one key")?,
            keys => writeln!(self.out, "cooked: {keys} keys")?,
        }
        Ok(!found.is_empty())
    }

    /// What would be mated if the other side had to move.
    fn set_play<G: Engine>(&mut self, position: &G, left: u32) -> Result<(), PrintError> {
        let Some(passed) = position.null_move() else {
            return Ok(());
        };
        let answers = all(&passed);
        let mut lines = Lines::default();
        for answer in &answers {
            lines.add(answer.name(&passed), replies(&answer.after, left, 2));
        }
        let mated = lines.mated;
        writeln!(
            self.out,
            "set play: mated after {mated} of {}",
            answers.len()
        )?;
        lines.print(&mut self.out, 1, false)
    }

    fn key<G: Engine>(&mut self, position: &G, key: &Way<G>, left: u32) -> Result<(), PrintError> {
        writeln!(self.out, "1. {}", key.name(position))?;
        if left == 0 || !key.after.has_turn() {
            return Ok(());
        }
        let threats: Vec<Reply> = key.after.null_move().map_or_else(Vec::new, |passed| {
            let reply = |threat: &Way<G>| Reply::of(threat, &passed);
            keys(&passed, left).iter().map(reply).collect()
        });
        if threats.is_empty() {
            writeln!(self.out, "  no threat")?;
        } else {
            writeln!(
                self.out,
                "  threat: 2. {}",
                named(threats.iter().map(|threat| &threat.name))
            )?;
        }
        let answers = all(&key.after);
        let mut lines = Lines::default();
        let mut threatened = 0;
        for answer in &answers {
            let mates = replies(&answer.after, left, 2);
            // Where the threat goes through, nothing is to be said.
            let is_threat =
                |reply: &Reply| threats.iter().any(|threat| threat.token == reply.token);
            if mates.iter().any(is_threat) {
                threatened += 1;
            } else {
                lines.add(answer.name(&key.after), mates);
            }
        }
        lines.print(&mut self.out, 1, true)?;
        if threatened > 0 {
            writeln!(
                self.out,
                "  the threat is carried out after {threatened} more"
            )?;
        }
        if lines.duals > 0 {
            writeln!(self.out, "  duals: {}", lines.duals)?;
        }
        Ok(())
    }

    /// The first turns that one answer alone refutes.
    fn tries<G: Engine>(
        &mut self,
        position: &G,
        found: &[Way<G>],
        left: u32,
    ) -> Result<(), PrintError> {
        for way in all(position) {
            if left == 0 || found.iter().any(|key| key.after == way.after) {
                continue;
            }
            let mut refutations = all(&way.after);
            refutations.retain(|answer| keys(&answer.after, left).is_empty());
            if let [refutation] = &refutations[..] {
                let (name, answer) = (way.name(position), refutation.name(&way.after));
                writeln!(self.out, "try 1. {name}? {answer}!")?;
            }
        }
        Ok(())
    }
}

/// The turns that mate in time, with what follows them where that takes more than one.
fn replies<G: Engine>(position: &G, left: u32, number: u32) -> Vec<Reply> {
    let mut found = Vec::new();
    for way in keys(position, left) {
        let mut reply = Reply::of(&way, position);
        if left > 1 && way.after.has_turn() {
            let mut lines = Lines::default();
            for answer in all(&way.after) {
                let next = replies(&answer.after, left - 1, number + 1);
                lines.add(answer.name(&way.after), next);
            }
            reply.lines = lines.text(number, false);
        }
        found.push(reply);
    }
    found
}

/// A turn that mates in time.
#[derive(PartialEq)]
struct Reply {
    token: String,
    name: String,
    /// What follows it, each line with a line break before it; empty where it mates at once.
    lines: String,
}

impl Reply {
    /// A turn without what follows it.
    fn of<G: Engine>(way: &Way<G>, before: &G) -> Self {
        Self {
            token: way.token(before),
            name: way.name(before),
            lines: String::new(),
        }
    }
}

/// Answers by what follows them.
#[derive(Default)]
struct Lines {
    groups: Vec<(Vec<Reply>, Vec<String>)>,
    /// Answers that are mated in time.
    mated: usize,
    /// Answers after which more than one turn mates.
    duals: usize,
}

impl Lines {
    fn add(&mut self, answer: String, replies: Vec<Reply>) {
        if replies.is_empty() {
            return;
        }
        self.mated += 1;
        self.duals += usize::from(replies.len() > 1);
        match self.groups.iter_mut().find(|(known, _)| *known == replies) {
            Some((_, answers)) => answers.push(answer),
            None => self.groups.push((replies, vec![answer])),
        }
    }

    /// A line for each group, with the number of the answers' turn; each with a line break before it. Mates at once share a line, and
    /// each other turn has its own, with what follows it below.
    fn text(&self, number: u32, marks_duals: bool) -> String {
        let mut text = String::new();
        for (replies, answers) in &self.groups {
            let dual = if marks_duals && replies.len() > 1 {
                "  (dual)"
            } else {
                ""
            };
            let indent = "  ".repeat(number as usize);
            let (mates, longer): (Vec<_>, Vec<_>) =
                replies.iter().partition(|reply| reply.lines.is_empty());
            let mates: Vec<_> = mates.iter().map(|reply| &reply.name).collect();
            let mates = (!mates.is_empty()).then(|| (named(mates.into_iter()), ""));
            let longer = longer
                .iter()
                .map(|reply| (reply.name.clone(), reply.lines.as_str()));
            let next = number + 1;
            text.push_str(&format!("\n{indent}{number}... {}", named(answers.iter())));
            for (place, (names, lines)) in mates.into_iter().chain(longer).enumerate() {
                if place == 0 {
                    text.push_str(&format!("  {next}. {names}{dual}{lines}"));
                } else {
                    text.push_str(&format!("\n{indent}or {next}. {names}{lines}"));
                }
            }
        }
        text
    }

    fn print(&self, out: &mut Printer, number: u32, marks_duals: bool) -> Result<(), PrintError> {
        let text = self.text(number, marks_duals);
        match text.strip_prefix('\n') {
            Some(text) => writeln!(out, "{text}"),
            None => Ok(()),
        }
    }
}

/// Some names of a list.
fn named<'a>(names: impl ExactSizeIterator<Item = &'a String>) -> String {
    let more = names.len().saturating_sub(MOST);
    let first: Vec<&str> = names.take(MOST).map(String::as_str).collect();
    match more {
        0 => first.join(" or "),
        more => format!("{} or {more} more", first.join(" or ")),
    }
}
