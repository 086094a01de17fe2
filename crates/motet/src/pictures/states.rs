//! The states of an instance as a graph: all of them, some, or groups of them.

use super::{MOST_STATES_DOT, MOST_STATES_SVG, filled, titled};
use crate::{
    flags::Picture,
    output::{count, write_file},
};
use clap::Args;
use explore::{Entry, Label, Valuation};
use instance::exploration::Options;
use instance::state_graph::{NoGraph, State, StateGraph, state_graph, state_graph_where};
use ir::{Formula, Model};
use model::Queues;
use render::{Edge, EdgeClass, Graph, Node, NodeClass};
use source::{Source, Style, render};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// Which states are drawn, and how.
#[derive(Debug, Clone, Args)]
pub(crate) struct StateGraphFlags {
    /// Draw states with the same values of these variables as one
    #[arg(long, value_name = "VAR", value_delimiter = ',', requires = "graph")]
    graph_group: Vec<String>,
    /// Draw only states that satisfy this formula, such as `exists i. Loc[i] = Critical`
    #[arg(long, value_name = "FORMULA", requires = "graph")]
    graph_where: Option<String>,
}

/// At most this many states are visited to find those to draw, or their groups.
const MOST_VISITED: usize = 50_000;

/// The instance whose states are drawn.
#[derive(Clone, Copy)]
pub(crate) struct Drawn<'a> {
    pub(crate) model: &'a Model,
    pub(crate) options: &'a Options,
    /// The file of the model.
    pub(crate) file: &'a str,
    pub(crate) queues: Queues,
}

/// Draws the states of an instance into a file.
pub(crate) fn draw_states(file: &Picture, flags: &StateGraphFlags, drawn: Drawn<'_>) -> Result<(), String> {
    let most = if file.svg { MOST_STATES_SVG } else { MOST_STATES_DOT };
    let wanted =
        flags.graph_where.as_ref().map_or(Ok((Formula::True, false)), |text| formula(text, drawn))?;
    let chosen = flags.graph_where.is_some() || !flags.graph_group.is_empty();
    // A formula that names a process breaks the symmetry.
    let options = Options { symmetry: drawn.options.symmetry && !wanted.1, ..drawn.options.clone() };
    let visited = if chosen { MOST_VISITED } else { most };
    let states =
        state_graph_where(drawn.model, &options, visited, &wanted.0).map_err(|reason| match reason {
            NoGraph::TooLarge => too_large(file, visited, drawn),
            NoGraph::Obstacle(_) => "there is no graph: not all states can be visited".to_owned(),
            NoGraph::Fault(fault) => format!("there is no graph: {fault}"),
        })?;
    let states = restricted(states);
    let groups = if flags.graph_group.is_empty() { None } else { Some(groups(&states, &flags.graph_group)?) };
    let graph = match &groups {
        Some(groups) => grouped(&states, groups, drawn),
        None => plain(&states, drawn),
    };
    if graph.nodes.len() > most {
        let drawn = count(graph.nodes.len(), if groups.is_some() { "group" } else { "state" });
        return Err(format!("there is no graph: {drawn} are too many, the limit is {most}"));
    }
    write_file(&file.path, &if file.svg { render::graph_svg(&graph) } else { render::dot(&graph) })
}

/// The formula of `--graph-where`, and whether it names processes.
fn formula(text: &str, drawn: Drawn<'_>) -> Result<(Formula, bool), String> {
    let source = Source::read(drawn.file).map_err(|error| error.to_string())?;
    match model::formula_about(&source, drawn.queues, drawn.options.processes, text) {
        Ok(lone) => Ok((lone.property.formula, lone.named_processes > 0)),
        Err(diagnostics) => {
            let argument = Source::new("--graph-where", text.to_owned());
            let all = diagnostics.sorted();
            let shown: Vec<String> = all.iter().map(|it| render(&argument, it, Style::Plain)).collect();
            Err(format!("there is no graph: the formula cannot be read\n{}", shown.join("\n")))
        }
    }
}

/// Why there is no graph, with suggestions that were tried and work.
fn too_large(file: &Picture, visited: usize, drawn: Drawn<'_>) -> String {
    let (kind, most) = if file.svg { (".svg", MOST_STATES_SVG) } else { (".dot", MOST_STATES_DOT) };
    if visited > most {
        return format!("there is no graph: there are more than {visited} states to visit");
    }
    let mut advice: Vec<String> = fewer_processes(drawn, most).into_iter().collect();
    advice.extend(grouping(drawn));
    if file.svg && state_graph(drawn.model, drawn.options, MOST_STATES_DOT).is_ok() {
        advice.push(format!("a .dot file takes up to {MOST_STATES_DOT}"));
    }
    let advice = if advice.is_empty() { String::new() } else { format!("; {}", advice.join(", ")) };
    format!("there is no graph: a {kind} file takes up to {most} states, and there are more{advice}")
}

