//! Engine options as data: one definition provides the listing, the parsing and the help of an option.

use fauve_engine::eval::dice::endgames::Endgames;
use fauve_engine::eval::network::SharedNetwork;
use fauve_engine::rules::{Domain, RuleOption, RuleSettings, Value, printable};
use fauve_engine::search::{Engine, Score, Settings, StrengthLimit};
use fauve_engine::strength_scales::StrengthScale;
use fauve_engine::{Variant, games};
use fauve_game::assess::static_value;
use std::hash::{BuildHasher, RandomState};
use std::time::Duration;

/// Default of `UCI_Elo`, clamped to the range of the game.
const START_ELO: i64 = 1000;

/// Values of all options.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The game.
    pub variant: Variant,
    /// Size of the transposition table, in megabytes.
    pub hash: usize,
    /// Search settings, without the strength limit, which [`Options::settings`] adds.
    settings: Settings,
    /// Rule options of all games.
    pub rules: RuleSettings,
    /// Whether `info` lines include win, draw and loss per mille.
    pub show_wdl: bool,
    /// Whether `bestmove` is only the next move of a turn.
    pub single_moves: bool,
    /// File of the debug log; empty: none.
    pub log_file: String,
    /// Network file; empty: none.
    pub eval_file: String,
    /// Whether `movetime` is processor time of the main search thread, not elapsed time.
    pub cpu_clock: bool,
    /// File of DiceChess endgame tables; empty: none.
    pub dice_tables: String,
    /// Whether questions about the doubling cube are answered.
    pub doubling: bool,
    limit_strength: bool,
    elo: u32,
    /// Seed of the mistakes below full strength; 0: `game_seed` is used.
    strength_seed: u64,
    /// Seed of the current game.
    game_seed: u64,
    #[cfg(feature = "tune")]
    strength_limit: Option<StrengthLimit>,
}

impl Default for Options {
    /// The defaults of the definitions.
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
            (definition.set)(&mut options, &definition.kind.default_text());
        }
        // Parameters that are not set have the values of the game, whatever their listed default is.
        #[cfg(feature = "tune")]
        {
            options.settings.parameters = Settings::default().parameters;
        }
        options
    }
}

impl Options {
    /// Sets the network for the following searches; `None`: the built-in evaluation.
    pub fn set_network(&mut self, network: Option<SharedNetwork>) {
        self.settings.network = network;
    }

    /// The static evaluation of a position from White's point of view, by the network if there is one for the game.
    pub fn evaluate<G: Engine>(&self, position: &G) -> Score {
        let (white, _) = static_value(position, self.settings.network.as_ref());
        Score::Cp(white)
    }

    /// Sets the DiceChess endgame tables for the following searches.
    pub fn set_endgames(&mut self, endgames: Option<Endgames>) {
        self.settings.endgames = endgames;
    }

    /// The settings of a search.
    pub fn settings(&self) -> Settings {
        Settings {
            strength_limit: self.strength_limit(),
            ..self.settings.clone()
        }
    }

    /// The Elo limit, clamped to the range of the game; `None` at full strength.
    pub fn limited_elo(&self) -> Option<u32> {
        let range = StrengthScale::of(self.variant).range();
        self.limit_strength
            .then(|| self.elo.clamp(*range.start(), *range.end()))
    }

    /// The search limits that produce the Elo limit.
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

    /// Limits the strength to an Elo rating; `None`: full strength.
    pub fn limit_strength(&mut self, elo: Option<u32>) {
        self.limit_strength = elo.is_some();
        self.elo = elo.unwrap_or(self.elo);
    }

    /// Starts a game: seeds the mistakes below full strength, randomly without a seed.
    pub fn begin_game(&mut self, seed: Option<u64>) {
        self.game_seed = seed.unwrap_or_else(|| RandomState::new().hash_one("errors"));
    }
}

