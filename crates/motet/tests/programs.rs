//! Runs the C programs that carry their expectation: everything under `tests/programs` and `examples/programs`.
//!
//! A line such as `// expect: test -D N=2: violated deadlock` names a command, its arguments and the outcome. `holds 6` means that
//! there are six schedules. After `violated` stand the kinds of all violations. Every violation is also replayed from its trace. A line `// missing: …` says
//! why a program does not come out as it should yet: it is not run. Without a compiler, all of them are skipped.

mod expectation;
mod folder;

use expectation::Outcome;
use folder::Folder;
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
    sync::atomic::{AtomicUsize, Ordering},
};

fn main() -> std::process::ExitCode {
    let mut files = Vec::new();
    for folder in ["tests/programs", "examples/programs"] {
        collect(&root().join(folder), &mut files);
    }
    files.sort();
    assert!(files.len() > 300, "the programs are found");
    let mut trials: Vec<Trial> = files.iter().flat_map(|file| trials(file)).collect();
    let skipped = missing(Path::new("any.c"));
    let more = ways().into_iter().map(|(name, test)| Trial::test(name, test));
    trials.extend(
        more.map(|one| one.with_ignored_flag(skipped.is_some()).with_kind(skipped.unwrap_or_default())),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

/// All programs below a folder.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("readable").path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|ending| ["c", "cc", "cpp"].iter().any(|one| ending == *one)) {
            files.push(path);
        }
    }
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Why programs cannot be tested here, if they cannot.
fn missing(file: &Path) -> Option<&'static str> {
    let compiler = if file.extension().is_some_and(|ending| ending == "c") { "gcc" } else { "g++" };
    let is_there = Command::new(compiler).arg("--version").output().is_ok();
    if !cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")) {
        Some("skipped: not Linux on x86-64")
    } else if is_there {
        None
    } else {
        Some("skipped: no compiler")
    }
}

/// What a program says about itself.
struct Expected {
    arguments: Vec<String>,
    /// Of the program.
    rest: Vec<String>,
    outcome: Outcome,
    /// The kinds of all violations.
    kinds: Vec<String>,
    /// The number of schedules.
    schedules: Option<u64>,
}

/// `test -D N=2 -- 1: holds 6`
fn parse(line: &str) -> Option<Expected> {
    let (command, outcome) = line.rsplit_once(": ")?;
    let mut words = command.split_whitespace().map(str::to_owned);
    words.next().filter(|command| command == "test")?;
    let mut arguments: Vec<String> = words.collect();
    let rest = arguments.iter().position(|word| word == "--").map(|at| arguments.split_off(at));
    let schedules = outcome.strip_prefix("holds ").and_then(|number| number.trim().parse().ok());
    let mut kinds: Vec<String> = outcome.split_whitespace().skip(1).map(str::to_owned).collect();
    let outcome = match outcome.split_whitespace().next()? {
        verdict @ ("holds" | "violated" | "unknown") => verdict,
        _ => outcome.trim(),
    };
    kinds.retain(|_| outcome == "violated");
    kinds.sort();
    let outcome = expectation::parse_outcome(outcome)?;
    Some(Expected { arguments, rest: rest.unwrap_or_default(), outcome, kinds, schedules })
}

fn trials(file: &Path) -> Vec<Trial> {
    let name = file.strip_prefix(root()).expect("below the root").to_string_lossy().into_owned();
    let text = fs::read_to_string(file).expect("readable");
    let lines: Vec<String> =
        text.lines().filter_map(|line| line.strip_prefix("// expect: ")).map(str::to_owned).collect();
    if lines.is_empty() {
        return vec![Trial::test(name, || Err("the file has no `// expect: …`".into()))];
    }
    // A program that does not come out as it should yet says what is missing.
    let known = text.lines().any(|line| line.starts_with("// missing: ")).then_some("missing");
    let skipped = missing(file).or(known);
    let trial = |line: String| {
        let name = name.clone();
        let one = Trial::test(format!("{name} {line}"), move || {
            run(&name, &parse(&line).ok_or_else(|| format!("cannot read `expect: {line}`"))?)
        });
        one.with_ignored_flag(skipped.is_some()).with_kind(skipped.unwrap_or_default())
    };
    lines.into_iter().map(trial).collect()
}

fn motet(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
    command.args(arguments).current_dir(root()).output().expect("motet runs")
}

fn document(output: &Output) -> Result<Value, Failed> {
    serde_json::from_slice(&output.stdout).map_err(|error| format!("no document: {error}").into())
}

