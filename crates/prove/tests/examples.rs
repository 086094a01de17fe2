//! Searches over the examples of the project: whenever a search is closed, it must have found an invariant.
//!
//! A search that has lost something gives no wrong answer, since the checker rejects its invariant, but it gives none where
//! there could be one. Many of these searches backtrack, some of them do not end by themselves.

use explore::{Limit, Limits};
use ir::Model;
use prove::{Cause, Options, Outcome, Reason, Statistics, Verdict};
use rayon::prelude::*;
use source::Source;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Enough cubes for a few candidates to be refuted.
const CUBES: usize = 450;
const TIME: Duration = Duration::from_secs(1);

fn examples() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    let folders = [root.clone(), root.join("protocols")];
    let files = folders.iter().flat_map(|folder| std::fs::read_dir(folder).expect("a folder"));
    let mut files: Vec<PathBuf> = files.map(|entry| entry.expect("readable").path()).collect();
    files.retain(|file| file.extension().is_some_and(|extension| extension == "cub"));
    files.sort();
    files
}

fn searched(model: &Model, name: &str, threads: usize) -> Outcome {
    let limits = Limits { states: Some(CUBES), time: Some(TIME), ..Limits::default() };
    let outcome = prove::prove(model, &Options { limits, threads, ..Options::default() });
    if let Verdict::Unknown(Reason::NotCertified(rejection)) = &outcome.verdict {
        assert!(!matches!(rejection.cause, Cause::Counterexample(_)), "{name}: {rejection}");
    }
    outcome
}

/// What a search has done, unless it ended for want of time.
fn done(outcome: &Outcome) -> Option<Statistics> {
    let in_time = !matches!(outcome.verdict, Verdict::Unknown(Reason::Limit(Limit::Time)));
    in_time.then_some(Statistics { time: Duration::ZERO, ..outcome.statistics })
}

/// Searches with and without threads. Returns how many candidates were refuted, if the model is one that can be proved.
fn refuted(file: &Path) -> Option<usize> {
    let text = std::fs::read_to_string(file).expect("readable");
    let name = file.to_string_lossy();
    let model = model::load(&Source::new(&*name, &text)).model.filter(|model| !model.is_weak())?;
    let alone = searched(&model, &name, 1);
    let together = searched(&model, &name, 3);
    if let (Some(alone), Some(together)) = (done(&alone), done(&together)) {
        assert_eq!(alone, together, "{name}");
    }
    Some(alone.statistics.refuted)
}

#[test]
fn no_invariant_of_the_examples_is_rejected_and_threads_change_nothing() {
    let refuted: Vec<usize> = examples().par_iter().filter_map(|file| refuted(file)).collect();
    let (searches, refuted) = (refuted.len(), refuted.iter().sum::<usize>());
    assert!(searches > 40 && refuted > 50, "{searches} searches have refuted {refuted} candidates");
}
