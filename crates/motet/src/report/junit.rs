//! Reports in the format of `JUnit`, which servers for continuous integration read.
//!
//! A test case for each thing that was checked. A verdict that is unknown is an error, never a success: a test that ran
//! nothing, or was stopped before its end, has shown nothing. Properties that were left open are skipped.

use super::{
    Report,
    outcome::{Outcome, Result, outcomes, steps},
};
use std::fmt::Write;

/// The document.
pub(crate) fn document(report: &Report) -> String {
    let cases: Vec<Outcome<'_>> =
        outcomes(report).into_iter().filter(|outcome| outcome.result != Result::Warning).collect();
    let number = |wanted: &[Result]| cases.iter().filter(|case| wanted.contains(&case.result)).count();
    let (failures, errors) = (number(&[Result::Wrong]), number(&[Result::Unknown, Result::Refused]));
    let skipped = number(&[Result::Open]);
    let name = escaped(&format!("motet {}", report.command));
    let attributes = format!(
        "name=\"{name}\" tests=\"{}\" failures=\"{failures}\" errors=\"{errors}\" time=\"{:.3}\"",
        cases.len(),
        report.stats.seconds
    );
    let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    let _ = writeln!(text, "<testsuites {attributes}>\n  <testsuite {attributes} skipped=\"{skipped}\">");
    cases.iter().for_each(|case| text.push_str(&testcase(case)));
    text.push_str("  </testsuite>\n</testsuites>");
    text
}

fn testcase(case: &Outcome<'_>) -> String {
    let name =
        if case.kind == case.name { case.name.clone() } else { format!("{} {}", case.kind, case.name) };
    let head = format!("    <testcase classname=\"{}\" name=\"{}\"", escaped(case.file), escaped(&name));
    let element = match case.result {
        Result::Fine | Result::Warning => return format!("{head}/>\n"),
        Result::Open => {
            let message = escaped(&case.message);
            return format!("{head}>\n      <skipped message=\"{message}\"/>\n    </testcase>\n");
        }
        Result::Wrong => "failure",
        Result::Unknown | Result::Refused => "error",
    };
    let kind = if case.result == Result::Unknown { "unknown" } else { case.kind.as_str() };
    let place = case.location.as_ref().map(|at| format!("{}:{}", at.file, at.start.line));
    let lines: Vec<String> = place.into_iter().chain(case.trace.map(steps).unwrap_or_default()).collect();
    format!(
        "{head}>\n      <{element} type=\"{}\" message=\"{}\">{}</{element}>\n    </testcase>\n",
        escaped(kind),
        escaped(&case.message),
        escaped(&lines.join("\n"))
    )
}

/// A text in XML. Letters that XML 1.0 cannot have are replaced.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\n' | '\t' => escaped.push_str(&format!("&#{};", u32::from(letter))),
            '\u{0}'..' ' | '\u{fffe}' | '\u{ffff}' => escaped.push('\u{fffd}'),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Figures, PropertyReport, TestingFigures, Verdict};

    fn tested(verdict: Verdict, executions: usize) -> Report {
        let mut report = Report::new("test", &["a&b.c".to_owned()]);
        report.verdict = Some(verdict);
        report.properties.push(PropertyReport::undeclared("race", "race", verdict));
        report.stats.figures = Figures::Testing(TestingFigures {
            executions,
            redundant_executions: 0,
            steps: 0,
            depth: 0,
            states: 0,
            restarts: 0,
            cpu_milliseconds: 0,
            bytes_per_restart: 0,
        });
        report
    }

    #[test]
    fn what_holds_is_a_success() {
        let text = document(&tested(Verdict::Holds, 3));
        assert!(text.contains("failures=\"0\" errors=\"0\""), "{text}");
        assert!(text.contains("<testcase classname=\"a&amp;b.c\" name=\"race\"/>"), "{text}");
    }

    #[test]
    fn a_test_that_ran_nothing_is_never_green() {
        for report in [tested(Verdict::Holds, 0), tested(Verdict::Unknown, 0), tested(Verdict::Unknown, 7)] {
            let text = document(&report);
            assert!(text.contains("tests=\"2\" failures=\"0\" errors=\"1\""), "{text}");
            assert!(text.contains("skipped=\"1\"") && !text.contains("name=\"race\"/>"), "{text}");
        }
    }

    #[test]
    fn letters_that_xml_does_not_have_are_replaced() {
        assert_eq!(escaped("<a b=\"\u{1}\">&\n"), "&lt;a b=&quot;\u{fffd}&quot;&gt;&amp;&#10;");
    }
}
