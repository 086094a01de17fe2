//! Going elsewhere in the run, and to other runs.

use super::Session;
use crate::{
    Answer,
    run::Run,
    show::{self, faint},
    words::count,
};
use explore::Trace;

/// More steps than this are not told one by one when they are taken.
const MOST_TOLD: usize = 20;
/// More moves than this cannot be taken back.
const MOST_UNDONE: usize = 1000;

impl Session<'_> {
    /// Notes a move, and tells about it: what was reported, the steps, what is wrong now, what is watched.
    pub(super) fn moved(&mut self, before: Run, mut lines: Vec<String>) -> Result<Answer, String> {
        let from = before.len();
        let new = self.run.len() - from;
        // A run of no steps is no move that somebody would take back.
        if new > 0 {
            self.remember(before);
        }
        let first = if new > MOST_TOLD { self.run.len() - MOST_TOLD / 2 } else { from };
        if first > from {
            lines.push(faint(&format!(
                "{} more before these; `trace` shows all",
                count(first - from, "step")
            )));
        }
        let records = self.records(first, self.run.len())?;
        lines.extend(show::steps(&records[1..]));
        lines.extend(self.arrival());
        Ok(Answer::done(lines))
    }

    fn remember(&mut self, before: Run) {
        self.done.push(before);
        self.undone.clear();
        if self.done.len() > MOST_UNDONE {
            self.done.remove(0);
        }
    }

    /// Where the session is after a jump.
    fn jumped(&mut self, before: Run) -> Answer {
        self.remember(before);
        self.arrived()
    }

    fn arrived(&mut self) -> Answer {
        let place = self.place();
        let arrival = self.arrival();
        Answer::done(std::iter::once(place).chain(arrival))
    }

    fn place(&self) -> String {
        match self.run.steps.last() {
            None => self.beginning(),
            Some(step) => format!("at step {}, after {}", self.run.len(), step.label),
        }
    }

    pub(super) fn beginning(&self) -> String {
        let (number, all) = (self.run.initial + 1, self.subject.initials());
        let which = if all == 1 { String::new() } else { format!(", initial state {number} of {all}") };
        format!("at the start{which}")
    }

    pub(super) fn reset(&mut self, initial: Option<usize>) -> Result<Answer, String> {
        let all = self.subject.initials();
        let initial = match initial {
            None => self.run.initial,
            Some(number) if (1..=all).contains(&number) => number - 1,
            Some(_) if all == 1 => return Err("there is only one initial state".into()),
            Some(_) => return Err(format!("there are {}", count(all, "initial state"))),
        };
        let before = std::mem::replace(&mut self.run, Run::begin(&mut *self.subject, initial)?);
        Ok(self.jumped(before))
    }

    pub(super) fn backtrack(&mut self, step: usize) -> Result<Answer, String> {
        self.check_step(step)?;
        let before = self.run.clone();
        self.run.steps.truncate(step);
        self.run.visit(&mut *self.subject, step)?;
        Ok(self.jumped(before))
    }

    pub(super) fn check_step(&self, step: usize) -> Result<(), String> {
        if step <= self.run.len() {
            return Ok(());
        }
        Err(format!("the run has {}; there is no step {step}", count(self.run.len(), "step")))
    }

    pub(super) fn undo(&mut self, moves: usize) -> Result<Answer, String> {
        let wanted = check_moves(moves, self.done.len(), "taken back")?;
        for run in self.done.drain(self.done.len() - wanted..).rev() {
            self.undone.push(std::mem::replace(&mut self.run, run));
        }
        self.run.visit(&mut *self.subject, self.run.len())?;
        Ok(self.arrived())
    }

    pub(super) fn redo(&mut self, moves: usize) -> Result<Answer, String> {
        let wanted = check_moves(moves, self.undone.len(), "made again")?;
        for run in self.undone.drain(self.undone.len() - wanted..).rev() {
            self.done.push(std::mem::replace(&mut self.run, run));
        }
        self.run.visit(&mut *self.subject, self.run.len())?;
        Ok(self.arrived())
    }

    pub(super) fn save(&mut self, file: &str) -> Result<Answer, String> {
        let trace = self.trace()?;
        let wrong = self.subject.wrong();
        self.store.save(file, &trace, wrong.iter().find(|wrong| wrong.violation))?;
        Ok(Answer::done([format!("{} written to `{file}`", count(trace.steps.len(), "step"))]))
    }

    pub(super) fn load(&mut self, file: &str) -> Result<Answer, String> {
        let (trace, remarks) = self.store.load(file)?;
        let before = self.run.clone();
        match self.resolve(&trace) {
            Ok(run) => self.run = run,
            // The file is a trace, and its run is not there: that is nobody's mistake.
            Err(reason) => {
                self.run.visit(&mut *self.subject, self.run.len())?;
                let told = format!("the run of `{file}` cannot be followed: {reason}");
                let lines: Vec<String> = std::iter::once(told).chain(remarks).collect();
                return Ok(Answer::unknown(&lines.join("\n")));
            }
        }
        self.remember(before);
        let told = format!("{} from `{file}`", count(trace.steps.len(), "step"));
        let arrived = self.arrived();
        let lines = remarks.into_iter().chain([told]).chain(arrived.pages);
        Ok(Answer::done(lines))
    }

    /// Follows a run in words. Initial states are recognised by what they look like, and several may look alike.
    fn resolve(&mut self, trace: &Trace) -> Result<Run, String> {
        let all = self.subject.initials();
        let guess = Some(trace.initial).filter(|guess| *guess < all);
        let mut failure = "there is no such initial state".to_owned();
        for initial in guess.into_iter().chain(0..all) {
            self.subject.start(initial)?;
            if self.subject.describe() == trace.start {
                match self.resolve_from(trace, initial) {
                    Ok(run) => return Ok(run),
                    Err(reason) => failure = reason,
                }
            }
        }
        Err(failure)
    }

    fn resolve_from(&mut self, trace: &Trace, initial: usize) -> Result<Run, String> {
        let mut run = Run::begin(&mut *self.subject, initial)?;
        for (number, step) in (1..).zip(&trace.steps) {
            let exits = 0..self.subject.exits();
            let exit = exits.into_iter().find(|at| self.subject.exit(*at).label == step.label);
            let exit = exit.ok_or_else(|| format!("step {number}, {}, is not possible there", step.label))?;
            run.advance(&mut *self.subject, exit, false, self.flag)?;
            if self.subject.describe() != step.state {
                return Err(format!("step {number}, {}, leads to another state", step.label));
            }
        }
        Ok(run)
    }
}

fn check_moves(wanted: usize, there: usize, what: &str) -> Result<usize, String> {
    match there {
        0 => Err(format!("there is no move that could be {what}")),
        _ if wanted == 0 || wanted > there => Err(format!("{} can be {what}", count(there, "move"))),
        _ => Ok(wanted),
    }
}
