#!/usr/bin/env python3
"""Makes deliberate mistakes in the prover, one at a time, and tells which ones no test notices.

    scripts/mutants-prove.py [--only WORD]... [--list] [--release] [--timeout SECONDS] [--seconds SECONDS]

Every mistake is a text of a file of crates/prove/src, which must occur exactly once, and what to put in its place.
For each one, a copy of the project is built and the tests of the prover and the models that expect a verdict of
`motet prove` are run: `caught` if one of them fails, `NOT CAUGHT` if none does. A mistake that does not
compile, or whose text is gone, is an error of this script: keep the list up to date.

Certificates and replays protect verdicts, so that most mistakes show as an `unknown` where a model expects an answer.
A mistake that costs time only cannot be caught; none of those is in the list on purpose, and what is known to be
harmless says why. Takes a minute or so for each mistake; for people to run by hand.
Exits with 1 if anything is not caught that should be.
"""

import argparse
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SOURCES = "crates/prove/src"
# What to build, and what to give to the tests. The second is only asked about what the first has not noticed.
TESTS = [
    (["-p", "motet-prove", "--lib", "--tests"], []),
    (["-p", "motet", "--test", "models"], ["prove"]),
]

# (file, what is wrong, text, replacement)
MUTANTS = [
    # Pre-images.
    ("preimage", "forgets the first arm of an update",
     "for (condition, value) in &update.arms {\n            match plain {\n                // Only",
     "for (condition, value) in update.arms.iter().skip(usize::from(plain.is_none())) {\n            match plain {\n                // Only"),
    ("preimage", "forgets the last arm of an update",
     "for (condition, value) in &update.arms {\n            match plain {\n                // Only",
     "for (condition, value) in update.arms.iter().take(update.arms.len() - usize::from(plain.is_none())) {\n            match plain {\n                // Only"),
    ("preimage", "takes a copy from another cell for no change",
     "Some(ValueTerm::Read(term)) if is_cell(term, &env, *cell) => {}",
     "Some(ValueTerm::Read(_)) => {}"),
    ("preimage", "takes a conditional update for no change",
     "None => changes = true,",
     "None => {}"),
    ("preimage", "takes a copy by a term index for no change",
     "ProcessTerm::Read(_) => false,\n        };\n    }\n    same",
     "ProcessTerm::Read(_) => true,\n        };\n    }\n    same"),
    ("preimage", "parameters need not be distinct",
     "if params[..at].iter().any(|earlier| env[usize::from(*earlier)] == process) {",
     "if params[..at].iter().any(|_| false) {"),
    ("preimage", "skips fresh processes",
     "bind(env, *param, processes);\n            self.bind(env, at + 1, processes + 1, found);",
     "bind(env, *param, processes);"),
    ("preimage", "a fresh process is none of those elsewhere",
     "process if process < self.cube.processes => member(process),\n                            _ => ELSEWHERE,",
     "process => member(process),"),
    ("preimage", "does not extend values elsewhere to further processes",
     "values | members(processes) & !members(self.cube.processes)",
     "{ let _ = processes; values }"),
    ("preimage", "extends values elsewhere to all processes",
     "values | members(processes) & !members(self.cube.processes)",
     "values | members(processes)"),
    ("preimage", "forgets the order of processes",
     "before.precede(*first, *second)?;",
     "let _ = (first, second);"),
    ("preimage", "forgets ranges of what is assigned",
     "constraints.extend(self.cube.facts(self.assumer.vocabulary));",
     ""),
    ("preimage", "forgets all about a number that is chosen",
     "constraints = project(&constraints, *cell).ok_or(Contradiction)?;",
     "constraints.retain(|constraint| constraint.terms.iter().all(|(known, _)| known != cell));"),
    ("preimage", "keeps a constant that the cube excludes",
     "NewValue::Constant(value) if value & allowed == 0 => Err(Contradiction),",
     "NewValue::Constant(value) if value & allowed == 0 => Ok(()),"),
    ("preimage", "equal constants differ",
     "(NewValue::Constant(a), NewValue::Constant(b)) if (a == b) != relation.equal => {",
     "(NewValue::Constant(a), NewValue::Constant(b)) if (a == b) == relation.equal => {"),
    ("preimage", "a cell that differs from a constant equals it",
     "before.restrict(vocabulary, cell, if relation.equal { value } else { !value })?;",
     "before.restrict(vocabulary, cell, if relation.equal { !value } else { value })?;"),
    ("preimage", "what is chosen is never a process elsewhere",
     "&& values & ELSEWHERE != 0\n            && let Some((branch, process)) = self.assumer.with_new_process(branch)",
     "&& values & ELSEWHERE != values\n            && values == 0\n            && let Some((branch, process)) = self.assumer.with_new_process(branch)"),
    ("preimage", "what is chosen of an abstract type equals nothing",
     "self.settle_any(&mut values);",
     ""),
    ("preimage", "universal guards hold for processes of the cube only as far as the guard needs them",
     "self.assumer.finish(branch, &mut found);",
     "found(branch);"),
    ("preimage", "chosen pointers are outsiders",
     "let values = if kind == Kind::Process { values & RUN } else { values };",
     "let values = if kind == Kind::Process { values & !RUN } else { values };"),
    # Assumptions.
    ("assume", "universal guards hold for the parameters too",
     "let free = members(processes) & !excluded & MEMBERS;",
     "let free = members(processes) & !(excluded & 0) & MEMBERS;"),
    ("assume", "forgets universal guards over old and new processes together",
     "if is_new || !others.is_empty() {",
     "if is_new {"),
    ("assume", "tuples of universal guards need not be distinct",
     "tuples(others, &bound(env, *variable, process), free & !member(process), done, found);",
     "tuples(others, &bound(env, *variable, process), free, done, found);"),
    ("assume", "what exists is always known",
     "if let Some((branch, process)) = self.with_new_process(branch) {\n            self.choose(",
     "if let Some((branch, process)) = self.with_new_process(branch).filter(|_| apart.is_empty()) {\n            self.choose("),
    ("assume", "what exists need not be distinct",
     "(0..branch.cube.processes).filter(|process| !taken(*process))",
     "(0..branch.cube.processes).filter(|process| !taken(*process) || true)"),
    ("assume", "a pointer is never elsewhere",
     "if values & ELSEWHERE != 0\n            && let Some((mut branch, process))",
     "if values & ELSEWHERE != 0\n            && among != RUN\n            && let Some((mut branch, process))"),
    ("assume", "forgets disjuncts",
     "for part in parts {\n                    self.assume(branch.clone(), part, env, then);",
     "for part in parts.iter().take(1) {\n                    self.assume(branch.clone(), part, env, then);"),
    ("assume", "turns the order of processes round",
     "cube.precede(resolve(*first, env), resolve(*second, env))",
     "cube.precede(resolve(*second, env), resolve(*first, env))"),
    # Subsumption.
    ("search/visited", "deletes what is more general",
     ".promising(later, |demanded| demanded.features.is_within(known.offered))\n            .find(|entry| target.is_subsumed_by(&entry.cube, &entry.pattern))",
     ".promising(later, |_| true)\n            .find(|entry| { let _ = &target; Target::new(vocabulary, &entry.cube).is_subsumed_by(&known.cube, &known.pattern) })"),
    ("search/visited", "what is more special subsumes",
     "self.promising(range, |demanded| demanded.features.is_within(offered))\n            .find(|entry| target.is_subsumed_by(&entry.cube, &entry.pattern))",
     "self.promising(range, |_| { let _ = offered; true })\n            .find(|entry| Target::new(target.vocabulary, &entry.cube).is_subsumed_by(target.cube, &Pattern::new(target.vocabulary, target.cube)))"),
    ("search/visited", "forgets what others demand when some are deleted",
     "self.demanded.retain(|_| kept.next().unwrap_or(false));",
     "let _ = kept.next();"),
    ("matching", "the table has rows for columns",
     "_ => start + usize::from(cell.index(0)) + self.processes * usize::from(cell.index(1)),",
     "_ => start + usize::from(cell.index(1)) + self.processes * usize::from(cell.index(0)).min(1),"),
    ("matching", "the table forgets what the cube says",
     "known.values[at] = *values;",
     "let _ = (at, values);"),
    ("template", "what is not followed holds",
     "Node::True => {}\n            Node::False => return Node::False,",
     "Node::True | Node::Perhaps => {}\n            Node::False => return Node::False,"),
    ("instances", "breaks off at the first instance that is too large",
     "if self.options.oracle.walk.is_none() {",
     "if !complete {\n                break;\n            }\n            if self.options.oracle.walk.is_none() {"),
    ("matching", "ignores literals about numbers",
     "return if entails(&cube.linear, facts, constraint) { Ok(()) } else { Err(Contradiction) };",
     "return if entails(&cube.linear, facts, constraint) { Ok(()) } else { Ok(()) };"),
    ("matching", "takes open equations for facts",
     "decided(known == Some(relation.equal), known == Some(!relation.equal))",
     "decided(known != Some(!relation.equal), known == Some(!relation.equal))"),
    ("matching", "takes an open order for a fact",
     "decided(cube.order.contains(&(*first, *second)), cube.order.contains(&(*second, *first)))",
     "decided(!cube.order.contains(&(*second, *first)), cube.order.contains(&(*second, *first)))"),
    ("matching", "takes an open value for a fact",
     "            if known & !allowed != 0 {\n                self.leave_open(Literal::Finite(cell, allowed))?;\n            }",
     "            if known & !allowed != 0 && known.count_ones() > 1 && self.most_open == 0 {\n                continue;\n            }\n            if known & !allowed != 0 {\n                self.leave_open(Literal::Finite(cell, allowed))?;\n            }"),
    ("matching", "ignores contradictions",
     "            if known & allowed == 0 {\n                return Err(Contradiction);\n            }",
     "            if known & allowed == 0 {\n                continue;\n            }"),
    ("matching", "elsewhere is everywhere",
     "translated |= members(self.target.cube.processes) & !self.image;",
     "translated |= members(self.target.cube.processes);"),
    ("matching", "maps two processes onto one",
     "if self.image & member(process) == 0 &&",
     "if (self.image & member(process) == 0 || at > 0) &&"),
    ("search/speculation", "the pre-images of the cube are taken for those of a candidate",
     "replacement.pre_images.get_or_insert_with(|| self.pre_images(evaluation.id));",
     "replacement.pre_images = Some(self.pre_images(evaluation.id));"),
    ("search/evaluation", "a candidate with a reached pre-image is tenable, with the pre-images that were found by then",
     "if is_refuted.into_inner() { None } else { found.into_iter().next() }",
     "found.into_iter().next()"),
    ("search/speculation", "what another thread has evaluated counts as visited",
     "        if let Some(Replacement { candidate, .. }) = &evaluation.replacement {\n            likely().push(",
     "        if is_needed && evaluation.replacement.is_none() {\n            evaluation.subsumption = Subsumption::By(Default::default());\n        }\n        if let Some(Replacement { candidate, .. }) = &evaluation.replacement {\n            likely().push("),
    ("search/evaluation", "a pre-image that was known and retracted counts as not reached",
     "Known::Before(id) => self.graph[id].reached,",
     "Known::Before(_) => false,"),
    ("approximation", "a candidate that is more general than a refuted one is not refuted",
     "demanded.is_within(*offered) && Target::new(vocabulary, refuted).is_subsumed_by(cube, &pattern)",
     "demanded.is_within(*offered) && Target::new(vocabulary, refuted).is_subsumed_by(cube, &pattern) && refuted == cube"),
    ("search/speculation", "what was retained of a cube is taken for that of another",
     "replacement: self.retained.remove(&id), ..Evaluation::new(id) }",
     "replacement: self.retained.drain().next().map(|(_, known)| known), ..Evaluation::new(id) }"),
    ("matching", "maps named processes anywhere",
     "if at < self.target.vocabulary.named { at..at + 1 }",
     "if at > 200 { at..at + 1 }"),
    ("matching", "cells that may be equal are equal",
     "if a == b && is_single(kind, a) {",
     "if a == b {"),
    ("cube", "two pointers elsewhere are equal",
     "values.is_power_of_two() && !(kind == Kind::Process && values == ELSEWHERE)",
     "values.is_power_of_two() && !(kind == Kind::Process && values == 0)"),
    ("matching", "forgets where other literals are decided",
     "starts.collect();\n        Pattern",
     "starts.collect::<SmallVec<[u8; 8]>>();\n        let starts: SmallVec<[u8; 8]> = starts.iter().map(|start| *start.min(&3)).collect();\n        Pattern"),
    ("matching", "ignores a literal that is open",
     "        self.open.push(literal);\n        Ok(())",
     "        let _ = literal;\n        Ok(())"),
    ("joint_subsumption", "looks at one case only",
     "claims.into_iter().all(|literal|",
     "claims.into_iter().any(|literal|"),
    ("joint_subsumption", "denies by claiming",
     "smallvec![Some(Literal::Finite(*cell, !values))]",
     "smallvec![Some(Literal::Finite(*cell, *values))]"),
    ("joint_subsumption", "denies numbers by claiming",
     "Some(Some(Literal::Linear(Box::new(negation))))",
     "Some(Some(Literal::Linear(Box::new(if negation.terms.is_empty() { negation } else { constraint.as_ref().clone() }))))"),
    ("joint_subsumption", "forgets which cubes it used",
     "self.used.push(restriction.by);",
     ""),
    ("joint_subsumption", "blames only what contradicts at once",
     "because |= restriction.because;",
     ""),
    ("joint_subsumption", "takes what changed for what is the same",
     "(Changed::Cells(first), Changed::Cells(second)) => Changed::Cells(first | second),\n            _ => Changed::Anything,",
     "(Changed::Cells(first), Changed::Cells(second)) => Changed::Cells(first | second),\n            _ => Changed::Cells(0),"),
    # Differences.
    ("linear/differences", "an equation is a bound to one side only",
     "self.edges.push(Edge { from: to, to: from, length: -bound });",
     ""),
    ("linear/differences", "what must be less may be equal",
     "length: bound - 1 }",
     "length: bound }"),
    ("linear/differences", "takes a number for its negative",
     "[(cell, -1)] => (0, self.node(*cell)),",
     "[(cell, -1)] => (self.node(*cell), 0),"),
    ("linear/differences", "gives up a round too soon",
     "(0..nodes).all(|_| {",
     "(1..nodes).all(|_| {"),
    ("linear/differences", "takes multiples for the numbers themselves",
     "[(cell, 1)] => (self.node(*cell), 0),",
     "[(cell, 1..)] => (self.node(*cell), 0),"),
    # Cubes that globals tell apart.
    ("subsumption", "takes a value that is demanded for one that is excluded",
     "|values, all| all & !values)",
     "|values, _| values)"),
    ("vocabulary", "two globals share their bits",
     "bits += first_bit.map_or(0, |_| values);",
     "bits += first_bit.map_or(0, |_| values - 1);"),
    # Threads.
    ("threads", "a thread that panics is waited for",
     "        let _until_done = AtWork(&at_work);\n        loop {\n            let at = next.fetch_add(1, Ordering::Relaxed);\n            let Some((item, done)) = items.get(at).zip(done.get(at)) else { return };",
     "        loop {\n            let at = next.fetch_add(1, Ordering::Relaxed);\n            let Some((item, done)) = items.get(at).zip(done.get(at)) else { at_work.fetch_sub(1, Ordering::Release); return };"),
    ("joint_subsumption", "looks only at instances that do not mention the cell",
     "Changed::Cells(marks) => rest.marks & marks != 0,",
     "Changed::Cells(marks) => rest.marks & marks == 0,"),
    ("joint_subsumption", "subsumes a cube if a part of it is subsumed",
     "self.part = ask((vocabulary, watch), &part, &further, Changed::Anything).err().flatten();",
     "match ask((vocabulary, watch), &part, &further, Changed::Anything) {\n                Ok(used) => return Some(used),\n                Err(part) => self.part = part,\n            }"),
    ("joint_subsumption", "takes each instance for the one before",
     "Instance { end: before + one.end, ..*one }",
     "Instance { end: one.end.max(before), ..*one }"),
    ("joint_subsumption", "takes instances that do not apply for contradictions",
     "Status::Contradicts => return false,",
     "Status::Contradicts => self.open &= !(1 << at),"),
    ("search/graph", "takes cubes with the same hash for the same",
     "*known == hash && self[*id].cube == *cube)",
     "known.0 % 4096 == hash.0 % 4096 && self[*id].cube.processes == cube.processes)"),
    # Renaming.
    ("canonical", "renumbers named processes",
     "let named = vocabulary.named.min(cube.processes);",
     "let named = vocabulary.named.min(cube.processes) * 0;"),
    ("cube", "does not rename what pointers hold",
     "renamed |= member(new);",
     "renamed |= member(process);"),
    ("cube", "does not rename equations",
     "[relation.left, relation.right].map(|cell| cell.rename(vocabulary.arity(cell), map));",
     "[relation.left, relation.right];"),
    ("cube", "does not rename numbers",
     "*constraint = constraint.map(|cell| cell.rename(vocabulary.arity(cell), map));",
     "*constraint = constraint.map(|cell| cell);"),
    ("cube", "does not rename the order",
     "(*first, *second) = (map[usize::from(*first)], map[usize::from(*second)]);",
     "(*first, *second) = (*first, *second);"),
    ("cube", "a further process is none of those elsewhere",
     "*values |= member(new);",
     "*values |= member(new) & 0;"),
    ("cube", "drops processes that only pointers tell apart",
     "used |= (values ^ as_elsewhere) & members(self.processes);",
     "used |= (values ^ as_elsewhere) & 0;"),
    ("cube", "forgets kinds",
     "if self.values(vocabulary, kind) & of_kind == 0 {",
     "if self.values(vocabulary, kind) & of_kind == !0 {"),
    ("cube", "named processes have no place in the order",
     "for named in 0..vocabulary.named.min(self.processes) {",
     "for named in 0..vocabulary.named.min(0) {"),
    # Initial states.
    ("initial", "one process at a time",
     "each_instance(assumer, Branch::new(cube), &initial.formula, &envs, &mut go_on, visit);",
     "for env in &envs {\n        each_instance(assumer, Branch::new(cube.clone()), &initial.formula, std::slice::from_ref(env), &mut go_on, visit);\n    }"),
    ("initial", "the first process only",
     "each_instance(assumer, Branch::new(cube), &initial.formula, &envs, &mut go_on, visit);",
     "each_instance(assumer, Branch::new(cube), &initial.formula, &envs[..1], &mut go_on, visit);"),
    ("initial", "the first disjunct only",
     "system.initials.iter().any(|initial| {",
     "system.initials.iter().take(1).any(|initial| {"),
    ("initial", "pointers start anywhere",
     "let values = outsider.map_or(RUN, |(_, outsider)| *outsider);",
     "let values = outsider.map_or(RUN, |(_, outsider)| *outsider | RUN);"),
    ("initial", "pointers start as outsiders",
     "let values = outsider.map_or(RUN, |(_, outsider)| *outsider);",
     "let values = outsider.map_or(!RUN, |(_, outsider)| *outsider);"),
    ("initial", "says nothing of globals if a cube has no process",
     "if cube.processes == 0 {",
     "if cube.processes == 99 {"),
    # Values.
    ("values", "ignores cells that are open",
     "reached[usize::from(symbol)] |= values;",
     "if values.count_ones() == 1 {\n                reached[usize::from(symbol)] |= values;\n            }"),
    ("values", "ignores an arm",
     "update.arms.iter().fold(0, |all, (_, value)| {",
     "update.arms.iter().skip(1).fold(0, |all, (_, value)| {"),
    ("values", "ignores what is chosen",
     "ValueTerm::Any => full,",
     "ValueTerm::Any => full & 0,"),
    ("values", "ignores copies",
     "ValueTerm::Read(cell) => reached[usize::from(cell.symbol)],",
     "ValueTerm::Read(cell) => reached[usize::from(cell.symbol)] & 0,"),
    ("values", "ignores pointers that are assigned",
     "ValueTerm::Process(_) => RUN,",
     "ValueTerm::Process(_) => 0,"),
    ("values", "stops too early",
     "if reached == before {",
     "if reached == before || !before.is_empty() {"),
    ("values", "looks at the diagonal only",
     "for processes in vocabulary.named.max(1)..=largest.min(vocabulary.most) {",
     "for processes in vocabulary.named.max(1)..=largest.min(1) {"),
    ("values", "ignores all disjuncts but the first",
     "for initial in &system.initials {",
     "for initial in system.initials.iter().take(1) {"),
    # The search.
    ("search/graph", "does not requeue what a refuted candidate subsumed",
     "State::Subsumed(by) | State::Orphaned(by) => by,",
     "State::Subsumed(_) => &[],\n            State::Orphaned(by) => by,"),
    ("search/graph", "does not requeue orphans of a refuted candidate",
     "State::Subsumed(by) | State::Orphaned(by) => by,",
     "State::Orphaned(_) => &[],\n            State::Subsumed(by) => by,"),
    ("search/graph", "does not requeue what a refuted candidate replaced",
     "State::Replaced(by) => std::slice::from_ref(by),",
     "State::Replaced(_) => &[],"),
    ("search/graph", "forgets what comes from a candidate",
     "if let Some(origin) = origin {\n            self.derived",
     "if let Some(origin) = origin.filter(|origin| *origin == id) {\n            self.derived"),
    ("search/backtracking", "does not requeue what came up in another way",
     "retracted.into_iter().try_for_each(|id| self.return_by_another_source(id))",
     "retracted.into_iter().try_for_each(|id| if id == u32::MAX { self.return_by_another_source(id) } else { Ok(()) })"),
    ("search/backtracking", "keeps refuted candidates",
     "self.visited.retain(|id| retracted.binary_search(&id).is_err());",
     "self.visited.retain(|_| true);"),
    ("search/mod", "takes candidates for facts",
     "None => Err(Ended::Reached(id)),\n            Some(candidate) => self.backtrack(candidate),",
     "_ => Err(Ended::Reached(id)),"),
    ("search/graph", "forgets a second way to a cube",
     "self.node_mut(id).others.push(source);",
     "let _ = (&self.node_mut(id).others, source);"),
    ("search/graph", "everything is an orphan",
     "State::Retracted => {}\n                    _ => return None,",
     "_ => {}"),
    ("search/mod", "ignores assumptions",
     "self.problem.excluded.append(&mut cubes);",
     "cubes.clear();"),
    ("search/mod", "takes any fact",
     "        if self.problem.meets_initial(&cube) {\n            return;\n        }\n        let id = self.graph.insert(",
     "        let id = self.graph.insert("),
    ("search/roots", "no named process is bad",
     "for process in (0..vocabulary.named).chain([processes]) {",
     "for process in (0..vocabulary.named * 0).chain([processes]) {"),
    # Certificates.
    ("certificate", "lists too few excluded values",
     "bits(full & !values & !ELSEWHERE)",
     "bits(full & !values & !ELSEWHERE).skip(1)"),
    ("certificate", "turns the order of processes round",
     "Formula::compare(Relation::Lt, self.process(*first), self.process(*second))",
     "Formula::compare(Relation::Lt, self.process(*second), self.process(*first))"),
    ("certificate", "at most is below",
     "Comparison::AtMost => Relation::Le,",
     "Comparison::AtMost => Relation::Lt,"),
    ("certificate", "below is at most",
     "Comparison::Below => Relation::Lt,",
     "Comparison::Below => Relation::Le,"),
    ("certificate", "does not write impossible values",
     "writer.impossible_values(&mut all);",
     ""),
    ("certificate", "does not write impossible values of the diagonal",
     "for indices in patterns(info.arity) {",
     "for indices in patterns(info.arity).into_iter().rev().take(1) {"),
    ("certificate", "takes named processes for others",
     "if process < named {",
     "if process + 1 < named {"),
    ("certificate", "loses the sign of a factor",
     "let side = if *factor > 0 { &mut left } else { &mut right };",
     "let side = if *factor != 0 { &mut left } else { &mut right };"),
    # Candidates.
    ("oracle", "elsewhere is nowhere",
     "if values & ELSEWHERE != 0 { translated | ELSEWHERE | members(processes) & !image } else { translated }",
     "if values & ELSEWHERE != 0 { translated | ELSEWHERE | members(processes) & image & !image } else { translated }"),
    ("oracle", "turns the order of processes round",
     "(Some(first), Some(second)) => first < second,",
     "(Some(first), Some(second)) => first > second,"),
    ("oracle", "numbers without a value have none",
     "let Some(value) = value else { return true };",
     "let Some(value) = value else { return false };"),
    ("oracle/column", "equal cells differ",
     "(a[row] == b[row]) == equal ||",
     "(a[row] == b[row]) != equal ||"),
    ("oracle", "an instance says something of larger cubes",
     "if cube.processes > self.processes {\n            return false;",
     "if cube.processes > self.processes {\n            return true;"),
    # Compilation.
    ("system", "later arms apply although an earlier one does",
     "earlier.push(self.opposite(&arm.condition));",
     "let _ = self.opposite(&arm.condition);"),
    ("system", "facts of pairs hold of single processes",
     "if rigid && symbols && mentioned.len() <= 1 {",
     "if rigid && symbols && mentioned.len() <= 9 {"),
    ("system", "facts of symbols that change",
     "rigid &= !changes(term);",
     "rigid &= !changes(term) || symbols;"),
    ("search/inference", "takes a search that was broken off for a proof",
     "search.visit_all() == Ended::Closed",
     "search.visit_all() != Ended::TooManyProcesses"),
    ("search/visit", "cubes of a batch subsume each other in a circle",
     "let (visited, refuted) = (self.visited.len(), self.counts.refuted);\n        let open = self.unsubsumed(batch);",
     "let (visited, refuted) = (0, self.counts.refuted);\n        let open = self.unsubsumed(batch);"),
    ("approximation", "compares numbers that do not follow",
     "if !found.contains(&less) && entails(&cube.linear, &facts, &less) {",
     "if !found.contains(&less) {"),
]

