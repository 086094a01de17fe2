//! A program that is steered from outside, one step at a time: for the debugger.
//!
//! The process runs the program under the runtime's `search serve`, and answers after each step where its threads stand.
//! Going back is starting again, in the same process unless the program has effects that a copy of memory does not undo.

use crate::{
    answers::{Answer, StepTold, ThreadTold, Told},
    building::Program,
    confirm::Mark,
    finding::Teller,
    operation::{Writer, actor},
    options::Mode,
    platform,
    process::{lines, spawn},
    schedule::Schedule,
    symbols::{Place, Symbols},
    values::{Evaluator, Memory, Worth},
    variables::{Located, Type},
    wrapper::no_folder,
};
use explore::{Entry, FindingKind, Turn, Value};
use std::{
    collections::{BTreeMap, btree_map},
    io::{self, PipeWriter, Write},
    process::Child,
    sync::mpsc::Receiver,
    time::Duration,
};
use tempfile::TempDir;

/// A program that is steered.
pub struct Served<'p, 'd> {
    program: &'p Program,
    symbols: &'p Symbols<'d>,
    writer: Writer<'p, 'd>,
    mode: Mode,
    marks: Vec<Mark>,
    process: Process,
    taken: Vec<Turn>,
    threads: Vec<ThreadTold>,
    told: Vec<Told>,
    pages: Pages,
    /// Global variables with their parts, as far as they are numbers, in the order of their addresses.
    globals: Vec<(String, Located)>,
}

/// Where a thread stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadState {
    /// `main`, `T1`, …
    pub name: String,
    /// Its next operation; none if it has ended.
    pub next: Option<String>,
    /// Where in the source that is.
    pub place: Option<Place>,
    /// What it waits for, if it cannot go on.
    pub waits: Option<Waiting>,
}

/// What a thread waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Waiting {
    /// Something with a name.
    pub on: String,
    /// Whether it sleeps until somebody wakes it.
    pub asleep: bool,
    /// The whole in a sentence: who has what it waits for.
    pub sentence: String,
}

/// Something that is wrong where the program is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// What kind of thing.
    pub kind: FindingKind,
    /// A name that tells it from others of its kind.
    pub name: String,
    /// A sentence.
    pub message: String,
    /// Who takes part, in words, and where.
    pub parties: Vec<(String, Option<Place>)>,
}

impl Wrong {
    fn nobody_goes_on(&self) -> bool {
        matches!(self.kind, FindingKind::Deadlock | FindingKind::LostWakeup | FindingKind::Livelock)
    }
}

/// A step takes less than this, or the runtime ends it.
const LONGEST_STEP: Duration = Duration::from_secs(60);
/// The most global variables that are shown with every state.
const MOST_GLOBALS: usize = 64;
/// Arrays with more elements are not.
const LONGEST_ARRAY: u64 = 16;

impl<'p, 'd> Served<'p, 'd> {
    /// Starts a program. The error is a sentence.
    pub fn start(
        program: &'p Program,
        symbols: &'p Symbols<'d>,
        mode: Mode,
        marks: Vec<Mark>,
    ) -> Result<Served<'p, 'd>, String> {
        let process = Process::start(program, &mode, &marks)?;
        let mut served = Served {
            program,
            symbols,
            writer: Writer::new(symbols),
            mode,
            marks,
            process,
            taken: vec![],
            threads: vec![],
            told: vec![],
            pages: Pages::default(),
            globals: globals(symbols),
        };
        served.ask("start")?;
        Ok(served)
    }

    /// Brings the program to the state after some steps.
    pub fn go(&mut self, turns: &[Turn]) -> Result<(), String> {
        if self.marks.contains(&Mark("fork".into())) {
            self.process = Process::start(self.program, &self.mode, &self.marks)?;
        }
        self.taken.clear();
        self.ask("start")?;
        turns.iter().try_for_each(|turn| self.step(*turn))
    }

    /// Lets a thread take a step.
    pub fn step(&mut self, turn: Turn) -> Result<(), String> {
        self.ask(&format!("take {}:{}", turn.thread, turn.choice))?;
        self.taken.push(turn);
        Ok(())
    }

