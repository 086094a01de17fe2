//! Mutations are deterministic for a given seed, usually differ from the source, and never panic.

use modelgen::{Features, Options, Size, mutate, random_model};

fn source() -> String {
    random_model(&Options { seed: 7, size: Size::Medium, features: Features::everything() })
}

#[test]
fn equal_seeds_give_equal_damage() {
    let source = source();
    for seed in 0..50 {
        assert_eq!(mutate(&source, seed), mutate(&source, seed));
    }
}

#[test]
fn most_mutations_change_the_text() {
    let source = source();
    let changed = (0..200).filter(|&seed| mutate(&source, seed) != source).count();
    assert!(changed > 190, "only {changed} of 200 differ");
}

/// A cut inside a character would panic, since a `String` is always UTF-8.
#[test]
fn any_text_can_be_damaged() {
    let odd = ["", " ", "\n", "\u{1F512}\u{e9}\u{2260}", "\"open", "#", "(*", "1.", "e\u{301}\u{202e}x"];
    for text in odd {
        let mut damaged = text.to_string();
        for seed in 0..300 {
            damaged = mutate(if damaged.len() > 10_000 { text } else { &damaged }, seed);
        }
    }
}
