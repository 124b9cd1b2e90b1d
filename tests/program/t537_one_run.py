"""tests/program/t537_one_run.py - a folder never holds a file that says VALID beside files of another run

usage: t537_one_run.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

tests/program/jobs/fault_io.c, loaded by LD_PRELOAD, lets the k-th file operation fail or kills the program before it; with BANDFEM_EVERY=1
for every k of every kind of fault, else for a part of them.
Sanitizers want to be the first library of a process: their builds have no fault_io.so, and those tests are skipped.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import resource
import shutil
import signal
import unittest

import program
from bad_inputs import BAR, BOX, deck_text
from program import BUILD, FILES, main, path_of, read, write

FAULT = os.path.join(BUILD, "fault_io.so")
ALONE = dict(program.ENVIRONMENT, OMP_NUM_THREADS="1")
EVERY = os.environ.get("BANDFEM_EVERY") == "1"
PART = re.compile(r".*\.\d+-\d+\.part")
CSV = ["checks.csv", "probes.csv", "reactions.csv"]
OUTPUT = "{csv: %s, formats: %s, probes: {tip: {at: [1.0, 0.1, 0.1], fields: [displacement]}}}"
CHECKS = "[{quantity: probe.tip.displacement.z, report: true}]"
MEMBRANE = """deck: 1
title: the membrane
mesh: {generate: {rectangle: {size: [1.0, 1.0], cells: [4, 4], element: quad4}}}
physics: heat
analysis: {type: modal, modes: %d}
materials: {skin: {groups: [surface], k: 1.0, rho: 1.0}}
boundary: [{groups: [x_min, x_max, y_min, y_max], type: temperature, value: 0.0}]
output: {csv: true}
"""


def deck(name, cells, tables="true", formats="[vtk, vtkhdf]", **sections):
    return write(name + ".yaml", deck_text(**{**BAR, "title": "run " + name, "mesh": BOX.replace("[6, 2, 2]", cells),
                                              "output": OUTPUT % (tables, formats), "checks": CHECKS, **sections}))


def without_times(name, data):
    """residuals.csv without its last column."""
    return re.sub(rb",[^,\n]*\n", b"\n", data) if name == "residuals.csv" else data


def small():
    """No room for the arrays that measure the memory's speed: a run takes a tenth of the time."""
    resource.setrlimit(resource.RLIMIT_AS, (700 << 20, 700 << 20))


class OneRun(unittest.TestCase):
    def owners(self, folder, runs):
        """{file: the run of `runs` that wrote it}; files under temporary names are left out."""
        found = {}
        for name in os.listdir(path_of(folder)):
            if PART.fullmatch(name):
                continue
            data = read(folder, name)
            of = [run for run in runs if b"run " + run.encode() in data] or [
                run for run in runs if os.path.exists(path_of(run, name)) and
                without_times(name, read(run, name)) == without_times(name, data)]
            self.assertEqual(len(of), 1, f"{name} of {of}")
            found[name] = of[0]
        return found

    def is_one_run(self, folder, runs):
        """A file that says VALID stands beside files of its own run; the owners."""
        found = self.owners(folder, runs)
        if any(b"VALID" in read(folder, name) for name in found):
            self.assertEqual(len(set(found.values())), 1, found)
        if "report.json" in found:
            self.assertEqual(sorted(found), sorted(os.listdir(path_of(found["report.json"]))))
        return found

    def test_a_mixed_folder_is_seen(self):
        for name, cells in (("mixed1", "[3, 1, 1]"), ("mixed2", "[4, 1, 1]")):
            program.bandfem("run", deck(name, cells), "--quiet", "--out", name, status=0)
        self.is_one_run("mixed1", ["mixed1", "mixed2"])
        for name in FILES + CSV:
            for new in ("mixed1", "mixed2"):
                shutil.rmtree(path_of("mixed"), ignore_errors=True)
                shutil.copytree(path_of("mixed1"), path_of("mixed"))
                shutil.copy(path_of(new, name), path_of("mixed", name))
                if new == "mixed1":
                    self.is_one_run("mixed", ["mixed1", "mixed2"])
                else:
                    with self.assertRaises(AssertionError, msg=name):
                        self.is_one_run("mixed", ["mixed1", "mixed2"])


