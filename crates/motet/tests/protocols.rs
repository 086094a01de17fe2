//! Protocols on the command line: what their comments expect, documents, traces that are replayed, pictures, and errors.

mod folder;

use folder::Folder;
use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output},
};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn motet_in(folder: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_motet")).args(arguments).current_dir(folder).output().unwrap()
}

fn motet(arguments: &[&str]) -> Output {
    motet_in(&root(), arguments)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", text(&output.stderr)))
}

/// Words of a command line; quoted ones may contain spaces.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (at, part) in line.split('\'').enumerate() {
        if at % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// The protocols of the project.
fn protocols() -> Vec<PathBuf> {
    let folders = ["examples/sessions", "tests/protocols"];
    let files = folders.iter().flat_map(|folder| fs::read_dir(root().join(folder)).unwrap());
    let is_protocol = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "dcj");
    let mut files: Vec<PathBuf> = files.map(|entry| entry.unwrap().path()).filter(is_protocol).collect();
    files.sort();
    files
}

/// What comments of a kind say, with the folder and the file.
fn comments(kind: &str) -> Vec<(PathBuf, String, String)> {
    let mut found = Vec::new();
    for file in protocols() {
        let (folder, name) =
            (file.parent().unwrap().to_owned(), file.file_name().unwrap().to_string_lossy().into_owned());
        let text = fs::read_to_string(&file).unwrap();
        let lines = text.lines().filter_map(|line| line.strip_prefix(&format!("; {kind}:")));
        found.extend(lines.map(|line| (folder.clone(), name.clone(), line.trim().to_owned())));
    }
    found
}

/// `; expect: ARGUMENTS: VERDICT KIND…`, `; expect: VERDICT` or `; expect: ARGUMENTS: refused CODE…`
#[test]
fn protocols_come_out_as_their_comments_say() {
    let expectations = comments("expect");
    for (folder, file, line) in &expectations {
        let (arguments, expected) = line.rsplit_once(": ").unwrap_or(("", line));
        let words = words(arguments);
        let mut command = vec!["protocol", "check", file.as_str(), "--format", "json"];
        command.extend(words.iter().map(String::as_str));
        let output = motet_in(folder, &command);
        let document = document(&output);
        let mut expected = expected.split_whitespace();
        let verdict = expected.next().unwrap();
        let code =
            ["holds", "violated", "refused", "unknown"].iter().position(|known| *known == verdict).unwrap();
        assert_eq!(output.status.code(), i32::try_from(code).ok(), "{file}: {line}\n{document:#}");
        let mut found: Vec<&str> =
            document["diagnostics"].as_array().unwrap().iter().filter_map(|it| it["code"].as_str()).collect();
        if verdict != "refused" {
            assert_eq!(document["verdict"], verdict, "{file}: {line}");
            let violated =
                document["properties"].as_array().unwrap().iter().filter(|it| it["verdict"] == "violated");
            found = violated.filter_map(|it| it["kind"].as_str()).collect();
        }
        for detail in expected {
            assert!(found.contains(&detail), "{file}: {line}: {found:?}");
        }
    }
    assert!(expectations.len() > 30, "the comments are found");
}

/// `; size: STATES STEPS ARGUMENTS`: of the graph without channels.
#[test]
fn state_graphs_have_the_sizes_that_comments_say() {
    for (folder, file, line) in comments("size") {
        let words = words(&line);
        let mut command = vec!["protocol", "graph", file.as_str()];
        command.extend(words[2..].iter().map(String::as_str));
        let output = motet_in(&folder, &command);
        let told = text(&output.stderr);
        assert!(
            told.ends_with(&format!("{} states, {} steps\n", words[0], words[1])),
            "{file}: {line}: {told}"
        );
    }
}

