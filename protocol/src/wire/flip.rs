//! The position string of the same position with the colours exchanged and the board upside down.

/// Flips a position string of any of the games. Text that is no position string gives some text that is none either.
pub fn flip(fen: &str) -> String {
    let mut fields = fen.split(' ');
    let board = fields.next().unwrap_or_default();
    let cubes = board.contains(':');
    let mut flipped = vec![if cubes {
        flip_cubes_board(board)
    } else {
        flip_board(board)
    }];
    for (number, field) in (1..).zip(fields) {
        flipped.push(match (number, cubes) {
            (1, _) => match field {
                "w" => "b".to_owned(),
                "b" => "w".to_owned(),
                other => other.to_owned(),
            },
            // Castling, and the pool outside the game.
            (2, _) | (3, true) => swap_case(field),
            (3, false) => flip_ranks(field, 9),
            (4, true) => flip_ranks(field, 16),
            // Counts of lone Kings, `w3b5`.
            (5, true) => field
                .chars()
                .map(|letter| match letter {
                    'w' => 'b',
                    'b' => 'w',
                    other => other,
                })
                .collect(),
            _ if field.starts_with("1:") => format!("1:{}", flip_ranks(&field[2..], 9)),
            // Dice.
            (6, false) => swap_case(field),
            _ => field.to_owned(),
        });
    }
    flipped.join(" ")
}

fn swap_case(text: &str) -> String {
    text.chars()
        .map(|letter| {
            if letter.is_ascii_uppercase() {
                letter.to_ascii_lowercase()
            } else {
                letter.to_ascii_uppercase()
            }
        })
        .collect()
}

/// Squares with their ranks counted from the other end: rank r becomes `sum` - r.
fn flip_ranks(squares: &str, sum: u32) -> String {
    let mut flipped = String::new();
    let mut digits = String::new();
    for letter in squares.chars().chain(std::iter::once(' ')) {
        if letter.is_ascii_digit() {
            digits.push(letter);
            continue;
        }
        if let Ok(rank) = digits.parse::<u32>() {
            flipped.push_str(&sum.saturating_sub(rank).to_string());
        }
        digits.clear();
        flipped.push(letter);
    }
    flipped.pop();
    flipped
}

fn reverse_ranks(ranks: &str) -> String {
    let ranks: Vec<&str> = ranks.rsplit('/').collect();
    swap_case(&ranks.join("/"))
}

fn flip_board(board: &str) -> String {
    match board.split_once('[') {
        Some((ranks, pool)) => {
            let (own, other): (String, String) = pool
                .trim_end_matches(']')
                .chars()
                .partition(char::is_ascii_uppercase);
            format!(
                "{}[{}{}]",
                reverse_ranks(ranks),
                swap_case(&other),
                swap_case(&own)
            )
        }
        None => reverse_ranks(board),
    }
}

fn flip_cubes_board(board: &str) -> String {
    let (corner, ranks) = board.split_once(':').unwrap_or(("", board));
    let (file, top) = corner.split_at_checked(1).unwrap_or((corner, ""));
    let height = ranks.split('/').count();
    // The lowest rank becomes the highest.
    let top = top
        .parse()
        .map_or(0, |top: usize| (16 + height).saturating_sub(top + 1));
    format!("{file}{top}:{}", reverse_ranks(ranks))
}

#[cfg(test)]
mod tests {
    use super::flip;

    #[test]
    fn flips_every_field() {
        for (fen, flipped) in [
            (
                "r3k2r/8/8/8/4P3/8/8/R3K2R b KQk e3 3 7",
                "r3k2r/8/8/4p3/8/8/8/R3K2R w kqK e6 3 7",
            ),
            (
                "4k3/8/8/8/8/8/8/4K2R[NNRRqq] w - - 0 1",
                "4k2r/8/8/8/8/8/8/4K3[QQnnrr] b - - 0 1",
            ),
            (
                "4k3/8/8/8/2P5/8/8/4K3 w - c3 0 1 1:f3g1",
                "4k3/8/8/2p5/8/8/8/4K3 b - c6 0 1 1:f6g8",
            ),
            (
                "4k3/8/8/8/8/8/8/4K3 w - - 0 1 PNB",
                "4k3/8/8/8/8/8/8/4K3 b - - 0 1 pnb",
            ),
            (
                "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg f7 w3 4",
                "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B b rbRB gG f9 b3 4",
            ),
        ] {
            assert_eq!(flip(fen), flipped);
        }
    }

    #[test]
    fn twice_is_nothing_and_nonsense_survives() {
        let fen = "e12:2K/10/1k w - - - w1 5";
        assert_eq!(flip(&flip(fen)), fen);
        for text in ["", " ", "::", "[", "é:/ w é", "1: 1: 1: 1: 1: 1: 1:"] {
            let _ = flip(text);
        }
    }
}
