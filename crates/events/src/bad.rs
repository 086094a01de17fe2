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
pub(crate) fn bad_cubes(system: &System<'_>, property: &Property) -> Result<Vec<Cube>, Refusal> {
    let mut cubes = Vec::new();
    for processes in system.placements(property.params.len(), system.vocabulary.named) {
        let binding = bound(property.variables.len(), &property.params, &processes);
        let rule = property.rule.map(|rule| &system.model.rules[rule.index()]);
        let actor = rule.and_then(|rule| rule.actor).map(|at| processes[at]);
        let scene = Scene { system, reading: Reading::State { actor, instant: 0 } };
        let present = processes.iter().map(|process| process + 1).max().unwrap_or(0);
        let world = World::new(Constraints::default(), present.max(system.vocabulary.named));
        let worlds = scene.assume(world, &property.formula, true, &binding)?;
        for world in each(worlds, |world| scene.instantiated(world))? {
            cubes.extend(cube(system, world, actor));
        }
    }
    Ok(cubes)
}

fn cube(system: &System<'_>, mut world: World<'_>, actor: Option<Process>) -> Option<Cube> {
    let context = world.context(system);
    world.constraints.settle(context).ok()?;
    let mut last = Instant::last();
    if let Some(actor) = actor.filter(|_| world.fence) {
        last.after_writes = only(actor);
    }
    let mut cube = Cube { processes: world.processes, constraints: world.constraints, instants: vec![last] };
    cube.tidy(&system.vocabulary);
    Some(cube)
}

/// The cubes of what is assumed never to be the case, about symbols that no step changes.
pub(crate) fn assumed_cubes(system: &System<'_>) -> Result<Vec<Cube>, Refusal> {
    let rigid = system.model.assumptions.iter().filter(|property| is_rigid(system.model, property));
    let cubes = rigid.map(|property| bad_cubes(system, property)).collect::<Result<Vec<_>, _>>()?;
    Ok(cubes.into_iter().flatten().collect())
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
