//! Answers of a session as text with colours.

mod reasons;
mod refusals;
mod runs;
mod states;
mod style;

use crate::output::count;
use ::step::{
    Answer, Arrival, Divergence, EnabledAction, Excerpt, Finding, Gap, Inconclusive, Judgement, Matter,
    Offence, Position, Resumed, Topic, Value, Vicinity, Watch, WatchChange,
};
use reasons::{choices, explanation};
pub(super) use refusals::refusal;
use runs::{moved, run};
use states::state;
use style::{VIOLATION, faint, heading, padded, painted, people, widest};

/// An answer in pages, shown one after the other on a terminal.
pub(super) fn pages(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::States { states } => states.iter().map(|view| state(view).join("\n")).collect(),
        Answer::Quit | Answer::Reload => vec![],
        other => vec![lines(other).join("\n")],
    }
}

fn lines(answer: &Answer) -> Vec<String> {
    match answer {
        Answer::Moved(view) => moved(view),
        Answer::Arrived(here) => arrived(here),
        Answer::Stuck(here) => or(judgement(here), "no transition is possible here"),
        Answer::Enabled { actions } => enabled(actions),
        Answer::State(view) => state(view),
        Answer::States { states } => states.iter().flat_map(state).collect(),
        Answer::Judged(here) => or(judgement(here), "nothing is wrong here"),
        Answer::Run(view) => run(view),
        Answer::Why { call, explanation: why } => explanation(call, why),
        Answer::WhyEach { choices: each } => choices(each),
        Answer::Interval { every: 1 } => vec!["every state is remembered".into()],
        Answer::Interval { every } => vec![format!("one state in {every} is remembered")],
        Answer::Saved { file, steps } => vec![format!("{} written to `{file}`", count(*steps, "step"))],
        Answer::Loaded { file, steps, remarks, here } => {
            let told = format!("{} from `{file}`", count(*steps, "step"));
            remarks.iter().cloned().chain([told]).chain(arrived(here)).collect()
        }
        Answer::NotFollowed { file, divergence: at, remarks } => {
            let told = format!("unknown: the run of `{file}` cannot be followed: {}", divergence(at));
            std::iter::once(told).chain(remarks.iter().cloned()).collect()
        }
        Answer::Resumed(resumed) => resume(resumed),
        Answer::Watching(Watch { expression, value: now }) => {
            vec![format!("watch: {expression} is {}", value(now))]
        }
        Answer::Watches { watches } if watches.is_empty() => vec!["nothing is watched".into()],
        Answer::Watches { watches } => {
            let line = |watch: &Watch| format!("{} is {}", watch.expression, value(&watch.value));
            numbered(watches.iter().map(line))
        }
        Answer::Unwatched { expressions } if expressions.is_empty() => vec!["nothing was watched".into()],
        Answer::Unwatched { expressions } => vec![format!("no longer watched: {}", quoted(expressions))],
        Answer::Value(Watch { value: now, .. }) => vec![value(now)],
        Answer::BreakpointSet(Watch { expression, value: now }) => {
            vec![format!("`continue` stops where {expression}; here it is {}", value(now))]
        }
        Answer::Breakpoints { formulas } if formulas.is_empty() => {
            vec!["there are no breakpoints".into()]
        }
        Answer::Breakpoints { formulas } => numbered(formulas.iter().cloned()),
        Answer::BreakpointsRemoved { formulas } if formulas.is_empty() => {
            vec!["there were no breakpoints".into()]
        }
        Answer::BreakpointsRemoved { formulas } => {
            vec![format!("breakpoints removed: {}", quoted(formulas))]
        }
        Answer::Listing { excerpts } => excerpts.iter().flat_map(listing).collect(),
        Answer::AlreadyThere => vec!["this is such a state already".into()],
        Answer::Unreachable { processes, states } => {
            let (processes, states) = (count(*processes, "process"), count(*states, "state"));
            vec![format!(
                "no such state can be reached from here with {processes}: all {states} were visited"
            )]
        }
        Answer::Inconclusive { states, why } => vec![format!("unknown: {}", inconclusive(*states, why))],
        Answer::NoneWrong(around) => vec![none_wrong(around)],
        Answer::Commands { commands } => list_of_commands(commands),
        Answer::Command(topic) => explained(topic),
        Answer::Refused { refusal: why } => vec![refusal(why)],
        Answer::Reload | Answer::Quit => vec![],
    }
}

