//! Move ordering: the step of the table (or of the previous iteration), winning captures, killers, other quiet steps by
//! history, losing captures (<https://www.chessprogramming.org/Move_Ordering>).
//!
//! The steps of all nodes on the current line share one stack; a [`Picker`] is a range of it.

use super::history::History;
use super::tt_move::tt_move_of;
use super::worker::{NodeContext, Searchable, Worker};
use crate::core::{Bitboard, StepList};
use crate::eval::ThreatHistory;
use crate::search::policy::Policy;
use arrayvec::ArrayVec;
use std::ops::Range;

/// Ordering scores. History scores stay below those of killers, and losing captures come below all quiet steps.
pub const KNOWN_BEST: i32 = 2 * GOOD_NOISY;
const GOOD_NOISY: i32 = 1_000_000;
const KILLER: i32 = 900_000;

/// The untried steps of a node: a range of the worker's stack.
pub struct Picker {
    base: usize,
    next: usize,
    end: usize,
    /// The next step is the table's, or that of the previous iteration.
    known_best: bool,
    scored: Scored,
    /// The quiet steps have not been generated yet.
    quiet_pending: bool,
    /// Only the table's step has been listed; the others have not been generated yet.
    only_tt_move: bool,
    /// Steps were left out because their turns have been searched in another order.
    pub incomplete: bool,
    /// Quiet steps were left out, all but checks.
    pub skipped_quiet: bool,
    /// The squares that the other side attacks, once the quiet steps have been scored.
    pub threats: Option<Bitboard>,
}

/// Which steps of a node have their scores. Most nodes end before the quiet steps are needed.
#[derive(Clone, Copy)]
enum Scored {
    None,
    /// The noisy steps, which lie before this index of the stack; the quiet ones follow.
    Noisy(usize),
    All,
}

/// The next step to search.
pub struct Picked<S> {
    pub step: S,
    /// Ordering score: for a quiet step that is no killer its history, for a losing capture below 0.
    pub score: i32,
    /// Whether it neither captures nor promotes.
    pub quiet: bool,
    /// Whether it is quiet and known to give check.
    pub quiet_check: bool,
}

