"""tests/program/t661_preconditioners.py - bandfem bench preconditioners: rows of all methods, their table as CSV, decks without it

usage: t661_preconditioners.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import unittest

from program import BACKEND, FOLDER, SOURCE, bandfem, main, write

BEAM = """deck: 1
mesh: {generate: {box: {size: [2.0, 0.2, 0.2], cells: [20, 2, 2], element: hex20}}}
physics: elasticity
materials:
  m: {groups: [volume], E: 2.1e+11, nu: 0.3}
boundary:
  - {group: x_min, type: fixed}
  - {group: x_max, type: traction, value: [0.0, 0.0, 1.0e+5]}
solver: {rtol: 1.0e-9}
"""


def rows(deck, *words):
    bandfem("bench", "preconditioners", deck, "--backend", BACKEND, "--csv", "table.csv", *words, status=0)
    with open(os.path.join(FOLDER, "table.csv"), encoding="utf-8", newline="") as file:
        return {r["preconditioner"] or r["method"]: r for r in csv.DictReader(file)}


class Table(unittest.TestCase):
    def test_every_method_solves_the_same_system(self):
        table = rows(write("beam.yaml", BEAM))
        wanted = ["none", "jacobi", "block_jacobi", "multigrid"] + (["direct"] if BACKEND == "cpu" else [])
        self.assertEqual(list(table), wanted)
        for r in table.values():
            self.assertEqual(r["converged"], "1")
            self.assertEqual(r["unknowns"], table["none"]["unknowns"])
            self.assertLess(float(r["true_residual"]), 1.001e-9)
        n = {k: int(r["iterations"]) for k, r in table.items()}
        self.assertLess(n["multigrid"], n["block_jacobi"])
        self.assertLess(n["block_jacobi"], n["jacobi"])
        self.assertGreater(int(table["multigrid"]["bytes"]), 0)
        self.assertEqual(table["none"]["bytes"], "0")
        self.assertGreater(float(table["multigrid"]["setup_seconds"]), 0.0)

    def test_iterations_are_those_of_a_run(self):
        n = int(rows(write("beam.yaml", BEAM))["jacobi"]["iterations"])
        deck = write("run.yaml", BEAM + f"checks: [{{quantity: iterations, expect: {n}, atol: 0.5}}]\n")
        bandfem("run", deck, "-s", "solver.preconditioner=jacobi", "-s", "solver.method=cg", "--backend", BACKEND, "--out", "run",
                status=0)

    def test_a_limit_of_iterations_is_a_row_with_a_reason(self):
        path = write("short.yaml", BEAM.replace("rtol: 1.0e-9", "rtol: 1.0e-9, max_iterations: 5"))
        answer = bandfem("bench", "preconditioners", path, "--backend", BACKEND, status=0)
        self.assertRegex(answer.out, r"\njacobi .* 5 .*iteration limit")
        direct = r"\n- +direct .*e-" if BACKEND == "cpu" else r"\n- +direct +not solved: method: direct runs on the CPU only"
        self.assertRegex(answer.out, direct)

    def test_advection_has_bicgstab(self):
        table = rows(os.path.join(SOURCE, "inputs/decks/boundary_layer.yaml"))
        self.assertEqual(table["jacobi"]["method"], "bicgstab")

    def test_other_analyses_and_faulty_decks_are_refused(self):
        answer = bandfem("bench", "preconditioners", os.path.join(SOURCE, "inputs/decks/membrane.yaml"), status=2)
        self.assertIn("needs a static analysis", answer.err)
        answer = bandfem("bench", "preconditioners", write("bad.yaml", BEAM.replace("type: fixed", "type: fixd")), status=2)
        self.assertIn("did you mean 'fixed'?", answer.err)


if __name__ == "__main__":
    main()
