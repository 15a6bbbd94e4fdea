//! `fauve match`: the referee.

use super::conditions::{Conditions, number, pairs, rules};
use super::engine_words::EngineWords;
use super::knockout::{self, Knockout, KnockoutEnd};
use super::{Misuse, ensure_free, players};
use crate::signals::{Ending, INTERRUPTED, on_end, watch_players};
use crate::terminal::{self, Printer, warn};
use crate::variants::with_game;
use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use fauve_engine::Variant;
use fauve_engine::rules::{Chance, printable};
use fauve_referee::matches::tournament::{Outcome, Run, RunError, run};
use fauve_referee::plan::openings::Openings;
use fauve_referee::plan::schedule::Pairings;
use fauve_referee::player::affinity::{AffinityError, Processors};
use fauve_referee::player::group;
use fauve_referee::player::log;
use fauve_referee::player::spec::EngineSpec;
use fauve_referee::record::lines::read_header;
use fauve_referee::record::save::is_same_path;
use fauve_referee::record::{ClockScale, Header};
use fauve_referee::report::json;
use fauve_referee::report::sequence::Sequence;
use fauve_referee::stats::{Model, Sprt, Verdict};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The games of the longest tournament, that of the most rounds.
const MOST_GAMES: u64 = 20_000_000;

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
    engines: EngineWords<true>,
    #[command(flatten)]
    conditions: Conditions,
    /// Colour-swapped pairs of games per pairing.
    #[arg(long, default_value_t = 10, conflicts_with = "games", value_parser = clap::value_parser!(u64).range(1..=10_000_000))]
    rounds: u64,
    /// Games per pairing, an even number; instead of --rounds.
    #[arg(long)]
    games: Option<u64>,
    /// Who meets whom: roundrobin, gauntlet (the first player meets all others), or knockout (of each meeting the better player goes
    /// on; --record is a folder then).
    #[arg(long, default_value = "roundrobin", value_name = "KIND")]
    tournament: String,
    /// With a gauntlet: the first N players meet all others, but not each other.
    #[arg(long, default_value_t = 1, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    seeds: u32,
    /// The first engine of each pairing has White in both games, which begin from different openings then.
    #[arg(long, alias = "noswap")]
    no_swap: bool,
    /// The second engine of each pairing begins with White.
    #[arg(long)]
    reverse: bool,
    /// Multiplies the times of clocks on this machine: bench (a million nodes per second in the benchmark of the game is 1; measured
    /// before the first game), or a number.
    #[arg(long, value_name = "bench|FACTOR", value_parser = parse_scale)]
    scale: Option<ClockScale>,
    /// Stop when decided: elo0=E elo1=E alpha=0.05 beta=0.05 model=normalized|logistic.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Print how the match stands after every N games.
    #[arg(long, alias = "ratinginterval", default_value_t = 20, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    interval: u64,
    /// Leave out the luck of the dice.
    #[arg(long)]
    no_luck: bool,
    /// DiceChess with the doubling cube of backgammon: games are worth points, and a double can be passed. A house rule: no published rules have it.
    #[arg(long)]
    doubling: bool,
    /// The record (JSON Lines); an existing one of the same tournament is resumed, and prolonged if --rounds is higher now.
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write each game as PGN when it ends, after those of a record that is resumed.
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Replace a PGN or a log that is there already, also beside the records of a knockout. The PGN of a record that is resumed is written
    /// anew in any case.
    #[arg(long)]
    force: bool,
    /// The name of the event in PGN.
    #[arg(long, default_value = "fauve match")]
    event: String,
    /// Play one of N shares of the tournament's rounds: I/N; needs --seed.
    #[arg(long, value_name = "I/N", requires = "seed", value_parser = parse_shard)]
    shard: Option<(u64, u64)>,
    /// Play these pairs of games of the tournament only, counted from 1 over all pairings: A-B; needs --seed.
    #[arg(long, value_name = "A-B", requires = "seed", conflicts_with = "shard", value_parser = parse_pairs)]
    pairs: Option<(u64, u64)>,
    /// Keep the players of each game on processors of their own, as many as threads think there at a time: all processors, one of each core
    /// first, or these (0-3,8). On Linux only.
    #[arg(long, alias = "use-affinity", num_args = 0..=1, default_missing_value = "", value_name = "PROCESSORS")]
    affinity: Option<String>,
    /// Print the final report only.
    #[arg(long)]
    quiet: bool,
    /// Write all that programs are sent (>), answer (<) and write to standard error (!), with seconds since the start.
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// How the final report is printed: text, or json for programs (nothing else is on standard output then).
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    report: String,
}

