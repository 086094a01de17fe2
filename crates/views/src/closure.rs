//! The least set of views that holds those of the initial states and is closed under steps.
//!
//! After Abdulla, Haziza, Holík: All for the price of few (VMCAI 2013). A view of the state after a step depends on its own
//! members and the parameters of the step before it. All views of that structure are in the set, by induction: it is enough
//! to build every structure all of whose views are in the set, and to take the step there.
//!
//! A structure is built when the last of its views is taken up: from this view, one process is added after the other.

use crate::choice::Choices;
use crate::forget::Forget;
use crate::formula::{Env, Reading, UNBOUND};
use crate::item::{Item, What};
use crate::layout::{Layout, MOST_MEMBERS, OTHER, UNKNOWN};
use crate::set::ViewSet;
use crate::step::Step;
use crate::structure::{Known, Structure, permutations};
use explore::{Limit, Limits};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// How far a search is, for those who watch.
#[derive(Debug, Default)]
pub struct Progress {
    /// Views so far.
    pub views: AtomicUsize,
    /// Views that wait.
    pub waiting: AtomicUsize,
    /// How many members a view has.
    pub size: AtomicUsize,
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    /// The set is closed, and no structure made of it is bad.
    Closed,
    /// A structure made of this view and others violates a property.
    Bad {
        view: u32,
        property: usize,
    },
    Limit(Limit),
}

/// Where a view comes from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parent {
    pub(crate) view: u32,
    pub(crate) item: u32,
}

/// A view of an initial state comes from none.
pub(crate) const NO_PARENT: Parent = Parent { view: u32::MAX, item: u32::MAX };

/// What a structure for an item needs: others beside the parameters, and which views of it change.
#[derive(Debug)]
struct Plan {
    others: usize,
    /// Sets of parameters that are visible beside the others.
    visible: Vec<u32>,
}

/// A search under way.
pub(crate) struct Closure<'m> {
    layout: &'m Layout,
    forget: &'m Forget,
    items: &'m [Item],
    plans: Vec<Vec<Plan>>,
    pub(crate) set: ViewSet,
    pub(crate) parents: Vec<Parent>,
    /// For each item the first bit of its roles in the sets of `roles`.
    first_role: Vec<usize>,
    /// For each view of a single member, which parts it may have: a bit for each parameter of each item, and one for others.
    roles: Vec<u64>,
    role_words: usize,
    limits: Limits,
    begun: Instant,
    work: Work,
    choices: Choices,
    clock: u32,
    ended: Option<Ended>,
    /// Whether members are related by more than their own cells.
    has_relations: bool,
    pub(crate) structures: u64,
    /// Steps that were taken, each choice counted.
    steps: usize,
}

/// The structure that is being built: one for each number of further members.
struct Work {
    pool: Vec<Structure>,
    after: Structure,
    other: Structure,
    env: Env,
    /// For each member of the structure, its view alone.
    solos: [u32; MOST_MEMBERS + 1],
    /// Members that are no parameters.
    others: Vec<u8>,
    item: usize,
    plan: usize,
    /// The view that is taken up.
    view: u32,
}

/// The clock is looked at once in so many structures.
const STRUCTURES_PER_LOOK: u32 = 256;

