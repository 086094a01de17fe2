//! From S-expressions to specifications. Sugar ends here: `*`, `+`, `?` and `ω` become loops and choices.

use super::{
    parser::Parser,
    reader::{Datum, Node},
    tree::{Arrow, Communication, Expr, ExprKind, Loop, Name, Operator, RoleExpr, Spec, SpecKind},
};
use source::{Diagnostic, Span, nearest};
use std::rc::Rc;

/// Words that begin a specification, for proposals.
const WORDS: [&str; 22] = [
    "-->",
    "-->>",
    "close",
    "end",
    "skip",
    "any",
    "cat",
    "do",
    "alt",
    "par",
    "async",
    "cat-every",
    "alt-every",
    "par-every",
    "async-every",
    "if",
    "let",
    "loop",
    "recur",
    "session",
    "graph",
    "omega",
];

impl Parser<'_> {
    /// Specifications one after the other.
    pub(super) fn sequence(&mut self, nodes: &[&Node], span: Span) -> Option<Spec> {
        let mut parts = self.specifications(nodes)?;
        Some(if parts.len() == 1 { parts.remove(0) } else { join(Operator::Cat, parts, span) })
    }

    fn specifications(&mut self, nodes: &[&Node]) -> Option<Vec<Spec>> {
        let parts: Vec<Option<Spec>> = nodes.iter().map(|node| self.specification(node)).collect();
        parts.into_iter().collect()
    }

    /// A specification; `None` after an error.
    pub(super) fn specification(&mut self, node: &Node) -> Option<Spec> {
        let span = node.span;
        let items = match (&node.datum, node.items()) {
            (Datum::Vector(_), Some(items)) => {
                return Some(join(Operator::Cat, self.specifications(&items)?, span));
            }
            (Datum::List(_), Some(items)) if !items.is_empty() => items,
            _ => {
                let error = Diagnostic::error("syntax", span, "expected a specification");
                self.errors.push(error.help("such as `(-->> Type :sender :receiver)` or `(alt … …)`"));
                return None;
            }
        };
        let (head, args) = items.split_first()?;
        if let Datum::Keyword(name) = &head.datum {
            let key = Name { text: name.as_str().into(), span: head.span };
            return Some(Spec { kind: SpecKind::Call(key, self.expressions(args)?), span });
        }
        let Some(word) = head.symbol() else {
            return self.fail("syntax", head.span, "expected an operator or the name of a session");
        };
        let kind = self.operator(word, head, args, span)?;
        Some(Spec { kind, span })
    }

    fn operator(&mut self, word: &str, head: &Node, args: &[&Node], span: Span) -> Option<SpecKind> {
        Some(match word {
            "-->" => SpecKind::Action(self.communication(Arrow::Handshake, args, span)?),
            "-->>" => SpecKind::Action(self.communication(Arrow::Message, args, span)?),
            "close" => SpecKind::Action(self.communication(Arrow::Close, args, span)?),
            "end" | "skip" if args.is_empty() => SpecKind::End,
            "any" => self.any(args, span)?,
            "cat" | "do" => SpecKind::Join(Operator::Cat, self.specifications(args)?),
            "alt" => SpecKind::Join(Operator::Alt, self.specifications(args)?),
            "par" => SpecKind::Join(Operator::Par, self.specifications(args)?),
            "async" => SpecKind::Join(Operator::Async, self.specifications(args)?),
            "cat-every" => self.every(Operator::Cat, args, span)?,
            "alt-every" => self.every(Operator::Alt, args, span)?,
            "par-every" => self.every(Operator::Par, args, span)?,
            "async-every" => self.every(Operator::Async, args, span)?,
            "if" => self.branches(args, span)?,
            "let" => self.bound(args, span)?,
            "loop" => self.named_loop(args, span)?,
            "recur" => self.recur(args, span)?,
            "*" | "+" | "?" | "ω" | "omega" => self.repetition(word, args, span)?,
            "session" => self.session_call(args, span)?,
            "graph" => SpecKind::Graph(self.graph(args, span)?),
            _ => return self.unknown(word, head, args),
        })
    }

    fn unknown(&mut self, word: &str, head: &Node, args: &[&Node]) -> Option<SpecKind> {
        let names = self.file.sessions.iter().map(|session| &*session.key.text);
        let candidate = nearest(word, WORDS.into_iter().chain(names)).map(str::to_owned);
        let error =
            Diagnostic::error("unknown-operator", head.span, format!("there is no operator `{word}`"));
        let error = match candidate {
            Some(name) => error.did_you_mean(Some(&name)),
            None => error.help(format!("a session is called by its key: `(:{word} …)`")),
        };
        self.errors.push(error);
        // What is inside may have errors of its own.
        args.iter().filter(|arg| matches!(arg.datum, Datum::List(_))).for_each(|arg| {
            self.specification(arg);
        });
        None
    }

    fn communication(&mut self, arrow: Arrow, args: &[&Node], span: Span) -> Option<Communication> {
        let (message, ends) = match (args, arrow) {
            ([message, from, to], Arrow::Handshake | Arrow::Message) => (Some(message), [*from, *to]),
            ([from, to], _) => (None, [*from, *to]),
            _ => {
                return self.fail(
                    "wrong-arity",
                    span,
                    "this needs a sender and a receiver, after an optional type",
                );
            }
        };
        let message = match message {
            Some(message) => Some(self.message_type(message)?),
            None => None,
        };
        let from = self.role_expression(ends[0]);
        let (to, multicast) = match (&ends[1].datum, ends[1].items()) {
            (Datum::Set(_), Some(roles)) if arrow == Arrow::Message => {
                if roles.is_empty() {
                    return self.fail("syntax", ends[1].span, "a multicast needs receivers");
                }
                (roles.iter().map(|role| self.role_expression(role)).collect::<Option<Vec<_>>>(), true)
            }
            _ => (self.role_expression(ends[1]).map(|role| vec![role]), false),
        };
        Some(Communication { arrow, message, from: from?, to: to?, multicast })
    }

    /// A message type: the last segment of its name.
    fn message_type(&mut self, node: &Node) -> Option<Name> {
        let (Datum::Symbol(name) | Datum::Text(name) | Datum::Keyword(name)) = &node.datum else {
            return self.fail("syntax", node.span, "expected the name of a message type");
        };
        let text: Rc<str> = last_segment(name).into();
        self.file.types.push(text.clone());
        Some(Name { text, span: node.span })
    }

    pub(super) fn role_expression(&mut self, node: &Node) -> Option<RoleExpr> {
        let items = match (&node.datum, node.items()) {
            (Datum::List(_), Some(items)) if !items.is_empty() => items,
            (Datum::Keyword(_) | Datum::Symbol(_), _) => vec![node],
            _ => return self.fail("syntax", node.span, "expected a role: `:name` or `(:name index)`"),
        };
        let (name, variable) = match &items[0].datum {
            Datum::Keyword(name) => (Name { text: name.as_str().into(), span: items[0].span }, false),
            Datum::Symbol(_) => (self.role_variable(items[0])?, true),
            _ => return self.fail("syntax", items[0].span, "expected the name of a role"),
        };
        let indices = self.expressions(&items[1..])?;
        Some(RoleExpr { name, variable, indices, span: node.span })
    }

    fn role_variable(&mut self, node: &Node) -> Option<Name> {
        let name = self.name(node)?;
        if self.scope.contains(&name.text) {
            return Some(name);
        }
        let error =
            Diagnostic::error("unknown-variable", node.span, format!("there is no `{}` here", name.text));
        let is_role = self.file.roles.iter().any(|role| role.key.text == name.text);
        let candidate = nearest(&name.text, self.scope.iter().map(|known| &**known)).map(str::to_owned);
        let proposal = if is_role { Some(format!(":{}", name.text)) } else { candidate };
        self.errors.push(error.did_you_mean(proposal.as_deref()));
        None
    }

    fn any(&mut self, args: &[&Node], span: Span) -> Option<SpecKind> {
        let roles = match args {
            [set] if matches!(set.datum, Datum::Set(_) | Datum::Vector(_)) => set.items()?,
            _ => return self.fail("syntax", span, "write `(any #{role role …})`"),
        };
        let roles: Option<Vec<RoleExpr>> = roles.iter().map(|role| self.role_expression(role)).collect();
        Some(SpecKind::Any(roles?))
    }

    fn every(&mut self, operator: Operator, args: &[&Node], span: Span) -> Option<SpecKind> {
        let [bindings, body @ ..] = args else {
            return self.fail("syntax", span, "expected variables with ranges, and a specification");
        };
        let (bindings, body) = self.with_bindings(bindings, body, span)?;
        Some(SpecKind::Every(operator, bindings, Box::new(body)))
    }

    fn with_bindings(
        &mut self,
        bindings: &Node,
        body: &[&Node],
        span: Span,
    ) -> Option<(Vec<(Name, Expr)>, Spec)> {
        let depth = self.scope.len();
        let bindings = self.bindings(bindings);
        let body = self.sequence(body, span);
        self.scope.truncate(depth);
        Some((bindings?, body?))
    }

    fn branches(&mut self, args: &[&Node], span: Span) -> Option<SpecKind> {
        if !(2..=3).contains(&args.len()) {
            return self.fail("syntax", span, "`if` takes a test, and one or two specifications");
        }
        let test = self.expression(args[0]);
        let then = self.specification(args[1]);
        let otherwise = match args.get(2) {
            Some(otherwise) => self.specification(otherwise),
            None => Some(Spec { kind: SpecKind::End, span }),
        };
        Some(SpecKind::If(test?, Box::new(then?), Box::new(otherwise?)))
    }

    fn bound(&mut self, args: &[&Node], span: Span) -> Option<SpecKind> {
        let [bindings, body @ ..] = args else {
            return self.fail("syntax", span, "`let` takes bindings `[x 1 …]` and specifications");
        };
        let (bindings, body) = self.with_bindings(bindings, body, span)?;
        Some(SpecKind::Let(bindings, Box::new(body)))
    }

    fn named_loop(&mut self, args: &[&Node], span: Span) -> Option<SpecKind> {
        let [name, bindings, body @ ..] = args else {
            return self.fail("syntax", span, "write `(loop :name [x 1 …] specification …)`");
        };
        let name = self.key(name)?;
        let depth = self.scope.len();
        let bindings = self.bindings(bindings);
        let variables = bindings.as_ref().map_or(usize::MAX, Vec::len);
        self.loops.push((name.text.clone(), variables));
        let body = self.sequence(body, span);
        self.loops.pop();
        self.scope.truncate(depth);
        Some(self.new_loop(name, bindings?, body?))
    }

    fn new_loop(&mut self, name: Name, bindings: Vec<(Name, Expr)>, body: Spec) -> SpecKind {
        let mut free = Vec::new();
        let loops = &self.file.loops;
        body.each_variable(loops, &mut |name| free.push(name.clone()));
        free.retain(|name| !bindings.iter().any(|(bound, _)| bound.text == *name));
        free.sort();
        free.dedup();
        self.file.loops.push(Rc::new(Loop { name, bindings, body, free }));
        SpecKind::Loop(self.file.loops.len() - 1)
    }

    fn recur(&mut self, args: &[&Node], span: Span) -> Option<SpecKind> {
        let Some((name, values)) = args.split_first() else {
            return self.fail("syntax", span, "`recur` needs the name of a loop");
        };
        let name = self.key(name)?;
        let values = self.expressions(values);
        let Some((_, variables)) = self.loops.iter().rev().find(|(known, _)| *known == name.text) else {
            let known = self.loops.iter().map(|(known, _)| &**known).filter(|known| !known.contains('@'));
            let candidate = nearest(&name.text, known).map(|name| format!(":{name}"));
            let message = format!("there is no loop `{}` around this", name.text);
            let error = Diagnostic::error("unknown-loop", name.span, message);
            self.errors.push(error.did_you_mean(candidate.as_deref()));
            return None;
        };
        let (variables, values) = (*variables, values?);
        if values.len() > variables {
            let message = format!("loop `{}` has {variables} variables, not {}", name.text, values.len());
            return self.fail("wrong-arity", span, &message);
        }
        if values.len() < variables && variables != usize::MAX {
            let message =
                format!("loop `{}` has {variables} variables, and gets {} values", name.text, values.len());
            let warning = Diagnostic::warning("missing-values", span, message);
            self.errors
                .push(warning.help("the other variables keep their values; write them down to say so"));
        }
        Some(SpecKind::Recur(name, values))
    }

    /// `(? s)` is `(alt s (end))`; `(* s)` is a loop around `(alt (cat s (recur)) (end))`; `(+ s)` is `(cat s (* s))`; `(ω s)` is a loop
    /// around `(cat s (recur))`.
    fn repetition(&mut self, word: &str, args: &[&Node], span: Span) -> Option<SpecKind> {
        let end = Spec { kind: SpecKind::End, span };
        if word == "?" {
            let body = self.sequence(args, span)?;
            return Some(SpecKind::Join(Operator::Alt, vec![body, end]));
        }
        // Nobody can write this name.
        let name = Name { text: format!("@{}", u32::from(span.start())).into(), span };
        self.loops.push((name.text.clone(), 0));
        let body = self.sequence(args, span);
        self.loops.pop();
        let body = body?;
        let again = Spec { kind: SpecKind::Recur(name.clone(), vec![]), span };
        let round = join(Operator::Cat, vec![body.clone(), again], span);
        let (repeated, first) = match word {
            "*" => (join(Operator::Alt, vec![round, end], span), None),
            "+" => (join(Operator::Alt, vec![round, end], span), Some(body)),
            _ => (round, None),
        };
        let repeated = self.new_loop(name, vec![], repeated);
        Some(match first {
            Some(first) => SpecKind::Join(Operator::Cat, vec![first, Spec { kind: repeated, span }]),
            None => repeated,
        })
    }

    /// `(session KEY [expr …])`
    fn session_call(&mut self, args: &[&Node], span: Span) -> Option<SpecKind> {
        let (key, values) = match args {
            [key] => (key, vec![]),
            [key, values] if matches!(values.datum, Datum::Vector(_)) => (key, values.items()?),
            _ => return self.fail("syntax", span, "write `(session :name [value …])`"),
        };
        Some(SpecKind::Call(self.key(key)?, self.expressions(&values)?))
    }
}

