//! Proofs.
mod approximate;
mod assume;
mod canonical;
mod cell;
mod certificate;
mod cover;
mod cube;
mod initial;
mod linear;
mod oracle;
mod preimage;
mod search;
mod system;
mod template;
mod union;
mod values;
mod vocabulary;

use model::ir::At;

/// A construct that the prover cannot follow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in words.
    pub what: String,
    /// Where it is.
    pub at: Option<At>,
}

impl Unsupported {
    fn new(what: &str, at: Option<At>) -> Unsupported {
        Unsupported { what: what.to_owned(), at }
    }
}

/// Tries it.
pub fn experiment(model: &model::ir::Model, brab: u32) -> String {
    let system = match system::System::new(model) {
        Ok(system) => system,
        Err(unsupported) => return format!("unsupported {}", unsupported.what),
    };
    let mut oracles = vec![];
    let begun = std::time::Instant::now();
    for n in model.min_processes()..=brab.min(model.max_processes.unwrap_or(9)) {
        let limits = explore::Limits { states: Some(50_000), ..Default::default() };
        let Some(table) = model::states::reachable(model, n, limits) else { continue };
        oracles.push(oracle::Oracle::new(&system.vocabulary, &table, u8::try_from(n).unwrap()));
    }
    let oracle_time = begun.elapsed().as_secs_f64();
    let approximator = (!oracles.is_empty()).then(|| approximate::Approximator::new(oracles));
    let states = approximator.as_ref().map_or(0, |a| a.states());
    let mut search = search::Search::new(&system, approximator);
    let ended = search.run();
    if ended == search::Ended::Closed {
        let begun = std::time::Instant::now();
        let certificate = certificate::certificate(model, &system, search.invariant());
        let checked = certify::check(model, &certificate);
        println!("CERT {} cubes {:?} {:.3}s", certificate.cubes.len(), checked.is_ok(), begun.elapsed().as_secs_f64());
        if let Err(rejection) = checked { println!("{rejection:?}"); }
    }
    if ended == search::Ended::Closed { for line in search.audit().iter().take(5) { println!("AUDIT {line}"); } }
    let mut path = String::new();
    if let search::Ended::Reached(mut id) = ended {
        while let search::Source::Step { after, transition } = search.nodes[id as usize].source {
            path += &format!(" {}", model.rules[system.transitions[transition].rule.index()].name);
            id = after;
        }
    }
    let most = search.invariant().map(|cube| cube.processes).max().unwrap_or(0);
    format!("{} visited {} nodes {} processes {} {:?} states {states} {oracle_time:.3}s {path}", match ended { search::Ended::Closed => "safe", search::Ended::Reached(_) => "unsafe?", search::Ended::TooManyProcesses => "too many" }, search.invariant().count(), search.nodes.len(), most, search.counts)
}
