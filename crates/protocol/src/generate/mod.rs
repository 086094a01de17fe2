//! Programs from tables: the same tables in every language, on a small runtime of its own.

mod c;
mod java;
mod names;
mod python;
mod rust;
mod typed;

use crate::{Implementation, Style};
use std::{collections::BTreeMap, fmt, str::FromStr};

/// A language.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Language {
    /// On the crate `motet-session`.
    Rust,
    /// With `MotetSession.java`.
    Java,
    /// With `motet_session.h`.
    C,
    /// With `motet_session.py`.
    Python,
}

impl Language {
    /// The word that people use.
    pub fn word(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::Java => "java",
            Language::C => "c",
            Language::Python => "python",
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Language {
    type Err = String;

    fn from_str(text: &str) -> Result<Language, String> {
        let languages = [Language::Rust, Language::Java, Language::C, Language::Python];
        let found = languages.into_iter().find(|language| language.word() == text);
        found.ok_or_else(|| "one of rust, java, c and python".into())
    }
}

/// What a program should look like.
#[derive(Debug, Clone, Default)]
pub struct Wishes {
    /// What the module, class or file is called.
    pub name: String,
    /// What it is made from, in words.
    pub origin: String,
    /// Types of the language for message types, by name; the others carry no value (in Rust) or any.
    pub types: BTreeMap<String, String>,
    /// Rust: messages can be written and read, and roles can be in different processes.
    pub tcp: bool,
    /// Rust: also types for the states of roles, so that what the protocol does not allow does not compile.
    pub typed: bool,
}

/// A file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GeneratedFile {
    /// Its name.
    pub name: String,
    /// What is in it.
    pub text: String,
}

/// Makes the files of a program; the first is the program, the others are what it runs on. The error is a sentence.
pub fn generate(
    implementation: &Implementation,
    language: Language,
    wishes: &Wishes,
) -> Result<Vec<GeneratedFile>, String> {
    if implementation.style() == Style::Spec {
        return Err("a program is strict or liberal".into());
    }
    let unknown =
        wishes.types.keys().find(|name| !implementation.tables().types.iter().any(|it| it == *name));
    if let Some(name) = unknown {
        return Err(format!("there is no message type `{name}`"));
    }
    if language != Language::Rust && (wishes.tcp || wishes.typed) {
        return Err("only Rust has types for states, and TCP".into());
    }
    match language {
        Language::Rust => rust::generate(implementation, wishes),
        Language::Java => Ok(java::generate(implementation, wishes)),
        Language::C => Ok(c::generate(implementation, wishes)),
        Language::Python => Ok(python::generate(implementation, wishes)),
    }
}

fn file(name: impl Into<String>, text: impl Into<String>) -> GeneratedFile {
    GeneratedFile { name: name.into(), text: text.into() }
}
