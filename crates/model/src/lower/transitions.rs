//! Transitions: parameters, guard, statements.

use super::{
    consistency,
    elaborate::{Binding, Context, Elaborator, Phrase},
    environment::{Environment, Meaning, SymbolInfo},
    threads::{LockRef, Lowering, Operation},
    types::{Type, lock_word},
};
use crate::{
    ir::{
        Arm, At, Domain, Formula, LockKind, Property, PropertyKind, Relation, Rule, RuleId, Sort, SymbolId, Term, Transition,
        Update, Value, Var,
    },
    syntax::{
        SyntaxKind,
        ast::{self, AstNode, Expr, Statement},
    },
};
use source::{Diagnostic, Diagnostics, Span, nearest};

/// Each arm is compared with all before it, for a warning; beyond so many that is not worth the time.
const MAX_ARMS_COMPARED: usize = 200;

/// What a transition of the source becomes.
pub(super) struct Lowered {
    pub(super) rule: Rule,
    pub(super) transitions: Vec<Transition>,
    /// Steps that would break a rule of the language: misuse of locks, values outside of a range.
    pub(super) violations: Vec<Property>,
}

/// Lowers one transition.
pub(super) fn transition(env: &Environment, item: &ast::Transition, id: RuleId, out: &mut Diagnostics, named: &mut u32) -> Lowered {
    let mut elaborator = Elaborator::new(env, out, Context::Guard);
    let kinds = elaborator.bind_params(item.params());
    check_weak_actor(&mut elaborator, item);
    let rule = rule(&elaborator, item);
    let actor_active = match (&env.threads, elaborator.actor) {
        (Some(threads), Some(actor)) => Some(threads.active(Term::Var(actor))),
        _ => None,
    };
    let guard_expr = item.requires().and_then(|requires| requires.block()).and_then(|block| block.formula());
    let guard = guard_expr.as_ref().map_or(Formula::True, |formula| elaborator.formula(formula));
    let guard = Formula::and(kinds.into_iter().chain(actor_active).chain([guard]));
    if let Some(expr) = guard_expr.filter(|_| !consistency::satisfiable(env, &guard, &elaborator.params)) {
        elaborator.out.push(
            Diagnostic::warning("unsatisfiable-guard", expr.span(), format!("`{}` can never be taken", rule.name))
                .label("this contradicts itself"),
        );
    }
    let mut body = Body::new(elaborator, guard, id);
    body.statements(item.body());
    body.elaborator.leave_scope(0);
    *named = body.elaborator.named_processes.max(*named);
    let (transitions, violations) = body.finish();
    Lowered { rule, transitions, violations }
}

fn rule(elaborator: &Elaborator<'_>, item: &ast::Transition) -> Rule {
    let name = item.name();
    Rule {
        name: name.as_ref().map_or(String::new(), ast::Name::text),
        params: elaborator.params.iter().map(|param| elaborator.variables[param.index()].clone()).collect(),
        actor: elaborator.params.iter().position(|param| Some(*param) == elaborator.actor),
        at: At(name.map_or(item.span(), |name| name.span())),
    }
}

fn check_weak_actor(elaborator: &mut Elaborator<'_>, item: &ast::Transition) {
    if elaborator.env.weak && elaborator.actor.is_none() {
        let at = item.name().map_or(item.span(), |name| name.span());
        elaborator.out.push(
            Diagnostic::error("weak-without-actor", at, "this transition has no actor")
                .label("whose reads and writes are these?")
                .help("in a model with weak symbols every step is one of a process, in brackets: `([i] j)`"),
        );
    }
}

/// The body of a transition while it is put together.
struct Body<'e> {
    elaborator: Elaborator<'e>,
    guard: Formula,
    rule: RuleId,
    updates: Vec<Update>,
    /// Values outside of their domain: the formula and the statement.
    out_of_range: Vec<(Formula, Span)>,
    primitive: Option<(Operation, LockRef, Span)>,
    /// The first primitive, even if something is wrong with it.
    primitive_at: Option<Span>,
    assigned: Vec<(SymbolId, Span)>,
}

