//! What is tested: sources and how they are built, or an executable; with the arguments of the program.

use crate::command_line::is_cpp;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// How a program under test is made and started, so that a trace can say it and a replay can repeat it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Recipe {
    /// Sources and objects, or one executable, as the user has named them.
    pub files: Vec<String>,
    /// The folder that names are relative to, and in which the program runs.
    pub folder: PathBuf,
    /// Macros: `NAME` or `NAME=VALUE`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub macros: Vec<String>,
    /// Further arguments of the compiler.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub compiler_arguments: Vec<String>,
    /// The arguments of the program.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub arguments: Vec<String>,
}

impl Recipe {
    /// Whether a file is a source of C or C++, by its name.
    pub fn is_for(file: &str) -> bool {
        is_cpp(file.as_ref()) || std::path::Path::new(file).extension().is_some_and(|ending| ending == "c")
    }

    /// The path of a file.
    pub fn path(&self, file: &str) -> PathBuf {
        self.folder.join(file)
    }

    /// The first file, which stands for the program in reports.
    pub fn name(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }

    /// The same in the current folder if its files are there, which is where they were, or were copied to.
    #[must_use]
    pub fn found(mut self, current: &Path) -> Recipe {
        if self.files.iter().all(|file| current.join(file).exists()) {
            current.clone_into(&mut self.folder);
        }
        self
    }
}
