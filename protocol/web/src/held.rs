//! One open game.

use crate::ask::Limits;
use crate::search::Searcher;
use fauve_engine::Variant;
use fauve_engine::rules::{
    Notation, Roll, RuleSettings, legal_steps, position_after, printable, split_roll,
    try_each_turn, turn_san, turn_token,
};
use fauve_engine::search::{Control, Engine};
use fauve_game::explain::{Explain, why_not};
use fauve_game::played::Played;
use fauve_game::{pgn, read, start};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::ops::ControlFlow;

/// How many turns are listed unless told otherwise, and at most.
const TURNS: usize = 10_000;
const MOST_TURNS: usize = 1_000_000;

/// A game whose kind does not matter.
pub trait Open: Send {
    fn state(&self) -> Result<Value, String>;
    fn history(&self) -> Value;
    fn steps(&self) -> Value;
    fn turns(&self, limit: Option<usize>) -> Value;
    fn parse(&self, text: &str) -> Result<Value, String>;
    fn play(&mut self, text: &str) -> Result<(), String>;
    fn roll(&mut self, dice: Option<&str>) -> Result<(), String>;
    fn undo(&mut self) -> Result<(), String>;
    fn pgn(&mut self, tags: &BTreeMap<String, String>) -> String;
    fn board(&self) -> String;
    fn search(
        &self,
        limits: &Limits,
        searcher: &mut Searcher,
        control: &Control,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String>;
}

/// A game of one kind.
pub struct Held<G: Notation> {
    variant: Variant,
    played: Played<G>,
    warnings: Vec<String>,
}

impl<G: Engine + Explain> Held<G> {
    /// A game from a position on.
    pub fn begin(
        variant: Variant,
        position: Option<&str>,
        rules: &RuleSettings,
        seed: Option<&str>,
    ) -> Result<Self, String> {
        let options = rules.options();
        let start = start::position(position.unwrap_or_default(), &options)
            .map_err(|error| error.to_string())?;
        let seed = seed
            .map(|text| {
                text.parse().map_err(|_| {
                    format!(
                        "'{}' is not a seed: 1 to 16 hexadecimal digits",
                        printable(text)
                    )
                })
            })
            .transpose()?;
        let mut held = Self::of(variant, Played::new(start.position, options));
        held.played.seed = seed.or(start.seed);
        held.warnings = start.warnings;
        Ok(held)
    }

    /// A game that was played before.
    pub const fn of(variant: Variant, played: Played<G>) -> Self {
        Self {
            variant,
            played,
            warnings: Vec::new(),
        }
    }

    /// Says why there is no turn, if there is none.
    fn check_going_on(&self) -> Result<(), String> {
        match self.played.end_text() {
            Some(end) => Err(format!("the game is over: {end}")),
            None if self.played.position().awaits_roll() => Err("roll the dice first".to_owned()),
            None => Ok(()),
        }
    }
}

impl<G: Engine + Explain> Open for Held<G> {
    fn state(&self) -> Result<Value, String> {
        let (played, position) = (&self.played, self.played.position());
        let partial = turn_token(played.turn_start(), played.partial());
        Ok(json!({
            "variant": self.variant.name(),
            "position": position.fen(),
            "start": played.start().fen(),
            "side": position.side_to_move().name().to_lowercase(),
            "number": position.game_ply() / 2 + 1,
            "turns": played.turns().len(),
            "begun": partial,
            "inCheck": position.in_check(),
            "awaitsRoll": position.awaits_roll(),
            "dice": played.dice().map(|dice| dice.to_string()),
            "result": played.result_text(),
            "end": played.end_text(),
            "winner": played.end().and_then(|end| end.winner()).map(|side| side.name().to_lowercase()),
            "warnings": self.warnings,
        }))
    }

