//! Programs that were generated for a protocol, and are driven through a pipe.

use ::protocol::{Implementation, Pipe};
use std::{
    io::BufReader,
    process::{Child, Command, Stdio},
};

/// Ends a program with the checker: it has nothing left to answer.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The input of a program, which runs for as long as that is open.
struct Questions {
    to: std::process::ChildStdin,
    _running: Running,
}

impl std::io::Write for Questions {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.to.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.to.flush()
    }
}

/// Starts a program by a command of the shell.
pub(crate) fn start(command: &str, made_for: Implementation) -> Result<Pipe, String> {
    let mut shell = Command::new("sh");
    // The shell is replaced by the program, so that there is one process to end.
    shell.args(["-c", &format!("exec {command}")]).stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = shell.spawn().map_err(|error| format!("cannot start `{command}`: {error}"))?;
    let (to, from) = (child.stdin.take(), child.stdout.take());
    let running = Running(child);
    let (Some(to), Some(from)) = (to, from) else {
        return Err(format!("`{command}` has no input or output"));
    };
    Ok(Pipe::new(made_for, Questions { to, _running: running }, BufReader::new(from)))
}
