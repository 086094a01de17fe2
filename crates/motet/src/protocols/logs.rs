//! Lines of logs as actions: `{"role": "white", "action": "send", "type": "Move", "to": "black"}`, or in words `white SEND Move TO black`.

use ::protocol::{Action, Vocabulary};
use serde_json::Value;

/// The action of a line. The error is a sentence.
pub(crate) fn action(line: &str, vocabulary: &Vocabulary) -> Result<Action, String> {
    if !line.trim_start().starts_with('{') {
        return vocabulary.read(line);
    }
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    if let Some(words) = value["event"].as_str() {
        return vocabulary.read(words);
    }
    let field = |name: &str| value[name].as_str();
    let others: Vec<&str> = ["to", "from", "with"]
        .iter()
        .find_map(|name| match &value[*name] {
            Value::String(other) => Some(vec![other.as_str()]),
            Value::Array(others) => Some(others.iter().filter_map(Value::as_str).collect()),
            _ => None,
        })
        .unwrap_or_default();
    let (Some(role), Some(verb)) = (field("role"), field("action")) else {
        return Err("an action has `role` and `action`, and `to` or `from`".into());
    };
    vocabulary.read_parts(role, verb, field("type"), &others)
}
