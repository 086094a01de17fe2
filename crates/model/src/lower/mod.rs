//! From the syntax tree to the typed form: names, types, static rules, lowering.

mod arithmetic;
mod assignments;
mod calls;
mod comparisons;
mod consistency;
mod elaborate;
mod environment;
mod items;
mod outsiders;
mod primitives;
mod reads;
mod scope;
mod threads;
mod transitions;
mod types;

use crate::{
    ir::{
        Formula, Kinds, LockKind, Model, Property, PropertyKind, Relation, RuleId, Sort, SymbolId, Term,
        Threads,
    },
    syntax::ast::{self, AstNode, Item},
};
use environment::Environment;
use items::{PropertyItem, RawInit};
use source::{Diagnostic, Diagnostics, Span};

/// Checks a file and lowers it. There is a model only if there is no error.
pub(crate) fn lower(file: &ast::File, out: &mut Diagnostics) -> Option<Model> {
    let mut env = Environment::collect(file, out);
    name_rules(&mut env, file, out);
    let mut lowering = FileLowering::new(&env, out);
    for item in file.items() {
        lowering.item(&item);
    }
    let model = lowering.finish(file);
    env.report_unused(out);
    (!out.has_errors()).then_some(model)
}

/// Transitions are known before anything that may refer to them.
fn name_rules(env: &mut Environment, file: &ast::File, out: &mut Diagnostics) {
    let transitions = file.items().filter_map(|item| match item {
        Item::Transition(transition) => Some(transition.name()),
        _ => None,
    });
    let mut places: Vec<Span> = Vec::new();
    for (at, name) in transitions.enumerate() {
        let text = name.as_ref().map_or(String::new(), ast::Name::text);
        places.push(name.map_or(Span::empty(0.into()), |name| name.span()));
        let same = env.rules.entry(text.clone()).or_default();
        if let Some(first) = same.first() {
            out.push(
                Diagnostic::warning(
                    "duplicate-transition-name",
                    places[at],
                    format!("two transitions are called `{text}`"),
                )
                .label("the second")
                .also(places[first.index()], "the first"),
            );
        }
        same.push(RuleId::from_index(at));
    }
}

/// Lowers the items of a file one after the other.
struct FileLowering<'a> {
    env: &'a Environment,
    out: &'a mut Diagnostics,
    model: Model,
    inits: Vec<RawInit>,
    /// How many of each kind were declared, for the names of those without one.
    numbers: [usize; 3],
    property_names: Vec<(String, Span)>,
}

