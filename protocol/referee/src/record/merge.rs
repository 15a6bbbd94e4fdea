//! Joining the records of shards. What is kept of a record is where its games are, and not the games.

use crate::input::{Unpacked, open_unpacked};
use crate::plan::schedule::Share;
use crate::record::difference::{Difference, complete, differences, listed};
use crate::record::game::GameRecord;
use crate::record::header::Header;
use crate::record::lines::{ReadError, game_line, header_line};
use crate::record::speed::{Slowdown, Speed};
use crate::record::stream::{LinesError, Stream};
use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// The files that are open at the same time.
const MOST_OPEN: usize = 64;

/// Why records cannot be joined.
#[derive(Debug, thiserror::Error)]
pub enum MergeError {
    /// Nothing to join.
    #[error("no records to merge")]
    None,
    /// They are not of one tournament.
    #[error(
        "{} and {} are records of different tournaments: {}",
        first.display(),
        second.display(),
        listed(differences)
    )]
    Different {
        /// A record.
        first: PathBuf,
        /// Another one.
        second: PathBuf,
        /// What they differ in.
        differences: Vec<Difference>,
    },
    /// Two games have one number.
    #[error("game {0} is there twice, and differs")]
    Twice(u64),
    /// A record cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
}

/// A record that is joined with others.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    /// The record itself where it came through a pipe, which comes only once, or was unpacked.
    text: Option<Vec<u8>>,
    shard: Option<(u64, u64)>,
    speed: Speed,
}

/// Where a game is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct Place {
    game: u64,
    source: u32,
    begin: u64,
}

/// Records of the shards of one tournament, joined to that of one run: the games in the order of their numbers, each once.
/// A game that was played twice and came out the same but for its times counts once, as it was read first.
#[derive(Debug, Default)]
pub struct Merged {
    header: Option<Header>,
    sources: Vec<Source>,
    places: Vec<Place>,
    /// Whether programs and networks may be other builds.
    any_build: bool,
}

impl Merged {
    /// Nothing yet.
    pub fn new(any_build: bool) -> Self {
        Self {
            any_build,
            ..Self::default()
        }
    }

    /// Joins files.
    ///
    /// # Errors
    /// Files that cannot be read, records of different tournaments, or two different games of one number.
    pub fn of<P: AsRef<Path>>(paths: &[P], any_build: bool) -> Result<Self, MergeError> {
        let mut merged = Self::new(any_build);
        for path in paths {
            merged.add(path.as_ref())?;
        }
        merged.settle()?;
        Ok(merged)
    }

    /// Adds a record; one that was packed by gzip is unpacked.
    fn add(&mut self, path: &Path) -> Result<(), MergeError> {
        let fail = |error: io::Error| ReadError::of(path, error.into());
        let text = match open_unpacked(path).map_err(fail)? {
            Unpacked::Plain(file) if file.get_ref().metadata().map_err(fail)?.is_file() => {
                return self.add_from(path, file).map(|_| ());
            }
            Unpacked::Plain(mut pipe) => {
                let mut text = Vec::new();
                pipe.read_to_end(&mut text).map_err(fail)?;
                text
            }
            Unpacked::Content(text) => text,
        };
        self.add_text(path, text)
    }

    /// Adds a record that cannot be read again, and keeps it.
    fn add_text(&mut self, path: &Path, text: Vec<u8>) -> Result<(), MergeError> {
        let source = self.add_from(path, &*text)?;
        source.text = Some(text);
        Ok(())
    }

