//! Adds a process to a structure: how it is related to each of the members.
//!
//! A view says how the new member is related to those that it shares with the structure. Every way to relate it to the others
//! is tried that views allow.

use crate::expand::Expansion;
use crate::group::Posting;
use crate::layout::{Layout, MOST_MEMBERS, OTHER, UNKNOWN};
use crate::roles::may_hold;
use crate::set::Cut;
use crate::structure::{Known, Members, Structure, permutations, subsets};
use smallvec::SmallVec;

/// Structures that are being built.
pub(crate) struct Building {
    /// The structure with each number of further members.
    pub(crate) stages: Vec<Structure>,
    /// Structures to which a stage can be put aside for a while.
    spare: Vec<Structure>,
    /// The view that is joined.
    pub(crate) other: Structure,
    pub(crate) cut: Cut,
    /// Whether structures consist of just the views that they were built from: none turned out to be another one.
    pub(crate) is_exact: bool,
}

impl Building {
    pub(crate) fn new(layout: &Layout) -> Building {
        Building {
            stages: vec![Structure::new(layout); MOST_MEMBERS + 1],
            spare: vec![],
            other: Structure::new(layout),
            cut: Cut::new(layout),
            is_exact: true,
        }
    }
}

/// A process that is added to the structure with `depth` further members.
pub(crate) struct Joining<'j> {
    pub(crate) depth: usize,
    pub(crate) role: usize,
    /// The members of the structure that the view has, too.
    pub(crate) shared: &'j [u8],
    /// The view that has the process.
    pub(crate) posting: Posting,
}

impl Expansion<'_, '_> {
    /// Adds a process as a view has it.
    pub(crate) fn join(&mut self, joining: &Joining<'_>) {
        let Posting { view, new, .. } = joining.posting;
        for order in permutations(self.set.size - 1) {
            let Expansion { set, worker, layout, .. } = self;
            let Building { stages, other, .. } = &mut worker.building;
            other.unpack(layout, set.views.get(view), set.size);
            let (before, after) = stages.split_at_mut(joining.depth + 1);
            after[0].copy_from(layout, &before[joining.depth]);
            let known = alignment(joining.shared, order, new, set.size);
            if after[0].add(layout, other, new.into(), known).is_none() {
                continue;
            }
            self.connect_in_context(joining);
        }
    }

    /// The new member is no longer outside: another process may be, or none.
    fn connect_in_context(&mut self, joining: &Joining<'_>) {
        let layout = self.layout;
        let Some(context) = &layout.context else { return self.connect_shared(joining) };
        let next = joining.depth + 1;
        let Building { stages, other: view, .. } = &self.worker.building;
        let structure = &stages[next];
        let new = structure.members - 1;
        let violates = context.is_violated_by(layout, structure, new);
        let is_shared = |member: usize| joining.shared.iter().any(|known| usize::from(*known) == member);
        let mut apart = (0..new).filter(|member| !is_shared(*member));
        let beside = apart.any(|member| context.is_violated_by(layout, structure, member));
        let (before, seen) = (structure.bytes[context.slot], view.bytes[context.slot]);
        for outside in 0..=1 {
            let fits = before == (outside | u8::from(violates)) && seen == (outside | u8::from(beside));
            if fits {
                self.worker.building.stages[next].bytes[context.slot] = outside;
                self.connect_shared(joining);
                self.worker.building.stages[next].bytes[context.slot] = before;
            }
        }
    }

    /// The new member is connected with those that its view has, if they are the right ones.
    fn connect_shared(&mut self, joining: &Joining<'_>) {
        let Expansion { set, worker, layout, view, .. } = self;
        if set.size > 2 {
            // With several shared members, not every order of them is right.
            let Building { stages, cut, .. } = &mut worker.building;
            let structure = &stages[joining.depth + 1];
            let members = with_new(joining.shared, structure);
            if !is_taken(set.find(layout, structure, &members, cut), *view) {
                return;
            }
        }
        let connected = joining.shared.iter().fold(0, |bits, member| bits | 1_u32 << member);
        self.connect(joining, connected);
    }