impl Arguments {
    /// The log is begun anew, so it must be no file that the tournament reads or writes.
    fn check_log(&self, log: &Path, header: &Header) -> Result<()> {
        let book = book(header);
        let others = [
            ("record", self.record.as_deref()),
            ("PGN", self.pgn.as_deref()),
            ("openings", book),
        ];
        for (what, other) in others {
            ensure!(
                other.is_none_or(|other| !is_same_path(log, other)),
                "--log {}: that is the file of the {what}; give another",
                log.display()
            );
        }
        Ok(())
    }

    /// Plays the tournament. The status says whether it was played to its end or interrupted.
    ///
    /// # Errors
    /// Settings that make no tournament, engines that take no part, files that cannot be written.
    pub fn run(self, variant: Variant) -> Result<ExitCode> {
        let header = self.header(variant)?;
        if self.is_knockout() {
            return self.knockout(&header, variant);
        }
        let rules = rules(&header.rules)?;
        let record = self.record.clone();
        let is_json = self.report == "json";
        if let Some(path) = &self.pgn {
            let is_resumed = (record.as_deref()).is_some_and(|record| {
                // That they are one file is said otherwise.
                is_same_path(path, record) || read_header(record).is_some()
            });
            let is_book = book(&header).is_some_and(|book| is_same_path(path, book));
            ensure_free("--pgn", path, self.force || is_resumed || is_book)?;
        }
        if let Some(path) = &self.log {
            self.check_log(path, &header)?;
            ensure_free("--log", path, self.force)?;
            log::begin(path).with_context(|| format!("--log {}", path.display()))?;
        }
        let affinity = self.affinity(&header)?;
        on_end(Ending::EndMatch);
        watch_players();
        self.conditions.warn_of_cores(&header.engines);
        let settings = Run {
            concurrency: self.conditions.concurrency(&header.engines),
            affinity,
            record: self.record,
            pgn: self.pgn,
            quiet: self.quiet || is_json,
            interval: self.interval,
            inside: players::configurations(&header.engines, variant)?,
        };
        match with_game!(variant, G => run::<G>(&header, variant, &rules.options(), &settings)) {
            Ok(outcome) => report(outcome, record.as_deref(), is_json),
            Err(error) if is_broken_pipe(&error) => {
                bail!("the output was closed before a game was played")
            }
            Err(error) => Err(error.into()),
        }
    }

    fn affinity(&self, header: &Header) -> Result<Vec<Processors>, AffinityError> {
        let list = self.affinity.as_deref();
        self.conditions.affinity(list, &header.engines)
    }

    fn is_knockout(&self) -> bool {
        self.tournament == "knockout"
    }

    fn knockout(self, header: &Header, variant: Variant) -> Result<ExitCode> {
        let Some(folder) = &self.record else {
            bail!(Misuse(
                "--tournament knockout has a record for each meeting; give --record FOLDER"
                    .to_owned()
            ));
        };
        for (option, is_given) in [
            (
                "--pgn (each meeting has one beside its record)",
                self.pgn.is_some(),
            ),
            ("--log", self.log.is_some()),
            ("--sprt", header.sprt.is_some()),
            ("--shard", self.shard.is_some()),
            ("--pairs", self.pairs.is_some()),
            ("--report", self.report != "text"),
        ] {
            ensure!(!is_given, Misuse(format!("a knockout takes no {option}")));
        }
        std::fs::create_dir_all(folder)
            .with_context(|| format!("--record {}", folder.display()))?;
        let affinity = self.affinity(header)?;
        on_end(Ending::EndMatch);
        watch_players();
        self.conditions.warn_of_cores(&header.engines);
        let knockout = Knockout {
            header,
            variant,
            folder,
            force: self.force,
            settings: Run {
                concurrency: self.conditions.concurrency(&header.engines),
                affinity,
                quiet: self.quiet,
                interval: self.interval,
                ..Run::default()
            },
        };
        match knockout.play()? {
            KnockoutEnd::Played { is_complete: true } => Ok(ExitCode::SUCCESS),
            KnockoutEnd::Played { is_complete: false } => Ok(ExitCode::FAILURE),
            KnockoutEnd::Ended(outcome, path) => report(*outcome, Some(&path), false),
        }
    }

