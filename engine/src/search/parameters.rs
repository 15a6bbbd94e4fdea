//! Search parameters of alpha-beta, each with its default, range and tuning step.
//!
//! A game overrides defaults by name in [`Tactics::SEARCH_PARAMETERS`], next to its piece values. In a normal build all of
//! them are constants. With the cargo feature `tune` they are read from `Settings::parameters`, so that a tuner can change
//! them without a new build and two configurations can play each other in one process.

use crate::eval::Tactics;
use std::fmt;
use std::marker::PhantomData;

/// Definition of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// Value in games that do not override it.
    pub default: i32,
    /// Smallest value.
    pub min: i32,
    /// Greatest value.
    pub max: i32,
    /// Tuning step: small, but large enough to affect games.
    pub step: i32,
}

impl Parameter {
    /// Whether the parameter is about time use, and so has no effect in games at fixed nodes or depth.
    pub fn is_of_clock(&self) -> bool {
        self.name.starts_with("time_")
    }
}

/// Reason why a parameter was not set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ParameterError {
    /// There is no parameter of this name.
    Unknown,
    /// The value is out of range.
    OutOfRange {
        /// Smallest value.
        min: i32,
        /// Greatest value.
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
        /// Values of all parameters.
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
            /// The default values.
            pub const DEFAULT: Self = Self { $($name: $default,)+ };

            /// The value at an index of the list.
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
    /// Least depth of aspiration windows at the root.
    aspiration_depth = 4, 1 to 12 by 1;
    /// Initial half-width of the aspiration window, in centipawns.
    aspiration_delta = 20, 5 to 100 by 3;
    /// An aspiration window wider than this on one side, in centipawns, is opened completely.
    aspiration_widest = 500, 100 to 2000 by 50;
    /// Check extensions apply up to this multiple of the iteration's depth, in turns from the root.
    check_extension_span = 2, 0 to 8 by 1;
    /// Nonzero: a position in check has a static value and early cuts, too; for games in which checks are frequent and harmless.
    check_static = 0, 0 to 4 by 1;
    /// At this count of quiet turns (mate distance included) table values, which do not depend on the counter, are no
    /// longer used.
    table_clock = 90, 10 to 400 by 10;
    /// Greatest depth of reverse futility pruning.
    reverse_futility_depth = 7, 0 to 15 by 1;
    /// Margin of reverse futility pruning, in centipawns per turn of depth; one turn less when improving.
    reverse_futility_margin = 80, 10 to 400 by 8;
    /// Further margin of reverse futility pruning in check, where [`Parameters::check_static`] allows it, in centipawns.
    reverse_futility_check = 0, 0 to 1000 by 20;
    /// Least depth of null-move pruning.
    null_depth = 3, 1 to 10 by 1;
    /// Base reduction of the null-move search, in turns.
    null_base = 3, 1 to 8 by 1;
    /// Null-move reduction: one turn more for each of these turns of depth.
    null_divisor = 4, 1 to 16 by 1;
    /// Null-move reduction: one turn more for each of these centipawns of the static value above beta.
    null_eval_divisor = 200, 20 to 1000 by 20;
    /// Greatest null-move reduction on account of the static value, in turns.
    null_eval_most = 3, 0 to 8 by 1;
    /// Least depth at which a null-move cutoff is verified by a search without null moves.
    null_verify_depth = 12, 4 to 99 by 2;
    /// Greatest depth of razoring.
    razor_depth = 0, 0 to 8 by 1;
    /// Margin of razoring below alpha, in centipawns per turn of depth.
    razor_margin = 250, 50 to 800 by 20;
    /// Least depth of ProbCut.
    probcut_depth = 99, 3 to 99 by 1;
    /// Margin of ProbCut above beta, in centipawns.
    probcut_margin = 180, 40 to 600 by 15;
    /// Least depth of singular extensions.
    singular_depth = 7, 4 to 99 by 1;
    /// Margin of singular extensions, in sixteenths of a centipawn per turn of depth.
    singular_margin = 24, 1 to 160 by 4;
    /// Additional margin for a double extension, in centipawns.
    singular_double = 20, 0 to 200 by 5;
    /// Least depth of internal iterative reduction (nodes without a table step,
    /// <https://www.chessprogramming.org/Internal_Iterative_Reductions>).
    internal_reduction_depth = 4, 1 to 15 by 1;
    /// Greatest depth of late move pruning.
    late_depth = 4, 0 to 12 by 1;
    /// Late move pruning starts after this number of steps plus the square of the depth; half of that when not improving.
    late_base = 3, 0 to 30 by 1;
    /// Late move pruning of second steps of a turn, up to depth [`Parameters::late_depth`], starts after this number of legal steps plus
    /// [`Parameters::late_second_slope`] times the squared depth.
    late_second = 999, 1 to 999 by 2;
    /// Late move pruning of second steps: number of steps added for each squared turn of depth.
    late_second_slope = 4, 0 to 60 by 2;
    /// Greatest depth of futility pruning.
    futility_depth = 8, 0 to 12 by 1;
    /// Base margin of futility pruning, in centipawns.
    futility_base = 100, 0 to 600 by 10;
    /// Margin of futility pruning, in centipawns per turn of depth.
    futility_slope = 110, 0 to 400 by 8;
    /// Base margin of futility pruning of a quiet second step after a quiet first one, in centipawns, by the static value
    /// before the turn; 0: none.
    futility_second = 0, 0 to 600 by 10;
    /// Greatest depth of history pruning of quiet steps.
    history_depth = 4, 0 to 12 by 1;
    /// History pruning: quiet steps are skipped below minus this history score per turn of depth.
    history_prune = 4000, 500 to 20000 by 400;
    /// Greatest depth of exchange pruning.
    exchange_depth = 7, 0 to 15 by 1;
    /// Exchange pruning of quiet steps: loss allowed, in centipawns per squared turn of depth.
    exchange_quiet = 25, 0 to 200 by 3;
    /// Exchange pruning of captures: loss allowed, in centipawns per turn of depth.
    exchange_noisy = 90, 0 to 500 by 8;
    /// Exchange pruning of quiet checks: loss allowed, in centipawns per turn of depth before any reduction, where that is more
    /// than other quiet steps may lose.
    exchange_check = 0, 0 to 600 by 10;
    /// Exchange pruning of captures that give check: further loss allowed, in centipawns.
    exchange_noisy_check = 0, 0 to 2000 by 40;
    /// Share of the late move reduction, in per cent, by which pruning decisions reduce the depth.
    pruning_reduced = 100, 0 to 150 by 10;
    /// Nonzero: steps are also pruned in the principal variation.
    pruning_pv = 1, 0 to 4 by 1;
    /// Least depth of late move reductions.
    reduction_depth = 3, 2 to 10 by 1;
    /// Number of steps searched before late move reductions start.
    reduction_first = 2, 1 to 12 by 1;
    /// Base of late move reductions, in hundredths of a turn.
    reduction_base = 50, -100 to 200 by 10;
    /// Late move reductions grow by ln(depth) * ln(number) divided by this, in hundredths.
    reduction_divisor = 225, 100 to 600 by 12;
    /// Additional reduction at expected cut nodes, in hundredths of a turn.
    reduction_cut = 100, 0 to 300 by 15;
    /// Share of the reduction that captures get, in per cent; none in the principal variation.
    reduction_noisy = 50, 0 to 150 by 10;
    /// A reduced step that exceeds the best value by this, in centipawns, is searched again one turn deeper.
    reduction_deeper = 50, 10 to 1000 by 10;
    /// A node whose depth was reduced by two turns or more is searched one turn less deep if the last turn has cost the other
    /// side more than this, in centipawns by the static values before and after it; 0: never.
    reduction_hindsight = 0, 0 to 1000 by 20;
    /// History score that changes a reduction by one turn.
    reduction_history = 8192, 1024 to 32768 by 512;
    /// History bonus of a cutoff, per squared turn of depth.
    history_bonus = 16, 1 to 64 by 2;
    /// Greatest history bonus.
    history_bonus_most = 1600, 100 to 8000 by 100;
    /// Weight of capture history against the value captured, in hundredths of a centipawn per 1,024.
    capture_weight = 3000, 0 to 20000 by 300;
    /// Weight of the pawn correction history, in 512ths.
    correction_pawns = 64, 0 to 256 by 8;
    /// Weight of the correction history of each side's pieces, in 512ths.
    correction_pieces = 64, 0 to 256 by 8;
    /// Delta pruning margin in quiescence: captures that do not reach alpha with this many centipawns more are skipped.
    quiescence_delta = 200, 0 to 1000 by 15;
    /// Nonzero: delta pruning in quiescence does not skip captures that give check.
    quiescence_check = 0, 0 to 4 by 1;
    /// Nonzero: in a node where futility or delta pruning skipped steps, the best value is raised to their estimated upper bound
    /// (fail-soft).
    pruned_bounds = 0, 0 to 4 by 1;
    /// Share of the planned time, in per cent, after which no iteration starts, when the best turn has just changed.
    time_changed = 85, 20 to 200 by 5;
    /// The share when the best turn has been stable for up to three iterations, in per cent.
    time_new = 60, 20 to 200 by 5;
    /// The share when the best turn has been stable for four to seven iterations, in per cent.
    time_steady = 50, 10 to 200 by 5;
    /// The share when the best turn has been stable for more than seven iterations, in per cent.
    time_sure = 40, 10 to 200 by 5;
    /// The share is multiplied by this, in per cent, less the share of nodes spent on the best turn.
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

/// The list index of a parameter that may take `value`.
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
    /// If no parameter has this name or the value is out of range; nothing is changed then.
    pub const fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        match place_for(name, value) {
            Ok(place) => {
                *self.nth(place) = value;
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    /// The value of the parameter `name`.
    #[cfg(feature = "tune")]
    pub fn value(mut self, name: &str) -> Option<i32> {
        let place = LIST.iter().position(|parameter| parameter.name == name)?;
        Some(*self.nth(place))
    }
}

/// Values that replace the games' own.
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
    /// Sets a parameter by name, for every game.
    ///
    /// # Errors
    /// If no parameter has this name or the value is out of range; nothing is changed then.
    pub fn set(&mut self, name: &str, value: i32) -> Result<(), ParameterError> {
        self.0[place_for(name, value)?] = Some(value);
        Ok(())
    }

    /// The values of a game, with these overrides.
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

/// The parameters of a game inside a search thread: constants, or values with the feature `tune`.
#[derive(Clone, Copy)]
pub(super) struct ActiveParameters<G> {
    #[cfg(feature = "tune")]
    values: Parameters,
    game: PhantomData<G>,
}

impl<G: Tactics> ActiveParameters<G> {
    /// The parameters of the game under these settings.
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
        use crate::rules::{Game, Notation, chess};
        use crate::search::{Control, Limits, Searcher, Settings, Table};

        let visited = |late_base: Option<i32>| {
            let mut settings = Settings::default();
            if let Some(value) = late_base {
                settings.parameters.set("late_base", value).unwrap();
            }
            let game = Game::new(
                Chess::start(&chess::Options::default()),
                chess::Options::default(),
            );
            let limits = Limits {
                depth: Some(7),
                ..Limits::default()
            };
            let (table, control) = (Table::new(4).unwrap(), Control::default());
            Searcher::new(&table, &settings, &control)
                .run(&game, &limits, &mut |_| {})
                .nodes
        };
        let (own, wide) = (visited(None), visited(Some(30)));
        assert!(own < wide, "{own} and {wide} nodes");
        assert_eq!(own, visited(Some(3)), "the default, set explicitly");
        std::thread::scope(|scope| {
            let threads = [None, Some(30), None, Some(30)]
                .map(|late_base| scope.spawn(move || visited(late_base)));
            let together = threads.map(|thread| thread.join().unwrap());
            assert_eq!(together, [own, wide, own, wide]);
        });
    }
}
