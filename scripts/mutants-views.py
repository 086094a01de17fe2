#!/usr/bin/env python3
"""Makes deliberate mistakes in the search over views, one at a time, and tells which ones no test notices.

    scripts/mutants-views.py [--only WORD]... [--list] [--release] [--timeout SECONDS]

Every mistake is a text of a file of crates/views/src, which must occur exactly once, and what to put in its place. For each
one the tests of the crate are run on a copy of the sources: `caught` if one fails or takes too long, `NOT CAUGHT` if none does. Each of these
loses views of states that can be reached. Exits with 1 if anything is not caught.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

# (file, what is wrong, text, replacement)
MUTANTS = [
    ("structure", "an outside pointer never turns out to be the new member",
     "        self.resolve(layout, class, added);\n", "        let _ = (class, added);\n        return None;\n"),
    ("structure", "a cell that points elsewhere never points to the new member",
     "            (true, false) if self.bytes[at] == OTHER => self.bytes[at] = u8::try_from(to).ok()?,\n", ""),
    ("join", "pointers between members that were not seen together are not tried",
     "for chosen in 0..1_u32 << open.len() {", "for chosen in 0..1_u32 {"),
    ("step", "cells do not notice that a global points where they do",
     "        self.settle_others(updates);\n", "        let _ = Self::settle_others;\n"),
    ("step", "an arm that may apply or not always applies",
     "None => self.choices.choose(2) == 0,", "None => true,"),
    ("step", "a value that is no longer dead stays unknown in one way only",
     "                u8::try_from(self.choices.choose(count.into())).expect", "                u8::try_from(usize::from(count) - 1).expect"),
    ("step", "any process is never one outside",
     "        codes.push(OTHER);\n", "        if codes.is_empty() {\n            codes.push(OTHER);\n        }\n"),
    ("step", "any abstract value is always fresh",
     "            codes.extend(structure.abstract_codes(layout, of));\n", "            let _ = (structure, layout, of);\n"),
    ("step", "the context never changes when a step changes everybody",
     "        self.settle_context(updates, env);\n", "        let _ = Self::settle_context;\n"),
    ("join", "the last violator outside becomes a member, and the context stays",
     "        for outside in 0..=1 {\n", "        for outside in [before] {\n"),
    ("plan", "steps of processes outside are not seen",
     "        let most = if matches!(item.what, What::Bad(_)) { least } else { size };",
     "        let most = least;"),
    ("plan", "processes that are not seen never change the context",
     "            let visible = visible.filter(|set| in_context || item.changes(*set, others > 0));",
     "            let _ = in_context;\n            let visible = visible.filter(|set| item.changes(*set, others > 0));"),
    ("repeat", "what a member has to do with a third one makes no difference",
     "relation(first), relation(second)])", "relation(first), relation(second) * 0])"),
    ("expand", "steps that are not taken count as repeated",
     "            if is_known && self.worker.building.is_exact && built == meetings.len() as u64 {", "            if is_known && built < u64::MAX {"),
    ("group", "members are only looked for in the order in which they met",
     "[[second, first], [first, second]]", "[[first, second], [first, second]]"),
    ("expand", "others are always in the order of their numbers",
     "        let before =\n            self.assignment.others.last().filter(|other| is_other && usize::from(**other) >= self.set.size);",
     "        let before = self.assignment.others.last().filter(|_| is_other);"),
    ("numbers", "what is added to a number is forgotten",
     "*self.at(new, other) = sum(self.get(from, other), by);\n                *self.at(other, new) = sum(self.get(other, from), -by);",
     "*self.at(new, other) = self.get(from, other);\n                *self.at(other, new) = self.get(other, from);"),
    ("numbers", "numbers that move at the same time move one after the other",
     "*self.at(new, earlier) = sum(self.get(from, there), by - shift);\n                *self.at(earlier, new) = sum(self.get(there, from), shift - by);",
     "*self.at(new, earlier) = self.get(from, there);\n                *self.at(earlier, new) = self.get(there, from);"),
    ("numbers", "differences that are known stay as they are",
     "if known && p < old.len() && q < old.len() || !self.is_kept(forget, (*a, *b)) {",
     "if known || !self.is_kept(forget, (*a, *b)) {"),
    ("numbers", "of several differences only the least is tried",
     "let code = least + u8::try_from(choices.choose(among)).expect(\"a code is a byte\");",
     "let code = least + u8::try_from(choices.choose(among) * 0).expect(\"a code is a byte\");"),
    ("numbers", "a large difference is taken for the least of that kind",
     "        } else if difference > self.clip {\n            (difference, INFINITE)",
     "        } else if difference > self.clip {\n            (difference, difference)"),
    ("numbers", "the other side of a difference is forgotten",
     "structure.bytes[layout.block(j, i, block)] = self.reversed(code);",
     "let _ = (j, i, block);"),
    ("numbers", "a difference is written the wrong way round",
     "        structure.bytes[at] = if reversed { self.reversed(code) } else { code };",
     "        structure.bytes[at] = if reversed { code } else { self.reversed(code) };"),
    ("live_values", "the kinds of processes may be forgotten",
     "        deciders[kinds.of_process.index()] = true;\n", "        let _ = kinds;\n"),
    ("item", "a witness is never a parameter",
     "for param in self.params.iter().filter(|param| !apart_from.contains(param)) {",
     "for param in self.params.iter().filter(|param| apart_from.len() > 9 && !apart_from.contains(param)) {"),
    ("item", "a pointer that is an index never holds a parameter",
     "            draft.params.iter().map(|param| draft.with_pointer(pointer, *param)).collect();",
     "            draft.params.iter().skip(9).map(|param| draft.with_pointer(pointer, *param)).collect();"),
    ("initial", "open pointers never point outside",
     "        codes.push(if matches!(place, Place::Global(_)) { next } else { OTHER });\n",
     "        let _ = (place, next);\n"),
]


def run(tests, cwd, release, timeout=None):
    """Runs tests, or builds them; None if that takes too long."""
    command = ["cargo", "test", "-q", "-p", "motet-views"] + (["--release"] if release else []) + tests
    process = subprocess.Popen(command, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        _, errors = process.communicate(timeout=timeout)
        return subprocess.CompletedProcess(command, process.returncode, stderr=errors)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return None


def fails(tests, cwd, release, timeout):
    done = run(tests, cwd, release, timeout)
    return done is None or done.returncode != 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--only", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--release", action="store_true")
    parser.add_argument("--timeout", type=float, default=600, help="seconds for the tests of one file")
    args = parser.parse_args()
    chosen = [m for m in MUTANTS if not args.only or any(w in m[0] + " " + m[1] for w in args.only)]
    if args.list:
        print("\n".join(f"{file}: {what}" for file, what, _, _ in chosen))
        return 0
    missed = 0
    with tempfile.TemporaryDirectory() as folder:
        copy = pathlib.Path(folder) / "copy"
        shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns("target", ".git"))
        for file, what, text, replacement in chosen:
            path = copy / "crates/views/src" / f"{file}.rs"
            original = path.read_text()
            if original.count(text) != 1:
                sys.exit(f"{file}: {what}: its text occurs {original.count(text)} times")
            path.write_text(original.replace(text, replacement))
            built = run(["--no-run"], copy, args.release)
            if built.returncode != 0:
                sys.exit(f"{file}: {what}: does not compile\n{built.stderr}")
            files = ["models", "random"]
            caught = any(fails(["--test", name], copy, args.release, args.timeout) for name in files)
            print(f"{'caught' if caught else 'NOT CAUGHT'}: {file}: {what}", flush=True)
            missed += not caught
            path.write_text(original)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
