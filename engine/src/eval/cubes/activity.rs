//! Mobility and attacks near the Kings, for the evaluation: counted for both sides at once, because the relief and the lines
//! over it are the same.

use crate::core::Color;
use crate::rules::cubes::movement::{Links, Terrain, View, Way, each_consecutive};
use crate::rules::cubes::{Cell, CellCount, Cubes4d, Mask};

/// The mobility of a side and its attacks near the other King; see [`Cubes4d::activity`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Activity {
    /// Pseudo-legal moves of all pieces but the King, without castling.
    pub moves: u32,
    /// Places beside the other King that no piece of its own side occupies.
    pub escapes: u32,
    /// Places of `escapes` that no piece of this side attacks, its own King included.
    pub safe: u32,
    /// The number of attacks of pieces on the places of `escapes`.
    pub attacks: u32,
}

/// What has been counted for one side.
struct Tally {
    /// The pieces of the other side.
    enemy: Mask,
    /// The places beside the other King that no piece of its own side occupies.
    zone: Mask,
    moves: CellCount,
    attacks: CellCount,
    attacked: Mask,
}

impl Tally {
    /// For the side that hunts the King on `target_king`.
    #[inline(always)]
    fn new(view: &View, enemy: Mask, target_king: Cell) -> Self {
        Self {
            enemy,
            zone: view.terrain.king_reach(target_king).without(enemy),
            moves: CellCount::default(),
            attacks: CellCount::default(),
            attacked: Mask::EMPTY,
        }
    }

    /// Counts the cells on which pieces of the side capture, or would capture if an enemy stood there.
    #[inline(always)]
    fn hit(&mut self, to: Mask) {
        let hit = to & self.zone;
        self.attacks.add(hit);
        self.attacked |= hit;
        self.moves.add(to & self.enemy);
    }

    /// The counts of the side, whose King stands on `king`.
    fn finish(&self, view: &View, king: Cell) -> Activity {
        let level = view.terrain.level_of(king);
        let guarded = Mask::of(king).grown() & view.terrain.taken_beside(level);
        Activity {
            moves: self.moves.total(),
            escapes: self.zone.len(),
            safe: self.zone.without(self.attacked | guarded).len(),
            attacks: self.attacks.total(),
        }
    }
}

/// Counts the moves of both sides, one direction and distance at a time. The cells in which such moves end are one set, and `white` marks
/// those of White's pieces. Each cell stands for one move, because only one piece is at that distance in that direction from it.
struct Census<'a> {
    view: &'a View,
    /// Every piece but the Kings.
    movers: Mask,
    /// White's pieces.
    white: Mask,
    /// White's tally, then Black's.
    sides: [Tally; 2],
    /// The cells on which a capture counts for one side or the other.
    targets: Mask,
}

