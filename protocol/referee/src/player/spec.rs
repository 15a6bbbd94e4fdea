//! What a player is: its command, protocol, options and limits, as the user writes them.

use crate::player::identity::Identity;
use crate::player::limit::{Limit, LimitError};
use crate::player::move_request::HANDSHAKE_TIMEOUT;
use fauve_engine::rules::printable;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The command that means this program; the records of shards on different machines stay equal by it.
pub const SELF: &str = "self";
/// The option of UCI that names the game.
pub(super) const GAME: &str = "UCI_Variant";
/// The option that names a network.
const NETWORK: &str = "EvalFile";
/// The longest time that a program can be given to start, in seconds.
const LONGEST_STARTUP: u64 = 86_400;
/// The most that a player can be allowed to overstep its time by, in milliseconds.
pub const LONGEST_MARGIN: u64 = 600_000;

/// A player that was not described well.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum SpecError {
    /// A word without `=`.
    #[error("engine: '{}' is not of the form key=value", printable(.0))]
    Word(String),
    /// A key that no player has.
    #[error(
        "engine: unknown key '{}'; known are cmd, name, args, dir, proto, variant, restart, ponder, startup, margin, option.NAME, network, \
         param.NAME, tc, st, movetime, cputime, nodes, depth",
        printable(.0)
    )]
    Key(String),
    /// A switch that is neither on nor off.
    #[error("engine: {key} is on or off, not '{}'", printable(.value))]
    Switch {
        /// The key of the switch.
        key: &'static str,
        /// What was written behind it.
        value: String,
    },
    /// A player without a protocol cannot think on its opponent's time.
    #[error("engine: ponder=on is for programs; proto={} thinks only when it is to move", .0.name())]
    Ponder(Protocol),
    /// A protocol without words for it.
    #[error("engine: ponder=on needs proto=uci or cecp: UGI has no command for it")]
    PonderOverUgi,
    /// A time to start that is none.
    #[error("engine: startup is 1 to {LONGEST_STARTUP} seconds, not '{}'", printable(.0))]
    Startup(String),
    /// A margin that is none.
    #[error("engine: margin is 0 to {LONGEST_MARGIN} milliseconds, not '{}'", printable(.0))]
    Margin(String),
    /// A protocol that nobody speaks.
    #[error("engine: proto is uci, ugi, cecp, internal, random or greedy, not '{}'", printable(.0))]
    Protocol(String),
    /// A quote without its end.
    #[error("engine: a quote is not closed in '{}'", printable(.0))]
    OpenQuote(String),
    /// An option for a player that has none.
    #[error("engine: proto={} has no options, so none called '{}'", .0.name(), printable(.1))]
    NoOptions(Protocol, String),
    /// Nothing to start.
    #[error("engine: no program; write cmd=PROGRAM")]
    NoProgram,
    /// A limit that cannot be read.
    #[error(transparent)]
    Limit(#[from] LimitError),
}

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
    /// No program: the referee asks the engine's library, in its own process.
    Internal,
    /// No program: the referee itself plays random turns, an anchor for weak engines and a test of the referee.
    Random,
    /// No program: the referee itself plays the turn after which the static evaluation is best, without looking at any answer.
    Greedy,
}

impl Protocol {
    /// Reads a name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name.to_ascii_lowercase().as_str() {
            "uci" => Self::Uci,
            "ugi" => Self::Ugi,
            "cecp" | "xboard" | "winboard" => Self::Cecp,
            "internal" => Self::Internal,
            "random" => Self::Random,
            "greedy" => Self::Greedy,
            _ => return None,
        })
    }

    /// Its name, as [`Protocol::from_name`] reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Uci => "uci",
            Self::Ugi => "ugi",
            Self::Cecp => "cecp",
            Self::Internal => "internal",
            Self::Random => "random",
            Self::Greedy => "greedy",
        }
    }

    /// Whether the player is a program of its own.
    pub const fn is_program(self) -> bool {
        match self {
            Self::Uci | Self::Ugi | Self::Cecp => true,
            Self::Internal | Self::Random | Self::Greedy => false,
        }
    }

    /// Whether nobody thinks: the referee finds the turn itself, and no limit matters.
    pub const fn is_thoughtless(self) -> bool {
        matches!(self, Self::Random | Self::Greedy)
    }
}

