//! Lanes: which variables and cells are shared and which belong to a process, and what a step changed in each lane.

use crate::waiting::{tells_waiting, wait};
use explore::Valuation;

/// The entries of each lane, in words: what changed since the state before, or everything.
///
/// Lane 0 is for shared variables, lane k for process #k. A cell belongs to the process of its first index.
pub fn entries(state: &Valuation, before: Option<&Valuation>, processes: usize) -> Vec<Vec<String>> {
    let mut lanes: Vec<Vec<(Cell<'_>, &str)>> = (0..=processes).map(|_| vec![]).collect();
    for (at, (name, value)) in state.iter().enumerate() {
        let changed = before.is_none_or(|before| before.get(at).is_none_or(|(_, old)| old != value));
        if changed && !tells_waiting(name) && !(before.is_none() && is_idle(name, value)) {
            let cell = Cell::of(name, processes);
            lanes[cell.lane].push((cell, value.as_str()));
        }
    }
    let mut lanes: Vec<Vec<String>> = lanes.iter().map(|cells| words(cells, state, processes)).collect();
    for (process, lane) in lanes.iter_mut().enumerate().skip(1) {
        lane.extend(change_of_waiting(state, before, process));
    }
    lanes
}

/// At the start every lock is free, which is not worth an entry.
fn is_idle(name: &str, value: &str) -> bool {
    value == "nobody" || (name.starts_with("depth(") && value == "0")
}

fn change_of_waiting(state: &Valuation, before: Option<&Valuation>, process: usize) -> Option<String> {
    let (old, new) = (before.and_then(|before| wait(before, process)), wait(state, process));
    match new {
        new if new == old => None,
        Some(wait) => Some(wait.text()),
        None => Some("goes on".to_owned()),
    }
}

/// A variable or cell, split into its parts.
struct Cell<'n> {
    lane: usize,
    array: &'n str,
    /// The indices as text: none for a variable.
    indices: Vec<&'n str>,
}

impl<'n> Cell<'n> {
    fn of(name: &'n str, processes: usize) -> Cell<'n> {
        let parts = name.strip_suffix(']').and_then(|name| name.split_once('['));
        let Some((array, indices)) = parts else { return Cell { lane: 0, array: name, indices: vec![] } };
        let indices: Vec<&str> = indices.split(',').collect();
        let first = indices[0].strip_prefix('#').and_then(|number| number.parse::<usize>().ok());
        match first.filter(|process| (1..=processes).contains(process)) {
            Some(lane) => Cell { lane, array, indices },
            None => Cell { lane: 0, array: name, indices: vec![] },
        }
    }
}

/// The cells of one lane in words. Cells of two indices that have the same value share an entry.
fn words(cells: &[(Cell<'_>, &str)], state: &Valuation, processes: usize) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    let mut done: Vec<(&str, &str)> = Vec::new();
    for (cell, value) in cells {
        let name = match cell.indices.len() {
            0 | 1 => cell.array.to_owned(),
            2 if done.contains(&(cell.array, value)) => continue,
            2 => {
                done.push((cell.array, value));
                let alike = cells.iter().filter(|(other, its)| other.array == cell.array && its == value);
                let columns: Vec<&str> = alike.map(|(other, _)| other.indices[1]).collect();
                let all = columns.len() == row_length(state, cell, processes);
                let columns = if all { "*".to_owned() } else { columns.join(" ") };
                format!("{}[{},{columns}]", cell.array, cell.indices[0])
            }
            _ => format!("{}[{}]", cell.array, cell.indices.join(",")),
        };
        words.push(format!("{name} = {value}"));
    }
    words
}

/// How many cells the row of a cell has.
fn row_length(state: &Valuation, cell: &Cell<'_>, processes: usize) -> usize {
    let cells = state.iter().map(|(name, _)| Cell::of(name, processes));
    cells.filter(|other| other.lane == cell.lane && other.array == cell.array).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(pairs: &[(&str, &str)]) -> Valuation {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn cells_belong_to_the_process_of_their_first_index() {
        let start = state(&[("Taken", "False"), ("Loc[#1]", "Idle"), ("Loc[#2]", "Idle")]);
        assert_eq!(entries(&start, None, 2), [["Taken = False"], ["Loc = Idle"], ["Loc = Idle"]]);
        let next = state(&[("Taken", "False"), ("Loc[#1]", "Idle"), ("Loc[#2]", "Busy")]);
        assert_eq!(entries(&next, Some(&start), 2), [vec![], vec![], vec!["Loc = Busy".to_owned()]]);
    }

    #[test]
    fn cells_of_two_indices_are_joined_where_they_agree() {
        let start = state(&[("M[#1,#1]", "0"), ("M[#1,#2]", "0"), ("M[#2,#1]", "0"), ("M[#2,#2]", "5")]);
        let shown = entries(&start, None, 2);
        assert_eq!(shown[1], ["M[#1,*] = 0"]);
        assert_eq!(shown[2], ["M[#2,#1] = 0", "M[#2,#2] = 5"]);
    }

    #[test]
    fn waiting_is_told_in_words_and_free_locks_are_not() {
        let start = state(&[("owner(Door)", "nobody"), ("depth(Door)", "0"), ("blocked[#1]", "active")]);
        assert_eq!(entries(&start, None, 1), vec![Vec::<String>::new(); 2]);
        let next =
            state(&[("owner(Door)", "nobody"), ("depth(Door)", "0"), ("blocked[#1]", "waiting(Door)")]);
        assert_eq!(entries(&next, Some(&start), 1)[1], ["waits for Door"]);
        assert_eq!(entries(&start, Some(&next), 1)[1], ["goes on"]);
    }
}
