//! Small random programs of several threads with shared variables, locks and loops.

use explore::{Entry, Fault, Footprint, Label, Rng, Steered, Symmetry, System, Valuation, Value};

#[derive(Clone, Copy, Debug)]
pub(crate) enum Instr {
    /// register := variable
    Read(usize),
    /// variable := register + constant, modulo 3
    Write(usize, u8),
    Lock(usize),
    Unlock(usize),
    /// Waits until the variable is 0.
    Await(usize),
    /// Goes back to the first instruction.
    Loop,
}

/// The program counter and the register of a thread.
pub(crate) type Local = (usize, u8);

#[derive(Clone, Debug)]
pub(crate) struct Threads {
    code: Vec<Vec<Instr>>,
    initials: Vec<[u8; 2]>,
    locals: Vec<Local>,
    pub(crate) variables: [u8; 2],
    locked: [bool; 2],
}

impl Threads {
    pub(crate) fn new(code: Vec<Vec<Instr>>) -> Self {
        let locals = vec![(0, 0); code.len()];
        Threads { code, initials: vec![[0, 0]], locals, variables: [0, 0], locked: [false; 2] }
    }

    /// Adds an initial state, given by the variables.
    pub(crate) fn with_initial(mut self, variables: [u8; 2]) -> Self {
        self.initials.push(variables);
        self
    }

    /// A program that `rng` determines, with loops or without.
    pub(crate) fn random(rng: &mut Rng, threads: usize, length: usize, loops: bool) -> Self {
        let code = (0..threads).map(|_| random_code(rng, length, loops)).collect();
        let program = Threads::new(code);
        if loops && rng.below(3) == 0 { program.with_initial([1, 2]) } else { program }
    }

    /// The same code in all threads.
    pub(crate) fn random_symmetric(rng: &mut Rng, threads: usize, length: usize) -> Self {
        let loops = rng.below(2) == 0;
        Threads::new(vec![random_code(rng, length, loops); threads])
    }

    fn instr(&self, thread: usize) -> Option<Instr> {
        self.code[thread].get(self.locals[thread].0).copied()
    }
}

fn random_code(rng: &mut Rng, length: usize, loops: bool) -> Vec<Instr> {
    let mut code: Vec<_> = (0..=rng.below(length)).map(|_| random_instr(rng)).collect();
    if loops && rng.below(2) == 0 {
        code.push(Instr::Loop);
    }
    code
}

fn random_instr(rng: &mut Rng) -> Instr {
    let object = rng.below(2);
    match rng.below(8) {
        0..=1 => Instr::Read(object),
        2..=4 => Instr::Write(object, u8::try_from(rng.below(3)).unwrap()),
        5 => Instr::Lock(object),
        6 => Instr::Unlock(object),
        _ => Instr::Await(object),
    }
}

impl Steered for Threads {
    type Action = usize;
    type Identity = (Vec<Local>, [u8; 2], [bool; 2]);

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(self.initials.len())
    }

    fn start(&mut self, initial: usize) -> Result<(), Fault> {
        self.locals.fill((0, 0));
        self.variables = self.initials[initial];
        self.locked = [false; 2];
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<usize>) {
        actions.extend((0..self.code.len()).filter(|&thread| match self.instr(thread) {
            None => false,
            Some(Instr::Lock(lock)) => !self.locked[lock],
            Some(Instr::Await(variable)) => self.variables[variable] == 0,
            Some(_) => true,
        }));
    }

    fn take(&mut self, &thread: &usize) -> Result<(), Fault> {
        let instr = self.instr(thread).ok_or(Fault::Broken("the thread has ended".into()))?;
        let (counter, register) = &mut self.locals[thread];
        *counter += 1;
        match instr {
            Instr::Read(variable) => *register = self.variables[variable],
            Instr::Write(variable, constant) => self.variables[variable] = (*register + constant) % 3,
            Instr::Lock(lock) => self.locked[lock] = true,
            Instr::Unlock(lock) => self.locked[lock] = false,
            Instr::Await(_) => {}
            Instr::Loop => *counter = 0,
        }
        Ok(())
    }

    fn identity(&self) -> Self::Identity {
        (self.locals.clone(), self.variables, self.locked)
    }

    fn ended(&self) -> bool {
        (0..self.code.len()).all(|thread| self.instr(thread).is_none())
    }

    fn footprint(&self, &thread: &usize, footprint: &mut Footprint) {
        match self.instr(thread) {
            Some(Instr::Read(variable) | Instr::Await(variable)) => footprint.read(variable as u64),
            Some(Instr::Write(variable, _)) => footprint.write(variable as u64),
            Some(Instr::Lock(lock) | Instr::Unlock(lock)) => footprint.write(100 + lock as u64),
            Some(Instr::Loop) | None => {}
        }
    }

    fn process(&self, thread: &usize) -> Option<usize> {
        Some(*thread)
    }

    fn label(&self, thread: &usize) -> Label {
        format!("{thread}: {:?}", self.instr(*thread)).into()
    }

    fn describe(&self) -> Valuation {
        vec![
            Entry::variable("variables", Value::Word(format!("{:?}", self.variables))),
            Entry::variable("locals", Value::Word(format!("{:?}", self.locals))),
        ]
    }
}

impl System for Threads {
    type Checkpoint = (Vec<Local>, [u8; 2], [bool; 2]);

    fn checkpoint(&mut self) -> Self::Checkpoint {
        self.identity()
    }

    fn restore(&mut self, checkpoint: &Self::Checkpoint) -> Result<(), Fault> {
        (self.locals, self.variables, self.locked) = checkpoint.clone();
        Ok(())
    }
}

/// Threads with the same code are interchangeable; others are not, so this is for equal code only.
impl Symmetry for Threads {
    fn canonical(&self) -> Self::Identity {
        let mut identity = self.identity();
        identity.0.sort_unstable();
        identity
    }
}
