//! Answers in words and lines: steps, the run, the state.

use crate::{Status, words::people};
use anstyle::{AnsiColor, Style};
use explore::Valuation;

/// Something went wrong with a command.
pub(crate) const ERROR: Style = AnsiColor::Red.on_default().bold();
/// Something is wrong with a state.
pub(crate) const WRONG: Style = AnsiColor::Red.on_default().bold();
/// What has just changed.
const CHANGED: Style = AnsiColor::Cyan.on_default().bold();
const HEADING: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();

pub(crate) fn painted(text: &str, style: Style) -> String {
    if text.is_empty() { String::new() } else { format!("{style}{text}{style:#}") }
}

pub(crate) fn heading(text: &str) -> String {
    painted(text, HEADING)
}

pub(crate) fn faint(text: &str) -> String {
    painted(text, FAINT)
}

/// A step of the run, ready to be shown.
#[derive(Debug)]
pub(crate) struct Record {
    pub(crate) number: usize,
    /// The exit that was taken; none for the start.
    pub(crate) label: Option<String>,
    /// The number of exits before and after.
    pub(crate) exits: (usize, usize),
    pub(crate) by_hand: bool,
    pub(crate) remembered: bool,
    /// What the step changed, or what there is at the start.
    pub(crate) changes: String,
}

impl Record {
    fn title(&self) -> String {
        self.label.as_ref().map_or("start".into(), |label| format!("{} {label}", self.number))
    }

    fn exits(&self) -> String {
        let (before, after) = self.exits;
        if self.label.is_none() { format!("{after}") } else { format!("{before} -> {after}") }
    }

    fn marks(&self) -> String {
        let mark = |on: bool, mark| if on { mark } else { ' ' };
        [mark(self.by_hand, '!'), mark(self.remembered, '*')].iter().collect()
    }
}

/// What a state has to show against the one before, or everything: `Taken = True; #1: Loc = Critical`.
pub(crate) fn changes(state: &Valuation, before: Option<&Valuation>, processes: usize) -> String {
    let told = lanes(state, before, processes);
    if told.is_empty() { "nothing changes".into() } else { told.join("; ") }
}

/// Longer states are shown in a line for each process.
const LINE: usize = 100;

/// A whole state, to be put behind a colon.
pub(crate) fn whole(state: &Valuation, processes: usize) -> String {
    let told = lanes(state, None, processes);
    let short = told.join("; ");
    if short.chars().count() <= LINE { format!(" {short}") } else { format!("\n  {}", told.join("\n  ")) }
}

/// What is shared, then what belongs to each process.
fn lanes(state: &Valuation, before: Option<&Valuation>, processes: usize) -> Vec<String> {
    let lanes = render::entries(state, before, processes);
    let lane = |(at, words): (usize, &Vec<String>)| {
        let words = words.join(", ");
        if at == 0 { words } else { format!("{}: {words}", people(&[at - 1])) }
    };
    lanes.iter().enumerate().filter(|(_, words)| !words.is_empty()).map(lane).collect()
}

/// Steps that were just taken, one in each line.
pub(crate) fn steps(records: &[Record]) -> Vec<String> {
    let width = widest(records.iter().map(Record::title));
    records.iter().map(|record| step_line(record, width)).collect()
}

fn step_line(record: &Record, width: usize) -> String {
    format!("{}  {}", padded(&record.title(), width), painted(&record.changes, CHANGED))
}

/// The run as a table: marks, the step, exits before and after, changes.
pub(crate) fn table(records: &[Record]) -> Vec<String> {
    let title = widest(records.iter().map(Record::title)).max("step".len());
    let exits = widest(records.iter().map(Record::exits)).max("exits".len());
    let header = format!("   {}  {}  changes", padded("step", title), padded("exits", exits));
    let row = |record: &Record| {
        let (name, number) = (padded(&record.title(), title), padded(&record.exits(), exits));
        let changes =
            if record.label.is_none() { faint(&record.changes) } else { painted(&record.changes, CHANGED) };
        format!("{} {name}  {number}  {changes}", record.marks())
    };
    let legend = faint("!: taken by hand; *: the state is remembered; exits: before -> after");
    std::iter::once(heading(&header)).chain(records.iter().map(row)).chain([legend]).collect()
}

/// The state, beside that before the last step: what has changed stands out, and tells what it was.
pub(crate) fn status(now: &Status, before: Option<&Status>) -> Vec<String> {
    let mut lines = vec![heading("processes")];
    let names: Vec<String> = (0..now.processes.len()).map(|at| people(&[at])).collect();
    let kinds = widest(now.processes.iter().map(|process| process.kind.clone().unwrap_or_default()));
    let cells = cells(now, before);
    for (at, process) in now.processes.iter().enumerate() {
        let old = before.map(|before| before.processes[at].activity.as_str());
        let activity = changed(&process.activity, old);
        let kind = process.kind.as_deref().unwrap_or_default();
        let kind = if kinds == 0 { String::new() } else { format!("{}  ", padded(kind, kinds)) };
        let name = padded(&names[at], widest(names.iter().cloned()));
        let own: Vec<String> = cells.iter().filter(|cell| cell.lane == at + 1).map(Cell::text).collect();
        let own = if own.is_empty() { String::new() } else { format!("; {}", own.join(", ")) };
        lines.push(format!("  {name}  {kind}{activity}{own}"));
    }
    let shared: Vec<String> = cells.iter().filter(|cell| cell.lane == 0).map(Cell::text).collect();
    if !shared.is_empty() {
        lines.push(heading("shared"));
        lines.extend(shared.iter().map(|text| format!("  {text}")));
    }
    lines.extend(resources(now, before));
    lines
}

