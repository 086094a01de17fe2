//! `motet fences FILE`: which fences a weak model needs, and which it can do without.

use crate::{
    Exit,
    engine_progress::Lines,
    flags::{LimitFlags, OutputFlags, WorkerFlag},
    interrupt,
    load::{Loaded, load},
    output::{Output, count, write_whole},
    report::{FenceSet, Report, UndecidedFences, Verdict},
    telling,
};
use ::explore::{Limit, Limits};
use clap::Args;
use instance::weak;
use ir::Model;
use model::{
    Queues,
    fences::{FencePlace, changed, with_fence, without_fence},
};
use portfolio::{Checked, Fences, Places, ProofOptions, minimal_fences, prove};
use similar::TextDiff;
use source::Source;
use std::{
    path::Path,
    time::{Duration, Instant},
};

#[derive(Debug, Args)]
#[command(after_help = MORE)]
pub(crate) struct FencesArgs {
    /// A model with weak symbols
    #[arg(value_name = "FILE")]
    file: String,
    /// Change the file: the first answer, or the one with this number
    #[arg(long, value_name = "ANSWER", num_args = 0..=1, default_missing_value = "1")]
    write: Option<usize>,
    #[command(flatten)]
    workers: WorkerFlag,
    #[command(flatten)]
    limits: LimitFlags,
    #[command(flatten)]
    output: OutputFlags,
}

const MORE: &str = "\
If the model is violated, the answers are all minimal sets of transitions whose guards need `fence()` to make it safe for every number of \
processes. If it is safe and has fences, the answers are all minimal sets of fences that suffice. Each answer is proved. Without \
`--limit-time`, the search ends after 60 seconds; a single set of fences gets at most a quarter of what is left of it, so that a hard one \
does not keep larger ones from being tried.

The exit code is 0 if there is an answer, 1 if no fences help, 3 if neither is known.";

/// The time for all proofs together where no limit is given.
const BUDGET: Duration = Duration::from_secs(60);
/// A single set of fences gets this part of the time that is left: whether another one suffices may be easier to tell.
const SHARE: u32 = 4;
/// More undecided sets than this are only counted.
const MOST_UNDECIDED: usize = 8;

pub(crate) fn run(args: &FencesArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("fences", std::slice::from_ref(&args.file));
    let exit = match load("fences", &args.file, Queues::Any, &output, &mut report) {
        None => Exit::BadInput,
        Some(loaded) if !loaded.model.is_weak() => telling::refused(
            &output,
            &mut report,
            "no symbol of this model is `weak`: there is nothing to fence".into(),
        ),
        Some(loaded) => fences(args, &loaded, &output, &mut report),
    };
    report.took(started.elapsed());
    output.document(&report);
    exit
}

fn fences(args: &FencesArgs, loaded: &Loaded, output: &Output, report: &mut Report) -> Exit {
    let limits = args.limits.limits();
    let limits = Limits { time: limits.time.or(Some(BUDGET)), ..limits };
    let search = Search { args, loaded, begun: Instant::now(), limits, output };
    let (fenced, open) =
        (with_fence(&loaded.source, &loaded.model), without_fence(&loaded.source, &loaded.model));
    let as_it_is = search.check(&loaded.source, &open, &Places::new(), 1);
    match (as_it_is, fenced.is_empty()) {
        (Checked::Safe, true) => {
            output.result("holds for every number of processes; no fence is needed");
            report.verdict = Some(Verdict::Holds);
            Exit::Holds
        }
        (Checked::Safe, false) => search.left_out(&fenced, report),
        (Checked::Violated(_), _) => search.added(&open, report),
        (Checked::Unknown(why), _) => telling::unknown(
            output,
            report,
            format!("whether the model is safe as it is could not be decided: {why}"),
        ),
    }
}

/// The search for sets of fences of one model.
struct Search<'s> {
    args: &'s FencesArgs,
    loaded: &'s Loaded,
    begun: Instant,
    limits: Limits,
    output: &'s Output,
}