    /// Adds the record that `input` holds.
    fn add_from(&mut self, path: &Path, input: impl BufRead) -> Result<&mut Source, MergeError> {
        let mut stream = Stream::of(path, input)?;
        let shard = stream.header().shard;
        let mut header = stream.header().clone();
        (header.shard, header.pairs) = (None, None);
        match &mut self.header {
            None => self.header = Some(header),
            Some(known) => {
                let differences = if self.any_build {
                    differences(&without_builds(known), &without_builds(&header))
                } else {
                    differences(known, &header)
                };
                if !differences.is_empty() {
                    return Err(MergeError::Different {
                        first: self.sources[0].path.clone(),
                        second: path.to_owned(),
                        differences,
                    });
                }
                // What was shared out in two ways is whole again.
                known.format = known.format.max(header.format);
                let referee = known.referee.take().filter(|one| {
                    let other = header.referee.as_ref();
                    other.is_some_and(|other| one.is_same(other))
                });
                complete(known, &header);
                known.referee = referee;
            }
        }
        let source = self.sources.len() as u32;
        let mut speed = Speed::default();
        while let Some(game) = stream.next() {
            let game = game?;
            if let Some(header) = &self.header {
                speed.add(header, &game);
            }
            self.places.push(Place {
                game: game.game,
                source,
                begin: stream.lines().begin(),
            });
        }
        Ok(self.sources.push_mut(Source {
            path: path.to_owned(),
            text: None,
            shard,
            speed,
        }))
    }

    /// Brings the games in order, and leaves out those that are there again.
    fn settle(&mut self) -> Result<(), MergeError> {
        if self.header.is_none() {
            return Err(MergeError::None);
        }
        self.places.sort_unstable();
        let mut reader = Reader::new(&self.sources);
        for pair in self.places.windows(2) {
            if pair[0].game == pair[1].game {
                let [one, other] = [pair[0], pair[1]].map(|place| reader.game(place));
                if one?.timeless() != other?.timeless() {
                    return Err(MergeError::Twice(pair[0].game));
                }
            }
        }
        self.places.dedup_by_key(|place| place.game);
        Ok(())
    }

    /// The tournament.
    pub fn header(&self) -> &Header {
        self.header
            .as_ref()
            .expect("records that were joined are of a tournament")
    }

    /// The number of games.
    pub const fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no game is finished.
    pub const fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// Reads the games again, in order.
    ///
    /// # Errors
    /// A record that has changed meanwhile, or cannot be read.
    pub fn games(&self) -> impl Iterator<Item = Result<GameRecord, MergeError>> + '_ {
        let mut reader = Reader::new(&self.sources);
        self.places.iter().map(move |&place| reader.game(place))
    }

    /// Writes the joint record.
    ///
    /// # Errors
    /// What is wrong with a record; inside that, the system's error.
    pub fn write(&self, to: &mut impl io::Write) -> Result<io::Result<()>, MergeError> {
        let mut written = to.write_all(header_line(self.header()).as_bytes());
        for game in self.games() {
            let line = game_line(&game?);
            written = written.and_then(|()| to.write_all(line.as_bytes()));
        }
        Ok(written)
    }

    /// The records whose machines have become slower by a third while they were written.
    pub fn slowdowns(&self) -> impl Iterator<Item = (&Path, Slowdown)> {
        let sources = self.sources.iter();
        sources.filter_map(|source| Some((source.path.as_path(), source.speed.slowdown()?)))
    }

    /// What of the tournament is not there, as a sentence; `None` if nothing is missing.
    pub fn missing(&self) -> Option<String> {
        let header = self.header();
        let planned = header.whole().planned();
        let there = self.places.len() as u64;
        if there >= planned {
            return None;
        }
        let parts = self.missing_shards();
        let mut text = format!("{there} of {planned} games");
        for part in parts.unwrap_or_else(|| vec![self.missing_pairs(planned / 2)]) {
            text.push_str(", ");
            text.push_str(&part);
        }
        Some(text)
    }

    /// Which shards are not there or not finished; `None` if the records are none of shards.
    fn missing_shards(&self) -> Option<Vec<String>> {
        let header = self.header();
        let shards: BTreeSet<(u64, u64)> = self
            .sources
            .iter()
            .filter_map(|source| source.shard)
            .collect();
        let count = shards.first()?.1;
        if count == 0 || shards.iter().any(|shard| shard.1 != count) {
            return None;
        }
        let pairings = header.pairings.list(header.engines.len()).len() as u64;
        // What is shared out are rounds, in format 1 pairs.
        let share = header.share();
        let size = if share.of_pairs { 1 } else { pairings };
        let mut there: BTreeMap<u64, u64> = BTreeMap::new();
        for place in &self.places {
            let unit = (place.game - 1) / 2 / size;
            *there.entry(unit % count + 1).or_default() += 1;
        }
        let mut parts = Vec::new();
        // Behind the rounds there are only shares without games.
        for number in 1..=count.min(header.rounds.saturating_mul(pairings)) {
            let shard = Share {
                shard: Some((number, count)),
                pairs: None,
                ..share
            };
            let planned = shard.games(header.rounds, pairings);
            let there = there.get(&number).copied().unwrap_or(0);
            if there == planned {
                continue;
            }
            parts.push(if shards.contains(&(number, count)) || there > 0 {
                format!("shard {number}/{count} has {there} of {planned}")
            } else {
                format!("shard {number}/{count} missing")
            });
        }
        Some(parts)
    }

    /// The pairs of which no game is there, or only one.
    fn missing_pairs(&self, pairs: u64) -> String {
        let mut ranges: Vec<String> = Vec::new();
        let mut next = 1;
        let mut lacks = |first: u64, last: u64| {
            if first == last {
                ranges.push(first.to_string());
            } else if first < last {
                ranges.push(format!("{first}-{last}"));
            }
        };
        for both in self
            .places
            .chunk_by(|a, b| a.game.div_ceil(2) == b.game.div_ceil(2))
        {
            if both.len() == 2 {
                let pair = both[0].game.div_ceil(2);
                lacks(next, pair - 1);
                next = pair + 1;
            }
        }
        lacks(next, pairs);
        let more = ranges.len().saturating_sub(10);
        ranges.truncate(10);
        let more = if more > 0 { " and others" } else { "" };
        format!("not finished: pairs {}{more}", ranges.join(", "))
    }
}

