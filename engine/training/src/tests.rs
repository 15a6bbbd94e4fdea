//! Tests of the steps together, on tiny data.

use crate::data::{Block, DataError, Head, Reader, Writer};
use crate::game::{PoolRule, Trainable};
use crate::random::Random;
use crate::record::{GameResult, Packed, Record};
use crate::selfplay::{self, Play};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::superchess::Superchess;
use fauve_engine::rules::{Game, Notation, Rules, legal_steps};
use fauve_engine::search::Table;
use std::path::Path;

const PLAY: Play = Play {
    nodes: 60,
    pool: PoolRule::Mixed,
};

fn table() -> Table {
    Table::new(1).expect("a small table")
}

/// The positions of random games, with their games' switches.
fn walk<G: Trainable>(games: u64, mut look: impl FnMut(&Game<G>)) {
    for n in 0..games {
        let mut random = Random::new(9, n);
        let mut game = G::start_of_game(&mut random, PoolRule::Mixed);
        for _ in 0..150 {
            if game.outcome().is_some() {
                break;
            }
            look(&game);
            let legal = legal_steps(game.position());
            game.play(legal[random.below(legal.len())]);
        }
    }
}

/// A position comes back from its record, but for the turn number.
fn records_hold_positions<G: Trainable + Notation>() {
    let mut promoted = 0;
    walk::<G>(40, |game| {
        let record = G::describe(game);
        assert_eq!(Record::unpack(&record.pack()), record);
        promoted += record.promoted.len();
        let position = G::of_record(&record).expect("a position");
        assert_eq!(position.key(), game.position().key(), "{}", game.position().fen());
        let number = |fen: &str| fen.rsplit_once(' ').map(|(rest, _)| rest.to_owned());
        assert_eq!(number(&position.fen()), number(&game.position().fen()));
    });
    assert!(promoted > 0 || G::POOL.is_empty(), "no promoted man was met");
}

#[test]
fn records_hold_positions_of_chess() {
    records_hold_positions::<Chess>();
}

#[test]
fn records_hold_positions_of_superchess() {
    records_hold_positions::<Superchess>();
}

/// Any bytes are some record, and what they cannot say is not read.
#[test]
fn forged_records_do_no_harm() {
    let mut random = Random::new(3, 0);
    for _ in 0..20_000 {
        let bytes: Packed = std::array::from_fn(|_| random.below(256) as u8);
        let record = Record::unpack(&bytes);
        let _ = Chess::of_record(&record);
        let _ = Superchess::of_record(&record);
    }
}

/// Every position is quiet, none comes twice, and the results fit each other.
fn games_are_worth_learning_from<G: Trainable>() {
    let table = table();
    let (mut positions, mut results) = (0, [0; 4]);
    for id in 0..12 {
        let records = selfplay::play::<G>(PLAY, 5, id, &table);
        let again = selfplay::play::<G>(PLAY, 5, id, &table);
        assert_eq!(records, again, "a game depends on what was played before");
        let mut keys = Vec::new();
        let mut winner = None;
        for record in &records {
            let position = G::of_record(record).expect("a position");
            assert!(!position.in_check());
            assert!(!keys.contains(&position.key()));
            keys.push(position.key());
            results[record.result as usize] += 1;
            let won = match record.result {
                GameResult::Win => Some(record.side),
                GameResult::Loss => Some(!record.side),
                GameResult::Draw | GameResult::Open => continue,
            };
            assert!(winner.is_none_or(|old| Some(old) == won));
            winner = won;
        }
        positions += records.len();
    }
    assert!(positions > 200, "{positions}");
    assert!(results.iter().all(|&count| count > 0), "{results:?}");
    let other = selfplay::play::<G>(PLAY, 6, 0, &table);
    assert_ne!(other, selfplay::play::<G>(PLAY, 5, 0, &table));
}

#[test]
fn games_of_chess_are_worth_learning_from() {
    games_are_worth_learning_from::<Chess>();
}

#[test]
fn games_of_superchess_are_worth_learning_from() {
    games_are_worth_learning_from::<Superchess>();
}

fn head() -> Head {
    Head {
        game: "chess".to_owned(),
        seed: 7,
        shard: 1,
        shards: 2,
        nodes: 60,
        pool: PoolRule::Mixed,
        engine: 1,
    }
}

fn blocks() -> Vec<Block> {
    let table = table();
    (0..3)
        .map(|id| Block {
            id,
            records: selfplay::play::<Chess>(PLAY, 7, id, &table)
                .iter()
                .map(Record::pack)
                .collect(),
        })
        .collect()
}

fn write(path: &Path, blocks: &[Block]) {
    let mut writer = Writer::open(path, &head()).expect("a writer");
    for block in blocks {
        writer.add(block).expect("room on the disk");
    }
}

/// However a run is killed, the next one goes on after the last whole game, and the file comes out the same.
#[test]
fn killed_runs_go_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let (whole, cut) = (folder.path().join("whole"), folder.path().join("cut"));
    let blocks = blocks();
    write(&whole, &blocks);
    let bytes = std::fs::read(&whole).expect("the file");
    for length in (0..bytes.len()).step_by(101) {
        std::fs::write(&cut, &bytes[..length]).expect("a cut file");
        let games = Writer::open(&cut, &head()).expect("a writer").games as usize;
        write(&cut, &blocks[games..]);
        assert_eq!(std::fs::read(&cut).expect("the file"), bytes, "cut at {length}");
    }
    let (found, mut reader) = Reader::open(&whole).expect("a data file");
    assert_eq!(found, head());
    for block in &blocks {
        let read = reader.next().expect("a whole file").expect("a game");
        assert_eq!((read.id, &read.records), (block.id, &block.records));
    }
    assert!(reader.next().expect("a whole file").is_none());
}

#[test]
fn files_of_other_runs_are_refused_and_kept() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data");
    write(&path, &blocks());
    let bytes = std::fs::read(&path).expect("the file");
    let other = Head { engine: 2, ..head() };
    assert!(matches!(
        Writer::open(&path, &other),
        Err(DataError::OtherSettings { .. })
    ));
    let held = Writer::open(&path, &head()).expect("a writer");
    assert!(matches!(Writer::open(&path, &head()), Err(DataError::Locked)));
    drop(held);
    assert_eq!(std::fs::read(&path).expect("the file"), bytes);

    // A flipped bit in the first game.
    let mut damaged = bytes.clone();
    damaged[300] ^= 1;
    std::fs::write(&path, &damaged).expect("a damaged file");
    assert!(matches!(Writer::open(&path, &head()), Err(DataError::Damaged(_))));
    assert_eq!(std::fs::read(&path).expect("the file"), damaged);

    for (text, is_head) in [("not a data file at all", false), ("FAUVEGM1\u{4}\0\0\0null", true)] {
        std::fs::write(&path, text).expect("another file");
        let error = Writer::open(&path, &head()).err();
        assert!(match error {
            Some(DataError::NotData) => !is_head,
            Some(DataError::Head) => is_head,
            _ => false,
        });
        assert_eq!(std::fs::read(&path).expect("the file"), text.as_bytes());
    }
}

#[test]
fn start_positions_vary() {
    let mut fens = std::collections::HashSet::new();
    for n in 0..500 {
        let game = Superchess::start_of_game(&mut Random::new(1, n), PoolRule::Mixed);
        assert!(game.position().is_in_play());
        fens.insert(game.position().fen());
    }
    assert!(fens.len() > 250, "{} arrays", fens.len());
}
