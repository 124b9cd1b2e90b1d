"""tests/program/t584_view_script.py - view.py beside a result: its words, and what ParaView draws where pvpython is on the path

usage: t584_view_script.py BUILD_DIR SOURCE_DIR [unittest options]

BANDFEM_PVPYTHON names another pvpython.
"""
# SPDX-License-Identifier: BSD-3-Clause
import ast
import os
import shutil
import subprocess
import unittest

from bad_inputs import deck_text
from program import Case, bandfem, main, path_of, read, write

BAR = {"mesh": "{generate: {box: {size: [1.0, 0.2, 0.2], cells: [6, 2, 2], element: hex20}}}", "physics": "elasticity",
       "title": "a \"bar\" \\\\ of steel", "materials": "\n  steel: {group: volume, E: 2.1e+11, nu: 0.3, rho: 7850.0}",
       "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}"}
HEAT = {"physics": "heat", "materials": "\n  m: {group: volume, k: 2.0}",
        "boundary": "\n  - {group: x_min, type: temperature, value: 1.0}\n  - {group: x_max, type: flux, value: 5.0}"}
MODES = {"boundary": None, "analysis": "{type: modal, modes: 8}"}
PVPYTHON = os.environ.get("BANDFEM_PVPYTHON") or shutil.which("pvpython")


def settings(name):
    """The values at the top of the script."""
    tree = ast.parse(read(name, "view.py").decode())
    return {node.targets[0].id: node.value.value for node in tree.body
            if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.targets[0], ast.Name)}


def run(name, **sections):
    bandfem("run", write(name + ".yaml", deck_text(BAR, **sections)), "--quiet", "--out", name, status=0)
    return settings(name)


class Script(Case):
    def test_it_names_the_field_its_unit_and_what_moves(self):
        s = run("bar")
        self.assertEqual((s["FILE"], s["FIELD"], s["ON"], s["TITLE"], s["MOVES"], s["COMPONENTS"], s["STEP"]),
                         ("case.hdf", "von_mises_nodal", "POINTS", "von mises nodal [Pa]", "displacement", 1, 1))
        self.assertEqual(s["CASE"], 'a "bar" \\\\ of steel')

    def test_heat_moves_nothing(self):
        s = run("heat", **HEAT)
        self.assertEqual((s["FIELD"], s["TITLE"], s["MOVES"]), ("temperature", "temperature [K]", ""))

    def test_modes_open_the_series_at_the_first_elastic_mode(self):
        s = run("modes", **MODES)
        self.assertEqual((s["FILE"], s["FIELD"], s["MOVES"], s["COMPONENTS"], s["STEP"]),
                         ("case.vtk.series", "mode_shape", "mode_shape", 3, 7))

    def test_it_belongs_to_a_file(self):
        self.assertEqual(run("vtk", output="{formats: [vtk]}")["FILE"], "case.vtk")

    @unittest.skipUnless(PVPYTHON, "no pvpython")
    def test_paraview_draws_it(self):
        for name, sections in (("p bar", {}), ("pheat", HEAT), ("pmodes", MODES)):
            run(name, **sections)
            done = subprocess.run([PVPYTHON, path_of(name, "view.py"), path_of(name, "picture.png")], capture_output=True, text=True,
                                  timeout=200, check=False)
            self.assertEqual((done.returncode, "Traceback" in done.stderr), (0, False), done.stderr)
            self.assertGreater(len(read(name, "picture.png")), 20000)


main()
