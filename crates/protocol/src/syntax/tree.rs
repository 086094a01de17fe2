//! The typed tree of a protocol file.

use crate::data::Value;
use source::Span;
use std::rc::Rc;

/// A file: its definitions.
#[derive(Debug, Clone, Default)]
pub struct File {
    /// Roles that are declared.
    pub roles: Vec<RoleDefinition>,
    /// Sessions, identified by name and number of parameters.
    pub sessions: Vec<Session>,
    /// Helper functions.
    pub functions: Vec<Function>,
    /// The bodies of loops, by their number.
    pub loops: Vec<Rc<Loop>>,
    /// Explicit transition systems, by their number.
    pub graphs: Vec<Rc<Transitions>>,
    /// All message types of the file, sorted.
    pub types: Vec<Rc<str>>,
}

/// A name and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Name {
    /// The name; keywords have lost their colons.
    pub text: Rc<str>,
    /// Where it is.
    pub span: Span,
}

/// A declared role.
#[derive(Debug, Clone)]
pub struct RoleDefinition {
    /// Its key.
    pub key: Name,
    /// What it is called for people.
    pub title: Option<String>,
}

/// A named protocol.
#[derive(Debug, Clone)]
pub struct Session {
    /// Its key.
    pub key: Name,
    /// Its parameters.
    pub params: Vec<Name>,
    /// What it does.
    pub body: Rc<Spec>,
}

/// A pure helper function.
#[derive(Debug, Clone)]
pub struct Function {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub params: Vec<Name>,
    /// Its value.
    pub body: Expr,
}

/// A loop. Sugar such as `*` is a loop whose name nobody can write.
#[derive(Debug, Clone)]
pub struct Loop {
    /// Its name.
    pub name: Name,
    /// Its variables with their first values.
    pub bindings: Vec<(Name, Expr)>,
    /// What is repeated.
    pub body: Spec,
    /// The variables from outside that the body uses.
    pub free: Vec<Rc<str>>,
}

/// A specification with its location.
#[derive(Debug, Clone)]
pub struct Spec {
    /// What it is.
    pub kind: SpecKind,
    /// Where it is.
    pub span: Span,
}

/// What a specification is.
#[derive(Debug, Clone)]
pub enum SpecKind {
    /// `(end)`, `(skip)`
    End,
    /// `(--> …)`, `(-->> …)`, `(close …)`
    Action(Communication),
    /// `(any #{…})`
    Any(Vec<RoleExpr>),
    /// A sequence, choice, interleaving or weak sequence.
    Join(Operator, Vec<Spec>),
    /// `(cat-every [VAR expr …] spec)` and its like
    Every(Operator, Vec<(Name, Expr)>, Box<Spec>),
    /// `(if expr spec spec)`
    If(Expr, Box<Spec>, Box<Spec>),
    /// `(let [VAR expr …] spec …)`
    Let(Vec<(Name, Expr)>, Box<Spec>),
    /// `(loop NAME [VAR expr …] spec …)`, by number
    Loop(usize),
    /// `(recur NAME expr …)`
    Recur(Name, Vec<Expr>),
    /// A call of a session
    Call(Name, Vec<Expr>),
    /// `(graph …)`, by number
    Graph(usize),
}

/// How specifications are joined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Operator {
    /// One after the other.
    Cat,
    /// One of them.
    Alt,
    /// All of them, interleaved.
    Par,
    /// One after the other, where steps of others may overtake.
    Async,
}

impl Operator {
    /// The word of the language.
    pub fn word(self) -> &'static str {
        match self {
            Operator::Cat => "cat",
            Operator::Alt => "alt",
            Operator::Par => "par",
            Operator::Async => "async",
        }
    }
}

/// The three ways to communicate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Arrow {
    /// `-->`: sender and receiver step together.
    Handshake,
    /// `-->>`: a send, later a receive.
    Message,
    /// `close`
    Close,
}

/// A communication.
#[derive(Debug, Clone)]
pub struct Communication {
    /// How.
    pub arrow: Arrow,
    /// The last segment of the name of the message type.
    pub message: Option<Name>,
    /// Who sends.
    pub from: RoleExpr,
    /// Who receives: several for a multicast.
    pub to: Vec<RoleExpr>,
    /// Whether the receivers are written as a set.
    pub multicast: bool,
}

/// A role: a key or a variable that holds one, with indices.
#[derive(Debug, Clone)]
pub struct RoleExpr {
    /// The key or the variable.
    pub name: Name,
    /// Whether it is a variable.
    pub variable: bool,
    /// The indices.
    pub indices: Vec<Expr>,
    /// Where it is.
    pub span: Span,
}

/// An explicit labelled transition system.
#[derive(Debug, Clone)]
pub struct Transitions {
    /// The first vertex.
    pub start: u32,
    /// For each vertex its edges, in the order of the text.
    pub edges: Vec<Vec<(EdgeLabel, u32)>>,
}

/// The label of an edge of an explicit transition system, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EdgeLabel {
    /// What it says.
    pub verb: Verb,
    /// Who sends.
    pub from: String,
    /// Who receives.
    pub to: String,
    /// The message type.
    pub message: Option<Rc<str>>,
    /// Where it is.
    pub span: Span,
}

pub use session::Verb;

/// An expression with its location.
#[derive(Debug, Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it is.
    pub span: Span,
}

/// What an expression is.
#[derive(Debug, Clone)]
pub enum ExprKind {
    /// A value as it is written.
    Constant(Value),
    /// A variable, or the name of a function.
    Variable(Rc<str>),
    /// `[…]`
    List(Vec<Expr>),
    /// `#{…}`
    Set(Vec<Expr>),
    /// `{…}`
    Map(Vec<(Expr, Expr)>),
    /// `(f expr …)`
    Call(Rc<str>, Vec<Expr>),
    /// A set or a map that is called.
    Apply(Box<Expr>, Vec<Expr>),
    /// `(if expr expr expr)`
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `(let [VAR expr …] expr)`
    Let(Vec<(Name, Expr)>, Box<Expr>),
    /// `(and …)`, or `(or …)` if the flag is set
    Junction(bool, Vec<Expr>),
    /// `(try expr (catch … expr))`
    Try(Box<Expr>, Box<Expr>),
}
