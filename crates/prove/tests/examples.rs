//! Searches over the examples of the project: whatever ends must have found an invariant.
//!
//! The checker protects answers from a search that has lost something; then there is none where there could be one. Many of
//! these searches take back guesses, some of them do not end by themselves.

use explore::Limits;
use prove::{Cause, Options, Reason, Verdict};
use source::Source;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// So many cubes are enough to take back a few guesses.
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

#[test]
fn no_invariant_of_the_examples_is_refused() {
    let (mut searches, mut taken_back) = (0, 0);
    for file in examples() {
        let text = std::fs::read_to_string(&file).expect("readable");
        let name = file.to_string_lossy();
        let model = model::load(&Source::new(&*name, &text)).model.filter(|model| !model.is_weak());
        let Some(model) = model else { continue };
        let limits = Limits { states: Some(CUBES), time: Some(TIME), ..Limits::default() };
        let outcome = prove::prove(&model, &Options { limits, ..Options::default() });
        if let Verdict::Unknown(Reason::NotCertified(rejection)) = &outcome.verdict {
            assert!(!matches!(rejection.cause, Cause::Counterexample(_)), "{name}: {rejection}");
        }
        searches += 1;
        taken_back += outcome.statistics.undone;
    }
    assert!(searches > 40 && taken_back > 50, "{searches} searches have taken back {taken_back} guesses");
}
