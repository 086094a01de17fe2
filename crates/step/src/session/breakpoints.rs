//! Breakpoints: formulas, and running to where one of them holds.

use super::Session;
use crate::{Answer, Inspect, Refusal, Report, Stop, Value, Watch};

impl<S: Inspect> Session<'_, S> {
    pub(super) fn set_breakpoint(&mut self, formula: Option<String>) -> Result<Answer, Refusal> {
        let Some(expression) = formula else {
            return Ok(Answer::Breakpoints { formulas: self.breakpoints.clone() });
        };
        let value = self.cursor.system_mut().evaluate(&expression)?;
        if value.truth().is_none() && !matches!(value, Value::Undefined(_)) {
            return Err(Refusal::NotAFormula { expression, value });
        }
        if !self.breakpoints.contains(&expression) {
            self.breakpoints.push(expression.clone());
        }
        Ok(Answer::BreakpointSet(Watch { expression, value }))
    }

    pub(super) fn remove_breakpoint(&mut self, number: Option<usize>) -> Result<Answer, Refusal> {
        let breakpoints = self.breakpoints.len();
        let formulas = match number {
            None => std::mem::take(&mut self.breakpoints),
            Some(number) if (1..=breakpoints).contains(&number) => vec![self.breakpoints.remove(number - 1)],
            Some(_) => return Err(Refusal::NoSuchBreakpoint { breakpoints }),
        };
        Ok(Answer::BreakpointsRemoved { formulas })
    }

    /// Takes random steps, at most `most`, until a formula holds, something is violated, or no action is enabled.
    pub(super) fn go_on(&mut self, most: usize) -> Result<Answer, Refusal> {
        let before = self.run.clone();
        let mut stop = None;
        while stop.is_none() && self.run.len() - before.len() < most {
            if !self.random_step()? {
                break;
            }
            stop = self.reason_to_stop();
        }
        let steps = self.run.len() - before.len();
        if steps == 0 {
            return Ok(self.stuck());
        }
        let enough = if self.cursor.enabled().is_empty() { Stop::NoAction } else { Stop::Length };
        self.moved(before, Some(Report::Continue { steps, stop: stop.unwrap_or(enough) }))
    }

    /// The first formula that holds here, or that something is violated.
    fn reason_to_stop(&mut self) -> Option<Stop> {
        let system = self.cursor.system_mut();
        let holds =
            |formula: &&String| system.evaluate(formula).is_ok_and(|value| value.truth() == Some(true));
        let formula = self.breakpoints.iter().find(holds).cloned();
        let breakpoint = formula.map(|formula| Stop::Breakpoint { formula });
        breakpoint.or_else(|| self.is_violated().then_some(Stop::Violation))
    }
}