fn run(file: &str, expected: &Expected) -> Result<(), Failed> {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let folder = Folder::new(&NUMBER.fetch_add(1, Ordering::Relaxed).to_string());
    let trace = folder.path("trace.json");
    let mut arguments = vec!["test", file, "--format", "json"];
    arguments.extend(expected.arguments.iter().map(String::as_str));
    let violated = matches!(&expected.outcome, Outcome::Verdict { verdict, .. } if verdict == "violated");
    if violated {
        arguments.extend(["--trace", &trace]);
    }
    arguments.extend(expected.rest.iter().map(String::as_str));
    let output = motet(&arguments);
    let document = document(&output)?;
    let compared = expected.outcome.compare(&document, output.status.code());
    compared.map_err(|found| {
        format!(
            "expected {}, found {found}, {}\n  motet {}",
            expected.outcome,
            document["reason"],
            arguments.join(" ")
        )
    })?;
    let kinds = kinds(&document);
    if violated && kinds != expected.kinds {
        return Err(format!(
            "expected {:?}, found {kinds:?}\n  motet {}",
            expected.kinds,
            arguments.join(" ")
        )
        .into());
    }
    let schedules = document["stats"]["executions"].as_u64();
    if expected.schedules.is_some() && schedules != expected.schedules {
        return Err(format!("expected {:?} schedules, found {schedules:?}", expected.schedules).into());
    }
    if violated { replay(&trace, &document) } else { Ok(()) }
}

/// The kinds of all violations of a report, each once.
fn kinds(document: &Value) -> Vec<String> {
    let properties = document["properties"].as_array().into_iter().flatten();
    let violated = properties.filter(|property| property["verdict"] == "violated");
    let mut kinds: Vec<String> =
        violated.filter_map(|property| property["kind"].as_str().map(str::to_owned)).collect();
    kinds.sort();
    kinds.dedup();
    kinds
}

/// What a trace says must show again.
fn replay(trace: &str, found: &Value) -> Result<(), Failed> {
    let output = motet(&["replay", trace, "--format", "json"]);
    let document = document(&output)?;
    let same = |key: &str| document["properties"][0][key] == found["properties"][0][key];
    if output.status.code() == Some(1) && same("kind") && same("name") {
        return Ok(());
    }
    Err(format!(
        "the replay of {} gives {} {}",
        found["properties"][0], document["verdict"], document["reason"]
    )
    .into())
}

type Test = fn() -> Result<(), Failed>;

