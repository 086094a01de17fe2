//! Whether a cube has initial states: memory is as `init` says, and all open reads see it.

use crate::cube::Cube;
use crate::refusal::Refusal;
use crate::scene::{Binding, Cases, Reading, Scene, World, each};
use crate::system::System;
use crate::variable::{Process, Variable};
use crate::vocabulary::{IN_RUN, Kind, outsider};
use ir::Init;

/// Whether some initial state may match a cube.
pub(crate) fn is_initial(system: &System<'_>, cube: &Cube) -> Result<bool, Refusal> {
    for init in &system.model.init {
        if matches(system, init, cube)? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn matches(system: &System<'_>, init: &Init, cube: &Cube) -> Result<bool, Refusal> {
    let scene = Scene { system, reading: Reading::Memory };
    let Some(world) = start(system, cube)? else { return Ok(false) };
    let mut worlds = vec![world];
    for binding in bindings(init, worlds[0].processes) {
        worlds = each(worlds, |world| settled(scene, scene.assume(world, &init.formula, true, &binding)?))?;
    }
    let worlds = each(worlds, |world| settled(scene, scene.instantiated(world)?))?;
    Ok(worlds.into_iter().any(|world| has_values_at_start(system, init, world)))
}

/// The cube with all reads of memory; an instance has at least one process.
fn start<'m>(system: &System<'m>, cube: &Cube) -> Result<Option<World<'m>>, Refusal> {
    // Reads of one location all see the same.
    let context = cube.context(&system.vocabulary);
    let Ok(constraints) = cube.constraints.merged(context, |variable| Variable::cell(variable.location)) else {
        return Ok(None);
    };
    let world = World::new(constraints, cube.processes);
    if world.processes == 0 {
        return Ok(world.with_another(system)?.map(|(world, _)| world));
    }
    Ok(Some(world))
}

/// All values of the parameters, which need not be distinct.
fn bindings(init: &Init, processes: Process) -> Vec<Binding> {
    let mut all: Vec<Binding> = vec![vec![None; init.variables.len()]];
    for param in &init.params {
        let place = |binding: Binding| {
            (0..processes).map(move |process| {
                let mut binding = binding.clone();
                binding[param.index()] = Some(process);
                binding
            })
        };
        all = all.into_iter().flat_map(place).collect();
    }
    all
}

fn settled<'m>(scene: Scene<'_, 'm>, worlds: Vec<World<'m>>) -> Cases<World<'m>> {
    let settle = |mut world: World<'m>| {
        let context = world.context(scene.system);
        world.constraints.settle(context).is_ok().then_some(world)
    };
    Ok(worlds.into_iter().filter_map(settle).collect())
}

/// Whether symbols of sort `proc` may have the values that they have at the start: an outsider where `init` says so, otherwise
/// a process of the run.
fn has_values_at_start(system: &System<'_>, init: &Init, mut world: World<'_>) -> bool {
    let context = world.context(system);
    let variables: Vec<Variable> = world.constraints.variables().collect();
    for variable in variables {
        if !matches!(system.vocabulary.kind(variable), Kind::Process(_)) {
            continue;
        }
        let number = usize::from(variable.location.symbol());
        let outside = init.outsiders.iter().find(|(symbol, _)| symbol.index() == number);
        let values = outside.map_or(IN_RUN, |(_, id)| outsider(id.0));
        if world.constraints.restrict(context, variable, values).is_err() {
            return false;
        }
    }
    world.constraints.settle(context).is_ok()
}
