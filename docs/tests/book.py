# SPDX-License-Identifier: MIT
"""Opens the book in headless Chromium, from its folder as a reader does. Shared by all tests of the book."""
import argparse
import collections
import os
import pathlib
import re
import shutil
import sys

SKIPPED = 77
DESKTOP = {"width": 1280, "height": 900}
PHONE = {"width": 390, "height": 844}

# A page of every type, or a pattern for one: the book's own types, then Doxygen's. Doxygen's are small ones of their type,
# because axe takes minutes for the largest.
PAGE_TYPES = {
    "start": "index.html",
    "chapter": "chapter_1_gpus.html",
    "lesson": "lesson_1_gpus_2_2_copying.html",
    "exercise": "exercise_1_gpus_3_frobenius_log.html",
    "solution": "solution_*.html",
    "guide": "virtual_gpus.html",
    "glossary": "glossary.html",
    "class list": "annotated.html",
    "class index": "classes.html",
    "class hierarchy": "hierarchy.html",
    "class members": "functions.html",
    "functions": "namespacemembers.html",
    "namespace list": "namespaces.html",
    "namespace": "namespaced2l_1_1optim.html",
    "class": "classd2l_1_1TransferLedger.html",
    "members of a class": "classd2l_1_1TransferLedger-members.html",
    "struct": "structd2l_1_1*.html",
    "file list": "files.html",
    "file": "*_8h.html",
    "source of a file": "*_8h_source.html",
    "folder": "dir_*.html",
}
# The largest ones, with D2L_ALL_PAGES.
LARGE_PAGES = {
    "large namespace": "namespaced2l.html",
    "large class": "classd2l_1_1Tensor.html",
    "members of a large class": "classd2l_1_1Tensor-members.html",
}
# Types that may be missing: the students' release has no solutions, and Doxygen leaves out empty pages.
OPTIONAL = {"solution", "source of a file", "folder", "functions", "class hierarchy"}


def skip(reason):
    print(f"Skipped: {reason}")
    sys.exit(SKIPPED)


def expect(condition, message):
    """Like assert, but also with python -O."""
    if not condition:
        raise AssertionError(message)


class Site:
    def __init__(self, folder):
        self.folder = pathlib.Path(folder).resolve()
        if not (self.folder / "index.html").is_file():
            skip(f"there is no site in {self.folder}. ./learn docs builds it.")

    def address(self, page):
        return (self.folder / page).as_uri()

    def text(self, page):
        return (self.folder / page).read_text(encoding="utf-8")

    def pages(self):
        return sorted(path.name for path in self.folder.glob("*.html"))

    def pages_and_some_of_doxygen(self):
        """All pages but those that Doxygen makes for each class and file: of these, the three largest of each kind."""
        kinds, rest = collections.defaultdict(list), []
        for name in self.pages():
            match = re.match(r"(class|struct|union|namespacemembers|namespace|functions|dir_)|.*_8[a-z]+(_source)?\.html", name)
            kinds[match and (match[1] or f"file{match[2]}")].append(name)
        for kind, names in kinds.items():
            names.sort(key=lambda name: -(self.folder / name).stat().st_size)
            rest += names if kind is None else names[:3]
        return sorted(rest)

    def page_types(self):
        """{type: page}; a missing type is an error unless it is optional."""
        found = {}
        types = PAGE_TYPES | (LARGE_PAGES if os.environ.get("D2L_ALL_PAGES") else {})
        for name, pattern in types.items():
            matches = sorted(path.name for path in self.folder.glob(pattern))
            if matches:
                found[name] = matches[0]
            else:
                expect(name in OPTIONAL, f"the site has no page of type {name} ({pattern})")
        return found


def site_argument():
    parser = argparse.ArgumentParser()
    parser.add_argument("--site", required=True, help="the folder with index.html")
    return Site(parser.parse_args().site)


def chromium():
    path = os.environ.get("CHROMIUM") or shutil.which("chromium") or shutil.which("chromium-browser")
    if not path:
        skip("Chromium is not installed. ./learn setup --all installs it.")
    return path


class Browser:
    """with Browser(site) as browser: browser.open("index.html") returns a page. Each window has its own storage."""

    def __init__(self, site):
        self.site = site

    def __enter__(self):
        try:
            from playwright.sync_api import sync_playwright
        except ImportError as missing:
            skip(f"{sys.executable} has no {missing.name}. ./learn setup --all installs it.")
        path = chromium()
        self.playwright = sync_playwright().start()
        # Chromium has no sandbox for root. CI often runs as root in a container with a small /dev/shm.
        arguments = ["--disable-dev-shm-usage"] + (["--no-sandbox"] if os.geteuid() == 0 else [])
        self.browser = self.playwright.chromium.launch(executable_path=path, args=arguments)
        return self

    def __exit__(self, *_):
        self.browser.close()
        self.playwright.stop()

    def window(self, viewport=DESKTOP, **options):
        """A window with empty storage, as on a first visit."""
        context = self.browser.new_context(viewport=viewport, **options)
        context.set_default_timeout(60000)  # a loaded machine takes long
        return context.new_page()

    def open(self, name, window=None, **options):
        page = window or self.window(**options)
        page.goto(self.site.address(name), wait_until="load")
        return page


def run(check):
    """Runs check(site, browser) on the site from the command line."""
    site = site_argument()
    with Browser(site) as browser:
        check(site, browser)
    print("Passed")
