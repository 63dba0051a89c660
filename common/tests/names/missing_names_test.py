#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Each use of a name that the library does not have fails to compile, with the sentence of missing/names.h.

    missing_names_test.py COMPILER COURSE

Compiles three programs with the compiler of the build: one that uses the names as a condition and has functions of the
same names, which must compile; one that uses each name, whose errors must have each sentence; and one with lists in
braces as arguments, whose errors must have each advice.
"""
import os
import pathlib
import re
import subprocess
import sys
import tempfile

MEMBER, FREE = "Tensor::{}(): ", "{}(): "
# The list: how its sentences begin, and a use.
LISTS = [("OPERATIONS", MEMBER, "x.{}(0);"), ("MEMBERS", MEMBER, "x.{}(x, 1);"), ("OPERATIONS", FREE, "d2l::{}(x);"),
         ("FUNCTIONS", FREE, "d2l::{}(x, 2);"), ("MODULES", "nn::{}: ", "d2l::nn::{} use(3, 4);"),
         ("MODULES", "nn::{}Options: ", "d2l::nn::{}Options use(3);"), ("MODULES", "nn::{}: ", "d2l::nn::{} use{{nullptr}};"),
         ("FUNCTIONAL", "nn::functional::{}(): ", "d2l::nn::functional::{}(x);"), ("INIT", "nn::init::{}(): ", "d2l::nn::init::{}(x);"),
         ("OPTIMISERS", "optim::{}: ", "d2l::optim::{} use(x);"), ("LINALG", "linalg::{}(): ", "d2l::linalg::{}(x);"),
         ("FUNCTIONAL_OPTIONS", "nn::functional::{}: ", "d2l::nn::functional::{} use(2);"),
         ("BINARY_OPERATORS", "Tensor::operator{}: ", "x {} x;"),
         ("DTYPES", "{}: ", "x.to(d2l::{});"), ("DTYPES", "{}: ", "d2l::zeros({{2}}, d2l::{});")]
IN_BRACES = [("OPERATIONS", "x.{}({{1, 2}});"), ("FUNCTIONS", 'd2l::{}("ij", {{x, x}});'), ("INIT", "d2l::nn::init::{}({{x}});")]
RIGHT = """#include "d2l/d2l.h"

template <class X> constexpr bool has_median = requires(X x) { x.median(); };
template <class X> constexpr bool has_scatter = requires(X x) { x.scatter_(0, x, 1); };
template <class X> constexpr bool has_meshgrid = requires(X x) { d2l::meshgrid("ij", x, x); };
template <class X> constexpr bool has_sort = requires(X x) { x.sort(); d2l::sort(x); x[0]; };
static_assert(!has_median<d2l::Tensor> && !has_scatter<d2l::Tensor> && !has_meshgrid<d2l::Tensor> && has_sort<d2l::Tensor>);
static_assert(!std::is_constructible_v<d2l::nn::CTCLoss, int, int> && !std::is_default_constructible_v<d2l::nn::CTCLoss>);
static_assert(!std::is_convertible_v<decltype(d2l::kComplexFloat), d2l::ScalarType>);
static_assert(sizeof(d2l::Tensor) == sizeof(std::shared_ptr<int>), "MissingMembers is empty");

// Functions of the program's own: argument-dependent lookup finds no others, and a directive prefers these.
d2l::Tensor conv1d(const d2l::Tensor& x, d2l::Tensor&) { return x; }
struct CTCLoss {};
using namespace d2l;
d2l::Tensor meshgrid(Tensor x) { return x; }
d2l::Tensor use(Tensor& x) { return meshgrid(conv1d(x, x)); }
namespace d2l { inline Tensor hstack(const Tensor& x) { return x; } }  // a later declaration hides the missing one
d2l::Tensor later(const Tensor& x) { return d2l::hstack(x); }
CTCLoss loss;
"""


def names_of(course, name):
    text = (course / "common/machine/include/d2l/missing/names.h").read_text(encoding="utf-8")
    body = re.search(rf"#define D2L_MISSING_{name}\(X\)((?:[^\n]*\\\n)*[^\n]*)", text)[1]
    return re.findall(r'X\(([\w&|^]+), "([^"]*)"\)', body)


def compiled(compiler, course, code):
    """What the compiler prints: "" if it takes the code."""
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.cpp"
        file.write_text(code, encoding="utf-8")
        version = subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout
        limit = "-ferror-limit=0" if "clang" in version else "-fmax-errors=0"
        folders = [f"-I{headers.parent}" for headers in course.glob("common/*/include/d2l")]
        return subprocess.run([compiler, "-std=c++20", "-fsyntax-only", limit, *folders, str(file)], text=True,
                              check=False, stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"}).stderr


def program(uses):
    return '#include "d2l/d2l.h"\nvoid use_all(d2l::Tensor& x) {\n' + "".join(f"  {{ {use} }}\n" for use in uses) + "}\n"


def main():
    compiler, course = sys.argv[1], pathlib.Path(sys.argv[2])
    problems = [f"does not compile:\n{RIGHT}\n{errors}" for errors in [compiled(compiler, course, RIGHT)] if errors]
    uses, sentences = [], []
    for one, begin, use in LISTS:
        for name, advice in names_of(course, one):
            uses.append(use.format(name))
            sentences.append((use.format(name), name, f"d2l has no {begin.format(name)}{advice}", advice))
    errors = compiled(compiler, course, program(uses))
    lines = {int(line) for line in re.findall(r"program\.cpp:(\d+):\d+: error", errors)}
    for number, (use, name, sentence, advice) in enumerate(sentences):
        if number + 3 not in lines:
            problems.append(f"compiles: {use}")
        # Clang prints the line of names.h in place of a sentence that is the argument of a template.
        if sentence not in errors and f'X({name}, "{advice}")' not in errors:
            problems.append(f"the errors do not say {sentence!r}")
    braces = [(use.format(name), advice) for one, use in IN_BRACES for name, advice in names_of(course, one)]
    errors = compiled(compiler, course, program(use for use, _ in braces))
    problems += [f"the errors about {use} do not say {advice!r}" for use, advice in braces if advice not in errors]
    if "d2l has no" in compiled(compiler, course, program(["x.sort();"])):
        problems.append("the sentences appear without a use")
    print(*problems, sep="\n")
    print(f"{len(sentences) + len(braces)} uses, {len(problems)} problems")
    return 1 if problems or len(sentences) < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
