//! The static value of a position of chess: material, placement, pawns, mobility and the kings' safety, each as a pair
//! of a middlegame and an endgame value between which the remaining material decides
//! (<https://www.chessprogramming.org/Tapered_Eval>). All numbers are our own and chosen by hand.

use super::taper::Taper;
use crate::core::{Bitboard, Color, Kind, Square, attacks};
use crate::rules::Board;

const fn s(middle: i32, end: i32) -> Taper {
    Taper::new(middle, end)
}

/// The kinds of chess.
const KINDS: usize = Kind::CHESS.len();

/// What each kind is worth by itself, by [`Kind::index`]; the king nothing.
const MATERIAL: [Taper; KINDS] = [
    s(85, 105),
    s(330, 310),
    s(345, 335),
    s(480, 540),
    s(970, 1000),
    s(0, 0),
];

/// What each kind weighs in the phase.
const PHASE: [i32; KINDS] = [0, 1, 1, 2, 4, 0];
/// The phase from which on a position is all middlegame: the men of the orthodox array.
const FULL_PHASE: i32 = 24;

/// The value of each accessible square that a man attacks, and how many it takes to be worth nothing.
const MOBILITY: [(Taper, i32); KINDS] = [
    (s(0, 0), 0),
    (s(4, 4), 4),
    (s(5, 5), 6),
    (s(2, 4), 7),
    (s(1, 3), 13),
    (s(0, 0), 0),
];

/// What a man's attacks on the squares round the enemy king weigh, each square.
const KING_ATTACK: [i32; KINDS] = [0, 9, 8, 11, 14, 0];

/// How far a square is from the edge, 0..=3 by file and by rank.
pub(super) const fn inward(square: usize) -> (i32, i32) {
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    (
        if file < 4 { file } else { 7 - file },
        if rank < 4 { rank } else { 7 - rank },
    )
}

/// The value of a square for a kind, seen from White.
const fn square_value(kind: Kind, square: usize) -> Taper {
    let rank = square as i32 / 8;
    let (file_in, rank_in) = inward(square);
    let center = file_in + rank_in;
    match kind {
        Kind::Pawn => {
            const MIDDLE: [i32; 8] = [0, 0, 1, 5, 12, 25, 45, 0];
            const END: [i32; 8] = [0, 0, 2, 8, 18, 32, 50, 0];
            let wide = match (file_in, rank) {
                (3, 3 | 4) => 20,
                (3, 2) | (2, 3 | 4) => 9,
                (3, 1) => -10,
                (0, _) => -5,
                _ => 0,
            };
            s(MIDDLE[rank as usize] + wide, END[rank as usize])
        }
        Kind::Knight => {
            let outpost = if rank >= 3 && rank <= 5 { 8 } else { 0 };
            s(8 * center - 30 + outpost, 6 * center - 20)
        }
        Kind::Bishop => {
            let home = if rank == 0 { -8 } else { 0 };
            s(4 * center - 10 + home, 3 * center - 8)
        }
        Kind::Rook => {
            let seventh = if rank == 6 { 15 } else { 0 };
            s(3 * file_in - 5 + seventh, seventh)
        }
        Kind::Queen => s(2 * center - 4, 5 * center - 15),
        Kind::Amazon | Kind::Empress | Kind::Princess | Kind::Veteran => s(0, 0),
        Kind::King => {
            const FILES: [i32; 4] = [18, 26, 4, -8];
            const RANKS: [i32; 8] = [0, -18, -40, -60, -75, -85, -90, -95];
            s(
                RANKS[rank as usize] + FILES[file_in as usize],
                11 * center - 35,
            )
        }
    }
}

/// Material and placement, [kind][square seen from White].
static SQUARES: [[Taper; 64]; KINDS] = {
    let mut table = [[s(0, 0); 64]; KINDS];
    let mut kind = 0;
    while kind < KINDS {
        let mut square = 0;
        while square < 64 {
            table[kind][square] = MATERIAL[kind].plus(square_value(Kind::ALL[kind], square));
            square += 1;
        }
        kind += 1;
    }
    table
};

