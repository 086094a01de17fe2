//! Java: tables as arrays of numbers, on `MotetSession.java`.

use super::{
    GeneratedFile, Wishes, file,
    names::{camel, distinct, upper},
};
use crate::Implementation;
use session::{Style, Tables, Verb};
use std::fmt::Write;

const RUNTIME: &str = include_str!("runtime/MotetSession.java");

pub(super) fn generate(implementation: &Implementation, wishes: &Wishes) -> Vec<GeneratedFile> {
    let tables = implementation.tables();
    let class = camel(&wishes.name);
    let mut text = format!(
        "// Made by `motet protocol generate` from {}. Changes are lost when it is made again.\n\npublic final class {class} {{\n",
        wishes.origin
    );
    for (prefix, list) in [("", &tables.roles), ("TYPE_", &tables.types)] {
        let names: Vec<&str> = list.iter().map(|name| &**name).collect();
        for (number, name) in distinct(&names, upper).iter().enumerate() {
            let _ = writeln!(text, "    public static final int {prefix}{name} = {number};");
        }
    }
    text += &table_text(tables);
    text += "    /** A whole session without values: what a checker explores. */\n    public static MotetSession.Core core() { return new MotetSession.Core(TABLES); }\n\n    \
             /** An endpoint for each role, in order. */\n    public static MotetSession.Endpoint[] open() { return MotetSession.open(TABLES); }\n\n    \
             public static void main(String[] arguments) throws java.io.IOException { MotetSession.drive(TABLES); }\n}\n";
    vec![file(format!("{class}.java"), text), file("MotetSession.java", RUNTIME)]
}

/// Constants of a class are limited, so that long lists are cut into pieces.
fn ints(numbers: impl IntoIterator<Item = u32>) -> String {
    let words: Vec<String> = numbers.into_iter().map(|number| number.cast_signed().to_string()).collect();
    let pieces: Vec<String> = words.chunks(2000).map(|piece| format!("\"{}\"", piece.join(","))).collect();
    format!("MotetSession.ints({})", pieces.join(", "))
}

const NONE: u32 = u32::MAX;

/// Actions as verb, sender, type, number of receivers, receivers.
pub(super) fn actions(tables: &Tables) -> Vec<u32> {
    let mut numbers = Vec::new();
    for action in tables.actions.iter() {
        let verb = match action.verb {
            Verb::Send => 0,
            Verb::Receive => 1,
            Verb::Handshake => 2,
            Verb::Close => 3,
        };
        let count = u32::try_from(action.to.len()).unwrap_or(0);
        numbers.extend([verb, action.from, action.message.unwrap_or(NONE), count]);
        numbers.extend(action.to.iter());
    }
    numbers
}

fn table_text(tables: &Tables) -> String {
    let quoted = |list: &[std::borrow::Cow<'static, str>]| {
        list.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ")
    };
    let each = |of: &dyn Fn(&session::Table) -> String| {
        tables
            .machines
            .iter()
            .map(|machine| format!("\n            {}", of(machine)))
            .collect::<Vec<_>>()
            .join(",")
    };
    let rows = each(&|machine| ints(machine.rows.iter().copied()));
    let entries = each(&|machine| ints(machine.entries.iter().flat_map(|it| [it.action, it.stamp, it.next])));
    let may_stop = each(&|machine| ints(machine.may_stop.iter().map(|may| u32::from(*may))));
    let meetings = tables
        .meetings
        .iter()
        .flat_map(|it| [it.action, it.sender, it.receiver, it.sender_next, it.receiver_next]);
    format!(
        "\n    public static final MotetSession.Tables TABLES = new MotetSession.Tables(\n        {},\n        new String[] {{{}}},\n        new String[] {{{}}},\n        {},\n        \
         new int[][] {{{rows}}},\n        new int[][] {{{entries}}},\n        new int[][] {{{may_stop}}},\n        {},\n        {},\n        {});\n\n",
        tables.style == Style::Liberal,
        quoted(&tables.roles),
        quoted(&tables.types),
        ints(actions(tables)),
        ints(meetings),
        ints(tables.channels.iter().flat_map(|(from, to)| [*from, *to])),
        tables.capacity.unwrap_or(NONE).cast_signed()
    )
}
