//! What commands print: one point of view, sentences with the right number, and files of which one part cannot be read.

use super::run_in;
use crate::referee::random_games;
use crate::scratch::Scratch;
use serde_json::Value;

/// Standard output and standard error of the program in a folder, and its status.
fn said(folder: &Scratch, words: &[&str], input: &str) -> (String, String, Option<i32>) {
    let output = run_in(folder, words, input);
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (
        text(&output.stdout),
        text(&output.stderr),
        output.status.code(),
    )
}

fn json(folder: &Scratch, words: &[&str], input: &str) -> Vec<Value> {
    let (out, errors, code) = said(folder, &[&["analyse", "--json"], words].concat(), input);
    assert_eq!(code, Some(0), "{errors}");
    out.lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect()
}

/// Black is a rook up and to move: whatever `analyse` prints of it is White's view, and says so.
#[test]
fn every_value_of_analyse_is_whites_view() {
    let folder = Scratch::folder("views");
    let fen = "4k3/4r3/8/8/8/8/4p3/4K3 b - - 0 1";
    let words: Vec<&str> = fen.split(' ').collect();
    let position = json(&folder, &[&["--depth", "4"], &words[..]].concat(), "");
    let last = position.last().expect("a line");
    let value = |line: &Value| match (line["cp"].as_i64(), line["mate"].as_i64()) {
        (Some(value), _) | (None, Some(value)) => value,
        _ => panic!("{line}"),
    };
    assert!(value(last) < 0, "{last}");
    assert!(last["wdl"][0].as_u64() < last["wdl"][2].as_u64(), "{last}");
    let line = json(&folder, &["--depth", "4", "-"], &format!("{fen}\n"));
    assert!(value(&line[0]) < 0, "{}", line[0]);
    let (out, _, _) = said(
        &folder,
        &[&["analyse", "--depth", "4"], &words[..]].concat(),
        "",
    );
    assert!(out.contains("White's view"), "{out}");
    let percent = out
        .lines()
        .rev()
        .find(|line| line.contains('%'))
        .expect("a line");
    assert!(
        percent.contains(" -") || percent.contains("-#"),
        "{percent}"
    );

    // DiceChess: Black to roll, and then with a roll that takes the king.
    let dice = ["--variant", "dicechess", "--depth", "1"];
    let fen = "4k3/4r3/8/8/8/8/8/4K3 b - - 0 1";
    let words: Vec<&str> = fen.split(' ').collect();
    let rolls = json(&folder, &[&dice[..], &words[..]].concat(), "");
    let chances: Vec<f64> = rolls
        .iter()
        .filter_map(|roll| roll["chance"].as_f64())
        .collect();
    assert!(chances.is_sorted(), "the best of Black first: {chances:?}");
    assert!(chances[0] < 0.01, "{chances:?}");
    let rolled: Vec<&str> = words.iter().copied().chain(["RNB"]).collect();
    let best = json(
        &folder,
        &[&dice[..], &["--multipv", "2"], &rolled[..]].concat(),
        "",
    );
    assert!(best[0]["chance"].as_f64() < Some(0.01), "{}", best[0]);
    let game = format!("[Variant \"dicechess\"]\n[FEN \"{fen}\"]\n\ne7e1 {{RNB}} 0-1\n");
    let turns = json(&folder, &[&dice[..], &["-"]].concat(), &game);
    for field in ["best_white", "white"] {
        assert!(
            turns[0][field].as_f64() < Some(0.01),
            "{field}: {}",
            turns[0]
        );
    }
    for words in [&words[..], &rolled[..]] {
        let (out, _, _) = said(&folder, &[&["analyse"], &dice[..], words].concat(), "");
        assert!(out.contains("White"), "{out}");
    }
}

/// Programs that read `--json` find the same fields in all games.
#[test]
fn an_assessed_turn_has_one_shape() {
    let folder = Scratch::folder("shape");
    let fields = |game: &str| {
        let turns = json(&folder, &["--depth", "1", "-"], game);
        let fields = turns[0].as_object().expect("an object");
        fields
            .keys()
            .cloned()
            .collect::<std::collections::BTreeSet<_>>()
    };
    let chess = fields("1. e4 *\n");
    let dice = fields("[Variant \"dicechess\"]\n\ne2e4,d2d4,a2a3 {PPP} *\n");
    let only: Vec<_> = dice
        .symmetric_difference(&chess)
        .map(String::as_str)
        .collect();
    // What only dice can bring, and a loss in pawns unless it is next to a mate.
    assert_eq!(only, ["before", "luck", "roll"], "{dice:?} {chess:?}");
}

