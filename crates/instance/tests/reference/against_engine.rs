//! The compiled engine on the models of the repository, on random ones, and on a folder of others.
//!
//! `SEEDS=0..3000` selects other random models. `MOTET_CORPUS` names a folder of models; for these `MOTET_STATES`
//! limits the states of an instance, and `MOTET_SECONDS` the time that this interpreter may take for one.

use super::{
    engine::{ONE_NEEDS_RANGE, Pair, Verdict},
    graph::Budget,
    models::{models, models_under, random_text, seeds},
    reading::read,
};
use model::Queues;
use source::Source;
use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

/// The results of all comparisons.
#[derive(Debug, Default)]
struct Tally {
    agreed: usize,
    left_out: BTreeMap<&'static str, Vec<String>>,
    differences: Vec<String>,
}

/// The test stops after this many differences.
const ENOUGH: usize = 8;

/// Limits for each instance.
#[derive(Debug, Clone, Copy)]
struct Effort {
    sizes: usize,
    states: usize,
    time: Option<Duration>,
}

impl Tally {
    /// Compares all instances of a model, for both orders of queues if there are any.
    fn add(&mut self, name: &str, text: &str, effort: Effort) {
        for queues in [Queues::Any, Queues::Fifo] {
            let source = Source::new("model.cub", text.to_owned());
            // With store buffers, engines are compared in the crate `portfolio`.
            let loaded = model::load_with(&source, queues).model.map(|model| model.sequentially_consistent());
            let Some(model) = loaded else { return };
            if queues == Queues::Fifo && model.threads.is_none() {
                return;
            }
            let mut program = read(text);
            program.fifo = queues == Queues::Fifo;
            for processes in (1..=effort.sizes).filter(|processes| program.allows(*processes)) {
                let until = effort.time.map(|time| Instant::now() + time);
                let pair = Pair { program: &program, model: &model, processes };
                let verdict = pair.compare(Budget { states: effort.states, until });
                self.note(format!("{name} -n {processes} {queues:?}"), verdict);
            }
        }
    }

    fn note(&mut self, what: String, verdict: Verdict) {
        match verdict {
            Verdict::Agree => self.agreed += 1,
            Verdict::LeftOut(reason) => self.left_out.entry(reason).or_default().push(what),
            Verdict::Differ(how) => {
                self.differences.push(format!("{what}:\n     {how}"));
                assert!(self.differences.len() < ENOUGH, "\n{}", self.differences.join("\n"));
            }
        }
    }

    /// Fails on differences, and if most instances were left out.
    fn check(&self, least: usize) {
        let left_out: BTreeMap<_, _> = self.left_out.iter().map(|(why, what)| (why, what.len())).collect();
        println!("{} instances agree; left out: {left_out:?}", self.agreed);
        assert!(self.differences.is_empty(), "\n{}", self.differences.join("\n"));
        assert!(self.agreed >= least, "only {} were compared", self.agreed);
        let one_sided = self.left_out.get(ONE_NEEDS_RANGE).map_or(0, Vec::len);
        assert!(one_sided * 50 <= self.agreed, "{one_sided} times {ONE_NEEDS_RANGE}");
    }
}

#[test]
fn the_engine_finds_what_the_text_of_every_model_says() {
    let mut tally = Tally::default();
    for (name, text) in models() {
        tally.add(&name, &text, Effort { sizes: 3, states: 3_000, time: None });
    }
    tally.check(700);
}

#[test]
fn the_engine_finds_what_the_text_of_random_models_says() {
    let mut tally = Tally::default();
    let seeds = seeds();
    let least = usize::try_from(seeds.end - seeds.start).expect("small") * 2;
    for seed in seeds {
        let text = random_text(seed);
        let known = tally.differences.len();
        tally.add(&format!("seed {seed}"), &text, Effort { sizes: 3, states: 1_000, time: None });
        if tally.differences.len() > known {
            tally.differences.push(text);
        }
    }
    tally.check(least);
}

/// The defaults for states and time; larger ones are for a run overnight.
const STATES: usize = 2_000;

#[test]
fn the_engine_finds_what_the_text_of_a_corpus_says() {
    let Ok(folder) = std::env::var("MOTET_CORPUS") else { return };
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse().ok());
    let states = number("MOTET_STATES").map_or(STATES, |states| usize::try_from(states).expect("small"));
    let effort = Effort { sizes: 3, states, time: number("MOTET_SECONDS").map(Duration::from_secs) };
    let mut tally = Tally::default();
    for (name, text) in models_under(vec![folder.clone().into()], Path::new(&folder)) {
        tally.add(&name, &text, effort);
    }
    for (reason, instances) in &tally.left_out {
        println!("{reason}: {}", instances.join(", "));
    }
    tally.check(1);
}
