//! The invariant of a certificate as a document of JSON: the one thing that is read back from a folder.
//!
//! Names are those of the model. A formula is `true`, `false`, or a list that begins with what it is:
//! `["=", term, term]`, `["and", formula, …]`, `["forall", [variable, …], [variable left out, …], formula]`. A term is an
//! object whose keys show what it is: `{"variable": 0}`, `{"read": "Loc", "at": [term, …]}`. Variables are numbers: positions
//! in the list of names beside the formula.

mod reader;

pub use reader::{Unreadable, read, read_capacity};

use crate::{AuxiliaryVariable, Certificate, Counter, Cube, Start};
use ir::store_buffers::{Capacity, Counting};
use ir::{Formula, Linear, Model, Number, Quantifier, Relation, Sort, Term, Var};
use serde_json::{Value, json};

/// The document. The same certificate of the same model gives the same text.
pub(super) fn text(model: &Model, certificate: &Certificate) -> Result<String, String> {
    let extended = certificate.extended(model)?;
    let model = &*extended.model;
    let mut document = json!({
        "says": "No reachable state matches a cube: there are no pairwise distinct processes with its formula.",
        "auxiliary_variables": certificate.auxiliaries.iter().map(|it| auxiliary(model, it)).collect::<Vec<_>>(),
        "counters": certificate.counters.iter().map(|it| counter(model, it)).collect::<Vec<_>>(),
        "cubes": certificate.cubes.iter().map(|it| cube(model, it)).collect::<Vec<_>>(),
    });
    if let Some(buffers) = &model.buffers {
        document["store_buffers"] = capacity_document(buffers.capacity);
    }
    Ok(format!("{document:#}\n"))
}

/// How store buffers are represented in the model that the invariant is about.
fn capacity_document(capacity: Capacity) -> Value {
    match capacity.counting {
        Counting::Exact => json!({ "slots": capacity.slots }),
        Counting::Many(counted) => json!({ "slots": capacity.slots, "counted": counted }),
    }
}

fn cube(model: &Model, cube: &Cube) -> Value {
    json!({
        "says": cube.display(model).to_string(),
        "variables": cube.variables,
        "parameters": numbers(&cube.params),
        "formula": formula(model, &cube.formula),
    })
}

fn auxiliary(model: &Model, auxiliary: &AuxiliaryVariable) -> Value {
    json!({
        "says": auxiliary.display(model).to_string(),
        "name": auxiliary.name,
        "variables": auxiliary.variables,
        "formula": formula(model, &auxiliary.formula),
    })
}

fn counter(model: &Model, counter: &Counter) -> Value {
    json!({
        "says": counter.display(model).to_string(),
        "name": counter.name,
        "variables": counter.variables,
        "formula": formula(model, &counter.formula),
        "starts_with": STARTS.iter().find(|(known, _)| *known == counter.start).map(|(_, word)| word),
    })
}

/// Whom a counter counts at the start.
const STARTS: [(Start, &str); 3] =
    [(Start::Nobody, "nobody"), (Start::Everybody, "everybody"), (Start::Unknown, "unknown")];

fn numbers(variables: &[Var]) -> Vec<u32> {
    variables.iter().map(|var| var.0).collect()
}

/// Comparisons by their signs.
const RELATIONS: [(Relation, &str); 4] =
    [(Relation::Eq, "="), (Relation::Neq, "<>"), (Relation::Lt, "<"), (Relation::Le, "<=")];

fn sign(relation: Relation) -> &'static str {
    RELATIONS.iter().find(|(known, _)| *known == relation).map_or("?", |(_, sign)| sign)
}

fn formula(model: &Model, it: &Formula) -> Value {
    let rec = |part: &Formula| formula(model, part);
    let listed = |word: &str, parts: &[Formula]| {
        let parts = parts.iter().map(rec);
        Value::Array(std::iter::once(Value::from(word)).chain(parts).collect())
    };
    match it {
        Formula::True => Value::Bool(true),
        Formula::False => Value::Bool(false),
        Formula::Compare(relation, left, right) => {
            json!([sign(*relation), term(model, left), term(model, right)])
        }
        Formula::Not(inner) => json!(["not", rec(inner)]),
        Formula::And(parts) => listed("and", parts),
        Formula::Or(parts) => listed("or", parts),
        Formula::Iff(left, right) => json!(["iff", rec(left), rec(right)]),
        Formula::If(condition, then, otherwise) => json!(["if", rec(condition), rec(then), rec(otherwise)]),
        Formula::Quantified { quantifier, variables, apart_from, body } => {
            let word = if *quantifier == Quantifier::Forall { "forall" } else { "exists" };
            json!([word, numbers(variables), numbers(apart_from), rec(body)])
        }
        Formula::Fence => json!(["fence"]),
    }
}

fn term(model: &Model, it: &Term) -> Value {
    let all = |terms: &[Term]| terms.iter().map(|it| term(model, it)).collect::<Vec<_>>();
    match it {
        Term::Var(var) => json!({ "variable": var.0 }),
        Term::Process(k) => json!({ "process": k }),
        Term::Outsider(id) => json!({ "outsider": model.outsiders[id.index()].name }),
        Term::Constructor(id, at) => {
            let declared = &model.enums[id.index()];
            json!({ "value": declared.constructors[*at as usize], "of": declared.name })
        }
        Term::Read { symbol, indices, reader } => match reader {
            None => json!({ "read": model.symbol(*symbol).name, "at": all(indices) }),
            Some(reader) => {
                json!({ "read": model.symbol(*symbol).name, "at": all(indices), "by": term(model, reader) })
            }
        },
        Term::Linear(linear) => sum(model, linear),
        Term::ProcessCount => json!({ "processes": true }),
        Term::Count { symbol, row, value } => json!({
            "count": model.symbol(*symbol).name,
            "row": all(row),
            "value": value.as_ref().map(|value| term(model, value)),
        }),
    }
}

fn sum(model: &Model, linear: &Linear) -> Value {
    let parts = linear.parts.iter().map(|(coefficient, part)| json!([coefficient, term(model, part)]));
    json!({
        "sum": parts.collect::<Vec<_>>(),
        "plus": fraction(linear.constant),
        "sort": if linear.sort == Sort::Real { "real" } else { "int" },
    })
}

/// A number as numerator and denominator: exact in every reader.
fn fraction(number: Number) -> [i64; 2] {
    [number.numerator(), number.denominator()]
}
