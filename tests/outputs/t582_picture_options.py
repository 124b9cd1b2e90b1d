"""tests/outputs/t582_picture_options.py - steps, ranges, views, colours and animations of outputs/picture/picture.py

usage: t582_picture_options.py BUILD_DIR SOURCE_DIR     exit 0, 1, or 77 where VTK or xvfb is missing

VTK is that of /usr/bin/python3 or of SOURCE_DIR/build/vtk (./dev deps vtk).
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import shutil
import subprocess
import sys

build, source = (os.path.abspath(p) for p in sys.argv[1:3])
folder = os.path.join(build, "t582")
failures = 0
PYTHONS = ["/usr/bin/python3", os.path.join(source, "build/vtk/bin/python")]
python = next((p for p in PYTHONS if os.path.exists(p) and
               subprocess.run([p, "-c", "import vtk, numpy"], capture_output=True, check=False).returncode == 0), None)
if python is None:
    print("t582_picture_options: skipped, no Python with VTK (./dev deps vtk)")
    sys.exit(77)
if not os.environ.get("DISPLAY") and not (shutil.which("xvfb-run") and shutil.which("xauth")):
    print("t582_picture_options: skipped, no display and no xvfb-run (Debian: apt install xvfb xauth)")
    sys.exit(77)
if not os.environ.get("DISPLAY"):  # one display for all pictures
    os.execvp("xvfb-run", ["xvfb-run", "-a", "-s", "-screen 0 1200x800x24", sys.executable, *sys.argv])
SHARE = """
import sys, vtk, numpy
from vtk.util.numpy_support import vtk_to_numpy
r = vtk.vtkPNGReader(); r.SetFileName(sys.argv[1]); r.Update(); d = r.GetOutput().GetDimensions()
a = vtk_to_numpy(r.GetOutput().GetPointData().GetScalars())[:, :3].astype(int).reshape(d[1], d[0], 3)[:, :int(0.8 * d[0])]
drawn = a[(a < 250).any(axis=2)]
want = numpy.array([int(x) for x in sys.argv[2:5]])
print((abs(drawn - want).max(axis=1) <= 2).mean(), (a == want).all(axis=2).sum())
"""


def check(ok, what):
    global failures
    if not ok:
        failures += 1
        print("FAILED", what)


def picture(result, png, *options):
    return subprocess.run([python, os.path.join(source, "outputs/picture/picture.py"), os.path.join(folder, result),
                           os.path.join(folder, png), *options], capture_output=True, text=True, timeout=120)


def bandfem(*words):
    run = subprocess.run([os.path.join(build, "bandfem"), *words, "--quiet"], capture_output=True, text=True, cwd=folder, timeout=120)
    check(run.returncode == 0, f"{words}: {run.stderr}")


def colour_share(png, rgb):
    run = subprocess.run([python, "-c", SHARE, os.path.join(folder, png), *(str(c) for c in rgb)], capture_output=True, text=True,
                         check=True)
    return float(run.stdout.split()[0])


def same(a, b):
    return open(os.path.join(folder, a), "rb").read() == open(os.path.join(folder, b), "rb").read()


shutil.rmtree(folder, ignore_errors=True)
os.makedirs(folder)
DECK = """deck: 1
title: bar
mesh: {generate: {box: {size: [1.0, 0.2, 0.2], cells: [6, 2, 2], element: hex8}}}
physics: elasticity
materials: {steel: {group: volume, E: 2.1e+11, nu: 0.3, rho: 7850.0}}
boundary:
  - {group: x_min, type: fixed}
