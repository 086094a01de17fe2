//! `motet prove FILE`: safety for every number of processes.

mod by_events;
mod by_views;
mod explain;
mod flags;
mod small;

pub(crate) use flags::ProveArgs;

use super::{Answered, Job};
use crate::{
    Exit,
    engine_progress::{self, Lines},
    flags::Written,
    load::{self, Loaded},
    output::Output,
    pictures::{GraphDetail, draw_proof},
    report::{Figures, Report, Verdict},
    telling, trace_file,
};
use ::explore::{DeadlockPolicy, Limits};
use ::prove::{Outcome, Proof, Violation};
use certify::{About, events::Certificate};
use clap::{ValueEnum, builder::PossibleValue};
use flags::Method;
use instance::{Obstacle, exploration::Exploration};
use ir::{Model, SymbolId};
use portfolio::{
    Claim, ProofOptions, Share, Slotted, SmallInstances, Work, deadlocks, is_inhabited, with_enough_slots,
};
use std::{borrow::Cow, path::Path, sync::Arc, time::Instant};

const COMMAND: &str = "prove";

pub(crate) fn run(args: &ProveArgs) -> Exit {
    let written = Written::default().trace(&args.trace).diagram(&args.diagram).graph(&args.graph);
    let job = Job { command: COMMAND, files: &args.files, flags: &args.output, written };
    job.run(|file, output, report| prove(args, file, output, report), statistics)
}

fn statistics(figures: &Figures, seconds: f64) -> String {
    match figures {
        Figures::Proof(figures) => telling::proof::statistics(figures, seconds),
        Figures::Exploration(figures) => telling::statistics(figures, seconds),
        _ => String::new(),
    }
}

fn prove(args: &ProveArgs, file: &str, output: &Output, report: &mut Report) -> Answered {
    let begun = Instant::now();
    if let Some(message) = args.refusal() {
        return telling::refused(output, report, message).into();
    }
    let Some(loaded) = load::load_to_run(COMMAND, file, &args.model, output, report) else {
        return Exit::BadInput.into();
    };
    let ranges = match args.model.range.of_model(&loaded.model) {
        Ok(ranges) => ranges,
        Err(message) => return telling::refused(output, report, message).into(),
    };
    let proving = Proving { args, loaded: &loaded, ranges, begun };
    if args.method == Method::Views {
        return by_views::prove(args, &proving, output, report);
    }
    if args.method == Method::Events {
        return by_events::prove(args, &proving, output, report);
    }
    let Attempt { model, outcome, undecided, events, figures } = match proving.attempt(output) {
        Ok(attempt) => attempt,
        Err(reason) => return proving.unknown(reason, output, report).into(),
    };
    if let Some(certificate) = events {
        return proving.holds_by_events(&certificate, figures, output, report);
    }
    let graph = draw_graph(args, file, &model, &outcome);
    let answered = match outcome.verdict {
        ::prove::Verdict::Holds(ref proof) => proving.holds(&model, proof, figures, output, report),
        ::prove::Verdict::Unknown(ref reason) => {
            let reason = telling::proof::reason(reason, args.limits.limit_states);
            let exit = proving.unknown(reason, output, report);
            if args.explain {
                explain::tell(args, &model, &outcome, output);
                if let Some(views) = undecided {
                    let loaded = loaded.about(model);
                    by_views::explain_too(args, &loaded, &views, output, outcome.statistics.time);
                }
            }
            Answered { exit, figures }
        }
        ::prove::Verdict::Violated(violation) => {
            Answered { exit: proving.violated(violation, output, report), figures }
        }
    };
    let exit = telling::told(output, report, [graph]).unwrap_or(answered.exit);
    Answered { exit, ..answered }
}

/// What a proof leaves open.
const NO_DEADLOCKS: &str =
    "a proof says nothing about deadlocks; `--deadlock error` looks for them in small instances";

/// One model, and how it is proved.
struct Proving<'a> {
    args: &'a ProveArgs,
    loaded: &'a Loaded,
    ranges: Vec<(SymbolId, i64, i64)>,
    begun: Instant,
}

/// What came of a proof.
struct Attempt {
    /// The model that the proof is about: the one that was loaded, or with store buffers.
    model: Model,
    outcome: Outcome,
    /// The result of views, if nothing decided.
    undecided: Option<::views::Outcome>,
    /// The certificate of a proof by memory events.
    events: Option<Certificate>,
    figures: Figures,
}

