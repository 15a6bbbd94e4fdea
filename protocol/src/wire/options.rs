//! The options as data: one definition gives the listing, the reading and the help of an option.

use fauve_engine::eval::endgames::Endgames;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::eval::{Evaluate, Evaluator};
use fauve_engine::rules::{Domain, RuleOption, RuleSettings, Value, printable};
use fauve_engine::search::{Score, Settings, StrengthLimit};
use fauve_engine::strength_scales::StrengthScale;
use fauve_engine::{Variant, games};
use fauve_game::assess::from_white;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// The Elo at the start, where the game has it.
const START_ELO: i64 = 1000;

/// Everything that the user can set.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The game.
    pub variant: Variant,
    /// Size of the transposition table in megabytes.
    pub hash: usize,
    /// What all searches share. The strength_limit is put there by [`Options::settings`].
    settings: Settings,
    /// The options of the rules, of all games.
    pub rules: RuleSettings,
    /// Whether `info` lines give win, draw and loss per mille.
    pub show_wdl: bool,
    /// Whether `bestmove` gives the next single move only.
    pub single_moves: bool,
    /// The debug log; empty: none.
    pub log_file: String,
    /// The file of the network; empty: none.
    pub eval_file: String,
    /// Whether `movetime` counts the processor time of the search's main thread.
    pub cpu_clock: bool,
    /// The file of the tables of DiceChess endgames; empty: none.
    pub dice_tables: String,
    /// Whether questions about the doubling cube are answered.
    pub doubling: bool,
    limit_strength: bool,
    elo: u32,
    /// The seed of the errors below full strength; 0: the next one is for this game.
    strength_seed: u64,
    game_seed: u64,
    #[cfg(feature = "tune")]
    strength_limit: Option<StrengthLimit>,
}

impl Default for Options {
    /// What the definitions say.
    fn default() -> Self {
        let mut options = Self {
            variant: Variant::default(),
            hash: 0,
            settings: Settings::default(),
            rules: RuleSettings::default(),
            show_wdl: false,
            single_moves: false,
            log_file: String::new(),
            eval_file: String::new(),
            dice_tables: String::new(),
            doubling: false,
            cpu_clock: false,
            limit_strength: false,
            elo: 0,
            strength_seed: 0,
            game_seed: 0,
            #[cfg(feature = "tune")]
            strength_limit: None,
        };
        for definition in definitions() {
            match (definition.kind, definition.store) {
                (Kind::Check { default }, Store::Check(store)) => store(&mut options, default),
                (Kind::Spin { default, .. }, Store::Spin(store)) => store(&mut options, default),
                (Kind::Combo { default, .. }, Store::Word(store)) => {
                    store(&mut options, default);
                }
                (Kind::Text { default }, Store::Text(store)) => store(&mut options, default),
                // Rules have their defaults from the games.
                _ => {}
            }
        }
        options
    }
}

impl Options {
    /// Evaluates with this network from the next search on, or with the game's own evaluation.
    pub fn set_network(&mut self, network: Option<SharedNetwork>) {
        self.settings.network = network;
    }

    /// The static value of a position, White's view: that of the network, if there is one for the game.
    pub fn evaluate<G: Evaluate>(&self, position: &G) -> Score {
        let mut evaluator = G::Evaluator::new(self.settings.network.as_ref());
        evaluator.push(0);
        let own = evaluator.evaluate(position, 0);
        from_white(Score::Cp(own), position.side_to_move())
    }

    /// Knows these endgames of DiceChess from the next search on, or none.
    pub fn set_endgames(&mut self, endgames: Option<Endgames>) {
        self.settings.endgames = endgames;
    }

    /// The settings for a search.
    pub fn settings(&self) -> Settings {
        Settings {
            strength_limit: self.strength_limit(),
            ..self.settings.clone()
        }
    }

    /// The strength that the engine is held to, brought into the range of the game.
    pub fn limited_elo(&self) -> Option<u32> {
        let range = StrengthScale::of(self.variant).range();
        self.limit_strength
            .then(|| self.elo.clamp(*range.start(), *range.end()))
    }

