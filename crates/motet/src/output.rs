//! Where output goes: results on standard output, messages on standard error.

use crate::{
    Exit,
    flags::{Colour, Format, OutputFlags},
    report::{Message, Remark, Report, junit, sarif},
};
use explore::Trace;
use source::{Diagnostic, Severity, Source, Style, render};
use std::{
    fmt::Display,
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
    sync::{Mutex, PoisonError},
};

/// The two streams, with the flags that apply to them.
pub(crate) struct Output {
    flags: OutputFlags,
    /// Whether standard output is for a trace, so that results go to standard error.
    stdout_is_taken: bool,
}

impl Output {
    pub(crate) fn new(flags: OutputFlags) -> Output {
        match flags.color {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Output { flags, stdout_is_taken: false }
    }

    /// Reserves standard output for something other than results.
    pub(crate) fn leave_stdout(mut self) -> Output {
        self.stdout_is_taken = true;
        self
    }

    /// A trace, for people.
    pub(crate) fn trace(&self, trace: &Trace, processes: u32) {
        let lines = render::table(trace, processes as usize, terminal_width().saturating_sub(2));
        lines.iter().for_each(|line| self.result(&format!("  {line}")));
    }

    /// The steps of a trace, for people.
    pub(crate) fn steps(&self, trace: &Trace) {
        render::steps(trace).iter().for_each(|line| self.result(&format!("    {line}")));
    }

    /// Whether people read the output.
    pub(crate) fn human(&self) -> bool {
        self.flags.format == Format::Human
    }

    /// Whether results have colours.
    pub(crate) fn paints(&self) -> bool {
        self.human() && anstream::stdout().current_choice() != anstream::ColorChoice::Never
    }

    /// Whether progress goes to a terminal; none if no progress is shown at all.
    pub(crate) fn is_watched(&self) -> Option<bool> {
        (!self.flags.quiet).then(|| self.human() && io::stderr().is_terminal())
    }

    /// A line of results, for people.
    pub(crate) fn result(&self, line: &str) {
        if self.human() && !self.flags.quiet {
            if self.stdout_is_taken {
                let _ = write_line(&mut anstream::stderr(), line);
            } else {
                noted(write_line(&mut anstream::stdout(), line));
            }
        }
    }

    /// A message about a location in a file, for people.
    pub(crate) fn diagnostic(&self, source: &Source, diagnostic: &Diagnostic) {
        let hidden = self.flags.quiet && diagnostic.severity != source::Severity::Error;
        if self.human() && !hidden {
            let text = format!("{}\n", render(source, diagnostic, Style::Coloured));
            let _ = write_line(&mut anstream::stderr(), &text);
        }
    }

    /// An error without a location in a file, for people.
    pub(crate) fn error(&self, message: &str) {
        if self.human() {
            say(message);
        }
    }

    /// A line of somebody else's message about an error, such as a compiler's.
    pub(crate) fn complaint(&self, line: &str) {
        if self.human() {
            let _ = write_line(&mut anstream::stderr(), line);
        }
    }

    /// A remark for people, on standard error.
    pub(crate) fn remark(&self, message: &str) {
        if self.human() && !self.flags.quiet {
            let _ = write_line(&mut anstream::stderr(), message);
        }
    }

    /// A warning about a file as a whole, for people and in the document.
    pub(crate) fn warn(&self, report: &mut Report, code: &'static str, message: String) {
        self.remark(&format!("warning: {message}"));
        let file = report.file().to_owned();
        report.diagnostics.push(Message::about_file(&file, Severity::Warning, code, message));
    }

    /// An observation that does not change the verdict, for people and in the document.
    pub(crate) fn note(&self, report: &mut Report, code: &'static str, message: String) {
        self.remark(&format!("remark: {message}"));
        report.remarks.push(Remark { code, message, trace: None });
    }

    /// The document for machines.
    pub(crate) fn document(&self, report: &Report) {
        let pretty = |value: serde_json::Result<String>| value.expect("reports have only text keys");
        let text = match self.flags.format {
            Format::Human => return,
            Format::Json => pretty(serde_json::to_string_pretty(report)),
            Format::Sarif => pretty(serde_json::to_string_pretty(&sarif::document(report))),
            Format::Junit => junit::document(report),
        };
        noted(write_line(&mut io::stdout(), &text));
    }
}

/// Writes a file completely or not at all: to a temporary file beside it, which then replaces it, so that a full disk or an
/// interruption leaves the old contents. Devices and pipes are written to directly.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    // A link stays a link: its target is replaced.
    let path = &fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let old = fs::metadata(path).ok();
    match &old {
        Some(old) if !old.is_file() => return fs::write(path, text),
        // Replacing a file does not need permission to write to it, but replacing a protected one would be a surprise.
        Some(_) => drop(fs::OpenOptions::new().append(true).open(path)?),
        None => {}
    }
    let mut beside = path.to_owned().into_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let written = fs::write(&beside, text)
        .and_then(|()| old.map_or(Ok(()), |old| fs::set_permissions(&beside, old.permissions())))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Writes a text to standard output, even if results go elsewhere.
pub(crate) fn write_stdout(text: &str) {
    noted(write_line(&mut io::stdout(), text));
}

/// Writes a file completely or not at all. The error is a sentence.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), String> {
    write_whole(path, text).map_err(|error| unwritable(path, &error))
}

