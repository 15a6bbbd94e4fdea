//! Mates at the root: between two iterations a little work goes into looking for them ([`mate`](crate::search::mate)), by checks
//! alone unless a mate is what is asked for, which sees them turns before the iterations do.

use super::driver::Driver;
use super::line::Line;
use super::worker::Searchable;
use crate::eval::MateSearch;
use crate::rules::{Game, Outcome};
use crate::search::mate::{Left, Prover};
use crate::search::policy::Policy;
use crate::search::value::MATE;

/// When a mate is what is asked for, so many positions go into it before the first iteration,
const ASKED_FOR: u64 = 20_000;
/// in games whose turns are single steps, where quiet turns are tried, too, so many,
const ASKED_FOR_STEPS: u64 = 150_000;
/// and one more for so many nodes of the iterations.
const NODES_A_POSITION: u64 = 4;
/// Positions between two looks at the clock,
const PORTION: u64 = 16;
/// where they are small.
const PORTION_STEPS: u64 = 256;
/// The longest mates that are looked for without being asked for.
const LONGEST: u32 = 5;

/// What the search for mates has done so far.
pub struct Mating {
    /// What is tried, the next last.
    plans: Vec<Left>,
    /// Positions that it has been allowed.
    spent: u64,
}

impl<G: Searchable, P: Policy> Driver<'_, G, P> {
    /// How mates are looked for besides, if they are: the whole root, at full strength.
    pub fn mate_search(&self) -> Option<MateSearch> {
        let worker = &self.worker;
        let seeks = P::MATES
            && self.settings.multi_pv <= 1
            && worker.allowed.is_empty()
            && worker.handicap.is_none();
        let thorough = MateSearch {
            nodes_a_position: NODES_A_POSITION,
            shuns_past: G::MATES_BY_CHECKS.is_some_and(|search| search.shuns_past),
        };
        let search = if self.tries_quiet_turns() {
            Some(thorough)
        } else {
            G::MATES_BY_CHECKS
        };
        search.filter(|_| seeks)
    }

    /// Whether a mate is asked for, and turns are single steps, so that quiet ones are not too many.
    const fn tries_quiet_turns(&self) -> bool {
        self.limits.mate.is_some() && G::MAX_STEPS == 1
    }

    /// What is to be tried: mates as long as are asked for, if no draw by a counter can come in between.
    pub fn mating(&self) -> Mating {
        let worker = &self.worker;
        let reversible = self.game.position().reversible_turns(&worker.options);
        let room = (worker.parameters().table_clock as usize).saturating_sub(reversible) / 2;
        let longest = self.limits.mate.unwrap_or(LONGEST).min(room as u32);
        let quiet = if self.tries_quiet_turns() { longest } else { 0 };
        let mut plans: Vec<_> = Left::new(longest, quiet).plans().collect();
        plans.reverse();
        Mating { plans, spent: 0 }
    }

    /// Looks for a mate, as much as is due; if there is one, it becomes the line of the search.
    pub fn find_mate(
        &mut self,
        search: MateSearch,
        prover: &mut Prover<G>,
        mating: &mut Mating,
    ) -> bool {
        let (first, portion) = if self.tries_quiet_turns() {
            (ASKED_FOR_STEPS, PORTION_STEPS)
        } else {
            (self.limits.mate.map_or(0, |_| ASKED_FOR), PORTION)
        };
        let first = self.limits.nodes.map_or(first, |nodes| first.min(nodes));
        let due = first + self.worker.watch.nodes() / search.nodes_a_position;
        while let Some(&plan) = mating.plans.last().filter(|_| mating.spent < due) {
            if mating.spent > 0 && self.worker.watch.check_time() {
                return false;
            }
            mating.spent += portion;
            prover.grant(portion);
            match prover.ask(self.game.position(), plan) {
                Some(true) => return self.adopt_mate(prover, plan, mating.spent),
                Some(false) => {
                    mating.plans.pop();
                }
                None => {}
            }
        }
        false
    }

    /// Makes the line of a mate the search's own, if the game agrees that it ends so. With quiet turns shorter ones have not been
    /// looked for yet: as much work as it took to find this one goes into that.
    fn adopt_mate(&mut self, prover: &mut Prover<G>, found: Left, work: u64) -> bool {
        prover.grant(work);
        let (position, mut shortest) = (self.game.position(), found);
        while let Some(shorter) = shortest.shorter()
            && prover.ask(position, shorter) == Some(true)
        {
            shortest = shorter;
        }
        let turns = shortest.turns;
        let line = prover.line(position, shortest);
        let steps: Vec<_> = line.into_iter().flatten().collect();
        let value = MATE - (2 * turns as i32 - 1);
        if !wins(self.game, &steps) || self.lines.first().is_some_and(|line| line.value >= value) {
            return false;
        }
        self.lines = vec![Line { value, steps }];
        true
    }
}

/// Whether a line ends the game with a win of the side to move.
fn wins<G: Searchable>(game: &Game<G>, steps: &[G::Step]) -> bool {
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
