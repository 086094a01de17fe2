//! Who waits for what, as the valuation of a state tells it.
//!
//! Systems with locks describe that by cells `blocked[#1]` with the values `active`, `waiting(L)` or `sleeping(L)`, and for
//! locks in arrays by cells `blocked_at[#1]` with the index. Where who came first matters, cells `place[#1]` tell the place in the
//! queue, from 1. Variables of users begin with a capital letter.

use explore::Valuation;

/// Why a process does not run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Wait {
    /// What it waits for, with the index of the cell.
    pub(crate) what: String,
    /// Whether it sleeps until it is notified, rather than waits for its turn.
    pub(crate) asleep: bool,
    /// Its place in the queue, where places matter.
    pub(crate) place: Option<String>,
}

impl Wait {
    pub(crate) fn text(&self) -> String {
        let place = self.place.as_ref().map_or(String::new(), |place| format!(" at place {place}"));
        format!("{} {}{place}", if self.asleep { "sleeps on" } else { "waits for" }, self.what)
    }
}

/// Whether a name is one of those that tell who waits.
pub(crate) fn tells_waiting(name: &str) -> bool {
    ["blocked[#", "blocked_at[#", "place[#"].iter().any(|start| name.starts_with(start))
}

/// What a process waits for, if it does. Processes count from 1.
pub(crate) fn wait(state: &Valuation, process: usize) -> Option<Wait> {
    let value = get(state, &format!("blocked[#{process}]"))?;
    let (verb, what) = value.strip_suffix(')')?.split_once('(')?;
    let cell = get(state, &format!("blocked_at[#{process}]")).filter(|_| is_array(state, what));
    let cell = cell.map_or(String::new(), |cell| format!("[{cell}]"));
    let place = get(state, &format!("place[#{process}]")).map(str::to_owned);
    Some(Wait { what: format!("{what}{cell}"), asleep: verb == "sleeping", place })
}

fn get<'s>(state: &'s Valuation, name: &str) -> Option<&'s str> {
    state.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
}

/// Whether a lock or semaphore has an index.
fn is_array(state: &Valuation, lock: &str) -> bool {
    get(state, &format!("owner({lock})[#1]")).or_else(|| get(state, &format!("{lock}[#1]"))).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn state(pairs: &[(&str, &str)]) -> Valuation {
        pairs.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect()
    }

    #[test]
    fn the_cell_is_told_only_for_locks_in_arrays() {
        let one = state(&[
            ("owner(Fork)[#1]", "#2"),
            ("owner(Door)", "#2"),
            ("blocked[#1]", "waiting(Fork)"),
            ("blocked[#2]", "sleeping(Door)"),
            ("blocked[#3]", "active"),
            ("blocked_at[#1]", "#2"),
            ("blocked_at[#2]", "#2"),
        ]);
        assert_eq!(wait(&one, 1).unwrap().text(), "waits for Fork[#2]");
        assert_eq!(wait(&one, 2).unwrap().text(), "sleeps on Door");
        assert_eq!(wait(&one, 3), None);
        let queued = state(&[("blocked[#1]", "waiting(Door)"), ("place[#1]", "2")]);
        assert_eq!(wait(&queued, 1).unwrap().text(), "waits for Door at place 2");
    }
}
