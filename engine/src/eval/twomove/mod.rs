//! Evaluation and tactics of two-move chess.
//!
//! A man is worth what it reaches in two moves, so that a queen is worth half more than a rook, and a pawn that is about
//! to promote as much as several others; a king needs squares to go to. The weights are fitted to the results of self-play
//! (`benches/LABBOOK.md`).

pub mod endings;

use super::network::Learned;
use super::{BY_WHOLE_DEPTH, Evaluate, Known, MateSearch, SearchValues, Shape, Tactics};
use crate::core::{Bitboard, Color, Kind, Move, Square, StepList, attacks};
use crate::rules::twomove::TwoMove;
use crate::rules::{Board, Rules};

/// How far a square is from the edge, 0..=3 by file and by rank.
const fn inward(square: usize) -> (i32, i32) {
    let (file, rank) = (square as i32 % 8, square as i32 / 8);
    (
        if file < 4 { file } else { 7 - file },
        if rank < 4 { rank } else { 7 - rank },
    )
}

/// Centipawns that taking a man of each kind is worth, by [`Kind::index`]: what it comes to on average.
const MATERIAL: [i32; 6] = [130, 480, 420, 740, 870, 0];
/// What a man is worth by itself, before the other terms; a pawn has it by its rank.
const BASE: [i32; 6] = [0, 200, 245, 645, 950, 0];
/// What a pawn is worth on each rank.
const PAWN: [i32; 8] = [0, 87, 69, 46, 78, 148, 310, 0];
/// What one move in hand is worth, per move left.
const TEMPO: i32 = 104;
/// The value of a man for each king's step that it is nearer than seven to the enemy king, by kind: long-range men do better
/// from afar.
const NEARNESS: [i32; 6] = [30, 38, -14, -54, -124, 0];
/// The value of each square that a man attacks and that is not its own side's.
const MOBILITY: [i32; 6] = [0, 9, 36, 36, 27, 0];
/// The same for the king: squares to go to.
const KING_ROOM: i32 = 40;
/// The value of each step from the edge, by file and by rank.
const INNER: [i32; 6] = [0, 22, 0, 18, -26, 0];
/// What a square costs from which an enemy queen would see the king, with four enemy pieces on the board.
const OPENNESS: i32 = 23;

/// The square's value for a man of White, his own worth included.
const PLACED: [[i32; 64]; 6] = {
    let mut table = [[0; 64]; 6];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            let (file, rank) = inward(square);
            table[kind][square] = BASE[kind]
                + match kind {
                    0 => PAWN[square / 8],
                    _ => (file + rank) * INNER[kind],
                };
            square += 1;
        }
        kind += 1;
    }
    table
};

impl Evaluate for TwoMove {
    type Evaluator = Learned<Self>;

    fn evaluate(&self) -> i32 {
        let board = self.board();
        let side = self.side_to_move();
        let value = one_side(board, side) - one_side(board, !side);
        value + TEMPO * i32::from(self.moves_left())
    }
}

/// Men, their places and reach, and the room and the danger of the king.
fn one_side(board: &Board<6>, us: Color) -> i32 {
    let own = board.color(us);
    let occupied = board.occupied();
    let king = board.king(us);
    let target = board.king(!us);
    let mut value = 0;
    for kind in Kind::CHESS {
        for square in own & board.kind(kind) {
            value += PLACED[kind.index()][square.seen_by(us).index()];
            value += NEARNESS[kind.index()] * (7 - i32::from(square.distance(target)));
            if MOBILITY[kind.index()] != 0 {
                let reach = Board::<6>::piece_attacks(kind, square, occupied) - own;
                value += MOBILITY[kind.index()] * reach.len() as i32;
            }
        }
    }
    value += KING_ROOM * (attacks::king(king) - own).len() as i32;
    let enemy = board.color(!us);
    let attackers = (enemy - board.kind(Kind::Pawn) - board.kind(Kind::King)).len();
    let open = attacks::queen(king, occupied) - own;
    value -= OPENNESS * (open.len() * attackers.min(4)) as i32 / 4;
    // A bare king is mated on the edge.
    if attackers == 0 && (own - board.kind(Kind::Pawn)).many() {
        value += 12 * edge(target) - 8 * i32::from(king.distance(target));
    }
    value
}

