//! What is written into a folder can be read back, and nothing else is taken for it.

use crate::support::{certified, cubes, load};
use certify::{
    About, AuxiliaryVariable, Certificate, Cube, Difference, Unreadable, check, differences, read, write,
};
use ir::{EnumId, Formula, Linear, Model, Number, Relation, Sort, SymbolId, Term, Var};
use serde_json::Value;
use source::Source;
use std::{
    fs,
    path::{Path, PathBuf},
};

/// A folder that is gone when the test ends.
struct Folder(PathBuf);

impl Folder {
    fn of(name: &str, model: &Model, certificate: &Certificate) -> Folder {
        let path = std::env::temp_dir().join(format!("motet-reading-{}-{name}", std::process::id()));
        write(model, certificate, About { file: "model.cub", text: "", memory: None }, &path)
            .expect("written");
        Folder(path)
    }

    fn invariant(&self) -> PathBuf {
        self.0.join("invariant.json")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Reads back what was written, and compares the folder with what the model gives.
fn round_trip(name: &str, model: &Model, certificate: &Certificate) {
    let folder = Folder::of(name, model, certificate);
    assert_eq!(read(&folder.0, model).as_ref(), Ok(certificate), "{name}");
    assert_eq!(differences(model, certificate, &folder.0), Ok(vec![]), "{name}");
}

#[test]
fn certificates_of_models_are_read_back() {
    for entry in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/models")).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name").to_owned();
        let (model, certificate) = certified(&name);
        round_trip(&name, &model, &certificate);
    }
}

#[test]
fn properties_of_random_models_are_read_back() {
    for seed in 0..40 {
        let features = modelgen::Features::any(seed);
        let options = modelgen::Options { seed, size: modelgen::Size::Small, features };
        let text = modelgen::random_model(&options);
        let Some(model) = model::load(&Source::new("random.cub", text)).model else { continue };
        if model.is_weak() {
            continue;
        }
        let certificate = Certificate { cubes: cubes(&model), ..Certificate::default() };
        round_trip(&format!("random-{seed}"), &model, &certificate);
    }
}

const TOKEN: &str = "
type kind = Own | Foreign
var Lost : bool
var Number : int
var Weight : real
array Token[proc] : bool
array Kind[proc] : kind
init (i) { Token[i] = True && Lost = False && Number = 0 && Weight = 0.0 }
unsafe () { Lost = True }
transition pass (i j) requires { Token[i] = True } { Token[k] := case | k = i : False | k = j : True | _ : Token[k] }
transition lose () requires { forall k. Token[k] = False } { Lost := True }
";

fn token() -> (Model, Certificate) {
    let model = load(TOKEN);
    let has = |process: Term| Formula::eq(Term::read(SymbolId(3), vec![process]), Term::boolean(true));
    let formula = has(Term::Var(Var(0)));
    let auxiliary = AuxiliaryVariable { name: "Witness".into(), variables: vec!["k".into()], formula };
    let somebody = Term::read(SymbolId(5), vec![]);
    let mut cubes = cubes(&model);
    cubes.push(Cube { params: vec![], variables: vec![], formula: has(somebody).not() });
    (model, Certificate { cubes, auxiliaries: vec![auxiliary], ..Certificate::default() })
}

#[test]
fn auxiliary_variables_are_read_back() {
    let (model, certificate) = token();
    assert!(check(&model, &certificate).is_ok());
    round_trip("token", &model, &certificate);
}

#[test]
fn auxiliary_variables_are_read_by_their_former_name() {
    let (model, certificate) = token();
    let folder = Folder::of("former", &model, &certificate);
    let text = fs::read_to_string(folder.invariant()).expect("written");
    fs::write(folder.invariant(), text.replace("auxiliary_variables", "witnesses")).expect("writable");
    assert_eq!(read(&folder.0, &model).as_ref(), Ok(&certificate));
}

