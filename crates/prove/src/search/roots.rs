//! The cubes that a search begins with.

use crate::assume::{Assumer, Branch, Env, UNBOUND, bind};
use crate::canonical::canonical;
use crate::cube::Cube;
use crate::system::Bad;
use crate::vocabulary::Vocabulary;
use rustc_hash::FxHashSet;

/// The cubes of a property, in canonical form. Processes that no literal mentions are left out, so that the cubes also match
/// instances that have fewer processes than the property has parameters.
pub(crate) fn cubes_of(assumer: &Assumer<'_>, property: &Bad) -> Vec<Cube> {
    collect(assumer, property, true)
}

/// The same, with all processes: what is excluded must not be more than the property says.
pub(crate) fn exact_cubes_of(assumer: &Assumer<'_>, property: &Bad) -> Vec<Cube> {
    collect(assumer, property, false)
}

fn collect(assumer: &Assumer<'_>, property: &Bad, drop_unused: bool) -> Vec<Cube> {
    let vocabulary = assumer.vocabulary;
    let (mut cubes, mut known) = (Vec::new(), FxHashSet::default());
    each_binding(vocabulary, &property.params, &mut Env::new(), vocabulary.named, &mut |env, processes| {
        let branch = Branch::new(Cube::new(processes));
        assumer.assume(branch, &property.formula, env, &mut |branch| {
            assumer.finish(branch, &mut |branch| {
                let mut cube = branch.cube;
                if cube.settle(vocabulary).is_ok() {
                    if drop_unused {
                        cube.drop_unused_processes(vocabulary);
                    }
                    canonical(&mut cube, vocabulary);
                    if known.insert(cube.clone()) {
                        cubes.push(cube);
                    }
                }
            });
        });
    });
    cubes
}

/// Distinct processes for parameters: named ones, or further ones in order.
fn each_binding(
    vocabulary: &Vocabulary,
    params: &[u16],
    env: &mut Env,
    processes: u8,
    visit: &mut dyn FnMut(&Env, u8),
) {
    let Some((param, others)) = params.split_first() else { return visit(env, processes) };
    for process in (0..vocabulary.named).chain([processes]) {
        if env.contains(&process) || process >= vocabulary.most {
            continue;
        }
        bind(env, *param, process);
        each_binding(vocabulary, others, env, processes.max(process + 1), visit);
        env[usize::from(*param)] = UNBOUND;
    }
}