impl<'m> Closure<'m> {
    pub(crate) fn new(
        layout: &'m Layout,
        forget: &'m Forget,
        items: &'m [Item],
        size: usize,
        limits: &Limits,
        begun: Instant,
    ) -> Closure<'m> {
        let mut first_role = Vec::new();
        let mut roles = 0;
        for item in items {
            first_role.push(roles);
            roles += item.params.len() + 1;
        }
        Closure {
            layout,
            forget,
            items,
            plans: items.iter().map(|item| plans(item, size)).collect(),
            set: ViewSet::new(layout, size),
            parents: vec![],
            first_role,
            roles: vec![],
            role_words: roles.div_ceil(64),
            limits: limits.clone(),
            begun,
            work: Work {
                pool: vec![Structure::new(layout); MOST_MEMBERS + 1],
                after: Structure::new(layout),
                other: Structure::new(layout),
                env: UNBOUND,
                solos: [0; MOST_MEMBERS + 1],
                others: vec![],
                item: 0,
                plan: 0,
                view: 0,
            },
            choices: Choices::default(),
            clock: 0,
            ended: None,
            has_relations: layout.has_relations(),
            structures: 0,
            steps: 0,
        }
    }

    /// Adds the views of an initial structure.
    pub(crate) fn add_initial(&mut self, structure: &Structure) {
        let members: Vec<u8> = (0..u8::try_from(structure.members).expect("few members")).collect();
        self.work.after.copy_from(structure);
        self.forget.apply(self.layout, &mut self.work.after, &members);
        for members in subsets(structure.members, self.set.size) {
            if self.set.add(self.layout, &self.work.after, &members) {
                self.parents.push(NO_PARENT);
            }
        }
    }

    /// Closes the set.
    pub(crate) fn run(&mut self, progress: Option<&Progress>) -> Ended {
        while (self.set.taken as usize) < self.set.views.len() {
            if self.set.taken.is_multiple_of(256) {
                self.look();
                if let Some(progress) = progress {
                    progress.views.store(self.set.views.len(), Ordering::Relaxed);
                    progress.waiting.store(self.set.views.len() - self.set.taken as usize, Ordering::Relaxed);
                }
            }
            self.take_up();
            if let Some(ended) = self.ended {
                return ended;
            }
        }
        Ended::Closed
    }

    fn look(&mut self) {
        let limits = &self.limits;
        let limit = if limits.cancel.as_ref().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
            Some(Limit::Cancelled)
        } else if limits.time.is_some_and(|most| self.begun.elapsed() >= most) {
            Some(Limit::Time)
        } else if limits.states.is_some_and(|most| self.set.views.len() >= most) {
            Some(Limit::States)
        } else if limits.steps.is_some_and(|most| self.steps >= most) {
            Some(Limit::Steps)
        } else if limits.memory.is_some_and(|most| self.set.memory() >= most) {
            Some(Limit::Memory)
        } else {
            None
        };
        if let Some(limit) = limit {
            self.ended = Some(Ended::Limit(limit));
        }
    }

    /// Takes up a view: every structure that it completes.
    fn take_up(&mut self) {
        self.work.view = self.set.taken;
        let Closure { set, work, roles, items, layout, role_words, .. } = self;
        set.take_up(layout, &mut work.pool[0], &mut |solo| {
            let begin = roles.len();
            roles.resize(begin + *role_words, 0);
            possible_roles(layout, items, solo, &mut roles[begin..]);
        });
        for member in 0..self.set.size {
            self.work.solos[member] = self.set.solo(self.work.view, member);
        }
        for item in 0..self.items.len() {
            for plan in 0..self.plans[item].len() {
                (self.work.item, self.work.plan) = (item, plan);
                self.work.env = UNBOUND;
                self.work.others.clear();
                self.assign(0);
                if self.ended.is_some() {
                    return;
                }
            }
        }
    }

    fn may_be(&self, solo: u32, role: usize) -> bool {
        let bit = self.first_role[self.work.item] + role;
        self.roles[solo as usize * self.role_words + bit / 64] >> (bit % 64) & 1 == 1
    }

    /// Gives every member of the view, from one on, each part that it can play.
    fn assign(&mut self, member: usize) {
        let item = &self.items[self.work.item];
        if member == self.set.size {
            if may_hold(self.layout, item, &self.work.pool[0], &self.work.env) {
                self.grow(0);
            }
            return;
        }
        let solo = self.set.solo(self.work.view, member);
        let number = u8::try_from(member).expect("few members");
        for (role, param) in item.params.iter().enumerate() {
            if self.work.env[usize::from(*param)] == UNKNOWN && self.may_be(solo, role) {
                self.work.env[usize::from(*param)] = number;
                self.assign(member + 1);
                self.work.env[usize::from(*param)] = UNKNOWN;
            }
        }
        let room = self.work.others.len() < self.plans[self.work.item][self.work.plan].others;
        if room && self.may_be(solo, item.params.len()) {
            self.work.others.push(number);
            self.assign(member + 1);
            self.work.others.pop();
        }
    }

    /// Adds what is missing: parameters first, as guards say most about them.
    fn grow(&mut self, depth: usize) {
        if self.ended.is_some() {
            return;
        }
        let item = &self.items[self.work.item];
        let missing = item.params.iter().position(|param| self.work.env[usize::from(*param)] == UNKNOWN);
        match missing {
            Some(role) => self.extend(depth, role),
            None if self.work.others.len() < self.plans[self.work.item][self.work.plan].others => {
                self.extend(depth, item.params.len());
            }
            None => self.fire(depth),
        }
    }

    /// Adds every process that can play a part.
    fn extend(&mut self, depth: usize, role: usize) {
        let Some((shared, sub)) = self.shared(depth) else { return };
        // Others play the same part: those that are added come in the order of their numbers.
        let is_other = role == self.items[self.work.item].params.len();
        let before =
            self.work.others.last().filter(|other| is_other && usize::from(**other) >= self.set.size);
        let least = before.map_or(0, |other| self.work.solos[usize::from(*other)]);
        for at in 0..self.set.postings(sub).len() {
            let (view, new) = self.set.postings(sub)[at];
            let solo = self.set.solo(view, new.into());
            if solo < least || !self.may_be(solo, role) || !self.may_meet_all(depth, solo) {
                continue;
            }
            self.work.solos[self.work.pool[depth].members] = solo;
            for order in permutations(self.set.size - 1) {
                let Closure { set, work, layout, .. } = self;
                work.other.unpack(layout, set.views.get(view), set.size);
                let (before, after) = work.pool.split_at_mut(depth + 1);
                after[0].copy_from(&before[depth]);
                let known = alignment(&shared, order, new, set.size);
                if after[0].add(layout, &work.other, new.into(), known).is_none() {
                    continue;
                }
                // With several shared members, not every order of them is right.
                if set.size > 2 && !set.is_taken(layout, &after[0], &with_new(&shared, &after[0])) {
                    continue;
                }
                let connected = shared.iter().fold(0, |bits, member| bits | 1_u32 << member);
                self.connect_in_context(depth, role, connected, solo);
            }
        }
    }

    /// Whoever is a member now is no longer outside: somebody else may be, or nobody.
    fn connect_in_context(&mut self, depth: usize, role: usize, connected: u32, solo: u32) {
        let layout = self.layout;
        let Some(context) = &layout.context else { return self.connect(depth, role, connected, solo) };
        let (structure, view) = (&self.work.pool[depth + 1], &self.work.other);
        let new = structure.members - 1;
        let violates = context.is_violated_by(layout, structure, new);
        let mut apart = (0..new).filter(|member| connected >> member & 1 == 0);
        let beside = apart.any(|member| context.is_violated_by(layout, structure, member));
        let (before, seen) = (structure.bytes[context.slot], view.bytes[context.slot]);
        for outside in 0..=1 {
            let fits = before == (outside | u8::from(violates)) && seen == (outside | u8::from(beside));
            if fits {
                self.work.pool[depth + 1].bytes[context.slot] = outside;
                self.connect(depth, role, connected, solo);
                self.work.pool[depth + 1].bytes[context.slot] = before;
            }
        }
    }

    /// Whether each member is in some view together with another one.
    fn may_meet_all(&self, depth: usize, solo: u32) -> bool {
        let members = &self.work.solos[..self.work.pool[depth].members];
        members.iter().all(|member| self.set.may_meet(*member, solo))
    }

    /// The members from which the new one is looked for: those for which there are the fewest views.
    fn shared(&mut self, depth: usize) -> Option<(Vec<u8>, u32)> {
        let Closure { set, work, layout, .. } = self;
        let structure = &work.pool[depth];
        if set.size == 2 {
            let fewest =
                (0..structure.members).min_by_key(|member| set.postings(work.solos[*member]).len())?;
            return Some((vec![u8::try_from(fewest).ok()?], work.solos[fewest]));
        }
        let mut best: Option<(Vec<u8>, u32)> = None;
        for members in subsets(structure.members, set.size - 1) {
            let sub = set.sub(layout, structure, &members)?;
            if best.as_ref().is_none_or(|(_, known)| set.postings(sub).len() < set.postings(*known).len()) {
                best = Some((members, sub));
            }
        }
        best
    }

    /// Finds out how the new member relates to the members that are not connected with it yet.
    fn connect(&mut self, depth: usize, role: usize, connected: u32, solo: u32) {
        let new = self.work.pool[depth].members;
        let Some(next) = (0..new).find(|member| connected >> member & 1 == 0) else {
            return self.take_on(depth, role);
        };
        if self.set.size == 2 && !self.has_relations {
            // That they meet is all there is to know.
            return self.take_on(depth, role);
        }
        if !self.layout.blocks.is_empty() || self.layout.has_abstract_cells() {
            self.connect_by_views(depth, role, connected, solo, next);
        } else {
            self.connect_by_pointers(depth, role, connected, solo, next);
        }
    }

    /// Tries whatever a pointer may be.
    fn connect_by_pointers(&mut self, depth: usize, role: usize, connected: u32, solo: u32, next: usize) {
        let (layout, new) = (self.layout, self.work.pool[depth].members);
        let structure = &self.work.pool[depth + 1];
        let is_known = |member: usize| {
            layout.pointer_globals.iter().any(|at| usize::from(structure.bytes[*at]) == member)
        };
        let mut open = Vec::new();
        for (from, to) in [(next, new), (new, next)] {
            // A process to which a global points is in a class, and is nothing else.
            if !is_known(to) {
                let cells = layout.pointer_cells.iter().map(|cell| layout.cell(from, *cell));
                open.extend(cells.filter(|at| structure.bytes[*at] == OTHER).map(|at| (at, to)));
            }
        }
        for chosen in 0..1_u32 << open.len() {
            for (bit, (at, to)) in open.iter().enumerate() {
                let points = chosen >> bit & 1 == 1;
                self.work.pool[depth + 1].bytes[*at] =
                    if points { u8::try_from(*to).expect("few members") } else { OTHER };
            }
            if self.is_consistent(depth, connected, next) {
                self.connect(depth, role, connected | 1 << next, solo);
            }
        }
        for (at, _) in open {
            self.work.pool[depth + 1].bytes[at] = OTHER;
        }
    }

    /// Tries every view with both.
    fn connect_by_views(&mut self, depth: usize, role: usize, connected: u32, solo: u32, next: usize) {
        let (layout, new) = (self.layout, self.work.pool[depth].members);
        let mut shared: Vec<u8> = (0_u8..32).filter(|member| connected >> member & 1 == 1).collect();
        shared.truncate(self.set.size - 2);
        shared.push(u8::try_from(next).expect("few members"));
        let sub = if self.set.size == 2 {
            self.work.solos[next]
        } else {
            let Some(sub) = self.set.sub(layout, &self.work.pool[depth], &shared) else { return };
            sub
        };
        let kept = self.work.pool[depth + 1].clone();
        for at in 0..self.set.postings(sub).len() {
            let (view, position) = self.set.postings(sub)[at];
            if self.set.solo(view, position.into()) != solo {
                continue;
            }
            for order in permutations(self.set.size - 1) {
                let Closure { set, work, .. } = self;
                work.other.unpack(layout, set.views.get(view), set.size);
                let known = alignment(&shared, order, position, set.size);
                let structure = &mut work.pool[depth + 1];
                structure.copy_from(&kept);
                let related = structure.relate(layout, &work.other, position.into(), known, new);
                if related.is_some() && self.is_consistent(depth, connected, next) {
                    self.connect(depth, role, connected | 1 << next, solo);
                }
            }
        }
        self.work.pool[depth + 1].copy_from(&kept);
    }

    /// Whether all views with the new member, the one that is connected now, and others that are connected, are in the set.
    fn is_consistent(&mut self, depth: usize, connected: u32, next: usize) -> bool {
        let Closure { set, work, layout, .. } = self;
        let structure = &work.pool[depth + 1];
        let new = u8::try_from(structure.members - 1).expect("few members");
        if set.size == 2 {
            return set.is_taken(layout, structure, &[u8::try_from(next).expect("few members"), new]);
        }
        let connected: Vec<u8> = (0_u8..32).filter(|member| connected >> member & 1 == 1).collect();
        subsets(connected.len(), set.size - 2).iter().all(|chosen| {
            let mut members: Vec<u8> = chosen.iter().map(|at| connected[usize::from(*at)]).collect();
            members.push(u8::try_from(next).expect("few members"));
            members.push(new);
            set.is_taken(layout, structure, &members)
        })
    }

    /// The new member plays its part.
    fn take_on(&mut self, depth: usize, role: usize) {
        let item = &self.items[self.work.item];
        let structure = &self.work.pool[depth + 1];
        let number = u8::try_from(structure.members - 1).expect("few members");
        if !structure.is_ordered(self.layout) || !self.is_still_consistent(depth) {
            return;
        }
        match item.params.get(role) {
            Some(param) => self.work.env[usize::from(*param)] = number,
            None => self.work.others.push(number),
        }
        if may_hold(self.layout, item, &self.work.pool[depth + 1], &self.work.env) {
            self.grow(depth + 1);
        }
        match item.params.get(role) {
            Some(param) => self.work.env[usize::from(*param)] = UNKNOWN,
            None => drop(self.work.others.pop()),
        }
    }

    /// What was learned about abstract values later must not contradict what was known before.
    fn is_still_consistent(&mut self, depth: usize) -> bool {
        let Closure { set, work, layout, .. } = self;
        let structure = &work.pool[depth + 1];
        if !structure.merged {
            return true;
        }
        subsets(structure.members, set.size).iter().all(|members| set.is_taken(layout, structure, members))
    }

    /// Takes the step, or finds that the structure is bad.
    fn fire(&mut self, depth: usize) {
        self.structures += 1;
        self.clock += 1;
        if self.clock.is_multiple_of(STRUCTURES_PER_LOOK) {
            self.look();
        }
        let item = &self.items[self.work.item];
        let updates = match &item.what {
            What::Bad(property) => {
                self.ended = Some(Ended::Bad { view: self.work.view, property: *property });
                return;
            }
            What::Step { updates, .. } => updates,
        };
        let Closure { set, work, layout, forget, choices, plans, parents, steps, .. } = self;
        let parent = Parent { view: work.view, item: u32::try_from(work.item).expect("few items") };
        // Whoever is left out of a view still counts for its context.
        let everybody: Vec<u8> = (0_u8..).take(work.pool[depth].members).collect();
        for visible in &plans[work.item][work.plan].visible {
            let mut members = work.others.clone();
            let params = item.params.iter().enumerate().filter(|(at, _)| visible >> at & 1 == 1);
            members.extend(params.map(|(_, param)| work.env[usize::from(*param)]));
            loop {
                let mut step = Step {
                    layout,
                    forget,
                    before: &work.pool[depth],
                    after: &mut work.after,
                    choices,
                    visible: if layout.context.is_some() { &everybody } else { &members },
                    new_classes: vec![],
                };
                step.take(updates, &work.env);
                *steps += 1;
                if set.add(layout, &work.after, &members) {
                    parents.push(parent);
                }
                if !choices.next() {
                    break;
                }
            }
        }
    }
}

