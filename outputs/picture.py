#!/usr/bin/python3
"""outputs/picture.py - a PNG of a result, through VTK

usage: picture.py RESULT.(vtk|hdf) OUT.png [--field NAME] [--warp auto|FACTOR|0] [--component C] [--size WxH]
       [--cut x|y|z]

Without an X display it starts itself again under xvfb-run (Debian: apt install python3-vtk9 xvfb xauth).
Default field: von_mises_nodal, von_mises, temperature, concentration, displacement, mode_shape, mode_shape_re, or the first field.
A series has a file for each mode: case_0000.vtk is mode 1, or the first band that is saved of a dispersion.
--component: 0, 1, ... or x y z xx yy zz xy yz xz; default: the magnitude of a vector, the first of six.
--cut: shows the half behind the middle plane across that axis, so that the inside of a solid is seen.
setup.vtk of `bandfem check`, without --field: conditions in colour with the words of the deck, arrows of the loads.
--warp auto: moves the points by `displacement`, `mode_shape` or `mode_shape_re`, the largest to 8 % of the size; the factor is written below.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import os
import picture_setup
import shutil
import sys

PREFERRED = ["von_mises_nodal", "von_mises", "temperature", "concentration", "displacement", "mode_shape", "mode_shape_re"]
MOVES = ["displacement", "mode_shape", "mode_shape_re"]
VECTOR, TENSOR = ["x", "y", "z"], ["xx", "yy", "zz", "xy", "yz", "xz"]
# dark blue to light yellow through green: lightness grows evenly, so it also reads in grey
COLOURS = [(0.00, 0.05, 0.16, 0.38), (0.20, 0.10, 0.33, 0.50), (0.40, 0.24, 0.49, 0.50), (0.60, 0.53, 0.61, 0.42),
           (0.80, 0.86, 0.68, 0.40), (1.00, 0.99, 0.91, 0.66)]
WARP_SHARE = 0.08


def fail(text):
    print(f"picture.py: {text}", file=sys.stderr)
    sys.exit(1)


def arguments():
    parser = argparse.ArgumentParser(description="A PNG of a bandfem result (case.vtk or case.hdf).")
    parser.add_argument("result")
    parser.add_argument("png")
    parser.add_argument("--field", help="point or cell field; default: von Mises stress, temperature, ...")
    parser.add_argument("--warp", default="auto", help="auto, a factor, or 0")
    parser.add_argument("--component", help="0, 1, ... or x y z, xx yy zz xy yz xz")
    parser.add_argument("--cut", choices=["x", "y", "z"], help="show the half behind the middle across this axis")
    parser.add_argument("--size", default="1200x800", help="pixels, WxH")
    return parser.parse_args()


def display_or_restart():
    if os.environ.get("DISPLAY"):
        return
    if not shutil.which("xvfb-run"):
        fail("no X display and no xvfb-run (Debian: apt install xvfb xauth)")
    command = ["xvfb-run", "-a", "-s", "-screen 0 1200x800x24", sys.executable or "/usr/bin/python3"]
    os.execvp(command[0], command + [os.path.abspath(__file__)] + sys.argv[1:])


def read(path, vtk):
    if not os.path.isfile(path):
        fail(f"there is no file '{path}'")
    if path.endswith(".vtk"):
        reader = vtk.vtkUnstructuredGridReader()
        readable = True
    elif path.endswith(".hdf"):
        reader = vtk.vtkHDFReader()
        readable = reader.CanReadFile(path)
    else:
        fail(f"'{path}' ends neither in .vtk nor in .hdf")
    if not readable:
        fail(f"'{path}' is not a VTKHDF file")
    reader.SetFileName(path)
    reader.Update()
    grid = reader.GetOutput()
    if grid is None or grid.GetNumberOfCells() == 0:
        fail(f"'{path}' has no cells")
    return grid


def names(data):
    return [data.GetArrayName(i) for i in range(data.GetNumberOfArrays())]


def field_text(grid, name):
    array = grid.GetFieldData().GetAbstractArray(name)
    return array.GetValue(0) if array is not None and array.GetNumberOfValues() else ""


def mode_text(grid):
    """"mode 7: 1.62214 Hz", of a picture with a frequency; "band 4 at k = (0.5, 0, 0): 35250.1 Hz" of a wave."""
    frequency, number, band = (grid.GetFieldData().GetArray(n) for n in ("frequency_hz", "TimeValue", "band"))
    if frequency and band:
        kappa = filter(None, (grid.GetFieldData().GetArray(f"kappa_{i}") for i in (1, 2, 3)))
        return f"band {band.GetValue(0):g} at k = ({', '.join(f'{k.GetValue(0):g}' for k in kappa)}): {frequency.GetValue(0):.6g} Hz"
    return f"mode {number.GetValue(0):g}: {frequency.GetValue(0):.6g} Hz" if frequency and number else ""


def choose(grid, wanted):
    """Name of the field and whether it is on cells."""
    points, cells = names(grid.GetPointData()), names(grid.GetCellData())
    if wanted:
        if wanted not in points + cells:
            fail(f"no field '{wanted}'; there are: {', '.join(points + cells) or 'none'}")
        return wanted, wanted not in points
    for name in PREFERRED + points + cells:
        if name in points + cells:
            return name, name not in points
    return None, False


def component_of(array, wanted):
    """Number of the component to show (-1 = magnitude) and what to write behind the name."""
    count = array.GetNumberOfComponents()
    letters = {3: VECTOR, 6: TENSOR}.get(count, [])
    if count == 1:
        return 0, ""
    if wanted is None:
        return (-1, "magnitude") if count == 3 else (0, letters[0] if letters else "0")
    if wanted in letters:
        return letters.index(wanted), wanted
    if wanted.isdigit() and int(wanted) < count:
        return int(wanted), letters[int(wanted)] if letters else wanted
    fail(f"component '{wanted}': this field has {', '.join(letters) or count}")


def warped(grid, option, vtk):
    """The grid moved by its displacement or mode shape, and the factor."""
    name = next((n for n in MOVES if grid.GetPointData().GetArray(n) is not None), None)
    vectors = grid.GetPointData().GetArray(name) if name else None
    if vectors is None or vectors.GetNumberOfComponents() != 3 or option == "0":
        return grid, 0.0
    if option == "auto":
        largest = vectors.GetMaxNorm()
        factor = WARP_SHARE * grid.GetLength() / largest if largest > 0.0 else 0.0
        if factor > 0.0:  # two digits are enough to tell
            factor = float(f"{factor:.2g}")
    else:
        try:
            factor = float(option)
        except ValueError:
            fail(f"--warp {option}: auto or a number")
    warp = vtk.vtkWarpVector()
    warp.SetInputData(grid)
    warp.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, name)
    warp.SetScaleFactor(factor)
    warp.Update()
    return warp.GetOutput(), factor


def cut(grid, axis, vtk):
    """The half of the body that the viewer does not look through: away in y and z, left in x."""
    box, number = grid.GetBounds(), "xyz".index(axis)
    normal = [0.0, 0.0, 0.0]
    normal[number] = 1.0 if axis == "y" else -1.0
    plane = vtk.vtkPlane()
    plane.SetOrigin(*(0.5 * (box[2 * i] + box[2 * i + 1]) for i in range(3)))
    plane.SetNormal(*normal)
    clip = vtk.vtkClipDataSet()
    clip.SetInputData(grid)
    clip.SetClipFunction(plane)
    clip.Update()
    return clip.GetOutput()


def surface(grid, vtk, level):
    """Outer faces as polygons; curved cells in pieces."""
    filter_ = vtk.vtkDataSetSurfaceFilter()
    filter_.SetInputData(grid)
    filter_.SetNonlinearSubdivisionLevel(level)
    filter_.Update()
    return filter_.GetOutput()


def is_curved(grid, vtk):
    types = vtk.vtkCellTypes()
    grid.GetCellTypes(types)
    return any(types.GetCellType(i) > 20 for i in range(types.GetNumberOfTypes()))


def colours(low, high, component, vtk):
    table = vtk.vtkColorTransferFunction()
    if low == high:
        low, high = low - max(abs(low), 1.0) * 0.5e-6, high + max(abs(high), 1.0) * 0.5e-6
    for at, red, green, blue in COLOURS:
        table.AddRGBPoint(low + at * (high - low), red, green, blue)
    if component < 0:
        table.SetVectorModeToMagnitude()
    else:
        table.SetVectorModeToComponent()
        table.SetVectorComponent(component)
    return table


def text_style(style, size):
    style.SetColor(0.15, 0.15, 0.15)
    style.SetFontFamilyToArial()
    style.SetFontSize(size)
    style.BoldOff()
    style.ItalicOff()
    style.ShadowOff()


def scalar_bar(table, title, height, vtk):
    bar = vtk.vtkScalarBarActor()
    bar.SetLookupTable(table)
    bar.SetTitle(title)
    bar.SetNumberOfLabels(5)
    bar.SetLabelFormat("%-#.4g")
    bar.UnconstrainedFontSizeOn()
    bar.SetVerticalTitleSeparation(height // 60)
    text_style(bar.GetTitleTextProperty(), height // 40)
    text_style(bar.GetLabelTextProperty(), height // 45)
    bar.SetPosition(0.86, 0.2)
    bar.SetWidth(0.09)
    bar.SetHeight(0.6)
    return bar


def caption(text, colour, x, y, size, vtk):
    actor = vtk.vtkTextActor()
    actor.SetInput(text)
    text_style(actor.GetTextProperty(), size)
    actor.GetTextProperty().SetColor(*colour)
    actor.GetPositionCoordinate().SetCoordinateSystemToNormalizedViewport()
    actor.SetPosition(x, y)
    return actor


def outline(grid, vtk):
    """Sharp edges of the body at rest, thin and grey: what has moved is seen against it."""
    edges = vtk.vtkFeatureEdges()
    edges.SetInputData(surface(grid, vtk, 1))
    edges.BoundaryEdgesOn()
    edges.FeatureEdgesOn()
    edges.NonManifoldEdgesOff()
    edges.ManifoldEdgesOff()
    edges.ColoringOff()
    mapper = vtk.vtkPolyDataMapper()
    mapper.SetInputConnection(edges.GetOutputPort())
    mapper.ScalarVisibilityOff()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().SetColor(0.55, 0.55, 0.55)
    actor.GetProperty().SetLineWidth(1.0)
    actor.GetProperty().LightingOff()
    return actor


def body(grid, name, on_cells, component, whole, vtk):
    """The coloured surface, and its colours; whole: not cut, whose pieces are no elements."""
    curved = is_curved(grid, vtk)
    skin = surface(grid, vtk, 2 if curved else 0)
    mapper = vtk.vtkPolyDataMapper()
    actor = vtk.vtkActor()
    actor.SetMapper(mapper)
    table = None
    if name:
        data = grid.GetCellData() if on_cells else grid.GetPointData()
        low, high = data.GetArray(name).GetRange(component)
        table = colours(low, high, component, vtk)
        mapper.SetLookupTable(table)
        (mapper.SetScalarModeToUseCellFieldData if on_cells else mapper.SetScalarModeToUsePointFieldData)()
        mapper.SelectColorArray(name)
        mapper.InterpolateScalarsBeforeMappingOn()
    mapper.SetInputData(skin)
    if whole and not curved and skin.GetNumberOfCells() < 20000:  # edges of curved cells would show their pieces
        actor.GetProperty().EdgeVisibilityOn()
        actor.GetProperty().SetEdgeColor(0.25, 0.25, 0.25)
        actor.GetProperty().SetLineWidth(0.5)
    actor.GetProperty().SetAmbient(0.5)
    actor.GetProperty().SetDiffuse(0.55)
    return actor, table


def aim(renderer, grid):
    """Plane bodies from the front, others from the right, the front and a little above."""
    box = grid.GetBounds()
    renderer.ResetCamera()
    camera = renderer.GetActiveCamera()
    camera.ParallelProjectionOn()
    if box[5] - box[4] > 1e-9 * grid.GetLength():
        centre = camera.GetFocalPoint()
        reach = grid.GetLength()
        camera.SetPosition(centre[0] + 0.45 * reach, centre[1] - 1.0 * reach, centre[2] + 0.5 * reach)
        camera.SetViewUp(0, 0, 1)
    renderer.ResetCamera()
    sides = sorted(box[2 * i + 1] - box[2 * i] for i in range(3))
    camera.Zoom(1.15 if sides[1] < 0.7 * sides[2] else 0.9)  # slender bodies leave room above and below
    camera.SetWindowCenter(0.12, 0.0)  # room for the bar on the right


def main():
    options = arguments()
    display_or_restart()
    try:
        import vtk
    except ImportError:
        fail("this Python has no VTK (Debian: apt install python3-vtk9, run with /usr/bin/python3)")
    try:
        width, height = (int(n) for n in options.size.lower().split("x"))
    except ValueError:
        fail(f"--size {options.size}: WxH in pixels, for example 1200x800")
    grid = read(options.result, vtk)
    setup = picture_setup.is_setup(grid) and not options.field
    name, on_cells = (None, False) if setup else choose(grid, options.field)
    component, suffix = (0, "")
    if name:
        data = grid.GetCellData() if on_cells else grid.GetPointData()
        component, suffix = component_of(data.GetArray(name), options.component)
    moved, factor = warped(grid, options.warp, vtk)
    if options.cut:
        moved = cut(moved, options.cut, vtk)

    renderer = vtk.vtkRenderer()
    renderer.SetBackground(1, 1, 1)
    table, legend = None, []
    if setup:
        drawn, legend = picture_setup.actors(moved, vtk)
        for actor in drawn:
            renderer.AddActor(actor)
    else:
        actor, table = body(moved, name, on_cells, component, not options.cut, vtk)
        renderer.AddActor(actor)
    if factor:
        renderer.AddActor(outline(grid, vtk))
    if table:
        unit = field_text(grid, "unit_" + name)
        title = name.replace("_", " ") + (f"{chr(10) if len(name + suffix) > 20 else ' '}{suffix}" if suffix else "") + (f"\n[{unit}]" if unit not in ("", "1") else "")
        renderer.AddActor2D(scalar_bar(table, title, height, vtk))
    dark, red = (0.15, 0.15, 0.15), (0.75, 0.1, 0.1)
    renderer.AddActor2D(caption(field_text(grid, "case"), dark, 0.02, 0.94, height // 34, vtk))
    for i, (text, colour) in enumerate(reversed(legend)):
        short = text if len(text) <= 110 else text[:107] + "..."
        renderer.AddActor2D(caption(short, colour, 0.02, 0.03 + 0.03 * i, height // 45, vtk))
    below = [mode_text(grid)] if mode_text(grid) else []
    if factor and not below:
        below = [f"displacement x {factor:g}"]
    for text in below:
        renderer.AddActor2D(caption(text, dark, 0.02, 0.03, height // 34, vtk))
    status = field_text(grid, "status")
    if status.startswith("NOT CONVERGED"):
        renderer.AddActor2D(caption(status, red, 0.02, 0.895, height // 40, vtk))

    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(width, height)
    window.SetMultiSamples(8)
    window.AddRenderer(renderer)
    aim(renderer, moved)
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(options.png)
    writer.SetInputConnection(grab.GetOutputPort())
    writer.Write()
    if writer.GetErrorCode() or not os.path.isfile(options.png):
        fail(f"cannot write '{options.png}'")
    print(f"{options.png}: {name or ('the setup' if setup else 'the mesh')}{' ' + suffix if suffix else ''}"
          f"{f', displacement x {factor:g}' if factor else ''}")


main()
