//! The evaluation of games that have networks, as a search uses it.

use super::{Evaluator as LineEvaluator, Followed, Network, NetworkError, Networked};
use crate::eval::{Contributions, Evaluate, Evaluator, LazyEval};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A network of some game, as settings hand it on: which game it is for is seen when a search begins.
#[derive(Clone)]
pub struct SharedNetwork(Arc<dyn Any + Send + Sync>);

impl SharedNetwork {
    /// The network, if it is one of this game.
    pub fn of<G: Networked>(&self) -> Option<Arc<Network<G>>> {
        Arc::clone(&self.0).downcast().ok()
    }
}

impl<G: Networked> From<Network<G>> for SharedNetwork {
    fn from(network: Network<G>) -> Self {
        Self(Arc::new(network))
    }
}

impl PartialEq for SharedNetwork {
    /// Whether it is the very same network, not another with the same numbers.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl fmt::Debug for SharedNetwork {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedNetwork")
    }
}

/// Evaluates with the network that the settings bring, else with the one that the game comes with, else as the game does by
/// itself.
#[derive(Clone, Debug)]
pub struct Learned<G: Followed>(Option<LineEvaluator<G>>);

impl<G: Followed + Evaluate> Evaluator<G> for Learned<G> {
    fn read(bytes: &[u8]) -> Result<SharedNetwork, NetworkError> {
        Network::<G>::from_bytes(bytes).map(SharedNetwork::from)
    }

    fn new(network: Option<&SharedNetwork>) -> Self {
        let network = network.and_then(SharedNetwork::of).or_else(G::shipped);
        Self(network.map(LineEvaluator::new))
    }

    fn contributions(&self, position: &G) -> Option<Contributions> {
        Some(position.contributions(self.0.as_ref()?.network()))
    }

    #[inline(always)]
    fn enter(&mut self, height: usize) {
        if let Some(evaluator) = &mut self.0 {
            evaluator.invalidate(height);
        }
    }

    #[inline(always)]
    fn evaluate(&mut self, position: &G, height: usize) -> i32 {
        match &mut self.0 {
            Some(evaluator) => evaluator.evaluate(position, height),
            None => position.evaluate(),
        }
    }

    #[inline(always)]
    fn evaluate_within(&mut self, position: &G, height: usize, window: (i32, i32)) -> LazyEval {
        match &mut self.0 {
            Some(evaluator) => evaluator.evaluate_within(position, height, window),
            None => LazyEval::Exact(position.evaluate()),
        }
    }
}
