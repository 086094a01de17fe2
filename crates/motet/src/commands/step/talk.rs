//! Talking to a session: on a terminal or on a pipe, line after line, across readings of the file.

use super::{
    About, Keys, StepArgs,
    line::{Reader, Told},
};
use crate::{Exit, load, output::Output, progress_line::ProgressLine, report::Report};
use ::step::{Answer, Command, Kept, Outcome, Session};
use source::Source;
use std::{
    io::{self, BufRead, IsTerminal},
    sync::atomic::Ordering,
};

/// What goes on while sessions come and go.
pub(super) struct Talk<'a> {
    pub(super) args: &'a StepArgs,
    pub(super) about: &'a About,
    pub(super) keys: &'a Keys,
    pub(super) output: &'a Output,
    /// The terminal, once there is one.
    pub(super) input: Option<Reader>,
    /// What the last session left for the next one; none if it has ended.
    pub(super) kept: Option<Kept>,
    /// Whether a command could not be done.
    pub(super) refused: bool,
    /// Whether an answer was unknown.
    pub(super) unknown: bool,
}

/// What is done after a line.
enum Next {
    Line,
    End,
}

impl Talk<'_> {
    /// Takes commands until there are no more, or the file is to be read again.
    pub(super) fn hold(&mut self, session: &mut Session<'_>) -> Exit {
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

    /// Says where the session begins: where the last one was, at the end of a run from a file, or at the start.
    fn begin(&mut self, session: &mut Session<'_>) -> Result<(), Exit> {
        if let Some(kept) = self.kept.take() {
            let told = session.take_up(&kept);
            told.map_or_else(|reason| vec![reason], |answer| answer.pages)
                .iter()
                .for_each(|page| self.output.result(page));
            return Ok(());
        }
        let Some(file) = &self.args.load else {
            session.greeting().iter().for_each(|line| self.output.result(line));
            return Ok(());
        };
        let answer = session.answer(Command::Load(file.clone()));
        answer.pages.iter().for_each(|page| self.output.result(page));
        // A session about a run that is not there would be about something else.
        match answer.outcome {
            Outcome::Refused => Err(Exit::BadInput),
            Outcome::Unknown => Err(Exit::Unknown),
            Outcome::Done | Outcome::Quit | Outcome::Reload => Ok(()),
        }
    }

    /// Does what a line says, and tells how far it is; none if the line says nothing.
    fn answer(&self, session: &mut Session<'_>, line: &str) -> Option<Answer> {
        let command = match session.read(line) {
            Ok(command) => command?,
            Err(refused) => return Some(refused),
        };
        self.keys.cancel.store(false, Ordering::Relaxed);
        let is_search = matches!(command, Command::Goto(_));
        let _line = if is_search { ProgressLine::show(&self.keys.progress, self.output) } else { None };
        Some(session.answer(command))
    }

    fn on_terminal(&mut self, session: &mut Session<'_>) -> io::Result<Exit> {
        let mut reader = match self.input.take() {
            Some(reader) => reader,
            None => Reader::new(self.output.paints())?,
        };
        let mut told_how_to_end = false;
        loop {
            reader.prepare(session.vocabulary());
            let line = match reader.read(&format!("{}> ", session.step()))? {
                Told::Line(line) => line,
                Told::Interrupted => {
                    if !std::mem::replace(&mut told_how_to_end, true) {
                        self.output.result("Ctrl-D or `quit` ends the session");
                    }
                    continue;
                }
                Told::End => break,
            };
            let Some(answer) = self.answer(session, &line) else { continue };
            self.show_pages(&answer.pages, &mut reader)?;
            if let Next::End = self.after(session, answer.outcome) {
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

    /// Shows one page after the other, each when the reader is ready for it. A page that is longer than the terminal is several.
    fn show_pages(&self, pages: &[String], reader: &mut Reader) -> io::Result<()> {
        let height = terminal_size::terminal_size_of(io::stdout()).map(|(_, height)| usize::from(height.0));
        let pages = pages.iter().flat_map(|page| fitting(page, height)).collect::<Vec<_>>();
        for (at, page) in pages.iter().enumerate() {
            if at > 0 {
                match reader.ask("-- Enter goes on, q ends -- ")? {
                    Told::Line(line) if line.trim().is_empty() => {}
                    _ => break,
                }
            }
            self.output.result(page);
        }
        Ok(())
    }

    fn on_pipe(&mut self, session: &mut Session<'_>) -> io::Result<Exit> {
        for line in io::stdin().lock().lines() {
            let line = line?;
            let prompt = session.step();
            let Some(answer) = self.answer(session, &line) else { continue };
            // The output reads like a session on a terminal.
            self.output.result(&format!("{prompt}> {}", line.trim()));
            answer.pages.iter().for_each(|page| self.output.result(page));
            if let Next::End = self.after(session, answer.outcome) {
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

    /// Notes how a command went, and what follows from it.
    fn after(&mut self, session: &mut Session<'_>, outcome: Outcome) -> Next {
        match outcome {
            Outcome::Done => {}
            Outcome::Refused => self.refused = true,
            Outcome::Unknown => self.unknown = true,
            Outcome::Quit => return Next::End,
            Outcome::Reload => return self.reload(session),
        }
        Next::Line
    }

    /// Ends the session in favour of one about the file as it is now, unless that has errors.
    fn reload(&mut self, session: &mut Session<'_>) -> Next {
        let (file, queues) = (&self.about.file, self.about.queues);
        let is_model = |source: Source| model::load_with(&source, queues).model.is_some();
        let kept = if Source::read(file).is_ok_and(is_model) {
            session.keep()
        } else {
            // The messages; those of a file without errors come when it is read for the next session.
            load::load(file, queues, self.output, &mut Report::new("step", &[]));
            Err(format!("`{file}` cannot be read again"))
        };
        match kept {
            Ok(kept) => {
                self.kept = Some(kept);
                Next::End
            }
            Err(reason) => {
                self.refused = true;
                self.output.error(&format!("{reason}; the session goes on with the file as it was"));
                Next::Line
            }
        }
    }
}

/// A page as pages of lines that fit on a terminal of so many, with one left for the question.
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
