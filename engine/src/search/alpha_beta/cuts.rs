//! Pruning that decides a node before its first step is searched.

use super::node::Node;
use super::window::Window;
use super::worker::{NodeContext, Searchable, Worker};
use crate::eval::CORRECTION_KEYS;
use crate::search::policy::Policy;
use crate::search::report::Bound;
use crate::search::table::Entry;
use crate::search::value::{EVAL_LIMIT, INFINITE, from_table, is_mate};

impl<G: Searchable, P: Policy> Worker<'_, G, P> {
    /// The static value after the correction histories.
    #[inline(always)]
    pub fn corrected(
        &self,
        position: &G,
        correction_keys: [u64; CORRECTION_KEYS],
        raw: i32,
    ) -> i32 {
        if !G::HAS_CORRECTION_KEYS {
            return raw;
        }
        let parameters = self.parameters();
        let weights = [parameters.correction_pawns, parameters.correction_pieces];
        let side = position.side_to_move();
        let correction = self.history.correction(side, correction_keys, weights);
        (raw + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT)
    }

    /// Static value at which reverse futility pruning cuts a node of this depth, whether or not the side is improving.
    #[inline(always)]
    pub fn rfp_threshold(&self, depth: i32, beta: i32) -> i32 {
        let parameters = self.parameters();
        if depth <= parameters.reverse_futility_depth && !is_mate(beta) {
            beta + parameters.reverse_futility_margin * depth
        } else {
            INFINITE
        }
    }

    /// Returns the value of a null-window node that is decided without a full search of its steps: by the static value
    /// (reverse futility, <https://www.chessprogramming.org/Reverse_Futility_Pruning>, and razoring,
    /// <https://www.chessprogramming.org/Razoring>), by a null move, or by captures (ProbCut).
    #[inline(always)]
    pub fn cut_early(
        &mut self,
        position: &G,
        node: &Node<G::Step>,
        entry: Option<Entry>,
        alpha: i32,
        beta: i32,
    ) -> Option<i32> {
        let Node { eval, depth, .. } = *node;
        if P::EXACT || eval == -INFINITE || is_mate(beta) {
            return None;
        }
        let parameters = self.parameters();
        let improves = parameters.reverse_futility_margin * i32::from(node.improving);
        let checked = parameters.reverse_futility_check * i32::from(node.in_check);
        if eval + improves - checked >= self.rfp_threshold(depth, beta) {
            return Some(eval);
        }
        if depth <= parameters.razor_depth && eval + parameters.razor_margin * depth < alpha {
            let value =
                self.quiescence::<false>(position, alpha, beta, node.context, node.in_check, true);
            if self.clock.stopped() {
                return Some(0);
            }
            if value <= alpha {
                return Some(value);
            }
        }
        self.try_null_move(position, node, beta)
            .or_else(|| self.try_probcut(position, node, entry, beta))
    }

    /// Null-move pruning: the value of a node that stays above the window even if the side to move passes. At great depths
    /// a search in which that side may not pass verifies it
    /// (<https://www.chessprogramming.org/Null_Move_Pruning#Verification_Search>).
    #[inline(always)]
    fn try_null_move(&mut self, position: &G, node: &Node<G::Step>, beta: i32) -> Option<i32> {
        let Node {
            context,
            eval,
            depth,
            ..
        } = *node;
        let parameters = self.parameters();
        if depth < parameters.null_depth
            || node.in_check
            || eval < beta
            || context.after_null_move
            || context.ply < self.no_null_move_until
            || !position.allows_null_move()
        {
            return None;
        }
        let passed = position.null_move()?;
        let reduction = parameters.null_base
            + depth / parameters.null_divisor
            + ((eval - beta) / parameters.null_eval_divisor).min(parameters.null_eval_most);
        let verify = depth >= parameters.null_verify_depth && self.no_null_move_until == 0;
        let below = NodeContext {
            after_null_move: true,
            ..context.below()
        };
        let mut value = self.with_null_move(&passed, |worker| {
            -worker.node::<false>(&passed, depth - reduction, -beta, 1 - beta, below)
        });
        if self.clock.stopped() {
            return Some(0);
        }
        if value >= beta && verify {
            self.no_null_move_until = context.ply + 3 * (depth - reduction).max(1) as usize / 4 + 1;
            let verified = self.node::<false>(position, depth - reduction, beta - 1, beta, context);
            self.no_null_move_until = 0;
            if self.clock.stopped() {
                return Some(0);
            }
            if verified < beta {
                value = verified;
            }
        }
        (value >= beta).then(|| if is_mate(value) { beta } else { value })
    }

    /// ProbCut (Buro, "ProbCut: an effective selective extension of the alpha-beta algorithm", ICCA Journal 18(2), 1995;
    /// here with captures only, <https://www.chessprogramming.org/ProbCut>): returns the value of a capture that a
    /// shallower search finds far above the window.
    #[inline(always)]
    fn try_probcut(
        &mut self,
        position: &G,
        node: &Node<G::Step>,
        entry: Option<Entry>,
        beta: i32,
    ) -> Option<i32> {
        let Node { context, depth, .. } = *node;
        let parameters = self.parameters();
        let goal = beta + parameters.probcut_margin;
        if G::MAX_STEPS > 1 || depth < parameters.probcut_depth || is_mate(goal) {
            return None;
        }
        // The table already has a value below the goal.
        if let Some(entry) = entry
            && i32::from(entry.depth) >= depth - 3
            && (entry.bound == Bound::Upper || from_table(entry.value, context.ply) < goal)
        {
            return None;
        }
        let mut steps = self.list_noisy(position, false, entry.map_or(0, |entry| entry.tt_move));
        let wanted = goal - node.eval;
        let mut found = None;
        while let Some(step) = self.next_noisy(&mut steps) {
            if !position.wins_exchange(step, wanted) {
                continue;
            }
            if self.clock.check() {
                break;
            }
            let mut next = *position;
            next.play(step);
            self.enter(position, &next, step);
            let mut value =
                self.quiescence_child::<false>(position, &next, goal - 1, goal, context);
            if value >= goal && !self.clock.stopped() {
                value = -self.node::<false>(&next, depth - 4, -goal, 1 - goal, context.below());
            }
            self.leave(&next);
            if self.clock.stopped() {
                break;
            }
            if value >= goal {
                found = Some((value, step));
                break;
            }
        }
        self.drop_steps(&steps);
        if self.clock.stopped() {
            return Some(0);
        }
        let (value, step) = found?;
        let mut window = Window::new(beta - 1, beta, -INFINITE);
        window.raise(value, step);
        let (key, eval) = (self.table_key(position), node.stored_eval);
        self.remember::<false>(key, &window, context.ply, depth - 3, eval);
        Some(if is_mate(value) {
            value
        } else {
            value - (goal - beta)
        })
    }
}
