//! Rust on the crate `motet-session`: tables, a core, messages, and a handle for each role.

use super::{
    GeneratedFile, Wishes, file,
    names::{camel, distinct, part, snake, upper},
    typed,
};
use crate::Implementation;
use session::{Action, Style, Tables, Verb};
use std::fmt::Write;

/// The names that a program uses.
pub(super) struct Names {
    /// Roles as types, as functions and fields, and as constants.
    pub(super) roles: Vec<String>,
    pub(super) fields: Vec<String>,
    constants: Vec<String>,
    /// Message types as variants, and as parts of functions.
    pub(super) variants: Vec<String>,
    types: Vec<String>,
    /// The type of the value of each message type, if it carries one.
    pub(super) values: Vec<Option<String>>,
}

impl Names {
    fn new(tables: &Tables, wishes: &Wishes) -> Names {
        let roles: Vec<&str> = tables.roles.iter().map(|name| &**name).collect();
        let types: Vec<&str> = tables.types.iter().map(|name| &**name).collect();
        Names {
            roles: distinct(&roles, camel),
            fields: distinct(&roles, snake),
            constants: distinct(&roles, upper),
            variants: distinct(&types, camel),
            types: distinct(&types, part),
            values: types.iter().map(|name| wishes.types.get(*name).cloned()).collect(),
        }
    }

    /// The function of a send, a close or a handshake.
    pub(super) fn operation(&self, action: &Action, handshake_too: bool) -> String {
        let others: Vec<&str> = action.to.iter().map(|to| self.fields[*to as usize].as_str()).collect();
        let kind = action.message.map_or("signal", |kind| &self.types[kind as usize]);
        let to = others.join("_and_");
        match action.verb {
            Verb::Close => format!("close_to_{to}"),
            Verb::Handshake if handshake_too => format!("meet_{kind}_with_{to}"),
            _ => format!("send_{kind}_to_{to}"),
        }
    }

    /// The parameter of a send, and the message that is made of it.
    pub(super) fn value(&self, message: Option<u32>) -> (String, String) {
        let Some(kind) = message else { return (String::new(), "Message::Signal".to_owned()) };
        let variant = &self.variants[kind as usize];
        match &self.values[kind as usize] {
            Some(value) => (format!(", value: {value}"), format!("Message::{variant}(value)")),
            None => (String::new(), format!("Message::{variant}")),
        }
    }
}

/// Whether there is a message with the same sender, receivers and type as a handshake.
pub(super) fn is_ambiguous(tables: &Tables, action: &Action) -> bool {
    let is_it = |other: &Action| {
        other.verb == Verb::Send
            && (other.from, &other.to, other.message) == (action.from, &action.to, action.message)
    };
    tables.actions.iter().any(is_it)
}

pub(super) fn generate(
    implementation: &Implementation,
    wishes: &Wishes,
) -> Result<Vec<GeneratedFile>, String> {
    let tables = implementation.tables();
    if wishes.typed && tables.style == Style::Strict {
        return Err("types for states need machines for each role: `--style liberal`".into());
    }
    let names = Names::new(tables, wishes);
    let mut text = head(wishes);
    text += &messages(tables, &names, wishes);
    text += &roles(tables, &names, wishes);
    if wishes.typed {
        text += &typed::states(tables, &names)?;
    }
    text += &statics(tables);
    Ok(vec![file(format!("{}.rs", snake(&wishes.name)), text)])
}

fn head(wishes: &Wishes) -> String {
    format!(
        "// Made by `motet protocol generate` from {}. Changes are lost when it is made again.\n\n\
         #![allow(warnings, clippy::all, clippy::pedantic)]\n\n\
         use motet_session::{{Action, Endpoint, Entry, Error, Meeting, Payload, Style, Table, TableCore, Tables, Verb}};\n\
         use std::{{borrow::Cow, ops}};\n\n\
         /// A whole session without values: what a checker explores.\n\
         pub fn core() -> TableCore<'static> {{\n    TableCore::new(&TABLES)\n}}\n\n",
        wishes.origin
    )
}

