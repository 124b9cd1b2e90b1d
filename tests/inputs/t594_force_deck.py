"""tests/inputs/t594_force_deck.py - type: force in decks: messages with their line, resultants printed by check

usage: t594_force_deck.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from bad_inputs import BAR, deck_text  # noqa: E402
from program import bandfem, main, write  # noqa: E402

BAR = {**BAR, "physics": "elasticity"}
PLATE = {**BAR, "mesh": "{generate: {rectangle: {size: [2.0, 1.0], cells: [4, 2], element: quad8}}}",
         "materials": "\n  steel: {group: surface, E: 2.1e+11, nu: 0.3}"}


def check(entry, base=None, **sections):
    """What check answers to a deck whose line 7 is the condition."""
    text = deck_text(base or BAR, boundary="\n  - {group: x_min, type: fixed}\n  - {" + entry + "}", **sections)
    write("force.yaml", text)
    return bandfem("check", "force.yaml", "--out", "force")


class ForceDeck(unittest.TestCase):
    def refused(self, code, words, entry, base=None, **sections):
        answer = check(entry, base, **sections)
        self.assertIn(f"error E{code}", answer.err)
        self.assertIn(words, answer.err)
        self.assertRegex(answer.err, r"^force.yaml:\d+:\d+: ")

    def test_check_prints_the_resultant_and_the_moment(self):
        out = check("group: x_max, type: force, value: [1.0, 2.0, -500.0], about: [2.0, 0.1, 0.1]").out
        self.assertRegex(out, r"force \[1, 2, -500\] at \(2, 0.1, 0.1\) on x_max: .* total \(1, 2, -500\) N, "
                              r"moment \(0, 0, 0\) N m about \(2, 0.1, 0.1\)")
        out = check("group: x_max, type: force, moment: [0, 7.5, 0]", units="{system: mm-N-MPa-t}").out
        self.assertRegex(out, r"total \(0, 0, 0\) N, moment \(0, 7.5, 0\) N mm about \(1, 0.1, 0.1\)")

    def test_the_moment_of_a_plane_body_is_one_number(self):
        out = check("group: x_max, type: force, moment: 3.0", PLATE, discretization="{space: plane_stress}").out
        self.assertIn("moment 3 N m about (2, 0.5)", out)
        self.refused(307, "the moment of a force in a 2-D body has one number, about z, got 3",
                     "group: x_max, type: force, moment: [0, 0, 3]", PLATE, discretization="{space: plane_stress}")

    def test_wrong_forces_are_refused(self):
        self.refused(102, "type force needs 'value' (N), 'moment' (N m) or both", "group: x_max, type: force")
        self.refused(102, "needs 'group' or 'groups'", "type: force, value: [0, 0, 1]")
        self.refused(103, "'value': expected 2 or 3 values", "group: x_max, type: force, value: [1]")
        self.refused(103, "expected a number", "group: x_max, type: force, value: [1, x, 2]")
        self.refused(107, "key 'about' in 'boundary[entry 2]' does not belong to type traction",
                     "group: x_max, type: traction, value: [0, 0, 1], about: [1, 0, 0]")
        self.refused(106, "moments cancel", "group: x_max, type: force, value: [0, 1], moment: 1.0", PLATE,
                     discretization="{space: axisymmetric}")
        self.refused(203, "group 'volume' is 3-D, boundary 'force' needs 0-D to 2-D",
                     "group: volume, type: force, value: [0, 0, 1]")

    def test_a_force_has_no_effect_on_free_vibrations(self):
        answer = check("group: x_max, type: force, moment: [0, 1, 0]", analysis="{type: modal, modes: 2}",
                       materials="\n  steel: {group: volume, E: 2.1e+11, nu: 0.3, rho: 7850.0}")
        self.assertTrue(re.search(r"error E316: the moment of a force", answer.err), answer.err)


if __name__ == "__main__":
    main()
