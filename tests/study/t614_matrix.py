"""tests/study/t614_matrix.py - bandfem matrix: files, orders, stages, pictures and spectrum of a deck's matrix

usage: t614_matrix.py BUILD_DIR SOURCE_DIR [unittest options]     exit 0 all as expected, 1 something else, 77 no program, h5py or scipy
"""
# SPDX-License-Identifier: BSD-3-Clause
import os
import re
import struct
import sys
import unittest
import zlib

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "program"))
from program import BACKEND, SOURCE, Case, bandfem, example, main, path_of, read, skip, write  # noqa: E402 pylint: disable=wrong-import-position

try:
    import h5py  # noqa: F401 pylint: disable=unused-import
    import numpy as np
    from scipy.sparse.linalg import spsolve
except ImportError as error:
    skip(str(error))
sys.path.insert(0, os.path.join(SOURCE, "outputs"))
import bandfem as reader  # noqa: E402 pylint: disable=wrong-import-position

BLOCK = """deck: 1
mesh: {generate: {box: {size: [1, 1, 1], cells: [3, 4, 2], element: hex8}}}
physics: heat
materials: {m: {group: volume, k: "1 + x", rho: 1.0}}
loads: [{type: heat_source, value: "x + y"}]
boundary: [{groups: [x_min], type: temperature, value: "3 + y"}]
solver: {rtol: 1.0e-12}
"""


def export(deck, *words, **more):
    return bandfem("matrix", deck, "--backend", BACKEND, *words, **{"status": 0, **more})


def matrix(name):
    return reader.matrix(path_of(name))


def png(name):
    """Pixels [height, width] as palette indices, and the palette, by an independent reader of the format."""
    data = read(name)
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        assert struct.unpack(">I", data[at + 8 + size:at + 12 + size])[0] == zlib.crc32(kind + body), kind
        chunks[kind] = body
        at += 12 + size
    width, height, bits, colour, *_ = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert (bits, colour) == (8, 3)
    lines = np.frombuffer(zlib.decompress(chunks[b"IDAT"]), np.uint8).reshape(height, width + 1)
    assert (lines[:, 0] == 2).all()
    return np.cumsum(lines[:, 1:], axis=0, dtype=np.uint8), np.frombuffer(chunks[b"PLTE"], np.uint8).reshape(-1, 3)


