//! What a proof has shown, for people and in the document.

use crate::{
    Exit,
    load::Loaded,
    output::{Output, count},
    report::{ProofFigures, Remark, Report, Verdict, ViewFigures},
    trace_file::Details,
};
use ::explore::Limit;
use ::explore::{DeadlockPolicy, Replay, Severity};
use ::prove::{Buffers, Proof, Reason, Statistics, Violation};
use ::views::AbstractionLevel;
use instance::Setting;
use instance::exploration::{self, Exploration};
use instance::judge::{Finding, kind_of};
use instance::replay::{Claim, replay_trace};
use ir::{Model, Origin, SymbolId};
use portfolio::InstancesOutcome;

/// Gives all properties the same verdict, since they are proved together; temporal ones stay unknown.
pub(crate) fn judge_all(report: &mut Report, loaded: &Loaded, verdict: Verdict) {
    let entries = loaded.model.properties.iter().map(|property| super::entry(loaded, property, verdict));
    report.properties.extend(entries);
    super::judge_temporal(report, loaded, None);
}

/// At most this many candidate invariants are printed.
const MOST_INVARIANTS: usize = 30;

/// The verdict and the evidence for it: the size of the invariant, auxiliary variables, candidates, assumptions. The proof is
/// about `model`, which is the one that was loaded or stands for it.
pub(crate) fn tell_proof(
    loaded: &Loaded,
    model: &Model,
    proof: &Proof,
    inhabited: Option<bool>,
    output: &Output,
    report: &mut Report,
) -> Exit {
    judge_all(report, loaded, Verdict::Holds);
    let most = model.max_processes.map_or(String::new(), |most| format!(" up to {most}"));
    let cubes = count(proof.certificate.cubes.len(), "cube");
    let scope =
        format!("every number of processes{most}: an inductive invariant of {cubes} was found and checked");
    let exit = tell_holds(output, report, loaded, &scope, inhabited);
    let extended = proof.model(model);
    for auxiliary in &proof.certificate.auxiliaries {
        output.result(&format!("where {}", auxiliary.display(&extended)));
    }
    report.place_invariants.clone_from(&proof.place_invariants);
    if !proof.place_invariants.is_empty() {
        output.result("\nplace invariants that were proved:");
        proof.place_invariants.iter().for_each(|sentence| output.result(&format!("  {sentence}")));
    }
    let shown = proof.candidates.iter().filter(|cube| !is_about_buffers(&extended, cube));
    report.invariants = shown.map(|cube| cube.display(&extended).to_string()).collect();
    if !report.invariants.is_empty() {
        output.result("\ncandidate invariants that were proved, none of which is ever reached:");
        for cube in report.invariants.iter().take(MOST_INVARIANTS) {
            output.result(&format!("  {cube}"));
        }
        if report.invariants.len() > MOST_INVARIANTS {
            output.result(&format!("  and {} more", report.invariants.len() - MOST_INVARIANTS));
        }
    }
    let hidden = proof.candidates.len() - report.invariants.len();
    if hidden > 0 {
        output.result(&format!("{} more about what is in store buffers", count(hidden, "candidate")));
    }
    for assumption in &model.assumptions {
        output.result(&format!("assumed: `{}` never matches", assumption.name));
    }
    exit
}

/// The verdict of a proof by memory events, and the size of its certificate.
pub(crate) fn tell_events(
    loaded: &Loaded,
    certificate: &certify::events::Certificate,
    inhabited: Option<bool>,
    output: &Output,
    report: &mut Report,
) -> Exit {
    judge_all(report, loaded, Verdict::Holds);
    let most = loaded.model.max_processes.map_or(String::new(), |most| format!(" up to {most}"));
    let cubes = count(certificate.cubes.len(), "cube");
    let scope =
        format!("every number of processes{most}: {cubes} about memory events were found and checked");
    let exit = tell_holds(output, report, loaded, &scope, inhabited);
    for assumption in &loaded.model.assumptions {
        output.result(&format!("assumed: `{}` never matches", assumption.name));
    }
    exit
}

