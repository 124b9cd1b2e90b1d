"""tests/peers/magma_batched.py - MAGMA's batched LU, and inverses by it, as rows for bandfem bench --others

usage: magma_batched.py OUT.csv [lu] [inverse] [--case d64x10000]... [--seconds S]

MAGMA is the one that PyTorch carries: its routines magma_?getrf_batched and magma_?getrs_batched are called as they
stand in libtorch_cuda_linalg.so, in place, on PyTorch's stream.  It has no getri there, so an inverse is LU and a
solution with the identity.  PyTorch's own lu_factor_ex and inv_ex with MAGMA preferred are rows too, for large batches:
they include the copies that PyTorch makes.  Times are medians between events of a few runs; before each, outside of the
time, the matrices are restored and 256 MB of other memory are written and read, as bandfem bench does; up to order 33,
where they take little room, 20 runs on 20 copies of the batch stand between the events.  Matrices are uniform in
(-1/2, 1/2).  Columns: table, case, kernel, seconds, error, failed; error is the largest residual of three matrices in
units of eps, as in app/bench/dense.h.
"""
# SPDX-License-Identifier: BSD-3-Clause
import argparse
import csv
import ctypes
import os
import statistics
import sys
import time

import numpy
import torch

TYPES = {"s": torch.float32, "d": torch.float64, "c": torch.complex64, "z": torch.complex128}
SIZES = [(n, 10000) for n in (8, 16, 32, 33, 48, 64, 65, 96, 128, 129, 160, 190)] + [(256, 4000), (384, 4000)]
SMALL = [(8, 1), (8, 100), (8, 1000), (32, 1), (32, 100), (32, 1000), (64, 1), (64, 100), (64, 1000), (128, 1),
         (128, 100), (128, 1000), (190, 1), (190, 100), (190, 1000), (384, 1), (384, 100), (8, 1000000), (16, 1000000)]
NO_TRANS = 111
RUNS, IN_ROW, ROOM = 20, 33, 2 ** 30


class Magma:
    """the routines of PyTorch's MAGMA on PyTorch's stream"""

    def __init__(self):
        torch.zeros(1, device="cuda")
        self.lib = ctypes.CDLL(os.path.join(os.path.dirname(torch.__file__), "lib", "libtorch_cuda_linalg.so"))
        self.lib.magma_init()
        self.queue = ctypes.c_void_p()
        self.lib.magma_queue_create_from_cuda_internal(
            0, ctypes.c_void_p(torch.cuda.current_stream().cuda_stream), None, None, ctypes.byref(self.queue),
            b"magma_batched", b"magma_batched.py", 0)
        major, minor, micro = ctypes.c_int(), ctypes.c_int(), ctypes.c_int()
        self.lib.magma_version(ctypes.byref(major), ctypes.byref(minor), ctypes.byref(micro))
        self.name = f"MAGMA {major.value}.{minor.value}.{micro.value}"

    def getrf(self, letter, n, at, pivots, info, count):
        pointer = ctypes.c_void_p
        return self.lib[f"magma_{letter}getrf_batched"](n, n, pointer(at.data_ptr()), n, pointer(pivots.data_ptr()),
                                                        pointer(info.data_ptr()), count, self.queue)

    def getrs(self, letter, n, at, pivots, to, count):
        pointer = ctypes.c_void_p
        return self.lib[f"magma_{letter}getrs_batched"](NO_TRANS, n, n, pointer(at.data_ptr()), n,
                                                        pointer(pivots.data_ptr()), pointer(to.data_ptr()), n, count,
                                                        self.queue)


def addresses(x):
    """of the matrices x[count], in device memory"""
    step = x.stride(0) * x.element_size()
    return torch.arange(x.shape[0], dtype=torch.int64, device="cuda") * step + x.data_ptr()


