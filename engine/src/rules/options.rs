//! Options of rules as data: a game declares its options once with the macro `rule_options`, and their defaults, the listing of
//! every protocol, and the reading of values follow from that.

use std::error::Error;
use std::fmt::{self, Debug};

/// A value of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// The value of a check box.
    Check(bool),
    /// A whole number.
    Number(i64),
    /// The index, from 0, of the chosen word.
    Word(usize),
}

impl From<Value> for bool {
    /// The second of two words is `true`.
    fn from(value: Value) -> Self {
        match value {
            Value::Check(on) => on,
            Value::Number(number) => number != 0,
            Value::Word(index) => index != 0,
        }
    }
}

impl From<Value> for u16 {
    fn from(value: Value) -> Self {
        match value {
            Value::Check(on) => Self::from(on),
            Value::Number(number) => number.try_into().unwrap_or(Self::MAX),
            Value::Word(index) => index.try_into().unwrap_or(Self::MAX),
        }
    }
}

/// The values that an option accepts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Domain {
    /// `true` and `false`.
    Check,
    /// The whole numbers from one to another, both included.
    Spin(i64, i64),
    /// One of some words.
    Combo(&'static [&'static str]),
}

impl fmt::Display for Domain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check => f.write_str("true or false"),
            Self::Spin(min, max) => write!(f, "{min} to {max}"),
            Self::Combo(words) => f.write_str(&words.join(", ")),
        }
    }
}

/// An error: the option does not accept this text.
///
/// ```
/// use fauve_engine::rules::{Domain, RuleOption, ValueError};
/// let array = RuleOption::spin("Array", (0, 0, 431), "which array");
/// assert_eq!(array.read("432"), Err(ValueError { name: "Array", domain: Domain::Spin(0, 431) }));
/// assert_eq!(array.read("432").unwrap_err().to_string(), "Array takes 0 to 431");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ValueError {
    /// The option.
    pub name: &'static str,
    /// The values that it accepts.
    pub domain: Domain,
}

impl fmt::Display for ValueError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} takes {}", self.name, self.domain)
    }
}

impl Error for ValueError {}

/// An option of the rules. Two games that share an option share its definition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RuleOption {
    /// The name in every protocol.
    pub name: &'static str,
    /// The values that it accepts.
    pub domain: Domain,
    /// Its default value.
    pub default: Value,
    /// Help text; listings put the names of its games before it.
    pub help: &'static str,
    /// Whether it enables a draw rule. These options come last in listings.
    pub is_draw: bool,
}

impl RuleOption {
    /// A check box.
    pub const fn check(name: &'static str, default: bool, help: &'static str) -> Self {
        Self {
            name,
            domain: Domain::Check,
            default: Value::Check(default),
            help,
            is_draw: false,
        }
    }

    /// A check box, on by default, that switches a draw.
    pub const fn draw(name: &'static str, help: &'static str) -> Self {
        Self {
            is_draw: true,
            ..Self::check(name, true, help)
        }
    }

    /// A whole number in a range.
    pub const fn spin(
        name: &'static str,
        (default, min, max): (i64, i64, i64),
        help: &'static str,
    ) -> Self {
        Self {
            domain: Domain::Spin(min, max),
            default: Value::Number(default),
            ..Self::check(name, false, help)
        }
    }

    /// One of some words, the first by default.
    pub const fn combo(
        name: &'static str,
        words: &'static [&'static str],
        help: &'static str,
    ) -> Self {
        Self {
            domain: Domain::Combo(words),
            default: Value::Word(0),
            ..Self::check(name, false, help)
        }
    }

    /// Reads a value; words in any case.
    ///
    /// # Errors
    /// A text that stands for no value of the option's domain.
    pub fn read(&self, text: &str) -> Result<Value, ValueError> {
        let place = |words: &[&str]| {
            words
                .iter()
                .position(|word| text.eq_ignore_ascii_case(word))
        };
        let value = match self.domain {
            Domain::Check => place(&["false", "true"]).map(|index| Value::Check(index == 1)),
            Domain::Spin(min, max) => text
                .parse()
                .ok()
                .filter(|number| (min..=max).contains(number))
                .map(Value::Number),
            Domain::Combo(words) => place(words).map(Value::Word),
        };
        value.ok_or(ValueError {
            name: self.name,
            domain: self.domain,
        })
    }
}

