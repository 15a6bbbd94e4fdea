//! Network inputs of Cubes 4D. The network does not evaluate alone: it corrects the hand-written evaluation, because mobility over
//! the relief is hard to learn from few games and easy to count.
//!
//! The rules know no direction, and the heap of cubes has no fixed place. So each side sees the game from its own King: cells are
//! counted from its cell, turned and mirrored so that the other King stands in one eighth of the plane (ahead and to the right, not
//! further to the side than ahead). When the Kings share a rank, a file or a diagonal, two views that are mirror images of each other
//! do that, and the contents of the board choose between them (`mirror.rs`).
//! Beyond [`REACH`] steps a cell counts as the last one on its side.
//!
//! The input of a piece encodes relation, kind, cell, and whether it is lower than the King, as high, or higher: captures go down. The
//! relief is a thermometer for each cell. The rest says how high the King stands and what waits outside the game. A cube moves only
//! between free cells, so that it changes two inputs; so does a piece, except the King of the view. Where a King is alone the
//! hand-written evaluation stands by itself.

pub use super::relief::Relief;

use super::mirror::{Line, is_mirrored, offset};
use super::{ActivityHint, bounded};
use crate::core::Color;
use crate::eval::network::features::{BUCKETS, bits};
use crate::eval::network::kernels::Block;
use crate::eval::network::{HasNetwork, IncrementalFeatures, Network, shipped_network};
use crate::eval::{LazyEval, PieceValues};
use crate::rules::cubes::{Cell, Cubes4d, Mask, PieceKind};

/// Distance in steps from the King up to which cells are distinguished.
pub const REACH: i32 = 4;
/// Number of distinguished cells in one line.
pub const LINE: usize = 2 * REACH as usize + 1;
/// Number of distinguished cells: a square of [`LINE`] by [`LINE`].
pub const CELLS: usize = LINE * LINE;
/// Lower than the King, as high, higher.
pub const STANDINGS: usize = 3;
/// Own pieces without the King, then the enemy's.
pub const PIECES: usize = 6 + 7;
/// First input of the relief. Before it are the pieces' inputs, indexed by piece, standing and cell.
pub const RELIEF_AT: usize = PIECES * STANDINGS * CELLS;
/// The levels of a thermometer.
const LEVELS: usize = 3;
/// First of the four inputs of the King's level, after those of the relief, which are indexed by level and cell.
pub const LEVEL_AT: usize = RELIEF_AT + LEVELS * CELLS;
const POOL_AT: usize = LEVEL_AT + LEVELS + 1;
/// Largest number of pieces of one kind outside the game that the inputs count.
const CAP: u8 = 2;
const POOL: usize = 2 * CAP as usize;
const INPUTS: usize = POOL_AT + 2 * POOL;

/// Bucket of lone Kings, for which only the hand-written evaluation counts.
const ALONE: usize = 0;

impl Relief {
    /// How both sides see it, given the cells of their Kings, White's first.
    #[inline(always)]
    pub fn eyes(&self, kings: [Cell; 2]) -> [CubesPerspective; 2] {
        Color::ALL.map(|color| CubesPerspective::new(self, color, kings))
    }

    /// Returns the output bucket: none for lone Kings, else by the number of pieces.
    #[inline(always)]
    pub fn bucket(&self) -> usize {
        if !self.asks_network() {
            return ALONE;
        }
        let pieces = self.occupied().len() as usize;
        (1 + pieces.saturating_sub(4) / 3).min(BUCKETS - 1)
    }

    /// The columns of at least one, two and three cubes.
    #[inline(always)]
    fn thermometers(&self) -> [Mask; LEVELS] {
        let [low, high] = self.heights;
        [low | high, high, low & high]
    }

    /// By colour, the inputs of the pieces outside the game that are on, as bits.
    #[inline(always)]
    fn pools(&self) -> [u32; 2] {
        self.pool.map(|pool| {
            let [grand, queen] = pool.map(|count| (1 << count.min(CAP)) - 1);
            grand | queen << CAP
        })
    }
}

