"""tests/program/t586_group_names.py - names and ids of materials and groups in case.vtk and case.hdf, read by VTK

usage: t586_group_names.py BUILD_DIR SOURCE_DIR [unittest options]     exit 77 where VTK is missing
"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

from bad_inputs import deck_text
from program import Case, bandfem, main, path_of, write

try:
    import vtk
except ImportError:
    print("t586_group_names: skipped, /usr/bin/python3 has no VTK (Debian: apt install python3-vtk9)")
    sys.exit(77)

BAR = {"mesh": "{generate: {box: {size: [1.0, 1.0, 1.0], cells: [2, 2, 2], element: hex8}}}", "physics": "elasticity",
       "materials": "\n  steel: {group: volume, E: 2.1e+11, nu: 0.3, rho: 7850.0}", "boundary": "\n  - {group: x_min, type: fixed}"}


def grid(path):
    reader = vtk.vtkHDFReader() if path.endswith(".hdf") else vtk.vtkUnstructuredGridReader()
    reader.SetFileName(path)
    vtk.vtkObject.GlobalWarningDisplayOff()
    reader.Update()
    vtk.vtkObject.GlobalWarningDisplayOn()
    return reader.GetOutput()


def texts(g, name):
    array = g.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())]


class Names(Case):
    def shown(self, g):
        self.assertEqual(texts(g, "materials"), ["0: steel"])
        groups = ["volume (3-D)", "x_min (2-D)", "x_max (2-D)", "y_min (2-D)", "y_max (2-D)", "z_min (2-D)", "z_max (2-D)"]
        self.assertEqual(texts(g, "groups"), [f"{i}: {name}" for i, name in enumerate(groups)])
        cells, points = g.GetCellData().GetArray("group_id_3d"), g.GetPointData().GetArray("group_id_2d")
        self.assertEqual({cells.GetValue(c) for c in range(8)}, {0.0})
        for i in range(g.GetNumberOfPoints()):
            x = g.GetPoint(i)
            sides = [1 + 2 * d + end for d in range(3) for end in (0, 1) if x[d] == end]
            self.assertEqual(points.GetValue(i), min(sides, default=-1), x)

    def test_a_static_run(self):
        bandfem("run", write("bar.yaml", deck_text(BAR, boundary=BAR["boundary"] + "\n  - {group: x_max, type: pressure, value: 1.0}")),
                "--quiet", "--out", "bar", status=0)
        self.shown(grid(path_of("bar", "case.vtk")))
        self.shown(grid(path_of("bar", "case.hdf")))

    def test_as_many_steps_as_names(self):
        bandfem("run", write("modes.yaml", deck_text(BAR, analysis="{type: modal, modes: 7}")), "--quiet", "--out", "modes", status=0)
        self.shown(grid(path_of("modes", "case_0003.vtk")))
        self.shown(grid(path_of("modes", "case.hdf")))


main()
