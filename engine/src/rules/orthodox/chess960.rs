//! Castling of Chess960, where king and rooks begin on any square of their rank: FIDE Laws of Chess, Guidelines II.
//!
//! A castling move is the king's move to the square of its own rook, which no other move is. Positions of orthodox chess
//! have no [`RookRights`], and pay one comparison where a move is made and one where moves are generated.

use super::{Effect, Orthodox, position};
use crate::core::{Bitboard, Color, Kind, Move, Square, attacks, zobrist};
use crate::rules::placement::{read_castling, unreadable};
use crate::rules::{Board, CastlingRights, CastlingSide, FenError, Field, Problem};
use std::fmt::{self, Write};

/// The rooks with which each side may castle in Chess960.
///
/// Four bits for each side of the board in the order `KQkq` from bit 0: 0 without the right, else 8 more than the rook's file.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct RookRights(u16);

/// By the square of the rook.
static ROOKS: [u64; 64] = zobrist::keys(0x0f23);

const fn shift(color: Color, castling_side: CastlingSide) -> u32 {
    (color.index() * 2 + castling_side as usize) as u32 * 4
}

impl RookRights {
    /// Whether there is any right.
    #[inline(always)]
    pub const fn any(self) -> bool {
        self.0 != 0
    }

    /// The rook with which a side may castle towards a side of the board.
    pub const fn rook(self, color: Color, castling_side: CastlingSide) -> Option<Square> {
        let bits = self.0 >> shift(color, castling_side) & 15;
        if bits == 0 {
            return None;
        }
        Some(Square::new(bits as u8 & 7, color as u8 * 7))
    }

    /// The rights and the rook of each.
    fn all(self) -> impl Iterator<Item = (Color, CastlingSide, Square)> {
        Color::ALL.into_iter().flat_map(move |color| {
            let rook =
                move |castling_side| Some((color, castling_side, self.rook(color, castling_side)?));
            CastlingSide::ALL.into_iter().filter_map(rook)
        })
    }

    const fn add(&mut self, color: Color, castling_side: CastlingSide, file: u8) {
        self.0 |= (8 | file as u16) << shift(color, castling_side);
    }

    /// The rights that remain when something moves from or to a square.
    fn without_rook(self, square: Square) -> Self {
        let mut left = self;
        for (color, castling_side, rook) in self.all() {
            if rook == square {
                left.0 &= !(15 << shift(color, castling_side));
            }
        }
        left
    }

    /// The rights of the other colour alone.
    const fn without_side(self, color: Color) -> Self {
        Self(self.0 & !(0xff << shift(color, CastlingSide::King)))
    }

    /// The rights with the colours exchanged.
    pub(super) const fn flipped(self) -> Self {
        Self(self.0.rotate_left(8))
    }

    /// The part of a position's key.
    pub(super) fn key(self) -> u64 {
        self.all()
            .fold(0, |key, (_, _, rook)| key ^ ROOKS[rook.index()])
    }

    /// Reads the castling field of a FEN as Chess960 has it: the files of the rooks (Shredder-FEN, `HAha`), or `KQkq` for the
    /// outermost rook of each side (X-FEN). A right whose king or rook is not on its first rank is dropped with a warning.
    ///
    /// Outside of Chess960 (`is_chess960` is false) letters `KQkq` are read as orthodox chess does, and so are files if they are
    /// those of the orthodox array; the rights are orthodox ones then, and the second value has none.
    ///
    /// # Errors
    /// Other letters, or a side of the board twice.
    pub fn read<const N: usize>(
        word: Option<&str>,
        board: &Board<N>,
        is_chess960: bool,
        warnings: &mut Vec<String>,
    ) -> Result<(CastlingRights, Self), FenError> {
        let word = word.unwrap_or("-");
        let has_files = word
            .bytes()
            .any(|letter| matches!(letter.to_ascii_lowercase(), b'a'..=b'h'));
        if word == "-" || !is_chess960 && !has_files {
            let rights = read_castling(Some(word), board, warnings)?;
            return Ok((rights, Self::default()));
        }
        let mut rights = Self::default();
        let mut seen = 0u16;
        for letter in word.chars() {
            let color = Color::of_case(letter);
            let kings = board.pieces(color, Kind::King) & first_rank(color);
            let rooks = board.pieces(color, Kind::Rook) & first_rank(color);
            let king = kings.try_first().map_or(4, Square::file);
            let (castling_side, file) = match letter.to_ascii_lowercase() {
                'k' => (CastlingSide::King, rooks.last().map(Square::file)),
                'q' => (CastlingSide::Queen, rooks.try_first().map(Square::file)),
                file @ 'a'..='h' => {
                    let file = file as u8 - b'a';
                    let castling_side = if file > king {
                        CastlingSide::King
                    } else {
                        CastlingSide::Queen
                    };
                    (castling_side, Some(file))
                }
                _ => {
                    let problem = Problem::UnknownLetter(letter);
                    return Err(FenError::new(Field::Castling, problem));
                }
            };
            let bit = 1u16 << shift(color, castling_side);
            if seen & bit != 0 {
                return Err(unreadable(Field::Castling, word));
            }
            seen |= bit;
            let is_outside = |file: &u8| match castling_side {
                CastlingSide::King => *file > king,
                CastlingSide::Queen => *file < king,
            };
            let rank = color as u8 * 7;
            let has_rook = |file: &u8| rooks.has(Square::new(*file, rank));
            match file.filter(is_outside).filter(has_rook) {
                Some(file) if kings.any() => rights.add(color, castling_side, file),
                _ => warnings.push(format!(
                    "castling right {letter} dropped: king or rook not on its first rank"
                )),
            }
        }
        let is_orthodox = |(color, castling_side, rook): (Color, CastlingSide, Square)| {
            rook == castling_side.rook_home(color)
                && board
                    .pieces(color, Kind::King)
                    .has(castling_side.king_home(color))
        };
        let mut orthodox = CastlingRights::default();
        if !is_chess960 && rights.all().all(is_orthodox) {
            for (color, castling_side, _) in rights.all() {
                orthodox.add(color, castling_side);
            }
            rights = Self::default();
        }
        Ok((orthodox, rights))
    }
}

