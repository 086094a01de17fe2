//! Proves models under x86-TSO and prints verdict, numbers and time: `decide FILE…`

use events::{Options, Verdict, prove};
use source::Source;
use std::time::Duration;

fn main() {
    for path in std::env::args().skip(1) {
        let source = Source::read(&path).expect("a file that can be read");
        let Some(model) = model::load(&source).model else {
            println!("{path}\terror");
            continue;
        };
        let mut options = Options::default();
        options.limits.time = Some(Duration::from_secs(60));
        let outcome = prove(&model, &options);
        let word = match &outcome.verdict {
            Verdict::Safe(certificate) => {
                let begun = std::time::Instant::now();
                let checked = match certify::events::check(&model, certificate) {
                    Ok(checked) => format!("accepted {checked:?}"),
                    Err(rejection) => format!("REJECTED: {rejection}"),
                };
                format!("safe ({} cubes, {checked} in {:?})", certificate.cubes.len(), begun.elapsed())
            }
            Verdict::Unsafe(run) => {
                let name = |rule: ir::RuleId| model.rules[rule.index()].name.clone();
                let show = |action: &events::Action| match action {
                    events::Action::Step { rule, processes, .. } => format!("{}{processes:?}", name(*rule)),
                    events::Action::Flush { process } => format!("flush[{process}]"),
                };
                format!("unsafe: {}", run.actions.iter().map(show).collect::<Vec<_>>().join(" "))
            }
            Verdict::Unknown(reason) => format!("unknown: {reason}"),
        };
        println!("{path}\t{word}\t{:?}", outcome.statistics);
    }
}
