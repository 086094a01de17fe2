//! States as data: what there is to see in a state, and the one place where it becomes text.

mod buffer;

pub use buffer::{Buffered, Stored};

use std::fmt;

/// A state: the same subjects in the same order in every state of a system.
pub type Valuation = Vec<Entry>;

/// Something in a state, with its value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Entry {
    /// What it is about.
    pub subject: Subject,
    /// The value that the subject has in this state.
    pub value: Value,
}

/// What an entry of a state is about. Processes are counted from 0.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Subject {
    /// A variable, or a cell of an array.
    Variable(Variable),
    /// The owner of a lock: a process or [`Value::Nobody`].
    Owner(Variable),
    /// How often the owner of a reentrant lock has acquired it.
    Depth(Variable),
    /// What a process waits for: [`Value::Active`], [`Value::Waiting`] or [`Value::Sleeping`].
    Blocked(usize),
    /// For a process that waits for a lock in an array: the index of the lock.
    BlockedAt(usize),
    /// The place of a process in its queue, from 1, or [`Value::Nowhere`].
    Place(usize),
    /// The store buffer of a process: a [`Value::Buffer`].
    Buffer(usize),
}

/// A variable; with indices, a cell of an array.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Variable {
    /// The name of the variable or array.
    pub name: String,
    /// The indices of a cell; none for a variable.
    pub indices: Vec<Value>,
}

/// What variables, locks and processes can hold, as people see it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// A process, counted from 0.
    Process(usize),
    /// The owner of a free lock.
    Nobody,
    /// A whole number.
    Integer(i64),
    /// Any other number, as digits with a decimal point.
    Decimal(String),
    /// That of a number that is not set yet.
    Unset,
    /// Anything else, as the system writes it, such as a constructor.
    Word(String),
    /// Of a process that waits for nothing.
    Active,
    /// Of a process that waits for its turn; the name of the lock.
    Waiting(String),
    /// Of a process that sleeps until it is notified; the name of the condition.
    Sleeping(String),
    /// The place of a process that is in no queue.
    Nowhere,
    /// What a store buffer holds, the oldest entry first.
    Buffer(Vec<Buffered>),
}

impl Entry {
    /// The value of a variable, or of something else that a system has one of.
    pub fn variable(name: impl Into<String>, value: Value) -> Entry {
        Entry { subject: Subject::Variable(Variable { name: name.into(), indices: vec![] }), value }
    }

    /// The value of a cell whose indices are processes, counted from 0.
    pub fn cell(array: impl Into<String>, processes: &[usize], value: Value) -> Entry {
        Entry { subject: Subject::Variable(Variable::cell(array, processes)), value }
    }
}

impl Variable {
    /// A cell whose indices are processes, counted from 0; a variable if there are none.
    pub fn cell(array: impl Into<String>, processes: &[usize]) -> Variable {
        Variable { name: array.into(), indices: processes.iter().copied().map(Value::Process).collect() }
    }
}

impl Value {
    /// A value that is a word.
    pub fn word(word: impl Into<String>) -> Value {
        Value::Word(word.into())
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} = {}", self.subject, self.value)
    }
}

impl Subject {
    /// The name without indices.
    pub fn name(&self) -> String {
        match self {
            Subject::Variable(variable) => variable.name.clone(),
            Subject::Owner(lock) => format!("owner({})", lock.name),
            Subject::Depth(lock) => format!("depth({})", lock.name),
            Subject::Blocked(_) => "blocked".to_owned(),
            Subject::BlockedAt(_) => "blocked_at".to_owned(),
            Subject::Place(_) => "place".to_owned(),
            Subject::Buffer(_) => "buffer".to_owned(),
        }
    }

    /// The indices; what belongs to a process has it as its only one.
    pub fn indices(&self) -> Vec<Value> {
        match self {
            Subject::Variable(variable) | Subject::Owner(variable) | Subject::Depth(variable) => {
                variable.indices.clone()
            }
            Subject::Blocked(process)
            | Subject::BlockedAt(process)
            | Subject::Place(process)
            | Subject::Buffer(process) => vec![Value::Process(*process)],
        }
    }
}

impl fmt::Display for Subject {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_indexed(f, &self.name(), &self.indices())
    }
}

impl fmt::Display for Variable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_indexed(f, &self.name, &self.indices)
    }
}

/// `Taken`, `M[#1,#2]`
fn write_indexed(f: &mut fmt::Formatter<'_>, name: &str, indices: &[Value]) -> fmt::Result {
    if indices.is_empty() {
        return f.write_str(name);
    }
    let indices: Vec<String> = indices.iter().map(Value::to_string).collect();
    write!(f, "{name}[{}]", indices.join(","))
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Process(process) => write!(f, "#{}", process + 1),
            Value::Nobody => f.write_str("nobody"),
            Value::Integer(number) => number.fmt(f),
            Value::Unset => f.write_str("?"),
            Value::Decimal(text) | Value::Word(text) => f.write_str(text),
            Value::Active => f.write_str("active"),
            Value::Waiting(lock) => write!(f, "waiting({lock})"),
            Value::Sleeping(condition) => write!(f, "sleeping({condition})"),
            Value::Nowhere => f.write_str("none"),
            Value::Buffer(entries) => buffer::write(entries, f),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_written_as_the_language_writes_them() {
        let lock = Variable::cell("Fork", &[1]);
        for (entry, text) in [
            (Entry::variable("Taken", Value::word("True")), "Taken = True"),
            (Entry::cell("M", &[0, 1], Value::Integer(-3)), "M[#1,#2] = -3"),
            (
                Entry { subject: Subject::Owner(lock.clone()), value: Value::Nobody },
                "owner(Fork)[#2] = nobody",
            ),
            (Entry { subject: Subject::Depth(lock), value: Value::Unset }, "depth(Fork)[#2] = ?"),
            (Entry { subject: Subject::Blocked(0), value: Value::Active }, "blocked[#1] = active"),
            (
                Entry { subject: Subject::Blocked(0), value: Value::Waiting("Fork".into()) },
                "blocked[#1] = waiting(Fork)",
            ),
            (Entry { subject: Subject::BlockedAt(0), value: Value::Process(1) }, "blocked_at[#1] = #2"),
            (Entry { subject: Subject::Place(2), value: Value::Nowhere }, "place[#3] = none"),
            (Entry { subject: Subject::Buffer(0), value: Value::Buffer(vec![]) }, "buffer[#1] = empty"),
        ] {
            assert_eq!(entry.to_string(), text);
        }
    }
}