impl<'e> Body<'e> {
    fn new(mut elaborator: Elaborator<'e>, guard: Formula, rule: RuleId) -> Body<'e> {
        elaborator.context = Context::Body;
        Body {
            elaborator,
            guard,
            rule,
            updates: vec![],
            out_of_range: vec![],
            primitive: None,
            primitive_at: None,
            assigned: vec![],
        }
    }

    fn statements(&mut self, body: Option<ast::Body>) {
        let Some(body) = body else { return };
        for binding in body.lets() {
            if let (Some(name), Some(value)) = (binding.name(), binding.value()) {
                let phrase = self.elaborator.term(&value).map_or(Phrase::Unknown, |(term, ty)| Phrase::Term(term, ty));
                self.elaborator.push(&name, Binding::Phrase(phrase));
            }
        }
        for statement in body.statements() {
            match statement {
                Statement::Assignment(assignment) => self.assignment(&assignment),
                Statement::Primitive(primitive) => self.primitive(&primitive),
            }
        }
    }

    fn assignment(&mut self, item: &ast::Assignment) {
        let Some(target) = item.target() else { return };
        let Some(info) = self.target_symbol(&target) else {
            // Errors in the rest are worth a message all the same.
            self.look_at_value(item);
            return;
        };
        if !self.check_assignable(&info, &target) {
            return;
        }
        let before = self.elaborator.scope.len();
        let update = match (&target, item.case()) {
            (Expr::IndexExpr(cell), Some(case)) => self.cells_by_case(&info, cell, &case),
            (Expr::IndexExpr(cell), None) => self.single_cell(&info, cell, item),
            (_, Some(case)) => {
                let fits = self.elaborator.check_arity(&info, 0, target.span());
                let arms = self.arms(&info, &[], &case);
                fits.then_some((vec![], arms))
            }
            (_, None) => {
                let fits = self.elaborator.check_arity(&info, 0, target.span());
                let arm = self.plain_value(&info, &[], item).map(|value| Arm { condition: Formula::True, value });
                fits.then_some((vec![], arm.into_iter().collect()))
            }
        };
        self.elaborator.leave_scope(before);
        if let Some((cell, arms)) = update {
            self.push_update(Update { symbol: info.id, cell, arms, at: At(item.span()) });
        }
    }

    fn look_at_value(&mut self, item: &ast::Assignment) {
        if let Some(value) = item.value() {
            self.elaborator.term(&value);
        }
    }

    fn target_symbol(&mut self, target: &Expr) -> Option<SymbolInfo> {
        let token = match target {
            Expr::NameExpr(name) => name.token()?,
            Expr::IndexExpr(cell) => cell.array()?.token()?,
            _ => return None,
        };
        match self.elaborator.env.lookup(token.text()) {
            Some(Meaning::Symbol(info)) => Some(info.clone()),
            Some(Meaning::Broken) => None,
            Some(Meaning::Constructor(..)) => {
                self.elaborator.out.push(
                    Diagnostic::error("assign-to-constant", token.text_range(), format!("`{}` cannot be assigned", token.text()))
                        .label("a constructor"),
                );
                None
            }
            None => {
                self.elaborator.unknown_name(&token);
                None
            }
        }
    }

    fn check_assignable(&mut self, info: &SymbolInfo, target: &Expr) -> bool {
        let (name, at) = (self.elaborator.declared_name(info), target.span());
        let out = &mut self.elaborator.out;
        if info.constant {
            out.push(
                Diagnostic::error("assign-to-constant", at, format!("the constant `{name}` cannot be assigned"))
                    .also(info.at, "declared `const` here"),
            );
            return false;
        }
        if let Type::Lock(kind) = info.ty {
            out.push(
                Diagnostic::error("assign-to-lock", at, format!("a `{}` cannot be assigned", lock_word(kind)))
                    .label("only `acquire`, `release` and the like change it")
                    .also(info.at, "declared here"),
            );
            return false;
        }
        if let Some((_, first)) = self.assigned.iter().find(|(symbol, _)| *symbol == info.id) {
            out.push(
                Diagnostic::error("assigned-twice", at, format!("`{name}` is assigned twice"))
                    .label("assigned again here")
                    .also(*first, "first assigned here")
                    .help(format!("all assignments of a step happen at once: use one `{name} := case | … | _ : …`")),
            );
            return false;
        }
        self.assigned.push((info.id, at));
        true
    }

    /// `A[i] := t`, `A[Turn] := ?`
    fn single_cell(&mut self, info: &SymbolInfo, cell: &ast::IndexExpr, item: &ast::Assignment) -> Option<(Vec<Var>, Vec<Arm>)> {
        let location = self.elaborator.location(cell);
        let variables: Vec<Var> = ["k", "l"].iter().cycle().take(info.arity).map(|name| self.elaborator.fresh(name)).collect();
        let value = self.plain_value(info, &[], item);
        let (_, indices) = location?;
        if !self.elaborator.check_arity(info, indices.len(), cell.span()) {
            return None;
        }
        let own = matches!(indices.first(), Some(Term::Var(var)) if self.elaborator.is_actor(*var));
        if self.elaborator.env.weak && !info.weak && !own {
            self.elaborator.foreign_register(info, cell.span(), "write");
        }
        // `A[i] := A[i]` keeps the cell.
        let keeps = matches!(&value, Some(Value::Term(Term::Read { symbol, indices: read, reader: None })) if *symbol == info.id && *read == indices);
        let value = if keeps { Value::Keep } else { value? };
        let here = variables.iter().zip(indices).map(|(var, index)| Formula::Compare(Relation::Eq, Term::Var(*var), index));
        Some((variables.clone(), vec![Arm { condition: Formula::and(here), value }]))
    }

    /// `A[k] := case …`: the indices are new variables that range over all processes.
    fn cells_by_case(&mut self, info: &SymbolInfo, cell: &ast::IndexExpr, case: &ast::Case) -> Option<(Vec<Var>, Vec<Arm>)> {
        let indices: Vec<Expr> = cell.list()?.indices().collect();
        let mut variables = Vec::new();
        for index in &indices {
            variables.push(self.cell_variable(index)?);
        }
        let fits = self.elaborator.check_arity(info, variables.len(), cell.span());
        let arms = self.arms(info, &variables, case);
        fits.then_some((variables, arms))
    }

    fn cell_variable(&mut self, index: &Expr) -> Option<Var> {
        let token = match index {
            Expr::NameExpr(name) => name.token().filter(|token| token.kind() == SyntaxKind::LowerName),
            _ => None,
        };
        let known = token.as_ref().and_then(|token| self.elaborator.scope.iter().find(|entry| entry.name == token.text()));
        let (Some(token), None) = (&token, known) else {
            self.elaborator.out.push(
                Diagnostic::error("case-index", index.span(), "the index of a `case` update must be a new variable")
                    .label("stands for every process in turn")
                    .help("to update one cell by cases, write `A[k] := case | k = i && f : t | _ : A[k]`"),
            );
            return None;
        };
        let var = self.elaborator.fresh(token.text());
        self.elaborator.scope.push(super::elaborate::Entry {
            name: token.text().to_owned(),
            binding: Binding::Var(var, Type::Proc(None)),
            at: token.text_range(),
            // `A[k] := case | _ : V` is the way to set all cells.
            used: true,
        });
        Some(var)
    }

    fn arms(&mut self, info: &SymbolInfo, cell: &[Var], case: &ast::Case) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        let mut default: Option<Span> = None;
        for arm in case.arms() {
            let condition = arm.condition().map_or(Formula::True, |condition| self.elaborator.formula(&condition));
            self.check_reachable(&arm, &condition, &arms, default);
            if arm.default().is_some() || condition == Formula::True {
                default = default.or(Some(arm.span()));
            }
            let aliases = self.alias_actor(&condition, cell);
            let value = match arm.any() {
                Some(_) => Some(Value::Any),
                None => arm.value().and_then(|value| self.value(info, cell, &value)),
            };
            self.check_register_write(info, cell, value.as_ref(), arm.span());
            self.elaborator.actor_aliases.truncate(aliases);
            arms.extend(value.map(|value| Arm { condition, value }));
        }
        self.check_default(info, case, &arms, default);
        arms
    }

