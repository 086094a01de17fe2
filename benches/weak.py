#!/usr/bin/env python3
"""Runs the models of the Cubicle-W paper's table under x86-TSO: proofs beside the reference, explorations beside published times.

    benches/weak.py [--cubicle-w PATH] [--limit SECONDS] [--most N] [--motet PATH] [--only WORD]...

The first table has every model and its broken twins, from examples/weak: `motet prove`, `motet prove --method events`, and
Cubicle-W on the same file. Each has its verdict, and wall-clock and CPU seconds; `agree` compares all verdicts with each other and with what
is expected of the model. A file that Cubicle-W does not accept says so.

The second table has `motet explore -n N`, for N from 2 on until a run hits the limit, or N is --most (11, as in the paper), and beside it
the largest N that the tools for a fixed N have managed in the paper, with its time. These times are copied from the paper and were measured on its
authors' machine, on models of their own: only how they grow is comparable.

The limit (60) is one of CPU seconds of each run; a proof by motet also ends after as many wall-clock seconds. Exits with 1 if verdicts contradict each other.
"""

import argparse
import pathlib
import sys
import time

import prove

ROOT = pathlib.Path(__file__).resolve().parent.parent
MODELS = ROOT / "examples" / "weak"

# The models of the paper's table as they are named here: correct, then broken.
BENCHMARKS = {
    "naive mutex": ["naive-mutex", "naive-mutex-broken"],
    "lamport": ["lamport", "lamport-broken"],
    "spinlock": ["spinlock", "spinlock-broken"],
    "sense reversing barrier": ["sense-barrier", "sense-barrier-broken"],
    "arbiter v1": ["arbiter-v1", "arbiter-v1-broken"],
    "arbiter v2": ["arbiter-v2", "arbiter-v2-broken"],
    "two-phase commit": ["two-phase-commit", "two-phase-commit-broken"],
}

# Conchon, Declerck, Zaidi: "Cubicle-W: parameterized model checking on weak memory", IJCAR 2018, section 4: the largest number of
# processes within its limit of 15 minutes, and the time. CBMC has loops unwound twice; `!` marks what the paper calls a wrong answer.
TOOLS = ["Memorax SB", "Memorax PB", "Trencher", "CBMC", "Dual-TSO"]
PUBLISHED = {
    "naive-mutex-broken": ["5: 7m54s", "9: 12m02s", "4: 10.1s", "11: 23.6s", "5: 1m12s"],
    "naive-mutex": ["4: 23.3s", "10: 2m28s", "5: 54.8s", "4: 2m24s", "4: 35.7s"],
    "lamport-broken": ["3: 17.4s", "3: 25.4s", "3: 1.73s", "11: 7m42s", "5: 13m12s"],
    "lamport": ["2: 0.14s", "3: 3m02s", "4: 3.37s", "3: 8m39s", "3: 9.42s"],
    "spinlock": ["4: 8m51s", "6: 9m52s", "6: 21.45s", "2: 19.58s", "5: 1m16s"],
    "sense-barrier": ["2: 0.34s", "2: 0.09s", "4: 1m58s!", "8: 12m25s", "2: 0.09s"],
    "arbiter-v1": ["-", "-", "1+4: 4.57s", "1+5: 12m02s", "1+5: 2m45s!"],
    "arbiter-v2": ["-", "-", "1+3: 1.62s", "1+3: 2m56s", "1+2: 24.2s"],
    "two-phase-commit": ["-", "3: 39.7s", "3: 7.08s!", "10: 12m39s", "2: 12.3s"],
}


def timed(run):
    """What a run returns, with the wall-clock seconds that it took."""
    begun = time.monotonic()
    result = run()
    result.wall = time.monotonic() - begun
    return result


def run_reference(reference, file, limit):
    code, out, err, seconds, memory = prove.measured([str(reference), "-nocolor", "-quiet", str(file)], limit)
    words = out + err
    if code is None:
        verdict = "limit"
    elif "syntax error" in words or "typing error" in words:
        verdict = "not accepted"
    elif "UNSAFE !" in words:
        verdict = "unsafe"
    else:
        verdict = "safe" if "is SAFE" in words else "unknown"
    return prove.Run(verdict, seconds, memory)


