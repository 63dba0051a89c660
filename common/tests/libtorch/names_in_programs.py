#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each name that the library shares with LibTorch is used by a shared program, unless LibTorch does not have it.

    names_in_programs.py

Reads names.txt and the programs beside it. A use is a call, or a type that a declaration or a call names, in code of the
namespace `t` or of a value: comments do not count. Exits with 1 if a name is in no program.
"""
import pathlib
import re
import sys

FOLDER = pathlib.Path(__file__).parent


def listed(text):
    """The names to use, and the names that LibTorch does not have with the reason."""
    names, absent = [], {}
    for line in text.splitlines():
        if line.startswith("- "):
            name, reason = line[2:].split(": ")
            absent[name] = reason
        elif line and not line.startswith("#"):
            names += line.split(": ")[1].split()
    return names, absent


def without_comments(code):
    return re.sub(r"//[^\n]*|/\*.*?\*/", "", code, flags=re.S)


def uses(name, code):
    """Whether code uses t::name, a member .name( or ->name(, or something in a namespace below t (functional::name)."""
    return re.search(rf"(?:::|\.|->){re.escape(name)}(?:Options|FuncOptions)?\b|[=(,]\s*{re.escape(name)}\(", code)


def problems(text, programs):
    names, absent = listed(text)
    found = [f"{name} is in no program of common/tests/libtorch" for name in names if not uses(name, programs)]
    return found + [f"{name} is in a program, and names.txt says: {reason}" for name, reason in absent.items()
                    if uses(name, programs)]


def main():
    planted = problems("x: sin tan Linear\n- svd: none", without_comments("x.sin(); /* t::tan(x) */ t::nn::Linear(1, 2); t::svd(x);"))
    if len(planted) != 2 or "tan" not in planted[0] or "svd" not in planted[1]:
        sys.exit(f"The check does not find planted gaps: {planted}")
    programs = "\n".join(without_comments(file.read_text()) for file in sorted(FOLDER.glob("*programs*.h")))
    found = problems((FOLDER / "names.txt").read_text(), programs)
    for problem in found:
        print(problem)
    names, absent = listed((FOLDER / "names.txt").read_text())
    print(f"{len(names)} names, {len(absent)} that LibTorch does not have, {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
