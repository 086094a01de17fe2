//! Reading the Hanoi format.

use super::{
    HoaError,
    labels::{Acceptance, Inf},
    tokens::{Token, error, tokenize},
};
use crate::{
    Automaton, MOST_ATOMS, MOST_MARKS,
    automaton::{Arrow, Draft},
    bdd::{Bdd, Diagrams},
};
use std::collections::HashMap;

/// The most states that are read.
const MOST_STATES: u64 = 1_000_000;

impl Automaton {
    /// Reads an automaton.
    pub fn from_hoa(text: &str) -> Result<Automaton, HoaError> {
        let tokens = tokenize(text)?;
        let mut reader = Reader {
            tokens,
            at: 0,
            atoms: vec![],
            aliases: HashMap::new(),
            diagrams: Diagrams::new(),
            states: None,
            initial: vec![],
            acceptance: None,
        };
        reader.automaton()
    }
}

/// What was read so far.
pub(super) struct Reader {
    tokens: Vec<(Token, usize)>,
    at: usize,
    pub(super) atoms: Vec<String>,
    pub(super) aliases: HashMap<String, Bdd>,
    pub(super) diagrams: Diagrams,
    states: Option<u64>,
    initial: Vec<u64>,
    /// The number of sets, and the condition.
    acceptance: Option<(u64, Acceptance)>,
}

/// The label and the sets that a state gives to all its edges.
struct StateHead {
    number: usize,
    label: Option<Bdd>,
    sets: u64,
}

impl Reader {
    pub(super) fn line(&self) -> usize {
        self.tokens.get(self.at).or(self.tokens.last()).map_or(1, |(_, line)| *line)
    }

    pub(super) fn next(&mut self, wanted: &str) -> Result<Token, HoaError> {
        let token = self.tokens.get(self.at).map(|(token, _)| token.clone());
        let line = self.line();
        self.at += 1;
        token.ok_or_else(|| error(line, format!("expected {wanted}, but the text ends")))
    }

