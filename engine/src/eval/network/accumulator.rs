//! Accumulators that follow a search: brought up to date from what has changed, when a value is asked for.

use super::Network;
use super::features::{Features, Men, View, bits};
use super::kernels::Block;
use crate::core::Color;
use std::sync::Arc;

/// The accumulators of one thread: those of the positions on the line that it looks at, by height.
///
/// Whatever order it is called in, the values are those of [`Network::evaluate`]; see the [module](super) for the order
/// that makes it fast.
#[derive(Clone, Debug)]
pub struct Evaluator<G: Features> {
    network: Arc<Network<G>>,
    /// By height, what the accumulators there belong to.
    seen: Vec<Option<Seen<G>>>,
    /// By height, White's accumulator and Black's.
    sums: Vec<Block>,
    refreshed: [Refreshed<G>; 4],
    /// What has changed in the eyes of either side.
    inputs: [Inputs; 2],
}

/// The part of a position that its accumulators depend on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Seen<G: Features> {
    men: Men,
    reserves: G::Reserves,
    views: [View; 2],
}

impl<G: Features> Seen<G> {
    #[inline(always)]
    fn of(position: &G) -> Self {
        Self {
            men: position.men(),
            reserves: position.reserves(),
            views: Color::ALL.map(|color| View::of(position, color)),
        }
    }
}

/// The latest accumulator that was not made from one of a lower height, in one view. Two positions of a game that a
/// view shows differ less from each other than either does from an empty board.
#[derive(Clone, Debug)]
struct Refreshed<G: Features> {
    seen: Option<Seen<G>>,
    sums: Vec<Block>,
}