/// How near a square is to the edge in both directions: 0 in the middle to 6 in the corners.
const fn edge(square: Square) -> i32 {
    let (file, rank) = inward(square.index());
    6 - file - rank
}

impl TwoMove {
    fn takes_en_passant(&self, step: Move) -> bool {
        step.from().file() != step.to().file()
            && self.en_passant_targets().has(step.to())
            && self.board().kind(Kind::Pawn).has(step.from())
    }
}

impl Tactics for TwoMove {
    type Judge = ();
    const NULL_MOVE: bool = true;
    const EVADE_IN_QUIESCENCE: bool = false;
    // A turn changes more than in chess and there are ten times as many: wider margins, and second steps that are left out early.
    const SEARCH_PARAMETERS: &'static [&'static SearchValues] = &[
        BY_WHOLE_DEPTH,
        &[
            ("late_second", 6),
            ("late_second_slope", 4),
            ("reverse_futility_margin", 160),
            ("aspiration_depth", 2),
            ("aspiration_delta", 60),
        ],
    ];

    fn is_noisy(&self, step: Move) -> bool {
        self.board().occupied().has(step.to())
            || step.promotion().is_some()
            || self.takes_en_passant(step)
    }

    fn gain(&self, step: Move) -> i32 {
        let taken = match self.board().kind_at(step.to()) {
            Some(kind) => MATERIAL[kind.index()],
            None if self.takes_en_passant(step) => MATERIAL[Kind::Pawn.index()],
            None => 0,
        };
        let promoted = step
            .promotion()
            .map_or(0, |kind| MATERIAL[kind.index()] - MATERIAL[0]);
        let mover = self
            .board()
            .kind_at(step.from())
            .map_or(0, |kind| kind.index() as i32);
        // The same side may take again.
        let second = if self.moves_left() == 2 {
            MATERIAL[Kind::Knight.index()]
        } else {
            0
        };
        taken + promoted + second - mover
    }

    const KNOWS_ENDINGS: bool = true;

    fn known(&self, options: &Self::Options) -> Option<Known> {
        let known = endings::known(self)?;
        // The draw by quiet turns must be farther than the mate.
        let turns = match known {
            Known::Draw => 0,
            Known::Win(turns) | Known::Loss(turns) => turns,
        };
        let far = u32::from(self.quiet_turns()) + turns < 100;
        (known == Known::Draw || far || !options.clock_draw).then_some(known)
    }

    const MATES_BY_CHECKS: Option<MateSearch> = Some(MateSearch {
        nodes_a_position: 2_000,
        shuns_past: false,
    });
    const COMMUTES: bool = true;

    /// Castling, captures en passant and promotions are left aside: they do more than to go from a square to another.
    fn may_commute(&self, step: Move) -> bool {
        let castles = self.board().kind(Kind::King).has(step.from())
            && step.from().file().abs_diff(step.to().file()) == 2;
        !castles && step.promotion().is_none() && !self.takes_en_passant(step)
    }

    /// Two steps of different men, both possible at the beginning, commute if the one that comes to be the first does not stop in the
    /// way of the other. That the other does not go where it stops, nor through the square that it left, is certain,
    /// because it was possible after it and at the beginning.
    fn drop_commuting(&self, first: Move, others: &[Move], steps: &mut StepList<Move>) {
        let way = attacks::between(first.from(), first.to());
        let mut targets = [Bitboard::EMPTY; 64];
        for other in others {
            if other.from() != first.from() {
                targets[other.from().index()] |= Bitboard::of(other.to()) - way;
            }
        }
        steps.retain(|step| {
            step.promotion().is_some() || !targets[step.from().index()].has(step.to())
        });
    }

    fn pass(&self) -> Option<Self> {
        let own = self.board().color(self.side_to_move());
        let pieces = own - self.board().kind(Kind::Pawn) - self.board().kind(Kind::King);
        if pieces.any() { self.passed() } else { None }
    }
}

impl Shape for TwoMove {
    const SHAPES: usize = 6 * 64;

    fn shape(&self, step: Move) -> usize {
        let kind = self.board().kind_at(step.from()).map_or(0, Kind::index);
        kind * 64 + step.to().index()
    }
}
