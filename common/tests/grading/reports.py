# SPDX-License-Identifier: MIT
"""Compares the five reports of one grading, each read by a parser of Python's standard library."""
import csv
import html.parser
import json
import xml.etree.ElementTree


class Page(html.parser.HTMLParser):
    """The text of the table cells, and the names of all tags."""

    def __init__(self):
        super().__init__()
        self.cells, self.open, self.tags = [], False, set()

    def handle_starttag(self, tag, attributes):
        self.tags.add(tag)
        if tag in ("td", "th"):
            self.open = True
            self.cells.append("")

    def handle_endtag(self, tag):
        if tag in ("td", "th"):
            self.open = False

    def handle_data(self, data):
        if self.open:
            self.cells[-1] += data


def compare(folder):
    students = json.loads((folder / "report.json").read_text())["students"]
    expected = {
        (student["student"], exercise["exercise"], item["name"]): (item["points"], item["possible"])
        for student in students
        for exercise in student["exercises"]
        for item in exercise["items"]
    }
    assert expected
    for student in students:
        for kind in ("points", "possible"):
            assert student[kind] == sum(exercise[kind] for exercise in student["exercises"])
        for exercise in student["exercises"]:
            assert exercise["points"] == sum(item["points"] for item in exercise["items"])

    numbers = [[int(part) for part in exercise["number"].split(".")] for exercise in students[0]["exercises"]]
    assert numbers == sorted(numbers) and len(numbers) > 1, "exercises are not in the order of the course"

    with open(folder / "report.csv", newline="") as file:
        rows = list(csv.DictReader(file, strict=True))
    found = {(r["student"].removeprefix("'"), r["exercise"], r["item"]): (int(r["points"]), int(r["possible"])) for r in rows}
    assert found == expected, "report.csv"
    assert not [cell for row in rows for cell in row.values() if cell and cell[0] in "=+-@"], "a formula in report.csv"

    root = xml.etree.ElementTree.parse(folder / "report.xml").getroot()
    found = {}
    for case in root.iter("testcase"):
        values = {p.get("name"): int(p.get("value")) for p in case.iter("property")}
        found[(case.get("classname"), case.get("name"))] = (values["points"], values["possible"])
        lost = values["points"] < values["possible"]
        assert lost == any(case.find(tag) is not None for tag in ("failure", "error", "skipped"))
    assert found == {(f"{s}.{e}", i): v for (s, e, i), v in expected.items()}, "report.xml"
    assert int(root.get("tests")) == len(expected)

    scores = sorted(
        (r["score"], sum(t.get("max_score", 0) for t in r["tests"]), sum(t.get("score", 0) for t in r["tests"]))
        for r in (json.loads(path.read_text()) for path in (folder / "gradescope").glob("*.json"))
    )
    assert scores == sorted((s["points"], s["possible"], s["points"]) for s in students), "gradescope"

    page = Page()
    page.feed((folder / "report.html").read_text())
    assert not page.tags & {"script", "img", "iframe", "link"}, page.tags
    for student in students:
        at = page.cells.index(student["student"])
        assert page.cells[at + 1] == f'{student["points"]} / {student["possible"]}', student["student"]
    print(f"{len(expected)} items of {len(students)} students agree in five reports")
