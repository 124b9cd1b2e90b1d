"""tests/program/t651_levels.py - output.levels: the nodes of the coarse levels of multigrid as fields, or a warning why there are none

usage: t651_levels.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program or no h5py
"""
# SPDX-License-Identifier: BSD-3-Clause
from program import BACKEND, Case, bandfem, example, main, path_of, read, report, skip, write

try:
    import h5py
    import numpy
except ImportError:
    skip("no h5py (Debian: python3-h5py)")

LEVELS = ("-s", "output.levels=true", "-s", "solver.method=cg", "-s", "solver.preconditioner=multigrid")
BOX = """deck: 1
mesh: {generate: {box: {size: [1.0, 1.0, 1.0], cells: [12, 10, 8], element: hex8}}}
physics: elasticity
materials:
  m: {groups: [volume], E: 2.1e+11, nu: 0.3}
boundary:
  - {group: x_min, type: fixed}
cases:
  a: {boundary: [{group: x_max, type: traction, value: [0.0, 0.0, 1.0e+5]}]}
  b: {boundary: [{group: x_max, type: traction, value: [0.0, 1.0e+5, 0.0]}]}
solver: {method: cg, preconditioner: multigrid}
output: {levels: true}
"""


def run(deck, folder, *words):
    return bandfem("run", deck, *words, "--backend", BACKEND, "--out", folder, status=0)


class Fields:
    """case.hdf: fields of points and cells, and the points of each cell."""
    def __init__(self, folder):
        with h5py.File(path_of(folder, "case.hdf")) as file:
            root = file["VTKHDF"]
            self.point = {k: v[()] for k, v in root["PointData"].items()}
            self.cell = {k: v[()] for k, v in root["CellData"].items()}
            self.x, offsets, points = root["Points"][()], root["Offsets"][()], root["Connectivity"][()]
        self.cells = [points[a:b] for a, b in zip(offsets[:-1], offsets[1:])]
        self.multigrid = report(folder)["solve"]["multigrid"]

    def unknowns(self, level):
        return self.multigrid["levels"][level]["unknowns"]


def pieces(numbers, cells):
    """Connected pieces of the points of each number, by the edges of cells all of whose points are neighbours."""
    parent = list(range(len(numbers)))

    def root(i):
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for cell in cells:
        first = {}
        for p in cell:
            q = first.setdefault(numbers[p], p)
            parent[root(p)] = root(q)
    return len({root(i) for i in range(len(numbers)) if numbers[i] >= 0})


class Aggregates(Case):
    @classmethod
    def setUpClass(cls):
        run(example("flange"), "flange", *LEVELS, "-s", "solver.multigrid.coarsest=100")
        cls.f = Fields("flange")
        cls.one, cls.two = cls.f.point["level_1"], cls.f.point["level_2"]

    def test_every_node_that_is_not_held_is_in_an_aggregate(self):
        held = (self.f.point["displacement"] == 0.0).all(axis=1)
        self.assertTrue(held.any())
        self.assertTrue(((self.one < 0) == held).all())
        self.assertTrue(((self.two < 0) == held).all())

    def test_there_are_as_many_as_the_level_has_rigid_motions(self):
        for level, numbers in ((1, self.one), (2, self.two)):
            there = numpy.unique(numbers[numbers >= 0])
            self.assertEqual(6 * len(there), self.f.unknowns(level))
            self.assertEqual(there.tolist(), list(range(len(there))))

    def test_an_aggregate_is_connected(self):
        self.assertEqual(pieces(self.one, self.f.cells), 1 + int(self.one.max()))

    def test_an_aggregate_of_the_second_level_is_made_of_those_of_the_first(self):
        pairs = {(a, b) for a, b in zip(self.one, self.two)}
        self.assertEqual(len(pairs), len({a for a, _ in pairs}))

    def test_a_cell_has_the_number_of_all_its_nodes(self):
        for name in ("level_1", "level_2"):
            numbers, inside = self.f.point[name], 0
            for cell, value in zip(self.f.cells, self.f.cell[name + "_cell"]):
                same = set(numbers[cell].tolist())
                self.assertEqual(value, same.pop() if len(same) == 1 else -1)
                inside += value >= 0
            self.assertGreater(inside, 0)
        self.assertNotIn("level_1_planes", self.f.point)

    def test_case_vtk_has_the_same_fields(self):
        data = read("flange", "case.vtk")
        for name in (b"level_1", b"level_2", b"level_1_cell", b"level_2_cell"):
            self.assertRegex(data, rb"\n(SCALARS )?" + name + rb" ")

    def test_spectral_aggregates_hold_every_node_that_is_not_held(self):
        run(example("channels"), "channels", *LEVELS, "-s", "solver.multigrid.coarsening=spectral",
            "-s", "solver.multigrid.coarsest=100")
        f = Fields("channels")
        free = numpy.isin(numpy.arange(len(f.x)), numpy.flatnonzero(f.point["temperature"] != 0.0))
        self.assertTrue((f.point["level_1"][free] >= 0).all())
        self.assertGreaterEqual(f.unknowns(1), len(numpy.unique(f.point["level_1"][free])))