/// A player.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSpec {
    /// What the records call it; no two players share a name.
    pub name: String,
    /// The program, `self` for this one; empty where there is none.
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
    /// What it calls the game, where that is none of the names in its `UCI_Variant` that are known to us.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variant: Option<String>,
    /// What it may spend on a turn.
    pub limit: Limit,
    /// How many seconds it may take to start, if not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub startup: Option<u64>,
    /// How many milliseconds it may overstep its time by, if not what the tournament allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<u64>,
    /// Whether it is started anew for every game.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub restart: bool,
    /// Whether it thinks on its opponent's time, about the turn that it expects.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ponder: bool,
    /// Which program it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<Identity>,
    /// Which network it was given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<Identity>,
}

impl EngineSpec {
    /// The time that it has to start, and to get ready for a game.
    pub fn startup(&self) -> Duration {
        self.startup.map_or(HANDSHAKE_TIMEOUT, Duration::from_secs)
    }

    /// The file of the network that it was given.
    pub fn network_file(&self) -> Option<&str> {
        let mut options = self.options.iter().rev();
        let (_, file) = options.find(|(name, _)| name.eq_ignore_ascii_case(NETWORK))?;
        (!file.is_empty()).then_some(file)
    }

    /// The game by its name at the program, where its user sets the option for that.
    pub fn game_option(&self) -> Option<&str> {
        let mut options = self.options.iter();
        let (_, game) = options.find(|(name, _)| name.eq_ignore_ascii_case(GAME))?;
        Some(game)
    }

    /// Leaves the path of the network out, where what is in the file is known.
    pub(crate) fn forget_network(&mut self) {
        self.options
            .retain(|(name, _)| !name.eq_ignore_ascii_case(NETWORK));
    }

    /// Leaves out what differs between two builds of a program: its path, its content and its network.
    pub(crate) fn forget_build(&mut self) {
        self.command.clear();
        self.directory = None;
        self.program = None;
        if self.network.take().is_some() {
            self.forget_network();
        }
    }

    /// Reads `cmd=PROGRAM name=NAME args=WORDS dir=DIRECTORY proto=uci|ugi|cecp|internal|random|greedy variant=NAME restart=on|off ponder=on|off startup=SECONDS margin=MILLISECONDS
    /// option.NAME=VALUE network=FILE param.NAME=VALUE tc=BASE+INC (seconds) st=SECONDS movetime=MILLISECONDS
    /// cputime=MILLISECONDS nodes=N depth=N`, one string each. A word without `=` that comes first is the program. Networks and
    /// parameters are options, too: `EvalFile`, and one by the name of the parameter.
    ///
    /// # Errors
    /// What is wrong with the words.
    pub fn parse<S: AsRef<str>>(words: &[S]) -> Result<Self, SpecError> {
        let mut spec = Self::default();
        for (i, word) in words.iter().enumerate() {
            let word = word.as_ref();
            let (key, value) = match word.split_once('=') {
                Some(pair) => pair,
                None if i == 0 => ("cmd", word),
                None => return Err(SpecError::Word(word.to_owned())),
            };
            if !spec.set(key, value)? {
                return Err(SpecError::Key(key.to_owned()));
            }
        }
        Ok(spec)
    }

    fn set(&mut self, key: &str, value: &str) -> Result<bool, SpecError> {
        match key {
            "cmd" => value.clone_into(&mut self.command),
            "name" => value.clone_into(&mut self.name),
            "args" => self.arguments = split_words(value)?,
            "dir" => self.directory = Some(value.to_owned()),
            "variant" => self.variant = Some(value.to_owned()),
            "restart" => self.restart = parse_switch("restart", value)?,
            "ponder" => self.ponder = parse_switch("ponder", value)?,
            "startup" => {
                let seconds = value.parse().ok();
                let seconds = seconds.filter(|seconds| (1..=LONGEST_STARTUP).contains(seconds));
                self.startup = Some(seconds.ok_or_else(|| SpecError::Startup(value.to_owned()))?);
            }
            "margin" | "timemargin" => {
                let margin = value.parse().ok();
                let margin = margin.filter(|margin| *margin <= LONGEST_MARGIN);
                self.margin = Some(margin.ok_or_else(|| SpecError::Margin(value.to_owned()))?);
            }
            "proto" => {
                self.protocol = Protocol::from_name(value)
                    .ok_or_else(|| SpecError::Protocol(value.to_owned()))?;
            }
            "network" => self.options.push((NETWORK.to_owned(), value.to_owned())),
            _ => match ["option.", "param."]
                .iter()
                .find_map(|kind| key.strip_prefix(kind))
            {
                Some(name) => self.options.push((name.to_owned(), value.to_owned())),
                None => return Ok(self.limit.set(key, value)?),
            },
        }
        Ok(true)
    }

