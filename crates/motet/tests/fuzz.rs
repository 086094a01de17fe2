//! Drives `motet fuzz`: every flag does what it says, and what it finds can be replayed.

mod folder;

use folder::Folder;
use modelgen::Barrier;
use serde_json::Value;
use std::{
    fs,
    path::Path,
    process::{Command, Output},
};

fn motet(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).output().unwrap()
}

fn fuzz(model: &str, flags: &str) -> Output {
    let mut arguments = vec!["fuzz", model];
    arguments.extend(flags.split_whitespace());
    motet(&arguments)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The document of a run, without what the clock says.
fn document(model: &str, flags: &str) -> Value {
    let output = fuzz(model, &format!("{flags} --format json"));
    let mut document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{flags}: {}{}", text(&output.stdout), text(&output.stderr)));
    document["stats"]["seconds"].take();
    document
}

fn count(document: &Value, name: &str) -> u64 {
    document["stats"][name].as_u64().unwrap_or_else(|| panic!("no {name} in {document}"))
}

fn project_model(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/models").join(name);
    path.to_string_lossy().into_owned()
}

const SHAPE: Barrier = Barrier { width: 3, length: 3, pipelines: 3, buggy: true };

/// A counter that must be moved forty times, among steps that do nothing for it.
fn counter() -> String {
    let noise: String = (0..12)
        .map(|at| {
            format!("transition noise{at} (i) requires {{ F{at}[i] = False }} {{ F{at}[i] := True }}\n")
        })
        .collect();
    let flags: String = (0..12).map(|at| format!("array F{at}[proc] : bool\n")).collect();
    let start: String = (0..12).map(|at| format!(" && F{at}[i] = False")).collect();
    format!(
        "var X : int\n{flags}init (i) {{ X = 0{start} }}\nunsafe {{ X = 40 }}\n\
         transition up () {{ X := X + 1 }}\ntransition reset () requires {{ X > 0 }} {{ X := 0 }}\n{noise}"
    )
}

#[test]
fn a_bug_behind_a_barrier_is_found_whatever_the_seed() {
    let folder = Folder::new("barrier");
    let model = folder.file("barrier.cub", SHAPE.model());
    for seed in 0..10 {
        let trace = folder.path(&format!("{seed}.itf.json"));
        let output = fuzz(&model, &format!("-n 3 --stop-at-first --seed {seed} --trace {trace}"));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        assert!(text(&output.stdout).contains("unsafe `both`"));
        let replayed = motet(&["replay", &trace]);
        assert_eq!(replayed.status.code(), Some(1), "{}{}", text(&replayed.stdout), text(&replayed.stderr));
        // Nine steps to the barrier, the barrier itself, and four behind it.
        let document: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
        assert_eq!(document["states"].as_array().unwrap().len(), 1 + 9 + 1 + 4);
    }
}

#[test]
fn a_bug_behind_a_barrier_is_found_without_a_command() {
    let folder = Folder::new("hunt");
    let model = folder.file("barrier.cub", SHAPE.model());
    let output = motet(&[&model]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).starts_with("violated with 3 processes"), "{}", text(&output.stdout));
}

/// States that are near say nothing about what is behind the barrier, and mislead.
#[test]
fn far_states_are_needed_for_a_proof() {
    let folder = Folder::new("oracle");
    let far = Barrier { width: 3, length: 7, pipelines: 8, buggy: false };
    let model = folder.file("barrier.cub", far.model());
    let prove = |flags: &str| {
        let flags = format!("{flags} --brab 3 --oracle-states 20000 --limit-states 400 --format json");
        let output = motet(&[&["prove", &model], &flags.split_whitespace().collect::<Vec<_>>()[..]].concat());
        serde_json::from_slice::<Value>(&output.stdout).unwrap()
    };
    let near = prove("--oracle bfs");
    assert_eq!(near["verdict"], "unknown");
    // With so few states it is a matter of luck, but a seed stands for the same luck every time.
    let proves = |seed: &u32| prove(&format!("--oracle fuzz --seed {seed}"))["verdict"] == "holds";
    assert!((0..5).filter(proves).count() >= 3);
    // One process and two are explored to the end, and a quarter of 20,000 far states joins the near ones of three.
    let (near, both) = (count(&near, "oracle_states"), count(&prove("--oracle auto"), "oracle_states"));
    assert_eq!(both, near + 5_000);
}

