//! A match record that may still be growing: standings, Elo with its bars, the course of the sequential test, and the games.
//!
//! Each line is read once. What is kept of a game is its share in the sums and where it stands in the file.

use crate::import;
use crate::live::LiveWatcher;
use crate::lock::locked;
use crate::session::GameSession;
use crate::wire::NewGame;
use fauve_engine::core::Color;
use fauve_engine::rules::printable;
use fauve_referee::record::growing::Growing;
use fauve_referee::record::lines::{header_line, parse};
use fauve_referee::record::{GameRecord, Header};
use fauve_referee::report::sequence::Sequence;
use fauve_referee::report::tally::Tally;
use fauve_referee::stats::{Counts, Elo, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::fs::File;
use std::io::{Read as _, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant, SystemTime};

/// The most points of the graph of the test, and games of the list.
const MOST_POINTS: usize = 400;
const MOST_LISTED: usize = 500;
/// How many bytes are read at once: what asks meanwhile does not wait long.
const PIECE: u64 = 1 << 20;
/// How often a long record is shown while it is read.
const SHOW_PACE: Duration = Duration::from_millis(400);

/// A record file.
pub(crate) struct RecordWatcher {
    path: PathBuf,
    read: Mutex<Read>,
    /// The games that are being played.
    live: LiveWatcher,
}

/// What there is to show, each with its version.
pub(crate) struct News {
    pub(crate) standing: (Arc<str>, u64),
    pub(crate) running: (Arc<str>, u64),
    /// Whether there is more to be read at once.
    pub(crate) has_more: bool,
}

/// What was read of it.
struct Read {
    growing: Growing,
    /// Length and time of the file when it was read.
    stamp: Option<(u64, Option<SystemTime>)>,
    sums: Option<Sums>,
    shown: Arc<str>,
    shown_at: Option<Instant>,
    version: u64,
}

/// What the page shows of a match.
#[derive(Clone, PartialEq, Debug, Default, Serialize)]
struct Standing {
    event: String,
    variant: String,
    games: usize,
    planned: u64,
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
    /// Follows a file, of which the beginning is read at once.
    pub(crate) fn new(path: &Path) -> Self {
        let follow = Self {
            path: path.to_owned(),
            read: Mutex::new(Read {
                growing: Growing::new(path),
                stamp: None,
                sums: None,
                shown: "null".into(),
                shown_at: None,
                version: 0,
            }),
            live: LiveWatcher::new(path),
        };
        follow.refresh();
        follow
    }

    fn read(&self) -> MutexGuard<'_, Read> {
        locked(&self.read)
    }

    /// Reads a piece of what has come since.
    pub(crate) fn refresh(&self) -> News {
        let mut read = self.read();
        let stamp = std::fs::metadata(&self.path)
            .ok()
            .map(|data| (data.len(), data.modified().ok()));
        let has_more = (read.version == 0 || stamp != read.stamp) && read.piece(stamp);
        let sums = read.sums.as_ref();
        let running = self
            .live
            .refresh(|game| sums.is_some_and(|sums| sums.places.contains_key(&game)));
        News {
            standing: (Arc::clone(&read.shown), read.version),
            running,
            has_more,
        }
    }

    /// From now on a served game gets the turns of a game of the match that was being played when it was asked for. If it has ended since,
    /// it gets its end as well.
    pub(crate) fn watch(&self, number: u64, session: &Arc<GameSession>) {
        self.live.watch(number, session);
    }

    /// Gives the games that are watched what has come since.
    pub(crate) fn feed(&self) {
        if self.live.is_watched() {
            while self.refresh().has_more {}
            self.live
                .feed(|number| self.recorded(number).map(|(_, game)| game));
        }
    }

    /// The game of the match.
    pub(crate) fn variant(&self) -> Option<String> {
        let read = self.read();
        Some(read.growing.header()?.variant.clone())
    }

    /// A game of the match, to be looked at: one that is over, or one that is being played as far as it has come; and whether it is the
    /// latter.
    pub(crate) fn game(&self, number: u64) -> Option<(NewGame, bool)> {
        if let Some((header, game)) = self.recorded(number) {
            return Some((import::of_record(&header, &game).ok()?, false));
        }
        let header = self.read().growing.header()?.clone();
        Some((self.live.game(&header, number)?, true))
    }

    /// A game of the record, with the line of its tournament.
    fn recorded(&self, number: u64) -> Option<(Header, GameRecord)> {
        let read = self.read();
        let header = read.growing.header()?.clone();
        let bytes = read.sums.as_ref()?.places.get(&number)?.clone();
        drop(read);
        let mut file = File::open(&self.path).ok()?;
        file.seek(SeekFrom::Start(bytes.start)).ok()?;
        let mut text = header_line(&header).into_bytes();
        file.take(bytes.end - bytes.start)
            .read_to_end(&mut text)
            .ok()?;
        let game = parse(&text).ok()?.record.games.into_iter().next()?;
        Some((header, game))
    }
}

