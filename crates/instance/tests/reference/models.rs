//! The models of the repository, and the comparison of both interpreters on them and on random ones.

use super::{
    agreement::{ONE_NEEDS_RANGE, Verdict, compare},
    instance::Ranges,
    meaning::expectation::{self, Expectation},
    reading::read,
    search::{Limits, Refusal, Report, explore},
    tree::{Claim, Memory, Program},
};
use ir::{Model, PropertyKind};
use model::Queues;
use modelgen::{Features, Options, Size, random_model};
use source::Source;
use std::{
    collections::BTreeMap,
    fs,
    ops::Range,
    path::{Path, PathBuf},
};

/// The results of all comparisons.
#[derive(Debug, Default)]
struct Tally {
    agreed: usize,
    left_out: BTreeMap<String, usize>,
    differences: Vec<String>,
}

impl Tally {
    fn add(&mut self, what: &str, verdict: Verdict) {
        match verdict {
            Verdict::Agree => self.agreed += 1,
            Verdict::LeftOut(reason) => *self.left_out.entry(reason.into()).or_default() += 1,
            Verdict::Differ(how) => self.differences.push(format!("{what}:\n     text  {how}")),
        }
    }

    /// Fails on differences, and if most instances were left out.
    fn check(&self, least: usize) {
        println!("{} agree; left out: {:?}", self.agreed, self.left_out);
        assert!(self.differences.is_empty(), "\n{}", self.differences.join("\n"));
        assert!(self.agreed >= least, "only {} were compared", self.agreed);
        let one_sided = self.left_out.get(ONE_NEEDS_RANGE).copied().unwrap_or(0);
        assert!(one_sided * 50 <= self.agreed, "{one_sided} times {ONE_NEEDS_RANGE}");
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every model of the repository with its text.
pub(crate) fn models() -> Vec<(String, String)> {
    let folders = ["tests/models", "examples"];
    models_under(folders.map(|folder| root().join(folder)).to_vec(), &root())
}

/// Every model in some folders with its text, named by its path relative to `root`.
pub(crate) fn models_under(mut folders: Vec<PathBuf>, root: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("the folder of models") {
            let path = entry.expect("readable").path();
            // The protocols are large: `MOTET_CORPUS` compares the interpreters on them.
            if path.is_dir() && !path.ends_with("examples/protocols") {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "cub") {
                let name = path.strip_prefix(root).expect("below the root").display().to_string();
                found.push((name, fs::read_to_string(&path).expect("readable")));
            }
        }
    }
    found.sort();
    found
}

/// Compares instances of a model with its properties and without them, since bad states have no successors.
fn instances(name: &str, text: &str, sizes: &[usize], states: usize, tally: &mut Tally) {
    let threads = queued(name, text, Queues::Any, sizes, states, tally);
    if threads {
        queued(&format!("{name} --queues fifo"), text, Queues::Fifo, sizes, states, tally);
    }
}

/// The same for one order of queues. Returns whether the model has queues.
fn queued(name: &str, text: &str, queues: Queues, sizes: &[usize], states: usize, tally: &mut Tally) -> bool {
    let source = Source::new("model.cub", text.to_owned());
    let Some(mut model) = model::load_with(&source, queues).model else { return false };
    let mut program = read(text);
    program.fifo = queues == Queues::Fifo;
    sized(name, &program, &model, sizes, states, tally);
    program.properties.retain(|property| property.claim == Claim::Assumption);
    program.quoted.clear();
    model.properties.retain(|property| {
        matches!(property.kind, PropertyKind::Range)
            || property.kind == PropertyKind::Misuse && property.rule.is_some()
    });
    sized(&format!("{name} without claims"), &program, &model, sizes, states, tally);
    model.threads.is_some()
}

fn sized(name: &str, program: &Program, model: &Model, sizes: &[usize], states: usize, tally: &mut Tally) {
    for processes in sizes {
        let size = u32::try_from(*processes).expect("small");
        let allowed = size >= model.min_processes() && model.max_processes.is_none_or(|most| size <= most);
        assert_eq!(program.allows(*processes), allowed, "{name} with {processes} processes");
        if allowed {
            let limits = Limits { ranges: Ranges::new(), states, stop_at_first: false };
            tally.add(&format!("{name} -n {processes}"), compare(program, model, *processes, &limits));
        }
    }
}

#[test]
fn the_typed_form_of_every_model_means_what_its_text_says() {
    let mut tally = Tally::default();
    for (name, text) in models() {
        instances(&name, &text, &[1, 2, 3], 20_000, &mut tally);
    }
    tally.check(1500);
}

#[test]
fn the_typed_form_of_random_models_means_what_their_text_says() {
    let mut tally = Tally::default();
    let seeds = seeds();
    let least = usize::try_from(seeds.end - seeds.start).expect("small") * 3;
    for seed in seeds {
        let text = random_text(seed);
        let known = tally.differences.len();
        instances(&format!("seed {seed}"), &text, &[1, 2, 3], 1_000, &mut tally);
        if tally.differences.len() > known {
            tally.differences.push(text);
        }
    }
    tally.check(least);
}

/// The seeds of random models; `SEEDS=1000..2000` selects others.
pub(crate) fn seeds() -> Range<u64> {
    let asked = std::env::var("SEEDS").unwrap_or_default();
    let bounds = asked.split_once("..").and_then(|(from, to)| Some((from.parse().ok()?, to.parse().ok()?)));
    bounds.map_or(0..400, |(from, to)| from..to)
}

pub(crate) fn random_text(seed: u64) -> String {
    let presets = [
        Features::plain(),
        Features::threads(),
        Features::everything(),
        Features::any(seed),
        Features::everything_weak(),
    ];
    let preset = usize::try_from(seed).expect("small") % presets.len();
    random_model(&Options { seed, size: Size::Small, features: presets[preset] })
}

#[test]
fn models_mean_what_they_say() {
    let mut tally = Tally::default();
    for (name, text) in models() {
        for expected in expectation::find(&text) {
            match expected {
                Ok(expected) => tally.add(&format!("{name}: {}", expected.text), judge(&text, &expected)),
                Err(_) => tally.add(&name, Verdict::LeftOut("a flag")),
            }
        }
    }
    tally.check(350);
}

fn judge(text: &str, expected: &Expectation) -> Verdict {
    let mut program = read(text);
    program.fifo = expected.fifo;
    program.memory = if expected.sequential { Memory::Sc } else { Memory::Tso };
    let limits = Limits { ranges: expected.ranges.clone(), states: 20_000, stop_at_first: true };
    match explore(&program, expected.processes, &limits) {
        Ok(report) if agrees(&report, expected) => Verdict::Agree,
        Err(Refusal::TooLarge) => Verdict::LeftOut("too large"),
        Err(Refusal::NeedsRange(_)) => Verdict::LeftOut("needs a range"),
        found => Verdict::Differ(format!("{found:?}")),
    }
}

fn agrees(report: &Report, expected: &Expectation) -> bool {
    let matches = |kind: &str, name: &str| {
        expected.kind.as_ref().is_none_or(|wanted| wanted == kind)
            && expected.name.as_ref().is_none_or(|wanted| wanted == name)
    };
    match expected.verdict.as_str() {
        "holds" => !report.is_bad() && !report.cut,
        "unknown" => !report.is_bad() && report.cut,
        "violated" => {
            report.violations.iter().any(|found| matches(found.kind, &found.name))
                || report.first_stuck().is_some() && matches("deadlock", "")
        }
        _ => false,
    }
}
