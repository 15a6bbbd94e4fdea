//! Forced mates by checks, or by checks and a few quiet turns: depth-first proof-number search within a budget.
//!
//! The attacker gives check with every turn but so many and the defender has all answers. What is found is a mate; that nothing is
//! found says only that there is none of this kind in so many turns (or that the budget was too small). Source: A. Nagai, "Df-pn
//! algorithm for searching AND/OR trees and its applications", 2002; here the number of turns that are left is part of the
//! node, so that the tree has no cycles.

use super::control::Control;
use super::killers::{Killers, after_turn};
use super::pitfalls::Pitfalls;
use crate::rules::{Chance, Draws, Rules, Turn, for_each_turn, has_turn, try_each_turn};
use ahash::{AHashMap, AHashSet};
use std::ops::ControlFlow;

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate<S> {
    /// The attacker's turns to the mate at most: 1 if the first mates.
    pub turns: u32,
    /// The attacker's turns and the defender's answers, each of them one that holds out as long as any, from the first to the mate.
    pub line: Vec<Turn<S>>,
}

/// How much a search for mates may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The most turns of the attacker.
    pub turns: u32,
    /// How many of these need not give check.
    pub quiet: u32,
    /// The most positions of which all turns are made.
    pub positions: u64,
}

/// How many positions it would take to prove a node, and to disprove it, at least as far as is known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// More than any sum of numbers.
const INFINITE: u32 = 1 << 30;
/// Nodes remembered; beyond that those that were the least work are forgotten.
const MEMORY: usize = 1 << 20;

/// After a quiet turn a position of the defender counts as so many times as much to prove.
const QUIET: u32 = 3;

/// What the attacker may still do.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct MateBudget {
    /// His turns, the next included if he is to move.
    pub turns: u32,
    /// How many of them need not give check; the last one always mates.
    quiet: u32,
}

impl MateBudget {
    pub(super) fn new(turns: u32, quiet: u32) -> Self {
        let quiet = quiet.min(turns.saturating_sub(1));
        Self { turns, quiet }
    }

    /// The order in which mates are looked for.
    pub(super) fn budgets(self) -> impl Iterator<Item = Self> {
        let checks = (1..=self.turns).map(|turns| Self::new(turns, 0));
        checks.chain((1..=self.quiet).map(move |quiet| Self::new(self.turns, quiet)))
    }

    /// As many turns, of which none need give check: what cannot be done so cannot be done at all.
    pub(super) fn any(turns: u32) -> Self {
        Self::new(turns, turns)
    }

    /// What is left after a turn; nothing if it was quiet and must not be.
    fn after(self, check: bool) -> Option<Self> {
        let quiet = self.quiet.checked_sub(u32::from(!check))?;
        Some(Self::new(self.turns - 1, quiet))
    }
}

impl Numbers {
    const PROVEN: Self = Self {
        proof: 0,
        disproof: INFINITE,
    };
    const DISPROVEN: Self = Self {
        proof: INFINITE,
        disproof: 0,
    };
    /// As limits: none.
    const ALL: Self = Self {
        proof: INFINITE,
        disproof: INFINITE,
    };
    const UNKNOWN: Self = Self {
        proof: 1,
        disproof: 1,
    };

    const fn decided(proven: bool) -> Self {
        if proven {
            Self::PROVEN
        } else {
            Self::DISPROVEN
        }
    }

    /// The same for the other side.
    const fn turned(self) -> Self {
        Self {
            proof: self.disproof,
            disproof: self.proof,
        }
    }
}

/// Looks for a forced mate: by checks alone, the shortest first, then with one quiet turn, with two and so on, within all turns.
/// With all but the last turn quiet nothing is left out. `drawn` are keys of positions that end the game as drawn, because they
/// stood twice before; that counters of quiet turns may draw sooner is the caller's matter.
///
/// ```
/// use fauve_engine::rules::{Notation, turn_token, twomove::TwoMove};
/// use fauve_engine::search::Control;
/// use fauve_engine::search::mate::{Effort, find_mate};
///
/// let fen = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
/// let position = TwoMove::from_fen(fen, &Default::default())?.position;
/// let effort = Effort { turns: 2, quiet: 0, positions: 100 };
/// let mate = find_mate(&position, effort, &[], &Control::default()).expect("the shortest mate");
/// assert_eq!(mate.turns, 1);
/// assert!(turn_token(&position, &mate.line[0]).contains("d1h5"));
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn find_mate<G: Draws + Chance>(
    position: &G,
    effort: Effort,
    drawn: &[u64],
    control: &Control,
) -> Option<Mate<G::Step>> {
    let pitfalls = Pitfalls::of_keys(drawn);
    let mut prover = ProofNumberSearch::new(effort.positions, &pitfalls, control);
    let whole = MateBudget::new(effort.turns, effort.quiet);
    (whole.budgets().find(|&left| prover.proves(position, left))).map(|left| Mate {
        turns: left.turns,
        line: prover.line(position, left),
    })
}

