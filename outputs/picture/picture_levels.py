"""outputs/picture/picture_levels.py - drawing of level_1, level_2, level_1_cell, level_2_cell: one colour for each number

A number at points is drawn on the part of each face that is next to the point.  Numbers that follow each other get hues far apart;
-1 (no node of the level) is grey.
"""
# SPDX-License-Identifier: BSD-3-Clause
import colorsys
import re

import picture_draw

NONE = (216, 216, 216)
GOLDEN = 0.6180339887  # share of the circle of hues between a number and the next


def is_level(name):
    return bool(name) and re.fullmatch(r"level_\d+(_cell)?", name) is not None


def colour(number):
    if number < 0:
        return NONE
    mixed = (number * 2654435761) % 2**32 >> 16
    red, green, blue = colorsys.hsv_to_rgb(number * GOLDEN % 1.0, 0.35 + 0.2 * (mixed % 3), 0.95 - 0.15 * (mixed // 3 % 3))
    return int(255 * red), int(255 * green), int(255 * blue)


def paint(mesh, numbers, vtk):
    array = vtk.vtkUnsignedCharArray()
    array.SetName("colour")
    array.SetNumberOfComponents(3)
    for number in numbers:
        array.InsertNextTuple3(*colour(int(round(number))))
    mesh.GetCellData().SetScalars(array)
    return mesh


def around_points(skin, name, vtk):
    """Each face in one quadrilateral for each corner: corner, middle of an edge, centre, middle of the other edge."""
    values, points, faces, numbers = skin.GetPointData().GetArray(name), vtk.vtkPoints(), vtk.vtkCellArray(), []
    for c in range(skin.GetNumberOfCells()):
        cell = skin.GetCell(c)
        count = cell.GetNumberOfPoints()
        ids = [cell.GetPointId(k) for k in range(count)]
        x = [skin.GetPoint(i) for i in ids]
        centre = tuple(sum(p[a] for p in x) / count for a in range(3))
        middle = [tuple(0.5 * (x[k][a] + x[(k + 1) % count][a]) for a in range(3)) for k in range(count)]
        for k in range(count):
            faces.InsertNextCell(4)
            for p in (x[k], middle[k], centre, middle[k - 1]):
                faces.InsertCellPoint(points.InsertNextPoint(*p))
            numbers.append(values.GetTuple1(ids[k]))
    mesh = vtk.vtkPolyData()
    mesh.SetPoints(points)
    mesh.SetPolys(faces)
    return paint(mesh, numbers, vtk)


def actors(grid, name, on_cells, whole, vtk):
    skin = picture_draw.surface(grid, vtk, 0)
    if on_cells:
        values = skin.GetCellData().GetArray(name)
        skin = paint(skin, [values.GetTuple1(i) for i in range(skin.GetNumberOfCells())], vtk)
    else:
        skin = around_points(skin, name, vtk)
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputData(skin)
    mapper.SetScalarModeToUseCellData()
    mapper.SetColorModeToDirectScalars()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(2.0, 2.0)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    edges = picture_draw.element_edges(grid, vtk) if whole else []
    return [actor, picture_draw.sharp_edges(grid, (0.1, 0.1, 0.1), vtk)] + edges
