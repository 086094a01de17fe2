//! Every structure that a view completes, and a step in each.
//!
//! A structure is built when the last of its views is taken up: from this view, one process is added after the other.

use crate::choice::Choices;
use crate::closure::{Ended, Parent, Watch};
use crate::formula::{Env, Reading, UNBOUND};
use crate::group::{Group, Posting};
use crate::item::{Item, What};
use crate::layout::{Layout, MOST_MEMBERS, OTHER, UNKNOWN};
use crate::plan::{Sight, Task};
use crate::repeat::{Dependence, Triple};
use crate::set::{Cut, ViewSet};
use crate::step::Step;
use crate::store::Store;
use crate::structure::{Known, Members, Structure, permutations};
use smallvec::{SmallVec, smallvec};

/// The structure that is being built: one for each number of further members.
pub(crate) struct Work {
    pool: Vec<Structure>,
    /// For what is put aside for a while.
    spare: Vec<Structure>,
    masked: Structure,
    after: Structure,
    pub(crate) other: Structure,
    pub(crate) cut: Cut,
    key: Vec<u8>,
    meetings: Vec<Posting>,
    dependences: Vec<Dependence>,
    choices: Choices,
    pub(crate) env: Env,
    /// For each member of the structure, its view alone.
    solos: [u32; MOST_MEMBERS + 1],
    /// Members that are no parameters.
    pub(crate) others: Vec<u8>,
    pub(crate) item: usize,
    pub(crate) plan: usize,
    /// Whether structures are made of just the views that they were put together from: none of them was found to be another.
    is_exact: bool,
    /// The view that is taken up.
    view: u32,
    /// Work since the clock was last looked at.
    since_look: usize,
}

impl Work {
    pub(crate) fn new(layout: &Layout) -> Work {
        Work {
            pool: vec![Structure::new(layout); MOST_MEMBERS + 1],
            spare: vec![],
            masked: Structure::new(layout),
            after: Structure::new(layout),
            other: Structure::new(layout),
            cut: Cut::new(layout),
            key: vec![],
            meetings: vec![],
            dependences: vec![],
            choices: Choices::default(),
            env: UNBOUND,
            solos: [0; MOST_MEMBERS + 1],
            others: vec![],
            item: 0,
            plan: 0,
            is_exact: true,
            view: 0,
            since_look: 0,
        }
    }
}

/// A group whose waiting views are taken up.
pub(crate) struct Expansion<'e, 'm> {
    pub(crate) task: &'e Task<'m>,
    pub(crate) layout: &'m Layout,
    /// All views that were known when the round began.
    pub(crate) set: &'e ViewSet,
    pub(crate) group: &'e mut Group,
    pub(crate) work: &'e mut Work,
    pub(crate) watch: &'e Watch<'e>,
}

/// The clock is looked at after so much work: views that were compared or joined, about a millisecond.
const WORK_PER_LOOK: usize = 1024;

impl Expansion<'_, '_> {
    /// Takes up all views that wait.
    pub(crate) fn run(&mut self) {
        for view in std::mem::take(&mut self.group.waiting) {
            self.take_up(view);
            if self.has_ended() {
                return;
            }
        }
    }

    fn has_ended(&self) -> bool {
        self.group.round.ended.is_some()
    }

    /// Counts work, and looks at the clock now and then: a structure that is never completed may take long to look for, too.
    /// Whether to give up. Only the clock is looked at, as when that is depends on what else the thread has done.
    fn is_late(&mut self, work: usize) -> bool {
        self.work.since_look += work;
        if self.work.since_look >= WORK_PER_LOOK {
            self.work.since_look = 0;
            let ended = &mut self.group.round.ended;
            *ended = ended.take().or_else(|| self.watch.look());
        }
        self.has_ended()
    }

    /// Takes up a view: every structure that it completes.
    fn take_up(&mut self, view: u32) {
        let Expansion { task, layout, set, group, work, .. } = self;
        work.view = view;
        work.pool[0].unpack(layout, set.views.get(view), set.size);
        let solos = group.take_up(layout, view, &work.pool[0], &mut work.cut, &mut |solo, roles| {
            let begin = roles.len();
            roles.resize(begin + task.role_words, 0);
            possible_roles(layout, task.items, solo, &mut roles[begin..]);
        });
        work.solos[..solos.len()].copy_from_slice(&solos);
        self.find_pairs_of_roles();
        for item in 0..self.task.items.len() {
            if !self.may_be_any(item) {
                continue;
            }
            for plan in 0..self.task.plans[item].len() {
                (self.work.item, self.work.plan) = (item, plan);
                self.work.env = UNBOUND;
                self.work.others.clear();
                self.assign(0);
                if self.has_ended() {
                    return;
                }
            }
        }
    }

