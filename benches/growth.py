#!/usr/bin/env python3
"""How does the cost of views grow with a model?

    benches/growth.py [--motet PATH] [--limit SECONDS] [--family NAME]... [-j THREADS]

Writes models of families that grow in one respect, proves each with `motet prove --method views`, and prints how many views there
were, the time (certificate and its check included), the bytes that the views take, and the cubes of the certificate; each with its
factor over the model before. A run that takes longer than the limit (20 seconds by default) ends its family.

variables     a lock, beside which every process has more and more flags that any step may change
constructors  a lock whose critical section has more and more phases
messages      a server that grants requests of more and more kinds, one message in each direction for each process
pointers      a lock, and more and more variables that remember who was last
numbers       a ticket lock, and more and more counters that are drawn from it
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

LOCK = """
type place = Idle | Waiting | Critical
var Free : bool
array At[proc] : place
{declarations}
init (i) {{ Free = True && At[i] = Idle{initially} }}
unsafe (i j) {{ At[i] = Critical && At[j] = Critical }}
transition want (i) requires {{ At[i] = Idle }} {{ At[i] := Waiting }}
transition enter (i) requires {{ At[i] = Waiting && Free = True }} {{ At[i] := Critical; Free := False{entering} }}
transition leave (i) requires {{ At[i] = Critical }} {{ At[i] := Idle; Free := True }}
{transitions}
"""


def variables(size):
    """Flags that are read by nobody would be hidden: leaving needs all of one process to be up."""
    flags = range(size)
    text = LOCK.format(
        declarations="\n".join(f"array F{at}[proc] : bool" for at in flags),
        initially="".join(f" && F{at}[i] = False" for at in flags),
        entering="",
        transitions="\n".join(
            f"transition raise{at} (i) requires {{ At[i] = Waiting }} {{ F{at}[i] := True }}\n"
            f"transition lower{at} (i) requires {{ At[i] = Waiting }} {{ F{at}[i] := False }}" for at in flags))
    needed = "".join(f" && F{at}[i] = True" for at in flags)
    return text.replace("requires { At[i] = Waiting && Free = True }", f"requires {{ At[i] = Waiting && Free = True{needed} }}")


def constructors(size):
    phases = [f"P{at}" for at in range(size)]
    steps = [f"transition go{at} (i) requires {{ At[i] = {before} }} {{ At[i] := {after} }}"
             for at, (before, after) in enumerate(zip(phases, phases[1:]))]
    bad = "\n".join(f"unsafe (i j) {{ At[i] = {one} && At[j] = {phases[0]} }}" for one in phases)
    return f"""
type place = Idle | {" | ".join(phases)}
var Free : bool
array At[proc] : place
init (i) {{ Free = True && At[i] = Idle }}
{bad}
transition enter (i) requires {{ At[i] = Idle && Free = True }} {{ At[i] := {phases[0]}; Free := False }}
{chr(10).join(steps)}
transition leave (i) requires {{ At[i] = {phases[-1]} }} {{ At[i] := Idle; Free := True }}
"""


def messages(size):
    kinds = range(size)
    one_of = lambda name: " | ".join(["No" + name, *(f"{name}{at}" for at in kinds)])
    ways = "\n".join(f"""
transition ask{at} (i) requires {{ At[i] = Out && Ask[i] = NoRequest }} {{ Ask[i] := Request{at} }}
transition grant{at} (i) requires {{ Ask[i] = Request{at} && Free = True && Reply[i] = NoGrant }}
{{ Ask[i] := NoRequest; Reply[i] := Grant{at}; Free := False }}
transition take{at} (i) requires {{ Reply[i] = Grant{at} }} {{ Reply[i] := NoGrant; At[i] := In{at} }}
transition give{at} (i) requires {{ At[i] = In{at} }} {{ At[i] := Out; Free := True }}""" for at in kinds)
    bad = "\n".join(f"unsafe (i j) {{ At[i] = In{at} && At[j] <> Out }}" for at in kinds)
    return f"""
