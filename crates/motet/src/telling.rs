//! What a run has shown, for people and in the document: verdict, properties, findings, remarks.

pub(crate) mod fuzzing;
pub(crate) mod program;
pub(crate) mod proof;
mod temporal;

pub(crate) use temporal::{judge_temporal, unjudged};

use crate::{
    Exit,
    flags::DiagramFlag,
    load::Loaded,
    output::{Output, count},
    pictures,
    report::{ExplorationFigures, Location, PropertyReport, Remark, Report, Role, Verdict},
    trace_file::Details,
};
use ::explore::{DeadlockPolicy, FindingKind};
use instance::exploration::{Exploration, Incomplete};
use instance::judge::{Finding, kind_of};
use ir::{At, Model, Property, PropertyKind};
use model::written;

/// Reports that there is no verdict, and why.
pub(crate) fn unknown(output: &Output, report: &mut Report, reason: String) -> Exit {
    output.result(&format!("unknown: {reason}"));
    report.verdict = Some(Verdict::Unknown);
    report.reason = Some(reason);
    Exit::Unknown
}

/// Reports that the command line makes no sense for this model.
pub(crate) fn refused(output: &Output, report: &mut Report, message: String) -> Exit {
    output.error(&message);
    report.reason = Some(message);
    Exit::BadInput
}

/// Reports files that could not be written; the exit code if there are any. The verdict is kept.
pub(crate) fn told(
    output: &Output,
    report: &mut Report,
    files: impl IntoIterator<Item = Result<(), String>>,
) -> Option<Exit> {
    let failures: Vec<String> = files.into_iter().filter_map(Result::err).collect();
    failures.iter().for_each(|message| output.error(message));
    let reasons: Vec<String> = report.reason.take().into_iter().chain(failures.iter().cloned()).collect();
    report.reason = (!reasons.is_empty()).then(|| reasons.join("; "));
    (!failures.is_empty()).then_some(Exit::BadInput)
}

/// Warns about transitions and properties with more parameters than the instance has processes.
pub(crate) fn warn_about_arity(model: &Model, processes: u32, output: &Output, report: &mut Report) {
    let too_many = |params: usize| params > processes as usize;
    for rule in model.rules.iter().filter(|rule| too_many(rule.params.len())) {
        let what =
            format!("`{}` has more parameters than there are processes, and can never be taken", rule.name);
        output.warn(report, "too-few-processes", what);
    }
    let declared = model.properties.iter().filter(|property| property.rule.is_none());
    for property in declared.filter(|property| too_many(property.params.len())) {
        let what =
            format!("`{}` has more parameters than there are processes, and can never match", property.name);
        output.warn(report, "too-few-processes", what);
    }
}

/// The figures of an exploration.
pub(crate) fn figures(exploration: &Exploration) -> ExplorationFigures {
    let stats = &exploration.stats;
    ExplorationFigures {
        states: stats.states,
        transitions: stats.transitions,
        depth: stats.depth,
        bytes_per_state: stats.bytes / stats.states.max(1),
        product: temporal::figures(exploration),
    }
}

/// Figures of an exploration, for people.
pub(crate) fn statistics(figures: &ExplorationFigures, seconds: f64) -> String {
    // With few states, this is the size of an empty table.
    let memory = if figures.states < 10_000 {
        String::new()
    } else {
        format!(", {} bytes per state", figures.bytes_per_state)
    };
    format!(
        "\n{}, {}, depth {}{memory}, {seconds:.2} s",
        count(figures.states, "state"),
        count(figures.transitions, "transition"),
        figures.depth,
    ) + &figures.product.as_ref().map_or(String::new(), temporal::statistics)
}

/// The verdict on one property that has not been violated.
pub(crate) fn entry(loaded: &Loaded, property: &Property, verdict: Verdict) -> PropertyReport {
    PropertyReport {
        name: property.name.clone(),
        kind: kind_of(property.kind).word().to_owned(),
        verdict,
        location: Some(location(loaded, property.at)),
        formula: formula(loaded, property),
        message: None,
        roles: vec![],
        trace: None,
    }
}

