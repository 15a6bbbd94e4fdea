//! The record of a tournament: JSON Lines, the first line the tournament, then one line per finished game. It is what
//! a run that was killed goes on from, so each line is complete and on the disk before the next game is counted.

pub mod pgn;
pub mod replay;

use crate::plan::openings::Openings;
use crate::plan::schedule::Pairings;
use crate::player::spec::EngineSpec;
use crate::stats::Sprt;
use fauve_engine::core::Color;
use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::Path;

/// The version of the record's format.
pub const FORMAT: u32 = 1;

/// Everything that determines the games of a tournament, and how they are counted.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// [`FORMAT`].
    pub format: u32,
    /// What PGN calls the event.
    pub event: String,
    /// The game.
    pub variant: String,
    /// The rule switches that differ from the default, by the names of the options.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rules: Vec<(String, String)>,
    /// The players.
    pub engines: Vec<EngineSpec>,
    /// Who meets whom.
    pub pairings: Pairings,
    /// Colour-swapped pairs per pairing.
    pub rounds: u64,
    /// The seed of openings, dice and random players.
    pub seed: u64,
    /// Where the games begin.
    pub openings: Openings,
    /// What a player may overstep its time by, in milliseconds: the cost of the way.
    pub margin: u64,
    /// After how long without an answer a player without a clock has stalled, in milliseconds.
    pub stall: u64,
    /// Adjudication of won games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resign: Option<WinRule>,
    /// Adjudication of drawn games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draw: Option<DrawRule>,
    /// Games that last so many turns are drawn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_turns: Option<u64>,
    /// The test that ends the tournament early.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
    /// Whether the luck of the dice is reckoned.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub luck: bool,
    /// Which of how many shares of the pairs this run plays, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<(u64, u64)>,
}

/// A game is won when both players agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WinRule {
    /// The advantage in centipawns that both see.
    pub score: i32,
    /// For so many turns of each player in a row.
    pub turns: u32,
}

/// A game is drawn when both players agree on it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct DrawRule {
    /// The most that either player sees for anyone, in centipawns.
    pub score: i32,
    /// For so many turns of each player in a row.
    pub turns: u32,
    /// Not before so many turns of each player.
    pub after: u32,
}

/// The result of a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum GameResult {
    /// White has won.
    #[serde(rename = "1-0")]
    White,
    /// Black has won.
    #[serde(rename = "0-1")]
    Black,
    /// Nobody has won.
    #[serde(rename = "1/2-1/2")]
    Draw,
}

impl GameResult {
    /// The win of a side.
    pub const fn win(color: Color) -> Self {
        match color {
            Color::White => Self::White,
            Color::Black => Self::Black,
        }
    }

    /// Half points of a side: 0, 1 or 2.
    pub const fn half_points(self, color: Color) -> u8 {
        match (self, color) {
            (Self::Draw, _) => 1,
            (Self::White, Color::White) | (Self::Black, Color::Black) => 2,
            _ => 0,
        }
    }

    /// As PGN writes it.
    pub const fn text(self) -> &'static str {
        match self {
            Self::White => "1-0",
            Self::Black => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// Reads PGN's text.
    pub fn parse(text: &str) -> Option<Self> {
        [Self::White, Self::Black, Self::Draw]
            .into_iter()
            .find(|result| result.text() == text)
    }
}

/// What ended a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// The rules of the game.
    Rules,
    /// The agreement of both players' values, or the limit of turns.
    Adjudication,
    /// A turn that is none.
    IllegalTurn,
    /// The program ended.
    Crash,
    /// The program gave no answer.
    Stall,
    /// The time was up.
    Time,
    /// A player gave up.
    Resignation,
    /// A program refused to go on.
    Refusal,
}