#[test]
fn a_mate_counts_the_turns_that_are_left() {
    let folder = Scratch::folder("mates");
    let game = "1. f3 e5 2. g4 Qh4# 0-1\n";
    let (out, _, _) = said(
        &folder,
        &["analyse", "--depth", "4", "--pgn", "out.pgn", "-"],
        game,
    );
    let line = |start: &str| {
        let line = out.lines().find(|line| line.starts_with(start));
        line.unwrap_or_else(|| panic!("{start}: {out}")).to_owned()
    };
    assert!(line("2. g4").contains(" -#1 "), "{out}");
    assert!(line("2... Qh4#").contains("   # "), "{out}");
    let annotated = std::fs::read_to_string(folder.at("out.pgn")).expect("a game");
    assert!(annotated.contains("Qh4# {[%eval #]}"), "{annotated}");
    assert!(annotated.contains("[%eval #-1]}"), "{annotated}");
    let lines = json(&folder, &["--depth", "4", "-"], game);
    assert_eq!(
        (lines[2]["mate"].as_i64(), lines[3]["mate"].as_i64()),
        (Some(-1), Some(0))
    );
    // Two turns before: after the first of them one is left.
    let start = "[FEN \"7k/8/5K2/8/8/8/8/6Q1 w - - 0 1\"]\n\n1. Kf7 Kh7 2. Qg7# 1-0\n";
    let lines = json(&folder, &["--depth", "5", "-"], start);
    let mates: Vec<_> = lines.iter().map(|line| line["mate"].as_i64()).collect();
    assert_eq!(mates, [Some(1), Some(1), Some(0)]);
    // In DiceChess the king is taken.
    let dice =
        "[Variant \"dicechess\"]\n[FEN \"4k3/4r3/8/8/8/8/8/4K3 b - - 0 1\"]\n\ne7e1 {RNB} 0-1\n";
    let words = ["analyse", "--depth", "1", "--pgn", "dice.pgn", "-"];
    said(&folder, &words, dice);
    let annotated = std::fs::read_to_string(folder.at("dice.pgn")).expect("a game");
    assert!(annotated.contains("[%eval #]"), "{annotated}");
}

#[test]
fn solve_prints_keys_with_their_main_lines_as_the_game_writes_them() {
    let folder = Scratch::folder("solve");
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let solved = |words: &[&str]| said(&folder, &[&["solve"], words].concat(), "").0;
    assert_eq!(
        solved(&["-n", "2", morphy]),
        "1. Ra6 Bh2 2. Rxa7#\nmate in 2, 1 key\n"
    );
    assert_eq!(
        solved(&["--keys-only", morphy]),
        "1. Ra6\nmate in 2, 1 key\n"
    );
    // A try has one refutation; other turns have more.
    let all = solved(&["--all", morphy]);
    let tries: Vec<&str> = all
        .lines()
        .filter(|line| line.starts_with("try "))
        .collect();
    assert!(
        tries.contains(&"try 1. Rxa7+? Bxa7!") || tries.contains(&"try 1. Rxa7? Bxa7!"),
        "{all}"
    );
    assert!(
        all.lines()
            .any(|line| line.starts_with("1. ") && line.ends_with(" and others")),
        "{all}"
    );
    let composer = solved(&["--stipulation", "#2", "--tries", morphy]);
    let shown: Vec<&str> = composer
        .lines()
        .filter(|line| line.starts_with("try "))
        .collect();
    assert_eq!(tries, shown, "{all}");
    // The example of the help text is a screen at most.
    let fool = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let few = solved(&["--variant", "twomove", "-n", "1", fool]);
    assert!(few.lines().count() <= 4, "{few}");
    assert!(
        few.contains("1. Qh5,Bb5# (in any order)") || few.contains("1. Bb5,Qh5# (in any order)"),
        "{few}"
    );
}