impl Proving<'_> {
    /// Runs the portfolio, or the backward search alone. An error says why the model cannot be proved at all.
    fn attempt(&self, output: &Output) -> Result<Attempt, String> {
        let (model, backward) = (&self.loaded.model, self.args.options());
        if !self.args.is_portfolio() {
            let Slotted { model, outcome } = self.with_slots(|model, limits| {
                let progress = Arc::default();
                let _line = engine_progress::of_backward(&progress, output);
                let options = ::prove::Options { progress: Some(progress), limits, ..backward.clone() };
                ::prove::prove(model, &options)
            })?;
            let figures = Figures::Proof(telling::proof::figures(&outcome.statistics));
            return Ok(Attempt { model, outcome, undecided: None, events: None, figures });
        }
        let small = Some(self.small_instances());
        let options = ProofOptions { backward, small, ranges: self.ranges.clone() };
        let outcome = portfolio::prove(model, &options, &mut Lines::new(output));
        let figures = Figures::Proof(telling::proof::figures_of_portfolio(&outcome));
        let model = outcome.lowered.clone().unwrap_or_else(|| model.clone());
        let portfolio::Outcome { proof, undecided, events, .. } = outcome;
        Ok(Attempt { model, outcome: proof, undecided, events, figures })
    }

    /// Makes an attempt, with slots for buffered stores if the model is weak.
    fn with_slots<O: Claim>(
        &self,
        mut attempt: impl FnMut(&Model, Limits) -> O,
    ) -> Result<Slotted<O>, String> {
        let (model, limits) = (&self.loaded.model, self.args.limits.limits());
        if !model.is_weak() {
            let outcome = attempt(model, limits);
            return Ok(Slotted { model: model.clone(), outcome });
        }
        with_enough_slots(model, &limits, attempt)
            .map_err(|unsupported| Obstacle::Buffers(unsupported).explain(model))
    }

    fn small_instances(&self) -> SmallInstances {
        SmallInstances::bounded(&self.loaded.model, self.ranges.clone())
    }

    /// The share of small instances that are explored after a proof, in the remaining time.
    fn share(&self) -> Share {
        let limits = self.args.limits.limits().remaining_since(self.begun);
        let threads = self.args.workers.count().into();
        Share { work: Work::Bounded, limits, threads }
    }

    /// Reports the proof with its figures, writes the certificate, and looks for deadlocks if asked to.
    fn holds(
        &self,
        model: &Model,
        proof: &Proof,
        figures: Figures,
        output: &Output,
        report: &mut Report,
    ) -> Answered {
        let is_asked = self.args.deadlock.deadlock.is_some() || !self.loaded.model.finals.is_empty();
        let deadlock = if is_asked { self.args.deadlock.policy() } else { DeadlockPolicy::Ignore };
        let small = deadlocks(&self.loaded.model, deadlock, self.small_instances(), &self.share());
        if let Some(exploration) = &small.violation {
            return self.stuck(exploration, deadlock, output, report);
        }
        let exit = telling::proof::tell_proof(self.loaded, model, proof, small.inhabited, output, report);
        match deadlock {
            DeadlockPolicy::Ignore => output.note(report, "deadlocks-not-judged", NO_DEADLOCKS.into()),
            deadlock => telling::proof::tell_deadlocks(self.loaded, &small, deadlock, output, report),
        }
        let written = self.certificate(model, proof, report);
        Answered { exit: telling::told(output, report, [written]).unwrap_or(exit), figures }
    }

    /// Reports why there is no verdict, and warns if there is no initial state.
    fn unknown(&self, reason: String, output: &Output, report: &mut Report) -> Exit {
        telling::proof::judge_all(report, self.loaded, Verdict::Unknown);
        let exit = telling::unknown(output, report, reason);
        if is_inhabited(&self.loaded.model, &self.share().limits) == Some(false) {
            output.warn(report, "vacuous", telling::NO_STATE.into());
        }
        exit
    }

    /// Reports a deadlock of a small instance of a safe model.
    fn stuck(
        &self,
        exploration: &Exploration,
        deadlock: DeadlockPolicy,
        output: &Output,
        report: &mut Report,
    ) -> Answered {
        telling::fill(report, self.loaded, exploration, deadlock);
        let exit = telling::tell(output, report, self.loaded, exploration, "");
        let exit = self.written(exploration, exit, output, report);
        Answered { exit, figures: Figures::Exploration(telling::figures(exploration)) }
    }

    /// Reports a violation with its run, as `explore` does.
    fn violated(&self, violation: Violation, output: &Output, report: &mut Report) -> Exit {
        match telling::proof::violated(self.loaded, violation, output, report) {
            Ok(exploration) => self.written(&exploration, Exit::Violated, output, report),
            Err(exit) => exit,
        }
    }

    fn written(&self, exploration: &Exploration, exit: Exit, output: &Output, report: &mut Report) -> Exit {
        let files = [
            trace_file::write_first(&self.args.trace, self.loaded, exploration, output),
            telling::draw_trace(&self.args.diagram, self.loaded, exploration, output),
        ];
        telling::told(output, report, files).unwrap_or(exit)
    }

    fn certificate(&self, model: &Model, proof: &Proof, report: &mut Report) -> Result<(), String> {
        let Some(folder) = &self.args.certificate else { return Ok(()) };
        let memory = self.args.model.memory.memory.and_then(|memory| memory.to_possible_value());
        let memory = memory.as_ref().map(PossibleValue::get_name);
        let source = &self.loaded.source;
        let about = About { file: source.name(), text: source.text(), memory };
        write_certificate(model, proof, about, folder)?;
        report.certificate = Some(folder.display().to_string());
        Ok(())
    }
}

/// Draws the search, with `--graph`.
fn draw_graph(args: &ProveArgs, file: &str, model: &Model, outcome: &Outcome) -> Result<(), String> {
    match (&args.graph.graph, &outcome.history) {
        (Some(picture), Some(history)) => {
            let model = match &outcome.verdict {
                ::prove::Verdict::Holds(proof) => proof.model(model),
                _ => Cow::Borrowed(model),
            };
            let detail = args.graph_detail.unwrap_or(GraphDetail::Invariant);
            draw_proof(picture, &model, history, detail, file)
        }
        (Some(_), None) => Err("there is no graph: the answer was found without a search".into()),
        (None, _) => Ok(()),
    }
}

fn write_certificate(model: &Model, proof: &Proof, about: About<'_>, folder: &Path) -> Result<(), String> {
    certify::write(model, &proof.certificate, about, folder)
        .map_err(|error| format!("cannot write the certificate into `{}`: {error}", folder.display()))
}