    /// Fills what was left open: a name, and the common settings `each` (words as for [`EngineSpec::parse`]), which
    /// a player's own settings override.
    ///
    /// # Errors
    /// What is wrong with the words.
    pub fn complete<S: AsRef<str>>(words: &[S], each: &[S]) -> Result<Self, SpecError> {
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
        if spec.protocol.is_program() && spec.command.is_empty() {
            return Err(SpecError::NoProgram);
        }
        // What is set for all does not mean the players that cannot do it.
        if let (true, Some((name, _))) = (spec.protocol.is_thoughtless(), own.options.first()) {
            return Err(SpecError::NoOptions(spec.protocol, name.clone()));
        }
        match spec.protocol {
            Protocol::Uci | Protocol::Cecp => {}
            Protocol::Ugi if own.ponder => return Err(SpecError::PonderOverUgi),
            other if own.ponder => return Err(SpecError::Ponder(other)),
            _ => spec.ponder = false,
        }
        if spec.name.is_empty() {
            spec.name = if !spec.protocol.is_program() {
                spec.protocol.name().to_owned()
            } else if spec.command == SELF {
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

fn parse_switch(key: &'static str, value: &str) -> Result<bool, SpecError> {
    match value {
        "on" | "true" | "1" => Ok(true),
        "off" | "false" | "0" => Ok(false),
        _ => Err(SpecError::Switch {
            key,
            value: value.to_owned(),
        }),
    }
}

/// Splits words at white space; single and double quotes keep it.
fn split_words(text: &str) -> Result<Vec<String>, SpecError> {
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
        return Err(SpecError::OpenQuote(text.to_owned()));
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
                "margin=50",
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
        assert_eq!(spec.margin, Some(50));
        assert_eq!(spec.limit.nodes, Some(1000));
        assert_eq!(
            spec.limit.clock, None,
            "a player's own limit replaces the common one"
        );
        let written = serde_json::to_string(&spec).unwrap();
        assert_eq!(serde_json::from_str::<EngineSpec>(&written).unwrap(), spec);
    }

    #[test]
    fn refuses_nonsense_with_a_reason() {
        for words in [
            vec!["name=a"],
            vec!["cmd=a", "flag"],
            vec!["cmd=a", "proto=smoke"],
            vec!["cmd=a", "args='open"],
            vec!["cmd=a", "hue=3"],
            vec!["cmd=a", "margin=-1"],
            vec!["cmd=a", "margin=600001"],
            vec!["cmd=a", "ponder=maybe"],
            vec!["cmd=a", "proto=ugi", "ponder=on"],
            vec!["proto=internal", "ponder=on"],
        ] {
            assert!(EngineSpec::complete(&words, &[]).is_err(), "{words:?}");
        }
        assert!(EngineSpec::complete(&["proto=random"], &[]).is_ok());
        // An option of its own is refused, one that is meant for all is for the others.
        for proto in ["proto=random", "proto=greedy"] {
            let refused = EngineSpec::complete(&[proto, "option.Foo=3"], &[]);
            assert!(matches!(refused, Err(SpecError::NoOptions(_, name)) if name == "Foo"));
            assert!(EngineSpec::complete(&[proto], &["option.Hash=16"]).is_ok());
        }
        let ponders =
            |words: &[&str]| EngineSpec::complete(words, &["ponder=on"]).map(|spec| spec.ponder);
        assert_eq!(ponders(&["cmd=a"]), Ok(true));
        assert_eq!(ponders(&["cmd=a", "ponder=off"]), Ok(false));
        assert_eq!(
            ponders(&["proto=random"]),
            Ok(false),
            "what is set for all programs"
        );
        let short = EngineSpec::complete(&["./engine", "name=x"], &["nodes=5"]).unwrap();
        assert_eq!(
            (short.command.as_str(), short.limit.nodes),
            ("./engine", Some(5))
        );
    }
}
