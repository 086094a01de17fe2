//! Structures: what is known of some processes of a state, and of the globals.
//!
//! A view is a structure with as many members as the search has chosen, in canonical form: packed, and the least of what
//! permutations of its members give. Larger structures only live as long as a step is taken in them.

use crate::context::Context;
use crate::layout::{
    FIRST_CLASS, FIRST_NEW_CLASS, FIRST_OUTSIDER, Kind, Layout, MOST_MEMBERS, OTHER, Slot, UNKNOWN,
};
use smallvec::SmallVec;

/// Some members with their cells, and the globals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Structure {
    pub(crate) members: usize,
    pub(crate) bytes: Vec<u8>,
    /// Whether abstract values turned out to be equal when the last member was added.
    pub(crate) merged: bool,
}

/// For each member of another view, which member it is here.
pub(crate) type Known = [u8; MOST_MEMBERS];

/// Some members of a structure.
pub(crate) type Members = SmallVec<[u8; MOST_MEMBERS]>;

/// Whether a pointer holds a process outside to which a global points.
pub(crate) fn is_class(code: u8) -> bool {
    (FIRST_CLASS..FIRST_OUTSIDER).contains(&code)
}

/// Members in their own order.
const AS_THEY_ARE: [u8; MOST_MEMBERS] = [0, 1, 2, 3, 4, 5, 6, 7];

/// All permutations of this many members.
pub(crate) fn permutations(members: usize) -> &'static [&'static [u8]] {
    match members {
        0 => &[&[]],
        1 => &[&[0]],
        2 => &[&[0, 1], &[1, 0]],
        3 => &[&[0, 1, 2], &[0, 2, 1], &[1, 0, 2], &[1, 2, 0], &[2, 0, 1], &[2, 1, 0]],
        _ => unreachable!("views have at most three members"),
    }
}

/// Every subset of a size, in order.
pub(crate) fn subsets(of: usize, size: usize) -> impl Iterator<Item = Members> {
    let of = u8::try_from(of).expect("few members");
    // The first member is the highest bit: what comes first in order is the largest number.
    let sets = (0..1_u32 << of).rev().filter(move |set| set.count_ones() as usize == size);
    sets.map(move |set| (0..of).filter(|member| set >> (of - 1 - member) & 1 == 1).collect())
}

impl Structure {
    pub(crate) fn new(layout: &Layout) -> Structure {
        Structure { members: 0, bytes: vec![UNKNOWN; layout.room()], merged: false }
    }

    pub(crate) fn copy_from(&mut self, layout: &Layout, other: &Structure) {
        self.members = other.members;
        self.merged = other.merged;
        if layout.blocks.is_empty() {
            let used = layout.cell(other.members, 0);
            self.bytes[..used].copy_from_slice(&other.bytes[..used]);
        } else {
            self.bytes.copy_from_slice(&other.bytes);
        }
    }

    /// The cells of a member.
    pub(crate) fn cells(&self, layout: &Layout, member: u8) -> &[u8] {
        let begin = layout.cell(member.into(), 0);
        &self.bytes[begin..begin + layout.cells.len()]
    }

    /// The packed form with the members in their own order.
    pub(crate) fn pack_as_it_is(&self, layout: &Layout, into: &mut Vec<u8>) {
        self.pack(layout, &AS_THEY_ARE[..self.members], into);
    }

    /// The projection to some members, in this order.
    pub(crate) fn project(&self, layout: &Layout, kept: &[u8], into: &mut Structure) {
        let mut new_names = [OTHER; 256];
        for (new, old) in (0_u8..).zip(kept) {
            new_names[usize::from(*old)] = new;
        }
        for code in FIRST_OUTSIDER..OTHER {
            new_names[usize::from(code)] = code;
        }
        new_names[usize::from(UNKNOWN)] = UNKNOWN;
        let globals = layout.globals.len();
        into.members = kept.len();
        into.bytes[..globals].copy_from_slice(&self.bytes[..globals]);
        if let Some(context) = &layout.context {
            self.project_context(layout, context, kept, into);
        }
        let mut classes = FIRST_CLASS;
        for at in &layout.pointer_globals {
            let name = &mut new_names[usize::from(self.bytes[*at])];
            if *name == OTHER {
                *name = classes;
                classes += 1;
            }
            into.bytes[*at] = *name;
        }
        debug_assert!(classes < FIRST_NEW_CLASS, "there are fewer globals");
        let cells = layout.cells.len();
        for (new, old) in kept.iter().enumerate() {
            let (from, to) = (layout.cell(usize::from(*old), 0), layout.cell(new, 0));
            into.bytes[to..to + cells].copy_from_slice(&self.bytes[from..from + cells]);
            for cell in &layout.pointer_cells {
                into.bytes[to + cell] = new_names[usize::from(self.bytes[from + cell])];
            }
        }
        let blocks = layout.blocks.len();
        if blocks == 0 {
            return;
        }
        for (a, first) in kept.iter().enumerate() {
            for (b, second) in kept.iter().enumerate() {
                let from = layout.block(usize::from(*first), usize::from(*second), 0);
                let to = layout.block(a, b, 0);
                into.bytes[to..to + blocks].copy_from_slice(&self.bytes[from..from + blocks]);
            }
        }
    }

