"""tests/study/t688_package.py - the Python package from the sources: run, system, plot, errors, and the code cells of the notebooks

usage: t688_package.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program, h5py or scipy
The cells run in order in one interpreter; ./dev notebooks runs the notebooks themselves in Jupyter's kernel.
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import json
import os
import sys
import unittest
import warnings

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BUILD, PROGRAM, SOURCE, main, path_of, skip  # noqa: E402 pylint: disable=wrong-import-position

os.environ["BANDFEM_PROGRAM"] = PROGRAM
try:
    import h5py  # noqa: F401 pylint: disable=unused-import
    import matplotlib
    import numpy as np
    import scipy.sparse
except ImportError as error:
    skip(str(error))
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402 pylint: disable=wrong-import-position

sys.path.insert(0, os.path.join(SOURCE, "outputs", "package"))
import bandfem  # noqa: E402 pylint: disable=wrong-import-position

BAR = {"mesh": {"generate": {"box": {"size": [1.0, 0.2, 0.2], "cells": [4, 1, 1], "element": "hex8"}}}, "physics": "elasticity",
       "materials": {"steel": {"groups": ["volume"], "E": 2.1e11, "nu": 0.0}},
       "boundary": [{"group": "x_min", "type": "fixed"}, {"group": "x_max", "type": "traction", "value": [2.1e6, 0.0, 0.0]}]}


class Package(unittest.TestCase):
    def test_the_program_is_that_of_the_build(self):
        self.assertEqual(bandfem.program(), os.path.join(BUILD, "bandfem"))

    def test_a_dictionary_is_a_deck(self):
        r = bandfem.run(BAR)
        np.testing.assert_allclose(r.field("displacement")[:, 0].max(), 1e-5, rtol=1e-8)
        self.assertEqual((r.exit_status, r.messages), (0, ""))
        self.assertEqual(set(r.tables()), {"checks", "probes", "reactions", "residuals"})
        np.testing.assert_allclose(r.reactions["x_min"][0], -84000.0, rtol=1e-8)
        self.assertIn("<html", r.html())
        folder = r.folder
        self.assertTrue(os.path.isdir(folder))
        del r
        self.assertFalse(os.path.isdir(folder))

    def test_settings_and_folder(self):
        r = bandfem.run(BAR, {"materials.steel.E": 4.2e11, "output.formats": ["vtkhdf", "vtk"]}, out=path_of("kept"))
        np.testing.assert_allclose(r.field("displacement")[:, 0].max(), 0.5e-5, rtol=1e-8)
        self.assertTrue(os.path.exists(path_of("kept", "case.vtk")))

    def test_the_matrix_is_that_of_the_solution(self):
        r = bandfem.run(BAR)
        for order in ("file", "chosen"):
            A, b, rows = r.system(order=order)
            self.assertIsInstance(A, scipy.sparse.csr_matrix)
            u = scipy.sparse.linalg.spsolve(A.tocsc(), b)
            node = rows["node"].astype(int)
            self.assertEqual(len(node), A.shape[0])
            np.testing.assert_allclose(np.sort(u), np.sort(r.field("displacement").ravel()), atol=1e-12)

    def test_errors_and_warnings_are_the_program_s(self):
        with self.assertRaisesRegex(bandfem.BandfemError, "did you mean 'elasticity'"):
            bandfem.run({**BAR, "physics": "elasticty"})
        with self.assertRaisesRegex(bandfem.BandfemError, "there is no deck 'no.yaml'"):
            bandfem.run("no.yaml")
        with self.assertRaisesRegex(bandfem.BandfemError, "no example 'kirsh'; there are: .*kirsch"):
            bandfem.example("kirsh")
        with warnings.catch_warnings(record=True) as seen:
            warnings.simplefilter("always")
            r = bandfem.run({**BAR, "checks": [{"quantity": "max(displacement)", "expect": 1.0, "rtol": 0.1}]})
        self.assertEqual(r.exit_status, 6)
        self.assertIn("E112", str(seen[0].message))

    def test_files_of_a_dictionary_are_seen_from_the_current_folder(self):
        here = os.getcwd()
        try:
            os.chdir(os.path.join(SOURCE, "inputs", "meshes"))
            r = bandfem.run({"mesh": {"file": "kirsch_quad8.msh"}, "physics": "heat",
                             "materials": {"m": {"group": "plate", "k": 1.0}},
                             "boundary": [{"group": "right", "type": "temperature", "value": 1.0}]})
        finally:
            os.chdir(here)
        np.testing.assert_allclose(r.field("temperature"), 1.0, atol=1e-9)

    def test_pictures(self):
        solid = bandfem.run(BAR)
        for result, words in ((solid, {}), (solid, {"field": "stress", "component": 0, "scale": 0}),
                              (bandfem.run(bandfem.example("kirsch")), {"field": "von_mises"}),
                              (bandfem.run(bandfem.example("membrane")), {"step": 1}), (bandfem.run(bandfem.example("bilayer_waves")), {})):
            axis = result.plot(**words)
            axis.figure.savefig(path_of("picture.png"))
            self.assertGreater(os.path.getsize(path_of("picture.png")), 5000)
            plt.close("all")
        with self.assertRaisesRegex(bandfem.BandfemError, "is a tensor"):
            solid.plot("stress")

    def test_the_code_cells_of_the_notebooks(self):
        found = sorted(glob.glob(os.path.join(SOURCE, "docs", "notebooks", "*.ipynb")))
        self.assertEqual(len(found), 3)
        for path in found:
            with open(path, encoding="utf-8") as file:
                cells = [c for c in json.load(file)["cells"] if c["cell_type"] == "code"]
            names = {}
            for k, cell in enumerate(cells):
                code = "".join(line for line in cell["source"] if not line.startswith("%"))
                exec(compile(code, f"{os.path.basename(path)}, cell {k}", "exec"), names)  # pylint: disable=exec-used
            plt.close("all")


if __name__ == "__main__":
    main()
