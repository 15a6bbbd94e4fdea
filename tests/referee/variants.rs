//! Engines whose games appear only when their options are set.

use super::{Scratch, ended, said};
use crate::skipped::skip;
use fauve_referee::record::{Record, Termination};
use std::path::Path;
use std::time::Duration;

/// An engine that knows `super-game` (and more options) once it has a file of variants, and says so when it is greeted
/// again, as Fairy-Stockfish does. Its "turn" repeats what it received.
const GROWING: &str = r#"
more=""; extra=""; path="none"; game="chess"; depth="unset"
while read -r line; do
    case $line in
        uci)
            echo "option name VariantPath type string default <empty>"
            echo "option name UCI_Variant type combo default chess var chess$more"
            [ -z "$extra" ] || echo "$extra"
            echo uciok;;
        "setoption name VariantPath value "*)
            path="${line##* }"
            more=" var superchess var mygame"
            extra="option name Extra type spin default 1 min 1 max 9";;
        "setoption name UCI_Variant value "*) game="${line##* }";;
        "setoption name Extra value "*) depth="${line##* }";;
        isready) echo readyok;;
        go*) echo "bestmove $game-$path-$depth";;
        quit) exit;;
    esac
done
"#;

fn growing(more: &[&str]) -> (bool, String, Vec<String>) {
    let program = Scratch::new(&format!("growing{}.sh", more.join("").len()));
    let record = Scratch::new(&format!("growing{}.jsonl", more.join("").len()));
    std::fs::write(&program.0, GROWING).unwrap();
    let arguments = format!("args={}", program.text());
    let settings = [
        &["match", "--quiet", "--variant", "superchess"][..],
        &["--games", "2", "--nodes", "1", "--record", record.text()],
        &["--engine", "proto=random", "--engine", "cmd=sh"],
        &[&arguments],
        more,
    ]
    .concat();
    let result = ended(&settings, Duration::from_mins(1));
    let games = Record::read(&record.0).map_or(Vec::new(), |record| record.games);
    let reasons = games.into_iter().map(|game| game.reason).collect();
    (result.output.status.success(), result.errors(), reasons)
}

#[test]
fn options_come_first_and_then_the_game() {
    let (_, errors, _) = growing(&[]);
    assert!(
        errors.contains("its UCI_Variant has no superchess"),
        "{errors}"
    );

    let (good, errors, reasons) = growing(&["option.VariantPath=v.ini"]);
    assert!(good, "{errors}");
    assert!(reasons[0].contains("superchess-v.ini-unset"), "{reasons:?}");

    let (good, errors, reasons) = growing(&[
        "option.VariantPath=v.ini",
        "variant=mygame",
        "option.Extra=7",
    ]);
    assert!(good, "{errors}");
    assert!(reasons[0].contains("mygame-v.ini-7"), "{reasons:?}");

    let (good, errors, _) = growing(&["option.VariantPath=v.ini", "variant=other"]);
    assert!(!good && errors.contains("no 'other'"), "{errors}");

    let (good, errors, _) = growing(&["option.VariantPath=v.ini", "option.Nothing=1"]);
    assert!(!good && errors.contains("no option 'Nothing'"), "{errors}");
}

/// Where the real one is installed (Debian: `fairy-stockfish`), four games of Superchess by options alone.
#[test]
fn fairy_stockfish_plays_superchess() {
    let places = ["/usr/games", "/usr/bin", "/usr/local/bin"];
    let program = places.map(|place| format!("{place}/fairy-stockfish"));
    let Some(program) = program.iter().find(|path| Path::new(path).exists()) else {
        skip("fairy-stockfish is not there: no games of Superchess against it");
        return;
    };
    let variants = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/superchess.ini");
    let record = Scratch::new("fairy.jsonl");
    let command = format!("cmd={program}");
    let option = format!("option.VariantPath={variants}");
    let settings = [
        &["match", "--variant", "superchess"][..],
        &["--games", "4", "--seed", "12", "--openings", "arrays"],
        &["--record", record.text(), "--nodes", "2000"],
        &["--margin", "5000", "--max-turns", "120"],
        &["--engine", "cmd=self", "--engine"],
        &[&command, "name=fairy"],
        &[&option],
    ]
    .concat();
    said(&settings);
    let games = Record::read(&record.0).unwrap().games;
    assert_eq!(games.len(), 4);
    for game in games {
        assert!(
            matches!(
                game.termination,
                Termination::Rules | Termination::Adjudication
            ),
            "{}",
            game.reason
        );
    }
    said(&["verify", record.text()]);
}

