//! Turns as people write them: with dashes or without, with a sign of capture or without, `0-0`, `Ng1f3`, `a8Q`.

use fauve_engine::rules::{Notation, Turn, legal_steps};
use fauve_referee::record::replay;

/// Reads a turn in any spelling that means one turn: as it is written by the program, or nearly so.
pub(super) fn read<G: Notation>(position: &G, text: &str) -> Option<Turn<G::Step>> {
    if let Some(turn) = replay::read(position, text) {
        return Some(turn);
    }
    if let Some(step) = one(&meant(position, text, is_same)) {
        return Some(Turn::from_slice(&[step]));
    }
    let (part, rest) = position.split_step(text);
    let first = replay::read(position, part).or_else(|| {
        let step = one(&meant(position, part, is_same))?;
        Some(Turn::from_slice(&[step]))
    })?;
    let mut after = *position;
    first.iter().for_each(|&step| after.play(step));
    // What follows a whole turn would be the other side's.
    let rest = read(&after, rest.filter(|_| after.is_mid_turn())?)?;
    Some(first.into_iter().chain(rest).collect())
}

/// The legal steps that are written so but for capital and small letters, in the notation that people read.
pub(super) fn but_for_capitals<G: Notation>(position: &G, text: &str) -> Vec<String> {
    let steps = meant(position, text, str::eq_ignore_ascii_case);
    steps.iter().map(|&step| position.step_san(step)).collect()
}

/// The legal steps with a spelling like this one.
fn meant<G: Notation>(position: &G, text: &str, is_like: fn(&str, &str) -> bool) -> Vec<G::Step> {
    let text = plain(text);
    let spellings = |step| {
        let (token, san) = (position.step_token(step), position.step_san(step));
        // With the letter of the man before the squares, `Ng1f3`.
        let man = san.chars().next().filter(char::is_ascii_uppercase);
        let full = man.map_or(String::new(), |man| format!("{man}{token}"));
        [token, san, full]
    };
    let mut steps = legal_steps(position).to_vec();
    steps.retain(|&step| {
        let mut spellings = spellings(step).into_iter();
        spellings.any(|spelling| is_like(&plain(&spelling), &text))
    });
    steps
}

/// The only one.
fn one<S: Copy>(steps: &[S]) -> Option<S> {
    match *steps {
        [step] => Some(step),
        _ => None,
    }
}

/// Whether two spellings differ by capital and small letters behind the first at most: `bc3` is a pawn's capture, `Bc3` a
/// bishop's move, but `a8q` is `a8Q`.
fn is_same(one: &str, other: &str) -> bool {
    one.chars().next() == other.chars().next() && one.eq_ignore_ascii_case(other)
}

/// A spelling without the signs that say nothing more; a minus stays.
fn plain(text: &str) -> String {
    let is_castling = text.contains('0') && text.chars().all(|letter| matches!(letter, '0' | '-'));
    let mut plain = String::new();
    let mut before = ' ';
    for letter in text.chars() {
        let is_minus = letter == '-' && matches!(before, '(' | ',');
        if is_minus || !"-x:=+#!?\u{2194}\u{25a1}".contains(letter) {
            plain.push(if is_castling { 'O' } else { letter });
        }
        before = letter;
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::NoOptions;
    use fauve_engine::rules::chess::Chess;
    use fauve_engine::rules::cubes::Position;
    use fauve_engine::rules::turn_token;
    use fauve_engine::rules::twomove::TwoMove;

    fn token<G: Notation>(fen: &str, text: &str) -> Option<String> {
        let position = G::from_fen(fen, &G::Options::default()).expect("a position");
        let position = position.position;
        read(&position, text).map(|turn| turn_token(&position, &turn))
    }

    #[test]
    fn turns_are_read_as_people_write_them() {
        let fen = "r3k3/1P6/8/8/8/2p5/1P6/R3K1NR w KQq - 0 1";
        for (text, expected) in [
            ("Ng1-f3", Some("g1f3")),
            ("e1-e2", Some("e1e2")),
            ("0-0-0", Some("e1c1")),
            ("bc3", Some("b2c3")),
            ("bxa8=q", Some("b7a8q")),
            ("b8Q", Some("b7b8q")),
            ("Ra8", Some("a1a8")),
            // Which letter of the promotion, which man: that is not to be guessed.
            ("b8", None),
            ("nf3", None),
            ("Bc3", None),
            ("Ng1-f3,e1e2", None),
        ] {
            assert_eq!(token::<Chess>(fen, text).as_deref(), expected, "{text}");
        }
        let twomove = "4k3/8/8/8/8/8/4P3/4K1N1 w - - 0 2 2";
        assert_eq!(
            token::<TwoMove>(twomove, "Ng1-f3,e2-e4").as_deref(),
            Some("g1f3,e2e4")
        );
        let cubes =
            "e10:2r1n1q1k1g1n2b/011p1p1p10p/2110112/011P1P1P10P/2R1N1Q1K1G1N2B w RBrb Gg - - 1";
        for (text, expected) in [
            ("N(-2,-2)x(-1,0)", Some("f6g8")),
            ("P(0,-1)(0,0)", Some("h7h8")),
            ("R(-3,-2)-N(-2,-2)", Some("e6f6")),
            ("(-3,0)-(-2,1)", Some("e8@f9")),
            ("P(0,1)-(0,0)", None),
        ] {
            assert_eq!(
                token::<Position>(cubes, text).as_deref(),
                expected,
                "{text}"
            );
        }
    }

    #[test]
    fn capitals_are_told_apart() {
        let fen = "4k3/8/8/8/8/2n5/1P1B4/4K1N1 w - - 0 1";
        let chess = Chess::from_fen(fen, &NoOptions).expect("a position");
        assert_eq!(but_for_capitals(&chess.position, "nf3"), ["Nf3"]);
        assert_eq!(but_for_capitals(&chess.position, "bc3"), ["Bxc3", "bxc3"]);
        assert!(but_for_capitals(&chess.position, "nf6").is_empty());
    }
}