#[test]
fn protocols_of_the_project_are_formatted() {
    for file in protocols().iter().filter(|file| !file.ends_with("tests/protocols/syntax.dcj")) {
        let output = motet(&["protocol", "fmt", "--check", &file.to_string_lossy()]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    }
}

const OFFERS: &str = "(defroles :buyer :seller)\n(defsession :offers []\n  (alt (cat (-->> Offer (:seller 1) :buyer) (-->> Accept :buyer (:seller 1)))\n       (cat (-->> Offer (:seller 2) :buyer) (-->> Accept :buyer (:seller 2)))))\n";

#[test]
fn the_default_command_compares_both_styles_with_the_protocol() {
    let folder = Folder::new("default");
    let file = folder.file("offers.dcj", OFFERS);
    let output = motet(&[&file, "--format", "json"]);
    assert_eq!(output.status.code(), Some(1));
    let document = document(&output);
    let judged = |name: &str| {
        let properties = document["properties"].as_array().unwrap();
        properties.iter().find(|it| it["name"] == name).map(|it| it["verdict"].clone())
    };
    assert_eq!(judged("strict:deadlock"), Some("holds".into()));
    assert_eq!(judged("strict:traces"), Some("holds".into()));
    assert_eq!(judged("liberal:deadlock"), Some("violated".into()));
    assert_eq!(judged("liberal:traces"), Some("holds".into()));
    let added: Vec<&Value> =
        document["remarks"].as_array().unwrap().iter().filter(|it| it["code"] == "added-trace").collect();
    assert_eq!(
        added[0]["message"],
        "a run is added: seller[1] SEND Offer TO buyer; seller[2] SEND Offer TO buyer"
    );
    assert_eq!(added[0]["trace"]["states"].as_array().unwrap().len(), 3);
}

#[test]
fn traces_are_replayed_and_drawn() {
    let folder = Folder::new("traces");
    let file = folder.file("offers.dcj", OFFERS);
    let (trace, picture, mermaid) = (folder.path("t.json"), folder.path("t.svg"), folder.path("t.mmd"));
    assert_eq!(motet(&["protocol", "check", &file, "--trace", &trace]).status.code(), Some(1));
    let replayed = motet(&["replay", &trace]);
    assert_eq!(replayed.status.code(), Some(1), "{}", text(&replayed.stderr));
    assert!(text(&replayed.stdout).contains("`deadlock` is violated again by a run of 5 steps"));
    for to in [&picture, &mermaid] {
        assert_eq!(motet(&["protocol", "diagram", &trace, "-o", to]).status.code(), Some(0));
    }
    assert!(fs::read_to_string(&picture).unwrap().contains("<svg"));
    let drawn = fs::read_to_string(&mermaid).unwrap();
    assert!(drawn.starts_with("sequenceDiagram") && drawn.contains("Offer"), "{drawn}");
    // What was recorded about another protocol cannot be followed.
    fs::write(&file, OFFERS.replace("Offer (:seller 2)", "Bid (:seller 2)")).unwrap();
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(3));
}

#[test]
fn a_lasso_is_replayed_under_the_fairness_that_it_was_found_with() {
    let folder = Folder::new("fair");
    let file = folder.file(
        "two.dcj",
        "(defroles :a :b :c)\n(defsession :two [] (par (ω (--> T :a :b)) (-->> U :c :a)))\n",
    );
    let trace = folder.path("t.json");
    let run = |fair: &[&str]| {
        let property = "F \"c SEND\"";
        motet(
            &[
                &["protocol", "check", &file, "--style", "strict", "--property", property, "--trace", &trace],
                fair,
            ]
            .concat(),
        )
    };
    assert_eq!(run(&["--fair", "weak"]).status.code(), Some(0));
    assert_eq!(run(&["--fair", "some"]).status.code(), Some(2));
    assert_eq!(run(&[]).status.code(), Some(1));
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(1));
    let mut other: Value = serde_json::from_str(&fs::read_to_string(&trace).unwrap()).unwrap();
    other["#meta"]["fair"] = serde_json::json!(["weak"]);
    fs::write(&trace, other.to_string()).unwrap();
    assert_eq!(motet(&["replay", &trace]).status.code(), Some(3), "that run is not fair");
}