    /// Which parts the two members of the view may have together.
    fn find_pairs_of_roles(&mut self) {
        let (task, solos) = (self.task, self.work.solos);
        let begin = self.group.pairs_of_roles.len();
        self.group.pairs_of_roles.resize(begin + task.pair_words, 0);
        let of_solos = solos[0].max(solos[1]) as usize * task.pair_words + task.pair_words;
        let known = self.group.pairs_of_solo.len();
        self.group.pairs_of_solo.resize(known.max(of_solos), 0);
        if task.pair_words == 0 {
            return;
        }
        for (number, item) in task.items.iter().enumerate() {
            for (first, second) in (0..item.roles()).flat_map(|a| (0..item.roles()).map(move |b| (a, b))) {
                let is_twice = first == second && first < item.params.len();
                if is_twice || !self.may_be(number, solos[0], first) || !self.may_be(number, solos[1], second)
                {
                    continue;
                }
                let mut env = UNBOUND;
                for (member, role) in [(0, first), (1, second)] {
                    if let Some(param) = item.params.get(role) {
                        env[usize::from(*param)] = member;
                    }
                }
                if may_hold(self.layout, item, &self.work.pool[0], &env) {
                    let at = |own: usize, other: usize| task.first_pair[number] + own * item.roles() + other;
                    set(&mut self.group.pairs_of_roles[begin..], at(first, second));
                    for (solo, bit) in [(solos[0], at(first, second)), (solos[1], at(second, first))] {
                        set(&mut self.group.pairs_of_solo[solo as usize * task.pair_words..], bit);
                    }
                }
            }
        }
    }

    /// Whether a member may meet somebody who has a part, if it has one itself.
    fn may_find(&self, solo: u32, own: usize, other: usize) -> bool {
        let (task, item) = (self.task, self.work.item);
        let bit = task.first_pair[item] + own * task.items[item].roles() + other;
        task.pair_words == 0 || is_set(&self.group.pairs_of_solo[solo as usize * task.pair_words..], bit)
    }

    /// Whether the members of the view may have any parts of an item.
    fn may_be_any(&self, item: usize) -> bool {
        let roles = self.task.items[item].roles();
        let bits = self.task.first_pair[item]..self.task.first_pair[item] + roles * roles;
        let taken_up = &self.group.pairs_of_roles[self.group.pairs_of_roles.len() - self.task.pair_words..];
        taken_up.is_empty() || bits.into_iter().any(|bit| is_set(taken_up, bit))
    }

    /// Whether the members of a view of two may have these parts together: the new one, and the other.
    fn may_be_together(&self, posting: Posting, new: usize, other: usize) -> bool {
        let (task, item) = (self.task, self.work.item);
        let (first, second) = if posting.new == 0 { (new, other) } else { (other, new) };
        let bit = task.first_pair[item] + first * task.items[item].roles() + second;
        is_set(&self.group.pairs_of_roles[posting.at as usize * task.pair_words..], bit)
    }

    /// The part of a member.
    fn role(&self, member: usize) -> usize {
        let item = &self.task.items[self.work.item];
        let is_it = |param: &u8| usize::from(self.work.env[usize::from(*param)]) == member;
        item.params.iter().position(is_it).unwrap_or(item.params.len())
    }

    fn may_be(&self, item: usize, solo: u32, role: usize) -> bool {
        let bit = self.task.first_role[item] + role;
        is_set(&self.group.roles[solo as usize * self.task.role_words..], bit)
    }

