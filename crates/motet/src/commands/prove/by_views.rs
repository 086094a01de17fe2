//! `--method views`: forward, by views of a few processes.

use super::{
    ProveArgs, explore, holds, judge_all,
    small::{self, Known},
    violated, words,
};
use crate::{
    Exit,
    output::Output,
    progress_line::ProgressLine,
    report::{Report, Verdict},
};
use ::explore::Limits;
use ::views::{Gap, Outcome, Progress, ProofOptions, Reason, Rung, Statistics, Verdict as Answer};
use model::ir::Model;
use std::{
    sync::{Arc, atomic::Ordering},
    time::{Duration, Instant},
};

/// Proves by views, and tells what came out.
pub(super) fn prove(args: &ProveArgs, model: &Model, output: &Output, report: &mut Report) -> Exit {
    let outcome = attempt(args, model, output);
    fill(report, &outcome);
    let (exit, files) = match outcome.verdict {
        Answer::Holds(ref proof) => (Exit::Holds, vec![holds(args, model, proof, output, report)]),
        Answer::Violated(violation) => {
            let exploration = violated(model, violation, output, report);
            let trace = explore::write_trace(&args.trace, report);
            let diagram = explore::draw_trace(&args.diagram, &exploration, report, output);
            (Exit::Violated, vec![trace, diagram])
        }
        Answer::Unknown(ref reason) => {
            judge_all(report, model, Verdict::Unknown);
            let why = why(model, reason, &outcome.statistics, args.limits.limit_states);
            let exit = explore::unknown(output, report, why);
            if args.explain {
                explain(args, model, &outcome, output, outcome.statistics.time);
            }
            (exit, vec![])
        }
    };
    explore::told(output, report, files).unwrap_or(exit)
}

fn attempt(args: &ProveArgs, model: &Model, output: &Output) -> Outcome {
    let progress = Arc::new(Progress::default());
    let options = ProofOptions {
        size: args.view_size.map(usize::from),
        limits: explore::limits(&args.limits),
        brief: false,
        threads: args.workers.count().into(),
        progress: Some(progress.clone()),
    };
    let _line = ProgressLine::saying(output, move |_| line(&progress).unwrap_or_default());
    ::views::prove(model, &options)
}

/// How far a search is, once it has begun.
pub(super) fn line(progress: &Progress) -> Option<String> {
    let [views, size, waiting] =
        [&progress.views, &progress.size, &progress.waiting].map(|count| count.load(Ordering::Relaxed));
    (size > 0).then(|| format!("{views} views of {size} processes, {waiting} waiting"))
}

pub(super) fn fill(report: &mut Report, outcome: &Outcome) {
    super::fill(report, &outcome.certificate);
    report.count("views", outcome.statistics.views);
    report.count("view_size", outcome.statistics.size);
    report.count("view_bytes", outcome.statistics.memory);
    report.count("view_searches", outcome.searches);
    let rung = match outcome.rung {
        Rung::Near(rung) => rung,
        Rung::Living | Rung::Everything | Rung::Context(_) => outcome.searches,
    };
    report.count("view_rung", rung);
}

/// Why there is no answer, in words.
fn why(model: &Model, reason: &Reason, statistics: &Statistics, most_views: Option<u64>) -> String {
    match reason {
        Reason::NothingToProve => words(&::prove::Reason::NothingToProve, None),
        Reason::Unsupported(unsupported) => format!("views cannot follow {}", unsupported.what),
        Reason::Limit(::explore::Limit::States) => {
            let most =
                most_views.map_or(statistics.views, |most| usize::try_from(most).unwrap_or(usize::MAX));
            format!("the limit of {most} views was reached")
        }
        Reason::Limit(limit) => limit.to_string(),
        Reason::Coarse { property, rules } => coarse(model, *property, rules),
        Reason::NoCertificate(reason) => {
            format!("no view is bad, but there is no certificate: {}", words(reason, None))
        }
    }
}

fn coarse(model: &Model, property: usize, rules: &[model::ir::RuleId]) -> String {
    let names: Vec<&str> = rules.iter().map(|rule| model.rules[rule.index()].name.as_str()).collect();
    let path = if names.is_empty() { String::new() } else { format!(" by {}", names.join(", ")) };
    let property = &model.properties[property].name;
    format!(
        "views are too coarse: they lead to `{property}`{path}, but no run of a small instance goes there"
    )
}

/// Tells why views have not come to an answer, after others have not, either.
pub(super) fn explain_too(
    args: &ProveArgs,
    model: &Model,
    outcome: &Outcome,
    output: &Output,
    spent: Duration,
) {
    if let Answer::Unknown(reason) = &outcome.verdict {
        output.result(&format!("by views: {}", why(model, reason, &outcome.statistics, None)));
        explain(args, model, outcome, output, spent);
    }
}

