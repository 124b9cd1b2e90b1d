"""tests/program/t512_check.py - bandfem check: its page, setup.vtk read back by VTK, its forecast; and the tables of output.csv

usage: t512_check.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
or no VTK for Python (Debian: apt install python3-vtk9)
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import functools
import io
import json
import math
import os
import re
import unittest

import program
from bad_inputs import deck_text
from program import BUILD, SOURCE, example, main, path_of, peak, read, report, skip, write

try:
    import vtk
except ImportError:
    skip("/usr/bin/python3 has no VTK (Debian: apt install python3-vtk9)")

bandfem = functools.partial(program.bandfem, timeout=120)
BAR = "{generate: {box: {size: [1.0, 0.2, 0.2], cells: [6, 2, 2], element: hex8}}}"
DECK = {"title": "a bar", "mesh": BAR, "physics": "elasticity",
        "materials": "\n  steel: {group: volume, E: 2.1e+11, nu: 0.3, rho: 7850.0}",
        "boundary": "\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: traction, value: [0.0, 0.0, \"-1.0e+6*y\"]}"
                    "\n  - {group: z_max, type: pressure, value: 5.0e+4}",
        "loads": "\n  - {type: gravity, g: [0.0, 0.0, -9.81]}"}
PLATE = {"title": "a plate", "mesh": "{generate: {rectangle: {size: [2.0, 1.0], cells: [4, 2], element: quad8}}}",
         "physics": "heat", "discretization": "{thickness: 0.1}", "materials": "\n  steel: {group: surface, k: 50.0}",
         "boundary": "\n  - {group: x_min, type: temperature, value: \"20 + y\"}"
                     "\n  - {group: x_max, type: flux, value: \"100*y\"}"
                     "\n  - {group: y_max, type: convection, h: 7.0, ambient: 15.0}",
         "loads": "\n  - {type: heat_source, value: 30.0}"}


def deck(name, base=None, **sections):
    return write(name + ".yaml", deck_text(base or DECK, **sections))


def check(name, base=None, *words, **sections):
    return bandfem("check", deck(name, base, **sections), "--out", name, *words)


class Picture:
    """setup.vtk, and below it the cells of setup_sides.vtk, by VTK's own reader."""
    def __init__(self, path):
        self.grid = self.read(path)
        sides = path.replace("setup.vtk", "setup_sides.vtk")
        if os.path.exists(sides):
            self.append(self.read(sides))
        self.points = [self.grid.GetPoint(i) for i in range(self.grid.GetNumberOfPoints())]
        self.cells = range(self.grid.GetNumberOfCells())

    def append(self, other):
        """Both files have the same points."""
        first = [[self.grid.GetCellData().GetArray(i).GetTuple(c) for c in range(self.grid.GetNumberOfCells())]
                 for i in range(self.grid.GetCellData().GetNumberOfArrays())]
        for c in range(other.GetNumberOfCells()):
            self.grid.InsertNextCell(other.GetCellType(c), other.GetCell(c).GetPointIds())
        for i, values in enumerate(first):
            array, more = self.grid.GetCellData().GetArray(i), other.GetCellData().GetArray(i)
            values += [more.GetTuple(c) for c in range(more.GetNumberOfTuples())]
            array.SetNumberOfTuples(len(values))
            for c, value in enumerate(values):
                array.SetTuple(c, value)

    @staticmethod
    def read(path):
        reader, complaints = vtk.vtkUnstructuredGridReader(), []
        for event in ("ErrorEvent", "WarningEvent"):
            reader.AddObserver(event, lambda *_: complaints.append("VTK complains"))
        reader.SetFileName(path)
        reader.Update()
        if complaints:
            raise AssertionError(f"{path}: {complaints}")
        return reader.GetOutput()

    def names(self, data):
        return sorted(data.GetArrayName(i) for i in range(data.GetNumberOfArrays()))

    def values(self, name, on="cell"):
        array = (self.grid.GetCellData() if on == "cell" else self.grid.GetPointData()).GetArray(name)
        return [array.GetTuple(i) for i in range(array.GetNumberOfTuples())]

    def texts(self, name):
        array = self.grid.GetFieldData().GetAbstractArray(name)
        return None if array is None else [array.GetValue(i) for i in range(array.GetNumberOfValues())]

    def middle(self, cell):
        """Mean of the corners, which for these straight cells is the middle."""
        at = self.grid.GetCell(cell)
        count = {22: 3, 23: 4, 21: 2, 24: 4, 25: 8}.get(at.GetCellType(), at.GetNumberOfPoints())
        corners = [self.points[at.GetPointId(i)] for i in range(count)]
        return [sum(p[d] for p in corners) / count for d in range(3)]


