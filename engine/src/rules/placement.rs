//! What the position strings of the 8x8 games have in common: the words of a FEN, the pieces on the board, side, castling
//! rights, en passant targets and counters, each read with a typed error or a warning; and the board for a terminal.
//!
//! A game takes its own words (dice, `p0`, `1:f3g1`) out of [`words`] first and reads the others by their place, so
//! that missing fields take their defaults from the right.

use super::{Board, CastlingRights, CastlingSide, Diagram, FenError, Field, Problem, Spot};
use crate::core::{Bitboard, Color, Kind, Square, attacks};
use std::fmt::{self, Write};

/// The longest list of words that a position string can have.
const MOST_WORDS: usize = 16;

/// The words of a position string.
///
/// # Errors
/// More than 16 words.
pub fn words(fen: &str) -> Result<Vec<&str>, FenError> {
    let mut words: Vec<&str> = fen.split_ascii_whitespace().take(MOST_WORDS + 1).collect();
    if words.len() > MOST_WORDS {
        let last = words.remove(MOST_WORDS);
        return Err(FenError::new(Field::Position, unknown_word(last)));
    }
    Ok(words)
}

/// Creates an error for an unexpected word, shortened for display.
pub fn unknown_word(word: &str) -> Problem {
    Problem::UnknownWord(excerpt(word))
}

/// Creates an error for an unreadable field, with its text shortened for display.
pub fn unreadable(field: Field, text: &str) -> FenError {
    FenError::new(field, Problem::Unreadable(excerpt(text)))
}

fn excerpt(text: &str) -> String {
    text.chars().take(64).collect()
}

/// Reads the pieces, rank 8 first. On a board of ten kinds a `~` behind a letter marks a promoted piece; the second value
/// is the set of these.
///
/// # Errors
/// Unknown letters (also of kinds that a board of `N` kinds does not have), a wrong number of ranks or of squares in a
/// rank, or no text.
pub fn read_board<const N: usize>(text: Option<&str>) -> Result<(Board<N>, Bitboard), FenError> {
    let err = |problem| FenError::new(Field::Board, problem);
    let text = text.ok_or_else(|| err(Problem::Missing))?;
    let ranks = text.split('/').count();
    if ranks != 8 {
        return Err(err(Problem::RankCount(ranks)));
    }
    let mut board = Board::default();
    let mut promoted = Bitboard::EMPTY;
    for (i, rank) in text.split('/').enumerate() {
        let mut file = 0;
        let mut last = None;
        for letter in rank.chars() {
            let piece = last.take();
            if let Some(skip @ 1..=8) = letter.to_digit(10) {
                file += skip as usize;
            } else if letter == '~' && N > 6 {
                promoted |= piece.ok_or_else(|| err(Problem::UnknownLetter('~')))?;
            } else {
                let kind = Kind::from_letter(letter)
                    .filter(|kind| kind.index() < N)
                    .ok_or_else(|| err(Problem::UnknownLetter(letter)))?;
                let color = Color::of_case(letter);
                if file < 8 {
                    let square = Square::new(file as u8, 7 - i as u8);
                    board.toggle(color, kind, square);
                    last = Some(Bitboard::of(square));
                }
                file += 1;
            }
        }
        if file != 8 {
            return Err(err(Problem::RankLength {
                rank: i + 1,
                squares: file,
            }));
        }
    }
    Ok((board, promoted))
}

/// Writes the pieces, rank 8 first, with `~` behind the pieces of `promoted`.
///
/// ```
/// use fauve_engine::rules::placement::{board_fen, read_board};
///
/// // A board of ten kinds, with a Princess that was a pawn once.
/// let text = "4k3/8/8/8/V6E/8/8/S~A2K3";
/// let (board, promoted) = read_board::<10>(Some(text))?;
/// assert_eq!(promoted.len(), 1);
/// assert_eq!(board_fen(&board, promoted), text);
/// // On a board of six kinds there is no such piece.
/// assert!(read_board::<6>(Some(text)).is_err());
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn board_fen<const N: usize>(board: &Board<N>, promoted: Bitboard) -> String {
    let mut text = String::with_capacity(72);
    for rank in (0..8).rev() {
        let mut free = 0;
        for file in 0..8 {
            let square = Square::new(file, rank);
            if let Some(letter) = letter_at(board, square) {
                if free > 0 {
                    text.push((b'0' + free) as char);
                    free = 0;
                }
                text.push(letter);
                if promoted.has(square) {
                    text.push('~');
                }
            } else {
                free += 1;
            }
        }
        if free > 0 {
            text.push((b'0' + free) as char);
        }
        if rank > 0 {
            text.push('/');
        }
    }
    text
}

