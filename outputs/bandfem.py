"""outputs/bandfem.py - results of bandfem in Python: fields, groups, tables, convergence, matrices

    import bandfem
    result = bandfem.read("out/kirsch")              # folder of a run, or its case.hdf
    stress = result.field("von_mises_nodal")         # numpy array, values at points or in cells
    A = bandfem.matrix("A.mtx")                      # scipy.sparse, from bandfem matrix --out

One file, to be copied or put on PYTHONPATH.  Needs numpy and h5py; scipy for matrix(), matplotlib for nothing here.
"""
# SPDX-License-Identifier: BSD-3-Clause
import csv
import json
import os
import re

import numpy as np

__all__ = ["BandfemError", "Group", "Result", "matrix", "read", "table", "vector"]

CORNERS = {5: 3, 9: 4, 22: 3, 23: 4, 28: 4, 10: 4, 24: 4, 12: 8, 25: 8, 29: 8}  # of VTK cell types
TYPES = {5: "tri3", 22: "tri6", 9: "quad4", 23: "quad8", 28: "quad9", 10: "tet4", 24: "tet10", 12: "hex8", 25: "hex20", 29: "hex27"}


class BandfemError(Exception):
    """A file or a name that does not exist, with the names that do."""


def _text(value):
    """Bytes, scalars and arrays of HDF5 as Python's own types; strings decoded."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, np.ndarray):
        if value.dtype.kind in "SO":
            return [_text(v) for v in value.tolist()]
        return value.item() if value.size == 1 and value.ndim == 0 else value
    return value.item() if isinstance(value, np.generic) else value


def _one(value):
    """The only entry of an array of one."""
    value = _text(value)
    return value[0] if isinstance(value, (list, np.ndarray)) and len(value) == 1 else value


def _attributes(item):
    return {k: _text(v) for k, v in item.attrs.items()}


class Group:
    """A named group of the mesh: dim, tag, points and cells (indices into arrays of fields; cells of the highest dimension)."""

    def __init__(self, name, dim, tag, nodes, points, cells):
        self.name, self.dim, self.tag, self.nodes, self.points, self.cells = name, dim, tag, nodes, points, cells

    def __repr__(self):
        return f"Group({self.name!r}, dim={self.dim}, {len(self.points)} points, {len(self.cells)} cells)"


class Result:
    """A result of bandfem run.  Arrays are read when they are asked for; the file stays closed in between.

    points [n, 3], types, offsets, connectivity   mesh of the fields, VTK's node order
    fields        {name: "points" or "cells"}      units   {name: unit}
    steps         number of steps (modes, wave vectors, load cases); 0: one state
    step_values   {name: [steps]}, such as frequency_hz
    groups        {name: Group}                    materials   names, by material_id
    probes        {name: {field: values}}          reactions   {group: values}
    balance       {name: value}                    checks      list of dictionaries
    convergence   {iteration, residual, true_residual, seconds}; empty for direct solutions
    modes         {frequency_hz, ..}; empty but for analysis modal
    cases         {name: {step, probes, reactions, ..}}; empty without load cases
    timing        list of {name, calls, seconds_avg, .., bytes, flops}
    matrix, mesh, provenance   dictionaries        deck        text of the deck
    title, physics, analysis, status, converged, path, folder
    """

    def __init__(self, path):
        try:
            import h5py  # pylint: disable=import-outside-toplevel
        except ImportError as error:
            raise BandfemError("bandfem.read needs h5py (Debian: python3-h5py, pip install h5py)") from error
        self.path = os.path.join(path, "case.hdf") if os.path.isdir(path) else path
        self.folder = os.path.dirname(self.path) or "."
        if not os.path.isfile(self.path):
            raise BandfemError(f"there is no file '{self.path}'; output.formats of the deck must have vtkhdf")
        self._h5py = h5py
        with h5py.File(self.path, "r") as file:
            if "bandfem" not in file:
                raise BandfemError(f"'{self.path}' is no result of bandfem run")
            self._read(file)

    def _read(self, file):
        vtk, own = file["VTKHDF"], file["bandfem"]
        for name, value in _attributes(own).items():
            if name in ("title", "physics", "analysis", "status"):
                setattr(self, name, value)
        self.converged = bool(own.attrs["converged"])
        self.points, self.types = vtk["Points"][:], vtk["Types"][:]
        self.offsets, self.connectivity = vtk["Offsets"][:], vtk["Connectivity"][:]
        self.fields = {name: where for where, data in (("points", "PointData"), ("cells", "CellData")) for name in vtk[data]}
        self.units = {name: _text(vtk[self._place(name)].attrs.get("unit", "")) for name in self.fields}
        self.steps = int(vtk["Steps"].attrs["NSteps"]) if "Steps" in vtk else 0
        names = vtk["FieldData"]
        self.step_values = {n: names[n][:] for n in names if self.steps and names[n].shape == (self.steps,) and names[n].dtype.kind == "f"}
        self.mesh, self.matrix, self.provenance = (_attributes(own[n]) if n in own else {} for n in ("mesh", "matrix", "provenance"))
        self.deck = _one(own["deck/text"][:])
        self.groups = self._groups(own["mesh"])
        self.materials = self._materials(file)
        self.probes, self.reactions = self._records(own)
        self.balance = {n: float(v[0]) for n, v in own["balance"].items()} if "balance" in own else {}
        self.checks = self._rows(own["checks"])
        self.timing = self._rows(own["timing"])
        solve = own.get("convergence/solve_1")
        self.convergence = {n: solve[n][:] for n in solve} if solve else {}
        self.solver = _attributes(solve) if solve else {}
        self.modes = {n: v[:] for n, v in own["modes"].items()} if "modes" in own else {}
        self.cases = {}
        for name, case in own.get("cases", {}).items():
            probes, reactions = self._records(case)
            self.cases[name] = {**_attributes(case), "probes": probes, "reactions": reactions}

    def _place(self, name):
        if name not in self.fields:
            raise BandfemError(f"no field '{name}'; this result has: {', '.join(sorted(self.fields))}")
        return ("PointData/" if self.fields[name] == "points" else "CellData/") + name

    def _groups(self, mesh):
        nodes_of = mesh["point_node"][:] if "point_node" in mesh else np.arange(len(self.points))
        count = len(self.types)
        element = mesh["cell_element"][:] if "cell_element" in mesh else int(mesh.attrs.get("first_cell_element", 0)) + np.arange(count)
        groups = {}
        for item in mesh.get("groups", {}).values():
            name, nodes = _text(item.attrs["name"]), item["nodes"][:]
            groups[name] = Group(name, int(item.attrs["dim"]), int(item.attrs["tag"]), nodes, np.flatnonzero(np.isin(nodes_of, nodes)),
                                 np.flatnonzero(np.isin(element, item["cells"][:])))
        return groups

    @staticmethod
    def _materials(file):
        if "VTKHDF/FieldData/materials" in file:
            return [re.sub(r"^\d+: ", "", t) for t in _text(file["VTKHDF/FieldData/materials"][:])]
        section = re.search(r"^materials:\n((?: .*\n|\n)+)", _one(file["bandfem/deck/resolved"][:]) + "\n", re.MULTILINE)
        return re.findall(r"^  ['\"]?([^\s:'\"][^:'\"]*)['\"]?:", section[1], re.MULTILINE) if section else []

    @staticmethod
    def _records(own):
        def value(data):
            return float(data[0]) if data.shape == (1,) else data[:]
        probes = {n: {"at": p.attrs["at"], **{f: value(p[f]) for f in p}} for n, p in own.get("probes", {}).items()}
        return probes, {n.replace("%2F", "/"): value(v) for n, v in own.get("reactions", {}).items()}

    @staticmethod
    def _rows(columns):
        data = {n: _text(columns[n][:]) for n in columns}
        count = len(next(iter(data.values()), []))
        return [{n: _text(v[i]) if isinstance(v[i], (bytes, np.generic)) else v[i] for n, v in data.items()} for i in range(count)]

    def field(self, name, step=None):
        """Values at points or in cells, [n] or [n, components]; step from 0, required where the field has several."""
        place = self._place(name)
        count = len(self.points) if self.fields[name] == "points" else len(self.types)
        with self._h5py.File(self.path, "r") as file:
            data = file["VTKHDF/" + place]
            several = data.shape[0] > count
            if several and step is None:
                raise BandfemError(f"field '{name}' has {self.steps} steps: give step=0 .. {self.steps - 1}")
            if step is not None and not 0 <= step < max(self.steps, 1):
                raise BandfemError(f"step {step} of {self.steps}")
            first = int(file["VTKHDF/Steps/" + place.replace("Data/", "DataOffsets/")][step]) if several else 0
            return data[first:first + count]

    def unit(self, name):
        self._place(name)
        return self.units[name]

    def largest(self, name, group=None, step=None):
        """(value, place [3], index) of the largest value of a field, for vectors of its magnitude, over all or in a group."""
        values = self.field(name, step)
        if values.ndim == 2 and values.shape[1] == 3:
            values = np.linalg.norm(values, axis=1)
        if values.ndim != 1:
            raise BandfemError(f"field '{name}' is a tensor: take a component of field('{name}')")
        of = np.arange(len(values))
        if group is not None:
            if group not in self.groups:
                raise BandfemError(f"no group '{group}'; this mesh has: {', '.join(self.groups)}")
            of = getattr(self.groups[group], self.fields[name])
        if len(of) == 0:
            raise BandfemError(f"group '{group}' has no {self.fields[name]} for field '{name}'")
        index = int(of[np.argmax(values[of])])
        return float(values[index]), self.points[index] if self.fields[name] == "points" else self.centres()[index], index

    def cells(self):
        """{element type: [n, nodes] points of its cells}, in VTK's node order."""
        return {TYPES.get(t, str(t)): np.array([self.connectivity[self.offsets[i]:self.offsets[i + 1]] for i in np.flatnonzero(self.types == t)])
                for t in np.unique(self.types)}

    def centres(self):
        """[cells, 3] means of the corners."""
        return np.array([self.points[self.connectivity[a:a + CORNERS[int(t)]]].mean(axis=0) for a, t in zip(self.offsets, self.types)])

    def triangles(self):
        """[n, 3] points: the cells of a plane mesh as triangles between their corners, for matplotlib's tripcolor."""
        made = []
        for a, t in zip(self.offsets, self.types):
            if int(t) not in (5, 9, 22, 23, 28):
                raise BandfemError("triangles() is for plane meshes")
            c = self.connectivity[a:a + CORNERS[int(t)]]
            made += [c[[0, 1, 2]]] if len(c) == 3 else [c[[0, 1, 2]], c[[0, 2, 3]]]
        return np.array(made)

    def report(self):
        """report.json as a dictionary."""
        with open(os.path.join(self.folder, "report.json"), encoding="utf-8") as file:
            return json.load(file)

    def table(self, name):
        """A CSV file of the folder, such as residuals.csv, bands.csv, probes.csv: {column: array}."""
        return table(os.path.join(self.folder, name))

    def __repr__(self):
        return f"Result({self.path!r}: {self.analysis} {self.physics}, {len(self.points)} points, {len(self.types)} cells, {self.status})"


