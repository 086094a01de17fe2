//! Models of other people, if there is a folder of them: `MOTET_CORPUS` with `weak/expected.tsv`.

use crate::judging::{load, replays};
use events::{Options, Verdict, prove};
use std::fs;
use std::path::PathBuf;

#[test]
fn models_of_others_are_decided_as_expected() {
    let Some(folder) = std::env::var_os("MOTET_CORPUS").map(|folder| PathBuf::from(folder).join("weak"))
    else {
        println!("skipped: MOTET_CORPUS is not set");
        return;
    };
    let expected = fs::read_to_string(folder.join("expected.tsv")).expect("the list of expected verdicts");
    for line in expected.lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [name, verdict, ..] = fields.as_slice() else { continue };
        // Of some the list does not tell the verdict.
        if *verdict == "?" {
            continue;
        }
        let text = fs::read_to_string(folder.join(name)).expect("a model that the list names");
        let model = load(&text).unwrap_or_else(|| panic!("{name} is not a model"));
        let outcome = prove(&model, &Options::default());
        let found = match &outcome.verdict {
            Verdict::Safe(_) => "safe".to_owned(),
            Verdict::Unsafe(run) => {
                assert_eq!(replays(&model, run), Some(true), "{name}: {run:?}");
                "unsafe".to_owned()
            }
            Verdict::Unknown(reason) => format!("unknown: {reason}"),
        };
        println!("{name}\t{found}\t{:?}", outcome.statistics);
        assert_eq!(found, *verdict, "{name}");
    }
}
