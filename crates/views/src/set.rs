//! The set of views, with what it takes to find those that share members with another.

use crate::layout::Layout;
use crate::store::Store;
use crate::structure::Structure;
use rustc_hash::FxHashSet;

/// Views of one size.
#[derive(Debug)]
pub(crate) struct ViewSet {
    /// How many members a view has.
    pub(crate) size: usize,
    pub(crate) views: Store,
    /// Views of single members.
    pub(crate) solos: Store,
    /// Views with one member less.
    subs: Store,
    /// For each view that was taken up, and each of its members, the view of that member alone.
    pub(crate) solos_of: Vec<u32>,
    /// For each smaller view, the larger ones that were taken up, each with the member that the smaller one has not.
    postings: Vec<Vec<(u32, u8)>>,
    /// Pairs of single members, the smaller number first, that some view has which was taken up.
    pairs: FxHashSet<(u32, u32)>,
    /// How many views were taken up. The others wait.
    pub(crate) taken: u32,
    scratch: Scratch,
}

#[derive(Debug)]
struct Scratch {
    cut: Structure,
    packed: Vec<u8>,
    other: Vec<u8>,
}

impl ViewSet {
    pub(crate) fn new(layout: &Layout, size: usize) -> ViewSet {
        ViewSet {
            size,
            views: Store::new(layout.packed(size)),
            solos: Store::new(layout.packed(1)),
            subs: Store::new(layout.packed(size - 1)),
            solos_of: vec![],
            postings: vec![],
            pairs: FxHashSet::default(),
            taken: 0,
            scratch: Scratch { cut: Structure::new(layout), packed: vec![], other: vec![] },
        }
    }

    /// Adds the view of some members of a structure. Whether it is new.
    pub(crate) fn add(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) -> bool {
        self.scratch.cut_down(layout, structure, members);
        self.views.insert(&self.scratch.packed).1
    }

    /// Whether the view of some members of a structure is in the set.
    pub(crate) fn contains(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) -> bool {
        self.scratch.cut_down(layout, structure, members);
        self.views.find(&self.scratch.packed).is_some()
    }

    /// Whether the view of some members of a structure was taken up.
    pub(crate) fn is_taken(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) -> bool {
        self.scratch.cut_down(layout, structure, members);
        self.views.find(&self.scratch.packed).is_some_and(|id| id < self.taken)
    }

    /// Takes up the next view, so that others find it. `new_solo` is told of members that were not there before.
    pub(crate) fn take_up(
        &mut self,
        layout: &Layout,
        into: &mut Structure,
        new_solo: &mut dyn FnMut(&Structure),
    ) {
        let id = self.taken;
        self.taken += 1;
        into.unpack(layout, self.views.get(id), self.size);
        let members = u8::try_from(self.size).expect("views are small");
        for member in 0..members {
            self.scratch.cut_down(layout, into, &[member]);
            let (solo, is_new) = self.solos.insert(&self.scratch.packed);
            self.solos_of.push(solo);
            if is_new {
                new_solo(&self.scratch.cut);
            }
        }
        let solos = &self.solos_of[self.solos_of.len() - self.size..];
        for (at, first) in solos.iter().enumerate() {
            for second in &solos[at + 1..] {
                self.pairs.insert((*first.min(second), *first.max(second)));
            }
        }
        if self.size == 2 {
            // What is smaller by one is a single member.
            let solos = [solos[0], solos[1]];
            self.postings.resize(self.solos.len(), vec![]);
            self.postings[solos[1] as usize].push((id, 0));
            self.postings[solos[0] as usize].push((id, 1));
            return;
        }
        for without in 0..members {
            let others: Vec<u8> = (0..members).filter(|member| *member != without).collect();
            self.scratch.cut_down(layout, into, &others);
            let (sub, is_new) = self.subs.insert(&self.scratch.packed);
            if is_new {
                self.postings.push(vec![]);
            }
            self.postings[sub as usize].push((id, without));
        }
    }

    /// The smaller view of some members of a structure, by number.
    pub(crate) fn sub(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) -> Option<u32> {
        self.scratch.cut_down(layout, structure, members);
        self.subs.find(&self.scratch.packed)
    }

    /// Whether two members are in some view together.
    pub(crate) fn may_meet(&self, first: u32, second: u32) -> bool {
        self.pairs.contains(&(first.min(second), first.max(second)))
    }

    pub(crate) fn postings(&self, sub: u32) -> &[(u32, u8)] {
        &self.postings[sub as usize]
    }

    pub(crate) fn solo(&self, view: u32, member: usize) -> u32 {
        self.solos_of[view as usize * self.size + member]
    }

    /// What it takes.
    pub(crate) fn memory(&self) -> usize {
        let postings = self.solos_of.len() * size_of::<(u32, u8)>() * 2 + self.postings.len() * 24;
        let postings = postings + self.pairs.len() * 16;
        self.views.memory() + self.solos.memory() + self.subs.memory() + self.solos_of.len() * 4 + postings
    }
}

impl Scratch {
    fn cut_down(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) {
        structure.project(layout, members, &mut self.cut);
        self.cut.canonical(layout, &mut self.packed, &mut self.other);
    }
}