@unittest.skipUnless(os.path.exists(FAULT), "no fault_io.so in this build")
class Faults(OneRun):
    def with_fault(self, words, kind, k):
        """The answer of a run into `out` whose k-th file operation fails."""
        environment = dict(ALONE, LD_PRELOAD=FAULT, FAULT_FOLDER="out/", FAULT_KIND=kind, FAULT_AT=str(k))
        process = program.start(*words, "--quiet", "--out", "out", env=environment, text=True, preexec_fn=small)
        err = process.communicate(timeout=60)[1]
        return process.returncode, err

    def begin(self, old):
        shutil.rmtree(path_of("out"), ignore_errors=True)
        shutil.copytree(path_of(old), path_of("out"))

    def every_fault(self, old, new, **steps):
        """The run `new` into a folder with the results of `old`; steps: of each kind of fault, the distance of the operations that fail."""
        words = ("run", new + ".yaml")
        self.begin(old)
        status, err = self.with_fault(words, "count", 0)
        count = int(re.fullmatch(r"operations (\d+)\n", err).group(1))
        self.assertEqual((status, set(self.is_one_run("out", [old, new]).values())), (0, {new}))
        self.assertGreater(count, 15)
        for kind, step in steps.items():
            for k in range(1, count + 1, 1 if EVERY else step):
                self.begin(old)
                status, err = self.with_fault(words, kind, k)
                with self.subTest(kind=kind, k=k):
                    owners = self.is_one_run("out", [old, new])
                    if kind == "kill":
                        self.assertEqual(status, -signal.SIGKILL)
                    elif status:
                        self.assertEqual(status, 7, err)
                        self.assertRegex(err, r"^error E601: cannot (write|remove) 'out/.*\n$")
                        self.assertEqual([f for f in os.listdir(path_of("out")) if PART.fullmatch(f)], [])
                        self.assertEqual(owners.get("report.json"), old if (kind, k) == ("once", 1) else None) # not removed
                    else: # a full disk does not keep the last rename from working
                        self.assertEqual((kind, k, set(owners.values())), ("full", count, {new}))
        self.begin(old)
        self.assertEqual(self.with_fault(words, "kill", count + 1), (0, ""))

    @classmethod
    def setUpClass(cls):
        for name, cells, tables, formats in (("large", "[5, 1, 1]", "true", "[vtk, vtkhdf]"),
                                             ("tables", "[3, 1, 1]", "true", "[vtk]"),
                                             ("plain", "[4, 1, 1]", "false", "[vtk]")):
            program.bandfem("run", deck(name, cells, tables, formats), "--quiet", "--out", name, env=ALONE, status=0)

    def test_with_every_operation_failing_or_killed(self):
        self.every_fault("large", "plain", kill=1, once=2, full=3)

    def test_with_tables_instead_of_pictures(self):
        self.every_fault("plain", "tables", kill=1, once=5)

    def test_with_hdf(self):
        self.every_fault("plain", "large", kill=4, once=16, full=16)


class Clearing(OneRun):
    def run_deck(self, *words, status=0):
        return program.bandfem("run", "--verbose", *words, env=ALONE, status=status, preexec_fn=small if os.path.exists(FAULT) else None)

    def test_files_that_the_new_run_does_not_write_go_with_the_old_run(self):
        write("modes.yaml", MEMBRANE % 3)
        self.run_deck("modes.yaml", "--out", "turn")
        self.assertIn("case_0002.vtk", os.listdir(path_of("turn")))
        for name in ("case_01.vtk", "case_0001.vtk.txt", "notes.txt"):
            write("turn/" + name, "mine")
        answer = self.run_deck(deck("static", "[3, 1, 1]", "false"), "--out", "turn")
        self.assertEqual(sorted(os.listdir(path_of("turn"))), sorted(FILES + ["case_01.vtk", "case_0001.vtk.txt", "notes.txt"]))
        self.assertIn("folder    turn: 10 files of an earlier run removed\n", answer.out)
        write("modes.yaml", MEMBRANE % 2)
        self.run_deck("modes.yaml", "--out", "turn")
        self.assertNotIn("case_0002.vtk", os.listdir(path_of("turn")))
        self.assertNotIn("residuals.csv", os.listdir(path_of("turn")))

    def test_what_the_run_reads_stays(self):
        write("read/bands.csv", "x,E\n0.0,1.0e+9\n1.0,2.0e+9\n")
        with_table = deck("table", "[3, 1, 1]", "false", materials="\n  a: {group: volume, E: {table: read/bands.csv}, nu: 0.3}")
        self.run_deck(with_table, "--out", "read")
        self.assertEqual(sorted(os.listdir(path_of("read"))), sorted(FILES + ["bands.csv"]))
        shutil.copy(path_of("read", "deck.resolved.yaml"), path_of("read", "again.yaml"))
        self.run_deck("read/deck.resolved.yaml", "--out", "read")
        self.assertEqual(sorted(os.listdir(path_of("read"))), sorted(FILES + ["again.yaml", "bands.csv"]))

    def test_a_deck_or_model_with_mistakes_leaves_the_folder_as_it_is(self):
        good = deck("good", "[3, 1, 1]")
        self.run_deck(good, "--out", "kept")
        before = {name: read("kept", name) for name in os.listdir(path_of("kept"))}
        self.run_deck(good, "--out", "kept", "-s", "solver.rtol=-1.0", status=2)
        self.run_deck(deck("loose", "[3, 1, 1]", boundary="[]"), "--out", "kept", status=3)
        program.bandfem("check", good, "--out", "kept", status=0)
        for name in ("setup.vtk", "setup_sides.vtk"):
            os.remove(path_of("kept", name))
        self.assertEqual({name: read("kept", name) for name in os.listdir(path_of("kept"))}, before)

    def test_a_run_that_does_not_converge_replaces_a_valid_one(self):
        self.run_deck(deck("short", "[3, 1, 1]"), "--out", "short")
        self.run_deck("short.yaml", "--out", "short", "-s", "solver.method=cg", "-s", "solver.max_iterations=1", status=5)
        for name in os.listdir(path_of("short")):
            self.assertNotIn(b"VALID", read("short", name), name)
        self.assertIn(b"NOT CONVERGED", read("short", "report.json"))


if __name__ == "__main__":
    main()