impl Read {
    /// Reads a piece; whether there is more.
    fn piece(&mut self, stamp: Option<(u64, Option<SystemTime>)>) -> bool {
        let Self { growing, sums, .. } = self;
        let mut last = growing.games();
        let polled = growing.poll_up_to(PIECE, &mut |header, game, bytes| {
            // A record that was begun anew is counted anew.
            if last == 0 || bytes.start < sums.as_ref().map_or(0, |sums| sums.read) {
                *sums = None;
            }
            last += 1;
            sums.get_or_insert_with(|| Sums::new(header))
                .add(header, game, bytes);
        });
        let (has_more, error) = match polled {
            Ok(has_more) => (has_more, None),
            // What was read before stays, with the reason why nothing new is seen.
            Err(why) => (false, Some(why.to_string())),
        };
        if has_more && self.shown_at.is_some_and(|at| at.elapsed() < SHOW_PACE) {
            return true;
        }
        if !has_more {
            self.stamp = stamp;
        }
        let standing = match (self.growing.header(), &self.sums) {
            (Some(header), Some(sums)) => sums.standing(header, error),
            (Some(header), None) => Sums::new(header).standing(header, error),
            (None, _) => Standing {
                error: error.or_else(|| Some("no record in it".to_owned())),
                ..Standing::default()
            },
        };
        self.shown = serde_json::to_string(&standing)
            .expect("numbers and text are JSON")
            .into();
        self.shown_at = Some(Instant::now());
        self.version += 1;
        has_more
    }
}

/// What the games that were read come to.
struct Sums {
    games: usize,
    /// Up to where the file was read.
    read: u64,
    /// The bytes of the file that hold each game.
    places: HashMap<u64, Range<u64>>,
    /// The first player's points against the second's, each pair of players in both orders.
    scores: BTreeMap<(usize, usize), Counts>,
    latest: VecDeque<Listed>,
    duel: Option<DuelSums>,
}

impl Sums {
    fn new(header: &Header) -> Self {
        Self {
            games: 0,
            read: 0,
            places: HashMap::new(),
            scores: BTreeMap::new(),
            latest: VecDeque::new(),
            duel: (header.engines.len() == 2).then(|| DuelSums::new(header)),
        }
    }

    fn add(&mut self, header: &Header, game: GameRecord, bytes: Range<u64>) {
        self.read = bytes.end;
        // One that stands there twice counts once, as in every report.
        if self.places.contains_key(&game.game) {
            return;
        }
        self.games += 1;
        self.places.insert(game.game, bytes);
        let place = |name: &str| header.engines.iter().position(|engine| engine.name == name);
        if let (Some(white), Some(black)) = (place(&game.white), place(&game.black)) {
            let half_points = game.result.half_points(Color::White);
            for (pair, points) in [
                ((white, black), half_points),
                ((black, white), 2 - half_points),
            ] {
                self.scores.entry(pair).or_default().add_game(points);
            }
        }
        if let Some(duel) = &mut self.duel {
            duel.add(&game);
        }
        if self.latest.len() == MOST_LISTED {
            self.latest.pop_back();
        }
        self.latest.push_front(Listed {
            game: game.game,
            white: printable(&game.white),
            black: printable(&game.black),
            result: game.result.text(),
            turns: game.turns.len(),
            reason: game.reason,
        });
    }

