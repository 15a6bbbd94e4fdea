use super::{Explain, flat};
use fauve_engine::core::{Kind, Square};
use fauve_engine::rules::{Rules, superchess::Superchess};

impl Explain for Superchess {
    fn explain(&self, from: &str, to: &str) -> String {
        if let Some(turns) = self.prologue() {
            return why_not_placed(self, turns, from, to);
        }
        flat::between(from, to, |from, to| why_not_moved(self, from, to))
    }

    fn why_check(&self) -> Option<String> {
        flat::why_check(self.board(), self.side_to_move())
    }
}

fn why_not_moved(position: &Superchess, from: Square, to: Square) -> String {
    let us = position.side_to_move();
    let attempt = flat::Try::orthodox(position.orthodox(), from, to);
    let stuck = || {
        let last = attempt.piece() == Some(Kind::Pawn) && to.seen_by(us).rank() == 7;
        (last && position.pool().is_empty(us)).then(|| {
                "A pawn promotes only to a replaced or captured piece of its own side. None is available, so it may not move \
                 to the last rank."
                    .to_owned()
            })
    };
    attempt
        .fault()
        .or_else(stuck)
        .or_else(|| attempt.check_after())
        .unwrap_or_else(|| "This is not a legal move.".to_owned())
}

const fn is_superpiece(kind: Kind) -> bool {
    matches!(
        kind,
        Kind::Amazon | Kind::Empress | Kind::Princess | Kind::Veteran
    )
}

fn why_not_placed(position: &Superchess, turns: u8, from: &str, to: &str) -> String {
    let placement = if turns.is_multiple_of(2) {
        "White puts a superpiece on f1, g1 or h1, on the king's side"
    } else {
        "Black puts a superpiece on a8, b8, c8 or d8, on the queen's side"
    };
    let placed = from
        .chars()
        .next()
        .filter(|_| from.len() == 1)
        .and_then(Kind::from_letter)
        .filter(|&kind| is_superpiece(kind));
    let Some(kind) = placed else {
        return format!("The prologue comes first: {placement}.");
    };
    if position.board().kind(kind).any() {
        return format!("The {} is already placed.", flat::name(kind));
    }
    match to
        .parse::<Square>()
        .ok()
        .and_then(|square| position.board().kind_at(square))
    {
        Some(Kind::King) => "The king is never replaced.".to_owned(),
        Some(kind) if is_superpiece(kind) => "A superpiece is never replaced.".to_owned(),
        _ => format!("In this turn of the prologue {placement}."),
    }
}
