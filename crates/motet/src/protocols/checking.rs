//! Checking an instance of a protocol: deadlocks, traces, the length of queues, temporal properties.

use super::{Instance, driving};
use crate::{
    Exit,
    flags::TraceFlag,
    output::{Output, count},
    report::{ExplorationFigures, Figures, ProductFigures, PropertyReport, Remark, Report, Verdict},
    trace_file::{self, Details},
};
use ::protocol::{
    Behaviour, Choice, Comparison, Difference, Explored, Fair, Implementation, Incomplete, Judgement,
    MOST_FAIR_ROLES, Open, Property, Runner, Runs, State, Style, Vocabulary, check, compare, safe_capacity,
};
use explore::{FindingKind, Limits, Schedule, Trace, record};
use ltl::Automaton;
use serde_json::Value;
use source::{Source, Style as Colours, render};
use std::time::Instant;

/// A property that is asked for.
pub(crate) struct Asked {
    pub(crate) name: String,
    /// As it is written; of an automaton its file.
    pub(crate) text: String,
    pub(crate) property: Property,
    /// If it is given as an automaton: one that accepts the runs that must not be.
    pub(crate) automaton: Option<Automaton>,
}

/// What is asked about an instance.
pub(crate) struct Questions<'a> {
    pub(crate) command: &'static str,
    pub(crate) runs: Runs,
    pub(crate) capacity: Option<usize>,
    pub(crate) asked: &'a [Asked],
    pub(crate) limits: &'a Limits,
    pub(crate) trace: &'a TraceFlag,
    /// A command that starts a program to be asked.
    pub(crate) drive: Option<&'a str>,
}

/// The answers about one style.
struct Answers<'a> {
    instance: &'a Instance,
    questions: &'a Questions<'a>,
    implementation: Implementation,
    /// What is asked: the implementation, or a program that was generated for it.
    behaviour: Box<dyn Behaviour>,
    output: &'a Output,
    report: &'a mut Report,
    exit: Exit,
}

/// A formula of the command line or of a file. The error shows the place.
pub(crate) fn parse(
    name: String,
    text: &str,
    vocabulary: &Vocabulary,
    output: &Output,
) -> Result<Asked, String> {
    let argument = Source::new(name.clone(), text.to_owned());
    let property = Property::parse(text, vocabulary).map_err(|error| {
        format!("the formula cannot be read\n{}", render(&argument, &error, Colours::Plain))
    })?;
    property.warnings.iter().for_each(|warning| output.diagnostic(&argument, warning));
    Ok(Asked { name, text: text.to_owned(), property, automaton: None })
}

/// An automaton that accepts the runs that must not be; its propositions are atoms.
pub(crate) fn automaton(file: &str, vocabulary: &Vocabulary) -> Result<Asked, String> {
    let text = std::fs::read_to_string(file).map_err(|error| format!("cannot read `{file}`: {error}"))?;
    let automaton = Automaton::from_hoa(&text).map_err(|error| format!("`{file}`: {error}"))?;
    let mut atoms = Vec::new();
    for name in &automaton.atoms {
        let quoted = format!("\"{name}\"");
        let property = Property::parse(&quoted, vocabulary)
            .map_err(|error| format!("`{file}`: proposition {quoted}: {}", error.message))?;
        atoms.extend(property.atoms);
    }
    let property = Property { formula: ltl::Formula::True, atoms, warnings: vec![] };
    Ok(Asked { name: file.to_owned(), text: file.to_owned(), property, automaton: Some(automaton) })
}

/// `weak`, `strong`
pub(crate) fn fair(words: &[String], vocabulary: &Vocabulary) -> Result<Fair, String> {
    if !words.is_empty() && vocabulary.roles.len() > MOST_FAIR_ROLES {
        return Err(format!("fairness is for at most {MOST_FAIR_ROLES} roles"));
    }
    match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Ok(Fair::No),
        ["weak"] => Ok(Fair::Weak),
        ["strong"] => Ok(Fair::Strong),
        _ => Err("the fairness of protocols is `weak` or `strong`, for each role".into()),
    }
}

