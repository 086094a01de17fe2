//! The variables of an item, which are numbers in the typed form.

use ir::Var;

/// All variables of an item, and those that are in scope.
#[derive(Debug, Default)]
pub(super) struct Variables {
    /// A [`Var`] is a position here.
    names: Vec<String>,
    /// In scope, here or where a predicate is used.
    live: Vec<Var>,
}

impl Variables {
    /// A new variable that lowering needs; its name is unique in the whole item.
    pub(super) fn fresh(&mut self, name: &str) -> Var {
        let names = &self.names;
        let unique = unique(name, |candidate| names.iter().any(|known| known == candidate));
        self.add(unique)
    }

    /// A new variable in scope; its name is unique among those in scope, so that printed formulas capture nothing.
    pub(super) fn enter(&mut self, name: &str) -> Var {
        let is_live = |candidate: &str| self.live.iter().any(|var| self.name(*var) == candidate);
        let unique = unique(name, is_live);
        let var = self.add(unique);
        self.live.push(var);
        var
    }

    /// Removes a variable from the scope.
    pub(super) fn leave(&mut self, var: Var) {
        self.live.retain(|live| *live != var);
    }

    pub(super) fn name(&self, var: Var) -> &str {
        &self.names[var.index()]
    }

    /// The names of all variables, by number.
    pub(super) fn names(&self) -> &[String] {
        &self.names
    }

    pub(super) fn into_names(self) -> Vec<String> {
        self.names
    }

    fn add(&mut self, name: String) -> Var {
        self.names.push(name);
        Var::from_index(self.names.len() - 1)
    }
}

fn unique(name: &str, is_taken: impl Fn(&str) -> bool) -> String {
    let numbered = (1..).map(|suffix: u32| format!("{name}{suffix}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    candidates.find(|candidate| !is_taken(candidate)).unwrap_or_default()
}