    /// Everything that is shown of them.
    fn standing(&self, header: &Header, error: Option<String>) -> Standing {
        let count = header.engines.len();
        let against = |player: usize, other: usize| self.scores.get(&(player, other)).copied();
        let duel = self.duel.as_ref().map(|duel| duel.shown(header));
        let players = (0..count).map(|player| {
            let mut counts = Counts::default();
            for score in (0..count).filter_map(|other| against(player, other)) {
                counts.add(&score);
            }
            let elo = counts.elo();
            // Two players have one difference and one error, that of the pairs.
            let (elo, error) = match &duel {
                Some(duel) if player == 0 => (duel.elo, duel.error),
                Some(duel) => (duel.elo.map(|elo| -elo), duel.error),
                None => (
                    elo.and_then(|elo| finite(elo.elo)),
                    elo.and_then(|elo| finite(elo.elo_error)),
                ),
            };
            PlayerRow {
                name: printable(&header.engines[player].name),
                games: counts.games(),
                points: counts.points(),
                wins: counts.wins,
                draws: counts.draws,
                losses: counts.losses,
                elo,
                error,
            }
        });
        let cross = (0..count).map(|player| {
            (0..count)
                .map(|other| against(player, other).map(|score| (score.points(), score.games())))
                .collect()
        });
        Standing {
            event: printable(&header.event),
            variant: header.variant.clone(),
            games: self.games,
            planned: header.planned(),
            players: players.collect(),
            cross: cross.collect(),
            latest: self.latest.iter().cloned().collect(),
            duel,
            error,
        }
    }
}

/// The course of a match of two, from the first player's point of view, counted as the match itself counts it.
struct DuelSums {
    tally: Tally,
    sequence: Sequence,
    games: usize,
    /// Of how many games one is a point of the courses, as a power of two.
    thinned: u32,
    course: Vec<(usize, f64, f64)>,
    test_course: Vec<(usize, f64)>,
}

impl DuelSums {
    fn new(header: &Header) -> Self {
        Self {
            tally: Tally::new(header),
            sequence: Sequence::new(header),
            games: 0,
            thinned: 0,
            course: Vec::new(),
            test_course: Vec::new(),
        }
    }

    fn add(&mut self, game: &GameRecord) {
        self.tally.add(game);
        self.sequence.add(game);
        self.games += 1;
        if !self.games.is_multiple_of(1 << self.thinned) {
            return;
        }
        self.course.extend(self.elo_point());
        self.test_course.extend(self.test_point());
        if self.course.len().max(self.test_course.len()) > 2 * MOST_POINTS {
            self.thinned += 1;
            let every = 1 << self.thinned;
            self.course
                .retain(|(games, ..)| games.is_multiple_of(every));
            self.test_course
                .retain(|(games, _)| games.is_multiple_of(every));
        }
    }

    /// Elo of the distinct games so far.
    fn elo(&self) -> Option<Elo> {
        let [_, distinct] = self.tally.duel()?;
        distinct.elo()
    }

    /// Elo and its error after the games so far.
    fn elo_point(&self) -> Option<(usize, f64, f64)> {
        let elo = self.elo()?;
        Some((self.games, finite(elo.elo)?, finite(elo.elo_error)?))
    }

    /// The logarithm of the likelihood ratio after the games so far.
    fn test_point(&self) -> Option<(usize, f64)> {
        let (llr, _) = self.sequence.llr()?;
        Some((self.games, finite(llr)?))
    }

    fn shown(&self, header: &Header) -> Duel {
        let elo = self.elo();
        let mut course = self.course.clone();
        let mut test_course = self.test_course.clone();
        if !self.games.is_multiple_of(1 << self.thinned) {
            course.extend(self.elo_point());
            test_course.extend(self.test_point());
        }
        Duel {
            elo: elo.and_then(|elo| finite(elo.elo)),
            error: elo.and_then(|elo| finite(elo.elo_error)),
            los: elo.and_then(|elo| finite(elo.los)),
            pairs: self.tally.duel().map_or([0; 5], |[all, _]| all.pairs),
            course,
            test: header.sprt.as_ref().map(|test| {
                let (lower, upper) = test.bounds();
                Test {
                    lower,
                    upper,
                    elo0: test.elo0,
                    elo1: test.elo1,
                    course: test_course,
                    verdict: self.sequence.verdict().map(|verdict| match verdict {
                        Verdict::H0 => "H0 accepted: no better",
                        Verdict::H1 => "H1 accepted: better",
                    }),
                }
            }),
        }
    }
}