/// Where the session is, in a few lines.
pub(super) fn arrived(here: &Arrival) -> Vec<String> {
    let place = match &here.position {
        Position { label: Some(label), step, .. } => format!("at step {step}, after {label}"),
        start => format!("at {}", beginning(start.initial, start.initials)),
    };
    std::iter::once(place).chain(judgement(&here.judgement)).chain(changes(&here.watches)).collect()
}

fn beginning(initial: usize, initials: usize) -> String {
    let which =
        if initials == 1 { String::new() } else { format!(", initial state {initial} of {initials}") };
    format!("the start{which}")
}

fn changes(watches: &[WatchChange]) -> Vec<String> {
    let line = |watch: &WatchChange| {
        let before = faint(&format!("(was {})", value(&watch.before)));
        format!("watch: {} is {} {before}", watch.expression, value(&watch.value))
    };
    watches.iter().map(line).collect()
}

fn value(value: &Value) -> String {
    match value {
        Value::Truth(truth) => truth.to_string(),
        Value::Term(text) => text.clone(),
        Value::Undefined(why) => format!("? ({why})"),
    }
}

/// What is wrong in a state, and what is not known.
fn judgement(here: &Judgement) -> Vec<String> {
    let line = |finding: &Finding| {
        let text = sentence(finding);
        if finding.violation { painted(&text, VIOLATION) } else { text }
    };
    let gap = here.gap.as_ref().map(|gap| match gap {
        Gap::Obstacle { reason } => format!("some steps cannot be evaluated here: {reason}"),
        Gap::Ranges => "every step from here leaves the given ranges".to_owned(),
    });
    here.findings.iter().map(line).chain(gap).collect()
}

fn sentence(finding: &Finding) -> String {
    let Finding { kind, name, .. } = finding;
    match &finding.matter {
        Matter::Property { processes } if processes.is_empty() => format!("{kind} `{name}` is violated"),
        Matter::Property { processes } => format!("{kind} `{name}` is violated with {}", people(processes)),
        Matter::ForbiddenStep { step, offence } => {
            let step = step.as_ref().map_or("a step".into(), |step| format!("`{step}`"));
            let why = match offence {
                Offence::Range => "would leave the range of a variable",
                Offence::Misuse => {
                    "would use a lock that the process does not own, or a value that is not a process"
                }
            };
            format!("{kind} `{name}`: {step} {why}")
        }
        Matter::Deadlock { blocked } => {
            let colon = if blocked.is_empty() { "" } else { ": " };
            let blocked: Vec<String> = blocked.iter().map(reasons::blocked).collect();
            format!("deadlock: nobody can go on{colon}{}", blocked.join(", "))
        }
        Matter::Told { message, lines } => {
            let lines: String = lines.iter().map(|line| format!("\n  {line}")).collect();
            format!("{message}{lines}")
        }
        Matter::End { nobody_waits: false } => "the run ends here: no transition is possible".into(),
        Matter::End { nobody_waits: true } => {
            "the run ends here: no transition is possible, and nobody waits".into()
        }
    }
}

fn enabled(actions: &[EnabledAction]) -> Vec<String> {
    let width = actions.len().to_string().len();
    actions.iter().map(|action| format!("{:>width$}  {}", action.number, action.label)).collect()
}

fn divergence(at: &Divergence) -> String {
    match at {
        Divergence::Start => "there is no such initial state".into(),
        Divergence::NotEnabled { step, label } => format!("step {step}, {label}, is not possible there"),
        Divergence::OtherState { step, label } => format!("step {step}, {label}, leads to another state"),
        Divergence::Fault { fault } => fault.clone(),
    }
}

