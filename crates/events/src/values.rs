//! Which values symbols can have at all: a first analysis that looks at each symbol by itself.
//!
//! A value that no initial state has and no step assigns, given what is known of the other symbols, is never there. The cubes
//! that say so become part of the invariant. They keep the search from going into states that look as if they could be
//! reached only because it sees few processes at a time.

use crate::constraints::Constraints;
use crate::cube::Cube;
use crate::expression::Expression;
use crate::initial::initial_processes;
use crate::instant::Instant;
use crate::refusal::Refusal;
use crate::scene::{Reading, Scene, World};
use crate::system::{Step, System, number_of};
use crate::variable::{Location, Process, Read, Variable};
use crate::vocabulary::{Kind, Values, bit};
use ir::Update;

/// The cubes of values that enumerations never have.
pub(crate) fn unreachable_values(system: &System<'_>) -> Result<Vec<Cube>, Refusal> {
    let mut reached = Reached::initial(system)?;
    while reached.grow()? {}
    Ok((0..system.vocabulary.symbols.len()).flat_map(|at| reached.cubes(at)).collect())
}

/// The values that each symbol may have.
struct Reached<'a, 'm> {
    system: &'a System<'m>,
    values: Vec<Values>,
}

impl<'a, 'm> Reached<'a, 'm> {
    fn initial(system: &'a System<'m>) -> Result<Reached<'a, 'm>, Refusal> {
        let symbols = system.vocabulary.symbols.len();
        let mut reached = Reached { system, values: vec![Values::MAX; symbols] };
        for at in 0..symbols {
            let Some(constructors) = reached.constructors(at) else { continue };
            reached.values[at] = 0;
            for value in (0..constructors).map(bit) {
                for cube in cubes_with(system, at, value) {
                    if initial_processes(system, &cube)?.is_some() {
                        reached.values[at] |= value;
                    }
                }
            }
        }
        Ok(reached)
    }

    /// The number of constructors of a symbol, if the analysis is about it.
    fn constructors(&self, at: usize) -> Option<u32> {
        let symbol = &self.system.vocabulary.symbols[at];
        match symbol.kind {
            Kind::Enumeration(constructors) if symbol.arity <= 1 && !symbol.constant => Some(constructors),
            _ => None,
        }
    }

    /// Adds the values that steps may assign; whether there are any new ones.
    fn grow(&mut self) -> Result<bool, Refusal> {
        let before = self.values.clone();
        for step in &self.system.steps {
            self.take(step)?;
        }
        Ok(before != self.values)
    }

    fn take(&mut self, step: &Step<'m>) -> Result<(), Refusal> {
        let named = self.system.vocabulary.named;
        for processes in self.system.placements(step.transition.params.len(), named) {
            let present = processes.iter().map(|process| process + 1).max().unwrap_or(0).max(named);
            self.take_by(step, &processes, present)?;
        }
        Ok(())
    }

    fn take_by(&mut self, step: &Step<'m>, processes: &[Process], present: Process) -> Result<(), Refusal> {
        let scene = Scene {
            system: self.system,
            reading: Reading::Step { actor: processes[step.actor], instant: 0 },
        };
        let binding = step.binding(processes);
        let world = World::new(Constraints::default(), present);
        // A step may also assign cells of processes that it does not name.
        let world = world.clone().with_another(self.system)?.map_or(world, |(world, _)| world);
        let worlds = scene.consistent(scene.assume(world, &step.transition.guard, true, &binding)?);
        for world in worlds {
            if !self.is_possible(&world) {
                continue;
            }
            for update in step.writes.iter().chain(&step.registers) {
                for location in self.locations(update, &world) {
                    for (world, value) in scene.updated(world.clone(), update, location, &binding)? {
                        self.add(update.symbol.index(), &world, value.as_ref());
                    }
                }
            }
        }
        Ok(())
    }

    /// The cells that an update may assign: those of the processes that are there, and of another one.
    fn locations(&self, update: &Update, world: &World<'_>) -> Vec<Location> {
        let symbol = number_of(update.symbol);
        match update.cell.len() {
            _ if self.constructors(update.symbol.index()).is_none() => vec![],
            0 => vec![Location::new(symbol, &[])],
            _ => (0..world.processes).map(|process| Location::new(symbol, &[process])).collect(),
        }
    }

    fn add(&mut self, symbol: usize, world: &World<'m>, value: Option<&Expression>) {
        if !self.is_possible(world) {
            return;
        }
        self.values[symbol] |= match value {
            None => 0,
            Some(Expression::Constructor(at)) => bit(*at),
            Some(Expression::Variable(variable)) => self.known(world, *variable),
            Some(_) => Values::MAX,
        };
    }

    /// Whether all variables may have values that are reached.
    fn is_possible(&self, world: &World<'_>) -> bool {
        let mut variables = world.constraints.finite.iter().map(|(variable, _)| *variable);
        variables.all(|variable| self.known(world, variable) != 0)
    }

    fn known(&self, world: &World<'_>, variable: Variable) -> Values {
        let values = world.constraints.values(world.context(self.system), variable);
        match self.system.vocabulary.kind(variable) {
            Kind::Enumeration(_) => values & self.values[usize::from(variable.location.symbol())],
            _ => values,
        }
    }

    /// The cubes that say that a symbol has a value that is not reached.
    fn cubes(&self, at: usize) -> Vec<Cube> {
        let Some(constructors) = self.constructors(at) else { return vec![] };
        let others = (Values::MAX >> (Values::BITS - constructors)) & !self.values[at];
        if others == 0 { vec![] } else { cubes_with(self.system, at, others) }
    }
}

/// The cubes in which a cell of a symbol has one of some values, or somebody sees that it has.
fn cubes_with(system: &System<'_>, at: usize, values: Values) -> Vec<Cube> {
    let symbol = &system.vocabulary.symbols[at];
    let number = u16::try_from(at).expect("models with more symbols are refused");
    let named = system.vocabulary.named;
    let mut cubes = Vec::new();
    // Readers and owners are processes with names, or others.
    for reader in 0..=named {
        let owners = if symbol.arity == 0 { vec![None] } else { (0..=named + 1).map(Some).collect() };
        for owner in owners {
            let location = Location::new(number, owner.as_slice());
            let read = symbol.weak.then_some(Read { instant: 0, reader });
            let is_other = owner == Some(named + 1);
            if !symbol.weak && owner != Some(reader) || is_other && reader != named {
                continue;
            }
            let variable = Variable { location, read };
            let processes = variable.processes().map(|process| process + 1).max().unwrap_or(0).max(named);
            if system.vocabulary.most.is_some_and(|most| processes > most) {
                continue;
            }
            let constraints = Constraints { finite: vec![(variable, values)], ..Constraints::default() };
            let instants = if symbol.weak { vec![Instant::anywhere()] } else { vec![] };
            let mut cube = Cube { processes, constraints, instants };
            cube.tidy(&system.vocabulary);
            cubes.push(cube);
        }
    }
    cubes
}
