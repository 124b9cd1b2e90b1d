"""tests/study/t613_converge.py - bandfem converge: meshes, errors, observed orders, tables, mistakes

usage: t613_converge.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import math
import os
import shutil
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BACKEND, SOURCE, Case, bandfem, example, main, path_of, read, write  # noqa: E402 pylint: disable=wrong-import-position

SINES = 'sin(pi*x)*sin(pi*y)*sin(pi*z)'
PLATE = """deck: 1
mesh: {generate: {rectangle: {size: [1, 1], cells: [2, 2], element: quad4}}}
physics: heat
materials: {m: {group: surface, k: 1.0}}
loads: [{type: heat_source, value: "2*pi^2*sin(pi*x)*sin(pi*y)"}]
boundary: [{groups: [x_min, x_max, y_min, y_max], type: temperature, value: 0.0}]
solver: {rtol: 1.0e-12}
output: {probes: {centre: {at: [0.5, 0.5]}}}
"""
PROBE = "checks:\n  - {quantity: probe.centre.temperature, report: true}\n  - {quantity: iterations, report: true}\n"


def study(deck, *words, out="study", status=0):
    """The answer, and the rows of convergence.csv by quantity."""
    shutil.rmtree(path_of(out), ignore_errors=True)
    answer = bandfem("converge", deck, "--backend", BACKEND, "--out", out, *words, timeout=200, status=status)
    table = {}
    for row in csv.DictReader(read(out, "convergence.csv").decode().splitlines(), strict=True):
        table.setdefault((int(row["degree"]), row["quantity"]), []).append(
            {k: float(v) if v else math.nan for k, v in row.items() if k != "quantity"})
    return answer, table


class Converge(Case):
    def test_orders_of_linear_and_quadratic_elements(self):
        answer, table = study(example("manufactured_heat"), "-s", "mesh.generate.box.cells=[4,4,4]", "--levels", "3", "--order", "1,2")
        for degree in 1, 2:
            rows = table[degree, f'error.L2(temperature, "{SINES}")']
            self.assertEqual([r["elements"] for r in rows], [64, 512, 4096])
            for r, h in zip(rows, [0.25, 0.125, 0.0625]):
                self.assertAlmostEqual(r["h"], h, 14)
            for before, r in zip(rows, rows[1:]):
                self.assertAlmostEqual(r["observed_order"], math.log2(before["error"] / r["error"]), 12)
                self.assertAlmostEqual(r["observed_order"], degree + 1, delta=0.05)
            energy = table[degree, f'error.energy_relative(temperature, "{SINES}")']
            self.assertAlmostEqual(energy[-1]["observed_order"], degree, delta=0.1)
            self.assertIn(f"{rows[-1]['observed_order']:.2f}", answer.out)
        self.assertIn("hex8 elements", answer.out)
        self.assertIn("hex20 elements", answer.out)
        self.assertNotIn("E112", answer.err)

    def test_a_mesh_file_is_divided(self):
        _, table = study(example("lame_cylinder"), "--levels", "3")
        (key, rows), = table.items()
        self.assertTrue(key[1].startswith("error.energy_relative"))
        self.assertEqual([r["elements"] for r in rows], [24, 96, 384])
        self.assertAlmostEqual(rows[0]["h"] / rows[2]["h"], 4.0, 9)
        self.assertAlmostEqual(rows[2]["observed_order"], 2.0, delta=0.05)

    def test_values_without_a_formula_are_extrapolated(self):
        answer, table = study(write("probe.yaml", PLATE + PROBE))
        (key, rows), = table.items()
        self.assertEqual(key, (1, "probe.centre.temperature"))
        self.assertEqual(len(rows), 4)
        self.assertTrue(math.isnan(rows[1]["observed_order"]))
        self.assertAlmostEqual(rows[3]["observed_order"], 2.0, delta=0.1)
        v = [r["value"] for r in rows[1:]]  # by Aitken's formula
        limit = v[2] - (v[2] - v[1]) ** 2 / (v[2] - 2 * v[1] + v[0])
        self.assertAlmostEqual(rows[3]["error"], abs(v[2] - limit), 12)
        self.assertLess(abs(limit - 1.0), 1e-3)
        self.assertIn("Richardson extrapolation", answer.out)

    def test_quantities_of_the_command_line(self):
        quantity = 'error.L2(temperature, "sin(pi*x)*sin(pi*y)")'
        _, table = study(write("none.yaml", PLATE), "--levels", "3", "--quantity", quantity, "--quantity", "integral(temperature)")
        self.assertEqual([q for _, q in table], [quantity, "integral(temperature)"])
        self.assertAlmostEqual(table[1, quantity][2]["observed_order"], 2.0, delta=0.05)
        self.assertAlmostEqual(table[1, "integral(temperature)"][2]["observed_order"], 2.0, delta=0.3)

    def test_all_adds_the_other_quantities(self):
        checks = PROBE + "  - {quantity: 'error.L2(temperature, \"sin(pi*x)*sin(pi*y)\")', report: true}\n"
        deck = write("all.yaml", PLATE + checks)
        _, table = study(deck, "--levels", "2")
        self.assertEqual(len(table), 1)
        _, table = study(deck, "--levels", "2", "--all")
        self.assertEqual(len(table), 2)

    def test_frequencies_converge(self):
        _, table = study(example("membrane"), "--levels", "3", "--order", "1", "--quantity", "mode(1).frequency")
        rows = table[1, "mode(1).frequency"]
        self.assertAlmostEqual(rows[2]["observed_order"], 2.0, delta=0.1)

    def test_a_geo_is_meshed_with_smaller_elements(self):
        if not shutil.which("gmsh"):
            self.skipTest("no gmsh")
        write("square.geo", 'SetFactory("OpenCASCADE"); Rectangle(1) = {0, 0, 0, 1, 1}; MeshSize{:} = 0.5;\n'
              'Physical Surface("surface") = {1}; Physical Curve("side") = {1:4};\n')
        deck = PLATE.replace("{generate: {rectangle: {size: [1, 1], cells: [2, 2], element: quad4}}}", "{file: square.geo}")
        deck = deck.replace("[x_min, x_max, y_min, y_max]", "[side]")
        _, table = study(write("geo.yaml", deck), "--levels", "3", "--quantity", 'error.L2(temperature, "sin(pi*x)*sin(pi*y)")')
        (_, rows), = table.items()
        self.assertGreater(rows[2]["elements"], 8 * rows[0]["elements"])
        self.assertAlmostEqual(rows[2]["observed_order"], 2.0, delta=0.3)
        shutil.copy(os.path.join(SOURCE, "inputs/meshes/kirsch.geo"), path_of("kirsch.geo"))
        with open(example("kirsch"), encoding="utf-8") as file:
            write("kirsch.yaml", file.read().replace("../meshes/kirsch_quad8.msh", "kirsch.geo"))
        answer, _ = study("kirsch.yaml", status=3)
        self.assertIn("as many as level 1", answer.err)
        self.assertIn("refinement", answer.err)

    def test_parameters_and_the_level_reach_a_geo_with_transfinite_curves(self):
        if not shutil.which("gmsh"):
            self.skipTest("no gmsh")
        write("cells.geo", 'DefineConstant[refinement = 1]; DefineConstant[cells = 1];\n'
              'SetFactory("OpenCASCADE"); Rectangle(1) = {0, 0, 0, 1, 1}; Transfinite Curve {1:4} = cells*refinement + 1;\n'
              'Transfinite Surface {1}; Recombine Surface {1};\n'
              'Physical Surface("surface") = {1}; Physical Curve("side") = {1:4};\n')
        deck = PLATE.replace("{generate: {rectangle: {size: [1, 1], cells: [2, 2], element: quad4}}}", "{file: cells.geo}")
        deck = deck.replace("[x_min, x_max, y_min, y_max]", "[side]") + "parameters: {cells: 3}\n"
        _, table = study(write("cells.yaml", deck), "--levels", "3", "--quantity", 'error.L2(temperature, "sin(pi*x)*sin(pi*y)")')
        (_, rows), = table.items()
        self.assertEqual([r["elements"] for r in rows], [9, 36, 144])
        self.assertAlmostEqual(rows[2]["observed_order"], 2.0, delta=0.1)

    def test_a_level_that_fails_ends_the_study_with_a_table(self):
        deck = write("hard.yaml", PLATE.replace("rtol: 1.0e-12", "rtol: 1.0e-12, max_iterations: 3, preconditioner: jacobi, method: cg").replace("2*pi^2*sin(pi*x)*sin(pi*y)", "exp(3*x)*y^3") + PROBE)
        answer, table = study(deck, "-s", "mesh.generate.rectangle.cells=[2,3]", status=5)
        self.assertIn("E501", answer.err)
        self.assertGreaterEqual(len(table[1, "probe.centre.temperature"]), 1)
        self.assertLess(len(table[1, "probe.centre.temperature"]), 4)

    def test_load_cases_have_their_own_rows(self):
        _, table = study(example("load_cases"), "--levels", "2", "--order", "1", "--quantity", "max(displacement)")
        self.assertGreaterEqual(len(table), 2)
        self.assertTrue(all(", case " in quantity for _, quantity in table))
        finest = {quantity: rows[-1]["value"] for (_, quantity), rows in table.items()}
        self.assertEqual(len(set(finest.values())), len(finest))

    def test_the_table_has_a_plot(self):
        try:
            import matplotlib  # noqa: F401 pylint: disable=import-outside-toplevel,unused-import
        except ImportError:
            self.skipTest("no matplotlib")
        study(write("probe.yaml", PLATE + PROBE), "--levels", "3")
        plot = [sys.executable, os.path.join(SOURCE, "outputs/plot_bench.py")]
        made = subprocess.run([*plot, "study/convergence.csv", "plots"], cwd=path_of(), capture_output=True, text=True, check=False)
        self.assertEqual(made.stdout, "plots/convergence.png\n", made.stderr)
        self.assertEqual(read("plots", "convergence.png")[:8], b"\x89PNG\r\n\x1a\n")
        study(write("probe.yaml", PLATE + PROBE), "--levels", "2")  # one error alone
        made = subprocess.run([*plot, "study/convergence.csv", "plots"], cwd=path_of(), capture_output=True, text=True, check=False)
        self.assertEqual(made.returncode, 1)
        self.assertIn("no quantity with two errors", made.stderr)

    def test_mistakes_of_the_command_line(self):
        deck = write("m.yaml", PLATE)
        for words, status, part in [
                (["--levels", "1"], 1, "--levels must be 2 to 10, got '1'"),
                (["--levels"], 1, "a value is missing after '--levels'"),
                (["--order", "3"], 1, "--order must be 1, 2 or 1,2, got '3'"),
                (["--csv", "x"], 1, "unknown option '--csv'"),
                ([], 2, "the deck checks no quantity that converges"),
                (["--quantity", "max(heat)"], 2, "no field 'heat'"),
                (["--quantity", "maximum(temperature)"], 1, "unknown quantity 'maximum'"),
                (["--quantity", "flexibility(1, 1)"], 2, "must be one of the checks")]:
            self.says(bandfem("converge", deck, "--out", "bad", *words), status, part)
        self.assertFalse(os.path.exists(path_of("bad", "convergence.csv")))
        self.assertIn("--levels 4", bandfem("converge", "--help", status=0).out)
        self.assertEqual(bandfem("converge", write("q.yaml", PLATE + PROBE), "--levels", "2", "--quiet", "--out", "bad", status=0).out, "")


if __name__ == "__main__":
    main(lambda: bandfem("run", write("first.yaml", PLATE), "--backend", BACKEND, "--out", "out"))
