//! A trace as a table: one row for each step, one column for what is shared and one for each process.
//!
//! The first row shows everything, the others what changed. Columns that do not fit beside each other go below each other.
//! Steps that are repeated for ever have a line beside them.

use crate::lanes::entries;
use anstyle::{AnsiColor, Style};
use explore::Trace;

const HEADER: Style = Style::new().bold();
const STEP: Style = Style::new();
const START: Style = Style::new().dimmed();
/// What the acting process changed of its own.
const ACTING: Style = AnsiColor::Cyan.on_default().bold();
/// What a step changed elsewhere.
const ELSEWHERE: Style = AnsiColor::Yellow.on_default();

/// The space between columns.
const GAP: usize = 2;
/// Narrower than this, a cell with several entries is hard to read.
const NARROWEST: usize = 10;

/// The table as lines, with escape sequences for colours, no wider than `width` if that is possible at all.
pub fn table(trace: &Trace, processes: usize, width: usize) -> Vec<String> {
    let rows = rows(trace, processes);
    let used: Vec<usize> =
        (0..processes + 2).filter(|at| rows[1..].iter().any(|row| !row.cells[*at].is_empty())).collect();
    if let Some(widths) = widths(&rows, &used, width) {
        return rows.iter().flat_map(|row| beside(row, &used, &widths)).collect();
    }
    let labels = rows.iter().map(|row| length(&row.cells[0][0])).max().unwrap_or(0);
    rows[1..].iter().flat_map(|row| below(row, &rows[0], &used, labels, width)).collect()
}

/// A row: for each column its entries, and the column of the acting process.
struct Row {
    cells: Vec<Vec<String>>,
    acting: Option<usize>,
    style: Style,
}

impl Row {
    fn style(&self, column: usize) -> Style {
        match self.acting {
            _ if column == 0 || self.style != STEP => self.style,
            Some(acting) if acting == column => ACTING,
            _ => ELSEWHERE,
        }
    }
}

fn rows(trace: &Trace, processes: usize) -> Vec<Row> {
    let with = |label: String, mut cells: Vec<Vec<String>>| {
        cells.insert(0, vec![label]);
        cells
    };
    let names = (0..processes).map(|process| vec![trace.actor(process)]);
    let header = std::iter::once(vec!["shared".to_owned()]).chain(names).collect();
    let start = entries(&trace.start, None, processes);
    let heading = format!("{}step", beside_cycle(trace, 0));
    let mut rows = vec![Row { cells: with(heading, header), acting: None, style: HEADER }];
    // A trace without values, such as that of a program, begins with its first step.
    if !trace.start.is_empty() || trace.steps.is_empty() {
        let cells = with(format!("{}start", beside_cycle(trace, 0)), start);
        rows.push(Row { cells, acting: None, style: START });
    }
    let mut before = &trace.start;
    for (number, step) in (1..).zip(&trace.steps) {
        let changes = entries(&step.state, Some(before), processes);
        let mut cells = with(format!("{}{number} {}", beside_cycle(trace, number), step.label), changes);
        let acting = step.process.map(|process| process + 2).filter(|column| *column < cells.len());
        // A dot stands where a process acts and changes nothing of its own.
        if let Some(cell) = acting.map(|column| &mut cells[column]).filter(|cell| cell.is_empty()) {
            cell.push("·".into());
        }
        rows.push(Row { cells, acting, style: STEP });
        before = &step.state;
    }
    rows
}

/// The steps of a trace alone, one in a line, for systems whose states say little to people.
pub fn steps(trace: &Trace) -> Vec<String> {
    let line =
        |(step, it): (usize, &explore::Step)| format!("{}{step} {}", beside_cycle(trace, step), it.label);
    (1..).zip(&trace.steps).map(line).collect()
}

