//! Initial states: one equation per symbol, with alternatives and open symbols on request.

use crate::features::Feature;
use crate::generator::{Generator, Items};
use crate::layout::Item;
use crate::piece::Piece;
use crate::scope::{Place, Scope};
use crate::symbols::{Fate, Primitive, Symbol, Type};
use crate::term::cell;

impl Generator {
    pub(crate) fn inits(&mut self, items: &mut Items) {
        let several = self.sometimes(Feature::SeveralInits, 1, 3);
        for _ in 0..if several { 2 } else { 1 } {
            let item = self.init();
            items.push(Item::new(item));
        }
    }

    fn init(&mut self) -> String {
        let mut described = self.signature.symbols.clone();
        described.retain(|symbol| symbol.fate != Fate::Given);
        let mut scope = Scope::new(Place::Init);
        for _ in 0..described.iter().map(needed_variables).max().unwrap_or(0) {
            scope.bind(None, &mut self.rng);
        }
        let mut parts = self.fixed_part(&described, &scope);
        if self.sometimes(Feature::DisjunctiveInit, 1, 4) {
            let ways = vec![self.open_part(&described, &scope), self.open_part(&described, &scope)];
            parts.push(Piece::or(ways.into_iter().map(Piece::and).collect()).in_parentheses());
        } else {
            parts.extend(self.open_part(&described, &scope));
        }
        let parameters: Vec<&str> = scope.variables.iter().map(|v| v.name.as_str()).collect();
        let head = if parameters.is_empty() { String::new() } else { format!("({}) ", parameters.join(" ")) };
        format!("init {head}{{ {} }}", Piece::and(parts).text)
    }

    /// The conjuncts that every disjunct must have: the initial value of each semaphore, and the outsiders.
    fn fixed_part(&mut self, described: &[Symbol], scope: &Scope) -> Vec<Piece> {
        let mut parts = Vec::new();
        for symbol in described {
            if symbol.ty == Type::Primitive(Primitive::Semaphore) {
                let value = if self.sometimes(Feature::SysProcs, 1, 4) {
                    "SYS_PROCS - 1".to_string()
                } else {
                    self.rng.below(3).to_string()
                };
                parts.push(Piece::atom(format!("{} = {value}", init_cell(symbol, scope))));
            }
        }
        if let Some(outsider) = described.iter().find(|symbol| symbol.ty == Type::Party) {
            parts.push(Piece::atom(format!("{} <> {}", outsider.name, scope.variables[0].name)));
        }
        parts
    }

    fn open_part(&mut self, described: &[Symbol], scope: &Scope) -> Vec<Piece> {
        let outsider = described.iter().find(|symbol| symbol.ty == Type::Party).map(|symbol| &symbol.name);
        let mut parts = Vec::new();
        for symbol in described.iter().filter(|symbol| !symbol.is_primitive()) {
            parts.extend(match symbol.ty {
                Type::Party => self.party_start(symbol, outsider, scope),
                Type::Process => self.process_start(symbol, scope),
                Type::Abstract(_) => self.abstract_start(symbol, described, scope),
                Type::Kind(_) => None,
                _ => self.value_start(symbol, scope),
            });
        }
        if self.sometimes(Feature::OpenInit, 1, 10) {
            parts.push(self.formula(scope, 1));
        }
        parts
    }

    /// Equal to the first outsider, or open.
    fn party_start(&mut self, symbol: &Symbol, outsider: Option<&String>, scope: &Scope) -> Option<Piece> {
        let first = outsider.filter(|name| **name != symbol.name && self.rng.chance(1, 2))?;
        Some(Piece::atom(format!("{} = {first}", init_cell(symbol, scope))))
    }

    /// A process constant, the process itself for a cell, or open.
    fn process_start(&mut self, symbol: &Symbol, scope: &Scope) -> Option<Piece> {
        let place = init_cell(symbol, scope);
        let start = match self.rng.below(3) {
            0 => self.literal(Type::Process)?,
            // A global equated with a parameter of `init` would be equal to every process at once.
            1 if symbol.arity == 1 => scope.variables[0].name.clone(),
            _ => return None,
        };
        Some(Piece::atom(format!("{place} = {start}")))
    }

    fn abstract_start(&mut self, symbol: &Symbol, described: &[Symbol], scope: &Scope) -> Option<Piece> {
        let peer = |other: &&Symbol| other.ty == symbol.ty && other.arity == 0 && other.name != symbol.name;
        let peers: Vec<&Symbol> = described.iter().filter(peer).collect();
        let other = self.rng.pick(&peers)?.name.clone();
        self.rng.chance(1, 2).then(|| Piece::atom(format!("{} = {other}", init_cell(symbol, scope))))
    }

    fn value_start(&mut self, symbol: &Symbol, scope: &Scope) -> Option<Piece> {
        let place = init_cell(symbol, scope);
        let is_counter = self.signature.counter.as_ref().is_some_and(|(name, _)| *name == symbol.name);
        if let (true, Type::Enumeration(index)) = (is_counter, symbol.ty) {
            return Some(Piece::atom(format!("{place} = {}", self.signature.enumerations[index].1[0])));
        }
        // An open number needs a range in every bounded run, so it must be requested.
        let finite = !matches!(symbol.ty, Type::Int | Type::Real) || self.has(Feature::UnboundedIntegers);
        if finite && self.sometimes(Feature::OpenInit, 1, 4) {
            let operator = if symbol.ty.is_ordered() { "<=" } else { "<>" };
            let some = self.literal(symbol.ty)?;
            return self.rng.chance(1, 2).then(|| Piece::atom(format!("{place} {operator} {some}")));
        }
        let equation = Piece::atom(format!("{place} = {}", self.literal(symbol.ty)?));
        if self.sometimes(Feature::DisjunctiveInit, 1, 6) {
            let other = Piece::atom(format!("{place} = {}", self.literal(symbol.ty)?));
            return Some(Piece::or(vec![equation, other]));
        }
        Some(equation)
    }
}

/// The number of parameters that `init` needs to mention a symbol.
fn needed_variables(symbol: &Symbol) -> usize {
    symbol.arity.max(usize::from(symbol.ty == Type::Party))
}

/// The symbol at the parameters of `init`.
fn init_cell(symbol: &Symbol, scope: &Scope) -> String {
    let indices: Vec<String> = scope.variables.iter().take(symbol.arity).map(|v| v.name.clone()).collect();
    cell(&symbol.name, &indices)
}
