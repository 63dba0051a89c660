#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the page of names: what the library has beside what PyTorch calls it, and what it does not have.

    names_page.py ROOT OUTPUT

Reads the table of operations (common/tensors/src/kernels/operations.h), the derivatives, the public headers, and the lists of
missing names; ROOT is the checkout. differences.py says where a name or a meaning differs.
"""
import pathlib
import re
import sys

from differences import DIFFERENCES, ELSEWHERE, NEWER

HERE = "common/{}/include/d2l"
OPERATIONS = "common/tensors/src/kernels/operations.h"
DERIVATIVES = "common/tensors/src/autograd/derivatives.h"
MISSING = HERE.format("machine") + "/missing/names.h"
ELEMENTWISE = ["UNARY", "BINARY", "PAIR"]
DTYPES = {"real": "floating point; others become float32", "fractions": "floating point; integers stay",
          "numbers": "all but bool", "all": "all", "truths": "all, read as bool"}
DECLARATION = re.compile(r"^(?:\[\[nodiscard\]\] )?(?:(?:inline|constexpr|const|virtual|static) )*"
                         r"[A-Za-z][\w:]*(?:<[^;()]*>)?[&*]? (\w+)\(", re.M)


def without_comments(code):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", code, flags=re.S)


def rows_of(code, table):
    """The rows of a table `#define TABLE(X) X(…) X(…)`: the text in each pair of parentheses."""
    body = re.search(rf"#define {table}\(X\)((?:[^\n]*\\\n)*[^\n]*)", code)
    return re.findall(r"\bX\((.*?)\)\s*(?:/\*.*?\*/)?\s*(?:\\?\n|$)", body[1], re.S) if body else []


def blocks(code, opening):
    """The text between the braces that follow each match of `opening`."""
    found = []
    for match in re.finditer(opening, code):
        depth, start = 1, match.end()
        for at in range(start, len(code)):
            depth += {"{": 1, "}": -1}.get(code[at], 0)
            if depth == 0:
                found.append(code[start:at])
                break
    return found


def declared(code):
    """The functions that are declared at the outermost level of code."""
    flat, depth = [], 0
    for character in code:
        depth += {"{": 1, "}": -1}.get(character, 0)
        if depth == 0:
            flat.append(character)
    lines = "\n".join(line.strip() for line in "".join(flat).splitlines())
    return {name for name in DECLARATION.findall(lines) if not name.startswith("fail")}


class Library:
    """The public names, from the headers below ROOT."""

    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.operations = (self.root / OPERATIONS).read_text(encoding="utf-8")
        derivatives = (self.root / DERIVATIVES).read_text(encoding="utf-8")
        self.derivatives = re.findall(r"\bX\((\w+)\)", derivatives)
        headers = {str(file).rpartition("/d2l/")[2]: without_comments(file.read_text(encoding="utf-8"))
                   for file in sorted(self.root.glob(HERE.format("*") + "/**/*.h"))}
        self.missing = (self.root / MISSING).read_text(encoding="utf-8")
        headers = {name: code for name, code in headers.items() if not name.startswith("missing")}
        everything = "\n".join(headers.values())
        classes = blocks(everything, r"class Tensor(?:Base|Members|\w*Operations)?\b[^;{()<>]*\{")
        classes += [code for name, code in headers.items() if name.startswith("tensor_members")]
        self.members = set().union(*map(declared, classes))
        self.members = {name for name in self.members if not name.startswith("Tensor")} - {"impl"}
        computing = [code for name, code in headers.items() if re.fullmatch(r"(\w+_)?ops\.h|factories\.h", name)]
        self.functions = set().union(*map(declared, blocks("\n".join(computing), r"namespace d2l \{")))
        self.functional = set().union(*map(declared, blocks(everything, r"namespace (?:d2l::nn::)?functional \{")))
        self.init = set().union(*map(declared, blocks(everything, r"namespace d2l::nn::init \{")))
        modules = re.findall(r"^D2L_MODULE\((\w+)\);|^class (\w+) : public ModuleHolder<", everything, re.M)
        self.modules = sorted({short or written_out for short, written_out in modules})
        optimisers = re.findall(r"^class (\w+) (?:final )?: public (?:Optimizer|LRScheduler) \{", everything, re.M)
        self.optimisers = sorted(set(optimisers))

    def missing_names(self, table):
        return [re.match(r'(\w+), "(.*)"$', row, re.S).groups() for row in rows_of(self.missing, f"D2L_MISSING_{table}")]

    def gradient(self, name):
        """The names of the derivatives, as grad_fn() gives them."""
        stem = "".join(part[:1].upper() + part[1:] for part in name.split("_"))
        found = [one for one in self.derivatives if re.fullmatch(rf"{stem}Backward\w?", one)]
        return ", ".join(f"`{one}`" for one in found) or "none of its own"

    def theirs(self, name):
        return theirs(name, member=name not in self.functions)

    def forms(self, name):
        return ", ".join(form for form, has in [
            (f"`x.{name}()`", name in self.members), (f"`d2l::{name}()`", name in self.functions),
            (f"`x.{name}_()`", f"{name}_" in self.members), (f"`nn::functional::{name}()`", name in self.functional)] if has)


def theirs(name, scope="torch::", member=False):
    """What PyTorch calls a name: for C++, for Python, and what differs. `member`: it is no free function."""
    same = [f"x.{name}()"] * 2 if member else [f"{scope}{name}", f"{scope}{name}".replace("::", ".")]
    cpp, python, differs = {**DIFFERENCES, **NEWER}.get(scope + name, (*same, ""))
    return [f"`{cpp}`" if cpp else "none", f"`{python}`" if python else "none", differs]


def as_code(advice):
    """An advice with its names and expressions as code."""
    return re.sub(r"(?:\w+::)*\w+\((?:[^()]|\(\))*\)|\w+\[index\]|(?:\w+::)+\w+|\bk[A-Z]\w+| [<*] ",
                  lambda match: f"`{match[0]}`" if match[0].strip() == match[0] else f" `{match[0].strip()}` ", advice)


def table(heads, rows):
    lines = [heads, ["---"] * len(heads), *rows]
    return "".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |\n" for line in lines) + "\n"


def elementwise_rows(library):
    rows = []
    for kind in ELEMENTWISE:
        for row in rows_of(library.operations, f"D2L_{kind}_OPERATIONS"):
            name, types, _, derivative = [part.strip() for part in row.split(",")][:4]
            gradient = "none" if derivative == "NotImplemented" else f"`{derivative}`"
            rows.append([name, DTYPES[types], gradient])
    for kind, types in [("COMPARISONS", "all"), ("LOGICAL_OPERATIONS", "truths")]:
        rows += [[row.split(",")[0].strip(), DTYPES[types], "none"] for row in rows_of(library.operations, f"D2L_{kind}")]
    return rows


def array_rows(library):
    """The public operations with kernels of their own, on whole arrays or of several inputs."""
    rows = []
    for kind, column in [("CHOICE", 1), ("ARRAY", 2)]:
        for row in rows_of(library.operations, f"D2L_{kind}_OPERATIONS"):
            parts = [part.strip() for part in row.split(",")]
            if library.forms(parts[0]):
                rows.append([parts[0], DTYPES[parts[column]], library.gradient(parts[0])])
    return rows


def written(library):
    """The page, as Markdown."""
    def operation(row):
        return [f"`{row[0]}`", row[1], row[2], library.forms(row[0]), *library.theirs(row[0])]

    def others(names):
        return [[f"`{name}`", library.forms(name), library.gradient(name), *library.theirs(name)] for name in sorted(names)]

    kernels = elementwise_rows(library)
    arrays = array_rows(library)
    named = {row[0] for row in kernels + arrays}
    rest = {name for name in library.members | library.functions if name not in named and not name.endswith("_")
            and not name.startswith("_") and name != "operator"}
    in_place = {name for name in library.members if name.endswith("_") and name[:-1] not in library.members | library.functions}
    heads = ["PyTorch for C++", "PyTorch for Python", "What differs"]
    page = "# Names, here and in PyTorch\n\n"
    page += ("The library has the names of LibTorch: replace `torch` "
             "by `d2l`. An operation without a derivative of its own has the gradient of those that compute it, or a result "
             "without one. This page is generated from the table of operations and from the public headers. What is not here does "
             "not exist; the names of the last sections do not compile, and the error says what to use.\n\n")
    page += "## Elementwise operations\n\n" + table(["Name", "Dtypes", "Gradient", "Forms", *heads], map(operation, kernels))
    page += "## Operations on arrays\n\n" + table(["Name", "Dtypes of the kernel", "Gradient", "Forms", *heads], map(operation, arrays))
    page += ("## Other members and functions\n\nThey need no kernel of their own: views, properties, factories, and what other "
             "operations compute.\n\n") + table(["Name", "Forms", "Gradient", *heads], others(rest))
    page += "Members that exist in place alone: " + ", ".join(f"`{name}()`" for name in sorted(in_place)) + ".\n\n"
    for title, names, scope in [("Layers and losses", library.modules, "torch::nn::"),
                                ("Functions of nn::functional", sorted(library.functional), "torch::nn::functional::"),
                                ("Initial values", sorted(library.init), "torch::nn::init::"),
                                ("Optimisers and schedules", library.optimisers, "torch::optim::")]:
        place = scope.replace("torch::", "d2l::")
        page += f"## {title}\n\n" + table(["Name", *heads], [[f"`{place}{name}`", *theirs(name, scope)] for name in names])
    page += "## Other names\n\n" + table(["Here", *heads], [[f"`{name}`", *(f"`{one}`" if one else "none" for one in row[:2]), row[2]]
                                                                  for name, row in ELSEWHERE.items()])
    page += "## What the library does not have\n\n"
    for title, lists, form in [("members of Tensor and functions", ["OPERATIONS"], "x.{0}(), d2l::{0}()"),
                               ("members of Tensor", ["MEMBERS"], "x.{}()"), ("functions", ["FUNCTIONS"], "d2l::{}()"),
                               ("layers and losses", ["MODULES"], "d2l::nn::{}"),
                               ("functions of nn::functional", ["FUNCTIONAL"], "d2l::nn::functional::{}()"),
                               ("options of nn::functional", ["FUNCTIONAL_OPTIONS"], "d2l::nn::functional::{}"),
                               ("initial values", ["INIT"], "d2l::nn::init::{}()"),
                               ("optimisers and schedules", ["OPTIMISERS"], "d2l::optim::{}"),
                               ("linear algebra", ["LINALG"], "d2l::linalg::{}()"), ("dtypes", ["DTYPES"], "d2l::{}")]:
        rows = [[f"`{form.format(name)}`", as_code(advice)] for one in lists for name, advice in library.missing_names(one)]
        page += f"### Missing {title}\n\n" + table(["Name", "What to do"], rows)
    return page


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    pathlib.Path(sys.argv[2]).write_text(written(Library(sys.argv[1])), encoding="utf-8")


if __name__ == "__main__":
    main()
