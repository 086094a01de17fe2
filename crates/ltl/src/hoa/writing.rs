//! Writing the Hanoi format.

use crate::{Automaton, Cube, Edge};

impl Automaton {
    /// The automaton as text, with marks on transitions.
    pub fn to_hoa(&self) -> String {
        let mut text = format!("HOA: v1\nStates: {}\n", self.states.len());
        self.initial.iter().for_each(|state| text += &format!("Start: {state}\n"));
        let atoms: Vec<String> = self.atoms.iter().map(|atom| quoted(atom)).collect();
        text += &format!(
            "AP: {}{}\n",
            atoms.len(),
            atoms.iter().map(|atom| format!(" {atom}")).collect::<String>()
        );
        text += &self.acceptance();
        text += "properties: trans-labels explicit-labels trans-acc\n--BODY--\n";
        for (state, edges) in self.states.iter().enumerate() {
            text += &format!("State: {state}\n");
            edges.iter().for_each(|edge| text += &written(edge));
        }
        text + "--END--\n"
    }

    fn acceptance(&self) -> String {
        let sets: Vec<String> = (0..self.marks).map(|mark| format!("Inf({mark})")).collect();
        match self.marks {
            0 => "acc-name: all\nAcceptance: 0 t\n".into(),
            1 => "acc-name: Buchi\nAcceptance: 1 Inf(0)\n".into(),
            many => format!("acc-name: generalized-Buchi {many}\nAcceptance: {many} {}\n", sets.join("&")),
        }
    }
}

fn quoted(atom: &str) -> String {
    format!("\"{}\"", atom.replace('\\', "\\\\").replace('"', "\\\""))
}

fn written(edge: &Edge) -> String {
    let marks: Vec<String> =
        (0..64).filter(|mark| edge.marks >> mark & 1 == 1).map(|mark| mark.to_string()).collect();
    let marks = if marks.is_empty() { String::new() } else { format!(" {{{}}}", marks.join(" ")) };
    format!("[{}] {}{marks}\n", label(edge.label), edge.to)
}

fn label(cube: Cube) -> String {
    let literal = |atom: u32| match (cube.positive >> atom & 1, cube.negative >> atom & 1) {
        (1, _) => Some(atom.to_string()),
        (_, 1) => Some(format!("!{atom}")),
        _ => None,
    };
    let literals: Vec<String> = (0..64).filter_map(literal).collect();
    if literals.is_empty() { "t".into() } else { literals.join("&") }
}
