"""outputs/picture/picture_draw.py - drawing for picture.py: coloured surface, edges of the elements, colour bar, texts, camera

The surface is drawn without light, so that its colours are those of the bar; the edges of the elements show its shape.
"""
# SPDX-License-Identifier: BSD-3-Clause
from picture_read import fail

DARK = (0.15, 0.15, 0.15)
# dark blue to light yellow through green: lightness grows evenly, so it also reads in grey
SEQUENTIAL = [(0.00, 0.05, 0.16, 0.38), (0.20, 0.10, 0.33, 0.50), (0.40, 0.24, 0.49, 0.50), (0.60, 0.53, 0.61, 0.42),
              (0.80, 0.86, 0.68, 0.40), (1.00, 0.99, 0.91, 0.66)]
# blue to red through grey, for values on both sides of 0 (Moreland, Diverging Color Maps for Scientific Visualization, 2009)
DIVERGING = [(0.00, 0.230, 0.299, 0.754), (0.25, 0.554, 0.690, 0.996), (0.50, 0.865, 0.865, 0.865), (0.75, 0.957, 0.598, 0.477),
             (1.00, 0.706, 0.016, 0.150)]
UNSIGNED = ("temperature", "concentration")  # their zero is that of a scale
SIGNED_SHARE = 0.05  # of the larger side, above which a field is one with two sides
MOST_EDGES = 20000  # faces; more would be drawn black
VIEWS = {"front": (0, 0), "right": (90, 0), "back": (180, 0), "left": (270, 0), "top": (0, 90), "bottom": (0, -90),
         "below": (24, -25)}


def surface(grid, vtk, level):
    """Outer faces as polygons; curved cells in pieces."""
    filter_ = vtk.vtkDataSetSurfaceFilter()
    filter_.SetInputData(grid)
    filter_.SetNonlinearSubdivisionLevel(level)
    filter_.Update()
    return filter_.GetOutput()


def is_curved(grid, vtk):
    types = vtk.vtkCellTypes()
    (grid.GetDistinctCellTypes if hasattr(grid, "GetDistinctCellTypes") else grid.GetCellTypes)(types)
    return any(types.GetCellType(i) > 20 for i in range(types.GetNumberOfTypes()))


def line_actor(port, colour, width, vtk):
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(port)
    mapper.ScalarVisibilityOff()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyLineOffsetParameters(-1.0, -1.0)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(*colour)
    actor.GetProperty().SetLineWidth(width)
    actor.GetProperty().LightingOff()
    return actor


def element_edges(grid, vtk):
    """Edges of the outer faces; those of curved elements follow their mid-side nodes."""
    faces = vtk.vtkUnstructuredGridGeometryFilter()
    faces.SetInputData(grid)
    faces.Update()
    if not 0 < faces.GetOutput().GetNumberOfCells() < MOST_EDGES:
        return []
    edges = vtk.vtkExtractEdges()
    edges.SetInputConnection(faces.GetOutputPort())
    return [line_actor(edges.GetOutputPort(), (0.25, 0.25, 0.25), 0.5, vtk)]


def sharp_edges(grid, colour, vtk):
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface(grid, vtk, 2 if is_curved(grid, vtk) else 0))
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOn()
    edges.NonManifoldEdgesOff()
    edges.ManifoldEdgesOff()
    edges.ColoringOff()
    return line_actor(edges.GetOutputPort(), colour, 1.0, vtk)


def values(grid, name, on_cells, component):
    """The drawn numbers of a field; component -1: the magnitude."""
    import numpy
    from vtk.util.numpy_support import vtk_to_numpy  # picture.py imports VTK first
    array = vtk_to_numpy((grid.GetCellData() if on_cells else grid.GetPointData()).GetArray(name))
    if array.ndim == 1:
        return array
    return numpy.sqrt((array * array).sum(axis=1)) if component < 0 else array[:, component]


def limits(numbers, option):
    """Lowest and highest value of the colours: all, LOW,HIGH, or percentiles LOW%,HIGH%."""
    import numpy
    finite = numbers[numpy.isfinite(numbers)]
    if finite.size == 0:
        fail("the field has no finite value")
    if option in (None, "all"):
        return float(finite.min()), float(finite.max())
    words = option.split(",")
    try:
        low, high = (float(numpy.percentile(finite, float(w[:-1]))) if w.endswith("%") else float(w) for w in words)
    except ValueError:
        fail(f"--range {option}: two numbers or percentiles, for example --range 0,250 or --range 2%,98%")
    if not low <= high:
        fail(f"--range {option}: the first value is above the second")
    return low, high


def is_signed(name, component, low, high):
    """A field with values on both sides of 0."""
    return component >= 0 and name not in UNSIGNED and low < 0.0 < high and min(-low, high) > SIGNED_SHARE * max(-low, high)


