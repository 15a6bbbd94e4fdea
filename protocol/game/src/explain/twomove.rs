use super::{Explain, flat};
use fauve_engine::core::{Move, Square, StepList};
use fauve_engine::rules::orthodox::RookRights;
use fauve_engine::rules::{Rules, legal_steps, twomove::TwoMove};

impl Explain for TwoMove {
    fn explain(&self, from: &str, to: &str) -> String {
        flat::between(from, to, |from, to| explain(self, from, to))
    }

    fn why_check(&self) -> Option<String> {
        let lines = self.king_captures(!self.side_to_move());
        let line = lines.first()?;
        Some(format!("the king could be taken by {}", words(*line)))
    }
}

fn explain(position: &TwoMove, from: Square, to: Square) -> String {
    let us = position.side_to_move();
    let attempt = flat::Try {
        board: position.board(),
        us,
        targets: position.en_passant_targets(),
        castling: position.castling(),
        rooks: RookRights::default(),
        castles_through_check: false,
        from,
        to,
    };
    attempt
        .fault()
        .unwrap_or_else(|| why_not_after(position, from, to))
}

/// Explains why a move that the piece can make is illegal: what is wrong is the position after it.
fn why_not_after(position: &TwoMove, from: Square, to: Square) -> String {
    let us = position.side_to_move();
    if position.board().king(!us) == to {
        return "The king is never taken: the turn before would not have been legal.".to_owned();
    }
    if position
        .forbidden_reversal()
        .is_some_and(|back| (back.from(), back.to()) == (from, to))
    {
        return "A turn must change the position: the second move may not undo the first."
            .to_owned();
    }
    let mut moves = StepList::new();
    position.pseudo_legal(&mut moves);
    let Some(&step) = moves
        .iter()
        .find(|step| (step.from(), step.to()) == (from, to))
    else {
        return "En passant is possible with the first move of a turn only, or with the second after such a first move."
            .to_owned();
    };
    let mut after = *position;
    after.play(step);
    if position.moves_left() == 1 {
        return match after.king_captures(!us).first() {
            Some(line) => format!(
                "After the turn the king could be taken in two moves: {}. It may be attacked between your two moves, but \
                 not after them.",
                words(*line)
            ),
            None => "This is not a legal second move.".to_owned(),
        };
    }
    if !legal_steps(&after).is_empty() {
        return "This is not a legal first move.".to_owned();
    }
    match after.king_captures(!us).first() {
        Some(line) => format!(
            "No second move would save the king after this one; now it could be taken by {}.",
            words(*line)
        ),
        None => "A turn has two moves, and after this one no second move is legal.".to_owned(),
    }
}

fn words((first, second): (Move, Option<Move>)) -> String {
    match second {
        Some(second) => format!("{first}, then {second}"),
        None => first.to_string(),
    }
}
