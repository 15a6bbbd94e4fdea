//! Attacks on the King, and moves that cover it.

use super::mask::{Cell, Mask};
use super::piece::PieceKind;
use super::position::Cubes4d;
use super::step::Step;
use super::tables::between;
use super::terrain::{Terrain, Way};
use crate::core::Color;

/// A position unfolded for one side: whole levels and whole kinds as sets.
#[derive(Clone, Debug)]
pub struct View {
    /// The cubes.
    pub terrain: Terrain,
    /// Every piece.
    pub occupied: Mask,
    /// The pieces of the side.
    pub own: Mask,
    /// The pieces of the other side.
    pub enemy: Mask,
    /// By [`Way`], both colours: the pieces that move without capture by all actions.
    pub far: [Mask; 2],
    /// By [`Way`], both colours: the pieces that capture by all actions.
    pub far_capture: [Mask; 2],
    /// By [`Way`], both colours: the pieces that move without capture by the adjacent action.
    pub near: [Mask; 2],
    /// By [`Way`], both colours: the pieces that capture by the adjacent action.
    pub near_capture: [Mask; 2],
    /// The Knights of both colours.
    pub knights: Mask,
    /// The Pawns of both colours.
    pub pawns: Mask,
    /// The Grand Pawns of both colours.
    pub grand_pawns: Mask,
    /// The side's King.
    pub king: Cell,
    /// The King's level.
    pub king_level: usize,
}

/// The restrictions on a side's moves that its King's safety imposes.
#[derive(Clone, Copy, Debug)]
pub struct Safety {
    /// The King is attacked.
    pub in_check: bool,
    /// Own pieces that may cover the King: each of their moves has to be tested.
    pub pinned: Mask,
    /// Cells on which a change of height may open a way to the King.
    pub sensitive: Mask,
}

impl View {
    /// Unfolds a position from which the pieces on some cells are taken away.
    pub fn without(position: &Cubes4d, side: Color, cells: Mask) -> Self {
        let rest = Cubes4d {
            pieces: position.pieces.map(|digit| digit.without(cells)),
            white: position.white.without(cells),
            ..*position
        };
        Self::new(&rest, side)
    }

    #[inline(always)]
    pub fn new(position: &Cubes4d, side: Color) -> Self {
        let occupied = position.occupied();
        let own = position.color(side);
        let pawns = position.kind(PieceKind::Pawn);
        let bishops = position.kind(PieceKind::Bishop);
        let rooks = position.kind(PieceKind::Rook);
        let grand_pawns = position.kind(PieceKind::GrandPawn);
        let queens = position.kind(PieceKind::Queen);
        let kings = position.kind(PieceKind::King);
        let king = position.kings[side.index()];
        Self {
            terrain: Terrain::new(position),
            occupied,
            own,
            enemy: occupied ^ own,
            far: [rooks | grand_pawns | queens, bishops | queens],
            far_capture: [rooks | queens, bishops | grand_pawns | queens],
            near: [
                rooks | grand_pawns | queens | pawns | kings,
                bishops | queens | kings,
            ],
            near_capture: [
                rooks | queens | kings,
                bishops | grand_pawns | queens | pawns | kings,
            ],
            knights: position.kind(PieceKind::Knight),
            pawns,
            grand_pawns,
            king,
            king_level: position.height(king) as usize,
        }
    }

    /// The cells on which an added or removed cube may expose the side's King, or must cover it.
    #[inline(always)]
    pub fn exposed(&self, safety: &Safety) -> Mask {
        // In a trench any change of the base may matter.
        if safety.in_check || self.king_level == 0 {
            Mask::ARENA
        } else {
            safety.sensitive
        }
    }

    /// Whether for some pieces of a level there may be a consecutive action of two steps.
    #[inline(always)]
    pub fn has_second_step(&self, pieces: Mask, level: usize, up: bool) -> bool {
        let (one, two) = if up {
            (level + 1, level + 2)
        } else {
            (level - 1, level - 2)
        };
        let first = pieces.grown() & self.terrain.level[one].without(self.occupied);
        first.grown().meets(self.terrain.level[two])
    }

