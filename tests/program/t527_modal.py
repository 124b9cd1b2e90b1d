"""tests/program/t527_modal.py - analysis modal as its user meets it: frequencies, files, words, warnings and errors

usage: t527_modal.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import functools
import json
import math
import os
import re
import shutil
import unittest

import program
from program import BACKEND, Case, main, path_of, read, write

bandfem = functools.partial(program.bandfem, timeout=250)
BAR = """deck: 1
title: elastic bar
mesh: {generate: {box: {size: [1.0, 0.1, 0.1], cells: [8, 1, 1], element: hex20}}}
physics: elasticity
analysis: {type: modal, modes: 4}
materials:
  steel: {group: volume, E: 2.0e+11, nu: 0.0, rho: 8000.0}
boundary:
  - {group: x_min, type: fixed}
"""
ALONG = BAR.replace("  - {group: x_min, type: fixed}", """  - {group: x_min, type: fixed}
  - {groups: [y_min, y_max], type: displacement, y: 0.0}
  - {groups: [z_min, z_max], type: displacement, z: 0.0}""")
SPEED = 5000.0  # sqrt(E / rho), m/s


def run(text, *words, out="out"):
    """The answer, and the report where there is one."""
    shutil.rmtree(path_of(out), ignore_errors=True)
    answer = bandfem("run", "--verbose", write("deck.yaml", text), "--backend", BACKEND, "--out", out, *words)
    return answer, program.report(out) if os.path.exists(path_of(out, "report.json")) else None


class Modal(Case):
    def near(self, got, expected, rtol):
        self.assertLess(abs(got - expected), rtol * abs(expected), (got, expected))

    def test_a_bar_held_at_its_sides_vibrates_along_itself_as_the_wave_equation_says(self):
        answer, report = run(ALONG)
        self.assertEqual((answer.status, answer.err), (0, ""))
        modes = report["modes"]
        for k, f in enumerate(modes["frequency_hz"]):
            exact, more = (2 * k + 1) * SPEED / 4.0, ((k + 0.5) * math.pi / 8.0) ** 4 / 1440.0  # of quadratic elements
            self.assertLess(abs(f / exact - 1.0 - more), 0.2 * more + 1e-6)
            self.near(modes["effective_mass"][k][0] / 80.0, 8.0 / (math.pi * (2 * k + 1)) ** 2, 0.03)
            self.assertLess(modes["residual"][k], 1e-8)
            self.assertLess(modes["orthogonality"][k], 1e-11)
            self.near(modes["participation"][k][0] ** 2, modes["effective_mass"][k][0], 1e-12)

    def test_a_lumped_mass_gives_frequencies_on_the_other_side(self):
        consistent = run(ALONG, "-s", "analysis.modes=1")[1]["modes"]
        lumped = run(ALONG, "-s", "analysis.modes=1", "-s", "analysis.mass=lumped")[1]["modes"]
        self.assertEqual(lumped["mass"], "lumped")
        self.assertGreater(consistent["frequency_hz"][0], SPEED / 4.0)
        self.assertLess(lumped["frequency_hz"][0], SPEED / 4.0)
        self.near(lumped["frequency_hz"][0], SPEED / 4.0, 5e-3)

    def test_both_methods_find_the_same_modes(self):
        found = [run(BAR, "-s", f"eigensolver.method={m}", "-s", "eigensolver.max_iterations=2000")[1]["modes"]
                 for m in (["lobpcg", "shift_invert"] if BACKEND == "cpu" else ["lobpcg", "auto"])]
        self.assertEqual(found[0]["method"], "lobpcg")
        for a, b in zip(found[0]["frequency_hz"], found[1]["frequency_hz"]):
            self.near(a, b, 1e-9)

    def test_thin_bodies_are_found_by_every_preconditioner(self):
        plate = BAR.replace("[1.0, 0.1, 0.1], cells: [8, 1, 1]", "[1.0, 1.0, 0.05], cells: [4, 4, 1]").replace("modes: 4", "modes: 5")
        found, steps = {}, {}
        for help in ["jacobi", "block_jacobi", "direct"]:
            answer, report = run(plate, "-s", "eigensolver.method=lobpcg", "-s", f"eigensolver.preconditioner={help}",
                                 "-s", "eigensolver.max_iterations=20000")
            self.says(answer, 0)
            self.assertIn(f"lobpcg, preconditioner {help}, 5 modes", answer.out)
            self.assertEqual(report["modes"]["preconditioner"], help)
            found[help], steps[help] = report["modes"]["frequency_hz"], int(re.search(r"(\d+) steps", answer.out)[1])
        for a in found.values():
            for f, g in zip(a, found["jacobi"]):
                self.near(f, g, 1e-8)
        self.assertLess(2 * steps["block_jacobi"], steps["jacobi"])
        self.assertLess(steps["direct"], 25)

    def test_a_preconditioner_belongs_to_lobpcg(self):
        for words, said in ((["method=auto", "preconditioner=jacobi"], "E106: 'preconditioner' requires method lobpcg, but it is auto"),
                            (["method=lobpcg", "block_size=64"], "E106: 'block_size' requires preconditioner block_jacobi, but it is auto"),
                            (["method=lobpcg", "preconditioner=schwarz"], "unknown value 'schwarz'; valid: auto, jacobi, block_jacobi, direct")):
            answer, report = run(BAR, *(w for word in words for w in ("-s", "eigensolver." + word)), out="none")
            self.assertEqual((answer.status, report), (2, None))
            self.assertIn(said, answer.err)

    @unittest.skipIf(BACKEND == "cuda", "factors are made on the CPU")
    def test_a_shift_finds_the_modes_nearest_to_it(self):
        low = run(ALONG)[1]["modes"]["frequency_hz"]
        answer, report = run(ALONG, "-s", f"analysis.shift={1.01 * low[2]}", "-s", "analysis.modes=1")
        self.says(answer, 0)
        self.near(report["modes"]["frequency_hz"][0], low[2], 1e-9)

    def test_each_mode_has_a_picture_and_the_index_names_them(self):
        answer, report = run(ALONG, "-s", "output.csv=true", "-s", "analysis.normalization=max")
        self.says(answer, 0)
        files = sorted(os.listdir(path_of("out")))
        self.assertEqual(files, ["case.hdf", "case.vtk.series", *[f"case_{k:04d}.vtk" for k in range(4)], "checks.csv",
                                 "deck.resolved.yaml", "modes.csv", "report.html", "report.json", "view.py"])
        index = json.loads(read("out", "case.vtk.series"))
        self.assertEqual([(f["name"], f["time"]) for f in index["files"]],
                         [(f"case_{k:04d}.vtk", k + 1.0) for k in range(4)])
        rows = list(csv.DictReader(read("out", "modes.csv").decode().splitlines()))
        self.assertEqual([float(r["frequency_hz"]) for r in rows], report["modes"]["frequency_hz"])
        self.assertEqual(float(rows[1]["effective_mass_x"]), report["modes"]["effective_mass"][1][0])
        self.assertIn("all modes", answer.out)
        self.assertIn("case.hdf, case.vtk.series, view.py, deck.resolved.yaml, report.html, report.json, modes.csv, checks.csv", answer.out)

    def test_the_resolved_deck_finds_the_same(self):
        first = run(ALONG)[1]["modes"]["frequency_hz"]
        text = read("out", "deck.resolved.yaml").decode()
        self.assertIn("max_iterations: 500", text)
        self.assertNotIn("solver:\n  method: auto\n  preconditioner", text)
        answer, report = run(text, out="again")
        self.assertEqual((answer.status, report["modes"]["frequency_hz"]), (0, first), answer.err)

    def test_checks_see_modes_ratios_and_sums(self):
        answer, report = run(ALONG + """checks:
  - {quantity: mode(2).frequency / mode(1).frequency, expect: 3.0, rtol: 1.0e-4}
  - {quantity: max(mode.frequency), expect: 8750.0, rtol: 3.0e-3}
  - {quantity: min(mode.frequency) - mode(1).frequency, expect: 0.0, atol: 1.0e-12}
  - {quantity: max(mode.residual), expect: 0.0, atol: 1.0e-8}
  - {quantity: sum(mode.effective_mass.x) / 80.0, expect: 0.95, rtol: 0.02}
  - {quantity: mode(1).effective_mass - mode(1).participation.x * mode(1).participation.x, expect: 0.0, atol: 1.0e-9}
  - {quantity: mode(1).frequency, expect: 1.0, rtol: 1.0e-3}
