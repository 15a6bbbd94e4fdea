//! What a person sees: the program in a real terminal of 80 columns and 24 lines, as snapshots.

use std::io::{Read, Write};
use std::num::NonZero;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

const LINES: u16 = 24;
const COLUMNS: u16 = 80;

/// Too few columns for a line of an analysis.
const NARROW: u16 = 50;

/// How long anything may take on a busy machine.
const PATIENCE: Duration = Duration::from_mins(1);

/// The program in a terminal, which `script` (util-linux) provides.
struct Terminal {
    child: Child,
    stdin: ChildStdin,
    screen: Arc<Mutex<vt100::Parser>>,
}

impl Terminal {
    fn run(words: &str, folder: &std::path::Path) -> Self {
        Self::of_width(COLUMNS, words, folder)
    }

    fn of_width(columns: u16, words: &str, folder: &std::path::Path) -> Self {
        let program = env!("CARGO_BIN_EXE_fauve");
        let line = format!("stty rows {LINES} cols {columns}; exec {program} {words}");
        let mut child = Command::new("script")
            .args(["--quiet", "--return", "--command", &line, "/dev/null"])
            .current_dir(folder)
            .env("TERM", "xterm-256color")
            .env("XDG_STATE_HOME", folder)
            .env_remove("NO_COLOR")
            .env_remove("COLUMNS")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("script is there (util-linux)");
        let mut stdout = child.stdout.take().expect("a pipe");
        let screen = Arc::new(Mutex::new(parser(columns)));
        let shown = Arc::clone(&screen);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                shown.lock().expect("a screen").process(&bytes[..count]);
            }
        });
        Self {
            stdin: child.stdin.take().expect("a pipe"),
            child,
            screen,
        }
    }

    fn contents(&self) -> String {
        self.screen.lock().expect("a screen").screen().contents()
    }

    /// Waits until the screen shows something.
    fn wait(&self, what: &str, is_there: impl Fn(&str) -> bool) -> String {
        let end = Instant::now() + PATIENCE;
        loop {
            let contents = self.contents();
            if is_there(&contents) {
                return contents;
            }
            assert!(Instant::now() < end, "no {what}:\n{contents}");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    /// Waits until somebody is asked.
    fn prompt(&self) -> String {
        let is_prompt = |contents: &str| {
            let last = contents.trim_end_matches('\n').lines().last();
            last.is_some_and(|line| line.trim_end().ends_with('>'))
        };
        self.wait("prompt", is_prompt)
    }

    /// Types a line, and waits until somebody is asked again.
    fn enter(&mut self, line: &str) -> String {
        self.press(&format!("{line}\r"));
        let typed = format!("> {line}");
        self.wait(&typed, |contents| {
            contents.contains(&typed) && !contents.trim_end().ends_with(&typed)
        });
        self.prompt()
    }

    fn press(&mut self, keys: &str) {
        self.stdin.write_all(keys.as_bytes()).expect("a terminal");
        self.stdin.flush().expect("a terminal");
    }

    fn exit(mut self) -> ExitStatus {
        let end = Instant::now() + PATIENCE;
        loop {
            if let Some(status) = self.child.try_wait().expect("it can be waited for") {
                return status;
            }
            assert!(
                Instant::now() < end,
                "it does not end:\n{}",
                self.contents()
            );
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Terminal {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A terminal without anything on it.
fn parser(columns: u16) -> vt100::Parser {
    let size = |number| NonZero::new(number).expect("some");
    vt100::Parser::new(size(LINES), size(columns), 1000)
}

/// A folder for the test's files.
fn folder(name: &str) -> std::path::PathBuf {
    let folder = std::env::temp_dir().join(format!("fauve-screen-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// The beginning of a game on the screen: the greeting and the board, and what follows of some lines.
fn played(name: &str, words: &str, lines: &[&str]) -> Vec<String> {
    let folder = folder(name);
    let mut terminal = Terminal::run(words, &folder);
    let mut screens = vec![terminal.prompt()];
    for line in lines {
        screens.push(terminal.enter(line));
    }
    terminal.press("quit\r");
    assert!(terminal.exit().success());
    let _ = std::fs::remove_dir_all(folder);
    for screen in &screens {
        assert!(
            screen
                .lines()
                .all(|line| line.chars().count() <= usize::from(COLUMNS))
        );
    }
    screens
}

#[test]
fn row_08_chess_in_a_terminal() {
    let screens = played(
        "chess",
        "play --side both",
        &["e2e5", "e4", "e5", "a7a8", "undo", "history"],
    );
    insta::assert_snapshot!("chess_start", screens[0]);
    insta::assert_snapshot!("chess_refused", screens[1]);
    insta::assert_snapshot!("chess_marked", screens[2]);
    assert!(
        screens[4].contains("there is no man of White on a7") || screens[4].contains("is Black's")
    );
}

#[test]
fn row_08_superchess_in_a_terminal() {
    let screens = played(
        "superchess",
        "play --variant superchess --side both",
        &["E@a1", "E@h1", "legend"],
    );
    insta::assert_snapshot!("superchess_start", screens[0]);
    insta::assert_snapshot!("superchess_prologue", screens[2]);
    insta::assert_snapshot!("superchess_legend", screens[3]);
}

#[test]
fn row_08_twomove_in_a_terminal() {
    let screens = played(
        "twomove",
        "play --variant twomove --side both",
        &["e2e4,d2d4", "e4", "d7d5", "c6"],
    );
    insta::assert_snapshot!("twomove_start", screens[0]);
    assert!(
        screens[1].contains("the turn ends after one move here"),
        "{}",
        screens[1]
    );
    assert!(
        screens[3].contains("Black to move, the turn goes on>"),
        "{}",
        screens[3]
    );
    insta::assert_snapshot!("twomove_turn", screens[4]);
}

#[test]
fn row_08_dicechess_in_a_terminal() {
    let screens = played(
        "dice",
        "play --variant dicechess --side both --seed 2a",
        &["d2d4", "a2a3"],
    );
    insta::assert_snapshot!("dice_start", screens[0]);
    assert!(
        !screens[0].contains("not rolled yet"),
        "the roll comes before the board"
    );
    insta::assert_snapshot!("dice_refused", screens[2]);
}

#[test]
fn row_08_cubes_in_a_terminal() {
    let screens = played(
        "cubes",
        "play --variant cubes4d --side both",
        &["right", "legend", "P(0,-1)-(0,0)"],
    );
    insta::assert_snapshot!("cubes_start", screens[0]);
    insta::assert_snapshot!("cubes_legend", screens[2]);
    insta::assert_snapshot!("cubes_turn", screens[3]);
}

#[test]
fn row_08_black_sits_below_and_the_last_turn_is_marked() {
    let folder = folder("black");
    let mut terminal = Terminal::run("play --side both --variant chess", &folder);
    terminal.prompt();
    let screen = terminal.enter("e2e4");
    // Two people: the board turns to who is to move.
    assert!(screen.contains("1  R  N  B  K  Q  B  N  R"), "{screen}");
    let cell = |row: &str, column: u16| {
        let parser = terminal.screen.lock().expect("a screen");
        let lines: Vec<String> = parser.screen().rows(0, COLUMNS).collect();
        let line = lines
            .iter()
            .rposition(|line| line.starts_with(row))
            .expect("a rank");
        let cell = parser.screen().cell(line as u16, column).expect("a cell");
        (cell.contents().to_owned(), cell.bgcolor(), cell.fgcolor())
    };
    // Files stand the other way round: e is the fourth.
    let (pawn, marked, white) = cell("   4", 5 + 3 * 3 + 1);
    assert_eq!(pawn, "P");
    let (_, plain, _) = cell("   4", 5 + 5 * 3 + 1);
    let (_, _, black) = cell("   8", 6);
    assert!(marked != plain && white != black);
    // Both colours are always set: a terminal's own do not matter.
    assert!(marked != vt100::Color::Default && white != vt100::Color::Default);
    terminal.press("quit\r");
    assert!(terminal.exit().success());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn row_08_words_are_completed_and_remembered() {
    let folder = folder("editor");
    let mut terminal = Terminal::run("play --side both", &folder);
    terminal.prompt();
    terminal.press("g1f\t");
    terminal.wait("completion", |contents| contents.contains("> g1f3"));
    terminal.press("\r");
    terminal.wait("answer", |contents| contents.contains("Black to move>"));
    terminal.prompt();
    // The line before comes back, and is mended.
    terminal.press("\x1b[A");
    terminal.wait("history", |contents| {
        contents.trim_end().ends_with("Black to move> g1f3")
    });
    terminal.press("\x15quit\r");
    assert!(terminal.exit().success());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn row_07_a_game_that_is_interrupted_is_saved_and_can_be_gone_on_with() {
    let folder = folder("saved");
    let mut terminal = Terminal::run("play --variant superchess --side both", &folder);
    terminal.prompt();
    terminal.enter("E@h1");
    terminal.press("\x03");
    assert_eq!(terminal.exit().code(), Some(130));
    let saved = folder.join("fauve-superchess.pgn");
    let text = std::fs::read_to_string(&saved).expect("the game is there");
    assert!(
        text.contains("[Variant \"superchess\"]") && text.contains("1. E@h1"),
        "{text}"
    );
    let mut terminal = Terminal::run("play --load fauve-superchess.pgn --side both", &folder);
    let screen = terminal.prompt();
    assert!(screen.contains("prologue: 1 of 4 turns made"), "{screen}");
    terminal.press("quit\r");
    assert!(terminal.exit().success());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn row_09_a_person_is_greeted_and_can_edit_the_line() {
    let folder = folder("wire");
    let mut terminal = Terminal::run("", &folder);
    let screen = terminal.prompt();
    assert!(
        screen.starts_with("Fauve ") && screen.contains("help"),
        "{screen}"
    );
    assert_eq!(screen.trim_end().lines().count(), 2, "{screen}");
    terminal.press("isx\x7fready\r");
    terminal.wait("readyok", |contents| contents.contains("readyok"));
    terminal.press("go depth 4\r");
    terminal.wait("answer", |contents| contents.contains("bestmove"));
    terminal.press("ucin\t");
    terminal.wait("completion", |contents| contents.contains("> ucinewgame"));
    terminal.press("\x15quit\r");
    assert_eq!(terminal.exit().code(), Some(0));
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn row_01_lines_of_an_analysis_are_cut_to_the_terminal_and_drawn_over_each_other() {
    let folder = folder("analyse");
    let terminal = Terminal::of_width(NARROW, "analyse --multipv 3 --depth 7", &folder);
    let screen = terminal.wait("end", |contents| contents.contains("best "));
    let lines: Vec<&str> = screen
        .lines()
        .filter(|line| line.contains('/') && line.contains('%'))
        .collect();
    assert_eq!(lines.len(), 3, "{screen}");
    assert!(
        lines
            .iter()
            .all(|line| line.chars().count() <= usize::from(NARROW)),
        "{screen}"
    );
    assert!(
        lines.iter().any(|line| line.ends_with('\u{2026}')),
        "{screen}"
    );
    assert!(terminal.exit().success());
    let _ = std::fs::remove_dir_all(folder);
}

#[test]
fn row_06_an_analysed_game_in_a_terminal() {
    let folder = folder("game");
    let game = "[White \"Anna\"]\n[Black \"Bruno\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
    std::fs::write(folder.join("game.pgn"), game).expect("a file");
    let terminal = Terminal::run("analyse --nodes 2000 game.pgn", &folder);
    let screen = terminal.wait("end", |contents| contents.contains("mistakes / blunders"));
    // The values are the search's, which changes; what stands where is ours.
    let left: Vec<String> = screen
        .lines()
        .map(|line| line.chars().take(26).collect::<String>())
        .map(|line| line.trim_end_matches([' ', '?']).to_owned())
        .collect();
    insta::assert_snapshot!("analysed_game", left.join("\n"));
    assert!(
        screen.contains("value  White    loss  better was"),
        "{screen}"
    );
    assert!(terminal.exit().success());
    let _ = std::fs::remove_dir_all(folder);
}
