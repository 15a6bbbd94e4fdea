//! What a player is: its command, protocol, options and limits, as the user writes them.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// The protocol of a player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// Universal Chess Interface.
    #[default]
    Uci,
    /// Universal Game Interface.
    Ugi,
    /// Chess Engine Communication Protocol, that of XBoard.
    Cecp,
    /// No program: the referee itself plays random turns, an anchor for weak engines and a test of the referee.
    Random,
}

impl Protocol {
    /// Reads a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "uci" => Self::Uci,
            "ugi" => Self::Ugi,
            "cecp" | "xboard" | "winboard" => Self::Cecp,
            "random" => Self::Random,
            _ => return None,
        })
    }
}

/// What a player may spend on a turn. Several limits together hold together.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// The game clock: the time at the start and what each turn adds, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock: Option<(u64, u64)>,
    /// Time per turn, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub movetime: Option<u64>,
    /// Nodes per turn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Depth in turns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
}

impl Limit {
    /// Whether nothing limits the player.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// The time after which an unfinished turn is lost on time, given what the clock shows.
    pub fn time(&self, left: Duration) -> Option<Duration> {
        let movetime = self.movetime.map(Duration::from_millis);
        match (self.clock, movetime) {
            (Some(_), Some(movetime)) => Some(left.min(movetime)),
            (Some(_), None) => Some(left),
            (None, movetime) => movetime,
        }
    }

    /// Takes one `key=value`; `Ok(false)` if the key is none of a limit's.
    ///
    /// # Errors
    /// A value that cannot be read.
    pub fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "tc" => self.clock = Some(parse_clock(value)?),
            "movetime" => self.movetime = Some(parse_count(key, value)?),
            "st" => {
                let time = parse_seconds(value).filter(|&time| time > 0);
                self.movetime = Some(time.ok_or_else(|| {
                    format!("cannot read st={value}; write seconds, such as st=0.1")
                })?);
            }
            "nodes" => self.nodes = Some(parse_count(key, value)?),
            "depth" => self.depth = Some(parse_count(key, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// This limit where it says something, else `other`.
    #[must_use]
    pub fn or(self, other: &Self) -> Self {
        if self.is_empty() { other.clone() } else { self }
    }
}

impl fmt::Display for Limit {
    /// As in PGN's TimeControl tag where there is a clock, `10+0.1`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut separator = "";
        let mut part = |f: &mut fmt::Formatter<'_>, text: String| {
            let result = write!(f, "{separator}{text}");
            separator = " ";
            result
        };
        if let Some((base, increment)) = self.clock {
            part(f, format!("{}+{}", seconds(base), seconds(increment)))?;
        }
        if let Some(time) = self.movetime {
            part(f, format!("movetime={time}"))?;
        }
        if let Some(nodes) = self.nodes {
            part(f, format!("nodes={nodes}"))?;
        }
        if let Some(depth) = self.depth {
            part(f, format!("depth={depth}"))?;
        }
        if self.is_empty() {
            f.write_str("-")?;
        }
        Ok(())
    }
}

fn seconds(milliseconds: u64) -> f64 {
    milliseconds as f64 / 1000.0
}

/// Reads seconds, `10` or `0.1`, as milliseconds.
fn parse_seconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    (seconds.is_finite() && (0.0..=1e7).contains(&seconds))
        .then(|| (seconds * 1000.0).round() as u64)
}

/// Reads `base+increment`: seconds, or `minutes:seconds` for the base.
fn parse_clock(text: &str) -> Result<(u64, u64), String> {
    let (base, increment) = text.split_once('+').unwrap_or((text, "0"));
    let base = match base.split_once(':') {
        Some((minutes, seconds)) => minutes
            .parse::<u32>()
            .ok()
            .filter(|&minutes| minutes <= 100_000)
            .zip(parse_seconds(seconds))
            .map(|(minutes, rest)| u64::from(minutes) * 60_000 + rest),
        None => parse_seconds(base),
    };
    base.zip(parse_seconds(increment))
        .filter(|&(base, increment)| base + increment > 0)
        .ok_or_else(|| {
            format!(
                "cannot read the time control '{text}'; write seconds+increment, such as 10+0.1"
            )
        })
}

fn parse_count<T: std::str::FromStr + PartialOrd + From<u8>>(
    key: &str,
    text: &str,
) -> Result<T, String> {
    text.parse()
        .ok()
        .filter(|count| *count >= T::from(1))
        .ok_or_else(|| format!("cannot read {key}={text}; write a number above 0"))
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// What the records call it; no two players share a name.
    pub name: String,
    /// The program, `self` for this one; empty for [`Protocol::Random`].
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub command: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
    /// The directory that it runs in, if not the referee's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub directory: Option<String>,
    /// How to talk to it.
    pub protocol: Protocol,
    /// The options to set, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<(String, String)>,
    /// What it calls the game, if not what its option `UCI_Variant` suggests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What it may spend on a turn.
    pub limit: Limit,
    /// Whether it is started anew for every game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
}