#[test]
fn one_game_that_cannot_be_read_does_not_end_the_others() {
    let folder = Scratch::folder("mixed");
    let chess = "[Event \"a\"]\n\n1. e4 e5 *\n\n";
    let house = "[Event \"b\"]\n[Variant \"Crazyhouse\"]\n\n1. e4 e5 *\n\n";
    let fault = "[Event \"c\"]\n\n1. e4 e4 *\n\n";
    let fen = "[Event \"d\"]\n[FEN \"no position\"]\n\n1. e4 *\n\n";
    let games = [house, chess, fault, fen, chess].concat();
    for words in [&["--json"][..], &["--pgn", "out.pgn"]] {
        let words = [&["analyse", "--nodes", "20"], words, &["-"]].concat();
        let (out, errors, code) = said(&folder, &words, &games);
        assert_eq!(code, Some(1), "{errors}");
        let read = out.matches("\"san\":\"e5\"").count() + out.matches("1... e5").count();
        assert_eq!(read, 2, "{out}");
        for said in [
            "game 1 is left out: the game 'Crazyhouse' is not known here",
            "game 3 is left out: ",
            "game 4 is left out: ",
            "left out: 3 of 5 games",
        ] {
            assert!(errors.contains(said), "{said}: {errors}");
        }
    }
    let annotated = std::fs::read_to_string(folder.at("out.pgn")).expect("games");
    assert_eq!(annotated.matches("1. e4").count(), 2, "{annotated}");
    let (_, errors, _) = said(
        &folder,
        &["analyse", "--nodes", "20", "--game", "2", "-"],
        &games,
    );
    assert!(errors.is_empty(), "{errors}");
    std::fs::write(folder.at("games.pgn"), &games).expect("a file");
    let (out, errors, code) = said(&folder, &["verify", "games.pgn"], "");
    assert!(
        out.contains("5 games, 3 with faults") && code == Some(1),
        "{out}{errors}"
    );
    let named = |game: &str| {
        game.replacen("]\n", "]\n[White \"a\"]\n[Black \"b\"]\n", 1)
            .replace(" *", " 1-0")
    };
    std::fs::write(
        folder.at("rated.pgn"),
        [named(house), named(chess), named(chess)].concat(),
    )
    .expect("a file");
    let (out, errors, code) = said(&folder, &["rate", "rated.pgn"], "");
    assert_eq!(code, Some(0), "{errors}");
    assert!(errors.contains("1 of 3 games left out"), "{errors}");
    assert!(out.contains("player"), "{out}");
}

#[test]
fn faults_of_games_count_turns_as_players_do() {
    let folder = Scratch::folder("numbers");
    let (_, errors, _) = said(
        &folder,
        &["analyse", "--nodes", "10", "-"],
        "1. e4 e5 2. Ke2 e4 *",
    );
    assert!(
        errors.contains("turn 2 of Black: 'e4' is not legal"),
        "{errors}"
    );
    let later = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 b - - 0 40\"]\n\n40... Kd8 41. Kd3 *";
    let (_, errors, _) = said(&folder, &["analyse", "--nodes", "10", "-"], later);
    assert!(
        errors.contains("turn 41 of White: 'Kd3' is not legal"),
        "{errors}"
    );
}

#[test]
fn a_null_move_ends_what_is_read_of_a_game_with_a_sentence() {
    let folder = Scratch::folder("null");
    for null in ["--", "Z0"] {
        let game = format!("1. e4 e5 2. {null} Nc6 3. Nf3 *\n");
        let words = [
            "analyse", "--nodes", "20", "--force", "--pgn", "out.pgn", "-",
        ];
        let (out, errors, code) = said(&folder, &words, &game);
        assert_eq!(code, Some(0), "{errors}");
        assert!(out.contains("1... e5") && !out.contains("Nc6"), "{out}");
        assert!(
            errors.contains("game 1: turn 2 of White is a null move; it is read up to it"),
            "{errors}"
        );
        let annotated = std::fs::read_to_string(folder.at("out.pgn")).expect("a game");
        assert!(
            annotated.contains("e5") && !annotated.contains("Nc6"),
            "{annotated}"
        );
        std::fs::write(folder.at("null.pgn"), &game).expect("a file");
        let (out, errors, _) = said(
            &folder,
            &["play", "--load", "null.pgn", "--side", "both"],
            "history\n",
        );
        assert!(
            out.contains("e5") && errors.contains("is a null move"),
            "{out}{errors}"
        );
        let (_, errors, code) = said(&folder, &["verify", "null.pgn"], "");
        assert!(
            code == Some(1) && errors.contains("is a null move"),
            "{errors}"
        );
    }
}

