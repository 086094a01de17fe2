//! Assignments: one cell, all cells by case, and values outside of their domain.

use super::{
    consistency,
    elaborate::{Binding, Entry},
    environment::{Meaning, SymbolInfo},
    transitions::Body,
    types::{Type, lock_word},
};
use crate::{
    ir::{Arm, At, Domain, Formula, Relation, Sort, Term, Update, Value, Var},
    syntax::{
        SyntaxKind,
        ast::{self, AstNode, Expr},
    },
};
use source::{Diagnostic, Span};

/// Each arm is compared with all before it, for a warning; beyond so many that is not worth the time.
const MAX_ARMS_COMPARED: usize = 200;

impl Body<'_> {
    pub(super) fn assignment(&mut self, item: &ast::Assignment) {
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
            out.push(
                Diagnostic::error("assigned-twice", at, format!("`{name}` is assigned twice"))
                    .label("assigned again here")
                    .also(*first, "first assigned here")
                    .help(format!(
                        "all assignments of a step happen at once: use one `{name} := case | … | _ : …`"
                    )),
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
        let variables: Vec<Var> =
            ["k", "l"].iter().cycle().take(info.arity).map(|name| self.elaborator.fresh(name)).collect();
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
        let var = self.elaborator.fresh(token.text());
        self.elaborator.scope.push(Entry {
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
            let condition =
                arm.condition().map_or(Formula::True, |condition| self.elaborator.formula(&condition));
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

    fn check_reachable(
        &mut self,
        arm: &ast::Arm,
        condition: &Formula,
        earlier: &[Arm],
        default: Option<Span>,
    ) {
        let unreachable = Diagnostic::warning("unreachable-arm", arm.span(), "this arm is never taken");
        if let Some(default) = default {
            self.elaborator
                .out
                .push(unreachable.also(default, "this arm applies to everything that is left"));
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
            let index =
                |var: Var| update.cell.iter().position(|cell| *cell == var).map(|at| indices[at].clone());
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
