//! Holds the documentation to what the program does: its models are accepted, its table of messages is complete.

mod transcript;

use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::Command,
};
use transcript::{hold_again, root};

/// The pages for users: `docs/*.md`, and the README once there is one.
fn pages() -> Vec<PathBuf> {
    let is_page = |path: &PathBuf| path.extension().is_some_and(|extension| extension == "md");
    let folder = fs::read_dir(root().join("docs")).expect("the documentation is there");
    let mut pages: Vec<PathBuf> =
        folder.map(|entry| entry.expect("readable").path()).filter(is_page).collect();
    pages.extend(Some(root().join("README.md")).filter(|readme| readme.exists()));
    pages.sort();
    pages
}

/// The blocks of a page that are marked as models, each with the number of its first line.
fn models(page: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut open: Option<(usize, String)> = None;
    for (number, line) in (1..).zip(page.lines()) {
        match &mut open {
            Some(_) if line.trim() == "```" => found.extend(open.take()),
            Some((_, model)) => model.extend([line, "\n"]),
            None if line.trim() == "```cub" => open = Some((number + 1, String::new())),
            None => {}
        }
    }
    assert!(open.is_none(), "a block is never closed");
    found
}

#[test]
fn every_model_in_the_documentation_is_accepted() {
    let folder = std::env::temp_dir().join(format!("motet-docs-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let (mut checked, mut refused) = (0, String::new());
    for page in pages() {
        let name = page.file_stem().unwrap().to_string_lossy().into_owned();
        for (line, model) in models(&fs::read_to_string(&page).unwrap()) {
            let file = folder.join(format!("{name}-{line}.cub"));
            fs::write(&file, model).unwrap();
            let output = Command::new(env!("CARGO_BIN_EXE_motet")).arg("check").arg(&file).output().unwrap();
            checked += 1;
            if !output.status.success() {
                refused += &format!("{name}.md, line {line}:\n{}\n", String::from_utf8_lossy(&output.stderr));
            }
        }
    }
    fs::remove_dir_all(&folder).unwrap();
    assert!(refused.is_empty(), "{refused}");
    assert!(checked >= 12, "only {checked} models were found");
}

fn sources_under(folder: &Path, found: &mut Vec<PathBuf>) {
    for path in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("readable").path()) {
        if path.is_dir() {
            sources_under(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The kinds of messages that the front end makes, and those about whole files that the command makes.
fn codes() -> BTreeSet<String> {
    let mut sources = Vec::new();
    for folder in ["crates/model/src", "crates/ltl/src"] {
        sources_under(&root().join(folder), &mut sources);
    }
    let mut codes: BTreeSet<String> = ["unreadable-file", "more-messages"].map(str::to_owned).into();
    for text in sources.iter().map(|file| fs::read_to_string(file).unwrap()) {
        for word in ["error", "warning", "note"] {
            let call = format!("Diagnostic::{word}(");
            let calls = text.split(&call).skip(1);
            let found = calls.filter_map(|call| call.trim_start().strip_prefix('"')?.split('"').next());
            codes.extend(found.map(str::to_owned));
        }
    }
    codes
}

#[test]
fn every_kind_of_message_is_documented() {
    let page = fs::read_to_string(root().join("docs/messages.md")).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `")?.split_once('`'));
    let documented: BTreeSet<String> = rows.map(|(code, _)| code.to_owned()).collect();
    let codes = codes();
    assert!(codes.len() > 50, "the messages are found");
    let missing: Vec<&String> = codes.difference(&documented).collect();
    assert!(missing.is_empty(), "not in docs/messages.md: {missing:?}");
    let unknown: Vec<&String> = documented.difference(&codes).collect();
    assert!(unknown.is_empty(), "in docs/messages.md, but no message: {unknown:?}");
}

#[test]
fn pictures_in_the_documentation_are_what_the_command_draws() {
    let drawn = std::env::temp_dir().join(format!("motet-picture-{}.svg", std::process::id()));
    for (picture, flag, model) in [
        ("docs/philosophers.svg", "--diagram", "examples/philosophers.cub"),
        ("docs/mutex-broken.svg", "--graph", "examples/mutex-broken.cub"),
        ("docs/spinlock-tso-broken.svg", "--diagram", "examples/spinlock-tso-broken.cub"),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
        let command =
            command.arg("explore").arg(root().join(model)).args(["-q", "-n", "2", flag]).arg(&drawn);
        assert_eq!(command.status().unwrap().code(), Some(1));
        let kept = fs::read_to_string(root().join(picture)).unwrap().replace("\r\n", "\n");
        assert!(fs::read_to_string(&drawn).unwrap() == kept, "`motet explore {model} -n 2 {flag} {picture}`");
    }
    fs::remove_file(&drawn).unwrap();
}

/// The sessions of a page, each with the position of its text.
fn sessions(page: &str) -> Vec<std::ops::Range<usize>> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = page[from..].find("```text\n$ motet ").map(|at| from + at + "```text\n".len()) {
        let end = start + page[start..].find("```").expect("a block is closed");
        found.push(start..end);
        from = end + "```".len();
    }
    found
}

/// `MOTET_BLESS=1` writes the answers anew.
#[test]
fn sessions_in_the_documentation_come_out_as_they_are_written() {
    let folder = std::env::temp_dir().join(format!("motet-sessions-{}", std::process::id()));
    fs::create_dir_all(folder.join("examples")).unwrap();
    let examples = fs::read_dir(root().join("examples")).unwrap().map(|entry| entry.unwrap().path());
    for entry in examples.filter(|path| path.is_file()) {
        fs::copy(&entry, folder.join("examples").join(entry.file_name().unwrap())).unwrap();
    }
    let path = root().join("docs/stepping.md");
    let page = fs::read_to_string(&path).unwrap().replace("\r\n", "\n");
    let (mut anew, mut done) = (String::new(), 0);
    for session in sessions(&page) {
        anew += &page[done..session.start];
        anew += &hold_again(&page[session.clone()], &folder).0;
        done = session.end;
    }
    anew += &page[done..];
    fs::remove_dir_all(&folder).unwrap();
    if std::env::var_os("MOTET_BLESS").is_some() {
        return fs::write(&path, &anew).unwrap();
    }
    assert!(sessions(&page).len() >= 4, "the sessions are found");
    let (told, written): (Vec<&str>, Vec<&str>) = (anew.lines().collect(), page.lines().collect());
    for (number, (told, written)) in (1..).zip(told.iter().zip(&written)) {
        assert_eq!(told, written, "docs/stepping.md, line {number}");
    }
    assert_eq!(told.len(), written.len(), "docs/stepping.md");
}
