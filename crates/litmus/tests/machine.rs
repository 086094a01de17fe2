//! Single instructions, by hand, and what outcomes look like.

use explore::{Limits, Verdict};
use litmus::{Memory, Observation, Outcome, Test, parse};
use source::{Source, Style, render};

fn read(text: &str) -> Test {
    let source = Source::new("test.litmus", text);
    parse(&source).unwrap_or_else(|errors| panic!("{}", render(&source, &errors[0], Style::Plain)))
}

/// One thread; what it observes at its end, as text.
fn alone(init: &str, instructions: &[&str], observed: &str) -> String {
    let rows: String = instructions.iter().map(|line| format!(" {line} ;\n")).collect();
    let text = format!("X86 alone\n{{ {init} }}\n P0 ;\n{rows}locations [{observed}]\nexists (true)\n");
    let outcome = read(&text).run(Memory::Tso, &Limits::default());
    assert_eq!(outcome.states.len(), 1, "{text}");
    outcome.state_text(&outcome.states[0])
}

#[test]
fn arithmetic_on_registers() {
    let start = "0:EAX=6; 0:EBX=3;";
    for (instruction, result) in [
        ("MOV EAX,EBX", 3),
        ("MOV EAX,$-1", -1),
        ("MOV EAX,0x10", 16),
        ("ADD EAX,EBX", 9),
        ("SUB EAX,EBX", 3),
        ("SUB EBX,EAX", 6),
        ("AND EAX,EBX", 2),
        ("OR EAX,EBX", 7),
        ("XOR EAX,EBX", 5),
        ("INC EAX", 7),
        ("DEC EAX", 5),
        ("NEG EAX", -6),
        ("NOT EAX", -7),
        ("CMP EAX,EBX", 6),
        ("TEST EAX,EBX", 6),
    ] {
        assert_eq!(alone(start, &[instruction], "0:EAX"), format!("0:EAX={result};"), "{instruction}");
    }
}

#[test]
fn arithmetic_on_locations() {
    for (instruction, location, register) in [
        ("ADD [x],EAX", 7, 2),
        ("SUB [x],$1", 4, 2),
        ("LOCK SUB [x],EAX", 3, 2),
        ("LOCK INC [x]", 6, 2),
        ("DEC [x]", 4, 2),
        ("LOCK NEG [x]", -5, 2),
        ("NOT [x]", -6, 2),
        ("XCHG [x],EAX", 2, 5),
        ("XCHG EAX,[x]", 2, 5),
        ("LOCK XADD [x],EAX", 7, 5),
        ("XADD [x],EAX", 7, 5),
        ("MOV EAX,[x]", 5, 5),
        ("ADD EAX,[x]", 5, 7),
        ("SUB EAX,[x]", 5, -3),
    ] {
        let found = alone("x=5; 0:EAX=2;", &[instruction], "x; 0:EAX");
        assert_eq!(found, format!("0:EAX={register}; [x]={location};"), "{instruction}");
    }
}

#[test]
fn compare_and_exchange() {
    for lock in ["", "LOCK "] {
        let instruction = format!("{lock}CMPXCHG [x],EBX");
        let equal = alone("x=5; 0:EAX=5; 0:EBX=9;", &[&instruction], "x; 0:EAX");
        assert_eq!(equal, "0:EAX=5; [x]=9;");
        let different = alone("x=5; 0:EAX=4; 0:EBX=9;", &[&instruction], "x; 0:EAX");
        assert_eq!(different, "0:EAX=5; [x]=5;");
    }
}

/// Which instructions decide a jump, and how: 1 if it was taken.
#[test]
fn flags_decide_jumps() {
    let taken = |instruction: &str, jump: &str| {
        let jump = format!("{jump} L0");
        let lines = ["CMP EAX,$9", instruction, &jump, "MOV ECX,$0", "L0:"];
        alone("x=1; 0:EAX=1; 0:EBX=1; 0:ECX=1; 0:EDX=-1;", &lines, "0:ECX") == "0:ECX=1;"
    };
    for (instruction, zero) in [
        ("CMP EAX,EBX", true),
        ("CMP EAX,[x]", true),
        ("CMP [x],$1", true),
        ("CMP EAX,$2", false),
        ("TEST EAX,$2", true),
        ("TEST EAX,[x]", false),
        ("SUB EAX,EBX", true),
        ("DEC EAX", true),
        ("DEC [x]", true),
        ("LOCK DEC [x]", true),
        ("INC EAX", false),
        ("XOR EAX,EBX", true),
        ("LOCK CMPXCHG [x],EBX", true),
        ("LOCK XADD [x],EBX", false),
        // These leave the flag of the comparison before them.
        ("MOV EAX,$0", false),
        ("NOT EDX", false),
        ("XCHG [x],EBX", false),
        ("MFENCE", false),
    ] {
        for (jump, on_zero) in [("JE", true), ("JZ", true), ("JNE", false), ("JNZ", false)] {
            assert_eq!(taken(instruction, jump), zero == on_zero, "{instruction}; {jump}");
        }
        assert!(taken(instruction, "JMP"));
    }
}