#[test]
fn graphs_are_written_in_three_formats() {
    let folder = Folder::new("graphs");
    let file = folder.file("offers.dcj", OFFERS);
    for (name, part) in [("g.dot", "digraph"), ("g.svg", "<svg"), ("g.aut", "des (0,8,8)")] {
        let to = folder.path(name);
        assert_eq!(motet(&["protocol", "graph", &file, "-o", &to]).status.code(), Some(0));
        assert!(fs::read_to_string(&to).unwrap().contains(part), "{name}");
    }
    assert_eq!(motet(&["protocol", "graph", &file, "-o", "g.gif"]).status.code(), Some(2));
    let states = motet(&["protocol", "graph", &file, "--style", "liberal"]);
    assert!(text(&states.stderr).contains("16 states, 22 steps"), "{}", text(&states.stderr));
}

/// An automaton that accepts the runs that must not be.
#[test]
fn a_property_may_be_an_automaton() {
    let folder = Folder::new("automaton");
    let file = folder.file("offers.dcj", OFFERS);
    let both = "HOA: v1\nStates: 3\nStart: 0\nAP: 2 \"seller[1] SEND\" \"seller[2] SEND\"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--\n\
        State: 0\n[0] 1\n[!0] 0\nState: 1\n[1] 2\n[!1] 1\nState: 2\n[t] 2 {0}\n--END--\n";
    let automaton = folder.file("both.hoa", both);
    let run = |style: &str| motet(&["protocol", "check", &file, "--style", style, "--automaton", &automaton]);
    assert_eq!(run("strict").status.code(), Some(0), "{}", text(&run("strict").stdout));
    assert_eq!(run("liberal").status.code(), Some(1));
    folder.file("both.hoa", both.replace("seller[2]", "seller[3]"));
    assert_ne!(run("strict").status.code(), Some(0), "there is no such seller");
}

