"""tests/outputs/t285_series.py - VTK's readers find every step of a picture where its index says

usage: t285_series.py BUILD_DIR [SOURCE_DIR]     reads BUILD_DIR/samples_steps, written by t284_steps
exit 0 all as expected, 1 something else, 77 no VTK for Python here

The index is the JSON that ParaView reads; each file it names is a whole picture with its own values.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import sys

try:
    import vtk
except ImportError:
    print("t285_series: skipped, /usr/bin/python3 has no VTK (Debian: apt install python3-vtk9)")
    sys.exit(77)

from steps_sample import check_grid, finish


def read(path):
    reader = vtk.vtkUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


folder = os.path.join(sys.argv[1], "samples_steps")
with open(os.path.join(folder, "case.vtk.series"), encoding="utf-8") as file:
    index = json.load(file)
assert index["file-series-version"] == "1.0"
assert [f["time"] for f in index["files"]] == [1.0, 2.0, 3.0]
for step, entry in enumerate(index["files"]):
    check_grid(read(os.path.join(folder, entry["name"])), step, entry["name"])
finish("t285_series", vtk.vtkVersion.GetVTKVersion())