fn fair_in_words(fair: Fair) -> Option<&'static str> {
    match fair {
        Fair::No => None,
        Fair::Weak => Some("weak"),
        Fair::Strong => Some("strong"),
    }
}

/// Answers all questions about one style.
pub(crate) fn answer(
    instance: &Instance,
    style: Style,
    questions: &Questions<'_>,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, String> {
    let implementation = instance.implementation(style)?.with_capacity(questions.capacity);
    let begun = Instant::now();
    let behaviour: Box<dyn Behaviour> = match questions.drive {
        None => Box::new(implementation.clone()),
        Some(command) => Box::new(driving::start(command, implementation.clone())?),
    };
    let explored = Explored::new(&*behaviour, questions.limits);
    let mut answers =
        Answers { instance, questions, implementation, behaviour, output, report, exit: Exit::Holds };
    answers.say_size(&explored);
    answers.deadlock(&explored)?;
    answers.traces()?;
    answers.queues(&explored);
    let product = answers.properties(&explored)?;
    let exit = answers.exit;
    let figures = ExplorationFigures {
        states: explored.states.len(),
        transitions: explored.transitions(),
        depth: explored.depth(),
        bytes_per_state: explored.bytes() / explored.states.len().max(1),
        product: product.map(|(product_states, product_transitions)| ProductFigures {
            product_states,
            product_transitions,
            product_milliseconds: usize::try_from(begun.elapsed().as_millis()).unwrap_or(usize::MAX),
        }),
    };
    report.stats.figures = Figures::Exploration(figures);
    Ok(exit)
}