/// Exit code 2, and a sentence with this part.
#[test]
fn bad_input_is_refused_with_a_sentence() {
    let folder = Folder::new("bad");
    let file = folder.file(
        "bad.dcj",
        "(defroles :a :b)\n(defn endless [x] (endless (inc x)))\n(defsession :endless [n] (if (endless n) (-->> T :a :b)))\n\
         (defsession :large [] (-->> T :a (:b (* 9223372036854775807 2))))\n(defsession :grows [n] (-->> T :a :b) (:grows (inc n)))\n\
         (defsession :fine [] (-->> T :a :b))\n",
    );
    for (arguments, part) in [
        (&["--session", "endless", "--arg", "1"][..], "`endless` calls itself more than"),
        (&["--session", "large"], "does not fit into 64 bits"),
        (&["--session", "grows", "--arg", "0"], "data of session `grows` may grow for ever"),
        (&["--session", "fin"], "there is no session `fin`; did you mean `fine`?"),
        (&["--session", "fine", "--arg", "1"], "takes no values"),
        (&["--session", "endless"], "needs values: give them with `--arg <n>`"),
        (&["--session", "endless", "--arg", "(+"], "is not a value"),
        (&["--property", "G \"c SEND\""], "there is no role `c` here"),
        (&["--property", "G \"a SEND <U>\""], "there is no message type `U` here"),
        (&["--property", "G ("], "the formula cannot be read"),
        (&["--properties", "nothing.ltl"], "cannot read `nothing.ltl`"),
        (&["--automaton", "nothing.hoa"], "cannot read `nothing.hoa`"),
        (&["--style", "loose"], "one of spec, strict and liberal"),
        (&["--capacity", "0"], "invalid value '0'"),
    ] {
        let output = motet(&[&["protocol", "check", &file], arguments].concat());
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {told}");
        assert!(told.contains(part), "{arguments:?}: {told}");
    }
    assert_eq!(motet(&["protocol", "check", "nothing.dcj"]).status.code(), Some(2));
    // What is wrong with a file is shown where it is, and all of it.
    let wrong = folder.file(
        "wrong.dcj",
        "(defrole :client)\n(defsession :s [] (-->> T :clinet :client) (-->> T :client :client) (:t))\n",
    );
    let output = motet(&["protocol", "check", &wrong]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    for part in [
        "wrong.dcj:2:27",
        "did you mean `:client`?",
        "error[self-send]",
        "there is no session `t`",
        "has 2 errors",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
}

/// Channels that are filled for ever are told apart from those that are only long.
#[test]
fn channels_without_bound_are_noticed() {
    let folder = Folder::new("unbounded");
    let file = folder.file("flood.dcj", "(defroles :a :b)\n(defsession :flood [] (ω (-->> T :a :b)))\n");
    let output = motet(&["protocol", "check", &file, "--style", "liberal"]);
    assert_eq!(output.status.code(), Some(3));
    assert!(
        text(&output.stdout).contains("the channel from `a` to `b` grows without bound"),
        "{}",
        text(&output.stdout)
    );
    assert_eq!(
        motet(&["protocol", "check", &file, "--style", "liberal", "--capacity", "2"]).status.code(),
        Some(0)
    );
}

/// A run of a command without what differs from time to time.
fn told(output: &Output) -> String {
    let without_time = |line: &str| match line.rsplit_once(", ") {
        Some((before, time)) if time.ends_with(" s") && line.contains(" states, ") => before.to_owned(),
        _ => line.to_owned(),
    };
    text(&output.stdout).lines().map(without_time).collect::<Vec<_>>().join("\n")
}

/// `MOTET_BLESS=1` writes the answers anew.
#[test]
fn commands_of_the_page_come_out_as_they_are_written() {
    let path = root().join("docs/protocols.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (mut anew, mut rest, mut count) = (String::new(), page.as_str(), 0);
    while let Some(start) = rest.find("```text\n$ motet ") {
        let command = &rest[start + "```text\n$ motet ".len()..];
        let (line, after) = command.split_once('\n').unwrap();
        let end = after.find("```").unwrap();
        if line.contains("--lang python") && Command::new("python3").arg("--version").output().is_err() {
            return eprintln!("skipped: there is no python3");
        }
        let words = words(line);
        let output = motet(&words.iter().map(String::as_str).collect::<Vec<_>>());
        anew += &format!("{}```text\n$ motet {line}\n{}\n", &rest[..start], told(&output).trim_end());
        rest = &after[end..];
        count += 1;
    }
    anew += rest;
    if std::env::var_os("MOTET_BLESS").is_some() {
        return fs::write(&path, &anew).unwrap();
    }
    assert!(count >= 5, "the commands are found");
    for (number, (told, written)) in (1..).zip(anew.lines().zip(page.lines())) {
        assert_eq!(told, written, "docs/protocols.md, line {number}");
    }
    assert_eq!(anew.lines().count(), page.lines().count());
}

fn sources_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            sources_under(&path, found);
        } else {
            found.push(path);
        }
    }
}

#[test]
fn every_kind_of_message_is_documented() {
    let page = fs::read_to_string(root().join("docs/protocols.md")).unwrap();
    let mut sources = Vec::new();
    sources_under(&root().join("crates/protocol/src"), &mut sources);
    let mut count = 0;
    for text in sources.iter().map(|file| fs::read_to_string(file).unwrap()) {
        for call in ["Diagnostic::error(", "Diagnostic::warning(", "Obstacle::new(", "error_at("] {
            let calls = text.split(call).skip(1);
            for code in calls.filter_map(|call| call.trim_start().strip_prefix('"')?.split('"').next()) {
                assert!(page.contains(&format!("`{code}`")), "not in docs/protocols.md: {code}");
                count += 1;
            }
        }
    }
    assert!(count > 30, "the messages are found");
}

