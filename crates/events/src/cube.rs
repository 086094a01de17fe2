//! Cubes: what must hold of a state, and of the memory events up to it, for a bad state to be reached.

use crate::constraints::{Constraints, Context};
use crate::instant::{EVERYBODY, Instant, Processes, each, only};
use crate::variable::{Location, Process, Variable};
use crate::vocabulary::{ELSEWHERE, Kind, Values, Vocabulary, bit, members};

/// A cube. It stands for the beginnings of runs that have such processes, in a state that satisfies the constraints, and
/// that go on in such a way that the open reads, which are the variables at an instant, see what was written up to here.
#[derive(Clone, Debug)]
pub(crate) struct Cube {
    pub(crate) processes: Process,
    pub(crate) constraints: Constraints,
    /// Each has an open read.
    pub(crate) instants: Vec<Instant>,
}

impl Cube {
    pub(crate) fn context<'a>(&self, vocabulary: &'a Vocabulary) -> Context<'a> {
        Context { vocabulary, processes: self.processes }
    }

    /// The open reads.
    pub(crate) fn reads(&self) -> Vec<Variable> {
        let mut reads: Vec<Variable> =
            self.constraints.variables().filter(|variable| variable.read.is_some()).collect();
        reads.sort_unstable();
        reads.dedup();
        reads
    }

    /// Forgets instants without open reads, and processes that nothing is said about. Returns the new number of each process.
    pub(crate) fn tidy(&mut self, vocabulary: &Vocabulary) -> Vec<Option<Process>> {
        self.forget_instants();
        let mentioned = self.mentioned(vocabulary);
        let mut kept = 0;
        let numbers: Vec<Option<Process>> = (0..self.processes)
            .map(|process| {
                (mentioned & only(process) != 0).then(|| {
                    kept += 1;
                    kept - 1
                })
            })
            .collect();
        if kept != self.processes {
            self.renumber(vocabulary, &numbers, kept);
        }
        numbers
    }

    fn forget_instants(&mut self) {
        let used = self
            .reads()
            .iter()
            .filter_map(|variable| variable.read)
            .fold(0, |all, read| all | (1 << read.instant));
        if used == members_of(self.instants.len()) {
            return;
        }
        let kept: Vec<usize> = each(used).collect();
        let number = |at: usize| kept.iter().position(|known| *known == at);
        let renumbered = |instants: u32| each(instants).filter_map(number).fold(0, |all, at| all | (1 << at));
        self.instants = kept
            .iter()
            .map(|at| {
                let instant = &self.instants[*at];
                Instant { before: renumbered(instant.before), ..instant.clone() }
            })
            .collect();
        let new = |at: u8| number(at.into()).and_then(|at| u8::try_from(at).ok()).expect("it is used");
        self.constraints = self.constraints.map(|variable| variable.rename(|process| process, new));
    }

    /// The processes that something is said about.
    fn mentioned(&self, vocabulary: &Vocabulary) -> Processes {
        let mut all = members_of(vocabulary.named.min(self.processes).into());
        for variable in self.constraints.variables() {
            all = variable.processes().fold(all, |all, process| all | only(process));
        }
        for (variable, values) in &self.constraints.finite {
            if matches!(vocabulary.kind(*variable), Kind::Process(_)) {
                all |= self.told_apart(*values);
            }
        }
        for instant in &self.instants {
            let steps = if instant.after_steps == EVERYBODY { 0 } else { instant.after_steps };
            all |= steps | instant.after_writes;
            let indices = instant.after_locations.iter().flat_map(Location::indices);
            all = indices.fold(all, |all, process| all | only(*process));
        }
        all
    }

    /// The processes that are treated differently from those elsewhere by a set of values.
    fn told_apart(&self, values: Values) -> Processes {
        let elsewhere = values & ELSEWHERE != 0;
        (0..self.processes)
            .filter(|process| (values & bit((*process).into()) != 0) != elsewhere)
            .fold(0, |all, process| all | only(process))
    }

    fn renumber(&mut self, vocabulary: &Vocabulary, numbers: &[Option<Process>], kept: Process) {
        let new = |process: Process| numbers[usize::from(process)].expect("it is kept");
        let set = |old: Processes| match old {
            EVERYBODY => EVERYBODY,
            old => (0..self.processes).filter(|p| old & only(*p) != 0).fold(0, |all, p| all | only(new(p))),
        };
        for instant in &mut self.instants {
            instant.after_steps = set(instant.after_steps);
            instant.after_writes = set(instant.after_writes);
            instant.after_locations.iter_mut().for_each(|location| *location = location.rename(new));
            instant.after_locations.sort_unstable();
        }
        let old = self.processes;
        self.constraints = self.constraints.map(|variable| variable.rename(new, |at| at));
        for (variable, values) in &mut self.constraints.finite {
            if matches!(vocabulary.kind(*variable), Kind::Process(_)) {
                let moved = (0..old)
                    .filter(|p| *values & bit((*p).into()) != 0)
                    .filter_map(|p| numbers[usize::from(p)]);
                let moved = moved.fold(0, |all, process| all | bit(process.into()));
                *values = (*values & !members(old)) | moved;
            }
        }
        self.constraints.finite.sort_unstable();
        self.constraints.relations.sort_unstable();
        self.processes = kept;
    }
}

fn members_of(number: usize) -> u32 {
    (1 << number) - 1
}
