use super::prologue::TURNS;
use super::{Action, Options, Placement, Pool, Step, prologue};
use crate::core::{Bitboard, Color, Kind, Kinds, Move, Square, StepList, zobrist};
use crate::rules::orthodox::Orthodox;
use crate::rules::{
    Board, CastlingRights, Chance, DrawReason, Draws, RecomputeKey, Rules, WinReason,
};

/// Half-moves without capture or pawn move that draw.
const CLOCK_LIMIT: u16 = 100;

/// A position of Superchess.
///
/// ```
/// use fauve_engine::rules::superchess::{Options, Superchess};
/// use fauve_engine::rules::{Notation, perft};
/// let start = Superchess::start(&Options::default());
/// assert_eq!(perft(&start, 4), 12 * 12 * 4 * 3 * 7); // the prologue
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Superchess {
    pub(super) orthodox: Orthodox<10>,
    /// The part of the key beyond the orthodox position: pool, promoted pieces, prologue, kind of pool.
    extra_key: u64,
    /// The pieces that came back by promotion; always empty under the physical pool.
    promoted: Bitboard,
    /// Empty until the prologue is over.
    pool: Pool,
    /// The turns of the prologue that are made; [`TURNS`] when it is over.
    turns: u8,
    /// Whether a promoted piece goes back to the pool when it is captured.
    physical: bool,
}

static PROMOTED: [u64; 64] = zobrist::keys(0x5c00);
/// By colour, kind and count.
static POOL: [u64; 2 * 10 * 4] = zobrist::keys(0x5c01);
/// By turns made.
static PROLOGUE: [u64; TURNS as usize + 1] = zobrist::keys(0x5c02);
const PHYSICAL: u64 = zobrist::splitmix(0x5c03, 0);

#[inline(always)]
fn pool_key(color: Color, kind: Kind, count: u32) -> u64 {
    POOL[(color.index() * 10 + kind.index()) * 4 + (count & 3) as usize]
}

impl Superchess {
    /// A position whose prologue is over, from its parts: `promoted` are the pieces that came back by promotion and are
    /// used up, to be left empty under the physical pool.
    pub(super) fn new(
        orthodox: Orthodox<10>,
        pool: Pool,
        promoted: Bitboard,
        physical: bool,
    ) -> Self {
        Self {
            orthodox,
            extra_key: 0,
            promoted,
            pool,
            turns: TURNS,
            physical,
        }
        .with_key()
    }

    /// White's first move in an array.
    pub(super) fn of_array(board: Board<10>, physical: bool) -> Self {
        let pool = Pool::of_board(&board);
        Self::new(
            array_position(board, TURNS),
            pool,
            Bitboard::EMPTY,
            physical,
        )
    }

    /// A position of the prologue after 0 to 3 turns, whose pieces fit that number of turns.
    pub(super) fn in_prologue(board: Board<10>, turns: u8, physical: bool) -> Self {
        Self {
            orthodox: array_position(board, turns),
            extra_key: 0,
            promoted: Bitboard::EMPTY,
            pool: Pool::default(),
            turns,
            physical,
        }
        .with_key()
    }

    /// The same position with the colours exchanged and the board upside down. The prologue has no other side.
    pub(super) fn flipped_over(&self) -> Option<Self> {
        self.prologue().is_none().then(|| {
            Self::new(
                self.orthodox.flipped(),
                self.pool.flipped(),
                self.promoted.flip_ranks(),
                self.physical,
            )
        })
    }

    fn with_key(mut self) -> Self {
        self.extra_key = self.recomputed_extra_key();
        self
    }

    /// The pieces.
    #[inline(always)]
    pub const fn board(&self) -> &Board<10> {
        self.orthodox.board()
    }

    /// The part of the position that Superchess shares with chess.
    #[inline(always)]
    pub const fn orthodox(&self) -> &Orthodox<10> {
        &self.orthodox
    }

    /// The castling rights.
    pub const fn castling(&self) -> CastlingRights {
        self.orthodox.castling()
    }

    /// Half-moves without capture or pawn move.
    pub const fn clock(&self) -> u16 {
        self.orthodox.clock()
    }

