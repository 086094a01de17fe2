//! Flushing: the oldest entry of a buffer reaches memory.

use super::{effects::Effect, slots::Slots, writes::Step};
use crate::{Arm, At, Formula, Model, Rule, RuleId, Term, Transition, Update, Value, Var};

/// The name of the rule.
const NAME: &str = "flush";

/// Adds the rule and its transitions: one for each write that may be the oldest entry, and for each number of copies.
pub(super) fn add_to(model: &mut Model, slots: &Slots) -> RuleId {
    let rule = RuleId::from_index(model.rules.len());
    model.rules.push(Rule { name: NAME.into(), params: vec!["p".into()], actor: Some(0), at: At::nowhere() });
    let flushing = Flushing { model, slots, rule };
    let all: Vec<Transition> = (0..slots.writes.len()).flat_map(|write| flushing.of_write(write)).collect();
    model.transitions.extend(all);
    rule
}

struct Flushing<'f> {
    model: &'f Model,
    slots: &'f Slots,
    rule: RuleId,
}

const OWNER: Var = Var(0);

impl Flushing<'_> {
    fn of_write(&self, write: usize) -> Vec<Transition> {
        let counted = self.slots.most_counted();
        if counted == 0 {
            return vec![self.last_copy(self.reaches_memory(write))];
        }
        // The last copy leaves an empty slot; of many, any number may be left.
        let mut all = vec![self.with_copies(write, 1, None)];
        all.extend((2..=counted + 1).map(|copies| self.with_copies(write, copies, Some(copies - 1))));
        all.push(self.with_copies(write, counted + 1, Some(counted + 1)));
        all
    }

    /// One of several copies reaches memory.
    fn with_copies(&self, write: usize, before: u32, after: Option<u32>) -> Transition {
        let mut step = self.reaches_memory(write);
        let copies = self.slots.all[0].copies.expect("copies are counted");
        let held = Term::read(copies, vec![Term::Var(OWNER)]);
        step.require(Formula::eq(held, self.slots.copies(before)));
        match after {
            None => self.last_copy(step),
            Some(after) if after == before => step.transition,
            Some(after) => {
                step.set(copies, Value::Term(self.slots.copies(after)));
                step.transition
            }
        }
    }

    /// The oldest entry is this write, and reaches memory.
    fn reaches_memory(&self, write: usize) -> Step {
        let base = Transition {
            rule: self.rule,
            params: vec![OWNER],
            variables: vec!["p".into()],
            actor: Some(OWNER),
            woken: None,
            guard: Formula::eq(self.slots.holds(0, &Term::Var(OWNER)), self.slots.write(write)),
            updates: vec![],
            reads_weak: false,
        };
        let mut step = Step::new(&base, OWNER);
        for effect in &self.slots.writes[write].effects {
            let update = self.update(write, effect, &mut step);
            step.transition.updates.push(update);
        }
        step
    }

    fn update(&self, write: usize, effect: &Effect, step: &mut Step) -> Update {
        let cell: Vec<Var> = (0..self.model.symbol(effect.symbol).arity).map(|_| step.fresh()).collect();
        let indices: Vec<Term> = cell.iter().map(|var| Term::Var(*var)).collect();
        let owner = Term::Var(OWNER);
        let write = &self.slots.writes[write];
        let arguments = self.slots.all[0].arguments_of(write, &owner);
        let arms = write
            .arms(effect, &owner, &indices, &arguments, &|_, _| None)
            .into_iter()
            .map(|arm| Arm { condition: arm.condition, value: arm.value.map_or(Value::Keep, Value::Term) });
        Update { symbol: effect.symbol, cell, arms: arms.collect(), at: At::nowhere() }
    }

    /// The slot becomes free, and the others move up.
    fn last_copy(&self, mut step: Step) -> Transition {
        let owner = Term::Var(OWNER);
        let all = &self.slots.all;
        for (at, slot) in all.iter().enumerate() {
            let next = all.get(at + 1);
            let moved = |symbol| Value::Term(Term::read(symbol, vec![owner.clone()]));
            let write = next.map_or(Value::Term(self.slots.none()), |next| moved(next.write));
            step.set(slot.write, write);
            if let Some(copies) = slot.copies {
                let one = Value::Term(self.slots.copies(1));
                step.set(copies, next.and_then(|next| next.copies).map_or(one, moved));
            }
            for (n, argument) in slot.arguments.iter().enumerate() {
                let value = next.map_or_else(|| self.slots.reset(n, OWNER), |next| moved(next.arguments[n]));
                step.set(*argument, value);
            }
        }
        step.transition
    }
}
