//! The values that an assignment gives to a symbol: one value, or the arms of a `case`.

use super::{
    comparisons::few_arms,
    consistency,
    elaborate::Elaborator,
    environment::{Meaning, SymbolInfo},
    messages::lock_as_value,
    types::Type,
};
use crate::syntax::{
    SyntaxKind,
    ast::{self, AstNode, Expr},
};
use ir::{Arm, Formula, Value, Var};
use source::{Diagnostic, Span};

/// What is assigned to a symbol in a transition.
pub(super) struct Assigned<'b, 'a> {
    pub(super) elaborator: &'b mut Elaborator<'a>,
    /// The guard of the transition.
    pub(super) guard: &'b Formula,
    pub(super) info: &'b SymbolInfo,
    /// The variables for the indices of all cells; none where a single cell is assigned.
    pub(super) cell: &'b [Var],
}

impl Assigned<'_, '_> {
    /// The values of a `case`, each with its condition.
    pub(super) fn arms(&mut self, case: &ast::Case) -> Vec<Arm> {
        let mut arms: Vec<Arm> = Vec::new();
        let mut default: Option<Span> = None;
        for arm in few_arms(case, &mut self.elaborator.out) {
            let condition = arm.condition();
            let aliases = self.alias_actor(condition.as_ref());
            let condition = condition.map_or(Formula::True, |condition| self.elaborator.formula(&condition));
            self.check_reachable(&arm, &condition, &arms, default);
            if arm.default().is_some() || condition == Formula::True {
                default = default.or(Some(arm.span()));
            }
            let value = match arm.any() {
                Some(_) => Some(Value::Any),
                None => arm.value().and_then(|value| self.value(&value)),
            };
            self.check_register_write(value.as_ref(), arm.span());
            self.elaborator.actor.aliases.truncate(aliases);
            arms.extend(value.map(|value| Arm { condition, value }));
        }
        self.check_default(case, &arms, default);
        arms
    }

    /// In an arm for `k = i` with `i` the actor, `k` is the actor. Returns how many aliases there were before.
    fn alias_actor(&mut self, condition: Option<&Expr>) -> usize {
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
            for var in self.cell {
                let names = |expr: &Expr, var| self.elaborator.scope.is_name_of(expr, var);
                let pair = |a: usize, b: usize| names(&sides[a], *var) && names(&sides[b], actor);
                if equation && sides.len() == 2 && (pair(0, 1) || pair(1, 0)) {
                    self.elaborator.actor.aliases.push(*var);
                }
            }
        }
        before
    }

    /// Checks that the actor writes to registers of its own only.
    fn check_register_write(&mut self, value: Option<&Value>, at: Span) {
        let Some(owner) = self.cell.first() else { return };
        if value.is_some_and(|value| *value != Value::Keep) {
            let miswritten = self.elaborator.memory().of_write(self.info, Some(*owner), at);
            self.elaborator.out.extend(miswritten);
        }
    }

    fn check_reachable(
        &mut self,
        arm: &ast::Arm,
        condition: &Formula,
        earlier: &[Arm],
        default: Option<Span>,
    ) {
        if !self.elaborator.out.sound() {
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

    fn check_default(&mut self, case: &ast::Case, arms: &[Arm], default: Option<Span>) {
        if self.elaborator.out.sound() && default.is_none() && self.possible(&Formula::True, arms) {
            let name = self.elaborator.env.declared_name(self.info);
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
                    format!(" | _ : {}", self.kept()),
                    "to say so, add",
                ),
            );
        }
    }

    /// How the old value of a cell is written.
    fn kept(&self) -> String {
        let name = self.elaborator.env.declared_name(self.info);
        let cells: Vec<&str> = self.elaborator.scope.names().rev().take(self.info.arity).collect();
        if cells.is_empty() {
            name.to_owned()
        } else {
            format!("{name}[{}]", cells.into_iter().rev().collect::<Vec<_>>().join(", "))
        }
    }

    /// The value of an assignment without a `case`.
    pub(super) fn plain_value(&mut self, item: &ast::Assignment) -> Option<Value> {
        if item.any().is_some() {
            return Some(Value::Any);
        }
        let expr = item.value()?;
        self.value(&expr)
    }

    fn value(&mut self, expr: &Expr) -> Option<Value> {
        if self.is_kept(expr) {
            return Some(Value::Keep);
        }
        let (term, ty) = self.elaborator.term(expr)?;
        if let Type::Lock(kind) = ty {
            self.elaborator.out.push(lock_as_value(kind, expr.span()));
            return None;
        }
        if !self.info.ty.fits(ty) || kinds_differ(self.info.ty, ty) {
            self.wrong_type(ty, expr.span());
            return None;
        }
        Some(Value::Term(term))
    }

    /// `_ : A[k]` keeps the old value, and reads nothing.
    fn is_kept(&self, expr: &Expr) -> bool {
        let (name, indices): (_, Vec<Expr>) = match expr {
            Expr::NameExpr(name) => (Some(name.clone()), vec![]),
            Expr::IndexExpr(read) => {
                (read.array(), read.list().into_iter().flat_map(|list| list.indices()).collect())
            }
            _ => return false,
        };
        let Some(token) = name.and_then(|name| name.token()) else { return false };
        let same = matches!(self.elaborator.env.lookup(token.text()), Some(Meaning::Symbol(read)) if read.id == self.info.id);
        let is_name_of = |expr: &Expr, var| self.elaborator.scope.is_name_of(expr, var);
        same && indices.len() == self.cell.len()
            && self.info.arity == self.cell.len()
            && indices.iter().zip(self.cell).all(|(index, var)| is_name_of(index, *var))
    }

    fn wrong_type(&mut self, found: Type, at: Span) {
        let (env, info) = (self.elaborator.env, self.info);
        let (name, expected, found) = (env.declared_name(info), info.ty.describe(env), found.describe(env));
        self.elaborator.out.push(
            Diagnostic::error("type-mismatch", at, format!("`{name}` has type {expected}, found {found}"))
                .label(format!("of type {found}"))
                .also(info.at, format!("declared with type {expected}")),
        );
    }
}

fn kinds_differ(expected: Type, found: Type) -> bool {
    matches!((expected, found), (Type::Proc(Some(a)), Type::Proc(Some(b))) if a != b)
}
