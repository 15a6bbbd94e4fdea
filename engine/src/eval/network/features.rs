//! What a network sees of a position: a set of numbered inputs, each on or off.
//!
//! Every position is seen twice, once from each side. A [`View`] is how: ranks as that side counts them, relations
//! (own pieces, enemy pieces) instead of colours, and files mirrored while the side's own king stands on the right half of
//! the board, so that the network only ever sees that king on files a to d. A piece's input says relation, kind and square.
//! Games whose pieces can be off the board and come back have a reserve besides: thermometers, in which the second input
//! of a kind is on only together with the first. Games in which threats decide have further inputs for each piece, which are on while it
//! is [threatened](Features::threats).
//!
//! Trainer and engine number the inputs with the same functions. All of them work without a position:
//!
//! ```
//! use fauve_engine::core::{Color, Kind, Square};
//! use fauve_engine::eval::network::HasNetwork;
//! use fauve_engine::eval::network::features::View;
//! use fauve_engine::rules::chess::Chess;
//!
//! // A king on e1 stands on the right half: White sees the board mirrored, its knight g1 on b1.
//! let view = View::new(Color::White, Square::new(4, 0));
//! let knight = view.piece::<Chess>(Color::White, Kind::Knight, Square::new(6, 0));
//! assert_eq!(knight, Kind::Knight.index() * 64 + 1);
//! assert!(knight < Chess::INPUTS);
//! ```

use super::kernels::Block;
use super::{HasNetwork, IncrementalFeatures, Network, shipped_network};
use crate::core::{Bitboard, Color, Kind, Square};
use crate::eval::endgames::endgame_value;
use crate::eval::twomove::threatened;
use crate::eval::{LazyEval, PieceValues};
use crate::rules::Board;
use crate::rules::chess::Chess;
use crate::rules::dice::DiceChess;
use crate::rules::superchess::{Pool, Superchess};
use crate::rules::twomove::TwoMove;
use std::fmt::Debug;

/// The number of output buckets.
pub const BUCKETS: usize = 8;

/// The regions of the board that distinguish threatened pieces: two by two squares each. Which piece is threatened matters more
/// than where, and columns of weights that are few stay close to the processor.
const REGIONS: usize = 16;

/// The most pieces that a board of one of our games holds.
pub const MAX_PIECES: usize = 32;

/// A game on the board of 64 squares that networks can be trained for.
pub trait Features: HasNetwork {
    /// What the game keeps the reserves in.
    type Reserves: Copy + Eq + Debug + Send + Sync + 'static;

    /// The kinds of pieces on the board; their indices are below.
    const KINDS: usize;
    /// The inputs of one side's reserve, at most 32; 0 in games without one.
    const RESERVE: usize = 0;

    /// The number of sets of threatened pieces that the network sees; 0 in games whose networks see no threats.
    const THREATS: usize;
    /// The sets: `[Bitboard; THREATS]`.
    type Threats: Copy + Eq + Debug + AsRef<[Bitboard]> + Send + Sync + 'static;

    /// The pieces on the board.
    fn pieces(&self) -> Pieces;

    /// The pieces of both sides that are threatened, a set for each kind of threat.
    fn threats(pieces: &Pieces) -> Self::Threats;

    /// The king's square, or any fixed square with no king.
    fn king(&self, color: Color) -> Square;

    /// What is in the reserves.
    fn reserves(&self) -> Self::Reserves;

    /// Which inputs of a side's reserve are on, as bits below [`Features::RESERVE`].
    fn thermometers(reserves: Self::Reserves, color: Color) -> u32;

    /// Every piece's square.
    #[inline]
    fn occupied(&self) -> Bitboard {
        self.pieces().occupied()
    }

    /// The piece on a square.
    #[inline]
    fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        self.pieces().piece_at(square)
    }

    /// Whether the side to move has one step left where a turn is two: after its first step, or because White's first turn is one
    /// step. The value of such a position is the mean of its values with either side to begin a turn of two steps, because networks
    /// are trained on such turns only.
    #[inline(always)]
    fn is_halfway(&self) -> bool {
        false
    }

    /// The value of the position in centipawns for the side to move where the network says `value`: that, unless more is known.
    #[inline(always)]
    fn with_endgames(&self, value: i32) -> i32 {
        value
    }

    /// [`Features::thermometers`] of this position.
    #[inline]
    fn reserve(&self, color: Color) -> u32 {
        Self::thermometers(self.reserves(), color)
    }
}

