//! `motet step PROGRAM`: the debugger over a running C program.

use super::{Keys, StepArgs, conclude, talk::Talk};
use crate::{
    Exit,
    output::{Output, count, write_file},
    program_trace::{Details, Recorded},
    report::Report,
    telling::program::{self as shown, kind},
};
use ::explore::{Call, Cancel, FindingKind, Label, Limits, Step, Trace};
use ::program::{Debug, Mark, Mode, Program, Recipe, Schedule, Served, Visible, actor, replay};
use ::step::{Finding, Options, Session, Store, programs::ProgramSystem};
use clap::Args;
use std::{cell::RefCell, path::Path, rc::Rc, time::Duration};

/// Flags for programs alone.
#[derive(Debug, Clone, Args)]
pub(super) struct ProgramFlags {
    /// Define a macro, for a C program
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    macros: Vec<String>,
    /// Hand an argument on to the compiler
    #[arg(long, value_name = "ARGUMENT", allow_hyphen_values = true)]
    cc_arg: Vec<String>,
    /// A function of the C program, without parameters, that must return a non-zero value in every state
    #[arg(long, value_name = "FUNCTION")]
    invariant: Vec<String>,
    /// Do not report this kind of finding in a C program
    #[arg(long, value_name = "KIND", value_parser = kind)]
    ignore: Vec<FindingKind>,
    /// Arguments of the C program
    #[arg(last = true, value_name = "ARGUMENT")]
    arguments: Vec<String>,
}

impl ProgramFlags {
    /// A model has none of this.
    pub(super) fn refuse(&self) -> Result<(), String> {
        let given = [
            (!self.macros.is_empty(), "`-D`"),
            (!self.cc_arg.is_empty(), "`--cc-arg`"),
            (!self.invariant.is_empty(), "`--invariant`"),
            (!self.ignore.is_empty(), "`--ignore`"),
            (!self.arguments.is_empty(), "arguments after `--`"),
        ];
        match given.iter().find(|(given, _)| *given) {
            Some((_, what)) => Err(format!("a model takes no {what}: that is for C programs")),
            None => Ok(()),
        }
    }
}

/// The subject of a session.
pub(super) struct About {
    recipe: Recipe,
    mode: Mode,
    /// What decides which operations are steps, if a trace says it.
    marks: Option<Vec<Mark>>,
}

/// How long is looked for what races, so that it can be stepped through.
const LOOKING: Duration = Duration::from_secs(2);
/// A search of the session runs the program anew for each state.
const MOST_STATES: usize = 100_000;

/// The program that a session is about; none if it is about a model.
pub(super) fn about(args: &StepArgs) -> Result<Option<About>, String> {
    let folder = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    let recorded = match &args.load {
        Some(file) => Recorded::read(file)?,
        None => None,
    };
    let given = args.files.first().is_some_and(|file| Recipe::is_for(file) || Recipe::is_program(file));
    if !given && (recorded.is_none() || !args.files.is_empty()) {
        return Ok(None);
    }
    let flags = &args.program;
    let recipe = match &recorded {
        Some(recorded) if !given => recorded.details.program.clone().found(&folder),
        _ => Recipe {
            files: args.files.clone(),
            folder,
            macros: flags.macros.clone(),
            compiler_arguments: flags.cc_arg.clone(),
            arguments: flags.arguments.clone(),
        },
    };
    let (mode, marks) = if let Some(recorded) = recorded {
        (recorded.details.mode, Some(recorded.details.marks))
    } else {
        let invariants = flags.invariant.clone();
        (Mode { visible: Visible::Racy, all: true, invariants, ..Mode::default() }, None)
    };
    Ok(Some(About { recipe, mode, marks }))
}

