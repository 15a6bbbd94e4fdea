//! Packs the page and its puzzles: they are embedded as gzip, a third of their size, and sent to the browser so. Makes the rules of the
//! games what the page shows of them.

#[path = "src/rules_page.rs"]
mod rules_page;

use flate2::{Compression, GzBuilder};
use std::path::Path;
use std::{env, fs, io};

/// The part of the page that is embedded as it is: the server fills in what it was started with.
const HOME: &str = "index.html";

fn main() -> io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no OUT_DIR"))?;
    println!("cargo::rerun-if-changed=src/page");
    for (folder, prefix) in [("src/page", ""), ("src/page/puzzles", "puzzles-")] {
        pack(folder, prefix, Path::new(&out))?;
    }
    println!("cargo::rerun-if-changed=src/rules_page.rs");
    // Set by the build script of the engine.
    let folder = env::var_os("DEP_FAUVE_ENGINE_RULES")
        .ok_or_else(|| io::Error::other("the engine does not say where its rules are"))?;
    for game in [
        "chess",
        "superchess",
        "twomove",
        "dice",
        "cubes",
        "breakthrough",
    ] {
        let rules = Path::new(&folder).join(game).join("rules.md");
        println!("cargo::rerun-if-changed={}", rules.display());
        let tree = rules_page::tree(&fs::read_to_string(rules)?);
        fs::write(
            Path::new(&out).join(format!("rules-{game}.json")),
            tree.to_string(),
        )?;
    }
    Ok(())
}

/// Packs the files of a folder under their names with a prefix.
fn pack(folder: &str, prefix: &str, out: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name();
        if entry.file_type()?.is_file() && name != HOME {
            let mut packed = out
                .join(format!("{prefix}{}", name.display()))
                .into_os_string();
            packed.push(".gz");
            // No time and no name in it: the same texts make the same program.
            let mut packer = GzBuilder::new().write(fs::File::create(packed)?, Compression::best());
            io::Write::write_all(&mut packer, &fs::read(entry.path())?)?;
            packer.finish()?;
        }
    }
    Ok(())
}