    /// Members that are left out are outside from now on.
    fn project_context(&self, layout: &Layout, context: &Context, kept: &[u8], into: &mut Structure) {
        let left_out = (0_u8..).take(self.members).filter(|member| !kept.contains(member));
        let mut members = left_out.map(usize::from);
        if self.bytes[context.slot] == 0 && members.any(|member| context.is_violated_by(layout, self, member))
        {
            into.bytes[context.slot] = 1;
        }
    }

    /// The bytes with the members in an order. Classes must be numbered by first occurrence.
    fn pack(&self, layout: &Layout, order: &[u8], into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&self.bytes[..layout.globals.len()]);
        for member in order {
            let from = layout.cell(usize::from(*member), 0);
            into.extend_from_slice(&self.bytes[from..from + layout.cells.len()]);
        }
        for first in order {
            for second in order {
                let from = layout.block(usize::from(*first), usize::from(*second), 0);
                into.extend_from_slice(&self.bytes[from..from + layout.blocks.len()]);
            }
        }
        if self.members > 1 {
            rename_members(layout, order, into);
        }
        if layout.has_abstract {
            number_abstract(layout, self.members, into);
        }
    }

    /// The canonical packed form.
    pub(crate) fn canonical(&self, layout: &Layout, into: &mut Vec<u8>, scratch: &mut Vec<u8>) {
        let orders = permutations(self.members);
        self.pack(layout, orders[0], into);
        for order in &orders[1..] {
            self.pack(layout, order, scratch);
            if scratch < into {
                std::mem::swap(into, scratch);
            }
        }
    }

    /// The structure of packed bytes.
    pub(crate) fn unpack(&mut self, layout: &Layout, packed: &[u8], members: usize) {
        let inner = layout.globals.len() + members * layout.cells.len();
        self.members = members;
        self.bytes[..inner].copy_from_slice(&packed[..inner]);
        let blocks = layout.blocks.len();
        for first in 0..members {
            for second in 0..members {
                let (from, to) =
                    (inner + (first * members + second) * blocks, layout.block(first, second, 0));
                self.bytes[to..to + blocks].copy_from_slice(&packed[from..from + blocks]);
            }
        }
    }

    /// Adds a process as packed view `other` has it, at position `new` there. For each other member of that view, `known`
    /// tells which member it is here. None if they contradict each other.
    ///
    /// How the new member is related to those that `other` does not have is still unknown: see `relate`.
    pub(crate) fn add(&mut self, layout: &Layout, other: &Structure, new: usize, known: Known) -> Option<()> {
        let added = u8::try_from(self.members).ok()?;
        self.merged = false;
        self.place_new(layout, other, u8::try_from(new).ok()?, known, added)?;
        let cells = layout.cells.len();
        let (from, to) = (layout.cell(new, 0), layout.cell(self.members, 0));
        self.bytes[to..to + cells].copy_from_slice(&other.bytes[from..from + cells]);
        self.members += 1;
        for cell in &layout.pointer_cells {
            // Classes are those of `other`, which may be members here.
            let code = other.bytes[from + cell];
            self.bytes[to + cell] = if usize::from(code) == new {
                added
            } else if usize::from(code) < other.members {
                known[usize::from(code)]
            } else if is_class(code) {
                let global = layout.pointer_globals.iter().find(|at| other.bytes[**at] == code);
                self.bytes[*global.expect("a class has a global")]
            } else {
                code
            };
        }
        if layout.has_abstract {
            self.add_abstract(layout, other, new, known);
        }
        self.relate(layout, other, new, known, usize::from(added))
    }

    /// Globals that point to the new member pointed outside until now, all those of a class. The others agree.
    fn place_new(
        &mut self,
        layout: &Layout,
        other: &Structure,
        new: u8,
        known: Known,
        added: u8,
    ) -> Option<()> {
        let mut class = None;
        for at in &layout.pointer_globals {
            let (here, there) = (self.bytes[*at], other.bytes[*at]);
            if there == new {
                if !is_class(here) || class.is_some_and(|class| class != here) {
                    return None;
                }
                class = Some(here);
            } else if usize::from(there) < other.members && here != known[usize::from(there)] {
                return None;
            }
        }
        let Some(class) = class else { return Some(()) };
        for at in &layout.pointer_globals {
            if self.bytes[*at] == class && other.bytes[*at] != new {
                return None;
            }
        }
        self.resolve(layout, class, added);
        Some(())
    }

    /// A class of processes outside turns out to be a member.
    fn resolve(&mut self, layout: &Layout, class: u8, member: u8) {
        for at in &layout.pointer_globals {
            if self.bytes[*at] == class {
                self.bytes[*at] = member;
            }
        }
        for of in 0..self.members {
            for cell in &layout.pointer_cells {
                let at = layout.cell(of, *cell);
                if self.bytes[at] == class {
                    self.bytes[at] = member;
                }
            }
        }
    }

    /// Learns from another view with the same member `of` (there at `new`) how it relates to the known members of that view.
    pub(crate) fn relate(
        &mut self,
        layout: &Layout,
        other: &Structure,
        new: usize,
        known: Known,
        of: usize,
    ) -> Option<()> {
        for there in (0..other.members).filter(|there| *there != new) {
            let here = usize::from(known[there]);
            for cell in &layout.pointer_cells {
                self.point(
                    layout,
                    (here, *cell),
                    of,
                    usize::from(other.bytes[layout.cell(there, *cell)]) == new,
                )?;
                self.point(
                    layout,
                    (of, *cell),
                    here,
                    usize::from(other.bytes[layout.cell(new, *cell)]) == there,
                )?;
            }
            for (a, b, c, d) in [(here, of, there, new), (of, here, new, there)] {
                for block in 0..layout.blocks.len() {
                    self.bytes[layout.block(a, b, block)] = other.bytes[layout.block(c, d, block)];
                }
            }
        }
        for block in 0..layout.blocks.len() {
            self.bytes[layout.block(of, of, block)] = other.bytes[layout.block(new, new, block)];
        }
        if layout.has_abstract {
            self.unify(layout, other, new, known, of);
        }
        Some(())
    }

    /// A cell of a member points to another member, or does not.
    fn point(&mut self, layout: &Layout, (of, cell): (usize, usize), to: usize, does: bool) -> Option<()> {
        let at = layout.cell(of, cell);
        let points = usize::from(self.bytes[at]) == to;
        match (does, points) {
            (true, false) if self.bytes[at] == OTHER => self.bytes[at] = u8::try_from(to).ok()?,
            (true, false) | (false, true) => return None,
            _ => {}
        }
        Some(())
    }

    /// Numbers the abstract values of a new member (the last) such that they differ from all others, globals apart.
    fn add_abstract(&mut self, layout: &Layout, other: &Structure, new: usize, known: Known) {
        let mut names = [UNKNOWN; 256];
        let mut next = self.next_abstract(layout);
        for (at, _) in layout.globals.iter().enumerate().filter(|(_, slot)| slot.is_abstract()) {
            names[usize::from(other.bytes[at])] = self.bytes[at];
        }
        for there in (0..other.members).filter(|there| *there != new) {
            for (cell, _) in abstract_cells(layout) {
                let name = self.bytes[layout.cell(usize::from(known[there]), cell)];
                names[usize::from(other.bytes[layout.cell(there, cell)])] = name;
            }
        }
        for (cell, _) in abstract_cells(layout) {
            let code = other.bytes[layout.cell(new, cell)];
            if code != UNKNOWN && names[usize::from(code)] == UNKNOWN {
                names[usize::from(code)] = next;
                next += 1;
            }
            let at = layout.cell(self.members - 1, cell);
            self.bytes[at] = if code == UNKNOWN { UNKNOWN } else { names[usize::from(code)] };
        }
    }

    /// The values of an abstract type, some more than once.
    pub(crate) fn abstract_codes(&self, layout: &Layout, of: u8) -> Vec<u8> {
        let is_one = |slot: &Slot| slot.kind == Kind::Abstract(of);
        let globals = layout.globals.iter().enumerate().filter(|(_, slot)| is_one(slot));
        let mut codes: Vec<u8> = globals.map(|(at, _)| self.bytes[at]).collect();
        for member in 0..self.members {
            let cells = layout.cells.iter().enumerate().filter(|(_, slot)| is_one(slot));
            codes.extend(cells.map(|(cell, _)| self.bytes[layout.cell(member, cell)]));
        }
        codes.retain(|code| *code != UNKNOWN);
        codes
    }

    /// The first number that no abstract value has.
    pub(crate) fn next_abstract(&self, layout: &Layout) -> u8 {
        let mut next = 0;
        let mut see = |code: u8| {
            if code != UNKNOWN {
                next = next.max(code + 1);
            }
        };
        for (at, slot) in layout.globals.iter().enumerate() {
            if slot.is_abstract() {
                see(self.bytes[at]);
            }
        }
        for member in 0..self.members {
            abstract_cells(layout).for_each(|(cell, _)| see(self.bytes[layout.cell(member, cell)]));
        }
        next
    }

    /// Values that are equal in another view are equal here.
    fn unify(&mut self, layout: &Layout, other: &Structure, new: usize, known: Known, of: usize) {
        for there in (0..other.members).filter(|there| *there != new) {
            for (theirs, _) in abstract_cells(layout) {
                for (ours, _) in abstract_cells(layout) {
                    let code = other.bytes[layout.cell(new, ours)];
                    if code == UNKNOWN || code != other.bytes[layout.cell(there, theirs)] {
                        continue;
                    }
                    let a = self.bytes[layout.cell(of, ours)];
                    let b = self.bytes[layout.cell(usize::from(known[there]), theirs)];
                    self.rename_abstract(layout, a, b);
                }
            }
        }
    }

    fn rename_abstract(&mut self, layout: &Layout, old: u8, new: u8) {
        if old == new || old == UNKNOWN || new == UNKNOWN {
            return;
        }
        self.merged = true;
        for member in 0..self.members {
            for (cell, _) in abstract_cells(layout) {
                let at = layout.cell(member, cell);
                if self.bytes[at] == old {
                    self.bytes[at] = new;
                }
            }
        }
        for (at, slot) in layout.globals.iter().enumerate() {
            if slot.is_abstract() && self.bytes[at] == old {
                self.bytes[at] = new;
            }
        }
    }

    /// Whether the order of processes has no cycle among members.
    pub(crate) fn is_ordered(&self, layout: &Layout) -> bool {
        let Some(order) = layout.order else { return true };
        // In a tournament without cycles, the numbers of those that come before are all different.
        let mut seen = 0_u32;
        for member in 0..self.members {
            let before = (0..self.members)
                .filter(|other| self.bytes[layout.block(*other, member, order)] == 1)
                .count();
            if seen >> before & 1 == 1 {
                return false;
            }
            seen |= 1 << before;
        }
        true
    }
}

