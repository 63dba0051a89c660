# SPDX-License-Identifier: MIT
"""The pages of the lessons show the outputs that chapters/*/expected holds, in each configuration without a GPU."""
import html
import pathlib
import re

from book import expect, site_argument

CELL = re.compile(r'<div class="d2l-(?:tabs|outputs)" data-cell="(\d+)">(.*?)(?=<div class="d2l-(?:tabs|outputs)"|d2l-provenance)', re.S)
OUTPUT = re.compile(r'<pre class="d2l-output">\n?(?P<text>.*?)</pre>|<div class="d2l-measured">(?P<measured>.*?)</div>'
                    r'|<figure class="d2l-figure">(?P<svg>.*?)<figcaption>(?P<alternative>.*?)</figcaption></figure>', re.S)
LABEL = re.compile(r'<span class="d2l-label">(.*?)</span>', re.S)
MEASURED = re.compile(r"^\[measured: (?:(.*): )?[^:]+\]$")
PAGE = """<div class="d2l-tabs" data-cell="2"><div role="tabpanel" id="cell2-none-panel"><pre class="d2l-output">

&lt;a&#92;
b</pre></div><div role="tabpanel" id="cell2-virtual2-panel"><div class="d2l-measured"><span class="d2l-label">n: m</span>
3 ms</div><figure class="d2l-figure"><svg aria-label="a &amp; b" role="img" id="cell2-virtual2-picture1-x">
</svg><figcaption>a &amp; b</figcaption></figure></div></div><p class="d2l-provenance">"""
EXPECTED = {"none": "section 1\n\ncell 1\n\ncell 2: title\n>\n| <a\\\n| b\n",
            "virtual2": 'cell 2\n[measured: n: m: seconds, 0 to 1]\n[picture: a & b]\n> <svg id="x">\n| </svg>\n'}


def block(text):
    """A text as it is in a reference: `> first line`, `| other lines`."""
    lines = text.removesuffix("\n").split("\n")
    return [("| " if number else "> ") + line if line else "|" if number else ">" for number, line in enumerate(lines)]


def picture(svg, alternative, prefix):
    """A picture without what the weaver added: alternative text, role, and a prefix of the ids."""
    svg, alternative = (re.sub("&#(92|64|9);", lambda code: chr(int(code[1])), text) for text in (svg, alternative))
    for added in (f' aria-label="{alternative}"', ' role="img"'):
        svg = svg.replace("<svg" + added, "<svg", 1)
    return [f"[picture: {html.unescape(alternative)}]", *block(svg.replace(prefix + "-", ""))]


def outputs(panel, prefix):
    lines, pictures = [], 0
    for output in OUTPUT.finditer(panel):
        if output["text"] is not None:
            lines += block(html.unescape(output["text"]))
        elif output["measured"] is not None:
            label = LABEL.search(output["measured"])
            lines.append(f"[measured: {html.unescape(label[1]) if label else ''}]")
        else:
            pictures += 1
            lines += picture(output["svg"], output["alternative"], f"{prefix}-picture{pictures}")
    return lines


def on_page(page, configuration):
    """The outputs of each cell that has any, in the form of a reference without measured values."""
    cells = []
    for number, part in CELL.findall(page):
        prefix = f"cell{number}"
        if 'role="tabpanel"' in part:
            prefix = f"{prefix}-{configuration}"
            panels = re.split('<div role="tabpanel" ', part)
            part = next((panel for panel in panels if panel.startswith(f'id="{prefix}-panel"')), "")
        cells.append(outputs(part, prefix))
    return [lines for lines in cells if lines]


def in_reference(text):
    cells = []
    for line in text.splitlines():
        measured = MEASURED.match(line)
        if re.match(r"cell \d+(:|$)", line):
            cells.append([])
        elif cells and line:
            cells[-1].append(f"[measured: {measured[1] or ''}]" if measured else line)
    return [lines for lines in cells if lines]


for configuration, reference in EXPECTED.items():
    found = on_page(PAGE, configuration)
    expect(found == in_reference(reference), f"the outputs of a small page for {configuration} are read as {found}")
expect(on_page(PAGE.replace("b</pre>", "c</pre>"), "none") != in_reference(EXPECTED["none"]), "a wrong output is not noticed")

site = site_argument()
compared = 0
for lesson in sorted(pathlib.Path(__file__).parents[2].glob("chapters/*/*.cpp")):
    name = f"lesson_{lesson.parent.name}_{lesson.stem}.html"
    for configuration in ("none", "virtual1", "virtual2", "virtual4"):
        reference = lesson.parent / "expected" / f"{lesson.stem}.{configuration}.txt"
        wanted, shown = in_reference(reference.read_text(encoding="utf-8")), on_page(site.text(name), configuration)
        for at, (one, other) in enumerate(zip(wanted, shown)):
            expect(one == other, f"{name} differs from {reference} in output {at + 1}:\n{one}\n{other}")
        expect(len(wanted) == len(shown), f"{name} has {len(shown)} cells with outputs, {reference} has {len(wanted)}")
        compared += 1
expect(compared > 0, "there are no lessons to compare")
print(f"compared {compared} outputs of lessons")