/// The other ways to use programs.
fn ways() -> [(&'static str, Test); 8] {
    [
        ("steps are told in words of the source", steps_in_words),
        ("objects and a shared library are linked by the wrapper", wrapped),
        ("an executable with ThreadSanitizer is tested as it is", with_sanitizer),
        ("an executable that was not built for testing is refused", not_built),
        ("a replay tells that the code has changed", changed),
        ("a schedule is followed", followed),
        ("processes and parts run what one process does", divided),
        ("what cannot be tested is bad input", refused),
    ]
}

fn folder() -> Folder {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    Folder::new(&format!("ways-{}", NUMBER.fetch_add(1, Ordering::Relaxed)))
}

fn succeeds(command: &mut Command) -> Result<(), Failed> {
    let output = command.output()?;
    let said = String::from_utf8_lossy(&output.stderr);
    if output.status.success() { Ok(()) } else { Err(format!("{command:?}: {said}").into()) }
}

fn is(found: &Value, expected: &str) -> Result<(), Failed> {
    if found == expected { Ok(()) } else { Err(format!("expected {expected}, found {found}").into()) }
}

fn steps_in_words() -> Result<(), Failed> {
    let document = document(&motet(&["test", "examples/programs/bank.c", "--format", "json"]))?;
    let states = &document["trace"]["states"];
    is(&states[1]["#meta"]["action"], "lock(&accounts[0].lock) at bank.c:21")?;
    is(&states[2]["#meta"]["action"], "lock(&accounts[1].lock) at bank.c:21")?;
    is(&document["properties"][0]["location"]["file"], "examples/programs/bank.c")
}

fn wrapped() -> Result<(), Failed> {
    let folder = folder();
    let (used, main) =
        ("char buffer[8];", "#include <pthread.h>\n#include <string.h>\nextern char buffer[8];\n");
    let rest = "static void *fill(void *a) { memset(buffer, 1, 8); return a; }
        int main(void) { pthread_t t; pthread_create(&t, 0, fill, 0); fill(0); return pthread_join(t, 0); }";
    folder.file("used.c", used);
    folder.file("main.c", format!("{main}{rest}"));
    let cc = |arguments: &[&str]| {
        succeeds(Command::new(env!("CARGO_BIN_EXE_motet")).arg("cc").args(arguments).current_dir(&folder.0))
    };
    cc(&["-shared", "-fPIC", "-O2", "used.c", "-o", "libused.so"])?;
    cc(&["-O2", "-c", "main.c", "-o", "main.o", "-MD", "-MF", "main.d"])?;
    cc(&["main.o", "-L.", "-lused", "-Wl,-rpath,$ORIGIN", "-o", "program"])?;
    // By hand, it runs once.
    succeeds(Command::new(folder.path("program")).env_remove("MOTET_TEST"))?;
    let document = document(&motet(&["test", &folder.path("program"), "--format", "json"]))?;
    is(&document["verdict"], "violated")?;
    is(&document["properties"][0]["kind"], "race")
}

fn build(folder: &Folder, flags: &[&str]) -> Result<String, Failed> {
    let program = folder.path("program");
    let mut command = Command::new("gcc");
    command.args(flags).args(["-o", &program, "tests/programs/two-locks.c"]).current_dir(root());
    succeeds(&mut command)?;
    Ok(program)
}

fn with_sanitizer() -> Result<(), Failed> {
    let folder = folder();
    let Ok(program) = build(&folder, &["-g", "-fsanitize=thread"]) else {
        eprintln!("the runtime of ThreadSanitizer is not installed");
        return Ok(());
    };
    let document = document(&motet(&["test", &program, "--format", "json"]))?;
    is(&document["properties"][0]["kind"], "deadlock")?;
    is(&document["properties"][0]["name"], "two-locks.c:11")
}

fn not_built() -> Result<(), Failed> {
    let folder = folder();
    let output = motet(&["test", &build(&folder, &[])?, "--format", "json"]);
    let document = document(&output)?;
    is(&document["diagnostics"][0]["code"], "no-program")?;
    if output.status.code() == Some(2) { Ok(()) } else { Err("it is bad input".into()) }
}

fn changed() -> Result<(), Failed> {
    let folder = folder();
    let text = fs::read_to_string(root().join("tests/programs/two-locks.c"))?;
    let (program, trace) = (folder.file("program.c", &text), folder.path("trace.json"));
    motet(&["test", &program, "--trace", &trace, "--quiet"]);
    let again = document(&motet(&["replay", &trace, "--format", "json"]))?;
    is(&again["verdict"], "violated")?;
    folder.file("program.c", text.replace("take(&right, &left)", "take(&left, &right)"));
    let other = document(&motet(&["replay", &trace, "--format", "json"]))?;
    is(&other["diagnostics"][0]["code"], "changed-program")?;
    is(&other["verdict"], "unknown")
}

fn followed() -> Result<(), Failed> {
    let run = |schedule: &str| {
        let file = "tests/programs/two-locks.c";
        document(&motet(&["test", file, "--schedule", schedule, "--format", "json"]))
    };
    is(&run("0 1")?["verdict"], "violated")?;
    is(&run("0 0")?["verdict"], "unknown")?;
    is(&run("0 0 1")?["verdict"], "unknown")
}

/// Several processes, and parts for several machines, run the same schedules as one process does.
fn divided() -> Result<(), Failed> {
    let folder = folder();
    let test = |more: &[&str]| {
        let program = ["test", "tests/programs/counter.c", "-D", "THREADS=7", "--format", "json"];
        motet(&[&program, more].concat())
    };
    for workers in ["1", "3"] {
        let document = document(&test(&["-j", workers]))?;
        is(&document["verdict"], "holds")?;
        is_number(&document["stats"]["executions"], 5040)?;
    }
    let drawn = document(&test(&["-j", "3", "--search", "random", "--limit-runs", "5000"]))?;
    is(&drawn["verdict"], "unknown")?;
    is_number(&drawn["stats"]["executions"], 5000)?;
    let reports: Vec<String> = (1..=3)
        .map(|part| {
            let output = test(&["-j", "2", "--shard", &format!("{part}/3")]);
            let document = document(&output)?;
            is(&document["verdict"], "unknown")?;
            Ok(folder.file(&format!("{part}.json"), output.stdout))
        })
        .collect::<Result<_, Failed>>()?;
    let merge = |reports: &[String]| {
        let arguments: Vec<&str> = reports.iter().map(String::as_str).collect();
        motet(&[&["merge", "--format", "json"], &arguments[..]].concat())
    };
    let merged = document(&merge(&reports))?;
    is(&merged["verdict"], "holds")?;
    is_number(&merged["stats"]["executions"], 5040)?;
    let incomplete = [&reports[..2], &[reports[0].clone(), reports[0].clone(), reports[1].clone()]];
    if incomplete.iter().any(|some| merge(some).status.code() != Some(2)) {
        return Err("a part is missing, and it is bad input".into());
    }
    let known = document(&test(&["--shard", "1/3", "--known", &reports[0]]))?;
    is(&known["verdict"], "unknown")
}

fn is_number(found: &serde_json::Value, expected: u64) -> Result<(), Failed> {
    if *found == expected { Ok(()) } else { Err(format!("{found} rather than {expected}").into()) }
}

fn refused() -> Result<(), Failed> {
    for arguments in [
        &["test", "nothing.c"][..],
        &["test", "tests"],
        &["test", "Cargo.toml"],
        &["test", "tests/programs/counter.c", "--invariant", "nothing"],
        &["test", "tests/programs/counter.c", "--search", "exhaustive", "--limit-runs", "5"],
        &["test", "tests/programs/counter.c", "--ignore", "nothing"],
        &["test", "tests/programs/counter.c", "--schedule", "x"],
        &["test", "tests/programs/counter.c", "--shard", "3/2"],
        &["test", "tests/programs/counter.c", "--shard", "1/2", "--search", "random"],
        &["merge", "Cargo.toml"],
        &["cc", "-static", "tests/programs/counter.c", "-o", "/dev/null"],
    ] {
        let code = motet(arguments).status.code();
        if code != Some(2) {
            return Err(format!("{arguments:?} ends with {code:?}").into());
        }
    }
    Ok(())
}
