#!/usr/bin/env python3
"""Tests C programs with threads: the programs of the SCALE thesis beside published figures, and what a run costs.

    benches/programs.py [FOLDER] [--motet PATH] [--runs N]

FOLDER has the programs of the thesis' appendix (threadpool.c, barrier.c, indexer.c, nbqueue.c, prodcons.c, buginspect.c), sizes
by -DN=… and -DSTEPS=…; without it the first three tables are left out. The first compares exhaustive searches (and, for
programs with a bug, searches for it) with figures from the thesis (of 2010, wall-clock time) and of other tools (CPU
time, measured once on a machine with two cores: see the column). The second has the runs of SCALE's own filters, the third runs to the bug of the queue by filters and order. The last is about random schedules,
and how the cost of a run grows with its steps and with the memory of the program; its programs are made here.

Times are CPU seconds of the program under test. Exits with 1 if a number of runs is not the expected one.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# Program, definitions, expected runs (None: a bug is looked for), then runs and seconds of others.
THESIS = [
    ("buginspect", [], None, "", "", "", ""),
    ("prodcons", ["N=1"], None, "", "", "", ""),
    ("indexer", ["N=7"], 1, "8,593 in 478 s", "1", "1", "1"),
    ("indexer", ["N=11"], 1, "", "", "", ""),
    ("indexer", ["N=12"], 8, "", "", "", ""),
    ("indexer", ["N=15"], 4096, "", "", "4,096 in 44 s", "4,096 in 27 s"),
    ("threadpool", ["N=1"], 6, "", "", "", ""),
    ("threadpool", ["N=2"], 90, "124", "102", "633", "-"),
    ("threadpool", ["N=3"], 2292, "", "", "", ""),
    ("threadpool", ["N=4"], 85464, "127,766 in 1,182 s", "324,772 in 10,357 s", "tool error", "-"),
    ("barrier", ["N=2", "STEPS=5"], 39366, "39,365 in 431 s", "19,683 in 1,196 s", "39,366 in 16.9 s", "-"),
    ("barrier", ["N=4", "STEPS=1"], 90720, "143,639 in 1,245 s", "321,008 in 9,563 s", "90,720 in 26.7 s", "-"),
    ("barrier", ["N=3", "STEPS=2"], 324000, "431,894 in 4,120 s", "683,100 in 34,765 s", "324,000 in 105 s", "-"),
] + [
    ("nbqueue", [f"N={size}"], None, "found" if size == 10 else "", "cannot" if size == 10 else "",
     "1,021 in 6.6 s, unrolled" if size == 10 else "", "a race" if size == 10 else "")
    for size in range(2, 11)
]

# Runs of SCALE itself, cut ones included: thesis, table 6.1.
FILTERS = [
    ("seen", {1: 1, 2: 18, 3: 309, 4: 5256}),
    ("seen,supersteps", {1: 1, 2: 2, 3: 8, 4: 32, 5: 146, 6: 818}),
]

# Filters that find the lost element of the queue; each needs a bound on depth or recognises local cycles.
QUEUE = ["seen,depth=60", "seen,depth=60,supersteps", "seen,cycles", "supersteps,cycles", "seen,supersteps,cycles"]
SEEDS = range(1, 6)

COUNTER = """
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;
static void *work(void *unused) {
    for (int i = 0; i < STEPS; i++) {
        pthread_mutex_lock(&lock);
        count++;
        pthread_mutex_unlock(&lock);
    }
    return unused;
}
int main(void) {
    char *heap = malloc(HEAP);
    memset(heap, 1, TOUCHED);
    pthread_t other;
    pthread_create(&other, 0, work, 0);
    work(0);
    pthread_join(other, 0);
    return heap[0] != 1;
}
"""


def test(motet, program, definitions, *flags):
    """The document of `motet test`."""
    command = [motet, "test", str(program), "--format", "json", *flags]
    for definition in definitions:
        command += ["-D", definition]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{' '.join(command)}: {done.stderr}")
    return json.loads(done.stdout)


def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def figures(stats):
    """Runs, CPU seconds, runs per CPU second."""
    runs, seconds = stats["executions"], stats["cpu_milliseconds"] / 1000
    rate = f"{runs / seconds:,.0f}" if seconds > 0.005 else ""
    return f"{runs:,}", f"{seconds:.2f}", rate


def thesis(motet, folder):
    wrong = 0
    row("program", "runs", "CPU seconds", "runs per second", "answer", "SCALE", "Inspect", "Nidhugg 0.4", "GenMC 0.11")
    row(*["---"] * 9)
    for name, definitions, expected, *others in THESIS:
        program = folder / f"{name}.c"
        flags = ["--ignore", "race", "--ignore", "livelock"] if expected is None else []
        document = test(motet, program, definitions, *flags)
        found = [one["kind"] for one in document["properties"] if one["verdict"] == "violated"]
        right = document["stats"]["executions"] == expected if expected else bool(found)
        wrong += not right
        answer = " ".join(found) or document["verdict"]
        row(" ".join([name, *definitions]), *figures(document["stats"]), answer + ("" if right else " (!)"), *others)
    return wrong


def filters(motet, folder):
    wrong = 0
    row("filters", "threads", "runs", "states", "CPU seconds", "SCALE's runs")
    row(*["---"] * 6)
    for chain, published in FILTERS:
        for threads, runs in published.items():
            flags = ["--filters", chain, "--visible", "all"]
            stats = test(motet, folder / "indexer.c", [f"N={threads}"], *flags)["stats"]
            wrong += stats["executions"] != runs
            found, cpu, _ = figures(stats)
            row(chain, threads, found, f"{stats['states']:,}", cpu, f"{runs:,}")
    return wrong


def queue(motet, folder):
    """Runs to the lost element of the queue with two elements, in order and shuffled; states of those in order."""
    wrong = 0
    row("filters", "runs, in order", *[f"seed {seed}" for seed in SEEDS], "states, in order")
    row(*["---"] * (len(SEEDS) + 3))
    for chain in QUEUE:
        flags = ["--filters", chain, "--visible", "all", "--ignore", "race", "--ignore", "livelock"]
        orders = [[]] + [["--shuffle", "--seed", str(seed)] for seed in SEEDS]
        found = [test(motet, folder / "nbqueue.c", ["N=2"], *flags, *order) for order in orders]
        wrong += sum(document["verdict"] != "violated" for document in found)
        runs = [f"{document['stats']['executions']:,}" for document in found]
        row(chain, *runs, f"{found[0]['stats']['states']:,}")
    return wrong


def rates(motet, folder, runs):
    row("program", "schedules", "steps of a run", "runs", "CPU seconds", "runs per second")
    row(*["---"] * 6)

    def one(label, program, definitions, *flags):
        stats = test(motet, program, definitions, *flags)["stats"]
        label_flags = flags[1] if flags else "exhaustive"
        row(label, label_flags, round(stats["steps"] / max(stats["executions"], 1)), *figures(stats))

    if folder:
        pool = folder / "threadpool.c"
        one("thread pool of 4", pool, ["N=4"], "--search", "random", "--limit-runs", str(runs))
        one("thread pool of 4", pool, ["N=4"])
    with tempfile.TemporaryDirectory() as scratch:
        counter = pathlib.Path(scratch) / "counter.c"
        counter.write_text(COUNTER)
        for steps in (5, 50, 500):
            some = str(max(runs * 5 // steps, 100))
            one(f"counter, {steps} rounds", counter, [f"STEPS={steps}", "HEAP=16", "TOUCHED=16"], "--search", "random", "--limit-runs", some)
        for size in (1 << 20, 64 << 20):
            for touched, word in ((16, "allocated"), (size, "written")):
                label = f"counter, 5 rounds, {size >> 20} MiB of heap {word} in each run"
                some = runs if touched == 16 else max(runs // (size >> 14), 20)
                definitions = ["STEPS=5", f"HEAP={size}", f"TOUCHED={touched}"]
                one(label, counter, definitions, "--search", "random", "--limit-runs", str(some))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--motet", default=str(ROOT / "target/release/motet"))
    parser.add_argument("--runs", type=int, default=300_000)
    arguments = parser.parse_args()
    wrong = 0
    if arguments.folder:
        wrong += thesis(arguments.motet, arguments.folder)
        print()
        wrong += filters(arguments.motet, arguments.folder)
        print()
        wrong += queue(arguments.motet, arguments.folder)
        print()
    rates(arguments.motet, arguments.folder, arguments.runs)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
