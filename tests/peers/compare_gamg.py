#!/usr/bin/env python3
"""tests/peers/compare_gamg.py - CG with multigrid on the CPU: bandfem beside PETSc's GAMG on the same systems, in turn

usage: compare_gamg.py FOLDER [TIMES]     FOLDER holds bandfem_multigrid and petsc_gamg (./dev petsc multigrid builds them)

The systems: an elastic cube of 40^3 hex8, and the flange of inputs/meshes/flange.geo with elements of 2.8 mm, which gmsh meshes
(without gmsh: the cube alone).  Times are set-up, and set-up with solve, to a true residual of 1e-8; medians of TIMES runs.
PETSc has the same matrix, right-hand side and rigid-body modes; sequential and on 2 MPI ranks, bandfem on 1 and 2 threads.
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import statistics
import subprocess
import sys

RANKS = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", "2"]
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")
CUBE = """deck: 1
mesh: {generate: {box: {size: [1.0, 1.0, 1.0], cells: [40, 40, 40], element: hex8}}}
physics: elasticity
materials: {m: {groups: [volume], E: 2.1e+11, nu: 0.3}}
boundary:
  - {group: x_min, type: fixed}
  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}
output: {dir: out}
"""
FLANGE = """deck: 1
mesh: {file: flange.msh}
physics: elasticity
materials: {steel: {groups: [body], E: 2.1e+11, nu: 0.3}}
boundary:
  - {group: bolts, type: fixed}
  - {group: top, type: traction, value: [1.0e+6, 0.0, -2.0e+5]}
output: {dir: out}
"""


def systems(folder):
    at = os.path.join(folder, "gamg")
    os.makedirs(at, exist_ok=True)
    decks = {"elastic cube 40^3": ("cube.yaml", CUBE)}
    if shutil.which("gmsh"):
        mesh = os.path.join(at, "flange.msh")
        if not os.path.exists(mesh):
            subprocess.run(["gmsh", "-3", "-algo", "hxt", "-setnumber", "h", "0.0028", "-bin", "-v", "1", "-o", mesh,
                            os.path.join(ROOT, "inputs", "meshes", "flange.geo")], check=True)
        decks["flange tet4, h 2.8 mm"] = ("flange.yaml", FLANGE)
    for name, (deck, text) in decks.items():
        path = os.path.join(at, deck)
        with open(path, "w") as file:
            file.write(text)
        yield name, path


def run(command, threads):
    prefix = os.environ.get("COMPARE_PREFIX", "").split()  # chrt, taskset
    env = dict(os.environ, OMP_NUM_THREADS=threads)
    done = subprocess.run(prefix + command, env=env, stdout=subprocess.PIPE, check=True, text=True)
    return [float(word) for word in done.stdout.split()]


def main():
    folder, times = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 3
    ours, petsc = os.path.join(folder, "bandfem_multigrid"), os.path.join(folder, "petsc_gamg")
    for name, deck in systems(folder):
        dump = deck.replace(".yaml", ".bin")
        subprocess.run([ours, deck, dump], check=True)
        programs = {"PETSc GAMG, 1 rank": ([petsc, dump], "1"), "PETSc GAMG, 2 ranks": (RANKS + [petsc, dump], "1"),
                    "bandfem, 1 thread": ([ours, deck], "1"), "bandfem, 2 threads": ([ours, deck], "2")}
        rows = {}
        for _ in range(times):
            for label, (command, threads) in programs.items():
                rows.setdefault(label, []).append(run(command, threads))
        median = {label: [statistics.median(c) for c in zip(*r)] for label, r in rows.items()}
        print(f"{name}\n{'':22s}{'set-up s':>9s}{'all s':>8s}{'iterations':>11s}{'residual':>10s}{'GAMG / this':>12s}")
        for label, m in median.items():
            peer = median["PETSc GAMG, 1 rank" if "1" in label else "PETSc GAMG, 2 ranks"]
            print(f"{label:22s}{m[0]:9.3f}{m[1]:8.3f}{int(m[2]):11d}{m[3]:10.1e}{peer[1] / m[1]:12.2f}", flush=True)


if __name__ == "__main__":
    main()