def read(path):
    """The result of a run: its folder, or case.hdf."""
    return Result(path)


def table(path):
    """{column: array of numbers, or list of texts} of a CSV file; an empty number is NaN, lines that begin with # are skipped."""
    if not os.path.isfile(path):
        raise BandfemError(f"there is no file '{path}'")
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(line for line in file if not line.startswith("#")))
    columns = {}
    for name in rows[0] if rows else []:
        words = [row[name] for row in rows]
        try:
            columns[name] = np.array([float(w) if w else np.nan for w in words])
        except ValueError:
            columns[name] = words
    return columns


def _header(file, path):
    head = file.readline().split()
    if len(head) != 5 or head[0] != "%%MatrixMarket":
        raise BandfemError(f"'{path}' is no Matrix Market file")
    line = file.readline()
    while line.startswith("%") or not line.strip():
        line = file.readline()
    return head[2], head[4], [int(n) for n in line.split()]


def matrix(path):
    """A Matrix Market file as scipy.sparse.csr_matrix; symmetric files with both triangles."""
    import scipy.sparse  # pylint: disable=import-outside-toplevel
    if not os.path.isfile(path):
        raise BandfemError(f"there is no file '{path}'")
    with open(path, encoding="ascii") as file:
        layout, symmetry, size = _header(file, path)
        if layout != "coordinate" or symmetry not in ("general", "symmetric"):
            raise BandfemError(f"'{path}' is '{layout} {symmetry}': vector() reads arrays")
        data = np.loadtxt(file, ndmin=2) if size[2] else np.zeros((0, 3))
    i, j, v = data[:, 0].astype(int) - 1, data[:, 1].astype(int) - 1, data[:, 2]
    if symmetry == "symmetric":
        off = i != j
        i, j, v = np.concatenate([i, j[off]]), np.concatenate([j, i[off]]), np.concatenate([v, v[off]])
    return scipy.sparse.csr_matrix((v, (i, j)), shape=size[:2])


def vector(path):
    """An array file of Matrix Market: [n] of one column, else [rows, columns]."""
    if not os.path.isfile(path):
        raise BandfemError(f"there is no file '{path}'")
    with open(path, encoding="ascii") as file:
        layout, symmetry, size = _header(file, path)
        data = np.loadtxt(file, ndmin=1)
    if layout != "array":
        raise BandfemError(f"'{path}' is sparse: use matrix()")
    if symmetry == "symmetric":  # the lower triangle, column by column
        full = np.zeros(size)
        rows, columns = np.tril_indices(size[0])
        order = np.lexsort((rows, columns))
        full[rows[order], columns[order]] = full[columns[order], rows[order]] = data
        return full
    return data if size[1] == 1 else data.reshape(size, order="F")
