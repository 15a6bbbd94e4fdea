//! The players of this process: their options, as the protocols have them.

use crate::wire::endgames;
use crate::wire::network;
use crate::wire::options::{Effect, Options};
use anyhow::{Context, Result, ensure};
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_referee::player::internal::Configuration;
use fauve_referee::player::spec::{EngineSpec, Protocol};

/// What the players of this process are set to, by index; the others have nothing.
///
/// # Errors
/// An option that there is not, or that does not take the value; a network that is none of this game.
pub fn configurations(
    players: &[EngineSpec],
    variant: Variant,
) -> Result<Vec<Option<Configuration>>> {
    let of = |spec: &EngineSpec| {
        (spec.protocol == Protocol::Internal)
            .then(|| configuration(spec, variant))
            .transpose()
            .with_context(|| format!("engine {}", printable(&spec.name)))
    };
    players.iter().map(of).collect()
}

/// What a player of this process is set to.
///
/// # Errors
/// As for [`configurations`].
pub fn configuration(spec: &EngineSpec, variant: Variant) -> Result<Configuration> {
    let mut options = Options::default();
    options.variant = variant;
    for (name, value) in &spec.options {
        let effect = options.set(name, value)?;
        ensure!(
            matches!(
                effect,
                Effect::None | Effect::Hash | Effect::Network | Effect::Endgames
            ),
            "{} is not for a player, but for the match (--variant, --rule)",
            printable(name)
        );
    }
    ensure!(
        !options.cpu_clock,
        "CPU Clock is for programs; give a player in this process the limit cputime"
    );
    if !options.eval_file.is_empty() {
        let file = printable(&options.eval_file);
        let (network, of) = network::read(&options.eval_file, variant)
            .with_context(|| format!("the network {file}"))?;
        ensure!(
            of == variant,
            "the network {file} evaluates {of}, not {variant}"
        );
        options.set_network(Some(network));
    }
    if !options.dice_tables.is_empty() {
        let file = printable(&options.dice_tables);
        let tables =
            endgames::read(&options.dice_tables).with_context(|| format!("the endgames {file}"))?;
        options.set_endgames(Some(tables));
    }
    Ok(Configuration {
        settings: options.settings(),
        hash: options.hash,
    })
}