/// How one side sees the game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct CubesPerspective {
    side: Color,
    /// The cell of the side's King, and its level.
    king: Cell,
    level: u8,
    /// Whether files and ranks run the other way, and whether they change places then.
    turned: [bool; 3],
}

impl CubesPerspective {
    /// The view of a side, turned and mirrored until the other King is in the canonical eighth of the plane. If the Kings share a rank, a file or
    /// a diagonal, two views do that, and [`is_mirrored`] chooses between them.
    #[inline(always)]
    fn new(relief: &Relief, side: Color, kings: [Cell; 2]) -> Self {
        let [king, other] = [side, !side].map(|color| kings[color.index()]);
        let [across, ahead] = offset(king, other);
        let mut turned = [across < 0, ahead < 0, across.abs() > ahead.abs()];
        if let Some(line) = Line::through([across, ahead]) {
            turned[line.turn()] ^= is_mirrored(relief, side, kings, line);
        }
        Self {
            side,
            king,
            level: relief.height(king),
            turned,
        }
    }

    /// The number of a cell, below [`CELLS`].
    #[inline(always)]
    fn cell(self, cell: Cell) -> usize {
        let [mut across, mut ahead] =
            offset(self.king, cell).map(|steps| steps.clamp(-REACH, REACH));
        let [back_across, back_ahead, swapped] = self.turned;
        if back_across {
            across = -across;
        }
        if back_ahead {
            ahead = -ahead;
        }
        if swapped {
            (across, ahead) = (ahead, across);
        }
        ((ahead + REACH) * LINE as i32 + across + REACH) as usize
    }

    /// 0 for the view's own side, 1 for the other.
    #[inline(always)]
    const fn relation(self, owner: Color) -> usize {
        owner.index() ^ self.side.index()
    }

    /// Returns the input of a piece on a cell numbered in the view; the view's own King has none.
    #[inline(always)]
    fn piece(self, owner: Color, code: usize, level: u8, cell: usize) -> Option<usize> {
        let kind = self.relation(owner) * (PieceKind::ALL.len() - 1) + code - 1;
        let standing = 1 + usize::from(level > self.level) - usize::from(level < self.level);
        (owner != self.side || code != PieceKind::King.code())
            .then_some((kind * STANDINGS + standing) * CELLS + cell)
    }

    /// The input of a level of the relief.
    #[inline(always)]
    fn relief(self, level: usize, cell: Cell) -> usize {
        RELIEF_AT + level * CELLS + self.cell(cell)
    }

    /// An input of a side's pieces outside the game.
    #[inline(always)]
    const fn pool(self, owner: Color, bit: usize) -> usize {
        POOL_AT + self.relation(owner) * POOL + bit
    }
}

impl HasNetwork for Cubes4d {
    const NAME: &'static str = "cubes4d";
    const SCALE: i64 = 400;
    const INPUTS: usize = INPUTS;
    /// Both sides' pieces, and the cubes.
    const MAX_ACTIVE: usize = 24 + 36 + 1 + 2 * POOL;

    shipped_network!(Cubes4d, "cubes4d");
}

impl IncrementalFeatures for Cubes4d {
    type Content = Relief;
    type Perspective = CubesPerspective;

    type Hint = ActivityHint;

    const CACHES: usize = 32;

    #[inline(always)]
    fn age(hint: ActivityHint) -> ActivityHint {
        hint.older()
    }

    #[inline(always)]
    fn content(&self) -> Relief {
        Relief::of(self)
    }

    #[inline(always)]
    fn views(&self) -> [CubesPerspective; 2] {
        Relief::of(self).eyes(Color::ALL.map(|color| self.king(color)))
    }

    #[inline(always)]
    fn cache(view: CubesPerspective) -> usize {
        // One bit for the choice between mirror images, which differ in one of the turns.
        let [across, ahead, swapped] = view.turned;
        let image = u8::from(across ^ ahead ^ swapped);
        usize::from(view.king.file() & 3 | (view.king.rank() & 3) << 2 | image << 4)
    }

