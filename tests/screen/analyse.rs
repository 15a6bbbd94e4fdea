//! Analyses as a person sees them.

use super::terminal::{COLUMNS, PROGRAM, Terminal};
use crate::scratch::Scratch;

/// Too few columns for a line of an analysis.
const NARROW: u16 = 50;

#[test]
fn analysis_lines_are_cut_to_the_terminal_and_redrawn() {
    let folder = Scratch::folder("analyse");
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
}

#[test]
fn a_terminal_without_control_sequences_gets_the_lines_one_below_the_other() {
    let folder = Scratch::folder("dumb");
    let line = format!("TERM=dumb {PROGRAM} analyse --depth 3");
    let terminal = Terminal::shell(COLUMNS, &line, &folder);
    let screen = terminal.wait("end", |contents| contents.contains("best "));
    for depth in ["  1/", "  2/", "  3/"] {
        assert!(
            screen.lines().any(|line| line.starts_with(depth)),
            "{screen}"
        );
    }
    assert!(terminal.exit().success());
}

#[test]
fn an_analysed_game_in_a_terminal() {
    let folder = Scratch::folder("game");
    let game = "[White \"Anna\"]\n[Black \"Bruno\"]\n[Result \"1-0\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n";
    std::fs::write(folder.at("game.pgn"), game).expect("a file");
    let terminal = Terminal::run("analyse --nodes 2000 game.pgn", &folder);
    let screen = terminal.wait("end", |contents| contents.contains("worst turn, points"));
    // The values are the search's, which changes; what stands where is ours.
    let left: Vec<String> = screen
        .lines()
        .map(|line| line.chars().take(26).collect::<String>())
        .map(|line| line.trim_end_matches([' ', '?']).to_owned())
        .collect();
    insta::assert_snapshot!("analysed_game", left.join("\n"));
    assert!(screen.contains("value  White    loss  better"), "{screen}");
    assert!(terminal.exit().success());
}

/// What the screen shows with the times of the search, which differ, as noughts.
fn timeless(look: &str) -> String {
    let lines = look.lines().map(|line| {
        let end = line.find("s  ").filter(|_| line.contains('%'));
        match end.and_then(|end| Some((line[..end].rfind(' ')? + 1, end))) {
            Some((begin, end)) => format!("{}0.00{}", &line[..begin], &line[end..]),
            None => line.to_owned(),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// A position of each game with a win at hand, which every search finds.
fn analysed(name: &str, words: &str) {
    let folder = Scratch::folder(name);
    let terminal = Terminal::run(&format!("analyse {words}"), &folder);
    let screen = terminal.wait("end", |contents| contents.contains("best "));
    assert!(screen.contains("White's view"), "{screen}");
    insta::assert_snapshot!(name, timeless(&terminal.look()));
    assert!(terminal.exit().success());
}

#[test]
fn analysis_of_chess_in_a_terminal() {
    analysed(
        "analyse_chess",
        "--depth 1 '6k1/5ppp/8/8/8/8/8/3R2K1 w - - 0 1'",
    );
}

#[test]
fn analysis_of_superchess_in_a_terminal() {
    analysed(
        "analyse_superchess",
        "--variant superchess --depth 1 '6k1/5ppp/8/8/8/8/8/3E2K1[RNrn] w - - 0 1'",
    );
}

#[test]
fn analysis_of_twomove_in_a_terminal() {
    analysed(
        "analyse_twomove",
        "--variant twomove --depth 1 'rnbqkbnr/1ppppp1p/p7/6p1/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2 2'",
    );
}

#[test]
fn analysis_of_dicechess_in_a_terminal() {
    analysed(
        "analyse_dicechess",
        "--variant dicechess --depth 1 '4k3/8/8/8/8/8/8/4RK2 w - - 0 1 RNB'",
    );
}

#[test]
fn analysis_of_cubes_in_a_terminal() {
    analysed(
        "analyse_cubes",
        "--variant cubes4d --depth 1 'e10:2r11q1k1g1n2b/0p11p1p110/211n0P1N12/0P11P1K1P10/2R1N1Q11G12B b Rb Gg - - 3'",
    );
}
