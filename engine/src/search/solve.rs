//! Mate problems: every first turn that forces mate within n own turns (a key), and for every other one a reply that
//! refutes it.
//!
//! An AND/OR search with memory. Unlike the search of games it proves its results, for all first turns. All turns of the
//! attacker are tried; mates by checks alone, the most common kind, are searched first ([`super::mate`]). A reply that
//! refuted one turn is tried first against the next. In DiceChess only the capture of the king in the present turn is
//! certain, so only that is searched.

use super::control::Control;
use super::killers::Killers;
use super::mate::{MateBudget, ProofNumberSearch, mates_at_once, over};
use super::pitfalls::Pitfalls;
use crate::core::map_in_parallel;
use crate::rules::{Chance, Draws, Rules, Turn, for_each_turn};
use ahash::AHashMap;

/// A first turn that is not a key, with a reply after which there is no mate in time. The reply is `None` where the turn
/// itself ends the game or was the last one allowed.
pub type Try<S> = (Turn<S>, Option<Turn<S>>);

/// Solution of a problem.
#[derive(Clone, Debug)]
pub struct Solution<G: Rules> {
    /// Turns that force mate within the given number of turns, in generation order.
    pub keys: Vec<Turn<G::Step>>,
    /// The other turns, with refutations.
    pub tries: Vec<Try<G::Step>>,
    /// Whether the search was stopped before it was complete.
    pub stopped: bool,
}

/// Maximum number of positions stored by a thread; when it is exceeded, all are dropped.
const MEMORY: usize = 1 << 22;
/// Positions allowed to each search for mates by checks, per turn left.
const CHECKS: u64 = 16;

/// Solves "mate in `turns`" for the side to move, on all processors that are available. `turns` is at least 1. Draws by
/// repetition or by counters of quiet turns are ignored, as is usual in problems; a counter that is part of the position's
/// key (the bare King's resistance in Cubes 4D) counts.
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
pub fn solve<G: Draws + Chance>(position: &G, turns: u32, control: &Control) -> Solution<G> {
    let first = collect(position);
    let mut ends: AHashMap<u64, usize> = AHashMap::new();
    let mut distinct = Vec::new();
    for end in &first {
        // Turns that differ only in the order of their steps reach one position.
        ends.entry(end.1.key()).or_insert_with(|| {
            distinct.push(end.1);
            distinct.len() - 1
        });
    }
    let pitfalls = Pitfalls::none();
    let verdict = |solver: &mut Solver<G>, after: &G| solver.refutation(after, turns.max(1) - 1);
    let verdicts = map_in_parallel(&distinct, || Solver::new(&pitfalls, control), verdict);
    let mut solution = Solution {
        keys: Vec::new(),
        tries: Vec::new(),
        stopped: control.is_stopped(),
    };
    for (turn, after) in first {
        match &verdicts[ends[&after.key()]] {
            Verdict::Mated => solution.keys.push(turn),
            Verdict::Escapes(answer) => solution.tries.push((turn, answer.clone())),
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

struct Solver<'a, G: Rules> {
    /// Whether the defender, to move, is lost, by key and the attacker's turns left.
    memory: AHashMap<(u64, u32), bool>,
    /// Replies that stopped mates, by the attacker's turns left.
    refutations: Killers<G::Step>,
    prover: ProofNumberSearch<'a, G>,
    control: &'a Control,
}

impl<'a, G: Draws + Chance> Solver<'a, G> {
    fn new(pitfalls: &'a Pitfalls<G>, control: &'a Control) -> Self {
        Self {
            memory: AHashMap::new(),
            refutations: Killers::new(),
            prover: ProofNumberSearch::new(0, pitfalls, control),
            control,
        }
    }

    /// Returns a refutation, with the defender to move and `left` turns of the attacker after that.
    fn refutation(&mut self, position: &G, left: u32) -> Verdict<G::Step> {
        if let Some(lost) = over(position) {
            return if lost {
                Verdict::Mated
            } else {
                Verdict::Escapes(None)
            };
        }
        if left == 0 || position.count_draw().is_some() {
            return Verdict::Escapes(None);
        }
        let mut answers = collect(position);
        self.refutations
            .bring_forward(left, &mut answers, |(turn, _)| turn);
        let found = answers
            .into_iter()
            .find(|(_, after)| !self.mates(after, left));
        match found {
            Some((answer, _)) => {
                self.refutations.keep(left, &answer);
                Verdict::Escapes(Some(answer))
            }
            None => Verdict::Mated,
        }
    }

    fn is_lost(&mut self, position: &G, left: u32) -> bool {
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

    /// Whether the attacker, to move, mates within `left` turns: tries mate in one, then checks, then all turns.
    fn mates(&mut self, position: &G, left: u32) -> bool {
        if self.control.is_stopped() || position.awaits_roll() || position.count_draw().is_some() {
            return false;
        }
        if left == 1 {
            return mates_at_once(position);
        }
        self.prover.grant(CHECKS * u64::from(left));
        if (1..=left).any(|turns| self.prover.proves(position, MateBudget::new(turns, 0))) {
            return true;
        }
        let mut turns = collect(position);
        turns.sort_by_cached_key(|(_, after)| !after.in_check());
        turns.iter().any(|(_, after)| self.is_lost(after, left - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::{Chess, Options};
    use crate::rules::{Notation, turn_token};

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
        // Back-rank mate, and Morphy's problem of 1857 (Ra6).
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
        let position = Chess::from_fen("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1", &Options::default())
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