    #[inline(always)]
    fn each_input(relief: &Relief, view: CubesPerspective, mut visit: impl FnMut(usize)) {
        for cell in relief.occupied() {
            let (owner, code) = relief.piece(cell);
            if let Some(input) = view.piece(owner, code, relief.height(cell), view.cell(cell)) {
                visit(input);
            }
        }
        for (level, columns) in relief.thermometers().into_iter().enumerate() {
            for cell in columns {
                visit(view.relief(level, cell));
            }
        }
        visit(LEVEL_AT + usize::from(view.level));
        for (owner, pool) in Color::ALL.into_iter().zip(relief.pools()) {
            for bit in bits(pool) {
                visit(view.pool(owner, bit));
            }
        }
    }

    #[inline(always)]
    fn each_change<const V: usize>(
        old: &Relief,
        new: &Relief,
        views: [CubesPerspective; V],
        mut visit: impl FnMut(usize, bool, usize),
    ) {
        let raised = old.heights[0] ^ new.heights[0] | old.heights[1] ^ new.heights[1];
        let digits = |digit: usize| old.pieces[digit] ^ new.pieces[digit];
        let changed = digits(0) | digits(1) | digits(2) | old.white ^ new.white | raised;
        for (relief, on) in [(old, false), (new, true)] {
            for cell in changed & relief.occupied() {
                let (owner, code) = relief.piece(cell);
                let level = relief.height(cell);
                for (number, view) in views.into_iter().enumerate() {
                    if let Some(input) = view.piece(owner, code, level, view.cell(cell)) {
                        visit(number, on, input);
                    }
                }
            }
        }
        if raised.any() {
            let (before, after) = (old.thermometers(), new.thermometers());
            for level in 0..LEVELS {
                let changed = before[level] ^ after[level];
                for cell in changed {
                    let on = after[level].has(cell);
                    for (number, view) in views.into_iter().enumerate() {
                        visit(number, on, view.relief(level, cell));
                    }
                }
            }
        }
        if old.pool != new.pool {
            let (before, after) = (old.pools(), new.pools());
            for owner in Color::ALL {
                let [before, after] = [before, after].map(|pools| pools[owner.index()]);
                for bit in bits(before ^ after) {
                    for (number, view) in views.into_iter().enumerate() {
                        visit(number, after >> bit & 1 != 0, view.pool(owner, bit));
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn bucket(relief: &Relief) -> usize {
        relief.bucket()
    }

    #[inline(always)]
    fn value(
        &self,
        network: &Network<Self>,
        [own, other]: [&[Block]; 2],
        bucket: usize,
        window: (i32, i32),
        hint: &mut ActivityHint,
    ) -> LazyEval {
        // The network was trained on games in which lone Kings escaped from weak hunters, and would not hunt them.
        let learned = if bucket == ALONE {
            0
        } else {
            self.faded(network.output(own, other, bucket))
        };
        let by_hand = <[i32; 2]>::from(window).map(|end| end.saturating_sub(learned));
        match self.by_hand_within(by_hand.into(), hint) {
            LazyEval::Exact(value) => LazyEval::Exact(bounded(value + learned)),
            LazyEval::Bound(value) => LazyEval::Bound(bounded(value + learned)),
        }
    }

    fn piece_values(&self, network: &Network<Self>) -> PieceValues {
        let sign = self.sign(Color::White);
        let with = network.evaluate(self);
        let [low, high] = self.height_digits();
        let places = low | high | self.content().occupied();
        let [first_file, last_file, first_rank, last_rank] = places.bounds().unwrap_or_default();
        let value = |cell: Cell| {
            self.piece_at(cell)
                .filter(|&(_, piece)| piece != PieceKind::King)?;
            Some(sign * (with - network.evaluate(&self.without(cell))))
        };
        PieceValues {
            corner: (first_file, first_rank),
            ranks: (first_rank..=last_rank)
                .map(|rank| {
                    (first_file..=last_file)
                        .map(|file| value(Cell::new(file, rank)))
                        .collect()
                })
                .collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::Evaluate;
    use crate::eval::network::test_support::{
        Walk, by_inputs, position, random, random_parameters, within,
    };
    use crate::eval::network::{AccumulatorStack, Parameters};
    use crate::rules::cubes::Reserve;
    use crate::rules::{Notation, Rules, legal_steps};
    use rand_xoshiro::rand_core::Rng;
    use std::collections::BTreeSet;
    use std::sync::Arc;

    const ROOTS: [&str; 5] = [
        "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
        "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
        "d10:1111Q1112N/0110221k0p/0201P1011/001G02030P/02021K012B w - Gggq - - 33",
        "d11:000002000/02101022k1/0210p00100/12100p12R20/000r2P1b1G000/00201N10P20/00001K0100 w - GQggq f9 - 69",
        "d10:1111Q1112/0110221k0/0201P1011/00102030/02021K012 w - Gggq - b0 33",
    ];

    /// Where a turn, a mirror or a move puts a file and a rank.
    type Image<T> = fn(T, T) -> (T, T);

    /// The eight symmetries of the board, about its middle.
    const SYMMETRIES: [Image<i32>; 8] = [
        |x, y| (x, y),
        |x, y| (-x, y),
        |x, y| (x, -y),
        |x, y| (-x, -y),
        |x, y| (y, x),
        |x, y| (y, -x),
        |x, y| (-y, x),
        |x, y| (-y, -x),
    ];

    /// The order of the views among which the module `mirror` chooses, by its words: surpluses of the right side, then what stands there.
    fn preference(
        position: &Cubes4d,
        side: Color,
        image: Image<i32>,
        diagonal: bool,
    ) -> ([i32; 3], Vec<usize>) {
        let king = position.king(side);
        let mut surplus = [0; 3];
        let mut contents = Vec::new();
        for cell in Mask::ARENA {
            let (x, y) = image(
                i32::from(cell.file()) - i32::from(king.file()),
                i32::from(cell.rank()) - i32::from(king.rank()),
            );
            let right = if diagonal { x - y } else { x }.signum();
            let height = usize::from(position.height(cell));
            surplus[0] += right * height as i32;
            let mut content = height;
            if let Some((owner, piece)) = position.piece_at(cell) {
                surplus[1 + usize::from(owner != side)] += right * piece.code() as i32;
                content += 4 * (2 * piece.code() + usize::from(owner == side));
            }
            if right > 0 && content > 0 {
                contents.push((y, x, content));
            }
        }
        contents.sort_unstable();
        // Empty cells between the others, so that equal places meet equal places.
        let mut filled = vec![0; 29 * 29];
        for (y, x, content) in contents {
            filled[((y + 14) * 29 + x + 14) as usize] = content;
        }
        (surplus, filled)
    }

    /// The inputs by the words of the module, from the position's text alone.
    fn inputs_in_words(position: &Cubes4d, side: Color) -> Vec<usize> {
        let place = |cell: Cell| (i32::from(cell.file()), i32::from(cell.rank()));
        let (king, other) = (place(position.king(side)), place(position.king(!side)));
        let level = position.height(position.king(side));
        // The turns and mirror images that bring the other King into the canonical eighth: two if the Kings share a line.
        let (x, y) = (other.0 - king.0, other.1 - king.1);
        let belongs = |(x, y): (i32, i32)| 0 <= x && x <= y;
        let images = SYMMETRIES
            .into_iter()
            .filter(|image| belongs(image(x, y)))
            .collect::<Vec<_>>();
        assert!((1..=2).contains(&images.len()));
        let diagonal = x.abs() == y.abs();
        let image = images
            .into_iter()
            .max_by_key(|&image| preference(position, side, image, diagonal))
            .expect("one of eight");
        let number = |cell: Cell| {
            let (x, y) = place(cell);
            let (x, y) = image((x - king.0).clamp(-4, 4), (y - king.1).clamp(-4, 4));
            ((y + 4) * 9 + x + 4) as usize
        };
        let mut inputs = Vec::new();
        for cell in Mask::ARENA {
            if let Some((owner, piece)) = position.piece_at(cell)
                && (owner, piece) != (side, PieceKind::King)
            {
                let relation = usize::from(owner != side);
                let standing = match position.height(cell).cmp(&level) {
                    std::cmp::Ordering::Less => 0,
                    std::cmp::Ordering::Equal => 1,
                    std::cmp::Ordering::Greater => 2,
                };
                let kind = relation * 6 + piece.code() - 1;
                inputs.push((kind * 3 + standing) * 81 + number(cell));
            }
            for cubes in 1..=position.height(cell) as usize {
                inputs.push(3159 + (cubes - 1) * 81 + number(cell));
            }
        }
        inputs.push(3402 + level as usize);
        for owner in Color::ALL {
            let relation = usize::from(owner != side);
            for reserve in [Reserve::GrandPawn, Reserve::Queen] {
                for count in 0..position.pool(owner, reserve).min(2) as usize {
                    inputs.push(3406 + relation * 4 + reserve as usize * 2 + count);
                }
            }
        }
        inputs.sort_unstable();
        inputs
    }

    fn by_words(parameters: &Parameters<Cubes4d>, position: &Cubes4d) -> i32 {
        let us = position.side_to_move();
        let [own, other] = [us, !us].map(|side| inputs_in_words(position, side));
        let pieces = (Mask::ARENA.into_iter()).filter(|&cell| position.piece_at(cell).is_some());
        if position.lone_counts() != [None; 2] {
            return position.by_hand();
        }
        let bucket = ((pieces.count() - 1) / 3).min(7);
        let value = by_inputs(parameters, [&own, &other], bucket);
        let value = match i32::from(position.quiet_plies()) {
            late @ 21.. => value * (220 - late) / 200,
            _ => value,
        };
        position.by_hand() + value
    }

    /// Both Kings' views of a position, as sets with the number of times.
    fn seen(position: &Cubes4d) -> [Vec<usize>; 2] {
        let us = position.side_to_move();
        [us, !us].map(|side| {
            let mut inputs = Vec::new();
            let view = position.views()[side.index()];
            Cubes4d::each_input(&position.content(), view, |input| inputs.push(input));
            inputs.sort_unstable();
            inputs
        })
    }

    #[test]
    fn brought_up_to_date_as_from_nothing() {
        let kings = |at: &Cubes4d| Color::ALL.map(|color| at.king(color));
        for orderly in [true, false] {
            let mut counts = [0; 6];
            let walk = Walk {
                steps: 20_000,
                hidden: 64,
                orderly,
                roots: &ROOTS,
                null_move: Rules::null_move,
                is_rare: |before, after| {
                    let pools = |at: &Cubes4d| at.content().pool;
                    pools(before) != pools(after)
                },
                definition: by_words,
            };
            let walked = walk.wander(|before, after| {
                let (old, new) = (before.content(), after.content());
                let cube = after.last_cube().is_some();
                let happened = [
                    cube,
                    !cube && kings(before) != kings(after),
                    old.occupied().len() > new.occupied().len(),
                    old.pool != new.pool,
                    after.lone_count(Color::Black).is_some(),
                    after.quiet_plies() > 20,
                ];
                for (count, happened) in counts.iter_mut().zip(happened) {
                    *count += usize::from(happened);
                }
            });
            assert!(counts.iter().all(|&count| count > 20), "{counts:?}");
            assert!(walked.passed > 100 && walked.back > 100, "{walked:?}");
            assert_eq!(walked.jumped > 0, !orderly);
        }
    }

    #[cfg_attr(not(feature = "networks"), ignore = "needs the networks")]
    #[test]
    fn beyond_the_window_bounds_are_nearly_always_true() {
        let network = Cubes4d::shipped().expect("a network");
        let (mut exact, mut beyond, mut wrong) = (0, 0, 0);
        let mut random = random(7);
        for text in include_str!("../../../../tests/data/cubes4d-won.txt").lines() {
            let mut at: Cubes4d = position(text);
            let mut evaluator = AccumulatorStack::new(Arc::clone(&network));
            for height in 0..30 {
                let value = network.evaluate(&at);
                let alpha = value + i32::from(within(&mut random, 250));
                let window = (alpha, alpha + 1 + i32::from(within(&mut random, 9).abs()));
                evaluator.push(height);
                match evaluator.evaluate_within(&at, height, window) {
                    LazyEval::Exact(told) => {
                        assert_eq!(told, value);
                        exact += 1;
                    }
                    LazyEval::Bound(bound) => {
                        assert!(bound <= window.0 || bound >= window.1);
                        let below = bound <= window.0;
                        beyond += 1;
                        wrong += u32::from(if below {
                            value > window.0
                        } else {
                            value < window.1
                        });
                        // Asked for all of it, it does not say less; a clone, so that hints grow old.
                        assert_eq!(evaluator.clone().evaluate(&at, height), value);
                    }
                }
                let steps = legal_steps(&at);
                let captures: Vec<_> = steps.iter().filter(|step| step.is_capture()).collect();
                let any = |count: usize, random: u64| random as usize % count.max(1);
                let step = match captures.get(any(captures.len(), random.next_u64())) {
                    Some(step) if random.next_u64() & 1 == 0 => Some(*step),
                    _ => steps.get(any(steps.len(), random.next_u64())),
                };
                let Some(&step) = step else {
                    break;
                };
                at.play(step);
            }
        }
        assert!(exact > 1_000 && beyond > 1_000, "{exact}, {beyond}");
        assert!(20 * wrong < beyond, "{wrong} of {beyond}");
    }

    #[test]
    fn the_inputs_are_those_of_the_words() {
        assert_eq!(Cubes4d::INPUTS, 3414);
        for text in ROOTS {
            let at: Cubes4d = position(text);
            let us = at.side_to_move();
            let words = [us, !us].map(|side| inputs_in_words(&at, side));
            assert_eq!(seen(&at), words, "{text}");
        }
    }

    /// Positions of which the first is its own mirror image, and the cubes of the second differ only in their places on one side.
    const NEARLY_MIRRORED: [&str; 2] = [
        "e10:2111k112/011p1p1p10/2110112/011P1P1P10/2111K112 w - - - - 1",
        "e10:1211k112/011p1p1p10/2110112/011P1P1P10/2111K112 w - - - - 1",
    ];

    /// Positions of random games from all roots, as texts without castling, cube and counters.
    fn positions_of_random_games() -> Vec<String> {
        let mut random = random(11);
        let mut texts = NEARLY_MIRRORED.map(str::to_owned).to_vec();
        for round in 0..60 {
            let mut at: Cubes4d = position(ROOTS[round % ROOTS.len()]);
            for _ in 0..80 {
                let steps = legal_steps(&at);
                if steps.is_empty() {
                    break;
                }
                at.play(steps[random.next_u64() as usize % steps.len()]);
                if random.next_u64().is_multiple_of(8) {
                    texts.push(image_text(&at, |x, y| (x, y)));
                }
            }
        }
        texts
    }

    #[test]
    fn the_eight_symmetries_and_the_colour_flip_change_no_value() {
        let mut lines = [0; 4];
        let texts = positions_of_random_games();
        for text in &texts {
            let at: Cubes4d = position(text);
            let values = |at: &Cubes4d| {
                let steps = legal_steps(at).len();
                (at.evaluate(), at.by_hand(), at.lazy_eval(), steps)
            };
            let [white, black] = Color::ALL.map(|color| at.king(color));
            if let Some(line) = Line::through(offset(white, black)) {
                lines[line as usize] += 1;
            }
            for symmetry in SYMMETRIES {
                let image = image_text(&at, |x, y| {
                    let (x, y) = symmetry(i32::from(x) - 7, i32::from(y) - 7);
                    ((x + 7) as u8, (y + 7) as u8)
                });
                let image: Cubes4d = position(&image);
                let flipped = crate::rules::Setup::flipped(&image).expect("no prologue");
                for other in [image, flipped] {
                    assert_eq!(seen(&other), seen(&at), "{text} {}", other.fen());
                    assert_eq!(values(&other), values(&at), "{text} {}", other.fen());
                }
            }
        }
        assert!(texts.len() > 400, "{}", texts.len());
        assert!(lines.iter().all(|&count| count > 10), "{lines:?}");
    }

    #[test]
    fn both_views_of_a_mirrored_position_are_equal() {
        let at: Cubes4d = position(NEARLY_MIRRORED[0]);
        let relief = at.content();
        for eyes in at.views() {
            let turned = [!eyes.turned[0], eyes.turned[1], eyes.turned[2]];
            let inputs = |eyes: CubesPerspective| {
                let mut inputs = Vec::new();
                Cubes4d::each_input(&relief, eyes, |input| inputs.push(input));
                inputs.sort_unstable();
                inputs
            };
            assert_eq!(inputs(eyes), inputs(CubesPerspective { turned, ..eyes }));
        }
        let at: Cubes4d = position(NEARLY_MIRRORED[1]);
        let views = at.views().map(|eyes| eyes.turned[0]);
        // The first pair that differs is f10 with two cubes and j10 with one: both sides have f10 on the right.
        assert_eq!(views, [true, true]);
    }

    /// A translated position has the same inputs.
    #[test]
    fn no_place_is_special() {
        for text in &ROOTS[2..] {
            let at: Cubes4d = position(text);
            let text = image_text(&at, |x, y| (x + 2, y - 1));
            assert_eq!(seen(&at), seen(&position(&text)), "{text}");
        }
    }

    /// The position string with every cell elsewhere.
    fn image_text(at: &Cubes4d, image: impl Fn(u8, u8) -> (u8, u8)) -> String {
        let mut cells = vec![vec!["0".to_owned(); 15]; 15];
        let [low, high] = at.height_digits();
        for cell in low | high | at.content().occupied() {
            let (file, rank) = image(cell.file(), cell.rank());
            let piece = (at.piece_at(cell)).map(|(color, piece)| color.fen_char(piece.letter()));
            let letters = piece.into_iter().collect::<String>();
            cells[rank as usize][file as usize] = format!("{}{letters}", at.height(cell));
        }
        let ranks: Vec<String> = cells.into_iter().rev().map(|rank| rank.concat()).collect();
        let words: Vec<String> = at.fen().split(' ').map(str::to_owned).collect();
        let (side, pool, lone) = (&words[1], &words[3], &words[5]);
        format!("a15:{} {side} - {pool} - {lone} 1", ranks.join("/"))
    }

    #[test]
    fn every_input_has_one_meaning() {
        let mut all = BTreeSet::new();
        let king = Cell::new(7, 7);
        for side in Color::ALL {
            let mut relief = Relief::default();
            relief.heights[0].insert(king);
            let mut kings = [king; 2];
            kings[(!side).index()] = Cell::new(8, 9);
            let eyes = CubesPerspective::new(&relief, side, kings);
            let mut found = BTreeSet::new();
            for cell in Mask::ARENA {
                for owner in Color::ALL {
                    for piece in PieceKind::ALL {
                        for level in 0..3 {
                            found.extend(eyes.piece(owner, piece.code(), level, eyes.cell(cell)));
                        }
                    }
                }
                found.extend((0..LEVELS).map(|level| eyes.relief(level, cell)));
            }
            found.extend(LEVEL_AT..POOL_AT);
            for owner in Color::ALL {
                found.extend((0..POOL).map(|bit| eyes.pool(owner, bit)));
            }
            assert_eq!(found, (0..INPUTS).collect());
            all.extend(found);
        }
        assert_eq!(all.len(), INPUTS);
    }

    #[test]
    fn a_contribution_is_the_value_less_the_value_without() {
        let network = Network::new(&random_parameters::<Cubes4d>(64, 2));
        let whole: Cubes4d = position(ROOTS[2]);
        let board = whole.piece_values(&network);
        let values =
            |board: &PieceValues| -> usize { board.ranks.iter().flatten().flatten().count() };
        assert_eq!(
            values(&board),
            whole.content().occupied().len() as usize - 2
        );
        let queen = Cell::from_text("g10").expect("a cell");
        let (file, rank) = board.corner;
        let at = &board.ranks[(queen.rank() - rank) as usize][(queen.file() - file) as usize];
        let without: Cubes4d =
            position("d10:11111112N/0110221k0p/0201P1011/001G02030P/02021K012B w - Gggq - - 33");
        let expected = network.evaluate(&whole) - network.evaluate(&without);
        assert_eq!(*at, Some(expected));
    }
}