const DOUBLED: Taper = s(-8, -18);
const ISOLATED: Taper = s(-12, -10);
const SUPPORTED: Taper = s(7, 6);
const PASSED: [Taper; 8] = [
    s(0, 0),
    s(0, 8),
    s(2, 12),
    s(8, 28),
    s(25, 55),
    s(55, 95),
    s(90, 150),
    s(0, 0),
];
/// A passed pawn's gain for each step that its own king is nearer to its path than the other, and its rank.
const ESCORT: i32 = 2;
const BISHOP_PAIR: Taper = s(28, 45);
const OPEN_FILE: Taper = s(22, 8);
const HALF_OPEN_FILE: Taper = s(10, 6);
const SHIELD_NEAR: Taper = s(14, 0);
const SHIELD_FAR: Taper = s(7, 0);
const BARE_FILE: Taper = s(-16, 0);
/// What the move itself is worth.
const TEMPO: i32 = 14;

const fn fill_north(mut set: u64) -> u64 {
    set |= set << 8;
    set |= set << 16;
    set | set << 32
}

const fn fill_south(mut set: u64) -> u64 {
    set |= set >> 8;
    set |= set >> 16;
    set | set >> 32
}

/// The squares before a set of pawns, on their files, up to the last rank.
fn ahead(color: Color, pawns: Bitboard) -> Bitboard {
    Bitboard(match color {
        Color::White => fill_north(pawns.0) << 8,
        Color::Black => fill_south(pawns.0) >> 8,
    })
}

/// The whole files of a set.
fn files(set: Bitboard) -> Bitboard {
    Bitboard(fill_north(set.0) | fill_south(set.0))
}

fn beside(set: Bitboard) -> Bitboard {
    set.east() | set.west()
}

/// The static value for the side to move, in centipawns.
pub fn evaluate(board: &Board<KINDS>, side: Color) -> i32 {
    let mut total = Taper::default();
    let mut phase = 0;
    for color in Color::ALL {
        let (value, weight) = one_side(board, color);
        phase += weight;
        if color == side {
            total += value;
        } else {
            total -= value;
        }
    }
    let value = total.at(phase.min(FULL_PHASE), FULL_PHASE);
    let stronger = if value > 0 { side } else { !side };
    value * winning_chance(board, stronger) / 16 + TEMPO
}

/// How much of its advantage the stronger side can use, in sixteenths: little without pawns and without a rook's worth
/// more than the other side.
fn winning_chance(board: &Board<KINDS>, stronger: Color) -> i32 {
    if board.men(stronger, Kind::Pawn).any() {
        return 16;
    }
    let pieces = |color| {
        Kind::CHESS[1..]
            .iter()
            .map(|&kind| board.men(color, kind).len() as i32 * MATERIAL[kind.index()].middle())
            .sum::<i32>()
    };
    let (more, less) = (pieces(stronger), pieces(!stronger));
    if more - less >= 400 {
        16
    } else if more < 400 {
        1
    } else {
        4
    }
}

/// What the men of one side but pawns and king come to.
struct Men {
    total: Taper,
    phase: i32,
    /// The attacks on the squares round the enemy king, weighed, and the number of men that make them.
    pressure: i32,
    attackers: i32,
    accessible: Bitboard,
    king_zone: Bitboard,
}

impl Men {
    /// Adds the men of a kind. Inlined with each kind, so that its tables and its way of moving are constants there.
    #[inline(always)]
    fn add(&mut self, board: &Board<KINDS>, us: Color, kind: Kind) {
        let occupied = board.occupied();
        let (each, usual) = MOBILITY[kind.index()];
        for square in board.men(us, kind) {
            self.total += SQUARES[kind.index()][square.seen_by(us).index()];
            self.phase += PHASE[kind.index()];
            let reach = Board::<KINDS>::piece_attacks(kind, square, occupied);
            self.total += each * ((reach & self.accessible).len() as i32 - usual);
            let hits = reach & self.king_zone;
            if hits.any() {
                self.attackers += 1;
                self.pressure += hits.len() as i32 * KING_ATTACK[kind.index()];
            }
        }
    }
}