/// The proof number of a position of the defender that was not looked at yet, by the number of turns that he has. Turns of
/// several steps are many and much alike.
fn unseen<G: Rules>(turns: u64) -> u32 {
    let alike = if G::MAX_STEPS > 1 { 8 } else { 1 };
    1 + (turns / alike).min(1000) as u32
}

/// The limit up to which the best child is searched: a quarter above the second best, so that the search does not go to and fro
/// between the two (the 1 + epsilon trick of J. Pawlewicz and L. Lew, "Improving depth-first PN-search", 2007).
const fn loosened(second: u32) -> u32 {
    second + second / 4 + 1
}

/// The numbers of a node from those of its children, all from the point of view of who moves there; the child to look at first, and
/// the least proof number of the others.
fn summed<G: Rules>(children: &[Child<G>]) -> (Numbers, usize, u32) {
    let (mut best, mut second) = (0, INFINITE);
    let mut numbers = Numbers::DISPROVEN;
    for (n, child) in children.iter().enumerate() {
        let Numbers { proof, disproof } = child.numbers;
        if proof == 0 {
            return (Numbers::PROVEN, n, INFINITE);
        }
        if proof < numbers.proof {
            (second, best) = (numbers.proof, n);
            numbers.proof = proof;
        } else {
            second = second.min(proof);
        }
        // A sum is never as much as a proof.
        numbers.disproof = (numbers.disproof + disproof).min(INFINITE - 1);
    }
    (numbers, best, second)
}

/// A child of a node.
struct Child<G: Rules> {
    turn: Turn<G::Step>,
    after: G,
    left: MateBudget,
    numbers: Numbers,
}

/// The memory of a search for mates.
pub(super) struct ProofNumberSearch<'a, G: Rules> {
    memory: AHashMap<(u64, MateBudget), Numbers>,
    /// The attacker's last turns that mated at once, and the defender's that stopped a mate, by the attacker's turns left: what mates
    /// after one answer often does after others, what answers one check often answers others.
    mating: Killers<G::Step>,
    stopping: Killers<G::Step>,
    /// How many positions may still be looked at.
    positions: u64,
    pitfalls: &'a Pitfalls<G>,
    /// The key of the position whose turns are restricted, and the keys after those that may be played.
    restricted: Option<(u64, AHashSet<u64>)>,
    control: &'a Control,
}

impl<'a, G: Draws + Chance> ProofNumberSearch<'a, G> {
    pub(super) fn new(positions: u64, pitfalls: &'a Pitfalls<G>, control: &'a Control) -> Self {
        Self {
            memory: AHashMap::new(),
            mating: Killers::new(),
            stopping: Killers::new(),
            positions,
            pitfalls,
            restricted: None,
            control,
        }
    }

    /// Allows the attacker in this position, the root, only turns that lead to positions with these keys.
    pub(super) fn restrict(&mut self, root: &G, after: AHashSet<u64>) {
        self.restricted = Some((root.key(), after));
    }

    /// Whether the attacker may play the turn that leads from one position to another.
    fn may_play(&self, position: &G, after: &G) -> bool {
        (self.restricted.as_ref())
            .is_none_or(|(root, allowed)| *root != position.key() || allowed.contains(&after.key()))
    }

    /// Sets how many positions may be looked at from now on.
    pub(super) const fn grant(&mut self, positions: u64) {
        self.positions = positions;
    }

    /// Whether the attacker, to move, mates with what he has left; nothing if that is open when no more positions may be looked at.
    pub(super) fn ask(&mut self, position: &G, left: MateBudget) -> Option<bool> {
        if left.turns == 0 || position.awaits_roll() || position.winner().is_some() {
            return Some(false);
        }
        let numbers = match self.known(position, left) {
            Some(numbers) if numbers.proof == 0 || numbers.disproof == 0 => numbers,
            _ => self.attack(position, left, Numbers::ALL),
        };
        (numbers.proof == 0 || numbers.disproof == 0).then_some(numbers.proof == 0)
    }

    /// Whether the attacker, to move, is found to mate with what he has left.
    pub(super) fn proves(&mut self, position: &G, left: MateBudget) -> bool {
        self.ask(position, left) == Some(true)
    }

    fn is_out(&self) -> bool {
        self.positions == 0 || self.control.is_stopped()
    }

