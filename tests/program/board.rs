//! `fauve board` as a process: what it serves and what it refuses. The page itself is tested in a browser, `tests/board`.

use crate::scratch::Scratch;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

fn command(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    command
        .args(["board", "--no-open", "--no-keep", "--port", "0"])
        .args(words);
    piped(command)
}

fn piped(mut command: Command) -> Command {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

/// The program serving, and its address.
fn serve(words: &[&str]) -> (Child, String) {
    serving(command(words))
}

fn serving(mut command: Command) -> (Child, String) {
    let mut child = command.spawn().expect("the program starts");
    let mut line = String::new();
    BufReader::new(child.stdout.as_mut().expect("its output"))
        .read_line(&mut line)
        .expect("it says where it is");
    let address = line
        .trim()
        .trim_start_matches("The board is at http://")
        .trim_end_matches('/');
    (child, address.to_owned())
}

fn ask(address: &str, request: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("it listens");
    let request = request.replace("HOST", address);
    stream.write_all(request.as_bytes()).expect("it reads");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("it answers");
    answer
}

fn post(address: &str, path: &str, body: &str) -> String {
    let length = body.len();
    ask(
        address,
        &format!(
            "POST {path} HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        ),
    )
}

#[test]
fn the_page_and_its_game_are_served_to_the_page_alone() {
    let (mut child, address) = serve(&["--variant", "dicechess"]);
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    let page = ask(
        &address,
        "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n",
    );
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("<title>Fauve</title>"));
    assert!(page.contains("content-security-policy: default-src 'none'"));
    let other = ask(
        &address,
        "GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n",
    );
    assert!(other.starts_with("HTTP/1.1 421"), "{other}");
    // What the program was started with is in the page, and cannot end the element that holds it.
    let start = page
        .split_once("id=\"start\">")
        .and_then(|(_, rest)| rest.split_once("</script>"))
        .expect("the page holds it")
        .0;
    assert!(
        start.contains("\"variant\":\"dicechess\"") && !start.contains('<'),
        "{start}"
    );

    let new = post(
        &address,
        "/api/games",
        r#"{"variant": "dicechess", "seed": "2a"}"#,
    );
    // The rolls of the seed are those of the protocol: README, "Dice".
    assert!(
        new.contains("\"rolled\":\"PNK\"") && new.contains("\"seed\":\"2a\""),
        "{new}"
    );
    let path = path_of(&new);
    let refused = post(&address, &path, r#"{"do": "step", "token": "a1a8"}"#);
    assert!(
        refused.starts_with("HTTP/1.1 409") && refused.contains("illegal move a1a8"),
        "{refused}"
    );
    let played = post(&address, &path, r#"{"do": "step", "token": "e2e4"}"#);
    assert!(
        played.starts_with("HTTP/1.1 200")
            && played.contains("\"partial_turn\":[{")
            && played.contains("\"token\":\"e2e4\""),
        "{played}"
    );
    // The die that was used is still on the table.
    assert!(
        played.contains("\"left\":\"NK\"") && played.contains("\"rolled\":\"PNK\""),
        "{played}"
    );
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

/// The path of a game, by the answer that began it.
fn path_of(new: &str) -> String {
    let id = new
        .split("\"id\":\"")
        .nth(1)
        .and_then(|rest| rest.split('"').next());
    format!("/api/games/{}", id.expect("a name"))
}

/// The searches that a page waits for end with it: whoever opens a page next does not wait until all of them are done.
#[test]
fn what_a_page_that_is_gone_has_asked_for_is_not_searched() {
    let (mut child, address) = serve(&["--variant", "chess"]);
    let new = post(&address, "/api/games", r#"{"variant": "chess"}"#);
    let path = path_of(&new);
    let body = r#"{"do": "weigh", "nodes": 1000000, "place": {"steps": ["e2e4"]}}"#;
    let length = body.len();
    let request = format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
    );
    // As many as there are connections for, or nearly.
    let pages: Vec<_> = (0..400)
        .map(|_| {
            let mut page = TcpStream::connect(&address).expect("it listens");
            page.write_all(request.as_bytes()).expect("it reads");
            page
        })
        .collect();
    // All places are taken before the pages are closed.
    sleep(Duration::from_millis(300));
    drop(pages);
    let begin = Instant::now();
    let hint = post(&address, &path, r#"{"do": "hint"}"#);
    let took = begin.elapsed();
    assert!(hint.contains("\"san\""), "{hint}");
    assert!(took < Duration::from_secs(5), "{took:?}");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}

#[test]
fn what_cannot_be_shown_is_said() {
    for (words, reason) in [
        (&["8/8/8/8/8/8/8/8 w - - 0 1"] as &[&str], "0 kings"),
        (&["nowhere.pgn"], "there is no file 'nowhere.pgn'"),
        (&["--port", "1000000"], "port"),
        (&["tests/data/twomove.json"], "the first game of the file"),
    ] {
        let mut command = command(words);
        if words[0] == "--port" {
            command = Command::new(env!("CARGO_BIN_EXE_fauve"));
            command
                .args(["board", "--no-open", "--no-keep"])
                .args(words);
        }
        let output = command.output().expect("the program starts");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(
            !output.status.success() && said.contains(reason),
            "{words:?}: {said}"
        );
    }
}

/// The user's folder for data is nothing that anybody has asked for: where it takes no files, the board is there without it. A folder
/// that was asked for has to take them.
#[test]
fn a_folder_that_takes_no_files_is_said() {
    let data = Scratch::folder("board-data");
    let games = data.0.join("fauve/games");
    // What stands where a game would be written.
    std::fs::create_dir_all(games.join("game.pgn")).expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    command.args(["board", "--no-open", "--port", "0"]);
    for folder in ["XDG_DATA_HOME", "APPDATA"] {
        command.env(folder, &data.0);
    }
    let (mut child, address) = serving(piped(command));
    assert!(address.starts_with("127.0.0.1:"), "{address}");
    child.kill().expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("games are not kept: "), "{said}");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fauve"));
    command.args(["board", "--no-open", "--port", "0", "--keep"]);
    let output = command.arg(&games).output().expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains("games cannot be kept in"),
        "{said}"
    );
}

#[test]
fn a_port_that_is_taken_is_said() {
    let (mut child, address) = serve(&[]);
    let port = address.rsplit(':').next().expect("a port");
    let output = Command::new(env!("CARGO_BIN_EXE_fauve"))
        .args(["board", "--no-open", "--no-keep", "--port", port])
        .output()
        .expect("the program starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        !output.status.success() && said.contains(&format!("port {port} is in use")),
        "{said}"
    );
    child.kill().expect("it runs");
    child.wait().expect("it ends");
}
