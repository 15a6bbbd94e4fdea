//! Networks: evaluation learnt from games.
//!
//! A network sees a position from both sides ([`features`]). For each side a layer of hidden neurons, the *accumulator*,
//! is the sum of one column of weights per input that is on. The output is one neuron that weighs the squares of both
//! layers, clamped, the side to move's first; which of eight such neurons depends on the number of pieces on the board.
//!
//! A [`Network`] is read-only and shared by all threads in an [`Arc`]. Each thread has an [`AccumulatorStack`]
//! of its own, which keeps the accumulators along the line that the thread looks at, so that an evaluation costs only
//! what a step or two have changed. It is hooked into a search in three places:
//!
//! - an evaluator is made (or kept from the search before) where the thread starts its search;
//! - [`AccumulatorStack::push`] is called when the search enters a node, with the node's height: the number of steps, null
//!   moves and rolls between it and the root. Nothing is called when a step is taken back;
//! - [`AccumulatorStack::evaluate`] is called where a value is wanted, with the position and the same height.
//!
//! Nodes that never ask for a value cost nothing but the first call. Values are right whatever is called and in whatever
//! order, also from one search to the next: an accumulator knows the position that it belongs to, and a call that was
//! left out only makes the next evaluation slower.
//!
//! ```no_run
//! use fauve_engine::eval::network::{AccumulatorStack, Network};
//! use fauve_engine::rules::Notation;
//! use fauve_engine::rules::chess::Chess;
//! use std::sync::Arc;
//!
//! let network = Arc::new(Network::<Chess>::from_bytes(&std::fs::read("chess.nn")?)?);
//! let position = Chess::start(&Default::default());
//! let mut evaluator = AccumulatorStack::new(network.clone());
//! evaluator.push(0);
//! assert_eq!(evaluator.evaluate(&position, 0), network.evaluate(&position));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod accumulator;
pub mod features;
pub mod file;
pub mod kernels;
mod learned;
pub mod packed;
mod shipped;
#[cfg(test)]
pub(crate) mod test_support;

pub use accumulator::AccumulatorStack;
pub use features::Features;
pub use file::{NetworkError, Origin, Parameters};
pub use learned::{NnueEvaluator, SharedNetwork};
pub(in crate::eval) use shipped::shipped_network;
pub use shipped::{GiveError, ShippedNetwork, give, missing};

use crate::core::{Color, Kind};
use crate::eval::{LazyEval, PieceValues};
use crate::rules::Rules;
use accumulator::Inputs;
use features::{BUCKETS, BoardContent, output};
use file::MAX_HIDDEN;
use kernels::{Block, Columns, Kernel, LANES, QA};
use std::fmt::Debug;
use std::marker::PhantomData;
use std::sync::Arc;

/// The output weight that represents 1.0.
pub const QB: i16 = 64;
/// Values stay within this distance from zero, far from everything that means mate.
pub const LIMIT: i32 = 15_000;

/// The window that contains every value.
pub const FULL_WINDOW: (i32, i32) = (i32::MIN, i32::MAX);

/// The blocks of the longest accumulator.
pub(crate) const MAX_BLOCKS: usize = MAX_HIDDEN / LANES;

/// A network for a game, laid out for evaluating.
#[derive(Clone, Debug)]
pub struct Network<G> {
    kernel: Kernel,
    /// The blocks of an accumulator.
    blocks: usize,
    columns: Columns,
    biases: Vec<Block>,
    /// By bucket, twice as many blocks each as an accumulator has.
    output: Vec<Block>,
    output_biases: [i32; BUCKETS],
    origin: Origin,
    game: PhantomData<G>,
}

/// A game that can be evaluated by networks.
pub trait HasNetwork: Rules {
    /// The game's name in network files, at most 16 bytes.
    const NAME: &'static str;
    /// The number of inputs.
    const INPUTS: usize;
    /// The number of inputs of older files, whose networks see less: their inputs are the first ones.
    const FIRST_INPUTS: usize = Self::INPUTS;
    /// The largest number of inputs of one view that are on at once, in positions reachable with the game's set of pieces.
    const MAX_ACTIVE: usize;

    /// The centipawns of an output of 1.0. In chess and Superchess it was chosen by matches: the margins of the search, which are
    /// centipawns too, prune more the larger the values are.
    const SCALE: i64;

    /// The place of the network that the game comes with.
    fn place() -> &'static ShippedNetwork<Self>;

    /// The network that the game comes with. `None` where it is not part of the library (feature `networks`) and was not [given](give) yet:
    /// the game is then evaluated by hand if there is such an evaluation, else every position is even.
    fn shipped() -> Option<Arc<Network<Self>>> {
        Self::place().get()
    }
}

