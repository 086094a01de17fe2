//! The compiler that a wrapper calls, and how it is told to instrument.

use std::{
    env,
    ffi::OsString,
    process::{Command, Stdio},
};

/// The two languages of programs under test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// C.
    C,
    /// C++.
    Cpp,
}

impl Language {
    /// The variable with which users choose a compiler.
    fn variable(self) -> &'static str {
        match self {
            Language::C => "MOTET_CC",
            Language::Cpp => "MOTET_CXX",
        }
    }

    fn usual(self) -> [&'static str; 2] {
        match self {
            Language::C => ["gcc", "clang"],
            Language::Cpp => ["g++", "clang++"],
        }
    }
}

/// A compiler that is installed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Compiler {
    /// The command, with arguments such as those of a cache before the compiler itself.
    words: Vec<OsString>,
    family: Family,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Family {
    /// With its major version.
    Gcc(u32),
    Clang,
}

impl Compiler {
    /// The compiler that the user has chosen, or the first of the usual ones that is installed. The error is a sentence.
    pub(crate) fn find(language: Language) -> Result<Compiler, String> {
        let variable = language.variable();
        if let Some(chosen) = env::var(variable).ok().filter(|chosen| !chosen.trim().is_empty()) {
            let words: Vec<OsString> = chosen.split_whitespace().map(OsString::from).collect();
            return Compiler::ask(words)
                .map_err(|problem| format!("the compiler `{chosen}` of `{variable}` {problem}"));
        }
        let usual = language.usual();
        let found = usual.iter().find_map(|name| Compiler::ask(vec![name.into()]).ok());
        found.ok_or_else(|| {
            let [one, other] = usual;
            format!("there is no compiler: install `{one}` or `{other}`, or name another one in the variable `{variable}`")
        })
    }

    /// Asks a compiler what it is.
    fn ask(words: Vec<OsString>) -> Result<Compiler, String> {
        let asked = Command::new(&words[0]).args(&words[1..]).arg("--version").stdin(Stdio::null()).output();
        let output = asked.map_err(|error| format!("cannot be run: {error}"))?;
        if !output.status.success() {
            return Err("does not tell its version".into());
        }
        let family = Family::of(&String::from_utf8_lossy(&output.stdout));
        Ok(Compiler { words, family })
    }

    /// A call of the compiler.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]);
        command
    }

    /// What makes it call the runtime at each access to memory. The calls at entries and exits of functions are left
    /// out: stacks are found by frame pointers.
    pub(crate) fn instrumentation(&self) -> Vec<&'static str> {
        let mut flags = vec!["-fsanitize=thread", "-g", "-gz=none", "-fno-omit-frame-pointer"];
        match self.family {
            Family::Gcc(11..) => flags.extend(["--param", "tsan-instrument-func-entry-exit=0"]),
            Family::Gcc(_) => {}
            // Without the first, the read of `x++` is not seen.
            Family::Clang => flags.extend([
                "-mllvm",
                "-tsan-instrument-read-before-write=1",
                "-mllvm",
                "-tsan-instrument-func-entry-exit=0",
                "-Wno-unused-command-line-argument",
            ]),
        }
        flags
    }
}

/// What comes last, and so wins over the user's flags. Copies of memory that the compiler expands in place, or checks
/// before it makes them, would not be seen.
pub(crate) const LAST: [&str; 4] =
    ["-fno-builtin-memcpy", "-fno-builtin-memmove", "-fno-builtin-memset", "-U_FORTIFY_SOURCE"];

impl Family {
    fn of(version: &str) -> Family {
        if version.contains("clang") {
            return Family::Clang;
        }
        // `gcc (Debian 12.2.0-14+deb12u1) 12.2.0`
        let last = version.lines().next().and_then(|line| line.split_whitespace().last()).unwrap_or("");
        let major = last.split('.').next().and_then(|major| major.parse().ok());
        Family::Gcc(major.unwrap_or(0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn families_are_told_by_their_versions() {
        assert_eq!(Family::of("gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright"), Family::Gcc(12));
        assert_eq!(Family::of("g++ (GCC) 9.3.0"), Family::Gcc(9));
        assert_eq!(Family::of("Debian clang version 16.0.6\nTarget: x86_64-pc-linux-gnu"), Family::Clang);
        assert_eq!(Family::of("Apple clang version 15.0.0"), Family::Clang);
        assert_eq!(Family::of(""), Family::Gcc(0));
    }
}
