#!/usr/bin/env python3
"""Measures protocols: published properties, how the cost grows, and what generated code costs at run time.

    benches/protocols.py [FOLDER] [--motet PATH] [--most STATES] [--run-time]

FOLDER has `protocols/tests.json` with properties and their verdicts; without it that part is left out. Times are those of the
processor, in user mode, as the kernel counts them for each run of the command, so that other work on the machine matters little.
--run-time also runs the benchmark of generated code beside channels by hand (`cargo bench -p motet-protocol --bench channels`).
"""

import argparse
import collections
import json
import pathlib
import resource
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def run(motet, arguments, timeout=600):
    """The document of a command, and its processor time in seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    line = [str(motet), "protocol", "check", *arguments, "--format", "json"]
    done = subprocess.run(line, capture_output=True, check=False, timeout=timeout)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if not done.stdout:
        sys.exit(f"{' '.join(line)}: {done.stderr.decode(errors='replace')}")
    return json.loads(done.stdout), after.ru_utime - before.ru_utime


def published(motet, folder):
    """All properties of tests.json, those of one protocol and style in one run."""
    groups = collections.defaultdict(list)
    for test in json.loads((folder / "protocols/tests.json").read_text())["tests"]:
        groups[test["file"], tuple(test["entry_args"]), test["implementation"]].append(test)
    started, processor, wrong, count = time.monotonic(), 0.0, 0, 0
    for (file, values, style), tests in groups.items():
        arguments = [str(folder / "protocols" / file), "--style", style, "--infinite-runs"]
        arguments += [word for value in values for word in ("--arg", str(value))]
        arguments += [word for test in tests for word in ("--property", test["formula"])]
        document, seconds = run(motet, arguments)
        judged = [entry["verdict"] for entry in document["properties"] if entry["kind"] == "ltl"]
        expected = ["holds" if test["expected"] else "violated" for test in tests]
        wrong += sum(one != other for one, other in zip(judged, expected, strict=True))
        count, processor = count + len(tests), processor + seconds
    print(f"published properties: {count}, of which {wrong} have another verdict than expected")
    print(f"  {processor:.2f} s of the processor, {time.monotonic() - started:.2f} s in all\n")


GROWTH = [
    ("tokens.dcj", "directed-ring", "strict", [4, 16, 64, 256]),
    ("tokens.dcj", "full-mesh", "strict", [4, 16, 64]),
    ("tokens.dcj", "full-mesh", "liberal", [4, 8, 16]),
    ("request-pipeline.dcj", "request-pipeline", "liberal", [4, 8, 16, 32]),
    ("butterfly.dcj", "butterfly", "strict", [1, 2, 3]),
    ("butterfly.dcj", "butterfly", "liberal", [1, 2, 3]),
]


def growth(motet, most):
    """States and processor time of our own protocols, with larger and larger values."""
    print("| protocol | style | n | states | transitions | processor |\n|---|---|---|---|---|---|")
    for file, session, style, values in GROWTH:
        for value in values:
            arguments = [str(ROOT / "examples/sessions" / file), "--session", session, "--arg", str(value)]
            document, seconds = run(motet, [*arguments, "--style", style, "--limit-states", str(most)])
            stats, more = document["stats"], "" if document["verdict"] != "unknown" else ", not all"
            row = f"{stats.get('states', 0)}{more} | {stats.get('transitions', 0)} | {seconds:.2f} s"
            print(f"| {session} | {style} | {value} | {row} |", flush=True)
    print()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=pathlib.Path)
    parser.add_argument("--motet", default=ROOT / "target/release/motet", type=pathlib.Path)
    parser.add_argument("--most", default=2_000_000, type=int, help="the most states of one run")
    parser.add_argument("--run-time", action="store_true")
    options = parser.parse_args()
    if options.folder:
        published(options.motet, options.folder)
    growth(options.motet, options.most)
    if options.run_time:
        subprocess.run(["cargo", "bench", "-p", "motet-protocol", "--bench", "channels"], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
