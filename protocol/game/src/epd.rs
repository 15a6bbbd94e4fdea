//! Lines of EPD (<https://www.chessprogramming.org/Extended_Position_Description>): the fields of a position string, then operations
//! that end with semicolons. Four fields are there always; many files have the others of the game behind them.

use fauve_engine::rules::{FenError, Field, Notation, Parsed};

/// Counters of a position string: the EPD operation that sets each, and the indices of the fields where it can stand. Cubes 4D has
/// no counter of quiet turns, and two other fields before the number of the turn.
const COUNTERS: [(&str, &[usize]); 2] = [("hmvc", &[4]), ("fmvn", &[5, 6])];

/// The fewest fields of a position in EPD.
const FEWEST: usize = 4;
/// The most words that the position string of a game has.
const MOST: usize = 10;

/// The operands of an operation of a line, if the line has it; `operations` is the text behind the position ([`read`]).
///
/// ```
/// use fauve_engine::rules::chess::Chess;
/// use fauve_game::epd::{operation, read};
/// let line = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id \"back rank\";";
/// let (_, operations) = read::<Chess>(line, &Default::default())?;
/// assert_eq!(operation(operations, "bm"), Some("Ra8"));
/// assert_eq!(operation(operations, "am"), None);
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn operation<'a>(operations: &'a str, name: &str) -> Option<&'a str> {
    split(operations).find_map(|operation| {
        let (word, operands) = operation.trim().split_once(' ')?;
        (word == name).then(|| operands.trim())
    })
}

/// The operations, each without its semicolon. One between quotation marks belongs to the text, if the last quotation is closed.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let is_closed = text.matches('"').count().is_multiple_of(2);
    let mut is_quoted = false;
    text.split(move |letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !(is_closed && is_quoted)
    })
}

/// The position of a line that is a position string or EPD; see [`read`].
///
/// # Errors
/// When the line is not a position of the game, or a counter is invalid.
pub fn position<G: Notation>(line: &str, options: &G::Options) -> Result<Parsed<G>, FenError> {
    read(line, options).map(|(parsed, _)| parsed)
}

/// The position of a line that is a position string or EPD, and the text of its operations. The operations `hmvc` (half-moves
/// since the last capture or pawn move) and `fmvn` (number of the move) set the counters of games whose position strings have these.
///
/// # Errors
/// When the line is not a position of the game, or a counter is invalid.
pub fn read<'a, G: Notation>(
    line: &'a str,
    options: &G::Options,
) -> Result<(Parsed<G>, &'a str), FenError> {
    let Some((before, _)) = line.split_once(';') else {
        return Ok((G::from_fen(line, options)?, ""));
    };
    let (parsed, length) = match longest_position(before, options) {
        Some(found) => found?,
        // The game says what is missing.
        None => (G::from_fen(line, options)?, line.len()),
    };
    let operations = &line[length..];
    Ok((with_counters(parsed, operations, options)?, operations))
}

/// The longest run of words from the beginning of a text that is a position, and how many bytes it has; `None` where there are too few
/// words.
fn longest_position<G: Notation>(
    text: &str,
    options: &G::Options,
) -> Option<Result<(Parsed<G>, usize), FenError>> {
    let end = |word: &str| word.as_ptr() as usize - text.as_ptr() as usize + word.len();
    let words: Vec<&str> = text.split_whitespace().take(MOST).collect();
    // The word behind those that are tried, and why it is not part of the position.
    let mut refused: Option<(&str, FenError)> = None;
    for &last in words.get(FEWEST - 1..)?.iter().rev() {
        let length = end(last);
        match (G::from_fen(&text[..length], options), refused) {
            (Ok(_), Some((next, why))) if !begins_operations(next, &why) => return Some(Err(why)),
            (Ok(parsed), _) => return Some(Ok((parsed, length))),
            (Err(why), _) => refused = Some((last, why)),
        }
    }
    refused.map(|(_, why)| Err(why))
}

/// Whether a word behind a position is the name of an operation, and not a field that is wrong; `error` is what the game says of it as
/// a field. Names begin with letters, and so do fields that are known by their looks and not by their place.
fn begins_operations(word: &str, error: &FenError) -> bool {
    let is_known = matches!(error.field, Field::Dice | Field::Seed | Field::Prologue);
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && !is_known
}