/// The effect of setting an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Effect {
    /// None; the next search uses the value.
    None,
    /// Resizes the transposition table.
    Hash,
    /// Clears the transposition table.
    ClearHash,
    /// Starts a game of another variant.
    Variant,
    /// Changes the rules of the current game.
    Rules,
    /// Opens or closes the debug log.
    Log,
    /// Loads or drops a network.
    Network,
    /// Loads or drops endgame tables.
    Endgames,
}

/// The type of an option, with its range and default.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// The default.
        default: bool,
    },
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The minimum.
        min: i64,
        /// The maximum.
        max: i64,
    },
    /// A choice of words.
    Combo {
        /// The default; in the listing of `UCI_Variant`, the current game.
        default: &'static str,
        /// The choices.
        choices: Vec<&'static str>,
    },
    /// A button.
    Button,
    /// Free text.
    Text {
        /// The default.
        default: &'static str,
    },
}

impl Kind {
    /// The default as it is set.
    fn default_text(&self) -> String {
        match self {
            Self::Check { default } => default.to_string(),
            Self::Spin { default, .. } => default.to_string(),
            Self::Combo { default, .. } | Self::Text { default } => (*default).to_owned(),
            Self::Button => String::new(),
        }
    }
}

/// Reads a value and stores it in [`Options`]; `false` if the value is refused, and nothing has changed then.
type Setter = Box<dyn Fn(&mut Options, &str) -> bool>;

/// The definition of one option.
pub struct Definition {
    /// Name, case-insensitive.
    pub name: &'static str,
    /// Type, range and default.
    pub kind: Kind,
    /// Effect of setting it.
    pub effect: Effect,
    /// Help text.
    pub help: String,
    set: Setter,
}

impl Definition {
    fn new(
        name: &'static str,
        kind: Kind,
        help: &str,
        set: impl Fn(&mut Options, &str) -> bool + 'static,
    ) -> Self {
        Self {
            name,
            kind,
            effect: Effect::None,
            help: help.to_owned(),
            set: Box::new(set),
        }
    }

    /// Defines a check box.
    fn check(name: &'static str, default: bool, help: &str, store: fn(&mut Options, bool)) -> Self {
        Self::new(
            name,
            Kind::Check { default },
            help,
            move |options, value| {
                let value = value.to_ascii_lowercase().parse();
                value.map(|value| store(options, value)).is_ok()
            },
        )
    }

    /// Defines a number in a range.
    fn spin(
        name: &'static str,
        (default, min, max): (i64, i64, i64),
        help: &str,
        store: fn(&mut Options, i64),
    ) -> Self {
        let kind = Kind::Spin { default, min, max };
        Self::new(name, kind, help, move |options, value| {
            let number = value.parse().ok().filter(|n| (min..=max).contains(n));
            number.map(|number| store(options, number)).is_some()
        })
    }

    /// Defines a text.
    fn text(
        name: &'static str,
        default: &'static str,
        help: &str,
        store: fn(&mut Options, &str),
    ) -> Self {
        Self::new(name, Kind::Text { default }, help, move |options, value| {
            store(options, if value == "<empty>" { "" } else { value });
            true
        })
    }

    /// Defines a rule option; its help starts with the games that have it.
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
        let option = *option;
        Self::new(option.name, kind, &help, move |options, value| {
            let value = option.read(value);
            value.map(|value| options.rules.set(&option, value)).is_ok()
        })
        .with(Effect::Rules)
    }

    /// Describes the accepted values.
    fn domain(&self) -> String {
        match &self.kind {
            Kind::Check { .. } => "true or false".to_owned(),
            Kind::Spin { min, max, .. } => format!("{min} to {max}"),
            Kind::Combo { choices, .. } => choices.join(", "),
            Kind::Button | Kind::Text { .. } => "any text".to_owned(),
        }
    }

    fn with(self, effect: Effect) -> Self {
        Self { effect, ..self }
    }
}

