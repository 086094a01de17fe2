//! What is wrong with a test: each kind of message, where it points, and that nothing crashes.

use litmus::parse;
use source::{Source, Style, render};
use std::{collections::BTreeSet, fs, path::Path};

/// Mistakes, with the code of each message and the text that it points at.
const MISTAKES: &[(&str, &[(&str, &str)])] = &[
    ("", &[("unsupported-architecture", "")]),
    ("PPC SB\n{}\n", &[("unsupported-architecture", "PPC")]),
    ("AArch64 MP\n{}\n", &[("unsupported-architecture", "AArch64")]),
    (
        "X86_64 SB\n{ 0:rax=x; }\n P0 ;\n movl $1,(%rax) ;\nexists (x=1)",
        &[("unsupported-architecture", "X86_64")],
    ),
    ("x86 SB\n{}\n", &[("unsupported-architecture", "x86")]),
    ("X86\n{ }\n P0 ;\n NOP ;\nexists (true)", &[("syntax", "X86")]),
    ("X86 t\n P0 ;\n NOP ;\nexists (true)", &[("syntax", "P0 ;")]),
    ("X86 t\n\"never\n{ }", &[("syntax", "\"")]),
    ("X86 t (* here\n{ }", &[("unterminated-comment", "(*")]),
    ("X86 t\n(* never\n{ }", &[("unterminated-comment", "(*")]),
    ("X86 t\n{ }\n P0 ;\n NOP (*) ;\nexists (true)", &[("syntax", "NOP"), ("unterminated-comment", "(*")]),
    ("X86 t\n{ x=0;\n", &[("syntax", "{")]),
    ("X86 t\n{ x 0; y==1; }\n P0 ;\n NOP ;\nexists (true)", &[("syntax", "0"), ("syntax", "=")]),
    ("X86 t\n{ x=y; }\n P0 ;\n NOP ;\nexists (true)", &[("address-as-value", "y")]),
    ("X86 t\n{ x=0; x=1; }\n P0 ;\n NOP ;\nexists (true)", &[("set-twice", "x")]),
    (
        "X86 t\n{ EAX=1; 1:EAX=1; }\n P0 ;\n NOP ;\nexists (true)",
        &[("unknown-process", "EAX"), ("unknown-process", "1")],
    ),
    ("X86 t\n{ }\n P1 ;\n NOP ;\nexists (true)", &[("syntax", "P1")]),
    ("X86 t\n{ }\n P0 | P2 ;\n NOP ;\nexists (true)", &[("syntax", "P2")]),
    ("X86 t\n{ }\n P0 ;\n NOP | NOP ;\nexists (true)", &[("syntax", "NOP | NOP ;")]),
    ("X86 t\n{ }\n P0 ;\n NOP\n", &[("syntax", "NOP")]),
    ("X86 t\n{ }\n P0 ;\n MOVE [x],$1 ;\nexists (x=1)", &[("unknown-instruction", "MOVE")]),
    ("X86 t\n{ }\n P0 ;\n MOVNTI [x],EAX ;\nexists (true)", &[("unknown-instruction", "MOVNTI")]),
    (
        "X86 t\n{ }\n P0 ;\n LOCK MOV [x],$1 ;\n LOCK MFENCE ;\n LOCK INC EAX ;\nexists (x=1)",
        &[("misplaced-lock", "LOCK"), ("misplaced-lock", "LOCK"), ("misplaced-lock", "LOCK")],
    ),
    (
        "X86 t\n{ }\n P0 ;\n MOV [x],[y] ;\n MOV $1,EAX ;\n CMP $1,EAX ;\n XCHG EAX,EBX ;\n XADD EAX,[x] ;\nexists (true)",
        &[
            ("wrong-operands", "MOV [x],[y]"),
            ("wrong-operands", "MOV $1,EAX"),
            ("wrong-operands", "CMP $1,EAX"),
            ("wrong-operands", "XCHG EAX,EBX"),
            ("wrong-operands", "XADD EAX,[x]"),
        ],
    ),
    (
        "X86 t\n{ }\n P0 ;\n MOV [EAX],$1 ;\n MOV EAX ;\n INC EAX,EBX ;\n MOV EAX,[x+4] ;\nexists (true)",
        &[("address-as-value", "[EAX]"), ("syntax", ";"), ("syntax", ","), ("syntax", "+")],
    ),
    (
        "X86 t\n{ }\n P0 ;\n MOV x,$1 ;\n MOV AL,$1 ;\n MOV EAX,%ebx ;\nexists (true)",
        &[("unknown-register", "x"), ("unknown-register", "AL"), ("syntax", "%")],
    ),
    ("X86 t\n{ }\n P0 ;\n MOV EAX,RBX ;\nexists (true)", &[("mixed-widths", "RBX")]),
    (
        "X86 t\n{ x=0x1ffffffff; }\n P0 ;\n MOV EAX,$99999999999999999999 ;\n MOV EAX,$4294967296 ;\nexists (0:EAX=4294967295)",
        &[
            ("number-too-large", "0x1ffffffff"),
            ("number-too-large", "$99999999999999999999"),
            ("number-too-large", "$4294967296"),
        ],
    ),
    (
        "X86 t\n{ }\n P0 ;\n CMP EAX,$0 ;\n JE L1 ;\n L0: NOP ;\n L0: NOP ;\nexists (true)",
        &[("unknown-label", "L1"), ("duplicate-label", "L0")],
    ),
    (
        "X86 t\n{ }\n P0 ;\n JMP L0 ;\n CMP EAX,$0 ;\n L0: JE L1 ;\n L1: ;\nexists (true)",
        &[("unset-flag", "L1")],
    ),
    ("X86 t\n{ }\n P0 ;\n MOV [x],€ ;\nexists (x=1)", &[("unknown-character", "€"), ("syntax", ";")]),
    (
        "X86 t\n{ }\n P0 ;\n MOV [flag],$1 ;\nexists (0:EAX=1 /\\ 1:EAX=0 /\\ flog=1 /\\ EAX=1)",
        &[
            ("unwritten-register", "EAX"),
            ("unknown-process", "1"),
            ("unknown-location", "flog"),
            ("unknown-process", "EAX"),
        ],
    ),
    ("X86 t\n{ }\n P0 ;\n MOV [x],EBX ;\nexists (0:EBX=0)", &[("unwritten-register", "EBX")]),
    (
        "X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\nlocations [x; y; 0:EBX;]\nexists (x=1)",
        &[("unknown-location", "y"), ("unwritten-register", "EBX")],
    ),
    ("X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\n", &[("syntax", "")]),
    ("X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1", &[("syntax", "")]),
    ("X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=x)", &[("address-as-value", "x")]),
    ("X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\nexists (x=1) extra", &[("syntax", "extra")]),
    ("X86 t\n{ }\n P0 ;\n MOV [x],$1 ;\nfilter (x=1)", &[("syntax", "filter")]),
];

