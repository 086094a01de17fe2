//! Initial states: a tableau that decomposes `init`, and tries every value of the cells left open.

use super::{
    instance::{Binding, Instance, State, bind, tuples},
    search::Halt,
    value::Value,
};
use ir::{Formula, Init, Quantifier, Relation, SymbolId, Term};
use std::collections::HashSet;

/// A formula that must hold.
#[derive(Debug, Clone)]
struct Claim {
    formula: Formula,
    binding: Binding,
}

/// The decomposition of a claim whose truth is not known yet.
enum Part {
    /// All of these must hold.
    Every(Vec<Claim>),
    /// One of these must hold.
    Some(Vec<Claim>),
    /// A comparison.
    Atom,
}

/// The initial states that were found.
#[derive(Debug, Default)]
pub(crate) struct Initial {
    pub(crate) states: HashSet<State>,
    /// Whether a range that the user gave excluded some.
    pub(crate) cut: bool,
    /// The number of tableau nodes that may still be visited.
    nodes: usize,
}

impl Instance<'_> {
    /// All initial states; an error if they depend on a value that cannot be enumerated, or are too many.
    pub(crate) fn initial(&self, nodes: usize) -> Result<Initial, Halt> {
        let mut initial = Initial { nodes, ..Initial::default() };
        for init in &self.model.init {
            for kinds in self.kinds() {
                let claims = self.claims(init);
                self.solve(self.start(init, &kinds), claims, &mut initial)?;
            }
        }
        initial.states = without_instances(&initial.states);
        Ok(initial)
    }

    /// The state in which only kinds and outsiders are decided.
    fn start(&self, init: &Init, kinds: &[usize]) -> State {
        let mut state = self.open_state();
        for (process, kind) in kinds.iter().enumerate() {
            let symbol = self.model.kinds.as_ref().expect("there are kinds").of_process;
            state[self.cell(symbol, &[process])] = Value::Constructor(u32::try_from(*kind).expect("few"));
        }
        for (symbol, outsider) in &init.outsiders {
            for cell in self.cells_of(*symbol) {
                state[cell] = Value::Outsider(outsider.0);
            }
        }
        state
    }

    /// `init` for all assignments of its parameters, and no match of an assumption.
    fn claims(&self, init: &Init) -> Vec<Claim> {
        let assignments = tuples(self.processes, init.params.len()).into_iter();
        let bindings = assignments.map(|chosen| bind(&init.params, &chosen, init.variables.len()));
        let mut claims: Vec<Claim> =
            bindings.map(|binding| Claim { formula: init.formula.clone(), binding }).collect();
        for assumption in &self.model.assumptions {
            let excluded = Formula::Not(Box::new(assumption.formula.clone()));
            let bindings = self.matches_of(assumption).into_iter();
            claims.extend(bindings.map(|binding| Claim { formula: excluded.clone(), binding }));
        }
        claims
    }

    /// Adds every state that satisfies the claims and agrees with what is decided.
    fn solve(&self, mut state: State, mut claims: Vec<Claim>, found: &mut Initial) -> Result<(), Halt> {
        found.nodes = found.nodes.checked_sub(1).ok_or(Halt::TooLarge)?;
        if !self.propagate(&mut state, &mut claims, found) {
            return Ok(());
        }
        let branch = claims.iter().position(|claim| matches!(self.take_apart(claim), Part::Some(_)));
        if let Some(at) = branch {
            let Part::Some(alternatives) = self.take_apart(&claims.swap_remove(at)) else { unreachable!() };
            for alternative in alternatives {
                let claims = claims.iter().cloned().chain([alternative]).collect();
                self.solve(state.clone(), claims, found)?;
            }
            return Ok(());
        }
        if let Some((ranged, cell, values)) = self.open_cell(&state) {
            // A number that nothing decides has values beyond the range, which are excluded.
            found.cut |= ranged;
            for value in values {
                let mut state = state.clone();
                state[cell] = value;
                self.solve(state, claims.clone(), found)?;
            }
            return Ok(());
        }
        for claim in &claims {
            self.formula(&claim.formula, &claim.binding, &state)?;
        }
        found.states.insert(self.canonical(state));
        Ok(())
    }

    /// Decides the cells that claims determine, until a fixed point. False if the claims contradict the state.
    fn propagate(&self, state: &mut State, claims: &mut Vec<Claim>, found: &mut Initial) -> bool {
        let mut todo = std::mem::take(claims);
        let mut changed = true;
        while changed {
            changed = false;
            while let Some(claim) = todo.pop() {
                match self.formula(&claim.formula, &claim.binding, state) {
                    Ok(true) => continue,
                    Ok(false) => return false,
                    Err(_) => {}
                }
                if let Part::Every(parts) = self.take_apart(&claim) {
                    todo.extend(parts);
                } else if let Some((symbol, cell, value)) = self.equation(&claim, state) {
                    changed = true;
                    if !self.decide(symbol, cell, value, state, found) {
                        return false;
                    }
                } else {
                    claims.push(claim);
                }
            }
            if changed {
                todo = std::mem::take(claims);
            }
        }
        true
    }

    /// Assigns a value to an open cell; false if the symbol cannot hold it.
    fn decide(
        &self,
        symbol: SymbolId,
        cell: usize,
        value: Value,
        state: &mut State,
        found: &mut Initial,
    ) -> bool {
        // Only symbols in `Init::outsiders` hold outsiders initially.
        let fits = self.in_domain(symbol, value, state) && !matches!(value, Value::Outsider(_));
        let in_range = match (self.range(symbol), value) {
            (Some((low, high)), Value::Number(number)) => number.within(low, high),
            _ => true,
        };
        found.cut |= fits && !in_range;
        state[cell] = value;
        fits && in_range
    }

    /// For `A[i] = t` with an open cell and a term that has a value: the cell and the value.
    fn equation(&self, claim: &Claim, state: &State) -> Option<(SymbolId, usize, Value)> {
        let Formula::Compare(Relation::Eq, left, right) = &claim.formula else { return None };
        [(left, right), (right, left)].into_iter().find_map(|(target, term)| {
            let Term::Read { symbol, indices, .. } = target else { return None };
            let indices = self.indices(indices, &claim.binding, state).ok()?;
            let cell = self.cell(*symbol, &indices);
            let value = self.term(term, &claim.binding, state).ok()?;
            (state[cell] == Value::Open).then_some((*symbol, cell, value))
        })
    }

    /// The first open cell whose values can be enumerated. Numbers without a range stay open: they are unset.
    fn open_cell(&self, state: &State) -> Option<(bool, usize, Vec<Value>)> {
        let cells = self.symbols().flat_map(|symbol| self.cells_of(symbol).map(move |cell| (symbol, cell)));
        let mut open: Vec<_> = cells.filter(|(_, cell)| state[*cell] == Value::Open).collect();
        open.sort_by_key(|(symbol, _)| self.range(*symbol).is_some());
        let values =
            |symbol, cell| Some((self.range(symbol).is_some(), cell, self.values(symbol, &[state])?));
        open.into_iter().find_map(|(symbol, cell)| values(symbol, cell))
    }

    fn take_apart(&self, claim: &Claim) -> Part {
        let same = |formula: &Formula| Claim { formula: formula.clone(), binding: claim.binding.clone() };
        let not = |formula: &Formula| same(&Formula::Not(Box::new(formula.clone())));
        match &claim.formula {
            Formula::And(parts) => Part::Every(parts.iter().map(same).collect()),
            Formula::Or(parts) => Part::Some(parts.iter().map(same).collect()),
            Formula::Quantified { quantifier, .. } => {
                let instances = self.instances_of(&claim.formula, &claim.binding);
                match quantifier {
                    Quantifier::Forall => Part::Every(instances),
                    Quantifier::Exists => Part::Some(instances),
                }
            }
            Formula::If(condition, then, otherwise) => {
                Part::Some(vec![both(same(condition), same(then)), both(not(condition), same(otherwise))])
            }
            Formula::Iff(left, right) => {
                Part::Some(vec![both(same(left), same(right)), both(not(left), not(right))])
            }
            Formula::Not(inner) => self.take_negation_apart(inner, &claim.binding),
            _ => Part::Atom,
        }
    }

    fn take_negation_apart(&self, inner: &Formula, binding: &Binding) -> Part {
        let not = |formula: &Formula| Formula::Not(Box::new(formula.clone()));
        let same = |formula: &Formula| Claim { formula: formula.clone(), binding: binding.clone() };
        let negated = |parts: Vec<Claim>| {
            parts.into_iter().map(|claim| Claim { formula: not(&claim.formula), ..claim }).collect()
        };
        match inner {
            Formula::Not(inner) => Part::Every(vec![same(inner)]),
            Formula::And(parts) => Part::Some(negated(parts.iter().map(same).collect())),
            Formula::Or(parts) => Part::Every(negated(parts.iter().map(same).collect())),
            Formula::Quantified { quantifier, .. } => {
                let instances = negated(self.instances_of(inner, binding));
                match quantifier {
                    Quantifier::Forall => Part::Some(instances),
                    Quantifier::Exists => Part::Every(instances),
                }
            }
            Formula::If(condition, then, otherwise) => Part::Some(vec![
                both(same(condition), same(&not(then))),
                both(same(&not(condition)), same(&not(otherwise))),
            ]),
            Formula::Iff(left, right) => {
                Part::Some(vec![both(same(left), same(&not(right))), both(same(&not(left)), same(right))])
            }
            Formula::Compare(Relation::Neq, left, right) => {
                Part::Every(vec![same(&Formula::Compare(Relation::Eq, left.clone(), right.clone()))])
            }
            _ => Part::Atom,
        }
    }

    /// The body of a quantifier for all bindings of its variables.
    fn instances_of(&self, formula: &Formula, binding: &Binding) -> Vec<Claim> {
        let Formula::Quantified { variables, apart_from, body, .. } = formula else {
            unreachable!("only called for quantifiers")
        };
        let bindings = self.quantified(variables, apart_from, binding).into_iter();
        bindings.map(|binding| Claim { formula: (**body).clone(), binding }).collect()
    }
}

/// Removes the states that are special cases of another, which leaves open what they decide.
///
/// Disjuncts may overlap, and which one is tried first must not matter.
fn without_instances(states: &HashSet<State>) -> HashSet<State> {
    let openings = |state: &State| state.iter().map(|value| *value == Value::Open).collect::<Vec<_>>();
    let masks: HashSet<Vec<bool>> = states.iter().map(openings).collect();
    let opened = |state: &State, mask: &Vec<bool>| -> State {
        state.iter().zip(mask).map(|(value, open)| if *open { Value::Open } else { *value }).collect()
    };
    let covered = |state: &State| {
        masks.iter().map(|mask| opened(state, mask)).any(|wider| wider != *state && states.contains(&wider))
    };
    states.iter().filter(|state| !covered(state)).cloned().collect()
}

/// Both claims, which have the same binding.
fn both(left: Claim, right: Claim) -> Claim {
    Claim { formula: Formula::And(vec![left.formula, right.formula]), binding: left.binding }
}
