//! DiceChess: explanations of illegal moves, and of what the dice allow.

use super::{Explain, flat};
use fauve_engine::core::{Kind, Square};
use fauve_engine::rules::dice::{DiceChess, Pool};
use fauve_engine::rules::orthodox::RookRights;
use fauve_engine::rules::{Chance, Notation, Rules, legal_steps};

impl Explain for DiceChess {
    fn explain(&self, from: &str, to: &str) -> String {
        flat::between(from, to, |from, to| explain(self, from, to))
    }
}

fn explain(position: &DiceChess, from: Square, to: Square) -> String {
    let us = position.side_to_move();
    let attempt = flat::Try {
        board: position.board(),
        us,
        targets: position.targets(),
        castling: position.castling(),
        rooks: RookRights::default(),
        castles_through_check: position.castles_through_check(),
        from,
        to,
    };
    let Some(kind) = attempt.piece() else {
        return attempt.fault().unwrap_or_default();
    };
    if legal_steps(position).iter().any(|step| step.is_pass()) {
        return format!(
            "No die can be used ({}), so the turn passes.",
            position.dice_text().to_ascii_uppercase()
        );
    }
    if position.pool().without(kind).is_none() {
        return format!(
            "No {} die left; remaining: {}.",
            flat::name(kind),
            dice_words(position.pool())
        );
    }
    attempt.fault().unwrap_or_else(|| {
            let castles = kind == Kind::King && from.file().abs_diff(to.file()) == 2;
            if castles && position.pool().without(Kind::Rook).is_none() {
                "Castling needs a king die and a rook die.".to_owned()
            } else if position.must_capture() {
                "The moves so far wasted a die, which is legal only when they lead to the capture of the king.".to_owned()
            } else {
                let which = if position.is_mid_turn() {
                    "of those left"
                } else {
                    "in this turn"
                };
                format!(
                    "As many dice as possible must be used: {} {which}, but fewer after this move.",
                    position.most_usable_dice()
                )
            }
        })
}

/// The dice of a pool, in words.
fn dice_words(pool: Pool) -> String {
    let names: Vec<&str> = pool
        .faces()
        .iter()
        .map(|&face| flat::name(Kind::CHESS[usize::from(face - 1)]))
        .collect();
    names.join(", ")
}

/// Describes how the rule that as many dice as possible must be used restricts this turn; `None` if every die can be used and
/// every move that the dice pay for is legal.
pub fn limit(position: &DiceChess) -> Option<String> {
    if position.awaits_roll() || position.winner().is_some() || position.pool().is_empty() {
        return None;
    }
    let steps = legal_steps(position);
    if steps.iter().any(|step| step.is_pass()) {
        return Some("No die can be used: the turn passes.".to_owned());
    }
    if position.must_capture() {
        return Some(
            "A die was wasted: only moves that lead to the capture of the king are legal."
                .to_owned(),
        );
    }
    let (most, size) = (position.most_usable_dice(), position.pool().len());
    let legal = steps.len();
    let paid = position.paid_steps_count();
    if most < size {
        let left = if size == 1 {
            "the die".to_owned()
        } else {
            format!("{size} dice")
        };
        return Some(format!("Only {most} of {left} can be used in this turn."));
    }
    (paid > legal).then(|| {
        let missing = paid - legal;
        let (moves, are) = if missing == 1 {
            ("move", "is")
        } else {
            ("moves", "are")
        };
        format!("{missing} {moves} that would waste a die {are} illegal.")
    })
}