fn letter_at<const N: usize>(board: &Board<N>, square: Square) -> Option<char> {
    let (color, kind) = board.piece_at(square)?;
    Some(color.fen_char(kind.letter()))
}

/// Refuses boards that no game of the orthodox array reaches: more than 16 pieces or 8 pawns of a side, or pawns on the
/// first or last rank. Kings are not looked at; see [`check_kings`].
///
/// # Errors
/// What there is too much of, or where pawns stand.
pub fn check_pieces<const N: usize>(board: &Board<N>) -> Result<(), FenError> {
    for color in Color::ALL {
        for (set, most, what) in [
            (board.color(color), 16, "pieces"),
            (board.pieces(color, Kind::Pawn), 8, "pawns"),
        ] {
            if set.len() > most {
                return Err(FenError::new(Field::Board, Problem::TooMany(color, what)));
            }
        }
    }
    let edges = Bitboard::RANK_1 | Bitboard::RANK_8;
    if (board.kind(Kind::Pawn) & edges).any() {
        return Err(FenError::new(Field::Board, Problem::PawnOnEdge));
    }
    Ok(())
}

/// Refuses boards without exactly one king a side.
///
/// # Errors
/// The side and how many kings it has.
pub fn check_kings<const N: usize>(board: &Board<N>) -> Result<(), FenError> {
    for color in Color::ALL {
        let kings = board.pieces(color, Kind::King).len();
        if kings != 1 {
            return Err(FenError::new(Field::Board, Problem::Kings(color, kings)));
        }
    }
    Ok(())
}

/// Reads the side to move, `w` or `b`.
///
/// # Errors
/// Anything else, or nothing.
pub fn read_side(word: Option<&str>) -> Result<Color, FenError> {
    match word {
        Some("w") => Ok(Color::White),
        Some("b") => Ok(Color::Black),
        Some(other) => Err(unreadable(Field::Side, other)),
        None => Err(FenError::new(Field::Side, Problem::Missing)),
    }
}

/// Reads castling rights: `-`, nothing, or some of `KQkq`, each once. A right whose king or rook is not at home is
/// dropped with a warning.
///
/// # Errors
/// Other letters, or one twice.
pub fn read_castling<const N: usize>(
    word: Option<&str>,
    board: &Board<N>,
    warnings: &mut Vec<String>,
) -> Result<CastlingRights, FenError> {
    let mut rights = CastlingRights::default();
    let word = word.unwrap_or("-");
    if word == "-" {
        return Ok(rights);
    }
    let mut seen = rights;
    for letter in word.chars() {
        let (color, castling_side) = match letter {
            'K' => (Color::White, CastlingSide::King),
            'Q' => (Color::White, CastlingSide::Queen),
            'k' => (Color::Black, CastlingSide::King),
            'q' => (Color::Black, CastlingSide::Queen),
            _ => {
                return Err(FenError::new(
                    Field::Castling,
                    Problem::UnknownLetter(letter),
                ));
            }
        };
        if seen.has(color, castling_side) {
            return Err(unreadable(Field::Castling, word));
        }
        seen.add(color, castling_side);
        if board
            .pieces(color, Kind::King)
            .has(castling_side.king_home(color))
            && board
                .pieces(color, Kind::Rook)
                .has(castling_side.rook_home(color))
        {
            rights.add(color, castling_side);
        } else {
            warnings.push(format!(
                "castling right {letter} dropped: king or rook not at home"
            ));
        }
    }
    Ok(rights)
}

/// Reads en passant targets: `-`, nothing, or different squares of rank 3 or 6 without separator (`a3c3`). Whether they
/// fit the board is for [`en_passant_fault`].
///
/// # Errors
/// Other text, a square twice, or more than `most` squares.
pub fn read_targets(word: Option<&str>, most: u32) -> Result<Bitboard, FenError> {
    let mut targets = Bitboard::EMPTY;
    let word = word.unwrap_or("-");
    if word == "-" {
        return Ok(targets);
    }
    if word.is_empty() {
        return Err(unreadable(Field::EnPassant, word));
    }
    for pair in word.as_bytes().chunks(2) {
        let square: Option<Square> = std::str::from_utf8(pair)
            .ok()
            .and_then(|text| text.parse().ok());
        match square {
            Some(square)
                if matches!(square.rank(), 2 | 5)
                    && !targets.has(square)
                    && targets.len() < most =>
            {
                targets |= Bitboard::of(square);
            }
            _ => return Err(unreadable(Field::EnPassant, word)),
        }
    }
    Ok(targets)
}

