//! Accumulators that follow a search: brought up to date from what has changed, when a value is asked for.

use super::Network;
use super::features::{Features, View, bits};
use super::kernels::Block;
use crate::core::Color;
use std::sync::Arc;

/// The accumulators of one thread: those of the positions on the line that it looks at, by height.
///
/// Whatever order it is called in, the values are those of [`Network::evaluate`]; see the [module](super) for the order
/// that makes it fast.
#[derive(Clone, Debug)]
pub struct Evaluator<G> {
    network: Arc<Network<G>>,
    /// By height, the position that the accumulators there belong to.
    positions: Vec<Option<G>>,
    /// By height, White's accumulator and Black's.
    sums: Vec<Block>,
    refreshed: [Refreshed<G>; 4],
    /// What has changed in the eyes of either side.
    inputs: [Inputs; 2],
}

/// The latest accumulator that was not made from one of a lower height, in one view. Two positions of a game that a
/// view shows differ less from each other than either does from an empty board.
#[derive(Clone, Debug)]
struct Refreshed<G> {
    position: Option<G>,
    sums: Vec<Block>,
}

impl<G: Features> Evaluator<G> {
    /// An evaluator that has not seen any position.
    pub fn new(network: Arc<Network<G>>) -> Self {
        let refreshed = std::array::from_fn(|_| Refreshed {
            position: None,
            sums: network.biases.clone(),
        });
        Self {
            network,
            positions: Vec::new(),
            sums: Vec::new(),
            refreshed,
            inputs: Default::default(),
        }
    }

    /// The network that it evaluates with.
    pub const fn network(&self) -> &Arc<Network<G>> {
        &self.network
    }

    /// To be called when another position comes to stand at a height: its accumulators are no use any more.
    #[inline(always)]
    pub fn invalidate(&mut self, height: usize) {
        if let Some(position) = self.positions.get_mut(height) {
            *position = None;
        }
    }

    /// The value of a position in centipawns from the point of view of the side to move. The height tells where its
    /// accumulators are kept: those of the nearest lower height that have not been invalidated are what they are made
    /// from.
    #[inline]
    pub fn evaluate(&mut self, position: &G, height: usize) -> i32 {
        if height >= self.positions.len() {
            self.grow(height);
        }
        self.bring_up(position, height);
        let blocks = self.network.blocks;
        let (white, black) = self.sums[height * 2 * blocks..][..2 * blocks].split_at(blocks);
        let men = position.occupied().len();
        match position.side_to_move() {
            Color::White => self.network.output(white, black, men),
            Color::Black => self.network.output(black, white, men),
        }
    }

    /// Room for a height and as many more. A search that has once been as deep finds it there.
    #[cold]
    fn grow(&mut self, height: usize) {
        let heights = (height + 1).next_multiple_of(32);
        self.positions.resize(heights, None);
        let blocks = heights * 2 * self.network.blocks;
        self.sums.resize(blocks, Block::ZERO);
    }

    /// Makes the accumulators at a height those of the position.
    #[inline]
    fn bring_up(&mut self, position: &G, height: usize) {
        let is_same = |old: &G| position.changed(old).is_empty() && !position.reserves_changed(old);
        if self.positions[height].as_ref().is_some_and(is_same) {
            return;
        }
        let views = Color::ALL.map(|color| View::of(position, color));
        let base = (0..height)
            .rev()
            .find_map(|base| Some((base, self.positions[base].as_ref()?)));
        let mut fresh = [true; 2];
        if let Some((base, old)) = base {
            Inputs::changes(&mut self.inputs, old, position, views);
            fresh = Color::ALL.map(|color| View::of(old, color) != views[color.index()]);
            let (network, blocks) = (&*self.network, self.network.blocks);
            let (lower, higher) = self.sums.split_at_mut(height * 2 * blocks);
            for side in 0..2 {
                if !fresh[side] {
                    network.kernel.update(
                        &mut higher[side * blocks..][..blocks],
                        &lower[(base * 2 + side) * blocks..][..blocks],
                        &network.columns,
                        self.inputs[side].added(),
                        self.inputs[side].removed(),
                    );
                }
            }
        }
        for side in 0..2 {
            if fresh[side] {
                self.refresh(position, views[side], height);
            }
        }
        self.positions[height] = Some(*position);
    }

