//! Certificates that were tampered with, or that are about something else: with the model, none is accepted.

use crate::{CUBE, Folder, MODEL, installed};
use serde_json::Value;
use std::{
    fs,
    path::PathBuf,
    process::{Command, Output},
};

/// A certificate, and a model beside it that it is asked about.
struct Case {
    folder: Folder,
    model: PathBuf,
}

impl Case {
    fn new(name: &str) -> Case {
        Case::of_cubes(name, CUBE)
    }

    /// With the properties and these cubes as its invariant.
    fn of_cubes(name: &str, cubes: &str) -> Case {
        let folder = Folder::new(name, cubes);
        let model = folder.0.with_extension("cub");
        fs::write(&model, MODEL).expect("written");
        Case { folder, model }
    }

    /// The model is another one.
    fn with_model(name: &str, change: impl Fn(&str) -> String) -> Case {
        let case = Case::new(name);
        let changed = change(MODEL);
        assert_ne!(changed, MODEL, "nothing was changed");
        fs::write(&case.model, changed).expect("written");
        case
    }

    fn script(&self, file: &str) -> String {
        fs::read_to_string(self.folder.0.join(file)).expect("readable")
    }

    /// Changes a script, and what the manifest says of it.
    fn forge(&self, file: &str, change: impl Fn(&str) -> String) {
        let (old, new) = (self.script(file), change(&self.script(file)));
        assert_ne!(old, new, "nothing was changed");
        fs::write(self.folder.0.join(file), &new).expect("written");
        self.manifest(|manifest| {
            let entry = entries(manifest).iter_mut().find(|entry| entry["file"] == file);
            entry.expect("listed")["hash"] = hash(&new).into();
        });
    }

    fn manifest(&self, change: impl Fn(&mut Value)) {
        let path = self.folder.0.join("manifest.json");
        let mut manifest = serde_json::from_str(&fs::read_to_string(&path).expect("readable")).expect("JSON");
        change(&mut manifest);
        fs::write(path, manifest.to_string()).expect("written");
    }

    fn invariant(&self, change: impl Fn(&mut Value)) {
        let path = self.folder.0.join("invariant.json");
        let mut invariant = serde_json::from_str(&self.script("invariant.json")).expect("JSON");
        change(&mut invariant);
        fs::write(path, format!("{invariant:#}\n")).expect("written");
    }

    fn certify(&self) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
        command.arg("certify").arg(&self.folder.0).arg(&self.model).output().expect("the command runs")
    }

    /// Rejected, and the output says this.
    fn rejected(&self, words: &[&str]) {
        let output = self.certify();
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.trim_end().ends_with("\nrejected"), "{text}");
        for word in words {
            assert!(text.contains(word), "`{word}` is not in:\n{text}");
        }
    }

    /// Solvers find nothing wrong with the scripts: the forgery is a good one. That is not a verdict on any model.
    fn fools_solvers(&self) {
        if installed() {
            let output = crate::motet(&self.folder.0, &[]);
            let text = String::from_utf8_lossy(&output.stdout);
            assert_eq!(output.status.code(), Some(0), "{text}");
            assert!(text.contains("not that they are about any model"), "{text}");
        }
    }
}

impl Drop for Case {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.model);
    }
}

fn entries(manifest: &mut Value) -> &mut Vec<Value> {
    manifest["files"].as_array_mut().expect("files")
}

/// FNV-1a, as a forger would compute it.
fn hash(text: &str) -> String {
    let step = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    format!("{:016x}", text.bytes().fold(0xcbf2_9ce4_8422_2325, step))
}

#[test]
fn the_certificate_of_the_model_is_accepted() {
    let case = Case::new("genuine");
    let output = case.certify();
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let line = format!("accepted: `{}` is safe for every number of processes", case.model.display());
    assert!(text.trim_end().ends_with(&line), "{text}");
    assert!(text.contains("motet: accepted") && text.contains("scripts: accepted"), "{text}");
}

#[test]
fn comments_and_layout_of_the_model_do_not_matter() {
    let case =
        Case::with_model("layout", |text| format!("(* a lock *)\n{}", text.replace(" && ", "\n  && ")));
    assert_eq!(case.certify().status.code(), Some(0));
}

#[test]
fn a_model_that_was_replaced_by_a_broken_one() {
    let case = Case::with_model("broken", |text| text.replace("{ Taken = False } {", "{ Loc[i] = Out } {"));
    case.rejected(&["motet: rejected", "scripts: rejected", "`step-001-enter.smt2` differs in line"]);
    case.fools_solvers();
}

#[test]
fn a_model_with_one_more_transition() {
    let case = Case::with_model("one-more", |text| {
        format!("{text}transition jump (i) requires {{ Loc[i] = Out }} {{ Loc[i] := In }}\n")
    });
    case.rejected(&["`step-003-jump.smt2` is missing", "does not list `step-003-jump.smt2`"]);
}

#[test]
fn a_model_with_one_more_property() {
    let case = Case::with_model("property", |text| format!("{text}unsafe (i) {{ Loc[i] = In }}\n"));
    case.rejected(&["motet: rejected", "`properties.smt2` differs"]);
}

#[test]
fn another_model_altogether() {
    let case = Case::with_model("another", |_| {
        "var X : bool\ninit () { X = False }\nunsafe () { X = True }\n\
         transition t () requires { X = False } { X := False }\n"
            .into()
    });
    case.rejected(&["the invariant is not about this model: there is no `"]);
}

