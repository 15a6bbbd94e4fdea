use crate::core::{Bitboard, Color, Kind, Square};
use crate::rules::{Board, CastlingRights, CastlingSide};
use std::fmt;
use std::sync::LazyLock;

/// The superpieces, in the order of their letters in a rank of the list of arrays.
const SUPERPIECES: [Kind; 4] = [Kind::Amazon, Kind::Empress, Kind::Princess, Kind::Veteran];

/// The orthodox pieces of a first rank, file a first.
const HOME: [Kind; 8] = [
    Kind::Rook,
    Kind::Knight,
    Kind::Bishop,
    Kind::Queen,
    Kind::King,
    Kind::Bishop,
    Kind::Knight,
    Kind::Rook,
];

/// The turns of a whole prologue.
pub(super) const TURNS: u8 = 4;
/// The prologues: a superpiece on f to h, one on a to d, a third, the last, and seven ways to swap or not.
pub(super) const PROLOGUES: usize = 12 * 12 * 4 * 3 * 7;
/// The arrays that they lead to.
pub(super) const ARRAYS: usize = 432;

/// One turn of the prologue: a superpiece replaces the piece on a square of the player's first rank (and on the mirrored
/// square of the other), and in the last turn two superpieces may change places.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Placement {
    /// The superpiece.
    pub kind: Kind,
    /// The square on which it is placed: on rank 1 by White, on rank 8 by Black.
    pub square: Square,
    /// The squares that change pieces after the placement, on the same rank, the lower file first.
    pub swap: Option<[Square; 2]>,
}

impl fmt::Display for Placement {
    /// The token, `E@h1` or `S@d8,b8g8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.kind.letter(), self.square)?;
        match self.swap {
            Some([a, b]) => write!(f, ",{a}{b}"),
            None => Ok(()),
        }
    }
}

impl Placement {
    /// Reads a token; the squares of the swap may come in either order. Does not check whether the placement is legal.
    pub(super) fn parse(token: &str) -> Option<Self> {
        let (place, swap) = match token.split_once(',') {
            Some((place, swap)) => (place, Some(parse_swap(swap)?)),
            None => (token, None),
        };
        let (letter, square) = place.split_once('@')?;
        let kind = SUPERPIECES
            .into_iter()
            .find(|kind| letter.chars().eq([kind.letter()]))?;
        Some(Self {
            kind,
            square: square.parse().ok()?,
            swap,
        })
    }
}

/// Reads the two squares of a swap, in either order.
pub(super) fn parse_swap(text: &str) -> Option<[Square; 2]> {
    let (a, b): (Square, Square) = (text.get(..2)?.parse().ok()?, text.get(2..)?.parse().ok()?);
    Some([a.min(b), a.max(b)])
}

/// Returns the squares that the turn after `turns` turns may replace, including those already replaced: f to h for White, a to
/// d for Black.
pub(super) fn placement_squares(turns: u8) -> Bitboard {
    Bitboard(if turns.is_multiple_of(2) {
        0xe0
    } else {
        0x0f << 56
    })
}

/// The squares of all superpieces, both sides.
fn superpieces(board: &Board<10>) -> Bitboard {
    SUPERPIECES
        .into_iter()
        .fold(Bitboard::EMPTY, |set, kind| set | board.kind(kind))
}

/// Calls `visit` with every legal turn of the prologue after `turns` (below [`TURNS`]) of them.
pub(super) fn for_each_placement(board: &Board<10>, turns: u8, mut visit: impl FnMut(Placement)) {
    let placed = superpieces(board);
    let own_rank = if turns.is_multiple_of(2) {
        Bitboard::RANK_1
    } else {
        Bitboard::RANK_8
    };
    for kind in SUPERPIECES {
        if board.kind(kind).any() {
            continue;
        }
        for square in placement_squares(turns) - placed {
            let placement = Placement {
                kind,
                square,
                swap: None,
            };
            visit(placement);
            if turns + 1 == TURNS {
                let exchangeable = placed & own_rank | Bitboard::of(square);
                for a in exchangeable {
                    for b in exchangeable {
                        if a < b {
                            visit(Placement {
                                swap: Some([a, b]),
                                ..placement
                            });
                        }
                    }
                }
            }
        }
    }
}

