//! The options as data: one definition gives the listing, the reading and the help of an option.

use crate::wire::output::printable;
use fauve_engine::Variant;
use fauve_engine::rules::Switches;
use fauve_engine::search::{Handicap, Settings};
use std::fmt;
use std::time::Duration;

/// Everything that the user can set.
#[derive(Clone, PartialEq, Debug)]
pub struct Options {
    /// The game.
    pub variant: Variant,
    /// Size of the transposition table in megabytes.
    pub hash: usize,
    /// What all searches share. The Elo is put there by [`Options::settings`].
    settings: Settings,
    /// The rule switches.
    pub switches: Switches,
    /// Whether `info` lines give win, draw and loss per mille.
    pub show_wdl: bool,
    /// Whether `bestmove` gives the next single move only.
    pub single_moves: bool,
    /// The debug log; empty: none.
    pub log_file: String,
    limit_strength: bool,
    elo: u32,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            variant: Variant::default(),
            hash: 16,
            settings: Settings::default(),
            switches: Switches::default(),
            show_wdl: false,
            single_moves: false,
            log_file: String::new(),
            limit_strength: false,
            elo: ELO_DEFAULT as u32,
        }
    }
}

impl Options {
    /// The settings for a search.
    pub fn settings(&self) -> Settings {
        Settings {
            elo: self.limit_strength.then_some(self.elo),
            ..self.settings
        }
    }
}

const ELO_DEFAULT: i64 = 1500;

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
}

