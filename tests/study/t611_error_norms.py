"""tests/study/t611_error_norms.py - error norms of solutions with formulas, compared with integrals by hand

usage: t611_error_norms.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program

The solutions are 0, 1 or a polynomial that the elements represent exactly, so that the error is a polynomial as well and its integral
over the unit square or cube is known.
"""
# SPDX-License-Identifier: BSD-3-Clause
import math
import os
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BACKEND, SOURCE, Case, bandfem, main, report, write  # noqa: E402 pylint: disable=wrong-import-position

PLANE = ["quad4", "quad8", "quad9", "tri3", "tri6"]
SOLID = ["hex8", "hex20", "hex27", "tet4", "tet10"]
SIDES = ["x_min", "x_max", "y_min", "y_max"]


def square(element, cells=2):
    return f"{{generate: {{rectangle: {{size: [1, 1], cells: [{cells}, {cells}], element: {element}}}}}}}"


def cube(element):
    return f"{{generate: {{box: {{size: [1, 1, 1], cells: [2, 1, 2], element: {element}}}}}}}"


def heat(mesh, group="surface", sides=SIDES, value="1.0", k='"1 + x"', more=""):
    return (f"deck: 1\nmesh: {mesh}\nphysics: heat\n{more}materials:\n  m: {{group: {group}, k: {k}}}\n"
            f"boundary:\n  - {{groups: [{', '.join(sides)}], type: temperature, value: {value}}}\nsolver: {{rtol: 1.0e-13}}\n")


def elastic(mesh, space, group="surface", sides=SIDES, E="1.0", given="type: fixed", more=""):
    return (f"deck: 1\nmesh: {mesh}\nphysics: elasticity\ndiscretization: {{space: {space}{more}}}\n"
            f"materials:\n  m: {{group: {group}, E: {E}, nu: 0.25}}\n"
            f"boundary:\n  - {{groups: [{', '.join(sides)}], {given}}}\nsolver: {{rtol: 1.0e-13}}\n")