class Case:
    """batches of matrices [runs][count][n][n] by columns: x[r][k].T is matrix k; few differ"""

    def __init__(self, magma, kind, letter, n, count):
        self.magma, self.kind, self.letter, self.n, self.count = magma, kind, letter, n, count
        dtype, pool = TYPES[letter], min(count, max(16, 2 ** 22 // (n * n)))
        some = torch.rand(pool, n, n, dtype=dtype, device="cuda")
        some -= 0.5 + 0.5j if dtype.is_complex else 0.5
        self.made = some.repeat((count + pool - 1) // pool, 1, 1)[:count].contiguous()
        runs = RUNS if n <= IN_ROW and RUNS * self.made.numel() * some.element_size() <= ROOM else 1
        self.a = self.made.repeat(runs, 1, 1, 1)
        self.pivots = torch.zeros(count, n, dtype=torch.int32, device="cuda")
        self.info = torch.zeros(count, dtype=torch.int32, device="cuda")
        self.at, self.pivots_at = [addresses(x) for x in self.a], addresses(self.pivots)
        if kind == "inverse":
            self.one = torch.eye(n, dtype=dtype, device="cuda")
            self.x = torch.empty_like(self.a)
            self.to = [addresses(x) for x in self.x]

    def restore(self):
        self.a.copy_(self.made.expand_as(self.a))
        if self.kind == "inverse":
            self.x.copy_(self.one.expand_as(self.x))

    def run(self):
        for r, at in enumerate(self.at):
            self.magma.getrf(self.letter, self.n, at, self.pivots_at, self.info, self.count)
            if self.kind == "inverse":
                self.magma.getrs(self.letter, self.n, at, self.pivots_at, self.to[r], self.count)

    def run_pytorch(self):
        call = torch.linalg.lu_factor_ex if self.kind == "lu" else torch.linalg.inv_ex
        return call(self.made)

    def residual(self):
        def wide(x):
            x = x.T.cpu().numpy()
            return x.astype(numpy.clongdouble if numpy.iscomplexobj(x) else numpy.longdouble)

        def norm(x):
            return float(numpy.sqrt((numpy.abs(x) ** 2).sum()))

        worst, eps = 0.0, torch.finfo(TYPES[self.letter]).eps
        for k in sorted({0, self.count // 2, self.count - 1}):
            w, one = wide(self.made[k]), numpy.eye(self.n)
            bound = self.n * eps * norm(w)
            if self.kind == "inverse":
                f = wide(self.x[-1][k])
                e = min(norm(w @ f - one), norm(f @ w - one)) / (bound * norm(f))
            else:
                f = wide(self.a[-1][k])
                for i, p in enumerate(self.pivots[k].tolist()):
                    w[[i, p - 1]] = w[[p - 1, i]]
                e = norm(w - (numpy.tril(f, -1) + one) @ numpy.triu(f)) / bound
            worst = max(worst, e)
        return worst

    def seconds(self, run, runs, flush):
        times, total = [], 0.0
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        while len(times) < 2 or (total < 0.02 and len(times) < 15):
            self.restore()
            flush.fill_(1.0)
            flush.sum()
            begin.record()
            run()
            end.record()
            end.synchronize()
            times.append(1e-3 * begin.elapsed_time(end))
            total += times[-1]
        return statistics.median(times) / runs


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("out")
    parser.add_argument("kinds", nargs="*")
    parser.add_argument("--case", action="append", default=[])
    parser.add_argument("--seconds", type=float, default=100.0, help="no case is begun after so long")
    o = parser.parse_args()
    began = time.time()
    magma = Magma()
    torch.backends.cuda.preferred_linalg_library("magma")
    flush = torch.empty(2 ** 26, dtype=torch.float32, device="cuda")
    with open(o.out, "w", encoding="ascii", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(("table", "case", "kernel", "seconds", "error", "failed"))
        for kind in o.kinds or ("lu", "inverse"):
            for letter in TYPES:
                for n, count in SIZES + SMALL:
                    name = f"{letter}{n}x{count}"
                    if (o.case and name not in o.case) or time.time() - began > o.seconds:
                        continue
                    c = Case(magma, kind, letter, n, count)
                    c.restore()
                    c.run()
                    torch.cuda.synchronize()
                    error = c.residual() if n <= 130 else -1.0
                    failed = int((c.info != 0).sum())
                    seconds = c.seconds(c.run, len(c.at), flush)
                    out.writerow((kind, name, f"{magma.name} {'getrf' if kind == 'lu' else 'getrf + getrs'}_batched",
                                  f"{seconds:.9g}", f"{error:.3g}", failed))
                    if 4000 <= count <= 10000 and n not in (33, 65, 129):
                        seconds = c.seconds(c.run_pytorch, 1, flush)
                        out.writerow((kind, name, f"PyTorch {torch.__version__} with MAGMA", f"{seconds:.9g}", -1, 0))
    print(f"{o.out}: {time.time() - began:.1f} s", file=sys.stderr)


if __name__ == "__main__":
    main()