    /// Whether pieces of `enemy` (a part of the view's) attack a cell of this level, with these cells occupied.
    #[inline]
    pub fn is_attacked(&self, cell: Cell, level: usize, occupied: Mask, enemy: Mask) -> bool {
        self.attackers::<false>(&self.terrain, cell, level, occupied, enemy)
            .any()
    }

    /// The pieces of a part of the view's that attack a cell of this level over these cubes, with these cells occupied: all of them, or
    /// else the first found.
    #[inline(always)]
    fn attackers<const ALL: bool>(
        &self,
        terrain: &Terrain,
        cell: Cell,
        level: usize,
        occupied: Mask,
        pieces: Mask,
    ) -> Mask {
        let mut found = terrain.knight_reach(cell, level) & self.knights & pieces;
        if !ALL && found.any() {
            return found;
        }
        let from = terrain.takers_beside(level) & pieces;
        for way in Way::BOTH {
            let i = way as usize;
            found |= way.around(cell) & self.near_capture[i] & from;
            if !ALL && found.any() {
                return found;
            }
            let far = self.far_capture[i] & pieces;
            for other in far & terrain.level[level] & way.lines(cell) {
                if terrain.is_line_open(between(cell, other), level, occupied) {
                    found |= Mask::of(other);
                    if !ALL {
                        return found;
                    }
                }
            }
            for up in [true, false] {
                let pieces = terrain.consecutive_attackers(level, far, up);
                if pieces.any() {
                    let [two, three] = terrain.consecutive(way, cell, level, up, !occupied);
                    found |= (two | three) & pieces;
                    if !ALL && found.any() {
                        return found;
                    }
                }
            }
        }
        found
    }

    /// Whether the side's King is attacked.
    #[inline]
    pub fn is_king_attacked(&self) -> bool {
        self.is_king_attacked_on(&self.terrain)
    }

    /// Whether the side's King is attacked if the pieces stand on other cubes; the King's column is the same.
    #[inline]
    pub fn is_king_attacked_on(&self, terrain: &Terrain) -> bool {
        let (occupied, enemy) = (self.occupied, self.enemy);
        self.attackers::<false>(terrain, self.king, self.king_level, occupied, enemy)
            .any()
    }

    /// Computes whether the King is attacked, and which changes could expose it.
    #[inline]
    pub fn safety(&self) -> Safety {
        let (king, level) = (self.king, self.king_level);
        let mut safety = Safety {
            in_check: self.is_king_attacked(),
            pinned: Mask::EMPTY,
            sensitive: Mask::EMPTY,
        };
        if safety.in_check {
            return safety;
        }
        for way in Way::BOTH {
            let far = self.far_capture[way as usize] & self.enemy;
            for other in far & self.terrain.level[level] & way.lines(king) {
                let inner = between(king, other);
                let blockers = inner & self.occupied;
                // No change of height opens a line over a piece that stands as high as the King or higher.
                if blockers.is_within(self.terrain.low[level]) {
                    safety.sensitive |= inner;
                }
                if blockers.is_within(self.own)
                    && blockers.len() == 1
                    && inner.is_within(self.terrain.level[level])
                {
                    safety.pinned |= blockers;
                }
            }
            for up in [true, false] {
                let pieces = self.terrain.consecutive_attackers(level, far, up);
                if pieces.is_empty() {
                    continue;
                }
                // The steps in between lie within two cells of the King.
                let block = Mask::of(king).grown().grown() & Mask::ARENA;
                if block.grown().meets(pieces) {
                    safety.sensitive |= block;
                    let [two, three] = self.terrain.consecutive(way, king, level, up, !self.enemy);
                    if (two | three).meets(pieces) {
                        safety.pinned |= block & self.own;
                    }
                }
            }
        }
        safety.pinned = safety.pinned.without(Mask::of(king));
        safety
    }
}

