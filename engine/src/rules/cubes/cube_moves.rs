//! The legal moves of cubes: the base stays connected, pieces in trenches stay in trenches, the King stays safe, and some piece
//! could go to a place that the move creates.

use super::attack::View;
use super::mask::{Cell, Mask};
use super::position::{Cubes4d, trenches_of};
use super::sink::Sink;
use super::step::{Action, Step};
use super::tables::{CROSS, KNIGHT, SQUARE_3, STRAIGHT_2, between, ring_is_connected};
use super::terrain::{Terrain, Way};

/// The ways of the pieces other than the King to places that cubes' moves make: those by an adjacent action or a Knight's leap, which are
/// easily seen, to a cell raised or to a cell lowered; and what is possible at all.
struct Ways {
    raised: Mask,
    lowered: Mask,
    /// By level, every cell that some piece might reach by any action if a cube's move made it a place of that level: what is not among
    /// them need not be looked at.
    possible: [Mask; 4],
}

impl Ways {
    fn new(view: &View) -> Self {
        let pieces = view.own.without(Mask::of(view.king));
        // What the pieces of each level reach if it has the level of the index.
        let mut reach = [Mask::EMPTY; 6];
        for level in 0..4 {
            let here = pieces & view.terrain.level[level];
            if here.is_empty() {
                continue;
            }
            let steps = (here & view.near[0]).cross() | (here & view.near[1]).diagonal();
            let (mut flat, mut one, mut two) = (steps, steps, Mask::EMPTY);
            for knight in here & view.knights {
                flat |= KNIGHT[knight.index()];
                one |= STRAIGHT_2[knight.index()];
                two |= CROSS[knight.index()];
            }
            reach[level] |= flat;
            reach[level + 1] |= one;
            reach[level + 2] |= two;
            if level >= 1 {
                reach[level - 1] |= one;
            }
            if level >= 2 {
                reach[level - 2] |= two;
            }
        }
        let ground = Mask::ARENA
            .without(view.terrain.level[1] | view.terrain.level[2] | view.terrain.level[3]);
        let mut possible = [reach[0], reach[1], reach[2], reach[3]];
        for way in Way::BOTH {
            for piece in pieces & view.far[way as usize] {
                let level = view.terrain.level_of(piece);
                possible[level] |= way.lines(piece);
                // Two or three consecutive steps.
                let square = SQUARE_3[piece.index()];
                for far in [2, 3] {
                    if let Some(above) = possible.get_mut(level + far) {
                        *above |= square;
                    }
                    if level >= far {
                        possible[level - far] |= square;
                    }
                }
            }
        }
        Self {
            possible,
            raised: ground & reach[1]
                | view.terrain.level[1] & reach[2]
                | view.terrain.level[2] & reach[3],
            lowered: view.terrain.level[2] & reach[1] | view.terrain.level[3] & reach[2],
        }
    }

    /// Whether the only cube of a column could open a way at all if it went to a cell, to its new place or to a trench. Few could, so
    /// that this is asked before anything that costs more.
    #[inline(always)]
    fn may_open(&self, position: &Cubes4d, from: Cell, to: Cell) -> bool {
        let raised = usize::from(position.height(to)) + 1;
        let trenches = beside(from) | beside(to) | Mask::of(from);
        self.possible[raised].has(to) || self.possible[0].meets(trenches)
    }
}

/// Cube moves in an orthogonal direction that heights allow: those that leave a cube at their source, and those that do not.
#[inline(always)]
fn places_beside<const D: i16>(view: &View, sources: Mask, free: Mask) -> [Mask; 2] {
    let [_, one, two, three] = view.terrain.level;
    let ground = Mask::ARENA.without(one | two | three);
    let from = |level: Mask| (sources & level).shift::<D>() & free;
    [
        from(two) & (two | ground) | from(three) & one,
        from(one) & one,
    ]
}

/// Cube moves in a diagonal direction that heights allow: those that leave a cube at their source, and those that do not.
#[inline(always)]
fn places_across<const D: i16>(view: &View, sources: Mask, free: Mask) -> [Mask; 2] {
    let [_, one, two, three] = view.terrain.level;
    let ground = Mask::ARENA.without(one | two | three);
    let from = |level: Mask| (sources & level).shift::<D>() & free;
    [from(two) & one | from(three) & two, from(one) & ground]
}

/// Whether heights allow the top cube of one cell to go to another.
pub(super) fn fits(position: &Cubes4d, from: Cell, to: Cell) -> bool {
    let heights = (position.height(from), position.height(to));
    if Way::Cross.around(from).has(to) {
        matches!(heights, (2, 0 | 2) | (1 | 3, 1))
    } else {
        Way::X.around(from).has(to) && matches!(heights, (1, 0) | (2, 1) | (3, 2))
    }
}

/// The columns of which a cube may be taken, and the cells on which one may be put.
#[inline(always)]
fn sources_and_free(position: &Cubes4d, view: &View) -> [Mask; 2] {
    let free = Mask::ARENA.without(view.occupied);
    let mut sources = position.base() & free;
    if let Some(cell) = position.last_cube {
        sources = sources.without(Mask::of(cell));
    }
    [sources, free]
}