/// The type of an option with its range, and how a value reaches [`Options`].
#[derive(Clone, Copy)]
pub enum Kind {
    /// `true` or `false`.
    Check {
        /// The value at the start.
        default: bool,
        /// Stores a value.
        set: fn(&mut Options, bool),
    },
    /// A whole number.
    Spin {
        /// The value at the start.
        default: i64,
        /// The least value.
        min: i64,
        /// The greatest value.
        max: i64,
        /// Stores a value in range.
        set: fn(&mut Options, i64),
    },
    /// One of some words.
    Combo {
        /// The word at the start, which may depend on the command line.
        default: fn(&Options) -> &'static str,
        /// The words.
        choices: fn() -> Vec<&'static str>,
        /// Stores a word; `false` if it is none of the choices (nor an alias).
        set: fn(&mut Options, &str) -> bool,
    },
    /// A parameter of the search.
    #[cfg(feature = "tune")]
    Parameter(&'static fauve_engine::search::parameters::Parameter),
    /// Something to press.
    Button,
    /// Free text.
    Text {
        /// The value at the start.
        default: &'static str,
        /// Stores a value.
        set: fn(&mut Options, &str),
    },
}

/// The definition of one option.
#[derive(Clone, Copy)]
pub struct Definition {
    /// The name, matched in any case.
    pub name: &'static str,
    /// The type and range.
    pub kind: Kind,
    /// What has to happen after it was set.
    pub effect: Effect,
    /// What it does, for people.
    pub help: &'static str,
}

/// The words of a check box.
fn check(
    name: &'static str,
    default: bool,
    effect: Effect,
    help: &'static str,
    set: fn(&mut Options, bool),
) -> Definition {
    let kind = Kind::Check { default, set };
    Definition {
        name,
        kind,
        effect,
        help,
    }
}

/// A whole number from a range.
fn spin(
    name: &'static str,
    (default, min, max): (i64, i64, i64),
    effect: Effect,
    help: &'static str,
    set: fn(&mut Options, i64),
) -> Definition {
    let kind = Kind::Spin {
        default,
        min,
        max,
        set,
    };
    Definition {
        name,
        kind,
        effect,
        help,
    }
}

/// All options, in the order of the listing.
pub fn definitions() -> Vec<Definition> {
    let rules = Effect::Rules;
    let definitions = vec![
        spin(
            "Hash",
            (16, 1, 1 << 20),
            Effect::Hash,
            "size of the transposition table in megabytes",
            |o, v| o.hash = v as usize,
        ),
        Definition {
            name: "Clear Hash",
            kind: Kind::Button,
            effect: Effect::ClearHash,
            help: "forgets what earlier searches found",
        },
        spin(
            "Threads",
            (1, 1, 1024),
            Effect::None,
            "search threads",
            |o, v| o.settings.threads = v as usize,
        ),
        spin(
            "MultiPV",
            (1, 1, 256),
            Effect::None,
            "how many best turns are reported",
            |o, v| o.settings.multi_pv = v as usize,
        ),
        check(
            "Ponder",
            false,
            Effect::None,
            "tells that the GUI may send `go ponder`; thinking does not depend on it",
            |_, _| {},
        ),
        spin(
            "Move Overhead",
            (10, 0, 5000),
            Effect::None,
            "milliseconds that the way to the referee costs per turn",
            |o, v| o.settings.move_overhead = Duration::from_millis(v as u64),
        ),
        Definition {
            name: "UCI_Variant",
            kind: Kind::Combo {
                default: |o| o.variant.name(),
                choices: || Variant::ALL.iter().map(|v| v.name()).collect(),
                set: |o, word| match Variant::from_name(word) {
                    Some(variant) => {
                        o.variant = variant;
                        true
                    }
                    None => false,
                },
            },
            effect: Effect::Variant,
            help: "the game",
        },
        check(
            "UCI_AnalyseMode",
            false,
            Effect::None,
            "accepted; the engine plays the same either way",
            |_, _| {},
        ),
        check(
            "UCI_ShowWDL",
            false,
            Effect::None,
            "adds win, draw and loss per mille to the score",
            |o, v| o.show_wdl = v,
        ),
        check(
            "UCI_LimitStrength",
            false,
            Effect::None,
            "plays at about UCI_Elo",
            |o, v| o.limit_strength = v,
        ),
        spin(
            "UCI_Elo",
            (
                ELO_DEFAULT,
                Handicap::LOWEST as i64,
                Handicap::HIGHEST as i64,
            ),
            Effect::None,
            "the strength that UCI_LimitStrength holds the engine to",
            |o, v| o.elo = v as u32,
        ),
        Definition {
            name: "UCI_EngineAbout",
            kind: Kind::Text {
                default: concat!(
                    "Fauve ",
                    env!("CARGO_PKG_VERSION"),
                    ", an engine for Superchess, two-move chess, DiceChess, Cubes 4D and chess"
                ),
                set: |_, _| {},
            },
            effect: Effect::None,
            help: "for reading only",
        },
        Definition {
            name: "Debug Log File",
            kind: Kind::Text {
                default: "",
                set: |o, v| v.clone_into(&mut o.log_file),
            },
            effect: Effect::Log,
            help: "a file to which all traffic is appended",
        },
        Definition {
            name: "Turn Output",
            kind: Kind::Combo {
                default: |o| if o.single_moves { "single" } else { "joined" },
                choices: || vec!["joined", "single"],
                set: |o, word| {
                    o.single_moves = word.eq_ignore_ascii_case("single");
                    o.single_moves || word.eq_ignore_ascii_case("joined")
                },
            },
            effect: Effect::None,
            help: "whether bestmove gives the whole turn or its next single move",
        },
        check(
            "Prologue",
            true,
            rules,
            "superchess, cubes4d: startpos is the beginning of the prologue",
            |o, v| o.switches.prologue = v,
        ),
        spin(
            "Array",
            (0, 0, 431),
            rules,
            "superchess without prologue: which of the 432 arrays is startpos",
            |o, v| o.switches.array = v as u16,
        ),
        Definition {
            name: "Promotion Pool",
            kind: Kind::Combo {
                default: |o| {
                    if o.switches.physical_pool {
                        "physical"
                    } else {
                        "literal"
                    }
                },
                choices: || vec!["literal", "physical"],
                set: |o, word| {
                    o.switches.physical_pool = word.eq_ignore_ascii_case("physical");
                    o.switches.physical_pool || word.eq_ignore_ascii_case("literal")
                },
            },
            effect: rules,
            help: "superchess: whether a captured promoted man is available again (physical)",
        },
        check(
            "Castle Through Check",
            false,
            rules,
            "dicechess: castling ignores attacks",
            |o, v| o.switches.castle_through_check = v,
        ),
        check(
            "Free Material",
            false,
            rules,
            "cubes4d: positions may have any number of Queens and Grand Pawns",
            |o, v| o.switches.free_material = v,
        ),
        check(
            "Repetition Draw",
            true,
            rules,
            "twomove, cubes4d: the third repetition of a position draws",
            |o, v| o.switches.repetition_draw = v,
        ),
        check(
            "Clock Draw",
            true,
            rules,
            "twomove, dicechess, cubes4d: too many turns without progress draw",
            |o, v| o.switches.clock_draw = v,
        ),
        check(
            "Dead Position Draw",
            true,
            rules,
            "twomove: positions in which nobody can mate draw",
            |o, v| o.switches.dead_draw = v,
        ),
    ];
    #[cfg(feature = "tune")]
    let definitions = definitions.into_iter().chain(parameters()).collect();
    definitions
}

/// The parameters of the search, for tuners. Those that are not set have the values of the game.
#[cfg(feature = "tune")]
fn parameters() -> impl Iterator<Item = Definition> {
    let list = fauve_engine::search::parameters::list().iter();
    list.map(|parameter| Definition {
        name: parameter.name,
        kind: Kind::Parameter(parameter),
        effect: Effect::None,
        help: "a parameter of the search",
    })
}

/// Why an option was not set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum OptionError {
    /// There is no option of this name.
    Unknown(String),
    /// The option does not take this value; the definition says which it takes.
    Value {
        /// The option.
        name: &'static str,
        /// What was given.
        value: String,
        /// What it takes.
        takes: String,
    },
}

