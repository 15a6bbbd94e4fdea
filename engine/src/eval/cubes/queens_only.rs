//! Terms of a king hunt in which each side has a Queen. The hunted side's last resources are its Queen's perpetual check, its
//! Queen covering the King, and a Queen sacrifice for stalemate. So the attackers keep pieces near their own King and their
//! King away from the target King, and mobility counts for more. The weights were tuned by games from such positions.

use super::activity::Activity;
use super::confined;
use crate::core::Color;
use crate::rules::cubes::{Cell, Cubes4d, Mask, PieceKind};

/// Penalty for each step by which the hunted side's Queen is nearer to its King than [`COVERING_RANGE`], in centipawns.
const COVERED: i32 = 15;
/// Distance in steps from which that Queen does not count as covering its King.
const COVERING_RANGE: i32 = 4;
/// Bonus for each pseudo-legal move, in centipawns.
const MOVE: i32 = 5;
/// Bonus for each step by which one of the attackers' other pieces is nearer to their own King than [`GUARD_RANGE`], in centipawns.
const GUARD: i32 = 15;
/// Distance in steps from which a piece does not count as guarding its King.
const GUARD_RANGE: i32 = 3;
/// Bonus for each step by which the attackers' King is further from the target King than [`KING_RANGE`], and penalty for each
/// step by which it is nearer, in centipawns.
const KING_AWAY: i32 = 30;
/// Distance between the Kings, in steps, that gives neither bonus nor penalty.
const KING_RANGE: i32 = 4;
/// Bonus for each of the eight places around the target King that it cannot step to, in centipawns.
const CONFINED: i32 = 5;

/// Whether each side has one Queen.
#[inline(always)]
pub fn is_queens_only(position: &Cubes4d) -> bool {
    let queens = position.pieces_of_kind(PieceKind::Queen);
    Color::ALL
        .iter()
        .all(|&color| (queens & position.pieces_of(color)).len() == 1)
}

/// Number of steps by which a cell is nearer to another than `range`; 0 beyond.
#[inline(always)]
fn nearer(range: i32, cell: Cell, other: Cell) -> i32 {
    (range - cell.distance(other)).max(0)
}

/// Value for the attacker of these terms, in centipawns.
pub fn queens_only_value(position: &Cubes4d, attacker: Color, activity: &[Activity; 2]) -> i32 {
    let [king, target_king] = [attacker, !attacker].map(|color| position.king(color));
    let [attackers, others] = [attacker, !attacker].map(|color| position.pieces_of(color));
    let [own, other] = [attacker, !attacker].map(|color| &activity[color.index()]);
    let mut value = MOVE * (own.moves as i32 - other.moves as i32) + CONFINED * confined(own);
    for queen in others & position.pieces_of_kind(PieceKind::Queen) {
        value -= COVERED * nearer(COVERING_RANGE, queen, target_king);
    }
    for cell in attackers.without(Mask::of(king)) {
        value += GUARD * nearer(GUARD_RANGE, cell, king);
    }
    value + KING_AWAY * (king.distance(target_king) - KING_RANGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::network::test_support::position;
    use crate::rules::Rules;

    /// White hunts with Queen, Grand Pawn and Pawn; Black's Queen is two steps from its King.
    const HUNT: &str =
        "d11:00002000/1k2102012/0100P1200/02q0G00122/1012Q0K210/00201012/00001000 b - Ggg f6 - 56";

    #[test]
    fn only_queens_is_one_queen_against_one() {
        let both: Cubes4d = position(HUNT);
        assert!(is_queens_only(&both));
        for queen in both.pieces_of_kind(PieceKind::Queen) {
            assert!(!is_queens_only(&both.without(queen)));
        }
    }

    /// A Queen and four pawns' worth are few where only Queens are left, else too many.
    #[test]
    fn with_queens_only_more_is_hunted() {
        let both: Cubes4d = position(HUNT);
        let pieces = |little: i32| [little, little + 500];
        assert_eq!(both.side_to_move(), Color::Black);
        assert_eq!(both.attacker(pieces(1600)), Some(Color::White));
        assert_eq!(both.attacker(pieces(1700)), None);
        for queen in both.pieces_of_kind(PieceKind::Queen) {
            let alone = both.without(queen);
            assert_eq!(alone.attacker(pieces(1600)), None);
            assert_eq!(alone.attacker(pieces(1200)), Some(Color::White));
        }
    }

    /// By where the pieces stand, everything else alike.
    #[test]
    fn queen_at_home_own_pieces_and_the_king_far_count() {
        let before: Cubes4d = position(HUNT);
        let activity = before.activity();
        let value = |from: &str, to: &str| {
            let changed = HUNT.replace(from, to);
            assert_ne!(changed, HUNT);
            queens_only_value(&position(&changed), Color::White, &activity)
        };
        let now = queens_only_value(&before, Color::White, &activity);
        // The Queen of Black goes to the other side.
        let far = value("02q0G00122", "020G00122q");
        assert_eq!(far, now + 2 * COVERED);
        // The Pawn moves next to its King.
        let guarded = value("0100P1200/02q0G00122", "01001200/02q0G0P0122");
        assert_eq!(guarded, now + GUARD);
        // The King goes a step away from its target, and from the Queen and the Grand Pawn.
        assert_eq!(value("0K210", "02K10"), now + KING_AWAY - 2 * GUARD);
    }

    #[test]
    fn moves_and_places_count() {
        let at: Cubes4d = position(HUNT);
        let activity = at.activity();
        let with = |change: &dyn Fn(&mut [Activity; 2])| {
            let mut activity = activity;
            change(&mut activity);
            queens_only_value(&at, Color::White, &activity)
        };
        let now = with(&|_| ());
        assert_eq!(with(&|[white, _]| white.moves += 2), now + 2 * MOVE);
        assert_eq!(with(&|[_, black]| black.moves += 2), now - 2 * MOVE);
        assert_eq!(
            with(&|[white, _]| white.safe = 0),
            now + CONFINED * activity[0].safe.min(8) as i32
        );
    }
}