/// Superchess and Cubes 4D begin with a prologue.
pub const PROLOGUE: RuleOption = RuleOption::check(
    "Prologue",
    true,
    "startpos is the beginning of the prologue",
);
/// The third repetition of a position draws.
pub const REPETITION_DRAW: RuleOption = RuleOption::draw(
    "Repetition Draw",
    "the third repetition of a position draws",
);
/// The counter of quiet turns draws.
pub const CLOCK_DRAW: RuleOption =
    RuleOption::draw("Clock Draw", "too many turns without progress draw");

/// The options of one game's rules; the macro `rule_options` implements it.
pub trait RuleOptions: Copy + Eq + Default + Debug + Send + Sync + 'static {
    /// Their definitions.
    const LIST: &'static [RuleOption];

    /// Sets the option at an index of [`RuleOptions::LIST`] to a value of its domain.
    fn set(&mut self, index: usize, value: Value);
}

/// The options of a game without options.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct NoOptions;

impl RuleOptions for NoOptions {
    const LIST: &'static [RuleOption] = &[];

    fn set(&mut self, _: usize, _: Value) {}
}

/// Writes a struct of options, its default and its [`RuleOptions`] from one list: each field with its type and its
/// [`RuleOption`].
macro_rules! rule_options {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident {
            $($(#[$about:meta])* pub $field:ident: $type:ty = $option:expr,)*
        }
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct $name {
            $($(#[$about])* pub $field: $type,)*
        }

        impl Default for $name {
            fn default() -> Self {
                Self { $($field: <$type>::from($option.default),)* }
            }
        }

        impl $crate::rules::RuleOptions for $name {
            const LIST: &'static [$crate::rules::RuleOption] = &[$($option),*];

            fn set(&mut self, index: usize, value: $crate::rules::Value) {
                let setters: &[fn(&mut Self, $crate::rules::Value)] =
                    &[$(|options, value| options.$field = <$type>::from(value)),*];
                if let Some(set) = setters.get(index) {
                    set(self, value);
                }
            }
        }
    };
}
pub(super) use rule_options;

/// Values of options by name, whatever the game: each game takes what it knows and has its defaults for the rest.
///
/// ```
/// use fauve_engine::games;
/// use fauve_engine::rules::{RuleSettings, cubes, twomove};
/// let mut settings = RuleSettings::default();
/// let (option, _) = games::rule_options().into_iter().find(|(option, _)| option.name == "Clock Draw").unwrap();
/// settings.set(&option, option.read("false").unwrap());
/// assert!(!settings.options::<twomove::Options>().clock_draw);
/// assert!(!settings.options::<cubes::Options>().clock_draw);
/// assert!(settings.options::<cubes::Options>().repetition_draw);
/// ```
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RuleSettings(Vec<(&'static str, Value)>);

impl RuleSettings {
    /// Sets an option to a value of its domain.
    pub fn set(&mut self, option: &RuleOption, value: Value) {
        // Settings are equal if they mean the same: sorted, and without what is the default.
        self.0.retain(|(name, _)| *name != option.name);
        if value != option.default {
            self.0.push((option.name, value));
            self.0.sort_by_key(|(name, _)| *name);
        }
    }

    /// The options of one game.
    pub fn options<O: RuleOptions>(&self) -> O {
        let mut options = O::default();
        for (index, option) in O::LIST.iter().enumerate() {
            if let Some((_, value)) = self.0.iter().find(|(name, _)| *name == option.name) {
                options.set(index, *value);
            }
        }
        options
    }
}
