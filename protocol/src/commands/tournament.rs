//! `fauve match`: the referee.

use super::players;
use crate::terminal::Printer;
use crate::variants::with_game;
use crate::wire::options::{Effect, Options};
use anyhow::{Context, Result, bail, ensure};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use fauve_engine::Variant;
use fauve_engine::rules::printable;
use fauve_engine::rules::{Chance, RuleSettings};
use fauve_referee::matches::tournament::{Run, RunError, run};
use fauve_referee::plan::openings::{self, Openings};
use fauve_referee::plan::schedule::Pairings;
use fauve_referee::player::limit::Limit;
use fauve_referee::player::spec::{EngineSpec, Protocol};
use fauve_referee::record::lines::read_header;
use fauve_referee::record::{DrawRule, FORMAT, Header, WinRule};
use fauve_referee::report::tally::Tally;
use fauve_referee::stats::{Model, Sprt};
use std::hash::{BuildHasher, RandomState};
use std::io::ErrorKind;
use std::num::NonZero;
use std::path::PathBuf;
use std::thread;

/// The games of the longest tournament, that of the most rounds.
const MOST_GAMES: u64 = 20_000_000;

/// The words of each `--engine`, kept apart.
#[derive(Clone, Debug, Default)]
pub struct EngineWords(Vec<Vec<String>>);

const ENGINE_HELP: &str = "A player: cmd=PROGRAM (self: this program) name=NAME args=WORDS dir=DIRECTORY \
     proto=uci|ugi|cecp|internal|random variant=NAME restart=on|off option.NAME=VALUE network=FILE param.NAME=VALUE and \
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
    /// Settings of all players, which their own override.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Colour-swapped pairs of games per pairing.
    #[arg(long, default_value_t = 10, conflicts_with = "games", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    rounds: u64,
    /// Games per pairing, an even number; instead of --rounds.
    #[arg(long)]
    games: Option<u64>,
    /// Time per game and what each turn adds, in seconds: 10+0.1, 1:00+0.5.
    #[arg(long, value_name = "BASE+INC")]
    tc: Option<String>,
    /// Milliseconds per turn.
    #[arg(long, value_name = "MS")]
    movetime: Option<String>,
    /// Milliseconds of processor time per turn: equal also on a busy machine.
    #[arg(long, value_name = "MS")]
    cputime: Option<String>,
    /// Nodes per turn.
    #[arg(long)]
    nodes: Option<String>,
    /// Depth in turns.
    #[arg(long)]
    depth: Option<String>,
    /// Who meets whom: roundrobin, or gauntlet (the first player meets all others).
    #[arg(long, default_value = "roundrobin", value_name = "KIND")]
    tournament: String,
    /// Games at the same time; by default 1, or as many as there are processors where no player is a program of its own or
    /// has a clock.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    concurrency: Option<u16>,
    #[arg(long, default_value = "balanced", help = openings::help())]
    openings: String,
    /// With balanced and random:N: the most that a short search may see for a side, in centipawns.
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..))]
    balance: Option<i32>,
    /// Takes the lines of a file in random order.
    #[arg(long)]
    shuffle: bool,
    /// The seed of openings, dice and random players; without it, that of the record or a new one.
    #[arg(long)]
    seed: Option<u64>,
    /// A rule switch, by the name of the option: 'Promotion Pool=physical'.
    #[arg(long, value_name = "NAME=VALUE")]
    rule: Vec<String>,
    /// Milliseconds that a player may overstep its time by.
    #[arg(long, default_value_t = 20, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=600_000))]
    margin: u64,
    /// Seconds after which a player without a clock has stalled.
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    stall: u64,
    /// Ends won games: score=CP turns=N (both players see that much for so many turns).
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// Ends drawn games: score=CP turns=N after=N (neither sees more for so many turns, not before turn N).
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Draws games that last so many turns.
    #[arg(long, value_name = "N")]
    max_turns: Option<u64>,
    /// Stops when decided: elo0=E elo1=E alpha=0.05 beta=0.05 model=normalized|logistic.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Does not reckon the luck of the dice.
    #[arg(long)]
    no_luck: bool,
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
    #[arg(long, value_name = "I/N", requires = "seed")]
    shard: Option<String>,
    /// Says the final report only.
    #[arg(long)]
    quiet: bool,
}

