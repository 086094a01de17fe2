#!/usr/bin/env python3
"""Runs motet over a folder of inputs and prints what differs from the expectation tables.

    scripts/corpus.py FOLDER [--full] [--table NAME]... [--motet PATH] [--timeout SECONDS]

The tables are scripts/corpus/NAME.tsv, one for each command (`protocol-check` for `protocol check`); without --table
all are run. A line has
    pattern   arguments   expected   list   remark
separated by tabs: which files below FOLDER, extra arguments (`-` for none), what should come out, and
whether the line belongs to the quick list (`quick`, every run) or only to the full one (`full`). For a file
and arguments that several lines match, the last one counts. `expected` is one of
    accepted             exit code 0
    warned CODE...       exit code 0, and these warnings among others
    refused CODE...      exit code 2, and these errors among others
    holds | violated [KIND] | unknown     the verdict
and may end with states=NUMBER or executions=NUMBER.
Exits with 1 if anything differs or a pattern matches nothing.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXIT_CODES = {"accepted": 0, "warned": 0, "refused": 2, "holds": 0, "violated": 1, "unknown": 3}


def read_table(path):
    """The lines of a table as (pattern, arguments, expected, list)."""
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        fields = line.split("\t")
        if len(fields) < 4 or fields[3] not in ("quick", "full") or fields[2].split()[0] not in EXIT_CODES:
            sys.exit(f"{path}:{number}: expected pattern, arguments, expected and list, separated by tabs")
        arguments = [] if fields[1] == "-" else fields[1].split()
        yield fields[0], tuple(arguments), fields[2], fields[3]


def plan(table, folder, full):
    """What to run: (file, arguments) to expectation; and the patterns that match nothing."""
    runs, empty = {}, []
    for pattern, arguments, expected, which in read_table(table):
        files = sorted(folder.glob(pattern))
        if not files:
            empty.append(pattern)
        if which == "quick" or full:
            runs.update({(file, arguments): expected for file in files})
    return runs, empty


def difference(motet, command, file, arguments, expected, timeout):
    """What is wrong with one run, or None."""
    line = [str(motet), *command.split("-"), *arguments, "--format", "json", str(file)]
    try:
        done = subprocess.run(line, capture_output=True, timeout=timeout, check=False)
    except subprocess.TimeoutExpired:
        return f"no answer within {timeout} s"
    try:
        document = json.loads(done.stdout)
    except json.JSONDecodeError:
        return f"no JSON document (exit code {done.returncode}): {done.stderr.decode(errors='replace')[:200]}"
    word, *details = expected.split()
    if done.returncode != EXIT_CODES[word]:
        return f"expected {expected}, found exit code {done.returncode} ({document['verdict']}: {messages(document)})"
    if word in ("holds", "violated", "unknown") and document["verdict"] != word:
        return f"expected {expected}, found verdict {document['verdict']}"
    found = {message["code"] for message in document["diagnostics"]}
    if word == "violated":
        found = {entry["kind"] for entry in document["properties"] if entry["verdict"] == "violated"}
    found.update(f"{figure}={document['stats'].get(figure)}" for figure in ("states", "executions"))
    missing = [detail for detail in details if detail not in found]
    return f"expected {expected}, found {', '.join(sorted(found)) or 'nothing'}" if missing else None


def messages(document):
    return "; ".join(entry["message"] for entry in document["diagnostics"] if entry["severity"] == "error")[:200]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--full", action="store_true", help="run the full list, not only the quick one")
    parser.add_argument("--table", action="append", help="a command; without this, all tables")
    parser.add_argument("--motet", type=pathlib.Path, default=ROOT / "target/release/motet")
    parser.add_argument("--timeout", type=float, default=60)
    options = parser.parse_args()
    if not options.folder.is_dir():
        sys.exit(f"there is no folder {options.folder}")
    tables = [ROOT / "scripts/corpus" / f"{name}.tsv" for name in options.table or []]
    passed = failed = 0
    for table in tables or sorted((ROOT / "scripts/corpus").glob("*.tsv")):
        started = time.monotonic()
        runs, empty = plan(table, options.folder, options.full)
        for pattern in empty:
            print(f"{table.name}: no file matches {pattern}")
            failed += 1
        for (file, arguments), expected in runs.items():
            wrong = difference(options.motet, table.stem, file, arguments, expected, options.timeout)
            if wrong:
                print(f"{file.relative_to(options.folder)} {' '.join(arguments)}: {wrong}")
            failed += bool(wrong)
            passed += not wrong
        print(f"{table.stem}: {len(runs)} runs in {time.monotonic() - started:.1f} s")
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