def colours(name, low, high, component, free, vtk):
    """Table of colours; free: the range is that of the values, so a signed field may take one about 0."""
    signed = is_signed(name, component, low, high)
    if signed and free:
        low, high = -max(-low, high), max(-low, high)
    if low == high:
        low, high = low - max(abs(low), 1.0) * 0.5e-6, high + max(abs(high), 1.0) * 0.5e-6
    table = vtk.vtkColorTransferFunction()
    if signed and not free:  # 0 stays grey
        for at, *colour in DIVERGING:
            table.AddRGBPoint((1 - 2 * at) * low if at < 0.5 else (2 * at - 1) * high, *colour)
    else:
        for at, *colour in DIVERGING if signed else SEQUENTIAL:
            table.AddRGBPoint(low + at * (high - low), *colour)
    if component < 0:
        table.SetVectorModeToMagnitude()
    else:
        table.SetVectorModeToComponent()
        table.SetVectorComponent(component)
    return table


def body(grid, name, on_cells, table, whole, vtk):
    """Actors of the coloured surface; whole: not cut, whose pieces are no elements."""
    skin = surface(grid, vtk, 2 if is_curved(grid, vtk) else 0)
    mapper = vtk.vtkPolyDataMapper()
    if table:
        mapper.SetLookupTable(table)
        (mapper.SetScalarModeToUseCellFieldData if on_cells else mapper.SetScalarModeToUsePointFieldData)()
        mapper.SelectColorArray(name)
        mapper.InterpolateScalarsBeforeMappingOn()
    mapper.SetInputData(skin)
    mapper.SetResolveCoincidentTopologyToPolygonOffset()  # behind the lines of its edges
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(2.0, 2.0)
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    if table:
        actor.GetProperty().LightingOff()
    return [actor, sharp_edges(grid, (0.1, 0.1, 0.1), vtk)] + (element_edges(grid, vtk) if whole else [])


def text_style(style, size):
    style.SetColor(*DARK)
    style.SetFontFamilyToArial()
    style.SetFontSize(size)
    style.BoldOff()
    style.ItalicOff()
    style.ShadowOff()


def caption(text, colour, x, y, size, vtk):
    actor = vtk.vtkTextActor()
    actor.SetInput(text)
    text_style(actor.GetTextProperty(), size)
    actor.GetTextProperty().SetColor(*colour)
    actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    actor.SetPosition(x, y)
    return actor


def wrapped(text, length):
    """Lines of at most `length` letters, broken at blanks."""
    lines = [""]
    for word in text.split():
        lines[-1:] = [f"{lines[-1]} {word}".strip()] if len(lines[-1]) + len(word) < length else [lines[-1], word]
    return [line for line in lines if line]


def scalar_bar(table, title, unit, height, vtk):
    """The bar and its title, which ends at the right side of the picture."""
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle("")
    bar.SetNumberOfLabels(5)
    bar.SetLabelFormat("%-#.4g")
    bar.UnconstrainedFontSizeOn()
    text_style(bar.GetLabelTextProperty(), height // 45)
    bar.SetPosition(0.86, 0.18)
    bar.SetWidth(0.09)
    bar.SetHeight(0.6)
    head = caption("\n".join(wrapped(title, 18) + ([f"[{unit}]"] if unit not in ("", "1") else [])), DARK, 0.985, 0.81,
                   height // 40, vtk)
    head.GetTextProperty().SetJustificationToRight()
    return [bar, head]


def aim(renderer, grid, view):
    """Plane bodies from the front, others from the right, the front and a little above; view: a name or AZIMUTH,ELEVATION."""
    from math import cos, radians, sin
    box = grid.GetBounds()
    plane = box[5] - box[4] <= 1e-9 * grid.GetLength()
    renderer.ResetCamera()
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    angles = VIEWS.get(view)
    if view and not angles:
        try:
            angles = tuple(float(a) for a in view.split(","))
        except ValueError:
            angles = ()
        if len(angles) != 2 or abs(angles[1]) > 90.0:
            fail(f"--view {view}: {', '.join(VIEWS)}, or AZIMUTH,ELEVATION in degrees")
    if angles or not plane:
        centre, reach = camera.GetFocalPoint(), 1.2 * grid.GetLength()
        azimuth, elevation = (radians(a) for a in angles or (24.2, 24.5))
        way = (sin(azimuth) * cos(elevation), -cos(azimuth) * cos(elevation), sin(elevation))
        camera.SetPosition(*(c + reach * w for c, w in zip(centre, way)))
        upright = abs(way[2]) < 0.999
        camera.SetViewUp(*((0, 0, 1) if upright else (-sin(azimuth) * way[2], cos(azimuth) * way[2], 0)))
    renderer.ResetCamera()
    sides = sorted(box[2 * i + 1] - box[2 * i] for i in range(3))
    camera.Zoom(1.15 if sides[1] < 0.7 * sides[2] and not angles else 0.9)  # slender bodies leave room above and below
    camera.SetWindowCenter(0.12, 0.0)  # room for the bar on the right
