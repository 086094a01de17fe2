//! Temporal properties: their formula has a grammar of its own, their atoms are formulas and steps of the model.

use super::{
    context::Context, elaborate::Elaborator, environment::Environment, messages::count, params,
    scope::Binding,
};
use crate::syntax::{
    SyntaxKind,
    ast::{self, AstNode},
};
use ir::{At, Calls, Formula, LoneTemporal, RuleId, Temporal, TemporalAtom, Term};
use source::{Diagnostic, Diagnostics, Span, nearest};

/// `ltl name (i j) { … }`
pub(super) fn temporal(
    env: &Environment,
    item: &ast::Ltl,
    out: &mut Diagnostics,
    named: &mut u32,
) -> Option<Temporal> {
    let property = lower(env, &item.body()?, item.params(), out)?;
    *named = property.named_processes.max(*named);
    Some(Temporal { name: item.name()?.text(), at: At(item.span()), ..property.property })
}

/// A temporal formula by itself. Its property has no name.
pub(super) fn lone_temporal(
    env: &Environment,
    body: &ast::LtlBody,
    out: &mut Diagnostics,
) -> Option<LoneTemporal> {
    lower(env, body, None, out)
}

fn lower(
    env: &Environment,
    body: &ast::LtlBody,
    params: Option<ast::Params>,
    out: &mut Diagnostics,
) -> Option<LoneTemporal> {
    let has_params = params.is_some();
    let mut elaborator = Elaborator::new(env, out, Context::Property);
    let kinds = params::bind(&mut elaborator, params);
    let text = body.syntax().text().to_string();
    let atoms: Vec<ast::LtlAtom> = body.atoms().collect();
    let spans: Vec<Span> = atoms.iter().map(AstNode::span).collect();
    let formula = match ltl::parse_around(&text, body.span().start(), &spans) {
        Ok(formula) => formula,
        Err(diagnostic) => {
            // Syntax errors, such as an unclosed quote, have already been reported.
            if !stumbled(body) {
                elaborator.out.push(advised(*diagnostic, &text, body.span()));
            }
            return None;
        }
    };
    let mut atoms = Atoms { elaborator, nodes: &atoms, has_params };
    let formula = formula.try_map(&mut |atom| atoms.lower(&atom).ok_or(()));
    let mut elaborator = atoms.elaborator;
    elaborator.scope.leave(0, &mut elaborator.out);
    let property = Temporal {
        name: String::new(),
        params: elaborator.params,
        variables: elaborator.scope.variables.into_names(),
        kinds: Formula::and(kinds),
        formula: formula.ok()?,
        at: At(body.span()),
    };
    Some(LoneTemporal { property, named_processes: elaborator.mentions.named_processes })
}

