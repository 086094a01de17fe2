//! Random models: the guarantees of the typed form hold in every reachable state.
//!
//! The interpreter itself panics when a variable is unbound or a step leaves a domain, and refuses when an outsider
//! is misused. Here the warnings of the checker are tested as well.

use super::{
    instance::Ranges,
    search::{Limits, Refusal, Report, explore},
};
use ir::Model;
use modelgen::{Features, Options, Size, random_model};
use source::{Diagnostic, Source};

#[test]
fn random_models_keep_the_promises_of_the_typed_form() {
    let mut explored = 0;
    for seed in 0..300 {
        let presets = [Features::plain(), Features::threads(), Features::weak(), Features::everything()];
        let features = presets[usize::try_from(seed).expect("small") % presets.len()];
        let text = random_model(&Options { seed, size: Size::Small, features });
        let source = Source::new(format!("seed{seed}.cub"), text);
        let loaded = model::load(&source);
        let model = loaded.model.expect("random models are accepted");
        let warnings = loaded.diagnostics.sorted();
        for processes in 1..=2 {
            explored += usize::from(check(&source, &model, &warnings, processes));
        }
    }
    assert!(explored > 200, "only {explored} instances were small enough");
}

/// Whether the instance could be explored.
fn check(source: &Source, model: &Model, warnings: &[Diagnostic], processes: u32) -> bool {
    if processes < model.min_processes() || model.max_processes.is_some_and(|most| processes > most) {
        return false;
    }
    let limits = Limits { ranges: Ranges::new(), states: 2_000, stop_at_first: false };
    match explore(model, processes as usize, &limits) {
        Ok(report) => check_warnings(source, model, warnings, &report),
        Err(Refusal::Unguarded) => panic!("an outsider is used in {}:\n{}", source.name(), source.text()),
        Err(Refusal::NeedsRange(_) | Refusal::TooLarge) => return false,
    }
    true
}

/// Checks that formulas reported as unsatisfiable are so.
fn check_warnings(source: &Source, model: &Model, warnings: &[Diagnostic], report: &Report) {
    for warning in warnings {
        match warning.code {
            // With several `init`, one of them may be unsatisfiable while others are not; that warning has another
            // message.
            "unsatisfiable-init" if warning.message == "no state satisfies `init`" => {
                assert_eq!(report.initial, 0, "{}", source.text());
            }
            "unsatisfiable-guard" => {
                // The warning points into the guard, so its rule is the last one that starts before it.
                let before = |rule: &&ir::Rule| rule.at.0.start() < warning.primary.span.start();
                let rule = model.rules.iter().filter(before).max_by_key(|rule| rule.at.0.start());
                let taken = report.taken.iter().any(|id| Some(&model.rules[id.index()]) == rule);
                assert!(!taken, "a step of `{}` in\n{}", rule.expect("one").name, source.text());
            }
            _ => {}
        }
    }
}
