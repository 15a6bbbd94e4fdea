//! Endings of two-move chess, king and man against king: the distance to mate of every position.
//!
//! Solved backwards from the mates (K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986), one man after the other:
//! knight, rook, queen, and the pawn, whose promotions lead to the others. King and bishop never mate. The tables are part of the
//! program; `fauve endings --variant twomove FILE` makes them anew.

use crate::core::{Color, Kind, Square, map_in_parallel};
use crate::eval::{Known, symmetry};
use crate::rules::twomove::{Options, TwoMove};
use crate::rules::{CastlingRights, Notation, Rules, for_each_turn, has_turn};
use miniz_oxide::deflate::compress_to_vec_zlib;
use miniz_oxide::inflate::decompress_to_vec_zlib_with_limit;
use std::sync::LazyLock;

/// The men that can win, in the order in which they are solved.
const MEN: [Kind; 4] = [Kind::Knight, Kind::Rook, Kind::Queen, Kind::Pawn];
/// Squares that the other king can stand on after the symmetries: files a to d; without pawns in the triangle a1, d1, d4.
const OTHERS: [usize; 4] = [10, 10, 10, 32];
/// Places of the two kings and the man in a table of one side to move.
const fn places(class: usize) -> usize {
    OTHERS[class] << 12
}
/// The length of all tables, each class with one for the owner of the man to move and one for the other.
const TOTAL: usize = 2 * (places(0) + places(1) + places(2) + places(3));
const LEVEL: u8 = 9;
/// No mate takes so many turns of both sides.
const LONGEST: u8 = 250;

/// By place the turns of both sides to the mate and 1 more; 0: drawn, or no legal position.
static TABLES: LazyLock<Vec<u8>> = LazyLock::new(|| {
    decompress_to_vec_zlib_with_limit(include_bytes!("../../../endings/twomove.tables"), TOTAL)
        .ok()
        .filter(|tables| tables.len() == TOTAL)
        .expect("the tables that are part of the program are whole")
});

/// A place of the men, the owner of the third man being White.
#[derive(Clone, Copy)]
struct Place {
    class: usize,
    owner_moves: bool,
    king: u8,
    man: u8,
    other: u8,
}

impl Place {
    fn index(self) -> usize {
        let pawn = MEN[self.class] == Kind::Pawn;
        let [king, man, other] = symmetry::canonical([self.king, self.man, self.other], pawn);
        let other = symmetry::number(other, pawn);
        let before: usize = (0..self.class).map(|class| 2 * places(class)).sum();
        let table = usize::from(!self.owner_moves) * places(self.class);
        before + table + (other << 12 | usize::from(king) << 6 | usize::from(man))
    }

    /// The position, if it is legal.
    fn position(self) -> Option<TwoMove> {
        let mut board = [b'1'; 64];
        let man = MEN[self.class].letter().to_ascii_uppercase() as u8;
        for (square, letter) in [(self.king, b'K'), (self.man, man), (self.other, b'k')] {
            board[usize::from(square)] = letter;
        }
        let ranks: Vec<&str> = (board.chunks(8).rev())
            .filter_map(|rank| std::str::from_utf8(rank).ok())
            .collect();
        let side = if self.owner_moves { 'w' } else { 'b' };
        let fen = format!("{} {side} - - 0 1 2", ranks.join("/"));
        TwoMove::from_fen(&fen, &Options::default())
            .ok()
            .map(|parsed| parsed.position)
    }
}

/// Where the tables have a position between two turns; nothing if they do not.
#[inline]
fn place_of(position: &TwoMove) -> Option<Place> {
    let board = position.board();
    let men = board.occupied();
    let man = (men - board.kind(Kind::King)).try_first()?;
    if men.len() != 3 || position.moves_left() != 2 {
        return None;
    }
    let kind = board.kind_of_man(man);
    let owner = if board.color(Color::White).has(man) {
        Color::White
    } else {
        Color::Black
    };
    let seen = |square: Square| square.seen_by(owner).index() as u8;
    Some(Place {
        class: MEN.iter().position(|&one| one == kind)?,
        owner_moves: position.side_to_move() == owner,
        king: seen(board.king(owner)),
        man: seen(man),
        other: seen(board.king(!owner)),
    })
}

/// What is known of a position between two turns with three men, one of them no bishop; the counter of quiet turns is not looked at.
#[inline]
pub fn known(position: &TwoMove) -> Option<Known> {
    if position.board().occupied().len() != 3 || position.castling() != CastlingRights::default() {
        return None;
    }
    let place = place_of(position)?;
    Some(match TABLES[place.index()] {
        0 => Known::Draw,
        turns if place.owner_moves => Known::Win(u32::from(turns) - 1),
        turns => Known::Loss(u32::from(turns) - 1),
    })
}

