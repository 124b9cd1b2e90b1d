"""tests/outputs/t276_picture.py - outputs/picture/picture.py makes pictures of the samples, and says what it cannot do

usage: t276_picture.py BUILD_DIR SOURCE_DIR     exit 0, 1, or 77 where VTK or xvfb is missing
"""
# SPDX-License-Identifier: BSD-3-Clause
import importlib.util
import os
import shutil
import subprocess
import sys

build, source = sys.argv[1], sys.argv[2]
samples = os.path.join(build, "samples")
script = os.path.join(source, "outputs", "picture", "picture.py")
failures = 0


def check(ok, what):
    global failures
    if not ok:
        failures += 1
        print("FAILED", what)


def picture(*arguments):
    return subprocess.run(["/usr/bin/python3", script, *arguments], capture_output=True, text=True, timeout=120)


def pixels(path):
    """Size, and how many different colours stand in it."""
    import vtk
    from vtk.util.numpy_support import vtk_to_numpy
    import numpy
    reader = vtk.vtkPNGReader()
    reader.SetFileName(path)
    reader.Update()
    image = reader.GetOutput()
    colours = vtk_to_numpy(image.GetPointData().GetScalars()).astype(numpy.int64)[:, :3] @ [65536, 256, 1]
    return image.GetDimensions()[:2], len(set(colours.tolist())), (colours == 0xFFFFFF).mean()


if not importlib.util.find_spec("vtk"):
    print("t276_picture: skipped, /usr/bin/python3 has no VTK (Debian: apt install python3-vtk9)")
    sys.exit(77)
if not os.environ.get("DISPLAY") and not (shutil.which("xvfb-run") and shutil.which("xauth")):
    print("t276_picture: skipped, no display and no xvfb-run (Debian: apt install xvfb xauth)")
    sys.exit(77)

for name, options, size, says in [
        ("hex20.vtk", ["--field", "temperature"], (1200, 800), "temperature"),
        ("mixed.hdf", ["--field", "stress", "--component", "xy", "--warp", "0", "--size", "640x480"], (640, 480), "stress xy")]:
    png = os.path.join(samples, name + ".png")
    if os.path.exists(png):
        os.remove(png)
    run = picture(os.path.join(samples, name), png, *options)
    check(run.returncode == 0 and says in run.stdout, f"{name}: {run.returncode} {run.stdout} {run.stderr}")
    if run.returncode == 0:
        got, colours, white = pixels(png)
        check(got == size, f"{name}: {got} pixels")
        check(colours > 100 and 0.3 < white < 0.99, f"{name}: {colours} colours, {white:.0%} white")

setup = os.path.join(build, "t276")
program = os.path.join(build, "bandfem")
for name in ("cantilever", "kirsch"):  # a body and a plate with curved edges
    check_run = subprocess.run([program, "check", os.path.join(source, "inputs/decks", name + ".yaml"), "--quiet", "--out", setup],
                               capture_output=True, text=True, timeout=120)
    check(check_run.returncode == 0, f"{name}: {check_run.stderr}")
    png = os.path.join(setup, name + ".png")
    run = picture(os.path.join(setup, "setup.vtk"), png)
    check(run.returncode == 0 and "the setup" in run.stdout, f"setup of {name}: {run.returncode} {run.stdout} {run.stderr}")
    if run.returncode == 0:
        got, colours, white = pixels(png)
        check(got == (1200, 800) and colours > 100 and 0.3 < white < 0.99, f"setup of {name}: {got} {colours} colours, {white:.0%} white")

for arguments, words in [
        (["nowhere.vtk", "x.png"], "there is no file 'nowhere.vtk'"),
        ([os.path.join(samples, "hex8.vtk"), "x.png", "--field", "pressure"], "no field 'pressure'; there are: displacement"),
        ([os.path.join(samples, "expected.json"), "x.png"], "ends neither in .vtk, .vtk.series nor .hdf")]:
    run = picture(*arguments)
    check(run.returncode == 1 and words in run.stderr, f"{words}: {run.returncode} {run.stderr}")
print(f"t276_picture: {failures} failures")
sys.exit(1 if failures else 0)
