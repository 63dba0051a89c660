# SPDX-License-Identifier: MIT
"""Compares the five reports of one grading, each read by a parser of Python's standard library."""
import csv
import html.parser
import json
import re
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
    cells = [cell.strip() for row in rows for cell in row.values()]
    assert not [cell for cell in cells if cell and cell[0] in "=+-@\uff1d\uff0b\uff0d\uff20"], "a formula in report.csv"
    assert not [r for r in rows if re.search("[\\n\\u200e\\u200f\\u202a-\\u202e]", r["student"])], "marks in a name"
    notes = [note for student in students for note in student["notes"]]
    assert notes and "\n".join(filter(None, (r["notes"] for r in rows))) == "\n".join(notes), "notes in report.csv"

    verdicts = {f'{s["student"]}.{e["exercise"]}': e["verdict"] for s in students for e in s["exercises"]}
    root = xml.etree.ElementTree.parse(folder / "report.xml").getroot()
    found = {}
    for case in root.iter("testcase"):
        values = {p.get("name"): int(p.get("value")) for p in case.iter("property")}
        found[(case.get("classname"), case.get("name"))] = (values["points"], values["possible"])
        lost = values["points"] < values["possible"]
        tags = [tag for tag in ("failure", "error", "skipped") if case.find(tag) is not None]
        assert bool(tags) == lost
        if verdicts[case.get("classname")] == "not_handed_in":
            assert tags == ["skipped"] and case.find("skipped").get("message").startswith("not submitted"), tags
    assert found == {(f"{s}.{e}", i): v for (s, e, i), v in expected.items()}, "report.xml"
    assert int(root.get("tests")) == len(expected)
    assert int(root.get("skipped")) == len(root.findall(".//skipped")) and root.find(".//skipped") is not None
    found = {p.get("value") for p in root.findall("./testsuite/properties/property[@name='note']")}
    assert found == set(notes), "notes in report.xml"

    assert len({student["file"].lower() for student in students}) == len(students), "two students with one file"
    assert {path.stem for path in (folder / "gradescope").iterdir()} == {student["file"] for student in students}
    for student in students:
        graded = json.loads((folder / f'gradescope/{student["file"]}.json').read_text())
        sums = [sum(test.get(kind, 0) for test in graded["tests"]) for kind in ("score", "max_score")]
        assert [graded["score"], *sums] == [student["points"], student["points"], student["possible"]], student["student"]

    page = Page()
    page.feed((folder / "report.html").read_text())
    assert not page.tags & {"script", "img", "iframe", "link"}, page.tags
    for student in students:
        at = page.cells.index(student["student"])
        assert page.cells[at + 1] == f'{student["points"]} / {student["possible"]}', student["student"]
    print(f"{len(expected)} items of {len(students)} students agree in five reports")
