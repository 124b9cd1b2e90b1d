"""outputs/plot_sparse.py - pictures of the sparse tables of bandfem bench

spmv.png, cg.png, bicgstab.png, transpose.png, coo2csr.png: per case one bar per kernel, its time, with GB/s, the share of the
rate of a copy, and how many times faster than the first library kernel of the case it is.
paper.png: time over the number of diagonals, one line per kernel, fp64 and fp32.
Used by plot_bench.py.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import re

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TABLES = {"spmv": "matrix-vector product", "cg": "iteration of CG", "bicgstab": "iteration of BiCGStab",
          "transpose": "transposition", "coo2csr": "triplets into compressed rows"}
LIBRARY, CSR, OURS, OTHER = "0.6", "#c58b3a", "#1f6f8b", "#7c9a6b"
MOST_CASES = 12


def read(path):
    """{table: {case: [row]}} of the sparse tables, in the order of the file"""
    seen = {}
    with open(path, encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row.get("table") in TABLES or row.get("table") == "paper":
                seen.setdefault(row["table"], {}).setdefault(row["case"], []).append(row)
    return seen


def number(row, column):
    try:
        return float(row.get(column) or "nan")
    except ValueError:
        return float("nan")


def colour(kernel):
    if re.match(r"cuSPARSE|cuBLAS|MKL|published", kernel):
        return LIBRARY
    return OURS if "bdia" in kernel else CSR if kernel.startswith("csr") else OTHER


def time_text(seconds):
    for unit, factor in (("s", 1.0), ("ms", 1e3)):
        if seconds * factor >= 1.0:
            return f"{seconds * factor:.3g} {unit}"
    return f"{seconds * 1e6:.3g} µs"


def label(row):
    share, faster = number(row, "share_of_copy"), number(row, "peer_over_this")
    text = f"{time_text(number(row, 'seconds'))}  {number(row, 'gb_per_s'):.4g} GB/s"
    if share == share:
        text += "  in cache" if share > 1.1 else f"  {100 * share:.0f} % of copy"
    return text + (f"  {faster:.2f}x" if faster == faster else "")


def bars(table, cases, path, source):
    cases = dict(list(cases.items())[:MOST_CASES])
    heights = [len(rows) + 1 for rows in cases.values()]
    figure, axes = plt.subplots(len(cases), 1, figsize=(11, 0.8 + 0.26 * sum(heights)), squeeze=False,
                                gridspec_kw={"height_ratios": heights})
    for axis, (case, rows) in zip(axes[:, 0], cases.items()):
        times = [number(row, "seconds") for row in rows]
        axis.barh(range(len(rows)), times, color=[colour(row["kernel"]) for row in rows], height=0.75)
        for i, row in enumerate(rows):
            axis.text(times[i], i, " " + label(row), va="center", fontsize=7)
        axis.set_yticks(range(len(rows)), [row["kernel"] for row in rows], fontsize=7)
        axis.invert_yaxis()
        axis.set_xlim(0, 1.6 * max(times))
        axis.set_xticks([])
        axis.set_title(case, fontsize=9, loc="left", pad=2)
        for side in ("top", "right", "bottom"):
            axis.spines[side].set_visible(False)
    backend = next(iter(cases.values()))[0]["backend"]
    figure.suptitle(f"{TABLES[table]}, {backend}, {source}: time; shorter is better; x: times faster than the first library row",
                    fontsize=9)
    figure.tight_layout(rect=(0, 0, 1, 0.995))
    figure.savefig(path, dpi=90)
    plt.close(figure)


def lines(cases, path, source):
    """Table paper: cases d3 to d101 are bands of 3 to 101 diagonals."""
    kernels = {}
    for case, rows in cases.items():
        width = re.fullmatch(r"d(\d+)", case)
        for row in rows if width else []:
            kernels.setdefault(row["kernel"], {})[int(width[1])] = number(row, "seconds")
    figure, axes = plt.subplots(1, 2, figsize=(14, 6), sharey=True)
    for axis, word in zip(axes, ("fp64", "fp32")):
        for name, points in kernels.items():
            if word in name:
                n = sorted(points)
                axis.plot(n, [1e6 * points[k] for k in n], marker="o", markersize=3, label=re.sub(f" {word}( values)?", "", name),
                          linewidth=2.0 if name.startswith("bdia") else 1.0, linestyle="--" if colour(name) == LIBRARY else "-")
        axis.set_title(f"{word} values")
        axis.set_xlabel("diagonals")
        axis.set_yscale("log")
        axis.grid(True, which="both", linewidth=0.3)
        axis.legend(fontsize=7)
    axes[0].set_ylabel("time of a product, µs")
    figure.suptitle(f"products of one band, {source}", fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)


def pictures(path, folder):
    """Writes the pictures; the names of the files."""
    made = []
    for table, cases in read(path).items():
        name = os.path.join(folder, table + ".png")
        if table == "paper":
            lines(cases, name, os.path.basename(path))
        else:
            bars(table, cases, name, os.path.basename(path))
        made.append(name)
    return made
