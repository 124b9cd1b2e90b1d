#!/usr/bin/env python3
"""tests/peers/compare_petsc.py - CG with Jacobi on the CPU: bandfem beside PETSc on the same systems, in turn

usage: compare_petsc.py FOLDER [TIMES]     FOLDER holds bandfem_cg and petsc_cg (./dev petsc builds them)

Every program is a process of its own; all take their turn TIMES times, medians are shown.  PETSc: sequential and
on 2 MPI ranks, AIJ and SBAIJ; the fastest is the peer.  Both stop at 1e-8 of the preconditioned (PETSc) and of the true
residual (bandfem), which are the same here: the diagonal is constant.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import statistics
import subprocess
import sys

SYSTEMS = ((100, 1), (128, 1), (48, 3))  # points a side, unknowns a point
RTOL = "1e-8"
RANKS = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]


def programs(folder):
    ours, petsc = os.path.join(folder, "bandfem_cg"), os.path.join(folder, "petsc_cg")
    for form in ("full", "half", "half32"):
        yield f"bandfem bDIA {form}", [ours], form, "2"
    for form in ("aij", "sbaij"):
        yield f"PETSc {form}", [petsc], form, "1"
        yield f"PETSc {form}, 2 ranks", RANKS + [petsc], form, "1"


def run(command, threads):
    prefix = os.environ.get("COMPARE_PREFIX", "").split()  # chrt, taskset
    env = dict(os.environ, OMP_NUM_THREADS=threads)
    done = subprocess.run(prefix + command, env=env, stdout=subprocess.PIPE, check=True, text=True)
    return [float(word) for word in done.stdout.split()]


def compare(folder, m, d, times):
    runs = {}
    for _ in range(times):
        for name, command, form, threads in programs(folder):
            runs.setdefault(name, []).append(run(command + [str(m), str(d), form, RTOL], threads))
    median = {name: [statistics.median(column) for column in zip(*rows)] for name, rows in runs.items()}
    peer = min(row[0] for name, row in median.items() if name.startswith("PETSc"))
    each = min(row[0] / row[1] for name, row in median.items() if name.startswith("PETSc"))
    print(f"27-point, {m}^3 points, {d} unknowns a point: {m**3 * d} rows")
    print(f"{'':24s}{'solve s':>9s}{'iterations':>11s}{'ms each':>9s}{'residual':>10s}{'solve':>7s}{'each':>7s}{'GB/s':>7s}{'triad':>7s}{'share':>7s}")
    for name, row in median.items():
        seconds, iterations = row[:2]
        rates = "".join(f"{x:7.1f}" for x in row[3:5]) + "".join(f"{x:7.2f}" for x in row[5:6])
        print(f"{name:24s}{seconds:9.3f}{int(iterations):11d}{1e3 * seconds / iterations:9.3f}{row[2]:10.1e}"
              f"{peer / seconds:6.2f}x{each * iterations / seconds:6.2f}x{rates}", flush=True)


def main():
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    for m, d in SYSTEMS:
        compare(sys.argv[1], m, d, times)


if __name__ == "__main__":
    main()