fn join(operator: Operator, parts: Vec<Spec>, span: Span) -> Spec {
    Spec { kind: SpecKind::Join(operator, parts), span }
}

/// `Move` of `org.example.Move`.
pub(crate) fn last_segment(name: &str) -> &str {
    let name = name.strip_prefix('<').and_then(|name| name.strip_suffix('>')).unwrap_or(name);
    name.rsplit(['.', '$', '/']).next().unwrap_or(name)
}

impl Spec {
    /// Calls `visit` with the name of every variable that is used, bound inside or not.
    pub(crate) fn each_variable(&self, loops: &[Rc<Loop>], visit: &mut impl FnMut(&Rc<str>)) {
        match &self.kind {
            SpecKind::End | SpecKind::Graph(_) => {}
            SpecKind::Action(communication) => {
                communication.from.each_variable(visit);
                communication.to.iter().for_each(|role| role.each_variable(visit));
            }
            SpecKind::Any(roles) => roles.iter().for_each(|role| role.each_variable(visit)),
            SpecKind::Join(_, parts) => parts.iter().for_each(|part| part.each_variable(loops, visit)),
            SpecKind::Every(_, bindings, body) | SpecKind::Let(bindings, body) => {
                bindings.iter().for_each(|(_, value)| value.each_variable(visit));
                body.each_variable(loops, visit);
            }
            SpecKind::If(test, then, otherwise) => {
                test.each_variable(visit);
                then.each_variable(loops, visit);
                otherwise.each_variable(loops, visit);
            }
            SpecKind::Loop(number) => {
                let inner = &loops[*number];
                inner.bindings.iter().for_each(|(_, value)| value.each_variable(visit));
                inner.free.iter().for_each(visit);
            }
            SpecKind::Recur(_, values) | SpecKind::Call(_, values) => {
                values.iter().for_each(|value| value.each_variable(visit));
            }
        }
    }
}

