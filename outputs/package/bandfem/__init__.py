"""outputs/package/bandfem/__init__.py - the Python package: runs decks, reads and plots results

    import bandfem
    result = bandfem.run("deck.yaml", {"solver.rtol": 1e-10})   # or a dictionary in the place of the file
    stress = result.field("von_mises_nodal")                    # numpy array
    A, b, rows = result.system()                                # scipy.sparse matrix, right-hand side, rows
    result.plot()                                               # matplotlib

`pip install .` builds the program into the package.  From the sources: PYTHONPATH=outputs/package, with the program
of build/cpu or build/cuda, on PATH, or named by BANDFEM_PROGRAM.
"""
# SPDX-License-Identifier: BSD-3-Clause
from .reader import BandfemError, Group, Result, matrix, read, table, vector
from .run import Run, converge, example, program, run

__all__ = ["BandfemError", "Group", "Result", "Run", "converge", "example", "matrix", "program", "read", "run", "table", "vector"]