impl Termination {
    /// The word of PGN's Termination tag.
    pub const fn pgn(self) -> &'static str {
        match self {
            Self::Rules | Self::Resignation => "normal",
            Self::Adjudication => "adjudication",
            Self::Time => "time forfeit",
            Self::IllegalTurn => "rules infraction",
            Self::Crash => "emergency",
            Self::Stall => "abandoned",
            Self::Refusal => "unterminated",
        }
    }

    /// Whether a player has lost by something else than the game.
    pub const fn is_forfeit(self) -> bool {
        !matches!(self, Self::Rules | Self::Adjudication | Self::Resignation)
    }
}

/// One turn of a game.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// The roll that the referee gave.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub roll: Option<String>,
    /// The turn.
    pub token: String,
    /// The value that the player saw for itself, in centipawns.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// The mate that the player saw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// The depth reached.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// The nodes visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// The time taken, in milliseconds; absent for a forced pass, which costs none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ms: Option<u64>,
}

/// One finished game.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameRecord {
    /// Its number in the tournament, from 1; games 2n-1 and 2n are a pair.
    pub game: u64,
    /// White's name.
    pub white: String,
    /// Black's name.
    pub black: String,
    /// The first position.
    pub start: String,
    /// The seed of the dice, hexadecimal.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dice_seed: Option<String>,
    /// The turns.
    pub turns: Vec<TurnRecord>,
    /// The result.
    pub result: GameResult,
    /// What ended it.
    pub termination: Termination,
    /// The same in words.
    pub reason: String,
    /// What the dice gave White, in points (see [`crate::matches::luck`]).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<f64>,
    /// The day on which it ended, `2026.11.21`, UTC.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
}

impl GameRecord {
    /// The record without what differs from run to run: times and date.
    #[must_use]
    pub fn timeless(mut self) -> Self {
        self.date.clear();
        for turn in &mut self.turns {
            turn.ms = turn.ms.map(|_| 0);
        }
        self
    }
}

/// A line of the record.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Entry {
    Tournament(Header),
    Game(GameRecord),
}

/// A whole record.
#[derive(Clone, PartialEq, Debug)]
pub struct Record {
    /// The tournament.
    pub header: Header,
    /// Its finished games, in the order of the file.
    pub games: Vec<GameRecord>,
}

/// Reads a record from text. Gives also the number of bytes that are good: a last line that was not finished is
/// left out.
///
/// # Errors
/// The line that cannot be read. An empty text gives `Ok(None)`.
fn parse(text: &[u8]) -> Result<(Option<Record>, usize), String> {
    let mut record: Option<Record> = None;
    let mut good = 0;
    for (number, line) in text.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let last = good + line.len() == text.len();
        let complete = line.ends_with(b"\n");
        match serde_json::from_slice(line) {
            Ok(Entry::Tournament(header)) if complete && record.is_none() => {
                record = Some(Record {
                    header,
                    games: Vec::new(),
                });
            }
            Ok(Entry::Game(game)) if complete && record.is_some() => {
                record
                    .get_or_insert_with(|| unreachable!())
                    .games
                    .push(game);
            }
            // The machine stopped while the line was written.
            _ if last && (!complete || number > 0) => break,
            Ok(_) => return Err(format!("line {}: a line out of place", number + 1)),
            Err(error) => return Err(format!("line {}: {error}", number + 1)),
        }
        good += line.len();
    }
    Ok((record, good))
}

impl Record {
    /// Reads a record file.
    ///
    /// # Errors
    /// A sentence with the path and what is wrong.
    pub fn read(path: &Path) -> Result<Self, String> {
        let text = std::fs::read(path).map_err(|error| format!("{}: {error}", path.display()))?;
        match parse(&text) {
            Ok((Some(record), _)) => Ok(record),
            Ok((None, _)) => Err(format!("{}: no record in it", path.display())),
            Err(error) => Err(format!("{}: {error}", path.display())),
        }
    }

    /// The record as text.
    pub fn text(&self) -> String {
        let mut text = line(&Entry::Tournament(self.header.clone()));
        for game in &self.games {
            text.push_str(&line(&Entry::Game(game.clone())));
        }
        text
    }