    fn known(&self, position: &G, left: MateBudget) -> Option<Numbers> {
        let key = self.pitfalls.key(position, left.turns);
        let of = |left| self.memory.get(&(key, left)).copied();
        of(left).or_else(|| {
            // A mate stays one with more quiet turns to choose from.
            let quiet = left.quiet.checked_sub(1)?;
            of(MateBudget { quiet, ..left }).filter(|numbers| numbers.proof == 0)
        })
    }

    fn remember(&mut self, position: &G, left: MateBudget, numbers: Numbers) -> Numbers {
        if self.memory.len() >= MEMORY {
            self.forget();
        }
        let key = self.pitfalls.key(position, left.turns);
        self.memory.insert((key, left), numbers);
        numbers
    }

    /// Makes room in the memory: what was the least work goes first.
    #[cold]
    fn forget(&mut self) {
        let mut turns = 1;
        while self.memory.len() > MEMORY / 2 {
            self.memory.retain(|(_, left), _| left.turns > turns);
            turns += 1;
        }
    }

    /// The attacker is to move; searched until one of the numbers reaches its limit.
    fn attack(&mut self, position: &G, left: MateBudget, limits: Numbers) -> Numbers {
        let limits = if G::MAX_STEPS == 1 && left.turns == 2 {
            // To come back would cost more than to go to the end.
            Numbers::ALL
        } else {
            limits
        };
        if left.turns == 1 {
            let mates = self.mates_next(position);
            return self.remember(position, left, Numbers::decided(mates));
        }
        let mut children = self.attacks(position, left);
        loop {
            let (numbers, best, second) = summed(&children);
            let done = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if numbers.proof == 0 || numbers.disproof == 0 || done || self.is_out() {
                return self.remember(position, left, numbers);
            }
            let child = &mut children[best];
            let below = Numbers {
                proof: limits.proof.min(loosened(second)),
                disproof: limits.disproof - numbers.disproof + child.numbers.disproof,
            };
            child.numbers = self.defend(&child.after, child.left, below);
        }
    }

    /// The defender is to move.
    fn defend(&mut self, position: &G, left: MateBudget, limits: Numbers) -> Numbers {
        if G::MAX_STEPS == 1 && left.turns == 1 {
            let mated = self.is_mated_next(position);
            return self.remember(position, left, Numbers::decided(mated));
        }
        let mut children = self.answers(position, left);
        if children.is_empty() {
            let mated = position.lost_without_turn();
            return self.remember(position, left, Numbers::decided(mated));
        }
        self.stopping
            .bring_forward(left.turns, &mut children, |child| &child.turn);
        let limits = if left.turns == 1 {
            Numbers::ALL
        } else {
            limits
        };
        loop {
            let (numbers, best, second) = summed(&children);
            let numbers = numbers.turned();
            let done = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if numbers.proof == 0 || numbers.disproof == 0 || done || self.is_out() {
                if numbers.disproof == 0 {
                    self.stopping.keep(left.turns, &children[best].turn);
                }
                return self.remember(position, left, numbers);
            }
            let child = &mut children[best];
            let below = Numbers {
                proof: limits.proof - numbers.proof + child.numbers.disproof,
                disproof: limits.disproof.min(loosened(second)),
            };
            child.numbers = self.attack(&child.after, left, below).turned();
        }
    }

    /// Whether a turn of the attacker, to move, mates at once.
    fn mates_next(&mut self, position: &G) -> bool {
        let killer = self.mating.of(1).iter().find(|turn| {
            after_turn(position, turn)
                .is_some_and(|after| is_lost(&after) && self.may_play(position, &after))
        });
        if let Some(killer) = killer.cloned() {
            self.mating.keep(1, &killer);
            return true;
        }
        self.positions = self.positions.saturating_sub(1);
        let mate = try_each_turn(position, &mut |turn, after| {
            if is_lost(after) && self.may_play(position, after) {
                ControlFlow::Break(Turn::from_slice(turn))
            } else {
                ControlFlow::Continue(())
            }
        });
        mate.break_value()
            .inspect(|turn| self.mating.keep(1, turn))
            .is_some()
    }

    /// Whether every answer of the defender, to move, is followed by mate at once; he has one.
    fn is_mated_next(&mut self, position: &G) -> bool {
        let escape = try_each_turn(position, &mut |_, after| {
            self.positions = self.positions.saturating_sub(1);
            let mated = after.winner().is_none()
                && !after.awaits_roll()
                && !self.pitfalls.draws(after)
                && mates_at_once(after);
            if mated {
                ControlFlow::Continue(())
            } else {
                ControlFlow::Break(())
            }
        });
        escape.is_continue()
    }

