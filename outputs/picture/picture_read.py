"""outputs/picture/picture_read.py - reads a result for picture.py: case.vtk, case.vtk.series, case.hdf, with one of its steps"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os
import sys


def fail(text):
    print(f"picture.py: {text}", file=sys.stderr)
    sys.exit(1)


def steps_of_series(path):
    """The files that the index names, in order."""
    try:
        with open(path, encoding="utf-8") as file:
            names = [entry["name"] for entry in json.load(file)["files"]]
    except (ValueError, KeyError, TypeError):
        fail(f"'{path}' is not an index of VTK files")
    return [os.path.join(os.path.dirname(path), name) for name in names] or fail(f"'{path}' names no file")


def chosen(count, number, path):
    """Index of step `number`, which counts from 1; None: the first."""
    if number is not None and not 1 <= number <= count:
        fail(f"--mode {number}: '{path}' has {count} step{'' if count == 1 else 's'}")
    return (number or 1) - 1


def read_legacy(path, vtk):
    reader = vtk.vtkUnstructuredGridReader()
    reader.SetFileName(path)
    reader.Update()
    return reader.GetOutput()


def read_hdf(path, number, vtk):
    """One step of a VTKHDF file; VTK before 9.3 reads the first alone, and the series beside the file has the others."""
    reader = vtk.vtkHDFReader()
    if not reader.CanReadFile(path):
        fail(f"'{path}' is not a VTKHDF file")
    reader.SetFileName(path)
    vtk.vtkObject.GlobalWarningDisplayOff()  # old readers warn of version 2
    reader.UpdateInformation()
    count = reader.GetNumberOfSteps() if hasattr(reader, "GetNumberOfSteps") else 0
    if count > 0:
        reader.SetStep(chosen(count, number, path))
    reader.Update()
    vtk.vtkObject.GlobalWarningDisplayOn()
    grid = reader.GetOutput()
    times = grid.GetFieldData().GetArray("TimeValue") if grid is not None else None
    if count == 0 and times is not None and times.GetNumberOfTuples() > 1:
        series = path[:-len(".hdf")] + ".vtk.series"
        if os.path.isfile(series):
            return read_legacy(step_file(series, number), vtk)
        if chosen(times.GetNumberOfTuples(), number, path) > 0:
            fail(f"this VTK ({vtk.vtkVersion.GetVTKVersion()}) reads only the first step of a VTKHDF file: draw case.vtk.series "
                 "or install a newer VTK, ./dev deps vtk")
    elif count == 0:
        chosen(1, number, path)
    return grid


def step_file(series, number):
    files = steps_of_series(series)
    return files[chosen(len(files), number, series)]


def read(path, number, vtk):
    """The grid of a file; number: a step, from 1, or None."""
    if not os.path.isfile(path):
        fail(f"there is no file '{path}'")
    if path.endswith(".vtk.series"):
        path = step_file(path, number)
        if not os.path.isfile(path):
            fail(f"there is no file '{path}', which the series names")
        grid = read_legacy(path, vtk)
    elif path.endswith(".vtk"):
        chosen(1, number, path)
        grid = read_legacy(path, vtk)
    elif path.endswith(".hdf"):
        grid = read_hdf(path, number, vtk)
    else:
        fail(f"'{path}' ends neither in .vtk, .vtk.series nor .hdf")
    if grid is None or grid.GetNumberOfCells() == 0:
        fail(f"'{path}' has no cells")
    return grid


def names(data):
    return [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]


def texts(grid, name):
    array = grid.GetFieldData().GetAbstractArray(name)
    return [array.GetValue(i) for i in range(array.GetNumberOfValues())] if array is not None else []


def field_text(grid, name):
    return (texts(grid, name) or [""])[0]


def mode_text(grid):
    """"mode 7: 1.62214 Hz", of a picture with a frequency; "band 4 at k = (0.5, 0, 0): 35250.1 Hz" of a wave."""
    frequency, number, band = (grid.GetFieldData().GetArray(n) for n in ("frequency_hz", "TimeValue", "band"))
    if frequency and band:
        kappa = filter(None, (grid.GetFieldData().GetArray(f"kappa_{i}") for i in (1, 2, 3)))
        return f"band {band.GetValue(0):g} at k = ({', '.join(f'{k.GetValue(0):g}' for k in kappa)}): {frequency.GetValue(0):.6g} Hz"
    return f"mode {number.GetValue(0):g}: {frequency.GetValue(0):.6g} Hz" if frequency and number else ""
