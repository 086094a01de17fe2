//! Promises: what says that some process exists, which a cube may name.

use crate::assume::{Assumer, Branch, Env, bound};
use crate::cube::Cube;
use crate::system::Promise;
use crate::template::Node;

impl Promise {
    /// Whether a cube has states in which nothing is promised.
    pub(crate) fn is_open(&self, assumer: &Assumer<'_>, cube: &Cube, env: &Env) -> bool {
        may_hold(assumer, cube, &self.unless, env)
    }

    /// Whether one of the processes of a cube is such a one, in all of its states.
    pub(crate) fn is_kept(&self, assumer: &Assumer<'_>, cube: &Cube, env: &Env) -> bool {
        (0..cube.processes)
            .any(|process| !may_hold(assumer, cube, &self.lacks, &bound(env, self.variable, process)))
    }
}

/// Whether some state of a cube may satisfy a formula.
fn may_hold(assumer: &Assumer<'_>, cube: &Cube, node: &Node, env: &Env) -> bool {
    let mut found = false;
    assumer.assume(Branch::new(cube.clone()), node, env, &mut |branch| {
        let mut cube = branch.cube;
        found |= cube.settle(assumer.vocabulary).is_ok();
    });
    found
}
