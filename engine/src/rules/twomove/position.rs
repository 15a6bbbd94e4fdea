use super::{Options, count, movegen, reach, second};
use crate::core::{Bitboard, Color, Kind, Move, Square, StepList, attacks, zobrist};
use crate::rules::{
    Board, CastlingRights, CastlingSide, Chance, DrawReason, Draws, RecomputeKey, Rules, WinReason,
};

static PIECES: [[[u64; 64]; 6]; 2] = {
    let flat: [u64; 768] = zobrist::keys(0x7770_6d65_6e00);
    let mut table = [[[0; 64]; 6]; 2];
    let mut i = 0;
    while i < 768 {
        table[i / 384][i / 64 % 6][i % 64] = flat[i];
        i += 1;
    }
    table
};
static RIGHTS: [u64; 16] = zobrist::keys(0x7770_7269_6768);
static TARGETS: [u64; 64] = zobrist::keys(0x7770_6570_0000);
/// The forbidden reversal: the current square of the moved piece, then the square it came from.
static REVERSAL: [[u64; 64]; 2] = [
    zobrist::keys(0x7770_7265_7601),
    zobrist::keys(0x7770_7265_7602),
];
static BLACK: u64 = zobrist::splitmix(0x7770_7369_6465, 0);
static ONE_LEFT: u64 = zobrist::splitmix(0x7770_6c65_6674, 0);

/// A position of two-move chess.
///
/// A first half that no second half completes to a legal turn is among the generated steps (see
/// [`Rules::generate`]); second halves are exactly the legal ones.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TwoMove {
    pub(super) board: Board<6>,
    /// The squares that en passant captures go to: those of the side to move on its sixth rank, and between the
    /// halves its own new ones, for the opponent, on its third.
    pub(super) targets: Bitboard,
    pub(super) key: u64,
    pub(super) number: u32,
    pub(super) clock: u16,
    /// The second move that would undo the first; `Move::default()` when there is none.
    pub(super) reversal: Move,
    pub(super) side: Color,
    pub(super) rights: CastlingRights,
    pub(super) moves_left: u8,
    /// White's single-move turn from the orthodox array: one move left without a move made.
    pub(super) opening: bool,
}

impl TwoMove {
    /// The pieces.
    pub const fn board(&self) -> &Board<6> {
        &self.board
    }

    /// The en passant targets: on rank 6 if White can capture, on rank 3 if Black can.
    pub const fn en_passant_targets(&self) -> Bitboard {
        self.targets
    }

    /// The castling rights.
    pub const fn castling(&self) -> CastlingRights {
        self.rights
    }

    /// The moves left in this turn, 1 or 2.
    pub const fn moves_left(&self) -> u8 {
        self.moves_left
    }

    /// The second move that is forbidden because it would undo the first.
    ///
    /// ```
    /// use fauve_engine::rules::{Notation, Rules, parse_turn, twomove::TwoMove};
    ///
    /// let fen = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2";
    /// let mut position = TwoMove::from_fen(fen, &Default::default()).expect("a position").position;
    /// position.play(parse_turn(&position, "g8f6")?[0]);
    /// assert_eq!(position.moves_left(), 1);
    /// assert_eq!(position.forbidden_reversal().map(|step| step.to_string()), Some("f6g8".to_owned()));
    /// assert!(parse_turn(&position, "f6g8").is_err());
    /// # Ok::<(), fauve_engine::rules::StepError>(())
    /// ```
    pub fn forbidden_reversal(&self) -> Option<Move> {
        (self.reversal != Move::default()).then_some(self.reversal)
    }

    /// Turns of either side without capture or pawn move.
    pub const fn quiet_turns(&self) -> u16 {
        self.clock
    }

    /// The turn number of the position string, from 1, raised after Black's turn.
    pub const fn turn_number(&self) -> u32 {
        self.number
    }

    /// Whether a double move of `by` could take the other king now. The en passant targets count only for the side
    /// to move.
    ///
    /// ```
    /// use fauve_engine::core::Color;
    /// use fauve_engine::rules::{Notation, Rules, twomove::TwoMove};
    ///
    /// // The rook goes to a8 with its first move and takes the king with its second: that is check.
    /// let position = TwoMove::from_fen("4k3/8/8/8/8/8/8/R3K3 b - - 0 1", &Default::default())?.position;
    /// assert!(position.capturable_by(Color::White) && position.in_check());
    /// assert!(!position.capturable_by(Color::Black));
    /// # Ok::<(), fauve_engine::rules::FenError>(())
    /// ```
    pub fn capturable_by(&self, by: Color) -> bool {
        let targets = if by == self.side {
            self.targets & reach::sixth_rank(by)
        } else {
            Bitboard::EMPTY
        };
        reach::capturable(&self.board, by, self.rights, targets)
    }