    /// The positions after turns that the attacker may take, each once.
    fn attacks(&mut self, position: &G, left: MateBudget) -> Vec<Child<G>> {
        self.positions = self.positions.saturating_sub(1);
        let mut seen = AHashSet::new();
        let mut children = Vec::new();
        for_each_turn(position, &mut |turn, after| {
            if G::MAX_STEPS > 1 && !seen.insert(after.key()) {
                return;
            }
            let check = match after.winner() {
                Some(winner) => winner == position.side_to_move(),
                None => !after.awaits_roll() && after.in_check(),
            };
            let Some(rest) = left.after(check) else {
                return;
            };
            // A mate goes before every draw of the same turn.
            if !self.may_play(position, after) || self.pitfalls.draws(after) && !is_lost(after) {
                return;
            }
            let numbers = if after.winner().is_some() {
                Numbers::PROVEN
            } else if rest.turns == 0 {
                if has_turn(after) || !after.lost_without_turn() {
                    return;
                }
                Numbers::PROVEN
            } else if let Some(numbers) = self.known(after, rest) {
                numbers
            } else {
                match after.guess_turns() {
                    0 if after.lost_without_turn() => Numbers::PROVEN,
                    0 => Numbers::DISPROVEN,
                    count => Numbers {
                        proof: unseen::<G>(count) * if check { 1 } else { QUIET },
                        disproof: 1,
                    },
                }
            };
            children.push(Child {
                turn: Turn::from_slice(turn),
                after: *after,
                left: rest,
                numbers,
            });
        });
        children
    }

    /// The positions after all turns of the defender, each once; numbers are from his point of view.
    fn answers(&mut self, position: &G, left: MateBudget) -> Vec<Child<G>> {
        self.positions = self.positions.saturating_sub(1);
        let mut seen = AHashSet::new();
        let mut children = Vec::new();
        for_each_turn(position, &mut |turn, after| {
            if G::MAX_STEPS > 1 && !seen.insert(after.key()) {
                return;
            }
            let numbers =
                if after.winner().is_some() || after.awaits_roll() || self.pitfalls.draws(after) {
                    Numbers::DISPROVEN
                } else {
                    self.known(after, left).unwrap_or(Numbers::UNKNOWN)
                };
            children.push(Child {
                turn: Turn::from_slice(turn),
                after: *after,
                left,
                numbers: numbers.turned(),
            });
        });
        children
    }

    /// The line of a mate that was proven, with the longest defence.
    pub(super) fn line(&mut self, position: &G, mut left: MateBudget) -> Vec<Turn<G::Step>> {
        let mut line = Vec::new();
        let mut position = *position;
        while left.turns > 0 {
            self.positions = self.positions.max(1 << 20);
            let mut attacks = self.attacks(&position, left);
            let proven = |child: &Child<G>| child.numbers.proof == 0;
            // Only where the memory has lost the turn that was proven others have to be looked at.
            let Some(best) = attacks.iter().position(proven).or_else(|| {
                attacks.iter_mut().position(|child| {
                    if child.numbers.disproof > 0 {
                        child.numbers = self.defend(&child.after, child.left, Numbers::ALL);
                    }
                    proven(child)
                })
            }) else {
                break;
            };
            let child = attacks.swap_remove(best);
            left = child.left;
            line.push(child.turn);
            if left.turns == 0 || child.after.winner().is_some() {
                break;
            }
            let mut answers = self.answers(&child.after, left);
            let Some(answer) = answers
                .iter()
                .position(|answer| {
                    !self.proves(&answer.after, MateBudget::new(left.turns - 1, left.quiet))
                })
                .or_else(|| (!answers.is_empty()).then_some(0))
            else {
                break;
            };
            let answer = answers.swap_remove(answer);
            line.push(answer.turn);
            position = answer.after;
            // Where nothing holds out as long, the mate is nearer now: the line must not lose turns, nor go round in a circle.
            while left.turns > 1
                && self.proves(&position, MateBudget::new(left.turns - 1, left.quiet))
            {
                left = MateBudget::new(left.turns - 1, left.quiet);
            }
        }
        line
    }
}

/// Whether some turn ends the game as won.
pub(super) fn mates_at_once<G: Chance>(position: &G) -> bool {
    let mate = try_each_turn(position, &mut |_, after| {
        if is_lost(after) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    });
    mate.is_break()
}

/// Whether the side to move has lost. Asked after any turn: most are settled by the check that they do not give.
pub(super) fn is_lost<G: Chance>(position: &G) -> bool {
    (position.winner().is_some() || !position.awaits_roll() && position.in_check())
        && over(position) == Some(true)
}

/// Whether the game is over, and then whether the side to move has lost it.
pub(super) fn over<G: Chance>(position: &G) -> Option<bool> {
    if let Some(winner) = position.winner() {
        return Some(winner != position.side_to_move());
    }
    if position.awaits_roll() {
        return Some(false);
    }
    (!has_turn(position)).then(|| position.lost_without_turn())
}
