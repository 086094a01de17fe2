//! `motet certify`: its exit codes and its document.

mod forgeries;

use certify::{About, Cause, Certificate, Cube, Opinion, SolverOptions, check, run_solver, write};
use ir::{Formula, Model, Relation, Sort, Symbol, SymbolId, Term, disjuncts};
use source::Source;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    time::Duration,
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
        let cube = |property: &ir::Property| {
            let literals = disjuncts(&property.formula, 10).expect("few").remove(0);
            let (params, variables) = (property.params.clone(), property.variables.clone());
            Cube { params, variables, formula: Formula::and(literals) }
        };
        let certificate =
            Certificate { cubes: extended.properties.iter().map(cube).collect(), ..Certificate::default() };
        Folder::of(name, &model, &certificate)
    }

    fn of(name: &str, model: &Model, certificate: &Certificate) -> Folder {
        let folder =
            Folder(std::env::temp_dir().join(format!("motet-certify-{name}-{}", std::process::id())));
        write(model, certificate, About { file: "model.cub", text: MODEL, memory: None }, &folder.0)
            .expect("written");
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
        // Nothing is said about a model where none was given.
        assert_eq!(
            (&document["command"], &document["verdict"]),
            (&"certify".into(), &serde_json::Value::Null)
        );
        assert!(document["reason"].as_str().is_some_and(|reason| reason.starts_with("only the scripts")));
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

/// German's protocol with the certificate that the prover finds.
/// Slots are our own representation of buffers: nobody has heard of them.
#[test]
fn a_certificate_about_store_buffers_is_not_one_under_sequential_consistency() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/weak/naive-mutex.cub");
    let model = model.to_str().expect("a path");
    for method in ["backward", "events"] {
        let folder = std::env::temp_dir().join(format!("motet-certify-{method}-{}", std::process::id()));
        let mut prove = Command::new(env!("CARGO_BIN_EXE_motet"));
        let prove = prove.args(["prove", model, "--method", method, "--certificate"]).arg(&folder);
        assert!(prove.output().expect("the command runs").status.success());
        let folder = Folder(folder);
        assert_eq!(motet(&folder.0, &[model]).status.code(), Some(0), "{method}");
        let output = motet(&folder.0, &[model, "--memory", "sc"]);
        let message = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{method}: {message}");
        assert!(message.contains("store buffers (x86-TSO)") && !message.contains("buffer 1"), "{message}");
    }
}

fn german() -> (Model, Certificate) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/german.cub");
    let text = fs::read_to_string(file).expect("readable");
    let model = model::load(&Source::new("german.cub", text)).model.expect("a model");
    let outcome = prove::prove(&model, &prove::Options::default());
    let prove::Verdict::Holds(proof) = outcome.verdict else { panic!("{:?}", outcome.verdict) };
    (model, proof.certificate)
}

/// Single changes to a certificate: a cube is gone, has a literal less and says more, or has one more and says less.
fn corruptions(model: &Model, certificate: &Certificate) -> Vec<(String, Certificate)> {
    let mut all = Vec::new();
    for (at, cube) in certificate.cubes.iter().enumerate() {
        let mut without = certificate.clone();
        without.cubes.remove(at);
        all.push((format!("without cube {at}"), without));
        let literals = cube.formula.conjuncts();
        let mut change = |what: &str, formula: Formula| {
            let mut changed = certificate.clone();
            changed.cubes[at].formula = formula;
            all.push((format!("cube {at} {what}"), changed));
        };
        for dropped in 0..literals.len() {
            let rest = literals.iter().enumerate().filter(|(literal, _)| *literal != dropped);
            let rest = Formula::and(rest.map(|(_, literal)| (*literal).clone()));
            change(&format!("without literal {dropped}"), rest);
        }
        if let Some(literal) = narrowing(model, cube) {
            change("with one literal more", Formula::and([cube.formula.clone(), literal]));
        }
    }
    all
}

/// A literal that a cube does not have: a global that it does not read has a value.
fn narrowing(model: &Model, cube: &Cube) -> Option<Formula> {
    let mut read = Vec::new();
    cube.formula.each_term(&mut |term| read.extend(term.symbol().map(SymbolId::index)));
    let mut globals =
        model.symbols.iter().enumerate().filter(|(at, symbol)| symbol.arity == 0 && !read.contains(at));
    let literal = |(at, symbol): (usize, &Symbol)| {
        let Sort::Enum(id) = symbol.sort else { return None };
        let read = Term::read(SymbolId::from_index(at), vec![]);
        Some(Formula::compare(Relation::Eq, read, Term::Constructor(id, 0)))
    };
    globals.find_map(literal)
}

#[test]
fn whatever_is_changed_in_a_certificate_the_solver_says_the_same() {
    let (model, certificate) = german();
    let (mut accepted, mut rejected) = (0, 0);
    for (what, changed) in corruptions(&model, &certificate) {
        let ours = check(&model, &changed);
        let folder = Folder::of("corrupted", &model, &changed);
        let report = run_solver("z3", &folder.0, SolverOptions::within(Duration::from_secs(60)))
            .expect("a folder of a certificate");
        match (&ours, &report.opinion) {
            (_, Opinion::NotFound) => return println!("skipped: z3 is not installed"),
            (Ok(_), Opinion::Accepted) => accepted += 1,
            (Err(rejection), Opinion::Rejected(_)) => {
                assert!(matches!(rejection.cause, Cause::Counterexample(_)), "{what}: {rejection}");
                rejected += 1;
            }
            (ours, theirs) => panic!("{what}: we say {ours:?}, z3 says {theirs:?}"),
        }
    }
    println!(
        "{} cubes: {rejected} changes rejected, {accepted} are invariants as well",
        certificate.cubes.len()
    );
    assert!(rejected > 50, "only {rejected} changes were rejected");
}
