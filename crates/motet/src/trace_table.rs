//! A trace as a table: one row for each step, one column for what is shared and one for each process.
//!
//! The first row shows everything, the others what changed.

use explore::{Trace, Valuation};

/// The table as lines of text, for so many processes.
pub(crate) fn lines(trace: &Trace, processes: u32) -> Vec<String> {
    let processes = processes as usize;
    let mut rows = vec![header(processes), row("start", &trace.start, None, processes)];
    let mut before = &trace.start;
    for (number, step) in (1..).zip(&trace.steps) {
        rows.push(row(&format!("{number} {}", step.label), &step.state, Some(before), processes));
        before = &step.state;
    }
    let used: Vec<bool> =
        (0..processes + 2).map(|column| rows[1..].iter().any(|row| !row[column].is_empty())).collect();
    let widths: Vec<usize> = (0..processes + 2).map(|column| width(&rows, column)).collect();
    rows.iter().map(|row| line(row, &widths, &used)).collect()
}

fn header(processes: usize) -> Vec<String> {
    let names = (1..=processes).map(|process| format!("#{process}"));
    ["step".to_owned(), "shared".to_owned()].into_iter().chain(names).collect()
}

fn row(label: &str, state: &Valuation, before: Option<&Valuation>, processes: usize) -> Vec<String> {
    let mut cells = vec![String::new(); processes + 2];
    label.clone_into(&mut cells[0]);
    for (at, (name, value)) in state.iter().enumerate() {
        // At the start nobody waits and every lock is free: that needs no room.
        let idle = before.is_none() && matches!(value.as_str(), "active" | "nobody");
        let changed = before.is_none_or(|before| before.get(at).is_none_or(|(_, old)| old != value));
        if changed && !idle {
            let (column, name) = place(name, processes);
            let cell = &mut cells[column];
            if !cell.is_empty() {
                cell.push_str(", ");
            }
            cell.push_str(&format!("{name} = {value}"));
        }
    }
    cells
}

/// The column of a variable or cell, and what to call it there.
fn place(name: &str, processes: usize) -> (usize, &str) {
    let cell = name.strip_suffix(']').and_then(|name| name.split_once("[#"));
    match cell.map(|(array, index)| (array, index.parse::<usize>())) {
        Some((array, Ok(process))) if process <= processes => (process + 1, array),
        _ => (1, name),
    }
}

fn width(rows: &[Vec<String>], column: usize) -> usize {
    rows.iter().map(|row| row[column].chars().count()).max().unwrap_or(0)
}

fn line(row: &[String], widths: &[usize], used: &[bool]) -> String {
    let columns = row.iter().zip(widths).zip(used).filter(|(_, used)| **used);
    let cells: Vec<String> = columns.map(|((cell, width), _)| format!("{cell:width$}")).collect();
    cells.join("  ").trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::Step;

    #[test]
    fn rows_show_what_changed_where() {
        let state = |taken: &str, loc: &str| {
            vec![("Loc[#1]".to_owned(), loc.to_owned()), ("Taken".to_owned(), taken.to_owned())]
        };
        let step = Step { label: "enter(#1)".into(), process: Some(0), state: state("True", "Critical") };
        let trace = Trace { initial: 0, start: state("False", "Idle"), steps: vec![step] };
        let table = lines(&trace, 2);
        assert_eq!(table[0], "step         shared         #1");
        assert_eq!(table[1], "start        Taken = False  Loc = Idle");
        assert_eq!(table[2], "1 enter(#1)  Taken = True   Loc = Critical");
    }
}