# What no test can notice, and why.
HARMLESS = {
    ("search/mod", "takes any fact"):
        "facts are the opposite of what `init` says, to the letter: no initial state matches one",
    ("system", "facts of pairs hold of single processes"):
        "what `init` says of any two processes it says of two different ones: these are true, too",
    ("search/evaluation", "a candidate with a reached pre-image is tenable, with the pre-images that were found by then"):
        "the one that is reached is among them: the candidate is refuted as soon as it is visited",
    ("search/visit", "cubes of a batch subsume each other in a circle"):
        "what later ones subsume was deleted with their batch: there is only more to look at",
    ("cube", "forgets kinds"):
        "a pointer of which it is known where it points is of its kind: what is missed shows later",
    ("preimage", "forgets ranges of what is assigned"):
        "a value out of its range is a bad state by itself, so that the search also visits what leads there",
    ("search/visited", "deletes what is more general"):
        "a cube that an older one subsumes is never visited, so that there is nothing to delete",
    ("search/visited", "forgets what others demand when some are deleted"):
        "cubes are passed over that subsume others, which takes longer; what is not passed over is looked at in full",
    ("instances", "breaks off at the first instance that is too large"):
        "candidates are tested against fewer states, and more of them are refuted",
    ("joint_subsumption", "takes what changed for what is the same"):
        "fewer cubes are found to be jointly subsumed, which takes longer",
    ("joint_subsumption", "looks only at instances that do not mention the cell"):
        "fewer cubes are found to be jointly subsumed, which takes longer",
}


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", action="append", default=[], help="mistakes whose file or description contains this")
    parser.add_argument("--list", action="store_true", help="only tell whether the texts are there")
    parser.add_argument("--project", default=ROOT / "target" / "mutants" / "project", type=pathlib.Path, help="where the copy goes")
    parser.add_argument("--build", default=ROOT / "target" / "mutants" / "build", type=pathlib.Path, help="where builds go")
    parser.add_argument("--release", action="store_true", help="slower to build, faster to run")
    parser.add_argument("--skip", default=0, type=int, help="leave out this many mistakes at the start of the list")
    parser.add_argument("--timeout", default=600, type=float, help="tests that take longer have noticed something")
    parser.add_argument("--seconds", type=float, help="begin no further mistake after this time")
    return parser.parse_args()


