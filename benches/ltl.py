#!/usr/bin/env python3
"""Temporal properties: states of the product per second of CPU time, beside Spin on the same models and formulas.

usage: benches/ltl.py [--motet PATH] [--runs N]

Three locks and tables of ours, in our language and in Promela, with a property that holds, so that both search everything. Motet
runs without symmetry and with one thread; the time is that of the product search alone for Motet, and that of the whole search for
Spin, compiled with -O2. Spin is left out with a message where it is not installed.
"""

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile

SPINLOCK = """
type location = Idle | Trying | Critical
var Taken : bool
array Loc[proc] : location
init (i) { Taken = False && Loc[i] = Idle }
transition ask (i) requires { Loc[i] = Idle } { Loc[i] := Trying }
transition enter (i) requires { Loc[i] = Trying && Taken = False } { Taken := True; Loc[i] := Critical }
transition leave (i) requires { Loc[i] = Critical } { Taken := False; Loc[i] := Idle }
"""

SPINLOCK_SPIN = """
#define N @N
byte loc[N]; bool taken;
active [N] proctype P() {
  do
  :: atomic { loc[_pid] == 0 -> loc[_pid] = 1 }
  :: atomic { loc[_pid] == 1 && !taken -> taken = 1; loc[_pid] = 2 }
  :: atomic { loc[_pid] == 2 -> taken = 0; loc[_pid] = 0 }
  od
}
ltl p { (([]<>(loc[0] == 2)) && ([]<>(loc[1] == 2))) -> ([]<>(loc[0] == 0)) }
"""

TICKET = """
type location = Idle | Waiting | Critical
type ticket = [0..@N]
var Next : ticket
var Called : ticket
array Mine[proc] : ticket
array Loc[proc] : location
init (i) { Next = 0 && Called = 0 && Mine[i] = 0 && Loc[i] = Idle }
transition draw (i) requires { Loc[i] = Idle }
{ Mine[i] := Next; Next := case | Next = @N : 0 | _ : Next + 1; Loc[i] := Waiting }
transition enter (i) requires { Loc[i] = Waiting && Mine[i] = Called } { Loc[i] := Critical }
transition leave (i) requires { Loc[i] = Critical }
{ Called := case | Called = @N : 0 | _ : Called + 1; Mine[i] := 0; Loc[i] := Idle }
"""

TICKET_SPIN = """
#define N @N
byte loc[N]; byte mine[N]; byte next; byte called;
active [N] proctype P() {
  do
  :: atomic { loc[_pid] == 0 -> mine[_pid] = next; next = (next == N -> 0 : next + 1); loc[_pid] = 1 }
  :: atomic { loc[_pid] == 1 && mine[_pid] == called -> loc[_pid] = 2 }
  :: atomic { loc[_pid] == 2 -> called = (called == N -> 0 : called + 1); mine[_pid] = 0; loc[_pid] = 0 }
  od
}
ltl p { (([]<>(loc[0] == 2)) && ([]<>(loc[1] == 2))) -> ([]<>(loc[0] == 0)) }
"""

TABLE = """
type location = Idle | Reaching | Critical
const Right[proc] : proc
array Taken[proc] : bool
array Loc[proc] : location
init (i) { Taken[i] = False && Loc[i] = Idle }
assume alone (i) { Right[i] = i }
assume skipping (i j k) { Right[i] = j && i < k && k < j }
assume turning_back (i j k) { Right[i] = j && j < i && (k < j || i < k) }
transition take_left (i) requires { Loc[i] = Idle && Taken[i] = False } { Taken[i] := True; Loc[i] := Reaching }
transition take_right (i j) requires { Loc[i] = Reaching && Right[i] = j && Taken[j] = False }
{ Taken[j] := True; Loc[i] := Critical }
transition put_back (i j) requires { Loc[i] = Reaching && Right[i] = j && Taken[j] = True }
{ Taken[i] := False; Loc[i] := Idle }
transition finish (i j) requires { Loc[i] = Critical && Right[i] = j }
{ Taken[k] := case | k = i : False | k = j : False | _ : Taken[k]; Loc[i] := Idle }
"""