/// The King of the side not to move, with the terrain and the occupied cells that decide what attacks it.
#[derive(Clone, Debug, Default)]
pub struct TargetKing {
    king: Cell,
    /// The King's level.
    level: usize,
    terrain: Terrain,
    occupied: Mask,
}

impl TargetKing {
    /// Whether a piece would attack the King from an empty cell, by an action of one step.
    #[inline]
    pub fn is_attacked_by(&self, piece: PieceKind, cell: Cell) -> bool {
        let Self {
            king,
            level,
            ref terrain,
            occupied,
        } = *self;
        let near = |way: Way| way.around(king).has(cell) && terrain.takers_beside(level).has(cell);
        let far = |way: Way| {
            way.lines(king).has(cell)
                && terrain.level[level].has(cell)
                && terrain.is_line_open(between(cell, king), level, occupied)
        };
        match piece {
            PieceKind::Pawn => near(Way::X),
            PieceKind::Knight => terrain.knight_reach(king, level).has(cell),
            PieceKind::Bishop | PieceKind::GrandPawn => near(Way::X) || far(Way::X),
            PieceKind::Rook => near(Way::Cross) || far(Way::Cross),
            PieceKind::Queen => Way::BOTH.into_iter().any(|way| near(way) || far(way)),
            PieceKind::King => false,
        }
    }
}

impl Cubes4d {
    /// The King that the side to move attacks, with what decides which pieces attack it.
    #[inline]
    pub(crate) fn target_king(&self) -> TargetKing {
        let terrain = Terrain::new(self);
        let king = self.kings[(!self.side).index()];
        TargetKing {
            king,
            level: terrain.level_of(king),
            terrain,
            occupied: self.occupied(),
        }
    }

    /// The pieces that could take on a step's goal after it, by colour: the other side's, and, if there are any, those of the side that
    /// made the step. Pieces that cover their King are included.
    pub(crate) fn takers_after(&self, step: Step) -> [Mask; 2] {
        let view = View::new(self, self.side);
        let [from, to] = [step.from, step.to].map(Mask::of);
        let occupied = (view.occupied ^ from) | to;
        let level = view.terrain.level_of(step.to);
        let takers_among =
            |pieces: Mask| view.attackers::<true>(&view.terrain, step.to, level, occupied, pieces);
        let mut takers = [Mask::EMPTY; 2];
        let theirs = takers_among(view.enemy.without(to));
        if theirs.any() {
            takers[(!self.side).index()] = theirs;
            takers[self.side.index()] = takers_among(view.own.without(from));
        }
        takers
    }

    /// Whether a side's King is attacked.
    pub(super) fn is_attacked_king(&self, color: Color) -> bool {
        View::new(self, color).is_king_attacked()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::StepList;
    use crate::rules::cubes::{Action, Options};
    use crate::rules::{Notation, Rules};

    #[test]
    fn checks_of_one_step_are_seen() {
        let (mut told, mut missed, mut quiet) = (0, 0, 0);
        for text in include_str!("../../../../tests/data/cubes4d-won.txt").lines() {
            let position = Cubes4d::from_fen(text, &Options::default()).unwrap();
            let position = position.position;
            let target_king = position.target_king();
            let mut steps = StepList::new();
            position.generate(&mut steps);
            for step in steps.into_iter().filter(|s| s.action == Action::Quiet) {
                let mut next = position;
                next.play(step);
                let piece = position.kind_at(step.from).unwrap();
                quiet += 1;
                if target_king.is_attacked_by(piece, step.to) {
                    assert!(next.in_check(), "{step:?} in {text}");
                    told += 1;
                } else if next.in_check() {
                    missed += 1;
                }
            }
        }
        // By actions of several steps, and over the place that the piece leaves.
        assert!(
            told > 300 && 5 * missed < told,
            "{told} and {missed} of {quiet}"
        );
    }
}
