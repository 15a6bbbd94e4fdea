//! A match record that may still be growing: standings, Elo with its bars, the course of the sequential test, and the games.

use crate::import;
use crate::wire::NewGame;
use fauve_engine::rules::printable;
use fauve_referee::record::lines::parse;
use fauve_referee::record::{GameRecord, Header, Record};
use fauve_referee::stats::{Counts, Verdict};
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

/// The most points of the graph of the test, and games of the list.
const MOST_POINTS: usize = 400;
const MOST_LISTED: usize = 500;

/// A record file.
pub(crate) struct RecordWatcher {
    path: PathBuf,
    read: Mutex<Read>,
}

/// What was read of it.
struct Read {
    /// Length and time of the file when it was read.
    stamp: Option<(u64, Option<SystemTime>)>,
    record: Option<Record>,
    shown: Arc<str>,
    version: u64,
}

/// What the page shows of a match.
#[derive(Clone, PartialEq, Debug, Serialize)]
struct Standing {
    event: String,
    variant: String,
    games: usize,
    planned: Option<u64>,
    players: Vec<PlayerRow>,
    /// Points of the row's player against the column's, and the games between them.
    cross: Vec<Vec<Option<(f64, u64)>>>,
    /// With two players: the first against the second.
    #[serde(skip_serializing_if = "Option::is_none")]
    duel: Option<Duel>,
    latest: Vec<Listed>,
    error: Option<String>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct PlayerRow {
    name: String,
    games: u64,
    points: f64,
    wins: u64,
    draws: u64,
    losses: u64,
    /// Elo against the field with half the width of its 95 % interval; absent while it has no bounds.
    elo: Option<f64>,
    error: Option<f64>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Duel {
    elo: Option<f64>,
    error: Option<f64>,
    los: Option<f64>,
    pairs: [u64; 5],
    /// Elo and its error after this many games: the course of the match.
    course: Vec<(usize, f64, f64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    test: Option<Test>,
}

#[derive(Clone, PartialEq, Debug, Serialize)]
struct Test {
    lower: f64,
    upper: f64,
    elo0: f64,
    elo1: f64,
    /// The logarithm of the likelihood ratio after this many games.
    course: Vec<(usize, f64)>,
    verdict: Option<&'static str>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
struct Listed {
    game: u64,
    white: String,
    black: String,
    result: &'static str,
    reason: String,
    turns: usize,
}

impl RecordWatcher {
    /// Follows a file.
    pub(crate) fn new(path: &Path) -> Self {
        let follow = Self {
            path: path.to_owned(),
            read: Mutex::new(Read {
                stamp: None,
                record: None,
                shown: "null".into(),
                version: 0,
            }),
        };
        follow.refresh();
        follow
    }

    /// Reads the file anew if it has changed; gives what is shown and its version.
    pub(crate) fn refresh(&self) -> (Arc<str>, u64) {
        let mut read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let stamp = std::fs::metadata(&self.path)
            .ok()
            .map(|data| (data.len(), data.modified().ok()));
        if read.version == 0 || stamp != read.stamp {
            read.stamp = stamp;
            let text = std::fs::read(&self.path).map_err(|why| why.to_string());
            let parsed = text.and_then(|text| parse(&text).map_err(|why| why.to_string()));
            let standing = match parsed {
                Ok(parsed) => {
                    let standing = standing(&parsed.record);
                    read.record = Some(parsed.record);
                    standing
                }
                // What was read before stays, with the reason why nothing new is seen.
                Err(why) => Standing {
                    error: Some(why),
                    ..read.record.as_ref().map_or_else(empty, standing)
                },
            };
            read.shown = serde_json::to_string(&standing)
                .expect("numbers and text are JSON")
                .into();
            read.version += 1;
        }
        (Arc::clone(&read.shown), read.version)
    }

    /// The game of the match.
    pub(crate) fn variant(&self) -> Option<String> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        read.record
            .as_ref()
            .map(|record| record.header.variant.clone())
    }

    /// A game of the match, to be looked at.
    pub(crate) fn game(&self, number: u64) -> Option<NewGame> {
        let read = self.read.lock().unwrap_or_else(PoisonError::into_inner);
        let record = read.record.as_ref()?;
        let game = record.games.iter().find(|game| game.game == number)?;
        Some(import::of_record(0, &record.header, game).ok()?.game)
    }
}

fn empty() -> Standing {
    Standing {
        event: String::new(),
        variant: String::new(),
        games: 0,
        planned: None,
        players: Vec::new(),
        cross: Vec::new(),
        duel: None,
        latest: Vec::new(),
        error: None,
    }
}

fn finite(figure: f64) -> Option<f64> {
    figure.is_finite().then_some(figure)
}

/// Everything that is shown of a record.
fn standing(record: &Record) -> Standing {
    let header = &record.header;
    let names: Vec<&str> = header
        .engines
        .iter()
        .map(|engine| engine.name.as_str())
        .collect();
    let mut scores: BTreeMap<(usize, usize), Counts> = BTreeMap::new();
    for game in &record.games {
        let place = |name: &str| names.iter().position(|other| *other == name);
        let (Some(white), Some(black)) = (place(&game.white), place(&game.black)) else {
            continue;
        };
        let half_points = game.result.half_points(fauve_engine::core::Color::White);
        scores
            .entry((white, black))
            .or_default()
            .add_game(half_points);
        scores
            .entry((black, white))
            .or_default()
            .add_game(2 - half_points);
    }
    let against = |player: usize, other: usize| scores.get(&(player, other)).copied();
    let players = (0..names.len()).map(|player| {
        let mut counts = Counts::default();
        for other in 0..names.len() {
            if let Some(score) = against(player, other) {
                counts.add(&score);
            }
        }
        let elo = counts.elo();
        PlayerRow {
            name: printable(names[player]),
            games: counts.games(),
            points: counts.points(),
            wins: counts.wins,
            draws: counts.draws,
            losses: counts.losses,
            elo: elo.and_then(|elo| finite(elo.elo)),
            error: elo.and_then(|elo| finite(elo.elo_error)),
        }
    });
    let cross = (0..names.len()).map(|player| {
        (0..names.len())
            .map(|other| against(player, other).map(|score| (score.points(), score.games())))
            .collect()
    });
    let pairings = header.pairings.list(names.len()).len() as u64;
    let latest = record
        .games
        .iter()
        .rev()
        .take(MOST_LISTED)
        .map(|game| Listed {
            game: game.game,
            white: printable(&game.white),
            black: printable(&game.black),
            result: game.result.text(),
            reason: game.reason.clone(),
            turns: game.turns.len(),
        });
    Standing {
        event: printable(&header.event),
        variant: header.variant.clone(),
        games: record.games.len(),
        planned: header.rounds.checked_mul(2 * pairings),
        players: players.collect(),
        cross: cross.collect(),
        duel: (names.len() == 2).then(|| duel(header, &record.games)),
        latest: latest.collect(),
        error: None,
    }
}

/// The course of a match of two, from the first player's point of view: pairs as they are completed.
fn duel(header: &Header, games: &[GameRecord]) -> Duel {
    use fauve_engine::core::Color;
    let first = &header.engines[0].name;
    let mut counts = Counts::default();
    let mut open: BTreeMap<u64, u8> = BTreeMap::new();
    let (mut course, mut test_course) = (Vec::new(), Vec::new());
    let every = (games.len() / MOST_POINTS).max(1);
    for (number, game) in (1..).zip(games) {
        let color = if game.white == *first {
            Color::White
        } else {
            Color::Black
        };
        let points = game.result.half_points(color);
        counts.add_game(points);
        let pair = game.game.div_ceil(2);
        match open.remove(&pair) {
            Some(other) => counts.add_pair(other, points),
            None => {
                open.insert(pair, points);
            }
        }
        if number % every == 0 || number == games.len() {
            if let Some(elo) = counts.elo()
                && elo.elo.is_finite()
                && elo.elo_error.is_finite()
            {
                course.push((number, elo.elo, elo.elo_error));
            }
            if let Some(test) = &header.sprt {
                let llr = test.llr(&counts);
                if llr.is_finite() {
                    test_course.push((number, llr));
                }
            }
        }
    }
    let elo = counts.elo();
    Duel {
        elo: elo.and_then(|elo| finite(elo.elo)),
        error: elo.and_then(|elo| finite(elo.elo_error)),
        los: elo.and_then(|elo| finite(elo.los)),
        pairs: counts.pairs,
        course,
        test: header.sprt.as_ref().map(|test| {
            let (lower, upper) = test.bounds();
            Test {
                lower,
                upper,
                elo0: test.elo0,
                elo1: test.elo1,
                course: test_course,
                verdict: test.verdict(&counts).map(|verdict| match verdict {
                    Verdict::H0 => "H0 accepted: no better",
                    Verdict::H1 => "H1 accepted: better",
                }),
            }
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    const HEADER: &str = r#"{"type":"tournament","format":1,"event":"test","variant":"chess","engines":[{"name":"a","command":"self","protocol":"uci","limit":{"nodes":9}},{"name":"b","command":"self","protocol":"uci","limit":{"nodes":1}}],"pairings":"roundrobin","rounds":2,"seed":3,"openings":{"random":{"turns":8,"balance":60}},"margin":20,"stall":60000}"#;

    fn game(number: u64, result: &str) -> String {
        let (white, black) = if number % 2 == 1 {
            ("a", "b")
        } else {
            ("b", "a")
        };
        format!(
            r#"{{"type":"game","game":{number},"white":"{white}","black":"{black}","start":"x","turns":[{{"token":"e2e4"}}],"result":"{result}","termination":"rules","reason":"White mates"}}"#
        )
    }

    #[test]
    fn a_record_that_cannot_be_read_is_said() {
        let follow = RecordWatcher::new(Path::new("/nonexistent/record.jsonl"));
        let (shown, version) = follow.refresh();
        assert!(shown.contains("\"error\":\""), "{shown}");
        assert_eq!(follow.refresh().1, version, "nothing has changed");
        assert!(follow.game(1).is_none() && follow.variant().is_none());
    }

    #[test]
    fn a_record_that_grows_is_read_again() {
        let path = std::env::temp_dir().join(format!("fauve-follow-{}.jsonl", std::process::id()));
        let mut file = std::fs::File::create(&path).unwrap();
        writeln!(file, "{HEADER}").unwrap();
        let follow = RecordWatcher::new(&path);
        let (shown, first) = follow.refresh();
        assert!(shown.contains("\"error\":null"), "{shown}");
        for (number, result) in [(1, "1-0"), (2, "1/2-1/2")] {
            writeln!(file, "{}", game(number, result)).unwrap();
        }
        // A line that is being written is left for the next time.
        write!(file, "{{\"type\":\"game\",\"ga").unwrap();
        file.flush().unwrap();
        let (shown, second) = follow.refresh();
        assert!(second > first);
        assert!(
            shown.contains("\"games\":2") && shown.contains("\"error\":null"),
            "{shown}"
        );
        assert!(shown.contains("\"pairs\":[0,0,0,1,0]"), "{shown}");
        assert_eq!(
            follow
                .game(2)
                .map(|game| game.pgn.map_or(0, |pgn| pgn.line.turns.len())),
            Some(1)
        );
        std::fs::remove_file(path).unwrap();
    }
}