fn location(loaded: &Loaded, at: At) -> Location {
    let Loaded { source, .. } = loaded;
    Location {
        file: source.name().to_owned(),
        start: source.position(at.0.start()),
        end: source.position(at.0.end()),
    }
}

/// The formula of a property as it is written in the file, in one line.
fn formula(loaded: &Loaded, property: &Property) -> Option<String> {
    property.rule.is_none().then(|| written(&loaded.source, property.at).text)
}

/// Fills in what the document says about properties after an exploration.
pub(crate) fn fill(
    report: &mut Report,
    loaded: &Loaded,
    exploration: &Exploration,
    deadlock: DeadlockPolicy,
) {
    let model = &loaded.model;
    let open = if exploration.incomplete.is_none() { Verdict::Holds } else { Verdict::Unknown };
    let dropped = exploration.dropped.is_some_and(|dropped| dropped > 0);
    for (at, property) in model.properties.iter().enumerate() {
        let trusted = property.kind == PropertyKind::Invariant && exploration.dropped.is_some();
        let open = if dropped || trusted { Verdict::Unknown } else { open };
        let finding = exploration.findings.iter().find(|finding| finding.property == Some(at));
        let entry = match finding {
            Some(finding) => PropertyReport {
                verdict: Verdict::Violated,
                roles: roles(model, finding),
                trace: Some(itf(loaded, finding)),
                ..entry(loaded, property, open)
            },
            None => entry(loaded, property, open),
        };
        report.properties.push(entry);
    }
    report.properties.extend(deadlocks(loaded, exploration, deadlock, open));
    judge_temporal(report, loaded, Some(exploration));
    for finding in exploration.findings.iter().filter(|finding| !finding.is_violation()) {
        let trace = Some(itf(loaded, finding));
        report.remarks.push(Remark { code: finding.kind.word(), message: headline(loaded, finding), trace });
    }
    let first = exploration.findings.iter().find(|finding| finding.is_violation());
    report.trace = first.map(|finding| itf(loaded, finding));
}

/// The verdict on deadlocks. None if they are ignored, or if a run ends and the model does not say whether it may.
fn deadlocks(
    loaded: &Loaded,
    exploration: &Exploration,
    policy: DeadlockPolicy,
    open: Verdict,
) -> Option<PropertyReport> {
    let ends = || exploration.findings.iter().filter(|finding| finding.kind.is_end());
    let found = ends().find(|finding| finding.is_violation()).or_else(|| ends().next());
    let is_judged = policy != DeadlockPolicy::Ignore
        && !exploration.ends_unjudged
        && found.is_none_or(explore::Finding::is_violation);
    let verdict = if found.is_some() { Verdict::Violated } else { open };
    is_judged.then(|| PropertyReport {
        trace: found.map(|finding| itf(loaded, finding)),
        ..PropertyReport::undeclared("deadlock", "deadlock", verdict)
    })
}

fn itf(loaded: &Loaded, finding: &Finding) -> serde_json::Value {
    Details::of_finding(loaded, finding).document(&finding.trace)
}

fn roles(model: &Model, finding: &Finding) -> Vec<Role> {
    let declared = finding.property.map(|at| &model.properties[at]);
    let (params, variables) = match (declared, temporal::property_of(model, finding)) {
        (Some(property), _) => (&property.params, &property.variables),
        (None, Some(property)) => (&property.params, &property.variables),
        (None, None) => return vec![],
    };
    let name = |param: &ir::Var| variables[param.index()].clone();
    let role = |(param, process): (&ir::Var, &usize)| Role { parameter: name(param), process: process + 1 };
    params.iter().zip(&finding.roles).map(role).collect()
}

