//! The tables of an implementation, and the pure functions that a program and the checker call alike.

/// What a machine may do in a state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Entry {
    /// The action, by number. A receive has no type.
    pub action: u32,
    /// Of a send: the stamp that the message carries. Of a receive: the stamp that the message must carry.
    pub stamp: u32,
    /// The state after it.
    pub next: u32,
}

/// The machine of a role, or of all roles together. State 0 is the first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Table {
    /// Where the entries of each state begin; one more at the end.
    pub rows: Vec<u32>,
    /// Entries, sorted in each row.
    pub entries: Vec<Entry>,
    /// For each state whether the run may end here, as far as this machine knows.
    pub may_stop: Vec<bool>,
}

/// A handshake of two machines: sender and receiver agree if both states fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Meeting {
    /// The action, by number.
    pub action: u32,
    /// The state of the sender.
    pub sender: u32,
    /// The state of the receiver.
    pub receiver: u32,
    /// The state of the sender after it.
    pub sender_next: u32,
    /// The state of the receiver after it.
    pub receiver_next: u32,
}

impl Table {
    /// A table from its rows, one for each state.
    pub fn new(rows: Vec<Vec<Entry>>, may_stop: Vec<bool>) -> Table {
        let mut table = Table { rows: vec![0], entries: vec![], may_stop };
        for mut row in rows {
            row.sort_unstable();
            table.entries.extend(row);
            table.rows.push(u32::try_from(table.entries.len()).expect("tables have fewer than 2^32 entries"));
        }
        table
    }

    /// The number of states.
    pub fn states(&self) -> usize {
        self.may_stop.len()
    }

    /// What may be done in a state.
    pub fn row(&self, state: u32) -> &[Entry] {
        let at = state as usize;
        &self.entries[self.rows[at] as usize..self.rows[at + 1] as usize]
    }

    /// The state after a send, a close or a handshake, and the stamp of the message; `None` if it is not enabled.
    pub fn try_send(&self, state: u32, action: u32) -> Option<(u32, u32)> {
        let row = self.row(state);
        let at = row.partition_point(|entry| entry.action < action);
        row.get(at).filter(|entry| entry.action == action).map(|entry| (entry.next, entry.stamp))
    }

    /// The state after a receive of a message with a stamp; `None` if it is not enabled.
    pub fn try_recv(&self, state: u32, action: u32, stamp: u32) -> Option<u32> {
        let row = self.row(state);
        let found = row.binary_search_by_key(&(action, stamp), |entry| (entry.action, entry.stamp));
        found.ok().map(|at| row[at].next)
    }
}