    /// Gives every member of the view, from one on, each part that it can play.
    fn assign(&mut self, member: usize) {
        let item = &self.task.items[self.work.item];
        if member == self.set.size {
            let may_hold = if self.set.size == 2 {
                let at = u32::try_from(self.group.views.len() - 1).expect("views are numbered");
                let taken_up = Posting { view: self.work.view, at, new: 0, solo: 0 };
                self.may_be_together(taken_up, self.role(0), self.role(1))
            } else {
                may_hold(self.layout, item, &self.work.pool[0], &self.work.env)
            };
            if may_hold {
                self.grow(0);
            }
            return;
        }
        let solo = self.work.solos[member];
        let number = u8::try_from(member).expect("few members");
        for (role, param) in item.params.iter().enumerate() {
            if self.work.env[usize::from(*param)] == UNKNOWN && self.may_be(self.work.item, solo, role) {
                self.work.env[usize::from(*param)] = number;
                self.assign(member + 1);
                self.work.env[usize::from(*param)] = UNKNOWN;
            }
        }
        let room = self.work.others.len() < self.task.plans[self.work.item][self.work.plan].others;
        if room && self.may_be(self.work.item, solo, item.params.len()) {
            self.work.others.push(number);
            self.assign(member + 1);
            self.work.others.pop();
        }
    }

    /// Adds what is missing: parameters first, as guards say most about them.
    fn grow(&mut self, depth: usize) {
        if self.has_ended() {
            return;
        }
        let item = &self.task.items[self.work.item];
        let missing = item.params.iter().position(|param| self.work.env[usize::from(*param)] == UNKNOWN);
        match missing {
            Some(role) => self.extend(depth, role),
            None if self.work.others.len() < self.task.plans[self.work.item][self.work.plan].others => {
                self.extend(depth, item.params.len());
            }
            None => self.fire(depth),
        }
    }

    /// Adds every process that can play a part.
    fn extend(&mut self, depth: usize, role: usize) {
        let members = self.work.pool[depth].members;
        let mut roles = [0; MOST_MEMBERS];
        (0..members).for_each(|member| roles[member] = self.role(member));
        if !(0..members).all(|member| self.may_find(self.work.solos[member], roles[member], role)) {
            return;
        }
        let Some((shared, sub)) = self.shared(depth) else { return };
        // Others play the same part: those that are added come in the order of their numbers.
        let is_other = role == self.task.items[self.work.item].params.len();
        let before =
            self.work.others.last().filter(|other| is_other && usize::from(**other) >= self.set.size);
        let least = before.map_or(0, |other| self.work.solos[usize::from(*other)]);
        let is_last_of_three =
            self.set.size == 2 && members == 2 && self.layout.context.is_none() && self.completes();
        for at in 0..self.group.postings(sub).len() {
            if self.is_late(1) {
                return;
            }
            let posting = self.group.postings(sub)[at];
            let solo = posting.solo;
            if solo < least || !self.may_join(posting, role, usize::from(shared[0]), &roles[..members]) {
                continue;
            }
            self.work.solos[members] = solo;
            if is_last_of_three {
                self.join_unless_repeated(posting, role, &shared, [roles[0], roles[1], role]);
            } else {
                self.join(depth, posting, role, &shared);
            }
        }
    }

    /// Adds a process as the third and last, unless the same step has been taken before.
    fn join_unless_repeated(&mut self, with_shared: Posting, role: usize, shared: &[u8], roles: [usize; 3]) {
        let shared_member = usize::from(shared[0]);
        let other = self.work.solos[1 - shared_member];
        let mut meetings = std::mem::take(&mut self.work.meetings);
        let mut dependences = std::mem::take(&mut self.work.dependences);
        self.group.meetings(other, with_shared.solo, &mut meetings);
        self.is_late(meetings.len());
        dependences.clear();
        let triple = |with_other: &Posting| Triple {
            shared: shared_member,
            with_shared,
            with_other: *with_other,
            roles,
        };
        let known =
            meetings.iter().all(|with_other| self.find_dependences(&triple(with_other), &mut dependences));
        if !known || !dependences.iter().all(|dependence| self.group.repeated.contains(dependence)) {
            let before = self.group.round.structures;
            self.work.is_exact = true;
            self.join(0, with_shared, role, shared);
            // Each of them is one structure, unless they contradict each other.
            if known && self.work.is_exact && self.group.round.structures - before == meetings.len() as u64 {
                self.group.repeated.extend(dependences.iter().copied());
            }
        }
        (self.work.meetings, self.work.dependences) = (meetings, dependences);
    }

