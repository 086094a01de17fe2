//! A model for a fixed number of processes, as something to step through.

use crate::{
    Call, Exit, Found, ProcessStatus, Resource, Snapshot, Status, Subject, Vocabulary, Why, Wrong, explain,
    words::{count, did_you_mean, people},
};
use explore::{DeadlockPolicy, FindingKind, Severity};
use explore::{Limit, Stats, Steered, System, Valuation};
use instance::for_width;
use instance::judge::Judge;
use instance::{
    Action, Instance, LockStatus, Machine, Unanswerable, Waiting,
    reach::{Effort, Goal, Reached, reach},
};
use ir::{At, Expression, LockKind, LoneExpression, Model, Origin as SymbolOrigin, SymbolId};
use model::Queues;
use source::{Diagnostics, Source, Span, Style, render};
use std::{collections::BTreeMap, rc::Rc};

/// Where a session over a model comes from.
#[derive(Debug, Clone)]
pub struct Origin<'m> {
    /// The model.
    pub model: &'m Model,
    /// Its text, for formulas that use its words.
    pub source: &'m Source,
    /// Who is woken.
    pub queues: Queues,
    /// What a deadlock counts for.
    pub deadlock: DeadlockPolicy,
    /// How `goto` searches.
    pub effort: Effort,
}

/// A model to step through.
pub struct ModelSubject<'m, 'i, const W: usize> {
    origin: Origin<'m>,
    machine: Machine<'m, 'i, W>,
    initials: usize,
    /// The exits of the state in which the machine is.
    exits: Vec<Action>,
    /// Expressions that were asked for, so that they are read once.
    expressions: BTreeMap<String, Rc<LoneExpression>>,
}

/// The instances of a model as something to step through; none if their states are too large.
pub fn subject<'i, 'm: 'i>(
    origin: Origin<'m>,
    instances: &'i [Instance<'m>],
) -> Option<Box<dyn Subject + 'i>> {
    Some(for_width!(instances, boxed(origin, instances), return None))
}

fn boxed<'i, 'm: 'i, const W: usize>(
    origin: Origin<'m>,
    instances: &'i [Instance<'m>],
) -> Box<dyn Subject + 'i> {
    let machine = Machine::<W>::new(instances);
    let initials = instances.iter().map(Instance::initial_states).sum();
    let expressions = BTreeMap::new();
    Box::new(ModelSubject { origin, machine, initials, exits: vec![], expressions })
}

