//! Formulas: atoms and connectives over what is readable in the scope.

use crate::features::Feature;
use crate::generator::Generator;
use crate::piece::Piece;
use crate::scope::{Place, Scope};
use crate::symbols::Type;

/// The ways to build a formula that is not an atom.
#[derive(Clone, Copy)]
enum Connective {
    And,
    Or,
    Implies,
    Equals,
    Not,
    If,
    Case,
    Quantifier,
}

/// The ways to write an atom.
#[derive(Clone, Copy)]
enum Atom {
    Comparison,
    Bool,
    Call,
    Argument,
    LockState,
    Share,
    Order,
    SameProcess,
    Constant,
}

const COMPARISONS: [&str; 6] = ["=", "<>", "<", "<=", ">", ">="];

impl Generator {
    /// A formula whose connectives nest at most `depth` deep.
    pub(crate) fn formula(&mut self, scope: &Scope, depth: usize) -> Piece {
        if depth == 0 || self.rng.chance(1, 4) {
            return self.atom(scope);
        }
        let on = |feature| usize::from(self.has(feature));
        let disjunction =
            if scope.place == Place::Init { Feature::DisjunctiveInit } else { Feature::Disjunction };
        let quantify = usize::from(self.may_quantify(scope, false));
        let connective = self.rng.weighted(&[
            (3, Connective::And),
            (3 * usize::from(self.has(disjunction)), Connective::Or),
            (on(Feature::Implication), Connective::Implies),
            (on(Feature::Equivalence), Connective::Equals),
            (on(Feature::Negation), Connective::Not),
            (on(Feature::Conditionals), Connective::If),
            (on(Feature::CaseFormulas), Connective::Case),
            (2 * quantify, Connective::Quantifier),
        ]);
        let piece = self.connected(connective.unwrap_or(Connective::And), scope, depth - 1);
        if self.rng.chance(1, 10) { piece.in_parentheses() } else { piece }
    }

    fn connected(&mut self, connective: Connective, scope: &Scope, depth: usize) -> Piece {
        match connective {
            Connective::And => Piece::and(self.operands(scope, depth)),
            Connective::Or => Piece::or(self.operands(scope, depth)),
            Connective::Implies => {
                Piece::implication(self.formula(scope, depth), "=>", &self.formula(scope, depth))
            }
            Connective::Equals => {
                Piece::implication(self.formula(scope, depth), "<=>", &self.formula(scope, depth))
            }
            Connective::Not => self.formula(scope, depth).not(),
            Connective::If => {
                let [condition, yes, no] = std::array::from_fn(|_| self.formula(scope, depth));
                Piece::conditional(condition, yes, no)
            }
            Connective::Case => self.case_formula(scope, depth).unwrap_or_else(|| self.atom(scope)),
            Connective::Quantifier => self.quantified(scope, depth).unwrap_or_else(|| self.atom(scope)),
        }
    }

    fn operands(&mut self, scope: &Scope, depth: usize) -> Vec<Piece> {
        (0..self.rng.between(2, 3)).map(|_| self.formula(scope, depth)).collect()
    }

    /// `t = case | f : u | _ : w`
    fn case_formula(&mut self, scope: &Scope, depth: usize) -> Option<Piece> {
        let (left, ty) = self.subject(scope)?;
        let mut text = format!("{left} = case");
        for _ in 0..self.rng.between(1, 2) {
            let condition = self.formula(scope, depth).delimited();
            text = format!("{text} | {condition} : {}", self.term(ty, scope, 1)?);
        }
        if self.rng.chance(2, 3) {
            text = format!("{text} | _ : {}", self.term(ty, scope, 1)?);
        }
        Some(Piece::case(text))
    }

