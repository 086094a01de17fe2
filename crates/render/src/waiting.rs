//! Who waits for what in a state.

use explore::{Entry, Subject, Value, Variable};

/// Why a process does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wait {
    /// What it waits for, with the index of the cell.
    pub(crate) what: Variable,
    /// Whether it sleeps until it is notified, rather than waits for its turn.
    pub(crate) asleep: bool,
    /// Its place in the queue, where places matter.
    pub(crate) place: Option<i64>,
}

impl Wait {
    pub(crate) fn text(&self) -> String {
        let place = self.place.as_ref().map_or(String::new(), |place| format!(" at place {place}"));
        format!("{} {}{place}", if self.asleep { "sleeps on" } else { "waits for" }, self.what)
    }
}

/// Whether an entry only tells who waits.
pub(crate) fn tells_waiting(entry: &Entry) -> bool {
    matches!(entry.subject, Subject::Blocked(_) | Subject::BlockedAt(_) | Subject::Place(_))
}

/// What a process waits for, if it does. Processes count from 0.
pub(crate) fn wait(state: &[Entry], process: usize) -> Option<Wait> {
    let (name, asleep) = match value(state, &Subject::Blocked(process))? {
        Value::Waiting(lock) => (lock.clone(), false),
        Value::Sleeping(condition) => (condition.clone(), true),
        _ => return None,
    };
    let cell = value(state, &Subject::BlockedAt(process)).filter(|_| is_array(state, &name));
    let place = match value(state, &Subject::Place(process)) {
        Some(Value::Integer(place)) => Some(*place),
        _ => None,
    };
    Some(Wait { what: Variable { name, indices: cell.cloned().into_iter().collect() }, asleep, place })
}

fn value<'s>(state: &'s [Entry], subject: &Subject) -> Option<&'s Value> {
    state.iter().find(|entry| entry.subject == *subject).map(|entry| &entry.value)
}

/// Whether a lock or semaphore has an index.
fn is_array(state: &[Entry], lock: &str) -> bool {
    state.iter().any(|entry| match &entry.subject {
        Subject::Owner(of) | Subject::Variable(of) => of.name == lock && !of.indices.is_empty(),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cell_is_told_only_for_locks_in_arrays() {
        let entry = |subject, value| Entry { subject, value };
        let one = [
            entry(Subject::Owner(Variable::cell("Fork", &[0])), Value::Process(1)),
            entry(Subject::Owner(Variable::cell("Door", &[])), Value::Process(1)),
            entry(Subject::Blocked(0), Value::Waiting("Fork".into())),
            entry(Subject::Blocked(1), Value::Sleeping("Door".into())),
            entry(Subject::Blocked(2), Value::Active),
            entry(Subject::BlockedAt(0), Value::Process(1)),
            entry(Subject::BlockedAt(1), Value::Process(1)),
        ];
        assert_eq!(wait(&one, 0).unwrap().text(), "waits for Fork[#2]");
        assert_eq!(wait(&one, 1).unwrap().text(), "sleeps on Door");
        assert_eq!(wait(&one, 2), None);
        let queued = [
            entry(Subject::Blocked(0), Value::Waiting("Door".into())),
            entry(Subject::Place(0), Value::Integer(2)),
        ];
        assert_eq!(wait(&queued, 0).unwrap().text(), "waits for Door at place 2");
    }
}
