//! A model compiled for the backward search: templates for transitions, initial states and properties.

use crate::Unsupported;
use crate::places::Places;
use crate::template::{Compiler, Node, ValueTerm, conjunction, numbers};
use crate::values;
use crate::vocabulary::{Values, Vocabulary, outsider};
use ir::{self, Formula, Model, Quantifier, RuleId};
use std::sync::Arc;

/// A transition, its formulas compiled.
#[derive(Debug)]
pub(crate) struct Transition {
    pub(crate) rule: RuleId,
    pub(crate) params: Vec<u16>,
    pub(crate) guard: Node,
    pub(crate) updates: Vec<Update>,
    /// The promises about what the guard requires of all processes, by position: the processes that are promised may be named.
    pub(crate) promises: Vec<usize>,
}

/// The new values of the cells of a symbol.
#[derive(Debug)]
pub(crate) struct Update {
    pub(crate) symbol: u16,
    pub(crate) cell: Vec<u16>,
    /// Each with the whole condition under which it applies, including that no earlier one does; the last keeps the value.
    pub(crate) arms: Vec<(Node, ValueTerm)>,
}

impl Transition {
    pub(crate) fn update(&self, symbol: u16) -> Option<&Update> {
        self.updates.iter().find(|update| update.symbol == symbol)
    }
}

/// A disjunct of the initial states.
#[derive(Debug)]
pub(crate) struct Initial {
    pub(crate) params: Vec<u16>,
    pub(crate) formula: Node,
    /// The symbols of sort `proc` that hold an outsider at first, with that outsider.
    pub(crate) outsiders: Vec<(u16, Values)>,
}

/// States that are excluded: bad ones, those that violate an assumption, or those that contradict a fact.
#[derive(Debug)]
pub(crate) struct Bad {
    pub(crate) params: Vec<u16>,
    pub(crate) formula: Node,
}

/// What an assumption promises of any distinct processes, or a counter: that some process has a property.
#[derive(Debug)]
pub(crate) struct Promise {
    pub(crate) params: Vec<u16>,
    /// The negation of what must hold for that.
    pub(crate) unless: Node,
    /// That there is such a process.
    pub(crate) some: Node,
    /// That a process, the value of this variable, is not such a one.
    pub(crate) variable: u16,
    pub(crate) lacks: Node,
    /// The symbols that it is about.
    symbols: Vec<ir::SymbolId>,
}

/// The compiled model.
#[derive(Debug)]
pub(crate) struct System {
    pub(crate) vocabulary: Vocabulary,
    pub(crate) transitions: Vec<Transition>,
    pub(crate) initials: Vec<Initial>,
    /// The properties, in the order of the model.
    pub(crate) properties: Vec<Bad>,
    /// States that no instance has by assumption, as far as they are compiled exactly.
    pub(crate) assumptions: Vec<Bad>,
    /// What assumptions promise.
    pub(crate) promises: Vec<Promise>,
    /// What counters promise.
    pub(crate) counted: Vec<Promise>,
    /// States that are not reachable since `init` excludes them by symbols that never change.
    pub(crate) facts: Vec<Bad>,
    /// Constructs that are over-approximated, in words.
    pub(crate) approximated: Vec<&'static str>,
}

impl System {
    /// Compiles a model. With `count`, place invariants are looked for, and these formulas about counters are never satisfied.
    pub(crate) fn new(
        model: &Model,
        narrow: bool,
        count: Option<&[ir::Property]>,
    ) -> Result<System, Unsupported> {
        let mut vocabulary = Vocabulary::new(model)?;
        let mut compiler = Compiler { model, vocabulary: &mut vocabulary, approximated: vec![] };
        let promises = compiler.promises();
        let counted = count.unwrap_or_default().iter().filter_map(|never| compiler.promise(never)).collect();
        let transitions =
            model.transitions.iter().map(|transition| compiler.transition(transition, &promises)).collect();
        let initials = model.init.iter().map(|init| compiler.initial(init)).collect();
        let properties = model.properties.iter().map(|bad| compiler.bad(bad)).collect();
        // Leaving out an assumption costs time; excluding more than it says costs the proof.
        let assumptions = model.assumptions.iter().map(|bad| compiler.bad(bad));
        let assumptions = assumptions.filter(|assumption| assumption.formula.is_exact()).collect();
        let mut facts = compiler.facts();
        facts.retain(|fact| fact.formula.is_exact());
        let approximated = compiler.approximated;
        let mut system = System {
            vocabulary,
            transitions,
            initials,
            properties,
            assumptions,
            promises,
            counted,
            facts,
            approximated,
        };
        if narrow {
            values::analyse(&mut system);
        }
        if count.is_some() {
            system.vocabulary.places = Places::find(&system).map(Arc::new);
        }
        Ok(system)
    }
}

