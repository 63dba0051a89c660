# SPDX-License-Identifier: MIT
"""Finds broken links in a folder of HTML, CSS and SVG: missing files, missing anchors, and resources that a page would load
from elsewhere."""
import html.parser
import pathlib
import re
import urllib.parse

# Attributes that name another file. A page may load files only from its folder, but may link to other sites.
LOADED = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src"), ("source", "src"), ("object", "data"),
          ("embed", "src"), ("image", "href"), ("use", "href"), ("video", "src"), ("audio", "src"), ("input", "src")}
FOLLOWED = {("a", "href"), ("area", "href"), ("form", "action")}
STYLE_URL = re.compile(r"url\(\s*['\"]?([^'\")]+)['\"]?\s*\)|@import\s+['\"]([^'\"]+)['\"]")
SCRIPTED = re.compile(r"['\"]([\w.-]+\.html(?:#[\w-]+)?)['\"]")


class Reader(html.parser.HTMLParser):
    """The anchors of a page, and its links as (attribute, address, is loaded)."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.anchors, self.ids, self.twice, self.links, self.in_style = set(), set(), set(), [], False
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.in_style = tag == "style"
        for name, value in attributes:
            value = value or ""
            name = name.removeprefix("xlink:")
            if name == "id":
                (self.twice if value in self.ids else self.ids).add(value)
            if name == "id" or (name == "name" and tag == "a"):
                self.anchors.add(value)
            elif name == "srcset":
                self.links += [(part.split()[0], True) for part in value.split(",") if part.strip()]
            elif name == "style":
                self.links += [(address, True) for address in style_links(value)]
            elif (tag, name) in LOADED or (tag, name) in FOLLOWED:
                self.links.append((value, (tag, name) in LOADED))

    handle_startendtag = handle_starttag

    def handle_data(self, data):
        if self.in_style:
            self.links += [(address, True) for address in style_links(data)]
            self.in_style = False


def style_links(text):
    return [first or second for first, second in STYLE_URL.findall(text)]


class Checker:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        self.pages = {}
        self.followed = 0

    def page(self, file):
        if file not in self.pages:
            self.pages[file] = Reader(file.read_text(encoding="utf-8", errors="replace"))
        return self.pages[file]

    def fault(self, file, address, loaded):
        """The fault of an address in a file, or None."""
        parts = urllib.parse.urlsplit(address.strip())
        if parts.scheme in ("javascript", "data", "mailto"):
            return None
        if parts.scheme or parts.netloc:
            return "is loaded from elsewhere" if loaded else None
        self.followed += 1
        target = (file.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else file
        if target.is_dir():
            target = target / "index.html"
        if not target.is_relative_to(self.folder):
            return "leads out of the folder"
        if not target.is_file():
            return "there is no such file"
        fragment = urllib.parse.unquote(parts.fragment)
        if fragment and target.suffix == ".html" and fragment not in self.page(target).anchors and fragment != "top":
            return "there is no such anchor"
        return None

    def links_of(self, file):
        if file.suffix in (".html", ".svg"):
            return self.page(file).links
        if file.suffix == ".css":
            return [(address, True) for address in style_links(file.read_text(encoding="utf-8", errors="replace"))]
        # Doxygen writes the links of the sidebar and of the search into scripts.
        addresses = SCRIPTED.findall(file.read_text(encoding="utf-8", errors="replace"))
        return [("../" + address if file.parent.name == "search" else address, False) for address in addresses]

    def faults(self):
        found = []
        for file in sorted(self.folder.rglob("*")):
            name = file.relative_to(self.folder)
            if name.parts[0] == "mathjax" or not file.is_file():
                continue  # requests_test.py checks what pages request from it
            # navtreeindex*.js holds positions in the sidebar, not links.
            if file.suffix in (".html", ".svg", ".css", ".js") and not name.name.startswith("navtreeindex"):
                for address, loaded in self.links_of(file):
                    fault = self.fault(file, address, loaded)
                    if fault:
                        found.append(f"{name}: {address}: {fault}")
            if file.suffix == ".html":
                found += [f"{name}: the id {one!r} occurs twice" for one in sorted(self.page(file).twice)]
        return found
