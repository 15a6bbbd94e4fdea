//! The subcommands for people: analysis, problems, play and completions, run as a shell runs them.

use crate::scratch::Scratch;
use fauve_engine::Variant;
use fauve_engine::strength_scales::StrengthScale;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Output, Stdio};

fn run(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    // A game that is left is saved where the program runs.
    let folder = Scratch::folder("run");
    if arguments.first() == Some(&"play") {
        command.current_dir(&folder.0);
    }
    let mut child = command
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

/// A text without the breaks between its lines, whose places depend on the lengths of its words and values.
fn on_one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

#[test]
fn solve_finds_all_keys_and_sets_the_exit_status() {
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let solved = run(&["solve", "-n", "2", morphy], "");
    assert!(solved.status.success());
    assert!(text(&solved).starts_with("1. Ra6 "), "{}", text(&solved));
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
        .filter_map(|line| line.strip_prefix("1. "))
        .collect();
    keys.sort_unstable();
    let orders = " (in any order)";
    assert!(keys.iter().all(|key| key.ends_with(orders)), "{fool}");
    let squares = |key: &str, bishop: &str| key.contains("Qh5") && key.contains(bishop);
    assert!(
        keys.len() == 2 && squares(keys[0], "Bb5") | squares(keys[0], "Bc4"),
        "{fool}"
    );
}

/// A problem as composers look at it, in chess and in two-move chess.
#[test]
fn solve_shows_set_play_threats_variations_and_duals() {
    let shown = |words: &[&str]| {
        let output = run(&[&["solve", "--stipulation"], words].concat(), "");
        (text(&output), output.status.code())
    };
    let morphy = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1";
    let (said, status) = shown(&["#2", "--tries", morphy]);
    assert_eq!(status, Some(0));
    for line in [
        "#2",
        "1. Ra6",
        "  no threat",
        "  1... bxa6  2. b7#",
        "sound: one key",
    ] {
        assert!(said.lines().any(|told| told == line), "{line}: {said}");
    }
    assert!(
        said.contains("set play: ") && said.contains("  2. Rxa7#"),
        "{said}"
    );
    assert!(said.contains("\ntry 1. "), "{said}");
    assert!(!said.contains("dual"), "{said}");
    // A threat, and a key too many.
    let (said, _) = shown(&["#2", "7k/8/5K2/8/8/8/8/QR6 w - - 0 1"]);
    assert!(
        said.contains("  threat: 2. ") && said.contains("cooked: "),
        "{said}"
    );
    // Two orders of one turn are one key.
    let fool = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2";
    let (said, _) = shown(&["#1", fool, "--variant", "twomove"]);
    let keys: Vec<&str> = said
        .lines()
        .filter(|line| line.starts_with("1. "))
        .collect();
    assert_eq!(keys.len(), 2, "{said}");
    assert!(
        keys.iter().all(|key| key.ends_with(" (in any order)")),
        "{said}"
    );
    assert!(said.ends_with("cooked: 2 keys\n"), "{said}");
    let (said, status) = shown(&["#1", morphy]);
    assert!(
        said.ends_with("no solution\n") && status == Some(1),
        "{said}"
    );
    // What follows a turn stands below it, and not between it and the next one.
    let (said, _) = shown(&["#3", "k7/8/1K6/8/8/8/8/6RR w - - 0 1"]);
    assert!(
        !said
            .lines()
            .any(|line| line.contains("... ") && line.contains("# or Rd1")),
        "{said}"
    );
    assert!(said.contains("\n  or 2. Rd1\n    2... "), "{said}");
    let (_, status) = shown(&["h#2", morphy]);
    assert_eq!(status, Some(2));
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
    // A comment behind a turn begins with its roll, as the referee writes it.
    let game = "[Variant \"dicechess\"]\n\
        [FEN \"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -\"]\n\n\
        e2e4,d2d4,a2a3 {PPP} b8c6,c6d4,g8f6 {NNN} *\n";
    let path = Scratch::file("analyse.pgn", game);
    let name = path.text();
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
    let drawing = Scratch::new("analyse.svg");
    let drawn = drawing.text();
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
    assert!(picture.status.success());
    let svg = drawing.read();
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(lines.contains("rating"), "{lines}");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert!(lines.contains("total luck, points"), "{lines}");
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
        &[
            "analyse",
            "--variant",
            "dicechess",
            "--tables",
            "/no/such/file",
        ][..],
        &["endgames", "/no/such/folder/file"],
        &["endgames", "/"],
    ] {
        let output = run(wrong, "");
        assert_eq!(output.status.code(), Some(1), "{wrong:?}");
        assert!(!output.stderr.is_empty());
    }
}

/// An hour's work is not replaced by ten seconds', and what may be one is kept.
#[test]
fn four_piece_endgames_are_not_overwritten() {
    // The six classes of three pieces and the first of four, all of them 0.
    let values = 640 + 4 * 2 * 640 * 64 + 2 * 32 * 64 * 48 + 640 * 64 * 64;
    let mut bytes = b"FAUVEDT1".to_vec();
    bytes.extend(miniz_oxide::deflate::compress_to_vec_zlib(
        &vec![0; 2 * values],
        1,
    ));
    let whole = Scratch::file("four.tables", &bytes);
    let cut = Scratch::file("cut.tables", &bytes[..bytes.len() - 1]);
    for (file, reason) in [(&whole, "--pieces 4 resumes them"), (&cut, "damaged")] {
        let before = std::fs::read(&file.0).expect("the file");
        for words in [
            &["endgames", file.text()][..],
            &["endgames", "--variant", "dicechess", file.text()],
        ] {
            let output = run(words, "");
            assert_eq!(output.status.code(), Some(1));
            let said = String::from_utf8_lossy(&output.stderr);
            assert!(said.contains(reason), "{said}");
            assert!(before == std::fs::read(&file.0).expect("the file"));
        }
    }
}

/// Scripts of earlier versions still work; the help shows only the present names.
#[test]
fn former_names_of_endgames_and_pieces_are_hidden_aliases() {
    for command in ["endgames", "endings"] {
        for option in ["--pieces", "--men"] {
            let words = [command, "--variant", "twomove", option, "4", "x.tables"];
            let refused = run(&words, "");
            let why = String::from_utf8_lossy(&refused.stderr);
            assert!(why.contains("only DiceChess"), "{words:?}: {why}");
        }
    }
    for words in [&["--help"][..], &["endgames", "--help"]] {
        let help = text(&run(words, ""));
        assert!(help.contains("endgames"), "{help}");
        assert!(!help.contains("endings"), "{help}");
        assert!(!help.contains("--men"), "{help}");
    }
}

