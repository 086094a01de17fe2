//! Lanes: which variables and cells are shared and which belong to a process, and what a step changed in each lane.

use crate::buffers::{change, stored, unseen};
use crate::waiting::{tells_waiting, wait};
use explore::{Entry, Subject, Value};

/// The entries of each lane, in words: what changed since the state before, or everything.
///
/// Lane 0 is for shared variables, lane k for process #k. A cell belongs to the process of its first index.
pub fn entries(state: &[Entry], before: Option<&[Entry]>, processes: usize) -> Vec<Vec<String>> {
    let mut lanes = without_stores(state, before, processes);
    for (process, lane) in lanes.iter_mut().skip(1).enumerate() {
        lane.extend(stored(&change(state, before, process)));
    }
    lanes
}

/// The entries of each lane without what was put into store buffers.
pub(crate) fn without_stores(
    state: &[Entry],
    before: Option<&[Entry]>,
    processes: usize,
) -> Vec<Vec<String>> {
    let is_told = |at: usize, entry: &Entry| match before {
        None => !is_idle(entry),
        Some(before) => before.get(at).is_none_or(|old| old.value != entry.value),
    };
    let in_words = |entry: &Entry| tells_waiting(entry) || matches!(entry.subject, Subject::Buffer(_));
    let told = state.iter().enumerate().filter(|(at, entry)| !in_words(entry) && is_told(*at, entry));
    let told: Vec<(&Entry, ())> = told.map(|(_, entry)| (entry, ())).collect();
    let mut lanes = vec![vec![]; processes + 1];
    for row in rows(state, told, processes) {
        lanes[row.lane].push(format!("{} = {}", row.name, row.value));
    }
    for (process, lane) in lanes.iter_mut().skip(1).enumerate() {
        lane.extend(unseen(&change(state, before, process), state, before));
        lane.extend(change_of_waiting(state, before, process));
    }
    lanes
}

/// At the start every lock is free, which is not worth an entry.
fn is_idle(entry: &Entry) -> bool {
    match (&entry.subject, &entry.value) {
        (_, Value::Nobody) => true,
        (Subject::Depth(_), value) => *value == Value::Integer(0),
        _ => false,
    }
}

fn change_of_waiting(state: &[Entry], before: Option<&[Entry]>, process: usize) -> Option<String> {
    let (old, new) = (before.and_then(|before| wait(before, process)), wait(state, process));
    match new {
        new if new == old => None,
        Some(wait) => Some(wait.text()),
        None => Some("goes on".to_owned()),
    }
}

/// A variable, a cell, or those cells of a row that have the same value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Row<'s, K> {
    /// 0 for what is shared, k for process #k.
    pub lane: usize,
    /// The name in that lane, such as `M[#1,*]`.
    pub name: String,
    /// The value that all these cells have.
    pub value: &'s Value,
    /// What else the cells have in common.
    pub key: K,
}

/// Some entries of a state by lanes. Cells of two indices are joined where their values and keys are equal.
pub fn rows<'s, K: PartialEq>(
    state: &[Entry],
    entries: Vec<(&'s Entry, K)>,
    processes: usize,
) -> Vec<Row<'s, K>> {
    let mut rows: Vec<(Row<'s, K>, Vec<Value>)> = Vec::new();
    for (entry, key) in entries {
        let (cell, value) = (Cell::of(&entry.subject, processes), &entry.value);
        let [_, column] = &cell.indices[..] else {
            rows.push((Row { lane: cell.lane, name: cell.text(), value, key }, vec![]));
            continue;
        };
        let alike = |row: &Row<'s, K>, columns: &[Value]| {
            !columns.is_empty()
                && (row.lane, &row.name, row.value) == (cell.lane, &cell.array, value)
                && row.key == key
        };
        match rows.iter_mut().find(|(row, columns)| alike(row, columns)) {
            Some((_, columns)) => columns.push(column.clone()),
            None => {
                rows.push((Row { lane: cell.lane, name: cell.array, value, key }, vec![column.clone()]));
            }
        }
    }
    rows.into_iter().map(|(row, columns)| named(row, &columns, state, processes)).collect()
}

