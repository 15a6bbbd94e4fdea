//! Tells crates that depend on this one where the rules of the games stand, as `DEP_FAUVE_ENGINE_RULES`: their build scripts cannot know
//! where cargo keeps it.

use std::{env, fs, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    let rules = format!("{folder}/src/rules");
    // By its whole path: when the checkout has been moved, what was said of it is wrong.
    for game in fs::read_dir(&rules)? {
        let text = game?.path().join("rules.md");
        if text.exists() {
            println!("cargo::rerun-if-changed={}", text.display());
        }
    }
    println!("cargo::metadata=rules={rules}");
    Ok(())
}
