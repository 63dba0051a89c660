#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The page of names has every public name and no other, and what it says of LibTorch is so in LibTorch's headers.

    names_page_test.py ROOT
"""
import pathlib
import re
import sys

from differences import DIFFERENCES
from names_page import ELEMENTWISE, Library, rows_of, without_comments, written

LIBTORCH = pathlib.Path("/usr/include")
LISTS = {"OPERATIONS": ["members", "functions"], "MEMBERS": ["members"], "FUNCTIONS": ["functions"], "MODULES": ["modules"],
         "FUNCTIONAL": ["functional"], "INIT": ["init"], "OPTIMISERS": ["optimisers"]}


def absent(library, page):
    """The public names that the page lacks: read from the headers line by line, by other rules than the page's."""
    found = []
    for kind in [*(f"{one}_OPERATIONS" for one in ELEMENTWISE), "COMPARISONS", "LOGICAL_OPERATIONS"]:
        for name in (row.split(",")[0].strip() for row in rows_of(library.operations, f"D2L_{kind}")):
            if not re.search(rf"^\| `{name}` \|.*`x\.{name}\(\)`, `d2l::{name}\(\)`", page, re.M):
                found.append(f"the operation {name}, as a member and as a function")
    for file in sorted(library.root.glob("common/*/include/d2l/**/*.h")):
        for line in file.read_text(encoding="utf-8").splitlines():
            module = re.match(r"D2L_MODULE\((\w+)\);", line)
            optimiser = re.match(r"class (\w+) (?:final )?: public (?:Optimizer|LRScheduler)\b", line)
            function = re.match(r"inline Tensor (\w+)\(const Tensor& ", line) if file.name.endswith("ops.h") else None
            initial = re.match(r"Tensor (\w+_)\(Tensor tensor", line)
            for match, form in [(module, "`d2l::nn::{}`"), (optimiser, "`d2l::optim::{}`"), (function, "`d2l::{}()`"),
                                (initial, "`d2l::nn::init::{}`")]:
                if match and form.format(match[1]) not in page:
                    found.append(f"{match[1]} of {file.name}")
    return [f"The page lacks {one}." for one in found]


def not_missing(library):
    """The names of missing/names.h that the library has, and functions that an advice names and the library does not have."""
    found = []
    known = library.members | library.functions | library.functional | library.init | {
        "grad", "register_module", "register_parameter"}
    for one, places in LISTS.items():
        for name, advice in library.missing_names(one):
            found += [f"missing/names.h lists {name}, which the library has." for place in places if name in getattr(library, place)]
            found += [f"The advice about {name} names {other}(), which does not exist."
                      for other in re.findall(r"(\w+)\(", advice) if other not in known and f"std::{other}(" not in advice]
    return found


def stale(page):
    """The differences that no row of the page has."""
    return [f"differences.py has {name}, which is on no line of the page." for name in DIFFERENCES
            if not re.search(rf"^\| `(?:d2l::(?:\w+::)+)?{name.split('::')[-1]}` \|", page, re.M)]


def words_of(files):
    """The words of the code of LibTorch's headers."""
    return set().union(*(re.findall(r"\w+", without_comments(file.read_text(encoding="utf-8"))) for file in files))


def not_in_libtorch(page):
    """The names that the page gives to LibTorch and that its headers do not have."""
    api = LIBTORCH / "torch/csrc/api/include/torch"
    functional, modules, initial, optimisers = (words_of((api / folder).rglob(names)) for folder, names in [
        ("nn/functional", "*.h"), ("nn", "*.h"), ("nn", "init.h"), ("optim", "*.h")])
    functions = {file.stem for file in (LIBTORCH / "ATen/ops").glob("*.h")} | words_of(
        (LIBTORCH / "torch/csrc/autograd/generated").glob("variable_factories.h")) | words_of(api.glob("*.h"))
    members = words_of((LIBTORCH / "ATen/core").glob("Tensor*.h"))
    found = []
    for scope, known in [("nn::functional::", functional), ("nn::init::", initial), ("nn::", modules), ("optim::", optimisers),
                         ("", functions)]:
        found += [f"LibTorch has no {scope}{name}." for name in re.findall(rf"\| `torch::{scope}(\w+)`", page) if name not in known]
    cells = [line.split(" | ") for line in page.splitlines() if line.startswith("| `")]
    names = [re.match(r"`x\.(\w+)", cell[-3]) for cell in cells if len(cell) > 4]
    return found + [f"LibTorch's Tensor has no {name[1]}()." for name in names if name and name[1] not in members]


def main():
    library = Library(sys.argv[1])
    page = written(library)
    problems = absent(library, page) + not_missing(library) + stale(page)
    if (LIBTORCH / "ATen/ops").is_dir():
        problems += not_in_libtorch(page)
    else:
        print("LibTorch is not installed (libtorch-dev), so that its names are not checked.")
    if not absent(library, page.replace("`d2l::nn::Linear`", "").replace("| `neg` |", "")):
        problems.append("The check does not find planted gaps.")
    print(*problems, sep="\n")
    print(f"{page.count(chr(10) + '| `')} names on the page, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
