//! Runs of roles that exchange messages, as sequence diagrams: SVG, and the language of Mermaid.

use crate::svg::escape;
use std::fmt::Write;

/// A message from one role to another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Arrow {
    /// The sender, by number.
    pub from: usize,
    /// The receiver, by number.
    pub to: usize,
    /// What is sent.
    pub label: String,
    /// The step of the run that sends it.
    pub sent: usize,
    /// The step that receives it; the same for a handshake, none if it is still on its way.
    pub received: Option<usize>,
    /// The channel is closed; nothing is received.
    pub closes: bool,
}

/// A run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sequence {
    /// What it shows, in a line.
    pub title: String,
    /// The names of the roles.
    pub roles: Vec<String>,
    /// The messages, in the order in which they are sent.
    pub arrows: Vec<Arrow>,
    /// The number of steps.
    pub rows: usize,
}

/// The run in the language of Mermaid, which has no slanted arrows: messages are shown where they are sent, and once more where they are
/// received if something happens in between.
pub fn mermaid(sequence: &Sequence) -> String {
    let mut text = String::from("sequenceDiagram\n");
    for (at, role) in sequence.roles.iter().enumerate() {
        put(&mut text, format_args!("    participant r{at} as {}", plain(role)));
    }
    for row in 0..sequence.rows {
        for arrow in &sequence.arrows {
            let (from, to, label) = (arrow.from, arrow.to, plain(&arrow.label));
            match (arrow.sent == row, arrow.received == Some(row)) {
                (true, true) => put(&mut text, format_args!("    r{from}->>r{to}: {label}")),
                (true, false) if arrow.closes => put(&mut text, format_args!("    r{from}-xr{to}: close")),
                (true, false) => put(&mut text, format_args!("    r{from}-)r{to}: {label}")),
                (false, true) if arrow.received != Some(arrow.sent + 1) => {
                    put(
                        &mut text,
                        format_args!(
                            "    note over r{to}: receives {label} from {}",
                            plain(&sequence.roles[from])
                        ),
                    );
                }
                _ => {}
            }
        }
    }
    text
}

fn put(text: &mut String, line: std::fmt::Arguments<'_>) {
    writeln!(text, "{line}").expect("memory takes everything");
}

/// A text without what Mermaid gives a meaning to.
fn plain(text: &str) -> String {
    text.chars().map(|letter| if matches!(letter, ';' | '#' | '\n' | ':') { ' ' } else { letter }).collect()
}

const LANE: usize = 170;
const ROW: usize = 34;
const TOP: usize = 70;

/// The run as SVG: a line for each role, time goes down, and a message goes from where it is sent to where it is received.
pub fn sequence_svg(sequence: &Sequence) -> String {
    let width = LANE * sequence.roles.len().max(1) + 40;
    let height = TOP + ROW * (sequence.rows + 1) + 20;
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"12\">\n<title>{}</title>\n<defs><marker id=\"head\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" \
         markerWidth=\"8\" markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\" fill=\"#57606a\"/></marker></defs>\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n<text x=\"20\" y=\"20\" fill=\"#24292f\">{}</text>\n",
        escape(&sequence.title),
        escape(&sequence.title)
    );
    for (at, role) in sequence.roles.iter().enumerate() {
        let x = lane(at);
        put(
            &mut text,
            format_args!(
                "<text x=\"{x}\" y=\"{}\" text-anchor=\"middle\" font-weight=\"bold\" fill=\"#24292f\">{}</text>",
                TOP - 22,
                escape(role)
            ),
        );
        put(
            &mut text,
            format_args!(
                "<line x1=\"{x}\" y1=\"{}\" x2=\"{x}\" y2=\"{}\" stroke=\"#d0d7de\"/>",
                TOP - 12,
                height - 10
            ),
        );
    }
    for arrow in &sequence.arrows {
        draw(&mut text, arrow, height);
    }
    text + "</svg>\n"
}

fn lane(role: usize) -> usize {
    20 + LANE / 2 + LANE * role
}

fn draw(text: &mut String, arrow: &Arrow, height: usize) {
    let (x1, x2) = (lane(arrow.from), lane(arrow.to));
    let y1 = TOP + ROW * arrow.sent;
    let (colour, dashes) = match (arrow.closes, arrow.received) {
        (true, _) => ("#cf222e", "2,3"),
        (false, None) => ("#9a6700", "5,4"),
        (false, Some(_)) => ("#57606a", "none"),
    };
    let y2 = match arrow.received {
        Some(row) => TOP + ROW * row,
        None if arrow.closes => y1,
        None => (y1 + ROW).min(height - 10),
    };
    put(
        text,
        format_args!(
            "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\" stroke=\"{colour}\" stroke-dasharray=\"{dashes}\" marker-end=\"url(#head)\"/>"
        ),
    );
    let (x, y) = (usize::midpoint(x1, x2), usize::midpoint(y1, y2) - 5);
    put(
        text,
        format_args!(
            "<text x=\"{x}\" y=\"{y}\" text-anchor=\"middle\" fill=\"{colour}\">{}</text>",
            escape(&arrow.label)
        ),
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Sequence {
        let arrow = |from, to, label: &str, sent, received| Arrow {
            from,
            to,
            label: label.into(),
            sent,
            received,
            closes: false,
        };
        Sequence {
            title: "a < b".into(),
            roles: vec!["a".into(), "b".into()],
            arrows: vec![
                arrow(0, 1, "Ask", 0, Some(2)),
                arrow(1, 0, "Tell", 1, None),
                arrow(0, 1, "Meet", 3, Some(3)),
            ],
            rows: 4,
        }
    }

    #[test]
    fn mermaid_shows_messages_and_late_receives() {
        assert_eq!(
            mermaid(&example()),
            "sequenceDiagram\n    participant r0 as a\n    participant r1 as b\n    r0-)r1: Ask\n    r1-)r0: Tell\n    note over r1: receives Ask from a\n    r0->>r1: Meet\n"
        );
    }

    #[test]
    fn pictures_have_an_arrow_for_each_message() {
        let picture = sequence_svg(&example());
        assert_eq!(picture.matches("marker-end").count(), 3);
        assert!(picture.contains("a &lt; b") && !picture.contains("a < b"));
    }
}