/// The file of the tables: a zlib stream, which ends with a checksum.
pub fn make() -> Vec<u8> {
    let mut tables = vec![0; TOTAL];
    for class in 0..MEN.len() {
        solve(class, &mut tables);
    }
    compress_to_vec_zlib(&tables, LEVEL)
}

/// A position that is not decided yet, and what its turns lead to.
struct Open {
    index: usize,
    next: Vec<u32>,
}

/// All positions of a class with a side to move, each with the places that its turns lead to; drawn ones are left out, and those
/// in which the side to move is mated have none.
fn list(class: usize, owner_moves: bool) -> Vec<Open> {
    let squares: Vec<u8> = (0..64).collect();
    let lists = map_in_parallel(
        &squares,
        || (),
        |(), &other| {
            let mut found = Vec::new();
            for (king, man) in (0..64u8).flat_map(|king| (0..64u8).map(move |man| (king, man))) {
                let place = Place {
                    class,
                    owner_moves,
                    king,
                    man,
                    other,
                };
                let index = place.index();
                let pawn = MEN[class] == Kind::Pawn;
                let canonical = symmetry::is_canonical(other, pawn);
                let apart = king != man && man != other && king != other;
                if canonical && apart && (!pawn || (8..56).contains(&man)) {
                    found.extend(place.position().and_then(|position| open(&position, index)));
                }
            }
            found
        },
    );
    lists.into_iter().flatten().collect()
}

fn open(position: &TwoMove, index: usize) -> Option<Open> {
    let mut next = Vec::new();
    let mut escapes = !has_turn(position) && !position.lost_without_turn();
    for_each_turn(position, &mut |_, after| match place_of(after) {
        Some(place) => next.push(place.index() as u32),
        // The man is taken, or has become a bishop.
        None => escapes = true,
    });
    next.sort_unstable();
    next.dedup();
    let owner_moves = place_of(position)?.owner_moves;
    (owner_moves || !escapes).then_some(Open { index, next })
}

fn solve(class: usize, tables: &mut [u8]) {
    let (mut winning, mut losing) = (list(class, true), list(class, false));
    // The number of turns to the mate, by turns the owner's and the other's.
    for turns in 0..LONGEST {
        let is_known = |next: &u32, tables: &[u8]| (1..=turns).contains(&tables[*next as usize]);
        let open = if turns % 2 == 1 {
            &mut winning
        } else {
            &mut losing
        };
        let mut solved = Vec::new();
        open.retain(|one| {
            let decided = if turns % 2 == 1 {
                one.next.iter().any(|next| is_known(next, tables))
            } else {
                one.next.iter().all(|next| is_known(next, tables))
            };
            if decided {
                solved.push(one.index);
            }
            !decided
        });
        for index in solved {
            tables[index] = turns + 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The tables are what is made anew, and each value follows from those of the turns.
    #[test]
    fn the_tables_are_those_that_are_made() {
        assert!(make() == include_bytes!("../../../endings/twomove.tables"));
    }

    #[test]
    fn values_follow_from_those_after_the_turns() {
        let mut seen = [0; 3];
        for number in 0..40_000u64 {
            let random = crate::core::zobrist::splitmix(7, number);
            let squares = [random, random >> 8, random >> 16].map(|bits| (bits & 63) as u8);
            let place = Place {
                class: (random >> 24) as usize % 4,
                owner_moves: random >> 32 & 1 != 0,
                king: squares[0],
                man: squares[1],
                other: squares[2],
            };
            let [king, man, other] = squares;
            if king == man || man == other || king == other {
                continue;
            }
            let Some(position) = place.position() else {
                continue;
            };
            check(&position, &mut seen);
        }
        assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
    }

    fn check(position: &TwoMove, seen: &mut [u32; 3]) {
        let known = super::known(position).expect("three men");
        let mut best = None;
        for_each_turn(position, &mut |_, after| {
            // For the side to move: 0 a loss, the sooner the worse, then draws, then wins.
            let rank = match super::known(after) {
                Some(Known::Loss(turns)) => (2, -i64::from(turns) - 1),
                Some(Known::Win(turns)) => (0, i64::from(turns) + 1),
                Some(Known::Draw) | None => (1, 0),
            };
            best = best.max(Some(rank));
        });
        let expected = match best {
            None if position.lost_without_turn() => Known::Loss(0),
            None | Some((1, _)) => Known::Draw,
            Some((0, turns)) => Known::Loss(turns as u32),
            Some((_, turns)) => Known::Win(-turns as u32),
        };
        assert_eq!(known, expected, "{}", position.fen());
        seen[match known {
            Known::Draw => 0,
            Known::Win(_) => 1,
            Known::Loss(_) => 2,
        }] += 1;
    }
}