    /// In an arm for `k = i` with `i` the actor, `k` is the actor. Returns how many aliases there were before.
    fn alias_actor(&mut self, condition: &Formula, cell: &[Var]) -> usize {
        let before = self.elaborator.actor_aliases.len();
        for conjunct in condition.conjuncts() {
            if let Formula::Compare(Relation::Eq, Term::Var(a), Term::Var(b)) = conjunct {
                for (own, other) in [(a, b), (b, a)] {
                    if self.elaborator.is_actor(*own) && cell.contains(other) {
                        self.elaborator.actor_aliases.push(*other);
                    }
                }
            }
        }
        before
    }

    fn check_register_write(&mut self, info: &SymbolInfo, cell: &[Var], value: Option<&Value>, at: Span) {
        let Some(owner) = cell.first() else { return };
        let writes = value.is_some_and(|value| *value != Value::Keep);
        if self.elaborator.env.weak && !info.weak && writes && !self.elaborator.is_actor(*owner) {
            self.elaborator.foreign_register(info, at, "write");
        }
    }

    fn check_reachable(&mut self, arm: &ast::Arm, condition: &Formula, earlier: &[Arm], default: Option<Span>) {
        let unreachable = Diagnostic::warning("unreachable-arm", arm.span(), "this arm is never taken");
        if let Some(default) = default {
            self.elaborator.out.push(unreachable.also(default, "this arm applies to everything that is left"));
        } else if arm.default().is_none() && !self.possible(condition, earlier) {
            self.elaborator.out.push(unreachable.label("it contradicts the guard or the arms before it"));
        }
    }

