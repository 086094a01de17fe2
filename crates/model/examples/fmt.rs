//! x
fn main() { for f in std::env::args().skip(1) { let s = source::Source::read(&f).unwrap(); match model::fmt::format(s.text()) { Ok(t) => { let again = model::fmt::format(&t).unwrap_or_default(); if again != t { eprintln!("NOT IDEMPOTENT {f}"); } print!("{t}"); } Err(e) => eprintln!("{f} {}", e.len()) } } }