    fn ask(&mut self, command: &str) -> Result<(), String> {
        (self.threads, self.told) = self.process.state(command)?;
        let mut pages = Pages::default();
        for (_, located) in &self.globals {
            let size = self.symbols.variables.size_of(located.of).unwrap_or(0);
            for page in page_of(located.address)..=page_of(located.address + size.max(1) - 1) {
                if let btree_map::Entry::Vacant(missing) = pages.0.entry(page) {
                    missing.insert(self.process.read(page * PAGE, PAGE)?);
                }
            }
        }
        self.pages = pages;
        Ok(())
    }

    /// The steps that led here.
    pub fn schedule(&self) -> Schedule {
        self.taken.iter().map(|turn| (turn.thread, turn.choice)).collect()
    }

    /// The same.
    pub fn turns(&self) -> &[Turn] {
        &self.taken
    }

    /// What a replay of these steps needs beside the program.
    pub fn setting(&self) -> (&Mode, &[Mark]) {
        (&self.mode, &self.marks)
    }

    /// What can be done next.
    pub fn possible(&self) -> Vec<Turn> {
        let turns = |told: &ThreadTold| {
            let thread = u16::try_from(told.thread).unwrap_or(u16::MAX);
            (0..u16::try_from(told.choices).unwrap_or(u16::MAX)).map(move |choice| Turn { thread, choice })
        };
        self.threads.iter().flat_map(turns).collect()
    }

    /// Whether all threads have ended.
    pub fn has_ended(&self) -> bool {
        self.threads.iter().all(|told| told.phase != "ready")
    }

    /// The number of threads so far.
    pub fn count(&self) -> usize {
        self.threads.iter().map(|told| told.thread + 1).max().unwrap_or(1)
    }

    fn told(&self, thread: usize) -> Option<&ThreadTold> {
        self.threads.iter().find(|told| told.thread == thread)
    }

    /// What a step does, with its line: `lock(&m) at bank.c:21`.
    pub fn operation(&self, turn: Turn) -> String {
        let Some(told) = self.told(turn.thread.into()) else { return String::new() };
        // Names of memory are given in the order in which it is met, so that a copy will do: nothing is forgotten.
        let mut writer = self.writer.clone();
        format!("{}{}", writer.step(&told.next), self.outcome(told, turn.choice))
    }

    /// Which of several outcomes.
    fn outcome(&self, told: &ThreadTold, choice: u16) -> String {
        if told.choices < 2 {
            return String::new();
        }
        let sleeps = |other: &&ThreadTold| {
            other.phase == "ready"
                && other.next.kind.starts_with("Sleep")
                && other.next.object == told.next.object
        };
        match told.next.kind.as_str() {
            "Signal" => {
                let woken = self.threads.iter().filter(sleeps).nth(choice.into());
                woken.map_or(String::new(), |woken| format!(", waking {}", actor(woken.thread)))
            }
            "Choose" => format!(", value {choice}"),
            _ => format!(", outcome {}", choice + 1),
        }
    }

    /// Where the next operation of a thread is.
    pub fn place(&self, thread: usize) -> Option<Place> {
        self.told(thread)
            .filter(|told| told.phase == "ready")
            .and_then(|told| self.symbols.call(told.next.pc))
    }

    /// All threads.
    pub fn threads(&mut self) -> Result<Vec<ThreadState>, String> {
        let told = self.threads.clone();
        told.iter()
            .map(|told| {
                let ready = told.phase == "ready";
                Ok(ThreadState {
                    name: actor(told.thread),
                    next: ready.then(|| self.writer.step(&told.next)),
                    place: self.place(told.thread),
                    waits: if ready && told.choices == 0 { Some(self.waiting(told)?) } else { None },
                })
            })
            .collect()
    }

    /// Why a thread cannot go on.
    fn waiting(&mut self, told: &ThreadTold) -> Result<Waiting, String> {
        let StepTold { kind, object, .. } = &told.next;
        let name = kind.split([' ', '{']).next().unwrap_or_default();
        let on = match name {
            "Join" => actor(usize::try_from(*object).unwrap_or(0)),
            "End" => "all others".to_owned(),
            _ => self.writer.memory(*object),
        };
        let who = actor(told.thread);
        let sentence = match name {
            _ if told.spins => {
                format!("{who} goes round a loop until another thread writes what it reads")
            }
            "Lock" => self.held(&who, &on, *object, 0)?,
            "ReadLock" => self.held(&who, &on, *object, 4)?,
            "WriteLock" => {
                let readers = self.word(*object)?;
                if readers & 1 << 31 == 0 && readers > 0 {
                    format!("{who} waits for `{on}`, which {readers} hold for reading")
                } else {
                    self.held(&who, &on, *object, 4)?
                }
            }
            "Sleep" => format!("{who} sleeps on `{on}` until it is signalled"),
            "FutexWait" => format!("{who} sleeps on `{on}` until it is woken"),
            "Join" => format!("{who} waits for the end of {on}"),
            "Down" => format!("{who} waits for the semaphore `{on}`, whose value is 0"),
            "Leave" => format!("{who} waits at the barrier `{on}` for others to arrive"),
            "Once" => format!("{who} waits for another thread to finish the initialisation `{on}`"),
            "End" => {
                format!("{who} has returned from `main`: the program ends when no other thread can go on")
            }
            _ => format!("{who} waits for `{on}`"),
        };
        Ok(Waiting { on, asleep: name == "Sleep", sentence })
    }

