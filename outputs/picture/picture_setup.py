"""outputs/picture/picture_setup.py - picture of setup.vtk and setup_sides.vtk: materials and conditions in colour, arrows of the loads

A body of one material is grey, several materials have light colours; sides with a condition have its colour, and the words of
the deck stand below in the same colours.  Arrows are tractions at the sides' middles, drawn outside the body; gravity and body forces have one
arrow beside it.  A ball is a node with something prescribed.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os

from picture_read import read_legacy, texts

PALETTE = [(0.12, 0.47, 0.71), (0.85, 0.37, 0.01), (0.17, 0.63, 0.17), (0.58, 0.40, 0.74), (0.84, 0.15, 0.16),
           (0.55, 0.34, 0.29), (0.09, 0.75, 0.81), (0.74, 0.74, 0.13)]
LIGHT = [(0.72, 0.80, 0.90), (0.95, 0.86, 0.66), (0.78, 0.88, 0.74), (0.86, 0.78, 0.88), (0.93, 0.77, 0.75), (0.76, 0.89, 0.89)]
GREY, DARK = (0.80, 0.80, 0.78), (0.15, 0.15, 0.15)
ARROWS, ARROW_SHARE = 200, 0.14


def is_setup(grid):
    return grid.GetCellData().HasArray("condition_id") and grid.GetCellData().HasArray("dimension")


def part(grid, name, low, high, vtk):
    """The cells whose value of a field is between low and high."""
    pick = vtk.vtkThreshold()
    pick.SetInputData(grid)
    pick.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_CELLS, name)
    pick.SetThresholdFunction(vtk.vtkThreshold.THRESHOLD_BETWEEN)
    pick.SetLowerThreshold(low)
    pick.SetUpperThreshold(high)
    pick.Update()
    return pick.GetOutput()


def lines(grid, vtk):
    """Lines and points as they are; the middle of a curved line is its second point."""
    data, cells, points = vtk.vtkPolyData(), vtk.vtkCellArray(), vtk.vtkCellArray()
    for c in range(grid.GetNumberOfCells()):
        cell = grid.GetCell(c)
        ids = [cell.GetPointId(i) for i in range(cell.GetNumberOfPoints())]
        if len(ids) == 3:
            ids = [ids[0], ids[2], ids[1]]
        kind = points if len(ids) == 1 else cells
        kind.InsertNextCell(len(ids))
        for i in ids:
            kind.InsertCellPoint(i)
    data.SetPoints(grid.GetPoints())
    data.SetLines(cells)
    data.SetVerts(points)
    return data


def skin(grid, vtk):
    if all(grid.GetCell(c).GetCellDimension() < 2 for c in range(grid.GetNumberOfCells())):
        return lines(grid, vtk)
    faces = vtk.vtkDataSetSurfaceFilter()
    faces.SetInputData(grid)
    faces.SetNonlinearSubdivisionLevel(2)
    faces.Update()
    return faces.GetOutput()


def shape(grid, colour, on_top, vtk):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(skin(grid, vtk))
    mapper.ScalarVisibilityOff()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(*((-2.0, -66.0) if on_top else (2.0, 66.0)))
    mapper.SetRelativeCoincidentTopologyLineOffsetParameters(*((-4.0, -66.0) if on_top else (0.0, 0.0)))
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    actor.GetProperty().SetLineWidth(7.0)
    actor.GetProperty().SetPointSize(14.0)
    actor.GetProperty().SetAmbient(0.5)
    actor.GetProperty().SetDiffuse(0.55)
    return actor


def arrows(starts, vectors, length, colour, vtk):
    """Arrows of the given vectors, the longest `length`."""
    longest = max(sum(c * c for c in v) ** 0.5 for v in vectors)
    points, values = vtk.vtkPoints(), vtk.vtkDoubleArray()
    values.SetNumberOfComponents(3)
    values.SetName("v")
    for start, v in zip(starts, vectors):
        points.InsertNextPoint(*start)
        values.InsertNextTuple3(*(c * length / longest for c in v))
    data = vtk.vtkPolyData()
    data.SetPoints(points)
    data.GetPointData().SetVectors(values)
    source = vtk.vtkArrowSource()
    source.SetTipResolution(24)
    source.SetShaftResolution(16)
    glyph = vtk.vtkGlyph3D()
    glyph.SetSourceConnection(source.GetOutputPort())
    glyph.SetInputData(data)
    glyph.SetVectorModeToUseVector()
    glyph.SetScaleModeToScaleByVector()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(glyph.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    return actor


def traction_arrows(sides, grid, vtk):
    """Tractions point at or away from the side, always drawn on its outside."""
    field = sides.GetCellData().GetArray("traction")
    cells = [c for c in range(sides.GetNumberOfCells()) if field and any(field.GetTuple(c))]
    if not cells:
        return []
    box, length = grid.GetBounds(), ARROW_SHARE * grid.GetLength()
    centre = [0.5 * (box[2 * d] + box[2 * d + 1]) for d in range(3)]
    cells = cells[:: max(1, len(cells) // ARROWS)]
    vectors = [field.GetTuple(c) for c in cells]
    longest = max(sum(x * x for x in v) ** 0.5 for v in vectors)
    starts = []
    for c, v in zip(cells, vectors):
        b = sides.GetCell(c).GetBounds()
        at = [0.5 * (b[2 * d] + b[2 * d + 1]) for d in range(3)]
        inward = sum(x * (p - q) for x, p, q in zip(v, at, centre)) < 0.0
        starts.append([p - inward * x * length / longest for p, x in zip(at, v)])
    return [arrows(starts, vectors, length, DARK, vtk)]


def weight_arrow(grid, vtk):
    """One arrow for gravity and body forces, above the middle of the body where they point down."""
    field = grid.GetCellData().GetArray("body_force")
    vectors = [field.GetTuple(c) for c in range(grid.GetNumberOfCells())] if field else []
    mean = [sum(v[d] for v in vectors) for d in range(3)]
    size = sum(x * x for x in mean) ** 0.5
    if size == 0.0:
        return []
    box, length = grid.GetBounds(), 1.3 * ARROW_SHARE * grid.GetLength()
    way = [x / size for x in mean]
    reach = 0.5 * sum(abs(w) * (box[2 * d + 1] - box[2 * d]) for d, w in enumerate(way)) + 1.1 * length
    start = [0.5 * (box[2 * d] + box[2 * d + 1]) - way[d] * reach for d in range(3)]
    return [arrows([start], [way], length, (0.45, 0.45, 0.45), vtk)]


def held_points(grid, vtk):
    """A small ball at every point where something is prescribed: supports are seen from behind too."""
    fixed, at = grid.GetPointData().GetArray("fixed"), vtk.vtkPoints()
    for i in range(grid.GetNumberOfPoints()):
        if any(fixed.GetTuple(i)):
            at.InsertNextPoint(grid.GetPoint(i))
    if at.GetNumberOfPoints() == 0 or at.GetNumberOfPoints() > 20000:
        return []
    data, ball = vtk.vtkPolyData(), vtk.vtkSphereSource()
    data.SetPoints(at)
    ball.SetRadius(0.006 * grid.GetLength())
    glyph = vtk.vtkGlyph3D()
    glyph.SetSourceConnection(ball.GetOutputPort())
    glyph.SetInputData(data)
    glyph.ScalingOff()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(glyph.GetOutputPort())
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*DARK)
    return [actor]


def sides_beside(path, vtk):
    """The grid of setup_sides.vtk beside setup.vtk, or None."""
    sides = os.path.splitext(path)[0] + "_sides.vtk"
    return read_legacy(sides, vtk) if path.endswith(".vtk") and os.path.isfile(sides) else None


def bodies(grid, vtk):
    """The body in one colour per material, and the legend of the materials."""
    words = texts(grid, "materials")
    drawn, legend = [], []
    for i in range(-1, len(words)):
        piece = part(grid, "material_id", i, i, vtk) if grid.GetCellData().HasArray("material_id") else grid
        if piece.GetNumberOfCells() == 0:
            continue
        colour = LIGHT[i % len(LIGHT)] if i >= 0 and len(words) > 1 else GREY
        actor = shape(piece, colour, False, vtk)
        if grid.GetNumberOfCells() < 20000 and not any(piece.GetCellType(c) > 20 for c in range(piece.GetNumberOfCells())):
            actor.GetProperty().EdgeVisibilityOn()
            actor.GetProperty().SetEdgeColor(0.6, 0.6, 0.6)
            actor.GetProperty().SetLineWidth(0.5)
        drawn.append(actor)
        if piece is grid:
            break
    for i, text in enumerate(words):
        dark = tuple(0.6 * c for c in LIGHT[i % len(LIGHT)]) if len(words) > 1 else DARK
        legend.append((text.partition(": ")[2], dark))
    return drawn, legend


def actors(grid, sides, vtk):
    """What is to be drawn, and the legend as (text, colour); sides: cells of a lower dimension, or None."""
    dims = grid.GetCellData().GetArray("dimension").GetRange()
    drawn, materials = bodies(part(grid, "dimension", dims[1], dims[1], vtk), vtk)
    sides, legend = sides or grid, []
    for i, text in enumerate(texts(grid, "conditions")):
        colour = PALETTE[i % len(PALETTE)]
        held = part(sides, "condition_id", i, i, vtk)
        if held.GetNumberOfCells():
            drawn.append(shape(held, colour, True, vtk))
        legend.append((text.partition(": ")[2], colour))
    drawn += held_points(grid, vtk) + traction_arrows(sides, grid, vtk) + weight_arrow(grid, vtk)
    legend += [(text.partition(": ")[2], (0.45, 0.45, 0.45)) for text in texts(grid, "loads")]
    return drawn, legend + materials
