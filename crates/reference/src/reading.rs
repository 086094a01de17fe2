//! From the parsed tree to plain data: declarations and items (section 2).

use crate::{
    scope::{Mention, Scope},
    state::Value,
    tree::{Claim, Init, LockType, Param, Phrase, Program, Property, Quoted, Rule, Symbol, Type},
};
use model::syntax::{
    SyntaxKind,
    ast::{self, Expr, Item},
    parse_file,
};
use std::{
    cell::Cell,
    collections::{BTreeSet, HashMap},
};

/// The declared names of a file.
#[derive(Debug)]
pub struct Names {
    types: HashMap<String, Type>,
    pub constructors: HashMap<String, Value>,
    pub symbols: HashMap<String, usize>,
    /// Parameters and body.
    pub predicates: HashMap<String, (Vec<String>, Expr)>,
    /// The largest `#k` that occurs. A predicate that is never used does not count: it stands for no text.
    pub largest: Cell<usize>,
}

/// Reads a text without errors.
pub fn read(text: &str) -> Program {
    let parse = parse_file(text);
    assert!(parse.errors.is_empty(), "{:?}", parse.errors);
    let items: Vec<Item> = parse.file().items().collect();
    let mut program = Program::default();
    let mut names = Names::predeclared();
    // Declarations may be in any order, so types are read before symbols, and symbols before the rest.
    items.iter().for_each(|item| names.declare_type(item, &mut program));
    items.iter().for_each(|item| names.declare_symbol(item, &mut program));
    items.iter().for_each(|item| names.read_item(item, &mut program));
    program.named = names.largest.get();
    mark_assumptions(&mut program);
    program
}

impl Names {
    fn predeclared() -> Names {
        let lock = |name: &str, lock| (name.to_owned(), Type::Lock(lock));
        let types = [
            ("bool".to_owned(), Type::Truth),
            ("int".to_owned(), Type::Whole(None)),
            ("real".to_owned(), Type::Real),
            ("proc".to_owned(), Type::Process(None)),
            lock("lock", LockType::Lock),
            lock("rlock", LockType::Reentrant),
            lock("condition", LockType::Condition),
            lock("semaphore", LockType::Semaphore),
        ];
        let truths = [("True", true), ("False", false)];
        Names {
            types: types.into_iter().collect(),
            constructors: truths.map(|(name, truth)| (name.to_owned(), Value::Truth(truth))).into(),
            symbols: HashMap::new(),
            predicates: HashMap::new(),
            largest: Cell::new(0),
        }
    }

    /// A declared type hides a predeclared one.
    fn declare_type(&mut self, item: &Item, program: &mut Program) {
        match item {
            Item::NumberProcs(item) => {
                let number = item.number().expect("a number");
                program.most = Some(number.text().parse().expect("a number"));
            }
            Item::TypeDecl(item) => {
                let declared = self.declared_type(item, program);
                self.types.insert(item.name().expect("a name").text(), declared);
            }
            _ => {}
        }
    }

    fn declared_type(&mut self, item: &ast::TypeDecl, program: &mut Program) -> Type {
        if let Some(body) = item.constructors() {
            let number = self.types.len();
            let constructors: Vec<_> =
                body.constructors().map(|c| c.name().expect("a name").text()).collect();
            let size = constructors.len();
            let values = constructors.into_iter().enumerate();
            self.constructors.extend(values.map(|(at, name)| (name, Value::Constructor(number, at))));
            Type::Enumeration { number, constructors: size }
        } else if item.kind().is_some() {
            program.kinds.push(item.name().expect("a name").text());
            Type::Process(Some(program.kinds.len() - 1))
        } else if let Some(range) = item.range() {
            let bound = |(negative, digits): &(bool, model::syntax::SyntaxToken)| {
                let number: i64 = digits.text().parse().expect("a number");
                if *negative { -number } else { number }
            };
            let bounds: Vec<i64> = range.bounds().iter().map(bound).collect();
            Type::Whole(Some((bounds[0], bounds[1])))
        } else {
            program.abstracts += 1;
            Type::Abstract(program.abstracts - 1)
        }
    }

    fn declare_symbol(&mut self, item: &Item, program: &mut Program) {
        match item {
            Item::SymbolDecl(item) => {
                let name = item.name().expect("a name").text();
                let arity = item.indices().map_or(0, |indices| indices.sorts().count());
                let of = self.types[&item.value().expect("a type").text()];
                self.symbols.insert(name.clone(), program.symbols.len());
                let weak = item.weak().is_some();
                program.symbols.push(Symbol { name, arity, of, weak });
                program.weak |= weak;
            }
            Item::PredicateDecl(item) => {
                let params = item.params().into_iter().flat_map(|params| params.names());
                let params = params.map(|name| name.text()).collect();
                let body = item.block().and_then(|block| block.formula()).expect("a body");
                self.predicates.insert(item.name().expect("a name").text(), (params, body));
            }
            _ => {}
        }
    }

