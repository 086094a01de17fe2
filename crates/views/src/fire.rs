//! What happens in a structure that is complete: a property is violated, or a step is taken in every way.

use crate::choice::Choices;
use crate::closure::{Ended, Parent};
use crate::expand::{Assignment, Expansion};
use crate::item::What;
use crate::layout::{Layout, UNKNOWN};
use crate::plan::Sight;
use crate::step::Step;
use crate::store::Store;
use crate::structure::{Members, Structure};
use smallvec::SmallVec;

/// A step that is being taken.
pub(crate) struct Firing {
    /// The structure before it, without the cells that it does not depend on.
    before: Structure,
    after: Structure,
    choices: Choices,
    /// What the step depends on.
    key: Vec<u8>,
}

impl Firing {
    pub(crate) fn new(layout: &Layout) -> Firing {
        let (before, after) = (Structure::new(layout), Structure::new(layout));
        Firing { before, after, choices: Choices::default(), key: vec![] }
    }
}

impl Expansion<'_, '_> {
    /// Takes the step, or finds that the structure is bad.
    pub(crate) fn fire(&mut self, depth: usize) {
        self.group.round.structures += 1;
        self.group.round.steps += 1;
        // Counted work is compared with its limit every time, unlike the clock.
        self.group.round.ended = self.watch.count(&self.group.round);
        self.is_late(1);
        if let What::Bad(property) = self.task.items[self.assignment.item].what {
            self.group.round.ended = Some(Ended::Bad { view: self.view, property });
            return;
        }
        for sight in &self.plan().sights {
            let members = self.seen(depth, sight);
            if self.mask(depth, sight, &members) {
                self.step(&members);
            }
        }
    }

    /// The members that are seen after the step.
    fn seen(&self, depth: usize, sight: &Sight) -> Members {
        let Assignment { env, others, .. } = &self.assignment;
        let structure = &self.worker.building.stages[depth];
        let mut members = others.clone();
        // Which one comes first makes no difference.
        members.sort_by_key(|member| structure.cells(self.layout, *member));
        members.extend(sight.visible.iter().map(|param| env[usize::from(*param)]));
        members
    }

    /// Leaves out the cells that the step does not depend on. Whether no step like that was taken before.
    fn mask(&mut self, depth: usize, sight: &Sight, members: &[u8]) -> bool {
        let Expansion { task, group, worker, layout, assignment, .. } = self;
        let Firing { before, key, .. } = &mut worker.firing;
        before.copy_from(layout, &worker.building.stages[depth]);
        if sight.unseen.is_empty() || layout.context.is_some() {
            // Members that are left out of a view still count for its context.
            return true;
        }
        let mut order = Members::from_slice(members);
        for unseen in &sight.unseen {
            let member = assignment.env[usize::from(unseen.param)];
            order.push(member);
            for cell in &task.masks[unseen.mask] {
                before.bytes[layout.cell(member.into(), *cell)] = UNKNOWN;
            }
        }
        let cut = &mut worker.building.cut;
        cut.down_in_order(layout, before, &order);
        key.clear();
        key.extend_from_slice(&sight.number.to_le_bytes());
        // The group agrees on all other globals.
        key.extend(layout.pointer_globals.iter().map(|at| cut.packed[*at]));
        key.extend_from_slice(&cut.packed[layout.globals.len()..]);
        group.taken.insert(key)
    }

    /// Takes the step in every way.
    fn step(&mut self, members: &[u8]) {
        let Expansion { task, layout, set, group, worker, watch, assignment, view } = self;
        let What::Step { updates, .. } = &task.items[assignment.item].what else { return };
        let Firing { before, after, choices, .. } = &mut worker.firing;
        let cut = &mut worker.building.cut;
        let parent = Parent { view: *view, item: u32::try_from(assignment.item).expect("few items") };
        let everybody: Members = (0_u8..).take(before.members).collect();
        loop {
            let mut step = Step {
                layout,
                forget: task.forget,
                before,
                after,
                choices,
                visible: if layout.context.is_some() { &everybody } else { members },
                new_classes: SmallVec::new(),
                moves: vec![],
            };
            step.take(updates, &assignment.env);
            group.round.steps += 1;
            if set.find(layout, after, members, cut).is_none() {
                let found = group.round.found.get_or_insert_with(|| Store::new(layout.packed(set.size)));
                if found.insert(&cut.packed).1 {
                    group.round.parents.push(parent);
                }
            }
            let is_done = !choices.next();
            worker.clock.count(1, watch, &mut group.round.ended);
            if is_done || group.round.ended.is_some() {
                *choices = Choices::default();
                break;
            }
        }
        if group.round.ended.is_none() {
            group.round.ended = watch.count(&group.round);
        }
    }
}