impl Picker {
    /// Whether the other side cannot take the piece that a quiet step moves; `false` if it is not known.
    #[inline(always)]
    pub fn is_safe<G: Searchable>(&self, position: &G, step: G::Step) -> bool {
        self.threats
            .is_some_and(|threats| is_beyond_reach::<G>(position.threat_index(threats, step)))
    }
}

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// Lists the steps of a position on the stack, with the table's step first. Where the quiet ones `may_wait` they are generated when
    /// they are reached, unless the table's step must be found among them.
    pub fn list_steps(
        &mut self,
        position: &G,
        tt_move: u16,
        context: NodeContext,
        may_wait: bool,
    ) -> Picker {
        let NodeContext { ply, height, .. } = context;
        if tt_move != 0
            && (ply > 0 || self.previous_pv.is_empty())
            && let Some(step) = position.resolve_tt_move(tt_move)
        {
            // Most nodes are cut by this step: the others are generated when they are reached.
            let base = self.steps.len();
            self.prefetch(position, step);
            self.steps.push((0, step));
            return Picker {
                known_best: true,
                quiet_pending: may_wait && G::QUIET_APART,
                only_tt_move: true,
                ..self.listed_from(base, Scored::None)
            };
        }
        let quiet_pending = may_wait && tt_move == 0;
        let mut list = StepList::new();
        list_first(position, quiet_pending, &mut list);
        let incomplete = self.drop_sleeping(position, context, &mut list);
        let previous_pv = self
            .previous_pv
            .get(height)
            .filter(|_| ply == 0 && self.is_on(&self.previous_pv[..height]));
        let first = match previous_pv {
            Some(previous_pv) => list.iter().position(|step| step == previous_pv),
            None if tt_move != 0 => list
                .iter()
                .position(|&step| tt_move_of::<G>(step) == tt_move),
            None => None,
        };
        if let Some(first) = first {
            self.prefetch(position, list[first]);
        }
        let base = self.steps.len();
        self.push_moves(&list, first);
        Picker {
            known_best: first.is_some(),
            quiet_pending,
            incomplete,
            ..self.listed_from(base, Scored::None)
        }
    }

    /// Returns the next step of a node. At the first quiet step, `skips_quiet` decides whether to skip the quiet steps
    /// that give no check.
    #[inline(always)]
    pub fn next_step(
        &mut self,
        picker: &mut Picker,
        position: &G,
        checks: &G::Checks,
        height: usize,
        skips_quiet: impl Fn(&Self) -> bool,
    ) -> Option<Picked<G::Step>> {
        loop {
            let known_best = picker.known_best;
            let (score, step) = if known_best {
                (KNOWN_BEST, self.steps[picker.next].1)
            } else {
                self.list_others(picker, position);
                let end = match picker.scored {
                    Scored::None => self.score_noisy_steps(picker, position),
                    Scored::Noisy(end) => end,
                    Scored::All => picker.end,
                };
                let picked = pick(&mut self.steps[picker.next..end]);
                if picked.is_none_or(|picked| picked.0 < 0)
                    && self.start_quiet_stage(picker, position, checks, height, &skips_quiet)
                {
                    continue;
                }
                let picked = picked?;
                self.prefetch(position, picked.1);
                picked
            };
            let quiet = !position.is_noisy(step);
            if !quiet && !known_best && score > 0 && !position.wins_exchange(step, 0) {
                // A losing capture is tried after the quiet steps.
                self.steps[picker.next].0 = score - 2 * GOOD_NOISY;
                continue;
            }
            picker.known_best = false;
            picker.next += 1;
            return Some(Picked {
                step,
                score,
                quiet,
                quiet_check: quiet && position.gives_check(checks, step),
            });
        }
    }

    /// Starts the stage of quiet steps after the winning captures: generates and scores them, or skips them. Returns
    /// `false` if it had started already.
    #[inline(always)]
    fn start_quiet_stage(
        &mut self,
        picker: &mut Picker,
        position: &G,
        checks: &G::Checks,
        height: usize,
        skips_quiet: impl Fn(&Self) -> bool,
    ) -> bool {
        let Scored::Noisy(quiet) = picker.scored else {
            return false;
        };
        if skips_quiet(self) {
            self.skip_quiet(picker, position, checks);
        } else if picker.quiet_pending {
            self.list_quiet(picker, position);
        }
        if quiet < picker.end {
            let threats = position.threats();
            picker.threats = Some(threats);
            self.score_quiet_steps(position, quiet..picker.end, threats, height);
        }
        picker.scored = Scored::All;
        true
    }

    /// Generates the steps other than the table's, if that was deferred.
    #[inline(always)]
    fn list_others(&mut self, picker: &mut Picker, position: &G) {
        if !picker.only_tt_move {
            return;
        }
        picker.only_tt_move = false;
        let mut list = StepList::new();
        list_first(position, picker.quiet_pending, &mut list);
        self.push_others(picker, &list);
    }

    /// Pushes unscored steps other than the first one of the node, which is the table's if that had one.
    #[inline(always)]
    fn push_others(&mut self, picker: &mut Picker, list: &StepList<G::Step>) {
        let known = self.steps.get(picker.base).map(|known| known.1);
        let others = list.iter().filter(|&&step| Some(step) != known);
        self.steps.extend(others.map(|&step| (0, step)));
        picker.end = self.steps.len();
    }

    /// Pushes unscored steps onto the stack, the one at index `first` before all others.
    #[inline(always)]
    fn push_moves(&mut self, list: &StepList<G::Step>, first: Option<usize>) {
        let base = self.steps.len();
        self.steps.extend(list.iter().map(|&step| (0, step)));
        if let Some(first) = first {
            self.steps.swap(base, base + first);
        }
    }

    /// Generates the quiet steps onto the stack.
    #[inline(always)]
    fn list_quiet(&mut self, picker: &mut Picker, position: &G) {
        picker.quiet_pending = false;
        let mut list = StepList::new();
        position.generate_quiet(&mut list);
        self.push_others(picker, &list);
    }

    /// The step of the table or of the previous iteration, until it has been tried.
    pub fn known_best(&self, picker: &Picker) -> Option<G::Step> {
        picker.known_best.then(|| self.steps[picker.next].1)
    }

    /// Scores the noisy steps of a node and moves them before the quiet ones; returns the stack index of the first quiet
    /// step.
    fn score_noisy_steps(&mut self, picker: &mut Picker, position: &G) -> usize {
        let weight = self.parameters().capture_weight;
        let mut quiet = picker.next;
        for i in picker.next..picker.end {
            let step = self.steps[i].1;
            if position.is_noisy(step) {
                let rate = score_noisy(&self.history, weight, position, step);
                self.steps[i].0 = GOOD_NOISY + rate;
                self.steps.swap(i, quiet);
                quiet += 1;
            }
        }
        picker.scored = Scored::Noisy(quiet);
        quiet
    }

    /// Scores the quiet steps in a range of the stack.
    fn score_quiet_steps(
        &mut self,
        position: &G,
        steps: Range<usize>,
        threats: Bitboard,
        height: usize,
    ) {
        let scores = self.history.after(position.side_to_move(), &self.moved);
        let killers = self.killers[height];
        for (score, step) in &mut self.steps[steps] {
            *score = if killers[0] == Some(*step) {
                KILLER + 1
            } else if killers[1] == Some(*step) {
                KILLER
            } else {
                scores.of(
                    position.history_index(*step),
                    position.threat_index(threats, *step),
                )
            };
        }
    }

    /// Drops the untried quiet steps that are not known to give check.
    pub fn skip_quiet(&mut self, picker: &mut Picker, position: &G, checks: &G::Checks) {
        picker.skipped_quiet = true;
        self.list_others(picker, position);
        if picker.quiet_pending {
            picker.quiet_pending = false;
            if G::QUIET_APART {
                let mut list = StepList::new();
                position.generate_quiet_checks(checks, &mut list);
                self.push_others(picker, &list);
            }
            return;
        }
        let first = match picker.scored {
            Scored::Noisy(quiet) => quiet,
            _ => picker.next,
        };
        let mut end = first;
        for i in first..picker.end {
            let step = self.steps[i].1;
            if position.is_noisy(step) || position.gives_check(checks, step) {
                self.steps.swap(i, end);
                end += 1;
            }
        }
        picker.end = end;
    }

    /// Removes the steps of a node from the stack.
    #[inline(always)]
    pub fn drop_steps(&mut self, picker: &Picker) {
        self.steps.truncate(picker.base);
    }

    /// Lists the steps of a quiescence node: all steps in check (`evade`), otherwise the noisy ones.
    pub fn list_noisy(&mut self, position: &G, evade: bool, tt_move: u16) -> Picker {
        let mut list = StepList::new();
        if evade {
            position.generate_pseudo_legal(&mut list);
        } else {
            position.generate_noisy(&mut list);
        }
        let scores = self.history.after(position.side_to_move(), &self.moved);
        let threats = if evade {
            position.threats()
        } else {
            Bitboard::EMPTY
        };
        let weight = self.parameters().capture_weight;
        let base = self.steps.len();
        for step in list {
            let score = if tt_move != 0 && tt_move_of::<G>(step) == tt_move {
                i32::MAX
            } else if !evade || position.is_noisy(step) {
                score_noisy(&self.history, weight, position, step) + GOOD_NOISY
            } else {
                scores.of(
                    position.history_index(step),
                    position.threat_index(threats, step),
                )
            };
            self.steps.push((score, step));
        }
        self.listed_from(base, Scored::All)
    }

    /// Lists the quiet steps that give check without losing a piece.
    pub fn list_quiet_checks(&mut self, position: &G, checks: &G::Checks) -> Picker {
        let mut list = StepList::new();
        position.generate_quiet_checks(checks, &mut list);
        let scores = self.history.after(position.side_to_move(), &self.moved);
        let base = self.steps.len();
        let threats = if list.is_empty() {
            Bitboard::EMPTY
        } else {
            position.threats()
        };
        for step in list {
            let threat_index = position.threat_index(threats, step);
            if is_beyond_reach::<G>(threat_index) || position.wins_exchange(step, 0) {
                let rate = scores.of(position.history_index(step), threat_index);
                self.steps.push((rate, step));
            }
        }
        self.listed_from(base, Scored::All)
    }

    /// Lists the noisy steps of `list`.
    pub fn list_noisy_of(&mut self, position: &G, list: StepList<G::Step>) -> Picker {
        let base = self.steps.len();
        for step in list {
            if position.is_noisy(step) {
                self.steps.push((position.gain(step), step));
            }
        }
        self.listed_from(base, Scored::All)
    }

    /// The steps of the stack from `base` on.
    #[inline(always)]
    const fn listed_from(&self, base: usize, scored: Scored) -> Picker {
        Picker {
            base,
            next: base,
            end: self.steps.len(),
            known_best: false,
            scored,
            quiet_pending: false,
            only_tt_move: false,
            incomplete: false,
            skipped_quiet: false,
            threats: None,
        }
    }

    /// Returns the next step of a quiescence node. Losing captures are not deferred here: the caller skips them.
    #[inline(always)]
    pub fn next_noisy(&mut self, picker: &mut Picker) -> Option<G::Step> {
        let (_, step) = pick(&mut self.steps[picker.next..picker.end])?;
        picker.next += 1;
        Some(step)
    }

    /// Updates killers and histories after a cutoff: rewards the step that caused it and penalises those searched before. `threats`
    /// are those of the position, if they are known.
    pub fn update_histories(
        &mut self,
        position: &G,
        refutation: &Picked<G::Step>,
        depth: i32,
        height: usize,
        searched: &Searched<G::Step>,
        threats: Option<Bitboard>,
    ) {
        let side = position.side_to_move();
        let parameters = self.parameters();
        let bonus = (depth * depth * parameters.history_bonus).min(parameters.history_bonus_most);
        let step = refutation.step;
        if refutation.quiet {
            let killers = &mut self.killers[height];
            if killers[0] != Some(step) {
                *killers = [Some(step), killers[0]];
            }
            let threats = threats.unwrap_or_else(|| position.threats());
            let (history_index, threat_index) = (
                position.history_index(step),
                position.threat_index(threats, step),
            );
            self.history
                .add(side, history_index, threat_index, &self.moved, bonus);
            for &step in &searched.quiet {
                let (history_index, threat_index) = (
                    position.history_index(step),
                    position.threat_index(threats, step),
                );
                self.history
                    .add(side, history_index, threat_index, &self.moved, -bonus);
            }
        } else {
            let (history_index, captured) = (position.history_index(step), position.captured(step));
            self.history
                .add_capture(side, history_index, captured, bonus);
        }
        for &(history_index, captured) in &searched.noisy {
            self.history
                .add_capture(side, history_index as usize, captured as usize, -bonus);
        }
    }
}

