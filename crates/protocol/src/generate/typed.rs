//! Types for the states of roles, in Rust: an operation takes the state and gives the next one, so that what a protocol does not allow does not compile.

use super::rust::{Names, is_ambiguous};
use session::{Tables, Verb};
use std::{
    collections::{BTreeMap, BTreeSet},
    fmt::Write,
};

/// What a role may receive in a state from another role: the type of the message, and the next state.
type Receives = BTreeMap<u32, BTreeSet<(Option<u32>, u32)>>;

/// The module with all states.
pub(super) fn states(tables: &Tables, names: &Names) -> Result<String, String> {
    let mut text = "/// The same handles with a type for each state: an operation takes the state and gives the next one.\npub mod typed {\n    use super::*;\n\n".to_owned();
    let firsts: Vec<String> = names.roles.iter().map(|role| format!("{role}0")).collect();
    let opened: Vec<String> = names
        .fields
        .iter()
        .zip(&firsts)
        .map(|(field, first)| format!("{first}(session.{field}.0)"))
        .collect();
    let _ = writeln!(
        text,
        "    /// Opens a session in this process: the first state of each role.\n    pub fn open() -> ({},) {{\n        let session = super::open();\n        ({},)\n    }}\n",
        firsts.join(", "),
        opened.join(", ")
    );
    for (role, machine) in (0..).zip(tables.machines.iter()) {
        for state in 0..u32::try_from(machine.states()).unwrap_or(0) {
            text += &one_state(tables, names, role, state)?;
        }
    }
    Ok(text + "}\n\n")
}

fn one_state(tables: &Tables, names: &Names, role: u32, state: u32) -> Result<String, String> {
    let machine = &tables.machines[role as usize];
    let name = format!("{}{state}", names.roles[role as usize]);
    let end = if machine.may_stop[state as usize] { "; the session may be over" } else { "" };
    let mut text = format!(
        "    /// `{}` in state {state}{end}.\n    #[must_use]\n    pub struct {name}(pub(super) Endpoint<Message>);\n\n",
        tables.roles[role as usize]
    );
    let mut operations = String::new();
    for entry in machine.row(state) {
        let action = &tables.actions[entry.action as usize];
        if action.verb != Verb::Receive {
            operations += &sending(tables, names, role, entry.action, entry.next);
        }
    }
    let mut handshakes: BTreeMap<u32, BTreeSet<u32>> = BTreeMap::new();
    for meeting in tables.meetings.iter().filter(|it| it.sender == state) {
        if tables.actions[meeting.action as usize].from == role {
            handshakes.entry(meeting.action).or_default().insert(meeting.sender_next);
        }
    }
    for (action, next) in handshakes {
        let [next] = next.into_iter().collect::<Vec<_>>()[..] else {
            return Err(format!(
                "the state of `{}` after a handshake depends on the other side",
                tables.roles[role as usize]
            ));
        };
        operations += &sending(tables, names, role, action, next);
    }
    for (from, receives) in receives(tables, role, state) {
        let (enumeration, operation) = receiving(names, &name, role, from, &receives);
        text += &enumeration;
        operations += &operation;
    }
    if !operations.is_empty() {
        let _ = writeln!(
            text,
            "    impl {name} {{\n{}    }}\n",
            operations.trim_end_matches('\n').to_owned() + "\n"
        );
    }
    Ok(text)
}

fn sending(tables: &Tables, names: &Names, role: u32, number: u32, next: u32) -> String {
    let action = &tables.actions[number as usize];
    let operation = names.operation(action, is_ambiguous(tables, action));
    let next = format!("{}{next}", names.roles[role as usize]);
    let (parameter, message) = names.value(action.message);
    let (parameter, call) = match (action.verb, &*action.to) {
        (Verb::Close, [to]) => (String::new(), format!("close({to})")),
        (_, [_]) => (parameter, format!("send_by({number}, {message})")),
        (_, to) => (parameter, format!("send_all(&{to:?}, {message})")),
    };
    format!(
        "        pub fn {operation}(mut self{parameter}) -> Result<{next}, Error> {{\n            self.0.{call}.map(|()| {next}(self.0))\n        }}\n\n"
    )
}

/// What may be received in a state. The stamp of a message is known from its send, and so is its type.
fn receives(tables: &Tables, role: u32, state: u32) -> Receives {
    let mut found = Receives::new();
    for entry in tables.machines[role as usize].row(state) {
        let action = &tables.actions[entry.action as usize];
        if action.verb != Verb::Receive {
            continue;
        }
        let sends = tables.machines[action.from as usize].entries.iter().filter(|it| it.stamp == entry.stamp);
        for send in sends {
            let sent = &tables.actions[send.action as usize];
            if sent.verb == Verb::Send && sent.to.contains(&role) {
                found.entry(action.from).or_default().insert((sent.message, entry.next));
            }
        }
    }
    for meeting in tables.meetings.iter().filter(|it| it.receiver == state) {
        let action = &tables.actions[meeting.action as usize];
        if action.to[0] == role {
            found.entry(action.from).or_default().insert((action.message, meeting.receiver_next));
        }
    }
    found
}

fn receiving(
    names: &Names,
    state: &str,
    role: u32,
    from: u32,
    receives: &BTreeSet<(Option<u32>, u32)>,
) -> (String, String) {
    let result = format!("{state}From{}", names.roles[from as usize]);
    let several = |kind: Option<u32>| receives.iter().filter(|(other, _)| *other == kind).count() > 1;
    let (mut variants, mut arms) = (String::new(), String::new());
    for (kind, next) in receives {
        let plain = kind.map_or("Signal", |kind| &names.variants[kind as usize]);
        let variant = if several(*kind) { format!("{plain}Then{next}") } else { plain.to_owned() };
        let next_name = format!("{}{next}", names.roles[role as usize]);
        let value = kind.and_then(|kind| names.values[kind as usize].as_ref());
        let (field, pattern, given) = match value {
            Some(value) => (format!("{value}, "), "(value)", "value, "),
            None => (String::new(), "", ""),
        };
        let _ = writeln!(variants, "        {variant}({field}{next_name}),");
        let _ = writeln!(
            arms,
            "                (Message::{plain}{pattern}, Some({next})) => Ok({result}::{variant}({given}{next_name}(self.0))),"
        );
    }
    let field = &names.fields[from as usize];
    let enumeration = format!(
        "    /// What may come from `{field}`, and the state after it.\n    pub enum {result} {{\n{variants}    }}\n\n"
    );
    let operation = format!(
        "        pub fn recv_from_{field}(mut self) -> Result<{result}, Error> {{\n            let value = self.0.recv({from})?;\n            match (value, self.0.state()) {{\n{arms}                \
         #[allow(unreachable_patterns)]\n                _ => Err(Error::Unexpected(\"from {field}\".into())),\n            }}\n        }}\n\n"
    );
    (enumeration, operation)
}