#[test]
fn play_supports_undo_hint_list_and_quit() {
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

/// Two people with a cube: who doubles, who may, what a pass is worth, and that taking back takes the cube back.
#[test]
fn play_offers_takes_and_passes_doubles() {
    let play = |more: &[&str], script: &str| {
        let words = [
            &[
                "play",
                "--variant",
                "dicechess",
                "--seed",
                "2a",
                "--doubling",
            ],
            more,
        ]
        .concat();
        let output = run(&words, script);
        assert!(output.status.success());
        text(&output)
    };
    let script = "help\nplay\ntake\ndouble\nroll\npass\nquit\n";
    let said = play(&["--side", "both"], script);
    // No turn can be given as an example before the roll.
    assert!(said.contains("Type one of these:"), "{said}");
    assert!(said.contains("no turn can be played now"), "{said}");
    assert!(said.contains("White (cube 1): roll or double"), "{said}");
    assert!(said.contains("no double is offered"), "{said}");
    assert!(said.contains("White doubles to 2 points"), "{said}");
    assert!(said.contains("a double is offered; take or pass"), "{said}");
    assert!(
        said.contains("White wins: Black passes the double, for 1 point"),
        "{said}"
    );
    // White's dice; whoever has taken may double next, and only he.
    let said = play(&["--side", "both"], "double\ntake\nlegal\nresign\nquit\n");
    assert!(
        said.contains("Black takes; the game is for 2 points"),
        "{said}"
    );
    assert!(said.contains("White rolls "), "{said}");
    assert!(said.contains("for 2 points"), "{said}");
    let lost = "7k/8/8/8/8/8/8/QQQK4 w - - 0 1";
    let said = play(&["--side", "black", "--level", "1", lost], "take\nquit\n");
    assert!(
        said.contains("White doubles") && said.contains("Black takes"),
        "{said}"
    );
    let said = play(
        &["--side", "white", "--level", "1", lost],
        "double\nundo\nroll\nquit\n",
    );
    assert!(said.contains("Black passes the double"), "{said}");
    let said = play(&["--side", "both"], "double\nresign\nquit\n");
    assert!(said.contains("White wins: Black resigns"), "{said}");
    let no_cube = run(
        &["play", "--variant", "dicechess", "--side", "both"],
        "double\nquit\n",
    );
    assert!(text(&no_cube).contains("there is no doubling cube"));
    assert!(!run(&["play", "--doubling"], "").status.success());
}

#[test]
fn rules_of_every_game_are_complete_and_fit_a_terminal() {
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
            assert!(!line.starts_with("```"), "{name}: Markdown");
        }
        let by_option = run(&["rules", "--variant", name], "");
        assert_eq!(text(&by_option), rules, "{name}");
    }
    let unknown = run(&["rules", "ludo"], "");
    assert!(!unknown.status.success());
    assert!(
        String::from_utf8_lossy(&unknown.stderr).contains("possible values: chess, superchess")
    );
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
fn command_line_errors_go_to_stderr() {
    for arguments in [
        &["analyse", "--depth", "3", "no/such/fen", "w"][..],
        &["analyse", "no-such-file.pgn"],
        &["solve", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["play", "--variant", "dicechess", "x"],
        &["analyse", "--time", "-1"],
        &["perft"],
        &["perft", "x"],
        &["legal", "foo"],
        &["legal", "startpos", "moves", "e2e4"],
        &[
            "match",
            "--engine",
            "proto=random",
            "--engine",
            "proto=greedy",
            "--rounds",
            "2",
            "--seed",
            "1",
            "--pairs",
            "2-9",
        ],
    ] {
        let output = run(arguments, "");
        let status = if arguments.contains(&"no-such-file.pgn") {
            1
        } else {
            2
        };
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert!(
            !output.stderr.is_empty() && output.stdout.is_empty(),
            "{arguments:?}"
        );
    }
}

/// Mistakes that depend on the game, on a file that is asked for, or on another word of the line.
#[test]
fn mistakes_that_a_command_itself_finds_have_status_2() {
    let game = Scratch::file("mistakes.pgn", "1. e4 *\n");
    let lines = Scratch::file("mistakes.epd", "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8;\n");
    for (words, sentence) in [
        ("play --level 99", "--level: chess has levels 1 to "),
        ("play --elo 99999", "--elo: chess takes "),
        ("play --doubling", "--doubling: chess has no dice"),
        (
            "play --variant chess dicechess",
            "the game and --variant differ",
        ),
        (
            "bench chess --variant superchess",
            "the game and --variant differ",
        ),
        (
            "rules chess --variant superchess",
            "the game and --variant differ",
        ),
        ("play --rule Foo=1", "--rule: no option 'Foo'"),
        ("play --rule Hash=1", "--rule: Hash is not a rule switch"),
        ("analyse --rule Foo", "--rule 'Foo' is not of the form"),
        (
            "analyse --rule UCI_Chess960=perhaps",
            "--rule: UCI_Chess960 takes ",
        ),
        ("analyse --rule Foo=bar GAME", "--rule: no option 'Foo'"),
        ("analyse --svg x", "--svg is for dicechess alone"),
        ("analyse --variant dicechess --svg x", "--svg is for a game"),
        ("analyse --pgn x", "--pgn is for games"),
        ("analyse --game 1", "--game is for a file"),
        ("analyse --shard 1/2", "--shard is for a file"),
        ("analyse --rollout 1", "--rollout is for dicechess alone"),
        ("analyse --rollout 1 GAME", "--rollout is for one position"),
        ("analyse --multipv 2 GAME", "--multipv is for one position"),
        ("analyse --svg x GAME", "--svg is for dicechess alone"),
        ("analyse --rollout 1 LINES", "--rollout is for one position"),
        ("analyse --multipv 2 LINES", "--multipv is for one position"),
        ("legal --variant dicechess", "the dice are not rolled"),
        (
            "solve --variant dicechess startpos",
            "the dice are not rolled",
        ),
        ("endgames --variant twomove x", "only DiceChess reads"),
        (
            "match --engine proto=random --engine proto=greedy --sprt elo0",
            "--sprt: 'elo0' is not of the form",
        ),
        ("match --engine proto=random", "a match needs two engines"),
    ] {
        let words = words
            .replace("GAME", game.text())
            .replace("LINES", lines.text());
        let output = run(&words.split(' ').collect::<Vec<_>>(), "");
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(sentence), "{words}: {errors}");
        assert!(output.stdout.is_empty(), "{words}");
        assert_eq!(output.status.code(), Some(2), "{words}: {errors}");
    }
}