#[test]
fn numbers_wrap_at_the_width_of_the_registers() {
    assert_eq!(alone("0:EAX=0x7fffffff;", &["INC EAX"], "0:EAX"), "0:EAX=-2147483648;");
    assert_eq!(alone("0:EAX=0xffffffff;", &["NOP"], "0:EAX"), "0:EAX=-1;");
    assert_eq!(alone("0:RAX=0x7fffffff;", &["INC RAX"], "0:RAX"), "0:RAX=2147483648;");
    assert_eq!(alone("0:R8=0x7fffffffffffffff;", &["INC R8"], "0:R8"), "0:R8=-9223372036854775808;");
    assert_eq!(alone("x=-1; 0:R15D=1;", &["ADD [x],R15D"], "x; 0:R15D"), "0:R15D=1; [x]=0;");
}

/// Without LOCK other threads may come between the load and the store, and the store is buffered.
#[test]
fn an_update_without_lock_is_two_steps() {
    let text = |prefix: &str| {
        format!(
            "X86 t\n{{ }}\n P0 | P1 ;\n {prefix} ADD [x],$1 | {prefix} ADD [x],$2 ;\nexists (x=3)\nlocations [x]"
        )
    };
    // `locations` comes before the condition.
    let source = Source::new("test.litmus", text(""));
    assert_eq!(parse(&source).expect_err("a mistake")[0].code, "syntax");
    let ordered = |prefix: &str| {
        let text = text(prefix).replace("exists (x=3)\nlocations [x]", "locations [x]\nexists (x=3)");
        let outcome = read(&text).run(Memory::Sc, &Limits::default());
        outcome.states.iter().map(|state| state.values[0]).collect::<Vec<_>>()
    };
    assert_eq!(ordered(""), [1, 2, 3]);
    assert_eq!(ordered("LOCK"), [3]);
}

const SB: &str = r#"X86 SB (* store buffering *)
"a quoted text
 over two lines"
Cycle=PodWR Fre PodWR Fre
Generator=by hand
{ x=0; y=0; }
 P0          | P1          ;
 MOV [x],$1  | MOV [y],$1  ; (* (* nested *) *)
 mov eax,[y] | MOV EAX,[x] ;

exists (0:EAX=0 /\ 1:EAX=0)
"#;

#[test]
fn an_outcome_looks_like_that_of_herd() {
    let test = read(SB);
    assert_eq!(test.doc.as_deref(), Some("a quoted text over two lines"));
    assert_eq!(test.info("Generator"), Some("by hand"));
    let expected = "Test SB Allowed
States 4
0:EAX=0; 1:EAX=0;
0:EAX=0; 1:EAX=1;
0:EAX=1; 1:EAX=0;
0:EAX=1; 1:EAX=1;
Ok
Witnesses
Positive: 1 Negative: 3
Condition exists (0:EAX=0 /\\ 1:EAX=0)
Observation SB Sometimes 1 3
";
    assert_eq!(test.run(Memory::Tso, &Limits::default()).to_string(), expected);
    let expected = "Test SB Allowed
States 3
0:EAX=0; 1:EAX=1;
0:EAX=1; 1:EAX=0;
0:EAX=1; 1:EAX=1;
No
Witnesses
Positive: 0 Negative: 3
Condition exists (0:EAX=0 /\\ 1:EAX=0)
Observation SB Never 0 3
";
    assert_eq!(test.run(Memory::Sc, &Limits::default()).to_string(), expected);
}

fn asked(condition: &str) -> Outcome {
    let text = SB.replace(r"exists (0:EAX=0 /\ 1:EAX=0)", condition);
    read(&text).run(Memory::Tso, &Limits::default())
}

