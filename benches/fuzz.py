#!/usr/bin/env python3
"""How reliably does `motet fuzz` find what is wrong, and which technique pays off?

    benches/fuzz.py DIR [--seeds 100] [--limit 3] [-n 3] [--deadlock] [--reference PATH] [--motet PATH] [--only WORD]...
    benches/fuzz.py DIR --table [--seeds 3] [--steps 1000000] [-n 3] [--motet PATH] [--only WORD]...

The first form runs every `.cub` file of DIR with as many seeds and prints the distribution of the time and of the steps until the
first violation (with --deadlock: or deadlock) was found, shortened and replayed: least, median, 90 %, most, and how many runs
missed it. With --reference, the path of `cubicle-cfl`, its runs stand beside that; it takes no seed, so its runs differ by its own
chance. It is given the budget that its authors use, and the same limit of time.

The second form gives each technique alone, and the scheduler that learns to choose, the same number of steps, and prints what
they cover and find per million of them; at the end how the scheduler compares with the best technique of each model. Runs that visit
everything end earlier, and count with what they cover.

One process at a time, one thread each.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TECHNIQUES = ["uniform", "one-process", "novelty", "more-enabled", "short-breadth-first", "untaken"]
MEASURES = ["states", "pairs", "transitions", "bugs"]


def run_motet(arguments, file, seed, flags):
    """One run: its document, or None if there is none."""
    command = [arguments.motet, "fuzz", str(file), "-n", str(arguments.n), "-j", "1", "--seed", str(seed)]
    command += ["--format", "json", *flags]
    output = subprocess.run(command, capture_output=True, text=True)
    try:
        return json.loads(output.stdout)
    except json.JSONDecodeError:
        print(f"{file}: {output.stderr.strip()}", file=sys.stderr)
        return None


def hunt(arguments, file, seed):
    """Seconds and steps until the first violation; None if there was none."""
    flags = ["--stop-at-first", "--limit-time", str(arguments.limit)]
    flags += ["--deadlock", "error"] if arguments.deadlock else []
    document = run_motet(arguments, file, seed, flags)
    if document is None or document["verdict"] != "violated":
        return None
    return document["stats"]["seconds"], document["stats"]["transitions"]


def hunt_reference(arguments, file):
    """Seconds until the reference has found something, as it says; None if it has not."""
    command = [arguments.reference, "-nocolor", "-fuzz", "-bench", "-interpret-proc", str(arguments.n)]
    command += ["-fuzz-limit", "100000", "10", str(math.ceil(arguments.limit)), str(file)]
    try:
        output = subprocess.run(command, capture_output=True, text=True, timeout=10 * arguments.limit)
    except subprocess.TimeoutExpired:
        return None
    what = "Deadlock reached" if arguments.deadlock else "Unsafe state reached"
    found = re.search(what + r".*\n(\d+)m([\d.]+)s", output.stdout + output.stderr)
    seconds = found and int(found[1]) * 60 + float(found[2])
    return seconds if found and seconds <= arguments.limit else None


def spread(values, misses, form):
    """Least, median, 90 %, most, and how many missed."""
    if not values:
        return f"{'-':>9}{'-':>9}{'-':>9}{'-':>9}{misses:>8}"
    ordered = sorted(values)
    ninety = ordered[min(len(ordered) - 1, -(-len(ordered) * 9 // 10) - 1)]
    parts = [ordered[0], statistics.median(ordered), ninety, ordered[-1]]
    return "".join(f"{form(part):>9}" for part in parts) + f"{misses:>8}"


def distribution(arguments, files):
    """The first form. Tells whether every run has found something."""
    heading = f"{'least':>9}{'median':>9}{'90 %':>9}{'most':>9}{'missed':>8}"
    print(f"{'model':28}{'':12}{heading}")
    complete = True
    for file in files:
        runs = [hunt(arguments, file, seed) for seed in range(1, arguments.seeds + 1)]
        found = [run for run in runs if run]
        misses = len(runs) - len(found)
        complete &= misses == 0
        print(f"{file.stem:28}{'seconds':12}{spread([run[0] for run in found], misses, lambda s: f'{s:.3f}')}")
        print(f"{'':28}{'steps':12}{spread([run[1] for run in found], misses, lambda s: f'{s:.0f}')}")
        if arguments.reference:
            times = [hunt_reference(arguments, file) for _ in range(arguments.seeds)]
            found = [seconds for seconds in times if seconds is not None]
            print(f"{'':28}{'reference':12}{spread(found, len(times) - len(found), lambda s: f'{s:.3f}')}")
        sys.stdout.flush()
    return complete


def measure(arguments, file, technique):
    """What a technique (None: the scheduler) covers and finds per million steps, on average over seeds."""
    flags = ["--limit-steps", str(arguments.steps)] + (["--techniques", technique] if technique else [])
    sums = dict.fromkeys(MEASURES, 0.0)
    for seed in range(1, arguments.seeds + 1):
        document = run_motet(arguments, file, seed, flags)
        # A model that cannot be fuzzed with this number of processes, or not yet, is left out.
        if document is None or "states" not in document["stats"]:
            return None
        stats = document["stats"]
        bugs = sum(one["verdict"] == "violated" for one in document["properties"])
        values = [stats["states"], stats["covered_pairs"], stats["covered_transitions"], bugs]
        for name, value in zip(MEASURES, values):
            sums[name] += value * 1e6 / arguments.steps / arguments.seeds
    return sums


def table(arguments, files):
    """The second form. Tells whether the scheduler is never worse than the best technique by more than a tenth on average."""
    print(f"{'model':28}{'technique':22}" + "".join(f"{name:>14}" for name in MEASURES))
    ratios = {name: [] for name in MEASURES}
    for file in files:
        rows = {technique or "(scheduler)": measure(arguments, file, technique) for technique in [*TECHNIQUES, None]}
        if None in rows.values():
            continue
        for at, (technique, row) in enumerate(rows.items()):
            print(f"{file.stem if at == 0 else '':28}{technique:22}" + "".join(f"{row[name]:>14.1f}" for name in MEASURES))
        for name in MEASURES:
            best = max(row[name] for technique, row in rows.items() if technique != "(scheduler)")
            if best > 0:
                ratios[name].append(rows["(scheduler)"][name] / best)
        sys.stdout.flush()
    print("\nscheduler / best technique of the model, mean and least over models:")
    for name, values in ratios.items():
        if values:
            print(f"  {name:14}{statistics.mean(values):>8.3f}{min(values):>8.3f}")
    return all(statistics.mean(values) >= 0.9 for values in ratios.values() if values)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path, metavar="DIR")
    parser.add_argument("--seeds", type=int)
    parser.add_argument("--limit", type=float, default=3.0, help="seconds for each run")
    parser.add_argument("-n", type=int, default=3, help="processes")
    parser.add_argument("--deadlock", action="store_true", help="deadlocks count, even if nobody waits")
    parser.add_argument("--table", action="store_true", help="compare techniques")
    parser.add_argument("--steps", type=int, default=1_000_000, help="for the table: steps of each run")
    parser.add_argument("--reference", help="path of cubicle-cfl")
    parser.add_argument("--motet", default=str(ROOT / "target/release/motet"))
    parser.add_argument("--only", action="append", default=[], metavar="WORD", help="only models with such a name")
    arguments = parser.parse_args()
    arguments.seeds = arguments.seeds or (3 if arguments.table else 100)
    files = sorted(arguments.folder.glob("*.cub"))
    files = [file for file in files if not arguments.only or any(word in file.name for word in arguments.only)]
    if not files:
        sys.exit(f"no models in {arguments.folder}")
    sys.exit(0 if (table if arguments.table else distribution)(arguments, files) else 1)


if __name__ == "__main__":
    main()
