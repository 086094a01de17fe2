//! Whether a cube has initial states: memory is as `init` says, and all open reads see it.

use crate::bad::is_rigid;
use crate::constraints::Relation;
use crate::cube::Cube;
use crate::refusal::Refusal;
use crate::scene::{Binding, MOST_CASES, Reading, Scene, World};
use crate::system::{System, bound};
use crate::variable::{Process, Variable};
use crate::vocabulary::{ELSEWHERE, IN_RUN, Kind, Values, outsider};
use ir::{Formula, Init, Property};
use std::cell::Cell;

/// The number of processes of an initial state that may match a cube, if there may be one.
pub(crate) fn initial_processes(system: &System<'_>, cube: &Cube) -> Result<Option<u32>, Refusal> {
    for init in &system.model.init {
        if let Some(processes) = matched(system, init, cube)? {
            return Ok(Some(processes));
        }
    }
    Ok(None)
}

fn matched<'m>(system: &System<'m>, init: &'m Init, cube: &Cube) -> Result<Option<u32>, Refusal> {
    let Some(world) = start(system, cube)? else { return Ok(None) };
    let mut required = Vec::new();
    for binding in bindings(init, world.processes) {
        required.extend(init.formula.conjuncts().iter().map(|part| (part, true, binding.clone())));
    }
    let assumed = assumptions(system, world.processes).into_iter();
    required.extend(assumed.map(|(assumption, binding)| (&assumption.formula, false, binding)));
    let scene = Scene { system, reading: Reading::Memory };
    Start { scene, init, required, cases: Cell::new(0) }.fitting(world, 0)
}

/// What an initial state must satisfy.
struct Start<'a, 'm> {
    scene: Scene<'a, 'm>,
    init: &'a Init,
    /// Formulas that hold, or do not.
    required: Vec<(&'m Formula, bool, Binding)>,
    /// How many cases were considered.
    cases: Cell<usize>,
}

impl<'m> Start<'_, 'm> {
    /// The number of processes of a state that satisfies a world and what is required from a position on.
    fn fitting(&self, world: World<'m>, from: usize) -> Result<Option<u32>, Refusal> {
        self.cases.update(|cases| cases + 1);
        if self.cases.get() > MOST_CASES {
            return Err(Refusal::new(format!("`init` has more than {MOST_CASES} cases"), Some(self.init.at)));
        }
        let Some((formula, positive, binding)) = self.required.get(from) else {
            let worlds = self.scene.consistent(self.scene.instantiated(world)?).into_iter();
            let mut starts =
                worlds.filter_map(|world| with_values_at_start(self.scene.system, self.init, world));
            return Ok(starts.next().map(|world| needed(self.scene.system, &world)));
        };
        for world in self.scene.consistent(self.scene.assume(world, formula, *positive, binding)?) {
            if let Some(processes) = self.fitting(world, from + 1)? {
                return Ok(Some(processes));
            }
        }
        Ok(None)
    }
}

/// The cube with all reads of memory; an instance has at least one process.
fn start<'m>(system: &System<'m>, cube: &Cube) -> Result<Option<World<'m>>, Refusal> {
    // Reads of one location all see the same.
    let context = cube.context(&system.vocabulary);
    let Ok(constraints) = cube.constraints.merged(context, |variable| Variable::cell(variable.location))
    else {
        return Ok(None);
    };
    let world = World::new(constraints, cube.processes);
    if world.processes == 0 {
        return Ok(world.with_another(system)?.map(|(world, _)| world));
    }
    Ok(Some(world))
}

/// What is assumed never to be the case, for all distinct processes.
fn assumptions<'m>(system: &System<'m>, processes: Process) -> Vec<(&'m Property, Binding)> {
    let rigid = system.model.assumptions.iter().filter(|property| is_rigid(system.model, property));
    let instances = rigid.flat_map(|property| {
        let places = system.placements(property.params.len(), processes).into_iter();
        let present = places.filter(move |place| place.iter().all(|process| *process < processes));
        present.map(move |place| (property, bound(property.variables.len(), &property.params, &place)))
    });
    instances.collect()
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

/// Lets symbols of sort `proc` have the values that they have at the start: an outsider where `init` says so, otherwise a
/// process of the run. `None` if they cannot.
fn with_values_at_start<'m>(system: &System<'m>, init: &Init, mut world: World<'m>) -> Option<World<'m>> {
    let context = world.context(system);
    let is_process = |variable: &Variable| matches!(system.vocabulary.kind(*variable), Kind::Process(_));
    let variables: Vec<Variable> = world.constraints.variables().filter(is_process).collect();
    for variable in variables {
        let number = usize::from(variable.location.symbol());
        let outside = init.outsiders.iter().find(|(symbol, _)| symbol.index() == number);
        let values = outside.map_or(IN_RUN, |(_, id)| outsider(id.0));
        world.constraints.restrict(context, variable, values).ok()?;
    }
    world.constraints.settle(context).ok()?;
    Some(world)
}

/// How many processes there are if variables point at somebody who is not in the cube, and where they must differ, at
/// different ones.
fn needed(system: &System<'_>, world: &World<'_>) -> u32 {
    let is_process = |variable: Variable| matches!(system.vocabulary.kind(variable), Kind::Process(_));
    let is_elsewhere =
        |(variable, values): &(Variable, Values)| is_process(*variable) && *values == ELSEWHERE;
    let elsewhere = world.constraints.finite.iter().any(is_elsewhere);
    let differ = |relation: &&Relation| !relation.equal && is_process(relation.left);
    let differing = world.constraints.relations.iter().filter(differ).count();
    let all = usize::from(world.processes) + usize::from(elsewhere) + differing;
    let all = u32::try_from(all).unwrap_or(u32::MAX);
    system.model.max_processes.map_or(all, |most| all.min(most))
}
