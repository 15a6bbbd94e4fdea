use super::attack::{Terrain, View, Way};
use super::mask::{Cell, Mask};
use super::position::{Position, Reserve};
use super::step::{Action, Step};
use super::tables::{CROSS, DIAGONAL, KNIGHT, STRAIGHT_2, between, ring_is_connected};
use crate::core::{Color, StepList};

/// Where a generator sends what it finds: whole sets where it can.
pub(super) trait Sink {
    /// Men go without capture to each of these cells from the cell `offset` before it.
    fn quiet(&mut self, to: Mask, offset: i16);
    /// Men that do not promote capture on each of these cells from the cell `offset` before it.
    fn capture(&mut self, to: Mask, offset: i16);
    /// Pawns capture on each of these cells from the cell `offset` before it.
    fn pawn_capture(&mut self, to: Mask, offset: i16);
    /// A man other than a Pawn goes to these cells.
    fn from(&mut self, from: Cell, quiet: Mask, capture: Mask);
    /// Cubes go to each of these cells from the cell `offset` before it.
    fn cube(&mut self, to: Mask, offset: i16);
    /// One step.
    fn one(&mut self, step: Step);
}

/// What a capturing Pawn becomes: one action for each choice.
struct Promotions {
    queen: bool,
    grand_pawn: bool,
}

impl Promotions {
    fn new(position: &Position) -> Self {
        Self {
            queen: position.pool(position.side, Reserve::Queen) > 0,
            grand_pawn: position.pool(position.side, Reserve::GrandPawn) > 0,
        }
    }

    const fn count(&self) -> u64 {
        if self.queen && self.grand_pawn { 2 } else { 1 }
    }
}

/// Counts.
struct Counter {
    promotions: Promotions,
    count: u64,
}

impl Sink for Counter {
    #[inline(always)]
    fn quiet(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64;
    }
    #[inline(always)]
    fn capture(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64;
    }
    #[inline(always)]
    fn pawn_capture(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64 * self.promotions.count();
    }
    #[inline(always)]
    fn from(&mut self, _: Cell, quiet: Mask, capture: Mask) {
        self.count += (quiet.len() + capture.len()) as u64;
    }
    #[inline(always)]
    fn cube(&mut self, to: Mask, _: i16) {
        self.count += to.len() as u64;
    }
    #[inline(always)]
    fn one(&mut self, _: Step) {
        self.count += 1;
    }
}

/// Lists.
struct Lister<'a> {
    promotions: Promotions,
    steps: &'a mut StepList<Step>,
}

impl Lister<'_> {
    #[inline(always)]
    fn add(&mut self, to: Mask, offset: i16, action: Action) {
        for to in to {
            self.steps.push(Step {
                from: to.back(offset),
                to,
                action,
            });
        }
    }
}

impl Sink for Lister<'_> {
    #[inline(always)]
    fn quiet(&mut self, to: Mask, offset: i16) {
        self.add(to, offset, Action::Quiet);
    }
    #[inline(always)]
    fn capture(&mut self, to: Mask, offset: i16) {
        self.add(to, offset, Action::Capture);
    }
    fn pawn_capture(&mut self, to: Mask, offset: i16) {
        if self.promotions.queen {
            self.add(to, offset, Action::PromoteQueen);
        }
        if self.promotions.grand_pawn {
            self.add(to, offset, Action::PromoteGrandPawn);
        }
        if !self.promotions.queen && !self.promotions.grand_pawn {
            self.add(to, offset, Action::Capture);
        }
    }
    #[inline(always)]
    fn from(&mut self, from: Cell, quiet: Mask, capture: Mask) {
        for (set, action) in [(quiet, Action::Quiet), (capture, Action::Capture)] {
            for to in set {
                self.steps.push(Step { from, to, action });
            }
        }
    }
    #[inline(always)]
    fn cube(&mut self, to: Mask, offset: i16) {
        self.add(to, offset, Action::Cube);
    }
    #[inline(always)]
    fn one(&mut self, step: Step) {
        self.steps.push(step);
    }
}

/// Which pairs of a cell and the next one in a direction are linked.
#[derive(Clone, Copy)]
struct Links {
    /// Both are positions and their levels differ by at most 1.
    adjacent: Mask,
    /// Both are positions of one level.
    level: Mask,
}