/// How the accumulators of a game's positions follow from each other.
pub trait IncrementalFeatures: HasNetwork {
    /// The part of a position that its accumulators depend on besides the perspectives.
    type Content: Copy + Eq + Debug + Send + Sync + 'static;
    /// How one side sees a position.
    type Perspective: Copy + Eq + Debug + Send + Sync + 'static;

    /// What one evaluation leaves behind to speed up the evaluation of nearby positions.
    type Hint: Copy + Default + Debug + Send + Sync + 'static;

    /// What is left of a hint where the next position is evaluated, one or several steps further.
    fn age(hint: Self::Hint) -> Self::Hint {
        hint
    }

    /// Number of perspectives of a side for which the accumulator that was last computed from scratch is kept.
    const CACHES: usize;

    /// The part of the position that the network's inputs depend on.
    fn content(&self) -> Self::Content;

    /// White's perspective, then Black's.
    fn views(&self) -> [Self::Perspective; 2];

    /// Where the accumulator of a view is kept, below [`IncrementalFeatures::CACHES`].
    fn cache(view: Self::Perspective) -> usize;

    /// Calls `visit` with every input that is on. An input that is visited twice counts twice.
    fn each_input(content: &Self::Content, view: Self::Perspective, visit: impl FnMut(usize));

    /// Calls `visit` with every difference between what is seen of two positions: the number of the view, whether the input goes
    /// on, the input. No more than 255 go on in a view, and no more go off, whatever the positions.
    fn each_change<const V: usize>(
        old: &Self::Content,
        new: &Self::Content,
        views: [Self::Perspective; V],
        visit: impl FnMut(usize, bool, usize),
    );

    /// Returns the output bucket, below [`features::BUCKETS`].
    fn bucket(content: &Self::Content) -> usize;

    /// The value for the side to move in centipawns, from its accumulator and the other's: exact inside the window (and where it is
    /// [`FULL_WINDOW`]), otherwise possibly a bound on the same side of the window. What can speed up the evaluation of nearby positions is
    /// stored in the hint.
    fn value(
        &self,
        network: &Network<Self>,
        layers: [&[Block]; 2],
        bucket: usize,
        window: (i32, i32),
        hint: &mut Self::Hint,
    ) -> LazyEval;

    /// What each piece is worth to the position by a network.
    fn piece_values(&self, network: &Network<Self>) -> PieceValues;
}

impl<G: HasNetwork> Network<G> {
    /// Reads a network file.
    ///
    /// # Errors
    /// Everything that is not a whole network file for this game.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Parameters::from_bytes(bytes).map(|parameters| Self::new(&parameters))
    }

    /// A network of the given numbers, for the fastest kernel that this processor can run.
    pub fn new(parameters: &Parameters<G>) -> Self {
        Self::with_kernel(parameters, Kernel::best())
    }

    /// Creates a network that is evaluated by a given kernel. All kernels give the same values.
    pub fn with_kernel(parameters: &Parameters<G>, kernel: Kernel) -> Self {
        let blocks = parameters.hidden() / LANES;
        let mut output_biases = [0; BUCKETS];
        output_biases.copy_from_slice(parameters.output_biases());
        Self {
            kernel,
            blocks,
            columns: Columns::new(Block::many(parameters.weights()), blocks),
            biases: Block::many(parameters.biases()),
            output: Block::many(parameters.output()),
            output_biases,
            origin: parameters.origin(),
            game: PhantomData,
        }
    }

    /// The number of hidden neurons.
    pub const fn hidden(&self) -> usize {
        self.blocks * LANES
    }

    /// How the network was made.
    pub const fn origin(&self) -> Origin {
        self.origin
    }

    /// The kernel that evaluates it.
    pub const fn kernel(&self) -> Kernel {
        self.kernel
    }

    /// The blocks of an accumulator.
    #[inline(always)]
    pub(crate) const fn blocks(&self) -> usize {
        self.blocks
    }

    /// The accumulator without any input.
    pub(crate) fn biases(&self) -> &[Block] {
        &self.biases
    }

    /// Computes an accumulator with inputs switched on and off.
    #[inline(always)]
    pub(crate) fn change(&self, to: &mut [Block], from: &[Block], on: &[u16], off: &[u16]) {
        self.kernel.update(to, from, &self.columns, on, off);
    }

    /// The value at the beginning of the turn of the side whose accumulator comes first, by the output of a bucket.
    #[inline]
    pub(crate) fn output(&self, own: &[Block], other: &[Block], bucket: usize) -> i32 {
        let weights = &self.output[bucket * 2 * self.blocks..][..2 * self.blocks];
        let sum = self.kernel.output(own, other, weights);
        let one = i64::from(QA);
        let value =
            (sum / one + i64::from(self.output_biases[bucket])) * G::SCALE / (one * i64::from(QB));
        value.clamp(-i64::from(LIMIT), i64::from(LIMIT)) as i32
    }
}

