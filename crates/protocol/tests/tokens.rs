//! Six properties tell six topologies apart: all 36 verdicts, and sizes.

mod common;

use common::protocol;
use explore::{Limits, Verdict};
use motet_protocol::{Explored, Implementation, Property, Protocol, Runs, StateGraph, Style, check};

const TOPOLOGIES: [(&str, &[(usize, usize)]); 6] = [
    ("directed-ring", &[(0, 1), (1, 2), (2, 3), (3, 0)]),
    ("undirected-ring", &[(0, 1), (1, 2), (2, 3), (3, 0), (1, 0), (2, 1), (3, 2), (0, 3)]),
    ("star", &[(0, 1), (0, 2), (0, 3), (1, 0), (2, 0), (3, 0)]),
    ("binary-tree", &[(0, 1), (0, 2), (1, 3), (1, 0), (2, 0), (3, 1)]),
    ("mesh", &[(0, 1), (0, 2), (1, 3), (2, 3), (1, 0), (2, 0), (3, 1), (3, 2)]),
    (
        "full-mesh",
        &[(0, 1), (0, 2), (0, 3), (1, 0), (1, 2), (1, 3), (2, 0), (2, 1), (2, 3), (3, 0), (3, 1), (3, 2)],
    ),
];

fn tokens() -> Protocol {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/sessions/tokens.dcj");
    protocol(&std::fs::read_to_string(file).unwrap())
}

fn graph(protocol: &Protocol, topology: &str) -> StateGraph {
    let session = protocol.session(Some(topology), 1).unwrap();
    protocol.graph(session, vec![motet_protocol::Value::Integer(4)], &Limits::default()).unwrap()
}

/// Who gets the token passes it on to a neighbour at once.
fn property(edges: &[(usize, usize)]) -> String {
    let passes = |worker: usize| {
        let to = edges.iter().filter(|(from, _)| *from == worker);
        let to: Vec<String> =
            to.map(|(_, to)| format!("\"worker_{worker}_ SEND <Token> TO worker_{to}_\"")).collect();
        format!("(\"worker_{worker}_ RECV <Token>\" => X({}))", to.join(" || "))
    };
    let first: Vec<String> = edges
        .iter()
        .filter(|(from, _)| *from == 0)
        .map(|(_, to)| format!("\"worker_0_ SEND * TO worker_{to}_\""))
        .collect();
    format!("({}) && G({})", first.join(" || "), (0..4).map(passes).collect::<Vec<_>>().join(" && "))
}

#[test]
fn six_properties_tell_six_topologies_apart() {
    let protocol = tokens();
    for (topology, edges) in TOPOLOGIES {
        let graph = graph(&protocol, topology);
        for style in [Style::Spec, Style::Strict, Style::Liberal] {
            let implementation = Implementation::new(&graph, style).unwrap();
            let explored = Explored::new(&implementation, &Limits::default());
            for (asked, neighbours) in TOPOLOGIES {
                let property = Property::parse(&property(neighbours), &graph.vocabulary).unwrap();
                let judgement = check(&implementation, &explored, &property, Runs::default(), None);
                // A topology has the property of another one if it has no other edges.
                let expected = edges.iter().all(|edge| neighbours.contains(edge));
                let expected = if expected { Verdict::Holds } else { Verdict::Violated };
                assert_eq!(judgement.verdict, expected, "{topology} {asked} {style}");
            }
        }
    }
}

#[test]
fn each_topology_has_a_property_that_another_one_has_not() {
    let holds =
        |one: &[(usize, usize)], other: &[(usize, usize)]| one.iter().all(|edge| other.contains(edge));
    let row = |edges| -> Vec<bool> { TOPOLOGIES.iter().map(|(_, asked)| holds(edges, asked)).collect() };
    let mut rows: Vec<Vec<bool>> = TOPOLOGIES.iter().map(|(_, edges)| row(edges)).collect();
    rows.sort();
    rows.dedup();
    assert_eq!(rows.len(), 6);
}

#[test]
fn topologies_have_the_published_sizes() {
    let protocol = tokens();
    for (topology, states, steps) in [
        ("directed-ring", 9, 9),
        ("undirected-ring", 13, 18),
        ("star", 11, 15),
        ("binary-tree", 11, 14),
        ("mesh", 13, 18),
        ("full-mesh", 17, 27),
    ] {
        let graph = graph(&protocol, topology);
        assert_eq!((graph.steps.len(), graph.edges()), (states, steps), "{topology}");
    }
}
