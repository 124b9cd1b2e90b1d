"""outputs/package/bandfem/run.py - runs the program on a deck, a file or a dictionary, and gives its result"""
# SPDX-License-Identifier: BSD-3-Clause
import collections
import glob
import json
import os
import shutil
import subprocess
import tempfile
import warnings
import weakref

from . import reader
from .plot import plot

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.normpath(os.path.join(os.path.realpath(HERE), "..", "..", ".."))
System = collections.namedtuple("System", "A b rows")
NOT_CONVERGED, CHECK_FAILED = 5, 6  # exit statuses with a result


def program():
    """Path of the program bandfem: BANDFEM_PROGRAM, that of the package, of the build folders, or on PATH."""
    places = [os.environ.get("BANDFEM_PROGRAM"), os.path.join(HERE, "bin", "bandfem"),
              *(os.path.join(SOURCE, "build", preset, "bandfem") for preset in ("cuda", "cpu")), shutil.which("bandfem")]
    for path in places:
        if path and os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    raise reader.BandfemError("the program bandfem was not found: pip install ., ./dev build, or set BANDFEM_PROGRAM")


def example(name):
    """Path of an example deck, such as "kirsch"."""
    folders = [os.path.join(HERE, "share", "decks"), os.path.join(SOURCE, "inputs", "decks")]
    for folder in folders:
        if os.path.isfile(os.path.join(folder, name + ".yaml")):
            return os.path.join(folder, name + ".yaml")
    names = sorted(os.path.basename(p)[:-5] for f in folders for p in glob.glob(os.path.join(f, "*.yaml")))
    raise reader.BandfemError(f"no example '{name}'; there are: {', '.join(dict.fromkeys(names))}")


def _absolute(item, key=None):
    """The deck with names of files seen from the current folder."""
    if isinstance(item, dict):
        return {k: _absolute(v, k) for k, v in item.items()}
    if isinstance(item, (list, tuple)):
        return [_absolute(v, key) for v in item]
    if isinstance(item, str) and key in ("file", "table", "include"):
        return os.path.abspath(item)
    return item.item() if hasattr(item, "item") and not isinstance(item, str) else item  # numbers of numpy


def _call(words):
    """(exit status, stdout, messages); an error without a result is raised."""
    done = subprocess.run([program(), *words], capture_output=True, text=True, check=False)
    if done.returncode not in (0, NOT_CONVERGED, CHECK_FAILED):
        raise reader.BandfemError(done.stderr.strip() or f"bandfem ended with status {done.returncode}")
    return done.returncode, done.stdout, done.stderr.strip()


def _words(settings):
    """-s KEY=VALUE of a dictionary."""
    words = []
    for key, value in (settings or {}).items():
        text = value if isinstance(value, str) else json.dumps(_absolute(value))
        words += ["-s", f"{key}={text}"]
    return words


def _file_of(deck, folder):
    """The file of a deck; a dictionary is written into the folder (JSON is YAML)."""
    if not isinstance(deck, dict):
        if not os.path.isfile(deck):
            raise reader.BandfemError(f"there is no deck '{deck}'")
        return os.fspath(deck)
    path = os.path.join(folder, "deck.yaml")
    with open(path, "w", encoding="utf-8") as file:
        json.dump(_absolute({"deck": 1, **deck}), file, indent=1, ensure_ascii=False)
    return path


class Run(reader.Result):
    """The result of run(): a Result with

    exit_status   0, 5 (not converged) or 6 (a check failed)      messages   warnings and errors as text
    log           what the program printed                        deck_path  the deck, with settings those of run()
    """

    def __init__(self, folder, deck_path, settings, answer):
        super().__init__(folder)
        self.deck_path, self._settings = deck_path, settings
        self.exit_status, self.log, self.messages = answer

    def tables(self):
        """{name: {column: array}} of the CSV files of the run: residuals, probes, reactions, checks, modes, bands."""
        return {os.path.basename(p)[:-4]: reader.table(p) for p in sorted(glob.glob(os.path.join(self.folder, "*.csv")))}

    def system(self, stage="constrained", order="file"):
        """(A, b, rows): the matrix as scipy.sparse, the right-hand side, and a table of the rows with node, component and place.

        stage: "constrained" (as it is solved), "assembled" (before the supports); order: "file", "chosen" (as numbered)."""
        with tempfile.TemporaryDirectory() as folder:
            names = [os.path.join(folder, n) for n in ("A.mtx", "b.mtx", "rows.csv")]
            _call(["matrix", self.deck_path, "--quiet", "--stage", stage, "--order", order, "--out", names[0], "--rhs", names[1],
                   "--rows", names[2], *_words(self._settings)])
            return System(reader.matrix(names[0]), reader.vector(names[1]), reader.table(names[2]))

    def html(self):
        """report.html as a text."""
        with open(os.path.join(self.folder, "report.html"), encoding="utf-8") as file:
            return file.read()

    def plot(self, field=None, step=None, component=None, scale=None, axis=None):
        """A picture with matplotlib; returns the axes.  See plot.plot."""
        return plot(self, field, step, component, scale, axis)


def run(deck, settings=None, out=None, backend=None):
    """Solves a deck, a file or a dictionary, and returns its Run.

    settings   {key: value} of the deck, such as {"solver.rtol": 1e-10}
    out        folder of the results; default: one that vanishes with the result
    backend    "auto", "cpu", "cuda"
    An error of the deck, the model or the device is a BandfemError with the program's message; a solution that did not
    converge or a check that failed is a warning, with exit_status 5 or 6 of the result."""
    folder = os.fspath(out) if out else tempfile.mkdtemp(prefix="bandfem-")
    os.makedirs(folder, exist_ok=True)
    try:
        result = _solve(deck, settings, folder, backend)
    except BaseException:
        if not out:
            shutil.rmtree(folder, ignore_errors=True)
        raise
    if not out:
        weakref.finalize(result, shutil.rmtree, folder, ignore_errors=True)
    if result.exit_status:
        warnings.warn(result.messages, stacklevel=2)
    return result


def _solve(deck, settings, folder, backend):
    path = _file_of(deck, folder)
    settings = dict(settings or {})
    words = ["run", path, "--out", folder, *_words(settings)]
    for key, value in (("output.formats", "[vtkhdf]"), ("output.csv", "true")):
        if key not in settings:
            words += ["-s", f"{key}={value}"]
    answer = _call(words + (["--backend", backend] if backend else []))
    return Run(folder, path, settings, answer)


def converge(deck, levels=4, settings=None, order=None):
    """A study on successively refined meshes: the table of bandfem converge, {column: array}."""
    with tempfile.TemporaryDirectory() as folder:
        words = ["converge", _file_of(deck, folder), "--quiet", "--levels", str(levels), "--out", folder, *_words(settings)]
        _call(words + (["--order", str(order)] if order else []))
        return reader.table(os.path.join(folder, "convergence.csv"))
