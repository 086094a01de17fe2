//! Place invariants in words.

use super::export::{Status, factors, groups};
use super::{PlaceInvariant, Places};
use crate::vocabulary::Values;
use ir::{Model, Origin, Sort, SymbolId};

/// For each dimension that matters the values that are meant.
type Product = Vec<(usize, Values)>;

impl Places {
    /// Each invariant as a sentence.
    pub(crate) fn sentences(&self, model: &Model) -> Vec<String> {
        self.invariants.iter().map(|invariant| self.sentence(model, invariant)).collect()
    }

    fn sentence(&self, model: &Model, invariant: &PlaceInvariant) -> String {
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for (number, factor) in &invariant.numbers {
            let name = format!("`{}`", model.symbols[usize::from(*number)].name);
            let side = if *factor > 0 { &mut left } else { &mut right };
            side.push(times(factor.abs(), &name));
        }
        for factor in factors(invariant, &self.reached) {
            left.push(times(factor, &self.number_of(model, &|place| invariant.places[place] == factor)));
        }
        let processes = invariant.per_process;
        if processes != 0 {
            let side = if processes < 0 { &mut left } else { &mut right };
            side.push(times(processes.abs(), "the number of processes"));
        }
        if invariant.constant != 0 {
            let side = if invariant.constant < 0 { &mut left } else { &mut right };
            side.push(invariant.constant.abs().to_string());
        }
        // `Readers` is the number of …: the short side first.
        let (subject, rest) = if right.len() == 1 && left.len() == 1 { (right, left) } else { (left, right) };
        format!("{} {} {}", sum(&subject), if subject.len() > 1 { "are together" } else { "is" }, sum(&rest))
    }

    /// The processes in some places.
    fn number_of(&self, model: &Model, contains: &impl Fn(usize) -> bool) -> String {
        let status: Vec<Status> =
            (0..self.locals.places).map(|place| self.reached[place].then(|| contains(place))).collect();
        let mut products = Vec::new();
        self.add_products(0, &status, &mut vec![], &mut products);
        let mut phrases: Vec<String> = products.iter().map(|product| self.phrase(model, product)).collect();
        let last = phrases.pop().unwrap_or_default();
        let joined = if phrases.is_empty() { last } else { format!("{} and {last}", phrases.join(", ")) };
        format!("the number of {joined}")
    }

    fn add_products(&self, at: usize, status: &[Status], known: &mut Product, found: &mut Vec<Product>) {
        if !status.contains(&Some(true)) {
            return;
        }
        if !status.contains(&Some(false)) {
            found.push(known.clone());
            return;
        }
        let groups = groups(&self.locals, at, status);
        if let [(_, rest)] = groups.as_slice() {
            return self.add_products(at + 1, rest, known, found);
        }
        for (values, rest) in groups {
            known.push((at, values));
            self.add_products(at + 1, &rest, known, found);
            known.pop();
        }
    }

    fn phrase(&self, model: &Model, product: &Product) -> String {
        let (mut who, mut conditions) = ("processes".to_owned(), Vec::new());
        for (at, values) in product {
            let symbol = SymbolId::from_index(self.locals.dimensions[*at].symbol.into());
            let declared = model.symbol(symbol);
            let names: Vec<&str> = constructors(model, declared.sort, *values);
            if declared.origin == Origin::Kind {
                who = names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" or ");
                who = format!("processes of kind {who}");
            } else {
                let values: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
                conditions.push(format!("`{}` = {}", declared.name, values.join(" or ")));
            }
        }
        if conditions.is_empty() { who } else { format!("{who} with {}", conditions.join(" and ")) }
    }
}

fn constructors(model: &Model, sort: Sort, values: Values) -> Vec<&str> {
    let Sort::Enum(of) = sort else { return vec![] };
    let all = model.enums[of.index()].constructors.iter().enumerate();
    all.filter(|(at, _)| values >> at & 1 == 1).map(|(_, name)| name.as_str()).collect()
}

fn times(factor: i64, what: &str) -> String {
    if factor == 1 { what.to_owned() } else { format!("{factor} times {what}") }
}

fn sum(parts: &[String]) -> String {
    if parts.is_empty() { "0".to_owned() } else { parts.join(" plus ") }
}
