//! Files that are given to a match: records that are none, PGN over something else, devices, full disks.

use super::{Scratch, ended, fauve, random_games, said};
use fauve_referee::record::Record;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// A match of four games between random players.
fn random_match<'a>(more: &[&'a str]) -> Vec<&'a str> {
    random_games("4", "1", more)
}

/// A pipe with a name.
fn named_pipe(path: &str) {
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
}

/// Runs a match that has to fail, and gives what it says on standard error.
fn refused(more: &[&str]) -> String {
    let result = ended(&random_match(more), Duration::from_secs(30));
    assert!(!result.output.status.success(), "{more:?}");
    result.errors()
}

#[test]
fn a_file_that_is_no_record_is_left_alone() {
    let folder = Scratch::folder("notes");
    for (number, text) in [
        "my notes, a single line",
        "my notes\nand more\n",
        "{\"json\": true}",
        "{\"type\":\"game\"",
    ]
    .iter()
    .enumerate()
    {
        let path = folder.at(&format!("{number}.json"));
        fs::write(&path, text).unwrap();
        refused(&["--record", &path]);
        assert_eq!(fs::read_to_string(&path).unwrap(), *text);
    }
    let empty = folder.at("empty");
    fs::write(&empty, "").unwrap();
    said(&random_match(&["--record", &empty]));
    assert_eq!(Record::read(Path::new(&empty)).unwrap().games.len(), 4);
}

#[test]
fn a_refused_record_keeps_its_last_line() {
    let record = Scratch::new("refused.jsonl");
    said(&random_match(&["--record", record.text()]));
    let mut text = fs::read_to_string(&record.0).unwrap();
    text.push_str("{\"type\":\"game\",\"gam");
    fs::write(&record.0, &text).unwrap();
    let errors = refused(&["--record", record.text(), "--margin", "21"]);
    assert!(errors.contains("another tournament"), "{errors}");
    assert!(errors.contains("margin: 20 / 21"), "{errors}");
    assert_eq!(fs::read_to_string(&record.0).unwrap(), text);
}

#[test]
fn a_line_that_does_not_belong_is_refused_by_number() {
    let record = Scratch::new("doubled.jsonl");
    said(&random_match(&["--record", record.text()]));
    let honest = fs::read_to_string(&record.0).unwrap();
    let last = honest.lines().last().unwrap();
    let doubled = format!("{honest}{last}\n");
    let unknown = honest.replacen("\"game\":4", "\"game\":400", 1);
    let stranger = honest.replacen("\"white\":\"a\"", "\"white\":\"z\"", 1);
    for (text, line) in [(doubled, 6), (unknown, 5), (stranger, 2)] {
        assert_ne!(text, honest);
        fs::write(&record.0, &text).unwrap();
        let errors = refused(&["--record", record.text()]);
        assert!(errors.contains(&format!("line {line}: ")), "{errors}");
        assert_eq!(fs::read_to_string(&record.0).unwrap(), text);
        let merge = ended(&["merge", record.text()], Duration::from_secs(30));
        assert!(!merge.output.status.success());
        assert!(merge.errors().contains(&format!("line {line}: ")));
    }
}

#[cfg(unix)]
#[test]
fn the_pgn_does_not_replace_the_record() {
    use std::os::unix::fs::symlink;
    let folder = Scratch::folder("same");
    let record = folder.at("r.jsonl");
    symlink("r.jsonl", folder.0.join("link")).unwrap();
    let (link, dotted) = (folder.at("link"), folder.at("./r.jsonl"));
    for pgn in [&record, &dotted, &link] {
        // Before the record is there, and with it.
        let errors = refused(&["--record", &record, "--pgn", pgn]);
        assert!(errors.contains("file of the record"), "{errors}");
    }
    let _ = fs::remove_file(&record);
    said(&random_match(&["--record", &record]));
    let before = fs::read(&record).unwrap();
    fs::hard_link(&record, folder.0.join("second")).unwrap();
    for pgn in [&record, &dotted, &link, &folder.at("second")] {
        let errors = refused(&["--record", &record, "--pgn", pgn]);
        assert!(errors.contains("file of the record"), "{errors}");
        assert!(
            !fauve(&["merge", &record, "--pgn", pgn])
                .output()
                .unwrap()
                .status
                .success()
        );
        assert_eq!(fs::read(&record).unwrap(), before);
    }
    let book = folder.at("book.epd");
    let line = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n";
    fs::write(&book, line).unwrap();
    let errors = refused(&["--openings", &book, "--pgn", &book]);
    assert!(errors.contains("file of the openings"), "{errors}");
    assert_eq!(fs::read_to_string(&book).unwrap(), line);
}

