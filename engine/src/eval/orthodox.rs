//! Tactics that chess and Superchess share.

use super::exchange::{EXCHANGE, wins_exchange as exchange};
use super::{CORRECTION_KEYS, CorrectionHash, SearchValues};
use crate::core::{Bitboard, Color, Kind, Move, Square, StepList, attacks};
use crate::rules::orthodox::Orthodox;

/// Parameters of the search that 1,376 pairs of games of chess at 20,000 nodes have found (SPSA; lab book, 23 November 2026), and
/// `null_base`, from values set by chance in 3,176 games (29 November 2026).
pub const TUNED: &SearchValues = &[
    ("futility_base", 119),
    ("futility_slope", 93),
    ("pruning_reduced", 124),
    ("history_prune", 3604),
    ("exchange_quiet", 21),
    ("exchange_noisy", 91),
    ("reduction_base", 37),
    ("reduction_divisor", 203),
    ("reduction_cut", 125),
    ("reduction_noisy", 62),
    ("reduction_deeper", 75),
    ("reduction_history", 7962),
    ("reverse_futility_margin", 63),
    ("null_base", 4),
    ("null_eval_divisor", 248),
    ("singular_margin", 20),
    ("singular_double", 12),
    ("history_bonus", 14),
    ("history_bonus_most", 1636),
    ("capture_weight", 2740),
    ("quiescence_delta", 293),
    ("correction_pawns", 51),
    ("correction_pieces", 57),
    ("aspiration_delta", 14),
];

/// Whether the move is an en passant capture.
#[inline]
fn is_en_passant<const N: usize>(position: &Orthodox<N>, step: Move) -> bool {
    position.en_passant() == Some(step.to()) && position.board().kind(Kind::Pawn).has(step.from())
}

/// Whether a legal move captures or promotes.
#[inline]
pub fn is_noisy<const N: usize>(position: &Orthodox<N>, step: Move) -> bool {
    position
        .board()
        .color(!position.side_to_move())
        .has(step.to())
        || step.promotion().is_some()
        || is_en_passant(position, step)
}

/// Returns the value in centipawns of the captured piece, plus the gain of a promotion.
#[inline]
fn winnings<const N: usize>(position: &Orthodox<N>, step: Move) -> i32 {
    let board = position.board();
    let taken = if board.color(!position.side_to_move()).has(step.to()) {
        EXCHANGE[board.kind_of_piece(step.to()).index()]
    } else if is_en_passant(position, step) {
        EXCHANGE[Kind::Pawn.index()]
    } else {
        0
    };
    let promoted = step.promotion().map_or(0, |kind| {
        EXCHANGE[kind.index()] - EXCHANGE[Kind::Pawn.index()]
    });
    taken + promoted
}

/// Most valuable victim, least valuable attacker: returns the value of captured piece and promotion, less a little for the
/// moving piece.
#[inline]
pub fn gain<const N: usize>(position: &Orthodox<N>, step: Move) -> i32 {
    let mover = position.board().kind_of_piece(step.from());
    let risk = if mover == Kind::King {
        10
    } else {
        EXCHANGE[mover.index()] / 100
    };
    winnings(position, step) - risk
}

/// Whether the exchange that a legal move begins wins at least `threshold`.
pub fn wins_exchange<const N: usize>(position: &Orthodox<N>, step: Move, threshold: i32) -> bool {
    if N == Kind::CHESS.len() && position.castles_to_rook(step).is_some() {
        return threshold <= 0;
    }
    let board = position.board();
    let squares: [Square; 2] = [step.from(), step.to()];
    let mover = step
        .promotion()
        .unwrap_or_else(|| board.kind_of_piece(step.from()));
    exchange(
        board,
        position.side_to_move(),
        squares,
        EXCHANGE[mover.index()],
        winnings(position, step),
        threshold,
    )
}

/// Whether the side to move has a piece that makes zugzwang unlikely: anything but king and pawns.
#[inline]
pub fn has_pieces<const N: usize>(position: &Orthodox<N>) -> bool {
    let board = position.board();
    let side = position.side_to_move();
    (board.color(side) - board.kind(Kind::Pawn) - board.kind(Kind::King)).any()
}

