#!/usr/bin/env python3
"""outputs/plot_profile.py - roofline and occupancy of batched eigen-decompositions from profiler counts

usage: plot_profile.py NCU.csv FOLDER

NCU.csv: what ./dev profile leaves in build/profile.csv.  roofline_counted.png: operations a second over operations for
each byte of the device's memory, kernels of one order added up.  occupancy.png: warps at work over what a multiprocessor
can have, of each kernel.  With them a table on stdout: us, GB, 1e9 operations, %.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import os
import re
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

TYPES = {"s": ("float", "float"), "d": ("double", "double"), "c": ("cplx<float>", "complex float"),
         "z": ("cplx<double>", "complex double")}
COPY = 4.26e3  # GB/s of one H200
PEAK = {"s": 60.3e3, "d": 66.3e3, "c": 60.3e3, "z": 66.3e3}  # GFlop/s: FFMA at 1.785 GHz; m16n8k16 DMMA as sustained
TENSOR = {"sm__ops_path_tensor_src_fp64.sum": 1,
          "sm__ops_path_tensor_src_tf32_dst_fp32.sum": 3}  # operations, and of these for one of the type
# first kernel of a batch; jacobi_rotations too, if no screening kernel precedes it
FIRST = ("jacobi_screen", "heev_kernel", "heev_global_screen")


def operations(row):
    total = 0.0
    for name, value in row.items():
        found = re.fullmatch(r"sm__sass_thread_inst_executed_op_[fd](fma|add|mul)_pred_on\.sum", name or "")
        if found:
            total += (2 if found[1] == "fma" else 1) * float(value.replace(",", ""))
    for name, products in TENSOR.items():
        total += float(row.get(name, "0").replace(",", "")) / products
    return total


def kernels(path):
    """(name, type, order that its template says or None, seconds, bytes, operations, occupancy) in order"""
    with open(path, encoding="utf-8") as file:
        lines = [line for line in file if line.startswith('"')]
    found = []
    for row in csv.DictReader(lines):
        if not row["ID"].strip():
            continue  # units
        name = row["Kernel Name"].replace(" ", "").replace("bf::", "")
        scalar = re.search(r"cplx<(?:float|double)>|float|double", name)
        order = re.search(r"jacobi_shape<[^,]*,(?:\(int\))?(\d+)", name)
        chunks = re.search(r"(?:heev_kernel|heev_global_hetrd_kernel)<[^,]*,(?:\(int\))?(\d+)", name)
        n = int(order[1]) if order else 32 * int(chunks[1]) if chunks else None
        number = lambda key: float(row[key].replace(",", ""))  # noqa: E731
        letter = next(k for k, v in TYPES.items() if v[0] == scalar[0])
        found.append((re.match(r"(?:void)?(\w+)", name)[1].removeprefix("void"), letter, n,
                      1e-9 * number("gpu__time_duration.sum"), number("dram__bytes.sum"), operations(row),
                      number("sm__warps_active.avg.pct_of_peak_sustained_active")))
    return found


def rounds_together(group):
    """kernels of one name, by which a large batch goes in rounds, as one; occupancy weighted by time"""
    seen = {}
    for k in group:
        seen.setdefault(k[0], []).append(k)
    return [(name, *ks[0][1:3], *(sum(k[at] for k in ks) for at in (3, 4, 5)),
             sum(k[6] * k[3] for k in ks) / sum(k[3] for k in ks)) for name, ks in seen.items()]


def batches(found):
    """{type: {order: [kernels]}}; a batch of which the profiler saw the beginning only has no order"""
    groups, before = [], ""
    for kernel in found:
        if kernel[0] in FIRST or (kernel[0] == "jacobi_rotations" and before != "jacobi_screen"):
            groups.append([])
        groups[-1].append(kernel)
        before = kernel[0]
    out = {}
    for group in groups:
        n = next((k[2] for k in group if k[2]), None)
        if n:
            out.setdefault(group[0][1], {})[n] = rounds_together(group)
    return out


def roofline(all_types, path):
    figure, axes = plt.subplots(1, len(TYPES), figsize=(16, 4.6), sharey=True)
    for axis, (letter, (_, name)) in zip(axes, TYPES.items()):
        ridge = PEAK[letter] / COPY
        axis.plot([0.1, ridge, 1e4], [0.1 * COPY, PEAK[letter], PEAK[letter]], color="0.3", linewidth=1.5)
        points = []
        for n, group in sorted(all_types.get(letter, {}).items()):
            seconds, size, work = (sum(k[at] for k in group) for at in (3, 4, 5))
            points.append((work / size, 1e-9 * work / seconds))
            axis.annotate(str(n), points[-1], textcoords="offset points", xytext=(5, -9), fontsize=8)
        axis.plot([p[0] for p in points], [p[1] for p in points], "o-", color="C3", markersize=4)
        axis.set(title=name, xlabel="operations a byte", xscale="log", yscale="log")
        axis.grid(True, which="both", linewidth=0.3)
    axes[0].set_ylabel("GFlop/s")
    figure.tight_layout()
    figure.savefig(path, dpi=80)
    plt.close(figure)


def occupancy(all_types, path):
    figure, axes = plt.subplots(1, len(TYPES), figsize=(16, 4.6), sharey=True)
    names = list(dict.fromkeys(k[0] for types in all_types.values() for group in types.values() for k in group))
    for axis, (letter, (_, name)) in zip(axes, TYPES.items()):
        for colour, kernel in enumerate(names):
            points = [(n, k[6]) for n, group in sorted(all_types.get(letter, {}).items()) for k in group
                      if k[0] == kernel]
            axis.plot([p[0] for p in points], [p[1] for p in points], "o-", color=f"C{colour}", markersize=4,
                      label=kernel)
        axis.set(title=name, xlabel="order n", xscale="log", ylim=(0, 100))
        axis.set_xticks([4, 8, 16, 32, 64, 128, 256, 512], labels=["4", "8", "16", "32", "64", "128", "256", "512"])
        axis.minorticks_off()
        axis.grid(True, linewidth=0.3)
    axes[0].set_ylabel("% of the warps there can be")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(labels), frameon=False)
    figure.tight_layout(rect=(0, 0.07, 1, 1))
    figure.savefig(path, dpi=80)
    plt.close(figure)


def main():
    if len(sys.argv) != 3:
        sys.exit("usage: plot_profile.py NCU.csv FOLDER")
    found = kernels(sys.argv[1])
    if not found:
        sys.exit(f"{sys.argv[1]}: no kernel of batched eigen-decompositions")
    all_types = batches(found)
    os.makedirs(sys.argv[2], exist_ok=True)
    for letter, types in all_types.items():
        for n, group in sorted(types.items()):
            print(letter, n, " ".join(f"{k[0]} {1e6 * k[3]:.0f} us {1e-9 * k[4]:.3f} GB {1e-9 * k[5]:.3f} {k[6]:.0f} %;"
                                      for k in group))
    for draw, name in ((roofline, "roofline_counted.png"), (occupancy, "occupancy.png")):
        path = os.path.join(sys.argv[2], name)
        draw(all_types, path)
        print(path)


if __name__ == "__main__":
    main()
