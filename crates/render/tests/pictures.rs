//! Pictures as files: well formed, complete, escaped, and for one example each exactly as they should be.
//!
//! `GOLDEN=write cargo test -p view` writes the expected files anew; look at them before they are kept.

use explore::{Buffered, Call, Entry, Label, Step, Stored, Subject, Trace, Valuation, Value, Variable};
use quick_xml::{Reader, events::Event};
use render::{Caption, Edge, EdgeClass, Graph, Node, NodeClass};
use std::{fs, path::Path};

fn step(call: Call, state: Valuation) -> Step {
    Step { process: Some(call.processes[0]), label: call.into(), state }
}

/// #1 takes a lock, #2 waits for it, #1 gives it to #2.
fn handover() -> Trace {
    let state = |owner, one: &str, two| {
        vec![
            Entry { subject: Subject::Owner(Variable::cell("Door", &[])), value: owner },
            Entry::cell("Loc", &[0], Value::word(one)),
            Entry { subject: Subject::Blocked(0), value: Value::Active },
            Entry { subject: Subject::Blocked(1), value: two },
        ]
    };
    let leave = Call { woken: Some(1), ..Call::new("leave", vec![0]) };
    Trace {
        initial: 0,
        actors: vec![],
        start: state(Value::Nobody, "Outside", Value::Active),
        steps: vec![
            step(Call::new("enter", vec![0]), state(Value::Process(0), "Inside", Value::Active)),
            step(
                Call::new("enter", vec![1]),
                state(Value::Process(0), "Inside", Value::Waiting("Door".into())),
            ),
            step(leave, state(Value::Process(1), "Outside", Value::Active)),
        ],
        back: None,
    }
}

/// #1 stores twice before the first store reaches memory; the second changes nothing there. That of #2 never arrives.
fn stores() -> Trace {
    let stored = |name: &str, value| {
        let variable = Variable::cell(name, &[]);
        Buffered { stores: vec![Stored { variable, value: Value::Integer(value) }], copies: Some(1) }
    };
    let state = |memory: [i64; 2], one: Vec<Buffered>, two: Vec<Buffered>| {
        let buffer =
            |process, entries| Entry { subject: Subject::Buffer(process), value: Value::Buffer(entries) };
        vec![
            Entry::variable("X", Value::Integer(memory[0])),
            Entry::variable("Y", Value::Integer(memory[1])),
            buffer(0, one),
            buffer(1, two),
        ]
    };
    let (x, y, z) = (stored("X", 1), stored("Y", 0), stored("Y", 2));
    let call = |name: &str, process| Call::new(name, vec![process]);
    Trace {
        initial: 0,
        actors: vec![],
        start: state([0, 0], vec![], vec![]),
        steps: vec![
            step(call("first", 0), state([0, 0], vec![x.clone()], vec![])),
            step(call("again", 0), state([0, 0], vec![x.clone(), y.clone()], vec![])),
            step(call("other", 1), state([0, 0], vec![x.clone(), y.clone()], vec![z.clone()])),
            step(call("flush", 0), state([1, 0], vec![y], vec![z.clone()])),
            step(call("flush", 0), state([1, 0], vec![], vec![z])),
        ],
        back: None,
    }
}

fn caption(title: &str, ending: &str) -> Caption {
    Caption { title: title.into(), ending: ending.into() }
}

fn node(line: &str, class: NodeClass) -> Node {
    Node { lines: vec![line.into()], class, tooltip: format!("all about {line}") }
}

fn edge(from: usize, to: usize, label: &str) -> Edge {
    Edge { from, to, label: label.into(), name: label.into(), class: EdgeClass::Plain }
}

/// Down, along, back, around, and twice from one to another.
fn graph() -> Graph {
    Graph {
        title: "a small graph".into(),
        nodes: vec![
            node("one", NodeClass::Start),
            node("two", NodeClass::Plain),
            node("three", NodeClass::Stuck),
            node("four", NodeClass::Bad),
        ],
        edges: vec![
            edge(0, 1, "left"),
            edge(0, 2, "right"),
            edge(1, 2, "along"),
            edge(1, 1, "around"),
            Edge { class: EdgeClass::Bad, ..edge(1, 3, "down") },
            edge(1, 3, "down again"),
            edge(3, 0, "back"),
        ],
    }
}