impl Compiler<'_> {
    fn transition(&mut self, transition: &ir::Transition, promises: &[Promise]) -> Transition {
        Transition {
            promises: relevant(transition, promises),
            rule: transition.rule,
            params: numbers(&transition.params),
            guard: self.formula(&transition.guard),
            updates: transition.updates.iter().map(|update| self.update(update)).collect(),
        }
    }

    fn update(&mut self, update: &ir::Update) -> Update {
        let symbol = u16::try_from(update.symbol.index()).expect("checked when the vocabulary was made");
        let (mut arms, mut earlier) = (Vec::new(), Vec::new());
        for arm in &update.arms {
            let mut condition = earlier.clone();
            condition.push(self.formula(&arm.condition));
            // The value has no meaning: the step is a violation of its own, and is never taken.
            if let Some(value) = self.value(&arm.value) {
                arms.push((conjunction(condition), value));
            }
            earlier.push(self.opposite(&arm.condition));
        }
        arms.push((conjunction(earlier), ValueTerm::Keep));
        arms.retain(|(condition, _)| *condition != Node::False);
        Update { symbol, cell: numbers(&update.cell), arms }
    }

    fn initial(&mut self, init: &ir::Init) -> Initial {
        let symbol =
            |id: ir::SymbolId| u16::try_from(id.index()).expect("checked when the vocabulary was made");
        Initial {
            params: numbers(&init.params),
            formula: self.formula(&init.formula),
            outsiders: init.outsiders.iter().map(|(id, of)| (symbol(*id), outsider(*of))).collect(),
        }
    }

    /// What assumptions about symbols that never change promise. Those of more processes come first: they say more.
    fn promises(&mut self) -> Vec<Promise> {
        let model = self.model;
        let changes = |symbol: &ir::SymbolId| {
            let mut updates = model.transitions.iter().flat_map(|transition| &transition.updates);
            updates.any(|update| update.symbol == *symbol)
        };
        let mut promises: Vec<Promise> =
            model.assumptions.iter().filter_map(|assumption| self.promise(assumption)).collect();
        promises.retain(|promise| !promise.symbols.iter().any(changes));
        promises.sort_by_key(|promise| std::cmp::Reverse(promise.params.len()));
        promises
    }

    /// What a formula promises that no state satisfies: where the rest of it holds, some process is not as it says of all.
    fn promise(&mut self, never: &ir::Property) -> Option<Promise> {
        let (mut all, mut rest) = (None, Vec::new());
        for part in never.formula.conjuncts() {
            match part {
                Formula::Quantified { quantifier: Quantifier::Forall, variables, apart_from, body }
                    if all.is_none() && variables.len() == 1 && !body.has_quantifier() =>
                {
                    all = Some((numbers(variables), numbers(apart_from), body));
                }
                part if part.has_quantifier() => return None,
                part => rest.push(part.clone()),
            }
        }
        let (variables, apart_from, body) = all?;
        let mut symbols = Vec::new();
        never.formula.each_term(&mut |term| symbols.extend(term.symbol()));
        Some(Promise {
            params: numbers(&never.params),
            unless: self.opposite(&Formula::and(rest)),
            variable: variables[0],
            some: Node::Some { variables, apart_from, body: Box::new(self.opposite(body)) },
            lacks: self.formula(body),
            symbols,
        })
    }

    /// The negations of what `init` says about symbols that no transition assigns.
    fn facts(&mut self) -> Vec<Bad> {
        let model = self.model;
        let [init] = model.init.as_slice() else { return vec![] };
        let changes = |term: &ir::Term| {
            let updates = model.transitions.iter().flat_map(|transition| &transition.updates);
            term.symbol().is_some_and(|symbol| updates.into_iter().any(|update| update.symbol == symbol))
        };
        let mut facts = Vec::new();
        for part in init.formula.conjuncts() {
            let (mut rigid, mut symbols) = (true, false);
            part.each_term(&mut |term| {
                rigid &= !changes(term);
                symbols |= term.symbol().is_some();
            });
            // Parameters of `init` may coincide, those of a cube may not; with only one there is no difference.
            let mentioned: Vec<_> =
                init.params.iter().copied().filter(|param| part.mentions_variable(*param)).collect();
            if rigid && symbols && mentioned.len() <= 1 {
                facts.push(Bad { params: numbers(&mentioned), formula: self.opposite(part) });
            }
        }
        facts
    }

    fn bad(&mut self, property: &ir::Property) -> Bad {
        Bad { params: numbers(&property.params), formula: self.formula(&property.formula) }
    }
}

/// The promises about a symbol that a guard is about where it speaks of all processes: if there are any of several processes,
/// only these.
fn relevant(transition: &ir::Transition, promises: &[Promise]) -> Vec<usize> {
    let mut symbols = Vec::new();
    for part in transition.guard.conjuncts() {
        if let Formula::Quantified { quantifier: Quantifier::Forall, body, .. } = part {
            body.each_term(&mut |term| symbols.extend(term.symbol()));
        }
    }
    let about = |at: &usize| promises[*at].symbols.iter().any(|symbol| symbols.contains(symbol));
    let mut found: Vec<usize> = (0..promises.len()).filter(about).collect();
    let most = found.iter().map(|at| promises[*at].params.len()).max();
    found.retain(|at| Some(promises[*at].params.len()) == most);
    found
}
