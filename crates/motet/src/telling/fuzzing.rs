//! What fuzzing has shown, for people and in the document.

use crate::{
    Exit,
    load::Loaded,
    output::{Output, count},
    range::NamedRange,
    report::{FuzzingFigures, Report},
};
use instance::exploration::Incomplete;
use instance::fuzzing::{Fuzzing, Options, Tried};

/// Reports the verdict of a run, its findings, and the numbers of processes that were tried.
pub(crate) fn tell(
    loaded: &Loaded,
    fuzzing: &Fuzzing,
    options: &Options,
    output: &Output,
    report: &mut Report,
) -> Exit {
    let model = &loaded.model;
    report.processes = Some(fuzzing.processes);
    super::warn_about_arity(model, fuzzing.processes, output, report);
    for range in fuzzing.ranges.iter().filter(|range| !options.ranges.contains(range)) {
        let range = NamedRange::new(model, *range);
        let message = format!("a number is read before it is set; it was drawn from the range {range}");
        output.note(report, "drawn-range", message);
    }
    if let Some(message) = tried(&fuzzing.tried) {
        output.note(report, "number-of-processes", message);
    }
    super::fill(report, loaded, &fuzzing.exploration, options.deadlock);
    let is_empty =
        fuzzing.exploration.stats.states == 0 && fuzzing.exploration.incomplete == Some(Incomplete::Sampled);
    if is_empty {
        output.warn(report, "vacuous", format!("{}, so that there is nothing to fuzz", super::NO_STATE));
    }
    super::tell(output, report, loaded, &fuzzing.exploration, &count(fuzzing.processes, "process"))
}

/// The figures of fuzzing.
pub(crate) fn figures(fuzzing: &Fuzzing, options: &Options) -> FuzzingFigures {
    FuzzingFigures {
        exploration: super::figures(&fuzzing.exploration),
        covered_transitions: fuzzing.rules.len(),
        covered_pairs: fuzzing.pairs.as_ref().map_or(0, Vec::len),
        seed: options.fuzz.seed,
        steps_to_first_violation: fuzzing.first_violation,
    }
}

/// What each number of processes has shown, if several were tried.
fn tried(tried: &[Tried]) -> Option<String> {
    let used = tried.iter().filter(|tried| tried.steps > 0);
    let shown: Vec<String> =
        used.map(|tried| format!("{} with {}", tried.pairs.len(), tried.processes)).collect();
    let told = "processes alternately; pairs of consecutive transitions seen";
    match (tried.first(), tried.last()) {
        (Some(first), Some(last)) if shown.len() > 1 => {
            Some(format!("tried {} to {} {told}: {}", first.processes, last.processes, shown.join(", ")))
        }
        _ => None,
    }
}

/// Figures of fuzzing, for people.
pub(crate) fn statistics(figures: &FuzzingFigures, seconds: f64) -> String {
    format!(
        "\n{}, {}, depth {}, {} and {} of transitions covered, seed {}, {seconds:.2} s",
        count(figures.exploration.states, "state"),
        count(figures.exploration.transitions, "step"),
        figures.exploration.depth,
        count(figures.covered_transitions, "transition"),
        count(figures.covered_pairs, "pair"),
        figures.seed,
    )
}
