"""tests/study/t615_python.py - outputs/bandfem.py: the examples of docs/python.md, every kind of result, mistakes

usage: t615_python.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program, h5py or scipy
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import ENVIRONMENT, SOURCE, bandfem, example, main, path_of, skip, write  # noqa: E402 pylint: disable=wrong-import-position

try:
    import h5py  # noqa: F401 pylint: disable=unused-import
    import matplotlib  # noqa: F401 pylint: disable=unused-import
    import numpy as np
    import scipy.sparse
except ImportError as error:
    skip(str(error))
sys.path.insert(0, os.path.join(SOURCE, "outputs"))
import bandfem as reader  # noqa: E402 pylint: disable=wrong-import-position


def run(deck, *words):
    """The result of a deck, read."""
    name = os.path.splitext(os.path.basename(deck))[0]
    bandfem("run", deck, "--backend", "cpu", "--quiet", "--out", f"out/{name}", *words, status=0)
    return reader.read(path_of("out", name))


class Python(unittest.TestCase):
    def test_the_examples_of_the_documentation(self):
        run(example("kirsch"))
        bandfem("matrix", example("kirsch"), "--out", "A.mtx", "--rhs", "b.mtx", "--rows", "rows.csv", status=0)
        with open(os.path.join(SOURCE, "docs", "python.md"), encoding="utf-8") as file:
            blocks = re.findall(r"```python\n(.*?)```\n\n```text\n(.*?)```", file.read(), re.DOTALL)
        self.assertEqual(len(blocks), 3)
        for k, (code, printed) in enumerate(blocks):
            done = subprocess.run([sys.executable, write(f"example{k}.py", code)], cwd=path_of(), capture_output=True, text=True, check=False,
                                  env=dict(ENVIRONMENT, PYTHONPATH=os.path.join(SOURCE, "outputs")))
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stdout, printed)
        self.assertTrue(os.path.exists(path_of("kirsch.png")))

    def test_a_static_result(self):
        r = run(example("hot_disc"))
        self.assertEqual((r.physics, r.analysis, r.status, r.converged, r.steps), ("elasticity", "static", "converged", True, 0))
        self.assertEqual(r.materials, ["hot", "cold"])
        self.assertEqual(r.unit("stress"), "Pa")
        self.assertEqual(list(r.cells()), ["tri6"])
        self.assertEqual(r.field("stress").shape, (len(r.types), 6))
        self.assertEqual(r.field("displacement").shape, (len(r.points), 3))
        self.assertEqual(len(r.groups["disc"].cells) + len(r.groups["plate"].cells), len(r.types))
        np.testing.assert_array_equal(np.unique(r.field("material_id")[r.groups["disc"].cells]), [0.0])
        both = np.intersect1d(r.groups["disc"].points, r.groups["plate"].points)  # points of both materials on one line
        np.testing.assert_allclose(np.hypot(*r.points[both, :2].T), 1e-3, rtol=1e-4)
        value, place, index = r.largest("von_mises", "disc")
        self.assertEqual(value, r.field("von_mises")[r.groups["disc"].cells].max())
        np.testing.assert_array_equal(place, r.centres()[index])
        self.assertEqual(r.probes["D"]["stress_nodal"].shape, (6,))
        self.assertLess(r.balance["force"], 1e-8)
        self.assertEqual(r.checks[0]["quantity"], "probe.D.stress_nodal.yy")
        self.assertIn("NAFEMS T1", r.checks[0]["note"])
        self.assertEqual(r.convergence["residual"][0], 1.0)
        self.assertTrue(any(p["name"] == "solve" for p in r.timing))
        self.assertEqual(r.report()["physics"], "elasticity")
        np.testing.assert_allclose(r.table("residuals.csv")["residual"], r.convergence["residual"])
        self.assertIn("deck: 1", r.deck)
        area = sum(0.5 * np.cross(*(r.points[t][[1, 2]] - r.points[t[0]])[:, :2]) for t in r.triangles())
        self.assertAlmostEqual(area, 1e-4, 10)

    def test_modes_are_steps(self):
        r = run(example("cantilever_modes"))
        self.assertEqual(r.steps, 11)
        np.testing.assert_array_equal(r.step_values["frequency_hz"], r.modes["frequency_hz"])
        first, second = r.field("mode_shape", 0), r.field("mode_shape", 1)
        self.assertEqual(first.shape, (len(r.points), 3))
        self.assertGreater(np.abs(first - second).max(), 0.1 * np.abs(first).max())
        with self.assertRaisesRegex(reader.BandfemError, "has 11 steps: give step=0 .. 10"):
            r.field("mode_shape")
        with self.assertRaisesRegex(reader.BandfemError, "step 11 of 11"):
            r.field("mode_shape", 11)

    def test_load_cases(self):
        r = run(example("load_cases"))
        self.assertEqual(sorted(r.cases), ["design", "pull", "weight", "wind"])
        steps = {name: case["step"] - 1 for name, case in r.cases.items()}
        total = sum(f * r.field("displacement", steps[n]) for n, f in (("weight", 1.35), ("wind", 1.5), ("pull", 1.5)))
        np.testing.assert_allclose(r.field("displacement", steps["design"]), total, atol=1e-9 * np.abs(total).max())
        self.assertEqual(len(r.cases["wind"]["reactions"]["x_min"]), 3)

    def test_matrices_and_vectors(self):
        write("general.mtx", "%%MatrixMarket matrix coordinate real general\n% c\n2 3 3\n1 1 1.5\n2 3 -2\n1 2 4e-3\n")
        np.testing.assert_array_equal(reader.matrix(path_of("general.mtx")).toarray(), [[1.5, 4e-3, 0], [0, 0, -2]])
        write("lower.mtx", "%%MatrixMarket matrix coordinate real symmetric\n2 2 2\n1 1 1\n2 1 5\n")
        self.assertTrue(scipy.sparse.issparse(reader.matrix(path_of("lower.mtx"))))
        np.testing.assert_array_equal(reader.matrix(path_of("lower.mtx")).toarray(), [[1, 5], [5, 0]])
        write("full.mtx", "%%MatrixMarket matrix array real symmetric\n2 2\n1\n2\n3\n")
        np.testing.assert_array_equal(reader.vector(path_of("full.mtx")), [[1, 2], [2, 3]])
        write("wide.mtx", "%%MatrixMarket matrix array real general\n2 3\n1\n2\n3\n4\n5\n6\n")
        np.testing.assert_array_equal(reader.vector(path_of("wide.mtx")), [[1, 3, 5], [2, 4, 6]])

    def test_phases_have_a_roofline_plot(self):
        run(example("kirsch"))
        plot = [sys.executable, os.path.join(SOURCE, "outputs", "plot_bench.py")]
        done = subprocess.run([*plot, "out/kirsch/report.json", "plots"], cwd=path_of(), capture_output=True, text=True, check=False)
        self.assertEqual(done.stdout, "plots/roofline.png\n", done.stderr)
        with open(path_of("plots", "roofline.png"), "rb") as file:
            self.assertEqual(file.read(8), b"\x89PNG\r\n\x1a\n")
        write("other.json", "{}")
        done = subprocess.run([*plot, "other.json", "plots"], cwd=path_of(), capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("is no table of bandfem bench", done.stderr)

    def test_mistakes_name_what_exists(self):
        r = run(example("kirsch"))
        for call, words in [(lambda: reader.read(path_of("nowhere")), "there is no file"),
                            (lambda: r.field("temperature"), "no field 'temperature'; this result has: displacement"),
                            (lambda: r.largest("von_mises", "hole"), "group 'hole' has no cells"),
                            (lambda: r.largest("von_mises", "whole"), "no group 'whole'; this mesh has: hole"),
                            (lambda: r.largest("stress"), "is a tensor"),
                            (lambda: r.table("probes.csv"), "there is no file"),
                            (lambda: reader.matrix(write("no.mtx", "1 2 3\n") and path_of("no.mtx")), "no Matrix Market file"),
                            (lambda: reader.matrix(write("a.mtx", "%%MatrixMarket matrix array real general\n1 1\n1\n") and path_of("a.mtx")),
                             r"vector\(\) reads arrays")]:
            with self.assertRaisesRegex(reader.BandfemError, words):
                call()


if __name__ == "__main__":
    main()
