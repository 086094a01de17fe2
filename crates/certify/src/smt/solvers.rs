//! Runs solvers on the scripts of a folder, and compares their answers with the expected ones.

use super::MANIFEST;
use crate::threads::on_threads;
use serde_json::Value;
use std::{
    env, fmt, fs,
    io::Read,
    num::NonZero,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicBool, AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

/// What a solver answered about a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SolverReport {
    /// The name of the program that was run.
    pub solver: &'static str,
    /// Whether it accepts the certificate as a whole.
    pub opinion: Opinion,
    /// The number of questions with the expected answer.
    pub answered: usize,
}

/// What follows from the answers of a solver to all questions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opinion {
    /// Every answer is `unsat`.
    Accepted,
    /// It found a counterexample to this.
    Rejected(String),
    /// It did not answer this in time, or not at all.
    Undecided(String),
    /// It is not installed.
    NotFound,
}

/// Why a folder is not a certificate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadFolder(pub String);

impl fmt::Display for BadFolder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadFolder {}

/// The solvers that are asked, with their arguments.
const SOLVERS: [(&str, &[&str]); 2] = [("z3", &["-smt2"]), ("cvc5", &["--lang=smt2", "--incremental"])];

/// A script of the manifest.
struct Listed {
    file: PathBuf,
    questions: Vec<String>,
}

/// Asks every solver that is installed about every script of a folder.
pub fn run_solvers(folder: &Path, options: SolverOptions) -> Result<Vec<SolverReport>, BadFolder> {
    SOLVERS.iter().map(|(solver, _)| run_solver(solver, folder, options)).collect()
}

/// Asks one solver, by its name.
pub fn run_solver(name: &str, folder: &Path, options: SolverOptions) -> Result<SolverReport, BadFolder> {
    let listed = read_manifest(folder)?;
    let known = SOLVERS.iter().find(|(solver, _)| *solver == name);
    let (solver, arguments) = known.ok_or_else(|| BadFolder(format!("there is no solver `{name}`")))?;
    Ok(match find(solver) {
        Some(program) => {
            let deadline = Instant::now() + options.limit;
            Examination { program, arguments, listed: &listed, deadline }.run(solver, options.threads)
        }
        None => SolverReport { solver, opinion: Opinion::NotFound, answered: 0 },
    })
}

fn read_manifest(folder: &Path) -> Result<Vec<Listed>, BadFolder> {
    let path = folder.join(MANIFEST);
    let bad = |what: &str| BadFolder(format!("`{}` {what}", path.display()));
    let text = fs::read_to_string(&path).map_err(|error| bad(&format!("cannot be read: {error}")))?;
    let manifest: Value =
        serde_json::from_str(&text).map_err(|error| bad(&format!("is not a manifest: {error}")))?;
    let files = manifest["files"].as_array().ok_or_else(|| bad("lists no files"))?;
    if files.is_empty() {
        return Err(bad("lists no files"));
    }
    files.iter().map(|entry| listed(folder, entry)).collect()
}

fn listed(folder: &Path, entry: &Value) -> Result<Listed, BadFolder> {
    let bad = |what: &str| BadFolder(format!("the manifest {what}"));
    let name = entry["file"].as_str().ok_or_else(|| bad("has a file without a name"))?;
    // Only files of the folder belong to the certificate.
    if Path::new(name).components().count() != 1 || name.starts_with('.') {
        return Err(bad(&format!("names `{name}`, which is not a file of the folder")));
    }
    if entry["expected"] != "unsat" {
        return Err(bad(&format!("expects something other than `unsat` of `{name}`")));
    }
    let questions =
        entry["questions"].as_array().ok_or_else(|| bad(&format!("has no questions for `{name}`")))?;
    let questions: Vec<String> = questions
        .iter()
        .map(|question| question.as_str().unwrap_or("a question without words").to_owned())
        .collect();
    let file = folder.join(name);
    let text = fs::read_to_string(&file)
        .map_err(|error| BadFolder(format!("`{}` cannot be read: {error}", file.display())))?;
    if entry["hash"].as_str() != Some(&super::writing::hash(&text)) {
        return Err(BadFolder(format!("`{}` is not the file that was written", file.display())));
    }
    let asked = text.lines().filter(|line| line.trim() == "(check-sat)").count();
    if asked != questions.len() {
        return Err(BadFolder(format!(
            "`{}` asks {asked} questions, and the manifest lists {}",
            file.display(),
            questions.len()
        )));
    }
    Ok(Listed { file, questions })
}

