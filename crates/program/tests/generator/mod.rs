//! Random small programs with threads: mutexes, trylock, read-write locks, conditions, semaphores, barriers, spin locks, once,
//! atomics, plain accesses, choices, and loops that wait.

use explore::Rng;
use std::ops::Range;

/// What a program may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// No loops.
    Straight,
    /// Loops that wait for others.
    Spinning,
}

const HEAD: &str = "\
#include <motet.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
static int x[3], inits;
static atomic_int a[2];
static pthread_mutex_t m[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b;
static pthread_once_t o = PTHREAD_ONCE_INIT;
static pthread_spinlock_t sp;
static sem_t s;
static unsigned long seen[4];
static void init(void) { inits++; }
";

const TAIL: &str = "\
    unsigned long h = inits;
    for (int i = 0; i < 3; i++) h = h * 31 + x[i];
    for (int i = 0; i < 2; i++) h = h * 31 + a[i];
    for (int i = 0; i < 4; i++) h = h * 1000003 + seen[i];
    motet_observe(h);
    return 0;
}
";

/// All programs of some seeds, as one: an argument says which of them runs.
pub(crate) fn source(seeds: Range<u64>, kind: Kind) -> String {
    let programs: String = seeds.clone().map(|seed| program(seed, kind)).collect();
    let cases: String = seeds.map(|seed| format!("    case {seed}: return p{seed}();\n")).collect();
    let main = format!(
        "int main(int argc, char **argv) {{\n    switch (argc > 1 ? atoi(argv[1]) : -1) {{\n{cases}    }}\n    return 2;\n}}\n"
    );
    format!("{HEAD}{programs}{main}")
}

fn program(seed: u64, kind: Kind) -> String {
    let mut rng = Rng::new(seed);
    let threads = 2 + usize::from(rng.below(3) == 0);
    let length = if threads == 3 { 2 } else { 3 + rng.below(2) };
    let meets = rng.below(5) == 0;
    let mut text = String::new();
    for thread in 0..threads {
        let mut writer = Writer { rng: &mut rng, thread, kind };
        let mut lines: Vec<String> = (0..length).map(|_| writer.operation(0)).collect();
        if meets {
            let at = rng.below(length + 1);
            lines.insert(at, format!("if (pthread_barrier_wait(&b) != 0) seen[{thread}] += 5;"));
        }
        let body: String = lines.iter().map(|line| format!("    {line}\n")).collect();
        text += &format!("static void *p{seed}t{thread}(void *p) {{\n{body}    return p;\n}}\n");
    }
    let value = rng.below(2);
    text += &format!(
        "static int p{seed}(void) {{\n    pthread_t t[4];\n    sem_init(&s, 0, {value});\n    pthread_barrier_init(&b, 0, {threads});\n    pthread_spin_init(&sp, 0);\n"
    );
    (1..threads).for_each(|at| text += &format!("    pthread_create(&t[{at}], 0, p{seed}t{at}, 0);\n"));
    text += &format!("    p{seed}t0(0);\n");
    (1..threads).for_each(|at| text += &format!("    pthread_join(t[{at}], 0);\n"));
    text + TAIL
}

struct Writer<'r> {
    rng: &'r mut Rng,
    thread: usize,
    kind: Kind,
}

impl Writer<'_> {
    /// A value that the thread sees goes into the final state.
    fn see(&self, value: &str) -> String {
        format!("seen[{0}] = seen[{0}] * 7 + 1 + ({value});", self.thread)
    }

    /// What is done inside of a lock.
    fn inside(&mut self, depth: usize) -> String {
        let kind = std::mem::replace(&mut self.kind, Kind::Straight);
        let text = self.operation(depth + 1);
        self.kind = kind;
        text
    }

    /// A plain access.
    fn access(&mut self) -> String {
        let (at, value) = (self.rng.below(3), self.rng.below(3));
        match self.rng.below(4) {
            0 | 1 => self.see(&format!("x[{at}]")),
            2 => format!("x[{at}] = {value};"),
            _ => format!("x[{at}]++;"),
        }
    }

    fn atomic(&mut self) -> String {
        let (at, value, new) = (self.rng.below(2), self.rng.below(3), self.rng.below(3));
        match self.rng.below(4) {
            0 => self.see(&format!("atomic_load(&a[{at}])")),
            1 => format!("atomic_store(&a[{at}], {value});"),
            2 => self.see(&format!("atomic_fetch_add(&a[{at}], 1)")),
            _ => format!(
                "{{ int e = {value}; if (atomic_compare_exchange_strong(&a[{at}], &e, {new})) {{ {} }} }}",
                self.see("1")
            ),
        }
    }

    /// Something that needs or signals a condition, a semaphore or an initialisation.
    fn signal(&mut self) -> String {
        match self.rng.below(6) {
            0 => "pthread_cond_signal(&c);".into(),
            1 => "pthread_cond_broadcast(&c);".into(),
            2 => "sem_wait(&s);".into(),
            3 => "sem_post(&s);".into(),
            4 => "pthread_once(&o, init);".into(),
            _ => self.see("motet_choose(2)"),
        }
    }

    fn wait(&mut self) -> String {
        let at = self.rng.below(3);
        let waits = if self.rng.below(2) == 0 {
            format!("if (!x[{at}]) pthread_cond_wait(&c, &m[0]);")
        } else {
            format!("if (!x[{at}]) {{ {} }}", self.see("pthread_cond_timedwait(&c, &m[0], 0) != 0"))
        };
        let see = self.see(&format!("x[{at}]"));
        format!("pthread_mutex_lock(&m[0]); {waits} {see} pthread_mutex_unlock(&m[0]);")
    }

    fn lock(&mut self, depth: usize) -> String {
        let lock = self.rng.below(2);
        let body = self.inside(depth);
        match self.rng.below(6) {
            0 | 1 => format!("pthread_mutex_lock(&m[{lock}]); {body} pthread_mutex_unlock(&m[{lock}]);"),
            2 => format!(
                "if (pthread_mutex_trylock(&m[{lock}]) == 0) {{ {body} pthread_mutex_unlock(&m[{lock}]); }} else {{ {} }}",
                self.see("3")
            ),
            3 => format!("pthread_rwlock_rdlock(&rw); {body} pthread_rwlock_unlock(&rw);"),
            4 => format!("pthread_rwlock_wrlock(&rw); {body} pthread_rwlock_unlock(&rw);"),
            _ => format!("pthread_spin_lock(&sp); {body} pthread_spin_unlock(&sp);"),
        }
    }

    /// A loop that waits.
    fn spin(&mut self) -> String {
        if self.rng.below(2) == 0 {
            format!("while (!atomic_load(&a[{}]));", self.rng.below(2))
        } else {
            format!("while (!*(volatile int *)&x[{}]);", self.rng.below(3))
        }
    }

    fn operation(&mut self, depth: usize) -> String {
        let most = if self.kind == Kind::Spinning { 18 } else { 16 };
        match self.rng.below(most) {
            0..5 => self.access(),
            5..9 => self.atomic(),
            9..11 => self.signal(),
            11 if depth == 0 => self.wait(),
            12..16 if depth == 0 => self.lock(depth),
            11..16 => self.access(),
            _ => self.spin(),
        }
    }
}