/// Files that tests of the runtime are compiled with; `MOTET_BLESS=1` makes them anew.
#[test]
fn generated_files_in_the_project_are_what_the_command_makes() {
    let folder = Folder::new("generated");
    for (to, file, name, arguments) in [
        (
            "tests",
            "examples/sessions/turn-game.dcj",
            "turn-game-liberal",
            "--style liberal --typed --tcp --type Move=u32",
        ),
        ("tests", "examples/sessions/turn-game.dcj", "turn-game-strict", "--style strict --type Move=u32"),
        (
            "tests",
            "examples/sessions/multicast.dcj",
            "multicast",
            "--style liberal --typed --capacity 1 --type Prepare=String",
        ),
        (
            "tests",
            "tests/protocols/meetings.dcj",
            "meetings-liberal",
            "--style liberal --typed --type Ask=u8",
        ),
        ("tests", "tests/protocols/meetings.dcj", "meetings-strict", "--style strict --type Ask=u8"),
        (
            "tests",
            "examples/sessions/request-pipeline.dcj",
            "request-pipeline",
            "--arg 3 --style liberal --tcp --type Request=u64 --type Answer=u64",
        ),
        (
            "benches",
            "examples/sessions/streaming.dcj",
            "streaming-liberal",
            "--style liberal --type Value=u64",
        ),
        ("benches", "examples/sessions/streaming.dcj", "streaming-strict", "--style strict --type Value=u64"),
        (
            "benches",
            "examples/sessions/double-buffering.dcj",
            "double-buffering-liberal",
            "--style liberal --type Full=Vec<u8>",
        ),
        (
            "benches",
            "examples/sessions/double-buffering.dcj",
            "double-buffering-strict",
            "--style strict --type Full=Vec<u8>",
        ),
        (
            "benches",
            "examples/sessions/butterfly.dcj",
            "butterfly-liberal",
            "--arg 3 --style liberal --type Value=u64",
        ),
    ] {
        let kept = root().join("crates/protocol").join(to).join("generated");
        let bless = std::env::var_os("MOTET_BLESS").is_some();
        let to = if bless { kept.to_string_lossy().into_owned() } else { folder.path("rust") };
        let words = words(arguments);
        let mut command = vec!["protocol", "generate", file, "--lang", "rust", "--name", name, "-o", &to];
        command.extend(words.iter().map(String::as_str));
        let output = motet(&command);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let name = format!("{}.rs", name.replace('-', "_"));
        let (made, kept) = (Path::new(&to).join(&name), kept.join(&name));
        assert!(
            fs::read_to_string(made).unwrap() == fs::read_to_string(kept).unwrap(),
            "MOTET_BLESS=1 makes {name} anew"
        );
    }
}

/// Programs in other languages do what the protocol says: their code is called for every state. Skipped where there is no compiler.
#[test]
fn generated_programs_have_the_runs_of_their_protocol() {
    for (language, tool) in [("python", "python3"), ("c", "cc"), ("java", "javac")] {
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("skipped: there is no {tool}");
            continue;
        }
        for (file, style, capacity) in [
            ("examples/sessions/turn-game.dcj", "strict", None),
            ("examples/sessions/turn-game.dcj", "liberal", None),
            ("examples/sessions/multicast.dcj", "liberal", Some("1")),
            ("tests/protocols/meetings.dcj", "strict", None),
            ("tests/protocols/meetings.dcj", "liberal", None),
        ] {
            let mut command = vec![
                "protocol", "generate", file, "--lang", language, "--style", style, "--verify", "--format",
                "json",
            ];
            command.extend(capacity.iter().flat_map(|capacity| ["--capacity", *capacity]));
            let output = motet(&command);
            let document = document(&output);
            assert_eq!(output.status.code(), Some(0), "{language} {file} {style}: {document:#}");
            let properties = document["properties"].as_array().unwrap();
            assert!(
                properties.len() == 2 && properties.iter().all(|it| it["verdict"] == "holds"),
                "{document:#}"
            );
            // The tables that it was made from have as many states.
            let mut command = vec!["protocol", "check", file, "--style", style, "--format", "json"];
            command.extend(capacity.iter().flat_map(|capacity| ["--capacity", *capacity]));
            let expected = serde_json::from_slice::<Value>(&motet(&command).stdout).unwrap();
            assert_eq!(document["stats"]["states"], expected["stats"]["states"], "{language} {file} {style}");
        }
    }
}

