//! Random litmus tests, as text, with every instruction that there is and forward jumps.

use explore::Rng;

/// Plain stores and loads, which tell memory models apart. `X` stands for a location, `A` and `B` for registers, `N`
/// for a number.
const PLAIN: [&str; 6] = ["MOV X,N", "MOV X,N", "MOV X,N", "MOV A,X", "MOV A,X", "MOV A,X"];

/// Everything else that touches a location.
const OTHERS: [&str; 20] = [
    "MOV X,A",
    "XCHG X,A",
    "XCHG A,X",
    "LOCK XADD X,A",
    "XADD X,A",
    "LOCK CMPXCHG X,B",
    "CMPXCHG X,B",
    "LOCK INC X",
    "INC X",
    "LOCK DEC X",
    "LOCK ADD X,N",
    "SUB X,A",
    "LOCK AND X,N",
    "LOCK OR X,N",
    "XOR X,A",
    "LOCK NEG X",
    "NOT X",
    "ADD A,X",
    "CMP X,N",
    "TEST A,X",
];

/// What touches no location.
const LOCAL: [&str; 10] =
    ["MFENCE", "MFENCE", "MFENCE", "LFENCE", "SFENCE", "MOV A,N", "ADD A,B", "SUB A,N", "NEG A", "INC A"];

/// A test whose condition is about nothing: all registers and locations are observed.
pub(crate) fn test(seed: u64) -> String {
    let mut rng = Rng::new(seed);
    let mut below = |bound: usize| rng.below(bound);
    let threads = 2 + below(2);
    // Candidate executions grow fast with the number of accesses.
    let mut accesses = 5 + below(2);
    let around = below(2) == 0;
    let mut columns = vec![Vec::new(); threads];
    for (at, column) in columns.iter_mut().enumerate() {
        let most = accesses / (threads - at);
        let own = (1 + below(3)).max(most).min(3);
        accesses = accesses.saturating_sub(own);
        *column = thread(own, &mut below);
        if around && at < 2 {
            // The core of store buffering, with something random inside that may or may not be a fence.
            let (mine, other) = if at == 0 { ("[x]", "[y]") } else { ("[y]", "[x]") };
            column.truncate(below(2));
            column.insert(0, format!("MOV {mine},$1"));
            column.push(format!("MOV EBX,{other}"));
        }
    }
    let numbers: Vec<usize> = (0..4).map(|_| below(2)).collect();
    written(&columns, &numbers)
}

/// A thread with some accesses to locations, and perhaps a jump over some of its instructions.
fn thread(accesses: usize, below: &mut dyn FnMut(usize) -> usize) -> Vec<String> {
    let mut lines = Vec::new();
    for _ in 0..accesses {
        if below(6) == 0 {
            lines.push(filled(LOCAL[below(LOCAL.len())], below));
        }
        let plain = below(4) > 0;
        lines
            .push(filled(if plain { PLAIN[below(PLAIN.len())] } else { OTHERS[below(OTHERS.len())] }, below));
    }
    if below(6) == 0 {
        let at = below(lines.len());
        lines.insert(at, "CMP EAX,$1".to_owned());
        lines.insert(at + 1, format!("{} L0", ["JE", "JNE", "JZ", "JNZ", "JMP"][below(5)]));
        lines.push("L0:".to_owned());
    }
    lines
}

fn filled(pattern: &str, below: &mut dyn FnMut(usize) -> usize) -> String {
    let mut pick = |names: &[&'static str]| names[below(names.len())];
    let (location, number) = (pick(&["[x]", "[y]"]), pick(&["$0", "$1", "$1", "$2", "$-1"]));
    let (first, second) = (pick(&["EAX", "EAX", "EBX"]), pick(&["EAX", "EBX", "EBX"]));
    let Some((mnemonic, operands)) = pattern.rsplit_once(' ') else { return pattern.to_owned() };
    let operand = |letter: &str| match letter {
        "X" => location,
        "N" => number,
        "A" => first,
        _ => second,
    };
    let operands: Vec<&str> = operands.split(',').map(operand).collect();
    format!("{mnemonic} {}", operands.join(","))
}

fn written(columns: &[Vec<String>], numbers: &[usize]) -> String {
    let height = columns.iter().map(Vec::len).max().unwrap_or(0);
    let mut text = format!("X86 random\n{{ x={}; y={}; ", numbers[0], numbers[1]);
    for thread in 0..columns.len() {
        text += &format!("{thread}:EAX={}; {thread}:EBX={}; ", numbers[2], numbers[3]);
    }
    let head: Vec<String> = (0..columns.len()).map(|thread| format!("P{thread}")).collect();
    text += &format!("}}\n{} ;\n", head.join(" | "));
    for row in 0..height {
        let cells: Vec<&str> =
            columns.iter().map(|column| column.get(row).map_or("", String::as_str)).collect();
        text += &format!("{} ;\n", cells.join(" | "));
    }
    let registers: Vec<String> =
        (0..columns.len()).map(|thread| format!("{thread}:EAX; {thread}:EBX; ")).collect();
    text + &format!("locations [x; y; {}]\nexists (true)\n", registers.concat())
}