/// The pieces on the board of any game of 64 squares.
pub type Pieces = Board<{ Kind::ALL.len() }>;

/// What network files say of a game on a board of 64 squares: two relations of every kind on every square, then the reserves of
/// both, then for each set of threatened pieces two relations of every kind in every region. The network that it comes with is the file of its name.
macro_rules! board_networks {
    ($game:ident, $name:literal, $scale:literal) => {
        impl HasNetwork for $game {
            const NAME: &'static str = $name;
            const SCALE: i64 = $scale;
            const INPUTS: usize = Self::FIRST_INPUTS + 2 * Self::THREATS * Self::KINDS * REGIONS;
            const FIRST_INPUTS: usize = 2 * (Self::KINDS * 64 + Self::RESERVE);
            const MAX_ACTIVE: usize = MAX_PIECES * (1 + Self::THREATS) + 2 * Self::RESERVE;

            shipped_network!($game, $name);
        }
    };
}

/// What is the same in all games on a board of 64 squares, with the number of sets of threatened pieces and the function that finds them.
macro_rules! board_features {
    ($threats:literal, $threatened:expr) => {
        const THREATS: usize = $threats;
        type Threats = [Bitboard; $threats];

        #[inline(always)]
        fn threats(pieces: &Pieces) -> Self::Threats {
            $threatened(pieces)
        }

        #[inline(always)]
        fn pieces(&self) -> Pieces {
            self.board().widened()
        }

        #[inline(always)]
        fn king(&self, color: Color) -> Square {
            self.board().king(color)
        }
    };
}

/// The sets of games whose networks see no threats.
#[inline(always)]
const fn no_threats(_: &Pieces) -> [Bitboard; 0] {
    []
}

/// A game in which pieces come from nowhere but the board.
macro_rules! without_reserves {
    ($game:ident, $name:literal, $scale:literal, $threats:literal, $threatened:expr $(, $more:item)?) => {
        board_networks!($game, $name, $scale);

        impl Features for $game {
            type Reserves = ();

            const KINDS: usize = Kind::CHESS.len();

            board_features!($threats, $threatened);

            #[inline(always)]
            fn reserves(&self) {}

            #[inline(always)]
            fn thermometers((): (), _: Color) -> u32 {
                0
            }

            $($more)?
        }
    };
}

without_reserves!(
    Chess,
    "chess",
    250,
    0,
    no_threats,
    #[inline(always)]
    fn with_endgames(&self, value: i32) -> i32 {
        endgame_value(self.orthodox(), value)
    }
);
without_reserves!(DiceChess, "dicechess", 400, 0, no_threats);
without_reserves!(
    TwoMove,
    "twomove",
    400,
    2,
    threatened,
    #[inline(always)]
    fn is_halfway(&self) -> bool {
        self.moves_left() == 1
    }
);

/// How many pieces of a kind the reserve of Superchess can show: no set has more of a kind that comes back.
const CAP: usize = 2;

board_networks!(Superchess, "superchess", 250);

impl Features for Superchess {
    type Reserves = Pool;

    const KINDS: usize = Kind::ALL.len();
    const RESERVE: usize = Pool::KINDS.len() * CAP;

    board_features!(0, no_threats);

    #[inline(always)]
    fn reserves(&self) -> Pool {
        self.pool()
    }

    #[inline(always)]
    fn with_endgames(&self, value: i32) -> i32 {
        endgame_value(self.orthodox(), value)
    }

    /// What the side's pawns can become: for the k-th kind of [`Pool::KINDS`] bit 2k with one piece or more, bit 2k + 1
    /// with two or more.
    #[inline(always)]
    fn thermometers(pool: Pool, color: Color) -> u32 {
        const TWO: u32 = 0b10_10_10_10_10_10_10;
        let counts = u32::from(pool.counts(color));
        // Of three pieces no more is shown than of two.
        let two = counts & TWO;
        two | (counts | two >> 1) & TWO >> 1
    }
}