#[cfg(unix)]
#[test]
fn the_pgn_keeps_links_modes_and_devices() {
    use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
    let folder = Scratch::folder("kept");
    let target = folder.at("games.pgn");
    fs::write(&target, "old").unwrap();
    fs::set_permissions(&target, fs::Permissions::from_mode(0o600)).unwrap();
    let link = folder.at("link.pgn");
    symlink("games.pgn", &link).unwrap();
    said(&random_match(&["--pgn", &link, "--force"]));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
    assert!(fs::read_to_string(&target).unwrap().starts_with("[Event"));
    let mode = fs::metadata(&target).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);

    let null = folder.at("null");
    symlink("/dev/null", &null).unwrap();
    said(&random_match(&["--pgn", &null]));
    assert!(fs::symlink_metadata(&null).unwrap().is_symlink());

    let pipe = folder.at("pipe");
    named_pipe(&pipe);
    let reader = Command::new("cat")
        .arg(&pipe)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    said(&random_match(&["--pgn", &pipe]));
    let read = reader.wait_with_output().unwrap().stdout;
    assert!(read.starts_with(b"[Event"));
    assert!(fs::metadata(&pipe).unwrap().file_type().is_fifo());
}

/// A match and a merge replace no file that is not theirs, unless --force is given.
#[test]
fn files_of_others_are_not_replaced_unasked() {
    let folder = Scratch::folder("others");
    let [record, other, pgn, log, joint] =
        ["r.jsonl", "other.jsonl", "g.pgn", "log", "joint.jsonl"].map(|name| folder.at(name));
    let is_kept = |path: &str| fs::read_to_string(path).unwrap() == "letter";
    for path in [&pgn, &log, &joint] {
        fs::write(path, "letter").unwrap();
    }
    for files in [&["--pgn", &pgn][..], &["--log", &log]] {
        let errors = refused(files);
        assert!(errors.contains("--force replaces it"), "{errors}");
    }
    said(&random_match(&["--record", &record]));
    fs::copy(&record, &other).unwrap();
    for files in [["--pgn", &pgn], ["--record", &joint], ["--record", &other]] {
        let words = [&["merge", &record][..], &files].concat();
        let result = ended(&words, Duration::from_secs(30));
        assert!(!result.output.status.success());
        let errors = result.errors();
        assert!(errors.contains("--force replaces it"), "{errors}");
    }
    assert!(is_kept(&pgn) && is_kept(&log) && is_kept(&joint));
    // A joint record may take the place of one that it was joined of.
    said(&["merge", &record, &other, "--record", &other]);
    // The PGN of a record belongs to it.
    said(&random_match(&["--record", &record, "--pgn", &pgn]));
    assert!(!is_kept(&pgn));
    for files in [["--pgn", &pgn], ["--record", &joint]] {
        said(&[&["merge", &record, "--force"][..], &files].concat());
    }
    assert!(!is_kept(&joint));
    said(&random_match(&["--log", &log, "--force"]));
    assert!(!is_kept(&log));
}

