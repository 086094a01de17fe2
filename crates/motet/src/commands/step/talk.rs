//! Reads commands from a terminal or a pipe and shows the answers, across reloads of the file.

use super::{
    About, Keys, StepArgs,
    line::{Input, Reader},
    show,
};
use crate::{Exit, load, output::Output, progress_line::ProgressLine, protocols, report::Report};
use ::step::{Answer, Command, Inspect, Kept, Outcome, Refusal, Session};
use serde::Serialize;
use serde_json::Value;
use source::Source;
use std::{
    io::{self, BufRead, IsTerminal},
    sync::atomic::Ordering,
};

/// The state that outlives a session when the file is read again.
pub(super) struct Talk<'a> {
    pub(super) args: &'a StepArgs,
    pub(super) about: &'a About,
    pub(super) keys: &'a Keys,
    pub(super) output: &'a Output,
    /// The terminal, once lines were read from it.
    pub(super) input: Option<Reader>,
    /// What the last session left for the next one; none if it has ended.
    pub(super) kept: Option<Kept>,
    /// Whether a command was refused.
    pub(super) refused: bool,
    /// Whether an answer was unknown.
    pub(super) unknown: bool,
    /// All answers, for the document.
    pub(super) answers: Vec<Value>,
}

/// What follows a command.
enum Next {
    Command,
    End,
}

/// An answer in the document.
#[derive(Serialize)]
struct Entry<'a> {
    /// The number of steps before the command.
    step: usize,
    /// The command as it was written; none for the first answer.
    command: Option<&'a str>,
    outcome: Outcome,
    #[serde(flatten)]
    answer: &'a Answer,
}

