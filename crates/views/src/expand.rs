//! Every structure that a view completes, and a step in each.
//!
//! A structure is built when the last of its views is taken up: starting from this view, one process is added after the other.
//! Which processes can be added is decided here, how they are connected with the others in `join.rs`, and what happens in a
//! structure that is complete in `fire.rs`.

use crate::closure::{Ended, Watch};
use crate::fire::Firing;
use crate::formula::{Env, UNBOUND};
use crate::group::{Group, Posting};
use crate::join::{Building, Joining};
use crate::layout::{Layout, MOST_MEMBERS, UNKNOWN};
use crate::plan::{Plan, Task};
use crate::repeat::{Comparison, Triple};
use crate::roles::may_hold;
use crate::set::ViewSet;
use crate::structure::{Members, subsets};
use smallvec::smallvec;

/// What one thread uses again for every group: memory for structures, and the time since it looked at the clock.
pub(crate) struct Worker {
    pub(crate) building: Building,
    pub(crate) firing: Firing,
    pub(crate) comparison: Comparison,
    pub(crate) clock: Clock,
}

impl Worker {
    pub(crate) fn new(layout: &Layout) -> Worker {
        Worker {
            building: Building::new(layout),
            firing: Firing::new(layout),
            comparison: Comparison::default(),
            clock: Clock::default(),
        }
    }
}

/// The clock is checked after this much work: views that were compared or joined, about a millisecond.
const WORK_PER_CHECK: usize = 1024;

/// Counts work, so that the deadline is checked now and then: a structure that is never completed may take long to look for, too.
#[derive(Default)]
pub(crate) struct Clock {
    since_check: usize,
}

impl Clock {
    /// Notes that it is time to end. Only the clock is checked here: when that is depends on what else the thread has done.
    pub(crate) fn count(&mut self, work: usize, watch: &Watch<'_>, ended: &mut Option<Ended>) {
        self.since_check += work;
        if self.since_check >= WORK_PER_CHECK {
            self.since_check = 0;
            *ended = ended.take().or_else(|| watch.look());
        }
    }
}

/// An item, and which of its roles members have so far.
pub(crate) struct Assignment {
    pub(crate) item: usize,
    pub(crate) plan: usize,
    /// The members that are parameters.
    pub(crate) env: Env,
    /// The members that are none.
    pub(crate) others: Members,
    /// For each member of the structure, its view alone.
    pub(crate) solos: [u32; MOST_MEMBERS + 1],
}

/// A group whose waiting views are taken up.
pub(crate) struct Expansion<'e, 'm> {
    pub(crate) task: &'e Task<'m>,
    pub(crate) layout: &'m Layout,
    /// All views that were known when the round began.
    pub(crate) set: &'e ViewSet,
    pub(crate) group: &'e mut Group,
    pub(crate) worker: &'e mut Worker,
    pub(crate) watch: &'e Watch<'e>,
    /// The view that is taken up.
    pub(crate) view: u32,
    pub(crate) assignment: Assignment,
}

impl<'e, 'm> Expansion<'e, 'm> {
    pub(crate) fn new(
        task: &'e Task<'m>,
        layout: &'m Layout,
        set: &'e ViewSet,
        group: &'e mut Group,
        worker: &'e mut Worker,
        watch: &'e Watch<'e>,
    ) -> Expansion<'e, 'm> {
        let solos = [0; MOST_MEMBERS + 1];
        let assignment = Assignment { item: 0, plan: 0, env: UNBOUND, others: Members::new(), solos };
        Expansion { task, layout, set, group, worker, watch, view: 0, assignment }
    }

    /// Takes up all views that wait.
    pub(crate) fn run(&mut self) {
        for view in std::mem::take(&mut self.group.waiting) {
            self.take_up(view);
            if self.has_ended() {
                return;
            }
        }
    }

    pub(crate) fn has_ended(&self) -> bool {
        self.group.round.ended.is_some()
    }

    /// Counts work. Whether it is time to end.
    pub(crate) fn is_late(&mut self, work: usize) -> bool {
        self.worker.clock.count(work, self.watch, &mut self.group.round.ended);
        self.has_ended()
    }

