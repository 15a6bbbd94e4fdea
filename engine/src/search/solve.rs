//! Mate problems: every first turn that forces mate within n own turns, and for every other one an answer that stops it.
//!
//! A plain AND/OR search with memory: unlike the game's search it proves, for all first turns. In DiceChess only a
//! king taken in the turn at hand is certain, and that is what is looked for.

use super::control::Control;
use crate::core::map_in_parallel;
use crate::rules::{Chance, Rules, Turn, for_each_turn, has_turn};
use ahash::AHashMap;

/// A first turn that is no key, and an answer after which there is no mate in time; `None` where the turn itself ends
/// the game or the number of turns is used up.
pub type Try<S> = (Turn<S>, Option<Turn<S>>);

/// What is known about a problem.
#[derive(Clone, Debug)]
pub struct Solution<G: Rules> {
    /// The turns that force mate within the given number of turns, in generation order.
    pub keys: Vec<Turn<G::Step>>,
    /// The other turns.
    pub tries: Vec<Try<G::Step>>,
    /// Whether the search was stopped before it had looked at everything.
    pub stopped: bool,
}

/// Positions remembered by one thread; beyond that the memory begins anew.
const MEMORY: usize = 1 << 22;

/// Solves "mate in `turns`" for the side to move, on all processors as far as the system gives threads. `turns` is at
/// least 1; draws by repetition or counters are left out, as in problems.
///
/// ```
/// use fauve_engine::rules::{Notation, chess::Chess, turn_token};
/// use fauve_engine::search::Control;
/// use fauve_engine::search::solve::solve;
///
/// // Paul Morphy's problem: the rook sacrifices itself on a6.
/// let position = Chess::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &Default::default())?.position;
/// let solution = solve(&position, 2, &Control::default());
/// let keys: Vec<String> = solution.keys.iter().map(|turn| turn_token(&position, turn)).collect();
/// assert_eq!(keys, ["a1a6"]);
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn solve<G: Chance>(position: &G, turns: u32, control: &Control) -> Solution<G> {
    let first = collect(position);
    let verdict = |solver: &mut Solver, (_, after): &(Turn<G::Step>, G)| {
        solver.refutation(after, turns.max(1) - 1)
    };
    let solver = || Solver {
        memory: AHashMap::new(),
        control,
    };
    let verdicts = map_in_parallel(&first, solver, verdict);
    let mut solution = Solution {
        keys: Vec::new(),
        tries: Vec::new(),
        stopped: control.is_stopped(),
    };
    for ((turn, _), verdict) in first.into_iter().zip(verdicts) {
        match verdict {
            Verdict::Mated => solution.keys.push(turn),
            Verdict::Escapes(answer) => solution.tries.push((turn, answer)),
        }
    }
    solution
}

fn collect<G: Rules>(position: &G) -> Vec<(Turn<G::Step>, G)> {
    let mut turns = Vec::new();
    for_each_turn(position, &mut |turn, after| {
        turns.push((Turn::from_slice(turn), *after));
    });
    turns
}

enum Verdict<S> {
    Mated,
    Escapes(Option<Turn<S>>),
}

struct Solver<'a> {
    /// Whether the defender to move is lost, by key and the attacker's turns left.
    memory: AHashMap<(u64, u32), bool>,
    control: &'a Control,
}

impl Solver<'_> {
    /// The defender is to move and the attacker has `left` turns after that.
    fn refutation<G: Chance>(&mut self, position: &G, left: u32) -> Verdict<G::Step> {
        if let Some(lost) = over(position) {
            return if lost {
                Verdict::Mated
            } else {
                Verdict::Escapes(None)
            };
        }
        if left == 0 {
            return Verdict::Escapes(None);
        }
        collect(position)
            .into_iter()
            .find(|(_, after)| !self.mates(after, left))
            .map_or(Verdict::Mated, |(answer, _)| Verdict::Escapes(Some(answer)))
    }

    fn is_lost<G: Chance>(&mut self, position: &G, left: u32) -> bool {
        // No mate without check: most last turns fail here.
        if left == 0 && position.decided().is_none() && !position.in_check() {
            return false;
        }
        if let Some(&lost) = self.memory.get(&(position.key(), left)) {
            return lost;
        }
        let lost = matches!(self.refutation(position, left), Verdict::Mated);
        if !self.control.is_stopped() {
            if self.memory.len() >= MEMORY {
                self.memory.clear();
            }
            self.memory.insert((position.key(), left), lost);
        }
        lost
    }

    /// Whether the attacker, to move, mates within `left` turns. Checks are tried first.
    fn mates<G: Chance>(&mut self, position: &G, left: u32) -> bool {
        if self.control.is_stopped() || position.awaits_roll() {
            return false;
        }
        let mut turns = collect(position);
        turns.sort_by_cached_key(|(_, after)| !after.in_check());
        turns.iter().any(|(_, after)| self.is_lost(after, left - 1))
    }
}

/// Whether the game is over, and then whether the side to move has lost it.
fn over<G: Chance>(position: &G) -> Option<bool> {
    if let Some(winner) = position.decided() {
        return Some(winner != position.side_to_move());
    }
    if position.awaits_roll() {
        return Some(false);
    }
    (!has_turn(position)).then(|| position.lost_without_turn())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::Chess;
    use crate::rules::{NoOptions, Notation, turn_token};

    fn keys<G: Chance + Notation>(fen: &str, turns: u32) -> Vec<String> {
        let position = G::from_fen(fen, &G::Options::default())
            .expect("a good FEN")
            .position;
        let solution = solve(&position, turns, &Control::default());
        assert!(!solution.stopped);
        solution
            .keys
            .iter()
            .map(|turn| turn_token(&position, turn))
            .collect()
    }

    #[test]
    fn chess_problems_have_the_keys_that_their_authors_meant() {
        // Back rank, and Morphy's problem of 1857 (Ra6).
        assert_eq!(
            keys::<Chess>("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", 1),
            ["a1a8"]
        );
        assert_eq!(
            keys::<Chess>("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 2),
            ["a1a6"]
        );
        assert!(keys::<Chess>("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", 1).is_empty());
    }

    #[test]
    fn a_refutation_refutes() {
        let position = Chess::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &NoOptions)
            .expect("a good FEN")
            .position;
        let solution = solve(&position, 2, &Control::default());
        for (turn, answer) in &solution.tries {
            let mut after = position;
            for &step in turn {
                after.play(step);
            }
            let Some(answer) = answer else { continue };
            for &step in answer {
                after.play(step);
            }
            assert!(solve(&after, 1, &Control::default()).keys.is_empty());
        }
    }
}
