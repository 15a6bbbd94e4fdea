//! The subcommands for people: analysis, problems, play and completions, run as a shell runs them.

use std::io::Write;
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    child
        .stdin
        .take()
        .expect("a pipe")
        .write_all(input.as_bytes())
        .expect("the program reads");
    child.wait_with_output().expect("the program ends")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn solve_finds_all_keys_and_says_so_by_its_status() {
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let solved = run(&["solve", "-n", "2", morphy], "");
    assert!(solved.status.success());
    assert!(text(&solved).starts_with("key a1a6\n"), "{}", text(&solved));
    assert!(text(&solved).contains("try a1a7 refuted by b8a7"));
    let unsolved = run(&["solve", "-n", "1", "--keys-only", morphy], "");
    assert_eq!(unsolved.status.code(), Some(1));
    assert_eq!(text(&unsolved), "no mate in 1\n");
    // The fool's mates of the two-move text, in every order.
    let fool = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let fool = run(
        &[
            "solve",
            "--variant",
            "twomove",
            "-n",
            "1",
            "--keys-only",
            fool,
        ],
        "",
    );
    let fool = text(&fool);
    let mut keys: Vec<_> = fool
        .lines()
        .filter_map(|line| line.strip_prefix("key "))
        .collect();
    keys.sort_unstable();
    assert_eq!(keys, ["d1h5,f1b5", "d1h5,f1c4", "f1b5,d1h5", "f1c4,d1h5"]);
}

#[test]
fn analyse_prints_json_lines_and_finds_mate() {
    let output = run(
        &[
            "analyse",
            "--json",
            "--depth",
            "3",
            "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
        ],
        "",
    );
    assert!(output.status.success());
    let last = text(&output).lines().last().expect("a line").to_owned();
    let last: serde_json::Value = serde_json::from_str(&last).expect("JSON");
    assert_eq!(last["mate"], 1);
    assert_eq!(last["pv"][0], "a1a8");
    assert_eq!(last["wdl"][0], 1000);
}

#[test]
fn analyse_splits_error_and_luck_of_a_dice_game() {
    let mut path = std::env::temp_dir();
    path.push(format!("fauve-analyse-{}.pgn", std::process::id()));
    // A comment behind a turn begins with its roll, as the referee writes it.
    let game = "[Variant \"dicechess\"]\n\
        [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -\"]\n\n\
        e2e4,d2d4,a2a3 {PPP} b8c6,c6d4,g8f6 {NNN} *\n";
    std::fs::write(&path, game).expect("a file");
    let name = path.to_str().expect("a name");
    let output = run(
        &["analyse", "--variant", "dicechess", "--nodes", "300", name],
        "",
    );
    let lines = text(&output);
    let json = run(
        &[
            "analyse",
            "--variant",
            "dicechess",
            "--nodes",
            "300",
            "--json",
            name,
        ],
        "",
    );
    let drawing = path.with_extension("svg");
    let drawn = drawing.to_str().expect("a name");
    let picture = run(
        &[
            "analyse",
            "--variant",
            "dicechess",
            "--depth",
            "1",
            "--svg",
            drawn,
            name,
        ],
        "",
    );
    std::fs::remove_file(&path).expect("the file is there");
    assert!(picture.status.success());
    let svg = std::fs::read_to_string(&drawing).expect("a picture");
    std::fs::remove_file(&drawing).expect("the picture is there");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(lines.contains("rating"), "{lines}");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(lines.contains("luck in all, points"), "{lines}");
    let turns: Vec<serde_json::Value> = text(&json)
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(turns.len(), 2);
    for turn in &turns {
        assert!(turn["luck"].as_f64().expect("luck").abs() <= 1.0);
        assert!((0.0..=1.0).contains(&turn["error"].as_f64().expect("error")));
        assert!(turn["played"].is_string() && turn["best"].is_string());
    }
    assert_eq!(turns[1]["side"], "b");
}

