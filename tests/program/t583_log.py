"""tests/program/t583_log.py - the log of a run: short by default, with the largest values and their places; the live line

usage: t583_log.py BUILD_DIR SOURCE_DIR [unittest options]
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import pty
import re
import select
import subprocess

from bad_inputs import deck_text
from program import ENVIRONMENT, FOLDER, PROGRAM, Case, bandfem, example, main, path_of, report, write

PLATE = "{generate: {rectangle: {size: [2.0, 1.0], cells: [8, 4], element: quad4}}}"
DECK = {"mesh": PLATE, "physics": "elasticity", "discretization": "{space: plane_stress}",
        "materials": "\n  steel: {group: surface, E: 2.1e+11, nu: 0.3}",
        "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [1.0e+6, 0.0]}"}
# two materials, x < 1 and x > 1, and a point in a group of its own
TWO = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
4
2 1 "soft"
2 2 "hard"
1 3 "left"
0 4 "corner"
$EndPhysicalNames
$Nodes
6
1 0 0 0
2 1 0 0
3 2 0 0
4 0 1 0
5 1 1 0
6 2 1 0
$EndNodes
$Elements
4
1 15 2 4 4 6
2 1 2 3 3 4 1
3 3 2 1 1 1 2 5 4
4 3 2 2 2 2 3 6 5
$EndElements
"""
MATERIALS = "\n  soft: {group: soft, E: 1.0, nu: 0.3, alpha: %s}\n  hard: {group: hard, E: 100.0, nu: 0.3, alpha: 0.0}"


def run(name, *words, **sections):
    return bandfem("run", write(name + ".yaml", deck_text(DECK, **sections)), "--out", name, *words, status=0)


def peak(name, field, kind="largest"):
    return next(p for p in report(name)["extremes"] if (p["field"], p["kind"]) == (field, kind))


class Short(Case):
    def test_examples_stay_within_25_lines(self):
        for name in ("cantilever", "hot_disc", "heated_block", "kirsch", "membrane"):
            got = bandfem("run", example(name), "--out", name, status=0)
            lines = (got.out + got.err).splitlines()
            self.assertLessEqual(len(lines), 25, got.out)
            self.assertTrue(lines[-1].startswith("verdict   VALID, "), lines[-1])
            self.assertTrue(lines[-2].startswith(f"files     {name}/: "), lines[-2])
            self.assertNotRegex(got.out, r"[\r\033]")

    def test_quiet_prints_nothing(self):
        self.assertEqual(run("quiet", "--quiet").out, "")

    def test_verbose_has_the_tables_too(self):
        out = run("loud", "--verbose", solver="{method: cg, preconditioner: jacobi}").out
        for words in ("numbering: ", "all phases", "iteration ", "largest   displacement", "verdict      VALID"):
            self.assertIn(words, out)

    def test_many_reactions_and_values_are_counted(self):
        got = run("many", boundary="".join(f"\n  - {{group: {g}, type: displacement, y: 0.0}}" for g in
                                           ("y_min", "y_max", "x_min", "x_max")) +
                  "\n  - {group: x_min, type: displacement, x: 0.0}\n  - {group: x_max, type: traction, value: [1.0, 0.0]}",
                  checks="".join("\n  - {quantity: iterations, report: true}" for _ in range(5)))
        self.assertIn("          1 more in report.json\n", got.out)
        self.assertIn("          2 more in report.json\n", got.out)


class Places(Case):
    def test_the_largest_values_are_those_of_the_field_with_place_material_and_group(self):
        got = run("place", checks="\n  - {quantity: max(von_mises_nodal), report: true}\n  - {quantity: max(displacement), report: true}")
        for field, check in (("von_mises_nodal", 0), ("displacement", 1)):
            p = peak("place", field)
            self.assertAlmostEqual(p["value"] / report("place")["checks"][check]["got"], 1.0, places=12)
            self.assertEqual((p["material"], p["group"]), ("steel", "surface"))
        self.assertEqual(peak("place", "displacement")["at"][0], 2.0)
        self.assertRegex(got.out, r"(?m)^largest   displacement [-0-9.e+]+ m at \(2, [01], 0\), node \d+, steel \(group surface\)$")

    def test_heat_has_both_ends_of_the_temperature(self):
        got = run("heat", physics="heat", discretization=None, materials="\n  m: {group: surface, k: 2.0}",
                  boundary="\n  - {group: x_min, type: temperature, value: -5.0}\n  - {group: x_max, type: temperature, value: 15.0}")
        self.assertAlmostEqual(peak("heat", "temperature")["value"], 15.0, places=12)
        self.assertEqual(peak("heat", "temperature", "smallest")["value"], -5.0)
        self.assertAlmostEqual(peak("heat", "heat_flux_nodal")["value"], 20.0, places=8)
        self.assertIn("smallest  temperature -5 K at (0, ", got.out)