#[test]
fn one_of_something_is_not_said_in_the_plural() {
    let folder = Scratch::folder("one");
    std::fs::write(folder.at("one.pgn"), "[Event \"e\"]\n\n1. e4 *\n").expect("a file");
    let (out, _, _) = said(&folder, &["verify", "one.pgn"], "");
    assert_eq!(out, "one.pgn: 1 game, 0 with faults\n");
    std::fs::write(folder.at("bad.pgn"), "[Event \"e\"]\n\n1. e5 *\n").expect("a file");
    let (_, errors, _) = said(&folder, &["verify", "bad.pgn"], "");
    assert!(errors.contains("1 game with faults"), "{errors}");
    let (_, errors, _) = said(&folder, &["legal", "8 w - - 0 1"], "");
    assert!(errors.contains("board: 1 rank\n"), "{errors}");
    let (out, _, _) = said(&folder, &["play", "--side", "both"], "legal e2e4\n");
    assert!(out.contains("1 turn\n"), "{out}");
}

#[test]
fn a_file_without_games_does_not_pass_for_sound_ones() {
    let folder = Scratch::folder("empty");
    for text in ["", "\n", "\u{feff}\n"] {
        std::fs::write(folder.at("empty.pgn"), text).expect("a file");
        let (out, errors, code) = said(&folder, &["verify", "empty.pgn"], "");
        assert!(errors.contains("empty.pgn: no game found"), "{out}{errors}");
        assert_eq!(code, Some(1), "{text:?}");
    }
}

#[test]
fn files_of_games_may_be_packed_by_gzip() {
    let folder = Scratch::folder("packed");
    let game = "[Event \"e\"]\n[White \"a\"]\n[Black \"b\"]\n[Result \"1-0\"]\n\n1. e4 e5 1-0\n";
    let record = {
        let engine = |name: &str| {
            [
                "--engine".to_owned(),
                "proto=internal".to_owned(),
                format!("name={name}"),
            ]
        };
        let mut words = vec!["match".to_owned()];
        words.extend(engine("a"));
        words.extend(engine("b"));
        let rest = "--nodes 1 --max-turns 4 --rounds 1 --seed 1 --record r.jsonl";
        words.extend(rest.split(' ').map(str::to_owned));
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let (_, errors, code) = said(&folder, &words, "");
        assert_eq!(code, Some(0), "{errors}");
        std::fs::read(folder.at("r.jsonl")).expect("a record")
    };
    // Header, the text, its checksum and length.
    let pack = |name: &str, text: &[u8]| {
        let mut packed = vec![0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255];
        packed.extend(miniz_oxide::deflate::compress_to_vec(text, 6));
        packed.extend(crc(text).to_le_bytes());
        packed.extend((text.len() as u32).to_le_bytes());
        std::fs::write(folder.at(name), packed).expect("a file");
    };
    pack("g.pgn.gz", game.as_bytes());
    pack("r.jsonl.gz", &record);
    pack("p.epd.gz", b"6k1/5ppp/8/8/8/8/8/R3K3 w Q - bm Ra8#;\n");
    let done = |words: &[&str], expected: &str| {
        let (out, errors, code) = said(&folder, words, "");
        assert!(
            code == Some(0) && out.contains(expected),
            "{words:?}: {out}{errors}"
        );
    };
    done(&["analyse", "--nodes", "20", "g.pgn.gz"], "1... e5");
    done(&["analyse", "--nodes", "20", "r.jsonl.gz"], "Game 2");
    done(&["analyse", "--nodes", "2000", "p.epd.gz"], "found 1 of 1");
    done(&["verify", "g.pgn.gz"], "1 game, 0 with faults");
    done(&["verify", "r.jsonl.gz"], "2 games, 0 with faults");
    done(&["rate", "g.pgn.gz", "r.jsonl.gz"], "player");
    done(&["merge", "r.jsonl.gz", "--record", "m.jsonl"], "Games: 2");
    done(&["verify", "m.jsonl"], "2 games, 0 with faults");
    done(
        &["play", "--load", "g.pgn.gz", "--side", "both"],
        "White to move",
    );
    let bytes = std::fs::read(folder.at("g.pgn.gz")).expect("a file");
    std::fs::write(folder.at("cut.pgn.gz"), &bytes[..bytes.len() - 4]).expect("a file");
    for words in [
        &["analyse", "cut.pgn.gz"][..],
        &["verify", "cut.pgn.gz"],
        &["rate", "cut.pgn.gz"],
        &["merge", "cut.pgn.gz"],
    ] {
        let (_, errors, code) = said(&folder, words, "");
        assert!(
            code == Some(1) && errors.contains("cut.pgn.gz: "),
            "{errors}"
        );
    }
}

