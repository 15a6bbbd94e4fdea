use super::Options;
use super::mask::{Cell, Mask, SIDE};
use super::piece::PieceKind;
use super::position::{CUBES, Cubes4d, LONE_KING_LIMIT, Pair, Reserve, trenches_of};
use crate::core::Color;
use crate::rules::placement::{read_side, read_turn_number, unknown_word, unreadable};
use crate::rules::{FenError, Field, Parsed, Problem};
use std::fmt::Write;

/// Black chooses the side of the lateral Pawns.
pub(super) const PROLOGUE: &str =
    "e10:2r1n1q1k1g1n2b/011p1p1p10/2110112/011P1P1P10/2R1N1Q1K1G1N2B b RBrb Gg - - 1 pre";
/// The lateral Pawns on White's right hand, file k.
pub(super) const RIGHT: &str =
    "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1";
/// The lateral Pawns on White's left hand, file e.
pub(super) const LEFT: &str =
    "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1";

/// The pool's letters in their order, by colour.
const POOL: [(Color, Reserve, PieceKind); 4] = [
    (Color::White, Reserve::GrandPawn, PieceKind::GrandPawn),
    (Color::White, Reserve::Queen, PieceKind::Queen),
    (Color::Black, Reserve::GrandPawn, PieceKind::GrandPawn),
    (Color::Black, Reserve::Queen, PieceKind::Queen),
];

/// The pieces that lead a castling pair, in the order in which a position keeps them.
pub(super) const LEADERS: [PieceKind; 2] = [PieceKind::Rook, PieceKind::Bishop];

/// The most pieces of a sort in a pool; more could not be counted when the board's pieces join them.
const POOL_LIMIT: u8 = 30;

const fn contradiction(field: Field, how: &'static str) -> FenError {
    FenError::new(field, Problem::Contradiction(how))
}

impl Cubes4d {
    fn empty() -> Self {
        Self {
            heights: [Mask::EMPTY; 2],
            trenches: Mask::EMPTY,
            pieces: [Mask::EMPTY; 3],
            white: Mask::EMPTY,
            key: 0,
            turn_number: 1,
            quiet_plies: 0,
            side: Color::White,
            prologue: false,
            kings: [Cell::default(); 2],
            pairs: [[None; 2]; 2],
            pool: [[0; 2]; 2],
            last_cube: None,
            lone: [None; 2],
        }
    }

    /// The same position with the colours exchanged and the board upside down. The prologue has no other side.
    pub(super) fn flipped_over(&self) -> Option<Self> {
        if self.prologue {
            return None;
        }
        let cell = |cell: Cell| Cell::new(cell.file(), SIDE - 1 - cell.rank());
        let set = |mask: Mask| {
            let mut flipped = Mask::EMPTY;
            mask.into_iter().for_each(|from| flipped.insert(cell(from)));
            flipped
        };
        let pair = |pair: Pair| Pair {
            piece: cell(pair.piece),
            knight: cell(pair.knight),
        };
        let swap = |[white, black]: [[Option<Pair>; 2]; 2]| {
            [black, white].map(|pairs| pairs.map(|held| held.map(pair)))
        };
        let mut flipped = Self {
            heights: self.heights.map(set),
            pieces: self.pieces.map(set),
            white: set(self.color(Color::Black)),
            side: !self.side,
            kings: [cell(self.kings[1]), cell(self.kings[0])],
            pairs: swap(self.pairs),
            pool: [self.pool[1], self.pool[0]],
            last_cube: self.last_cube.map(cell),
            lone: [self.lone[1], self.lone[0]],
            ..*self
        };
        flipped.trenches = trenches_of(flipped.base());
        flipped.key = flipped.full_key();
        Some(flipped)
    }

    pub(super) fn parse(text: &str, options: Options) -> Result<Parsed<Self>, FenError> {
        let mut warnings = Vec::new();
        let mut words: Vec<&str> = text.split_whitespace().collect();
        let before = words.len();
        words.retain(|&word| word != "pre");
        let prologue = words.len() < before;
        if let Some(word) = words.get(7) {
            return Err(FenError::new(Field::Position, unknown_word(word)));
        }
        let word = |i: usize| words.get(i).copied();
        let optional = |i: usize| word(i).filter(|&word| word != "-");
        let board = word(0).ok_or_else(|| FenError::new(Field::Board, Problem::Missing))?;

        let mut position = Self::empty();
        position.read_board(board)?;
        position.side = read_side(word(1))?;
        if let Some(pool) = optional(3) {
            position.read_pool(pool)?;
        }
        position.check_pieces(options)?;
        if let Some(castling) = optional(2) {
            position.read_castling(castling)?;
        }
        if let Some(cell) = optional(4) {
            position.read_last_cube(cell)?;
        }
        position.read_lone_counts(optional(5))?;
        position.turn_number = read_turn_number(word(6), &mut warnings)?;
        position.prologue = prologue;
        position.key = position.full_key();
        if prologue && position.text() != PROLOGUE {
            return Err(contradiction(
                Field::Prologue,
                "'pre' is valid only in the start position without lateral Pawns",
            ));
        }
        if position.is_attacked_king(!position.side) {
            return Err(FenError::new(Field::Position, Problem::OpponentInCheck));
        }
        Ok(Parsed::with_warnings(position, warnings))
    }