/// A disk that is full, as the limit of a file's size has it: 8 blocks of 512 bytes.
#[cfg(unix)]
fn on_a_full_disk(arguments: &[&str]) -> Command {
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' XFSZ; ulimit -f 8; exec \"$@\"", "sh"])
        .arg(env!("CARGO_BIN_EXE_fauve"))
        .args(arguments)
        .stdin(Stdio::null());
    command
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_the_old_pgn_and_nothing_else() {
    let folder = Scratch::folder("full");
    let (record, pgn) = (folder.at("r.jsonl"), folder.at("g.pgn"));
    said(&random_match(&["--record", &record]));
    fs::write(&pgn, "old").unwrap();
    let output = on_a_full_disk(&["merge", &record, "--pgn", &pgn, "--force"])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert_eq!(fs::read_to_string(&pgn).unwrap(), "old");
    assert_eq!(folder.names(), ["g.pgn", "r.jsonl"]);
    let before = fs::read(&record).unwrap();
    let output = on_a_full_disk(&["merge", &record, "--record", &record])
        .output()
        .unwrap();
    assert!(!output.status.success());
    assert_eq!(fs::read(&record).unwrap(), before);
    assert_eq!(folder.names(), ["g.pgn", "r.jsonl"]);
    // A picture that is too long leaves the old one, too.
    let (game, picture) = (folder.at("dice.pgn"), folder.at("g.svg"));
    let passes = "- {KKK} ".repeat(96);
    fs::write(&game, format!("[Variant \"dicechess\"]\n\n{passes}*\n")).unwrap();
    fs::write(&picture, "old").unwrap();
    let words = [
        "analyse", "--nodes", "1", &game, "--svg", &picture, "--force",
    ];
    let output = on_a_full_disk(&words).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && errors.contains("g.svg"),
        "{errors}"
    );
    assert_eq!(fs::read_to_string(&picture).unwrap(), "old");
}

#[cfg(target_os = "linux")]
#[test]
fn both_errors_are_said_and_the_record_can_be_resumed() {
    let record = Scratch::new("both.jsonl");
    // By a link of our own: a referee that replaced what it writes to would replace the link, and not the device.
    let folder = Scratch::folder("device");
    let full = folder.at("full");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    // Not so short that the record holds a game before it is full.
    let short = ["--max-turns", "400", "--record", record.text()];
    let settings = [&random_match(&short)[..], &["--pgn", &full]].concat();
    let output = on_a_full_disk(&settings).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success());
    assert!(errors.contains("cannot write the record"), "{errors}");
    assert!(errors.contains("cannot write the PGN"), "{errors}");
    said(&random_match(&short));
    assert_eq!(Record::read(&record.0).unwrap().games.len(), 4);
}

#[cfg(target_os = "linux")]
#[test]
fn a_record_that_is_no_file_is_refused_at_once() {
    let folder = Scratch::folder("devices");
    let pipe = folder.at("pipe");
    named_pipe(&pipe);
    for path in ["/dev/full", "/dev/zero", &folder.at("."), &pipe] {
        let errors = refused(&["--record", path]);
        assert!(errors.contains("regular file"), "{path}: {errors}");
    }
    for command in ["merge", "verify"] {
        for path in ["/dev/zero", &folder.at(".")] {
            let result = ended(&[command, path], Duration::from_secs(30));
            assert!(!result.output.status.success(), "{command} {path}");
        }
    }
}

/// A PGN that cannot be written is refused before the first game, and before the record is begun.
#[test]
fn an_unwritable_pgn_is_refused_before_the_first_game() {
    let folder = Scratch::folder("unwritable");
    let record = folder.at("r.jsonl");
    for pgn in [&folder.at("no/folder.pgn"), &folder.at(".")] {
        let errors = refused(&["--record", &record, "--pgn", pgn]);
        assert!(errors.contains("cannot write the PGN"), "{errors}");
        assert!(!Path::new(&record).exists());
    }
}

/// Each game is in the PGN when the next one is played; a run that is killed loses none of it, and one that is resumed begins
/// with the games of the record.
#[test]
fn the_pgn_grows_with_the_games() {
    let folder = Scratch::folder("growing");
    let (record, pgn) = (folder.at("r.jsonl"), folder.at("g.pgn"));
    let files = ["--record", &record, "--pgn", &pgn];
    let words = random_games("100000", "1", &files);
    let mut child = fauve(&words).stdout(Stdio::null()).spawn().unwrap();
    let games = |path: &str| {
        let text = fs::read_to_string(path).unwrap_or_default();
        text.matches("[Event ").count()
    };
    let begin = std::time::Instant::now();
    while games(&pgn) < 3 && begin.elapsed() < Duration::from_mins(1) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(games(&pgn) >= 3);
    let recorded = Record::read(Path::new(&record)).unwrap().games.len();
    assert!(recorded - games(&pgn) <= 1, "{recorded}");
    // Of the same tournament, but at its end.
    let text = fs::read_to_string(&record).unwrap();
    let rounds = recorded.div_ceil(2) + 1;
    fs::write(
        &record,
        text.replacen("\"rounds\":50000", &format!("\"rounds\":{rounds}"), 1),
    )
    .unwrap();
    let words = (rounds * 2).to_string();
    said(&random_games(&words, "1", &files));
    assert_eq!(games(&pgn), rounds * 2);
    said(&["verify", &pgn]);
    assert_eq!(folder.names(), ["g.pgn", "r.jsonl"]);
}

