use super::mask::{Cell, Mask};
use super::piece::PieceKind;
use super::step::{Action, Step};
use crate::core::Color;
use crate::core::zobrist::{keys, splitmix};

/// The cubes of the game.
pub const CUBES: u32 = 36;
/// Number of opponent's turns that a lone King must survive for a draw.
pub const LONE_KING_LIMIT: u8 = 10;
/// Number of plies without a capture that draw.
pub const CLOCK_LIMIT: u16 = 200;

/// A Rook or Bishop that has not moved and the Knight beside it that has not moved either.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Pair {
    /// The Rook's or Bishop's cell.
    pub piece: Cell,
    /// The Knight's cell.
    pub knight: Cell,
}

/// A kind of piece outside the game that a Pawn can become.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Reserve {
    /// G.
    GrandPawn = 0,
    /// Q.
    Queen = 1,
}

/// A position: the height field and the pieces as bit planes over the arena, so that whole levels and whole kinds are
/// sets, and the rest of what the rules look at.
///
/// ```
/// use fauve_engine::core::Color;
/// use fauve_engine::rules::cubes::{Cell, Cubes4d, PieceKind};
/// use fauve_engine::rules::{Notation, turn_san, parse_turn};
///
/// let start = Cubes4d::named_start("startpos-left", &Default::default()).expect("it has that name");
/// let corner = Cell::from_text("e6").expect("a cell");
/// assert_eq!(start.piece_at(corner), Some((Color::White, PieceKind::Rook)));
/// assert_eq!(start.height(corner), 2);
///
/// // Moving a cube is a turn. People write it with the signed numbers of the game.
/// let turn = parse_turn(&start, "e8@f9")?;
/// assert_eq!(turn_san(&start, &turn), "\u{25a1}(-3,0,2)-(-2,1,1)");
/// # Ok::<(), fauve_engine::rules::StepError>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Cubes4d {
    /// The two binary digits of every column's height.
    pub(super) heights: [Mask; 2],
    /// The admissible trenches: follows from the heights.
    pub(super) trenches: Mask,
    /// The three binary digits of every piece's code.
    pub(super) pieces: [Mask; 3],
    /// White's pieces.
    pub(super) white: Mask,
    pub(super) key: u64,
    pub(super) turn_number: u32,
    /// Plies without capture since the position was set up; neither in the text nor in the key.
    pub(super) quiet_plies: u16,
    pub(super) side: Color,
    /// Whether Black has still to choose the side of the lateral Pawns.
    pub(super) prologue: bool,
    pub(super) kings: [Cell; 2],
    /// Castling pairs by colour: Rook and Knight, Bishop and Knight.
    pub(super) pairs: [[Option<Pair>; 2]; 2],
    /// Pieces outside the game by colour and [`Reserve`].
    pub(super) pool: [[u8; 2]; 2],
    /// The cell to which the opponent has just moved a cube.
    pub(super) last_cube: Option<Cell>,
    /// The number of opponent's turns that each lone King has survived.
    pub(super) lone: [Option<u8>; 2],
}

impl PartialEq for Cubes4d {
    /// Equal for everything that the text form shows; the counter of quiet plies is not compared.
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
            && self.heights == other.heights
            && self.pieces == other.pieces
            && self.white == other.white
            && self.turn_number == other.turn_number
            && self.side == other.side
            && self.prologue == other.prologue
            && self.pairs == other.pairs
            && self.pool == other.pool
            && self.last_cube == other.last_cube
            && self.lone == other.lone
    }
}

impl Eq for Cubes4d {}

/// One key for every cube: level * 256 + cell.
static CUBE_KEYS: [u64; 768] = keys(0x4355_4245);
/// One key for every piece: (code * 2 + colour) * 256 + cell; codes from 1.
static PIECE_KEYS: [u64; 4096] = keys(0x4d41_4e53);
static LAST_KEYS: [u64; 256] = keys(0x4c41_5354);
const SIDE_KEY: u64 = splitmix(0x5349_4445, 0);
const PROLOGUE_KEY: u64 = splitmix(0x5349_4445, 1);

#[inline(always)]
fn piece_key(color: Color, piece: PieceKind, cell: Cell) -> u64 {
    PIECE_KEYS[(piece.code() * 2 + color.index()) << 8 | cell.index()]
}

fn pair_key(color: Color, which: usize, pair: Pair) -> u64 {
    let n = (color.index() * 2 + which) << 16 | pair.piece.index() << 8 | pair.knight.index();
    splitmix(0x5041_4952, n as u64)
}