impl Links {
    #[inline(always)]
    fn ahead<const BACK: i16>(view: &View) -> Self {
        let here = view.terrain.level;
        let next = here.map(Mask::shift::<BACK>);
        let level = here[0] & next[0] | here[1] & next[1] | here[2] & next[2] | here[3] & next[3];
        let adjacent = level
            | here[0] & next[1]
            | here[1] & (next[0] | next[2])
            | here[2] & (next[1] | next[3])
            | here[3] & next[2];
        Self { adjacent, level }
    }

    /// The same links seen from the other end.
    #[inline(always)]
    fn reversed<const D: i16>(self) -> Self {
        Self {
            adjacent: self.adjacent.shift::<D>(),
            level: self.level.shift::<D>(),
        }
    }
}

/// The adjacent, distance and bridge actions of all `movers` in one direction.
#[inline(always)]
fn straight<const D: i16, const QUIET: bool>(
    view: &View,
    way: Way,
    links: Links,
    movers: Mask,
    sink: &mut impl Sink,
) {
    let i = way as usize;
    if QUIET {
        let to = (movers & view.near[i] & links.adjacent).shift::<D>();
        sink.quiet(to.without(view.occupied), D);
    }
    let capturers = movers & view.near_capture[i] & links.adjacent;
    let to = capturers.shift::<D>() & view.enemy;
    if to.any() {
        let up = (capturers & view.terrain.level[1]).shift::<D>() & view.terrain.level[2]
            | (capturers & view.terrain.level[2]).shift::<D>() & view.terrain.level[3];
        let to = to.without(up);
        let by_pawns = to & (capturers & view.pawns).shift::<D>();
        sink.capture(to ^ by_pawns, D);
        sink.pawn_capture(by_pawns, D);
    }

    let heads = movers & (view.far[i] | view.far_capture[i]);
    let grand = heads & view.grand_pawns;
    let mut offset = D;
    let mut at = (heads & links.level).shift::<D>().without(view.occupied);
    let mut grand_at = grand.shift::<D>();
    while at.any() {
        offset += D;
        let to = (at & links.level).shift::<D>();
        grand_at = grand_at.shift::<D>();
        emit_far::<QUIET>(view, way, to, grand_at, offset, sink);
        at = to.without(view.occupied);
    }
    for (level, low) in view.terrain.level.into_iter().zip(view.terrain.low) {
        let mut at = (heads & level).shift::<D>() & low;
        if at.is_empty() {
            continue;
        }
        let mut grand_at = grand.shift::<D>();
        let mut offset = D;
        while at.any() {
            offset += D;
            let to = at.shift::<D>();
            grand_at = grand_at.shift::<D>();
            emit_far::<QUIET>(view, way, to & level, grand_at, offset, sink);
            at = to & low;
        }
    }
}

/// Passes on what distance and bridge actions reach. A Grand Pawn goes one way and captures the other: of what all men
/// reach, its share (`grand`) is taken out where it does not apply.
#[inline(always)]
fn emit_far<const QUIET: bool>(
    view: &View,
    way: Way,
    to: Mask,
    grand: Mask,
    offset: i16,
    sink: &mut impl Sink,
) {
    let (quiet, capture) = (to.without(view.occupied), to & view.enemy);
    let (quiet, capture) = match way {
        Way::Cross => (quiet, capture.without(grand)),
        Way::X => (quiet.without(grand), capture),
    };
    if QUIET {
        sink.quiet(quiet, offset);
    }
    sink.capture(capture, offset);
}

/// Every pseudo-legal move of the men in `movers`, without castling.
#[inline(always)]
fn men<const QUIET: bool>(view: &View, movers: Mask, sink: &mut impl Sink) {
    macro_rules! line {
        ($way:expr, $ahead:literal, $back:literal) => {
            let links = Links::ahead::<$back>(view);
            straight::<$ahead, QUIET>(view, $way, links, movers, sink);
            straight::<$back, QUIET>(view, $way, links.reversed::<$ahead>(), movers, sink);
        };
    }
    line!(Way::Cross, 1, -1);
    line!(Way::Cross, 16, -16);
    line!(Way::X, 17, -17);
    line!(Way::X, 15, -15);
    for from in movers & view.knights {
        let level = view.terrain.level_of(from);
        let reach = view.terrain.knight_reach(from, level);
        let quiet = if QUIET {
            reach.without(view.occupied)
        } else {
            Mask::EMPTY
        };
        sink.from(from, quiet, reach & view.enemy);
    }
    consecutive::<QUIET>(view, movers, sink);
}