/// All options, in the order of the listing.
pub fn definitions() -> Vec<Definition> {
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
            "clears the transposition table",
            |_, _| true,
        )
        .with(Effect::ClearHash),
        Definition::spin("Threads", (1, 1, 1024), "search threads", |o, v| {
            o.settings.threads = v as usize;
        }),
        Definition::spin(
            "MultiPV",
            (1, 1, 256),
            "number of best lines reported",
            |o, v| o.settings.multi_pv = v as usize,
        ),
        Definition::check(
            "Ponder",
            false,
            "accepted; allows the GUI to send `go ponder`",
            |_, _| {},
        ),
        Definition::spin(
            "Move Overhead",
            (10, 0, 5000),
            "milliseconds per turn reserved for communication with the GUI",
            |o, v| o.settings.move_overhead = Duration::from_millis(v as u64),
        ),
        Definition::spin(
            "Prologue Seed",
            (0, 0, i64::from(u32::MAX)),
            "superchess: seed of the choice among equally good prologues; 0: always the same one",
            |o, v| o.settings.seed = v as u64,
        ),
        Definition::check(
            "CPU Clock",
            false,
            "movetime is processor time of the main search thread, not elapsed time: for fair matches on busy machines",
            |o, v| o.cpu_clock = v,
        ),
        Definition::new(
            "UCI_Variant",
            Kind::Combo {
                default: Variant::default().name(),
                choices: Variant::ALL.iter().map(|v| v.name()).collect(),
            },
            "the game",
            |o, word| {
                let variant = Variant::from_name(word);
                variant.map(|variant| o.variant = variant).is_some()
            },
        )
        .with(Effect::Variant),
        Definition::check("UCI_AnalyseMode", false, "accepted, no effect", |_, _| {}),
        Definition::check(
            "UCI_ShowWDL",
            false,
            "adds win, draw and loss per mille to the score",
            |o, v| o.show_wdl = v,
        ),
        Definition::check(
            "UCI_LimitStrength",
            false,
            "limits the strength to UCI_Elo; with a clock, thinking times are like a person's",
            |o, v| o.limit_strength = v,
        ),
        Definition::spin(
            "UCI_Elo",
            elo_range(None),
            "strength with UCI_LimitStrength; clamped to the range of the game",
            |o, v| o.elo = v as u32,
        ),
        Definition::spin(
            "Strength Seed",
            (0, 0, i64::from(u32::MAX)),
            "seed of the mistakes made with UCI_LimitStrength; 0: different in each game",
            |o, v| o.strength_seed = v as u64,
        ),
        Definition::text(
            "UCI_EngineAbout",
            concat!(
                "Fauve ",
                env!("CARGO_PKG_VERSION"),
                ", an engine for Superchess, two-move chess, DiceChess, Cubes 4D and chess"
            ),
            "name of the engine, read-only",
            |_, _| {},
        ),
        Definition::text(
            "Debug Log File",
            "",
            "file to which all protocol traffic is appended; empty: none",
            |o, v| v.clone_into(&mut o.log_file),
        )
        .with(Effect::Log),
        Definition::text(
            "EvalFile",
            "",
            "network file used in place of the built-in evaluation of its game; empty: none",
            |o, v| v.clone_into(&mut o.eval_file),
        )
        .with(Effect::Network),
        Definition::text(
            "DiceTables",
            "",
            "dicechess: endgame-table file written by `fauve endgames`; empty: none",
            |o, v| v.clone_into(&mut o.dice_tables),
        )
        .with(Effect::Endgames),
        Definition::check(
            "Doubling",
            false,
            "dicechess: answers `go double` and `go take` as with the doubling cube of backgammon; a house rule: no published rules mention it",
            |o, v| o.doubling = v,
        ),
        Definition::new(
            "Turn Output",
            Kind::Combo {
                default: "joined",
                choices: vec!["joined", "single"],
            },
            "bestmove is the whole turn (joined) or only its next move (single)",
            |o, word| {
                let is_single = word.eq_ignore_ascii_case("single");
                let is_known = is_single || word.eq_ignore_ascii_case("joined");
                if is_known {
                    o.single_moves = is_single;
                }
                is_known
            },
        ),
    ];
    for (option, variants) in games::rule_options() {
        list.push(Definition::rule(&option, &variants));
    }
    #[cfg(feature = "tune")]
    list.push(Definition::text(
        "StrengthLimit",
        "",
        "overrides UCI_Elo: nodes,depth,noise,blunder_rate,caution; empty: none",
        |o, v| o.strength_limit = read_strength_limit(v),
    ));
    #[cfg(feature = "tune")]
    list.extend(parameters());
    list
}

