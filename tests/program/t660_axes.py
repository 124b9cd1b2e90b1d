"""tests/program/t660_axes.py - conditions in skew directions through the whole program: a turned block has the frequencies, iterations and
load cases of the block with sides along x, y, z; errors of decks with axes

usage: t660_axes.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import unittest

from program import BACKEND, FOLDER, bandfem, main, report, write

N = 10  # cells of an edge
C, S = math.cos(0.5), math.sin(0.5)


def turned(x, y, z):
    """About z by 0.5, then about x by 0.5."""
    x, y = C * x - S * y, S * x + C * y
    return x, C * y - S * z, S * y + C * z


def mesh(turn, quadratic=False):
    """The block 2 x 1 x 1 of hex8 or hex20 as .msh 2.2: groups body, x_min, x_max, y_min, z_min."""
    n, step = (N // 2, 2) if quadratic else (N, 1)
    number, nodes, elements = {}, [], []

    def node(i, j, k):
        if (i, j, k) not in number:
            number[i, j, k] = len(number) + 1
            x = 2.0 * i / (n * step), j / (n * step), k / (n * step)
            nodes.append("%d %.17g %.17g %.17g" % (number[i, j, k], *(turned(*x) if turn else x)))
        return number[i, j, k]

    corner = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]
    edge = [(0, 1), (0, 3), (0, 4), (1, 2), (1, 5), (2, 3), (2, 6), (3, 7), (4, 5), (4, 7), (5, 6), (6, 7)]
    side = {2: (0, 3, 7, 4), 3: (1, 2, 6, 5), 4: (0, 1, 5, 4), 5: (0, 1, 2, 3)}
    for i, j, k in ((i, j, k) for i in range(n) for j in range(n) for k in range(n)):
        at = [(step * (i + a), step * (j + b), step * (k + c)) for a, b, c in corner]
        middle = lambda p, q: node(*((at[p][d] + at[q][d]) // 2 for d in range(3)))
        ids = [node(*p) for p in at] + ([middle(p, q) for p, q in edge] if quadratic else [])
        elements.append((17 if quadratic else 5, 1, ids))
        for group, face in side.items():
            if (group == 2 and i) or (group == 3 and i < n - 1) or (group == 4 and j) or (group == 5 and k):
                continue
            ids = [node(*at[p]) for p in face]
            ids += [middle(face[p], face[(p + 1) % 4]) for p in range(4)] if quadratic else []
            elements.append((16 if quadratic else 3, group, ids))
    names = ['3 1 "body"'] + ['2 %d "%s"' % g for g in ((2, "x_min"), (3, "x_max"), (4, "y_min"), (5, "z_min"))]
    lines = ["%d %d 2 %d %d %s" % (e, t, g, g, " ".join(map(str, ids))) for e, (t, g, ids) in enumerate(elements, 1)]
    sections = [("MeshFormat", ["2.2 0 8"]), ("PhysicalNames", [str(len(names))] + names),
                ("Nodes", [str(len(nodes))] + nodes), ("Elements", [str(len(lines))] + lines)]
    return "".join(f"${name}\n" + "\n".join(text) + f"\n$End{name}\n" for name, text in sections)


AXES = "[%s]" % ", ".join("%.17g" % v for v in turned(1, 0, 0)), "[%s]" % ", ".join("%.17g" % v for v in turned(0, 1, 0))
HEAD = """deck: 1
mesh: {file: %s}
physics: elasticity
axes:
  - {name: body, type: rectangular, x: %s, xy: %s}
materials:
  m: {group: body, E: 2.0e+11, nu: 0.3, rho: 8000.0}
boundary:
  - {groups: [x_min, y_min, z_min], type: symmetry}
"""


def deck(path, text, mesh_file):
    x, xy = AXES if mesh_file.startswith("turned") else ("[1, 0, 0]", "[1, 1, 0]")
    return write(path, HEAD % (mesh_file, x, xy) + text)


STATIC = """  - {group: x_max, type: traction, axes: body, value: [1.0e+6, 0.0, 2.0e+6]}
solver: {method: cg, preconditioner: %s, multigrid: {coarsening: %s}, rtol: 1.0e-10}
output: {axes: body, probes: {corner: {at: [%s], fields: [displacement_axes, stress_nodal_axes]}}}
checks:
  - {quantity: probe.corner.displacement_axes.x, report: true}
  - {quantity: probe.corner.displacement_axes.z, report: true}
  - {quantity: probe.corner.stress_nodal_axes.xx, report: true}
  - {quantity: max(displacement_axes), report: true}
  - {quantity: iterations, report: true}
  - {quantity: balance.force, expect: 0.0, atol: 1.0e-8}
  - {quantity: balance.moment, expect: 0.0, atol: 1.0e-8}
