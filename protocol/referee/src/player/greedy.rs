//! A player who sees one turn ahead and no answer: an anchor between random turns and a search.

use fauve_engine::rules::{Turn, for_each_turn};
use fauve_engine::search::Engine;

/// What a win at once is worth, in centipawns.
const WIN: i32 = 1_000_000;

/// The turn that wins at once, or after which the static evaluation is best for the mover: of equal ones the first. Empty if there is
/// no turn.
pub fn greedy_turn<G: Engine>(position: &G) -> Turn<G::Step> {
    let mover = position.side_to_move();
    let mut best: Option<(i32, Turn<G::Step>)> = None;
    for_each_turn(position, &mut |turn, after| {
        let own = |value: i32| {
            if after.side_to_move() == mover {
                value
            } else {
                -value
            }
        };
        let value = match after.winner() {
            Some(winner) if winner == mover => WIN,
            Some(_) => -WIN,
            None if after.awaits_roll() || after.has_turn() => own(after.evaluate()),
            None if after.lost_without_turn() => own(-WIN),
            None => 0,
        };
        if best.as_ref().is_none_or(|(known, _)| value > *known) {
            best = Some((value, turn.into()));
        }
    });
    best.map_or_else(Turn::new, |(_, turn)| turn)
}

#[cfg(test)]
mod tests {
    use super::*;
    use fauve_engine::rules::chess::{Chess, Options};
    use fauve_engine::rules::{Notation, turn_token};

    #[test]
    fn takes_mate_before_pieces_and_pieces_before_nothing() {
        for (fen, best) in [
            ("6k1/5ppp/8/8/8/8/8/R2qK3 w - - 0 1", "a1d1"),
            ("6k1/5ppp/8/3n4/4P3/8/8/R3K3 w - - 0 1", "a1a8"),
            ("6k1/5pp1/8/3q4/4P3/8/8/R3K3 w - - 0 1", "e4d5"),
        ] {
            let position = Chess::from_fen(fen, &Options::default()).unwrap().position;
            assert_eq!(turn_token(&position, &greedy_turn(&position)), best);
        }
    }
}
