//! The process of a program under test: started with a request, watched, and ended when it takes too long.

use crate::{
    answers::Answer,
    board::{Board, Progress},
    building::Program,
    platform,
    schedule::Schedule,
    wrapper::no_folder,
};
use explore::{Cancel, Limit};
use std::{
    collections::VecDeque,
    env,
    ffi::OsString,
    fs,
    io::{self, BufRead, BufReader, PipeReader, Read},
    process::{Child, Command, ExitStatus, Stdio},
    sync::mpsc::{Receiver, RecvTimeoutError, channel},
    thread::JoinHandle,
    time::{Duration, Instant},
};
use tempfile::TempDir;

/// What is asked of a process.
pub(crate) struct Request<'a> {
    pub(crate) program: &'a Program,
    /// The lines for the runtime.
    pub(crate) lines: Vec<String>,
    /// The most time that it may take; it is expected to end by itself before.
    pub(crate) most: Option<Duration>,
    pub(crate) cancel: &'a Cancel,
    /// The most memory that it may have, in bytes; most of what is free if there is no limit.
    pub(crate) memory: Option<usize>,
    /// Whether the program's output is wanted.
    pub(crate) output: bool,
}

/// What has become of a process.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) how: How,
    /// The end of what it has written, to standard error and, if that was wanted, to standard output.
    pub(crate) output: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum How {
    /// It has answered all that it was asked.
    Done,
    /// It was ended, for this reason.
    Stopped(Limit),
    /// It could not go on, in words.
    Died(String),
    /// A signal has ended it: which one, and the schedule of the run that it was in.
    Killed(String, Schedule),
}

/// The variable with which the runtime finds its request.
const VARIABLE: &str = "MOTET_TEST";
/// The exit code of a runtime that cannot go on.
const RUNTIME_FAILED: i32 = 70;
/// How often limits are looked at.
const LOOK: Duration = Duration::from_millis(20);
/// How long a search may take to notice that it is to end.
const MOMENT: Duration = Duration::from_secs(1);
/// How much of a program's output is kept.
const KEPT: usize = 64 << 10;

impl Request<'_> {
    /// Runs the process to its end, and hands over each answer as it comes. The error is a sentence.
    pub(crate) fn run(&self, answer: impl FnMut(Answer)) -> Result<Ended, String> {
        self.watch(answer, |_| {})
    }

    /// The same, and tells how far it is now and then.
    pub(crate) fn watch(
        &self,
        mut answer: impl FnMut(Answer),
        mut progress: impl FnMut(Progress),
    ) -> Result<Ended, String> {
        let folder = TempDir::with_prefix("motet-run-").map_err(|error| no_folder(&error))?;
        let begun = Instant::now();
        let board = Board::make(&folder.path().join("board"));
        let board =
            board.map_err(|error| format!("cannot write to `{}`: {error}", folder.path().display()))?;
        let (mut child, answers, output) = self.start(&folder, &board)?;
        let mut cancelled = None;
        let memory = self.memory.or_else(platform::free_memory);
        let is_full = |child: &Child| {
            platform::resident_memory(child.id()).zip(memory).is_some_and(|(used, most)| used > most)
        };
        let lines = lines(answers);
        let kept = kept(output);
        let stopped = loop {
            match lines.recv_timeout(LOOK) {
                Ok(line) => {
                    Answer::read(&line).map(&mut answer);
                }
                Err(RecvTimeoutError::Disconnected) => break self.wait(&mut child, begun),
                Err(RecvTimeoutError::Timeout) => {
                    board.progress().map(&mut progress).unwrap_or_default();
                    let stopped =
                        self.stopped(begun).filter(|limit| is_to_die(*limit, &board, &mut cancelled));
                    let stopped = stopped.or_else(|| is_full(&child).then_some(Limit::Memory));
                    // A process of its own that the program has started may keep the other end of the pipe open.
                    if stopped.is_some() || matches!(child.try_wait(), Ok(Some(_)) | Err(_)) {
                        break stopped;
                    }
                }
            }
        };
        let _ = child.kill();
        let status = child.wait().map_err(|error| format!("the program cannot be watched: {error}"))?;
        // What it said last may still be on its way.
        while let Ok(line) = lines.recv_timeout(10 * LOOK) {
            Answer::read(&line).map(&mut answer);
        }
        let output = kept.join().unwrap_or_default();
        let last = board.schedule().unwrap_or_default();
        let how = stopped.map_or_else(|| how(status, &output, last), How::Stopped);
        Ok(Ended { how, output })
    }

    fn start(&self, folder: &TempDir, board: &Board) -> Result<(Child, PipeReader, PipeReader), String> {
        let broken = |error: io::Error| format!("cannot start the program: {error}");
        let (answers, out) = io::pipe().map_err(broken)?;
        let (output, shown) = io::pipe().map_err(broken)?;
        let mut lines = vec![format!("out {}", platform::inheritable(&out).map_err(broken)?)];
        lines.push(format!("shared {}", board.inheritable().map_err(broken)?));
        lines.extend(self.output.then(|| "output".to_owned()));
        lines.extend(self.lines.iter().cloned());
        let request = folder.path().join("request");
        fs::write(&request, lines.join("\n") + "\n")
            .map_err(|error| format!("cannot write `{}`: {error}", request.display()))?;
        let Program { recipe, path, libraries, .. } = self.program;
        let mut command = Command::new(path);
        command.args(&recipe.arguments).current_dir(&recipe.folder).stdin(Stdio::null());
        command.env(VARIABLE, &request).env("LD_LIBRARY_PATH", before(libraries.as_os_str().to_owned()));
        if self.output {
            command.stdout(shown.try_clone().map_err(broken)?);
        } else {
            command.stdout(Stdio::null());
        }
        command.stderr(shown);
        platform::alone(&mut command);
        let child = command.spawn().map_err(broken)?;
        Ok((child, answers, output))
    }

    /// Waits for a process that has said all it has to say.
    fn wait(&self, child: &mut Child, begun: Instant) -> Option<Limit> {
        loop {
            if !matches!(child.try_wait(), Ok(None)) {
                return None;
            }
            if let Some(limit) = self.stopped(begun) {
                return Some(limit);
            }
            std::thread::sleep(LOOK);
        }
    }

    fn stopped(&self, begun: Instant) -> Option<Limit> {
        if self.cancel.is_asked() {
            return Some(Limit::Cancelled);
        }
        self.most.is_some_and(|most| begun.elapsed() >= most).then_some(Limit::Time)
    }
}