    /// Who holds a lock: the number of the owner plus one is in the lock.
    fn held(&mut self, who: &str, on: &str, lock: u64, at: u64) -> Result<String, String> {
        let owner = self.word(lock + at)?;
        Ok(match usize::try_from(owner).ok().and_then(|owner| owner.checked_sub(1)) {
            Some(owner) => format!("{who} waits for `{on}`, which {} holds", actor(owner)),
            None => format!("{who} waits for `{on}`"),
        })
    }

    fn word(&mut self, address: u64) -> Result<u32, String> {
        let bytes = self.process.read(address, 4)?;
        Ok(bytes.try_into().map_or(0, u32::from_le_bytes))
    }

    /// The kinds of what is wrong here.
    pub fn found(&self) -> Vec<FindingKind> {
        self.told
            .iter()
            .filter_map(|told| Teller::wrong(self.symbols, told))
            .map(|wrong| wrong.kind)
            .collect()
    }

    /// What is wrong here, in words.
    pub fn wrong(&mut self) -> Vec<Wrong> {
        let mut all: Vec<Wrong> =
            self.told.iter().filter_map(|told| Teller::wrong(self.symbols, told)).collect();
        // Where nobody can go on, the program can still be asked who holds what.
        for wrong in all.iter_mut().filter(|wrong| wrong.nobody_goes_on()) {
            let waiting = self.threads().unwrap_or_default().into_iter();
            let told = |thread: ThreadState| {
                let next = thread.next.map_or(String::new(), |next| format!(": {next}"));
                Some((format!("{}{next}", thread.waits?.sentence), None))
            };
            wrong.parties = waiting.filter_map(told).collect();
        }
        all
    }

    /// The value of an expression over global variables. The error is a sentence about the expression.
    pub fn evaluate(&mut self, expression: &str) -> Result<Worth, String> {
        let memory = Remote { process: &mut self.process, pages: &self.pages };
        let mut evaluator = Evaluator { variables: &self.symbols.variables, base: self.symbols.base, memory };
        evaluator.worth(expression)
    }

    /// The names of global variables.
    pub fn words(&self) -> Vec<String> {
        let mut words: Vec<String> = self.symbols.variables.all().map(|(name, _)| name.to_owned()).collect();
        words.sort();
        words.dedup();
        words
    }

    /// The values of global variables.
    pub fn values(&self) -> Vec<Entry> {
        let mut evaluator =
            Evaluator { variables: &self.symbols.variables, base: self.symbols.base, memory: &self.pages };
        let entry = |(name, located): &(String, Located)| {
            let text = evaluator.text(*located, 0).unwrap_or_else(|_| "?".to_owned());
            let value = text.parse().map_or_else(|_| Value::Word(text.clone()), Value::Integer);
            Entry::variable(name.clone(), value)
        };
        self.globals.iter().map(entry).collect()
    }
}

/// Global variables that are shown with every state: numbers, and small arrays and structures of them.
fn globals(symbols: &Symbols<'_>) -> Vec<(String, Located)> {
    let mut found = Vec::new();
    for (name, Located { address, of }) in symbols.variables.all() {
        add_global(symbols, name.to_owned(), Located { address: address + symbols.base, of }, 0, &mut found);
    }
    found.truncate(MOST_GLOBALS);
    found
}