class Case(unittest.TestCase):
    def near(self, got, expected, what=""):
        self.assertEqual(len(got), len(expected), what)
        for a, b in zip(got, expected):
            self.assertLessEqual(abs(a - b), 1e-12 * max(1.0, abs(b)), f"{what}: {got} instead of {expected}")


class SetupPicture(Case):
    def test_a_body_shows_every_value_of_its_deck(self):
        got = check("body")
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertEqual(sorted(os.listdir(path_of("body"))), ["setup.vtk", "setup_sides.vtk"])
        for part, dimension in (("setup.vtk", {3}), ("setup_sides.vtk", {2})):
            grid = Picture.read(path_of("body", part))
            self.assertEqual({grid.GetCell(c).GetCellDimension() for c in range(grid.GetNumberOfCells())}, dimension)
        p = Picture(path_of("body/setup.vtk"))
        self.assertEqual((len(p.points), len(p.cells)), (63, 24 + 4 + 4 + 4 * 12))
        self.assertEqual(p.names(p.grid.GetCellData()), ["body_force", "condition_id", "dimension", "group_id", "load_id",
                                                         "material_id", "traction"])
        self.assertEqual(p.names(p.grid.GetPointData()), ["fixed", "nodal_load", "prescribed_displacement"])
        side = {"x_min": 1, "x_max": 2, "z_max": 6}
        for c in p.cells:
            x, solid = p.middle(c), p.grid.GetCell(c).GetCellDimension() == 3
            condition, traction, group = -1, (0.0, 0.0, 0.0), 0
            if not solid:
                group = [x[0] == 0, x[0] == 1, x[1] == 0, x[1] == 0.2, x[2] == 0, x[2] == 0.2].index(True) + 1
            if group == side["x_min"]:
                condition = 0
            elif group == side["x_max"]:
                condition, traction = 1, (0.0, 0.0, -1.0e6 * x[1])
            elif group == side["z_max"]:
                condition, traction = 2, (0.0, 0.0, -5.0e4)
            for name, expected in (("condition_id", [condition]), ("traction", traction), ("group_id", [group]),
                                   ("dimension", [3 if solid else 2]), ("material_id", [0 if solid else -1]),
                                   ("load_id", [0 if solid else -1]),
                                   ("body_force", (0.0, 0.0, -7850.0 * 9.81 if solid else 0.0))):
                self.near(p.values(name)[c], expected, f"cell {c}: {name}")
        for i, x in enumerate(p.points):
            self.near(p.values("fixed", "point")[i], [float(x[0] == 0.0)] * 3)
            self.near(p.values("prescribed_displacement", "point")[i], [0.0] * 3)
        load = [sum(v[d] for v in p.values("nodal_load", "point")) for d in range(3)]
        self.near(load, [0.0, 0.0, -1.0e6 * 0.1 * 0.04 - 5.0e4 * 0.2 - 7850.0 * 9.81 * 0.04])
        self.assertEqual(p.texts("conditions"), ["0: line 8: fixed on x_min", "1: line 9: traction [0, 0, \"-1.0e+6*y\"] on x_max",
                                                 "2: line 10: pressure 50000 on z_max"])
        self.assertEqual(p.texts("materials"), ["0: steel: E 2.1e+11, nu 0.3, rho 7850 on volume"])
        self.assertEqual(p.texts("loads"), ["0: line 12: gravity [0, 0, -9.81] on the whole body"])
        self.assertEqual(p.texts("groups")[:2], ["0: volume (3-D)", "1: x_min (2-D)"])
        self.assertEqual((p.texts("case"), p.texts("status")), (["a bar"], ["setup: not solved"]))
        self.assertEqual((p.texts("unit_traction"), p.texts("unit_body_force")), (["N/m2"], ["N/m3"]))

    def test_a_plate_shows_every_value_of_its_deck(self):
        got = check("plate", PLATE)
        self.assertEqual((got.status, got.err), (0, ""))
        p = Picture(path_of("plate/setup.vtk"))
        for c in p.cells:
            x, face = p.middle(c), p.grid.GetCell(c).GetCellDimension() == 2
            self.assertEqual(p.grid.GetCellType(c), 23 if face else 21)
            left, right, top = (not face and hit for hit in (x[0] == 0, x[0] == 2, x[1] == 1))
            for name, expected in (("condition_id", 0 if left else 1 if right else 2 if top else -1),
                                   ("flux", 100.0 * x[1] if right else 0.0), ("convection_h", 7.0 if top else 0.0),
                                   ("ambient", 15.0 if top else 0.0), ("heat_source", 30.0 if face else 0.0),
                                   ("material_id", 0 if face else -1), ("dimension", 2 if face else 1)):
                self.near(p.values(name)[c], [expected], f"cell {c}: {name}")
        for i, x in enumerate(p.points):
            self.near(p.values("fixed", "point")[i], [float(x[0] == 0.0)])
            self.near(p.values("prescribed_temperature", "point")[i], [20.0 + x[1] if x[0] == 0.0 else 0.0])
        self.near([sum(v[0] for v in p.values("nodal_load", "point"))], [0.1 * (50.0 + 30.0 * 2.0)])

    def test_springs_temperatures_and_forces_at_a_place_are_shown(self):
        got = check("held", materials="\n  steel: {group: volume, E: 2.1e+5, nu: 0.3, alpha: 1.2e-5}",
                    units="{system: mm-N-MPa-t}",
                    boundary="\n  - {group: x_min, type: spring, value: [\"2 + y\", 3.0, 4.0]}"
                             "\n  - {group: x_max, type: spring, value: 5.0}",
                    loads="\n  - {type: thermal, value: \"20 + 10*x\", reference: 20}"
                          "\n  - {type: point_force, at: [1.0, 0.1, 0.2], value: [0, 0, -7]}")
        self.assertEqual((got.status, got.err), (0, ""))
        for line in ("spring [\"2 + y\", 3, 4] on x_min: 4 elements", "spring 5 on x_max", "0.04 mm2",
                     "thermal \"20 + 10*x\", reference 20, on the whole body", "steel: E 210000, nu 0.3, alpha 1.2e-05",
                     "point_force [0, 0, -7] at (1, 0.1, 0.2), total (0, 0, -7) N",
                     "0 of 189 unknowns prescribed (x 0, y 0, z 0), springs on 8 faces", "rigid-body motions left: none"):
            self.assertIn(line, got.out)
        p = Picture(path_of("held/setup.vtk"))
        for c, k, t in zip(p.cells, p.values("spring_stiffness"), p.values("thermal_temperature")):
            x, solid = p.middle(c), p.grid.GetCell(c).GetCellDimension() == 3
            end = not solid and x[0] in (0.0, 1.0)
            self.near(k, (0.0, 0.0, 0.0) if not end else (5.0, 5.0, 5.0) if x[0] else (2.0 + x[1], 3.0, 4.0), "spring")
            self.near(t, (20.0 + 10.0 * x[0] if solid else 0.0,), "temperature")
        self.assertEqual(p.texts("unit_spring_stiffness"), ["N/mm3"])
        self.assertEqual(sum(f[2] for f in p.values("nodal_load", "point")), -7.0)

    def test_points_of_groups_are_cells_too(self):
        lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", '2 1 "plate"', '0 2 "corner"',
                 "$EndPhysicalNames", "$Nodes", "4", "1 0 0 0", "2 1 0 0", "3 1 1 0", "4 0 1 0", "$EndNodes", "$Elements", "3",
                 "1 15 2 2 2 1", "2 2 2 1 1 1 2 3", "3 2 2 1 1 1 3 4", "$EndElements", ""]
        write("corner.msh", "\n".join(lines))
        got = check("corner", PLATE, mesh="{file: corner.msh}", materials="\n  m: {group: plate, k: 1.0}", loads=None,
                    boundary="\n  - {group: corner, type: temperature, value: 3.0}")
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertIn("temperature 3 on corner: 1 node", got.out)
        p = Picture(path_of("corner/setup.vtk"))
        self.assertEqual([p.grid.GetCellType(c) for c in p.cells], [5, 5, 1])
        self.assertEqual([v[0] for v in p.values("condition_id")], [-1.0, -1.0, 0.0])
        self.assertEqual([v[0] for v in p.values("fixed", "point")], [1.0, 0.0, 0.0, 0.0])

    def test_a_model_with_mistakes_is_shown_with_what_is_known(self):
        for name, code, sections in (
                ("free", "E301", {"boundary": "\n  - {group: x_max, type: pressure, value: 1.0}"}),
                ("slides", "E301", {"boundary": "\n  - {group: x_min, type: symmetry}"}),
                ("clash", "E302", {"boundary": "\n  - {group: x_min, type: fixed}\n  - {group: y_min, type: displacement, x: 1.0}"}),
                ("light", "E304", {"materials": "\n  steel: {group: volume, E: 2.1e+11, nu: 0.3}"})):
            got = check(name, **sections)
            self.assertEqual(got.status, 3, got.err)
            self.assertIn(code, got.err)
            self.assertIn(f"{name}/setup.vtk", got.out)
            self.assertNotIn(": OK, ", got.out)
            self.assertEqual("under-constrained: see E301" in got.out, code == "E301")
            self.assertNotIn("rigid-body motions left: none", got.out)
            p = Picture(path_of(name + "/setup.vtk"))
            self.assertEqual(sum(v[0] == 0.0 for v in p.values("material_id")), 24)
            self.assertEqual(p.grid.GetPointData().HasArray("nodal_load"), int(code == "E301"))

    def test_elements_without_a_material_are_shown(self):
        folder = os.path.join(SOURCE, "inputs/meshes")
        got = check("bare", mesh=f"{{file: {folder}/cantilever_hex20.msh}}", materials="\n  m: {group: beam, E: 1.0, nu: 0.3}",
                    boundary="\n  - {group: clamp, type: fixed}", loads=None)
        self.assertEqual(got.status, 0, got.err)
        self.assertNotIn("material_id -1", got.out)
        lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", "2", '2 1 "a"', '2 2 "b"', "$EndPhysicalNames",
                 "$Nodes", "4", "1 0 0 0", "2 1 0 0", "3 1 1 0", "4 0 1 0", "$EndNodes", "$Elements", "2",
                 "1 2 2 1 1 1 2 3", "2 2 2 2 2 1 3 4", "$EndElements", ""]
        write("ab.msh", "\n".join(lines))
        got = check("ab", PLATE, mesh="{file: ab.msh}", materials="\n  m: {group: a, k: 1.0}", boundary=None, loads=None)
        self.assertEqual(got.status, 3)
        self.assertIn("E205", got.err)
        self.assertIn("no material: 1 elements (material_id -1)", got.out)
        self.assertEqual(sorted(v[0] for v in Picture(path_of("ab/setup.vtk")).values("material_id")), [-1.0, 0.0])

    def test_nothing_is_written_for_mistakes_of_deck_and_mesh(self):
        for name, status, sections in (("key", 2, {"solver": "{methud: cg}"}), ("mesh", 3, {"mesh": "{file: gone.msh}"}),
                                       ("group", 3, {"boundary": "\n  - {group: x_minn, type: fixed}"}),
                                       ("probe", 2, {"output": "{probes: {p: {at: [9.0, 0.0, 0.0]}}}"})):
            got = check(name, **sections)
            self.assertEqual(got.status, status, got.err)
            self.assertNotIn("setup.vtk", got.out)
            self.assertFalse(os.path.exists(path_of(name)), name)

    def test_a_formula_of_a_load_without_a_value_is_told_with_its_place(self):
        got = check("formula", boundary="\n  - {group: x_min, type: fixed}\n  - {group: x_max, type: pressure, value: \"1/(x-1)\"}")
        self.assertEqual(got.status, 3)
        self.assertRegex(got.err, r"^formula.yaml:9:\d+: error E319: ")

    def test_a_folder_that_cannot_be_written_is_exit_7(self):
        write("way", "x")
        got = check("way")
        self.assertEqual(got.status, 7, got.err)
        self.assertIn("error E601: cannot create folder 'way': a file has this name", got.err)
        os.makedirs(path_of("occupied/setup.vtk"), exist_ok=True)
        got = check("occupied")
        self.assertEqual(got.status, 7, got.err)
        self.assertIn("error E601: cannot write 'occupied/setup.vtk': ", got.err)
        self.assertNotIn("picture", got.out)
        self.assertEqual(os.listdir(path_of("occupied")), ["setup.vtk"])

    def test_the_folder_is_the_decks_where_the_command_line_names_none(self):
        self.assertEqual(bandfem("check", deck("own", output="{dir: deep/er}"), "--quiet").status, 0)
        self.assertEqual(sorted(os.listdir(path_of("deep/er"))), ["setup.vtk", "setup_sides.vtk"])
        self.assertEqual(bandfem("check", deck("own2"), "--quiet").out, "")
        self.assertTrue(os.path.exists(path_of("out/own2/setup.vtk")))


