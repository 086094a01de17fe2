//! A session about a system that has nothing to do with models: two counters, and an engine of its own.

use explore::{Entry, Fault, FindingKind, Label, Steered, System, Trace, Valuation, Value as Number};
use step::{
    Answer, Call, Command, Evidence, Finding, Inconclusive, Inspect, Matter, Options, Outcome, Reason,
    Refusal, Report, Session, Store, TermValue, Value,
};

/// Each process counts up to three with its own counter; the second may not overtake the first.
struct Counters([u8; 2]);

const LAST: u8 = 3;

impl Steered for Counters {
    type Action = usize;
    type Identity = [u8; 2];

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        self.0 = [0, 0];
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<usize>) {
        let [first, second] = self.0;
        actions.extend((first < LAST).then_some(0));
        actions.extend((second < first).then_some(1));
    }

    fn take(&mut self, process: &usize) -> Result<(), Fault> {
        self.0[*process] += 1;
        Ok(())
    }

    fn identity(&self) -> [u8; 2] {
        self.0
    }

    fn ended(&self) -> bool {
        self.0 == [LAST, LAST]
    }

    fn process(&self, process: &usize) -> Option<usize> {
        Some(*process)
    }

    fn label(&self, process: &usize) -> Label {
        self.call(process).into()
    }

    fn describe(&self) -> Valuation {
        let entry =
            |(process, value): (usize, u8)| Entry::cell("N", &[process], Number::Integer(value.into()));
        (0..).zip(self.0).map(entry).collect()
    }
}

impl System for Counters {
    type Checkpoint = [u8; 2];

    fn checkpoint(&mut self) -> [u8; 2] {
        self.0
    }

    fn restore(&mut self, checkpoint: &[u8; 2]) -> Result<(), Fault> {
        self.0 = *checkpoint;
        Ok(())
    }
}

impl Inspect for Counters {
    fn processes(&self) -> usize {
        2
    }

    fn call(&self, process: &usize) -> Call {
        Call::new("count", vec![*process])
    }

    /// The language: `N1`, `N2`, and `N1 = K`.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Refusal> {
        let unknown = || Refusal::Unanswerable { why: format!("`{expression}` is not an expression") };
        let (term, wanted) = match expression.split_once('=') {
            Some((term, value)) => (term.trim(), Some(value.trim())),
            None => (expression, None),
        };
        let at = ["N1", "N2"].iter().position(|name| *name == term).ok_or_else(unknown)?;
        let value = self.0[at].to_string();
        Ok(wanted.map_or(Value::Term(value.clone()), |wanted| Value::Truth(wanted == value)))
    }

    fn explain(&self, call: &Call) -> Result<Vec<Reason>, Refusal> {
        let [process] = call.processes[..] else {
            return Err(Refusal::Arity { name: "count".into(), parameters: vec!["p".into()] });
        };
        let condition = if process == 0 { "N1 < 3" } else { "N2 < N1" }.to_owned();
        let value = TermValue { term: format!("N{}", process + 1), value: self.0[process].to_string() };
        Ok(vec![Reason::False {
            condition,
            evidence: Evidence::Values { values: vec![value] },
            location: None,
        }])
    }

    fn findings(&self) -> Vec<Finding> {
        let (kind, name, location) = (FindingKind::Unsafe, "apart".to_owned(), None);
        let matter = Matter::Property { processes: vec![0, 1] };
        let apart = Finding { kind, name, violation: true, matter, location };
        (self.0 == [LAST, 0]).then_some(apart).into_iter().collect()
    }

    fn transitions(&self) -> Vec<String> {
        vec!["count".into()]
    }
}

struct NoFiles;

impl Store for NoFiles {
    fn save(&self, _: &str, _: &Trace, _: Option<&Finding>) -> Result<(), String> {
        Err("there are no files".into())
    }

    fn load(&self, _: &str) -> Result<(Trace, Vec<String>), String> {
        Err("there are no files".into())
    }
}

fn session() -> Session<'static, Counters> {
    let options = Options { seed: 1, most_states: 100, cancel: std::sync::Arc::default() };
    Session::new(Counters([0, 0]), Box::new(NoFiles), options).unwrap()
}

fn ask(session: &mut Session<'_, Counters>, line: &str) -> Answer {
    let command: Command = session.read(line).unwrap().unwrap();
    session.execute(command)
}

#[test]
fn any_system_can_be_stepped_through() {
    let mut session = session();
    let Answer::Enabled { actions } = ask(&mut session, "all") else { panic!("an action is enabled") };
    assert_eq!(actions.iter().map(|action| action.label.as_str()).collect::<Vec<_>>(), ["count(#1)"]);
    let Answer::Moved(moved) = ask(&mut session, "count(#1); count(#2)") else { panic!("it moves") };
    assert_eq!(moved.steps[1].changed, ["N[#2]"]);
    let Answer::State(view) = ask(&mut session, "status") else { panic!("a state") };
    assert_eq!(view.status.variables, session.trace().unwrap().steps[1].state);
    assert!(matches!(ask(&mut session, "why count(#2)"), Answer::Why { .. }));
    assert!(matches!(ask(&mut session, "undo"), Answer::Arrived(here) if here.position.step == 0));
    assert_eq!(ask(&mut session, "list count").outcome(), Outcome::Refused);
    assert_eq!(ask(&mut session, "save file").outcome(), Outcome::Refused);
}

#[test]
fn the_reasons_are_those_of_the_system() {
    let mut session = session();
    let Answer::Refused { refusal: Refusal::NotEnabled { call, reasons } } = ask(&mut session, "count(#2)")
    else {
        panic!("it is not enabled")
    };
    assert_eq!(call.to_string(), "count(#2)");
    assert!(matches!(&reasons[..], [Reason::False { condition, .. }] if condition == "N2 < N1"));
}

#[test]
fn goto_searches_for_a_system_that_has_no_search_of_its_own() {
    let mut session = session();
    let Answer::Moved(moved) = ask(&mut session, "goto N2 = 2") else { panic!("it is reached") };
    assert!(matches!(moved.report, Some(Report::Goto { steps: 4, .. })), "{:?}", moved.report);
    assert_eq!(ask(&mut session, "goto N2 = 2"), Answer::AlreadyThere);
    assert!(matches!(ask(&mut session, "goto N1 = 7"), Answer::Unreachable { processes: 2, .. }));
}

#[test]
fn violations_are_those_of_the_system() {
    let mut session = session();
    let Answer::Moved(moved) = ask(&mut session, "execute_bfs 5") else { panic!("one is found") };
    assert_eq!(moved.here.judgement.findings[0].name, "apart");
    assert!(session.is_violated() && session.step() == 3);
    let Answer::Moved(moved) = ask(&mut session, "continue") else { panic!("it moves") };
    assert!(matches!(moved.report, Some(Report::Continue { .. })));
}

#[test]
fn a_limit_leaves_the_answer_open() {
    let options = Options { seed: 1, most_states: 3, cancel: std::sync::Arc::default() };
    let mut session = Session::new(Counters([0, 0]), Box::new(NoFiles), options).unwrap();
    let answer = ask(&mut session, "goto N2 = 3");
    assert!(matches!(answer, Answer::Inconclusive { why: Inconclusive::Limit { .. }, .. }), "{answer:?}");
    assert_eq!((answer.outcome(), session.step()), (Outcome::Unknown, 0));
}
