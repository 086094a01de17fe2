//! All states that a small instance reaches, by the interpreter.

use super::{
    instance::{Instance, Ranges, State},
    search::Halt,
};
use certify::Cube;
use ir::Model;

/// An instance with all its states; none if there are too many, or they depend on numbers without a range.
pub(crate) struct Reachable<'m> {
    pub(crate) instance: Instance<'m>,
    pub(crate) states: Vec<State>,
}

impl<'m> Reachable<'m> {
    pub(crate) fn new(model: &'m Model, processes: usize, most: usize) -> Option<Reachable<'m>> {
        let instance = Instance::new(model, processes, Ranges::new());
        let states = states(&instance, most).ok()?;
        Some(Reachable { instance, states })
    }

    /// Whether some state matches a cube.
    pub(crate) fn matches(&self, cube: &Cube) -> bool {
        let bindings = self.instance.bindings(&cube.params, cube.variables.len());
        self.some_state(&bindings, &cube.formula)
    }

    fn some_state(&self, bindings: &[super::instance::Binding], formula: &ir::Formula) -> bool {
        let holds = |state: &State| {
            bindings.iter().any(|binding| self.instance.formula(formula, binding, state) == Ok(true))
        };
        self.states.iter().any(holds)
    }
}

fn states(instance: &Instance<'_>, most: usize) -> Result<Vec<State>, Halt> {
    let mut seen = instance.initial(50 * most)?.states;
    let mut todo: Vec<State> = seen.iter().cloned().collect();
    while let Some(state) = todo.pop() {
        // A run ends where something must not happen.
        for step in instance.steps(&state)? {
            for next in step.states {
                if seen.insert(next.clone()) {
                    todo.push(next);
                }
            }
        }
        if seen.len() > most {
            return Err(Halt::TooLarge);
        }
    }
    Ok(seen.into_iter().collect())
}
