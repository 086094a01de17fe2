fn main() {
    let brab: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    for file in std::env::args().skip(2) {
        let source = source::Source::read(&file).unwrap();
        let Some(model) = model::load(&source).model else {
            println!("{file}: refused");
            continue;
        };
        let mut options = prove::Options::default();
        options.limits.time = Some(std::time::Duration::from_secs(10));
        options.approximation = match brab {
            0 => prove::Approximation::Off,
            9 => prove::Approximation::Auto,
            n => prove::Approximation::Processes(n),
        };
        let outcome = prove::prove(&model, &options);
        let verdict = match outcome.verdict {
            prove::Verdict::Holds(c) => format!("safe {} cubes", c.certificate.cubes.len()),
            prove::Verdict::Violated(v) => format!("unsafe n={} steps={}", v.processes, v.trace.steps.len()),
            prove::Verdict::Unknown(r) => format!("unknown {r:?}"),
        };
        println!("{file}: {verdict} {:?}", outcome.statistics);
    }
}
