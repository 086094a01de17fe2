//! What a session hands on to one about the same file after an edit.

use super::Session;
use crate::{Answer, Inspect, Refusal, Resumed, Watch, run::Run};
use explore::{Fault, Trace};

/// A session without its system.
#[derive(Debug, Clone)]
pub struct Kept {
    run: Trace,
    watches: Vec<String>,
    breakpoints: Vec<String>,
    interval: usize,
}

impl<S: Inspect> Session<'_, S> {
    /// What a session about the edited file needs to go on.
    pub fn keep(&mut self) -> Result<Kept, Fault> {
        let run = self.trace()?;
        self.run.visit(&mut self.cursor, self.run.len())?;
        let watches = self.watches.iter().map(|watch| watch.expression.clone()).collect();
        Ok(Kept { run, watches, breakpoints: self.breakpoints.clone(), interval: self.interval })
    }

    /// Follows the run of another session as far as possible, by the labels of its steps, and takes over what was watched
    /// and where it stopped.
    pub fn resume(&mut self, kept: &Kept) -> Answer {
        self.try_resume(kept).unwrap_or_else(|refusal| Answer::Refused { refusal })
    }

    fn try_resume(&mut self, kept: &Kept) -> Result<Answer, Refusal> {
        self.interval = kept.interval;
        let same_start = self.begin_like(&kept.run)?;
        let stopped_at = self.follow_labels(&kept.run)?;
        let lost_watches = self.resume_watches(kept);
        let lost_breakpoints = self.resume_breakpoints(kept);
        Ok(Answer::Resumed(Resumed {
            same_start,
            followed: self.run.len(),
            steps: kept.run.steps.len(),
            stopped_at,
            lost_watches,
            lost_breakpoints,
            judgement: self.judgement(),
        }))
    }

    /// Goes to the initial state that looks like that of the run, or to the first; whether there is one.
    fn begin_like(&mut self, run: &Trace) -> Result<bool, Fault> {
        let recorded = Some(run.initial).filter(|initial| *initial < self.initials);
        for initial in recorded.into_iter().chain(0..self.initials) {
            self.run = Run::begin(&mut self.cursor, initial)?;
            if self.cursor.system().is_recorded(&run.start) {
                return Ok(true);
            }
        }
        self.run = Run::begin(&mut self.cursor, 0)?;
        Ok(false)
    }

    /// Takes steps by their labels; the first that is not enabled.
    fn follow_labels(&mut self, run: &Trace) -> Result<Option<String>, Fault> {
        for step in &run.steps {
            let Some(action) = self.cursor.with_label(&step.label) else {
                return Ok(Some(step.label.to_string()));
            };
            self.advance(&action, false)?;
        }
        Ok(None)
    }

    /// Watches what still has a meaning; the expressions that have none.
    fn resume_watches(&mut self, kept: &Kept) -> Vec<String> {
        let mut lost = vec![];
        for expression in kept.watches.iter().cloned() {
            match self.cursor.system_mut().evaluate(&expression) {
                Ok(value) => self.watches.push(Watch { expression, value }),
                Err(_) => lost.push(expression),
            }
        }
        lost
    }

    /// Stops at what still has a meaning; the formulas that have none.
    fn resume_breakpoints(&mut self, kept: &Kept) -> Vec<String> {
        let system = self.cursor.system_mut();
        let (known, lost) =
            kept.breakpoints.iter().cloned().partition(|formula| system.evaluate(formula).is_ok());
        self.breakpoints = known;
        lost
    }
}
