//! Pre-images: the cubes from which a step leads into a cube.
//!
//! Registers are substituted as usual. Memory is different: a step that reads adds open reads at a new instant, and a step that
//! writes decides which of the open reads of its locations it serves. Reads of the writer itself must be served, since a
//! process sees its own youngest write; those of others may be served or not, all of one instant alike.

use crate::constraints::{Constraints, Context, Contradiction, widened};
use crate::cube::Cube;
use crate::expression::Expression;
use crate::instant::{Event, Instants, MOST_INSTANTS, each as each_instant, precede};
use crate::linear::Sum;
use crate::refusal::Refusal;
use crate::scene::{Binding, Cases, Reading, Scene, World, each};
use crate::system::{Step, System, number_of};
use crate::variable::{Location, Process, Variable};
use crate::vocabulary::Kind;
use ir::{Relation, Update};

/// A cube from which a step leads into another.
#[derive(Debug)]
pub(crate) struct Preimage {
    pub(crate) cube: Cube,
    /// The processes of the step: those of the later cube keep their numbers, others follow.
    pub(crate) processes: Vec<Process>,
    /// For each process of the step and the later cube its number in the pre-image, unless it is forgotten.
    pub(crate) numbers: Vec<Option<Process>>,
    /// What the step does to memory, in numbers of the later cube.
    pub(crate) event: Event,
}

/// All pre-images by a transition that do not obviously belong to the cube itself.
pub(crate) fn preimages<'m>(
    system: &System<'m>,
    cube: &Cube,
    step: &Step<'m>,
    origin: usize,
) -> Result<Vec<Preimage>, Refusal> {
    if cube.instants.len() >= MOST_INSTANTS {
        return Err(Refusal::new(format!("more than {MOST_INSTANTS} reads are open at once"), None));
    }
    let mut all = Vec::new();
    for processes in system.placements(step.transition.params.len(), cube.processes) {
        let taking = Taking::new(system, cube, step, &processes)?;
        if let Some(taking) = taking {
            all.extend(taking.preimages(origin)?);
        }
    }
    Ok(all)
}

/// A step of certain processes that is taken back.
struct Taking<'a, 'm> {
    scene: Scene<'a, 'm>,
    cube: &'a Cube,
    step: &'a Step<'m>,
    processes: &'a [Process],
    actor: Process,
    binding: Binding,
    /// The number of processes of the cube and the step.
    present: Process,
    /// What is known before the step without looking at what it does.
    untouched: Constraints,
    /// What the cube says about variables that the step may change.
    touched: Constraints,
}

/// One way in which the step may have gone.
#[derive(Clone)]
struct Course<'m> {
    world: World<'m>,
    /// What variables after the step were before it.
    values: Vec<(Variable, Expression)>,
    written: Vec<(Location, Expression)>,
    seen_at: Instants,
    unseen_at: Instants,
}

impl<'a, 'm> Taking<'a, 'm> {
    /// `None` if the step obviously changes nothing that the cube speaks about.
    fn new(
        system: &'a System<'m>,
        cube: &'a Cube,
        step: &'a Step<'m>,
        processes: &'a [Process],
    ) -> Result<Option<Taking<'a, 'm>>, Refusal> {
        let actor = processes[step.actor];
        let may_change = |variable: Variable| touches(system, step, actor, variable);
        let (touched, untouched) = split(&cube.constraints, may_change);
        if touched == Constraints::default() {
            return Ok(None);
        }
        let mut before = World::new(untouched, cube.processes);
        let mut after = World::new(touched, cube.processes);
        while processes.iter().any(|process| *process >= before.processes) {
            let more = (before.with_another(system)?, after.with_another(system)?);
            let (Some((more_before, _)), Some((more_after, _))) = more else { return Ok(None) };
            (before, after) = (more_before, more_after);
        }
        let instant = u8::try_from(cube.instants.len()).expect("there are few instants");
        Ok(Some(Taking {
            scene: Scene { system, reading: Reading::Step { actor, instant } },
            cube,
            step,
            processes,
            actor,
            binding: step.binding(processes),
            present: before.processes,
            untouched: before.constraints,
            touched: after.constraints,
        }))
    }

