//! Files and folders for a test, gone when it is over.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A path in the directory for temporary files that nobody else has; what is there is removed when this is dropped.
pub struct Scratch(pub PathBuf);

impl Scratch {
    /// A path with nothing there yet.
    pub fn new(name: &str) -> Self {
        static NUMBER: AtomicUsize = AtomicUsize::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let process = std::process::id();
        let path = std::env::temp_dir().join(format!("fauve-{process}-{number}-{name}"));
        Self(path)
    }

    /// A file.
    pub fn file(name: &str, content: impl AsRef<[u8]>) -> Self {
        let scratch = Self::new(name);
        fs::write(&scratch.0, content).expect("a file");
        scratch
    }

    /// A folder.
    pub fn folder(name: &str) -> Self {
        let scratch = Self::new(name);
        fs::create_dir(&scratch.0).expect("a folder");
        scratch
    }

    /// The path as text.
    pub fn text(&self) -> &str {
        self.0.to_str().expect("a name")
    }

    /// A path in the folder.
    pub fn at(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a name").to_owned()
    }

    /// What is in the folder, in order.
    pub fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).expect("a folder");
        let mut names: Vec<String> = entries
            .map(|entry| entry.expect("an entry").file_name())
            .map(|name| name.into_string().expect("a name"))
            .collect();
        names.sort();
        names
    }

    /// The number of whole lines of the file.
    pub fn lines(&self) -> usize {
        fs::read(&self.0).map_or(0, |text| text.split(|&byte| byte == b'\n').count() - 1)
    }

    /// What stands in the file.
    pub fn read(&self) -> String {
        fs::read_to_string(&self.0).expect("a file")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = if self.0.is_dir() {
            fs::remove_dir_all(&self.0)
        } else {
            fs::remove_file(&self.0)
        };
    }
}
