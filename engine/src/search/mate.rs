//! Forced mates by checks, or by checks and a few quiet turns: depth-first proof-number search (df-pn) within a budget.
//!
//! The attacker gives check with every turn except a limited number, and all replies of the defender are considered. A mate
//! that is found is certain; a failure shows only that there is no mate of this kind in this number of turns, or that the
//! budget was too small. Source: A. Nagai, "Df-pn algorithm for searching AND/OR trees and its applications", 2002. Here
//! the number of turns left is part of the node, so that the tree has no cycles.

use super::control::Control;
use super::killers::{Killers, after_turn};
use super::pitfalls::Pitfalls;
use crate::rules::{Chance, Draws, Rules, Turn, for_each_turn, try_each_turn};
use ahash::{AHashMap, AHashSet};
use std::ops::ControlFlow;

/// A forced mate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Mate<S> {
    /// Maximum number of the attacker's turns to the mate: 1 if the first turn mates.
    pub turns: u32,
    /// The attacker's turns and the defender's replies up to the mate; each reply is one of the longest defences.
    pub line: Vec<Turn<S>>,
}

/// Budget of a mate search.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Effort {
    /// Maximum number of the attacker's turns.
    pub turns: u32,
    /// Number of these that need not give check.
    pub quiet: u32,
    /// Maximum number of positions whose turns are generated.
    pub positions: u64,
}

/// Proof and disproof numbers: lower bounds of the number of positions needed to prove and to disprove a node.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// Greater than any sum of proof numbers.
const INFINITE: u32 = 1 << 30;
/// Maximum number of stored nodes; beyond it, those with the least work are dropped.
const MEMORY: usize = 1 << 20;

/// Factor on the initial proof number of a defender's position after a quiet turn.
const QUIET: u32 = 3;

/// Remaining turns of the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) struct MateBudget {
    /// The attacker's turns, including the next one if the attacker is to move.
    pub turns: u32,
    /// Number of them that need not give check; the last one always mates.
    quiet: u32,
}

impl MateBudget {
    pub(super) fn new(turns: u32, quiet: u32) -> Self {
        let quiet = quiet.min(turns.saturating_sub(1));
        Self { turns, quiet }
    }

    /// Budgets in search order, up to this one.
    pub(super) fn budgets(self) -> impl Iterator<Item = Self> {
        let checks = (1..=self.turns).map(|turns| Self::new(turns, 0));
        checks.chain((1..=self.quiet).map(move |quiet| Self::new(self.turns, quiet)))
    }

    /// A budget of `turns` turns without any that must give check. A mate that it excludes does not exist.
    pub(super) fn any(turns: u32) -> Self {
        Self::new(turns, turns)
    }

    /// The budget after a turn; `None` if the turn was quiet but had to give check.
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
    /// Without limits.
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

    /// The numbers from the other side's point of view.
    const fn turned(self) -> Self {
        Self {
            proof: self.disproof,
            disproof: self.proof,
        }
    }
}

/// Searches for a forced mate: by checks alone, the shortest first, then with one quiet turn, with two and so on. The
/// search is complete if all turns but the last may be quiet. `drawn` are keys of positions that end the game as drawn,
/// because they occurred twice before. Draws by counters of quiet turns are not considered.
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

/// Initial proof number of an unvisited position of the defender with `turns` turns. Where turns have several steps they
/// are numerous and similar, and count for less.
fn unseen<G: Rules>(turns: u64) -> u32 {
    let alike = if G::MAX_STEPS > 1 { 8 } else { 1 };
    1 + (turns / alike).min(1000) as u32
}

/// Limit for the search of the best child: a quarter above the second best, so that the search does not alternate between
/// the two (the 1 + epsilon trick of J. Pawlewicz and L. Lew, "Improving depth-first PN-search", 2007).
const fn loosened(second: u32) -> u32 {
    second + second / 4 + 1
}