    /// Appends every pseudo-legal move of the side to move that takes no king, whether or not it exposes its own king: the
    /// first halves of `generate`, also for the second half.
    pub fn pseudo_legal(&self, steps: &mut StepList<Move>) {
        movegen::pseudo_legal(self, &mut |step| steps.push(step));
    }

    /// Whether the side to move could take the king with the moves that it has left, which makes the position
    /// illegal.
    pub(super) fn can_take_king(&self) -> bool {
        if self.moves_left == 1 {
            self.board
                .attackers(
                    self.side,
                    self.board.king(!self.side),
                    self.board.occupied(),
                )
                .any()
        } else {
            self.capturable_by(self.side)
        }
    }

    /// The targets of this position that count: their pawn is there, the square is empty, an enemy pawn attacks it.
    pub(super) fn live_targets(board: &Board<6>, targets: Bitboard) -> Bitboard {
        let pawns = board.kind(Kind::Pawn);
        let (white, black) = (
            pawns & board.color(Color::White),
            pawns & board.color(Color::Black),
        );
        let for_black =
            white.south() & attacks::pawns(Color::Black, black) & reach::sixth_rank(Color::Black);
        let for_white =
            black.north() & attacks::pawns(Color::White, white) & reach::sixth_rank(Color::White);
        targets & (for_black | for_white) - board.occupied()
    }

    /// The board, rights and targets after one move of a piece of this kind of the side to move.
    #[inline(always)]
    pub(super) fn after(&self, kind: Kind, step: Move) -> After {
        let (us, from, to) = (self.side, step.from(), step.to());
        let mut after = After {
            board: self.board,
            rights: self.rights.touched(from).touched(to),
            targets: Bitboard::EMPTY,
            pieces_key: 0,
            irreversible: false,
            reversible_by: Move::default(),
        };
        let captures = self.board.occupied().has(to);
        let mut kept = Bitboard::EMPTY;
        let mut castled = false;
        if captures {
            after.toggle(!us, self.board.kind_of_piece(to), to);
        }
        after.toggle(us, kind, from);
        after.toggle(us, step.promotion().unwrap_or(kind), to);
        let own = self.targets & reach::sixth_rank(!us);
        let mut made = Bitboard::EMPTY;
        if kind == Kind::Pawn {
            if !captures && from.file() != to.file() {
                after.toggle(
                    !us,
                    Kind::Pawn,
                    crate::rules::placement::en_passant_victim(to),
                );
                if self.moves_left == 2 {
                    kept = self.targets & reach::sixth_rank(us);
                }
            } else if from.index().abs_diff(to.index()) == 16 {
                made = Bitboard::of(Square::from_index((from.index() + to.index()) as u8 / 2));
            }
        } else if kind == Kind::King && from.file() == 4 && from.file().abs_diff(to.file()) == 2 {
            castled = true;
            let castling_side = CastlingSide::towards(to.file());
            after.toggle(us, Kind::Rook, castling_side.rook_home(us));
            after.toggle(us, Kind::Rook, castling_side.rook_target(us));
        }
        after.irreversible = kind == Kind::Pawn || captures;
        if self.moves_left == 2 && !after.irreversible && !castled {
            after.reversible_by = Move::new(to, from);
        }
        let targets = own | made | kept;
        if targets.any() {
            after.targets = Self::live_targets(&after.board, targets);
        }
        after
    }

    /// The position after the first half, without its key and clock.
    #[inline(always)]
    pub(super) fn half(&self, step: Move) -> Self {
        let after = self.after(self.board.kind_of_piece(step.from()), step);
        Self {
            board: after.board,
            rights: after.rights,
            targets: after.targets,
            reversal: after.reversible_by,
            moves_left: 1,
            ..*self
        }
    }

    /// Whether the king of the side to move is safe from the opponent's double move after the move of a piece of this
    /// kind.
    #[inline(always)]
    pub(super) fn is_safe_after(&self, kind: Kind, step: Move) -> bool {
        let after = self.after(kind, step);
        let theirs = after.targets & reach::sixth_rank(!self.side);
        !reach::capturable(&after.board, !self.side, after.rights, theirs)
    }

    /// With a whole turn to play, the number of first steps, and of those after which the king is safe; else none.
    fn first_steps(&self) -> (u64, u64) {
        let (mut steps, mut parries) = (0, 0);
        if self.moves_left == 2 {
            movegen::pseudo_legal(self, &mut |step| {
                let kind = self.board.kind_of_piece(step.from());
                steps += 1;
                parries += u64::from(self.is_safe_after(kind, step));
            });
        }
        (steps, parries)
    }

