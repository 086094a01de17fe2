//! Groups of views that can be in one structure: those that agree on the globals.
//!
//! All views of a state have the same globals, except that a pointer holds a member in some of them and a process outside in
//! others. They also agree on which pointers hold the same process. Groups are independent of each other, so that each can be
//! expanded by a thread of its own.

use crate::closure::{Ended, Parent};
use crate::layout::{FIRST_OUTSIDER, Layout};
use crate::plan::Task;
use crate::repeat::Repeats;
use crate::roles::Roles;
use crate::set::{Cut, ViewSet};
use crate::store::{Keys, Store};
use crate::structure::Structure;
use rustc_hash::FxHashMap;

/// A view with one member more than a smaller one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Posting {
    pub(crate) view: u32,
    /// The number of views of the group that were taken up before it.
    pub(crate) at: u32,
    /// The position of the additional member.
    pub(crate) new: u8,
    /// The view of that member alone, by number.
    pub(crate) solo: u32,
}

/// A view of two members, in the list of those with the same two.
#[derive(Clone, Copy, Debug)]
struct Meeting {
    view: u32,
    solos: [u32; 2],
    /// The next one of the list, or `NONE`.
    next: u32,
}

const NONE: u32 = u32::MAX;

/// The views of a group, with tables to find those that share members with another.
#[derive(Debug)]
pub(crate) struct Group {
    /// Views that wait, in the order of their numbers.
    pub(crate) waiting: Vec<u32>,
    /// Views of single members.
    solos: Store,
    /// Views with one member less, unless these are single ones.
    subs: Store,
    /// For each smaller view, the larger ones that were taken up.
    postings: Vec<Vec<Posting>>,
    /// For pairs of single members, the smaller number first, the first and the last view that has both.
    pairs: FxHashMap<(u32, u32), (u32, u32)>,
    meetings: Vec<Meeting>,
    pub(crate) roles: Roles,
    /// The views that were taken up.
    pub(crate) views: Vec<u32>,
    pub(crate) repeats: Repeats,
    /// What the steps that were taken within other structures depend on.
    pub(crate) taken: Keys,
    pub(crate) round: Round,
}

/// The results of a group in a round.
#[derive(Debug, Default)]
pub(crate) struct Round {
    /// Views that were not known when the round began.
    pub(crate) found: Option<Store>,
    /// The parents of these views.
    pub(crate) parents: Vec<Parent>,
    pub(crate) structures: u64,
    pub(crate) steps: usize,
    pub(crate) ended: Option<Ended>,
}

impl Group {
    pub(crate) fn new(layout: &Layout, size: usize, masks: usize) -> Group {
        Group {
            waiting: vec![],
            solos: Store::new(layout.packed(1)),
            subs: Store::new(layout.packed(size - 1)),
            postings: vec![],
            pairs: FxHashMap::default(),
            meetings: vec![],
            roles: Roles::default(),
            views: vec![],
            repeats: Repeats::new(layout, size, masks),
            taken: Keys::default(),
            round: Round::default(),
        }
    }

    /// The number of the view that was taken up last.
    pub(crate) fn last(&self) -> u32 {
        u32::try_from(self.views.len() - 1).expect("views are numbered")
    }

    /// Takes up a view, so that others find it. The view of each member alone.
    pub(crate) fn take_up(
        &mut self,
        layout: &Layout,
        task: &Task<'_>,
        view: u32,
        structure: &Structure,
        cut: &mut Cut,
    ) -> Vec<u32> {
        let members = u8::try_from(structure.members).expect("views are small");
        let at = u32::try_from(self.views.len()).expect("views are numbered");
        self.views.push(view);
        let mut solos = Vec::new();
        for member in 0..members {
            cut.down(layout, structure, &[member]);
            let (solo, is_new) = self.solos.insert(&cut.packed);
            solos.push(solo);
            if is_new {
                self.roles.add_solo(layout, task.items, &task.role_bits, &cut.structure);
            }
        }
        for (at, first) in solos.iter().enumerate() {
            for second in &solos[at + 1..] {
                self.meet(view, [*first, *second]);
            }
        }
        for without in 0..members {
            let sub = if members == 2 {
                // What is smaller by one is a single member.
                solos[1 - usize::from(without)]
            } else {
                let others: Vec<u8> = (0..members).filter(|member| *member != without).collect();
                cut.down(layout, structure, &others);
                self.subs.insert(&cut.packed).0
            };
            if self.postings.len() <= sub as usize {
                self.postings.resize(sub as usize + 1, vec![]);
            }
            let solo = solos[usize::from(without)];
            self.postings[sub as usize].push(Posting { view, at, new: without, solo });
        }
        self.roles.add_pair(layout, task.items, &task.role_bits, structure, [solos[0], solos[1]]);
        solos
    }