/// What the accumulators of a position on the board of 64 squares depend on besides the views.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BoardContent<R, T> {
    pieces: Pieces,
    reserves: R,
    threats: T,
}

/// The same in a game.
type ContentOf<G> = BoardContent<<G as Features>::Reserves, <G as Features>::Threats>;

impl<R, T> BoardContent<R, T> {
    /// What there is to see of pieces and reserves in a game.
    #[inline(always)]
    pub fn new<G: Features<Reserves = R, Threats = T>>(pieces: Pieces, reserves: R) -> Self {
        Self {
            pieces,
            reserves,
            threats: G::threats(&pieces),
        }
    }
}

impl<G: Features> IncrementalFeatures for G {
    type Content = ContentOf<G>;
    type Perspective = View;
    type Hint = ();

    const CACHES: usize = 2;

    #[inline(always)]
    fn content(&self) -> Self::Content {
        BoardContent::new::<G>(self.pieces(), self.reserves())
    }

    #[inline(always)]
    fn views(&self) -> [View; 2] {
        Color::ALL.map(|color| View::of(self, color))
    }

    #[inline(always)]
    fn cache(view: View) -> usize {
        usize::from(view.mirrored())
    }

    #[inline(always)]
    fn each_input(content: &Self::Content, view: View, visit: impl FnMut(usize)) {
        view.each_of::<G>(content, visit);
    }

    #[inline(always)]
    fn each_change<const V: usize>(
        old: &Self::Content,
        new: &Self::Content,
        views: [View; V],
        mut visit: impl FnMut(usize, bool, usize),
    ) {
        let changed = old.pieces.changed(&new.pieces);
        for (content, on) in [(old, false), (new, true)] {
            for square in changed & content.pieces.occupied() {
                let (owner, kind) = content.pieces.piece(square);
                for (number, view) in views.into_iter().enumerate() {
                    visit(number, on, view.piece::<G>(owner, kind, square));
                }
            }
        }
        for set in 0..G::THREATS {
            for (content, other, on) in [(old, new, false), (new, old, true)] {
                let [these, others] = [content, other].map(|content| content.threats.as_ref()[set]);
                for square in these & (changed | !others) {
                    let (owner, kind) = content.pieces.piece(square);
                    for (number, view) in views.into_iter().enumerate() {
                        visit(number, on, view.threat::<G>(set, owner, kind, square));
                    }
                }
            }
        }
        if old.reserves == new.reserves {
            return;
        }
        for owner in Color::ALL {
            let [before, after] =
                [old, new].map(|content| G::thermometers(content.reserves, owner));
            for (number, view) in views.into_iter().enumerate() {
                for bit in bits(before & !after) {
                    visit(number, false, view.reserve::<G>(owner, bit));
                }
                for bit in bits(after & !before) {
                    visit(number, true, view.reserve::<G>(owner, bit));
                }
            }
        }
    }

    #[inline(always)]
    fn bucket(content: &Self::Content) -> usize {
        bucket(content.pieces.occupied().len() as usize)
    }

    #[inline(always)]
    fn value(
        &self,
        network: &Network<G>,
        [own, other]: [&[Block]; 2],
        bucket: usize,
        _: (i32, i32),
        (): &mut (),
    ) -> LazyEval {
        LazyEval::Exact(self.with_endgames(output(self, network, [own, other], bucket)))
    }

    fn piece_values(&self, network: &Network<G>) -> PieceValues {
        let values = network.piece_values(self);
        PieceValues {
            corner: (0, 0),
            ranks: values.chunks(8).map(<[_]>::to_vec).collect(),
        }
    }
}

/// What the network says of a position by itself, given the layers of the side to move and of the other.
#[inline(always)]
pub(super) fn output<G: Features>(
    position: &G,
    network: &Network<G>,
    [own, other]: [&[Block]; 2],
    bucket: usize,
) -> i32 {
    let value = network.output(own, other, bucket);
    if position.is_halfway() {
        (value - network.output(other, own, bucket)) / 2
    } else {
        value
    }
}