    fn preimages(&self, origin: usize) -> Result<Vec<Preimage>, Refusal> {
        let world = World::new(self.untouched.clone(), self.present);
        let guard = &self.step.transition.guard;
        let worlds = self.scene.consistent(self.scene.assume(world, guard, true, &self.binding)?);
        let course = |world| Course { world, values: vec![], written: vec![], seen_at: 0, unseen_at: 0 };
        let mut courses: Vec<Course<'m>> = worlds.into_iter().map(course).collect();
        courses = self.registers(courses)?;
        courses = self.writes(courses)?;
        courses = each(courses, |course| Ok(self.served(&course)))?;
        courses.retain(Course::changes_something);
        courses = each(courses, |course| self.substituted(course))?;
        let mut all = Vec::new();
        for course in courses {
            all.extend(self.preimage(course, origin)?);
        }
        Ok(all)
    }

    /// Which value each register had that the cube speaks about.
    fn registers(&self, mut courses: Vec<Course<'m>>) -> Cases<Course<'m>> {
        for variable in distinct(&self.touched) {
            let Some(update) =
                update_of(&self.step.registers, variable.location).filter(|_| variable.read.is_none())
            else {
                continue;
            };
            courses = each(courses, |course| {
                let arms =
                    self.scene.updated(course.world.clone(), update, variable.location, &self.binding)?;
                let with = |(world, value): (World<'m>, Option<Expression>)| {
                    let mut course = Course { world, ..course.clone() };
                    course.values.extend(value.map(|value| (variable, value)));
                    course
                };
                Ok(arms.into_iter().map(with).collect())
            })?;
        }
        Ok(courses)
    }

    /// Which locations are written. Where it depends on the state, only locations with open reads are worth a case split.
    fn writes(&self, mut courses: Vec<Course<'m>>) -> Cases<Course<'m>> {
        for update in &self.step.writes {
            courses = each(courses, |course| {
                let locations = locations(update, course.world.processes);
                let mut courses = vec![course];
                for location in locations {
                    courses = each(courses, |course| self.write(course, update, location))?;
                }
                Ok(courses)
            })?;
        }
        Ok(courses)
    }

    fn write(&self, course: Course<'m>, update: &'m Update, location: Location) -> Cases<Course<'m>> {
        let arms = self.scene.updated(course.world.clone(), update, location, &self.binding)?;
        let is_open = self.touched.variables().any(|v| v.read.is_some() && v.location == location);
        if !is_open {
            let mut course = course;
            if let [(_, Some(value)), ..] = arms.as_slice()
                && arms.iter().all(|(_, value)| value.is_some())
            {
                course.written.push((location, value.clone()));
            }
            return Ok(vec![course]);
        }
        let with = |(world, value): (World<'m>, Option<Expression>)| {
            let mut course = Course { world, ..course.clone() };
            course.written.extend(value.map(|value| (location, value)));
            course
        };
        Ok(arms.into_iter().map(with).collect())
    }

    /// The ways in which what is written may be seen by open reads.
    fn served(&self, course: &Course<'m>) -> Vec<Course<'m>> {
        let mut course = course.clone();
        let mut foreign: Vec<(Variable, u8, Expression)> = Vec::new();
        for variable in distinct(&self.touched) {
            let Some(read) = variable.read else { continue };
            let Some((_, value)) = course.written.iter().find(|(location, _)| *location == variable.location)
            else {
                continue;
            };
            if read.reader == self.actor {
                course.values.push((variable, value.clone()));
            } else {
                foreign.push((variable, read.instant, value.clone()));
            }
        }
        let instants: Instants = foreign.iter().fold(0, |all, (_, instant, _)| all | (1 << instant));
        let choices = subsets(instants).filter(|seen| self.is_suffix(*seen, instants));
        let with = |seen: Instants| {
            let mut course = Course { seen_at: seen, unseen_at: instants & !seen, ..course.clone() };
            let served = foreign.iter().filter(|(_, instant, _)| seen & (1 << instant) != 0);
            course.values.extend(served.map(|(variable, _, value)| (*variable, value.clone())));
            course
        };
        choices.map(with).collect()
    }

    /// Whether with each instant, those after it are in the set. Otherwise the order would have a cycle.
    fn is_suffix(&self, seen: Instants, of: Instants) -> bool {
        each_instant(seen).all(|at| self.cube.instants[at].before & of & !seen == 0)
    }

    /// What the cube says, in terms of the state before the step.
    fn substituted(&self, course: Course<'m>) -> Cases<Course<'m>> {
        let Course { world, values, written, seen_at, unseen_at } = course;
        let context = Context { vocabulary: &self.scene.system.vocabulary, processes: self.present };
        let Ok(touched) = without_arbitrary(context, &self.touched, &values) else { return Ok(vec![]) };
        let worlds = self.with_literals(world, &touched, &values)?;
        let with =
            |world| Course { world, values: values.clone(), written: written.clone(), seen_at, unseen_at };
        Ok(worlds.into_iter().map(with).collect())
    }

    fn with_literals(
        &self,
        mut world: World<'m>,
        literals: &Constraints,
        values: &[(Variable, Expression)],
    ) -> Cases<World<'m>> {
        let system = self.scene.system;
        let context = world.context(system);
        let value = |variable: Variable| {
            let known = values.iter().find(|(known, _)| *known == variable);
            known.map_or_else(|| Expression::variable(context, variable), |(_, value)| value.clone())
        };
        for (variable, allowed) in &literals.finite {
            let is_process = matches!(system.vocabulary.kind(*variable), Kind::Process(_));
            let allowed =
                if is_process { widened(*allowed, self.present, world.processes) } else { *allowed };
            match world.constraints.with_value_in(context, &value(*variable), allowed) {
                Ok(constraints) => world.constraints = constraints,
                Err(_) => return Ok(vec![]),
            }
        }
        for inequality in &literals.linear {
            let sum = substituted_sum(&inequality.sum(), &inequality.terms, value)?;
            if world.constraints.bound(sum, inequality.strict, inequality.whole).is_err() {
                return Ok(vec![]);
            }
        }
        let mut worlds = vec![world];
        for relation in &literals.relations {
            let compared = if relation.equal { Relation::Eq } else { Relation::Neq };
            let (left, right) = (value(relation.left), value(relation.right));
            worlds = each(worlds, |world| self.scene.compare_values(&world, compared, &left, &right))?;
        }
        Ok(worlds)
    }

    /// The pre-images of a course: what holds for all processes is added, and the order of events.
    fn preimage(&self, course: Course<'m>, origin: usize) -> Result<Vec<Preimage>, Refusal> {
        let mut all = Vec::new();
        for world in self.scene.consistent(self.scene.instantiated(course.world)?) {
            let event = Event {
                reads: self.new_reads(&world.constraints),
                writes: course.written.iter().map(|(location, _)| *location).collect(),
                is_atomic: self.step.is_atomic,
                fence: world.fence,
                seen_at: course.seen_at,
                unseen_at: course.unseen_at,
            };
            let mut instants = self.cube.instants.clone();
            if precede(&mut instants, self.actor, &event, origin).is_err() {
                continue;
            }
            let mut cube = Cube { processes: world.processes, constraints: world.constraints, instants };
            let numbers = cube.tidy(&self.scene.system.vocabulary);
            all.push(Preimage { cube, processes: self.processes.to_vec(), numbers, event });
        }
        Ok(all)
    }

    /// The locations whose values matter that the step itself reads.
    fn new_reads(&self, constraints: &Constraints) -> Vec<Location> {
        let new = self.cube.instants.len();
        let is_new = |variable: &Variable| variable.read.is_some_and(|read| usize::from(read.instant) == new);
        constraints.variables().filter(is_new).map(|variable| variable.location).collect()
    }
}

impl Course<'_> {
    /// Otherwise the pre-image says all that the cube says, and more.
    fn changes_something(&self) -> bool {
        !self.values.is_empty()
    }
}

/// The cells of the symbol of an update, over so many processes.
fn locations(update: &Update, processes: Process) -> Vec<Location> {
    let mut all: Vec<Vec<Process>> = vec![vec![]];
    for _ in &update.cell {
        let more = |indices: Vec<Process>| {
            (0..processes).map(move |process| indices.iter().copied().chain([process]).collect())
        };
        all = all.into_iter().flat_map(more).collect();
    }
    let symbol = number_of(update.symbol);
    all.into_iter().map(|indices| Location::new(symbol, &indices)).collect()
}

/// What constraints say about all but the variables that may have got any value.
fn without_arbitrary(
    context: Context<'_>,
    constraints: &Constraints,
    values: &[(Variable, Expression)],
) -> Result<Constraints, Contradiction> {
    let arbitrary: Vec<Variable> =
        values.iter().filter(|(_, value)| *value == Expression::Any).map(|(variable, _)| *variable).collect();
    // All reads that see a write see the same value, whatever it is.
    let first = |variable: Variable| {
        let is_same = |other: &&Variable| other.location == variable.location;
        if arbitrary.contains(&variable) {
            *arbitrary.iter().find(is_same).unwrap_or(&variable)
        } else {
            variable
        }
    };
    let mut rest = constraints.merged(context, first)?;
    for variable in arbitrary {
        rest.eliminate(context, variable)?;
    }
    Ok(rest)
}

/// Whether a step may change a variable: a register of the actor, or an open read of a location that it may write.
fn touches(system: &System<'_>, step: &Step<'_>, actor: Process, variable: Variable) -> bool {
    let updates = if variable.read.is_some() { &step.writes } else { &step.registers };
    let symbol = &system.vocabulary.symbols[usize::from(variable.location.symbol())];
    let is_register = variable.read.is_none();
    update_of(updates, variable.location).is_some()
        && !(is_register && symbol.arity > 0 && variable.location.indices()[0] != actor)
}

fn update_of<'m>(updates: &[&'m Update], location: Location) -> Option<&'m Update> {
    updates.iter().copied().find(|update| update.symbol.index() == usize::from(location.symbol()))
}

