//! Updates: every form of assignment, at most one per symbol and transition.

use crate::features::Feature;
use crate::generator::Generator;
use crate::numbers::Bounded;
use crate::piece::Piece;
use crate::scope::{Instruction, Scope};
use crate::symbols::{Fate, Symbol, Type};
use crate::term::cell;
use crate::transition::Draft;

/// The forms of an assignment.
#[derive(Clone, Copy)]
enum Form {
    Term,
    Arbitrary,
    Cases,
}

impl Generator {
    /// Adds updates of at most `number` symbols, and conditions to the guard that keep their values bounded.
    pub(crate) fn updates(&mut self, draft: &mut Draft, body: &Scope, number: usize) {
        let mut targets = self.signature.symbols.clone();
        targets.retain(|symbol| {
            symbol.fate == Fate::State
                && !symbol.is_primitive()
                && !symbol.constant
                && !draft.assigned.contains(&symbol.name)
                && (!symbol.weak || body.instruction != Instruction::Load)
        });
        self.rng.shuffle(&mut targets);
        match body.instruction {
            Instruction::Store => targets.sort_by_key(|symbol| !symbol.weak),
            Instruction::Load => targets.sort_by_key(|symbol| !self.can_be_loaded(symbol)),
            Instruction::Any => (),
        }
        for symbol in targets.into_iter().take(number) {
            if let Some((statement, bound)) = self.update(&symbol, body) {
                draft.statements.push(statement);
                draft.guard.extend(bound);
                draft.assigned.push(symbol.name);
            }
        }
    }

    /// One statement, and the condition under which its value stays bounded.
    fn update(&mut self, symbol: &Symbol, body: &Scope) -> Option<(String, Option<Piece>)> {
        let register = self.has(Feature::Weak) && symbol.is_register();
        let (arbitrary, cases) = match symbol.arity {
            0 => (Feature::ArbitraryValues, Feature::GlobalCases),
            _ => (Feature::ArbitraryCells, Feature::ArrayCases),
        };
        // Arbitrary values require a finite type, and a register may be written only by its owner.
        let finite = !matches!(symbol.ty, Type::Int | Type::Real) || self.has(Feature::UnboundedIntegers);
        let may_be_arbitrary = finite && symbol.arity < 2 && self.has(arbitrary);
        let may_have_cases = self.has(cases) && !(register && symbol.arity > 0);
        let form = self.rng.weighted(&[
            (5, Form::Term),
            (usize::from(may_be_arbitrary), Form::Arbitrary),
            (2 * usize::from(may_have_cases), Form::Cases),
        ])?;
        match form {
            Form::Cases => self.cases(symbol, body).map(|statement| (statement, None)),
            Form::Arbitrary => {
                let value = if symbol.arity == 0 { self.rng.one_of(&["?", "."]) } else { "?" };
                Some((format!("{} := {value}", self.target(symbol, body)?), None))
            }
            Form::Term => {
                let target = self.target(symbol, body)?;
                let Bounded { term, bound } = self.right_side(symbol.ty, body)?;
                Some((format!("{target} := {term}"), bound))
            }
        }
    }

    /// `X`, `A[i]`, `M[i, j]` at parameters; `A[Turn]` and `A[#1]` on request.
    fn target(&mut self, symbol: &Symbol, body: &Scope) -> Option<String> {
        let register = self.has(Feature::Weak) && symbol.is_register();
        if symbol.arity == 1 && !register && self.sometimes(Feature::TermTargets, 1, 4) {
            let index = if self.rng.chance(1, 2) {
                self.literal(Type::Process)
            } else {
                self.symbol_of(Type::Process, body)
            };
            if let Some(index) = index {
                return Some(cell(&symbol.name, &[index]));
            }
        }
        let mut indices = Vec::new();
        for position in 0..symbol.arity {
            let own = register && position == 0;
            indices.push(if own {
                body.actor.clone()?
            } else {
                self.rng.pick(&body.variables)?.name.clone()
            });
        }
        Some(cell(&symbol.name, &indices))
    }

    /// A value to assign: a plain term, or an increment with the condition that keeps it bounded.
    fn right_side(&mut self, ty: Type, body: &Scope) -> Option<Bounded> {
        if ty.is_ordered() && self.rng.chance(1, 2) {
            // The bound goes to the guard, which does not see the names of `let`.
            let outside = Scope { terms: Vec::new(), ..body.clone() };
            let step = self.step(ty, &outside);
            if step.is_some() {
                return step;
            }
        }
        if body.instruction == Instruction::Load && self.rng.chance(2, 3) {
            let loaded = self.weak_symbol_of(ty, body);
            if loaded.is_some() {
                return loaded.map(Bounded::free);
            }
        }
        self.term(ty, body, 0).map(Bounded::free)
    }

    /// `X := case …`, `A[k] := case …`, `M[k, l] := case …`
    fn cases(&mut self, symbol: &Symbol, body: &Scope) -> Option<String> {
        let mut scope = body.clone();
        let bound: Vec<String> = (0..symbol.arity).map(|_| scope.bind(None, &mut self.rng)).collect();
        let target = cell(&symbol.name, &bound);
        let mut arms = Vec::new();
        for _ in 0..self.rng.between(1, 2) {
            arms.push(self.arm(symbol, &scope, &bound)?);
        }
        if !self.sometimes(Feature::MissingDefaults, 1, 3) {
            let keep = self.rng.chance(2, 3);
            let value = if keep { target.clone() } else { self.term(symbol.ty, &scope, 0)? };
            arms.push(format!("| _ : {value}"));
        }
        let separator =
            if symbol.arity > 0 && self.sometimes(Feature::ArmSeparators, 1, 3) { "; " } else { " " };
        Some(format!("{target} := case {}", arms.join(separator)))
    }

    fn arm(&mut self, symbol: &Symbol, scope: &Scope, bound: &[String]) -> Option<String> {
        let condition = match bound {
            [] => self.formula(scope, 1),
            _ if self.rng.chance(1, 2) => self.at_parameter(scope, bound),
            [first, ..] => self.atom_about(scope, first),
        };
        let Bounded { term, bound } = self.right_side(symbol.ty, scope)?;
        let condition = match bound {
            Some(bound) => Piece::and(vec![condition, bound]),
            None => condition,
        };
        Some(format!("| {} : {term}", condition.delimited()))
    }

    /// `k = i`, and `l = j` for a matrix.
    fn at_parameter(&mut self, scope: &Scope, bound: &[String]) -> Piece {
        let parameters = scope.variables[..scope.variables.len() - bound.len()].to_vec();
        let equations = bound.iter().map(|name| match self.rng.pick(&parameters) {
            Some(parameter) => Piece::atom(format!("{name} = {}", parameter.name)),
            None => self.atom_about(scope, name),
        });
        Piece::and(equations.collect())
    }
}
