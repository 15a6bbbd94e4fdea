//! Nodes spent on each root turn: if most went to the best turn, the others are refuted quickly and the search can stop
//! earlier.

/// Nodes of each root step in all iterations together. A turn of several steps is counted under its first step.
#[derive(Debug)]
pub struct RootNodeCounts<S> {
    steps: Vec<(S, u64)>,
    sum: u64,
}

impl<S: PartialEq> RootNodeCounts<S> {
    pub const fn new() -> Self {
        Self {
            steps: Vec::new(),
            sum: 0,
        }
    }

    /// Adds nodes to those of a step.
    pub fn note(&mut self, step: S, nodes: u64) {
        self.sum += nodes;
        match self.steps.iter_mut().find(|(known, _)| *known == step) {
            Some((_, sum)) => *sum += nodes,
            None => self.steps.push((step, nodes)),
        }
    }

    /// Share of all nodes spent on a step, 0 to 1.
    pub fn share(&self, step: &S) -> f64 {
        let own = self.steps.iter().find(|(known, _)| known == step);
        own.map_or(0, |(_, nodes)| *nodes) as f64 / self.sum.max(1) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_those_of_all_iterations() {
        let mut root_node_counts = RootNodeCounts::new();
        assert!(root_node_counts.share(&'a').abs() < 1e-9);
        for (step, nodes) in [('a', 10), ('b', 30), ('a', 50), ('c', 10)] {
            root_node_counts.note(step, nodes);
        }
        for (step, share) in [('a', 0.6), ('b', 0.3), ('c', 0.1), ('d', 0.0)] {
            assert!(
                (root_node_counts.share(&step) - share).abs() < 1e-9,
                "{step}"
            );
        }
    }
}
