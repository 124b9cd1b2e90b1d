"""tests/outputs/steps_sample.py - what t284_steps wrote, step by step, for the tests that read it back"""
# SPDX-License-Identifier: BSD-3-Clause
import sys

failures = []


def check(ok, what):
    if not ok:
        failures.append(what)
        print("FAILED", what)


def check_grid(grid, step, where):
    """Values by the formula of tests/outputs/samples.h; the displacement of step k is 1000 k more."""
    check((grid.GetNumberOfPoints(), grid.GetNumberOfCells()) == (42, 4), f"{where}: points and cells")
    fields = [(grid.GetPointData(), "displacement", 3, 0, 1000.0 * step), (grid.GetPointData(), "temperature", 1, 1, 0.0),
              (grid.GetPointData(), "stress_nodal", 6, 2, 0.0), (grid.GetCellData(), "stress", 6, 3, 0.0),
              (grid.GetCellData(), "material_id", 1, 4, 0.0)]
    for data, name, ncomp, k, more in fields:
        array = data.GetArray(name)
        if array is None:
            check(False, f"{where} step {step}: no field {name}")
            continue
        check(array.GetNumberOfComponents() == ncomp, f"{where} step {step}: components of {name}")
        wrong = sum(array.GetComponent(i, c) != 100.0 * i + 10.0 * c + k + 0.25 + more
                    for i in range(array.GetNumberOfTuples()) for c in range(ncomp))
        check(wrong == 0, f"{where} step {step}: {wrong} values of {name}")
    for name, value in (("TimeValue", step + 1.0), ("frequency_hz", 10.5 * (step + 1))):
        array = grid.GetFieldData().GetArray(name)
        check(array is not None and array.GetNumberOfTuples() == 1 and array.GetComponent(0, 0) == value,
              f"{where} step {step}: field data {name}")
    for name, value in (("case", "a sample, 100 %"), ("status", "converged"), ("unit_stress", "Pa")):
        array = grid.GetFieldData().GetAbstractArray(name)
        check(array is not None and array.GetValue(0) == value, f"{where} step {step}: field data {name}")


def finish(test, version):
    print(f"{test}: VTK {version}, {len(failures)} failures")
    sys.exit(1 if failures else 0)