/// The CRC-32 of gzip.
fn crc(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |crc, &byte| {
        (0..8).fold(crc ^ u32::from(byte), |crc, _| {
            crc >> 1 ^ (0xedb8_8320 & (crc & 1).wrapping_neg())
        })
    })
}

/// The counters of EPD, which stand in its operations, are those of the position.
#[test]
fn counters_of_epd_are_those_of_the_position() {
    let folder = Scratch::folder("counters");
    let line = "4k3/8/8/8/8/8/8/R3K3 w - - hmvc 99; fmvn 60;\n";
    std::fs::write(folder.at("book.epd"), line).expect("a file");
    let values = json(&folder, &["--depth", "3", "book.epd"], "");
    assert_eq!(values[0]["fen"], "4k3/8/8/8/8/8/8/R3K3 w - - 99 60");
    // Every turn but mate draws by the counter.
    assert_eq!(values[0]["cp"], 0);
    let words = random_games("2", "1", &["--openings", "book.epd", "--record", "r.jsonl"]);
    let (_, errors, code) = said(&folder, &words, "");
    assert_eq!(code, Some(0), "{errors}");
    let record = std::fs::read_to_string(folder.at("r.jsonl")).expect("a record");
    assert!(record.contains("w - - 99 60"), "{record}");
    assert!(record.contains("\"result\":\"1/2-1/2\""), "{record}");
}

/// What is dropped from a position is said wherever the position comes from, with its place.
#[test]
fn corrections_of_positions_in_files_are_said() {
    let folder = Scratch::folder("corrections");
    let fen = "4k3/7p/8/8/8/8/7P/4K2R w KQkq - 0 1";
    let write = |name: &str, text: &str| std::fs::write(folder.at(name), text).expect("a file");
    write("p.epd", &format!("{fen}\n"));
    write("p.pgn", &format!("[FEN \"{fen}\"]\n\n1. Ke2 *\n"));
    let said_of = |words: &[&str]| said(&folder, words, "").1;
    let dropped = "castling right Q dropped";
    let errors = said_of(&["analyse", "--nodes", "1", "p.epd"]);
    assert!(
        errors.contains(&format!("position 1: {dropped}")),
        "{errors}"
    );
    let errors = said_of(&["analyse", "--nodes", "1", "p.pgn"]);
    assert!(errors.contains(&format!("game 1: {dropped}")), "{errors}");
    let errors = said_of(&["verify", "p.pgn"]);
    assert!(errors.contains(&format!("game 1: {dropped}")), "{errors}");
    let errors = said_of(&["play", "--load", "p.pgn"]);
    assert!(errors.contains(dropped), "{errors}");
    let words = random_games("2", "1", &["--openings", "p.epd", "--record", "r.jsonl"]);
    let (_, errors, code) = said(&folder, &words, "");
    assert_eq!(code, Some(0), "{errors}");
    let place = format!("p.epd, line 1: {dropped}");
    assert_eq!(errors.matches(&place).count(), 1, "{errors}");
}

/// Games of Cubes 4D are read in the notation in which they are printed.
#[test]
fn printed_games_of_cubes_4d_are_read() {
    let folder = Scratch::folder("cubes-notation");
    let turns = "1... left 1. N(-2,-2,1)-(-1,0,1) *\n";
    let text = format!("[Variant \"cubes4d\"]\n\n{turns}");
    std::fs::write(folder.at("c.pgn"), text).expect("a file");
    let (out, errors, code) = said(&folder, &["verify", "c.pgn"], "");
    assert_eq!(code, Some(0), "{out}{errors}");
}

/// Where no turn begins as asked, that is said.
#[test]
fn an_empty_list_of_turns_is_explained() {
    let folder = Scratch::folder("prefix");
    let words = ["legal", "--variant", "twomove", "--prefix", "d2d4,"];
    let (out, errors, code) = said(&folder, &words, "");
    assert_eq!((out.as_str(), code), ("", Some(0)));
    assert!(
        errors.contains("no legal turn begins with 'd2d4,'"),
        "{errors}"
    );
}
