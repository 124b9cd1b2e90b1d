"""tests/inputs/t254_json_schema.py - `bandfem schema --json` is a JSON schema that takes good decks and refuses bad ones

usage: t254_json_schema.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 as expected, 1 not, 77 nothing to check with
"""
# SPDX-License-Identifier: BSD-3-Clause
import copy
import glob
import json
import os
import sys
import unittest

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import SOURCE, bandfem, example, main, path_of, skip  # noqa: E402

try:
    import jsonschema
    import yaml
    VALIDATOR = jsonschema.Draft202012Validator
except (ImportError, AttributeError) as missing:
    skip(f"{missing} (python3-jsonschema, python3-yaml)")


def load(path):
    with open(path, encoding="utf-8") as file:
        return yaml.safe_load(file)


class Schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.schema = json.loads(bandfem("schema", "--json", status=0).out)
        cls.validator = VALIDATOR(cls.schema)
        cls.bar = {"deck": 1, "physics": "elasticity",
                   "mesh": {"generate": {"box": {"size": [1, 1, 1.0], "cells": [2, 2, 2], "element": "hex8"}}},
                   "materials": {"steel": {"group": "volume", "E": "2e11*(1 + x)", "nu": 0.3}},
                   "boundary": [{"group": "x_min", "type": "fixed"},
                                {"groups": ["x_max"], "type": "traction", "value": [0, "x", 1.0]}]}

    def mistakes(self, deck):
        return list(self.validator.iter_errors(deck))

    def test_it_is_a_schema_of_its_draft(self):
        self.assertEqual(self.schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
        VALIDATOR.check_schema(self.schema)

    def test_every_example_deck_fits(self):
        decks = glob.glob(os.path.join(SOURCE, "inputs/decks/**/*.yaml"), recursive=True)
        self.assertGreaterEqual(len(decks), 8)
        for path in decks:
            self.assertEqual([e.message for e in self.mistakes(load(path))], [], path)

    def test_a_resolved_deck_fits(self):
        for name in ("heated_block", "cantilever_hex8"):
            bandfem("run", example(name), "--quiet", "--out", name, "-s", "checks=[]", "-s", "solver.max_iterations=2",
                    "-s", "solver.on_failure=warn", timeout=100, status=0)
            deck = load(path_of(name, "deck.resolved.yaml"))
            self.assertEqual([e.message for e in self.mistakes(deck)], [], name)
            self.assertEqual(deck["solver"]["monitor_every"], 10)

    def test_one_wrong_thing_at_a_time_is_refused(self):
        self.assertEqual(self.mistakes(self.bar), [])
        wrong = [(["deck"], 2), (["physics"], "chemistry"), (["physics"], "heat"), (["solver"], {"methud": "cg"}),
                 (["solver"], {"rtol": 2.0}), (["solver"], {"rtol": "fast"}), (["solver"], {"max_iterations": 1.5}),
                 (["solver"], {"coarse": "a"}), (["matrix"], {"format": "ellpack"}), (["colour"], "red"),
                 (["materials"], {}), (["materials", "steel", "nu"], 0.5), (["materials", "steel", "k"], 1.0),
                 (["materials", "steel", "E"], -1.0), (["boundary", 0, "value"], 1.0), (["boundary", 0, "type"], "flux"),
                 (["boundary", 1, "value"], [1.0]), (["boundary", 0], {"group": "x_min", "type": "spring", "value": [1.0]}),
                 (["boundary", 0], {"group": "x_min", "type": "spring", "value": -1.0}),
                 (["mesh", "generate", "box", "cells"], [1, 1, 0]),
                 (["output"], {"fields": ["temperature"]}), (["output"], {"probes": {"a": {}}}),
                 (["device"], {"deterministic": False}), (["checks"], [{"expect": 1.0}])]
        for path, value in wrong:
            deck = copy.deepcopy(self.bar)
            at = deck
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = value
            self.assertNotEqual(self.mistakes(deck), [], (path, value))
        for key in ("deck", "physics", "mesh", "materials"):
            self.assertNotEqual(self.mistakes({k: v for k, v in self.bar.items() if k != key}), [], key)

    def test_what_a_deck_may_also_say_is_taken(self):
        right = [("solver", {"rtol": "1e-6", "max_iterations": "100"}), ("discretization", {"quadrature": "auto"}),
                 ("discretization", {"quadrature": 3}), ("device", {"deterministic": True}), ("title", 7), ("boundary", []),
                 ("checks", [{"quantity": "iterations", "report": True}]),
                 ("loads", [{"type": "point_force", "at": [0, 0, 1.0], "value": [0, "x", 1]}, {"type": "thermal", "value": "x"}]),
                 ("boundary", [{"group": "x_min", "type": "spring", "value": "1 + x"},
                               {"group": "x_max", "type": "spring", "value": [1, 0.0]}]),
                 ("output", {"probes": {"tip": {"at": [1, 0, 0], "fields": ["stress"]}}, "formats": ["vtk"]})]
        for key, value in right:
            self.assertEqual([e.message for e in self.mistakes({**self.bar, key: value})], [], (key, value))


if __name__ == "__main__":
    main()