impl Arguments {
    /// Plays the tournament.
    ///
    /// # Errors
    /// Settings that make no tournament, engines that take no part, files that cannot be written.
    pub fn run(self, variant: Variant) -> Result<()> {
        let header = self.header(variant)?;
        let rules = rules(&header.rules)?;
        let settings = Run {
            concurrency: self.concurrency(&header.engines),
            record: self.record,
            pgn: self.pgn,
            quiet: self.quiet,
            inside: players::configurations(&header.engines, variant)?,
        };
        match with_game!(variant, G => run::<G>(&header, variant, &rules.options(), &settings)) {
            Ok(record) => {
                let report = Tally::of(&header, &record.games).report(&header);
                Ok(Printer::default().write_str(&report)?)
            }
            // Whoever read the output has read enough; the record, if there is one, can be gone on with.
            Err(RunError::Output(error)) if error.kind() == ErrorKind::BrokenPipe => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// The games at the same time: those that were asked for, else as many as there are processors, if a busy machine does
    /// not show in the games.
    fn concurrency(&self, players: &[EngineSpec]) -> usize {
        let is_fair = |player: &EngineSpec| {
            let Limit {
                clock, movetime, ..
            } = player.limit;
            !player.protocol.is_program() && clock.is_none() && movetime.is_none()
        };
        let is_internal = |player: &EngineSpec| player.protocol == Protocol::Internal;
        let most = || thread::available_parallelism().map_or(1, NonZero::get);
        match self.concurrency {
            Some(number) => usize::from(number),
            None if players.iter().any(is_internal) && players.iter().all(is_fair) => most(),
            None => 1,
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
        let rules = self
            .rule
            .iter()
            .map(|rule| {
                let (name, value) = rule.split_once('=').with_context(|| {
                    format!("--rule '{}' is not of the form NAME=VALUE", printable(rule))
                })?;
                Ok((name.trim().to_owned(), value.trim().to_owned()))
            })
            .collect::<Result<Vec<_>>>()?;
        let openings = with_game!(variant, G => Openings::parse::<G>(&self.openings, self.balance, self.shuffle))?;
        let sprt = self.test()?;
        ensure!(
            sprt.is_none() || pairings.list(engines.len()).len() == 1,
            "--sprt needs exactly two engines"
        );
        ensure!(
            sprt.is_none() || self.shard.is_none(),
            "--sprt and --shard do not go together: a share does not see the results of the others"
        );
        Ok(Header {
            format: FORMAT,
            event: self.event.clone(),
            variant: variant.name().to_owned(),
            rules,
            engines,
            pairings,
            rounds,
            seed: self.seed(),
            openings,
            margin: self.margin,
            stall: self.stall * 1000,
            resign: self.win_rule()?,
            draw: self.draw_rule()?,
            max_turns: self.max_turns,
            sprt,
            luck: with_game!(variant, G => G::HAS_CHANCE) && !self.no_luck,
            shard: self.shard.as_deref().map(parse_shard).transpose()?,
        })
    }

    fn players(&self) -> Result<Vec<EngineSpec>> {
        let mut each = Vec::new();
        for (key, value) in [
            ("tc", &self.tc),
            ("movetime", &self.movetime),
            ("cputime", &self.cputime),
            ("nodes", &self.nodes),
            ("depth", &self.depth),
        ] {
            each.extend(value.as_ref().map(|value| format!("{key}={value}")));
        }
        each.extend(self.each.iter().cloned());
        let mut engines = Vec::new();
        for words in &self.engines.0 {
            let spec = EngineSpec::complete(words, &each)?;
            ensure!(
                spec.protocol == Protocol::Random || !spec.limit.is_empty(),
                "engine {} has no limit; give --tc, --movetime, --cputime, --nodes or --depth",
                printable(&spec.name)
            );
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

    /// The seed asked for, that of the record that is gone on with, or a new one.
    fn seed(&self) -> u64 {
        self.seed
            .or_else(|| Some(read_header(self.record.as_ref()?)?.seed))
            // As many bits as every reader of JSON keeps.
            .unwrap_or_else(|| RandomState::new().hash_one(0) >> 11)
    }

    fn win_rule(&self) -> Result<Option<WinRule>> {
        let mut rule = WinRule {
            score: 600,
            turns: 4,
        };
        for (key, value) in pairs("--resign", &self.resign)? {
            match key {
                "score" => rule.score = number("--resign", key, value)?,
                "turns" => rule.turns = number("--resign", key, value)?,
                _ => bail!("--resign has score and turns, not '{}'", printable(key)),
            }
        }
        ensure!(
            rule.score > 0 && rule.turns > 0,
            "--resign: score and turns are above 0"
        );
        Ok((!self.resign.is_empty()).then_some(rule))
    }

    fn draw_rule(&self) -> Result<Option<DrawRule>> {
        let mut rule = DrawRule {
            score: 10,
            turns: 8,
            after: 40,
        };
        for (key, value) in pairs("--draw", &self.draw)? {
            match key {
                "score" => rule.score = number("--draw", key, value)?,
                "turns" => rule.turns = number("--draw", key, value)?,
                "after" => rule.after = number("--draw", key, value)?,
                _ => bail!(
                    "--draw has score, turns and after, not '{}'",
                    printable(key)
                ),
            }
        }
        ensure!(
            rule.score >= 0 && rule.turns > 0,
            "--draw: turns is above 0, score not below"
        );
        Ok((!self.draw.is_empty()).then_some(rule))
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

/// The rules of a tournament.
///
/// # Errors
/// An option that is none of the rules, or does not take the value.
pub fn rules(rules: &[(String, String)]) -> Result<RuleSettings> {
    let mut options = Options::default();
    for (name, value) in rules {
        let effect = options.set(name, value)?;
        ensure!(effect == Effect::Rules, "--rule: {name} is no rule switch");
    }
    Ok(options.rules)
}

fn pairs<'a>(option: &str, words: &'a [String]) -> Result<Vec<(&'a str, &'a str)>> {
    words
        .iter()
        .map(|word| {
            word.split_once('=').with_context(|| {
                format!(
                    "{option}: '{}' is not of the form KEY=VALUE",
                    printable(word)
                )
            })
        })
        .collect()
}

fn number<T: std::str::FromStr>(option: &str, key: &str, value: &str) -> Result<T> {
    value.parse().ok().with_context(|| {
        format!(
            "{option}: cannot read {key}={}, write a number",
            printable(value)
        )
    })
}

fn parse_shard(text: &str) -> Result<(u64, u64)> {
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
