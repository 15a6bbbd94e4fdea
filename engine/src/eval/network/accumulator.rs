//! Accumulators that follow a search: they are updated from the changed inputs when a value is needed.

use super::kernels::Block;
use super::{FULL_WINDOW, IncrementalFeatures, Network};
use crate::core::Color;
use crate::eval::LazyEval;
use std::sync::Arc;

/// The accumulators of one thread, by height: those of the positions on its current line.
///
/// Whatever order it is called in, the values are those of [`Network::evaluate`]; see the [module](super) for the order
/// that makes it fast.
#[derive(Clone, Debug)]
pub struct AccumulatorStack<G: IncrementalFeatures> {
    network: Arc<Network<G>>,
    /// By height, what the accumulators there belong to, and the game's hint.
    seen: Vec<Option<(Seen<G>, G::Hint)>>,
    /// By height, White's accumulator and Black's.
    sums: Vec<Block>,
    /// By side and [`IncrementalFeatures::cache`].
    refreshed: Vec<Refreshed<G>>,
    /// What has changed in the eyes of either side.
    inputs: [Inputs; 2],
}

/// The part of a position that its accumulators depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seen<G: IncrementalFeatures> {
    content: G::Content,
    views: [G::Perspective; 2],
}

impl<G: IncrementalFeatures> Seen<G> {
    #[inline(always)]
    fn of(position: &G) -> Self {
        Self {
            content: position.content(),
            views: position.views(),
        }
    }
}

/// The latest accumulator that was not made from one of a lower height, in one view. Two positions of a game that a
/// view shows differ less from each other than either does from an empty board.
#[derive(Clone, Debug)]
struct Refreshed<G: IncrementalFeatures> {
    seen: Option<Seen<G>>,
    sums: Vec<Block>,
}

impl<G: IncrementalFeatures> AccumulatorStack<G> {
    /// An evaluator that has not seen any position.
    pub fn new(network: Arc<Network<G>>) -> Self {
        let refreshed = vec![
            Refreshed {
                seen: None,
                sums: network.biases.clone(),
            };
            2 * G::CACHES
        ];
        Self {
            network,
            seen: Vec::new(),
            sums: Vec::new(),
            refreshed,
            inputs: Default::default(),
        }
    }

    /// What it evaluates with.
    pub fn network(&self) -> &Network<G> {
        &self.network
    }

    /// Marks the accumulators of a height as outdated; called whenever a new position is reached at that height.
    #[inline(always)]
    pub fn push(&mut self, height: usize) {
        if let Some(seen) = self.seen.get_mut(height) {
            *seen = None;
        }
    }

    /// Returns the value of a position in centipawns for the side to move. The accumulators of `height` are updated from those
    /// of the nearest lower height that are up to date.
    #[inline]
    pub fn evaluate(&mut self, position: &G, height: usize) -> i32 {
        self.evaluate_within(position, height, FULL_WINDOW).value()
    }

    /// Returns the value of a position in centipawns for the side to move, exact if it lies inside the window; outside the window possibly
    /// only a bound that lies outside, too.
    #[inline(never)]
    pub fn evaluate_within(&mut self, position: &G, height: usize, window: (i32, i32)) -> LazyEval {
        let (bucket, mut hint) = self.refresh(position, height);
        let layers = self.layers(position, height);
        let valued = position.value(&self.network, layers, bucket, window, &mut hint);
        if let Some((_, kept)) = &mut self.seen[height] {
            *kept = hint;
        }
        valued
    }

    /// The accumulators at a height, that of the side to move first.
    #[inline(always)]
    fn layers(&self, position: &G, height: usize) -> [&[Block]; 2] {
        let blocks = self.network.blocks;
        let (white, black) = self.sums[height * 2 * blocks..][..2 * blocks].split_at(blocks);
        match position.side_to_move() {
            Color::White => [white, black],
            Color::Black => [black, white],
        }
    }

