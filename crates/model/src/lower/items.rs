//! Items other than transitions: `init`, `unsafe`, `invariant`, `assume`, `final` and predicates.

use super::{
    conflict::{self, Existential, Part},
    consistency::Looker,
    context::Context,
    elaborate::{Elaborator, Phrase},
    environment::Environment,
    messages::lock_as_value,
    params,
    scope::{Binding, Entry},
    types::Type,
};
use crate::syntax::ast::{self, AstNode, Expr};
use ir::{
    At, Expression, Final, Formula, LoneExpression, LoneFormula, Property, PropertyKind, SymbolId, Var,
};
use source::{Diagnostic, Diagnostics, Span};

/// An `init` with more disjuncts than this is rejected if they have to be examined one by one.
pub(super) const MAX_INIT_DISJUNCTS: usize = 4096;

/// An `init` before its outsiders are determined.
pub(super) struct RawInit {
    pub(super) params: Vec<Var>,
    pub(super) variables: Vec<String>,
    /// Must hold for all parameters, as an implication from their kinds.
    pub(super) formula: Formula,
    /// The conjuncts as written.
    pub(super) parts: Vec<Part>,
    /// The kinds of the parameters: the conjuncts apply only to processes of these kinds.
    pub(super) kinds: Formula,
    /// The parameters without a kind, which range over all processes.
    pub(super) free_params: Vec<Var>,
    /// The symbols that its text mentions.
    pub(super) mentioned: Vec<SymbolId>,
    /// The disjuncts, without the kinds of the parameters; `None` if there are too many.
    pub(super) disjuncts: Option<Vec<Vec<Formula>>>,
    /// Whether it has no error; otherwise a warning about it may be a consequence of the error.
    pub(super) sound: bool,
    pub(super) at: Span,
}

fn formula_of(block: Option<ast::Block>) -> Option<Expr> {
    block.and_then(|block| block.formula())
}

/// The conjuncts of a block.
fn parts_of(elaborator: &mut Elaborator<'_>, block: Option<ast::Block>) -> Vec<Part> {
    formula_of(block).map_or(vec![], |formula| conflict::parts(elaborator, &formula))
}

/// Warns if the parts of an item contradict each other for all choices of its parameters.
fn warn_if_impossible(
    elaborator: &mut Elaborator<'_>,
    parts: &[Part],
    kinds: &Formula,
    word: &str,
    consequence: &str,
) {
    if !elaborator.out.sound() {
        return;
    }
    let looker = Looker { env: elaborator.env, ranges: true };
    let item = Existential { looker, parts, given: kinds.clone(), params: &elaborator.params };
    let message = format!("no state satisfies this `{word}`");
    let warn = |at| Diagnostic::warning("unsatisfiable-property", at, message);
    let warning = item.warning(warn, Some(consequence));
    elaborator.out.extend(warning);
}

/// `init (i j) { f }`
pub(super) fn init(env: &Environment, item: &ast::Init, out: &mut Diagnostics, named: &mut u32) -> RawInit {
    let mut elaborator = Elaborator::new(env, out, Context::Init);
    let kinds = params::bind(&mut elaborator, item.params());
    let parts = parts_of(&mut elaborator, item.block());
    let formula = conflict::all(&parts);
    elaborator.scope.leave(0, &mut elaborator.out);
    *named = elaborator.mentions.named_processes.max(*named);
    let sound = elaborator.out.sound();
    let disjuncts = ir::disjuncts(&formula, MAX_INIT_DISJUNCTS).ok();
    let has_kind = |param: &Var| kinds.iter().any(|kind| kind.mentions_variable(*param));
    let free_params = elaborator.params.iter().copied().filter(|param| !has_kind(param)).collect();
    let kinds = Formula::and(kinds);
    let formula = kinds.clone().implies(formula);
    RawInit {
        parts,
        kinds,
        free_params,
        mentioned: elaborator.mentions.symbols,
        disjuncts,
        sound,
        params: elaborator.params,
        variables: elaborator.scope.variables.into_names(),
        formula,
        at: item.span(),
    }
}

/// The parts that `unsafe`, `invariant` and `assume` have in common.
pub(super) struct PropertyItem {
    pub(super) kind: PropertyKind,
    pub(super) name: Option<ast::Name>,
    pub(super) params: Option<ast::Params>,
    pub(super) block: Option<ast::Block>,
    pub(super) at: Span,
}

/// A property as declared, before assumptions are separated from properties to be checked.
pub(super) struct Declared {
    pub(super) property: Property,
    /// The symbols that it mentions, not counting the kinds of its parameters.
    pub(super) mentioned: Vec<SymbolId>,
}