/// Writes en passant targets, files from a to h, White's rank 3 before rank 6; `-` for none.
///
/// ```
/// use fauve_engine::rules::placement::{read_targets, targets_fen};
///
/// // Two-move chess and DiceChess can have several pawns in passing at once.
/// let targets = read_targets(Some("c3a3"), 8)?;
/// assert_eq!(targets_fen(targets), "a3c3");
/// assert!(read_targets(Some("c3a3"), 1).is_err());
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn targets_fen(targets: Bitboard) -> String {
    if targets.is_empty() {
        return "-".to_owned();
    }
    targets.map(|square| square.to_string()).collect()
}

/// Returns the reason why a square cannot be the target of an en passant capture by `by`, if there is one: wrong rank, no enemy
/// pawn in front of it, or an occupied square.
pub fn en_passant_fault<const N: usize>(
    board: &Board<N>,
    by: Color,
    target: Square,
) -> Option<&'static str> {
    let rank = match by {
        Color::White => 5,
        Color::Black => 2,
    };
    if target.rank() != rank {
        Some("wrong rank for the side to move")
    } else if !board.pieces(!by, Kind::Pawn).has(en_passant_victim(target)) {
        Some("no pawn stands before it")
    } else if board.occupied().has(target) {
        Some("the square is occupied")
    } else {
        None
    }
}

/// Returns the square of the pawn that an en passant capture on `target` captures.
#[inline(always)]
pub const fn en_passant_victim(target: Square) -> Square {
    Square::from_index(target.index() as u8 ^ 8)
}

/// Whether a pawn of `by` attacks a square.
#[inline(always)]
pub fn pawn_attacks<const N: usize>(board: &Board<N>, by: Color, square: Square) -> bool {
    (attacks::pawn(!by, square) & board.pieces(by, Kind::Pawn)).any()
}

/// Reads a counter: decimal digits. Values above `most` become `most`, with a warning.
///
/// # Errors
/// Anything but digits.
pub fn read_counter(
    word: Option<&str>,
    field: Field,
    default: u32,
    most: u32,
    warnings: &mut Vec<String>,
) -> Result<u32, FenError> {
    let Some(word) = word else {
        return Ok(default);
    };
    if word.is_empty() || !word.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(unreadable(field, word));
    }
    // Only digits are left, so that the one possible fault is that the number is too big.
    let value = word.parse::<u64>().unwrap_or(u64::MAX);
    if value > u64::from(most) {
        warnings.push(format!("{field} lowered to {most}"));
    }
    Ok(value.min(u64::from(most)) as u32)
}

/// Reads the counter of quiet turns: as much as a position counts, so that whatever is written reads back. Every draw by
/// it comes long before.
///
/// # Errors
/// Anything but digits.
pub fn read_clock(word: Option<&str>, warnings: &mut Vec<String>) -> Result<u16, FenError> {
    let clock = read_counter(word, Field::Clock, 0, u32::from(u16::MAX), warnings)?;
    Ok(clock as u16)
}

/// Reads the turn number, 1 or more; 0 becomes 1 with a warning.
///
/// # Errors
/// Anything but digits.
pub fn read_turn_number(word: Option<&str>, warnings: &mut Vec<String>) -> Result<u32, FenError> {
    let number = read_counter(word, Field::TurnNumber, 1, u32::MAX, warnings)?;
    if number == 0 {
        warnings.push("turn number raised to 1".to_owned());
    }
    Ok(number.max(1))
}

impl fmt::Display for CastlingRights {
    /// FEN's third field, `KQkq` to `-`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.index() == 0 {
            return f.write_str("-");
        }
        for (color, castling_side, letter) in [
            (Color::White, CastlingSide::King, 'K'),
            (Color::White, CastlingSide::Queen, 'Q'),
            (Color::Black, CastlingSide::King, 'k'),
            (Color::Black, CastlingSide::Queen, 'q'),
        ] {
            if self.has(color, castling_side) {
                f.write_char(letter)?;
            }
        }
        Ok(())
    }
}

