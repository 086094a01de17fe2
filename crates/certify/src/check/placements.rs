//! The ways in which parameters can stand for processes.

use super::ground::Binding;
use crate::Cube;
use ir::Var;

/// All values of the parameters, distinct or not.
pub(crate) fn assignments(params: &[Var], variables: usize, processes: usize) -> Vec<Binding> {
    let mut all: Vec<Binding> = vec![vec![None; variables]];
    for param in params {
        let with = |binding: &Binding, process: usize| {
            let mut binding = binding.clone();
            binding[param.index()] = Some(process);
            binding
        };
        all = all
            .iter()
            .flat_map(|binding| (0..processes).map(move |process| with(binding, process)))
            .collect();
    }
    all
}

/// All ways to give parameters pairwise distinct processes, among the first `processes` or further ones; each with the number of
/// processes afterwards. Further ones come in order, as they only differ by name.
pub(crate) fn placements(params: &[Var], variables: usize, known: usize) -> Vec<(Binding, usize)> {
    let mut all: Vec<(Binding, usize)> = vec![(vec![None; variables], known)];
    for param in params {
        let mut next = Vec::new();
        for (binding, count) in &all {
            let free = |process: &usize| !binding.contains(&Some(*process));
            for process in (0..=*count).filter(free) {
                let mut binding = binding.clone();
                binding[param.index()] = Some(process);
                next.push((binding, (*count).max(process + 1)));
            }
        }
        all = next;
    }
    all
}

/// All ways to give parameters processes, distinct or not, among the first `processes` or further ones.
pub(crate) fn cells(cube: &Cube, known: usize) -> Vec<(Binding, usize)> {
    let mut all: Vec<(Binding, usize)> = vec![(vec![None; cube.variables.len()], known)];
    for param in &cube.params {
        let mut next = Vec::new();
        for (binding, count) in &all {
            for process in 0..=*count {
                let mut binding = binding.clone();
                binding[param.index()] = Some(process);
                next.push((binding, (*count).max(process + 1)));
            }
        }
        all = next;
    }
    all
}