type place = Out | {" | ".join(f"In{at}" for at in kinds)}
type request = {one_of("Request")}
type grant = {one_of("Grant")}
var Free : bool
array At[proc] : place
array Ask[proc] : request
array Reply[proc] : grant
init (i) {{ Free = True && At[i] = Out && Ask[i] = NoRequest && Reply[i] = NoGrant }}
{bad}
{ways}
"""


def pointers(size):
    last = range(size)
    moved = "".join(f"; Last{at + 1} := Last{at}" for at in range(size - 1))
    transitions = "\n".join(
        f"transition back{at} (i) requires {{ At[i] = Waiting && Last{at} = i && Free = True }} "
        f"{{ At[i] := Critical; Free := False }}" for at in last)
    return LOCK.format(
        declarations="\n".join(f"var Last{at} : proc" for at in last),
        initially="",
        entering=("; Last0 := i" + moved) if size else "",
        transitions=transitions)


def numbers(size):
    more = range(size)
    return f"""
type place = Idle | Waiting | Critical
var Next : int
var Serving : int
array At[proc] : place
array Ticket[proc] : int
{chr(10).join(f"var Seen{at} : int" for at in more)}
init (i) {{ Next = 1 && Serving = 1 && At[i] = Idle && Ticket[i] = 0{"".join(f" && Seen{at} = 0" for at in more)} }}
unsafe (i j) {{ At[i] = Critical && At[j] = Critical }}
{chr(10).join(f"unsafe {{ Seen{at} > Next }}" for at in more)}
transition draw (i) requires {{ At[i] = Idle }} {{ At[i] := Waiting; Ticket[i] := Next; Next := Next + 1 }}
transition enter (i) requires {{ At[i] = Waiting && Ticket[i] = Serving }} {{ At[i] := Critical }}
transition leave (i) requires {{ At[i] = Critical }} {{ At[i] := Idle; Serving := Serving + 1 }}
{chr(10).join(f"transition see{at} (i) requires {{ At[i] = Critical }} {{ Seen{at} := Ticket[i] }}" for at in more)}
"""


FAMILIES = {
    "variables": (variables, [0, 2, 4, 6, 8]),
    "constructors": (constructors, [1, 2, 4, 8, 16, 32]),
    "messages": (messages, [1, 2, 4, 8, 16, 32]),
    "pointers": (pointers, [0, 1, 2, 3, 4, 5, 6]),
    "numbers": (numbers, [0, 1, 2, 3]),
}


def measure(arguments, text, folder):
    file = folder / "model.cub"
    file.write_text(text)
    command = [arguments.motet, "prove", str(file), "--method", "views", "--format", "json",
               "--limit-time", str(arguments.limit)]
    if arguments.j:
        command += ["-j", str(arguments.j)]
    return json.loads(subprocess.run(command, capture_output=True, text=True).stdout)


def row(name, size, document, before):
    stats = document["stats"]
    figures = [stats["views"], round(stats["seconds"], 3), stats["view_bytes"], stats["nodes"]]
    factor = lambda now, then: f"{now} (×{now / then:.1f})" if before and then else str(now)
    columns = [factor(now, then) for now, then in zip(figures, before or figures)]
    print(f"| {name} | {size} | {document['verdict']} | {' | '.join(columns)} |", flush=True)
    return figures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--motet", default=str(ROOT / "target" / "release" / "motet"))
    parser.add_argument("--limit", type=float, default=20)
    parser.add_argument("--family", action="append", choices=list(FAMILIES))
    parser.add_argument("-j", type=int)
    arguments = parser.parse_args()
    print("| family | size | verdict | views | seconds | bytes | cubes |\n|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.family or FAMILIES:
            model, sizes = FAMILIES[name]
            before = None
            for size in sizes:
                document = measure(arguments, model(size), pathlib.Path(folder))
                before = row(name, size, document, before)
                if document["verdict"] != "holds":
                    break
    return 0


if __name__ == "__main__":
    sys.exit(main())