class Page(Case):
    def test_the_format_taken_is_the_one_of_the_least_expected_time(self):
        for name in ("cantilever", "cantilever_hex8", "kirsch", "gfem_disc", "heated_pipe", "duct", "measured_conductivity"):
            got = bandfem("check", example(name))
            self.assertEqual(got.status, 0, got.err)
            lines = got.out.splitlines()
            head = next(i for i, line in enumerate(lines) if "us predicted on the CPU" in line)
            rows = []  # format, bytes a nonzero, expected time, chosen
            for line in lines[head + 1:]:
                row = re.fullmatch(r" {8,}(\S.*?)  +([\d.]+) +[\d.]+ +[\d.]+ +([\d.e+]+)( +<- chosen)?", line)
                if not row:
                    break
                rows.append((row[1], float(row[2]), float(row[3]), bool(row[4])))
            self.assertGreaterEqual(len(rows), 2, got.out)
            chosen = [row for row in rows if row[3]]
            self.assertEqual(len(chosen), 1, got.out)
            self.assertEqual(chosen[0][2], min(row[2] for row in rows), (name, rows))
            plain = {row[0].split(",")[0]: row for row in rows}
            self.assertLess(plain["csr16"][1], plain["csr"][1], name)

    def test_it_tells_groups_materials_conditions_and_loads(self):
        got = check("page")
        for line in ("deck      a bar", "problem   physics elasticity, analysis static", "bounds    from (0, 0, 0) to (1, 0.2, 0.2) m",
                     "          volume                      3        24        63  0.04 m3",
                     "          x_max                       2         4         9  0.04 m2",
                     "materials steel: E 2.1e+11, nu 0.3, rho 7850 on volume: 24 elements, 63 nodes, 0.04 m3",
                     "boundary  line 8: fixed on x_min: 4 elements, 9 nodes, 0.04 m2",
                     "          line 10: pressure 50000 on z_max: 12 elements, 21 nodes, 0.2 m2, total (0, 0, -10000) N",
                     "loads     line 12: gravity [0, 0, -9.81] on the whole body: 24 elements, 63 nodes, 0.04 m3, total (0, 0, -3080.34) N",
                     "          total of all loads: (0, 0, -17080.3) N",
                     "supports  27 of 189 unknowns prescribed (x 9, y 9, z 9)", "          rigid-body motions left: none",
                     "picture   page/setup.vtk (body) and setup_sides.vtk show materials, conditions and loads"):
            self.assertIn(line + "\n", got.out)
        self.assertRegex(got.out, r"line 9: traction .* on x_max: .* 0.04 m2, total \(.*, -4000\) N\n")
        self.assertIn("page.yaml: OK, 0 warnings\n", got.out)

    def test_a_deck_that_loads_nothing_is_told_so(self):
        said = "the solution is 0 everywhere"
        held = "\n  - {group: x_min, type: fixed}"
        self.assertIn(said, check("idle", loads=None, boundary=held).out)
        self.assertNotIn(said, check("idle", boundary=held).out)
        self.assertNotIn(said, check("idle", loads=None, boundary=held + "\n  - {group: x_max, type: displacement, x: 1.0e-3}").out)
        self.assertNotIn(said, check("idle", PLATE, loads=None, boundary="\n  - {group: y_max, type: convection, h: 7.0, ambient: 15.0}").out)

    def test_the_loads_are_those_that_a_run_balances(self):
        self.assertEqual(bandfem("run", deck("same"), "--quiet", "--out", "same").status, 0)
        reaction = report("same")["reactions"]
        total = re.search(r"total of all loads: \((.*)\) N", check("same2").out).group(1).split(", ")
        text = json.dumps(reaction)
        self.assertIn("x_min", text)
        self.assertAlmostEqual(float(total[2]), -17080.34, delta=0.05)
        self.assertTrue(re.search(r"17080\.3\d", text), text)


