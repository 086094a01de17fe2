//! Reading states and labels back from the texts of a file: the inverse of how they are written.
//!
//! A text that does not look as we write it is a word, which equals no value of a system that has none such: a
//! replay then tells where it deviates.

use crate::{Buffered, Call, Entry, Label, Stored, Subject, Value, Variable};

/// A label. Only a text that the call would be written as is a call.
pub(super) fn label(text: &str) -> Label {
    match text.parse::<Call>().map(Call::closed) {
        Ok(call) if call.to_string() == text => Label::Call(call),
        _ => Label::Text(text.to_owned()),
    }
}

/// An entry whose value is written as text.
pub(super) fn entry(name: &str, text: &str) -> Entry {
    let subject = subject(name);
    let value = match (&subject, text) {
        (Subject::Owner(_) | Subject::BlockedAt(_), "nobody") => Value::Nobody,
        (Subject::Blocked(_), text) => blocked(text),
        (Subject::Place(_), "none") => Value::Nowhere,
        (Subject::Buffer(_), text) => buffer(text).unwrap_or_else(|| Value::word(text)),
        (_, text) => value(text),
    };
    Entry { subject, value }
}

/// What an entry of a name is about. Variables are never called like this: their names are words.
pub(super) fn subject(name: &str) -> Subject {
    let variable = variable(name);
    let lock = |of: &str| {
        let name = variable.name.strip_prefix(of)?.strip_prefix('(')?.strip_suffix(')')?;
        Some(Variable { name: name.to_owned(), indices: variable.indices.clone() })
    };
    if let Some(lock) = lock("owner") {
        return Subject::Owner(lock);
    }
    if let Some(lock) = lock("depth") {
        return Subject::Depth(lock);
    }
    match (variable.name.as_str(), &variable.indices[..]) {
        ("blocked", [Value::Process(process)]) => Subject::Blocked(*process),
        ("blocked_at", [Value::Process(process)]) => Subject::BlockedAt(*process),
        ("place", [Value::Process(process)]) => Subject::Place(*process),
        ("buffer", [Value::Process(process)]) => Subject::Buffer(*process),
        _ => Subject::Variable(variable),
    }
}

/// `Flag`, `Flag[#1]`, `M[#1,#2]`
fn variable(text: &str) -> Variable {
    match text.strip_suffix(']').and_then(|text| text.split_once('[')) {
        Some((name, indices)) => {
            Variable { name: name.to_owned(), indices: indices.split(',').map(scalar).collect() }
        }
        None => Variable { name: text.to_owned(), indices: vec![] },
    }
}

fn blocked(text: &str) -> Value {
    let of = |verb: &str| text.strip_prefix(verb)?.strip_prefix('(')?.strip_suffix(')').map(str::to_owned);
    if text == "active" {
        return Value::Active;
    }
    let waiting = of("waiting").map(Value::Waiting).or_else(|| of("sleeping").map(Value::Sleeping));
    waiting.unwrap_or_else(|| Value::word(text))
}

/// A value that a file writes as text, hence no whole number.
fn value(text: &str) -> Value {
    if text == "?" {
        return Value::Unset;
    }
    process(text).or_else(|| decimal(text)).unwrap_or_else(|| Value::word(text))
}

/// A value inside of a text, which may also be a whole number.
fn scalar(text: &str) -> Value {
    integer(text).map_or_else(|| value(text), Value::Integer)
}

fn process(text: &str) -> Option<Value> {
    let number = text.strip_prefix('#')?;
    let process = number.parse::<usize>().ok().filter(|process| process.to_string() == number)?;
    process.checked_sub(1).map(Value::Process)
}

/// A whole number, if it would be written like this.
fn integer(text: &str) -> Option<i64> {
    text.parse::<i64>().ok().filter(|number| number.to_string() == text)
}

fn decimal(text: &str) -> Option<Value> {
    let (whole, fraction) = text.strip_prefix('-').unwrap_or(text).split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (digits(whole) && digits(fraction)).then(|| Value::Decimal(text.to_owned()))
}

/// `empty`, or entries such as `X := 1` and `(X := 1; Y := 2) × 3`
fn buffer(text: &str) -> Option<Value> {
    if text == "empty" {
        return Some(Value::Buffer(vec![]));
    }
    text.split(", ").map(buffered).collect::<Option<_>>().map(Value::Buffer)
}

fn buffered(text: &str) -> Option<Buffered> {
    let (stores, copies) = match text.split_once(" × ") {
        None => (text, Some(1)),
        Some((stores, "many")) => (stores, None),
        Some((stores, copies)) => (stores, Some(copies.parse().ok()?)),
    };
    let together = stores.strip_prefix('(').and_then(|stores| stores.strip_suffix(')'));
    let stores = match together {
        Some("") => vec![],
        Some(stores) => stores.split("; ").map(stored).collect::<Option<_>>()?,
        None => vec![stored(stores)?],
    };
    Some(Buffered { stores, copies })
}

fn stored(text: &str) -> Option<Stored> {
    let (variable, value) = text.split_once(" := ")?;
    Some(Stored { variable: self::variable(variable), value: scalar(value) })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(entry: &Entry) {
        assert_eq!(super::entry(&entry.subject.to_string(), &entry.value.to_string()), *entry);
    }

    #[test]
    fn what_is_written_is_read_back() {
        let lock = || Variable::cell("Fork", &[1]);
        reads(&Entry::cell("M", &[0, 11], Value::Process(2)));
        reads(&Entry::variable("R", Value::Decimal("-0.25".into())));
        reads(&Entry::variable("R", Value::Unset));
        reads(&Entry::variable("Holder", Value::word("nobody")));
        for value in [Value::Nobody, Value::Process(0)] {
            reads(&Entry { subject: Subject::Owner(lock()), value });
        }
        for value in [Value::Active, Value::Waiting("Fork".into()), Value::Sleeping("Fork".into())] {
            reads(&Entry { subject: Subject::Blocked(1), value });
        }
        reads(&Entry { subject: Subject::BlockedAt(1), value: Value::Nobody });
        reads(&Entry { subject: Subject::Place(1), value: Value::Nowhere });
    }

    #[test]
    fn store_buffers_are_read_back() {
        let store = |variable, value| Stored { variable, value };
        let one = |value, copies| Buffered { stores: vec![store(Variable::cell("X", &[]), value)], copies };
        let both = Buffered {
            stores: vec![
                store(Variable::cell("A", &[0, 1]), Value::word("True")),
                store(Variable::cell("Y", &[]), Value::Decimal("1.5".into())),
            ],
            copies: None,
        };
        for entries in [
            vec![],
            vec![one(Value::Integer(-1), Some(1))],
            vec![one(Value::Process(0), Some(3)), both.clone(), one(Value::word("…"), Some(1))],
            vec![both, Buffered { stores: vec![], copies: Some(1) }],
        ] {
            reads(&Entry { subject: Subject::Buffer(0), value: Value::Buffer(entries) });
        }
        assert_eq!(entry("buffer[#1]", "something else").value, Value::word("something else"));
    }

    #[test]
    fn labels_are_calls_only_if_they_are_written_like_calls() {
        for text in ["enter(#1)", "tick()", "leave(#1, #2) waking #3 choice 2 variant 3"] {
            assert!(matches!(label(text), Label::Call(_)), "{text}");
            assert_eq!(label(text).to_string(), text);
        }
        for text in ["Fill(1)", "tick", "enter( #1 )", "1: Some(Write(0, 1))", "enter(#1) choice 1"] {
            assert_eq!(label(text), Label::Text(text.into()));
        }
    }
}