/// The eight cells around a cell.
#[inline(always)]
fn beside(cell: Cell) -> Mask {
    Way::Cross.around(cell) | Way::X.around(cell)
}

/// The base of a position, to be asked whether it hangs together after a column's only cube has moved. Whether it does without the
/// column is worked out once for each, when it is first asked for: if so, only the cube's new place has to touch it.
struct Base {
    cells: Mask,
    /// Columns without which the base is connected.
    spare: Mask,
    /// Columns without which the base is not connected.
    cut: Mask,
}

impl Base {
    const fn new(cells: Mask) -> Self {
        Self {
            cells,
            spare: Mask::EMPTY,
            cut: Mask::EMPTY,
        }
    }

    /// Whether the base is connected after a cube has moved from the column `from`, which had no other, to the cell `to`.
    #[inline]
    fn stays_one(&mut self, from: Cell, to: Cell) -> bool {
        let mut left = self.cells;
        left.toggle(from);
        if !(self.spare | self.cut).has(from) {
            let spare = ring_is_connected(&left, from) || left.connects(beside(from) & left);
            let known = if spare {
                &mut self.spare
            } else {
                &mut self.cut
            };
            known.insert(from);
        }
        if self.spare.has(from) {
            return beside(to).meets(left);
        }
        left.insert(to);
        left.connects((beside(from) | Mask::of(to)) & left)
    }
}

/// The moves of cubes that heights, pieces and the cube just moved allow; whether they are legal is for
/// [`CubeLegality`] to say.
pub(super) fn pseudo_legal_cubes(position: &Cubes4d, view: &View, sink: &mut impl Sink) {
    if view.own == Mask::of(view.king) {
        // No piece could use a way.
        return;
    }
    let [sources, free] = sources_and_free(position, view);
    macro_rules! direction {
        ($places:ident, $d:literal) => {
            let [stay, leave] = $places::<$d>(view, sources, free);
            sink.cube(stay | leave, $d);
        };
    }
    direction!(places_beside, 1);
    direction!(places_beside, -1);
    direction!(places_beside, 16);
    direction!(places_beside, -16);
    direction!(places_across, 17);
    direction!(places_across, -17);
    direction!(places_across, 15);
    direction!(places_across, -15);
}

/// Data computed once per position for tests of single cube moves.
#[derive(Default)]
pub struct CubeLegality {
    base: Option<Base>,
    conditions: Option<(View, Conditions)>,
}

impl CubeLegality {
    /// Whether a cube's move that heights and pieces allow meets the conditions. A `CubeLegality` serves one position only.
    pub fn allows(&mut self, position: &Cubes4d, step: Step) -> bool {
        let Step { from, to, .. } = step;
        let leaves = position.height(from) == 1;
        let (view, conditions) = self.conditions.get_or_insert_with(|| {
            let view = View::new(position, position.side);
            let exposed = view.exposed(&view.safety());
            let conditions = Conditions::new(position, &view, exposed);
            (view, conditions)
        });
        let ways = &conditions.ways;
        let makes_way = ways.raised.has(to) || !leaves && ways.lowered.has(from);
        if leaves {
            if !makes_way && !ways.may_open(position, from, to) {
                return false;
            }
            let base = self.base.get_or_insert_with(|| Base::new(position.base()));
            if !base.stays_one(from, to) {
                return false;
            }
        }
        let exposed = conditions.exposed.has(from) || conditions.exposed.has(to);
        conditions.are_met(position, view, from, to, makes_way, exposed)
    }
}

/// The legal moves of cubes. A cube that comes from or goes to a cell of `exposed`, or any cube if that is the whole
/// arena, may expose the King (or must cover it) and is tested.
pub(super) struct Cubes<'a> {
    position: &'a Cubes4d,
    view: &'a View,
    base: Base,
    /// Cells on which no piece stands.
    free: Mask,
    /// Columns from which a cube may be taken.
    sources: Mask,
    conditions: Conditions,
}

impl<'a> Cubes<'a> {
    pub fn new(position: &'a Cubes4d, view: &'a View, exposed: Mask) -> Self {
        let [sources, free] = sources_and_free(position, view);
        Self {
            position,
            view,
            base: Base::new(position.base()),
            free,
            sources,
            conditions: Conditions::new(position, view, exposed),
        }
    }

    pub fn generate(&mut self, sink: &mut impl Sink) {
        self.orthogonal::<1>(sink);
        self.orthogonal::<-1>(sink);
        self.orthogonal::<16>(sink);
        self.orthogonal::<-16>(sink);
        self.diagonal::<17>(sink);
        self.diagonal::<-17>(sink);
        self.diagonal::<15>(sink);
        self.diagonal::<-15>(sink);
    }

    #[inline(always)]
    fn orthogonal<const D: i16>(&mut self, sink: &mut impl Sink) {
        let [stay, leave] = places_beside::<D>(self.view, self.sources, self.free);
        self.stay::<D>(stay, sink);
        self.leave::<D>(leave, sink);
    }