    /// The pieces that came back by promotion and are used up: their capture returns nothing to the pool. Always empty
    /// under the physical pool.
    #[inline(always)]
    pub const fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// What pawns can become; empty during the prologue.
    ///
    /// ```
    /// use fauve_engine::core::{Color, Kind};
    /// use fauve_engine::rules::{Notation, legal_steps, superchess::Superchess};
    ///
    /// // White has a rook to promote to, and nothing else.
    /// let position = Superchess::from_fen("4k3/P7/8/8/8/8/8/4K3[Rr] w - - 0 1", &Default::default())?.position;
    /// assert_eq!(position.pool().kinds(Color::White).collect::<Vec<_>>(), [Kind::Rook]);
    /// assert!(legal_steps(&position).iter().any(|step| step.to_string() == "a7a8r"));
    /// assert!(legal_steps(&position).iter().all(|step| step.to_string() != "a7a8q"));
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    #[inline(always)]
    pub const fn pool(&self) -> Pool {
        self.pool
    }

    /// The turns of the prologue that have been made, 0 to 3; `None` when it is over.
    #[inline(always)]
    pub const fn prologue(&self) -> Option<u8> {
        if self.turns < TURNS {
            Some(self.turns)
        } else {
            None
        }
    }

    /// The number (0..432, as the option `Array` counts) of the array, if the prologue is over, White is to move, and the pieces stand as in
    /// an array.
    ///
    /// ```
    /// use fauve_engine::rules::superchess::{Options, Superchess};
    /// use fauve_engine::rules::Notation;
    ///
    /// let options = Options { prologue: false, array: 17, ..Options::default() };
    /// assert_eq!(Superchess::start(&options).array(), Some(17));
    /// assert_eq!(Superchess::start(&Options::default()).array(), None);
    /// ```
    pub fn array(&self) -> Option<usize> {
        let board = self.orthodox.board();
        (self.turns == TURNS && self.side_to_move() == Color::White)
            .then(|| prologue::number(board))
            .flatten()
    }

    /// Appends the legal captures and promotions.
    pub fn generate_noisy(&self, steps: &mut StepList<Step>) {
        if self.turns == TURNS {
            let promotions = self.promotions();
            self.orthodox.generate_noisy(promotions, steps);
        }
    }

    /// The key after a legal move, without making it: right but for rare moves, as that of
    /// [`Orthodox::predicted_key`](crate::rules::orthodox::Orthodox::predicted_key).
    #[inline]
    pub fn predicted_key(&self, mv: Move) -> u64 {
        let (key, captured) = self.orthodox.predicted_key(mv);
        let mut key = key ^ self.extra_key;
        let owner = !self.side_to_move();
        if let Some(kind) = captured {
            if self.promoted.has(mv.to()) {
                key ^= PROMOTED[mv.to().index()];
            } else if self.returns_to_pool(owner, kind, 1) {
                let count = self.pool.count(owner, kind);
                key ^= pool_key(owner, kind, count) ^ pool_key(owner, kind, count + 1);
            }
        }
        if self.promoted.has(mv.from()) {
            key ^= PROMOTED[mv.from().index()] ^ PROMOTED[mv.to().index()];
        }
        key
    }

    /// Returns the kinds that the side to move can promote to; empty, without a look-up, if it has no pawn that could promote.
    #[inline(always)]
    pub(super) fn promotions(&self) -> Kinds {
        let side = self.side_to_move();
        let seventh = Bitboard::rank(match side {
            Color::White => 6,
            Color::Black => 1,
        });
        if (self.board().pieces(side, Kind::Pawn) & seventh).is_empty() {
            Kinds::EMPTY
        } else {
            self.pool.kinds(side)
        }
    }

    fn recomputed_extra_key(&self) -> u64 {
        let mut key = PROLOGUE[usize::from(self.turns)];
        if self.physical {
            key ^= PHYSICAL;
        }
        for color in Color::ALL {
            for kind in Pool::KINDS {
                key ^= pool_key(color, kind, self.pool.count(color, kind));
            }
        }
        self.promoted
            .fold(key, |key, square| key ^ PROMOTED[square.index()])
    }

    #[inline(always)]
    fn toggle_promoted(&mut self, square: Square) {
        self.promoted ^= Bitboard::of(square);
        self.extra_key ^= PROMOTED[square.index()];
    }

    #[inline(always)]
    fn change_pool(&mut self, color: Color, kind: Kind, by: i32) {
        self.extra_key ^= pool_key(color, kind, self.pool.count(color, kind));
        self.pool.change(color, kind, by);
        self.extra_key ^= pool_key(color, kind, self.pool.count(color, kind));
    }

