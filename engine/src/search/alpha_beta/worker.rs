//! State of one search thread: its position in the tree, the path to it, and its histories.

use super::history::{ContinuationKey, History};
use super::line::PvTable;
use super::node::Node;
use super::past::Past;
use super::reductions::Reductions;
use super::root_node_counts::RootNodeCounts;
use super::tt_move::{hashed_tt_move, tt_move_of};
use super::unfinished::{RootBest, SearchedTurn};
use super::window::Window;
use crate::eval::{Capabilities, EndgameResult, Evaluate, Evaluator, LazyEval};
use crate::rules::{Chance, Draws, Game, Rules, Turn};
use crate::search::clock::{SearchClock, ThreadClock};
use crate::search::limits::Settings;
use crate::search::parameters::{ActiveParameters, Parameters};
use crate::search::policy::Policy;
use crate::search::report::Report;
use crate::search::strength::{StrengthLimit, noise_stream};
use crate::search::table::{Entry, Table};
use crate::search::value::{EVAL_LIMIT, MATE, MAX_PLY, to_table};
use std::marker::PhantomData;
use std::sync::Arc;

/// Maximum number of steps in a line.
pub const MAX_HEIGHT: usize = 280;
/// Nodes between limit checks.
const CHECK_INTERVAL: u64 = 64;

/// Requirements of alpha-beta on a game: rules, draws, evaluation, [tactics](crate::eval::Tactics) and what it has of the optional
/// [capabilities](mod@crate::eval::capabilities), but no texts.
pub trait Searchable: Draws + Chance + Evaluate + Capabilities {}

impl<G: Draws + Chance + Evaluate + Capabilities> Searchable for G {}

/// Location of a node in the tree, and what its parent determines.
#[derive(Clone, Copy)]
pub struct NodeContext {
    /// Turns from the root.
    pub ply: usize,
    /// Steps from the root.
    pub height: usize,
    /// Turns by which the depth was reduced because the step to this node, or mid-turn an earlier one of its turn, came late.
    pub reduction: i32,
    /// Mid-turn: the step to this node was quiet.
    pub after_quiet: bool,
    /// The previous turn was a null move.
    pub after_null_move: bool,
    /// Expected cut node (null window only).
    pub cut: bool,
    /// Mid-turn: start of the sleep set in [`Worker::first_steps`], the first steps of this turn that were searched before
    /// and may commute with the one played. [`NO_SLEEP_SET`] if there is none.
    pub sleep_set: usize,
}

/// Value of [`NodeContext::sleep_set`] without a sleep set.
pub const NO_SLEEP_SET: usize = usize::MAX;

impl NodeContext {
    pub const ROOT: Self = Self {
        ply: 0,
        height: 0,
        reduction: 0,
        after_quiet: false,
        after_null_move: false,
        cut: false,
        sleep_set: NO_SLEEP_SET,
    };

    /// Context of a null-window node of the other side after a turn of one step.
    pub const fn below(self) -> Self {
        Self {
            ply: self.ply + 1,
            height: self.height + 1,
            reduction: 0,
            after_quiet: false,
            after_null_move: false,
            cut: !self.cut,
            sleep_set: NO_SLEEP_SET,
        }
    }

    /// Whether the greatest ply or height is reached, so that the node can only be evaluated.
    #[inline(always)]
    pub const fn is_deepest<G: Rules>(self) -> bool {
        self.ply >= MAX_PLY || self.height + 2 * G::MAX_STEPS >= MAX_HEIGHT
    }
}

