//! Ranges for numbers that a model leaves open, as written on the command line and in traces.

use ir::{Domain, Model, Sort, SymbolId};
use serde::{Deserialize, Serialize};
use source::nearest;
use std::{fmt, str::FromStr};

/// The range of a variable, by its name: `X=-8..8`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct NamedRange {
    variable: String,
    low: i64,
    high: i64,
}

/// Larger bounds could overflow in arithmetic.
const LARGEST_BOUND: i64 = 1 << 40;

impl NamedRange {
    pub(crate) fn new(model: &Model, (symbol, low, high): (SymbolId, i64, i64)) -> NamedRange {
        NamedRange { variable: model.symbol(symbol).name.clone(), low, high }
    }

    /// The range of the symbol in a model. An error if there is no such symbol, or if it has a range already.
    pub(crate) fn of_model(&self, model: &Model) -> Result<(SymbolId, i64, i64), String> {
        let NamedRange { variable, low, high } = self;
        let small = |bound: &i64| bound.checked_abs().is_some_and(|bound| bound < LARGEST_BOUND);
        if low > high || !small(low) || !small(high) {
            return Err(format!("the range of `{self}` is empty or too large"));
        }
        let at = model.symbols.iter().position(|symbol| symbol.name == *variable).ok_or_else(|| {
            let candidate = nearest(variable, model.symbols.iter().map(|symbol| symbol.name.as_str()));
            candidate.map_or(format!("there is no `{variable}`"), |near| {
                format!("there is no `{variable}`; did you mean `{near}`?")
            })
        })?;
        if !matches!(model.symbols[at].sort, Sort::Int | Sort::Real) {
            return Err(format!("`{variable}` is not a number"));
        }
        if let Domain::Range(low, high) = model.symbols[at].domain {
            return Err(format!("`{variable}` has a range already: its type goes from {low} to {high}"));
        }
        Ok((SymbolId::from_index(at), *low, *high))
    }
}

impl fmt::Display for NamedRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}..{}", self.variable, self.low, self.high)
    }
}

impl FromStr for NamedRange {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedRange, String> {
        let wrong = || format!("`{text}` is not a range; write `X=-8..8`");
        let (variable, bounds) = text.split_once('=').ok_or_else(wrong)?;
        let (low, high) = bounds.split_once("..").ok_or_else(wrong)?;
        let (low, high) = (low.parse().map_err(|_| wrong())?, high.parse().map_err(|_| wrong())?);
        Ok(NamedRange { variable: variable.to_owned(), low, high })
    }
}
