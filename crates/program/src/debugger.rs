//! A recorded run inside of gdb: it stops in the middle, where one can look around.

use crate::{
    building::Program,
    confirm::{Mark, Repeater},
    options::Mode,
    platform,
    process::{VARIABLE, before},
    schedule::Schedule,
    wrapper::no_folder,
};
use explore::Cancel;
use std::{
    fs::{self, File},
    io,
    process::{Command, Stdio},
};
use tempfile::TempDir;

/// The function of the runtime that a thread calls when it takes the step to stop at.
const REACHED: &str = "motet_reached";

/// Follows a run in gdb, on our terminal, to a step counted from 1: right behind its operation. The error is a sentence.
pub fn debug(
    program: &Program,
    mode: &Mode,
    schedule: &Schedule,
    marks: &[Mark],
    step: usize,
) -> Result<(), String> {
    find_gdb()?;
    let cancel = Cancel::default();
    let repeated = Repeater { program, mode, cancel: &cancel }.repeat(schedule, marks)?;
    let place = step.checked_sub(1).and_then(|at| repeated.steps.get(at));
    let place = place.ok_or_else(|| {
        let reason = repeated.deviation.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
        format!("the run has {} steps, and no step {step}{reason}", repeated.steps.len())
    })?;
    let folder = TempDir::with_prefix("motet-gdb-").map_err(|error| no_folder(&error))?;
    let request = folder.path().join("request");
    // Nobody listens to the answers, and people take their time.
    let nowhere = File::options().write(true).open("/dev/null").map_err(|error| error.to_string())?;
    let out = platform::inheritable(&nowhere).map_err(|error| error.to_string())?;
    let mut lines = vec!["search replay".to_owned(), format!("schedule {schedule}"), format!("stop {step}")];
    lines.extend([format!("out {out}"), "output".to_owned(), "step_seconds 1000000".to_owned()]);
    lines.extend(mode.request(program)?);
    lines.extend(marks.iter().map(|mark| mark.0.clone()));
    fs::write(&request, lines.join("\n") + "\n")
        .map_err(|error| format!("cannot write `{}`: {error}", request.display()))?;
    let libraries = before(program.libraries.as_os_str().to_owned());
    let mut gdb = Command::new("gdb");
    gdb.args(["-q", "-nx"]);
    for command in [
        format!("set environment {VARIABLE} {}", request.display()),
        format!("set environment LD_LIBRARY_PATH {}", libraries.to_string_lossy()),
        "set startup-with-shell off".to_owned(),
        "set breakpoint pending on".to_owned(),
        // The runtime protects memory to see what changes; a crash of the program it reports itself.
        "handle SIGSEGV nostop noprint pass".to_owned(),
        format!("tbreak {REACHED}"),
        "run".to_owned(),
        // Back in the program, behind the call that makes the step.
        format!("tbreak *{:#x}", place.pc),
        "continue".to_owned(),
    ] {
        gdb.args(["-ex", &command]);
    }
    gdb.arg("--args").arg(&program.path).args(&program.recipe.arguments).current_dir(&program.recipe.folder);
    let status = gdb.status().map_err(|error| format!("cannot run gdb: {error}"))?;
    if status.success() { Ok(()) } else { Err(format!("gdb has ended with {status}")) }
}

/// Whether gdb is installed.
fn find_gdb() -> Result<(), String> {
    let asked = Command::new("gdb").arg("--version").stdin(Stdio::null()).output();
    match asked {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            Err("gdb is not installed; without `--gdb` the run is followed and shown, and `motet step --load` steps through it".into())
        }
        Err(error) => Err(format!("cannot run gdb: {error}")),
    }
}
