"""tests/program/t532_published_waves.py - band gaps of other media on the meshes of the example decks, beside exact values and an independent program

usage: t532_published_waves.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 77 no program, 1 something else
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess
import unittest

from program import SOURCE, bandfem, example, main, path_of, report

MESHES = os.path.join(SOURCE, "inputs", "meshes")


def waves(deck, **values):
    """The record of a dispersion; a check of the deck, made for other media, may fail (exit 6)."""
    options = [word for key, value in values.items() for word in ("-s", f"{key.replace('__', '.')}={value}")]
    answer = bandfem("run", example(deck), "--backend", "cpu", "--quiet", "--out", deck, *options, timeout=300)
    assert answer.status in (0, 6), answer.err
    return report(deck)["dispersion"]


class Published(unittest.TestCase):
    def near(self, got, expected, rtol):
        self.assertLess(abs(got - expected), rtol * expected, (got, expected))

    def edges(self, record, after, low, high, rtol):
        gap = next(g for g in record["gaps"] if g["after_band"] == after)
        self.near(gap["low_hz"], low, rtol)
        self.near(gap["high_hz"], high, rtol)

    def test_layers_of_steel_and_epoxy_to_the_sixth_band(self):
        x = waves("bilayer_waves", analysis__bands=6)["points"][1]["frequency_hz"]
        for got, exact in zip(x, (27989.40, 61159.42, 113585.43, 234013.47, 246213.90, 305218.82)):
            self.near(got, exact, 1e-4)

    def test_layers_of_aluminium_and_epoxy(self):
        record = waves("bilayer_waves", materials__steel__E="7.76e+10", materials__steel__nu=0.352, materials__steel__rho=2730)
        self.near(record["points"][1]["frequency_hz"][0], 45033.31, 1e-4)  # top of the first transverse band
        self.edges(record, 2, 98445.22, 109398.60, 1e-4)
        self.edges(record, 3, 131339.25, 213371.74, 1e-4)
        self.edges(record, 4, 237290.77, 237911.68, 1e-4)  # its upper edge is exact: the second longitudinal band

    def test_lead_in_epoxy_across_the_plane(self):
        record = waves("phononic_shear", mesh__file=os.path.join(MESHES, "cylinder_28_tri6.msh"), materials__epoxy__k="1.587808e+9",
                       materials__steel__k="8.3996372e+9", materials__steel__rho=11357)
        self.edges(record, 1, 17198.0, 34728.0, 5e-3)

    @unittest.skipIf(shutil.which("gmsh") is None, "no gmsh")
    def test_nickel_in_aluminium_across_the_plane(self):
        mesh = path_of("nickel.msh")  # 35 % of the area
        subprocess.run(["gmsh", "-2", "-setnumber", "r", "0.00667558", os.path.join(MESHES, "cylinder.geo"), "-o", mesh],
                       capture_output=True, check=True)
        record = waves("phononic_shear", mesh__file=mesh, materials__epoxy__k="2.79e+10", materials__epoxy__rho=2697,
                       materials__steel__k="7.54e+10", materials__steel__rho=8936)
        speed = (2.79e10 / 2697.0) ** 0.5
        self.edges(record, 1, 0.46654 * speed / 0.02, 0.58232 * speed / 0.02, 3e-3)


if __name__ == "__main__":
    main()
