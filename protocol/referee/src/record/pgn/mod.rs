//! Games as PGN. Chess, Superchess, two-move chess and DiceChess are written in SAN, the moves of a turn joined by
//! commas; the notation of Cubes 4D has parentheses, which mean variations in PGN, so its turns are tokens. The roll
//! of a turn stands first in the comment behind it: `b2b4,c1a3 {PNB +0.34/12 0.120s}`.

pub mod read;
pub mod write;

pub use read::{PgnGame, parse};
pub use write::{PgnError, game_tags, game_text, save_games, text_of};
