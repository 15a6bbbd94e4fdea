//! Mates at the root: between two iterations a little work goes into looking for them ([`mate`](crate::search::mate)), by checks
//! alone unless a mate is what is asked for, which sees them turns before the iterations do.
//!
//! Where a mate in N turns is asked for, quiet turns are tried as well, in the end all of them: the search ends with the shortest
//! mate, or when there is none.

use super::driver::Driver;
use super::line::Line;
use super::worker::Searchable;
use crate::eval::MateSearch;
use crate::rules::{Game, Outcome, for_each_turn};
use crate::search::control::Control;
use crate::search::mate::{MateBudget, ProofNumberSearch};
use crate::search::pitfalls::Pitfalls;
use crate::search::policy::Policy;
use crate::search::value::{MATE, MATE_BOUND, MAX_PLY};

/// When a mate is what is asked for, this many positions go into it before the first iteration,
const ASKED_FOR: u64 = 20_000;
/// in games whose turns are single steps this many,
const ASKED_FOR_STEPS: u64 = 150_000;
/// and one more for this many nodes of the iterations,
const NODES_A_POSITION_STEPS: u64 = 4;
/// where turns are several steps, and positions have a thousand of them, for this many.
const NODES_A_POSITION: u64 = 50;
/// Positions between two looks at the clock,
const PORTION: u64 = 16;
/// where they are small.
const PORTION_STEPS: u64 = 256;
/// The longest mates that are looked for without being asked for.
const LONGEST: u32 = 5;
/// Where turns are several steps, shorter mates of more turns than this are not looked for to the end: it would take hours.
const EXCLUDED: u32 = 2;
/// After this many positions of looking for a shorter mate the one that was found is reported.
const REPORT_AFTER: u64 = 20_000;

/// What the search for mates has done so far.
pub struct MateSearchState {
    /// What is tried, the next last.
    budgets: Vec<MateBudget>,
    /// Positions that it has been allowed.
    spent: u64,
    /// All plans have failed: there is no mate of this kind.
    excluded: bool,
}

impl<G: Searchable, P: Policy> Driver<'_, G, P> {
    /// How mates are looked for besides, if they are: where one is asked for, or else for the whole root, at full strength.
    pub fn mate_search(&self) -> Option<MateSearch> {
        if !P::MATES {
            return None;
        }
        if self.limits.mate.is_some() {
            let nodes_a_position = if G::MAX_STEPS == 1 {
                NODES_A_POSITION_STEPS
            } else {
                NODES_A_POSITION
            };
            return Some(MateSearch { nodes_a_position });
        }
        let worker = &self.worker;
        let seeks = self.settings.multi_pv <= 1
            && worker.allowed.is_empty()
            && worker.strength_limit.is_none();
        G::MATES_BY_CHECKS.filter(|_| seeks)
    }

    /// What looks for mates, by the turns that the root may begin with.
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

    /// What is to be tried: mates by checks, and where one is asked for with ever more quiet turns.
    pub fn mating(&self) -> MateSearchState {
        // No line of the search is longer, whatever was asked for.
        let asked = self.limits.mate.map(|turns| turns.min(MAX_PLY as u32));
        let longest = asked.unwrap_or(LONGEST);
        let quiet = asked.unwrap_or(0);
        let mut budgets: Vec<_> = MateBudget::new(longest, quiet).budgets().collect();
        budgets.reverse();
        MateSearchState {
            budgets,
            spent: 0,
            excluded: false,
        }
    }

    /// Positions between two looks at the clock.
    const fn portion() -> u64 {
        if G::MAX_STEPS == 1 {
            PORTION_STEPS
        } else {
            PORTION
        }
    }

    /// Looks for a mate, as much as is due; if there is one, it becomes the line of the search.
    pub fn find_mate(
        &mut self,
        search: MateSearch,
        prover: &mut ProofNumberSearch<G>,
        mating: &mut MateSearchState,
    ) -> bool {
        if self.settings.multi_pv > 1 && self.lines.is_empty() {
            // The other lines are wanted, too.
            return false;
        }
        let first = match self.limits.mate {
            None => 0,
            Some(_) if G::MAX_STEPS == 1 => ASKED_FOR_STEPS,
            Some(_) => ASKED_FOR,
        };
        let first = self.limits.nodes.map_or(first, |nodes| first.min(nodes));
        let due = first + self.worker.clock.nodes() / search.nodes_a_position;
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

    /// Whether the question for a mate is answered after an iteration: there is one, the shortest as far as can be told, or none.
    pub fn has_settled_mate(
        &mut self,
        search: Option<MateSearch>,
        prover: &mut ProofNumberSearch<G>,
        mating: &mut MateSearchState,
    ) -> bool {
        let Some(asked) = self.limits.mate else {
            return false;
        };
        let value = self.lines[0].value;
        // 1, 3, 5 turns of both sides are a mate in 1, 2, 3.
        let turns = ((MATE - value) as u32).div_ceil(2);
        if value < MATE_BOUND || turns > asked {
            return search.is_some() && mating.excluded;
        }
        if search.is_some() && self.shorten_mate(prover, turns, mating.spent) {
            self.report_lines();
        }
        true
    }

    /// Looks for a shorter mate than one in this many turns, the shortest first; whether there is one. Where turns are several steps
    /// no more than `work` positions go into mates of more than [`EXCLUDED`] turns.
    fn shorten_mate(&mut self, prover: &mut ProofNumberSearch<G>, turns: u32, work: u64) -> bool {
        let position = *self.game.position();
        let mut spent = 0;
        for shorter in 1..turns {
            let plan = MateBudget::any(shorter);
            let bounded = G::MAX_STEPS > 1 && shorter > EXCLUDED;
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

    /// Makes the line of a mate the search's best, if the game agrees that it ends so.
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

/// Whether a line ends the game with a win of the side to move.
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
