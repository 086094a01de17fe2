//! A state beside the one before it: changed values stand out, with their old values.

use super::{
    beginning, judgement,
    style::{CHANGED, changed, faint, heading, padded, painted, people, widest},
};
use crate::output::count;
use ::explore::{Entry, Subject, Value};
use ::step::{Activity, ProcessStatus, Resource, ResourceKind, StateView, Status};
use render::Row;

pub(super) fn state(view: &StateView) -> Vec<String> {
    let position = &view.position;
    let title = match &position.label {
        None => format!("at {}", beginning(position.initial, position.initials)),
        Some(label) => format!("step {}, after {label}", position.step),
    };
    let title = format!("{title}: {}", count(view.enabled, "enabled action"));
    let status = status(&view.status, view.before.as_ref());
    std::iter::once(title).chain(status).chain(judgement(&view.judgement)).collect()
}

fn status(now: &Status, before: Option<&Status>) -> Vec<String> {
    let has_threads = now.processes.iter().any(|process| process.name.is_some());
    let mut lines = vec![heading(if has_threads { "threads" } else { "processes" })];
    let name = |(at, process): (usize, &ProcessStatus)| process.name.clone().unwrap_or_else(|| people(&[at]));
    let names: Vec<String> = now.processes.iter().enumerate().map(name).collect();
    let kinds = widest(now.processes.iter().map(|process| process.kind.clone().unwrap_or_default()));
    let cells = cells(now, before);
    for (at, process) in now.processes.iter().enumerate() {
        // Threads are created on the way.
        let old = before.and_then(|before| before.processes.get(at)).map(activity_of);
        let activity = changed(&activity_of(process), old.as_deref());
        let kind = process.kind.as_deref().unwrap_or_default();
        let kind = if kinds == 0 { String::new() } else { format!("{}  ", padded(kind, kinds)) };
        let name = padded(&names[at], widest(names.iter().cloned()));
        let own: Vec<String> = cells.iter().filter(|cell| cell.lane == at + 1).map(text).collect();
        let own = if own.is_empty() { String::new() } else { format!("; {}", own.join(", ")) };
        let reads = reads(now, at);
        lines.push(format!("  {name}  {kind}{activity}{own}{reads}"));
    }
    let shared: Vec<String> = cells.iter().filter(|cell| cell.lane == 0).map(text).collect();
    if !shared.is_empty() {
        lines.push(heading("shared"));
        lines.extend(shared.iter().map(|text| format!("  {text}")));
    }
    lines.extend(resources(now, before));
    lines
}

/// What a process reads from its own store buffer, where memory has something else or will get something else.
fn reads(now: &Status, process: usize) -> String {
    let mut seen: Vec<(String, String)> = Vec::new();
    for entry in now.variables.iter().filter(|entry| entry.subject == Subject::Buffer(process)) {
        let Value::Buffer(entries) = &entry.value else { continue };
        for stored in entries.iter().flat_map(|entry| &entry.stores) {
            let (location, value) = (stored.variable.to_string(), stored.value.to_string());
            seen.retain(|(known, _)| *known != location);
            seen.push((location, value));
        }
    }
    let texts: Vec<String> = seen.iter().map(|(location, value)| format!("{location} = {value}")).collect();
    if texts.is_empty() { String::new() } else { format!("; reads {}", texts.join(", ")) }
}

/// What a process does, and what it will do.
fn activity_of(process: &ProcessStatus) -> String {
    let next = process.next.as_ref().map_or(String::new(), |next| format!(": {next}"));
    format!("{}{next}", activity(&process.activity))
}

fn activity(activity: &Activity) -> String {
    let place =
        |ahead: &Option<usize>| ahead.map_or(String::new(), |ahead| format!(" at place {}", ahead + 1));
    match activity {
        Activity::Active => "active".into(),
        Activity::Ended => "ended".into(),
        Activity::Suspended { on, ahead } => format!("suspended, waits for {on}{}", place(ahead)),
        Activity::Asleep { on, ahead } => format!("asleep on {on}{}", place(ahead)),
    }
}

fn resources(now: &Status, before: Option<&Status>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut listed = None;
    let width = widest(now.resources.iter().map(|resource| resource.name.clone()));
    for (at, resource) in now.resources.iter().enumerate() {
        if listed != Some(resource.kind) {
            listed = Some(resource.kind);
            lines.push(heading(plural(resource.kind)));
        }
        let old = before.map(|before| holders(&before.resources[at]));
        let text = changed(&holders(resource), old.as_deref());
        lines.push(format!("  {}  {text}", padded(&resource.name, width)));
    }
    lines
}

