# SPDX-License-Identifier: MIT
"""page_test.py PROGRAM ARGUMENT...: runs a program with both reports, and compares the page with the table.
page_test.py --crash PROGRAM: a program that ends half-way.
page_test.py --race PROGRAM: a program with races, while it is checked."""
import html.parser
import os
import pathlib
import re
import subprocess
import sys
import tempfile

COLUMNS = ["requests", "sectors", "each", "used", "lanes", "shared", "passes", "atomics"]
WITHOUT_END = {"meta", "br", "rect"}
LARGEST = 250_000  # bytes of a page of these programs


class Page(html.parser.HTMLParser):
    """The page: fails if a tag is not closed. kernels: name -> {(file, line): counts}."""

    def __init__(self, text):
        super().__init__()
        self.open = []
        self.kernels = {}
        self.code = {}
        self.tags = []
        self.anchors = set()
        self.links = set()
        self.texts = []
        self.row = None
        self.kernel = None
        self.file = None
        self.feed(text)
        self.close()
        assert not self.open, f"never closed: {self.open}"

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.tags.append(tag)
        assert not any(name.startswith("on") for name in attributes), (tag, attributes)
        if "id" in attributes:
            assert attributes["id"] not in self.anchors, f"two elements have the id {attributes['id']}"
            self.anchors.add(attributes["id"])
        if "href" in attributes:
            self.links.add(attributes["href"])
        if tag not in WITHOUT_END:
            self.open.append(tag)
        self.class_of_row = attributes.get("class") if tag == "tr" else getattr(self, "class_of_row", None)
        if tag == "tr":
            self.row = {"class": attributes.get("class"), "cells": [], "code": "", "number": ""}
        self.cell = (tag, attributes.get("class"), attributes.get("data-name"))

    def handle_startendtag(self, tag, attributes):
        self.tags.append(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, f"</{tag}> closes {self.open}"
        self.open.pop()
        if tag == "tr":
            self.end_row()
        self.cell = (None, None, None)

    def handle_data(self, data):
        self.texts.append(data)
        tag, kind, name = getattr(self, "cell", (None, None, None))
        if tag == "h2":
            self.kernel = None if data in ("Launches", "What the checks reported") else data
            if self.kernel is not None:
                assert self.kernel not in self.kernels, f"{self.kernel} has two sections"
                self.kernels[self.kernel] = {}
        elif self.row is not None and self.row["class"] == "file" and tag == "th":
            self.file = data
        elif self.row is not None and name is not None:
            self.row["cells"].append((name, data))
        elif kind == "code":
            self.row["code"] += data
        elif kind == "number":
            self.row["number"] += data

    def end_row(self):
        row, self.row = self.row, None
        if self.kernel is None or row is None or not row["number"].strip():
            return
        if row["number"] != "all":
            self.code[(self.file, int(row["number"]))] = row["code"]
        if row["cells"]:
            place = "all" if row["number"] == "all" else f"{self.file}:{row['number']}"
            assert [name for name, _ in row["cells"]] == COLUMNS, row
            self.kernels[self.kernel][place] = [text for _, text in row["cells"]]


def table_of(text):
    """The table on standard error, in the same form."""
    kernels = {}
    name = None
    for line in text.splitlines():
        header = re.match(r"^(\S.*), grid \(\d+, \d+, \d+\), block", line)
        if header:
            name = header.group(1)
            kernels[name] = {}
            continue
        cells = re.match(r"^  (\S+:\d+|all) +(\d+) +(\d+) +([\d.]+) +(\d+ %) +([\d.]+) +(\d+) +([\d.]+) +(\d+)$", line)
        if cells:
            kernels[name][cells.group(1)] = list(cells.groups()[1:])
    return kernels


def run(program, arguments, folder, **more):
    environment = {**os.environ, "D2L_VIRTUAL_GPUS": "1@host", "D2L_KERNEL_REPORT": "1",
                   "D2L_KERNEL_REPORT_PAGE": str(folder / "page.html"), **more}
    return subprocess.run([program, *arguments], env=environment, cwd=folder, capture_output=True, text=True,
                          timeout=100)


def check_page(text):
    page = Page(text)
    assert text.startswith("<!DOCTYPE html>"), text[:100]
    assert "script" not in page.tags and "link" not in page.tags and "img" not in page.tags, "it must stand alone"
    assert "http" not in re.sub(r'xmlns="[^"]*"', "", text), "it must need nothing from elsewhere"
    assert {link.removeprefix("#") for link in page.links} <= page.anchors, "a link leads nowhere"
    assert text.count("<svg") == text.count("<figcaption>"), "each picture is also described in words"
    assert len(text) < LARGEST, f"{len(text)} bytes"
    return page


def check_source(page, sources):
    """The lines of the page are those of the files."""
    for (file, number), code in page.code.items():
        path = next(path for path in sources if path.name == file)
        assert code == path.read_text().splitlines()[number - 1], (file, number, code)


def compare(program, arguments, sources):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = run(program, arguments, folder)
        assert done.returncode == 0, done.stdout + done.stderr
        page = check_page((folder / "page.html").read_text())
        table = table_of(done.stderr)
        assert table and any(len(lines) > 1 for lines in table.values()), done.stderr
        assert page.kernels == table, f"the page has {page.kernels}, the table {table}"
        assert [path.name for path in folder.iterdir()] == ["page.html"], list(folder.iterdir())
        check_source(page, sources)
        return page, (folder / "page.html").read_text()


def check_kinds(page, text):
    for words in ["load from tile: 32 passes", "bank 0 has 32 different words",
                  "lane 0 tile[0][0], lane 1 tile[1][0], lane 2 tile[2][0], …, lane 31 tile[31][0]",
                  "store to out: 16 sectors", "It takes 2 passes, because lanes of 8 bytes are served in 2 parts"]:
        assert any(words in one for one in page.texts), f"the page does not say: {words}"
    assert "if (i &gt;= n || in == nullptr) return;  // &quot;&lt;&quot; and &quot;&amp;&quot;" in text
    assert {"transpose<0>", "transpose<1>", "inner::columns", "scale<float>", "scale<double>", "nothing"} <= set(page.kernels)
    assert any(file == "scale.cuh" for file, _ in page.code), "the header's kernel has its lines"


def check_order(program):
    """The page does not depend on the order in which blocks run."""
    pages = set()
    for order in ["0", "7", "8"]:
        with tempfile.TemporaryDirectory() as name:
            run(program, [], pathlib.Path(name), D2L_KERNEL_ORDER=order)
            pages.add((pathlib.Path(name) / "page.html").read_text())
    assert len(pages) == 1, "the page depends on D2L_KERNEL_ORDER"


def check_unwritable(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = run(program, [], folder, D2L_KERNEL_REPORT_PAGE=str(folder / "missing" / "page.html"))
        assert done.returncode == 0 and "kernel report" in done.stderr and "missing" in done.stderr, done.stderr
        assert list(folder.iterdir()) == [], list(folder.iterdir())


def check_crash(program):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        done = run(program, [], folder)
        assert done.returncode != 0, "it must crash"
        assert list(folder.iterdir()) == [], f"a page of a half-run program: {list(folder.iterdir())}"
        done = run(program, ["kernel"], folder)
        assert done.returncode == 1, done.stderr
        page = check_page((folder / "page.html").read_text())
        assert page.kernels == table_of(done.stderr) and {"fill", "fail"} <= set(page.kernels), page.kernels


def check_race(program):
    """Each race of the reports has its picture, with both threads and lines, and what would order them."""
    for arguments, remedy in [([], r"A __syncthreads\(\) between race.cu:9 and race.cu:10 orders them( or, in a loop, one "
                                   r"after race.cu:10 before the next iteration)?\."),
                              (["blocks"], r"No barrier of a block orders threads of two blocks")]:
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            done = run(program, arguments, folder, D2L_CHECK_KERNELS="1")
            races = [line for line in done.stderr.splitlines() if line.startswith("race at ")]
            assert races, done.stderr
            html = (folder / "page.html").read_text()
            page = check_page(html)
            assert page.kernels == table_of(done.stderr), page.kernels
            for number, race in enumerate(races, 1):
                line = re.match(r"race at race.cu:(\d+):", race)[1]
                row = re.search(rf'<tr[^>]*><th class="number" scope="row">{line}</th>(?:(?!</tr>).)*</tr>\n'
                                rf'<tr class="more reported">((?:(?!</tr>).)*)</tr>', html, re.S)
                assert row and f'<a href="#finding-{number}">' in row[1], f"line {line} has no link to report {number}"
                assert html.count(f'id="finding-{number}"') == 1
                assert race in page.texts, f"the page lacks: {race}"
                threads = re.findall(r"thread \(\d+, 0, 0\)", race)
                described = [text for text in page.texts if text.startswith("In this run ") and
                             all(thread in text for thread in threads) and re.search(remedy, text)]
                assert described, f"no picture of: {race}\n{[t for t in page.texts if 'In this run' in t]}"
            assert page.texts.count("barrier at race.cu:8") == (0 if arguments else len(races)), page.texts


def main():
    if sys.argv[1] == "--crash":
        check_crash(sys.argv[2])
        return
    if sys.argv[1] == "--race":
        check_race(sys.argv[2])
        return
    program, folder, *arguments = sys.argv[1:]
    page, text = compare(program, arguments, list(pathlib.Path(folder).iterdir()))
    if pathlib.Path(program).name == "page_kinds":
        check_kinds(page, text)
        check_unwritable(program)
        check_order(program)


main()
print("PASSED")