fn unwritable(path: &Path, error: &io::Error) -> String {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder.filter(|folder| error.kind() == io::ErrorKind::NotFound && !folder.exists()) {
        Some(folder) => {
            format!("cannot write `{}`: there is no folder `{}`", path.display(), folder.display())
        }
        None => format!("cannot write `{}`: {error}", path.display()),
    }
}

/// Checks that a file can be written, without changing it, so that a long search is not in vain. The error is a sentence.
pub(crate) fn try_file(path: &Path) -> Result<(), String> {
    // Opening a pipe may block until there is a reader.
    let is_other = fs::metadata(path).is_ok_and(|old| !old.is_file() && !old.is_dir());
    if is_other || path == Path::new("-") {
        return Ok(());
    }
    let is_new = !path.exists();
    let tried = fs::OpenOptions::new().append(true).create(is_new).open(path);
    if is_new && tried.is_ok() {
        let _ = fs::remove_file(path);
    }
    tried.map(drop).map_err(|error| unwritable(path, &error))
}

/// Checks that a folder exists and is writable, or can be created.
pub(crate) fn try_folder(path: &Path) -> Result<(), String> {
    if path.is_dir() {
        return try_file(&path.join(format!(".motet-{}", std::process::id())))
            .map_err(|_| format!("cannot write into the folder `{}`", path.display()));
    }
    let made = fs::create_dir_all(path);
    // It is created again when there is something to put into it.
    let _ = fs::remove_dir(path);
    made.map_err(|error| format!("cannot create the folder `{}`: {error}", path.display()))
}

/// The width of traces if there is no terminal.
const USUAL_WIDTH: usize = 120;

/// The width of standard output in characters.
fn terminal_width() -> usize {
    let of_terminal = terminal_size::terminal_size_of(io::stdout()).map(|(width, _)| usize::from(width.0));
    of_terminal.filter(|width| *width > 0).unwrap_or(USUAL_WIDTH)
}

fn write_line(stream: &mut impl Write, line: &str) -> io::Result<()> {
    writeln!(stream, "{line}").and_then(|()| stream.flush())
}

fn say(message: &str) {
    let _ = write_line(&mut anstream::stderr(), &format!("\x1b[1;31merror\x1b[0m: {message}"));
}

/// The first failure to write to standard output.
static FAILURE: Mutex<Option<String>> = Mutex::new(None);

/// Remembers a failure to write to standard output. A closed pipe is not a failure: the reader has seen enough.
pub(crate) fn noted(written: io::Result<()>) {
    let failed = written.err().filter(|error| error.kind() != io::ErrorKind::BrokenPipe);
    if let Some(error) = failed {
        FAILURE.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error.to_string());
    }
}

/// The exit code of a command: bad input if its results could not be written.
pub(crate) fn ended(exit: Exit) -> Exit {
    let failure = FAILURE.lock().unwrap_or_else(PoisonError::into_inner).take();
    let Some(reason) = failure else { return exit };
    say(&format!("cannot write to standard output: {reason}"));
    Exit::BadInput
}

/// `1 process`, `2 processes`.
pub(crate) fn count<N: Display + PartialEq + From<u8> + Copy>(number: N, noun: &str) -> String {
    let ending = match (number == N::from(1), noun.ends_with('s')) {
        (true, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{number} {noun}{ending}")
}
