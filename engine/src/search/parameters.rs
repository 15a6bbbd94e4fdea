//! The margins of alpha-beta as data: one list with the default, the range and the step of each.
//!
//! A game whose values differ says so by name in [`Tactics::SEARCH_PARAMETERS`], next to the worth of its pieces. In a normal
//! build all of them are constants. With the cargo feature `tune` each search works with values of its own
//! (`Settings::parameters`), so that a tuner changes them without a new build and two configurations can play each
//! other in one process.

use crate::eval::Tactics;
use std::fmt;
use std::marker::PhantomData;

/// What is known of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// The value in games that do not have one of their own.
    pub default: i32,
    /// The least value.
    pub min: i32,
    /// The greatest value.
    pub max: i32,
    /// A change that is small, but large enough to matter in games.
    pub step: i32,
}

impl Parameter {
    /// Whether it says how time is spent: games at fixed nodes or depth do not see it.
    pub fn is_of_clock(&self) -> bool {
        self.name.starts_with("time_")
    }
}

/// Why a parameter was not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterError {
    /// There is none of this name.
    Unknown,
    /// The value is not in the range.
    OutOfRange {
        /// The least value.
        min: i32,
        /// The greatest value.
        max: i32,
    },
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unknown => f.write_str("no parameter of this name"),
            Self::OutOfRange { min, max } => write!(f, "the value must be {min} to {max}"),
        }
    }
}

impl std::error::Error for ParameterError {}