    /// Whether the guard, none of the earlier arms and the condition can hold together, as far as one can tell.
    fn possible(&self, condition: &Formula, earlier: &[Arm]) -> bool {
        if earlier.len() > MAX_ARMS_COMPARED {
            return true;
        }
        let others = earlier.iter().map(|arm| arm.condition.clone().not());
        let all = Formula::and([self.guard.clone(), condition.clone()].into_iter().chain(others));
        consistency::satisfiable(self.elaborator.env, &all, &self.elaborator.params)
    }

    fn check_default(&mut self, info: &SymbolInfo, case: &ast::Case, arms: &[Arm], default: Option<Span>) {
        if default.is_none() && self.possible(&Formula::True, arms) {
            let name = self.elaborator.declared_name(info);
            let at = case.arms().last().map_or(case.span(), |arm| arm.span());
            self.elaborator.out.push(
                Diagnostic::warning("missing-default", case.span(), format!("this `case` of `{name}` has no `_` arm"))
                    .label("where no arm applies, the old value is kept")
                    .fix(Span::empty(at.end()), format!(" | _ : {}", self.kept(info)), "to say so, add"),
            );
        }
    }

    fn kept(&self, info: &SymbolInfo) -> String {
        let name = self.elaborator.declared_name(info);
        let cells: Vec<&str> = self.elaborator.scope.iter().rev().take(info.arity).map(|entry| entry.name.as_str()).collect();
        if cells.is_empty() { name } else { format!("{name}[{}]", cells.into_iter().rev().collect::<Vec<_>>().join(", ")) }
    }