    /// Joins the records of shards to that of one run: the games in order, each once.
    ///
    /// # Errors
    /// Records of different tournaments, or two different games of one number.
    pub fn merge(records: Vec<Self>) -> Result<Self, String> {
        let mut merged: Option<Self> = None;
        for mut record in records {
            record.header.shard = None;
            match &mut merged {
                None => merged = Some(record),
                Some(merged) if merged.header == record.header => {
                    merged.games.append(&mut record.games);
                }
                Some(_) => {
                    return Err("the records are of different tournaments: their first lines differ in more than the \
                                shard"
                        .to_owned());
                }
            }
        }
        let mut merged = merged.ok_or("no records to merge")?;
        merged.games.sort_by_key(|game| game.game);
        if let Some(pair) = merged
            .games
            .windows(2)
            .find(|pair| pair[0].game == pair[1].game && pair[0] != pair[1])
        {
            return Err(format!("game {} is there twice, and differs", pair[0].game));
        }
        merged.games.dedup_by_key(|game| game.game);
        Ok(merged)
    }
}

fn line(entry: &Entry) -> String {
    let mut line = serde_json::to_string(entry).expect("a record is plain data");
    line.push('\n');
    line
}

/// A record that grows with the run. It is locked against a second run.
#[derive(Debug)]
pub struct RecordFile {
    file: File,
}

impl RecordFile {
    /// Opens or begins the record of a tournament and gives the games that it already holds.
    ///
    /// # Errors
    /// When the file cannot be used, belongs to another tournament, or another run writes to it.
    pub fn open(path: &Path, header: &Header) -> Result<(Self, Vec<GameRecord>), String> {
        let fail = |error: std::io::Error| format!("{}: {error}", path.display());
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(fail)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(format!("{}: another run is writing to it", path.display()));
            }
            Err(TryLockError::Error(error)) => return Err(fail(error)),
        }
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(fail)?;
        let (record, good) =
            parse(&text).map_err(|error| format!("{}: {error}", path.display()))?;
        file.set_len(good as u64).map_err(fail)?;
        file.seek(SeekFrom::End(0)).map_err(fail)?;
        let mut this = Self { file };
        let games = match record {
            Some(record) if record.header == *header => record.games,
            Some(_) => {
                return Err(format!(
                    "{}: it is the record of another tournament; give the same settings to go on with it, or another \
                     --record",
                    path.display()
                ));
            }
            None => {
                this.write(&Entry::Tournament(header.clone()))
                    .map_err(fail)?;
                Vec::new()
            }
        };
        Ok((this, games))
    }

    /// Adds a game; when this returns it is on the disk.
    ///
    /// # Errors
    /// What the system says.
    pub fn append(&mut self, game: &GameRecord) -> Result<(), String> {
        self.write(&Entry::Game(game.clone()))
            .map_err(|error| format!("cannot write the record: {error}"))
    }

    fn write(&mut self, entry: &Entry) -> std::io::Result<()> {
        self.file.write_all(line(entry).as_bytes())?;
        self.file.sync_data()
    }
}

/// Today, `2026.11.21`, UTC.
pub fn today() -> String {
    let days = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |time| time.as_secs() / 86_400);
    date(days)
}

