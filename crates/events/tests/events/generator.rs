//! Random small models of weak memory: programs that follow a counter, with all that the rules of events distinguish.

use std::fmt::Write;

/// A generator of pseudo-random numbers (Steele, Lea, Flood: *Fast splittable pseudorandom number generators*, 2014).
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    fn below(&mut self, most: usize) -> usize {
        usize::try_from(self.next() % most as u64).expect("small")
    }

    fn chance(&mut self, one_in: usize) -> bool {
        self.below(one_in) == 0
    }

    fn one_of<'a>(&mut self, list: &[&'a str]) -> &'a str {
        list[self.below(list.len())]
    }
}

const PLACES: [&str; 4] = ["L0", "L1", "L2", "L3"];

/// What a model has.
#[expect(clippy::struct_excessive_bools, reason = "independent switches")]
struct Shape {
    named: bool,
    universal: bool,
    second: bool,
    array: bool,
    pointer: bool,
    number: bool,
    places: usize,
}

/// The text of a model.
pub(crate) fn random_model(seed: u64) -> String {
    let mut rng = Rng(seed);
    let shape = Shape {
        named: rng.chance(4),
        universal: rng.chance(3),
        second: rng.chance(2),
        array: rng.chance(2),
        pointer: rng.chance(4),
        number: rng.chance(4),
        places: 2 + rng.below(3),
    };
    let mut text = String::new();
    if shape.named || rng.chance(3) {
        text.push_str("number_procs 2\n");
    }
    let places = PLACES[..shape.places].join(" | ");
    writeln!(
        text,
        "type loc = {places}\ntype v = A | B | C\nweak var X : v\narray PC[proc] : loc\narray R[proc] : v"
    )
    .unwrap();
    let mut init = String::from("PC[i] = L0 && X = A && R[i] = A");
    let mut declare = |present: bool, declaration: &str, start: &str| {
        if present {
            writeln!(text, "{declaration}").unwrap();
            init.push_str(start);
        }
    };
    declare(shape.second, "weak var Y : bool", " && Y = False");
    declare(shape.array, "weak array F[proc] : bool", " && F[i] = False");
    declare(shape.pointer, "weak var T : proc", "");
    declare(shape.number, "weak var N : int\narray K[proc] : int", " && N = 0 && K[i] = 0");
    writeln!(text, "init (i) {{ {init} }}").unwrap();
    text.push_str(&property(&mut rng, &shape));
    for number in 0..shape.places + rng.below(3) {
        text.push_str(&transition(&mut rng, &shape, number));
    }
    text
}

fn property(rng: &mut Rng, shape: &Shape) -> String {
    let last = shape.places - 1;
    let mut parts = Vec::new();
    if shape.named {
        parts.push("i = #1 && j = #2".to_owned());
    }
    for process in ["i", "j"] {
        if rng.below(8) > 0 {
            let place = if rng.chance(4) { rng.below(shape.places) } else { last };
            parts.push(format!("PC[{process}] = {}", PLACES[place]));
        }
        if rng.chance(2) {
            parts.push(format!("R[{process}] {} {}", rng.one_of(&["=", "<>"]), rng.one_of(&["A", "B", "C"])));
        }
        if rng.chance(3) {
            parts.push(read(rng, shape, &format!("{process}@"), process, "j", true));
        }
    }
    if parts.is_empty() {
        parts.push("PC[i] = L1".to_owned());
    }
    format!("unsafe (i j) {{ {} }}\n", parts.join(" && "))
}

/// A condition on memory, as `reader` sees it.
fn read(rng: &mut Rng, shape: &Shape, reader: &str, own: &str, other: &str, strict: bool) -> String {
    let relation = rng.one_of(&["=", "=", "<>"]);
    let mut choices = vec![format!("{reader}X {relation} {}", rng.one_of(&["A", "B", "C"]))];
    if shape.second {
        choices.push(format!("{reader}Y = {}", rng.one_of(&["True", "False"])));
    }
    if shape.array {
        let index = rng.one_of(&[own, other]);
        choices.push(format!("{reader}F[{index}] = {}", rng.one_of(&["True", "False"])));
    }
    if shape.pointer {
        choices.push(format!("{reader}T {relation} {own}"));
    }
    if shape.number {
        choices.push(format!("{reader}N {} {}", rng.one_of(&["<", "<=", "=", ">"]), rng.below(3)));
    }
    if strict && shape.second && rng.chance(8) {
        choices = vec![format!("({} || {reader}Y = True)", choices[0])];
    }
    let at = rng.below(choices.len());
    choices.swap_remove(at)
}

fn transition(rng: &mut Rng, shape: &Shape, number: usize) -> String {
    let two = rng.chance(3);
    let other = if two { "j" } else { "i" };
    let from = number % shape.places;
    let to = if rng.chance(3) { rng.below(shape.places) } else { (from + 1).min(shape.places - 1) };
    let mut guard = vec![format!("PC[i] = {}", PLACES[from])];
    if shape.named && rng.chance(2) {
        guard.push(format!("i = {}", rng.one_of(&["#1", "#2"])));
    }
    if rng.chance(5) {
        guard.push("fence()".to_owned());
    }
    if rng.chance(3) {
        guard.push(read(rng, shape, "", "i", other, true));
    }
    if shape.array && shape.universal && rng.chance(3) {
        guard.push(format!("(forall_other k. F[k] = {})", rng.one_of(&["True", "False"])));
    }
    if shape.pointer && shape.array && rng.chance(5) {
        guard.push("F[T] = True".to_owned());
    }
    let mut body = vec![format!("PC[i] := {}", PLACES[to])];
    statements(rng, shape, other, &mut body);
    let params = if two { "[i] j" } else { "[i]" };
    format!(
        "transition t{number} ({params})\nrequires {{ {} }}\n{{ {} }}\n",
        guard.join(" && "),
        body.join("; ")
    )
}

fn statements(rng: &mut Rng, shape: &Shape, other: &str, body: &mut Vec<String>) {
    let atomic = rng.chance(4);
    let value = |rng: &mut Rng| rng.one_of(&["A", "B", "C", "B", "C"]).to_owned();
    if rng.chance(3) {
        body.push(format!("R[i] := {}", if atomic || rng.chance(2) { "X".to_owned() } else { value(rng) }));
        if !atomic {
            return;
        }
    }
    if rng.chance(2) {
        let written = if rng.chance(10) {
            "?".to_owned()
        } else if rng.chance(6) {
            "R[i]".to_owned()
        } else {
            value(rng)
        };
        body.push(format!("X := {written}"));
    }
    if shape.second && rng.chance(3) {
        body.push(format!("Y := {}", rng.one_of(&["True", "True", "False"])));
    }
    if shape.array && rng.chance(2) {
        let all = format!("F[k] := case | k = {other} : {} | _ : False", rng.one_of(&["True", "False"]));
        let one = format!("F[{other}] := {}", rng.one_of(&["True", "True", "False"]));
        body.push(if rng.chance(6) { all } else { one });
    }
    if shape.pointer && rng.chance(3) {
        body.push(format!("T := {other}"));
    }
    if shape.number && rng.chance(2) {
        body.push(rng.one_of(&["N := 1", "N := N + 1", "N := K[i] + 1", "K[i] := N", "N := 2"]).to_owned());
    }
}
