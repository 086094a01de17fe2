//! Measures views on models: `measure [-k SIZE] [-t SECONDS] [--no-proof] FILE…`.
use explore::Limits;
use source::Source;
use std::time::Duration;

fn main() {
    let mut rung = views::Rung::Living;
    let mut size = 2;
    let mut seconds = 60;
    let mut proof = true;
    let mut check = false;
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "-k" => size = args.next().unwrap().parse().unwrap(),
            "-t" => seconds = args.next().unwrap().parse().unwrap(),
            "--no-proof" => proof = false,
            "--all" => rung = views::Rung::Everything,
            "--near" => rung = views::Rung::Near(args.next().unwrap().parse().unwrap()),
            "--context" => rung = views::Rung::Context(args.next().unwrap().parse().unwrap()),
            "--check" => check = true,
            file => one(file, size, rung, seconds, proof, check),
        }
    }
}

fn one(file: &str, size: usize, rung: views::Rung, seconds: u64, proof: bool, check: bool) {
    let short = file.rsplit("models/").next().unwrap();
    let source = Source::read(file).unwrap();
    let Some(model) = model::load(&source).model else { return println!("{short}\trejected") };
    if std::env::var("LADDER").is_ok() {
        let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
        let size = if size == 2 { None } else { Some(size) };
        let outcome = views::prove(&model, &views::ProofOptions { limits, threads: 2, size, progress: None });
        let verdict = match &outcome.verdict {
            views::Verdict::Holds(proof) => format!("holds, {} cubes", proof.certificate.cubes.len()),
            views::Verdict::Violated(violation) => format!("VIOLATED, {} processes", violation.processes),
            views::Verdict::Unknown(reason) => format!("{reason:?}"),
        };
        let verdict: String = verdict.chars().take(90).collect();
        return println!(
            "{short}\t{} views\tk={}\t{:?}\t{} searches\t{:.2} s\t{verdict}",
            outcome.statistics.views,
            outcome.statistics.size,
            outcome.rung,
            outcome.searches,
            outcome.statistics.time.as_secs_f64()
        );
    }
    let limits = Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() };
    let options = views::Options { size, rung, limits: limits.clone(), progress: None };
    let (found, statistics) = match views::search(&model, &options) {
        Ok(found) => found,
        Err(unsupported) => return println!("{short}\tunsupported: {}", unsupported.what),
    };
    print!(
        "{short}\t{} views\t{} structures\t{:.2} s\t",
        statistics.views,
        statistics.structures,
        statistics.time.as_secs_f64()
    );
    match found {
        views::Found::Limit(limit) => println!("{limit:?}"),
        views::Found::Coarse { property, rules } => {
            let names: Vec<_> = rules.iter().map(|rule| model.rules[rule.index()].name.as_str()).collect();
            println!("coarse: {} by {}", model.properties[property].name, names.join(", "));
        }
        views::Found::Closed(mut views) => {
            print!("closed\t");
            if check {
                for processes in size..=size + 1 {
                    let limits = Limits { states: Some(100_000), ..Limits::default() };
                    let n = u32::try_from(processes).unwrap();
                    if let Some(table) =
                        model::states::reachable(&model, n, model::states::Walk::Breadth, &limits)
                    {
                        print!(
                            "{n}: {} states, missing {:?}\t",
                            table.states,
                            views.missing(&table, processes)
                        );
                    }
                }
            }
            if proof {
                let options = prove::Options { limits, threads: 2, ..prove::Options::default() };
                let outcome = prove::with_views(&model, &options, views.table(), u8::try_from(size).unwrap());
                let verdict = match outcome.verdict {
                    prove::Verdict::Holds(proof) => format!("holds, {} cubes", proof.certificate.cubes.len()),
                    prove::Verdict::Violated(_) => "VIOLATED".into(),
                    prove::Verdict::Unknown(reason) => format!("{reason:?}"),
                };
                print!(
                    "{verdict}\t{} nodes, {} undone, {:.2} s",
                    outcome.statistics.nodes,
                    outcome.statistics.undone,
                    outcome.statistics.time.as_secs_f64()
                );
            }
            println!();
        }
    }
}