"""


def values(out):
    return [c["got"] for c in report(out)["checks"]]


class Turned(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        for turn in (0, 1):
            for quadratic in (0, 1):
                write(f"{'turned' if turn else 'plain'}{quadratic}.msh", mesh(turn, quadratic))

    def both(self, name, text, quadratic, *words):
        found = []
        for kind in ("plain", "turned"):
            at = turned(2, 1, 1) if kind == "turned" else (2, 1, 1)
            body = text.replace("PLACE", "%.15g, %.15g, %.15g" % tuple(0.9999 * v for v in at))
            bandfem("run", deck(f"{kind}_{name}.yaml", body, f"{kind}{quadratic}.msh"), "--backend", BACKEND, "--out",
                    f"{kind}_{name}", *words, status=0)
            found.append(values(f"{kind}_{name}"))
        return found

    def test_static_results_agree_for_every_preconditioner_and_multigrid_needs_no_more_iterations(self):
        for quadratic in (0, 1):
            for precond, coarsening in (("jacobi", None), ("multigrid", "aggregates"), ("multigrid", "spectral"), ("block_jacobi", None)):
                text = STATIC % (precond, coarsening, "PLACE")
                if not coarsening:
                    text = text.replace(", multigrid: {coarsening: None}", "")
                plain, turn = self.both(f"{precond}{coarsening}{quadratic}", text, quadratic)
                for a, b in zip(plain[:4], turn[:4]):
                    self.assertLess(abs(a - b), 2e-7 * max(abs(a), abs(b)), (precond, quadratic, plain, turn))
                if precond == "multigrid":
                    self.assertLessEqual(turn[4], plain[4] + 1, (quadratic, plain, turn))

    def test_a_modal_analysis_has_the_same_frequencies_and_masses(self):
        text = """analysis: {type: modal, modes: 4}
eigensolver: {method: lobpcg, preconditioner: multigrid}
output: {axes: body}
checks:
""" + "".join(f"  - {{quantity: mode({k}).frequency, report: true}}\n" for k in range(1, 5)) + """
  - {quantity: max(mode.orthogonality), expect: 0.0, atol: 1.0e-8}
"""
        plain, turn = self.both("modes", text, 0)
        for a, b in zip(plain[:4], turn[:4]):
            self.assertLess(abs(a - b), 1e-6 * a)

    def test_load_cases_share_the_turned_matrix(self):
        text = """cases:
  pull: {boundary: [{group: x_max, type: traction, axes: body, value: [1.0e+6, 0.0, 0.0]}]}
  shear: {boundary: [{group: x_max, type: traction, axes: body, value: [0.0, 0.0, 1.0e+6]}]}
  both: {sum: {pull: 1.0, shear: 2.0}}
solver: {rtol: 1.0e-10}
output: {axes: body, probes: {corner: {at: [PLACE], fields: [displacement_axes]}}}
checks:
  - {quantity: probe.corner.displacement_axes.x, report: true}
  - {quantity: probe.corner.displacement_axes.z, report: true}
"""
        plain, turn = self.both("cases", text, 0)
        self.assertEqual(len(plain), 6)
        for a, b in zip(plain, turn):
            self.assertLess(abs(a - b), 1e-6 * max(map(abs, plain)))

    def test_the_matrix_is_exported_with_its_directions(self):
        bandfem("matrix", deck("export.yaml", "", "turned0.msh"), "--rows", "rows.csv", status=0)
        with open(os.path.join(FOLDER, "rows.csv"), encoding="utf-8") as file:
            rows = [line.split(",") for line in file.read().split()[1:]]
        self.assertEqual(sorted({r[2] for r in rows}), ["1", "2", "3", "x", "y", "z"])


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        write("plain0.msh", mesh(0))

    def refused(self, text, code, *words, status=2):
        answer = bandfem("check", deck("wrong.yaml", text, "plain0.msh"), status=status)
        self.assertIn(f"error E{code}", answer.err)
        for word in words:
            self.assertIn(word, answer.err)

    def test_unknown_axes_are_named_with_those_of_the_deck(self):
        self.refused("  - {group: x_max, type: traction, axes: hub, value: [1, 0, 0]}\n", 108, "'hub'", "the deck has: body")

    def test_components_fit_the_axes(self):
        self.refused("  - {group: x_max, type: displacement, axes: body, r: 0}\n", 106, "'r' is a component in cylindrical axes")
        self.refused("  - {group: x_max, type: displacement, t: 0}\n", 106, "'t' is a component in cylindrical axes")
        self.refused("output: {axes: body}\nchecks:\n  - {quantity: max(stress.rr), report: true}\n", 108,
                     "axes 'body' are rectangular")
        self.refused("checks:\n  - {quantity: max(stress.rr), report: true}\n", 108, "need 'output.axes'")

    def test_a_flexibility_matrix_has_no_unknowns_in_frames(self):
        write("turned0.msh", mesh(1))
        answer = bandfem("check", deck("flexible.yaml", "output: {flexibility: [x_min]}\n", "turned0.msh"), status=2)
        self.assertIn("error E107: output.flexibility", answer.err)
        self.assertIn("in directions other than x, y and z", answer.err)

    def test_a_force_with_an_area_gets_a_hint(self):
        self.refused("  - {group: x_max, type: force, value: [1, 0, 0], area: 2.0}\n", 101, "total force in N", "type traction")

    def test_a_force_in_cylindrical_axes_has_no_moment(self):
        text = "  - {group: x_max, type: force, axes: hub, value: [1, 0, 0], moment: [0, 0, 1]}\n"
        path = write("force.yaml", (HEAD % ("plain0.msh", *AXES) + text).replace(
            "materials:", "  - {name: hub, type: cylindrical, origin: [0, -3, 0], axis: [1, 0, 0]}\nmaterials:"))
        self.assertIn("error E318", bandfem("check", path, status=3).err)


if __name__ == "__main__":
    main()