/// Constraints that mention one of some variables, and the others.
fn split(constraints: &Constraints, is_chosen: impl Fn(Variable) -> bool) -> (Constraints, Constraints) {
    let (mut chosen, mut others) = (Constraints::default(), Constraints::default());
    for (variable, values) in &constraints.finite {
        let to = if is_chosen(*variable) { &mut chosen } else { &mut others };
        to.finite.push((*variable, *values));
    }
    for relation in &constraints.relations {
        let to = if relation.variables().into_iter().any(&is_chosen) { &mut chosen } else { &mut others };
        to.relations.push(*relation);
    }
    for inequality in &constraints.linear {
        let to = if inequality.variables().any(&is_chosen) { &mut chosen } else { &mut others };
        to.linear.push(inequality.clone());
    }
    (chosen, others)
}

fn distinct(constraints: &Constraints) -> Vec<Variable> {
    let mut all: Vec<Variable> = constraints.variables().collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// A sum with variables replaced by their values.
fn substituted_sum(
    sum: &Sum,
    terms: &[(Variable, i128)],
    value: impl Fn(Variable) -> Expression,
) -> Result<Sum, Refusal> {
    let mut result = sum.clone();
    let too_large = || Refusal::new("numbers get too large", None);
    for (variable, factor) in terms {
        let Expression::Sum(value, _) = value(*variable) else {
            unreachable!("a number has a number as its value")
        };
        let difference = value.plus(-1, &Sum::variable(*variable)).ok_or_else(too_large)?;
        result = result.plus(*factor, &difference).ok_or_else(too_large)?;
    }
    Ok(result)
}

fn subsets(of: Instants) -> impl Iterator<Item = Instants> {
    // The subsets of a bit set in descending order.
    let mut next = Some(of);
    std::iter::from_fn(move || {
        let subset = next?;
        next = (subset != 0).then(|| (subset - 1) & of);
        Some(subset)
    })
}
