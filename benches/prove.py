#!/usr/bin/env python3
"""Runs `motet prove` and a reference side by side on all models of a folder.

    benches/prove.py DIR [--reference PATH] [--limit SECONDS] [--techniques | --methods | --threads N] [--motet PATH] [--only WORD]... [--tsv FILE]

Every `.cub` file below DIR is given to the reference (Cubicle: plain, and with approximation over two processes) and
to motet (with approximation, and without). Printed are the verdicts, the CPU seconds of the better reference mode and of both
of ours, how many times faster our better one is, the cubes visited, and the memory of the run in MB. After that comes the geometric
mean of the ratio over the models for which the reference takes more than 0.1 s; a run that hits the limit counts as the limit.
With --techniques there is only a table of the backward search without each technique in turn (`brab`: without candidates, and
`+infer`: without candidates and inference, which is there for that case). With --methods there is only a table of the default
beside backward search and views alone; what is slower than the faster of these by more than a tenth of a second is marked.
With --threads N there is only a table of wall-clock seconds with one thread and with N, for each method, of the runs that have
a verdict and take one thread more than two seconds: the least of five runs each, one after the other on a machine that does nothing else.
All other runs have one thread.

If DIR has an `expected.tsv` (model, expected verdict: safe, unsafe or ?), a verdict that contradicts it is an error, as is one
that contradicts the other tool: these are printed in capitals, and the exit code is 1. CPU time is user and system time of the process; the
limit is one of CPU time, so that other work on the machine matters little.
"""

import argparse
import json
import math
import os
import pathlib
import resource
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Not inference: that is there where there are no candidates.
TECHNIQUES = ["joint-subsumption", "deletion", "values", "postpone", "auxiliary-variables"]
REFERENCE_MODES = {"plain": ["-quiet"], "brab": ["-brab", "2", "-quiet"]}
DECIDED = ("safe", "unsafe")
# Shorter runs of the reference measure how long a program takes to start.
WORTH_COMPARING = 0.1
# A run that sleeps must end too.
WALL_FACTOR = 30


class Run:
    """One run: its verdict, CPU seconds, memory in MB, cubes and wall-clock seconds."""

    def __init__(self, verdict, seconds, memory, nodes=None, wall=math.nan):
        self.verdict, self.seconds, self.memory, self.nodes, self.wall = verdict, seconds, memory, nodes, wall

    def time(self):
        return f"{self.seconds:.2f}" if self.verdict in DECIDED else f"({self.seconds:.2f})"


def measured(command, limit):
    """Runs a command: its exit code (None if a limit ended it), output, CPU seconds and memory."""

    def prepare():
        seconds = max(1, math.ceil(limit))
        resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))

    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        process = subprocess.Popen(command, stdout=out, stderr=err, stdin=subprocess.DEVNULL, preexec_fn=prepare)
        deadline = time.monotonic() + limit * WALL_FACTOR
        pause = 0.002
        while True:
            pid, status, usage = os.wait4(process.pid, os.WNOHANG)
            if pid:
                break
            if time.monotonic() > deadline:
                os.kill(process.pid, signal.SIGKILL)
            time.sleep(pause)
            pause = min(pause * 1.2, 0.02)
        process.returncode = os.waitstatus_to_exitcode(status)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode(errors="replace"))
    seconds = usage.ru_utime + usage.ru_stime
    killed = process.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
    return None if killed else process.returncode, texts[0], texts[1], seconds, usage.ru_maxrss / 1024


def run_reference(reference, flags, file, limit):
    code, out, err, seconds, memory = measured([str(reference), *flags, str(file)], limit)
    words = (out + err).upper()
    if code is None:
        verdict = "limit"
    elif "UNSAFE" in words:
        verdict = "unsafe"
    elif "SAFE" in words:
        verdict = "safe"
    else:
        verdict = "refused" if "ERROR" in words else "unknown"
    return Run(verdict, seconds, memory)


def run_motet(motet, flags, file, limit):
    begun = time.monotonic()
    code, out, err, seconds, memory = measured([str(motet), "prove", *flags, "--format", "json", str(file)], limit)
    wall = time.monotonic() - begun
    verdict = {None: "limit", 0: "safe", 1: "unsafe", 2: "refused", 3: "unknown"}.get(code, f"CRASH {code}")
    try:
        nodes = json.loads(out).get("stats", {}).get("nodes")
    except (ValueError, AttributeError):
        nodes = None
        if code in (0, 1):
            verdict = "CRASH: no report"
    return Run(verdict, seconds, memory, nodes, wall)


