//! The postponed nodes of a search, each with an id that its strategy keeps.

use crate::{Limit, NodeId};

/// A slab: the places of removed nodes are reused.
#[derive(Debug)]
pub(crate) struct Pool<N> {
    places: Vec<Option<N>>,
    /// The empty ones among `places`.
    free: Vec<NodeId>,
}

impl<N> Pool<N> {
    pub(crate) fn new() -> Self {
        Pool { places: Vec::new(), free: Vec::new() }
    }

    pub(crate) fn insert(&mut self, node: N) -> Result<NodeId, Limit> {
        if let Some(id) = self.free.pop() {
            self.places[id.0 as usize] = Some(node);
            return Ok(id);
        }
        let id = NodeId(u32::try_from(self.places.len()).map_err(|_| Limit::Memory)?);
        self.places.push(Some(node));
        Ok(id)
    }

    /// Removes a node; `None` if it was removed before.
    pub(crate) fn remove(&mut self, id: NodeId) -> Option<N> {
        let node = self.places.get_mut(id.0 as usize)?.take()?;
        self.free.push(id);
        Some(node)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.free.len() == self.places.len()
    }

    pub(crate) fn bytes(&self, heap: usize) -> usize {
        self.places.len() * (size_of::<Option<N>>() + heap)
    }
}
