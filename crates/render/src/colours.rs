//! Colours for edges that have no room for their labels: one for each name of edges.

use crate::{
    graph::{Bundle, EdgeClass},
    svg::{Drawing, LETTER, width},
};

/// Colours that differ clearly on a light and on a dark background; further names share grey.
const PALETTE: [&str; 10] = [
    "#0969da", "#1a7f37", "#bf8700", "#8250df", "#bc4c00", "#1b7c83", "#bf3989", "#57606a", "#6639ba",
    "#4d7c0f",
];

/// The names of edges, each with its colour.
pub(crate) struct Colours {
    names: Vec<String>,
}

impl Colours {
    /// The names that occur, most frequent first.
    pub(crate) fn of(bundles: &[Bundle]) -> Colours {
        let mut counts: Vec<(usize, String)> = vec![];
        for name in bundles.iter().flat_map(|bundle| &bundle.names) {
            match counts.iter_mut().find(|(_, known)| known == name) {
                Some((count, _)) => *count += 1,
                None => counts.push((1, name.clone())),
            }
        }
        counts.sort_by_key(|(count, _)| std::cmp::Reverse(*count));
        Colours { names: counts.into_iter().map(|(_, name)| name).take(PALETTE.len()).collect() }
    }

    /// The class of an edge: that of violations, or of its first name.
    pub(crate) fn class(&self, bundle: &Bundle) -> String {
        let colour = bundle.names.first().and_then(|first| self.names.iter().position(|name| name == first));
        match (bundle.class, colour) {
            (EdgeClass::Bad, _) => "badedge".to_owned(),
            (EdgeClass::Dashed, _) => "dashededge".to_owned(),
            (EdgeClass::Plain, Some(colour)) => format!("edge thin colour{colour}"),
            (EdgeClass::Plain, None) => "edge thin".to_owned(),
        }
    }

    /// The style rules of all classes: thin lines, thick while a pointer rests on them.
    pub(crate) fn style(&self) -> String {
        let mut rules = ".thin{stroke-opacity:.55}g:hover>path{stroke-width:3;stroke-opacity:1}\n".to_owned();
        for (at, colour) in PALETTE.iter().enumerate().take(self.names.len()) {
            rules.push_str(&format!("path.colour{at}{{stroke:{colour}}}text.colour{at}{{fill:{colour}}}\n"));
        }
        rules
    }

    /// Writes the names in their colours, and returns the width.
    pub(crate) fn legend(&self, drawing: &mut Drawing, (x, y): (f64, f64)) -> f64 {
        let mut at = x;
        for (number, name) in self.names.iter().enumerate() {
            drawing.text(&format!("colour{number}"), (at, y), name);
            at += width(name) + 2.0 * LETTER;
        }
        at - x
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_one_rule_share_a_colour() {
        let bundle = |name: &str, process: usize, class| {
            let (labels, names) = (vec![format!("{name}(#{process})")], vec![name.to_owned()]);
            Bundle { from: 0, to: 1, labels, names, class }
        };
        let plain = |name, process| bundle(name, process, EdgeClass::Plain);
        let bundles = [plain("enter", 1), plain("leave", 1), plain("leave", 2)];
        let colours = Colours::of(&bundles);
        assert_eq!(colours.names, ["leave", "enter"]);
        assert_eq!(colours.class(&bundles[1]), colours.class(&bundles[2]));
        assert_eq!(colours.class(&bundle("leave", 1, EdgeClass::Bad)), "badedge");
    }
}
