use crate::core::{Bitboard, Color, Kind, Square, attacks};

/// The pieces on an 8x8 board: one set per kind and one per colour. `N` is 6 for chess, two-move chess and DiceChess, 10
/// for Superchess; kinds from `N` on do not exist there.
///
/// The kinds are kept by square as well, since the search asks for them more often than pieces move; a free square keeps that of the
/// last piece that was there.
#[derive(Clone, Copy, Debug)]
pub struct Board<const N: usize> {
    kinds: [Bitboard; N],
    colors: [Bitboard; 2],
    squares: [Kind; 64],
}

impl<const N: usize> PartialEq for Board<N> {
    #[inline(always)]
    fn eq(&self, other: &Self) -> bool {
        self.changed(other).is_empty()
    }
}

impl<const N: usize> Eq for Board<N> {}

impl<const N: usize> Default for Board<N> {
    fn default() -> Self {
        Self {
            kinds: [Bitboard::EMPTY; N],
            colors: [Bitboard::EMPTY; 2],
            squares: [Kind::Pawn; 64],
        }
    }
}

impl<const N: usize> Board<N> {
    /// Every piece's square.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.colors[0] | self.colors[1]
    }

    /// The squares of one side.
    #[inline(always)]
    pub const fn color(&self, color: Color) -> Bitboard {
        self.colors[color.index()]
    }

    /// The squares of one kind, both sides; empty for kinds that this board does not have.
    #[inline(always)]
    pub const fn kind(&self, kind: Kind) -> Bitboard {
        if kind.index() < N {
            self.kinds[kind.index()]
        } else {
            Bitboard::EMPTY
        }
    }

    /// The squares of one side's pieces of one kind.
    #[inline(always)]
    pub fn pieces(&self, color: Color, kind: Kind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// The king's square; with none, an unspecified square.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, Kind::King).first()
    }

    /// The kind of the piece on a square.
    #[inline]
    pub fn kind_at(&self, square: Square) -> Option<Kind> {
        self.occupied()
            .has(square)
            .then(|| self.kind_of_piece(square))
    }

    /// The kind of the piece on an occupied square; on a free square an unspecified kind.
    #[inline(always)]
    pub const fn kind_of_piece(&self, square: Square) -> Kind {
        self.squares[square.index()]
    }

    /// The piece on an occupied square; on a free square unspecified.
    #[inline(always)]
    pub fn piece(&self, square: Square) -> (Color, Kind) {
        let owner = Color::ALL[usize::from(self.colors[1].has(square))];
        (owner, self.kind_of_piece(square))
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_at(&self, square: Square) -> Option<(Color, Kind)> {
        self.occupied().has(square).then(|| self.piece(square))
    }

    /// The squares whose piece differs from that of another board.
    #[inline(always)]
    pub fn changed(&self, other: &Self) -> Bitboard {
        let kinds = self.kinds.iter().zip(&other.kinds);
        let colors = self.colors.iter().zip(&other.colors);
        let differences = kinds.chain(colors).map(|(&one, &two)| one ^ two);
        differences.fold(Bitboard::EMPTY, |set, difference| set | difference)
    }

    /// The same pieces on a board that has room for every kind.
    #[inline(always)]
    pub fn widened(&self) -> Board<{ Kind::ALL.len() }> {
        Board {
            kinds: Kind::ALL.map(|kind| self.kind(kind)),
            colors: self.colors,
            squares: self.squares,
        }
    }

    /// Adds a piece to an empty square, or removes it from its square.
    #[inline(always)]
    pub fn toggle(&mut self, color: Color, kind: Kind, square: Square) {
        let bit = Bitboard::of(square);
        self.kinds[kind.index()] ^= bit;
        self.colors[color.index()] ^= bit;
        self.squares[square.index()] = kind;
    }

    /// Moves a piece to a square that no piece of its kind or colour occupies.
    #[inline(always)]
    pub fn shift(&mut self, color: Color, kind: Kind, from: Square, to: Square) {
        let bits = Bitboard::of(from) | Bitboard::of(to);
        self.kinds[kind.index()] ^= bits;
        self.colors[color.index()] ^= bits;
        self.squares[to.index()] = kind;
    }

    /// The board upside down, with the colours exchanged.
    pub fn flipped(&self) -> Self {
        Self {
            kinds: self.kinds.map(Bitboard::flip_ranks),
            colors: [self.colors[1].flip_ranks(), self.colors[0].flip_ranks()],
            squares: std::array::from_fn(|square| self.squares[square ^ 0b11_1000]),
        }
    }

    /// Everything that moves as a bishop.
    #[inline(always)]
    pub fn diagonal_sliders(&self) -> Bitboard {
        self.kind(Kind::Bishop)
            | self.kind(Kind::Queen)
            | self.kind(Kind::Amazon)
            | self.kind(Kind::Princess)
    }

    /// Everything that moves as a rook.
    #[inline(always)]
    pub fn orthogonal_sliders(&self) -> Bitboard {
        self.kind(Kind::Rook)
            | self.kind(Kind::Queen)
            | self.kind(Kind::Amazon)
            | self.kind(Kind::Empress)
    }

    /// Everything that leaps as a knight.
    #[inline(always)]
    pub fn knight_leapers(&self) -> Bitboard {
        self.kind(Kind::Knight)
            | self.kind(Kind::Amazon)
            | self.kind(Kind::Empress)
            | self.kind(Kind::Princess)
            | self.kind(Kind::Veteran)
    }

    /// Everything that steps as a king.
    #[inline(always)]
    pub fn king_steppers(&self) -> Bitboard {
        self.kind(Kind::King) | self.kind(Kind::Veteran)
    }

    /// The squares that a piece other than a pawn attacks.
    #[inline(always)]
    pub fn piece_attacks(kind: Kind, square: Square, occupied: Bitboard) -> Bitboard {
        let mut set = Bitboard::EMPTY;
        if kind.slides_diagonally() {
            set |= attacks::bishop(square, occupied);
        }
        if kind.slides_orthogonally() {
            set |= attacks::rook(square, occupied);
        }
        if kind.leaps_as_knight() {
            set |= attacks::knight(square);
        }
        if kind.steps_as_king() {
            set |= attacks::king(square);
        }
        set
    }

    /// The pieces of a side that attack a square when `occupied` blocks the sliders.
    ///
    /// ```
    /// use fauve_engine::core::{Bitboard, Color};
    /// use fauve_engine::rules::{Notation, chess::Chess};
    ///
    /// let position = Chess::from_fen("k7/8/8/3p4/8/8/3R4/K2R4 w - - 0 1", &Default::default())?.position;
    /// let (board, d5) = (position.board(), "d5".parse().expect("a square"));
    /// let at_once = board.attackers(Color::White, d5, board.occupied());
    /// assert_eq!(format!("{at_once:?}"), "{d2}");
    /// // Without the front rook the one behind it comes into play.
    /// let behind = board.attackers(Color::White, d5, board.occupied() - at_once);
    /// assert_eq!(format!("{behind:?}"), "{d1, d2}");
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    #[inline(always)]
    pub fn attackers(&self, by: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let set = attacks::bishop(square, occupied) & self.diagonal_sliders()
            | attacks::rook(square, occupied) & self.orthogonal_sliders()
            | attacks::knight(square) & self.knight_leapers()
            | attacks::king(square) & self.king_steppers()
            | attacks::pawn(!by, square) & self.kind(Kind::Pawn);
        set & self.color(by)
    }

    /// Every square that a side attacks when `occupied` blocks the sliders.
    pub fn attack_map(&self, by: Color, occupied: Bitboard) -> Bitboard {
        let own = self.color(by);
        let mut set = attacks::pawns(by, own & self.kind(Kind::Pawn));
        for square in own & self.diagonal_sliders() {
            set |= attacks::bishop(square, occupied);
        }
        for square in own & self.orthogonal_sliders() {
            set |= attacks::rook(square, occupied);
        }
        for square in own & self.knight_leapers() {
            set |= attacks::knight(square);
        }
        for square in own & self.king_steppers() {
            set |= attacks::king(square);
        }
        set
    }
}

