//! Lines of EPD (<https://www.chessprogramming.org/Extended_Position_Description>): four fields of a position string, then operations
//! that end with semicolons. Many files have the counters of the position string between them.

use fauve_engine::rules::{FenError, Notation, Parsed};

/// Counters of a position string: the EPD operation that sets each, and the index of its field.
const COUNTERS: [(&str, usize); 2] = [("hmvc", 4), ("fmvn", 5)];

/// The operands of an operation of a line, if the line has it.
///
/// ```
/// use fauve_game::epd::operation;
/// let line = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id \"back rank\";";
/// assert_eq!(operation(line, "bm"), Some("Ra8"));
/// assert_eq!(operation(line, "am"), None);
/// ```
pub fn operation<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    let last_field = fields(line).last()?;
    let begin = last_field.as_ptr() as usize - line.as_ptr() as usize + last_field.len();
    operations(line.get(begin..)?).find_map(|operation| {
        let (word, operands) = operation.trim().split_once(' ')?;
        (word == name).then(|| operands.trim())
    })
}

/// The operations, each without its semicolon. One between quotation marks belongs to the text, if the last quotation is closed.
fn operations(text: &str) -> impl Iterator<Item = &str> {
    let is_closed = text.matches('"').count().is_multiple_of(2);
    let mut is_quoted = false;
    text.split(move |letter| {
        is_quoted ^= letter == '"';
        letter == ';' && !(is_closed && is_quoted)
    })
}

/// The fields of the position: four, and the numbers behind them.
fn fields(line: &str) -> impl Iterator<Item = &str> {
    let is_field = |(place, word): &(usize, &str)| *place < 4 || word.parse::<u32>().is_ok();
    let words = line.split_whitespace().enumerate();
    words.take_while(is_field).map(|(_, word)| word)
}

/// The position of a line that is a position string or EPD. The operations `hmvc` (half-moves since the last capture or pawn move)
/// and `fmvn` (number of the move) set the counters of games whose position strings have these.
///
/// # Errors
/// When the line is not a position of the game, or a counter is invalid.
pub fn position<G: Notation>(line: &str, options: &G::Options) -> Result<Parsed<G>, FenError> {
    G::from_fen(line, options).or_else(|error| {
        if !line.contains(';') {
            return Err(error);
        }
        let fields: Vec<&str> = fields(line).collect();
        let parsed = G::from_fen(&fields.join(" "), options).map_err(|_| error)?;
        let fen = parsed.position.fen();
        let mut fields: Vec<&str> = fen.split(' ').collect();
        for (name, place) in COUNTERS {
            if let Some(value) = operation(line, name)
                && let Some(field) = fields.get_mut(place)
                && field.parse::<u32>().is_ok()
            {
                *field = value;
            }
        }
        let counted = fields.join(" ");
        if counted == fen {
            Ok(parsed)
        } else {
            G::from_fen(&counted, options)
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    use fauve_engine::rules::chess::{Chess, Options};

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
    fn operations_begin_after_the_fourth_field() {
        let line = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id \"back rank\";";
        assert_eq!(operation(line, "id"), Some("\"back rank\""));
        let counted = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 12 34 bm Ra8; id \"back rank\";";
        assert_eq!(operation(counted, "bm"), Some("Ra8"));
        let fen =
            position::<Chess>(counted, &Options::default()).map(|parsed| parsed.position.fen());
        assert_eq!(fen.unwrap(), "6k1/5ppp/8/8/8/8/8/R3K3 w - - 12 34");
        assert_eq!(operation("8/8 w", "bm"), None);
        let quoted = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"a; b\"; bm Ra8;";
        assert_eq!(operation(quoted, "id"), Some("\"a; b\""));
        assert_eq!(operation(quoted, "bm"), Some("Ra8"));
        let open = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"a; bm Ra8;";
        assert_eq!(operation(open, "bm"), Some("Ra8"));
    }
}
