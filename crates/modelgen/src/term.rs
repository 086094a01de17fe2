//! Terms: the readable symbols in a scope, and random terms of a given type.

use crate::features::Feature;
use crate::generator::Generator;
use crate::scope::{Instruction, Place, Scope};
use crate::symbols::{Fate, Primitive, Symbol, Type};

/// The ways to write a term.
#[derive(Clone, Copy)]
enum Form {
    Literal,
    Variable,
    Symbol,
    Named,
    Sum,
    SysProcs,
    Count,
}

impl Generator {
    /// A random term of a type; `None` if there is none in scope.
    pub(crate) fn term(&mut self, ty: Type, scope: &Scope, depth: usize) -> Option<String> {
        let number = matches!(ty, Type::Int | Type::Real);
        let whole = ty == Type::Int && !matches!(scope.place, Place::Assumption | Place::Predicate);
        let forms = [
            (4, Form::Literal),
            (6, Form::Variable),
            (3, Form::Symbol),
            (2, Form::Named),
            (if number && depth > 0 { 3 } else { 0 }, Form::Sum),
            (usize::from(whole && self.has(Feature::SysProcs)), Form::SysProcs),
            (usize::from(whole && self.has(Feature::Counts)), Form::Count),
        ];
        // Some forms may have no term here; a literal and a symbol are tried last.
        for _ in 0..4 {
            let form = self.rng.weighted(&forms)?;
            let term = self.term_of_form(form, ty, scope, depth);
            if term.is_some() {
                return term;
            }
        }
        let fallbacks = [Form::Literal, Form::Symbol, Form::Variable, Form::Named];
        fallbacks.into_iter().find_map(|form| self.term_of_form(form, ty, scope, 0))
    }

    fn term_of_form(&mut self, form: Form, ty: Type, scope: &Scope, depth: usize) -> Option<String> {
        match form {
            Form::Literal => self.literal(ty),
            Form::Variable => self.variable(ty, scope),
            Form::Symbol => self.symbol_of(ty, scope),
            Form::Named => self.named_term(ty, scope),
            Form::Sum => self.sum(ty, scope, depth),
            Form::SysProcs => Some("SYS_PROCS".to_string()),
            Form::Count => self.count(scope),
        }
    }

    /// A constructor, number or process constant; abstract types have none.
    pub(crate) fn literal(&mut self, ty: Type) -> Option<String> {
        match ty {
            Type::Enumeration(index) => self.rng.pick(&self.signature.enumerations[index].1).cloned(),
            Type::Bool => Some(self.rng.one_of(&["True", "False"]).to_string()),
            Type::Int | Type::Primitive(Primitive::Semaphore) => Some(self.integer()),
            Type::Real => Some(self.rng.one_of(&["0.0", "0.5", "1.0", "1.5", "2.", "3.25"]).to_string()),
            Type::Range(index) => {
                let (_, low, high) = self.signature.ranges[index];
                Some(self.rng.between(low, high).to_string())
            }
            Type::Process | Type::Party => self.process_constant(),
            Type::Abstract(_) | Type::Kind(_) | Type::Primitive(_) => None,
        }
    }

    fn process_constant(&mut self) -> Option<String> {
        let last = self.signature.processes.min(2);
        (last > 0).then(|| format!("#{}", self.rng.between(1, last)))
    }

    /// A process variable; for a kind, one that is declared to be of it.
    fn variable(&mut self, ty: Type, scope: &Scope) -> Option<String> {
        let fits = |kind: Option<usize>| match ty {
            Type::Process | Type::Party => true,
            Type::Kind(wanted) => kind == Some(wanted),
            _ => false,
        };
        let names: Vec<&String> = scope.variables.iter().filter(|v| fits(v.kind)).map(|v| &v.name).collect();
        self.rng.pick(&names).map(|name| (*name).clone())
    }

    fn named_term(&mut self, ty: Type, scope: &Scope) -> Option<String> {
        let named: Vec<&String> =
            scope.terms.iter().filter(|(_, t)| t.serves_as(ty)).map(|(n, _)| n).collect();
        self.rng.pick(&named).map(|name| (*name).clone())
    }

    /// A symbol or cell that can be used as a term of this type.
    pub(crate) fn symbol_of(&mut self, ty: Type, scope: &Scope) -> Option<String> {
        let fitting: Vec<Symbol> =
            self.readable(scope).into_iter().filter(|symbol| symbol.ty.serves_as(ty)).collect();
        let symbol = self.rng.pick(&fitting)?.clone();
        self.access(&symbol, scope)
    }

