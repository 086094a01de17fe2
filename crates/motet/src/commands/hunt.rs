//! `motet FILE…`: looks for bugs for a moment, by fuzzing and then by exploring more and more processes, and tries to prove
//! that there are none.

use super::{Job, fuzz, prove};
use crate::{
    Exit,
    flags::{
        DeadlockFlag, DiagramFlag, LimitFlags, ModelFlags, OutputFlags, SeedFlag, TraceFlag, WorkerFlag,
        Written,
    },
    load::{self, Loaded},
    output::{Output, count},
    progress_line::ProgressLine,
    report::{Figures, Report, Verdict},
    telling, trace_file,
};
use ::explore::DeadlockPolicy;
use ::explore::{Limit, Limits};
use clap::Args;
use instance::exploration::{Exploration, Incomplete};
use ir::SymbolId;
use portfolio::{Growing, Grown, grow};
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

#[derive(Debug, Args)]
pub(crate) struct HuntArgs {
    /// Models
    #[arg(required = true, value_name = "FILE")]
    files: Vec<String>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    deadlock: DeadlockFlag,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    seed: SeedFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    trace: TraceFlag,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    pub(crate) output: OutputFlags,
}

impl HuntArgs {
    /// The first file, which may be a misspelt command.
    pub(crate) fn first(&self) -> &str {
        self.files.first().map_or("", String::as_str)
    }
}

/// How long a model is worked on unless told otherwise.
const BUDGET: Duration = Duration::from_secs(60);
/// How long bugs are hunted before a proof is tried; half of it is for fuzzing.
const MOMENT: Duration = Duration::from_secs(2);
/// Once fuzzing has found a violation, it is worth this part of a moment to look for one with fewer processes and steps.
const TO_SHORTEN: u32 = 4;

pub(crate) fn run(args: &HuntArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram);
    let job = Job { command: "motet", files: &args.files, flags: &args.output, written };
    job.run(|file, output, report| answer(args, file, output, report), statistics)
}

/// Figures of the engine that gave the answer.
fn statistics(report: &Report) -> String {
    match &report.stats.figures {
        Figures::Exploration(figures) => telling::statistics(figures, report.stats.seconds),
        Figures::Fuzzing(figures) => fuzz::figures_in_words(figures, report.stats.seconds),
        Figures::Proof(figures) => prove::figures_in_words(figures, report.stats.seconds),
        _ => format!("\n{:.2} s", report.stats.seconds),
    }
}

fn answer(args: &HuntArgs, file: &str, output: &Output, report: &mut Report) -> Exit {
    let Some(loaded) = load::load_to_run(file, &args.model, output, report) else {
        return Exit::BadInput;
    };
    if let Some(reason) = load::refusal(&loaded.model) {
        return telling::unknown(output, report, reason);
    }
    let ranges = match args.model.range.of_model(&loaded.model) {
        Ok(ranges) => ranges,
        Err(message) => return telling::refused(output, report, message),
    };
    let limits = args.limits.limits();
    let limits = Limits { time: Some(limits.time.unwrap_or(BUDGET)), ..limits };
    let hunt = Hunt { args, loaded: &loaded, ranges, limits, begun: Instant::now(), output };
    let exit = hunt.run(report);
    if hunt.is_out_of_time(exit) {
        let spent = hunt.limits.time.unwrap_or(BUDGET).as_secs_f64();
        output.remark(&format!("remark: the budget is {spent} s; `--limit-time SECONDS` sets another"));
    }
    exit
}

/// One model, and what may be spent on it.
struct Hunt<'a> {
    args: &'a HuntArgs,
    loaded: &'a Loaded,
    ranges: Vec<(SymbolId, i64, i64)>,
    limits: Limits,
    begun: Instant,
    output: &'a Output,
}