fn messages(tables: &Tables, names: &Names, wishes: &Wishes) -> String {
    let serde = if wishes.tcp { ", serde::Serialize, serde::Deserialize" } else { "" };
    let mut text = format!("/// What is sent.\n#[derive(Debug, Clone{serde})]\npub enum Message {{\n");
    let mut kinds = String::new();
    let is_signal = tables
        .actions
        .iter()
        .any(|action| action.message.is_none() && matches!(action.verb, Verb::Send | Verb::Handshake));
    for (kind, (variant, value)) in names.variants.iter().zip(&names.values).enumerate() {
        let (value, pattern) =
            value.as_ref().map_or((String::new(), ""), |value| (format!("({value})"), "(_)"));
        let _ = writeln!(text, "    {variant}{value},");
        let _ = writeln!(kinds, "            Message::{variant}{pattern} => Some({kind}),");
    }
    if is_signal || names.variants.is_empty() {
        text += "    Signal,\n";
        kinds += "            Message::Signal => None,\n";
    }
    text + "}\n\nimpl Payload for Message {\n    fn kind(&self) -> Option<u32> {\n        match self {\n"
        + &kinds
        + "        }\n    }\n}\n\n"
}

fn roles(tables: &Tables, names: &Names, wishes: &Wishes) -> String {
    let mut text = "/// The numbers of the roles.\npub mod role {\n".to_owned();
    for (number, constant) in names.constants.iter().enumerate() {
        let _ = writeln!(text, "    pub const {constant}: u32 = {number};");
    }
    text += "}\n\n/// A session: a handle for each role.\npub struct Session {\n";
    let pairs = || names.roles.iter().zip(&names.fields);
    for (role, field) in pairs() {
        let _ = writeln!(text, "    pub {field}: {role},");
    }
    text += "}\n\n/// Opens a session in this process.\npub fn open() -> Session {\n";
    text += "    let mut ends = motet_session::open(&TABLES).into_iter();\n    let mut next = || ends.next().expect(\"there is an endpoint for each role\");\n    Session {\n";
    for (role, field) in pairs() {
        let _ = writeln!(text, "        {field}: {role}(next()),");
    }
    text += "    }\n}\n\n";
    for (number, role) in (0..).zip(&names.roles) {
        text += &handle(tables, names, number, role, wishes);
    }
    text
}

fn handle(tables: &Tables, names: &Names, number: u32, role: &str, wishes: &Wishes) -> String {
    let mut text = format!(
        "/// What `{}` holds.\npub struct {role}(pub Endpoint<Message>);\n\nimpl {role} {{\n",
        tables.roles[number as usize]
    );
    if wishes.tcp {
        let _ = writeln!(
            text,
            "    /// Joins a session whose roles are in different processes, at these addresses.\n    pub fn join(addresses: &[std::net::SocketAddr]) -> Result<{role}, Error> {{\n        motet_session::tcp::join(&TABLES, {number}, addresses).map({role})\n    }}\n"
        );
    }
    for (at, action) in (0_u32..).zip(tables.actions.iter()) {
        text += &operation(tables, names, number, at, action);
    }
    text + "}\n\n"
        + &format!(
            "impl ops::Deref for {role} {{\n    type Target = Endpoint<Message>;\n\n    fn deref(&self) -> &Endpoint<Message> {{\n        &self.0\n    }}\n}}\n\n\
             impl ops::DerefMut for {role} {{\n    fn deref_mut(&mut self) -> &mut Endpoint<Message> {{\n        &mut self.0\n    }}\n}}\n\n"
        )
}