/// Adds the columns to the name of an array of two indices.
fn named<'s, K>(row: Row<'s, K>, columns: &[Value], state: &[Entry], processes: usize) -> Row<'s, K> {
    if columns.is_empty() {
        return row;
    }
    let cells = state.iter().map(|entry| Cell::of(&entry.subject, processes));
    let length = cells.filter(|cell| (cell.lane, &cell.array) == (row.lane, &row.name)).count();
    let columns = if columns.len() == length {
        "*".to_owned()
    } else {
        columns.iter().map(Value::to_string).collect::<Vec<_>>().join(" ")
    };
    let first = Value::Process(row.lane - 1);
    Row { name: format!("{}[{first},{columns}]", row.name), ..row }
}

/// A variable or cell in its lane.
struct Cell {
    lane: usize,
    /// The name, with the indices of a cell that belongs to no process.
    array: String,
    /// The indices of a cell that belongs to a process.
    indices: Vec<Value>,
}

impl Cell {
    fn of(subject: &Subject, processes: usize) -> Cell {
        let indices = subject.indices();
        match indices.first() {
            Some(Value::Process(process)) if *process < processes => {
                Cell { lane: process + 1, array: subject.name(), indices }
            }
            _ => Cell { lane: 0, array: subject.to_string(), indices: vec![] },
        }
    }

    /// The name in the lane, where the only index is that of the lane.
    fn text(&self) -> String {
        if self.indices.len() < 2 {
            return self.array.clone();
        }
        let indices: Vec<String> = self.indices.iter().map(Value::to_string).collect();
        format!("{}[{}]", self.array, indices.join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::Variable;

    #[test]
    fn cells_belong_to_the_process_of_their_first_index() {
        let state = |second: &str| {
            [
                Entry::variable("Taken", Value::word("False")),
                Entry::cell("Loc", &[0], Value::word("Idle")),
                Entry::cell("Loc", &[1], Value::word(second)),
            ]
        };
        let start = state("Idle");
        assert_eq!(entries(&start, None, 2), [["Taken = False"], ["Loc = Idle"], ["Loc = Idle"]]);
        let next = state("Busy");
        assert_eq!(entries(&next, Some(&start), 2), [vec![], vec![], vec!["Loc = Busy".to_owned()]]);
    }

    #[test]
    fn cells_of_two_indices_are_joined_where_they_agree() {
        let cell = |at: [usize; 2], value| Entry::cell("M", &at, Value::Integer(value));
        let start = [cell([0, 0], 0), cell([0, 1], 0), cell([1, 0], 0), cell([1, 1], 5)];
        let shown = entries(&start, None, 2);
        assert_eq!(shown[1], ["M[#1,*] = 0"]);
        assert_eq!(shown[2], ["M[#2,#1] = 0", "M[#2,#2] = 5"]);
    }

    #[test]
    fn cells_are_joined_only_where_their_keys_agree() {
        let cells = [[0, 0], [0, 1], [0, 2]].map(|at| Entry::cell("M", &at, Value::Integer(0)));
        let shown = rows(&cells, cells.iter().zip([1, 2, 1]).collect(), 3);
        let names: Vec<(&str, i32)> = shown.iter().map(|row| (row.name.as_str(), row.key)).collect();
        assert_eq!(names, [("M[#1,#1 #3]", 1), ("M[#1,#2]", 2)]);
    }

    #[test]
    fn waiting_is_told_in_words_and_free_locks_are_not() {
        let door = || Variable::cell("Door", &[]);
        let state = |blocked| {
            [
                Entry { subject: Subject::Owner(door()), value: Value::Nobody },
                Entry { subject: Subject::Depth(door()), value: Value::Integer(0) },
                Entry { subject: Subject::Blocked(0), value: blocked },
            ]
        };
        let start = state(Value::Active);
        assert_eq!(entries(&start, None, 1), vec![Vec::<String>::new(); 2]);
        let next = state(Value::Waiting("Door".into()));
        assert_eq!(entries(&next, Some(&start), 1)[1], ["waits for Door"]);
        assert_eq!(entries(&start, Some(&next), 1)[1], ["goes on"]);
    }
}
