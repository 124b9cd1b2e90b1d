"""tests/tools/t356_plot_bench.py - pictures of the batched kernels: one a table, from the rows that fit; what a profiler counted

usage: t356_plot_bench.py BUILD_DIR SOURCE_DIR [unittest options]     exit 77: no matplotlib here
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, sys.argv[2] + "/tests/program")
from program import SOURCE, skip  # noqa: E402

PYTHON = "/usr/bin/python3"
HEADING = ("table,case,backend,kernel,seconds,bytes,gb_per_s,share_of_read,share_of_copy,peer_over_this,"
           "best_peer_over_this,error,gflop_per_s,share_of_floor,failed,difference,relative_difference\n")


def plot(text, folder):
    path = os.path.join(folder, "rows.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write(HEADING + text)
    return subprocess.run([PYTHON, os.path.join(SOURCE, "outputs", "plot_bench.py"), path, os.path.join(folder, "out")],
                          capture_output=True, text=True, check=False)


def row(table, case, kernel, seconds, rate):
    return f"{table},{case},cuda,{kernel},{seconds},1,1,1,1,nan,nan,0.1,{rate},0.5,0,,\n"


def inverse(case, kernel, seconds, difference=""):
    return f'syinv,{case},cuda,"{kernel}",{seconds},1,1,1,1,nan,nan,0.1,5,0.5,0,{difference},\n'


class Plots(unittest.TestCase):
    def test_a_picture_for_each_table_and_the_largest_batch_of_an_order(self):
        sys.path.insert(0, os.path.join(SOURCE, "outputs"))
        rows = (row("lu", "d8x100", "getrf", 1e-6, 1) + row("lu", "d8x10000", "getrf", 1e-5, 10)
                + row("lu", "d8x1000000", "getrf", 1e-3, 30) + row("lu", "d8x10000", "cuBLAS", 3e-5, 4)
                + row("eigen", "z64x200", "heev", 1e-3, 7) + "spmv,band27,cuda,csr,1,1,1,1,1,nan,nan,0,,,\n")
        with tempfile.TemporaryDirectory() as folder:
            done = plot(rows, folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))), ["eigen.png", "lu.png", "roofline.png", "spmv.png"])
            script = ("import sys; sys.argv=['x']; sys.path.insert(0, sys.argv[0] and %r); import plot_bench as p; "
                      "k = p.read(%r)['lu']['d']; print(k['getrf'], p.comparable(k['getrf'], k['cuBLAS']))"
                      % (os.path.join(SOURCE, "outputs"), os.path.join(folder, "rows.csv")))
            done = subprocess.run([PYTHON, "-B", "-c", script], capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout.strip(), "{8: (10000, 1e-05, 10.0, 1.0, 0.1)} [8]", done.stderr)

    def test_the_symmetric_inverse_has_speed_up_and_difference(self):
        border = "bordering, one row and column at a time"
        rows = "".join(inverse(f"s{n}-bordering", "serial program", 1e-2 * n) + inverse(f"s{n}-bordering", "syinv", 1e-6 * n, 1e-9)
                       + inverse(f"s{n}-bordering", border, 1e-4 * n, 2e-9) for n in (800, 1600))
        with tempfile.TemporaryDirectory() as folder:
            done = plot(rows, folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(os.listdir(os.path.join(folder, "out")), ["syinv-bordering.png"])
            done = plot(rows + inverse("d100-spd", "syinv", 1e-3) + row("lu", "d8x100", "getrf", 1e-6, 1), folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))),
                             ["lu.png", "roofline.png", "syinv-bordering.png", "syinv-definite.png"])
            script = ("import sys; sys.path.insert(0, %r); import plot_syinv as p; k = p.read(%r)['bordering']['s']; "
                      "print(p.serial_seconds(k), p.number(k['syinv'][800], 'difference'), "
                      "p.number(k['serial program'][800], 'difference'))"
                      % (os.path.join(SOURCE, "outputs"), os.path.join(folder, "rows.csv")))
            done = subprocess.run([PYTHON, "-B", "-c", script], capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout.strip(), "{800: 8.0, 1600: 16.0} 1e-09 None", done.stderr)

    def test_kernels_of_a_batch_are_added_up_for_the_roofline(self):
        count = "sm__sass_thread_inst_executed_op_%s_pred_on.sum"
        names = ["gpu__time_duration.sum", "dram__bytes.sum", "sm__warps_active.avg.pct_of_peak_sustained_active",
                 count % "dfma", count % "dadd", "sm__ops_path_tensor_src_tf32_dst_fp32.sum"]
        lines = [["ID", "Kernel Name"] + names, ["", "", "nsecond", "byte", "%", "inst", "inst", ""],
                 ["0", "void bf::jacobi_screen<double, 16>(bf::batch_view<T1>)", "1000", "3000", "50", "0", "0", "0"],
                 ["1", "void bf::jacobi_rotations<bf::jacobi_shape<double, (int)16, 2, 10>, double>(bf::batch_view<T2>)", "9000",
                  "1000", "25", "2000", "500", "0"],
                 ["2", "void bf::heev_kernel<bf::cplx<float>, 2, 4, 4>(bf::batch_view<T1>)", "5000", "100", "20", "10", "0", "3000000"]]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "ncu.csv")
            with open(path, "w", encoding="ascii") as file:
                file.write("==PROF== Connected\n" + "".join(",".join(f'"{x}"' for x in line) + "\n" for line in lines))
            done = subprocess.run([PYTHON, os.path.join(SOURCE, "outputs", "plot_profile.py"), path, os.path.join(folder, "out")],
                                  capture_output=True, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn("d 16 jacobi_screen 1 us 0.000 GB 0.000 50 %; jacobi_rotations 9 us", done.stdout)
            self.assertIn("c 64 heev_kernel 5 us 0.000 GB 0.001 20 %", done.stdout)
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))), ["occupancy.png", "roofline_counted.png"])

    def test_a_file_without_such_rows_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = plot("unknown,band27,cuda,csr,1,1,1,1,1,nan,nan,0,,,\n", folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("no row of lu", done.stderr)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True, check=False).returncode != 0:
        skip("no matplotlib for /usr/bin/python3: ./dev deps plot")
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