    /// Room up to a height and somewhat beyond. It stays: a search that goes as deep again allocates nothing.
    #[cold]
    fn grow(&mut self, height: usize) {
        let heights = (height + 1).next_multiple_of(32);
        self.seen.resize(heights, None);
        let blocks = heights * 2 * self.network.blocks;
        self.sums.resize(blocks, Block::ZERO);
    }

    /// Makes the accumulators at a height those of the position; its output bucket, and the hint of the nearest lower height.
    #[inline(always)]
    fn refresh(&mut self, position: &G, height: usize) -> (usize, G::Hint) {
        if height >= self.seen.len() {
            self.grow(height);
        }
        let new = Seen::of(position);
        let bucket = G::bucket(&new.content);
        if let Some((old, hint)) = self.seen[height]
            && old == new
        {
            return (bucket, hint);
        }
        let base = (0..height)
            .rev()
            .find_map(|base| Some((base, self.seen[base].as_ref()?)))
            .map(|(base, (old, hint))| {
                Inputs::changes::<G, 2>(&mut self.inputs, &old.content, &new.content, new.views);
                (base, old.views, *hint)
            });
        for side in 0..2 {
            match base {
                Some((base, views, _)) if views[side] == new.views[side] => {
                    self.follow(base, side, height);
                }
                _ => self.refresh_side(&new, side, height),
            }
        }
        let hint = base.map_or_else(G::Hint::default, |(_, _, hint)| G::age(hint));
        self.seen[height] = Some((new, hint));
        (bucket, hint)
    }

    /// Makes the accumulator of one side, at a height, from that of a lower height and what has changed since.
    #[inline(always)]
    fn follow(&mut self, base: usize, side: usize, height: usize) {
        let blocks = self.network.blocks;
        let (lower, higher) = self.sums.split_at_mut(height * 2 * blocks);
        self.network.kernel.update(
            &mut higher[side * blocks..][..blocks],
            &lower[(base * 2 + side) * blocks..][..blocks],
            &self.network.columns,
            self.inputs[side].added(),
            self.inputs[side].removed(),
        );
    }

    /// Makes the accumulator of one side, at a height, from the one that was last made so in the same view.
    #[inline(never)]
    fn refresh_side(&mut self, new: &Seen<G>, side: usize, height: usize) {
        let view = new.views[side];
        let cache = &mut self.refreshed[side * G::CACHES + G::cache(view)];
        let inputs = &mut self.inputs[0];
        let (network, blocks) = (&*self.network, self.network.blocks);
        let from = match &cache.seen {
            Some(old) if old.views[side] == view => {
                let inputs = std::array::from_mut(inputs);
                Inputs::changes::<G, 1>(inputs, &old.content, &new.content, [view]);
                &cache.sums
            }
            _ => {
                inputs.all_of::<G>(&new.content, view);
                &network.biases
            }
        };
        let to = &mut self.sums[(height * 2 + side) * blocks..][..blocks];
        network
            .kernel
            .update(to, from, &network.columns, inputs.added(), inputs.removed());
        cache.sums.copy_from_slice(to);
        cache.seen = Some(*new);
    }
}

/// The room for a list of inputs: what a byte counts, so that no index needs a check. No list of a game is longer: see
/// [`IncrementalFeatures::each_change`].
const ROOM: usize = 256;

/// The inputs that are switched on and off between two positions.
#[derive(Clone, Debug)]
pub(super) struct Inputs {
    added: List,
    removed: List,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            added: List::EMPTY,
            removed: List::EMPTY,
        }
    }
}

impl Inputs {
    /// The inputs that went on.
    #[inline(always)]
    pub(super) fn added(&self) -> &[u16] {
        self.added.get()
    }

    /// The inputs that went off.
    #[inline(always)]
    pub(super) fn removed(&self) -> &[u16] {
        self.removed.get()
    }

    /// Everything that a view shows, as added to nothing.
    pub(super) fn all_of<G: IncrementalFeatures>(
        &mut self,
        content: &G::Content,
        view: G::Perspective,
    ) {
        self.clear();
        G::each_input(content, view, |input| self.added.push(input));
    }

