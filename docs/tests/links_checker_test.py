# SPDX-License-Identifier: MIT
"""The checker of links finds each kind of fault in a small site, and nothing else."""
import pathlib
import tempfile

from book import expect
from links import Checker

GOOD = """<html><body id="top"><h1 id="here">a</h1><a name="old"></a><a href="#here">b</a><a href="two.html#old%20place">c</a>
<a href="two.html">d</a><a href="https://example.org/">a link to another site</a><img src="p.svg"><a href="javascript:f()">e</a>
<a href="mailto:someone@example.org">m</a><img src="data:,"></body></html>"""
BAD = {
    '<a href="gone.html">x</a>': "gone.html: there is no such file",
    '<a href="#nowhere">x</a>': "#nowhere: there is no such anchor",
    '<a href="two.html#nowhere">x</a>': "two.html#nowhere: there is no such anchor",
    '<img src="https://example.org/p.png">': "https://example.org/p.png: is loaded from elsewhere",
    '<script src="//example.org/p.js"></script>': "//example.org/p.js: is loaded from elsewhere",
    '<link href="gone.css" rel="stylesheet"/>': "gone.css: there is no such file",
    '<a href="../outside.html">x</a>': "../outside.html: leads out of the folder",
    "<style>p { background: url('https://example.org/p.png') }</style>": "https://example.org/p.png: is loaded from elsewhere",
    '<p style="background: url(gone.png)">x</p>': "gone.png: there is no such file",
    '<img srcset="gone.png 2x">': "gone.png: there is no such file",
    '<svg><use xlink:href="gone.svg#a"/></svg>': "gone.svg#a: there is no such file",
    '<p id="here"></p><p id="here"></p>': "the id 'here' occurs twice",
}


def faults(folder, body, more=()):
    files = {"index.html": GOOD, "two.html": '<p id="old place">a</p>', "p.svg": "<svg/>", "bad.html": body, **dict(more)}
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
    return Checker(folder).faults()


with tempfile.TemporaryDirectory() as scratch:
    folder = pathlib.Path(scratch) / "site"
    folder.mkdir()
    (folder.parent / "outside.html").write_text("")
    expect(faults(folder, "") == [], f"faults in a good site: {faults(folder, '')}")
    for body, fault in BAD.items():
        found = faults(folder, body)
        expect(found == [f"bad.html: {fault}"], f"{body}: found {found}")
    found = faults(folder, "", {"navtreedata.js": '["a", "gone.html#x", null]', "search/all_0.js": "'../gone.html'"})
    expect(len(found) == 1 and found[0].startswith("navtreedata.js: gone.html#x"), f"in scripts: {found}")
    found = faults(folder, "", {"navtreedata.js": "", "style.css": "@import 'https://example.org/a.css'; p { background: url(gone.png) }"})
    expect(len(found) == 2, f"in a style sheet: {found}")