fn pool_key(color: Color, reserve: usize, count: u8) -> u64 {
    if count == 0 {
        return 0;
    }
    let n = (color.index() * 2 + reserve) << 8 | count as usize;
    splitmix(0x504f_4f4c, n as u64)
}

fn lone_key(color: Color, count: Option<u8>) -> u64 {
    count.map_or(0, |count| {
        splitmix(0x4c4f_4e45, (color.index() << 8 | count as usize) as u64)
    })
}

/// The admissible trenches of a base: cells without a cube of whose four corners at least three are corners of a cube.
#[inline(always)]
pub fn trenches_of(base: Mask) -> Mask {
    // Bit c of `corners` is the corner between c and the cells west, south and south-west of it. Cells of the last file
    // and rank need the corners that lie in the margin.
    let row = base | base.shift::<1>();
    let corners = row | row.shift::<16>();
    let (sw, se) = (corners, corners.shift::<-1>());
    let (nw, ne) = (corners.shift::<-16>(), corners.shift::<-17>());
    let three = sw & se & (nw | ne) | nw & ne & (sw | se);
    (three & Mask::ARENA).without(base)
}

impl Cubes4d {
    /// The cells of the base: those with at least one cube.
    #[inline(always)]
    pub(super) fn base(&self) -> Mask {
        self.heights[0] | self.heights[1]
    }

    /// The cells with pieces.
    #[inline(always)]
    pub(super) fn occupied(&self) -> Mask {
        self.pieces[0] | self.pieces[1] | self.pieces[2]
    }

    /// The cells with pieces of one side.
    #[inline(always)]
    pub(super) fn color(&self, color: Color) -> Mask {
        match color {
            Color::White => self.white,
            Color::Black => self.occupied().without(self.white),
        }
    }

    /// The cells of one kind of pieces, both sides.
    #[inline(always)]
    pub(super) fn kind(&self, piece: PieceKind) -> Mask {
        let code = piece.code();
        let mut set = Mask::ARENA;
        for (digit, plane) in self.pieces.iter().enumerate() {
            set &= if code >> digit & 1 == 1 {
                *plane
            } else {
                !*plane
            };
        }
        set
    }

    /// The height of a column, 0 to 3.
    #[inline(always)]
    pub fn height(&self, cell: Cell) -> u8 {
        self.heights[0].has(cell) as u8 | (self.heights[1].has(cell) as u8) << 1
    }

    /// The piece on a cell.
    #[inline(always)]
    pub fn piece_at(&self, cell: Cell) -> Option<(Color, PieceKind)> {
        let piece = self.kind_at(cell)?;
        let color = if self.white.has(cell) {
            Color::White
        } else {
            Color::Black
        };
        Some((color, piece))
    }

    #[inline(always)]
    pub(super) fn kind_at(&self, cell: Cell) -> Option<PieceKind> {
        PieceKind::from_code(
            self.pieces[0].has(cell) as usize
                | (self.pieces[1].has(cell) as usize) << 1
                | (self.pieces[2].has(cell) as usize) << 2,
        )
    }

    /// Whether a piece may stand on a cell: a column or an admissible trench.
    ///
    /// ```
    /// use fauve_engine::rules::cubes::{Cell, Cubes4d};
    /// use fauve_engine::rules::Notation;
    ///
    /// let start = Cubes4d::start(&Default::default());
    /// let [middle, outside] = ["h8", "d8"].map(|name| Cell::from_text(name).expect("a cell"));
    /// assert_eq!([start.height(middle), start.height(outside)], [0, 0]);
    /// assert!(start.is_position(middle), "a trench among cubes");
    /// assert!(!start.is_position(outside), "the table beside the cubes");
    /// ```
    pub fn is_position(&self, cell: Cell) -> bool {
        (self.base() | self.trenches).has(cell)
    }

    /// The cells of a side's pieces.
    pub fn pieces_of(&self, color: Color) -> Mask {
        self.color(color)
    }

    /// The cells of one kind of pieces, both sides.
    pub fn pieces_of_kind(&self, piece: PieceKind) -> Mask {
        self.kind(piece)
    }

    /// The binary digits of the heights: columns of 1 and 3 cubes, columns of 2 and 3 cubes.
    pub const fn height_digits(&self) -> [Mask; 2] {
        self.heights
    }

    /// The binary digits of the codes of the pieces ([`PieceKind::code`]).
    pub const fn piece_digits(&self) -> [Mask; 3] {
        self.pieces
    }

    /// The columns with cubes on all four sides.
    pub fn inner_base(&self) -> Mask {
        let base = self.base();
        base & base.shift::<1>() & base.shift::<-1>() & base.shift::<16>() & base.shift::<-16>()
    }