fn plural(kind: ResourceKind) -> &'static str {
    match kind {
        ResourceKind::Lock => "locks",
        ResourceKind::Condition => "conditions",
        ResourceKind::Semaphore => "semaphores",
    }
}

/// The owner of a resource, and the processes that wait for it.
fn holders(resource: &Resource) -> String {
    let held = match (resource.kind, resource.owner, resource.count.as_deref()) {
        (ResourceKind::Semaphore, _, value) => format!("value {}", value.unwrap_or("?")),
        (_, None, _) => "free".to_owned(),
        (_, Some(owner), None | Some("1")) => format!("owner {}", people(&[owner])),
        (_, Some(owner), Some(times)) => format!("owner {}, acquired {times} times", people(&[owner])),
    };
    let waiting = queue(&resource.waiting, "waits", "wait");
    let asleep = queue(&resource.asleep, "sleeps", "sleep");
    format!("{held}{waiting}{asleep}")
}

fn queue(processes: &[usize], one: &str, many: &str) -> String {
    match processes {
        [] => String::new(),
        [process] => format!("; {} {one}", people(&[*process])),
        several => format!("; {} {many}", people(several)),
    }
}

/// Everything in a state by lanes, with the values before where they were different.
fn cells<'s>(now: &'s Status, before: Option<&'s Status>) -> Vec<Row<'s, Option<&'s Value>>> {
    let old = |at: usize, entry: &Entry| {
        let old = before.map(|before| &before.variables[at].value);
        old.filter(|old| **old != entry.value)
    };
    let entries = now.variables.iter().enumerate().map(|(at, entry)| (entry, old(at, entry)));
    render::rows(&now.variables, entries.collect(), now.processes.len())
}

fn text(cell: &Row<'_, Option<&Value>>) -> String {
    let text = format!("{} = {}", cell.name, cell.value);
    match cell.key {
        Some(old) => format!("{} {}", painted(&text, CHANGED), faint(&format!("(was {old})"))),
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ::step::ProcessStatus;

    fn plain(lines: &[String]) -> Vec<String> {
        let strip = |line: &String| {
            let mut parts = line.split('\x1b');
            let first = parts.next().unwrap_or("").to_owned();
            first + &parts.map(|part| part.split_once('m').expect("a colour").1).collect::<String>()
        };
        lines.iter().map(strip).collect()
    }

    fn state(values: [&str; 5], owner: Option<usize>) -> Status {
        let cells: [(&str, &[usize]); 5] =
            [("Open", &[]), ("Loc", &[0]), ("Loc", &[1]), ("M", &[0, 0]), ("M", &[0, 1])];
        let process = |kind: &str| ProcessStatus {
            name: None,
            kind: Some(kind.into()),
            activity: Activity::Active,
            next: None,
        };
        let variables = cells.iter().zip(values);
        let variables = variables.map(|((name, at), value)| Entry::cell(*name, at, Value::word(value)));
        Status {
            processes: vec![process("guest"), process("cook")],
            variables: variables.collect(),
            resources: vec![Resource {
                kind: ResourceKind::Lock,
                name: "Door".into(),
                owner,
                count: None,
                waiting: vec![],
                asleep: vec![],
            }],
        }
    }

    #[test]
    fn the_state_tells_what_has_changed_and_what_it_was() {
        let before = state(["True", "In", "In", "0", "0"], None);
        let now = state(["True", "Out", "In", "0", "0"], Some(0));
        assert_eq!(
            plain(&status(&now, Some(&before))),
            [
                "processes",
                "  #1  guest  active; Loc = Out (was In), M[#1,*] = 0",
                "  #2  cook   active; Loc = In",
                "shared",
                "  Open = True",
                "locks",
                "  Door  owner #1 (was: free)",
            ]
        );
        let lines = status(&now, Some(&before));
        assert!(lines[1].contains(&painted("Loc = Out", CHANGED)), "{}", lines[1]);
    }

    #[test]
    fn cells_of_a_row_that_change_alike_share_an_entry() {
        let before = state(["True", "In", "In", "0", "0"], None);
        let now = state(["True", "In", "In", "0", "1"], None);
        assert!(plain(&status(&now, Some(&before)))[1].ends_with("M[#1,#1] = 0, M[#1,#2] = 1 (was 0)"));
    }
}