    /// The inputs that differ between two contents, for the given perspectives; these need not be those of the first position.
    #[inline(always)]
    fn changes<G: IncrementalFeatures, const V: usize>(
        lists: &mut [Self; V],
        old: &G::Content,
        new: &G::Content,
        views: [G::Perspective; V],
    ) {
        for inputs in lists.iter_mut() {
            inputs.clear();
        }
        G::each_change(old, new, views, |number, on, input| {
            let inputs = &mut lists[number];
            if on {
                inputs.added.push(input);
            } else {
                inputs.removed.push(input);
            }
        });
    }

    #[inline(always)]
    fn clear(&mut self) {
        self.added.length = 0;
        self.removed.length = 0;
    }
}

/// A list of inputs that is not cleared, only begun anew.
#[derive(Clone, Debug)]
struct List {
    inputs: [u16; ROOM],
    length: u8,
}

impl List {
    const EMPTY: Self = Self {
        inputs: [0; ROOM],
        length: 0,
    };

    #[inline(always)]
    fn push(&mut self, input: usize) {
        self.inputs[usize::from(self.length)] = input as u16;
        self.length += 1;
    }

    #[inline(always)]
    fn get(&self) -> &[u16] {
        &self.inputs[..usize::from(self.length)]
    }
}

#[cfg(test)]
mod tests {
    use super::super::features::{Features, View};
    use super::super::test_support::{Walk, Walked, by_definition, position, random_parameters};
    use super::*;
    use crate::core::Kind;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;
    use crate::rules::twomove::TwoMove;
    use crate::rules::{Notation, Rules};

    /// The steps of the random games in the short form.
    const STEPS: usize = 40_000;

    /// What the steps of the games did.
    #[derive(Default, Debug)]
    struct Seen {
        castled: usize,
        en_passant: usize,
        promoted: usize,
        crossed: usize,
        reserve: usize,
        placed: usize,
        halfway: usize,
    }

    impl Seen {
        fn step<G: Features>(&mut self, before: &G, after: &G) {
            self.halfway += usize::from(after.is_halfway());
            let changed = before.pieces().changed(&after.pieces());
            let placed = before.occupied() == after.occupied() && changed.any();
            self.placed += usize::from(placed);
            if placed {
                return;
            }
            self.castled += usize::from(changed.len() == 4);
            self.en_passant += usize::from(changed.len() == 3);
            self.reserve += usize::from(before.reserves() != after.reserves());
            let side = before.side_to_move();
            let pawns = |position: &G| -> usize {
                let pawn = Some((side, Kind::Pawn));
                let squares = position.occupied();
                squares.filter(|&at| position.piece_at(at) == pawn).count()
            };
            self.promoted += usize::from(pawns(before) > pawns(after));
            self.crossed += usize::from(View::of(before, side) != View::of(after, side));
        }

        fn is_rare<G: Features>(before: &G, after: &G) -> bool {
            let mut seen = Self::default();
            seen.step(before, after);
            seen.castled + seen.en_passant + seen.promoted + seen.crossed > 0
        }
    }

    /// Walks of a game on the board of 64 squares.
    fn wander<G: Features + Notation>(
        steps: usize,
        hidden: usize,
        orderly: bool,
        roots: &[&str],
        null_move: fn(&G) -> Option<G>,
    ) -> (Seen, Walked) {
        let mut seen = Seen::default();
        let walk = Walk {
            steps,
            hidden,
            orderly,
            roots,
            null_move,
            is_rare: Seen::is_rare,
            definition: by_definition,
        };
        let walked = walk.wander(|before, after| seen.step(before, after));
        (seen, walked)
    }

