//! The set of views.

use crate::layout::Layout;
use crate::store::Store;
use crate::structure::Structure;

/// Views of one size.
#[derive(Debug)]
pub(crate) struct ViewSet {
    /// The number of members of a view.
    pub(crate) size: usize,
    pub(crate) views: Store,
}

/// A projection of a structure to some members, and its packed form.
#[derive(Debug)]
pub(crate) struct Cut {
    pub(crate) structure: Structure,
    pub(crate) packed: Vec<u8>,
    other: Vec<u8>,
}

impl ViewSet {
    pub(crate) fn new(layout: &Layout, size: usize) -> ViewSet {
        ViewSet { size, views: Store::new(layout.packed(size)) }
    }

    /// The number of the view of some members of a structure, if it is in the set.
    pub(crate) fn find(
        &self,
        layout: &Layout,
        structure: &Structure,
        members: &[u8],
        cut: &mut Cut,
    ) -> Option<u32> {
        cut.down(layout, structure, members);
        self.views.find(&cut.packed)
    }
}

impl Cut {
    pub(crate) fn new(layout: &Layout) -> Cut {
        Cut { structure: Structure::new(layout), packed: vec![], other: vec![] }
    }

    /// Cuts a structure down to some members, in canonical form.
    pub(crate) fn down(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) {
        structure.project(layout, members, &mut self.structure);
        self.structure.canonical(layout, &mut self.packed, &mut self.other);
    }

    /// The same with the members in the order in which they are given, which need not be the canonical one.
    pub(crate) fn down_in_order(&mut self, layout: &Layout, structure: &Structure, members: &[u8]) {
        structure.project(layout, members, &mut self.structure);
        self.structure.pack_as_it_is(layout, &mut self.packed);
    }
}
