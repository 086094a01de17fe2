//! Names in scope, terms and formulas, and the substitution of predicates without capture (sections 2 to 4).

use crate::{
    number::Ratio,
    reading::Names,
    state::Value,
    tree::{Phrase, Quantified, Question, Relation, Variable},
};
use model::syntax::{
    SyntaxKind, SyntaxToken,
    ast::{self, Expr},
};
use std::{
    cell::{Cell, RefCell},
    collections::{BTreeSet, HashMap},
    rc::Rc,
};

/// The meaning of lower-case names at some point in an item.
#[derive(Clone)]
pub struct Scope<'n> {
    file: &'n Names,
    pub names: HashMap<String, Phrase>,
    /// The variables that `_other` excludes: the parameters of the item, also within a predicate that it calls.
    pub params: Vec<Variable>,
    /// The actor of the transition, whose reads and fences these are.
    pub actor: Option<Variable>,
    /// The number of the next variable; shared by all scopes of an item.
    next: Rc<Cell<Variable>>,
    /// What the text of the item mentions, including arguments that a predicate ignores.
    pub mentioned: Rc<RefCell<BTreeSet<Mention>>>,
}

/// A symbol, or the state of locks, that a text mentions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mention {
    Symbol(usize),
    /// `free(L)`, `active(i)` and the like.
    LockState,
}

