//! The conditions of games, for all commands that have engines play: limits, openings, rules, adjudication.

use super::Misuse;
use crate::terminal::warn;
use crate::variants::with_game;
use crate::wire::options::{Effect, Options};
use anyhow::{Result, bail, ensure};
use clap::Args;
use fauve_engine::Variant;
use fauve_engine::rules::{RuleSettings, opening_list, printable};
use fauve_referee::plan::openings::{self, OpeningSettings, Openings};
use fauve_referee::plan::schedule::Pairings;
use fauve_referee::player::affinity::{AffinityError, Processors};
use fauve_referee::player::limit::Limit;
use fauve_referee::player::spec::{EngineSpec, LONGEST_MARGIN, Protocol};
use fauve_referee::record::{DrawRule, FORMAT, Header, WinRule};
use std::hash::{BuildHasher, RandomState};
use std::num::NonZero;
use std::thread;

/// Under which conditions games are played.
#[derive(Args, Clone, Debug)]
pub struct Conditions {
    /// Settings of all players, which their own override.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// Time per game and what each turn adds, in seconds: 10+0.1, 1:00+0.5; 40/60+0.6 for 60 seconds every 40 turns.
    #[arg(long, value_name = "[TURNS/]BASE+INC")]
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
    /// Games at the same time; by default 1, or as many as there are processors where no player is a program of its own or
    /// has a clock.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    concurrency: Option<u16>,
    #[arg(long, default_value = "balanced", num_args = 1.., help = openings::help())]
    openings: Vec<String>,
    /// With balanced and random:N: the most that a short search may see for a side, in centipawns.
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(i32).range(0..))]
    balance: Option<i32>,
    /// Take the lines of a file in random order.
    #[arg(long)]
    shuffle: bool,
    /// With a PGN: the most turns that are played of each of its games (a turn of one side); all by default.
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// The opening of a file that comes first, from 1.
    #[arg(long, value_name = "N")]
    start: Option<u64>,
    /// The seed of openings, dice and random players; without it, that of the record or a new one.
    #[arg(long, alias = "srand")]
    seed: Option<u64>,
    /// A rule switch, by the name of the option: 'Promotion Pool=physical'.
    #[arg(long, value_name = "NAME=VALUE")]
    rule: Vec<String>,
    /// Milliseconds that a player may overstep its time by.
    #[arg(long, alias = "timemargin", default_value_t = 20, value_name = "MS", value_parser = clap::value_parser!(u64).range(..=LONGEST_MARGIN))]
    margin: u64,
    /// Seconds after which a player without a clock has stalled.
    #[arg(long, default_value_t = 60, value_name = "S", value_parser = clap::value_parser!(u64).range(1..=86_400))]
    stall: u64,
    /// End won games: score=CP turns=N sides=both|loser: both players (or the loser) see that much for N turns of each.
    /// What is not given: score=600 turns=4 sides=both.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    resign: Vec<String>,
    /// End drawn games: score=CP turns=N after=N: neither player sees more for N turns of each, and not before turn N.
    /// What is not given: score=10 turns=8 after=40.
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    draw: Vec<String>,
    /// Draw games that last this many turns.
    #[arg(long, value_name = "N")]
    max_turns: Option<u64>,
}

/// The most lines or games of a file of openings that are named because something is wrong with them.
const MOST_NAMED: usize = 10;

/// Says what is wrong with lines or games of the openings: each with these words before it, and behind the last that is named how many
/// more there are.
fn warn_of_openings(faults: &[String], before: &str, more: impl Fn(usize) -> String) {
    for fault in faults.iter().take(MOST_NAMED) {
        warn(format_args!("note: {before}{fault}"));
    }
    let others = faults.iter().skip(MOST_NAMED).count();
    if others > 0 {
        warn(format_args!("note: {}", more(others)));
    }
}

impl Conditions {
    /// A player by its words, with what is set for all.
    ///
    /// # Errors
    /// What is wrong with the words; a player without any limit.
    pub fn player(&self, words: &[String]) -> Result<EngineSpec> {
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
        let spec = EngineSpec::complete(words, &each).map_err(|error| Misuse(error.to_string()))?;
        ensure!(
            spec.protocol.is_thoughtless() || !spec.limit.is_empty(),
            Misuse(format!(
                "engine {} has no limit; give --tc, --movetime, --cputime, --nodes or --depth",
                printable(&spec.name)
            ))
        );
        Ok(spec)
    }

