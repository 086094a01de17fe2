//! Steps that need not be taken, as is known before their structure is built.
//!
//! Most structures of three consist of a view that is seen after the step and one more parameter, of which the step reads
//! little or nothing. One of these is enough for all parameters that look the same to the step: in the cells that it reads, and
//! in their relation to the two members that are seen. All that follows from the three views that the structure consists of.

use crate::expand::Expansion;
use crate::group::Posting;
use crate::join::Building;
use crate::layout::{Layout, UNKNOWN};
use crate::plan::Sight;
use crate::store::Store;
use rustc_hash::FxHashSet;

/// What the steps within a structure depend on, while it is compared with those that were taken.
#[derive(Default)]
pub(crate) struct Comparison {
    /// The views that can complete the structure.
    pub(crate) meetings: Vec<Posting>,
    pub(crate) dependences: Vec<Dependence>,
}

/// The steps within structures of three that were taken in a group.
#[derive(Debug)]
pub(crate) struct Repeats {
    taken: FxHashSet<Dependence>,
    /// For each mask, view of two and member of it the number of the relation of that member to the other, or 0.
    relation_of: Vec<Vec<[u32; 2]>>,
    relations: Store,
}

impl Repeats {
    pub(crate) fn new(layout: &Layout, size: usize, masks: usize) -> Repeats {
        Repeats {
            taken: FxHashSet::default(),
            relation_of: vec![vec![]; masks],
            relations: Store::new(layout.packed(size)),
        }
    }

    pub(crate) fn have_all(&self, dependences: &[Dependence]) -> bool {
        dependences.iter().all(|dependence| self.taken.contains(dependence))
    }

    pub(crate) fn add_all(&mut self, dependences: &[Dependence]) {
        self.taken.extend(dependences.iter().copied());
    }

    /// The bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        let taken = self.taken.len() * 2 * size_of::<Dependence>();
        let related: usize = self.relation_of.iter().map(|known| known.len() * 8).sum();
        taken + related + self.relations.memory()
    }
}

/// A structure of three before it is built: the view that is taken up with members 0 and 1, and views of each with member 2.
#[derive(Clone, Copy)]
pub(crate) struct Triple {
    /// The member of the first two that `with_shared` has.
    pub(crate) shared: usize,
    pub(crate) with_shared: Posting,
    pub(crate) with_other: Posting,
    /// The roles of all three.
    pub(crate) roles: [usize; 3],
}

/// What a step within a structure of three depends on: the sight, the view that is seen, and the relation of each of its members
/// to the third.
pub(crate) type Dependence = [u32; 4];

impl Triple {
    /// The view of two members, and where in it the first of them is.
    fn view(&self, taken_up: u32, first: usize, second: usize) -> (u32, usize) {
        if first < 2 && second < 2 {
            return (taken_up, first);
        }
        let other = first.min(second);
        let posting = if other == self.shared { self.with_shared } else { self.with_other };
        let new = usize::from(posting.new);
        (posting.at, if first == 2 { new } else { 1 - new })
    }
}

impl Expansion<'_, '_> {
    /// Adds what the steps within a structure depend on. Whether that is known.
    pub(crate) fn find_dependences(&mut self, triple: &Triple, into: &mut Vec<Dependence>) -> bool {
        self.plan().sights.iter().all(|sight| {
            let dependence = self.dependence(sight, triple);
            into.extend(dependence);
            dependence.is_some()
        })
    }

    fn dependence(&mut self, sight: &Sight, triple: &Triple) -> Option<Dependence> {
        let [unseen] = sight.unseen.as_slice() else { return None };
        let item = &self.task.items[self.assignment.item];
        let role = item.params.iter().position(|param| *param == unseen.param)?;
        let third = triple.roles.iter().position(|known| *known == role)?;
        let taken_up = self.group.last();
        let (mut first, mut second) = ((third + 1) % 3, (third + 2) % 3);
        let (seen, position) = triple.view(taken_up, first, second);
        if position == 1 {
            (first, second) = (second, first);
        }
        let swapped = u32::from(triple.roles[first] > triple.roles[second]);
        let mut relation = |member: usize| {
            let (at, position) = triple.view(taken_up, third, member);
            self.relation(unseen.mask, at, position)
        };
        Some([sight.number * 2 + swapped, seen, relation(first), relation(second)])
    }

    /// The number of the relation of a member of a view of two to the other member, without masked cells.
    fn relation(&mut self, mask: usize, at: u32, position: usize) -> u32 {
        let Expansion { task, layout, set, group, worker, .. } = self;
        let Repeats { relation_of, relations, .. } = &mut group.repeats;
        let known = &mut relation_of[mask];
        known.resize(known.len().max(at as usize + 1), [0; 2]);
        let entry = &mut known[at as usize][position];
        if *entry == 0 {
            let Building { other: view, cut, .. } = &mut worker.building;
            view.unpack(layout, set.views.get(group.views[at as usize]), 2);
            for cell in &task.masks[mask] {
                view.bytes[layout.cell(position, *cell)] = UNKNOWN;
            }
            let masked = u8::try_from(position).expect("one of two");
            cut.down_in_order(layout, view, &[1 - masked, masked]);
            *entry = relations.insert(&cut.packed).0 + 1;
        }
        *entry
    }
}
