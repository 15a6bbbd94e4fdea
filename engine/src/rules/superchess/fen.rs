use super::{Options, Pool, Superchess, prologue};
use crate::core::{Bitboard, Color, Kind};
use crate::rules::orthodox::Orthodox;
use crate::rules::placement::{board_fen, read_board, unknown_word, unreadable, words};
use crate::rules::{Board, CastlingSide, FenError, Field, Parsed, Problem};

/// Reads a position string: FEN with the pool in brackets behind the board, `~` behind promoted pieces, and `p0` to `p3`
/// for a prologue that is not over.
pub(super) fn parse(fen: &str, options: Options) -> Result<Parsed<Superchess>, FenError> {
    let mut words = words(fen)?;
    let turns = take_prologue(&mut words)?;
    let (pieces, brackets) = match words.first() {
        Some(word) => split_brackets(word)?,
        None => (None, None),
    };
    let (board, marked) = read_board(pieces)?;
    check_amazons(&board)?;
    let physical = options.physical_pool;
    let promoted = if physical { Bitboard::EMPTY } else { marked };
    check_promoted(&board, promoted)?;
    let mut warnings = Vec::new();
    let orthodox = Orthodox::from_fields(board, &words[1..], None, &mut warnings)?;
    let orthodox = without_promoted_rooks(orthodox, promoted, &mut warnings);
    let position = if let Some(turns) = turns {
        if brackets.is_some() {
            return Err(contradiction(
                Field::Pool,
                "there is no pool during the prologue",
            ));
        }
        check_prologue(&orthodox, promoted, turns)?;
        let position = Superchess::in_prologue(board, turns, physical);
        warn_of_changes(&orthodox, &position, words.len() > 2, &mut warnings);
        position
    } else {
        let pool = match brackets {
            Some(letters) => read_pool(letters, &board, promoted)?,
            None => Pool::of_board(&board),
        };
        Superchess::new(orthodox, pool, promoted, physical)
    };
    Ok(Parsed::with_warnings(position, warnings))
}

/// Takes the word `p0` to `p3` out of the words behind the board.
fn take_prologue(words: &mut Vec<&str>) -> Result<Option<u8>, FenError> {
    let is_stage = |word: &&str| {
        word.strip_prefix('p')
            .is_some_and(|digits| digits.bytes().all(|byte| byte.is_ascii_digit()))
    };
    let Some(at) = words.iter().skip(1).position(is_stage) else {
        return Ok(None);
    };
    let word = words.remove(at + 1);
    if let Some(second) = words.iter().skip(1).find(|word| is_stage(word)) {
        return Err(FenError::new(Field::Prologue, unknown_word(second)));
    }
    match word[1..].parse() {
        Ok(turns) if turns < prologue::TURNS => Ok(Some(turns)),
        _ => Err(unreadable(Field::Prologue, word)),
    }
}

/// Drops, with a warning, rights to castle with a rook that came back by promotion.
fn without_promoted_rooks(
    position: Orthodox<10>,
    promoted: Bitboard,
    warnings: &mut Vec<String>,
) -> Orthodox<10> {
    let mut rights = position.castling();
    for color in Color::ALL {
        for castling_side in CastlingSide::ALL {
            if rights.has(color, castling_side) && promoted.has(castling_side.rook_home(color)) {
                rights.remove(color, castling_side);
            }
        }
    }
    if rights == position.castling() {
        return position;
    }
    warnings.push(format!(
        "castling rights {} lowered to {rights}: a promoted rook does not castle",
        position.castling()
    ));
    Orthodox::new(
        *position.board(),
        position.side_to_move(),
        rights,
        position.en_passant(),
        position.clock(),
        position.number(),
    )
}

