//! Proofs.
mod assume;
mod canonical;
mod cell;
mod cover;
mod cube;
mod initial;
mod linear;
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
pub fn experiment(model: &model::ir::Model) -> String {
    let system = match system::System::new(model) {
        Ok(system) => system,
        Err(unsupported) => return format!("unsupported {}", unsupported.what),
    };
    let mut search = search::Search::new(&system);
    let ended = search.run();
    let mut path = String::new();
    if let search::Ended::Initial(mut id) = ended {
        while let search::From::Step { after, transition } = search.nodes[id as usize].from {
            path += &format!(" {}", model.rules[system.transitions[transition].rule.index()].name);
            id = after;
        }
    }
    let most = search.visited().map(|cube| cube.processes).max().unwrap_or(0);
    format!("{} visited {} nodes {} processes {} {path}", match ended { search::Ended::Closed => "safe", search::Ended::Initial(_) => "unsafe?", search::Ended::TooManyProcesses => "too many" }, search.visited().count(), search.nodes.len(), most)
}
