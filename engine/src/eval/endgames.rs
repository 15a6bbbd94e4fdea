//! What chess and Superchess know about endgames with few pieces, where the network judges badly: it learned from games in which
//! King and Rook, with 700 nodes a turn, rarely mated a King alone, so that a win looked like a draw and a draw like a win.
//!
//! The ideas are those of the endgame functions and scale factors of alpha-beta engines
//! (<https://www.chessprogramming.org/Endgame>, <https://www.chessprogramming.org/Mop-up_Evaluation>,
//! <https://www.chessprogramming.org/Draw_Evaluation>).

use crate::core::{Bitboard, Color, Kind};
use crate::rules::Board;
use crate::rules::orthodox::{DARK, Orthodox};

/// What a piece of each kind counts for in endgames, in centipawns, by [`Kind::index`]; pawns are counted by themselves. Without
/// pawns one piece beats another if it counts for more than [`WINNING_LEAD`] more: the numbers are chosen so that this agrees with
/// complete tables of all 64 endgames of King and piece against King and piece, which a test makes. An Empress does not beat a Rook.
const STRENGTH: [i32; 10] = [0, 250, 260, 500, 850, 0, 1060, 760, 630, 610];
/// The largest lead in centipawns that does not win without pawns.
const WINNING_LEAD: i32 = 340;
/// The largest number of pieces other than pawns, the Kings among them, in an endgame.
const FEW: u32 = 7;

/// Value in centipawns of a certain win, to which the lead is added.
const WON: i32 = 600;
/// Addition where the other side has nothing but its King.
const WON_ALONE: i32 = 600;
/// Bonus for each pawn of the winning side.
const PAWN: i32 = 100;
/// Bonus for each file and rank between the losing King and the four squares in the middle, 0 to 6.
const EDGE: i32 = 20;
/// Bonus for each step by which the Kings are nearer to each other than eight.
const NEAR: i32 = 15;
/// With Knight and Bishop instead of [`EDGE`]: bonus for each step of the losing King away from the diagonal that joins the corners
/// in which they cannot mate, 0 to 7.
const CORNER: i32 = 60;
/// What Knight and Bishop count for together.
const KNIGHT_AND_BISHOP: i32 = STRENGTH[Kind::Knight as usize] + STRENGTH[Kind::Bishop as usize];

/// Divisor of the network's value when the side ahead cannot win by material. The remainder keeps larger leads preferable, since some
/// still win.
const DRAWN: i32 = 16;

/// What one side has.
struct Side {
    pieces: Bitboard,
    pawns: i32,
    strength: i32,
}

impl Side {
    #[inline(always)]
    fn of<const N: usize>(board: &Board<N>, color: Color) -> Self {
        let pieces = board.color(color);
        let strength = Kind::ALL[..N]
            .iter()
            .map(|&kind| STRENGTH[kind.index()] * (pieces & board.kind(kind)).len() as i32)
            .sum();
        Self {
            pieces,
            pawns: (pieces & board.kind(Kind::Pawn)).len() as i32,
            strength,
        }
    }
}

/// The value of a position in centipawns for the side to move, where the network says `value`: that, unless it is an endgame that
/// pieces win or cannot win.
#[inline(always)]
pub fn endgame_value<const N: usize>(position: &Orthodox<N>, value: i32) -> i32 {
    let board = position.board();
    if (board.occupied() - board.kind(Kind::Pawn)).len() > FEW {
        return value;
    }
    of_few(board, position.side_to_move(), value)
}

#[inline(never)]
fn of_few<const N: usize>(board: &Board<N>, us: Color, value: i32) -> i32 {
    let sides = [us, !us].map(|color| Side::of(board, color));
    let leads = [0, 1].map(|side| sides[side].strength - sides[1 - side].strength);
    // Whether a side could win without pawns.
    let wins = |side: usize| leads[side] > WINNING_LEAD && !is_two_knights(board, &sides[side]);
    for (side, color) in [us, !us].into_iter().enumerate() {
        let (strong, weak) = (&sides[side], &sides[1 - side]);
        let alone = weak.strength == 0;
        if wins(side) && weak.pawns == 0 && (strong.pawns == 0 || alone) {
            let won = won(board, color, strong, leads[side], alone);
            return if color == us { won } else { -won };
        }
    }
    let ahead = usize::from(value < 0);
    if sides[ahead].pawns == 0 && !wins(ahead) {
        value / DRAWN
    } else {
        value
    }
}

