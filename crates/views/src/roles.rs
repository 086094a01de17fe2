//! Which roles members can have in an item, known before any structure is built.
//!
//! The roles of an item are its parameters and one more: that of other members, which the item does not mention. What a guard
//! says about a member alone, or about two members of a view, is evaluated once for each of these views. Structures whose
//! members cannot have their roles are never built.

use crate::formula::{Env, Reading, UNBOUND};
use crate::item::Item;
use crate::layout::Layout;
use crate::structure::Structure;

/// Where the bits of roles are in sets of roles.
#[derive(Debug)]
pub(crate) struct RoleBits {
    items: Vec<ItemBits>,
    /// The words of a set of roles.
    role_words: usize,
    /// The words of a set of pairs of roles; none unless views have two members.
    pair_words: usize,
}

#[derive(Debug)]
struct ItemBits {
    roles: usize,
    first_role: usize,
    first_pair: usize,
}

impl RoleBits {
    pub(crate) fn new(items: &[Item], size: usize) -> RoleBits {
        let (mut roles, mut pairs) = (0, 0);
        let mut bits = Vec::new();
        for item in items {
            bits.push(ItemBits { roles: item.roles(), first_role: roles, first_pair: pairs });
            roles += item.roles();
            pairs += item.roles() * item.roles();
        }
        let pair_words = if size == 2 { pairs.div_ceil(64) } else { 0 };
        RoleBits { items: bits, role_words: roles.div_ceil(64), pair_words }
    }

    fn role(&self, item: usize, role: usize) -> usize {
        self.items[item].first_role + role
    }

    fn pair(&self, item: usize, first: usize, second: usize) -> usize {
        let item = &self.items[item];
        item.first_pair + first * item.roles + second
    }
}

/// The roles that the members of a group can have.
#[derive(Debug, Default)]
pub(crate) struct Roles {
    /// For each view of a single member its roles.
    solos: Vec<u64>,
    /// For each view of two members that was taken up the pairs of roles that they can have together.
    pairs: Vec<u64>,
    /// For each view of a single member the pairs of its own role and that of a member that it meets.
    meetings: Vec<u64>,
}

impl Roles {
    /// Adds the next view of a single member.
    pub(crate) fn add_solo(&mut self, layout: &Layout, items: &[Item], bits: &RoleBits, solo: &Structure) {
        let begin = self.solos.len();
        self.solos.resize(begin + bits.role_words, 0);
        for (number, item) in items.iter().enumerate() {
            for (role, param) in item.params.iter().map(Some).chain([None]).enumerate() {
                let mut env = UNBOUND;
                if let Some(param) = param {
                    env[usize::from(*param)] = 0;
                }
                if may_hold(layout, item, solo, &env) {
                    set(&mut self.solos[begin..], bits.role(number, role));
                }
            }
        }
    }

    /// Adds the next view that is taken up, if it has two members, given their views alone.
    pub(crate) fn add_pair(
        &mut self,
        layout: &Layout,
        items: &[Item],
        bits: &RoleBits,
        view: &Structure,
        solos: [u32; 2],
    ) {
        let words = bits.pair_words;
        if words == 0 {
            return;
        }
        let begin = self.pairs.len();
        self.pairs.resize(begin + words, 0);
        let needed = solos[0].max(solos[1]) as usize * words + words;
        self.meetings.resize(self.meetings.len().max(needed), 0);
        for (number, item) in items.iter().enumerate() {
            for (first, second) in (0..item.roles()).flat_map(|a| (0..item.roles()).map(move |b| (a, b))) {
                let is_twice = first == second && first < item.params.len();
                if is_twice
                    || !self.may_be(bits, number, solos[0], first)
                    || !self.may_be(bits, number, solos[1], second)
                {
                    continue;
                }
                let mut env = UNBOUND;
                for (member, role) in [(0, first), (1, second)] {
                    if let Some(param) = item.params.get(role) {
                        env[usize::from(*param)] = member;
                    }
                }
                if may_hold(layout, item, view, &env) {
                    set(&mut self.pairs[begin..], bits.pair(number, first, second));
                    for (solo, own, other) in [(solos[0], first, second), (solos[1], second, first)] {
                        set(&mut self.meetings[solo as usize * words..], bits.pair(number, own, other));
                    }
                }
            }
        }
    }

    /// Whether a member can have a role.
    pub(crate) fn may_be(&self, bits: &RoleBits, item: usize, solo: u32, role: usize) -> bool {
        is_set(&self.solos[solo as usize * bits.role_words..], bits.role(item, role))
    }

    /// Whether a member that has a role itself may meet one that has another.
    pub(crate) fn may_meet(&self, bits: &RoleBits, item: usize, solo: u32, own: usize, other: usize) -> bool {
        let words = bits.pair_words;
        words == 0 || is_set(&self.meetings[solo as usize * words..], bits.pair(item, own, other))
    }

    /// Whether the members of the view that was added last can have any roles of an item.
    pub(crate) fn may_be_any(&self, bits: &RoleBits, item: usize) -> bool {
        let last = &self.pairs[self.pairs.len() - bits.pair_words..];
        let ItemBits { roles, first_pair, .. } = bits.items[item];
        last.is_empty() || (first_pair..first_pair + roles * roles).any(|bit| is_set(last, bit))
    }

    /// Whether the members of a view of two, by the number of views that were taken up before it, can have these roles together.
    pub(crate) fn may_be_together(
        &self,
        bits: &RoleBits,
        item: usize,
        at: u32,
        (first, second): (usize, usize),
    ) -> bool {
        is_set(&self.pairs[at as usize * bits.pair_words..], bits.pair(item, first, second))
    }

    /// The bytes that it takes.
    pub(crate) fn memory(&self) -> usize {
        (self.solos.len() + self.pairs.len() + self.meetings.len()) * 8
    }
}

/// Whether the guard of an item may hold in a structure.
pub(crate) fn may_hold(layout: &Layout, item: &Item, structure: &Structure, env: &Env) -> bool {
    let reading = Reading { layout, structure };
    item.guard.iter().all(|part| reading.holds(part, env) != Some(false))
}

fn is_set(bits: &[u64], bit: usize) -> bool {
    bits[bit / 64] >> (bit % 64) & 1 == 1
}

fn set(bits: &mut [u64], bit: usize) {
    bits[bit / 64] |= 1 << (bit % 64);
}
