"""tests/program/t528_dispersion.py - the results of a dispersion read back: HDF5, table, report, steps of the picture, diagram

usage: t528_dispersion.py BUILD_DIR SOURCE_DIR      exit 0 all as expected, 1 something else, 77 no program or no device
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import ctypes
import ctypes.util
import functools
import json
import math
import os
import subprocess
import unittest

import program
from program import BACKEND, SOURCE, Case, example, main, path_of, read, report, write

bandfem = functools.partial(program.bandfem, timeout=300)
A, C = 0.02, math.sqrt(1.6e9 / 1000.0)
DECK = """deck: 1
title: one medium
mesh: {generate: {rectangle: {size: [0.02, 0.02], cells: [8, 8], element: quad8}}}
physics: heat
analysis:
  type: dispersion
  bands: 5
  lattice: [[0.02, 0.0], [0.0, 0.02]]
  points: {gamma: POINT0, x: POINT1, m: POINT2}
  k_units: UNITS
  path: [gamma, x, m]
  samples: 4
materials:
  m: {group: surface, k: 1.6e+9, rho: 1000.0}
boundary:
  - {type: bloch, pairs: [[x_min, x_max], [y_min, y_max]]}
eigensolver: {method: METHOD}
output: {csv: true, compression: LEVEL, save_modes: {at: [x, m], bands: [1, 3]}}
checks:
  - {quantity: band(1).frequency@x, report: true}
"""


class Hdf:
    """Data sets of doubles and attributes of text, by HDF5's own library."""

    def __init__(self, path):
        self.lib = ctypes.CDLL(ctypes.util.find_library("hdf5_serial") or "libhdf5_serial.so.103")
        for name in ("H5Fopen", "H5Dopen2", "H5Dget_space", "H5Aopen_by_name", "H5Aget_type"):
            getattr(self.lib, name).restype = ctypes.c_int64
        self.lib.H5Sget_simple_extent_npoints.restype = ctypes.c_int64
        self.lib.H5open()
        self.double = ctypes.c_int64.in_dll(self.lib, "H5T_NATIVE_DOUBLE_g")
        self.file = ctypes.c_int64(self.lib.H5Fopen(path.encode(), 0, ctypes.c_int64(0)))
        assert self.file.value >= 0, path

    def numbers(self, name):
        data = ctypes.c_int64(self.lib.H5Dopen2(self.file, f"/bandfem/dispersion/{name}".encode(), ctypes.c_int64(0)))
        assert data.value >= 0, name
        space = ctypes.c_int64(self.lib.H5Dget_space(data))
        value = (ctypes.c_double * self.lib.H5Sget_simple_extent_npoints(space))()
        zero = ctypes.c_int64(0)
        assert self.lib.H5Dread(data, self.double, zero, zero, zero, value) >= 0
        return list(value)


def exact(kappa, bands):
    """f = c |k + G| / (2 pi)"""
    cones = sorted(C / A * math.hypot(kappa[0] + i, kappa[1] + j) for i in range(-3, 4) for j in range(-3, 4))
    return cones[:bands]


def deck(points=("[0.0, 0.0]", "[0.5, 0.0]", "[0.5, 0.5]"), units="reciprocal", method="direct", level="0"):
    text = DECK.replace("UNITS", units).replace("METHOD", method).replace("LEVEL", level)
    for i, point in enumerate(points):
        text = text.replace(f"POINT{i}", point)
    return text


def run(name, **choices):
    """The folder of the results, and what the program says."""
    write(name + "/deck.yaml", deck(**choices))
    answer = bandfem("run", "--verbose", "deck.yaml", "--out", "out", "--backend", BACKEND, cwd=path_of(name), status=0)
    return path_of(name, "out"), answer.out


def table(out):
    lines = read(out, "bands.csv").decode().splitlines()
    return [line for line in lines if line.startswith("#")], list(csv.DictReader(l for l in lines if not l.startswith("#")))


