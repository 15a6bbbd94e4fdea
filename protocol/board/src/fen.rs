//! The board of a position string with one man less.

/// The position strings in which the man of a square is missing: as it stands, and without castling rights where these would
/// not fit any more. `None` if there is no such square or no man on it.
pub(crate) fn without(fen: &str, square: &str) -> Option<Vec<String>> {
    let (board, rest) = fen.split_once(' ')?;
    let file = square.bytes().next()?.checked_sub(b'a')?;
    let rank: u8 = square.get(1..)?.parse().ok()?;
    let (corner, ranks) = match board.split_once(':') {
        Some((corner, ranks)) => (Some(corner), ranks),
        None => (None, board),
    };
    let (left, top): (u8, u8) = match corner {
        Some(corner) => (
            corner.bytes().next()?.checked_sub(b'a')?,
            corner.get(1..)?.parse().ok()?,
        ),
        None => (0, 8),
    };
    let row = usize::from(top.checked_sub(rank)?);
    let column = usize::from(file.checked_sub(left)?);
    let mut rows: Vec<String> = ranks.split('/').map(str::to_owned).collect();
    let text = rows.get(row)?;
    rows[row] = if corner.is_some() {
        take_from_relief(text, column)?
    } else {
        take_from_rank(text, column)?
    };
    let board = match corner {
        Some(corner) => format!("{corner}:{}", rows.join("/")),
        None => rows.join("/"),
    };
    let mut words: Vec<&str> = rest.split(' ').collect();
    let plain = format!("{board} {}", words.join(" "));
    if let Some(castling) = words.get_mut(1) {
        *castling = "-";
    }
    Some(vec![plain, format!("{board} {}", words.join(" "))])
}

/// A rank of men and numbers of free squares; brackets behind the last rank stay.
fn take_from_rank(text: &str, column: usize) -> Option<String> {
    let (squares, pool) = match text.split_once('[') {
        Some((squares, pool)) => (squares, format!("[{pool}")),
        None => (text, String::new()),
    };
    let mut written = String::new();
    let mut at = 0;
    let mut found = false;
    let mut skip_mark = false;
    for letter in squares.chars() {
        if letter == '~' {
            if !std::mem::take(&mut skip_mark) {
                written.push('~');
            }
            continue;
        }
        skip_mark = false;
        if let Some(free) = letter.to_digit(10) {
            at += free as usize;
            written.push(letter);
        } else {
            if at == column {
                written.push('1');
                found = true;
                skip_mark = true;
            } else {
                written.push(letter);
            }
            at += 1;
        }
    }
    found.then(|| merge_numbers(&written) + &pool)
}

/// Neighbouring numbers of free squares become one.
fn merge_numbers(text: &str) -> String {
    let mut merged = String::new();
    let mut free = 0;
    for letter in text.chars() {
        if let Some(more) = letter.to_digit(10) {
            free += more;
        } else {
            if free > 0 {
                merged += &free.to_string();
            }
            free = 0;
            merged.push(letter);
        }
    }
    if free > 0 {
        merged += &free.to_string();
    }
    merged
}

/// A rank of heights, each with its man if there is one.
fn take_from_relief(text: &str, column: usize) -> Option<String> {
    let mut written = String::new();
    let mut cell = None;
    let mut found = false;
    for letter in text.chars() {
        if letter.is_ascii_digit() {
            cell = Some(cell.map_or(0, |cell: usize| cell + 1));
        } else if cell == Some(column) {
            found = true;
            continue;
        }
        written.push(letter);
    }
    found.then_some(written)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_man_is_taken_away() {
        let first = |fen: &str, square: &str| without(fen, square).map(|fens| fens[0].clone());
        assert_eq!(
            first("4k3/8/8/8/8/8/3P4/R3K3 w Q - 0 1", "d2").as_deref(),
            Some("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
        );
        assert_eq!(
            first("r1S~2k2/8/8/8/8/8/8/4K3[Nn] w - - 0 1", "c8").as_deref(),
            Some("r4k2/8/8/8/8/8/8/4K3[Nn] w - - 0 1")
        );
        assert_eq!(
            first("e10:2r1n1q/011p1/211 w - - - - 1", "g9").as_deref(),
            Some("e10:2r1n1q/0111/211 w - - - - 1")
        );
        for square in ["", "z", "a9", "a0", "e4", "9", "é1", "a999"] {
            assert_eq!(
                first("4k3/8/8/8/8/8/8/4K3 w - - 0 1", square),
                None,
                "{square}"
            );
        }
        assert_eq!(
            without("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "a1").map(|fens| fens[1].clone()),
            Some("4k3/8/8/8/8/8/8/4K3 w - - 0 1".to_owned())
        );
    }
}