/// The board as data; promoted pieces are marked.
pub fn board_diagram<const N: usize>(board: &Board<N>, promoted: Bitboard) -> Diagram {
    let names = |first: u8| (first..first + 8).map(|letter| (letter as char).to_string());
    let spot = |square: Square| Spot {
        name: square.to_string(),
        ground: None,
        piece: letter_at(board, square).map(|letter| {
            let is_white = letter.is_ascii_uppercase();
            (if is_white { Color::White } else { Color::Black }, letter)
        }),
        is_promoted: promoted.has(square),
    };
    Diagram {
        files: names(b'a').collect(),
        ranks: names(b'1').rev().collect(),
        rows: (0..8)
            .rev()
            .map(|rank| (0..8).map(|file| spot(Square::new(file, rank))).collect())
            .collect(),
        counted: None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";

    fn problem<T: std::fmt::Debug>(result: Result<T, FenError>) -> Problem {
        result.unwrap_err().problem
    }

    #[test]
    fn boards_come_back_as_written() {
        for text in [START, "8/8/8/8/8/8/8/8", "r3k2r/8/1p6/7P/8/8/8/R3K2R"] {
            let (board, promoted) = read_board::<6>(Some(text)).unwrap();
            assert_eq!(board_fen(&board, promoted), text);
        }
        let text = "4k3/8/8/8/V~6E/8/8/S~A2K3";
        let (board, promoted) = read_board::<10>(Some(text)).unwrap();
        assert_eq!(promoted.len(), 2);
        assert_eq!(board_fen(&board, promoted), text);
    }

    #[test]
    fn boards_are_refused_for_what_is_wrong() {
        let read = |text| problem(read_board::<6>(Some(text)));
        assert_eq!(problem(read_board::<6>(None)), Problem::Missing);
        assert_eq!(read("8/8"), Problem::RankCount(2));
        assert_eq!(read("9/8/8/8/8/8/8/8"), Problem::UnknownLetter('9'));
        assert_eq!(
            read("8/8/8/ppppppppp/8/8/8/8"),
            Problem::RankLength {
                rank: 4,
                squares: 9
            }
        );
        assert_eq!(
            read("8/8/8/8/8/8/8/7"),
            Problem::RankLength {
                rank: 8,
                squares: 7
            }
        );
        assert_eq!(read("8/8/8/8/8/8/8/A7"), Problem::UnknownLetter('A'));
        assert_eq!(read("8/8/8/8/8/8/8/Q~7"), Problem::UnknownLetter('~'));
        assert_eq!(
            problem(read_board::<10>(Some("8/8/8/8/8/8/8/Q~~6"))),
            Problem::UnknownLetter('~')
        );
        assert_eq!(read("8/8/8/8/8/8/8/ü7"), Problem::UnknownLetter('ü'));
    }

    #[test]
    fn rights_without_pieces_at_home_are_dropped() {
        let (board, _) = read_board::<6>(Some("r3k2r/8/8/8/8/8/8/R3K3")).unwrap();
        let mut warnings = Vec::new();
        let rights = read_castling(Some("KQkq"), &board, &mut warnings).unwrap();
        assert_eq!(rights.to_string(), "Qkq");
        assert_eq!(warnings.len(), 1);
        assert!(read_castling(Some("KK"), &board, &mut warnings).is_err());
        assert!(read_castling(Some("K-"), &board, &mut warnings).is_err());
        assert!(read_castling(Some("HAha"), &board, &mut warnings).is_err());
    }

    #[test]
    fn targets_are_squares_of_rank_3_or_6() {
        let targets = read_targets(Some("c3a3"), 8).unwrap();
        assert_eq!(targets_fen(targets), "a3c3");
        assert_eq!(targets_fen(read_targets(None, 1).unwrap()), "-");
        for bad in ["a3c3", "e4", "e", "e33", "", "é3", "--"] {
            assert!(read_targets(Some(bad), 1).is_err(), "{bad}");
        }
        assert!(read_targets(Some("a3a3"), 8).is_err());
    }

    #[test]
    fn counters_do_not_overflow() {
        let mut warnings = Vec::new();
        let mut read = |text| read_counter(Some(text), Field::Clock, 0, 9999, &mut warnings);
        assert_eq!(read("0").unwrap(), 0);
        assert_eq!(read("99999999999999999999999999").unwrap(), 9999);
        assert!(read("-1").is_err());
        assert!(read("1e3").is_err());
        assert!(read("٣").is_err());
        assert_eq!(warnings.len(), 1);
        assert_eq!(read_turn_number(Some("0"), &mut warnings).unwrap(), 1);
    }
}