impl<'n> Scope<'n> {
    pub fn new(file: &'n Names) -> Scope<'n> {
        Scope {
            file,
            names: HashMap::new(),
            params: Vec::new(),
            actor: None,
            next: Rc::default(),
            mentioned: Rc::default(),
        }
    }

    /// A new process variable.
    pub fn bind(&mut self, name: &str) -> Variable {
        let variable = self.next.get();
        self.next.set(variable + 1);
        self.names.insert(name.to_owned(), Phrase::Variable(variable));
        variable
    }

    /// Resolves a term or a formula in this scope.
    pub fn phrase(&self, expr: &Expr) -> Phrase {
        let boxed = |expr: Option<Expr>| Box::new(self.phrase(&expr.expect("an operand")));
        match expr {
            Expr::Literal(literal) => literal_value(&literal.token().expect("a token")),
            Expr::NameExpr(name) => self.name(&name.token().expect("a token")),
            Expr::IndexExpr(cell) => {
                let (symbol, indices) = self.location(cell);
                Phrase::Read(symbol, indices)
            }
            Expr::AtExpr(at) => self.read_by(at),
            Expr::CallExpr(call) => self.call(call),
            Expr::Wildcard(_) => unreachable!("only `count` takes `_`"),
            Expr::ParenExpr(paren) => self.phrase(&paren.inner().expect("something")),
            Expr::NotExpr(not) => Phrase::Not(boxed(not.operand())),
            Expr::NegExpr(neg) => Phrase::Sum(vec![(true, *boxed(neg.operand()))]),
            Expr::ImpliesExpr(implies) => {
                let mut sides = implies.operands();
                Phrase::Implies(boxed(sides.next()), boxed(sides.next()))
            }
            Expr::IffExpr(iff) => {
                let mut sides = iff.operands();
                Phrase::Iff(boxed(sides.next()), boxed(sides.next()))
            }
            Expr::OrExpr(or) => Phrase::Or(or.operands().map(|part| self.phrase(&part)).collect()),
            Expr::AndExpr(and) => Phrase::And(and.operands().map(|part| self.phrase(&part)).collect()),
            Expr::CompareExpr(compare) => self.comparison(compare),
            Expr::SumExpr(sum) => {
                let summands = sum.summands().into_iter();
                Phrase::Sum(summands.map(|(minus, part)| (minus, self.phrase(&part))).collect())
            }
            Expr::ProductExpr(product) => self.product(product),
            Expr::IfExpr(conditional) => {
                let mut parts = conditional.parts();
                Phrase::If(boxed(parts.next()), boxed(parts.next()), boxed(parts.next()))
            }
            Expr::QuantifiedExpr(quantified) => self.quantified(quantified),
        }
    }

    pub fn name(&self, token: &SyntaxToken) -> Phrase {
        let text = token.text();
        if let Some(digits) = text.strip_prefix('#') {
            let process: usize = digits.parse().expect("a number");
            self.file.largest.set(self.file.largest.get().max(process));
            return Phrase::Value(Value::Process(process - 1));
        }
        let local = || self.names.get(text).cloned();
        let symbol = || self.symbol(text).map(|symbol| Phrase::Read(symbol, vec![]));
        let constructor = || self.file.constructors.get(text).map(|value| Phrase::Value(*value));
        let size = || (text == "SYS_PROCS").then_some(Phrase::ProcessCount);
        local().or_else(symbol).or_else(constructor).or_else(size).unwrap_or_else(|| panic!("unknown {text}"))
    }

    fn symbol(&self, name: &str) -> Option<usize> {
        let symbol = self.file.symbols.get(name).copied();
        self.mentioned.borrow_mut().extend(symbol.map(Mention::Symbol));
        symbol
    }

    /// `i@X` is what `i` would read. Only the outermost location: indices inside have readers of their own.
    fn read_by(&self, at: &ast::AtExpr) -> Phrase {
        let reader = self.name(&at.reader().and_then(|reader| reader.token()).expect("a reader"));
        match self.phrase(&at.location().expect("a location")) {
            Phrase::Read(symbol, indices) => Phrase::ReadBy(Box::new(reader), symbol, indices),
            other => panic!("{other:?} is no location"),
        }
    }

    fn location(&self, cell: &ast::IndexExpr) -> (usize, Vec<Phrase>) {
        let array = cell.array().and_then(|array| array.token()).expect("an array");
        let indices = cell.list().into_iter().flat_map(|list| list.indices());
        (self.symbol(array.text()).expect("an array"), indices.map(|index| self.phrase(&index)).collect())
    }

    /// A quotient is a share of the processes: it has no other meaning (section 3).
    fn product(&self, product: &ast::ProductExpr) -> Phrase {
        let factors: Vec<(bool, Phrase)> =
            product.factors().into_iter().map(|(divides, part)| (divides, self.phrase(&part))).collect();
        match factors.as_slice() {
            [(_, over), (true, under)] => Phrase::Share(Box::new(over.clone()), Box::new(under.clone())),
            _ => Phrase::Product(factors.into_iter().map(|(_, factor)| factor).collect()),
        }
    }

    fn comparison(&self, compare: &ast::CompareExpr) -> Phrase {
        let mut sides = compare.operands().map(|side| Box::new(self.phrase(&side)));
        let left = sides.next().expect("a left side");
        if let Some(case) = compare.case() {
            return self.equals_case(&left, &case);
        }
        let relation = match compare.operator().expect("an operator").kind() {
            SyntaxKind::Eq => Relation::Eq,
            SyntaxKind::Neq => Relation::Neq,
            SyntaxKind::Lt => Relation::Lt,
            SyntaxKind::Le => Relation::Le,
            SyntaxKind::Gt => Relation::Gt,
            _ => Relation::Ge,
        };
        Phrase::Compare(relation, left, sides.next().expect("a right side"))
    }

    /// Section 5: the equation of the first arm that applies; true if none does.
    fn equals_case(&self, left: &Phrase, case: &ast::Case) -> Phrase {
        let arms: Vec<ast::Arm> = case.arms().collect();
        arms.iter().rev().fold(Phrase::TRUE, |otherwise, arm| {
            let condition = arm.condition().map_or(Phrase::TRUE, |condition| self.phrase(&condition));
            let value = self.phrase(&arm.value().expect("a value"));
            let equation = Phrase::Compare(Relation::Eq, Box::new(left.clone()), Box::new(value));
            Phrase::If(Box::new(condition), Box::new(equation), Box::new(otherwise))
        })
    }

    fn quantified(&self, quantified: &ast::QuantifiedExpr) -> Phrase {
        let word = quantified.quantifier().expect("a quantifier").kind();
        let mut inner = self.clone();
        let names = quantified.variables().into_iter().flat_map(|variables| variables.names());
        let variables = names.map(|name| inner.bind(&name.text())).collect();
        let other = matches!(word, SyntaxKind::ForallOtherKw | SyntaxKind::ExistsOtherKw);
        Phrase::Quantified(Box::new(Quantified {
            universal: matches!(word, SyntaxKind::ForallKw | SyntaxKind::ForallOtherKw),
            variables,
            apart_from: if other { self.params.clone() } else { vec![] },
            body: inner.phrase(&quantified.body().expect("a body")),
        }))
    }

    /// A predicate, else something built in: a predicate of that name wins (section 7).
    fn call(&self, call: &ast::CallExpr) -> Phrase {
        let name = call.name().expect("a name").text();
        let arguments: Vec<Expr> = call.arguments().into_iter().flat_map(|list| list.arguments()).collect();
        if let Some((params, body)) = self.file.predicates.get(&name) {
            let arguments = arguments.iter().map(|argument| self.phrase(argument));
            let names = params.iter().cloned().zip(arguments).collect();
            return Scope { names, ..self.clone() }.phrase(body);
        }
        let argument = |at: usize| Some(Box::new(self.phrase(&arguments[at])));
        if !matches!(name.as_str(), "fence" | "count") {
            self.mentioned.borrow_mut().insert(Mention::LockState);
        }
        match name.as_str() {
            "fence" => Phrase::Fence(self.actor.expect("a fence is one of an actor")),
            "count" => self.count(&arguments),
            "free" => Phrase::Asks(Question::Free, argument(0), None),
            "owner" => Phrase::Asks(Question::Owner, argument(0), argument(1)),
            "waiting" => Phrase::Asks(Question::Waiting, argument(0), argument(1)),
            "sleeping" => Phrase::Asks(Question::Sleeping, argument(0), argument(1)),
            "active" => Phrase::Asks(Question::Active, None, argument(0)),
            _ => panic!("unknown {name}"),
        }
    }

    fn count(&self, arguments: &[Expr]) -> Phrase {
        let Phrase::Read(symbol, row) = self.phrase(&arguments[0]) else { panic!("`count` of no array") };
        let value = match &arguments[1] {
            Expr::Wildcard(_) => None,
            value => Some(Box::new(self.phrase(value))),
        };
        Phrase::Count { symbol, row, value }
    }
}

fn literal_value(token: &SyntaxToken) -> Phrase {
    Phrase::Value(match token.kind() {
        SyntaxKind::TrueKw => Value::Truth(true),
        SyntaxKind::FalseKw => Value::Truth(false),
        _ => Value::Number(Ratio::parse(token.text()).expect("a number that fits")),
    })
}