impl RoleExpr {
    fn each_variable(&self, visit: &mut impl FnMut(&Rc<str>)) {
        if self.variable {
            visit(&self.name.text);
        }
        self.indices.iter().for_each(|index| index.each_variable(visit));
    }
}

impl Expr {
    pub(crate) fn each_variable(&self, visit: &mut impl FnMut(&Rc<str>)) {
        match &self.kind {
            ExprKind::Constant(_) => {}
            ExprKind::Variable(name) => visit(name),
            ExprKind::List(parts)
            | ExprKind::Set(parts)
            | ExprKind::Call(_, parts)
            | ExprKind::Junction(_, parts) => parts.iter().for_each(|part| part.each_variable(visit)),
            ExprKind::Map(entries) => entries.iter().for_each(|(key, value)| {
                key.each_variable(visit);
                value.each_variable(visit);
            }),
            ExprKind::Apply(function, parts) => {
                function.each_variable(visit);
                parts.iter().for_each(|part| part.each_variable(visit));
            }
            ExprKind::If(test, then, otherwise) => {
                [test, then, otherwise].into_iter().for_each(|part| part.each_variable(visit));
            }
            ExprKind::Let(bindings, body) => {
                bindings.iter().for_each(|(_, value)| value.each_variable(visit));
                body.each_variable(visit);
            }
            ExprKind::Try(body, default) => {
                body.each_variable(visit);
                default.each_variable(visit);
            }
        }
    }
}