impl<'m, const W: usize> ModelSubject<'m, '_, W> {
    /// Lists the exits of a new state.
    fn arrive(&mut self) {
        self.machine.forget_obstacles();
        self.exits.clear();
        self.machine.enabled(&mut self.exits);
    }

    fn model(&self) -> &'m Model {
        self.origin.model
    }

    fn call(&self, action: Action) -> Call {
        let (transition, processes) = self.machine.step_of(&action);
        let rule = &self.model().rules[self.model().transitions[transition].rule.index()];
        let params = rule.params.len().min(processes.len());
        Call {
            name: rule.name.clone(),
            processes: processes[..params].to_vec(),
            woken: processes.get(params).copied(),
            choice: Some(action.choice()),
            variant: Some(self.machine.variant_of(&action)),
        }
    }

    /// Whether a variable is no part of a lock, and belongs to the user.
    fn is_plain(&self, symbol: SymbolId) -> bool {
        let locks = self.model().threads.iter().flat_map(|threads| &threads.locks);
        self.model().symbol(symbol).origin == SymbolOrigin::Declared
            && !locks.into_iter().any(|lock| lock.state == symbol)
    }

    fn variables(&self) -> Valuation {
        let places = self.machine.places();
        let plain = places.iter().enumerate().filter(|(_, (symbol, _))| self.is_plain(*symbol));
        let cell = |(slot, (symbol, indices)): (usize, &(SymbolId, Vec<usize>))| {
            let indices: Vec<String> = indices.iter().map(|at| people(&[*at])).collect();
            let cell = if indices.is_empty() { String::new() } else { format!("[{}]", indices.join(",")) };
            (format!("{}{cell}", self.model().symbol(*symbol).name), self.machine.show(slot))
        };
        plain.map(cell).collect()
    }

    fn process(&self, process: usize) -> ProcessStatus {
        let names = self.model().kinds.as_ref().map(|kinds| &self.model().enums[kinds.kinds.index()]);
        let kind = names.map(|names| names.constructors[self.machine.kinds()[process] as usize].clone());
        let activity = self.machine.waiting(process).map_or("active".into(), |waiting| activity(&waiting));
        ProcessStatus { kind, activity }
    }

    fn sentence(&self, wrong: &instance::judge::Description) -> String {
        let (kind, name) = (wrong.kind.word(), &wrong.name);
        let with =
            if wrong.roles.is_empty() { String::new() } else { format!(" with {}", people(&wrong.roles)) };
        match wrong.kind {
            FindingKind::Deadlock if wrong.severity == Severity::Violation => {
                let waiting = self.machine.who_waits();
                let colon = if waiting.is_empty() { "" } else { ": " };
                format!("deadlock: nobody can go on{colon}{waiting}")
            }
            FindingKind::Deadlock => "the run ends here: no transition is possible".into(),
            FindingKind::Stuck => "the run ends here: no transition is possible, and nobody waits".into(),
            FindingKind::Misuse | FindingKind::Range => {
                format!("{kind} `{name}`: {}", self.broken_step(wrong))
            }
            FindingKind::Unsafe | FindingKind::Invariant | FindingKind::Assumption => {
                format!("{kind} `{name}` is violated{with}")
            }
        }
    }

    /// The step that a rule of the language forbids.
    fn broken_step(&self, wrong: &instance::judge::Description) -> String {
        let properties = &self.model().properties;
        let property =
            properties.iter().find(|property| property.name == wrong.name && property.rule.is_some());
        let rule = property.and_then(|property| property.rule).map(|rule| &self.model().rules[rule.index()]);
        let step = rule.map_or("a step".into(), |rule| {
            let processes = wrong.roles.iter().copied().take(rule.params.len()).collect();
            let (name, woken, choice, variant) = (rule.name.clone(), None, None, None);
            format!("`{}`", Call { name, processes, woken, choice, variant })
        });
        let why = match wrong.kind {
            FindingKind::Range => "would leave the range of a variable",
            _ => "would use what it must not: a lock that it does not own, or a process that is none",
        };
        format!("{step} {why}")
    }

    /// How many processes have names.
    fn named(&self) -> u32 {
        u32::try_from(self.processes()).unwrap_or(u32::MAX)
    }

    /// An expression from outside of the model.
    fn read(&mut self, text: &str) -> Result<Rc<LoneExpression>, String> {
        if let Some(known) = self.expressions.get(text) {
            return Ok(known.clone());
        }
        let Origin { source, queues, .. } = self.origin;
        let read = model::expression_about(source, queues, self.named(), text);
        let read = Rc::new(read.map_err(|diagnostics| rendered("watch", text, diagnostics))?);
        self.expressions.insert(text.to_owned(), read.clone());
        Ok(read)
    }

    /// What is meant by a goal: a formula, or the name of a property.
    fn goal(&self, text: &str) -> Result<Goal, String> {
        let named = self.model().properties.iter().find(|property| property.name == text);
        match named {
            _ if text == "deadlock" => Ok(Goal::Deadlock),
            Some(property) => Ok(Goal::violation(property)),
            None => model::formula_about(self.origin.source, self.origin.queues, self.named(), text)
                .map(|formula| Goal::Formula(Box::new(formula)))
                .map_err(|diagnostics| rendered("goto", text, diagnostics)),
        }
    }

    /// The exits of some actions, taken one after the other from here. Comes back.
    fn positions(&mut self, actions: &[Action]) -> Result<Vec<usize>, String> {
        let here = self.snapshot();
        let mut positions = Vec::with_capacity(actions.len());
        for action in actions {
            let at = self.exits.iter().position(|exit| exit == action);
            let at = at.ok_or("the way to it cannot be followed")?;
            positions.push(at);
            self.take(at)?;
        }
        self.restore(&here)?;
        Ok(positions)
    }

    fn answer(&mut self, reached: Reached, stats: &Stats) -> Result<Found, String> {
        let visited = count(stats.states, "state");
        let processes = count(self.processes(), "process");
        Ok(match reached {
            Reached::Path(actions) => Found::Path(self.positions(&actions)?, stats.states),
            Reached::Nowhere => Found::Nowhere(format!(
                "no such state can be reached from here with {processes}: all {visited} were visited"
            )),
            Reached::Limit(limit) => {
                let why = if limit == Limit::Cancelled {
                    "the search was interrupted".into()
                } else {
                    limit.to_string()
                };
                Found::Unknown(format!("{why}; none of {visited} is one"))
            }
            Reached::Ranges => Found::Unknown(format!(
                "no such state can be reached within the given ranges ({visited}), but they leave out some steps or values"
            )),
            Reached::Obstacle(obstacle) => {
                Found::Unknown(format!("{}; none of {visited} is one", obstacle.explain(self.model())))
            }
            Reached::Unanswerable => Found::Unknown(format!(
                "none of {visited} is one, but in some of them the formula reads what has no value"
            )),
            Reached::Contradiction(what) => Found::Unknown(format!("the search contradicts itself: {what}")),
        })
    }

    fn words_of(&self, unanswerable: Unanswerable) -> String {
        match unanswerable {
            Unanswerable::Unset(symbol) => {
                format!("`{}` has no value yet", self.model().symbol(symbol).name)
            }
            other => other.to_string(),
        }
    }
}