/// Returns the numbers of a node: the least proof number of its children and the sum of their disproof numbers, all for the side to
/// move at the node. Also returns the index of the child to search next, and the least proof number among the other children.
fn combined<G: Rules>(children: &[Child<G>]) -> (Numbers, usize, u32) {
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
        // However large, a sum must stay below the number that means a proof.
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

/// State of a mate search.
pub(super) struct ProofNumberSearch<'a, G: Rules> {
    memory: AHashMap<(u64, MateBudget), Numbers>,
    /// Killer turns by the attacker's turns left: the attacker's that mated at once, and the defender's that stopped a
    /// mate. A turn that mates after one reply often mates after others, and a reply to one check often answers others.
    mating: Killers<G::Step>,
    stopping: Killers<G::Step>,
    /// Number of positions that may still be searched.
    positions: u64,
    pitfalls: &'a Pitfalls<G>,
    /// Key of the position whose turns are restricted, and the keys of the positions after the permitted turns.
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

    /// Restricts the attacker's turns in the position `root` to those that lead to positions with these keys.
    pub(super) fn restrict(&mut self, root: &G, after: AHashSet<u64>) {
        self.restricted = Some((root.key(), after));
    }

    /// Whether the attacker may play the turn that leads from `position` to `after`.
    fn may_play(&self, position: &G, after: &G) -> bool {
        (self.restricted.as_ref())
            .is_none_or(|(root, allowed)| *root != position.key() || allowed.contains(&after.key()))
    }

    /// Sets the number of positions that may be searched from now on.
    pub(super) const fn grant(&mut self, positions: u64) {
        self.positions = positions;
    }

    /// Whether the attacker, to move, mates within the budget; `None` if the positions are used up before that is decided.
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

    /// Whether the attacker, to move, is proven to mate within the budget.
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
            // A mate remains a mate with more quiet turns allowed.
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

    /// Drops the stored nodes with the least work.
    #[cold]
    fn forget(&mut self) {
        let mut turns = 1;
        while self.memory.len() > MEMORY / 2 {
            self.memory.retain(|(_, left), _| left.turns > turns);
            turns += 1;
        }
    }

    /// Searches a position with the attacker to move until one of the numbers reaches its limit.
    fn attack(&mut self, position: &G, left: MateBudget, limits: Numbers) -> Numbers {
        let limits = if G::MAX_STEPS == 1 && left.turns == 2 {
            // Returning to this node later would cost more than finishing it now.
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
            let (numbers, best, second) = combined(&children);
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

    /// Searches a position with the defender to move until one of the numbers reaches its limit.
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
            let (numbers, best, second) = combined(&children);
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

    /// Whether the attacker, to move, has a mating turn.
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

    /// Whether the defender, to move, has replies and each allows a mate in one.
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

    /// The positions after the attacker's permitted turns, each once.
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
            // Checkmate takes precedence over a draw by the same turn.
            if !self.may_play(position, after) || self.pitfalls.draws(after) && !is_lost(after) {
                return;
            }
            let numbers = if after.winner().is_some() {
                Numbers::PROVEN
            } else if rest.turns == 0 {
                if after.has_turn() || !after.lost_without_turn() {
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

    /// The positions after all turns of the defender, each once, with numbers from the defender's point of view.
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

    /// The line of a proven mate, with the longest defence.
    pub(super) fn line(&mut self, position: &G, mut left: MateBudget) -> Vec<Turn<G::Step>> {
        let mut line = Vec::new();
        let mut position = *position;
        while left.turns > 0 {
            self.positions = self.positions.max(1 << 20);
            let mut attacks = self.attacks(&position, left);
            let proven = |child: &Child<G>| child.numbers.proof == 0;
            // Other turns are searched only if the proven one has been dropped from memory.
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
            // If no defence is that long, the mate is nearer: reduce the budget, so that the line loses no turns and does
            // not cycle.
            while left.turns > 1
                && self.proves(&position, MateBudget::new(left.turns - 1, left.quiet))
            {
                left = MateBudget::new(left.turns - 1, left.quiet);
            }
        }
        line
    }
}

/// Whether some turn wins the game.
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

/// Whether the side to move has lost. Called after every turn: most are decided by the test that they give no check.
pub(super) fn is_lost<G: Chance>(position: &G) -> bool {
    (position.winner().is_some() || !position.awaits_roll() && position.in_check())
        && over(position) == Some(true)
}

/// Whether the side to move has lost; `None` if the game is not over.
pub(super) fn over<G: Chance>(position: &G) -> Option<bool> {
    if let Some(winner) = position.winner() {
        return Some(winner != position.side_to_move());
    }
    if position.awaits_roll() {
        return Some(false);
    }
    (!position.has_turn()).then(|| position.lost_without_turn())
}