fn operation(tables: &Tables, names: &Names, role: u32, at: u32, action: &Action) -> String {
    if action.verb == Verb::Receive {
        if action.to[0] != role {
            return String::new();
        }
        let from = action.from;
        return format!(
            "    pub fn recv_from_{}(&mut self) -> Result<Message, Error> {{\n        self.0.recv({from})\n    }}\n\n",
            names.fields[from as usize]
        );
    }
    if action.from != role {
        let is_first = || {
            tables
                .actions
                .iter()
                .position(|it| it.verb == Verb::Handshake && (it.from, &it.to) == (action.from, &action.to))
        };
        let receives = |it: &Action| it.verb == Verb::Receive && (it.from, it.to[0]) == (action.from, role);
        // A handshake is received like a message.
        if action.verb == Verb::Handshake
            && action.to[0] == role
            && is_first() == Some(at as usize)
            && !tables.actions.iter().any(receives)
        {
            return operation(tables, names, role, at, &Action { verb: Verb::Receive, ..action.clone() });
        }
        return String::new();
    }
    let (parameter, message) = names.value(action.message);
    let body = match (action.verb, &*action.to) {
        (Verb::Close, [to]) => format!("self.0.close({to})"),
        (_, [_]) => format!("self.0.send_by({at}, {message})"),
        (_, to) => format!("self.0.send_all(&{to:?}, {message})"),
    };
    let (name, parameter) = (
        names.operation(action, is_ambiguous(tables, action)),
        if action.verb == Verb::Close { "" } else { &parameter },
    );
    format!("    pub fn {name}(&mut self{parameter}) -> Result<(), Error> {{\n        {body}\n    }}\n\n")
}

fn statics(tables: &Tables) -> String {
    let names = |list: &[std::borrow::Cow<'static, str>]| -> String {
        list.iter().map(|name| format!("    Cow::Borrowed({name:?}),\n")).collect()
    };
    let mut text = format!(
        "static ROLES: [Cow<'static, str>; {}] = [\n{}];\n\nstatic TYPES: [Cow<'static, str>; {}] = [\n{}];\n\n",
        tables.roles.len(),
        names(&tables.roles),
        tables.types.len(),
        names(&tables.types)
    );
    let _ = writeln!(text, "static ACTIONS: [Action; {}] = [", tables.actions.len());
    for action in tables.actions.iter() {
        let Action { verb, from, to, message } = action;
        let _ = writeln!(
            text,
            "    Action {{ verb: Verb::{verb:?}, from: {from}, to: Cow::Borrowed(&{to:?}), message: {message:?} }},"
        );
    }
    text += "];\n\n";
    let _ = writeln!(text, "static MACHINES: [Table; {}] = [", tables.machines.len());
    for machine in tables.machines.iter() {
        let entries: Vec<String> = machine.entries.iter().map(|it| format!("{it:?}")).collect();
        let _ = writeln!(
            text,
            "    Table {{\n        rows: Cow::Borrowed(&{:?}),\n        entries: Cow::Borrowed(&[{}]),\n        may_stop: Cow::Borrowed(&{:?}),\n    }},",
            machine.rows,
            entries.join(", "),
            machine.may_stop
        );
    }
    text += "];\n\n";
    let _ = writeln!(text, "static MEETINGS: [Meeting; {}] = [", tables.meetings.len());
    for meeting in tables.meetings.iter() {
        let _ = writeln!(text, "    {meeting:?},");
    }
    let style = tables.style;
    let (channels, capacity) = (&tables.channels, tables.capacity);
    let _ = write!(
        text,
        "];\n\n/// The implementation.\npub static TABLES: Tables = Tables {{\n    style: Style::{style:?},\n    roles: Cow::Borrowed(&ROLES),\n    types: Cow::Borrowed(&TYPES),\n    \
         actions: Cow::Borrowed(&ACTIONS),\n    machines: Cow::Borrowed(&MACHINES),\n    meetings: Cow::Borrowed(&MEETINGS),\n    channels: Cow::Borrowed(&{channels:?}),\n    capacity: {capacity:?},\n}};\n"
    );
    text
}