const fn first_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::RANK_1,
        Color::Black => Bitboard::RANK_8,
    }
}

impl fmt::Display for RookRights {
    /// The files of the rooks, as Shredder-FEN has them: `HAha`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (color, _, rook) in self.all() {
            f.write_char(color.fen_char((b'A' + rook.file()) as char))?;
        }
        Ok(())
    }
}

impl<const N: usize> Orthodox<N> {
    /// The castling move of Chess960 that a legal move is: its side of the board.
    #[inline(always)]
    pub fn castles_to_rook(&self, step: Move) -> Option<CastlingSide> {
        if !self.rooks.any() || !self.board.color(self.side).has(step.to()) {
            return None;
        }
        Some(if step.to().file() > step.from().file() {
            CastlingSide::King
        } else {
            CastlingSide::Queen
        })
    }

    pub(super) const fn set_rook_rights(&mut self, rooks: RookRights) {
        self.rooks = rooks;
        self.castling = if rooks.any() {
            CastlingRights::CHESS960
        } else {
            CastlingRights::EMPTY
        };
    }

    /// Makes a legal move while there are rights.
    #[cold]
    #[inline(never)]
    pub(super) fn play_chess960(&mut self, step: Move) -> Effect {
        let (us, old) = (self.side, self.rooks);
        let (effect, rooks) = if let Some(castling_side) = self.castles_to_rook(step) {
            self.castle_to_rook(step, castling_side);
            let captured = None;
            let mover = Kind::King;
            (Effect { mover, captured }, old.without_side(us))
        } else {
            self.set_rook_rights(RookRights::default());
            let effect = self.play(step);
            let left = old.without_rook(step.from());
            let left = left.without_rook(step.to());
            let is_king = effect.mover == Kind::King;
            (effect, if is_king { left.without_side(us) } else { left })
        };
        self.key ^= old.key() ^ rooks.key();
        self.set_rook_rights(rooks);
        effect
    }

    fn castle_to_rook(&mut self, step: Move, castling_side: CastlingSide) {
        let us = self.side;
        // A null move has all the rest of a quiet move.
        *self = self.after_null_move();
        let moves = [
            (Kind::King, step.from(), castling_side.king_target(us)),
            (Kind::Rook, step.to(), castling_side.rook_target(us)),
        ];
        // Both leave their squares before either arrives: they may change places.
        for (kind, from, _) in moves {
            self.board.toggle(us, kind, from);
            self.key ^= position::piece_key(us, kind, from);
        }
        for (kind, _, to) in moves {
            self.board.toggle(us, kind, to);
            self.key ^= position::piece_key(us, kind, to);
        }
    }

    /// The squares of the rooks with which a king that is not in check may castle now.
    #[cold]
    #[inline(never)]
    pub(super) fn castling_rooks(&self, us: Color, king: Square) -> Bitboard {
        let board = &self.board;
        let mut found = Bitboard::EMPTY;
        for castling_side in CastlingSide::ALL {
            let Some(rook) = self.rooks.rook(us, castling_side) else {
                continue;
            };
            let (king_to, rook_to) = (castling_side.king_target(us), castling_side.rook_target(us));
            let others = board.occupied() - Bitboard::of(king) - Bitboard::of(rook);
            let walk = attacks::between(king, king_to) | Bitboard::of(king_to);
            let way = walk | attacks::between(rook, rook_to) | Bitboard::of(rook_to);
            if (others & way).any() {
                continue;
            }
            // The rook may have shielded the king's target from a rook or queen behind it.
            let after = others | Bitboard::of(king_to) | Bitboard::of(rook_to);
            let without_king = board.occupied() - Bitboard::of(king);
            let is_attacked = |square, occupied| board.attackers(!us, square, occupied).any();
            let mut walked = walk - Bitboard::of(king);
            if walked.all(|square| !is_attacked(square, without_king))
                && !is_attacked(king_to, after)
            {
                found |= Bitboard::of(rook);
            }
        }
        found
    }
}