/// The text of all elements of a name; fails where the file is not XML.
fn texts(svg: &str, name: &str) -> Vec<String> {
    let mut reader = Reader::from_str(svg);
    let (mut found, mut inside): (Vec<String>, bool) = (vec![], false);
    loop {
        match reader.read_event().expect("well-formed XML") {
            Event::Start(start) if start.name().as_ref() == name.as_bytes() => {
                found.push(String::new());
                inside = true;
            }
            Event::Text(text) if inside => found.last_mut().unwrap().push_str(&text.decode().unwrap()),
            Event::GeneralRef(entity) if inside => {
                let letter = match entity.decode().unwrap().as_ref() {
                    "lt" => "<",
                    "gt" => ">",
                    "amp" => "&",
                    "quot" => "\"",
                    other => panic!("&{other};"),
                };
                found.last_mut().unwrap().push_str(letter);
            }
            Event::End(end) if end.name().as_ref() == name.as_bytes() => inside = false,
            Event::Eof => return found,
            _ => {}
        }
    }
}

fn golden(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden").join(name);
    if std::env::var_os("GOLDEN").is_some_and(|value| value == "write") {
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert_eq!(text, expected, "{} differs", path.display());
}

#[test]
fn a_diagram_is_as_it_should_be() {
    golden("handover.svg", &render::diagram(&handover(), 2, &caption("a lock changes hands", "the end")));
}

#[test]
fn a_graph_is_as_it_should_be() {
    golden("small.svg", &render::graph_svg(&graph()));
    golden("small.dot", &render::dot(&graph()));
}

#[test]
fn every_step_and_every_change_is_in_the_diagram() {
    let svg = render::diagram(&handover(), 2, &caption("title", "what is the matter"));
    let shown = texts(&svg, "text");
    let expected = ["title", "enter(#1)", "enter(#2)", "leave(#1) waking #2", "waits for Door", "goes on"];
    for text in expected.iter().chain(&["owner(Door) = #1", "Loc = Outside", "3", "what is the matter"]) {
        assert!(shown.iter().any(|line| line == text), "{text} is missing in {shown:?}");
    }
    // Two changes of the lock, and the process that goes on.
    assert_eq!(svg.matches("class=\"arrow\"").count(), 3);
    // One span of waiting, and its sign in the legend.
    assert_eq!(svg.matches("class=\"waits\"").count(), 2);
    assert_eq!(svg.matches("class=\"sleeps\"").count(), 0);
}

#[test]
fn stores_are_drawn_until_they_reach_memory() {
    let svg = render::diagram(&stores(), 2, &caption("two stores", "the end"));
    golden("stores.svg", &svg);
    let shown = texts(&svg, "text");
    for text in ["X := 1", "Y := 0", "Y := 2", "Y := 0 changes nothing", "flush(#1)", "X = 1"] {
        assert!(shown.iter().any(|line| line == text), "{text} is missing in {shown:?}");
    }
    assert!(!shown.iter().any(|line| line.contains("buffer")), "{shown:?}");
    // Two that arrive and their sign in the legend, and one that does not.
    assert_eq!(svg.matches("marker-end=\"url(#storetip)\"").count(), 3);
    assert_eq!(svg.matches("marker-end=\"url(#opentip)\"").count(), 1);
    // Two steps and their sign.
    assert_eq!(svg.matches("class=\"flush\"").count(), 3);
    assert_eq!(svg.matches("<rect class=\"event\"").count(), 4);
}

#[test]
fn a_table_tells_what_is_stored_and_what_reaches_memory() {
    let strip = |line: &String| {
        let mut parts = line.split('\x1b');
        let first = parts.next().unwrap_or("").to_owned();
        first + &parts.map(|part| part.split_once('m').expect("a colour").1).collect::<String>()
    };
    let lines: Vec<String> = render::table(&stores(), 2, 80).iter().map(strip).collect();
    assert_eq!(
        lines,
        [
            "step         shared        #1                      #2",
            "start        X = 0, Y = 0",
            "1 first(#1)                buffers X := 1",
            "2 again(#1)                buffers Y := 0",
            "3 other(#2)                                        buffers Y := 2",
            "4 flush(#1)  X = 1         ·",
            "5 flush(#1)                Y := 0 changes nothing",
        ]
    );
}

#[test]
fn an_arrow_leads_back_to_what_is_repeated() {
    let drawn = |back| render::diagram(&Trace { back, ..handover() }, 2, &caption("t", "for ever"));
    assert!(texts(&drawn(Some(1)), "text").contains(&"repeated for ever".to_owned()));
    assert_eq!(drawn(Some(1)).matches("class=\"cycle\"").count(), 2, "the arrow and its legend");
    for without in [None, Some(3)] {
        assert!(!drawn(without).contains("cycle"), "{without:?}");
    }
}

#[test]
fn a_trace_without_steps_has_a_diagram() {
    let start = vec![Entry::variable("X", Value::Integer(1))];
    let trace = Trace { initial: 0, actors: vec![], start, steps: vec![], back: None };
    let shown = texts(&render::diagram(&trace, 1, &caption("t", "wrong at once")), "text");
    assert!(shown.contains(&"X = 1".to_owned()) && shown.join(" ").contains("wrong at once"), "{shown:?}");
    // Nor does it need processes or variables.
    texts(&render::diagram(&Trace { start: vec![], ..trace }, 0, &caption("", "")), "text");
}

#[test]
fn whatever_names_hold_the_files_are_well_formed() {
    let nasty = "<&\">]]>\u{1}\u{ffff}\\\"--";
    let mut trace = handover();
    trace.steps[0].label = Label::Text(nasty.into());
    trace.start[1].value = Value::word(nasty);
    let kept = nasty.replace(['\u{1}', '\u{ffff}'], "\u{fffd}");
    let shown = texts(&render::diagram(&trace, 2, &caption(nasty, nasty)), "text");
    assert!(shown.iter().filter(|line| **line == kept).count() >= 3, "{shown:?}");

    let mut graph = graph();
    graph.title = nasty.into();
    graph.nodes[1] = Node { lines: vec![nasty.into()], class: NodeClass::Plain, tooltip: nasty.into() };
    graph.edges[0].label = nasty.into();
    let svg = render::graph_svg(&graph);
    assert!(texts(&svg, "text").iter().filter(|line| **line == kept).count() >= 3, "{svg}");
    assert!(render::dot(&graph).contains(r#"label="<&\">]]> "#), "{}", render::dot(&graph));
}

#[test]
fn every_node_and_edge_is_in_the_drawing() {
    let svg = render::graph_svg(&graph());
    let shown = texts(&svg, "text");
    for text in
        ["one", "two", "three", "four", "left", "right", "along", "around", "down", "down again", "back"]
    {
        assert!(shown.iter().any(|line| line == text), "{text} is missing in {shown:?}");
    }
    assert!(texts(&svg, "title").contains(&"all about three".to_owned()));
    for class in ["start", "stuck", "bad"] {
        assert_eq!(svg.matches(&format!("<rect class=\"{class}\"")).count(), 1, "{class}");
    }
    assert!(svg.contains("class=\"badedge\""));
}

#[test]
fn many_edges_between_two_nodes_are_one_with_the_rest_counted() {
    let edges = (0..9).map(|number| edge(0, 1, &format!("e{number}"))).collect();
    let graph = Graph { edges, ..graph() };
    let shown = texts(&render::graph_svg(&graph), "text");
    assert!(shown.contains(&"e2".to_owned()) && shown.contains(&"and 6 more".to_owned()), "{shown:?}");
    assert!(!shown.contains(&"e3".to_owned()), "{shown:?}");
}

#[test]
fn the_empty_graph_is_a_graph() {
    texts(&render::graph_svg(&Graph::default()), "text");
    assert!(render::dot(&Graph::default()).ends_with("}\n"));
}
