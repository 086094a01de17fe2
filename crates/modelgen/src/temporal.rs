//! Temporal properties: `ltl` items over quoted state formulas and steps.

use crate::features::Feature;
use crate::generator::{Generator, Items};
use crate::layout::Item;
use crate::names::{self, Class, PROCESS_VARIABLES};
use crate::piece::Piece;
use crate::scope::{Place, Scope};
use crate::symbols::Step;

impl Generator {
    pub(crate) fn temporal_properties(&mut self, items: &mut Items) {
        if self.sometimes(Feature::Temporal, 2, 3) {
            for _ in 0..self.rng.between(1, 2) {
                let formula = self.temporal(2);
                let name = self.name(Class::Property);
                items.push(Item::without_comments(format!("ltl {name} {{ {formula} }}")));
            }
        }
    }

    /// A temporal formula. Every binary operator is in parentheses, so that the text does not depend on precedences.
    fn temporal(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.temporal_atom();
        }
        match self.rng.below(4) {
            0 => self.temporal_atom(),
            1 | 2 => {
                let operator = self.rng.one_of(&["G", "F", "X", "!", "NOT", "G F", "F G"]);
                format!("{operator} {}", self.temporal_operand(depth - 1))
            }
            _ => {
                let operator = self.rng.one_of(&[
                    "U", "W", "R", "M", "&", "&&", "AND", "|", "||", "OR", "->", "-->", "=>", "==>", "IMP",
                    "<->", "<=>", "BIIMP", "^", "xor", "XOR",
                ]);
                let left = self.temporal_operand(depth - 1);
                format!("{left} {operator} {}", self.temporal_operand(depth - 1))
            }
        }
    }

    fn temporal_operand(&mut self, depth: usize) -> String {
        let operand = self.temporal(depth);
        if operand.contains(' ') { format!("({operand})") } else { operand }
    }

    fn temporal_atom(&mut self) -> String {
        let steps: Vec<Step> =
            self.signature.steps.iter().filter(|step| self.can_name(step)).cloned().collect();
        let atom = if !steps.is_empty() && self.sometimes(Feature::TakeAtoms, 1, 2) {
            let step = steps[self.rng.below(steps.len())].clone();
            self.take(&step)
        } else if self.rng.chance(1, 12) {
            return self.rng.one_of(&["true", "tt", "false", "ff"]).to_string();
        } else {
            self.closed_formula(Place::Temporal).text
        };
        let quote = self.rng.one_of(&['"', '"', '\'']);
        format!("{quote}{atom}{quote}")
    }

    /// A formula without free variables: it mentions cells only under a quantifier.
    pub(crate) fn closed_formula(&mut self, place: Place) -> Piece {
        let scope = Scope::new(place);
        if self.may_quantify(&scope, true)
            && self.rng.chance(1, 2)
            && let Some(piece) = self.quantified(&scope, 1)
        {
            return piece;
        }
        self.formula(&scope, self.limits.depth.min(2))
    }

    /// Whether a step is determined by its name and its processes.
    fn can_name(&self, step: &Step) -> bool {
        step.arity > 0 && self.signature.steps.iter().filter(|other| other.name == step.name).count() == 1
    }

    fn take(&mut self, step: &Step) -> String {
        let mut arguments: Vec<String> = Vec::new();
        for _ in 0..step.arity {
            let used = arguments.iter().map(String::as_str);
            let variable = names::local(&mut self.rng, PROCESS_VARIABLES, used);
            arguments.push(variable);
        }
        format!("TAKE {}({})", step.name, arguments.join(", "))
    }
}
