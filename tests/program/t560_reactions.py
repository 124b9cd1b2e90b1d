"""tests/program/t560_reactions.py - a body on 65 supporting groups reports 65 reactions, in log, report and table

usage: t560_reactions.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

A strip of 65 squares of edge 1 stands on springs, one group of the mesh and one condition per square.  The traction q on its top acts
without lateral contraction (nu = 0), so every group carries q times its length of 1.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import unittest

from program import BACKEND, FOLDER, bandfem, main, report, write

N = 65
Q = 1000.0


def mesh():
    """The strip as .msh 2.2: nodes by columns, groups side_01 .. side_65 at the bottom, top and body."""
    names = [f'1 {i} "side_{i:02d}"' for i in range(1, N + 1)] + [f'1 {N + 1} "top"', f'2 {N + 2} "body"']
    nodes = [f"{2 * i + j + 1} {i} {j} 0" for i in range(N + 1) for j in range(2)]
    bottom = [f"1 2 {i + 1} {i + 1} {2 * i + 1} {2 * i + 3}" for i in range(N)]
    top = [f"1 2 {N + 1} {N + 1} {2 * i + 4} {2 * i + 2}" for i in range(N)]
    body = [f"3 2 {N + 2} {N + 2} {2 * i + 1} {2 * i + 3} {2 * i + 4} {2 * i + 2}" for i in range(N)]
    elements = [f"{k} {e}" for k, e in enumerate(bottom + top + body, 1)]
    sections = [("MeshFormat", ["2.2 0 8"]), ("PhysicalNames", [str(len(names))] + names),
                ("Nodes", [str(len(nodes))] + nodes), ("Elements", [str(len(elements))] + elements)]
    return "".join(f"${name}\n" + "\n".join(lines) + f"\n$End{name}\n" for name, lines in sections)


DECK = """deck: 1
mesh: {file: strip.msh}
physics: elasticity
discretization: {space: plane_strain}
materials:
  m: {group: body, E: 1.0e+7, nu: 0.0}
boundary:
  - {group: top, type: traction, value: [0.0, -1000.0]}
""" + "".join(f"  - {{group: side_{i:02d}, type: spring, value: 1.0e+6}}\n" for i in range(1, N + 1)) + """
solver: {rtol: 1.0e-10}
output: {csv: true}
checks:
  - {quantity: reaction.side_65.y, expect: 1000.0, rtol: 1.0e-6}
"""


class Reactions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        write("strip.msh", mesh())
        cls.answer = bandfem("run", "--verbose", write("strip.yaml", DECK), "--backend", BACKEND, "--out", "out", status=0)

    def test_the_report_has_every_reaction(self):
        reactions = report("out")["reactions"]
        self.assertEqual([r["group"] for r in reactions], [f"side_{i:02d}" for i in range(1, N + 1)])
        for r in reactions:
            self.assertEqual(r["unit"], "N")
            self.assertLess(abs(r["value"][0]), 1e-6 * Q)
            self.assertLess(abs(r["value"][1] - Q), 1e-6 * Q)

    def test_the_log_has_every_reaction(self):
        for i in range(1, N + 1):
            self.assertIn(f" side_{i:02d}: (", self.answer.out)

    def test_the_table_has_every_reaction(self):
        with open(os.path.join(FOLDER, "out", "reactions.csv"), encoding="utf-8") as f:
            rows = [row for row in csv.reader(f) if row and row[0].startswith("side_")]
        self.assertEqual(len(rows), N)


if __name__ == "__main__":
    main()
