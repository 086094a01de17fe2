//! Atoms: what a formula may say about a step and the state before it.

use crate::{
    meaning::{Action, Vocabulary},
    syntax::{specifications::last_segment, tree::Verb},
};
use ltl::Formula;
use source::{Diagnostic, Span, nearest};

/// A set of actions.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pattern {
    /// Who acts, by number: any of these; `None` for anybody.
    pub role: Option<Vec<u32>>,
    /// What is done; `None` for anything.
    pub verb: Option<Verb>,
    /// The message type, by number: any of these; `None` for any type.
    pub message: Option<Vec<u32>>,
    /// The other party, by number: any of these; `None` for anybody.
    pub other: Option<Vec<u32>>,
}

/// How the length of a channel is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `<=`
    AtMost,
    /// `>=`
    AtLeast,
    /// `=`
    Exactly,
}

/// An atom.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Atom {
    /// `"True"`, `"False"`
    Constant(bool),
    /// The step is one of these.
    Taken(Pattern),
    /// Such a step is possible.
    Enabled(Pattern),
    /// How many messages are in the channels from some roles to others, each for itself.
    Length(Vec<(u32, u32)>, Comparison, usize),
    /// The run has ended successfully.
    End,
    /// The run is stuck.
    Dead,
}

impl Pattern {
    /// Whether an action is one of these. A handshake is a send of the one and a receive of the other.
    pub fn contains(&self, action: &Action) -> bool {
        let side = |verb: Verb, role: u32, others: &[u32]| {
            self.verb.is_none_or(|wanted| wanted == verb)
                && is_among(self.role.as_ref(), role)
                && self
                    .message
                    .as_ref()
                    .is_none_or(|types| action.message.is_some_and(|it| types.contains(&it)))
                && (self.other.is_none() || others.iter().any(|other| is_among(self.other.as_ref(), *other)))
        };
        match action.verb {
            Verb::Send => side(Verb::Send, action.from, &action.to),
            Verb::Receive => side(Verb::Receive, action.to[0], &[action.from]),
            Verb::Close => side(Verb::Close, action.from, &action.to),
            Verb::Handshake => {
                side(Verb::Handshake, action.from, &action.to)
                    || side(Verb::Send, action.from, &action.to)
                    || side(Verb::Receive, action.to[0], &[action.from])
            }
        }
    }
}

fn is_among(wanted: Option<&Vec<u32>>, role: u32) -> bool {
    wanted.is_none_or(|wanted| wanted.contains(&role))
}

/// A property: a formula over numbered atoms.
#[derive(Debug, Clone)]
pub struct Property {
    /// The formula; the number of an atom is its position.
    pub formula: Formula<u32>,
    /// The atoms.
    pub atoms: Vec<Atom>,
    /// What is remarkable about it.
    pub warnings: Vec<Diagnostic>,
}

impl Property {
    /// Reads a property of runs with a vocabulary.
    pub fn parse(text: &str, vocabulary: &Vocabulary) -> Result<Property, Box<Diagnostic>> {
        let formula = ltl::parse(text, 0.into())?;
        let (mut atoms, mut warnings): (Vec<Atom>, Vec<Diagnostic>) = (vec![], vec![]);
        let mut number = |atom: ltl::Atom| {
            let mut reader = Reader { vocabulary, span: atom.span, warnings: &mut warnings };
            let atom = reader.atom(&atom.text)?;
            let at = atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                atoms.push(atom);
                atoms.len() - 1
            });
            Ok::<u32, Box<Diagnostic>>(u32::try_from(at).expect("formulas are short"))
        };
        let formula = formula.try_map(&mut number)?;
        Ok(Property { formula, atoms, warnings })
    }

    /// Names for the atoms of an automaton.
    pub fn names(&self) -> Vec<String> {
        (0..self.atoms.len()).map(|at| format!("p{at}")).collect()
    }
}

/// Pairs of sender and receiver.
type Channels = Vec<(u32, u32)>;

/// Reads one atom.
struct Reader<'a> {
    vocabulary: &'a Vocabulary,
    span: Span,
    warnings: &'a mut Vec<Diagnostic>,
}