/// The structures that an item needs: with as many others as a view may have, unless nothing that it sees changes.
fn plans(item: &Item, size: usize) -> Vec<Plan> {
    let params = item.params.len();
    let least = size.saturating_sub(params);
    let most = if matches!(item.what, What::Bad(_)) { least } else { size };
    let plan = |others: usize| {
        let visible = 0..1_u32 << params;
        let visible = visible.filter(|set| set.count_ones() as usize == size - others);
        Plan { others, visible: visible.filter(|set| item.changes(*set, others > 0)).collect() }
    };
    let plans = (least..=most).map(plan);
    plans.filter(|plan| matches!(item.what, What::Bad(_)) || !plan.visible.is_empty()).collect()
}

/// Which parts a member can play, by its own cells and the globals.
fn possible_roles(layout: &Layout, items: &[Item], solo: &Structure, roles: &mut [u64]) {
    let mut bit = 0;
    for item in items {
        for param in item.params.iter().map(Some).chain([None]) {
            let mut env = UNBOUND;
            if let Some(param) = param {
                env[usize::from(*param)] = 0;
            }
            if may_hold(layout, item, solo, &env) {
                roles[bit / 64] |= 1 << (bit % 64);
            }
            bit += 1;
        }
    }
}

/// Whether the guard may hold.
fn may_hold(layout: &Layout, item: &Item, structure: &Structure, env: &Env) -> bool {
    let reading = Reading { layout, structure };
    item.guard.iter().all(|part| reading.holds(part, env) != Some(false))
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
fn with_new(members: &[u8], structure: &Structure) -> Vec<u8> {
    let mut members = members.to_vec();
    members.push(u8::try_from(structure.members - 1).expect("few members"));
    members
}

/// Every subset of so many members, in order.
pub(crate) fn subsets(of: usize, size: usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = vec![vec![]];
    for _ in 0..size {
        let longer = |known: &Vec<u8>| {
            let from = known.last().map_or(0, |last| last + 1);
            let known = known.clone();
            (from..u8::try_from(of).expect("few members"))
                .map(move |next| [known.as_slice(), &[next]].concat())
        };
        all = all.iter().flat_map(longer).collect();
    }
    all
}
