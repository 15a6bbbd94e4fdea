//! Reading of typed turns in any unambiguous notation: tokens or SAN, with or without dashes, with or without a
//! capture sign, with move number, with figurines, `nf3`, `e2-e4`, `0-0`, `Ng1f3`, `a8Q`, `exd6 e.p.`.

use fauve_engine::rules::{Notation, StepError, Turn, legal_steps, parse_turn, position_after};

/// Signs after a move that do not identify it.
const SIGNS: [char; 4] = ['+', '#', '!', '?'];

/// Parses a turn, or its first steps, in any notation; `None` if no turn or more than one matches. The
/// steps of a turn are separated by commas or blanks.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess, turn_token};
/// let start = Chess::start(&Default::default());
/// for text in ["g1f3", "Nf3", "nf3", "1. Nf3", "Ng1-f3", "♘f3!?"] {
///     let turn = fauve_game::read::turn(&start, text).expect(text);
///     assert_eq!(turn_token(&start, &turn), "g1f3");
/// }
/// ```
pub fn turn<G: Notation>(position: &G, text: &str) -> Option<Turn<G::Step>> {
    if let Ok(turn) = parse_turn(position, text) {
        return Some(turn);
    }
    let text = bare(text);
    let mut turn = Turn::new();
    if read_san(position, &text, &mut turn) {
        return Some(turn);
    }
    read_loosely(position, &text).or_else(|| {
        let joined = text.split_whitespace().collect::<Vec<_>>().join(",");
        read_loosely(position, &joined)
    })
}

/// Reads what a person typed: as [`turn`] does, and beyond that what can mean one turn alone. Capital and small letters do not
/// matter where the first letter names no piece on the board (`E4`, `NF3`), and `castle` castles where one way is legal;
/// `castle short` and `castle long` say which. Files are read by [`turn`], where such a text is a fault.
pub fn typed<G: Notation>(position: &G, text: &str) -> Option<Turn<G::Step>> {
    if let Some(turn) = turn(position, text) {
        return Some(turn);
    }
    if let Some(ways) = castlings(position, text) {
        return match ways[..] {
            [step] => Some(Turn::from_slice(&[step])),
            _ => None,
        };
    }
    let joined = text.split_whitespace().collect::<Vec<_>>().join(",");
    let (mut after, mut read) = (*position, Turn::new());
    let mut rest = Some(&*joined);
    while let Some(part) = rest {
        // What follows a whole turn would be the other side's.
        if !read.is_empty() && !after.is_mid_turn() {
            return None;
        }
        let (part, behind) = after.split_step(part);
        let steps = match turn(&after, part) {
            Some(steps) => steps,
            None => Turn::from_slice(&[in_any_case(&after, part)?]),
        };
        for step in steps {
            after.play(step);
            read.push(step);
        }
        rest = behind;
    }
    Some(read)
}

/// The one legal step that a text spells but for capital and small letters, where its first letter is not that of a piece of
/// the side to move: `Bc3` with a bishop on the board means the bishop.
fn in_any_case<G: Notation>(position: &G, text: &str) -> Option<G::Step> {
    let first = text.chars().next()?;
    let us = position.side_to_move();
    let spots = position.diagram().rows.into_iter().flatten();
    let names_a_piece = |spot: fauve_engine::rules::Spot| {
        spot.piece
            .is_some_and(|(color, piece)| color == us && piece.eq_ignore_ascii_case(&first))
    };
    let steps = matching(position, text, str::eq_ignore_ascii_case);
    match steps[..] {
        [step] if !first.is_ascii_uppercase() => Some(step),
        [step] => {
            let begins = |name: String| name.starts_with(first);
            let is_named = begins(position.step_san(step)) || !spots.into_iter().any(names_a_piece);
            is_named.then_some(step)
        }
        _ => None,
    }
}