/// Kind of the moving piece * 64 + target square, below `64 * N`.
#[inline]
pub fn history_index<const N: usize>(position: &Orthodox<N>, step: Move) -> usize {
    position.board().kind_of_piece(step.from()).index() * 64 + step.to().index()
}

/// The squares that the side which is not to move attacks.
#[inline]
pub fn threats<const N: usize>(position: &Orthodox<N>) -> Bitboard {
    let board = position.board();
    board.attack_map(!position.side_to_move(), board.occupied())
}

/// Whether a move leaves an attacked square, and (2 more) whether it goes to one.
#[inline(always)]
pub fn threat_index(threats: Bitboard, step: Move) -> usize {
    usize::from(threats.has(step.from())) + 2 * usize::from(threats.has(step.to()))
}

/// Returns the kind of the captured piece as a number from 1.
#[inline]
pub fn captured<const N: usize>(position: &Orthodox<N>, step: Move) -> usize {
    let board = position.board();
    if board.color(!position.side_to_move()).has(step.to()) {
        board.kind_of_piece(step.to()).index() + 1
    } else if is_en_passant(position, step) {
        Kind::Pawn.index() + 1
    } else {
        0
    }
}

/// Hashes of the pawns and of each side's other pieces.
#[inline]
pub fn correction_keys<const N: usize>(position: &Orthodox<N>) -> [u64; CORRECTION_KEYS] {
    let board = position.board();
    let [white, black] = Color::ALL.map(|color| board.color(color));
    let pawns = board.kind(Kind::Pawn);
    let mut both = CorrectionHash::default();
    both.add(0, (pawns & white).0);
    both.add(5, (pawns & black).0);
    let pieces = |own: Bitboard| {
        let mut hash = CorrectionHash::default();
        for &kind in Kind::ALL[..N].iter().filter(|&&kind| kind != Kind::Pawn) {
            hash.add(kind.index() as u32, (own & board.kind(kind)).0);
        }
        hash.mixed()
    };
    [both.mixed(), pieces(white), pieces(black)]
}

/// The squares from which the side to move gives check, computed once per position for all its moves
/// (<https://www.chessprogramming.org/Check>).
#[derive(Clone, Copy, Debug)]
pub struct CheckMasks {
    /// The side that is checked, and its king.
    them: Color,
    king: Square,
    /// From here a slider attacks the king.
    diagonals: Bitboard,
    orthogonals: Bitboard,
    /// Pieces of the side to move between one of its sliders and the enemy king: leaving the line gives check.
    blockers: Bitboard,
    /// The squares that a piece may leave to give check: by opening a line, or by castling. A move that neither begins here nor ends on `tos`,
    /// and does not promote, gives no check.
    froms: Bitboard,
    /// The squares from which some piece would attack the king, and that of a capture en passant, which may open a line.
    tos: Bitboard,
}

impl Default for CheckMasks {
    /// The empty sets: no move gives check.
    fn default() -> Self {
        Self {
            them: Color::White,
            king: Square::from_index(0),
            diagonals: Bitboard::EMPTY,
            orthogonals: Bitboard::EMPTY,
            blockers: Bitboard::EMPTY,
            froms: Bitboard::EMPTY,
            tos: Bitboard::EMPTY,
        }
    }
}

impl CheckMasks {
    /// The masks of a position.
    #[inline]
    pub fn new<const N: usize>(position: &Orthodox<N>) -> Self {
        let board = position.board();
        let us = position.side_to_move();
        let own = board.color(us);
        let king = board.king(!us);
        let occupied = board.occupied();
        let diagonals = attacks::bishop(king, occupied);
        let orthogonals = attacks::rook(king, occupied);
        // Own sliders that would attack the king if a single own piece between were gone.
        let sliders = own
            & (attacks::bishop_rays(king) & board.diagonal_sliders()
                | attacks::rook_rays(king) & board.orthogonal_sliders());
        let mut blockers = Bitboard::EMPTY;
        for slider in sliders {
            let between = attacks::between(king, slider) & occupied;
            if !between.many() {
                blockers |= between & own;
            }
        }
        let en_passant = position.en_passant().map_or(Bitboard::EMPTY, Bitboard::of);
        let near = attacks::knight(king) | attacks::king(king);
        Self {
            them: !us,
            king,
            diagonals,
            orthogonals,
            blockers,
            froms: blockers | Bitboard::of(board.king(us)),
            tos: diagonals | orthogonals | near | en_passant,
        }
    }

