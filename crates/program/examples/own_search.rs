//! A strategy and a reduction of one's own, over a C program: about fifty lines each way.
//!
//!     cargo run --release -p motet-program --example own_search -- examples/programs/bank.c 1
//!
//! The strategy tries first what switches to another thread. The reduction is a delay bound (Emmi, Qadeer, Rakamarić:
//! Delay-bounded scheduling, POPL 2011): threads take turns in the order of their numbers, each for as long as it can, and a
//! schedule may skip the thread whose turn it is so many times. What it prints goes on with `motet test FILE --schedule "…"`.

use explore::{Cut, Fault, Mark, Named, Nature, Next, Property, Reduction, Search, Strategy, Turn};
use program::{Debug, Mode, Options, Program, Recipe, Schedule, Served, marks};

/// Depth first, switches of threads before anything else.
struct SwitchesFirst {
    begun: bool,
}

impl Strategy<Served<'_, '_>> for SwitchesFirst {
    fn next(&mut self, _initials: usize) -> Next {
        if std::mem::replace(&mut self.begun, true) { Next::Done } else { Next::Initial(0) }
    }

    fn choose(&mut self, system: &Served<'_, '_>, turns: &mut Vec<Turn>) -> Result<(), Fault> {
        let last = system.turns().last().map(|turn| turn.thread);
        turns.sort_by_key(|turn| Some(turn.thread) == last);
        Ok(())
    }
}

/// At most so many delays.
struct DelayBound {
    most: usize,
    cut: bool,
}

/// Delays so far.
#[derive(Clone, Default)]
struct Delays(usize);

impl Mark for Delays {
    fn subsumes(&self, other: &Delays) -> bool {
        self.0 <= other.0
    }
}

impl DelayBound {
    /// How many threads are skipped for a turn: those that could go on and come before it, counted from the last one.
    fn cost(system: &Served<'_, '_>, turn: &Turn) -> usize {
        let (last, count) =
            (system.turns().last().map_or(0, |last| usize::from(last.thread)), system.count());
        let distance = |thread: u16| (usize::from(thread) + count - last) % count;
        let mut threads: Vec<u16> = system.possible().iter().map(|turn| turn.thread).collect();
        threads.dedup();
        threads.iter().filter(|thread| distance(**thread) < distance(turn.thread)).count()
    }
}

impl Reduction<Served<'_, '_>> for DelayBound {
    type Mark = Delays;

    fn nature(&self) -> Nature {
        Nature { counts_order: true, ..Nature::default() }
    }

    fn prune(&mut self, system: &Served<'_, '_>, mark: &mut Delays, turns: &mut Vec<Turn>) {
        let before = turns.len();
        turns.retain(|turn| mark.0 + DelayBound::cost(system, turn) <= self.most);
        self.cut |= turns.len() < before;
    }

    fn step(&mut self, system: &Served<'_, '_>, mark: &mut Delays, turn: &Turn) -> Delays {
        Delays(mark.0 + DelayBound::cost(system, turn))
    }

    fn cuts(&self, cuts: &mut Vec<Cut>) {
        // Whatever was left out, the search may not claim to be complete.
        cuts.extend(self.cut.then(|| Cut::Other(format!("no more than {} delays", self.most))));
    }
}

/// Whatever the runtime finds.
struct Findings;

impl Property<Served<'_, '_>> for Findings {
    type Violation = Named;

    fn state(&mut self, system: &Served<'_, '_>, found: &mut Vec<Named>) {
        found.extend(system.found().iter().map(|kind| Named(kind.to_string())));
    }
}

fn main() -> Result<(), String> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [file, most] = &arguments[..] else { return Err("usage: own_search FILE.c DELAYS".into()) };
    let most = most.parse().map_err(|_| "the number of delays is a number")?;
    let folder = std::env::current_dir().map_err(|error| error.to_string())?;
    let recipe = Recipe { files: vec![file.clone()], folder, ..Recipe::default() };
    let program = Program::make(recipe).map_err(|problem| format!("{problem:?}"))?;
    let (debug, mode) = (Debug::of(&program), Mode::default());
    let symbols = debug.symbols(&program);
    // What races becomes a step.
    let marks = marks(&program, &Options::default())?;
    let mut system = Served::start(&program, &symbols, mode, marks)?;
    let search = Search::new(&mut system, SwitchesFirst { begun: false }, Findings);
    let outcome = search.reduce(DelayBound { most, cut: false }).find_all().run();
    let outcome = outcome.map_err(|conflict| conflict.to_string())?;
    println!("{} states, {:?}", outcome.stats.states, outcome.end);
    for found in &outcome.found {
        let turns = found.schedule.actions.iter().map(|turn| (turn.thread, turn.choice));
        println!("{}: motet test {file} --schedule \"{}\"", found.violation.0, turns.collect::<Schedule>());
    }
    Ok(())
}
