//! Strategies and reductions that a user of the crate writes.

mod common;

use common::brute;
use common::mailboxes::{Act, Mailboxes};
use common::threads::{Instr, Threads};
use explore::{
    BadState, Cut, DepthFirst, End, Fault, Next, NodeId, Reduction, Search, Seen, Steered, Strategy,
};

/// Cuts the steps that would put a second letter into a mailbox, as a bounded channel would.
#[derive(Default)]
struct OneLetter {
    cut: bool,
}

impl Reduction<Mailboxes> for OneLetter {
    type Mark = ();

    fn prune(&mut self, system: &Mailboxes, (): &mut (), actions: &mut Vec<Act>) {
        let before = actions.len();
        actions.retain(|action| match action {
            Act::Send(actor) => system.inbox[1 - actor].is_empty(),
            Act::Receive(_) => true,
        });
        self.cut |= actions.len() < before;
    }

    fn step(&mut self, _system: &Mailboxes, (): &mut (), _action: &Act) {}

    fn cuts(&self, cuts: &mut Vec<Cut>) {
        if self.cut {
            cuts.push(Cut::Other("one letter in each mailbox".into()));
        }
    }
}

/// The letters from one actor have 6 states, 5 of which have at most one under way: 5 * 5 states. The outcome names
/// the cut; with one letter each way nothing is cut, and the search is exhaustive.
#[test]
fn a_reduction_of_ones_own() {
    let search = |letters| {
        let mut system = Mailboxes::new(letters);
        let search = Search::new(&mut system, DepthFirst::new(), ()).remember(Seen::new());
        search.reduce(OneLetter::default()).run().unwrap()
    };
    let outcome = search(2);
    assert_eq!((outcome.end, outcome.stats.states), (End::Bounded, 25));
    assert_eq!(outcome.cuts, [Cut::Other("one letter in each mailbox".into())]);
    let outcome = search(1);
    assert_eq!((outcome.end, outcome.stats.states), (End::Exhausted, 9));
}

/// Alternates: postpones every other new state, and takes the latest of them first. A strategy that is neither
/// breadth first nor depth first, with postponed nodes in the middle of long paths.
#[derive(Default)]
struct Alternating {
    started: bool,
    turn: bool,
    kept: Vec<NodeId>,
}

impl<S: Steered> Strategy<S> for Alternating {
    fn next(&mut self, _initials: usize) -> Next {
        if !self.started {
            self.started = true;
            return Next::Initial(0);
        }
        self.kept.pop().map_or(Next::Done, Next::Resume)
    }

    fn postpones(&mut self) -> bool {
        self.turn = !self.turn;
        self.turn
    }

    fn postponed(&mut self, node: NodeId) {
        self.kept.push(node);
    }

    fn choose(&mut self, _system: &S, actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        actions.reverse();
        Ok(())
    }
}

/// Any order visits all 36 states and 72 steps, and the schedule to each state leads to it.
#[test]
fn a_strategy_of_ones_own() {
    let mut system = Mailboxes::new(2);
    let search = Search::new(&mut system, Alternating::default(), ()).remember(Seen::new());
    let outcome = search.run().unwrap();
    assert_eq!((outcome.end, outcome.stats.states, outcome.stats.transitions), (End::Exhausted, 36, 72));

    for state in brute::graph(&mut system).states.into_keys() {
        let target = state.clone();
        let property = BadState::new("there", move |mail: &Mailboxes| mail.identity() == target);
        let search = Search::new(&mut system, Alternating::default(), property).remember(Seen::new());
        let found = search.run().unwrap().found;
        brute::go(&mut system, 0, &found[0].schedule.actions);
        assert_eq!(system.identity(), state);
    }
}

/// Loses nodes, or initial states, or actions.
#[derive(Clone, Copy, PartialEq)]
enum Loses {
    Nodes,
    Initials,
    Actions,
    Nothing,
}

struct Careless {
    loses: Loses,
    started: usize,
}

impl<S: Steered> Strategy<S> for Careless {
    fn next(&mut self, initials: usize) -> Next {
        let initials = if self.loses == Loses::Initials { 1 } else { initials };
        self.started += 1;
        if self.started <= initials { Next::Initial(self.started - 1) } else { Next::Done }
    }

    fn postpones(&mut self) -> bool {
        self.loses == Loses::Nodes
    }

    fn choose(&mut self, _system: &S, actions: &mut Vec<S::Action>) -> Result<(), Fault> {
        if self.loses == Loses::Actions {
            actions.truncate(2);
        }
        Ok(())
    }
}

/// Two initial states and three threads of one step each. Whatever a strategy loses, the outcome reports that it
/// sampled.
#[test]
fn a_careless_strategy_is_found_out() {
    for loses in [Loses::Nodes, Loses::Initials, Loses::Actions, Loses::Nothing] {
        let mut system = Threads::new(vec![vec![Instr::Write(0, 1)]; 3]).with_initial([2, 2]);
        let search = Search::new(&mut system, Careless { loses, started: 0 }, ()).remember(Seen::new());
        let outcome = search.run().unwrap();
        if loses == Loses::Nothing {
            assert_eq!((outcome.end, outcome.cuts), (End::Exhausted, vec![]));
        } else {
            assert_eq!((outcome.end, outcome.cuts), (End::Bounded, vec![Cut::Sampled]));
        }
    }
}