    /// Adds a process as a view has it.
    fn join(&mut self, depth: usize, posting: Posting, role: usize, shared: &[u8]) {
        let Posting { view, new, solo, .. } = posting;
        for order in permutations(self.set.size - 1) {
            let Expansion { set, work, layout, .. } = self;
            work.other.unpack(layout, set.views.get(view), set.size);
            let (before, after) = work.pool.split_at_mut(depth + 1);
            after[0].copy_from(layout, &before[depth]);
            let known = alignment(shared, order, new, set.size);
            if after[0].add(layout, &work.other, new.into(), known).is_none() {
                continue;
            }
            self.connect_in_context(depth, role, shared, solo);
        }
    }

    /// Whoever is a member now is no longer outside: somebody else may be, or nobody.
    fn connect_in_context(&mut self, depth: usize, role: usize, shared: &[u8], solo: u32) {
        let layout = self.layout;
        let Some(context) = &layout.context else { return self.connect_shared(depth, role, shared, solo) };
        let (structure, view) = (&self.work.pool[depth + 1], &self.work.other);
        let new = structure.members - 1;
        let violates = context.is_violated_by(layout, structure, new);
        let mut apart = (0..new).filter(|member| !shared.iter().any(|known| usize::from(*known) == *member));
        let beside = apart.any(|member| context.is_violated_by(layout, structure, member));
        let (before, seen) = (structure.bytes[context.slot], view.bytes[context.slot]);
        for outside in 0..=1 {
            let fits = before == (outside | u8::from(violates)) && seen == (outside | u8::from(beside));
            if fits {
                self.work.pool[depth + 1].bytes[context.slot] = outside;
                self.connect_shared(depth, role, shared, solo);
                self.work.pool[depth + 1].bytes[context.slot] = before;
            }
        }
    }

    /// The new member is connected with those that its view has, if they are the right ones.
    fn connect_shared(&mut self, depth: usize, role: usize, shared: &[u8], solo: u32) {
        let Expansion { set, work, layout, .. } = self;
        if set.size > 2 {
            // With several shared members, not every order of them is right.
            let structure = &work.pool[depth + 1];
            let members = with_new(shared, structure);
            if !is_taken(set.find(layout, structure, &members, &mut work.cut), work.view) {
                return;
            }
        }
        let connected = shared.iter().fold(0, |bits, member| bits | 1_u32 << member);
        self.connect(depth, role, connected, solo);
    }

    /// Whether each member is in some view together with a new one, and all can have their parts.
    fn may_join(&self, posting: Posting, role: usize, shared: usize, roles: &[usize]) -> bool {
        let (solos, solo) = (&self.work.solos, posting.solo);
        if self.set.size > 2 {
            return self.may_be(self.work.item, solo, role)
                && solos[..roles.len()].iter().all(|member| self.group.may_meet(*member, solo));
        }
        self.may_be_together(posting, role, roles[shared])
            && (0..roles.len()).filter(|member| *member != shared).all(|member| {
                self.group.any_meeting(solos[member], solo, |meeting| {
                    self.may_be_together(meeting, role, roles[member])
                })
            })
    }

