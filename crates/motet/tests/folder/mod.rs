//! A folder for one test, which is gone when the test ends.
#![allow(dead_code, reason = "each test uses a part of it")]

use std::{fs, path::PathBuf};

pub(crate) struct Folder(pub(crate) PathBuf);

impl Folder {
    /// Each test has its own, by a name that no other test of the same file has.
    pub(crate) fn new(name: &str) -> Folder {
        let test = env!("CARGO_CRATE_NAME");
        let path = std::env::temp_dir().join(format!("motet-{test}-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }

    /// A path in it.
    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).to_string_lossy().into_owned()
    }

    /// Writes a file.
    pub(crate) fn file(&self, name: &str, content: impl AsRef<[u8]>) -> String {
        fs::write(self.0.join(name), content).unwrap();
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