class Results(Case):
    @classmethod
    def setUpClass(cls):
        cls.out, cls.said = run("direct", level="4")
        cls.comments, cls.rows = table(cls.out)

    def test_the_table_has_the_exact_bands(self):
        self.assertEqual(len(self.rows), 9)
        self.assertEqual([row["point"] for row in self.rows], ["gamma", "", "", "", "x", "", "", "", "m"])
        for row in self.rows:
            kappa = [float(row[f"kappa_{i}"]) for i in (1, 2, 3)]
            for c, k in zip("xyz", kappa):
                self.assertAlmostEqual(float(row["k" + c]), 2 * math.pi * k / A, 9)
            for j, f in enumerate(exact(kappa, 5)):
                self.assertLess(abs(float(row[f"band_{j + 1}"]) - f), 2e-3 * f + 1.0)
        self.assertAlmostEqual(float(self.rows[-1]["path_length"]), 2 * math.pi / A, 9)

    def test_branches_are_the_bands_in_another_order(self):
        for row in self.rows:
            self.assertEqual(sorted(int(row[f"branch_{j}"]) for j in range(1, 6)), [1, 2, 3, 4, 5])
        self.assertEqual([int(self.rows[0][f"branch_{j}"]) for j in range(1, 6)], [1, 2, 3, 4, 5])

    def test_every_result_tells_the_convention_of_phases(self):
        phase = "u(r + R) = u(r) exp(+i k.R), time exp(-i omega t)"
        self.assertIn(phase, self.said)
        self.assertIn(phase, self.comments[0])
        self.assertEqual(report(self.out)["dispersion"]["phase"], phase)
        self.assertIn(phase.encode(), read(self.out, "case.hdf"))

    def test_the_record_is_that_of_the_table(self):
        numbers = Hdf(os.path.join(self.out, "case.hdf")).numbers
        bands = [float(row[f"band_{j}"]) for row in self.rows for j in range(1, 6)]
        self.assertEqual(numbers("frequency_hz"), bands)
        self.assertEqual(numbers("path_length"), [float(row["path_length"]) for row in self.rows])
        self.assertEqual(numbers("k_reciprocal"), [float(row[f"kappa_{i}"]) for row in self.rows for i in (1, 2, 3)])
        self.assertLess(max(numbers("residual")), 1e-13)
        self.assertEqual(numbers("tick_position"), [float(row["path_length"]) for row in self.rows if row["point"]])

    def test_the_report_has_frequencies_at_the_points_and_unknowns(self):
        d = report(self.out)["dispersion"]
        self.assertEqual([p["name"] for p in d["points"]], ["gamma", "x", "m"])
        self.assertEqual((d["cell_unknowns"], d["unknowns"], d["interior_modes"], d["gaps"]), (192, 192, 0, []))
        self.assertEqual(d["points"][1]["frequency_hz"], [float(self.rows[4][f"band_{j}"]) for j in range(1, 6)])

    def test_shapes_are_steps_with_the_phase_of_their_wave_vector(self):
        try:
            import vtk
            from vtk.util.numpy_support import vtk_to_numpy
        except ImportError:
            self.skipTest("no python3-vtk9")
        names = [entry["name"] for entry in json.loads(read(self.out, "case.vtk.series"))["files"]]
        self.assertEqual(len(names), 4)
        for step, name in enumerate(names):
            reader = vtk.vtkUnstructuredGridReader()
            reader.SetFileName(os.path.join(self.out, name))
            reader.ReadAllFieldsOn()
            reader.ReadAllScalarsOn()
            reader.Update()
            grid = reader.GetOutput()
            x = vtk_to_numpy(grid.GetPoints().GetData())
            u = (vtk_to_numpy(grid.GetPointData().GetArray("mode_shape_re")) +
                 1j * vtk_to_numpy(grid.GetPointData().GetArray("mode_shape_im")))
            self.assertAlmostEqual(abs(u).max(), 1.0, 12)
            kappa = [grid.GetFieldData().GetArray(f"kappa_{i}").GetValue(0) for i in (1, 2)]
            self.assertEqual(kappa, [[0.5, 0.0], [0.5, 0.5]][step // 2])
            row = self.rows[4 if step < 2 else 8]
            band = int(grid.GetFieldData().GetArray("band").GetValue(0))
            self.assertEqual(grid.GetFieldData().GetArray("frequency_hz").GetValue(0), float(row[f"band_{band}"]))
            at = {(round(p[0] / A * 16), round(p[1] / A * 16)): v for p, v in zip(x, u)}
            for (i, j), v in at.items():  # u(r + R) = u(r) exp(i k.R): here signs
                if i == 0:
                    self.assertAlmostEqual(abs(at[16, j] - v * (-1 if kappa[0] else 1)), 0.0, 12)
                if j == 0:
                    self.assertAlmostEqual(abs(at[i, 16] - v * (-1 if kappa[1] else 1)), 0.0, 12)

    def test_a_rerun_of_the_resolved_deck_gives_the_same_table(self):
        again = os.path.join(self.out, "again")
        bandfem("run", os.path.join(self.out, "deck.resolved.yaml"), "--out", again, "--quiet", status=0)
        self.assertEqual(table(again), (self.comments, self.rows))

    def test_wave_vectors_may_be_cartesian(self):
        k = f"{math.pi / A:.17g}"
        out, _ = run("cartesian", points=("[0.0, 0.0]", f"[{k}, 0.0]", f"[{k}, {k}]"), units="rad_per_length")
        for row, other in zip(table(out)[1], self.rows):
            for j in range(1, 6):
                self.assertAlmostEqual(float(row[f"band_{j}"]), float(other[f"band_{j}"]), 5 if j > 1 else 0)

    def test_a_wave_vector_across_the_lattice_is_refused(self):
        text = deck(points=("[0.0, 0.0]", "[50.0, 0.0]", "[50.0, 3.0]"), units="rad_per_length")
        text = text.replace("[[0.02, 0.0], [0.0, 0.02]]", "[[0.02, 0.0]]").replace("[[x_min, x_max], [y_min, y_max]]", "[[x_min, x_max]]")
        self.says(bandfem("check", write("across.yaml", text)), 2,
                  "across.yaml:9:50: error E106: point 'm' has a component of 3 rad/m perpendicular to all lattice vectors")

    def test_craig_bampton_gives_the_same_bands_within_its_estimate(self):
        out, said = run("modes", method="craig_bampton, interior_modes: 30")
        self.assertIn("30 modes of 161 interior unknowns", said)
        for row, other in zip(table(out)[1], self.rows):
            for j in range(1, 6):
                f, g = float(row[f"band_{j}"]), float(other[f"band_{j}"])
                self.assertLess(abs(f - g), 2e-3 * g + 1.0)

    @unittest.skipIf(BACKEND == "cpu", "the CPU takes pencils of any order")
    def test_pencils_beyond_the_batches_of_a_gpu_go_to_the_cpu_or_are_refused_by_name(self):
        words = ("run", "--verbose", "direct/deck.yaml", "-s", "mesh.generate.rectangle.cells=[14, 14]", "-s", "analysis.samples=1", "--out")
        answer = bandfem(*words, "large", "--backend", "auto")
        self.says(answer, 0)
        self.assertRegex(answer.out, r"backend   cpu for the waves: .*588")
        for row in table("large")[1]:
            for j, f in enumerate(exact([float(row[f"kappa_{i}"]) for i in (1, 2)], 5)):
                self.assertLess(abs(float(row[f"band_{j + 1}"]) - f), 2e-4 * f + 1.0)
        answer = bandfem(*words, "none", "--backend", "cuda")
        self.says(answer, 4, "E404: the GPU cannot solve pencils of 588 unknowns")
        answer = bandfem(*words, "fewer", "--backend", "cuda", "-s", "eigensolver.method=auto")
        self.says(answer, 0)
        self.assertIn("craig_bampton: ", answer.out)

    def test_the_diagram_is_drawn(self):
        if subprocess.run(["/usr/bin/python3", "-c", "import matplotlib"], capture_output=True, check=False).returncode:
            self.skipTest("no python3-matplotlib")
        script, png = os.path.join(SOURCE, "outputs", "plot_bands.py"), os.path.join(self.out, "bands.png")
        subprocess.run(["/usr/bin/python3", script, os.path.join(self.out, "bands.csv"), png], check=True)
        self.assertEqual(read(png)[:8], b"\x89PNG\r\n\x1a\n")
        for bad in ("nothing.csv", os.path.join(self.out, "checks.csv")):
            done = subprocess.run(["/usr/bin/python3", script, bad, png], capture_output=True, text=True, check=False)
            self.assertNotEqual(done.returncode, 0)
            self.assertTrue(done.stderr.startswith("plot_bands.py: "), done.stderr)

    def test_what_is_told_names_the_band_and_the_wave_vector(self):
        for words, code, said in (
                ((), 0, "direct/deck.yaml:11:9: warning W322: bands cross between "),  # how often: modes alike are any combination
                ((), 0, "bands are numbered by frequency, 'branch' of the results by continuity\n"),
                (("eigensolver.method=craig_bampton", "eigensolver.interior_modes=1"), 0,
                 "warning W323: neglected interior modes may lower frequencies by an unknown amount, most for band 2 at wave vector 1 "
                 "(0, 0, 0): increase interior_modes\n"),
                (("eigensolver.method=craig_bampton", "eigensolver.interior_modes=9"), 0,
                 "warning W323: neglected interior modes may lower frequencies by 1.3 %, most for band 5 at wave vector 8 "),
                (("analysis.points.x=[157.0, 0.0]", "analysis.samples=1"), 0,
                 "warning W324: point 'x' is 157 reciprocal lattice vectors from the origin, the zone boundary is at 0.5: numbers in rad/m "
                 "need k_units: rad_per_length\n"),
                (("analysis.k_units=rad_per_length", "analysis.samples=1"), 0, "fractions need k_units: reciprocal\n"),
                (("materials.m.k=1.0e+308",), 5,
                 "error E505: no eigenvalues at wave vector 1 (0, 0, 0): not finite, or no convergence (info 193)\n")):
            options = [word for value in words for word in ("-s", value)]
            self.says(bandfem("run", "direct/deck.yaml", "--out", "told", "--backend", "cpu", *options), code, said)

    def test_check_tells_the_size_of_the_cell(self):
        answer = bandfem("check", path_of("direct", "deck.yaml"))
        self.says(answer, 0)
        self.assertIn("cell      2 lattice vectors, 33 of 225 nodes equal another node up to a phase; 192 unknowns", answer.out)


if __name__ == "__main__":
    main(first=lambda: bandfem("run", example("cube_waves"), "--backend", BACKEND, "--quiet", "--out", "first"))