    fn state_key(&self) -> u64 {
        let mut key = RIGHTS[self.rights.index()];
        for target in self.targets {
            key ^= TARGETS[target.index()];
        }
        if self.side == Color::Black {
            key ^= BLACK;
        }
        if self.moves_left == 1 {
            key ^= ONE_LEFT;
        }
        if self.reversal != Move::default() {
            key ^=
                REVERSAL[0][self.reversal.from().index()] ^ REVERSAL[1][self.reversal.to().index()];
        }
        key
    }
}

/// What one move leaves behind.
#[derive(Clone, Copy)]
pub(super) struct After {
    pub board: Board<6>,
    pub rights: CastlingRights,
    pub targets: Bitboard,
    /// What the pieces add to the key's change.
    pub pieces_key: u64,
    /// A capture or a pawn move.
    pub irreversible: bool,
    /// The second move that would undo it.
    pub reversible_by: Move,
}

impl After {
    #[inline(always)]
    fn toggle(&mut self, color: Color, kind: Kind, square: Square) {
        self.board.toggle(color, kind, square);
        self.pieces_key ^= PIECES[color.index()][kind.index() % 6][square.index()];
    }
}

impl Rules for TwoMove {
    type Step = Move;
    type Options = Options;

    const MAX_STEPS: usize = 2;

    fn null_move(&self) -> Option<Self> {
        if self.moves_left == 1 || self.in_check() {
            return None;
        }
        let mut passed = *self;
        passed.side = !self.side;
        passed.targets = Bitboard::EMPTY;
        passed.clock = self.clock.saturating_add(1);
        passed.number = self.number.saturating_add(self.side.index() as u32);
        passed.key ^= self.state_key() ^ passed.state_key();
        Some(passed)
    }

    #[inline]
    fn side_to_move(&self) -> Color {
        self.side
    }

    #[inline]
    fn is_mid_turn(&self) -> bool {
        self.moves_left == 1 && !self.opening
    }

    #[inline]
    fn key(&self) -> u64 {
        self.key
    }

    fn generate(&self, steps: &mut StepList<Move>) {
        if self.moves_left == 1 {
            second::legal(self, &mut count::Lister(steps));
        } else {
            self.pseudo_legal(steps);
        }
    }

    fn play(&mut self, step: Move) {
        let before = self.state_key();
        let after = self.after(self.board.kind_of_piece(step.from()), step);
        self.board = after.board;
        self.rights = after.rights;
        self.targets = after.targets;
        self.reversal = after.reversible_by;
        if after.irreversible {
            self.clock = 0;
        } else if self.moves_left == 2 {
            self.clock = self.clock.saturating_add(1);
        }
        self.opening = false;
        if self.moves_left == 2 {
            self.moves_left = 1;
        } else {
            self.moves_left = 2;
            self.number = self.number.saturating_add(self.side.index() as u32);
            self.side = !self.side;
        }
        self.key ^= before ^ after.pieces_key ^ self.state_key();
    }

    fn has_turn(&self) -> bool {
        count::has_turn(self)
    }

    fn count_turns(&self) -> u64 {
        count::turns(self)
    }

    /// In check, when a first step parries, nearly anything may follow it: as many turns as there are first steps. What there is when
    /// both steps have to parry is counted.
    fn guess_turns(&self) -> u64 {
        match self.first_steps() {
            (_, 0) => self.count_turns(),
            (steps, parries) => steps * parries,
        }
    }

    fn in_check(&self) -> bool {
        reach::capturable(&self.board, !self.side, self.rights, Bitboard::EMPTY)
    }

    fn lost_without_turn(&self) -> bool {
        // With a whole turn to play, a first move that parries makes it stalemate, whatever keeps the second from
        // being played.
        self.in_check() && self.first_steps().1 == 0
    }

    fn win_reason(&self) -> WinReason {
        WinReason::CHECKMATE
    }
}

impl Draws for TwoMove {
    fn is_dead(&self, options: &Options) -> bool {
        let pieces = self.board.occupied();
        options.dead_draw
            && (pieces.len() == 2 || pieces.len() == 3 && self.board.kind(Kind::Bishop).any())
    }

    fn clock_draw(&self, options: &Options) -> Option<DrawReason> {
        (self.clock_turns(options) >= Self::CLOCK_LIMIT).then_some(DrawReason::Clock)
    }

    const CLOCK_LIMIT: usize = 100;

    fn clock_turns(&self, options: &Options) -> usize {
        if options.clock_draw {
            usize::from(self.clock)
        } else {
            0
        }
    }

    fn reversible_turns(&self, options: &Options) -> usize {
        if options.repetition_draw {
            usize::from(self.clock)
        } else {
            0
        }
    }
}

impl Chance for TwoMove {}

impl RecomputeKey for TwoMove {
    fn recomputed_key(&self) -> u64 {
        let mut key = self.state_key();
        for square in self.board.occupied() {
            if let Some((color, kind)) = self.board.piece_at(square) {
                key ^= PIECES[color.index()][kind.index()][square.index()];
            }
        }
        key
    }
}
