//! Printing the typed form in the syntax of the language, for messages, traces and certificates.

use super::{Formula, Linear, Model, Quantifier, Relation, Sort, Term, Var};
use std::fmt;

/// A formula or term together with what is needed to print it.
#[derive(Debug, Clone, Copy)]
pub struct Shown<'a, T> {
    what: &'a T,
    model: &'a Model,
    variables: &'a [String],
}

impl Formula {
    /// The formula as the user would write it; `variables` are the names of the item that it belongs to.
    pub fn display<'a>(&'a self, model: &'a Model, variables: &'a [String]) -> Shown<'a, Formula> {
        Shown { what: self, model, variables }
    }
}

impl Term {
    /// The term as the user would write it; `variables` are the names of the item that it belongs to.
    pub fn display<'a>(&'a self, model: &'a Model, variables: &'a [String]) -> Shown<'a, Term> {
        Shown { what: self, model, variables }
    }
}

impl<'a, T> Shown<'a, T> {
    fn of<U>(&self, what: &'a U) -> Shown<'a, U> {
        Shown { what, model: self.model, variables: self.variables }
    }

    fn name(&self, var: Var) -> &'a str {
        self.variables.get(var.index()).map_or("?", String::as_str)
    }

    fn names(&self, vars: &[Var], separator: &str) -> String {
        vars.iter().map(|var| self.name(*var)).collect::<Vec<_>>().join(separator)
    }
}

impl fmt::Display for Shown<'_, Term> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            Term::Var(var) => f.write_str(self.name(*var)),
            Term::Process(k) => write!(f, "#{k}"),
            Term::Outsider(id) => f.write_str(&self.model.outsiders[id.index()].name),
            Term::Constructor(id, at) => {
                f.write_str(&self.model.enums[id.index()].constructors[*at as usize])
            }
            Term::Read { symbol, indices, reader } => {
                if let Some(reader) = reader {
                    write!(f, "{}@", self.of(&**reader))?;
                }
                f.write_str(&self.model.symbol(*symbol).name)?;
                self.index_list(f, indices)
            }
            Term::Linear(linear) => self.of(linear).fmt(f),
            Term::ProcessCount => f.write_str("SYS_PROCS"),
            Term::Count { symbol, row, value } => {
                write!(f, "count({}", self.model.symbol(*symbol).name)?;
                self.index_list(f, row)?;
                match value {
                    Some(value) => write!(f, ", {})", self.of(&**value)),
                    None => f.write_str(", _)"),
                }
            }
        }
    }
}

impl<'a, T> Shown<'a, T> {
    fn index_list(&self, f: &mut fmt::Formatter<'_>, indices: &'a [Term]) -> fmt::Result {
        if indices.is_empty() {
            return Ok(());
        }
        let list: Vec<String> = indices.iter().map(|index| self.of(index).to_string()).collect();
        write!(f, "[{}]", list.join(","))
    }
}

impl fmt::Display for Shown<'_, Linear> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Linear { sort, parts, constant } = self.what;
        for (at, (coefficient, term)) in parts.iter().enumerate() {
            let sign = if at == 0 { ["", "-"] } else { [" + ", " - "] };
            f.write_str(sign[usize::from(*coefficient < 0)])?;
            if coefficient.unsigned_abs() != 1 {
                write!(f, "{} * ", coefficient.unsigned_abs())?;
            }
            write!(f, "{}", self.of(term))?;
        }
        if constant.is_zero() && !parts.is_empty() {
            return Ok(());
        }
        let negative = constant.numerator() < 0 && !parts.is_empty();
        if !parts.is_empty() {
            f.write_str(if negative { " - " } else { " + " })?;
        }
        let magnitude = if negative { constant.times(-1).unwrap_or(*constant) } else { *constant };
        match sort {
            Sort::Real if magnitude.denominator() == 1 => write!(f, "{magnitude}.0"),
            _ => write!(f, "{magnitude}"),
        }
    }
}

impl fmt::Display for Shown<'_, Formula> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.what {
            Formula::True => f.write_str("true"),
            Formula::False => f.write_str("false"),
            Formula::Fence => f.write_str("fence()"),
            Formula::Compare(relation, left, right) => {
                write!(f, "{} {relation} {}", self.of(left), self.of(right))
            }
            Formula::Not(inner) => write!(f, "not ({})", self.of(&**inner)),
            Formula::And(parts) => self.joined(f, parts, " && "),
            Formula::Or(parts) => self.joined(f, parts, " || "),
            Formula::Iff(left, right) => write!(f, "({}) <=> ({})", self.of(&**left), self.of(&**right)),
            Formula::If(condition, then, otherwise) => write!(
                f,
                "if {} then {} else ({})",
                self.of(&**condition),
                self.of(&**then),
                self.of(&**otherwise)
            ),
            Formula::Quantified { quantifier, variables, apart_from, body } => {
                let word = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let other = if apart_from.is_empty() { "" } else { "_other" };
                write!(f, "{word}{other} {}. {}", self.names(variables, " <> "), self.of(&**body))
            }
        }
    }
}

impl<'a> Shown<'a, Formula> {
    fn joined(&self, f: &mut fmt::Formatter<'_>, parts: &'a [Formula], separator: &str) -> fmt::Result {
        for (at, part) in parts.iter().enumerate() {
            if at > 0 {
                f.write_str(separator)?;
            }
            match part {
                Formula::Compare(..) | Formula::True | Formula::False | Formula::Fence | Formula::Not(_) => {
                    write!(f, "{}", self.of(part))?;
                }
                _ => write!(f, "({})", self.of(part))?,
            }
        }
        Ok(())
    }
}

impl fmt::Display for Relation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Relation::Eq => "=",
            Relation::Neq => "<>",
            Relation::Lt => "<",
            Relation::Le => "<=",
        })
    }
}