/// The eyes through which one side sees the board.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct View {
    perspective: Color,
    /// The bits of a square's index that are turned over: 56 for Black's ranks, 7 for mirrored files.
    flip: u8,
}

impl View {
    /// The view of a side whose own king stands on `king`.
    #[inline(always)]
    pub const fn new(perspective: Color, king: Square) -> Self {
        Self::with(perspective, king.file() >= 4)
    }

    /// A view, mirrored (the king stands on files e to h) or not.
    #[inline(always)]
    pub const fn with(perspective: Color, mirrored: bool) -> Self {
        let mirror = if mirrored { 7 } else { 0 };
        Self {
            perspective,
            flip: perspective as u8 * 56 ^ mirror,
        }
    }

    /// The view that a side has in a position.
    #[inline(always)]
    pub fn of<G: Features>(position: &G, perspective: Color) -> Self {
        Self::new(perspective, position.king(perspective))
    }

    /// Whether files are mirrored.
    #[inline(always)]
    pub const fn mirrored(self) -> bool {
        self.flip & 7 != 0
    }

    /// The square as this view sees it.
    #[inline(always)]
    pub const fn square(self, square: Square) -> Square {
        Square::from_index(square.index() as u8 ^ self.flip)
    }

    /// 0 for the view's own pieces, 1 for the enemy's.
    #[inline(always)]
    const fn relation(self, owner: Color) -> usize {
        owner.index() ^ self.perspective.index()
    }

    /// The input of a piece.
    #[inline(always)]
    pub const fn piece<G: Features>(self, owner: Color, kind: Kind, square: Square) -> usize {
        (self.relation(owner) * G::KINDS + kind.index()) * 64 + self.square(square).index()
    }

    /// The input of one bit (below [`Features::RESERVE`]) of a side's reserve.
    #[inline(always)]
    pub const fn reserve<G: Features>(self, owner: Color, bit: usize) -> usize {
        G::KINDS * 128 + self.relation(owner) * G::RESERVE + bit
    }

    /// The input of a piece of one set (below [`Features::THREATS`]) of threatened pieces: relation, kind and region of the board.
    #[inline(always)]
    pub const fn threat<G: Features>(
        self,
        set: usize,
        owner: Color,
        kind: Kind,
        square: Square,
    ) -> usize {
        let square = self.square(square).index();
        let region = square / 16 * 4 + square % 8 / 2;
        let piece = (2 * set + self.relation(owner)) * G::KINDS + kind.index();
        G::FIRST_INPUTS + piece * REGIONS + region
    }

    /// Calls `visit` with every input of a position that is on: pieces in the order of their squares, then reserves, then
    /// threatened pieces.
    #[inline]
    pub fn for_each<G: Features>(self, position: &G, visit: impl FnMut(usize)) {
        self.each_of::<G>(&position.content(), visit);
    }

    /// Calls `visit` with every input that is on for these contents of a position, in the order of [`View::for_each`].
    #[inline]
    fn each_of<G: Features>(self, content: &ContentOf<G>, mut visit: impl FnMut(usize)) {
        for square in content.pieces.occupied() {
            let (owner, kind) = content.pieces.piece(square);
            visit(self.piece::<G>(owner, kind, square));
        }
        if G::RESERVE > 0 {
            for owner in Color::ALL {
                for bit in bits(G::thermometers(content.reserves, owner)) {
                    visit(self.reserve::<G>(owner, bit));
                }
            }
        }
        for (set, &threatened) in content.threats.as_ref().iter().enumerate() {
            for square in threatened {
                let (owner, kind) = content.pieces.piece(square);
                visit(self.threat::<G>(set, owner, kind, square));
            }
        }
    }
}

/// The numbers of the bits that are set, ascending.
#[inline(always)]
pub(in crate::eval) fn bits(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (set != 0).then(|| {
            let bit = set.trailing_zeros() as usize;
            set &= set - 1;
            bit
        })
    })
}

/// Returns the output bucket of a position with this number of pieces on the 64-square board.
#[inline(always)]
pub const fn bucket(pieces: usize) -> usize {
    let bucket = pieces.saturating_sub(2) / 4;
    if bucket < BUCKETS {
        bucket
    } else {
        BUCKETS - 1
    }
}