    /// The members from which the new one is looked for: those for which there are the fewest views.
    fn shared(&mut self, depth: usize) -> Option<(Members, u32)> {
        let Expansion { set, group, work, layout, .. } = self;
        let structure = &work.pool[depth];
        if set.size == 2 {
            let fewest =
                (0..structure.members).min_by_key(|member| group.postings(work.solos[*member]).len())?;
            return Some((smallvec![u8::try_from(fewest).ok()?], work.solos[fewest]));
        }
        let mut best: Option<(Members, u32)> = None;
        for members in subsets(structure.members, set.size - 1) {
            let sub = group.sub(layout, structure, &members, &mut work.cut)?;
            let count = group.postings(sub).len();
            if best.as_ref().is_none_or(|(_, known)| count < group.postings(*known).len()) {
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
        if self.set.size == 2 && !self.task.has_relations {
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
        let mut open: SmallVec<[(usize, usize); 8]> = SmallVec::new();
        for (from, to) in [(next, new), (new, next)] {
            // A process to which a global points is in a class, and is nothing else.
            if !is_known(to) {
                let cells = layout.pointer_cells.iter().map(|cell| layout.cell(from, *cell));
                open.extend(cells.filter(|at| structure.bytes[*at] == OTHER).map(|at| (at, to)));
            }
        }
        for chosen in 0..1_u32 << open.len() {
            if self.is_late(1) {
                break;
            }
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
        let mut shared: Members = (0_u8..32).filter(|member| connected >> member & 1 == 1).collect();
        shared.truncate(self.set.size - 2);
        shared.push(u8::try_from(next).expect("few members"));
        let Some(views) = self.views_with(depth, &shared, solo) else { return };
        let mut kept = self.work.spare.pop().unwrap_or_else(|| Structure::new(layout));
        kept.copy_from(layout, &self.work.pool[depth + 1]);
        for (view, position) in views {
            if self.is_late(1) {
                break;
            }
            for order in permutations(self.set.size - 1) {
                let Expansion { set, work, .. } = self;
                work.other.unpack(layout, set.views.get(view), set.size);
                let known = alignment(&shared, order, position, set.size);
                let structure = &mut work.pool[depth + 1];
                structure.copy_from(layout, &kept);
                let related = structure.relate(layout, &work.other, position.into(), known, new);
                if related.is_some() && self.is_seen_as(depth, connected, next, view) {
                    self.connect(depth, role, connected | 1 << next, solo);
                }
            }
        }
        self.work.pool[depth + 1].copy_from(layout, &kept);
        self.work.spare.push(kept);
    }

    /// Views of some members and one more, each with the position of that one.
    fn views_with(&mut self, depth: usize, shared: &[u8], solo: u32) -> Option<SmallVec<[(u32, u8); 8]>> {
        let Expansion { set, group, work, layout, .. } = self;
        if set.size == 2 {
            let mut views = SmallVec::new();
            group.any_meeting(work.solos[usize::from(shared[0])], solo, |meeting| {
                views.push((meeting.view, meeting.new));
                false
            });
            return Some(views);
        }
        let sub = group.sub(layout, &work.pool[depth], shared, &mut work.cut)?;
        let of_solo = group.postings(sub).iter().filter(|posting| posting.solo == solo);
        Some(of_solo.map(|posting| (posting.view, posting.new)).collect())
    }

    /// Whether what a view says of two members is still true together with what others say.
    fn is_seen_as(&mut self, depth: usize, connected: u32, next: usize, view: u32) -> bool {
        if self.set.size > 2 {
            return self.is_consistent(depth, connected, next);
        }
        let Expansion { set, work, layout, .. } = self;
        let structure = &work.pool[depth + 1];
        let members = [next, structure.members - 1].map(|member| u8::try_from(member).expect("few members"));
        set.find(layout, structure, &members, &mut work.cut) == Some(view)
    }

    /// Whether all views with the new member, the one that is connected now, and others that are connected, are in the set.
    fn is_consistent(&mut self, depth: usize, connected: u32, next: usize) -> bool {
        let Expansion { set, work, layout, .. } = self;
        let (structure, cut) = (&work.pool[depth + 1], &mut work.cut);
        let mut is_known = |members: &[u8]| is_taken(set.find(layout, structure, members, cut), work.view);
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

    /// The new member plays its part.
    fn take_on(&mut self, depth: usize, role: usize) {
        let item = &self.task.items[self.work.item];
        let structure = &self.work.pool[depth + 1];
        let number = u8::try_from(structure.members - 1).expect("few members");
        let numbers = self.layout.numbers.as_ref();
        if !structure.is_ordered(self.layout)
            || numbers.is_some_and(|numbers| !numbers.is_consistent(self.layout, structure))
            || !self.is_still_consistent(depth)
        {
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
        let Expansion { set, work, layout, .. } = self;
        let (structure, cut) = (&work.pool[depth + 1], &mut work.cut);
        if !structure.merged {
            return true;
        }
        work.is_exact = false;
        let mut is_known = |members: &[u8]| is_taken(set.find(layout, structure, members, cut), work.view);
        subsets(structure.members, set.size).all(|members| is_known(&members))
    }

    /// Takes the step, or finds that the structure is bad.
    fn fire(&mut self, depth: usize) {
        self.group.round.structures += 1;
        self.group.round.steps += 1;
        // What is counted is looked at every time, unlike the clock.
        self.group.round.ended = self.watch.count(&self.group.round);
        self.is_late(1);
        let (item, plan) = (self.work.item, self.work.plan);
        if let What::Bad(property) = self.task.items[item].what {
            self.group.round.ended = Some(Ended::Bad { view: self.work.view, property });
            return;
        }
        let task = self.task;
        for sight in &task.plans[item][plan].sights {
            let members = self.seen(depth, sight);
            if self.mask(depth, sight, &members) {
                self.step(&members);
            }
        }
    }

    /// The members that are seen.
    fn seen(&self, depth: usize, sight: &Sight) -> Members {
        let (work, layout) = (&self.work, self.layout);
        let mut members = Members::from_slice(&work.others);
        // Which one comes first makes no difference.
        members.sort_by_key(|member| work.pool[depth].cells(layout, *member));
        members.extend(sight.visible.iter().map(|param| work.env[usize::from(*param)]));
        members
    }

    /// Leaves out what the step does not look at. Whether there was no such step before.
    fn mask(&mut self, depth: usize, sight: &Sight, members: &[u8]) -> bool {
        let Expansion { task, group, work, layout, .. } = self;
        work.masked.copy_from(layout, &work.pool[depth]);
        if sight.unseen.is_empty() || layout.context.is_some() {
            // Whoever is left out of a view still counts for its context.
            return true;
        }
        let mut order = Members::from_slice(members);
        for unseen in &sight.unseen {
            let member = work.env[usize::from(unseen.param)];
            order.push(member);
            for cell in &task.masks[unseen.mask] {
                work.masked.bytes[layout.cell(member.into(), *cell)] = UNKNOWN;
            }
        }
        work.cut.down_in_order(layout, &work.masked, &order);
        let key = &mut work.key;
        key.clear();
        key.extend_from_slice(&sight.number.to_le_bytes());
        // The group agrees on all other globals.
        key.extend(layout.pointer_globals.iter().map(|at| work.cut.packed[*at]));
        key.extend_from_slice(&work.cut.packed[layout.globals.len()..]);
        group.taken.insert(key)
    }

    /// Takes the step in every way.
    fn step(&mut self, members: &[u8]) {
        let Expansion { task, layout, set, group, work, watch, .. } = self;
        let What::Step { updates, .. } = &task.items[work.item].what else { return };
        let parent = Parent { view: work.view, item: u32::try_from(work.item).expect("few items") };
        let everybody: Members = (0_u8..).take(work.masked.members).collect();
        loop {
            let mut step = Step {
                layout,
                forget: task.forget,
                before: &work.masked,
                after: &mut work.after,
                choices: &mut work.choices,
                visible: if layout.context.is_some() { &everybody } else { members },
                new_classes: SmallVec::new(),
                moves: vec![],
            };
            step.take(updates, &work.env);
            group.round.steps += 1;
            work.since_look += 1;
            if set.find(layout, &work.after, members, &mut work.cut).is_none() {
                let found = group.round.found.get_or_insert_with(|| Store::new(layout.packed(set.size)));
                if found.insert(&work.cut.packed).1 {
                    group.round.parents.push(parent);
                }
            }
            let is_done = !work.choices.next();
            if work.since_look >= WORK_PER_LOOK {
                work.since_look = 0;
                group.round.ended = group.round.ended.take().or_else(|| watch.look());
            }
            if is_done || group.round.ended.is_some() {
                work.choices = Choices::default();
                break;
            }
        }
        if group.round.ended.is_none() {
            group.round.ended = watch.count(&group.round);
        }
    }
}

fn is_set(bits: &[u64], bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

fn set(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}

/// Whether a view was taken up when another was.
fn is_taken(found: Option<u32>, view: u32) -> bool {
    found.is_some_and(|found| found <= view)
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
                set(roles, bit);
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
fn with_new(members: &[u8], structure: &Structure) -> Members {
    let mut members = Members::from_slice(members);
    members.push(u8::try_from(structure.members - 1).expect("few members"));
    members
}

/// Every subset of so many members, in order.
pub(crate) fn subsets(of: usize, size: usize) -> impl Iterator<Item = Members> {
    let of = u8::try_from(of).expect("few members");
    // The first member is the highest bit: what comes first in order is the largest number.
    let sets = (0..1_u32 << of).rev().filter(move |set| set.count_ones() as usize == size);
    sets.map(move |set| (0..of).filter(|member| set >> (of - 1 - member) & 1 == 1).collect())
}
