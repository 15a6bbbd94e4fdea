//! Mates by checks at the root: between two iterations a little work goes into looking for them
//! ([`mate`](crate::search::mate)), which sees them turns before the iterations do.

use super::driver::Driver;
use super::line::Line;
use super::worker::Searchable;
use crate::eval::MateSearch;
use crate::rules::{Game, Outcome};
use crate::search::mate::Prover;
use crate::search::policy::Policy;
use crate::search::value::MATE;

/// When a mate is what is asked for, so many positions go into checks before the first iteration.
const ASKED_FOR: u64 = 20_000;
/// Positions between two looks at the clock.
const PORTION: u64 = 16;
/// The longest mates that are looked for without being asked for.
const LONGEST: u32 = 5;

/// What the search for mates has done so far.
pub struct Mating {
    /// The number of turns that is being tried.
    turns: u32,
    /// Positions that it has been allowed.
    spent: u64,
}

impl Mating {
    pub const fn new() -> Self {
        Self { turns: 1, spent: 0 }
    }
}

impl<G: Searchable, P: Policy> Driver<'_, G, P> {
    /// How mates by checks are looked for, if they are: the whole root, at full strength, and no draw by a counter is near.
    pub fn mate_search(&self) -> Option<MateSearch> {
        let worker = &self.worker;
        let seeks = P::MATES
            && self.settings.multi_pv <= 1
            && worker.allowed.is_empty()
            && worker.handicap.is_none()
            && worker.may_trust_table(self.game.position());
        G::MATES_BY_CHECKS.filter(|_| seeks)
    }

    /// Looks for a mate, as much as is due; if there is one, it becomes the line of the search.
    pub fn find_mate(
        &mut self,
        search: MateSearch,
        prover: &mut Prover,
        mating: &mut Mating,
    ) -> bool {
        let asked_for = self.limits.mate.map_or(0, |_| ASKED_FOR);
        let due = asked_for + self.worker.watch.nodes() / search.nodes_a_position;
        let longest = self.limits.mate.unwrap_or(LONGEST);
        while mating.spent < due && mating.turns <= longest {
            if mating.spent > 0 && self.worker.watch.check_time() {
                return false;
            }
            mating.spent += PORTION;
            prover.grant(PORTION);
            match prover.ask(self.game.position(), mating.turns) {
                Some(true) => return self.adopt_mate(prover, mating.turns),
                Some(false) => mating.turns += 1,
                None => {}
            }
        }
        false
    }

    /// Makes the line of a mate the search's own, if the game agrees that it ends so.
    fn adopt_mate(&mut self, prover: &mut Prover, turns: u32) -> bool {
        let line = prover.line(self.game.position(), turns);
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
