//! What a session hands on to one about the same file after an edit.

use super::Session;
use crate::{Answer, run::Run, words::count};
use explore::Trace;

/// What a session was about, apart from its subject.
#[derive(Debug, Clone)]
pub struct Kept {
    run: Trace,
    watches: Vec<String>,
    breaks: Vec<String>,
    flag: usize,
}

impl Session<'_> {
    /// What a session about the edited file needs to go on.
    pub fn keep(&mut self) -> Result<Kept, String> {
        let run = self.trace()?;
        self.run.visit(&mut *self.subject, self.run.len())?;
        let watches = self.watches.iter().map(|(expression, _)| expression.clone()).collect();
        Ok(Kept { run, watches, breaks: self.breaks.clone(), flag: self.flag })
    }

    /// Follows the run of another session as far as it goes, by the names of its steps, and takes over the rest.
    pub fn take_up(&mut self, kept: &Kept) -> Result<Answer, String> {
        self.flag = kept.flag;
        let begun = self.begin_like(&kept.run)?;
        let mut lines = vec![];
        if !begun {
            lines.push("the initial state of the run is not there any more; this is another one".to_owned());
        }
        let failed = self.follow_labels(&kept.run)?;
        let all = kept.run.steps.len();
        lines.push(match failed {
            Some(label) => {
                format!("{} of {all} followed: {label} is not possible here", count(self.run.len(), "step"))
            }
            None => format!("all of {} followed", count(all, "step")),
        });
        lines.extend(self.take_over(kept));
        lines.extend(self.judgement());
        Ok(Answer::done(lines))
    }

    /// Goes to the initial state that looks as the run began, or to the first; whether there is one.
    fn begin_like(&mut self, run: &Trace) -> Result<bool, String> {
        let all = self.subject.initials();
        for initial in Some(run.initial).filter(|initial| *initial < all).into_iter().chain(0..all) {
            self.run = Run::begin(&mut *self.subject, initial)?;
            if self.subject.describe() == run.start {
                return Ok(true);
            }
        }
        self.run = Run::begin(&mut *self.subject, 0)?;
        Ok(false)
    }

    /// Takes steps by their names; the first that is not there.
    fn follow_labels(&mut self, run: &Trace) -> Result<Option<String>, String> {
        for step in &run.steps {
            let mut exits = 0..self.subject.exits();
            let Some(exit) = exits.find(|at| self.subject.exit(*at).label == step.label) else {
                return Ok(Some(step.label.clone()));
            };
            self.run.advance(&mut *self.subject, exit, false, self.flag)?;
        }
        Ok(None)
    }

    /// Watches and stops at what still has a meaning; tells what has none.
    fn take_over(&mut self, kept: &Kept) -> Vec<String> {
        let mut lost = vec![];
        for expression in &kept.watches {
            match self.subject.evaluate(expression) {
                Ok(value) => self.watches.push((expression.clone(), value)),
                Err(_) => {
                    lost.push(format!("`{expression}` has no meaning any more and is no longer watched"));
                }
            }
        }
        for formula in &kept.breaks {
            match self.subject.evaluate(formula) {
                Ok(_) => self.breaks.push(formula.clone()),
                Err(_) => lost.push(format!("`{formula}` has no meaning any more; `continue` forgets it")),
            }
        }
        lost
    }
}