#[test]
fn conditions_of_every_form() {
    for (condition, verdict, observation, text) in [
        ("exists true", Verdict::Holds, Observation::Always, "true"),
        ("exists (false)", Verdict::Violated, Observation::Never, "false"),
        ("~exists (0:EAX=2)", Verdict::Holds, Observation::Never, "0:EAX=2"),
        ("not exists 0:EAX=1", Verdict::Violated, Observation::Sometimes, "0:EAX=1"),
        ("forall [x]=1", Verdict::Holds, Observation::Always, "[x]=1"),
        ("forall x=1 /\\ y=1", Verdict::Holds, Observation::Always, "[x]=1 /\\ [y]=1"),
        ("forall (0:EAX=1)", Verdict::Violated, Observation::Sometimes, "0:EAX=1"),
        (
            "exists 0:EAX=0 /\\ 1:EAX=0 \\/ 0:EAX=7",
            Verdict::Holds,
            Observation::Sometimes,
            "0:EAX=0 /\\ 1:EAX=0 \\/ 0:EAX=7",
        ),
        (
            "exists (0:EAX=7 \\/ 0:EAX=0) /\\ ~(x=0 \\/ not 1:EAX=0)",
            Verdict::Holds,
            Observation::Sometimes,
            "(0:EAX=7 \\/ 0:EAX=0) /\\ not ([x]=0 \\/ not 1:EAX=0)",
        ),
    ] {
        let outcome = asked(condition);
        assert_eq!((outcome.verdict(), outcome.observation()), (verdict, observation), "{condition}");
        assert_eq!(outcome.condition, text);
    }
    assert_eq!(asked("forall (x=1)").to_string().lines().next(), Some("Test SB Required"));
    assert_eq!(asked("~exists (x=0)").to_string().lines().next(), Some("Test SB Forbidden"));
}

#[test]
fn an_outcome_is_data() {
    let json = serde_json::to_value(asked("exists (0:EAX=0 /\\ x=1)")).expect("it is plain data");
    assert_eq!(json["name"], "SB");
    assert_eq!(json["memory"], "tso");
    assert_eq!(json["quantifier"], "exists");
    assert_eq!(json["observed"], serde_json::json!(["0:EAX", "[x]"]));
    assert_eq!(json["states"][0], serde_json::json!({ "values": [0, 1], "positive": true }));
    assert_eq!((json["positive"].as_u64(), json["negative"].as_u64()), (Some(1), Some(1)));
    assert!(json["incomplete"].is_null());
}

/// A thread that waits for a message: it may wait for ever, but whenever it ends it has seen it.
#[test]
fn a_loop_that_waits_is_exhausted() {
    let text = "X86 wait\n{ }\n P0 | P1 ;\n MOV [x],$1 | L0: CMP [y],$0 ;\n MOV [y],$1 | JE L0 ;\n | MOV EAX,[x] ;\n\
                forall (1:EAX=1)\n";
    let outcome = read(text).run(Memory::Tso, &Limits::default());
    assert_eq!((outcome.verdict(), outcome.incomplete), (Verdict::Holds, None));
}

/// A loop that stores fills its buffer for ever: what is found is true, and the rest is unknown.
#[test]
fn a_loop_that_stores_is_not_exhausted() {
    let test = |condition: &str| {
        let text = format!(
            "X86 endless\n{{ 1:EAX=0; }}\n P0 | P1 ;\n L0: INC [x] | MOV EAX,[x] ;\n CMP [y],$0 | MOV [y],$1 ;\n \
             JE L0 | ;\n{condition}\n"
        );
        read(&text)
    };
    let limits = Limits { states: Some(5_000), ..Limits::default() };
    let found = test("exists (1:EAX=2)").run(Memory::Tso, &limits);
    assert_eq!(found.verdict(), Verdict::Holds);
    assert!(found.incomplete.is_some());
    for (condition, verdict) in [
        ("exists (1:EAX=-1)", Verdict::Unknown),
        ("~exists (1:EAX=-1)", Verdict::Unknown),
        ("~exists (1:EAX=1)", Verdict::Violated),
        ("forall (1:EAX=1)", Verdict::Violated),
        ("forall (not 1:EAX=-1)", Verdict::Unknown),
    ] {
        assert_eq!(test(condition).run(Memory::Tso, &limits).verdict(), verdict, "{condition}");
    }
    let unknown = test("exists (1:EAX=-1)").run(Memory::Tso, &limits);
    assert_eq!(unknown.observation(), Observation::Unknown);
    assert!(
        unknown.to_string().contains("Incomplete: the limit on states was reached\nUnknown\n"),
        "{unknown}"
    );
    // Without a limit of the caller there is one nevertheless.
    assert!(test("exists (1:EAX=-1)").program.has_loops());
}

#[test]
fn a_run_shows_what_each_thread_does() {
    let test = read(SB);
    let trace =
        test.witness(Memory::Tso, true, &Limits::default()).expect("no fault").expect("it is allowed");
    let labels: Vec<String> = trace.steps.iter().map(|step| step.label.to_string()).collect();
    assert_eq!(labels.len(), 6);
    let shown = |label: &str| labels.iter().any(|shown| shown == label);
    assert!(shown("P0: MOV [x],$1") && shown("P1: flush y=1"), "{labels:?}");
    assert_eq!(test.witness(Memory::Sc, true, &Limits::default()), Ok(None));
}