    fn header(&self, variant: Variant) -> Result<Header> {
        let engines = self.players()?;
        let rounds = match self.games {
            None => self.rounds,
            Some(games) if games > MOST_GAMES => {
                bail!(Misuse(format!("--games {games}: at most {MOST_GAMES}")))
            }
            Some(games) if games > 0 && games.is_multiple_of(2) => games / 2,
            Some(games) => bail!(Misuse(format!(
                "--games {games}: games come in pairs, write an even number"
            ))),
        };
        let pairings = match self.tournament.as_str() {
            "roundrobin" | "round-robin" | "knockout" if self.seeds > 1 => {
                bail!(Misuse(
                    "--seeds are those of --tournament gauntlet".to_owned()
                ))
            }
            // The meetings of a knockout have one pairing each.
            "roundrobin" | "round-robin" | "knockout" => Pairings::RoundRobin,
            "gauntlet" if self.seeds as usize >= engines.len() => bail!(Misuse(format!(
                "--seeds {}: {} engines leave nobody to meet",
                self.seeds,
                engines.len()
            ))),
            "gauntlet" if self.seeds > 1 => Pairings::Seeds(self.seeds),
            "gauntlet" => Pairings::Gauntlet,
            other => bail!(Misuse(format!(
                "--tournament is roundrobin, gauntlet or knockout, not '{}'",
                printable(other)
            ))),
        };
        let pairs = rounds * pairings.list(engines.len()).len() as u64;
        if let Some((first, last)) = self.pairs.filter(|&(_, last)| last > pairs) {
            let count = terminal::number(pairs, "pair");
            bail!(Misuse(format!(
                "--pairs {first}-{last}: the tournament has {count} of games"
            )));
        }
        let sprt = self.test()?;
        ensure!(
            sprt.is_none() || pairings.list(engines.len()).len() == 1,
            Misuse("--sprt needs exactly two engines".to_owned())
        );
        let has_dice = with_game!(variant, G => G::HAS_CHANCE);
        ensure!(
            has_dice || !self.doubling,
            Misuse(format!("--doubling: {variant} has no dice"))
        );
        ensure!(
            !has_dice || engines.iter().all(|engine| !engine.ponder),
            Misuse(format!(
                "ponder=on: no turn of {variant} can be expected before its roll"
            ))
        );
        let begun = || {
            let record = self.record.as_ref()?;
            let first = self.is_knockout().then(|| knockout::record(record, 1, 1));
            Some(read_header(first.as_ref().unwrap_or(record))?.seed)
        };
        Ok(Header {
            event: self.event.clone(),
            pairings,
            no_swap: self.no_swap,
            reverse: self.reverse,
            scale: self.scale,
            rounds,
            sprt,
            luck: has_dice && !self.no_luck,
            doubling: self.doubling,
            shard: self.shard,
            pairs: self.pairs,
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
                Misuse(format!(
                    "two engines are called {}; give them different name=",
                    printable(&spec.name)
                ))
            );
            engines.push(spec);
        }
        ensure!(
            engines.len() >= 2,
            Misuse("a match needs two engines; give --engine twice or more".to_owned())
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
                        _ => bail!(Misuse(format!(
                            "--sprt: model is normalized or logistic, not '{}'",
                            printable(value)
                        ))),
                    }
                }
                _ => bail!(Misuse(format!(
                    "--sprt has elo0, elo1, alpha, beta and model, not '{}'",
                    printable(key)
                ))),
            }
        }
        test.check().map_err(|error| Misuse(error.to_string()))?;
        Ok((!self.sprt.is_empty()).then_some(test))
    }
}

/// The file of the openings.
fn book(header: &Header) -> Option<&Path> {
    match &header.openings {
        Openings::File { path, .. } => Some(Path::new(path)),
        _ => None,
    }
}

fn is_broken_pipe(error: &RunError) -> bool {
    matches!(error, RunError::Output(error) if error.kind() == ErrorKind::BrokenPipe)
}