/// A program on the path.
fn find(name: &str) -> Option<PathBuf> {
    let path = env::var_os("PATH")?;
    env::split_paths(&path).map(|folder| folder.join(name)).find(|program| program.is_file())
}

/// How long solvers may take, and how many run at a time.
#[derive(Debug, Clone, Copy)]
pub struct SolverOptions {
    /// The time limit of each solver, for all scripts together.
    pub limit: Duration,
    /// The number of scripts that a solver is run on at the same time.
    pub threads: NonZero<usize>,
}

impl SolverOptions {
    /// On all cores, each solver with this time limit.
    pub fn within(limit: Duration) -> SolverOptions {
        SolverOptions { limit, threads: thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN) }
    }
}

/// A solver, and the scripts that it is run on.
struct Examination<'l> {
    program: PathBuf,
    arguments: &'static [&'static str],
    listed: &'l [Listed],
    deadline: Instant,
}

impl Examination<'_> {
    /// The first script that the solver rejects decides, or else the first that it does not answer.
    fn run(&self, solver: &'static str, threads: NonZero<usize>) -> SolverReport {
        let next = AtomicUsize::new(0);
        let results: Mutex<Vec<(usize, usize, Opinion)>> = Mutex::default();
        let enough = AtomicBool::new(false);
        let work = || {
            while !enough.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed);
                let Some(script) = self.listed.get(at) else { return };
                let (answered, opinion) = self.ask(script);
                if opinion != Opinion::Accepted {
                    enough.store(true, Ordering::Relaxed);
                }
                results.lock().unwrap_or_else(PoisonError::into_inner).push((at, answered, opinion));
            }
        };
        on_threads(threads.get().min(self.listed.len()), work);
        let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
        results.sort_unstable_by_key(|(at, ..)| *at);
        let answered = results.iter().map(|(_, answered, _)| answered).sum();
        let opinions = || results.iter().map(|(.., opinion)| opinion);
        let rejected = opinions().find(|opinion| matches!(opinion, Opinion::Rejected(_)));
        let other = opinions().find(|opinion| **opinion != Opinion::Accepted);
        let opinion = rejected.or(other).cloned().unwrap_or(Opinion::Accepted);
        SolverReport { solver, opinion, answered }
    }

    /// How many questions of a script have the expected answer, and what follows from all of them.
    fn ask(&self, script: &Listed) -> (usize, Opinion) {
        let answers = match answers(&self.program, self.arguments, &script.file, self.deadline) {
            Ok(answers) => answers,
            Err(error) => return (0, Opinion::Undecided(format!("it cannot be run: {error}"))),
        };
        let mut answers = answers.lines().map(str::trim).filter(|line| !line.is_empty());
        let (mut answered, mut opinion) = (0, Opinion::Accepted);
        for question in &script.questions {
            match answers.next() {
                Some("unsat") => answered += 1,
                Some("sat") => return (answered, Opinion::Rejected(question.clone())),
                Some("unknown") => opinion = Opinion::Undecided(question.clone()),
                None => return (answered, Opinion::Undecided(format!("{question} (no answer in time)"))),
                Some(other) => return (answered, Opinion::Undecided(format!("{question} ({other})"))),
            }
        }
        if let Some(more) = answers.next() {
            opinion = Opinion::Undecided(format!("it printed more than the answers: {more}"));
        }
        (answered, opinion)
    }
}

/// What a solver prints about a script before the deadline.
fn answers(program: &Path, arguments: &[&str], file: &Path, deadline: Instant) -> std::io::Result<String> {
    let mut child = Command::new(program)
        .args(arguments)
        .arg(file)
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let mut output = child.stdout.take().expect("standard output is a pipe");
    let reader = thread::spawn(move || {
        let mut text = Vec::new();
        // What it printed before an error still counts.
        let _ = output.read_to_end(&mut text);
        String::from_utf8_lossy(&text).into_owned()
    });
    wait(&mut child, deadline)?;
    Ok(reader.join().unwrap_or_default())
}

/// Waits until a process ends, or kills it at the deadline.
fn wait(child: &mut Child, deadline: Instant) -> std::io::Result<()> {
    let mut pause = Duration::from_micros(200);
    while child.try_wait()?.is_none() {
        if Instant::now() >= deadline {
            child.kill()?;
            child.wait()?;
            return Ok(());
        }
        thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(20));
    }
    Ok(())
}