/// The legal ways to castle where a text is the word for it, with its side or without; `None` for any other text.
pub fn castlings<G: Notation>(position: &G, text: &str) -> Option<Vec<G::Step>> {
    let lower = text.to_ascii_lowercase();
    let (word, side) = lower
        .split_once(char::is_whitespace)
        .unwrap_or((&lower, ""));
    if !["castle", "castles", "castling"].contains(&word) {
        return None;
    }
    let wanted = match side.trim().trim_end_matches("side").trim_end() {
        "" => None,
        "short" | "king" => Some("O-O"),
        "long" | "queen" => Some("O-O-O"),
        _ => return None,
    };
    let mut steps = legal_steps(position).to_vec();
    steps.retain(|&step| {
        let san = position.step_san(step);
        let name = san.trim_end_matches(SIGNS);
        let castles = name.starts_with("O-O") || name.contains('\u{2194}');
        castles && wanted.is_none_or(|wanted| name == wanted)
    });
    Some(steps)
}

/// Reads one step, in any spelling of a turn.
///
/// # Errors
/// When no legal step or more than one matches.
pub fn step<G: Notation>(position: &G, text: &str) -> Result<G::Step, StepError> {
    match turn(position, text).as_deref() {
        Some([step]) => Ok(*step),
        _ => Err(StepError::Illegal(text.to_owned())),
    }
}

/// Removes the move number and `e.p.`, and replaces figurines by letters.
fn bare(text: &str) -> String {
    let text = text.trim();
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    let text = match text[digits..].strip_prefix('.') {
        Some(rest) if digits > 0 => rest.trim_start_matches(['.', '\u{2026}', ' ']),
        _ => text,
    };
    let lower = text.to_ascii_lowercase();
    let end = ["e.p.", "e.p", "ep"]
        .iter()
        .find_map(|suffix| lower.strip_suffix(suffix))
        .map(str::trim_end)
        .filter(|rest| rest.ends_with(|last: char| last.is_ascii_digit()))
        .map_or(text.len(), str::len);
    text[..end].chars().filter_map(letter).collect()
}

/// The letter of a figurine; other characters are unchanged, except that variation selectors are dropped.
const fn letter(character: char) -> Option<char> {
    Some(match character {
        '\u{2654}' | '\u{265A}' => 'K',
        '\u{2655}' | '\u{265B}' => 'Q',
        '\u{2656}' | '\u{265C}' => 'R',
        '\u{2657}' | '\u{265D}' => 'B',
        '\u{2658}' | '\u{265E}' => 'N',
        '\u{2659}' | '\u{265F}' => 'P',
        '\u{FE0E}' | '\u{FE0F}' => return None,
        other => other,
    })
}

/// Parses the rest of a turn in SAN, where a step may itself contain commas.
fn read_san<G: Notation>(position: &G, text: &str, turn: &mut Turn<G::Step>) -> bool {
    for step in legal_steps(position) {
        let san = position.step_san(step);
        let Some(rest) = text.strip_prefix(san.trim_end_matches(SIGNS)) else {
            continue;
        };
        let rest = rest.trim_start_matches(SIGNS);
        let mut next = *position;
        next.play(step);
        turn.push(step);
        let is_read = match rest.strip_prefix(',') {
            // Anything after a complete turn would be the opponent's.
            Some(rest) => next.is_mid_turn() && read_san(&next, rest, turn),
            None => rest.is_empty(),
        };
        if is_read {
            return true;
        }
        turn.pop();
    }
    false
}

/// Parses a turn step by step, each in any notation.
fn read_loosely<G: Notation>(position: &G, text: &str) -> Option<Turn<G::Step>> {
    if let Some(step) = meant(position, text) {
        return Some(Turn::from_slice(&[step]));
    }
    let (part, rest) = position.split_step(text);
    let rest = rest?;
    let first = parse_turn(position, part).ok().or_else(|| {
        let mut turn = Turn::new();
        read_san(position, part, &mut turn).then_some(turn)
    });
    let first = match first {
        Some(first) => first,
        None => Turn::from_slice(&[meant(position, part)?]),
    };
    let after = position_after(position, &first);
    // Anything after a complete turn would be the opponent's.
    let rest = after.is_mid_turn().then(|| turn(&after, rest))??;
    Some(first.into_iter().chain(rest).collect())
}

