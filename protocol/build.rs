//! Tells the program which compiler built it, for what, and from which commit.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=protocol/build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = output(Command::new(rustc).arg("--version"));
    let version = version.unwrap_or_else(|| "an unknown rustc".to_owned());
    println!("cargo::rustc-env=FAUVE_RUSTC={version}");
    let target = std::env::var("TARGET").unwrap_or_else(|_| "an unknown target".to_owned());
    println!("cargo::rustc-env=FAUVE_TARGET={target}");
    println!("cargo::rustc-env=FAUVE_COMMIT={}", commit());
}

/// The commit that a release is built from. Other builds would be made anew for every commit if they told it.
fn commit() -> String {
    if std::env::var("PROFILE").as_deref() != Ok("release") {
        return "development".to_owned();
    }
    // `cargo package` leaves the commit in a file, and the history behind. A file that is named here and does not exist would count as
    // changed by every build.
    if let Ok(info) = std::fs::read_to_string(".cargo_vcs_info.json") {
        println!("cargo::rerun-if-changed=.cargo_vcs_info.json");
        let hash = info.split('"').find(|word| word.len() == 40);
        return hash.map_or("unknown commit".to_owned(), |hash| {
            format!("commit {}", &hash[..10])
        });
    }
    // What changes with every commit; a repository may keep no log.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"]);
    if let Some(log) = log.filter(|log| std::path::Path::new(log).exists()) {
        println!("cargo::rerun-if-changed={log}");
    }
    let changed = git(&["status", "--porcelain", "--untracked-files=no"]);
    let changed = if changed.is_some_and(|files| !files.is_empty()) {
        "+"
    } else {
        ""
    };
    git(&["rev-parse", "--short=10", "HEAD"]).map_or("unknown commit".to_owned(), |hash| {
        format!("commit {hash}{changed}")
    })
}

fn git(arguments: &[&str]) -> Option<String> {
    output(Command::new("git").args(arguments))
}

/// What a command prints, if it succeeds.
fn output(command: &mut Command) -> Option<String> {
    let output = command
        .output()
        .ok()
        .filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