/// One thread of the search.
pub struct Worker<'a, G: Searchable, P> {
    pub table: &'a Table,
    pub clock: ThreadClock<'a>,
    pub options: G::Options,
    /// Greatest ply reached in nodes of the principal variation.
    pub seldepth: usize,
    /// Permitted prefixes of root turns; empty: all turns.
    pub allowed: Vec<Turn<G::Step>>,
    /// Keys of the positions after root turns that must not be searched again.
    pub excluded: Vec<u64>,
    /// Principal variation of the previous iteration, tried first.
    pub previous_pv: Vec<G::Step>,
    /// Best root turn of this iteration, once one has raised alpha.
    pub root_best: Option<RootBest<G::Step>>,
    /// Root turns searched in this iteration whose value lay below beta, with that value as upper bound.
    pub searched_turns: Vec<SearchedTurn>,
    /// Nodes spent on each root turn.
    pub root_node_counts: RootNodeCounts<G::Step>,
    /// Receiver of reports (main thread only).
    pub report: Option<&'a mut dyn FnMut(Report<G>)>,
    /// Depth of the current iteration, in turns.
    pub iteration: u32,
    /// Limit for play below full strength.
    pub strength_limit: Option<StrengthLimit>,
    /// Keys of the positions between turns, from the start of the game to this node.
    keys: Vec<u64>,
    /// Repetition history starts here after a null move.
    keys_floor: usize,
    /// Number of keys at the root.
    root_keys: usize,
    /// Positions and counters before the root that affect draws in the tree.
    past: Past<G>,
    /// Steps from the start of the game to this node.
    path: Vec<G::Step>,
    path_floor: usize,
    root_path: usize,
    /// Untried steps of all nodes on the current line, with their ordering scores.
    pub steps: Vec<(i32, G::Step)>,
    /// First steps searched in the unfinished turns on the current line that may commute with other steps.
    pub first_steps: Vec<G::Step>,
    pub pv: PvTable<G::Step>,
    pub history: Box<History<G>>,
    evaluator: G::Evaluator,
    /// Access to the endgame tables.
    endgames: G::Endgames,
    /// Continuation-history keys of the steps from the root to this node.
    pub moved: Vec<ContinuationKey>,
    /// Killer steps by height, the latest first.
    pub killers: Box<[[Option<G::Step>; 2]]>,
    /// Corrected static values by ply, from the root to this node.
    pub evals: Box<[i32]>,
    /// Step that the next node must exclude.
    pub excluded_move: Option<G::Step>,
    /// Keys of positions after root turns in which the opponent is known to have no mate in one.
    pub mate_in_one_refuted: Vec<u64>,
    /// No null move before this ply, while one is being verified.
    pub no_null_move_until: usize,
    pub reductions: Arc<Reductions>,
    parameters: ActiveParameters<G>,
    policy: PhantomData<P>,
}

impl<'a, G: Searchable, P: Policy> Worker<'a, G, P> {
    /// Creates a search thread at the game's position. `id` 0 is the main thread.
    pub fn new(
        game: &Game<G>,
        settings: &Settings,
        table: &'a Table,
        clock: &'a SearchClock<'a>,
        id: usize,
    ) -> Self {
        let parameters = ActiveParameters::new(settings);
        let lasting = if P::EXACT {
            None
        } else {
            table.reuse_history::<History<G>>()
        };
        let mut history = lasting.unwrap_or_else(|| Box::new(History::new()));
        history.age();
        let mut keys = game.turn_keys();
        keys.reserve(MAX_HEIGHT);
        let mut path: Vec<_> = game.steps().collect();
        path.reserve(MAX_HEIGHT);
        Self {
            table,
            clock: ThreadClock::new(clock, id, CHECK_INTERVAL),
            options: *game.options(),
            seldepth: 0,
            allowed: Vec::new(),
            excluded: Vec::new(),
            previous_pv: Vec::new(),
            root_best: None,
            searched_turns: Vec::new(),
            root_node_counts: RootNodeCounts::new(),
            report: None,
            iteration: 0,
            strength_limit: None,
            keys_floor: 0,
            root_keys: keys.len(),
            keys,
            past: Past::new(game),
            path_floor: 0,
            root_path: path.len(),
            path,
            steps: Vec::with_capacity(MAX_HEIGHT * 48),
            first_steps: Vec::with_capacity(MAX_HEIGHT * 16),
            pv: PvTable::new(),
            history,
            evaluator: G::Evaluator::new(settings.network.as_ref()),
            endgames: G::Endgames::default(),
            moved: Vec::with_capacity(MAX_HEIGHT),
            killers: vec![[None; 2]; MAX_HEIGHT + 4].into_boxed_slice(),
            evals: vec![0; MAX_PLY + 8].into_boxed_slice(),
            excluded_move: None,
            mate_in_one_refuted: Vec::new(),
            no_null_move_until: 0,
            reductions: Reductions::of(parameters.get()),
            parameters,
            policy: PhantomData,
        }
    }