    /// How the engine is held to it.
    fn strength_limit(&self) -> Option<StrengthLimit> {
        let seed = match self.strength_seed {
            0 => self.game_seed,
            seed => seed,
        };
        #[cfg(feature = "tune")]
        if let Some(strength_limit) = self.strength_limit {
            return Some(StrengthLimit {
                seed,
                ..strength_limit
            });
        }
        let elo = self.limited_elo()?;
        Some(StrengthScale::of(self.variant).strength_limit(elo, seed))
    }

    /// Holds the engine to an Elo figure, or to nothing.
    pub fn limit_strength(&mut self, elo: Option<u32>) {
        self.limit_strength = elo.is_some();
        self.elo = elo.unwrap_or(self.elo);
    }

    /// Another game begins, with errors of its own, or with those of a seed.
    pub fn begin_game(&mut self, seed: Option<u64>) {
        self.game_seed = seed.unwrap_or_else(|| RandomState::new().hash_one("errors"));
    }
}

/// What has to happen after an option was set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// Nothing, the next search reads it.
    None,
    /// The transposition table takes another size.
    Hash,
    /// The transposition table is cleared.
    ClearHash,
    /// Another game begins.
    Variant,
    /// The rules change under the current game.
    Rules,
    /// The debug log is opened or closed.
    Log,
    /// A network is read, or given up.
    Network,
    /// Tables of endgames are read, or given up.
    Endgames,
}

/// The type of an option with its range and its value at the start.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// The value at the start.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
    },
    /// One of some words.
    Combo {
        /// The word at the start, which may depend on the command line.
        default: &'static str,
        /// The words.
        choices: Vec<&'static str>,
    },
    /// Something to press.
    Button,
    /// Free text.
    Text {
        /// The value at the start.
        default: &'static str,
    },
}

/// How a value reaches [`Options`].
#[derive(Clone, Copy)]
enum Store {
    /// It does not.
    Nothing,
    /// A check box.
    Check(fn(&mut Options, bool)),
    /// A number in range.
    Spin(fn(&mut Options, i64)),
    /// A word; `false` if it is none of the choices (nor an alias).
    Word(fn(&mut Options, &str) -> bool),
    /// Any text.
    Text(fn(&mut Options, &str)),
    /// By its definition in the rules.
    Rule(RuleOption),
    /// As a parameter of the search.
    #[cfg(feature = "tune")]
    Parameter,
}

/// The definition of one option.
#[derive(Clone)]
pub struct Definition {
    /// The name, matched in any case.
    pub name: &'static str,
    /// The type and range.
    pub kind: Kind,
    /// What has to happen after it was set.
    pub effect: Effect,
    /// What it does, for people.
    pub help: String,
    store: Store,
}

impl Definition {
    fn new(name: &'static str, kind: Kind, help: &str, store: Store) -> Self {
        Self {
            name,
            kind,
            effect: Effect::None,
            help: help.to_owned(),
            store,
        }
    }

    /// The words of a check box.
    fn check(name: &'static str, default: bool, help: &str, store: fn(&mut Options, bool)) -> Self {
        Self::new(name, Kind::Check { default }, help, Store::Check(store))
    }

    /// A whole number from a range.
    fn spin(
        name: &'static str,
        (default, min, max): (i64, i64, i64),
        help: &str,
        store: fn(&mut Options, i64),
    ) -> Self {
        Self::new(
            name,
            Kind::Spin { default, min, max },
            help,
            Store::Spin(store),
        )
    }

    /// An option of the rules: the games that have it stand before the help.
    fn rule(option: &RuleOption, variants: &[Variant]) -> Self {
        let games: Vec<&str> = variants.iter().map(|variant| variant.name()).collect();
        let kind = match (option.domain, option.default) {
            (Domain::Check, default) => Kind::Check {
                default: default.into(),
            },
            (Domain::Spin(min, max), Value::Number(default)) => Kind::Spin { default, min, max },
            (Domain::Spin(min, max), _) => Kind::Spin {
                default: min,
                min,
                max,
            },
            (Domain::Combo(words), default) => Kind::Combo {
                default: words[usize::from(u16::from(default))],
                choices: words.to_vec(),
            },
        };
        let help = format!("{}: {}", games.join(", "), option.help);
        Self::new(option.name, kind, &help, Store::Rule(*option)).with(Effect::Rules)
    }

