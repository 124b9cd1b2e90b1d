"""tests/outputs/t581_plots.py - outputs/plot_bench.py draws residuals and sparse tables, and refuses other files

usage: t581_plots.py BUILD_DIR SOURCE_DIR     exit 0, 1, or 77 without matplotlib
"""
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import os
import shutil
import subprocess
import sys

build, source = (os.path.abspath(p) for p in sys.argv[1:3])
folder = os.path.join(build, "t581")
failures = 0
if not importlib.util.find_spec("matplotlib"):
    print("t581_plots: skipped, /usr/bin/python3 has no matplotlib (Debian: apt install python3-matplotlib)")
    sys.exit(77)


def check(ok, what):
    global failures
    if not ok:
        failures += 1
        print("FAILED", what)


def plot(table):
    return subprocess.run(["/usr/bin/python3", os.path.join(source, "outputs/plot_bench.py"), table, folder], capture_output=True,
                          text=True, timeout=120)


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
HEAD = "table,case,backend,kernel,seconds,bytes,gb_per_s,share_of_read,share_of_copy,peer_over_this,best_peer_over_this,error\n"
FILES = {
    "residuals.csv": "iteration,residual,true_residual,seconds\n0,1.0,1.0,0.0\n1,0.1,,0.01\n2,1e-9,1e-9,0.02\n",
    "sparse.csv": HEAD + 'spmv,band27,cuda,"cuSPARSE csr",4e-4,1e9,2500,0.6,0.7,nan,nan,1e-15\n'
                         'spmv,band27,cuda,"bdia full fp64",2e-4,8e8,4000,0.9,1.2,2.0,2.0,1e-15\n'
                         'paper,d3,cuda,"bdia fp64",2e-6,8e6,4000,0.9,1.0,2.0,2.0,1e-15\n',
    "empty.csv": HEAD + 'words,a,cpu,"b",1,1,1,1,1,1,1,1\n', "other.csv": "a,b\n1,2\n"}
for name, text in FILES.items():
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)

for table, pictures in (("residuals.csv", ["residuals.png"]), ("sparse.csv", ["spmv.png", "paper.png"])):
    run = plot(os.path.join(folder, table))
    check(run.returncode == 0, f"{table}: {run.stderr}")
    for picture in pictures:
        path = os.path.join(folder, picture)
        check(os.path.isfile(path) and open(path, "rb").read(8) == b"\x89PNG\r\n\x1a\n" and path in run.stdout, f"{table}: {picture}")
for table, words in (("empty.csv", "no row of"), ("other.csv", "is no table of bandfem bench, residuals.csv"),
                     ("nowhere.csv", "there is no file")):
    run = plot(os.path.join(folder, table))
    check(run.returncode == 1 and words in run.stderr and "Traceback" not in run.stderr, f"{table}: {run.returncode} {run.stderr}")
print(f"t581_plots: {failures} failures")
sys.exit(1 if failures else 0)
