//! Assignments: one cell, all cells by case, and values outside of their domain.

use super::{
    consistency,
    elaborate::{Binding, Entry},
    environment::{Meaning, SymbolInfo},
    transitions::Body,
    types::{Type, lock_word},
};
use crate::syntax::{
    SyntaxKind,
    ast::{self, AstNode, Expr},
};
use ir::{Arm, At, Domain, Formula, Relation, Sort, Term, Update, Value, Var};
use source::{Diagnostic, Span};

impl Body<'_> {
    pub(super) fn assignment(&mut self, item: &ast::Assignment) {
        let Some(target) = item.target() else { return };
        let info = self.target_symbol(&target).filter(|info| self.check_assignable(info, &target));
        let Some(info) = info else {
            // Errors in the rest are reported nevertheless.
            self.look_at_rest(&target, item);
            return;
        };
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
                let arm =
                    self.plain_value(&info, &[], item).map(|value| Arm { condition: Formula::True, value });
                fits.then_some((vec![], arm.into_iter().collect()))
            }
        };
        self.elaborator.leave_scope(before);
        if let Some((cell, arms)) = update {
            self.push_update(Update { symbol: info.id, cell, arms, at: At(item.span()) });
        }
    }

    /// Elaborates the rest of an assignment with an invalid target, for its messages.
    fn look_at_rest(&mut self, target: &Expr, item: &ast::Assignment) {
        let before = self.elaborator.scope.len();
        if let (Expr::IndexExpr(cell), Some(_)) = (target, item.case()) {
            let indices = cell.list().into_iter().flat_map(|list| list.indices());
            let _: Vec<Option<Var>> = indices.map(|index| self.cell_variable(&index)).collect();
        }
        for arm in item.case().into_iter().flat_map(|case| case.arms()) {
            if let Some(condition) = arm.condition() {
                self.elaborator.formula(&condition);
            }
            if let Some(value) = arm.value() {
                self.elaborator.term(&value);
            }
        }
        if let Some(value) = item.value() {
            self.elaborator.term(&value);
        }
        self.elaborator.leave_scope(before);
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
                    Diagnostic::error(
                        "assign-to-constant",
                        token.text_range(),
                        format!("`{}` cannot be assigned", token.text()),
                    )
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
        let out = &mut *self.elaborator.out;
        if info.constant {
            out.push(
                Diagnostic::error(
                    "assign-to-constant",
                    at,
                    format!("the constant `{name}` cannot be assigned"),
                )
                .also(info.at, "declared `const` here"),
            );
            return false;
        }
        if let Type::Lock(kind) = info.ty {
            out.push(
                Diagnostic::error(
                    "assign-to-lock",
                    at,
                    format!("a `{}` cannot be assigned", lock_word(kind)),
                )
                .label("only `acquire`, `release` and the like change it")
                .also(info.at, "declared here"),
            );
            return false;
        }
        if let Some((_, first)) = self.assigned.iter().find(|(symbol, _)| *symbol == info.id) {
            let once = match info.arity {
                0 => format!("{name} := case | … | _ : {name}"),
                1 => format!("{name}[k] := case | k = i : … | _ : {name}[k]"),
                _ => format!("{name}[k,l] := case | … | _ : {name}[k,l]"),
            };
            out.push(
                Diagnostic::error("assigned-twice", at, format!("`{name}` is assigned twice"))
                    .label("assigned again here")
                    .also(*first, "first assigned here")
                    .help(format!("all assignments of a step happen at once: use one `{once}`")),
            );
            return false;
        }
        self.assigned.push((info.id, at));
        true
    }

    /// `A[i] := t`, `A[Turn] := ?`
    fn single_cell(
        &mut self,
        info: &SymbolInfo,
        cell: &ast::IndexExpr,
        item: &ast::Assignment,
    ) -> Option<(Vec<Var>, Vec<Arm>)> {
        let location = self.elaborator.location(cell);
        let variables: Vec<Var> = ["k", "l"]
            .iter()
            .cycle()
            .take(info.arity)
            .map(|name| self.elaborator.variables.fresh(name))
            .collect();
        let reads_weak = self.elaborator.mentions.weak;
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
        if keeps {
            self.elaborator.mentions.weak = reads_weak;
        }
        let value = if keeps { Value::Keep } else { value? };
        let here = variables
            .iter()
            .zip(indices)
            .map(|(var, index)| Formula::Compare(Relation::Eq, Term::Var(*var), index));
        Some((variables.clone(), vec![Arm { condition: Formula::and(here), value }]))
    }

    /// `A[k] := case …`: the indices are new variables that range over all processes.
    fn cells_by_case(
        &mut self,
        info: &SymbolInfo,
        cell: &ast::IndexExpr,
        case: &ast::Case,
    ) -> Option<(Vec<Var>, Vec<Arm>)> {
        let indices: Vec<Expr> = cell.list()?.indices().collect();
        let variables: Vec<Option<Var>> = indices.iter().map(|index| self.cell_variable(index)).collect();
        let known: Vec<Var> = variables.iter().copied().flatten().collect();
        let fits =
            known.len() == variables.len() && self.elaborator.check_arity(info, known.len(), cell.span());
        let arms = self.arms(info, &known, case);
        fits.then_some((known, arms))
    }

    fn cell_variable(&mut self, index: &Expr) -> Option<Var> {
        let token = match index {
            Expr::NameExpr(name) => name.token().filter(|token| token.kind() == SyntaxKind::LowerName),
            _ => None,
        };
        let known = token
            .as_ref()
            .and_then(|token| self.elaborator.scope.iter().find(|entry| entry.name == token.text()));
        let (Some(token), None) = (&token, known) else {
            self.elaborator.out.push(
                Diagnostic::error(
                    "case-index",
                    index.span(),
                    "the index of a `case` update must be a new variable",
                )
                .label("stands for every process in turn")
                .help("to update one cell by cases, write `A[k] := case | k = i && f : t | _ : A[k]`"),
            );
            return None;
        };
        let var = self.elaborator.variables.enter(token.text());
        let binding = Binding::Var(var, Type::Proc(None));
        // `A[k] := case | _ : V` is the way to set all cells.
        self.elaborator
            .scope
            .push(Entry::new(token.text().to_owned(), binding, token.text_range()).optional());
        Some(var)
    }

    fn arms(&mut self, info: &SymbolInfo, cell: &[Var], case: &ast::Case) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        let mut default: Option<Span> = None;
        for arm in self.elaborator.few_arms(case) {
            let condition = arm.condition();
            let aliases = self.alias_actor(condition.as_ref(), cell);
            let condition = condition.map_or(Formula::True, |condition| self.elaborator.formula(&condition));
            self.check_reachable(&arm, &condition, &arms, default);
            if arm.default().is_some() || condition == Formula::True {
                default = default.or(Some(arm.span()));
            }
            let value = match arm.any() {
                Some(_) => Some(Value::Any),
                None => arm.value().and_then(|value| self.value(info, cell, &value)),
            };
            self.check_register_write(info, cell, value.as_ref(), arm.span());
            self.elaborator.actor.aliases.truncate(aliases);
            arms.extend(value.map(|value| Arm { condition, value }));
        }
        self.check_default(info, case, &arms, default);
        arms
    }

    /// In an arm for `k = i` with `i` the actor, `k` is the actor. Returns how many aliases there were before.
    fn alias_actor(&mut self, condition: Option<&Expr>, cell: &[Var]) -> usize {
        let before = self.elaborator.actor.aliases.len();
        let Some(actor) = self.elaborator.actor.var else { return before };
        let conjuncts: Vec<Expr> = match condition {
            Some(Expr::AndExpr(and)) => and.operands().collect(),
            other => other.into_iter().cloned().collect(),
        };
        for conjunct in conjuncts {
            let Expr::CompareExpr(compare) = conjunct else { continue };
            let equation = compare.operator().is_some_and(|operator| operator.kind() == SyntaxKind::Eq);
            let sides: Vec<Expr> = compare.operands().collect();
            for var in cell {
                let names = |expr: &Expr, var| self.names_variable(expr, var);
                let pair = |a: usize, b: usize| names(&sides[a], *var) && names(&sides[b], actor);
                if equation && sides.len() == 2 && (pair(0, 1) || pair(1, 0)) {
                    self.elaborator.actor.aliases.push(*var);
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

    fn check_reachable(
        &mut self,
        arm: &ast::Arm,
        condition: &Formula,
        earlier: &[Arm],
        default: Option<Span>,
    ) {
        if !self.elaborator.sound() {
            return;
        }
        let unreachable = Diagnostic::warning("unreachable-arm", arm.span(), "this arm is never taken");
        if let Some(default) = default {
            self.elaborator
                .out
                .push(unreachable.also(default, "this arm applies to everything that is left"));
        } else if arm.default().is_none() && !self.possible(condition, earlier) {
            self.elaborator.out.push(unreachable.label("it contradicts the guard or the arms before it"));
        }
    }

    /// Whether the condition may hold together with the guard and without any earlier arm. May be true for an
    /// impossible arm.
    fn possible(&self, condition: &Formula, earlier: &[Arm]) -> bool {
        let others = earlier.iter().map(|arm| arm.condition.clone().not());
        let all = Formula::and([self.guard.clone(), condition.clone()].into_iter().chain(others));
        consistency::satisfiable(self.elaborator.env, &all, &self.elaborator.params)
    }

    fn check_default(&mut self, info: &SymbolInfo, case: &ast::Case, arms: &[Arm], default: Option<Span>) {
        if self.elaborator.sound() && default.is_none() && self.possible(&Formula::True, arms) {
            let name = self.elaborator.declared_name(info);
            let at = case.arms().last().map_or(case.span(), |arm| arm.span());
            self.elaborator.out.push(
                Diagnostic::warning(
                    "missing-default",
                    case.span(),
                    format!("this `case` of `{name}` has no `_` arm"),
                )
                .label("where no arm applies, the old value is kept")
                .fix(
                    Span::empty(at.end()),
                    format!(" | _ : {}", self.kept(info)),
                    "to say so, add",
                ),
            );
        }
    }

    fn kept(&self, info: &SymbolInfo) -> String {
        let name = self.elaborator.declared_name(info);
        let cells: Vec<&str> =
            self.elaborator.scope.iter().rev().take(info.arity).map(|entry| entry.name.as_str()).collect();
        if cells.is_empty() {
            name
        } else {
            format!("{name}[{}]", cells.into_iter().rev().collect::<Vec<_>>().join(", "))
        }
    }

    fn plain_value(&mut self, info: &SymbolInfo, cell: &[Var], item: &ast::Assignment) -> Option<Value> {
        if item.any().is_some() {
            return Some(Value::Any);
        }
        let expr = item.value()?;
        self.value(info, cell, &expr)
    }

    fn value(&mut self, info: &SymbolInfo, cell: &[Var], expr: &Expr) -> Option<Value> {
        if self.is_kept(info, cell, expr) {
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
        Some(Value::Term(term))
    }

    /// `_ : A[k]` keeps the old value, and reads nothing.
    fn is_kept(&mut self, info: &SymbolInfo, cell: &[Var], expr: &Expr) -> bool {
        let (name, indices): (_, Vec<Expr>) = match expr {
            Expr::NameExpr(name) => (Some(name.clone()), vec![]),
            Expr::IndexExpr(read) => {
                (read.array(), read.list().into_iter().flat_map(|list| list.indices()).collect())
            }
            _ => return false,
        };
        let Some(token) = name.and_then(|name| name.token()) else { return false };
        let same = matches!(self.elaborator.env.lookup(token.text()), Some(Meaning::Symbol(read)) if read.id == info.id);
        same && indices.len() == cell.len() && info.arity == cell.len() && {
            indices.iter().zip(cell).all(|(index, var)| self.names_variable(index, *var))
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
        let (name, expected, found) =
            (self.elaborator.declared_name(info), info.ty.describe(env), found.describe(env));
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

    /// The condition that an update assigns a value outside of the symbol's domain; `None` if it cannot.
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
            let index =
                |var: Var| update.cell.iter().position(|cell| *cell == var).map(|at| indices[at].clone());
            return Some(bad.substitute(&index));
        }
        Some(if update.cell.is_empty() { bad } else { some_cells(&update.cell, bad) })
    }

    fn outside(&self, domain: Domain, term: &Term) -> Formula {
        let env = self.elaborator.env;
        let own_domain = term.read_symbol().map(|symbol| env.symbols[symbol.index()].domain);
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
                let Some(symbol) = env.kind_symbol.filter(|_| own_domain != Some(domain)) else {
                    return Formula::False;
                };
                let Sort::Enum(kinds) = env.symbols[symbol.index()].sort else { return Formula::False };
                Formula::neq(Term::read(symbol, vec![term.clone()]), Term::Constructor(kinds, kind.0))
            }
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