/// What stands before a step, counted from 1: a line along those that are repeated for ever.
fn beside_cycle(trace: &Trace, step: usize) -> &'static str {
    let last = trace.steps.len();
    match trace.back {
        Some(back) if back < last => match step {
            _ if step <= back => "  ",
            _ if back + 1 == last => "↻ ",
            _ if step == back + 1 => "╭ ",
            _ if step == last => "╰ ",
            _ => "│ ",
        },
        _ => "",
    }
}

fn length(text: &str) -> usize {
    text.chars().count()
}

/// The widths of the used columns; none if they do not fit beside each other.
fn widths(rows: &[Row], used: &[usize], width: usize) -> Option<Vec<usize>> {
    let widest = |column: usize, of: fn(&[String]) -> usize| {
        rows.iter().map(|row| of(&row.cells[column])).max().unwrap_or(0)
    };
    let in_one_line = |cell: &[String]| length(&cell.join(", "));
    let one_entry = |cell: &[String]| cell.iter().map(|entry| length(entry) + 1).max().unwrap_or(0);
    let mut widths: Vec<usize> = used.iter().map(|column| widest(*column, in_one_line)).collect();
    let least: Vec<usize> = used
        .iter()
        .zip(&widths)
        .map(|(column, whole)| widest(*column, one_entry).max(NARROWEST).min(*whole))
        .collect();
    let room = width.saturating_sub(GAP * used.len().saturating_sub(1));
    while widths.iter().sum::<usize>() > room {
        let shrinkable = (0..widths.len()).filter(|at| widths[*at] > least[*at]);
        let widest = shrinkable.max_by_key(|at| widths[*at])?;
        widths[widest] -= 1;
    }
    // A cell that is folded may need less than it was given.
    for (width, column) in widths.iter_mut().zip(used) {
        let lines = rows.iter().flat_map(|row| wrap(&row.cells[*column], *width));
        *width = lines.map(|line| length(&line)).max().unwrap_or(0);
    }
    Some(widths)
}

/// Puts entries into lines of a width; a single entry may be wider.
fn wrap(entries: &[String], width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (at, entry) in entries.iter().enumerate() {
        let comma = if at + 1 < entries.len() { "," } else { "" };
        match lines.last_mut() {
            Some(line) if length(line) + 1 + length(entry) + comma.len() <= width => {
                line.push_str(&format!(" {entry}{comma}"));
            }
            _ => lines.push(format!("{entry}{comma}")),
        }
    }
    lines
}

/// A row whose columns stand beside each other, in as many lines as its highest cell needs.
fn beside(row: &Row, used: &[usize], widths: &[usize]) -> Vec<String> {
    let cells: Vec<Vec<String>> =
        used.iter().zip(widths).map(|(column, width)| wrap(&row.cells[*column], *width)).collect();
    let height = cells.iter().map(Vec::len).max().unwrap_or(0);
    let line = |at: usize| {
        let (mut line, mut missing) = (String::new(), 0);
        for ((cell, column), width) in cells.iter().zip(used).zip(widths) {
            let text = cell.get(at).map_or("", String::as_str);
            if !text.is_empty() {
                line.extend(std::iter::repeat_n(' ', missing));
                line.push_str(&painted(text, row.style(*column)));
                missing = 0;
            }
            missing += width - length(text).min(*width) + GAP;
        }
        line
    };
    (0..height).map(line).collect()
}

/// A row whose columns stand below each other, beside its label and each with its name.
fn below(row: &Row, header: &Row, used: &[usize], label_width: usize, width: usize) -> Vec<String> {
    let name_width = used.iter().skip(1).map(|column| length(&header.cells[*column][0])).max().unwrap_or(0);
    let margin = label_width + GAP + name_width + GAP;
    let mut label = row.cells[0].first().map_or("", String::as_str);
    let mut lines = Vec::new();
    for column in used.iter().skip(1).filter(|column| !row.cells[**column].is_empty()) {
        let mut name = header.cells[*column][0].as_str();
        for line in wrap(&row.cells[*column], width.saturating_sub(margin)) {
            let gap = " ".repeat(label_width + GAP - length(label));
            let space = " ".repeat(name_width + GAP - length(name));
            let line = painted(&line, row.style(*column));
            lines.push(format!(
                "{}{gap}{}{space}{line}",
                painted(label, row.style(0)),
                painted(name, HEADER)
            ));
            (label, name) = ("", "");
        }
    }
    // A step without a process that changes nothing.
    if lines.is_empty() {
        lines.push(painted(label, row.style(0)));
    }
    lines
}

