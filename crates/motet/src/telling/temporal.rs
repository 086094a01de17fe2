//! What a run has shown about temporal properties.

use super::{itf, location, roles, with_roles};
use crate::{
    load::Loaded,
    output::count,
    report::{ProductFigures, PropertyReport, Report, Verdict},
};
use ::explore::{FindingKind, Trace};
use instance::exploration::{Exploration, Incomplete};
use instance::judge::Finding;
use instance::temporal::{Judgement, Open};
use ir::{Model, Temporal};
use model::written;

/// Lists temporal properties with their verdicts, which are unknown unless they were judged.
pub(crate) fn judge_temporal(report: &mut Report, loaded: &Loaded, exploration: Option<&Exploration>) {
    for (at, temporal) in loaded.model.temporal.iter().enumerate() {
        let judgement = exploration.and_then(|exploration| exploration.temporal.get(at));
        let is_it = |finding: &&Finding| finding.kind == FindingKind::Ltl && finding.name == temporal.name;
        let finding = exploration.and_then(|exploration| exploration.findings.iter().find(is_it));
        let asked = asked(loaded, at);
        report.properties.push(PropertyReport {
            name: temporal.name.clone(),
            kind: FindingKind::Ltl.word().to_owned(),
            verdict: judgement.map_or(Verdict::Unknown, |judgement| judgement.verdict),
            location: asked.is_none().then(|| location(loaded, temporal.at)),
            formula: Some(formula(loaded, at)),
            message: None,
            roles: finding.map_or(vec![], |finding| roles(&loaded.model, finding)),
            trace: finding.map(|finding| itf(loaded, finding)),
        });
    }
}

/// The formula of the command line, if a property comes from there.
fn asked(loaded: &Loaded, at: usize) -> Option<&str> {
    let declared = loaded.model.temporal.len() - loaded.asked.len();
    at.checked_sub(declared).map(|at| loaded.asked[at].formula.as_str())
}

/// The formula of a property, as it is written.
fn formula(loaded: &Loaded, at: usize) -> String {
    let declared = || written(&loaded.source, loaded.model.temporal[at].at).text;
    asked(loaded, at).map_or_else(declared, str::to_owned)
}

/// The property that a run violates, if it is a temporal one.
pub(super) fn property_of<'m>(model: &'m Model, finding: &Finding) -> Option<&'m Temporal> {
    position(model, finding).map(|at| &model.temporal[at])
}

fn position(model: &Model, finding: &Finding) -> Option<usize> {
    let is_it = |temporal: &Temporal| finding.kind == FindingKind::Ltl && temporal.name == finding.name;
    model.temporal.iter().position(is_it)
}

/// What was found, and how long the run is.
pub(super) fn headline(loaded: &Loaded, finding: &Finding) -> String {
    let line = position(&loaded.model, finding)
        .filter(|at| asked(loaded, *at).is_none())
        .map(|at| location(loaded, loaded.model.temporal[at].at).start.line);
    let line = line.map_or(String::new(), |line| format!(" (line {line})"));
    let steps = count(finding.trace.steps.len(), "step");
    let message =
        if finding.message.is_empty() { repeated(&finding.trace) } else { Some(finding.message.clone()) };
    let message = message.map_or(String::new(), |message| format!(": {message}"));
    format!("ltl `{}`{line}, a run of {steps}{message}", finding.name)
}

/// Which steps of a run are repeated for ever.
fn repeated(trace: &Trace) -> Option<String> {
    let last = trace.steps.len() - trace.back.filter(|back| *back < trace.steps.len())?;
    Some(if last == 1 {
        "the last step is repeated for ever".into()
    } else {
        format!("the last {last} steps are repeated for ever")
    })
}

/// The violated formula with the processes for its parameters, and the runs that count.
pub(super) fn details(loaded: &Loaded, finding: &Finding) -> Vec<String> {
    let Some(at) = position(&loaded.model, finding) else { return vec![] };
    let with = with_roles(&loaded.model, finding);
    let runs = loaded.runs.in_words();
    let under = (!runs.is_empty()).then(|| format!("judged by {runs}"));
    std::iter::once(format!("{}{with}", formula(loaded, at))).chain(under).collect()
}

/// Why the verdict is unknown although no violation was found: a temporal property that is open.
pub(super) fn open(loaded: &Loaded, exploration: &Exploration) -> Option<String> {
    if exploration.temporal.is_empty() {
        return unjudged(&loaded.model);
    }
    let judged = loaded.model.temporal.iter().zip(&exploration.temporal);
    let mut open = judged.filter_map(|(temporal, judgement)| Some((temporal, judgement.open.as_ref()?)));
    open.next().map(|(temporal, open)| {
        format!("the temporal property `{}` is open: {}", temporal.name, reason(&loaded.model, open))
    })
}

/// Why a temporal property is open.
fn reason(model: &Model, open: &Open) -> String {
    match open {
        Open::Incomplete(Incomplete::Range) => "some steps were left out".into(),
        Open::Incomplete(incomplete) => super::reason(model, incomplete),
        Open::Formula(too_large) => too_large.to_string(),
        Open::Constraints(many) => {
            format!("{many} fairness constraints are too many; name the transitions that matter")
        }
        Open::Unanswerable(Some(reason)) => format!("an atom has no value: {reason}"),
        Open::Unanswerable(None) => "an atom has no value in some state".into(),
    }
}

/// Why the verdict is unknown although no violation was found: temporal properties that nobody has checked.
pub(crate) fn unjudged(model: &Model) -> Option<String> {
    let names: Vec<String> = model.temporal.iter().map(|temporal| format!("`{}`", temporal.name)).collect();
    let (verb, noun, them) =
        if names.len() == 1 { ("was", "property", "it") } else { ("were", "properties", "them") };
    (!names.is_empty()).then(|| {
        let advice = format!("`motet explore` checks {them} for a fixed number of processes");
        format!("the temporal {noun} {} {verb} not checked; {advice}", names.join(", "))
    })
}

/// The part of a verdict that says by which runs temporal properties were judged, if not by all.
pub(super) fn judged_by(loaded: &Loaded) -> String {
    let runs = loaded.runs.in_words();
    if runs.is_empty() || loaded.model.temporal.is_empty() {
        return String::new();
    }
    format!("; temporal properties were judged by {runs}")
}

/// The size of all products.
pub(super) fn figures(exploration: &Exploration) -> Option<ProductFigures> {
    let sum = |figure: fn(&Judgement) -> usize| exploration.temporal.iter().map(figure).sum();
    let figures = ProductFigures {
        product_states: sum(|judgement| judgement.stats.states),
        product_transitions: sum(|judgement| judgement.stats.transitions),
        product_milliseconds: sum(|judgement| {
            usize::try_from(judgement.stats.time.as_millis()).unwrap_or(usize::MAX)
        }),
    };
    (!exploration.temporal.is_empty()).then_some(figures)
}

/// The size of all products, for people.
pub(super) fn statistics(figures: &ProductFigures) -> String {
    let states = count(figures.product_states, "state");
    format!("\nproducts with automata: {states}, {}", count(figures.product_transitions, "transition"))
}
