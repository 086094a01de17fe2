#!/usr/bin/env python3
"""Proves all models of some folders, and has each certificate checked by each solver.

Usage: scripts/certificates.py FOLDER... [--motet PROGRAM] [--limit SECONDS] [--deadline SECONDS]

Folders are searched for models, and the folders in them as well.

Prints a table: the model, the number of cubes, the seconds that each solver takes, and whether it accepts.
Ends with an error if a certificate is not accepted by all solvers that are installed.
"""

import argparse
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

SOLVERS = ["z3", "cvc5"]

# By the exit code of `motet certify`.
ANSWERS = {0: "yes", 1: "no", 3: "unknown"}


def prove(motet, model, folder, limit):
    """Whether the model was proved, so that there is a certificate."""
    command = [motet, "prove", str(model), "--limit-time", str(limit), "--certificate", str(folder)]
    try:
        subprocess.run(command, capture_output=True, timeout=6 * limit + 60, check=False)
    except subprocess.TimeoutExpired:
        return False
    return (folder / "manifest.json").exists()


def ask(motet, folder, model, solver, deadline):
    """The seconds that a solver takes, and whether it accepts, as the checker does that the scripts are the model's."""
    begun = time.monotonic()
    command = [motet, "certify", str(folder), str(model), "--limit-time", str(deadline)]
    # On a path with one solver, no other one is found.
    with tempfile.TemporaryDirectory() as path:
        pathlib.Path(path, solver).symlink_to(shutil.which(solver))
        done = subprocess.run(command, capture_output=True, env={"PATH": path}, check=False)
    return time.monotonic() - begun, ANSWERS.get(done.returncode, "no")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", type=pathlib.Path, nargs="+", metavar="FOLDER")
    parser.add_argument("--motet", default="target/release/motet")
    parser.add_argument("--limit", type=int, default=10, help="seconds for a proof")
    parser.add_argument("--deadline", type=int, default=60, help="seconds for a solver")
    args = parser.parse_args()
    args.motet = str(pathlib.Path(args.motet).resolve())
    solvers = [solver for solver in SOLVERS if shutil.which(solver)]
    print(f"{'model':36} {'cubes':>6}" + "".join(f" {solver:>8} accepted" for solver in solvers), flush=True)
    refused = 0
    for model in sorted(model for folder in args.folders for model in folder.rglob("*.cub")):
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            if not prove(args.motet, model, folder, args.limit):
                continue
            cubes = json.loads((folder / "manifest.json").read_text())["cubes"]
            row = f"{model.parent.name + '/' + model.name:36} {cubes:6}"
            for solver in solvers:
                seconds, accepted = ask(args.motet, folder, model, solver, args.deadline)
                row += f" {seconds:7.1f}s {accepted:8}"
                refused += accepted != "yes"
            print(row, flush=True)
    sys.exit(1 if refused else 0)


if __name__ == "__main__":
    main()
