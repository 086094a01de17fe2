//! States that differ by a permutation of processes have one representative, which is one of them.
//!
//! Compares a walk through an instance with the same walk with its processes renamed. States are renamed as text,
//! which shares nothing with the implementation in the engine.

use explore::{Rng, Steered, Symmetry, System};
use instance::{Instance, Machine, Setup};
use ir::Model;
use model::Queues;
use source::Source;

/// A state as text, sorted.
type Words = Vec<(String, String)>;

/// Replaces the number of every process by that of another.
fn rename(text: &str, order: &[usize]) -> String {
    let mut parts = text.split('#');
    let mut renamed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find(|char: char| !char.is_ascii_digit()).unwrap_or(part.len());
        let process: usize = part[..end].parse().expect("a number follows");
        renamed += &format!("#{}{}", order[process - 1] + 1, &part[end..]);
    }
    renamed
}

fn renamed(words: &Words, order: &[usize]) -> Words {
    let mut renamed: Words =
        words.iter().map(|(name, value)| (rename(name, order), rename(value, order))).collect();
    renamed.sort_unstable();
    renamed
}

fn words<const W: usize>(machine: &Machine<'_, '_, W>) -> Words {
    let entries = machine.describe().into_iter();
    let mut words: Words =
        entries.map(|entry| (entry.subject.to_string(), entry.value.to_string())).collect();
    words.sort_unstable();
    words
}

/// A permutation of processes that keeps their kinds.
fn permutation(kinds: &[u32], rng: &mut Rng) -> Vec<usize> {
    let mut order: Vec<usize> = (0..kinds.len()).collect();
    for kind in kinds {
        let places: Vec<usize> = (0..kinds.len()).filter(|at| kinds[*at] == *kind).collect();
        let mut members: Vec<usize> = places.iter().map(|at| order[*at]).collect();
        rng.shuffle(&mut members);
        places.iter().zip(members).for_each(|(at, member)| order[*at] = member);
    }
    order
}

/// Whether some permutation of processes that keeps their kinds turns one state into the other.
fn alike(kinds: &[u32], from: &Words, to: &Words) -> bool {
    fn any(kinds: &[u32], order: &mut Vec<usize>, at: usize, found: &dyn Fn(&[usize]) -> bool) -> bool {
        if at == order.len() {
            return order.iter().enumerate().all(|(at, to)| kinds[at] == kinds[*to]) && found(order);
        }
        (at..order.len()).any(|other| {
            order.swap(at, other);
            let is_found = any(kinds, order, at + 1, found);
            order.swap(at, other);
            is_found
        })
    }
    any(kinds, &mut (0..kinds.len()).collect(), 0, &|order| renamed(from, order) == *to)
}

/// Moves a machine to the first of some states that satisfies a condition.
fn find<const W: usize>(
    machine: &mut Machine<'_, '_, W>,
    states: &[[u64; W]],
    good: impl Fn(&Machine<'_, '_, W>) -> bool,
) -> bool {
    states.iter().any(|state| {
        machine.restore(state).expect("it is a state");
        good(machine)
    })
}

/// The initial states, or those after one step.
fn initials<const W: usize>(machine: &mut Machine<'_, '_, W>) -> Vec<[u64; W]> {
    let count = machine.initials().expect("they can be listed");
    let state = |initial| machine.start(initial).map(|()| machine.identity()).expect("there is one");
    (0..count).map(state).collect()
}

fn successors<const W: usize>(machine: &mut Machine<'_, '_, W>) -> Vec<[u64; W]> {
    let (here, mut actions) = (machine.identity(), Vec::new());
    machine.enabled(&mut actions);
    let next = |action| {
        machine.restore(&here).and_then(|()| machine.take(action)).expect("it is enabled");
        machine.identity()
    };
    actions.iter().map(next).collect()
}