    /// The search parameters of the game.
    #[inline(always)]
    pub const fn parameters(&self) -> &Parameters {
        self.parameters.get()
    }

    /// Principal variation of the last root search.
    pub fn root_line(&self) -> &[G::Step] {
        self.pv.line(0)
    }

    /// Searches the root to `depth` turns with a window. Returns [`ILLEGAL`](crate::search::value::ILLEGAL) if no turn is
    /// left to search.
    pub fn search_root(&mut self, position: &G, depth: i32, alpha: i32, beta: i32) -> i32 {
        self.node::<true>(position, depth, alpha, beta, NodeContext::ROOT)
    }

    /// Upper bound found in this iteration for the root turn that leads to the position with this key.
    pub fn at_most(&self, key: u64) -> Option<i32> {
        let mut turns = self.searched_turns.iter().rev();
        turns.find(|turn| turn.key == key).map(|turn| turn.at_most)
    }

    /// Whether the steps from the root to this node are `line`.
    pub fn is_on(&self, line: &[G::Step]) -> bool {
        self.path[self.root_path..] == *line
    }

    /// The step that led to this node, which must not be the root.
    #[inline(always)]
    pub fn last_step(&self) -> G::Step {
        self.path.last().copied().unwrap_or_default()
    }

    /// Whether some root turns must not be searched.
    pub fn restricts_root(&self) -> bool {
        !(self.allowed.is_empty() && self.excluded.is_empty())
    }

    /// Whether a permitted root turn may continue with this step.
    pub fn permits(&self, step: G::Step, next: &G) -> bool {
        let made = &self.path[self.root_path..];
        let begins = |turn: &Turn<G::Step>| {
            let mut turn = turn.iter();
            made.iter()
                .chain(std::iter::once(&step))
                .all(|made| turn.next().is_none_or(|wanted| wanted == made))
        };
        (self.allowed.is_empty() || self.allowed.iter().any(begins))
            && (self.excluded.is_empty()
                || next.is_mid_turn()
                || !self.excluded.contains(&next.key()))
    }

    /// Key of a position in the table.
    #[inline(always)]
    pub fn table_key(&self, position: &G) -> u64 {
        position.key() ^ self.past.salt
    }

    /// Probes the table.
    #[inline(always)]
    pub fn probe_table(&self, position: &G) -> Option<Entry> {
        self.table.probe(self.table_key(position))
    }

    /// Prefetches the table entry of the position after `step`. Called well before [`Worker::enter`], because the memory
    /// access takes longer than the work between them.
    #[inline(always)]
    pub fn prefetch(&self, position: &G, step: G::Step) {
        if let Some(key) = position.predicted_key(step) {
            self.table.prefetch(key ^ self.past.salt);
        }
    }

    /// Counts the node after a step, and updates the path, the keys and the evaluator.
    #[inline(always)]
    pub fn enter(&mut self, position: &G, next: &G, step: G::Step) {
        self.table.prefetch(self.table_key(next));
        self.follow(position, next, step);
    }

    /// [`Worker::enter`] for a node that does not probe the table.
    #[inline(always)]
    pub fn follow(&mut self, position: &G, next: &G, step: G::Step) {
        self.clock.count();
        self.path.push(step);
        let side = position.side_to_move();
        self.moved
            .push(History::<G>::moved(side, position.history_index(step)));
        self.evaluator.push(self.moved.len());
        if !next.is_mid_turn() {
            self.keys.push(next.key());
        }
    }

    /// Reverts [`Worker::enter`].
    #[inline(always)]
    pub fn leave(&mut self, next: &G) {
        self.path.pop();
        self.moved.pop();
        if !next.is_mid_turn() {
            self.keys.pop();
        }
    }

    /// Runs a search of the position after a null move. Positions before it do not count as repetitions, nor its steps as
    /// part of a pattern.
    pub fn with_null_move<T>(&mut self, passed: &G, search: impl FnOnce(&mut Self) -> T) -> T {
        let floors = (self.keys_floor, self.path_floor);
        self.keys_floor = self.keys.len();
        self.path_floor = self.path.len();
        self.table.prefetch(self.table_key(passed));
        self.keys.push(passed.key());
        self.moved.push(ContinuationKey::NONE);
        self.evaluator.push(self.moved.len());
        let found = search(self);
        self.moved.pop();
        self.keys.pop();
        (self.keys_floor, self.path_floor) = floors;
        found
    }