/// Reports the verdict and the traces, for people.
pub(crate) fn tell(
    output: &Output,
    report: &mut Report,
    loaded: &Loaded,
    exploration: &Exploration,
    scope: &str,
) -> Exit {
    let model = &loaded.model;
    let reason = exploration.incomplete.as_ref().map(|incomplete| reason(model, incomplete));
    let vacuous = exploration.incomplete.is_none() && exploration.stats.states == 0;
    let dropped = exploration.dropped.filter(|dropped| *dropped > 0);
    let first = exploration.findings.iter().find(|finding| finding.is_violation());
    let (verdict, exit, line) = if let Some(first) = first {
        let many = count(first.setting.processes, "process");
        report.processes = Some(first.setting.processes);
        (Verdict::Violated, Exit::Violated, format!("violated with {many}"))
    } else {
        let because = reason
            .clone()
            .or_else(|| dropped.map(|dropped| trusted_in_vain(model, dropped)))
            .or_else(|| temporal::open(loaded, exploration));
        match because {
            Some(because) => {
                report.reason = Some(because.clone());
                (Verdict::Unknown, Exit::Unknown, format!("unknown: {because}"))
            }
            None if exploration.ends_unjudged => {
                let line = format!("holds for {scope}: no property can match");
                (Verdict::Holds, Exit::Holds, line)
            }
            None if vacuous => {
                let line = format!("holds for {scope}, but only because there are no states: {NO_STATE}");
                (Verdict::Holds, Exit::Holds, line)
            }
            None => {
                let line = format!(
                    "holds for {scope}{}: all states were explored{}",
                    trusting(model, exploration),
                    temporal::judged_by(loaded)
                );
                (Verdict::Holds, Exit::Holds, line)
            }
        }
    };
    report.verdict = Some(verdict);
    report.reason = report.reason.take().or(reason);
    output.result(&line);
    if vacuous {
        output.warn(report, "vacuous", format!("{NO_STATE}, so that every property holds"));
    }
    for finding in &exploration.findings {
        tell_finding(output, loaded, finding);
    }
    if let (Some(dropped), Some(_)) = (dropped, first) {
        output.note(report, "trusted", trusted_in_vain(model, dropped));
    }
    if exploration.ends_unjudged {
        let message = "store buffers grow without bound, so that not all states were explored, and deadlocks were not judged";
        output.note(report, "deadlocks-not-judged", message.into());
    }
    for rule in exploration.never_taken.iter().filter(|_| !vacuous) {
        let name = &model.rules[rule.index()].name;
        output.note(report, "never-taken", format!("`{name}` is never taken with {scope}"));
    }
    for symbol in exploration.never_changed.iter().filter(|_| !vacuous) {
        let name = &model.symbol(*symbol).name;
        output.note(report, "never-changes", format!("`{name}` never changes with {scope}"));
    }
    exit
}

/// Why there is no state.
pub(crate) const NO_STATE: &str = "no initial state satisfies `init` and the assumptions";

/// The invariants that were trusted.
fn trusted(model: &Model) -> String {
    let invariants = model.properties.iter().filter(|property| property.kind == PropertyKind::Invariant);
    let names: Vec<String> = invariants.map(|property| format!("`{}`", property.name)).collect();
    format!("{} {}", if names.len() == 1 { "invariant" } else { "invariants" }, names.join(", "))
}

/// The part of a sentence that says which invariants were trusted, if no step breaks them.
fn trusting(model: &Model, exploration: &Exploration) -> String {
    let is_trusted = |property: &Property| property.kind == PropertyKind::Invariant;
    if exploration.dropped.is_none() || !model.properties.iter().any(is_trusted) {
        return String::new();
    }
    format!(", trusting {} (no step breaks it)", trusted(model))
}

/// The sentence for invariants that were trusted and are wrong.
fn trusted_in_vain(model: &Model, dropped: usize) -> String {
    let steps = if dropped == 1 {
        "1 step that breaks it was".into()
    } else {
        format!("{dropped} steps that break it were")
    };
    format!(
        "{} was trusted, but is wrong: {steps} left out with everything that follows; without `--trust-invariants` the first one is shown",
        trusted(model)
    )
}

/// Reports a finding with its run, for people.
pub(crate) fn tell_finding(output: &Output, loaded: &Loaded, finding: &Finding) {
    output.result(&format!("\n{}", headline(loaded, finding)));
    details(loaded, finding).iter().for_each(|line| output.result(&format!("  {line}")));
    output.trace(&finding.trace, finding.setting.processes);
}

