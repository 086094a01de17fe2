//! Compares the folder of a certificate with the scripts that follow from a model and its invariant.

use super::{
    BadFolder, INVARIANT, MANIFEST, invariant,
    scripts::{Script, scripts},
    writing::{entry, is_script},
};
use crate::Certificate;
use ir::Model;
use serde_json::Value;
use std::{fmt, fs, io, path::Path};

/// How a folder differs from the certificate of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Difference {
    /// This script of the certificate is missing.
    Missing(String),
    /// This script is not one of the certificate.
    TooMany(String),
    /// This file has another text.
    Changed {
        /// The file.
        file: String,
        /// The first line that differs, from 1.
        line: usize,
        /// The line in the folder; none if the file has ended there.
        found: Option<String>,
        /// The line that belongs there; none if there is no more.
        expected: Option<String>,
    },
    /// The manifest does not list this script.
    Unlisted(String),
    /// The manifest has a wrong entry for this script.
    ListedOtherwise(String),
    /// The manifest lists this, which is not a script of the certificate.
    ListedTooMuch(String),
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Difference::Missing(file) => write!(f, "`{file}` is missing"),
            Difference::TooMany(file) => write!(f, "`{file}` is too many: the model gives no such script"),
            Difference::Changed { file, line, found, expected } => {
                let quoted = |text: &Option<String>| {
                    text.as_ref().map_or("nothing".to_owned(), |text| format!("`{}`", shortened(text)))
                };
                let (found, expected) = (quoted(found), quoted(expected));
                write!(f, "`{file}` differs in line {line}: it has {found}, the model gives {expected}")
            }
            Difference::Unlisted(file) => write!(f, "`{MANIFEST}` does not list `{file}`"),
            Difference::ListedOtherwise(file) => {
                write!(f, "`{MANIFEST}` says something else of `{file}` than the model gives")
            }
            Difference::ListedTooMuch(file) => {
                write!(f, "`{MANIFEST}` lists `{file}`, and the model gives no such script")
            }
        }
    }
}

/// A line, shortened if it is long.
fn shortened(line: &str) -> String {
    const MOST: usize = 90;
    let kept: String = line.trim().chars().take(MOST).collect();
    if line.trim().chars().count() > MOST { format!("{kept}…") } else { kept }
}

/// Everything in the folder that is not as the model and the certificate imply. If there is nothing, the scripts are all of the
/// obligations, of this model and of no other one.
pub fn differences(
    model: &Model,
    certificate: &Certificate,
    folder: &Path,
) -> Result<Vec<Difference>, BadFolder> {
    let scripts = scripts(model, certificate).map_err(BadFolder)?;
    let mut all = Vec::new();
    let invariant = invariant::text(model, certificate).map_err(BadFolder)?;
    all.extend(compared(folder, INVARIANT, &invariant)?);
    for script in &scripts {
        all.extend(compared(folder, &script.file, &script.text)?);
    }
    all.extend(too_many(folder, &scripts)?);
    // Entries of the manifest for scripts that differ would differ as well.
    let changed = |script: &&Script| {
        !all.iter().any(|it| matches!(it, Difference::Changed { file, .. } if *file == script.file))
    };
    let unchanged: Vec<&Script> = scripts.iter().filter(changed).collect();
    all.extend(compared_list(folder, &scripts, &unchanged)?);
    Ok(all)
}

/// Compares a file with the text that it should have.
fn compared(folder: &Path, file: &str, expected: &str) -> Result<Option<Difference>, BadFolder> {
    let found = match fs::read(folder.join(file)) {
        Ok(found) => String::from_utf8_lossy(&found).into_owned(),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            return Ok(Some(Difference::Missing(file.to_owned())));
        }
        Err(error) => return Err(unreadable(&folder.join(file), &error)),
    };
    Ok((found != expected).then(|| first_difference(file, &found, expected)))
}

fn first_difference(file: &str, found: &str, expected: &str) -> Difference {
    let (mut left, mut right) = (found.split('\n'), expected.split('\n'));
    let mut line = 1;
    loop {
        let (found, expected) = (left.next(), right.next());
        if found != expected || found.is_none() {
            let owned = |text: Option<&str>| text.map(str::to_owned);
            let (found, expected) = (owned(found), owned(expected));
            return Difference::Changed { file: file.to_owned(), line, found, expected };
        }
        line += 1;
    }
}

/// Scripts in the folder that do not belong to the certificate.
fn too_many(folder: &Path, scripts: &[Script]) -> Result<Vec<Difference>, BadFolder> {
    let entries = fs::read_dir(folder).map_err(|error| unreadable(folder, &error))?;
    let names = entries.filter_map(|entry| Some(entry.ok()?.file_name().to_string_lossy().into_owned()));
    let known = |name: &String| scripts.iter().any(|script| script.file == *name);
    let mut names: Vec<String> = names.filter(|name| is_script(name) && !known(name)).collect();
    names.sort_unstable();
    Ok(names.into_iter().map(Difference::TooMany).collect())
}

/// Compares what the manifest lists, and its entries for some scripts: solvers are run according to it.
fn compared_list(
    folder: &Path,
    scripts: &[Script],
    compared: &[&Script],
) -> Result<Vec<Difference>, BadFolder> {
    let path = folder.join(MANIFEST);
    let text = fs::read_to_string(&path).map_err(|error| unreadable(&path, &error))?;
    let manifest: Value = serde_json::from_str(&text)
        .map_err(|error| BadFolder(format!("`{}` is not a manifest: {error}", path.display())))?;
    let listed = manifest["files"].as_array().map_or(&[][..], Vec::as_slice);
    let mut all = Vec::new();
    for script in compared {
        let mut of_script = listed.iter().filter(|entry| entry["file"] == *script.file);
        match (of_script.next(), of_script.next()) {
            (None, _) => all.push(Difference::Unlisted(script.file.clone())),
            (Some(found), None) if *found == entry(script) => {}
            _ => all.push(Difference::ListedOtherwise(script.file.clone())),
        }
    }
    let known = |entry: &&Value| scripts.iter().any(|script| entry["file"] == *script.file);
    let name = |entry: &Value| entry["file"].as_str().unwrap_or("a file without a name").to_owned();
    all.extend(
        listed.iter().filter(|entry| !known(entry)).map(|entry| Difference::ListedTooMuch(name(entry))),
    );
    Ok(all)
}

fn unreadable(path: &Path, error: &io::Error) -> BadFolder {
    BadFolder(format!("`{}` cannot be read: {error}", path.display()))
}
