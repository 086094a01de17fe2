//! Taking steps: by hand, at random, and on the way to somewhere.

use super::Session;
use crate::{
    Answer, Call, Found, Way, Why,
    breadth::look_around,
    show,
    walk::{End, Tally, Walk},
    words::count,
};

impl Session<'_> {
    pub(super) fn transition(&mut self, calls: &[Call]) -> Result<Answer, String> {
        let before = self.run.clone();
        for (at, call) in calls.iter().enumerate() {
            let exit = self.exit_of(call).map_err(|reason| none_taken(reason, at, calls.len()))?;
            self.run.advance(&mut *self.subject, exit, true, self.flag)?;
        }
        self.moved(before, vec![])
    }

    /// The exit that a call means: the one that is written like it, or the only one that fits.
    fn exit_of(&self, call: &Call) -> Result<usize, String> {
        let exits: Vec<_> = (0..self.subject.exits()).map(|at| self.subject.exit(at)).collect();
        let fitting: Vec<usize> = (0..exits.len()).filter(|at| call.means(&exits[*at].call)).collect();
        let same = fitting.iter().find(|at| exits[**at].label == call.to_string());
        match (same, &fitting[..]) {
            (Some(exit), _) | (None, [exit]) => Ok(*exit),
            (None, []) => match self.subject.why(call)? {
                Why::Impossible(reasons) => Err(impossible(call, &reasons)),
                Why::Possible(_) => Err(format!("`{call}` is not possible here")),
            },
            (None, several) => {
                let labels: Vec<String> =
                    several.iter().map(|at| format!("`{}`", exits[*at].label)).collect();
                Err(format!("`{call}` may be one of several; say which: {}", labels.join(", ")))
            }
        }
    }

    pub(super) fn choose(&mut self, number: usize) -> Result<Answer, String> {
        let exits = self.subject.exits();
        let exit = number.checked_sub(1).filter(|at| *at < exits);
        let there = if exits == 1 { "is" } else { "are" };
        let exit =
            exit.ok_or_else(|| format!("there {there} {} here; `all` lists them", count(exits, "exit")))?;
        let before = self.run.clone();
        self.run.advance(&mut *self.subject, exit, true, self.flag)?;
        self.moved(before, vec![])
    }

    pub(super) fn random(&mut self, steps: usize) -> Result<Answer, String> {
        let before = self.run.clone();
        for _ in 0..steps {
            let exits = self.subject.exits();
            if exits == 0 || self.is_cancelled() {
                break;
            }
            let exit = self.rng.below(exits);
            self.run.advance(&mut *self.subject, exit, false, self.flag)?;
        }
        if self.run.len() == before.len() {
            return Ok(self.stuck());
        }
        self.moved(before, vec![])
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.options.cancel.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// There is nothing to do.
    pub(super) fn stuck(&self) -> Answer {
        let mut reasons = self.judgement();
        if reasons.is_empty() {
            reasons.push("no transition is possible here".into());
        }
        Answer::done(reasons)
    }

    pub(super) fn execute(&mut self, way: Way, runs: usize, depth: usize) -> Result<Answer, String> {
        if self.subject.exits() == 0 {
            return Ok(self.stuck());
        }
        let (before, here) = (self.run.clone(), self.subject.snapshot());
        let mut tally = Tally::default();
        tally.enter(here.clone());
        let (mut taken, mut end, mut made) = (vec![], End::NoExit, 0);
        for _ in 0..runs {
            self.subject.restore(&here)?;
            let cancel = &self.options.cancel;
            let mut walk =
                Walk { subject: &mut *self.subject, rng: &mut self.rng, tally: &mut tally, cancel };
            (taken, end) = walk.run(way, depth)?;
            made += 1;
            if is_over(&end) {
                break;
            }
        }
        self.subject.restore(&here)?;
        self.follow(&taken)?;
        let report = self.report(&tally, made, taken.len(), &end)?;
        self.moved(before, report)
    }

    /// Takes exits one after the other.
    fn follow(&mut self, exits: &[usize]) -> Result<(), String> {
        let (run, subject) = (&mut self.run, &mut *self.subject);
        exits.iter().try_for_each(|exit| run.advance(subject, *exit, false, self.flag))
    }

    /// What some runs have come to. The subject stays where it is.
    fn report(&mut self, tally: &Tally, runs: usize, steps: usize, end: &End) -> Result<Vec<String>, String> {
        let here = self.subject.snapshot();
        let mut lines = vec![format!(
            "{}: {} seen, {} distinct",
            count(runs, "run"),
            count(tally.seen, "state"),
            tally.distinct()
        )];
        if let Some((state, visits)) = tally.most() {
            self.subject.restore(state)?;
            let state = show::whole(&self.subject.describe(), self.subject.processes());
            self.subject.restore(&here)?;
            lines.push(format!("seen most, {}:{state}", count(visits, "time")));
        }
        let last = match end {
            End::Wrong(wrong) if wrong.iter().any(|wrong| wrong.violation) => "stopped at something wrong",
            End::Wrong(_) => "came to its end",
            End::NoExit => "ended without a step to take",
            End::Length => "ended",
            End::Cancelled => "interrupted",
        };
        lines.push(format!("run {runs} {last} after {}", count(steps, "step")));
        Ok(lines)
    }

    pub(super) fn breadth(&mut self, depth: usize) -> Result<Answer, String> {
        let (before, here) = (self.run.clone(), self.subject.snapshot());
        let around = look_around(&mut *self.subject, depth, self.options.most_states, &self.options.cancel)?;
        self.subject.restore(&here)?;
        let seen = format!("{} seen, {} distinct", count(around.seen, "state"), around.distinct);
        let within = format!("within {}", count(depth, "step"));
        match around.wrong {
            Some(exits) => {
                self.follow(&exits)?;
                self.moved(
                    before,
                    vec![format!("{seen}; the nearest wrong one is {} away", count(exits.len(), "step"))],
                )
            }
            None if around.complete => {
                Ok(Answer::done([format!("{seen}: all that can be reached {within}; none is wrong")]))
            }
            None => Ok(Answer::unknown(&format!(
                "not all states {within} were visited; {seen}, and none is wrong"
            ))),
        }
    }

    pub(super) fn go_to(&mut self, goal: &str) -> Result<Answer, String> {
        let before = self.run.clone();
        match self.subject.find(goal)? {
            Found::Path(exits, _) if exits.is_empty() => {
                Ok(Answer::done(["this is such a state already".to_owned()]))
            }
            Found::Path(exits, states) => {
                self.follow(&exits)?;
                let found = format!(
                    "found, {} away ({} visited)",
                    count(exits.len(), "step"),
                    count(states, "state")
                );
                self.moved(before, vec![found])
            }
            Found::Nowhere(why) => Ok(Answer::done([why])),
            Found::Unknown(why) => Ok(Answer::unknown(&why)),
        }
    }
}

fn is_over(end: &End) -> bool {
    match end {
        End::Wrong(wrong) => wrong.iter().any(|wrong| wrong.violation),
        End::Cancelled => true,
        End::NoExit | End::Length => false,
    }
}

/// All or nothing: which of several transitions could not be taken.
fn none_taken(reason: String, at: usize, all: usize) -> String {
    if all == 1 {
        reason
    } else {
        format!("nothing was done, because of transition {} of {all}: {reason}", at + 1)
    }
}

pub(super) fn impossible(call: &Call, reasons: &[String]) -> String {
    let reasons: Vec<String> = reasons.iter().map(|reason| format!("  {reason}")).collect();
    format!("`{call}` is not possible here:\n{}", reasons.join("\n"))
}
