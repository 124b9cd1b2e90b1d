"""outputs/plot_roofline.py - rates of the phases of a run, from report.json

roofline.png: left GFlop/s over flops per byte of the phases whose operations are counted, under the memory bandwidth; right GB/s of
every phase whose bytes are counted.  The bandwidth is the STREAM triad of the GPU in the report; a run on the CPU measures none, so
lines of equal bandwidth are drawn instead (bandfem info --device measures it).  Used by plot_bench.py.
"""
# SPDX-License-Identifier: BSD-3-Clause
import json
import os

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402

LEAST = 1e-5  # seconds of a phase that is shown


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except ValueError:
        return None
    return report if isinstance(report, dict) and "timing" in report and "performance" in report else None


def is_table(path):
    return path.endswith(".json") and load(path) is not None


def phases(report):
    """[(name, seconds, bytes, flops)] with counted bytes"""
    rows = []
    for row in report["timing"]:
        seconds = row.get("seconds", 0.0) if "seconds" in row else row.get("seconds_avg", 0.0) * row["calls"]
        if row["bytes"] > 0 and seconds >= LEAST:
            rows.append((row["name"], seconds, row["bytes"], row["flops"]))
    return rows


def picture(path, folder):
    """Writes roofline.png; its name, or None for a report without counted bytes."""
    report = load(path)
    rows = phases(report)
    if not rows:
        return None
    triad = report["performance"].get("device_triad_gb_per_s")
    counted = [row for row in rows if row[3] > 0]
    figure, (left, right) = plt.subplots(1, 2, figsize=(14, 0.32 * len(rows) + 4))
    x = np.array([1e-2, 1e2])
    rates = [b / s * 1e-9 for _, s, b, _ in counted]
    lines = [triad] if triad else [10.0 ** k for k in range(int(np.floor(np.log10(min(rates, default=1.0)))), int(np.ceil(np.log10(max(rates, default=1.0)))) + 1)]
    for gb in lines:
        left.plot(x, gb * x, color="black" if triad else "#b0b0b0", linewidth=1.4 if triad else 0.8)
        left.annotate(f"{gb:,.4g} GB/s" + (", triad" if triad else ""), (1.0, gb), fontsize=8, xytext=(4, -10), textcoords="offset points")
    for (name, seconds, count, flops), gb in zip(counted, rates):
        left.plot(flops / count, flops / seconds * 1e-9, "o", color="#1f6f8b")
        left.annotate(f"{name}, {gb:.3g} GB/s", (flops / count, flops / seconds * 1e-9), xytext=(7, -3), textcoords="offset points", fontsize=9)
    left.set_xscale("log")
    left.set_yscale("log")
    left.set_xlim(x)
    left.set_xlabel("flops per byte")
    left.set_ylabel("GFlop/s")
    left.grid(True, which="major", linewidth=0.3)
    if not counted:
        left.text(0.5, 0.5, "no phase with counted operations", ha="center", transform=left.transAxes)
    at = np.arange(len(rows))[::-1]
    right.barh(at, [b / s * 1e-9 for _, s, b, _ in rows], color="#1f6f8b", height=0.7)
    right.set_yticks(at, [f"{name}, {1e3 * s:.3g} ms" for name, s, _, _ in rows], fontsize=9)
    right.set_xscale("log")
    right.set_xlabel("GB/s: counted bytes / time")
    right.grid(True, axis="x", which="major", linewidth=0.3)
    if triad:
        right.axvline(triad, color="black", linewidth=1.4)
    figure.suptitle(f"{os.path.abspath(path).split(os.sep)[-2]}: {report['provenance'].get('backend', '')}")
    figure.tight_layout()
    name = os.path.join(folder, "roofline.png")
    figure.savefig(name, dpi=90)
    plt.close(figure)
    return name