/// `unsafe name (i j) { f }` and its like.
pub(super) fn property(
    env: &Environment,
    item: PropertyItem,
    number: usize,
    out: &mut Diagnostics,
    named: &mut u32,
) -> Declared {
    let (context, word) = match item.kind {
        PropertyKind::Assumption => (Context::Assume, "assume"),
        PropertyKind::Invariant => (Context::Property, "invariant"),
        _ => (Context::Property, "unsafe"),
    };
    let mut elaborator = Elaborator::new(env, out, context);
    let kinds = params::bind(&mut elaborator, item.params);
    let parts = parts_of(&mut elaborator, item.block);
    let formula = conflict::all(&parts);
    elaborator.scope.leave(0, &mut elaborator.out);
    *named = elaborator.mentions.named_processes.max(*named);
    let consequence = match item.kind {
        PropertyKind::Assumption => "it leaves out no instance",
        _ => "it can never be violated, whatever the transitions do",
    };
    warn_if_impossible(&mut elaborator, &parts, &Formula::and(kinds.iter().cloned()), word, consequence);
    let mut mentioned = elaborator.mentions.symbols;
    formula.each_term(&mut |term| mentioned.extend(term.symbol()));
    let property = Property {
        kind: item.kind,
        name: item.name.map_or_else(|| format!("{word}{number}"), |name| name.text()),
        params: elaborator.params,
        variables: elaborator.scope.variables.into_names(),
        formula: Formula::and(kinds.into_iter().chain([formula])),
        rule: None,
        at: At(item.at),
    };
    Declared { property, mentioned }
}

/// `final { f }`
pub(super) fn final_states(
    env: &Environment,
    item: &ast::Final,
    out: &mut Diagnostics,
    named: &mut u32,
) -> Final {
    let mut elaborator = Elaborator::new(env, out, Context::Property);
    params::bind(&mut elaborator, item.params());
    let parts = parts_of(&mut elaborator, item.block());
    *named = elaborator.mentions.named_processes.max(*named);
    let consequence = "it allows no run to end: every state without a step is a deadlock";
    warn_if_impossible(&mut elaborator, &parts, &Formula::True, "final", consequence);
    let formula = conflict::all(&parts);
    Final { variables: elaborator.scope.variables.into_names(), formula, at: At(item.span()) }
}

/// A formula by itself, as a property without parameters.
pub(super) fn lone_formula(env: &Environment, expr: &Expr, out: &mut Diagnostics) -> LoneFormula {
    let mut elaborator = Elaborator::new(env, out, Context::Property);
    let formula = elaborator.formula(expr);
    let property = Property {
        kind: PropertyKind::Unsafe,
        name: String::new(),
        params: vec![],
        variables: elaborator.scope.variables.into_names(),
        formula,
        rule: None,
        at: At(expr.span()),
    };
    LoneFormula { property, named_processes: elaborator.mentions.named_processes }
}

/// A formula or a term that is not part of a file; `None` if it has an error, which has been reported.
pub(super) fn lone_expression(
    env: &Environment,
    expr: &Expr,
    out: &mut Diagnostics,
) -> Option<LoneExpression> {
    let mut elaborator = Elaborator::new(env, out, Context::Property);
    let expression = match elaborator.phrase(expr) {
        Phrase::Formula(formula) => Expression::Formula(formula),
        Phrase::Term(_, Type::Lock(kind)) => {
            elaborator.out.push(lock_as_value(kind, expr.span()));
            return None;
        }
        Phrase::Term(term, _) => Expression::Term(term),
        Phrase::Unknown => return None,
    };
    let (variables, named_processes) =
        (elaborator.scope.variables.into_names(), elaborator.mentions.named_processes);
    Some(LoneExpression { expression, variables, named_processes })
}

/// Checks the body of a predicate by itself: errors that do not depend on its arguments are reported even if it is
/// never used.
pub(super) fn predicate(env: &Environment, item: &ast::PredicateDecl, out: &mut Diagnostics) {
    let Some(body) = formula_of(item.block()) else { return };
    let mut elaborator = Elaborator::new(env, out, Context::Predicate);
    let params = item.params().into_iter().flat_map(|params| params.names());
    let unknown = || Binding::Phrase(Phrase::Unknown);
    params.for_each(|name| elaborator.scope.push(Entry::new(name.text(), unknown(), name.span())));
    elaborator.formula(&body);
    elaborator.scope.leave(0, &mut elaborator.out);
}
