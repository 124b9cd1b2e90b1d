"""tests/outputs/t275_read_back.py - VTK's own readers find in case.vtk and case.hdf what was meant

usage: t275_read_back.py BUILD_DIR [SOURCE_DIR]     reads BUILD_DIR/samples, written by t274_write_samples
exit 0 all as expected, 1 something else, 77 no VTK for Python here

For every file: points, cell types, fields by the formula of tests/outputs/samples.h, field data.  For every cell with
curved edges: each mid-side node is near the middle of its edge, and nearer to it than to any other edge, by
VTK's own list of edges.  The measure is integrated with VTK's shape functions and compared with the one that
t274 computed with ours.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import math
import os
import sys

try:
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
except ImportError:
    print("t275_read_back: skipped, /usr/bin/python3 has no VTK (Debian: apt install python3-vtk9)")
    sys.exit(77)

VTK_TYPE = {"line2": 3, "line3": 21, "tri3": 5, "tri6": 22, "quad4": 9, "quad8": 23,
            "tet4": 10, "tet10": 24, "hex8": 12, "hex20": 25,
            "quad9": 28, "hex27": 29}
FIELDS = [("displacement", "m", 3, "point"), ("temperature", "degC", 1, "point"), ("stress_nodal", "Pa", 6, "point"),
          ("stress", "Pa", 6, "cell"), ("material_id", None, 1, "cell")]
GAUSS = [(-0.9061798459386640, 0.2369268850561891), (-0.5384693101056831, 0.4786286704993665),
         (0.0, 0.5688888888888889), (0.5384693101056831, 0.4786286704993665), (0.9061798459386640, 0.2369268850561891)]
UNIT = [(0.5 * (1 + x), 0.5 * w) for x, w in GAUSS]
failures = []


def check(ok, what):
    if not ok:
        failures.append(what)
        print("FAILED", what)


def near(a, b, tolerance, what):
    check(abs(a - b) <= tolerance, f"{what}: {a!r} instead of {b!r}")


def read(path):
    """The grid, by the reader that belongs to the suffix; what VTK complains of is a failure."""
    reader = vtk.vtkHDFReader() if path.endswith(".hdf") else vtk.vtkUnstructuredGridReader()
    complaints = []
    reader.AddObserver("ErrorEvent", lambda *_: complaints.append("error"))
    reader.AddObserver("WarningEvent", lambda *_: complaints.append("warning"))
    check(reader.CanReadFile(path) if path.endswith(".hdf") else True, f"{path}: the reader refuses it")
    reader.SetFileName(path)
    reader.Update()
    check(not complaints, f"{path}: VTK complains")
    return reader.GetOutput()


def quadrature(dimension, simplex):
    """Points and weights of the reference cell of VTK; exact for degree 7 and more (simplices: collapsed)."""
    if dimension == 1:
        return [((r, 0, 0), a) for r, a in UNIT]
    if dimension == 2:
        if simplex:
            return [((r, s * (1 - r), 0), a * b * (1 - r)) for r, a in UNIT for s, b in UNIT]
        return [((r, s, 0), a * b) for r, a in UNIT for s, b in UNIT]
    if simplex:
        return [((r, s * (1 - r), t * (1 - r) * (1 - s)), a * b * c * (1 - r) ** 2 * (1 - s))
                for r, a in UNIT for s, b in UNIT for t, c in UNIT]
    return [((r, s, t), a * b * c) for r, a in UNIT for s, b in UNIT for t, c in UNIT]


def measure(cell):
    """Integral of det J with the cell's own shape functions; and the least det J."""
    dimension, n = cell.GetCellDimension(), cell.GetNumberOfPoints()
    simplex = cell.GetCellType() in (5, 22, 10, 24)
    x = [cell.GetPoints().GetPoint(i) for i in range(n)]
    total, least = 0.0, math.inf
    for at, weight in quadrature(dimension, simplex):
        derivatives = [0.0] * (dimension * n)
        cell.InterpolateDerivs(at, derivatives)
        jacobian = [[sum(derivatives[d * n + i] * x[i][k] for i in range(n)) for k in range(3)] for d in range(dimension)]
        if dimension == 1:
            det = jacobian[0][0]
        elif dimension == 2:
            det = jacobian[0][0] * jacobian[1][1] - jacobian[0][1] * jacobian[1][0]
        else:
            (a, b, c), (d, e, f), (g, h, i) = jacobian
            det = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
        total += weight * det
        least = min(least, det)
    return total, least


