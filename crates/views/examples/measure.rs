//! The time of each abstraction level on a model: `measure FILE [LEVEL]...`. A level plus 100 has no limit on steps.

use explore::Limits;
use source::Source;
use std::time::Instant;
use views::{AbstractionLevel, Found, Options};

fn main() {
    let mut args = std::env::args().skip(1);
    let file = args.next().expect("a file");
    let levels: Vec<usize> = args.map(|level| level.parse().expect("a number")).collect();
    let text = std::fs::read_to_string(&file).expect("readable");
    let model = model::load(&Source::new(&*file, text.as_str())).model.expect("a model");
    let levels = if levels.is_empty() { (0..12).collect() } else { levels };
    for level in levels {
        let limits =
            Limits { steps: Some(if level >= 100 { usize::MAX } else { 600_000 }), ..Limits::default() };
        let options = Options {
            size: 2,
            level: AbstractionLevel::Visible(level % 100),
            limits,
            threads: threads().into(),
            progress: None,
        };
        let begun = Instant::now();
        let (found, statistics) = views::search(&model, &options).expect("supported");
        let word = match found {
            Found::Closed(_) => "closed".to_owned(),
            Found::Coarse { .. } => "coarse".to_owned(),
            Found::Limit(limit) => format!("{limit:?}"),
        };
        println!(
            "{level}: {word}, {} views, {} structures, {:?}",
            statistics.views,
            statistics.structures,
            begun.elapsed()
        );
    }
}

fn threads() -> usize {
    std::env::var("THREADS").map_or(1, |threads| threads.parse().expect("a number"))
}
