//! Values of expressions. Evaluation always ends: steps and depth are limited, and the error names the expression.

use super::{Value, builtins};
use crate::syntax::tree::{Expr, ExprKind, Function};
use rustc_hash::FxHashMap;
use source::{Diagnostic, Span};
use std::{collections::BTreeMap, rc::Rc};

/// The most steps of one evaluation; making a collection takes a step for each element.
const MOST_STEPS: usize = 1_000_000;
/// The deepest recursion of functions, so that the stack suffices.
const MOST_CALLS: usize = 500;

/// Variables with their values: a list that shares its tail.
#[derive(Debug, Clone, Default)]
pub(crate) struct Scope(Option<Rc<Binding>>);

#[derive(Debug)]
struct Binding {
    name: Rc<str>,
    value: Value,
    outer: Scope,
}

impl Scope {
    pub(crate) fn get(&self, name: &str) -> Option<&Value> {
        let mut scope = self;
        while let Some(binding) = &scope.0 {
            if &*binding.name == name {
                return Some(&binding.value);
            }
            scope = &binding.outer;
        }
        None
    }

    #[must_use]
    pub(crate) fn with(&self, name: Rc<str>, value: Value) -> Scope {
        Scope(Some(Rc::new(Binding { name, value, outer: self.clone() })))
    }
}

/// Why an expression has no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EvaluationError {
    /// The expression.
    pub span: Span,
    /// What is wrong with it.
    pub message: String,
    /// A limit was reached: `try` does not catch that.
    pub(crate) limit: bool,
}

impl EvaluationError {
    pub(crate) fn new(span: Span, message: impl Into<String>) -> EvaluationError {
        EvaluationError { span, message: message.into(), limit: false }
    }

    /// As a message about the text.
    pub fn diagnostic(&self) -> Diagnostic {
        let code = if self.limit { "endless-expression" } else { "no-value" };
        let error = Diagnostic::error(code, self.span, self.message.clone());
        if self.limit {
            return error.help(
                "let it come to an end: a function that calls itself needs a case in which it does not",
            );
        }
        error
    }
}

pub(super) type Evaluated = Result<Value, EvaluationError>;

/// Evaluates expressions.
#[derive(Debug)]
pub struct Evaluator<'f> {
    functions: FxHashMap<(&'f str, usize), &'f Function>,
    steps: usize,
    calls: usize,
    /// The expression that was asked for.
    whole: Span,
}

impl<'f> Evaluator<'f> {
    /// An evaluator that knows these functions.
    pub fn new(functions: &'f [Function]) -> Evaluator<'f> {
        let functions = functions
            .iter()
            .map(|function| ((&*function.name.text, function.params.len()), function))
            .collect();
        Evaluator { functions, steps: 0, calls: 0, whole: Span::default() }
    }

    /// The value of an expression without variables.
    pub fn value(&mut self, expr: &Expr) -> Result<Value, EvaluationError> {
        self.value_in(expr, &Scope::default())
    }

    pub(crate) fn value_in(&mut self, expr: &Expr, scope: &Scope) -> Evaluated {
        (self.steps, self.calls, self.whole) = (0, 0, expr.span);
        self.eval(expr, scope)
    }

    /// Counts steps.
    pub(super) fn spend(&mut self, steps: usize) -> Result<(), EvaluationError> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps <= MOST_STEPS {
            return Ok(());
        }
        let message = format!("this expression has no value after {MOST_STEPS} steps");
        Err(EvaluationError { span: self.whole, message, limit: true })
    }

    fn eval(&mut self, expr: &Expr, scope: &Scope) -> Evaluated {
        self.spend(1)?;
        match &expr.kind {
            ExprKind::Constant(value) => Ok(value.clone()),
            ExprKind::Variable(name) => self.variable(name, expr.span, scope),
            ExprKind::List(items) => Ok(Value::List(self.all(items, scope)?)),
            ExprKind::Set(items) => Ok(Value::Set(self.all(items, scope)?.into_iter().collect())),
            ExprKind::Map(entries) => self.map(entries, scope),
            ExprKind::If(test, then, otherwise) => {
                let chosen = if self.eval(test, scope)?.is_true() { then } else { otherwise };
                self.eval(chosen, scope)
            }
            ExprKind::Let(bindings, body) => {
                let mut scope = scope.clone();
                for (name, value) in bindings {
                    let value = self.eval(value, &scope)?;
                    scope = scope.with(name.text.clone(), value);
                }
                self.eval(body, &scope)
            }
            ExprKind::Junction(or, parts) => self.junction(*or, parts, scope),
            ExprKind::Try(body, default) => match self.eval(body, scope) {
                Err(error) if !error.limit => self.eval(default, scope),
                other => other,
            },
            ExprKind::Call(name, args) => self.call(name, args, expr.span, scope),
            ExprKind::Apply(function, args) => {
                let function = self.eval(function, scope)?;
                let args = self.all(args, scope)?;
                self.apply(&function, args, expr.span)
            }
        }
    }