impl Census<'_> {
    #[inline(always)]
    fn quiet(&mut self, to: Mask, white: Mask) {
        self.sides[0].moves.add(to & white);
        self.sides[1].moves.add(to.without(white));
    }

    #[inline(always)]
    fn capture(&mut self, to: Mask, white: Mask) {
        if to.meets(self.targets) {
            self.hits(to, white);
        }
    }

    /// A function of its own, and not inlined, because few cells are targets.
    #[inline(never)]
    fn hits(&mut self, to: Mask, white: Mask) {
        self.sides[0].hit(to & white);
        self.sides[1].hit(to.without(white));
    }

    /// Counts what the pieces that reach beyond the next cell reach at one distance in one direction. A Grand Pawn moves along one kind of line and
    /// captures along the other.
    #[inline(always)]
    fn far(&mut self, way: Way, to: Mask, grand: Mask, white: Mask) {
        let free = to.without(self.view.occupied);
        match way {
            Way::Cross => {
                self.quiet(free, white);
                self.capture(to.without(grand), white);
            }
            Way::X => {
                self.quiet(free.without(grand), white);
                self.capture(to, white);
            }
        }
    }

    /// The adjacent, distance and bridge actions in one direction: as in the generator.
    #[inline(always)]
    fn straight<const D: i16>(&mut self, way: Way, links: Links) {
        let view = self.view;
        let i = way as usize;
        let white = self.white.shift::<D>();
        let near = (self.movers & view.near[i] & links.adjacent).shift::<D>();
        self.quiet(near.without(view.occupied), white);
        let capturers = self.movers & view.near_capture[i] & links.adjacent;
        let level = &view.terrain.level;
        let up = (capturers & level[1]).shift::<D>() & level[2]
            | (capturers & level[2]).shift::<D>() & level[3];
        self.capture(capturers.shift::<D>().without(up), white);

        let heads = self.movers & (view.far[i] | view.far_capture[i]);
        if heads.is_empty() {
            return;
        }
        let grand = (heads & view.grand_pawns).shift::<D>();
        let mut at = (heads & links.level).shift::<D>().without(view.occupied);
        let (mut white_at, mut grand_at) = (white, grand);
        while at.any() {
            let to = (at & links.level).shift::<D>();
            white_at = white_at.shift::<D>();
            grand_at = grand_at.shift::<D>();
            self.far(way, to, grand_at, white_at);
            at = to.without(view.occupied);
        }
        if !heads.shift::<D>().meets(view.terrain.low[3]) {
            // The other sets are parts of this one.
            return;
        }
        for (&level, &low) in view.terrain.level.iter().zip(&view.terrain.low) {
            let mut at = (heads & level).shift::<D>() & low;
            let (mut white_at, mut grand_at) = (white, grand);
            while at.any() {
                let to = at.shift::<D>();
                white_at = white_at.shift::<D>();
                grand_at = grand_at.shift::<D>();
                self.far(way, to & level, grand_at, white_at);
                at = to & low;
            }
        }
    }

    #[inline(always)]
    fn knights(&mut self) {
        for from in self.movers & self.view.knights {
            let level = self.view.terrain.level_of(from);
            let reach = self.view.terrain.knight_reach(from, level);
            let side = &mut self.sides[usize::from(!self.white.has(from))];
            side.moves.add(reach.without(self.view.occupied));
            side.hit(reach);
        }
    }

    #[inline(always)]
    fn consecutive(&mut self) {
        let (white, sides) = (self.white, &mut self.sides);
        each_consecutive::<true>(self.view, self.movers, |from, quiet, capture| {
            let side = &mut sides[usize::from(!white.has(from))];
            side.moves.add(quiet);
            if capture.any() {
                side.hit(capture);
            }
        });
    }
}

impl Cubes4d {
    /// The number of places beside a side's King that no piece of its own side occupies.
    #[inline(always)]
    pub fn escapes(&self, color: Color) -> u32 {
        let beside = Terrain::new(self).king_reach(self.king(color));
        beside.without(self.pieces_of(color)).len()
    }

    /// The places that a side's King can reach in at most `steps` steps on an otherwise empty relief, its own place included.
    pub fn king_region(&self, color: Color, steps: u32) -> Mask {
        let terrain = Terrain::new(self);
        let mut region = Mask::of(self.king(color));
        let mut edge = region;
        for _ in 0..steps {
            let beside = edge.into_iter().fold(Mask::EMPTY, |beside, cell| {
                beside | terrain.king_reach(cell)
            });
            edge = beside.without(region);
            region |= edge;
        }
        region
    }