class Forecast(Case):
    def numbers(self, out, label):
        return [float(v) for v in re.findall(r"[0-9.]+", re.search(rf"(?m)^          {label} +(.*)$", out).group(1))]

    def test_sizes_of_files_are_those_of_a_run(self):
        for name, base, sections in (("big", None, {"mesh": BAR.replace("[6, 2, 2]", "[30, 12, 12]")}),
                                     ("few", None, {"mesh": BAR.replace("[6, 2, 2]", "[30, 12, 12]"),
                                                    "output": "{fields: [displacement]}"}),
                                     ("hot", PLATE, {"mesh": PLATE["mesh"].replace("[4, 2]", "[80, 80]")})):
            out = check(name, base, **sections).out
            self.assertEqual(bandfem("run", name + ".yaml", "--quiet", "--out", name).status, 0)
            for file in ("case.vtk", "case.hdf"):
                number, unit = re.search(rf"{re.escape(file)} ([0-9.e+]+) (\w+)", out).groups()
                told, size = float(number) * {"KiB": 1024, "MiB": 1 << 20}[unit], os.path.getsize(path_of(f"{name}/{file}"))
                self.assertLess(abs(told - size), 0.05 * size, f"{name}/{file}: {told} told, {size} written")

    def test_the_peak_of_a_run_on_the_cpu_is_foreseen(self):
        if b"BANDFEM_SANITIZE:BOOL=ON" in read(BUILD, "CMakeCache.txt"):
            self.skipTest("sanitizers take memory of their own")
        name = deck("peak", mesh=BAR.replace("[6, 2, 2]", "[48, 48, 48]"), matrix="{format: csr}", device="{backend: cpu}",
                    solver="{max_iterations: 2, on_failure: warn}")
        out = bandfem("check", name, "--out", "peak").out
        told = self.numbers(out, "peak")[0]
        matrix = self.numbers(out, "matrix")[0]
        got, kib, _ = peak("run", name, "--out", "peak", "--quiet")
        self.assertEqual(got.status, 0, got.err)
        self.assertLess(abs(told - kib / 1024), 0.2 * kib / 1024)
        self.assertLess(abs(report("peak")["matrix"]["bytes"] / (1 << 20) - matrix), 0.01 * matrix + 0.06)

    def test_a_forecast_for_a_gpu_needs_none(self):
        got = check("gpu", device="{backend: cuda}")
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertEqual(len(self.numbers(got.out, "peak")), 3)
        self.assertRegex(got.out, "fits a GPU with .* MiB available; without a GPU a run ends with E403|fits into the memory of the GPU")

    def test_memory_that_cannot_suffice_is_an_error_before_the_run(self):
        with open("/proc/meminfo", encoding="utf-8") as file:
            available = 1024 * int(re.search(r"MemAvailable: +(\d+)", file.read()).group(1))
        got = check("tight", mesh=BAR.replace("[6, 2, 2]", "[12, 12, 12]"), device=f"{{backend: cpu, memory_limit: {1.0e6 / available:.3e}}}")
        self.assertEqual(got.status, 4, got.err)
        self.assertRegex(got.err, r"tight.yaml:\d+:\d+: error E401: the run needs .* on the cpu backend \(matrix .*may be used")
        self.assertNotIn(": OK, ", got.out)
        self.assertEqual(sorted(os.listdir(path_of("tight"))), ["setup.vtk", "setup_sides.vtk"])


