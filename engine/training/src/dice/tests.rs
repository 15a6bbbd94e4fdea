use super::file::{MAGIC, pack, read};
use super::generate::Generate;
use super::measure::{bins, log_loss};
use super::position::Record;
use fauve_engine::rules::dice::{DiceChess, Options};
use fauve_engine::rules::{Notation, Rules};

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

#[test]
fn games_are_the_same_every_time_and_files_are_read_back() {
    let folder = tempfile::tempdir().unwrap();
    let (first, second) = (folder.path().join("a"), folder.path().join("b"));
    for path in [&first, &second] {
        Generate {
            games: 20,
            seed: 7,
            depth: 1,
            random_turn: 20,
            network: None,
            out: path.clone(),
        }
        .run()
        .unwrap();
    }
    let bytes = std::fs::read(&first).unwrap();
    assert_eq!(bytes, std::fs::read(&second).unwrap());
    let games = read(&first).unwrap();
    assert_eq!(games.len(), 20);
    assert!(games.iter().map(Vec::len).sum::<usize>() > 100);
    // A truncated last game is left out; an invalid position is an error.
    std::fs::write(&first, &bytes[..bytes.len() - 1]).unwrap();
    assert_eq!(read(&first).unwrap().len(), 19);
    let mut bad = MAGIC.to_vec();
    bad.extend(pack(&games[0]));
    let last = bad.len() - 1;
    bad[last] = 9;
    std::fs::write(&first, &bad).unwrap();
    assert!(read(&first).is_err());
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