    /// Relates the new member to those that it is not connected with yet, in every way.
    fn connect(&mut self, joining: &Joining<'_>, connected: u32) {
        let new = self.worker.building.stages[joining.depth].members;
        let Some(next) = (0..new).find(|member| connected >> member & 1 == 0) else {
            return self.take_on(joining);
        };
        if self.set.size == 2 && !self.task.has_relations {
            // That they meet is all there is to know.
            return self.take_on(joining);
        }
        if !self.layout.blocks.is_empty() || self.layout.has_abstract_cells() {
            self.connect_by_views(joining, connected, next);
        } else {
            self.connect_by_pointers(joining, connected, next);
        }
    }

    /// Tries every way in which the new member and another one may point to each other.
    fn connect_by_pointers(&mut self, joining: &Joining<'_>, connected: u32, next: usize) {
        let (layout, depth) = (self.layout, joining.depth);
        let new = self.worker.building.stages[depth].members;
        let open = open_pointers(layout, &self.worker.building.stages[depth + 1], next, new);
        for chosen in 0..1_u32 << open.len() {
            if self.is_late(1) {
                break;
            }
            for (bit, (at, to)) in open.iter().enumerate() {
                let points = chosen >> bit & 1 == 1;
                self.worker.building.stages[depth + 1].bytes[*at] =
                    if points { u8::try_from(*to).expect("few members") } else { OTHER };
            }
            if self.is_consistent(depth, connected, next) {
                self.connect(joining, connected | 1 << next);
            }
        }
        for (at, _) in open {
            self.worker.building.stages[depth + 1].bytes[at] = OTHER;
        }
    }

    /// Tries every view that has the new member and another one.
    fn connect_by_views(&mut self, joining: &Joining<'_>, connected: u32, next: usize) {
        let (layout, depth) = (self.layout, joining.depth);
        let new = self.worker.building.stages[depth].members;
        let mut shared: Members = (0_u8..32).filter(|member| connected >> member & 1 == 1).collect();
        shared.truncate(self.set.size - 2);
        shared.push(u8::try_from(next).expect("few members"));
        let Some(views) = self.views_with(depth, &shared, joining.posting.solo) else { return };
        let building = &mut self.worker.building;
        let mut kept = building.spare.pop().unwrap_or_else(|| Structure::new(layout));
        kept.copy_from(layout, &building.stages[depth + 1]);
        for (view, position) in views {
            if self.is_late(1) {
                break;
            }
            for order in permutations(self.set.size - 1) {
                let Expansion { set, worker, .. } = self;
                let Building { stages, other, .. } = &mut worker.building;
                other.unpack(layout, set.views.get(view), set.size);
                let known = alignment(&shared, order, position, set.size);
                let structure = &mut stages[depth + 1];
                structure.copy_from(layout, &kept);
                let related = structure.relate(layout, other, position.into(), known, new);
                if related.is_some() && self.is_seen_as(depth, connected, next, view) {
                    self.connect(joining, connected | 1 << next);
                }
            }
        }
        let building = &mut self.worker.building;
        building.stages[depth + 1].copy_from(layout, &kept);
        building.spare.push(kept);
    }

    /// Views of some members and one more, each with the position of that one.
    fn views_with(&mut self, depth: usize, shared: &[u8], solo: u32) -> Option<SmallVec<[(u32, u8); 8]>> {
        let Expansion { set, group, worker, layout, assignment, .. } = self;
        if set.size == 2 {
            let mut views = SmallVec::new();
            group.any_meeting(assignment.solos[usize::from(shared[0])], solo, |meeting| {
                views.push((meeting.view, meeting.new));
                false
            });
            return Some(views);
        }
        let Building { stages, cut, .. } = &mut worker.building;
        let sub = group.sub(layout, &stages[depth], shared, cut)?;
        let of_solo = group.postings(sub).iter().filter(|posting| posting.solo == solo);
        Some(of_solo.map(|posting| (posting.view, posting.new)).collect())
    }

    /// Whether what a view says about two members is still true together with what others say.
    fn is_seen_as(&mut self, depth: usize, connected: u32, next: usize, view: u32) -> bool {
        if self.set.size > 2 {
            return self.is_consistent(depth, connected, next);
        }
        let Expansion { set, worker, layout, .. } = self;
        let Building { stages, cut, .. } = &mut worker.building;
        let structure = &stages[depth + 1];
        let members = [next, structure.members - 1].map(|member| u8::try_from(member).expect("few members"));
        set.find(layout, structure, &members, cut) == Some(view)
    }

