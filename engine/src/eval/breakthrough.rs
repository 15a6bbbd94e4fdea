//! Evaluation and tactics of Breakthrough: pieces, and how far they have come.

use super::{Evaluate, StaticEvaluator, Tactics, capabilities};
use crate::core::{Bitboard, Color, Move};
use crate::rules::{Rules, breakthrough::Breakthrough};

/// Value of a piece by rank, in centipawns; the last entry only orders winning steps.
const RANK: [i32; 8] = [108, 100, 103, 112, 135, 180, 320, 1000];

impl Evaluate for Breakthrough {
    type Evaluator = StaticEvaluator;
    fn evaluate(&self) -> i32 {
        let value = |color: Color| -> i32 {
            let pieces = self.pieces(color).map(|at| at.seen_by(color).rank());
            pieces.map(|rank| RANK[rank as usize]).sum()
        };
        value(self.side_to_move()) - value(!self.side_to_move())
    }
}

impl Tactics for Breakthrough {
    const HISTORY_SIZE: usize = 64;
    fn history_index(&self, step: Move) -> usize {
        step.to().index()
    }

    fn is_noisy(&self, step: Move) -> bool {
        (Bitboard::RANK_1 | Bitboard::RANK_8 | self.pieces(!self.side_to_move())).has(step.to())
    }

    fn gain(&self, step: Move) -> i32 {
        let rank = step.to().seen_by(self.side_to_move()).rank() as usize;
        // The value of the moving piece on its target rank, or that of an enemy piece there, whichever is larger.
        RANK[rank].max(RANK[7 - rank])
    }
}

capabilities!(Breakthrough:);
