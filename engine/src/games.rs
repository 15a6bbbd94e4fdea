//! The list of games, and the dispatch from the game that a user names to its static type.
//!
//! To add a game, add a folder under `rules/`, a file under `eval/`, a scale in `strength_scales.rs`, and a line here; `CONTRIBUTING.md`
//! says what the program and the page want beyond that.

use crate::rules::{
    Game, RuleOption, RuleOptions, Rules, Turn, divide, perft_parallel, perft_until,
};
use crate::search::solve::{Solution, solve};
use crate::search::{Answer, Control, Engine, Limits, Report, Search, Searcher};
use std::fmt;

/// Generates, from one line per game (type, name, aliases), the enum of games and the macros that run code for a game's
/// static type. The games in the last braces exist only with the feature of that name.
macro_rules! games {
    (
        $d:tt
        $($game:ident: $folder:ident::$position:ident = $name:literal $(| $alias:literal)*;)*
        $feature:literal {
            $($extra:ident: $extra_folder:ident::$extra_position:ident = $extra_name:literal $(| $extra_alias:literal)*;)*
        }
    ) => {
        /// A game.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum Variant {
            $(
                #[doc = concat!("[", stringify!($position), "](crate::rules::", stringify!($folder), "), `", $name, "`.")]
                $game,
            )*
            $(
                #[doc = concat!("[", stringify!($extra_position), "](crate::rules::", stringify!($extra_folder), "), `", $extra_name, "`.")]
                #[cfg(feature = $feature)]
                $extra,
            )*
        }

        impl Variant {
            /// All games, in the order of the protocol's combo option.
            pub const ALL: &'static [Self] = &[
                $(Self::$game,)*
                $(#[cfg(feature = $feature)] Self::$extra,)*
            ];

            /// The game's name in the protocol.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$game => $name,)*
                    $(#[cfg(feature = $feature)] Self::$extra => $extra_name,)*
                }
            }

            /// Other accepted names.
            const fn aliases(self) -> &'static [&'static str] {
                match self {
                    $(Self::$game => &[$($alias),*],)*
                    $(#[cfg(feature = $feature)] Self::$extra => &[$($extra_alias),*],)*
                }
            }

            /// The rule options of the game.
            pub const fn options(self) -> &'static [RuleOption] {
                match self {
                    $(Self::$game => <<crate::rules::$folder::$position as Rules>::Options as RuleOptions>::LIST,)*
                    $(
                        #[cfg(feature = $feature)]
                        Self::$extra => <<crate::rules::$extra_folder::$extra_position as Rules>::Options as RuleOptions>::LIST,
                    )*
                }
            }
        }

        // A condition inside an exported macro would be evaluated with the features of the calling crate.
        #[cfg(not(feature = $feature))]
        games! { @macros $d $($game: $folder::$position,)* }
        #[cfg(feature = $feature)]
        games! { @macros $d $($game: $folder::$position,)* $($extra: $extra_folder::$extra_position,)* }
    };
    (@macros $d:tt $($game:ident: $folder:ident::$position:ident,)*) => {
        $(
            impl Engine for crate::rules::$folder::$position {
                fn count(&self, depth: u32, is_stopped: &dyn Fn() -> bool) -> Option<u64> {
                    perft_until(self, depth, is_stopped)
                }

                fn count_parallel(&self, depth: u32) -> u64 {
                    perft_parallel(self, depth)
                }

                fn count_divided(&self, depth: u32) -> Vec<(Turn<Self::Step>, u64)> {
                    divide(self, depth)
                }

                fn solve(&self, turns: u32, control: &Control) -> Solution<Self> {
                    solve(self, turns, control)
                }

                fn run_search(
                    searcher: Searcher<'_>,
                    game: &Game<Self>,
                    limits: &Limits<Self>,
                    report: &mut dyn FnMut(Report<Self>),
                ) -> Answer<Self> {
                    Self::search(searcher, game, limits, report)
                }
            }
        )*

        /// `with_game!(variant, G => code)` runs the code with `G` as the position type of the game.
        ///
        /// ```
        /// use fauve_engine::rules::{Notation, RuleSettings};
        /// use fauve_engine::{Variant, with_game};
        /// let starts: Vec<String> = Variant::ALL
        ///     .iter()
        ///     .map(|&variant| with_game!(variant, G => G::start(&RuleSettings::default().options()).fen()))
        ///     .collect();
        /// assert!(starts[0].starts_with("rnbqkbnr/"));
        /// ```
        #[macro_export]
        macro_rules! with_game {
            ($d variant:expr, $d game:ident => $d code:expr) => {
                match $d variant {
                    $($crate::Variant::$game => {
                        #[allow(clippy::items_after_statements, reason = "the type is the point")]
                        type $d game = $crate::rules::$folder::$position;
                        $d code
                    })*
                }
            };
        }

        /// `for_each_game!(callback words)` calls the macro `callback` with the words in brackets, followed by a line
        /// `Variant: Position,` for each game: for enums with a case per game.
        #[macro_export]
        macro_rules! for_each_game {
            ($d callback:ident $d ($d words:tt)*) => {
                $d callback! { [$d ($d words)*] $($game: $crate::rules::$folder::$position,)* }
            };
        }
    };
}

games! { $
    Chess: chess::Chess = "chess" | "normal" | "standard";
    Superchess: superchess::Superchess = "superchess" | "super";
    TwoMove: twomove::TwoMove = "twomove" | "two-move" | "doublemove";
    DiceChess: dice::DiceChess = "dicechess" | "dice";
    Cubes4d: cubes::Cubes4d = "cubes4d" | "cubes";
    "breakthrough" {
        Breakthrough: breakthrough::Breakthrough = "breakthrough";
    }
}

impl Default for Variant {
    /// The first game of the list.
    fn default() -> Self {
        Self::ALL[0]
    }
}

impl Variant {
    /// Returns the game with this name or alias, in any case.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|variant| {
            variant.name().eq_ignore_ascii_case(name)
                || variant
                    .aliases()
                    .iter()
                    .any(|alias| alias.eq_ignore_ascii_case(name))
        })
    }
}

impl fmt::Display for Variant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rule options of all games, each once with the games that have it: those that change the play first, then the draws.
pub fn rule_options() -> Vec<(RuleOption, Vec<Variant>)> {
    let mut options: Vec<(RuleOption, Vec<Variant>)> = Vec::new();
    for &variant in Variant::ALL {
        for option in variant.options() {
            match options
                .iter_mut()
                .find(|(known, _)| known.name == option.name)
            {
                Some((_, variants)) => variants.push(variant),
                None => options.push((*option, vec![variant])),
            }
        }
    }
    options.sort_by_key(|(option, _)| option.is_draw);
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_of_one_name_are_one_option() {
        for (option, variants) in rule_options() {
            for variant in variants {
                let own = variant
                    .options()
                    .iter()
                    .find(|own| own.name == option.name)
                    .expect("the game has it");
                assert_eq!(*own, option, "{variant}");
            }
        }
    }

    #[test]
    fn names_and_aliases_are_each_of_one_game() {
        for &variant in Variant::ALL {
            for name in std::iter::once(&variant.name()).chain(variant.aliases()) {
                assert_eq!(Variant::from_name(name), Some(variant));
                assert_eq!(
                    Variant::from_name(&name.to_ascii_uppercase()),
                    Some(variant)
                );
            }
        }
        assert_eq!(Variant::from_name("checkers"), None);
    }
}
