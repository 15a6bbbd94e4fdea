//! The legal steps of pieces, and all of them together.

use super::attack::View;
use super::cube_moves::{Cubes, pseudo_legal_cubes};
use super::mask::{Cell, Mask};
use super::position::Cubes4d;
use super::sink::{Counter, Lister, Promotions, Sink};
use super::step::{Action, Step};
use super::tables::between;
use super::terrain::Way;
use crate::core::StepList;

/// Which pairs of a cell and the next one in a direction are linked.
#[derive(Clone, Copy)]
pub struct Links {
    /// Both are positions and their levels differ by at most 1.
    pub adjacent: Mask,
    /// Both are positions of one level.
    pub level: Mask,
}

impl Links {
    #[inline(always)]
    pub fn ahead<const BACK: i16>(view: &View) -> Self {
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
    pub fn reversed<const D: i16>(self) -> Self {
        Self {
            adjacent: self.adjacent.shift::<D>(),
            level: self.level.shift::<D>(),
        }
    }
}

/// The adjacent, distance and bridge actions of all `movers` in one direction.
#[inline(always)]
fn straight<const D: i16>(view: &View, way: Way, links: Links, movers: Mask, sink: &mut impl Sink) {
    let i = way as usize;
    let to = (movers & view.near[i] & links.adjacent).shift::<D>();
    sink.quiet(to.without(view.occupied), D);
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
        emit_far(view, way, to, grand_at, offset, sink);
        at = to.without(view.occupied);
    }
    for (&level, &low) in view.terrain.level.iter().zip(&view.terrain.low) {
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
            emit_far(view, way, to & level, grand_at, offset, sink);
            at = to & low;
        }
    }
}

/// Passes on what distance and bridge actions reach. A Grand Pawn goes one way and captures the other: of what all pieces
/// reach, its share (`grand`) is taken out where it does not apply.
#[inline(always)]
fn emit_far(view: &View, way: Way, to: Mask, grand: Mask, offset: i16, sink: &mut impl Sink) {
    let (quiet, capture) = (to.without(view.occupied), to & view.enemy);
    let (quiet, capture) = match way {
        Way::Cross => (quiet, capture.without(grand)),
        Way::X => (quiet.without(grand), capture),
    };
    sink.quiet(quiet, offset);
    sink.capture(capture, offset);
}

/// Every pseudo-legal move of the pieces in `movers`, without castling.
#[inline(always)]
pub fn pieces<const QUIET: bool>(view: &View, movers: Mask, sink: &mut impl Sink) {
    if !QUIET {
        captures(view, movers, sink);
        return;
    }
    macro_rules! line {
        ($way:expr, $ahead:literal, $back:literal) => {
            let links = Links::ahead::<$back>(view);
            straight::<$ahead>(view, $way, links, movers, sink);
            straight::<$back>(view, $way, links.reversed::<$ahead>(), movers, sink);
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

/// Every pseudo-legal capture of the pieces in `movers`, piece by piece: there are few pieces and fewer victims.
#[inline(always)]
fn captures(view: &View, movers: Mask, sink: &mut impl Sink) {
    let terrain = &view.terrain;
    for from in movers {
        let level = terrain.level_of(from);
        if view.knights.has(from) {
            let reach = terrain.knight_reach(from, level);
            sink.from(from, Mask::EMPTY, reach & view.enemy);
            continue;
        }
        let below = terrain.taken_beside(level);
        let mut capture = Mask::EMPTY;
        for way in Way::BOTH {
            let i = way as usize;
            if view.near_capture[i].has(from) {
                capture |= way.around(from) & below & view.enemy;
            }
            if view.far_capture[i].has(from) {
                let victims = way.lines(from) & view.enemy & terrain.level[level];
                for to in victims.without(capture) {
                    if terrain.is_line_open(between(from, to), level, view.occupied) {
                        capture.insert(to);
                    }
                }
            }
        }
        if view.pawns.has(from) {
            for to in capture {
                let offset = to.index() as i16 - from.index() as i16;
                sink.pawn_capture(Mask::of(to), offset);
            }
        } else {
            sink.from(from, Mask::EMPTY, capture);
        }
    }
    consecutive::<false>(view, movers, sink);
}

/// The consecutive actions.
#[inline(always)]
fn consecutive<const QUIET: bool>(view: &View, movers: Mask, sink: &mut impl Sink) {
    each_consecutive::<QUIET>(view, movers, |from, quiet, capture| {
        sink.from(from, quiet, capture & view.enemy);
    });
}

/// Passes on, for each piece that may have consecutive actions, where they lead without a capture and where they could
/// capture an enemy.
#[inline(always)]
pub fn each_consecutive<const QUIET: bool>(
    view: &View,
    movers: Mask,
    mut tell: impl FnMut(Cell, Mask, Mask),
) {
    let far = movers & (view.far[0] | view.far[1]);
    let free = !view.occupied;
    for (level, up) in [(0, true), (1, true), (2, false), (3, false)] {
        let pieces = far & view.terrain.level[level];
        if pieces.is_empty() || !view.has_second_step(pieces, level, up) {
            continue;
        }
        let captures = !up || level == 0;
        for from in pieces {
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
                        capture |= two | three;
                    }
                }
            }
            tell(from, quiet, capture);
        }
    }
}