#[test]
fn every_kind_of_formula_and_term_is_read_back() {
    let (model, mut certificate) = token();
    let number = || Term::read(SymbolId(1), vec![]);
    let weight = Linear {
        sort: Sort::Real,
        parts: vec![(-3, Term::read(SymbolId(2), vec![]))],
        constant: Number::ratio(1, 4).unwrap(),
    };
    let sum = Linear { sort: Sort::Int, parts: vec![(2, number())], constant: Number::whole(-7) };
    let compare = |relation, left, right| Formula::Compare(relation, left, right);
    let of_kind = Term::Constructor(EnumId(1), 1);
    let counted = Term::Count { symbol: SymbolId(4), row: vec![], value: Some(Box::new(of_kind)) };
    let all = [
        compare(Relation::Lt, Term::Linear(sum), number()),
        compare(Relation::Le, Term::Linear(weight), Term::Linear(Linear::constant(Sort::Real, Number::ZERO))),
        compare(Relation::Neq, Term::ProcessCount, counted),
        Formula::Iff(Box::new(Formula::True), Box::new(Formula::Not(Box::new(Formula::False)))),
        Formula::If(Box::new(Formula::True), Box::new(Formula::False), Box::new(Formula::True)),
        Formula::Or(vec![
            Formula::True,
            Formula::Quantified {
                quantifier: ir::Quantifier::Exists,
                variables: vec![Var(1)],
                apart_from: vec![Var(0)],
                body: Box::new(compare(Relation::Eq, Term::Var(Var(0)), Term::Var(Var(1)))),
            },
        ]),
    ];
    let variables = vec!["i".to_owned(), "j".to_owned()];
    let cube = |formula| Cube { params: vec![Var(0)], variables: variables.clone(), formula };
    certificate.cubes.extend(all.into_iter().map(cube));
    let folder = Folder::of("everything", &model, &certificate);
    assert_eq!(read(&folder.0, &model).as_ref(), Ok(&certificate));
}

#[test]
fn whatever_is_changed_in_an_invariant_reading_ends() {
    let (model, certificate) = token();
    let folder = Folder::of("mutated", &model, &certificate);
    let text = fs::read_to_string(folder.invariant()).expect("readable");
    let document: Value = serde_json::from_str(&text).expect("a document");
    let mut count = 0;
    each_position(&document, &mut vec![], &mut |position| {
        for other in [Value::Null, "x".into(), 7.into(), (-1).into(), true.into(), Value::Array(vec![])] {
            let mut changed = document.clone();
            *position.iter().fold(&mut changed, |at, step| step.of(at)) = other;
            fs::write(folder.invariant(), changed.to_string()).expect("written");
            if let Ok(read) = read(&folder.0, &model) {
                let noticed = differences(&model, &read, &folder.0).expect("a folder");
                assert!(!noticed.is_empty(), "{changed}");
            }
            count += 1;
        }
    });
    assert!(count > 100, "{count}");
}

/// A step into a document.
#[derive(Clone)]
enum Into {
    Key(String),
    Position(usize),
}

impl Into {
    fn of<'v>(&self, value: &'v mut Value) -> &'v mut Value {
        match self {
            Into::Key(key) => &mut value[key],
            Into::Position(at) => &mut value[*at],
        }
    }
}

fn each_position(value: &Value, position: &mut Vec<Into>, visit: &mut impl FnMut(&[Into])) {
    visit(position);
    let steps: Vec<(Into, &Value)> = match value {
        Value::Object(map) => map.iter().map(|(key, value)| (Into::Key(key.clone()), value)).collect(),
        Value::Array(list) => {
            list.iter().enumerate().map(|(at, value)| (Into::Position(at), value)).collect()
        }
        _ => vec![],
    };
    for (step, value) in steps {
        position.push(step);
        each_position(value, position, visit);
        position.pop();
    }
}

#[test]
fn a_name_cannot_smuggle_anything_into_a_script() {
    let (model, certificate) = token();
    let folder = Folder::of("smuggled", &model, &certificate);
    let text = fs::read_to_string(folder.invariant()).expect("readable");
    fs::write(folder.invariant(), text.replace("\"k\"", r#""k\r(assert false)""#)).expect("written");
    let read = read(&folder.0, &model);
    assert!(matches!(&read, Err(Unreadable::NoInvariant(why)) if why.contains("is not a name")), "{read:?}");
}

#[test]
fn an_invariant_of_another_model_is_told_apart() {
    let (model, certificate) = certified("lock");
    let folder = Folder::of("other", &model, &certificate);
    let read = read(&folder.0, &load(TOKEN));
    assert!(matches!(read, Err(Unreadable::OtherModel(_))), "{read:?}");
}

#[test]
fn a_new_certificate_leaves_no_script_of_the_former_one() {
    let (model, certificate) = certified("lock");
    let folder = Folder::of("former", &model, &certificate);
    fs::write(folder.0.join("mine.smt2"), "").expect("written");
    let (model, certificate) = token();
    let folder = Folder::of("former", &model, &certificate);
    let found = differences(&model, &certificate, &folder.0).expect("a folder");
    assert_eq!(found, [Difference::TooMany("mine.smt2".into())]);
}
