//! From the syntax tree to the typed form: names, types, static rules, lowering.

mod arithmetic;
mod assignments;
mod calls;
mod comparisons;
mod conflict;
mod consistency;
mod context;
mod counts;
mod declarations;
mod domains;
mod elaborate;
mod environment;
mod expansion;
mod items;
mod locks;
mod memory;
mod messages;
mod names;
mod open_start;
mod outsiders;
mod params;
mod places;
mod predicates;
mod primitives;
mod scope;
mod temporal;
mod threads;
mod transitions;
mod types;
mod vacuous;
mod values;
mod variables;
mod whole_file;

use crate::{
    Queues,
    syntax::{
        Parse,
        ast::{self, AstNode, Item},
    },
};
use consistency::Looker;
use environment::Environment;
use ir::{
    Kinds, LoneExpression, LoneFormula, LoneTemporal, Model, Property, PropertyKind, RuleId, Sort, Threads,
};
use items::{Declared, PropertyItem, RawInit};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Diagnostics, Span};
use whole_file::WholeFile;

/// Checks a file and lowers it. There is a model only if there is no error.
pub(crate) fn lower(file: &ast::File, queues: Queues, out: &mut Diagnostics) -> Option<Model> {
    let well_formed = !out.has_errors();
    let mut env = Environment::collect(file, queues, out);
    env.well_formed = well_formed;
    name_rules(&mut env, file, out);
    let mut lowering = FileLowering::new(&env, out);
    for item in file.items() {
        lowering.item(&item);
    }
    let model = lowering.finish(file);
    if !out.has_errors() {
        env.report_unused(out);
    }
    (!out.has_errors()).then_some(model)
}

/// The context of a formula that is not part of a file: the declarations of a model.
#[derive(Clone, Copy)]
pub(crate) struct Words<'f> {
    pub(crate) file: &'f ast::File,
    pub(crate) queues: Queues,
    /// The number of processes with names; `None` to use that of the file.
    pub(crate) processes: Option<u32>,
}

/// A formula that is not part of a file, in the language of that file. The messages are about the formula.
pub(crate) fn formula(words: Words<'_>, parse: &Parse, out: &mut Diagnostics) -> Option<LoneFormula> {
    lone(words, parse, out, "expected a formula, found nothing", items::lone_formula)
}

/// The same for a temporal formula.
pub(crate) fn temporal(words: Words<'_>, parse: &Parse, out: &mut Diagnostics) -> Option<LoneTemporal> {
    let env = environment(words, out);
    let body = parse.tree.children().find_map(ast::LtlBody::cast)?;
    temporal::lone_temporal(&env, &body, out)
}

/// The same for a formula or a term.
pub(crate) fn expression(words: Words<'_>, parse: &Parse, out: &mut Diagnostics) -> Option<LoneExpression> {
    lone(words, parse, out, "expected a formula or a term, found nothing", items::lone_expression)?
}

fn lone<T>(
    words: Words<'_>,
    parse: &Parse,
    out: &mut Diagnostics,
    nothing: &str,
    lower: impl FnOnce(&Environment, &ast::Expr, &mut Diagnostics) -> T,
) -> Option<T> {
    let well_formed = !out.has_errors();
    let env = environment(words, out);
    let Some(expr) = parse.tree.children().find_map(ast::Expr::cast) else {
        if well_formed {
            out.push(Diagnostic::error("expected-formula", Span::empty(0.into()), nothing));
        }
        return None;
    };
    Some(lower(&env, &expr, out))
}

/// What the names of a file mean, for a text that is not part of it.
fn environment(words: Words<'_>, out: &Diagnostics) -> Environment {
    let mut env = Environment::collect(words.file, words.queues, &mut Diagnostics::default());
    env.well_formed = !out.has_errors();
    env.max_processes = words.processes.or(env.max_processes);
    name_rules(&mut env, words.file, &mut Diagnostics::default());
    env
}

