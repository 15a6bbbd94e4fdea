//! Starting a player's program by its protocol.

use crate::player::cecp::Cecp;
use crate::player::failure::Failure;
use crate::player::internal::{Configuration, Internal};
use crate::player::move_request::Player;
use crate::player::spec::{EngineSpec, Protocol};
use crate::player::uci::Uci;
use fauve_engine::Variant;
use fauve_engine::rules::chess::CHESS960;
use fauve_engine::search::Engine;

/// Starts a player for a game: a program, with the rule switches as options where it has them, or the library with its
/// configuration.
///
/// # Errors
/// When it does not start, does not speak its protocol or does not know the game.
pub fn start<G: Engine>(
    spec: &EngineSpec,
    variant: Variant,
    rules: &[(String, String)],
    inside: Option<&Configuration>,
) -> Result<Box<dyn Player<G>>, Failure> {
    Ok(match spec.protocol {
        Protocol::Uci | Protocol::Ugi => Box::new(Uci::start(spec, variant, rules)?),
        Protocol::Cecp => Box::new(Cecp::start(spec, variant, rules)?),
        Protocol::Internal => {
            let configuration = inside.ok_or_else(|| {
                Failure::Unfit("no configuration given for the internal player".to_owned())
            })?;
            Box::new(Internal::start(configuration)?)
        }
        Protocol::Random | Protocol::Greedy => {
            return Err(Failure::Unfit(
                "random and greedy are played by the referee; there is no program to start"
                    .to_owned(),
            ));
        }
    })
}

/// Whether a rule switch says that the games are Chess960.
pub(super) fn is_chess960(name: &str, value: &str) -> bool {
    name.eq_ignore_ascii_case(CHESS960.name) && value.eq_ignore_ascii_case("true")
}

/// A program that would write and read castling as orthodox chess does.
pub(super) fn no_chess960() -> Failure {
    let option = CHESS960.name;
    Failure::Unfit(format!(
        "it does not play Chess960: it has no option {option}"
    ))
}
