use super::RookRights;
use crate::core::{Bitboard, Color, Kind, Move, Square, zobrist};
use crate::rules::placement::{en_passant_victim, pawn_attacks};
use crate::rules::{Board, CastlingRights, CastlingSide};

/// The dark squares.
pub const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

/// A position of orthodox rules without history: pieces, side to move, castling rights, e.p. target, clocks, and the
/// incremental key of all but the clocks. Exactly one king a side, and the side not to move is not in check.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Orthodox<const N: usize> {
    pub(super) board: Board<N>,
    pub(super) key: u64,
    number: u32,
    clock: u16,
    pub(super) en_passant: Option<Square>,
    pub(super) side: Color,
    pub(super) castling: CastlingRights,
    pub(super) rooks: RookRights,
}

/// The effects of a move besides moving its piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effect {
    /// The piece that moved; a pawn also when it promoted.
    pub mover: Kind,
    /// The captured piece and its square (en passant: not the target square).
    pub captured: Option<(Kind, Square)>,
}

static PIECES: [[[u64; 64]; 10]; 2] = {
    let mut table = [[[0; 64]; 10]; 2];
    let mut color = 0;
    while color < 2 {
        let mut kind = 0;
        while kind < 10 {
            table[color][kind] = zobrist::keys(0x0f00 + (color * 10 + kind) as u64);
            kind += 1;
        }
        color += 1;
    }
    table
};
static CASTLING: [u64; 16] = zobrist::keys(0x0f20);
static EN_PASSANT: [u64; 8] = zobrist::keys(0x0f21);
/// The part of a position's key that says that Black is to move.
pub const BLACK_TO_MOVE: u64 = zobrist::splitmix(0x0f22, 0);

/// The key of a piece on a square: part of every position's key.
#[inline(always)]
pub(super) fn piece_key(color: Color, kind: Kind, square: Square) -> u64 {
    PIECES[color.index()][kind.index()][square.index()]
}

impl<const N: usize> Orthodox<N> {
    /// A position from its parts. The caller vouches for the board (one king a side, pawns on ranks 2 to 7), the
    /// castling rights (king and rook at home) and the e.p. target (its pawn stands before it). A target that no legal
    /// capture uses is dropped: it does not make the position another one (FIDE Laws 9.2.3). `clock` counts half-moves
    /// without capture or pawn move, `number` turns of White from 1.
    pub fn new(
        board: Board<N>,
        side: Color,
        castling: CastlingRights,
        en_passant: Option<Square>,
        clock: u16,
        number: u32,
    ) -> Self {
        let mut position = Self {
            board,
            key: 0,
            number,
            clock,
            en_passant: None,
            side,
            castling,
            rooks: RookRights::default(),
        };
        position.en_passant =
            en_passant.filter(|&target| position.is_en_passant_legal(side, target));
        position.key = position.recomputed_key();
        position
    }

    /// Whether `by` may legally capture en passant on a square behind a pawn that has just moved two squares. The costly
    /// test is only made where a pawn stands beside that pawn.
    #[inline(always)]
    fn is_en_passant_legal(&self, by: Color, target: Square) -> bool {
        pawn_attacks(&self.board, by, target)
            && self
                .en_passant_takers(by, self.board.king(by), target)
                .any()
    }

    /// The same position with the castling rights of Chess960 in place of orthodox ones; each has its king and rook on their
    /// first rank.
    pub fn with_rook_rights(mut self, rooks: RookRights) -> Self {
        self.set_rook_rights(rooks);
        self.key = self.recomputed_key();
        self
    }

    /// The same position with the colours exchanged and the board upside down.
    pub fn flipped(&self) -> Self {
        let flipped = Self::new(
            self.board.flipped(),
            !self.side,
            self.castling.flipped(),
            self.en_passant.map(Square::flip_rank),
            self.clock,
            self.number,
        );
        if self.rooks.any() {
            return flipped.with_rook_rights(self.rooks.flipped());
        }
        flipped
    }

