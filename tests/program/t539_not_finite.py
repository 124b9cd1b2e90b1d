"""tests/program/t539_not_finite.py - a formula or table whose value is not finite: code, line, place, value, and no result

usage: t539_not_finite.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil

import program
from bad_inputs import LINES, NAMES, PLATE, QUADS, deck_text, plate
from program import main, path_of, read, write

RECTANGLE = "{generate: {rectangle: {size: [2.0, 2.0], cells: [2, 2], element: quad4}}}"
BASE = {"mesh": RECTANGLE, "discretization": None}
SOLID = {**BASE, "physics": "elasticity", "discretization": "{space: plane_strain}",
         "materials": "{a: {groups: [surface], E: 1.0, nu: 0.3, rho: 1.0, alpha: 1.0}}",
         "boundary": "[{group: x_min, type: fixed}]"}
HEAT = {**BASE, "physics": "heat", "materials": "{a: {groups: [surface], k: 1.0}}",
        "boundary": "[{group: x_min, type: temperature, value: 0.0}]"}
FLOW = {**BASE, "physics": "advection_diffusion",
        "materials": "{a: {groups: [surface], diffusivity: 1.0, velocity: [1.0, 0.0]}}",
        "boundary": "[{group: x_min, type: value, value: 0.0}]"}
GFEM = "{method: gfem, order: 2}"


def side(base, text):
    return {**base, "boundary": base["boundary"][:-1] + ", {group: x_max, " + text + "}]"}


def material(base, key, value):
    words = base["materials"].split(f"{key}: ")
    rest = words[1][words[1].index("]" if words[1][0] == "[" else "1.0") + (1 if words[1][0] == "[" else 3):]
    return {**base, "materials": f"{words[0]}{key}: {value}{rest}"}


class NotFinite(program.Case):
    def is_told(self, sections, what, formula, value, place, status=3):
        """One E319 at the formula, with all there is to know; no file of results."""
        shutil.rmtree(path_of("n"), ignore_errors=True)
        write("n.yaml", deck_text(**{**PLATE, **sections}))
        line = next(i for i, text in enumerate(read("n.yaml").decode().splitlines(), 1) if formula in text)
        answer = program.bandfem("run", "n.yaml", "--quiet", "--out", "n")
        self.assertEqual(answer.status, status, answer.err)
        first = answer.err.splitlines()[0]
        self.assertRegex(first, rf"^n.yaml:{line}:\d+: error E319: ", sections)
        self.assertRegex(first[first.index("E319: ") + 6:], rf"^{what}: (formula|table) '.*' is {value} at \(.*\) "
                         rf"\({place} \d+\); it must be finite$")
        self.assertIn(formula, first)
        self.assertEqual(answer.err.count("E319"), 1, answer.err)
        self.assertEqual(os.listdir(path_of("n")) if os.path.isdir(path_of("n")) else [], [])

    def test_materials(self):
        for base, keys in ((SOLID, ["E"]), (HEAT, ["k"]), (FLOW, ["diffusivity"])):
            for key in keys:
                self.is_told(material(base, key, '"1/(x-x)"'), f"{key} of material 'a'", "1/(x-x)", "inf", "element")
        self.is_told(material(FLOW, "velocity", '[1.0, "sqrt(-1 - x)"]'), "velocity y of material 'a'", "sqrt(-1 - x)", "nan",
                     "element")
        self.is_told(material(FLOW, "velocity", '["1/(x - 2)", 0.0]'), "velocity x of material 'a'", "1/(x - 2)", "inf", "element")
        self.is_told({**FLOW, "materials": FLOW["materials"].replace("diffusivity", 'reaction: "-1/(y-y)", diffusivity')},
                     "reaction of material 'a'", "-1/(y-y)", "-inf", "element")

    def test_values_at_nodes(self):
        bad = "ln(x - 3)"
        self.is_told(side(SOLID, f'type: displacement, y: "{bad}"'), "value of displacement", bad, "nan", "node")
        self.is_told(side(HEAT, f'type: temperature, value: "{bad}"'), "value of temperature", bad, "nan", "node")
        self.is_told(side(FLOW, f'type: value, value: "{bad}"'), "value of value", bad, "nan", "node")
        self.is_told({**SOLID, "loads": f'[{{type: point_force, at: [2.0, 2.0], value: [0.0, "{bad}"]}}]'}, "value of point_force",
                     bad, "nan", "node")

    def test_values_on_sides(self):
        bad = "1/(x-2)"
        for gfem in (None, GFEM):
            for base, what, text in ((SOLID, "value of traction", f'type: traction, value: [0.0, "{bad}"]'),
                                     (SOLID, "value of pressure", f'type: pressure, value: "{bad}"'),
                                     (SOLID, "value of spring", f'type: spring, value: "{bad}"'),
                                     (HEAT, "value of flux", f'type: flux, value: "{bad}"'),
                                     (HEAT, "h of convection", f'type: convection, h: "{bad}", ambient: 1.0'),
                                     (HEAT, "ambient of convection", f'type: convection, h: 1.0, ambient: "{bad}"'),
                                     (FLOW, "value of flux", f'type: flux, value: "{bad}"'),
                                     (FLOW, "ambient of convection", f'type: convection, h: 1.0, ambient: "{bad}"')):
                sections = side(base, text)
                if gfem and (base is FLOW or "spring" in text):
                    continue
                if gfem:
                    space = ", space: plane_strain" if base is SOLID else ""
                    sections["discretization"] = gfem.replace("}", space + "}")
                self.is_told(sections, what, bad, "inf", "element")

    def test_values_in_the_body(self):
        bad = "sqrt(-x)"
        for gfem in (None, GFEM):
            for base, what, text in ((SOLID, "body_force", f'type: body_force, value: [0.0, "{bad}"]'),
                                     (SOLID, "thermal", f'type: thermal, value: "{bad}", reference: 0.0'),
                                     (HEAT, "heat_source", f'type: heat_source, value: "{bad}"'),
                                     (FLOW, "source", f'type: source, value: "{bad}"')):
                sections = {**base, "loads": "[{" + text + "}]"}
                if gfem and (base is FLOW or what == "thermal"):
                    continue
                if gfem:
                    space = ", space: plane_strain" if base is SOLID else ""
                    sections["discretization"] = gfem.replace("}", space + "}")
                self.is_told(sections, "value of " + what, bad, "nan", "element")

    def test_heat_without_a_level(self):
        self.is_told({**HEAT, "boundary": '[{group: x_min, type: flux, value: "1/x"}]'}, "value of flux", "1/x", "inf", "element")

    def test_a_table_that_overflows_between_its_values(self):
        write("t.csv", "x,k\n0.0,-1.7e+308\n2.0,1.7e+308\n")
        self.is_told({**HEAT, "loads": "[{type: heat_source, value: {table: t.csv}}]"}, "value of heat_source", "t.csv", "inf",
                     "element")

    def test_check_says_the_same(self):
        write("c.yaml", deck_text(**{**PLATE, **side(SOLID, 'type: traction, value: [0.0, "1/(x-2)"]')}))
        answer = program.bandfem("check", "c.yaml", "--out", "c")
        self.says(answer, 3, "error E319: value of traction: formula '1/(x-2)' is inf at (2, ", "(element ")
        self.assertEqual(answer.err.count("error"), 1)

    def test_where_a_value_is_not_used_it_does_not_matter(self):
        """sqrt(1 - y) has no value in the upper half, a source on the lower half alone."""
        elements = LINES + QUADS[:2] + [(3, 4, nodes) for _, _, nodes in QUADS[2:]]
        write("two.msh", plate("22a", elements=elements, names={**NAMES, (2, 4): "top"}))
        for load in ('{type: heat_source, group: body, value: "sqrt(1 - y)"}', None):
            deck = deck_text(mesh="{file: two.msh}", physics="heat", discretization=None,
                             materials="{a: {groups: [body, top], k: 1.0}}",
                             boundary="[{group: left, type: temperature, value: 0.0}]", loads=f"[{load}]" if load else "[]")
            program.bandfem("run", write("two.yaml", deck), "--quiet", "--out", "two", status=0)
            program.bandfem("check", "two.yaml", "--quiet", "--out", "two", status=0)

    def test_a_quantity_of_a_check(self):
        write("q.yaml", deck_text(**{**PLATE, **HEAT, "checks": "[{quantity: 1 / max(temperature), report: true}]"}))
        self.says(program.bandfem("run", "q.yaml", "--quiet", "--out", "q"), 2, "q.yaml:6:", "error E111: '1 / max(temperature)' is inf")


if __name__ == "__main__":
    main()