/// The side of the board on which a king castles.
///
/// ```
/// use fauve_engine::core::Color;
/// use fauve_engine::rules::CastlingSide;
/// assert_eq!(CastlingSide::King.king_target(Color::White).to_string(), "g1");
/// assert_eq!(CastlingSide::Queen.rook_target(Color::Black).to_string(), "d8");
/// assert_eq!(format!("{:?}", CastlingSide::Queen.path(Color::White)), "{b1, c1, d1}");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CastlingSide {
    /// Towards file h.
    King = 0,
    /// Towards file a.
    Queen = 1,
}

impl CastlingSide {
    /// Both castling sides, in FEN's order.
    pub const ALL: [Self; 2] = [Self::King, Self::Queen];

    /// The side on which a king lands on this file, 6 or 2.
    #[inline(always)]
    pub const fn towards(file: u8) -> Self {
        if file == 6 { Self::King } else { Self::Queen }
    }

    /// The king's square before castling, e1 or e8.
    #[inline(always)]
    pub const fn king_home(self, color: Color) -> Square {
        Square::new(4, color as u8 * 7)
    }

    /// The rook's square before castling.
    #[inline(always)]
    pub const fn rook_home(self, color: Color) -> Square {
        Square::new(
            if matches!(self, Self::King) { 7 } else { 0 },
            color as u8 * 7,
        )
    }