/// Collects the names of transitions, before anything that may refer to them is lowered.
fn name_rules(env: &mut Environment, file: &ast::File, out: &mut Diagnostics) {
    let transitions = file.items().filter_map(|item| match item {
        Item::Transition(transition) => Some(transition),
        _ => None,
    });
    let mut places: Vec<Span> = Vec::new();
    for (at, transition) in transitions.enumerate() {
        env.rule_params.push(transition.params().map_or(0, |params| params.iter().count()));
        let name = transition.name();
        let text = name.as_ref().map_or(String::new(), ast::Name::text);
        places.push(name.map_or(Span::empty(0.into()), |name| name.span()));
        let same = env.rules.entry(text.clone()).or_default();
        if let Some(first) = same.first().filter(|_| !text.is_empty()) {
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
    declared: Vec<Declared>,
    /// The number of properties of each kind so far, to name those without a name.
    numbers: [usize; 3],
    property_names: FxHashMap<String, Span>,
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
            finals: vec![],
            temporal: vec![],
            threads: threads(env),
            buffers: None,
        };
        FileLowering {
            env,
            out,
            model,
            inits: vec![],
            declared: vec![],
            numbers: [0; 3],
            property_names: FxHashMap::default(),
        }
    }

    fn item(&mut self, item: &Item) {
        let named = &mut self.model.named_processes;
        match item {
            Item::Init(init) => self.inits.push(items::init(self.env, init, self.out, named)),
            Item::Unsafe(item) => self.property(PropertyItem {
                kind: PropertyKind::Unsafe,
                name: item.name(),
                params: item.params(),
                block: item.block(),
                at: item.span(),
            }),
            Item::Invariant(item) => self.property(PropertyItem {
                kind: PropertyKind::Invariant,
                name: item.name(),
                params: item.params(),
                block: item.block(),
                at: item.span(),
            }),
            Item::Assume(item) => self.property(PropertyItem {
                kind: PropertyKind::Assumption,
                name: item.name(),
                params: item.params(),
                block: item.block(),
                at: item.span(),
            }),
            Item::Transition(item) => {
                let id = RuleId::from_index(self.model.rules.len());
                let lowered = transitions::transition(self.env, item, id, self.out, named);
                self.model.rules.push(lowered.rule);
                self.model.transitions.extend(lowered.transitions);
                self.model.properties.extend(lowered.violations);
            }
            Item::PredicateDecl(item) => items::predicate(self.env, item, self.out),
            Item::Final(item) => self.model.finals.push(items::final_states(self.env, item, self.out, named)),
            Item::Ltl(item) => {
                let temporal = temporal::temporal(self.env, item, self.out, named);
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
        let declared = items::property(self.env, item, *number, self.out, &mut self.model.named_processes);
        self.declared.push(declared);
    }

    /// Checks that names of properties are unique, since reports identify properties by name.
    fn check_property_name(&mut self, name: Option<ast::Name>) {
        let Some(name) = name else { return };
        if let Some(first) = self.property_names.insert(name.text(), name.span()) {
            self.out.push(messages::duplicate(&name.text(), "property", name.span(), first));
        }
    }

    /// The checks and steps that need all items.
    fn finish(mut self, file: &ast::File) -> Model {
        let inits = std::mem::take(&mut self.inits);
        let mut checks = WholeFile { env: self.env, out: self.out, model: &mut self.model, inits: &inits };
        checks.check(file, std::mem::take(&mut self.declared));
        if outsiders::resolve(&mut self.model, &inits, self.out) {
            outsiders::forbid_misuse(&mut self.model);
            self.warn_of_no_run(&inits);
        }
        number_violations(&mut self.model.properties);
        self.model
    }
}

impl FileLowering<'_> {
    /// Warns about vacuous models: every property holds in a model without a run.
    fn warn_of_no_run(&mut self, inits: &[RawInit]) {
        let looker = Looker { env: self.env, ranges: true };
        vacuous::check_inits(looker, &self.model, inits, self.out);
        if !self.out.has_errors() {
            open_start::check(&self.model, inits, self.out);
            vacuous::check_assumptions(looker, &self.model, self.out);
        }
    }
}

/// Numbers misuse and range violations, which have no names in the source.
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
        before: table.before,
        nobody: threads::NOBODY,
    })
}