/// A program with a mistake is noticed, by a run that it has lost and one that it has added; one that does not answer gives no verdict.
#[test]
fn a_program_with_a_mistake_is_noticed() {
    if Command::new("python3").arg("--version").output().is_err() {
        return eprintln!("skipped: there is no python3");
    }
    let folder = Folder::new("mistake");
    let file = "examples/sessions/turn-game.dcj";
    let to = folder.path("python");
    assert_eq!(
        motet(&["protocol", "generate", file, "--lang", "python", "--style", "liberal", "-o", &to])
            .status
            .code(),
        Some(0)
    );
    let program = Path::new(&to).join("turn_game.py");
    let drive = format!("python3 '{}'", program.display());
    let check = |more: &[&str]| {
        motet(&[&["protocol", "check", file, "--style", "liberal", "--drive", &drive], more].concat())
    };
    assert_eq!(check(&["--property", "G !DEAD"]).status.code(), Some(0));
    let right = fs::read_to_string(&program).unwrap();
    let wrong = right.replacen("(2, 1): 2", "(2, 1): 0", 1);
    assert_ne!(right, wrong, "resigning leads back to the beginning");
    fs::write(&program, wrong).unwrap();
    let output = check(&[]);
    assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("a run of the specification is lost"), "{}", text(&output.stdout));
    fs::write(&program, "print('hello')").unwrap();
    assert_eq!(check(&[]).status.code(), Some(3));
}

/// Programs of two threads on what was generated: values arrive, and what the protocol does not allow is refused.
#[test]
fn programs_on_generated_code_run() {
    for (language, tool, build, run) in [
        ("python", "python3", "true", "python3 game.py"),
        ("c", "cc", "cc -Wall -Wextra -Werror -pthread -o game game.c", "./game"),
        ("java", "javac", "javac Game.java TurnGame.java MotetSession.java", "java -cp . Game"),
    ] {
        if Command::new(tool).arg("--version").output().is_err() {
            eprintln!("skipped: there is no {tool}");
            continue;
        }
        for style in ["strict", "liberal"] {
            let folder = Folder::new(&format!("game-{language}-{style}"));
            let file = "examples/sessions/turn-game.dcj";
            let made = motet(&[
                "protocol",
                "generate",
                file,
                "--lang",
                language,
                "--style",
                style,
                "-o",
                &folder.path("."),
            ]);
            assert_eq!(made.status.code(), Some(0), "{}", text(&made.stderr));
            let name = if language == "java" {
                "Game.java"
            } else {
                ["game.py", "game.c"][usize::from(language == "c")]
            };
            fs::copy(root().join("tests/protocols/programs").join(name), folder.0.join(name)).unwrap();
            let command = format!("{build} && timeout 30 {run}");
            let output = Command::new("sh").args(["-c", &command]).current_dir(&folder.0).output().unwrap();
            assert_eq!(text(&output.stdout), "played\n", "{language} {style}: {}", text(&output.stderr));
        }
    }
}