    pub(crate) fn atom(&mut self, scope: &Scope) -> Piece {
        let on = |feature| usize::from(self.has(feature));
        // `assume` may mention only symbols that are given.
        let rest = usize::from(scope.place != Place::Assumption);
        let later = usize::from(!matches!(scope.place, Place::Assumption | Place::Init | Place::Predicate));
        let kinds = [
            (10, Atom::Comparison),
            (2 * on(Feature::BoolAtoms), Atom::Bool),
            (2 * rest * on(Feature::Predicates), Atom::Call),
            (4 * rest, Atom::Argument),
            (2 * later * on(Feature::LockState), Atom::LockState),
            (later * on(Feature::Shares), Atom::Share),
            (rest * on(Feature::ProcessOrder), Atom::Order),
            (rest, Atom::SameProcess),
        ];
        for _ in 0..3 {
            let kind = self.rng.weighted(&kinds).unwrap_or(Atom::Comparison);
            if let Some(piece) = self.atom_of(kind, scope) {
                return piece;
            }
        }
        self.atom_of(Atom::Comparison, scope)
            .or_else(|| self.atom_of(Atom::Constant, scope))
            .expect("a constant is always possible")
    }

    fn atom_of(&mut self, kind: Atom, scope: &Scope) -> Option<Piece> {
        let text = match kind {
            Atom::Comparison => self.comparison(scope)?,
            Atom::Bool => self.symbol_of(Type::Bool, scope)?,
            Atom::Call => self.call(scope)?,
            Atom::Argument => self.rng.pick(&scope.formulas)?.clone(),
            Atom::LockState => self.lock_state(scope)?,
            Atom::Share => self.share(scope)?,
            Atom::Order => self.process_order(scope)?,
            Atom::SameProcess => self.same_process(scope)?,
            Atom::Constant => self.rng.one_of(&["true", "true", "false"]).to_string(),
        };
        Some(Piece::atom(text))
    }

    /// The left side of a comparison: usually a symbol, sometimes a local name for a term.
    fn subject(&mut self, scope: &Scope) -> Option<(String, Type)> {
        let symbols = self.readable(scope);
        if !scope.terms.is_empty() && self.rng.chance(1, 2) || symbols.is_empty() {
            return self.rng.pick(&scope.terms).cloned();
        }
        let symbol = self.rng.pick(&symbols)?.clone();
        let ty = if Type::serves_as(symbol.ty, Type::Int) { Type::Int } else { symbol.ty };
        // A range is compared with terms of the same range as often as with other numbers.
        let ty = if matches!(symbol.ty, Type::Range(_)) && self.rng.chance(1, 2) { symbol.ty } else { ty };
        Some((self.access(&symbol, scope)?, ty))
    }

    pub(crate) fn comparison(&mut self, scope: &Scope) -> Option<String> {
        let (left, ty) = self.subject(scope)?;
        let mut right = self.term(ty, scope, 1)?;
        if right == left {
            // Try again: comparing a term with itself is pointless.
            right = self.term(ty, scope, 1)?;
        }
        let operator = if ty.is_ordered() { self.rng.one_of(&COMPARISONS) } else { self.equality() };
        Some(if self.rng.chance(1, 8) {
            format!("{right} {operator} {left}")
        } else {
            format!("{left} {operator} {right}")
        })
    }

    /// `=` or `<>`; the former more often, because it makes bad states rare.
    fn equality(&mut self) -> &'static str {
        self.rng.one_of(&["=", "=", "=", "<>"])
    }

    fn share(&mut self, scope: &Scope) -> Option<String> {
        let count = self.count(scope)?;
        let operator = self.rng.one_of(&["<", "<=", ">", ">="]);
        Some(format!("{count} {operator} {}", self.rng.one_of(&["1/2", "2/3", "1/3", "3/4"])))
    }

    fn process_order(&mut self, scope: &Scope) -> Option<String> {
        let left = self.index(scope)?;
        let right = self.index(scope)?;
        (left != right).then(|| format!("{left} {} {right}", self.rng.one_of(&["<", "<=", ">", ">="])))
    }

    fn same_process(&mut self, scope: &Scope) -> Option<String> {
        let left = self.index(scope)?;
        let right = self.term(Type::Process, scope, 0)?;
        let parameters =
            [&left, &right].into_iter().all(|side| scope.variables.iter().any(|v| v.name == *side));
        // Parameters are distinct: an equation between two of them would be a guard that never holds.
        let idle = left == right || parameters && scope.quantifiers == 0 && scope.place != Place::Body;
        (!idle).then(|| format!("{left} {} {right}", self.equality()))
    }
}