/// Whether a cube speaks of store buffers, which have no name in the model.
fn is_about_buffers(model: &Model, cube: &certify::Cube) -> bool {
    let is_buffer = |symbol: SymbolId| model.symbol(symbol).origin == Origin::Buffer;
    let mut found = false;
    cube.formula.each_term(&mut |term| found |= term.symbol().is_some_and(is_buffer));
    found
}

/// Reports that a model holds, or that the verdict is unknown because of temporal properties. Warns if there is no initial state.
pub(crate) fn tell_holds(
    output: &Output,
    report: &mut Report,
    loaded: &Loaded,
    scope: &str,
    inhabited: Option<bool>,
) -> Exit {
    let vacuous = inhabited == Some(false);
    let but = if vacuous {
        format!(", but only since {} in any small instance", super::NO_STATE)
    } else {
        String::new()
    };
    let exit = if let Some(reason) = super::unjudged(&loaded.model) {
        output.result(&format!("unknown: {reason}; everything else holds for {scope}{but}"));
        report.reason = Some(reason);
        report.verdict = Some(Verdict::Unknown);
        Exit::Unknown
    } else {
        output.result(&format!("holds for {scope}{but}"));
        report.verdict = Some(Verdict::Holds);
        Exit::Holds
    };
    if vacuous {
        output.warn(report, "vacuous", format!("{}, so that every property holds", super::NO_STATE));
    }
    exit
}

/// Reports what small instances have shown about deadlocks.
pub(crate) fn tell_deadlocks(
    loaded: &Loaded,
    small: &InstancesOutcome,
    policy: DeadlockPolicy,
    output: &Output,
    report: &mut Report,
) {
    if let Some(finding) = &small.stuck {
        super::tell_finding(output, loaded, finding);
        let trace = Some(Details::of_finding(loaded, finding).document(&finding.trace));
        let message = super::headline(loaded, finding);
        report.remarks.push(Remark { code: finding.kind.word(), message, trace });
    } else if let Some(most) = small.exhausted.filter(|_| policy != DeadlockPolicy::Ignore) {
        let message = format!("no deadlock with up to {}", count(most, "process"));
        output.note(report, "no-deadlock", message);
    }
}

/// Replays a violation that the prover claims, and reports it as `explore` does. If it cannot be replayed, the verdict is unknown.
pub(crate) fn violated(
    loaded: &Loaded,
    violation: Violation,
    output: &Output,
    report: &mut Report,
) -> Result<Exploration, Exit> {
    let Violation { property: at, processes, trace, ranges, buffer } = violation;
    let buffer = buffer.map(usize::from);
    let property = &loaded.model.properties[at];
    let options =
        exploration::Options { ranges: ranges.clone(), buffer, ..exploration::Options::new(processes) };
    let roles = match replay_trace(&loaded.model, &options, &trace, Claim::Named(&property.name)) {
        Replay::Confirmed(roles) => roles,
        Replay::Refuted | Replay::Deviated(_) => {
            let reason = format!("a run to `{}` was found, but cannot be replayed", property.name);
            return Err(super::unknown(output, report, reason));
        }
    };
    let exploration = Exploration::of_finding(Finding {
        kind: kind_of(property.kind),
        name: property.name.clone(),
        severity: Severity::Violation,
        message: String::new(),
        property: Some(at),
        roles,
        trace,
        setting: Setting { processes, ranges, seed: None, buffer },
    });
    // Proofs are about bad states, not about deadlocks.
    super::fill(report, loaded, &exploration, DeadlockPolicy::Ignore);
    super::tell(output, report, loaded, &exploration, "");
    Ok(exploration)
}