    pub(super) fn accept(&mut self, token: &Token) -> bool {
        let found = self.tokens.get(self.at).is_some_and(|(found, _)| found == token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, token: &Token) -> Result<(), HoaError> {
        let line = self.line();
        match self.next(&token.show())? {
            found if found == *token => Ok(()),
            found => Err(error(line, format!("expected {}, not {}", token.show(), found.show()))),
        }
    }

    pub(super) fn number(&mut self, wanted: &str) -> Result<u64, HoaError> {
        let line = self.line();
        match self.next(wanted)? {
            Token::Number(number) => Ok(number),
            found => Err(error(line, format!("expected {wanted}, not {}", found.show()))),
        }
    }

    fn automaton(&mut self) -> Result<Automaton, HoaError> {
        let line = self.line();
        self.expect(&Token::Header("HOA".into()))?;
        match self.next("a version")? {
            Token::Name(version) if version == "v1" || version.starts_with("v1") => {}
            other => return Err(error(line, format!("expected version `v1`, not {}", other.show()))),
        }
        loop {
            let line = self.line();
            match self.next("a header or `--BODY--`")? {
                Token::Header(name) => self.header(&name, line)?,
                Token::Mark("--BODY--") => break,
                other => return Err(error(line, format!("expected a header, not {}", other.show()))),
            }
        }
        self.body()
    }

    fn header(&mut self, name: &str, line: usize) -> Result<(), HoaError> {
        match name {
            "States" => self.states = Some(self.number("the number of states")?),
            "Start" => {
                let state = self.number("a state")?;
                self.refuse_alternation()?;
                self.initial.push(state);
            }
            "AP" => self.read_atoms(line)?,
            "Alias" => match self.next("an alias")? {
                Token::Alias(alias) => {
                    let label = self.label()?;
                    self.aliases.insert(alias, label);
                }
                other => return Err(error(line, format!("expected an alias, not {}", other.show()))),
            },
            "Acceptance" => {
                let sets = self.number("the number of acceptance sets")?;
                if sets > MOST_MARKS as u64 {
                    return Err(error(
                        line,
                        format!("more than {MOST_MARKS} acceptance sets are not supported"),
                    ));
                }
                let condition = self.acceptance(sets)?;
                self.acceptance = Some((sets, condition));
            }
            // Headers with a capital letter change the meaning.
            _ if name.starts_with(char::is_uppercase) => {
                return Err(error(line, format!("the header `{name}:` is not supported")));
            }
            _ => {
                while !matches!(self.tokens.get(self.at), None | Some((Token::Header(_) | Token::Mark(_), _)))
                {
                    self.at += 1;
                }
            }
        }
        Ok(())
    }

    fn read_atoms(&mut self, line: usize) -> Result<(), HoaError> {
        let count = self.number("the number of atoms")?;
        if count > MOST_ATOMS as u64 {
            return Err(error(line, format!("more than {MOST_ATOMS} atoms are not supported")));
        }
        for _ in 0..count {
            let line = self.line();
            match self.next("the name of an atom")? {
                Token::Text(name) => self.atoms.push(name),
                other => {
                    return Err(error(line, format!("expected the name of an atom, not {}", other.show())));
                }
            }
        }
        Ok(())
    }

    fn refuse_alternation(&mut self) -> Result<(), HoaError> {
        if self.accept(&Token::Symbol('&')) {
            return Err(error(self.line(), "alternation, a conjunction of states, is not supported".into()));
        }
        Ok(())
    }

    fn body(&mut self) -> Result<Automaton, HoaError> {
        let line = self.line();
        let Some((sets, condition)) = self.acceptance.take() else {
            return Err(error(line, "the header `Acceptance:` is missing".into()));
        };
        let mut states: Vec<Option<Vec<Arrow>>> = Vec::new();
        loop {
            let line = self.line();
            match self.next("`State:` or `--END--`")? {
                Token::Header(name) if name == "State" => self.state(line, sets, &mut states)?,
                Token::Mark("--END--") => break,
                Token::Mark("--ABORT--") => return Err(error(line, "the automaton was aborted".into())),
                other => return Err(error(line, format!("expected `State:`, not {}", other.show()))),
            }
        }
        self.finish(states, condition.as_deref())
    }

    fn finish(
        &mut self,
        states: Vec<Option<Vec<Arrow>>>,
        condition: Option<&[Inf]>,
    ) -> Result<Automaton, HoaError> {
        let line = self.line();
        let states: Vec<Vec<Arrow>> = states.into_iter().map(Option::unwrap_or_default).collect();
        let mut draft = Draft { marks: 0, initial: vec![], states };
        let declared =
            self.states.unwrap_or(0).max(self.initial.iter().map(|state| state + 1).max().unwrap_or(0));
        let targets = draft.states.iter().flatten().map(|arrow| arrow.to as u64 + 1).max().unwrap_or(0);
        let count = declared.max(targets).max(draft.states.len() as u64);
        if self.states.is_some_and(|states| count > states) || count > MOST_STATES {
            let message = format!("there are {count} states, more than there may be");
            return Err(error(line, message));
        }
        draft.states.resize(usize::try_from(count).expect("there is a limit on states"), vec![]);
        draft.initial = self.initial.iter().map(|state| usize::try_from(*state).expect("checked")).collect();
        // A condition that is false is a mark that no transition has.
        draft.marks = condition.map_or(1, |all| u32::try_from(all.len()).expect("there is a limit on sets"));
        if condition.is_some_and(|all| all.len() > MOST_MARKS) {
            return Err(error(line, format!("more than {MOST_MARKS} acceptance sets are not supported")));
        }
        for arrow in draft.states.iter_mut().flatten() {
            arrow.marks = condition.unwrap_or_default().iter().enumerate().fold(0, |marks, (at, inf)| {
                marks | u64::from((arrow.marks >> inf.set & 1 == 1) != inf.complement) << at
            });
        }
        let automaton = draft.finish(&mut self.diagrams, std::mem::take(&mut self.atoms));
        if self.diagrams.is_full() {
            return Err(error(line, "the labels of this automaton are too large".into()));
        }
        Ok(automaton)
    }

    fn state(
        &mut self,
        line: usize,
        sets: u64,
        states: &mut Vec<Option<Vec<Arrow>>>,
    ) -> Result<(), HoaError> {
        let head = self.state_head(line, sets)?;
        let mut arrows = Vec::new();
        while matches!(self.tokens.get(self.at), Some((Token::Symbol('[') | Token::Number(_), _))) {
            let arrow = self.edge(&head, arrows.len(), sets)?;
            arrows.push(arrow);
        }
        self.check_implicit(&head, arrows.len(), line)?;
        if states.len() <= head.number {
            states.resize(head.number + 1, None);
        }
        if states[head.number].replace(arrows).is_some() {
            return Err(error(line, format!("state {} is defined twice", head.number)));
        }
        Ok(())
    }

    fn state_head(&mut self, line: usize, sets: u64) -> Result<StateHead, HoaError> {
        let label = if self.accept(&Token::Symbol('[')) { Some(self.closed_label()?) } else { None };
        let number = self.state_number()?;
        if self.states.is_some_and(|states| number as u64 >= states) {
            return Err(error(
                line,
                format!("there is no state {number}: `States:` says how many there are"),
            ));
        }
        if matches!(self.tokens.get(self.at), Some((Token::Text(_), _))) {
            self.at += 1;
        }
        Ok(StateHead { number, label, sets: self.sets(sets)? })
    }

    fn state_number(&mut self) -> Result<usize, HoaError> {
        let line = self.line();
        let number = self.number("a state")?;
        if number >= MOST_STATES {
            return Err(error(line, format!("more than {MOST_STATES} states are not supported")));
        }
        Ok(usize::try_from(number).expect("there is a limit on states"))
    }

    fn closed_label(&mut self) -> Result<Bdd, HoaError> {
        let label = self.label()?;
        self.expect(&Token::Symbol(']'))?;
        Ok(label)
    }

    /// An edge; `before` counts those of its state that come before it.
    fn edge(&mut self, head: &StateHead, before: usize, sets: u64) -> Result<Arrow, HoaError> {
        let line = self.line();
        let label = if self.accept(&Token::Symbol('[')) {
            if head.label.is_some() {
                return Err(error(line, "the state has a label already".into()));
            }
            self.closed_label()?
        } else {
            head.label.unwrap_or_else(|| self.implicit(before))
        };
        let to = self.state_number()?;
        self.refuse_alternation()?;
        Ok(Arrow { label, marks: self.sets(sets)? | head.sets, to })
    }

    /// The letter of an edge without a label: edges are in the order of the letters, the first atom changing fastest.
    fn implicit(&mut self, number: usize) -> Bdd {
        let mut label = Bdd::TRUE;
        for atom in 0..self.atoms.len() {
            let variable = u32::try_from(atom).expect("there is a limit on atoms");
            let literal = self.diagrams.literal(variable, number.checked_shr(variable).unwrap_or(0) & 1 == 1);
            label = self.diagrams.and(label, literal);
        }
        label
    }

    /// Implicit labels need an edge for each letter.
    fn check_implicit(&self, head: &StateHead, edges: usize, line: usize) -> Result<(), HoaError> {
        let last_is_implicit = self.at >= 2
            && head.label.is_none()
            && edges > 0
            && !self.tokens[..self.at]
                .iter()
                .rev()
                .take_while(|(token, _)| !matches!(token, Token::Header(_)))
                .any(|(token, _)| *token == Token::Symbol('['));
        let letters = u32::try_from(self.atoms.len()).ok().and_then(|atoms| 1_usize.checked_shl(atoms));
        if last_is_implicit && letters != Some(edges) {
            let message = format!("without labels a state needs an edge for each letter, not {edges}");
            return Err(error(line, message));
        }
        Ok(())
    }

    /// `{0 2}`, if it is there.
    fn sets(&mut self, sets: u64) -> Result<u64, HoaError> {
        let mut found = 0;
        if self.accept(&Token::Symbol('{')) {
            while !self.accept(&Token::Symbol('}')) {
                let line = self.line();
                let set = self.number("the number of a set")?;
                if set >= sets {
                    return Err(error(line, format!("there is no acceptance set {set}: there are {sets}")));
                }
                found |= 1 << set;
            }
        }
        Ok(found)
    }
}
