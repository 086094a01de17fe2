//! Going elsewhere in the run, and to other runs.

use super::Session;
use crate::{Answer, Arrival, Divergence, Inspect, Moved, Refusal, Report, run::Run};
use explore::{Fault, Trace};

/// Of more steps than this, an answer has only the last half of this number.
const MOST_TOLD: usize = 20;
/// More moves than this cannot be undone.
const MOST_UNDONE: usize = 1000;

impl<S: Inspect> Session<'_, S> {
    /// Records a move, and reports it.
    pub(super) fn moved(&mut self, before: Run<S>, report: Option<Report>) -> Result<Answer, Refusal> {
        let from = before.len();
        let new = self.run.len() - from;
        // Nobody would want to undo a move of no steps.
        if new > 0 {
            self.remember(before);
        }
        let first = if new > MOST_TOLD { self.run.len() - MOST_TOLD / 2 } else { from };
        let (state, steps) = self.steps_from(first)?;
        Ok(Answer::Moved(Moved {
            report,
            processes: self.cursor.system().processes(),
            earlier: first - from,
            from: state,
            steps,
            here: self.arrival(),
        }))
    }

    fn remember(&mut self, before: Run<S>) {
        self.done.push(before);
        self.undone.clear();
        if self.done.len() > MOST_UNDONE {
            self.done.remove(0);
        }
    }

    fn arrival(&mut self) -> Arrival {
        Arrival { watches: self.watch_changes(), ..self.here() }
    }

    pub(super) fn reset(&mut self, initial: Option<usize>) -> Result<Answer, Refusal> {
        let initials = self.initials;
        let initial = match initial {
            None => self.run.initial,
            Some(number) if (1..=initials).contains(&number) => number - 1,
            Some(_) => return Err(Refusal::NoSuchInitialState { initials }),
        };
        let run = Run::begin(&mut self.cursor, initial)?;
        let before = std::mem::replace(&mut self.run, run);
        self.remember(before);
        Ok(Answer::Arrived(self.arrival()))
    }

    pub(super) fn backtrack(&mut self, step: usize) -> Result<Answer, Refusal> {
        self.check_step(step)?;
        let before = self.run.clone();
        self.run.steps.truncate(step);
        self.run.visit(&mut self.cursor, step)?;
        self.remember(before);
        Ok(Answer::Arrived(self.arrival()))
    }

    pub(super) fn check_step(&self, step: usize) -> Result<(), Refusal> {
        let steps = self.run.len();
        if step <= steps { Ok(()) } else { Err(Refusal::NoSuchStep { step, steps }) }
    }

    pub(super) fn undo(&mut self, moves: usize) -> Result<Answer, Refusal> {
        let there = self.done.len();
        if !(1..=there).contains(&moves) {
            return Err(Refusal::NoSuchUndo { moves: there });
        }
        for run in self.done.drain(there - moves..).rev() {
            self.undone.push(std::mem::replace(&mut self.run, run));
        }
        self.run.visit(&mut self.cursor, self.run.len())?;
        Ok(Answer::Arrived(self.arrival()))
    }

    pub(super) fn redo(&mut self, moves: usize) -> Result<Answer, Refusal> {
        let there = self.undone.len();
        if !(1..=there).contains(&moves) {
            return Err(Refusal::NoSuchRedo { moves: there });
        }
        for run in self.undone.drain(there - moves..).rev() {
            self.done.push(std::mem::replace(&mut self.run, run));
        }
        self.run.visit(&mut self.cursor, self.run.len())?;
        Ok(Answer::Arrived(self.arrival()))
    }

    pub(super) fn save(&mut self, file: String) -> Result<Answer, Refusal> {
        let trace = self.trace()?;
        let findings = self.cursor.system().findings();
        let violation = findings.iter().find(|finding| finding.violation);
        self.store.save(&file, &trace, violation).map_err(|why| Refusal::File { why })?;
        Ok(Answer::Saved { file, steps: trace.steps.len() })
    }

    pub(super) fn load(&mut self, file: String) -> Result<Answer, Refusal> {
        let (trace, remarks) = self.store.load(&file).map_err(|why| Refusal::File { why })?;
        match self.resolve(&trace) {
            Ok(run) => {
                let before = std::mem::replace(&mut self.run, run);
                self.remember(before);
                Ok(Answer::Loaded { file, steps: trace.steps.len(), remarks, here: self.arrival() })
            }
            // The file is a trace, and its run is not there: that is nobody's mistake.
            Err(divergence) => {
                self.run.visit(&mut self.cursor, self.run.len())?;
                Ok(Answer::NotFollowed { file, divergence, remarks })
            }
        }
    }

    /// Finds the run that a trace describes. Initial states are recognised by their values, which several may share.
    fn resolve(&mut self, trace: &Trace) -> Result<Run<S>, Divergence> {
        let recorded = Some(trace.initial).filter(|initial| *initial < self.initials);
        let mut divergence = Divergence::Start;
        for initial in recorded.into_iter().chain(0..self.initials) {
            self.cursor.start(initial)?;
            if self.cursor.system().is_recorded(&trace.start) {
                match self.resolve_from(trace, initial) {
                    Ok(run) => return Ok(run),
                    Err(found) => divergence = found,
                }
            }
        }
        Err(divergence)
    }

    fn resolve_from(&mut self, trace: &Trace, initial: usize) -> Result<Run<S>, Divergence> {
        let recording = self.recording(false);
        let mut run = Run::begin(&mut self.cursor, initial)?;
        for (number, step) in (1..).zip(&trace.steps) {
            let label = || step.label.to_string();
            let action = self.cursor.with_label(&step.label);
            let action = action.ok_or_else(|| Divergence::NotEnabled { step: number, label: label() })?;
            run.advance(&mut self.cursor, &action, recording)?;
            if !self.cursor.system().is_recorded(&step.state) {
                return Err(Divergence::OtherState { step: number, label: label() });
            }
        }
        Ok(run)
    }
}

impl From<Fault> for Divergence {
    fn from(fault: Fault) -> Divergence {
        Divergence::Fault { fault: fault.to_string() }
    }
}