    /// The pieces.
    #[inline(always)]
    pub const fn board(&self) -> &Board<N> {
        &self.board
    }

    /// The side to move.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side
    }

    /// The castling rights of Chess960; none in positions of orthodox chess.
    #[inline(always)]
    pub const fn rook_rights(&self) -> RookRights {
        self.rooks
    }

    /// The castling rights; each has its king and rook at home. None where there are [`Orthodox::rook_rights`].
    #[inline(always)]
    pub const fn castling(&self) -> CastlingRights {
        self.castling
    }

    /// The square on which a pawn of the side to move may take en passant; only if such a capture is legal.
    #[inline(always)]
    pub const fn en_passant(&self) -> Option<Square> {
        self.en_passant
    }

    /// Half-moves since the last capture or pawn move.
    #[inline(always)]
    pub const fn clock(&self) -> u16 {
        self.clock
    }

    /// The number of the turn, 1 for the first two.
    #[inline(always)]
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Returns the number of turns of both sides before this one, derived from the turn number.
    pub const fn game_ply(&self) -> u64 {
        (self.number as u64).saturating_sub(1) * 2 + self.side as u64
    }

    /// The incremental key: pieces, side to move, castling rights, e.p. target.
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Computes [`Orthodox::key`] from scratch.
    pub fn recomputed_key(&self) -> u64 {
        let mut key = CASTLING[self.castling.index()] ^ self.rooks.key();
        for square in self.board.occupied() {
            if let Some((color, kind)) = self.board.piece_at(square) {
                key ^= piece_key(color, kind, square);
            }
        }
        if let Some(target) = self.en_passant {
            key ^= EN_PASSANT[usize::from(target.file())];
        }
        if self.side == Color::Black {
            key ^= BLACK_TO_MOVE;
        }
        key
    }

    /// The enemy pieces that give check.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        let king = self.board.king(self.side);
        self.board
            .attackers(!self.side, king, self.board.occupied())
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        self.checkers().any()
    }

    /// Whether no sequence of moves can mate: K v K, K+B v K, K+N v K, or only bishops of one square colour.
    pub fn is_dead(&self) -> bool {
        let board = &self.board;
        let minors = board.kind(Kind::Knight) | board.kind(Kind::Bishop);
        let pieces = board.occupied();
        if pieces != minors | board.kind(Kind::King) {
            return false;
        }
        let bishops = board.kind(Kind::Bishop);
        pieces.len() <= 3
            || minors == bishops && ((bishops & DARK).is_empty() || (bishops - DARK).is_empty())
    }

    /// Whether the material lets a side mate by some sequence of legal moves, however badly the other side plays. Where
    /// only the placement rules mate out (a wall of pawns), the answer is yes.
    pub fn can_mate(&self, side: Color) -> bool {
        let board = &self.board;
        let (own, other) = (board.color(side), board.color(!side));
        let [knights, bishops, kings] =
            [Kind::Knight, Kind::Bishop, Kind::King].map(|kind| board.kind(kind));
        if (own - knights - bishops - kings).any() {
            return true;
        }
        let own_bishops = own & bishops;
        if (own & knights).any() {
            // A single knight needs a piece of the other side in its King's way; a queen is never forced to stand there.
            let in_the_way = other - kings - board.kind(Kind::Queen);
            return (own & (knights | bishops)).len() > 1 || in_the_way.any();
        }
        if own_bishops.is_empty() {
            return false;
        }
        // Bishops of one colour need a piece on a square of the other colour that cannot drive them away.
        let is_one_colour = (bishops & DARK).is_empty() || (bishops - DARK).is_empty();
        let blocks = other - bishops - kings - board.kind(Kind::Rook) - board.kind(Kind::Queen);
        !is_one_colour || blocks.any()
    }

    /// Makes a legal move; anything else leaves an unspecified position.
    #[inline(always)]
    pub fn play(&mut self, step: Move) -> Effect {
        let (us, from, to) = (self.side, step.from(), step.to());
        let mut key = self.key ^ BLACK_TO_MOVE;
        let castling = self.castling.touched(from).touched(to);
        if castling != self.castling {
            if N == Kind::CHESS.len() && self.rooks.any() {
                return self.play_chess960(step);
            }
            key ^= CASTLING[self.castling.index()] ^ CASTLING[castling.index()];
            self.castling = castling;
        }
        let mover = self.board.kind_of_piece(from);
        let mut captured = None;
        if self.board.color(!us).has(to) {
            let kind = self.board.kind_of_piece(to);
            self.board.toggle(!us, kind, to);
            key ^= piece_key(!us, kind, to);
            captured = Some((kind, to));
        }
        self.board.shift(us, mover, from, to);
        key ^= piece_key(us, mover, from) ^ piece_key(us, mover, to);
        self.clock = self.clock.saturating_add(1);
        let target = self.en_passant.take();
        if let Some(target) = target {
            key ^= EN_PASSANT[usize::from(target.file())];
        }
        if mover == Kind::Pawn {
            self.clock = 0;
            if let Some(kind) = step.promotion() {
                self.board.toggle(us, Kind::Pawn, to);
                self.board.toggle(us, kind, to);
                key ^= piece_key(us, Kind::Pawn, to) ^ piece_key(us, kind, to);
            } else if from.index() ^ to.index() == 16 {
                let passed = Square::from_index(to.index() as u8 ^ 8);
                if self.is_en_passant_legal(!us, passed) {
                    self.en_passant = Some(passed);
                    key ^= EN_PASSANT[usize::from(passed.file())];
                }
            } else if target == Some(to) {
                let victim = en_passant_victim(to);
                self.board.toggle(!us, Kind::Pawn, victim);
                key ^= piece_key(!us, Kind::Pawn, victim);
                captured = Some((Kind::Pawn, victim));
            }
        } else if mover == Kind::King && from.index().abs_diff(to.index()) == 2 {
            let castling_side = CastlingSide::towards(to.file());
            let (home, aside) = (castling_side.rook_home(us), castling_side.rook_target(us));
            self.board.shift(us, Kind::Rook, home, aside);
            key ^= piece_key(us, Kind::Rook, home) ^ piece_key(us, Kind::Rook, aside);
        }
        if captured.is_some() {
            self.clock = 0;
        }
        self.number = self.number.saturating_add(us as u32);
        self.side = !us;
        self.key = key;
        Effect { mover, captured }
    }

    /// The key after a legal move, without making it: right but for castling, the rights of Chess960, promotions, and two squares or a capture en passant
    /// of a pawn. And the kind of the piece that it takes on the square where it ends.
    #[inline(always)]
    pub fn predicted_key(&self, step: Move) -> (u64, Option<Kind>) {
        let (us, from, to) = (self.side, step.from(), step.to());
        let mover = self.board.kind_of_piece(from);
        let castling = self.castling.touched(from).touched(to);
        let mut key = self.key
            ^ BLACK_TO_MOVE
            ^ piece_key(us, mover, from)
            ^ piece_key(us, mover, to)
            ^ CASTLING[self.castling.index()]
            ^ CASTLING[castling.index()];
        if let Some(target) = self.en_passant {
            key ^= EN_PASSANT[usize::from(target.file())];
        }
        if !self.board.color(!us).has(to) {
            return (key, None);
        }
        let captured = self.board.kind_of_piece(to);
        (key ^ piece_key(!us, captured, to), Some(captured))
    }

    /// Returns the position after a null move: the other side to move, no e.p. target. The side to move must not be in check.
    pub fn after_null_move(&self) -> Self {
        let mut next = *self;
        next.key ^= BLACK_TO_MOVE;
        if let Some(target) = next.en_passant.take() {
            next.key ^= EN_PASSANT[usize::from(target.file())];
        }
        next.clock = next.clock.saturating_add(1);
        next.number = next.number.saturating_add(self.side as u32);
        next.side = !self.side;
        next
    }
}
