//! Random models with a temporal property, as text.

use crate::common::Random;
use ir::{Model, Origin, Rule, Sort, Symbol};
use modelgen::{Feature, Features, Options, Size, random_model};

/// A small model without a temporal property.
pub(crate) fn model(seed: u64, random: &mut Random) -> String {
    let features = match random.below(4) {
        0 => Features::threads(),
        1 => Features::plain(),
        _ => Features::any(seed),
    };
    // The text of the property is written here, and store buffers have their own tests.
    let features = features.without(&[Feature::Temporal, Feature::TakeAtoms, Feature::Weak]).legal();
    random_model(&Options { seed, size: Size::Small, features })
}

/// A property with up to two parameters.
pub(crate) fn property(model: &Model, random: &mut Random) -> String {
    let params = ["", "(i)", "(i j)"][usize::try_from(random.below(3)).unwrap()];
    let size = 1 + random.below(4);
    let formula = formula(model, random, params, size);
    format!("ltl drawn {params} {{ {formula} }}\n")
}

fn formula(model: &Model, random: &mut Random, params: &str, size: u64) -> String {
    if size <= 1 {
        return atom(model, random, params);
    }
    if random.below(2) == 0 {
        let operator = pick(random, &["!", "X", "F", "G", "G F", "F G"]);
        return format!("{operator} ({})", formula(model, random, params, size - 1));
    }
    let operator = pick(random, &["&", "|", "->", "<->", "U", "W", "R", "M"]);
    let left = 1 + random.below(size - 1);
    let (left, right) = (formula(model, random, params, left), formula(model, random, params, size - left));
    format!("(({left}) {operator} ({right}))")
}

fn pick(random: &mut Random, all: &[&str]) -> String {
    all[usize::try_from(random.below(all.len() as u64)).unwrap()].to_owned()
}

fn atom(model: &Model, random: &mut Random, params: &str) -> String {
    let names: Vec<&str> = params.trim_matches(['(', ')']).split_whitespace().collect();
    match random.below(8) {
        0 => pick(random, &["END", "DEAD", "true"]),
        1..=3 if !model.rules.is_empty() => {
            let rule = &model.rules[usize::try_from(random.below(model.rules.len() as u64)).unwrap()];
            step(rule, random, &names)
        }
        _ => value(model, random, &names),
    }
}

fn step(rule: &Rule, random: &mut Random, names: &[&str]) -> String {
    let word = pick(random, &["TAKE", "ENABLED"]);
    let arguments: Vec<String> =
        rule.params.iter().map(|_| pick(random, &[names, &["_"]].concat())).collect();
    if random.below(3) == 0 || names.is_empty() {
        return format!("{word} {}", rule.name);
    }
    format!("{word} {}({})", rule.name, arguments.join(", "))
}

/// A comparison of a variable or a cell with a constructor, with or without quotes.
fn value(model: &Model, random: &mut Random, names: &[&str]) -> String {
    let usable = |symbol: &&Symbol| {
        symbol.origin == Origin::Declared
            && matches!(symbol.sort, Sort::Enum(_))
            && (symbol.arity == 0 || symbol.arity == 1 && !names.is_empty())
    };
    let symbols: Vec<&Symbol> = model.symbols.iter().filter(usable).collect();
    if symbols.is_empty() {
        return "true".into();
    }
    let symbol = symbols[usize::try_from(random.below(symbols.len() as u64)).unwrap()];
    let Sort::Enum(of) = symbol.sort else { unreachable!("only these are usable") };
    let constructors: Vec<&str> = model.enums[of.index()].constructors.iter().map(String::as_str).collect();
    let index = if symbol.arity == 0 { String::new() } else { format!("[{}]", pick(random, names)) };
    let formula = format!("{}{index} = {}", symbol.name, pick(random, &constructors));
    if random.below(2) == 0 { format!("\"{formula}\"") } else { formula }
}
