//! Steps that need not be taken, as is known before a structure is built.
//!
//! Most structures of three are made of a view that is seen after the step and one more parameter, of which the step reads
//! little or nothing. Of these, one is enough for all parameters that look the same to the step: as far as they are
//! read, and as far as they are related to the two that are seen. That follows from the three views that the structure is
//! made of, so that it needs not be built to find out that there was such a step before.

use crate::expand::Expansion;
use crate::group::Posting;
use crate::layout::UNKNOWN;
use crate::plan::Sight;

/// A structure of three in the making: the view that is taken up with members 0 and 1, and views of each with member 2.
#[derive(Clone, Copy)]
pub(crate) struct Triple {
    /// Which of the two the next view is of.
    pub(crate) shared: usize,
    pub(crate) with_shared: Posting,
    pub(crate) with_other: Posting,
    /// The parts of all three.
    pub(crate) roles: [usize; 3],
}

/// What a step within a structure of three depends on: what is seen how, the view that is seen, and what each of its members
/// has to do with the third.
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
    /// Whether a structure is complete once somebody has a part.
    pub(crate) fn completes(&self) -> bool {
        let (item, work) = (&self.task.items[self.work.item], &self.work);
        let open = item.params.iter().filter(|param| work.env[usize::from(**param)] == UNKNOWN).count();
        let others = self.task.plans[work.item][work.plan].others;
        open + others - work.others.len() == 1
    }

    /// Adds what the steps within a structure depend on. Whether that is known.
    pub(crate) fn find_dependences(&mut self, triple: &Triple, into: &mut Vec<Dependence>) -> bool {
        let task = self.task;
        let sights = &task.plans[self.work.item][self.work.plan].sights;
        sights.iter().all(|sight| {
            let dependence = self.dependence(sight, triple);
            into.extend(dependence);
            dependence.is_some()
        })
    }

    fn dependence(&mut self, sight: &Sight, triple: &Triple) -> Option<Dependence> {
        let [unseen] = sight.unseen.as_slice() else { return None };
        let item = &self.task.items[self.work.item];
        let role = item.params.iter().position(|param| *param == unseen.param)?;
        let third = triple.roles.iter().position(|known| *known == role)?;
        let taken_up = u32::try_from(self.group.views.len() - 1).expect("views are numbered");
        let (mut first, mut second) = ((third + 1) % 3, (third + 2) % 3);
        let (seen, position) = triple.view(taken_up, first, second);
        if position == 1 {
            (first, second) = (second, first);
        }
        let in_turn = u32::from(triple.roles[first] > triple.roles[second]);
        let mut relation = |member: usize| {
            let (at, position) = triple.view(taken_up, third, member);
            self.relation(unseen.mask, at, position)
        };
        Some([sight.number * 2 + in_turn, seen, relation(first), relation(second)])
    }

    /// The number of what one member of a view of two has to do with the other, as far as that is not masked.
    fn relation(&mut self, mask: usize, at: u32, position: usize) -> u32 {
        let Expansion { task, layout, set, group, work, .. } = self;
        let known = &mut group.relation_of[mask];
        known.resize(known.len().max(at as usize + 1), [0; 2]);
        let entry = &mut known[at as usize][position];
        if *entry == 0 {
            work.other.unpack(layout, set.views.get(group.views[at as usize]), 2);
            for cell in &task.masks[mask] {
                work.other.bytes[layout.cell(position, *cell)] = UNKNOWN;
            }
            let masked = u8::try_from(position).expect("one of two");
            work.cut.down_in_order(layout, &work.other, &[1 - masked, masked]);
            *entry = group.relations.insert(&work.cut.packed).0 + 1;
        }
        *entry
    }
}