    pub(crate) fn plan(&self) -> &'e Plan {
        &self.task.plans[self.assignment.item][self.assignment.plan]
    }

    /// Takes up a view: every structure that it completes.
    fn take_up(&mut self, view: u32) {
        let Expansion { task, layout, set, group, worker, assignment, .. } = self;
        self.view = view;
        let Building { stages, cut, .. } = &mut worker.building;
        stages[0].unpack(layout, set.views.get(view), set.size);
        let solos = group.take_up(layout, task, view, &stages[0], cut);
        assignment.solos[..solos.len()].copy_from_slice(&solos);
        for item in 0..self.task.items.len() {
            if !self.group.roles.may_be_any(&self.task.role_bits, item) {
                continue;
            }
            for plan in 0..self.task.plans[item].len() {
                (self.assignment.item, self.assignment.plan) = (item, plan);
                self.assignment.env = UNBOUND;
                self.assignment.others.clear();
                self.assign(0);
                if self.has_ended() {
                    return;
                }
            }
        }
    }

    /// The role of a member.
    fn role(&self, member: usize) -> usize {
        let item = &self.task.items[self.assignment.item];
        let is_it = |param: &u8| usize::from(self.assignment.env[usize::from(*param)]) == member;
        item.params.iter().position(is_it).unwrap_or(item.params.len())
    }

    fn may_be(&self, solo: u32, role: usize) -> bool {
        self.group.roles.may_be(&self.task.role_bits, self.assignment.item, solo, role)
    }

    /// Whether the members of a view of two can have these roles together: the new one, and the other.
    fn may_be_together(&self, posting: Posting, new: usize, other: usize) -> bool {
        let roles = if posting.new == 0 { (new, other) } else { (other, new) };
        let (bits, item) = (&self.task.role_bits, self.assignment.item);
        self.group.roles.may_be_together(bits, item, posting.at, roles)
    }

    /// Gives every member of the view, from one on, each role that it can have.
    fn assign(&mut self, member: usize) {
        let item = &self.task.items[self.assignment.item];
        if member == self.set.size {
            if self.may_hold() {
                self.grow(0);
            }
            return;
        }
        let solo = self.assignment.solos[member];
        let number = u8::try_from(member).expect("few members");
        for (role, param) in item.params.iter().enumerate() {
            if self.assignment.env[usize::from(*param)] == UNKNOWN && self.may_be(solo, role) {
                self.assignment.env[usize::from(*param)] = number;
                self.assign(member + 1);
                self.assignment.env[usize::from(*param)] = UNKNOWN;
            }
        }
        let has_room = self.assignment.others.len() < self.plan().others;
        if has_room && self.may_be(solo, item.params.len()) {
            self.assignment.others.push(number);
            self.assign(member + 1);
            self.assignment.others.pop();
        }
    }

    /// Whether the members of the view that is taken up can have their roles together.
    fn may_hold(&self) -> bool {
        let Assignment { item, env, .. } = &self.assignment;
        if self.set.size == 2 {
            let roles = (self.role(0), self.role(1));
            self.group.roles.may_be_together(&self.task.role_bits, *item, self.group.last(), roles)
        } else {
            may_hold(self.layout, &self.task.items[*item], &self.worker.building.stages[0], env)
        }
    }

    /// Adds the members that are missing: parameters first, as guards say most about them.
    pub(crate) fn grow(&mut self, depth: usize) {
        if self.has_ended() {
            return;
        }
        let item = &self.task.items[self.assignment.item];
        let is_missing = |param: &u8| self.assignment.env[usize::from(*param)] == UNKNOWN;
        match item.params.iter().position(is_missing) {
            Some(role) => self.extend(depth, role),
            None if self.assignment.others.len() < self.plan().others => {
                self.extend(depth, item.params.len());
            }
            None => self.fire(depth),
        }
    }

    /// Adds every process that can have a role.
    fn extend(&mut self, depth: usize, role: usize) {
        let members = self.worker.building.stages[depth].members;
        let (bits, item) = (&self.task.role_bits, self.assignment.item);
        let mut roles = [0; MOST_MEMBERS];
        (0..members).for_each(|member| roles[member] = self.role(member));
        let may_meet = |member: usize| {
            self.group.roles.may_meet(bits, item, self.assignment.solos[member], roles[member], role)
        };
        if !(0..members).all(may_meet) {
            return;
        }
        let Some((shared, sub)) = self.shared(depth) else { return };
        let least = self.least_solo(role);
        let is_last_of_three =
            self.set.size == 2 && members == 2 && self.layout.context.is_none() && self.completes();
        for at in 0..self.group.postings(sub).len() {
            if self.is_late(1) {
                return;
            }
            let posting = self.group.postings(sub)[at];
            if posting.solo < least
                || !self.may_join(posting, role, usize::from(shared[0]), &roles[..members])
            {
                continue;
            }
            self.assignment.solos[members] = posting.solo;
            let joining = Joining { depth, role, shared: &shared, posting };
            if is_last_of_three {
                self.join_unless_repeated(&joining, [roles[0], roles[1], role]);
            } else {
                self.join(&joining);
            }
        }
    }

    /// The least view of a single member that may be added. Others have the same role: those that are added come in the order
    /// of their numbers.
    fn least_solo(&self, role: usize) -> u32 {
        let is_other = role == self.task.items[self.assignment.item].params.len();
        let before =
            self.assignment.others.last().filter(|other| is_other && usize::from(**other) >= self.set.size);
        before.map_or(0, |other| self.assignment.solos[usize::from(*other)])
    }

    /// Whether a structure is complete once one more member has a role.
    fn completes(&self) -> bool {
        let Assignment { item, env, others, .. } = &self.assignment;
        let params = &self.task.items[*item].params;
        let open = params.iter().filter(|param| env[usize::from(**param)] == UNKNOWN).count();
        open + self.plan().others - others.len() == 1
    }

    /// Adds a process as the third and last, unless the same step was taken before.
    fn join_unless_repeated(&mut self, joining: &Joining<'_>, roles: [usize; 3]) {
        let shared = usize::from(joining.shared[0]);
        let other = self.assignment.solos[1 - shared];
        let mut comparison = std::mem::take(&mut self.worker.comparison);
        let Comparison { meetings, dependences } = &mut comparison;
        self.group.meetings(other, joining.posting.solo, meetings);
        self.is_late(meetings.len());
        dependences.clear();
        let is_known = meetings.iter().all(|with_other| {
            let triple = Triple { shared, with_shared: joining.posting, with_other: *with_other, roles };
            self.find_dependences(&triple, dependences)
        });
        if !is_known || !self.group.repeats.have_all(dependences) {
            let before = self.group.round.structures;
            self.worker.building.is_exact = true;
            self.join(joining);
            // Each meeting makes one structure, unless views contradict each other.
            let built = self.group.round.structures - before;
            if is_known && self.worker.building.is_exact && built == meetings.len() as u64 {
                self.group.repeats.add_all(dependences);
            }
        }
        self.worker.comparison = comparison;
    }

    /// Whether each member is in some view together with a new one, and all can have their roles.
    fn may_join(&self, posting: Posting, role: usize, shared: usize, roles: &[usize]) -> bool {
        let (solos, solo) = (&self.assignment.solos, posting.solo);
        if self.set.size > 2 {
            return self.may_be(solo, role)
                && solos[..roles.len()].iter().all(|member| self.group.may_meet(*member, solo));
        }
        self.may_be_together(posting, role, roles[shared])
            && (0..roles.len()).filter(|member| *member != shared).all(|member| {
                self.group.any_meeting(solos[member], solo, |meeting| {
                    self.may_be_together(meeting, role, roles[member])
                })
            })
    }

    /// The members with which the new one is searched for: those that have the fewest views.
    fn shared(&mut self, depth: usize) -> Option<(Members, u32)> {
        let Expansion { set, group, worker, layout, assignment, .. } = self;
        let Building { stages, cut, .. } = &mut worker.building;
        let structure = &stages[depth];
        if set.size == 2 {
            let solos = &assignment.solos;
            let fewest = (0..structure.members).min_by_key(|member| group.postings(solos[*member]).len())?;
            return Some((smallvec![u8::try_from(fewest).ok()?], solos[fewest]));
        }
        let mut best: Option<(Members, u32)> = None;
        for members in subsets(structure.members, set.size - 1) {
            let sub = group.sub(layout, structure, &members, cut)?;
            let count = group.postings(sub).len();
            if best.as_ref().is_none_or(|(_, known)| count < group.postings(*known).len()) {
                best = Some((members, sub));
            }
        }
        best
    }
}
