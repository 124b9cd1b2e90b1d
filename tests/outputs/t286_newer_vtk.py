"""tests/outputs/t286_newer_vtk.py - a VTK that knows steps reads case.hdf step by step

usage: t286_newer_vtk.py BUILD_DIR SOURCE_DIR     reads BUILD_DIR/samples_steps, written by t284_steps
exit 0 all as expected, 1 something else, 77 without that VTK: ./dev deps vtk puts it into build/vtk

Debian 12 has VTK 9.1, whose reader knows no steps; the version that is read with here is pinned in ./dev.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

NEWER = os.path.join(sys.argv[2], "build", "vtk", "bin", "python")
if os.environ.get("BANDFEM_NEWER_VTK") != "1":
    if not os.path.exists(NEWER):
        print("t286_newer_vtk: skipped, there is no build/vtk (./dev deps vtk installs it)")
        sys.exit(77)
    os.environ["BANDFEM_NEWER_VTK"] = "1"
    os.execv(NEWER, [NEWER] + sys.argv)

import vtk

from steps_sample import check, check_grid, finish

for name in ("steps.hdf", "packed.hdf"):
    reader = vtk.vtkHDFReader()
    complaints = []
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: complaints.append("warning"))
    reader.SetFileName(os.path.join(sys.argv[1], "samples_steps", name))
    reader.UpdateInformation()
    times = reader.GetOutputInformation(0).Get(vtk.vtkStreamingDemandDrivenPipeline.TIME_STEPS())
    check(times == (1.0, 2.0, 3.0), f"{name}: times {times}")
    for step in (2, 0, 1):  # not only one after the other
        reader.UpdateTimeStep(times[step])
        check_grid(reader.GetOutput(), step, name)
    check(not complaints, f"{name}: VTK complains")
finish("t286_newer_vtk", vtk.vtkVersion.GetVTKVersion())
