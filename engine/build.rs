//! Tells crates that depend on this one where the rules of the games stand, as `DEP_FAUVE_ENGINE_RULES`: their build scripts cannot know
//! where cargo keeps it.

use std::{env, io};

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let folder = env::var("CARGO_MANIFEST_DIR").map_err(io::Error::other)?;
    println!("cargo::metadata=rules={folder}/src/rules");
    Ok(())
}
