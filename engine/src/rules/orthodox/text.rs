use super::{Orthodox, RookRights};
use crate::core::{Bitboard, Move};
use crate::rules::placement::{
    check_kings, check_pieces, en_passant_fault, read_castling, read_clock, read_side,
    read_targets, read_turn_number, targets_fen, unknown_word,
};
use crate::rules::san::move_san;
use crate::rules::{Board, CastlingRights, FenError, Field, Problem, Rules};

impl<const N: usize> Orthodox<N> {
    /// Reads the fields behind the board: side, castling, e.p. target, clock, turn number. All but the side may be
    /// missing from the right. What is dropped or corrected goes to `warnings`. With `rights` the castling field has been read,
    /// and has these of orthodox chess or these of Chess960.
    ///
    /// # Errors
    /// A board that no game reaches (kings, pawns, numbers of pieces), a field that cannot be read, one too many, or the
    /// side not to move in check.
    pub fn from_fields(
        board: Board<N>,
        fields: &[&str],
        rights: Option<(CastlingRights, RookRights)>,
        warnings: &mut Vec<String>,
    ) -> Result<Self, FenError> {
        check_kings(&board)?;
        check_pieces(&board)?;
        let field = |i: usize| fields.get(i).copied();
        let side = read_side(field(0))?;
        let (castling, rooks) = match rights {
            Some(rights) => rights,
            None => (
                read_castling(field(1), &board, warnings)?,
                RookRights::default(),
            ),
        };
        let mut target = read_targets(field(2), 1)?.try_first();
        if let Some(square) = target {
            // The square that the pawn came from has to be free, too.
            let origin = square.index() ^ 8 ^ 16;
            let fault = en_passant_fault(&board, side, square).or_else(|| {
                (board.occupied().0 >> origin & 1 != 0)
                    .then_some("the square that its pawn came from is occupied")
            });
            if let Some(fault) = fault {
                warnings.push(format!("en passant target {square} dropped: {fault}"));
                target = None;
            }
        }
        let clock = read_clock(field(3), warnings)?;
        let number = read_turn_number(field(4), warnings)?;
        if let Some(word) = field(5) {
            return Err(FenError::new(Field::Position, unknown_word(word)));
        }
        let mut position = Self::new(board, side, castling, target, clock, number);
        if rooks.any() {
            position = position.with_rook_rights(rooks);
        }
        let other = board.king(!side);
        if board.attackers(side, other, board.occupied()).any() {
            return Err(FenError::new(Field::Position, Problem::OpponentInCheck));
        }
        Ok(position)
    }

    /// Returns the fields after the board, `w KQkq - 0 1`.
    pub fn fields_fen(&self) -> String {
        let target = self.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        let castling = if self.rooks.any() {
            self.rooks.to_string()
        } else {
            self.castling().to_string()
        };
        format!(
            "{} {castling} {} {} {}",
            self.side_to_move().letter(),
            targets_fen(target),
            self.clock(),
            self.number()
        )
    }

    /// Returns the standard algebraic notation of a legal move without its check or mate sign. `legal` contains all legal
    /// moves, which decide how the piece must be disambiguated.
    pub fn san(&self, step: Move, legal: &[Move]) -> String {
        match self.castles_to_rook(step) {
            Some(side) => side.san().to_owned(),
            None => move_san(&self.board, step, || legal),
        }
    }
}

/// Returns the suffix of a move in SAN: `#` if the position after it is mate, `+` if it is check, else nothing.
pub fn check_sign<G: Rules>(after: &G) -> &'static str {
    if !after.in_check() {
        ""
    } else if after.has_turn() {
        "+"
    } else {
        "#"
    }
}

/// Whether a token names a move: the token itself, with the promotion letter in either case.
pub fn accepts_token(step: Move, token: &str) -> bool {
    let own = step.to_string();
    own == token
        || token.len() == 5
            && token.is_char_boundary(4)
            && own[..4] == token[..4]
            && own.eq_ignore_ascii_case(token)
}
