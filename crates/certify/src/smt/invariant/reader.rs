//! Reads an invariant back, as one about a given model. Nothing in the folder is trusted: whatever the document contains, the
//! result is a certificate that is well formed over the model, or a reason why there is none.

use super::{super::INVARIANT, RELATIONS, STARTS};
use crate::{AuxiliaryVariable, Certificate, Counter, Cube, check::complaint, extended};
use ir::store_buffers::{Capacity, Counting};
use ir::{EnumId, Formula, Linear, Model, Number, OutsiderId, Quantifier, Sort, SymbolId, Term, Var};
use serde_json::Value;
use std::{fmt, fs, path::Path};

/// Why no invariant could be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// There is none: the file is missing, or is not such a document.
    NoInvariant(String),
    /// It is one, but not about this model.
    OtherModel(String),
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unreadable::NoInvariant(why) => f.write_str(why),
            Unreadable::OtherModel(why) => write!(f, "the invariant is not about this model: {why}"),
        }
    }
}

impl std::error::Error for Unreadable {}

type Read<T> = Result<T, Unreadable>;

fn malformed<T>(what: impl fmt::Display) -> Read<T> {
    Err(Unreadable::NoInvariant(format!("`{INVARIANT}` is not an invariant: {what}")))
}

fn other_model<T>(why: impl Into<String>) -> Read<T> {
    Err(Unreadable::OtherModel(why.into()))
}

/// The certificate of a folder, as one about this model. It is well formed over the model; whether it is inductive remains to
/// be checked.
pub fn read(folder: &Path, model: &Model) -> Read<Certificate> {
    let document = document(folder)?;
    let mut certificate = Certificate::default();
    // The name in folders that earlier versions have written.
    let auxiliaries = document.get("auxiliary_variables").unwrap_or(&document["witnesses"]);
    for entry in list(auxiliaries)? {
        let extended = extended(model, &certificate.auxiliaries).or_else(other_model)?;
        let auxiliary = Reader { model: &extended.model }.auxiliary(entry)?;
        certificate.auxiliaries.push(auxiliary);
    }
    // Folders that earlier versions have written have none.
    for entry in document.get("counters").map_or(Ok([].as_slice()), list)? {
        let extended = certificate.extended(model).or_else(other_model)?;
        let counter = Reader { model: &extended.model }.counter(entry)?;
        certificate.counters.push(counter);
    }
    let extended = certificate.extended(model).or_else(other_model)?;
    let reader = Reader { model: &extended.model };
    certificate.cubes =
        list(&document["cubes"])?.iter().map(|entry| reader.cube(entry)).collect::<Read<_>>()?;
    Ok(certificate)
}

/// The capacity of the store buffers that a certificate is about, so that its weak model can be read in the same way. `None` if it
/// speaks of no store buffers.
pub fn read_capacity(folder: &Path) -> Read<Option<Capacity>> {
    let document = document(folder)?;
    let Some(buffers) = document.get("store_buffers") else { return Ok(None) };
    let slots = number::<u32>(&buffers["slots"])? as usize;
    if !(1..=MOST_SLOTS).contains(&slots) {
        return malformed("the number of slots of a store buffer");
    }
    let counting = match buffers.get("counted") {
        None => Counting::Exact,
        Some(counted) => Counting::Many(number::<u32>(counted)?.clamp(1, MOST_COUNTED)),
    };
    Ok(Some(Capacity { slots, counting }))
}

/// No proof needs more: what claims to is not worth the time.
const MOST_SLOTS: usize = 64;
const MOST_COUNTED: u32 = 64;

fn document(folder: &Path) -> Read<Value> {
    let path = folder.join(INVARIANT);
    let text = fs::read_to_string(&path).map_err(|error| {
        Unreadable::NoInvariant(format!(
            "`{}` cannot be read: {error} (`motet prove --certificate` writes it)",
            path.display()
        ))
    })?;
    serde_json::from_str(&text).or_else(malformed)
}

fn list(value: &Value) -> Read<&[Value]> {
    value.as_array().map_or_else(|| malformed("a list is missing"), |list| Ok(list.as_slice()))
}

fn string(value: &Value) -> Read<&str> {
    value.as_str().map_or_else(|| malformed("a name is missing"), Ok)
}

fn number<T: TryFrom<i64>>(value: &Value) -> Read<T> {
    let number = value.as_i64().and_then(|number| T::try_from(number).ok());
    number.map_or_else(|| malformed("a number is missing"), Ok)
}