    /// Returns the number of pieces of a kind that a side has outside the game.
    pub const fn pool(&self, color: Color, reserve: Reserve) -> u8 {
        self.pool[color.index()][reserve as usize]
    }

    /// Returns the number of opponent's turns that a side's lone King has survived; `None` if the King is not alone.
    pub const fn lone_count(&self, color: Color) -> Option<u8> {
        self.lone[color.index()]
    }

    /// Returns the number of opponent's turns that lone Kings have survived, by colour.
    pub const fn lone_counts(&self) -> [Option<u8>; 2] {
        self.lone
    }

    /// Returns the cell of a side's King.
    pub const fn king(&self, color: Color) -> Cell {
        self.kings[color.index()]
    }

    /// Returns by colour whether the Rook and its Knight, and the Bishop and its Knight, may still castle.
    pub fn castling_rights(&self) -> [[bool; 2]; 2] {
        self.pairs.map(|pairs| pairs.map(|pair| pair.is_some()))
    }

    /// Plies without capture since the position was set up.
    pub const fn quiet_plies(&self) -> u16 {
        self.quiet_plies
    }

    /// Whether Black has still to choose the side of the lateral Pawns.
    pub const fn is_prologue(&self) -> bool {
        self.prologue
    }

    /// The column of the cube that the opponent has just moved.
    pub const fn last_cube(&self) -> Option<Cell> {
        self.last_cube
    }

    /// Adds a piece to a free cell or removes it from its cell, in the planes only.
    #[inline(always)]
    pub(super) fn flip_piece(&mut self, color: Color, piece: PieceKind, cell: Cell) {
        for (digit, plane) in self.pieces.iter_mut().enumerate() {
            if piece.code() >> digit & 1 == 1 {
                plane.toggle(cell);
            }
        }
        if color == Color::White {
            self.white.toggle(cell);
        }
    }

    #[inline(always)]
    fn place(&mut self, color: Color, piece: PieceKind, cell: Cell) {
        self.flip_piece(color, piece, cell);
        self.key ^= piece_key(color, piece, cell);
    }

    /// Moves the top cube of one column onto another, in the planes only.
    #[inline(always)]
    pub(super) fn flip_cube(&mut self, from: Cell, to: Cell) {
        self.heights = self.heights_after(from, to);
        self.trenches = trenches_of(self.base());
    }

    /// The binary digits of the heights after the top cube of one column has moved onto another.
    #[inline(always)]
    pub(super) fn heights_after(&self, from: Cell, to: Cell) -> [Mask; 2] {
        let [mut low, mut high] = self.heights;
        let [from, to] = [from, to].map(Mask::of);
        // Taking one away borrows from the higher digit, adding one carries into it.
        high ^= from.without(low);
        low ^= from;
        high ^= to & low;
        low ^= to;
        [low, high]
    }

    /// Makes a step.
    pub(super) fn make(&mut self, step: Step) {
        if step.action == Action::Choose {
            self.choose(step.to);
            return;
        }
        let side = self.side;
        let us = side.index();
        let Step { from, to, action } = step;
        if let Some(cell) = self.last_cube.take() {
            self.key ^= LAST_KEYS[cell.index()];
        }
        self.quiet_plies = self.quiet_plies.saturating_add(1);
        if let Some(count) = self.lone[1 - us] {
            self.set_lone(!side, Some(LONE_KING_LIMIT.min(count + 1)));
        }
        match action {
            Action::Cube => {
                let (a, b) = (self.height(from) as usize, self.height(to) as usize);
                // The key of a column is that of its cubes, one for each level.
                self.key ^= CUBE_KEYS[(a.wrapping_sub(1) & 3) << 8 | from.index()]
                    ^ CUBE_KEYS[(b & 3) << 8 | to.index()];
                self.flip_cube(from, to);
                self.last_cube = Some(to);
                self.key ^= LAST_KEYS[to.index()];
            }
            Action::Castle => {
                if let Some(piece) = self.kind_at(from) {
                    self.place(side, piece, from);
                    self.place(side, PieceKind::Knight, to);
                    self.place(side, PieceKind::Knight, from);
                    self.place(side, piece, to);
                }
                self.drop_pairs(side, |_| true);
            }
            _ => {
                if step.is_capture()
                    && let Some(victim) = self.kind_at(to)
                {
                    self.place(!side, victim, to);
                    self.capture(!side, victim, to);
                }
                if let Some(piece) = self.kind_at(from) {
                    self.place(side, piece, from);
                    let arrives = match action {
                        Action::PromoteQueen => PieceKind::Queen,
                        Action::PromoteGrandPawn => PieceKind::GrandPawn,
                        _ => piece,
                    };
                    self.place(side, arrives, to);
                    if piece == PieceKind::King {
                        self.kings[us] = to;
                    }
                }
                match action {
                    Action::PromoteQueen => self.change_pool(side, Reserve::Queen, -1),
                    Action::PromoteGrandPawn => self.change_pool(side, Reserve::GrandPawn, -1),
                    _ => {}
                }
                self.drop_pairs(side, |pair| pair.piece == from || pair.knight == from);
            }
        }
        self.turn_number = self.turn_number.saturating_add(us as u32);
        self.side = !side;
        self.key ^= SIDE_KEY;
    }