class ErrorNorms(Case):
    def values(self, deck, expected, rtol=1e-9, atol=0.0):
        """Every quantity of a run has its expected value."""
        text = deck + "checks:\n" + "".join(f"  - {{quantity: '{q}', report: true}}\n" for q in expected)
        bandfem("run", write("norm.yaml", text), "--backend", BACKEND, "--out", "out", "-s", "output.formats=[vtkhdf]", status=0)
        for check, (q, value) in zip(report("out")["checks"], expected.items()):
            self.assertEqual(check["quantity"], q)
            self.assertLessEqual(abs(check["got"] - value), rtol * abs(value) + atol, f"{q} = {check['got']}, not {value}: {deck}")

    def test_norms_of_scalars_in_the_plane(self):
        for element in PLANE:
            self.values(heat(square(element)), {
                'error.L2(temperature, "x")': math.sqrt(1 / 3),
                'error.L2(temperature, 3)': 2.0,
                'error.L2(temperature, "1 + x")': math.sqrt(1 / 3),
                'error.L2_relative(temperature, "1 + x")': math.sqrt((1 / 3) / (7 / 3)),
                'error.H1_semi(temperature, "x + 2*y")': math.sqrt(5),
                'error.H1(temperature, "x")': math.sqrt(1 / 3 + 1),
                'error.H1_relative(temperature, "x")': 1.0,
                'error.energy(temperature, "x*y")': math.sqrt(1 / 3 + 1 / 3 + 1 / 4 + 1 / 6)})

    def test_the_thickness_is_a_factor_of_the_integral(self):
        self.values(heat(square("quad4"), more="discretization: {thickness: 0.25}\n"), {'error.L2(temperature, "x")': 0.5 * math.sqrt(1 / 3)})

    def test_norms_of_scalars_in_space(self):
        for element in SOLID:
            self.values(heat(cube(element), "volume", SIDES + ["z_min", "z_max"]), {
                'error.L2(temperature, "1 + x*y*z")': math.sqrt(1 / 27),
                'error.H1_semi(temperature, "x*y*z")': math.sqrt(1 / 3),
                'error.energy(temperature, "z^2")': math.sqrt(1.5 * 4 / 3)})

    def test_a_smooth_formula_is_integrated_closely(self):
        self.values(heat(square("quad4", 8)), {
            'error.L2(temperature, "1 + sin(pi*x)*sin(pi*y)")': 0.5,
            'error.H1_semi(temperature, "sin(pi*x)*sin(pi*y)")': math.pi / math.sqrt(2)})

    def test_the_radius_is_a_weight_of_bodies_of_revolution(self):
        for element in PLANE:
            self.values(heat(square(element), more="discretization: {space: axisymmetric}\n"), {
                'error.L2(temperature, "1 + x")': math.sqrt(math.pi / 2),
                'error.H1_semi(temperature, "x")': math.sqrt(math.pi),
                'error.energy(temperature, "y")': math.sqrt(2 * math.pi * (1 / 2 + 1 / 3))})

    def test_norms_of_displacements(self):
        for element in PLANE:
            self.values(elastic(square(element), "plane_stress"), {
                'error.L2(displacement, ["x", "2*y"])': math.sqrt(5 / 3),
                'error.L2(displacement.y, "2*y")': math.sqrt(4 / 3),
                'error.H1_semi(displacement, ["x", "2*y"])': math.sqrt(5),
                'error.energy(displacement, ["x", "2*y"])': math.sqrt((1 + 4 + 2 * 0.25 * 2) / (1 - 0.25 ** 2)),
                'error.energy(displacement, ["y", 0])': math.sqrt(0.4),
                'error.energy(displacement, ["y", "-x"])': 0.0}, atol=1e-14)
        self.values(elastic(square("quad8"), "plane_strain", E='"1 + x"'), {
            'error.energy(displacement, ["x", "2*y"])': math.sqrt(1.5 * (0.4 * 9 + 0.8 * 5))})

    def test_norms_of_displacements_in_space(self):
        for element in SOLID:
            self.values(elastic(cube(element), "3d", "volume", SIDES + ["z_min", "z_max"]), {
                'error.L2(displacement, ["x", "y", "z"])': 1.0,
                'error.energy(displacement, ["x", "y", "z"])': math.sqrt(0.4 * 9 + 0.8 * 3),
                'error.energy(displacement, ["y", "z", "x"])': math.sqrt(3 * 0.4),
                'error.H1_semi(displacement.z, "x + z")': math.sqrt(2)})

    def test_hoop_strains_of_bodies_of_revolution(self):
        self.values(elastic(square("quad8"), "axisymmetric"), {
            'error.energy(displacement, ["x", "0"])': math.sqrt(math.pi * (0.4 * 4 + 0.8 * 2)),
            'error.H1_semi(displacement, ["x", "0"])': math.sqrt(2 * math.pi),
            'error.H1_semi(displacement.y, "x")': math.sqrt(math.pi)})

    def test_a_solution_within_the_elements_has_no_error(self):
        given = 'type: displacement, x: "1e-3*x + 2e-3*y", y: "-1e-3*y"'
        self.values(elastic(square("tri3"), "plane_strain", given=given), {
            'error.L2(displacement, ["1e-3*x + 2e-3*y", "-1e-3*y"])': 0.0,
            'error.H1(displacement, ["1e-3*x + 2e-3*y", "-1e-3*y"])': 0.0,
            'error.energy(displacement, ["1e-3*x + 2e-3*y", "-1e-3*y"])': 0.0,
            'error.energy(displacement, ["2e-3*x + 2e-3*y", "-1e-3*y"])': 1e-3 * math.sqrt(0.4 + 0.8)}, atol=1e-13)

    def test_generalised_elements_of_order_2_represent_quadratics(self):
        for element in ["quad4", "tri3"]:
            for order in [2, 3]:
                more = f"discretization: {{method: gfem, order: {order}}}\n"
                self.values(heat(square(element, 4), value='"x^2 - y^2"', k="1.0", more=more), {
                    'error.L2(temperature, "x^2 - y^2")': 0.0,
                    'error.H1(temperature, "x^2 - y^2")': 0.0,
                    'error.L2(temperature, "x^2 - y^2 + x")': math.sqrt(1 / 3),
                    'error.H1_semi(temperature, "x^2 - y^2 + 3*x*y")': math.sqrt(6),
                    'error.energy(temperature, "2*x^2 - y^2")': math.sqrt(4 / 3)}, atol=1e-9)

    def test_curved_elements_have_their_area(self):
        mesh = f"{{file: {SOURCE}/inputs/meshes/hot_disc_tri6.msh}}"
        deck = heat(mesh, "all", ["sym_x", "sym_y"], k="1.0")
        self.values(deck, {'error.L2(temperature, "1 + x", disc)': math.sqrt(math.pi / 16),
                           'error.H1_semi(temperature, "3*y", disc)': 3 * math.sqrt(math.pi / 4),
                           'error.L2(temperature, "2", plate)': math.sqrt(100 - math.pi / 4),
                           'error.L2(temperature, "2", all)': 10.0}, rtol=1e-6)

    def test_a_group_limits_the_integral(self):
        mesh = f"{{file: {SOURCE}/inputs/meshes/layers_tri3.msh}}"
        self.values(heat(mesh, "all", ["side"], k="1.0"), {
            'error.L2(temperature, "1 + x", left)': math.sqrt(1 / 24), 'error.L2(temperature, "1 + x", "right")': math.sqrt(7 / 24)})

    def refused(self, deck, quantity, *parts):
        text = deck + f"checks:\n  - {{quantity: '{quantity}', report: true}}\n"
        self.says(bandfem("run", write("bad.yaml", text), "--out", "out"), 2, *parts)

    def test_mistakes_are_named(self):
        deck, plate = heat(square("quad4")), elastic(square("quad4"), "plane_stress")
        for quantity, *parts in [
                ('error.L3(temperature, "x")', "E110", "unknown norm 'L3'"),
                ('error.L2(temperature)', "E110", "a formula in quotes must follow"),
                ('error.L2(temperature, "sinus(x)")', "E110", "unknown name 'sinus'", "bad.yaml:10:40"),
                ('error.L2(temperature, "x)', "E110", "not closed"),
                ('error.L2(temperature, x)', "E110", "expected a formula in quotes"),
                ('error.L2(heat_flux.x, "x")', "E108", "error norms are those of the solution 'temperature'"),
                ('error.L2(temperature, ["x", "y"])', "E108", "one formula is needed, not 2"),
                ('error.L2(temperature, "x", nowhere)', "E111", "no group 'nowhere'"),
                ('error.L2(temperature, "x", x_max)', "E111", "need a 2-D group"),
                ('error.L2(temperature, "1/(x-x)")', "E111", "formula '1/(x-x)' or its gradient is"),
                ('error.H1(temperature, "sqrt(x*0 - y*0 + (x < 0.5 ? 0 : x - x)) + ln(x - 2)")', "E111", "or its gradient is"),
                ('error.L2_relative(temperature, "0")', "E111", "a relative error does not exist")]:
            self.refused(deck, quantity, *parts)
        for quantity, *parts in [
                ('error.L2(displacement, "x")', "E108", "a formula for each component"),
                ('error.L2(displacement, ["x", "y", "0"])', "E111", "needs 2 formulas", "not 3"),
                ('error.energy(displacement.x, "x")', "E108", "needs all components"),
                ('error.L2(displacement.z, "x")', "E111", "has 2 components")]:
            self.refused(plate, quantity, *parts)
        self.refused(elastic(square("quad4"), "plane_stress", more=", incompatible: true"), 'error.H1(displacement, ["x", "y"])',
                     "E111", "incompatible modes")

    def test_two_formulas_are_two_quantities(self):
        text = heat(square("quad4")) + "checks:\n  - {quantity: 'error.L2(temperature, \"x\") - error.L2(temperature, \"x\")', expect: 0, atol: 1}\n"
        self.says(bandfem("check", write("same.yaml", text), "--out", "out"), 2, "E116")
        text = heat(square("quad4")) + "checks:\n  - {quantity: 'error.L2(temperature, \"x\") - error.L2(temperature, \"y\")', expect: 0, atol: 1e-12}\n"
        self.says(bandfem("run", write("two.yaml", text), "--out", "out"), 0)


if __name__ == "__main__":
    main(lambda: bandfem("run", write("first.yaml", heat(square("quad4"))), "--backend", BACKEND, "--out", "out"))