    fn read_item(&self, item: &Item, program: &mut Program) {
        match item {
            Item::Init(item) => {
                let mut scope = Scope::new(self);
                let params = self.params(item.params(), &mut scope);
                let formula = formula(item.block(), &scope);
                program.inits.push(Init { params, formula, mentioned: scope.mentioned.take() });
            }
            Item::Unsafe(item) => {
                self.read_property(Claim::Unsafe, item.name(), item.params(), item.block(), program);
            }
            Item::Invariant(item) => {
                self.read_property(Claim::Invariant, item.name(), item.params(), item.block(), program);
            }
            Item::Assume(item) => {
                self.read_property(Claim::Assumption, item.name(), item.params(), item.block(), program);
            }
            Item::Transition(item) => program.rules.push(self.rule(item)),
            Item::Final(item) => program.finals.push(formula(item.block(), &Scope::new(self))),
            Item::Ltl(item) => self.temporal(item, program),
            _ => {}
        }
    }

    fn read_property(
        &self,
        claim: Claim,
        name: Option<ast::Name>,
        params: Option<ast::Params>,
        block: Option<ast::Block>,
        program: &mut Program,
    ) {
        let mut scope = Scope::new(self);
        let params = self.params(params, &mut scope);
        let same = program.properties.iter().filter(|property| property.claim == claim).count();
        let name = name.map_or_else(|| format!("{claim:?}{}", same + 1).to_lowercase(), |name| name.text());
        let formula = formula(block, &scope);
        let mentioned = scope.mentioned.take();
        program.properties.push(Property { claim, name, params, formula, mentioned });
    }

    fn rule(&self, item: &ast::Transition) -> Rule {
        let mut scope = Scope::new(self);
        let params = self.params(item.params(), &mut scope);
        let roles: Vec<_> = item.params().into_iter().flat_map(|params| params.iter()).collect();
        let actor = roles.iter().position(|role| role.actor).map(|at| params[at].variable);
        scope.actor = actor;
        let guard = formula(item.requires().and_then(|requires| requires.block()), &scope);
        let mentioned = scope.mentioned.clone();
        let (updates, primitive) = item.body().map_or((vec![], None), |body| scope.body(&body));
        let symbol = |mention: &Mention| match mention {
            Mention::Symbol(symbol) => Some(*symbol),
            Mention::LockState => None,
        };
        let reads = mentioned.borrow().iter().filter_map(symbol).collect();
        Rule { name: item.name().expect("a name").text(), params, actor, guard, updates, primitive, reads }
    }

    /// Temporal properties are not checked here, but the processes that they name must exist, and their formulas must
    /// not misuse an outsider.
    fn temporal(&self, item: &ast::Ltl, program: &mut Program) {
        let mut scope = Scope::new(self);
        let params = self.params(item.params(), &mut scope);
        for atom in item.body().into_iter().flat_map(|body| body.atoms()) {
            let name = item.name().expect("a name").text();
            program.quoted.extend(atom.formula().map(|formula| Quoted {
                name,
                params: params.clone(),
                formula: scope.phrase(&formula),
            }));
            let arguments = atom.take().and_then(|take| take.arguments());
            for token in arguments.into_iter().flat_map(|list| list.processes()).filter_map(|p| p.token()) {
                if token.kind() == SyntaxKind::ProcessConstant {
                    scope.name(&token);
                }
            }
        }
    }

    fn params(&self, params: Option<ast::Params>, scope: &mut Scope<'_>) -> Vec<Param> {
        let mut found = Vec::new();
        for role in params.into_iter().flat_map(|params| params.iter()) {
            let variable = scope.bind(&role.param.name().expect("a name").text());
            let kind = role.param.kind().and_then(|kind| match self.types[&kind.text()] {
                Type::Process(kind) => kind,
                _ => None,
            });
            found.push(Param { variable, kind });
        }
        scope.params = found.iter().map(|param| param.variable).collect();
        found
    }
}

fn formula(block: Option<ast::Block>, scope: &Scope<'_>) -> Phrase {
    block.and_then(|block| block.formula()).map_or(Phrase::TRUE, |formula| scope.phrase(&formula))
}

/// Section 2: an invariant over symbols that no transition assigns and that `init` does not mention
/// is an assumption. The state of locks changes by itself, and without symbols it is about nothing.
fn mark_assumptions(program: &mut Program) {
    let rigid: BTreeSet<Mention> = (0..program.symbols.len())
        .filter(|symbol| never_changes(program, *symbol))
        .map(Mention::Symbol)
        .collect();
    for property in program.properties.iter_mut().filter(|property| property.claim == Claim::Invariant) {
        if !property.mentioned.is_empty() && property.mentioned.is_subset(&rigid) {
            property.claim = Claim::Assumption;
        }
    }
}

fn never_changes(program: &Program, symbol: usize) -> bool {
    let assigned = |rule: &Rule| {
        rule.updates.iter().any(|update| update.symbol == symbol)
            || rule.primitive.as_ref().is_some_and(|primitive| primitive.symbol == symbol)
    };
    let mentioned = |init: &Init| init.mentioned.contains(&Mention::Symbol(symbol));
    !program.rules.iter().any(assigned) && !program.inits.iter().any(mentioned)
}
