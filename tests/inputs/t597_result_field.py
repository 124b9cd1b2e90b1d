"""tests/inputs/t597_result_field.py - {file: case.hdf, field: ...} in decks: against the formula of the field, and messages

usage: t597_result_field.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BACKEND, bandfem, displacement, main, path_of, read, write  # noqa: E402

FORMULA = "60 + 30*(x^2 - y^2) + 10*z"  # harmonic: the field of a heat problem, which hex20 has exactly
HEAT = """deck: 1
mesh: {generate: {box: {size: [2.0, 1.0, 1.0], cells: [4, 3, 2], element: hex20}}}
physics: heat
materials: {steel: {group: volume, k: 50.0}}
boundary:
  - {groups: [x_min, x_max, y_min, y_max, z_min, z_max], type: temperature, value: "%s"}
solver: {rtol: 1.0e-12}
output: {dir: out}
""" % FORMULA
STRESS = """deck: 1
mesh: {generate: {box: {size: [2.0, 1.0, 1.0], cells: [3, 2, 3], element: tet10}}}
physics: elasticity
materials: {steel: {group: volume, E: 2.0e+11, nu: 0.3, alpha: 1.2e-5}}
boundary:
  - {group: x_min, type: fixed}
loads:
  - {type: thermal, value: %s, reference: 20.0}
solver: {rtol: 1.0e-12}
output: {dir: out}
"""
FILE = "{file: heat/case.hdf, field: temperature}"


def run(name, text, *words, status=0):
    return bandfem("run", write(name + ".yaml", text), "--backend", BACKEND, "--out", name, *words, status=status)


class ResultField(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        run("heat", HEAT)

    def same(self, a, b, rtol):
        size = max(map(abs, displacement(b)))
        self.assertGreater(size, 1e-6)
        self.assertLess(max(abs(p - q) for p, q in zip(displacement(a), displacement(b))), rtol * size)

    def test_another_mesh_gives_the_formula(self):
        run("file", STRESS % FILE)
        run("formula", STRESS % f'"{FORMULA}"')
        self.same("file", "formula", 1e-8)

    def test_the_same_mesh_gives_the_formula(self):
        mesh = ("cells: [3, 2, 3], element: tet10", "cells: [4, 3, 2], element: hex20")
        run("file_same", STRESS.replace(*mesh) % FILE)
        run("formula_same", STRESS.replace(*mesh) % f'"{FORMULA}"')
        self.same("file_same", "formula_same", 1e-8)

    def test_a_coefficient_and_a_component_of_a_vector(self):
        body = HEAT.replace(FORMULA, "100*x").replace("k: 50.0", "k: %s")
        run("coefficient", body % "{file: heat/case.hdf, field: temperature}", "-s", "boundary[1].groups=[x_min, x_max]")
        run("plain", body % '"%s"' % FORMULA, "-s", "boundary[1].groups=[x_min, x_max]")
        a, b = ([float(w) for w in read(n, "residuals.csv").decode().split("\n")[-2].split(",")[:2]] for n in ("coefficient", "plain"))
        self.assertEqual(a[0], b[0])
        run("vector", STRESS % "{file: heat/case.hdf, field: heat_flux_nodal, component: z}")  # -50 * 10
        run("number", STRESS % "-500.0")
        self.same("vector", "number", 1e-6)

    def test_a_resolved_deck_repeats_the_run_from_elsewhere(self):
        run("first", STRESS % FILE)
        text = read("first", "deck.resolved.yaml").decode()
        self.assertIn(path_of("heat/case.hdf"), text)
        run("sub/again", text)
        self.assertEqual(displacement("first"), displacement("sub/again"))

    def test_points_a_little_outside_are_a_warning_with_the_distance(self):
        answer = bandfem("check", write("longer.yaml", STRESS % FILE), "--out", "s", "-s",
                         "mesh.generate.box.size=[2.12, 1.0, 1.0]", status=0)
        self.assertRegex(answer.err, r"longer.yaml:8:\d+: warning W113: field temperature of heat/case.hdf: \d+ points lie "
                                     r"outside its mesh, by at most 0.0\d+ at \(2.0\d+, ")

    def refused(self, words, value, status, *more):
        answer = bandfem("check", write("bad.yaml", STRESS % value), "--out", "bad", *more)
        self.assertEqual(answer.status, status, answer.err)
        self.assertIn(words, answer.err)
        self.assertRegex(answer.err, r"bad.yaml:8:\d+: error")

    def test_wrong_fields_are_refused(self):
        self.refused("E113: cannot read 'none.hdf': No such file", "{file: none.hdf, field: temperature}", 2)
        self.refused("is not a result file: no HDF5", "{file: bad.yaml, field: temperature}", 2)
        self.refused("has no field 'temp'; it has: ", "{file: heat/case.hdf, field: temp}", 2)
        self.refused("has 3 components; name one by 'component'", "{file: heat/case.hdf, field: heat_flux_nodal}", 2)
        self.refused("E105: 'component': unknown value 'r'", "{file: heat/case.hdf, field: heat_flux, component: r}", 2)
        self.refused("E102: 'value': 'file' needs 'field'", "{file: heat/case.hdf}", 2)
        self.refused("E101: unknown key 'scale' in 'value'; valid: file, field, component, step",
                     "{file: heat/case.hdf, field: temperature, scale: 2}", 2)
        self.refused("E319: value of thermal: field temperature of heat/case.hdf has no value at", FILE, 3, "-s",
                     "mesh.generate.box.size=[3.0, 1.0, 1.0]")
        plane = ("deck: 1\nmesh: {generate: {rectangle: {size: [2, 1], cells: [2, 2], element: quad4}}}\nphysics: heat\n"
                 "materials: {a: {group: surface, k: {file: heat/case.hdf, field: temperature}}}\nboundary:\n"
                 "  - {group: x_min, type: temperature, value: 1}\n")
        answer = bandfem("check", write("plane.yaml", plane), "--out", "bad", status=2)
        self.assertIn("is of dimension 3, the mesh of this deck of dimension 2", answer.err)


if __name__ == "__main__":
    main()