    /// Value of a position in which the game has ended (other than for lack of a turn) or counts as drawn.
    #[inline(always)]
    pub fn terminal(&mut self, position: &G, ply: usize) -> Option<i32> {
        if let Some(winner) = position.winner() {
            let value = MATE - ply as i32;
            return Some(if winner == position.side_to_move() {
                value
            } else {
                -value
            });
        }
        if position.is_dead(&self.options) {
            return Some(0);
        }
        if position.count_draw().is_some() || position.clock_draw(&self.options).is_some() {
            return Some(drawn_unless_mated(position, ply));
        }
        if self.is_repetition(position) || G::pattern_draw(&self.path[self.path_floor..]).is_some()
        {
            return Some(0);
        }
        if self.probes_endgames() {
            let known = position.probe_endgame(&self.options, &mut self.endgames)?;
            return match known {
                EndgameResult::Draw => Some(0),
                _ if self.may_be_drawn(position, ply, known) => None,
                EndgameResult::Win(turns) => Some(MATE - (ply as i32 + turns as i32)),
                EndgameResult::Loss(turns) => Some(ply as i32 + turns as i32 - MATE),
            };
        }
        None
    }

    /// Whether endgame tables are probed: not in play below full strength.
    #[inline(always)]
    const fn probes_endgames(&self) -> bool {
        !P::EXACT && G::KNOWS_ENDGAMES && self.strength_limit.is_none()
    }

    /// What an endgame table knows of a position; nothing mid-turn, and where tables are not probed.
    #[inline(always)]
    fn known_endgame(&mut self, position: &G) -> Option<EndgameResult> {
        if !self.probes_endgames() || position.is_mid_turn() {
            return None;
        }
        position.probe_endgame(&self.options, &mut self.endgames)
    }

    /// Builds the endgame tables that positions near the root need, while time permits.
    pub fn prepare_endgames(&mut self, root: &G) {
        if self.probes_endgames() {
            let clock = &mut self.clock;
            root.prepare(&mut self.endgames, &mut || !clock.check_time());
        }
    }

    /// Whether a table mate may be preceded by a draw from the game's past, which the tables do not include. Each turn of a
    /// table mate shortens the distance to it, so that only past positions nearer to the mate can recur.
    #[inline(always)]
    fn may_be_drawn(&mut self, position: &G, ply: usize, known: EndgameResult) -> bool {
        let rest = G::pattern_rest(&self.path[self.path_floor..]).len();
        let (turns, pattern) = match known {
            EndgameResult::Draw => return false,
            // The steps that began the pattern and that undid it cannot both be table moves.
            EndgameResult::Win(turns) => (turns, rest == 1 || rest == 2),
            EndgameResult::Loss(turns) => (turns, rest > 0),
        };
        pattern || !self.past.twice.is_empty() && self.meets_past(position, ply, turns)
    }

    /// Whether a position that has occurred twice can recur on the way to a table mate in this number of turns (of both
    /// sides).
    #[cold]
    fn meets_past(&mut self, position: &G, ply: usize, turns: u32) -> bool {
        let nearest = *self.past.nearest.get_or_insert_with(|| {
            let endgames = &mut self.endgames;
            let distance = |position: &G| match position.probe_endgame(&self.options, endgames) {
                Some(EndgameResult::Win(turns) | EndgameResult::Loss(turns)) => turns,
                Some(EndgameResult::Draw) => u32::MAX,
                None => 0,
            };
            self.past
                .twice
                .iter()
                .map(distance)
                .min()
                .unwrap_or(u32::MAX)
        });
        nearest < turns && position.reversible_turns(&self.options) >= ply
    }

    /// How many turns back the position, whose key is the last on the stack, can have occurred: none across an irreversible turn or a
    /// null move.
    #[inline(always)]
    fn reach(&self, position: &G) -> usize {
        let since_null_move = self.keys.len() - 1 - self.keys_floor;
        position
            .reversible_turns(&self.options)
            .min(since_null_move)
    }