def mutate(text, old, new):
    """The text with the mistake, or None if it has no place for it."""
    return text.replace(old, new) if text.count(old) == 1 else None


def copy_project(to):
    """A copy of all files that the build needs, with old times so that only what changes is built again."""
    ignored = shutil.ignore_patterns("target", ".git")
    shutil.copytree(ROOT, to, ignore=ignored, dirs_exist_ok=True)


def run(command, cwd, target, timeout):
    """Whether a command succeeds: True, False, or None if it takes too long; and what it printed."""
    environment = dict(os.environ, CARGO_TARGET_DIR=str(target))
    process = subprocess.Popen(command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                               text=True, errors="replace", start_new_session=True)
    try:
        output, _ = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        return None, output
    return process.returncode == 0, output


def judge(project, arguments):
    """What the tests say about the mistake that is in the project now."""
    profile = ["--release"] if arguments.release else []
    for what, names in TESTS:
        command = ["cargo", "test", "-q", *profile, *what]
        built, output = run([*command, "--no-run"], project, arguments.build, 3600)
        if not built:
            return "DOES NOT COMPILE", next((line for line in output.splitlines() if line.startswith("error")), output[-200:])
        passed, output = run([*command, "--", *names], project, arguments.build, arguments.timeout)
        if passed is None:
            return "caught", "by time"
        if not passed:
            return "caught", failed_test(output)
    return "NOT CAUGHT", ""