/// What was played is reported also when the run ends with an error.
#[cfg(target_os = "linux")]
#[test]
fn the_report_comes_also_after_an_error() {
    let folder = Scratch::folder("reported");
    let full = folder.at("full");
    std::os::unix::fs::symlink("/dev/full", &full).unwrap();
    let result = ended(&random_match(&["--pgn", &full]), Duration::from_secs(30));
    assert!(!result.output.status.success());
    let errors = result.errors();
    assert!(errors.contains("cannot write the PGN"), "{errors}");
    // The game is not in the PGN, and is counted all the same where it is recorded.
    let record = folder.at("r.jsonl");
    let words = random_match(&["--pgn", &full, "--record", &record]);
    let result = ended(&words, Duration::from_secs(30));
    let text = String::from_utf8_lossy(&result.output.stdout).into_owned();
    assert!(text.contains("Games: 1,"), "{text}");
    assert_eq!(Record::read(Path::new(&record)).unwrap().games.len(), 1);
}

/// Nodes, time and the clock after each turn are in the PGN.
#[test]
fn the_pgn_has_what_the_players_used() {
    let pgn = Scratch::new("used.pgn");
    said(&[
        "match",
        "--quiet",
        "--games",
        "2",
        "--seed",
        "1",
        "--max-turns",
        "6",
        "--tc",
        "20+0.1",
        "--engine",
        "cmd=self",
        "name=a",
        "option.Hash=1",
        "depth=3",
        "tc=20+0.1",
        "--engine",
        "proto=random",
        "--pgn",
        pgn.text(),
    ]);
    let text = fs::read_to_string(&pgn.0).unwrap();
    for part in ["/3 0.", "s, n=", ", sd=", " [%clk 0:00:"] {
        assert!(text.contains(part), "{part}\n{text}");
    }
    said(&["verify", pgn.text()]);
}

/// A record of long games, made up.
fn long_record(games: u64) -> Record {
    let record = Scratch::new("long.jsonl");
    said(&random_games(
        "2",
        "1",
        &["--max-turns", "200", "--record", record.text()],
    ));
    let short = Record::read(&record.0).unwrap();
    let mut long = Record {
        header: fauve_referee::record::Header {
            rounds: games / 2,
            ..short.header
        },
        games: Vec::new(),
    };
    for number in 1..=games {
        let mut game = short.games[(number as usize + 1) % 2].clone();
        game.game = number;
        long.games.push(game);
    }
    long
}

/// Reading, joining and resuming records takes memory for what is counted, not for the games.
#[test]
fn long_records_need_little_memory() {
    let folder = Scratch::folder("memory");
    let (one, joint) = (folder.at("one.jsonl"), folder.at("joint.jsonl"));
    let record = long_record(3000);
    fs::write(&one, record.text()).unwrap();
    let size = fs::metadata(&one).unwrap().len() / 1000;
    assert!(size > 13_000, "{size} kB");
    let limit = std::env::var("FAUVE_TEST_MEMORY_KB")
        .ok()
        .and_then(|limit| limit.parse().ok())
        .unwrap_or(24_000);
    let games = record.games.len().to_string();
    drop(record);
    let run = random_games(&games, "1", &["--max-turns", "200", "--record", &one]);
    for words in [&["merge", &one, "--record", &joint][..], &run] {
        let result = ended(words, Duration::from_mins(2));
        assert!(result.output.status.success(), "{}", result.errors());
        assert!(result.memory < limit, "{words:?}: {} kB", result.memory);
    }
    assert_eq!(fs::read(&one).unwrap(), fs::read(&joint).unwrap());
}
