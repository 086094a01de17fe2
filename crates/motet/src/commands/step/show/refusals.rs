//! Why a command was refused, in sentences.

use super::{
    quoted,
    reasons::not_enabled,
    style::{ERROR, people},
    value,
};
use crate::output::count;
use ::step::Refusal;
use source::{Diagnostic, Source, Style, render};

pub(in crate::commands::step) fn refusal(refusal: &Refusal) -> String {
    format!("{ERROR}error{ERROR:#}: {}", sentence(refusal))
}

fn sentence(refusal: &Refusal) -> String {
    match refusal {
        Refusal::UnknownCommand { name, suggestion } => format!(
            "there is no command and no transition `{name}`{} (`help` lists all commands)",
            did_you_mean(suggestion.as_deref())
        ),
        Refusal::Usage { command, arguments: "" } => format!("`{command}` takes no arguments"),
        Refusal::Usage { command, arguments } => {
            format!("the usage is `{command} {arguments}`; `help {command}` explains it")
        }
        Refusal::RunTooLong { most } => format!("a run has at most {most} steps"),
        Refusal::NotACall { text } => {
            format!("`{text}` is not a transition with its processes; write `name(#1, #2)`")
        }
        Refusal::NotAProcess { word } => {
            format!("`{word}` is not a process; processes are written `#1`, `#2`, …")
        }
        Refusal::UnknownTopic { name, suggestion } => {
            format!("there is no command `{name}`{}", did_you_mean(suggestion.as_deref()))
        }
        Refusal::UnknownTransition { name, suggestion } => {
            format!("there is no transition `{name}`{}", did_you_mean(suggestion.as_deref()))
        }
        Refusal::UnknownItem { name, suggestion } => {
            format!("there is no transition and no property `{name}`{}", did_you_mean(suggestion.as_deref()))
        }
        Refusal::Arity { name, parameters } => arity(name, parameters),
        Refusal::NoSuchProcess { process, processes } => {
            format!("there is no process {}; there are {}", people(&[*process]), count(*processes, "process"))
        }
        Refusal::NotEnabled { call, reasons } => not_enabled(call, reasons),
        Refusal::Ambiguous { call, actions } => {
            format!("`{call}` may be one of several; say which: {}", quoted(actions))
        }
        Refusal::NoneTaken { number, of, cause } => {
            format!("nothing was done, because of transition {number} of {of}: {}", sentence(cause))
        }
        Refusal::NoSuchAction { enabled } => {
            format!("there {} {} here; `all` lists them", verb(*enabled), count(*enabled, "enabled action"))
        }
        Refusal::NoSuchInitialState { initials: 1 } => "there is only one initial state".into(),
        Refusal::NoSuchInitialState { initials } => {
            format!("there are {}", count(*initials, "initial state"))
        }
        Refusal::NoSuchStep { step, steps } => {
            format!("the run has {}; there is no step {step}", count(*steps, "step"))
        }
        Refusal::NoSuchUndo { moves } => no_move(*moves, "undone"),
        Refusal::NoSuchRedo { moves } => no_move(*moves, "made again"),
        Refusal::NoSuchBreakpoint { breakpoints } => {
            format!("there {} {}", verb(*breakpoints), count(*breakpoints, "breakpoint"))
        }
        Refusal::NoSuchWatch { watches } => {
            format!("there {} {}", verb(*watches), count(*watches, "watched expression"))
        }
        Refusal::NoInterval => "the number must be at least 1".into(),
        Refusal::NoStepYet => "no step was taken yet; give a name: `list NAME`".into(),
        Refusal::NotAFormula { expression, value: found } => {
            format!("`{expression}` is neither true nor false: it is {}", value(found))
        }
        Refusal::Expression { text, origin, diagnostics } => meaningless(text, origin, diagnostics),
        Refusal::Unanswerable { why } | Refusal::File { why } => why.clone(),
        Refusal::Fault { fault } => fault.clone(),
        Refusal::Lost { cause, fault } => format!("{}; {fault}", sentence(cause)),
    }
}

fn verb(number: usize) -> &'static str {
    if number == 1 { "is" } else { "are" }
}

fn did_you_mean(suggestion: Option<&str>) -> String {
    suggestion.map_or(String::new(), |near| format!("; did you mean `{near}`?"))
}

fn arity(name: &str, parameters: &[String]) -> String {
    let many = if parameters.is_empty() { "no process".into() } else { count(parameters.len(), "process") };
    format!("`{name}` takes {many}: it is declared as `{name}({})`", parameters.join(", "))
}

fn no_move(moves: usize, what: &str) -> String {
    if moves == 0 {
        format!("there is no move that could be {what}")
    } else {
        format!("{} can be {what}", count(moves, "move"))
    }
}

/// What is wrong with an expression, pointing into it.
fn meaningless(text: &str, origin: &str, diagnostics: &[Diagnostic]) -> String {
    let source = Source::new(origin, text.to_owned());
    let messages: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| render(&source, diagnostic, Style::Coloured).trim_end().to_owned())
        .collect();
    format!("`{text}` has no meaning here\n{}", messages.join("\n"))
}