    /// Whether all views of the new member, the one that is connected now, and others that are connected are in the set.
    fn is_consistent(&mut self, depth: usize, connected: u32, next: usize) -> bool {
        let Expansion { set, worker, layout, view, .. } = self;
        let Building { stages, cut, .. } = &mut worker.building;
        let structure = &stages[depth + 1];
        let mut is_known = |members: &[u8]| is_taken(set.find(layout, structure, members, cut), *view);
        let new = u8::try_from(structure.members - 1).expect("few members");
        if set.size == 2 {
            return is_known(&[u8::try_from(next).expect("few members"), new]);
        }
        let connected: Members = (0_u8..32).filter(|member| connected >> member & 1 == 1).collect();
        subsets(connected.len(), set.size - 2).all(|chosen| {
            let mut members: Members = chosen.iter().map(|at| connected[usize::from(*at)]).collect();
            members.push(u8::try_from(next).expect("few members"));
            members.push(new);
            is_known(&members)
        })
    }

    /// The new member takes on its role.
    fn take_on(&mut self, joining: &Joining<'_>) {
        let next = joining.depth + 1;
        let item = &self.task.items[self.assignment.item];
        let structure = &self.worker.building.stages[next];
        let number = u8::try_from(structure.members - 1).expect("few members");
        let numbers = self.layout.numbers.as_ref();
        if !structure.is_ordered(self.layout)
            || numbers.is_some_and(|numbers| !numbers.is_consistent(self.layout, structure))
            || !self.is_still_consistent(joining.depth)
        {
            return;
        }
        match item.params.get(joining.role) {
            Some(param) => self.assignment.env[usize::from(*param)] = number,
            None => self.assignment.others.push(number),
        }
        if may_hold(self.layout, item, &self.worker.building.stages[next], &self.assignment.env) {
            self.grow(next);
        }
        match item.params.get(joining.role) {
            Some(param) => self.assignment.env[usize::from(*param)] = UNKNOWN,
            None => drop(self.assignment.others.pop()),
        }
    }

    /// What was learned about abstract values later must not contradict what was known before.
    fn is_still_consistent(&mut self, depth: usize) -> bool {
        let Expansion { set, worker, layout, view, .. } = self;
        let Building { stages, cut, is_exact, .. } = &mut worker.building;
        let structure = &stages[depth + 1];
        if !structure.merged {
            return true;
        }
        *is_exact = false;
        let mut is_known = |members: &[u8]| is_taken(set.find(layout, structure, members, cut), *view);
        subsets(structure.members, set.size).all(|members| is_known(&members))
    }
}

/// Cells of two members that may point to the other one, each with the member that it may point to.
fn open_pointers(
    layout: &Layout,
    structure: &Structure,
    next: usize,
    new: usize,
) -> SmallVec<[(usize, usize); 8]> {
    let is_known =
        |member: usize| layout.pointer_globals.iter().any(|at| usize::from(structure.bytes[*at]) == member);
    let mut open = SmallVec::new();
    for (from, to) in [(next, new), (new, next)] {
        // A process to which a global points is in a class, and in no other way elsewhere.
        if !is_known(to) {
            let cells = layout.pointer_cells.iter().map(|cell| layout.cell(from, *cell));
            open.extend(cells.filter(|at| structure.bytes[*at] == OTHER).map(|at| (at, to)));
        }
    }
    open
}

/// Whether a view was taken up when another was.
fn is_taken(found: Option<u32>, view: u32) -> bool {
    found.is_some_and(|found| found <= view)
}

/// Which members those of a view are, apart from the new one: the shared ones in some order.
fn alignment(shared: &[u8], order: &[u8], new: u8, size: usize) -> Known {
    let mut known = [UNKNOWN; MOST_MEMBERS];
    let others = (0..size).filter(|member| *member != usize::from(new));
    for (member, at) in others.zip(order) {
        known[member] = shared[usize::from(*at)];
    }
    known
}

/// Some members and the last one.
fn with_new(members: &[u8], structure: &Structure) -> Members {
    let mut members = Members::from_slice(members);
    members.push(u8::try_from(structure.members - 1).expect("few members"));
    members
}
