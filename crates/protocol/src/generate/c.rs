//! C: tables as arrays, on `motet_session.h`.

use super::{
    GeneratedFile, Wishes, file,
    names::{distinct, snake, upper},
};
use crate::Implementation;
use session::{Action, Style, Tables, Verb};
use std::fmt::Write;

const RUNTIME: &str = include_str!("runtime/motet_session.h");

pub(super) fn generate(implementation: &Implementation, wishes: &Wishes) -> Vec<GeneratedFile> {
    let tables = implementation.tables();
    let name = snake(&wishes.name);
    let header = header(tables, wishes, &name);
    let program = format!(
        "/* Made by `motet protocol generate` from {}. With -DMOTET_DRIVE it is a program that a checker can drive. */\n#include \"{name}.h\"\n\n#ifdef MOTET_DRIVE\nint main(void) {{\n  return motet_drive(&{name}_tables);\n}}\n#endif\n",
        wishes.origin
    );
    vec![
        file(format!("{name}.h"), header),
        file(format!("{name}.c"), program),
        file("motet_session.h", RUNTIME),
    ]
}

fn header(tables: &Tables, wishes: &Wishes, name: &str) -> String {
    let guard = upper(&wishes.name);
    let mut text = format!(
        "/* Made by `motet protocol generate` from {}. Changes are lost when it is made again. */\n#ifndef {guard}_H\n#define {guard}_H\n\n#define _GNU_SOURCE\n#include \"motet_session.h\"\n\n",
        wishes.origin
    );
    for (what, list) in [("ROLE", &tables.roles), ("TYPE", &tables.types)] {
        let names: Vec<&str> = list.iter().map(|name| &**name).collect();
        for (number, constant) in distinct(&names, upper).iter().enumerate() {
            let _ = writeln!(text, "#define {guard}_{what}_{constant} {number}");
        }
    }
    text += "\n/* Sends, closes and handshakes, for motet_send. */\n";
    let operations: Vec<(usize, String)> = tables
        .actions
        .iter()
        .enumerate()
        .filter(|(_, action)| action.verb != Verb::Receive)
        .map(|(number, action)| (number, operation(tables, action)))
        .collect();
    let words: Vec<&str> = operations.iter().map(|(_, name)| name.as_str()).collect();
    for ((number, _), constant) in operations.iter().zip(distinct(&words, upper)) {
        let _ = writeln!(text, "#define {guard}_{constant} {number}");
    }
    text += &arrays(tables, name);
    text + "\n#endif\n"
}

fn operation(tables: &Tables, action: &Action) -> String {
    let role = |role: u32| &*tables.roles[role as usize];
    let to: Vec<&str> = action.to.iter().map(|to| role(*to)).collect();
    let kind = action.message.map_or("", |kind| &tables.types[kind as usize]);
    let verb = match action.verb {
        Verb::Close => "closes",
        Verb::Handshake => "meets",
        _ => "sends",
    };
    format!("{} {verb} {kind} to {}", role(action.from), to.join(" and "))
}

fn arrays(tables: &Tables, name: &str) -> String {
    let none = |value: Option<u32>| value.map_or("MOTET_NONE".to_owned(), |value| value.to_string());
    let braced = |items: Vec<String>| {
        if items.is_empty() { "{0}".to_owned() } else { format!("{{{}}}", items.join(", ")) }
    };
    let numbers = |list: &[u32]| braced(list.iter().map(u32::to_string).collect());
    let mut text = String::new();
    let names = tables.roles.iter().map(|name| format!("{name:?}")).collect();
    let _ = writeln!(text, "\nstatic const char *const {name}_roles[] = {};", braced(names));
    for (at, action) in tables.actions.iter().enumerate() {
        let _ = writeln!(text, "static const int {name}_to_{at}[] = {};", numbers(&action.to));
    }
    let verb = |action: &Action| format!("MOTET_{}", format!("{:?}", action.verb).to_uppercase());
    let actions = tables.actions.iter().enumerate().map(|(at, it)| {
        format!("\n  {{{}, {}, {}, {}, {name}_to_{at}}}", verb(it), it.from, none(it.message), it.to.len())
    });
    let _ = writeln!(text, "static const motet_action {name}_actions[] = {};", braced(actions.collect()));
    for (at, machine) in tables.machines.iter().enumerate() {
        let entries =
            machine.entries.iter().map(|it| format!("{{{}, {}, {}}}", it.action, it.stamp, it.next));
        let _ = writeln!(text, "static const int {name}_rows_{at}[] = {};", numbers(&machine.rows));
        let _ = writeln!(
            text,
            "static const motet_entry {name}_entries_{at}[] = {};",
            braced_structs(&entries.collect::<Vec<_>>())
        );
        let may_stop = machine.may_stop.iter().map(|may| u32::from(*may)).collect::<Vec<_>>();
        let _ = writeln!(text, "static const bool {name}_may_stop_{at}[] = {};", numbers(&may_stop));
    }
    let machines = (0..tables.machines.len())
        .map(|at| format!("{{{name}_rows_{at}, {name}_entries_{at}, {name}_may_stop_{at}}}"));
    let _ = writeln!(text, "static const motet_machine {name}_machines[] = {};", braced(machines.collect()));
    let meetings = tables.meetings.iter().map(|it| {
        format!("{{{}, {}, {}, {}, {}}}", it.action, it.sender, it.receiver, it.sender_next, it.receiver_next)
    });
    let _ = writeln!(
        text,
        "static const motet_meeting {name}_meetings[] = {};",
        braced_structs(&meetings.collect::<Vec<_>>())
    );
    let channels = tables.channels.iter().map(|(from, to)| format!("{{{from}, {to}}}"));
    let _ = writeln!(
        text,
        "static const int {name}_channels[][2] = {};",
        braced_structs(&channels.collect::<Vec<_>>())
    );
    let _ = writeln!(
        text,
        "\n/* The implementation. */\nstatic const motet_tables {name}_tables = {{\n  {}, {}, {}, {}, {}, {}, {},\n  {name}_roles, {name}_actions, {name}_machines, {name}_meetings, {name}_channels}};",
        tables.style == Style::Liberal,
        tables.roles.len(),
        tables.actions.len(),
        tables.machines.len(),
        tables.meetings.len(),
        tables.channels.len(),
        none(tables.capacity)
    );
    text
}

/// An array of structures, which has one even where there is none.
fn braced_structs(items: &[String]) -> String {
    if items.is_empty() { "{{0}}".to_owned() } else { format!("{{{}}}", items.join(", ")) }
}
