//! Requirements of training on a game: all uses of the engine's rules are here.

use crate::random::Random;
use crate::record::{GameResult, Packed, Record};
use crate::views::Views;
use clap::{Args, ValueEnum};
use fauve_engine::core::{Bitboard, Color, Kind, Square};
use fauve_engine::eval::Tactics;
use fauve_engine::eval::network::{Features, IncrementalFeatures, Network};
use fauve_engine::rules::chess::{self, Chess};
use fauve_engine::rules::orthodox::Orthodox;
use fauve_engine::rules::superchess::{Options, Pool, Superchess};
use fauve_engine::rules::twomove::{self, TwoMove};
use fauve_engine::rules::{
    Board, CastlingRights, CastlingSide, Game, Notation, Rules, legal_steps,
};
use fauve_engine::search::Engine;
use serde::{Deserialize, Serialize};

/// A game with a network.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GameName {
    /// Orthodox chess.
    Chess,
    /// Superchess.
    Superchess,
    /// Two-move chess.
    Twomove,
    /// Cubes 4D.
    Cubes4d,
}

/// Evaluates an expression with `$G` as the type of the game of a [`GameName`].
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            $crate::game::GameName::Chess => {
                type $G = fauve_engine::rules::chess::Chess;
                $body
            }
            $crate::game::GameName::Superchess => {
                type $G = fauve_engine::rules::superchess::Superchess;
                $body
            }
            $crate::game::GameName::Twomove => {
                type $G = fauve_engine::rules::twomove::TwoMove;
                $body
            }
            $crate::game::GameName::Cubes4d => {
                type $G = fauve_engine::rules::cubes::Cubes4d;
                $body
            }
        }
    };
}
pub(crate) use with_game;

/// Promotion pool of the games (Superchess).
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolRule {
    /// Half of the games with each pool.
    Mixed,
    /// A promoted piece that is captured is used up.
    Literal,
    /// A promoted piece that is captured is available again.
    Physical,
}

/// What an advantage means.
#[derive(Args, Clone, Copy, Debug, Default)]
pub struct Odds {
    /// Centipawns that multiply the odds of winning by e [default: the game's]
    #[arg(long = "odds", value_name = "CENTIPAWNS", value_parser = positive)]
    centipawns: Option<f32>,
}

impl Odds {
    /// The centipawns that multiply the odds of winning by e in a game.
    pub fn of<G: Trainable>(self) -> f32 {
        self.centipawns.unwrap_or(G::ODDS)
    }
}

fn positive(text: &str) -> Result<f32, String> {
    text.parse()
        .ok()
        .filter(|number: &f32| number.is_finite() && *number > 0.0)
        .ok_or_else(|| "not a positive number".to_owned())
}

/// A game whose network can be trained.
pub trait Trainable: Engine + Tactics + IncrementalFeatures {
    /// Minimum and maximum number of random turns at the start of a game.
    const RANDOM_TURNS: (usize, usize) = (4, 9);

    /// Record only positions out of check whose best turn does not change the material. The evaluation of others matters
    /// only after they have been resolved by quiescence search.
    const QUIET_ONLY: bool = true;

    /// Value, in centipawns, at which a side usually wins.
    const DECIDED: i32 = 1500;

    /// Number of training-only inputs (factoriser), numbered after those of the game. Each is active wherever one of a
    /// group of related inputs is, so that what the group has in common is learned jointly. Their weights are added to
    /// those of the inputs at the end.
    const SHARED: usize = 0;

    /// Calls `visit` with the shared inputs of an input of the game.
    fn each_shared(input: usize, visit: impl FnMut(usize)) {
        let _ = (input, visit);
    }

    /// Centipawns that multiply the odds of winning by e. If it is more than what games show, each network values the same
    /// advantage higher than the one whose games it learned from, and the margins of the search, which stay, become too small.
    const ODDS: f32 = 400.0;