class Notes(Case):
    def test_a_rigid_support_is_named(self):
        got = run("clamp")
        self.assertEqual(peak("clamp", "von_mises_nodal")["at"][0], 0.0)
        self.assertIn("this point lies on 'x_min' (fixed). At the edge of a rigid support", " ".join(got.out.split()))

    def test_a_plane_of_symmetry_is_none(self):
        got = run("symmetry", boundary="\n  - {group: x_min, type: symmetry}\n  - {group: y_min, type: symmetry}"
                                       "\n  - {group: x_max, type: traction, value: [\"1.0e+6*(2 - y)\", 0.0]}")
        self.assertNotIn("note", got.out)

    def test_a_point_force_is_named(self):
        got = run("point", boundary="\n  - {group: x_min, type: fixed}", loads="\n  - {type: point_force, at: [1.0, 0.5], value: [0.0, 1000.0]}"
                  "\n  - {type: point_force, at: [1.0, 0.25], value: [0.0, -1000.0]}")
        self.assertEqual(peak("point", "von_mises_nodal")["at"][0], 1.0)
        self.assertIn("this point lies at a point force, where the exact stress is infinite", " ".join(got.out.split()))

    def test_an_interface_has_the_values_of_both_sides(self):
        write("two.msh", TWO)
        got = run("between", mesh="{file: two.msh}", materials=MATERIALS % "0.01",
                  boundary="\n  - {group: left, type: symmetry}\n  - {group: corner, type: displacement, y: 0.0}",
                  loads="\n  - {type: thermal, value: 1.0, reference: 0.0, group: soft}")
        p = peak("between", "von_mises_nodal")
        self.assertEqual(p["at"][0], 1.0)
        self.assertRegex(p["note"], r"this point lies between soft and hard: \S+ Pa in soft, \S+ Pa in hard\. ")
        values = [float(v) for v in re.findall(r"(\S+) Pa in", p["note"])]
        self.assertAlmostEqual(max(values) / p["value"], 1.0, places=5)
        self.assertIn("between soft and hard", " ".join(got.out.split()))


class Terminal(Case):
    def test_the_live_line_shows_the_phase_and_leaves_nothing(self):
        big = "{generate: {box: {size: [40.0, 1.0, 1.0], cells: [240, 6, 6], element: hex8}}}"
        name = write("live.yaml", deck_text(DECK, mesh=big, discretization=None, materials="\n  s: {group: volume, E: 1.0, nu: 0.3}",
                                            boundary="\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, 1.0]}",
                                            solver="{preconditioner: none, rtol: 1.0e-6, monitor_every: 5}"))
        main_end, end = pty.openpty()
        with subprocess.Popen([PROGRAM, "run", name, "--out", "live", "--backend", "cpu"], cwd=FOLDER, env=ENVIRONMENT, stdout=end, stderr=end) as process:
            os.close(end)
            text = b""
            while select.select([main_end], [], [], 60)[0]:
                try:
                    text += os.read(main_end, 65536)
                except OSError:  # the other end is closed
                    break
        self.assertEqual(process.returncode, 0, text)
        os.close(main_end)
        lines = text.decode().replace("\r\n", "\n").split("\n")
        live = [part for line in lines for part in line.split("\r\033[K")[:-1] if part]
        self.assertTrue(any(re.match(r"solve +iteration \d+, residual \d\.\d\de[-+]\d\d, \d+ s", part) for part in live), live)
        self.assertTrue(all(len(part) < 80 for part in live), live)
        last = [line.split("\r\033[K")[-1] for line in lines]
        self.assertFalse(any("iteration " in line and "after" not in line for line in last), last)
        self.assertTrue(last[-2].startswith("verdict   VALID"), last)


main()
