//! A system that can only be restarted: OS threads in lock step, a stand-in for a foreign process.
//!
//! Each thread announces its next operation and waits for permission to continue. Its state cannot be copied;
//! returning to a state means ending the threads and starting new ones.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;

use explore::{Entry, Fault, Footprint, Label, Steered, Valuation, Value};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Op {
    Read(usize),
    Write(usize, i64),
    Lock(usize),
    Unlock(usize),
}

/// A thread's connection to the scheduler. Operations give `None` when the run is being ended.
pub(crate) struct Port {
    announce: Sender<Op>,
    go: Receiver<i64>,
}

impl Port {
    pub(crate) fn call(&self, op: Op) -> Option<i64> {
        self.announce.send(op).ok()?;
        self.go.recv().ok()
    }

    pub(crate) fn read(&self, variable: usize) -> Option<i64> {
        self.call(Op::Read(variable))
    }

    pub(crate) fn write(&self, variable: usize, value: i64) -> Option<i64> {
        self.call(Op::Write(variable, value))
    }

    pub(crate) fn lock(&self, lock: usize) -> Option<i64> {
        self.call(Op::Lock(lock))
    }

    pub(crate) fn unlock(&self, lock: usize) -> Option<i64> {
        self.call(Op::Unlock(lock))
    }
}

pub(crate) type Body = fn(&Port) -> Option<()>;

/// The operations of a thread with their results, and its next operation: its local state, if its code is
/// deterministic. The next operation is included in order to notice if it is not.
pub(crate) type Local = (Vec<(Op, i64)>, Option<Op>);

struct Worker {
    announced: Receiver<Op>,
    go: Sender<i64>,
    handle: JoinHandle<()>,
    /// The operation that the thread waits for; `None` when it has ended.
    next: Option<Op>,
}

/// Not `Clone`, and could not be.
pub(crate) struct Process {
    bodies: Vec<Body>,
    workers: Vec<Worker>,
    pub(crate) variables: [i64; 2],
    owners: [Option<usize>; 2],
    /// The operations of each thread, with their results.
    logs: Vec<Vec<(Op, i64)>>,
    /// The number of times that the process was started.
    pub(crate) starts: usize,
}

impl Process {
    pub(crate) fn new(bodies: &[Body]) -> Self {
        let bodies = bodies.to_vec();
        Process { bodies, workers: vec![], variables: [0; 2], owners: [None; 2], logs: vec![], starts: 0 }
    }

    pub(crate) fn finished(&self) -> bool {
        self.workers.iter().all(|worker| worker.next.is_none())
    }

    fn end(&mut self) {
        for worker in self.workers.drain(..) {
            drop((worker.go, worker.announced));
            worker.handle.join().unwrap();
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

fn spawn(body: Body) -> Worker {
    let (announce, announced) = channel();
    let (go, told) = channel();
    let handle = std::thread::spawn(move || {
        body(&Port { announce, go: told });
    });
    let next = announced.recv().ok();
    Worker { announced, go, handle, next }
}

impl Steered for Process {
    type Action = usize;
    type Identity = (Vec<Local>, [i64; 2]);

    fn initials(&mut self) -> Result<usize, Fault> {
        Ok(1)
    }

    fn start(&mut self, _initial: usize) -> Result<(), Fault> {
        self.end();
        self.starts += 1;
        self.variables = [0; 2];
        self.owners = [None; 2];
        self.logs = vec![Vec::new(); self.bodies.len()];
        self.workers = self.bodies.iter().map(|body| spawn(*body)).collect();
        Ok(())
    }

    fn enabled(&self, actions: &mut Vec<usize>) {
        actions.extend((0..self.workers.len()).filter(|&thread| match self.workers[thread].next {
            None => false,
            Some(Op::Lock(lock)) => self.owners[lock].is_none(),
            Some(_) => true,
        }));
    }

    fn take(&mut self, &thread: &usize) -> Result<(), Fault> {
        let worker = &mut self.workers[thread];
        let op = worker.next.ok_or(Fault::Broken("the thread has ended".into()))?;
        let mut answer = 0;
        match op {
            Op::Read(variable) => answer = self.variables[variable],
            Op::Write(variable, value) => self.variables[variable] = value,
            Op::Lock(lock) => self.owners[lock] = Some(thread),
            Op::Unlock(lock) => self.owners[lock] = None,
        }
        self.logs[thread].push((op, answer));
        worker.go.send(answer).unwrap();
        worker.next = worker.announced.recv().ok();
        Ok(())
    }

    fn identity(&self) -> Self::Identity {
        let locals = self.logs.iter().zip(&self.workers).map(|(log, worker)| (log.clone(), worker.next));
        (locals.collect(), self.variables)
    }

    fn ended(&self) -> bool {
        self.finished()
    }

    fn footprint(&self, &thread: &usize, footprint: &mut Footprint) {
        match self.workers[thread].next {
            Some(Op::Read(variable)) => footprint.read(variable as u64),
            Some(Op::Write(variable, _)) => footprint.write(variable as u64),
            Some(Op::Lock(lock) | Op::Unlock(lock)) => footprint.write(100 + lock as u64),
            None => {}
        }
    }

    fn process(&self, thread: &usize) -> Option<usize> {
        Some(*thread)
    }

    fn label(&self, thread: &usize) -> Label {
        format!("{thread}: {:?}", self.workers[*thread].next).into()
    }

    fn describe(&self) -> Valuation {
        let value = |at: usize| Value::Integer(self.variables[at]);
        (0..2).map(|at| Entry::variable(format!("v{at}"), value(at))).collect()
    }
}

/// `x = x + 1` without a lock.
pub(crate) fn increment(port: &Port) -> Option<()> {
    let value = port.read(0)?;
    port.write(0, value + 1)?;
    Some(())
}

/// Takes lock 0, then lock 1.
pub(crate) fn in_order(port: &Port) -> Option<()> {
    port.lock(0)?;
    port.lock(1)?;
    port.unlock(1)?;
    port.unlock(0)?;
    Some(())
}

/// Takes lock 1, then lock 0.
pub(crate) fn out_of_order(port: &Port) -> Option<()> {
    port.lock(1)?;
    port.lock(0)?;
    port.unlock(0)?;
    port.unlock(1)?;
    Some(())
}