def failed_test(output):
    """The first test that failed."""
    names = [line for line in output.splitlines() if "FAILED" in line or "panicked at" in line or line.startswith("---- ")]
    return (names[0] if names else output[-80:]).strip()[:100]


def main():
    arguments = parse_arguments()
    chosen = [mutant for mutant in MUTANTS
              if not arguments.only or any(word in f"{mutant[0]}: {mutant[1]}" for word in arguments.only)]
    chosen = chosen[arguments.skip:]
    stale = [mutant for mutant in chosen
             if mutate((ROOT / SOURCES / f"{mutant[0]}.rs").read_text(), mutant[2], mutant[3]) is None]
    for file, wrong, _, _ in stale:
        print(f"NO PLACE    {file}: {wrong}", flush=True)
    if arguments.list:
        print(f"{len(chosen)} mistakes, {len(stale)} without a place")
        return 1 if stale else 0
    project = arguments.project.resolve()
    # In place if it is the project itself: quick, as long as nobody edits it meanwhile.
    if project != ROOT:
        copy_project(project)
    begun, survivors, counts = time.monotonic(), [], {}
    for file, wrong, old, new in (mutant for mutant in chosen if mutant not in stale):
        if arguments.seconds and time.monotonic() - begun > arguments.seconds:
            print("stopped: no time left")
            break
        path = project / SOURCES / f"{file}.rs"
        original = (ROOT / SOURCES / f"{file}.rs").read_text()
        started = time.monotonic()
        try:
            path.write_text(mutate(original, old, new))
            verdict, why = judge(project, arguments)
        finally:
            path.write_text(original)
        harmless = HARMLESS.get((file, wrong))
        if verdict == "NOT CAUGHT" and harmless:
            verdict, why = "harmless", harmless
        if verdict in ("NOT CAUGHT", "DOES NOT COMPILE"):
            survivors.append((file, wrong))
        counts[verdict] = counts.get(verdict, 0) + 1
        print(f"{verdict:<11} {file}: {wrong} ({time.monotonic() - started:.0f} s) {why}", flush=True)
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(counts.items())))
    return 1 if survivors or stale else 0


if __name__ == "__main__":
    sys.exit(main())
