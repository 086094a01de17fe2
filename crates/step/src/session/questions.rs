//! Questions about actions: which are enabled, why others are not, and how they are written.

use super::Session;
use crate::{Answer, Call, Choice, EnabledAction, Explanation, Inspect, Refusal};

impl<S: Inspect> Session<'_, S> {
    pub(super) fn all(&self) -> Answer {
        if self.cursor.enabled().is_empty() {
            return self.stuck();
        }
        let system = self.cursor.system();
        let view = |(number, action): (usize, &S::Action)| EnabledAction {
            number,
            label: system.label(action).to_string(),
            process: system.process(action),
            location: system.location(action),
        };
        Answer::Enabled { actions: (1..).zip(self.cursor.enabled()).map(view).collect() }
    }

    /// Without processes, every choice of them is explained.
    pub(super) fn why(&self, call: Call) -> Result<Answer, Refusal> {
        let choices = if call.processes.is_empty() { self.cursor.system().calls(&call.name) } else { vec![] };
        if choices.is_empty() {
            let explanation = self.explain(&call)?;
            return Ok(Answer::Why { call, explanation });
        }
        let explained = choices.into_iter().map(|call| {
            let explanation = self.explain(&call)?;
            Ok(Choice { call, explanation })
        });
        Ok(Answer::WhyEach { choices: explained.collect::<Result<_, Refusal>>()? })
    }

    fn explain(&self, call: &Call) -> Result<Explanation, Refusal> {
        let system = self.cursor.system();
        let actions: Vec<String> =
            self.cursor.fitting(call).into_iter().map(|action| system.label(action).to_string()).collect();
        if actions.is_empty() {
            Ok(Explanation::Disabled { reasons: system.explain(call)? })
        } else {
            Ok(Explanation::Enabled { actions })
        }
    }

    /// The text of an item, or of the step that led here.
    pub(super) fn list(&self, name: Option<&str>) -> Result<Answer, Refusal> {
        let last = self.run.steps.last().map(|step| step.name.as_str());
        let name = name.or(last).ok_or(Refusal::NoStepYet)?;
        Ok(Answer::Listing { excerpts: self.cursor.system().text_of(name)? })
    }
}