impl<G: Features> Evaluator<G> {
    /// An evaluator that has not seen any position.
    pub fn new(network: Arc<Network<G>>) -> Self {
        let refreshed = std::array::from_fn(|_| Refreshed {
            seen: None,
            sums: network.biases.clone(),
        });
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

    /// To be called when another position comes to stand at a height: its accumulators are no use any more.
    #[inline(always)]
    pub fn invalidate(&mut self, height: usize) {
        if let Some(seen) = self.seen.get_mut(height) {
            *seen = None;
        }
    }

    /// The value of a position in centipawns from the point of view of the side to move. The height tells where its
    /// accumulators are kept: those of the nearest lower height that have not been invalidated are what they are made
    /// from.
    #[inline(never)]
    pub fn evaluate(&mut self, position: &G, height: usize) -> i32 {
        if height >= self.seen.len() {
            self.grow(height);
        }
        self.bring_up(position, height);
        let blocks = self.network.blocks;
        let (white, black) = self.sums[height * 2 * blocks..][..2 * blocks].split_at(blocks);
        let men = position.occupied().len();
        let (own, other) = match position.side_to_move() {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        self.network.value(position, own, other, men)
    }

    /// Room up to a height and somewhat beyond. It stays: a search that goes as deep again allocates nothing.
    #[cold]
    fn grow(&mut self, height: usize) {
        let heights = (height + 1).next_multiple_of(32);
        self.seen.resize(heights, None);
        let blocks = heights * 2 * self.network.blocks;
        self.sums.resize(blocks, Block::ZERO);
    }

    /// Makes the accumulators at a height those of the position.
    #[inline(always)]
    fn bring_up(&mut self, position: &G, height: usize) {
        let new = Seen::of(position);
        if self.seen[height].as_ref() == Some(&new) {
            return;
        }
        let base = (0..height)
            .rev()
            .find_map(|base| Some((base, self.seen[base].as_ref()?)))
            .map(|(base, old)| {
                Inputs::changes(&mut self.inputs, old, &new, new.views);
                (base, old.views)
            });
        for side in 0..2 {
            match base {
                Some((base, views)) if views[side] == new.views[side] => {
                    self.follow(base, side, height);
                }
                _ => self.refresh(position, &new, side, height),
            }
        }
        self.seen[height] = Some(new);
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
    fn refresh(&mut self, position: &G, new: &Seen<G>, side: usize, height: usize) {
        let view = new.views[side];
        let cache = &mut self.refreshed[side * 2 + usize::from(view.mirrored())];
        let inputs = &mut self.inputs[0];
        match &cache.seen {
            Some(old) => Inputs::changes(std::array::from_mut(inputs), old, new, [view]),
            None => inputs.all_of(position, view),
        }
        let (network, blocks) = (&*self.network, self.network.blocks);
        let to = &mut self.sums[(height * 2 + side) * blocks..][..blocks];
        network.kernel.update(
            to,
            &cache.sums,
            &network.columns,
            inputs.added(),
            inputs.removed(),
        );
        cache.sums.copy_from_slice(to);
        cache.seen = Some(*new);
    }
}

/// The room for a list of inputs: what a byte counts, so that no index needs a check. A list never has more than one
/// input a square and two reserves of 32, whatever stands on the board.
const ROOM: usize = 256;

/// The inputs that go on and off between two positions.
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

    /// Everything that a view shows of a position, as added to nothing.
    pub(super) fn all_of<G: Features>(&mut self, position: &G, view: View) {
        self.clear();
        view.for_each(position, |input| self.added.push(input));
    }

    /// What has changed from one position to another in some views. In views that the first position does not have, as
    /// if it had.
    #[inline(always)]
    fn changes<G: Features, const V: usize>(
        lists: &mut [Self; V],
        old: &Seen<G>,
        new: &Seen<G>,
        views: [View; V],
    ) {
        for inputs in lists.iter_mut() {
            inputs.clear();
        }
        let changed = old.men.changed(&new.men);
        for square in changed & old.men.occupied() {
            let (owner, kind) = old.men.man(square);
            for (inputs, view) in lists.iter_mut().zip(views) {
                inputs.removed.push(view.man_of::<G>(owner, kind, square));
            }
        }
        for square in changed & new.men.occupied() {
            let (owner, kind) = new.men.man(square);
            for (inputs, view) in lists.iter_mut().zip(views) {
                inputs.added.push(view.man_of::<G>(owner, kind, square));
            }
        }
        if old.reserves != new.reserves {
            for owner in Color::ALL {
                let [before, after] =
                    [old.reserves, new.reserves].map(|reserves| G::thermometers(reserves, owner));
                for (inputs, view) in lists.iter_mut().zip(views) {
                    for bit in bits(before & !after) {
                        inputs.removed.push(view.reserve::<G>(owner, bit));
                    }
                    for bit in bits(after & !before) {
                        inputs.added.push(view.reserve::<G>(owner, bit));
                    }
                }
            }
        }
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
    use super::super::test_support::{by_definition, position, random, random_parameters};
    use super::*;
    use crate::core::Kind;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;
    use crate::rules::twomove::TwoMove;
    use crate::rules::{Notation, Rules, legal_steps};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::Rng;

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
        passed: usize,
        back: usize,
        jumped: usize,
        halfway: usize,
    }

    impl Seen {
        fn step<G: Features>(&mut self, before: &G, after: &G) {
            let changed = before.men().changed(&after.men());
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
                squares.filter(|&at| position.man_at(at) == pawn).count()
            };
            self.promoted += usize::from(pawns(before) > pawns(after));
            self.crossed += usize::from(View::of(before, side) != View::of(after, side));
        }
    }

    /// Any of the items.
    fn choose<T: Copy>(rng: &mut Xoshiro256PlusPlus, items: &[T]) -> T {
        items[(rng.next_u64() % items.len() as u64) as usize]
    }

    /// A random legal step; now and then one of those that are rare.
    fn step<G: Features>(rng: &mut Xoshiro256PlusPlus, position: &G) -> Option<G> {
        let after = |step: &G::Step| {
            let mut next = *position;
            next.play(*step);
            next
        };
        let steps = legal_steps(position);
        if steps.is_empty() {
            return None;
        }
        if rng.next_u64().is_multiple_of(4) {
            let rare: Vec<G> = steps
                .iter()
                .map(after)
                .filter(|next| {
                    let mut seen = Seen::default();
                    seen.step(position, next);
                    seen.castled + seen.en_passant + seen.promoted + seen.crossed > 0
                })
                .collect();
            if !rare.is_empty() {
                return Some(choose(rng, &rare));
            }
        }
        Some(after(&choose(rng, &steps)))
    }

    /// Plays random games on lines like those of a search: forwards, back by any number of steps, with null moves
    /// (`pass`), asking for values at some nodes only. An evaluator is told what a search tells it (`orderly`), or some
    /// of it, and asked about heights that do not follow. Whatever it answers must be the value from nothing.
    fn wander<G: Features + Notation>(
        steps: usize,
        hidden: usize,
        orderly: bool,
        roots: &[&str],
        pass: fn(&G) -> Option<G>,
    ) -> Seen {
        let parameters = random_parameters::<G>(hidden, hidden as u64);
        let network = Arc::new(Network::new(&parameters));
        let mut evaluator = Evaluator::new(network.clone());
        let mut rng = random(steps as u64 + u64::from(orderly));
        let mut seen = Seen::default();
        let mut line: Vec<G> = Vec::new();
        for count in 0..steps {
            let next = match line.last() {
                // From another root.
                Some(_) if line.len() >= 300 || rng.next_u64().is_multiple_of(100) => {
                    line.clear();
                    None
                }
                Some(last) => match rng.next_u64() % 16 {
                    0 => pass(last).inspect(|_| seen.passed += 1),
                    1 | 2 => {
                        let back = rng.next_u64() as usize % line.len().min(12);
                        line.truncate(line.len() - back);
                        seen.back += back;
                        continue;
                    }
                    _ => step(&mut rng, last).inspect(|next| seen.step(last, next)),
                },
                None => None,
            };
            match next {
                Some(next) => line.push(next),
                // Mated, or in check where a null move was wanted: on with a position further back.
                None if line.len() > 1 => line.truncate(line.len() - 1),
                None => line = vec![position(choose(&mut rng, roots))],
            }
            let (mut height, at) = (line.len() - 1, line[line.len() - 1]);
            if orderly || rng.next_u64().is_multiple_of(2) {
                evaluator.invalidate(height);
            }
            if !orderly && rng.next_u64().is_multiple_of(8) {
                height = rng.next_u64() as usize % 320;
                seen.jumped += 1;
            }
            if rng.next_u64().is_multiple_of(4) {
                continue;
            }
            seen.halfway += usize::from(at.is_halfway());
            let value = evaluator.evaluate(&at, height);
            assert_eq!(value, network.evaluate(&at), "step {count}: {}", at.fen());
            if count.is_multiple_of(64) {
                assert_eq!(value, by_definition(&parameters, &at), "{}", at.fen());
                assert_eq!(value, evaluator.evaluate(&at, height), "asked again");
            }
        }
        seen
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
            let seen = wander(steps, 128, orderly, &CHESS, Chess::passed);
            let Seen {
                castled,
                en_passant,
                promoted,
                crossed,
                passed,
                back,
                ..
            } = seen;
            let counts = [castled, en_passant, promoted, crossed, passed, back];
            assert!(counts.iter().all(|&count| count > steps / 2000), "{seen:?}");
            assert_eq!(seen.jumped > 0, !orderly);

            let seen = wander(steps, 96, orderly, &SUPERCHESS, Superchess::passed);
            let Seen {
                castled,
                en_passant,
                promoted,
                crossed,
                passed,
                back,
                reserve,
                placed,
                ..
            } = seen;
            let counts = [
                castled, en_passant, promoted, crossed, passed, back, reserve, placed,
            ];
            assert!(counts.iter().all(|&count| count > steps / 2000), "{seen:?}");

            let seen = wander(steps, 64, orderly, &TWO_MOVE, TwoMove::passed);
            let counts = [seen.castled, seen.promoted, seen.crossed, seen.passed];
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
            wander(2_000, hidden, true, &CHESS, Chess::passed);
            wander(2_000, hidden, true, &SUPERCHESS, Superchess::passed);
        }
    }

    #[test]
    fn only_the_columns_that_changed_are_touched() {
        let network = Arc::new(Network::new(&random_parameters::<Superchess>(64, 1)));
        let mut evaluator = Evaluator::new(network);
        let mut changes = |before: &str, after: &str| {
            evaluator.invalidate(0);
            evaluator.evaluate(&position(before), 0);
            evaluator.invalidate(1);
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
