"""tests/program/t573_flexibility.py - output.flexibility and solver.method: inverse as their user meets them

usage: t573_flexibility.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device

A column of the flexibility matrix is compared with a run of the same deck under one unit force, every column of small parts;
the three ways to the matrix with each other.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import functools
import os
import re
import unittest

import program
from bad_inputs import deck_text, plate
from program import BACKEND, displacement, has_device, main, path_of, read, report, write

bandfem = functools.partial(program.bandfem, timeout=100)
PLANE = {"mesh": "{generate: {rectangle: {size: [1.0, 0.5], cells: [4, 2], element: quad4}}}", "physics": "elasticity",
         "discretization": "{space: plane_stress, thickness: 0.1}",
         "materials": "\n  steel: {group: surface, E: 2.0e+3, nu: 0.3}", "boundary": "\n  - {group: x_min, type: fixed}",
         "solver": "{rtol: 1.0e-13}", "output": "{flexibility: [x_max]}"}
SOLID = {**PLANE, "mesh": "{generate: {box: {size: [1.0, 0.5, 0.4], cells: [3, 1, 1], element: hex8}}}",
         "discretization": None, "materials": "\n  steel: {group: volume, E: 2.0e+3, nu: 0.3}"}
HEAT = {"mesh": PLANE["mesh"], "physics": "heat", "discretization": "{thickness: 0.1}",
        "materials": "\n  m: {group: surface, k: 3.0}",
        "boundary": "\n  - {group: x_min, type: temperature, value: 20.0}\n  - {group: y_max, type: convection, h: 2.0, ambient: 5.0}",
        "solver": "{rtol: 1.0e-13}", "output": "{flexibility: [x_max]}"}
BIG = "{generate: {rectangle: {size: [1.0, 0.5], cells: [48, 24], element: quad4}}}"  # 2450 unknowns


def run(name, base, *words, **sections):
    write(name + ".yaml", deck_text(base, **sections))
    return bandfem("run", "--verbose", name + ".yaml", "--backend", BACKEND, "--out", name, *words)


def rows_of(folder):
    return list(csv.DictReader(read(folder, "flexibility.csv").decode().splitlines()))


def matrix_of(folder):
    """The matrix, whole, from the symmetric array."""
    lines = read(folder, "flexibility.mtx").decode("ascii").splitlines()
    assert lines[0] == "%%MatrixMarket matrix array real symmetric", lines[0]
    body = [line for line in lines[1:] if not line.startswith("%")]
    n = int(body[0].split()[0])
    values = iter(body[1:])
    F = [[0.0] * n for _ in range(n)]
    for j in range(n):
        for i in range(j, n):
            F[i][j] = F[j][i] = float(next(values))
    return F


class Case(program.Case):
    def made(self, answer):
        self.assertEqual((answer.status, answer.err), (0, ""), answer.out)
        return answer

    def near(self, F, G, tolerance):
        size = max(abs(x) for row in G for x in row)
        worst = max(abs(x - y) for a, b in zip(F, G, strict=True) for x, y in zip(a, b, strict=True))
        self.assertLessEqual(worst, tolerance * size)


class Columns(Case):
    def single_loads(self, base, dimension, tolerance=1e-9, **sections):
        """Every column by a run with a unit force at the place of its row."""
        self.made(run("whole", base, "--quiet", **sections))
        rows, F = rows_of("whole"), matrix_of("whole")
        self.assertEqual(len(rows), len(F))
        self.assertEqual([int(r["row"]) for r in rows], list(range(1, len(F) + 1)))
        for j, row in enumerate(rows):
            force = [1.0 if row["component"] == axis else 0.0 for axis in "xyz"[:dimension]]
            place = [float(row[axis]) for axis in "xyz"[:dimension]]
            self.made(run("one", base, "--quiet", output=None, loads=f"\n  - {{type: point_force, value: {force}, at: {place}}}",
                          **{k: v for k, v in sections.items() if k != "output"}))
            u = displacement("one")
            got = [u[3 * (int(r["node"]) - 1) + "xyz".index(r["component"])] for r in rows]
            size = max(abs(x) for x in got)
            for i, x in enumerate(got):
                self.assertAlmostEqual(F[i][j], x, delta=tolerance * size, msg=f"{i} {j}")
        return rows, F

    def test_columns_of_a_plane_part_are_single_load_cases(self):
        rows, _ = self.single_loads(PLANE, 2)
        self.assertEqual(len(rows), 6)
        self.assertEqual({r["group"] for r in rows}, {"x_max"})

    def test_columns_of_a_solid_are_single_load_cases(self):
        rows, _ = self.single_loads(SOLID, 3)
        self.assertEqual(len(rows), 12)

    def test_partly_prescribed_nodes_keep_their_free_components(self):
        boundary = PLANE["boundary"] + "\n  - {group: y_min, type: symmetry}"
        rows, _ = self.single_loads(PLANE, 2, boundary=boundary, output="{flexibility: [x_max, x_min]}")
        self.assertEqual([(r["component"], r["y"]) for r in rows if float(r["y"]) == 0.0], [("x", "0")])
        answer = run("whole", PLANE, boundary=boundary, output="{flexibility: [x_max, x_min]}")
        self.assertIn("flexibility matrix of 5 unknowns of 2 groups\n", answer.out)
        self.assertIn("7 prescribed unknowns of these groups are left out: their response is 0", answer.out)
        self.assertEqual(report("whole")["flexibility"]["prescribed_left_out"], 7)

    def test_springs_are_part_of_the_matrix(self):
        boundary = "\n  - {group: x_min, type: spring, value: 1.0e+4}"
        self.single_loads(PLANE, 2, boundary=boundary)

    def test_a_group_of_points_of_a_mesh_file(self):
        data = plate(elements=[(15, 4, (9,)), (15, 5, (6,))] + [(1, 1, (1, 4)), (1, 1, (4, 7))]
                     + [(3, 3, q) for q in ((1, 2, 5, 4), (2, 3, 6, 5), (4, 5, 8, 7), (5, 6, 9, 8))],
                     names={(0, 4): "corner", (0, 5): "side, right", (1, 1): "left", (2, 3): "body"})
        write("plate.msh", data)
        sections = {"mesh": "{file: plate.msh}", "materials": "\n  steel: {group: body, E: 2.0e+3, nu: 0.3}",
                    "boundary": "\n  - {group: left, type: fixed}", "output": "{flexibility: ['side, right', corner]}"}
        rows, _ = self.single_loads(PLANE, 2, **sections)
        self.assertEqual([(r["node"], r["component"], r["group"]) for r in rows],
                         [("6", "x", "side, right"), ("6", "y", "side, right"), ("9", "x", "corner"), ("9", "y", "corner")])

    def test_heat_is_temperature_per_heat_flow(self):
        """A flux on a side of linear elements has the nodal flows q h t (1/2, 1, 1/2)."""
        self.made(run("heat", HEAT, "--quiet"))
        rows, F = rows_of("heat"), matrix_of("heat")
        self.assertEqual([r["component"] for r in rows], 3 * ["temperature"])
        self.assertEqual(report("heat")["flexibility"]["unit"], "K/W")
        zero = HEAT["boundary"].replace("20.0", "0.0").replace("5.0", "0.0")
        flux = zero + "\n  - {group: x_max, type: flux, value: 40.0}"
        probes = ", ".join(f"p{i}: {{at: [1.0, {r['y']}]}}" for i, r in enumerate(rows))
        self.made(run("flux", HEAT, "--quiet", boundary=flux, output=f"{{probes: {{{probes}}}}}"))
        got = [p["value"][0] for p in sorted(report("flux")["probes"], key=lambda p: p["name"])]
        for i, value in enumerate(got):
            self.assertAlmostEqual(40.0 * 0.25 * 0.1 * (F[i][0] / 2 + F[i][1] + F[i][2] / 2), value, delta=1e-9 * abs(value))


class Routes(Case):
    def test_the_three_ways_give_the_same_matrix(self):
        names = {"cg": "iterations", "direct": "factors", "inverse": "inverse"}
        found = {}
        for method, route in names.items():
            if method == "direct" and BACKEND == "cuda":
                continue
            answer = self.made(run(method, PLANE, mesh=BIG, solver=f"{{method: {method}, rtol: 1.0e-13}}",
                                   output="{flexibility: [x_max]}"))
            found[method] = matrix_of(method)
            record = report(method)["flexibility"]
            self.assertEqual((record["route"], record["unknowns"]), (route, 50))
            self.assertEqual(record["error_bound"] is None, route != "inverse")
            self.assertLessEqual(record["asymmetry"], 1e-9)
            words = {"iterations": "50 solutions, ", "factors": "50 solutions with one factorisation, residual at most ",
                     "inverse": "dense inverse of order 2400, definite path, condition "}
            self.assertIn("influence " + words[route], answer.out)
        for method, F in found.items():
            with self.subTest(method=method):
                self.near(F, found["inverse"], 1e-8)

    def test_a_small_part_takes_the_dense_inverse(self):
        answer = self.made(run("small", PLANE))
        self.assertIn("influence dense inverse of order 24, definite path", answer.out)
        self.assertEqual(report("small")["flexibility"]["route"], "inverse")
        self.assertIn("flexibility.mtx, flexibility.csv", answer.out)

    def test_condensed_nodes_are_left_out_and_condense_off_keeps_them(self):
        sections = {"mesh": "{generate: {rectangle: {size: [1.0, 0.5], cells: [4, 2], element: quad9}}}",
                    "output": "{flexibility: [surface]}"}
        for condense, count in (("on", 8), ("off", 0)):
            answer = self.made(run("quad9", PLANE, discretization=f"{{space: plane_stress, condense: {condense}}}", **sections))
            self.assertEqual("8 nodes in the middle of elements are left out: condensed; condense: off keeps them" in answer.out,
                             count > 0)
            record = report("quad9")["flexibility"]
            self.assertEqual((record["inner_nodes_left_out"], record["unknowns"]), (count, 80 - 2 * count))

    def test_method_inverse_solves_and_bounds_the_error(self):
        for values in ("fp64", "fp32"):
            answer = self.made(run("inverse", PLANE, boundary=PLANE["boundary"] + "\n  - {group: x_max, type: traction, value: [1.0, 2.0]}",
                                   solver="{method: inverse, rtol: 1.0e-12}", matrix=f"{{values: {values}}}", output=None))
            self.assertIn("solve     inverse, rtol 1.0e-12", answer.out)
            self.assertRegex(answer.out, r"error of x at most [-0-9.e]+ \(bound\); inverse of order 24, definite path")
            solve = report("inverse")["solve"]
            self.assertEqual((solve["method"], solve["preconditioner"]), ("inverse", "none"))
            self.assertLessEqual(solve["estimated_forward_error"], 1e-11)

    def test_an_earlier_matrix_is_removed(self):
        self.made(run("again", PLANE, "--quiet"))
        self.made(run("again", PLANE, "--quiet", output=None))
        self.assertFalse(os.path.exists(path_of("again", "flexibility.mtx")))
        self.assertFalse(os.path.exists(path_of("again", "flexibility.csv")))

    def test_it_is_bit_identical_when_repeated(self):
        for method in ("cg", "inverse"):
            got = []
            for _ in range(2):
                self.made(run("same", PLANE, "--quiet", mesh=BIG, solver=f"{{method: {method}}}"))
                got.append(read("same", "flexibility.mtx"))
            self.assertEqual(*got)


class Refusals(Case):
    def refused(self, status, words, base=PLANE, **sections):
        answer = run("bad", base, "--quiet", **sections)
        self.assertEqual(answer.status, status, answer.err)
        self.assertIn(words, answer.err)
        self.assertFalse(os.path.exists(path_of("bad", "flexibility.mtx")))
        return answer

    def test_groups_that_cannot_be_used(self):
        self.refused(3, "error E203: group 'x_mux' of output.flexibility is not in the mesh; did you mean 'x_max'?",
                     output="{flexibility: [x_mux]}")
        self.refused(2, "error E104: group 'x_max' is listed twice", output="{flexibility: [x_max, x_max]}")
        self.refused(2, "error E106: 'all' is reserved and means the whole body; a flexibility needs the names of its groups",
                     output="{flexibility: [all]}")
        self.refused(2, "error E111: output.flexibility: every unknown of these groups is prescribed", output="{flexibility: [x_min]}")

    def test_other_analyses(self):
        modal = {"analysis": "{type: modal, modes: 2}", "solver": None,
                 "materials": "\n  steel: {group: surface, E: 2.0e+3, nu: 0.3, rho: 1.0}"}
        self.refused(2, "error E107: 'flexibility' is not used in analysis modal", **modal)
        waves = {"analysis": "{type: dispersion, bands: 2, lattice: [[1.0, 0.0], [0.0, 0.5]], points: {g: [0.1, 0.0], x: [0.5, 0.0]}, "
                             "path: [g, x]}", "boundary": "\n  - {type: bloch, pairs: [[x_min, x_max], [y_min, y_max]]}"}
        self.refused(2, "error E107: 'flexibility' is not used in analysis dispersion", **{**modal, **waves})
        flow = {"physics": "advection_diffusion", "discretization": None,
                "materials": "\n  m: {group: surface, diffusivity: 1.0, velocity: [1.0, 0.0]}",
                "boundary": "\n  - {group: x_min, type: value, value: 1.0}"}
        self.refused(2, "flexibility", **flow)
        self.refused(3, "error E305: method inverse requires a symmetric matrix", **{**flow, "output": None, "solver": "{method: inverse}"})

    def test_generalised_finite_elements(self):
        self.refused(2, "error E107: output.flexibility does not go with generalised finite elements",
                     discretization="{space: plane_stress, method: gfem, order: 2}")

    def test_too_little_memory(self):
        answer = run("bad", PLANE, "--quiet", "-s", "device.memory_limit=1.0e-9")  # reports the available memory
        amount, unit = re.search(r"memory without the matrix, ([0-9.]+) (\w+) may be used", answer.err).groups()
        available = float(amount) * {"B": 1, "KiB": 1024}[unit] * 1e9
        part = f"device.memory_limit={2.0e+7 / available:.6e}"
        answer = run("bad", PLANE, "--quiet", "-s", part, mesh=BIG, output="{flexibility: [surface]}")
        self.assertEqual(answer.status, 4, answer.err)
        self.assertRegex(answer.err, r"error E401: the flexibility matrix of 2400 unknowns needs 44.* MiB on the host, .* MiB may be "
                                     r"used; name smaller groups\n")
        part = f"device.memory_limit={1.0e+8 / available:.6e}"
        if BACKEND == "cpu":
            answer = run("bad", PLANE, "--quiet", "-s", part, mesh=BIG, output=None, solver="{method: inverse}")
            self.assertEqual(answer.status, 4, answer.err)
            self.assertIn("error E401: the inverse of order 2450 needs ", answer.err)

    def test_method_inverse_has_a_largest_order(self):
        words = "error E105: method: inverse takes at most 32768 unknowns, the model has 33282; use cg or direct"
        sections = {"mesh": "{generate: {rectangle: {size: [1.0, 1.0], cells: [128, 128], element: quad4}}}",
                    "solver": "{method: inverse}", "output": None}
        self.refused(2, words, **sections)
        self.assertIn(words, bandfem("check", "bad.yaml", "--out", "bad").err)
        answer = run("bad", PLANE, "--quiet", solver="{method: inverse, preconditioner: jacobi}", output=None)
        self.assertEqual(answer.status, 0)
        self.assertIn("warning W115: method: inverse uses no preconditioner", answer.err)

    def test_checks_of_entries(self):
        checks = "\n  - {quantity: 'flexibility(1, 7)', report: true}"
        self.refused(2, "error E111: flexibility(1, 7): the matrix has 6 rows and columns", checks=checks)
        self.refused(2, "there is no 'output.flexibility', which names the groups of the matrix", checks=checks, output=None)
        for text, words in (("flexibility(0, 1)", "rows and columns are numbered 1, 2, ..."),
                            ("flexibility(1)", "',' and the number of a column must follow"),
                            ("flexibility", "'(' and the numbers of a row and a column must follow"),
                            ("flexibility(1, 2) - flexibility(2, 1)", "does not change with its quantities")):
            with self.subTest(text=text):
                self.refused(2, words, checks=f"\n  - {{quantity: '{text}', expect: 1.0, rtol: 0.1}}")
        self.made(run("good", PLANE, "--quiet", checks="\n  - {quantity: 'flexibility(1, 1)', expect: 4.0e-2, rtol: 0.01}"))

    def test_a_column_that_does_not_converge(self):
        answer = self.refused(5, "error E509: the flexibility matrix is not written, load on node 49, component x: iteration limit",
                              mesh=BIG, solver="{max_iterations: 2}")
        self.assertNotIn("E501", answer.err)  # no load: the deck's own solution is 0
        self.assertEqual(report("bad")["status"], "NOT CONVERGED: the flexibility matrix")
        self.assertNotIn("flexibility", report("bad"))
        answer = run("bad", PLANE, "--quiet", mesh=BIG, solver="{max_iterations: 2, on_failure: warn}")
        self.assertEqual(answer.status, 0)
        self.assertIn("warning W509: the flexibility matrix is not written", answer.err)

    def test_without_a_solution_there_is_no_matrix(self):
        answer = run("bad", PLANE, mesh=BIG, solver="{max_iterations: 2}",
                     boundary=PLANE["boundary"] + "\n  - {group: x_max, type: traction, value: [1.0, 2.0]}")
        self.assertEqual(answer.status, 5)
        self.assertIn("the flexibility matrix is left out: the solve did not converge", answer.out)
        self.assertIn("error E501", answer.err)

    def test_check_says_what_will_be_made(self):
        write("seen.yaml", deck_text(PLANE))
        answer = bandfem("check", "seen.yaml", "--out", "seen")
        self.assertIn("flexibility matrix of 6 unknowns of 1 group\n", answer.out)


@unittest.skipUnless(has_device(), "no CUDA device")
class Device(Case):
    def test_the_device_gives_the_same_matrix(self):
        for method in ("cg", "inverse"):
            found = {}
            for backend in ("cpu", "cuda"):
                write("both.yaml", deck_text(PLANE, mesh=BIG, solver=f"{{method: {method}, rtol: 1.0e-13}}"))
                self.made(bandfem("run", "both.yaml", "--backend", backend, "--out", backend))
                found[backend] = matrix_of(backend)
            self.near(found["cuda"], found["cpu"], 1e-8)


if __name__ == "__main__":
    main(first=lambda: run("first", PLANE))
