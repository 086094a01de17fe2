//! `motet replay TRACE`: follows a recorded trace from its start.

use crate::{
    Exit,
    flags::{DiagramFlag, OutputFlags, Written},
    interrupt,
    load::{self, Loaded},
    output::{Output, count},
    pictures, program_trace, protocols,
    report::{PropertyReport, Report, Verdict},
    telling::{self, program as shown},
    temporal::{self, RunFlags},
    trace_file::Recorded,
};
use ::explore::{Cancel, DeadlockPolicy, Fault, FindingKind, Replay, Severity, Trace};
use clap::Args;
use instance::Setting;
use instance::exploration::Options;
use instance::judge::{Finding, kind_of};
use instance::replay::{Claim, replay_trace};
use ir::{Model, Property};
use std::time::Instant;

#[derive(Debug, Args)]
pub(crate) struct ReplayArgs {
    /// A trace written by `--trace` or by `save` in the debugger
    #[arg(value_name = "TRACE")]
    trace: String,
    /// The model or program, if it has moved
    #[arg(long, value_name = "FILE")]
    model: Option<String>,
    /// Follow the run of a program inside of gdb, and stop at its last step, or where `--at` says
    #[arg(long, conflicts_with_all = ["diagram", "format"])]
    gdb: bool,
    /// The step to stop at, counted from 1
    #[arg(long, value_name = "STEP", requires = "gdb")]
    at: Option<usize>,
    #[command(flatten)]
    diagram: DiagramFlag,
    #[command(flatten)]
    output: OutputFlags,
}

pub(crate) fn run(args: &ReplayArgs) -> Exit {
    let started = Instant::now();
    let output = Output::new(args.output.clone());
    let mut report = Report::new("replay", std::slice::from_ref(&args.trace));
    let exit = replay(args, &output, &mut report).unwrap_or_else(|message| {
        output.error(&message);
        report.reason = Some(message);
        Exit::BadInput
    });
    report.took(started.elapsed());
    output.document(&report);
    exit
}

fn replay(args: &ReplayArgs, output: &Output, report: &mut Report) -> Result<Exit, String> {
    Written::default().diagram(&args.diagram).try_all(1, &args.output)?;
    if let Some(recorded) = program_trace::Recorded::read(&args.trace)? {
        return replay_program(args, recorded, output, report);
    }
    if args.gdb {
        return Err("`--gdb` is for runs of C programs; `motet step --load` steps through a model".into());
    }
    let recorded = Recorded::read(&args.trace)?;
    let (trace, details) = (&recorded.trace, &recorded.details);
    let file = match &args.model {
        Some(file) => file.clone(),
        None => recorded.model()?,
    };
    if let Some(protocol) = &details.protocol {
        return protocols::replaying::replay(&recorded, &file, protocol, output, report);
    }
    let processes = details
        .processes
        .ok_or_else(|| format!("`{}` does not say how many processes it is about", args.trace))?;
    // The order of queues is part of the run: with another order the same steps may not be possible.
    let Some(mut loaded) = load::load("replay", &file, details.queues.into(), output, report) else {
        return Ok(Exit::BadInput);
    };
    if details.buffer.is_none() {
        loaded.model = loaded.model.sequentially_consistent();
    }
    if recorded.is_outdated(&file) {
        output.warn(report, "changed-model", format!("`{file}` has changed since the trace was recorded"));
    }
    report.processes = Some(processes);
    // The recorded ranges determine the possible values of open numbers.
    let ranges =
        details.ranges.iter().map(|range| range.of_model(&loaded.model)).collect::<Result<_, _>>()?;
    let deadlock = DeadlockPolicy::Error;
    let (seed, buffer) = (details.seed, details.buffer);
    let options = Options { ranges, deadlock, seed, buffer, ..Options::new(processes) };
    let name = details.property.as_deref().unwrap_or_default();
    if let Some(formula) = &details.formula {
        temporal::ask(&mut loaded, details.queues.into(), processes, Some(name), formula)?;
    }
    loaded.runs = RunFlags { fair: details.fair.clone(), infinite: details.infinite_runs };
    let runs = loaded.runs.of_model(&loaded.model)?;
    let roles: Vec<usize> = details.roles.iter().filter_map(|process| process.checked_sub(1)).collect();
    let is_temporal = details.kind == Some(FindingKind::Ltl);
    let property = loaded.model.temporal.iter().position(|known| is_temporal && known.name == name);
    let claim = match property {
        Some(property) => Claim::Temporal { property, roles: &roles, runs: &runs },
        None => Claim::Named(name),
    };
    let replayed = replay_trace(&loaded.model, &options, trace, claim);
    Ok(match (replayed, &details.property) {
        (Replay::Deviated(fault), _) => telling::unknown(output, report, fault.to_string()),
        // A run of the debugger need not end in a violation.
        (_, None) => {
            let steps = count(trace.steps.len(), "step");
            output.result(&format!("the run can be followed, for {steps}; it claims no violation"));
            output.trace(trace, processes);
            Exit::Holds
        }
        (Replay::Confirmed(roles), Some(_)) => {
            let setting = Setting { processes, ranges: options.ranges.clone(), seed, buffer };
            let finding = finding(&recorded, &loaded.model, roles, setting);
            confirmed(args, &loaded, &finding, output, report)?
        }
        (Replay::Refuted, Some(property)) => telling::unknown(
            output,
            report,
            if is_temporal {
                format!("the run can be followed, but it does not violate `{property}`")
            } else {
                format!("the run can be followed, but `{property}` is not violated at its end")
            },
        ),
    })
}

