//! `(graph des (v0,e,n) (v,"label",v') …)`: an explicit labelled transition system, as Aldebaran files write it.
//!
//! A label is written as in traces: `white SEND Move TO black`, `black RECV FROM white`, `white CLOSE TO black`, and `white SYNC Move TO black` for a
//! handshake. The type may be left out.

use super::{
    parser::Parser,
    reader::{Datum, Node},
    specifications::last_segment,
    tree::{EdgeLabel, Transitions, Verb},
};
use source::Span;
use std::rc::Rc;

/// More vertices than this are not drawn by hand, nor read.
const MOST_VERTICES: i64 = 100_000;

impl Parser<'_> {
    /// Reads a transition system, and returns its number.
    pub(super) fn graph(&mut self, args: &[&Node], span: Span) -> Option<usize> {
        let usage = "write `(graph des (first,edges,vertices) (from,\"label\",to) …)`";
        let ([des, header, edges @ ..], true) = (args, args.len() >= 2) else {
            return self.fail("syntax", span, usage);
        };
        let numbers: Vec<i64> =
            header.items().unwrap_or_default().iter().filter_map(|it| integer(it)).collect();
        let ([start, count, vertices], Some("des")) = (&numbers[..], des.symbol()) else {
            return self.fail("syntax", header.span, usage);
        };
        if !(1..=MOST_VERTICES).contains(vertices) || !(0..*vertices).contains(start) {
            return self.fail(
                "syntax",
                header.span,
                "the first vertex must be less than the number of vertices",
            );
        }
        if usize::try_from(*count).ok() != Some(edges.len()) {
            let message = format!("{count} edges are announced, and there are {}", edges.len());
            return self.fail("syntax", header.span, &message);
        }
        let mut table = vec![Vec::new(); usize::try_from(*vertices).ok()?];
        for edge in edges {
            let (from, label, to) = self.edge(edge, *vertices)?;
            table[from].push((label, to));
        }
        let start = u32::try_from(*start).ok()?;
        self.file.graphs.push(Rc::new(Transitions { start, edges: table }));
        Some(self.file.graphs.len() - 1)
    }

    fn edge(&mut self, node: &Node, vertices: i64) -> Option<(usize, EdgeLabel, u32)> {
        let items = node.items().unwrap_or_default();
        let ends = [items.first(), items.get(2)].map(|end| end.and_then(|end| integer(end)));
        let ([Some(from), Some(to)], [_, label, _]) = (ends, &items[..]) else {
            return self.fail("syntax", node.span, "expected an edge: `(from,\"label\",to)`");
        };
        if !(0..vertices).contains(&from) || !(0..vertices).contains(&to) {
            return self.fail("syntax", node.span, "this edge has a vertex that does not exist");
        }
        let Datum::Text(text) = &label.datum else {
            return self.fail("syntax", label.span, "expected a label in quotes");
        };
        let Some(parsed) = edge_label(text, label.span) else {
            let message =
                "expected a label such as \"white SEND Move TO black\", with SEND, RECV, CLOSE or SYNC";
            return self.fail("syntax", label.span, message);
        };
        self.file.types.extend(parsed.message.clone());
        Some((usize::try_from(from).ok()?, parsed, u32::try_from(to).ok()?))
    }
}

fn integer(node: &Node) -> Option<i64> {
    match node.datum {
        Datum::Integer(value) => Some(value),
        _ => None,
    }
}

/// Reads `ROLE VERB [TYPE] TO|FROM ROLE`.
fn edge_label(text: &str, span: Span) -> Option<EdgeLabel> {
    let words: Vec<&str> = text.split_whitespace().collect();
    let (who, verb, message, other) = match words[..] {
        [who, verb, "TO" | "FROM", other] => (who, verb, None, other),
        [who, verb, message, "TO" | "FROM", other] => (who, verb, Some(message), other),
        _ => return None,
    };
    let verb = match verb {
        "SEND" => Verb::Send,
        "RECV" => Verb::Receive,
        "CLOSE" => Verb::Close,
        "SYNC" => Verb::Handshake,
        _ => return None,
    };
    let (from, to) = if verb == Verb::Receive { (other, who) } else { (who, other) };
    let message = message.filter(|_| verb != Verb::Receive).map(|message| last_segment(message).into());
    Some(EdgeLabel { verb, from: from.to_owned(), to: to.to_owned(), message, span })
}
