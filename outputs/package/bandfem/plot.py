"""outputs/package/bandfem/plot.py - pictures of results with matplotlib: plane and solid bodies, modes, bands"""
# SPDX-License-Identifier: BSD-3-Clause
import numpy as np

from . import reader

PREFERRED = ("mode_shape", "von_mises_nodal", "temperature", "concentration", "displacement", "von_mises")
MOVING = ("displacement", "mode_shape")
FACES = {4: ([0, 1, 2], [0, 1, 3], [1, 2, 3], [0, 2, 3]),
         8: ([0, 1, 2, 3], [4, 5, 6, 7], [0, 1, 5, 4], [1, 2, 6, 5], [2, 3, 7, 6], [3, 0, 4, 7])}
SOLIDS = {10: 4, 24: 4, 12: 8, 25: 8, 29: 8}  # corners by VTK's type
SHARE = 0.08  # of the size of the body: the largest displacement


def _outer(result):
    """Faces of one cell alone, as lists of points, and their cells."""
    seen = {}
    for cell, (begin, kind) in enumerate(zip(result.offsets, result.types)):
        corners = result.connectivity[begin:begin + SOLIDS[int(kind)]]
        for face in FACES[len(corners)]:
            points = corners[face]
            places = tuple(sorted(map(tuple, np.round(result.points[points], 12))))  # points of two materials lie on each other
            seen[places] = None if places in seen else (points, cell)
    kept = [f for f in seen.values() if f is not None]
    return [f[0] for f in kept], np.array([f[1] for f in kept])


def _values(result, field, step, component):
    values = result.field(field, step)
    if component is not None:
        return values[:, component], f"{field}, component {component}"
    if values.ndim == 2 and values.shape[1] == 3:
        return np.linalg.norm(values, axis=1), f"{field}, magnitude"
    if values.ndim != 1:
        raise reader.BandfemError(f"field '{field}' is a tensor: give a component, 0 .. {values.shape[1] - 1}")
    return values, field


def _moved(result, step, scale):
    """Points with the displacement times a factor; scale None: chosen from the size of the body."""
    name = next((n for n in MOVING if n in result.fields), None)
    if name is None or scale == 0:
        return result.points, ""
    u = result.field(name, step)
    if u.ndim != 2:  # the shape of a membrane is a number
        return result.points, ""
    largest = np.linalg.norm(u, axis=1).max()
    if scale is None:
        scale = SHARE * np.linalg.norm(np.ptp(result.points, axis=0)) / largest if largest > 0 else 0.0
        scale = float(f"{scale:.2g}")
    return result.points + scale * u, f", shape with {name} x {scale:g}"


def _bands(result, axis):
    data = result.table("bands.csv")
    for name in (n for n in data if n.startswith("band_")):
        axis.plot(data["path_length"], data[name], color="tab:blue", linewidth=1)
    for gap in result.report()["dispersion"]["gaps"]:
        axis.axhspan(gap["low_hz"], gap["high_hz"], color="0.85")
    ticks = [(x, p) for x, p in zip(data["path_length"], data["point"]) if p]
    axis.set_xticks([t[0] for t in ticks], [t[1] for t in ticks])
    axis.set(ylabel="frequency [Hz]", ylim=(0, None), xlim=(0, data["path_length"][-1]))
    return axis


def plot(result, field=None, step=None, component=None, scale=None, axis=None):
    """Draws a field (default: stress, temperature, mode shape, or the bands of waves) and returns the axes.

    step: of results with steps, from 0; component: of vectors and tensors; scale: factor of the displacements, 0 = none"""
    import matplotlib.pyplot as plt  # pylint: disable=import-outside-toplevel
    solid = np.isin(result.types, list(SOLIDS)).any()
    if result.analysis == "dispersion" and field is None:
        return _bands(result, axis or plt.subplots()[1])
    field = field or next((n for n in PREFERRED if n in result.fields), None)
    if field is None:
        raise reader.BandfemError(f"name a field; this result has: {', '.join(sorted(result.fields))}")
    step = 0 if step is None and result.steps else step
    values, label = _values(result, field, step, component)
    points, note = _moved(result, step, scale)
    unit = result.unit(field)
    axis = axis or plt.figure().add_subplot(projection="3d" if solid else None)
    if solid:
        drawn = _draw_solid(result, points, values, result.fields[field] == "cells", axis)
    elif result.fields[field] == "cells":
        cells = np.concatenate([np.full(2 if t in (9, 23, 28) else 1, i) for i, t in enumerate(result.types)])
        drawn = axis.tripcolor(points[:, 0], points[:, 1], result.triangles(), facecolors=values[cells])
    else:
        drawn = axis.tripcolor(points[:, 0], points[:, 1], result.triangles(), values, shading="gouraud")
    axis.set_aspect("equal")
    axis.figure.colorbar(drawn, ax=axis, label=f"{label} [{unit}]" if unit else label, shrink=0.7)
    axis.set_title((result.title or field) + note, fontsize=9, wrap=True)
    return axis


def _draw_solid(result, points, values, on_cells, axis):
    from mpl_toolkits.mplot3d.art3d import Poly3DCollection  # pylint: disable=import-outside-toplevel
    faces, cells = _outer(result)
    colours = values[cells] if on_cells else np.array([values[f].mean() for f in faces])
    drawn = Poly3DCollection([points[f] for f in faces], edgecolor="0.3", linewidth=0.2)
    drawn.set_array(colours)
    axis.add_collection3d(drawn)
    low, high = points.min(axis=0), points.max(axis=0)
    axis.set(xlim=(low[0], high[0]), ylim=(low[1], high[1]), zlim=(low[2], high[2]), xlabel="x", ylabel="y", zlabel="z")
    return drawn
