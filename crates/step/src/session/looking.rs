//! Looking at states and at the run.

use super::Session;
use crate::{Answer, Inspect, Judgement, Position, Refusal, RunView, StateView, StepView};
use explore::{Fault, Valuation};

impl<S: Inspect> Session<'_, S> {
    pub(super) fn judgement(&self) -> Judgement {
        let system = self.cursor.system();
        Judgement { findings: system.findings(), gap: system.gap() }
    }

    pub(super) fn position(&self) -> Position {
        self.position_at(self.run.len())
    }

    fn position_at(&self, step: usize) -> Position {
        let label = step.checked_sub(1).map(|last| self.run.steps[last].label.to_string());
        Position { step, label, initial: self.run.initial + 1, initials: self.initials }
    }

    pub(super) fn status(&mut self) -> Result<Answer, Refusal> {
        Ok(Answer::State(self.state_at(self.run.len())?))
    }

    /// The state after a step, beside that before it. The cursor is there afterwards.
    fn state_at(&mut self, step: usize) -> Result<StateView, Fault> {
        let before = match step.checked_sub(1) {
            None => None,
            Some(previous) => {
                self.run.visit(&mut self.cursor, previous)?;
                Some(self.cursor.system().status())
            }
        };
        self.run.visit(&mut self.cursor, step)?;
        Ok(StateView {
            position: self.position_at(step),
            enabled: self.cursor.enabled().len(),
            status: self.cursor.system().status(),
            before,
            judgement: self.judgement(),
        })
    }

    pub(super) fn show_run(&mut self) -> Result<Answer, Refusal> {
        let (start, steps) = self.steps_from(0)?;
        Ok(Answer::Run(RunView {
            initial: self.run.initial + 1,
            initials: self.initials,
            processes: self.cursor.system().processes(),
            enabled: steps.first().map_or(self.cursor.enabled().len(), |first| first.enabled_before),
            start,
            steps,
            judgement: self.judgement(),
        }))
    }

    /// The steps after one, and the state in which they begin. The cursor stands at the end of the run afterwards.
    pub(super) fn steps_from(&mut self, from: usize) -> Result<(Valuation, Vec<StepView>), Fault> {
        let (run, cursor) = (&self.run, &mut self.cursor);
        run.visit(cursor, from)?;
        let start = cursor.system().describe();
        let mut steps: Vec<StepView> = Vec::with_capacity(run.len() - from);
        for (number, step) in (from + 1..).zip(&run.steps[from..]) {
            cursor.take(&step.action)?;
            let state = cursor.system().describe();
            let before = steps.last().map_or(&start, |step| &step.state);
            steps.push(StepView {
                number,
                label: step.label.to_string(),
                process: step.process,
                enabled_before: step.enabled_before,
                enabled_after: step.enabled_after,
                by_hand: step.by_hand,
                remembered: run.remembers(number),
                changed: changed(before, &state),
                state,
            });
        }
        Ok((start, steps))
    }

    pub(super) fn set_interval(&mut self, every: Option<usize>) -> Result<Answer, Refusal> {
        match every {
            Some(0) => return Err(Refusal::NoInterval),
            Some(every) => self.interval = every,
            None => {}
        }
        Ok(Answer::Interval { every: self.interval })
    }

    pub(super) fn replay(&mut self) -> Result<Answer, Refusal> {
        let remembered: Vec<usize> = (0..=self.run.len()).filter(|step| self.run.remembers(*step)).collect();
        self.states(remembered)
    }

    pub(super) fn rerun(&mut self, from: usize, to: usize) -> Result<Answer, Refusal> {
        self.check_step(to)?;
        self.states(from..=to)
    }

    /// Some states of the run. The cursor stands at its end afterwards.
    fn states(&mut self, steps: impl IntoIterator<Item = usize>) -> Result<Answer, Refusal> {
        let states = steps.into_iter().map(|step| self.state_at(step)).collect::<Result<_, Fault>>()?;
        self.run.visit(&mut self.cursor, self.run.len())?;
        Ok(Answer::States { states })
    }
}

/// The names of the entries whose values differ. Subjects are the same in the same order in every state.
fn changed(before: &Valuation, after: &Valuation) -> Vec<String> {
    let pairs = before.iter().zip(after);
    pairs.filter(|(old, new)| old != new).map(|(_, new)| new.subject.to_string()).collect()
}