/// What a file has or has not is no mistake of the line, but no reason either to ignore an option.
#[test]
fn options_that_mean_nothing_for_positions_of_a_file_are_refused() {
    let lines = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8;\n";
    for (option, value, sentence) in [
        ("--svg", "x", "--svg: there are no games in the file"),
        ("--pgn", "x", "--pgn: there are no games in the file"),
        ("--game", "2", "there is no position 2, there are 1"),
    ] {
        let output = run(&["analyse", option, value, "-"], lines);
        let errors = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(errors.contains(sentence), "{option}: {errors}");
        assert_eq!(output.status.code(), Some(1), "{option}");
        assert!(output.stdout.is_empty(), "{option}");
    }
}

#[test]
fn rule_switches_are_those_of_games_that_name_none() {
    let fen = "4k3/8/8/8/8/8/8/r3K2R w K - 0 1 RKP";
    let game = format!("[Variant \"dicechess\"]\n[FEN \"{fen}\"]\n\n1. O-O *\n");
    let annotated = Scratch::new("rule.pgn");
    let analyse = |rule: &str, game: &str| {
        let words = ["analyse", "--depth", "1", "--rule", rule];
        let written = ["--force", "--pgn", annotated.text(), "-"];
        run(&[&words[..], &written[..]].concat(), game)
    };
    let switch = "castle through check=true";
    let done = analyse(switch, &game);
    assert!(done.status.success(), "{done:?}");
    assert!(text(&done).contains("O-O"), "{}", text(&done));
    // What was written can be read without the switch.
    assert!(run(&["verify", annotated.text()], "").status.success());
    let named = format!("[CastleThroughCheck \"false\"]\n{game}");
    assert!(!analyse(switch, &named).status.success());
    // A switch of another game means nothing to it.
    let chess = analyse(switch, "1. e4 *\n");
    assert!(chess.status.success());
    let written = std::fs::read_to_string(annotated.text()).expect("a game");
    assert!(!written.contains("CastleThroughCheck"), "{written}");
}

/// The turns of two moves that commute are one, whichever is first in the file.
#[test]
fn a_turn_that_an_epd_wants_may_be_found_in_another_order() {
    let fen = "rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq -";
    for (operations, mark) in [
        ("bm Bc4,Qh5 Bb5,Qh5", "yes"),
        ("bm Qh5,Bc4 Qh5,Bb5", "yes"),
        ("am Bc4,Qh5 Bb5,Qh5", "NO"),
        ("am Qh5,Bc4 Qh5,Bb5", "NO"),
    ] {
        let line = format!("{fen} {operations}; id \"m2\";\n");
        let words = ["analyse", "--variant", "twomove", "--depth", "1", "-"];
        let said = text(&run(&words, &line));
        let shown = format!("{mark:<3}  m2\n");
        assert!(said.contains(&shown), "{operations}: {said}");
    }
}

/// Whatever bytes a name has: it is a file if it is there, and otherwise one that is missing.
#[cfg(target_os = "linux")]
#[test]
fn files_of_any_name_are_analysed() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;
    let folder = Scratch::folder("bytes");
    let name = OsStr::from_bytes(b"g\xe9.pgn");
    let analyse = || {
        Command::new(env!("CARGO_BIN_EXE_fauve"))
            .args(["analyse", "--nodes", "20"])
            .arg(folder.0.join(name))
            .output()
            .expect("the program runs")
    };
    let missing = analyse();
    assert_eq!(missing.status.code(), Some(1));
    let errors = String::from_utf8_lossy(&missing.stderr).into_owned();
    assert!(errors.contains("No such file"), "{errors}");
    std::fs::write(folder.0.join(name), "1. e4 *\n").expect("a file");
    let found = analyse();
    assert!(found.status.success(), "{found:?}");
    assert!(text(&found).contains("1. e4"), "{}", text(&found));
}

#[test]
fn a_value_of_another_program_does_not_stay_where_there_is_only_a_bound() {
    let game = "1. e4 {[%eval 7.77] [%clk 0:05:00]} e5 {[%eval 7.77]} 2. Qh5 {[%eval 7.77]} Ke7 {[%eval 7.77]} *\n";
    let annotated = Scratch::new("bounds.pgn");
    let mut bounds = 0;
    for nodes in ["50", "200", "300"] {
        let words = ["analyse", "--nodes", nodes, "--force", "--pgn"];
        assert!(
            run(&[&words[..], &[annotated.text(), "-"]].concat(), game)
                .status
                .success()
        );
        let written = std::fs::read_to_string(annotated.text()).expect("a game");
        assert!(!written.contains("7.77"), "{written}");
        assert!(written.contains("[%clk 0:05:00]"), "{written}");
        bounds += 4 - written.matches("[%eval ").count();
    }
    assert!(bounds > 0, "no search ended with a bound");
}

#[test]
fn a_dice_game_that_is_over_is_not_analysed_as_a_running_one() {
    let analyse = |fen: &str, more: &[&str]| {
        let words = ["analyse", "--variant", "dicechess", "--depth", "1", fen];
        text(&run(&[&words[..], more].concat(), ""))
    };
    for fen in [
        "4k3/8/8/8/8/8/8/4K2R w K - 100 60 -",
        "4k3/8/8/8/8/8/8/4K2R w K - 100 60 PRR",
    ] {
        for more in [&[][..], &["--multipv", "2"], &["--rollout", "216"]] {
            let said = analyse(fen, more);
            assert!(said.contains("draw by "), "{said}");
            assert!(!said.contains("chance"), "{said}");
        }
        let line: serde_json::Value =
            serde_json::from_str(&analyse(fen, &["--json"])).expect("JSON");
        assert_eq!(line["wdl"], serde_json::json!([0, 1000, 0]));
    }
    // The king is taken: the mate is on the board.
    let taken = analyse("8/8/8/8/8/8/8/4K2R w K - 10 60 -", &[]);
    assert!(taken.contains("  # 100.0%"), "{taken}");
}

#[test]
fn a_position_with_turns_behind_it_is_named_as_what_it_is() {
    let output = run(&["legal", "startpos", "moves", "e2e4"], "");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(
        errors,
        "fauve: a position is wanted, without turns: 'moves e2e4' stands behind 'startpos'\n"
    );
}