TABLE_SPIN = """
#define N @N
#define RIGHT ((_pid + 1) % N)
byte loc[N]; bool taken[N];
active [N] proctype P() {
  do
  :: atomic { loc[_pid] == 0 && !taken[_pid] -> taken[_pid] = 1; loc[_pid] = 1 }
  :: atomic { loc[_pid] == 1 && !taken[RIGHT] -> taken[RIGHT] = 1; loc[_pid] = 2 }
  :: atomic { loc[_pid] == 1 && taken[RIGHT] -> taken[_pid] = 0; loc[_pid] = 0 }
  :: atomic { loc[_pid] == 2 -> taken[_pid] = 0; taken[RIGHT] = 0; loc[_pid] = 0 }
  od
}
ltl p { (([]<>(loc[0] == 2)) && ([]<>(loc[1] == 2))) -> ([]<>(loc[0] == 0)) }
"""

FORMULA = "(G F Loc[#1] = Critical & G F Loc[#2] = Critical) -> G F Loc[#1] = Idle"
MODELS = [
    ("spinlock", 17, SPINLOCK, SPINLOCK_SPIN),
    ("ticket lock", 8, TICKET, TICKET_SPIN),
    ("polite philosophers", 14, TABLE, TABLE_SPIN),
]


def motet(binary, text, processes, folder):
    """Product states and seconds."""
    path = os.path.join(folder, "model.cub")
    with open(path, "w") as file:
        file.write(text.replace("@N", str(processes)))
    command = [binary, "explore", path, "-n", str(processes), "-j", "1", "--deadlock", "ignore", "--ltl", FORMULA, "--format", "json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=600)
    document = json.loads(done.stdout)
    if document["verdict"] != "holds":
        sys.exit(f"motet says {document['verdict']}: {document['reason']}")
    return document["stats"]["product_states"], document["stats"]["product_milliseconds"] / 1000


def spin(text, processes, folder):
    """States and seconds."""
    with open(os.path.join(folder, "model.pml"), "w") as file:
        file.write(text.replace("@N", str(processes)))
    quiet = {"cwd": folder, "capture_output": True, "text": True, "timeout": 600}
    subprocess.run(["spin", "-a", "model.pml"], check=True, **quiet)
    subprocess.run(["cc", "-O2", "-DNFAIR=3", "-DMEMLIM=4096", "-o", "pan", "pan.c"], check=True, **quiet)
    before = os.times()
    done = subprocess.run(["./pan", "-a", "-m10000000", "-w24"], **quiet)
    after = os.times()
    if "errors: 0" not in done.stdout:
        sys.exit(f"spin does not agree:\n{done.stdout}")
    states = int(re.search(r"(\d+) states, stored", done.stdout).group(1))
    return states, after.children_user + after.children_system - before.children_user - before.children_system


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--motet", default="target/release/motet")
    parser.add_argument("--runs", type=int, default=3)
    args = parser.parse_args()
    with_spin = shutil.which("spin") and shutil.which("cc")
    if not with_spin:
        print("spin or cc is not installed: only motet is measured", file=sys.stderr)
    print("| model | processes | motet: states | seconds | states/s | spin: states | seconds | states/s | ratio |")
    print("|---|---|---|---|---|---|---|---|---|")
    for name, processes, ours, theirs in MODELS:
        with tempfile.TemporaryDirectory() as folder:
            runs = [motet(args.motet, ours, processes, folder) for _ in range(args.runs)]
            states, seconds = runs[0][0], statistics.median(run[1] for run in runs)
            row = [name, processes, f"{states:,}", f"{seconds:.2f}", f"{states / seconds:,.0f}"]
            if with_spin:
                others = [spin(theirs, processes, folder) for _ in range(args.runs)]
                other, took = others[0][0], statistics.median(run[1] for run in others)
                row += [f"{other:,}", f"{took:.2f}", f"{other / took:,.0f}", f"{states / seconds / (other / took):.1f}"]
            else:
                row += ["–"] * 4
            print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    main()