/// Prints what has come of a tournament, whatever has ended it, and gives the status.
fn report(outcome: Outcome, record: Option<&Path>, is_json: bool) -> Result<ExitCode> {
    if outcome.error.as_ref().is_some_and(is_broken_pipe) {
        // Unlike a listing of which the reader has enough, a match that is not played to its end is not done.
        let what = how_to_resume(outcome.tally.games(), record);
        bail!("the output was closed: {what}");
    }
    let mut out = Printer::default();
    if is_json {
        let report = json::report(&outcome.tally, &outcome.header, &outcome.sequence);
        out.write_str(&format!("{report}\n"))?;
    } else {
        out.write_str(&outcome.tally.report(&outcome.header, &outcome.sequence))?;
        if let Some(sentence) = decision(&outcome.sequence) {
            out.write_str(&format!("{sentence}\n"))?;
        }
    }
    warn_of_withdrawn(&outcome);
    if let Some(slowdown) = outcome.speed.slowdown() {
        warn(format_args!("note: this machine: {slowdown}"));
    }
    if outcome.left_out > 0 {
        warn(format_args!(
            "{} are not played{}",
            terminal::number(outcome.left_out, "game"),
            record.map_or("", |_| "; the same command plays them when it starts again")
        ));
    }
    if let Some(error) = outcome.error {
        return Err(error.into());
    }
    if group::is_stopping() {
        warn(how_to_resume(outcome.tally.games(), record));
        return Ok(ExitCode::from(INTERRUPTED));
    }
    if outcome.is_stopped {
        warn(
            "stopped: the tournament was decided elsewhere (there is a stop file beside the record)",
        );
    }
    Ok(if outcome.withdrawn.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// Names the programs that did not start any more.
pub(super) fn warn_of_withdrawn(outcome: &Outcome) {
    for (name, failure) in &outcome.withdrawn {
        warn(format_args!(
            "engine {} was withdrawn: it does not start any more ({failure})",
            printable(name)
        ));
    }
}

/// What the test has decided.
pub fn decision(sequence: &Sequence) -> Option<String> {
    let verdict = match sequence.verdict()? {
        Verdict::H0 => "H0",
        Verdict::H1 => "H1",
    };
    let (llr, _) = sequence.llr()?;
    Some(format!(
        "SPRT: {verdict} accepted after the first {}, LLR {llr:.2}",
        terminal::number(sequence.pairs(), "pair")
    ))
}

/// What to print about a tournament that was interrupted.
fn how_to_resume(games: u64, record: Option<&Path>) -> String {
    if games == 0 {
        return "interrupted before a game was finished in this match; the same command starts it"
            .to_owned();
    }
    let games = terminal::number(games, "game");
    match record {
        Some(path) => format!(
            "interrupted after {games}; the same command resumes the match, its games are in {}",
            path.display()
        ),
        None => {
            format!("interrupted after {games}; only a match with --record FILE can be resumed")
        }
    }
}

/// A name that nobody has yet: this one, or with a number behind it.
fn free_name(name: &str, others: &[EngineSpec]) -> String {
    let numbered = (2..).map(|number| format!("{name}-{number}"));
    std::iter::once(name.to_owned())
        .chain(numbered)
        .find(|name| others.iter().all(|other| other.name != *name))
        .expect("one of these is free")
}

fn parse_scale(text: &str) -> Result<ClockScale, String> {
    if text == "bench" {
        return Ok(ClockScale::Bench);
    }
    match text.parse() {
        Ok(factor) if (0.01..=100.0).contains(&factor) => Ok(ClockScale::By(factor)),
        _ => Err("write bench, or a factor from 0.01 to 100".to_owned()),
    }
}

/// Reads `I/N`.
///
/// # Errors
/// What is no share of this many.
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

/// Reads `A-B`, or the number of one pair.
fn parse_pairs(text: &str) -> Result<(u64, u64)> {
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    match (first.trim().parse(), last.trim().parse()) {
        (Ok(first), Ok(last)) if 1 <= first && first <= last => Ok((first, last)),
        _ => bail!(
            "--pairs {}: write A-B, the first and the last pair from 1, such as 41-60",
            printable(text)
        ),
    }
}