fn resume(resumed: &Resumed) -> Vec<String> {
    let mut lines = vec![];
    if !resumed.same_start {
        lines.push("the initial state of the run does not exist any more; this is another one".to_owned());
    }
    let (steps, followed) = (resumed.steps, count(resumed.followed, "step"));
    lines.push(match &resumed.stopped_at {
        Some(label) => format!("{followed} of {steps} followed: {label} is not possible here"),
        None => format!("all of {} followed", count(steps, "step")),
    });
    let watch = |text: &String| format!("`{text}` has no meaning any more and is no longer watched");
    lines.extend(resumed.lost_watches.iter().map(watch));
    let breakpoint = |text: &String| format!("`{text}` has no meaning any more; the breakpoint is removed");
    lines.extend(resumed.lost_breakpoints.iter().map(breakpoint));
    lines.extend(judgement(&resumed.judgement));
    lines
}

fn inconclusive(states: usize, why: &Inconclusive) -> String {
    let visited = count(states, "state");
    match why {
        Inconclusive::Interrupted => format!("the search was interrupted; none of {visited} is one"),
        Inconclusive::Limit { limit } => format!("{limit}; none of {visited} is one"),
        Inconclusive::Ranges => format!(
            "no such state can be reached within the given ranges ({visited}), but they leave out some steps or values"
        ),
        Inconclusive::Obstacle { reason } => format!("{reason}; none of {visited} is one"),
        Inconclusive::Undefined => {
            format!(
                "none of {visited} is one, but in some of them the formula reads something that has no value"
            )
        }
        Inconclusive::Contradiction { what } => format!("the search contradicts itself: {what}"),
    }
}

fn none_wrong(around: &Vicinity) -> String {
    let (seen, within) = (seen(around), format!("within {}", count(around.depth, "step")));
    if around.complete {
        format!("{seen}: all that can be reached {within}; none is wrong")
    } else {
        format!("unknown: not all states {within} were visited; {seen}, and none is wrong")
    }
}

fn seen(around: &Vicinity) -> String {
    format!("{} seen, {} distinct", count(around.seen, "state"), around.distinct)
}

/// The lines of an item with their numbers.
fn listing(excerpt: &Excerpt) -> Vec<String> {
    let width = (excerpt.line + excerpt.lines.len()).saturating_sub(1).to_string().len();
    (excerpt.line..).zip(&excerpt.lines).map(|(number, line)| format!("{number:>width$}  {line}")).collect()
}

fn list_of_commands(commands: &[Topic]) -> Vec<String> {
    let width = widest(commands.iter().map(usage));
    let line = |topic: &Topic| format!("{}  {}", heading(&padded(&usage(topic), width)), topic.summary);
    let more = "`help COMMAND` explains one; most have a short name.".to_owned();
    commands.iter().map(line).chain([more]).collect()
}

fn explained(topic: &Topic) -> Vec<String> {
    let mut lines = vec![heading(&usage(topic)), topic.summary.to_owned(), topic.details.to_owned()];
    if !topic.aliases.is_empty() {
        lines.push(format!("also written: {}", topic.aliases.join(", ")));
    }
    lines
}

fn usage(topic: &Topic) -> String {
    format!("{} {}", topic.name, topic.arguments).trim_end().to_owned()
}

fn numbered(lines: impl Iterator<Item = String>) -> Vec<String> {
    (1..).zip(lines).map(|(number, line)| format!("{number}  {line}")).collect()
}

fn quoted(texts: &[String]) -> String {
    texts.iter().map(|text| format!("`{text}`")).collect::<Vec<_>>().join(", ")
}

/// The lines, or a sentence if there are none.
fn or(lines: Vec<String>, sentence: &str) -> Vec<String> {
    if lines.is_empty() { vec![sentence.to_owned()] } else { lines }
}
