//! Every model is determined by its options, has balanced brackets, and contains only features that are on.

mod common;

use common::{Text, occurs};
use modelgen::{Feature, Features, Options, Size, random_model};

const LAYOUT: [Feature; 4] = [Feature::Comments, Feature::LineComments, Feature::Layout, Feature::AnyOrder];

fn model(seed: u64, features: Features) -> String {
    random_model(&Options { seed, size: Size::Medium, features })
}

fn presets(seed: u64) -> [Features; 9] {
    [
        Features::plain(),
        Features::cubicle(),
        Features::threads(),
        Features::weak(),
        Features::everything(),
        Features::everything_weak(),
        Features::store_buffers(),
        Features::store_buffers().with(&[Feature::PlainVariables]),
        Features::any(seed),
    ]
}

#[test]
fn equal_options_give_equal_models_and_seeds_matter() {
    for features in presets(1) {
        assert_eq!(model(1, features), model(1, features));
        let mut models: Vec<String> = (0..50).map(|seed| model(seed, features)).collect();
        models.sort();
        models.dedup();
        assert_eq!(models.len(), 50, "two seeds gave one model");
    }
}

#[test]
fn delimiters_are_balanced() {
    for seed in 0..200 {
        for features in presets(seed) {
            let text = model(seed, features.without(&[Feature::Comments, Feature::LineComments]));
            let mut open = Vec::new();
            for c in text.chars() {
                match c {
                    '(' => open.push(')'),
                    '[' => open.push(']'),
                    '{' => open.push('}'),
                    ')' | ']' | '}' => assert_eq!(open.pop(), Some(c), "{text}"),
                    _ => (),
                }
            }
            assert!(open.is_empty(), "{text}");
        }
    }
}

#[test]
fn every_size_and_no_feature_at_all_work() {
    for size in [Size::Small, Size::Medium, Size::Large] {
        for seed in 0..20 {
            let bare = random_model(&Options { seed, size, features: Features::none() });
            assert!(bare.contains("init { true }"), "{bare}");
            for features in presets(seed) {
                assert!(random_model(&Options { seed, size, features }).contains("unsafe"));
            }
        }
    }
}

#[test]
fn every_feature_occurs() {
    for &feature in Feature::ALL {
        let base = match feature {
            Feature::Weak => Features::everything_weak(),
            Feature::PlainVariables | Feature::UnfencedLoops => Features::everything_weak().with(&[feature]),
            _ => Features::everything(),
        };
        let plain = base.without(&LAYOUT);
        let features = if LAYOUT.contains(&feature) { plain.with(&[feature]) } else { plain };
        let seen = (0..400).any(|seed| occurs(feature, &Text::new(&model(seed, features))));
        assert!(seen, "{feature:?} never occurs");
    }
}

#[test]
fn a_feature_that_is_off_never_occurs() {
    for &feature in Feature::ALL {
        for base in [Features::everything(), Features::everything_weak()] {
            let features = base.without(&LAYOUT).without(&[feature]);
            for seed in 0..60 {
                let text = model(seed, features);
                assert!(!occurs(feature, &Text::new(&text)), "{feature:?} is off:\n{text}");
            }
        }
    }
}

#[test]
fn every_word_of_the_primitives_and_of_weak_memory_occurs() {
    let words = [
        (Features::threads(), "acquire("),
        (Features::threads(), "release("),
        (Features::threads(), "wait("),
        (Features::threads(), "notify("),
        (Features::threads(), "notify_all("),
        (Features::threads(), "free("),
        (Features::threads(), "owner("),
        (Features::threads(), "waiting("),
        (Features::threads(), "sleeping("),
        (Features::threads(), "active("),
        (Features::weak(), "fence()"),
        (Features::weak(), "weak var"),
        (Features::weak(), "weak array"),
        (Features::weak(), "@"),
        (Features::store_buffers(), "forall_other"),
        (Features::store_buffers(), ":= ?"),
        (Features::store_buffers(), "@"),
        (Features::everything(), ", _)"),
    ];
    for (features, word) in words {
        let features = features.without(&LAYOUT);
        assert!((0..300).any(|seed| model(seed, features).contains(word)), "{word} never occurs");
    }
}

#[test]
fn threads_use_one_primitive_per_transition_by_its_actor() {
    let features = Features::threads().without(&LAYOUT);
    for seed in 0..200 {
        let text = model(seed, features);
        for transition in text.split("transition ").skip(1) {
            let words = ["acquire(", "release(", "wait(", "notify(", "notify_all("];
            let calls: Vec<&str> = words.iter().flat_map(|word| transition.split(word).skip(1)).collect();
            assert!(calls.len() <= 1, "{transition}");
            for call in calls {
                let process = call.split(')').next().and_then(|arguments| arguments.rsplit(", ").next());
                let head = transition.lines().next().unwrap_or("");
                assert!(head.contains(&format!("[{}", process.unwrap_or("?"))), "{transition}");
            }
        }
    }
}
