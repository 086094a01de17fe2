//! What each row of a table says about one cell, packed into a byte. Nothing outside of this file knows the packing.

use crate::vocabulary::{ELSEWHERE, MAX_OUTSIDERS, Values, member, outsider};
use instance::Column;
use ir::OutsiderId;

/// What a view says about a cell of a finite type other than `proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewValue {
    /// The cell may have any value of its type.
    Any,
    /// A constructor, by its position in the type; of an abstract type a number that is the same where values are equal.
    /// At most 254.
    Exactly(u8),
}

/// What a view says about a cell of type `proc`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewPointer {
    /// The cell may hold any process or outsider.
    Any,
    /// A member of the view.
    Member(u8),
    /// An outsider of the model.
    Outsider(OutsiderId),
    /// A process that is not a member and to which some global points. Equal numbers are the same process, different ones
    /// are different processes.
    Class(u8),
    /// A process that is not a member and to which no global points. Two of these may be the same or not.
    Elsewhere,
}

/// A cell of a finite type in every view of a table.
#[derive(Debug)]
pub enum ViewColumn {
    /// The cell is of another type than `proc`.
    Values(ValueColumn),
    /// The cell is of type `proc`.
    Pointers(PointerColumn),
}

/// A cell of a finite type other than `proc` in every view of a table.
#[derive(Debug, Default)]
pub struct ValueColumn(Vec<u8>);

/// A cell of type `proc` in every view of a table.
#[derive(Debug, Default)]
pub struct PointerColumn(Vec<u8>);

/// In both kinds of columns of views.
const ANY: u8 = u8::MAX;
/// The codes of pointers, from the last range to the first.
const ELSEWHERE_CODE: u8 = u8::MAX - 1;
const FIRST_CLASS: u8 = 128;
const FIRST_OUTSIDER: u8 = 64;

impl ValueColumn {
    /// Appends the cell of the next view.
    pub fn push(&mut self, value: ViewValue) {
        self.0.push(match value {
            ViewValue::Any => ANY,
            ViewValue::Exactly(code) => {
                debug_assert_ne!(code, ANY, "types have fewer values");
                code
            }
        });
    }
}

impl PointerColumn {
    /// Appends the cell of the next view.
    pub fn push(&mut self, pointer: ViewPointer) {
        self.0.push(match pointer {
            ViewPointer::Any => ANY,
            ViewPointer::Elsewhere => ELSEWHERE_CODE,
            ViewPointer::Class(number) => in_range(FIRST_CLASS, number, ELSEWHERE_CODE),
            ViewPointer::Outsider(id) => {
                in_range(FIRST_OUTSIDER, u8::try_from(id.index()).unwrap_or(u8::MAX), FIRST_CLASS)
            }
            ViewPointer::Member(process) => in_range(0, process, FIRST_OUTSIDER),
        });
    }
}

fn in_range(first: u8, number: u8, end: u8) -> u8 {
    first
        .checked_add(number)
        .filter(|code| *code < end)
        .expect("views have few members, classes and outsiders")
}

impl ViewColumn {
    /// The number of views.
    pub fn len(&self) -> usize {
        match self {
            ViewColumn::Values(ValueColumn(codes)) | ViewColumn::Pointers(PointerColumn(codes)) => {
                codes.len()
            }
        }
    }

    /// Whether there is no view.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A cell in every row of a table.
#[derive(Debug)]
pub(super) enum CellColumn {
    /// Of states of an instance.
    States(Column),
    /// Of views.
    Views(ViewColumn),
}

impl CellColumn {
    /// In which rows the cell may have one of some values. None if that is not known of any row.
    ///
    /// In states, a process is its number, and outsiders come after the processes of the instance.
    pub(super) fn may_be(
        &self,
        values: Values,
        is_pointer: bool,
        processes: u8,
    ) -> Option<impl Fn(usize) -> bool> {
        let allowed =
            |set: &dyn Fn(u8) -> Values| (0..=u8::MAX).map(|code| set(code) & values != 0).collect();
        let (codes, mut allowed): (&Vec<u8>, Vec<bool>) = match self {
            CellColumn::States(Column::Numbers(_)) => return None,
            CellColumn::States(Column::Codes(codes)) if is_pointer => {
                (codes, allowed(&|code| process_of_state(code, processes)))
            }
            CellColumn::States(Column::Codes(codes))
            | CellColumn::Views(ViewColumn::Values(ValueColumn(codes))) => (codes, allowed(&value_set)),
            CellColumn::Views(ViewColumn::Pointers(PointerColumn(codes))) => (codes, allowed(&pointer_set)),
        };
        if matches!(self, CellColumn::Views(_)) {
            allowed[usize::from(ANY)] = true;
        }
        Some(move |row: usize| allowed[usize::from(codes[row])])
    }

