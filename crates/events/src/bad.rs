//! The cubes of properties and assumptions.

use crate::constraints::Constraints;
use crate::cube::Cube;
use crate::instant::{Instant, only};
use crate::refusal::Refusal;
use crate::scene::{Reading, Scene, World, each};
use crate::system::{System, bound};
use crate::variable::Process;
use ir::{Model, Property, SymbolId};

/// The cubes of all states that match a property, at the end of a run.
pub(crate) fn bad_cubes<'m>(system: &System<'m>, property: &'m Property) -> Result<Vec<Cube>, Refusal> {
    let cube = |(world, actor): (World<'_>, Option<Process>)| {
        let mut last = Instant::last();
        if let Some(actor) = actor.filter(|_| world.fence) {
            last.after_writes = only(actor);
        }
        let mut cube =
            Cube { processes: world.processes, constraints: world.constraints, instants: vec![last] };
        cube.tidy(&system.vocabulary);
        cube
    };
    Ok(matching(system, property)?.into_iter().map(cube).collect())
}

/// The cases of a property, each with the actor of the faulty step.
fn matching<'m>(
    system: &System<'m>,
    property: &'m Property,
) -> Result<Vec<(World<'m>, Option<Process>)>, Refusal> {
    let mut cases = Vec::new();
    for processes in system.placements(property.params.len(), system.vocabulary.named) {
        let binding = bound(property.variables.len(), &property.params, &processes);
        let rule = property.rule.map(|rule| &system.model.rules[rule.index()]);
        let actor = rule.and_then(|rule| rule.actor).map(|at| processes[at]);
        let scene = Scene { system, reading: Reading::State { actor, instant: 0 } };
        let present = processes.iter().map(|process| process + 1).max().unwrap_or(0);
        let world = World::new(Constraints::default(), present.max(system.vocabulary.named));
        let worlds = scene.assume(world, &property.formula, true, &binding)?;
        let worlds = scene.consistent(each(worlds, |world| scene.instantiated(world))?);
        cases.extend(worlds.into_iter().map(|world| (world, actor)));
    }
    Ok(cases)
}

/// The cubes of what is assumed never to be the case, about symbols that no step changes. They must not stand for more than that, so
/// all processes are kept, whether or not anything is said about them, and what speaks about all processes is left out.
pub(crate) fn assumed_cubes(system: &System<'_>) -> Result<Vec<Cube>, Refusal> {
    let is_exact =
        |property: &&Property| is_rigid(system.model, property) && !property.formula.has_quantifier();
    let mut cubes = Vec::new();
    for property in system.model.assumptions.iter().filter(is_exact) {
        let cube = |(world, _): (World<'_>, _)| Cube {
            processes: world.processes,
            constraints: world.constraints,
            instants: vec![],
        };
        cubes.extend(matching(system, property)?.into_iter().map(cube));
    }
    Ok(cubes)
}

/// Whether a formula is about symbols that no step changes.
pub(crate) fn is_rigid(model: &Model, property: &Property) -> bool {
    let changes = |symbol: SymbolId| {
        let updates = model.transitions.iter().flat_map(|transition| &transition.updates);
        model.symbol(symbol).weak || updates.into_iter().any(|update| update.symbol == symbol)
    };
    let mut rigid = true;
    property.formula.each_term(&mut |term| rigid &= !term.symbol().is_some_and(changes));
    rigid
}
