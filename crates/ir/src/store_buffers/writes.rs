//! Transitions under store buffers: plain writes fill slots, everything else reads through them.

use super::{
    Unsupported,
    effects::{Argument, Effects, atoms, decide, unsupported},
    reads::Reading,
    slots::{Catalogue, Slots},
};
use crate::{
    Arm, At, Formula, Model, Property, PropertyKind, SymbolId, Term, Transition, Update, Value, Var,
};

/// A transition is split into at most two to the power of this many by the conditions of its buffered writes.
const MOST_CONDITIONS: usize = 6;

/// How a transition accesses weak memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Access {
    /// It writes nothing that is weak.
    Read,
    /// It only writes: what it writes is buffered.
    Write,
    /// Reads and writes at once, with an empty buffer before and after.
    ReadModifyWrite,
}

/// How a transition accesses weak memory.
pub(super) fn access(model: &Model, transition: &Transition) -> Access {
    let writes = transition.updates.iter().any(|update| is_buffered(model, update));
    match (writes, transition.reads_weak) {
        (false, _) => Access::Read,
        (true, false) => Access::Write,
        (true, true) => Access::ReadModifyWrite,
    }
}

/// Whether an update writes a weak symbol.
fn is_buffered(model: &Model, update: &Update) -> bool {
    model.symbol(update.symbol).weak && update.arms.iter().any(|arm| arm.value != Value::Keep)
}

/// Whether a guard demands that the buffer of the actor is empty.
pub(super) fn is_fenced(guard: &Formula) -> bool {
    guard.conjuncts().contains(&Formula::Fence)
}

/// A transition with what it puts into the buffer: one part of a plain write, split by the conditions of its updates.
#[derive(Debug, Clone)]
pub(super) struct Part {
    /// The transition without its buffered updates, under the condition of this part.
    pub(super) transition: Transition,
    /// The number of the write and its arguments; `None` if nothing is written under this condition.
    pub(super) entry: Option<(usize, Vec<Argument>)>,
    /// Whether the buffer is empty before.
    pub(super) fenced: bool,
}

/// The parts of a plain write. Their writes are added to the catalogue.
pub(super) fn parts(
    model: &Model,
    transition: &Transition,
    catalogue: &mut Catalogue,
) -> Result<Vec<Part>, Unsupported> {
    let (mut buffered, plain): (Vec<Update>, Vec<Update>) =
        transition.updates.iter().cloned().partition(|update| is_buffered(model, update));
    // Entries that store the same are the same, whatever the order of the statements.
    buffered.sort_by_key(|update| update.symbol);
    let actor = transition.actor.ok_or_else(|| unsupported("a write by no process", &buffered[0]))?;
    let mut conditions = Vec::new();
    for update in &buffered {
        update.arms.iter().for_each(|arm| atoms(&arm.condition, update, &mut conditions));
    }
    if conditions.len() > MOST_CONDITIONS {
        return Err(unsupported("a buffered write with this many conditions", &buffered[0]));
    }
    let mut all = Vec::new();
    for truths in 0..1_u32 << conditions.len() {
        let truth = |(at, atom): (usize, &Formula)| (atom.clone(), truths >> at & 1 == 1);
        let known: Vec<(Formula, bool)> = conditions.iter().enumerate().map(truth).collect();
        let literal =
            |(atom, truth): &(Formula, bool)| if *truth { atom.clone() } else { atom.clone().not() };
        let guard = Formula::and([transition.guard.clone()].into_iter().chain(known.iter().map(literal)));
        let mut effects = Effects { model, actor, arguments: vec![] };
        let mut found = Vec::new();
        for update in &buffered {
            let effect = effects.effect(&resolved(update, &known))?;
            found.extend(Some(effect).filter(|effect| !effect.arms.is_empty()));
        }
        let arguments = effects.arguments;
        let entry = (!found.is_empty()).then(|| (catalogue.add(found, &arguments), arguments));
        let fenced = is_fenced(&transition.guard);
        all.push(Part {
            transition: Transition { guard, updates: plain.clone(), ..transition.clone() },
            entry,
            fenced,
        });
    }
    Ok(all)
}