impl fmt::Display for OptionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown(name) => write!(f, "no option '{}', try uci", printable(name)),
            Self::Value { name, value, takes } => {
                write!(f, "{name} takes {takes}, not '{}'", printable(value))
            }
        }
    }
}

impl std::error::Error for OptionError {}

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
        let refused = |takes: String| OptionError::Value {
            name: definition.name,
            value: value.to_owned(),
            takes,
        };
        match definition.kind {
            Kind::Button => {}
            #[cfg(feature = "tune")]
            Kind::Parameter(parameter) => {
                let set = |number| self.settings.parameters.set(parameter.name, number);
                if value.parse().map(set) != Ok(Ok(())) {
                    return Err(refused(format!("{} to {}", parameter.min, parameter.max)));
                }
            }
            Kind::Check { set, .. } => match value.to_ascii_lowercase().as_str() {
                "true" => set(self, true),
                "false" => set(self, false),
                _ => return Err(refused("true or false".to_owned())),
            },
            Kind::Spin { min, max, set, .. } => match value.parse() {
                Ok(number) if (min..=max).contains(&number) => set(self, number),
                _ => return Err(refused(format!("{min} to {max}"))),
            },
            Kind::Combo { choices, set, .. } => {
                let mut changed = self.clone();
                if !set(&mut changed, value) {
                    return Err(refused(choices().join(", ")));
                }
                *self = changed;
            }
            Kind::Text { set, .. } => set(self, if value == "<empty>" { "" } else { value }),
        }
        Ok(definition.effect)
    }

    /// The `option` lines that follow `uci`. Defaults of words follow the current options, so that `--variant` shows.
    pub fn listing(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for Definition { name, kind, .. } in definitions() {
            lines.push(match kind {
                Kind::Check { default, .. } => {
                    format!("option name {name} type check default {default}")
                }
                Kind::Spin {
                    default, min, max, ..
                } => format!("option name {name} type spin default {default} min {min} max {max}"),
                Kind::Combo {
                    default, choices, ..
                } => {
                    let choices: String = choices()
                        .iter()
                        .flat_map(|choice| [" var ", choice])
                        .collect();
                    format!(
                        "option name {name} type combo default {}{choices}",
                        default(self)
                    )
                }
                #[cfg(feature = "tune")]
                Kind::Parameter(parameter) => format!(
                    "option name {name} type spin default {} min {} max {}",
                    parameter.default, parameter.min, parameter.max
                ),
                Kind::Button => format!("option name {name} type button"),
                Kind::Text { default, .. } => {
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
            let mut options = untouched.clone();
            let value = match definition.kind {
                Kind::Check { default, .. } => default.to_string(),
                Kind::Spin { default, .. } => default.to_string(),
                Kind::Combo { default, .. } => default(&untouched).to_owned(),
                Kind::Text { default, .. } => default.to_owned(),
                Kind::Button => String::new(),
                // A parameter that is set is no longer the game's own.
                #[cfg(feature = "tune")]
                Kind::Parameter(_) => continue,
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