/// Runs sessions until one ends: each time the program is built again, a new session resumes the last one.
pub(super) fn hold_on(
    args: &StepArgs,
    about: &About,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, String> {
    report.files.clone_from(&about.recipe.files);
    let keys = Keys::new(args);
    let next = RefCell::new(shown::make(about.recipe.clone(), output, report));
    if next.borrow().is_none() {
        return Ok(Exit::BadInput);
    }
    let reread = || {
        let made = shown::make(about.recipe.clone(), output, &mut Report::new("step", &[]));
        *next.borrow_mut() =
            Some(made.ok_or_else(|| format!("`{}` cannot be built again", about.recipe.name()))?);
        Ok(())
    };
    let mut talk = Talk::new(args, &keys, output, &reread);
    loop {
        let program = next.take().ok_or("the program is not built")?;
        let exit = hold(args, about, &program, &mut talk, report)?;
        if talk.kept.is_none() {
            report.answers = std::mem::take(&mut talk.answers);
            return Ok(exit);
        }
    }
}

/// Runs a session until its end, or until the program is to be built again.
fn hold(
    args: &StepArgs,
    about: &About,
    program: &Program,
    talk: &mut Talk<'_>,
    report: &mut Report,
) -> Result<Exit, String> {
    let marks = match &about.marks {
        Some(marks) => marks.clone(),
        None => look(program, &about.mode)?,
    };
    let debug = Debug::of(program);
    let symbols = debug.symbols(program);
    let served = Served::start(program, &symbols, about.mode.clone(), marks.clone())?;
    let seed = args.seed.seed.unwrap_or(0);
    let options = Options { seed, most_states: most_states(talk.keys), cancel: talk.keys.cancel.clone() };
    let system = ProgramSystem::new(program, served, args.program.ignore.clone());
    let (mode, here) = (about.mode.clone(), system.here());
    let store = Box::new(Traces { program, mode, marks: marks.clone(), here });
    let mut session = Session::new(system, store, options).map_err(|fault| fault.to_string())?;
    if talk.kept.is_none() {
        welcome(talk.output, program, &marks);
    }
    let exit = talk.hold(&mut session);
    conclude(&session, exit, report);
    Ok(exit)
}

fn most_states(keys: &Keys) -> usize {
    keys.limits.states.unwrap_or(MOST_STATES).min(MOST_STATES)
}

/// Looks for a moment what races: accesses that do are steps.
fn look(program: &Program, mode: &Mode) -> Result<Vec<Mark>, String> {
    let limits = Limits { time: Some(LOOKING), cancel: Cancel::default(), ..Limits::default() };
    let options = ::program::Options { mode: mode.clone(), limits, ..::program::Options::default() };
    ::program::marks(program, &options)
}

fn welcome(output: &Output, program: &Program, marks: &[Mark]) {
    let races = marks.iter().filter(|mark| mark.is_race()).count();
    let more =
        if races == 0 { String::new() } else { format!("; {} that race are steps", count(races, "access")) };
    output.result(&format!("{}{more}; `help` lists the commands", program.recipe.name()));
}

/// Reads and writes the runs of a session as traces.
struct Traces<'p> {
    program: &'p Program,
    mode: Mode,
    marks: Vec<Mark>,
    /// The steps of the session.
    here: Rc<RefCell<Schedule>>,
}

impl Store for Traces<'_> {
    /// The run is repeated in a process of its own, and written as that has shown it.
    fn save(&self, file: &str, _: &Trace, violation: Option<&Finding>) -> Result<(), String> {
        let schedule = self.here.borrow().clone();
        let replayed = replay(self.program, &self.mode, &schedule, &self.marks, &Cancel::default())?;
        if let Some(deviation) = replayed.deviation {
            return Err(format!("the run cannot be repeated: {deviation}"));
        }
        let again = violation.and_then(|wanted| {
            replayed.findings.iter().find(|found| found.kind == wanted.kind && found.name == wanted.name)
        });
        let details = Details {
            property: again.map(|finding| finding.name.clone()),
            kind: again.map(|finding| finding.kind),
            ..Details::of_run("step", self.program, schedule, &self.mode, &self.marks)
        };
        let text = serde_json::to_string_pretty(&details.document(&replayed.trace))
            .expect("traces have only text keys");
        write_file(Path::new(file), &text)
    }

    fn load(&self, file: &str) -> Result<(Trace, Vec<String>), String> {
        let recorded = Recorded::read(file)?.ok_or_else(|| format!("`{file}` is not about a program"))?;
        let name = self.program.recipe.name();
        let mut warnings = Vec::new();
        if recorded.details.hash != self.program.hash() {
            warnings.push(format!("warning: the code of `{name}` has changed since the trace was recorded"));
        }
        if recorded.details.marks != self.marks {
            warnings.push("warning: other accesses were steps when the trace was recorded; `motet step --load` begins with those".into());
        }
        let step = |(thread, choice): &(u16, u16)| {
            let call = Call {
                name: actor((*thread).into()),
                processes: vec![],
                woken: None,
                choice: Some((*choice).into()),
                variant: None,
            };
            Step { label: Label::Call(call), process: Some((*thread).into()), state: vec![] }
        };
        let steps = recorded.details.schedule.turns().iter().map(step).collect();
        Ok((Trace { steps, ..recorded.trace }, warnings))
    }
}
