//! `motet FILE…`: looks for violations for two seconds, then tries to prove that there are none.

use super::{Answered, Job};
use crate::{
    Exit,
    engine_progress::{Lines, of_testing},
    flags::{
        Deadlock, DeadlockFlag, DiagramFlag, LimitFlags, ModelFlags, OutputFlags, QueueOrder, SeedFlag,
        TraceFlag, WorkerFlag, Written,
    },
    load::{self, Loaded},
    output::{Output, count},
    report::{Figures, Report, Verdict},
    telling::{self, fuzzing, program as shown, proof},
    trace_file,
};
use ::explore::DeadlockPolicy;
use ::explore::{FindingKind, Limit, Limits};
use clap::Args;
use instance::exploration::{Exploration, Incomplete};
use portfolio::{BUDGET, Fuzzed, Hunt, Hunted, InstancesOutcome, Outcome};
use program::{Recipe, Search};
use std::time::{Duration, Instant};

#[derive(Debug, Args)]
pub(crate) struct HuntArgs {
    /// Models (.cub), programs (.c, .cc, .cpp, …) or protocols (.dcj)
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<String>,
    #[command(flatten)]
    model: ModelFlags,
    #[command(flatten)]
    deadlock: DeadlockFlag,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    seed: SeedFlag,
    #[command(flatten)]
    pub(crate) limits: LimitFlags,
    #[command(flatten)]
    pub(crate) trace: TraceFlag,
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

const COMMAND: &str = "motet";

pub(crate) fn run(args: &HuntArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram);
    let job = Job { command: COMMAND, files: &args.files, flags: &args.output, written };
    job.run(|file, output, report| answer(args, file, output, report), statistics)
}

/// Figures of the engine that gave the answer.
fn statistics(figures: &Figures, seconds: f64) -> String {
    match figures {
        Figures::Exploration(figures) => telling::statistics(figures, seconds),
        Figures::Fuzzing(figures) => fuzzing::statistics(figures, seconds),
        Figures::Proof(figures) => proof::statistics(figures, seconds),
        Figures::Testing(figures) => shown::statistics(figures, seconds),
        _ => format!("\n{seconds:.2} s"),
    }
}

fn answer(args: &HuntArgs, file: &str, output: &Output, report: &mut Report) -> Answered {
    if Recipe::is_for(file) {
        return test(args, file, output, report);
    }
    let Some(loaded) = load::load_to_run(COMMAND, file, &args.model, output, report) else {
        return Exit::BadInput.into();
    };
    let ranges = match args.model.range.of_model(&loaded.model) {
        Ok(ranges) => ranges,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let limits = args.limits.limits();
    let time = limits.time.unwrap_or(BUDGET);
    let hunt = Hunt {
        deadlock: args.deadlock.policy(),
        ranges,
        limits: Limits { time: Some(time), ..limits },
        seed: args.seed.seed.unwrap_or_default(),
        workers: args.workers.count(),
    };
    let begun = Instant::now();
    let hunted = portfolio::hunt(&loaded.model, &hunt, &mut Lines::new(output));
    let answered = Answer { args, loaded: &loaded, output }.tell(hunted, report);
    let is_out_of_time = hunt.limits.ended_since(begun) == Some(Limit::Time);
    if answered.exit == Exit::Unknown && args.limits.limit_time.is_none() && is_out_of_time {
        let seconds = time.as_secs_f64();
        output.remark(&format!("remark: the budget is {seconds} s; `--limit-time SECONDS` sets another"));
    }
    answered
}

/// The time for a program: first all schedules in order, then some that are drawn.
const IN_ORDER: Duration = Duration::from_secs(2);
const DRAWN: Duration = Duration::from_secs(8);
/// The number of orderings that most bugs need at most.
const DEPTH: usize = 3;

/// Tests a program for a moment.
fn test(args: &HuntArgs, file: &str, output: &Output, report: &mut Report) -> Answered {
    warn_about_models(args, output, report);
    let folder = match std::env::current_dir() {
        Ok(folder) => folder,
        Err(error) => {
            return telling::refused(output, report, format!("there is no current folder: {error}")).into();
        }
    };
    let recipe = Recipe { files: vec![file.to_owned()], folder, ..Recipe::default() };
    let Some(program) = shown::make(recipe, output, report) else { return Exit::BadInput.into() };
    let half = args.limits.limit_time.map(|time| time / 2);
    let ignore = matches!(args.deadlock.deadlock, Some(Deadlock::Ignore)).then_some(FindingKind::Deadlock);
    let options = |search, time: Duration| program::Options {
        search,
        seed: args.seed.seed.unwrap_or_default(),
        limits: Limits { time: Some(half.unwrap_or(time)), ..args.limits.limits() },
        ignore: ignore.into_iter().collect(),
        threads: args.workers.count(),
        ..program::Options::default()
    };
    let mut asked = options(Search::Dpor, IN_ORDER);
    let mut tested = of_testing(output, |heard| program::test(&program, &asked, heard));
    // Where there are too many schedules to run them all, those that are drawn are further apart.
    let is_out_of_time =
        |testing: &program::Testing| testing.incomplete == Some(::explore::Incomplete::Limit(Limit::Time));
    if tested.as_ref().is_ok_and(|testing| testing.findings.is_empty() && is_out_of_time(testing)) {
        asked = options(Search::Pct(DEPTH), DRAWN);
        tested = of_testing(output, |heard| program::test(&program, &asked, heard));
    }
    let testing = match tested {
        Ok(testing) => testing,
        Err(message) => return telling::unknown(output, report, message).into(),
    };
    let exit = shown::tell(output, report, &program, &asked, &testing);
    let files = shown::write(&args.trace, &args.diagram, &program, &testing, report, output);
    let exit = telling::told(output, report, files).unwrap_or(exit);
    if exit == Exit::Unknown {
        output.remark("remark: `motet test` goes on for as long as it takes, and has more to choose from");
    }
    Answered { exit, figures: shown::figures(&testing.stats) }
}

/// Warns about flags that are for models alone.
fn warn_about_models(args: &HuntArgs, output: &Output, report: &mut Report) {
    let model = &args.model;
    let given = [
        ("--memory", model.memory.memory.is_some()),
        ("--queues", model.queue.queues != QueueOrder::Any),
        ("--range", !model.range.range.is_empty()),
        ("--limit-states", args.limits.limit_states.is_some()),
    ];
    for (flag, _) in given.iter().filter(|(_, given)| *given) {
        output.warn(report, "no-effect", format!("`{flag}` has no effect: it is for models"));
    }
}

/// Reports the answer about one model.
struct Answer<'a> {
    args: &'a HuntArgs,
    loaded: &'a Loaded,
    output: &'a Output,
}