fn painted(text: &str, style: Style) -> String {
    if text.is_empty() {
        return String::new();
    }
    format!("{style}{text}{style:#}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use explore::{Call, Entry, Step, Value};

    fn trace() -> Trace {
        let state = |taken: &str, one: &str, two: &str| {
            vec![
                Entry::cell("Loc", &[0], Value::word(one)),
                Entry::cell("Loc", &[1], Value::word(two)),
                Entry::variable("Taken", Value::word(taken)),
            ]
        };
        let step = |rule: &str, process, state| Step {
            label: Call::new(rule, vec![process]).into(),
            process: Some(process),
            state,
        };
        let steps = vec![
            step("enter", 0, state("True", "Critical", "Idle")),
            step("shut", 1, state("False", "Critical", "Idle")),
        ];
        Trace { initial: 0, actors: vec![], start: state("False", "Idle", "Idle"), steps, back: None }
    }

    /// Without escape sequences.
    fn plain(lines: &[String]) -> Vec<String> {
        let strip = |line: &String| {
            let mut parts = line.split('\x1b');
            let first = parts.next().unwrap_or("").to_owned();
            first + &parts.map(|part| part.split_once('m').expect("a colour").1).collect::<String>()
        };
        lines.iter().map(strip).collect()
    }

    #[test]
    fn steps_that_are_repeated_have_a_line_beside_them() {
        let first_words = |back: usize| -> Vec<String> {
            let lines = plain(&table(&Trace { back: Some(back), ..trace() }, 2, 80));
            lines.iter().map(|line| line.chars().take(9).collect()).collect()
        };
        assert_eq!(first_words(0), ["  step   ", "  start  ", "╭ 1 enter", "╰ 2 shut("]);
        assert_eq!(first_words(1), ["  step   ", "  start  ", "  1 enter", "↻ 2 shut("]);
        // A run that stays in its last state repeats no step.
        assert_eq!(first_words(2), ["step     ", "start    ", "1 enter(#", "2 shut(#2"]);
    }

    #[test]
    fn rows_show_what_changed_where() {
        assert_eq!(
            plain(&table(&trace(), 2, 80)),
            [
                "step         shared         #1              #2",
                "start        Taken = False  Loc = Idle      Loc = Idle",
                "1 enter(#1)  Taken = True   Loc = Critical",
                "2 shut(#2)   Taken = False                  ·",
            ]
        );
    }

    #[test]
    fn the_acting_process_stands_out_from_what_it_does_to_others() {
        let lines = table(&trace(), 2, 80);
        assert!(lines[2].contains(&painted("Loc = Critical", ACTING)), "{}", lines[2]);
        assert!(lines[2].contains(&painted("Taken = True", ELSEWHERE)), "{}", lines[2]);
    }

    #[test]
    fn cells_fold_to_the_width() {
        let mut trace = trace();
        trace.start.push(Entry::cell("Ready", &[1], Value::word("False")));
        let lines = plain(&table(&trace, 2, 60));
        assert_eq!(lines[1], "start        Taken = False  Loc = Idle      Loc = Idle,");
        assert_eq!(lines[2], "                                            Ready = False");
    }

    #[test]
    fn what_does_not_fit_at_all_goes_below() {
        assert_eq!(
            plain(&table(&trace(), 2, 30)),
            [
                "start        shared  Taken = False",
                "             #1      Loc = Idle",
                "             #2      Loc = Idle",
                "1 enter(#1)  shared  Taken = True",
                "             #1      Loc = Critical",
                "2 shut(#2)   shared  Taken = False",
                "             #2      ·",
            ]
        );
    }
}