    /// What it takes, for people.
    fn domain(&self) -> String {
        match &self.kind {
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Spin { min, max, .. } => format!("{min} to {max}"),
            Kind::Combo { choices, .. } => choices.join(", "),
            Kind::Button | Kind::Text { .. } => "any text".to_owned(),
        }
    }

    /// Whether a check box takes this text; anything else takes any.
    fn takes(&self, value: &str) -> bool {
        let words = ["true", "false"];
        !matches!(self.kind, Kind::Check { .. })
            || words.iter().any(|word| value.eq_ignore_ascii_case(word))
    }

    fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
}

/// All options, in the order of the listing.
pub fn definitions() -> Vec<Definition> {
    let nothing = Store::Nothing;
    let off = Kind::Check { default: false };
    let mut list = vec![
        Definition::spin(
            "Hash",
            (16, 1, 1 << 20),
            "size of the transposition table in megabytes",
            |o, v| o.hash = v as usize,
        )
        .with(Effect::Hash),
        Definition::new(
            "Clear Hash",
            Kind::Button,
            "forgets what earlier searches found",
            nothing,
        )
        .with(Effect::ClearHash),
        Definition::spin("Threads", (1, 1, 1024), "search threads", |o, v| {
            o.settings.threads = v as usize;
        }),
        Definition::spin(
            "MultiPV",
            (1, 1, 256),
            "how many best turns are reported",
            |o, v| o.settings.multi_pv = v as usize,
        ),
        Definition::new(
            "Ponder",
            off.clone(),
            "tells that the GUI may send `go ponder`; thinking does not depend on it",
            nothing,
        ),
        Definition::spin(
            "Move Overhead",
            (10, 0, 5000),
            "milliseconds that the way to the referee costs per turn",
            |o, v| o.settings.move_overhead = Duration::from_millis(v as u64),
        ),
        Definition::spin(
            "Prologue Seed",
            (0, 0, i64::from(u32::MAX)),
            "superchess: chooses among prologues that are equally good; 0: always the same",
            |o, v| o.settings.seed = v as u64,
        ),
        Definition::check(
            "CPU Clock",
            false,
            "movetime counts the processor time of the main search thread, not that of the wall: for fair matches on busy machines",
            |o, v| o.cpu_clock = v,
        ),
        Definition::new(
            "UCI_Variant",
            Kind::Combo {
                default: Variant::default().name(),
                choices: Variant::ALL.iter().map(|v| v.name()).collect(),
            },
            "the game",
            Store::Word(|o, word| match Variant::from_name(word) {
                Some(variant) => {
                    o.variant = variant;
                    true
                }
                None => false,
            }),
        )
        .with(Effect::Variant),
        Definition::new(
            "UCI_AnalyseMode",
            off,
            "accepted; the engine plays the same either way",
            nothing,
        ),
        Definition::check(
            "UCI_ShowWDL",
            false,
            "adds win, draw and loss per mille to the score",
            |o, v| o.show_wdl = v,
        ),
        Definition::check(
            "UCI_LimitStrength",
            false,
            "plays at UCI_Elo, and with a clock takes its time like a person",
            |o, v| o.limit_strength = v,
        ),
        Definition::spin(
            "UCI_Elo",
            elo_range(None),
            "the strength that UCI_LimitStrength holds the engine to; what a game does not have is brought into its range",
            |o, v| o.elo = v as u32,
        ),
        Definition::spin(
            "Strength Seed",
            (0, 0, i64::from(u32::MAX)),
            "which errors the engine makes with UCI_LimitStrength; 0: others in each game",
            |o, v| o.strength_seed = v as u64,
        ),
        Definition::new(
            "UCI_EngineAbout",
            Kind::Text {
                default: concat!(
                    "Fauve ",
                    env!("CARGO_PKG_VERSION"),
                    ", an engine for Superchess, two-move chess, DiceChess, Cubes 4D and chess"
                ),
            },
            "for reading only",
            nothing,
        ),
        Definition::new(
            "Debug Log File",
            Kind::Text { default: "" },
            "a file to which all traffic is appended",
            Store::Text(|o, v| v.clone_into(&mut o.log_file)),
        )
        .with(Effect::Log),
        Definition::new(
            "EvalFile",
            Kind::Text { default: "" },
            "a network that takes the place of its game's evaluation; empty: none",
            Store::Text(|o, v| v.clone_into(&mut o.eval_file)),
        )
        .with(Effect::Network),
        Definition::new(
            "DiceTables",
            Kind::Text { default: "" },
            "dicechess: a file of endgames, made by `fauve endgames`; empty: none",
            Store::Text(|o, v| v.clone_into(&mut o.dice_tables)),
        )
        .with(Effect::Endgames),
        Definition::check(
            "Doubling",
            false,
            "dicechess: answers `go double` and `go take` as with the cube of backgammon, which is in no source of the rules",
            |o, v| o.doubling = v,
        ),
        Definition::new(
            "Turn Output",
            Kind::Combo {
                default: "joined",
                choices: vec!["joined", "single"],
            },
            "whether bestmove gives the whole turn or its next single move",
            Store::Word(|o, word| {
                o.single_moves = word.eq_ignore_ascii_case("single");
                o.single_moves || word.eq_ignore_ascii_case("joined")
            }),
        ),
    ];
    for (option, variants) in games::rule_options() {
        list.push(Definition::rule(&option, &variants));
    }
    #[cfg(feature = "tune")]
    list.push(Definition::new(
        "StrengthLimit",
        Kind::Text { default: "" },
        "what takes the place of UCI_Elo: nodes,depth,noise,blunder_rate,caution; empty: nothing",
        Store::Text(|o, v| o.strength_limit = read_handicap(v)),
    ));
    #[cfg(feature = "tune")]
    list.extend(parameters());
    list
}