    /// Makes the accumulator of one view, at a height, from the one that was last made so in the same view.
    #[inline(never)]
    fn refresh(&mut self, position: &G, view: View, height: usize) {
        let side = view.perspective().index();
        let cache = &mut self.refreshed[side * 2 + usize::from(view.mirrored())];
        let inputs = &mut self.inputs;
        match &cache.position {
            Some(old) => Inputs::changes(inputs, old, position, [view; 2]),
            None => inputs[0].all_of(position, view),
        }
        let (network, blocks) = (&*self.network, self.network.blocks);
        let to = &mut self.sums[(height * 2 + side) * blocks..][..blocks];
        network.kernel.update(
            to,
            &cache.sums,
            &network.columns,
            inputs[0].added(),
            inputs[0].removed(),
        );
        cache.sums.copy_from_slice(to);
        cache.position = Some(*position);
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
        view.for_each(position, |input| self.added.push_if(input, true));
    }

    /// What has changed from one position to another in two views. In views that the first position does not have, as
    /// if it had.
    #[inline(always)]
    fn changes<G: Features>(both: &mut [Self; 2], old: &G, new: &G, views: [View; 2]) {
        for inputs in both.iter_mut() {
            inputs.clear();
        }
        // Without branches on what a square holds: it comes and goes at random.
        for square in old.changed(new) {
            for (position, is_new) in [(old, false), (new, true)] {
                let black = position.men(Color::Black).has(square);
                let present = black | position.men(Color::White).has(square);
                let owner = Color::ALL[usize::from(black)];
                let kind = position.kind_of_man(square);
                for (inputs, view) in both.iter_mut().zip(views) {
                    let input = view.man::<G>(owner, kind, square);
                    let list = if is_new {
                        &mut inputs.added
                    } else {
                        &mut inputs.removed
                    };
                    list.push_if(input, present);
                }
            }
        }
        if G::RESERVE > 0 && old.reserves_changed(new) {
            for owner in Color::ALL {
                let (before, after) = (old.reserve(owner), new.reserve(owner));
                for (inputs, view) in both.iter_mut().zip(views) {
                    for bit in bits(after & !before) {
                        inputs.added.push_if(view.reserve::<G>(owner, bit), true);
                    }
                    for bit in bits(before & !after) {
                        inputs.removed.push_if(view.reserve::<G>(owner, bit), true);
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

    /// Writes an input behind the others, and counts it if `counts`.
    #[inline(always)]
    fn push_if(&mut self, input: usize, counts: bool) {
        self.inputs[usize::from(self.length)] = input as u16;
        self.length += u8::from(counts);
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
    use crate::rules::{Notation, legal_steps};
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
    }

    impl Seen {
        fn step<G: Features>(&mut self, before: &G, after: &G) {
            let changed = before.changed(after);
            let placed = before.occupied() == after.occupied() && changed.any();
            self.placed += usize::from(placed);
            if placed {
                return;
            }
            self.castled += usize::from(changed.len() == 4);
            self.en_passant += usize::from(changed.len() == 3);
            self.reserve += usize::from(before.reserves_changed(after));
            let side = before.side_to_move();
            let pawns = |position: &G| -> usize {
                let own = position.men(side);
                own.filter(|&at| position.kind_of_man(at) == Kind::Pawn)
                    .count()
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

    fn wander_everywhere(steps: usize) {
        for orderly in [true, false] {
            let seen = wander(steps, 128, orderly, &CHESS, Chess::pass);
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

            let seen = wander(steps, 96, orderly, &SUPERCHESS, Superchess::pass);
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
            wander(2_000, hidden, true, &CHESS, Chess::pass);
            wander(2_000, hidden, true, &SUPERCHESS, Superchess::pass);
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