/// The update where some conditions have known truth values; arms that cannot apply are gone.
fn resolved(update: &Update, known: &[(Formula, bool)]) -> Update {
    let mut arms = Vec::new();
    for arm in &update.arms {
        let condition = decide(&arm.condition, known);
        let always = condition == Formula::True;
        if condition != Formula::False {
            arms.push(Arm { condition, value: arm.value.clone() });
        }
        if always {
            break;
        }
    }
    Update { arms, ..update.clone() }
}

/// An item of the model while it is lowered: it may need more variables.
pub(super) struct Item<'s> {
    pub(super) model: &'s Model,
    pub(super) slots: &'s Slots,
}

impl Item<'_> {
    /// A transition that writes nothing into a buffer, with its reads through the buffer of the actor.
    pub(super) fn reading(&self, transition: &Transition, access: Access) -> Result<Transition, Unsupported> {
        let rmw = access == Access::ReadModifyWrite;
        let flushed = rmw || is_fenced(&transition.guard);
        let at = self.model.rules[transition.rule.index()].at;
        let reading = Reading {
            model: self.model,
            slots: self.slots,
            actor: transition.actor,
            flushed,
            apart: vec![],
            at,
        }
        .distinct(&transition.params);
        let empty = match transition.actor {
            Some(actor) if flushed => self.slots.is_empty(0, &Term::Var(actor)),
            _ => Formula::True,
        };
        let guard = Formula::and([empty, reading.formula(&transition.guard)?]);
        let updates: Result<Vec<Update>, Unsupported> =
            transition.updates.iter().map(|update| through(&reading, update)).collect();
        Ok(Transition { guard, updates: updates?, reads_weak: false, ..transition.clone() })
    }

    /// The transitions of one part of a plain write, and the property that it finds room.
    pub(super) fn writing(&self, part: &Part) -> Result<(Vec<Transition>, Option<Property>), Unsupported> {
        let read = self.reading(&part.transition, Access::Write)?;
        let (Some((write, arguments)), Some(actor)) = (&part.entry, read.actor) else {
            return Ok((vec![read], None));
        };
        let filling = Filling { slots: self.slots, actor, write: *write, arguments, base: read };
        if part.fenced {
            return Ok((vec![filling.fill(0, Formula::True)], None));
        }
        Ok((filling.all(), Some(filling.overflow())))
    }
}

/// An update with its reads through a buffer.
fn through(reading: &Reading<'_>, update: &Update) -> Result<Update, Unsupported> {
    let mut arms = Vec::new();
    for arm in &update.arms {
        let condition = reading.formula(&arm.condition)?;
        let cases = match &arm.value {
            Value::Term(term) => reading.cases(term)?,
            other => {
                arms.push(Arm { condition, value: other.clone() });
                continue;
            }
        };
        arms.extend(cases.into_iter().map(|(case, value)| Arm {
            condition: Formula::and([condition.clone(), case]),
            value: Value::Term(value),
        }));
    }
    Ok(Update { arms, ..update.clone() })
}

/// A write that enters the buffer of its actor.
struct Filling<'f> {
    slots: &'f Slots,
    actor: Var,
    write: usize,
    arguments: &'f [Argument],
    /// The transition without the write.
    base: Transition,
}

