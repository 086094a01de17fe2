//! Which cubes meet the initial states.

use crate::assume::{Assumer, Branch, Env, bound};
use crate::cell::{Cell, Process};
use crate::cube::{Contradiction, Cube};
use crate::system::{Initial, System};
use crate::vocabulary::{Kind, RUN};

/// Whether some initial state may match a cube: `init` is instantiated jointly over the processes of the cube.
pub(crate) fn meets_initial(system: &System, assumer: &Assumer<'_>, cube: &Cube) -> bool {
    system.initials.iter().any(|initial| {
        let mut found = false;
        each_initial(system, assumer, initial, cube, &mut |_| {
            found = true;
            false
        });
        found
    })
}

/// Calls `visit` with the ways in which initial states match a cube, until it returns false.
pub(crate) fn each_initial(
    system: &System,
    assumer: &Assumer<'_>,
    initial: &Initial,
    cube: &Cube,
    visit: &mut dyn FnMut(Cube) -> bool,
) {
    let mut cube = cube.clone();
    // There is at least one process, so that what `init` says about globals holds even if the cube has none.
    if cube.processes == 0 {
        cube.add_process(&system.vocabulary);
    }
    if place_pointers(system, initial, &mut cube).is_err() {
        return;
    }
    let mut envs = vec![Env::new()];
    for variable in &initial.params {
        let processes = 0..cube.processes;
        envs = envs
            .iter()
            .flat_map(|env| processes.clone().map(move |process| bound(env, *variable, process)))
            .collect();
    }
    let mut go_on = true;
    each_instance(assumer, Branch::new(cube), &initial.formula, &envs, &mut go_on, visit);
}

fn each_instance<'t>(
    assumer: &Assumer<'_>,
    branch: Branch<'t>,
    formula: &'t crate::template::Node,
    envs: &[Env],
    go_on: &mut bool,
    visit: &mut dyn FnMut(Cube) -> bool,
) {
    if !*go_on {
        return;
    }
    let Some((env, others)) = envs.split_first() else {
        return assumer.finish(branch, &mut |mut branch| {
            if *go_on && branch.cube.settle(assumer.vocabulary).is_ok() {
                *go_on = visit(branch.cube);
            }
        });
    };
    assumer.assume(branch, formula, env, &mut |branch| {
        each_instance(assumer, branch, formula, others, go_on, visit);
    });
}

/// Symbols of sort `proc` start as the outsider that `init` gives them, or as processes of the run.
fn place_pointers(system: &System, initial: &Initial, cube: &mut Cube) -> Result<(), Contradiction> {
    let vocabulary = &system.vocabulary;
    for (symbol, info) in (0_u16..).zip(&vocabulary.symbols) {
        if info.kind != Kind::Process || info.possible & !RUN == 0 {
            continue;
        }
        let outsider = initial.outsiders.iter().find(|(of, _)| *of == symbol);
        let values = outsider.map_or(RUN, |(_, outsider)| *outsider);
        let mut result = Ok(());
        each_cell(symbol, info.arity, cube.processes, &mut |cell| {
            if result.is_ok() {
                result = cube.restrict(vocabulary, cell, values);
            }
        });
        result?;
    }
    Ok(())
}

/// Every cell of a symbol over the first `processes` processes.
pub(crate) fn each_cell(symbol: u16, arity: usize, processes: u8, visit: &mut dyn FnMut(Cell)) {
    let mut indices: Vec<Process> = vec![0; arity];
    loop {
        visit(Cell::new(symbol, &indices));
        let Some(at) = indices.iter().rposition(|index| index + 1 < processes) else { return };
        indices[at] += 1;
        indices[at + 1..].iter_mut().for_each(|index| *index = 0);
    }
}
