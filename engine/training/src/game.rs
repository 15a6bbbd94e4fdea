//! What training needs to know about a game: everything that it asks of the engine's rules stands here.

use crate::random::Random;
use crate::record::{GameResult, Packed, Record};
use crate::views::Views;
use clap::ValueEnum;
use fauve_engine::core::{Bitboard, Color, Kind, Square};
use fauve_engine::eval::Tactics;
use fauve_engine::eval::network::{Features, IncrementalFeatures};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::orthodox::Orthodox;
use fauve_engine::rules::superchess::{Options, Pool, Superchess};
use fauve_engine::rules::twomove::{self, TwoMove};
use fauve_engine::rules::{
    Board, CastlingRights, CastlingSide, Game, NoOptions, Notation, Rules, legal_steps,
};
use fauve_engine::search::Engine;
use serde::{Deserialize, Serialize};

/// The games that have networks.
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

/// Superchess: which promotion pool the games are played with.
#[derive(Clone, Copy, PartialEq, Eq, Debug, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PoolRule {
    /// Half of the games each.
    Mixed,
    /// A promoted piece that is captured is used up.
    Literal,
    /// A promoted piece that is captured can be promoted to again.
    Physical,
}

/// A game whose network can be trained.
pub trait Trainable: Engine + Tactics + IncrementalFeatures {
    /// How many random turns a game begins with, at least and at most.
    const RANDOM_TURNS: (usize, usize) = (4, 9);

    /// Whether only positions out of check are learned from whose best turn changes no material: the others are asked about
    /// after they were played out.
    const QUIET_ONLY: bool = true;

    /// A value with which a side wins, as a rule.
    const DECIDED: i32 = 1500;

    /// Inputs that only the training has, numbered behind those of the game: each is on wherever one of several inputs is that have
    /// something in common, so that what holds for all of them is learned from all. Their weights end up in those inputs.
    const SHARED: usize = 0;

    /// Calls `visit` with the shared inputs that an input of the game brings with it.
    fn each_shared(input: usize, visit: impl FnMut(usize)) {
        let _ = (input, visit);
    }

    /// So many centipawns multiply the odds to win by e.
    const ODDS: f32 = 400.0;

    /// The start of a game, before its random turns.
    fn start_of_game(random: &mut Random, pool: PoolRule) -> Game<Self>;

    /// Whether a position may be learned from (in Superchess the prologue is over).
    fn is_in_play(&self) -> bool {
        true
    }

    /// Whether a game is drawn because nothing has happened for long.
    fn is_stale(&self) -> bool {
        false
    }

    /// The position of a game as a record, with score 0 and an open result; `None` if no record can hold it.
    fn describe(game: &Game<Self>) -> Option<Packed>;

    /// Whether the network is asked about the position of a record; nothing is learned from others, which older files hold.
    fn asks_network(record: &Packed) -> bool {
        let _ = record;
        true
    }

    /// What the network sees of a record.
    fn views_of(record: &Packed) -> Views;

    /// The position string of a record, if it is one of this game; the turn number is not kept and is 1.
    fn text_of(record: &Packed) -> Option<String>;

    /// The options of the rules that a recorded game was played by.
    fn options(record: &Packed) -> Self::Options {
        let _ = record;
        Self::Options::default()
    }

    /// The position of a record, unless the record is not a position of this game.
    fn of_record(record: &Packed) -> Option<Self> {
        let options = Self::options(record);
        let parsed = Self::from_fen(&Self::text_of(record)?, &options).ok()?;
        Some(parsed.position)
    }
}

/// A game on the board of 64 squares.
pub trait OnBoard: Trainable + Features {
    /// The kinds whose number in a pool is recorded; empty in games without a pool.
    const POOL: &'static [Kind];

    /// The position of a game, with score 0 and an open result.
    fn record(game: &Game<Self>) -> Record;
}

/// What is the same in all games on a board of 64 squares.
macro_rules! on_board {
    () => {
        fn describe(game: &Game<Self>) -> Option<Packed> {
            Some(Self::record(game).pack())
        }

        #[inline]
        fn views_of(record: &Packed) -> Views {
            Views::of::<Self>(&Record::unpack(record))
        }

        fn text_of(record: &Packed) -> Option<String> {
            Some(Record::unpack(record).fen(Self::POOL))
        }
    };
}

impl Trainable for Chess {
    on_board!();

    fn start_of_game(_: &mut Random, _: PoolRule) -> Game<Self> {
        Game::new(Self::start(&NoOptions), NoOptions)
    }
}

impl OnBoard for Chess {
    const POOL: &'static [Kind] = &[];

    fn record(game: &Game<Self>) -> Record {
        orthodox_record(game.position().orthodox())
    }
}

/// One Superchess game in so many begins with the prologue.
const PROLOGUE: usize = 8;
/// The number of arrays that a prologue can end in.
const ARRAYS: usize = 432;

impl Trainable for Superchess {
    on_board!();

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
    /// Three turns of four take something or answer a check, and quiescence stands pat in check as well.
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

    /// Of two pawns that can be taken in passing the record has one.
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

/// What a record says of chess as well as of Superchess.
fn orthodox_record<const N: usize>(position: &Orthodox<N>) -> Record {
    Record {
        side: position.side_to_move(),
        en_passant: position.en_passant().map(Square::file),
        clock: position.clock().min(127) as u8,
        ..record_of(position.board(), position.castling())
    }
}

/// What a record says of pieces and castling rights, White to move.
fn record_of<const N: usize>(board: &Board<N>, rights: CastlingRights) -> Record {
    let occupied = board.occupied();
    let mut castling = 0;
    for color in Color::ALL {
        for wing in CastlingSide::ALL {
            if rights.has(color, wing) {
                castling |= 1 << (color.index() * 2 + wing as usize);
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
