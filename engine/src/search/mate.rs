//! Forced mates by checks alone: depth-first proof-number search within a budget.
//!
//! The attacker gives check with every turn and the defender has all answers. What is found is a mate; that nothing is found says only
//! that checks alone do not mate in so many turns (or that the budget was too small). Source: A. Nagai, "Df-pn algorithm for
//! searching AND/OR trees and its applications", 2002; here the number of turns that are left is part of the node, so that
//! the tree has no cycles.

use super::control::Control;
use crate::rules::{Chance, Rules, Turn, for_each_turn, has_turn};
use ahash::{AHashMap, AHashSet};

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate<S> {
    /// The attacker's turns to the mate: 1 if the first mates.
    pub turns: u32,
    /// The attacker's turns and the defender's answers, each of them one that holds out as long as any, from the first to the mate.
    pub line: Vec<Turn<S>>,
}

/// How much a search for mates may cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// The most turns of the attacker.
    pub turns: u32,
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
/// Nodes remembered; beyond that the memory begins anew.
const MEMORY: usize = 1 << 20;
/// Before it is looked at, a position of the defender counts as one more to prove for every so many turns that he has.
const TURNS_A_PROOF: u64 = 8;

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

    /// The same for the other side.
    const fn turned(self) -> Self {
        Self {
            proof: self.disproof,
            disproof: self.proof,
        }
    }
}

/// Looks for a forced mate by checks, the shortest first. `drawn` are keys of positions that the attacker must not lead to, because
/// they end the game by repetition; the counter of quiet turns is the caller's matter.
///
/// ```
/// use fauve_engine::rules::{Notation, turn_token, twomove::TwoMove};
/// use fauve_engine::search::Control;
/// use fauve_engine::search::mate::{Effort, find_mate};
///
/// let fen = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
/// let position = TwoMove::from_fen(fen, &Default::default())?.position;
/// let effort = Effort { turns: 2, positions: 100 };
/// let mate = find_mate(&position, effort, &[], &Control::default()).expect("the shortest mate");
/// assert_eq!(mate.turns, 1);
/// assert!(turn_token(&position, &mate.line[0]).contains("d1h5"));
/// # Ok::<(), fauve_engine::rules::FenError>(())
/// ```
pub fn find_mate<G: Chance>(
    position: &G,
    effort: Effort,
    drawn: &[u64],
    control: &Control,
) -> Option<Mate<G::Step>> {
    let mut prover = Prover::new(effort.positions, drawn, control);
    (1..=effort.turns)
        .find(|&turns| prover.proves(position, turns))
        .map(|turns| Mate {
            turns,
            line: prover.line(position, turns),
        })
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
    numbers: Numbers,
}

/// The memory of a search for mates.
pub(super) struct Prover<'a> {
    /// By key and the attacker's turns left, the next included if he is to move.
    memory: AHashMap<(u64, u32), Numbers>,
    /// How many positions may still be looked at.
    positions: u64,
    drawn: &'a [u64],
    control: &'a Control,
}

impl<'a> Prover<'a> {
    pub(super) fn new(positions: u64, drawn: &'a [u64], control: &'a Control) -> Self {
        Self {
            memory: AHashMap::new(),
            positions,
            drawn,
            control,
        }
    }

    /// Sets how many positions may be looked at from now on.
    pub(super) const fn grant(&mut self, positions: u64) {
        self.positions = positions;
    }

    /// Whether the attacker, to move, mates in so many turns by checks alone; nothing if that is open when no more positions may be
    /// looked at.
    pub(super) fn ask<G: Chance>(&mut self, position: &G, turns: u32) -> Option<bool> {
        if turns == 0 || position.awaits_roll() || position.decided().is_some() {
            return Some(false);
        }
        let numbers = match self.known(position, turns) {
            Some(numbers) if numbers.proof == 0 || numbers.disproof == 0 => numbers,
            _ => self.attack(position, turns, Numbers::ALL),
        };
        (numbers.proof == 0 || numbers.disproof == 0).then_some(numbers.proof == 0)
    }

    /// Whether the attacker, to move, is found to mate in so many turns by checks alone.
    pub(super) fn proves<G: Chance>(&mut self, position: &G, turns: u32) -> bool {
        self.ask(position, turns) == Some(true)
    }

    fn is_out(&self) -> bool {
        self.positions == 0 || self.control.is_stopped()
    }

    fn known(&self, position: &impl Rules, left: u32) -> Option<Numbers> {
        self.memory.get(&(position.key(), left)).copied()
    }

    fn remember(&mut self, position: &impl Rules, left: u32, numbers: Numbers) -> Numbers {
        if self.memory.len() >= MEMORY {
            self.memory.clear();
        }
        self.memory.insert((position.key(), left), numbers);
        numbers
    }