/// The only legal step that the text matches, tried with the case of its first letter as it is, then as a capital: `bc3` is a
/// pawn capture if one is legal, and otherwise a bishop move.
fn meant<G: Notation>(position: &G, text: &str) -> Option<G::Step> {
    let steps = matching(position, text, is_same);
    let is_lower = text.starts_with(|first: char| first.is_ascii_lowercase());
    match steps[..] {
        [step] => Some(step),
        [] if is_lower => {
            let capital = text[..1].to_ascii_uppercase() + &text[1..];
            match matching(position, &capital, is_same)[..] {
                [step] => Some(step),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The legal steps, in SAN, that match the text if case is ignored.
pub fn ignoring_case<G: Notation>(position: &G, text: &str) -> Vec<String> {
    let steps = matching(position, text, str::eq_ignore_ascii_case);
    steps.iter().map(|&step| position.step_san(step)).collect()
}

/// The legal steps that match the text.
fn matching<G: Notation>(
    position: &G,
    text: &str,
    is_like: fn(&str, &str) -> bool,
) -> Vec<G::Step> {
    let has_places = text.contains('(');
    let text = if has_places {
        plain(&text.split_whitespace().collect::<String>())
    } else {
        plain(text)
    };
    let mut steps = legal_steps(position).to_vec();
    steps.retain(|&step| {
        spellings(position, step).iter().any(|spelling| {
            is_like(spelling, &text) || has_places && fits_places(spelling, &text, is_like)
        })
    });
    steps
}

/// The notations of a step without signs: its token, its SAN, and SAN with more disambiguation
/// than needed, `Ng1f3`, `Ngf3`, `N1f3`, `Pe4`.
fn spellings<G: Notation>(position: &G, step: G::Step) -> Vec<String> {
    let (token, san) = (
        plain(&position.step_token(step)),
        plain(&position.step_san(step)),
    );
    let mut spellings = Vec::with_capacity(5);
    match san.chars().next() {
        Some(piece) if piece.is_ascii_uppercase() => {
            spellings.push(format!("{piece}{token}"));
            if let Some((from, to)) = token.split_at_checked(2)
                && to.len() == 2
                && from.is_ascii()
            {
                spellings.push(format!("{piece}{}{to}", &from[..1]));
                spellings.push(format!("{piece}{}{to}", &from[1..]));
            }
        }
        _ => spellings.extend([format!("P{token}"), format!("P{san}")]),
    }
    spellings.extend([token, san]);
    spellings
}

/// Whether a text with places in brackets, some of them without their level, means a step that is spelled with all levels:
/// `P(0,-1)(0,0,0)` is `P(0,-1,1)(0,0,0)` in Cubes 4D.
fn fits_places(spelling: &str, text: &str, is_like: fn(&str, &str) -> bool) -> bool {
    let (mut parts, mut spelled) = (text.split(')'), spelling.split(')'));
    loop {
        match (spelled.next(), parts.next()) {
            (None, None) => return true,
            (Some(full), Some(part)) => {
                let level = full.rfind(',').filter(|_| full.contains('('));
                let is_short = || level.is_some_and(|level| is_like(&full[..level], part));
                if !is_like(full, part) && !is_short() {
                    return false;
                }
            }
            _ => return false,
        }
    }
}

/// Whether two spellings differ by capital and small letters behind the first at most: `bc3` is a pawn's capture, `Bc3` a
/// bishop's move, but `a8q` is `a8Q`.
fn is_same(one: &str, other: &str) -> bool {
    one.chars().next() == other.chars().next() && one.eq_ignore_ascii_case(other)
}

/// Removes signs that do not identify the move; a minus stays.
fn plain(text: &str) -> String {
    let is_castling = text.contains('0') && text.chars().all(|letter| "0-+#!?".contains(letter));
    let mut plain = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        let is_minus = letter == '-' && matches!(before, '(' | ',');
        if is_minus || !"-\u{2013}xX\u{d7}:=+#!?\u{2194}\u{25a1}".contains(letter) {
            plain.push(if is_castling { 'O' } else { letter });
        }
        before = letter;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::chess::{self, Chess};
    use fauve_engine::rules::cubes::Cubes4d;
    use fauve_engine::rules::twomove::{Options, TwoMove};
    use fauve_engine::rules::{DiceSeed, for_each_turn, turn_san, turn_token};
    use fauve_engine::{Variant, with_game};

    fn token<G: Notation>(fen: &str, text: &str) -> Option<String> {
        let position = G::from_fen(fen, &G::Options::default()).expect("a position");
        let position = position.position;
        turn(&position, text).map(|turn| turn_token(&position, &turn))
    }

    #[test]
    fn turns_are_read_in_common_notations() {
        let fen = "r3k3/1P6/8/8/8/2p5/1P6/R3K1NR w KQq - 0 1";
        for (text, expected) in [
            ("Ng1-f3", Some("g1f3")),
            ("nf3", Some("g1f3")),
            ("Ngf3", Some("g1f3")),
            ("N1f3", Some("g1f3")),
            ("\u{2658}f3", Some("g1f3")),
            ("\u{2658}\u{fe0e}g1\u{2013}f3!?", Some("g1f3")),
            ("12. Nf3+", Some("g1f3")),
            ("12...Nf3", Some("g1f3")),
            ("12.\u{2026} Nf3", Some("g1f3")),
            ("e1-e2", Some("e1e2")),
            ("ke2", Some("e1e2")),
            ("0-0-0", Some("e1c1")),
            ("0-0-0+", Some("e1c1")),
            ("o-o-o", Some("e1c1")),
            ("O-O", None),
            ("bc3", Some("b2c3")),
            ("b2xc3", Some("b2c3")),
            ("Pb3", Some("b2b3")),
            ("bxa8=q", Some("b7a8q")),
            ("b8Q", Some("b7b8q")),
            ("Ra8", Some("a1a8")),
            // The piece of a promotion is not guessed, and a capital is not read as a small letter.
            ("b8", None),
            ("Bc3", None),
            ("Ng1-f3,e1e2", None),
            ("", None),
            ("12.", None),
        ] {
            assert_eq!(token::<Chess>(fen, text).as_deref(), expected, "{text}");
        }
        let en_passant = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for text in ["exd6 e.p.", "exd6e.p.", "e5xd6 ep", "ed6"] {
            let read = token::<Chess>(en_passant, text);
            assert_eq!(read.as_deref(), Some("e5d6"), "{text}");
        }
        let twomove = "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 2 2";
        for text in ["Ng1-f3,e2-e4", "nf3 e4", "2. Nf3, e4"] {
            let read = token::<TwoMove>(twomove, text);
            assert_eq!(read.as_deref(), Some("g1f3,e2e4"), "{text}");
        }
        let cubes =
            "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1";
        for (text, expected) in [
            ("N(-2,-2)x(-1,0)", Some("f6g8")),
            ("P(0,-1)(0,0)", Some("h7h8")),
            ("R(-3,-2)-N(-2,-2)", Some("e6f6")),
            ("(-3,0)-(-2,1)", Some("e8@f9")),
            ("N(-2,-2,1)-(-1,0,1)+", Some("f6g8")),
            ("P(0,-1,1)-(0,0)", Some("h7h8")),
            ("P(0, -1, 1) - (0, 0, 0)", Some("h7h8")),
            ("\u{25a1}(-3,0,2)-(-2,1,1)", Some("e8@f9")),
            // A level that the place does not have names another place.
            ("N(-2,-2,1)-(-1,0,2)", None),
            ("N(-2,-2,2)-(-1,0)", None),
            ("P(0,1)-(0,0)", None),
        ] {
            assert_eq!(token::<Cubes4d>(cubes, text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn what_is_typed_is_taken_where_one_reading_is_left() {
        let typed = |fen: &str, text: &str| {
            let chess = Chess::from_fen(fen, &chess::Options::default())
                .expect("a position")
                .position;
            typed(&chess, text).map(|turn| turn_token(&chess, &turn))
        };
        let both = "r3k2r/8/8/8/8/2p5/1P6/R3K2R w KQkq - 0 1";
        let short = "4k3/8/8/8/8/2n5/1P1B4/4K2R w K - 0 1";
        for (fen, text, expected) in [
            (both, "BXC3", Some("b2c3")),
            (both, "B3", Some("b2b3")),
            (both, "0-0", Some("e1g1")),
            (both, "o-o-o", Some("e1c1")),
            (both, "castle", None),
            (both, "castle long", Some("e1c1")),
            (both, "Castle Kingside", Some("e1g1")),
            (short, "castle", Some("e1g1")),
            (short, "castles queen side", None),
            // A bishop stands there, and is meant.
            (short, "Bxc3", Some("d2c3")),
            (short, "Bb3", None),
            (short, "nothing", None),
        ] {
            assert_eq!(typed(fen, text).as_deref(), expected, "{text}");
        }
        let twomove = "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 2 2";
        let twomove = TwoMove::from_fen(twomove, &Options::default()).expect("a position");
        let turn = super::typed(&twomove.position, "NF3 E4").expect("a turn");
        assert_eq!(turn_token(&twomove.position, &turn), "g1f3,e2e4");
        // A file that says so has a fault.
        assert_eq!(token::<Chess>(both, "B3"), None);
        assert_eq!(token::<Chess>(both, "castle"), None);
    }

    #[test]
    fn a_small_letter_means_a_pawn_first() {
        let both = "4k3/8/8/8/8/2n5/1P1B4/4K3 w - - 0 1";
        assert_eq!(token::<Chess>(both, "bxc3").as_deref(), Some("b2c3"));
        assert_eq!(token::<Chess>(both, "Bxc3").as_deref(), Some("d2c3"));
        let bishop = "4k3/8/8/8/8/2n5/3B4/4K3 w - - 0 1";
        assert_eq!(token::<Chess>(bishop, "bxc3").as_deref(), Some("d2c3"));
    }

    #[test]
    fn capitals_distinguish_pieces_from_files() {
        let fen = "4k3/8/8/8/8/2n5/1P1B4/4K1N1 w - - 0 1";
        let chess = Chess::from_fen(fen, &chess::Options::default()).expect("a position");
        assert_eq!(ignoring_case(&chess.position, "nf3"), ["Nf3"]);
        assert_eq!(ignoring_case(&chess.position, "bc3"), ["Bxc3", "bxc3"]);
        assert!(ignoring_case(&chess.position, "nf6").is_empty());
    }

    #[test]
    fn a_turn_ends_where_the_other_side_moves() {
        let start = Chess::start(&chess::Options::default());
        assert!(turn(&start, "e4").is_some());
        assert_eq!(turn(&start, "e4,e5"), None);
        assert_eq!(turn(&start, "e4 e5"), None);
        let first = TwoMove::start(&Options::default());
        assert_eq!(turn(&first, "e4,d4"), None, "White begins with one move");
    }

    #[test]
    fn tokens_and_san_of_every_game_are_read() {
        for &variant in Variant::ALL {
            with_game!(variant, G => {
                let mut position = G::start(&<G as fauve_engine::rules::Rules>::Options::default());
                for number in 0..6 {
                    if fauve_engine::rules::Chance::awaits_roll(&position) {
                        let roll = DiceSeed(number).roll(position.game_ply());
                        fauve_engine::rules::Chance::set_roll(&mut position, roll);
                    }
                    let mut next = None;
                    for_each_turn(&position, &mut |steps, after| {
                        // Two turns may share a notation; the result must be one of them.
                        let san = turn_san(&position, steps);
                        let read = turn(&position, &san);
                        let read = read.unwrap_or_else(|| panic!("{variant}: {san}"));
                        assert_eq!(turn_san(&position, &read), san, "{}", turn_token(&position, steps));
                        next = Some(*after);
                    });
                    position = next.expect("a turn");
                }
            });
        }
    }

    #[test]
    fn arbitrary_text_does_not_panic() {
        let start = Chess::start(&chess::Options::default());
        for text in [
            "é", "\u{2654}", ",", ",,,", "1", "1.", "...", "e.p.", "ep", "0", "-", "é4 ep",
            "0-0 0-0",
        ] {
            assert_eq!(turn(&start, text), None, "{text}");
        }
    }
}