#[test]
fn mistakes_are_reported_where_they_are() {
    for (text, expected) in MISTAKES {
        let source = Source::new("test.litmus", *text);
        let errors = parse(&source).expect_err(text);
        let found: Vec<(&str, &str)> =
            errors.iter().map(|error| (error.code, source.slice(error.primary.span))).collect();
        assert_eq!(found, *expected, "{text}");
    }
}

#[test]
fn nesting_has_a_limit() {
    let deep = |depth: usize, open: &str, close: &str| {
        let text = format!(
            "X86 t\n{{ }}\n P0 ;\n MOV [x],$1 ;\nexists {}x=1{}",
            open.repeat(depth),
            close.repeat(depth)
        );
        parse(&Source::new("deep.litmus", text))
    };
    assert!(deep(50, "(", ")").is_ok() && deep(50, "~", "").is_ok());
    for (open, close) in [("(", ")"), ("~", ""), ("not (", ")")] {
        assert_eq!(deep(100_000, open, close).expect_err("too deep")[0].code, "nested-too-deeply");
    }
}

/// A message as people see it.
#[test]
fn a_message_shows_the_line_and_what_to_write() {
    let text = "X86 t\n{ x=0; }\n P0         | P1 ;\n MOV [x],$1 | MVO EAX,[x] ;\nexists (1:EAX=1)\n";
    let source = Source::new("t.litmus", text);
    let errors = parse(&source).expect_err("a mistake");
    let shown: Vec<String> = errors.iter().map(|error| render(&source, error, Style::Plain)).collect();
    let expected = "error[unknown-instruction]: unknown instruction `MVO`
 --> t.litmus:4:15
  |
4 |  MOV [x],$1 | MVO EAX,[x] ;
  |               ^^^
  |
help: did you mean `MOV`?
  |
4 -  MOV [x],$1 | MVO EAX,[x] ;
4 +  MOV [x],$1 | MOV EAX,[x] ;
  |
";
    assert_eq!(shown[0].trim_end(), expected.trim_end());
    assert_eq!(errors.len(), 1, "what only follows from it is not reported");
}

