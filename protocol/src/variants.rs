//! A session of any game, and the way from it to the game's static type.

use crate::wire::session::Session;
use fauve_engine::rules::RuleSettings;
use fauve_engine::{Variant, for_each_game};

pub(crate) use fauve_engine::with_game;

macro_rules! sessions {
    ([$d:tt] $($name:ident: $position:ty,)*) => {
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
            pub fn new(variant: Variant, rules: &RuleSettings) -> Self {
                match variant {
                    $(Variant::$name => Self::$name(Session::new(rules)),)*
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
        pub(crate) use with_session;
    };
}

for_each_game!(sessions $);