    fn history(&self) -> Value {
        let turns = self.played.turns().iter().map(|node| &node.turn);
        let turns: Vec<Value> = turns
            .map(|made| {
                json!({
                    "token": made.token(),
                    "san": made.san(),
                    "side": made.side().name().to_lowercase(),
                    "number": made.number(),
                    "dice": made.dice().map(|dice| dice.to_string()),
                })
            })
            .collect();
        json!({ "turns": turns })
    }

    fn steps(&self) -> Value {
        let position = self.played.position();
        if self.check_going_on().is_err() {
            return json!({ "steps": [] });
        }
        let steps: Vec<Value> = legal_steps(position)
            .into_iter()
            .map(|step| json!({ "token": position.step_token(step), "san": position.step_san(step) }))
            .collect();
        json!({ "steps": steps })
    }

    fn turns(&self, limit: Option<usize>) -> Value {
        let position = self.played.position();
        let limit = limit.unwrap_or(TURNS).min(MOST_TURNS);
        let mut turns = Vec::new();
        let mut complete = true;
        if self.check_going_on().is_ok() {
            let _: ControlFlow<()> = try_each_turn(position, &mut |turn, _| {
                if turns.len() == limit {
                    complete = false;
                    return ControlFlow::Break(());
                }
                turns.push(
                    json!({ "token": turn_token(position, turn), "san": turn_san(position, turn) }),
                );
                ControlFlow::Continue(())
            });
        }
        json!({ "turns": turns, "complete": complete })
    }

    fn parse(&self, text: &str) -> Result<Value, String> {
        self.check_going_on()?;
        let position = self.played.position();
        let turn = read::turn(position, text).ok_or_else(|| why_not(position, text))?;
        Ok(json!({
            "token": turn_token(position, &turn),
            "san": turn_san(position, &turn),
            "whole": !position_after(position, &turn).is_mid_turn(),
        }))
    }

    fn play(&mut self, text: &str) -> Result<(), String> {
        let (roll, text) = split_roll(text).map_err(|error| error.to_string())?;
        let before = *self.played.position();
        let given = roll.is_some();
        if let Some(roll) = roll {
            self.roll(Some(&roll.to_string()))?;
        }
        let made = self.check_going_on().and_then(|()| {
            let position = self.played.position();
            read::turn(position, text).ok_or_else(|| why_not(position, text))
        });
        match made {
            Ok(turn) => {
                self.played.play(&turn);
                Ok(())
            }
            Err(error) => {
                // Nothing has happened.
                if given && before.awaits_roll() {
                    self.played.undo_roll();
                }
                Err(error)
            }
        }
    }

    fn roll(&mut self, dice: Option<&str>) -> Result<(), String> {
        if let Some(end) = self.played.end_text() {
            return Err(format!("the game is over: {end}"));
        }
        if !self.played.position().awaits_roll() {
            return Err("no roll is due".to_owned());
        }
        let roll = match dice {
            Some(text) => {
                Roll::parse(text).ok_or_else(|| format!("'{}' is not a roll", printable(text)))?
            }
            None => self
                .played
                .due_roll()
                .ok_or("the game has no seed: say which dice were rolled")?,
        };
        self.played.set_roll(roll);
        Ok(())
    }

    fn undo(&mut self) -> Result<(), String> {
        if self.played.undo_step() || self.played.undo_turn() {
            Ok(())
        } else {
            Err("there is nothing to take back".to_owned())
        }
    }

    fn pgn(&mut self, tags: &BTreeMap<String, String>) -> String {
        // Chess960 has a tag of its own.
        if self.variant != Variant::Chess || self.played.tags.get("Variant").is_none() {
            self.played.tags.set("Variant", self.variant.name());
        }
        for (name, value) in tags {
            self.played.tags.set(name, value);
        }
        pgn::text(&self.played)
    }

    fn board(&self) -> String {
        self.played.position().board_text()
    }

    fn search(
        &self,
        limits: &Limits,
        searcher: &mut Searcher,
        control: &Control,
        report: &mut dyn FnMut(&str),
    ) -> Result<Value, String> {
        searcher.search(self.variant, self.played.game(), limits, control, report)
    }
}
