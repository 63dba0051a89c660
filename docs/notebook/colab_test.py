# SPDX-License-Identifier: MIT
"""colab_test.py NOTEBOOK [--course COURSE]: the notebook for Colab is valid, and its cells are Python. With a checkout, its
cells run in a new folder, from a clone of that checkout. Exits with 77 if it cannot run."""
import argparse
import ast
import json
import pathlib
import subprocess
import sys
import tempfile

arguments = argparse.ArgumentParser()
arguments.add_argument("notebook", type=pathlib.Path)
arguments.add_argument("--course", type=pathlib.Path)
options = arguments.parse_args()

document = json.loads(options.notebook.read_text())
code = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
assert code and len({cell["id"] for cell in document["cells"]}) == len(document["cells"])
for one in code:
    ast.parse("".join(one["source"]), one["id"])
    assert not one["outputs"], f"{one['id']}: the outputs are those of the reader's machine"
address = [line for line in code[0]["source"] if line.startswith('address = ""')]
assert len(address) == 1, "the first cell has the address that the instructor sets"
if options.course is None:
    sys.exit()

try:
    import ipykernel  # noqa: F401  the kernel that runs it
    import nbclient
    import nbformat
except ImportError as missing:
    print(f"Skipped: the Python package {missing.name} is missing (./learn setup --all installs it)")
    sys.exit(77)
if subprocess.run(["git", "-C", options.course, "rev-parse", "HEAD"], capture_output=True, check=False).returncode != 0:
    print("Skipped: this tree is no checkout of git, which the notebook clones")
    sys.exit(77)

notebook = nbformat.read(options.notebook, as_version=nbformat.NO_CONVERT)
nbformat.validate(notebook)
first = next(cell for cell in notebook.cells if cell.cell_type == "code")
first.source = first.source.replace('address = ""', f"address = {'file://' + str(options.course.resolve())!r}")
with tempfile.TemporaryDirectory() as folder:
    try:
        nbclient.NotebookClient(notebook, timeout=1800, resources={"metadata": {"path": folder}}).execute()
    except nbclient.exceptions.CellExecutionError as failure:
        print("\n".join(output.get("text", "") for cell in notebook.cells for output in cell.get("outputs", [])))
        raise SystemExit(f"A cell failed: {failure}") from failure
printed = {
    cell.id: "".join(output.get("text", "") for output in cell.outputs)
    for cell in notebook.cells if cell.cell_type == "code"
}
for cell, text in {"setup": "Ready:", "program": "1 1999", "exercise": "exercise.cpp"}.items():
    assert text in printed[cell], f"{cell} printed no {text!r}:\n{printed[cell]}"
for cell in ("devices", "first-lesson", "lesson", "kernel"):
    assert printed[cell].strip(), f"{cell} printed nothing"