    /// What each side's pieces could do if it were its turn, the safety of its King left aside; White's first.
    #[inline(never)]
    pub fn activity(&self) -> [Activity; 2] {
        let view = &View::new(self, Color::White);
        let [white, black] = Color::ALL.map(|color| self.king(color));
        let sides = [
            Tally::new(view, view.enemy, black),
            Tally::new(view, view.own, white),
        ];
        let targets = |side: &Tally| side.enemy | side.zone;
        let mut census = Census {
            view,
            movers: view.occupied.without(Mask::of(white) | Mask::of(black)),
            white: view.own,
            targets: targets(&sides[0]) | targets(&sides[1]),
            sides,
        };
        macro_rules! line {
            ($way:expr, $ahead:literal, $back:literal) => {
                let links = Links::ahead::<$back>(view);
                census.straight::<$ahead>($way, links);
                census.straight::<$back>($way, links.reversed::<$ahead>());
            };
        }
        line!(Way::Cross, 1, -1);
        line!(Way::Cross, 16, -16);
        line!(Way::X, 17, -17);
        line!(Way::X, 15, -15);
        census.knights();
        census.consecutive();
        [
            census.sides[0].finish(view, white),
            census.sides[1].finish(view, black),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::StepList;
    use crate::rules::Notation;
    use crate::rules::cubes::movement::{Lister, Promotions, pieces};
    use crate::rules::cubes::{Options, Step};

    /// The moves of a side's pieces if these are the enemy's: from, to, and whether they capture.
    fn listed(position: &Cubes4d, color: Color, enemy: Mask) -> Vec<(Cell, Cell, bool)> {
        let mut view = View::new(position, color);
        view.enemy = enemy;
        let movers = view.own.without(Mask::of(view.king));
        let mut steps = StepList::new();
        let promotions = Promotions::new(position);
        let mut lister = Lister {
            promotions,
            steps: &mut steps,
        };
        pieces::<true>(&view, movers, &mut lister);
        let told = |step: &Step| (step.from, step.to, step.is_capture());
        let mut moves: Vec<_> = steps.iter().map(told).collect();
        moves.sort_unstable();
        moves.dedup();
        moves
    }

    /// The places beside a cell to which a King could step, one by one.
    fn beside(position: &Cubes4d, from: Cell) -> Vec<Cell> {
        let height = |cell| i16::from(position.height(cell));
        (Mask::of(from).grown() & Mask::ARENA)
            .into_iter()
            .filter(|&cell| cell != from && position.is_position(cell))
            .filter(|&cell| (height(cell) - height(from)).abs() <= 1)
            .collect()
    }

    /// [`Cubes4d::activity`] computed for one side at a time from listed moves.
    fn expected(position: &Cubes4d, color: Color) -> Activity {
        let enemy = position.pieces_of(!color);
        let (king, target_king) = (position.king(color), position.king(!color));
        let height = |cell| i16::from(position.height(cell));
        let mut zone = beside(position, target_king);
        zone.retain(|&cell| !enemy.has(cell));
        let mut targets = Mask::EMPTY;
        for &cell in &zone {
            targets.insert(cell);
        }
        let mut hits = listed(position, color, targets);
        hits.retain(|&(_, _, captures)| captures);
        let guards = |cell: Cell| {
            let up = height(cell) - height(king);
            Mask::of(king).grown().has(cell)
                && (up == 0 || up == -1 || up == 1 && height(king) == 0)
        };
        let safe = zone
            .iter()
            .filter(|&&cell| !guards(cell) && !hits.iter().any(|&(_, to, _)| to == cell));
        Activity {
            moves: listed(position, color, enemy).len() as u32,
            escapes: zone.len() as u32,
            safe: safe.count() as u32,
            attacks: hits.len() as u32,
        }
    }

    #[test]
    fn activity_counts_the_moves_that_the_generator_lists() {
        let mut attacks = 0;
        for text in include_str!("../../../../tests/data/cubes4d-won.txt").lines() {
            let position = Cubes4d::from_fen(text, &Options::default()).unwrap();
            for (color, activity) in Color::ALL.into_iter().zip(position.position.activity()) {
                assert_eq!(
                    activity,
                    expected(&position.position, color),
                    "{color:?}, {text}"
                );
                attacks += activity.attacks;
            }
        }
        assert!(attacks > 500, "{attacks}");
    }

    #[test]
    fn a_region_is_where_a_king_walks() {
        for text in include_str!("../../../../tests/data/cubes4d-won.txt").lines() {
            let position = Cubes4d::from_fen(text, &Options::default())
                .unwrap()
                .position;
            for color in Color::ALL {
                let mut walked = Mask::of(position.king(color));
                for steps in 0..=4 {
                    assert_eq!(position.king_region(color, steps), walked, "{text}");
                    for cell in walked.into_iter().flat_map(|cell| beside(&position, cell)) {
                        walked.insert(cell);
                    }
                }
            }
        }
    }
}
