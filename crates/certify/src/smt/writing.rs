//! Writes the folder of a certificate: the scripts, the invariant that they are about, and a manifest that describes them.

use super::{
    INVARIANT, MANIFEST, invariant,
    scripts::{Script, scripts},
};
use crate::Certificate;
use ir::Model;
use serde_json::{Value, json};
use std::{
    fs, io,
    path::{Component, Path},
};

/// Which model a certificate is about.
#[derive(Debug, Clone, Copy)]
pub struct About<'a> {
    /// The name of its file, for people.
    pub file: &'a str,
    /// Its text, of which the certificate keeps a hash.
    pub text: &'a str,
    /// The memory model that it is read with, if it is not that of its text.
    pub memory: Option<&'a str>,
}

/// Writes a certificate into a folder: scripts all of whose answers must be `unsat`, the invariant, and a manifest.
pub fn write(model: &Model, certificate: &Certificate, about: About<'_>, folder: &Path) -> io::Result<()> {
    let unsupported = |message| io::Error::new(io::ErrorKind::Unsupported, message);
    let scripts = scripts(model, certificate).map_err(unsupported)?;
    let invariant = invariant::text(model, certificate).map_err(io::Error::other)?;
    fs::create_dir_all(folder)?;
    remove_former(folder)?;
    for script in &scripts {
        fs::write(folder.join(&script.file), &script.text)?;
    }
    fs::write(folder.join(INVARIANT), invariant)?;
    let manifest = serde_json::to_string_pretty(&manifest(certificate, about, &scripts))?;
    fs::write(folder.join(MANIFEST), manifest + "\n")
}

/// Removes the scripts of an earlier certificate from the folder: they would be taken for scripts of the new one.
fn remove_former(folder: &Path) -> io::Result<()> {
    let Ok(text) = fs::read_to_string(folder.join(MANIFEST)) else { return Ok(()) };
    let Ok(manifest) = serde_json::from_str::<Value>(&text) else { return Ok(()) };
    let listed =
        manifest["files"].as_array().into_iter().flatten().filter_map(|entry| entry["file"].as_str());
    for name in listed.filter(|name| is_script(name)) {
        match fs::remove_file(folder.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
    }
    Ok(())
}

/// Whether a name is that of a script in the folder itself.
pub(super) fn is_script(name: &str) -> bool {
    let path = Path::new(name);
    let mut parts = path.components();
    let plain = matches!((parts.next(), parts.next()), (Some(Component::Normal(_)), None));
    plain && path.extension().is_some_and(|ending| ending == "smt2")
}

fn manifest(certificate: &Certificate, about: About<'_>, scripts: &[Script]) -> Value {
    json!({
        "motet": env!("CARGO_PKG_VERSION"),
        "model": about_model(about),
        "invariant": INVARIANT,
        "cubes": certificate.cubes.len(),
        "says": "The model is safe for every number of processes if every answer to every file is `unsat`. \
                 Of a transition, only the cubes that read what it assigns are asked for: a match of another one \
                 after the step was one before. A question supposes only those cubes that its answer needs. \
                 That the files are about the model is for `motet certify` with the model to tell.",
        "files": scripts.iter().map(entry).collect::<Vec<_>>(),
    })
}

fn about_model(about: About<'_>) -> Value {
    let mut model = json!({ "file": about.file, "hash": hash(about.text) });
    if let Some(memory) = about.memory {
        model["memory"] = memory.into();
    }
    model
}

/// The entry of the manifest for a script.
pub(super) fn entry(script: &Script) -> Value {
    json!({
        "file": script.file,
        "hash": hash(&script.text),
        "says": script.says,
        "expected": "unsat",
        "questions": script.questions,
    })
}

/// FNV-1a: distinguishes texts, and protects from nothing.
pub(super) fn hash(text: &str) -> String {
    let hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}
