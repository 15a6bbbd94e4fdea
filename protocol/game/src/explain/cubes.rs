//! Cubes 4D: why a try of a piece or a cube is not legal.

use super::Explain;
use fauve_engine::rules::cubes::{Cell, CubeFault, Man, Position};
use fauve_engine::rules::{Rules, legal_steps};

impl Explain for Position {
    fn why(&self, from: &str, to: &str) -> String {
        if self.is_prologue() {
            return "First Black chooses the side of the lateral Pawns: left or right.".to_owned();
        }
        let (Some(from), Some(to)) = (Cell::from_text(from), Cell::from_text(to)) else {
            return "Cubes may not leave the table of 15 x 15 cells.".to_owned();
        };
        match self.man_at(from) {
            Some((color, man)) if color != self.side_to_move() => format!(
                "The {} on {from} is {}'s, and {} is to move.",
                name(man),
                color.name(),
                self.side_to_move().name()
            ),
            Some((_, man)) => why_not_man(self, man, from, to),
            None => why_not_cube(self, from, to),
        }
    }

    fn why_check(&self) -> Option<String> {
        let attackers = attackers(self);
        (!attackers.is_empty()).then(|| format!("from {}", names(&attackers)))
    }
}

fn why_not_man(position: &Position, man: Man, from: Cell, to: Cell) -> String {
    if position
        .man_at(to)
        .is_some_and(|(color, _)| color == position.side_to_move())
    {
        return format!("Own men are not captured: {to} holds your own man.");
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
                "Nobody can stand on {to}: a cell without cubes is a trench only if three of its four corners are \
                 corners of cubes."
            )
        } else {
            habit(man).to_owned()
        };
    }
    let (low, high) = (position.height(from), position.height(to));
    let enemy = position.man_at(to).is_some();
    let (across, along) = (
        from.file().abs_diff(to.file()),
        from.rank().abs_diff(to.rank()),
    );
    let is_near = across.max(along) == 1;
    if enemy && man != Man::Knight && high > low && low > 0 {
        return format!(
            "No man but the Knight captures upwards, except out of a trench: {to} has level {high}, {from} level {low}."
        );
    }
    if is_near && man != Man::Knight && high.abs_diff(low) > 1 {
        return format!(
            "One step goes one level up or down at most: from level {low} to level {high} it is {}.",
            high.abs_diff(low)
        );
    }
    habit(man).to_owned()
}

fn why_not_cube(position: &Position, from: Cell, to: Cell) -> String {
    match position.cube_fault(from, to) {
        Some(CubeFault::NoCube) => format!("There is neither a man nor a cube on {from}."),
        Some(CubeFault::Man) => {
            "A cube is moved from a column without a man to a place without a man.".to_owned()
        }
        Some(CubeFault::Place) => format!(
            "A cube keeps its colour: from a column of {h} it goes diagonally to a place with {d}, straight to one \
             with {h}{down}, and no column grows above three.",
            h = position.height(from),
            d = position.height(from) - 1,
            down = match position.height(from) {
                3 => " less two, which is 1".to_owned(),
                2 => " or with none".to_owned(),
                _ => String::new(),
            }
        ),
        Some(CubeFault::Base) => {
            "The cubes on the table have to hang together, straight or by corners.".to_owned()
        }
        Some(CubeFault::Trench) => {
            "A man would lose the trench in which he stands: three of its corners have to be corners of cubes.".to_owned()
        }
        Some(CubeFault::Check) => "After this the King would be in check.".to_owned(),
        Some(CubeFault::JustMoved) => {
            "The opponent has just moved this cube: it rests for one turn.".to_owned()
        }
        Some(CubeFault::NoWay) => {
            "A cube has to make a way: one of your men, not the King, must be able to go to a place that the move makes."
                .to_owned()
        }
        None if legal_steps(position).is_empty() => "The game is over.".to_owned(),
        None => "This is not a legal turn.".to_owned(),
    }
}

/// The cells of the men that give check to the side to move.
pub fn attackers(position: &Position) -> Vec<Cell> {
    position.checkers().into_iter().collect()
}

fn names(cells: &[Cell]) -> String {
    let names: Vec<String> = cells.iter().map(ToString::to_string).collect();
    names.join(" and ")
}

const fn name(man: Man) -> &'static str {
    match man {
        Man::Pawn => "Pawn",
        Man::Knight => "Knight",
        Man::Bishop => "Bishop",
        Man::Rook => "Rook",
        Man::GrandPawn => "Grand Pawn",
        Man::Queen => "Queen",
        Man::King => "King",
    }
}

const fn habit(man: Man) -> &'static str {
    match man {
        Man::Pawn => {
            "A Pawn goes one step straight (Cross) and captures one step diagonally (X), at most one level up or down."
        }
        Man::Knight => {
            "A Knight leaps two cells straight and one aside on his level, two straight and one level up or down, or one \
             straight and two levels."
        }
        Man::Bishop => {
            "A Bishop goes diagonally (X): a step, a level line, a bridge over lower cells, or stairs."
        }
        Man::Rook => {
            "A Rook goes straight (Cross): a step, a level line, a bridge over lower cells, or stairs."
        }
        Man::GrandPawn => {
            "A Grand Pawn goes straight (Cross) and captures diagonally (X): a step, a level line, a bridge, or stairs."
        }
        Man::Queen => {
            "A Queen goes straight or diagonally: a step, a level line, a bridge over lower cells, or stairs of one type."
        }
        Man::King => "The King goes one step in any direction, at most one level up or down.",
    }
}