/// Whether a side has two Knights and nothing else, which do not mate a King alone.
#[inline(always)]
fn is_two_knights<const N: usize>(board: &Board<N>, side: &Side) -> bool {
    let knights = side.pieces & board.kind(Kind::Knight);
    side.pawns == 0 && knights.len() == 2 && side.pieces.len() == 3
}

/// What a win is worth to `color`: more as it gets nearer, so that it is found.
fn won<const N: usize>(board: &Board<N>, color: Color, side: &Side, lead: i32, alone: bool) -> i32 {
    let [king, target] = [color, !color].map(|color| board.king(color));
    let mut value = WON + lead + PAWN * side.pawns + NEAR * (8 - i32::from(king.distance(target)));
    let [file, rank] = [target.file(), target.rank()].map(i32::from);
    let bishops = side.pieces & board.kind(Kind::Bishop);
    value += if side.pawns == 0 && side.strength == KNIGHT_AND_BISHOP && bishops.len() == 1 {
        // A Bishop on dark squares mates in a1 and h8.
        let dark = (bishops & DARK).any();
        CORNER * (if dark { 7 - file - rank } else { file - rank }).abs()
    } else {
        EDGE * ((2 * file - 7).abs() / 2 + (2 * rank - 7).abs() / 2)
    };
    value + if alone { WON_ALONE } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::Square;
    use crate::eval::Evaluate;
    use crate::eval::network::test_support::position;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;

    /// The pieces that a King can have beside it when there are no pawns.
    const PIECES: [Kind; 8] = [
        Kind::Knight,
        Kind::Bishop,
        Kind::Rook,
        Kind::Veteran,
        Kind::Princess,
        Kind::Empress,
        Kind::Queen,
        Kind::Amazon,
    ];

    /// Whether the first piece beats the second in at least half of the positions, as [`Table`] has it.
    fn beats(strong: Kind, weak: Kind) -> bool {
        match weak {
            Kind::Knight | Kind::Bishop => {
                !matches!(strong, Kind::Knight | Kind::Bishop | Kind::Rook)
            }
            Kind::Rook => matches!(strong, Kind::Queen | Kind::Amazon),
            Kind::Veteran | Kind::Princess => strong == Kind::Amazon,
            _ => false,
        }
    }

    fn pairs() -> impl Iterator<Item = (Kind, Kind)> {
        PIECES
            .into_iter()
            .flat_map(|strong| PIECES.map(|weak| (strong, weak)))
    }

    #[test]
    fn leads_win_where_tables_say_so() {
        for (strong, weak) in pairs() {
            let lead = STRENGTH[strong.index()] - STRENGTH[weak.index()];
            assert_eq!(
                lead > WINNING_LEAD,
                beats(strong, weak),
                "{strong:?} {weak:?}"
            );
        }
    }

    #[test]
    #[ignore = "64 complete tables of four pieces, two minutes"]
    fn tables_of_four_pieces() {
        for (strong, weak) in pairs() {
            let lost = Table::new(strong, weak).lost_share();
            println!("{strong:?} against {weak:?}: {:.1} %", 100.0 * lost);
            assert_eq!(lost > 0.5, beats(strong, weak), "{strong:?} {weak:?}");
        }
    }

    /// King and piece against King and piece, by retrograde analysis (<https://www.chessprogramming.org/Retrograde_Analysis>). An entry
    /// stands for the squares of the strong side's King and piece and of the weak side's. A capture wins if the piece that is left mates
    /// and the King alone can neither take it nor is stalemated: by stalemates a Rook holds against an Empress.
    struct Table {
        kinds: [Kind; 2],
        /// By entry with the weak side to move: turns not known to lose; [`Table::ILLEGAL`] for what is no position.
        left: Vec<u8>,
        /// By entry with the weak side to move: no check, and nothing can be taken.
        quiet: Vec<bool>,
        /// By entry with the strong side to move: whether it is a position, and whether it is won.
        legal: Vec<bool>,
        won: Vec<bool>,
    }

    type Squares = [Square; 4];

    fn attacks(kind: Kind, from: Square, occupied: Bitboard) -> Bitboard {
        Board::<10>::piece_attacks(kind, from, occupied)
    }

    fn entry(squares: Squares) -> usize {
        squares
            .iter()
            .fold(0, |entry, square| entry << 6 | square.index())
    }

    fn squares_of(entry: usize) -> Squares {
        [18, 12, 6, 0].map(|shift| Square::from_index((entry >> shift & 63) as u8))
    }

    impl Table {
        const ILLEGAL: u8 = 255;

        fn new(strong: Kind, weak: Kind) -> Self {
            let size = 1 << 24;
            let mut table = Self {
                kinds: [strong, weak],
                left: vec![Self::ILLEGAL; size],
                quiet: vec![false; size],
                legal: vec![false; size],
                won: vec![false; size],
            };
            let (mut lost, mut won) = (Vec::new(), Vec::new());
            for king in Square::all() {
                for piece in Square::all().filter(|&piece| piece != king) {
                    for target in Square::all() {
                        let apart = target != piece && target.distance(king) > 1;
                        for other in Square::all().filter(|_| apart) {
                            if ![king, piece, target].contains(&other) {
                                let squares = [king, piece, target, other];
                                table.begin(squares, &mut lost, &mut won);
                            }
                        }
                    }
                }
            }
            table.spread(lost, won);
            table
        }

        /// What is known of an entry by itself: mates and winning captures.
        fn begin(&mut self, squares: Squares, lost: &mut Vec<usize>, won: &mut Vec<usize>) {
            let [king, piece, target, other] = squares;
            let [strong, weak] = self.kinds;
            let occupied = squares
                .iter()
                .fold(Bitboard::EMPTY, |set, &square| set | Bitboard::of(square));
            let hits = attacks(strong, piece, occupied);
            let near = |square| attacks(Kind::King, square, Bitboard::EMPTY);
            let (in_check, others) = (hits.has(target), attacks(weak, other, occupied));
            let index = entry(squares);
            if !others.has(king) {
                let mut turns = 0;
                let mut takes = false;
                for to in near(target) - Bitboard::of(other) - near(king) {
                    let without = occupied - Bitboard::of(target);
                    takes |= to == piece;
                    turns += u8::from(to == piece || !attacks(strong, piece, without).has(to));
                }
                for to in others - Bitboard::of(target) {
                    let after = occupied - Bitboard::of(other) | Bitboard::of(to);
                    takes |= to == piece;
                    turns += u8::from(to == piece || !attacks(strong, piece, after).has(target));
                }
                self.left[index] = turns;
                self.quiet[index] =
                    turns > 0 && !in_check && !takes && !(hits | near(king)).has(other);
                if turns == 0 && in_check {
                    lost.push(index);
                }
            }
            if !in_check {
                self.legal[index] = true;
                let takes = (near(king).has(other) && self.wins_alone([other, piece, target]))
                    || (hits.has(other) && self.wins_alone([king, other, target]));
                if takes {
                    self.won[index] = true;
                    won.push(index);
                }
            }
        }

        /// Whether the strong side's King and piece win against a King alone that is to move.
        fn wins_alone(&self, [king, piece, target]: [Square; 3]) -> bool {
            let kind = self.kinds[0];
            let near = |square| attacks(Kind::King, square, Bitboard::EMPTY);
            let others = Bitboard::of(king) | Bitboard::of(piece);
            let goes = near(target) - near(king);
            let in_check = attacks(kind, piece, others | Bitboard::of(target)).has(target);
            let moves = (goes - attacks(kind, piece, others)).any();
            let apart = king.distance(target) > 1;
            let mates = STRENGTH[kind.index()] > WINNING_LEAD;
            mates && apart && !goes.has(piece) && (moves || in_check)
        }

        /// From what is known to what precedes it.
        fn spread(&mut self, mut lost: Vec<usize>, mut won: Vec<usize>) {
            let [strong, weak] = self.kinds;
            let goes = |kind, from, squares: Squares| {
                let occupied = squares
                    .iter()
                    .fold(Bitboard::EMPTY, |set, &square| set | Bitboard::of(square));
                attacks(kind, from, occupied) - occupied
            };
            loop {
                if let Some(index) = lost.pop() {
                    let squares = squares_of(index);
                    for (moved, kind) in [(0, Kind::King), (1, strong)] {
                        for from in goes(kind, squares[moved], squares) {
                            let mut before = squares;
                            before[moved] = from;
                            let before = entry(before);
                            if self.legal[before] && !self.won[before] {
                                self.won[before] = true;
                                won.push(before);
                            }
                        }
                    }
                } else if let Some(index) = won.pop() {
                    let squares = squares_of(index);
                    for (moved, kind) in [(2, Kind::King), (3, weak)] {
                        for from in goes(kind, squares[moved], squares) {
                            let mut before = squares;
                            before[moved] = from;
                            let before = entry(before);
                            if self.left[before] != Self::ILLEGAL {
                                self.left[before] -= 1;
                                if self.left[before] == 0 {
                                    lost.push(before);
                                }
                            }
                        }
                    }
                } else {
                    return;
                }
            }
        }

        /// The share of quiet positions with the weak side to move that it loses.
        fn lost_share(&self) -> f64 {
            let quiet = || {
                self.left
                    .iter()
                    .zip(&self.quiet)
                    .filter(|&(_, &quiet)| quiet)
            };
            let lost = quiet().filter(|&(&left, _)| left == 0).count();
            lost as f64 / quiet().count() as f64
        }
    }

    /// Two Knights do not mate, nor does a Rook beat a Knight, a Bishop, or a Bishop and a Rook; with a pawn the network judges.
    #[test]
    fn leads_that_do_not_win_are_worth_little() {
        let value = |fen: &str| position::<Chess>(fen).evaluate();
        for drawn in [
            "8/8/4k3/8/4K3/4N3/4N3/8 w - - 0 1",
            "8/8/4k3/8/4K3/4N3/8/r7 w - - 0 1",
            "8/8/4k3/8/4K3/4B3/8/r7 b - - 0 1",
            "8/8/4k3/8/4K3/3RB3/8/r7 w - - 0 1",
        ] {
            assert!(value(drawn).abs() < 60, "{drawn}: {}", value(drawn));
        }
        assert!(value("8/8/4k3/8/4K3/3RP3/8/r7 w - - 0 1") > 60);
    }

    /// The nearer the losing King is to the edge, or to the right corner, and the nearer the Kings are, the more a win is worth.
    #[test]
    fn wins_are_worth_more_the_nearer_they_are() {
        let chess = |fen: &str| position::<Chess>(fen).evaluate();
        let middle = chess("8/8/8/3k4/8/8/8/3K2R1 w - - 0 1");
        let edge = chess("3k4/8/8/8/8/8/8/3K2R1 w - - 0 1");
        let opposed = chess("3k4/8/3K4/8/8/8/8/6R1 w - - 0 1");
        assert!(1_000 < middle && middle < edge && edge < opposed);
        assert_eq!(chess("3k4/8/3K4/8/8/8/8/6R1 b - - 0 1"), -opposed);
        // A Bishop on light squares mates in a8 and h1, not in a1 and h8.
        let corner = |square: &str| chess(&format!("{square} w - - 0 1"));
        let right = corner("k7/8/8/3K4/3N4/3B4/8/8");
        let wrong = corner("7k/8/8/3K4/3N4/3B4/8/8");
        assert!(right > wrong + 300, "{right} {wrong}");
        let superchess = |fen: &str| position::<Superchess>(fen).evaluate();
        assert!(superchess("8/8/8/3k4/8/8/8/3K2V1 w - - 0 1") > 1_000);
        assert!(superchess("3r4/8/8/3k4/8/8/8/3K2Q1 w - - 0 1") > 600);
        assert!(superchess("3r4/8/8/3k4/8/8/8/3K2E1 w - - 0 1").abs() < 100);
    }
}
