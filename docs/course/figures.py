"""docs/course/figures.py - draws the figures of the course into docs/course/figures (Python with numpy and matplotlib)

usage: PYTHONPATH=outputs/package python3 docs/course/figures.py     the program must be built: figures of results run decks
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
matplotlib.rcParams.update({"svg.hashsalt": "bandfem", "font.size": 9, "figure.dpi": 100})
import matplotlib.pyplot as plt  # noqa: E402 pylint: disable=wrong-import-position

HERE = os.path.dirname(os.path.abspath(__file__))


def save(figure, name):
    figure.tight_layout()
    figure.savefig(os.path.join(HERE, "figures", name + ".svg"), metadata={"Date": None})
    plt.close(figure)


def bar():
    """Lesson 1: the exact displacement, the nodes and the lines between them; the stress by element."""
    x, nodes = np.linspace(0, 1, 201), np.linspace(0, 1, 5)
    u = lambda s: (s - s**2 / 2) * 5.0  # noqa: E731 rho g / E = 5e-6 1/m, in 1e-6 m
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 2.7))
    left.plot(x, u(x), label="exact")
    left.plot(nodes, u(nodes), "o-", label="four elements")
    left.set(xlabel="x [m]", ylabel="displacement [1e-6 m]")
    left.legend()
    right.plot(x, 1e4 * (1 - x) / 1e3, label="exact")
    right.step(np.append(nodes[:-1], 1), np.append(10 * (1 - (nodes[:-1] + nodes[1:]) / 2), 10 * (1 - 0.875)), where="post", label="four elements")
    right.set(xlabel="x [m]", ylabel="stress [kPa]")
    right.legend()
    save(figure, "01_bar")


def element(axis, nodes, gauss, title, corners):
    axis.plot(*np.array(corners + corners[:1]).T, "k", linewidth=1)
    axis.plot(*np.array(nodes).T, "ko", markersize=5)
    axis.plot(*np.array(gauss).T, "x", color="tab:red")
    for k, (a, b) in enumerate(nodes):
        axis.annotate(str(k + 1), (a, b), textcoords="offset points", xytext=(5, 4))
    axis.set_title(title, fontsize=9)
    axis.set_aspect("equal")
    axis.axis("off")


def elements():
    """Lesson 2: node order and integration points."""
    square, g2, g3 = [(-1, -1), (1, -1), (1, 1), (-1, 1)], [-1 / 3**0.5, 1 / 3**0.5], [-(0.6**0.5), 0, 0.6**0.5]
    triangle, mids = [(0, 0), (1, 0), (0, 1)], [(0, -1), (1, 0), (0, 1), (-1, 0)]
    figure, axes = plt.subplots(1, 4, figsize=(7.2, 2))
    element(axes[0], triangle, [(1 / 3, 1 / 3)], "tri3, 1 point", triangle)
    element(axes[1], triangle + [(0.5, 0), (0.5, 0.5), (0, 0.5)], [(1 / 6, 1 / 6), (2 / 3, 1 / 6), (1 / 6, 2 / 3)], "tri6, 3 points", triangle)
    element(axes[2], square, [(a, b) for a in g2 for b in g2], "quad4, 2 x 2", square)
    element(axes[3], square + mids, [(a, b) for a in g3 for b in g3], "quad8, 3 x 3", square)
    save(figure, "02_elements")


def orders():
    """Lesson 2: errors of the deck of the lesson, computed by bandfem."""
    import bandfem  # pylint: disable=import-outside-toplevel
    figure, axis = plt.subplots(figsize=(4.6, 3.2))
    for order in (1, 2):
        table = bandfem.converge(os.path.join(HERE, "decks", "02_poisson.yaml"), levels=4, order=order)
        for norm in ("L2", "H1_semi"):
            of = np.array([f"error.{norm}(" in q for q in table["quantity"]])
            axis.loglog(table["h"][of], table["error"][of], "o-", label=f"{'quad4' if order == 1 else 'quad8'}, {norm}")
    axis.set(xlabel="h", ylabel="error")
    axis.legend()
    axis.grid(True, which="both", linewidth=0.3)
    save(figure, "02_orders")


def bending():
    """Lesson 5: an element in bending: as it should be, and as quad4 can."""
    t = np.linspace(-1, 1, 30)
    figure, axes = plt.subplots(1, 2, figsize=(6.4, 2.2))
    for axis, exact in zip(axes, (True, False)):
        for y in (-1, 1):
            v = -0.2 * (t**2 - 1) if exact else 0 * t
            axis.plot(t + 0.2 * t * y, y + v, "k")
        for x in (-1, 1):
            axis.plot([x - 0.2 * x, x + 0.2 * x], [-1, 1], "k")
        axis.plot([-1, 1, 1, -1, -1], [-1, -1, 1, 1, -1], ":", color="0.6")
        axis.set_title("exact: u = xy, v = -x²/2" if exact else "quad4: u = xy, v = 0, so shear x", fontsize=9)
        axis.set_aspect("equal")
        axis.axis("off")
    save(figure, "05_bending")


def deck(name):
    return os.path.join(HERE, "decks", name + ".yaml")


def spy():
    """Lesson 3: the nonzeros of the deck in both orders."""
    import bandfem  # pylint: disable=import-outside-toplevel
    result = bandfem.run(deck("03_numbering"))
    figure, axes = plt.subplots(1, 2, figsize=(6.6, 3.4))
    for axis, order, title in zip(axes, ("file", "chosen"), ("order of the mesh", "node families")):
        A = result.system("assembled", order).A
        axis.spy(A, markersize=0.5, rasterized=True)
        axis.set_title(f"{title}, {A.nnz} nonzeros", fontsize=9)
    save(figure, "03_spy")


def peak():
    """Lesson 4: a singular peak and a stress inside."""
    import bandfem  # pylint: disable=import-outside-toplevel
    cells, values = [4, 8, 16, 32, 64], []
    for n in cells:
        r = bandfem.run(deck("04_corner"), {"mesh.generate.rectangle.cells": [2 * n, n]})
        values.append([c["got"] / 1e6 for c in r.checks[:2]])
    figure, axis = plt.subplots(figsize=(4.6, 2.9))
    for k, name in enumerate(("largest von Mises stress", "stress xx at (0.5, 0.5)")):
        axis.loglog([1 / n for n in cells], [v[k] for v in values], "o-", label=name)
    axis.set(xlabel="h [m]", ylabel="stress [MPa]")
    axis.set_yticks([1, 1.5, 2, 2.5], ["1", "1.5", "2", "2.5"])
    axis.minorticks_off()
    axis.legend()
    save(figure, "04_peak")


def blend():
    """Lesson 6: hats blend local polynomials of a smooth function."""
    x, nodes = np.linspace(0, 1, 401), np.linspace(0, 1, 6)
    f = lambda t: np.sin(2.2 * np.pi * t)  # noqa: E731
    figure, (left, right) = plt.subplots(1, 2, figsize=(7.2, 2.7))
    blended = np.zeros_like(x)
    for v, at in enumerate(nodes):
        hat = np.maximum(0, 1 - np.abs(x - at) / nodes[1])
        first = min(max(v - 1, 0), len(nodes) - 3)
        fit = np.polyfit(nodes[first:first + 3], f(nodes[first:first + 3]), 2)
        left.plot(x, hat, linewidth=1)
        inside = hat > 0
        right.plot(x[inside], np.polyval(fit, x[inside]), ":", color="0.6")
        blended += hat * np.polyval(fit, x)
    left.set_title("linear shape functions add up to 1", fontsize=9)
    right.plot(x, f(x), label="function")
    right.plot(nodes, f(nodes), "ko", markersize=4)
    right.plot(x, np.interp(x, nodes, f(nodes)), linewidth=1, label="linear elements")
    right.plot(x, blended, label="blended parabolas")
    right.set_title("six nodal values, dotted: local parabolas", fontsize=9)
    right.legend(fontsize=7)
    save(figure, "06_blend")


def cg():
    """Lesson 7: residuals of CG."""
    import bandfem  # pylint: disable=import-outside-toplevel
    figure, axis = plt.subplots(figsize=(5, 3))
    for n in (16, 32, 64, 128):
        r = bandfem.run(deck("07_cg"), {"mesh.generate.rectangle.cells": [n, n]})
        axis.semilogy(r.convergence["iteration"], r.convergence["residual"], label=f"{n} x {n} cells", linewidth=1)
    axis.set(xlabel="iteration", ylabel="relative residual")
    axis.legend()
    save(figure, "07_cg")


def upwind():
    """Lesson 9: ten cells without and with SUPG."""
    import warnings  # pylint: disable=import-outside-toplevel
    import bandfem  # pylint: disable=import-outside-toplevel
    figure, axis = plt.subplots(figsize=(5, 3))
    x = np.linspace(0, 1, 400)
    axis.plot(x, np.expm1(50 * x) / np.expm1(50), "k", label="exact")
    for word in ("none", "supg"):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # the checks of the deck fail without upwinding
            r = bandfem.run(deck("09_upwind"), {"discretization.stabilization": word})
        row = np.argsort(r.points[:, 0])
        row = row[r.points[row, 1] == 0]
        axis.plot(r.points[row, 0], r.field("concentration")[row], "o-", label=word)
    axis.set(xlabel="x", ylabel="concentration")
    axis.legend()
    save(figure, "09_upwind")


def levels():
    """Lesson 8: errors on two meshes."""
    figure, axes = plt.subplots(1, 2, figsize=(7.2, 2.4))
    x = np.linspace(0, 1, 17)
    for axis, mode, title in zip(axes, (3, 15), ("smooth: three half waves", "rough: fifteen half waves")):
        axis.plot(x, np.sin(mode * np.pi * x), "o-", markersize=4, label="16 elements")
        axis.plot(x[::4], np.sin(mode * np.pi * x[::4]), "s--", label="4 elements")
        axis.set_title(title, fontsize=9)
        axis.legend(fontsize=7, loc="lower right")
    save(figure, "08_levels")


def modes():
    """Lesson 10: errors of the first frequency."""
    import bandfem  # pylint: disable=import-outside-toplevel
    figure, axis = plt.subplots(figsize=(4.8, 3))
    cells = [4, 8, 16, 32]
    for element in ("quad4", "quad8"):
        for mass in ("consistent", "lumped"):
            errors = []
            for n in cells:
                r = bandfem.run(deck("10_modes"), {"mesh.generate.rectangle.cells": [n, n], "mesh.generate.rectangle.element": element,
                                                   "analysis.mass": mass, "analysis.modes": 1, "checks": []})
                errors.append(abs(r.step_values["frequency_hz"][0] / 0.5**0.5 - 1))
            axis.loglog([1 / n for n in cells], errors, "o-" if mass == "consistent" else "s--", label=f"{element}, {mass}")
    axis.set(xlabel="h", ylabel="relative error")
    axis.legend(fontsize=7)
    save(figure, "10_modes")


def roofline():
    """Lesson 11: the bound of a processor with 10 operations per byte."""
    figure, axis = plt.subplots(figsize=(5.4, 3))
    intensity = np.logspace(-2, 3, 200)
    axis.loglog(intensity, np.minimum(1, intensity / 10), "k")
    for name, value in (("CSR", 2 / 12.96), ("bdia", 2 / 9.32), ("bdia, half", 2 / 5.14), ("half, fp32", 2 / 2.89)):
        axis.loglog(value, value / 10, "o", label=f"{name}: {value:.2f}")
    axis.set(xlabel="operations per byte", ylabel="share of the peak", ylim=(1e-3, 2))
    axis.legend(fontsize=7)
    save(figure, "11_roofline")


def intensity():
    """Lesson 12: operations per byte over the order."""
    figure, axis = plt.subplots(figsize=(4.8, 3))
    n = np.array([4, 8, 16, 32, 64, 128, 256])
    for name, factor in (("potrf", 1 / 3), ("getrf", 2 / 3), ("inverse", 2), ("heev", 9)):
        axis.loglog(n, factor * n / 16, "o-", label=name)
    axis.axhline(10, color="0.6", linestyle=":")
    axis.text(4.2, 11, "balance of a processor", fontsize=7)
    axis.set(xlabel="order", ylabel="operations per byte, fp64")
    axis.legend(fontsize=7)
    save(figure, "12_intensity")


FIGURES = {f.__name__: f for f in (bar, elements, orders, bending, spy, peak, blend, cg, upwind, levels, modes, roofline, intensity)}
if __name__ == "__main__":
    for wanted in sys.argv[1:] or FIGURES:
        FIGURES[wanted]()