/// The value of one side's men and their weight in the phase.
#[inline]
fn one_side(board: &Board<KINDS>, us: Color) -> (Taper, i32) {
    let them = !us;
    let own = board.color(us);
    let our_pawns = board.men(us, Kind::Pawn);
    let their_pawns = board.men(them, Kind::Pawn);
    let (our_king, their_king) = (board.king(us), board.king(them));
    let mut men = Men {
        total: Taper::default(),
        phase: 0,
        pressure: 0,
        attackers: 0,
        // Squares worth going to: not our own pawns and king, not where a pawn takes us.
        accessible: !(our_pawns | board.men(us, Kind::King) | attacks::pawns(them, their_pawns)),
        king_zone: attacks::king(their_king),
    };
    men.add(board, us, Kind::Knight);
    men.add(board, us, Kind::Bishop);
    men.add(board, us, Kind::Rook);
    men.add(board, us, Kind::Queen);
    let Men {
        mut total,
        phase,
        pressure,
        attackers,
        ..
    } = men;
    if attackers >= 2 {
        let danger = (pressure * pressure / 160).min(350);
        total += s(danger, danger / 8);
    }

    total += pawns(board, us);

    if board.men(us, Kind::Bishop).many() {
        total += BISHOP_PAIR;
    }
    let pawn_files = files(our_pawns);
    for rook in own & board.kind(Kind::Rook) {
        if !pawn_files.has(rook) {
            total += if files(their_pawns).has(rook) {
                HALF_OPEN_FILE
            } else {
                OPEN_FILE
            };
        }
    }

    total += SQUARES[Kind::King.index()][our_king.seen_by(us).index()];
    let king_files = files(Bitboard::of(our_king));
    let front = king_files | beside(king_files);
    let near = our_pawns & front & Bitboard::rank(seen_rank(us, 1));
    let far = our_pawns & front & Bitboard::rank(seen_rank(us, 2));
    total += SHIELD_NEAR * near.len() as i32 + SHIELD_FAR * far.len() as i32;
    let bare = front - pawn_files;
    total += BARE_FILE * (bare & Bitboard::RANK_1).len() as i32;

    // With nothing left to the other side but the king: go there.
    if board.color(them) == board.men(them, Kind::King) && phase > 0 {
        total += s(0, 5 * (7 - i32::from(our_king.distance(their_king))));
    }
    (total, phase)
}

/// A rank 0..8 as its owner counts it.
const fn seen_rank(color: Color, rank: u8) -> u8 {
    match color {
        Color::White => rank,
        Color::Black => 7 - rank,
    }
}

/// Placement and structure of one side's pawns.
fn pawns(board: &Board<KINDS>, us: Color) -> Taper {
    let ours = board.men(us, Kind::Pawn);
    let theirs = board.men(!us, Kind::Pawn);
    let (our_king, their_king) = (board.king(us), board.king(!us));
    let mut total = Taper::default();
    for square in ours {
        total += SQUARES[Kind::Pawn.index()][square.seen_by(us).index()];
    }
    let doubled = ours & ahead(us, ours);
    let isolated = ours - beside(files(ours));
    let supported = ours & (attacks::pawns(us, ours) | beside(ours));
    total += DOUBLED * doubled.len() as i32
        + ISOLATED * isolated.len() as i32
        + SUPPORTED * supported.len() as i32;
    let guarded = ahead(!us, theirs) | beside(ahead(!us, theirs));
    let passed = ours - guarded - ahead(!us, ours);
    for square in passed {
        let rank = square.seen_by(us).rank();
        let bonus = PASSED[rank as usize];
        let next = Square::from_index(match us {
            Color::White => square.index() as u8 + 8,
            Color::Black => square.index() as u8 - 8,
        });
        let race = i32::from(their_king.distance(next)) - i32::from(our_king.distance(next));
        let mut end = bonus.end() + ESCORT * race * i32::from(rank);
        if board.color(!us).has(next) {
            end -= bonus.end() / 3;
        }
        total += s(bonus.middle(), end);
    }
    total
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::Chess;
    use crate::rules::{NoOptions, Notation, Rules};

    fn chess(fen: &str) -> Chess {
        Chess::from_fen(fen, &NoOptions).unwrap().position
    }

    #[test]
    fn the_value_does_not_depend_on_colour() {
        for (white, black) in [
            (
                "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1",
                "rnbqkb1r/pppp1ppp/5n2/4p3/4P3/2N5/PPPP1PPP/R1BQKBNR b KQkq - 0 1",
            ),
            (
                "4k3/8/2P5/8/8/8/5r2/4K3 w - - 0 1",
                "4k3/5R2/8/8/8/2p5/8/4K3 b - - 0 1",
            ),
        ] {
            let value = |fen| {
                let position = chess(fen);
                evaluate(position.board(), position.side_to_move())
            };
            assert_eq!(value(white), value(black));
        }
    }
}
