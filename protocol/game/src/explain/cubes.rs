//! Cubes 4D: explanations of illegal moves of pieces and cubes.

use super::Explain;
use fauve_engine::rules::cubes::{Cell, CubeFault, Cubes4d, PieceKind};
use fauve_engine::rules::{Rules, legal_steps};

impl Explain for Cubes4d {
    fn explain(&self, from: &str, to: &str) -> String {
        if self.is_prologue() {
            return "First Black chooses the side of the lateral Pawns: left or right.".to_owned();
        }
        let (Some(from), Some(to)) = (Cell::from_text(from), Cell::from_text(to)) else {
            return "Cubes may not leave the table of 15 x 15 cells.".to_owned();
        };
        match self.piece_at(from) {
            Some((color, piece)) if color != self.side_to_move() => format!(
                "The {} on {from} is {}'s, and {} is to move.",
                name(piece),
                color.name(),
                self.side_to_move().name()
            ),
            Some((_, piece)) => why_not_piece(self, piece, from, to),
            None => why_not_cube(self, from, to),
        }
    }

    fn why_check(&self) -> Option<String> {
        let attackers = attackers(self);
        (!attackers.is_empty()).then(|| format!("from {}", names(&attackers)))
    }
}

fn why_not_piece(position: &Cubes4d, piece: PieceKind, from: Cell, to: Cell) -> String {
    if position
        .piece_at(to)
        .is_some_and(|(color, _)| color == position.side_to_move())
    {
        return format!("Your own piece is on {to}.");
    }
    if position.reach(from).has(to) {
        let attackers = names(&attackers(position));
        return if position.in_check() {
            format!("The King is in check (from {attackers}), and this does not parry it.")
        } else {
            "After this move the King would be in check.".to_owned()
        };
    }
    if !position.is_position(to) {
        return if position.height(to) == 0 {
            format!(
                "No piece can stand on {to}: a cell without cubes is a trench only if at least three of its four corners are \
                 corners of cubes."
            )
        } else {
            habit(piece).to_owned()
        };
    }
    let (low, high) = (position.height(from), position.height(to));
    let enemy = position.piece_at(to).is_some();
    let (across, along) = (
        from.file().abs_diff(to.file()),
        from.rank().abs_diff(to.rank()),
    );
    let is_near = across.max(along) == 1;
    if enemy && piece != PieceKind::Knight && high > low && low > 0 {
        return format!(
            "Only a Knight captures upwards, except out of a trench: {to} is at level {high}, {from} at level {low}."
        );
    }
    if is_near && piece != PieceKind::Knight && high.abs_diff(low) > 1 {
        return format!(
            "A step goes at most one level up or down, not from level {low} to level {high}."
        );
    }
    habit(piece).to_owned()
}

fn why_not_cube(position: &Cubes4d, from: Cell, to: Cell) -> String {
    match position.cube_fault(from, to) {
        Some(CubeFault::NoCube) => format!("There is neither a piece nor a cube on {from}."),
        Some(CubeFault::Piece) => {
            "A cube moves from a column without a piece to a place without a piece.".to_owned()
        }
        Some(CubeFault::Place) => format!(
            "A cube keeps its colour: from a column of {h} it goes diagonally to a place of height {d}, straight to one \
             of height {h}{down}, and no column exceeds three.",
            h = position.height(from),
            d = position.height(from) - 1,
            down = match position.height(from) {
                3 => " or 1".to_owned(),
                2 => " or 0".to_owned(),
                _ => String::new(),
            }
        ),
        Some(CubeFault::Base) => {
            "The cubes on the table must stay connected, by sides or corners.".to_owned()
        }
        Some(CubeFault::Trench) => {
            "A piece would lose the trench that it is in: three corners of a trench must be corners of cubes.".to_owned()
        }
        Some(CubeFault::Check) => "After this the King would be in check.".to_owned(),
        Some(CubeFault::JustMoved) => {
            "The opponent has just moved this cube; it may not move for one turn.".to_owned()
        }
        Some(CubeFault::NoWay) => {
            "A cube move must open a way: one of your pieces, not the King, must be able to go to a place that it creates."
                .to_owned()
        }
        None if legal_steps(position).is_empty() => "The game is over.".to_owned(),
        None => "This is not a legal turn.".to_owned(),
    }
}

/// The cells of the pieces that give check to the side to move.
pub fn attackers(position: &Cubes4d) -> Vec<Cell> {
    position.checkers().into_iter().collect()
}

fn names(cells: &[Cell]) -> String {
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

const fn name(piece: PieceKind) -> &'static str {
    match piece {
        PieceKind::Pawn => "Pawn",
        PieceKind::Knight => "Knight",
        PieceKind::Bishop => "Bishop",
        PieceKind::Rook => "Rook",
        PieceKind::GrandPawn => "Grand Pawn",
        PieceKind::Queen => "Queen",
        PieceKind::King => "King",
    }
}

const fn habit(piece: PieceKind) -> &'static str {
    match piece {
        PieceKind::Pawn => {
            "A Pawn goes one step straight (Cross) and captures one step diagonally (X), at most one level up or down."
        }
        PieceKind::Knight => {
            "A Knight leaps two cells straight and one aside on its level, two straight and one level up or down, or one \
             straight and two levels."
        }
        PieceKind::Bishop => {
            "A Bishop goes diagonally (X): a step, a level line, a bridge over lower cells, or stairs."
        }
        PieceKind::Rook => {
            "A Rook goes straight (Cross): a step, a level line, a bridge over lower cells, or stairs."
        }
        PieceKind::GrandPawn => {
            "A Grand Pawn goes straight (Cross) and captures diagonally (X): a step, a level line, a bridge, or stairs."
        }
        PieceKind::Queen => {
            "A Queen goes straight or diagonally: a step, a level line, a bridge over lower cells, or stairs of one type."
        }
        PieceKind::King => "The King goes one step in any direction, at most one level up or down.",
    }
}
