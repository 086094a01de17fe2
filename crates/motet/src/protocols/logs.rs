//! Lines of logs as actions: `{"role": "white", "action": "send", "type": "Move", "to": "black"}`, or in words `white SEND Move TO black`.

use ::protocol::{Action, Vocabulary, tree::Verb};
use serde_json::Value;

/// The action of a line. The error is a sentence.
pub(crate) fn action(line: &str, vocabulary: &Vocabulary) -> Result<Action, String> {
    if !line.trim_start().starts_with('{') {
        return of_words(line, vocabulary);
    }
    let value: Value = serde_json::from_str(line).map_err(|error| format!("not JSON: {error}"))?;
    if let Some(words) = value["event"].as_str() {
        return of_words(words, vocabulary);
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
    made(role, verb, field("type"), &others, vocabulary)
}

/// `white SEND Move TO black`
fn of_words(line: &str, vocabulary: &Vocabulary) -> Result<Action, String> {
    let words: Vec<&str> = line.split_whitespace().collect();
    let (role, verb, kind, others) = match words[..] {
        [role, verb, kind, "TO" | "FROM", others] => (role, verb, Some(kind), others),
        [role, verb, "TO" | "FROM", others] => (role, verb, None, others),
        _ => return Err(format!("`{line}` is no action; write `white SEND Move TO black`")),
    };
    made(role, verb, kind, &others.split(',').collect::<Vec<_>>(), vocabulary)
}

fn made(
    role: &str,
    verb: &str,
    kind: Option<&str>,
    others: &[&str],
    vocabulary: &Vocabulary,
) -> Result<Action, String> {
    let number = |name: &str| {
        let at = vocabulary.roles.iter().position(|role| role.name == name);
        at.and_then(|at| u32::try_from(at).ok()).ok_or_else(|| format!("there is no role `{name}`"))
    };
    let role = number(role)?;
    let mut others = others.iter().map(|name| number(name)).collect::<Result<Vec<u32>, _>>()?;
    others.sort_unstable();
    let short = |name: &str| name.trim_matches(['<', '>']).rsplit('.').next().unwrap_or(name).to_owned();
    let message = kind.map(short).map(|kind| {
        let at = vocabulary.types.iter().position(|known| **known == *kind);
        at.and_then(|at| u32::try_from(at).ok()).ok_or_else(|| format!("there is no message type `{kind}`"))
    });
    let message = message.transpose()?;
    let verb = match verb.to_ascii_lowercase().as_str() {
        "send" => Verb::Send,
        "recv" | "receive" => Verb::Receive,
        "close" => Verb::Close,
        "sync" | "handshake" => Verb::Handshake,
        other => return Err(format!("`{other}` is no action: send, recv, close or sync")),
    };
    match (verb, &others[..]) {
        (_, []) => Err("an action needs another role: `to` or `from`".into()),
        (Verb::Receive, [from]) => Ok(Action { verb, from: *from, to: [role].into(), message }),
        (Verb::Receive, _) => Err("a receive is from one role".into()),
        _ => Ok(Action { verb, from: role, to: others.into(), message }),
    }
}