/// Whether a quiet step with this threat index cannot lose anything by exchange: it neither leaves nor reaches an attacked square. (A
/// slider that reaches its new square only because it has left the old one attacks the old one.)
#[inline(always)]
pub const fn is_beyond_reach<G: ThreatHistory>(threat_index: usize) -> bool {
    G::THREAT_INDICES > 1 && threat_index == 0
}

/// Appends the steps of a node that are listed first: all, or without the quiet ones, which follow when they are reached.
#[inline(always)]
fn list_first<G: Searchable>(position: &G, quiet_later: bool, steps: &mut StepList<G::Step>) {
    if quiet_later {
        position.generate_noisy(steps);
    } else {
        position.generate_pseudo_legal(steps);
    }
}

/// The searched steps of a node that caused no cutoff, up to a fixed number of them.
#[derive(Default)]
pub struct Searched<S> {
    quiet: ArrayVec<S, 64>,
    /// History index and captured piece.
    noisy: ArrayVec<(u32, u32), 32>,
}

impl<S: Copy> Searched<S> {
    /// Adds a step.
    #[inline(always)]
    pub fn push<G: Searchable<Step = S>>(&mut self, position: &G, picked: &Picked<S>) {
        if !picked.quiet {
            if !self.noisy.is_full() {
                let history_index = position.history_index(picked.step) as u32;
                self.noisy
                    .push((history_index, position.captured(picked.step) as u32));
            }
        } else if !self.quiet.is_full() {
            self.quiet.push(picked.step);
        }
    }
}

/// Ordering score of a noisy step: the value it wins, plus capture history.
#[inline(always)]
fn score_noisy<G: Searchable>(
    history: &History<G>,
    weight: i32,
    position: &G,
    step: G::Step,
) -> i32 {
    let side = position.side_to_move();
    let rate = history.capture(side, position.history_index(step), position.captured(step));
    position.gain(step) + rate * weight / 102_400
}

/// Swaps the step with the highest score to the front. Selection sort, one step at a time, because most nodes are cut after
/// a few steps.
#[inline]
fn pick<S: Copy>(steps: &mut [(i32, S)]) -> Option<(i32, S)> {
    let (mut best, mut score) = (0, i32::MIN);
    for (i, step) in steps.iter().enumerate() {
        if step.0 > score {
            (best, score) = (i, step.0);
        }
    }
    let picked = *steps.get(best)?;
    steps.swap(0, best);
    Some(picked)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_come_best_first() {
        let mut steps = [(3, 'c'), (9, 'a'), (1, 'd'), (5, 'b')];
        let order: String = (0..5)
            .map_while(|i| Some(pick(&mut steps[i..])?.1))
            .collect();
        assert_eq!(order, "abcd");
    }
}