fn resources(now: &Status, before: Option<&Status>) -> Vec<String> {
    let mut lines = Vec::new();
    let mut group = "";
    let width = widest(now.resources.iter().map(|resource| resource.name.clone()));
    for (at, resource) in now.resources.iter().enumerate() {
        if resource.group != group {
            group = resource.group;
            lines.push(heading(group));
        }
        let old = before.map(|before| before.resources[at].text.as_str());
        lines.push(format!("  {}  {}", padded(&resource.name, width), changed(&resource.text, old)));
    }
    lines
}

/// A text that stands out if it has changed, with what it was.
fn changed(text: &str, old: Option<&str>) -> String {
    match old.filter(|old| *old != text) {
        Some(old) => format!("{} {}", painted(text, CHANGED), faint(&format!("(was: {old})"))),
        None => text.to_owned(),
    }
}

/// A variable, a cell of a process, or several cells of one row with the same value.
struct Cell {
    /// 0 for what is shared, k for process #k.
    lane: usize,
    name: String,
    value: String,
    /// The value before, if it was another.
    old: Option<String>,
}

impl Cell {
    fn text(&self) -> String {
        let text = format!("{} = {}", self.name, self.value);
        match &self.old {
            Some(old) => format!("{} {}", painted(&text, CHANGED), faint(&format!("(was {old})"))),
            None => text,
        }
    }
}

/// A cell belongs to the process of its first index. Of several cells in a row those are joined that are alike.
fn cells(now: &Status, before: Option<&Status>) -> Vec<Cell> {
    let mut cells: Vec<Cell> = Vec::new();
    let mut rows: Vec<(String, Vec<String>)> = Vec::new();
    for (at, (name, value)) in now.variables.iter().enumerate() {
        let old = before.map(|before| before.variables[at].1.clone()).filter(|old| old != value);
        let (lane, array, columns) = place(name);
        let row = format!("{lane} {array} {value} {old:?}");
        let known = rows.iter().position(|(known, _)| columns.is_some() && *known == row);
        match (known, columns) {
            (Some(at), Some(column)) => rows[at].1.push(column),
            (_, column) => {
                rows.push((row, column.into_iter().collect()));
                cells.push(Cell { lane, name: array, value: value.clone(), old });
            }
        }
    }
    for (cell, (_, columns)) in cells.iter_mut().zip(rows) {
        if !columns.is_empty() {
            let all = columns.len() == now.processes.len();
            let columns = if all { "*".to_owned() } else { columns.join(" ") };
            cell.name = format!("{}[{},{columns}]", cell.name, people(&[cell.lane - 1]));
        }
    }
    cells
}

/// The lane, the name there, and the second index of a cell of two.
fn place(name: &str) -> (usize, String, Option<String>) {
    let shared = (0, name.to_owned(), None);
    let Some((array, indices)) = name.strip_suffix(']').and_then(|name| name.split_once('[')) else {
        return shared;
    };
    let indices: Vec<&str> = indices.split(',').collect();
    let Some(lane) = indices[0].strip_prefix('#').and_then(|number| number.parse().ok()) else {
        return shared;
    };
    match indices[..] {
        [_] => (lane, array.to_owned(), None),
        [_, column] => (lane, array.to_owned(), Some(column.to_owned())),
        _ => (lane, name.to_owned(), None),
    }
}

pub(crate) fn padded(text: &str, width: usize) -> String {
    let missing = width.saturating_sub(text.chars().count());
    format!("{text}{}", " ".repeat(missing))
}

pub(crate) fn widest(texts: impl IntoIterator<Item = String>) -> usize {
    texts.into_iter().map(|text| text.chars().count()).max().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ProcessStatus, Resource};

    fn plain(lines: &[String]) -> Vec<String> {
        let strip = |line: &String| {
            let mut parts = line.split('\x1b');
            let first = parts.next().unwrap_or("").to_owned();
            first + &parts.map(|part| part.split_once('m').expect("a colour").1).collect::<String>()
        };
        lines.iter().map(strip).collect()
    }

    fn state(values: [&str; 5], door: &str) -> Status {
        let names = ["Open", "Loc[#1]", "Loc[#2]", "M[#1,#1]", "M[#1,#2]"];
        let process = |kind: &str| ProcessStatus { kind: Some(kind.into()), activity: "active".into() };
        let variables = names.iter().zip(values).map(|(name, value)| ((*name).into(), value.into()));
        Status {
            processes: vec![process("guest"), process("cook")],
            variables: variables.collect(),
            resources: vec![Resource { group: "locks", name: "Door".into(), text: door.into() }],
        }
    }

    #[test]
    fn the_state_tells_what_has_changed_and_what_it_was() {
        let before = state(["True", "In", "In", "0", "0"], "free");
        let now = state(["True", "Out", "In", "0", "0"], "owner #1");
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
        let before = state(["True", "In", "In", "0", "0"], "free");
        let now = state(["True", "In", "In", "0", "1"], "free");
        assert!(plain(&status(&now, Some(&before)))[1].ends_with("M[#1,#1] = 0, M[#1,#2] = 1 (was 0)"));
    }
}
