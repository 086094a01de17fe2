//! An implementation of a protocol as a system that the debugger steps through.

use ::protocol::{Choice, Implementation, Property, Runner, State, holds_here, tree::Verb};
use ::step::{Call, Evidence, Finding, Inspect, Matter, Reason, Refusal, TermValue, Value};
use explore::{Fault, FindingKind, Label, Steered, System, Valuation};

/// An implementation in one of its states.
pub(crate) struct Stepped<'i> {
    implementation: &'i Implementation,
    runner: Runner<'i>,
}

impl<'i> Stepped<'i> {
    pub(crate) fn new(implementation: &'i Implementation) -> Result<Stepped<'i>, String> {
        let runner = Runner::new(implementation).map_err(|fault| fault.to_string())?;
        Ok(Stepped { implementation, runner })
    }

    fn choices(&self) -> Vec<Choice> {
        let mut choices = Vec::new();
        self.runner.enabled(&mut choices);
        choices
    }

    /// What a channel holds, in words.
    fn contents(&self, from: usize, to: usize) -> Option<TermValue> {
        let ends = (u32::try_from(from).ok()?, u32::try_from(to).ok()?);
        let channel = self.implementation.channel(ends.0, ends.1)?;
        let vocabulary = self.implementation.vocabulary();
        let kind = |kind: Option<u32>| kind.map_or("*", |kind| &vocabulary.types[kind as usize]);
        let messages = &self.runner.state().channels[channel].messages;
        let words: Vec<&str> = messages.iter().map(|message| kind(message.kind)).collect();
        let value = if words.is_empty() { "empty".to_owned() } else { words.join(" ") };
        let name = |role: usize| &vocabulary.roles[role].name;
        Some(TermValue { term: format!("channel({}, {})", name(from), name(to)), value })
    }
}

impl Steered for Stepped<'_> {
    type Action = Choice;
    type Identity = State;

    fn initials(&mut self) -> Result<usize, Fault> {
        self.runner.initials()
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.runner.start(initial)
    }

    fn enabled(&self, actions: &mut Vec<Choice>) {
        self.runner.enabled(actions);
    }

    fn take(&mut self, choice: &Choice) -> Result<(), Fault> {
        self.runner.take(choice)
    }

    fn identity(&self) -> State {
        self.runner.identity()
    }

    fn ended(&self) -> bool {
        self.runner.ended()
    }

    fn process(&self, choice: &Choice) -> Option<usize> {
        self.runner.process(choice)
    }

    fn actors(&self) -> Vec<String> {
        self.runner.actors()
    }

    fn label(&self, choice: &Choice) -> Label {
        self.runner.label(choice)
    }

    fn describe(&self) -> Valuation {
        self.runner.describe()
    }
}

impl System for Stepped<'_> {
    type Checkpoint = State;

    fn checkpoint(&mut self) -> State {
        self.runner.checkpoint()
    }

    fn restore(&mut self, state: &State) -> Result<(), Fault> {
        self.runner.restore(state)
    }
}

/// `send_Move`
fn name(implementation: &Implementation, verb: Verb, message: Option<u32>) -> String {
    let verb = match verb {
        Verb::Send => "send",
        Verb::Receive => "recv",
        Verb::Handshake => "sync",
        Verb::Close => "close",
    };
    let Some(kind) = message else { return verb.to_owned() };
    let kind = &implementation.vocabulary().types[kind as usize];
    let plain: String =
        kind.chars().map(|letter| if letter.is_alphanumeric() { letter } else { '_' }).collect();
    format!("{verb}_{plain}")
}

impl Inspect for Stepped<'_> {
    fn processes(&self) -> usize {
        self.implementation.vocabulary().roles.len()
    }

    /// Who acts comes first, then the others.
    fn call(&self, choice: &Choice) -> Call {
        let action = &choice.action;
        let others = if action.verb == Verb::Receive { vec![action.from] } else { action.to.to_vec() };
        let roles = std::iter::once(action.subject()).chain(others).map(|role| role as usize).collect();
        let name = name(self.implementation, action.verb, action.message);
        Call { choice: Some(choice.number), ..Call::new(name, roles) }
    }

    /// A formula about channels and enabled actions.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Refusal> {
        let unanswerable = |why: String| Refusal::Unanswerable { why };
        let property = Property::parse(expression, self.implementation.vocabulary())
            .map_err(|error| unanswerable(error.message.clone()))?;
        let here = holds_here(&property, self.implementation, self.runner.state());
        match here.map_err(|fault| unanswerable(fault.to_string()))? {
            Ok(truth) => Ok(Value::Truth(truth)),
            Err(_) => Err(unanswerable("this is about steps; write `\"ENABLED …\"`, `\"LEN(p,q) <= 1\"`, `\"EMPTY(p,q)\"`, `END`, `DEAD`".into())),
        }
    }

    fn explain(&self, call: &Call) -> Result<Vec<Reason>, Refusal> {
        let exists = self.transitions().contains(&call.name);
        let in_range = call.processes.iter().all(|role| *role < self.processes());
        if !exists || !in_range || call.processes.len() < 2 {
            return Err(Refusal::Unanswerable {
                why: "there is no such action; `all` lists those that are possible".into(),
            });
        }
        let possible: Vec<String> = self
            .choices()
            .iter()
            .filter(|choice| choice.action.subject() as usize == call.processes[0])
            .map(|choice| self.label(choice).to_string())
            .collect();
        let role = &self.implementation.vocabulary().roles[call.processes[0]].name;
        let mut values = vec![TermValue {
            term: format!("what {role} may do"),
            value: if possible.is_empty() { "nothing".to_owned() } else { possible.join("; ") },
        }];
        let ends = if call.name.starts_with("recv") {
            (call.processes[1], call.processes[0])
        } else {
            (call.processes[0], call.processes[1])
        };
        values.extend(self.contents(ends.0, ends.1));
        let condition = "the protocol allows it here".to_owned();
        Ok(vec![Reason::False { condition, evidence: Evidence::Values { values }, location: None }])
    }

    fn findings(&self) -> Vec<Finding> {
        if !self.choices().is_empty() || self.runner.ended() {
            return vec![];
        }
        let matter = Matter::Deadlock { blocked: vec![] };
        vec![Finding {
            kind: FindingKind::Deadlock,
            name: "deadlock".into(),
            violation: true,
            matter,
            location: None,
        }]
    }

    fn transitions(&self) -> Vec<String> {
        let vocabulary = self.implementation.vocabulary();
        let mut names: Vec<String> = Vec::new();
        for action in &vocabulary.actions {
            // A receive takes what was sent.
            let kinds: Vec<Option<u32>> = if action.verb == Verb::Receive {
                (0..).take(vocabulary.types.len()).map(Some).chain([None]).collect()
            } else {
                vec![action.message]
            };
            names.extend(kinds.into_iter().map(|kind| name(self.implementation, action.verb, kind)));
        }
        names.sort();
        names.dedup();
        names
    }

    fn words(&self) -> Vec<String> {
        let vocabulary = self.implementation.vocabulary();
        vocabulary
            .roles
            .iter()
            .map(|role| role.name.clone())
            .chain(["ENABLED", "EMPTY", "LEN"].map(str::to_owned))
            .collect()
    }
}