class Matrix(Case):
    @classmethod
    def setUpClass(cls):
        cls.deck = write("block.yaml", BLOCK)

    def test_the_solution_is_that_of_the_run(self):
        for name, deck in ("block", self.deck), ("cantilever", example("cantilever")):
            bandfem("run", deck, "--backend", BACKEND, "--quiet", "--out", name, status=0)
            result = reader.read(path_of(name))
            u = result.field("temperature" if name == "block" else "displacement")
            for order in "file", "chosen":
                export(deck, "--out", "A.mtx", "--rhs", "b.mtx", "--rows", "rows.csv", "--order", order)
                rows = reader.table(path_of("rows.csv"))
                x = spsolve(matrix("A.mtx").tocsc(), reader.vector(path_of("b.mtx")))
                point = rows["node"].astype(int) - 1  # tags 1, 2, ..
                of = u[point] if u.ndim == 1 else u[point, ["xyz".index(c) for c in rows["component"]]]
                np.testing.assert_allclose(x, of, atol=1e-7 * np.abs(of).max())
                np.testing.assert_allclose(result.points[point], np.column_stack([rows[c] for c in "xyz"]), atol=1e-15)

    def test_orders_differ_by_a_permutation(self):
        export(self.deck, "--out", "A.mtx", "--rows", "a.csv", "--order", "file")
        export(self.deck, "--out", "B.mtx", "--rows", "b.csv", "--order", "chosen")
        a, b = (reader.table(path_of(n))["node"].astype(int) for n in ("a.csv", "b.csv"))
        self.assertTrue((np.diff(a) > 0).all())
        A, B = matrix("A.mtx").toarray(), matrix("B.mtx").toarray()
        np.testing.assert_array_equal(A[np.ix_(b - 1, b - 1)], B)
        self.assertTrue(read("A.mtx").startswith(b"%%MatrixMarket matrix coordinate real symmetric\n"))

    def test_stages(self):
        export(self.deck, "--out", "C.mtx", "--rows", "rows.csv")
        answer = export(self.deck, "--out", "A.mtx", "--rhs", "f.mtx", "--stage", "assembled")
        self.assertIn("before constraints", answer.out)
        A, C = matrix("A.mtx").toarray(), matrix("C.mtx").toarray()
        np.testing.assert_allclose(A.sum(axis=1), 0.0, atol=1e-13)  # K 1 = 0
        self.assertAlmostEqual(reader.vector(path_of("f.mtx")).sum(), 1.0, 12)  # integral of x + y
        held = reader.table(path_of("rows.csv"))["prescribed"] > 0
        self.assertEqual(held.sum(), 15)
        np.testing.assert_array_equal(C[~held][:, ~held], A[~held][:, ~held])
        np.testing.assert_array_equal(C[held], np.diag(A.diagonal())[held])
        for order in "file", "chosen":
            export(self.deck, "--stage", "element", "--out", "E.mtx", "--gather", "P.mtx", "--order", order)
            export(self.deck, "--out", "A.mtx", "--stage", "assembled", "--order", order)
            E, P = matrix("E.mtx"), matrix("P.mtx")
            self.assertEqual(E.shape, (24 * 8, 24 * 8))
            np.testing.assert_allclose((P.T @ E @ P).toarray(), matrix("A.mtx").toarray(), atol=1e-14)

    def test_masses_and_unsymmetric_matrices(self):
        export(example("cantilever_modes"), "--mass", "M.mtx", "--stage", "assembled")
        self.assertAlmostEqual(matrix("M.mtx").sum() / 3, 77.715, 3)  # a translation: the mass, in three directions
        export(example("boundary_layer"), "--out", "T.mtx")
        self.assertTrue(read("T.mtx").startswith(b"%%MatrixMarket matrix coordinate real general\n"))
        T = matrix("T.mtx")
        self.assertGreater(abs(T - T.T).max(), 1e-3 * abs(T).max())

    def test_the_spectrum_is_that_of_the_matrix(self):
        answer = export(self.deck, "--out", "A.mtx", "--spectrum")
        A = matrix("A.mtx").toarray()
        d = 1 / np.sqrt(A.diagonal())
        found = re.findall(r"Ritz values (\S+) to (\S+), condition at least (\S+) ", answer.out)
        for (least, most, condition), S in zip(found, (A, d[:, None] * A * d)):
            values = np.linalg.eigvalsh(S)
            self.assertAlmostEqual(float(least) / values[0], 1.0, 4)
            self.assertAlmostEqual(float(most) / values[-1], 1.0, 4)
            self.assertAlmostEqual(float(condition) / (values[-1] / values[0]), 1.0, 3)
        self.assertEqual(len(found), 2)
        self.assertIn("not symmetric: no estimate", export(example("boundary_layer"), "--spectrum").out)

    def test_the_spy_plot_has_every_nonzero(self):
        answer = export(self.deck, "--out", "A.mtx", "--spy", "A.png")
        pixels, palette = png("A.png")
        A = matrix("A.mtx").toarray()
        scale = 800 // len(A)
        side = scale * len(A)
        self.assertEqual(pixels.shape, (side + 48, 2 * side + 72))
        panel = pixels[24:24 + side:scale, 24:24 + side:scale]
        np.testing.assert_array_equal(panel >= 2, A != 0)
        np.testing.assert_array_equal(palette[0], [255, 255, 255])
        export(self.deck, "--out", "B.mtx", "--order", "chosen")
        right = pixels[24:24 + side:scale, 48 + side:48 + 2 * side:scale]
        np.testing.assert_array_equal(right >= 2, matrix("B.mtx").toarray() != 0)
        half = int(re.search(r"order of the file: +half-bandwidth (\d+)", answer.out)[1])
        i, j = np.nonzero(A)
        self.assertEqual(half, np.abs(i - j).max())

    def test_large_matrices_are_pictures_of_densities(self):
        export(self.deck, "-s", "mesh.generate.box.cells=[20,20,20]", "--spy", "L.png", "--stage", "assembled")
        pixels, _ = png("L.png")
        self.assertLessEqual(max(pixels.shape), 2 * 800 + 72)
        panel = pixels[24:-24, 24:24 + pixels.shape[0] - 48]
        self.assertTrue((panel.diagonal() >= 2).all())
        self.assertGreater(len(np.unique(panel)), 3)  # shades
        self.assertLess((panel >= 2).mean(), 0.5)

    def test_the_picture_of_the_diagonals(self):
        export(self.deck, "--diagonals", "D.png", "-s", "matrix.format=bdia", "-s", "matrix.storage=symmetric", "--stage", "assembled")
        pixels, _ = png("D.png")
        inner = pixels[24:-24:800 // 60, 24:-24]  # a line per node row
        self.assertEqual(len(inner), 60)
        self.assertTrue((inner[:, 2] >= 2).all())  # the main diagonal is the first: every row has it
        self.assertEqual(inner[0, 2], 2 + 63)      # full: a nonzero
        self.assertIn(2, inner)                    # a stored zero
        answer = export(self.deck, "--diagonals", "D.png", "-s", "matrix.format=csr", status=3)
        self.assertIn("stores no diagonals (format csr)", answer.err)

    def test_mistakes(self):
        for words, status, part in [
                ([self.deck], 1, "nothing to do"),
                ([self.deck, "--out"], 1, "a value is missing after '--out'"),
                ([self.deck, "--out", "A.mtx", "--stage", "solved"], 1, "--stage must be element, assembled or constrained, got 'solved'"),
                ([self.deck, "--out", "A.mtx", "--order", "rcm"], 1, "--order must be file or chosen, got 'rcm'"),
                ([self.deck, "--out", "A.mtx", "--gather", "P.mtx"], 1, "--stage element is required by '--gather'"),
                ([self.deck, "--stage", "element", "--spy", "A.png"], 1, "--out or --gather is required"),
                ([self.deck, "--mass", "M.mtx"], 2, "--mass requires analysis modal"),
                ([example("cube_waves"), "--out", "A.mtx"], 2, "depend on the wave vector"),
                ([example("gfem_heat"), "--stage", "element", "--out", "E.mtx"], 3, "no element matrices"),
                ([self.deck, "--out", "no/folder/A.mtx"], 7, "cannot write 'no/folder/A.mtx'")]:
            self.says(bandfem("matrix", *words), status, part)
        self.assertIn("--spectrum", bandfem("matrix", "--help", status=0).out)
        self.assertEqual(export(self.deck, "--out", "A.mtx", "--quiet").out, "")


if __name__ == "__main__":
    main(lambda: export(write("first.yaml", BLOCK), "--out", "first.mtx", status=None))
