//! Drives `motet step` through a pseudo-terminal: every command, completion, history, wrong input, Ctrl-C and Ctrl-D.
#![cfg(unix)]

use rexpect::session::{PtySession, spawn_command};
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
    thread::sleep,
    time::Duration,
};

/// The deadline of every answer, in milliseconds: longer than anything takes on a busy machine.
const DEADLINE: u64 = 60_000;

/// Sent to a terminal before a line is read: it asks for pasted text to be marked.
const READY: &str = "\x1b[?2004h";

/// A home folder that is removed after the test.
struct Home(PathBuf);

impl Home {
    fn new(name: &str) -> Home {
        let path = std::env::temp_dir().join(format!("motet-terminal-{}-{name}", std::process::id()));
        fs::create_dir_all(&path).unwrap();
        Home(path)
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A terminal with a session in it.
struct Terminal(PtySession);

impl Terminal {
    /// Opens a session about an example, and waits for the first prompt.
    fn open(home: &Home, arguments: &str) -> Terminal {
        let mut command = Command::new(env!("CARGO_BIN_EXE_motet"));
        command.arg("step").args(arguments.split_whitespace());
        command.current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples"));
        command.env("TERM", "xterm").env("HOME", &home.0).env_remove("NO_COLOR").env_remove("XDG_STATE_HOME");
        let mut terminal = Terminal(spawn_command(command, Some(DEADLINE)).unwrap());
        terminal.wait("lists the commands");
        terminal.prompt();
        terminal
    }

    /// Waits until the next line can be typed. The prompt alone is no sign of that: it is written again with every letter.
    fn prompt(&mut self) {
        self.wait(READY);
        self.wait("> ");
    }

    /// Waits until a text shows, and returns what came before it.
    fn wait(&mut self, text: &str) -> String {
        self.0.exp_string(text).unwrap_or_else(|error| panic!("`{text}` does not show: {error}"))
    }

    fn press(&mut self, keys: &str) {
        self.0.send(keys).unwrap();
        self.0.flush().unwrap();
    }

    fn control(&mut self, key: char) {
        self.0.send_control(key).unwrap();
    }

    /// Types a line, and waits for an answer and the next prompt.
    fn tell(&mut self, line: &str, answer: &str) {
        self.press(line);
        // The line is shown while it is typed; the answer comes below it.
        self.control('m');
        self.wait("\n");
        self.wait(answer);
        self.prompt();
    }

    /// Waits for the end, and returns the exit code.
    fn end(mut self) -> String {
        self.0.exp_eof().unwrap();
        let status = format!("{:?}", self.0.process().wait().unwrap());
        status.rsplit(", ").next().unwrap_or_default().trim_end_matches(')').to_owned()
    }
}

#[test]
fn every_command_is_answered() {
    let home = Home::new("every");
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2");
    let file = home.0.join("run.itf.json");
    let (save, load) = (format!("save {}", file.display()), format!("load {}", file.display()));
    let session = [
        ("help", "end the session"),
        ("help why", "Every reason"),
        ("all", "ask(#2)"),
        ("status", "Taken = False"),
        ("transition ask(#1); look(#1)", "2 look(#1)"),
        ("why look(#2)", "Loc[#2] is Idle"),
        ("watch Loc[#2]", "watch: Loc[#2] is Idle"),
        ("print Loc[#1]", "Cleared"),
        ("list look", "transition look (i)"),
        ("break Loc[#2] = Trying", "here it is false"),
        ("reload", "all of 2 steps followed"),
        ("continue 1", "1 step"),
        ("undo", "at step 2"),
        ("unbreak", "breakpoints removed"),
        ("ask(#2)", "(was Idle)"),
        ("random 2", "5 "),
        ("undo", "at step 3"),
        ("redo", "at step 5"),
        ("unsafe", "nothing is wrong here"),
        ("trace", "number of actions before -> after"),
        ("flag 2", "one state in 2"),
        ("backtrack 1", "at step 1"),
        ("reset", "at the start"),
        ("execute 3 5", "distinct"),
        ("reset", "at the start"),
        ("execute_proc 3 5", "3 runs"),
        ("reset", "at the start"),
        ("execute_weight 1 5", "1 run"),
        ("reset", "at the start"),
        ("execute_max 1 5", "1 run"),
        ("reset", "at the start"),
        ("execute_bfs 2", "none is wrong"),
        ("goto unsafe1", "is violated"),
        (&save, "6 steps written"),
        ("reset", "at the start"),
        (&load, "6 steps from"),
        ("unwatch", "no longer watched"),
        ("rerun 6 6", "step 6, after"),
    ];
    for (line, answer) in session {
        terminal.tell(line, answer);
    }
    for topic in step::TOPICS.iter().filter(|topic| !["replay", "quit"].contains(&topic.name)) {
        let used = session.iter().any(|(line, _)| line.split(' ').next() == Some(topic.name));
        assert!(used, "`{}` was not used", topic.name);
    }
    // Pages come one by one.
    terminal.press("replay\r");
    terminal.wait("at the start: 2 enabled actions");
    terminal.wait("Enter for more");
    terminal.press("\r");
    terminal.wait("step 2, after");
    terminal.wait("Enter for more");
    terminal.press("q\r");
    terminal.prompt();
    terminal.press("quit\r");
    assert_eq!(terminal.end(), "0");
}

#[test]
fn words_are_completed() {
    let home = Home::new("complete");
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2");
    terminal.tell("stat\t", "processes");
    terminal.tell("t ask(#1)\t", "1 ask(#1)");
    terminal.tell("why en\t#1)", "Loc[#1] is Trying");
    terminal.tell("watch Tak\t", "watch: Taken is False");
    // Several completions are listed.
    terminal.press("execute_\t\t");
    terminal.wait("execute_weight");
    terminal.wait("execute_bfs");
    terminal.control('c');
    terminal.prompt();
    terminal.press("load mutex-bro\t\r");
    terminal.wait("`mutex-broken.cub` is not a trace");
    terminal.prompt();
    // The hint is shown, but is not part of the line.
    terminal.press("rerun ");
    terminal.wait("A B");
    terminal.control('c');
    terminal.prompt();
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
}

#[test]
fn wrong_input_is_told_and_the_session_goes_on() {
    let home = Home::new("wrong");
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2");
    terminal.tell("stauts", "did you mean `status`?");
    terminal.tell("enter(#1)", "is not possible here");
    terminal.tell("goto Loc[#1] = Idel", "did you mean `Idle`?");
    terminal.tell("rerun 5", "the usage is `rerun A B`");
    terminal.tell("save /no/such/folder/x", "there is no folder");
    terminal.tell("ask(#1)", "Loc = Trying");
    // An empty line is not a command, and mistakes do not make a session on a terminal fail.
    terminal.press("\r");
    terminal.prompt();
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
}

#[test]
fn interrupting_ends_a_command_and_not_the_session() {
    let home = Home::new("interrupt");
    let mut terminal = Terminal::open(&home, "german.cub -n 8 --limit-time 600");
    terminal.press("nonsense");
    terminal.wait("nonsense");
    terminal.control('c');
    terminal.wait("Ctrl-D or `quit` ends the session");
    terminal.prompt();
    for (line, answer) in [
        (
            "goto Client = #1 && SomeExclusive = True && forall i. Cache[i] = Shared",
            "the search was interrupted",
        ),
        ("execute 1000000000 1000", "interrupted after"),
        ("execute_bfs 1000", "not all states within"),
    ] {
        terminal.press(line);
        terminal.control('m');
        terminal.wait("\n");
        sleep(Duration::from_millis(700));
        terminal.control('c');
        terminal.wait(answer);
        terminal.prompt();
    }
    terminal.tell("status", "processes");
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
}

#[test]
fn lines_are_remembered_in_a_session_and_for_the_next() {
    let home = Home::new("history");
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2");
    terminal.tell("ask(#1)", "Loc = Trying");
    terminal.tell("undo", "at the start");
    terminal.press("\x1b[A\x1b[A\r");
    terminal.wait("\n");
    terminal.wait("Loc = Trying");
    terminal.prompt();
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
    assert!(home.0.join(".local/state/motet/step-history").exists());
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2");
    terminal.press("\x1b[A\r");
    terminal.wait("\n");
    terminal.wait("Loc = Trying");
    terminal.prompt();
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
}

#[test]
fn colours_show_what_changed_unless_nobody_wants_them() {
    let home = Home::new("colours");
    let changed = "\x1b[1m\x1b[36mLoc = Trying";
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2");
    terminal.tell("ask(#1)", "ask(#1)");
    terminal.tell("status", changed);
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
    let mut terminal = Terminal::open(&home, "mutex-broken.cub -n 2 --color never");
    terminal.tell("ask(#1)", "ask(#1)");
    terminal.press("status\r");
    terminal.wait("\n");
    let answer = terminal.wait("Taken = False");
    assert!(!answer.contains("\x1b[3") && answer.contains("Loc = Trying (was Idle)"), "{answer:?}");
    terminal.prompt();
    terminal.control('d');
    assert_eq!(terminal.end(), "0");
}