/// A header without what differs between two builds of an engine: path, content and network.
fn without_builds(header: &Header) -> Header {
    let mut header = header.clone();
    for engine in &mut header.engines {
        engine.forget_build();
    }
    header
}

/// Reads games by their places.
struct Reader<'a> {
    sources: &'a [Source],
    open: BTreeMap<u32, BufReader<File>>,
}

impl<'a> Reader<'a> {
    const fn new(sources: &'a [Source]) -> Self {
        Self {
            sources,
            open: BTreeMap::new(),
        }
    }

    fn game(&mut self, place: Place) -> Result<GameRecord, MergeError> {
        let source = &self.sources[place.source as usize];
        let fail = |error: LinesError| MergeError::Read(ReadError::of(&source.path, error));
        let line = match &source.text {
            Some(text) => {
                let rest = &text[place.begin as usize..];
                let end = rest.iter().position(|&byte| byte == b'\n');
                rest[..end.unwrap_or(rest.len())].to_owned()
            }
            None => self
                .line(place, &source.path)
                .map_err(|error| fail(error.into()))?,
        };
        match serde_json::from_slice::<crate::record::lines::Entry>(&line) {
            Ok(crate::record::lines::Entry::Game(game)) if game.game == place.game => Ok(game),
            _ => {
                let error = io::Error::other("the record has changed while it was read");
                Err(fail(error.into()))
            }
        }
    }