    /// In which rows two cells may be equal, or may differ. None if that is not known of any row.
    pub(super) fn may_compare<'c>(
        &'c self,
        other: &'c CellColumn,
        equal: bool,
    ) -> Option<impl Fn(usize) -> bool + 'c> {
        let is_open: fn(u8, u8) -> bool;
        let (a, b) = match (self, other) {
            (CellColumn::States(Column::Codes(a)), CellColumn::States(Column::Codes(b))) => {
                is_open = |_, _| false;
                (a, b)
            }
            (CellColumn::Views(ViewColumn::Values(a)), CellColumn::Views(ViewColumn::Values(b))) => {
                is_open = |a, b| a == ANY || b == ANY;
                (&a.0, &b.0)
            }
            (CellColumn::Views(ViewColumn::Pointers(a)), CellColumn::Views(ViewColumn::Pointers(b))) => {
                is_open = |a, b| a == ANY || b == ANY || a == ELSEWHERE_CODE && b == ELSEWHERE_CODE;
                (&a.0, &b.0)
            }
            _ => return None,
        };
        Some(move |row: usize| (a[row] == b[row]) == equal || is_open(a[row], b[row]))
    }

    /// The number in a row, if it is known.
    pub(super) fn number(&self, row: usize) -> Option<i64> {
        match self {
            CellColumn::States(Column::Numbers(numbers)) => numbers[row],
            CellColumn::States(Column::Codes(_)) | CellColumn::Views(_) => None,
        }
    }
}

/// What a code of a finite type other than `proc` stands for.
fn value_set(code: u8) -> Values {
    1_u64.unbounded_shl(code.into())
}

/// What a code of a pointer stands for in a state of an instance.
fn process_of_state(code: u8, processes: u8) -> Values {
    match code.checked_sub(processes) {
        None => member(code),
        Some(beyond) => outsider_set(beyond),
    }
}

/// What a code of a pointer stands for in a view.
fn pointer_set(code: u8) -> Values {
    match code {
        FIRST_CLASS.. => ELSEWHERE,
        FIRST_OUTSIDER.. => outsider_set(code - FIRST_OUTSIDER),
        _ => member(code),
    }
}

fn outsider_set(number: u8) -> Values {
    if number < MAX_OUTSIDERS { outsider(OutsiderId::from_index(number.into())) } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pointers(all: &[ViewPointer]) -> CellColumn {
        let mut column = PointerColumn::default();
        all.iter().for_each(|pointer| column.push(*pointer));
        CellColumn::Views(ViewColumn::Pointers(column))
    }

    #[test]
    fn pointers_of_views_stand_for_processes_and_outsiders() {
        use ViewPointer::{Any, Class, Elsewhere, Member, Outsider};
        let id = OutsiderId::from_index(1);
        let column = pointers(&[Any, Member(1), Outsider(id), Class(0), Elsewhere]);
        let rows = |values: Values| {
            let may_be = column.may_be(values, true, 2).expect("known of some rows");
            [0, 1, 2, 3, 4].map(may_be)
        };
        assert_eq!(rows(member(1)), [true, true, false, false, false]);
        assert_eq!(rows(member(0)), [true, false, false, false, false]);
        assert_eq!(rows(outsider(id)), [true, false, true, false, false]);
        assert_eq!(rows(ELSEWHERE), [true, false, false, true, true]);
    }

    #[test]
    fn only_processes_to_which_globals_point_are_told_apart() {
        use ViewPointer::{Any, Class, Elsewhere, Member};
        let left = pointers(&[Any, Elsewhere, Class(0), Class(0), Elsewhere]);
        let right = pointers(&[Member(0), Elsewhere, Class(0), Class(1), Class(0)]);
        let rows = |equal: bool| {
            let may_compare = left.may_compare(&right, equal).expect("known of some rows");
            [0, 1, 2, 3, 4].map(may_compare)
        };
        assert_eq!(rows(true), [true, true, true, false, false]);
        assert_eq!(rows(false), [true, true, false, true, true]);
    }
}