impl<G: IncrementalFeatures> Network<G> {
    /// The value of a position in centipawns from the point of view of the side to move, computed from nothing.
    pub fn evaluate(&self, position: &G) -> i32 {
        let content = position.content();
        let sums = self.accumulate(&content, position.views());
        let layers = self.layers(&sums, position);
        let hint = &mut G::Hint::default();
        position
            .value(self, layers, G::bucket(&content), FULL_WINDOW, hint)
            .value()
    }

    /// Both accumulators, from nothing.
    fn accumulate(&self, content: &G::Content, views: [G::Perspective; 2]) -> Sums {
        let mut sums = Sums::default();
        let mut inputs = Inputs::default();
        for color in Color::ALL {
            inputs.all_of::<G>(content, views[color.index()]);
            let to = &mut sums.of_mut(color)[..self.blocks];
            self.change(to, &self.biases, inputs.added(), &[]);
        }
        sums
    }

    /// The layers of the side to move and of the other.
    fn layers<'a>(&self, sums: &'a Sums, position: &G) -> [&'a [Block]; 2] {
        let side = position.side_to_move();
        [side, !side].map(|color| &sums.of(color)[..self.blocks])
    }
}

impl<G: Features> Network<G> {
    /// The network's own value of a position, in centipawns for the side to move: [`Self::evaluate`] without
    /// [what the game knows of endgames](Features::with_endgames).
    pub fn raw_evaluate(&self, position: &G) -> i32 {
        self.raw_evaluate_content(position, &position.content())
    }

    /// The network's own value of other contents, with the perspectives and the side to move of this position.
    fn raw_evaluate_content(
        &self,
        position: &G,
        content: &<G as IncrementalFeatures>::Content,
    ) -> i32 {
        let sums = self.accumulate(content, position.views());
        output(
            position,
            self,
            self.layers(&sums, position),
            G::bucket(content),
        )
    }

    /// Returns the value of each piece on the board, in centipawns for White: the value of the position with the piece less the
    /// value without it. Indexed by square; `None` for kings and empty squares.
    pub fn piece_values(&self, position: &G) -> [Option<i32>; 64] {
        let (side, pieces) = (position.side_to_move(), position.pieces());
        let with = self.raw_evaluate(position);
        let mut values = [None; 64];
        for square in position.occupied() {
            let Some((owner, kind)) = position
                .piece_at(square)
                .filter(|piece| piece.1 != Kind::King)
            else {
                continue;
            };
            let mut without = pieces;
            without.toggle(owner, kind, square);
            let content = BoardContent::new::<G>(without, position.reserves());
            let gain = with - self.raw_evaluate_content(position, &content);
            values[square.index()] = Some(match side {
                Color::White => gain,
                Color::Black => -gain,
            });
        }
        values
    }
}

/// The accumulators of both colours, as long as the longest.
#[derive(Clone, Copy)]
struct Sums([[Block; MAX_BLOCKS]; 2]);

impl Default for Sums {
    fn default() -> Self {
        Self([[Block::ZERO; MAX_BLOCKS]; 2])
    }
}

impl Sums {
    const fn of(&self, color: Color) -> &[Block; MAX_BLOCKS] {
        &self.0[color.index()]
    }

    const fn of_mut(&mut self, color: Color) -> &mut [Block; MAX_BLOCKS] {
        &mut self.0[color.index()]
    }
}

#[cfg(test)]
mod tests {
    use super::test_support::{by_definition, position, random_parameters};
    use super::*;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;
    use crate::rules::twomove::TwoMove;

