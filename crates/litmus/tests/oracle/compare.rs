//! The machine and the axioms give the same final states.

use crate::{candidates::final_states, random};
use explore::Limits;
use litmus::{Memory, Test, parse};
use source::{Source, Style, render};
use std::{collections::BTreeSet, fs, path::Path};

fn read(name: &str, text: &str) -> Test {
    let source = Source::new(name, text);
    parse(&source).unwrap_or_else(|errors| {
        let messages: Vec<String> = errors.iter().map(|error| render(&source, error, Style::Plain)).collect();
        panic!("{}\n{text}", messages.join("\n"))
    })
}

fn machine(test: &Test, memory: Memory) -> BTreeSet<Vec<i64>> {
    let outcome = test.run(memory, &Limits::default());
    assert_eq!(outcome.incomplete, None, "{}", test.name);
    outcome.states.into_iter().map(|state| state.values).collect()
}

/// Compares both under both models. Returns whether TSO has more final states.
fn compare(name: &str, text: &str) -> bool {
    let program = read(name, text);
    let [sc, tso] = [Memory::Sc, Memory::Tso].map(|memory| {
        let found = machine(&program, memory);
        assert_eq!(
            found,
            final_states(&program, memory),
            "{name} under {memory:?}: {:?}\n{text}",
            program.observed
        );
        found
    });
    assert!(sc.is_subset(&tso), "{name}\n{text}");
    tso.len() > sc.len()
}

#[test]
fn on_the_tests_of_the_project() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/litmus");
    let mut compared = 0;
    for entry in fs::read_dir(folder).expect("the folder of tests") {
        let path = entry.expect("readable").path();
        let text = fs::read_to_string(&path).expect("readable");
        let name = path.display().to_string();
        if path.extension().is_none_or(|extension| extension != "litmus")
            || read(&name, &text).program.has_loops()
        {
            continue;
        }
        compare(&name, &text);
        compared += 1;
    }
    assert!(compared >= 60, "only {compared} were compared");
}

/// `SEEDS=1000..2000` selects other seeds.
#[test]
fn on_random_tests() {
    let asked = std::env::var("SEEDS").unwrap_or_default();
    let bounds = asked.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    let (from, to) = bounds.unwrap_or((0, 400));
    let weak = (from..to).filter(|seed| compare(&format!("seed {seed}"), &random::test(*seed))).count();
    println!("{weak} of {} tests have more final states under TSO", to - from);
    assert!(u64::try_from(weak).expect("few") * 20 >= to - from, "only {weak} tell the models apart");
}