#[cfg(test)]
mod tests {
    use super::super::test_support::position;
    use super::*;
    use std::collections::BTreeSet;

    /// Both views of a position, those of the side to move first.
    fn seen<G: Features>(position: &G) -> [BTreeSet<usize>; 2] {
        let us = position.side_to_move();
        [us, !us].map(|perspective| {
            let (mut set, mut count) = (BTreeSet::new(), 0);
            View::of(position, perspective).for_each(position, |input| {
                assert!(input < G::INPUTS);
                set.insert(input);
                count += 1;
            });
            assert_eq!(set.len(), count, "an input twice");
            assert!(count <= G::MAX_ACTIVE);
            set
        })
    }

    #[test]
    fn every_input_has_one_meaning() {
        fn check<G: Features>(kinds: &[Kind]) {
            assert_eq!(kinds.len(), G::KINDS);
            for perspective in Color::ALL {
                for mirrored in [false, true] {
                    let view = View::with(perspective, mirrored);
                    let mut all = BTreeSet::new();
                    for owner in Color::ALL {
                        for &kind in kinds {
                            all.extend(Square::all().map(|at| view.piece::<G>(owner, kind, at)));
                        }
                        all.extend((0..G::RESERVE).map(|bit| view.reserve::<G>(owner, bit)));
                        for set in 0..G::THREATS {
                            for &kind in kinds {
                                let threat = |at| view.threat::<G>(set, owner, kind, at);
                                all.extend(Square::all().map(threat));
                            }
                        }
                    }
                    assert_eq!(all, (0..G::INPUTS).collect());
                }
            }
        }
        check::<Chess>(&Kind::CHESS);
        check::<Superchess>(&Kind::ALL);
        check::<DiceChess>(&Kind::CHESS);
        check::<TwoMove>(&Kind::CHESS);
        assert_eq!(DiceChess::INPUTS, 768);
        assert_eq!(Chess::INPUTS, 768);
        assert_eq!(Superchess::INPUTS, 1308);
        assert_eq!(TwoMove::INPUTS, 768 + 384);
    }

    #[test]
    fn the_numbers_are_those_of_the_file_format() {
        let (e4, e1) = (Square::new(4, 3), Square::new(4, 0));
        let white = View::with(Color::White, false);
        let black = View::with(Color::Black, true);
        assert_eq!(white.piece::<Chess>(Color::White, Kind::Pawn, e4), 28);
        assert_eq!(
            white.piece::<Chess>(Color::Black, Kind::King, e1),
            (6 + 5) * 64 + 4
        );
        // Black sees e4 on e5, mirrored on d5.
        assert_eq!(
            black.piece::<Superchess>(Color::White, Kind::Veteran, e4),
            (10 + 9) * 64 + 35
        );
        assert_eq!(white.reserve::<Superchess>(Color::White, 3), 1280 + 3);
        assert_eq!(black.reserve::<Superchess>(Color::White, 3), 1280 + 14 + 3);
    }

    /// The same position with the colours changed: ranks in reverse order, letters in the other case.
    fn swapped(fen: &str) -> String {
        let (board, rest) = fen.split_once(' ').expect("words");
        let (pieces, pool) = board.split_once('[').unwrap_or((board, ""));
        let ranks: Vec<&str> = pieces.split('/').rev().collect();
        let pool = if pool.is_empty() {
            String::new()
        } else {
            format!("[{pool}")
        };
        let (side, rest) = rest.split_at(1);
        let side = if side == "w" { "b" } else { "w" };
        let other_case = |text: &str| -> String {
            text.chars()
                .map(|c| {
                    if c.is_ascii_lowercase() {
                        c.to_ascii_uppercase()
                    } else {
                        c.to_ascii_lowercase()
                    }
                })
                .collect()
        };
        let pieces = other_case(&(ranks.join("/") + &pool));
        let (castling, counters) = rest[1..].split_once(' ').expect("castling");
        format!("{pieces} {side} {} {counters}", other_case(castling))
    }

