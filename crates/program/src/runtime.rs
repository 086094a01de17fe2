//! The runtime for programs under test: carried inside of the command, unpacked where the linker and the loader find it.

use crate::platform;
use std::{
    env, fs, io,
    path::{Path, PathBuf},
    time::Duration,
};

/// The shared library, as the build script has made it; empty on platforms that it does not know.
static LIBRARY: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/libmotet_rt.so"));
/// What programs may include.
static HEADER: &str = include_str!("../include/motet.h");
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
                Ok(()) => {
                    touch(&folder);
                    return Ok(Runtime { folder });
                }
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

    /// The folder with the header for programs.
    pub(crate) fn include_folder(&self) -> PathBuf {
        self.folder.join("include")
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
    let (tsan, include) = (folder.join("tsan"), folder.join("include"));
    let files =
        [(folder, FILE, LIBRARY), (&tsan, SANITIZER_FILE, LIBRARY), (&include, "motet.h", HEADER.as_bytes())];
    let mut is_new = false;
    for (folder, file, contents) in files {
        platform::make_private_folder(folder)?;
        let file = folder.join(file);
        // Compared in full: a file that is damaged, or not ours, is replaced.
        if fs::read(&file).is_ok_and(|old| old == contents) {
            continue;
        }
        replace(&file, contents)?;
        is_new = true;
    }
    if is_new {
        remove_old(folder);
    }
    Ok(())
}

/// Runtimes of other versions that nobody has used for this long are removed when a new one is unpacked.
const OLD: Duration = Duration::from_secs(30 * 24 * 3600);

/// Removes runtimes of other versions that were not used lately. Whoever uses one touches it: see [`touch`]. What cannot be
/// removed stays.
fn remove_old(folder: &Path) {
    let Some(entries) = folder.parent().and_then(|parent| fs::read_dir(parent).ok()) else { return };
    for entry in entries.flatten().filter(|entry| entry.path() != folder) {
        let is_ours = entry.file_name().to_string_lossy().starts_with("runtime-");
        let used = fs::metadata(entry.path().join(USED)).and_then(|used| used.modified());
        let used = used.or_else(|_| entry.metadata().and_then(|made| made.modified()));
        let is_old = used.is_ok_and(|used| used.elapsed().is_ok_and(|age| age > OLD));
        if is_ours && is_old {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The file whose time says when a runtime was last used.
const USED: &str = "used";

/// Notes that a runtime is in use, at most once a day.
fn touch(folder: &Path) {
    let file = folder.join(USED);
    let fresh = fs::metadata(&file)
        .and_then(|used| used.modified())
        .is_ok_and(|used| used.elapsed().is_ok_and(|age| age < Duration::from_secs(24 * 3600)));
    if !fresh {
        // A note that is missing costs at most that the runtime is unpacked again.
        let _ = fs::write(&file, "");
    }
}

/// Writes a file beside its place, and then moves it there: two commands at the same time do not disturb each other,
/// and a full disk leaves nothing half written.
fn replace(file: &Path, contents: &[u8]) -> io::Result<()> {
    let beside = file.with_extension(format!("{}.tmp", std::process::id()));
    let written = fs::write(&beside, contents).and_then(|()| fs::rename(&beside, file));
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

    #[test]
    fn runtimes_that_nobody_uses_are_removed() {
        let cache = tempfile::tempdir().unwrap();
        let old = std::time::SystemTime::now() - 2 * OLD;
        let make = |name: &str, used: std::time::SystemTime| {
            let folder = cache.path().join(name);
            fs::create_dir(&folder).unwrap();
            fs::write(folder.join(USED), "").unwrap();
            fs::File::options().write(true).open(folder.join(USED)).unwrap().set_modified(used).unwrap();
            folder
        };
        let (unused, other) = (make("runtime-1", old), make("settings", old));
        let recent = make("runtime-2", std::time::SystemTime::now());
        unpack_into(&cache.path().join("runtime-3")).unwrap();
        assert!(!unused.exists() && recent.exists() && other.exists());
        // In use again.
        fs::File::options().write(true).open(recent.join(USED)).unwrap().set_modified(old).unwrap();
        touch(&recent);
        remove_old(&cache.path().join("runtime-3"));
        assert!(recent.exists());
    }
}