#[test]
fn options_may_follow_the_position() {
    let fen = ["6k1/5ppp/8/8/8/8/8/R3K3", "w", "-", "-", "0", "1"];
    let with = |command: &'static str, behind: &[&'static str]| {
        let mut words = vec![command];
        words.extend(fen);
        words.extend(behind);
        words
    };
    let solved = text(&run(&with("solve", &["--keys-only", "-n", "1"]), ""));
    assert_eq!(solved, "1. Ra8#\nmate in 1, 1 key\n");
    let legal = text(&run(&with("legal", &["--prefix", "a1a8"]), ""));
    assert_eq!(legal, "a1a8\n");
    let counted = text(&run(&with("perft", &["1", "--variant", "chess"]), ""));
    assert!(counted.contains("Nodes searched: 15"), "{counted}");
    let analysed = run(&with("analyse", &["--depth", "2", "--json"]), "");
    assert!(text(&analysed).starts_with('{'), "{}", text(&analysed));
    let strongest = StrengthScale::of(Variant::Chess).levels().to_string();
    let mut words: Vec<&str> = with("play", &["--side", "black", "--level"]);
    words.push(&strongest);
    let played = run(&words, "quit\n");
    assert!(played.status.success());
    assert!(text(&played).contains("Ra8#"), "{}", text(&played));

    let path = Scratch::file("second.pgn", "1. e4 *\n\n1. d4 *\n");
    let words = ["analyse", path.text(), "--game", "2", "--nodes", "50"];
    let second = run(&words, "");
    let second = text(&second);
    assert!(
        second.contains("d4") && !second.contains("1. e4"),
        "{second}"
    );
}

#[test]
fn bench_accepts_the_game_by_name_or_option() {
    let by_name = text(&run(&["bench", "twomove"], ""));
    let by_option = text(&run(&["bench", "--variant", "twomove"], ""));
    let nodes = |said: &str| {
        said.lines()
            .last()
            .and_then(|line| line.split(' ').next().map(str::to_owned))
    };
    assert_eq!(nodes(&by_name), nodes(&by_option));
    assert!(!by_option.contains("cubes4d"), "{by_option}");
}

#[test]
fn completions_list_the_games() {
    let bash = text(&run(&["completions", "bash"], ""));
    let mut lines = bash.lines().skip_while(|line| !line.contains("--variant)"));
    let values = lines.nth(1).unwrap_or_default();
    assert!(
        values.contains("superchess twomove dicechess cubes4d"),
        "{values}"
    );
    let short = run(&["legal", "--variant", "dice", "8/8"], "");
    assert!(
        !String::from_utf8_lossy(&short.stderr).contains("possible values"),
        "an alias is a game, too"
    );
}

#[test]
fn perft_divides_by_turn_and_by_roll() {
    let divided = text(&run(&["perft", "--divide", "3"], ""));
    assert!(divided.contains("e2e4: 600\n"), "{divided}");
    assert!(divided.ends_with("Nodes searched: 8902\n"), "{divided}");
    assert_eq!(divided.lines().count(), 21);
    let dice = text(&run(
        &["perft", "--variant", "dicechess", "1", "--divide"],
        "",
    ));
    assert_eq!(dice.lines().count(), 57, "{dice}");
    assert!(dice.ends_with("Nodes searched: 11245\n"), "{dice}");
}

/// Two games of four turns between random players.
fn short_match(more: &[&str]) -> Output {
    let mut arguments = vec![
        "match",
        "--engine",
        "proto=random",
        "--engine",
        "proto=random",
    ];
    arguments.extend(["--rounds", "1", "--max-turns", "4"]);
    arguments.extend(more);
    run(&arguments, "")
}

#[test]
fn players_without_names_get_distinct_names() {
    let output = short_match(&["--openings", "startpos"]);
    let said = text(&output);
    assert!(said.contains("Results of random vs random-2"), "{said}");
    assert!(!said.contains("NaN") && !said.contains("-0.0"), "{said}");
    let twice = run(
        &[
            "match",
            "--engine",
            "proto=random",
            "name=a",
            "--engine",
            "proto=random",
            "name=a",
        ],
        "",
    );
    assert!(String::from_utf8_lossy(&twice.stderr).contains("two engines are called a"));
}

#[test]
fn merge_does_not_replace_a_record_in_use() {
    let files = ["merge.jsonl", "open.jsonl"].map(Scratch::new);
    let [record, open] = files.each_ref().map(Scratch::text);
    let played = short_match(&["--record", record]);
    assert!(played.status.success());
    std::fs::copy(record, open).expect("a copy");
    let held = std::fs::File::open(open).expect("it is there");
    held.lock().expect("a lock");
    let merge = ["merge", record, "--record", open, "--force"];
    let merged = run(&merge, "");
    assert!(!merged.status.success());
    assert!(String::from_utf8_lossy(&merged.stderr).contains("another run is writing to it"));
    drop(held);
    assert!(run(&merge, "").status.success());
}

#[test]
fn analyse_takes_the_game_from_the_variant_tag() {
    let analyse = |words: &[&str], file: &str| {
        let mut all = vec!["analyse", "--nodes", "50"];
        all.extend(words);
        all.push("-");
        run(&all, file)
    };
    let cubes = "[Variant \"cubes4d\"]\n\n1. right h7h8 *\n";
    let said = text(&analyse(&[], cubes));
    assert!(said.contains("Game 1, cubes4d, *"), "{said}");
    assert!(
        said.contains("P(0,-1,1)-(0,0,0)"),
        "in the game's own notation: {said}"
    );
    // Where the file says nothing, the option counts.
    let said = text(&analyse(&["--variant", "twomove"], "1. e4 d5,d4 *\n"));
    assert!(said.contains("Game 1, twomove, *"), "{said}");
    let lichess = text(&analyse(&[], "[Variant \"Standard\"]\n\n1. e4 *\n"));
    assert!(lichess.contains("Game 1, chess, *"), "{lichess}");
    let unknown = analyse(&[], "[Variant \"ludo\"]\n\n1. e4 *\n");
    assert!(!unknown.status.success());
    let said = String::from_utf8_lossy(&unknown.stderr).into_owned();
    assert!(
        said.contains("game 1: the game 'ludo' is not known here"),
        "{said}"
    );
}

/// King and Knight mate in 13 turns at most, and this is one of those; a Bishop never does.
#[test]
fn analyse_shows_distance_to_mate_in_twomove_endgames() {
    let tells = |fen: &str, value: &str| {
        let arguments = ["analyse", "--variant", "twomove", "--depth", "1", fen];
        let said = text(&run(&arguments, ""));
        assert!(
            said.lines().any(|line| line
                .strip_prefix("  1/1 ")
                .is_some_and(|line| line.trim_start().starts_with(value))),
            "{fen}: {value}: {said}"
        );
    };
    tells("K7/8/8/2k5/8/8/8/3N4 w - - 0 1", "#13 100.0%");
    tells("K7/8/8/2k5/8/8/8/3N4 b - - 0 1", "#12 100.0%");
    tells("K7/8/8/2k5/8/8/8/3B4 w - - 0 1", "+0.00  50.0%");
}

