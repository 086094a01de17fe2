//! Why a transition is enabled or not, in sentences.

use super::style::people;
use crate::output::count;
use ::step::{Activity, Blocked, Call, Choice, Evidence, Explanation, Offence, Reason, Role, TermValue};

pub(super) fn explanation(call: &Call, explanation: &Explanation) -> Vec<String> {
    match explanation {
        Explanation::Enabled { actions } if actions.len() == 1 => {
            vec![format!("`{}` is possible here", actions[0])]
        }
        Explanation::Enabled { actions } => {
            let title = format!("`{call}` is possible here, in several ways:");
            std::iter::once(title).chain(actions.iter().map(|label| format!("  {label}"))).collect()
        }
        Explanation::Disabled { reasons } => vec![not_enabled(call, reasons)],
    }
}

pub(super) fn not_enabled(call: &Call, reasons: &[Reason]) -> String {
    let reasons: Vec<String> = sentences(reasons).iter().map(|reason| format!("  {reason}")).collect();
    format!("`{call}` is not possible here:\n{}", reasons.join("\n"))
}

/// Which choices are enabled; the others are grouped by their reasons.
pub(super) fn choices(choices: &[Choice]) -> Vec<String> {
    let (mut enabled, mut disabled) = (vec![], Vec::<(Vec<String>, Vec<String>)>::new());
    for Choice { call, explanation } in choices {
        match explanation {
            Explanation::Enabled { actions } => enabled.extend(actions),
            Explanation::Disabled { reasons } => {
                let reasons = sentences(reasons);
                match disabled.iter_mut().find(|(known, _)| *known == reasons) {
                    Some((_, calls)) => calls.push(call.to_string()),
                    None => disabled.push((reasons, vec![call.to_string()])),
                }
            }
        }
    }
    let others: usize = disabled.iter().map(|(_, calls)| calls.len()).sum();
    let title = format!("possible for {} of {}", choices.len() - others, count(choices.len(), "choice"));
    let enabled = enabled.iter().map(|label| format!("  {label}: possible"));
    let disabled =
        disabled.iter().map(|(reasons, calls)| format!("  {}: {}", calls.join(", "), reasons.join("; ")));
    std::iter::once(title).chain(enabled).chain(disabled).collect()
}

/// The reasons one by one. Reasons that differ only by where they come from read alike and are told once.
fn sentences(reasons: &[Reason]) -> Vec<String> {
    let mut sentences: Vec<String> = reasons
        .iter()
        .flat_map(|reason| match reason {
            Reason::Cases { cases } => {
                let mut all: Vec<String> = cases.iter().flat_map(|case| self::sentences(case)).collect();
                all.sort();
                all.dedup();
                all
            }
            other => vec![sentence(other)],
        })
        .collect();
    sentences.dedup();
    sentences
}

fn sentence(reason: &Reason) -> String {
    match reason {
        Reason::False { condition, evidence: why, .. } => format!("`{condition}` is false{}", evidence(why)),
        Reason::Undefined { condition, why, .. } => format!("`{condition}` cannot be evaluated: {why}"),
        Reason::Kind { process, expected, actual } => {
            format!("{} is not a {expected}, but a {actual}", people(&[*process]))
        }
        Reason::Blocked { process, activity } => {
            let what = match activity {
                Activity::Active => "active".to_owned(),
                Activity::Ended => "at its end".to_owned(),
                Activity::Suspended { on, .. } => format!("suspended: it waits for {on}"),
                Activity::Asleep { on, .. } => format!("asleep on {on}"),
            };
            format!("{} is {what}", people(&[*process]))
        }
        Reason::Repeated { process } => {
            let process = people(&[*process]);
            format!("its parameters stand for different processes, but {process} is given twice")
        }
        Reason::NobodyToWake => "there is no process that it could wake".into(),
        Reason::Forbidden { property, offence, .. } => {
            let what = match offence {
                Offence::Range => "assign a value outside of its range",
                Offence::Misuse => "be a misuse",
            };
            format!("the step would {what} (`{property}`), and the run ends here")
        }
        Reason::NoSuchChoice { choice } => format!("there is no choice {choice}"),
        Reason::Ranges => "its conditions hold, but it leads out of the given ranges".into(),
        Reason::Obstacle { why } | Reason::Told { why, .. } => why.clone(),
        Reason::Cases { .. } => sentences(std::slice::from_ref(reason)).join("; "),
    }
}

fn evidence(evidence: &Evidence) -> String {
    match evidence {
        Evidence::Values { values } => told(values),
        Evidence::Counterexample { roles, values } => {
            let role = |role: &Role| format!("{} = {}", role.variable, people(&[role.process]));
            let roles: Vec<String> = roles.iter().map(role).collect();
            format!(" for {}{}", roles.join(", "), told(values))
        }
        Evidence::NoWitness => ": it holds for no process".into(),
    }
}

fn told(values: &[TermValue]) -> String {
    let values: Vec<String> =
        values.iter().map(|TermValue { term, value }| format!("{term} is {value}")).collect();
    if values.is_empty() { String::new() } else { format!(": {}", values.join(", ")) }
}

/// `#1 waits for Fork[#2]`
pub(super) fn blocked(blocked: &Blocked) -> String {
    let what = match &blocked.activity {
        Activity::Active => "is active".to_owned(),
        Activity::Ended => "is at its end".to_owned(),
        Activity::Suspended { on, .. } => format!("waits for {on}"),
        Activity::Asleep { on, .. } => format!("sleeps on {on}"),
    };
    format!("{} {what}", people(&[blocked.process]))
}