    /// Whether a legal move gives check. Moves that change more than two squares or the moving piece (castling, en passant,
    /// promotion) are tested by making them.
    #[inline(always)]
    pub fn are_given_by<const N: usize>(&self, position: &Orthodox<N>, step: Move) -> bool {
        let may = self.froms.has(step.from()) || self.tos.has(step.to());
        (may || step.promotion().is_some()) && self.are_given_indeed(position, step)
    }

    /// Whether a legal move gives check, for moves that the tests of their two squares have not excluded.
    fn are_given_indeed<const N: usize>(&self, position: &Orthodox<N>, step: Move) -> bool {
        let (from, to) = (step.from(), step.to());
        let mover = position.board().kind_of_piece(from);
        let is_castling = mover == Kind::King
            && (from.distance(to) > 1 || position.castles_to_rook(step).is_some());
        if step.promotion().is_some() || is_castling || is_en_passant(position, step) {
            let mut next = *position;
            next.play(step);
            return next.in_check();
        }
        self.squares(mover, from).has(to)
    }

    /// Returns the squares from which a piece of this kind gives check. A king has none: it gives check only by leaving a line.
    #[inline(always)]
    fn squares(&self, mover: Kind, from: Square) -> Bitboard {
        let mut squares = if mover == Kind::Pawn {
            attacks::pawn(self.them, self.king)
        } else {
            Bitboard::EMPTY
        };
        if mover.slides_diagonally() {
            squares |= self.diagonals;
        }
        if mover.slides_orthogonally() {
            squares |= self.orthogonals;
        }
        if mover.leaps_as_knight() {
            squares |= attacks::knight(self.king);
        }
        if mover == Kind::Veteran {
            squares |= attacks::king(self.king);
        }
        if self.blockers.has(from) {
            squares |= !attacks::line(self.king, from);
        }
        squares
    }