impl<const W: usize> Subject for ModelSubject<'_, '_, W> {
    fn processes(&self) -> usize {
        self.machine.kinds().len()
    }

    fn initials(&self) -> usize {
        self.initials
    }

    fn start(&mut self, initial: usize) -> Result<(), String> {
        self.machine.start(initial).map_err(|fault| fault.to_string())?;
        self.arrive();
        Ok(())
    }

    fn exits(&self) -> usize {
        self.exits.len()
    }

    fn exit(&self, at: usize) -> Exit {
        let action = &self.exits[at];
        let (label, process) = (self.machine.label(action), self.machine.process(action));
        Exit { label, call: self.call(*action), process }
    }

    fn rule(&self, at: usize) -> usize {
        self.model().transitions[self.machine.step_of(&self.exits[at]).0].rule.index()
    }

    fn acts(&self, at: usize, process: usize) -> bool {
        self.machine.process(&self.exits[at]) == Some(process)
    }

    fn takes_part(&self, at: usize, process: usize) -> bool {
        self.machine.step_of(&self.exits[at]).1.contains(&process)
    }

    fn take(&mut self, at: usize) -> Result<(), String> {
        let action = self.exits[at];
        self.machine.take(&action).map_err(|fault| fault.to_string())?;
        self.arrive();
        Ok(())
    }

    fn snapshot(&self) -> Snapshot {
        Box::new(self.machine.identity())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), String> {
        let state = <[u64; W]>::try_from(&**snapshot).map_err(|_| "this is no state of the model")?;
        self.machine.restore(&state).map_err(|fault| fault.to_string())?;
        self.arrive();
        Ok(())
    }

    fn describe(&self) -> Valuation {
        self.machine.describe()
    }

    fn actors(&self) -> Vec<String> {
        self.machine.actors()
    }

    fn status(&self) -> Status {
        Status {
            processes: (0..self.processes()).map(|process| self.process(process)).collect(),
            variables: self.variables(),
            resources: resources(self.machine.locks()),
        }
    }

    fn wrong(&self) -> Vec<Wrong> {
        // Where steps may be missing, nobody can say that there is none.
        let uncertain = self.machine.obstacle().is_some();
        let found = Judge::new(self.model(), self.origin.deadlock).describe_here(&self.machine);
        let certain = found.iter().filter(|wrong| !uncertain || !wrong.kind.is_end());
        let told = certain.map(|wrong| Wrong {
            kind: wrong.kind.word(),
            name: wrong.name.clone(),
            violation: wrong.severity == Severity::Violation,
            sentence: self.sentence(wrong),
        });
        told.collect()
    }