    /// The consequences of the loss of a piece that is already off the board.
    fn capture(&mut self, loser: Color, victim: PieceKind, at: Cell) {
        self.quiet_plies = 0;
        match victim {
            PieceKind::Queen => self.change_pool(loser, Reserve::Queen, 1),
            PieceKind::GrandPawn => self.change_pool(loser, Reserve::GrandPawn, 1),
            _ => {}
        }
        self.drop_pairs(loser, |pair| pair.piece == at || pair.knight == at);
        if self.lone[loser.index()].is_none() && self.color(loser).len() == 1 {
            self.set_lone(loser, Some(0));
        }
    }

    /// Puts the lateral Pawns on the file of `cell` and makes White the side to move.
    fn choose(&mut self, cell: Cell) {
        self.place(Color::White, PieceKind::Pawn, cell);
        self.place(Color::Black, PieceKind::Pawn, Cell::new(cell.file(), 8));
        self.prologue = false;
        self.side = Color::White;
        self.key ^= PROLOGUE_KEY ^ SIDE_KEY;
    }

    #[inline(always)]
    fn drop_pairs(&mut self, color: Color, lost: impl Fn(&Pair) -> bool) {
        for which in 0..2 {
            if let Some(pair) = self.pairs[color.index()][which]
                && lost(&pair)
            {
                self.key ^= pair_key(color, which, pair);
                self.pairs[color.index()][which] = None;
            }
        }
    }

    fn change_pool(&mut self, color: Color, reserve: Reserve, by: i8) {
        let count = &mut self.pool[color.index()][reserve as usize];
        self.key ^= pool_key(color, reserve as usize, *count);
        *count = count.saturating_add_signed(by);
        self.key ^= pool_key(color, reserve as usize, *count);
    }

    fn set_lone(&mut self, color: Color, count: Option<u8>) {
        self.key ^= lone_key(color, self.lone[color.index()]) ^ lone_key(color, count);
        self.lone[color.index()] = count;
    }

    /// Returns the same position without a piece (not a King), which is not added to the pieces outside the game.
    pub(crate) fn without(&self, cell: Cell) -> Self {
        let mut next = *self;
        if let Some((owner, piece)) = next.piece_at(cell) {
            next.place(owner, piece, cell);
            next.drop_pairs(owner, |pair| pair.piece == cell || pair.knight == cell);
            if next.color(owner).len() == 1 {
                next.set_lone(owner, Some(0));
            }
        }
        next
    }

    /// Returns the position after a null move. The side to move must not be in check.
    pub(super) fn after_null_move(&self) -> Self {
        let mut next = *self;
        if let Some(cell) = next.last_cube.take() {
            next.key ^= LAST_KEYS[cell.index()];
        }
        next.quiet_plies = next.quiet_plies.saturating_add(1);
        next.turn_number = next.turn_number.saturating_add(next.side.index() as u32);
        next.side = !next.side;
        next.key ^= SIDE_KEY;
        next
    }

    /// Computes the key from scratch.
    pub(super) fn full_key(&self) -> u64 {
        let mut key = 0;
        for cell in self.base() {
            for level in 0..self.height(cell) as usize {
                key ^= CUBE_KEYS[level << 8 | cell.index()];
            }
        }
        for cell in self.occupied() {
            if let Some((color, piece)) = self.piece_at(cell) {
                key ^= piece_key(color, piece, cell);
            }
        }
        for color in Color::ALL {
            for which in 0..2 {
                if let Some(pair) = self.pairs[color.index()][which] {
                    key ^= pair_key(color, which, pair);
                }
                key ^= pool_key(color, which, self.pool[color.index()][which]);
            }
            key ^= lone_key(color, self.lone[color.index()]);
        }
        if let Some(cell) = self.last_cube {
            key ^= LAST_KEYS[cell.index()];
        }
        if self.side == Color::Black {
            key ^= SIDE_KEY;
        }
        if self.prologue {
            key ^= PROLOGUE_KEY;
        }
        key
    }
}
