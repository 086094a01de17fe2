//! Assignments: their targets, which are a variable, one cell, or all cells by case.

use super::{
    domains,
    elaborate::Elaborator,
    environment::{Meaning, SymbolInfo},
    names,
    places::Place,
    scope::{Binding, Entry},
    transitions::Body,
    types::{Type, lock_word},
    values::Assigned,
};
use crate::syntax::{
    SyntaxKind,
    ast::{self, AstNode, Expr},
};
use ir::{Arm, At, Formula, Relation, Term, Update, Value, Var};
use source::{Diagnostic, Span};

impl<'e> Body<'e> {
    pub(super) fn assignment(&mut self, item: &ast::Assignment) {
        let Some(target) = item.target() else { return };
        let info = self.target_symbol(&target).filter(|info| self.check_assignable(info, &target));
        let Some(info) = info else {
            // Errors in the rest are reported nevertheless.
            self.look_at_rest(&target, item);
            return;
        };
        let before = self.elaborator.scope.depth();
        let update = match (&target, item.case()) {
            (Expr::IndexExpr(cell), Some(case)) => self.cells_by_case(&info, cell, &case),
            (Expr::IndexExpr(cell), None) => self.single_cell(&info, cell, item),
            (_, Some(case)) => {
                let fits = self.check_arity(&info, 0, target.span());
                let arms = self.assigned_to(&info, &[]).arms(&case);
                fits.then_some((vec![], arms))
            }
            (_, None) => {
                let fits = self.check_arity(&info, 0, target.span());
                let value = self.assigned_to(&info, &[]).plain_value(item);
                let arm = value.map(|value| Arm { condition: Formula::True, value });
                fits.then_some((vec![], arm.into_iter().collect()))
            }
        };
        self.elaborator.scope.leave(before, &mut self.elaborator.out);
        if let Some((cell, arms)) = update {
            self.push_update(Update { symbol: info.id, cell, arms, at: At(item.span()) });
        }
    }

    /// Elaborates the rest of an assignment with an invalid target, for its messages.
    fn look_at_rest(&mut self, target: &Expr, item: &ast::Assignment) {
        let before = self.elaborator.scope.depth();
        if let (Expr::IndexExpr(cell), Some(_)) = (target, item.case()) {
            let indices = cell.list().into_iter().flat_map(|list| list.indices());
            let _: Vec<Option<Var>> =
                indices.map(|index| cell_variable(&mut self.elaborator, &index)).collect();
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
        self.elaborator.scope.leave(before, &mut self.elaborator.out);
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
                names::report_unknown(&mut self.elaborator, &token);
                None
            }
        }
    }

    fn check_assignable(&mut self, info: &SymbolInfo, target: &Expr) -> bool {
        let (name, at) = (self.elaborator.env.declared_name(info), target.span());
        let out = &mut self.elaborator.out;
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
        let place = Place::of_cell(&mut self.elaborator, cell);
        let variables: Vec<Var> = ["k", "l"]
            .iter()
            .cycle()
            .take(info.arity)
            .map(|name| self.elaborator.scope.variables.fresh(name))
            .collect();
        let reads_weak = self.elaborator.mentions.weak;
        let value = self.assigned_to(info, &[]).plain_value(item);
        let indices = place?.indices;
        if !self.check_arity(info, indices.len(), cell.span()) {
            return None;
        }
        let owner =
            indices.first().and_then(|index| if let Term::Var(var) = index { Some(*var) } else { None });
        let miswritten = self.elaborator.memory().of_write(info, owner, cell.span());
        self.elaborator.out.extend(miswritten);
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
        let variables: Vec<Option<Var>> =
            indices.iter().map(|index| cell_variable(&mut self.elaborator, index)).collect();
        let known: Vec<Var> = variables.iter().copied().flatten().collect();
        let fits = known.len() == variables.len() && self.check_arity(info, known.len(), cell.span());
        let arms = self.assigned_to(info, &known).arms(case);
        fits.then_some((known, arms))
    }

    /// The values that are assigned to a symbol, with these variables for the indices of its cells.
    fn assigned_to<'b>(&'b mut self, info: &'b SymbolInfo, cell: &'b [Var]) -> Assigned<'b, 'e> {
        Assigned { elaborator: &mut self.elaborator, guard: &self.guard, info, cell }
    }

    fn check_arity(&mut self, info: &SymbolInfo, found: usize, at: Span) -> bool {
        let arity = self.elaborator.env.check_arity(info, found, at);
        self.elaborator.out.accept(arity).is_some()
    }

    fn push_update(&mut self, update: Update) {
        let outside = domains::outside_domain(self.elaborator.env, &update);
        self.out_of_range.extend(outside.map(|bad| (bad, update.at.0)));
        self.updates.push(update);
    }
}

/// A new variable for an index of all cells; reports an error if it is anything else.
fn cell_variable(elaborator: &mut Elaborator<'_>, index: &Expr) -> Option<Var> {
    let token = match index {
        Expr::NameExpr(name) => name.token().filter(|token| token.kind() == SyntaxKind::LowerName),
        _ => None,
    };
    let known = token.as_ref().and_then(|token| elaborator.scope.find(token.text()));
    let (Some(token), None) = (&token, known) else {
        elaborator.out.push(
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
    let var = elaborator.scope.variables.enter(token.text());
    let binding = Binding::Var(var, Type::Proc(None));
    // `A[k] := case | _ : V` is the way to set all cells.
    elaborator.scope.push(Entry::new(token.text().to_owned(), binding, token.text_range()).optional());
    Some(var)
}