#[test]
fn analyse_of_dice_lists_rolls_candidates_and_rollouts() {
    let fen = "8/8/8/3k4/8/8/4R3/K7 w - - 0 1";
    let json = |arguments: &[&str]| -> Vec<serde_json::Value> {
        let all = [&["analyse", "--variant", "dicechess", "--json"], arguments].concat();
        let output = run(&all, "");
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{complaint}");
        text(&output)
            .lines()
            .map(|line| serde_json::from_str(line).expect("JSON"))
            .collect()
    };
    let rolls = json(&["--depth", "1", fen]);
    let weights: u64 = rolls
        .iter()
        .filter_map(|roll| roll["weight"].as_u64())
        .sum();
    assert_eq!((rolls.len(), weights), (56, 216));
    let chances: Vec<f64> = rolls
        .iter()
        .filter_map(|roll| roll["chance"].as_f64())
        .collect();
    assert!(chances.is_sorted_by(|a, b| a >= b));
    let dice = format!("{fen} PRK");
    let best = json(&["--depth", "1", "--multipv", "3", "--rollout", "216", &dice]);
    assert_eq!(best.len(), 3);
    for line in &best {
        assert!(line["loss"].as_f64().expect("a loss") >= 0.0);
        assert!((0.0..=1.0).contains(&line["rollout"].as_f64().expect("a mean")));
        assert_eq!(line["rollout_games"], 216);
    }
    let alone = json(&["--rollout", "216", "--truncate", "4", fen]);
    assert_eq!(alone.len(), 1);
    for wrong in [
        &["analyse", "--rollout", "10"][..],
        &[
            "analyse",
            "--variant",
            "dicechess",
            "--tables",
            "/no/such/file",
        ],
        &["analyse", "--variant", "dicechess", "--svg", "x.svg"],
        &["endings", "/no/such/folder/file"],
        &["endings", "/"],
    ] {
        let output = run(wrong, "");
        assert_eq!(output.status.code(), Some(1), "{wrong:?}");
        assert!(!output.stderr.is_empty());
    }
}

#[test]
fn a_person_can_play_undo_ask_and_leave() {
    let script = "hint\nmoves e2\ne2e5\ne2e4\nundo\nfen\nlevel 2\nboard\nquit\n";
    let output = run(&["play", "--side", "both"], script);
    assert!(output.status.success());
    let text = text(&output);
    assert!(text.contains("'e2e5' is not legal"), "{text}");
    assert!(text.contains("2 turns"), "{text}");
    assert!(
        text.contains("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"),
        "{text}"
    );
    // The engine answers in every game, and the end of input ends the program.
    for (variant, turn) in [
        ("superchess", "E@h1"),
        ("twomove", "e2e4"),
        ("cubes4d", "right"),
        ("chess", "Nf3"),
    ] {
        let side = if variant == "cubes4d" {
            "black"
        } else {
            "white"
        };
        let output = run(
            &["play", "--variant", variant, "--side", side, "--level", "1"],
            &format!("{turn}\n"),
        );
        assert!(output.status.success());
        let said = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(said.contains(" plays "), "{variant}: {said}");
    }
    let dice = run(
        &[
            "play",
            "--variant",
            "dicechess",
            "--side",
            "black",
            "--level",
            "1",
            "--seed",
            "2a",
        ],
        "quit\n",
    );
    assert!(dice.status.success());
    assert!(String::from_utf8_lossy(&dice.stdout).contains("White rolls "));
}

#[test]
fn the_rules_of_every_game_are_told_in_full_and_fit_a_terminal() {
    let list = text(&run(&["rules"], ""));
    for game in fauve_engine::Variant::ALL {
        let name = game.name();
        assert!(
            list.lines().any(|line| line.starts_with(name)),
            "{name} is not listed: {list}"
        );
        let output = run(&["rules", name], "");
        assert!(output.status.success(), "{name}");
        let rules = text(&output);
        assert!(rules.lines().count() >= 40, "{name}");
        for line in rules.lines() {
            assert!(line.chars().count() <= 80, "{name}: {line}");
            assert_eq!(line.trim_end(), line, "{name}: blanks at the end");
        }
        let by_option = run(&["rules", "--variant", name], "");
        let expected = if name == "chess" { &list } else { &rules };
        assert_eq!(&text(&by_option), expected, "{name}");
    }
    let unknown = run(&["rules", "ludo"], "");
    assert!(!unknown.status.success());
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("the games are"));
}

#[test]
fn completions_name_the_subcommands() {
    for shell in ["bash", "zsh", "fish"] {
        let output = run(&["completions", shell], "");
        assert!(output.status.success());
        assert!(text(&output).contains("analyse"), "{shell}");
    }
}

#[test]
fn mistakes_on_the_command_line_are_said_on_stderr() {
    for arguments in [
        &["analyse", "--depth", "3", "no/such/fen", "w"][..],
        &["analyse", "no-such-file.pgn"],
        &["solve", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["play", "--variant", "dicechess", "x"],
        &["analyse", "--time", "-1"],
    ] {
        let output = run(arguments, "");
        assert!(!output.status.success(), "{arguments:?}");
        assert!(
            !output.stderr.is_empty() && output.stdout.is_empty(),
            "{arguments:?}"
        );
    }
}
