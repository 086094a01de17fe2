//! Random small programs over all primitives: every search that claims to be complete finds the same final states and the
//! same kinds of findings as the plain exhaustive one.
//!
//! `MOTET_PROGRAMS=0..500` asks for other programs, by their seeds. All of them are compiled at once, since that takes longer than
//! most searches; an argument chooses one.

mod generator;

use explore::Limits;
use generator::{Kind, source};
use program::{Claims, Mode, Options, Program, Recipe, Search, claims};
use std::{collections::BTreeSet, fs, ops::Range, process::Command, time::Duration};

/// Programs for every run of the tests.
const USUAL: Range<u64> = 0..36;
/// The time for the exhaustive search; programs that take longer are not compared.
const PATIENCE: Duration = Duration::from_secs(3);

fn is_possible() -> bool {
    let supported = cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu"));
    supported && Command::new("gcc").arg("--version").output().is_ok()
}

fn seeds() -> Range<u64> {
    let Ok(text) = std::env::var("MOTET_PROGRAMS") else { return USUAL };
    let (from, to) = text.split_once("..").expect("`MOTET_PROGRAMS=0..500`");
    from.parse().expect("a number")..to.parse().expect("a number")
}

fn build(seeds: Range<u64>, kind: Kind) -> (tempfile::TempDir, Program) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("random.c"), source(seeds, kind)).unwrap();
    let recipe =
        Recipe { files: vec!["random.c".into()], folder: folder.path().to_owned(), ..Recipe::default() };
    let program = Program::make(recipe).unwrap_or_else(|problem| panic!("{problem:?}"));
    (folder, program)
}

fn run(program: &Program, search: Search, time: Duration) -> Claims {
    let limits = Limits { time: Some(time), ..Limits::default() };
    let mode = Mode { all: true, ..Mode::default() };
    claims(program, &Options { search, mode, limits, ..Options::default() }).unwrap()
}

/// What must be the same: final states, and kinds of findings. Which races show depends on the order, since a race that
/// is known hides those behind it.
fn compared(found: &Claims) -> (&BTreeSet<u64>, BTreeSet<&str>) {
    (&found.observed, found.kinds.iter().map(String::as_str).filter(|kind| *kind != "race").collect())
}

/// Compares searches on all programs of a kind.
fn compare(kind: Kind, searches: &[(&str, Search)], is_right: fn(&Claims, &Claims) -> bool) {
    if !is_possible() {
        eprintln!("skipped: no compiler, or not Linux on x86-64");
        return;
    }
    let seeds = seeds();
    let (_folder, mut program) = build(seeds.clone(), kind);
    let (mut skipped, mut wrong) = (0, Vec::new());
    for seed in seeds.clone() {
        program.recipe.arguments = vec![seed.to_string()];
        let all = run(&program, Search::Exhaustive, PATIENCE);
        if all.end.as_deref() != Some("exhausted") {
            skipped += 1;
            continue;
        }
        for (name, search) in searches {
            let found = run(&program, search.clone(), 5 * PATIENCE);
            if found.end.as_deref() != Some("exhausted") || !is_right(&found, &all) {
                wrong.push(format!("{name}, program {seed}: {found:?}, exhaustive: {all:?}"));
            }
        }
    }
    let number = usize::try_from(seeds.end - seeds.start).unwrap();
    println!("{} programs compared, {skipped} too large", number - skipped);
    assert!(wrong.is_empty(), "{}\n{}", wrong.join("\n"), source(seeds, kind));
    assert!(skipped * 2 <= number, "{skipped} of {number} programs are too large to compare");
}

fn filters(names: &[&str]) -> Search {
    Search::Filtered(names.iter().map(ToString::to_string).collect())
}

#[test]
fn partial_order_reduction_loses_nothing() {
    compare(Kind::Straight, &[("dpor", Search::Dpor)], |found, all| compared(found) == compared(all));
}

#[test]
fn partial_order_reduction_loses_nothing_where_threads_spin() {
    compare(Kind::Spinning, &[("dpor", Search::Dpor)], |found, all| compared(found) == compared(all));
}

#[test]
fn filters_lose_nothing() {
    let searches = [("seen", filters(&["seen"])), ("seen, cycles", filters(&["seen", "cycles"]))];
    compare(Kind::Straight, &searches, |found, all| compared(found) == compared(all));
}

/// Super steps may lose final states: of 264 random programs, they do in two. They never invent any.
#[test]
fn super_steps_invent_nothing() {
    let searches = [
        ("seen, supersteps", filters(&["seen", "supersteps"])),
        ("seen, cycles, supersteps", filters(&["seen", "cycles", "supersteps"])),
    ];
    compare(Kind::Straight, &searches, |found, all| {
        let ((states, kinds), (all_states, all_kinds)) = (compared(found), compared(all));
        !states.is_empty() == !all_states.is_empty()
            && states.is_subset(all_states)
            && kinds.is_subset(&all_kinds)
    });
}
