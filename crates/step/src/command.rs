//! The commands, and the help for each.

use crate::{Call, Way};
use serde::Serialize;

/// What a session can be asked to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Command {
    /// Take these transitions, all or none of them.
    Transition(Vec<Call>),
    /// Take the enabled action with this number, from 1.
    Choose(usize),
    /// List the enabled actions.
    All,
    /// Take this many random actions.
    Random(usize),
    /// Run at random: the number of runs, and the largest number of steps of each.
    Execute(Way, usize, usize),
    /// Visit all states within this many steps.
    Breadth(usize),
    /// Show the state.
    Status,
    /// List what is wrong with the state.
    Unsafe,
    /// Go to an initial state, by number from 1.
    Reset(Option<usize>),
    /// Show the run.
    Trace,
    /// Explain why a transition is enabled or not; without processes, for each choice of them.
    Why(Call),
    /// Remember one state in this many; without a number, say how many are remembered.
    Flag(Option<usize>),
    /// Show the remembered states of the run one by one.
    Replay,
    /// Take the steps between two again, and show each.
    Rerun(usize, usize),
    /// Go back to a step.
    Backtrack(usize),
    /// Undo this many moves.
    Undo(usize),
    /// Make this many undone moves again.
    Redo(usize),
    /// Write the run to a file.
    Save(String),
    /// Follow a run from a file.
    Load(String),
    /// Show an expression after every move; without one, list the watched ones.
    Watch(Option<String>),
    /// Stop watching an expression, by number from 1, or all.
    Unwatch(Option<usize>),
    /// Evaluate an expression here.
    Print(String),
    /// Set a breakpoint where a formula holds; without one, list the breakpoints.
    Break(Option<String>),
    /// Remove a breakpoint, by number from 1, or all.
    Unbreak(Option<usize>),
    /// Run at random, at most this many steps, to the next breakpoint.
    Continue(usize),
    /// Show the text of a transition or property; without a name, of the last step.
    List(Option<String>),
    /// Read the file of the system again.
    Reload,
    /// Go to a state that satisfies a formula.
    Goto(String),
    /// List all commands, or explain one.
    Help(Option<String>),
    /// End the session.
    Quit,
}

/// What help says about a command.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Topic {
    /// Its name.
    pub name: &'static str,
    /// Shorter names.
    pub aliases: &'static [&'static str],
    /// What is written after the name.
    pub arguments: &'static str,
    /// What it does, in one line.
    pub summary: &'static str,
    /// More about it.
    pub details: &'static str,
}

/// The topic of a command, by its name or a shorter one.
pub fn topic(name: &str) -> Option<&'static Topic> {
    TOPICS.iter().find(|topic| topic.name == name || topic.aliases.contains(&name))
}