/// Default, minimum and maximum of `UCI_Elo` for a game, or over all games.
pub(super) fn elo_range(variant: Option<Variant>) -> (i64, i64, i64) {
    let range = variant.map_or_else(StrengthScale::whole_range, |variant| {
        StrengthScale::of(variant).range()
    });
    let (least, greatest) = (i64::from(*range.start()), i64::from(*range.end()));
    (START_ELO.clamp(least, greatest), least, greatest)
}

/// Parses a strength limit, comma-separated and without its seed; for tuners.
#[cfg(feature = "tune")]
fn read_strength_limit(text: &str) -> Option<StrengthLimit> {
    let mut numbers = text.split(',').map(|word| word.trim().parse::<u32>().ok());
    let mut next = || numbers.next().flatten();
    Some(StrengthLimit {
        nodes: u64::from(next()?),
        depth: next()?,
        eval_noise: next()? as i32,
        blunder_rate: next()?,
        caution: next()? as i32,
        seed: 0,
    })
}

/// Search parameters as options, for tuners. Parameters that are not set have the values of the game.
#[cfg(feature = "tune")]
fn parameters() -> impl Iterator<Item = Definition> {
    let list = fauve_engine::search::parameters::list().iter();
    list.map(|parameter| {
        let [default, min, max] = [parameter.default, parameter.min, parameter.max].map(i64::from);
        Definition::new(
            parameter.name,
            Kind::Spin { default, min, max },
            "search parameter",
            |options, value| {
                let set = |number| options.settings.parameters.set(parameter.name, number);
                value.parse().map(set) == Ok(Ok(()))
            },
        )
    })
}

/// Errors of setting an option.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum OptionError {
    /// There is no option of this name.
    #[error("no option '{}'", printable(.0))]
    Unknown(String),
    /// The value is invalid.
    #[error("{name} takes {takes}, not '{}'", printable(value))]
    Value {
        /// Name of the option.
        name: &'static str,
        /// The invalid value.
        value: String,
        /// Description of the valid values.
        takes: String,
    },
}

impl Options {
    /// Sets an option by its case-insensitive name, and returns the effect, which the caller applies.
    ///
    /// # Errors
    /// When the option does not exist or the value is invalid; nothing changes then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<Effect, OptionError> {
        let definition = definitions()
            .into_iter()
            .find(|definition| definition.name.eq_ignore_ascii_case(name))
            .ok_or_else(|| OptionError::Unknown(name.to_owned()))?;
        if !(definition.set)(self, value) {
            return Err(OptionError::Value {
                name: definition.name,
                value: value.to_owned(),
                takes: definition.domain(),
            });
        }
        Ok(definition.effect)
    }

    /// The `option` lines that answer `uci`. The default of `UCI_Variant` is the current game, so that `--variant` shows.
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
    fn listed_defaults_are_the_defaults() {
        let untouched = Options::default();
        for definition in definitions() {
            // Setting a parameter to its default still overrides the value of the game.
            #[cfg(feature = "tune")]
            if parameters().any(|parameter| parameter.name == definition.name) {
                continue;
            }
            let mut options = untouched.clone();
            let value = definition.kind.default_text();
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
    fn invalid_values_are_refused_and_change_nothing() {
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
