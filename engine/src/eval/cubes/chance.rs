//! The chance that a lone King is mated before the rules save him by attackers without a Queen, of whom nothing [exact](super::lone)
//! is known.
//!
//! Who hunts chooses when the King is left alone, so an advantage must be worth about what it will bring then: whoever
//! thinks too much of it takes the last piece and is drawn, whoever shrinks from taking him never wins. The weights are a logistic
//! regression (D. R. Cox, "The regression analysis of binary sequences", 1958), rounded and made linear, over 1,317 positions of
//! Kings just left alone whose mate the search did not see (all but 141 without a Queen), each played to its end.

use crate::core::Color;
use crate::rules::cubes::{Cubes4d, PieceKind};

/// In per cent. The regression says 67; less than that, because the search seeks out what is overrated.
const BASE: i32 = 52;
/// For each piece by [`Piece::code`]; there is no Queen, and Kings count elsewhere.
const BY_PIECE: [i32; 8] = [0, -5, 33, 7, 33, 7, 0, 0];
/// For each place that the King can reach in [`STEPS`] steps over the relief.
const REGION: i32 = -3;
const STEPS: u32 = 3;
/// For each place beside him where he would be safe.
const SAFE: i32 = -4;
/// For each attacker not farther than [`CLOSE_RANGE`] steps,
const CLOSE: i32 = 10;
const CLOSE_RANGE: i32 = 3;
/// for each level that a attacker stands below him,
const BELOW: i32 = -6;
/// for each that he stands above the trenches himself,
const LEVEL: i32 = 11;
/// and for each step that the attackers' King is away, up to so many.
const KING_AWAY: i32 = -6;
const FARTHEST: i32 = 8;

/// The chance of `attackers` to mate, from 0 to 100, if the King has so many `safe` places beside him and all his time.
pub fn chance(position: &Cubes4d, attackers: Color, safe: u32) -> i32 {
    let target_king = position.king(!attackers);
    let level = i32::from(position.height(target_king));
    let own = position.pieces_of(attackers);
    let mut chance = BASE + LEVEL * level + SAFE * safe.min(8) as i32;
    chance += REGION * position.king_region(!attackers, STEPS).len() as i32;
    for piece in PieceKind::ALL {
        chance += BY_PIECE[piece.code()] * (own & position.pieces_of_kind(piece)).len() as i32;
    }
    for cell in own {
        let away = target_king.distance(cell);
        chance += CLOSE * i32::from(away <= CLOSE_RANGE);
        chance += BELOW * (level - i32::from(position.height(cell))).max(0);
    }
    chance += KING_AWAY * target_king.distance(position.king(attackers)).min(FARTHEST);
    chance.clamp(0, 100)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::test_support::position;

    /// A King just left alone, with more and with fewer attackers, and with places beside him.
    #[test]
    fn pieces_and_places_count() {
        let text = "d12:000010000/000k102000/001000010/201G0R12200/0302P11000/0001P11111/021011K111/000010000 b - GQggq - b0 75";
        let all: Cubes4d = position(text);
        let rooks = all.pieces_of_kind(PieceKind::Rook);
        let pawns = all.pieces_of_kind(PieceKind::Pawn);
        let [no_rook, no_pawn] = [rooks, pawns].map(|pieces| {
            let cell = pieces.into_iter().next().expect("a piece");
            chance(&all.without(cell), Color::White, 3)
        });
        let whole = chance(&all, Color::White, 3);
        assert!(no_rook < whole, "{no_rook} {whole}");
        assert!(no_pawn > whole, "{no_pawn} {whole}");
        assert!(chance(&all, Color::White, 8) < whole);
        assert!((1..100).contains(&whole));
    }
}
