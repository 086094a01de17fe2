//! Python: tables as tuples, on `motet_session.py`.

use super::{
    GeneratedFile, Wishes, file,
    names::{distinct, snake, upper},
};
use crate::Implementation;
use session::{Style, Tables};
use std::fmt::Write;

const RUNTIME: &str = include_str!("runtime/motet_session.py");

pub(super) fn generate(implementation: &Implementation, wishes: &Wishes) -> Vec<GeneratedFile> {
    let tables = implementation.tables();
    let mut text = format!(
        "\"\"\"Made by `motet protocol generate` from {}. Changes are lost when it is made again.\"\"\"\n\nimport motet_session\n\n",
        wishes.origin
    );
    let constants = |list: &[std::borrow::Cow<'static, str>]| {
        let names: Vec<&str> = list.iter().map(|name| &**name).collect();
        distinct(&names, upper)
    };
    let (roles, types) = (constants(&tables.roles), constants(&tables.types));
    for (number, name) in roles.iter().enumerate() {
        let _ = writeln!(text, "{name} = {number}");
    }
    for (number, name) in types.iter().enumerate() {
        let prefix = if roles.contains(name) { "TYPE_" } else { "" };
        let _ = writeln!(text, "{prefix}{name} = {number}");
    }
    text += &table_text(tables);
    text += "\n\ndef core():\n    \"\"\"A whole session without values: what a checker explores.\"\"\"\n    return motet_session.Core(TABLES)\n\n\n\
             def open_session():\n    \"\"\"An endpoint for each role, in order.\"\"\"\n    return motet_session.open_session(TABLES)\n\n\n\
             if __name__ == \"__main__\":\n    motet_session.drive(TABLES)\n";
    vec![file(format!("{}.py", snake(&wishes.name)), text), file("motet_session.py", RUNTIME)]
}

fn table_text(tables: &Tables) -> String {
    let none = |value: Option<u32>| value.map_or("None".to_owned(), |value| value.to_string());
    let list = |items: Vec<String>| format!("[{}]", items.join(", "));
    let quoted =
        |list: &[std::borrow::Cow<'static, str>]| list.iter().map(|name| format!("{name:?}")).collect();
    let verb = |action: &session::Action| format!("{:?}", action.verb).to_lowercase();
    let actions = tables
        .actions
        .iter()
        .map(|it| format!("(\"{}\", {}, {:?}, {})", verb(it), it.from, it.to, none(it.message)));
    let machines = tables.machines.iter().map(|machine| {
        let rows = (0..u32::try_from(machine.states()).unwrap_or(0)).map(|state| {
            let row =
                machine.row(state).iter().map(|it| format!("({}, {}): {}", it.action, it.stamp, it.next));
            format!("{{{}}}", row.collect::<Vec<_>>().join(", "))
        });
        let may_stop = machine.may_stop.iter().map(|may| if *may { "True" } else { "False" }.to_owned());
        format!("\n        ({}, {})", list(rows.collect()), list(may_stop.collect()))
    });
    let meetings = tables.meetings.iter().map(|it| {
        format!("({}, {}, {}): ({}, {})", it.action, it.sender, it.receiver, it.sender_next, it.receiver_next)
    });
    let channels = tables.channels.iter().map(|(from, to)| format!("({from}, {to})"));
    format!(
        "\nTABLES = motet_session.Tables(\n    liberal={},\n    roles={},\n    types={},\n    actions={},\n    machines={},\n    meetings={{{}}},\n    channels={},\n    capacity={},\n)\n",
        if tables.style == Style::Liberal { "True" } else { "False" },
        list(quoted(&tables.roles)),
        list(quoted(&tables.types)),
        list(actions.collect()),
        list(machines.collect()),
        meetings.collect::<Vec<_>>().join(", "),
        list(channels.collect()),
        none(tables.capacity)
    )
}