/// The Elo at the start, the least and the greatest: of a game, or of all.
fn elo_range(variant: Option<Variant>) -> (i64, i64, i64) {
    let range = variant.map_or_else(StrengthScale::whole_range, |variant| {
        StrengthScale::of(variant).range()
    });
    let (least, greatest) = (i64::from(*range.start()), i64::from(*range.end()));
    (START_ELO.clamp(least, greatest), least, greatest)
}

/// A strength_limit as tuners write it, without its seed.
#[cfg(feature = "tune")]
fn read_handicap(text: &str) -> Option<StrengthLimit> {
    let mut numbers = text.split(',').map(|word| word.trim().parse::<u32>().ok());
    let mut next = || numbers.next().flatten();
    Some(StrengthLimit {
        nodes: u64::from(next()?),
        depth: next()?,
        noise: next()? as i32,
        blunder_rate: next()?,
        caution: next()? as i32,
        seed: 0,
    })
}

/// The parameters of the search, for tuners. Those that are not set have the values of the game.
#[cfg(feature = "tune")]
fn parameters() -> impl Iterator<Item = Definition> {
    let list = fauve_engine::search::parameters::list().iter();
    list.map(|parameter| {
        let [default, min, max] = [parameter.default, parameter.min, parameter.max].map(i64::from);
        Definition::new(
            parameter.name,
            Kind::Spin { default, min, max },
            "a parameter of the search",
            Store::Parameter,
        )
    })
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("no option '{}'", printable(.0))]
    Unknown(String),
    /// The option does not take this value; the definition says which it takes.
    #[error("{name} takes {takes}, not '{}'", printable(value))]
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        takes: String,
    },
}