    const CHESS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/2KR3R b kq - 0 1",
        "6k1/5ppp/8/8/2b5/8/PPP4P/1K2R3 w - - 0 1",
        "8/8/8/2k5/8/8/3P4/4K3 b - - 0 1",
        "8/8/8/2k5/8/8/8/4K3 w - - 0 1",
    ];
    const SUPERCHESS: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0",
        "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
        "rabskvne/pp1ppppp/8/2p5/8/3P4/PPP1PPPP/RABSKVNE[NBRQnbrq] b Qq - 0 1",
        "4k3/pp6/8/2A5/8/8/PPP4P/R1K4V[NQnnbe] w - - 0 1",
    ];

    const TWO_MOVE: [&str; 3] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1",
        "r3k2r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R3K2R w KQkq - 0 3 2",
        "r3k2r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R3K2R b KQkq - 0 3 1",
    ];

    #[test]
    fn values_are_those_of_the_definition() {
        fn check<G: Features>(positions: &[G]) {
            for (seed, hidden) in [32, 64, 96, 128, 160, 256].into_iter().enumerate() {
                let parameters = random_parameters::<G>(hidden, seed as u64);
                for kernel in Kernel::available() {
                    let network = Network::with_kernel(&parameters, kernel);
                    assert_eq!(network.hidden(), hidden);
                    for position in positions {
                        let value = network.evaluate(position);
                        assert_eq!(value, by_definition(&parameters, position));
                        assert_eq!(
                            network.accumulate(&position.content(), position.views()).0[0]
                                [MAX_BLOCKS - 1]
                                == Block::ZERO,
                            hidden < 256
                        );
                    }
                }
            }
        }
        check::<Chess>(&CHESS.map(position));
        check::<Superchess>(&SUPERCHESS.map(position));
        check::<TwoMove>(&TWO_MOVE.map(position));
    }

    #[test]
    fn values_differ_and_have_both_signs() {
        let network = Network::new(&random_parameters::<Chess>(64, 5));
        let values = CHESS.map(|fen| network.evaluate(&position(fen)));
        assert!(values.iter().any(|&value| value > 10), "{values:?}");
        assert!(values.iter().any(|&value| value < -10), "{values:?}");
    }

    #[test]
    fn a_file_gives_the_same_network() {
        let parameters = random_parameters::<Superchess>(128, 9);
        let read = Network::<Superchess>::from_bytes(&parameters.to_bytes()).expect("our own file");
        let network = Network::new(&parameters);
        assert_eq!(read.origin(), parameters.origin());
        for position in SUPERCHESS.map(position) {
            assert_eq!(read.evaluate(&position), network.evaluate(&position));
        }
    }

    #[test]
    fn values_stay_within_the_limit() {
        let tame = random_parameters::<Chess>(32, 1);
        for (bias, limit) in [(i32::MAX, LIMIT), (i32::MIN, -LIMIT)] {
            let wild = Parameters::<Chess>::new(
                tame.origin(),
                vec![i16::MAX; tame.weights().len()],
                vec![i16::MIN; tame.biases().len()],
                vec![127; tame.output().len()],
                vec![bias; BUCKETS],
            )
            .expect("of the right shape");
            for kernel in Kernel::available() {
                let network = Network::with_kernel(&wild, kernel);
                for position in CHESS.map(position::<Chess>) {
                    let expected = position.with_endgames(limit);
                    assert_eq!(network.evaluate(&position), expected);
                }
            }
        }
    }

    #[test]
    fn a_contribution_is_the_value_less_the_value_without() {
        let network = Network::new(&random_parameters::<Chess>(64, 2));
        // Ten pieces: without one of them the position belongs to another bucket.
        let board = "6k1/5ppp/8/2n5/8/8/PPP4P/1K6";
        for (side, sign) in [("w", 1), ("b", -1)] {
            let whole: Chess = position(&format!("{board} {side} - - 0 1"));
            let values = network.piece_values(&whole);
            let mut pieces = 0;
            for square in whole.board().occupied() {
                let (owner, kind) = whole.piece_at(square).expect("a piece");
                if kind == Kind::King {
                    assert_eq!(values[square.index()], None);
                    continue;
                }
                let mut board = *whole.board();
                board.toggle(owner, kind, square);
                let text = crate::rules::placement::board_fen(&board, crate::core::Bitboard::EMPTY);
                let without: Chess = position(&format!("{text} {side} - - 0 1"));
                let expected =
                    sign * (network.raw_evaluate(&whole) - network.raw_evaluate(&without));
                assert_eq!(values[square.index()], Some(expected), "{square}");
                pieces += 1;
            }
            assert_eq!(values.iter().flatten().count(), pieces);
        }
    }

    #[test]
    fn contributions_leave_the_reserve_alone() {
        let network = Network::new(&random_parameters::<Superchess>(64, 2));
        let whole: Superchess = position(SUPERCHESS[3]);
        let without: Superchess = position("4k3/pp6/8/8/8/8/PPP4P/R1K4V[NQnnbe] w - - 0 1");
        let amazon = "c5".parse::<crate::core::Square>().expect("a square");
        assert_eq!(
            network.piece_values(&whole)[amazon.index()],
            Some(network.raw_evaluate(&whole) - network.raw_evaluate(&without))
        );
    }
}
