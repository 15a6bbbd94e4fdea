//! Writing files of results so that nothing is lost: what stood there before stays until the new text is whole, links
//! stay links, and what is not a regular file is written to and not replaced.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file. A regular file is replaced at once and whole, with its mode kept; where that cannot be (a device, a
/// pipe, a file of several names or without permission to write, a folder that takes no new files) it is written to directly.
///
/// # Errors
/// The system's. A regular file is as it was then, unless it had to be written directly.
pub fn save(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut saving = Saving::begin(path)?;
    saving.write_all(text)?;
    saving.finish().map(drop)
}

/// Replaces what stands at a path at once and whole, also a link or a pipe. Nothing waits for the disk: for what is written often and is
/// of no use after the system has gone down.
///
/// # Errors
/// The system's. What stood there stands there still.
pub fn replace(path: &Path, text: &[u8]) -> io::Result<()> {
    let mut saving = Saving::beside(path.to_owned(), None)?;
    saving.write_all(text)?;
    saving.flush()?;
    saving.put_in_place()
}

/// A file that is being written as [`save`] does it, a piece at a time. What was there before stays until
/// [`Saving::finish`]; a file that is dropped before leaves nothing behind.
#[derive(Debug)]
pub struct Saving {
    file: BufWriter<File>,
    /// The new file, and the one that it is to replace; `None` where the file is written directly.
    replaces: Option<(PathBuf, PathBuf)>,
}

impl Saving {
    /// Begins to write.
    ///
    /// # Errors
    /// The system's.
    pub fn begin(path: &Path) -> io::Result<Self> {
        match replaceable(path) {
            None => Self::direct(path),
            Some((target, old)) => match Self::beside(target, old) {
                Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Self::direct(path),
                begun => begun,
            },
        }
    }

    /// Begins to write a file that is read meanwhile, and cannot be written directly therefore.
    ///
    /// # Errors
    /// The system's, or that the file cannot be replaced.
    pub fn replacing(path: &Path) -> io::Result<Self> {
        let (target, old) = replaceable(path).ok_or_else(|| {
            io::Error::other("it has several names or may not be written, and cannot be replaced")
        })?;
        Self::beside(target, old)
    }

    /// Begins a new file beside the one that it is to replace.
    fn beside(target: PathBuf, old: Option<Metadata>) -> io::Result<Self> {
        let (new, file) = beside(&target)?;
        let saving = Self {
            file: BufWriter::new(file),
            replaces: Some((new, target)),
        };
        if let Some(old) = old {
            saving.file.get_ref().set_permissions(old.permissions())?;
        }
        Ok(saving)
    }

    fn direct(path: &Path) -> io::Result<Self> {
        Ok(Self {
            file: BufWriter::new(File::create(path)?),
            replaces: None,
        })
    }

    /// The file as it is written, to lock it.
    pub fn file(&self) -> &File {
        self.file.get_ref()
    }

    /// Puts the file in its place when all of it is on the disk, and gives it to be written on.
    ///
    /// # Errors
    /// The system's.
    pub fn finish(mut self) -> io::Result<File> {
        self.file.flush()?;
        let file = self.file.get_ref().try_clone()?;
        match file.sync_all() {
            // Devices and pipes have nothing to sync.
            Err(error) if self.replaces.is_some() || file.metadata()?.is_file() => {
                return Err(error);
            }
            _ => {}
        }
        self.put_in_place()?;
        Ok(file)
    }

    /// Gives the new file its name.
    fn put_in_place(&mut self) -> io::Result<()> {
        if let Some((new, target)) = &self.replaces {
            fs::rename(new, target)?;
            self.replaces = None;
        }
        Ok(())
    }
}

