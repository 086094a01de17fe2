//! Models whose safety depends on how many processes are where: numbers and semaphores that count, `count`, quorums.
//!
//! Processes go round in a circle of locations. Somewhere a number is lowered, and raised again further on, usually; sometimes a
//! step is forgotten, or has another effect, so that about as many models are violated as not.

use crate::rng::Rng;
use std::fmt::Write;

/// A random model that counts.
pub fn counting_model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x5eed_c0de);
    let mut model = Counting { locations: 3 + rng.below(2), text: String::new(), rng };
    model.write();
    model.text
}

struct Counting {
    rng: Rng,
    locations: usize,
    text: String,
}

impl Counting {
    fn write(&mut self) {
        let (kinds, semaphore, votes, quorums) =
            (self.rng.chance(1, 4), self.rng.chance(1, 2), self.rng.chance(1, 2), self.rng.chance(1, 3));
        if kinds {
            self.line("type worker < proc\ntype guest < proc");
        }
        let names: Vec<String> = (0..self.locations).map(|at| format!("L{at}")).collect();
        self.line(&format!("type location = {}", names.join(" | ")));
        self.line(if semaphore { "var Free : semaphore" } else { "var Free : int" });
        self.line("array Loc[proc] : location\narray Vote[proc] : bool\narray Done[proc] : bool");
        if quorums {
            self.line("const Quorum[proc,proc] : bool\narray For[proc,proc] : bool\narray Won[proc] : bool");
            self.line("assume disjoint (q r) { forall k. Quorum[q,k] = False || Quorum[r,k] = False }");
        }
        self.init(quorums);
        self.circle(kinds, semaphore);
        if votes {
            self.votes();
        }
        if quorums {
            self.quorums();
        }
        self.property(votes);
        if !semaphore && self.rng.chance(1, 2) {
            self.line("unsafe negative () { Free < 0 }");
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn init(&mut self, quorums: bool) {
        let start =
            if self.rng.chance(1, 4) { "SYS_PROCS".to_owned() } else { (1 + self.rng.below(2)).to_string() };
        let more = if quorums { " && For[i,j] = False && Won[i] = False" } else { "" };
        let params = if quorums { "i j" } else { "i" };
        self.line(&format!(
            "init ({params}) {{ Loc[i] = L0 && Free = {start} && Vote[i] = False && Done[i] = False{more} }}"
        ));
    }

    /// A way around, on which the number is lowered and raised.
    fn circle(&mut self, kinds: bool, semaphore: bool) {
        let (enter, leave) = (0, 1 + self.rng.below(self.locations - 1));
        for at in 0..self.locations {
            let next = (at + 1) % self.locations;
            let kind = if kinds && self.rng.chance(1, 3) { " : worker" } else { "" };
            let forgets = self.rng.chance(1, 12);
            let (guard, effect) = match (at, semaphore) {
                (at, _) if forgets && at != enter => (String::new(), String::new()),
                (at, true) if at == enter => (String::new(), "; acquire(Free, i)".into()),
                (at, true) if at == leave => (String::new(), "; release(Free, i)".into()),
                (at, false) if at == enter => {
                    let guard = if forgets { "" } else { " && Free > 0" };
                    (guard.into(), "; Free := Free - 1".into())
                }
                (at, false) if at == leave => (String::new(), "; Free := Free + 1".into()),
                _ => (self.condition(), String::new()),
            };
            let actor = if semaphore { format!("[i{kind}]") } else { format!("i{kind}") };
            self.line(&format!(
                "transition go{at} ({actor}) requires {{ Loc[i] = L{at}{guard} }} {{ Loc[i] := L{next}{effect} }}"
            ));
        }
        if self.rng.chance(1, 4) {
            let (from, to) = (self.rng.below(self.locations), self.rng.below(self.locations));
            self.line(&format!(
                "transition all (i) requires {{ Loc[i] = L0 }} {{ Loc[k] := case | Loc[k] = L{from} : L{to} | _ : Loc[k] }}"
            ));
        }
    }

    /// A further condition of a step, often none.
    fn condition(&mut self) -> String {
        let place = self.rng.below(self.locations);
        match self.rng.below(5) {
            0 => format!(" && count(Loc, L{place}) < 2"),
            1 => format!(" && forall_other j. Loc[j] <> L{place}"),
            _ => String::new(),
        }
    }

    fn votes(&mut self) {
        let at = self.rng.below(self.locations);
        let share = ["1/2", "2/3"][self.rng.below(2)];
        let sign = [">", ">="][self.rng.below(2)];
        self.line(&format!(
            "transition vote (i) requires {{ Loc[i] = L{at} && Vote[i] = False }} {{ Vote[i] := True }}"
        ));
        self.line(&format!(
            "transition decide (i) requires {{ count(Vote, True) {sign} {share} }} {{ Done[i] := True }}"
        ));
        if self.rng.chance(1, 6) {
            self.line("transition recant (i) requires { Vote[i] = True } { Vote[i] := False }");
        }
    }

    /// Each process votes for one that it likes, unless a step forgets to look.
    fn quorums(&mut self) {
        let guard = if self.rng.chance(1, 4) { "For[i,j] = False" } else { "forall k. For[i,k] = False" };
        self.line(&format!("transition elect (i j) requires {{ {guard} }} {{ For[i,j] := True }}"));
        self.line("transition win (q) requires { forall k. Quorum[q,k] = False || For[k,q] = True } { Won[q] := True }");
        self.line("unsafe two (q r) { Won[q] = True && Won[r] = True }");
        self.line("invariant (q k) { Won[q] = True && Quorum[q,k] = True && For[k,q] = False }");
        self.line("invariant (q) { Won[q] = True && Quorum[q,q] = True && For[q,q] = False }");
        self.line("invariant (k q r) { For[k,q] = True && For[k,r] = True }");
        self.line("invariant (k q) { For[k,k] = True && For[k,q] = True }");
    }

    fn property(&mut self, votes: bool) {
        let place = 1 + self.rng.below(self.locations - 1);
        let text = match self.rng.below(if votes { 5 } else { 3 }) {
            0 => format!("unsafe (i j) {{ Loc[i] = L{place} && Loc[j] = L{place} }}"),
            1 => format!("unsafe (i j k) {{ Loc[i] = L{place} && Loc[j] = L{place} && Loc[k] = L{place} }}"),
            2 => format!("unsafe () {{ count(Loc, L{place}) > 2 }}"),
            3 => "unsafe (i) { Done[i] = True && count(Vote, True) <= 1/2 }".into(),
            _ => "unsafe (i) { Done[i] = True && forall k. Vote[k] = False }".into(),
        };
        writeln!(self.text, "{text}").expect("strings can be written to");
    }
}