    /// Appends the legal moves that give check and neither capture nor promote.
    pub fn generate_quiet<const N: usize, S: From<Move>>(
        &self,
        position: &Orthodox<N>,
        steps: &mut StepList<S>,
    ) {
        let narrow = |from, targets: Bitboard| {
            if !self.froms.has(from) && (targets & self.tos).is_empty() {
                return Bitboard::EMPTY;
            }
            let mover = position.board().kind_of_piece(from);
            if mover != Kind::King {
                return targets & self.squares(mover, from);
            }
            let gives = |&to: &Square| self.are_given_by(position, Move::new(from, to));
            targets.filter(gives).collect()
        };
        position.generate_quiet(narrow, steps);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{CheckDetection, QuietSteps, Reversals, TableMoves, ThreatHistory};
    use crate::core::StepList;
    use crate::core::zobrist::splitmix;
    use crate::rules::chess::Chess;
    use crate::rules::superchess::Superchess;
    use crate::rules::{Chance, Draws, Game, Notation, legal_steps};

    /// On the way of random games from some positions the masks agree with making the move, predicted keys nearly always do, and steps are
    /// recalled by their packed table moves if and only if they are legal, but for rare kinds of moves; only legal steps reach a change
    /// of the key; quiet steps are listed by themselves, and those that neither leave nor reach an attacked square lose nothing by
    /// exchange. `right` per cent of the predicted keys are right at least. The number of checks.
    fn checks_seen<
        G: Draws
            + Chance
            + Notation
            + CheckDetection
            + QuietSteps
            + TableMoves
            + ThreatHistory
            + Reversals,
    >(
        starts: &[&str],
        right: usize,
    ) -> usize {
        let (mut checks, mut keys, mut likely) = (0, 0, 0);
        let (mut recalled, mut of) = (0, 0);
        let (mut quiet, mut reversible, mut safe) = (0, 0, 0);
        for (number, fen) in starts.iter().enumerate() {
            for round in 0..60 {
                let options = G::Options::default();
                let start = G::from_fen(fen, &options).expect("a good FEN").position;
                let mut game = Game::new(start, options);
                let mut changes = Vec::new();
                for n in 0..60 {
                    let position = *game.position();
                    let steps = legal_steps(&position);
                    let masks = position.checks();
                    let mut listed = StepList::new();
                    position.generate_quiet_checks(&masks, &mut listed);
                    let wanted = |&&step: &&G::Step| {
                        !position.is_noisy(step) && position.gives_check(&masks, step)
                    };
                    let wanted: Vec<_> = steps.iter().filter(wanted).copied().collect();
                    assert_eq!(listed[..], wanted[..], "{}", position.fen());
                    listed.clear();
                    position.generate_quiet(&mut listed);
                    let wanted = steps.iter().filter(|&&step| !position.is_noisy(step));
                    let wanted: Vec<_> = wanted.copied().collect();
                    assert_eq!(listed[..], wanted[..], "{}", position.fen());
                    let threats = position.threats();
                    for &step in &listed {
                        let is_safe = position.threat_index(threats, step) == 0;
                        assert!(!is_safe || position.wins_exchange(step, 0), "{step:?}");
                        safe += usize::from(is_safe);
                    }
                    if n % 10 == 0 {
                        let legal = |step| steps.contains(&step);
                        let all = (1..=u16::MAX).filter_map(|tt_move| {
                            Some((tt_move, position.resolve_tt_move(tt_move)?))
                        });
                        for (tt_move, step) in all {
                            assert_eq!(G::to_tt_move(step), Some(tt_move));
                            assert!(legal(step), "{} {step:?}", position.fen());
                        }
                        let known = |&&step: &&G::Step| {
                            G::to_tt_move(step)
                                .and_then(|tt_move| position.resolve_tt_move(tt_move))
                                == Some(step)
                        };
                        recalled += steps.iter().filter(known).count();
                        of += steps.len();
                    }
                    let mut reached = Vec::new();
                    for &step in &steps {
                        let mut next = position;
                        next.play(step);
                        reached.push(position.key() ^ next.key());
                        let given = position.gives_check(&masks, step);
                        assert_eq!(given, next.in_check(), "{} {step:?}", position.fen());
                        checks += usize::from(given);
                        keys += 1;
                        likely += usize::from(position.predicted_key(step) == Some(next.key()));
                    }
                    for &change in &changes {
                        assert!(!position.reaches(change) || reached.contains(&change));
                    }
                    reached.retain(|&change| position.reaches(change));
                    quiet += steps
                        .iter()
                        .filter(|&&step| !position.is_noisy(step))
                        .count();
                    reversible += reached.len();
                    changes.extend(reached);
                    if steps.is_empty() {
                        break;
                    }
                    let random = splitmix(number as u64 * 1000 + round, n) as usize;
                    game.play(steps[random % steps.len()]);
                }
            }
        }
        assert!(likely * 100 > keys * right, "{likely} of {keys}");
        assert!(recalled * 100 > of * 90, "{recalled} of {of}");
        assert!(safe * 100 > quiet * 30, "{safe} of {quiet}");
        // The others are of pawns, castle, or touch castling rights.
        assert!(reversible * 100 > quiet * 50, "{reversible} of {quiet}");
        checks
    }

    #[test]
    fn masks_of_checks_agree_with_making_the_move() {
        let chess = checks_seen::<Chess>(
            &[
                "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
                "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
                "4k3/P1P5/8/8/1K6/8/5p1p/8 b - - 0 1",
                "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",
            ],
            97,
        );
        // The rights of Chess960 are not predicted.
        checks_seen::<Chess>(
            &[
                "5k2/8/8/8/8/8/8/1R2K1R1 w GB - 0 1",
                "1r1k2r1/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/1RBKN1R1 w GBgb - 0 1",
            ],
            75,
        );
        let superchess = checks_seen::<Superchess>(
            &[
                "evbqkbsa/pppppppp/8/8/8/8/PPPPPPPP/EVBQKBSA[NNRRnnrr] w - - 0 1",
                "4k3/2p1p3/3v4/8/1A2E3/8/3S4/V3K3 w - - 0 1",
            ],
            97,
        );
        assert!(
            chess > 10_000 && superchess > 10_000,
            "{chess} {superchess}"
        );
    }
}
