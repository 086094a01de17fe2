//! What a store buffer holds.

use super::{Value, Variable};
use std::fmt;

/// An entry of a store buffer, with everything that it will write at once.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Buffered {
    /// What is written.
    pub stores: Vec<Stored>,
    /// How often the entry is in the buffer, one after the other; `None` if it is there many times.
    pub copies: Option<usize>,
}

/// A variable or cell, and the value that is about to be written there.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Stored {
    /// Where it is written.
    pub variable: Variable,
    /// The value that will be there.
    pub value: Value,
}

impl fmt::Display for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} := {}", self.variable, self.value)
    }
}

impl fmt::Display for Buffered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let stores: Vec<String> = self.stores.iter().map(Stored::to_string).collect();
        match &stores[..] {
            [single] => f.write_str(single)?,
            several => write!(f, "({})", several.join("; "))?,
        }
        match self.copies {
            Some(1) => Ok(()),
            Some(copies) => write!(f, " × {copies}"),
            None => f.write_str(" × many"),
        }
    }
}

/// A whole buffer as text.
pub(super) fn write(entries: &[Buffered], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    if entries.is_empty() {
        return f.write_str("empty");
    }
    let texts: Vec<String> = entries.iter().map(Buffered::to_string).collect();
    f.write_str(&texts.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_listed_the_oldest_first() {
        let store = |name: &str, value| Stored { variable: Variable::cell(name, &[]), value };
        let single = Buffered { stores: vec![store("X", Value::Integer(1))], copies: Some(2) };
        let double = Buffered {
            stores: vec![store("Y", Value::Process(0)), store("Z", Value::word("True"))],
            copies: None,
        };
        assert_eq!(
            Value::Buffer(vec![single, double]).to_string(),
            "X := 1 × 2, (Y := #1; Z := True) × many"
        );
    }
}