impl<'a> FileLowering<'a> {
    fn new(env: &'a Environment, out: &'a mut Diagnostics) -> FileLowering<'a> {
        let model = Model {
            max_processes: env.max_processes,
            named_processes: 0,
            enums: env.enums.clone(),
            abstract_types: env.abstract_types.clone(),
            kinds: kinds(env),
            symbols: env.symbols.clone(),
            outsiders: vec![],
            init: vec![],
            assumptions: vec![],
            rules: vec![],
            transitions: vec![],
            properties: vec![],
            temporal: vec![],
            threads: threads(env),
        };
        FileLowering { env, out, model, inits: vec![], numbers: [0; 3], property_names: vec![] }
    }

    fn item(&mut self, item: &Item) {
        let named = &mut self.model.named_processes;
        match item {
            Item::Init(init) => self.inits.push(items::init(self.env, init, self.out, named)),
            Item::Unsafe(item) => {
                let (name, params, block) = (item.name(), item.params(), item.block());
                self.property(PropertyItem {
                    kind: PropertyKind::Unsafe,
                    name,
                    params,
                    block,
                    at: item.span(),
                });
            }
            Item::Invariant(item) => {
                let (name, params, block) = (item.name(), item.params(), item.block());
                self.property(PropertyItem {
                    kind: PropertyKind::Invariant,
                    name,
                    params,
                    block,
                    at: item.span(),
                });
            }
            Item::Assume(item) => {
                let (name, params, block) = (item.name(), item.params(), item.block());
                self.property(PropertyItem {
                    kind: PropertyKind::Assumption,
                    name,
                    params,
                    block,
                    at: item.span(),
                });
            }
            Item::Transition(item) => {
                let id = RuleId::from_index(self.model.rules.len());
                let lowered = transitions::transition(self.env, item, id, self.out, named);
                self.model.rules.push(lowered.rule);
                self.model.transitions.extend(lowered.transitions);
                self.model.properties.extend(lowered.violations);
            }
            Item::PredicateDecl(item) => items::predicate(self.env, item, self.out),
            Item::Ltl(item) => {
                let temporal = items::temporal(self.env, item, self.out, named);
                self.model.temporal.extend(temporal);
                self.check_property_name(item.name());
            }
            Item::NumberProcs(_) | Item::TypeDecl(_) | Item::SymbolDecl(_) => {}
        }
    }

    fn property(&mut self, item: PropertyItem) {
        self.check_property_name(item.name.clone());
        let number = match item.kind {
            PropertyKind::Unsafe => &mut self.numbers[0],
            PropertyKind::Invariant => &mut self.numbers[1],
            _ => &mut self.numbers[2],
        };
        *number += 1;
        let property = items::property(self.env, item, *number, self.out, &mut self.model.named_processes);
        if property.kind == PropertyKind::Assumption {
            self.model.assumptions.push(property);
        } else {
            self.model.properties.push(property);
        }
    }

    /// Reports name properties, so a name belongs to one of them only.
    fn check_property_name(&mut self, name: Option<ast::Name>) {
        let Some(name) = name else { return };
        if let Some((_, first)) = self.property_names.iter().find(|(known, _)| *known == name.text()) {
            self.out.push(environment::duplicate(&name.text(), "property", name.span(), *first));
        }
        self.property_names.push((name.text(), name.span()));
    }

    /// What needs all items.
    fn finish(mut self, file: &ast::File) -> Model {
        self.check_inits(file);
        self.check_weak_declarations(file);
        self.separate_assumptions();
        outsiders::resolve(&mut self.model, std::mem::take(&mut self.inits));
        outsiders::forbid_misuse(&mut self.model);
        number_violations(&mut self.model.properties);
        self.model
    }

    fn check_inits(&mut self, file: &ast::File) {
        if self.inits.is_empty() {
            // Points at the end of the first line at most: the whole file is no place.
            let at = Span::empty(file.span().end());
            self.out.push(
                Diagnostic::error("missing-init", at, "the model has no `init`")
                    .help("the initial states are described by `init (i) { … }`"),
            );
            return;
        }
        self.check_semaphores();
        let contradicts = |init: &RawInit| !consistency::satisfiable(self.env, &init.formula, &[]);
        if self.inits.iter().all(contradicts) {
            self.out.push(
                Diagnostic::warning("unsatisfiable-init", self.inits[0].at, "no state satisfies `init`")
                    .label("this contradicts itself")
                    .help("the model has no run, so every property holds vacuously"),
            );
        }
    }

    /// The start value of a semaphore must be given, and not negative.
    fn check_semaphores(&mut self) {
        let locks = self.env.threads.iter().flat_map(|threads| &threads.locks);
        for lock in locks.filter(|lock| lock.kind == LockKind::Semaphore) {
            let at = self.env.symbols[lock.state.index()].at.0;
            for init in &self.inits {
                let Ok(disjuncts) = crate::ir::disjuncts(&init.formula, 4096) else { continue };
                let values: Vec<Option<Term>> =
                    disjuncts.iter().map(|literals| value_of(lock.state, literals)).collect();
                if values.iter().any(Option::is_none) {
                    self.out.push(
                        Diagnostic::error(
                            "semaphore-without-value",
                            at,
                            format!("the semaphore `{}` has no start value", lock.name),
                        )
                        .also(init.at, format!("say `{} = …` here", lock.name)),
                    );
                }
                let negative = |value: &Option<Term>| {
                    value
                        .as_ref()
                        .and_then(Term::as_number)
                        .is_some_and(|number| number < crate::ir::Number::ZERO)
                };
                if values.iter().any(negative) {
                    self.out.push(
                        Diagnostic::error(
                            "negative-semaphore",
                            at,
                            format!("the semaphore `{}` starts below 0", lock.name),
                        )
                        .also(init.at, "given here"),
                    );
                }
            }
        }
    }

    /// In a weak model processes communicate through weak symbols only.
    fn check_weak_declarations(&mut self, file: &ast::File) {
        if !self.env.weak {
            return;
        }
        for item in file.items() {
            let Item::SymbolDecl(item) = item else { continue };
            let (Some(name), Some(value)) = (item.name(), item.value()) else { continue };
            if item.class() == ast::SymbolClass::Variable && item.weak().is_none() {
                self.out.push(
                    Diagnostic::error("plain-variable-in-weak-model", name.span(), format!("the variable `{}` is not weak", name.text()))
                        .label("shared by all processes, but not in memory")
                        .help("proofs order events by memory alone, which is complete only when processes communicate through weak symbols")
                        .fix(Span::empty(item.span().start()), "weak ", "declare it as"),
                );
            }
            if matches!(value.text().as_str(), "lock" | "rlock" | "condition" | "semaphore")
                && self.env.threads.is_some()
            {
                self.out.push(
                    Diagnostic::error(
                        "locks-in-weak-model",
                        name.span(),
                        "locks and weak symbols cannot be in one model yet",
                    )
                    .label("a lock"),
                );
            }
        }
    }

    /// An `invariant` over symbols that nothing ever changes or starts is an assumption about the instance.
    fn separate_assumptions(&mut self) {
        let rigid = |symbol: SymbolId| {
            let assigned =
                self.model.transitions.iter().flat_map(|t| &t.updates).any(|update| update.symbol == symbol);
            let started = self.inits.iter().any(|init| init.formula.mentions(symbol));
            !assigned && !started
        };
        let symbols = |property: &Property| {
            let mut found = Vec::new();
            property.formula.each_term(&mut |term| found.extend(term.symbol()));
            found
        };
        let is_assumption = |property: &Property| {
            let symbols = symbols(property);
            property.kind == PropertyKind::Invariant
                && !symbols.is_empty()
                && symbols.iter().all(|symbol| rigid(*symbol))
        };
        for assumption in &self.model.assumptions {
            if let Some(symbol) = symbols(assumption).into_iter().find(|symbol| !rigid(*symbol)) {
                let name = &self.env.symbols[symbol.index()].name;
                self.out.push(
                    Diagnostic::error("assumption-about-variable", assumption.at.0, format!("`{name}` is no part of the instance"))
                        .label("only symbols that no transition assigns and `init` does not mention can be assumed about")
                        .help("what should hold in every reachable state is an `invariant`"),
                );
            }
        }
        let (assumed, claimed) =
            std::mem::take(&mut self.model.properties).into_iter().partition(is_assumption);
        self.model.properties = claimed;
        for mut property in assumed {
            self.out.push(
                Diagnostic::note("assumed-invariant", property.at.0, format!("`{}` is assumed, not checked", property.name))
                    .label("nothing assigns these symbols and `init` does not mention them: this restricts the instance")
                    .help("`assume` says so explicitly"),
            );
            property.kind = PropertyKind::Assumption;
            self.model.assumptions.push(property);
        }
    }
}