    fn read_board(&mut self, text: &str) -> Result<(), FenError> {
        let (origin, rows) = text
            .split_once(':')
            .ok_or_else(|| unreadable(Field::Board, text))?;
        let origin = Cell::from_text(origin).ok_or_else(|| unreadable(Field::Board, origin))?;
        let ranks = rows.split('/').count();
        if ranks > SIDE as usize {
            return Err(FenError::new(Field::Board, Problem::RankCount(ranks)));
        }
        if ranks > origin.rank() as usize + 1 {
            return Err(contradiction(
                Field::Board,
                "the ranks do not fit into the arena",
            ));
        }
        let mut width = None;
        for (row, text) in rows.split('/').enumerate() {
            let rank = origin.rank() - row as u8;
            let squares = self.read_rank(text, origin.file(), rank)?;
            if squares == 0 || *width.get_or_insert(squares) != squares {
                let rank = row + 1;
                return Err(FenError::new(
                    Field::Board,
                    Problem::RankLength { rank, squares },
                ));
            }
        }
        self.trenches = trenches_of(self.base());
        Ok(())
    }

    /// Reads one rank, starting at a file, and returns its number of cells.
    fn read_rank(&mut self, text: &str, first: u8, rank: u8) -> Result<usize, FenError> {
        let mut cells = 0;
        let mut letters = text.chars().peekable();
        while let Some(letter) = letters.next() {
            let height = match letter {
                '0'..='3' => letter as u8 - b'0',
                '4'..='9' => {
                    return Err(contradiction(
                        Field::Board,
                        "a column has more than 3 cubes",
                    ));
                }
                _ => return Err(FenError::new(Field::Board, Problem::UnknownLetter(letter))),
            };
            if first as usize + cells >= SIDE as usize {
                return Err(contradiction(
                    Field::Board,
                    "the files do not fit into the arena",
                ));
            }
            let cell = Cell::new(first + cells as u8, rank);
            cells += 1;
            for (digit, plane) in self.heights.iter_mut().enumerate() {
                if height >> digit & 1 == 1 {
                    plane.insert(cell);
                }
            }
            if let Some(letter) = letters.next_if(|letter| !letter.is_ascii_digit()) {
                let piece = PieceKind::from_letter(letter)
                    .ok_or(FenError::new(Field::Board, Problem::UnknownLetter(letter)))?;
                self.flip_piece(Color::of_case(letter), piece, cell);
            }
        }
        Ok(cells)
    }

    fn read_pool(&mut self, text: &str) -> Result<(), FenError> {
        for letter in text.chars() {
            let reserve = match letter {
                'G' | 'g' => Reserve::GrandPawn,
                'Q' | 'q' => Reserve::Queen,
                _ => return Err(FenError::new(Field::Pool, Problem::UnknownLetter(letter))),
            };
            let color = Color::of_case(letter);
            let count = &mut self.pool[color.index()][reserve as usize];
            if *count >= POOL_LIMIT {
                let problem = Problem::TooMany(color, "pieces outside the game");
                return Err(FenError::new(Field::Pool, problem));
            }
            *count += 1;
        }
        Ok(())
    }

    /// What the pieces and the cubes have to satisfy.
    fn check_pieces(&mut self, options: Options) -> Result<(), FenError> {
        let cubes = self.heights[0].len() + 2 * self.heights[1].len();
        if cubes != CUBES {
            return Err(contradiction(
                Field::Board,
                "the board does not have 36 cubes",
            ));
        }
        if !self.base().is_connected() {
            return Err(contradiction(Field::Board, "the base is not connected"));
        }
        for color in Color::ALL {
            let pieces = |piece| self.kind(piece) & self.color(color);
            let kings = pieces(PieceKind::King);
            if kings.len() != 1 {
                return Err(FenError::new(
                    Field::Board,
                    Problem::Kings(color, kings.len()),
                ));
            }
            if !options.free_material {
                let pool = |reserve| self.pool(color, reserve) as u32;
                if pieces(PieceKind::Queen).len() + pool(Reserve::Queen) > 1 {
                    return Err(FenError::new(
                        Field::Pool,
                        Problem::TooMany(color, "Queens"),
                    ));
                }
                if pieces(PieceKind::GrandPawn).len() + pool(Reserve::GrandPawn) > 2 {
                    let problem = Problem::TooMany(color, "Grand Pawns");
                    return Err(FenError::new(Field::Pool, problem));
                }
            }
        }
        for color in Color::ALL {
            let king = self.kind(PieceKind::King) & self.color(color);
            self.kings[color.index()] = king.first();
        }
        if !self.occupied().is_within(self.base() | self.trenches) {
            return Err(contradiction(
                Field::Board,
                "a piece stands neither on a cube nor in an admissible trench",
            ));
        }
        Ok(())
    }