    #[inline(always)]
    fn make(&mut self, mv: Move) {
        let us = self.side_to_move();
        let effect = self.orthodox.play(mv);
        if let Some((kind, square)) = effect.captured {
            if self.promoted.has(square) {
                self.toggle_promoted(square);
            } else {
                self.return_to_pool(!us, kind);
            }
        }
        if self.promoted.has(mv.from()) {
            self.toggle_promoted(mv.from());
            self.toggle_promoted(mv.to());
        }
        if let Some(kind) = mv.promotion() {
            self.change_pool(us, kind, -1);
            if !self.physical {
                self.toggle_promoted(mv.to());
            }
        }
    }

    /// Makes a piece that has just been captured available to its owner, up to the number in the set: never a pawn or an
    /// Amazon, and no surplus pieces of a board that was set up with more than one set.
    #[inline(always)]
    fn return_to_pool(&mut self, owner: Color, kind: Kind) {
        if self.returns_to_pool(owner, kind, 0) {
            self.change_pool(owner, kind, 1);
        }
    }

    /// Whether there is room in the pool for an unpromoted piece of this kind once `leaving` of those on the board are gone.
    #[inline(always)]
    fn returns_to_pool(&self, owner: Color, kind: Kind, leaving: u32) -> bool {
        let unpromoted = (self.board().pieces(owner, kind) - self.promoted).len();
        unpromoted + self.pool.count(owner, kind) < Pool::set(kind) + leaving
    }

    fn place(&mut self, placement: Placement) {
        if self.turns == TURNS {
            return;
        }
        let board = prologue::placed(self.board(), placement);
        *self = if self.turns + 1 == TURNS {
            Self::of_array(board, self.physical)
        } else {
            Self::in_prologue(board, self.turns + 1, self.physical)
        };
    }
}

/// The position of an array, whole or after some turns of the prologue: the counters stay 0 1, and castling is right with
/// every rook that stands.
fn array_position(board: Board<10>, turns: u8) -> Orthodox<10> {
    let castling = prologue::castling(&board);
    Orthodox::new(board, prologue::side(turns), castling, None, 0, 1)
}

impl Rules for Superchess {
    type Step = Step;
    type Options = Options;

    fn null_move(&self) -> Option<Self> {
        (self.turns == TURNS && !self.in_check()).then(|| Self {
            orthodox: self.orthodox.after_null_move(),
            ..*self
        })
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.orthodox.side_to_move()
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.orthodox.key() ^ self.extra_key
    }

    fn generate(&self, steps: &mut StepList<Step>) {
        if self.turns == TURNS {
            let promotions = self.promotions();
            self.orthodox.generate(promotions, steps);
        } else {
            prologue::for_each_placement(self.board(), self.turns, |placement| {
                steps.push(Step::of_placement(placement));
            });
        }
    }

    #[inline]
    fn play(&mut self, step: Step) {
        match step.action() {
            Action::Move(mv) => self.make(mv),
            Action::Place(placement) => self.place(placement),
        }
    }

    fn count_turns(&self) -> u64 {
        if self.turns == TURNS {
            let promotions = self.promotions();
            return u64::from(self.orthodox.count(promotions));
        }
        let mut count = 0;
        prologue::for_each_placement(self.board(), self.turns, |_| count += 1);
        count
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.orthodox.in_check()
    }

    fn win_reason(&self) -> WinReason {
        WinReason::CHECKMATE
    }
}

impl Draws for Superchess {
    fn is_dead(&self, _: &Options) -> bool {
        self.orthodox.is_dead()
    }

    fn can_win(&self, side: Color) -> bool {
        self.prologue().is_some() || self.orthodox.can_mate(side)
    }

    fn clock_draw(&self, _: &Options) -> Option<DrawReason> {
        (self.clock() >= CLOCK_LIMIT).then_some(DrawReason::Clock)
    }

    const CLOCK_LIMIT: usize = CLOCK_LIMIT as usize;

    fn clock_turns(&self, _: &Options) -> usize {
        usize::from(self.clock())
    }

    fn reversible_turns(&self, _: &Options) -> usize {
        usize::from(self.clock())
    }
}

impl Chance for Superchess {}

impl RecomputeKey for Superchess {
    fn recomputed_key(&self) -> u64 {
        self.orthodox.recomputed_key() ^ self.recomputed_extra_key()
    }
}
