//! The chance that a lone King is mated before the rules draw, by attackers without a Queen, for which there are no
//! [exact tables](super::lone).
//!
//! The attackers choose when to capture the last piece, so an advantage must be worth about what it will yield then: a side
//! that overrates it captures too early and is drawn, a side that underrates it never captures and never wins. The weights
//! are a logistic regression (D. R. Cox, "The regression analysis of binary sequences", 1958), rounded and made linear, over
//! 1,317 positions of Kings just left alone whose mate the search did not see (all but 141 without a Queen), each played to
//! its end.

use crate::core::Color;
use crate::rules::cubes::{Cubes4d, PieceKind};

/// Base chance in percent. The regression gives 67; it is lower here because the search seeks out overrated positions.
const BASE: i32 = 52;
/// Change for each piece by [`PieceKind::code`], in percentage points; there is no Queen, and Kings count elsewhere.
const BY_PIECE: [i32; 8] = [0, -5, 33, 7, 33, 7, 0, 0];
/// Change for each place that the King can reach in [`STEPS`] steps over the relief, in percentage points.
const REGION: i32 = -3;
/// Number of steps of the King for [`REGION`].
const STEPS: u32 = 3;
/// Change for each place around the King on which it would be safe, in percentage points.
const SAFE: i32 = -4;
/// Change for each attacker within [`CLOSE_RANGE`] steps, in percentage points.
const CLOSE: i32 = 10;
/// Largest distance of an attacker, in steps, that counts for [`CLOSE`].
const CLOSE_RANGE: i32 = 3;
/// Change for each level of an attacker below the King, in percentage points.
const BELOW: i32 = -6;
/// Change for each level of the King above the trenches, in percentage points.
const LEVEL: i32 = 11;
/// Change for each step of distance of the attackers' King, up to [`FARTHEST`], in percentage points.
const KING_AWAY: i32 = -6;
/// Largest distance of the attackers' King that counts, in steps.
const FARTHEST: i32 = 8;

/// Returns the chance in percent that `attackers` mate, given the number of `safe` places around the King and its full ten
/// turns.
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

    /// A King just left alone, with more and with fewer attackers, and with free places around it.
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