impl Filling<'_> {
    fn owner(&self) -> Term {
        Term::Var(self.actor)
    }

    /// One transition for each slot that may be the first empty one, and for each that may hold the same already.
    fn all(&self) -> Vec<Transition> {
        let mut all = vec![self.fill(0, self.slots.is_empty(0, &self.owner()))];
        for slot in 0..self.slots.all.len() {
            let youngest = self.is_youngest(slot);
            if self.slots.most_counted() > 0 && !self.has_choice() {
                let same = Formula::and([youngest.clone(), self.is_same(slot)]);
                all.extend((1..=self.slots.most_counted() + 1).map(|copies| self.count(slot, copies, &same)));
            }
            if slot + 1 < self.slots.all.len() {
                let different = Formula::and([youngest, self.is_different(slot)]);
                all.push(self.fill(slot + 1, different));
            }
        }
        all
    }

    /// The slot is taken, and the next one is not.
    fn is_youngest(&self, slot: usize) -> Formula {
        let taken = self.slots.is_empty(slot, &self.owner());
        let taken = crate::negate(&taken);
        Formula::and([taken, self.slots.is_empty(slot + 1, &self.owner())])
    }

    /// A write of any value is never recognised as one that is there already.
    fn has_choice(&self) -> bool {
        self.arguments.iter().any(|argument| argument.value == Value::Any)
    }

    /// The slot holds this very write.
    fn is_same(&self, slot: usize) -> Formula {
        let held = Formula::eq(self.slots.holds(slot, &self.owner()), self.slots.write(self.write));
        Formula::and([held].into_iter().chain(self.arguments_are(slot)))
    }

    fn arguments_are(&self, slot: usize) -> Vec<Formula> {
        let places = &self.slots.writes[self.write].arguments;
        let equal = |(place, argument): (&usize, &Argument)| match &argument.value {
            Value::Term(term) => {
                let held = Term::read(self.slots.all[slot].arguments[*place], vec![self.owner()]);
                Some(Formula::eq(held, term.clone()))
            }
            Value::Any | Value::Keep => None,
        };
        places.iter().zip(self.arguments).filter_map(equal).collect()
    }

    /// The slot holds something else, or this write cannot share it.
    fn is_different(&self, slot: usize) -> Formula {
        if self.slots.most_counted() == 0 || self.has_choice() {
            return Formula::True;
        }
        crate::negate(&self.is_same(slot))
    }

    /// The write enters a slot that is empty.
    fn fill(&self, slot: usize, condition: Formula) -> Transition {
        let mut step = Step::new(&self.base, self.actor);
        step.require(condition);
        let places = &self.slots.writes[self.write].arguments;
        step.set(self.slots.all[slot].write, Value::Term(self.slots.write(self.write)));
        for (place, argument) in places.iter().zip(self.arguments) {
            step.set(self.slots.all[slot].arguments[*place], argument.value.clone());
        }
        step.transition
    }

    /// The slot holds one copy more.
    fn count(&self, slot: usize, copies: u32, condition: &Formula) -> Transition {
        let mut step = Step::new(&self.base, self.actor);
        let symbol = self.slots.all[slot].copies.expect("copies are counted");
        let counted = Formula::eq(Term::read(symbol, vec![self.owner()]), self.slots.copies(copies));
        step.require(Formula::and([condition.clone(), counted]));
        if copies <= self.slots.most_counted() {
            step.set(symbol, Value::Term(self.slots.copies(copies + 1)));
        }
        step.transition
    }

    /// The write finds no room.
    fn overflow(&self) -> Property {
        let last = self.slots.all.len() - 1;
        let full = Formula::and([self.is_youngest(last), self.is_different(last)]);
        Property {
            kind: PropertyKind::Overflow,
            name: "overflow".into(),
            params: self.base.params.clone(),
            variables: self.base.variables.clone(),
            formula: Formula::and([self.base.guard.clone(), full]),
            rule: Some(self.base.rule),
            at: At::nowhere(),
        }
    }
}

/// A transition with more conditions and assignments to cells of its actor.
pub(super) struct Step {
    pub(super) transition: Transition,
    owner: Var,
}

impl Step {
    pub(super) fn new(base: &Transition, owner: Var) -> Step {
        Step { transition: base.clone(), owner }
    }

    pub(super) fn require(&mut self, condition: Formula) {
        let guard = std::mem::replace(&mut self.transition.guard, Formula::True);
        self.transition.guard = Formula::and([guard, condition]);
    }

    /// Assigns the cell of the owner.
    pub(super) fn set(&mut self, array: SymbolId, value: Value) {
        if value == Value::Keep {
            return;
        }
        let cell = self.fresh();
        let condition = Formula::eq(Term::Var(cell), Term::Var(self.owner));
        let arms = vec![Arm { condition, value }];
        self.transition.updates.push(Update { symbol: array, cell: vec![cell], arms, at: At::nowhere() });
    }

    /// A new variable.
    pub(super) fn fresh(&mut self) -> Var {
        let var = Var::from_index(self.transition.variables.len());
        self.transition.variables.push(format!("cell {}", var.0));
        var
    }
}
