//! What a test of a program has shown, for people and in the document.

use crate::{
    Exit,
    flags::{DiagramFlag, Picture, TraceFlag},
    output::{Output, count, write_file},
    program_trace::Details,
    report::{Figures, Location, Message, PropertyReport, Report, ShardReport, TestingFigures, Verdict},
    telling,
};
use explore::{FindingKind, Incomplete, Limits};
use program::{Finding, NoProgram, Options, Party, Place, Program, Recipe, Replayed, Search, Stats, Testing};
use render::Caption;
use source::{Position, Severity};
use std::{fs, path::Path};

/// Builds the program, and shows what the compiler says. None if there is no program.
pub(crate) fn make(recipe: Recipe, output: &Output, report: &mut Report) -> Option<Program> {
    let file = recipe.name().to_owned();
    let (code, shown, message) = match Program::make(recipe) {
        Ok(program) => {
            program.warnings.lines().for_each(|line| output.remark(line));
            return Some(program);
        }
        Err(NoProgram::Compiler(messages)) => {
            messages.lines().for_each(|line| output.complaint(line));
            ("does-not-compile", format!("`{file}` cannot be built"), messages)
        }
        Err(NoProgram::Other(message)) => ("no-program", message.clone(), message),
    };
    output.error(&shown);
    report.reason = Some(shown);
    report.diagnostics.push(Message::about_file(&file, Severity::Error, code, message));
    None
}

/// A kind of finding about programs, by its word.
pub(crate) fn kind(text: &str) -> Result<FindingKind, String> {
    let found = program::kinds().iter().find(|kind| kind.word() == text);
    let words: Vec<&str> = program::kinds().iter().map(|kind| kind.word()).collect();
    found.copied().ok_or_else(|| format!("one of {}", words.join(", ")))
}

/// Reports a test: the verdict, and each finding with its run.
pub(crate) fn tell(
    output: &Output,
    report: &mut Report,
    program: &Program,
    options: &Options,
    testing: &Testing,
) -> Exit {
    fill(report, program, options, testing);
    let ignoring = ignoring(options);
    let (line, exit) = match testing.verdict() {
        Verdict::Violated => ("violated".to_owned(), Exit::Violated),
        Verdict::Holds => {
            let runs = count(testing.stats.runs, "schedule");
            let all = if testing.stats.runs == 1 { "the only schedule" } else { &format!("all {runs}") };
            let equivalent = if options.search == Search::Dpor { "up to equivalence " } else { "" };
            let were = if testing.stats.runs == 1 { "was" } else { "were" };
            (format!("holds{ignoring}: {all} {equivalent}{were} run"), Exit::Holds)
        }
        Verdict::Unknown => {
            let reason = reason(testing, options);
            (format!("unknown: {reason}"), Exit::Unknown)
        }
    };
    output.result(&line);
    tell_findings(output, program, &testing.findings.iter().collect::<Vec<_>>());
    if testing.forked {
        let why = "the program uses files or the like, so that each schedule was run in a process of its own, which is slower";
        output.note(report, "processes", why.into());
    }
    // Without a finding, these are the reason.
    for problem in testing.unconfirmed.iter().filter(|_| !testing.findings.is_empty()) {
        output.note(report, "unconfirmed", problem.clone());
    }
    exit
}

/// `, ignoring race and leak`
fn ignoring(options: &Options) -> String {
    let words: Vec<&str> = options.ignore.iter().map(|kind| kind.word()).collect();
    if words.is_empty() { String::new() } else { format!(", ignoring {}", words.join(" and ")) }
}

/// What the document says about a part of a search.
fn shard(program: &Program, options: &Options, testing: &Testing) -> Option<ShardReport> {
    let shard = options.shard?;
    let asked =
        Options { shard: None, threads: 1, known: vec![], limits: Limits::default(), ..options.clone() };
    Some(ShardReport {
        part: shard.index + 1,
        of: shard.of,
        whole: testing.whole,
        complete: testing.verdict() != Verdict::Violated && testing.is_explored(),
        program: program.hash().to_owned(),
        options: format!("{asked:?}"),
        steps: testing.marks.iter().map(ToString::to_string).collect(),
    })
}

