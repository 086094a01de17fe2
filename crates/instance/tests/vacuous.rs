//! Warnings about contradictions are sound: a formula that is called unsatisfiable has no state in any small
//! instance.

use explore::Steered;
use instance::{Instance, Machine, Obstacle, Setup};
use source::Source;

const SYMBOLS: &str = "number_procs 3
type digit = [0..2]
type place = Here | There | Nowhere
var X : digit
var Y : digit
var P : proc
var Q : proc
array At[proc] : place
array Next[proc] : proc
array M[proc,proc] : bool
";

/// A random number generator with a fixed seed.
struct Rng(u64);

impl Rng {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(self.0 >> 33).expect("31 bits") % bound
    }

    fn one_of(&mut self, items: &[&'static str]) -> &'static str {
        items[self.below(items.len())]
    }
}

/// Literals over one or two process variables.
const LITERALS: [&str; 22] = [
    "At[i] = Here",
    "At[i] <> Here",
    "At[j] = There",
    "At[j] <> Nowhere",
    "At[P] = Here",
    "At[#1] = There",
    "At[Next[i]] = There",
    "At[#2] <> At[i]",
    "X = 3",
    "X < Y",
    "Y <= X",
    "X + Y > 3",
    "P = i",
    "P <> Q",
    "Q = j",
    "Next[i] = j",
    "Next[P] <> P",
    "M[i,j]",
    "not M[j,i]",
    "i <> j",
    "(forall k. At[k] = Nowhere)",
    "(exists k. At[k] <> Nowhere && M[k,i])",
];

fn formula(rng: &mut Rng) -> String {
    let mut parts = Vec::new();
    for _ in 0..=rng.below(5) {
        let literal = rng.one_of(&LITERALS);
        parts.push(match rng.below(6) {
            0 => format!("({literal} || {})", rng.one_of(&LITERALS)),
            1 => format!("not ({literal})"),
            _ => literal.to_owned(),
        });
    }
    parts.join(" && ")
}

struct Read {
    warned: bool,
    /// `None` if the model has errors.
    model: Option<ir::Model>,
}

fn read(text: &str, code: &str) -> Read {
    let loaded = model::load(&Source::new("model.cub", text));
    let warned = loaded.diagnostics.sorted().iter().any(|diagnostic| diagnostic.code == code);
    Read { warned, model: loaded.model }
}

/// The number of initial states, and whether one of them is bad, in instances with two and three processes.
fn starts(model: &ir::Model) -> (usize, bool) {
    let (mut states, mut bad) = (0, false);
    for processes in 2..=3 {
        let setup = Setup { most_starts: 5_000, ..Setup::new(processes, 8) };
        let instances = match Instance::all(model, &setup) {
            Err(Obstacle::TooManyInitialStates) => return (usize::MAX, bad),
            instances => instances.expect("an instance"),
        };
        let mut machine = Machine::<4>::new(&instances);
        for start in 0..machine.initials().expect("initial states") {
            machine.start(start).expect("it is one of them");
            states += 1;
            machine.each_violated(|_| bad = true);
        }
    }
    (states, bad)
}

#[test]
fn an_init_that_is_called_impossible_has_no_state() {
    let (mut rng, mut warned, mut missed) = (Rng(1), 0, 0);
    for _ in 0..1500 {
        let text = format!("{SYMBOLS} init (i j) {{ {} }} unsafe {{ X = 1 }}", formula(&mut rng));
        let read = read(&text, "unsatisfiable-init");
        let Some(model) = read.model else { continue };
        let (states, _) = starts(&model);
        assert!(!read.warned || states == 0, "{states} states of\n{text}");
        warned += usize::from(read.warned);
        missed += usize::from(!read.warned && states == 0);
    }
    println!("{warned} warned, {missed} missed");
    assert!(warned > 200, "only {warned}");
    assert!(missed < warned, "{missed} without a warning");
}

#[test]
fn a_property_that_is_called_impossible_holds_nowhere() {
    let (mut rng, mut warned) = (Rng(2), 0);
    for _ in 0..400 {
        // Only the cells that literals mention are open, so that there are few states.
        let open = "init (i j) { X = X && Y = 1 && Q = Q && Next[i] = P && M[i,j] = M[i,i] }";
        let text = format!("{SYMBOLS} {open} unsafe (i j) {{ {} }}", formula(&mut rng));
        let read = read(&text, "unsatisfiable-property");
        let Some(model) = read.model else { continue };
        if read.warned {
            assert!(!starts(&model).1, "a state is bad in\n{text}");
            warned += 1;
        }
    }
    assert!(warned > 30, "only {warned}");
}

#[test]
fn assumptions_that_are_called_contradicting_leave_no_state() {
    let (mut rng, mut warned) = (Rng(3), 0);
    let symbols = SYMBOLS.replace("var ", "const ").replace("array ", "const ");
    for _ in 0..1500 {
        let mut text = format!("{symbols} var Z : bool init {{ Z = False }} unsafe {{ Z }}");
        for _ in 0..2 + rng.below(3) {
            let (literal, not) = (rng.one_of(&LITERALS), rng.one_of(&["", "not "]));
            text += &format!("\nassume (i j) {{ i <> j && {not}({literal}) }}");
        }
        let read = read(&text, "contradicting-assumptions");
        let Some(model) = read.model else { continue };
        if read.warned {
            assert_eq!(starts(&model).0, 0, "{text}");
            warned += 1;
        }
    }
    assert!(warned > 20, "only {warned}");
}
