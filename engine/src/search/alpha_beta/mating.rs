//! Mate search at the root: between two iterations, a limited proof-number search ([`mate`](crate::search::mate)) considers
//! attacks by checks alone, and finds mates several turns before the iterations do.
//!
//! Where a mate in N turns is requested (`go mate`), quiet turns are added step by step until all are tried: the search
//! ends with the shortest mate, or when there is none.

use super::driver::Driver;
use super::line::Line;
use super::worker::Searchable;
use crate::rules::{Game, Outcome, for_each_turn};
use crate::search::control::Control;
use crate::search::mate::{MateBudget, ProofNumberSearch};
use crate::search::pitfalls::Pitfalls;
use crate::search::policy::Policy;
use crate::search::value::{MATE, MATE_BOUND, MAX_PLY};

/// Positions searched for a requested mate before the first iteration, in games with turns of several steps.
const REQUESTED_POSITIONS_MULTI_STEP: u64 = 20_000;
/// Positions searched for a requested mate before the first iteration, in games with turns of one step.
const REQUESTED_POSITIONS: u64 = 150_000;
/// Nodes of the iterations per position of the mate search, in games with turns of one step.
const NODES_PER_POSITION: u64 = 4;
/// Nodes of the iterations per position of the mate search, in games with turns of several steps, where a position has a
/// thousand turns.
const NODES_PER_POSITION_MULTI_STEP: u64 = 50;
/// Positions between limit checks, in games with turns of several steps.
const PORTION_MULTI_STEP: u64 = 16;
/// Positions between limit checks, in games with turns of one step.
const PORTION: u64 = 256;
/// Longest mate, in own turns, that is searched for without a request.
const LONGEST: u32 = 5;
/// In games with turns of several steps, the proof that no shorter mate exists is limited for mates of more turns than
/// this: it would take hours.
const LONGEST_EXHAUSTIVE_PROOF: u32 = 2;
/// Positions spent on a shorter mate after which the mate already found is reported.
const REPORT_AFTER: u64 = 20_000;

/// Progress of the mate search.
pub struct MateSearchState {
    /// Remaining budgets, the next one last.
    budgets: Vec<MateBudget>,
    /// Positions that the search has been allowed.
    spent: u64,
    /// All budgets were exhausted by proof: there is no mate of this kind.
    excluded: bool,
}