impl Hunt<'_> {
    fn run(&self, report: &mut Report) -> Exit {
        let moment = self.limits.time.map_or(MOMENT, |most| most.min(MOMENT));
        let options = self.fuzz_options(moment / 2);
        let line = fuzz::watch(&options.fuzz.progress, self.output);
        let fuzzing = instance::fuzzing::fuzz(&self.loaded.model, &options);
        drop(line);
        let buggy = fuzzing.is_violated();
        let rest = if buggy { moment / TO_SHORTEN } else { moment.saturating_sub(self.begun.elapsed()) };
        let grown = self.grow(rest);
        match grown.violation {
            Some(exploration) => self.explored(&exploration, report),
            None if buggy => {
                let exit = fuzz::tell(self.loaded, &fuzzing, &options, self.output, report);
                self.written(&fuzzing.exploration, exit, report)
            }
            None if grown.unfinished.is_none() && self.is_all(&grown) => self.all(&grown, report),
            None => self.prove(&grown, report),
        }
    }

    fn policy(&self) -> DeadlockPolicy {
        self.args.deadlock.policy()
    }

    /// Several numbers of processes, and the same run each time unless another seed is given.
    fn fuzz_options(&self, time: Duration) -> instance::fuzzing::Options {
        let fuzz = ::fuzz::Options {
            seed: self.args.seed.seed.unwrap_or_default(),
            stop_at_first: true,
            workers: self.args.workers.count(),
            limits: Limits { time: Some(time), ..self.limits.clone() },
            ..::fuzz::Options::default()
        };
        let options = instance::fuzzing::Options::new(None);
        instance::fuzzing::Options { fuzz, deadlock: self.policy(), ranges: self.ranges.clone(), ..options }
    }

    /// Explores more and more processes, as long as time allows.
    fn grow(&self, time: Duration) -> Grown {
        let growing = Growing {
            deadlock: self.policy(),
            ranges: self.ranges.clone(),
            limits: Limits { time: Some(time), ..self.limits.clone() },
            most_starts: None,
            most_processes: u32::MAX,
            workers: self.args.workers.count(),
            progress: Arc::default(),
        };
        let _line = ProgressLine::show(&growing.progress, self.output);
        grow(&self.loaded.model, &growing)
    }

    fn is_all(&self, grown: &Grown) -> bool {
        self.loaded.model.max_processes.is_some_and(|most| grown.exhausted == Some(most))
    }

    /// A violation of a small instance.
    fn explored(&self, exploration: &Exploration, report: &mut Report) -> Exit {
        report.stats.figures = Figures::Exploration(telling::figures(exploration));
        telling::fill(report, self.loaded, exploration, self.policy());
        let exit = telling::tell(self.output, report, self.loaded, exploration, "");
        self.written(exploration, exit, report)
    }

    /// Every number of processes that the model allows was explored.
    fn all(&self, grown: &Grown, report: &mut Report) -> Exit {
        let most = grown.exhausted.unwrap_or(0);
        report.processes = Some(most);
        prove::judge_all(report, self.loaded, Verdict::Holds);
        let scope = format!("up to {}, which is all that `number_procs` allows", count(most, "process"));
        let exit = prove::tell_holds(self.output, report, self.loaded, &scope, grown.inhabited);
        self.tell_deadlocks(grown, report);
        exit
    }

    /// A proof for every number of processes, as time allows.
    fn prove(&self, grown: &Grown, report: &mut Report) -> Exit {
        let time = self.limits.time.map(|most| most.saturating_sub(self.begun.elapsed()));
        let options = ::prove::Options {
            limits: Limits { time, ..self.limits.clone() },
            threads: self.args.workers.count(),
            ..::prove::Options::default()
        };
        let outcome = prove::by_turns(&self.loaded.model, options, None, self.output, report).outcome;
        match outcome.verdict {
            ::prove::Verdict::Holds(proof) => {
                let exit = prove::tell_proof(self.loaded, &proof, grown.inhabited, self.output, report);
                self.tell_deadlocks(grown, report);
                exit
            }
            ::prove::Verdict::Violated(violation) => {
                match prove::violated(self.loaded, violation, self.output, report) {
                    Ok(exploration) => self.written(&exploration, Exit::Violated, report),
                    Err(exit) => exit,
                }
            }
            ::prove::Verdict::Unknown(reason) => {
                let proof = prove::words(&reason, self.args.limits.limit_states);
                let exit = telling::unknown(
                    self.output,
                    report,
                    format!("{}; no proof: {proof}", self.so_far(grown)),
                );
                prove::judge_all(report, self.loaded, Verdict::Unknown);
                if grown.inhabited == Some(false) {
                    self.output.warn(report, "vacuous", telling::NO_STATE.into());
                }
                self.tell_deadlocks(grown, report);
                exit
            }
        }
    }

    /// What is known about deadlocks when nothing is violated.
    fn tell_deadlocks(&self, grown: &Grown, report: &mut Report) {
        prove::tell_deadlocks(self.loaded, grown, self.policy(), self.output, report);
    }

    fn written(&self, exploration: &Exploration, exit: Exit, report: &mut Report) -> Exit {
        let files = [
            trace_file::write_first(&self.args.trace, report, self.output),
            telling::draw_trace(&self.args.diagram, self.loaded, exploration, self.output),
        ];
        telling::told(self.output, report, files).unwrap_or(exit)
    }

    /// How far bounded exploration got.
    fn so_far(&self, grown: &Grown) -> String {
        let reason = match &grown.unfinished {
            Some((processes, Exploration { incomplete: Some(incomplete), .. }))
                if !matches!(incomplete, Incomplete::Limit(_)) =>
            {
                format!(
                    "with {}, {}",
                    count(*processes, "process"),
                    telling::reason(&self.loaded.model, incomplete)
                )
            }
            _ => "larger instances were not explored to the end".to_owned(),
        };
        let so_far =
            grown.exhausted.map(|most| format!("no violation with up to {}; ", count(most, "process")));
        format!("{}{reason}", so_far.unwrap_or_default())
    }

    fn is_out_of_time(&self, exit: Exit) -> bool {
        exit == Exit::Unknown
            && self.args.limits.limit_time.is_none()
            && self.limits.ended_since(self.begun) == Some(Limit::Time)
    }
}