impl Write for Saving {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        self.file.write(text)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for Saving {
    fn drop(&mut self) {
        if let Some((new, _)) = &self.replaces {
            let _ = fs::remove_file(new);
        }
    }
}

/// Whether [`save`] has a place to write to, asked before the work is done; whatever is there stays as it is.
///
/// # Errors
/// What the system says.
pub fn can_save(path: &Path) -> io::Result<()> {
    if path.is_dir() {
        return Err(io::Error::from(io::ErrorKind::IsADirectory));
    }
    match replaceable(path).map(|(target, _)| beside(&target)) {
        Some(Ok((new, _))) => fs::remove_file(new),
        Some(Err(error)) if error.kind() != io::ErrorKind::PermissionDenied => Err(error),
        // Written to directly; opening a pipe could wait.
        _ if path.exists() => open_regular(path).map(|_| ()),
        Some(Err(error)) => Err(error),
        None => Ok(()),
    }
}

/// The file that is to be replaced, and what it is now; `None` if it has to be written directly.
fn replaceable(path: &Path) -> Option<(PathBuf, Option<Metadata>)> {
    match fs::metadata(path) {
        // Behind all links.
        Ok(old) if old.is_file() && !old.permissions().readonly() && !has_other_names(&old) => {
            Some((fs::canonicalize(path).ok()?, Some(old)))
        }
        Ok(_) => None,
        // A link to nothing is followed by the system itself.
        Err(_) if fs::symlink_metadata(path).is_ok() => None,
        Err(_) => Some((path.to_owned(), None)),
    }
}

/// A new file in the same folder.
fn beside(target: &Path) -> io::Result<(PathBuf, File)> {
    let name = target
        .file_name()
        .ok_or_else(|| io::Error::from(io::ErrorKind::IsADirectory))?;
    for number in 0..100 {
        let mut new = OsString::from(".");
        new.push(name);
        new.push(format!(".{}-{number}.new", std::process::id()));
        let new = target.with_file_name(new);
        match OpenOptions::new()
            .read(true)
            .write(true)
            .create_new(true)
            .open(&new)
        {
            Ok(file) => return Ok((new, file)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::Error::from(io::ErrorKind::AlreadyExists))
}

/// Opens a regular file to read and write, a new one if there is none; `None` if something else is there.
///
/// # Errors
/// What the system says.
pub fn open_regular(path: &Path) -> io::Result<Option<File>> {
    // Looked at first: to open a pipe or a device can wait for ever, or do something.
    match fs::metadata(path) {
        Ok(metadata) if !metadata.is_file() => return Ok(None),
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    Ok(file.metadata()?.is_file().then_some(file))
}

/// Whether two paths lead to one file, which need not be there yet.
pub fn is_same_path(one: &Path, other: &Path) -> bool {
    match (fs::metadata(one), fs::metadata(other)) {
        (Ok(one), Ok(other)) if cfg!(unix) => is_same(&one, &other),
        _ => match (resolve(one), resolve(other)) {
            (Some(one), Some(other)) => one == other,
            _ => one == other,
        },
    }
}

/// Whether an open file is the one at a path: it was neither removed nor replaced.
pub fn is_at(file: &File, path: &Path) -> io::Result<bool> {
    match fs::metadata(path) {
        Ok(there) if cfg!(unix) => Ok(is_same(&file.metadata()?, &there)),
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// The path without links, `.` and `..`, as far as it is there. A link to what is not there yet is followed, too.
fn resolve(path: &Path) -> Option<PathBuf> {
    /// The links that a system follows before it takes them for a circle.
    const MOST_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MOST_LINKS {
        if let Ok(whole) = fs::canonicalize(&path) {
            return Some(whole);
        }
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    let folder = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    Some(fs::canonicalize(folder).ok()?.join(path.file_name()?))
}

#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(_one: &Metadata, _other: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn has_other_names(metadata: &Metadata) -> bool {
    std::os::unix::fs::MetadataExt::nlink(metadata) > 1
}

#[cfg(not(unix))]
fn has_other_names(_metadata: &Metadata) -> bool {
    false
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;
    use std::os::unix::fs::{PermissionsExt, symlink};

    #[test]
    fn links_and_modes_are_kept_and_nothing_is_left_behind() {
        let folder = std::env::temp_dir().join(format!("fauve-save-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir(&folder).unwrap();
        let at = |name: &str| folder.join(name);
        let read = |name: &str| fs::read_to_string(at(name)).unwrap();

        fs::write(at("file"), "old").unwrap();
        fs::set_permissions(at("file"), fs::Permissions::from_mode(0o640)).unwrap();
        symlink("file", at("link")).unwrap();
        save(&at("link"), b"new").unwrap();
        assert!(fs::symlink_metadata(at("link")).unwrap().is_symlink());
        assert_eq!(read("file"), "new");
        assert_eq!(
            fs::metadata(at("file")).unwrap().permissions().mode() & 0o777,
            0o640
        );

        fs::hard_link(at("file"), at("second")).unwrap();
        save(&at("second"), b"newer").unwrap();
        assert_eq!(read("file"), "newer", "still one file of two names");

        symlink("missing", at("dangling")).unwrap();
        symlink("dangling", at("twice")).unwrap();
        assert!(is_same_path(&at("twice"), &at("missing")), "not there yet");
        assert!(!is_same_path(&at("twice"), &at("another")));
        symlink("circle", at("circle")).unwrap();
        assert!(!is_same_path(&at("circle"), &at("missing")));
        save(&at("dangling"), b"there").unwrap();
        assert_eq!(read("missing"), "there");

        assert!(save(&at(""), b"x").is_err());
        assert!(can_save(&at("file")).is_ok() && can_save(&at("never")).is_ok());
        assert_eq!(read("file"), "newer");
        assert!(!at("never").exists() && can_save(&at("no/folder")).is_err());
        if Path::new("/dev/full").exists() {
            symlink("/dev/full", at("full")).unwrap();
            assert!(save(&at("full"), b"x").is_err());
            assert!(fs::symlink_metadata(at("full")).unwrap().is_symlink());
        }
        for file in fs::read_dir(&folder).unwrap() {
            let name = file.unwrap().file_name();
            assert!(!name.to_string_lossy().ends_with(".new"), "{name:?}");
        }

        assert!(is_same_path(&at("link"), &at("second")));
        assert!(is_same_path(&at("new"), &folder.join(".").join("new")));
        assert!(!is_same_path(&at("link"), &at("missing")));
        fs::remove_dir_all(&folder).unwrap();
    }
}
