"""tests/t529_spectra.py - element_spectrum as its user meets it: decks, files, report, warning, what is refused

usage: t529_spectra.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no device

The environment's BANDFEM_BACKEND, cpu or cuda, is the backend that solves; BANDFEM_REQUIRE_CUDA=1 makes a missing device
a failure.
"""
import json
import os
import shutil
import subprocess
import sys
import unittest

BUILD, SOURCE = (os.path.abspath(p) for p in sys.argv[1:3])
PROGRAM = os.path.join(BUILD, "bandfem")
BACKEND = os.environ.get("BANDFEM_BACKEND", "cpu")
FOLDER = os.path.join(BUILD, "t529", BACKEND)
ENVIRONMENT = dict(os.environ, OMP_WAIT_POLICY="passive")
FIELDS = ("spectrum_min", "spectrum_max", "zero_energy_modes", "critical_time_step")


class Answer:
    def __init__(self, name, *words, command="run"):
        path = os.path.join(SOURCE, "inputs", "decks", name + ".yaml")
        backend = ["--backend", BACKEND] if command == "run" else []
        self.out_dir = os.path.join(FOLDER, "out")
        done = subprocess.run([PROGRAM, command, path, "--out", self.out_dir, *words, *backend], cwd=FOLDER, env=ENVIRONMENT,
                              text=True, capture_output=True, timeout=200, check=False)
        if done.returncode < 0 or "Sanitizer" in done.stderr:
            raise AssertionError(f"{words}: ended by signal {-done.returncode}: {done.stderr}")
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def report(self):
        with open(os.path.join(self.out_dir, "report.json"), encoding="utf-8") as file:
            return json.load(file)

    def picture(self):
        with open(os.path.join(self.out_dir, "case.vtk"), "rb") as file:
            return file.read()