    /// Whether the position, whose key is the last on the stack, is a repetition: it occurred once since the root, or twice
    /// before.
    #[inline(always)]
    fn is_repetition(&self, position: &G) -> bool {
        let reach = self.reach(position);
        if reach < 4 {
            return false;
        }
        let last = self.keys.len() - 1;
        let key = self.keys[last];
        let mut seen = false;
        for back in (4..=reach).step_by(2) {
            if self.keys[last - back] == key {
                if seen || last - back >= self.root_keys {
                    return true;
                }
                seen = true;
            }
        }
        false
    }

    /// Whether one step of the side to move repeats a position of the tree, because the other side's turns since then have undone
    /// each other.
    #[inline(always)]
    pub fn can_repeat(&self, position: &G) -> bool {
        if G::SIDE_KEY == 0 {
            return false;
        }
        let last = self.keys.len() - 1;
        let reach = self.reach(position).min(last - self.root_keys);
        if reach < 3 {
            return false;
        }
        let change = |turn: usize| self.keys[turn] ^ self.keys[turn - 1] ^ G::SIDE_KEY;
        let mut changed_by_enemy = change(last);
        (3..=reach).step_by(2).any(|back| {
            changed_by_enemy ^= change(last + 1 - back);
            changed_by_enemy == 0 && position.reaches(self.keys[last] ^ self.keys[last - back])
        })
    }

    /// Saves the histories for the next search.
    pub fn save_history(self) {
        self.clock.publish();
        if !P::EXACT {
            self.table.save_history(self.history);
        }
    }

