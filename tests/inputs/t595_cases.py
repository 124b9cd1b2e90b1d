"""tests/inputs/t595_cases.py - load cases: each as the deck of that case alone, sums, envelope, messages

usage: t595_cases.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
The oracles are runs of decks with one case each, and sums made here from their fields.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import math
import os
import re
import struct
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BACKEND, bandfem, main, read, report, write  # noqa: E402

HEAD = """deck: 1
title: three cases
mesh: {generate: {box: {size: [1.0, 0.2, 0.2], cells: [6, 2, 2], element: hex8}}}
physics: elasticity
materials:
  steel: {group: volume, E: "2e11*(1+x)", nu: 0.3, rho: 7850.0, alpha: 1.2e-5}
output: {dir: out, fields: [displacement, reaction, stress_nodal, von_mises_nodal], probes: {tip: {at: [1.0, 0.1, 0.1]}}, csv: true}
solver: {rtol: 1.0e-12, %s}
boundary:
  - {group: x_min, type: fixed}
  - {group: z_min, type: spring, value: [0.0, 0.0, 1.0e+9]}
"""
WEIGHT = ("  - {type: gravity, g: [0, 0, -9.81]}\n", "  - {group: x_max, type: displacement, y: 0.0}\n")
PULL = ("", "  - {group: x_max, type: displacement, y: 1.0e-4}\n  - {group: y_max, type: pressure, value: \"1e5*x\"}\n")
HOT = ("  - {type: thermal, value: \"100*x\", reference: 20}\n", "  - {group: x_max, type: displacement, y: 0.0}\n")
CASES = {"weight": WEIGHT, "pull": PULL, "hot": HOT}
SUM = {"weight": 1.35, "pull": -1.5, "hot": 0.5}


def alone(case, solver):
    loads, boundary = CASES[case]
    return HEAD % solver + boundary + (f"loads:\n{loads}" if loads else "")


def indented(text):
    return "".join("    " + line + "\n" for line in text.splitlines())


def together(solver, more="", sums=True):
    text = HEAD % solver + "cases:\n"
    for name, (loads, boundary) in CASES.items():
        text += f"  {name}:\n    boundary:\n{indented(boundary)}" + (f"    loads:\n{indented(loads)}" if loads else "")
    return text + ("  all:\n    sum: " + json.dumps(SUM) + "\n" if sums else "") + more


def field(folder, file, name):
    data = read(folder, file)
    found = re.search((r"\n" + name + r" (\d) (\d+) double\n").encode(), data)
    n = int(found.group(1)) * int(found.group(2))
    return struct.unpack(f">{n}d", data[found.end():found.end() + 8 * n])


def run(name, text, status=0):
    return bandfem("run", "--verbose", write(name + ".yaml", text), "--backend", BACKEND, "--out", name, status=status)


def mises(s):
    xx, yy, zz, xy, yz, xz = s
    return math.sqrt(0.5 * ((xx - yy)**2 + (yy - zz)**2 + (zz - xx)**2) + 3 * (xy * xy + yz * yz + xz * xz))


class Cases(unittest.TestCase):
    def near(self, a, b, rtol):
        self.assertEqual(len(a), len(b))
        size = max(map(abs, b))
        self.assertLessEqual(max(abs(p - q) for p, q in zip(a, b)), rtol * size)

    def compare(self, solver, rtol):
        """Fields and reactions of every case against its deck alone; the sum against these."""
        run("all", together(solver))
        single = {}
        for i, case in enumerate(CASES):
            run(case, alone(case, solver))
            for name in ("displacement", "reaction", "stress_nodal", "von_mises_nodal"):
                single[case, name] = field(case, "case.vtk", name)
                self.near(field("all", f"case_000{i}.vtk", name), single[case, name], rtol)
            self.assertIn(case.encode(), read("all", f"case_000{i}.vtk"))
        for name in ("displacement", "stress_nodal"):
            total = [sum(SUM[c] * single[c, name][k] for c in CASES) for k in range(len(single["hot", name]))]
            self.near(field("all", "case_0003.vtk", name), total, rtol)
        stress = [sum(SUM[c] * single[c, "stress_nodal"][k] for c in CASES)
                  for k in range(len(single["hot", "stress_nodal"]))]
        combined = [mises(stress[k:k + 6]) for k in range(0, len(stress), 6)]
        self.near(field("all", "case_0003.vtk", "von_mises_nodal"), combined, rtol)
        every = [single[c, "von_mises_nodal"] for c in CASES] + [combined]
        self.near(field("all", "case_0000.vtk", "von_mises_nodal_envelope"), list(map(max, zip(*every))), rtol)
        which = field("all", "case_0002.vtk", "von_mises_nodal_envelope_case")
        for k, w in enumerate(which):
            self.assertGreaterEqual(every[int(w) - 1][k], max(e[k] for e in every) * (1 - 10 * rtol))
        together_, alone_ = report("all"), {c: report(c) for c in CASES}
        for r in together_["reactions"]:
            if r["case"] != "all":
                twin = [q for q in alone_[r["case"]]["reactions"] if q["group"] == r["group"]][0]
                for a, b in zip(r["value"], twin["value"]):
                    self.assertLessEqual(abs(a - b), 1e-5 * max(map(abs, twin["value"])) + 1e-3)
        return together_

    def test_cg(self):
        got = self.compare("method: cg, preconditioner: jacobi", 1e-8)
        self.assertEqual([c["name"] for c in got["cases"]], ["weight", "pull", "hot", "all"])
        self.assertEqual(got["cases"][3]["sum"], SUM)
        self.assertTrue(all(c["converged"] for c in got["cases"]))
        rows = list(csv.DictReader(read("all", "probes.csv").decode().splitlines()))
        self.assertEqual([r["case"] for r in rows if r["component"] == "y"], ["weight", "pull", "hot", "all"])

    @unittest.skipIf(BACKEND != "cpu", "factors are made on the CPU")
    def test_direct(self):
        self.compare("method: direct", 1e-9)

    def test_multigrid_is_set_up_once(self):
        self.compare("method: cg, preconditioner: multigrid", 1e-8)
        answer = run("once", together("method: cg, preconditioner: multigrid").replace("[6, 2, 2]", "[30, 8, 8]"))
        self.assertEqual(answer.out.count("set up in"), 2)  # of the solve and of the table at the end

    def test_block_jacobi(self):
        self.compare("method: cg, preconditioner: block_jacobi", 1e-8)

    def test_checks_are_for_every_case_or_the_named(self):
        checks = ("checks:\n  - {quantity: balance.force, expect: 0.0, atol: 1.0e-8}\n"
                  "  - {case: [pull, all], quantity: reaction.x_min.x, report: true}\n"
                  "  - {case: weight, quantity: max(von_mises_nodal_envelope) - max(von_mises_nodal), expect: 0.0, atol: 1.0}\n")
        answer = run("checks", together("method: cg", checks), status=6)
        got = [(c["case"], c["quantity"]) for c in report("checks")["checks"]]
        self.assertEqual([c for c, q in got if q == "balance.force"], ["weight", "pull", "hot", "all"])
        self.assertEqual([c for c, q in got if q == "reaction.x_min.x"], ["pull", "all"])
        self.assertIn("E112: check failed in case 'weight': max(von_mises_nodal_envelope)", answer.err)

    def test_a_resolved_deck_repeats_the_run(self):
        run("first", together("method: cg"))
        again = bandfem("run", "first/deck.resolved.yaml", "--out", "again", "--backend", BACKEND, status=0)
        self.assertNotIn("error", again.err)
        self.assertEqual(field("first", "case_0003.vtk", "displacement"), field("again", "case_0003.vtk", "displacement"))

    def refused(self, words, text, status=2):
        answer = bandfem("check", write("bad.yaml", text), "--out", "bad")
        self.assertEqual(answer.status, status, answer.err)
        self.assertIn(words, answer.err)
        self.assertRegex(answer.err, r"bad.yaml:\d+:\d+: error")

    def test_wrong_cases_are_refused(self):
        deck = together("method: cg")
        self.refused("E108: there is no case 'wind'", deck.replace('"pull": -1.5', '"wind": 1.0'))
        self.refused("E106: 'all' is a sum itself", deck + "  twice: {sum: {all: 2}}\n")
        self.refused("E106: case 'all' is a sum of other cases and has no 'loads'",
                     deck.replace("  all:\n", "  all:\n    loads: [{type: gravity, g: [0, 0, 1]}]\n"))
        self.refused("E108: the deck has no 'cases'", alone("weight", "method: cg").replace("{type: gravity,", "{case: a, type: gravity,"))
        self.refused("E106: 'spring' cannot belong to a case: it is part of the matrix",
                     deck.replace("value: [0.0, 0.0, 1.0e+9]}", "value: [0.0, 0.0, 1.0e+9], case: hot}"))
        self.refused("E106: 'cases' requires analysis type static",
                     deck + "analysis: {type: modal, modes: 2}\n")
        self.refused("E107: 'cases' is not available with 'refine'", deck.replace("csv: true", "csv: true, refine: 2"))
        self.refused("E108: field 'von_mises_envelope' needs 'cases'", alone("weight", "method: cg") +
                     "checks:\n  - {quantity: max(von_mises_envelope), report: true}\n")
        self.refused("E338: cases 'weight' and 'pull' prescribe values of different unknowns, the first is the "
                     "displacement y of node", deck.replace("type: displacement, y: 1.0e-4", "type: pressure, value: 2"), 3)
        self.refused("E103", deck.replace("  weight:\n", "  empty:\n  weight:\n"))


if __name__ == "__main__":
    main()