class Planes(Case):
    def test_a_node_of_a_lattice_is_counted_by_its_planes(self):
        run(write("box.yaml", BOX), "box", "-s", "solver.multigrid.coarsest=100")
        f = Fields("box")
        for level in (1, 2):
            at, number = f.point[f"level_{level}_planes"], f.point[f"level_{level}"]
            grid = at.max(axis=0) + 1
            self.assertEqual(3 * len(numpy.unique(number)), f.unknowns(level))
            self.assertEqual(3 * grid.prod(), f.unknowns(level))
            self.assertTrue((number == at[:, 0] + grid[0] * (at[:, 1] + grid[1] * at[:, 2])).all())
            along = set()  # which axis each direction of the lattice follows, and that its planes follow each other
            for a in range(3):
                for b in range(3):
                    order = numpy.argsort(f.x[:, b], kind="stable")
                    steps = numpy.diff(at[order, a])
                    if (steps >= 0).all() or (steps <= 0).all():
                        along.add((a, b))
            self.assertEqual(len(along), 3, along)

    def test_planes_of_a_bent_strip_with_random_numbers(self):
        run(example("curved_levels"), "curved")
        f = Fields("curved")
        for level in (1, 2):
            at, cell = f.point[f"level_{level}_planes"], f.cell[f"level_{level}_cell"]
            grid = at.max(axis=0).astype(int) + 1
            self.assertEqual(grid.prod(), f.unknowns(level))
            self.assertEqual(len(numpy.unique(f.point[f"level_{level}"])), f.unknowns(level))
            gaps = [n - 1 for n in grid if n > 1]
            self.assertEqual(len(numpy.unique(cell)), gaps[0] * gaps[1])
            self.assertTrue((cell >= 0).all())
            for value in numpy.unique(cell):  # the cells of a coarse cell are neighbours
                mine = [c for c, v in zip(f.cells, cell) if v == value]
                numbers = numpy.full(len(f.x), -1)
                numbers[numpy.concatenate(mine)] = 0
                self.assertEqual(pieces(numbers, mine), 1)


class NoLevels(Case):
    def none(self, deck, *words):
        path = write("none.yaml", deck)
        line = 1 + deck.split("levels")[0].count("\n")
        answer = run(path, "none", *words)
        self.assertRegex(answer.err, rf"none\.yaml:{line}:\d+: warning W510: output\.levels: no levels are written: ")
        self.assertNotIn(b"level_1", read("none", "case_0000.vtk"))
        return answer

    def test_without_multigrid_a_warning_names_the_line_and_the_reason(self):
        self.says(self.none(BOX, "-s", "solver.preconditioner=jacobi"), 0, "the preconditioner is jacobi; set solver.preconditioner")
        if BACKEND == "cpu":
            self.says(self.none(BOX, "-s", "solver.method=direct"), 0, "method direct needs no preconditioner")

    def test_a_small_matrix_has_no_coarse_level(self):
        self.says(self.none(BOX.replace("[12, 10, 8]", "[3, 3, 3]")), 0, "192 unknowns is its own coarsest level")

    def test_without_the_key_there_is_neither_field_nor_warning(self):
        answer = run(write("plain.yaml", BOX.replace("levels: true", "csv: false")), "plain")
        self.assertNotIn("W510", answer.err)
        self.assertNotIn(b"level_1", read("plain", "case_0000.vtk"))

    def test_other_analyses_have_no_levels(self):
        answer = bandfem("check", example("cantilever_modes"), "-s", "output.levels=true", status=2)
        self.assertIn("E107: 'levels' is not used in analysis modal", answer.err)


if __name__ == "__main__":
    main(first=lambda: bandfem("run", example("heated_block"), "--backend", BACKEND))