/// A search that is cancelled is asked to end with what it has, and gets a moment for that.
fn is_to_die(limit: Limit, board: &Board, asked: &mut Option<Instant>) -> bool {
    if limit != Limit::Cancelled {
        return true;
    }
    let is_first = asked.is_none();
    let since = *asked.get_or_insert_with(Instant::now);
    (is_first && board.cancel().is_err()) || since.elapsed() > MOMENT
}

/// Our folder of libraries before those that the user has set.
fn before(folder: OsString) -> OsString {
    match env::var_os("LD_LIBRARY_PATH").filter(|others| !others.is_empty()) {
        Some(others) => [folder, others].join(std::ffi::OsStr::new(":")),
        None => folder,
    }
}

/// Lines as they come. The thread only waits, and ends with the pipe.
fn lines(pipe: PipeReader) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        let lines = BufReader::new(pipe).lines().map_while(Result::ok);
        let _ = lines.map(|line| sender.send(line)).take_while(Result::is_ok).count();
    });
    receiver
}

/// The end of what comes through a pipe: a program that prints in every run would fill any disk.
fn kept(mut pipe: PipeReader) -> Kept {
    let (sender, receiver) = channel();
    let reader = std::thread::spawn(move || {
        let (mut kept, mut buffer) = (VecDeque::new(), vec![0; 8192]);
        while let Ok(length @ 1..) = pipe.read(&mut buffer) {
            kept.extend(&buffer[..length]);
            kept.drain(..kept.len().saturating_sub(KEPT));
        }
        let _ = sender.send(String::from_utf8_lossy(kept.make_contiguous()).into_owned());
    });
    Kept { text: receiver, _reader: reader }
}

struct Kept {
    text: Receiver<String>,
    _reader: JoinHandle<()>,
}

impl Kept {
    /// The text, once the pipe is closed; nothing if somebody else keeps it open.
    fn join(self) -> Option<String> {
        self.text.recv_timeout(Duration::from_secs(1)).ok()
    }
}

/// How a process has ended by itself.
fn how(status: ExitStatus, output: &str, last: Schedule) -> How {
    let mut complaints = output.lines().filter_map(|line| line.strip_prefix("motet: "));
    let complaint = complaints.next_back().map_or(String::new(), |complaint| format!(": {complaint}"));
    match (status.code(), platform::signal(status)) {
        (Some(0), _) => How::Done,
        (Some(RUNTIME_FAILED), _) => How::Died(format!("the runtime gave up{complaint}")),
        (Some(127), _) if output.contains("error while loading shared libraries") => {
            How::Died(format!("the program could not be started: {}", output.trim()))
        }
        (Some(code), _) => {
            How::Died(format!("the program ended with exit code {code} outside of any run{complaint}"))
        }
        (None, signal) => {
            How::Killed(format!("the program was ended by {}", named(signal.unwrap_or(0))), last)
        }
    }
}

/// Signals that end programs.
fn named(signal: i32) -> String {
    let name = match signal {
        4 => "SIGILL",
        6 => "SIGABRT",
        7 => "SIGBUS",
        8 => "SIGFPE",
        9 => "SIGKILL",
        11 => "SIGSEGV",
        15 => "SIGTERM",
        24 => "SIGXCPU",
        31 => "SIGSYS",
        _ => return format!("signal {signal}"),
    };
    format!("signal {signal} ({name})")
}
