//! How fast `motet explore` is, beside others that check the same protocols.
//!
//! `cargo bench --bench explore [-- MODEL=N…]` runs the real executable and the peers of `benches/peers` on
//! models for which all of them have the same states, and prints one table. Peers that are not installed are
//! skipped. States per second are given for CPU time, which other work on the machine disturbs less, and for
//! wall time; the last column compares by CPU time. Peers are timed without generating and compiling them.

use std::{
    path::{Path, PathBuf},
    process::Command,
};

/// Models with their numbers of nodes.
const INSTANCES: [(&str, u32); 5] = [("german", 3), ("german", 4), ("german", 5), ("flash", 2), ("flash", 3)];

/// What a tool has said about an instance.
struct Run {
    states: f64,
    wall: f64,
    cpu: f64,
    /// What Motet says of itself.
    bytes_per_state: Option<f64>,
}

fn main() {
    let asked: Vec<(String, u32)> = std::env::args().skip(1).filter_map(|word| instance(&word)).collect();
    let all = INSTANCES.iter().map(|(model, nodes)| ((*model).to_owned(), *nodes)).collect();
    println!(
        "| model | nodes | tool | states | states/s (CPU) | states/s (wall) | bytes/state | to rumur |\n\
         |---|---:|---|---:|---:|---:|---:|---:|"
    );
    for (model, nodes) in if asked.is_empty() { all } else { asked } {
        let rumur = peer("rumur", &model, nodes);
        row(
            &model,
            nodes,
            "motet, 1 core",
            motet(&model, nodes, &["--no-symmetry", "-j", "1"]),
            rumur.as_ref(),
        );
        row(&model, nodes, "motet, all cores", motet(&model, nodes, &["--no-symmetry"]), rumur.as_ref());
        row(&model, nodes, "spin", peer("spin", &model, nodes), rumur.as_ref());
        let orbits = peer("rumur-orbits", &model, nodes);
        row(&model, nodes, "motet, symmetry, 1 core", motet(&model, nodes, &["-j", "1"]), orbits.as_ref());
        row(&model, nodes, "rumur", rumur, None);
        row(&model, nodes, "rumur-orbits", orbits, None);
    }
}

/// `german=4`
fn instance(word: &str) -> Option<(String, u32)> {
    let (model, nodes) = word.split_once('=')?;
    Some((model.to_owned(), nodes.parse().ok()?))
}

fn row(model: &str, nodes: u32, tool: &str, run: Option<Run>, rumur: Option<&Run>) {
    let Some(run) = run else { return };
    let rate = |states: f64, seconds: f64| states / seconds.max(0.001);
    let ratio = rumur.map(|rumur| rate(run.states, run.cpu) / rate(rumur.states, rumur.cpu));
    println!(
        "| `{model}` | {nodes} | {tool} | {:.0} | {:.0} | {:.0} | {} | {} |",
        run.states,
        rate(run.states, run.cpu),
        rate(run.states, run.wall),
        run.bytes_per_state.map_or(String::new(), |bytes| format!("{bytes:.0}")),
        ratio.map_or(String::new(), |ratio| format!("{ratio:.1}")),
    );
}

fn peers() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../benches/peers")
}

/// Runs Motet; the shell tells how much CPU time it took.
fn motet(model: &str, nodes: u32, flags: &[&str]) -> Option<Run> {
    let file = peers().join(format!("{model}.cub"));
    let mut command = Command::new("bash");
    command.args(["-c", "TIMEFORMAT='%U %S'; time \"$@\"", "bash", env!("CARGO_BIN_EXE_motet"), "explore"]);
    command.arg(file).args(["-n", &nodes.to_string(), "--format", "json"]).args(flags);
    let output = command.output().ok()?;
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).ok()?;
    assert_eq!(document["verdict"], "holds", "{document}");
    let times = String::from_utf8_lossy(&output.stderr).into_owned();
    let cpu = times.lines().last()?.split(' ').filter_map(|time| time.parse::<f64>().ok()).sum();
    let stats = &document["stats"];
    Some(Run {
        states: stats["states"].as_f64()?,
        wall: stats["seconds"].as_f64()?,
        cpu,
        bytes_per_state: stats["bytes_per_state"].as_f64(),
    })
}

/// Runs a peer: `rumur german 4: 566649 states, 3053376 steps, 1.234 s, 1.230 s CPU`.
fn peer(name: &str, model: &str, nodes: u32) -> Option<Run> {
    let tool = name.split('-').next().unwrap_or(name);
    if Command::new(tool).arg(if tool == "spin" { "-V" } else { "--version" }).output().is_err() {
        eprintln!("{tool} is not installed: {name} is skipped");
        return None;
    }
    let output = Command::new(peers().join("run")).args([name, model, &nodes.to_string()]).output().ok()?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let Some((_, figures)) = text.trim().split_once(": ") else {
        eprintln!("{name} fails on {model}: {}", String::from_utf8_lossy(&output.stderr));
        return None;
    };
    let numbers: Vec<f64> =
        figures.split(", ").filter_map(|part| part.split(' ').next()?.parse().ok()).collect();
    let [states, _, wall, cpu] = numbers[..] else { return None };
    Some(Run { states, wall, cpu, bytes_per_state: None })
}