fn add_global(
    symbols: &Symbols<'_>,
    name: String,
    located: Located,
    depth: usize,
    found: &mut Vec<(String, Located)>,
) {
    if found.len() >= MOST_GLOBALS || name.starts_with('_') || depth > 4 {
        return;
    }
    match symbols.variables.resolved(located.of) {
        Some(Type::Scalar { .. } | Type::Enum { .. } | Type::Pointer { .. }) => found.push((name, located)),
        Some(Type::Array { of, lengths }) if lengths.len() == 1 && lengths[0] <= LONGEST_ARRAY => {
            let size = symbols.variables.size_of(*of).unwrap_or(0);
            for at in 0..lengths[0] {
                let part = Located { address: located.address + at * size, of: *of };
                add_global(symbols, format!("{name}[{at}]"), part, depth + 1, found);
            }
        }
        Some(Type::Struct { members, .. }) => {
            for member in members.iter().filter(|member| !member.name.starts_with('_')) {
                let part = Located { address: located.address + member.at, of: member.of };
                add_global(symbols, format!("{name}.{}", member.name), part, depth + 1, found);
            }
        }
        _ => {}
    }
}

/// Memory that was read when the program came here, by number.
#[derive(Default)]
struct Pages(BTreeMap<u64, Vec<u8>>);

/// The most that the runtime hands over at once.
const PAGE: u64 = 4096;

fn page_of(address: u64) -> u64 {
    address / PAGE
}

impl Memory for &Pages {
    fn read(&mut self, address: u64, size: u64) -> Vec<u8> {
        let byte = |at: u64| {
            let page = self.0.get(&page_of(at))?;
            page.get(usize::try_from(at % PAGE).ok()?).copied()
        };
        (address..address.saturating_add(size)).map_while(byte).collect()
    }
}

/// Memory that is read where the program is, unless that was done.
struct Remote<'s> {
    process: &'s mut Process,
    pages: &'s Pages,
}

impl Memory for Remote<'_> {
    fn read(&mut self, address: u64, size: u64) -> Vec<u8> {
        let mut known = self.pages;
        let bytes = known.read(address, size);
        if bytes.len() as u64 == size { bytes } else { self.process.read(address, size).unwrap_or_default() }
    }
}

/// The process, and the pipes between.
struct Process {
    child: Child,
    commands: PipeWriter,
    answers: Receiver<String>,
    _folder: TempDir,
}

impl Process {
    fn start(program: &Program, mode: &Mode, marks: &[Mark]) -> Result<Process, String> {
        let folder = TempDir::with_prefix("motet-run-").map_err(|error| no_folder(&error))?;
        let broken = |error: io::Error| format!("cannot start the program: {error}");
        let (input, commands) = io::pipe().map_err(broken)?;
        let mut request = vec!["search serve".to_owned()];
        request.push(format!("in {}", platform::inheritable(&input).map_err(broken)?));
        request.extend(mode.request(program)?);
        request.extend(marks.iter().map(|mark| mark.0.clone()));
        let (child, answers, _) = spawn(program, &folder, request, false)?;
        Ok(Process { child, commands, answers: lines(answers), _folder: folder })
    }

    fn say(&mut self, line: &str) -> Result<(), String> {
        let written = self.commands.write_all(format!("{line}\n").as_bytes());
        written.map_err(|_| "the program has ended".to_owned())
    }

    fn hear(&mut self) -> Result<Answer, String> {
        loop {
            let line = self.answers.recv_timeout(LONGEST_STEP).map_err(|_| self.silent())?;
            if let Some(answer) = Answer::read(&line) {
                return Ok(answer);
            }
        }
    }

    /// Why there is no answer.
    fn silent(&mut self) -> String {
        match self.child.try_wait() {
            Ok(Some(status)) => format!("the process of the program has ended: {status}"),
            _ => "the program does not answer".to_owned(),
        }
    }

    /// Executes a command, and hears where the program is then.
    fn state(&mut self, command: &str) -> Result<(Vec<ThreadTold>, Vec<Told>), String> {
        self.say(command)?;
        let (mut threads, mut told) = (Vec::new(), Vec::new());
        loop {
            match self.hear()? {
                Answer::Thread(thread) => threads.push(thread),
                Answer::Finding(finding) => told.push(finding),
                Answer::Fault(fault) => return Err(fault),
                Answer::State => return Ok((threads, told)),
                _ => {}
            }
        }
    }

    fn read(&mut self, address: u64, size: u64) -> Result<Vec<u8>, String> {
        self.say(&format!("read {address:x} {size}"))?;
        loop {
            if let Answer::Memory(bytes) = self.hear()? {
                return Ok(bytes);
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