"""
with open(os.path.join(folder, "modes.yaml"), "w", encoding="utf-8") as file:
    file.write(DECK + "analysis: {type: modal, modes: 3}\n")
with open(os.path.join(folder, "bar.yaml"), "w", encoding="utf-8") as file:
    file.write(DECK + "  - {group: x_max, type: traction, value: [0.0, 0.0, -1.0e+6]}\n")
bandfem("run", "modes.yaml", "--out", "modes")
bandfem("run", "bar.yaml", "--out", "bar")
bandfem("check", "bar.yaml", "--out", "bar")

# one colour where the field has one value: the surface has the colour of the bar, on every face
run = picture("bar/case.hdf", "flat.png", "--field", "material_id", "--warp", "0")
check(run.returncode == 0 and run.stderr == "", f"flat: {run.stderr}")
check(colour_share("flat.png", (98, 140, 117)) > 0.7, "the faces have the colour of the bar")

# steps: by the series, by VTKHDF, by the file of the step
for result, png, options in (("modes/case.vtk.series", "s2.png", ["--mode", "2"]), ("modes/case_0001.vtk", "f2.png", []),
                             ("modes/case.vtk.series", "s1.png", []), ("modes/case.hdf", "h2.png", ["--mode", "2"])):
    run = picture(result, png, *options)
    check(run.returncode == 0 and run.stderr == "", f"{result} {options}: {run.stderr}")
check(same("s2.png", "f2.png") and same("s2.png", "h2.png") and not same("s1.png", "s2.png"), "--mode draws that step")

# a signed component has grey at 0 and red and blue ends; a magnitude has not
picture("bar/case.hdf", "signed.png", "--field", "stress_nodal", "--component", "xx", "--warp", "0")
check(colour_share("signed.png", (180, 4, 38)) > 0.0 and colour_share("signed.png", (59, 76, 192)) > 0.0, "signed colours")
picture("bar/case.hdf", "size.png", "--field", "displacement", "--warp", "0")
check(colour_share("size.png", (59, 76, 192)) == 0.0 and colour_share("size.png", (13, 41, 97)) > 0.0, "colours of a magnitude")

for options in (["--range", "5%,95%"], ["--range", "-1e6,1e6"], ["--view", "below"], ["--view", "-30,-20"], ["--view", "top"]):
    run = picture("bar/case.hdf", "option.png", "--field", "stress_nodal", *options)
    check(run.returncode == 0 and run.stderr == "", f"{options}: {run.stderr}")
run = picture("bar/setup.vtk", "setup.png")
check(run.returncode == 0 and run.stderr == "" and "the setup" in run.stdout, f"setup: {run.stderr}")

# a section through faces of cells shows the inside, which alone is warm
HEAT = """deck: 1
mesh: {generate: {box: {size: [1.0, 1.0, 1.0], cells: [4, 4, 4], element: hex8}}}
physics: heat
materials: {m: {group: volume, k: 1.0}}
loads: [{type: heat_source, value: 10.0}]
boundary: [{groups: [x_min, x_max, y_min, y_max, z_min, z_max], type: temperature, value: 0.0}]
"""
with open(os.path.join(folder, "heat.yaml"), "w", encoding="utf-8") as file:
    file.write(HEAT)
bandfem("run", "heat.yaml", "--out", "heat")
for axis in "xyz":
    run = picture("heat/case.hdf", "cut.png", "--cut", axis)
    check(run.returncode == 0 and run.stderr == "", f"--cut {axis}: {run.stderr}")
    view = colour_share("cut.png", (13, 41, 97))
    check(0.05 < view < 0.9 if axis == "y" else view > 0.05, f"--cut {axis}: {view} of the picture is cold")

# frames of a period: the first is the mode, the half period its mirror
run = picture("modes/case.vtk.series", "move.png", "--animate", "4", "--mode", "2", "--size", "300x200")
frames = [f"move_{i:03d}.png" for i in range(4)]
check(run.returncode == 0 and all(os.path.isfile(os.path.join(folder, f)) for f in frames), f"frames: {run.stderr}")
if run.returncode == 0:
    check(not same(frames[0], frames[2]) and same(frames[1], frames[3]), "frames of a period")
if subprocess.run([python, "-c", "import PIL"], capture_output=True, check=False).returncode == 0:
    run = picture("modes/case.hdf", "move.gif", "--animate", "4", "--size", "300x200")
    check(run.returncode == 0 and open(os.path.join(folder, "move.gif"), "rb").read(6) == b"GIF89a", f"gif: {run.stderr}")

for result, png, options, words in (("modes/case.vtk.series", "x.png", ["--mode", "4"], "has 3 steps"),
                                    ("modes/case.hdf", "x.png", ["--mode", "0"], "has 3 steps"),
                                    ("bar/case.vtk", "x.png", ["--mode", "2"], "has 1 step"),
                                    ("bar/case.hdf", "x.png", ["--range", "1"], "two numbers or percentiles"),
                                    ("bar/case.hdf", "x.png", ["--range", "2,1"], "above the second"),
                                    ("bar/case.hdf", "x.png", ["--view", "side"], "front, right"),
                                    ("bar/case.hdf", "x.mp4", ["--animate", "8"], "writes .gif or numbered .png files"),
                                    ("bar/case.hdf", "x.png", ["--animate", "8", "--warp", "0"], "no displacement")):
    run = picture(result, png, *options)
    check(run.returncode == 1 and words in run.stderr and "Traceback" not in run.stderr, f"{options}: {run.returncode} {run.stderr}")
print(f"t582_picture_options: {failures} failures")
sys.exit(1 if failures else 0)
