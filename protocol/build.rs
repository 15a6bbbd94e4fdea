//! Tells the program which compiler built it.

use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=protocol/build.rs");
    let rustc = std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let version = Command::new(rustc)
        .arg("--version")
        .output()
        .ok()
        .and_then(|output| String::from_utf8(output.stdout).ok())
        .unwrap_or_else(|| "an unknown rustc".to_owned());
    println!("cargo::rustc-env=FAUVE_RUSTC={}", version.trim());
}