def better(runs):
    """The fastest run with a verdict, or the fastest one at all."""
    decided = [run for run in runs if run.verdict in DECIDED]
    return min(decided or runs, key=lambda run: run.seconds)


def cost(run, limit):
    """What a run counts for: the limit if it has no verdict."""
    return max(run.seconds, 0.001) if run.verdict in DECIDED else limit


def read_expected(folder):
    path = folder / "expected.tsv"
    lines = path.read_text().splitlines() if path.exists() else []
    rows = (line.split("\t") for line in lines if line.strip() and not line.startswith("#"))
    return {row[0]: row[1] for row in rows if len(row) > 1}


def contradictions(name, expected, ours, theirs):
    """What our verdicts contradict."""
    for mode, run in ours.items():
        if run.verdict.startswith("CRASH"):
            yield f"{name}: motet {mode}: {run.verdict}"
        if run.verdict not in DECIDED:
            continue
        if expected in DECIDED and run.verdict != expected:
            yield f"{name}: motet {mode} says {run.verdict}, EXPECTED {expected}"
        for other, their in theirs.items():
            if their.verdict in DECIDED and their.verdict != run.verdict:
                yield f"{name}: motet {mode} says {run.verdict}, THE REFERENCE ({other}) SAYS {their.verdict}"
    if len({run.verdict for run in ours.values()} & set(DECIDED)) > 1:
        yield f"{name}: motet says BOTH safe and unsafe"


def compare(arguments, files, expected):
    """The table of both tools; returns what was contradicted."""
    wrong, ratios, decided, lines = [], [], {"motet": 0, "reference": 0}, []
    header = ["model", "expected", "reference", "cpu s", "motet", "cpu s", "brab off", "cpu s", "ratio", "nodes", "MB"]
    show(header, arguments.tsv, lines)
    for file in files:
        name = str(file.relative_to(arguments.folder))
        theirs = {}
        if arguments.reference:
            theirs = {mode: run_reference(arguments.reference, flags, file, arguments.limit)
                      for mode, flags in REFERENCE_MODES.items()}
        ours = {"brab": run_motet(arguments.motet, ["-j", "1"], file, arguments.limit),
                "plain": run_motet(arguments.motet, ["-j", "1", "--brab", "off"], file, arguments.limit)}
        best = better(list(ours.values()))
        decided["motet"] += best.verdict in DECIDED
        ratio, reference = "", Run("-", 0.0, 0.0)
        if theirs:
            reference = better(list(theirs.values()))
            decided["reference"] += reference.verdict in DECIDED
            both_open = reference.verdict not in DECIDED and best.verdict not in DECIDED
            if not both_open and cost(reference, arguments.limit) > WORTH_COMPARING:
                ratios.append(cost(reference, arguments.limit) / cost(best, arguments.limit))
                ratio = f"{ratios[-1]:.1f}"
        found = list(contradictions(name, expected.get(name, "?"), ours, theirs))
        wrong += found
        show([name, expected.get(name, "-"), reference.verdict, reference.time(), ours["brab"].verdict,
              ours["brab"].time(), ours["plain"].verdict, ours["plain"].time(), ratio,
              str(best.nodes if best.nodes is not None else "-"), f"{best.memory:.0f}"], arguments.tsv, lines)
        for line in found:
            print(f"!!! WRONG: {line}", flush=True)
    print(f"\n{len(files)} models; decided: motet {decided['motet']}, reference {decided['reference']}")
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"geometric mean of {len(ratios)} ratios: {mean:.2f} times as fast as the reference")
    return wrong


def show(cells, tsv, lines):
    widths = [44, 8, 9, 8, 9, 8, 9, 8, 8, 7, 6]
    print(" ".join(cell.ljust(width) if at == 0 else cell.rjust(width)
                   for at, (cell, width) in enumerate(zip(cells, widths))), flush=True)
    lines.append("\t".join(cells))
    if tsv:
        tsv.write_text("\n".join(lines) + "\n")


