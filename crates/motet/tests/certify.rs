//! `motet certify`: its exit codes and its document.

use certify::{About, Certificate, Cube, write};
use model::ir::{Formula, disjuncts};
use source::Source;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

const MODEL: &str = "
type location = Out | In
var Taken : bool
array Loc[proc] : location
init (i) { Taken = False && Loc[i] = Out }
unsafe (i j) { Loc[i] = In && Loc[j] = In }
transition enter (i) requires { Taken = False } { Taken := True; Loc[i] := In }
transition leave (i) requires { Loc[i] = In } { Taken := False; Loc[i] := Out }
";

const CUBE: &str = "unsafe (i) { Taken = False && Loc[i] = In }";

/// A folder of a certificate that is gone when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, cubes: &str) -> Folder {
        let load = |text: String| model::load(&Source::new("model.cub", text)).model.expect("a model");
        let (model, extended) = (load(MODEL.to_owned()), load(format!("{MODEL}{cubes}")));
        let cube = |property: &model::ir::Property| {
            let literals = disjuncts(&property.formula, 10).expect("few").remove(0);
            let (params, variables) = (property.params.clone(), property.variables.clone());
            Cube { params, variables, formula: Formula::and(literals) }
        };
        let certificate = Certificate { cubes: extended.properties.iter().map(cube).collect() };
        let folder =
            Folder(std::env::temp_dir().join(format!("motet-certify-{name}-{}", std::process::id())));
        write(&model, &certificate, About { file: "model.cub", text: MODEL }, &folder.0).expect("written");
        folder
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn motet(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    command.arg("certify").arg(folder).args(arguments).output().expect("the command runs")
}

fn installed() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let found =
        std::env::split_paths(&path).any(|folder| folder.join("z3").exists() || folder.join("cvc5").exists());
    if !found {
        println!("skipped: no solver is installed");
    }
    found
}

#[test]
fn a_certificate_is_accepted() {
    let folder = Folder::new("accepted", CUBE);
    if installed() {
        let output = motet(&folder.0, &["--format", "json"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let document: serde_json::Value = serde_json::from_slice(&output.stdout).expect("one document");
        assert_eq!((&document["command"], &document["verdict"]), (&"certify".into(), &"holds".into()));
        assert_eq!(document["properties"][0]["kind"], "solver");
    }
}

#[test]
fn a_certificate_without_a_cube_is_rejected() {
    let folder = Folder::new("rejected", "");
    if installed() {
        let output = motet(&folder.0, &[]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("`enter` does not lead to (i j) { Loc[i] = In && Loc[j] = In }"), "{text}");
    }
}

#[test]
fn without_a_solver_nothing_is_decided() {
    let folder = Folder::new("alone", CUBE);
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    let output = command.arg("certify").arg(&folder.0).env("PATH", &folder.0).output().expect("it runs");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).contains("no solver is installed"), "{output:?}");
}

#[test]
fn what_is_no_certificate_is_said_to_be_none() {
    assert_eq!(motet(Path::new("no-such-folder"), &[]).status.code(), Some(2));
    let folder = Folder::new("changed", CUBE);
    let init = folder.0.join("init.smt2");
    let text = fs::read_to_string(&init).expect("readable");
    fs::write(&init, text.replace("(check-sat)", "(assert false)\n(check-sat)")).expect("written");
    assert_eq!(motet(&folder.0, &[]).status.code(), Some(2));
    fs::write(folder.0.join("manifest.json"), "{ \"files\": [] }").expect("written");
    assert_eq!(motet(&folder.0, &[]).status.code(), Some(2));
}
