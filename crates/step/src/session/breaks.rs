//! Places to stop at: formulas, and running to where one of them holds.

use super::Session;
use crate::{Answer, words::count};

impl Session<'_> {
    pub(super) fn set_break(&mut self, formula: Option<String>) -> Result<Answer, String> {
        let Some(formula) = formula else { return Ok(self.list_breaks()) };
        let value = self.subject.evaluate(&formula)?;
        let truth = ["true", "false"].contains(&value.to_lowercase().as_str()) || value.starts_with('?');
        if !truth {
            return Err(format!("`{formula}` is neither true nor false: it is {value}"));
        }
        if !self.breaks.contains(&formula) {
            self.breaks.push(formula.clone());
        }
        Ok(Answer::done([format!("`continue` stops where {formula}; here it is {value}")]))
    }

    fn list_breaks(&self) -> Answer {
        if self.breaks.is_empty() {
            return Answer::done(["`continue` stops at no formula".to_owned()]);
        }
        Answer::done(self.breaks.iter().enumerate().map(|(at, formula)| format!("{}  {formula}", at + 1)))
    }

    pub(super) fn unbreak(&mut self, number: Option<usize>) -> Result<Answer, String> {
        let all = self.breaks.len();
        let gone: Vec<String> = match number {
            None => std::mem::take(&mut self.breaks),
            Some(number) if (1..=all).contains(&number) => vec![self.breaks.remove(number - 1)],
            Some(_) => return Err(format!("`continue` stops at {}", count(all, "formula"))),
        };
        let names: Vec<String> = gone.iter().map(|formula| format!("`{formula}`")).collect();
        let told = if names.is_empty() { "nothing to forget".into() } else { names.join(", ") };
        Ok(Answer::done([format!("`continue` no longer stops at: {told}")]))
    }

    /// Takes random steps until a formula holds, something is wrong, nothing is possible, or it is enough.
    pub(super) fn go_on(&mut self, most: usize) -> Result<Answer, String> {
        let before = self.run.clone();
        let mut reason = None;
        while reason.is_none() && self.run.len() - before.len() < most {
            let exits = self.subject.exits();
            if exits == 0 || self.is_cancelled() {
                break;
            }
            let exit = self.rng.below(exits);
            self.run.advance(&mut *self.subject, exit, false, self.flag)?;
            reason = self.reason_to_stop();
        }
        let taken = self.run.len() - before.len();
        if taken == 0 {
            return Ok(self.stuck());
        }
        let steps = count(taken, "step");
        let told = match reason {
            Some(reason) => format!("stopped after {steps}: {reason}"),
            None if self.subject.exits() == 0 => format!("stopped after {steps}: nothing is possible here"),
            None => format!("{steps}, and no reason to stop"),
        };
        self.moved(before, vec![told])
    }

    /// The first formula that holds here, or that something is wrong.
    fn reason_to_stop(&mut self) -> Option<String> {
        let subject = &mut *self.subject;
        let holds = |formula: &&String| {
            subject.evaluate(formula).is_ok_and(|value| value.eq_ignore_ascii_case("true"))
        };
        let formula = self.breaks.iter().find(holds).cloned();
        formula.or_else(|| self.is_violated().then(|| "something is wrong".to_owned()))
    }
}
