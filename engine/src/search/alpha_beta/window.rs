//! The alpha-beta window of a node.

use crate::search::report::Bound;

/// Window of a node, with its best step.
pub struct Window<S> {
    first_alpha: i32,
    /// Lower end: values up to this one do not matter, because the side to move has a better alternative.
    pub alpha: i32,
    /// Upper end: from this value on, the opponent avoids the node.
    pub beta: i32,
    /// Best value (fail-soft).
    pub best: i32,
    /// The step that raised alpha last.
    pub step: Option<S>,
}

impl<S> Window<S> {
    /// Creates the window before the first step. `best` is the value of not moving (stand pat), or below all values if that
    /// is not allowed.
    pub const fn new(alpha: i32, beta: i32, best: i32) -> Self {
        Self {
            first_alpha: alpha,
            alpha: if best > alpha { best } else { alpha },
            beta,
            best,
            step: None,
        }
    }

    /// Updates the window with the value of a step; returns whether it raised alpha.
    #[inline(always)]
    pub fn raise(&mut self, value: i32, step: S) -> bool {
        self.best = self.best.max(value);
        let raised = value > self.alpha;
        if raised {
            self.alpha = value;
            self.step = Some(step);
        }
        raised
    }

    /// Whether the value is at least beta, so that no other step is needed.
    #[inline(always)]
    pub const fn is_cut(&self) -> bool {
        self.best >= self.beta
    }

    /// Bound type of the best value; only nodes of the principal variation have exact values.
    pub const fn bound(&self, pv: bool) -> Bound {
        if self.is_cut() {
            Bound::Lower
        } else if pv && self.alpha > self.first_alpha {
            Bound::Exact
        } else {
            Bound::Upper
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_below_inside_and_above() {
        let mut window = Window::new(-10, 10, -50);
        assert!(!window.raise(-20, 'a') && !window.is_cut());
        assert_eq!((window.best, window.bound(true)), (-20, Bound::Upper));
        assert!(window.raise(5, 'b') && !window.is_cut());
        assert_eq!(window.bound(true), Bound::Exact);
        assert_eq!(window.bound(false), Bound::Upper);
        assert!(!window.raise(5, 'c'));
        assert_eq!(window.step, Some('b'));
        assert!(window.raise(10, 'd') && window.is_cut());
        assert_eq!((window.alpha, window.bound(true)), (10, Bound::Lower));
    }

    #[test]
    fn standing_pat_raises_the_window_but_is_not_exact_by_itself() {
        let window: Window<char> = Window::new(-10, 10, 3);
        assert_eq!((window.alpha, window.best), (3, 3));
        let window: Window<char> = Window::new(-10, 10, -30);
        assert_eq!((window.alpha, window.best), (-10, -30));
    }
}
