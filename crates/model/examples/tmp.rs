//! x
fn main() { for f in std::env::args().skip(1) { let s = source::Source::read(&f).unwrap(); let p = model::load(&s); if p.model.is_none() { println!("REJECTED {f}") } for e in p.diagnostics.sorted() { println!("{}", source::render(&s, &e, source::Style::Plain)); } } }
