//! The evaluation of games that have networks, as a search uses it.

use super::{AccumulatorStack, HasNetwork, IncrementalFeatures, Network, NetworkError};
use crate::eval::{Evaluate, Evaluator, Inspect, LazyEval, PieceValues};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A network of some game, as settings hand it on: which game it is for is seen when a search begins.
#[derive(Clone)]
pub struct SharedNetwork(Arc<dyn Any + Send + Sync>);

impl SharedNetwork {
    /// The network, if it is one of this game.
    pub fn of<G: HasNetwork>(&self) -> Option<Arc<Network<G>>> {
        Arc::clone(&self.0).downcast().ok()
    }
}

impl<G: HasNetwork> From<Network<G>> for SharedNetwork {
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

/// An evaluator that uses the network from the settings, else the network shipped with the game, else the game's hand-written
/// evaluation.
#[derive(Clone, Debug)]
pub struct NnueEvaluator<G: IncrementalFeatures>(Option<AccumulatorStack<G>>);

impl<G: IncrementalFeatures + Evaluate> Evaluator<G> for NnueEvaluator<G> {
    fn new(network: Option<&SharedNetwork>) -> Self {
        let network = network.and_then(SharedNetwork::of).or_else(G::shipped);
        Self(network.map(AccumulatorStack::new))
    }

    #[inline(always)]
    fn push(&mut self, height: usize) {
        if let Some(evaluator) = &mut self.0 {
            evaluator.push(height);
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

impl<G: IncrementalFeatures + Evaluate> Inspect<G> for NnueEvaluator<G> {
    fn read(bytes: &[u8]) -> Result<SharedNetwork, NetworkError> {
        Network::<G>::from_bytes(bytes).map(SharedNetwork::from)
    }

    fn piece_values(&self, position: &G) -> Option<PieceValues> {
        Some(position.piece_values(self.0.as_ref()?.network()))
    }
}
