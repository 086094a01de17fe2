//! `--method views`: forward, by views of a few processes.

use super::{
    Answered, ProveArgs, Proving,
    small::{self, Known},
};
use crate::{
    engine_progress,
    load::Loaded,
    output::Output,
    report::{Figures, Report},
    telling,
};
use ::explore::Limits;
use ::views::{Gap, Outcome, ProofOptions, Reason, Statistics, Verdict as Answer};
use ir::{Model, Origin, Property};
use portfolio::Slotted;
use std::{
    sync::Arc,
    time::{Duration, Instant},
};

/// Proves by views alone, and reports the answer.
pub(super) fn prove(
    args: &ProveArgs,
    proving: &Proving<'_>,
    output: &Output,
    report: &mut Report,
) -> Answered {
    let slotted = proving.with_slots(|model, limits| attempt(args, model, limits, output));
    let Slotted { model, outcome } = match slotted {
        Ok(slotted) => slotted,
        Err(reason) => return proving.unknown(reason, output, report).into(),
    };
    let figures = Figures::Proof(telling::proof::figures_of_views(&outcome));
    let exit = match outcome.verdict {
        Answer::Holds(ref proof) => return proving.holds(&model, proof, figures, output, report),
        Answer::Violated(violation) => proving.violated(violation, output, report),
        Answer::Unknown(ref reason) => {
            let why = why(&model, reason, &outcome.statistics, args.limits.limit_states);
            let exit = proving.unknown(why, output, report);
            if args.explain {
                let loaded = proving.loaded.about(model);
                explain(args, &loaded, &outcome, output, outcome.statistics.time);
            }
            exit
        }
    };
    Answered { exit, figures }
}

fn attempt(args: &ProveArgs, model: &Model, limits: Limits, output: &Output) -> Outcome {
    let progress = Arc::default();
    let _line = engine_progress::of_views(&progress, output);
    let options = ProofOptions {
        size: args.view_size.map(usize::from),
        limits,
        brief: false,
        threads: args.workers.count().into(),
        progress: Some(progress),
    };
    ::views::prove(model, &options)
}

/// The reason why there is no answer, in words.
fn why(model: &Model, reason: &Reason, statistics: &Statistics, most_views: Option<u64>) -> String {
    match reason {
        Reason::NothingToProve => telling::proof::reason(&::prove::Reason::NothingToProve, None),
        Reason::Unsupported(unsupported) => format!("views do not support {}", unsupported.what),
        Reason::Limit(::explore::Limit::States) => {
            let most =
                most_views.map_or(statistics.views, |most| usize::try_from(most).unwrap_or(usize::MAX));
            format!("the limit of {most} views was reached")
        }
        Reason::Limit(limit) => limit.to_string(),
        Reason::Buffers(buffers) => telling::proof::buffers_in_words(buffers),
        Reason::Coarse { property, rules } => coarse(model, *property, rules),
        Reason::NoCertificate(reason) => {
            format!("no view is bad, but there is no certificate: {}", telling::proof::reason(reason, None))
        }
    }
}

fn coarse(model: &Model, property: usize, rules: &[ir::RuleId]) -> String {
    let names: Vec<&str> = rules.iter().map(|rule| model.rules[rule.index()].name.as_str()).collect();
    let path = if names.is_empty() { String::new() } else { format!(" by {}", names.join(", ")) };
    let property = &model.properties[property].name;
    format!(
        "views are too coarse: they lead to `{property}`{path}, but no run of a small instance goes there"
    )
}

/// Explains why views did not decide, after the backward search did not, either.
pub(super) fn explain_too(
    args: &ProveArgs,
    loaded: &Loaded,
    outcome: &Outcome,
    output: &Output,
    spent: Duration,
) {
    if let Answer::Unknown(reason) = &outcome.verdict {
        output.result(&format!("by views: {}", why(&loaded.model, reason, &outcome.statistics, None)));
        explain(args, loaded, outcome, output, spent);
    }
}