/// A guard of the search's eye for combinations: it solved 165 when this was written, 161 and 126 before.
#[test]
fn analyse_solves_win_at_chess_with_few_nodes() {
    let output = run(&["analyse", "--nodes", "5000", "tests/data/wac.epd"], "");
    assert!(output.status.success());
    let said = text(&output);
    let found = said.lines().last().and_then(|line| {
        let (number, rest) = line.strip_prefix("found ")?.split_once(" of 300")?;
        rest.starts_with(", half of them after ")
            .then(|| number.parse::<u32>().ok())?
    });
    assert!(found.is_some_and(|found| found >= 140), "{said}");
}

#[test]
fn analyse_reads_epd_and_standard_input() {
    let epd = "# problems\n6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8; id \"back rank\";\n\
        6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra7;\n8/8 w - - bm Ra7;\n";
    let output = run(&["analyse", "--nodes", "300", "-"], epd);
    let said = text(&output);
    assert!(
        said.contains("   1      #1  Ra8#           yes  back rank"),
        "{said}"
    );
    let after = "found 1 of 2, half of them after ";
    assert!(said.contains(after), "{said}");
    assert!(!output.status.success());
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("position 3 is left out: invalid FEN"),
        "{errors}"
    );
    // Many files have the counters before the operations; an operation that cannot be read is said, and is no question.
    let counted =
        "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1 bm Ra8;\n6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra9;\n";
    let output = run(&["analyse", "--nodes", "300", "-"], counted);
    let said = text(&output);
    assert!(said.contains("found 1 of 1"), "{said}");
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(
        errors.contains("position 2: bm Ra9 is not a legal turn"),
        "{errors}"
    );
    // Shares of the file: together they are the whole.
    let share = |shard: &str| {
        text(&run(
            &["analyse", "--nodes", "300", "--json", "--shard", shard, "-"],
            epd,
        ))
    };
    let (odd, even) = (share("1/2"), share("2/2"));
    assert!(
        odd.contains("\"position\":1") && !odd.contains("\"position\":2"),
        "{odd}"
    );
    assert!(
        even.contains("\"position\":2") && !even.contains("\"position\":1"),
        "{even}"
    );
    let nothing = run(&["analyse", "-"], "");
    assert!(String::from_utf8_lossy(&nothing.stderr).contains("neither a game nor a position"));
}

/// Over the board a draw by repetition is claimed: a game that went on is analysed to its end. `verify` takes that for no fault in chess,
/// and names the place in games whose rules end them.
#[test]
fn games_that_go_on_after_a_repetition_are_read() {
    let game = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. Nf3 Nf6 6. e3 e6 1-0\n";
    let folder = Scratch::folder("went-on");
    let path = folder.at("game.pgn");
    std::fs::write(&path, game).unwrap();
    let output = run(&["analyse", "--nodes", "100", "--json", &path], "");
    assert!(output.status.success(), "{output:?}");
    let said = text(&output);
    assert_eq!(said.lines().count(), 12, "{said}");
    assert!(
        said.lines().all(|line| line.starts_with("{\"game\":1,")),
        "{said}"
    );
    assert!(run(&["verify", &path], "").status.success());
    let other = "[Variant \"superchess\"]\n[FEN \"7k/8/8/8/8/8/8/R6K[N] w - - 0 1\"]\n\n\
        1. Ra2 Kg8 2. Ra1 Kh8 3. Ra2 Kg8 4. Ra1 Kh8 5. Ra2 *\n";
    std::fs::write(&path, other).unwrap();
    let verified = run(&["verify", &path], "");
    assert!(!verified.status.success());
    let errors = String::from_utf8_lossy(&verified.stderr).into_owned();
    assert!(errors.contains("turn 5 of White"), "{errors}");
}

#[test]
fn analyse_prints_the_value_after_each_turn_and_annotates() {
    let games = "[White \"A\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n\n\
        [FEN \"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 2\"]\n\n2... d5 3. exd5 Qxd5 *\n";
    let file = Scratch::new("values.pgn");
    let pgn = file.text();
    let output = run(&["analyse", "--nodes", "3000", "--pgn", pgn, "-"], games);
    let said = text(&output);
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let line = |turn: &str| {
        let found = said.lines().find(|line| line.starts_with(turn));
        found.unwrap_or_else(|| panic!("{turn}: {said}"))
    };
    // After the blunder White mates, and the better turn has the name that people give it.
    assert!(line("2... Ke7??").contains("#1 100.0%"), "{said}");
    assert!(line("2... Ke7??").trim_end().ends_with("Nc6"), "{said}");
    assert!(line("3. Qxe5#").contains("  # "), "{said}");
    // All games of the file, and the numbers of the position.
    assert!(said.contains("Game 2, chess, *"), "{said}");
    line("2... d5");
    line("3. exd5");
    let annotated = on_one_line(&file.read());
    assert!(
        annotated.contains("2... Ke7 $4 {[%eval #1]} (2... Nc6)"),
        "{annotated}"
    );
    let verified = run(&["verify", pgn], "");
    assert!(
        text(&verified).contains("2 games, 0 with faults"),
        "{}",
        text(&verified)
    );
    let one = text(&run(
        &["analyse", "--nodes", "50", "--game", "2", "-"],
        games,
    ));
    assert!(!one.contains("Game 1"), "{one}");
    let none = run(&["analyse", "--nodes", "50", "--game", "3", "-"], games);
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no game 3, there are 2"));
    let bad = run(&["analyse", "--nodes", "50", "-"], "1. e4 e4 *");
    let errors = String::from_utf8_lossy(&bad.stderr).into_owned();
    assert!(
        !bad.status.success()
            && errors.contains("game 1")
            && errors.contains("turn 1 of Black: 'e4' is not legal"),
        "{errors}"
    );
}

