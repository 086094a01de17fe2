//! Outcomes as the tool herd prints them.
//!
//! Two things differ. Herd counts executions, which are more than final states: here, `Positive` and `Negative` count
//! final states that differ in what is observed. And where not all final states are known, the answer may be
//! `Unknown`, with the reason.

use crate::{FinalState, Outcome};
use explore::Verdict;
use std::fmt;

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Test {} {}", self.name, self.quantifier.kind())?;
        writeln!(f, "States {}", self.states.len())?;
        for state in &self.states {
            writeln!(f, "{}", self.state_text(state))?;
        }
        if let Some(reason) = &self.incomplete {
            writeln!(f, "Incomplete: {reason}")?;
        }
        writeln!(f, "{}", answer(self.verdict()))?;
        writeln!(f, "Witnesses")?;
        writeln!(f, "Positive: {} Negative: {}", self.positive, self.negative)?;
        writeln!(f, "Condition {} ({})", self.quantifier.word(), self.condition)?;
        let observation = self.observation().word();
        writeln!(f, "Observation {} {observation} {} {}", self.name, self.positive, self.negative)
    }
}

impl Outcome {
    /// `0:EAX=0; [x]=1;`
    pub fn state_text(&self, state: &FinalState) -> String {
        let values = self.observed.iter().zip(&state.values);
        values.map(|(name, value)| format!("{name}={value};")).collect::<Vec<_>>().join(" ")
    }
}

fn answer(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::Holds => "Ok",
        Verdict::Violated => "No",
        Verdict::Unknown => "Unknown",
    }
}
