# SPDX-License-Identifier: MIT
"""The lists of public CUDA programs: programs.tsv, faults.tsv, and results.tsv, what the last run of `try` saw of each."""
import csv
import dataclasses
import pathlib
import re

HERE = pathlib.Path(__file__).parent


@dataclasses.dataclass
class Program:
    """A row of programs.tsv or faults.tsv. A dash stands for nothing."""
    repository: str  # owner/name
    commit: str
    path: str
    options: str  # of ./learn cuda: NAME=VALUE, main=NAME for mains/NAME.cu, -I FOLDER and other sources of the repository
    arguments: str  # of the program
    smaller: str  # an expression of sed that makes the sizes of the source smaller; "in NAME: " before it: of a file beside it
    success: str  # a regular expression that the output matches only if its own verification passed; exit: its code; ends: it has none
    finds: str  # a regular expression for what --check is right to report; - if it must report nothing
    why: str  # why that is a fault; in faults.tsv also where it was reported

    def smaller_file(self):
        """The path of the file that is made smaller, and the expression."""
        beside = re.match(r"in (\S+): (.*)", self.smaller)
        if beside is None:
            return self.path, self.smaller
        return str(pathlib.PurePosixPath(self.path).parent / beside[1]), beside[2]

    def key(self):
        return f"{self.repository}/{self.path}" + ("" if self.arguments == "-" else f" {self.arguments}")


@dataclasses.dataclass
class Result:
    """A row of results.tsv."""
    key: str
    result: str  # passes, wrong, does not compile, does not end
    check: str  # clean, or the first line of what --check reported
    verdict: str  # right, missed, false alarm; - where it was not run
    seconds: str


def read(kind, path):
    """The rows of a file; the first line has the names of the columns."""
    if not path.exists():
        return []
    with open(path, encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))
    columns = [field.name for field in dataclasses.fields(kind)]
    if not rows or rows[0] != columns:
        raise ValueError(f"{path}: the first line must have the columns {', '.join(columns)}, with tabs between them")
    for number, row in enumerate(rows[1:], 2):
        if len(row) != len(columns):
            raise ValueError(f"{path}:{number}: {len(row)} columns in place of {len(columns)}")
    return [kind(*row) for row in rows[1:]]


def write(kind, path, rows):
    columns = [field.name for field in dataclasses.fields(kind)]
    lines = ["\t".join(columns)] + ["\t".join(dataclasses.astuple(row)) for row in rows]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def programs(folder=HERE):
    return read(Program, folder / "programs.tsv")


def faults(folder=HERE):
    return read(Program, folder / "faults.tsv")


def results(folder=HERE):
    return {row.key: row for row in read(Result, folder / "results.tsv")}
