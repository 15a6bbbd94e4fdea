//! `fauve match`: the referee.

use super::conditions::{Conditions, number, pairs, rules};
use super::players;
use crate::signals::{Ending, INTERRUPTED, on_end};
use crate::terminal::{Printer, warn};
use crate::variants::with_game;
use anyhow::{Result, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use fauve_engine::Variant;
use fauve_engine::rules::{Chance, printable};
use fauve_referee::matches::tournament::{Run, RunError, run};
use fauve_referee::plan::schedule::Pairings;
use fauve_referee::player::group;
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::record::lines::read_header;
use fauve_referee::record::{Header, Record};
use fauve_referee::report::tally::Tally;
use fauve_referee::stats::{Model, Sprt};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The games of the longest tournament, that of the most rounds.
const MOST_GAMES: u64 = 20_000_000;

/// The words of each `--engine`, kept apart.
#[derive(Clone, Debug, Default)]
pub struct EngineWords(Vec<Vec<String>>);

const ENGINE_HELP: &str = "A player: cmd=PROGRAM (self: this program) name=NAME args=WORDS dir=DIRECTORY \
     proto=uci|ugi|cecp|internal|random|greedy variant=NAME restart=on|off startup=SECONDS option.NAME=VALUE network=FILE param.NAME=VALUE and \
     limits; twice or more. internal: the engine in this process, the quickest way to compare settings";

impl FromArgMatches for EngineWords {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let mut words = Self::default();
        words.update_from_arg_matches(matches)?;
        Ok(words)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        if let Some(occurrences) = matches.get_occurrences::<String>("engine") {
            self.0 = occurrences.map(|words| words.cloned().collect()).collect();
        }
        Ok(())
    }
}

