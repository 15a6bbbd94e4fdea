//! Which program a player is, whatever its path: what is in the file, and what it calls itself.

use crate::player::spec::{EngineSpec, Protocol, SELF};
use fauve_engine::rules::printable;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// A file, by what is in it.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// What the program calls itself (`id name`, or `myname` of CECP).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its size, in bytes.
    pub size: u64,
    /// The SHA-256 hash of what is in it, hexadecimal, as `sha256sum` prints it.
    pub sha256: String,
}

impl Identity {
    /// Reads a file.
    ///
    /// # Errors
    /// The system's.
    pub fn of(path: &Path) -> io::Result<Self> {
        let mut file = File::open(path)?;
        if !file.metadata()?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file"));
        }
        let mut hash = Sha256::new();
        let mut size = 0;
        let mut buffer = vec![0; 1 << 16];
        loop {
            match file.read(&mut buffer)? {
                0 => break,
                length => {
                    hash.update(&buffer[..length]);
                    size += length as u64;
                }
            }
        }
        Ok(Self {
            id: None,
            size,
            sha256: hexadecimal(&hash.finalize()),
        })
    }

    /// Whether both are one and the same file.
    pub fn is_same(&self, other: &Self) -> bool {
        (self.size, &self.sha256) == (other.size, &other.sha256)
    }
}

impl fmt::Display for Identity {
    /// The name, the size and the beginning of the hash.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(id) = &self.id {
            write!(f, "{}, ", printable(id))?;
        }
        let beginning: String = self.sha256.chars().take(12).collect();
        write!(f, "{} bytes, SHA-256 {}…", self.size, printable(&beginning))
    }
}

/// Bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

/// The path of a command that is one, as it is started: where the program has a directory of its own, a relative path begins there on every
/// system. (By itself each system has its own rule.)
pub(crate) fn command_path(spec: &EngineSpec) -> PathBuf {
    let command = Path::new(&spec.command);
    match &spec.directory {
        Some(directory) if command.components().count() > 1 && command.is_relative() => {
            let path = Path::new(directory).join(command);
            std::path::absolute(&path).unwrap_or(path)
        }
        _ => command.to_owned(),
    }
}

/// The file that a command starts, looked for as the system does; `None` if there is none.
fn program(spec: &EngineSpec) -> Option<PathBuf> {
    match spec.protocol {
        Protocol::Random | Protocol::Greedy => return None,
        Protocol::Internal => return std::env::current_exe().ok(),
        _ if spec.command == SELF => return std::env::current_exe().ok(),
        _ => {}
    }
    let command = Path::new(&spec.command);
    if command.components().count() > 1 {
        return Some(command_path(spec));
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders)
        .map(|folder| folder.join(command))
        .find(|path| path.is_file())
}

/// This program; `None` if its file cannot be read.
pub fn this_program() -> Option<Identity> {
    static KNOWN: OnceLock<Option<Identity>> = OnceLock::new();
    let read = || Identity::of(&std::env::current_exe().ok()?).ok();
    KNOWN.get_or_init(read).clone()
}

/// Notes in each player which program and network it is, as far as the files can be read.
pub fn identify(engines: &mut [EngineSpec]) {
    let mut known: HashMap<PathBuf, Option<Identity>> = HashMap::new();
    let mut of = |path: PathBuf| {
        if std::env::current_exe().is_ok_and(|this| this == path) {
            return this_program();
        }
        let identity = known
            .entry(path)
            .or_insert_with_key(|path| Identity::of(path).ok());
        identity.clone()
    };
    for spec in engines {
        spec.program = program(spec).and_then(&mut of);
        let network = spec.network_file().map(|file| match &spec.directory {
            Some(directory) if spec.protocol.is_program() => Path::new(directory).join(file),
            _ => PathBuf::from(file),
        });
        spec.network = network.and_then(&mut of);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_known_by_its_hash() {
        let path = std::env::temp_dir().join(format!("fauve-identity-{}", std::process::id()));
        std::fs::write(&path, "abc").unwrap();
        let identity = Identity::of(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(identity.size, 3);
        // The example of FIPS 180-4.
        assert_eq!(
            identity.sha256,
            "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
        );
        assert!(Identity::of(&path).is_err());
        assert!(Identity::of(Path::new("/")).is_err());
    }

    #[test]
    fn a_relative_path_begins_in_the_directory_of_the_program() {
        let path = |words: &[&str]| command_path(&EngineSpec::complete(words, &[]).unwrap());
        let beside = path(&["cmd=./e", "dir=/d", "nodes=1"]);
        assert!(
            beside.is_absolute() && beside.ends_with("d/e"),
            "{beside:?}"
        );
        let nowhere = path(&["cmd=./e", "nodes=1"]);
        assert_eq!(nowhere, Path::new("./e"));
        let named = path(&["cmd=e", "dir=/d", "nodes=1"]);
        assert_eq!(named, Path::new("e"));
        let absolute = std::env::current_dir().unwrap().join("e");
        let words = format!("cmd={}", absolute.display());
        assert_eq!(path(&[&words, "dir=/d", "nodes=1"]), absolute);
    }

    #[test]
    fn a_program_without_a_path_is_looked_for_where_the_system_does() {
        let spec = EngineSpec::complete(&["cmd=sh", "nodes=1"], &[]).unwrap();
        assert!(program(&spec).is_some_and(|path| path.is_absolute()));
        let mut engines = [
            spec,
            EngineSpec::complete(&["cmd=no-such-program"], &[]).unwrap(),
            EngineSpec::complete(&["proto=random"], &[]).unwrap(),
        ];
        identify(&mut engines);
        let known = engines.map(|spec| spec.program.is_some());
        assert_eq!(known, [true, false, false]);
    }
}