#[test]
fn what_is_not_found_is_unknown() {
    let folder = Folder::new("safe");
    let model = folder.file("safe.cub", Barrier { buggy: false, ..SHAPE }.model());
    let output = fuzz(&model, "-n 3 --seed 1 --limit-steps 50000");
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stdout).starts_with("unknown: the limit on steps was reached"));
    assert!(text(&output.stdout).contains("seed 1,"));
    let small = folder.file("small.cub", Barrier { width: 1, length: 1, pipelines: 1, buggy: false }.model());
    let output = fuzz(&small, "-n 2 --seed 1");
    assert_eq!(output.status.code(), Some(3), "never `holds`");
    assert!(text(&output.stdout).contains("`motet explore` visits all of them"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new("threads");
    let model = folder.file("barrier.cub", SHAPE.model());
    for flags in
        ["-n 3 --seed 5 --limit-steps 40000", "-n 3 --seed 6 --limit-states 9000", "--seed 7 --stop-at-first"]
    {
        let alone = document(&model, &format!("{flags} -j 1"));
        assert_eq!(alone, document(&model, &format!("{flags} -j 2")), "{flags}");
        assert_eq!(alone, document(&model, &format!("{flags} -j 3")), "{flags}");
    }
    let shown = |workers: &str| {
        let output = text(&fuzz(&model, &format!("-n 3 --seed 5 --limit-steps 40000 {workers}")).stdout);
        output.rsplit_once(", ").unwrap().0.to_owned()
    };
    assert_eq!(shown("-j 1"), shown("-j 3"));
}

#[test]
fn limits_are_kept() {
    let folder = Folder::new("limits");
    let model = folder.file("barrier.cub", Barrier { buggy: false, ..SHAPE }.model());
    let steps = document(&model, "-n 3 --seed 1 --limit-steps 12345");
    assert_eq!(count(&steps, "transitions"), 12345);
    let states = document(&model, "-n 3 --seed 1 --limit-states 321");
    assert_eq!(
        (count(&states, "states"), states["reason"].as_str()),
        (321, Some("the limit on states was reached"))
    );
    let time = document(&model, "-n 3 --seed 1 --limit-time 0.2");
    assert_eq!(time["reason"], "the time is up");
    let memory = document(&model, "-n 3 --seed 1 --limit-memory 1M");
    assert_eq!(memory["reason"], "the limit on memory was reached");
}

/// The most parameters are one. Only with two processes can one go up after another has come down.
const TWO: &str = "type s = Idle | Busy | Done\narray S[proc] : s\ninit (i) { S[i] = Idle }\n\
    transition up (i) requires { S[i] = Idle && forall_other j. S[j] <> Busy } { S[i] := Busy }\n\
    transition down (i) requires { S[i] = Busy } { S[i] := Done }\n";

/// Two of three must stand ready for one to go on; only with three can two go on one directly after the other.
const THREE: &str = "type s = Idle | Ready | Gone\narray S[proc] : s\ninit (i) { S[i] = Idle }\n\
    transition ready (i) requires { S[i] = Idle } { S[i] := Ready }\n\
    transition go (i) requires { S[i] = Ready && exists_other j. S[j] = Ready } { S[i] := Gone }\n";

#[test]
fn several_numbers_of_processes_share_the_run() {
    let folder = Folder::new("auto");
    let (two, three) = (folder.file("two.cub", TWO), folder.file("three.cub", THREE));
    for seed in 0..3 {
        let document = document(&two, &format!("--seed {seed}"));
        let remarks = document["remarks"].as_array().unwrap();
        let said = remarks.iter().find(|one| one["code"] == "number-of-processes").expect("it is told");
        let pairs = "tried 1 to 4 processes alternately; pairs of consecutive transitions seen: 1 with 1, 2 with 2, 2 with 3, 2 with 4";
        assert_eq!(said["message"], pairs);
        let output = text(&fuzz(&three, &format!("-n auto --seed {seed}")).stderr);
        assert!(output.contains("0 with 1, 2 with 2, 4 with 3, 4 with 4"), "{output}");
    }
    // Where the model allows one process only, there is one.
    let most = folder.file("most.cub", format!("number_procs 1\n{TWO}"));
    assert_eq!(document(&most, "--seed 1")["processes"], 1);
}

/// A bug that needs an exact number of processes is found, whatever that is.
#[test]
fn no_number_of_processes_is_left_out() {
    let folder = Folder::new("exact");
    for processes in 1..=4 {
        let unsafe_one = format!("unsafe {{ SYS_PROCS = {processes} && exists i. S[i] = Done }}\n");
        let model = folder.file(&format!("exact{processes}.cub"), format!("{TWO}{unsafe_one}"));
        let document = document(&model, "--seed 1 --limit-steps 1000000");
        assert_eq!((&document["verdict"], &document["processes"]), (&"violated".into(), &processes.into()));
    }
}

#[test]
fn violations_with_another_number_of_processes_count() {
    let folder = Folder::new("elsewhere");
    let model = folder.file("two.cub", format!("{TWO}unsafe {{ SYS_PROCS = 1 && exists i. S[i] = Done }}\n"));
    for flags in ["--seed 1", "--seed 1 --stop-at-first"] {
        let document = document(&model, flags);
        assert_eq!(
            (document["verdict"].as_str(), document["processes"].as_u64()),
            (Some("violated"), Some(1))
        );
    }
}

#[test]
fn deadlocks_are_told_as_the_flag_says() {
    let folder = Folder::new("deadlock");
    let locks = project_model("locks/deadlock-of-two-locks.cub");
    let output = fuzz(&locks, "-n 2 --seed 1");
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    let told = text(&output.stdout).matches("\ndeadlock, ").count();
    // Both wait, or one of them for either lock: told once each, whoever it is.
    assert_eq!(told, 3);
    assert!(text(&output.stdout).contains("waits for"));
    assert_eq!(fuzz(&locks, "--seed 1 --deadlock report").status.code(), Some(3));
    let ignored = fuzz(&locks, "--seed 1 --deadlock ignore");
    assert_eq!(ignored.status.code(), Some(3));
    assert!(!text(&ignored.stdout).contains("nobody"));
    let ends = folder.file("ends.cub", TWO);
    assert_eq!(fuzz(&ends, "-n 2 --seed 1").status.code(), Some(3));
    assert_eq!(fuzz(&ends, "-n 2 --seed 1 --deadlock error").status.code(), Some(1));
}

#[test]
fn the_first_violation_ends_a_run_if_wanted() {
    let folder = Folder::new("first");
    let model = folder.file("barrier.cub", SHAPE.model());
    let first = document(&model, "-n 3 --seed 3 --stop-at-first --limit-steps 100000");
    let all = document(&model, "-n 3 --seed 3 --limit-steps 100000");
    assert_eq!(count(&first, "transitions"), count(&first, "steps_to_first_violation"));
    assert_eq!(count(&all, "steps_to_first_violation"), count(&first, "transitions"));
    assert_eq!(count(&all, "transitions"), 100_000);
}

#[test]
fn techniques_and_their_weights_matter() {
    let folder = Folder::new("techniques");
    let model = folder.file("barrier.cub", SHAPE.model());
    let run = |flags: &str| document(&model, &format!("-n 3 --seed 4 --limit-steps 20000 {flags}"));
    let all = run("");
    assert_eq!(all, run("--techniques uniform,one-process,novelty,more-enabled,short-breadth-first,untaken"));
    let alone = run("--techniques more-enabled");
    assert!(all != alone && alone != run("--techniques novelty"));
    assert_eq!(alone, run("--techniques more-enabled=3"), "alone, a weight has no effect");
    assert_eq!(alone, run("--techniques more-exits"), "the old name is still understood");
    assert_ne!(run("--techniques more-enabled,novelty"), run("--techniques more-enabled=9,novelty"));
    assert_eq!(alone, run("--techniques more-enabled --accept-less 0.1"));
    assert_ne!(alone, run("--techniques more-enabled --accept-less 0.9"));
    // What nothing reads is refused.
    let unread = fuzz(&model, "--techniques novelty --accept-less 0.9");
    assert_eq!(unread.status.code(), Some(2));
    assert!(text(&unread.stderr).contains("`--accept-less` has no effect"), "{}", text(&unread.stderr));
}

/// Steps until the violation, over some seeds.
fn effort(model: &str, flags: &str) -> u64 {
    let run = |seed: u64| {
        document(model, &format!("-n 2 --stop-at-first --seed {seed} {flags} --limit-steps 2000000"))
    };
    (0..5).map(|seed| count(&run(seed), "transitions")).sum()
}

#[test]
fn the_user_can_help() {
    let folder = Folder::new("help");
    let model = folder.file("counter.cub", counter());
    let (plain, preferring) = (effort(&model, ""), effort(&model, "--prefer up"));
    assert!(preferring < plain, "{preferring} and {plain}");
    let interested = effort(&model, "--interesting X>=20");
    assert!(interested < plain, "{interested} and {plain}");
    assert_eq!(plain, effort(&model, "--interesting false"), "what never holds changes nothing");
}

#[test]
fn formulas_are_read_in_the_language_of_the_model() {
    let folder = Folder::new("formula");
    let model = folder.file("two.cub", TWO);
    let run = |formula: &str| {
        motet(&["fuzz", &model, "--seed", "1", "--limit-steps", "100", "--interesting", formula])
    };
    assert_eq!(run("exists i. S[i] = Busy && forall j. S[j] <> Done").status.code(), Some(3));
    for (wrong, part) in [
        ("exists i. S[i] = Bussy", "did you mean `Busy`"),
        ("exists i. T[i] = Busy", "`T`"),
        ("S[i] = Busy", "`i`"),
        ("exists i. S[i] = ", "expected"),
        ("exists i. S[i] = Busy }", "the end of the formula"),
        ("", "expected"),
        ("1 + 1", "expected a formula"),
    ] {
        let output = run(wrong);
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        let said = text(&output.stderr);
        assert!(said.contains(part) && said.contains("--interesting:1:"), "{wrong}: {said}");
        assert!(!said.contains("panicked"), "{said}");
    }
}

#[test]
fn wrong_input_is_refused() {
    let folder = Folder::new("wrong");
    let model = folder.file("two.cub", TWO);
    for (flags, part) in [
        ("-n 0", "a number from 1"),
        ("-n some", "`auto`"),
        ("--techniques luck", "there is no technique `luck`"),
        ("--techniques novelty=0", "above 0"),
        ("--techniques novelty=much", "not a weight"),
        ("--accept-less 2", "from 0 to 1"),
        ("--prefer upp", "did you mean `up`"),
        ("--prefer up,elsewhere", "there is no transition `elsewhere`"),
        ("--range S=0..1", "is not a number"),
        ("--deadlock maybe", "maybe"),
        ("--seed x", "seed"),
        ("--limit-steps few", "few"),
        ("--diagram x.png", ".svg"),
    ] {
        let output = fuzz(&model, flags);
        assert_eq!(output.status.code(), Some(2), "{flags}");
        assert!(text(&output.stderr).contains(part), "{flags}: {}", text(&output.stderr));
    }
    let few = folder.file("few.cub", format!("number_procs 2\n{TWO}"));
    assert!(text(&fuzz(&few, "-n 3").stderr).contains("at most 2 processes"));
    assert_eq!(fuzz(&folder.path("none.cub"), "").status.code(), Some(2));
    assert_eq!(fuzz(&folder.file("bad.cub", "init { X = 1 }"), "").status.code(), Some(2));
    let unwritten =
        fuzz(&folder.file("b.cub", SHAPE.model()), "-n 3 --stop-at-first --trace /nowhere/t.json");
    assert_eq!(unwritten.status.code(), Some(2));
}

#[test]
fn numbers_that_are_open_are_drawn() {
    let folder = Folder::new("open");
    let text_of = "var X : int\nvar Y : int\ninit { Y = 0 }\nunsafe { Y = 5 }\n\
        transition copy () requires { X > 2 } { Y := X }\n";
    let model = folder.file("open.cub", text_of);
    let trace = folder.path("open.itf.json");
    let output = fuzz(&model, &format!("-n 1 --seed 1 --trace {trace}"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stderr).contains("it was drawn from the range X=-8..8"));
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(1));
    let narrow = fuzz(&model, "-n 1 --seed 1 --range X=0..4");
    assert_eq!(narrow.status.code(), Some(3));
    assert!(!text(&narrow.stderr).contains("drawn"));
    // Numbers that grow need more room than they get at first.
    let large = "var X : int\ninit { X = 1 }\nunsafe { X > 1000000000000 }\ntransition t () { X := 4 * X }\n";
    assert_eq!(
        fuzz(&folder.file("large.cub", large), "-n 1 --seed 1 --stop-at-first").status.code(),
        Some(1)
    );
}