#[test]
fn illegal_turns_are_explained() {
    let refusal = |variant: &str, fen: &str, lines: &str| {
        let mut words = vec![
            "play",
            "--variant",
            variant,
            "--side",
            "both",
            "--seed",
            "2a",
        ];
        words.extend(fen.split_whitespace());
        text(&run(&words, lines))
    };
    for (variant, fen, turn, why) in [
        (
            "chess",
            "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
            "e7e8",
            "a promotion needs the letter of the new piece: e7e8",
        ),
        (
            "chess",
            "startpos",
            "e7e5",
            "The pawn on e7 is Black's, and White is to move.",
        ),
        ("chess", "startpos", "e4e5", "There is no piece on e4."),
        ("chess", "startpos", "e2e5", "Legal from e2: e2e3, e2e4."),
        (
            "chess",
            "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1",
            "a1a2",
            "The king is in check, and this does not parry it: e2 would still attack e1.",
        ),
        (
            "chess",
            "startpos",
            "e2e4,d2d4",
            "the turn ends after one move here",
        ),
        (
            "twomove",
            "startpos",
            "e2e4,d2d4",
            "the turn ends after one move here",
        ),
        // In the notation that people write, too.
        (
            "chess",
            "startpos",
            "Nd4",
            "A knight leaps: two squares straight",
        ),
        ("chess", "startpos", "e5", "Legal from e2: e2e3, e2e4."),
        (
            "chess",
            "startpos",
            "exd3",
            "A pawn goes diagonally only to capture",
        ),
        (
            "chess",
            "startpos",
            "O-O",
            "The squares between king and rook have to be free for castling.",
        ),
        // With small letters for pieces, or without the letter that says which of two.
        (
            "chess",
            "4k3/8/8/8/8/2n5/1P6/4K2B w - - 0 1",
            "Bc3",
            "legal: bxc3",
        ),
        (
            "chess",
            "startpos",
            "qh5",
            "The way from d1 to h5 is not free",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/4N3/N3K3 w - - 0 1",
            "Nd5",
            "A knight leaps",
        ),
        (
            "chess",
            "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1",
            "Nd2",
            "which one? Nbd2 or Nfd2",
        ),
        (
            "chess",
            "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1",
            "Rd2",
            "the piece is on d2 already.",
        ),
        // What a pawn becomes, in either notation.
        (
            "chess",
            "8/4P1k1/8/8/8/8/8/4K3 w - - 0 1",
            "e8=A",
            "no promotion to Amazon here; legal: e7e8",
        ),
        (
            "superchess",
            "8/4P1k1/8/8/8/8/8/4K3[QNqn] w - - 0 1",
            "e8",
            "a promotion needs the letter of the new piece: e7e8n, e7e8q",
        ),
        (
            "chess",
            "startpos",
            "Ax1",
            "'Ax1' is not legal: no move has this notation; legal: b1a3",
        ),
        ("chess", "startpos", "0000", "passing is not allowed"),
        (
            "chess",
            "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
            "Qd4",
            "White has no Q on the board.",
        ),
        (
            "twomove",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1 2",
            "d5,Ke6",
            "move 2, Ke6: A king goes one square",
        ),
        (
            "superchess",
            "startpos",
            "E@a1",
            "White puts a superpiece on f1, g1 or h1",
        ),
        ("superchess", "startpos", "e4", "The prologue comes first"),
        (
            "superchess",
            "startpos",
            "Amazon f1",
            "the king's side. Legal: ",
        ),
        (
            "dicechess",
            "startpos",
            "pass",
            "a die that can be used must be used",
        ),
        (
            "cubes4d",
            "startpos",
            "h7h8",
            "First Black chooses the side of the lateral Pawns",
        ),
        (
            "cubes4d",
            "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
            "P(0,-1)-(0,1)",
            "A Pawn goes one step straight",
        ),
        (
            "cubes4d",
            "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B w RBrb Gg - - 1",
            "P(0,-1,1)-(0,0,1)",
            "The level of h8 is 0, not 1.",
        ),
        // Rank 1 is not rank 10 with a promotion.
        (
            "cubes4d",
            "e10:2r1n1q1k1g1n2b/0p11p1p1p10/2110112/0P11P1P1P10/2R1N1Q1K1G1N2B b RBrb Gg - - 1",
            "g10g1",
            "No piece can stand on g1",
        ),
    ] {
        let output = refusal(variant, fen, &format!("{turn}\nquit\n"));
        let said = on_one_line(&output);
        assert!(said.contains(why), "{variant} {turn}: {output}");
    }
}