/// The reason why there is no verdict, in words.
pub(crate) fn reason(reason: &Reason, most_cubes: Option<u64>) -> String {
    match reason {
        Reason::NothingToProve => {
            "there is nothing to prove: the model has no `unsafe` and no `invariant`".into()
        }
        Reason::Unsupported(unsupported) => format!("the prover does not support {}", unsupported.what),
        Reason::Limit(Limit::States) => {
            format!("the limit of {} cubes was reached", most_cubes.unwrap_or_default())
        }
        Reason::Limit(limit) => limit.to_string(),
        Reason::Buffers(buffers) => buffers_in_words(buffers),
        Reason::TooManyProcesses => "the proof needs cubes with more than 15 processes".into(),
        Reason::Spurious { rules, approximated, universal } => spurious(rules, approximated, *universal),
        Reason::NotCertified(why) => {
            format!("an invariant was found, but not accepted by the checker: {why}")
        }
    }
}

/// How store buffers stand in the way, in words.
pub(crate) fn buffers_in_words(buffers: &Buffers) -> String {
    match buffers {
        Buffers::Full(slots) => {
            format!("a process can have more than {slots} different stores in its buffer")
        }
        Buffers::Merged => {
            "a run was found that may need more equal stores in a buffer than it has made".into()
        }
    }
}

fn spurious(rules: &[String], approximated: &[&str], universal: bool) -> String {
    let path = if rules.is_empty() { String::new() } else { format!(" by {}", rules.join(", ")) };
    let why = match (approximated, universal) {
        ([], true) => " (universal guards are only checked for the processes of a cube)".to_owned(),
        ([], false) => String::new(),
        (approximated, _) => format!(" ({} is over-approximated)", approximated.join(" and ")),
    };
    format!("the search meets a bad state{path}, but no run of a small instance goes there{why}")
}

/// The figures of a search over cubes.
pub(crate) fn figures(statistics: &Statistics) -> ProofFigures {
    ProofFigures {
        nodes: statistics.nodes,
        subsumed: statistics.subsumed,
        deleted: statistics.deleted,
        invariants: statistics.invariants,
        refuted: statistics.refuted,
        max_processes: statistics.max_processes,
        oracle_states: statistics.oracle_states,
        views: None,
    }
}

/// The figures of the engine that gave the answer, or of the last one.
pub(crate) fn figures_of_portfolio(outcome: &portfolio::Outcome) -> ProofFigures {
    match &outcome.views {
        Some(views) => figures_of_views(views),
        None => figures(&outcome.proof.statistics),
    }
}

/// The figures of views, and of the certificate that they led to.
pub(crate) fn figures_of_views(outcome: &views::Outcome) -> ProofFigures {
    let view_level = match outcome.level {
        AbstractionLevel::Visible(level) => level,
        AbstractionLevel::LiveValues | AbstractionLevel::Everything | AbstractionLevel::Context(_) => {
            outcome.searches
        }
    };
    let views = ViewFigures {
        views: outcome.statistics.views,
        view_size: outcome.statistics.size,
        view_bytes: outcome.statistics.memory,
        view_searches: outcome.searches,
        view_level,
    };
    ProofFigures { views: Some(views), ..figures(&outcome.certificate) }
}

/// Figures of a proof, for people.
pub(crate) fn statistics(figures: &ProofFigures, seconds: f64) -> String {
    if let Some(views) = &figures.views {
        return statistics_of_views(views, figures.nodes, seconds);
    }
    format!(
        "\n{} visited, {} subsumed by others, at most {}, {} proved, {seconds:.2} s",
        count(figures.nodes, "cube"),
        figures.subsumed,
        count(figures.max_processes, "process"),
        count(figures.invariants, "candidate"),
    )
}

/// Figures of views and of the certificate, for people.
fn statistics_of_views(views: &ViewFigures, nodes: usize, seconds: f64) -> String {
    format!(
        "\n{} of {} in {}, {} visited, {seconds:.2} s",
        count(views.views, "view"),
        count(views.view_size, "process"),
        if views.view_searches == 1 {
            "1 search".to_owned()
        } else {
            format!("{} searches", views.view_searches)
        },
        count(nodes, "cube"),
    )
}