impl EngineSpec {
    /// Reads `cmd=PROGRAM name=NAME args=WORDS dir=DIRECTORY proto=uci|ugi|cecp|random variant=NAME restart=on|off
    /// option.NAME=VALUE tc=BASE+INC (seconds) st=SECONDS movetime=MILLISECONDS nodes=N depth=N`, one string each. A word without `=` that
    /// comes first is the program.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Self, String> {
        let mut spec = Self::default();
        for (i, word) in words.iter().enumerate() {
            let word = word.as_ref();
            let (key, value) = match word.split_once('=') {
                Some(pair) => pair,
                None if i == 0 => ("cmd", word),
                None => return Err(format!("engine: '{word}' is not of the form key=value")),
            };
            if !spec.set(key, value)? {
                return Err(format!(
                    "engine: unknown key '{key}'; known are cmd, name, args, dir, proto, variant, restart, \
                     option.NAME, tc, st, movetime, nodes, depth"
                ));
            }
        }
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<bool, String> {
        match key {
            "cmd" => value.clone_into(&mut self.command),
            "name" => value.clone_into(&mut self.name),
            "args" => self.arguments = split_words(value)?,
            "dir" => self.directory = Some(value.to_owned()),
            "variant" => self.variant = Some(value.to_owned()),
            "restart" => {
                self.restart = match value {
                    "on" | "true" | "1" => true,
                    "off" | "false" | "0" => false,
                    _ => return Err(format!("engine: restart is on or off, not '{value}'")),
                }
            }
            "proto" => {
                self.protocol = Protocol::from_name(value).ok_or_else(|| {
                    format!("engine: proto is uci, ugi, cecp or random, not '{value}'")
                })?;
            }
            _ => match key.strip_prefix("option.") {
                Some(name) => self.options.push((name.to_owned(), value.to_owned())),
                None => return self.limit.set(key, value),
            },
        }
        Ok(true)
    }

    /// Fills what was left open: a name, and the common settings `each` (words as for [`EngineSpec::parse`]), which
    /// a player's own settings override.
    ///
    /// # Errors
    /// A sentence that says what is wrong.
    pub fn complete<S: AsRef<str>>(words: &[S], each: &[S]) -> Result<Self, String> {
        let common = Self::parse(each)?;
        let own = Self::parse(words)?;
        let mut spec = common.clone();
        for word in words.iter().map(AsRef::as_ref) {
            // Only the first can be without `=`, and then is the program.
            let (key, value) = word.split_once('=').unwrap_or(("cmd", word));
            spec.set(key, value)?;
        }
        spec.limit = own.limit.or(&common.limit);
        spec.name = own.name;
        if spec.protocol != Protocol::Random && spec.command.is_empty() {
            return Err("engine: no program; write cmd=PROGRAM".to_owned());
        }
        if spec.name.is_empty() {
            spec.name = if spec.protocol == Protocol::Random {
                "random".to_owned()
            } else if spec.command == super::process::SELF {
                "fauve".to_owned()
            } else {
                std::path::Path::new(&spec.command).file_stem().map_or_else(
                    || spec.command.clone(),
                    |stem| stem.to_string_lossy().into_owned(),
                )
            };
        }
        Ok(spec)
    }
}

/// Splits words at white space; single and double quotes keep it.
fn split_words(text: &str) -> Result<Vec<String>, String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for letter in text.chars() {
        match quote {
            Some(open) if letter == open => quote = None,
            None if letter == '"' || letter == '\'' => {
                quote = Some(letter);
                word.get_or_insert_default();
            }
            None if letter.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(letter),
        }
    }
    if quote.is_some() {
        return Err(format!("engine: a quote is not closed in '{text}'"));
    }
    words.extend(word);
    Ok(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_engines_as_users_write_them() {
        let spec = EngineSpec::complete(
            &[
                "cmd=/bin/engine.sh",
                "args=--book 'my book' -x",
                "option.Move Overhead=50",
                "nodes=1000",
            ],
            &["tc=1:00+0.5", "option.Hash=16", "restart=on"],
        )
        .unwrap();
        assert_eq!(spec.name, "engine");
        assert_eq!(spec.arguments, ["--book", "my book", "-x"]);
        assert_eq!(
            spec.options,
            [("Hash", "16"), ("Move Overhead", "50")].map(|(a, b)| (a.to_owned(), b.to_owned()))
        );
        assert!(spec.restart);
        assert_eq!(spec.limit.nodes, Some(1000));
        assert_eq!(
            spec.limit.clock, None,
            "a player's own limit replaces the common one"
        );
        let written = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<EngineSpec>(&written).unwrap(), spec);
    }

    #[test]
    fn reads_time_controls() {
        assert_eq!(parse_clock("10+0.1"), Ok((10_000, 100)));
        assert_eq!(parse_clock("1:30+2"), Ok((90_000, 2_000)));
        assert_eq!(parse_clock("5"), Ok((5_000, 0)));
        for bad in [
            "",
            "+",
            "x+1",
            "-1+0",
            "1+x",
            "nan",
            "inf",
            "1e300",
            "0+0",
            "9:9:9",
            "99999999999:1",
        ] {
            assert!(parse_clock(bad).is_err(), "{bad}");
        }
        let mut limit = Limit::default();
        limit.set("tc", "10+0.1").unwrap();
        assert_eq!(limit.to_string(), "10+0.1");
        assert!(limit.set("nodes", "0").is_err());
        assert!(limit.set("depth", "-3").is_err());
        assert_eq!(limit.set("colour", "red"), Ok(false));
    }

    #[test]
    fn refuses_nonsense_with_a_reason() {
        for words in [
            vec!["name=a"],
            vec!["cmd=a", "flag"],
            vec!["cmd=a", "proto=smoke"],
            vec!["cmd=a", "args='open"],
            vec!["cmd=a", "hue=3"],
        ] {
            assert!(EngineSpec::complete(&words, &[]).is_err(), "{words:?}");
        }
        assert!(EngineSpec::complete(&["proto=random"], &[]).is_ok());
        let short = EngineSpec::complete(&["./engine", "name=x"], &["nodes=5"]).unwrap();
        assert_eq!(
            (short.command.as_str(), short.limit.nodes),
            ("./engine", Some(5))
        );
    }
}