/// The Gregorian date of a day since 1970-01-01. The year is reckoned from March, so that the leap day comes last.
fn date(days: u64) -> String {
    let days = days + 719_468;
    let era = days / 146_097;
    let day = days % 146_097;
    let year = (day - day / 1460 + day / 36_524 - day / 146_096) / 365;
    let of_year = day - (365 * year + year / 4 - year / 100);
    let month = (5 * of_year + 2) / 153;
    let of_month = of_year - (153 * month + 2) / 5 + 1;
    let (month, carry) = if month < 10 {
        (month + 3, 0)
    } else {
        (month - 9, 1)
    };
    format!("{:04}.{month:02}.{of_month:02}", era * 400 + year + carry)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        Header {
            format: FORMAT,
            event: "test".to_owned(),
            variant: "chess".to_owned(),
            rules: Vec::new(),
            engines: Vec::new(),
            pairings: Pairings::RoundRobin,
            rounds: 2,
            seed: 1,
            openings: Openings::Start,
            margin: 20,
            stall: 1000,
            resign: None,
            draw: None,
            max_turns: None,
            sprt: None,
            luck: false,
            shard: None,
        }
    }

    fn game(number: u64) -> GameRecord {
        GameRecord {
            game: number,
            white: "a".to_owned(),
            black: "b".to_owned(),
            start: String::new(),
            dice_seed: None,
            turns: vec![TurnRecord::default(); 3],
            result: GameResult::Draw,
            termination: Termination::Rules,
            reason: "é\n".to_owned(),
            luck: Some(0.1),
            date: String::new(),
        }
    }

    #[test]
    fn a_record_torn_at_any_byte_is_read_up_to_the_last_whole_line() {
        let whole = Record {
            header: header(),
            games: vec![game(1), game(2)],
        };
        let text = whole.text().into_bytes();
        let ends: Vec<usize> = (0..text.len())
            .filter(|&i| text[i] == b'\n')
            .map(|i| i + 1)
            .collect();
        assert_eq!(ends.len(), 3);
        for length in 0..=text.len() {
            let (record, good) = parse(&text[..length]).unwrap();
            let lines = ends.iter().filter(|&&end| end <= length).count();
            assert_eq!(good, if lines == 0 { 0 } else { ends[lines - 1] });
            assert_eq!(record.map_or(0, |record| record.games.len() + 1), lines);
        }
        let mut damaged = text.clone();
        damaged[ends[0] + 3] = b'!';
        assert!(
            parse(&damaged).is_err(),
            "damage in the middle is not passed over"
        );
        assert!(parse(b"{}\n").is_err());
    }

    #[test]
    fn a_file_goes_on_after_a_torn_line_and_refuses_other_tournaments() {
        let path = std::env::temp_dir().join(format!("fauve-record-{}.jsonl", std::process::id()));
        let _ = std::fs::remove_file(&path);
        {
            let (mut file, games) = RecordFile::open(&path, &header()).unwrap();
            assert!(games.is_empty());
            file.append(&game(1)).unwrap();
            assert!(RecordFile::open(&path, &header()).is_err(), "locked");
        }
        let mut text = std::fs::read(&path).unwrap();
        text.extend_from_slice(b"{\"type\":\"game\",\"ga");
        std::fs::write(&path, text).unwrap();
        {
            let (mut file, games) = RecordFile::open(&path, &header()).unwrap();
            assert_eq!(games, [game(1)]);
            file.append(&game(2)).unwrap();
        }
        assert_eq!(Record::read(&path).unwrap().games, [game(1), game(2)]);
        let other = Header {
            seed: 2,
            ..header()
        };
        assert!(RecordFile::open(&path, &other).is_err());
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn shards_merge_to_one_record() {
        let shard = |number, games| Record {
            header: Header {
                shard: Some((number, 2)),
                ..header()
            },
            games,
        };
        let merged = Record::merge(vec![
            shard(1, vec![game(2), game(1)]),
            shard(2, vec![game(3)]),
            shard(2, vec![game(3)]),
        ])
        .unwrap();
        assert_eq!(merged.games, [game(1), game(2), game(3)]);
        assert_eq!(merged.header, header());
        let mut other = shard(2, Vec::new());
        other.header.rounds = 7;
        assert!(Record::merge(vec![shard(1, Vec::new()), other]).is_err());
        let mut changed = game(1);
        changed.result = GameResult::White;
        assert!(Record::merge(vec![shard(1, vec![game(1)]), shard(2, vec![changed])]).is_err());
        assert!(Record::merge(Vec::new()).is_err());
    }

    #[test]
    fn days_have_dates() {
        assert_eq!(date(0), "1970.01.01");
        assert_eq!(date(19_782), "2024.02.29");
        assert_eq!(date(19_783), "2024.03.01");
        assert_eq!(date(11_016), "2000.02.29");
        assert_eq!(date(20_453), "2025.12.31");
    }
}