/// The King's steps to places that are not attacked.
#[inline(always)]
fn king_steps<const QUIET: bool>(view: &View, sink: &mut impl Sink) {
    let king = Mask::of(view.king);
    let reach = view.terrain.king_reach(view.king).without(view.own);
    let captures = reach & view.enemy & view.terrain.taken_beside(view.king_level);
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

/// The moves of pieces whose every move may leave the King attacked.
#[inline(never)]
fn tested_pieces<const QUIET: bool>(
    position: &Cubes4d,
    view: &View,
    tested: Mask,
    sink: &mut impl Sink,
) {
    let mut steps = StepList::new();
    let mut lister = Lister {
        promotions: Promotions::new(position),
        steps: &mut steps,
    };
    pieces::<QUIET>(view, tested, &mut lister);
    for step in steps {
        let to = Mask::of(step.to);
        let occupied = (view.occupied ^ Mask::of(step.from)) | to;
        let enemy = view.enemy.without(to);
        if !view.is_attacked(view.king, view.king_level, occupied, enemy) {
            sink.one(step);
        }
    }
}

/// All legal steps of a position outside the prologue, cubes and castling only with `QUIET`; with `PSEUDO_LEGAL` cubes as far as
/// heights and places go.
fn legal<const QUIET: bool, const PSEUDO_LEGAL: bool>(position: &Cubes4d, sink: &mut impl Sink) {
    let view = View::new(position, position.side);
    let safety = view.safety();
    let pieces_of_side = view.own.without(Mask::of(view.king));
    let tested = if safety.in_check {
        pieces_of_side
    } else {
        safety.pinned
    };
    king_steps::<QUIET>(&view, sink);
    if tested != pieces_of_side {
        pieces::<QUIET>(&view, pieces_of_side.without(tested), sink);
    }
    if tested.any() {
        tested_pieces::<QUIET>(position, &view, tested, sink);
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
        if PSEUDO_LEGAL {
            pseudo_legal_cubes(position, &view, sink);
        } else {
            Cubes::new(position, &view, view.exposed(&safety)).generate(sink);
        }
    }
}

impl Cubes4d {
    /// White's Pawn cells of the two choices of the prologue.
    const CHOICES: [Cell; 2] = [Cell::new(4, 6), Cell::new(10, 6)];

    pub(super) fn all_steps(&self, steps: &mut StepList<Step>) {
        self.list::<false>(steps);
    }

    /// The legal steps and the moves of cubes for which [`CubeLegality`](super::CubeLegality) was not asked.
    pub(crate) fn pseudo_legal_steps(&self, steps: &mut StepList<Step>) {
        self.list::<true>(steps);
    }

    fn list<const PSEUDO_LEGAL: bool>(&self, steps: &mut StepList<Step>) {
        if self.prologue {
            steps.extend(Self::CHOICES.map(|cell| Step {
                from: cell,
                to: cell,
                action: Action::Choose,
            }));
            return;
        }
        let promotions = Promotions::new(self);
        legal::<true, PSEUDO_LEGAL>(self, &mut Lister { promotions, steps });
    }

    /// The captures among the legal steps.
    pub(crate) fn captures(&self, steps: &mut StepList<Step>) {
        if !self.prologue {
            let promotions = Promotions::new(self);
            legal::<false, false>(self, &mut Lister { promotions, steps });
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
        legal::<true, false>(self, &mut counter);
        counter.count
    }
}
