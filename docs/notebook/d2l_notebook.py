# SPDX-License-Identifier: MIT
"""Runs the C++ cells of a lesson in a notebook. A cell runs as the program of all cells up to it.

open_lesson() adds the magic `%%d2l N` for cell N of the lesson. Cell 0 is the beginning of its file. A cell that was not run
yet has the code of the lesson. Where main() comes last and calls the functions of the cells, the whole lesson runs. The
outputs of show() appear below a cell; other output does not.
"""
import fcntl
import json
import os
import pathlib
import re
import subprocess
import tempfile

from IPython import get_ipython
from IPython.display import display

MARK = re.compile(r"\s*// %%( |$)")
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^\s()\\]{0,16})\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|(?<![0-9a-fA-F])\'(?:\\.|[^\'\\\n])*\'', re.DOTALL
)


class CellError(Exception):
    """An error in a cell, shown without a traceback."""

    def _render_traceback_(self):
        return [str(self)]


def cells_of(source):
    """The code of a lesson's cells. The first element is the code before the first cell."""
    cells = [[]]
    prose = False
    for line in source.splitlines():
        if MARK.match(line):
            cells.append([])
            prose = True
            continue
        prose = prose and line.lstrip().startswith("//")
        if not prose:
            cells[-1].append(line)
    return ["\n".join(lines) + "\n" for lines in cells]


def open_braces(code):
    """The number of braces that the code leaves open."""
    bare = NO_CODE.sub(" ", code)
    return bare.count("{") - bare.count("}")


def first_lines(cells):
    """The first line of each cell's code in the program; `// %%` is above each but the first."""
    lines = [1]
    for cell in cells:
        lines.append(lines[-1] + cell.count("\n") + 1)
    return lines


def in_cells(words, cells):
    """A text with places in cells instead of in the program."""
    begins = first_lines(cells)

    def place(found):
        at = int(found.group(1))
        number = max(n for n, begin in enumerate(begins) if begin <= at)
        return f"cell {number}, line {at - begins[number] + 1}"

    return re.sub(r"(?:\S*/)?\bcell\.c(?:pp|u):(\d+)(?::\d+)?", place, words)


class Lesson:
    """The cells of a lesson, as they were last run."""

    def __init__(self, source, build):
        self.cells = cells_of(source.read_text())
        # The cell of a main() that ends in it and calls what the cells before it define; 0 if main() contains the next cells.
        main = next(number for number, cell in enumerate(self.cells) if "int main(" in cell)
        self.last_main = main if open_braces("".join(self.cells[: main + 1])) == 0 else 0
        self.build = build
        self.program = build / "notebook" / f"cell{source.suffix}"
        self.target = "notebook_kernel_cell" if source.suffix == ".cu" else "notebook_cell"

    def run(self, number, code):
        """Replaces the code of cell `number`, runs the program of the cells up to it, and returns its outputs."""
        if not 0 <= number < len(self.cells):
            raise CellError(f"%%d2l {number}: this lesson has only the cells 0 to {len(self.cells) - 1}")
        cells = self.cells[:number] + [code]
        if number < self.last_main:
            cells += self.cells[number + 1 :]
        left_open = open_braces("".join(cells))
        if left_open < 0:
            raise CellError(f"cell {number} closes a brace that no cell opens")
        self.cells[number] = code
        # Code before a main() that contains the next cells is compiled but not run.
        main = "" if "int main(" in "".join(cells) else "int main() {}\n"
        text = "// %%\n".join(cells) + main + "}\n" * left_open
        with open(self.build / "notebook" / "lock", "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            self.program.write_text(text)
            self.compile(cells)
            outputs = [] if main else self.outputs(first_lines(cells)[number])
        return [{**output, "text": in_cells(output["text"], cells)} for output in outputs]

    def compile(self, cells):
        made = subprocess.run(
            ["cmake", "--build", self.build, "--target", self.target], text=True, capture_output=True, check=False
        )
        if made.returncode != 0:
            messages = in_cells(made.stdout + made.stderr, cells)
            first = re.search(r"^.*\berror: ", messages, re.MULTILINE)
            raise CellError("\n".join(messages[first.start() if first else 0 :].splitlines()[:30]))

    def outputs(self, line):
        """The outputs of the cell whose code begins in that line of the program."""
        with tempfile.TemporaryDirectory() as folder:
            shown = pathlib.Path(folder) / "cells.json"
            environment = {"D2L_VIRTUAL_GPUS": "2@host", **os.environ, "D2L_CELLS": str(shown)}
            program = self.build / "docs" / "notebook" / self.target
            run = subprocess.run([program], env=environment, text=True, capture_output=True, check=False)
            if "the program showed nothing" in run.stderr:
                return []
            if run.returncode != 0:
                raise CellError(f"The program exited with {run.returncode}.\n{run.stderr}")
            cells = json.loads(shown.read_text())["cells"]
        return [output for cell in cells if cell["line"] == line - 1 for output in cell["outputs"]]


def data_of(output):
    """An output in the form of a notebook."""
    if output["kind"] == "svg":
        return {"image/svg+xml": output["text"], "text/plain": output["alternative"]}
    if output["kind"] == "measured":
        return {"text/plain": output["text"] + " (measured)"}
    return {"text/plain": output["text"]}


def open_lesson(name, course, build=None):
    """Opens a lesson ("1_gpus/2_2_copying") of the checkout `course`, and builds the libraries that its cells need."""
    course = pathlib.Path(course).resolve()
    source = course / "chapters" / f"{name}.cpp"
    if not source.is_file():
        source = source.with_suffix(".cu")
    if not source.is_file():
        raise CellError(f"There is no lesson {name} in {course / 'chapters'}")
    if build is None:
        subprocess.run([course / "learn", "setup"], check=True)
        build = course / "build" / "cpu"
    lesson = Lesson(source, pathlib.Path(build).resolve())

    def magic(line, cell):
        if not line.strip().isdecimal():
            raise CellError("Begin the cell with its number in the lesson: %%d2l 3")
        for output in lesson.run(int(line), cell):
            metadata = {"measured": True} if output["kind"] == "measured" else {}
            display(data_of(output), metadata=metadata, raw=True)

    get_ipython().register_magic_function(magic, "cell", "d2l")
    lesson.run(0, lesson.cells[0])
    print("Ready.")
