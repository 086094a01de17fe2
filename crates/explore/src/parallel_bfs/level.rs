//! Expanding one level of a search, by one worker or by one for each shard.

#[cfg(feature = "threads")]
use std::sync::atomic::{AtomicUsize, Ordering};
#[cfg(feature = "threads")]
use std::sync::{Mutex, PoisonError};

use super::Packed;
#[cfg(feature = "threads")]
use super::shard::Arrival;
use super::shard::{Key, Shard};
use super::watch::Watch;
use super::worker::Worker;
use crate::Property;

/// The number of states to expand between two checks of the limits and the mailbox.
const CHUNK: usize = 128;
/// Arrivals are inserted in batches of this size.
const BATCH: usize = 512;

/// One worker expands the levels of all shards.
pub(super) fn expand_alone<S, P, K, const W: usize>(
    worker: &mut Worker<S, P, W>,
    shards: &mut [Shard<K, W>],
    watch: &Watch,
) where
    S: Packed<W>,
    P: Property<S>,
    K: Key<W>,
{
    // Shards take turns: states that were reached together have about the same position in all of them, and so do
    // their successors.
    let longest = shards.iter().map(Shard::level_len).max().unwrap_or(0);
    for from in (0..longest).step_by(CHUNK) {
        for home in 0..shards.len() {
            let positions = from..shards[home].level_len().min(from + CHUNK);
            if positions.is_empty() || !watch.look() {
                continue;
            }
            if let Err(fault) = worker.expand(&shards[home], positions, watch) {
                watch.stop(fault);
            }
            deliver(worker, shards, BATCH, worker.depth + 1, watch);
        }
    }
    deliver(worker, shards, 1, worker.depth + 1, watch);
}

/// Inserts the arrivals of the outboxes that hold at least `least`.
pub(super) fn deliver<S, P, K, const W: usize>(
    worker: &mut Worker<S, P, W>,
    shards: &mut [Shard<K, W>],
    least: usize,
    depth: usize,
    watch: &Watch,
) where
    S: Packed<W>,
    P: Property<S>,
    K: Key<W>,
{
    for (at, shard) in shards.iter_mut().enumerate() {
        if worker.outboxes[at].arrivals.len() >= least {
            let mut arrivals = std::mem::take(&mut worker.outboxes[at].arrivals);
            worker.insert(shard, &arrivals, depth, watch);
            arrivals.clear();
            worker.outboxes[at].arrivals = arrivals;
        }
    }
}

/// What workers send each other during a level.
#[cfg(feature = "threads")]
struct Post<const W: usize> {
    /// For each shard batches of arrivals from other workers.
    mailboxes: Vec<Mutex<Vec<Vec<Arrival<W>>>>>,
    /// The number of workers that have nothing more to send.
    finished: AtomicUsize,
}

/// Counts a worker as finished when it is dropped: one that panics must not keep the others waiting.
#[cfg(feature = "threads")]
struct Finished<'p>(&'p AtomicUsize);

#[cfg(feature = "threads")]
impl Drop for Finished<'_> {
    fn drop(&mut self) {
        // A worker that sees that all have finished also sees everything that they have sent.
        self.0.fetch_add(1, Ordering::Release);
    }
}

/// Each worker expands the level of its own shard, all at the same time. The order of arrivals is not deterministic,
/// but does not affect the final content of a shard.
#[cfg(feature = "threads")]
pub(super) fn expand_together<S, P, K, const W: usize>(
    workers: &mut [Worker<S, P, W>],
    shards: &mut [Shard<K, W>],
    watch: &Watch,
) where
    S: Packed<W> + Send,
    P: Property<S> + Send,
    K: Key<W>,
{
    let mailboxes = workers.iter().map(|_| Mutex::default()).collect();
    let post = Post { mailboxes, finished: AtomicUsize::new(0) };
    let own = workers.iter_mut().zip(shards).enumerate();
    threads::together(own, |(at, (worker, shard))| expand_own(worker, shard, at, &post, watch));
}

/// Expands the level of one shard, while others do the same.
#[cfg(feature = "threads")]
fn expand_own<S, P, K, const W: usize>(
    worker: &mut Worker<S, P, W>,
    shard: &mut Shard<K, W>,
    at: usize,
    post: &Post<W>,
    watch: &Watch,
) where
    S: Packed<W>,
    P: Property<S>,
    K: Key<W>,
{
    let finished = Finished(&post.finished);
    let mut done = 0;
    while done < shard.level_len() && watch.look() {
        let upto = shard.level_len().min(done + CHUNK);
        if let Err(fault) = worker.expand(shard, done..upto, watch) {
            watch.stop(fault);
        }
        done = upto;
        send(worker, shard, at, BATCH, post, watch);
        receive(worker, shard, at, post, watch);
    }
    send(worker, shard, at, 1, post, watch);
    drop(finished);
    while post.finished.load(Ordering::Acquire) < post.mailboxes.len() {
        if !receive(worker, shard, at, post, watch) {
            std::thread::yield_now();
        }
    }
    receive(worker, shard, at, post, watch);
}

/// Sends the outboxes that hold at least `least` arrivals; those of the worker's own shard are inserted.
#[cfg(feature = "threads")]
fn send<S, P, K, const W: usize>(
    worker: &mut Worker<S, P, W>,
    shard: &mut Shard<K, W>,
    at: usize,
    least: usize,
    post: &Post<W>,
    watch: &Watch,
) where
    S: Packed<W>,
    P: Property<S>,
    K: Key<W>,
{
    for to in 0..worker.outboxes.len() {
        if worker.outboxes[to].arrivals.len() < least {
            continue;
        }
        let mut arrivals = std::mem::take(&mut worker.outboxes[to].arrivals);
        if to == at {
            worker.insert(shard, &arrivals, worker.depth + 1, watch);
            arrivals.clear();
            worker.outboxes[to].arrivals = arrivals;
        } else {
            worker.outboxes[to].arrivals = worker.mail.spare.pop().unwrap_or_default();
            post.mailboxes[to].lock().unwrap_or_else(PoisonError::into_inner).push(arrivals);
        }
    }
}

/// Inserts the arrivals from other workers. False if there were none.
#[cfg(feature = "threads")]
fn receive<S, P, K, const W: usize>(
    worker: &mut Worker<S, P, W>,
    shard: &mut Shard<K, W>,
    at: usize,
    post: &Post<W>,
    watch: &Watch,
) -> bool
where
    S: Packed<W>,
    P: Property<S>,
    K: Key<W>,
{
    let mut inbox = std::mem::take(&mut worker.mail.inbox);
    std::mem::swap(&mut inbox, &mut *post.mailboxes[at].lock().unwrap_or_else(PoisonError::into_inner));
    let found = !inbox.is_empty();
    for mut arrivals in inbox.drain(..) {
        worker.insert(shard, &arrivals, worker.depth + 1, watch);
        arrivals.clear();
        worker.mail.spare.push(arrivals);
    }
    worker.mail.inbox = inbox;
    found
}
