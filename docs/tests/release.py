# SPDX-License-Identifier: MIT
"""Builds the book of the students' release and fails if it contains anything of a solution: a page, a search result, a
source, or a sentence of its prose. --planted puts a solution into the release, which this test must find."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from book import expect, skip

PROSE = re.compile(r"^// ([A-Za-z0-9 .,:]{40,})$", re.MULTILINE)
DOXYFILE = """@INCLUDE = "{docs}/Doxyfile"
OUTPUT_DIRECTORY = "{site}"
INPUT = "{site}/pages/course" "{site}/pages/guides" {headers}
STRIP_FROM_PATH = "{site}"
"""


def run(*command, **environment):
    done = subprocess.run(command, env={**os.environ, **environment}, text=True, capture_output=True, check=False)
    expect(done.returncode == 0, f"{command[0]} exited with {done.returncode}:\n{done.stdout}{done.stderr}")


def build(options, solutions, folder):
    """Builds the book of the release in a folder, with the captures of this build; returns the site."""
    root, docs, students, site = options.root, options.docs, folder / "course", folder / "site"
    run(options.runner, "release", students, LEARN_ROOT=str(root))
    if options.planted:
        planted = students / solutions[0].relative_to(root)
        planted.parent.mkdir(parents=True)
        shutil.copy(solutions[0], planted)
    # A student's build has no solution that could demonstrate anything.
    shutil.copytree(docs / "captures", folder / "captures", ignore=shutil.ignore_patterns("demonstrations"))
    run(options.weaver, "--root", students, "--captures", folder / "captures", "--items", docs / "items", "--tags",
        docs / "d2l.tag", "--output", site, *(students / "docs").glob("pages/*.md"), *(students / "docs").glob("*.md"),
        docs / "names" / "names.md")
    headers = " ".join(f'"{room.parent}"' for room in root.glob("common/*/include/d2l"))
    (folder / "Doxyfile").write_text(DOXYFILE.format(docs=docs, site=site, headers=headers), encoding="utf-8")
    run(options.doxygen, folder / "Doxyfile")
    shutil.copytree(site / "files", site / "html", dirs_exist_ok=True)
    return site / "html"


def check(options, solutions, site):
    """Expects a site without solutions, which offers the stubs for download."""
    files = [file for file in site.rglob("*") if file.suffix in (".html", ".js", ".cpp", ".md", ".ipynb")]
    texts = {file: file.read_text(encoding="utf-8") for file in files}
    expect(len(files) >= 100, f"the site has only {len(files)} files")
    prose = [PROSE.search(solution.read_text(encoding="utf-8")) for solution in solutions]
    prose = [found[1] for found in prose if found]
    expect(prose, "found no prose in the solutions to search for")
    for file, text in texts.items():
        expect(not file.name.startswith("solution_"), f"{file.name} is in the site of the students")
        named = re.search(r"solution_[0-9]+_[a-z]+|Solution of [0-9]", text)
        expect(not named, f"{file} contains {named and named[0]!r}")
        for sentence in prose:
            expect(sentence not in text, f"{file} contains a sentence of a solution: {sentence}")
    exercises = options.root / "exercises"
    for stub in exercises.glob("*/*/stub.cpp"):
        offered = site / "sources" / "exercises" / stub.parent.relative_to(exercises) / "exercise.cpp"
        expect(offered.read_text() == stub.read_text(), f"{offered} is not the stub")
    print(f"{len(files)} files without a solution; searched for prose of {len(prose)} solutions")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("runner", "weaver", "doxygen"):
        parser.add_argument(f"--{name}", required=True, help=f"the program {name}")
    parser.add_argument("--root", required=True, type=pathlib.Path, help="the checkout")
    parser.add_argument("--docs", required=True, type=pathlib.Path, help="the folder docs of its build")
    parser.add_argument("--planted", action="store_true", help="put a solution into the release")
    options = parser.parse_args()
    if not (options.docs / "html" / "index.html").exists():
        skip(f"there is no site in {options.docs}/html; ./learn docs builds it")
    solutions = sorted(options.root.glob("solutions/*/*.cpp"))
    if not solutions:
        skip("this tree has no solutions")
    with tempfile.TemporaryDirectory(dir=options.docs) as folder:
        site = build(options, solutions, pathlib.Path(folder))
        try:
            check(options, solutions, site)
        except AssertionError as found:
            if not options.planted:
                raise
            print(f"Found the planted solution: {found}")
            return 0
    return 1 if options.planted else 0


sys.exit(main())