impl Answers<'_> {
    fn style(&self) -> Style {
        self.implementation.style()
    }

    /// The name of an answer: that of the style is part of it.
    fn name(&self, what: &str) -> String {
        format!("{}:{what}", self.style())
    }

    fn say_size(&self, explored: &Explored) {
        let (states, steps) = (count(explored.states.len(), "state"), count(explored.transitions(), "step"));
        let of = match self.style() {
            Style::Spec => "the specification with channels".to_owned(),
            style if self.questions.drive.is_some() => format!("the {style} program"),
            style => format!("the {style} implementation"),
        };
        self.output.result(&format!("{of}: {states}, {steps}"));
    }

    fn unknown(&mut self, reason: String) {
        self.output.result(&format!("  unknown: {reason}"));
        self.report.reason.get_or_insert(reason);
        self.exit = self.exit.worse(Exit::Unknown);
    }

    fn incomplete(&self, explored: &Explored) -> Option<String> {
        explored.incomplete.as_ref().map(|reason| match &explored.growth {
            Some(growth) => {
                let (from, to) = self.implementation.channels()[growth.channel];
                let name = |role: u32| &self.implementation.vocabulary().roles[role as usize].name;
                format!("the channel from `{}` to `{}` grows without bound", name(from), name(to))
            }
            None => in_words(reason),
        })
    }

    fn document(&self, trace: &Trace, property: Option<(&str, FindingKind)>, formula: Option<&str>) -> Value {
        let protocol = self.instance.details(&self.implementation, self.questions.capacity);
        let details = Details {
            property: property.map(|(name, _)| name.to_owned()),
            kind: property.map(|(_, kind)| kind),
            formula: formula.map(str::to_owned),
            infinite_runs: self.questions.runs.infinite_only && formula.is_some(),
            fair: fair_in_words(self.questions.runs.fair).map(str::to_owned).into_iter().collect(),
            ..Details::of_protocol(
                self.questions.command,
                self.instance.file(),
                self.implementation.vocabulary().roles.len(),
                protocol,
            )
        };
        details.document(trace)
    }

    fn push(
        &mut self,
        name: &str,
        kind: &str,
        verdict: Verdict,
        formula: Option<&str>,
        trace: Option<Value>,
    ) {
        self.report.properties.push(PropertyReport {
            formula: formula.map(str::to_owned),
            trace,
            ..PropertyReport::undeclared(name, kind, verdict)
        });
    }

    /// Reports a violation, and writes its trace if it is the first one.
    fn violated(&mut self, document: &Value) -> Result<(), String> {
        self.exit = self.exit.worse(Exit::Violated);
        if self.report.trace.is_none() {
            self.report.trace = Some(document.clone());
            if let Some(path) = &self.questions.trace.trace {
                trace_file::write(path, document)?;
            }
        }
        Ok(())
    }

    fn show(&self, trace: &Trace) {
        self.output.steps(trace);
    }

    /// What is on its way in a state, if anything is.
    fn on_its_way(&self, state: &State) -> Option<String> {
        let vocabulary = self.implementation.vocabulary();
        let name = |role: u32| &vocabulary.roles[role as usize].name;
        let channels = self.implementation.channels().iter().zip(&state.channels);
        let full = channels.filter(|(_, channel)| !channel.messages.is_empty());
        let told = full.map(|((from, to), channel)| {
            let types: Vec<&str> = channel
                .messages
                .iter()
                .map(|message| message.kind.map_or("a message", |kind| &*vocabulary.types[kind as usize]))
                .collect();
            format!("{} from {} to {}", types.join(", "), name(*from), name(*to))
        });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| told.join("; "))
    }

    fn deadlock(&mut self, explored: &Explored) -> Result<(), String> {
        let name = self.name("deadlock");
        let Some(state) = explored.deadlock() else {
            match self.incomplete(explored) {
                None => {
                    self.output.result("  no run gets stuck");
                    self.push(&name, "deadlock", Verdict::Holds, None, None);
                }
                Some(reason) => {
                    self.push(&name, "deadlock", Verdict::Unknown, None, None);
                    self.unknown(reason);
                }
            }
            return Ok(());
        };
        let schedule = Schedule { initial: 0, actions: explored.choices_to(state) };
        let trace = run(&*self.behaviour, &schedule)?;
        let steps = count(trace.steps.len(), "step");
        self.output.result(&format!("  violated: a run gets stuck after {steps}"));
        self.show(&trace);
        if let Some(messages) = self.on_its_way(&explored.states[state as usize]) {
            self.output.result(&format!("    never received: {messages}"));
        }
        let document = self.document(&trace, Some(("deadlock", FindingKind::Deadlock)), None);
        self.push(&name, "deadlock", Verdict::Violated, None, Some(document.clone()));
        self.violated(&document)
    }

    /// Compares an implementation with the specification.
    fn traces(&mut self) -> Result<(), String> {
        if self.style() == Style::Spec {
            return Ok(());
        }
        let specification = self.instance.implementation(Style::Spec)?.with_capacity(self.questions.capacity);
        let comparison = compare(&specification, &*self.behaviour, self.questions.limits);
        let name = self.name("traces");
        for difference in &comparison.lost {
            let text = self.told(difference);
            self.output.result(&format!("  violated: a run of the specification is lost: {text}"));
        }
        self.added(&comparison)?;
        if let Some(lost) = comparison.lost.first() {
            let trace = recorded(&specification, lost)?;
            let document = self.document(&trace, None, None);
            self.push(&name, "traces", Verdict::Violated, None, Some(document.clone()));
            return self.violated(&document);
        }
        if let Some(reason) = &comparison.incomplete {
            self.push(&name, "traces", Verdict::Unknown, None, None);
            self.unknown(format!("not all traces were compared: {}", in_words(reason)));
            return Ok(());
        }
        let told = if comparison.added.is_empty() {
            "  it has exactly the runs of the specification"
        } else {
            "  no run is lost"
        };
        self.output.result(told);
        self.push(&name, "traces", Verdict::Holds, None, None);
        Ok(())
    }

    fn added(&mut self, comparison: &Comparison) -> Result<(), String> {
        for difference in &comparison.added {
            let text = self.told(difference);
            let message = format!("a run is added: {text}");
            self.output.result(&format!("  remark: {message}"));
            let trace = recorded(&*self.behaviour, difference)?;
            let trace = Some(self.document(&trace, None, None));
            self.report.remarks.push(Remark { code: "added-trace", message, trace });
        }
        Ok(())
    }

    fn told(&self, difference: &Difference) -> String {
        let vocabulary = self.implementation.vocabulary();
        let steps = difference.trace.iter().map(|action| vocabulary.text(action));
        let last = difference.action.as_ref().map_or_else(|| "END".to_owned(), |it| vocabulary.text(it));
        steps.chain([last]).collect::<Vec<_>>().join("; ")
    }

    fn queues(&mut self, explored: &Explored) {
        if !explored.is_complete() || self.questions.capacity.is_some() {
            return;
        }
        let longest = explored.longest_queue();
        let mut message = format!("channels hold at most {}", count(longest, "message"));
        if longest > 0 && explored.deadlock().is_none() && self.questions.drive.is_none() {
            match safe_capacity(&self.implementation, longest, self.questions.limits) {
                Some(least) if least < longest => {
                    message += &format!("; with room for {least} no run gets stuck either");
                }
                _ => {}
            }
        }
        self.output.result(&format!("  {message}"));
        self.report.remarks.push(Remark { code: "queues", message, trace: None });
        let message = match explored.trapped() {
            None => "from every state the run can end".to_owned(),
            Some(0) => "no run ends".to_owned(),
            Some(_) => "there are states from which no run ends".to_owned(),
        };
        self.output.result(&format!("  {message}"));
        self.report.remarks.push(Remark { code: "termination", message, trace: None });
    }

    /// Decides the properties; the size of all products together.
    fn properties(&mut self, explored: &Explored) -> Result<Option<(usize, usize)>, String> {
        let mut size = None;
        for asked in self.questions.asked {
            let judgement = check(
                &*self.behaviour,
                explored,
                &asked.property,
                self.questions.runs,
                asked.automaton.as_ref(),
            );
            let (states, transitions) = size.unwrap_or((0, 0));
            size = Some((states + judgement.states, transitions + judgement.transitions));
            self.judged(asked, judgement, explored)?;
        }
        Ok(size)
    }

    fn judged(&mut self, asked: &Asked, judgement: Judgement, explored: &Explored) -> Result<(), String> {
        let name = self.name(&asked.name);
        let formula = Some(asked.text.as_str());
        match (judgement.verdict, judgement.violation) {
            (Verdict::Holds, _) => {
                self.output.result(&format!("  `{}` holds: {}", asked.name, asked.text));
                self.push(&name, "ltl", Verdict::Holds, formula, None);
            }
            (Verdict::Violated, Some(violation)) => {
                let how = if violation.message.is_empty() { "by this run" } else { &violation.message };
                self.output.result(&format!("  violated: `{}`, {how}: {}", asked.name, asked.text));
                self.show(&violation.trace);
                let document =
                    self.document(&violation.trace, Some((&asked.name, FindingKind::Ltl)), formula);
                self.push(&name, "ltl", Verdict::Violated, formula, Some(document.clone()));
                self.violated(&document)?;
            }
            _ => {
                self.push(&name, "ltl", Verdict::Unknown, formula, None);
                let reason = match judgement.open {
                    Some(Open::Formula(reason)) => reason.to_string(),
                    Some(Open::Contradiction(reason)) => format!("the answer contradicts itself: {reason}"),
                    Some(Open::Incomplete) | None => {
                        self.incomplete(explored).unwrap_or_else(|| "not all runs were examined".into())
                    }
                };
                self.unknown(format!("`{}`: {reason}", asked.name));
            }
        }
        Ok(())
    }
}

/// Why not everything was looked at.
fn in_words(reason: &Incomplete) -> String {
    match reason {
        Incomplete::LongQueue => "a channel gets longer than what is looked at".to_owned(),
        Incomplete::Limit(limit) => limit.to_string(),
        Incomplete::Fault(fault) => fault.to_string(),
    }
}

fn run(of: &dyn Behaviour, schedule: &Schedule<Choice>) -> Result<Trace, String> {
    let recorded = Runner::new(of).and_then(|mut runner| record(&mut runner, schedule));
    recorded.map_err(|fault| fault.to_string())
}

/// A difference as a trace of the one that has it.
fn recorded(of: &dyn Behaviour, difference: &Difference) -> Result<Trace, String> {
    let actions = difference.trace.iter().chain(&difference.action);
    let actions = actions.map(|action| Choice { action: action.clone(), number: 0 }).collect();
    run(of, &Schedule { initial: 0, actions })
}
