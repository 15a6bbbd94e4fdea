//! The number of legal turns.

use super::{TwoMove, movegen};
use crate::rules::Rules;

/// The number of ordered ways to finish the turn.
pub(super) fn turns(position: &TwoMove) -> u64 {
    let mut count = 0;
    movegen::pseudo_legal(position, &mut |step| {
        if position.moves_left == 1 {
            count += u64::from(step != position.reversal && position.is_safe_after(step));
        } else {
            let mut next = *position;
            next.play(step);
            count += turns(&next);
        }
    });
    count
}