/// Fills in the document.
fn fill(report: &mut Report, program: &Program, options: &Options, testing: &Testing) {
    let verdict = testing.verdict();
    report.verdict = Some(verdict);
    report.shard = shard(program, options, testing);
    report.reason = match verdict {
        Verdict::Holds => None,
        _ => Some(reason(testing, options)).filter(|reason| !reason.is_empty()),
    };
    let trace =
        |finding: &Finding| Details::of_finding(report.command, program, finding).document(&finding.trace);
    let found: Vec<PropertyReport> =
        testing.findings.iter().map(|finding| entry(finding, trace(finding))).collect();
    let is_settled = testing.incomplete.is_none() && testing.unconfirmed.is_empty();
    let open = if is_settled { Verdict::Holds } else { Verdict::Unknown };
    let others = program::kinds().iter().filter(|kind| {
        !options.ignore.contains(kind) && !testing.findings.iter().any(|finding| finding.kind == **kind)
    });
    let others: Vec<PropertyReport> =
        others.map(|kind| PropertyReport::undeclared(kind.word(), kind.word(), open)).collect();
    report.trace = testing.findings.first().map(trace);
    report.properties.extend(found.into_iter().chain(others));
}

/// A violation, in the document.
pub(crate) fn entry(finding: &Finding, trace: serde_json::Value) -> PropertyReport {
    let location = finding.setting.parties.iter().find_map(|party| party.place.as_ref()).map(location);
    PropertyReport {
        location,
        message: Some(finding.message.clone()),
        trace: Some(trace),
        ..PropertyReport::undeclared(&finding.name, finding.kind.word(), Verdict::Violated)
    }
}

fn location(place: &Place) -> Location {
    let column = usize::try_from(place.column).unwrap_or(0).max(1);
    let at = Position { line: usize::try_from(place.line).unwrap_or(1), column };
    Location { file: place.file.clone(), start: at, end: at }
}

/// Why there is no verdict.
fn reason(testing: &Testing, options: &Options) -> String {
    let runs = count(testing.stats.runs, "schedule");
    let unconfirmed = testing.unconfirmed.iter().cloned();
    let incomplete = testing
        .incomplete
        .as_ref()
        .filter(|incomplete| **incomplete != Incomplete::Stopped || testing.unconfirmed.is_empty());
    let incomplete = incomplete.map(|incomplete| match incomplete {
        Incomplete::Obstacle(reason) => reason.clone(),
        Incomplete::Limit(explore::Limit::Depth) => {
            format!(
                "no violation, but schedules of more than {} were cut",
                count(options.most_steps(), "step")
            )
        }
        Incomplete::Limit(limit) if testing.stats.runs > 0 => format!("no violation in {runs}, but {limit}"),
        Incomplete::Limit(limit) => limit.to_string(),
        Incomplete::Stopped => "the search ended with the first violation".into(),
        Incomplete::Sampled => format!("no violation in {runs} that were drawn{}", advice(options)),
        Incomplete::Range | Incomplete::Compacted(_) => "not all schedules were run".into(),
        Incomplete::Contradiction(what) => format!("the run contradicts itself: {what}"),
    });
    unconfirmed.chain(incomplete).collect::<Vec<_>>().join("; ")
}

fn advice(options: &Options) -> &'static str {
    if options.search.draws() { "; `--search dpor` runs all of them" } else { "" }
}

/// Reports findings, for people: the first one of each kind with its run.
fn tell_findings(output: &Output, program: &Program, findings: &[&Finding]) {
    let mut shown = Vec::new();
    for finding in findings {
        output.result(&format!("\n{}", headline(finding)));
        finding
            .setting
            .parties
            .iter()
            .for_each(|party| output.result(&format!("  {}", line(program, party))));
        if !shown.contains(&finding.kind) {
            tell_run_of(output, finding);
            shown.push(finding.kind);
        }
    }
    if shown.len() < findings.len() {
        output.remark("remark: only the first finding of each kind is shown with its run; `--format json` has all of them");
    }
}

fn tell_run_of(output: &Output, finding: &Finding) {
    let threads = u32::try_from(finding.setting.threads).unwrap_or(u32::MAX);
    if !finding.trace.steps.is_empty() {
        output.trace(&finding.trace, threads);
    }
    tell_output(output, &finding.setting.output);
}

/// Reports that a replay shows a recorded finding again.
pub(crate) fn tell_again(output: &Output, report: &mut Report, program: &Program, finding: &Finding) -> Exit {
    let steps = count(finding.trace.steps.len(), "step");
    output.result(&format!("violated: the {} shows again after {steps}", finding.kind));
    tell_findings(output, program, &[finding]);
    report.verdict = Some(Verdict::Violated);
    let trace = Details::of_finding(report.command, program, finding).document(&finding.trace);
    report.properties.push(entry(finding, trace));
    Exit::Violated
}