/// Adds advice on formulas of the model that cannot go without quotes.
fn advised(diagnostic: Diagnostic, text: &str, body: Span) -> Diagnostic {
    let start = u32::from(diagnostic.primary.span.start()).saturating_sub(body.start().into()) as usize;
    let around = text.get(..start.saturating_add(8).min(text.len())).unwrap_or(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let near = around.split(|c: char| !is_word(c)).filter(|word| !word.is_empty()).rev().take(4);
    let near: Vec<&str> = near.collect();
    let words = ["forall", "exists", "forall_other", "exists_other", "not", "if"];
    match words.into_iter().find(|word| near.contains(word)) {
        Some("not") => diagnostic.help("in a temporal formula, not is written `!`"),
        Some(word) => {
            diagnostic.help(format!("a formula with `{word}` is an atom in quotes: `\"{word} …\"`"))
        }
        None => diagnostic,
    }
}

/// Whether the parser has reported something in the body of a temporal property.
fn stumbled(body: &ast::LtlBody) -> bool {
    let quote = |kind: Option<SyntaxKind>| {
        kind.filter(|kind| matches!(kind, SyntaxKind::DoubleQuote | SyntaxKind::SingleQuote))
    };
    let closed = |atom: &ast::LtlAtom| {
        let first = atom.syntax().first_token().map(|token| token.kind());
        quote(first).is_none() || quote(atom.syntax().last_token().map(|token| token.kind())).is_some()
    };
    body.syntax().descendants().any(|node| node.kind() == SyntaxKind::Error)
        || !body.atoms().all(|atom| closed(&atom))
}

/// An error that has been reported.
struct Reported;

/// Lowers the atoms of a formula.
struct Atoms<'a, 'e> {
    elaborator: Elaborator<'e>,
    nodes: &'a [ast::LtlAtom],
    has_params: bool,
}

impl Atoms<'_, '_> {
    /// The meaning of an atom: the temporal grammar keeps its text, which the grammar of models has parsed.
    fn lower(&mut self, atom: &ltl::Atom) -> Option<TemporalAtom> {
        match atom.text.trim() {
            "END" => return Some(TemporalAtom::End),
            "DEAD" => return Some(TemporalAtom::Dead),
            _ => {}
        }
        let Some(node) = self.nodes.iter().find(|node| node.span().contains_range(atom.span)) else {
            self.elaborator.out.push(unknown_atom(atom));
            return None;
        };
        match node.take() {
            Some(step) => self.step(&step),
            None => Some(TemporalAtom::State(self.elaborator.formula(&node.formula()?))),
        }
    }

    /// `TAKE t(#1, i)` or `ENABLED t(#1, i)`
    fn step(&mut self, step: &ast::Take) -> Option<TemporalAtom> {
        let env = self.elaborator.env;
        let name = step.name()?;
        let Some(rules) = env.rules.get(&name.text()) else {
            let message = format!("unknown transition `{}`", name.text());
            self.elaborator.out.push(
                Diagnostic::error("unknown-transition", name.span(), message)
                    .label("not declared")
                    .did_you_mean(nearest(&name.text(), env.rules.keys().map(String::as_str))),
            );
            return None;
        };
        let mut processes = Vec::new();
        for argument in step.arguments().into_iter().flat_map(|list| list.processes()) {
            processes.push(self.process(&argument).ok()?);
        }
        let fits = |rule: &RuleId| env.rule_params[rule.index()] == processes.len();
        if step.arguments().is_some() && !rules.iter().any(fits) {
            let has = count(env.rule_params[rules[0].index()], "parameter", "parameters");
            let message = format!("`{}` has {has}, found {}", name.text(), processes.len());
            let word = step.syntax().first_token().map_or(String::new(), |token| token.text().to_owned());
            self.elaborator.out.push(
                Diagnostic::error("wrong-arguments", step.span(), message)
                    .help(format!("`{word} t` alone is any step of `t`")),
            );
        }
        let calls = Calls { rules: rules.clone(), processes };
        let is_take = step.syntax().first_token().is_some_and(|token| token.text() == "TAKE");
        Some(if is_take { TemporalAtom::Take(calls) } else { TemporalAtom::Enabled(calls) })
    }

    /// A process constant, a parameter of the property, or `_` for any process. In a property without parameters any name is
    /// any process.
    fn process(&mut self, argument: &ast::NameExpr) -> Result<Option<Term>, Reported> {
        let token = argument.token().ok_or(Reported)?;
        let text = token.text();
        if let Some(digits) = text.strip_prefix('#') {
            let process: u32 = digits.parse().unwrap_or(u32::MAX);
            if self.elaborator.env.max_processes.is_none_or(|most| process > most) {
                let message = format!("there is no process `{text}`");
                self.elaborator.out.push(Diagnostic::error("unknown-process", token.text_range(), message));
            }
            let named = &mut self.elaborator.mentions.named_processes;
            *named = process.max(*named);
            return Ok(Some(Term::Process(process)));
        }
        if let Some(entry) = self.elaborator.scope.used(text)
            && let Binding::Var(var, _) = entry.binding
        {
            return Ok(Some(Term::Var(var)));
        }
        if text == "_" || !self.has_params {
            return Ok(None);
        }
        let names: Vec<&str> = self.elaborator.scope.names().collect();
        let diagnostic =
            Diagnostic::error("unknown-name", token.text_range(), format!("unknown process `{text}`"))
                .label("not a parameter of this property")
                .did_you_mean(nearest(text, names))
                .help("`_` is any process");
        self.elaborator.out.push(diagnostic);
        Err(Reported)
    }
}

fn unknown_atom(atom: &ltl::Atom) -> Diagnostic {
    let error = Diagnostic::error("unknown-atom", atom.span, format!("unknown atom `{}`", atom.text));
    match atom.text.as_str() {
        "not" => error.label("not an atom").help("in a temporal formula, not is written `!`"),
        _ => error
            .label("neither `END` nor `DEAD`")
            .help("a formula of the model is an atom when it is quoted: `\"X = A\"`"),
    }
}
