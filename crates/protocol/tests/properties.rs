//! Temporal properties of implementations.

mod common;

use common::{corpus, graph, protocol};
use explore::{Limits, Verdict};
use motet_protocol::{Explored, Fair, Implementation, Judgement, Property, Runs, Style, check};

const INFINITE: Runs = Runs { infinite_only: true, fair: Fair::No };

fn judge(text: &str, values: &[&str], style: Style, runs: Runs, formula: &str) -> Judgement {
    let graph = graph(&protocol(text), values);
    let implementation = Implementation::new(&graph, style).unwrap();
    let explored = Explored::new(&implementation, &Limits::default());
    let property =
        Property::parse(formula, implementation.vocabulary()).unwrap_or_else(|it| panic!("{it:?}"));
    check(&implementation, &explored, &property, runs, None)
}

#[test]
fn published_properties_have_the_published_verdicts() {
    let Some(folder) = corpus() else { return };
    let tests = std::fs::read_to_string(folder.join("tests.json")).unwrap();
    let tests: serde_json::Value = serde_json::from_str(&tests).unwrap();
    let mut count = 0;
    for test in tests["tests"].as_array().unwrap() {
        let text = std::fs::read_to_string(folder.join(test["file"].as_str().unwrap())).unwrap();
        let values: Vec<String> =
            test["entry_args"].as_array().unwrap().iter().map(ToString::to_string).collect();
        let values: Vec<&str> = values.iter().map(String::as_str).collect();
        let style = test["implementation"].as_str().unwrap().parse().unwrap();
        let judgement = judge(&text, &values, style, INFINITE, test["formula"].as_str().unwrap());
        let expected = if test["expected"] == true { Verdict::Holds } else { Verdict::Violated };
        assert_eq!(judgement.verdict, expected, "{} {:?}", test["id"], judgement.open);
        count += 1;
    }
    assert_eq!(count, 78);
}
