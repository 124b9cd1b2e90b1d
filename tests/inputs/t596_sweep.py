"""tests/inputs/t596_sweep.py - parameters, sweeps and their tables, -s into lists

usage: t596_sweep.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
The oracles are decks with the numbers written out.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import os
import shutil
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BACKEND, bandfem, displacement, main, path_of, read, report, write  # noqa: E402

DECK = """deck: 1
title: a bar
%s
mesh: {generate: {box: {size: [%s], cells: [%s], element: hex8}}}
physics: elasticity
materials:
  steel: {group: volume, E: %s, nu: 0.0, rho: 7850.0}
boundary:
  - {group: x_min, type: fixed}
  - {group: x_max, type: force, value: [%s, 0.0, 0.0]}
loads:
  - {type: gravity, g: [0.0, 0.0, -9.81]}
output: {dir: out, probes: {end: {at: [%s]}}}
checks:
  - {quantity: probe.end.displacement.x%s, expect: %s, rtol: 0.01}
"""
NAMED = DECK % ("parameters: {n: [1, 2], F: [100.0, 2.0e+2], L: 2.0, h: \"L/10\", A: \"h^2\"}", "L, h, h", "\"10*n\", \"2*n\", 2",
                "\"2e11*(1 + 0*x) + F*0\"", "F", "L, h/2, \"h/2\"", " / F", "\"L/(2e11*A)\"")
PLAIN = DECK % ("", "2.0, 0.2, 0.2", "20, 4, 2", "2e11", "200.0", "2.0, 0.1, 0.1", "", "5.0e-8")


def rows(folder):
    return list(csv.DictReader(read(folder, "sweep.csv").decode().splitlines()))


def run(name, text, *words, status=0):
    return bandfem("run", write(name + ".yaml", text), "--backend", BACKEND, "--out", name, *words, status=status)


class Sweep(unittest.TestCase):
    def same(self, a, b):
        """Up to the accuracy of the solver: on a device formulas are loads of another kernel than numbers."""
        most = max(abs(v) for v in a)
        self.assertEqual(len(a), len(b))
        self.assertLess(max(abs(v - w) for v, w in zip(a, b)), 1e-7 * most)

    def test_parameters_are_numbers_written_out(self):
        run("plain", PLAIN)
        run("named", NAMED, "-s", "parameters.n=2", "-s", "parameters.F=200")
        self.same(displacement("plain"), displacement("named"))
        run("again", read("named", "deck.resolved.yaml").decode())
        self.same(displacement("plain"), displacement("again"))
        self.assertEqual(report("named")["checks"][0]["quantity"], "probe.end.displacement.x / F")

    def test_a_product_runs_every_combination(self):
        answer = run("product", NAMED)
        table = rows("product")
        self.assertEqual([(r["n"], r["F"]) for r in table], [("1", "100"), ("1", "200"), ("2", "100"), ("2", "200")])
        for r in table:
            self.assertEqual(r["status"], "0")
            self.assertAlmostEqual(float(r["probe.end.displacement.x / F"]) / 2.5e-10, 1.0, delta=0.01)
            single = report(os.path.join("product", r["run"]))
            self.assertEqual(float(r["probe.end.displacement.x / F"]), single["checks"][0]["got"])
            self.assertEqual(int(r["unknowns"]), single["matrix"]["n"])
        self.assertNotIn("A", table[0])  # the same in every run
        whole = json.loads(read("product", "sweep.json"))
        self.assertEqual(whole["runs"][3]["parameters"], {"n": 2, "F": 200})
        self.assertIn("sweep_003", answer.out)

    def test_zip_runs_the_lists_side_by_side(self):
        run("zip", NAMED.replace("\nmesh:", "\nsweep: zip\nmesh:", 1))
        self.assertEqual([(r["n"], r["F"]) for r in rows("zip")], [("1", "100"), ("2", "200")])

    def test_values_that_follow_from_swept_ones_are_columns(self):
        run("derived", NAMED.replace("L: 2.0", "L: [2.0, 3.0]"), "-s", "parameters.n=1", "-s", "parameters.F=100")
        self.assertEqual([round(float(r["h"]), 12) for r in rows("derived")], [0.2, 0.3])

    def test_a_failed_check_is_in_the_table_and_the_status(self):
        run("failed", NAMED.replace("rtol: 0.01", "atol: 1.0e-12").replace("/ F,", ","), status=6)
        self.assertEqual({r["status"] for r in rows("failed")}, {"6"})

    @unittest.skipUnless(shutil.which("gmsh"), "no program gmsh")
    def test_gmsh_gets_the_parameters(self):
        write("bar.geo", "SetFactory(\"OpenCASCADE\");\nDefineConstant[ lc = 9 ];\nBox(1) = {0, 0, 0, 2, 0.5, 0.5};\n"
                         "Mesh.CharacteristicLengthMax = lc;\nPhysical Volume(\"volume\") = {1};\nPhysical Surface(\"x_min\") = {1};\n"
                         "Physical Surface(\"x_max\") = {2};\n")
        text = DECK % ("parameters: {lc: [0.25, 0.1]}", "1, 1, 1", "1, 1, 1", "2e11", "100.0", "2.0, 0.25, 0.25", "", "4.0e-9")
        text = text.replace("rtol: 0.01", "rtol: 0.5")
        mesh = "mesh: {generate: {box: {size: [1, 1, 1], cells: [1, 1, 1], element: hex8}}}"
        self.assertIn(mesh, text)
        run("geo", text.replace(mesh, "mesh: {file: bar.geo}").replace("nu: 0.0, rho", "nu: 0.0, rho"))
        few, many = (int(r["elements"]) for r in rows("geo"))
        self.assertGreater(many, 3 * few)

    def refused(self, words, text, *more, status=2):
        answer = bandfem("check", write("bad.yaml", text), "--out", "bad", *more)
        self.assertEqual(answer.status, status, answer.err)
        self.assertIn(words, answer.err)

    def test_wrong_parameters_are_refused(self):
        self.refused("E105: parameter 'x': formulas use this name already", NAMED.replace("F: [", "x: 1, F: ["))
        self.refused("E103: parameter 'A': expected a number, a formula of the parameters before it", NAMED.replace('"h^2"', '"q^2"'))
        self.refused("E106: a value of the list 'F' uses 'n', which has several values", NAMED.replace("F: [100.0", 'F: ["100*n"'))
        self.refused("E106: sweep: zip: 'n' has 2 values and 'F' has 3",
                     NAMED.replace("2.0e+2]", "2.0e+2, 3]").replace("\nmesh:", "\nsweep: zip\nmesh:", 1))
        self.refused("more than 1000", NAMED.replace("n: [1, 2]", "n: [%s]" % ", ".join(map(str, range(1, 502)))))
        self.refused("E103: 'cells': expected a whole number, got '10*m'", NAMED.replace('"10*n"', '"10*m"'))
        self.refused("E103: parameter 'n': the list is empty", NAMED.replace("n: [1, 2]", "n: []"))
        answer = bandfem("check", write("unused.yaml", NAMED.replace("F: [", "G: 1, F: [")), "--out", "bad", status=0)
        self.assertIn("warning W117: parameter 'G' is not used", answer.err)

    def test_overrides_reach_into_lists(self):
        run("base", PLAIN.replace("200.0", "50.0").replace("-9.81", "-1.0"), "-s", "boundary[2].value=[200, 0, 0]",
            "-s", "loads[type=gravity].g[3]=-9.81")
        run("plain", PLAIN)
        self.assertEqual(displacement("base"), displacement("plain"))
        run("group", PLAIN.replace("200.0", "50.0"), "-s", "boundary[group=x_max].value[1]=200")
        self.assertEqual(displacement("group"), displacement("plain"))
        run("entry", PLAIN.replace("200.0", "50.0"), "-s",
            "boundary[group='x_max']={group: x_max, type: traction, value: [5000.0, 0, 0]}")
        self.assertLess(max(abs(a - b) for a, b in zip(displacement("entry"), displacement("plain"))), 1e-13)

    def test_wrong_entries_are_refused(self):
        at = "command line: -s "
        for key, words in (("boundary[3].value=1", "'boundary' has no entry [3]: expected 1 to 2"),
                           ("boundary[0].value=1", "'boundary' has no entry [0]: expected 1 to 2"),
                           ("boundary[group=top].value=1", "'boundary' has no entry with group top"),
                           ("boundary.value=1", "'boundary' is not a map of keys and values; choose an entry: [1] is the first"),
                           ("films[1].value=1", "has no list 'films'"),
                           ("boundary[1.value=1", "expected key=value"),
                           ("boundary[1]x.value=1", "brackets do not match"),
                           ("title[1]=2", "'title' is not a list"),
                           ("boundary[2].valu=1", "unknown key 'valu'")):
            answer = bandfem("check", write("list.yaml", PLAIN), "--out", "bad", "-s", key)
            self.assertEqual(answer.status, 2, key + answer.err)
            self.assertIn(words, answer.err)
            self.assertIn(at, answer.err)


if __name__ == "__main__":
    main()