/// Chess960 from its start positions: recorded, written as PGN that others read, and verified. Programs learn it by their option.
#[test]
fn chess960_is_played_recorded_and_verified() {
    let folder = Scratch::folder("chess960");
    let (record, pgn) = (folder.at("r.jsonl"), folder.at("g.pgn"));
    let players = [
        "--engine",
        "cmd=self",
        "--engine",
        "proto=internal",
        "name=b",
    ];
    for list in ["chess960", "dfrc"] {
        let settings = [
            &[
                "match", "--quiet", "--games", "4", "--seed", "3", "--nodes", "200",
            ][..],
            &["--max-turns", "120", "--openings", list],
            &["--record", &record, "--pgn", &pgn],
            &players,
        ]
        .concat();
        for file in [&record, &pgn] {
            let _ = std::fs::remove_file(file);
        }
        said(&settings);
        let games = Record::read(Path::new(&record)).unwrap().games;
        let is_proper =
            |termination| !matches!(termination, Termination::Crash | Termination::IllegalTurn);
        assert!(
            games.iter().all(|game| is_proper(game.termination)),
            "{games:?}"
        );
        // King and rook change places when they castle, so the token takes an own piece.
        let text = std::fs::read_to_string(&pgn).unwrap();
        assert_eq!(text.matches("[Variant \"Chess960\"]").count(), 4, "{text}");
        assert_eq!(text.matches("[FEN ").count(), 4, "{text}");
        assert!(text.contains("O-O"), "{text}");
        said(&["verify", &record]);
        said(&["verify", &pgn]);
        let analysed = said(&["analyse", "--nodes", "5", &pgn]);
        assert!(!analysed.contains("left out"), "{analysed}");
    }
    // The rule has to be the one of the positions.
    let orthodox = ["match", "--openings", "chess960", "--depth", "1"];
    let rule = ["--rule", "UCI_Chess960=false"];
    let result = ended(
        &[&orthodox[..], &rule, &players].concat(),
        Duration::from_mins(1),
    );
    assert!(
        result.errors().contains("need --rule UCI_Chess960=true"),
        "{}",
        result.errors()
    );
    // A program that would castle otherwise is no opponent.
    for variants in ["variants=normal", ""] {
        let script = format!(
            "args=-c 'while read -r line; do case $line in protover*) echo feature {variants} done=1;; quit) exit;; esac; done'"
        );
        let cecp = ["--engine", "cmd=sh", "proto=cecp", &script];
        let other = ["--engine", "proto=random"];
        let result = ended(
            &[&orthodox[..], &cecp, &other].concat(),
            Duration::from_mins(1),
        );
        assert!(
            result
                .errors()
                .contains("its variants have no 'fischerandom'"),
            "{}",
            result.errors()
        );
    }
    let script = Scratch::new("orthodox.sh");
    std::fs::write(
        &script.0,
        "while read -r line; do case $line in uci) echo uciok;; quit) exit;; esac; done\n",
    )
    .unwrap();
    let words = format!("args={}", script.text());
    let uci = ["--engine", "cmd=sh", &words, "--engine", "proto=random"];
    let result = ended(&[&orthodox[..], &uci].concat(), Duration::from_mins(1));
    assert!(
        result.errors().contains("no option UCI_Chess960"),
        "{}",
        result.errors()
    );
}

/// As XBoard does: the variant by its name, the position with the files of the rooks, castling with letters in both directions.
#[test]
fn chess960_is_played_over_cecp() {
    let folder = Scratch::folder("fischerandom");
    let [record, pgn, log] = ["r.jsonl", "g.pgn", "l.log"].map(|name| folder.at(name));
    let settings = [
        &["match", "--quiet", "--games", "6", "--seed", "3"][..],
        &[
            "--depth",
            "2",
            "--max-turns",
            "80",
            "--openings",
            "chess960",
        ],
        &["--record", &record, "--pgn", &pgn, "--log", &log],
        &["--engine", "cmd=self", "name=a", "proto=cecp"],
        &["--engine", "cmd=self", "name=b", "proto=cecp", "ponder=on"],
    ]
    .concat();
    said(&settings);
    for game in Record::read(Path::new(&record)).unwrap().games {
        let ends = [Termination::Rules, Termination::Adjudication];
        assert!(ends.contains(&game.termination), "{game:?}");
    }
    let log = std::fs::read_to_string(&log).unwrap();
    assert_eq!(log.matches("> variant fischerandom").count(), 12);
    let castlings = |words: &str| log.lines().filter(|line| line.contains(words)).count();
    assert!(castlings("< move O-O") > 0, "{log}");
    assert_eq!(castlings("< move O-O"), castlings("> usermove O-O"));
    let pgn_text = std::fs::read_to_string(&pgn).unwrap();
    let castled = pgn_text
        .split_whitespace()
        .filter(|word| word.starts_with("O-O"));
    assert_eq!(castled.count(), castlings("< move O-O"));
    said(&["verify", &record]);
    said(&["verify", &pgn]);
}
