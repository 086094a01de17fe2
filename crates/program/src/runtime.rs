//! The runtime for programs under test: carried inside of the command, unpacked where the linker and the loader find it.

use crate::platform;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
};

/// The shared library, as the build script has made it; empty on platforms that it does not know.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libmotet_rt.so"));
/// Tells versions apart, so that several of them live side by side.
const HASH: &str = env!("MOTET_RUNTIME_HASH");

/// The name for the linker.
pub(crate) const NAME: &str = "motet_rt";
/// The name of the file, which executables that were linked with it need.
pub(crate) const FILE: &str = "libmotet_rt.so";
/// The name under which gcc's executables with `ThreadSanitizer` ask for their runtime.
pub(crate) const SANITIZER_FILE: &str = "libtsan.so.2";

/// Where the runtime was unpacked.
#[derive(Clone, Debug)]
pub struct Runtime {
    folder: PathBuf,
}

impl Runtime {
    /// Unpacks the runtime, unless that was done before. The error is a sentence.
    pub fn unpack() -> Result<Runtime, String> {
        if LIBRARY.is_empty() {
            return Err("programs can only be tested on Linux for x86-64 with glibc".into());
        }
        let mut problem = None;
        for folder in folders() {
            match unpack_into(&folder) {
                Ok(()) => return Ok(Runtime { folder }),
                Err(error) => problem = problem.or(Some((folder, error))),
            }
        }
        Err(problem.map_or("there is no folder for the runtime".into(), |(folder, error)| {
            format!("cannot unpack the runtime into `{}`: {error}", folder.display())
        }))
    }

    /// The folder with the library.
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// The folder with the library under the name of the sanitizer's.
    pub(crate) fn sanitizer_folder(&self) -> PathBuf {
        self.folder.join("tsan")
    }
}

/// Where the runtime may go, the best place first.
fn folders() -> Vec<PathBuf> {
    let absolute = |path: PathBuf| Some(path).filter(|path| path.is_absolute());
    let cache = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).and_then(absolute);
    let home = || env::var_os("HOME").map(PathBuf::from).and_then(absolute).map(|home| home.join(".cache"));
    let cache = cache.or_else(home).map(|cache| cache.join("motet").join(format!("runtime-{HASH}")));
    let temporary = env::temp_dir().join(format!("motet-runtime-{HASH}-{}", platform::user()));
    cache.into_iter().chain([temporary]).collect()
}

fn unpack_into(folder: &Path) -> io::Result<()> {
    let tsan = folder.join("tsan");
    for (folder, file) in [(folder, FILE), (&tsan, SANITIZER_FILE)] {
        platform::make_private_folder(folder)?;
        let file = folder.join(file);
        // Compared in full: a file that is damaged, or not ours, is replaced.
        if fs::read(&file).is_ok_and(|old| old == LIBRARY) {
            continue;
        }
        replace(&file)?;
    }
    Ok(())
}

/// Writes the library beside its place, and then moves it there: two commands at the same time do not disturb each other,
/// and a full disk leaves nothing half written.
fn replace(file: &Path) -> io::Result<()> {
    let beside = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::write(&beside, LIBRARY).and_then(|()| fs::rename(&beside, file));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_damaged_library_is_replaced() {
        if LIBRARY.is_empty() {
            return;
        }
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join(FILE);
        fs::write(&file, "damaged").unwrap();
        unpack_into(folder.path()).unwrap();
        assert!(fs::read(&file).unwrap() == LIBRARY);
        assert!(fs::read(folder.path().join("tsan").join(SANITIZER_FILE)).unwrap() == LIBRARY);
    }
}