    /// The start of a game, before its random turns.
    fn start_of_game(random: &mut Random, pool: PoolRule) -> Game<Self>;

    /// Whether a position may be recorded (in Superchess, after the prologue).
    fn is_in_play(&self) -> bool {
        true
    }

    /// Whether a game is adjudicated as a draw after a long time without progress.
    fn is_stale(&self) -> bool {
        false
    }

    /// The position of a game as a record, with score 0 and an open result; `None` if it does not fit a record.
    fn describe(game: &Game<Self>) -> Option<Packed>;

    /// Whether the network evaluates the position of a record. Other positions, which older files contain, are not used.
    fn asks_network(record: &Packed) -> bool {
        let _ = record;
        true
    }

    /// The value of a position by a network alone, in centipawns for the side to move, without the engine's knowledge of endgames.
    fn raw_value(&self, network: &Network<Self>) -> i32 {
        network.evaluate(self)
    }

    /// The network's inputs for a record.
    fn views_of(record: &Packed) -> Views;

    /// The position string of a record, if it is one of this game. The turn number is not recorded and is 1.
    fn text_of(record: &Packed) -> Option<String>;

    /// The rule options of a recorded game.
    fn options(record: &Packed) -> Self::Options {
        let _ = record;
        Self::Options::default()
    }

    /// The position of a record; `None` if the record is not a position of this game.
    fn of_record(record: &Packed) -> Option<Self> {
        let options = Self::options(record);
        let parsed = Self::from_fen(&Self::text_of(record)?, &options).ok()?;
        Some(parsed.position)
    }
}

/// A game on the board of 64 squares.
pub trait OnBoard: Trainable + Features {
    /// Kinds whose number in a pool is recorded; empty in games without a pool.
    const POOL: &'static [Kind];

    /// The position of a game, with score 0 and an open result.
    fn record(game: &Game<Self>) -> Record;
}

/// Items of [`Trainable`] that all games on the board of 64 squares share.
macro_rules! on_board {
    () => {
        fn describe(game: &Game<Self>) -> Option<Packed> {
            Some(Self::record(game).pack())
        }

        #[inline]
        fn views_of(record: &Packed) -> Views {
            Views::of::<Self>(&Record::unpack(record))
        }

        fn raw_value(&self, network: &Network<Self>) -> i32 {
            network.raw_evaluate(self)
        }

        fn text_of(record: &Packed) -> Option<String> {
            Some(Record::unpack(record).fen(Self::POOL))
        }
    };
}

impl Trainable for Chess {
    on_board!();

    /// The latest games show 161 by all scores.
    const ODDS: f32 = 172.0;
    const DECIDED: i32 = 940;

    fn start_of_game(_: &mut Random, _: PoolRule) -> Game<Self> {
        Game::new(
            Self::start(&chess::Options::default()),
            chess::Options::default(),
        )
    }
}

impl OnBoard for Chess {
    const POOL: &'static [Kind] = &[];

    fn record(game: &Game<Self>) -> Record {
        orthodox_record(game.position().orthodox())
    }
}

/// One Superchess game in this number starts with the prologue.
const PROLOGUE: usize = 8;
/// Number of arrays that a prologue can end in.
const ARRAYS: usize = 432;

impl Trainable for Superchess {
    on_board!();

    /// As in chess. Games of the present engine show 214 by all scores.
    const ODDS: f32 = 172.0;
    const DECIDED: i32 = 940;

    /// A random array, each equally likely, or a prologue of random turns.
    fn start_of_game(random: &mut Random, pool: PoolRule) -> Game<Self> {
        let options = Options {
            prologue: random.one_in(PROLOGUE),
            array: random.below(ARRAYS) as u16,
            physical_pool: match pool {
                PoolRule::Mixed => random.one_in(2),
                PoolRule::Literal => false,
                PoolRule::Physical => true,
            },
        };
        let mut game = Game::new(Self::start(&options), options);
        while game.position().prologue().is_some() && play_random_turn(&mut game, random) {}
        forget_past(&mut game);
        game
    }