/// Two open variables of which one combination is bad: some of the draws have it.
#[test]
fn what_init_leaves_open_is_drawn_several_times() {
    let folder = Folder::new("init");
    let model = "type t = A | B | C | D\nvar X : t\nvar Y : t\nvar Z : bool\ninit { Z = False }\n\
        unsafe { X = D && Y = C && Z = True }\ntransition t () { Z := True }\n";
    let model = folder.file("init.cub", model);
    for seed in 0..10 {
        assert_eq!(fuzz(&model, &format!("-n 1 --seed {seed}")).status.code(), Some(1), "seed {seed}");
    }
}

/// More initial states than can be listed: some are drawn, and a trace tells which.
#[test]
fn initial_states_need_not_be_few() {
    let folder = Folder::new("many");
    let model = "type t = A | B | C | D | E | F | G | H\narray X[proc] : t\narray Y[proc] : t\nvar Z : bool\n\
        init (i) { X[i] <> Y[i] && Z = False }\nunsafe (i) { X[i] = Y[i] && Z = True }\n\
        transition t (i) { X[i] := A; Z := True }\n";
    let model = folder.file("many.cub", model);
    for seed in 0..3 {
        let trace = folder.path("t.itf.json");
        let output = fuzz(&model, &format!("-n 6 --seed {seed} --stop-at-first --trace {trace}"));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        let replayed = motet(&["replay", &trace]);
        assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stdout));
    }
}

