//! Steps and runs, with the changes that they made.

use super::{
    beginning, changes, judgement, seen,
    style::{CHANGED, faint, heading, padded, painted, people, widest},
};
use crate::output::count;
use ::explore::Valuation;
use ::step::{MostSeen, Moved, Report, RunEnd, RunView, StepView, Stop};

/// Steps that were just taken, one in each line.
pub(super) fn moved(moved: &Moved) -> Vec<String> {
    let mut lines = moved.report.as_ref().map_or(vec![], |told| report(told, moved.processes));
    if moved.earlier > 0 {
        let earlier = count(moved.earlier, "earlier step");
        lines.push(faint(&format!("{earlier}; `trace` shows all")));
    }
    let width = widest(moved.steps.iter().map(title));
    let told = with_changes(&moved.from, &moved.steps, moved.processes);
    lines.extend(
        told.map(|(step, changes)| {
            format!("{}  {}", padded(&title(step), width), painted(&changes, CHANGED))
        }),
    );
    lines.extend(judgement(&moved.here.judgement));
    lines.extend(changes(&moved.here.watches));
    lines
}

/// The run as a table: marks, the step, enabled actions before and after, changes.
pub(super) fn run(run: &RunView) -> Vec<String> {
    let title_line =
        format!("{} from {}", count(run.steps.len(), "step"), beginning(run.initial, run.initials));
    let enabled = |step: &StepView| format!("{} -> {}", step.enabled_before, step.enabled_after);
    let start = run.enabled.to_string();
    let name_width = widest(run.steps.iter().map(title).chain(["start".into(), "step".into()]));
    let number_width = widest(run.steps.iter().map(enabled).chain([start.clone(), "enabled".into()]));
    let row = |marks: &str, name: &str, number: &str, changes: &str| {
        format!("{marks} {}  {}  {changes}", padded(name, name_width), padded(number, number_width))
    };
    let everything = faint(&told(&run.start, None, run.processes));
    let steps = with_changes(&run.start, &run.steps, run.processes)
        .map(|(step, changes)| row(&marks(step), &title(step), &enabled(step), &painted(&changes, CHANGED)));
    [title_line, heading(&row("  ", "step", "enabled", "changes")), row(" *", "start", &start, &everything)]
        .into_iter()
        .chain(steps)
        .chain([faint(
            "!: taken by hand; *: the state is remembered; enabled: number of actions before -> after",
        )])
        .chain(judgement(&run.judgement))
        .collect()
}

fn title(step: &StepView) -> String {
    format!("{} {}", step.number, step.label)
}

fn marks(step: &StepView) -> String {
    let mark = |on: bool, mark| if on { mark } else { ' ' };
    [mark(step.by_hand, '!'), mark(step.remembered, '*')].iter().collect()
}

/// Each step with what it changed.
fn with_changes<'v>(
    from: &'v Valuation,
    steps: &'v [StepView],
    processes: usize,
) -> impl Iterator<Item = (&'v StepView, String)> {
    let before = std::iter::once(from).chain(steps.iter().map(|step| &step.state));
    steps.iter().zip(before).map(move |(step, before)| (step, told(&step.state, Some(before), processes)))
}

/// The changes of a state against the one before, or all values: `Taken = True; #1: Loc = Critical`.
fn told(state: &Valuation, before: Option<&Valuation>, processes: usize) -> String {
    let told = by_owner(state, before, processes);
    if told.is_empty() { "nothing changes".into() } else { told.join("; ") }
}

/// What is shared, then what belongs to each process.
fn by_owner(state: &Valuation, before: Option<&Valuation>, processes: usize) -> Vec<String> {
    let lanes = render::entries(state, before.map(Vec::as_slice), processes);
    let lane = |(at, words): (usize, &Vec<String>)| {
        let words = words.join(", ");
        if at == 0 { words } else { format!("{}: {words}", people(&[at - 1])) }
    };
    lanes.iter().enumerate().filter(|(_, words)| !words.is_empty()).map(lane).collect()
}

fn report(report: &Report, processes: usize) -> Vec<String> {
    match report {
        Report::Execute { runs, seen, distinct, most_seen: most, end, steps, .. } => {
            let (seen, steps) = (count(*seen, "state"), count(*steps, "step"));
            let title = format!("{}: {seen} seen, {distinct} distinct", count(*runs, "run"));
            let last = format!("run {runs} {} after {steps}", ended(*end));
            let most = most.as_ref().map(|most| most_seen(most, processes));
            std::iter::once(title).chain(most).chain([last]).collect()
        }
        Report::Breadth { vicinity, steps } => {
            vec![format!("{}; the nearest wrong one is {} away", seen(vicinity), count(*steps, "step"))]
        }
        Report::Goto { steps, states } => {
            vec![format!("found, {} away ({} visited)", count(*steps, "step"), count(*states, "state"))]
        }
        Report::Continue { steps, stop } => vec![stopped(*steps, stop)],
    }
}

fn ended(end: RunEnd) -> &'static str {
    match end {
        RunEnd::Violation => "stopped at something wrong",
        RunEnd::Final => "came to its end",
        RunEnd::NoAction => "ended without an enabled action",
        RunEnd::Length => "ended",
        RunEnd::Interrupted => "interrupted",
    }
}

fn stopped(steps: usize, stop: &Stop) -> String {
    let steps = count(steps, "step");
    match stop {
        Stop::Breakpoint { formula } => format!("stopped after {steps}: {formula}"),
        Stop::Violation => format!("stopped after {steps}: something is wrong"),
        Stop::NoAction => format!("stopped after {steps}: nothing is possible here"),
        Stop::Length => format!("{steps}, and no reason to stop"),
    }
}

/// Longer states are shown in a line for each process.
const LONGEST_STATE: usize = 100;

fn most_seen(most: &MostSeen, processes: usize) -> String {
    let told = by_owner(&most.state, None, processes);
    let (short, times) = (told.join("; "), count(most.times, "time"));
    if short.chars().count() <= LONGEST_STATE {
        format!("seen most, {times}: {short}")
    } else {
        format!("seen most, {times}:\n  {}", told.join("\n  "))
    }
}