    fn plain_value(&mut self, info: &SymbolInfo, cell: &[Var], item: &ast::Assignment) -> Option<Value> {
        if item.any().is_some() {
            return Some(Value::Any);
        }
        let expr = item.value()?;
        self.value(info, cell, &expr)
    }

    fn value(&mut self, info: &SymbolInfo, cell: &[Var], expr: &Expr) -> Option<Value> {
        let reads_weak = self.elaborator.reads_weak;
        let keeps = self.is_kept(info, cell, expr);
        if keeps {
            return Some(Value::Keep);
        }
        let (term, ty) = self.elaborator.term(expr)?;
        if let Type::Lock(kind) = ty {
            self.elaborator.lock_as_value(kind, expr.span());
            return None;
        }
        if !info.ty.fits(ty) || kinds_differ(info.ty, ty) {
            self.wrong_type(info, ty, expr.span());
            return None;
        }
        self.elaborator.reads_weak |= reads_weak;
        Some(Value::Term(term))
    }

    /// `_ : A[k]` keeps the old value, and reads nothing.
    fn is_kept(&mut self, info: &SymbolInfo, cell: &[Var], expr: &Expr) -> bool {
        let (name, indices): (_, Vec<Expr>) = match expr {
            Expr::NameExpr(name) => (Some(name.clone()), vec![]),
            Expr::IndexExpr(read) => (read.array(), read.list().into_iter().flat_map(|list| list.indices()).collect()),
            _ => return false,
        };
        let Some(token) = name.and_then(|name| name.token()) else { return false };
        let same = matches!(self.elaborator.env.lookup(token.text()), Some(Meaning::Symbol(read)) if read.id == info.id);
        same && indices.len() == cell.len() && info.arity == cell.len() && {
            let names = indices.iter().zip(cell).all(|(index, var)| self.names_variable(index, *var));
            names
        }
    }

    fn names_variable(&self, expr: &Expr, var: Var) -> bool {
        let Expr::NameExpr(name) = expr else { return false };
        let Some(token) = name.token() else { return false };
        let entry = self.elaborator.scope.iter().rev().find(|entry| entry.name == token.text());
        matches!(entry.map(|entry| &entry.binding), Some(Binding::Var(found, _)) if *found == var)
    }

    fn wrong_type(&mut self, info: &SymbolInfo, found: Type, at: Span) {
        let env = self.elaborator.env;
        let (name, expected, found) = (self.elaborator.declared_name(info), info.ty.describe(env), found.describe(env));
        self.elaborator.out.push(
            Diagnostic::error("type-mismatch", at, format!("`{name}` has type {expected}, found {found}"))
                .label(format!("of type {found}"))
                .also(info.at, format!("declared with type {expected}")),
        );
    }

    fn push_update(&mut self, update: Update) {
        self.out_of_range.extend(self.outside_domain(&update).map(|bad| (bad, update.at.0)));
        self.updates.push(update);
    }

    /// When an update would assign a value outside of the symbol's domain.
    fn outside_domain(&self, update: &Update) -> Option<Formula> {
        let domain = self.elaborator.env.symbols[update.symbol.index()].domain;
        let mut bad = Vec::new();
        for (at, arm) in update.arms.iter().enumerate() {
            let Value::Term(term) = &arm.value else { continue };
            let outside = self.outside(domain, term);
            let earlier = update.arms[..at].iter().map(|arm| arm.condition.clone().not());
            bad.push(Formula::and(earlier.chain([arm.condition.clone(), outside])));
        }
        let bad = Formula::or(bad);
        if bad == Formula::False {
            return None;
        }
        if let Some((indices, _)) = update.single_cell() {
            let index = |var: Var| update.cell.iter().position(|cell| *cell == var).map(|at| indices[at].clone());
            return Some(bad.substitute(&index));
        }
        Some(if update.cell.is_empty() { bad } else { some_cells(&update.cell, bad) })
    }