    /// Static value of the position at the end of the line, clamped to the evaluation limits.
    #[inline(always)]
    pub fn evaluate(&mut self, position: &G) -> i32 {
        if let Some(value) = self.won_by_table(position) {
            return value;
        }
        let value = self.evaluator.evaluate(position, self.moved.len());
        let value = match &self.strength_limit {
            None => value,
            Some(strength_limit) => strength_limit.misjudge(position.key(), value),
        };
        value.clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Static value of a position that is not at the end of the line: by the endgame tables, else by the search's own evaluator, with
    /// the network that the user has set.
    pub fn evaluate_elsewhere(&mut self, position: &G) -> i32 {
        if position.winner().is_none()
            && let Some(known) = self.known_endgame(position)
        {
            return value_of_endgame(known);
        }
        let height = self.moved.len() + 1;
        self.evaluator.push(height);
        self.evaluator
            .evaluate(position, height)
            .clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Value of a table win or loss that a draw from the past may prevent: close to the evaluation limit, and the closer
    /// the nearer the mate is.
    #[inline(always)]
    fn won_by_table(&mut self, position: &G) -> Option<i32> {
        if self.past.twice.is_empty() {
            return None;
        }
        match self.known_endgame(position)? {
            EndgameResult::Draw => None,
            known => Some(value_of_endgame(known)),
        }
    }

    /// Static value if it lies inside the window; otherwise it may be only a bound that lies outside as well.
    #[inline(always)]
    pub fn evaluate_within(&mut self, position: &G, (alpha, beta): (i32, i32)) -> LazyEval {
        if self.strength_limit.is_some() {
            return LazyEval::Exact(self.evaluate(position));
        }
        if let Some(value) = self.won_by_table(position) {
            return LazyEval::Exact(value);
        }
        let height = self.moved.len();
        match self
            .evaluator
            .evaluate_within(position, height, (alpha, beta))
        {
            LazyEval::Exact(value) => LazyEval::Exact(value.clamp(-EVAL_LIMIT, EVAL_LIMIT)),
            bound @ LazyEval::Bound(_) => bound,
        }
    }

    /// Value of a position without a legal turn. A weakened search may mistake a mate for a mere check, or miss it.
    #[cold]
    pub fn value_of_end(&mut self, position: &G, ply: usize) -> i32 {
        let value = value_without_turn(position, ply);
        if value < 0
            && self.strength_limit.is_some_and(|strength_limit| {
                strength_limit.overlooks(position.key(), noise_stream::MATE)
            })
        {
            if G::MAX_STEPS > 1 {
                // Mates by two steps are so common that a side that took them for checks would often mate by accident: the
                // turn is ignored instead.
                EVAL_LIMIT
            } else {
                self.evaluate(position)
            }
        } else {
            value
        }
    }

    /// Whether a weakened search overlooks a quiet step. The first legal step is never overlooked, so that a node is never
    /// left without a turn.
    #[inline(always)]
    pub fn overlooks(
        &self,
        position: &G,
        node: &Node<G::Step>,
        step: G::Step,
        legal: usize,
    ) -> bool {
        match &self.strength_limit {
            None => false,
            Some(strength_limit) => {
                legal > 0
                    && !node.in_check
                    && strength_limit.overlooks(position.key(), u64::from(hashed_tt_move(&step)))
            }
        }
    }

    /// Stores the result of a node in the table.
    #[inline(always)]
    pub fn remember<const PV: bool>(
        &self,
        key: u64,
        window: &Window<G::Step>,
        ply: usize,
        depth: i32,
        eval: i16,
    ) {
        self.table.store(
            key,
            Entry {
                value: to_table(window.best, ply),
                eval,
                tt_move: window.step.map_or(0, tt_move_of::<G>),
                depth: depth as u8,
                bound: window.bound(PV),
            },
        );
    }
}

/// Static value of a result of an endgame table.
const fn value_of_endgame(known: EndgameResult) -> i32 {
    match known {
        EndgameResult::Draw => 0,
        EndgameResult::Win(turns) => EVAL_LIMIT - turns as i32,
        EndgameResult::Loss(turns) => turns as i32 - EVAL_LIMIT,
    }
}

/// Value of a position without a legal turn.
fn value_without_turn<G: Rules>(position: &G, ply: usize) -> i32 {
    if position.lost_without_turn() {
        ply as i32 - MATE
    } else {
        0
    }
}

/// Value of a position in which a counter has run out: checkmate takes precedence over the draw.
#[cold]
fn drawn_unless_mated<G: Draws>(position: &G, ply: usize) -> i32 {
    if position.lost_without_turn() && !position.has_turn() {
        ply as i32 - MATE
    } else {
        0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::chess::Chess;
    use crate::rules::{Notation, parse_turn};
    use crate::search::clock::StopConditions;
    use crate::search::control::Control;
    use crate::search::policy::Full;
    use std::time::Instant;

    /// Whether the side to move after these moves from the root can repeat a position of the tree.
    fn can_repeat_after(fen: &str, moves: &[&str]) -> bool {
        let options = <Chess as Rules>::Options::default();
        let start = Chess::from_fen(fen, &options).unwrap().position;
        let game = Game::new(start, options);
        let table = Table::new(1).unwrap();
        let control = Control::default();
        let clock = SearchClock::new(&control, Instant::now(), 1, StopConditions::default());
        let settings = Settings::default();
        let mut worker = Worker::<_, Full>::new(&game, &settings, &table, &clock, 0);
        let mut position = start;
        for token in moves {
            let step = parse_turn(&position, token).unwrap()[0];
            let mut next = position;
            next.play(step);
            worker.enter(&position, &next, step);
            position = next;
        }
        worker.can_repeat(&position)
    }

    #[test]
    fn a_repetition_is_seen_one_step_before() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        const ROOK: &str = "k7/8/8/8/8/8/8/K6R w - - 0 1";
        for (fen, moves, can_repeat) in [
            (START, "e2e3 g8f6 g1f3 f6g8", true),
            (START, "e2e3 g8f6 g1f3 f6g8 b1c3 g8f6", true),
            // The root does not count, nor does a position before a pawn's move.
            (START, "g1f3 g8f6 f3g1", false),
            (START, "e2e3 g8f6 g1f3 f6g8 e3e4", false),
            // Black's turns have not undone each other.
            (START, "e2e3 g8f6 g1f3 f6d5", false),
            // In three turns they have: the Rook repeats in one move from h5, but not from g3.
            (ROOK, "h1h2 a8a7 h2h3 a7b7 h3h5 b7a8", true),
            (ROOK, "h1h2 a8a7 h2g2 a7b7 g2g3 b7a8", false),
        ] {
            let moves: Vec<_> = moves.split(' ').collect();
            assert_eq!(can_repeat_after(fen, &moves), can_repeat, "{fen} {moves:?}");
        }
    }
}
