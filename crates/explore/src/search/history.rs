//! How the postponed nodes were reached: a tree of links that point towards the initial states.

use crate::{Limit, Schedule};

/// A position in the history.
pub(crate) type Link = u32;

/// The tree of links. Only postponed nodes and their ancestors have links, so that a search that never postpones has
/// none.
#[derive(Debug)]
pub(crate) struct History<A> {
    /// For a step: the link before it, and the action. For a root: the number of the initial state.
    links: Vec<(u32, Option<A>)>,
}

impl<A: Clone> History<A> {
    pub(crate) fn new() -> Self {
        History { links: Vec::new() }
    }

    pub(crate) fn root(&mut self, initial: usize) -> Result<Link, Limit> {
        let initial = u32::try_from(initial).map_err(|_| Limit::Memory)?;
        self.push((initial, None))
    }

    pub(crate) fn step(&mut self, before: Link, action: A) -> Result<Link, Limit> {
        self.push((before, Some(action)))
    }

    /// Links have 32 bits to save memory, since there may be one for each state; more than four billion count as out
    /// of memory.
    fn push(&mut self, link: (u32, Option<A>)) -> Result<Link, Limit> {
        let place = u32::try_from(self.links.len()).map_err(|_| Limit::Memory)?;
        self.links.push(link);
        Ok(place)
    }

    /// The schedule that leads to a link.
    pub(crate) fn schedule(&self, mut link: Link) -> Schedule<A> {
        let mut actions = Vec::new();
        while let (before, Some(action)) = &self.links[link as usize] {
            actions.push(action.clone());
            link = *before;
        }
        actions.reverse();
        Schedule { initial: self.links[link as usize].0 as usize, actions }
    }

    pub(crate) fn bytes(&self) -> usize {
        self.links.len() * size_of::<(u32, Option<A>)>()
    }
}