/// Tells where views go wrong, and what to try.
fn explain(args: &ProveArgs, model: &Model, outcome: &Outcome, output: &Output, spent: Duration) {
    let begun = Instant::now();
    let Answer::Unknown(reason) = &outcome.verdict else { return };
    let size = outcome.statistics.size;
    let finer = if size < 3 { "`--view-size 3`, or " } else { "" };
    match reason {
        Reason::Coarse { rules, .. } => {
            // The search is repeated, which takes no longer than it did, and may be broken off again.
            let limits = explore::limits(&args.limits);
            let limits = Limits { time: limits.time.map(|time| time.saturating_sub(spent)), ..limits };
            let options = ::views::Options {
                size,
                rung: outcome.rung,
                limits,
                threads: 1.into(),
                ..Default::default()
            };
            output.result(&match ::views::gap(model, &options) {
                Some(gap) => Telling { args, model, spent: spent + begun.elapsed() }.gap_in_words(rules, &gap),
                None => format!("why: a view shows {size} processes at a time; something that depends on more of them is lost"),
            });
            output.result(&format!("try: {finer}`--method backward`"));
        }
        Reason::NoCertificate(_) => {
            output.result(
                "why: no view is bad, so that the model is likely to be safe; but the reason is none that cubes can say, or there are too many",
            );
            output.result("try: an `invariant` that says more of what never happens, or a variable that remembers who it is that matters");
        }
        Reason::Limit(_) => {
            output.result(&format!(
                "why: there are {} views of {size} processes so far, and more to come: much is kept of each process",
                outcome.statistics.views
            ));
            output.result("try: `--method backward`; fewer values where the property does not need them");
        }
        Reason::NothingToProve | Reason::Unsupported(_) => {}
    }
}

/// Tells where views leave what can be reached, and checks it before.
struct Telling<'t> {
    args: &'t ProveArgs,
    model: &'t Model,
    /// Time that was spent before.
    spent: Duration,
}

impl Telling<'_> {
    fn gap_in_words(&self, rules: &[model::ir::RuleId], gap: &Gap) -> String {
        let Gap { after, view, processes } = gap;
        let Some(rule) = rules.get(*after).filter(|_| !view.is_empty()) else {
            return self.apart_in_words(*processes);
        };
        let rule = &self.model.rules[rule.index()].name;
        let before = match after {
            0 => format!("from the start, `{rule}`"),
            1 => format!("after the first step of the way, `{rule}`"),
            _ => format!("after {after} steps of the way, `{rule}`"),
        };
        match self.is_never_seen(view, *processes) {
            Known::Safe => format!(
                "why: {before} leads to a view that no state with {processes} processes has:\n     \
                 {view}\n\
                 try: if that never happens with more processes, either, say so: `invariant {view}`. It is checked, too, and helps"
            ),
            Known::Unknown => format!(
                "why: {before} leads to a view that no state with {processes} processes has among those that were looked at,\n     \
                 which are not all:\n     {view}"
            ),
            Known::Violated => format!(
                "why: {before} leads to a view that states have only together with other things than those on the way:\n     {view}"
            ),
        }
    }

    /// Every view on the way is one of a state.
    fn apart_in_words(&self, processes: u32) -> String {
        let limits = small::limits(self.args, self.spent);
        let together = match small::explored(self.model, processes, &limits) {
            Known::Safe => "they never come together\n     in one state",
            Known::Violated | Known::Unknown => "they were not seen together\n     in one state",
        };
        format!(
            "why: every view on the way is one of a state with {processes} processes, but {together}. That is about more \
             processes than a view has"
        )
    }

    /// Whether no state of small instances has what a view says, given as the text of a property.
    fn is_never_seen(&self, view: &str, processes: u32) -> Known {
        let begun = Instant::now();
        let Some(model) = small::with_invariant(self.args, self.model, &format!("invariant {view}")) else {
            return Known::Unknown;
        };
        for size in model.min_processes()..=processes {
            let limits = small::limits(self.args, self.spent + begun.elapsed());
            match small::explored(&model, size, &limits) {
                Known::Safe => {}
                other => return other,
            }
        }
        Known::Safe
    }
}

pub(super) fn statistics(report: &Report) -> String {
    let count = |name: &str| report.stats.counts.get(name).copied().unwrap_or(0);
    format!(
        "\n{} views of {} processes in {} searches, {} cubes visited, {:.2} s",
        count("views"),
        count("view_size"),
        count("view_searches"),
        count("nodes"),
        report.stats.seconds
    )
}
