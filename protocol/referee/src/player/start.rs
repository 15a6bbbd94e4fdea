//! Starting a player's program by its protocol.

use crate::player::cecp::Cecp;
use crate::player::failure::Failure;
use crate::player::spec::{EngineSpec, Protocol};
use crate::player::task::Player;
use crate::player::uci::Uci;
use fauve_engine::Variant;

/// Starts a player's program for a game, with the rule switches as options where it has them.
///
/// # Errors
/// When it does not start, does not speak its protocol or does not know the game.
pub fn start(
    spec: &EngineSpec,
    variant: Variant,
    rules: &[(String, String)],
) -> Result<Box<dyn Player>, Failure> {
    Ok(match spec.protocol {
        Protocol::Uci | Protocol::Ugi => Box::new(Uci::start(spec, variant, rules)?),
        Protocol::Cecp => Box::new(Cecp::start(spec, variant)?),
        Protocol::Random => {
            return Err(Failure::Unfit(
                "the random player is not a program".to_owned(),
            ));
        }
    })
}