    const CHESS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
    ];
    const SUPERCHESS: [&str; 5] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 p0",
        "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
        "rnsvkaer/pppppppp/8/8/8/8/PPPPPPPP/RNSVKAER w KQkq - 0 1",
        "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3[NBRQESVnbrqesv] w - - 0 1",
        "2n1k3/PPP5/8/8/8/8/3K1ppp/5N2[NBRQESVnbrqesv] w - - 0 1",
    ];
    const TWO_MOVE: [&str; 4] = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 1",
        "r3k2r/pppp1ppp/2n2n2/4p3/4P3/2N2N2/PPPP1PPP/R3K2R w KQkq - 0 3 2",
        "4k3/p1p1p1p1/8/1P1P1P1P/p1p1p1p1/8/1P1P1P1P/4K3 w - - 0 1 2",
        "6k1/1p6/8/8/8/8/1P4P1/1K6 w - - 0 1 2",
    ];

    fn wander_everywhere(steps: usize) {
        for orderly in [true, false] {
            let (
                seen,
                Walked {
                    passed,
                    back,
                    jumped,
                },
            ) = wander(steps, 128, orderly, &CHESS, Chess::null_move);
            let Seen {
                castled,
                en_passant,
                promoted,
                crossed,
                ..
            } = seen;
            let counts = [castled, en_passant, promoted, crossed, passed, back];
            assert!(counts.iter().all(|&count| count > steps / 2000), "{seen:?}");
            assert_eq!(jumped > 0, !orderly);

            let (seen, Walked { passed, back, .. }) =
                wander(steps, 96, orderly, &SUPERCHESS, Superchess::null_move);
            let Seen {
                castled,
                en_passant,
                promoted,
                crossed,
                reserve,
                placed,
                ..
            } = seen;
            let counts = [
                castled, en_passant, promoted, crossed, passed, back, reserve, placed,
            ];
            assert!(counts.iter().all(|&count| count > steps / 2000), "{seen:?}");

            let (seen, Walked { passed, .. }) =
                wander(steps, 64, orderly, &TWO_MOVE, TwoMove::null_move);
            let counts = [seen.castled, seen.promoted, seen.crossed, passed];
            assert!(counts.iter().all(|&count| count > steps / 2000), "{seen:?}");
            assert!(seen.halfway > steps / 10, "{seen:?}");
        }
    }

    #[test]
    fn brought_up_to_date_as_from_nothing() {
        wander_everywhere(STEPS);
    }

    #[test]
    #[ignore = "the long form: a million steps each"]
    fn brought_up_to_date_as_from_nothing_for_a_million_steps() {
        wander_everywhere(1_000_000);
    }

    #[test]
    fn every_size_is_brought_up_to_date() {
        for hidden in [32, 64, 160, 256] {
            wander(2_000, hidden, true, &CHESS, Chess::null_move);
            wander(2_000, hidden, true, &SUPERCHESS, Superchess::null_move);
        }
    }

    #[test]
    fn only_the_columns_that_changed_are_touched() {
        let network = Arc::new(Network::new(&random_parameters::<Superchess>(64, 1)));
        let mut evaluator = AccumulatorStack::new(network);
        let mut changes = |before: &str, after: &str| {
            evaluator.push(0);
            evaluator.evaluate(&position(before), 0);
            evaluator.push(1);
            evaluator.evaluate(&position(after), 1);
            let sizes = |inputs: &Inputs| (inputs.added().len(), inputs.removed().len());
            [sizes(&evaluator.inputs[0]), sizes(&evaluator.inputs[1])]
        };
        let before = "3qk3/1P6/8/2p5/3N4/8/8/4K3[Qn] w - - 0 1";
        let quiet = "3qk3/1P6/8/2p1N3/8/8/8/4K3[Qn] b - - 0 1";
        assert_eq!(changes(before, quiet), [(1, 1); 2]);
        let promotion = "1Q1qk3/8/8/2p5/3N4/8/8/4K3[n] b - - 0 1";
        assert_eq!(changes(before, promotion), [(1, 2); 2]);
        let taken = "3qk3/1P6/8/8/3p4/8/8/4K3[NQn] w - - 0 1";
        assert_eq!(changes(before, taken), [(2, 2); 2]);
        assert_eq!(changes(before, before), [(0, 0); 2]);
    }
}