#[test]
fn another_number_of_processes() {
    let case = Case::with_model("number", |text| format!("number_procs 3\n{text}"));
    case.rejected(&["`init.smt2` differs", "(<= processes 3)"]);
    let case = Case::new("fewer");
    for file in ["init.smt2", "properties.smt2", "step-001-enter.smt2", "step-002-leave.smt2"] {
        case.forge(file, |text| text.replace("(assert (<= 1 processes))", "(assert (= 1 processes))"));
    }
    case.fools_solvers();
    case.rejected(&["`init.smt2` differs in line", "it has `(assert (= 1 processes))`"]);
}

#[test]
fn a_transition_without_its_script_and_its_entry() {
    let case = Case::new("removed");
    fs::remove_file(case.folder.0.join("step-001-enter.smt2")).expect("removed");
    case.manifest(|manifest| entries(manifest).retain(|entry| entry["file"] != "step-001-enter.smt2"));
    case.fools_solvers();
    case.rejected(&["`step-001-enter.smt2` is missing", "does not list `step-001-enter.smt2`"]);
}

#[test]
fn a_script_that_is_not_listed() {
    let case = Case::new("unlisted");
    case.manifest(|manifest| entries(manifest).retain(|entry| entry["file"] != "step-001-enter.smt2"));
    case.rejected(&["`manifest.json` does not list `step-001-enter.smt2`"]);
}

#[test]
fn a_script_too_many() {
    let case = Case::new("too-many");
    fs::write(case.folder.0.join("step-009-fly.smt2"), "(check-sat)\n").expect("written");
    case.rejected(&["`step-009-fly.smt2` is too many"]);
}

#[test]
fn a_contradiction_in_a_script() {
    let case = Case::new("contradiction");
    case.forge("step-001-enter.smt2", |text| text.replacen("(check-sat)", "(assert false)\n(check-sat)", 1));
    case.fools_solvers();
    case.rejected(&["`step-001-enter.smt2` differs in line", "it has `(assert false)`"]);
}

#[test]
fn a_declaration_that_changes_the_meaning() {
    let case = Case::new("meaning");
    let process = "(define-fun process ((p Int)) Bool (and (<= 1 p) (<= p processes)))";
    case.forge("step-001-enter.smt2", |text| {
        text.replace(process, "(define-fun process ((p Int)) Bool false)")
    });
    case.fools_solvers();
    case.rejected(&["`step-001-enter.smt2` differs in line", "Bool false"]);
    let case = Case::new("declared");
    case.forge("init.smt2", |text| format!("(set-info :status unsat)\n{text}"));
    case.rejected(&["`init.smt2` differs in line 1"]);
}

#[test]
fn a_question_that_is_not_asked() {
    let case = Case::new("unasked");
    case.forge("step-001-enter.smt2", |text| text.replace("(check-sat)\n", ""));
    case.manifest(|manifest| {
        let entry = entries(manifest).iter_mut().find(|entry| entry["file"] == "step-001-enter.smt2");
        entry.expect("listed")["questions"] = Value::Array(vec![]);
    });
    case.fools_solvers();
    case.rejected(&["`step-001-enter.smt2` differs in line", "the model gives `(check-sat)`"]);
}

#[test]
fn a_manifest_that_says_something_else() {
    let case = Case::new("words");
    case.manifest(|manifest| entries(manifest)[0]["questions"][0] = "all is well".into());
    case.rejected(&["`manifest.json` says something else of `init.smt2`"]);
}

#[test]
fn an_invariant_that_says_less() {
    let case = Case::new("weaker");
    case.invariant(|invariant| {
        invariant["cubes"].as_array_mut().expect("cubes").pop();
    });
    case.rejected(&["motet: rejected", "`init.smt2` differs"]);
}

#[test]
fn an_invariant_that_excludes_everything() {
    let case = Case::new("everything");
    case.invariant(|invariant| invariant["cubes"][0]["formula"] = true.into());
    case.rejected(&["motet: rejected", "`invariant.json` differs"]);
}

#[test]
fn an_invariant_with_scripts_of_its_own_that_is_none() {
    // All files are as the model and this invariant give them: only the answers are wrong.
    let case = Case::of_cubes("consistent", "");
    case.rejected(&["motet: rejected", "scripts: accepted"]);
    if installed() {
        case.rejected(&["rejected, it has a counterexample to: `enter` does not lead to"]);
    }
}

#[test]
fn a_certificate_without_its_invariant_is_bad_input() {
    let case = Case::new("without");
    fs::remove_file(case.folder.0.join("invariant.json")).expect("removed");
    assert_eq!(case.certify().status.code(), Some(2));
    fs::write(case.folder.0.join("invariant.json"), "{}").expect("written");
    assert_eq!(case.certify().status.code(), Some(2));
}

#[test]
fn the_document_says_what_it_was_checked_against() {
    let case = Case::new("document");
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    command.arg("certify").arg(&case.folder.0).arg(&case.model).args(["--format", "json"]);
    let document: Value = serde_json::from_slice(&command.output().expect("it runs").stdout).expect("JSON");
    assert_eq!(document["files"][1], case.model.to_string_lossy().as_ref());
    assert_eq!((&document["verdict"], &document["reason"]), (&"holds".into(), &Value::Null));
    let kinds: Vec<&Value> = document["properties"].as_array().unwrap().iter().map(|p| &p["kind"]).collect();
    assert_eq!(kinds[..2], ["checker", "certificate"]);
}
