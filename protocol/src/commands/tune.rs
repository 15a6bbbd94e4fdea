//! `fauve tune`: the search's parameters, tuned by games.

use super::conditions::{Conditions, rules};
use super::players::configuration;
use crate::terminal::Printer;
use crate::variants::with_game;
use anyhow::{Context, Result, ensure};
use clap::Args;
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_engine::search::Search;
use fauve_engine::search::parameters::{Parameter, Parameters, list};
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::record::Header;
use fauve_referee::tuning::run::{Run, TuneError, tune};
use fauve_referee::tuning::spsa::{Schedule, Tuned};
use fauve_referee::tuning::state::{Settings, State};
use std::io::ErrorKind;
use std::path::PathBuf;

/// The word for all parameters.
const ALL: &str = "all";

/// What may follow `fauve tune`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve tune --variant superchess --nodes 20000 --iterations 6000 --state tune.json --parameter late_base \
    futility_base=120 reduction_divisor=225:15\n  \
    fauve tune --parameter all --cputime 20 --iterations 20000 --state all.json --seed 1\n\n\
    A run that was stopped goes on where it was when it is started again with the same settings and --state.\n\
    The other parameters, a network or Hash are set by --each: --each param.late_depth=5 network=chess.nn option.Hash=8")]
pub struct Arguments {
    /// What to tune: NAME, NAME=START or NAME=START:STEP; all: every parameter but those of the clock (time_...),
    /// which take part only when they are named. START is by default the game's own value, STEP
    /// (how far to each side it is tried at the end) that of the parameter.
    #[arg(long, num_args = 1.., required = true, value_name = "NAME")]
    parameter: Vec<String>,
    /// Colour-swapped pairs of games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    iterations: u64,
    /// Pairs that are played from the same values; more keep more processors busy and learn later.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u64).range(1..=10_000))]
    batch: u64,
    /// By how much of its step a game that is won moves a parameter at the end.
    #[arg(long, value_name = "R", default_value_t = 0.002)]
    rate: f64,
    /// Keep the state (JSON); an existing one of the same settings is resumed.
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
    #[command(flatten)]
    conditions: Conditions,
    /// Says the values at the end only.
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    /// Tunes.
    ///
    /// # Errors
    /// Settings that make no sense, files that cannot be used, games that have no result.
    pub fn run(self, variant: Variant) -> Result<()> {
        let spec = self.player("plus")?;
        let base = configuration(&spec, variant)?;
        let own = with_game!(variant, G => G::parameters(&base.settings));
        let own = own.with_context(|| format!("the search of {variant} has no parameters"))?;
        let state = self.begin(variant, vec![spec, self.player("minus")?], own)?;
        let header = &state.settings.games;
        let rules = rules(&header.rules)?;
        let run = Run {
            concurrency: self.conditions.concurrency(&header.engines),
            file: self.state.as_deref(),
            quiet: self.quiet,
        };
        let tuned =
            with_game!(variant, G => tune::<G>(state, variant, &rules.options(), &base, run));
        match tuned {
            Ok(state) => Ok(Printer::default().write_str(&state.report())?),
            // Whoever read the output has read enough; the state, if it is kept, can be resumed.
            Err(TuneError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    fn player(&self, name: &str) -> Result<EngineSpec> {
        self.conditions
            .player(&["proto=internal".to_owned(), format!("name={name}")])
    }

    /// The state to go on from.
    fn begin(&self, variant: Variant, players: Vec<EngineSpec>, own: Parameters) -> Result<State> {
        ensure!(
            self.rate.is_finite() && self.rate > 0.0,
            "--rate: write a number above 0"
        );
        let begun = match &self.state {
            Some(path) => State::load(path)?,
            None => None,
        };
        let seed = begun.map(|state| state.settings.games.seed);
        let games = Header {
            event: "fauve tune".to_owned(),
            rounds: self.iterations,
            ..self.conditions.header(variant, players, || seed)?
        };
        let settings = Settings {
            schedule: Schedule {
                parameters: self.parameters(own)?,
                pairs: self.iterations,
                batch: self.batch,
                rate: self.rate,
                seed: games.seed,
            },
            games,
        };
        Ok(match &self.state {
            Some(path) => State::resume(path, settings)?,
            None => State::new(settings),
        })
    }

    /// The parameters to tune, each once.
    fn parameters(&self, own: Parameters) -> Result<Vec<Tuned>> {
        let mut tuned: Vec<Tuned> = Vec::new();
        for word in &self.parameter {
            if word == ALL {
                let rest = list()
                    .iter()
                    .filter(|known| !known.is_of_clock() && !has(&tuned, known.name));
                let rest: Vec<Tuned> = rest.map(|known| of(known, own)).collect();
                tuned.extend(rest);
                continue;
            }
            let parameter = parse(word, own)?;
            ensure!(
                !has(&tuned, &parameter.name),
                "--parameter {}: it is there twice",
                parameter.name
            );
            tuned.push(parameter);
        }
        Ok(tuned)
    }
}

fn has(tuned: &[Tuned], name: &str) -> bool {
    tuned.iter().any(|parameter| parameter.name == name)
}

/// A parameter as the game and the list have it.
fn of(known: &Parameter, own: Parameters) -> Tuned {
    Tuned {
        name: known.name.to_owned(),
        start: own.value(known.name).unwrap_or(known.default).into(),
        min: known.min,
        max: known.max,
        step: known.step.into(),
    }
}

/// Reads `NAME`, `NAME=START` or `NAME=START:STEP`.
fn parse(word: &str, own: Parameters) -> Result<Tuned> {
    let (name, values) = word.split_once('=').unwrap_or((word, ""));
    let known = list().iter().find(|known| known.name == name);
    let known = known.with_context(|| {
        let names: Vec<&str> = list().iter().map(|known| known.name).collect();
        format!(
            "--parameter {}: there is none of this name; there are {}",
            printable(name),
            names.join(", ")
        )
    })?;
    let mut tuned = of(known, own);
    let (start, step) = values.split_once(':').unwrap_or((values, ""));
    for (text, value) in [(start, &mut tuned.start), (step, &mut tuned.step)] {
        if !text.is_empty() {
            *value = text.parse().ok().with_context(|| {
                format!(
                    "--parameter {}: write NAME, NAME=START or NAME=START:STEP",
                    printable(word)
                )
            })?;
        }
    }
    let (min, max) = (f64::from(tuned.min), f64::from(tuned.max));
    ensure!(
        (min..=max).contains(&tuned.start),
        "--parameter {name}: it starts from {min} to {max}, not at {}",
        tuned.start
    );
    ensure!(
        tuned.step > 0.0 && tuned.step <= max - min,
        "--parameter {name}: a step is above 0 and no longer than the range"
    );
    Ok(tuned)
}