/// The largest smaller instance that can be drawn.
fn fewer_processes(drawn: Drawn<'_>, most: usize) -> Option<String> {
    let numbers = (drawn.model.min_processes()..drawn.options.processes).rev();
    numbers.into_iter().find_map(|processes| {
        let options = Options { processes, ..drawn.options.clone() };
        let states = state_graph(drawn.model, &options, most).ok()?.states.len();
        Some(format!("`-n {processes}` gives {}", count(states, "state")))
    })
}

/// The most nodes of a readable graph.
const READABLE: usize = 80;

/// The variable that makes the most groups that are still readable.
fn grouping(drawn: Drawn<'_>) -> Option<String> {
    let states = state_graph(drawn.model, drawn.options, MOST_VISITED).ok()?;
    let sizes = names(&states).into_iter().filter_map(|name| {
        let groups = groups(&states, std::slice::from_ref(&name)).ok()?.keys.len();
        (2..=READABLE).contains(&groups).then_some((groups, name))
    });
    let (groups, name) = sizes.max()?;
    Some(format!("`--graph-group {name}` gives {groups} groups"))
}

/// Only the wanted states, with the steps between them.
fn restricted(states: StateGraph) -> StateGraph {
    let mut numbers = vec![None; states.states.len()];
    let wanted = states.states.iter().enumerate().filter(|(_, state)| state.wanted);
    wanted.enumerate().for_each(|(new, (old, _))| numbers[old] = Some(new));
    let steps =
        states.steps.into_iter().filter_map(|(from, to, label)| Some((numbers[from]?, numbers[to]?, label)));
    StateGraph {
        steps: steps.collect(),
        states: states.states.into_iter().filter(|state| state.wanted).collect(),
        full: states.full,
        symmetric: states.symmetric,
    }
}

/// The variables and arrays of states.
fn names(states: &StateGraph) -> BTreeSet<String> {
    let values = states.states.first().map(|state| &state.values);
    values.into_iter().flatten().map(|entry| entry.subject.name()).collect()
}

/// States by the values of some variables.
struct Groups {
    /// The values that the states of each group have in common.
    keys: Vec<Vec<String>>,
    /// The group of each state.
    of: Vec<usize>,
}

fn groups(states: &StateGraph, variables: &[String]) -> Result<Groups, String> {
    let known = names(states);
    if let Some(unknown) = variables.iter().find(|variable| !known.contains(*variable)) {
        let known: Vec<String> = known.iter().map(|name| format!("`{name}`")).collect();
        return Err(format!(
            "there is no graph: there is no variable `{unknown}` to group states by; there are {}",
            known.join(", ")
        ));
    }
    let mut numbers: HashMap<Vec<String>, usize> = HashMap::new();
    let mut groups = Groups { keys: vec![], of: vec![] };
    for state in &states.states {
        let key: Vec<String> =
            variables.iter().flat_map(|variable| key(&state.values, variable, states.symmetric)).collect();
        let new = numbers.len();
        let at = *numbers.entry(key.clone()).or_insert(new);
        if at == new {
            groups.keys.push(key);
        }
        groups.of.push(at);
    }
    Ok(groups)
}

/// The values of a variable in words. Up to symmetry, only the number of processes with each value.
fn key(values: &Valuation, variable: &str, symmetric: bool) -> Vec<String> {
    let cells: Vec<&Entry> = values.iter().filter(|entry| entry.subject.name() == variable).collect();
    if !symmetric || cells.iter().any(|entry| entry.subject.indices().is_empty()) {
        return cells.into_iter().map(Entry::to_string).collect();
    }
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    cells.iter().for_each(|entry| *counts.entry(entry.value.to_string()).or_default() += 1);
    counts.into_iter().map(|(value, count)| format!("{variable} = {value}: {count}")).collect()
}

