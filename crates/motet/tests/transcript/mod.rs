//! Sessions of the debugger as text: what was typed after the prompts, and what was answered.

use std::{
    io::Write,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// The folder of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What follows the prompt of a line that somebody typed: `12> status`.
fn typed(line: &str) -> Option<&str> {
    let (step, rest) = line.split_once('>')?;
    let is_prompt = !step.is_empty() && step.bytes().all(|byte| byte.is_ascii_digit());
    is_prompt.then(|| rest.trim_start())
}

/// Holds a session again in a folder, on a pipe. Its first line is the command; the transcript comes out anew, with the exit code.
pub(crate) fn hold_again(transcript: &str, folder: &Path) -> (String, i32) {
    let first = transcript.lines().next().expect("a session has a first line");
    let command = first.strip_prefix("$ motet ").expect("a session begins with its command");
    let input: String =
        transcript.lines().skip(1).filter_map(typed).map(|line| format!("{line}\n")).collect();
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(command.split_whitespace())
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("motet starts");
    child.stdin.take().expect("a pipe").write_all(input.as_bytes()).expect("motet reads");
    let output = child.wait_with_output().expect("motet ends");
    assert!(output.stderr.is_empty(), "{first}: {}", String::from_utf8_lossy(&output.stderr));
    let answer = String::from_utf8(output.stdout).expect("answers are text");
    (format!("{first}\n{answer}"), output.status.code().expect("motet is not killed"))
}
