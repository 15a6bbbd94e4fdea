//! The manual pages, as packages and readers get them.

use super::run_in;
use crate::scratch::Scratch;
use clap::CommandFactory;
use fauve_protocol::cli::Cli;
use std::process::Command;

fn pages() -> Scratch {
    let folder = Scratch::folder("manual");
    let output = run_in(&folder, &["man", "--output", "man1"], "");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    folder
}

/// The names that a page refers to, `fauve-play` for `fauve\-play(1)`.
fn references(page: &str) -> Vec<String> {
    let ends = page.match_indices("(1)").map(|(end, _)| end);
    ends.map(|end| {
        let name = page[..end]
            .rsplit(char::is_whitespace)
            .next()
            .unwrap_or_default();
        name.replace('\\', "")
    })
    .collect()
}

#[test]
fn every_command_has_a_manual_page_and_every_page_that_is_named_is_there() {
    let folder = pages();
    let read = |name: &str| {
        let path = folder.at(&format!("man1/{name}.1"));
        std::fs::read_to_string(&path).unwrap_or_else(|_| panic!("{name} has no page"))
    };
    let main = read("fauve");
    let named = references(&main);
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    for part in command.get_subcommands() {
        assert!(!part.is_hide_set(), "{} is hidden", part.get_name());
        let name = format!("fauve-{}", part.get_name());
        assert!(named.contains(&name), "{name} is not named in fauve(1)");
        let page = read(&name);
        assert!(page.contains(&format!(".TH {name} 1")), "{name}: {page}");
        for other in references(&page) {
            read(&other);
        }
    }
    for name in named {
        read(&name);
    }
    let help = run_in(&folder, &["--help"], "");
    assert!(String::from_utf8_lossy(&help.stdout).contains("\n  man "));
    let one = run_in(&folder, &["man", "analyze"], "");
    assert!(String::from_utf8_lossy(&one.stdout).contains(".TH fauve-analyse 1"));
    let none = run_in(&folder, &["man", "nothing"], "");
    assert_eq!(none.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&none.stderr).contains("there is no command 'nothing'"));
}

/// Positions in examples are neither hyphenated nor filled into other lines.
#[test]
fn examples_of_the_manual_stand_as_they_are_typed() {
    let folder = pages();
    let mut command = Cli::command().disable_help_subcommand(true);
    command.build();
    let has_groff = Command::new("groff").arg("--version").output().is_ok();
    for part in command.get_subcommands() {
        let help = part.get_after_help().expect("examples").to_string();
        let examples = help
            .lines()
            .skip_while(|line| *line != "Examples:")
            .skip(1)
            .take_while(|line| line.starts_with("  "))
            .map(str::trim);
        let path = folder.at(&format!("man1/fauve-{}.1", part.get_name()));
        let page = std::fs::read_to_string(&path).expect("a page");
        let (_, unfilled) = page.split_once(".SH EXAMPLES\n.nf\n").expect("examples");
        let (unfilled, _) = unfilled.split_once("\n.fi\n").expect("their end");
        let plain = unfilled
            .replace("\\-", "-")
            .replace("\\(aq", "'")
            .replace("\\(ga", "`")
            .replace("\\(ti", "~");
        let shown = if has_groff {
            let words = ["-man", "-Tutf8", "-P-cbou", "-rLL=78n", &path];
            let output = Command::new("groff").args(words).output().expect("groff");
            String::from_utf8(output.stdout).expect("UTF-8")
        } else {
            plain.clone()
        };
        for example in examples {
            assert!(
                plain.lines().any(|line| line == example),
                "{example}: {plain}"
            );
            assert!(
                shown.lines().any(|line| line.trim() == example),
                "{example}: {shown}"
            );
        }
    }
}