    fn outside(&self, domain: Domain, term: &Term) -> Formula {
        let env = self.elaborator.env;
        let own_domain = term.symbol().map(|symbol| env.symbols[symbol.index()].domain);
        match domain {
            Domain::Full => Formula::False,
            Domain::Range(low, high) => {
                if matches!(own_domain, Some(Domain::Range(l, h)) if low <= l && h <= high) {
                    return Formula::False;
                }
                let below = Formula::compare(Relation::Lt, term.clone(), Term::int(low));
                Formula::or([below, Formula::compare(Relation::Lt, Term::int(high), term.clone())])
            }
            Domain::Kind(kind) => {
                let Some(symbol) = env.kind_symbol.filter(|_| own_domain != Some(domain)) else { return Formula::False };
                let Sort::Enum(kinds) = env.symbols[symbol.index()].sort else { return Formula::False };
                Formula::neq(Term::read(symbol, vec![term.clone()]), Term::Constructor(kinds, kind.0))
            }
        }
    }

    /// `acquire(L, i)` and the like.
    fn primitive(&mut self, item: &ast::Primitive) {
        let Some(name) = item.name() else { return };
        let arguments: Vec<Expr> = item.arguments().into_iter().flat_map(|list| list.arguments()).collect();
        let Some((_, operation)) = Operation::ALL.iter().find(|(word, _)| *word == name.text()) else {
            let words = Operation::ALL.iter().map(|(word, _)| *word);
            self.elaborator.out.push(
                Diagnostic::error("unknown-primitive", name.span(), format!("unknown statement `{}`", name.text()))
                    .label("not `acquire`, `release`, `wait`, `notify` or `notify_all`")
                    .did_you_mean(nearest(&name.text(), words)),
            );
            return;
        };
        let [lock, process] = arguments.as_slice() else {
            self.elaborator.out.push(
                Diagnostic::error("wrong-arguments", item.span(), format!("`{}` is written `{0}(L, i)`", name.text()))
                    .label("needs a lock and the process that acts"),
            );
            return;
        };
        self.check_single_primitive(item.span());
        let reference = self.elaborator.lock_location(lock);
        let acts = self.check_actor(&name, process, item.span());
        let Some(reference) = reference else { return };
        if self.check_condition(*operation, &name, &reference, lock.span()) && acts {
            self.primitive.get_or_insert((*operation, reference, item.span()));
        }
    }

    fn check_single_primitive(&mut self, at: Span) {
        if let Some(first) = self.primitive_at {
            self.elaborator.out.push(
                Diagnostic::error("several-primitives", at, "a transition has at most one lock operation")
                    .label("a second one")
                    .also(first, "the first")
                    .help("a process that must wait half way through a step would break the step in two: use two transitions"),
            );
        }
        self.primitive_at.get_or_insert(at);
    }

    fn check_actor(&mut self, name: &ast::Name, process: &Expr, at: Span) -> bool {
        let found = self.elaborator.process(process);
        let Some(actor) = self.elaborator.actor else {
            self.elaborator.out.push(
                Diagnostic::error("primitive-without-actor", at, format!("`{}` needs a transition with an actor", name.text()))
                    .label("who would wait?")
                    .help("put the process that acts in brackets: `transition t ([i])`"),
            );
            return false;
        };
        let own = found == Some(Term::Var(actor));
        if !own && found.is_some() {
            let actor = self.elaborator.variables[actor.index()].clone();
            self.elaborator.out.push(
                Diagnostic::error("primitive-of-another", process.span(), format!("only the actor can `{}`", name.text()))
                    .label("not the process in brackets")
                    .fix(process.span(), actor.clone(), format!("the actor is `{actor}`")),
            );
        }
        own
    }

