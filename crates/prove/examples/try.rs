fn main() {
    let brab: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    for file in std::env::args().skip(2) {
        let source = source::Source::read(&file).unwrap();
        let Some(model) = model::load(&source).model else { println!("{file}: refused"); continue };
        let begun = std::time::Instant::now();
        println!("{file}: {} {:.3} s", prove::experiment(&model, brab), begun.elapsed().as_secs_f64());
    }
}