    fn read_castling(&mut self, text: &str) -> Result<(), FenError> {
        for letter in text.chars() {
            let color = Color::of_case(letter);
            let which = LEADERS
                .into_iter()
                .position(|piece| piece.letter() == letter.to_ascii_uppercase())
                .ok_or(FenError::new(
                    Field::Castling,
                    Problem::UnknownLetter(letter),
                ))?;
            if self.pairs[color.index()][which].is_some() {
                return Err(unreadable(Field::Castling, text));
            }
            let pair = self.find_pair(color, which)?;
            self.pairs[color.index()][which] = Some(pair);
        }
        Ok(())
    }

    /// The pair that a castling letter means: of two Knights beside the Rook or Bishop the one nearer the middle file, then
    /// the one on its rank.
    fn find_pair(&self, color: Color, which: usize) -> Result<Pair, FenError> {
        let leaders = self.kind(LEADERS[which]) & self.color(color);
        if leaders.len() != 1 {
            let how = "a castling letter needs exactly one such Rook or Bishop";
            return Err(contradiction(Field::Castling, how));
        }
        let piece = leaders.first();
        let around = Mask::of(piece).grown() & self.kind(PieceKind::Knight) & self.color(color);
        let knight = around
            .into_iter()
            .min_by_key(|cell| (cell.signed().0.abs(), cell.rank() != piece.rank()))
            .ok_or(contradiction(
                Field::Castling,
                "a castling letter without its Knight",
            ))?;
        Ok(Pair { piece, knight })
    }

    fn read_last_cube(&mut self, text: &str) -> Result<(), FenError> {
        let cell = Cell::from_text(text).ok_or_else(|| unreadable(Field::LastCube, text))?;
        if !self.base().has(cell) || self.occupied().has(cell) {
            let how = "the cube moved last lies on a column without a piece";
            return Err(contradiction(Field::LastCube, how));
        }
        self.last_cube = Some(cell);
        Ok(())
    }

    fn read_lone_counts(&mut self, text: Option<&str>) -> Result<(), FenError> {
        for color in Color::ALL {
            self.lone[color.index()] = (self.color(color).len() == 1).then_some(0);
        }
        let mut rest = text.unwrap_or("");
        let mut seen = [false; 2];
        while let Some(letter) = rest.chars().next() {
            let color = match letter {
                'w' => Color::White,
                'b' => Color::Black,
                _ => {
                    return Err(FenError::new(
                        Field::LoneKing,
                        Problem::UnknownLetter(letter),
                    ));
                }
            };
            let digits = rest[1..].bytes().take_while(u8::is_ascii_digit).count();
            let (word, behind) = rest.split_at(1 + digits);
            let count: u8 = word[1..]
                .parse()
                .ok()
                .filter(|&count| count <= LONE_KING_LIMIT)
                .ok_or_else(|| unreadable(Field::LoneKing, word))?;
            rest = behind;
            if std::mem::replace(&mut seen[color.index()], true) {
                return Err(contradiction(Field::LoneKing, "two counts for one King"));
            }
            if self.lone[color.index()].replace(count).is_none() {
                return Err(contradiction(Field::LoneKing, "the King is not alone"));
            }
        }
        Ok(())
    }

    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        self.write_text(&mut text)
            .expect("writing to a string does not fail");
        text
    }

    fn write_text(&self, text: &mut String) -> std::fmt::Result {
        let [x0, x1, y0, y1] = (self.base() | self.occupied()).bounds().unwrap_or_default();
        write!(text, "{}", Cell::new(x0, y1))?;
        for rank in (y0..=y1).rev() {
            text.push(if rank == y1 { ':' } else { '/' });
            for file in x0..=x1 {
                let cell = Cell::new(file, rank);
                write!(text, "{}", self.height(cell))?;
                if let Some((color, piece)) = self.piece_at(cell) {
                    text.push(color.fen_char(piece.letter()));
                }
            }
        }
        write!(
            text,
            " {} {} {} ",
            self.side.letter(),
            self.castling_text(),
            self.pool_text()
        )?;
        match self.last_cube {
            Some(cell) => write!(text, "{cell}")?,
            None => text.push('-'),
        }
        write!(text, " {} {}", self.lone_text(), self.turn_number)?;
        if self.prologue {
            text.push_str(" pre");
        }
        Ok(())
    }

    pub(super) fn castling_text(&self) -> String {
        let mut text = String::new();
        for color in Color::ALL {
            for (pair, piece) in self.pairs[color.index()].iter().zip(LEADERS) {
                if pair.is_some() {
                    text.push(color.fen_char(piece.letter()));
                }
            }
        }
        dash(text)
    }

    pub(super) fn pool_text(&self) -> String {
        let letters = POOL.into_iter().flat_map(|(color, reserve, piece)| {
            std::iter::repeat_n(
                color.fen_char(piece.letter()),
                self.pool(color, reserve) as usize,
            )
        });
        dash(letters.collect())
    }

    pub(super) fn lone_text(&self) -> String {
        let counts = Color::ALL.into_iter().filter_map(|color| {
            let count = self.lone_count(color)?;
            Some(format!("{}{count}", color.letter()))
        });
        dash(counts.collect())
    }
}

fn dash(text: String) -> String {
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}