""")
        self.assertEqual([c["passed"] for c in report["checks"]], 6 * [True] + [False])
        self.assertEqual(answer.status, 6)

    def test_a_free_body_says_how_many_rigid_modes_it_has(self):
        answer, report = run(BAR.replace("boundary:\n  - {group: x_min, type: fixed}\n", "").replace("modes: 4", "modes: 8"),
                             "-s", "eigensolver.max_iterations=3000")
        self.says(answer, 0, "W320: 6 rigid-body modes found")
        self.assertEqual(report["modes"]["rigid"], 6)
        self.assertLess(max(report["modes"]["frequency_hz"][:6]), 0.1)
        self.assertGreater(report["modes"]["frequency_hz"][6], 400.0)
        for c in range(3):
            self.near(sum(m[c] for m in report["modes"]["effective_mass"][:6]), 80.0, 1e-6)

    def test_a_pair_that_is_cut_is_named(self):
        answer, _ = run(BAR, "-s", "analysis.modes=1", "-s", "eigensolver.max_iterations=3000")  # bending in y and z alike
        self.says(answer, 0)
        self.assertRegex(answer.err, r"W321: mode 1 \([0-9.]+ Hz\) and the next one \([0-9.]+ Hz\) form a cluster")

    def test_modes_that_did_not_converge_are_an_error_and_the_results_say_so(self):
        answer, report = run(BAR, "-s", "eigensolver.method=lobpcg", "-s", "eigensolver.max_iterations=3")
        self.assertEqual(answer.status, 5)
        self.assertRegex(answer.err, r"E505: mode \d, [0-9.]+ Hz, has the residual \d\.\d+e[-+]\d+, above rtol; \d of 4 modes converged")
        self.assertFalse(report["converged"])
        self.assertRegex(report["status"], "NOT CONVERGED: . of 4 modes converged")

    def test_what_does_not_belong_to_vibrations_is_refused(self):
        for old, new, said in (
                ("rho: 8000.0", "alpha: 1.0e-5", "E304"),
                ("boundary:", "loads:\n  - {type: gravity, g: [0.0, 0.0, -9.81]}\nboundary:", "E316: load 'gravity'"),
                ("type: fixed}", "type: displacement, x: 0.1}", "E316: displacement prescribes 0.1"),
                ("modes: 4", "modes: 9999", "E105: modes 9999, but the body has only "),
                ("analysis:", "discretization: {condense: 'on'}\nanalysis:", "E315"),
                ("modes: 4", "modes: 4, shift: 100.0}\neigensolver: {method: lobpcg", "E106: method lobpcg finds the lowest")):
            self.assertIn(old, BAR)
            answer, report = run(BAR.replace(old, new), out="none")
            self.assertIn(answer.status, (2, 3), new)
            self.assertIn(said, answer.err)
            self.assertIsNone(report)

    def test_check_tells_of_the_modes_and_their_memory(self):
        run(BAR)
        answer = bandfem("check", "deck.yaml", "--out", "checked")
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertIn("modes     4, nearest to 0.0 Hz, mass consistent, eigensolver auto", answer.out)
        self.assertIn("memory    forecast", answer.out)

    @unittest.skipIf(BACKEND == "cuda", "one answer is enough")
    def test_factors_on_a_device_are_refused_by_name(self):
        run(BAR)
        answer = bandfem("run", "deck.yaml", "--backend", "cuda", "-s", "eigensolver.method=shift_invert", "--out", "none")
        self.says(answer, 4, "E404: method: shift_invert runs on the CPU only")


if __name__ == "__main__":
    main(first=lambda: run(ALONG)[0])
