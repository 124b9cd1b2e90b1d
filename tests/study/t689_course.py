"""tests/study/t689_course.py - the course: decks run, solutions pass, gaps and wrong answers give the hint meant for them

usage: t689_course.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import PROGRAM, SOURCE, bandfem, main, path_of  # noqa: E402 pylint: disable=wrong-import-position

COURSE = os.path.join(SOURCE, "docs", "course")
sys.path.insert(0, COURSE)
import grade  # noqa: E402 pylint: disable=wrong-import-position

WRONG = {  # exercise: (what stands in the gap, part of the hint)
    "01_1_stiffness": [("1.0e+9", "solve for E"), ("-2.0", "a number in Pa")],
    "01_2_two_materials": [("3.0e+4", "elongations of both halves")],
    "02_1_source": [("2*y*(1-y)", "Both second derivatives"), ("2*y*(1-", "Formulas have")],
    "02_2_cells": [("[16, 16]", "too large"), ("[64, 64]", "more cells than needed")],
    "03_1_bandwidth": [("13", "is the farthest"), ("26", "is the farthest")],
    "03_2_bytes": [("72", "no column index"), ("60", "no column index")],
    "04_1_contraction": [("fixed", "may not hold y"), ("roller", "types of conditions"), ("traction, value: [0.0, 0.0]", "must hold x")],
    "04_2_poisson": [("0.25", "u_y at the top"), ("0.7", "lies between")],
    "04_3_space": [("plane_stress", "stiffer by"), ("plane", "The values of")],
    "06_1_order": [("2", "cubic"), ("7", "Orders are")],
    "07_1_bound": [("60", "natural logarithm")],
    "07_2_mesh": [("64", "factor of four")],
    "08_1_scaling": [("none", "diagonal alone"), ("diagonal", "stand in")],
    "08_2_mesh": [("jacobi", "local preconditioners")],
    "10_1_speed": [("1.0e+4", "141.42")],
    "10_2_mass": [("consistent", "above the exact"), ("diagonal", "See 'mass'")],
    "11_1_ratio": [("2.0", "5043212")],
    "11_2_bytes": [("54", "14 diagonals"), ("112", "14 diagonals")],
    "12_1_flops": [("32.8", "2/3")],
    "12_2_bands": [("2.0", "2 m/s")],
    "09_1_peclet": [("20", "Peclet number is above 1"), ("40", "more cells")],
    "09_2_upwind": [("none", "oscillates"), ("upwind", "See 'stabilization'")],
    "05_1_cells": [("40", "too long"), ("80", "more than 70")],
    "05_2_incompressible": [("quad4", "locks"), ("hex8", "Plane elements")],
    "05_3_modes": [("quadrature: 2", "still that"), ("wilson: true", "The key is one")],
}


def text(*names):
    with open(os.path.join(COURSE, *names), encoding="utf-8") as file:
        return file.read()


def names(folder):
    return sorted(os.path.basename(p)[:-5] for p in glob.glob(os.path.join(COURSE, folder, "*.yaml")))


def filled(template, answer):
    """The exercise with an answer in its first gap outside the comments."""
    lines = template.split("\n")
    for k, line in enumerate(lines):
        if grade.GAP in line and not line.startswith("#"):
            lines[k] = line.replace(grade.GAP, answer)
    return "\n".join(lines)


class Course(unittest.TestCase):
    def test_every_deck_runs(self):
        for name in names("decks"):
            with self.subTest(name):
                bandfem("run", os.path.join(COURSE, "decks", name + ".yaml"), "--quiet", "--out", path_of(name), status=0)

    def test_every_exercise_has_a_solution_that_passes(self):
        self.assertEqual(names("exercises"), names("solutions"))
        for name in names("exercises"):
            with self.subTest(name):
                passed, lines = grade.verdict(PROGRAM, text("exercises", name + ".yaml"), text("solutions", name + ".yaml"))
                self.assertTrue(passed, lines)
                self.assertGreater(len(lines), 0)

    def test_an_exercise_with_its_gap_is_not_passed(self):
        for name in names("exercises"):
            template = text("exercises", name + ".yaml")
            passed, lines = grade.verdict(PROGRAM, template, template)
            self.assertFalse(passed)
            self.assertIn("gap in line", lines[0])
            self.assertIn(grade.hints(template)["gap"], lines[1])

    def test_wrong_answers_give_their_hint(self):
        self.assertEqual(sorted(WRONG), names("exercises"))
        for name, wrong in WRONG.items():
            template = text("exercises", name + ".yaml")
            for answer, part in wrong:
                with self.subTest(name, answer=answer):
                    passed, lines = grade.verdict(PROGRAM, template, filled(template, answer))
                    self.assertFalse(passed, lines)
                    self.assertIn(part, "\n".join(line for line in lines if line.startswith("hint")))

    def test_other_checks_and_other_lines_do_not_help(self):
        template = text("exercises", "05_1_cells.yaml")
        easy = filled(template, "40").split("\nchecks:")[0] + "\nchecks: []\n"
        self.assertFalse(grade.verdict(PROGRAM, template, easy)[0])
        passed, lines = grade.verdict(PROGRAM, template, filled(template, "64").replace("[0.0, -2.0]", "[0.0, -2.5]"))
        self.assertFalse(passed)
        self.assertIn("only the gaps may change", lines[0])
        commented = filled(template, "64").replace("physics: elasticity", "physics:   elasticity   # as in the lesson")
        self.assertTrue(grade.verdict(PROGRAM, template, commented)[0])

    def test_the_command_names_what_is_missing(self):
        for words, part in ((("13", "x.yaml"), "no lesson '13'"), (("5", "x.yaml"), "has no exercise 'x'; exercises: 05_1_cells"),
                            (("5", "05_1_cells.yaml"), "there is no file")):
            self.assertEqual(grade.main(PROGRAM, *words), 2, part)

    def test_lessons_have_their_parts_and_name_existing_files(self):
        lessons = sorted(glob.glob(os.path.join(COURSE, "[01][0-9]-*.md")))
        self.assertEqual(len(lessons), 12)
        for path in lessons:
            with open(path, encoding="utf-8") as file:
                lesson = file.read()
            for part in ("**Question.**", "Builds on:", "## Theory", "## The deck", "## What to look at", "## Exercises", "## Extensions", "](figures/"):
                self.assertIn(part, lesson, path)
            for link in re.findall(r"\]\(([^)#]+)", lesson):
                self.assertTrue(link.startswith("http") or os.path.exists(os.path.join(COURSE, link)), f"{path}: {link}")
            number = os.path.basename(path)[:2]
            self.assertTrue([n for n in names("exercises") if n.startswith(number)], path)
            self.assertIn(os.path.basename(path), text("README.md"))


if __name__ == "__main__":
    main()
