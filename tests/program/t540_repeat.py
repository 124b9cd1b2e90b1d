"""tests/program/t540_repeat.py - runs of one deck agree to the bit while other programs load the machine

Format, iterations, verdict, residuals and pictures of every run are compared with those of a run on the idle machine.  The decks
are those whose two best formats have the closest expected times.  BANDFEM_RUNS is the number of runs under load, by default 3.

usage: t540_repeat.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import unittest

from program import BUILD, Case, bandfem, example, history, main, peak, read, report

RUNS = int(os.environ.get("BANDFEM_RUNS", "3"))
DECKS = {"hot_disc": "bcsr", "cantilever_tet10": "bcsr", "lame": "bdia"}  # with the format that auto takes
TIMES = {"seconds", "partition_seconds", "setup_seconds", "fom_dof_it_per_s"}


def timeless(value):
    """A part of report.json without times and rates."""
    if isinstance(value, dict):
        return {key: timeless(entry) for key, entry in value.items() if key not in TIMES}
    return [timeless(entry) for entry in value] if isinstance(value, list) else value


def run(name, *words):
    """All that a run of an example deck says, but for its times."""
    bandfem("run", example(name), "--backend", "cpu", "--quiet", "--out", name, *words, timeout=200, status=0)
    whole = report(name)
    parts = {key: timeless(entry) for key, entry in whole.items() if key not in ("timing", "provenance")}
    return parts, [phase["name"] for phase in whole["timing"]], history(name), read(name, "case.vtk")


class Load:
    """Two processes that compute without end."""
    def __enter__(self):
        self.busy = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]

    def __exit__(self, *_):
        for process in self.busy:
            process.kill()
            process.wait()


class Repeat(Case):
    def test_runs_under_load_give_the_bits_of_a_run_without(self):
        for name, form in DECKS.items():
            alone = run(name)
            self.assertEqual((alone[0]["matrix"]["format"], alone[0]["performance"]), (form, {"verdict": "VALID"}))
            with Load():
                for k in range(RUNS):
                    self.assertEqual(run(name), alone, f"{name}, run {k}")

    def test_the_comparison_sees_another_tolerance(self):
        self.assertNotEqual(run("cantilever"), run("cantilever", "-s", "solver.rtol=1.0e-9", "-s", "checks=[]"))

    def test_a_run_measures_no_rate(self):
        whole, phases, _, _ = run("cantilever")
        self.assertEqual([name for name in phases if "measure" in name], [])
        self.assertEqual(set(whole["performance"]), {"verdict"})

    @unittest.skipIf(b"BANDFEM_SANITIZE:BOOL=ON" in read(BUILD, "CMakeCache.txt"), "sanitizers take memory of their own")
    def test_a_small_model_takes_little_memory(self):
        got, kib, _ = peak("run", example("cantilever"), "--backend", "cpu", "--quiet", "--out", "small")
        self.says(got, 0)
        self.assertLess(kib, 100 * 1024)  # a third of the three arrays of a STREAM triad


if __name__ == "__main__":
    main()
