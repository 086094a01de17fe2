//! Visible operations: what a thread is about to do, and which objects that needs.

use std::hash::Hasher;

use explore::{Access, Needs};

use crate::table::AddressHasher;

/// An operation that other threads can notice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    /// Takes a mutex or a spin lock.
    Lock,
    TryLock,
    Unlock,
    /// Releases the mutex `second` and begins to sleep on the condition.
    Wait,
    /// Asleep on a condition; enabled only if the sleep may end by itself.
    Sleep {
        timed: bool,
    },
    Signal,
    Broadcast,
    /// Creates a thread; a scheduling point only where all accesses are.
    Create,
    /// Waits for the end of the thread `object`.
    Join,
    /// Takes one from a semaphore.
    Down,
    TryDown,
    Up,
    ReadLock,
    TryReadLock,
    WriteLock,
    TryWriteLock,
    /// Of a read-write lock, by a reader or by the writer.
    RwUnlock,
    /// Arrives at a barrier.
    Arrive,
    /// Waits at a barrier until all have arrived.
    Leave,
    /// Begins an initialisation that happens once, or waits for its end.
    Once,
    OnceDone,
    AtomicRead,
    AtomicWrite,
    Read,
    Write,
    /// Asks the thread `object` to end.
    Cancel,
    /// Looks whether it was asked to end.
    TestCancel,
    /// Chooses one of `size` values.
    Choose,
    /// Goes on after others have let it.
    Yield,
    /// A point that the program has marked.
    Point,
    /// Compares a word and begins to sleep if it is as expected.
    FutexWait,
    /// The end of the program: when no other thread can go on.
    End,
}

impl Kind {
    /// A number for each kind.
    fn number(self) -> usize {
        // SAFETY: the first byte of an enum without fields that matter is its discriminant.
        usize::from(unsafe { *(&raw const self).cast::<u8>() })
    }
}

/// The next visible operation of a thread.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub(crate) kind: Kind,
    /// The address of the object, or the number of a thread.
    pub(crate) object: usize,
    /// Another object: the mutex of a wait.
    pub(crate) second: usize,
    /// Bytes of an access, or number of choices.
    pub(crate) size: u32,
    /// Where the program called.
    pub(crate) pc: usize,
}

impl Op {
    pub(crate) fn new(kind: Kind, object: usize, pc: usize) -> Op {
        Op { kind, object, second: 0, size: 0, pc }
    }
}

/// Marks objects that stand for the cancellation of a thread.
const CANCELLATION: u64 = 1 << 60;

/// The object of memory: granules of eight bytes have numbers of their own, above all addresses of other objects.
pub(crate) fn granule(address: usize) -> u64 {
    1 << 62 | (address >> 3) as u64
}

impl Op {
    /// Appends the objects that it uses, `state` being that of an object at an address.
    pub(crate) fn accesses(&self, state: impl Fn(Kind, usize) -> u32, accesses: &mut Vec<Access>) {
        let mut add = |object: usize, needs: Needs| {
            accesses.push(Access {
                object: object as u64,
                writes: true,
                needs,
                state: state(self.kind, object),
            });
        };
        match self.kind {
            Kind::Lock | Kind::WriteLock | Kind::Once => add(self.object, Needs::Zero),
            Kind::ReadLock => add(self.object, Needs::Shared),
            Kind::Down => add(self.object, Needs::NonZero),
            Kind::Wait => {
                add(self.second, Needs::Nothing);
                add(self.object, Needs::Nothing);
            }
            Kind::Sleep { timed } => {
                if timed {
                    add(self.object, Needs::Nothing);
                }
            }
            Kind::Cancel => accesses.push(Access::write(Op::cancellation(self.object))),
            Kind::TestCancel => {}
            Kind::Create
            | Kind::Join
            | Kind::Leave
            | Kind::Choose
            | Kind::Yield
            | Kind::Point
            | Kind::End => {}
            Kind::FutexWait => {
                add(self.object, Needs::Nothing);
                self.memory(false, accesses);
            }
            Kind::TryLock
            | Kind::Unlock
            | Kind::Signal
            | Kind::Broadcast
            | Kind::TryDown
            | Kind::Up
            | Kind::TryReadLock
            | Kind::TryWriteLock
            | Kind::RwUnlock
            | Kind::Arrive
            | Kind::OnceDone => add(self.object, Needs::Nothing),
            Kind::AtomicRead | Kind::Read => self.memory(false, accesses),
            Kind::AtomicWrite | Kind::Write => self.memory(true, accesses),
        }
    }

    /// Whether a thread that was asked to end does so here.
    pub(crate) fn is_cancellation_point(&self) -> bool {
        matches!(self.kind, Kind::Join | Kind::Down | Kind::Wait | Kind::TestCancel)
    }

    /// The object that stands for the cancellation of a thread.
    pub(crate) fn cancellation(thread: usize) -> u64 {
        CANCELLATION | thread as u64
    }

    /// The call together with the kind of operation: one call may make several.
    pub(crate) fn place(&self) -> usize {
        self.pc | self.kind.number() << 48
    }

    /// A hash of what it does where.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hasher = AddressHasher::default();
        [self.kind.number(), self.object, self.second, self.size as usize, self.pc]
            .into_iter()
            .for_each(|word| hasher.write_usize(word));
        hasher.finish()
    }

    fn memory(&self, writes: bool, accesses: &mut Vec<Access>) {
        let last = self.object + (self.size as usize).max(1) - 1;
        for eight in self.object >> 3..=last >> 3 {
            let object = granule(eight << 3);
            accesses.push(Access { object, writes, needs: Needs::Nothing, state: 0 });
        }
    }

    /// Whether the operation is of a kind that changes nothing by itself.
    pub(crate) fn only_reads(&self) -> bool {
        matches!(self.kind, Kind::AtomicRead | Kind::Read)
    }
}
