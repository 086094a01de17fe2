//! `motet FILE`: looks for bugs for a moment, with more and more processes, then tries to prove that there are none.

use super::{check, explore, prove};
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

/// How long the hunt may take.
const MOMENT: Duration = Duration::from_secs(2);

pub(crate) fn run(args: &HuntArgs) -> Exit {
    let started = Instant::now();
    let job = |output: &Output, report: &mut Report| hunt(args, output, report, started);
    super::reported("motet", &args.file, &args.output, job, statistics)
}

/// The last engine that has run counts.
fn statistics(report: &Report) -> String {
    let proved = report.stats.counts.contains_key("nodes");
    if proved { prove::statistics(report) } else { explore::statistics(report) }
}

fn hunt(args: &HuntArgs, output: &Output, report: &mut Report, started: Instant) -> Exit {
    let Some((model, _)) = check::load(args.file(), output, report) else { return Exit::BadInput };
    if model.is_weak() {
        return explore::unknown(output, report, "weak memory cannot be explored yet; `motet explore --memory sc` explores the model as if it were not weak".into());
    }
    let limits = explore::limits(&args.limits);
    let (found, done) = explore_growing(&model, &limits, output, started);
    let Some((processes, exploration)) = found else {
        return tell_all(output, report, done.unwrap_or(0));
    };
    if exploration.findings.iter().any(|finding| finding.violation) {
        report.processes = Some(processes);
        explore::fill(report, &model, &exploration, &[]);
        let exit = explore::tell(output, report, &model, &exploration, processes);
        let drawn = explore::draw_trace(&args.diagram, &exploration, report, output);
        return explore::told(output, report, [drawn]).unwrap_or(exit);
    }
    let time = limits.time.map(|most| most.saturating_sub(started.elapsed()));
    let options = ::prove::Options {
        limits: Limits { time, ..limits },
        threads: explore::cores(),
        ..::prove::Options::default()
    };
    let outcome = prove::attempt(&model, options, output);
    prove::fill(report, &outcome.statistics);
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
            let drawn = explore::draw_trace(&args.diagram, &exploration, report, output);
            explore::told(output, report, [drawn]).unwrap_or(Exit::Violated)
        }
        ::prove::Verdict::Unknown(reason) => {
            let so_far = so_far(&model, &exploration, processes, done);
            let proof = prove::words(&reason, args.limits.limit_states);
            explore::unknown(output, report, format!("{so_far}; no proof: {proof}"))
        }
    }
}

/// An instance that was not explored to the end or violates a property, and the largest that was and does not.
type Hunted = (Option<(u32, Exploration)>, Option<u32>);

/// Explores more and more processes, for a moment.
fn explore_growing(model: &Model, limits: &Limits, output: &Output, started: Instant) -> Hunted {
    let moment = limits.time.map_or(MOMENT, |most| most.min(MOMENT));
    let mut done = None;
    for processes in model.min_processes()..=model.max_processes.unwrap_or(u32::MAX) {
        let left = moment.saturating_sub(started.elapsed());
        let limits = Limits { time: Some(left), ..limits.clone() };
        let options = Options { limits, workers: explore::cores(), ..Options::new(processes) };
        let line = ProgressLine::show(&options.progress, output);
        let exploration = model::exploration::explore(model, &options);
        drop(line);
        if exploration.incomplete.is_some() || exploration.findings.iter().any(|finding| finding.violation) {
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
