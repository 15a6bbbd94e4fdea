use super::file::read;
use super::measure::{bins, log_loss};
use super::position::{BYTES, Record};
use crate::Cli;
use crate::data::{Block, Writer};
use clap::Parser;
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::{Notation, Rules};
use std::path::Path;

fn position(fen: &str) -> DiceChess {
    DiceChess::from_fen(fen, &Options::default())
        .unwrap_or_else(|error| panic!("{fen}: {error}"))
        .position
}

#[test]
fn records_hold_pieces_side_rights_and_result() {
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b Kq - 0 1",
        "8/8/8/8/8/5k2/8/1K6 b - - 0 1",
    ] {
        let start = position(fen);
        let record = Record::new(&start, 2);
        let read = Record::from_bytes(record.to_bytes()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.position().unwrap().key(), start.key(), "{fen}");
    }
    let mut bytes = Record::new(&position("8/8/8/8/8/5k2/8/1K6 b - - 0 1"), 0).to_bytes();
    bytes[25] = 3;
    assert_eq!(Record::from_bytes(bytes), None);
}

/// Plays games as the command does.
pub fn generate(seed: u64, games: u64, out: &Path) {
    let out = out.display();
    let words = format!("fauve-training dice-generate --seed {seed} --games {games} --out {out}");
    crate::run(Cli::try_parse_from(words.split(' ')).unwrap()).unwrap();
}

#[test]
fn games_are_the_same_every_time_and_files_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a"), folder.path().join("b"));
    generate(7, 20, &first);
    // A run that was ended and is resumed writes the same.
    generate(7, 8, &second);
    generate(7, 20, &second);
    let bytes = std::fs::read(&first).unwrap();
    assert_eq!(bytes, std::fs::read(&second).unwrap());
    let (head, games) = read(&first).unwrap();
    assert_eq!((head.seed, games.len()), (7, 20));
    let positions = games.iter().map(|game| game.records.len());
    assert!(positions.sum::<usize>() > 100);
    // A truncated last game is left out; an invalid position is an error.
    std::fs::write(&first, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(read(&first).unwrap().1.len(), 19);
    let mut invalid = games[0].records[0].to_bytes();
    invalid[BYTES - 1] = 9;
    let third = folder.path().join("c");
    let mut writer = Writer::open(&third, &head).unwrap();
    writer.add(&Block::new(0, &[invalid])).unwrap();
    assert!(read(&third).is_err());
}

#[test]
fn bins_and_loss_are_what_they_say() {
    let mut pairs: Vec<(f64, f64)> = (0..1000)
        .map(|n| {
            (
                f64::from(n % 10) / 10.0 + 0.05,
                f64::from(u8::from(n % 7 == 0)),
            )
        })
        .collect();
    let found = bins(&mut pairs, 10);
    assert!((found[3].rated - 0.35).abs() < 1e-9);
    assert!((found[3].won - 1.0 / 7.0).abs() < 0.02);
    assert!((log_loss(&[(0.5, 1.0), (0.5, 0.0)]) - 2f64.ln()).abs() < 1e-12);
}