/// The consecutive actions.
#[inline(always)]
fn consecutive<const QUIET: bool>(view: &View, movers: Mask, sink: &mut impl Sink) {
    let far = movers & (view.far[0] | view.far[1]);
    let free = !view.occupied;
    for (level, up) in [(0, true), (1, true), (2, false), (3, false)] {
        let men = far & view.terrain.level[level];
        if men.is_empty() {
            continue;
        }
        // Is there a second step for any of them at all?
        let (one, two) = if up {
            (level + 1, level + 2)
        } else {
            (level - 1, level - 2)
        };
        let first = men.grown() & view.terrain.level[one] & free;
        if !first
            .grown()
            .meets(view.terrain.level[two].without(view.own))
        {
            continue;
        }
        let captures = !up || level == 0;
        for from in men {
            let (mut quiet, mut capture) = (Mask::EMPTY, Mask::EMPTY);
            for way in Way::BOTH {
                let i = way as usize;
                let goes = QUIET && view.far[i].has(from);
                let takes = captures && view.far_capture[i].has(from);
                if goes || takes {
                    let [two, three] = view.terrain.consecutive(way, from, level, up, free);
                    // Both ways of a Queen may end on one place: the union is one move.
                    if goes {
                        quiet |= (two | three).without(view.occupied);
                    }
                    if takes {
                        capture |= (two | three) & view.enemy;
                    }
                }
            }
            sink.from(from, quiet, capture);
        }
    }
}

/// The moves of cubes for which some man other than the King has a way already by an adjacent action or a Knight's
/// leap: to a cell raised, or to a cell lowered.
struct EasyWays {
    raised: Mask,
    lowered: Mask,
}

impl EasyWays {
    fn new(view: &View) -> Self {
        let men = view.own.without(Mask::of(view.king));
        // What the men of each level reach if it has the level of the index.
        let mut reach = [Mask::EMPTY; 6];
        for level in 0..4 {
            let here = men & view.terrain.level[level];
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
        Self {
            raised: ground & reach[1]
                | view.terrain.level[1] & reach[2]
                | view.terrain.level[2] & reach[3],
            lowered: view.terrain.level[2] & reach[1] | view.terrain.level[3] & reach[2],
        }
    }
}

/// The legal moves of cubes. A cube that comes from or goes to a cell of `exposed`, or any cube if that is the whole
/// arena, may expose the King (or has to cover him) and is tested.
struct Cubes<'a> {
    position: &'a Position,
    view: &'a View,
    base: Mask,
    /// Cells on which no man stands.
    free: Mask,
    /// Columns of which a cube may be taken.
    sources: Mask,
    /// Men in trenches.
    entrenched: Mask,
    easy: EasyWays,
    exposed: Mask,
}

impl<'a> Cubes<'a> {
    fn new(position: &'a Position, view: &'a View, exposed: Mask) -> Self {
        let free = Mask::ARENA.without(view.occupied);
        let base = position.base();
        let mut sources = base & free;
        if let Some(cell) = position.last_cube {
            sources = sources.without(Mask::of(cell));
        }
        Self {
            position,
            view,
            base,
            free,
            sources,
            entrenched: view.occupied.without(base),
            easy: EasyWays::new(view),
            exposed,
        }
    }

