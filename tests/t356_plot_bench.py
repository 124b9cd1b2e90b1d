"""tests/t356_plot_bench.py - pictures of the batched kernels: one a table, from the rows that fit

usage: t356_plot_bench.py BUILD_DIR SOURCE_DIR [unittest options]     exit 77: no matplotlib here
"""
import os
import subprocess
import sys
import tempfile
import unittest

SOURCE = os.path.abspath(sys.argv[2])
PYTHON = "/usr/bin/python3"
HEADING = ("table,case,backend,kernel,seconds,bytes,gb_per_s,share_of_read,share_of_copy,peer_over_this,"
           "best_peer_over_this,error,gflop_per_s,share_of_floor,failed\n")


def plot(text, folder):
    path = os.path.join(folder, "rows.csv")
    with open(path, "w", encoding="ascii") as file:
        file.write(HEADING + text)
    return subprocess.run([PYTHON, os.path.join(SOURCE, "outputs", "plot_bench.py"), path, os.path.join(folder, "out")],
                          capture_output=True, text=True, check=False)


def row(table, case, kernel, seconds, rate):
    return f"{table},{case},cuda,{kernel},{seconds},1,1,1,1,nan,nan,0.1,{rate},0.5,0\n"


class Plots(unittest.TestCase):
    def test_a_picture_for_each_table_and_the_largest_batch_of_an_order(self):
        sys.path.insert(0, os.path.join(SOURCE, "outputs"))
        rows = (row("lu", "d8x100", "getrf", 1e-6, 1) + row("lu", "d8x10000", "getrf", 1e-5, 10)
                + row("lu", "d8x1000000", "getrf", 1e-3, 30) + row("lu", "d8x10000", "cuBLAS", 3e-5, 4)
                + row("eigen", "z64x200", "heev", 1e-3, 7) + "spmv,band27,cuda,csr,1,1,1,1,1,nan,nan,0,,,\n")
        with tempfile.TemporaryDirectory() as folder:
            done = plot(rows, folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(sorted(os.listdir(os.path.join(folder, "out"))), ["eigen.png", "lu.png", "roofline.png"])
            script = ("import sys; sys.argv=['x']; sys.path.insert(0, sys.argv[0] and %r); import plot_bench as p; "
                      "k = p.read(%r)['lu']['d']; print(k['getrf'], p.comparable(k['getrf'], k['cuBLAS']))"
                      % (os.path.join(SOURCE, "outputs"), os.path.join(folder, "rows.csv")))
            done = subprocess.run([PYTHON, "-B", "-c", script], capture_output=True, text=True, check=False)
            self.assertEqual(done.stdout.strip(), "{8: (10000, 1e-05, 10.0, 1.0, 0.1)} [8]", done.stderr)

    def test_a_file_without_such_rows_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = plot("spmv,band27,cuda,csr,1,1,1,1,1,nan,nan,0,,,\n", folder)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("no row of lu", done.stderr)


if __name__ == "__main__":
    if subprocess.run([PYTHON, "-c", "import matplotlib"], capture_output=True, check=False).returncode != 0:
        print("no matplotlib for /usr/bin/python3: ./dev deps plot")
        sys.exit(77)
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
