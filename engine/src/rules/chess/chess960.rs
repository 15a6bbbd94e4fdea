//! The start positions of Chess960, by the numbers that all programs know: R. Scharnagl's numbering, 518 is the orthodox array.

use super::{Chess, Options};
use crate::core::Kind;
use crate::rules::Notation;

/// The number of start positions.
pub const STARTS: usize = 960;

/// The two knights among the five squares that bishops and queen leave free, by the last digit of the number.
const KNIGHTS: [[usize; 2]; 10] = [
    [0, 1],
    [0, 2],
    [0, 3],
    [0, 4],
    [1, 2],
    [1, 3],
    [1, 4],
    [2, 3],
    [2, 4],
    [3, 4],
];

/// Returns the pieces of a first rank, files from a to h, by its number below [`STARTS`].
///
/// ```
/// use fauve_engine::rules::chess::chess960::first_rank;
/// let letters = |number| first_rank(number).map(|kind| kind.letter()).into_iter().collect::<String>();
/// assert_eq!(letters(518), "RNBQKBNR");
/// assert_eq!(letters(0), "BBQNNRKR");
/// assert_eq!(letters(959), "RKRNNQBB");
/// ```
pub fn first_rank(number: usize) -> [Kind; 8] {
    let mut rank = [None; 8];
    // Digits of mixed radix: the bishop of the light squares, that of the dark ones, the queen, the knights.
    let (rest, light) = (number / 4, number % 4);
    rank[2 * light + 1] = Some(Kind::Bishop);
    let (rest, dark) = (rest / 4, rest % 4);
    rank[2 * dark] = Some(Kind::Bishop);
    let (knights, queen) = (rest / 6, rest % 6);
    put(&mut rank, queen, Kind::Queen);
    let [first, second] = KNIGHTS[knights % KNIGHTS.len()];
    // The second one counts the squares that are free before the first is put.
    put(&mut rank, second, Kind::Knight);
    put(&mut rank, first, Kind::Knight);
    for kind in [Kind::Rook, Kind::King, Kind::Rook] {
        put(&mut rank, 0, kind);
    }
    rank.map(|kind| kind.unwrap_or(Kind::Pawn))
}

/// Puts a piece on the n-th free square, from 0.
fn put(rank: &mut [Option<Kind>; 8], n: usize, kind: Kind) {
    if let Some(free) = rank.iter_mut().filter(|square| square.is_none()).nth(n) {
        *free = Some(kind);
    }
}

/// Returns the start position with the first ranks of these numbers: the same for both sides in Chess960, any two in
/// double Chess960.
pub fn start(white: usize, black: usize) -> Chess {
    let letters = |number| -> String {
        first_rank(number)
            .iter()
            .map(|kind| kind.letter())
            .collect()
    };
    let fen = format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1",
        letters(black).to_ascii_lowercase(),
        letters(white)
    );
    Chess::from_fen(&fen, &Options { chess960: true })
        .expect("the start position is sound")
        .position
}
