use super::Options;
use crate::core::{Color, Kinds, Move, StepList};
use crate::rules::orthodox::{Effect, Orthodox};
use crate::rules::{
    Board, CastlingRights, Chance, DrawReason, Draws, RecomputeKey, Rules, WinReason,
};

/// Half-moves without capture or pawn move that draw.
const CLOCK_LIMIT: u16 = 100;

/// A position of orthodox chess.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess, perft};
/// let start = Chess::start(&Default::default());
/// assert_eq!(perft(&start, 3), 8902);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Chess(pub(super) Orthodox<6>);

impl Chess {
    /// The pieces.
    #[inline(always)]
    pub const fn board(&self) -> &Board<6> {
        self.0.board()
    }

    /// The position in the terms that chess shares with Superchess.
    #[inline(always)]
    pub const fn orthodox(&self) -> &Orthodox<6> {
        &self.0
    }

    /// The castling rights.
    pub const fn castling(&self) -> CastlingRights {
        self.0.castling()
    }

    /// Half-moves since the last capture or pawn move.
    pub const fn clock(&self) -> u16 {
        self.0.clock()
    }

    /// Makes a legal move and returns its effect.
    #[inline(always)]
    pub fn make(&mut self, step: Move) -> Effect {
        self.0.play(step)
    }

    /// Appends the legal captures and promotions.
    pub fn generate_noisy(&self, steps: &mut StepList<Move>) {
        self.0.generate_noisy(Kinds::CHESS_PROMOTIONS, steps);
    }
}

impl Rules for Chess {
    type Step = Move;
    type Options = Options;

    fn null_move(&self) -> Option<Self> {
        (!self.in_check()).then(|| Self(self.0.after_null_move()))
    }

    #[inline(always)]
    fn side_to_move(&self) -> Color {
        self.0.side_to_move()
    }

    #[inline(always)]
    fn key(&self) -> u64 {
        self.0.key()
    }

    fn generate(&self, steps: &mut StepList<Move>) {
        self.0.generate(Kinds::CHESS_PROMOTIONS, steps);
    }

    fn play(&mut self, step: Move) {
        self.0.play(step);
    }

    fn count_turns(&self) -> u64 {
        u64::from(self.0.count(Kinds::CHESS_PROMOTIONS))
    }

    #[inline]
    fn in_check(&self) -> bool {
        self.0.in_check()
    }

    fn win_reason(&self) -> WinReason {
        WinReason::CHECKMATE
    }
}

impl Draws for Chess {
    fn is_dead(&self, _: &Options) -> bool {
        self.0.is_dead()
    }

    fn can_win(&self, side: Color) -> bool {
        self.0.can_mate(side)
    }

    fn clock_draw(&self, _: &Options) -> Option<DrawReason> {
        (self.0.clock() >= CLOCK_LIMIT).then_some(DrawReason::Clock)
    }

    const CLOCK_LIMIT: usize = CLOCK_LIMIT as usize;

    fn clock_turns(&self, _: &Options) -> usize {
        usize::from(self.0.clock())
    }

    fn reversible_turns(&self, _: &Options) -> usize {
        usize::from(self.0.clock())
    }
}

impl Chance for Chess {}

impl RecomputeKey for Chess {
    fn recomputed_key(&self) -> u64 {
        self.0.recomputed_key()
    }
}
