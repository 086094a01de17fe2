//! Values of expressions. They are ordered, so that sets and maps have one form.

use std::{
    collections::{BTreeMap, BTreeSet},
    fmt,
    rc::Rc,
};

/// A value.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// `nil`
    Nil,
    /// `true`, `false`
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number that is not whole, in lowest terms; the denominator is greater than 1.
    Ratio(i64, i64),
    /// A string.
    Text(Rc<str>),
    /// A keyword, such as the key of a role.
    Keyword(Rc<str>),
    /// A list or vector.
    List(Vec<Value>),
    /// A set.
    Set(BTreeSet<Value>),
    /// A map.
    Map(BTreeMap<Value, Value>),
    /// A function, by name.
    Function(Rc<str>),
}

impl Value {
    /// What counts as true: everything but `false` and `nil`.
    pub fn is_true(&self) -> bool {
        !matches!(self, Value::Nil | Value::Boolean(false))
    }

    /// What kind of value it is, with its article.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Nil => "nil",
            Value::Boolean(_) => "a Boolean",
            Value::Integer(_) => "an integer",
            Value::Ratio(..) => "a fraction",
            Value::Text(_) => "a string",
            Value::Keyword(_) => "a keyword",
            Value::List(_) => "a list",
            Value::Set(_) => "a set",
            Value::Map(_) => "a map",
            Value::Function(_) => "a function",
        }
    }

    /// The elements of a collection; those of a map are pairs.
    pub(crate) fn elements(&self) -> Option<Vec<Value>> {
        match self {
            Value::Nil => Some(vec![]),
            Value::List(items) => Some(items.clone()),
            Value::Set(items) => Some(items.iter().cloned().collect()),
            Value::Map(entries) => Some(
                entries.iter().map(|(key, value)| Value::List(vec![key.clone(), value.clone()])).collect(),
            ),
            _ => None,
        }
    }

    /// The number of elements, bounded below by 1: what it costs to copy it.
    pub(crate) fn size(&self) -> usize {
        match self {
            Value::List(items) => 1 + items.iter().map(Value::size).sum::<usize>(),
            Value::Set(items) => 1 + items.iter().map(Value::size).sum::<usize>(),
            Value::Map(entries) => {
                1 + entries.iter().map(|(key, value)| key.size() + value.size()).sum::<usize>()
            }
            Value::Text(text) => 1 + text.len() / 16,
            _ => 1,
        }
    }

    /// How `str` writes it: strings without quotes, and nothing for `nil`.
    pub(crate) fn plain(&self) -> String {
        match self {
            Value::Nil => String::new(),
            Value::Text(text) => text.to_string(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let joined = |items: &mut dyn Iterator<Item = String>| items.collect::<Vec<_>>().join(" ");
        match self {
            Value::Nil => f.write_str("nil"),
            Value::Boolean(value) => value.fmt(f),
            Value::Integer(value) => value.fmt(f),
            Value::Ratio(above, below) => write!(f, "{above}/{below}"),
            Value::Text(text) => write!(f, "{text:?}"),
            Value::Keyword(name) => write!(f, ":{name}"),
            Value::List(items) => write!(f, "[{}]", joined(&mut items.iter().map(ToString::to_string))),
            Value::Set(items) => write!(f, "#{{{}}}", joined(&mut items.iter().map(ToString::to_string))),
            Value::Map(entries) => {
                let mut entries = entries.iter().map(|(key, value)| format!("{key} {value}"));
                write!(f, "{{{}}}", joined(&mut entries))
            }
            Value::Function(name) => f.write_str(name),
        }
    }
}