    fn meet(&mut self, view: u32, solos: [u32; 2]) {
        let number = u32::try_from(self.meetings.len()).expect("views are numbered");
        self.meetings.push(Meeting { view, solos, next: NONE });
        let pair = (solos[0].min(solos[1]), solos[0].max(solos[1]));
        let (_, last) = self.pairs.entry(pair).or_insert((number, number));
        if *last != number {
            self.meetings[*last as usize].next = number;
            *last = number;
        }
    }

    /// Whether two members are in some view together.
    pub(crate) fn may_meet(&self, first: u32, second: u32) -> bool {
        self.pairs.contains_key(&(first.min(second), first.max(second)))
    }

    /// Whether one of the views of these two members is accepted, each given with the position of the second. For views of two
    /// members only.
    pub(crate) fn any_meeting(
        &self,
        first: u32,
        second: u32,
        mut is_found: impl FnMut(Posting) -> bool,
    ) -> bool {
        let Some((mut at, _)) = self.pairs.get(&(first.min(second), first.max(second))).copied() else {
            return false;
        };
        while at != NONE {
            let Meeting { view, solos, next } = self.meetings[at as usize];
            // Two members may be equal: then each of them is the second.
            for (new, order) in (0_u8..).zip([[second, first], [first, second]]) {
                if solos == order && is_found(Posting { view, at, new, solo: second }) {
                    return true;
                }
            }
            at = next;
        }
        false
    }

    /// All views of these two members.
    pub(crate) fn meetings(&self, first: u32, second: u32, into: &mut Vec<Posting>) {
        into.clear();
        self.any_meeting(first, second, |meeting| {
            into.push(meeting);
            false
        });
    }

    /// The smaller view of some members of a structure, by number.
    pub(crate) fn sub(
        &self,
        layout: &Layout,
        structure: &Structure,
        members: &[u8],
        cut: &mut Cut,
    ) -> Option<u32> {
        cut.down(layout, structure, members);
        self.subs.find(&cut.packed)
    }

    pub(crate) fn postings(&self, sub: u32) -> &[Posting] {
        &self.postings[sub as usize]
    }

    /// The bytes that it takes, by estimate.
    pub(crate) fn memory(&self) -> usize {
        let postings = self.postings.len() * size_of::<Vec<Posting>>();
        let per_view = size_of::<Meeting>() + 16 + 2 * size_of::<Posting>();
        let stores = self.solos.memory() + self.subs.memory() + self.taken.memory();
        size_of::<Group>()
            + stores
            + postings
            + self.meetings.len() * per_view
            + self.repeats.memory()
            + self.roles.memory()
    }
}

/// The globals of a view in the form on which all views of its group agree.
pub(crate) fn agreed(layout: &Layout, set: &ViewSet, view: u32) -> Vec<u8> {
    let mut globals = set.views.get(view)[..layout.globals.len()].to_vec();
    let mut processes: Vec<u8> = Vec::new();
    for at in &layout.pointer_globals {
        let code = globals[*at];
        if code < FIRST_OUTSIDER {
            let known = processes.iter().position(|known| *known == code);
            globals[*at] = u8::try_from(known.unwrap_or(processes.len())).expect("few globals");
            if known.is_none() {
                processes.push(code);
            }
        }
    }
    if let Some(context) = &layout.context {
        // The processes outside differ.
        globals[context.slot] = 0;
    }
    globals
}
