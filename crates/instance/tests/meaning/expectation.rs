//! `(* expect: explore … *)` comments: the expected results that a model file states.

use super::instance::Ranges;

/// One `explore` with its outcome.
#[derive(Debug)]
pub(crate) struct Expectation {
    /// The comment, for messages.
    pub(crate) text: String,
    pub(crate) processes: usize,
    pub(crate) ranges: Ranges,
    /// `--memory sc`
    pub(crate) sequential: bool,
    /// `--queues fifo`
    pub(crate) fifo: bool,
    /// `holds`, `unknown` or `violated`
    pub(crate) verdict: String,
    pub(crate) kind: Option<String>,
    pub(crate) name: Option<String>,
}

/// The `explore` expectations of a text; an error says why one is not handled here.
pub(crate) fn find(text: &str) -> Vec<Result<Expectation, String>> {
    let comments = text.split("(* expect:").skip(1).filter_map(|rest| rest.split_once("*)"));
    let bodies = comments.map(|(body, _)| body.trim()).filter(|body| body.starts_with("explore "));
    bodies.map(parse).collect()
}

fn parse(body: &str) -> Result<Expectation, String> {
    let (command, outcome) = body.rsplit_once(':').ok_or("no outcome")?;
    let mut outcome = outcome.split_whitespace().map(str::to_owned);
    let mut expected = Expectation {
        text: body.to_owned(),
        processes: 0,
        ranges: Ranges::new(),
        sequential: false,
        fifo: false,
        verdict: outcome.next().ok_or("no outcome")?,
        kind: outcome.next(),
        name: outcome.next(),
    };
    let mut words = command.split_whitespace().skip(1);
    while let Some(word) = words.next() {
        let mut argument = || words.next().unwrap_or_default();
        match word {
            "-n" => expected.processes = argument().parse().map_err(|_| "the number of `-n`")?,
            "--memory" if argument() == "sc" => expected.sequential = true,
            "--queues" => expected.fifo = fifo(argument()).ok_or("the queues")?,
            "--range" => expected.ranges.extend([range(argument()).ok_or("the range")?]),
            flag => return Err(format!("the flag {flag}")),
        }
    }
    if expected.kind.as_deref() == Some("ltl") {
        return Err("temporal properties have tests of their own".into());
    }
    if expected.processes == 0 { Err("no `-n`".into()) } else { Ok(expected) }
}

/// `any` or `fifo`
fn fifo(text: &str) -> Option<bool> {
    ["any", "fifo"].iter().position(|order| *order == text).map(|at| at == 1)
}

/// `X=-8..8`
fn range(text: &str) -> Option<(String, (i64, i64))> {
    let (name, bounds) = text.split_once('=')?;
    let (low, high) = bounds.split_once("..")?;
    Some((name.to_owned(), (low.parse().ok()?, high.parse().ok()?)))
}