def cell(run):
    """A run in a few words: its verdict, wall-clock and CPU seconds."""
    if run is None:
        return "-"
    times = "" if run.verdict == "not accepted" else f" {run.wall:.2f} / {run.seconds:.2f}"
    return run.verdict + times


def agreement(expected, runs):
    """Whether the verdicts of some runs are those that are expected."""
    decided = {run.verdict for run in runs if run and run.verdict in prove.DECIDED}
    return "yes" if decided <= {expected} else "NO"


def compare_proofs(arguments, names):
    """The table of proofs; whether all verdicts agree."""
    print("Proofs for every number of processes: verdict, wall-clock seconds / CPU seconds\n")
    print("| model | `motet prove` | `--method events` | Cubicle-W | agree |\n|---|---|---|---|---|")
    agree = True
    for name in names:
        file = MODELS / f"{name}.cub"
        flags = ["-j", "1", "--limit-time", str(arguments.limit)]
        auto = timed(lambda: prove.run_motet(arguments.motet, flags, file, 2 * arguments.limit))
        events = timed(lambda: prove.run_motet(arguments.motet, [*flags, "--method", "events"], file, 2 * arguments.limit))
        theirs = None
        if arguments.cubicle_w:
            theirs = timed(lambda: run_reference(arguments.cubicle_w, file, arguments.limit))
        expected = "unsafe" if "broken" in name else "safe"
        verdict = agreement(expected, [auto, events, theirs])
        agree = agree and verdict == "yes"
        print(f"| {name} | {cell(auto)} | {cell(events)} | {cell(theirs)} | {verdict} |", flush=True)
    return agree


def explored(arguments, name, processes):
    """One exploration: its verdict and CPU seconds."""
    command = [str(arguments.motet), "explore", str(MODELS / f"{name}.cub"), "-n", str(processes), "-q"]
    code, _, _, seconds, memory = prove.measured(command, arguments.limit)
    verdict = {0: "safe", 1: "unsafe", 3: "unknown", None: "limit"}.get(code, f"CRASH {code}")
    return prove.Run(verdict, seconds, memory)


def compare_explorations(arguments, names):
    """The table of explorations beside published times; whether the verdicts are as expected."""
    numbers = range(2, arguments.most + 1)
    print("\nExplorations of N processes: CPU seconds; beside them the largest N and its time in the paper, by tool\n")
    print("|", " | ".join(["model", *map(str, numbers), *TOOLS]), "|\n|" + "---|" * (1 + len(numbers) + len(TOOLS)))
    agree = True
    for name in names:
        cells = []
        for processes in numbers:
            run = explored(arguments, name, processes)
            # A bug may need more processes than there are.
            agree = agree and not (run.verdict == "unsafe" and "broken" not in name)
            cells.append(f"{run.verdict} {run.seconds:.2f}" if run.verdict in prove.DECIDED else run.verdict)
            if run.verdict == "limit":
                break
        cells += [""] * (len(numbers) - len(cells))
        published = PUBLISHED.get(name, [""] * len(TOOLS))
        print("|", " | ".join([name, *cells, *published]), "|", flush=True)
    return agree


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cubicle-w", type=pathlib.Path, help="the binary to compare with")
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds for each run")
    parser.add_argument("--most", type=int, default=11, help="the largest number of processes")
    parser.add_argument("--motet", type=pathlib.Path, default=ROOT / "target" / "release" / "motet")
    parser.add_argument("--only", action="append", default=[], help="models whose name contains this")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    for binary in (arguments.motet, arguments.cubicle_w):
        if binary and not binary.exists():
            sys.exit(f"there is no {binary}")
    names = [name for models in BENCHMARKS.values() for name in models]
    names = [name for name in names if not arguments.only or any(word in name for word in arguments.only)]
    agree = compare_proofs(arguments, names)
    agree = compare_explorations(arguments, names) and agree
    return 0 if agree else 1


if __name__ == "__main__":
    sys.exit(main())