/// All commands, in the order in which they are listed.
pub const TOPICS: &[Topic] = &[
    Topic {
        name: "transition",
        aliases: &["t"],
        arguments: "t(#1, #2); u(#3)",
        summary: "take transitions by hand, all of them or none",
        details: "\
The word `transition` may be left out. If one of several transitions cannot be taken, nothing happens at all. Where a transition \
wakes one of several processes, say which: `notify(#1) waking #3`; where it leaves a value open: `guess(#1) choice 2`; where two have the \
same name: `t(#1) variant 2`. A number alone takes the action with that number in the list that `all` shows.",
    },
    Topic {
        name: "all",
        aliases: &["a"],
        arguments: "",
        summary: "list the actions that are enabled here",
        details: "Each has a number: `transition 2`, or just `2`, takes the second.",
    },
    Topic {
        name: "random",
        aliases: &["r"],
        arguments: "[K]",
        summary: "take a random transition, or K of them",
        details: "The same seed (`--seed`) and the same commands give the same steps.",
    },
    Topic {
        name: "execute",
        aliases: &["x"],
        arguments: "[N D]",
        summary: "run at random until something is wrong: N runs of at most D steps",
        details: "\
Without numbers: one run of at most 1000 steps. Every run begins where the session is. It stops at unsafe states, broken invariants, \
deadlocks, misuse of locks and values outside of their range, and the session goes there; else it goes where the last run ended. \
Reported are the states seen, how many of them are distinct, and the one seen most.",
    },
    Topic {
        name: "execute_proc",
        aliases: &["xp"],
        arguments: "[N D]",
        summary: "the same with steps of one process only, drawn for each run",
        details: "A run ends when the process can neither act nor take part in a step of another process.",
    },
    Topic {
        name: "execute_weight",
        aliases: &["xw"],
        arguments: "[N D]",
        summary: "the same, preferring what is new",
        details: "Prefers an action to an unseen state, then a transition that was never taken, then an action that was never taken from there.",
    },
    Topic {
        name: "execute_max",
        aliases: &["xm"],
        arguments: "[N D]",
        summary: "the same, preferring states with more enabled actions",
        details: "An action that does not enable more actions than before is taken one time in ten; otherwise another one is drawn, up to four times.",
    },
    Topic {
        name: "execute_bfs",
        aliases: &["xb"],
        arguments: "[D]",
        summary: "visit all states within D steps (3), near ones first",
        details: "If one of them violates something, the session goes there by a shortest way; otherwise it stays where it is.",
    },
    Topic {
        name: "goto",
        aliases: &["g"],
        arguments: "FORMULA",
        summary: "go to the nearest state that satisfies a formula",
        details: "\
A formula of the language of the model, without free variables: `goto exists i. Loc[i] = Critical`, `goto X = 3 && Loc[#1] = Idle`. \
Instead of a formula, the name of a property finds a state that violates it, and `goto deadlock` one where nobody can go on. The \
search is breadth-first from the current state, so the way is a shortest one. If no such state is found, the answer says whether \
there is none. `--limit-time` and `--limit-states` limit it, and Ctrl-C ends it.",
    },
    Topic {
        name: "status",
        aliases: &["s"],
        arguments: "",
        summary: "show the state: processes, variables, locks; what the last step changed stands out",
        details: "For each process its kind, whether it is active, suspended or asleep, and on what; for each lock its owner and who waits for it.",
    },
    Topic {
        name: "unsafe",
        aliases: &[],
        arguments: "",
        summary: "list everything that is wrong with the state",
        details: "Unsafe states, broken invariants, misuse of locks, values outside of their range, deadlocks.",
    },
    Topic {
        name: "why",
        aliases: &["w"],
        arguments: "t(#1)",
        summary: "explain why a transition is possible here or not; without processes, for each choice of them",
        details: "Every reason: conditions that are false, with their values; a process of the wrong kind; a process that is suspended or asleep.",
    },
    Topic {
        name: "print",
        aliases: &["p"],
        arguments: "EXPR",
        summary: "evaluate a term or formula here",
        details: "For example `print Loc[#1]`, `print X + Y`, `print forall i. Loc[i] = Idle`.",
    },
    Topic {
        name: "break",
        aliases: &["br"],
        arguments: "[FORMULA]",
        summary: "have `continue` stop where a formula holds; without one, list the breakpoints",
        details: "For example `break exists i. Loc[i] = Critical`. Other commands ignore it.",
    },
    Topic {
        name: "unbreak",
        aliases: &[],
        arguments: "[K]",
        summary: "remove the Kth breakpoint, or all",
        details: "`break` lists them with their numbers.",
    },
    Topic {
        name: "continue",
        aliases: &["c"],
        arguments: "[D]",
        summary: "run at random to the next breakpoint, at most D steps (1000)",
        details: "\
At least one step is taken. It also stops where something is violated, and where nothing is possible. `goto` finds a shortest way to \
one formula instead.",
    },
    Topic {
        name: "list",
        aliases: &["l"],
        arguments: "[NAME]",
        summary: "show the text of a transition or property; without a name, of the last step",
        details: "With the numbers of its lines in the file.",
    },
    Topic {
        name: "reload",
        aliases: &[],
        arguments: "",
        summary: "read the file again after an edit, and follow the run as far as it goes",
        details: "\
Watched expressions and breakpoints are kept. If the file has errors, they are shown, and the session goes on as it was.",
    },
    Topic {
        name: "watch",
        aliases: &[],
        arguments: "[EXPR]",
        summary: "show a term or formula after every move; without one, list what is watched",
        details: "For example `watch Loc[#1]`, `watch X + Y`, `watch exists i. Loc[i] = Critical`.",
    },
    Topic {
        name: "unwatch",
        aliases: &[],
        arguments: "[K]",
        summary: "stop watching the Kth expression, or all",
        details: "`watch` lists them with their numbers.",
    },
    Topic {
        name: "trace",
        aliases: &["tr"],
        arguments: "",
        summary: "show the run: each step, the number of enabled actions before and after it, and what it changed",
        details: "Steps taken by hand are marked with `!`, states that are remembered (see `flag`) with `*`.",
    },
    Topic {
        name: "replay",
        aliases: &[],
        arguments: "",
        summary: "show the remembered states of the run one by one",
        details: "On a terminal, Enter goes on and `q` ends it. The session stays where it is.",
    },
    Topic {
        name: "rerun",
        aliases: &[],
        arguments: "A B",
        summary: "take the steps from A to B again and show each state, remembered or not",
        details: "On a terminal, Enter goes on and `q` ends it. The session stays where it is. Step 0 is the start.",
    },
    Topic {
        name: "backtrack",
        aliases: &["b"],
        arguments: "K",
        summary: "go back to step K of the run",
        details: "The steps after it are dropped; `undo` restores them. Step 0 is the start.",
    },
    Topic {
        name: "flag",
        aliases: &[],
        arguments: "[K]",
        summary: "remember every Kth state from now on (1: every state)",
        details: "\
States that are not remembered are computed again when they are needed, from the nearest remembered one before. `replay` shows \
the remembered ones only.",
    },
    Topic {
        name: "undo",
        aliases: &["u"],
        arguments: "[K]",
        summary: "undo the last move, or the last K of them",
        details: "A move is a command that changed where the session is, however many steps it took.",
    },
    Topic {
        name: "redo",
        aliases: &[],
        arguments: "[K]",
        summary: "make the last undone move again, or K of them",
        details: "After any other move, undone moves cannot be made again.",
    },
    Topic {
        name: "reset",
        aliases: &[],
        arguments: "[I]",
        summary: "go to the start, or to the Ith initial state",
        details: "Where `init` leaves something open, there are several initial states. Without a number, the one of this run.",
    },
    Topic {
        name: "save",
        aliases: &[],
        arguments: "FILE",
        summary: "write the run to a file, as ITF JSON",
        details: "The file is what `--trace` of other commands writes, and what `motet replay` reads.",
    },
    Topic {
        name: "load",
        aliases: &[],
        arguments: "FILE",
        summary: "follow a run that this or another command has written",
        details: "Every step is taken again, and must lead where the file says.",
    },
    Topic {
        name: "help",
        aliases: &["h", "?", "dhelp"],
        arguments: "[COMMAND]",
        summary: "list all commands, or explain one",
        details: "Commands can be completed with the tabulator key.",
    },
    Topic {
        name: "quit",
        aliases: &["q", "exit"],
        arguments: "",
        summary: "end the session",
        details: "Ctrl-D does the same. Ctrl-C ends a long command, and clears the line.",
    },
];