/// Lines as JSON and in words; a deviation, a property that is violated on the way, and one that only the end decides.
#[test]
fn logs_are_watched() {
    let folder = Folder::new("logs");
    let file = "examples/sessions/turn-game.dcj";
    let begin = "{\"role\": \"white\", \"action\": \"send\", \"type\": \"game.Move\", \"to\": \"black\"}\nblack RECV FROM white\n";
    let watch = |log: &str, more: &[&str]| {
        let log = folder.file("log.jsonl", log);
        let output = motet(&[&["protocol", "monitor", file, &log], more].concat());
        (output.status.code(), text(&output.stdout) + &text(&output.stderr))
    };
    let (code, told) = watch(begin, &[]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("2 actions follow the protocol; the session is not over"), "{told}");
    let resign =
        format!("{begin}{{\"event\": \"black SEND Resign TO white\"}}\nwhite RECV Resign FROM black\n");
    let (code, told) = watch(&resign, &["--property", "F \"white RECV <Resign>\""]);
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("`ltl1` holds of this run") && told.contains("the session may be over"), "{told}");
    let (code, told) = watch(&resign, &["--property", "F \"white SEND <Resign>\""]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("by the whole run, if it ends here"), "{told}");
    let (code, told) = watch(&resign, &["--property", "G !\"black SEND\"", "--property", "F END"]);
    assert_eq!(code, Some(1), "{told}");
    assert!(
        told.contains("by line 3, however the program goes on") && told.contains("`ltl2` holds"),
        "{told}"
    );
    let (code, told) = watch(&format!("{begin}white SEND Move TO black\n"), &[]);
    assert_eq!(code, Some(1), "{told}");
    assert!(told.contains("line 3 deviates from the protocol: white SEND Move TO black"), "{told}");
    assert!(told.contains("allowed here: black SEND Move TO white; black SEND Resign TO white"), "{told}");
    for (line, part) in [
        ("red SEND Move TO black", "there is no role `red`"),
        ("white SEND Mvoe TO black", "there is no message type `Mvoe`"),
        ("white says hello", "is no action"),
        ("{\"role\": \"white\"}", "an action has `role` and `action`"),
        ("{", "not JSON"),
    ] {
        let (code, told) = watch(line, &[]);
        assert_eq!(code, Some(2), "{line}: {told}");
        assert!(told.contains("line 1 of the log") && told.contains(part), "{line}: {told}");
    }
}

/// The debugger steps through protocols: by name and number, with questions, searches, and runs that are replayed.
#[test]
fn protocols_are_stepped_through() {
    use std::{io::Write, process::Stdio};
    let folder = Folder::new("step");
    let run = folder.path("run.json");
    let input = format!(
        "all\nsend_Offer(#1, #2)\n2\nprint \"EMPTY(seller[1],buyer)\"\nwhy send_Accept(#2, #3)\ngoto DEAD\nsave {run}\nreload\n"
    );
    let mut child = Command::new(env!("CARGO_BIN_EXE_motet"))
        .args(["step", "examples/sessions/three-party-choice.dcj"])
        .current_dir(root())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let told = text(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{told}");
    for part in [
        "2  seller[2] SEND Offer TO buyer",
        "2 seller[2] SEND Offer TO buyer  at(seller[2]) = 1",
        "2> print \"EMPTY(seller[1],buyer)\"\nfalse",
        "what buyer may do is buyer RECV Offer FROM seller[1]",
        "found, 3 steps away",
        "deadlock: nobody can go on",
    ] {
        assert!(told.contains(part), "{part}: {told}");
    }
    assert_eq!(motet(&["replay", &run]).status.code(), Some(1));
    let loaded = motet(&["step", "--load", &run]);
    assert!(text(&loaded.stdout).contains("at step 5"), "{}", text(&loaded.stdout));
    let strict =
        motet(&["step", "examples/sessions/request-pipeline.dcj", "--arg", "2", "--style", "strict"]);
    assert_eq!(strict.status.code(), Some(0), "{}", text(&strict.stderr));
    assert_eq!(motet(&["step", "examples/sessions/request-pipeline.dcj"]).status.code(), Some(2));
}