impl Talk<'_> {
    /// Executes commands until there are no more, or the file is to be read again.
    pub(super) fn hold<S: Inspect>(&mut self, session: &mut Session<'_, S>) -> Exit {
        if let Err(exit) = self.begin(session) {
            return exit;
        }
        let output = self.output;
        let interactive = output.human() && io::stdin().is_terminal() && io::stdout().is_terminal();
        let held = if interactive { self.on_terminal(session) } else { self.on_pipe(session) };
        held.unwrap_or_else(|error| {
            output.error(&format!("cannot read commands: {error}"));
            Exit::BadInput
        })
    }

    /// Shows where the session begins: where the last one was, at the end of a run from a file, or at the start.
    fn begin<S: Inspect>(&mut self, session: &mut Session<'_, S>) -> Result<(), Exit> {
        let answer = match (self.kept.take(), &self.args.load) {
            (Some(kept), _) => session.resume(&kept),
            (None, Some(file)) => session.execute(Command::Load(file.clone())),
            (None, None) => Answer::Arrived(session.here()),
        };
        self.show(0, None, &answer);
        // A run that cannot be followed leaves nothing to inspect.
        match answer.outcome() {
            Outcome::Refused => Err(Exit::BadInput),
            Outcome::Unknown => Err(Exit::Unknown),
            Outcome::Done | Outcome::Quit | Outcome::Reload => Ok(()),
        }
    }

    /// An answer without questions in between, for people or machines.
    fn show(&mut self, step: usize, command: Option<&str>, answer: &Answer) {
        show::pages(answer).iter().for_each(|page| self.output.result(page));
        self.keep(step, command, answer);
    }

    fn keep(&mut self, step: usize, command: Option<&str>, answer: &Answer) {
        // Only the document needs them, and a session may be long.
        if !self.output.human() {
            let entry = Entry { step, command, outcome: answer.outcome(), answer };
            self.answers.push(serde_json::to_value(entry).expect("answers have only text keys"));
        }
    }

    /// Executes a line, and shows the progress of a search; none if there is no command in it.
    fn execute<S: Inspect>(&self, session: &mut Session<'_, S>, line: &str) -> Option<Answer> {
        let command = match session.read(line) {
            Ok(command) => command?,
            Err(refusal) => return Some(Answer::Refused { refusal }),
        };
        self.keys.cancel.store(false, Ordering::Relaxed);
        let is_search = matches!(command, Command::Goto(_));
        let _line = if is_search { ProgressLine::show(&self.keys.progress, self.output) } else { None };
        Some(session.execute(command))
    }

    fn on_terminal<S: Inspect>(&mut self, session: &mut Session<'_, S>) -> io::Result<Exit> {
        let mut reader = match self.input.take() {
            Some(reader) => reader,
            None => Reader::new(self.output.paints())?,
        };
        let mut told_how_to_end = false;
        loop {
            reader.prepare(session.vocabulary());
            let line = match reader.read(&format!("{}> ", session.step()))? {
                Input::Line(line) => line,
                Input::Interrupted => {
                    if !std::mem::replace(&mut told_how_to_end, true) {
                        self.output.result("Ctrl-D or `quit` ends the session");
                    }
                    continue;
                }
                Input::End => break,
            };
            let Some(answer) = self.execute(session, &line) else { continue };
            self.show_pages(&show::pages(&answer), &mut reader)?;
            if let Next::End = self.after(session, answer.outcome()) {
                break;
            }
        }
        if self.kept.is_some() {
            self.input = Some(reader);
        } else {
            reader.leave();
        }
        Ok(Exit::Holds)
    }

    /// Shows one page after the other, each when the user is ready for it. A page that is longer than the terminal is several.
    fn show_pages(&self, pages: &[String], reader: &mut Reader) -> io::Result<()> {
        let height = terminal_size::terminal_size_of(io::stdout()).map(|(_, height)| usize::from(height.0));
        let pages = pages.iter().flat_map(|page| fitting(page, height)).collect::<Vec<_>>();
        for (at, page) in pages.iter().enumerate() {
            if at > 0 {
                match reader.ask("-- Enter for more, q to stop -- ")? {
                    Input::Line(line) if line.trim().is_empty() => {}
                    _ => break,
                }
            }
            self.output.result(page);
        }
        Ok(())
    }

    fn on_pipe<S: Inspect>(&mut self, session: &mut Session<'_, S>) -> io::Result<Exit> {
        for line in io::stdin().lock().lines() {
            let (line, step) = (line?, session.step());
            let Some(answer) = self.execute(session, &line) else { continue };
            // The output reads like a session on a terminal.
            self.output.result(&format!("{step}> {}", line.trim()));
            self.show(step, Some(line.trim()), &answer);
            if let Next::End = self.after(session, answer.outcome()) {
                break;
            }
            if self.keys.cancel.load(Ordering::Relaxed) {
                self.unknown = true;
                break;
            }
        }
        Ok(match (self.refused, session.is_violated(), self.unknown) {
            (true, _, _) => Exit::BadInput,
            (_, true, _) => Exit::Violated,
            (_, _, true) => Exit::Unknown,
            _ => Exit::Holds,
        })
    }

    /// Remembers the outcome of a command, and decides how to continue.
    fn after<S: Inspect>(&mut self, session: &mut Session<'_, S>, outcome: Outcome) -> Next {
        match outcome {
            Outcome::Done => {}
            Outcome::Refused => self.refused = true,
            Outcome::Unknown => self.unknown = true,
            Outcome::Quit => return Next::End,
            Outcome::Reload => return self.reload(session),
        }
        Next::Command
    }

    /// Ends the session in favour of one about the file as it is now, unless that has errors.
    fn reload<S: Inspect>(&mut self, session: &mut Session<'_, S>) -> Next {
        let (file, queues) = (&self.about.file, self.about.queues);
        let is_protocol = protocols::is_protocol(file);
        let is_model = |source: Source| {
            if is_protocol {
                ::protocol::Protocol::load(&source).protocol.is_some()
            } else {
                model::load_with(&source, queues).model.is_some()
            }
        };
        let kept = if Source::read(file).is_ok_and(is_model) {
            session.keep().map_err(|fault| fault.to_string())
        } else {
            // For the messages; those of a file without errors come when it is read for the next session.
            if is_protocol {
                let flags = &self.args.instance;
                let limits = protocols::limits(&self.args.limits);
                let _ = protocols::load(file, flags, &limits, self.output, &mut Report::new("step", &[]));
            } else {
                load::load("step", file, queues, self.output, &mut Report::new("step", &[]));
            }
            Err(format!("`{file}` cannot be read again"))
        };
        match kept {
            Ok(kept) => {
                self.kept = Some(kept);
                Next::End
            }
            Err(reason) => {
                self.refused = true;
                let why = format!("{reason}; the session goes on with the file as it was");
                self.output.error(&why);
                let answer = Answer::Refused { refusal: Refusal::File { why } };
                self.keep(session.step(), None, &answer);
                Next::Command
            }
        }
    }
}

/// A page as pages that fit on a terminal of this many lines, with one left for the question.
fn fitting(page: &str, height: Option<usize>) -> Vec<String> {
    let lines: Vec<&str> = page.lines().collect();
    match height.map(|height| height.saturating_sub(1)) {
        Some(most) if most > 0 && lines.len() > most => {
            lines.chunks(most).map(|some| some.join("\n")).collect()
        }
        _ => vec![page.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::fitting;

    #[test]
    fn long_pages_are_cut_to_the_height_of_the_terminal() {
        assert_eq!(fitting("a\nb\nc\nd\ne", Some(3)), ["a\nb", "c\nd", "e"]);
        assert_eq!(fitting("a\nb", Some(3)), ["a\nb"]);
        assert_eq!(fitting("a\nb\nc", None), ["a\nb\nc"]);
        assert_eq!(fitting("a\nb\nc", Some(1)), ["a\nb\nc"]);
    }
}