/// Sets the counters of a position that operations name.
fn with_counters<G: Notation>(
    mut parsed: Parsed<G>,
    operations: &str,
    options: &G::Options,
) -> Result<Parsed<G>, FenError> {
    let named = COUNTERS.map(|(name, places)| Some((operation(operations, name)?, places)));
    if named.iter().all(Option::is_none) {
        return Ok(parsed);
    }
    let fen = parsed.position.fen();
    let mut fields: Vec<&str> = fen.split(' ').collect();
    for (value, places) in named.into_iter().flatten() {
        let is_number = |&&place: &&usize| {
            let field = fields.get(place);
            field.is_some_and(|field| field.parse::<u32>().is_ok())
        };
        if let Some(&place) = places.iter().find(is_number) {
            fields[place] = value;
        }
    }
    let counted = fields.join(" ");
    if counted != fen {
        let again = G::from_fen(&counted, options)?;
        parsed.position = again.position;
        parsed.warnings.extend(again.warnings);
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::cubes::Cubes4d;
    use fauve_engine::rules::dice::DiceChess;
    use fauve_engine::rules::superchess::Superchess;
    use fauve_engine::rules::twomove::TwoMove;

    fn of_line<G: Notation>(line: &str) -> Result<Parsed<G>, FenError> {
        position(line, &G::Options::default())
    }

    #[test]
    fn counter_operations_set_the_counters_of_the_position() {
        let fen = |line: &str| {
            position::<Chess>(line, &Options::default()).map(|parsed| parsed.position.fen())
        };
        let line = "4k3/8/8/8/8/8/8/R3K3 w Q - hmvc 99; fmvn 60; bm Ra8+;";
        assert_eq!(fen(line).unwrap(), "4k3/8/8/8/8/8/8/R3K3 w Q - 99 60");
        let plain = "4k3/8/8/8/8/8/8/R3K3 w Q - bm Ra8+;";
        assert_eq!(fen(plain).unwrap(), "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
        let bad = "4k3/8/8/8/8/8/8/R3K3 w Q - hmvc many;";
        assert!(fen(bad).unwrap_err().to_string().contains("many"));
    }

    #[test]
    fn operations_begin_behind_the_position() {
        let named = |line: &str, name: &str| {
            let read = read::<Chess>(line, &Options::default());
            let (_, operations) = read.expect("a position");
            operation(operations, name).map(str::to_owned)
        };
        let line = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id \"back rank\";";
        assert_eq!(named(line, "id").as_deref(), Some("\"back rank\""));
        let counted = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 12 34 bm Ra8; id \"back rank\";";
        assert_eq!(named(counted, "bm").as_deref(), Some("Ra8"));
        let fen =
            position::<Chess>(counted, &Options::default()).map(|parsed| parsed.position.fen());
        assert_eq!(fen.unwrap(), "6k1/5ppp/8/8/8/8/8/R3K3 w - - 12 34");
        assert!(read::<Chess>("8/8 w; bm Ra8;", &Options::default()).is_err());
        let quoted = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"a; b\"; bm Ra8;";
        assert_eq!(named(quoted, "id").as_deref(), Some("\"a; b\""));
        assert_eq!(named(quoted, "bm").as_deref(), Some("Ra8"));
        let open = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"a; bm Ra8;";
        assert_eq!(named(open, "bm").as_deref(), Some("Ra8"));
        let suite = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1;D1 20 ;D2 400";
        assert_eq!(named(suite, "D2").as_deref(), Some("400"));
    }

    /// A line with the position string of a game and an operation is that position, and the operation is found.
    fn is_kept<G: Notation>(fen: &str, seed: Option<&str>) {
        let options = G::Options::default();
        let line = format!("{fen} bm x1; id \"a\";");
        let (parsed, operations) = read::<G>(&line, &options).expect(&line);
        let whole = G::from_fen(fen, &options).expect(fen);
        assert_eq!(parsed.position, whole.position, "{line}");
        assert_eq!(parsed.seed, seed.map(|seed| seed.parse().expect("a seed")));
        assert_eq!(operation(operations, "bm"), Some("x1"), "{line}");
    }

    #[test]
    fn fields_that_only_some_games_have_are_fields() {
        const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        is_kept::<DiceChess>(&format!("{ARRAY} w KQkq - 0 1 PNB"), None);
        is_kept::<DiceChess>(&format!("{ARRAY} w KQkq - PNB"), None);
        is_kept::<DiceChess>(&format!("{ARRAY} w KQkq - 0 1 - seed:2a"), Some("2a"));
        is_kept::<Superchess>(
            "rnbqkbne/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNE b Qq - 0 1 p1",
            None,
        );
        is_kept::<TwoMove>("4k3/pppppppp/8/8/8/5N2/PPPPPPPP/4K3 w - - 1 3 1:f3g1", None);
        is_kept::<TwoMove>("4k3/pppppppp/8/8/8/5N2/PPPPPPPP/4K3 w - - 1 3 1", None);
        let cubes = "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg";
        is_kept::<Cubes4d>(&format!("{cubes} e8 - 7"), None);
        is_kept::<Cubes4d>(cubes, None);
        let line = format!("{cubes} - - 7 fmvn 9; id \"a\";");
        let parsed = of_line::<Cubes4d>(&line).expect("a position");
        assert_eq!(parsed.position.fen(), format!("{cubes} - - 9"));
    }

    /// What is no operation is a field that is wrong, and not passed over.
    #[test]
    fn fields_that_are_wrong_are_refused() {
        const ARRAY: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR";
        let field = |error: FenError| error.field;
        let dice = |fields: &str| {
            let line = format!("{ARRAY} w KQkq - 0 1 {fields} id \"a\";");
            of_line::<DiceChess>(&line).map_err(field)
        };
        assert_eq!(dice("PNBR").err(), Some(Field::Dice));
        assert_eq!(dice("PNB seed:x").err(), Some(Field::Seed));
        assert_eq!(dice("PNB 7").err(), Some(Field::Position));
        let line = format!("{ARRAY} w KQkq - 0 1 p7 id \"a\";");
        let super_chess = of_line::<Superchess>(&line);
        assert_eq!(super_chess.map_err(field).err(), Some(Field::Prologue));
        let line = "4k3/8/8/8/8/5N2/8/4K3 w - - 1 3 1:f3h1 id \"a\";";
        let two_move = of_line::<TwoMove>(line);
        assert_eq!(two_move.map_err(field).err(), Some(Field::MovesLeft));
        let line = format!("{ARRAY} w KQkx - 0 1 id \"a\";");
        let chess = position::<Chess>(&line, &Options::default());
        assert_eq!(chess.map_err(field).err(), Some(Field::Castling));
    }

    #[test]
    fn what_was_dropped_is_said_beside_counters() {
        let line = "4k3/8/8/8/8/8/8/4K3 w K - fmvn 60;";
        let parsed = position::<Chess>(line, &Options::default()).expect("a position");
        assert_eq!(parsed.position.fen(), "4k3/8/8/8/8/8/8/4K3 w - - 0 60");
        assert_eq!(parsed.warnings.len(), 1);
    }
}
