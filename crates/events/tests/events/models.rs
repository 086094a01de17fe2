//! The models of `tests/models`, each about one rule. The first line says what is expected.

use crate::judging::{assert_safe, load, replays};
use certify::events::Certificate;
use events::{Options, Verdict, prove};
use std::fs;
use std::path::PathBuf;

/// The models with their names.
pub(crate) fn models() -> Vec<(String, String)> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/models");
    let files = fs::read_dir(folder).expect("the folder is there").map(|entry| entry.expect("a file").path());
    let mut all: Vec<(String, String)> =
        files.map(|path| (path.display().to_string(), fs::read_to_string(&path).expect("a text"))).collect();
    all.sort();
    all
}

/// The weak models of the project that say what a proof is to answer.
fn other_models() -> Vec<(String, String, &'static str)> {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["examples", "tests/models/weak-memory"];
    let files =
        folders.iter().flat_map(|folder| fs::read_dir(root.join(folder)).expect("the folder is there"));
    let mut all = Vec::new();
    for path in files
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension() == Some("cub".as_ref()))
    {
        let text = fs::read_to_string(&path).expect("a text");
        let expected =
            [("(* expect: prove: holds *)", "safe"), ("(* expect: prove: violated unsafe *)", "unsafe")];
        let found = expected.into_iter().find(|(line, _)| text.contains(line));
        all.extend(found.map(|(_, verdict)| (path.display().to_string(), text.clone(), verdict)));
    }
    all
}

#[test]
fn other_weak_models_are_decided_as_they_say() {
    let mut weak = 0;
    for (name, text, expected) in other_models() {
        let Some(model) = load(&text).filter(ir::Model::is_weak) else { continue };
        // Plain variables beside weak symbols are for the other method.
        if model.symbols.iter().any(|symbol| symbol.arity == 0 && !symbol.weak && !symbol.constant) {
            continue;
        }
        weak += 1;
        let found = match prove(&model, &Options::default()).verdict {
            Verdict::Safe(_) => "safe",
            Verdict::Unsafe(run) => {
                assert_eq!(replays(&model, &run), Some(true), "{name}: {run:?}");
                "unsafe"
            }
            Verdict::Unknown(reason) => panic!("{name}: {reason}"),
        };
        assert_eq!(found, expected, "{name}");
    }
    assert!(weak >= 15, "there are only {weak} weak models");
}

#[test]
fn models_are_decided_as_expected() {
    let all = models();
    assert!(all.len() >= 40, "there are only {} models", all.len());
    for (name, text) in all {
        let model = load(&text).unwrap_or_else(|| panic!("{name} is not a model"));
        let found = match prove(&model, &Options::default()).verdict {
            Verdict::Safe(certificate) => {
                assert_safe(&model, &name, &text);
                let json = certificate.to_json(&model);
                assert_eq!(Certificate::from_json(&model, &json).as_ref(), Ok(&certificate), "{name}");
                "safe"
            }
            Verdict::Unsafe(run) => {
                assert_eq!(replays(&model, &run), Some(true), "{name}: {run:?}");
                "unsafe"
            }
            Verdict::Unknown(reason) => panic!("{name}: {reason}"),
        };
        let expected = format!("(* expect: {found} *)");
        assert_eq!(text.lines().next(), Some(expected.as_str()), "{name}");
    }
}