impl<G: Searchable, P: Policy> Driver<'_, G, P> {
    /// Nodes of the iterations for each position of the mate search, if one runs beside them: on request, or otherwise on the
    /// unrestricted root at full strength.
    pub fn mate_search(&self) -> Option<u64> {
        if P::EXACT {
            return None;
        }
        if self.limits.mate.is_some() {
            let nodes_per_position = if G::MAX_STEPS == 1 {
                NODES_PER_POSITION
            } else {
                NODES_PER_POSITION_MULTI_STEP
            };
            return Some(nodes_per_position);
        }
        let worker = &self.worker;
        let seeks = self.settings.multi_pv <= 1
            && worker.allowed.is_empty()
            && worker.strength_limit.is_none();
        G::NODES_PER_MATE_POSITION.filter(|_| seeks)
    }

    /// Creates the mate search for the permitted root turns.
    pub fn prover<'p>(
        &self,
        pitfalls: &'p Pitfalls<G>,
        control: &'p Control,
    ) -> ProofNumberSearch<'p, G> {
        let mut prover = ProofNumberSearch::new(0, pitfalls, control);
        let allowed = &self.worker.allowed;
        if !allowed.is_empty() {
            let root = self.game.position();
            let mut after = Vec::new();
            for_each_turn(root, &mut |turn, next| {
                if allowed.iter().any(|begin| turn.starts_with(begin)) {
                    after.push(next.key());
                }
            });
            prover.restrict(root, after.into_iter().collect());
        }
        prover
    }

    /// Initial budgets: mates by checks, and for a requested mate also with an increasing number of quiet turns.
    pub fn mating(&self) -> MateSearchState {
        // No line of the search is longer, whatever number was requested.
        let requested = self.limits.mate.map(|turns| turns.min(MAX_PLY as u32));
        let longest = requested.unwrap_or(LONGEST);
        let quiet = requested.unwrap_or(0);
        let mut budgets: Vec<_> = MateBudget::new(longest, quiet).budgets().collect();
        budgets.reverse();
        MateSearchState {
            budgets,
            spent: 0,
            excluded: false,
        }
    }

    /// Positions between limit checks.
    const fn portion() -> u64 {
        if G::MAX_STEPS == 1 {
            PORTION
        } else {
            PORTION_MULTI_STEP
        }
    }

    /// Continues the mate search for its share of the work. Returns whether it found a mate, which then becomes the
    /// search's line.
    pub fn find_mate(
        &mut self,
        nodes_per_position: u64,
        prover: &mut ProofNumberSearch<G>,
        mating: &mut MateSearchState,
    ) -> bool {
        if self.settings.multi_pv > 1 && self.lines.is_empty() {
            // In multi-PV search the other lines are needed too.
            return false;
        }
        let first = match self.limits.mate {
            None => 0,
            Some(_) if G::MAX_STEPS == 1 => REQUESTED_POSITIONS,
            Some(_) => REQUESTED_POSITIONS_MULTI_STEP,
        };
        let first = self.limits.nodes.map_or(first, |nodes| first.min(nodes));
        let due = first + self.worker.clock.nodes() / nodes_per_position;
        while let Some(&plan) = mating.budgets.last().filter(|_| mating.spent < due) {
            if mating.spent > 0 && self.worker.clock.check_time() {
                return false;
            }
            mating.spent += Self::portion();
            prover.grant(Self::portion());
            match prover.ask(self.game.position(), plan) {
                Some(true) => {
                    if !self.adopt_mate(prover, plan) {
                        return false;
                    }
                    if self.limits.mate.is_some() {
                        self.shorten_mate(prover, plan.turns, mating.spent);
                    }
                    return true;
                }
                Some(false) => {
                    mating.budgets.pop();
                    mating.excluded = mating.budgets.is_empty();
                }
                None => {}
            }
        }
        false
    }

    /// Whether a requested mate is decided after an iteration: the shortest mate that can be established was found, or
    /// there is none.
    pub fn has_settled_mate(
        &mut self,
        search: Option<u64>,
        prover: &mut ProofNumberSearch<G>,
        mating: &mut MateSearchState,
    ) -> bool {
        let Some(requested) = self.limits.mate else {
            return false;
        };
        let value = self.lines[0].value;
        // 1, 3, 5 turns of both sides are a mate in 1, 2, 3.
        let turns = ((MATE - value) as u32).div_ceil(2);
        if value < MATE_BOUND || turns > requested {
            return search.is_some() && mating.excluded;
        }
        if search.is_some() && self.shorten_mate(prover, turns, mating.spent) {
            self.report_lines();
        }
        true
    }

    /// Searches for a mate shorter than `turns`, the shortest first; returns whether there is one. In games with turns of
    /// several steps at most `work` positions are spent on mates of more than [`LONGEST_EXHAUSTIVE_PROOF`] turns.
    fn shorten_mate(&mut self, prover: &mut ProofNumberSearch<G>, turns: u32, work: u64) -> bool {
        let position = *self.game.position();
        let mut spent = 0;
        for shorter in 1..turns {
            let plan = MateBudget::any(shorter);
            let bounded = G::MAX_STEPS > 1 && shorter > LONGEST_EXHAUSTIVE_PROOF;
            loop {
                let too_much = |most| spent >= most;
                if self.worker.clock.check_time()
                    || bounded && too_much(work)
                    || self.limits.nodes.is_some_and(too_much)
                {
                    return false;
                }
                prover.grant(Self::portion());
                match prover.ask(&position, plan) {
                    Some(true) => return self.adopt_mate(prover, plan),
                    Some(false) => break,
                    None => spent += Self::portion(),
                }
                if (REPORT_AFTER..REPORT_AFTER + Self::portion()).contains(&spent) {
                    self.report_lines();
                }
            }
        }
        false
    }

    /// Makes the line of a mate the search's best line, if it ends the game by its rules. Returns whether it does.
    fn adopt_mate(&mut self, prover: &mut ProofNumberSearch<G>, found: MateBudget) -> bool {
        let line = prover.line(self.game.position(), found);
        let steps: Vec<_> = line.into_iter().flatten().collect();
        let value = MATE - (2 * found.turns as i32 - 1);
        if !wins(self.game, &steps) || self.lines.first().is_some_and(|line| line.value >= value) {
            return false;
        }
        let line = Line {
            proven: true,
            ..Line::exact(value, self.worker.iteration.max(1), steps)
        };
        let key = self.key_after_turn(&line);
        let mut lines = vec![line];
        let others = std::mem::take(&mut self.lines).into_iter();
        lines.extend(others.filter(|other| self.key_after_turn(other) != key));
        lines.truncate(self.settings.multi_pv.max(1));
        self.lines = lines;
        true
    }
}

/// Whether a line ends the game with a win for the side to move.
pub fn wins<G: Searchable>(game: &Game<G>, steps: &[G::Step]) -> bool {
    let winner = game.position().side_to_move();
    let mut game = game.clone();
    for &step in steps {
        if game.outcome().is_some() {
            return false;
        }
        game.play(step);
    }
    matches!(game.outcome(), Some(Outcome::Win(color, _)) if color == winner)
}
