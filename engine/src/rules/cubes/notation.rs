use super::Options;
use super::fen::{LEFT, PROLOGUE, RIGHT};
use super::mask::Cell;
use super::piece::PieceKind;
use super::position::Cubes4d;
use super::step::{Action, Step};
use crate::rules::{Diagram, FenError, Notation, Parsed, Rules, Spot};
use std::fmt::Write;

fn side_name(step: Step) -> &'static str {
    if step.to.signed().0 < 0 {
        "left"
    } else {
        "right"
    }
}

impl Cubes4d {
    fn piece_letter(&self, cell: Cell) -> char {
        self.kind_at(cell).map_or('?', PieceKind::letter)
    }

    /// The signed label of a cell with its level, `(-2,0,1)`: file, rank and height, as the printed rules name a place.
    fn label(&self, cell: Cell) -> String {
        let (file, rank) = cell.signed();
        format!("({file},{rank},{})", self.height(cell))
    }
}

impl Notation for Cubes4d {
    const RULES: &'static str = include_str!("rules.md");
    const START: &'static str = PROLOGUE;

    fn start(options: &Options) -> Self {
        let text = if options.prologue { PROLOGUE } else { RIGHT };
        Self::parse(text, *options)
            .expect("the start position is well formed")
            .position
    }

    fn named_start(name: &str, options: &Options) -> Option<Self> {
        (name == "startpos-left").then(|| {
            Self::parse(LEFT, *options)
                .expect("the start position is well formed")
                .position
        })
    }

    fn from_fen(fen: &str, options: &Options) -> Result<Parsed<Self>, FenError> {
        Self::parse(fen, *options)
    }

    /// The position string; `from_fen` reads it back to an equal position unless, in a custom position, a Knight outside a castling
    /// pair stands beside the pair's Rook or Bishop where the letter would mean that Knight.
    fn fen(&self) -> String {
        self.text()
    }

    fn step_token(&self, step: Step) -> String {
        let Step { from, to, action } = step;
        match action {
            Action::Choose => side_name(step).to_owned(),
            Action::Cube => format!("{from}@{to}"),
            Action::PromoteQueen => format!("{from}{to}q"),
            Action::PromoteGrandPawn => format!("{from}{to}g"),
            Action::Quiet | Action::Capture | Action::Castle => format!("{from}{to}"),
        }
    }

    fn accepts(&self, step: Step, token: &str) -> bool {
        self.step_token(step).eq_ignore_ascii_case(token)
    }

    fn step_san(&self, step: Step) -> String {
        let (from, to) = (self.label(step.from), self.label(step.to));
        let piece = self.piece_letter(step.from);
        let mut text = match step.action {
            Action::Choose => return side_name(step).to_owned(),
            Action::Quiet => format!("{piece}{from}-{to}"),
            Action::Capture => format!("{piece}{from}x{to}"),
            Action::PromoteQueen => format!("{piece}{from}x{to}=Q"),
            Action::PromoteGrandPawn => format!("{piece}{from}x{to}=G"),
            Action::Castle => format!("{piece}{from}\u{2194}N{to}"),
            Action::Cube => format!("\u{25a1}{from}-{to}"),
        };
        let mut next = *self;
        next.play(step);
        if next.in_check() {
            text.push(if next.has_turn() { '+' } else { '#' });
        }
        text
    }

    fn board_drawing(&self) -> String {
        let mut text = String::new();
        self.write_board(&mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn diagram(&self) -> Diagram {
        let [x0, x1, y0, y1] = self.base().bounds().unwrap_or_default();
        let row = |rank| {
            (x0..=x1)
                .map(|file| self.spot(Cell::new(file, rank)))
                .collect()
        };
        Diagram {
            files: (x0..=x1)
                .map(|file| ((b'a' + file) as char).to_string())
                .collect(),
            ranks: (y0..=y1).rev().map(|rank| (rank + 1).to_string()).collect(),
            rows: (y0..=y1).rev().map(row).collect(),
            counted: Some([
                (x0..=x1)
                    .map(|file| Cell::new(file, 0).signed().0)
                    .collect(),
                (y0..=y1)
                    .rev()
                    .map(|rank| Cell::new(0, rank).signed().1)
                    .collect(),
            ]),
        }
    }

    fn board_notes(&self) -> String {
        let mut text = String::new();
        self.write_notes(&mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn game_ply(&self) -> u64 {
        if self.prologue {
            return 0;
        }
        (self.turn_number as u64).saturating_sub(1) * 2 + self.side.index() as u64
    }
}

impl Cubes4d {
    fn spot(&self, cell: Cell) -> Spot {
        let ground = match self.height(cell) {
            0 if self.is_position(cell) => 'o',
            0 => '.',
            height => (b'0' + height) as char,
        };
        let piece =
            (self.piece_at(cell)).map(|(color, piece)| (color, color.fen_char(piece.letter())));
        Spot {
            name: cell.to_string(),
            ground: Some(ground),
            piece,
            is_promoted: false,
        }
    }

    /// Heights with pieces, `o` for a trench, and both kinds of labels: signed ones outside, the tokens' inside.
    fn write_board(&self, text: &mut String) -> std::fmt::Result {
        let [x0, x1, y0, y1] = self.base().bounds().unwrap_or_default();
        let signed = |text: &mut String| {
            text.push_str("        ");
            for file in x0..=x1 {
                write!(text, "{:>4}", Cell::new(file, 0).signed().0)?;
            }
            text.write_char('\n')
        };
        let letters = |text: &mut String| {
            text.push_str("        ");
            for file in x0..=x1 {
                write!(text, "{:>4}", (b'a' + file) as char)?;
            }
            text.write_char('\n')
        };
        signed(text)?;
        letters(text)?;
        for rank in (y0..=y1).rev() {
            write!(text, "{:>4}{:>4}", Cell::new(0, rank).signed().1, rank + 1)?;
            for file in x0..=x1 {
                let spot = self.spot(Cell::new(file, rank));
                let ground = spot.ground.unwrap_or('.');
                let piece = spot.piece.map_or(' ', |(_, letter)| letter);
                write!(text, "  {ground}{piece}")?;
            }
            writeln!(
                text,
                "  {:>4}{:>4}",
                rank + 1,
                Cell::new(0, rank).signed().1
            )?;
        }
        letters(text)?;
        signed(text)?;
        text.truncate(text.trim_end().len());
        Ok(())
    }

    /// The side to move, and what the board does not show.
    fn write_notes(&self, text: &mut String) -> std::fmt::Result {
        write!(
            text,
            "\n{} to move, turn {}; castling {}; outside the game {}",
            self.side.name(),
            self.turn_number,
            self.castling_text(),
            self.pool_text()
        )?;
        if let Some(cell) = self.last_cube {
            write!(text, "; cube moved last {cell} {}", self.label(cell))?;
        }
        if self.lone != [None; 2] {
            write!(text, "; lone King {}", self.lone_text())?;
        }
        if self.prologue {
            text.push_str("; Black chooses the side of the lateral Pawns: left or right");
        }
        Ok(())
    }
}