    fn trouble(&self) -> Option<String> {
        let cut = || self.exits.is_empty() && self.machine.has_steps_here();
        match self.machine.obstacle() {
            Some(obstacle) => {
                Some(format!("some steps cannot be told here: {}", obstacle.explain(self.model())))
            }
            None => cut().then(|| "every step from here leaves the given ranges".to_owned()),
        }
    }

    fn why(&self, call: &Call) -> Result<Why, String> {
        let fitting: Vec<String> = self
            .exits
            .iter()
            .filter(|exit| call.means(&self.call(**exit)))
            .map(|exit| self.machine.label(exit))
            .collect();
        explain::why(self.model(), &self.machine, call, fitting)
    }

    fn choices(&self, name: &str) -> Vec<Call> {
        let mut arities: Vec<usize> = self
            .model()
            .rules
            .iter()
            .filter(|rule| rule.name == name)
            .map(|rule| rule.params.len())
            .collect();
        arities.sort_unstable();
        arities.dedup();
        let call =
            |processes| Call { name: name.to_owned(), processes, woken: None, choice: None, variant: None };
        let chosen = arities.into_iter().filter(|arity| *arity > 0);
        chosen.flat_map(|arity| arrangements(self.processes(), arity)).map(call).collect()
    }

    fn text_of(&self, name: &str) -> Result<Vec<String>, String> {
        let model = self.model();
        let rules = model.rules.iter().map(|rule| (&rule.name, rule.at));
        let declared = model.properties.iter().chain(&model.assumptions);
        let properties =
            declared.filter(|property| property.rule.is_none()).map(|property| (&property.name, property.at));
        let all: Vec<(&String, At)> = rules.chain(properties).collect();
        let lines: Vec<String> = all
            .iter()
            .filter(|(known, _)| *known == name)
            .flat_map(|(_, at)| listing(self.origin.source, at.0))
            .collect();
        if lines.is_empty() {
            let names = all.iter().map(|(name, _)| name.as_str());
            return Err(format!(
                "there is no transition and no property `{name}`{}",
                did_you_mean(name, names)
            ));
        }
        Ok(lines)
    }

    fn evaluate(&mut self, expression: &str) -> Result<String, String> {
        let value = match &self.read(expression)?.expression {
            Expression::Formula(formula) => self.machine.holds(formula, &[]).map(|holds| holds.to_string()),
            Expression::Term(term) => self.machine.value_of(term, &[]),
        };
        match value {
            Err(wrong @ (Unanswerable::NoSuchProcess(_) | Unanswerable::TooFine)) => {
                Err(self.words_of(wrong))
            }
            // A value that is missing here may be there after the next step.
            Err(missing) => Ok(format!("? ({})", self.words_of(missing))),
            Ok(value) => Ok(value),
        }
    }

    fn find(&mut self, goal: &str) -> Result<Found, String> {
        let goal = self.goal(goal)?;
        let (reached, stats) = reach(self.model(), &self.machine, &goal, &self.origin.effort)
            .map_err(|unanswerable| self.words_of(unanswerable))?;
        self.answer(reached, &stats)
    }

    fn vocabulary(&self) -> Vocabulary {
        let model = self.model();
        let plain = model.symbols.iter().filter(|symbol| symbol.origin == SymbolOrigin::Declared);
        let symbols = plain.map(|symbol| &symbol.name);
        let values = model.enums.iter().flat_map(|of| &of.constructors);
        let properties = model.properties.iter().map(|property| &property.name);
        // Names that lowering makes, such as `waiting(L)`, are no words of the language.
        let is_word = |word: &&String| word.chars().all(|letter| letter.is_alphanumeric() || letter == '_');
        let mut words: Vec<String> =
            symbols.chain(values).chain(properties).filter(is_word).cloned().collect();
        words.extend(["deadlock", "exists", "forall"].map(str::to_owned));
        words.sort();
        words.dedup();
        Vocabulary {
            exits: self.exits.iter().map(|exit| self.machine.label(exit)).collect(),
            transitions: model.rules.iter().map(|rule| rule.name.clone()).collect(),
            words,
        }
    }
}