/// Groups as a graph: a step leads from one group to another if it leads from some state of the first to one of the second.
fn grouped(states: &StateGraph, groups: &Groups, drawn: Drawn<'_>) -> Graph {
    let node = |(at, key): (usize, &Vec<String>)| {
        let members: Vec<&State> = states
            .states
            .iter()
            .zip(&groups.of)
            .filter(|(_, of)| **of == at)
            .map(|(state, _)| state)
            .collect();
        group_node(key, &members)
    };
    let mut steps: BTreeSet<(usize, usize, &str)> = BTreeSet::new();
    for (from, to, label) in &states.steps {
        steps.insert((groups.of[*from], groups.of[*to], label.name()));
    }
    let nodes: Vec<Node> = groups.keys.iter().enumerate().map(node).collect();
    let edge = |(from, to, rule): (usize, usize, &str)| {
        let class = if nodes[to].class == NodeClass::Bad { EdgeClass::Bad } else { EdgeClass::Plain };
        Edge { from, to, label: rule.to_owned(), name: rule.to_owned(), class }
    };
    let edges = steps.into_iter().map(edge).collect();
    let title = format!("{} in {}", title(states, drawn), count(nodes.len(), "group"));
    Graph { title, nodes, edges }
}

fn group_node(key: &[String], members: &[&State]) -> Node {
    let bad: BTreeSet<&String> = members.iter().flat_map(|state| &state.violated).collect();
    let mut lines: Vec<String> = bad.iter().map(|name| format!("some violate `{name}`")).collect();
    let stuck = members.iter().filter(|state| state.stuck).count();
    if stuck > 0 {
        lines.push(format!("no step left in {stuck}"));
    }
    lines.extend(filled("", key));
    lines.push(count(members.len(), "state"));
    let class = if !bad.is_empty() {
        NodeClass::Bad
    } else if members.iter().any(|state| state.initial) {
        NodeClass::Start
    } else if stuck > 0 {
        NodeClass::Stuck
    } else {
        NodeClass::Plain
    };
    Node { lines, class, tooltip: members.first().map_or(String::new(), |state| tooltip(state)) }
}

fn title(states: &StateGraph, drawn: Drawn<'_>) -> String {
    let up_to = if states.symmetric { ", up to permutation" } else { "" };
    let about = titled(drawn.file, drawn.options.processes as usize);
    format!("{about}: {}{up_to}", count(states.states.len(), "state"))
}

/// The states as a graph. The first initial state shows everything, the others how they differ from it.
fn plain(states: &StateGraph, drawn: Drawn<'_>) -> Graph {
    let processes = drawn.options.processes as usize;
    let reference = states.states.first().map(|state| &state.values);
    let node = |(at, state): (usize, &State)| {
        let before = reference.filter(|_| at > 0);
        Node { lines: lines(state, before, processes), class: class(state), tooltip: tooltip(state) }
    };
    let edge = |(from, to, label): &(usize, usize, Label)| {
        let bad = !states.states[*to].violated.is_empty();
        let class = if bad { EdgeClass::Bad } else { EdgeClass::Plain };
        Edge { from: *from, to: *to, label: label.to_string(), name: label.name().to_owned(), class }
    };
    Graph {
        title: title(states, drawn),
        nodes: states.states.iter().enumerate().map(node).collect(),
        edges: states.steps.iter().map(edge).collect(),
    }
}

fn class(state: &State) -> NodeClass {
    match state {
        state if !state.violated.is_empty() => NodeClass::Bad,
        state if state.stuck => NodeClass::Stuck,
        state if state.initial => NodeClass::Start,
        _ => NodeClass::Plain,
    }
}

fn lines(state: &State, before: Option<&Valuation>, processes: usize) -> Vec<String> {
    let mut lines: Vec<String> = state.violated.iter().map(|name| format!("violates `{name}`")).collect();
    lines.extend(state.stuck.then(|| "no step left".to_owned()));
    let mut by_lane = render::entries(&state.values, before.map(Vec::as_slice), processes);
    if state.initial {
        let kinds = by_lane.iter_mut().skip(1).zip(&state.kinds);
        kinds.for_each(|(entries, kind)| entries.insert(0, kind.clone()));
    }
    for (lane, entries) in by_lane.iter().enumerate().filter(|(_, entries)| !entries.is_empty()) {
        let name = if lane == 0 { String::new() } else { format!("#{lane}: ") };
        lines.extend(filled(&name, entries));
    }
    if lines.is_empty() {
        lines.push("as at the start".into());
    }
    lines
}

fn tooltip(state: &State) -> String {
    let entries: Vec<String> = state.values.iter().map(Entry::to_string).collect();
    entries.join(", ")
}