impl Options {
    /// Sets an option by name (any case) from text, and says what has to follow.
    ///
    /// # Errors
    /// When there is no such option or it does not take the value; nothing is changed then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        let definition = definitions()
            .into_iter()
            .find(|definition| definition.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        let refused = || OptionError::Value {
            name: definition.name,
            value: value.to_owned(),
            takes: definition.domain(),
        };
        match (&definition.kind, definition.store) {
            (_, Store::Nothing) if definition.takes(value) => {}
            (_, Store::Check(store)) if definition.takes(value) => {
                store(self, value.eq_ignore_ascii_case("true"));
            }
            (Kind::Spin { min, max, .. }, Store::Spin(store)) => match value.parse() {
                Ok(number) if (*min..=*max).contains(&number) => store(self, number),
                _ => return Err(refused()),
            },
            #[cfg(feature = "tune")]
            (_, Store::Parameter) => {
                let set = |number| self.settings.parameters.set(definition.name, number);
                if value.parse().map(set) != Ok(Ok(())) {
                    return Err(refused());
                }
            }
            (_, Store::Word(store)) => {
                let mut changed = self.clone();
                if !store(&mut changed, value) {
                    return Err(refused());
                }
                *self = changed;
            }
            (_, Store::Text(store)) => store(self, if value == "<empty>" { "" } else { value }),
            (_, Store::Rule(option)) => match option.read(value) {
                Ok(value) => self.rules.set(&option, value),
                Err(_) => return Err(refused()),
            },
            _ => return Err(refused()),
        }
        Ok(definition.effect)
    }

    /// The `option` lines that follow `uci`. The default of the game is the present one, so that `--variant` shows.
    pub fn listing(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for Definition {
            name, kind, effect, ..
        } in definitions()
        {
            lines.push(match kind {
                Kind::Check { default } => {
                    format!("option name {name} type check default {default}")
                }
                Kind::Spin { default, min, max } => {
                    let own = name == "UCI_Elo";
                    let (default, min, max) = if own {
                        elo_range(Some(self.variant))
                    } else {
                        (default, min, max)
                    };
                    format!("option name {name} type spin default {default} min {min} max {max}")
                }
                Kind::Combo { default, choices } => {
                    let default = if effect == Effect::Variant {
                        self.variant.name()
                    } else {
                        default
                    };
                    let choices: String = choices.iter().flat_map(|word| [" var ", word]).collect();
                    format!("option name {name} type combo default {default}{choices}")
                }
                Kind::Button => format!("option name {name} type button"),
                Kind::Text { default } => {
                    let default = if default.is_empty() {
                        "<empty>"
                    } else {
                        default
                    };
                    format!("option name {name} type string default {default}")
                }
            });
        }
        lines.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_defaults_that_are_listed_are_the_defaults() {
        let untouched = Options::default();
        for definition in definitions() {
            // A parameter that is set is no longer the game's own.
            #[cfg(feature = "tune")]
            if matches!(definition.store, Store::Parameter) {
                continue;
            }
            let mut options = untouched.clone();
            let value = match definition.kind {
                Kind::Check { default } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Combo { default, .. } | Kind::Text { default } => default.to_owned(),
                Kind::Button => String::new(),
            };
            assert_eq!(
                options.set(definition.name, &value),
                Ok(definition.effect),
                "{}",
                definition.name
            );
            assert_eq!(options, untouched, "{}", definition.name);
        }
    }

    #[cfg(feature = "tune")]
    #[test]
    fn parameters_are_options() {
        let mut options = Options::default();
        let line = "option name late_base type spin default 3 min 0 max 30";
        assert!(options.listing().lines().any(|listed| listed == line));
        assert!(options.set("late_base", "31").is_err());
        assert!(options.set("late_base", "three").is_err());
        assert_eq!(options, Options::default());
        assert_eq!(options.set("Late_Base", "7"), Ok(Effect::None));
        let mut expected = fauve_engine::search::parameters::Overrides::default();
        assert_eq!(expected.set("late_base", 7), Ok(()));
        assert_eq!(options.settings().parameters, expected);
    }

    #[test]
    fn refuses_what_is_out_of_range_and_keeps_the_old_value() {
        let mut options = Options::default();
        for (name, value) in [
            ("Hash", "0"),
            ("hash", "99999999999999999999"),
            ("Threads", "-1"),
            ("MultiPV", ""),
            ("Prologue", "maybe"),
            ("Promotion Pool", "abundant"),
            ("UCI_Variant", "checkers"),
            ("Array", "432"),
        ] {
            assert!(options.set(name, value).is_err(), "{name} {value}");
        }
        assert!(options.set("No Such Option", "1").is_err());
        assert_eq!(options, Options::default());
    }
}
