//! The pieces that can be captured within a turn, for the network.

use crate::core::{Bitboard, Color, Kind, attacks};
use crate::rules::Board;
use crate::rules::twomove::advances;

/// The pieces of both sides that an enemy piece could capture within a turn, in two sets: with the first move; with the second move, when the
/// same piece made the first one.
///
/// This is an estimate for the evaluation: a first move neither opens nor closes a line, and pins, castling, en passant and promotion
/// are left out.
#[inline]
pub fn threatened<const N: usize>(pieces: &Board<N>) -> [Bitboard; 2] {
    let mut sets = [Bitboard::EMPTY; 2];
    for by in Color::ALL {
        for (set, captured) in sets.iter_mut().zip(captures(pieces, by)) {
            *set |= captured & pieces.color(!by);
        }
    }
    sets
}

/// The squares on which a side could capture with the first move of a turn, and with the second of a piece that makes both.
#[inline(always)]
fn captures<const N: usize>(pieces: &Board<N>, by: Color) -> [Bitboard; 2] {
    let (own, occupied) = (pieces.color(by), pieces.occupied());
    let of = |kind| own & pieces.kind(kind);
    let reach = |kind, attack: fn(_, _) -> Bitboard| {
        of(kind).fold(Bitboard::EMPTY, |set, from| set | attack(from, occupied))
    };
    let bishops = reach(Kind::Bishop, attacks::bishop);
    let rooks = reach(Kind::Rook, attacks::rook);
    let queens = reach(Kind::Queen, attacks::queen);
    let pawns = of(Kind::Pawn);
    let taken = attacks::pawns(by, pawns);
    let knights = attacks::knights(of(Kind::Knight));
    let kings = attacks::kings(of(Kind::King));
    let first = taken | knights | bishops | rooks | queens | kings;
    // The first move may be a capture, too.
    let stops = |set| set - own;
    let pawns = advances(by, pawns, occupied) | taken & pieces.color(!by);
    let second = attacks::slides(stops(rooks | queens), stops(bishops | queens), occupied)
        | attacks::knights(stops(knights))
        | attacks::kings(stops(kings))
        | attacks::pawns(by, pawns);
    [first, second]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Square;
    use crate::eval::network::features::{Features, Pieces};
    use crate::eval::network::test_support::{position, random};
    use crate::rules::twomove::{Options, TwoMove};
    use crate::rules::{Notation, Rules, legal_steps};
    use rand_xoshiro::rand_core::Rng;

    fn squares(text: &str) -> Bitboard {
        text.split_whitespace()
            .filter_map(|at| at.parse::<Square>().ok())
            .collect()
    }

    #[test]
    fn captures_with_the_first_move_and_with_the_second() {
        let of = |fen| threatened(&position::<TwoMove>(fen).pieces());
        let [first, second] = of("6k1/8/8/8/1p6/8/2P5/K6r w - - 0 1 2");
        assert_eq!(first, squares("a1"));
        // The rook takes the king from another square of the rank and the pawn from h2; White's pawn takes from c3.
        assert_eq!(second, squares("a1 b4 c2"));
        // A capture is a first move, too: the knight takes f7 and then the rook.
        let [first, second] = of("6kr/5p2/8/4N3/8/8/8/K7 w - - 0 1 2");
        assert_eq!(first, squares("f7"));
        assert!(second.has("h8".parse().expect("a square")));
    }

    /// What the definition says, piece by piece.
    fn by_definition(position: &TwoMove) -> [Bitboard; 2] {
        let pieces = position.pieces();
        let occupied = pieces.occupied();
        let mut sets = [Bitboard::EMPTY; 2];
        for from in occupied {
            let (owner, kind) = pieces.piece(from);
            let (own, enemy) = (pieces.color(owner), pieces.color(!owner));
            let attacked = |at| match kind {
                Kind::Pawn => attacks::pawn(owner, at),
                _ => Pieces::piece_attacks(kind, at, occupied),
            };
            let stops = match kind {
                Kind::Pawn => {
                    advances(owner, Bitboard::of(from), occupied) | attacked(from) & enemy
                }
                _ => attacked(from) - own,
            };
            sets[0] |= attacked(from) & enemy;
            for stop in stops {
                sets[1] |= attacked(stop) & enemy;
            }
        }
        sets
    }

    #[test]
    fn sets_are_those_of_the_definition_in_random_games() {
        let mut random = random(1);
        let mut seen = [0; 2];
        for _ in 0..40 {
            let mut position = TwoMove::start(&Options::default());
            for _ in 0..120 {
                let steps = legal_steps(&position);
                if steps.is_empty() {
                    break;
                }
                position.play(steps[random.next_u64() as usize % steps.len()]);
                let found = threatened(&position.pieces());
                assert_eq!(found, by_definition(&position), "{}", position.fen());
                for (seen, set) in seen.iter_mut().zip(found) {
                    *seen += usize::from(set.any());
                }
            }
        }
        assert!(seen.iter().all(|&count| count > 1_000), "{seen:?}");
    }
}