    #[test]
    fn colours_swapped_look_the_same() {
        let fen = "r1bqk2r/ppp2ppp/2n2n2/3pp3/1b1PP3/2N2N2/PPP2PPP/R1BQ1RK1 w kq - 0 5";
        let other = swapped(fen);
        let (one, two): (Chess, Chess) = (position(fen), position(&other));
        assert_eq!(seen(&one), seen(&two));
        let fen = "4k3/pp6/8/2A5/8/8/PPP4P/R3K2V[NQnnbe] w Q - 0 1";
        let (one, two): (Superchess, Superchess) = (position(fen), position(&swapped(fen)));
        assert_eq!(seen(&one), seen(&two));
        assert_eq!(seen(&one)[0].len(), 11 + 6);
    }

    #[test]
    fn left_and_right_look_the_same() {
        let one: Chess = position("6k1/5ppp/8/8/2b5/8/PPP4P/1K2R3 w - - 0 1");
        let two: Chess = position("1k6/ppp5/8/8/5b2/8/P4PPP/3R2K1 w - - 0 1");
        assert_eq!(seen(&one), seen(&two));
        // The views mirror apart: here only White's king is on another half.
        let three: Chess = position("6k1/5ppp/8/8/2b5/8/PPP4P/4RK2 w - - 0 1");
        assert_ne!(seen(&one)[0], seen(&three)[0]);
    }

    #[test]
    fn the_reserve_is_a_thermometer() {
        let empty: Superchess = position("4k3/8/8/8/8/8/8/4K3[] w - - 0 1");
        assert_eq!(Color::ALL.map(|color| empty.reserve(color)), [0, 0]);
        let some: Superchess = position("4k3/8/8/8/8/8/8/4K3[NRRVnbbq] w - - 0 1");
        // Two bits a kind in the order N B R Q E S V.
        assert_eq!(some.reserve(Color::White), 0b01_00_00_00_11_00_01);
        assert_eq!(some.reserve(Color::Black), 0b00_00_00_01_00_11_01);
        let prologue: Superchess =
            position("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0");
        assert_eq!(Color::ALL.map(|color| prologue.reserve(color)), [0, 0]);
        assert_eq!(seen(&some)[0].len(), 2 + 8);
    }

    #[test]
    fn changed_squares() {
        let one: Chess = position("4k3/8/8/3pP3/8/8/8/R3K3 w Q d6 0 1");
        let en_passant: Chess = position("4k3/8/3P4/8/8/8/8/R3K3 b Q - 0 1");
        let castled: Chess = position("4k3/8/8/3pP3/8/8/8/2KR4 b - - 1 1");
        let squares = |text: &str| -> Bitboard {
            text.split(' ')
                .filter_map(|at| at.parse::<Square>().ok())
                .collect()
        };
        let changed = |a: &Chess, b: &Chess| a.pieces().changed(&b.pieces());
        assert!(changed(&one, &one).is_empty());
        assert_eq!(changed(&one, &en_passant), squares("d5 e5 d6"));
        assert_eq!(changed(&castled, &one), squares("a1 c1 d1 e1"));
        // A capture by a piece of the same kind, and of the same colour by another kind.
        let colour: Chess = position("4k3/8/8/3PP3/8/8/8/R3K3 b Q - 0 1");
        assert_eq!(changed(&one, &colour), squares("d5"));
        let kind: Chess = position("4k3/8/8/3nP3/8/8/8/R3K3 b Q - 0 1");
        assert_eq!(changed(&one, &kind), squares("d5"));
    }

    #[test]
    fn packed_pieces_are_those_of_the_board() {
        let fen = "rabskvne/pp1ppppp/8/2p5/8/3P4/PPP1PPPP/RABSKVNE[NBRQnbrq] b Qq - 0 1";
        let some: Superchess = position(fen);
        for square in Square::all() {
            assert_eq!(
                some.piece_at(square),
                some.board().piece_at(square),
                "{square}"
            );
        }
        assert_eq!(some.occupied(), some.board().occupied());
    }

    #[test]
    fn buckets() {
        let all: Vec<usize> = [0, 2, 5, 6, 9, 10, 29, 30, 32, 64].map(bucket).into();
        assert_eq!(all, [0, 0, 0, 1, 1, 2, 6, 7, 7, 7]);
    }
}