def compare_techniques(arguments, files):
    """What each technique is worth: CPU seconds without it, over those with all."""
    alone = ["-j", "1", "--method", "backward"]
    modes = {"all": alone} | {name: [*alone, "--without", name] for name in TECHNIQUES}
    modes |= {"brab": [*alone, "--brab", "off"], "+infer": [*alone, "--brab", "off", "--without", "inference"]}
    ratios = {name: [] for name in modes}
    print("\nCPU seconds without a technique; (…) where there is no verdict")
    print("model".ljust(44), *(name.rjust(10) for name in modes))
    for file in files:
        runs = {name: run_motet(arguments.motet, flags, file, arguments.limit) for name, flags in modes.items()}
        print(str(file.relative_to(arguments.folder)).ljust(44), *(run.time().rjust(10) for run in runs.values()), flush=True)
        if any(run.verdict in DECIDED for run in runs.values()):
            base = cost(runs["all"], arguments.limit)
            for name, run in runs.items():
                ratios[name].append(cost(run, arguments.limit) / base)
    means = (math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan for values in ratios.values())
    print("geometric mean of without / with".ljust(44), *(f"{mean:.2f}".rjust(10) for mean in means))


# The default may be slower than the better method by this many seconds.
SLACK = 0.1


def compare_methods(arguments, files):
    """The default against each method alone, in CPU seconds of one thread."""
    methods = ["auto", "backward", "views"]
    slower = 0
    print("CPU seconds by method; (…) where there is no verdict")
    print("model".ljust(44), *(name.rjust(10) for name in methods))
    for file in files:
        runs = {name: run_motet(arguments.motet, ["-j", "1", "--method", name], file, arguments.limit) for name in methods}
        best = min(cost(runs[name], arguments.limit) for name in methods[1:])
        is_slower = cost(runs["auto"], arguments.limit) > best + SLACK
        slower += is_slower
        print(str(file.relative_to(arguments.folder)).ljust(44), *(run.time().rjust(10) for run in runs.values()),
              "  slower" if is_slower else "", flush=True)
    print(f"{slower} of {len(files)} are slower than the better method by more than {SLACK} s")


# What takes one thread longer is worth several.
LONG = 2.0
# Other load only makes a run longer: the shortest of this many says most.
RUNS = 4


def compare_threads(arguments, files):
    """What several threads are worth: wall-clock seconds with one and with several, where one takes long."""
    ratios = []
    print(f"wall-clock seconds with 1 thread and with {arguments.threads}, where 1 takes more than {LONG} s to a verdict")
    print("model".ljust(44), *(name.rjust(10) for name in ["method", "1", str(arguments.threads), "ratio"]))
    for file in files:
        for method in ["auto", "backward", "views"]:
            def run(threads):
                return run_motet(arguments.motet, ["-j", str(threads), "--method", method], file, arguments.limit)
            first = run(1)
            if first.verdict not in DECIDED or first.wall < LONG:
                continue
            one, several = first.wall, math.inf
            for _ in range(RUNS):
                several = min(several, run(arguments.threads).wall)
                one = min(one, run(1).wall)
            ratios.append(one / several)
            print(str(file.relative_to(arguments.folder)).ljust(44), method.rjust(10), f"{one:.2f}".rjust(10),
                  f"{several:.2f}".rjust(10), f"{ratios[-1]:.2f}".rjust(10), flush=True)
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"{len(ratios)} runs, geometric mean {mean:.2f}, least {min(ratios):.2f}")


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", metavar="DIR", type=pathlib.Path)
    parser.add_argument("--reference", type=pathlib.Path, help="the binary to compare with")
    parser.add_argument("--limit", type=float, default=60, help="CPU seconds for each run")
    parser.add_argument("--motet", type=pathlib.Path, default=ROOT / "target" / "release" / "motet")
    parser.add_argument("--only", action="append", default=[], help="models whose path contains this")
    parser.add_argument("--techniques", action="store_true", help="without each technique in turn")
    parser.add_argument("--methods", action="store_true", help="the default against each method alone")
    parser.add_argument("--threads", type=int, help="one thread against this many")
    parser.add_argument("--tsv", type=pathlib.Path, help="write the table to this file, too")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    arguments.folder = arguments.folder.resolve()
    for binary in (arguments.motet, arguments.reference):
        if binary and not binary.exists():
            sys.exit(f"there is no {binary}")
    files = sorted(arguments.folder.rglob("*.cub"))
    if arguments.only:
        files = [file for file in files if any(word in str(file.relative_to(arguments.folder)) for word in arguments.only)]
    if not files:
        sys.exit(f"no models in {arguments.folder}")
    if arguments.methods:
        return compare_methods(arguments, files)
    if arguments.techniques:
        return compare_techniques(arguments, files)
    if arguments.threads:
        return compare_threads(arguments, files)
    wrong = compare(arguments, files, read_expected(arguments.folder))
    for line in wrong:
        print(f"!!! WRONG: {line}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