fn finite(figure: f64) -> Option<f64> {
    figure.is_finite().then_some(figure)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::games::Games;
    use crate::room::EngineRoom;
    use fauve_referee::record::live::{LiveGame, live_path, write_live};
    use std::fmt::Write as _;
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
        let News {
            standing: (shown, version),
            has_more,
            ..
        } = follow.refresh();
        assert!(!has_more && shown.contains("\"error\":\""), "{shown}");
        assert_eq!(follow.refresh().standing.1, version, "nothing has changed");
        assert!(follow.game(1).is_none() && follow.variant().is_none());
    }

    #[test]
    fn the_record_of_a_shard_has_the_games_of_the_shard() {
        let path = std::env::temp_dir().join(format!("fauve-shard-{}.jsonl", std::process::id()));
        let header = HEADER.replace("\"rounds\":2", "\"rounds\":8,\"shard\":[1,4]");
        std::fs::write(&path, format!("{header}\n{}\n", game(1, "1-0"))).unwrap();
        let (shown, _) = RecordWatcher::new(&path).refresh().standing;
        std::fs::remove_file(&path).unwrap();
        assert!(shown.contains("\"games\":1,\"planned\":4"), "{shown}");
    }

    /// The page decides a sequential test as the match does: pairs in the order of their numbers, and no game twice.
    #[test]
    fn the_test_of_the_page_is_that_of_the_match() {
        let path = std::env::temp_dir().join(format!("fauve-sprt-{}.jsonl", std::process::id()));
        let sprt = r#""rounds":400,"sprt":{"elo0":0.0,"elo1":100.0,"alpha":0.05,"beta":0.05,"model":"normalized"}"#;
        let header = HEADER.replace("\"rounds\":2", sprt);
        let won = |number: u64, start: &str| {
            let first_wins = !number.is_multiple_of(9);
            let result = if (number % 2 == 1) == first_wins {
                "1-0"
            } else {
                "0-1"
            };
            game(number, result).replace("\"start\":\"x\"", &format!("\"start\":\"{start}\""))
        };
        let shown = |games: &[String]| {
            std::fs::write(&path, format!("{header}\n{}\n", games.join("\n"))).unwrap();
            let watcher = RecordWatcher::new(&path);
            while watcher.refresh().has_more {}
            let shown = watcher.refresh().standing.0;
            let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
            assert_eq!(shown["error"], serde_json::Value::Null);
            shown["duel"]["test"].clone()
        };
        let distinct: Vec<_> = (1..=200)
            .map(|number| won(number, &number.to_string()))
            .collect();
        assert_eq!(shown(&distinct)["verdict"], "H1 accepted: better");
        // The second pair is not finished.
        let held_up: Vec<_> = distinct
            .iter()
            .filter(|game| !game.contains("\"game\":3,"))
            .cloned()
            .collect();
        assert_eq!(shown(&held_up)["verdict"], serde_json::Value::Null);
        // The same two games again and again.
        let repeated: Vec<_> = (1..=200).map(|number| won(number, "x")).collect();
        assert_eq!(shown(&repeated)["verdict"], serde_json::Value::Null);
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn a_record_that_grows_is_read_again() {
        let path = std::env::temp_dir().join(format!("fauve-follow-{}.jsonl", std::process::id()));
        let mut file = std::fs::File::create(&path).unwrap();
        writeln!(file, "{HEADER}").unwrap();
        let follow = RecordWatcher::new(&path);
        let (shown, first) = follow.refresh().standing;
        assert!(shown.contains("\"error\":null"), "{shown}");
        for (number, result) in [(1, "1-0"), (2, "1/2-1/2"), (1, "0-1")] {
            writeln!(file, "{}", game(number, result)).unwrap();
        }
        // A line that is being written is left for the next time.
        write!(file, "{{\"type\":\"game\",\"ga").unwrap();
        file.flush().unwrap();
        let (shown, second) = follow.refresh().standing;
        assert!(second > first);
        assert!(
            shown.contains("\"games\":2") && shown.contains("\"error\":null"),
            "{shown}"
        );
        assert!(shown.contains("\"pairs\":[0,0,0,1,0]"), "{shown}");
        assert_eq!(
            follow
                .game(2)
                .map(|(game, _)| game.pgn.map_or(0, |pgn| pgn.line.turns.len())),
            Some(1)
        );
        std::fs::remove_file(path).unwrap();
    }

    /// Between the moment in which a game is found to be played and that from which it is watched it can end.
    #[test]
    fn a_game_that_ends_while_it_is_opened_gets_its_end() {
        let path = std::env::temp_dir().join(format!("fauve-ends-{}.jsonl", std::process::id()));
        std::fs::write(&path, format!("{HEADER}\n")).unwrap();
        let live = live_path(&path).unwrap();
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let running = LiveGame {
            game: 1,
            white: "a".to_owned(),
            black: "b".to_owned(),
            start: start.to_owned(),
            dice_seed: None,
            turns: Vec::new(),
        };
        write_live(&live, &[running]).unwrap();
        let follow = RecordWatcher::new(&path);
        let (new, is_live) = follow.game(1).expect("it is being played");
        assert!(is_live);
        let over = game(1, "1-0").replace("\"start\":\"x\"", &format!("\"start\":\"{start}\""));
        std::fs::write(&path, format!("{HEADER}\n{over}\n")).unwrap();
        follow.refresh();
        let session = Games::new(EngineRoom::new(1, Duration::ZERO))
            .begin(&new)
            .unwrap();
        follow.watch(1, &session);
        follow.feed();
        let end = session.lock().end().expect("an end");
        assert_eq!((end.result, session.lock().is_live), ("1-0", false));
        assert_eq!(follow.game(1).map(|(_, is_live)| is_live), Some(false));
        std::fs::remove_file(path).unwrap();
        std::fs::remove_file(live).unwrap();
    }

    #[test]
    fn a_long_record_is_read_in_pieces_and_its_sums_are_those_of_the_whole() {
        let path =
            std::env::temp_dir().join(format!("fauve-follow-long-{}.jsonl", std::process::id()));
        let header = HEADER.replace("\"rounds\":2", "\"rounds\":5000");
        let mut text = format!("{header}\n");
        let results = ["1-0", "1/2-1/2", "1-0", "0-1", "1/2-1/2"];
        for number in 1..=10_000 {
            // Games that differ: a game that was played before carries no weight.
            let start = format!("\"start\":\"x{number}\"");
            let result = results[number as usize * 7 % 5];
            let mut line = game(number, result).replace("\"start\":\"x\"", &start);
            line.insert_str(line.len() - 1, ",\"date\":\"2026.11.21\"");
            let _ = writeln!(text, "{line}");
        }
        std::fs::write(&path, &text).unwrap();
        let follow = RecordWatcher::new(&path);
        let begun = follow.read().sums.as_ref().map_or(0, |sums| sums.games);
        assert!((1..10_000).contains(&begun), "{begun} games at once");
        while follow.refresh().has_more {}
        let read = follow.read();
        let sums = read.sums.as_ref().expect("games");
        let record = parse(text.as_bytes()).unwrap().record;
        let (mut counts, mut open) = (Counts::default(), HashMap::new());
        for game in &record.games {
            let white = game.game % 2 == 1;
            let points = game
                .result
                .half_points(if white { Color::White } else { Color::Black });
            counts.add_game(points);
            if let Some(other) = open.insert(game.game.div_ceil(2), points) {
                counts.add_pair(other, points);
            }
        }
        let standing = sums.standing(&record.header, None);
        let duel = standing.duel.as_ref().expect("two players");
        assert_eq!((sums.games, duel.pairs), (10_000, counts.pairs));
        let elo = counts.elo().expect("pairs");
        assert_eq!((duel.elo, duel.error), (Some(elo.elo), Some(elo.elo_error)));
        // Two players have one error.
        let rows: Vec<_> = standing
            .players
            .iter()
            .map(|row| (row.elo, row.error))
            .collect();
        assert_eq!(
            rows,
            [
                (duel.elo, duel.error),
                (duel.elo.map(|elo| -elo), duel.error)
            ]
        );
        assert!((MOST_POINTS / 2..=2 * MOST_POINTS + 1).contains(&duel.course.len()));
        assert_eq!(duel.course.last().map(|point| point.0), Some(10_000));
        assert_eq!(
            (standing.latest.len(), standing.latest[0].game),
            (MOST_LISTED, 10_000)
        );
        drop(read);
        for number in [1, 3217, 10_000] {
            let game = follow.game(number).expect("a game").0.names.expect("names");
            assert_eq!(game[0], if number % 2 == 1 { "a" } else { "b" });
        }
        // A record that is begun anew is counted anew.
        std::fs::write(&path, format!("{header}\n{}\n", game(1, "1-0"))).unwrap();
        follow.refresh();
        assert_eq!(follow.read().sums.as_ref().map(|sums| sums.games), Some(1));
        std::fs::remove_file(path).unwrap();
    }
}
