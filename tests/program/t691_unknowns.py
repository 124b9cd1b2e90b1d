"""tests/program/t691_unknowns.py - unknowns are those of nodes everywhere: in checks, converge, sweeps, report.json and the log

A numbering of quad8 may have rows without a node: they are rows of the matrix and no unknowns.

usage: t691_unknowns.py BUILD_DIR SOURCE_DIR [unittest options]
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import io

from program import Case, bandfem, main, read, report, write

N = 16
NODES = (2 * N + 1) ** 2 - N * N  # of N x N quad8: the lattice of half cells without the centers of cells
DECK = f"""deck: 1
title: unknowns of quad8
mesh: {{generate: {{rectangle: {{size: [1.0, 1.0], cells: [{N}, {N}], element: quad8}}}}}}
physics: heat
materials:
  medium: {{groups: [surface], k: 1.0}}
boundary:
  - {{group: x_min, type: temperature, value: 0.0}}
  - {{group: x_max, type: flux, value: 1.0}}
checks:
  - {{quantity: max(temperature), expect: 1.0, rtol: 1.0e-6}}
  - {{quantity: unknowns, expect: {NODES}, atol: 0.1}}
"""
MEMBRANE = DECK.split("checks:")[0].replace("physics: heat", "physics: elasticity\nanalysis: {type: modal, modes: 2}\ndiscretization: {space: plane_stress}").replace(
    "k: 1.0", "E: 1.0, nu: 0.3, rho: 1.0").replace("type: temperature, value: 0.0", "type: fixed").replace(
        "  - {group: x_max, type: flux, value: 1.0}\n", "") + f"checks:\n  - {{quantity: unknowns, expect: {2 * NODES}, atol: 0.1}}\n"


class Unknowns(Case):
    def rows(self, *names):
        return list(csv.DictReader(io.StringIO(read(*names).decode())))

    def test_a_check_counts_those_of_the_report_and_the_log(self):
        """Of every numbering; that of auto has rows without a node."""
        write("deck.yaml", DECK)
        for order in ("auto", "lexicographic", "rcm", "levels", "file"):
            answer = bandfem("run", "deck.yaml", "-s", f"matrix.reorder={order}", "--out", order, "--verbose")
            self.says(answer, 0)
            self.assertEqual(report(order)["matrix"]["n"], NODES, order)
            self.assertIn(f"matrix    {NODES} unknowns", answer.out + answer.err)

    def test_a_modal_check(self):
        write("modal.yaml", MEMBRANE)
        self.says(bandfem("run", "modal.yaml", "--out", "modal"), 0)

    def test_the_table_of_converge_and_a_study_of_unknowns(self):
        write("study.yaml", DECK.replace(f"[{N}, {N}]", f"[{N // 2}, {N // 2}]").split("checks:")[0])
        self.says(bandfem("converge", "study.yaml", "--levels", "2", "--quantity", "unknowns", "--out", "study"), 0)
        rows = self.rows("study", "convergence.csv")
        self.assertEqual([int(r["unknowns"]) for r in rows], [225, NODES])
        self.assertEqual([float(r["value"]) for r in rows], [225.0, NODES])

    def test_the_table_of_a_sweep(self):
        write("sweep.yaml", DECK.replace("deck: 1\n", "deck: 1\nparameters: {k: [1.0, 2.0]}\n").replace("k: 1.0}", "k: k}").split("checks:")[0])
        self.says(bandfem("run", "sweep.yaml", "--out", "sweep"), 0)
        self.assertEqual([int(r["unknowns"]) for r in self.rows("sweep", "sweep.csv")], [NODES, NODES])


main()
