//! From S-expressions to expressions.

use super::{
    parser::Parser,
    reader::{Datum, Node},
    tree::{Expr, ExprKind, Name},
};
use crate::data::{BUILTINS, Value, is_builtin};
use source::{Diagnostic, Span, nearest};
use std::rc::Rc;

impl Parser<'_> {
    /// An expression; `None` after an error.
    pub(super) fn expression(&mut self, node: &Node) -> Option<Expr> {
        let span = node.span;
        let kind = match &node.datum {
            Datum::Integer(value) => ExprKind::Constant(Value::Integer(*value)),
            Datum::Text(text) => ExprKind::Constant(Value::Text(text.as_str().into())),
            Datum::Boolean(value) => ExprKind::Constant(Value::Boolean(*value)),
            Datum::Nil => ExprKind::Constant(Value::Nil),
            Datum::Keyword(name) => ExprKind::Constant(Value::Keyword(name.as_str().into())),
            Datum::Symbol(_) => self.variable(node)?,
            Datum::Vector(_) => ExprKind::List(self.expressions(&node.items()?)?),
            Datum::Set(_) => ExprKind::Set(self.expressions(&node.items()?)?),
            Datum::Map(_) => {
                let parts = self.expressions(&node.items()?)?;
                if !parts.len().is_multiple_of(2) {
                    return self.fail("syntax", span, "a map needs a value for each key");
                }
                let mut parts = parts.into_iter();
                let mut entries = Vec::new();
                while let (Some(key), Some(value)) = (parts.next(), parts.next()) {
                    entries.push((key, value));
                }
                ExprKind::Map(entries)
            }
            Datum::List(_) => return self.call(node),
            Datum::Comment(_) => return None,
        };
        Some(Expr { kind, span })
    }

    pub(super) fn expressions(&mut self, nodes: &[&Node]) -> Option<Vec<Expr>> {
        // All are read, so that each has its errors reported.
        let parts: Vec<Option<Expr>> = nodes.iter().map(|node| self.expression(node)).collect();
        parts.into_iter().collect()
    }

    fn variable(&mut self, node: &Node) -> Option<ExprKind> {
        let name = node.symbol()?;
        if name == "empty-set" {
            return Some(ExprKind::Constant(Value::Set([].into())));
        }
        if self.scope.iter().any(|known| &**known == name) || self.is_function(name) {
            return Some(ExprKind::Variable(name.into()));
        }
        let candidate = nearest(name, self.scope.iter().map(|known| &**known)).map(str::to_owned);
        let error = Diagnostic::error("unknown-variable", node.span, format!("there is no `{name}` here"));
        self.errors.push(error.did_you_mean(candidate.as_deref()));
        None
    }

    pub(super) fn is_function(&self, name: &str) -> bool {
        is_builtin(name) || self.functions.iter().any(|(known, _)| known == name)
    }

    fn call(&mut self, node: &Node) -> Option<Expr> {
        let span = node.span;
        let items = node.items()?;
        let Some((head, args)) = items.split_first() else {
            return Some(Expr { kind: ExprKind::List(vec![]), span });
        };
        let Some(name) = head.symbol() else {
            if !matches!(head.datum, Datum::Set(_) | Datum::Map(_) | Datum::List(_)) {
                return self.fail("unknown-function", head.span, "this cannot be called");
            }
            let function = Box::new(self.expression(head)?);
            return Some(Expr { kind: ExprKind::Apply(function, self.expressions(args)?), span });
        };
        let kind = match name {
            "if" => self.conditional(args, span)?,
            "and" | "or" => ExprKind::Junction(name == "or", self.expressions(args)?),
            "let" => self.let_expression(args, span)?,
            "try" => self.attempt(args, span)?,
            _ if self.scope.iter().any(|known| &**known == name) => {
                let function = Expr { kind: ExprKind::Variable(name.into()), span: head.span };
                ExprKind::Apply(Box::new(function), self.expressions(args)?)
            }
            _ => {
                let args = self.expressions(args)?;
                self.known_function(name, args.len(), head.span)?;
                ExprKind::Call(name.into(), args)
            }
        };
        Some(Expr { kind, span })
    }

    fn conditional(&mut self, args: &[&Node], span: Span) -> Option<ExprKind> {
        if !(2..=3).contains(&args.len()) {
            return self.fail("syntax", span, "`if` takes a test, and one or two expressions");
        }
        let mut parts = self.expressions(args)?.into_iter();
        let (test, then) = (Box::new(parts.next()?), Box::new(parts.next()?));
        let nothing = || Expr { kind: ExprKind::Constant(Value::Nil), span };
        Some(ExprKind::If(test, then, Box::new(parts.next().unwrap_or_else(nothing))))
    }

    fn let_expression(&mut self, args: &[&Node], span: Span) -> Option<ExprKind> {
        let [bindings, body] = args else {
            return self.fail("syntax", span, "`let` takes bindings `[x 1 …]` and one expression");
        };
        let depth = self.scope.len();
        let bindings = self.bindings(bindings);
        let body = self.expression(body);
        self.scope.truncate(depth);
        Some(ExprKind::Let(bindings?, Box::new(body?)))
    }

    /// `(try expr (catch Exception e expr))`
    fn attempt(&mut self, args: &[&Node], span: Span) -> Option<ExprKind> {
        let handler = args.get(1).and_then(|handler| handler.items()).unwrap_or_default();
        let ([body, _], [catch, _, _, default]) = (args, &handler[..]) else {
            return self.fail("syntax", span, "write `(try expression (catch Exception e default))`");
        };
        if catch.symbol() != Some("catch") {
            return self.fail("syntax", catch.span, "`catch` was expected");
        }
        Some(ExprKind::Try(Box::new(self.expression(body)?), Box::new(self.expression(default)?)))
    }

    fn known_function(&mut self, name: &str, values: usize, span: Span) -> Option<()> {
        let of_user: Vec<usize> =
            self.functions.iter().filter(|(known, _)| known == name).map(|(_, arity)| *arity).collect();
        if of_user.contains(&values) {
            return Some(());
        }
        let fits = |(known, least, most): &&(&str, usize, usize)| {
            *known == name && (*least..=*most).contains(&values)
        };
        if BUILTINS.iter().find(fits).is_some() {
            return Some(());
        }
        if self.is_function(name) {
            return self.fail("wrong-arity", span, &format!("`{name}` does not take {values} values"));
        }
        let known = BUILTINS.iter().map(|(known, ..)| *known);
        let users = self.functions.iter().map(|(known, _)| known.as_str());
        let candidate = nearest(name, known.chain(users)).map(str::to_owned);
        let error = Diagnostic::error("unknown-function", span, format!("there is no function `{name}`"));
        self.errors.push(error.did_you_mean(candidate.as_deref()));
        None
    }

    /// `[VAR expr …]`: each variable is known from there on; the caller forgets them.
    pub(super) fn bindings(&mut self, node: &Node) -> Option<Vec<(Name, Expr)>> {
        let items = match (&node.datum, node.items()) {
            (Datum::Vector(_), Some(items)) if items.len().is_multiple_of(2) => items,
            _ => return self.fail("syntax", node.span, "expected variables with values: `[x 1 y 2]`"),
        };
        let mut bindings = Some(Vec::new());
        for pair in items.chunks(2) {
            let value = self.expression(pair[1]);
            let name = self.name(pair[0]);
            if let Some(name) = &name {
                self.scope.push(name.text.clone());
            }
            match (&mut bindings, name, value) {
                (Some(bindings), Some(name), Some(value)) => bindings.push((name, value)),
                (bindings, ..) => *bindings = None,
            }
        }
        bindings
    }

    /// A variable that is introduced.
    pub(super) fn name(&mut self, node: &Node) -> Option<Name> {
        match node.symbol() {
            Some(text) => Some(Name { text: Rc::from(text), span: node.span }),
            None => self.fail("syntax", node.span, "expected the name of a variable"),
        }
    }
}
