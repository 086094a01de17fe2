//! Where output goes: results on standard output, messages on standard error.

use crate::{
    flags::{Colour, Format, OutputFlags},
    report::Report,
};
use source::{Diagnostic, Source, Style, render};
use std::{
    fs,
    io::{self, IsTerminal, Write},
    path::Path,
};

/// The two streams, with the flags that rule them.
pub(crate) struct Output {
    flags: OutputFlags,
}

impl Output {
    pub(crate) fn new(flags: OutputFlags) -> Output {
        match flags.color {
            Colour::Auto => anstream::ColorChoice::Auto,
            Colour::Always => anstream::ColorChoice::Always,
            Colour::Never => anstream::ColorChoice::Never,
        }
        .write_global();
        Output { flags }
    }

    /// Whether people read the output.
    pub(crate) fn human(&self) -> bool {
        self.flags.format == Format::Human
    }

    /// Whether somebody looks at standard error while a run goes on.
    pub(crate) fn is_watched(&self) -> bool {
        self.human() && !self.flags.quiet && io::stderr().is_terminal()
    }

    /// A line of results, for people.
    pub(crate) fn result(&self, line: &str) {
        if self.human() && !self.flags.quiet {
            write_line(&mut anstream::stdout(), line);
        }
    }

    /// A message about a place in a file, for people.
    pub(crate) fn diagnostic(&self, source: &Source, diagnostic: &Diagnostic) {
        let hidden = self.flags.quiet && diagnostic.severity != source::Severity::Error;
        if self.human() && !hidden {
            write_line(
                &mut anstream::stderr(),
                &format!("{}\n", render(source, diagnostic, Style::Coloured)),
            );
        }
    }

    /// An error that has no place in a file, for people.
    pub(crate) fn error(&self, message: &str) {
        if self.human() {
            write_line(&mut anstream::stderr(), &format!("\x1b[1;31merror\x1b[0m: {message}"));
        }
    }

    /// A remark for people, on standard error.
    pub(crate) fn remark(&self, message: &str) {
        if self.human() && !self.flags.quiet {
            write_line(&mut anstream::stderr(), message);
        }
    }

    /// The document for machines.
    pub(crate) fn document(&self, report: &Report) {
        if self.flags.format == Format::Json {
            let text = serde_json::to_string_pretty(report).expect("reports have only text keys");
            write_line(&mut io::stdout(), &text);
        }
    }
}

/// Writes a file whole or not at all: beside it first, then in its place, so that a full disk or an interruption leaves
/// what was there.
pub(crate) fn write_whole(path: &Path, text: &str) -> io::Result<()> {
    let mut beside = path.to_owned().into_os_string();
    beside.push(format!(".{}.tmp", std::process::id()));
    let permissions = fs::metadata(path).map(|metadata| metadata.permissions());
    let written = fs::write(&beside, text)
        .and_then(|()| permissions.map_or(Ok(()), |permissions| fs::set_permissions(&beside, permissions)))
        .and_then(|()| fs::rename(&beside, path));
    if written.is_err() {
        let _ = fs::remove_file(&beside);
    }
    written
}

/// Writes a line. A reader that has gone away is no reason to complain: there is nobody to hear it.
fn write_line(stream: &mut impl Write, line: &str) {
    let _ = writeln!(stream, "{line}").and_then(|()| stream.flush());
}
