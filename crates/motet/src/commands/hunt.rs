//! `motet FILE`: looks for bugs for a moment, with more and more processes.

use super::{check, explore};
use crate::{
    Exit,
    flags::{DiagramFlag, OutputFlags},
    output::{Output, count},
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
    let output = Output::new(args.output.clone());
    let mut report = Report::new("motet", &args.file);
    let exit = hunt(args, &output, &mut report, started);
    report.took(started.elapsed());
    if exit != Exit::BadInput {
        output.result(&explore::statistics(&report));
    }
    output.document(&report);
    exit
}

fn hunt(args: &HuntArgs, output: &Output, report: &mut Report, started: Instant) -> Exit {
    let Some((model, _)) = check::load(args.file(), output, report) else { return Exit::BadInput };
    if model.is_weak() {
        return explore::unknown(output, report, "weak memory cannot be explored yet; `motet explore --memory sc` explores the model as if it were not weak".into());
    }
    let interrupted = explore::interrupt();
    let mut done = None;
    for processes in model.min_processes()..=model.max_processes.unwrap_or(u32::MAX) {
        let left = MOMENT.saturating_sub(started.elapsed());
        let limits = Limits { time: Some(left), cancel: Some(interrupted.clone()), ..Limits::default() };
        let options = Options { limits, workers: explore::cores(), ..Options::new(processes) };
        let exploration = model::exploration::explore(&model, &options);
        if exploration.incomplete.is_some() {
            let exit = conclude(output, report, &model, &exploration, processes, done);
            let drawn = explore::draw_trace(&args.diagram, &exploration, report, output);
            return explore::told(output, report, [drawn]).unwrap_or(exit);
        }
        done = Some(processes);
    }
    let most = done.unwrap_or(0);
    report.verdict = Some(Verdict::Holds);
    report.processes = done;
    output.result(&format!(
        "holds for up to {}, which is all that `number_procs` allows",
        count(most, "process")
    ));
    Exit::Holds
}

/// A violation, or how far the hunt got.
fn conclude(
    output: &Output,
    report: &mut Report,
    model: &Model,
    exploration: &Exploration,
    processes: u32,
    done: Option<u32>,
) -> Exit {
    report.processes = Some(processes);
    explore::fill(report, model, exploration, &[]);
    if exploration.findings.iter().any(|finding| finding.violation) {
        return explore::tell(output, report, model, exploration, processes);
    }
    let reason = match &exploration.incomplete {
        Some(Incomplete::Limit(_)) | None => "larger instances were not explored to the end".to_owned(),
        Some(incomplete) => {
            format!("with {}, {}", count(processes, "process"), explore::reason(model, incomplete))
        }
    };
    let so_far =
        done.map_or(String::new(), |most| format!("no violation with up to {}; ", count(most, "process")));
    explore::unknown(output, report, format!("{so_far}{reason}"))
}
