//! One form for all cubes that differ only in how their processes are numbered.
//!
//! Processes are sorted by what is said of each without naming another; those that look alike are tried in
//! every order, and the smallest cube is taken. Named processes stay where they are.

use crate::cell::Process;
use crate::cube::Cube;
use crate::vocabulary::{ELSEWHERE, Kind, MEMBERS, Vocabulary, member};

/// The most orders that are tried. Beyond, equal cubes may be taken for different ones, which costs time only.
const MAX_ORDERS: usize = 720;

/// Renumbers the processes of a settled cube. Returns the new number of each process.
pub(crate) fn canonical(cube: &mut Cube, vocabulary: &Vocabulary) -> Vec<Process> {
    let named = vocabulary.named.min(cube.processes);
    let identity: Vec<Process> = (0..cube.processes).collect();
    if cube.processes - named < 2 {
        return identity;
    }
    let mut sorted: Vec<(u64, Process)> =
        (named..cube.processes).map(|process| (appearance(cube, vocabulary, process), process)).collect();
    sorted.sort_unstable();
    let mut best: Option<(Cube, Vec<Process>)> = None;
    let mut tried = 0;
    each_order(&mut sorted, 0, &mut |sorted| {
        tried += 1;
        let mut map = identity.clone();
        for (new, (_, old)) in (named..).zip(sorted) {
            map[usize::from(*old)] = new;
        }
        let mut renamed = cube.clone();
        renamed.rename(vocabulary, &map, cube.processes);
        if best.as_ref().is_none_or(|(least, _)| renamed < *least) {
            best = Some((renamed, map));
        }
        tried < MAX_ORDERS
    });
    let (least, map) = best.expect("there is at least one order");
    *cube = least;
    map
}

/// A number for a process that does not depend on how the processes are numbered.
fn appearance(cube: &Cube, vocabulary: &Vocabulary, process: Process) -> u64 {
    let mut sum = 0_u64;
    let mut add = |parts: [u64; 3]| sum = sum.wrapping_add(mix(parts));
    for (cell, values) in &cube.finite {
        let symbol = vocabulary.symbol(*cell);
        let is_pointer = symbol.kind == Kind::Process;
        // The numbers of members may change; how many there are may not.
        let seen =
            if is_pointer { values & !MEMBERS | u64::from((values & MEMBERS).count_ones()) } else { *values };
        for position in (0..symbol.arity).filter(|position| cell.index(*position) == process) {
            add([u64::from(cell.symbol()) << 3 | position as u64, seen, symbol.arity as u64]);
        }
        if is_pointer {
            let to_it = values & member(process) != 0;
            add([u64::from(cell.symbol()) << 3 | 7, u64::from(to_it), values & !MEMBERS & !ELSEWHERE]);
        }
    }
    let others = cube.relations.iter().flat_map(|relation| [relation.left, relation.right]);
    let numbers = cube.linear.iter().flat_map(|constraint| constraint.terms.iter().map(|(cell, _)| *cell));
    for cell in others.chain(numbers) {
        for position in (0..vocabulary.arity(cell)).filter(|position| cell.index(*position) == process) {
            add([u64::from(cell.symbol()) << 3 | position as u64, 1 << 63, 0]);
        }
    }
    for (first, second) in &cube.order {
        add([1 << 40, u64::from(*first == process), u64::from(*second == process)]);
    }
    sum
}

fn mix(parts: [u64; 3]) -> u64 {
    parts.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, part| {
        let hash = (hash ^ part).wrapping_mul(0xff51_afd7_ed55_8ccd);
        hash ^ hash >> 32
    })
}

/// All orders of a sorted list that differ in the order of equal keys, until `visit` returns false.
fn each_order(
    list: &mut Vec<(u64, Process)>,
    at: usize,
    visit: &mut impl FnMut(&[(u64, Process)]) -> bool,
) -> bool {
    if at == list.len() {
        return visit(list);
    }
    for other in at..list.len() {
        if list[other].0 != list[at].0 {
            break;
        }
        list.swap(at, other);
        let go_on = each_order(list, at + 1, visit);
        list.swap(at, other);
        if !go_on {
            return false;
        }
    }
    true
}
