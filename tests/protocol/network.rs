//! The option `EvalFile`: a network in the place of a game's evaluation, and files that are none.

use super::driver::Engine;
use crate::scratch::Scratch;
use fauve_engine::eval::network::features::BUCKETS;
use fauve_engine::eval::network::{HasNetwork, Origin, Parameters};
use fauve_engine::rules::chess::Chess;
use fauve_engine::rules::cubes::Cubes4d as Cubes;
use fauve_engine::rules::superchess::Superchess;

/// The line that takes the network of a file.
fn option(file: &Scratch) -> String {
    format!("setoption name EvalFile value {}", file.0.display())
}

/// A network that finds every position worth 400 centipawns to the side to move.
fn constant<G: HasNetwork>() -> Vec<u8> {
    worth::<G>(400)
}

/// A network that finds every position worth this many centipawns to the side to move.
fn worth<G: HasNetwork>(centipawns: i32) -> Vec<u8> {
    const HIDDEN: usize = 32;
    Parameters::<G>::new(
        Origin::default(),
        vec![0; G::INPUTS * HIDDEN],
        vec![0; HIDDEN],
        vec![0; BUCKETS * 2 * HIDDEN],
        vec![255 * 64 * centipawns / G::SCALE as i32; BUCKETS],
    )
    .unwrap()
    .to_bytes()
}

/// The score of a search one turn deep from the start.
fn score(engine: &mut Engine) -> String {
    engine.send("position startpos");
    engine.send("go depth 1");
    let (lines, _) = engine.until("an answer", |line| line.starts_with("bestmove"));
    let line = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
    let words = line.split(' ').skip_while(|&word| word != "score");
    words.skip(1).take(2).collect::<Vec<_>>().join(" ")
}

#[test]
fn a_network_evaluates_its_game_and_no_other() {
    let file = Scratch::file("constant.nn", constant::<Chess>());
    let mut engine = Engine::start(&[]);
    let own = score(&mut engine);
    assert_ne!(own, "cp -400");
    let said = engine.answer(&option(&file));
    assert!(said.ends_with("evaluates chess"), "{said}");
    assert_eq!(score(&mut engine), "cp -400");
    // What is shown is what is searched with.
    engine.send("position startpos moves e2e4");
    let shown = engine.ask("eval");
    let last = shown.last().map(String::as_str);
    assert_eq!(last, Some("Static evaluation: -4.00 pawns (White's view)"));
    // Another game keeps its own evaluation, and the file may be named in any order.
    engine.send("setoption name UCI_Variant value twomove");
    assert_ne!(score(&mut engine), "cp -400");
    engine.send("setoption name UCI_Variant value chess");
    assert_eq!(score(&mut engine), "cp -400");
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(score(&mut engine), own);
}

/// In Cubes 4D a network corrects the hand-written evaluation.
#[test]
fn a_network_corrects_the_evaluation_of_cubes_4d() {
    let mut engine = Engine::start(&["--variant", "cubes4d"]);
    let own = score(&mut engine);
    let mut with = |centipawns: i32| -> i32 {
        let file = Scratch::file("cubes.nn", worth::<Cubes>(centipawns));
        let said = engine.answer(&option(&file));
        assert!(said.ends_with("evaluates cubes4d"), "{said}");
        let score = score(&mut engine);
        score.strip_prefix("cp ").unwrap().parse().unwrap()
    };
    let (more, less) = (with(100), with(-100));
    assert_eq!(less - more, 200);
    let shown = engine.ask("eval");
    let first = shown.first().map(String::as_str);
    assert_eq!(first, Some("Piece values, in pawns, White's view:"));
    assert!(shown[1].starts_with("10  -"), "{shown:?}");
    assert!(shown[6].ends_with("      j      k"), "{shown:?}");
    engine.send("setoption name EvalFile value <empty>");
    assert_eq!(score(&mut engine), own);
}

#[test]
fn analysis_evaluates_with_a_network() {
    let file = Scratch::file("analyse.nn", constant::<Chess>());
    let path = file.0.to_str().unwrap();
    let analyse = |words: &[&str]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_fauve"));
        let output = command
            .args(["analyse", "--depth", "1"])
            .args(words)
            .output()
            .unwrap();
        (
            output.status.success(),
            String::from_utf8(output.stdout).unwrap(),
        )
    };
    let (_, with) = analyse(&["--eval-file", path]);
    assert!(with.contains(" -4.00 "), "{with}");
    let (_, without) = analyse(&[]);
    assert!(!without.contains(" -4.00 "), "{without}");
    assert!(!analyse(&["--eval-file", "/no/such/file"]).0);
}

#[test]
fn what_is_no_network_is_refused_and_the_old_one_stays() {
    let good = constant::<Superchess>();
    let file = Scratch::file("good.nn", &good);
    let mut engine = Engine::start(&["--variant", "superchess"]);
    // The prologue is played by a table.
    engine.ask("setoption name Prologue value false");
    let said = engine.answer(&option(&file));
    assert!(said.ends_with("evaluates superchess"), "{said}");
    let mut flipped = good.clone();
    flipped[5000] ^= 4;
    for (name, bytes, reason) in [
        ("empty", &[][..], "cut off"),
        (
            "words",
            b"a file of words, longer than the magic",
            "not a network",
        ),
        ("cut", &good[..good.len() - 1], "bytes"),
        ("long", &[&good[..], &[0]].concat(), "bytes"),
        ("flipped", &flipped, "checksum"),
    ] {
        let bad = Scratch::file(&format!("{name}.nn"), bytes);
        let said = engine.answer(&option(&bad));
        assert!(said.starts_with("info string Error: EvalFile"), "{said}");
        assert!(said.contains(reason), "{name}: {said}");
    }
    for (path, reason) in [
        ("/no/such/file", "No such file"),
        ("/", "not a regular file"),
        ("/dev/zero", "not a regular file"),
    ] {
        let said = engine.answer(&format!("setoption name EvalFile value {path}"));
        assert!(said.contains(reason), "{path}: {said}");
    }
    assert_eq!(score(&mut engine), "cp -400");
}

#[test]
fn what_are_no_endgames_is_refused() {
    let mut engine = Engine::start(&["--variant", "dicechess"]);
    for (name, bytes, reason) in [
        (
            "none.tables",
            &b"words"[..],
            "not a file of DiceChess endgames",
        ),
        ("cut.tables", b"FAUVEDT1\x78\x9c", "damaged"),
    ] {
        let file = Scratch::file(name, bytes);
        let path = file.0.display();
        let said = engine.answer(&format!("setoption name DiceTables value {path}"));
        assert!(said.starts_with("info string Error: DiceTables"), "{said}");
        assert!(said.contains(reason), "{name}: {said}");
    }
    let said = engine.answer("setoption name DiceTables value /");
    assert!(said.contains("not a regular file"), "{said}");
    assert!(!score(&mut engine).is_empty());
}
