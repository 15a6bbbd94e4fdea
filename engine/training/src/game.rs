//! What training needs to know about a game: everything that it asks of the engine's rules stands here.

use crate::random::Random;
use crate::record::{GameResult, Record};
use clap::ValueEnum;
use fauve_engine::core::{Bitboard, Color, Kind, Square};
use fauve_engine::eval::Tactics;
use fauve_engine::eval::network::features::Features;
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::orthodox::Orthodox;
use fauve_engine::rules::superchess::{Options, Pool, Superchess};
use fauve_engine::rules::{Game, NoOptions, Notation, Wing, legal_steps};
use fauve_engine::search::Engine;
use serde::{Deserialize, Serialize};

/// The games that have networks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum)]
pub enum GameName {
    /// Orthodox chess.
    Chess,
    /// Superchess.
    Superchess,
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
        }
    };
}
pub(crate) use with_game;

/// Superchess: which promotion pool the games are played with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolRule {
    /// Half of the games each.
    Mixed,
    /// A promoted man that is captured is used up.
    Literal,
    /// A promoted man that is captured can be promoted to again.
    Physical,
}

/// A game whose network can be trained.
pub trait Trainable: Engine + Tactics + Features {
    /// The kinds whose number in a pool is recorded; empty in games without a pool.
    const POOL: &'static [Kind];

    /// The start of a game, before its random turns.
    fn start_of_game(random: &mut Random, pool: PoolRule) -> Game<Self>;

    /// Whether a position may be learned from (in Superchess the prologue is over).
    fn is_in_play(&self) -> bool {
        true
    }

    /// The position of a game as a record, with score 0 and an open result.
    fn describe(game: &Game<Self>) -> Record;

    /// The options of the rules that a recorded game was played by.
    fn options(record: &Record) -> Self::Options {
        let _ = record;
        Self::Options::default()
    }

    /// The position of a record, unless the record is not a position of this game.
    fn of_record(record: &Record) -> Option<Self> {
        let options = Self::options(record);
        let parsed = Self::from_fen(&record.fen(Self::POOL), &options).ok()?;
        Some(parsed.position)
    }
}

impl Trainable for Chess {
    const POOL: &'static [Kind] = &[];

    fn start_of_game(_: &mut Random, _: PoolRule) -> Game<Self> {
        Game::new(Self::start(&NoOptions), NoOptions)
    }

    fn describe(game: &Game<Self>) -> Record {
        orthodox_record(game.position().orthodox())
    }
}

/// One Superchess game in so many begins with the prologue.
const PROLOGUE: usize = 8;
/// The number of arrays that a prologue can end in.
const ARRAYS: usize = 432;

impl Trainable for Superchess {
    const POOL: &'static [Kind] = &Pool::KINDS;

    /// One of the arrays, each equally likely, or a prologue of random turns.
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

    fn options(record: &Record) -> Options {
        Options {
            physical_pool: record.physical,
            ..Options::default()
        }
    }

    fn describe(game: &Game<Self>) -> Record {
        let position = game.position();
        Record {
            promoted: position.promoted(),
            reserve: Color::ALL.map(|color| position.reserve(color) as u16),
            physical: game.options().physical_pool,
            ..orthodox_record(position.orthodox())
        }
    }
}

/// What a record says of chess as well as of Superchess.
fn orthodox_record<const N: usize>(position: &Orthodox<N>) -> Record {
    let board = position.board();
    let occupied = board.occupied();
    let mut castling = 0;
    for color in Color::ALL {
        for wing in Wing::ALL {
            if position.castling().has(color, wing) {
                castling |= 1 << (color.index() * 2 + wing as usize);
            }
        }
    }
    Record {
        occupied,
        black: board.color(Color::Black),
        kinds: Record::pack_kinds(occupied.map(|square| board.kind_of_man(square))),
        promoted: Bitboard::EMPTY,
        reserve: [0; 2],
        score: 0,
        side: position.side_to_move(),
        result: GameResult::Open,
        castling,
        en_passant: position.en_passant().map(Square::file),
        clock: position.clock().min(127) as u8,
        physical: false,
    }
}

/// What the evaluation that the engine comes with says, in centipawns for the side to move.
pub fn present<G: Trainable>(position: &G) -> i32 {
    position.evaluate()
}

/// Plays a random turn, each step equally likely among its legal ones; whether there was one.
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

/// Drops the history of a game where the last turn cannot be taken back in play: no position before it comes again. The
/// search copies the history of a game at every iteration.
pub fn forget_past<G: Trainable>(game: &mut Game<G>) {
    let options = *game.options();
    let position = *game.position();
    if !position.is_mid_turn() && position.reversible_turns(&options) == 0 {
        *game = Game::new(position, options);
    }
}
