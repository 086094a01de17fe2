//! Whether the files of a program have changed: for tests that are run again then.

use crate::{
    command_line::{is_cpp, is_source},
    compiler::{Compiler, Language},
    recipe::Recipe,
};
use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
    process::Stdio,
    time::SystemTime,
};

/// When files were last changed; none for one that does not exist.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Changes(BTreeMap<PathBuf, Option<(SystemTime, u64)>>);

impl Changes {
    /// Whether nothing has changed since.
    pub fn are_current(&self) -> bool {
        self.0.iter().all(|(path, seen)| last(path) == *seen)
    }
}

/// Time and size: editors may write twice within the resolution of the clock.
fn last(path: &Path) -> Option<(SystemTime, u64)> {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.modified().ok()?, metadata.len()))
}

impl Recipe {
    /// The files that the program is made from as they are now, with the headers that they include as far as those can be found.
    pub fn changes(&self) -> Changes {
        let named = self.files.iter().map(|file| self.path(file));
        let included =
            self.files.iter().filter(|file| is_source(file.as_ref())).flat_map(|file| self.included(file));
        Changes(named.chain(included).map(|path| (path.clone(), last(&path))).collect())
    }

    /// Asks the compiler which headers a source includes, without those of the system.
    fn included(&self, file: &str) -> Vec<PathBuf> {
        let language = if is_cpp(file.as_ref()) { Language::Cpp } else { Language::C };
        let Ok(compiler) = Compiler::find(language) else { return vec![] };
        let macros = self.macros.iter().map(|one| format!("-D{one}"));
        let mut command = compiler.command();
        command.arg("-MM").args(macros).args(&self.compiler_arguments).arg(file);
        let output = command.current_dir(&self.folder).stdin(Stdio::null()).output();
        let rule =
            output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned()).unwrap_or_default();
        prerequisites(&rule).map(|name| self.folder.join(name)).collect()
    }
}

/// The names behind the colon of a rule for `make`: `a.o: a.c \` and more lines.
fn prerequisites(rule: &str) -> impl Iterator<Item = String> {
    let names = rule.split_once(": ").map_or("", |(_, names)| names);
    let joined = names.replace("\\\n", " ").replace("\\ ", "\u{0}");
    let names: Vec<String> = joined.split_whitespace().map(|name| name.replace('\u{0}', " ")).collect();
    names.into_iter()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_are_read() {
        let names: Vec<String> = prerequisites("a.o: a.c my\\ own.h \\\n b.h\n").collect();
        assert_eq!(names, ["a.c", "my own.h", "b.h"]);
        assert_eq!(prerequisites("").count(), 0);
    }

    #[test]
    fn changes_are_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.c");
        fs::write(&file, "int x;").unwrap();
        let recipe = Recipe { files: vec!["a.c".into()], folder: folder.path().into(), ..Recipe::default() };
        let changes = recipe.changes();
        assert!(changes.are_current());
        fs::write(&file, "int longer;").unwrap();
        assert!(!changes.are_current());
        fs::remove_file(&file).unwrap();
        assert!(!changes.are_current());
    }
}