    fn is_in_play(&self) -> bool {
        self.prologue().is_none()
    }

    fn options(record: &Packed) -> Options {
        Options {
            physical_pool: Record::unpack(record).physical,
            ..Options::default()
        }
    }
}

impl OnBoard for Superchess {
    const POOL: &'static [Kind] = &Pool::KINDS;

    fn record(game: &Game<Self>) -> Record {
        let position = game.position();
        Record {
            promoted: position.promoted(),
            reserve: Color::ALL.map(|color| position.reserve(color) as u16),
            physical: game.options().physical_pool,
            ..orthodox_record(position.orthodox())
        }
    }
}

impl Trainable for TwoMove {
    on_board!();

    /// A turn changes twice as much as in chess, and an error costs more.
    const RANDOM_TURNS: (usize, usize) = (1, 4);
    /// Three turns of four capture or evade check, and quiescence stands pat in check as well.
    const QUIET_ONLY: bool = false;

    fn start_of_game(_: &mut Random, _: PoolRule) -> Game<Self> {
        let options = twomove::Options::default();
        Game::new(Self::start(&options), options)
    }

    fn is_in_play(&self) -> bool {
        self.moves_left() == 2
    }
}

impl OnBoard for TwoMove {
    const POOL: &'static [Kind] = &[];

    /// Of two pawns that can be captured en passant, the record has one.
    fn record(game: &Game<Self>) -> Record {
        let position = game.position();
        let target = position.en_passant_targets().try_first();
        Record {
            side: position.side_to_move(),
            en_passant: target.map(Square::file),
            clock: position.quiet_turns().min(127) as u8,
            ..record_of(position.board(), position.castling())
        }
    }
}

/// The record of a position with orthodox rules.
fn orthodox_record<const N: usize>(position: &Orthodox<N>) -> Record {
    Record {
        side: position.side_to_move(),
        en_passant: position.en_passant().map(Square::file),
        clock: position.clock().min(127) as u8,
        ..record_of(position.board(), position.castling())
    }
}

/// The record of pieces and castling rights, White to move.
fn record_of<const N: usize>(board: &Board<N>, rights: CastlingRights) -> Record {
    let occupied = board.occupied();
    let mut castling = 0;
    for color in Color::ALL {
        for castling_side in CastlingSide::ALL {
            if rights.has(color, castling_side) {
                castling |= 1 << (color.index() * 2 + castling_side as usize);
            }
        }
    }
    Record {
        occupied,
        black: board.color(Color::Black),
        kinds: Record::pack_kinds(occupied.map(|square| board.kind_of_piece(square))),
        promoted: Bitboard::EMPTY,
        reserve: [0; 2],
        score: 0,
        side: Color::White,
        result: GameResult::Open,
        castling,
        en_passant: None,
        clock: 0,
        physical: false,
    }
}

/// The engine's own evaluation, in centipawns for the side to move.
pub fn present<G: Trainable>(position: &G) -> i32 {
    position.evaluate()
}

/// Plays a random turn, each step uniformly among its legal ones; returns whether there was one.
pub fn play_random_turn<G: Trainable>(game: &mut Game<G>, random: &mut Random) -> bool {
    let side = game.position().side_to_move();
    while game.position().side_to_move() == side {
        let legal = legal_steps(game.position());
        if legal.is_empty() {
            return false;
        }
        game.play(legal[random.below(legal.len())]);
    }
    true
}

/// Drops the history of a game if the last turn was irreversible, so that no earlier position can recur. The search copies
/// the history at every iteration.
pub fn forget_past<G: Trainable>(game: &mut Game<G>) {
    let options = *game.options();
    let position = *game.position();
    if !position.is_mid_turn() && position.reversible_turns(&options) == 0 {
        *game = Game::new(position, options);
    }
}
