//! The list of games that are played, and the way from the game that the user names to its static type.

use crate::wire::session::Session;
use fauve_engine::Variant;
use fauve_engine::rules::Switches;

/// From one line per game: the list of games, the type of a session of any game, and two macros that run code with
/// the game's static type.
macro_rules! games {
    ($d:tt $($name:ident: $position:ty,)*) => {
        /// A session of any game.
        #[derive(Clone, Debug)]
        pub enum Sessions {
            $(
                #[doc = concat!("A session of ", stringify!($name), ".")]
                $name(Session<$position>),
            )*
        }

        impl Sessions {
            /// The start position of a game.
            pub fn new(variant: Variant, switches: &Switches) -> Self {
                match variant {
                    $(Variant::$name => Self::$name(Session::new(switches)),)*
                }
            }
        }

        /// `with_session!(sessions, session => code)` runs the code with the session, whatever its game.
        macro_rules! with_session {
            ($d sessions:expr, $d session:ident => $d code:expr) => {
                match $d sessions {
                    $($crate::variants::Sessions::$name($d session) => $d code,)*
                }
            };
        }

        /// `with_game!(variant, G => code)` runs the code with `G` as the game's position type.
        macro_rules! with_game {
            ($d variant:expr, $d game:ident => $d code:expr) => {
                match $d variant {
                    $(::fauve_engine::Variant::$name => {
                        #[allow(clippy::items_after_statements, reason = "the type is the point")]
                        type $d game = $position;
                        $d code
                    })*
                }
            };
        }

        pub(crate) use {with_game, with_session};
    };
}

games! { $
    Chess: ::fauve_engine::rules::chess::Chess,
    Superchess: ::fauve_engine::rules::superchess::Superchess,
    TwoMove: ::fauve_engine::rules::twomove::TwoMove,
    DiceChess: ::fauve_engine::rules::dice::DiceChess,
    Cubes4d: ::fauve_engine::rules::cubes::Position,
}