    #[inline(always)]
    fn diagonal<const D: i16>(&mut self, sink: &mut impl Sink) {
        let [stay, leave] = places_across::<D>(self.view, self.sources, self.free);
        self.stay::<D>(stay, sink);
        self.leave::<D>(leave, sink);
    }

    /// Moves that leave a cube at their source: the base loses no cell.
    #[inline(always)]
    fn stay<const D: i16>(&self, to: Mask, sink: &mut impl Sink) {
        if to.is_empty() {
            return;
        }
        let Conditions { ways, exposed, .. } = &self.conditions;
        let makes_way = ways.raised | ways.lowered.shift::<D>();
        let exposed = *exposed | exposed.shift::<D>();
        let easy = (to & makes_way).without(exposed);
        sink.cube(easy, D);
        for to in to ^ easy {
            self.try_one(to.back(D), to, makes_way.has(to), exposed.has(to), sink);
        }
    }

    /// Moves of the only cube of a column.
    #[inline(always)]
    fn leave<const D: i16>(&mut self, to: Mask, sink: &mut impl Sink) {
        for to in to {
            let from = to.back(D);
            let Conditions { ways, exposed, .. } = &self.conditions;
            let makes_way = ways.raised.has(to);
            if !makes_way && !ways.may_open(self.position, from, to)
                || !self.base.stays_one(from, to)
            {
                continue;
            }
            let exposed = exposed.has(from) || exposed.has(to);
            self.try_one(from, to, makes_way, exposed, sink);
        }
    }

    /// The remaining conditions.
    fn try_one(&self, from: Cell, to: Cell, makes_way: bool, exposed: bool, sink: &mut impl Sink) {
        if self
            .conditions
            .are_met(self.position, self.view, from, to, makes_way, exposed)
        {
            sink.one(Step {
                from,
                to,
                action: Action::Cube,
            });
        }
    }
}

/// Data that the conditions of cube moves need besides the [`View`].
pub(super) struct Conditions {
    /// Pieces in trenches.
    entrenched: Mask,
    ways: Ways,
    /// A cube that comes from or goes to one of these cells may expose the King, or must cover it.
    exposed: Mask,
}

impl Conditions {
    fn new(position: &Cubes4d, view: &View, exposed: Mask) -> Self {
        Self {
            entrenched: view.occupied.without(position.base()),
            ways: Ways::new(view),
            exposed,
        }
    }

    /// Whether a cube's move that heights, pieces and the base allow meets the conditions; some piece is known to have a way if
    /// `makes_way`, and the King's safety is in question if `exposed`.
    fn are_met(
        &self,
        position: &Cubes4d,
        view: &View,
        from: Cell,
        to: Cell,
        makes_way: bool,
        exposed: bool,
    ) -> bool {
        if makes_way && !exposed && !beside(from).meets(self.entrenched) {
            return true;
        }
        let (left, raised) = (position.height(from) - 1, position.height(to) + 1);
        let (mut trenches, mut made) = (position.trenches, Mask::EMPTY);
        if left == 0 || raised == 1 {
            let base = position.base();
            let mut next = base | Mask::of(to);
            if left == 0 {
                next.toggle(from);
            }
            trenches = trenches_of(next);
            made = trenches.without(base | position.trenches);
        }
        if !self.entrenched.is_within(trenches) {
            return false;
        }
        if makes_way && !exposed {
            return true;
        }
        let from_stays = left > 0 || trenches.has(from);
        if !makes_way {
            let possible = &self.ways.possible;
            let any = possible[usize::from(raised)].has(to)
                || from_stays && possible[usize::from(left)].has(from)
                || made.meets(possible[0]);
            if !any {
                return false;
            }
        }
        let terrain = Terrain::of(position.heights_after(from, to), trenches);
        if !makes_way {
            let mut created = made | Mask::of(to);
            if from_stays {
                created.insert(from);
            }
            let reached = created
                .into_iter()
                .any(|cell| is_reached(view, &terrain, cell, terrain.level_of(cell)));
            if !reached {
                return false;
            }
        }
        !exposed || !view.is_king_attacked_on(&terrain)
    }
}

/// Whether a piece of the view's side other than the King can go to a free position of the terrain. All ways without
/// capture can be gone in both directions, so the question is what could be reached from there.
#[inline(never)]
fn is_reached(view: &View, terrain: &Terrain, cell: Cell, level: usize) -> bool {
    let pieces = view.own.without(Mask::of(view.king));
    let beside = pieces & terrain.touching(level);
    if (Way::Cross.around(cell) & view.near[0] | Way::X.around(cell) & view.near[1]).meets(beside)
        || terrain
            .knight_reach(cell, level)
            .meets(view.knights & pieces)
    {
        return true;
    }
    Way::BOTH.into_iter().any(|way| {
        let far = view.far[way as usize] & pieces;
        (far & terrain.level[level] & way.lines(cell))
            .into_iter()
            .any(|piece| terrain.is_line_open(between(cell, piece), level, view.occupied))
            || [true, false].into_iter().any(|up| {
                let far = far & terrain.far_levels(level, up);
                far.any() && {
                    let [two, three] = terrain.consecutive(way, cell, level, up, !view.occupied);
                    (two | three).meets(far)
                }
            })
    })
}
