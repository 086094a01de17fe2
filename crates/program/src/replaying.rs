//! Replaying a recorded schedule.

use crate::{
    building::Program,
    confirm::{Confirmed, Mark, Repeater},
    finding::{Finding, Teller},
    options::Mode,
    schedule::Schedule,
};
use explore::{Cancel, Trace};

/// What came of a replay.
#[derive(Debug)]
pub struct Replayed {
    /// The steps that were taken.
    pub trace: Trace,
    /// What went wrong in it.
    pub findings: Vec<Finding>,
    /// Why it could not be followed to its end, in a sentence.
    pub deviation: Option<String>,
    /// What the program has printed.
    pub output: String,
}

/// Runs a schedule in a process of its own. The error is a sentence.
pub fn replay(
    program: &Program,
    mode: &Mode,
    schedule: &Schedule,
    marks: &[Mark],
    cancel: &Cancel,
) -> Result<Replayed, String> {
    let repeater = Repeater { program, mode, cancel };
    let run = repeater.repeat(schedule, marks)?;
    let teller = Teller::new(program);
    let (trace, output, deviation) = (teller.run(&run), run.output.clone(), run.deviation.clone());
    let confirmed = run.findings.iter().map(|told| Confirmed {
        repeated: run.clone(),
        schedule: schedule.clone(),
        marks: marks.to_vec(),
        told: told.clone(),
    });
    let findings = confirmed.map(|confirmed| teller.finding(confirmed, mode)).collect::<Result<_, _>>()?;
    Ok(Replayed { trace, findings, deviation, output })
}