    fn line(&mut self, place: Place, path: &Path) -> io::Result<Vec<u8>> {
        if self.open.len() >= MOST_OPEN && !self.open.contains_key(&place.source) {
            self.open.clear();
        }
        let file = match self.open.entry(place.source) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                entry.insert(BufReader::new(File::open(path)?))
            }
        };
        file.seek(SeekFrom::Start(place.begin))?;
        let mut line = Vec::new();
        file.read_until(b'\n', &mut line)?;
        Ok(line)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::samples::{game, header, record};
    use crate::record::{GameResult, Header, Record};

    /// Joins records as if they had come through pipes.
    fn merge(records: &[Record]) -> Result<Merged, MergeError> {
        let mut merged = Merged::new(false);
        for (number, record) in records.iter().enumerate() {
            let path = PathBuf::from(format!("{number}"));
            merged.add_text(&path, record.text().into_bytes())?;
        }
        merged.settle()?;
        Ok(merged)
    }

    fn games(merged: &Merged) -> Vec<GameRecord> {
        merged.games().map(Result::unwrap).collect()
    }

    fn shard(number: u64, count: u64, numbers: &[u64]) -> Record {
        Record {
            header: Header {
                shard: Some((number, count)),
                ..header()
            },
            ..record(numbers)
        }
    }

    #[test]
    fn shards_merge_to_one_record() {
        let shards = [shard(1, 2, &[2, 1]), shard(2, 2, &[3]), shard(2, 2, &[3])];
        let merged = merge(&shards).unwrap();
        assert_eq!(games(&merged), [game(1), game(2), game(3)]);
        assert_eq!(*merged.header(), header());
        let mut text = Vec::new();
        merged.write(&mut text).unwrap().unwrap();
        assert_eq!(text, record(&[1, 2, 3]).text().into_bytes());
        let mut other = shard(2, 2, &[]);
        other.header.rounds = 7;
        let different = merge(&[shard(1, 2, &[]), other]).unwrap_err().to_string();
        assert_eq!(
            different,
            "0 and 1 are records of different tournaments: rounds: 2 / 7"
        );
        let mut changed = shard(2, 2, &[3]);
        changed.games[0].result = GameResult::White;
        let twice = merge(&[shard(2, 2, &[3]), changed]);
        assert!(matches!(twice, Err(MergeError::Twice(3))));
        assert!(matches!(merge(&[]), Err(MergeError::None)));
    }

    #[test]
    fn a_game_played_again_may_differ_in_its_times_only() {
        let mut again = shard(1, 2, &[1, 2]);
        for game in &mut again.games {
            game.date = "2026.01.01".to_owned();
            game.turns[0].ms = Some(7);
        }
        let mut first = shard(1, 2, &[1]);
        first.games[0].turns[0].ms = Some(3);
        let merged = merge(&[first.clone(), again]).unwrap();
        assert_eq!(merged.len(), 2);
        assert_eq!(games(&merged)[0], first.games[0]);
    }

    #[test]
    fn missing_shards_and_pairs_are_named() {
        let long = |mut record: Record| {
            record.header.rounds = 40;
            record
        };
        let all = |number| {
            let rounds = (0..40).filter(|round| round % 8 + 1 == number);
            let numbers: Vec<u64> = rounds
                .flat_map(|round| [2 * round + 1, 2 * round + 2])
                .collect();
            long(shard(number, 8, &numbers))
        };
        let there: Vec<Record> = (1..=8).filter(|&number| number != 3).map(all).collect();
        let text = merge(&there).unwrap().missing();
        assert_eq!(text.as_deref(), Some("70 of 80 games, shard 3/8 missing"));
        let mut begun = there.clone();
        begun.push(long(shard(3, 8, &[5, 6, 21])));
        let text = merge(&begun).unwrap().missing();
        assert_eq!(
            text.as_deref(),
            Some("73 of 80 games, shard 3/8 has 3 of 10")
        );
        begun.push(all(3));
        assert_eq!(merge(&begun).unwrap().missing(), None);

        let text = merge(&[record(&[1, 2, 3])]).unwrap().missing();
        assert_eq!(text.as_deref(), Some("3 of 4 games, not finished: pairs 2"));
    }

    #[test]
    fn files_are_read_by_their_places() {
        let path = std::env::temp_dir().join(format!("fauve-merge-{}.jsonl", std::process::id()));
        std::fs::write(&path, record(&[3, 1, 2]).text()).unwrap();
        let merged = Merged::of(&[&path, &path], false).unwrap();
        assert_eq!(games(&merged), [game(1), game(2), game(3)]);
        std::fs::write(&path, record(&[2]).text()).unwrap();
        assert!(merged.games().any(|game| game.is_err()));
        std::fs::remove_file(&path).unwrap();
    }
}
