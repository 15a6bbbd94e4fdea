//! The games that are open, and the one place where questions come in.

use crate::ask::{Ask, Setting};
use crate::held::{Held, Open};
use crate::search::{Searcher, milliseconds};
use fauve_engine::games::rule_options;
use fauve_engine::rules::{Domain, Notation, RuleOption, RuleSettings, Value as Set};
use fauve_engine::search::{Control, bench};
use fauve_engine::{Variant, with_game};
use fauve_game::{names, pgn, replay};
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// Games by their numbers, and what searches share.
#[derive(Default)]
pub struct Desk {
    games: Vec<Option<Box<dyn Open>>>,
    searcher: Searcher,
    wants_stop: Option<fn() -> bool>,
}

impl Desk {
    /// A desk whose searches ask a function whether they are to end.
    pub fn asking(wants_stop: fn() -> bool) -> Self {
        Self {
            wants_stop: Some(wants_stop),
            ..Self::default()
        }
    }

    /// Answers a question; `report` gets what a search says before its answer. What is wrong with a question is its answer: an object
    /// with the field `error`.
    pub fn ask(&mut self, question: &str, report: &mut dyn FnMut(&str)) -> String {
        let answer = serde_json::from_str(question)
            .map_err(|error| format!("the question is not understood: {error}"))
            .and_then(|ask| self.answer(ask, report));
        answer
            .unwrap_or_else(|error| json!({ "error": error }))
            .to_string()
    }

    fn answer(&mut self, ask: Ask, report: &mut dyn FnMut(&str)) -> Result<Value, String> {
        match ask {
            Ask::Games => Ok(games()),
            Ask::New {
                variant,
                position,
                options,
                seed,
            } => self.new_game(&variant, position.as_deref(), &options, seed.as_deref()),
            Ask::Read { pgn, variant } => self.read(&pgn, variant.as_deref()),
            Ask::Free { game } => {
                self.game(game)?;
                self.games[game] = None;
                Ok(json!({}))
            }
            Ask::State { game } => self.game(game)?.state().map(|state| numbered(state, game)),
            Ask::History { game } => Ok(self.game(game)?.history()),
            Ask::Steps { game } => Ok(self.game(game)?.steps()),
            Ask::Turns { game, limit } => Ok(self.game(game)?.turns(limit)),
            Ask::Parse { game, text } => self.game(game)?.parse(&text),
            Ask::Play { game, text } => {
                self.game(game)?.play(&text)?;
                self.answer(Ask::State { game }, report)
            }
            Ask::Roll { game, dice } => {
                self.game(game)?.roll(dice.as_deref())?;
                self.answer(Ask::State { game }, report)
            }
            Ask::Undo { game } => {
                self.game(game)?.undo()?;
                self.answer(Ask::State { game }, report)
            }
            Ask::Pgn { game, tags } => Ok(json!({ "pgn": self.game(game)?.pgn(&tags) })),
            Ask::Board { game } => Ok(json!({ "board": self.game(game)?.board() })),
            Ask::Search { game, limits } => {
                self.game(game)?;
                let control = self.control();
                let open = self.games[game].as_deref().ok_or("no such game")?;
                self.searcher.of(game);
                open.search(&limits, &mut self.searcher, &control, report)
            }
            Ask::Clear => {
                self.searcher.clear();
                Ok(json!({}))
            }
            Ask::Bench { variant } => {
                let variant = names::variant(&variant).map_err(|error| error.to_string())?;
                let control = self.control();
                let (nodes, time) =
                    with_game!(variant, G => bench::<G>(&control, &mut |_, _, _| {}))
                        .map_err(|error| error.to_string())?;
                Ok(json!({
                    "variant": variant.name(), "nodes": nodes, "ms": milliseconds(time),
                }))
            }
        }
    }

    fn control(&self) -> Control {
        self.wants_stop
            .map_or_else(Control::default, Control::asking)
    }

    fn game(&mut self, number: usize) -> Result<&mut dyn Open, String> {
        match self.games.get_mut(number) {
            Some(Some(game)) => Ok(game.as_mut()),
            _ => Err(format!("there is no game {number}")),
        }
    }

    fn add(&mut self, game: Box<dyn Open>) -> usize {
        self.games.push(Some(game));
        self.games.len() - 1
    }

    fn new_game(
        &mut self,
        variant: &str,
        position: Option<&str>,
        options: &BTreeMap<String, Setting>,
        seed: Option<&str>,
    ) -> Result<Value, String> {
        let variant = names::variant(variant).map_err(|error| error.to_string())?;
        let options: Vec<(&str, String)> = options
            .iter()
            .map(|(name, value)| (name.as_str(), value.text()))
            .collect();
        let rules = names::rules(options.iter().map(|(name, value)| (*name, value.as_str())))
            .map_err(|error| error.to_string())?;
        let open: Box<dyn Open> = with_game!(variant, G => {
            Box::new(Held::<G>::begin(variant, position, &rules, seed)?)
        });
        let game = self.add(open);
        self.answer(Ask::State { game }, &mut |_| {})
    }

    fn read(&mut self, text: &str, variant: Option<&str>) -> Result<Value, String> {
        let default = variant
            .map_or(Ok(Variant::default()), names::variant)
            .map_err(|error| error.to_string())?;
        let mut games = Vec::new();
        for one in pgn::parse(text) {
            games.push(match open_pgn(&one, default) {
                Ok(open) => json!({ "game": self.add(open) }),
                Err(error) => json!({ "error": error }),
            });
        }
        Ok(json!({ "games": games }))
    }
}

fn open_pgn(one: &pgn::PgnGame, default: Variant) -> Result<Box<dyn Open>, String> {
    let variant = names::variant_of_pgn(one, default).map_err(|error| error.to_string())?;
    let rules = names::rules_of_pgn(one).map_err(|error| error.to_string())?;
    with_game!(variant, G => {
        let played = replay::of_pgn::<G>(one, &rules.options()).map_err(|error| error.to_string())?;
        Ok(Box::new(Held::<G>::of(variant, played)))
    })
}

/// A state with the number of its game.
fn numbered(mut state: Value, game: usize) -> Value {
    state["game"] = game.into();
    state
}

/// All games, with what a page needs to offer them.
fn games() -> Value {
    let options = rule_options();
    let games: Vec<Value> = Variant::ALL
        .iter()
        .map(|&variant| {
            let start =
                with_game!(variant, G => G::start(&RuleSettings::default().options()).fen());
            let options: Vec<Value> = options
                .iter()
                .filter(|(_, variants)| variants.contains(&variant))
                .map(|(option, _)| describe(option))
                .collect();
            json!({ "name": variant.name(), "start": start, "options": options })
        })
        .collect();
    json!({ "games": games, "version": env!("CARGO_PKG_VERSION") })
}

fn describe(option: &RuleOption) -> Value {
    let (default, domain) = match (option.default, option.domain) {
        (Set::Word(index), Domain::Combo(words)) => {
            (json!(words[index]), json!({ "values": words }))
        }
        (Set::Number(number), Domain::Spin(min, max)) => {
            (json!(number), json!({ "min": min, "max": max }))
        }
        (value, _) => (json!(bool::from(value)), json!({})),
    };
    let mut option = json!({ "name": option.name, "default": default, "help": option.help });
    if let (Some(option), Some(domain)) = (option.as_object_mut(), domain.as_object()) {
        option.extend(domain.clone());
    }
    option
}