    fn generate(&self, sink: &mut impl Sink) {
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
    fn orthogonal<const D: i16>(&self, sink: &mut impl Sink) {
        let [_, one, two, three] = self.view.terrain.level;
        let ground = Mask::ARENA.without(self.base);
        let from = |level: Mask| (self.sources & level).shift::<D>() & self.free;
        self.stay::<D>(from(two) & (two | ground) | from(three) & one, sink);
        self.leave::<D>(from(one) & one, sink);
    }

    #[inline(always)]
    fn diagonal<const D: i16>(&self, sink: &mut impl Sink) {
        let [_, one, two, three] = self.view.terrain.level;
        let ground = Mask::ARENA.without(self.base);
        let from = |level: Mask| (self.sources & level).shift::<D>() & self.free;
        self.stay::<D>(from(two) & one | from(three) & two, sink);
        self.leave::<D>(from(one) & ground, sink);
    }

    /// Moves that leave a cube at their source: the base loses no cell.
    #[inline(always)]
    fn stay<const D: i16>(&self, to: Mask, sink: &mut impl Sink) {
        if to.is_empty() {
            return;
        }
        let makes_way = self.easy.raised | self.easy.lowered.shift::<D>();
        let exposed = self.exposed | self.exposed.shift::<D>();
        let easy = (to & makes_way).without(exposed);
        sink.cube(easy, D);
        for to in to ^ easy {
            self.try_one(to.back(D), to, makes_way.has(to), exposed.has(to), sink);
        }
    }

    /// Moves of the only cube of a column.
    #[inline(always)]
    fn leave<const D: i16>(&self, to: Mask, sink: &mut impl Sink) {
        for to in to {
            let from = to.back(D);
            let mut base = self.base;
            base.insert(to);
            if !ring_is_connected(&base, from) {
                base.toggle(from);
                if !base.is_connected() {
                    continue;
                }
            }
            let exposed = self.exposed.has(from) || self.exposed.has(to);
            self.try_one(from, to, self.easy.raised.has(to), exposed, sink);
        }
    }

    /// What remains of the conditions.
    fn try_one(&self, from: Cell, to: Cell, makes_way: bool, exposed: bool, sink: &mut impl Sink) {
        let step = Step {
            from,
            to,
            action: Action::Cube,
        };
        let beside = CROSS[from.index()] | DIAGONAL[from.index()];
        if makes_way && !exposed && !beside.meets(self.entrenched) {
            sink.one(step);
            return;
        }
        if !makes_way && !self.may_make_way(from, to) {
            return;
        }
        let mut next = *self.position;
        next.flip_cube(from, to);
        if !self.entrenched.is_within(next.trenches) {
            return;
        }
        if !makes_way && !self.makes_way(&next, from, to) {
            return;
        }
        if !exposed || !next.is_attacked_king(next.side) {
            sink.one(step);
        }
    }

    /// Whether there are men who could use the cube's new place or the one below its old place by an action other than the
    /// adjacent one, going by their levels and lines alone. Always so if the base changes, because of the trenches.
    #[inline(always)]
    fn may_make_way(&self, from: Cell, to: Cell) -> bool {
        let (left, raised) = (self.position.height(from), self.position.height(to));
        if left == 1 || raised == 0 {
            return true;
        }
        let men = self.view.own.without(Mask::of(self.view.king));
        let terrain = &self.view.terrain;
        [(from, left as usize - 1), (to, raised as usize + 1)]
            .into_iter()
            .any(|(cell, level)| {
                let climbers = terrain.far_levels(level, true) | terrain.far_levels(level, false);
                Way::BOTH.into_iter().any(|way| {
                    let places = way.lines(cell) & terrain.level[level] | climbers;
                    (men & self.view.far[way as usize]).meets(places)
                })
            })
    }

    /// Whether one of the places created by the move of a cube to `next` can be reached.
    #[inline(never)]
    fn makes_way(&self, next: &Position, from: Cell, to: Cell) -> bool {
        let mut created = next.trenches.without(self.base | self.position.trenches);
        if next.is_position(from) {
            created.insert(from);
        }
        created.insert(to);
        let terrain = Terrain::new(next);
        created
            .into_iter()
            .any(|cell| is_reached(self.view, &terrain, cell, next.height(cell) as usize))
    }
}

/// Whether a man of the view's side other than the King can go to a free position of the terrain. All ways without
/// capture can be gone in both directions, so the question is what could be reached from there.
#[inline(always)]
fn is_reached(view: &View, terrain: &Terrain, cell: Cell, level: usize) -> bool {
    let men = view.own.without(Mask::of(view.king));
    let beside = men & terrain.touching(level);
    if (Way::Cross.around(cell) & view.near[0] | Way::X.around(cell) & view.near[1]).meets(beside)
        || terrain.knight_reach(cell, level).meets(view.knights & men)
    {
        return true;
    }
    Way::BOTH.into_iter().any(|way| {
        let far = view.far[way as usize] & men;
        (far & terrain.level[level] & way.lines(cell))
            .into_iter()
            .any(|man| terrain.is_line_open(between(cell, man), level, view.occupied))
            || [true, false].into_iter().any(|up| {
                let far = far & terrain.far_levels(level, up);
                far.any() && {
                    let [two, three] = terrain.consecutive(way, cell, level, up, !view.occupied);
                    (two | three).meets(far)
                }
            })
    })
}

/// The King's steps that leave him safe.
#[inline(always)]
fn king_steps<const QUIET: bool>(view: &View, sink: &mut impl Sink) {
    let king = Mask::of(view.king);
    let reach = (king.grown() & view.terrain.touching(view.king_level)).without(view.own);
    let mut captures = reach & view.enemy;
    // He takes up only out of a trench.
    if view.king_level != 0 && view.king_level != 3 {
        captures = captures.without(view.terrain.level[view.king_level + 1]);
    }
    let safe = |set: Mask| {
        let mut safe = set;
        for to in set {
            let level = view.terrain.level_of(to);
            let enemy = view.enemy.without(Mask::of(to));
            if view.is_attacked(to, level, view.occupied ^ king, enemy) {
                safe.toggle(to);
            }
        }
        safe
    };
    let quiet = if QUIET {
        safe(reach.without(view.enemy))
    } else {
        Mask::EMPTY
    };
    sink.from(view.king, quiet, safe(captures));
}

/// The moves of men whose every move may leave the King attacked.
#[inline(never)]
fn tested_men<const QUIET: bool>(
    position: &Position,
    view: &View,
    tested: Mask,
    sink: &mut impl Sink,
) {
    let mut steps = StepList::new();
    let mut lister = Lister {
        promotions: Promotions::new(position),
        steps: &mut steps,
    };
    men::<QUIET>(view, tested, &mut lister);
    for step in steps {
        let to = Mask::of(step.to);
        let occupied = (view.occupied ^ Mask::of(step.from)) | to;
        let enemy = view.enemy.without(to);
        if !view.is_attacked(view.king, view.king_level, occupied, enemy) {
            sink.one(step);
        }
    }
}

/// All legal steps of a position outside the prologue, cubes and castling only with `QUIET`.
fn legal<const QUIET: bool>(position: &Position, sink: &mut impl Sink) {
    let view = View::new(position, position.side);
    let safety = view.safety();
    let men_of_side = view.own.without(Mask::of(view.king));
    let (tested, exposed) = if safety.in_check {
        (men_of_side, Mask::ARENA)
    } else if view.king_level == 0 {
        // In a trench any change of the base may matter.
        (safety.pinned, Mask::ARENA)
    } else {
        (safety.pinned, safety.sensitive)
    };
    king_steps::<QUIET>(&view, sink);
    if tested != men_of_side {
        men::<QUIET>(&view, men_of_side.without(tested), sink);
    }
    if tested.any() {
        tested_men::<QUIET>(position, &view, tested, sink);
    }
    if QUIET {
        if !safety.in_check {
            for pair in position.pairs[position.side.index()].into_iter().flatten() {
                sink.one(Step {
                    from: pair.piece,
                    to: pair.knight,
                    action: Action::Castle,
                });
            }
        }
        Cubes::new(position, &view, exposed).generate(sink);
    }
}

/// What the men of a side can do: see [`Position::activity`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct Activity {
    /// Pseudo-legal moves of all men but the King, without castling.
    pub moves: u32,
    /// Places beside the King that no man of his own side holds.
    pub escapes: u32,
}