/// Reports one run that was asked for, whatever comes of it. It can violate, never hold.
pub(crate) fn tell_run(
    output: &Output,
    report: &mut Report,
    program: &Program,
    replayed: &Replayed,
    ignore: &[FindingKind],
) -> Exit {
    let findings: Vec<&Finding> =
        replayed.findings.iter().filter(|finding| !ignore.contains(&finding.kind)).collect();
    let document =
        |finding: &Finding| Details::of_finding(report.command, program, finding).document(&finding.trace);
    let entries: Vec<PropertyReport> =
        findings.iter().map(|finding| entry(finding, document(finding))).collect();
    report.trace = findings.first().map(|finding| document(finding));
    report.properties.extend(entries);
    if let Some(deviation) = &replayed.deviation {
        tell_steps(output, replayed);
        return telling::unknown(output, report, deviation.clone());
    }
    if findings.is_empty() {
        tell_steps(output, replayed);
        let steps = count(replayed.trace.steps.len(), "step");
        return telling::unknown(output, report, format!("no violation in {steps} of one schedule"));
    }
    report.verdict = Some(Verdict::Violated);
    output.result("violated");
    tell_findings(output, program, &findings);
    Exit::Violated
}

/// The steps of a run that shows nothing wrong.
pub(crate) fn tell_steps(output: &Output, replayed: &Replayed) {
    let threads = u32::try_from(replayed.trace.actors.len()).unwrap_or(u32::MAX);
    output.trace(&replayed.trace, threads);
    tell_output(output, &replayed.output);
}

/// What the program has printed in a run.
pub(crate) fn tell_output(output: &Output, text: &str) {
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with("motet: ")).collect();
    if !lines.is_empty() {
        output.result("  output of the program in this run:");
        lines.iter().for_each(|line| output.result(&format!("    {line}")));
    }
}

/// What was found, and how far from the start.
pub(crate) fn headline(finding: &Finding) -> String {
    let what = program::sentence(finding.kind, &finding.message);
    format!("{what}, {} from the start", count(finding.trace.steps.len(), "step"))
}

/// Who does what where, with the line of the source if it can be read.
fn line(program: &Program, party: &Party) -> String {
    let Some(place) = &party.place else { return party.what.clone() };
    let function = place.function.as_ref().map_or(String::new(), |function| format!(" in `{function}`"));
    let text = text(program, place).map_or(String::new(), |text| format!("    {text}"));
    format!("{} at {place}{function}{text}", party.what)
}

/// The most that is shown of a line of source.
const LONGEST_LINE: usize = 70;

fn text(program: &Program, place: &Place) -> Option<String> {
    let text = fs::read_to_string(program.recipe.path(&place.file)).ok()?;
    let line = usize::try_from(place.line).ok()?.checked_sub(1)?;
    let line = text.lines().nth(line)?.trim();
    let shown: String = line.chars().take(LONGEST_LINE).collect();
    let rest = if shown.len() < line.len() { "…" } else { "" };
    (!line.is_empty()).then(|| format!("{shown}{rest}"))
}

/// Writes the trace of the first violation, and draws it, where files are given.
pub(crate) fn write(
    trace: &TraceFlag,
    diagram: &DiagramFlag,
    program: &Program,
    testing: &Testing,
    report: &Report,
    output: &Output,
) -> [Result<(), String>; 2] {
    let first = testing.findings.first();
    let traced = match (&trace.trace, first) {
        (Some(path), Some(finding)) => {
            let document = Details::of_finding(report.command, program, finding).document(&finding.trace);
            crate::trace_file::write(path, &document)
        }
        (Some(_), None) => {
            output.remark("remark: there is no violation, hence no trace");
            Ok(())
        }
        (None, _) => Ok(()),
    };
    let drawn = match (&diagram.diagram, first) {
        (Some(picture), Some(finding)) => draw(picture, program, finding),
        (Some(_), None) => {
            output.remark("remark: there is no violation, hence no diagram");
            Ok(())
        }
        (None, _) => Ok(()),
    };
    [traced, drawn]
}

/// Draws the run of a finding.
pub(crate) fn draw(picture: &Picture, program: &Program, finding: &Finding) -> Result<(), String> {
    let name = Path::new(program.recipe.name())
        .file_name()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let threads = finding.setting.threads;
    let caption =
        Caption { title: format!("{name} with {}", count(threads, "thread")), ending: headline(finding) };
    write_file(&picture.path, &render::diagram(&finding.trace, threads, &caption))
}

/// The figures of a test.
pub(crate) fn figures(stats: &Stats) -> Figures {
    Figures::Testing(TestingFigures {
        executions: stats.runs,
        redundant_executions: stats.vain,
        steps: stats.steps,
        depth: stats.depth,
        states: stats.states,
        restarts: stats.restarts,
        cpu_milliseconds: stats.cpu / 1_000_000,
        bytes_per_restart: stats.bytes,
    })
}

/// Figures of a test, for people.
pub(crate) fn statistics(figures: &TestingFigures, seconds: f64) -> String {
    format!(
        "\n{}, {}, depth {}, {seconds:.2} s",
        count(figures.executions, "schedule"),
        count(figures.steps, "step"),
        figures.depth
    )
}