/// Follows the run of a program.
fn replay_program(
    args: &ReplayArgs,
    recorded: program_trace::Recorded,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, String> {
    let current = std::env::current_dir().map_err(|error| format!("there is no current folder: {error}"))?;
    let program_trace::Details { program: recipe, hash, mode, schedule, marks, property, kind, .. } =
        recorded.details;
    let mut recipe = recipe.found(&current);
    if let Some(file) = &args.model {
        (recipe.files, recipe.folder) = (vec![file.clone()], current);
    }
    let Some(program) = shown::make(recipe, output, report) else { return Ok(Exit::BadInput) };
    let changed = program.hash() != hash;
    if changed {
        let name = program.recipe.name().to_owned();
        output.warn(
            report,
            "changed-program",
            format!("the code of `{name}` has changed since the trace was recorded"),
        );
    }
    if args.gdb {
        let step = args.at.unwrap_or(schedule.len());
        return program::debug(&program, &mode, &schedule, &marks, step).map(|()| Exit::Holds);
    }
    let cancel = Cancel::by(interrupt::flag());
    let replayed = match program::replay(&program, &mode, &schedule, &marks, &cancel) {
        Ok(replayed) => replayed,
        Err(message) => return Ok(telling::unknown(output, report, message)),
    };
    if let Some(deviation) = first_difference(&recorded.trace, &replayed.trace) {
        shown::tell_steps(output, &replayed);
        return Ok(telling::unknown(output, report, deviation));
    }
    if kind.is_none() && replayed.deviation.is_none() {
        let steps = count(replayed.trace.steps.len(), "step");
        output.result(&format!("the run can be followed, for {steps}; it claims no violation"));
        shown::tell_steps(output, &replayed);
        return Ok(Exit::Holds);
    }
    let alike = || replayed.findings.iter().filter(|finding| Some(finding.kind) == kind);
    let same = alike().find(|finding| Some(&finding.name) == property.as_ref());
    // Its name is a line of the source, which may have moved.
    let again = same.or_else(|| alike().next());
    if let (Some(finding), Some(picture)) = (again, &args.diagram.diagram) {
        shown::draw(picture, &program, finding)?;
    }
    let (Some(finding), None) = (again, &replayed.deviation) else {
        shown::tell_steps(output, &replayed);
        let what = property.unwrap_or_default();
        let reason = replayed.deviation.unwrap_or_else(|| {
            format!(
                "the run can be followed, but the {} ({what}) does not show at its end",
                kind.map_or("finding", FindingKind::word)
            )
        });
        return Ok(telling::unknown(output, report, reason));
    };
    Ok(shown::tell_again(output, report, &program, finding))
}

/// Where a run differs from what was recorded.
fn first_difference(recorded: &Trace, followed: &Trace) -> Option<String> {
    let labels = |trace: &Trace| -> Vec<String> {
        let step = |step: &::explore::Step| {
            // Lines may have moved: what is done matters.
            let label = step.label.to_string();
            let what = label.rsplit_once(" at ").map_or(label.as_str(), |(what, _)| what);
            format!("`{what}` by {}", trace.actor(step.process.unwrap_or(0)))
        };
        trace.steps.iter().map(step).collect()
    };
    let (recorded, followed) = (labels(recorded), labels(followed));
    let step = recorded.iter().zip(&followed).position(|(one, other)| one != other)?;
    let (expected, found) = (recorded[step].clone(), followed[step].clone());
    Some(Fault::Deviation { step, expected, found }.to_string())
}

/// The finding of a trace whose replay was confirmed.
fn finding(recorded: &Recorded, model: &Model, roles: Vec<usize>, setting: Setting) -> Finding {
    let details = &recorded.details;
    let name = details.property.clone().unwrap_or_default();
    let is_it = |property: &Property| property.name == name && Some(kind_of(property.kind)) == details.kind;
    let property = model.properties.iter().position(is_it);
    let kind = details.kind.unwrap_or(FindingKind::Deadlock);
    // A run that only ends is not a violation, now or when it was recorded.
    let severity = if kind == FindingKind::Stuck { Severity::Remark } else { Severity::Violation };
    let (message, trace) = (String::new(), recorded.trace.clone());
    Finding { kind, name, severity, message, property, roles, trace, setting }
}

/// Reports that the replay confirms the finding, and draws it if a file is given.
fn confirmed(
    args: &ReplayArgs,
    loaded: &Loaded,
    finding: &Finding,
    output: &Output,
    report: &mut Report,
) -> Result<Exit, String> {
    let steps = count(finding.trace.steps.len(), "step");
    let exit = if finding.is_violation() {
        let by = if finding.kind == FindingKind::Ltl { "by a run of" } else { "after" };
        output.result(&format!("violated: `{}` is violated again {by} {steps}", finding.name));
        report.verdict = Some(Verdict::Violated);
        let kind = finding.kind.word();
        report.properties.push(PropertyReport::undeclared(&finding.name, kind, Verdict::Violated));
        Exit::Violated
    } else {
        output.result(&format!("the run ends again after {steps}, with nobody waiting"));
        Exit::Holds
    };
    telling::tell_finding(output, loaded, finding);
    if let Some(picture) = &args.diagram.diagram {
        let ending = telling::headline(loaded, finding);
        pictures::draw_trace(
            picture,
            &finding.trace,
            finding.setting.processes,
            loaded.source.name(),
            ending,
        )?;
    }
    Ok(exit)
}