macro_rules! parameters {
    ($($(#[$doc:meta])+ $name:ident = $default:literal, $min:literal to $max:literal by $step:literal;)+) => {
        /// The values that a search works with.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub struct Parameters {
            $($(#[$doc])+ pub $name: i32,)+
        }

        const LIST: &[Parameter] = &[
            $(Parameter {
                name: stringify!($name),
                default: $default,
                min: $min,
                max: $max,
                step: $step,
            },)+
        ];

        impl Parameters {
            /// The values of a game that has none of its own.
            pub const DEFAULT: Self = Self { $($name: $default,)+ };

            /// The value of the parameter at a place of the list.
            const fn nth(&mut self, place: usize) -> &mut i32 {
                let mut n = 0;
                $(
                    if n == place {
                        return &mut self.$name;
                    }
                    n += 1;
                )+
                let _ = n;
                panic!("no parameter at this place")
            }
        }
    };
}

parameters! {
    /// From this depth on the root is searched with a window round the expected value.
    aspiration_depth = 4, 1 to 12 by 1;
    /// Half the width of that window at first.
    aspiration_delta = 20, 5 to 100 by 3;
    /// A window wider than this on a side is opened altogether.
    aspiration_widest = 500, 100 to 2000 by 50;
    /// Turns in check are searched a turn deeper as long as they are no more turns from the root than this many times the
    /// depth of the iteration.
    check_extension_span = 2, 0 to 8 by 1;
    /// With a counter of quiet turns this high the table's values, which do not know the counter, are not believed.
    table_clock = 90, 10 to 400 by 10;
    /// Up to this depth a static value far above the window is enough (reverse futility).
    reverse_futility_depth = 7, 0 to 15 by 1;
    /// How far above, for each turn of depth; a turn less when the side is improving.
    reverse_futility_margin = 80, 10 to 400 by 8;
    /// From this depth on a pass is tried (null move).
    null_depth = 3, 1 to 10 by 1;
    /// The reduction of the search after a pass: so much,
    null_base = 3, 1 to 8 by 1;
    /// one more for every so many turns of depth,
    null_divisor = 4, 1 to 16 by 1;
    /// and one more for every so many centipawns that the static value is above the window,
    null_eval_divisor = 200, 20 to 1000 by 20;
    /// but no more than this for them.
    null_eval_most = 3, 0 to 8 by 1;
    /// From this depth on a pass that proves enough is verified by a search without passes.
    null_verify_depth = 12, 4 to 99 by 2;
    /// Up to this depth a static value far below the window is left to quiescence (razoring).
    razor_depth = 0, 0 to 8 by 1;
    /// How far below, for each turn of depth.
    razor_margin = 250, 50 to 800 by 20;
    /// From this depth on a capture that in a shallow search is far above the window is enough (ProbCut).
    probcut_depth = 99, 3 to 99 by 1;
    /// How far above.
    probcut_margin = 180, 40 to 600 by 15;
    /// From this depth on it is tried whether the table's step is better than all others (singular extension).
    singular_depth = 7, 4 to 99 by 1;
    /// How much better, in sixteenths of a centipawn for each turn of depth.
    singular_margin = 24, 1 to 160 by 4;
    /// So much better still, and it is searched two turns deeper.
    singular_double = 20, 0 to 200 by 5;
    /// From this depth on a node without a step from the table is searched a turn less deep.
    internal_reduction_depth = 4, 1 to 15 by 1;
    /// Up to this depth late quiet steps are left out.
    late_depth = 4, 0 to 12 by 1;
    /// A step is late after so many steps and the square of the depth; half of both when the side is not improving.
    late_base = 3, 0 to 30 by 1;
    /// The second step of a turn is late, up to that depth, after so many;
    late_second = 999, 1 to 999 by 2;
    /// so many more for the square of the depth.
    late_second_slope = 4, 0 to 60 by 2;
    /// Up to this depth quiet steps are left out when the static value is far below the window (futility).
    futility_depth = 8, 0 to 12 by 1;
    /// How far below: so much,
    futility_base = 100, 0 to 600 by 10;
    /// and so much for each turn of depth.
    futility_slope = 110, 0 to 400 by 8;
    /// Quiet steps up to this depth are left out when they have done badly:
    history_depth = 4, 0 to 12 by 1;
    /// their history is below minus so much for each turn of depth.
    history_prune = 4000, 500 to 20000 by 400;
    /// Up to this depth a step is left out when the exchange that it begins loses too much:
    exchange_depth = 7, 0 to 15 by 1;
    /// a quiet one so much by depth and depth again,
    exchange_quiet = 25, 0 to 200 by 3;
    /// a capture so much by depth.
    exchange_noisy = 90, 0 to 500 by 8;
    /// The part, in per cent, of the reduction of a late quiet step by which the depth counts as less where it is asked
    /// whether the step is left out.
    pruning_reduced = 100, 0 to 150 by 10;
    /// 1: steps are also left out in the principal variation.
    pruning_pv = 1, 0 to 4 by 1;
    /// From this depth on late quiet steps are searched less deep at first,
    reduction_depth = 3, 2 to 10 by 1;
    /// after so many others.
    reduction_first = 2, 1 to 12 by 1;
    /// The reduction in hundredths of a turn: so much,
    reduction_base = 50, -100 to 200 by 10;
    /// and the product of the logarithms of depth and number divided by so many hundredths.
    reduction_divisor = 225, 100 to 600 by 12;
    /// So many hundredths more at nodes that are expected to be cut.
    reduction_cut = 100, 0 to 300 by 15;
    /// Captures are reduced by so many hundredths of that; none in the principal variation.
    reduction_noisy = 50, 0 to 150 by 10;
    /// A reduced step that is better than the best by so many centipawns is searched a turn deeper than the others.
    reduction_deeper = 50, 10 to 1000 by 10;
    /// A step is reduced a turn less for every so much of its history.
    reduction_history = 8192, 1024 to 32768 by 512;
    /// What a refutation adds to its history, by depth and depth again,
    history_bonus = 16, 1 to 64 by 2;
    /// but no more than this.
    history_bonus_most = 1600, 100 to 8000 by 100;
    /// The weight of the history of captures against what they win, in hundredths of a centipawn by 1,024.
    capture_weight = 3000, 0 to 20000 by 300;
    /// The share, in 512ths, of what was seen of a pawn structure's errors by which static values are corrected,
    correction_pawns = 64, 0 to 256 by 8;
    /// and of each side's pieces.
    correction_pieces = 64, 0 to 256 by 8;
    /// In quiescence a capture is left out that with so much more does not reach the window.
    quiescence_delta = 200, 0 to 1000 by 15;
    /// The share of the planned time, in per cent, after which no new iteration is begun: when the best turn has just changed,
    time_changed = 85, 20 to 200 by 5;
    /// when it has stood for up to three iterations,
    time_new = 60, 20 to 200 by 5;
    /// for up to seven,
    time_steady = 50, 10 to 200 by 5;
    /// and for more.
    time_sure = 40, 10 to 200 by 5;
    /// That share counts as often as this, in per cent, less the share of the nodes that the best turn took.
    time_effort = 170, 100 to 300 by 10;
}

/// All parameters, in the order of the list.
pub const fn list() -> &'static [Parameter] {
    LIST
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut i = 0;
    while i < a.len() && i < b.len() && a[i] == b[i] {
        i += 1;
    }
    i == a.len() && i == b.len()
}

/// The place in the list of a parameter that is to take a value.
const fn place_for(name: &str, value: i32) -> Result<usize, ParameterError> {
    let mut place = 0;
    while place < LIST.len() {
        let Parameter { min, max, .. } = LIST[place];
        if is_same(LIST[place].name, name) {
            return if min <= value && value <= max {
                Ok(place)
            } else {
                Err(ParameterError::OutOfRange { min, max })
            };
        }
        place += 1;
    }
    Err(ParameterError::Unknown)
}

impl Parameters {
    /// The values of a game.
    pub const fn of<G: Tactics>() -> Self {
        let mut parameters = Self::DEFAULT;
        let mut list = 0;
        while list < G::SEARCH_PARAMETERS.len() {
            let mut i = 0;
            while i < G::SEARCH_PARAMETERS[list].len() {
                let (name, value) = G::SEARCH_PARAMETERS[list][i];
                assert!(
                    parameters.set(name, value).is_ok(),
                    "a game names a parameter that does not exist, or a value out of range"
                );
                i += 1;
            }
            list += 1;
        }
        parameters
    }

    /// Sets a parameter by name.
    ///
    /// # Errors
    /// When there is none of this name or the value is out of range; nothing is changed then.
    pub const fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        match place_for(name, value) {
            Ok(place) => {
                *self.nth(place) = value;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// The value of a parameter by name.
    #[cfg(feature = "tune")]
    pub fn value(mut self, name: &str) -> Option<i32> {
        let place = LIST.iter().position(|parameter| parameter.name == name)?;
        Some(*self.nth(place))
    }
}

/// Values that take the place of the games' own.
#[cfg(feature = "tune")]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Overrides([Option<i32>; LIST.len()]);

#[cfg(feature = "tune")]
impl Default for Overrides {
    fn default() -> Self {
        Self([None; LIST.len()])
    }
}

#[cfg(feature = "tune")]
impl Overrides {
    /// Sets a parameter by name, for any game.
    ///
    /// # Errors
    /// When there is none of this name or the value is out of range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        self.0[place_for(name, value)?] = Some(value);
        Ok(())
    }

    /// The values of a game, with these in place of its own.
    pub fn of<G: Tactics>(&self) -> Parameters {
        let mut parameters = Parameters::of::<G>();
        for (place, value) in self.0.iter().enumerate() {
            if let Some(value) = value {
                *parameters.nth(place) = *value;
            }
        }
        parameters
    }
}

/// The parameters of a game as a thread of the search reaches them: constants, or with the feature `tune` values.
#[derive(Clone, Copy)]
pub(super) struct ActiveParameters<G> {
    #[cfg(feature = "tune")]
    values: Parameters,
    game: PhantomData<G>,
}

impl<G: Tactics> ActiveParameters<G> {
    /// Those that the settings ask for.
    #[cfg_attr(
        not(feature = "tune"),
        expect(unused_variables, reason = "constants are not set")
    )]
    pub fn new(settings: &super::limits::Settings) -> Self {
        Self {
            #[cfg(feature = "tune")]
            values: settings.parameters.of::<G>(),
            game: PhantomData,
        }
    }

    /// The values.
    #[inline(always)]
    #[cfg_attr(
        not(feature = "tune"),
        expect(clippy::unused_self, reason = "constants")
    )]
    pub const fn get(&self) -> &Parameters {
        #[cfg(feature = "tune")]
        return &self.values;
        #[cfg(not(feature = "tune"))]
        const {
            &Parameters::of::<G>()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::Chess;

    #[test]
    fn names_are_unique_and_defaults_in_range() {
        for (place, parameter) in list().iter().enumerate() {
            let Parameter {
                name,
                default,
                min,
                max,
                step,
            } = *parameter;
            assert!(min < max && (min..=max).contains(&default), "{name}");
            assert!(0 < step && step <= (max - min) / 4, "{name}");
            assert_eq!(place_for(name, default), Ok(place), "{name} twice");
        }
    }

    #[test]
    fn every_parameter_is_set_by_name_and_no_other_with_it() {
        for parameter in list() {
            let mut parameters = Parameters::DEFAULT;
            let other = if parameter.default == parameter.max {
                parameter.min
            } else {
                parameter.max
            };
            assert_eq!(parameters.set(parameter.name, other), Ok(()));
            assert_ne!(parameters, Parameters::DEFAULT, "{}", parameter.name);
            assert_eq!(parameters.set(parameter.name, parameter.default), Ok(()));
            assert_eq!(parameters, Parameters::DEFAULT, "{}", parameter.name);
        }
    }

    #[test]
    fn bad_names_and_values_change_nothing() {
        let mut parameters = Parameters::of::<Chess>();
        assert_eq!(parameters.set("late", 3), Err(ParameterError::Unknown));
        assert_eq!(parameters.set("", 3), Err(ParameterError::Unknown));
        let range = ParameterError::OutOfRange { min: 0, max: 12 };
        assert_eq!(parameters.set("late_depth", 13), Err(range));
        assert_eq!(parameters.set("late_depth", -1), Err(range));
        assert_eq!(parameters, Parameters::of::<Chess>());
    }

    #[cfg(feature = "tune")]
    #[test]
    fn overrides_change_what_they_name() {
        let mut overrides = Overrides::default();
        assert_eq!(overrides.of::<Chess>(), Parameters::of::<Chess>());
        assert_eq!(overrides.set("late_base", 9), Ok(()));
        assert!(overrides.set("late_base", 1000).is_err());
        let expected = Parameters {
            late_base: 9,
            ..Parameters::of::<Chess>()
        };
        assert_eq!(overrides.of::<Chess>(), expected);
    }

    /// Two searches at a time, each with parameters of its own, search as they do alone.
    #[cfg(feature = "tune")]
    #[test]
    fn parameters_belong_to_a_search() {
        use crate::rules::{Game, NoOptions, Notation};
        use crate::search::{Control, Limits, Search, Settings, Table};

        let visited = |late_base: Option<i32>| {
            let mut settings = Settings::default();
            if let Some(value) = late_base {
                settings.parameters.set("late_base", value).unwrap();
            }
            let game = Game::new(Chess::start(&NoOptions), NoOptions);
            let limits = Limits {
                depth: Some(7),
                ..Limits::default()
            };
            let (table, control) = (Table::new(4).unwrap(), Control::default());
            Chess::search(&game, &limits, &settings, &table, &control, &mut |_| {}).nodes
        };
        let (own, wide) = (visited(None), visited(Some(30)));
        assert!(own < wide, "{own} and {wide} nodes");
        assert_eq!(own, visited(Some(3)), "the default, said aloud");
        std::thread::scope(|scope| {
            let threads = [None, Some(30), None, Some(30)]
                .map(|late_base| scope.spawn(move || visited(late_base)));
            let together = threads.map(|thread| thread.join().unwrap());
            assert_eq!(together, [own, wide, own, wide]);
        });
    }
}