/// Walks a number of steps, or until the run ends or a number grows too large. Returns the number of states compared.
fn walk<const W: usize>(instances: &[Instance<'_>], steps: usize, rng: &mut Rng) -> usize {
    let (mut one, mut other) = (Machine::<W>::new(instances), Machine::<W>::new(instances));
    let mut order = None;
    let mut compared = 0;
    while compared < steps && one.obstacle().is_none() {
        let begins = compared == 0;
        let states = if begins { initials(&mut one) } else { successors(&mut one) };
        let theirs = if begins { initials(&mut other) } else { successors(&mut other) };
        if states.is_empty() || one.obstacle().is_some() {
            break;
        }
        one.restore(&states[rng.below(states.len())]).expect("it is a state");
        let kinds = one.kinds();
        let order = order.get_or_insert_with(|| permutation(kinds, rng));
        let expected = renamed(&words(&one), order);
        let found = find(&mut other, &theirs, |other| other.kinds() == kinds && words(other) == expected);
        assert!(found, "there is no {expected:?}");
        compare(&mut one, &mut other);
        compared += 1;
    }
    compared
}

/// Checks that both have the same representative, which is a permutation of them.
fn compare<const W: usize>(one: &mut Machine<'_, '_, W>, other: &mut Machine<'_, '_, W>) {
    let (here, representative) = (one.identity(), one.canonical());
    assert_eq!(representative, other.canonical(), "{:?}\nand {:?}", words(one), words(other));
    // With more processes there are too many permutations to try.
    if one.kinds().len() <= 4 {
        let state = words(one);
        one.restore(&representative).expect("it is a state");
        assert!(alike(one.kinds(), &state, &words(one)), "{:?} stands for {state:?}", words(one));
        one.restore(&here).expect("it is a state");
    }
}

/// Walks through an instance of a model several times; zero if there is none.
fn walks(model: &Model, processes: usize, times: usize, steps: usize) -> usize {
    let setup = Setup::new(processes, 16);
    let count = u32::try_from(processes).expect("few");
    let allowed = count >= model.min_processes() && model.max_processes.is_none_or(|most| count <= most);
    if !allowed || !Instance::is_symmetric(model) || !model.abstract_types.is_empty() {
        return 0;
    }
    let Ok(instances) = Instance::all(model, &setup) else { return 0 };
    let mut rng = Rng::new(processes as u64);
    let mut walk = || match instances.iter().map(Instance::words).max().unwrap_or(0) {
        0..=1 => walk::<1>(&instances, steps, &mut rng),
        2..=8 => walk::<8>(&instances, steps, &mut rng),
        _ => walk::<64>(&instances, steps, &mut rng),
    };
    (0..times).map(|_| walk()).sum()
}

fn load(text: &str, queues: Queues) -> Model {
    let loaded = model::load_with(&Source::new("model.cub", text), queues);
    loaded.model.unwrap_or_else(|| panic!("{:?}", loaded.diagnostics.sorted()))
}

/// Compares at least a number of states in instances of these sizes.
fn check(text: &str, sizes: &[usize], least: usize) {
    for processes in sizes {
        let compared = walks(&load(text, Queues::Any), *processes, 40, 40);
        assert!(compared >= least, "only {compared} states with {processes} processes");
    }
}

/// All processes in a cycle of pointers look alike.
#[test]
fn cells_point_to_processes() {
    let text = "array Next[proc] : proc
        array Last[proc] : proc
        init (i) { Next[i] = i && Last[i] = i }
        transition link (i j) { Next[i] := j }
        transition back (i j) { Last[j] := i }
        transition alone (i) { Next[i] := i; Last[i] := i }
        transition swap (i j) { Next[k] := case | k = i : Next[j] | k = j : Next[i] | _ : Next[k] }";
    check(text, &[2, 3, 4, 5, 6], 1600);
}

#[test]
fn cells_and_variables_point_to_processes() {
    let text = "type phase = A | B | C
        array Next[proc] : proc
        array Phase[proc] : phase
        var Head : proc
        var Tail : proc
        init (i) { Next[i] = i && Phase[i] = A }
        transition head (i) { Head := i; Phase[i] := B }
        transition tail (i) { Tail := i; Phase[Head] := A }
        transition link (i j) { Next[i] := j; Phase[j] := C }";
    check(text, &[2, 3, 4, 5], 1600);
}

/// Every undirected graph. With six processes of which each has two neighbours, it is a ring or two triangles.
#[test]
fn a_matrix_of_truth_values() {
    let text = "array Edge[proc,proc] : bool
        init (i j) { Edge[i,j] = False }
        transition join (i j)
        { Edge[k,l] := case | k = i && l = j : True | k = j && l = i : True | _ : Edge[k,l] }
        transition part (i j) requires { Edge[i,j] = True }
        { Edge[k,l] := case | k = i && l = j : False | k = j && l = i : False | _ : Edge[k,l] }";
    check(text, &[2, 3, 4, 5], 1600);
    assert_eq!(walks(&load(text, Queues::Any), 6, 10, 20), 200);
}

#[test]
fn a_matrix_of_processes_and_one_with_three_indices() {
    let text = "array Via[proc,proc] : proc
        array Seen[proc,proc,proc] : bool
        init (i j k) { Via[i,j] = i && Seen[i,j,k] = False }
        transition route (i j k) { Via[i,j] := k }
        transition back (i j) { Via[i,j] := j }
        transition see (i j k) { Seen[i,j,k] := True }
        transition look (i j) { Seen[i,j,j] := True }";
    check(text, &[2, 3, 4, 5], 100);
}

#[test]
fn only_processes_of_one_kind_change_places() {
    let text = "type reader < proc
        type writer < proc
        array Next[proc] : proc
        array Busy[proc] : bool
        init (i) { Next[i] = i && Busy[i] = False }
        transition link (i j) { Next[i] := j }
        transition start (i : writer) { Busy[i] := True }
        transition stop (i) { Busy[i] := False; Next[i] := i }";
    check(text, &[2, 3, 4, 5], 1600);
}

/// More bits for each process than a word has, with and without pointers.
#[test]
fn many_bits_for_each_process() {
    let plain = "array A[proc] : int
        array B[proc] : int
        array C[proc] : int
        array D[proc] : int
        array E[proc] : int
        var Head : proc
        init (i) { A[i] = 0 && B[i] = 0 && C[i] = 0 && D[i] = 0 && E[i] = 0 }
        transition count (i) requires { A[i] < 3 } { A[i] := A[i] + 1; E[i] := D[i] }
        transition other (i) { B[i] := A[i]; C[i] := B[i]; Head := i }
        transition clear (i) { A[i] := 0; D[i] := C[i] }";
    check(plain, &[2, 3, 4, 5], 1600);
    let pointers = "array Next[proc] : proc
        transition link (i j) { Next[i] := j; E[j] := 1 }";
    check(
        &format!("{pointers}\n{plain}").replace("init (i) {", "init (i) { Next[i] = i &&"),
        &[2, 3, 4],
        1600,
    );
}

/// More processes than are sorted without allocating, and more variables that point to them than a key has bits for.
#[test]
fn many_processes_and_many_variables() {
    let cells = "type phase = A | B | C
        array Phase[proc] : phase
        var Head : proc
        init (i) { Phase[i] = A }
        transition b (i) { Phase[i] := B }
        transition c (i) { Phase[i] := C; Head := i }";
    check(cells, &[15, 16, 17, 20], 1600);
    let names: Vec<String> = (0..52).map(|at| format!("Head{at}")).collect();
    let each = |part: &dyn Fn(&String) -> String| names.iter().map(part).collect::<String>();
    let text = [
        "type reader < proc\ntype writer < proc\narray Up[proc] : bool\nvar Head : proc\n".into(),
        each(&|name| format!("var {name} : proc\n")),
        format!("init (i) {{ Up[i] = False{} }}\n", each(&|name| format!(" && {name} = Head"))),
        each(&|name| format!("transition at_{name} (i) {{ {name} := i; Up[i] := True }}\n")),
    ]
    .concat();
    check(&text, &[2, 3], 1600);
}

/// The order of a queue is a binary relation.
#[test]
fn queues_in_order() {
    let text = "type pc = Out | In
        var L : lock
        array P[proc] : pc
        init (i) { P[i] = Out }
        transition enter ([i]) requires { P[i] = Out } { acquire(L, i); P[i] := In }
        transition leave ([i]) requires { P[i] = In } { release(L, i); P[i] := Out }";
    for processes in 2..=5 {
        let compared = walks(&load(text, Queues::Fifo), processes, 40, 40);
        assert!(compared >= 1600, "only {compared} states with {processes} processes");
    }
}
