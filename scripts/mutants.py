#!/usr/bin/env python3
"""Makes deliberate mistakes in the engine, one at a time, and tells which of them the tests catch.

    scripts/mutants.py [NUMBER...] [--folder FOLDER] [--list]

Each mistake of scripts/mutants.txt is made in a copy of the sources, which is built and put to the tests that
should catch it. Takes about half a minute for each. Exits with 1 if one is not caught, or if a text to be replaced is
not there exactly once: the list must be kept up to date with the sources. --folder keeps the copy and what was
built for the next time.

The list has blocks, separated by empty lines:
    file crates/instance/src/machine/program.rs
    what a few words
    old the text to be replaced; `|` begins further lines
    new what takes its place
    test engine
`test` names a line of TESTS below. `same WHY` in place of `test` marks a mistake that changes no answer, and why.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
LIST = ROOT / "scripts/mutants.txt"

# What to run; the words after `--` choose tests by name.
TESTS = {
    "auxiliary": ["-p", "motet-certify", "--test", "certify", "--", "auxiliary"],
    "engine": ["-p", "motet-instance", "--test", "reference", "--", "the_engine"],
    "meaning": ["-p", "motet-instance", "--test", "meaning"],
    "symmetry": ["-p", "motet-instance", "--test", "symmetry"],
    "tables": ["-p", "motet-instance", "--test", "tables"],
    "answers": ["-p", "motet-instance", "--test", "answers"],
    "sweep": ["-p", "motet-explore", "--features", "threads"],
}

# Quick to build, and quick enough to run.
PROFILE = {
    "CARGO_PROFILE_TEST_OPT_LEVEL": "1",
    "CARGO_PROFILE_TEST_DEBUG": "0",
    "CARGO_PROFILE_DEV_DEBUG": "0",
    "CARGO_INCREMENTAL": "1",
    "RUST_BACKTRACE": "0",
}

# A mistake may make a test run for ever, which is a way to notice it.
TIMEOUT = 180


def read_list():
    """The mistakes as dictionaries."""
    for block in LIST.read_text().split("\n\n"):
        mutant, field = {}, None
        for line in block.splitlines():
            if line.startswith("#") or not line.strip():
                continue
            if line.startswith("|"):
                mutant[field] += "\n" + line[1:]
                continue
            field, _, text = line.partition(" ")
            mutant[field] = text
        if mutant:
            yield mutant


def sources(folder):
    """All files but what was built, by their path below the folder."""
    for path in folder.iterdir():
        if path.name not in ("target", ".git"):
            yield from (file.relative_to(folder) for file in [path, *path.rglob("*")] if file.is_file())


def copy_sources(folder):
    """Copies what differs. It gets the time of today, since cargo goes by that: what was built last may have a mistake."""
    for gone in set(sources(folder)) - set(sources(ROOT)):
        (folder / gone).unlink()
    for path in sources(ROOT):
        source, target = ROOT / path, folder / path
        if not target.exists() or target.read_bytes() != source.read_bytes():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, target)


def run(folder, test, timeout):
    """None if the tests pass, else the line that says what failed. The first panic decides."""
    environment = {**os.environ, **PROFILE, "CARGO_TARGET_DIR": str(folder / "target")}
    # Output that is not captured tells of a panic at once.
    command = ["cargo", "test", "--quiet", *TESTS[test], *([] if "--" in TESTS[test] else ["--"]), "--nocapture"]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, start_new_session=True,
    )
    late = []
    timer = threading.Timer(timeout, lambda: (late.append(True), stop(process)))
    timer.start()
    error = panic = None
    for line in process.stdout:
        error = error or (line.startswith("error") and line)
        panic = panic or (" panicked at " in line and line)
        if panic:
            stop(process)
            break
    timer.cancel()
    code = process.wait()
    if late:
        return "it takes too long"
    return (panic or error or "it fails").strip()[:110] if code != 0 or panic else None


def stop(process):
    """Ends a process with all that it has started."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def attempt(folder, mutant):
    """Makes one mistake, and tells how that ended."""
    path = folder / mutant["file"]
    original = path.read_text()
    if original.count(mutant["old"]) != 1:
        return f"OUT OF DATE: the text is there {original.count(mutant['old'])} times"
    path.write_text(original.replace(mutant["old"], mutant["new"]))
    try:
        failure = run(folder, mutant["test"], TIMEOUT)
    finally:
        path.write_text(original)
    if failure is None:
        return "NOT CAUGHT"
    # What does not compile is caught by nobody's test.
    return f"DOES NOT BUILD: {failure}" if failure.startswith("error[") else f"caught: {failure}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("numbers", nargs="*", type=int, help="which mistakes, by number; without this all")
    parser.add_argument("--folder", type=pathlib.Path)
    parser.add_argument("--list", action="store_true", help="only list the mistakes")
    options = parser.parse_args()
    mutants = list(enumerate(read_list(), 1))
    chosen = [(at, mutant) for at, mutant in mutants if not options.numbers or at in options.numbers]
    if options.list:
        for at, mutant in chosen:
            print(f"{at:3} {mutant['file']}: {mutant['what']}" + (f" (the same: {mutant['same']})" if "same" in mutant else ""))
        return
    folder = options.folder or pathlib.Path(tempfile.mkdtemp(prefix="mutants-"))
    folder.mkdir(parents=True, exist_ok=True)
    copy_sources(folder)
    tests = sorted({mutant["test"] for _, mutant in chosen if "test" in mutant})
    for test in tests:
        # Everything is built here.
        failure = run(folder, test, 10 * TIMEOUT)
        if failure:
            sys.exit(f"without any mistake, {test} does not pass: {failure}")
    caught = wrong = 0
    for at, mutant in chosen:
        if "same" in mutant:
            continue
        started = time.monotonic()
        outcome = attempt(folder, mutant)
        good = outcome.startswith("caught")
        caught, wrong = caught + good, wrong + (not good)
        print(f"{at:3} {mutant['file']}: {mutant['what']}\n      {outcome} ({time.monotonic() - started:.0f} s)", flush=True)
    print(f"{caught} caught, {wrong} not")
    if not options.folder:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