class Spectra(unittest.TestCase):
    def test_reduced_integration_is_warned_of_with_the_element_and_the_count(self):
        answer = Answer("hourglass")
        self.assertEqual(answer.status, 0, answer.err)
        self.assertRegex(answer.err, r"hourglass.yaml:15:37: warning W332: element \d+ \(quad4\) has 5 motions without energy where 3 "
                                     r"should be: 2 hourglass modes; 128 of the 128 elements")
        self.assertRegex(answer.out, r"spectra +128 quad4: eigenvalues 1.61538e\+10 \(element \d+\) to 3e\+10 N/m .*5 zero-energy modes of 3")
        self.assertRegex(answer.out, r"quad4: critical time step 2.02201e-05 s \(element \d+\), highest frequency 98911.3 rad/s, lumped")
        (entry,) = answer.report()["element_spectra"]
        self.assertEqual((entry["element"], entry["elements"], entry["elements_with_more"]), ("quad4", 128, 128))
        self.assertEqual((entry["zero_energy_modes_expected"], entry["zero_energy_modes"], entry["unit"]), (3, 5, "N/m"))
        self.assertAlmostEqual(entry["critical_time_step"] * entry["highest_frequency"], 2.0, delta=1e-12)
        self.assertEqual(entry["mass"], "lumped")

    def test_full_integration_is_sound_and_says_nothing(self):
        answer = Answer("hourglass_full")
        self.assertEqual((answer.status, answer.err), (0, ""))
        (entry,) = answer.report()["element_spectra"]
        self.assertEqual((entry["zero_energy_modes"], entry["elements_with_more"]), (3, 0))
        self.assertAlmostEqual(entry["min"] / 1.0384615384615e10, 1.0, delta=1e-10)

    def test_the_fields_are_in_both_pictures_as_cells(self):
        answer = Answer("hourglass_full")
        picture = answer.picture()
        cells, points = picture.split(b"CELL_DATA")[1].split(b"POINT_DATA")
        for name in FIELDS:
            self.assertIn(f"\n{name} 1 128 double".encode(), cells)
            self.assertNotIn(name.encode(), points)
        listed = {field["name"]: (field["unit"], field["on"]) for field in answer.report()["fields"]}
        self.assertEqual([listed[name] for name in FIELDS],
                         [("N/m", "cells"), ("N/m", "cells"), ("1", "cells"), ("s", "cells")])
        with open(os.path.join(answer.out_dir, "case.hdf"), "rb") as file:
            record = file.read()
        for name in (*FIELDS, "element_spectra", "zero_energy_modes_expected"):
            self.assertIn(name.encode(), record)

    def test_one_field_by_name_brings_no_other_into_the_picture(self):
        answer = Answer("hourglass_full", "-s", "output.fields=[displacement, spectrum_max]", "-s", "checks=[]")
        self.assertEqual((answer.status, answer.err), (0, ""))
        self.assertIn(b"spectrum_max", answer.picture())
        self.assertNotIn(b"spectrum_min", answer.picture())

    def test_units_follow_the_deck(self):
        answer = Answer("hourglass_full", "-s", "units.system=mm-N-MPa-t", "-s", "checks=[]")
        self.assertEqual(answer.report()["element_spectra"][0]["unit"], "N/mm")
        heat = Answer("heated_block", "-s", "output.fields=[temperature, element_spectrum]")
        self.assertEqual((heat.status, heat.err), (0, ""))
        (entry,) = heat.report()["element_spectra"]
        self.assertEqual((entry["unit"], entry["zero_energy_modes"], entry["zero_energy_modes_expected"]), ("W/K", 1, 1))
        self.assertNotIn("critical_time_step", entry)

    def test_what_has_no_spectra_is_refused_by_name_before_anything_is_solved(self):
        for name, text in [("gfem_cantilever", "elements of method gfem have no spectra of their own"),
                           ("skew_front", "element matrices of advection_diffusion are not symmetric")]:
            for command in ("check", "run"):
                answer = Answer(name, "-s", "output.fields=[element_spectrum]", command=command)
                self.assertEqual(answer.status, 3, answer.err)
                self.assertIn("error E317: " + text, answer.err)
        answer = Answer("bending_locking", "-s", "output.fields=[critical_time_step]")
        self.assertEqual(answer.status, 3, answer.err)
        self.assertIn("error E304: a time step needs the density of material 'steel': add rho, kg/m3", answer.err)
        answer = Answer("heated_block", "-s", "output.fields=[critical_time_step]")
        self.assertEqual(answer.status, 2, answer.err)
        self.assertIn("error E107", answer.err)

    def test_probes_and_checks_of_what_is_not_made_are_foreseen(self):
        answer = Answer("hourglass_full", "-s", "output.fields=[displacement]", command="check")
        self.assertEqual(answer.status, 2, answer.err)
        self.assertIn("error E111: this run does not make the field 'zero_energy_modes'; say output.fields: [.., element_spectrum]",
                      answer.err)
        answer = Answer("hourglass_full", "-s", "output.probes.force.fields=[element_spectrum]", "-s", "checks=[]", command="check")
        self.assertIn("error E111: 'element_spectrum' means several fields; name one", answer.err)
        answer = Answer("bending_locking", "-s", "output.fields=[element_spectrum]", "-s",
                        "checks=[{quantity: max(critical_time_step), report: true}]", command="check")
        self.assertIn("error E111: this run does not make the field 'critical_time_step': a material has no rho", answer.err)


def main():
    if not os.path.exists(PROGRAM):
        return 77
    shutil.rmtree(FOLDER, ignore_errors=True)
    os.makedirs(FOLDER)
    if BACKEND == "cuda" and Answer("hourglass_full").status == 4:
        return 1 if os.environ.get("BANDFEM_REQUIRE_CUDA") == "1" else 77
    return 0 if unittest.main(argv=sys.argv[:1] + sys.argv[3:], exit=False).result.wasSuccessful() else 1


if __name__ == "__main__":
    sys.exit(main())
