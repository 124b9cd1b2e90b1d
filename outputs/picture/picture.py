#!/usr/bin/python3
"""outputs/picture/picture.py - a PNG or an animation of a result, through VTK

usage: picture.py RESULT.(vtk|vtk.series|hdf) OUT.png [--field NAME] [--component C] [--mode N] [--warp auto|FACTOR|0]
       [--range LOW,HIGH|LOW%,HIGH%] [--view NAME|AZIMUTH,ELEVATION] [--cut x|y|z] [--size WxH] [--animate FRAMES]

Without an X display it starts itself again under xvfb-run (Debian: apt install python3-vtk9 xvfb xauth).
Default field: von_mises_nodal, von_mises, temperature, concentration, displacement, mode_shape, mode_shape_re, or the first field.
--mode: a step of case.vtk.series or case.hdf, from 1: a mode, or a wave of a dispersion in the order of the file.
--component: 0, 1, ... or x y z xx yy zz xy yz xz, of fields in cylindrical axes r t z rr tt zz rt tz rz; default: the magnitude of a vector, the first of six.
--range: values or percentiles of the values at the ends of the colours; 0%,98% leaves out the peak of a singular edge.
A component with values on both sides of 0 gets colours about 0.
--view: front, right, back, left, top, bottom, below, or two angles in degrees; azimuth 0 looks along y.
--cut: shows the half behind the middle plane across that axis, so that the inside of a solid is seen.
--animate: that many frames of one period, into a .gif (with Pillow) or numbered .png files.
setup.vtk of `bandfem check`, without --field: materials and conditions in colour with the words of the deck, arrows of the loads.
--warp auto: moves the points by `displacement`, `mode_shape` or `mode_shape_re`, the largest to 8 % of the size; the factor is written below.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import os
import shutil
import sys

import picture_animation
import picture_draw
import picture_levels
import picture_read
import picture_setup
from picture_read import fail

PREFERRED = ["von_mises_nodal", "von_mises", "temperature", "concentration", "displacement", "mode_shape", "mode_shape_re"]
MOVES = ["displacement", "mode_shape", "mode_shape_re"]
VECTOR, TENSOR = ["x", "y", "z"], ["xx", "yy", "zz", "xy", "yz", "xz"]
TITLES = {"von_mises_nodal": "von Mises stress at nodes", "von_mises": "von Mises stress", "stress_nodal": "stress at nodes",
          "stress_nodal_axes": "stress at nodes", "mode_shape_re": "mode shape, real part", "mode_shape_im": "mode shape, imaginary part"}
WARP_SHARE = 0.08


def arguments():
    parser = argparse.ArgumentParser(description="A picture of a bandfem result (case.vtk, case.vtk.series or case.hdf).")
    parser.add_argument("result")
    parser.add_argument("png", metavar="OUT")
    parser.add_argument("--field", help="point or cell field; default: von Mises stress, temperature, ...")
    parser.add_argument("--component", help="0, 1, ... or x y z, xx yy zz xy yz xz, r t z, rr tt zz rt tz rz")
    parser.add_argument("--mode", type=int, metavar="N", help="step of a series, from 1")
    parser.add_argument("--warp", default="auto", help="auto, a factor, or 0")
    parser.add_argument("--range", metavar="LOW,HIGH", help="ends of the colours: values, or percentiles such as 2%%,98%%")
    parser.add_argument("--view", help="front, right, back, left, top, bottom, below, or AZIMUTH,ELEVATION in degrees")
    parser.add_argument("--cut", choices=["x", "y", "z"], help="show the half behind the middle across this axis")
    parser.add_argument("--size", default="1200x800", help="pixels, WxH")
    parser.add_argument("--animate", type=int, metavar="FRAMES", help="frames of one period, into OUT.gif or OUT_000.png, ...")
    options = parser.parse_args(joined(sys.argv[1:]))
    try:
        options.width, options.height = (int(n) for n in options.size.lower().split("x"))
    except ValueError:
        fail(f"--size {options.size}: WxH in pixels, for example 1200x800")
    if options.animate is not None and not 2 <= options.animate <= 360:
        fail(f"--animate {options.animate}: 2 to 360 frames")
    if options.animate:
        picture_animation.check_format(options.png)
    return options


def joined(words):
    """--view -30,20 as one word: argparse takes a value that begins with a minus sign for an option."""
    out = []
    for word in words:
        if out and out[-1] in ("--view", "--range", "--warp") and word.startswith("-") and not word.startswith("--"):
            out[-1] += "=" + word
        else:
            out.append(word)
    return out


def display_or_restart():
    if os.environ.get("DISPLAY"):
        return
    if not shutil.which("xvfb-run"):
        fail("no X display and no xvfb-run (Debian: apt install xvfb xauth)")
    command = ["xvfb-run", "-a", "-s", "-screen 0 1200x800x24", sys.executable or "/usr/bin/python3"]
    os.execvp(command[0], command + [os.path.abspath(__file__)] + sys.argv[1:])


def choose(grid, wanted):
    """Name of the field and whether it is on cells."""
    points, cells = picture_read.names(grid.GetPointData()), picture_read.names(grid.GetCellData())
    if wanted:
        if wanted not in points + cells:
            fail(f"no field '{wanted}'; there are: {', '.join(points + cells) or 'none'}")
        return wanted, wanted not in points
    for name in PREFERRED + points + cells:
        if name in points + cells:
            return name, name not in points
    return None, False


def letters_of(grid, name, count):
    """Names of the components; those of fields in axes are in the field data."""
    if name.endswith("_axes"):
        for text in picture_read.texts(grid, "axes"):
            kind, _, names = text.partition(": ")
            if kind == {3: "vectors", 6: "tensors"}.get(count):
                return names.split()
    return {3: VECTOR, 6: TENSOR}.get(count, [])


def component_of(grid, array, wanted):
    """Number of the component to show (-1 = magnitude) and what to write behind the name."""
    count = array.GetNumberOfComponents()
    letters = letters_of(grid, array.GetName(), count)
    if count == 1:
        return 0, ""
    if wanted is None:
        return (-1, "magnitude") if count == 3 else (0, letters[0] if letters else "0")
    if wanted in letters:
        return letters.index(wanted), wanted
    if wanted.isdigit() and int(wanted) < count:
        return int(wanted), letters[int(wanted)] if letters else wanted
    fail(f"component '{wanted}': this field has {', '.join(letters) or count}")


def warp_factor(grid, option):
    """The field that moves the points, or None, and its factor."""
    name = next((n for n in MOVES if grid.GetPointData().GetArray(n) is not None), None)
    vectors = grid.GetPointData().GetArray(name) if name else None
    if vectors is None or vectors.GetNumberOfComponents() != 3 or option == "0":
        return None, 0.0
    if option == "auto":
        largest = vectors.GetMaxNorm()
        return name, float(f"{WARP_SHARE * grid.GetLength() / largest:.2g}") if largest > 0.0 else 0.0  # two digits for the text
    try:
        return name, float(option)
    except ValueError:
        fail(f"--warp {option}: auto or a number")


def warped(grid, name, factor, vtk):
    if not factor:
        return grid
    warp = vtk.vtkWarpVector()
    warp.SetInputData(grid)
    warp.SetInputArrayToProcess(0, 0, 0, vtk.vtkDataObject.FIELD_ASSOCIATION_POINTS, name)
    warp.SetScaleFactor(factor)
    warp.Update()
    return warp.GetOutput()


def cut(grid, axis, vtk):
    """The half of the body that the viewer does not look through: away in y and z, left in x."""
    box, number = grid.GetBounds(), "xyz".index(axis)
    normal = [0.0, 0.0, 0.0]
    normal[number] = 1.0 if axis == "y" else -1.0
    aside = 1e-6 * grid.GetLength()  # a plane through faces of cells would give flat cells, which hide the section
    plane = vtk.vtkPlane()
    plane.SetOrigin(*(0.5 * (box[2 * i] + box[2 * i + 1]) + aside * normal[i] for i in range(3)))
    plane.SetNormal(*normal)
    clip = vtk.vtkClipDataSet()
    clip.SetInputData(grid)
    clip.SetClipFunction(plane)
    clip.Update()
    return clip.GetOutput()


class Picture:
    """What all frames share: field, colours, texts, camera."""

    def __init__(self, grid, options, vtk):
        self.grid, self.options, self.vtk = grid, options, vtk
        self.setup = picture_setup.is_setup(grid) and not options.field
        self.name, self.on_cells = (None, False) if self.setup else choose(grid, options.field)
        self.component, self.suffix, self.table, self.note = 0, "", None, ""
        self.moves, self.factor = warp_factor(grid, options.warp)
        if self.name:
            data = grid.GetCellData() if self.on_cells else grid.GetPointData()
            self.component, self.suffix = component_of(grid, data.GetArray(self.name), options.component)
            if picture_levels.is_level(self.name):
                self.note = "a colour is a node of the level, grey is none"
            else:
                self.colour()

    def colour(self):
        drawn = picture_draw.values(self.grid, self.name, self.on_cells, self.component)
        low, high = picture_draw.limits(drawn, None)
        if self.options.animate and self.name == self.moves and self.component >= 0:  # it turns its sign
            low, high = -max(-low, high), max(-low, high)
        if self.options.range:
            self.note = f"colours as of --range {self.options.range}; all values: {low:.4g} to {high:.4g}"
            low, high = picture_draw.limits(drawn, self.options.range)
        self.table = picture_draw.colours(self.name, low, high, self.component, not self.options.range, self.vtk)

    def below(self):
        """Lines below the picture, the lowest last."""
        mode, lines = picture_read.mode_text(self.grid), []
        if self.note:
            lines.append(self.note)
        if mode or self.factor:
            lines.append(mode or f"displacement x {self.factor:g}")
        return lines

    def renderer(self, grid):
        vtk, height, options = self.vtk, self.options.height, self.options
        renderer = vtk.vtkRenderer()
        renderer.SetBackground(1, 1, 1)
        moved = warped(grid, self.moves, self.factor, vtk)
        if options.cut:
            moved = cut(moved, options.cut, vtk)
        legend = []
        if self.setup:
            actors, legend = picture_setup.actors(moved, picture_setup.sides_beside(options.result, vtk), vtk)
        elif picture_levels.is_level(self.name):
            actors = picture_levels.actors(moved, self.name, self.on_cells, not options.cut, vtk)
        else:
            actors = picture_draw.body(moved, self.name, self.on_cells, self.table, not options.cut, vtk)
        if self.factor:
            actors.append(picture_draw.sharp_edges(self.grid, (0.55, 0.55, 0.55), vtk))
        if self.table:
            title = " ".join([TITLES.get(self.name, self.name.replace("_", " ")), self.suffix])
            unit = picture_read.field_text(self.grid, "unit_" + self.name)
            actors += picture_draw.scalar_bar(self.table, title, unit, height, vtk)
        actors.append(picture_draw.caption(picture_read.field_text(self.grid, "case"), picture_draw.DARK, 0.02, 0.94, height // 34, vtk))
        for i, (text, colour) in enumerate(reversed(legend)):
            short = text if len(text) <= 110 else text[:107] + "..."
            actors.append(picture_draw.caption(short, colour, 0.02, 0.03 + 0.03 * i, height // 45, vtk))
        for i, text in enumerate(reversed(self.below())):
            actors.append(picture_draw.caption(text, picture_draw.DARK, 0.02, 0.03 + 0.04 * i, height // 34, vtk))
        status = picture_read.field_text(self.grid, "status")
        if status.startswith("NOT CONVERGED"):
            actors.append(picture_draw.caption(status, (0.75, 0.1, 0.1), 0.02, 0.895, height // 40, vtk))
        for actor in actors:
            renderer.AddViewProp(actor)
        return renderer, moved


def write(window, path, vtk):
    window.Render()
    grab = vtk.vtkWindowToImageFilter()
    grab.SetInput(window)
    grab.ReadFrontBufferOff()
    grab.Update()
    writer = vtk.vtkPNGWriter()
    writer.SetFileName(path)
    writer.SetInputConnection(grab.GetOutputPort())
    writer.Write()
    if writer.GetErrorCode() or not os.path.isfile(path):
        fail(f"cannot write '{path}'")


def draw(picture, vtk):
    """All frames with the camera of the largest motion; returns their number."""
    options = picture.options
    window = vtk.vtkRenderWindow()
    window.SetOffScreenRendering(1)
    window.SetSize(options.width, options.height)
    window.SetMultiSamples(8)
    renderer, moved = picture.renderer(picture.grid)
    window.AddRenderer(renderer)
    picture_draw.aim(renderer, moved, options.view)
    if not options.animate:
        return write(window, options.png, vtk)
    if not picture.moves:
        fail("--animate: this result has no displacement and no mode shape of three components, or --warp is 0")
    camera, names = renderer.GetActiveCamera(), picture_animation.frame_names(options.png, options.animate)
    for grid, name in zip(picture_animation.frames_of(picture.grid, picture.moves, options.animate, vtk), names):
        window.RemoveRenderer(renderer)
        renderer, _ = picture.renderer(grid)
        renderer.SetActiveCamera(camera)
        window.AddRenderer(renderer)
        write(window, name, vtk)
    picture_animation.join(options.png, names, 2.0)
    return None


def main():
    options = arguments()
    display_or_restart()
    try:
        import vtk
    except ImportError:
        fail("this Python has no VTK (Debian: apt install python3-vtk9, run with /usr/bin/python3)")
    picture = Picture(picture_read.read(options.result, options.mode, vtk), options, vtk)
    draw(picture, vtk)
    what = picture.name or ("the setup" if picture.setup else "the mesh")
    print(f"{options.png}: {what}{' ' + picture.suffix if picture.suffix else ''}"
          f"{f', displacement x {picture.factor:g}' if picture.factor else ''}{f', {options.animate} frames' if options.animate else ''}")


main()