    /// Where the king lands, g1 or c1 for White.
    #[inline(always)]
    pub const fn king_target(self, color: Color) -> Square {
        Square::new(
            if matches!(self, Self::King) { 6 } else { 2 },
            color as u8 * 7,
        )
    }

    /// Where the rook lands, which is also the square that the king crosses: f1 or d1 for White.
    #[inline(always)]
    pub const fn rook_target(self, color: Color) -> Square {
        Square::new(
            if matches!(self, Self::King) { 5 } else { 3 },
            color as u8 * 7,
        )
    }

    /// The squares between king and rook, which castling needs empty.
    #[inline(always)]
    pub const fn path(self, color: Color) -> Bitboard {
        Bitboard(
            match self {
                Self::King => 0x60,
                Self::Queen => 0x0e,
            } << (color as u32 * 56),
        )
    }
}

/// The castling rights of both sides, in the order `KQkq` from bit 0.
///
/// ```
/// use fauve_engine::core::Color;
/// use fauve_engine::rules::{CastlingRights, CastlingSide};
///
/// // A king's move takes both rights of its side, a rook's one.
/// let after_king = CastlingRights::ALL.touched(CastlingSide::King.king_home(Color::White));
/// assert_eq!(after_king.to_string(), "kq");
/// let after_rook = CastlingRights::ALL.touched(CastlingSide::Queen.rook_home(Color::Black));
/// assert_eq!(after_rook.to_string(), "KQk");
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct CastlingRights(u8);

impl CastlingRights {
    /// No right of orthodox chess, but some of Chess960, which are kept elsewhere. [`CastlingRights::touched`] takes the mark
    /// away, so that every move shows as one that changes rights.
    pub(super) const CHESS960: Self = Self(16);
    /// All four rights.
    pub const ALL: Self = Self(15);
    /// No right.
    pub const EMPTY: Self = Self(0);

    /// 0..16, for key tables.
    #[inline(always)]
    pub const fn index(self) -> usize {
        (self.0 & 15) as usize
    }

    /// Whether a side has a right.
    #[inline(always)]
    pub const fn has(self, color: Color, castling_side: CastlingSide) -> bool {
        self.0 >> (color.index() * 2 + castling_side as usize) & 1 != 0
    }

    /// Adds a right.
    pub const fn add(&mut self, color: Color, castling_side: CastlingSide) {
        self.0 |= 1 << (color.index() * 2 + castling_side as usize);
    }

    /// Takes away a right.
    pub const fn remove(&mut self, color: Color, castling_side: CastlingSide) {
        self.0 &= !(1 << (color.index() * 2 + castling_side as usize));
    }

    /// The rights with the colours exchanged.
    pub const fn flipped(self) -> Self {
        Self(self.0 >> 2 & 3 | (self.0 & 3) << 2)
    }

    /// The rights that remain when something moves from or to a square: a king's or rook's home square takes its rights
    /// with it.
    #[inline(always)]
    pub const fn touched(self, square: Square) -> Self {
        Self(self.0 & TOUCH[square.index()])
    }
}

/// The castling rights that survive a move from or to a square.
static TOUCH: [u8; 64] = {
    let mut table = [15; 64];
    table[4] = 0b1100; // e1
    table[7] = 0b1110; // h1
    table[0] = 0b1101; // a1
    table[60] = 0b0011; // e8
    table[63] = 0b1011; // h8
    table[56] = 0b0111; // a8
    table
};
