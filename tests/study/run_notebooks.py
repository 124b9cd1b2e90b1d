"""tests/study/run_notebooks.py - runs the notebooks of docs/notebooks in Jupyter's kernel; fails with the first cell that fails

usage: run_notebooks.py [NOTEBOOK...]
"""
# SPDX-License-Identifier: BSD-3-Clause
import glob
import os
import sys

import nbformat
from nbclient import NotebookClient

FOLDER = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "docs", "notebooks")
for path in sys.argv[1:] or sorted(glob.glob(os.path.join(FOLDER, "*.ipynb"))):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    pictures = sum("image/png" in o.get("data", {}) for c in notebook.cells for o in c.get("outputs", []))
    if pictures == 0:
        sys.exit(f"{path}: no picture was drawn")
    print(f"{os.path.basename(path)}: {sum(c.cell_type == 'code' for c in notebook.cells)} cells, {pictures} pictures")