fn abstract_cells(layout: &Layout) -> impl Iterator<Item = (usize, &crate::layout::Slot)> {
    layout.cells.iter().enumerate().filter(|(_, slot)| slot.is_abstract())
}

/// Members have new places: the one that `order` lists first is number 0.
fn rename_members(layout: &Layout, order: &[u8], packed: &mut [u8]) {
    let mut names = [0; MOST_MEMBERS];
    for (new, old) in (0_u8..).zip(order) {
        names[usize::from(*old)] = new;
    }
    let mut rename = |at: usize| {
        if usize::from(packed[at]) < order.len() {
            packed[at] = names[usize::from(packed[at])];
        }
    };
    layout.pointer_globals.iter().for_each(|at| rename(*at));
    for member in 0..order.len() {
        layout.pointer_cells.iter().for_each(|cell| rename(layout.cell(member, *cell)));
    }
}

/// Numbers abstract values by first occurrence.
fn number_abstract(layout: &Layout, members: usize, packed: &mut [u8]) {
    let mut names = [UNKNOWN; 256];
    let mut next = 0;
    let mut number = |at: usize| {
        let code = packed[at];
        if code == UNKNOWN {
            return;
        }
        let name = &mut names[usize::from(code)];
        if *name == UNKNOWN {
            *name = next;
            next += 1;
        }
        packed[at] = *name;
    };
    for (at, slot) in layout.globals.iter().enumerate() {
        if slot.is_abstract() {
            number(at);
        }
    }
    for member in 0..members {
        abstract_cells(layout).for_each(|(cell, _)| number(layout.cell(member, cell)));
    }
}