impl Reader<'_> {
    fn atom(&mut self, text: &str) -> Result<Atom, Box<Diagnostic>> {
        let text = text.trim();
        match text {
            "True" | "true" => return Ok(Atom::Constant(true)),
            "False" | "false" => return Ok(Atom::Constant(false)),
            "END" => return Ok(Atom::End),
            "DEAD" => return Ok(Atom::Dead),
            _ => {}
        }
        if let Some(rest) = text.strip_prefix("ENABLED") {
            return Ok(Atom::Enabled(self.pattern(rest)?));
        }
        if let Some(rest) = text.strip_prefix("EMPTY") {
            let (channels, rest) = self.channels(rest)?;
            let atom = Atom::Length(channels, Comparison::AtMost, 0);
            return if rest.trim().is_empty() { Ok(atom) } else { Err(self.error("expected `EMPTY(p,q)`")) };
        }
        if let Some(rest) = text.strip_prefix("LEN") {
            return self.length(rest);
        }
        Ok(Atom::Taken(self.pattern(text)?))
    }

    fn error(&self, message: &str) -> Box<Diagnostic> {
        Box::new(Diagnostic::error("temporal-atom", self.span, message).help(
            "atoms are such as \"client SEND Request TO server\", \"* RECV *\", \"ENABLED client SEND\", \"EMPTY(p,q)\", \
             \"LEN(p,q) <= 2\", END and DEAD",
        ))
    }

    /// `ROLE VERB [TYPE [TO|FROM ROLE]]`
    fn pattern(&mut self, text: &str) -> Result<Pattern, Box<Diagnostic>> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (role, verb, message, other) = match words[..] {
            [role, verb] => (role, verb, "*", "*"),
            [role, verb, "TO" | "FROM", other] => (role, verb, "*", other),
            [role, verb, message] => (role, verb, message, "*"),
            [role, verb, message, "TO" | "FROM", other] => (role, verb, message, other),
            _ => return Err(self.error("expected an atom: who does what")),
        };
        let verb = match verb {
            "*" => None,
            "SEND" => Some(Verb::Send),
            "RECV" => Some(Verb::Receive),
            "CLOSE" => Some(Verb::Close),
            "SYNC" => Some(Verb::Handshake),
            _ => return Err(self.error(&format!("`{verb}` is none of SEND, RECV, CLOSE and SYNC"))),
        };
        let (role, other) = (self.roles(role)?, self.roles(other)?);
        Ok(Pattern { role, verb, message: self.types(message)?, other })
    }

    /// The roles that a name stands for: `worker[0]` may be written `worker_0_`.
    fn roles(&mut self, name: &str) -> Result<Option<Vec<u32>>, Box<Diagnostic>> {
        if name == "*" {
            return Ok(None);
        }
        let plain = |name: &str| name.replace(|letter: char| !letter.is_alphanumeric(), "_");
        let roles = &self.vocabulary.roles;
        let matches = |fits: &dyn Fn(&str) -> bool| -> Vec<u32> {
            (0..).zip(roles).filter(|(_, role)| fits(&role.name)).map(|(number, _)| number).collect()
        };
        let mut found = matches(&|known| known == name);
        if found.is_empty() {
            found = matches(&|known| plain(known) == plain(name));
        }
        if found.is_empty() {
            let has_key = roles.iter().any(|role| plain(name).starts_with(&plain(&role.key)));
            let near = nearest(name, roles.iter().map(|role| role.name.as_str())).map(str::to_owned);
            let message = format!("there is no role `{name}` here");
            if !has_key || near.is_some() {
                let proposal = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
                return Err(self.error(&(message + &proposal)));
            }
            let warning = Diagnostic::warning("unknown-role", self.span, message);
            self.warnings.push(warning.help("the atom is never true for these values of the session"));
        }
        Ok(Some(found))
    }

    fn types(&mut self, name: &str) -> Result<Option<Vec<u32>>, Box<Diagnostic>> {
        if name == "*" {
            return Ok(None);
        }
        let name = last_segment(name);
        let types = &self.vocabulary.types;
        if let Some(at) = types.iter().position(|known| &**known == name) {
            return Ok(Some(vec![u32::try_from(at).expect("there are few types")]));
        }
        let near = nearest(name, types.iter().map(|known| &**known));
        let proposal = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        Err(self.error(&format!("there is no message type `{name}` here{proposal}")))
    }

    /// `(p,q)`, and what follows.
    fn channels<'t>(&mut self, text: &'t str) -> Result<(Channels, &'t str), Box<Diagnostic>> {
        let inner = text.trim_start().strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let Some(((from, to), rest)) = inner.and_then(|(inner, rest)| Some((inner.split_once(',')?, rest)))
        else {
            return Err(self.error("expected two roles: `(p,q)`"));
        };
        let all = || (0..).take(self.vocabulary.roles.len()).collect::<Vec<u32>>();
        let (every, other) = (all(), all());
        let from = self.roles(from.trim())?.unwrap_or(every);
        let to = self.roles(to.trim())?.unwrap_or(other);
        let pairs = from.iter().flat_map(|from| to.iter().map(move |to| (*from, *to)));
        Ok((pairs.filter(|(from, to)| from != to).collect(), rest))
    }

    fn length(&mut self, text: &str) -> Result<Atom, Box<Diagnostic>> {
        let (channels, rest) = self.channels(text)?;
        let rest = rest.trim();
        let comparisons =
            [("<=", Comparison::AtMost), (">=", Comparison::AtLeast), ("=", Comparison::Exactly)];
        for (sign, comparison) in comparisons {
            if let Some(number) = rest.strip_prefix(sign) {
                let number = number.trim().parse();
                return number
                    .map(|number| Atom::Length(channels, comparison, number))
                    .map_err(|_| self.error("expected a number"));
            }
        }
        Err(self.error("expected a comparison: `LEN(p,q) <= 2`"))
    }
}