/// Refuses a prologue field that does not fit the pieces or the side to move.
fn check_prologue(position: &Orthodox<10>, promoted: Bitboard, turns: u8) -> Result<(), FenError> {
    let fault = if promoted.any() {
        "no piece has been promoted before the prologue is over"
    } else if !prologue::fits(position.board(), turns) {
        "the pieces do not fit the turns of the prologue"
    } else if position.side_to_move() != prologue::side(turns) {
        "the side to move does not fit the turns of the prologue"
    } else {
        return Ok(());
    };
    Err(contradiction(Field::Prologue, fault))
}

/// Warns where the string contradicts the prologue: castling rights and counters.
fn warn_of_changes(
    read: &Orthodox<10>,
    position: &Superchess,
    has_castling: bool,
    warnings: &mut Vec<String>,
) {
    if has_castling && read.castling() != position.castling() {
        warnings.push(format!(
            "castling rights of the prologue are those of the rooks: {}",
            position.castling()
        ));
    }
    if (read.clock(), read.number()) != (0, 1) {
        warnings.push("the counters stay 0 1 during the prologue".to_owned());
    }
}

/// Writes a position string.
pub(super) fn write(position: &Superchess) -> String {
    let pieces = board_fen(position.board(), position.promoted());
    let fields = position.orthodox().fields_fen();
    match position.prologue() {
        Some(turns) => format!("{pieces} {fields} p{turns}"),
        None => format!("{pieces}[{}] {fields}", position.pool().letters()),
    }
}

fn contradiction(field: Field, how: &'static str) -> FenError {
    FenError::new(field, Problem::Contradiction(how))
}

/// Splits the pieces from the text in brackets after them, if there is one.
fn split_brackets(word: &str) -> Result<(Option<&str>, Option<&str>), FenError> {
    match word.split_once('[') {
        None => Ok((Some(word), None)),
        Some((pieces, rest)) => match rest.strip_suffix(']') {
            Some(letters) => Ok((Some(pieces), Some(letters))),
            None => Err(unreadable(Field::Pool, &word[pieces.len()..])),
        },
    }
}

/// Reads the pool: letters in any order; nothing or `-` for an empty one.
fn read_pool(letters: &str, board: &Board<10>, promoted: Bitboard) -> Result<Pool, FenError> {
    let mut pool = Pool::default();
    if letters == "-" {
        return Ok(pool);
    }
    for letter in letters.chars() {
        let kind = Kind::from_letter(letter)
            .filter(|kind| Pool::KINDS.contains(kind))
            .ok_or_else(|| FenError::new(Field::Pool, Problem::UnknownLetter(letter)))?;
        let color = Color::of_case(letter);
        let unpromoted = (board.pieces(color, kind) - promoted).len();
        if unpromoted + pool.count(color, kind) >= Pool::set(kind) {
            return Err(FenError::new(
                Field::Pool,
                Problem::TooMany(color, plural(kind)),
            ));
        }
        pool.change(color, kind, 1);
    }
    Ok(pool)
}

fn check_amazons(board: &Board<10>) -> Result<(), FenError> {
    for color in Color::ALL {
        if board.pieces(color, Kind::Amazon).many() {
            return Err(FenError::new(
                Field::Board,
                Problem::TooMany(color, plural(Kind::Amazon)),
            ));
        }
    }
    Ok(())
}

fn check_promoted(board: &Board<10>, promoted: Bitboard) -> Result<(), FenError> {
    for kind in [Kind::Pawn, Kind::King, Kind::Amazon] {
        if (board.kind(kind) & promoted).any() {
            return Err(contradiction(
                Field::Board,
                "a pawn, a king or an Amazon cannot be a promoted piece",
            ));
        }
    }
    Ok(())
}

const fn plural(kind: Kind) -> &'static str {
    match kind {
        Kind::Pawn => "pawns",
        Kind::Knight => "knights",
        Kind::Bishop => "bishops",
        Kind::Rook => "rooks",
        Kind::Queen => "queens",
        Kind::King => "kings",
        Kind::Amazon => "Amazons",
        Kind::Empress => "Empresses",
        Kind::Princess => "Princesses",
        Kind::Veteran => "Veterans",
    }
}
