//! Temporal properties on the command line: formulas to check, and the runs that count.

use crate::load::Loaded;
use clap::Args;
use instance::temporal::{Fair, Runs, Unit};
use ir::{Model, RuleId, Temporal};
use model::Queues;
use source::{Source, Style, nearest, render};

/// `--ltl`, `--fair`, `--infinite-runs`
#[derive(Debug, Clone, Args)]
pub(crate) struct TemporalFlags {
    /// Also check a temporal formula, as in `ltl name { FORMULA }`
    #[arg(long, value_name = "FORMULA")]
    pub(crate) ltl: Vec<String>,
    /// Judge temporal properties by fair runs only: `weak` or `strong`, for each process, or after a colon for each `transition` or
    /// for those that are named: `weak`, `strong:transition`, `weak:enter,leave`
    #[arg(long, value_name = "FAIRNESS")]
    pub(crate) fair: Vec<String>,
    /// Judge temporal properties by runs that never end only
    #[arg(long)]
    pub(crate) infinite_runs: bool,
}

/// A formula from the command line, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) name: String,
    pub(crate) formula: String,
}

/// Which runs count, as it was written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct RunFlags {
    pub(crate) fair: Vec<String>,
    pub(crate) infinite: bool,
}

impl RunFlags {
    /// The same as the engine knows it.
    pub(crate) fn of_model(&self, model: &Model) -> Result<Runs, String> {
        let fair = self.fair.iter().map(|text| fair(text, model)).collect::<Result<_, _>>()?;
        Ok(Runs { fair, infinite_only: self.infinite })
    }

    /// The part of a sentence that says which runs count; empty if all do.
    pub(crate) fn in_words(&self) -> String {
        let fair: Vec<String> = self.fair.iter().map(|text| fairness_in_words(text)).collect();
        let infinite = self.infinite.then(|| "runs that never end".to_owned());
        infinite.into_iter().chain(fair).collect::<Vec<_>>().join(", ")
    }
}

fn fairness_in_words(text: &str) -> String {
    match text.split_once(':') {
        None => format!("{text} fairness of each process"),
        Some((kind, "process")) => format!("{kind} fairness of each process"),
        Some((kind, "transition")) => format!("{kind} fairness of each transition"),
        Some((kind, names)) => {
            let names: Vec<String> = names.split(',').map(|name| format!("`{}`", name.trim())).collect();
            format!("{kind} fairness of {}", names.join(", "))
        }
    }
}

/// `weak`, `strong:transition`, `weak:enter,leave`
fn fair(text: &str, model: &Model) -> Result<Fair, String> {
    let (kind, of) = text.split_once(':').unwrap_or((text, "process"));
    let strong = match kind.trim() {
        "weak" => false,
        "strong" => true,
        other => return Err(format!("`--fair {text}`: fairness is `weak` or `strong`, not `{other}`")),
    };
    let of = match of.trim() {
        "process" => Unit::Process,
        "transition" => Unit::Transition,
        names => Unit::Rules(
            names
                .split(',')
                .map(|name| rules(name.trim(), text, model))
                .collect::<Result<Vec<_>, _>>()?
                .concat(),
        ),
    };
    Ok(Fair { strong, of })
}

fn rules(name: &str, text: &str, model: &Model) -> Result<Vec<RuleId>, String> {
    let ids = (0..model.rules.len()).map(RuleId::from_index);
    let found: Vec<RuleId> = ids.filter(|id| model.rules[id.index()].name == name).collect();
    if !found.is_empty() {
        return Ok(found);
    }
    let names = model.rules.iter().map(|rule| rule.name.as_str()).chain(["process", "transition"]);
    let suggestion = nearest(name, names).map_or(String::new(), |near| format!("; did you mean `{near}`?"));
    Err(format!("`--fair {text}`: there is no transition `{name}`{suggestion}"))
}

impl TemporalFlags {
    pub(crate) fn runs(&self) -> RunFlags {
        RunFlags { fair: self.fair.clone(), infinite: self.infinite_runs }
    }

    /// Adds the formulas to the properties of a model.
    pub(crate) fn add_to(&self, loaded: &mut Loaded, queues: Queues, processes: u32) -> Result<(), String> {
        for formula in &self.ltl {
            ask(loaded, queues, processes, None, formula)?;
        }
        loaded.runs = self.runs();
        Ok(())
    }
}

/// Adds a formula to the properties of a model, under a name or as the next `ltl1`, `ltl2`, ….
pub(crate) fn ask(
    loaded: &mut Loaded,
    queues: Queues,
    processes: u32,
    name: Option<&str>,
    formula: &str,
) -> Result<(), String> {
    let lone = model::temporal_about(&loaded.source, queues, processes, formula).map_err(|diagnostics| {
        let argument = Source::new("--ltl", formula.to_owned());
        let all = diagnostics.sorted();
        let shown: Vec<String> = all.iter().map(|it| render(&argument, it, Style::Plain)).collect();
        format!("the formula cannot be read\n{}", shown.join("\n"))
    })?;
    let is_taken = |name: &String| loaded.model.temporal.iter().any(|known| known.name == *name);
    let mut numbered = (1..).map(|number| format!("ltl{number}"));
    let name = name.map(str::to_owned).or_else(|| numbered.find(|name| !is_taken(name))).unwrap_or_default();
    loaded.asked.push(Asked { name: name.clone(), formula: formula.to_owned() });
    let property = Temporal { name, ..lone.property };
    // As the model was read, it may have been changed: without store buffers, readers have no meaning.
    let property = if loaded.model.is_weak() { property } else { property.sequentially_consistent() };
    loaded.model.temporal.push(property);
    Ok(())
}