impl Answer<'_> {
    fn tell(&self, hunted: Hunted, report: &mut Report) -> Answered {
        match hunted {
            Hunted::Explored(exploration) => self.explored(&exploration, report),
            Hunted::Fuzzed(fuzzed) => {
                let Fuzzed { fuzzing, options } = &*fuzzed;
                let exit = fuzzing::tell(self.loaded, fuzzing, options, self.output, report);
                let exit = self.written(&fuzzing.exploration, exit, report);
                Answered { exit, figures: Figures::Fuzzing(fuzzing::figures(fuzzing, options)) }
            }
            Hunted::Exhausted(small) => self.exhausted(&small, report).into(),
            Hunted::Proof(outcome, small) => self.proof(*outcome, &small, report),
        }
    }

    fn policy(&self) -> DeadlockPolicy {
        self.args.deadlock.policy()
    }

    /// Reports a violation of a small instance.
    fn explored(&self, exploration: &Exploration, report: &mut Report) -> Answered {
        telling::fill(report, self.loaded, exploration, self.policy());
        let exit = telling::tell(self.output, report, self.loaded, exploration, "");
        let exit = self.written(exploration, exit, report);
        Answered { exit, figures: Figures::Exploration(telling::figures(exploration)) }
    }

    /// Reports that every number of processes that the model allows was explored.
    fn exhausted(&self, small: &InstancesOutcome, report: &mut Report) -> Exit {
        let most = small.exhausted.unwrap_or(0);
        report.processes = Some(most);
        proof::judge_all(report, self.loaded, Verdict::Holds);
        let scope = format!("up to {}, which is all that `number_procs` allows", count(most, "process"));
        let exit = proof::tell_holds(self.output, report, self.loaded, &scope, small.inhabited);
        self.tell_deadlocks(small, report);
        exit
    }

    /// Reports a proof for every number of processes, a violation, or that there is no proof.
    fn proof(&self, outcome: Outcome, small: &InstancesOutcome, report: &mut Report) -> Answered {
        let figures = Figures::Proof(proof::figures_of_portfolio(&outcome));
        if let Some(certificate) = &outcome.events {
            let exit = proof::tell_events(self.loaded, certificate, small.inhabited, self.output, report);
            self.tell_deadlocks(small, report);
            return Answered { exit, figures };
        }
        let exit = match outcome.proof.verdict {
            ::prove::Verdict::Holds(proof) => {
                let model = outcome.lowered.as_ref().unwrap_or(&self.loaded.model);
                let exit =
                    proof::tell_proof(self.loaded, model, &proof, small.inhabited, self.output, report);
                self.tell_deadlocks(small, report);
                exit
            }
            ::prove::Verdict::Violated(violation) => {
                match proof::violated(self.loaded, violation, self.output, report) {
                    Ok(exploration) => self.written(&exploration, Exit::Violated, report),
                    Err(exit) => exit,
                }
            }
            ::prove::Verdict::Unknown(reason) => {
                let no_proof = proof::reason(&reason, self.args.limits.limit_states);
                let reason = format!("{}; no proof: {no_proof}", self.so_far(small));
                let exit = telling::unknown(self.output, report, reason);
                proof::judge_all(report, self.loaded, Verdict::Unknown);
                if small.inhabited == Some(false) {
                    self.output.warn(report, "vacuous", telling::NO_STATE.into());
                }
                self.tell_deadlocks(small, report);
                exit
            }
        };
        Answered { exit, figures }
    }

    /// Reports what is known about deadlocks if nothing is violated.
    fn tell_deadlocks(&self, small: &InstancesOutcome, report: &mut Report) {
        proof::tell_deadlocks(self.loaded, small, self.policy(), self.output, report);
    }

    fn written(&self, exploration: &Exploration, exit: Exit, report: &mut Report) -> Exit {
        let files = [
            trace_file::write_first(&self.args.trace, self.loaded, exploration, self.output),
            telling::draw_trace(&self.args.diagram, self.loaded, exploration, self.output),
        ];
        telling::told(self.output, report, files).unwrap_or(exit)
    }

    /// How far bounded exploration got.
    fn so_far(&self, small: &InstancesOutcome) -> String {
        let reason = match &small.unfinished {
            Some((processes, Exploration { incomplete: Some(incomplete), .. }))
                if !matches!(incomplete, Incomplete::Limit(_)) =>
            {
                let reason = telling::reason(&self.loaded.model, incomplete);
                format!("with {}, {reason}", count(*processes, "process"))
            }
            _ => "larger instances were not explored to the end".to_owned(),
        };
        let so_far =
            small.exhausted.map(|most| format!("no violation with up to {}; ", count(most, "process")));
        format!("{}{reason}", so_far.unwrap_or_default())
    }
}