/// The kinds of messages in the sources, in the mistakes above, and in the documentation are the same.
#[test]
fn every_kind_of_message_is_provoked_and_documented() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut codes = BTreeSet::new();
    for entry in fs::read_dir(root.join("src")).expect("the sources") {
        let text = fs::read_to_string(entry.expect("readable").path()).expect("readable");
        let calls = text.split("Diagnostic::error(").skip(1);
        codes.extend(
            calls.filter_map(|call| Some(call.trim_start().strip_prefix('"')?.split('"').next()?.to_owned())),
        );
    }
    assert!(codes.len() > 15, "the messages are found");
    let provoked =
        MISTAKES.iter().flat_map(|(_, expected)| expected.iter().map(|(code, _)| (*code).to_owned()));
    let provoked: BTreeSet<String> = provoked.chain(["nested-too-deeply".to_owned()]).collect();
    assert_eq!(codes, provoked);
    let page = fs::read_to_string(root.join("../../docs/litmus.md")).expect("the documentation");
    let rows =
        page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` | ")).map(|(code, _)| code);
    let documented: BTreeSet<String> =
        rows.filter(|code| code.contains('-') || *code == "syntax").map(str::to_owned).collect();
    assert_eq!(codes, documented);
}

/// Any damage to a test is read without a crash: a piece left out, doubled, or replaced.
#[test]
fn damaged_tests_never_panic() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/litmus");
    let pieces = [
        "(",
        ")",
        "[",
        "|",
        ";",
        "{",
        "}",
        "(*",
        "*)",
        "~",
        ":",
        "=",
        "$",
        "-",
        "\"",
        "é",
        "LOCK",
        "P0",
        "0:EAX",
        "99999999999",
    ];
    let mut rng = explore::Rng::new(7);
    for entry in fs::read_dir(folder).expect("the folder of tests") {
        let path = entry.expect("readable").path();
        let text: Vec<char> = fs::read_to_string(&path).expect("readable").chars().collect();
        for _ in 0..60 {
            let from = rng.below(text.len() + 1);
            let to = (from + rng.below(6)).min(text.len());
            let middle: String = match rng.below(3) {
                0 => String::new(),
                1 => text[from..to].iter().collect::<String>().repeat(2),
                _ => pieces[rng.below(pieces.len())].to_owned(),
            };
            let damaged: String =
                text[..from].iter().collect::<String>() + &middle + &text[to..].iter().collect::<String>();
            let source = Source::new("damaged.litmus", damaged);
            if let Err(errors) = parse(&source) {
                assert!(!errors.is_empty());
                errors.iter().for_each(|error| assert!(!render(&source, error, Style::Plain).is_empty()));
            }
        }
    }
}