impl Args for EngineWords {
    fn augment_args(command: Command) -> Command {
        command.arg(
            Arg::new("engine")
                .long("engine")
                .value_name("KEY=VALUE")
                .num_args(1..)
                .action(ArgAction::Append)
                .required(true)
                .help(ENGINE_HELP),
        )
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// What may follow `fauve match`.
#[derive(Args, Clone, Debug)]
#[command(after_help = "Examples:\n  \
    fauve match --engine cmd=self name=new --engine cmd=./old --tc 10+0.1 --rounds 50\n  \
    fauve match --variant superchess --openings arrays --engine cmd=self --engine cmd=sjaakii proto=cecp \
    --rule 'Promotion Pool=physical' --tc 10+0.1\n  \
    fauve match --variant dicechess --engine cmd=self name=a nodes=2000 --engine cmd=self name=b nodes=1000 \
    --rounds 100 --record dice.jsonl --pgn dice.pgn\n  \
    fauve match --engine cmd=./new --engine cmd=./old --tc 8+0.08 --openings book.epd --shuffle --rounds 20000 \
    --sprt elo0=0 elo1=5 --record sprt.jsonl\n\n\
    A run that was stopped goes on where it was when it is started again with the same settings and --record.\n\
    Shards, for instance on the machines of GNU parallel, and their merging:\n  \
    parallel fauve match ... --seed 1 --shard {}/4 --record {}.jsonl ::: 1 2 3 4; fauve merge ?.jsonl --record \
    all.jsonl")]
pub struct Arguments {
    #[command(flatten)]
    engines: EngineWords,
    #[command(flatten)]
    conditions: Conditions,
    /// Colour-swapped pairs of games per pairing.
    #[arg(long, default_value_t = 10, conflicts_with = "games", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    rounds: u64,
    /// Games per pairing, an even number; instead of --rounds.
    #[arg(long)]
    games: Option<u64>,
    /// Who meets whom: roundrobin, or gauntlet (the first player meets all others).
    #[arg(long, default_value = "roundrobin", value_name = "KIND")]
    tournament: String,
    /// Stops when decided: elo0=E elo1=E alpha=0.05 beta=0.05 model=normalized|logistic.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Does not reckon the luck of the dice.
    #[arg(long)]
    no_luck: bool,
    /// DiceChess with the doubling cube of backgammon: games are worth points, and a double can be passed. No source of the rules knows it.
    #[arg(long)]
    doubling: bool,
    /// The record (JSON Lines); an existing one of the same tournament is gone on with.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Writes the games as PGN when the run ends; not the file of the record.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// The name of the event in PGN.
    #[arg(long, default_value = "fauve match")]
    event: String,
    /// Plays one of N shares of the tournament: I/N.
    #[arg(long, value_name = "I/N", requires = "seed", value_parser = parse_shard)]
    shard: Option<(u64, u64)>,
    /// Says the final report only.
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    /// Plays the tournament. The status says whether it was played to its end or interrupted.
    ///
    /// # Errors
    /// Settings that make no tournament, engines that take no part, files that cannot be written.
    pub fn run(self, variant: Variant) -> Result<ExitCode> {
        let header = self.header(variant)?;
        let rules = rules(&header.rules)?;
        let record = self.record.clone();
        on_end(Ending::EndMatch);
        let settings = Run {
            concurrency: self.conditions.concurrency(&header.engines),
            record: self.record,
            pgn: self.pgn,
            quiet: self.quiet,
            inside: players::configurations(&header.engines, variant)?,
        };
        match with_game!(variant, G => run::<G>(&header, variant, &rules.options(), &settings)) {
            Ok(done) => {
                let report = Tally::of(&header, &done.games).report(&header);
                Printer::default().write_str(&report)?;
                if !group::is_endgame() {
                    return Ok(ExitCode::SUCCESS);
                }
                warn(how_to_go_on(&done, record.as_deref()));
                Ok(ExitCode::from(INTERRUPTED))
            }
            // Whoever read the output has read enough; the record, if there is one, can be gone on with.
            Err(RunError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
                Ok(ExitCode::SUCCESS)
            }
            Err(error) => Err(error.into()),
        }
    }

    fn header(&self, variant: Variant) -> Result<Header> {
        let engines = self.players()?;
        let rounds = match self.games {
            None => self.rounds,
            Some(games) if games > MOST_GAMES => {
                bail!("--games {games}: at most {MOST_GAMES}")
            }
            Some(games) if games > 0 && games.is_multiple_of(2) => games / 2,
            Some(games) => bail!("--games {games}: games come in pairs, write an even number"),
        };
        let pairings = match self.tournament.as_str() {
            "roundrobin" | "round-robin" => Pairings::RoundRobin,
            "gauntlet" => Pairings::Gauntlet,
            other => bail!(
                "--tournament is roundrobin or gauntlet, not '{}'",
                printable(other)
            ),
        };
        let sprt = self.test()?;
        ensure!(
            sprt.is_none() || pairings.list(engines.len()).len() == 1,
            "--sprt needs exactly two engines"
        );
        ensure!(
            sprt.is_none() || self.shard.is_none(),
            "--sprt and --shard do not go together: a share does not see the results of the others"
        );
        let has_dice = with_game!(variant, G => G::HAS_CHANCE);
        ensure!(
            has_dice || !self.doubling,
            "--doubling: {variant} has no dice"
        );
        let begun = || Some(read_header(self.record.as_ref()?)?.seed);
        Ok(Header {
            event: self.event.clone(),
            pairings,
            rounds,
            sprt,
            luck: has_dice && !self.no_luck,
            doubling: self.doubling,
            shard: self.shard,
            ..self.conditions.header(variant, engines, begun)?
        })
    }

    fn players(&self) -> Result<Vec<EngineSpec>> {
        let mut engines = Vec::new();
        for words in &self.engines.0 {
            let mut spec = self.conditions.player(words)?;
            if !words.iter().any(|word| word.starts_with("name=")) {
                spec.name = free_name(&spec.name, &engines);
            }
            ensure!(
                engines
                    .iter()
                    .all(|other: &EngineSpec| other.name != spec.name),
                "two engines are called {}; give them different name=",
                printable(&spec.name)
            );
            engines.push(spec);
        }
        ensure!(
            engines.len() >= 2,
            "a match needs two engines; give --engine twice or more"
        );
        Ok(engines)
    }

    fn test(&self) -> Result<Option<Sprt>> {
        let mut test = Sprt {
            elo0: 0.0,
            elo1: 5.0,
            alpha: 0.05,
            beta: 0.05,
            model: Model::default(),
        };
        for (key, value) in pairs("--sprt", &self.sprt)? {
            match key {
                "elo0" => test.elo0 = number("--sprt", key, value)?,
                "elo1" => test.elo1 = number("--sprt", key, value)?,
                "alpha" => test.alpha = number("--sprt", key, value)?,
                "beta" => test.beta = number("--sprt", key, value)?,
                "model" => {
                    test.model = match value {
                        "normalized" => Model::Normalized,
                        "logistic" => Model::Logistic,
                        _ => bail!(
                            "--sprt: model is normalized or logistic, not '{}'",
                            printable(value)
                        ),
                    }
                }
                _ => bail!(
                    "--sprt has elo0, elo1, alpha, beta and model, not '{}'",
                    printable(key)
                ),
            }
        }
        test.check()?;
        Ok((!self.sprt.is_empty()).then_some(test))
    }
}

/// What is said of a tournament that was interrupted.
fn how_to_go_on(done: &Record, record: Option<&Path>) -> String {
    let games = done.games.len();
    match record {
        Some(path) => format!(
            "interrupted after {games} games; the same command goes on with them, they are in {}",
            path.display()
        ),
        None => format!(
            "interrupted after {games} games; only a match with --record FILE can be gone on with"
        ),
    }
}

/// A name that nobody has yet: this one, or with a number behind it.
fn free_name(name: &str, others: &[EngineSpec]) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| others.iter().all(|other| other.name != *name))
        .expect("one of so many is free")
}

/// Reads `I/N`.
///
/// # Errors
/// What is no share of so many.
pub fn parse_shard(text: &str) -> Result<(u64, u64)> {
    let shard = text
        .split_once('/')
        .and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
    match shard {
        Some((number, count)) if number >= 1 && number <= count => Ok((number, count)),
        _ => bail!(
            "--shard {}: write I/N with I from 1 to N, such as 2/4",
            printable(text)
        ),
    }
}
