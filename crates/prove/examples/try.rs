fn main() {
    for file in std::env::args().skip(1) {
        let source = source::Source::read(&file).unwrap();
        let Some(model) = model::load(&source).model else { println!("{file}: refused"); continue };
        let begun = std::time::Instant::now();
        println!("{file}: {} {:.3} s", prove::experiment(&model), begun.elapsed().as_secs_f64());
    }
}