    /// A tournament of one round under these conditions, with everybody against everybody. Without a seed asked for it has
    /// that of the resumed run, or else a new one.
    ///
    /// # Errors
    /// Conditions that are none.
    pub fn header(
        &self,
        variant: Variant,
        engines: Vec<EngineSpec>,
        begun: impl FnOnce() -> Option<u64>,
    ) -> Result<Header> {
        let mut rules = name_value_pairs(&self.rule)?;
        // Positions of Chess960 are no others by the rules of orthodox chess.
        let (name, settings) = self.opening_settings()?;
        let needed = with_game!(variant, G => opening_list::<G>(&name).and_then(|list| list.rule));
        if let Some(rule) = needed {
            let is_named = |(name, _): &&(String, String)| name.eq_ignore_ascii_case(rule.name);
            match rules.iter().find(is_named) {
                Some((_, value)) => ensure!(
                    value.eq_ignore_ascii_case("true"),
                    Misuse(format!(
                        "--openings {name}: these positions need --rule {}=true",
                        rule.name
                    ))
                ),
                None => rules.push((rule.name.to_owned(), "true".to_owned())),
            }
        }
        let options = self::rules(&rules)?;
        let openings = with_game!(variant, G => {
            Openings::parse::<G>(&name, variant, settings, &options.options())
        })
        .map_err(|error| {
            if error.is_misuse() {
                Misuse(error.to_string()).into()
            } else {
                anyhow::Error::from(error)
            }
        })?;
        warn_of_openings(openings.corrections(), "", |more| {
            format!("{more} more corrections of the openings are not shown")
        });
        warn_of_openings(openings.left_out(), "left out: ", |more| {
            format!("left out of the openings: {more} more games")
        });
        Ok(Header {
            format: FORMAT,
            event: String::new(),
            variant: variant.name().to_owned(),
            rules,
            referee: None,
            engines,
            pairings: Pairings::default(),
            no_swap: false,
            reverse: false,
            scale: None,
            rounds: 1,
            // As many bits as every reader of JSON keeps.
            seed: self
                .seed
                .or_else(begun)
                .unwrap_or_else(|| RandomState::new().hash_one(0) >> 11),
            openings,
            margin: self.margin,
            stall: self.stall * 1000,
            resign: self.win_rule()?,
            draw: self.draw_rule()?,
            max_turns: self.max_turns,
            sprt: None,
            luck: false,
            doubling: false,
            shard: None,
            pairs: None,
        })
    }

    /// The openings by their name or file, and what is to be taken of them: as our own options say it, or as the words of fastchess after
    /// `--openings` do, `file=F format=epd order=random plies=N start=N`.
    fn opening_settings(&self) -> Result<(String, OpeningSettings)> {
        let mut settings = OpeningSettings {
            balance: self.balance,
            shuffle: self.shuffle,
            turns: self.plies,
            start: self.start,
        };
        if let [name] = &self.openings[..]
            && !name.starts_with("file=")
        {
            return Ok((name.clone(), settings));
        }
        let mut file = None;
        for (key, value) in pairs("--openings", &self.openings)? {
            match (key, value) {
                ("file", _) => file = Some(value.to_owned()),
                // The content shows what it is.
                ("format", "epd" | "fen" | "pgn") | ("order", "sequential") => {}
                ("order", "random") => settings.shuffle = true,
                ("plies", _) => settings.turns = Some(number("--openings", key, value)?),
                ("start", _) => settings.start = Some(number("--openings", key, value)?),
                ("format", _) => bail!(Misuse(format!(
                    "--openings: format is epd or pgn, not '{}'",
                    printable(value)
                ))),
                ("order", _) => {
                    bail!(Misuse(format!(
                        "--openings: order is random or sequential, not '{}'",
                        printable(value)
                    )))
                }
                _ => bail!(Misuse(format!(
                    "--openings has file, format, order, plies and start, not '{}'",
                    printable(key)
                ))),
            }
        }
        let file = file.ok_or_else(|| Misuse("--openings: no file; write file=PATH".to_owned()))?;
        Ok((file, settings))
    }

    /// The games at the same time: those that were asked for, else as many as there are processors, if a busy machine does
    /// not show in the games.
    pub fn concurrency(&self, players: &[EngineSpec]) -> usize {
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

    /// The processors of each game at a time, where each is to have its own. `list` are those that are to be used; empty: all.
    ///
    /// # Errors
    /// Too few processors, or a list that cannot be used.
    pub fn affinity(
        &self,
        list: Option<&str>,
        players: &[EngineSpec],
    ) -> Result<Vec<Processors>, AffinityError> {
        let Some(list) = list else {
            return Ok(Vec::new());
        };
        let thinking = players
            .iter()
            .filter(|player| !player.protocol.is_thoughtless());
        let threads = most_threads(&thinking.collect::<Vec<_>>());
        let list = Some(list).filter(|list| !list.is_empty());
        Processors::share_out(list, self.concurrency(players), threads)
    }

    /// Warns where more threads think at a time than there are processors, and times mean nothing.
    pub fn warn_of_cores(&self, players: &[EngineSpec]) {
        let is_timed = |player: &&EngineSpec| {
            let limit = &player.limit;
            !player.protocol.is_thoughtless() && (limit.clock.is_some() || limit.movetime.is_some())
        };
        let timed: Vec<_> = players.iter().filter(is_timed).collect();
        let most = most_threads(&timed);
        let wanted = most.saturating_mul(self.concurrency(players));
        let cores = thread::available_parallelism().map_or(usize::MAX, NonZero::get);
        if wanted > cores {
            warn(format_args!(
                "warning: {wanted} threads think at a time (--concurrency times Threads, of both players with ponder=on), and there are {cores} \
                 processors: players lose time by waiting for one"
            ));
        }
    }

    fn win_rule(&self) -> Result<Option<WinRule>> {
        let mut rule = WinRule {
            score: 600,
            turns: 4,
            loser_alone: false,
        };
        for (key, value) in pairs("--resign", &self.resign)? {
            match key {
                "score" => rule.score = number("--resign", key, value)?,
                "turns" | "movecount" => rule.turns = number("--resign", key, value)?,
                "sides" => {
                    rule.loser_alone = match value {
                        "both" => false,
                        "loser" => true,
                        other => bail!(Misuse(format!(
                            "--resign: sides is both or loser, not '{}'",
                            printable(other)
                        ))),
                    }
                }
                "twosided" => {
                    rule.loser_alone = match value {
                        "true" => false,
                        "false" => true,
                        other => bail!(Misuse(format!(
                            "--resign: twosided is true or false, not '{}'",
                            printable(other)
                        ))),
                    }
                }
                _ => bail!(Misuse(format!(
                    "--resign has score, turns and sides, not '{}'",
                    printable(key)
                ))),
            }
        }
        ensure!(
            rule.score > 0 && rule.turns > 0,
            Misuse("--resign: score and turns are above 0".to_owned())
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
                "turns" | "movecount" => rule.turns = number("--draw", key, value)?,
                "after" | "movenumber" => rule.after = number("--draw", key, value)?,
                _ => bail!(Misuse(format!(
                    "--draw has score, turns and after, not '{}'",
                    printable(key)
                ))),
            }
        }
        ensure!(
            rule.score >= 0 && rule.turns > 0,
            Misuse("--draw: turns is above 0, score not below".to_owned())
        );
        Ok((!self.draw.is_empty()).then_some(rule))
    }
}