    fn check_condition(&mut self, operation: Operation, name: &ast::Name, lock: &LockRef, at: Span) -> bool {
        let Some(threads) = &self.elaborator.env.threads else { return false };
        let kind = threads.locks[lock.lock].kind;
        if operation.needs_condition() && kind != LockKind::Condition {
            self.elaborator.out.push(
                Diagnostic::error("expected-condition", at, format!("`{}` works on a `condition` only", name.text()))
                    .label(format!("this is a `{}`", lock_word(kind))),
            );
            return false;
        }
        true
    }

    /// The transitions, and the properties that say when a step of this rule breaks something.
    fn finish(mut self) -> (Vec<Transition>, Vec<Property>) {
        let mut violations = Vec::new();
        let mut guard = self.guard.clone();
        for (bad, at) in std::mem::take(&mut self.out_of_range) {
            let step = Formula::and([self.guard.clone(), bad.clone()]);
            violations.push(self.violation(PropertyKind::Range, step, at));
            guard = Formula::and([guard, bad.not()]);
        }
        let mut transition = Transition {
            rule: self.rule,
            params: self.elaborator.params.clone(),
            variables: vec![],
            actor: self.elaborator.actor,
            woken: None,
            guard,
            updates: std::mem::take(&mut self.updates),
            reads_weak: self.elaborator.reads_weak,
        };
        let (Some((operation, lock, at)), Some(threads), Some(actor)) =
            (self.primitive.take(), &self.elaborator.env.threads, self.elaborator.actor)
        else {
            transition.variables = self.elaborator.variables;
            return (vec![transition], violations);
        };
        let lowering = Lowering::new(threads, lock, actor, &mut self.elaborator);
        if let Some(misuse) = lowering.misuse(operation) {
            let step = Formula::and([self.guard.clone(), misuse]);
            violations.push(self.violation(PropertyKind::Misuse, step, at));
        }
        transition.variables.clone_from(&self.elaborator.variables);
        (lowering.lower(operation, &transition, At(at)), violations)
    }

    fn violation(&self, kind: PropertyKind, formula: Formula, at: Span) -> Property {
        Property {
            kind,
            // Numbered once all of them are known.
            name: String::new(),
            params: self.elaborator.params.clone(),
            variables: self.elaborator.variables.clone(),
            formula,
            rule: Some(self.rule),
            at: At(at),
        }
    }
}

/// For some processes, not assumed distinct: one quantifier for each variable.
fn some_cells(cells: &[Var], body: Formula) -> Formula {
    cells.iter().rev().fold(body, |body, cell| Formula::exists(vec![*cell], body))
}

fn kinds_differ(expected: Type, found: Type) -> bool {
    matches!((expected, found), (Type::Proc(Some(a)), Type::Proc(Some(b))) if a != b)
}

impl Elaborator<'_> {
    /// A lock or a cell of an array of locks.
    pub(super) fn lock_location(&mut self, expr: &Expr) -> Option<LockRef> {
        let (info, indices) = match expr {
            Expr::IndexExpr(cell) => self.location(cell)?,
            Expr::NameExpr(name) => {
                let token = name.token()?;
                match self.env.lookup(token.text()) {
                    Some(Meaning::Symbol(info)) => (info.clone(), vec![]),
                    Some(Meaning::Broken) => return None,
                    _ => {
                        self.not_a_lock(expr.span());
                        return None;
                    }
                }
            }
            _ => {
                self.not_a_lock(expr.span());
                return None;
            }
        };
        let Some(lock) = info.lock else {
            self.not_a_lock(expr.span());
            return None;
        };
        let fits = self.check_arity(&info, indices.len(), expr.span());
        fits.then(|| LockRef { lock, index: indices.into_iter().next() })
    }

    fn not_a_lock(&mut self, at: Span) {
        self.out.push(
            Diagnostic::error("expected-lock", at, "expected a lock, a condition or a semaphore")
                .help("locks are variables or cells of type `lock`, `rlock`, `condition` or `semaphore`"),
        );
    }
}