/// What was found, and how far from the start.
pub(crate) fn headline(loaded: &Loaded, finding: &Finding) -> String {
    let what = match (finding.is_violation(), finding.kind) {
        (true, FindingKind::Deadlock) => "deadlock".to_owned(),
        (true, FindingKind::Ltl) => return temporal::headline(loaded, finding),
        (true, kind) => {
            let line = finding.property.map(|at| location(loaded, loaded.model.properties[at].at).start.line);
            let line = line.map_or(String::new(), |line| format!(" (line {line})"));
            format!("{} `{}`{line}", kind.word(), finding.name)
        }
        (false, FindingKind::Deadlock) => "remark: nobody can go on".to_owned(),
        (false, _) => "remark: nobody can go on, though nobody waits".to_owned(),
    };
    let steps = count(finding.trace.steps.len(), "step");
    let message = if finding.message.is_empty() { String::new() } else { format!(": {}", finding.message) };
    format!("{what}, {steps} from the start{message}")
}

/// The violated formula with the processes for its parameters; advice about a run that ends.
fn details(loaded: &Loaded, finding: &Finding) -> Vec<String> {
    let model = &loaded.model;
    if finding.kind == FindingKind::Ltl {
        return temporal::details(loaded, finding);
    }
    let Some(property) = finding.property.map(|at| &model.properties[at]) else {
        let is_end = finding.kind == FindingKind::Stuck;
        let advice = "`final { … }` says where runs may end; `--deadlock error` makes this a violation";
        return is_end.then(|| advice.to_owned()).into_iter().collect();
    };
    let with = with_roles(model, finding);
    let never = property.kind == PropertyKind::Invariant;
    formula(loaded, property)
        .map(|formula| format!("{}{formula}{with}", if never { "must never be true: " } else { "" }))
        .into_iter()
        .collect()
}

/// The processes for the parameters of a property, after its formula.
fn with_roles(model: &Model, finding: &Finding) -> String {
    let roles: Vec<String> =
        roles(model, finding).iter().map(|role| format!("{} = #{}", role.parameter, role.process)).collect();
    if roles.is_empty() { String::new() } else { format!("    with {}", roles.join(", ")) }
}

/// Why a run does not settle everything, in words.
pub(crate) fn reason(model: &Model, incomplete: &Incomplete) -> String {
    match incomplete {
        Incomplete::Stopped => "the run ended with the first violation".into(),
        Incomplete::Limit(limit) => limit.to_string(),
        Incomplete::Range => {
            "no violation within the given ranges, but they leave out some steps or values".into()
        }
        Incomplete::Compacted(states) => format!(
            "no violation found, but states were recognised by 64-bit hashes: the chance that one was missed is about {}",
            chance_of_collision(*states)
        ),
        Incomplete::Sampled => {
            "no violation from the initial states that were drawn; `motet explore` visits all of them".into()
        }
        Incomplete::Contradiction(what) => format!("the run contradicts itself: {what}"),
        Incomplete::Obstacle(obstacle) => obstacle.explain(model),
    }
}

/// The probability that any two of these states have the same 64-bit hash.
#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn chance_of_collision(states: usize) -> String {
    format!("{:.0e}", (states as f64).powi(2) / 65_f64.exp2())
}

/// Draws the trace of the first violation, if a file is given.
pub(crate) fn draw_trace(
    flag: &DiagramFlag,
    loaded: &Loaded,
    exploration: &Exploration,
    output: &Output,
) -> Result<(), String> {
    let Some(file) = &flag.diagram else { return Ok(()) };
    let Some(finding) = exploration.findings.iter().find(|finding| finding.is_violation()) else {
        output.remark("remark: there is no violation, hence no diagram");
        return Ok(());
    };
    let ending = headline(loaded, finding);
    pictures::draw_trace(file, &finding.trace, finding.setting.processes, loaded.source.name(), ending)
}