impl Position {
    /// White's Pawn cells of the two choices of the prologue.
    const CHOICES: [Cell; 2] = [Cell::new(4, 6), Cell::new(10, 6)];

    pub(super) fn all_steps(&self, steps: &mut StepList<Step>) {
        if self.prologue {
            steps.extend(Self::CHOICES.map(|cell| Step {
                from: cell,
                to: cell,
                action: Action::Choose,
            }));
            return;
        }
        let promotions = Promotions::new(self);
        legal::<true>(self, &mut Lister { promotions, steps });
    }

    /// The captures among the legal steps.
    pub(crate) fn captures(&self, steps: &mut StepList<Step>) {
        if !self.prologue {
            let promotions = Promotions::new(self);
            legal::<false>(self, &mut Lister { promotions, steps });
        }
    }

    /// What a side's men could do if it were its turn, the King's safety left aside.
    pub(crate) fn activity(&self, side: Color) -> Activity {
        let view = View::new(self, side);
        let king = Mask::of(view.king);
        let mut counter = Counter {
            promotions: Promotions {
                queen: false,
                grand_pawn: false,
            },
            count: 0,
        };
        men::<true>(&view, view.own ^ king, &mut counter);
        let escapes = king.grown() & view.terrain.touching(view.king_level);
        Activity {
            moves: counter.count as u32,
            escapes: escapes.without(view.own).len(),
        }
    }

    pub(super) fn count_steps(&self) -> u64 {
        if self.prologue {
            return Self::CHOICES.len() as u64;
        }
        let mut counter = Counter {
            promotions: Promotions::new(self),
            count: 0,
        };
        legal::<true>(self, &mut counter);
        counter.count
    }
}