/// All ways to choose so many different processes in order.
fn arrangements(processes: usize, length: usize) -> Vec<Vec<usize>> {
    (0..length).fold(vec![vec![]], |all, _| {
        let longer = |one: Vec<usize>| {
            let others = (0..processes).filter(|other| !one.contains(other)).collect::<Vec<_>>();
            others.into_iter().map(move |other| [one.as_slice(), &[other]].concat())
        };
        all.into_iter().flat_map(longer).collect()
    })
}

/// The item of a file that holds a place, line by line with numbers.
fn listing(source: &Source, at: Span) -> Vec<String> {
    let tree = model::syntax::parse_file(source.text()).tree;
    let item = tree.children().find(|item| item.text_range().contains_range(at));
    let span = item.map_or(at, |item| item.text_range());
    let text = source.slice(span);
    let from = source.position(span.start()).line;
    let skipped = text[..text.len() - text.trim_start().len()].matches('\n').count();
    let lines: Vec<&str> = text.trim().lines().collect();
    let width = (from + skipped + lines.len()).saturating_sub(1).to_string().len();
    let numbered =
        |(at, line): (usize, &&str)| format!("{:>width$}  {}", from + skipped + at, line.trim_end());
    lines.iter().enumerate().map(numbered).collect()
}

/// What is wrong with a text, pointing into it.
fn rendered(place: &str, text: &str, diagnostics: Diagnostics) -> String {
    let source = Source::new(place, text.to_owned());
    let messages: Vec<String> = diagnostics
        .sorted()
        .iter()
        .map(|diagnostic| render(&source, diagnostic, Style::Coloured).trim_end().to_owned())
        .collect();
    format!("`{text}` has no meaning here\n{}", messages.join("\n"))
}

fn activity(waiting: &Waiting) -> String {
    let state = if waiting.asleep { "asleep on" } else { "suspended, waits for" };
    let place = waiting.ahead.map_or(String::new(), |ahead| format!(" at place {}", ahead + 1));
    format!("{state} {}{place}", waiting.on)
}

/// Locks first, then conditions, then semaphores.
fn resources(locks: Vec<LockStatus>) -> Vec<Resource> {
    let mut resources: Vec<Resource> = locks.into_iter().map(resource).collect();
    let order = ["locks", "conditions", "semaphores"];
    resources.sort_by_key(|resource| order.iter().position(|group| *group == resource.group));
    resources
}

fn resource(lock: LockStatus) -> Resource {
    let held = match (lock.kind, lock.owner, &lock.count) {
        (LockKind::Semaphore, _, value) => format!("value {}", value.as_deref().unwrap_or("?")),
        (LockKind::Reentrant, Some(owner), Some(depth)) if depth != "1" => {
            format!("owner {}, acquired {depth} times", people(&[owner]))
        }
        (_, Some(owner), _) => format!("owner {}", people(&[owner])),
        (_, None, _) => "free".to_owned(),
    };
    let who = |verb: &str, processes: &[usize]| match processes {
        [] => String::new(),
        some => format!("; {} {verb}", people(some)),
    };
    let (waits, sleeps) = (verb(&lock.waiting, "waits", "wait"), verb(&lock.asleep, "sleeps", "sleep"));
    let text = format!("{held}{}{}", who(waits, &lock.waiting), who(sleeps, &lock.asleep));
    let group = match lock.kind {
        LockKind::Lock | LockKind::Reentrant => "locks",
        LockKind::Condition => "conditions",
        LockKind::Semaphore => "semaphores",
    };
    Resource { group, name: lock.name, text }
}

fn verb(of: &[usize], one: &'static str, many: &'static str) -> &'static str {
    if of.len() == 1 { one } else { many }
}