/// Explains where views lose too much, and suggests what to try.
fn explain(args: &ProveArgs, loaded: &Loaded, outcome: &Outcome, output: &Output, spent: Duration) {
    let begun = Instant::now();
    let Answer::Unknown(reason) = &outcome.verdict else { return };
    let size = outcome.statistics.size;
    let finer = if size < 3 { "`--view-size 3`, or " } else { "" };
    match reason {
        Reason::Coarse { rules, .. } => {
            // The search is repeated on the same level, and hence ends the same way unless a limit ends it before.
            let limits = args.limits.limits().remaining_after(spent);
            let options = ::views::Options {
                size,
                level: outcome.level,
                limits,
                threads: 1.into(),
                ..Default::default()
            };
            output.result(&match ::views::gap(&loaded.model, &options) {
                Some(gap) => {
                    Telling { args, loaded, spent: spent + begun.elapsed() }.gap_in_words(rules, &gap)
                }
                None => format!("why: a view has {size} processes; what depends on more of them is lost"),
            });
            output.result(&format!("try: {finer}`--method backward`"));
        }
        Reason::NoCertificate(_) => {
            output.result(
                "why: no combination of views is bad, so the model is likely to be safe; but cubes cannot express the reason, or too many are needed",
            );
            output.result("try: an `invariant` about what never happens, or a variable that remembers the process that matters");
        }
        Reason::Limit(_) => {
            output.result(&format!(
                "why: there are {} views of {size} processes so far and more to come, since each process has many values",
                outcome.statistics.views
            ));
            output.result("try: `--method backward`; fewer values where the property does not need them");
        }
        Reason::NothingToProve | Reason::Unsupported(_) | Reason::Buffers(_) => {}
    }
}

/// Explains where a spurious path leaves the reachable states. Every claim is checked first.
struct Telling<'t> {
    args: &'t ProveArgs,
    loaded: &'t Loaded,
    /// The time that was spent before.
    spent: Duration,
}

impl Telling<'_> {
    fn gap_in_words(&self, rules: &[ir::RuleId], gap: &Gap) -> String {
        let Gap { after, view, processes } = gap;
        let (Some(rule), Some(property)) = (rules.get(*after), view) else {
            return self.apart_in_words(*processes);
        };
        let view = &in_words(&self.loaded.model, property);
        let rule = &self.loaded.model.rules[rule.index()].name;
        let before = match after {
            0 => format!("from the start, `{rule}`"),
            1 => format!("after the first step of the path, `{rule}`"),
            _ => format!("after {after} steps of the path, `{rule}`"),
        };
        match self.is_never_seen(property, *processes) {
            Known::Safe => format!(
                "why: {before} leads to a view that no state with {processes} processes has:\n     {view}{}",
                advice(&self.loaded.model, property, view),
            ),
            Known::Unknown => format!(
                "why: {before} leads to a view that no state with {processes} processes has among those that were explored,\n     \
                 which are not all:\n     {view}"
            ),
            Known::Violated => format!(
                "why: {before} leads to a view that occurs in states, but not together with the other views on the path:\n     {view}"
            ),
        }
    }

    /// Every view on the path is one of a state.
    fn apart_in_words(&self, processes: u32) -> String {
        let limits = small::limits(self.args, self.spent);
        let together = match small::explored(&self.loaded.model, processes, &limits) {
            Known::Safe => "they never occur together\n     in one state",
            Known::Violated | Known::Unknown => "they were not seen together\n     in one state",
        };
        format!(
            "why: every view on the path occurs in a state with {processes} processes, but {together}. That involves more \
             processes than a view has"
        )
    }

    /// Whether no state of small instances satisfies a view.
    fn is_never_seen(&self, view: &Property, processes: u32) -> Known {
        let begun = Instant::now();
        let model = Model { properties: vec![view.clone()], ..self.loaded.model.clone() };
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

/// What to do about a view that no state has. Nothing if it mentions what only lowering can name, such as kinds.
fn advice(model: &Model, property: &Property, view: &str) -> String {
    let mut is_writable = true;
    property.formula.each_term(&mut |term| {
        is_writable &= term.symbol().is_none_or(|symbol| model.symbol(symbol).origin == Origin::Declared);
    });
    if !is_writable {
        return String::new();
    }
    format!(
        "\ntry: if that never happens with more processes either, add `invariant {view}`. It is checked like any property, and helps"
    )
}

/// A property without its name, as it is written in a model.
fn in_words(model: &Model, property: &Property) -> String {
    let Property { variables, formula, .. } = property;
    format!("({}) {{ {} }}", variables.join(" "), formula.display(model, variables))
}
