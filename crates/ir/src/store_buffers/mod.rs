//! A model under x86-TSO as an ordinary model: store buffers become arrays, and flushing them becomes a transition.
//!
//! Each process has a number of *slots*, the first of which holds the oldest entry of its store buffer. A slot says
//! which *write* it holds and the values that the write was made with, its *arguments*. A write fills the first empty
//! slot; `flush` applies the first slot to memory and moves the others up; a read takes the value of the youngest slot
//! that writes this location, otherwise that of memory. What needs an empty buffer waits for an empty first slot.
//!
//! The number of slots is fixed, buffers are not. A write that finds all slots taken violates the property
//! [`PropertyKind::Overflow`](crate::PropertyKind::Overflow): where that cannot be reached, the model is exact. With
//! [`Counting::Many`], equal neighbours share a slot that tells how many they are, up to a number from which on it only
//! says "many". Flushing many may leave as many. That loses no run of unbounded buffers but adds some, so that
//! a violation has to be repeated with [`Counting::Exact`] before anyone may believe it.

mod effects;
mod flush;
mod items;
mod reads;
mod slots;
mod writes;

pub use effects::{Effect, EffectArm, Write};
pub use slots::{Slot, StoreBuffers};

use crate::{At, Model};

/// How store buffers are represented.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The number of slots of each process, at least 1.
    pub slots: usize,
    /// How entries are distributed over slots.
    pub counting: Counting,
}

/// How entries are distributed over slots.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Counting {
    /// One entry for each slot.
    Exact,
    /// Equal neighbours share a slot, and are counted up to this number; more are "many".
    Many(u32),
}

impl Capacity {
    /// Slots of one entry.
    pub fn exact(slots: usize) -> Capacity {
        Capacity { slots, counting: Counting::Exact }
    }

    /// Slots of one or many equal entries.
    pub fn merging(slots: usize) -> Capacity {
        Capacity { slots, counting: Counting::Many(1) }
    }
}

/// What cannot be represented, and where it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// A noun phrase, such as "a number of cells of a weak array behind a store buffer".
    pub what: String,
    /// Where it is written.
    pub at: At,
}

impl Model {
    /// The model under x86-TSO as an ordinary model, with store buffers of this capacity. Rules, properties and symbols
    /// keep their positions; what is added comes after them. A model that is not weak is unchanged.
    pub fn with_store_buffers(&self, capacity: Capacity) -> Result<Model, Unsupported> {
        if !self.is_weak() {
            return Ok(self.clone());
        }
        items::lower(self, capacity)
    }

    /// The same for a proof for every number of processes. With fewer processes than any property needs to match there
    /// is nothing to prove, so that buffers may overflow there: without others to wait for, they often do.
    pub fn with_store_buffers_for_proof(&self, capacity: Capacity) -> Result<Model, Unsupported> {
        let mut lowered = self.with_store_buffers(capacity)?;
        let fewest = self.properties.iter().map(|property| property.params.len()).min().unwrap_or(0);
        items::demand_processes(&mut lowered, fewest);
        Ok(lowered)
    }
}
