//! `motet FILE`: looks for bugs for a moment, by fuzzing and then by exploring more and more processes, and tries to prove
//! that there are none.

use super::{check, explore, fuzz, prove};
use crate::{
    Exit,
    flags::{DiagramFlag, LimitFlags, OutputFlags},
    output::{Output, count},
    progress_line::ProgressLine,
    report::{Report, Verdict},
};
use ::explore::Limits;
use clap::Args;
use model::{
    exploration::{Exploration, Incomplete, Options},
    ir::Model,
};
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub(crate) struct HuntArgs {
    /// The model
    // A list of one: a command makes it unnecessary, which a plain value cannot express.
    #[arg(required = true, value_name = "FILE", num_args = 1)]
    file: Vec<String>,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    pub(crate) output: OutputFlags,
}

impl HuntArgs {
    pub(crate) fn file(&self) -> &str {
        self.file.first().map_or("", String::as_str)
    }
}

/// How long the hunt may take; half of it is for fuzzing.
const MOMENT: Duration = Duration::from_secs(2);
/// Once fuzzing has found a violation, it is worth this part of a moment to look for one with fewer processes and steps.
const TO_SHORTEN: u32 = 4;

pub(crate) fn run(args: &HuntArgs) -> Exit {
    let started = Instant::now();
    let job = |output: &Output, report: &mut Report| hunt(args, output, report, started);
    super::reported("motet", &args.file, &args.output, job, statistics)
}

/// The last engine that has run counts.
fn statistics(report: &Report) -> String {
    let known = |name: &str| report.stats.counts.contains_key(name);
    if known("nodes") {
        prove::statistics(report)
    } else if known("seed") {
        fuzz::statistics(report)
    } else {
        explore::statistics(report)
    }
}

fn hunt(args: &HuntArgs, output: &Output, report: &mut Report, started: Instant) -> Exit {
    let Some((model, _)) = check::load(args.file(), output, report) else { return Exit::BadInput };
    if model.is_weak() {
        return explore::unknown(output, report, "weak memory cannot be explored yet; `motet explore --memory sc` explores the model as if it were not weak".into());
    }
    let limits = explore::limits(&args.limits);
    let moment = limits.time.map_or(MOMENT, |most| most.min(MOMENT));
    let options = fuzz_options(&limits, moment / 2);
    let line = fuzz::watch(&options.fuzz.progress, output);
    let fuzzing = model::fuzzing::fuzz(&model, &options);
    drop(line);
    let is_buggy = fuzzing.is_violated();
    let rest = if is_buggy { moment / TO_SHORTEN } else { moment.saturating_sub(started.elapsed()) };
    let (found, done) = explore_growing(&model, &limits, output, rest);
    let (processes, exploration) = match found {
        Some((processes, exploration)) if is_violated(&exploration) => {
            report.processes = Some(processes);
            explore::fill(report, &model, &exploration, &[]);
            let exit = explore::tell(output, report, &model, &exploration, processes);
            return drawn(args, &exploration, output, report).unwrap_or(exit);
        }
        _ if is_buggy => {
            let exit = fuzz::tell(&model, &fuzzing, &options, output, report);
            return drawn(args, &fuzzing.exploration, output, report).unwrap_or(exit);
        }
        None => return tell_all(output, report, done.unwrap_or(0)),
        Some(unfinished) => unfinished,
    };
    let time = limits.time.map(|most| most.saturating_sub(started.elapsed()));
    let options = ::prove::Options {
        limits: Limits { time, ..limits },
        threads: crate::flags::cores(),
        ..::prove::Options::default()
    };
    let outcome = prove::by_turns(&model, options, output, report).outcome;
    match outcome.verdict {
        ::prove::Verdict::Holds(proof) => {
            prove::tell_proof(&model, &proof, output, report);
            if let Some(most) = done {
                output.remark(&format!("remark: no deadlock with up to {}", count(most, "process")));
            }
            Exit::Holds
        }
        ::prove::Verdict::Violated(violation) => {
            let exploration = prove::violated(&model, violation, output, report);
            drawn(args, &exploration, output, report).unwrap_or(Exit::Violated)
        }
        ::prove::Verdict::Unknown(reason) => {
            let so_far = so_far(&model, &exploration, processes, done);
            let proof = prove::words(&reason, args.limits.limit_states);
            explore::unknown(output, report, format!("{so_far}; no proof: {proof}"))
        }
    }
}

fn is_violated(exploration: &Exploration) -> bool {
    exploration.findings.iter().any(|finding| finding.violation)
}

/// Draws what was found. An exit if that is not possible.
fn drawn(args: &HuntArgs, exploration: &Exploration, output: &Output, report: &mut Report) -> Option<Exit> {
    let drawn = explore::draw_trace(&args.diagram, exploration, report, output);
    explore::told(output, report, [drawn])
}

/// An instance that was not explored to the end or violates a property, and the largest that was and does not.
type Hunted = (Option<(u32, Exploration)>, Option<u32>);

/// As many processes as it takes, and the same run each time.
fn fuzz_options(limits: &Limits, time: Duration) -> model::fuzzing::Options {
    let fuzz = ::fuzz::Options {
        stop_at_first: true,
        workers: crate::flags::cores(),
        limits: Limits { time: Some(time), ..limits.clone() },
        ..::fuzz::Options::default()
    };
    model::fuzzing::Options { fuzz, ..model::fuzzing::Options::new(None) }
}

/// Explores more and more processes, as long as time allows.
fn explore_growing(model: &Model, limits: &Limits, output: &Output, time: Duration) -> Hunted {
    let started = Instant::now();
    let mut done = None;
    for processes in model.min_processes()..=model.max_processes.unwrap_or(u32::MAX) {
        let left = time.saturating_sub(started.elapsed());
        let limits = Limits { time: Some(left), ..limits.clone() };
        let options = Options { limits, workers: crate::flags::cores(), ..Options::new(processes) };
        let line = ProgressLine::show(&options.progress, output);
        let exploration = model::exploration::explore(model, &options);
        drop(line);
        if exploration.incomplete.is_some() || is_violated(&exploration) {
            return (Some((processes, exploration)), done);
        }
        done = Some(processes);
    }
    (None, done)
}

fn tell_all(output: &Output, report: &mut Report, most: u32) -> Exit {
    report.verdict = Some(Verdict::Holds);
    report.processes = Some(most);
    output.result(&format!(
        "holds for up to {}, which is all that `number_procs` allows",
        count(most, "process")
    ));
    Exit::Holds
}

/// How far the hunt got.
fn so_far(model: &Model, exploration: &Exploration, processes: u32, done: Option<u32>) -> String {
    let reason = match &exploration.incomplete {
        Some(Incomplete::Limit(_)) | None => "larger instances were not explored to the end".to_owned(),
        Some(incomplete) => {
            format!("with {}, {}", count(processes, "process"), explore::reason(model, incomplete))
        }
    };
    let so_far =
        done.map_or(String::new(), |most| format!("no violation with up to {}; ", count(most, "process")));
    format!("{so_far}{reason}")
}