class Tables(Case):
    def read(self, path):
        return list(csv.reader(io.StringIO(read(path).decode(), newline=""), strict=True))

    def test_csv_tables_read_back_with_pythons_csv(self):
        name = deck("tables", output="{csv: true, probes: {tip: {at: [1.0, 0.1, 0.1], fields: [displacement, stress_nodal, "
                    "von_mises_nodal]}}}", checks="\n  - {quantity: reaction.x_min.z, expect: 17080.34, rtol: 1.0e-6}"
                    "\n  - {quantity: \"integral(von_mises, volume)\", report: true}\n  - {quantity: iterations, expect: 3, atol: 1.0e+3}")
        got = bandfem("run", name, "--out", "tables")
        self.assertEqual((got.status, got.err), (0, ""))
        self.assertRegex(got.out, r"(?m)^files     tables/: .*, probes.csv, reactions.csv, checks.csv$")
        told = report("tables")
        rows = self.read("tables/probes.csv")
        self.assertEqual(rows[0], ["name", "field", "component", "x", "y", "z", "value", "unit"])
        self.assertEqual([r[:3] for r in rows[1:]], [["tip", "displacement", c] for c in "xyz"] +
                         [["tip", "stress_nodal", c] for c in ("xx", "yy", "zz", "xy", "yz", "xz")] + [["tip", "von_mises_nodal", ""]])
        self.assertEqual({(r[1], r[7]) for r in rows[1:]}, {("displacement", "m"), ("stress_nodal", "Pa"), ("von_mises_nodal", "Pa")})
        self.assertEqual([float(v) for v in rows[1][3:6]], [1.0, 0.1, 0.1])
        written = [v for probe in told["probes"] for v in (probe["value"] if isinstance(probe["value"], list) else [probe["value"]])]
        self.assertEqual([float(r[6]) for r in rows[1:]], written)
        rows = self.read("tables/reactions.csv")
        self.assertEqual(rows[0], ["group", "x", "y", "z", "unit"])
        self.assertEqual((len(rows), rows[1][0], rows[1][4]), (2, "x_min", "N"))
        self.assertAlmostEqual(float(rows[1][3]), 17080.34, delta=1e-3)
        rows = self.read("tables/checks.csv")
        self.assertEqual(rows[0], ["quantity", "expected", "got", "tolerance", "relative", "passed"])
        self.assertEqual([r[0] for r in rows[1:]], ["reaction.x_min.z", "integral(von_mises, volume)", "iterations"])
        self.assertEqual([(r[1], r[3], r[4], r[5]) for r in rows[2:]], [("", "", "", ""), ("3", "1000", "false", "true")])
        self.assertEqual((float(rows[1][1]), float(rows[1][3]), rows[1][4:]), (17080.34, 1e-6, ["true", "true"]))
        self.assertEqual([float(r[2]) for r in rows[1:]], [c["got"] for c in told["checks"]])

    def test_a_heat_run_has_one_column_of_reactions_and_a_failed_check_says_so(self):
        name = deck("warm", PLATE, output="{csv: true}", checks="\n  - {quantity: max(temperature), expect: 1.0, atol: 0.5}")
        self.assertEqual(bandfem("run", name, "--quiet", "--out", "warm").status, 6)
        rows = self.read("warm/reactions.csv")
        self.assertEqual((rows[0], rows[1][0], rows[1][2]), (["group", "value", "unit"], "x_min", "W"))
        self.assertTrue(math.isfinite(float(rows[1][1])))
        self.assertEqual(self.read("warm/checks.csv")[1][5], "false")
        self.assertEqual(self.read("warm/probes.csv"), [["name", "field", "component", "x", "y", "z", "value", "unit"]])

    def test_without_the_key_there_are_no_tables(self):
        self.assertEqual(bandfem("run", deck("plain"), "--quiet", "--out", "plain").status, 0)
        self.assertEqual([f for f in os.listdir(path_of("plain")) if f.endswith(".csv")], ["residuals.csv"])

    def test_names_with_commas_and_quotes_are_quoted(self):
        mesh = read(SOURCE, "inputs/meshes/cantilever_hex20.msh")
        self.assertIn(b'"clamp"', mesh)
        write("odd.msh", mesh.replace(b'"clamp"', b'"a, b; c"'))
        name = deck("odd", mesh="{file: odd.msh}", materials="\n  m: {group: beam, E: 1.0, nu: 0.3}", loads=None,
                    boundary="\n  - {group: \"a, b; c\", type: fixed}\n  - {group: tip, type: pressure, value: 1.0}", output="{csv: true}")
        self.assertEqual(bandfem("run", name, "--quiet", "--out", "odd").status, 0)
        self.assertEqual(self.read("odd/reactions.csv")[1][0], "a, b; c")


if __name__ == "__main__":
    main()
