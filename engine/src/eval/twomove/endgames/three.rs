//! King and piece against king.
//!
//! Solved backwards from the mates (K. Thompson, "Retrograde analysis of certain endgames", ICCA Journal 9(3), 1986), one piece after the other:
//! knight, rook, queen, and the pawn, whose promotions lead to the others. King and bishop never mate.

use super::steps::Pair;
use crate::core::{Color, Kind, Square, map_in_parallel};
use crate::eval::symmetry;
use crate::rules::twomove::{Options, TwoMove};
use crate::rules::{Notation, Rules, for_each_turn};

/// The pieces that can win, in the order in which they are solved.
const PIECES: [Kind; 4] = [Kind::Knight, Kind::Rook, Kind::Queen, Kind::Pawn];
/// Squares that the other king can stand on after the symmetries: files a to d; without pawns in the triangle a1, d1, d4.
const OTHERS: [usize; 4] = [10, 10, 10, 32];
/// Places of the two kings and the piece in a table of one side to move.
const fn places(class: usize) -> usize {
    OTHERS[class] << 12
}
/// The length of all tables, each class with one for the owner of the piece to move and one for the other.
pub const TOTAL: usize = 2 * (places(0) + places(1) + places(2) + places(3));
/// Number of turns of both sides that no mate reaches.
const LONGEST: u8 = 250;

/// A place of the pieces, the owner of the third piece being White.
#[derive(Clone, Copy)]
struct Place {
    class: usize,
    owner_moves: bool,
    king: u8,
    piece: u8,
    other: u8,
}

impl Place {
    fn index(self) -> usize {
        let pawn = PIECES[self.class] == Kind::Pawn;
        let [king, piece, other] = symmetry::canonical([self.king, self.piece, self.other], pawn);
        let other = symmetry::number(other, pawn);
        let before: usize = (0..self.class).map(|class| 2 * places(class)).sum();
        let table = usize::from(!self.owner_moves) * places(self.class);
        before + table + (other << 12 | usize::from(king) << 6 | usize::from(piece))
    }

    /// The position, if it is legal.
    fn position(self) -> Option<TwoMove> {
        let piece = PIECES[self.class].letter() as u8;
        let pieces = [(self.king, b'K'), (self.piece, piece), (self.other, b'k')];
        let pieces = pieces.map(|(square, letter)| (letter, Square::from_index(square)));
        position(&pieces, self.owner_moves)
    }
}

/// The position with these pieces, by letters as in FEN, between two turns, if it is legal.
pub fn position(pieces: &[(u8, Square)], white_moves: bool) -> Option<TwoMove> {
    let mut board = [b'1'; 64];
    for &(letter, square) in pieces {
        board[square.index()] = letter;
    }
    let ranks: Vec<&str> = (board.chunks(8).rev())
        .filter_map(|rank| std::str::from_utf8(rank).ok())
        .collect();
    let side = if white_moves { 'w' } else { 'b' };
    let fen = format!("{} {side} - - 0 1 2", ranks.join("/"));
    TwoMove::from_fen(&fen, &Options::default())
        .ok()
        .map(|parsed| parsed.position)
}

/// Returns the number of turns of both sides after which a lone king to move is mated, or `None` if it is not.
pub fn turns_of_lone_king(tables: &[u8], kind: Kind, owner: Pair, other: Square) -> Option<u8> {
    let place = Place {
        class: PIECES.iter().position(|&one| one == kind)?,
        owner_moves: false,
        king: owner.king.index() as u8,
        piece: owner.piece.index() as u8,
        other: other.index() as u8,
    };
    tables[place.index()].checked_sub(1)
}

/// Where the tables have a position between two turns; nothing if they do not.
#[inline]
fn place_of(position: &TwoMove) -> Option<Place> {
    let board = position.board();
    let pieces = board.occupied();
    let piece = (pieces - board.kind(Kind::King)).try_first()?;
    if pieces.len() != 3 || position.moves_left() != 2 {
        return None;
    }
    let kind = board.kind_of_piece(piece);
    let owner = if board.color(Color::White).has(piece) {
        Color::White
    } else {
        Color::Black
    };
    let seen = |square: Square| square.seen_by(owner).index() as u8;
    Some(Place {
        class: PIECES.iter().position(|&one| one == kind)?,
        owner_moves: position.side_to_move() == owner,
        king: seen(board.king(owner)),
        piece: seen(piece),
        other: seen(board.king(!owner)),
    })
}

/// Where the tables have a position with three pieces between two turns; nothing if they do not.
#[inline]
pub fn index_of(position: &TwoMove) -> Option<usize> {
    place_of(position).map(Place::index)
}

/// All tables: by place the turns of both sides to the mate and 1 more; 0: drawn, or no legal position.
pub fn solve_all() -> Vec<u8> {
    let mut tables = vec![0; TOTAL];
    for class in 0..PIECES.len() {
        solve(class, &mut tables);
    }
    tables
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
            for (king, piece) in
                (0..64u8).flat_map(|king| (0..64u8).map(move |piece| (king, piece)))
            {
                let place = Place {
                    class,
                    owner_moves,
                    king,
                    piece,
                    other,
                };
                let index = place.index();
                let pawn = PIECES[class] == Kind::Pawn;
                let canonical = symmetry::is_canonical(other, pawn);
                let apart = king != piece && piece != other && king != other;
                if canonical && apart && (!pawn || (8..56).contains(&piece)) {
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
    let mut escapes = !position.has_turn() && !position.lost_without_turn();
    for_each_turn(position, &mut |_, after| match place_of(after) {
        Some(place) => next.push(place.index() as u32),
        // The piece is taken, or has become a bishop.
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