/// The value that a disjunct of `init` gives to a symbol.
fn value_of(symbol: SymbolId, literals: &[Formula]) -> Option<Term> {
    literals.iter().find_map(|literal| match literal {
        Formula::Compare(Relation::Eq, left, right) if left.symbol() == Some(symbol) => Some(right.clone()),
        Formula::Compare(Relation::Eq, left, right) if right.symbol() == Some(symbol) => Some(left.clone()),
        Formula::Quantified { quantifier: crate::ir::Quantifier::Forall, body, .. } => {
            value_of(symbol, body.conjuncts())
        }
        _ => None,
    })
}

/// Misuse and range violations have no name of their own.
fn number_violations(properties: &mut [Property]) {
    let (mut misuses, mut ranges) = (0, 0);
    for property in properties {
        let (word, number) = match property.kind {
            PropertyKind::Misuse => ("misuse", &mut misuses),
            PropertyKind::Range => ("range", &mut ranges),
            _ => continue,
        };
        *number += 1;
        property.name = format!("{word}{number}");
    }
}

fn kinds(env: &Environment) -> Option<Kinds> {
    let of_process = env.kind_symbol?;
    match env.symbols[of_process.index()].sort {
        Sort::Enum(kinds) => Some(Kinds { kinds, of_process }),
        _ => None,
    }
}

fn threads(env: &Environment) -> Option<Threads> {
    env.threads.as_ref().map(|table| Threads {
        locks: table.locks.clone(),
        blocked: table.blocked,
        reasons: table.reasons.clone(),
        blocked_at: table.blocked_at,
        nobody: threads::NOBODY,
    })
}
