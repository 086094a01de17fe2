//! Confirming what the runtime claims: each finding is replayed in a fresh process before anybody hears of it.

use crate::{
    answers::{Answer, StepTold, Told},
    building::Program,
    options::Mode,
    process::{How, Request},
    schedule::Schedule,
};
use explore::Cancel;
use serde::{Deserialize, Serialize};
use std::{fmt, time::Duration};

/// Something that decides which operations are steps of a schedule, found in a run before: a location that races, or a
/// loop that waits. The runtime tells it, and is told it again in a replay; what it says is the runtime's own business.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark(pub(crate) String);

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Mark {
    /// Whether it is about accesses that race.
    pub fn is_race(&self) -> bool {
        self.0.starts_with("racy ")
    }
}

/// A run that was repeated.
#[derive(Clone, Debug)]
pub(crate) struct Repeated {
    pub(crate) steps: Vec<StepTold>,
    pub(crate) findings: Vec<Told>,
    /// Why it could not be followed to its end.
    pub(crate) deviation: Option<String>,
    /// What the program has printed.
    pub(crate) output: String,
}

impl Repeated {
    /// Whether it shows a finding again.
    fn shows(&self, told: &Told) -> bool {
        self.deviation.is_none() && self.findings.iter().any(|found| is_same(found, told))
    }
}

/// Whether two findings are the same one: of a kind, at the same places.
pub(crate) fn is_same(one: &Told, other: &Told) -> bool {
    // Which of two accesses comes first does not matter.
    let message = one.message == other.message || one.kind == "race";
    one.kind == other.kind && message && places(one) == places(other)
}

/// The places of a finding, in no order.
pub(crate) fn places(told: &Told) -> Vec<u64> {
    let mut places = told.pcs.clone();
    places.sort_unstable();
    places
}

/// A replay takes much less, unless the program hangs.
const LONGEST_REPLAY: Duration = Duration::from_secs(60);

/// Repeats runs of a program.
pub(crate) struct Repeater<'a> {
    pub(crate) program: &'a Program,
    pub(crate) mode: &'a Mode,
    pub(crate) cancel: &'a Cancel,
}

/// A finding that was seen again, with what is needed to see it once more.
pub(crate) struct Confirmed {
    pub(crate) repeated: Repeated,
    pub(crate) schedule: Schedule,
    pub(crate) marks: Vec<Mark>,
    /// As it was seen this time.
    pub(crate) told: Told,
}

impl Repeater<'_> {
    /// Runs a schedule in a fresh process. The error is a sentence.
    pub(crate) fn repeat(&self, schedule: &Schedule, marks: &[Mark]) -> Result<Repeated, String> {
        let mut lines = vec!["search replay".to_owned(), format!("schedule {schedule}")];
        lines.extend(self.mode.request(self.program)?);
        lines.extend(marks.iter().map(|mark| mark.0.clone()));
        let request = Request {
            program: self.program,
            lines,
            most: Some(LONGEST_REPLAY),
            cancel: self.cancel,
            memory: None,
            output: true,
        };
        let mut repeated =
            Repeated { steps: vec![], findings: vec![], deviation: None, output: String::new() };
        let mut is_over = false;
        let ended = request.run(|answer| match answer {
            Answer::Step(step) => repeated.steps.push(step),
            Answer::Finding(told) => repeated.findings.push(told),
            Answer::End(end) => {
                is_over = true;
                repeated.deviation = (end != "replayed").then_some(end);
            }
            _ => {}
        })?;
        repeated.output = ended.output;
        match ended.how {
            How::Done if is_over => Ok(repeated),
            How::Done => Err("the replay ended without an answer".into()),
            How::Stopped(limit) => Err(format!("the replay did not end: {limit}")),
            How::Died(reason) => Err(reason),
            How::Killed(reason, _) => {
                repeated.findings.push(Told::death(reason, schedule.clone()));
                Ok(repeated)
            }
        }
    }

    /// Confirms a finding. `marks` are those that were told before it: how many of them were in force already when the
    /// schedule was recorded is not told, so that all numbers are tried, the largest first. The error is a sentence.
    pub(crate) fn confirm(&self, told: &Told, marks: &[Mark]) -> Result<Confirmed, String> {
        let mut problem = None;
        for known in (0..=marks.len()).rev() {
            let marks = &marks[..known];
            match self.repeat(&told.schedule, marks) {
                Ok(repeated) if repeated.shows(told) => return Ok(self.shortened(told, repeated, marks)),
                Ok(repeated) => {
                    let why = repeated.deviation.unwrap_or_else(|| "it did not show again".into());
                    problem.get_or_insert(why);
                }
                Err(reason) => drop(problem.get_or_insert(reason)),
            }
        }
        Err(problem.unwrap_or_default())
    }

    /// The same finding in a run that is easier to read, if there is one.
    fn shortened(&self, told: &Told, whole: Repeated, marks: &[Mark]) -> Confirmed {
        let short = self.shorten(told, marks).and_then(|schedule| {
            let repeated = self.repeat(&schedule, marks).ok()?;
            repeated.shows(told).then_some((schedule, repeated))
        });
        let (schedule, repeated) = short.unwrap_or_else(|| (told.schedule.clone(), whole));
        let again = repeated.findings.iter().find(|found| is_same(found, told)).cloned();
        Confirmed { told: again.unwrap_or_else(|| told.clone()), repeated, schedule, marks: marks.to_vec() }
    }

    /// Asks the runtime for fewer context switches and steps.
    fn shorten(&self, told: &Told, marks: &[Mark]) -> Option<Schedule> {
        let pcs: Vec<String> = told.pcs.iter().map(|pc| format!("{pc:x}")).collect();
        let target = format!("target {} {}", told.kind, pcs.join(" "));
        let mut lines = vec!["search shorten".to_owned(), format!("schedule {}", told.schedule), target];
        lines.extend(self.mode.request(self.program).ok()?);
        lines.extend(marks.iter().map(|mark| mark.0.clone()));
        let most = Some(LONGEST_REPLAY);
        let request =
            Request { program: self.program, lines, most, cancel: self.cancel, memory: None, output: false };
        let mut short = None;
        let ended = request.run(|answer| {
            if let Answer::Shortened(schedule) = answer {
                short = Some(schedule);
            }
        });
        short.filter(|_| ended.is_ok_and(|ended| ended.how == How::Done))
    }
}
