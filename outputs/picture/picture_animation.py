"""outputs/picture/picture_animation.py - one period of a mode or of a static displacement as frames for picture.py

A real mode is u cos(t), a wave re(u) cos(t) - im(u) sin(t); the drawn field changes with it where it is the moving one.
Frames are numbered PNG files, or one GIF where Python has Pillow.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
from math import cos, pi, sin

from picture_read import fail


def frames_of(grid, moves, count, vtk):
    """Yields the grid with its moving field at `count` times of a period."""
    from vtk.util.numpy_support import numpy_to_vtk, vtk_to_numpy
    real = vtk_to_numpy(grid.GetPointData().GetArray(moves)).copy()
    other = grid.GetPointData().GetArray("mode_shape_im") if moves == "mode_shape_re" else None
    imaginary = vtk_to_numpy(other).copy() if other is not None else 0.0 * real
    for i in range(count):
        angle = 2.0 * pi * i / count
        frame = grid.NewInstance()
        frame.DeepCopy(grid)
        array = numpy_to_vtk(cos(angle) * real - sin(angle) * imaginary, deep=1)
        array.SetName(moves)
        frame.GetPointData().RemoveArray(moves)
        frame.GetPointData().AddArray(array)
        yield frame


def frame_names(path, count):
    """The files of the frames: out_000.png, ... beside out.png or out.gif."""
    stem = os.path.splitext(path)[0]
    return [f"{stem}_{i:03d}.png" for i in range(count)]


def check_format(path):
    """Before the frames are drawn: PNG, or GIF with Pillow."""
    if path.endswith(".png"):
        return
    if not path.endswith(".gif"):
        fail(f"--animate writes .gif or numbered .png files, not '{path}'")
    try:
        import PIL.Image  # noqa: F401
    except ImportError:
        fail("a GIF needs Pillow (Debian: apt install python3-pil, pip install pillow); a name in .png writes numbered frames")


def join(path, frames, seconds):
    """The GIF of the frames, whose files are removed; a name in .png leaves them."""
    if path.endswith(".png"):
        return
    from PIL import Image
    images = [Image.open(name).convert("P", palette=Image.ADAPTIVE, colors=128) for name in frames]
    try:
        images[0].save(path, save_all=True, append_images=images[1:], duration=int(1000 * seconds / len(images)), loop=0,
                       optimize=True)
    except OSError as error:
        fail(f"cannot write '{path}': {error.strerror}")
    for name in frames:
        os.remove(name)