/// What a new user stumbled over on the way through a game: each of these was missing, wrong or in no plain words.
#[test]
fn play_announces_check_result_and_answers_to_commands() {
    let said = |words: &[&str], script: &str| {
        let output = run(&[&["play"], words].concat(), script);
        assert!(output.status.success(), "{words:?}");
        text(&output)
    };
    // The game is named like that of `rules` and `bench`.
    assert!(said(&["superchess", "--side", "both"], "").contains("superchess: two players"));
    let two = run(&["play", "superchess", "--variant", "chess"], "");
    assert!(!two.status.success());
    let no_position = run(&["analyse", "twomove"], "");
    let why = String::from_utf8(no_position.stderr).expect("UTF-8");
    assert!(why.contains("--variant twomove selects it"), "{why}");
    // Who gives check, and in two-move chess by which two moves.
    for (variant, fen, check) in [
        ("chess", "4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "check: from e2"),
        (
            "twomove",
            "rnbqkbnr/1ppppp1p/p7/6pQ/8/P3P3/1PPP1PPP/RNB1KBNR b KQkq - 0 2",
            "check: the king could be taken by h5f7, then f7e8",
        ),
        (
            "cubes4d",
            "e10:2r11q1k1g1n2b/0p11p1p1p10/211n0P112/0P11P11P10/2R1N1Q1K1G1N2B w RBb Gg - - 2",
            "check: from g8",
        ),
    ] {
        let screen = said(&[variant, "--side", "both", fen], "");
        assert!(screen.contains(&format!("\n{check}\n")), "{screen}");
    }
    // The end: what it was, once; and the game as others write it.
    let saved = Scratch::new("fool.pgn");
    let script = format!("f3\ne5\ng4\nQd8-h4\nsave {}\n", saved.text());
    let fool = said(&["--side", "both"], &script);
    assert!(!fool.contains("\ncheck"), "{fool}");
    assert!(fool.contains("\nBlack wins by checkmate  0-1\n"), "{fool}");
    assert!(fool.contains("`fauve analyse "), "{fool}");
    assert!(saved.read().contains("\n1. f3 e5 2. g4 Qh4# 0-1\n"));
    let taken = said(
        &[
            "dicechess",
            "--side",
            "both",
            "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 RRR",
        ],
        "Rxe8\n",
    );
    assert!(taken.contains("White wins by taking the king  1-0"));
    assert_eq!(taken.matches("Dice:").count(), 1, "{taken}");
    let quiet = said(
        &["--side", "both", "4k3/8/8/8/8/8/3R4/4K3 w - - 99 80"],
        "Ra2\n",
    );
    assert!(
        quiet.contains("draw by 50 turns of each side without a capture or a pawn's move  1/2-1/2"),
        "{quiet}"
    );
    // Answers to commands.
    let answers = said(
        &["--level", "1"],
        "level 2\nelo 900\nload\nhint\nrules\ndraw\nundo\n",
    );
    for answer in [
        "engine level 2",
        "engine Elo 900",
        "> load FILE\n",
        " % of the points for White\n",
        "# Chess: the rules in full",
    ] {
        assert!(answers.contains(answer), "{answer}: {answers}");
    }
    assert!(!answers.contains("```"), "{answers}");
    let lost = "4k3/8/8/8/8/8/3PPP2/3QK3 w - - 0 1";
    assert!(said(&["--level", "1", lost], "draw\n").contains("draw by agreement  1/2-1/2"));
    let won = said(&["--level", "1", "--side", "black", lost], "draw\n");
    assert!(won.contains("the draw is declined"), "{won}");
    // A game that does not begin with its prologue is not told that it does.
    let late = said(&["superchess", "4k3/8/8/8/8/8/4P3/4K3[] w - - 0 1"], "");
    assert!(!late.contains("prologue"), "{late}");
    let prologue = said(&["superchess", "--side", "both"], "E@h1\n");
    assert!(
        prologue.contains("1 of 4 turns made; Black puts A or S or V on a8 or b8 or c8 or d8"),
        "{prologue}"
    );
}

/// From the first command to the end of the game, in each game: a board a turn, the result once, and a way on from there.
#[test]
fn play_reaches_the_end_of_every_game() {
    for variant in Variant::ALL {
        let words = ["play", "--variant", variant.name(), "--side", "both"];
        let script = "go\n".repeat(700) + "history\nundo\nnew\nquit\n";
        let output = run(
            &[&words[..], &["--level", "1", "--seed", "1"]].concat(),
            &script,
        );
        assert!(output.status.success(), "{variant}");
        let said = text(&output);
        let results = ["  1-0\n", "  0-1\n", "  1/2-1/2\n"];
        let ends: usize = results
            .iter()
            .map(|result| said.matches(result).count())
            .sum();
        assert_eq!(ends, 1, "{variant}: {said}");
        assert!(said.contains("the game is over: undo, new, save FILE or quit"));
        // One board a turn, one at the beginning, one after `undo` and one after `new`; who must pass is not asked.
        let is_files = |line: &&str| {
            let files = line.strip_prefix("      ").unwrap_or_default();
            files.starts_with(|file: char| file.is_ascii_lowercase())
        };
        let boards = said.lines().filter(is_files).count();
        let turns = said.matches(" plays ").count();
        assert!(
            boards >= turns + 2 && boards <= turns + 4,
            "{variant}: {boards} {turns}"
        );
    }
}

#[test]
fn play_has_a_clock_options_and_resignation() {
    let save = Scratch::new("resigned.pgn");
    let path = save.text();
    let script = format!(
        "e4\nlegal Nf\nlegal e7e5\nsetoption name Threads value 2\nelo 1200\nlevel 2\nsetoption name Hash value 1\nresign\nsave {path}\nquit\n"
    );
    let output = run(&["play", "--side", "both", "--tc", "5:00+2"], &script);
    let said = text(&output);
    assert!(said.contains("White to move (5:00 - 5:00)>"), "{said}");
    assert!(said.contains("Black to move (5:0"), "{said}");
    assert!(
        said.contains("Hash cannot be changed during a game"),
        "{said}"
    );
    assert!(said.contains("White wins: Black resigns  1-0"), "{said}");
    // As it was asked for.
    assert!(
        said.contains("Nf6\n1 turn\n") && said.contains("e7e5\n1 turn\n"),
        "{said}"
    );
    // The board at the beginning and after the turn; nothing has moved since.
    assert_eq!(said.matches("   8 ").count(), 2, "{said}");
    let game = save.read();
    assert!(
        game.contains("1. e4") && game.contains("[Result \"1-0\"]"),
        "{game}"
    );
}

#[test]
fn version_names_commit_and_target_and_manual_all_commands() {
    let version = text(&run(&["--version"], ""));
    let expected = concat!("fauve ", env!("CARGO_PKG_VERSION"), " (");
    assert!(
        version.starts_with(expected) && version.contains(std::env::consts::ARCH),
        "{version}"
    );
    let manual = text(&run(&["man"], ""));
    for command in ["analyse", "bench", "match", "play", "verify"] {
        assert!(
            manual.contains(&format!("fauve\\-{command}(1)")),
            "{command}"
        );
    }
}

#[test]
fn play_resumes_with_side_level_clock_and_cube() {
    let path = Scratch::new("resumed.pgn");
    let name = path.text();
    let words = [
        "play", "--side", "black", "--level", "2", "--tc", "3:00+1", "--save", name,
    ];
    let said = text(&run(&words, "quit\n"));
    assert!(said.contains("Fauve level 2 against you (Black)"), "{said}");
    let saved = std::fs::read_to_string(name).expect("a game");
    for part in [
        "[Black \"you\"]",
        "[FauveSide \"black\"]",
        "[FauveLevel \"2\"]",
        "[TimeControl \"180+1\"]",
        "{[%clk 0:0",
    ] {
        assert!(saved.contains(part), "{part}: {saved}");
    }
    let (before, after) = saved.split_once("[%clk ").expect("a clock");
    let (_, after) = after.split_once(']').expect("its end");
    let clocked = format!("{before}[%clk 0:02:07.5]{after}");
    let clocked = Scratch::file("clocked.pgn", &clocked);
    let again = text(&run(&["play", "--load", clocked.text()], "quit\n"));
    assert!(
        again.contains("Fauve level 2 against you (Black)"),
        "{again}"
    );
    assert!(again.contains("Black to move (2:07 - 3:00)"), "{again}");
    assert!(
        !again.contains(" plays "),
        "it is the person's turn: {again}"
    );
    let other = text(&run(&["play", "--load", name, "--side", "both"], "quit\n"));
    assert!(other.contains("two players"), "{other}");

    let strange = saved.replace("[FauveLevel \"2\"]", "[FauveLevel \"4000000000\"]");
    let strange = Scratch::file("strange.pgn", strange.replace("180+1", "1e300"));
    let again = run(&["play", "--load", strange.text()], "go\nquit\n");
    assert!(again.status.success(), "{}", text(&again));
    assert!(text(&again).contains("Fauve level 4 against you (Black)"));

    let elo = [
        "play", "--side", "black", "--elo", "1500", "--force", "--save", name,
    ];
    run(&elo, "quit\n");
    let again = text(&run(&["play", "--load", name], "quit\n"));
    assert!(
        again.contains("Fauve Elo 1500 against you (Black)"),
        "{again}"
    );

    let dice = [
        "play",
        "--variant",
        "dicechess",
        "--seed",
        "2a",
        "--side",
        "both",
        "--doubling",
        "--force",
        "--save",
        name,
    ];
    run(&dice, "double\ntake\ngo\nquit\n");
    let saved = std::fs::read_to_string(name).expect("a game");
    assert!(
        saved.contains("[Cube \"2 black\"]") && saved.contains("[%cube 2 black]"),
        "{saved}"
    );
    let again = text(&run(&["play", "--load", name], "take\nresign\nquit\n"));
    assert!(again.contains("two players"), "{again}");
    assert!(again.contains("Black (cube 2): roll or double"), "{again}");
    assert!(again.contains("for 2 points"), "{again}");
    let back = text(&run(&["play", "--load", name], "undo\nresign\nquit\n"));
    assert!(
        back.contains("for 2 points"),
        "taken before the roll that stays: {back}"
    );
}

#[test]
fn play_keeps_tags_comments_and_variations_of_a_loaded_game() {
    let game = "[Event \"Match\"]\n[White \"Tal\"]\n[Black \"Botvinnik\"]\n[Result \"1-0\"]\n[ECO \"B10\"]\n\n\
         1. e4 $1 {best} (1. d4 {or so}) 1... c6 1-0\n";
    let path = Scratch::file("loaded.pgn", game);
    let saved = Scratch::new("saved.pgn");
    let script = format!("save {}\nd4\nquit\n", saved.text());
    let words = [
        "play",
        "--side",
        "both",
        "--load",
        path.text(),
        "--save",
        saved.text(),
    ];
    run(&words, &script);
    let text = std::fs::read_to_string(saved.text()).expect("a game");
    for part in [
        "[Event \"Match\"]",
        "[White \"Tal\"]",
        "[ECO \"B10\"]",
        "[Result \"*\"]",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(
        text.contains("1. e4 $1 {best} (1. d4 {or so}) 1... c6 2. d4 *"),
        "{text}"
    );
}

#[test]
fn analyse_keeps_comments_variations_and_clocks() {
    let game = "[White \"M\u{fc}ller\"]\n\n1. f3 $2 {[%clk 0:05:00] odd} (1. e4 {better} e5 (1... c5)) 1... e5 \
         2. g4 Qh4# 0-1\n";
    let latin: Vec<u8> = game.chars().map(|letter| letter as u8).collect();
    let path = Scratch::new("authors.pgn");
    std::fs::write(path.text(), latin).expect("a file");
    let annotated = Scratch::new("annotated.pgn");
    let words = [
        "analyse",
        "--nodes",
        "2000",
        "--pgn",
        annotated.text(),
        path.text(),
    ];
    assert!(run(&words, "").status.success());
    let text = std::fs::read_to_string(annotated.text()).expect("games");
    assert!(text.contains("[White \"M\u{fc}ller\"]"), "{text}");
    let flat = on_one_line(&text);
    assert!(
        flat.contains("1. f3 $2 {[%eval ") && flat.contains("[%clk 0:05:00] odd}"),
        "{text}"
    );
    assert!(
        flat.contains("(1. e4 {better} 1... e5 (1... c5))"),
        "{text}"
    );
    assert!(flat.contains("2. g4 $4 {[%eval #-1]} (2. "), "{text}");
}

#[test]
fn play_declines_a_draw_on_the_first_move() {
    let early = text(&run(&["play"], "draw\nquit\n"));
    assert!(early.contains("the draw is declined"), "{early}");
    let lost = ["play", "4k3/8/8/8/8/8/8/QQ2K3", "w", "-", "-", "0", "5"];
    let accepted = text(&run(&lost, "draw\nquit\n"));
    assert!(accepted.contains("draw by agreement"), "{accepted}");
}

/// What is finished stays when the rest is not done, and a file that cannot be written is refused before anything is searched.
#[test]
fn annotated_games_are_written_one_by_one() {
    let folder = Scratch::folder("annotated");
    let games = "[White \"A\"]\n\n1. e4 e5 *\n\n[White \"B\"]\n\n1. d4 d5 *\n";
    std::fs::write(folder.at("games.pgn"), games).expect("a file");
    let (read, written) = (folder.at("games.pgn"), folder.at("out.pgn"));
    let nowhere = folder.at("no/folder.pgn");
    let refused = run(&["analyse", "--nodes", "20", &read, "--pgn", &nowhere], "");
    assert_eq!(refused.status.code(), Some(1));
    assert_eq!(text(&refused), "");
    // The reader goes away in the first game: the writer of the second line of it ends the program.
    let words = ["analyse", "--time", "0.4", &read, "--pgn", &written];
    let mut child = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut line = String::new();
    while !line.starts_with("Game 2") {
        line.clear();
        assert!(lines.read_line(&mut line).expect("text") > 0);
    }
    drop(lines);
    child.wait().expect("it ends");
    let kept = std::fs::read_to_string(&written).expect("the first game");
    assert!(
        kept.contains("[White \"A\"]") && !kept.contains("[White \"B\"]"),
        "{kept}"
    );
    // A run that is not disturbed has both.
    let done = run(
        &[
            "analyse", "--nodes", "20", &read, "--pgn", &written, "--force",
        ],
        "",
    );
    assert!(done.status.success());
    let whole = std::fs::read_to_string(&written).expect("both games");
    assert!(
        whole.contains("[White \"A\"]") && whole.contains("[White \"B\"]"),
        "{whole}"
    );
}

/// The table names a better turn for those turns only that are not counted as best.
#[test]
fn best_turns_are_those_without_a_better_one() {
    let game = "[FEN \"6k1/5ppp/8/8/8/8/q4PPP/6K1 w - - 0 1\"]\n\n1. h4 Qb1+ *\n";
    let said = text(&run(&["analyse", "--nodes", "5000", "-"], game));
    let counted = said
        .lines()
        .find_map(|line| line.strip_prefix("best turns"))
        .and_then(|line| line.split_whitespace().next())
        .expect("a count");
    let row = said
        .lines()
        .find(|line| line.starts_with("1. h4"))
        .expect("a row");
    let has_better = row.split_whitespace().count() > 4;
    assert_eq!(counted == "1", !has_better, "{said}");
}