impl Search<'_> {
    /// Which of the fences of a safe model suffice.
    fn left_out(&self, fenced: &[FencePlace], report: &mut Report) -> Exit {
        let bare = Source::new(self.args.file.clone(), changed(&self.loaded.source, fenced));
        let Some(model) = model::load(&bare).model else {
            return telling::unknown(
                self.output,
                report,
                "the model without its fences is not a model".into(),
            );
        };
        // The same transitions, where a fence can be added again.
        let open = without_fence(&bare, &model);
        let kept = |place: &FencePlace| {
            open.iter().position(|other| other.name == place.name && other.rule == place.rule)
        };
        let Some(numbers) = fenced.iter().map(kept).collect::<Option<Vec<usize>>>() else {
            return telling::unknown(
                self.output,
                report,
                "the fences of the model could not be told apart".into(),
            );
        };
        let whole: Places = numbers.iter().copied().collect();
        let found = self.minimal(&bare, &open, &whole);
        if found.sufficient == [whole.clone()] && found.undecided.is_empty() {
            self.output
                .result(&format!("holds for every number of processes; {} needed", all_of(fenced.len())));
            report.verdict = Some(Verdict::Holds);
            return Exit::Holds;
        }
        let fence = |number: &usize| numbers.iter().position(|other| other == number).map(|at| &fenced[at]);
        let answers = found.sufficient.iter().map(|set| {
            let (kept, dropped) = (set.iter(), whole.difference(set));
            Answer { fences: kept.filter_map(fence).collect(), changes: dropped.filter_map(fence).collect() }
        });
        let answers: Vec<Answer<'_>> = answers.collect();
        let undecided = found
            .undecided
            .iter()
            .map(|(set, why)| Undecided { fences: set.iter().filter_map(fence).collect(), why });
        let told = Told { answers, undecided: undecided.collect() };
        self.tell(&found, &told, "holds; these fences suffice", report)
    }

    /// Where fences make a violated model safe.
    fn added(&self, open: &[FencePlace], report: &mut Report) -> Exit {
        let found = self.minimal(&self.loaded.source, open, &(0..open.len()).collect());
        let named = |set: &Places| set.iter().map(|at| &open[*at]).collect::<Vec<_>>();
        let answers = found.sufficient.iter().map(|set| Answer { fences: named(set), changes: named(set) });
        let undecided = found.undecided.iter().map(|(set, why)| Undecided { fences: named(set), why });
        let told = Told { answers: answers.collect(), undecided: undecided.collect() };
        let line = "violated as it is; a fence in the guard of each of these makes it safe";
        self.tell(&found, &told, line, report)
    }

    fn minimal(&self, source: &Source, open: &[FencePlace], among: &Places) -> Fences {
        let check = |set: &Places| match self.check(source, open, set, SHARE) {
            Checked::Violated(places) => Checked::Violated(places.intersection(among).copied().collect()),
            checked => checked,
        };
        minimal_fences(among, check, || self.limits.ended_since(self.begun).is_some())
    }

    /// Proves the model with fences at some places, in a part of the time that is left.
    fn check(&self, source: &Source, open: &[FencePlace], set: &Places, share: u32) -> Checked {
        let text = changed(source, set.iter().map(|at| &open[*at]));
        let Some(model) = model::load(&Source::new(source.name(), text)).model else {
            return Checked::Unknown("with these fences it is not a model".into());
        };
        let limits = self.limits.remaining_since(self.begun);
        let limits = Limits { time: limits.time.map(|time| time / share), ..limits };
        let backward =
            ::prove::Options { limits, threads: self.args.workers.count(), ..::prove::Options::default() };
        let options = ProofOptions { backward, small: None, ranges: vec![] };
        let outcome = prove(&model, &options, &mut Lines::new(self.output));
        if outcome.events.is_some() {
            return Checked::Safe;
        }
        match outcome.proof.verdict {
            ::prove::Verdict::Holds(_) => Checked::Safe,
            ::prove::Verdict::Violated(violation) => passed(&model, open, &violation),
            ::prove::Verdict::Unknown(::prove::Reason::Limit(Limit::Cancelled)) => {
                interrupt::flag();
                Checked::Unknown(Limit::Cancelled.to_string())
            }
            ::prove::Verdict::Unknown(reason) => Checked::Unknown(telling::proof::reason(&reason, None)),
        }
    }

    fn tell(&self, found: &Fences, told: &Told<'_>, line: &str, report: &mut Report) -> Exit {
        let Search { output, .. } = self;
        if found.hopeless {
            output.result("violated: a run leads to a bad state without any store that waits in a buffer, so that no fence helps");
            report.verdict = Some(Verdict::Violated);
            return Exit::Violated;
        }
        if told.answers.is_empty() {
            let why = found.undecided.first().map_or(String::new(), |(_, why)| format!(": {why}"));
            let exit =
                telling::unknown(output, report, format!("no set of fences was proved to suffice{why}"));
            self.tell_undecided(&told.undecided, report);
            return exit;
        }
        output.result(&format!("{line}:"));
        for (at, answer) in told.answers.iter().enumerate() {
            self.tell_answer(at + 1, answer, report);
        }
        self.tell_undecided(&told.undecided, report);
        report.verdict = Some(Verdict::Holds);
        self.write(&told.answers, report)
    }

    fn tell_answer(&self, number: usize, answer: &Answer<'_>, report: &mut Report) {
        let diff = self.diff(answer);
        self.output.result(&format!("\n{number}. {}", self.named(&answer.fences)));
        if !diff.is_empty() {
            self.output.result(diff.trim_end());
        }
        report.fences.push(FenceSet { fences: names(&answer.fences), diff });
    }

    /// Names the sets that may suffice as well, or may not.
    fn tell_undecided(&self, undecided: &[Undecided<'_>], report: &mut Report) {
        if !undecided.is_empty() {
            self.output.result("\nundecided, whether these suffice:");
        }
        for Undecided { fences, why } in undecided.iter().take(MOST_UNDECIDED) {
            self.output.result(&format!("- {} ({why})", self.named(fences)));
        }
        if let Some(more) = undecided.len().checked_sub(MOST_UNDECIDED).filter(|more| *more > 0) {
            self.output.result(&format!("- and {}", count(more, "larger set")));
        }
        let kept = undecided
            .iter()
            .map(|set| UndecidedFences { fences: names(&set.fences), reason: set.why.to_owned() });
        report.undecided_fences.extend(kept);
    }

    /// Applies the answer that was asked for.
    fn write(&self, answers: &[Answer<'_>], report: &mut Report) -> Exit {
        let Some(number) = self.args.write else { return Exit::Holds };
        let Some(answer) = number.checked_sub(1).and_then(|at| answers.get(at)) else {
            let message = format!("there is no answer {number}, but {}", count(answers.len(), "answer"));
            return telling::refused(self.output, report, message);
        };
        let text = changed(&self.loaded.source, answer.changes.iter().copied());
        if let Err(error) = write_whole(Path::new(&self.args.file), &text) {
            return telling::refused(
                self.output,
                report,
                format!("cannot write `{}`: {error}", self.args.file),
            );
        }
        self.output.result(&format!("\n{}: changed", self.args.file));
        Exit::Holds
    }

    /// The transitions with their lines.
    fn named(&self, places: &[&FencePlace]) -> String {
        let line = |place: &&FencePlace| {
            format!("`{}` (line {})", place.name, self.loaded.source.position(place.at.start()).line)
        };
        if places.is_empty() { "none".into() } else { places.iter().map(line).collect::<Vec<_>>().join(", ") }
    }

    /// What changes in the file, as a unified diff.
    fn diff(&self, answer: &Answer<'_>) -> String {
        let old = self.loaded.source.text();
        let new = changed(&self.loaded.source, answer.changes.iter().copied());
        let (from, to) = (format!("a/{}", self.args.file), format!("b/{}", self.args.file));
        TextDiff::from_lines(old, &new).unified_diff().context_radius(1).header(&from, &to).to_string()
    }
}

/// A minimal set of fences.
struct Answer<'p> {
    /// Where the fences are in the end.
    fences: Vec<&'p FencePlace>,
    /// Where the text changes.
    changes: Vec<&'p FencePlace>,
}

/// A set of fences that may suffice, and why that is not known.
struct Undecided<'p> {
    fences: Vec<&'p FencePlace>,
    why: &'p str,
}

/// What is told.
struct Told<'p> {
    answers: Vec<Answer<'p>>,
    undecided: Vec<Undecided<'p>>,
}

fn names(places: &[&FencePlace]) -> Vec<String> {
    places.iter().map(|place| place.name.clone()).collect()
}

fn all_of(fences: usize) -> String {
    match fences {
        1 => "its fence is".into(),
        2 => "both of its fences are".into(),
        more => format!("all {more} fences are"),
    }
}

/// The places that the run of a violation passes with something in the buffer.
fn passed(model: &Model, open: &[FencePlace], violation: &::prove::Violation) -> Checked {
    let ::prove::Violation { processes, ranges, buffer, trace, .. } = violation;
    let Some(rules) =
        weak::overtaking(model, *processes, ranges, buffer.map_or(weak::USUAL_ENTRIES, usize::from), trace)
    else {
        return Checked::Unknown("a run to a bad state could not be followed".into());
    };
    Checked::Violated((0..open.len()).filter(|at| rules.contains(&open[*at].rule)).collect())
}