/// A name that the certificate introduces. It is written into comments of scripts, which a line break would end.
fn name(value: &Value) -> Read<String> {
    let name = string(value)?;
    let plain = !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || "_'.#".contains(c));
    if plain { Ok(name.to_owned()) } else { malformed(format!("`{}` is not a name", name.escape_debug())) }
}

fn names(value: &Value) -> Read<Vec<String>> {
    list(value)?.iter().map(name).collect()
}

fn variables(value: &Value) -> Read<Vec<Var>> {
    list(value)?.iter().map(|var| number(var).map(Var)).collect()
}

/// Reads what is about a model.
struct Reader<'m> {
    model: &'m Model,
}

impl Reader<'_> {
    fn cube(&self, entry: &Value) -> Read<Cube> {
        let cube = Cube {
            params: variables(&entry["parameters"])?,
            variables: names(&entry["variables"])?,
            formula: self.formula(&entry["formula"])?,
        };
        self.fitting(cube)
    }

    fn auxiliary(&self, entry: &Value) -> Read<AuxiliaryVariable> {
        let auxiliary = AuxiliaryVariable {
            name: name(&entry["name"])?,
            variables: names(&entry["variables"])?,
            formula: self.formula(&entry["formula"])?,
        };
        self.fitting(auxiliary.cube())?;
        Ok(auxiliary)
    }

    fn counter(&self, entry: &Value) -> Read<Counter> {
        let start = string(&entry["starts_with"])?;
        let Some((start, _)) = STARTS.iter().find(|(_, word)| *word == start) else {
            return malformed(format!("`{}` is not how a counter starts", start.escape_debug()));
        };
        let counter = Counter {
            name: name(&entry["name"])?,
            variables: names(&entry["variables"])?,
            formula: self.formula(&entry["formula"])?,
            start: *start,
        };
        self.fitting(counter.cube())?;
        Ok(counter)
    }

    /// The cube, if it is well formed.
    fn fitting(&self, cube: Cube) -> Read<Cube> {
        match complaint(self.model, &cube) {
            None => Ok(cube),
            Some(complaint) => other_model(format!("a cube is not well formed, {complaint}")),
        }
    }

    fn formula(&self, value: &Value) -> Read<Formula> {
        if let Some(truth) = value.as_bool() {
            return Ok(if truth { Formula::True } else { Formula::False });
        }
        let [word, parts @ ..] = list(value)? else { return malformed("a formula is empty") };
        let word = string(word)?;
        if let Some((relation, _)) = RELATIONS.iter().find(|(_, sign)| *sign == word) {
            let [left, right] = parts else { return malformed("a comparison is not one of two") };
            return Ok(Formula::Compare(*relation, self.term(left)?, self.term(right)?));
        }
        let boxed = |part: &Value| self.formula(part).map(Box::new);
        match (word, parts) {
            ("not", [inner]) => Ok(Formula::Not(boxed(inner)?)),
            ("and", [_, _, ..]) => Ok(Formula::And(self.formulas(parts)?)),
            ("or", [_, _, ..]) => Ok(Formula::Or(self.formulas(parts)?)),
            ("iff", [left, right]) => Ok(Formula::Iff(boxed(left)?, boxed(right)?)),
            ("if", [condition, then, otherwise]) => {
                Ok(Formula::If(boxed(condition)?, boxed(then)?, boxed(otherwise)?))
            }
            ("forall", [bound, apart, body]) => self.quantified(Quantifier::Forall, bound, apart, body),
            ("exists", [bound, apart, body]) => self.quantified(Quantifier::Exists, bound, apart, body),
            _ => malformed(format!("there is no formula `{word}` of {}", parts.len())),
        }
    }

    fn formulas(&self, parts: &[Value]) -> Read<Vec<Formula>> {
        parts.iter().map(|part| self.formula(part)).collect()
    }

    fn quantified(
        &self,
        quantifier: Quantifier,
        bound: &Value,
        apart: &Value,
        body: &Value,
    ) -> Read<Formula> {
        let (bound, apart_from) = (variables(bound)?, variables(apart)?);
        Ok(Formula::Quantified { quantifier, variables: bound, apart_from, body: self.formula(body)?.into() })
    }

    fn term(&self, value: &Value) -> Read<Term> {
        let Some((word, _)) = WORDS.iter().map(|word| (*word, &value[*word])).find(|(_, it)| !it.is_null())
        else {
            return malformed("a term is missing");
        };
        let it = &value[word];
        match word {
            "variable" => Ok(Term::Var(Var(number(it)?))),
            "process" => Ok(Term::Process(number(it)?)),
            "outsider" => self.outsider(string(it)?),
            "value" => self.constructor(string(it)?, string(&value["of"])?),
            "read" => self.read(string(it)?, &value["at"]),
            "sum" => self.sum(it, value),
            "count" => self.count(string(it)?, value),
            _ => Ok(Term::ProcessCount),
        }
    }

    fn outsider(&self, name: &str) -> Read<Term> {
        let at = self.model.outsiders.iter().position(|outsider| outsider.name == name);
        at.map_or_else(
            || other_model(format!("there is no outsider `{name}`")),
            |at| Ok(Term::Outsider(OutsiderId::from_index(at))),
        )
    }

    fn constructor(&self, name: &str, of: &str) -> Read<Term> {
        let declared = self.model.enums.iter().position(|declared| declared.name == of);
        let at = declared.and_then(|id| {
            let value = self.model.enums[id].constructors.iter().position(|known| known == name)?;
            Some(Term::Constructor(EnumId::from_index(id), u32::try_from(value).ok()?))
        });
        at.map_or_else(|| other_model(format!("there is no value `{name}` of type `{of}`")), Ok)
    }

    fn symbol(&self, name: &str) -> Read<SymbolId> {
        let at = self.model.symbols.iter().position(|symbol| symbol.name == name);
        at.map_or_else(|| other_model(format!("there is no `{name}`")), |at| Ok(SymbolId::from_index(at)))
    }

    fn read(&self, name: &str, indices: &Value) -> Read<Term> {
        let (symbol, indices) = (self.symbol(name)?, self.terms(indices)?);
        if self.model.symbol(symbol).arity != indices.len() {
            return other_model(format!("`{name}` does not have {} indices", indices.len()));
        }
        Ok(Term::read(symbol, indices))
    }

    fn terms(&self, value: &Value) -> Read<Vec<Term>> {
        list(value)?.iter().map(|term| self.term(term)).collect()
    }

    /// A sum in the normal form of the language, which engines rely on.
    fn sum(&self, parts: &Value, value: &Value) -> Read<Term> {
        let sort = if value["sort"] == "real" { Sort::Real } else { Sort::Int };
        let [numerator, denominator] = list(&value["plus"])? else {
            return malformed("a constant is missing");
        };
        let constant = Number::ratio(number(numerator)?, number(denominator)?);
        let constant = constant.filter(|constant| sort == Sort::Real || constant.denominator() == 1);
        let mut sum = constant.map(|constant| Linear::constant(sort, constant));
        for part in list(parts)? {
            let [coefficient, term] = list(part)? else { return malformed("a part of a sum is missing") };
            let term = self.term(term)?;
            if self.sort(&term) != Some(sort) {
                return other_model("a sum has a part of another sort");
            }
            let part = Linear::from_term(sort, term).times(number(coefficient)?);
            sum = sum.zip(part).and_then(|(sum, part)| sum.plus(part));
        }
        sum.map_or_else(|| malformed("a number is too large"), |sum| Ok(sum.into_term()))
    }

    /// The sort of what can be part of a sum.
    fn sort(&self, term: &Term) -> Option<Sort> {
        match term {
            Term::Read { symbol, .. } => Some(self.model.symbol(*symbol).sort),
            Term::ProcessCount | Term::Count { .. } => Some(Sort::Int),
            _ => None,
        }
    }

    fn count(&self, name: &str, value: &Value) -> Read<Term> {
        let (symbol, row) = (self.symbol(name)?, self.terms(&value["row"])?);
        if self.model.symbol(symbol).arity <= row.len() {
            return other_model(format!("`{name}` has no row of {} indices", row.len()));
        }
        let counted = &value["value"];
        let counted = if counted.is_null() { None } else { Some(Box::new(self.term(counted)?)) };
        Ok(Term::Count { symbol, row, value: counted })
    }
}

/// What a term can be: the first of these keys that an object has decides. A `count` may have a `value`, so it comes first.
const WORDS: [&str; 8] = ["variable", "process", "outsider", "count", "read", "sum", "value", "processes"];