/// Whether pieces and turns fit each other: the orthodox array in which as many superpieces as turns have been placed, in
/// the squares where their side may place them, mirrored.
pub(super) fn fits(board: &Board<10>, turns: u8) -> bool {
    let [white, black] = Color::ALL.map(|color| {
        let rank = match color {
            Color::White => 0,
            Color::Black => 7,
        };
        (0..8).map(move |file| {
            let square = Square::new(file, rank);
            board
                .piece_at(square)
                .filter(|&(owner, _)| owner == color)
                .map(|(_, kind)| kind)
        })
    });
    let rank: Vec<_> = white.clone().collect();
    let orthodox_or_super = rank.iter().zip(HOME).all(|(&piece, home)| {
        piece.is_some_and(|kind| kind == home || SUPERPIECES.contains(&kind))
    });
    let placed = superpieces(board) & Bitboard::RANK_1;
    let pawns = [(Color::White, 1), (Color::Black, 6)]
        .into_iter()
        .all(|(color, rank)| board.pieces(color, Kind::Pawn) == Bitboard::rank(rank));
    white.eq(black)
        && orthodox_or_super
        && pawns
        && board.occupied().len() == 32
        && rank[4] == Some(Kind::King)
        && SUPERPIECES
            .into_iter()
            .all(|kind| board.pieces(Color::White, kind).len() <= 1)
        && (placed & placement_squares(0)).len() == u32::from(turns.div_ceil(2))
        && (placed - placement_squares(0)).len() == u32::from(turns / 2)
}

/// The orthodox array, in which every prologue begins.
pub(super) fn orthodox_array() -> Board<10> {
    board_of(HOME)
}

/// The first ranks of all arrays, in the alphabetical order of their letters.
static RANKS: LazyLock<Vec<[Kind; 8]>> = LazyLock::new(|| {
    let mut ranks = arrays();
    ranks.sort_unstable_by_key(|rank| rank.map(Kind::letter));
    ranks
});

/// The n-th (0..432) array that a prologue can end in, in the alphabetical order of the first rank's letters. Higher
/// numbers give the last one.
pub(super) fn array(n: usize) -> Board<10> {
    board_of(RANKS[n.min(RANKS.len() - 1)])
}

/// The number of an array, as [`array()`] counts them.
pub(super) fn number(board: &Board<10>) -> Option<usize> {
    let mut rank = [Kind::Pawn; 8];
    for (file, kind) in (0..).zip(&mut rank) {
        *kind = board.kind_at(Square::new(file, 0))?;
    }
    let letters = rank.map(Kind::letter);
    let n = RANKS
        .binary_search_by_key(&letters, |rank| rank.map(Kind::letter))
        .ok()?;
    (*board == board_of(rank)).then_some(n)
}

/// The first ranks of all arrays: two of the files f to h and two of a to d, and the superpieces on them in any order.
fn arrays() -> Vec<[Kind; 8]> {
    let mut ranks = vec![HOME];
    for kind in SUPERPIECES {
        ranks = ranks
            .into_iter()
            .flat_map(|rank| {
                [0, 1, 2, 3, 5, 6, 7]
                    .into_iter()
                    .filter(move |&file| rank[file] == HOME[file])
                    .map(move |file| {
                        let mut next = rank;
                        next[file] = kind;
                        next
                    })
            })
            .collect();
    }
    ranks.retain(|rank| (5..8).filter(|&file| rank[file] != HOME[file]).count() == 2);
    ranks
}

fn board_of(rank: [Kind; 8]) -> Board<10> {
    let mut board = Board::default();
    for (file, kind) in (0..).zip(rank) {
        board.toggle(Color::White, kind, Square::new(file, 0));
        board.toggle(Color::Black, kind, Square::new(file, 7));
        board.toggle(Color::White, Kind::Pawn, Square::new(file, 1));
        board.toggle(Color::Black, Kind::Pawn, Square::new(file, 6));
    }
    board
}

/// Returns the side that makes the turn after `turns` turns.
pub(super) const fn side(turns: u8) -> Color {
    if turns.is_multiple_of(2) {
        Color::White
    } else {
        Color::Black
    }
}

/// The castling rights of an array: those of the corners that hold their rook.
pub(super) fn castling(board: &Board<10>) -> CastlingRights {
    let mut rights = CastlingRights::default();
    for color in Color::ALL {
        for castling_side in CastlingSide::ALL {
            if board
                .pieces(color, Kind::Rook)
                .has(castling_side.rook_home(color))
            {
                rights.add(color, castling_side);
            }
        }
    }
    rights
}

/// The pieces after a placement (and its swap), both halves.
pub(super) fn placed(board: &Board<10>, placement: Placement) -> Board<10> {
    let mut next = *board;
    for (color, rank) in [(Color::White, 0), (Color::Black, 7)] {
        let on_rank = |square: Square| Square::new(square.file(), rank);
        let square = on_rank(placement.square);
        if let Some(replaced) = next.kind_at(square) {
            next.toggle(color, replaced, square);
        }
        next.toggle(color, placement.kind, square);
        if let Some(swap) = placement.swap {
            let [a, b] = swap.map(on_rank);
            let kinds = [next.kind_at(a), next.kind_at(b)];
            if let [Some(of_a), Some(of_b)] = kinds {
                for (square, old, new) in [(a, of_a, of_b), (b, of_b, of_a)] {
                    next.toggle(color, old, square);
                    next.toggle(color, new, square);
                }
            }
        }
    }
    next
}