/// The most threads that think at a time in a game of these players.
fn most_threads(players: &[&EngineSpec]) -> usize {
    let threads = |player: &EngineSpec| -> usize {
        let mut options = player.options.iter().rev();
        let option = options.find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        option
            .and_then(|(_, value)| value.trim().parse().ok())
            .unwrap_or(1)
    };
    let alone = players.iter().map(|player| threads(player));
    let both = players.iter().enumerate().flat_map(|(place, one)| {
        let others = players[place + 1..].iter();
        let pairs = others.filter(|other| one.ponder || other.ponder);
        pairs.map(|other| threads(one).saturating_add(threads(other)))
    });
    alone.chain(both).max().unwrap_or(0)
}

/// The rules of a tournament.
///
/// # Errors
/// An option that is none of the rules, or does not take the value.
pub fn rules(rules: &[(String, String)]) -> Result<RuleSettings> {
    let mut options = Options::default();
    for (name, value) in rules {
        let effect = options
            .set(name, value)
            .map_err(|error| Misuse(format!("--rule: {error}")))?;
        ensure!(
            effect == Effect::Rules,
            Misuse(format!("--rule: {name} is not a rule switch"))
        );
    }
    Ok(options.rules)
}

/// The words of `--rule`, as names and values.
///
/// # Errors
/// A word without `=`.
pub fn name_value_pairs(words: &[String]) -> Result<Vec<(String, String)>> {
    let pair = |rule: &String| {
        let (name, value) = rule.split_once('=').ok_or_else(|| {
            let rule = printable(rule);
            Misuse(format!("--rule '{rule}' is not of the form NAME=VALUE"))
        })?;
        Ok((name.trim().to_owned(), value.trim().to_owned()))
    };
    words.iter().map(pair).collect()
}

/// Reads words of the form `key=value`.
///
/// # Errors
/// A word of another form.
pub fn pairs<'a>(option: &str, words: &'a [String]) -> Result<Vec<(&'a str, &'a str)>> {
    words
        .iter()
        .map(|word| {
            word.split_once('=').ok_or_else(|| {
                let word = printable(word);
                Misuse(format!("{option}: '{word}' is not of the form KEY=VALUE")).into()
            })
        })
        .collect()
}

/// Reads the number of a `key=value`.
///
/// # Errors
/// A value that is none.
pub fn number<T: std::str::FromStr>(option: &str, key: &str, value: &str) -> Result<T> {
    value.parse().map_err(|_| {
        let value = printable(value);
        Misuse(format!(
            "{option}: cannot read {key}={value}, write a number"
        ))
        .into()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn players_that_ponder_think_at_the_same_time_as_their_opponents() {
        let most = |players: &[&[&str]]| {
            let players: Vec<_> = players
                .iter()
                .map(|words| EngineSpec::parse(words).unwrap())
                .collect();
            most_threads(&players.iter().collect::<Vec<_>>())
        };
        assert_eq!(most(&[]), 0);
        assert_eq!(most(&[&["a"], &["b", "option.Threads=3"]]), 3);
        assert_eq!(most(&[&["a", "ponder=on"], &["b", "option.Threads=3"]]), 4);
        let three = [&["a", "option.threads=2"][..], &["b", "option.Threads=3"]];
        assert_eq!(most(&[three[0], three[1], &["c", "ponder=on"]]), 4);
        assert_eq!(most(&[&["a", "ponder=on"]]), 1);
    }
}
