//! Checking an object in an ordinary test: [`assert_holds!`](crate::assert_holds), [`assert_implements!`](crate::assert_implements).

use crate::{
    Behaviour, Explored, Implementation, Object, Property, Protocol, Runs, StateGraph, Style, Value, check,
    compare,
};
use explore::{Limits, Verdict};
use session::Core;
use source::{Source, render};

/// The most states that a test visits.
const MOST_STATES: usize = 1_000_000;

fn limits() -> Limits {
    Limits { states: Some(MOST_STATES), ..Limits::default() }
}

/// Whether a temporal property holds of all runs of an object; if not, a text with a run that violates it.
pub fn holds<C: Core>(core: C, formula: &str) -> Result<(), String> {
    let object = Object::new(core, None);
    let property = Property::parse(formula, object.vocabulary())
        .map_err(|error| render(&Source::new("formula", formula.to_owned()), &error, source::Style::Plain))?;
    let explored = Explored::new(&object, &limits());
    let judgement = check(&object, &explored, &property, Runs::default(), None);
    match (judgement.verdict, judgement.violation) {
        (Verdict::Holds, _) => Ok(()),
        (_, Some(violation)) => {
            let steps = |from: usize, to: usize| -> String {
                violation.trace.steps[from..to].iter().map(|step| format!("\n    {}", step.label)).collect()
            };
            let last = violation.trace.steps.len();
            let back = violation.trace.back.unwrap_or(last);
            let cycle =
                if back < last { format!("\n  for ever:{}", steps(back, last)) } else { String::new() };
            Err(format!(
                "`{formula}` is violated by this run:{}{cycle}\n  {}",
                steps(0, back),
                violation.message
            ))
        }
        _ => Err(format!("`{formula}` is not decided: {:?} {:?}", judgement.open, explored.incomplete)),
    }
}

/// The state graph of a session in a text, with values as they are written on the command line.
pub fn specification(text: &str, session: Option<&str>, values: &[&str]) -> Result<StateGraph, String> {
    let source = Source::new("protocol", text.to_owned());
    let loaded = Protocol::load(&source);
    let messages = || {
        let all = loaded.diagnostics.sorted();
        all.iter().map(|it| render(&source, it, source::Style::Plain)).collect::<String>()
    };
    let Some(protocol) = &loaded.protocol else { return Err(messages()) };
    let values = values.iter().map(|value| protocol.value(value)).collect::<Result<Vec<Value>, _>>()?;
    let session = protocol.session(session, values.len())?;
    protocol
        .graph(session, values, &limits())
        .map_err(|reason| format!("the protocol has no states: {reason:?}"))
}

/// Whether an object has all runs of its protocol, never gets stuck, and, if that is asked for, has no others.
pub fn implements<C: Core>(core: C, graph: &StateGraph, exactly: bool) -> Result<(), String> {
    let specification =
        Implementation::new(graph, Style::Spec).map_err(|_| "the protocol is too large".to_owned())?;
    let object = Object::new(core, Some(&graph.vocabulary));
    let vocabulary = object.vocabulary();
    let comparison = compare(&specification, &object, &limits());
    let told = |difference: &crate::Difference| -> String {
        let steps = difference.trace.iter().chain(&difference.action);
        let end = if difference.action.is_none() { "\n    END" } else { "" };
        steps.map(|action| format!("\n    {}", vocabulary.text(action))).collect::<String>() + end
    };
    if let Some(lost) = comparison.lost.first() {
        return Err(format!("a run of the protocol is lost:{}", told(lost)));
    }
    if let Some(added) = comparison.added.first().filter(|_| exactly) {
        return Err(format!("a run is added:{}", told(added)));
    }
    if let Some(reason) = comparison.incomplete {
        return Err(format!("not all runs were compared: {reason:?}"));
    }
    let explored = Explored::new(&object, &limits());
    let stuck = explored.deadlock().map(|state| {
        let way = explored.way_to(state).into_iter();
        way.map(|at| format!("\n    {}", vocabulary.text(&explored.actions[at as usize]))).collect::<String>()
    });
    match (stuck, explored.incomplete) {
        (Some(way), _) => Err(format!("a run gets stuck:{way}")),
        (None, Some(reason)) => Err(format!("not all states were visited: {reason:?}")),
        (None, None) => Ok(()),
    }
}

/// Asserts that a temporal property holds of all runs of an object that implements [`Core`].
#[macro_export]
macro_rules! assert_holds {
    ($core:expr, $formula:expr) => {
        if let Err(reason) = $crate::holds($core, $formula) {
            panic!("{reason}");
        }
    };
}

/// Asserts that an object has all runs of a session of a protocol, and never gets stuck: `assert_implements!(core(), include_str!("chess.dcj"))`,
/// or with a session and its values: `assert_implements!(core(), include_str!("tokens.dcj"), "ring", ["4"])`.
#[macro_export]
macro_rules! assert_implements {
    ($core:expr, $text:expr) => {
        $crate::assert_implements!(@ $core, $text, None, &[])
    };
    ($core:expr, $text:expr, $session:expr, [$($value:expr),*]) => {
        $crate::assert_implements!(@ $core, $text, Some($session), &[$($value),*])
    };
    (@ $core:expr, $text:expr, $session:expr, $values:expr) => {
        let checked = $crate::specification($text, $session, $values)
            .and_then(|graph| $crate::implements($core, &graph, false));
        if let Err(reason) = checked {
            panic!("{reason}");
        }
    };
}
