//! Protocols as pictures: graphs of states, and runs as sequence diagrams.

use super::{Instance, replaying::Followed};
use ::protocol::{Explored, StateGraph, Vocabulary, tree::Verb};
use render::{Arrow, Edge, EdgeClass, Graph, Node, NodeClass, Sequence};

/// The state graph without channels.
pub(crate) fn state_graph(instance: &Instance) -> Graph {
    let StateGraph { vocabulary, steps, done, .. } = &instance.graph;
    let texts: Vec<String> = vocabulary.actions.iter().map(|action| vocabulary.text(action)).collect();
    let edges = steps.iter().enumerate().flat_map(|(from, steps)| {
        steps.iter().map(move |edge| (from, edge.to as usize, edge.action as usize))
    });
    let stuck = |at: usize| steps[at].is_empty() && !done[at];
    let nodes = (0..steps.len()).map(|at| node(at, done[at], stuck(at), String::new())).collect();
    let edges = edges.map(|(from, to, action)| arrow(from, to, &texts[action])).collect();
    Graph { title: title(instance), nodes, edges }
}

/// The states of an implementation.
pub(crate) fn explored_graph(instance: &Instance, vocabulary: &Vocabulary, explored: &Explored) -> Graph {
    let texts: Vec<String> = explored.actions.iter().map(|action| vocabulary.text(action)).collect();
    let nodes = (0..explored.steps.len()).map(|at| {
        let stuck = explored.steps[at].is_empty() && !explored.may_end[at];
        node(at, explored.may_end[at], stuck, format!("{:?}", explored.states[at].control))
    });
    let edges = explored.steps.iter().enumerate().flat_map(|(from, steps)| {
        steps.iter().map(move |(action, to)| (from, *to as usize, *action as usize))
    });
    let edges = edges.map(|(from, to, action)| arrow(from, to, &texts[action])).collect();
    Graph { title: title(instance), nodes: nodes.collect(), edges }
}

fn title(instance: &Instance) -> String {
    [vec![instance.session.clone()], instance.values.clone()].concat().join(" ")
}

fn node(at: usize, done: bool, stuck: bool, tooltip: String) -> Node {
    let text = if done { format!("{at}: may end") } else { at.to_string() };
    let class = match (at, stuck) {
        (_, true) => NodeClass::Stuck,
        (0, _) => NodeClass::Start,
        _ => NodeClass::Plain,
    };
    Node { lines: vec![text], class, tooltip }
}

fn arrow(from: usize, to: usize, text: &str) -> Edge {
    let name = text.split_whitespace().take(2).collect::<Vec<_>>().join(" ");
    Edge { from, to, label: text.to_owned(), name, class: EdgeClass::Plain }
}

/// A graph as an Aldebaran file.
pub(crate) fn aldebaran(graph: &Graph) -> String {
    let mut text = format!("des (0,{},{})\n", graph.edges.len(), graph.nodes.len());
    for edge in &graph.edges {
        text += &format!("({},\"{}\",{})\n", edge.from, edge.label, edge.to);
    }
    text
}

/// A run as a sequence diagram: each receive belongs to the oldest message that is on its way.
pub(crate) fn sequence(followed: &Followed, title: String) -> Sequence {
    let vocabulary = followed.implementation.vocabulary();
    let mut arrows: Vec<Arrow> = Vec::new();
    for (row, choice) in followed.schedule.actions.iter().enumerate() {
        let action = &choice.action;
        let kind = action.message.map_or("", |kind| &*vocabulary.types[kind as usize]);
        let from = action.from as usize;
        match action.verb {
            Verb::Receive => {
                let to = action.to[0] as usize;
                let is_it = |arrow: &&mut Arrow| (arrow.from, arrow.to, arrow.received) == (from, to, None);
                if let Some(arrow) = arrows.iter_mut().filter(|arrow| !arrow.closes).find(is_it) {
                    arrow.received = Some(row);
                }
            }
            verb => arrows.extend(action.to.iter().map(|to| Arrow {
                from,
                to: *to as usize,
                label: if verb == Verb::Close { "close".to_owned() } else { kind.to_owned() },
                sent: row,
                received: (verb == Verb::Handshake).then_some(row),
                closes: verb == Verb::Close,
            })),
        }
    }
    let roles = vocabulary.roles.iter().map(|role| role.name.clone()).collect();
    Sequence { title, roles, arrows, rows: followed.schedule.actions.len() }
}