    /// The attacker is to move and has `left` turns; searched until one of the numbers reaches its limit.
    fn attack<G: Chance>(&mut self, position: &G, left: u32, limits: Numbers) -> Numbers {
        let mut children = self.checks(position, left);
        loop {
            let (numbers, best, second) = summed(&children);
            let done = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if numbers.proof == 0 || numbers.disproof == 0 || done || self.is_out() {
                return self.remember(position, left, numbers);
            }
            let child = &mut children[best];
            let below = Numbers {
                proof: limits.proof.min(second.saturating_add(1)),
                disproof: limits.disproof - numbers.disproof + child.numbers.disproof,
            };
            child.numbers = self.defend(&child.after, left - 1, below);
        }
    }

    /// The defender is to move, and the attacker has `left` turns after that.
    fn defend<G: Chance>(&mut self, position: &G, left: u32, limits: Numbers) -> Numbers {
        let mut children = self.answers(position, left);
        loop {
            let (numbers, best, second) = summed(&children);
            let numbers = numbers.turned();
            let done = numbers.proof >= limits.proof || numbers.disproof >= limits.disproof;
            if numbers.proof == 0 || numbers.disproof == 0 || done || self.is_out() {
                return self.remember(position, left, numbers);
            }
            let child = &mut children[best];
            let below = Numbers {
                proof: limits.proof - numbers.proof + child.numbers.disproof,
                disproof: limits.disproof.min(second.saturating_add(1)),
            };
            child.numbers = self.attack(&child.after, left, below).turned();
        }
    }

    /// The positions after turns that give check, each once.
    fn checks<G: Chance>(&mut self, position: &G, left: u32) -> Vec<Child<G>> {
        self.positions = self.positions.saturating_sub(1);
        let mut seen = AHashSet::new();
        let mut children = Vec::new();
        for_each_turn(position, &mut |turn, after| {
            let check = match after.decided() {
                Some(winner) => winner == position.side_to_move(),
                None => !after.awaits_roll() && after.in_check(),
            };
            if !check || self.drawn.contains(&after.key()) || !seen.insert(after.key()) {
                return;
            }
            let numbers = if after.decided().is_some() {
                Numbers::PROVEN
            } else if let Some(numbers) = self.known(after, left - 1) {
                numbers
            } else if !has_turn(after) {
                if after.lost_without_turn() {
                    Numbers::PROVEN
                } else {
                    Numbers::DISPROVEN
                }
            } else if left == 1 {
                return;
            } else {
                Numbers {
                    proof: 1 + (after.count_turns() / TURNS_A_PROOF).min(1000) as u32,
                    disproof: 1,
                }
            };
            children.push(Child {
                turn: Turn::from_slice(turn),
                after: *after,
                numbers,
            });
        });
        children
    }

    /// The positions after all turns of the defender, each once; numbers are from his point of view.
    fn answers<G: Chance>(&mut self, position: &G, left: u32) -> Vec<Child<G>> {
        self.positions = self.positions.saturating_sub(1);
        let mut seen = AHashSet::new();
        let mut children = Vec::new();
        for_each_turn(position, &mut |turn, after| {
            if !seen.insert(after.key()) {
                return;
            }
            let numbers = if after.decided().is_some()
                || after.awaits_roll()
                || self.drawn.contains(&after.key())
            {
                Numbers::DISPROVEN
            } else {
                self.known(after, left).unwrap_or(Numbers::UNKNOWN)
            };
            children.push(Child {
                turn: Turn::from_slice(turn),
                after: *after,
                numbers: numbers.turned(),
            });
        });
        children
    }

    /// The line of a mate that was proven, with the longest defence.
    pub(super) fn line<G: Chance>(&mut self, position: &G, turns: u32) -> Vec<Turn<G::Step>> {
        let mut line = Vec::new();
        let mut position = *position;
        for left in (1..=turns).rev() {
            self.positions = self.positions.max(1 << 20);
            let mut checks = self.checks(&position, left);
            let Some(best) = checks.iter_mut().position(|child| {
                if child.numbers.proof > 0 && child.numbers.disproof > 0 {
                    child.numbers = self.defend(&child.after, left - 1, Numbers::ALL);
                }
                child.numbers.proof == 0
            }) else {
                break;
            };
            let child = checks.swap_remove(best);
            line.push(child.turn);
            if left == 1 || child.after.decided().is_some() {
                break;
            }
            let mut answers = self.answers(&child.after, left - 1);
            let Some(answer) = answers
                .iter()
                .position(|answer| !self.proves(&answer.after, left - 2))
                .or_else(|| (!answers.is_empty()).then_some(0))
            else {
                break;
            };
            let answer = answers.swap_remove(answer);
            line.push(answer.turn);
            position = answer.after;
        }
        line
    }
}
