//! Building generated programs, where there is a compiler.

use ::protocol::{GeneratedFile, Language};
use std::{fs, path::Path, process::Command};
use tempfile::TempDir;

/// A program that can be started, for as long as its folder is there.
pub(crate) struct Built {
    pub(crate) command: String,
    _folder: TempDir,
}

/// Builds the files of a program; what is missing, if there is no compiler.
pub(crate) fn build(language: Language, files: &[GeneratedFile]) -> Result<Result<Built, String>, String> {
    let folder = tempfile::tempdir().map_err(|error| format!("cannot make a folder: {error}"))?;
    for file in files {
        let path = folder.path().join(&file.name);
        fs::write(&path, &file.text)
            .map_err(|error| format!("cannot write `{}`: {error}", path.display()))?;
    }
    let at = folder.path().display().to_string();
    let name = |ending: &str| {
        let found = files.iter().find(|file| file.name.ends_with(ending));
        found.map(|file| file.name.trim_end_matches(ending).to_owned()).unwrap_or_default()
    };
    let (tool, command) = match language {
        Language::Rust => {
            return Ok(Err(
                "Rust is compared in a test of its own crate: `motet_protocol::assert_implements!`".into(),
            ));
        }
        Language::Python => ("python3", format!("python3 '{at}/{}.py'", name(".py"))),
        Language::C => ("cc", format!("'{at}/program'")),
        Language::Java => ("javac", format!("java -cp '{at}' {}", name(".java"))),
    };
    if Command::new(tool).arg("--version").output().is_err() {
        return Ok(Err(format!("there is no `{tool}`")));
    }
    match language {
        Language::C => run(
            folder.path(),
            "cc",
            &["-O1", "-pthread", "-DMOTET_DRIVE", "-o", "program", &format!("{}.c", name(".c"))],
        )?,
        Language::Java => {
            run(folder.path(), "javac", &[&format!("{}.java", name(".java")), "MotetSession.java"])?;
        }
        _ => {}
    }
    Ok(Ok(Built { command, _folder: folder }))
}

fn run(folder: &Path, tool: &str, arguments: &[&str]) -> Result<(), String> {
    let output = Command::new(tool).args(arguments).current_dir(folder).output();
    let output = output.map_err(|error| format!("cannot start `{tool}`: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(format!("`{tool}` refuses the program:\n{}", String::from_utf8_lossy(&output.stderr)))
}