def mid_side_nodes(cell, where):
    """Each third point of an edge is close to its middle, and the edge's middle is the nearest of all."""
    if cell.GetCellDimension() == 1:
        edges = [cell]
    else:
        edges = []
        for e in range(cell.GetNumberOfEdges()):
            copy = vtk.vtkQuadraticEdge() if cell.GetEdge(e).GetNumberOfPoints() == 3 else vtk.vtkLine()
            copy.DeepCopy(cell.GetEdge(e))
            edges.append(copy)
    ends = [[edge.GetPoints().GetPoint(k) for k in range(edge.GetNumberOfPoints())] for edge in edges]
    middles = [[0.5 * (p[0][k] + p[1][k]) for k in range(3)] for p in ends]
    seen = 0
    for e, points in enumerate(ends):
        if len(points) < 3:
            continue
        seen += 1
        distance = [math.dist(points[2], m) for m in middles]
        check(min(range(len(distance)), key=distance.__getitem__) == e, f"{where}: node of edge {e} is at another edge")
        check(1e-3 < distance[e] < 0.2, f"{where}: node of edge {e} is {distance[e]:.3g} from its middle")
    return seen


def fields(grid, where):
    for k, (name, unit, ncomp, on) in enumerate(FIELDS):
        data = grid.GetPointData() if on == "point" else grid.GetCellData()
        count = grid.GetNumberOfPoints() if on == "point" else grid.GetNumberOfCells()
        array = data.GetArray(name)
        if array is None:
            check(False, f"{where}: no field {name}")
            continue
        check(array.GetDataType() == vtk.VTK_DOUBLE, f"{where}: {name} is not of doubles")
        check((array.GetNumberOfTuples(), array.GetNumberOfComponents()) == (count, ncomp), f"{where}: shape of {name}")
        wrong = sum(array.GetComponent(i, c) != 100.0 * i + 10.0 * c + k + 0.25
                    for i in range(count) for c in range(ncomp))
        check(wrong == 0, f"{where}: {wrong} values of {name}")
        text(grid, "unit_" + name, unit, where)
    check(grid.GetPointData().GetNumberOfArrays() == 3, f"{where}: 3 point fields")
    check(grid.GetCellData().GetNumberOfArrays() == 2, f"{where}: 2 cell fields")


def text(grid, name, expected, where):
    array = grid.GetFieldData().GetAbstractArray(name)
    got = array.GetValue(0) if array is not None else None
    check(got == expected, f"{where}: field data {name} is {got!r} instead of {expected!r}")


def one_file(path, name, expected, curved):
    grid = read(path)
    where = os.path.basename(path)
    counts = (grid.GetNumberOfPoints(), grid.GetNumberOfCells()) if grid is not None else None
    check(counts == (expected["points"], expected["cells"]), f"{where}: {counts} points and cells")
    if counts != (expected["points"], expected["cells"]):
        return
    points = vtk_to_numpy(grid.GetPoints().GetData())
    check((points == expected["x"]).all() and points.dtype == "float64", f"{where}: coordinates")
    types = [grid.GetCellType(c) for c in range(grid.GetNumberOfCells())]
    check(types == [VTK_TYPE[t] for t in expected["cell_types"]], f"{where}: cell types {types[:10]}")
    total, mid_nodes = 0.0, 0
    step = 1 if curved else 97  # of a large straight mesh only some cells
    for c in range(0, grid.GetNumberOfCells(), step):
        cell = grid.GetCell(c)
        volume, least = measure(cell)
        check(least > 0.0, f"{where}: cell {c} is inside out")
        total += volume
        if curved:
            mid_nodes += mid_side_nodes(cell, f"{where} cell {c}")
    if curved:
        near(total, expected["measure"], 1e-13 * max(1.0, abs(total)), f"{where}: measure")
        quadratic = {"line3": 1, "tri6": 3, "quad8": 4, "tet10": 6, "hex20": 12, "quad9": 4, "hex27": 12}
        check(mid_nodes == sum(quadratic.get(t, 0) for t in expected["cell_types"]), f"{where}: {mid_nodes} mid-side nodes")
    else:
        size = vtk.vtkCellSizeFilter()
        size.SetInputData(grid)
        size.Update()
        volume = vtk_to_numpy(size.GetOutput().GetCellData().GetArray("Volume")).sum()
        near(volume, expected["measure"], 1e-9, f"{where}: volume by vtkCellSizeFilter")
    fields(grid, where)
    text(grid, "case", "a sample, 100 %", where)
    text(grid, "status", "NOT CONVERGED: iteration limit after 3 iterations, relative residual 1.000e-09"
         if name == "failed" else "converged", where)
    check(grid.GetFieldData().GetArray("TimeValue").GetValue(0) == 0.0, f"{where}: TimeValue")


def main():
    folder = os.path.join(sys.argv[1], "samples")
    if not os.path.exists(os.path.join(folder, "expected.json")):
        print(f"t275_read_back: {folder} has no samples: run t274_write_samples first")
        return 1
    with open(os.path.join(folder, "expected.json"), encoding="utf-8") as file:
        expected = json.load(file)
    check(len(expected) == 14, f"{len(expected)} samples")
    expected["failed"] = expected["mixed"]
    count = 0
    for name, sample in expected.items():
        for suffix in ("vtk", "hdf"):
            one_file(os.path.join(folder, f"{name}.{suffix}"), name, sample, name != "box_compressed")
            count += 1
    print(f"t275_read_back: {count} files read back with VTK {vtk.vtkVersion.GetVTKVersion()}, {len(failures)} failures")
    return 1 if failures else 0


sys.exit(main())