    fn variable(&mut self, name: &Rc<str>, span: Span, scope: &Scope) -> Evaluated {
        if let Some(value) = scope.get(name) {
            let value = value.clone();
            self.spend(value.size())?;
            return Ok(value);
        }
        let known = builtins::is_builtin(name) || self.functions.keys().any(|(known, _)| *known == &**name);
        if &**name == "empty-set" {
            return Ok(Value::Set([].into()));
        }
        if known {
            Ok(Value::Function(name.clone()))
        } else {
            Err(EvaluationError::new(span, format!("there is no `{name}` here")))
        }
    }

    fn all(&mut self, items: &[Expr], scope: &Scope) -> Result<Vec<Value>, EvaluationError> {
        items.iter().map(|item| self.eval(item, scope)).collect()
    }

    fn map(&mut self, entries: &[(Expr, Expr)], scope: &Scope) -> Evaluated {
        let mut map = BTreeMap::new();
        for (key, value) in entries {
            map.insert(self.eval(key, scope)?, self.eval(value, scope)?);
        }
        Ok(Value::Map(map))
    }

    fn junction(&mut self, or: bool, parts: &[Expr], scope: &Scope) -> Evaluated {
        let mut last = if or { Value::Nil } else { Value::Boolean(true) };
        for part in parts {
            last = self.eval(part, scope)?;
            if last.is_true() == or {
                break;
            }
        }
        Ok(last)
    }

    fn call(&mut self, name: &Rc<str>, args: &[Expr], span: Span, scope: &Scope) -> Evaluated {
        // A square root need not be whole if it is rounded at once.
        if let ([Expr { kind: ExprKind::Call(inner, of), .. }], true) = (args, builtins::rounds(name))
            && builtins::is_root(inner)
            && of.len() == 1
        {
            let of = self.eval(&of[0], scope)?;
            return builtins::rounded_root(name, &of, span);
        }
        let values = self.all(args, scope)?;
        let function = scope.get(name).cloned().unwrap_or_else(|| Value::Function(name.clone()));
        self.apply(&function, values, span)
    }

    /// Calls a function, or looks something up in a collection.
    pub(super) fn apply(&mut self, function: &Value, args: Vec<Value>, span: Span) -> Evaluated {
        self.spend(1)?;
        match (function, &args[..]) {
            (Value::Function(name), _) => match self.functions.get(&(&**name, args.len())).copied() {
                Some(function) => self.user(function, args, span),
                None => builtins::call(self, name, args, span),
            },
            (Value::Set(set), [item]) => Ok(if set.contains(item) { item.clone() } else { Value::Nil }),
            (Value::Map(map), [key]) => Ok(map.get(key).cloned().unwrap_or(Value::Nil)),
            _ => {
                let message = format!("{} cannot be called with {} values", function.kind(), args.len());
                Err(EvaluationError::new(span, message))
            }
        }
    }

    fn user(&mut self, function: &Function, args: Vec<Value>, span: Span) -> Evaluated {
        if self.calls == MOST_CALLS {
            let message = format!("`{}` calls itself more than {MOST_CALLS} times deep", function.name.text);
            return Err(EvaluationError { span, message, limit: true });
        }
        self.calls += 1;
        let bind = |scope: Scope, (name, value): (&crate::syntax::tree::Name, Value)| {
            scope.with(name.text.clone(), value)
        };
        let scope = function.params.iter().zip(args).fold(Scope::default(), bind);
        let value = self.eval(&function.body, &scope);
        self.calls -= 1;
        value
    }
}