#[test]
fn pictures_and_documents_are_written() {
    let folder = Folder::new("written");
    let model = folder.file("barrier.cub", SHAPE.model());
    let picture = folder.path("trace.svg");
    assert_eq!(
        fuzz(&model, &format!("-n 3 --seed 1 --stop-at-first --diagram {picture}")).status.code(),
        Some(1)
    );
    assert!(fs::read_to_string(&picture).unwrap().contains("<svg"));
    let document = document(&model, "-n 3 --seed 1 --limit-steps 60000");
    assert_eq!(
        (document["command"].as_str(), document["verdict"].as_str()),
        (Some("fuzz"), Some("violated"))
    );
    assert_eq!((count(&document, "seed"), document["processes"].as_u64()), (1, Some(3)));
    assert!(count(&document, "covered_pairs") > count(&document, "covered_transitions"));
    let properties = document["properties"].as_array().unwrap();
    let verdict = |name: &str| properties.iter().find(|one| one["name"] == name).unwrap()["verdict"].clone();
    assert_eq!((verdict("both"), verdict("deadlock")), ("violated".into(), "unknown".into()));
}

#[test]
fn a_weak_model_is_fuzzed_with_store_buffers() {
    let folder = Folder::new("weak");
    let trace = folder.path("trace.json");
    let model = project_model("weak-memory/weak-store-is-delayed.cub");
    let output = fuzz(&model, &format!("-n 2 --seed 1 --limit-steps 20000 --stop-at-first --trace {trace}"));
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("buffers Flag[#1] := True"), "{}", text(&output.stdout));
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(1));
    let output = fuzz(&model, "-n 2 --seed 1 --limit-steps 20000 --memory sc");
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stdout));
}

/// Who is woken is part of the run, and of its trace.
#[test]
fn queues_are_as_told() {
    let folder = Folder::new("queues");
    let locks = project_model("locks/deadlock-of-two-locks.cub");
    for order in ["any", "fifo"] {
        let trace = folder.path(order);
        let output = fuzz(&locks, &format!("--seed 2 --queues {order} --trace {trace}"));
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        let document: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
        assert_eq!(document["#meta"]["queues"], order);
        assert_eq!(motet(&["replay", &trace]).status.code(), Some(1));
    }
}

#[test]
fn help_says_what_there_is() {
    let help = text(&motet(&["help", "fuzz"]).stdout);
    for part in ["--techniques", "short-breadth-first", "--interesting", "10 seconds", "same seed"] {
        assert!(help.contains(part), "{part} is not in: {help}");
    }
}