    /// The symbols that may occur as terms in this scope.
    pub(crate) fn readable(&self, scope: &Scope) -> Vec<Symbol> {
        let weak_model = self.has(Feature::Weak);
        let counter = self.signature.counter.as_ref().map(|(name, _)| name);
        // The guard of a program's step fixes its program counter: another condition on it would contradict or repeat
        // that.
        let said = |symbol: &Symbol| {
            scope.place == Place::Guard && scope.quantifiers == 0 && counter == Some(&symbol.name)
        };
        let may_read = |symbol: &&Symbol| match symbol.ty {
            _ if said(symbol) => false,
            _ if symbol.weak && scope.instruction == Instruction::Store => false,
            // A semaphore reads as a number, but through a predicate that might occur in `init`, where it has no
            // value yet.
            Type::Primitive(Primitive::Semaphore) => {
                let later = scope.in_transition() || matches!(scope.place, Place::Property | Place::Temporal);
                later && self.has(Feature::SemaphoreValues)
            }
            Type::Primitive(_) => false,
            _ => match scope.place {
                Place::Assumption => symbol.fate == Fate::Given,
                // `Turn <> p` in `init` would make `Turn` an outsider, which may not be an index.
                Place::Init => symbol.fate != Fate::Given && symbol.ty != Type::Process,
                // In a weak model the meaning of a predicate depends on the reader, unless it reads only constants.
                Place::Predicate => symbol.fate != Fate::Given && (!weak_model || symbol.constant),
                _ => true,
            },
        };
        self.signature.symbols.iter().filter(may_read).cloned().collect()
    }

    /// `X`, `A[i]`, `M[i, j]`, and `i@X` where a weak symbol is read in a property.
    pub(crate) fn access(&mut self, symbol: &Symbol, scope: &Scope) -> Option<String> {
        let mut indices = Vec::new();
        for position in 0..symbol.arity {
            let own =
                position == 0 && self.has(Feature::Weak) && symbol.is_register() && scope.in_transition();
            indices.push(if own { scope.actor.clone()? } else { self.index(scope)? });
        }
        let reader = if symbol.weak && scope.place == Place::Property {
            format!("{}@", self.rng.pick(&scope.variables)?.name)
        } else {
            String::new()
        };
        Some(format!("{reader}{}", cell(&symbol.name, &indices)))
    }

    /// An index, which must be a process of the run: mostly a variable, sometimes a constant or (on request) any term
    /// of that sort.
    pub(crate) fn index(&mut self, scope: &Scope) -> Option<String> {
        // In a weak property every read needs a reader, and in `init` a process-valued symbol may still be open.
        let plain = scope.place == Place::Init || self.has(Feature::Weak) && scope.place == Place::Property;
        if !plain && self.sometimes(Feature::TermIndices, 1, 4) {
            let found = self.symbol_of(Type::Process, scope);
            if found.is_some() {
                return found;
            }
        }
        if scope.place != Place::Init && self.rng.chance(1, 6) {
            let constant = self.process_constant();
            if constant.is_some() {
                return constant;
            }
        }
        let named = scope.terms.iter().any(|(_, ty)| *ty == Type::Process);
        if named
            && (self.has(Feature::TermIndices) || scope.place == Place::Predicate)
            && self.rng.chance(1, 2)
        {
            return self.named_term(Type::Process, scope);
        }
        self.variable(Type::Process, scope)
            .or_else(|| {
                if scope.place == Place::Predicate { self.named_term(Type::Process, scope) } else { None }
            })
            .or_else(|| if scope.place == Place::Init { None } else { self.process_constant() })
    }

    /// `count(A, v)`, `count(M[i], v)`, `count(A, _)`, `count(M[i], _)`
    pub(crate) fn count(&mut self, scope: &Scope) -> Option<String> {
        if scope.place == Place::Init {
            return None;
        }
        let mut arrays = self.readable(scope);
        arrays.retain(|symbol| symbol.arity > 0 && !symbol.is_primitive());
        let array = self.rng.pick(&arrays)?.clone();
        let cells = if array.arity == 2 && self.rng.chance(2, 3) {
            cell(&array.name, &[self.index(scope)?])
        } else {
            array.name.clone()
        };
        let value = if self.rng.chance(1, 4) { None } else { self.term(array.ty, scope, 0) };
        Some(format!("count({cells}, {})", value.unwrap_or_else(|| "_".to_string())))
    }
}

/// A symbol with its indices.
pub(crate) fn cell(name: &str, indices: &[String]) -> String {
    if indices.is_empty() { name.to_string() } else { format!("{name}[{}]", indices.join(", ")) }
}
