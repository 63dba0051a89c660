# SPDX-License-Identifier: MIT
"""notebook_test.py NOTEBOOK --course COURSE --build BUILD: a notebook of the book is valid and shows the captured outputs.
Run from top to bottom, with one edited cell, it shows the same and the output of the edit; --unrun leaves that out. Exits
with 77 if it cannot run."""
import argparse
import json
import pathlib
import re
import sys

try:
    import nbclient
    import nbformat
    import ipykernel  # noqa: F401  the kernel that runs it
except ImportError as missing:
    print(f"Skipped: the Python package {missing.name} is missing (./learn setup --all installs it)")
    sys.exit(77)

arguments = argparse.ArgumentParser()
arguments.add_argument("notebook", type=pathlib.Path)
arguments.add_argument("--course", type=pathlib.Path, required=True)
arguments.add_argument("--build", type=pathlib.Path, required=True)
arguments.add_argument("--unrun", action="store_true")
options = arguments.parse_args()
if not options.notebook.is_file():
    print("Skipped: the book has not been built (./learn docs builds it)")
    sys.exit(77)

notebook = nbformat.read(options.notebook, as_version=nbformat.NO_CONVERT)
nbformat.validate(notebook)
assert (notebook.nbformat, notebook.nbformat_minor) == (4, 5)
assert sum(cell.id == "fetch" for cell in notebook.cells) == 1


def is_of_course(cell):
    return cell.cell_type == "code" and cell.id.startswith("cell-")


def shown(cell):
    """The outputs of a cell, without measured values and without lines of code, which a notebook counts by cells."""
    for output in cell.outputs:
        if output.output_type == "error":
            raise AssertionError(f"{cell.id}: {output.evalue}")
    return [
        "measured" if output.metadata.get("measured")
        else {kind: re.sub(rf"{name}\.cu:\d+|cell \d+, line \d+", "a line", text) for kind, text in output.data.items()}
        for output in cell.outputs
    ]


# The notebook shows the captures of the build.
chapter, name = options.notebook.parent.name, options.notebook.stem
captures = options.build / "docs" / "captures" / chapter / f"{name}.virtual2.json"
captured = {cell["line"]: cell["outputs"] for cell in json.loads(captures.read_text())["cells"]}
lesson = options.course / "chapters" / chapter / f"{name}.cpp"
source = (lesson if lesson.is_file() else lesson.with_suffix(".cu")).read_text().splitlines()
marks = [number for number, line in enumerate(source, 1) if line.strip() == "// %%"]
for cell in filter(is_of_course, notebook.cells):
    number = int(cell.id.removeprefix("cell-"))
    expected = captured.get(marks[number - 1], []) if number else []
    assert [output.metadata.get("measured", False) for output in cell.outputs] == [
        output["kind"] == "measured" for output in expected
    ], cell.id
    for output, one in zip(cell.outputs, expected):
        text = output.data.get("image/svg+xml", output.data["text/plain"])
        assert one["text"] in text if one["kind"] == "measured" else one["text"] == text, cell.id

expected = {cell.id: shown(cell) for cell in filter(is_of_course, notebook.cells)}
assert any(expected.values()), "no cell has an output"
if options.unrun:
    sys.exit()

# Run it with this checkout.
for cell in notebook.cells:
    if cell.cell_type == "code":
        cell.outputs = []
    if cell.id == "fetch":
        cell.source = (
            f"import sys\nsys.path.insert(0, {str(options.course / 'docs' / 'notebook')!r})\n"
            "from d2l_notebook import open_lesson\n"
            f"open_lesson({f'{chapter}/{name}'!r}, {str(options.course)!r}, {str(options.build)!r})"
        )
edited = [cell for cell in notebook.cells if is_of_course(cell) and expected[cell.id]][-1]
edited.source += '\nshow("an edited cell");\n'
expected[edited.id].append({"text/plain": "an edited cell"})
nbclient.NotebookClient(notebook, timeout=300, kernel_name="python3").execute()
for cell in filter(is_of_course, notebook.cells):
    assert shown(cell) == expected[cell.id], f"{cell.id}:\n{shown(cell)}\nexpected\n{expected[cell.id]}"
print(f"{len(expected)} cells, {sum(len(outputs) for outputs in expected.values())} outputs")
