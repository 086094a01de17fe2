//! A corpus of weak models with their verdicts: `MOTET_CORPUS=FOLDER`, where `FOLDER/weak/expected.tsv` lists them.
//!
//! Unsafe ones must be found for some small number of processes, safe ones must not be violated within the bounds.

mod common;

use common::{Bounds, bounds, explore};
use reference::{bounded::Found, tree::Memory};
use std::{fs, path::Path};

/// With four processes only models that need them, such as independent reads of independent writes, are small enough.
const SIZES: [usize; 4] = [1, 2, 3, 4];

#[test]
fn the_verdicts_of_a_corpus() {
    let Ok(folder) = std::env::var("MOTET_CORPUS") else { return };
    let folder = Path::new(&folder).join("weak");
    let Ok(expected) = fs::read_to_string(folder.join("expected.tsv")) else { return };
    let mut wrong = Vec::new();
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let mut fields = line.split('\t');
        let (Some(name), Some(verdict)) = (fields.next(), fields.next()) else { continue };
        let text = fs::read_to_string(folder.join(name)).expect("it is listed");
        let (summary, violated) = summary(&text);
        println!("{name} ({verdict}): {summary}");
        if matches!((verdict, violated), ("safe", true) | ("unsafe", false)) {
            wrong.push(name.to_owned());
        }
    }
    assert!(wrong.is_empty(), "{wrong:?}");
}

/// What each instance shows, and whether any violates a property.
fn summary(text: &str) -> (String, bool) {
    let (mut parts, mut violated) = (Vec::new(), false);
    for processes in SIZES {
        let bounds = Bounds { states: 60_000, buffer: 4, ..bounds() };
        if !common::program(text, Memory::Tso).allows(processes) {
            continue;
        }
        match explore(text, Memory::Tso, processes, &bounds) {
            Ok(found) => {
                violated |= found.violates_a_property();
                parts.push(format!("{processes}: {}", told(&found)));
            }
            Err(refusal) => parts.push(format!("{processes}: {refusal:?}")),
        }
    }
    (parts.join("; "), violated)
}

fn told(found: &Found) -> String {
    let end = if found.exhaustive { "all" } else { "some" };
    let violations: Vec<String> =
        found.violations.iter().map(|(what, at)| format!("{what:?}@{at}")).collect();
    format!(
        "{end} of {} states, buffers up to {} {}",
        found.states.len(),
        found.longest,
        violations.join(" ")
    )
}
